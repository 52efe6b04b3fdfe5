"""Groups of facts that are tallied together, and the ways through a round's choices: what a code stands for.

Groups follow from what the lines at stake read: the main wagers have one, in which the choices stand for whatever
depends on them, and every other line belongs to the first group that has all facts it reads. Its pay is therefore a
function of that group's code.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import prod
from typing import Any

import numpy as np

from pitboss.games.contract import Game
from pitboss.games.course import Choice, Course, Sight
from pitboss.games.facts import FINAL, OWN, Chosen, Derived, Fact, Holds, Label, Selected
from pitboss.games.round import Decision, Seat
from pitboss.games.rules import Rules
from pitboss.law.model import Wager
from pitboss.money import Cents
from pitboss.simulate.words import Ints

MAIN = "main"
CHOICE = "choice"
NOBODY = "-"
"""The way of a seat that is not asked."""
DRAW = "draw"
"""All options that draw cards: they cost the same, and the cards decide what comes of them."""


@dataclass(frozen=True)
class Path:
    """One way through the choices of a round, as far as a seat is asked."""

    made: Mapping[str, Choice]
    """By step."""
    nobody: str = NOBODY

    @cached_property
    def name(self) -> str:
        return ", ".join(self.named) or self.nobody

    @property
    def ended(self) -> bool:
        return any(choice.option.ends for choice in self.made.values())

    def decisions(self, unit: Cents) -> dict[str, Decision]:
        return {step: choice.decision(unit) for step, choice in self.made.items()}

    @property
    def named(self) -> tuple[str, ...]:
        return tuple(choice.name for choice in self.made.values())

    @cached_property
    def options(self) -> Mapping[str, str]:
        return {step: choice.option.name for step, choice in self.made.items()}


def steps_of(game: Game, rules: Rules) -> tuple[tuple[Path, ...], ...]:
    """The ways that there are before each step, and last those of whole rounds."""
    levels: list[tuple[Path, ...]] = [(Path({}),)]
    for step in game.course.weighed:
        found: list[Path] = []
        for path in levels[-1]:
            asked = not path.ended and step.options(rules, Sight((), chosen=path.decisions(1)))
            choices = _choices(step.choices(rules)) if asked else ()
            found += [Path({**path.made, step.name: choice}) for choice in choices] or [path]
        levels.append(tuple(found))
    return tuple(levels)


def open_before(before: tuple[Path, ...], after: tuple[Path, ...]) -> list[Path]:
    """Of the ways before a step, those on which it is asked."""
    return [path for path in before if path not in after]


def _choices(listed: tuple[Choice, ...]) -> Iterator[Choice]:
    """The choices of a step; those that draw are one."""
    drawn = False
    for choice in listed:
        if choice.option.draws is None:
            yield choice
        elif not drawn:
            drawn = True
            yield Choice(DRAW, choice.option, choice.puts)


@dataclass(frozen=True)
class FactGroup:
    """Facts in the order of their radix, each with the values it can take."""

    facts: tuple[str, ...]
    values: tuple[tuple[Any, ...], ...]
    paths: tuple[Path, ...]
    rules: Mapping[str, Fact]
    """The facts of the game."""
    same: Mapping[str, str]
    """Facts that no line reads but where they equal another, with that other."""

    @property
    def name(self) -> str:
        return MAIN if CHOICE in self.facts else " ".join(self.facts)

    @property
    def size(self) -> int:
        return prod(len(values) for values in self.values)

    def decode(self) -> list[dict[str, Any]]:
        """The facts of each code; a choice tells all facts that depend on choices."""
        return [self._known(dict(zip(self.facts, found, strict=True))) for found in product(*self.values)]

    def _known(self, facts: dict[str, Any]) -> dict[str, Any]:
        facts |= {name: facts[other] for name, other in self.same.items() if other in facts}
        if CHOICE in facts:
            facts |= chosen_facts(self.rules, self.path_of(facts))
        return facts

    def path_of(self, facts: Mapping[str, Any]) -> Path:
        """A way through the choices that leads to these facts."""
        if CHOICE in facts:
            return next(path for path in self.paths if path.name == facts[CHOICE])
        return next(path for path in self.paths if facts.items() >= self._among(path, facts).items())

    def _among(self, path: Path, facts: Mapping[str, Any]) -> dict[str, Any]:
        return {name: value for name, value in chosen_facts(self.rules, path).items() if name in facts}

    def encode(self, facts: Mapping[str, Any]) -> int:
        """The code of an outcome; 0 where a fact is not known."""
        code = 0
        for name, values in zip(self.facts, self.values, strict=True):
            if facts[name] not in values:
                return 0
            code = code * len(values) + values.index(facts[name])
        return code

    def covers(self, reads: Iterable[str]) -> bool:
        known = {*self.facts, *(name for name, other in self.same.items() if other in self.facts)}
        if CHOICE in known:
            known |= {name for name, fact in self.rules.items() if isinstance(fact, Chosen)}
        return set(reads) <= known


def chosen_facts(facts: Mapping[str, Fact], path: Path) -> dict[str, Any]:
    """What a way through the choices makes true of the outcome."""
    return {name: fact.of_choices(path.options) for name, fact in facts.items() if isinstance(fact, Chosen)}


def is_main(course: Course, wager: Wager) -> bool:
    """Whether a wager is one of those that everybody who plays has at stake, or makes by a choice."""
    return wager.name in course.main or wager.role == "later"


def lines_on(game: Game, wager: Wager, name: str) -> tuple[str, ...]:
    """The lines that are paid on a wager as a round calls it: its own, and what is paid with it."""
    posted = [post.line for step in game.course.settles for post in step.posts if post.wager == name]
    own = name if name in game.lines.rules else wager.paytable
    return tuple(dict.fromkeys(posted or [own]))


def main_reads(game: Game) -> tuple[str, ...]:
    """Facts behind the main wagers, but for those that depend on choices."""
    read = {fact for post in game.main_posts for fact in game.lines.rules[post.line].reads}
    facts = game.lines.facts.by_name
    return tuple(name for name in facts if name in read - {*_same(facts)} and not isinstance(facts[name], Chosen))


def _same(facts: Mapping[str, Fact]) -> dict[str, str]:
    """What the first cards are called: lines read it only of those who did not draw, of whom the final cards say it."""
    final = {fact.values: name for name, fact in facts.items() if isinstance(fact, Derived) and fact.places == FINAL}
    own = {name: fact for name, fact in facts.items() if isinstance(fact, Label) and fact.places == OWN}
    return {name: final[fact.values] for name, fact in reversed(own.items()) if fact.values in final}


def groups_of(game: Game, paths: tuple[Path, ...], reads: Iterable[tuple[str, ...]]) -> tuple[FactGroup, ...]:
    """The groups that some lines need; that of the main wagers comes first, where there is something to decide."""
    facts = game.lines.facts.by_name
    selected = tuple(name for name, fact in facts.items() if isinstance(fact, Holds | Selected))
    domains: dict[str, tuple[Any, ...]] = {name: tuple(fact.values) for name, fact in facts.items()}
    domains[CHOICE] = tuple(path.name for path in paths)

    def group(names: tuple[str, ...]) -> FactGroup:
        return FactGroup(names, tuple(domains[name] for name in names), paths, facts, _same(facts))

    found = [group((CHOICE, *main_reads(game)))] if game.course.weighed else []
    # What the system selects at random is tallied together: each of it is little.
    wanted = [selected if set(names) <= set(selected) else names for names in reads]
    for names in dict.fromkeys(wanted):
        larger = any(set(names) < set(other) for other in wanted)
        if names and not larger and not any(each.covers(names) for each in found):
            found.append(group(tuple(name for name in facts if name in names)))
    return tuple(found)


def offsets_of(groups: tuple[FactGroup, ...]) -> Ints:
    """Where the codes of each group start when they are numbered through all groups."""
    return np.cumsum([0, *(group.size for group in groups)])[:-1].astype(np.int64)


def path_taken(game: Game, rules: Rules, seat: Seat, paths: tuple[Path, ...]) -> Path:
    """The way that a seat has gone, amounts between two multiples taken for the lower one."""
    made: dict[str, str] = {}
    unit = seat.stake(game.course.unit)
    for step in game.course.weighed:
        decision = seat.decisions.get(step.name)
        option = None if decision is None else step.option(rules, decision.choice)
        if decision is None or option is None:
            continue
        said = any(times.said for times in option.puts.values()) and decision.amount is not None
        many = f" {(decision.amount or 0) // unit}x" if said else ""
        made[step.name] = DRAW if option.draws is not None else f"{option.name}{many}"
    return next(path for path in paths if {step: each.name for step, each in path.made.items()} == made)
