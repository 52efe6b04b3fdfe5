"""The logic of the audit, meters and law pages: who finds what, what a step shows, and what must stay hidden."""

import re
import time
from collections.abc import Iterator
from datetime import date
from itertools import product
from typing import Any
from urllib.parse import urlencode

import httpx
import pytest

from pitboss.cards import show_card
from pitboss.clock import moment
from pitboss.findings import UnreadableError
from pitboss.ledger.kinds.meters import MeterAdjustment
from pitboss.ledger.people import Person
from pitboss.ledger.recall import NOT_YOURS, NoRoundError, NotYoursError, recall
from pitboss.ledger.search import RoundsFound, Wanted, find, seq_at
from pitboss.ledger.store import Store
from pitboss.reports.cards import card_id, card_name
from pitboss.table.fold import apply
from pitboss.table.happened import HIDDEN
from pitboss.table.roles import Role
from pitboss.table.state import Table
from pitboss.table.view import view
from pitboss.web.film import film, turned_up
from pitboss.web.security import COOKIE
from pitboss.web.views import meters
from tests.ledger.house import START, House
from tests.table.driver import GAME_NAMES
from tests.web.harness import House as Served
from tests.web.harness import play_inside, running

AUDITOR = Person("auditor-9", "Auditor", Role.AUDITOR)
P1, P2, P3 = (Person(f"p{number}", f"Player {number}", Role.PLAYER) for number in (1, 2, 3))
SEEN = ("phase", "deck", "dealing", "shuffling", "seats", "wagers", "limits", "rounds", "failed", "covered", "round")
"""What the felt and its frame are drawn from."""


@pytest.fixture
def pit(sqlite_url: str) -> Iterator[House]:
    with Store(sqlite_url) as store:
        yield House(store, seed=3)


@pytest.fixture(params=["sqlite_url", "postgres_url"])
def either_pit(request: pytest.FixtureRequest) -> Iterator[House]:
    with Store(request.getfixturevalue(request.param)) as store:
        yield House(store, seed=3)


def seen(table: Table) -> dict[str, Any]:
    shown = view(table, "")
    return {name: shown[name] for name in SEEN}


def folded(store: Store, table: str) -> dict[int, Table]:
    """The table after each of its events, folded from the very first."""
    now, after = Table(table), {}
    with store.reading() as reading:
        for event in reading.events(table):
            after[event.seq] = now = apply(now, event.fact)
    return after


# Steps


@pytest.mark.parametrize("game", GAME_NAMES)
def test_every_step_shows_the_table_as_it_was(pit: House, game: str) -> None:
    pit.opened("t1", game, seats=(1, 3)).rounds("t1", 2)
    truth = folded(pit.store, "t1")
    for number in (1, 2):
        frames = film(pit.store, "t1", number).frames
        last = {frame.seq: frame for frame in frames}
        assert last
        for seq, frame in last.items():
            assert seen(frame.table) == seen(truth[seq]), frame.kind


def test_what_changed_before_earlier_rounds_is_known(pit: House) -> None:
    """What happens between rounds stands under the round that follows; the one after it must know it as well."""
    pit.opened("t1", "three-card-poker", seats=(1, 2, 3), shuffler=True, decks=2).round("t1")
    pit.dealer("t1", "leave", seat=2)
    pit.by_two("t1", Role.PIT_MANAGER, "change_limits", wager="ante", minimum=1000, maximum=50_000)
    pit.rounds("t1", 2)
    truth = folded(pit.store, "t1")
    for frame in film(pit.store, "t1", 3).frames[-3:]:
        assert seen(frame.table) == seen(truth[frame.seq])
        assert set(frame.table.boxes) == {1, 3}
        assert frame.table.limits["ante"] == (1000, 50_000)


def test_a_table_closed_and_opened_again_forgets_what_was_before(pit: House) -> None:
    pit.opened("t1", "three-card-poker", seats=(1, 2)).round("t1")
    pit.until("t1", "wagering")
    for seat in (1, 2):
        pit.dealer("t1", "leave", seat=seat)
    pit.floor("t1", "close_table")
    pit.now += 24 * 3600 * 1_000_000  # on the same gaming day a second person would have to consent
    pit.opened("t1", "lunar-poker", seats=(3,)).rounds("t1", 2)
    truth = folded(pit.store, "t1")
    for number in (1, 2, 3):
        for frame in film(pit.store, "t1", number).frames[-2:]:
            assert seen(frame.table) == seen(truth[frame.seq])


def test_cards_come_one_by_one(pit: House) -> None:
    pit.opened("t1", "three-card-poker", seats=(1, 2)).round("t1")
    found = film(pit.store, "t1", 1)
    dealt = [frame for frame in found.frames if frame.kind == "cards.dealt"]
    cards = recall(pit.store, "t1", 1).cards
    assert len(dealt) == len(cards) > 6
    for count, (frame, card) in enumerate(zip(dealt, cards, strict=True), 1):
        assert frame.table.play is not None
        assert len(frame.table.play.dealt) == count
        assert frame.sentence.startswith(f"{card.card} to ")
    assert {frame.table.phase for frame in dealt[:-1]} == {"dealing"} != {dealt[-1].table.phase}
    lines = [frame for frame in found.frames if frame.kind == "line.settled"]
    assert len(lines) == len(recall(pit.store, "t1", 1).lines)
    assert all(frame.cites and frame.who and frame.role for frame in lines)
    assert found.frames[found.fullest] == lines[-1]


@pytest.mark.parametrize("game", GAME_NAMES)
def test_no_card_is_hidden_once_the_round_is_over(pit: House, game: str) -> None:
    pit.opened("t1", game, seats=(1, 2)).round("t1")
    found = film(pit.store, "t1", 1, AUDITOR)
    assert found.over
    for step in range(len(found.frames)):
        assert HIDDEN not in str(found.shown(step))
    shown = found.shown(found.fullest)["round"]
    assert shown["players"] == {"1": "p1", "2": "p2"}
    assert {card for hand in shown["hands"].values() for card in hand} | {str(face) for face in shown["dice"]} >= {
        card.card for card in recall(pit.store, "t1", 1).cards if card.to != "discard rack"
    }


def test_while_the_round_lasts_only_own_cards_are_seen(pit: House) -> None:
    pit.opened("t1", "three-card-poker", seats=(1, 2)).wagers("t1").until("t1", "deciding")
    play = pit.pit.table("t1").play
    assert play is not None
    hands = {place: [show_card(card) for card in play.hand(place)] for place in ("seat 1", "seat 2", "dealer")}
    for person, own in ((P1, ["seat 1"]), (P2, ["seat 2"]), (AUDITOR, []), (None, [])):
        found = film(pit.store, "t1", 1, person)
        assert not found.over
        texts = [frame.sentence for frame in found.frames]
        texts += [str(found.shown(step)["round"]) for step in range(len(found.frames))]
        for place, cards in hands.items():
            for card in cards:
                told = any(re.search(rf"\b{card}\b", text) for text in texts)
                assert told == (place in own), (person, place, card)


def test_a_table_between_rounds_has_nothing_to_turn_up() -> None:
    assert turned_up(Table("t1"))["round"] is None


def test_a_round_that_nobody_played(pit: House) -> None:
    pit.opened("t1", "three-card-poker").round("t1")
    for table, number in (("t1", 9), ("nowhere", 1)):
        with pytest.raises(NoRoundError, match=f"no round {number}"):
            film(pit.store, table, number)


# Who may look, and the search


def test_players_see_own_rounds_and_dealers_those_they_dealt(pit: House) -> None:
    pit.opened("t1", "three-card-poker", seats=(1, 2))
    pit.round("t1", 1)
    pit.round("t1", 1, 2)
    dealer = pit.person(Role.DEALER)
    other = Person("dealer-9", "Another dealer", Role.DEALER)
    for who, numbers in ((AUDITOR, [2, 1]), (P1, [2, 1]), (P2, [2]), (P3, []), (dealer, [2, 1]), (other, [])):
        found = find(pit.store, Wanted(), who)
        assert [line.number for line in found.rounds] == numbers, who
        for number in (1, 2):
            if number in numbers:
                assert recall(pit.store, "t1", number, who).number == number
            else:
                with pytest.raises(NotYoursError, match=NOT_YOURS[:20]):
                    recall(pit.store, "t1", number, who)


def test_a_player_asking_for_somebody_else_finds_nothing(pit: House) -> None:
    pit.opened("t1", "three-card-poker", seats=(1, 2)).round("t1", 2)
    assert find(pit.store, Wanted(player="p2"), P1) == RoundsFound(())
    assert find(pit.store, Wanted("t1", 1), P1) == RoundsFound(())
    assert [line.number for line in find(pit.store, Wanted("t1", 1), P2).rounds] == [1]


def test_rounds_are_found_by_everything(either_pit: House) -> None:
    house = either_pit
    house.opened("t1", "three-card-poker", seats=(1, 2)).opened("t2", "lunar-poker", seats=(2, 3))
    house.round("t1", 1)
    house.now += 3_600_000_000
    between = house.now
    house.round("t2")
    house.round("t1", 1, 2)

    def asked(**wanted: Any) -> list[tuple[str, int]]:
        return [(line.table, line.number) for line in find(house.store, Wanted(**wanted), AUDITOR).rounds]

    everything = [("t1", 2), ("t2", 1), ("t1", 1)]
    assert asked() == everything
    assert asked(table="t1") == [("t1", 2), ("t1", 1)]
    assert asked(number=1) == [("t2", 1), ("t1", 1)]
    assert asked(table="t1", number=1) == [("t1", 1)]
    assert asked(player="p2") == [("t1", 2), ("t2", 1)]
    assert asked(player="p3") == [("t2", 1)]
    assert asked(player="nobody") == []
    assert asked(seat=1) == [("t1", 2), ("t1", 1)]
    assert asked(seat=2, player="p2", table="t2") == [("t2", 1)]
    assert asked(seat=1, player="p2") == []
    assert asked(since=between) == [("t1", 2), ("t2", 1)]
    assert asked(until=between) == [("t1", 1)]
    assert asked(since=between, until=between) == []
    assert asked(since=START, until=house.now) == everything
    assert len(find(house.store, Wanted(), AUDITOR, most=2).rounds) == 2
    assert film(house.store, "t2", 1).over


def test_the_event_at_a_time(pit: House) -> None:
    pit.opened("t1", "three-card-poker").round("t1")
    with pit.store.reading() as reading:
        events = reading.events()
        assert seq_at(reading, 0) == 1
        assert seq_at(reading, events[-1].at + 1) == len(events) + 1
        for event in events[:: len(events) // 7]:
            assert seq_at(reading, event.at) == next(e.seq for e in events if e.at == event.at)


def test_a_time_that_is_none() -> None:
    with pytest.raises(UnreadableError, match="is not a time"):
        moment("yesterday")
    assert moment("2024-06-01T10:00") == moment("2024-06-01T14:00Z") == START
    assert moment("2024-06-01T14:00+02:00") == START - 7_200_000_000


def test_a_round_is_found_by_its_game_its_gaming_day_and_what_happened_in_it(either_pit: House) -> None:
    house = either_pit
    house.opened("t1", "three-card-poker", source="keyed", seats=(1, 2)).opened("t2", "lunar-poker", seats=(2,))
    house.wagers("t1", 1, 2).until("t1", "dealing")
    house.key_in("t1", {"seat 1": "As Ks Qs", "seat 2": "2c 3c 4c", "dealer": "2h 7d 9c"})
    house.until("t1", "shuffling", "deck count", "wagering")
    house.now += 24 * 3_600_000_000
    house.round("t2")
    house.wagers("t2").until("t2", "deciding")
    everything = find(house.store, Wanted(), AUDITOR).rounds
    days = {line.day for line in everything}
    assert len(days) == 2

    def asked(who: Person = AUDITOR, **wanted: Any) -> list[tuple[str, int]]:
        return [(line.table, line.number) for line in find(house.store, Wanted(**wanted), who).rounds]

    assert {line.table: line.game for line in everything} == {"t1": "three-card-poker", "t2": "lunar-poker"}
    assert asked(game="three-card-poker") == asked(day=min(days)) == asked(day=min(days), player="p1") == [("t1", 1)]
    assert asked(game="lunar-poker") == asked(day=max(days)) == [("t2", 2), ("t2", 1)]
    assert asked(kind="in play") == [("t2", 2)]
    assert asked(kind="completed") == [("t2", 1), ("t1", 1)]
    assert asked(kind="void") == asked(kind="correction") == []
    assert asked(day=max(days), until=START) == []


# Meters


def test_the_last_jackpot_is_read_once(pit: House) -> None:
    pit.opened("t5", "three-card-poker", source="keyed", seats=(1, 2))
    link, jackpots = "t5-three_card_progressive", meters.Jackpots(pit.store)
    assert jackpots.look() == {}
    pit.until("t5", "wagering")
    pit.dealer("t5", "wager", seat=1, wager="ante", amount=1000)
    pit.dealer("t5", "wager", seat=1, wager="three_card_progressive", amount=100)
    before = pit.pit.meters()[link]["amounts"]["meter"]
    pit.until("t5", "dealing").key_in("t5", {"seat 1": "As Ks Qs", "dealer": "2h 7d 9c"})
    pit.until("t5", "shuffling", "deck count", "wagering")
    paid = jackpots.look()[link]
    assert (paid.table, paid.round, paid.whole) == ("t5", 1, True)
    assert paid.amount >= before
    known = pit.pit.meters()[link]
    card = meters.meter_card(link, known, paid)
    assert (card.tables, card.jackpot) == (("t5",), paid)
    assert dict(card.amounts) == known["amounts"]
    with pit.store.reading() as reading:
        assert jackpots.after == reading.head.seq


def test_open_meters_come_first_then_the_largest() -> None:
    known = {
        "a": {"tables": [], "amounts": {"meter": 900}},
        "b": {"tables": ["t"], "amounts": {"meter": 100}},
        "c": {"tables": ["t"], "amounts": {"mega": 500, "minor": 1}},
    }
    assert meters.board_order(known) == ["c", "b", "a"]


def test_a_change_as_typed() -> None:
    change = meters.read_change({"meter": " $1,250.50 ", "reserve": " "}, "", {"meter": "7/50"}, {"meter": ""}, " why ")
    assert change == MeterAdjustment({"meter": 125_050}, "", {"meter": "7/50"}, {}, "why")
    with pytest.raises(UnreadableError, match="not an amount"):
        meters.read_change({"meter": "much"}, "", {}, {}, "why")
    with pytest.raises(UnreadableError, match="whole number of cents"):
        meters.read_change({"meter": "1.005"}, "", {}, {}, "why")


# Over HTTP


@pytest.fixture
def served(sqlite_url: str) -> Iterator[Served]:
    with running(sqlite_url, pages=True) as opened:
        yield opened


def fetched(house: Served, who: str, path: str) -> httpx.Response:
    return house.http().get(path, headers={"Cookie": f"{COOKIE}={house[who].token}"})


def every_step(house: Served, who: str) -> str:
    """Everything that the addresses of a round's steps say to a person."""
    page = fetched(house, who, "/audit/t1/1")
    steps = sorted({int(step) for step in re.findall(r'data-step="(\d+)"', page.text)})
    parts = [fetched(house, who, f"/audit/t1/1?step={step}&part=1") for step in steps]
    assert {each.status_code for each in (page, *parts)} == {200}
    return "\n".join(each.text for each in (page, *parts))


def shows(text: str, card: str) -> bool:
    """Whether a page names or draws a card; "As" and "Ad" may be words."""
    plain = card not in ("As", "Ad") and re.search(rf"\b{card}\b", text) is not None
    return plain or card_name(card) in text or f'"#{card_id(card)}"' in text


def test_no_step_of_a_round_in_play_shows_a_card_that_lies_face_down(served: Served) -> None:
    play = served.open("t1", "three-card-poker", 1, 2).until("wagering")
    play.wager()
    play.until("deciding")
    dealt = served.pit.table("t1").playing.dealt
    cards = [(each.to, show_card(each.card)) for each in dealt if not each.face_up and each.card is not None]
    assert len(cards) > 6
    for who, own in (("p1", "seat 1"), ("p2", "seat 2"), ("auditor-1", ""), ("dealer-1", "")):
        text = every_step(served, who)
        assert {to for to, card in cards if shows(text, card)} == ({own} if own else set()), who
    assert fetched(served, "p3", "/audit/t1/1").status_code == 404


def test_players_replay_a_round_without_the_stakes_and_chips_of_others(served: Served) -> None:
    served.open("t1", "three-card-poker", 1, 2)
    play_inside(served.pit, "t1", 1, 1, 2)
    own, staff = every_step(served, "p1"), every_step(served, "auditor-1")
    assert re.search(r"\bp2\b", staff)
    assert not re.search(r"\bp2\b", own)
    assert "As promised." in own
    refused = fetched(served, "p3", "/audit/t1/1")
    assert (refused.status_code, NOT_YOURS in refused.text) == (404, True)
    old = fetched(served, "p1", "/audit?table=t1&round=1&step=3")
    assert (old.status_code, old.headers["location"]) == (303, "/audit/t1/1?step=3")


def test_a_search_is_an_address_and_says_what_it_cannot_read(served: Served) -> None:
    evil = '"><script>alert(1)</script>'
    tidied = fetched(served, "auditor-1", "/audit?table=&game=lunar-poker&day=&player=")
    assert (tidied.status_code, tidied.headers["location"]) == (303, "/audit?game=lunar-poker")
    wrong = fetched(served, "auditor-1", "/audit?" + urlencode({"day": evil, "game": evil, "seat": "x", "since": evil}))
    assert wrong.status_code == 422
    assert wrong.text.count('class="alert bad') == 4
    assert "<script>alert" not in wrong.text
    assert fetched(served, "auditor-1", "/audit.csv?kind=nothing").status_code == 400
    for path, day in product(("/audit", "/audit.csv", "/slips", "/slips.csv"), (date.min, date.max)):
        assert fetched(served, "auditor-1", f"{path}?day={day}").status_code == 200


def test_a_review_is_started_by_those_who_may_and_shown_to_them(served: Served) -> None:
    served.open("t1", "three-card-poker", 1)
    play_inside(served.pit, "t1", 1, 1)

    def verify(who: str) -> httpx.Response:
        person = served[who]
        session = served.people.session_of(person.token, active=False)
        assert session is not None
        form = {"do": "verify", "csrf": session.csrf}
        headers = {"Cookie": f"{COOKIE}={person.token}", "Sec-Fetch-Site": "same-origin"}
        return served.http().post("/audit", data=form, headers=headers)

    assert verify("dealer-1").status_code == 422
    assert "Verification" not in fetched(served, "dealer-1", "/audit").text
    assert verify("auditor-1").status_code == 303
    for _ in range(100):
        text = fetched(served, "admin-1", "/audit").text
        if "Nothing is wrong." in text:
            break
        time.sleep(0.1)
    assert "Nothing is wrong." in text
    assert "Started by " in text
