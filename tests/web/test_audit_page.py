"""The logic of the audit, meters and law pages: who finds what, what a step shows, and what must stay hidden."""

import re
from collections.abc import Iterator
from html import unescape
from typing import Any

import pytest

from pitboss.cards import show_card
from pitboss.findings import UnreadableError
from pitboss.law.cite import Cite
from pitboss.law.coverage import coverage, covered, not_counted
from pitboss.law.index import paragraphs
from pitboss.law.loader import CHAPTERS, chapter
from pitboss.ledger.meters import MeterAdjustment
from pitboss.ledger.people import Person
from pitboss.ledger.recall import NOT_YOURS, NoRoundError, recall
from pitboss.ledger.search import RoundsFound, Wanted, find, moment, seq_at
from pitboss.ledger.store import Store
from pitboss.money import show_dollars
from pitboss.reports.offer import row_title
from pitboss.table.discretion import HIDDEN
from pitboss.table.fold import apply
from pitboss.table.roles import Role
from pitboss.table.state import Table
from pitboss.table.view import view
from pitboss.web.pages import law, law_html, meters
from pitboss.web.pages.audit import Loaded, load
from pitboss.web.pages.audit_html import form_html, results_html, steps_html, tables_html
from pitboss.web.pages.steps import film, turned_up
from tests.ledger.house import START, House
from tests.table.driver import GAME_NAMES

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
            after[event.seq] = now = apply(now, event.kind, event.data)
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
        texts = [frame.sentence for frame in found.frames] + [steps_html(found)]
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
            loaded = load(pit.store, "t1", number, who)
            assert isinstance(loaded, Loaded) == (number in numbers), who
            assert isinstance(loaded, Loaded) or loaded == NOT_YOURS
    first = load(pit.store, "t1", 1, AUDITOR)
    last = load(pit.store, "t1", 2, AUDITOR)
    assert isinstance(first, Loaded)
    assert isinstance(last, Loaded)
    assert (first.is_last, last.is_last) == (False, True)


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
    assert moment("2024-06-01T14:00") == START
    assert moment("2024-06-01T14:00+02:00") == START - 7_200_000_000


def test_a_player_sees_no_chips_of_others(pit: House) -> None:
    pit.opened("t1", "three-card-poker", seats=(1,), chips=777_700)
    pit.dealer("t1", "sit", seat=2, player="p2")
    pit.buy_in("t1", "p2", 333_300)
    pit.round("t1")
    loaded = load(pit.store, "t1", 1, P1)
    assert isinstance(loaded, Loaded)
    own = tables_html(loaded.recall)
    mine, theirs = (re.findall(rf"\${start}[\d,.]+", own) for start in ("7,7", "3,3"))
    assert mine
    assert not theirs
    assert re.search(r"\$3,3", tables_html(recall(pit.store, "t1", 1, AUDITOR)))
    assert "As promised." in own


def test_a_player_steps_through_a_round_without_the_stakes_of_others(pit: House) -> None:
    pit.opened("t1", "three-card-poker", seats=(1, 2)).round("t1")
    pages = {}
    for who in (P1, AUDITOR):
        loaded = load(pit.store, "t1", 1, who)
        assert isinstance(loaded, Loaded)
        told = loaded.film
        steps = [str({**told.shown(step), "meters": {}}) for step in range(len(told.frames))]
        pages[who.id] = f"{steps_html(told)} {tables_html(loaded.recall)} {steps} {told.shown(told.fullest)['round']}"
        shown = told.shown(told.fullest)["round"]
        assert {"1", "2"} & set(shown["wagers"]) == ({"1"} if who is P1 else {"1", "2"})
        assert {line["seat"] for line in shown["lines"]} == ({1} if who is P1 else {1, 2})
        assert {"seat 1", "seat 2", "dealer"} <= set(shown["hands"])
    assert re.search(r"\bp2\b", pages[AUDITOR.id])
    assert not re.search(r"\bp2\b", pages[P1.id])


def test_what_people_write_is_escaped() -> None:
    evil = '"><script>alert(1)</script>'
    form = form_html([evil], Wanted(evil, 1, evil, 2), evil, evil, player=False)
    assert "<script" not in form
    assert "<script" not in law.law_html(query=evil) + law.law_html(cite=evil) + law.law_html(chapter_name=evil)
    assert "No round fits" in results_html(RoundsFound(()))


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
    text = meters.meter_html(link, known, paid)
    assert show_dollars(paid.amount) in text
    assert '<a href="/table/t5">t5</a>' in text
    assert meters.amounts_of({link: known}) == {f"amount-{link}-meter": known["amounts"]["meter"]}
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


# Law


def test_every_paragraph_can_be_shown() -> None:
    for cite, paragraph in paragraphs().items():
        text = unescape(law.paragraph_html(cite, chosen=True))
        known = covered(cite)
        assert paragraph.does in text
        assert f"law-{known.status}" in text
        for item in (*known.places, *known.tests, *(note.text for note in law.own_notes(cite))):
            assert item in text, cite


def test_every_section_is_in_the_contents_and_shows_its_paragraphs() -> None:
    shown = 0
    for name in CHAPTERS:
        for section in chapter(name).sections:
            text = law.law_html(cite=str(section.cite))
            assert f'href="/law?cite={section.cite}" aria-current' in text
            for cite in law.within(section.cite):
                assert f'id="{cite}"' in text
                shown += 1
    assert shown == len(paragraphs()) + len(not_counted())


@pytest.mark.parametrize("name", CHAPTERS)
def test_pay_tables_stand_at_their_paragraph_as_printed(name: str) -> None:
    for table in chapter(name).paytables:
        text = unescape(law_html.paragraph_data(table.cite))
        for row, odds in table.rows.items():
            hand, pays = re.escape(row_title(row, table)), re.escape(str(odds))
            pattern = rf"<td>{hand}</td>(<td[^>]*>[^<]*</td>)*?<td class=num>{pays}</td>"
            assert re.search(pattern, text), (table.key, row)
    for entry in chapter(name).figures:
        assert f"{entry.value:,}" in law_html.paragraph_data(entry.cite)
    for spec in chapter(name).meters:
        assert all(show_dollars(seed) in law_html.paragraph_data(spec.cite) for seed in spec.seed.values())


def test_search_needs_every_word() -> None:
    found = law.find("envy bonus")
    assert found
    assert set(found) <= set(law.find("envy")) & set(law.find("bonus"))
    assert Cite.parse("649a.12(e)(5)") in law.find("ENVY")
    assert law.find("") == law.find("no such words anywhere") == ()
    assert f"{len(law.find('envy'))} paragraphs" in law.law_html(query="envy")


def test_an_address_leads_to_its_paragraph_or_the_nearest() -> None:
    assert law.nearest("§ 649a.11(c)(3)") == Cite.parse("649a.11(c)(3)")
    assert law.nearest("649a.2(a)(9)(z)") == Cite.parse("649a.2(a)")
    assert law.nearest("999a.1") is None
    assert 'class="law-p rule chosen" id="649a.2(a)"' in law.law_html(cite="649a.2(a)(9)")
    assert "The nearest paragraph is 649a.2(a)." in law.law_html(cite="649a.2(a)(9)")
    assert 'id="649a.2(a)"' in law.law_html(query="649a.2(a)")
    assert "There is no paragraph" in law.law_html(cite="1234")


def test_coverage_figures() -> None:
    text, counts = law.law_html(), coverage()
    for row in (*counts.values(), {name: sum(each[name] for each in counts.values()) for name in counts["649a"]}):
        cells = "".join(f"<td class=num>{value}</td>" for value in row.values())
        assert cells in text
