"""Files of data beside the code of a room: one record a line, its fields parted by tabs."""

from collections.abc import Iterator
from importlib.resources import files


def data_rows(room: str, name: str) -> Iterator[list[str]]:
    """The fields of each line."""
    for line in files("pitboss").joinpath(room, name).read_text(encoding="utf-8").splitlines():
        yield line.split("\t")
