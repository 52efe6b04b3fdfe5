"""Links across games: tables that are equal by another letter feed one meter, and no others do."""

import pytest
from tests.ledger.house import House, RefusedError
from tests.table.driver import submission_text, with_letter

from pitboss.findings import errors
from pitboss.ledger.meters import settings_of
from pitboss.ledger.review import review
from pitboss.ledger.store import Store
from pitboss.submission import check, read_submission
from pitboss.table.roles import Role
from pitboss.table.ruling import rules_at

CARIBBEAN, RIDE, MISSISSIPPI = "caribbean-stud", "let-it-ride", "mississippi-stud"
METER = {CARIBBEAN: "progressive", RIDE: "five_card_progressive", MISSISSIPPI: "progressive"}
PAIRS = dict(zip("DFGH", "ABCD", strict=True))
"""The tables of 639a.12(d)(1) that may be linked, and their letters in the other chapters."""


def text_of(game: str, letter: str, *, linked: bool = True) -> str:
    """A submission with one letter for the progressive wager that the games share."""
    return with_letter(submission_text(game), METER[game], letter, linked=linked)


def open_linked(house: House, table: str, game: str, letter: str, meter: str) -> None:
    meters = {METER[game]: meter}
    house.manager(table, "open_table", submission=text_of(game, letter), meters=meters, fill=50_000_000)


def seated(house: House, table: str, seat: int, **wagers: int) -> None:
    house.dealer(table, "sit", seat=seat, player=f"p{seat}")
    house.buy_in(table, f"p{seat}", 1_000_000)
    house.until(table, "wagering")
    for wager, amount in wagers.items():
        house.dealer(table, "wager", seat=seat, wager=wager, amount=amount)


@pytest.fixture
def house(store: Store) -> House:
    return House(store)


@pytest.fixture
def link(house: House) -> House:
    """A meter of table D of Caribbean Stud, at a table that is linked to it."""
    house.manager("first", "open_table", submission=text_of(CARIBBEAN, "D"), meters={}, fill=50_000_000)
    settings = settings_of(rules_at(house.pit.table("first")), METER[CARIBBEAN])
    house.pit.open_meter("wide", settings, house.person(Role.PIT_MANAGER))
    return house


@pytest.mark.law("639a.12(d)(1)", "643a.12(e)(1)", "655a.12(c)(1)")
def test_three_games_feed_one_meter(link: House) -> None:
    """Each of three dollars adds its 21 %, whatever the table's letter is in its chapter."""
    before = link.pit.meters()["wide"]["amounts"]["meter"]
    ride = dict.fromkeys(("bet_1", "bet_2", "bet_3"), 1000)
    stakes: dict[str, dict[str, int]] = {CARIBBEAN: {"ante": 1000}, RIDE: ride, MISSISSIPPI: {"ante": 1000}}
    for seat, (game, letter) in enumerate(((CARIBBEAN, "D"), (RIDE, "A"), (MISSISSIPPI, "A")), 1):
        open_linked(link, game, game, letter, "wide")
        seated(link, game, seat, **stakes[game], **{METER[game]: 100})
        link.dealer(game, "no_more_bets")
        assert link.pit.meters()["wide"]["amounts"]["meter"] == before + 21 * seat
    assert sorted(link.pit.meters()["wide"]["tables"]) == sorted(stakes)
    assert review(link.store) == ()


@pytest.mark.parametrize(("game", "letter", "fits"), [(RIDE, "B", "A"), (MISSISSIPPI, "D", "A"), (CARIBBEAN, "F", "D")])
def test_another_table_is_refused_with_the_letter_that_would_fit(
    link: House, game: str, letter: str, fits: str
) -> None:
    with pytest.raises(RefusedError, match=f"table {fits} of .* is equal"):
        open_linked(link, game, game, letter, "wide")


@pytest.mark.law("639a.12(d)(3)")
@pytest.mark.parametrize("letter", "ABCDEFGH")
def test_tables_that_linked_games_may_not_select(letter: str) -> None:
    found = errors(check(read_submission(text_of(CARIBBEAN, letter))))
    assert [each.code for each in found] == ([] if letter in PAIRS else ["table-not-linkable"])
    assert all((each.cite, each.expected[:17]) == ("639a.12(d)(3)", "one of D, F, G or") for each in found), found
    assert not errors(check(read_submission(text_of(CARIBBEAN, letter, linked=False))))


@pytest.mark.parametrize("letter", PAIRS)
def test_each_letter_has_its_like_in_the_other_chapters(house: House, letter: str) -> None:
    house.manager("first", "open_table", submission=text_of(CARIBBEAN, letter), meters={}, fill=50_000_000)
    meter = f"first-{METER[CARIBBEAN]}"
    for game in (RIDE, MISSISSIPPI):
        open_linked(house, game, game, PAIRS[letter], meter)
        assert house.pit.table(game).meters[METER[game]] == meter


@pytest.mark.law("639a.12(d)(4)")
@pytest.mark.parametrize(("reading", "left"), [("", 1_000_065), ("prizes-charged-to-meter", 995_065)])
def test_a_flush_of_table_e_by_both_readings(house: House, reading: str, left: int) -> None:
    """$10,000 and 65 cents; by the other reading the $50 that the player is paid come off the meter again."""
    text = text_of(CARIBBEAN, "E", linked=False)
    assert '# readings = { progressive = "prizes-charged-to-meter" }' in text
    text = text.replace("# readings = {", "readings = {") if reading else text
    house.manager("t1", "open_table", submission=text, meters={}, source="keyed", fill=50_000_000)
    seated(house, "t1", 1, ante=1000, progressive=100)
    house.until("t1", "dealing").key_in("t1", {"seat 1": "Kd 9d 7d 4d 2d", "dealer": "Qh Jd 8c 5s 3h"})
    house.until("t1", "collecting")
    lines = {line.wager: line for line in house.pit.table("t1").playing.lines}
    assert (lines["progressive"].net, lines["progressive"].from_meter) == (4_900, "")
    assert house.pit.meters()["t1-progressive"]["amounts"]["meter"] == left
    with house.store.reading() as books:
        charged = [event.data["amount"] for event in books.events(kinds=("meter.charged",))]
    assert charged == ([5_000] if reading else [])
    house.until("t1", "shuffling", "wagering", "cutting")
    assert review(house.store) == ()
