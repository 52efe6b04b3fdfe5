"""From a game's facts to the operations that find them: which cards lie where, and which tables are looked up.

The facts that a group needs say what to look at; whatever several of them need is found once. Registers of one seat
are used again for the next.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from pitboss.cards import CLUBS, DECK, DIAMONDS, Card, Hand
from pitboss.findings import UnreadableError
from pitboss.games.chance import all_rolls
from pitboss.games.contract import Game
from pitboss.games.course import Decide, Roll
from pitboss.games.deal import deal_round, face_up
from pitboss.games.facts import (
    COMMUNITY,
    FINAL,
    OWN,
    AtLeast,
    Chosen,
    Compare,
    Derived,
    Fact,
    Followed,
    Holds,
    Label,
    Places,
    Position,
    Rolled,
    Selected,
)
from pitboss.games.round import Round, Seat
from pitboss.games.rules import Rules
from pitboss.hands.facets import Facet
from pitboss.hands.orders import RankOrder
from pitboss.names import shown
from pitboss.simulate import operations as op
from pitboss.simulate.decisions import RANKS, Decisions, Looked, OnBoard
from pitboss.simulate.evaluators import LABEL, LEVEL_BITS, MOST_NARROW, OTHER_BITS, Evaluator, evaluator
from pitboss.simulate.groups import CHOICE, FactGroup, Path, chosen_facts, open_before
from pitboss.simulate.strategies import Strategy
from pitboss.simulate.streams import MOST_CARDS, SIZE, key_of
from pitboss.simulate.words import Bytes, Entries, Rows, Scores, Words

MAGIC_CARD, LUCKY_POSITION, DICE = range(3)
"""What the system selects at random in a round, by the number of its selection; throws that follow have the next."""
_SHIFTS = int(LEVEL_BITS), int(OTHER_BITS)
Positions = Hand
"""Places in the deck."""


def rolls_dice(game: Game) -> bool:
    return any(isinstance(step, Roll) for step in game.course.flat)


def layout_of(game: Game, rules: Rules, wagers: Mapping[int, Mapping[str, int]]) -> tuple[Round, int]:
    """A round whose cards are the places of the deck from which they come, and how many cards it takes."""
    if rolls_dice(game):
        return Round((), tuple(Seat(number, (), made) for number, made in wagers.items())), 0
    played, dealing = deal_round(rules, wagers, DECK)
    return played, len(DECK) - len(dealing.stub)


@dataclass(frozen=True)
class Program:
    """All that compiled rounds are given: operations, and one array of each kind for all tables."""

    ops: Words
    registers: int
    cards: int
    """How many cards the deal and all draws can take at most."""
    words: Words
    entries: Entries
    rows: Rows
    small: Bytes
    scores: Scores

    def play(self, seed: int, start: int, codes: op.Codes) -> None:
        """Write the codes of consecutive rounds."""
        arrays = self.words, self.entries, self.rows, self.small, self.scores
        op.carry_out(self.ops, self.registers, *arrays, *key_of(seed), np.uint64(start), self.cards, codes)

    def __setstate__(self, state: dict[str, Any]) -> None:
        # Arrays may arrive as read-only views, for which everything would be compiled once more.
        for name, value in state.items():
            owned = np.require(value, requirements=["C", "W"]) if isinstance(value, np.ndarray) else value
            object.__setattr__(self, name, owned)


class TableBank:
    """Tables put one behind the other, each once."""

    def __init__(self) -> None:
        self._parts: dict[str, list[npt.NDArray[Any]]] = {}
        self._placed: dict[tuple[str, bytes], int] = {}
        self._ends: dict[str, int] = {}

    def put(self, kind: type[np.generic], table: npt.ArrayLike) -> int:
        array = np.ascontiguousarray(table, kind).reshape(-1)
        name, key = kind.__name__, (kind.__name__, array.tobytes())
        if key not in self._placed:
            self._placed[key] = self._ends.get(name, 0)
            self._ends[name] = self._placed[key] + len(array)
            self._parts.setdefault(name, []).append(array)
        return self._placed[key]

    def program(self, ops: Sequence[Sequence[int]] = (), registers: int = 0, cards: int = 0) -> Program:
        """Operations with all tables put here; without any, that of a plan which is played by the scalar rules."""
        filled = [[*fields, *[0] * (op.FIELDS - len(fields))] for fields in ops]
        kinds = np.uint64, np.uint32, np.uint16, np.uint8, np.int32
        arrays = (np.concatenate(self._parts.get(kind.__name__, [np.zeros(1, kind)])) for kind in kinds)
        return Program(np.array(filled, np.uint64).reshape(-1, op.FIELDS), registers, cards, *arrays)


class Compiler:
    """Writes the operations of one plan."""

    def __init__(
        self,
        game: Game,
        rules: Rules,
        layout: tuple[Round, int],
        groups: tuple[FactGroup, ...],
        steps: tuple[tuple[Path, ...], ...],
        strategy: Strategy,
    ) -> None:
        self.game, self.rules, (self.played, self.dealt), self.groups = game, rules, layout, groups
        self.facts: Mapping[str, Fact] = game.lines.facts.by_name
        self.paths, self.steps, self.strategy = groups[0].paths, steps, strategy
        self.board, self.ops, self.made = TableBank(), list[list[int]](), dict[Any, int]()
        self.next = self.most = self.seat = self.final = 0
        self.labelled: dict[tuple[str, int], list[Facet]] = {}
        looked = [fact for made in strategy.decisions if isinstance(made, Looked) for fact in made.facts]
        for fact in (*(self.facts.get(name) for group in groups for name in group.facts), *looked):
            if isinstance(fact, Label) and fact.facet.order is not None:
                listed = self.labelled.setdefault((fact.facet.order.name, fact.facet.cards), [])
                if fact.facet not in listed:
                    listed.append(fact.facet)

    def program(self, wagers: Mapping[int, Mapping[str, int]]) -> Program:
        before, mark = self.made, 0
        for place, number in enumerate(sorted(wagers)):
            # What the first seat has found is kept: much of it is the same for all. Other seats share their registers.
            if place == 1:
                before, mark = self.made, self.next
            self.made, self.next = dict(before), mark
            self.seat, plays = number, self.game.course.unit in wagers[number]
            path = self._path(plays) if self.game.course.weighed else 0
            for at, group in enumerate(self.groups):
                known = all(self._lies(name) for name in group.facts)
                code = self._mixed(group, path) if known else self._do(op.CONST, 0)
                self.ops.append([op.STORE, code, place, at])
        draws = self.strategy.draws
        most = 0 if draws is None else draws.most_drawn * len(wagers)
        return self.board.program(self.ops, self.most, min(MOST_CARDS, self.dealt + most))

    # Registers and operations

    def _register(self) -> int:
        self.next += 1
        self.most = max(self.most, self.next)
        return (self.next - 1) * op.TOGETHER

    def _do(self, what: int, *reads: int) -> int:
        """The register that an operation writes; what was found already is not found again."""
        if (what, *reads) not in self.made:
            self.made[what, *reads] = self._register()
            self.ops.append([what, self.made[what, *reads], *map(int, reads)])
        return self.made[what, *reads]

    def _mixed(self, group: FactGroup, path: int) -> int:
        mixed, *rest = (self._fact(name, path) for name in group.facts)
        for register, values in zip(rest, group.values[1:], strict=True):
            mixed = self._do(op.MIX, mixed, len(values), register)
        return mixed

    def _lies(self, name: str) -> bool:
        """Whether the seat has the cards that a fact looks at; a code with a fact that it cannot have is 0."""
        fact = self.facts.get(name)
        return not isinstance(fact, Label) or len(self._at(*fact.places)) >= fact.facet.cards

    def _mapped(self, register: int, table: Sequence[int]) -> int:
        if list(table) == list(range(len(table))):
            return register
        return self._do(op.MAP, register, self.board.put(np.uint8, table))

    # Cards

    def _at(self, *places: str) -> Positions:
        seat = self.played.seat(self.seat)
        assert seat is not None
        return Position(self.rules, self.played, seat).cards(places)

    def _parts(self, places: Places, most: int = SIZE) -> list[Positions]:
        """The places of the deck behind some places of the layout, up to so many cards."""
        found: list[Positions] = []
        for place in places:
            found.append(self._at(place)[: most - sum(map(len, found))])
        return [part for part in found if part]

    def _key(self, parts: Sequence[Positions]) -> int:
        what = op.KEY if sum(map(len, parts)) <= MOST_NARROW else op.WIDE_KEY
        keys = [self._do(what, self.board.put(np.uint8, part), len(part)) for part in parts]
        key = keys[0]
        for other in keys[1:]:
            key = self._do(op.JOIN, key, other)
        return key

    def _places(self, parts: Sequence[Positions]) -> tuple[int, int]:
        joined = [place for part in parts for place in part]
        return self.board.put(np.uint8, joined), len(joined)

    def _hands(self, order: RankOrder, cards: int, facet: Facet | None = None) -> tuple[Evaluator, int]:
        """The evaluator of so many cards, and the shift of a label; two labels share one."""
        if self.strategy.draws is not None and order == self.strategy.draws.order:
            return self.strategy.draws.five, _SHIFTS[0]
        listed = self.labelled.get((order.name, cards), [])
        at = 0 if facet is None else listed.index(facet)
        pair = tuple(listed[at - at % 2 : at - at % 2 + 2])
        return evaluator(order, cards, pair, tuple(each.labels for each in pair)), _SHIFTS[at % 2]

    def _found(self, order: RankOrder, places: Places, facet: Facet | None = None) -> int:
        """The register of the entries of a hand."""
        if places == FINAL and self.strategy.draws is not None:
            return self.final
        parts = self._parts(places, SIZE if facet is None else facet.cards)
        where, count = self._places(parts)
        hands, _ = self._hands(order, count, facet)
        put = self.board.put
        tables = put(np.uint16, hands.rows), put(np.uint32, hands.entries), put(np.uint32, hands.flushes)
        # After the entries, so that 0 can mean that there is no such table.
        coloured = put(np.uint32, hands.one_colour) if len(hands.one_colour) else 0
        return self._do(op.FIND, self._key(parts), *tables, int(hands.bias), where, count, coloured)

    # Facts

    def _fact(self, name: str, path: int) -> int:
        """The register of a fact, as a place among its values."""
        if name == CHOICE:
            return path
        fact = self.facts[name]
        if isinstance(fact, Chosen):
            return self._mapped(path, [fact.values.index(chosen_facts(self.facts, each)[name]) for each in self.paths])
        return self._value(fact)

    def _value(self, fact: Fact) -> int:
        """The register of what cards, dice or a selection make true."""
        match fact:
            case Label(facet, places) if facet.order is None:
                return self._mapped(self._do(op.REDS, self._key(self._parts(places, facet.cards))), _by_reds(facet))
            case Label(facet, places):
                assert facet.order is not None
                shift = self._hands(facet.order, facet.cards, facet)[1]
                return self._do(op.PART, self._found(facet.order, places, facet), shift, int(LABEL))
            case AtLeast(order, score, places):
                cards = sum(map(len, self._parts(places)))
                return self._do(op.REACHES, self._found(order, places), self._hands(order, cards)[0].level(score))
            case Compare(order, places, against):
                return self._do(op.VERSUS, self._found(order, places), self._found(order, against))
            case Holds(places, cards):
                where = self._places(self._parts(places, cards))
                return self._do(op.HOLDS, self._do(op.SELECT, MAGIC_CARD, SIZE), *where)
            case Selected(dealer):
                position = self._do(op.SELECT, LUCKY_POSITION, self.rules.seats + 1)
                return self._do(op.EQUALS, position, 0 if dealer else self.seat)
            case Rolled():
                rolls = all_rolls(self.rules)
                table = [fact.values.index(fact.name(roll)) for roll in rolls]
                return self._mapped(self._do(op.SELECT, DICE, len(rolls)), table)
            case Followed():
                return self._followed(fact)
            case Derived() if self.strategy.draws is not None:
                derived = [each for each in self.facts.values() if isinstance(each, Derived)]
                return self._do(op.PART, self.final, _SHIFTS[derived.index(fact)], int(LABEL))
        name = next(each for each, known in self.facts.items() if known == fact)
        raise UnreadableError(
            f"{self.game.chapter.title} cannot be simulated so: a wager depends on {shown(name)}, which the simulator "
            f"does not follow with the strategy {self.strategy.name}. Leave such wagers out, or play another strategy."
        )

    def _followed(self, fact: Followed) -> int:
        """One throw after the other: the state so far and what is thrown next give the next state."""
        (*stages, (last, _)), state = fact.stages(self.rules), 0
        for number, (states, faces) in enumerate(stages):
            after = [*stages, (last, ())][number + 1][0]
            drawn = self._do(op.SELECT, DICE + number, len(faces))
            at = drawn if number == 0 else self._do(op.MIX, state, len(faces), drawn)
            table = [after.index(fact.after(self.rules, each, face)) for each in states for face in faces]
            state = self._mapped(at, table)
        return self._mapped(state, [fact.values.index(fact.name(each, {})) for each in last])

    # Choices

    def _path(self, plays: bool) -> int:
        """The register of a seat's way through the choices."""
        draws = self.strategy.draws
        if not plays:
            self.final = 0 if draws is None else self._found(draws.order, OWN)
            return self._do(op.CONST, len(self.paths) - 1)
        if draws is not None:
            return self._drawn()
        at = self._do(op.CONST, 0)
        for number, (step, made) in enumerate(zip(self.game.course.weighed, self.strategy.decisions, strict=True)):
            before, after = self.steps[number], self.steps[number + 1]
            open_ = open_before(before, after)
            if isinstance(made, Looked):
                choice = self._looked(step, made)
            elif isinstance(made, OnBoard):
                choice = self._on_board(step, made, self._mapped(at, [made.context(path.named) for path in before]))
            else:
                context = self._do(op.CONST, 0)
                if made.told:
                    context = self._mapped(at, [open_.index(path) if path in open_ else 0 for path in before])
                choice = self._choice(step, made, context)
            table = [_after(path, step.name, name, after) for path in before for name in made.names]
            mixed = self._do(op.MIX, at, len(made.names), choice) if number else choice
            at = self._mapped(mixed, table)
        return at

    def _looked(self, step: Decide, made: Looked) -> int:
        """A choice that follows from facts of the cards seen: nothing else lies while these are found."""
        whole, mixed = self.played, self._do(op.CONST, 0)
        self.played = replace(whole, dealer=(), extras={COMMUNITY[0]: self._seen(step)[0]})
        for fact in made.facts:
            assert not isinstance(fact, Label) or len(self._at(*fact.places)) >= fact.facet.cards, "not face up yet"
            mixed = self._do(op.MIX, mixed, len(fact.values), self._value(fact))
        self.played = whole
        return self._mapped(mixed, made.table)

    def _on_board(self, step: Decide, made: OnBoard, context: int) -> int:
        put, board = self.board.put, self._seen(step)[0]
        places = put(np.uint8, self._at(*OWN)), put(np.uint8, board or (0,)), len(board)
        classes = put(np.uint64, made.keys), len(made.keys)
        return self._do(op.ON_BOARD, context, *places, *classes, put(np.uint8, made.picks), made.planes, made.stride)

    def _choice(self, step: Decide, made: Decisions, context: int) -> int:
        joined, up = self._seen(step)
        if made.mode == op.UP_CARD_FIRST:
            rank = self._do(op.RANK, up[0])
            context = self._do(op.MIX, context, RANKS, rank) if made.told else rank
        parts = [part for part in (self._at(*OWN), joined) if part]
        tables = self._tables(made)
        return self._do(
            op.CHOOSE, self._key(parts), context, *tables, *self._places(parts), up[0] if up else 0, made.mode
        )

    def _seen(self, step: Decide) -> tuple[Positions, Positions]:
        """What everybody sees at a step: cards that join the player's own, and those of the dealer's hand."""
        up, dealer = face_up(self.game.course, self.rules, self.played, step), {*self.played.dealer}
        return tuple(card for card in up if card not in dealer), tuple(card for card in up if card in dealer)

    def _tables(self, made: Decisions) -> tuple[int, ...]:
        put = self.board.put
        first = put(np.uint16, made.rows), made.contexts, put(np.uint8, made.first), int(made.bias)
        return *first, put(np.uint64, made.keys), len(made.keys), put(np.uint8, made.picks)

    def _drawn(self) -> int:
        """The final hand of a seat that may draw, and the way it has gone."""
        draws, (made,) = self.strategy.draws, self.strategy.decisions
        assert draws is not None
        assert isinstance(made, Decisions)
        step = self.game.course.weighed[0]
        own, put = self._at(*OWN), self.board.put
        stub = self._do(op.CONST, self.dealt)
        choice = self._choice(step, made, 0)
        before = self._found(draws.order, OWN)
        up = self._seen(step)[1][0]
        self.final, ends = self._register(), self._register()
        hands = [
            table
            for each in (draws.five, draws.six)
            for table in (put(np.uint16, each.rows), put(np.uint32, each.entries), put(np.uint32, each.flushes))
        ]
        buying = self._tables(draws.after_buying)
        seat = choice, before, stub, put(np.uint8, own), up
        again = int(draws.five.bias), RANKS, buying[2], *buying[4:], put(np.uint64, draws.bet_from)
        self.ops.append(
            [op.DRAW, self.final, ends, *seat, *hands, *again, put(np.uint8, draws.seconds), int(OTHER_BITS)]
        )
        put(np.int32, draws.scores)
        return ends


def _after(path: Path, step: str, name: str, after: tuple[Path, ...]) -> int:
    """Which way a choice leads to; a way that has ended stays what it is."""
    for place, each in enumerate(after):
        same = all(each.made.get(key) == choice for key, choice in path.made.items())
        if same and (each.made == path.made or (step in each.made and each.made[step].name == name)):
            return place
    # A choice that is never open after these.
    return 0


def _by_reds(facet: Facet) -> list[int]:
    """The label by the number of red cards, in a hand without anything else to it."""
    ranks = [rank for rank in range(RANKS) if rank % 2 == 0]
    hands = [
        tuple(Card(4 * rank + (DIAMONDS if place < reds else CLUBS)) for place, rank in enumerate(ranks[: facet.cards]))
        for reds in range(facet.cards + 1)
    ]
    return [facet.labels.index(facet.label(hand)) for hand in hands]
