"""Rounds that show how each wager wins, loses and ties: dealt from seeds, settled by the rules of a table."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any, Final

from pitboss.cards import card_of, rank_of, shuffled, suit_of
from pitboss.games.registry import GAMES
from pitboss.games.round import Round
from pitboss.games.rules import Rules
from pitboss.games.settle import settle
from pitboss.games.settlement import LineResult, Settlement
from pitboss.games.walk import RoundState, chance, play_plainly, rolls, start
from pitboss.money import Cents
from pitboss.names import shown
from pitboss.paper.model import Block, Column, Listing, Remark, Row
from pitboss.reports.settlement import played_listing, settled_listing
from pitboss.school.rounds import Wish, begin, decide, paying, renamed

SEEDS: Final = 400
"""Shuffled decks that are tried."""
ROLLS: Final = 3_000
"""Throws or spins that are tried for a wager that seldom wins."""
WISHES: Final = 12
"""Decks in which a seat is given a hand that a missing wager needs, for each such hand."""
CONTEST_SEATS: Final = 4
"""Seats of an example where players bet against each other."""
WANTED: Final[Mapping[LineResult, str]] = {LineResult.WIN: "wins", LineResult.LOSE: "loses", LineResult.PUSH: "ties"}
Shown = tuple[str, LineResult]
"""A wager, and what came of it."""
INDEX: Final = (
    Column("wager", "Wager"),
    Column("wins", "Wins"),
    Column("loses", "Loses"),
    Column("ties", "Ties"),
)
EXPLAINED: Final = (
    "Every seat plays simply, which isn't always best play. A seed is the number that the cards, dice or spin follow "
    "from. Where it says so, a rare hand was given or a choice made boldly. Meters stand at their seeds."
)


@dataclass(frozen=True)
class ExampleRound:
    """A round that was dealt and settled, and how it can be dealt again."""

    rules: Rules
    seed: int
    given: str
    """Who was given which cards or played otherwise; empty where the deck was only shuffled."""
    played: Round
    settlement: Settlement

    @property
    def title(self) -> str:
        return f"seed {self.seed}{f', {self.given}' if self.given else ''}"

    @property
    def shows(self) -> frozenset[Shown]:
        """The wagers that win, lose or tie in it."""
        found = ((self.rules.wager_named(line.wager), line.result) for line in self.settlement.lines)
        return frozenset((wager.name, result) for wager, result in found if wager is not None and result in WANTED)

    def as_dict(self) -> dict[str, Any]:
        return {"seed": self.seed, "given": self.given, "cards": repr(self.played), **self.settlement.as_dict()}


@dataclass(frozen=True)
class Examples:
    """Example rounds of a table, as few as show everything that was found."""

    rules: Rules
    rounds: tuple[ExampleRound, ...]
    possible: tuple[Shown, ...]
    """What can come of each wager by its rules, in the order of the chapter."""

    def number(self, shown: Shown) -> int | None:
        """The first round that shows it, from 1; ``None`` where none does."""
        return next((at for at, each in enumerate(self.rounds, 1) if shown in each.shows), None)

    @property
    def missing(self) -> tuple[Shown, ...]:
        """What is possible and was not found."""
        return tuple(each for each in self.possible if self.number(each) is None)

    def as_dict(self) -> dict[str, Any]:
        return {
            "rounds": [each.as_dict() for each in self.rounds],
            "shown": [
                {"wager": wager, "result": str(result), "round": self.number((wager, result))}
                for wager, result in self.possible
            ],
        }

    def blocks(self) -> Iterator[Block]:
        """An index by wager, then each round with its cards and lines."""
        yield Remark(EXPLAINED, tone="fine")
        wagers = dict.fromkeys(wager for wager, _ in self.possible)
        yield Listing("examples", INDEX, tuple(map(self._row, wagers)), title="Which example shows what")
        if self.missing:
            titles = (f"{self.rules.wagers[wager].title} {WANTED[result]}" for wager, result in self.missing)
            yield Remark(f"No example was found of: {', '.join(titles)}.", tone="warning")
        for number, each in enumerate(self.rounds, 1):
            title = f"Example {number}: {each.title}"
            yield replace(played_listing(each.played), key=f"table_{number}", title=title)
            yield replace(settled_listing(each.settlement), key=f"lines_{number}")

    def _row(self, wager: str) -> Row:
        return self.rules.wagers[wager].title, *(self._place((wager, result)) for result in WANTED)

    def _place(self, shown: Shown) -> str:
        if shown not in self.possible:
            return "can't"
        number = self.number(shown)
        return "not found" if number is None else f"example {number}"


def find_examples(rules: Rules) -> Examples:
    """Deal and settle rounds until every wager has won, lost and tied as far as it can, and keep as few as show it."""
    possible = tuple(_possible(rules))
    candidates: list[ExampleRound] = []
    missing = {*possible}
    for each in _dealt(rules):
        if new := missing & each.shows:
            candidates.append(each)
            missing -= new
        if not missing:
            break
    for wager, result in sorted(missing):
        for each in _SOUGHT[result](rules, wager):
            if (wager, result) in each.shows:
                candidates.append(each)
                break
    return Examples(rules, tuple(_fewest(rules, candidates)), possible)


def _possible(rules: Rules) -> Iterator[Shown]:
    """By the lines that settle each wager; where players bet against each other, the pot is won or lost."""
    game = GAMES[rules.game]
    if game.course.contest:
        yield from ((name, result) for name in rules.wagers for result in (LineResult.WIN, LineResult.LOSE))
        return
    posts = {post.line: post for step in game.course.settles for post in step.posts}
    found: dict[str, set[LineResult]] = {}
    for line in game.lines.rules:
        wager = rules.wager_named(posts[line].wager if line in posts else line)
        if wager is not None and not (line in posts and posts[line].bonus):
            pays = game.lines.tabulate(line, rules).values()
            found.setdefault(wager.name, set()).update(pay.result for pay in pays if pay is not None)
    for name, wager in rules.wagers.items():  # a wager on another hand is paid by the line and table of one's own
        alike = (each for each in found if rules.wagers[each].paytable == wager.paytable)
        results = found.get(name) or found.get(next(alike, ""), set())
        yield from ((name, result) for result in WANTED if result in results)


def _wagers(rules: Rules) -> dict[int, dict[str, Cents]]:
    """Every kind of wager once at each seat; two seats where a wager is on another seat."""
    return {seat: dict(next(iter(found.items())) for found in kinds.values()) for seat, kinds in _placed(rules).items()}


def _placed(rules: Rules) -> dict[int, dict[str, dict[str, Cents]]]:
    """All wagers that a seat can make before the cards, with their stakes, by seat and kind of wager."""
    from pitboss.simulate.plan import every_wager

    contest = GAMES[rules.game].course.contest
    seats = 2 if any(wager.on_another_seat for wager in rules.wagers.values()) else 1
    found: dict[int, dict[str, dict[str, Cents]]] = {}
    for seat, placed in every_wager(rules, min(rules.seats, CONTEST_SEATS if contest else seats)).items():
        kinds = found.setdefault(seat, {})
        for name, stake in placed.items():
            wager = rules.wager_named(name)
            assert wager is not None, "a name that the rules list"
            kinds.setdefault(wager.name, {})[name] = stake
    return found


def _dealt(rules: Rules) -> Iterator[ExampleRound]:
    wagers, cards = _wagers(rules), not rolls(GAMES[rules.game])
    for seed in range(1, SEEDS + 1):
        state = start(rules, wagers, chance(rules, Random(seed))) if cards else _rolled(rules, wagers, seed)
        yield from _settled(play_plainly(rules, state), seed)


def _rolled(rules: Rules, wagers: Mapping[int, Mapping[str, Cents]], seed: int) -> RoundState:
    """Dice or a wheel; of wagers that live on, the round that decides them, with the throws before it."""
    throws = chance(rules, Random(seed), whole=True)
    many, game = len(chance(rules, Random(seed))), GAMES[rules.game]
    states = [_thrown(start(rules, wagers, throws[at : at + many]), throws[:at]) for at in range(0, len(throws), many)]
    decided = (state for state in states if not any(game.living(rules, state.played, s) for s in state.played.seats))
    return next(decided, states[0])


def _thrown(state: RoundState, before: Sequence[Any]) -> RoundState:
    """The same round where wagers that live on were made so many throws earlier."""
    living = [post.wager for post in state.game.living_posts]
    seats = [replace(s, earlier={n: tuple(before) for n in s.wagers if n in living}) for s in state.played.seats]
    return replace(state, played=state.played.with_seats(seats)) if before else state


def _arranged(rules: Rules, wager: str) -> Iterator[ExampleRound]:
    """Rounds in which seat 1 is given each hand that pays a wager, which may be too rare to wait for.

    Where nothing is dealt, rounds with the wager on every number, of which only one that wins is kept.
    """
    if rolls(GAMES[rules.game]):
        for seed in range(1, ROLLS + 1):
            for each in _settled(_rolled(rules, {1: _placed(rules)[1][wager]}, seed), seed):
                winners = {line.wager for line in each.settlement.lines if line.result == LineResult.WIN}
                yield from [_only(each, {min(winners)})] if winners else ()
        return
    wagers = _wagers(rules)
    for paid in (each for each in paying(rules) if each.wager == wager):
        for label in paid.labels(rules):
            for seed in range(1, WISHES + 1):
                state = begin(rules, wagers, Random(seed), Wish(1, paid.fact, label))
                if state is not None:
                    yield from _settled(play_plainly(rules, state), seed, f"seat 1 given {shown(label).lower()}")


def _equal(rules: Rules, _: str) -> Iterator[ExampleRound]:
    """Rounds in which the dealer is given the ranks of seat 1 in other suits."""
    wagers = _wagers(rules)
    for seed in range(1, SEEDS + 1):
        deck = tuple(shuffled(Random(seed)))
        played = start(rules, wagers, deck).played
        own, dealer = played.seats[0].cards, played.dealer
        wanted = tuple(card_of(rank_of(card), (suit_of(card) + 1) % 4) for card in own)
        if len(own) == len(dealer) and not {*own} & {*wanted}:
            state = start(rules, wagers, renamed(deck, dealer, wanted))
            yield from _settled(play_plainly(rules, state), seed, "dealer given the ranks of seat 1")


def _boldly(rules: Rules, _: str) -> Iterator[ExampleRound]:
    """Rounds in which nobody folds and some choices aren't plain, for a wager that plain play takes back in time."""
    wagers = _wagers(rules)
    for seed in range(1, SEEDS + 1):
        rng = Random(seed)
        state = start(rules, wagers, chance(rules, rng))
        yield from _settled(decide(state, rng, staying=True), seed, "some choices made boldly")


_SOUGHT: Final[Mapping[LineResult, Callable[[Rules, str], Iterator[ExampleRound]]]] = {
    LineResult.WIN: _arranged,
    LineResult.LOSE: _boldly,
    LineResult.PUSH: _equal,
}
"""Where no shuffled deck shows a result, the rounds in which it is sought."""


def _settled(state: RoundState, seed: int, given: str = "") -> Iterator[ExampleRound]:
    """The round with its settlement, unless something is against it."""
    settlement = state.settle()
    if not settlement.findings:
        yield ExampleRound(state.rules, seed, given, state.played, settlement)


def _only(each: ExampleRound, names: Collection[str]) -> ExampleRound:
    """The same throw with these wagers alone, and what was chosen for them."""
    decides = {step.name: step.on for step in GAMES[each.rules.game].course.decides}
    seats = [
        replace(
            seat,
            wagers={name: stake for name, stake in seat.wagers.items() if name in names},
            decisions={step: made for step, made in seat.decisions.items() if decides[step] in names},
            earlier={name: faces for name, faces in seat.earlier.items() if name in names},
        )
        for seat in each.played.seats
    ]
    played = each.played.with_seats(seats)
    return replace(each, played=played, settlement=settle(each.rules, played))


def _fewest(rules: Rules, candidates: list[ExampleRound]) -> Iterator[ExampleRound]:
    """Rounds that show everything that all of them show, those with the most first.

    Of a throw of dice or a spin only the wagers that no round before shows are kept: there are dozens of others.
    """
    shows = {id(each): set(each.shows) for each in candidates}
    left: set[Shown] = set().union(*shows.values()) if shows else set()
    while left:
        best = max(candidates, key=lambda each: len(shows[id(each)] & left))
        new = {wager for wager, _ in shows[id(best)] & left}
        left -= shows[id(best)]
        names = [line.wager for line in best.settlement.lines]
        showing = {name for name in names if (kind := rules.wager_named(name)) is not None and kind.name in new}
        yield _only(best, showing) if rolls(GAMES[rules.game]) else best
