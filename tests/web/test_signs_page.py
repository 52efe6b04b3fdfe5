"""Signs and layout at their addresses: the choices, a submission of one's own, files, and what is refused."""

import zlib
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest

from pitboss.submission import template
from pitboss.web.submitted import packed, unpacked
from tests.web.harness import House, running

SAME = {"Sec-Fetch-Site": "same-origin"}
DAY = date(2026, 3, 2)
PAIR_PLUS_D = "Pair Plus Wager, table D"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    folder: Path = tmp_path_factory.mktemp("signs")
    with running(f"sqlite:///{folder}/ledger.db", pages=True) as opened:
        yield opened


def test_the_address_is_the_sign(house: House) -> None:
    chosen = {"game": "three-card-poker", "day": DAY, "holder": "Example <b>Casino</b>", "table.pair_plus": "D"}
    page = house.http().get("/signs?" + urlencode({**chosen, "of": "three-card-poker", "offer": "six_card_bonus"}))
    assert page.status_code == 200
    assert PAIR_PLUS_D in page.text
    assert "Six Card Bonus Wager, table A" in page.text
    assert "Five-Card Progressive Payout Wager</h2>" not in page.text
    assert "Example &lt;b&gt;Casino&lt;/b&gt;" in page.text
    other = house.http().get("/signs?" + urlencode({**chosen, "game": "crazy-4-poker", "of": "three-card-poker"}))
    assert other.status_code == 200, "choices of another game are left out"


def test_a_submission_leads_to_an_address_that_shows_its_findings(house: House) -> None:
    text = template("three-card-poker", DAY).replace("seats = 7", "seats = 9").replace('table = "A"', 'table = "D"', 1)
    answer = house.http().post("/signs", data={"submission": text, "size": "tabloid"}, headers=SAME)
    assert answer.status_code == 303
    query = parse_qs(urlsplit(answer.headers["location"]).query)
    assert unpacked(query["submission"][0]) == text
    page = house.http().get(answer.headers["location"])
    assert (page.status_code, PAIR_PLUS_D in page.text) == (200, True)
    assert "649a.2(a)" in page.text
    assert "isn't lawful yet" in page.text
    for wrong in ("", "seats = ", 'game = "nothing"', "a." * 30_000):
        refused = house.http().post("/signs", data={"submission": wrong}, headers=SAME)
        assert refused.status_code == 422, wrong[:20]


def test_an_address_that_is_damaged_or_unpacks_to_too_much_is_refused(house: House) -> None:
    bomb = urlsafe_b64encode(zlib.compress(b" " * 50_000_000, 9)).decode()[:20_000]
    for word in ("x", "%20", packed("x")[:-6], bomb, urlsafe_b64encode(zlib.compress(b"\xff")).decode()):
        page = house.http().get("/signs?" + urlencode({"submission": word}))
        assert page.status_code == 422, word[:20]
        assert "damaged" in page.text
    for query in ("game=nothing", "day=tomorrow", "size=wall", "game=roulette&day=1900-01-01"):
        assert house.http().get(f"/signs?{query}").status_code == 422, query
        assert house.http().get(f"/signs/sign.pdf?{query}").status_code == 400, query


def test_files_of_the_sign_and_the_layout(house: House) -> None:
    begins = {"sign.pdf": b"%PDF-", "sign.html": b"<!DOCTYPE", "sign.xlsx": b"PK", "sign.csv": b"table,outcome,pays",
              "sign.json": b"{", "layout.pdf": b"%PDF-", "layout.html": b"<!DOCTYPE", "layout.xlsx": b"PK",
              "layout.csv": b"no,area", "layout.json": b"{", "layout.svg": b"<svg"}  # fmt: skip
    page = house.http().get(f"/signs?game=sic-bo&day={DAY}").text
    for name, start in begins.items():
        answer = house.http().get(f"/signs/{name}?game=sic-bo&day={DAY}")
        assert answer.content.startswith(start), name
        assert "sic-bo" in answer.headers["content-disposition"]
        assert f'href="/signs/{name}?' in page
    shown = house.http().get(f"/signs/sign.pdf?game=sic-bo&day={DAY}&show=1")
    assert shown.headers["content-disposition"].startswith("inline")
    picture = house.http().get(f"/signs/sign.svg?game=sic-bo&day={DAY}")
    assert picture.headers["content-encoding"] == "gzip"
    assert picture.headers["x-fit"].startswith("Fits%20one%20sheet")
    assert picture.text.startswith("<svg")
    plain = house.http().get(f"/signs/sign.svg?game=sic-bo&day={DAY}", headers={"Accept-Encoding": "identity"})
    assert plain.text == picture.text
    for name in ("table.json", "sign.docx", "table.pdf"):
        assert house.http().get(f"/signs/{name}?game=sic-bo").status_code == 404
