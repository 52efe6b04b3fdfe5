"""A decision judged: what every choice was worth, which was the best, and what the one that was made cost.

Values are those of ``pitboss hand``, in units of the main wager, with what the player saw and nothing else.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from pitboss.cards import Card, Hand, show_cards
from pitboss.exact.decks import FULL, subsets_of
from pitboss.exact.duel import Progress
from pitboss.exact.strategy import HandAnalysis, analyse_hand
from pitboss.exact.value import CELLS
from pitboss.findings import UnreadableError
from pitboss.games.contract import Game, Versus
from pitboss.games.course import Decide, Sight
from pitboss.games.round import Decision, Round, Seat
from pitboss.games.rules import Rules
from pitboss.games.settle import settle
from pitboss.hands import batch
from pitboss.money import Cents
from pitboss.names import units

Cells = Mapping[tuple[bool, Versus], int]
Values = dict[str, Fraction]
_FINE = 1200
"""Stakes divisible enough that no pay of a main wager leaves a fraction of a cent."""
_STANDS = {Versus.HIGHER: "lower than yours", Versus.EQUAL: "level with yours", Versus.LOWER: "higher"}


@dataclass(frozen=True)
class Verdict:
    """What each choice of one decision was worth in units of the main wager, and the one that was made."""

    step: str
    values: Mapping[str, Fraction]
    made: str
    worth: Fraction
    facts: str = ""
    """What the dealer can hold, in a sentence, where hands are compared."""

    @property
    def best(self) -> tuple[str, ...]:
        """The best choice, and others that are worth exactly as much."""
        most = max(self.values.values())
        return tuple(name for name, value in self.values.items() if value == most)

    @property
    def cost(self) -> Fraction:
        return max(self.values.values()) - self.worth

    def why(self, unit: str) -> str:
        """In a sentence, ``unit`` being what the values are counted in."""
        made, best = self.made.replace("_", " "), " or ".join(self.best).replace("_", " ")
        if not self.cost:
            others = [value for name, value in self.values.items() if name not in self.best]
            rest = f"; the next best choice {_average(max(others), unit)}" if others else ""
            said = f"Right: {made} {_average(self.worth, unit)}{rest}."
        else:
            most = _average(max(self.values.values()), unit)
            said = f"{best.capitalize()} {most}, {made} {_average(self.worth, unit)}."
        return " ".join(part for part in (self.facts, said) if part)


def _average(value: Fraction, unit: str) -> str:
    return f"{'loses' if value < 0 else 'wins'} {float(abs(value)):.4f} {units(unit)} on average"


@dataclass(frozen=True)
class Score:
    """How well decisions were made: how many, how many cost something, and how much in all, in units."""

    decisions: int = 0
    mistakes: int = 0
    cost: Fraction = Fraction(0)

    def after(self, verdict: Verdict) -> "Score":
        return Score(self.decisions + 1, self.mistakes + bool(verdict.cost), self.cost + verdict.cost)

    def share(self, rounds: int) -> float:
        """What mistakes have cost of each unit wagered."""
        return float(self.cost / rounds) if rounds else 0.0


def judge(
    game: Game, rules: Rules, step: str, sight: Sight, made: Decision, progress: Progress | None = None
) -> Verdict:
    """Judge what a seat chose with what it saw. What cannot be valued exactly is refused with a sentence."""
    asked = {each.name: each for each in game.course.weighed}
    if step not in asked:
        raise UnreadableError("All choices here are worth the same.")
    earlier = {name: each for name, each in sight.chosen.items() if name in asked}
    facts, exchanges = "", {}
    if game.duel is None:
        chosen = [_named(asked[name], rules, sight.stake, each) for name, each in earlier.items()]
        if None in chosen:
            raise UnreadableError("An amount between whole multiples was wagered before; what follows is not valued.")
        found = analyse_hand(
            game, rules, sight.cards, board=sight.up, chosen=[each for each in chosen if each], progress=progress
        )
        assert not isinstance(found, HandAnalysis), "without a duel cards are turned up street by street"
        values = dict(found.now.values)
    elif earlier:
        values, cells = _last(game, rules, asked[step], sight)
        facts = _facts(cells)
    else:
        one = analyse_hand(game, rules, sight.cards, next(iter(sight.up), None))
        assert isinstance(one, HandAnalysis), "with a duel a hand is compared with the dealer's"
        values, facts = dict(one.values), _facts(one.cells)
        exchanges = {frozenset(gone): value for gone, value in one.exchanges.items()}
    name, worth = _worth(asked[step], rules, sight, made, values)
    if made.discard:
        name, worth = f"{name} {show_cards(made.discard)}", exchanges[frozenset(made.discard)]
    return Verdict(step, values, name, worth, facts)


def _named(step: Decide, rules: Rules, unit: Cents, made: Decision) -> str | None:
    """The choice as the counters name it; nothing for an amount between those that they value."""
    for choice in step.choices(rules, None):
        if choice.option.name == made.choice and choice.decision(unit).amount in (None, made.amount):
            return choice.name
    return None


def _worth(step: Decide, rules: Rules, sight: Sight, made: Decision, values: Values) -> tuple[str, Fraction]:
    """What a choice is called and worth; between two multiples its worth lies on the line between theirs."""
    name = _named(step, rules, sight.stake, made)
    if name is not None:
        return name, values[name]
    times = Fraction(made.amount or 0, sight.stake)
    low, high = (f"{made.choice} {int(times) + more}x" for more in (0, 1))
    share = times - int(times)
    return f"{made.choice} {float(times):g}x", (1 - share) * values[low] + share * values[high]


def _last(game: Game, rules: Rules, step: Decide, sight: Sight) -> tuple[Values, Cells]:
    """The values of a decision after which nothing is asked: one round of each outcome is settled as at the table."""
    duel = game.duel
    assert duel is not None
    gone = {card for each in sight.chosen.values() for card in each.discard}
    drawn = {card for each in sight.chosen.values() for card in each.drawn}
    known = {*sight.cards, *sight.up, *gone}
    unseen = np.array([card for card in FULL.cards.tolist() if card not in known], np.uint8)
    rest = unseen[subsets_of(len(unseen), duel.dealer_cards - len(sight.up))]
    dealt = np.concatenate([np.tile(np.array(sight.up, np.uint8), (len(rest), 1)), rest], axis=1)
    scores, own = batch.evaluate(duel.order, dealt), duel.order.best(sight.cards)[0]
    plays = scores >= (duel.qualifies or 0)
    compared = {Versus.LOWER: scores > own, Versus.EQUAL: scores == own, Versus.HIGHER: scores < own}
    found = {(q, v): np.flatnonzero((plays if q else ~plays) & compared[v]) for q, v in CELLS}
    cards = (*(card for card in sight.cards if card not in drawn), *gone)
    needed = [wager.name for wager in rules.wagers.values() if wager.role in ("unit", "required")]
    unit = min(rules.limits(name).maximum for name in needed) // _FINE * _FINE
    chosen = {
        name: replace(each, amount=None if each.amount is None else each.amount * unit // sight.stake)
        for name, each in sight.chosen.items()
    }
    values: Values = {}
    for choice in step.choices(rules, sight):
        seat = Seat(1, cards, dict.fromkeys(needed, unit), {**chosen, step.name: choice.decision(unit)})
        total = Fraction(0)
        for rows in found.values():
            if len(rows):
                dealer = tuple(Card(int(card)) for card in dealt[rows[0]])
                total += len(rows) * _net(game, rules, step, seat, sight.up, dealer)
        values[choice.name] = total / len(dealt) / unit
    return values, {cell: len(rows) for cell, rows in found.items()}


def _net(game: Game, rules: Rules, step: Decide, seat: Seat, up: Hand, dealer: Hand) -> Fraction:
    """What the main wagers gain or lose against one hand of the dealer, the card seen lying where it was dealt."""
    hidden = tuple(card for card in dealer if card not in up)
    orders = ((*hidden[:place], *up, *hidden[place:]) for place in range(len(dealer)))
    played = next(one for order in orders if game.turned_up(rules, one := Round(order, (seat,)), step) == up)
    aside = seat.wagers.keys() - set(game.course.main)
    settlement = settle(rules, played)
    assert not settlement.findings, "a lawful choice settles"
    return Fraction(sum(line.net for line in settlement.lines if line.wager not in aside))


def _facts(cells: Cells) -> str:
    """The dealer's hands in a sentence."""
    total = sum(cells.values())
    none = sum(count for (qualifies, _), count in cells.items() if not qualifies)
    parts = [f"{none:,} do not qualify"] if none else []
    parts += [f"{cells[True, each]:,} are {words}" for each, words in _STANDS.items() if cells[True, each]]
    return f"Of {total:,} hands that the dealer can have {', '.join(parts)}."
