"""What every game gives: its lines and what each pays, as pure functions of a small outcome, and its course.

Seen from one seat a finished round is an *outcome*, a frozen dataclass of a few facts with few values each.
A line's pay is a function of the rules and the outcome, never of the stake. The live settlement calls that function
once; counting engines call ``tabulate`` and look the answer up. A rule is therefore written in one place.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from pitboss.cards import Hand
from pitboss.findings import Finding, refusal
from pitboss.games.chance import shown_faces
from pitboss.games.checks import decision_findings, unasked
from pitboss.games.course import HANDS, Choice, Course, Decide, Option, Post, Settle, Sight, UnseenSight
from pitboss.games.deal import face_up
from pitboss.games.facts import (
    FINAL,
    AtLeast,
    Chosen,
    Compare,
    Derived,
    Facts,
    Followed,
    Label,
    Look,
    Position,
    Rolled,
    Unfolding,
    Versus,
)
from pitboss.games.round import Decision, FaceDownError, Round, Seat
from pitboss.games.rules import Cap, Rules
from pitboss.games.settlement import Book, LineResult, Pay
from pitboss.games.structure import PRINTED, WHOLE, Duel, Guide, Learned, Outlay, Scope
from pitboss.hands.facets import Facet
from pitboss.law.loader import chapter
from pitboss.law.model import Chapter, PayTable
from pitboss.money import Cents, show_dollars
from pitboss.names import shown

if TYPE_CHECKING:
    from pitboss.games.betting import PokerHand

O = TypeVar("O")  # noqa: E741
PayFunction = Callable[[Rules, O], Pay | None]
CHOICES = "choices"
"""Beside the facts of a hand: the names of the choices that are open to it."""


@dataclass(frozen=True)
class LineRule(Generic[O]):
    """One kind of settlement line: which facts of the outcome it reads, and what it pays."""

    name: str
    reads: tuple[str, ...]
    pay: PayFunction[O]


class Lines(Generic[O]):
    """The lines of one game, by name, with the values each fact of its outcome can take."""

    def __init__(self, outcome: type[O]) -> None:
        self.outcome = outcome
        self.facts = Facts(outcome)
        self.rules: dict[str, LineRule[O]] = {}

    @property
    def domains(self) -> Mapping[str, Sequence[Any]]:
        return self.facts.domains

    def rule(self, name: str, reads: Iterable[str]) -> Callable[[PayFunction[O]], PayFunction[O]]:
        def register(function: PayFunction[O]) -> PayFunction[O]:
            self.rules[name] = LineRule(name, tuple(reads), function)
            return function

        return register

    def pay(self, name: str, rules: Rules, outcome: O) -> Pay | None:
        return self.rules[name].pay(rules, outcome)

    def code(self, name: str, outcome: O) -> tuple[Any, ...]:
        """The facts of an outcome that one line reads: the key of its table."""
        return tuple(getattr(outcome, fact) for fact in self.rules[name].reads)

    def known(self, facts: Mapping[str, Any]) -> O:
        """An outcome of which only these facts are known; what else they hold is left out."""
        return self.outcome(**{name: facts.get(name) for name in self.domains})

    def tabulate(self, name: str, rules: Rules) -> dict[tuple[Any, ...], Pay | None]:
        """The pay of every combination of the facts that one line reads.

        Facts that the line says it does not read are left out of the outcome, so a line that looks at more than it
        declares fails here instead of miscounting somewhere else.
        """
        rule = self.rules[name]
        return {
            values: rule.pay(rules, self.known(dict(zip(rule.reads, values, strict=True))))
            for values in product(*(self.domains[fact] for fact in rule.reads))
        }

    def tables_behind(self, names: Iterable[str], rules: Rules) -> tuple[str, ...]:
        """The pay tables that lines look at, whatever happens in the round."""
        tables = _Watched(rules.tables)
        for name in names:
            self.tabulate(name, replace(rules, tables=tables))
        return tuple(tables.asked)

    def words(self, name: str, at: Position, bonus: bool) -> str:
        """The hands behind a line: both where they were compared, otherwise the one that is paid."""
        facts = {each: self.facts.by_name[each] for each in self.rules[name].reads}
        kinds: tuple[type, ...] = (Label, Derived) if bonus else (Compare, Label, Derived, Rolled, Followed)
        for kind in kinds:
            for each, fact in facts.items():
                if isinstance(fact, kind):
                    return self.versus(name, each, at) if isinstance(fact, Compare) else fact.words(at)
        return ""

    def versus(self, name: str, compare: str, at: Position) -> str:
        """The hands that a line compares, and the card that decides if the line would pay otherwise without it."""
        fact = self.facts.by_name[compare]
        assert isinstance(fact, Compare)
        words, decides = fact.show(at)
        if not decides:
            return words
        seen = {each: self.facts.by_name[each].of(at) for each in self.rules[name].reads}
        pays = {self.pay(name, at.rules, self.known(seen | {compare: result})) for result in fact.values}
        return f"{words}: the {decides} decides" if len(pays) > 1 else words


class _Watched(dict[str, PayTable]):
    """Pay tables that remember which of them were looked up."""

    def __init__(self, tables: Mapping[str, PayTable]) -> None:
        super().__init__(tables)
        self.asked: dict[str, None] = {}

    def __getitem__(self, name: str) -> PayTable:
        self.asked[name] = None
        return super().__getitem__(name)


class Game:
    """What the table, the counting engines, the simulator and the reports ask of a game.

    A game states its chapter, its lines and its course; the rest follows. What a game alone demands or does
    differently it says by overriding one of these methods.
    """

    name: str
    number: str
    """The chapter of the law."""
    lines: Lines[Any]
    course: Course
    plain_wagers: Mapping[str, Cents]
    """Wagers of a demonstration round, in cents."""
    readings: tuple[str, ...] = (PRINTED,)
    """Readings of the text, or parts of the game, for which the main wagers are valued; the first is shown first."""
    paytable: str = ""
    """The pay table whose letters distinguish versions of the main game."""
    scopes: Mapping[str, Scope] = {}
    """The readings that are not the whole game counted exactly: how much of it they cover."""
    plain: Mapping[str, Look] = {}
    """How a plain player decides, by step, where that follows from a few facts of the cards seen."""
    played: str = PRINTED
    """The reading that choices without a draw play."""
    guides: tuple[Guide, ...] = ()
    """Where cards are drawn: lists that a person can learn, the shortest first."""
    learned: tuple[Learned, ...] = ()
    """Lists for players who see cards that ought to be hidden."""

    def scope(self, reading: str) -> Scope:
        """How much of the game a figure under a reading covers."""
        return self.scopes.get(reading, WHOLE)

    @property
    def other_readings(self) -> frozenset[tuple[str, str]]:
        """The pay tables that some scopes read not as printed, and how."""
        return frozenset(read for scope in self.scopes.values() for read in scope.readings.items())

    def reads_alike(self, rules: Rules, reading: str) -> bool:
        """Whether a reading of the main wagers reads pay tables as these rules do."""
        chosen = {
            (table, text) for table, text in rules.choices.readings.items() if (table, text) in self.other_readings
        }
        return reading not in self.scopes or chosen == set(self.scope(reading).readings.items())

    def readings_by(self, rules: Rules) -> tuple[str, ...]:
        """``readings``, those first that read pay tables as these rules do."""
        return tuple(sorted(self.readings, key=lambda reading: not self.reads_alike(rules, reading)))

    @property
    def restriction(self) -> str:
        """What choices without a draw leave out of the game; empty where they are all of it."""
        return self.scope(self.played).restriction

    @property
    def whole(self) -> str | None:
        """The reading of the whole game, where choices without a draw play only a part of it."""
        return self.readings[0] if self.restriction else None

    @property
    def chapter(self) -> Chapter:
        return chapter(self.number)

    @property
    def decisions(self) -> tuple[str, ...]:
        """The names of all options of the course, in order."""
        return tuple(dict.fromkeys(name for step in self.course.decides for name in step.names))

    @property
    def no_edge(self) -> str:
        """Why there is nothing to count or simulate against the house; empty where there is."""
        if not self.course.contest:
            return ""
        return (
            f"{self.chapter.title} has no house edge: players bet against each other, the dealer does not play, and "
            "the house takes no more than the rake of the Rules Submission."
        )

    @cached_property
    def facets(self) -> Mapping[str, Facet]:
        """The cards behind each fact of the outcome that is a label."""
        return {name: fact.facet for name, fact in self.lines.facts.labels.items()}

    def verify(self, rules: Rules, played: Round) -> Iterator[Finding]:
        """What this game demands of a round; the demands common to all games are checked elsewhere."""
        yield from self._caps(rules)
        for seat in played.clockwise():
            yield from self.seat_findings(rules, played, seat)
            yield from self._earlier_findings(rules, played, seat)
            yield from unasked(self.course, rules, seat)
            for step in self.course.decides:
                yield from self.choice_findings(rules, step, self.sight(rules, played, seat, step), seat)

    def _earlier_findings(self, rules: Rules, played: Round, seat: Seat) -> Iterator[Finding]:
        """Throws of earlier rounds are for a wager of the seat that was still in progress after them."""
        going_on = self.living(rules, replace(played, dice=()), seat) if seat.earlier else {}
        for name in seat.earlier.keys() - going_on.keys():
            wager, number = rules.wager_named(name), seat.number
            title, cite = (wager.title, wager.cite) if wager else (shown(name), rules.chapter.cite_of("wagers"))
            found = shown_faces(seat.earlier[name])
            sentence = f"No {title} of seat {number} was in progress after {found}, so this round cannot go on with it."
            yield refusal("not-in-progress", "a wager in progress", found, sentence, cite=cite, seat=number)

    def choice_findings(self, rules: Rules, step: Decide, sight: Sight, seat: Seat) -> Iterator[Finding]:
        """What is against the choice of a seat at a step, whatever cards it draws then."""
        yield from decision_findings(self.course, rules, step, sight, seat)

    def seat_findings(self, rules: Rules, played: Round, seat: Seat) -> Iterator[Finding]:  # noqa: ARG002
        """What this game demands of the wagers of a seat: those that go with the unit are of the same amount."""
        unit = self.course.unit
        for name in self.course.equal:
            one, other = seat.stake(unit), seat.stake(name)
            if one != other and {unit, name} <= set(rules.wagers):
                title, cite, where = rules.wagers[name].title, str(rules.wagers[name].cite), f"seat {seat.number}"
                expected, found = show_dollars(one), show_dollars(other)
                sentence = f"{rules.wagers[unit].title} and {title} must be equal: {expected} and {found}."
                yield refusal(f"{name}-not-{unit}", f"{title} of {expected}", found, sentence, where, cite=cite)

    def entry_findings(self, rules: Rules, seat: Seat) -> Iterator[Finding]:  # noqa: ARG002
        """What this game demands of wagers that are not left from the round before."""
        yield from ()

    def verify_choices(self, rules: Rules) -> Iterator[Finding]:
        """What the game has against the limits and options of a table, each with the key of the choice."""
        limits, unit = rules.choices.limits, self.course.unit
        for name in self.course.equal:
            for key in ("minimum", "maximum") if {unit, name} <= set(limits) else ():
                one, other = getattr(limits[unit], key), getattr(limits[name], key)
                if one != other:
                    titles = f"{rules.wagers[unit].title} and {rules.wagers[name].title}"
                    sentence = f"{titles} must be equal, so their {key} must be the same."
                    code, cite, where = f"{name}-not-{unit}", str(rules.wagers[name].cite), f"wagers.{name}.{key}"
                    yield refusal(code, show_dollars(one), show_dollars(other), sentence, where, cite=cite)
        for cap in rules.caps if (boxes := rules.choices.adjacent_boxes or 1) > 1 else ():
            sentence = (
                f"{cap.title} is per player, and a player may hold several boxes here; the law does not say whether "
                "their payouts are added together. They are not: it is applied to each box."
            )
            code, where = f"{cap.name.replace('_', '-')}-with-boxes", cap.name if cap.choice else "adjacent_boxes"
            yield refusal(code, "one box", f"{boxes} boxes", sentence, where, cite=cap.cite, severity="note")
        yield from self._caps(rules)

    def _caps(self, rules: Rules) -> Iterator[Finding]:
        """What bounds the pays of some wagers must leave room for the most that they can win at the minimum."""
        for cap in rules.caps:
            if cap.choice and cap.most < (floor := self.most_won_at_minimum(rules, cap.wagers)):
                expected, code = f"at least {show_dollars(floor)}", f"{cap.name.replace('_', '-')}-too-low"
                sentence = f"{cap.title} must be {expected}: the most that one player can win at the minimum wager."
                yield refusal(code, expected, show_dollars(cap.most), sentence, cap.name, cite=cap.cite)

    def most_won_at_minimum(self, rules: Rules, wagers: Iterable[str]) -> int:
        """The most that wagers can pay one player together, in cents, where the unit is as small as it may be."""
        return self.most_won(rules, wagers, max(rules.limits(wager).minimum for wager in self.course.main))

    def most_won(self, rules: Rules, wagers: Iterable[str], unit: Cents, cap: Cap | None = None) -> Cents:
        """The most that wagers can pay one player together, by asking the rules for the pay of every outcome.

        With a ``cap`` only what counts towards it.
        """
        stakes = dict.fromkeys(self.course.main, 1)
        for step in self.course.decides:
            for choice in step.choices(rules):
                stakes |= {wager: max(times, stakes.get(wager, 0)) for wager, times in choice.puts.items()}
        lines = {p.line: stakes[p.wager] for p in self.main_posts if p.wager in wagers and not p.bonus}
        reads = tuple(dict.fromkeys(fact for line in lines for fact in self.lines.rules[line].reads))
        most = Fraction(0)
        for values in product(*(self.lines.domains[fact] for fact in reads)):
            outcome = self.lines.known(dict(zip(reads, values, strict=True)))
            pays = ((line, self.lines.pay(line, rules, outcome), times) for line, times in lines.items())
            won = (
                Fraction(pay.per_unit() or 0) * times
                for line, pay, times in pays
                if pay is not None and (cap is None or rules.cap_on(line, pay.odds_cite) == cap)
            )
            most = max(most, sum((each for each in won if each > 0), Fraction(0)))
        return int(most * unit)

    def sight(self, rules: Rules, played: Round, seat: Seat, step: Decide) -> Sight:
        """What a seat sees when it is asked at a step, all cards of the round lying there."""
        before = {}
        for earlier in self.course.decides:
            if earlier is step:
                break
            if earlier.name in seat.decisions:
                before[earlier.name] = seat.decisions[earlier.name]
        now = Seat(seat.number, seat.cards, seat.wagers, before)
        thrown = (*seat.earlier.get(step.on, ()), *played.dice)
        up, stake = self.turned_up(rules, played, step), seat.stake(self.course.unit)
        if covered := played.covered_at(FINAL[0], seat.number):
            return UnseenSight((), up, stake, before, thrown, covered=covered)
        return Sight(now.final_cards, up, stake, before, thrown)

    def options(self, rules: Rules, played: Round, seat: Seat, step: Decide) -> tuple[Option, ...]:
        """What a seat may choose at a step with what it sees; nothing where it is not asked."""
        if (step.on or self.course.unit) not in seat.wagers or self.course.ended(rules, seat, before=step):
            return ()
        return step.offered(rules, self.sight(rules, played, seat, step))

    def turn(self, rules: Rules, played: Round, step: Decide, seat: int) -> str:  # noqa: ARG002
        """Under which name the choice of a seat at a step is kept; a seat may act at one step more than once."""
        return step.name

    def decision_findings(
        self, rules: Rules, played: Round, step: Decide, seat: Seat, decision: Decision
    ) -> Iterator[Finding]:
        """What is against a choice of a seat that is asked, with what it sees."""
        after = seat.deciding(step.name, decision)
        yield from self.choice_findings(rules, step, self.sight(rules, played, after, step), after)

    def hand(self, rules: Rules, played: Round) -> "PokerHand | None":  # noqa: ARG002
        """How far a round has come in which players bet against each other; nothing in other games."""
        return None

    def turned_up(self, rules: Rules, played: Round, step: Decide) -> Hand:
        """The cards that lie face up before a step."""
        return face_up(self.course, rules, played, step)

    def outcome(self, rules: Rules, played: Round, seat: Seat) -> Any:
        """The finished round as one seat sees it."""
        return self.lines.facts.find(Position(rules, played, seat))

    def later_wagers(self, rules: Rules, seat: Seat) -> Mapping[str, int]:
        """What the player's decisions put on the layout, by wager, in cents."""
        return self.course.put_down(rules, seat)

    def stakes(self, rules: Rules, seat: Seat) -> dict[str, int]:
        """Everything that a seat has on the layout after its decisions, without what it took back."""
        stakes = {**seat.wagers, **self.later_wagers(rules, seat)}
        back = self.course.taken_back(rules, seat)
        return {wager: stake for wager, stake in stakes.items() if wager not in back}

    @cached_property
    def living_posts(self) -> tuple[Post, ...]:
        """Lines of wagers that may live on after a round."""
        facts, lines = self.lines.facts.by_name, self.lines.rules
        found = (post for step in self.course.settles for post in step.posts)
        return tuple(
            dict.fromkeys(p for p in found if any(isinstance(facts[name], Followed) for name in lines[p.line].reads))
        )

    def living(self, rules: Rules, played: Round, seat: Seat) -> dict[str, int]:
        """The stakes of a seat that no line settles in this round, because the wager lives on."""
        outcome = Unfolding(self.lines.facts, Position(rules, played, seat))
        stakes = self.stakes(rules, seat) if self.living_posts else {}
        found = (
            (post.wager, self.lines.pay(post.line, rules, outcome))
            for post in self.living_posts
            if post.wager in stakes
        )
        return {wager: stakes[wager] for wager, pay in found if pay is not None and pay.result == LineResult.LIVES_ON}

    def due(self, rules: Rules, played: Round, seat: Seat) -> dict[str, int]:
        """The stakes of a seat that leave the layout with this round, each by one line."""
        living = self.living(rules, played, seat)
        return {wager: stake for wager, stake in self.stakes(rules, seat).items() if wager not in living}

    def settle(
        self, rules: Rules, played: Round, book: Book, groups: Sequence[tuple[Settle, ...]] | None = None
    ) -> None:
        """Enter every line in the order of the law; of a round under way, those of the groups it has come to.

        Each part of the settlement sees the choices made before it, so that it stays what it was when others follow.
        It stops where a line needs cards that lie face down; the lines before it stay.
        """
        done: set[tuple[int, str]] = set()
        for steps in self.course.settle_groups if groups is None else groups:
            for seat in played.clockwise() if steps[0].first == "left" else played.counterclockwise():
                for step in steps:
                    at = Position(rules, played, seat.before(self.course.decided_before(step)))
                    outcome = Unfolding(self.lines.facts, at)
                    if step.who is not None and not step.who(outcome):
                        continue
                    absent = book.is_absent(seat.number)
                    try:
                        book.turn(step.stage, seat.number)
                        if step.stage == HANDS and not (seat.folded or absent):
                            at.cards(FINAL)  # every hand in play is turned up, whether a line reads it or not
                        self.settle_seat(step, at, outcome, done, book)
                    except FaceDownError as down:
                        if not absent:
                            book.wait(step.stage, seat.number, down.place)
                            return

    def settle_seat(self, step: Settle, at: Position, outcome: Any, done: set[tuple[int, str]], book: Book) -> None:
        """One seat's turn: its lines in order, each once in the round."""
        seat = at.seat
        stakes = self.stakes(at.rules, seat)
        for post in step.posts:
            posted = post.wager in stakes and (not post.needs or post.needs in stakes)
            if posted and (seat.number, post.line) not in done:
                pay = self.lines.pay(post.line, at.rules, outcome)
                if step.losing is not None and (pay is None or (pay.result == LineResult.LOSE) != step.losing):
                    continue
                if pay is not None and pay.result == LineResult.LIVES_ON:
                    continue
                done.add((seat.number, post.line))
                self._enter(post, at, pay, stakes[post.wager], book)
            if post.envy:
                self._envy(post, at, outcome, book)

    def _enter(self, post: Post, at: Position, pay: Pay | None, stake: int, book: Book) -> None:
        forfeited = pay is not None and pay.result == LineResult.FORFEIT
        wager = at.rules.wagers.get(post.wager)
        shared = len(book.present(at.played.betting(post.wager))) if wager is not None and wager.divided else 1
        book.enter(
            at.seat.number,
            post.called or post.line,
            stake,
            pay,
            "" if forfeited or book.takes_over else self.lines.words(post.line, at, post.bonus),
            divided_by=1 if post.bonus else shared,
        )

    def _envy(self, post: Post, at: Position, outcome: Any, book: Book) -> None:
        """Others are paid for a hand that somebody holds: not folded, or left on the table by wagers that stand."""
        seat = at.seat
        bettors = at.played.betting(post.wager)[::-1]
        others = any(each.number != seat.number and not book.is_absent(each.number) for each in bettors)
        standing = any(name not in self.course.forfeited for name in seat.wagers)
        if others and not book.is_absent(seat.number) and (not seat.folded or standing or post.folded_too):
            detail = self.lines.facts.by_name[post.envy].words(at)
            book.envy(seat, post.wager, getattr(outcome, post.envy), bettors, post.envy_cite, detail)

    # What a player may do, without a stub at hand

    def plain_decision(self, rules: Rules, sight: Sight) -> Decision:
        """A sensible decision for demonstrations; the optimal one comes from counting."""
        step = next(step for step in self.course.decides if step.name not in sight.chosen)
        name = self.plain[step.name].at(rules, sight.cards, sight.up)
        return next(each for each in step.choices(rules, sight) if each.name == name).decision(sight.stake)

    def draws(self, decision: Decision) -> int:  # noqa: ARG002
        """How many cards a decision takes from the stub; most games have no such decision."""
        return 0

    def after_draw(self, rules: Rules) -> tuple[Outlay, ...]:  # noqa: ARG002
        """What may be chosen after cards were drawn, as counting knows it; nothing where no option draws."""
        return ()

    # How the main wagers are counted

    @cached_property
    def duel(self) -> Duel | None:
        """The information structure of the main wagers, where they are played against a dealer's hand."""
        by_name = self.lines.facts.by_name
        compare = next((fact for fact in by_name.values() if isinstance(fact, Compare)), None)
        if compare is None or len(self.course.decides) != 1:
            return None
        (step,) = self.course.decides
        least = next((fact for fact in by_name.values() if isinstance(fact, AtLeast)), None)
        read = {fact for post in self.main_posts for fact in self.lines.rules[post.line].reads}
        labels = {name: fact for name, fact in self.lines.facts.labels.items() if name in read}

        def facts(rules: Rules, cards: Hand) -> Mapping[str, Any]:
            names = tuple(choice.name for choice in step.choices(rules, Sight(cards)))
            return {**{name: label.facet.label(cards) for name, label in labels.items()}, CHOICES: names}

        def options(rules: Rules, known: Mapping[str, Any]) -> tuple[Outlay, ...]:
            names = known.get(CHOICES)
            return tuple(
                self.valued(rules, step, choice)
                for choice in step.choices(rules)
                if names is None or choice.name in names
            )

        deals = [each for deal in self.chapter.deals for each in deal.steps]
        return Duel(
            order=compare.order,
            player_cards=_dealt(self.chapter, "player_cards"),
            dealer_cards=_dealt(self.chapter, "dealer_cards"),
            up_card=any(each.face_up and each.to == "dealer" for each in deals),
            facts=facts,
            options=options,
            required=Fraction(len(self.course.main)),
            qualifies=None if least is None else least.score,
            suit_blind=all(label.facet.suited_from is None for label in labels.values()),
        )

    @cached_property
    def main_posts(self) -> tuple[Post, ...]:
        """Lines paid on the main wagers or on what a decision stakes."""
        after = {wager.name for wager in self.chapter.wagers if wager.placed == "after"}
        on = {*self.course.main, *after}
        found = (post for step in self.course.settles for post in step.posts if post.wager in on)
        return tuple({post.line: post for post in found}.values())

    def valued(self, rules: Rules, step: Decide, choice: Choice) -> Outlay:
        """One choice as counting knows it, where a game asks once."""
        return self.outlay(rules, {step.name: choice})

    def outlay(self, rules: Rules, chosen: Mapping[str, Choice]) -> Outlay:  # noqa: ARG002
        """What choices, by step, make true, and the stake of every line that they lead to, in units."""
        stakes = dict.fromkeys(self.course.main, 1)
        for choice in chosen.values():
            stakes |= choice.puts
        for back in (wager for choice in chosen.values() for wager in choice.option.takes_back):
            del stakes[back]
        lines = {
            post.line: Fraction(stakes[post.wager])
            for post in self.main_posts
            if post.wager in stakes and (not post.needs or post.needs in stakes)
        }
        names = {step: choice.option.name for step, choice in chosen.items()}
        facts = {
            name: fact.of_choices(names) for name, fact in self.lines.facts.by_name.items() if isinstance(fact, Chosen)
        }
        name = [choice.name for choice in chosen.values()][-1] if chosen else ""
        return Outlay(name, facts, lines, Fraction(sum(stakes.values())))


def _dealt(chapter: Chapter, figure: str) -> int:
    return max(each.value for each in chapter.figures if each.name == figure)


__all__ = ["CHOICES", "Game", "LineRule", "Lines", "Sight", "Versus"]
