"""A table prepared for simulation: rules, wagers and strategy turned into the arrays that the kernels read."""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property

import numpy as np

from pitboss.findings import FindingsError, UnreadableError
from pitboss.games.chance import all_rolls
from pitboss.games.contract import Game
from pitboss.games.registry import GAMES
from pitboss.games.round import Round, Seat
from pitboss.games.rules import Rules
from pitboss.games.settle import opening_meters, verify_stakes
from pitboss.games.settlement import Book
from pitboss.hands.batch import RankingError
from pitboss.meters import Meter
from pitboss.money import Cents
from pitboss.public import public
from pitboss.simulate.drawing import drawing_strategy
from pitboss.simulate.groups import FactGroup, Path, groups_of, offsets_of, open_before, steps_of
from pitboss.simulate.lines import AtStake, LineOf, Wagers, envies, envy_lines, line_of, lines_at_stake, main_line
from pitboss.simulate.pays import Pays, pays_of
from pitboss.simulate.program import Compiler, Program, TableBank, layout_of, rolls_dice
from pitboss.simulate.strategies import CALLED, OPTIMAL, Player, Strategy, draws_cards, never_asked, strategy_of
from pitboss.simulate.words import Ints

HOUSE = "house"


@dataclass(frozen=True)
class Work:
    """The part of a plan that a worker needs: arrays and numbers, nothing else."""

    program: Program
    offsets: Ints
    """Where the codes of each group start when they are numbered through all groups."""
    pays: Pays
    seats: int
    wagers: int
    several: bool
    """Whether sums and squares of each wager's rounds are wanted."""
    increment: int
    """What the house puts on the meters in each round, in units of 1/10,000 cent."""


@dataclass(frozen=True)
class Plan:
    """All that is fixed before the first card: the same plan and seed give the same tallies everywhere."""

    rules: Rules
    wagers: Wagers
    strategy: Strategy
    groups: tuple[FactGroup, ...]
    lines: tuple[LineOf, ...]
    steps: tuple[tuple[Path, ...], ...]
    """The ways through the choices before each step, and last those of whole rounds."""
    program: Program
    pays: Pays
    magic: bool
    decide: Player | None = None
    """A function that decides, in place of tables."""
    slow: str = ""
    """Why a round can't be compiled, as a sentence; empty where it is."""

    @property
    def scalar(self) -> bool:
        """Whether rounds are played by the scalar rules, a few hundred a second."""
        return self.decide is not None or bool(self.slow)

    @property
    def game(self) -> Game:
        return GAMES[self.rules.game]

    @property
    def numbers(self) -> tuple[int, ...]:
        return tuple(sorted(self.wagers))

    @cached_property
    def wager_names(self) -> tuple[str, ...]:
        """Wagers told apart in the results; those of one kind on several numbers or seats are one."""
        return tuple(dict.fromkeys(line.row for line in self.lines))

    @cached_property
    def offsets(self) -> Ints:
        return offsets_of(self.groups)

    def open_before(self, step: int) -> list[Path]:
        return open_before(self.steps[step], self.steps[step + 1])

    @property
    def paths(self) -> tuple[Path, ...]:
        return self.groups[0].paths

    @cached_property
    def fingerprint(self) -> str:
        """A name for everything the tallies depend on besides seed and rounds."""
        digest = hashlib.sha256(repr((self.rules.game, self.rules.as_of, self.wagers, self.strategy.name)).encode())
        for part in (self.program, self.pays):
            for field in fields(part):
                digest.update(np.ascontiguousarray(getattr(part, field.name)).tobytes())
        return digest.hexdigest()[:24]

    @cached_property
    def work(self) -> Work:
        rows = len(self.wager_names)
        return Work(self.program, self.offsets, self.pays, len(self.wagers), rows, self.several, self.increment)

    @cached_property
    def several(self) -> bool:
        """Whether a row of the results hangs on several codes, so that the tallies alone do not tell its spread."""
        return len({(line.row, line.holder, line.group) for line in self.lines}) > len(self.wager_names)

    @property
    def no_cards(self) -> Round:
        """A round of which nothing is known but who plays and for what."""
        return Round((), tuple(Seat(number, (), self.wagers[number]) for number in self.numbers))

    @cached_property
    def increment(self) -> int:
        book = Book(self.rules, self.meters())
        book.accept_wagers(self.no_cards)
        return sum(move.amount for move in book.movements if move.source == HOUSE)

    def meters(self) -> dict[str, Meter]:
        """The meters as they start: at their seeds, for the smallest amount on offer."""
        return opening_meters(self.rules, self.no_cards, {}, {})


@public
def every_wager(rules: Rules, seats: int, stakes: Mapping[str, Cents] | None = None) -> dict[int, dict[str, Cents]]:
    """Seats 1 to ``seats``, each with every wager of the table before the cards, or with the stakes given.

    A stake that is not given is $10 for wagers that everybody must make, $5 for others, or the amount on offer. A wager
    that is made on numbers or seats is made on each of them, unless a stake is given for one of its names.
    """
    if not 1 <= seats <= rules.seats:
        raise UnreadableError(f"This table has seats 1 to {rules.seats}; {seats!r} cannot play.")
    made: dict[int, dict[str, Cents]] = {number: {} for number in range(1, seats + 1)}
    for number, placed in made.items():
        for name in rules.names_at(number):
            wager = rules.wager_named(name)
            assert wager is not None, "a name that the rules list"
            limits = rules.limits(wager.name)
            main = wager.role in ("unit", "required")
            plain = min(max(1000 if main else 500, limits.minimum), limits.maximum)
            on_seat = int(wager.picked(name)[0]) if wager.picks == "seats" else 1
            given = {wager.name: rules.choices.amounts.get(wager.name) or plain} if stakes is None else stakes
            stake = given.get(name, given.get(wager.name))
            if stake is not None and on_seat <= seats:
                placed[name] = stake
    return made


@public
def make_plan(rules: Rules, wagers: Wagers, strategy: str | Strategy | Player = OPTIMAL, magic: bool = False) -> Plan:
    """Prepare a table; ``magic`` has the system select a Magic Card and a lucky position in every round,
    as far as the table offers them.

    A strategy is a name, its tables, or a function from what a player sees to a decision. A plan with a function, or
    with a ranking that tables can't hold, is played by the scalar rules, a few hundred rounds a second.
    """
    game = GAMES[rules.game]
    if game.no_edge:
        raise UnreadableError(f"{game.no_edge} So there is nothing to simulate.")
    if not 1 <= len(wagers) <= rules.seats:
        raise UnreadableError(f"This table has {rules.seats} seats; {len(wagers)} cannot play.")
    seats = tuple(Seat(number, (), made) for number, made in wagers.items())
    findings = verify_stakes(rules, Round((), seats, dice=all_rolls(rules)[0] if rolls_dice(game) else ()))
    if findings:
        raise FindingsError(findings)
    decide = None
    if isinstance(strategy, str):
        chosen = drawing_strategy(game, rules, strategy) if draws_cards(game) else strategy_of(game, rules, strategy)
    elif isinstance(strategy, Strategy):
        chosen = strategy
    else:
        chosen, decide = Strategy(CALLED, ()), strategy
    steps = steps_of(game, rules)
    paths = (*steps[-1], never_asked(game)) if game.course.weighed else steps[-1]
    at_stake = tuple(lines_at_stake(game, rules, wagers, magic))
    reads = (*(line.reads for line in at_stake), *(reads for _, reads in envies(game, rules, wagers)))
    groups = groups_of(game, paths, reads)
    lines = (*_lines(game, rules, groups, wagers, at_stake), *envy_lines(game, rules, groups, wagers))
    layout = layout_of(game, rules, wagers)
    program, slow = TableBank().program(), ""
    if decide is None:
        try:
            program = Compiler(game, rules, layout, groups, steps, chosen).program(wagers)
        except RankingError as different:
            slow = f"{different} Rounds are played by the scalar rules instead, a few hundred a second."
    pays = pays_of(len(wagers), groups, lines)
    return Plan(rules, wagers, chosen, groups, lines, steps, program, pays, magic, decide, slow)


def _lines(
    game: Game, rules: Rules, groups: tuple[FactGroup, ...], wagers: Wagers, at_stake: tuple[AtStake, ...]
) -> Iterator[LineOf]:
    """Every line that can pay, seat by seat: the main wagers together, then each other one and what is paid with it."""
    main: dict[tuple[Cents, ...], LineOf] = {}
    paying = {line for line in {each.line for each in at_stake} if any(game.lines.tabulate(line, rules).values())}
    for place, number in enumerate(sorted(wagers)):
        made = wagers[number]
        if game.course.unit in made:
            stakes = tuple(made[name] for name in game.course.main)
            if stakes not in main:
                main[stakes] = main_line(game, rules, groups, wagers, place)
            yield replace(main[stakes], seat=place, holder=place)
        for wanted in at_stake:
            if wanted.seat == place and wanted.line in paying:
                yield line_of(game, rules, groups, wanted)
