"""Documents that leave the house by its pages: every kind of file, to those who may read the record."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from pitboss.paper.files import MEDIA
from tests.web.harness import PASSWORD, House, play_inside, running

ADDRESSES = {
    "/audit.{}?table=t1&round=1": {"auditor-1", "floor-1", "dealer-1", "p1"},
    "/audit.{}?table=t1": {"auditor-1", "floor-1", "dealer-1", "p1", "p2"},
    "/slips.{}": {"auditor-1", "floor-1"},
    "/incidents.{}?state=all": {"auditor-1", "floor-1"},
    "/school/class.{}": {"floor-1"},
    "/school/progress.{}": {"auditor-1", "floor-1", "dealer-1", "p1", "p2"},
}
"""The addresses of files, and which of these people get them."""
PEOPLE = ("auditor-1", "floor-1", "dealer-1", "p1", "p2", "")
BEGINS: dict[str, bytes | tuple[bytes, ...]] = {
    "pdf": b"%PDF-", "html": b"<!DOCTYPE html>", "xlsx": b"PK", "json": (b"{", b"["),
}  # fmt: skip


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A round played at a table with one player."""
    folder: Path = tmp_path_factory.mktemp("papers")
    with running(f"sqlite:///{folder}/ledger.db", pages=True) as opened:
        opened.open("t1", "three-card-poker", 1)
        play_inside(opened.pit, "t1", 1, 1)
        yield opened


@pytest.mark.parametrize("who", PEOPLE)
def test_files_go_to_those_who_may_read_the_record(house: House, who: str) -> None:
    with httpx.Client(base_url=house.url, timeout=30) as http:
        if who:
            assert http.post("/api/login", json={"id": who, "password": PASSWORD}).status_code == 200
        for address, readers in ADDRESSES.items():
            for kind, media in MEDIA.items():
                answer = http.get(address.format(kind))
                assert (answer.status_code == 200) == (who in readers), (who, address, kind, answer.text[:80])
                if who in readers:
                    assert answer.headers["content-type"] == media
                    assert f'.{kind}"' in answer.headers["content-disposition"]
                    assert answer.content.startswith(BEGINS.get(kind, b"")), (address, kind)
            assert http.get(address.format("docx")).status_code in ((303, 403) if not who else (400, 403, 404))
