"""Results that come with the package, so that the law's own tables are answered at once on a fresh machine.

They are results of the cache, under the same names: a hash of the pays and of the code that computes them. So a result
that no longer fits is never found, and the engine counts instead. ``python -m scripts.counts`` writes them again.
"""

import io
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
import numpy.typing as npt

Arrays = Mapping[str, npt.NDArray[Any]]
FILE = "counts.npz"
_ABOUT = "about"
_in_use = [True]


@contextmanager
def set_aside() -> Iterator[None]:
    """Count as if no results came with the package."""
    before, _in_use[0] = _in_use[0], False
    try:
        yield
    finally:
        _in_use[0] = before


def packaged(name: str, key: str) -> tuple[Arrays, dict[str, Any]] | None:
    """A result of the package; nothing if it has none for these pays and this code."""
    if not _in_use[0] or (entry := _contents().get(f"{name}-{key}")) is None:
        return None
    return _arrays(f"{name}-{key}", tuple(entry["arrays"])), json.loads(json.dumps(entry["figures"]))


@cache
def _file() -> Mapping[str, npt.NDArray[Any]]:
    path = files("pitboss.exact").joinpath(FILE)
    return np.load(io.BytesIO(path.read_bytes())) if path.is_file() else {}


@cache
def _contents() -> Mapping[str, Any]:
    """Arrays and figures of each result, by name and key."""
    found = _file()
    return json.loads(found[_ABOUT].tobytes()) if _ABOUT in found else {}


@cache
def _arrays(entry: str, parts: tuple[str, ...]) -> Arrays:
    arrays = {part: _file()[f"{entry}/{part}"] for part in parts}
    for array in arrays.values():
        array.flags.writeable = False  # as those mapped from the cache, for which kernels are compiled
    return arrays


def packed(results: Mapping[str, tuple[Arrays, Mapping[str, Any]]]) -> bytes:
    """The file with these results, by name and key: the same bytes for the same results."""
    about = {
        entry: {"arrays": sorted(arrays), "figures": figures} for entry, (arrays, figures) in sorted(results.items())
    }
    members = {
        f"{entry}/{part}": array
        for entry, (arrays, _) in sorted(results.items())
        for part, array in sorted(arrays.items())
    }
    text = np.frombuffer(json.dumps(about, sort_keys=True).encode(), np.uint8)
    out = io.BytesIO()
    np.savez_compressed(out, **{_ABOUT: text}, **members)  # type: ignore[arg-type]
    return out.getvalue()
