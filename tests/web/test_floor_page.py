"""The floor page: the money of a table, the order in which things wait, and presses without script."""

import re
from collections.abc import Iterator

import httpx
import pytest

from pitboss.ledger.people import Person
from pitboss.ledger.search import Wanted, find
from pitboss.money import show_dollars
from pitboss.table.roles import Role
from pitboss.web.security import COOKIE
from tests.web.harness import House, play_inside, running

AUDITOR = Person("auditor-9", "Auditor", Role.AUDITOR)
FILL = 50_000_000
BOUGHT = 1_000_000


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with running(f"sqlite:///{tmp_path_factory.mktemp('floor') / 'ledger.db'}", pages=True) as opened:
        yield opened


def page(house: House, who: str, address: str = "/floor", form: dict[str, str] | None = None) -> httpx.Response:
    """A page, or the answer to a press on it, as a browser without script has it."""
    headers, cookies = {"Sec-Fetch-Site": "same-origin"}, {COOKIE: house[who].token}
    with httpx.Client(base_url=house.url, headers=headers, cookies=cookies, timeout=30, follow_redirects=True) as http:
        shown = http.get(address)
        if form is None:
            return shown
        csrf = re.search(r'name="csrf" value="([^"]+)"', shown.text)
        assert csrf is not None
        return http.post(address, data={**form, "csrf": csrf[1]})


def figures(text: str, table: str) -> dict[str, str]:
    """The money on the card of a table."""
    card = re.search(rf'<li class="fl-table[^"]*" id="table-{table}".*?</li>', text, re.DOTALL)
    assert card is not None
    return dict(re.findall(r"<dt>(\w+)</dt><dd[^>]*>([^<]+)</dd>", card[0]))


def test_a_card_has_what_the_table_won_since_it_was_opened(house: House) -> None:
    house.open("t1", "three-card-poker", 1, 2)
    play_inside(house.pit, "t1", 3, 1, 2)
    net = -sum(sum(each.totals.values()) for each in find(house.store, Wanted(table="t1"), AUDITOR).rounds)
    assert net
    sign = "+" if net > 0 else "−"
    tray = FILL - 2 * BOUGHT + net
    assert figures(page(house, "floor-1").text, "t1") == {
        "Drop": show_dollars(2 * BOUGHT),
        "Win": f"{sign}{show_dollars(abs(net))}",
        "Tray": show_dollars(tray),
    }
    fill, credit = 700_000, 200_000
    house["floor-1"].do("t1", "fill", amount=fill, slip=house.slip("t1"))
    house["floor-1"].do("t1", "credit", amount=credit, slip=house.slip("t1"))
    house["floor-1"].do("t1", "cash_out", amount=500, player="p1", slip=house.slip("t1"))
    after = figures(page(house, "auditor-1").text, "t1")
    assert after["Win"] == f"{sign}{show_dollars(abs(net))}", "neither the cage nor a cash-out is a win"
    assert after["Tray"] == show_dollars(tray + fill - credit + 500)
    assert figures(page(house, "admin-1").text, "t1") == {}, "an administrator reads no balances"


def test_the_oldest_waits_first_and_a_table_is_closed_without_script(house: House) -> None:
    for table in ("b2", "a3"):
        house.open(table, "three-card-poker")
        house["floor-1"].do(table, "receive_decks", preinspected=False)
        while house["dealer-1"].shown(f"/tables/{table}")["next"]["role"] == "dealer":
            following = house["dealer-1"].shown(f"/tables/{table}")["next"]["command"]
            assert house["dealer-1"].command(table, following).status_code == 200
    text = page(house, "floor-1").text
    assert re.findall(r'data-wait="[^"]+" data-table="([^"]+)"', text) == ["b2", "a3"]
    assert re.findall(r'id="table-([^"]+)"', text) == ["t1", "b2", "a3"], "each in its place, by its number"
    assert 'data-waiting="2"' in text
    assert "<title>(2) Floor" in text
    address = "/floor?act=close&table=b2"
    question = page(house, "floor-1", address).text
    assert "Table b2 closes: $500,000 in chips and $0 of the drop box go to the cage." in question
    assert page(house, "dealer-1", address).text.count("Close table b2") == 0, "a dealer may not close it"
    closed = page(house, "floor-1", address, {"do": "yes", "reason": "no patrons"})
    assert "Table b2 is closed." in closed.text
    opened = house.pit.opening(house.pit.table("b2"))
    assert opened is not None
    assert opened.game == "three-card-poker"
    assert re.findall(r'id="table-([^"]+)"', closed.text) == ["t1", "b2", "a3"], "it keeps its place"
    again = page(house, "floor-1", address, {"do": "yes", "reason": ""})
    assert again.status_code == 422, "it is closed already"
    typed = page(house, "manager-1", "/floor?act=limits&table=t1", {"do": "preview", "minimum": "x", "maximum": "5"})
    assert (typed.status_code, 'value="x"' in typed.text) == (422, True)
