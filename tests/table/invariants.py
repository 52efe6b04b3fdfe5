"""What must be true of a table and its money after every command, worked out anew from the events alone."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from pitboss.cards import show_card
from pitboss.games.course import HANDS, TurnUp
from pitboss.games.lunar_poker import LOCKED_IN
from pitboss.games.settlement import LineResult
from pitboss.meters import UNITS_PER_CENT, Meter
from pitboss.table.canonical import canonical
from pitboss.table.codec import decode, encode
from pitboss.table.events import Entry
from pitboss.table.fold import apply
from pitboss.table.happened import HIDDEN, Eyes, read_fact, stored
from pitboss.table.happened import Happened as Fact
from pitboss.table.ruling import game_at, hand_at, rules_at
from pitboss.table.state import LiveRound, Table
from pitboss.table.view import own_seats, view

CARD = re.compile(r"(?<![0-9A-Za-z])[2-9TJQKA][cdhs](?![0-9A-Za-z])")


class Happened(Protocol):
    """An event, recorded or not."""

    @property
    def kind(self) -> str: ...
    @property
    def fact(self) -> Fact: ...
    @property
    def data(self) -> Mapping[str, Any]: ...
    @property
    def entries(self) -> tuple[Entry, ...]: ...


PLURAL = re.compile(r"[2-9]s")
"""A pair of 9s: the name of a hand, which is written like the nine of spades."""


def cards_in(shown: Any) -> set[str]:
    """Every card that a JSON value spells out, in whatever field or sentence."""
    return set(CARD.findall(json.dumps(shown)))


def leaked(shown: Any, right: set[str]) -> set[str]:
    """Cards that are shown without right; the name of a hand may only speak of ranks that are seen."""
    if cards_in(shown) <= right:
        return set()
    ranks = {card[0] for card in right}
    return (_but_sentences(shown) | _in_sentences(shown, ranks)) - right


def _sentences(shown: Any) -> Iterator[str]:
    if isinstance(shown, Mapping):
        for key, value in shown.items():
            if key == "why":
                yield value
            else:
                yield from _sentences(value)
    elif isinstance(shown, list):
        for value in shown:
            yield from _sentences(value)


def _but_sentences(shown: Any) -> set[str]:
    """Strictly: every field that is not a sentence."""
    text = json.dumps(shown)
    for why in _sentences(shown):
        text = text.replace(json.dumps(why), "")
    return set(CARD.findall(text))


def _in_sentences(shown: Any, ranks: set[str]) -> set[str]:
    found = {card for why in _sentences(shown) for card in cards_in(why)}
    return {card for card in found if not (PLURAL.fullmatch(card) and card[0] in ranks)}


def on_layout(table: Table) -> int:
    """The chips that the state says lie on the betting areas or in the pot, in cents."""
    lying = sum(sum(made.values()) for made in table.staged.values())
    if table.play is None:
        return lying
    rules, game, play = rules_at(table), game_at(table), table.play
    for seat in play.as_round().seats:
        gone = {line.settles for line in play.lines if line.seat == seat.number}
        wagers = game.stakes(rules, seat)
        lying += sum(stake for name, stake in wagers.items() if name not in gone and name not in play.collected)
    if (hand := hand_at(table)) is not None:  # winnings come out of others' stakes, and so does the rake
        lying -= sum(line.net + hand.rake_with(line.seat) for line in play.lines)
    return lying


def may_see(table: Table, person: str) -> set[str]:
    """The cards that somebody has a right to see: face up, their own, turned up so far, and all that is shared then."""
    play = table.play
    assert play is not None
    steps = [step for step in game_at(table).course.flat if isinstance(step, TurnUp)]
    turned: dict[str, int] = {}
    for step in steps[: play.turned]:
        turned[step.place] = turned.get(step.place, 0) + (step.cards or len(play.hand(step.place)))
    for dealt in play.dealt if play.turned == len(steps) else ():
        if not dealt.to.startswith("seat ") and dealt.to != "discard":
            turned[dealt.to] = len(play.hand(dealt.to))
    seats = {seat for seat, player in play.players.items() if player == person}
    for line in play.lines:
        if line.stage == HANDS or (line.stage == LOCKED_IN and line.result == LineResult.WIN):
            seats.add(line.turn)
    if (hand := hand_at(table)) is not None and play.turned:
        seats.update(hand.shown)
    seen = {show_card(card) for card in play.unused}
    if play.magic_card is not None:
        seen.add(show_card(play.magic_card))
    for dealt in play.dealt:
        if dealt.card is None:
            continue
        known = table.physical or dealt.to.removeprefix("seat ") in map(str, seats)
        if dealt.face_up or known or dealt.card in play.hand(dealt.to)[: turned.get(dealt.to, 0)]:
            seen.add(show_card(dealt.card))
    for hand_shown in play.last.values():  # only at a table with real cards, where what is known was turned up
        seen.update(map(show_card, hand_shown))
    for seat in seats:
        for made in play.decisions.get(seat, {}).values():
            seen.update(map(show_card, made.drawn))
    for last in play.last.values():  # turned up to be settled, after a draw that nobody saw
        seen.update(map(show_card, last))
    return seen


@dataclass
class Books:
    """One table followed from outside: replayed from JSON, its meters and its players' worth counted again."""

    replayed: Table
    feeds: dict[str, int] = field(default_factory=dict)
    """What each meter of the house should hold, in units; several tables may share this."""
    live: list[Happened] = field(default_factory=list)
    """Events of the round being played."""
    worth: dict[str, int] = field(default_factory=dict)
    """Each player's chips and stakes when the bets were closed, with what was bought and cashed since."""
    lines: list[Mapping[str, Any]] = field(default_factory=list)
    moved: dict[str, int] = field(default_factory=dict)
    """What the events of this table have moved on each account, in units."""
    owing: dict[str, int] = field(default_factory=dict)
    """What players kept of a void round because they had no more; the house must claim it at once."""
    checked: int = 0

    def follow(self, before: Table, after: Table, events: Sequence[Happened], balances: Mapping[str, int]) -> None:
        """Everything that must hold after a command; ``balances`` are in units."""
        assert events, "an accepted command without an event"
        for event in events:
            assert sum(entry.units for entry in event.entries) == 0, event
            self._money(before, event)
            if before.physical and event.kind == "cards.dealt":
                assert all(up or card == HIDDEN for card, _, up in event.data["cards"]), "nobody knows a face-down card"
            before = apply(before, event.fact)
            self.replayed = apply(self.replayed, read_fact(event.kind, canonical(event.data)))
        assert not self.owing, "a void round left winnings with a player, and nobody claims them"
        assert self.replayed == after
        assert decode(Table, json.loads(canonical(encode(after)))) == after
        self.stands(after, balances)
        self._secrets(after, events)

    def stands(self, table: Table, balances: Mapping[str, int]) -> None:
        lying = sum(balances.get(f"{place}:{table.id}", 0) for place in ("layout", "pot"))
        assert lying == on_layout(table) * UNITS_PER_CENT, table.phase
        assert balances.get(f"jackpots:{table.id}", 0) == 0
        for account, units in balances.items():
            assert units >= 0 or account in ("house", "cage", "cash"), (account, units)

    # Money

    def seeded(self, name: str, meter: Meter) -> None:
        """A meter that has just been opened."""
        self.feeds.setdefault(name, sum(meter.amounts.values()) + meter.reserve)

    def _money(self, table: Table, event: Happened) -> None:
        """The table as it was before this event."""
        data = event.data
        if event.kind == "bets.closed":
            self._closed(table)
        for entry in event.entries:
            self.moved[entry.account] = self.moved.get(entry.account, 0) + entry.units
        match event.kind:
            case "player.bought-in" | "player.cashed-out" | "player.repaid" if data["player"] in self.worth:
                self.worth[data["player"]] += data["amount"] * (1 if event.kind == "player.bought-in" else -1)
            case "line.settled":
                self.lines.append(data)
            case "meter.paid":
                reseed = -sum(entry.units for entry in event.entries if entry.account == "house")
                self.feeds[data["meter"]] += reseed - data["amount"] * UNITS_PER_CENT
            case "round.completed" | "round.voided":
                self._over(table, event)
            case "player.owes":
                assert self.owing.pop(data["player"]) == data["amount"] * UNITS_PER_CENT

    def _closed(self, table: Table) -> None:
        self.lines, self.worth = [], {}
        for seat, made in table.staged.items():
            player = table.boxes[seat]
            chips = self.moved.get(f"player:{player}", 0) // UNITS_PER_CENT
            self.worth[player] = self.worth.get(player, chips) + sum(made.values())
        rules = rules_at(table)
        for made in table.staged.values():
            for name, stake in made.items():
                wager = rules.wager_named(name)
                if wager is not None and wager.meter:
                    spec = rules.meters[wager.meter]
                    part = stake * UNITS_PER_CENT * (sum(spec.rate.values()) + spec.reserve)
                    assert part.denominator == 1
                    self.feeds[table.meters[wager.meter]] += int(part)

    def _over(self, table: Table, event: Happened) -> None:
        """Each player has what there was before, and what the lines say was won or lost; of a void round, those lines
        only whose wagers were not returned."""
        play = table.play
        assert play is not None
        if event.kind == "round.completed":
            self._each_stake_once(table, play)
        for line in self.lines:
            returned = event.data.get("returned", {}).get(str(line["seat"]), {})
            stands = event.kind == "round.completed" or (line.get("settles") and line["settles"] not in returned)
            if stands:
                self.worth[play.players[line["seat"]]] += line["net"]
        for player, worth in self.worth.items():
            beyond = self.moved.get(f"player:{player}", 0) - worth * UNITS_PER_CENT
            if beyond > 0 and event.kind == "round.voided":
                self.owing[player] = beyond
            else:
                assert not beyond, (event.kind, player, beyond / UNITS_PER_CENT, worth)
        self.worth, self.lines = {}, []

    def _each_stake_once(self, table: Table, play: LiveRound) -> None:
        """Every stake of a finished round left with exactly one line."""
        game, rules = game_at(table), rules_at(table)
        made = [(seat.number, wager) for seat in play.as_round().seats for wager in game.stakes(rules, seat)]
        settled = [(line["seat"], line["settles"]) for line in self.lines if line.get("settles")]
        assert sorted(settled) == sorted(made), (settled, made)

    def meters(self, balances: Mapping[str, int]) -> None:
        """Every meter is its seed, and what was added, less what it paid."""
        for meter, expected in self.feeds.items():
            held = sum(units for account, units in balances.items() if account.startswith(f"meter:{meter}:"))
            assert held == expected, (meter, held, expected)

    # Secrets

    def _secrets(self, table: Table, events: Sequence[Happened]) -> None:
        play = table.play
        people = {*table.boxes.values(), *(play.players.values() if play is not None else ()), "p9"}
        self.live = [*self.live, *events] if play is not None else []
        for person in sorted(people):
            shown = view(table, person)
            if play is None:
                assert not cards_in(shown), "cards are shown between rounds"
                continue
            right = may_see(table, person)
            assert not leaked(shown, right), (person, leaked(shown, right))
            self._own(table, play, shown, person)
            mine = own_seats(table, person)
            for event in self._new(events):
                told = stored(event.fact.covered(Eyes(person, mine)))
                assert not leaked(told, right), (person, event.kind, leaked(told, right), told)
                self.checked += 1

    def _new(self, events: Sequence[Happened]) -> Iterable[Happened]:
        """What is shown of an event depends on the event and the seats of the round alone, and rights only grow: each
        event is looked at when it happens, and now and then all of them are."""
        return self.live if self.checked % 5 == 0 else events

    @staticmethod
    def _own(table: Table, play: LiveRound, shown: Mapping[str, Any], person: str) -> None:
        """Everybody sees their own cards, except where nobody but they know them, and a hidden card still counts."""
        for place, cards in shown["round"]["hands"].items():
            number = place.removeprefix("seat ")
            drew = number.isdigit() and int(number) in play.drew
            assert len(cards) == (play.held(int(number)) if drew else len(play.places[place]))
            if number.isdigit() and play.players.get(int(number)) == person and not table.physical:
                assert HIDDEN not in cards
