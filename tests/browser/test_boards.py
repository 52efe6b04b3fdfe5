"""Games with a board, live: who raises when, what the street before the decision shows, and nobody sees a card early.

Cards are keyed in, so that each round is one of those worked out by hand in the cases of its game.
"""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Open
from tests.browser.site import Site, Window
from tests.browser.test_live import Pit, at_the_pit, told_of
from tests.browser.test_practice import chips
from tests.table.driver import Hands

LISTEN = "path => { window.told = []; new EventSource(path).onmessage = (news) => window.told.push(news.data); }"


@dataclass(frozen=True)
class Round:
    """What players wager and hold, the buttons they press in turn, and what each line of the settlement moves."""

    game: str
    wagers: Mapping[int, Mapping[str, int]]
    hands: Hands
    streets: Sequence[tuple[int, Mapping[int, str]]]
    """Of each round of decisions: how many cards of the board lie face up, and what each seat presses."""
    moves: Mapping[tuple[int, str], int]

    def cards(self, place: int | str) -> list[str]:
        return self.hands[place].split()

    @property
    def every_card(self) -> list[str]:
        return [card for place in self.hands for card in self.cards(place)]


def dollars(amount: int, *wagers: str) -> dict[str, int]:
    return dict.fromkeys(wagers, 100 * amount)


STRAIGHT_BOARD = "Ac Kd Qh Js Tc"

ULTIMATE_BAD_BEATS = Round(
    "ultimate-texas-hold-em",
    {
        1: dollars(10, "ante", "blind", "trips", "bad_beat"),
        2: dollars(10, "ante", "blind", "trips", "bad_beat"),
        3: dollars(10, "ante", "blind"),
    },
    {1: "Ah 3h", 2: "9c 9d", 3: "Qs 5d", "dealer": "Jd Ts", "community": "9h 8h 7h 2s Kc"},
    [
        (0, {1: "Play $40", 2: "Check", 3: "Check"}),
        (3, {2: "Play $20", 3: "Check"}),
        (5, {3: "Fold"}),
    ],
    {
        # The dealer's straight loses to a flush, and beats three nines: both are bad beats.
        (3, "ante"): -1000, (3, "blind"): -1000,
        (2, "ante"): -1000, (2, "blind"): -1000, (2, "play"): -2000, (2, "trips"): 3000, (2, "bad_beat"): 9000,
        (1, "ante"): 1000, (1, "blind"): 1500, (1, "play"): 4000, (1, "trips"): 7000, (1, "bad_beat"): 20_000,
    },
)  # fmt: skip
ULTIMATE_TIE = Round(
    "ultimate-texas-hold-em",
    {1: dollars(10, "ante", "blind", "trips", "bad_beat"), 2: dollars(10, "ante", "blind")},
    {1: "2d 3h", 2: "Ah 6s", "dealer": "4c 5d", "community": STRAIGHT_BOARD},
    [(0, {1: "Check", 2: "Play $30"}), (3, {1: "Check"}), (5, {1: "Play $10"})],
    {
        (2, "ante"): 0, (2, "blind"): 0, (2, "play"): 0,
        (1, "ante"): 0, (1, "blind"): 0, (1, "play"): 0, (1, "trips"): 4000, (1, "bad_beat"): -1000,
    },
)  # fmt: skip
BONUS_TIE = Round(
    "texas-hold-em-bonus",
    {1: dollars(10, "ante"), 2: dollars(10, "ante", "bonus")},
    {1: "2h 3d", 2: "Ah Ad", "dealer": "4s 5c", "community": STRAIGHT_BOARD},
    [
        (0, {1: "Bet $20", 2: "Bet $20"}),
        (3, {1: "Bet $10", 2: "Check"}),
        (4, {1: "Check", 2: "Bet $10"}),
    ],
    {
        (2, "ante"): 0, (2, "flop"): 0, (2, "river"): 0, (2, "bonus"): 30_000,
        (1, "ante"): 0, (1, "flop"): 0, (1, "turn"): 0,
    },
)  # fmt: skip
HEADS_UP_BAD_BEATS = Round(
    "heads-up-hold-em",
    {seat: dollars(10, "ante", "odds") for seat in (1, 2, 3)},
    {1: "Js Th", 2: "Jc 3c", 3: "8h 3d", "dealer": "Ac 4c", "community": "Kc 9c 8c 7s 2d"},
    [
        (0, {1: "Check", 2: "Raise $30", 3: "Check"}),
        (3, {1: "Check", 3: "Check"}),
        (5, {1: "Raise $10", 3: "Fold"}),
    ],
    {
        # A straight and a flush that lose to a higher flush.
        (3, "ante"): -1000, (3, "odds"): -1000,
        (2, "ante"): -1000, (2, "raise"): -3000, (2, "odds"): 8000,
        (1, "ante"): -1000, (1, "raise"): -1000, (1, "odds"): 5000,
    },
)  # fmt: skip
HEADS_UP_TIE = Round(
    "heads-up-hold-em",
    {1: dollars(10, "ante", "odds"), 2: dollars(10, "ante", "odds")},
    {1: "2h 3d", 2: "7h 6s", "dealer": "4s 5c", "community": STRAIGHT_BOARD},
    [(0, {1: "Raise $30", 2: "Check"}), (3, {2: "Raise $20"})],
    {(seat, wager): 0 for seat in (2, 1) for wager in ("ante", "raise", "odds")},
)
ULTIMATE_JACKPOT = Round(
    "ultimate-texas-hold-em",
    {seat: {**dollars(10, "ante", "blind"), "progressive": 100} for seat in (1, 2)},
    {1: "9d 8c", 2: "Jh Th", "dealer": "Ac Ad", "community": "Ah Kh Qh 2s 2c"},
    [(0, {1: "Check", 2: "Check"}), (3, {1: "Check", 2: "Play $20"}), (5, {1: "Fold"})],
    {
        # The whole meter: two dollars were wagered, of which 42 cents went on top of the seed.
        (1, "ante"): -1000, (1, "blind"): -1000, (1, "progressive"): -100, (1, "envy"): 100_000,
        (2, "ante"): 1000, (2, "blind"): 500_000, (2, "play"): 2000, (2, "progressive"): 1_000_042 - 100,
    },
)  # fmt: skip
BONUS_JACKPOT = Round(
    "texas-hold-em-bonus",
    {seat: {**dollars(10, "ante"), "progressive": 100} for seat in (1, 2)},
    {1: "7d 2d", 2: "Jh Th", "dealer": "4s 4d", "community": "9h 8h 7h Ks 2c"},
    [(0, {1: "Fold", 2: "Bet $20"}), (3, {2: "Bet $10"}), (4, {2: "Bet $10"})],
    {
        # A straight flush takes a tenth of the meter, and who folded is paid for it all the same.
        (1, "ante"): -1000, (1, "progressive"): -100, (1, "envy"): 30_000,
        (2, "ante"): 1000, (2, "flop"): 2000, (2, "turn"): 1000, (2, "river"): 1000,
        (2, "progressive"): 100_004 - 100,
    },
)  # fmt: skip


def told_to(pit: Pit, seat: int, cards: Collection[str]) -> dict[str, set[str]]:
    """Of these cards, those that a player has been told of, wherever he can listen or ask by now."""
    player, table = pit.players[seat], f"/api/tables/{pit.name}"

    def got(path: str) -> str:
        return player.page.context.request.get(player.address + path).text()

    events = got(f"{table}/events")
    latest = json.loads(events)["events"][-1]["seq"]
    player.page.wait_for_function("latest => window.told.some(each => JSON.parse(each).seq >= latest)", arg=latest)
    texts = {
        "window": player.heard(),
        "page source": got(f"/table/{pit.name}"),
        "table": got(table),
        "events": events,
        "round": got(f"{table}/rounds/1"),
        "stream": "\n".join(player.page.evaluate("() => window.told")),
    }
    return {where: {card for card in cards if told_of(card, text)} for where, text in texts.items()}


def listening(player: Window, table: str) -> None:
    """The player's browser also follows the stream of the interface, from the table's first event on."""
    player.page.evaluate(LISTEN, f"/api/tables/{table}/stream?after=0")


def played(window: Open, site: Site, made: Round) -> Pit:
    """A round by clicking, to the end of its settlement; at every street each player knows what he may, no more."""
    pit = at_the_pit(window, site, made.game, made.wagers, made.hands)
    before = {seat: chips(player) + sum(made.wagers[seat].values()) for seat, player in pit.players.items()}
    for player in pit.players.values():
        listening(player, pit.name)
    for turned_up, choices in made.streets:
        for seat, label in choices.items():
            pit.go_on(players=True)
            for each, player in pit.players.items():
                player.await_events(pit.dealer.events - 1)
                board = set(made.cards("community")[:turned_up])
                known = board.union(made.cards(each))
                for where, told in told_to(pit, each, made.every_card).items():
                    # The record of a round tells a player's own cards when the round is over.
                    assert told == (board if where == "round" else known), f"seat {each} before {label}: {where}"
            pit.players[seat].press(pit.players[seat].button(label))
            pit.dealer.await_events(pit.players[seat].events - 1)
    assert pit.finish() == made.moves
    for seat, player in pit.players.items():
        assert chips(player) == before[seat] + sum(net for (who, _), net in made.moves.items() if who == seat)
        for where, told in told_to(pit, seat, made.every_card).items():
            assert told >= {*made.cards("community"), *made.cards("dealer")}, f"seat {seat} at the end: {where}"
    return pit


@pytest.mark.parametrize(
    "made",
    [
        pytest.param(ULTIMATE_BAD_BEATS, id="ultimate-raise-fold-and-bad-beats-either-way"),
        pytest.param(ULTIMATE_TIE, id="ultimate-tie-on-the-board"),
        pytest.param(BONUS_TIE, id="bonus-tie-on-the-board"),
        pytest.param(HEADS_UP_BAD_BEATS, id="heads-up-raise-fold-and-bad-beats"),
        pytest.param(HEADS_UP_TIE, id="heads-up-tie-on-the-board"),
    ],
)
def test_a_board_is_turned_up_street_by_street(window: Open, site: Site, made: Round) -> None:
    played(window, site, made)


@pytest.mark.parametrize(
    "made", [pytest.param(ULTIMATE_JACKPOT, id="ultimate-royal"), pytest.param(BONUS_JACKPOT, id="bonus-straight")]
)
def test_a_jackpot_on_the_flop_with_envy_and_papers(window: Open, site: Site, made: Round) -> None:
    pit = played(window, site, made)
    kinds = [event["kind"] for event in site.ask("auditor-1", f"/api/tables/{pit.name}/events")["events"]]
    assert kinds.index("payout.validated") < kinds.index("meter.paid")
    expect(pit.floor.page.get_by_text("Complete the jackpot documents")).to_be_visible()
    expect(pit.dealer.following).to_have_count(0)
    pit.floor.press(pit.floor.following)
    expect(pit.dealer.following).to_be_visible()
