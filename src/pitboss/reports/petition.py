"""The petition for a game as a document: what a state asks for, each item with the part that shows it or as missing."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from pitboss.findings import UnknownName
from pitboss.games.facts import Compare
from pitboss.games.layout import required_layout
from pitboss.games.registry import GAMES
from pitboss.games.rules import Rules
from pitboss.games.walk import rolls
from pitboss.law.cite import Cite
from pitboss.law.index import paragraphs
from pitboss.law.model import SINGLE, Wager
from pitboss.names import listed, shown, units
from pitboss.paper.model import (
    Block,
    CellKind,
    Column,
    Datum,
    Figures,
    Listing,
    Paper,
    Passage,
    Remark,
    Row,
)
from pitboss.paper.say import percent
from pitboss.reports.examples import Examples, find_examples
from pitboss.reports.flowchart import FlowStep, flow_blocks, flow_of, joined
from pitboss.reports.form import table_listing
from pitboss.reports.layout import DEVICES, layout_parts
from pitboss.reports.numbers import is_wheel
from pitboss.reports.offer import limits_text, offered_tables
from pitboss.reports.procedures import irregularity_blocks, procedure_blocks
from pitboss.reports.requirements import Requirement, StateRequirements, requirements
from pitboss.reports.sign import sign_paper
from pitboss.reports.stamp import imprint, stamp_of
from pitboss.school.rounds import procedure_cite
from pitboss.school.sheet import words
from pitboss.submission import Submission

if TYPE_CHECKING:
    from pitboss.exact.breakdown import LinePart
    from pitboss.exact.duel import Progress
    from pitboss.exact.figures import EdgeFigures
    from pitboss.reports.strategies import PlayList, StrategyFigures

PARTS: Final[Mapping[str, str]] = {
    "summary": "Summary of the game",
    "equipment": "Equipment",
    "rules": "Rules",
    "examples": "Examples: win, lose and tie",
    "flow": "Flow chart of a round",
    "procedure": "Dealing procedure",
    "irregularities": "Irregularities and remedies",
    "odds": "True odds, payout odds and house advantage",
    "layout": "Layout",
    "sign": "Sign",
    "rack_card": "Rack card",
    "signature": "Signatures",
}
"""Everything that a petition can hold, in its order."""
ON_A_NEW_SHEET: Final = frozenset({"flow", "layout", "sign", "rack_card", "signature"})
NO_FIGURES: Final = "This copy was made with --no-holds: make it without."
NO_PLAY: Final = "Basic play isn't on the card: this copy was made without best play (--no-play or --no-holds)."
NO_REMEDIES: Final = "The chapter prints no irregularity for this game: write the remedies."
SCALE: Final = 11
"""An inch of the drawing is so many of the layout, which then fits across Letter paper."""
MOST_SENTENCES: Final = 12
"""Sentences of basic play that a rack card has room for."""
CHECKLIST: Final = (
    Column("item", "Item", CellKind.SENTENCE),
    Column("cite", "By", rank=2),
    Column("status", "Here"),
    Column("add", "What to add", CellKind.SENTENCE, rank=3),
)
WAGERS: Final = (
    Column("wager", "Wager"),
    Column("made", "Made"),
    Column("needs", "Only with", CellKind.SENTENCE, rank=2),
    Column("dollars", "Dollars"),
    Column("table", "Table", rank=2),
    Column("paragraph", "Paragraph", CellKind.CITES),
)
CHOICES: Final = (
    Column("step", "When"),
    Column("choices", "What a player may choose", CellKind.SENTENCE),
    Column("paragraph", "Paragraph", CellKind.CITES),
)
LAW: Final = (Column("paragraph", "Paragraph", CellKind.CITES), Column("does", "What it does", CellKind.SENTENCE))
ODDS: Final = (
    Column("outcome", "Outcome"),
    Column("pays", "Payout odds", CellKind.ODDS),
    Column("against", "True odds against, to 1", CellKind.FIGURE, places=2),
    Column("chance", "Probability", CellKind.CHANCE),
    Column("ways", "Ways", CellKind.COUNT, rank=3),
    Column("part", "Contribution", CellKind.FIGURE, places=6, rank=2),
)
LINE_ODDS: Final = (Column("line", "Wager"), *ODDS)
"""Of the main wagers, line by line."""
RACK: Final = (Column("wager", "Wager"), Column("pays", "Pays", CellKind.SENTENCE))
DEVICES_LISTED: Final = (Column("device", "Device"), Column("paragraph", "Paragraph", CellKind.CITES))
SIGNED: Final = ("Petitioner", "Address", "Signature", "Title", "Date")
LAW_NOTE: Final = (
    "Each paragraph as it is carried out here, those of wagers not on offer included. The text of 58 Pa. Code governs."
)
ODDS_NOTE: Final = (
    "Counted over all deals, not sampled. True odds against an outcome are (1 − p) / p to 1. A contribution is "
    "probability × net for one unit wagered; a share of a meter counts as a lost stake here. Where a text can be read "
    "in several ways, outcomes are those of the reading filed."
)


@dataclass(frozen=True)
class PetitionFigures:
    """The exact figures of a petition."""

    found: tuple["EdgeFigures", ...]
    lines: Mapping[int, tuple["LinePart", ...]] = field(default_factory=dict)
    """By number of the wager: its lines, where it is several together."""
    strategy: "StrategyFigures | None" = None

    @property
    def basic_play(self) -> "PlayList | None":
        """The list to learn that costs least among those short enough for a card."""
        lists = [] if self.strategy is None else [*self.strategy.lists]
        short = [each for each in lists if len(each.sentences) <= MOST_SENTENCES]
        return min(short, key=lambda each: each.cost, default=None)


@dataclass(frozen=True)
class PetitionPart:
    """A numbered part of the document; ``lacks`` says why it doesn't do for an item that asks for it."""

    key: str
    number: int
    blocks: tuple[Block, ...]
    lacks: str = ""

    @property
    def title(self) -> str:
        return f"{self.number}. {PARTS[self.key]}"


@dataclass(frozen=True)
class Petition:
    """A submission as a petition to one state, counted once for every medium."""

    submission: Submission
    rules: Rules
    asked: StateRequirements
    examples: Examples
    figures: PetitionFigures | None = None

    def parts(self) -> tuple[PetitionPart, ...]:
        """The parts that have anything to show, numbered in their order."""
        blocks = {key: tuple(found) for key, found in self._blocks().items()}
        lacks = self._lacks()
        shown_parts = [key for key in PARTS if blocks[key]]
        return tuple(
            PetitionPart(key, number, blocks[key], lacks.get(key, "")) for number, key in enumerate(shown_parts, 1)
        )

    def _blocks(self) -> dict[str, Sequence[Block]]:
        submission, rules = self.submission, self.rules
        about, drawn, legend = layout_parts(submission, rules, SCALE)
        below = (replace(each, rank=4) if each.key == "rests on" else each for each in legend.columns)
        return {
            "summary": tuple(self._summary()),
            "equipment": tuple(_equipment(submission, rules)),
            "rules": tuple(_rules(rules)),
            "examples": tuple(self.examples.blocks()),
            "flow": flow_blocks(rules),
            "procedure": procedure_blocks(rules),
            "irregularities": irregularity_blocks(rules),
            "odds": tuple(self._odds()),
            "layout": (Remark(about), drawn, replace(legend, columns=tuple(below))),
            "sign": tuple(_sign(submission, rules)),
            "rack_card": tuple(self._rack_card()),
            "signature": (Figures(tuple(Datum(each, None, CellKind.BLANK) for each in SIGNED)),),
        }

    def _lacks(self) -> dict[str, str]:
        """Why parts are left out, or don't do."""
        game = GAMES[self.rules.game]
        found = {"irregularities": "" if irregularity_blocks(self.rules) else NO_REMEDIES}
        if not game.no_edge:
            found["odds"] = "" if self.figures else NO_FIGURES
            played = self.figures is not None and self.figures.strategy is not None
            found["rack_card"] = "" if played or not game.course.weighed else NO_PLAY
        return found

    def status(self, item: Requirement, parts: Sequence[PetitionPart] | None = None) -> tuple[bool, str]:
        """Whether the document has an item, and where, or what is to be added."""
        places = {each.key: each for each in (self.parts() if parts is None else parts) if not each.lacks}
        if item.shown_by(places):
            numbers = sorted(places[key].number for key in item.parts)
            return True, f"part{'s' * (len(numbers) > 1)} {joined([*map(str, numbers)])}"
        reasons = [reason for key, reason in self._lacks().items() if key in item.parts and reason]
        return False, " ".join((*reasons, item.add)).strip()

    def as_dict(self) -> dict[str, Any]:
        """The checklist, the examples, the course and the figures as plain values."""
        from pitboss.reports.holds import filed_dict

        parts, rules, asked = self.parts(), self.rules, self.asked
        states = [(item, *self.status(item, parts)) for item in asked.items]
        return {
            "petition": asked.state,
            "authority": asked.authority,
            "source": asked.source,
            "source_text": asked.text,
            "game": rules.game,
            "chapter": rules.chapter.chapter,
            "certificate_holder": self.submission.certificate_holder,
            "effective": str(self.submission.effective),
            "law": str(stamp_of(rules.as_of)),
            "parts": {each.key: each.title for each in parts},
            "items": [
                {"asks": item.asks, "cite": item.cite, "here": here, "parts": [*item.parts] if here else [],
                 "add": item.add if here else said}
                for item, here, said in states
            ],
            "course": [each.as_dict() for each in flow_of(rules)],
            "examples": self.examples.as_dict(),
            **({"no_edge": GAMES[rules.game].no_edge} if GAMES[rules.game].no_edge else {}),
            **({"wagers": [filed_dict(each) for each in self.figures.found]} if self.figures else {}),
        }  # fmt: skip

    def paper(self, printed: int | None = None) -> Paper:
        """The petition as a document."""
        rules, asked, parts = self.rules, self.asked, self.parts()
        here = [self.status(item, parts) for item in asked.items]
        ticked = sum(done for done, _ in here)
        rows = tuple(map(_item_row, asked.items, here))
        said = f"{ticked} of {len(rows)} items are here; the petitioner adds the others."
        source = f"Items of {asked.source}, {asked.text}. Check them against the state's current text before filing."
        checklist = (Remark(said), Listing("checklist", CHECKLIST, rows), Remark(source, tone="fine"))
        passages = (
            Passage(f"What {asked.name} asks for", checklist),
            *(Passage(each.title, each.blocks, each.key in ON_A_NEW_SHEET) for each in parts),
        )
        law = f"58 Pa. Code Chapter {rules.chapter.chapter}, law of {rules.as_of}"
        return Paper(
            "petition",
            f"Petition for {rules.chapter.title}: {asked.name}",
            (self.submission.certificate_holder, f"To the {asked.name} {asked.authority}", law),
            passages,
            imprint(rules.as_of, printed),
            main="checklist",
        )

    def _summary(self) -> Iterator[Block]:
        rules, game = self.rules, GAMES[self.rules.game]
        titles = (wager.title for wager in rules.wagers.values())
        data = [
            Datum("Game", rules.chapter.title),
            Datum("Law", f"58 Pa. Code Chapter {rules.chapter.chapter}"),
            Datum("Seats", rules.seats, CellKind.COUNT),
            Datum("Dealt from" if not rolls(game) else "Played with", words(rules.choices.device)),
            Datum("Wagers on offer", ", ".join(titles)),
        ]
        if self.figures is not None:
            holds = (f"{each.name}: {percent(each.hold)} of the {each.unit}" for each in self.figures.found[:1])
            data += [Datum("House advantage", each) for each in holds]
        yield Figures(tuple(data))
        yield Remark(_objective(rules))
        steps = ". ".join(each.words for each in flow_of(rules))
        yield Remark(f"A round goes like this. {steps}.")
        if game.no_edge:
            yield Remark(game.no_edge)

    def _odds(self) -> Iterator[Block]:
        if no_edge := GAMES[self.rules.game].no_edge:
            yield Remark(no_edge)
        if self.figures is None:
            return
        from pitboss.reports.figures import summary

        yield summary(self.figures.found)
        yield Remark(ODDS_NOTE, tone="fine")
        for number, each in enumerate(self.figures.found, 1):
            if any(other.name == each.name for other in self.figures.found[: number - 1]):
                continue
            title = f"{', '.join(_full_name(each, self.figures.found))}: house advantage {percent(each.hold)}"
            if parts := self.figures.lines.get(number, ()):
                yield Listing(f"odds_{number}", LINE_ODDS, tuple(_line_rows(each, parts)), title=title)
            else:
                yield Listing(f"odds_{number}", ODDS, tuple(_outcome_rows(each)), title=title)

    def _rack_card(self) -> Iterator[Block]:
        """How to play, what it pays and basic play, on one small page."""
        rules, game = self.rules, GAMES[self.rules.game]
        yield Remark(f"{rules.chapter.title}: how to play", tone="good")
        yield Remark(" ".join(f"{number}. {each.words}." for number, each in enumerate(flow_of(rules), 1)))
        rows = tuple(
            (each.short_title, "; ".join(f"{hand} {odds}" for hand, odds in each.rows))
            for each in offered_tables(rules)
        )
        if rows:
            yield Listing("rack_card", RACK, rows, title="What it pays")
        if game.no_edge:
            yield Remark("Players bet against each other. The house takes the rake and plays no hand.")
            return
        if not game.course.weighed:
            yield Remark("After the wagers are placed, there is nothing to decide.")
            return
        play = self.figures.basic_play if self.figures is not None else None
        if play is None or self.figures is None or self.figures.strategy is None:
            yield Remark(NO_PLAY, tone="warning")
            return
        unit = self.figures.strategy.unit
        yield Remark("Basic play", tone="good")
        yield from map(Remark, play.sentences)
        cost = f"It costs {percent(play.cost)} of the {unit} a round beside the best play."
        yield Remark(cost if play.cost else "No other play is better.", tone="fine")
        if self.figures.strategy.restriction:
            yield Remark(f"Of a part of the game: {self.figures.strategy.restriction}.", tone="fine")


def petition_of(
    submission: Submission,
    rules: Rules,
    state: str,
    progress: "Progress | None" = None,
    *,
    holds: bool = True,
    play: bool = True,
) -> Petition:
    """Deal the examples and count the figures. ``holds`` counts every wager, ``play`` also looks for basic play."""
    known = requirements()
    if state not in known:
        raise UnknownName(f"{state!r} is no state whose items are known; they are {listed(known)}.")
    figures = _figures(submission, rules, progress, play) if holds and not GAMES[rules.game].no_edge else None
    return Petition(submission, rules, known[state], find_examples(rules), figures)


def _figures(submission: Submission, rules: Rules, progress: "Progress | None", play: bool) -> PetitionFigures:
    from pitboss.exact.breakdown import line_parts
    from pitboss.exact.edge import MAIN
    from pitboss.exact.engine import play_of
    from pitboss.reports.holds import counted
    from pitboss.reports.strategies import strategy_figures

    found = tuple(counted(submission, rules, progress))
    main = {number: each for number, each in enumerate(found, 1) if each.wager == MAIN}
    lines = {
        number: line_parts(each.game, each.rules, play_of(each.game, each.rules, progress))
        for number, each in main.items()
        if not each.game.scope(each.reading).draws
    }
    first = next(iter(main.values()), None)
    if not play or first is None or not first.game.course.weighed:
        return PetitionFigures(found, lines)
    strategy, _ = strategy_figures(first.game, first.rules, first.variant, progress)
    return PetitionFigures(found, lines, strategy)


def _full_name(each: "EdgeFigures", found: Sequence["EdgeFigures"]) -> Iterator[str]:
    """A wager's name, with its table, and with its reading where others are counted too."""
    yield each.name
    if each.letter != SINGLE:
        yield f"table {each.conditions.lettered}"
    if sum(other.name == each.name for other in found) > 1:
        yield f"reading {each.reading}"


def _line_rows(each: "EdgeFigures", parts: Sequence["LinePart"]) -> Iterator[Row]:
    """Every line of the main wagers, where it is made."""
    from pitboss.paper.say import net
    from pitboss.reports.analysis import part_title
    from pitboss.reports.figures import odds_of

    for part in parts:
        if part.stake:
            pays = odds_of(part.row) or (f"{net(part.net / part.stake)[1:]} to 1" if part.net > 0 else "")
            stake = each.unit if part.stake == 1 else units(each.unit)
            outcome = f"{part_title(each, part, parts)}, {net(part.stake)[1:]} {stake}"
            yield shown(part.line), outcome, pays, *_chances(part.chance), part.ways, part.contribution


def _outcome_rows(each: "EdgeFigures") -> Iterator[Row]:
    """Every outcome of a wager; of main wagers whose lines aren't counted apart, what they win or lose together."""
    from pitboss.exact.figures import outcomes_of
    from pitboss.exact.side import SideResult
    from pitboss.paper.say import net
    from pitboss.reports.figures import odds_of, outcome_title

    outcomes, side = outcomes_of(each), isinstance(each.result, SideResult)
    rows = [*dict.fromkeys(outcome.paid_by for outcome in outcomes if outcome.paid_by is not None)]
    cycle = sum(outcome.ways for outcome in outcomes)
    for outcome in outcomes:
        chance = Fraction(outcome.ways, cycle)
        title = outcome_title(each.rules, outcome, rows) if side else f"Net {net(outcome.net)} {units(each.unit)}"
        yield title, odds_of(outcome.paid_by), *_chances(chance), outcome.ways, chance * outcome.net


def _item_row(item: Requirement, status: tuple[bool, str]) -> Row:
    here, said = status
    return item.asks, item.cite, f"✓ {said}" if here else "missing", item.add if here else said


def _objective(rules: Rules) -> str:
    """What players try to do, from the facts that its lines read."""
    game = GAMES[rules.game]
    if game.course.contest:
        return "Players bet against each other. The best hand still in takes the pot."
    if rolls(game):
        chance = "where the ball comes to rest" if is_wheel(rules) else "what the dice show"
        return f"Players wager on {chance}. Each wager is paid by its odds."
    if any(isinstance(fact, Compare) for fact in game.lines.facts.by_name.values()):
        return "Each player's hand plays against the dealer's. Wagers with a pay table are paid by the hand."
    return "Each player's hand is paid by a pay table. The dealer plays no hand."


def _equipment(submission: Submission, rules: Rules) -> Iterator[Block]:
    yield table_listing(submission, rules.chapter)
    items = [item for item in required_layout(rules) if item.item.endswith(DEVICES)]
    rows = tuple((shown(item.item), (str(item.cite),)) for item in items)
    if rows:
        yield Listing("devices", DEVICES_LISTED, rows, title="Devices")


def _rules(rules: Rules) -> Iterator[Block]:
    """Wagers, choices, the ranks of hands and how a round is completed, with the pay tables."""
    from pitboss.reports.math_report import pay_tables

    wagers = tuple(_wager(rules, each) for each in rules.wagers.values())
    yield Listing("wagers", WAGERS, wagers, title="Wagers on offer")
    choices = tuple(map(_choice, (each for each in flow_of(rules) if each.choice)))
    if choices:
        yield Listing("choices", CHOICES, choices, title="Choices")
    if offered_tables(rules):
        yield pay_tables(rules)
    for title, section in _sections(rules).items():
        rows = tuple(
            ((str(cite),), each.does)
            for cite, each in paragraphs().items()
            if (cite.chapter, cite.section, each.kind) == (rules.chapter.chapter, section, "rule")
        )
        if rows:
            yield Listing(f"section_{section}", LAW, rows, title=title)
    yield Remark(LAW_NOTE, tone="fine")


def _sections(rules: Rules) -> dict[str, int]:
    """The sections on the ranks of hands and on the completion of a round, by their titles."""
    completion = Cite.parse(procedure_cite(rules, "settle-in-turn")).section
    return {
        f"§ {each.cite} {each.title}": each.cite.section
        for each in rules.chapter.sections
        if each.period.covers(rules.as_of) and ("ranking" in each.title.lower() or each.cite.section == completion)
    }


def _wager(rules: Rules, wager: Wager) -> Row:
    first = ("the spin" if is_wheel(rules) else "the dice") if rolls(GAMES[rules.game]) else "the cards"
    made = f"{wager.placed} {first}"
    made += ", by everybody" if wager.role in ("unit", "required") and wager.placed == "before" else ""
    table = rules.tables.get(wager.paytable)
    letter = "" if table is None or table.letter == SINGLE else table.letter
    needs = [_titled(rules, wager.needs_all, " and "), _titled(rules, wager.needs_any, " or ")]
    return wager.title, made, "; ".join(filter(None, needs)), limits_text(rules, wager), letter, (str(wager.cite),)


def _titled(rules: Rules, names: Sequence[str], join: str) -> str:
    return join.join(rules.wagers[name].title for name in names if name in rules.wagers)


def _choice(step: FlowStep) -> Row:
    choices = "; ".join((*step.goes_on, *step.leaves))
    return step.words, f"{choices[:1].upper()}{choices[1:]}.", (step.cite,) if step.cite else ()


def _sign(submission: Submission, rules: Rules) -> Iterator[Block]:
    """What the sign at the table says, in its order."""
    for each in sign_paper(submission, rules).passages:
        yield Remark(each.title, each.cites, tone="good")
        yield from each.blocks


def _chances(chance: Fraction) -> tuple[Fraction, Fraction]:
    """True odds against, to 1, and the probability."""
    return (1 - chance) / chance, chance
