"""The Analyst: a pay table to edit, and every exact figure that follows from it. Each tab is an address.

The page counts nothing itself. It asks the workroom, shows what is there, and follows the rest over the channel.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from fractions import Fraction
from functools import partial
from math import log10
from typing import Any, Final
from urllib.parse import urlencode

from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from pitboss.clock import day_of
from pitboss.findings import UnreadableError
from pitboss.games.registry import BANKED, GAMES
from pitboss.games.structure import PRINTED
from pitboss.law.model import SINGLE
from pitboss.names import units
from pitboss.paper import say
from pitboss.paper.files import MEDIA
from pitboss.paper.model import CellKind, Passage
from pitboss.paper.plot import decades
from pitboss.paper.say import net, percent
from pitboss.reports.cards import card_name, card_svg
from pitboss.reports.offer import row_title
from pitboss.typed import typed_percent
from pitboss.web import designing, protecting
from pitboss.web.analysis import (
    EXACT_TITLES,
    MAIN,
    Cell,
    Compared,
    EdgeAnswer,
    EditableTable,
    FiguresAnswer,
    Grid,
    Offer,
    Question,
    RowEffect,
    beside,
    changed_note,
    compare,
    more_rows,
    offer,
    read_grid,
    row_effects,
    sheets,
    targets,
    wager_title,
)
from pitboss.web.charts import (
    break_even_plot,
    comparison_plot,
    convergence_plot,
    holds_line,
    strategy_chart,
)
from pitboss.web.equity import EquityQuestion, equity_asked, equity_passages
from pitboss.web.live import View
from pitboss.web.play_analysis import hand, joint, progressive, strategy, tidy_cards
from pitboss.web.questions import HOME, address, basis, fields_of, is_large, lane_of, question_of
from pitboss.web.render import joined
from pitboss.web.simulating import ROUNDS, run_of, simulated
from pitboss.web.views.asking import READY, Inquiry, again, leave, moved, stream_of
from pitboss.web.views.base import Visit, page, route
from pitboss.web.views.paper_page import document
from pitboss.web.visitor import house
from pitboss.web.workroom import LONG, QUICK

TABS: Final[Mapping[str, tuple[str, tuple[str, ...]]]] = {
    "/analyst": ("Figures", ("from", "to", "rows")),
    "/analyst/letters": ("Pay tables side by side", ()),
    "/analyst/strategy": ("Strategy", ()),
    "/analyst/hand": ("One hand", ("cards", "up")),
    "/analyst/progressive": ("Progressive", ("folds",)),
    "/analyst/together": ("Two wagers", ("with",)),
    "/analyst/design": ("Design", designing.NAMES),
    "/analyst/protect": ("Protection", protecting.NAMES),
    "/analyst/simulation": ("Simulation", ("rounds", "seats", "seed")),
    "/analyst/equity": ("Players against each other", ()),
}
"""The title of each tab, and what it asks besides the question."""
EXAMPLE: Final = EquityQuestion(typed="As Ks Qs\n2c 2d 7h")
LOUDEST: Final = 0.001
"""From this chance on it is shown in percent, below as one in so many."""
BLOCKS: Final = ("setup", "figures", "editor", "result")


class AnalystTab:
    """What one address of the Analyst shows."""

    def __init__(self, visit: Visit, *, patient: bool = False) -> None:
        self.visit = visit
        self.given = visit.request.query_params
        self.path = visit.path
        self.tab = visit.path.removeprefix(HOME).removeprefix("/")
        self.question = question_of(self.given, day_of(house().pit.clock()))
        self.more = {name: self.given[name] for name in TABS[self.path][1] if self.given.get(name)}
        self.asking = Inquiry(visit, self.address, patient=patient)
        self.known: dict[str, Any] = {}
        self.offer: Offer | None = None
        self.grid = Grid()
        self.regions: tuple[str, ...] = BLOCKS
        self._answer()

    @property
    def address(self) -> str:
        """The address of what is shown, with only what this tab needs."""
        if self.tab == "equity":
            asked = {name: text for name, text in asdict(equity_asked(self.given)).items() if text}
            return address(self.path, Question(self.question.game, self.question.as_of), {**asked}) if asked else HOME
        return address(self.path, self.question, self.more)

    def view(self) -> View:
        key = self.address, self.visit.who.csrf, self.tab
        return View("analyst.html", self.regions, self.asking.stream, key, self.asking.state, lambda: self.known)

    def to(self, path: str, **more: str) -> str:
        """The same question in another tab."""
        return path if path.endswith("equity") else address(path, self.question, more)

    # What is asked

    def _answer(self) -> None:
        asked = self.question
        self.known = {
            "tab": self.tab,
            "path": self.path,
            "who": self.visit.who,
            "games": [(name, game.chapter.title) for name, game in BANKED.items()],
            "question": asked,
            "wagers": [],
            "letters": [],
            "readings": [],
            "has_stake": False,
            "sheets": [],
            "unit": "",
            "rows_wanted": True,
            "printed": None,
            "chapter": GAMES[asked.game].chapter,
            "passages": "",
            "drawings": [],
            "files": [],
            "wait": None,
            "refused": "",
            "stopped": False,
        }
        if self.tab == "equity":
            self._equity()
        else:
            self._of_the_question()
        self.known |= {
            "at": self.address,
            "basis": basis(self.question),
            "tabs": [(self.to(path), title, path == self.path) for path, (title, _) in TABS.items()],
            "stake": f"{self.question.stake / 100:g}",
            "touched": bool(self.grid.typed),
            "lawful_at": address(self.path, self.question.lawful),
            "fields": fields_of(self.question),
            "page_name": TABS[self.path][0],
            "to": self.to,
            "more": self.more,
        }

    def _of_the_question(self) -> None:
        self.offer = self.asking.ask("offer", QUICK, offer, self.question.game, self.question.as_of)
        if self.offer is None:
            self._read_later("offer")
            return
        wrong = self._settle_on(self.offer)
        tables = self.asking.ask("sheets", QUICK, sheets, self.question.lawful)
        grid = self.asking.ask("grid", QUICK, read_grid, self.question) if self.question.changes else self.grid
        if tables is None or grid is None:
            self._read_later("sheets", "grid")
            return
        self.grid = grid
        self.question = replace(self.question, changes=(*grid.changes, *_unread(grid)))
        kept = self.question  # the address keeps what could not be read, so that it can be put right
        self.asking.at(self.address)
        self.question = replace(self.question, changes=grid.changes)
        self.known |= {"question": self.question, "wrong": wrong, "title": self.offer.title}
        rows = {(sheet.name, row): odds for sheet in tables for row, odds in sheet.rows.items()}
        self.known["has_stake"] = any("$" in text for text in (*rows.values(), *grid.typed.values()))
        match self.path:
            case "/analyst":
                self._figures()
            case "/analyst/letters":
                self._letters()
            case "/analyst/strategy":
                self._strategy(self.offer)
            case "/analyst/hand":
                self._hand(self.offer)
            case "/analyst/progressive":
                self._progressive(self.offer)
            case "/analyst/together":
                self._together(self.offer)
            case "/analyst/design":
                self._design(tables)
            case "/analyst/protect":
                self._protect(self.offer)
            case "/analyst/simulation":
                self._simulation()
        self._sheets(tables, rows)
        self.question = kept

    def _settle_on(self, offered: Offer) -> str:
        """Choose what the question leaves open; a sentence where it names what there isn't."""
        asked, wrong = self.question, ""
        if asked.wager not in offered.variants:
            first = next(iter(offered.variants))
            if asked.wager != MAIN:
                wrong = f"{offered.title} has no wager {asked.wager[:40]!r}: this is {offered.wagers[first]}."
            asked = replace(asked, wager=first, letter=None, reading=None, changes=())
        listed = offered.variants[asked.wager]
        letters = list(dict.fromkeys(letter for letter, _ in listed))
        if asked.letter is not None and asked.letter not in letters:
            wrong = f"There is no pay table {asked.letter[:20]!r} here: this is {in_words(letters[0])}."
        letter = asked.letter if asked.letter in letters else letters[0]
        readings = [reading for known, reading in listed if known == letter]
        reading = asked.reading if asked.reading in readings else readings[0]
        self.question = replace(asked, letter=letter, reading=reading)
        self.known |= {
            "question": self.question,
            "wagers": list(offered.wagers.items()),
            "letters": [(each, letter_text(each)) for each in letters] if len(letters) > 1 else [],
            "readings": [(each, reading_text(each)) for each in readings] if len(readings) > 1 else [],
        }
        return wrong

    def _waits(self, *names: str) -> bool:
        """Show how far the first question that has no answer is, or why it was refused."""
        for name in names:
            state = self.asking.states.get(name)
            if state is None or state == READY:
                continue
            self.known["wait"] = self.asking.waiting.get(name)
            self.known["refused"] = self.asking.refused.get(name, "")
            self.known["stopped"] = name in self.asking.stopped
            return True
        return False

    def _read_later(self, *names: str) -> None:
        """Wait for the pay tables. Until then an open window keeps its editor, with the typed text and the focus."""
        self._waits(*names)
        self.regions = tuple(each for each in BLOCKS if each != "editor")

    def _export(self, title: str, path: str, question: Question, more: Mapping[str, str] | None = None) -> None:
        each = [(kind.upper(), address(f"{path}.{kind}", question, more)) for kind in MEDIA]
        self.known["files"].append((title, each))

    # Tabs

    def _sheets(self, tables: Sequence[Any], rows: Mapping[Cell, str]) -> None:
        """The pay tables to edit, with what each row does to the hold."""
        effects = self.known.get("effects") or {}
        added = {
            cell: title for cell, title in (self.asking_more() if self.tab == "" else {}).items() if cell not in rows
        }
        shown = []
        for sheet in tables:
            listed = []
            own = [row for table, row in self.grid.typed if table == sheet.name and row not in sheet.rows]
            for row in (*sheet.rows, *own):
                cell, law = (sheet.name, row), sheet.rows.get(row, "")
                effect = effects.get(cell)
                listed.append(
                    {
                        "name": f"cell.{sheet.name}.{row}|{law}",
                        "key": f"{sheet.name}.{row}",
                        "title": sheet.titles.get(row) or added.get(cell) or row_title(row),
                        "law": law,
                        "pays": self.grid.typed.get(cell, law),
                        "changed": cell in self.grid.typed,
                        "problem": self.grid.problems.get(cell, ""),
                        "own": own_effect(effect) if effect else self.known.get("own", "") * (cell in self.grid.typed),
                    }
                )
            more = [(row, title) for (table, row), title in added.items() if table == sheet.name and row not in own]
            shown.append({"sheet": sheet, "rows": listed, "more": more})
        self.known["sheets"] = shown

    def asking_more(self) -> Mapping[Cell, str]:
        """Rows that may be added, once they are known. Nothing waits for them."""
        large = is_large(self.question)
        if large and not self.more.get("rows"):
            return {}
        return self.asking.ask("more", LONG if large else QUICK, more_rows, self.question.lawful) or {}

    def _figures(self) -> None:
        question = self.question
        unit = question.unit if question.wager == MAIN else "wager"
        found = self.asking.ask("figures", lane_of(question), beside, question)
        if found is None:
            self._waits("figures")
            law = self.asking.ask("law", QUICK, beside, question.lawful) if question.changes else None
            self.known["meanwhile"] = None if law is None else tiles(law.answer, None, "")
            return
        letter = in_words(question.letter or SINGLE)
        self.known |= {
            "tiles": tiles(found.answer, found.law, letter),
            "remarks": found.answer.remarks,
            "published": found.answer.row.get("published") or "",
            "published_law": (found.law.row.get("published") or "") if found.law else "",
            "law_name": letter,
            "printed": found.printed,
            "in_words": in_words,
            "exact": [(EXACT_TITLES.get(name, name).capitalize(), text) for name, text in found.answer.exact.items()],
            "bars": bars(found),
            "net_unit": units(unit),
            "cite": str(found.answer.row["cite"]),
            "unit": unit,
            "unread": bool(self.grid.problems),
        }
        if found.law is not None and len(question.changes) == 1 and not self.grid.problems:
            self.known["own"] = points(
                Fraction(found.answer.exact["house_edge"]) - Fraction(found.law.exact["house_edge"])
            )
        self._effects()
        self._against()
        self._targets()
        self._export("Figures", "/analyst/figures", question)
        self._export("Mathematics report", "/analyst/report", question)
        svg = [("SVG", address(f"{HOME}/distribution.svg", question))] if found.answer.distribution else []
        self.known["files"] += [("Results as a drawing", svg)] if svg else []

    def _effects(self) -> None:
        large = is_large(self.question)
        self.known |= {"rows_wanted": not large or bool(self.more.get("rows")), "row_bars": [], "rows_wait": None}
        if not self.known["rows_wanted"]:
            return
        effects = self.asking.ask("rows", LONG if large else QUICK, row_effects, self.question)
        self.known["rows_wait"] = self.asking.waiting.get("rows")
        self.known["rows_refused"] = self.asking.refused.get("rows", "")
        self.known["effects"] = effects
        listed = [each for each in (effects or {}).values() if each.more]
        most = max((abs(float(each.more or 0)) for each in listed), default=0.0) or 1.0
        self.known["row_bars"] = [
            (each.title, points(each.more or Fraction(0)), f"{100 * abs(float(each.more or 0)) / most:.1f}",
             "pos" if (each.more or 0) < 0 else "neg")
            for each in sorted(listed, key=lambda each: each.more or Fraction(0))
        ]  # fmt: skip

    def _against(self) -> None:
        """The hold beside those of the law's tables."""
        found = self.asking.ask("letters", lane_of(self.question), compare, self.question)
        if found is not None and len(found) > 1:
            short = [
                (name.removeprefix("Table ").replace(" of", ""), hold, mine) for name, hold, mine in holds_of(found)
            ]
            self.known["line"] = joined([holds_line(short)])

    def _targets(self) -> None:
        low, high = self.more.get("from", ""), self.more.get("to", "")
        self.known |= {"aim_from": low or "3", "aim_to": high or "4", "aimed": "", "aim_wait": None, "aim_refused": ""}
        if not low and not high:
            return
        try:
            ends = typed_percent(low), typed_percent(high)
        except UnreadableError as problem:
            self.known["aim_refused"] = str(problem)
            return
        lane = LONG if is_large(self.question) else QUICK
        found = self.asking.ask("target", lane, targets, self.question.lawful, *ends)
        self.known["aim_wait"] = self.asking.waiting.get("target")
        self.known["aim_refused"] = self.asking.refused.get("target", "")
        self.known["aim_stopped"] = "target" in self.asking.stopped
        if found is not None:
            self.known["aimed"] = document(found)
            self._export("Target", "/analyst/target", self.question.lawful, {"from": low, "to": high})

    def _show(self, name: str, passages: Sequence[Passage] | None, *drawings: str) -> bool:
        """Show a document and drawings, or how far it is."""
        if passages is None:
            self._waits(name)
            return False
        self.known |= {"passages": document(passages), "drawings": [joined([each]) for each in drawings]}
        return True

    def _letters(self) -> None:
        found = self.asking.ask("letters", lane_of(self.question), compare, self.question)
        if found is None:
            self._waits("letters")
            return
        plot = comparison_plot(f"Hold of each pay table, of the {self.question.unit}", holds_of(found))
        self._show("letters", (Passage("Hold of each pay table", (plot,)),))
        self.known |= side_by_side(found)
        self.known["files"].append(("Pay tables", [("CSV", address(f"{HOME}/compare.csv", self.question))]))

    def _strategy(self, offered: Offer) -> None:
        main = self.question.main
        self.known["about_main"] = self._about_main(offered)
        if not GAMES[main.game].course.weighed:
            self.known["refused"] = f"Nothing is decided in {offered.title}."
            return
        found = self.asking.ask("strategy", LONG, strategy, main)
        if found is None:
            self._waits("strategy")
            return
        part = f" ({found.restriction})" if found.restriction else ""
        drawn = strategy_chart(f"Best play of {offered.title}{part}", found.charts, found.changed)
        self._show("strategy", found.passages, drawn)
        self._export("Strategy", "/analyst/strategy", main)
        self.known["files"].append(("Chart", [("SVG", address(f"{HOME}/strategy.svg", main))]))

    def _about_main(self, offered: Offer) -> str:
        """Of which main game a strategy or a hand is."""
        changed = " with your changes" if self.question.main.changes else ""
        default = "" if self.question.wager == MAIN else " at its first pay table. Choose the main game to change it"
        return f"The main game of {offered.title}{changed}{default}."

    def _hand(self, offered: Offer) -> None:
        own, seen = offered.own, offered.seen
        main = self.question.main
        cards, up = (tidy_cards(self.more.get(name, "")) for name in ("cards", "up"))
        self.known |= {
            "about_main": self._about_main(offered), "own": own, "seen": seen, "faced": offered.faced,
            "most_up": max(seen, default=0), "cards": cards, "up": up, "held": "", "turned": "",
        }  # fmt: skip
        if not seen:
            self.known["refused"] = f"Nothing is decided in {offered.title}."
        if not seen or not cards:
            return
        lane = LONG if is_large(replace(main, changes=("",))) else QUICK
        found = self.asking.ask("hand", lane, hand, main, cards, up if any(seen) else "")
        if found is not None:
            self.known |= {
                "held": joined(card_svg(each, width=64) for each in found.cards),
                "turned": joined(card_svg(each, width=64) for each in found.up),
                "spoken": ", ".join(map(card_name, (*found.cards, *found.up))),
                "about": found.about,
            }
            self._export("This hand", "/analyst/hand", main, {"cards": cards, "up": up})
        self._show("hand", None if found is None else found.passages)

    def _progressive(self, offered: Offer) -> None:
        fed = {name: title for name, title in offered.wagers.items() if name in offered.meters}
        self.known |= {"fed": [(self._choosing(name), title) for name, title in fed.items()], "folds": False}
        if self.question.wager not in offered.meters:
            self.known["refused"] = (
                "This wager feeds no meter. Choose one that does." if fed else "This game has no progressive wager."
            )
            return
        folds = self.more.get("folds") == "1"
        self.known["folds"] = folds
        found = self.asking.ask("meters", LONG if folds else QUICK, progressive, self.question, folds)
        if found is None:
            self._waits("meters")
            return
        title = offered.wagers[self.question.wager]
        plots = tuple(
            Passage(
                f"Player's expected value against the {line.tier}",
                (break_even_plot(f"{title}: break-even of the {line.tier}", line, found.others, found.changed),),
            )
            for line in found.lines
        )
        self._show("meters", (*found.passages, *plots))
        self._export("Progressive", "/analyst/progressive", self.question, {"folds": "1"} if folds else {})
        self.known["files"].append(("Chart", [("SVG", address(f"{HOME}/progressive.svg", self.question))]))

    def _choosing(self, wager: str) -> str:
        return address(self.path, replace(self.question, wager=wager, letter=None, reading=None, changes=()))

    def _together(self, offered: Offer) -> None:
        others = [(name, title) for name, title in offered.wagers.items() if name != self.question.wager]
        others.sort(key=lambda each: each[0] in offered.meters)
        other = self.more.get("with", "") or (others[0][0] if others else "")
        self.known |= {"others": others, "other": other}
        if not others:
            self.known["refused"] = f"{offered.title} has one wager only."
            return
        lane = LONG if is_large(replace(self.question.main, changes=("",))) else QUICK
        found = self.asking.ask("joint", lane, joint, self.question, other)
        if self._show("joint", found):
            self._export("Two wagers", "/analyst/together", self.question, {"with": other})

    def _design(self, tables: Sequence[EditableTable]) -> None:
        question = self.question.lawful
        wish = designing.wish_of(self.more)
        self.known |= {
            "wish": wish, "orders": designing.ORDERS, "steps": designing.UNITS, "tastes": designing.TASTES,
            "designable": [("", "As usual"), *((each.name, each.title) for each in tables)] if tables[1:] else [],
            "row_names": [row.replace("_", " ") for each in tables for row in each.rows],
            "is_main": question.wager == MAIN, "wanted": bool(self.more), "found": [],
        }  # fmt: skip
        if not self.more:
            return
        found = self.asking.ask("design", LONG if question.wager == MAIN else QUICK, designing.designed, question, wish)
        if not self._show("design", None if found is None else found.passages) or found is None:
            return
        more = designing.fields_of(wish)
        for nth, (pays, hold, changes) in enumerate(found.tables, 1):
            changed = replace(question, changes=changes)
            saved = address("/analyst/design.toml", question, more | {"nth": str(nth)})
            self.known["found"].append((pays, percent(hold), address(HOME, changed), saved))
        self._export("Design", "/analyst/design", question, more)

    def _protect(self, offered: Offer) -> None:
        asked = protecting.protection_asked(self.more)
        self.known |= {"about_main": self._about_main(offered), "asked": asked, "wanted": bool(self.more)}
        if not self.more:
            return
        found = self.asking.ask("protect", LONG, protecting.protection, self.question.main, asked)
        if self._show("protect", found):
            self._export("Protection", "/analyst/protect", self.question.main, protecting.fields_of(asked))

    def _simulation(self) -> None:
        run = run_of(self.more)
        self.known |= {
            "run": run, "rounds": [(str(each), f"{each:,}") for each in ROUNDS],
            "wanted": bool(self.more),
        }  # fmt: skip
        if not self.more:
            return
        found = self.asking.ask("simulation", LONG, simulated, self.question, run)
        if found is None:
            self._waits("simulation")
            return
        title = f"Mean of {wager_title(self.question.game, self.question.wager)} after so many rounds"
        plot = (Passage("Convergence", (convergence_plot(title, found.means, found.exact),)),) if found.means else ()
        self._show("simulation", (*plot, *found.passages))
        asked = {"rounds": str(run.rounds), "seats": str(run.seats), "seed": str(run.seed)}
        self._export("Simulation", "/analyst/simulation", self.question, asked)

    def _equity(self) -> None:
        games = [(name, game.chapter.title) for name, game in GAMES.items() if name not in BANKED]
        asked = equity_asked(self.given)
        empty = not asked.typed.strip()
        if asked.game not in dict(games):
            asked = replace(asked, game=games[0][0])
        self.known |= {
            "contests": games,
            "asked": replace(asked, typed=EXAMPLE.typed) if empty else asked,
            "why": [GAMES[name].no_edge for name, _ in games],
        }
        if empty:
            return
        found = self.asking.ask("equity", QUICK, equity_passages, self.question.as_of, asked)
        if self._show("equity", found):
            more = {name: text for name, text in asdict(asked).items() if text}
            files = [(kind.upper(), f"{HOME}/equity.{kind}?{urlencode(more | {'as_of': str(self.question.as_of)})}")
                     for kind in MEDIA]  # fmt: skip
            self.known["files"].append(("Equity", files))


def _unread(grid: Grid) -> list[str]:
    return [f"{table}.{row}={grid.typed[table, row] or 'none'}" for table, row in grid.problems]


# Words and drawings


def letter_text(letter: str) -> str:
    """A pay table's name; ``c:A`` is table A of another paragraph than the first.

    >>> letter_text("B"), letter_text("c:A"), letter_text("-")
    ('Table B', 'Table A of (c)', 'As printed')
    """
    paragraph, colon, name = letter.rpartition(":")
    if letter == SINGLE:
        return "As printed"
    return f"Table {name} of ({paragraph})" if colon else f"Table {letter}"


def in_words(letter: str) -> str:
    """A pay table's name within a sentence.

    >>> in_words("B"), in_words("-")
    ('table B', 'the printed table')
    """
    text = letter_text(letter)
    return "the printed table" if letter == SINGLE else text[:1].lower() + text[1:]


def reading_text(reading: str) -> str:
    return "As printed" if reading == PRINTED else reading.replace("-", " ").capitalize()


def points(change: Fraction) -> str:
    """A change of a hold in percentage points.

    >>> points(Fraction(-1, 400)), points(Fraction(0))
    ('−0.2500', '0')
    """
    if not change:
        return "0"
    return f"{'+' if change > 0 else '−'}{abs(float(100 * change)):.4f}"


def own_effect(effect: RowEffect) -> str:
    return "" if effect.own is None else points(effect.own)


def holds_of(found: Sequence[Compared]) -> list[tuple[str, float, bool]]:
    return [(column_name(each), each.row["house_edge"], each.changed) for each in found]


def column_name(each: Compared) -> str:
    return "Yours" if each.changed else letter_text(each.letter)


def tiles(answer: EdgeAnswer, law: EdgeAnswer | None, letter: str) -> list[dict[str, Any]]:
    """The figures; where rows were changed, the law's figure stands beneath each."""
    before = {} if law is None else {datum.key: datum for datum in law.data}
    found = []
    for number, datum in enumerate(answer.data):
        if datum.kind == CellKind.EXACT:
            continue
        label, _, of = datum.label.partition(", ")
        if label == "Hit frequency":
            of = "of rounds"
        under, gain = "", ""
        was = before.get(datum.key)
        if was is not None:
            words = say.words(was.value, was)
            under = f"{letter}: {words}"
            if number == 0 and isinstance(datum.value, Fraction) and isinstance(was.value, Fraction):
                change = datum.value - was.value
                way = "lower" if change < 0 else "higher"
                gain = f"{points(abs(change)).lstrip('+')} points {way}" if change else "the same"
                under = f"than {letter}, {words}" if change else f"as {letter}, {words}"
        if number == 0 and answer.row["house_edge"] < 0:
            of = f"{of}, in the player's favor"
        found.append(
            {"label": label, "of": of, "value": say.words(datum.value, datum), "gain": gain,
             "under": under, "lead": number == 0}
        )  # fmt: skip
    return found


def bars(found: FiguresAnswer) -> list[dict[str, str]]:
    """How a round ends: a bar for each net result on a scale of powers of ten, with a stroke at the law's chance."""
    chances, law = found.answer.distribution, found.law.distribution if found.law else {}
    nets = sorted({each for source in (chances, law) for each, chance in source.items() if chance})
    every = [float(chance) for source in (chances, law) for chance in source.values() if chance]
    powers = decades(every)

    def place(chance: Fraction | None) -> str:
        return f"{max(100 * (1 + log10(float(chance)) / powers), 0.6):.2f}" if chance else ""

    return [
        {
            "net": net(each),
            "wide": place(chances.get(each)),
            "law": place(law.get(each)) if law and law.get(each) != chances.get(each) else "",
            "kind": "neg" if each < 0 else "pos" if each > 0 else "nil",
            "chance": chance_text(chances.get(each)),
            "was": was if law and (was := chance_text(law.get(each))) != chance_text(chances.get(each)) else "",
        }
        for each in nets
    ]


def chance_text(chance: Fraction | None) -> str:
    """A chance as people say it.

    >>> chance_text(Fraction(1, 8)), chance_text(Fraction(1, 40_000)), chance_text(None)
    ('12.50 %', '1 in 40,000', 'never')
    """
    if not chance:
        return "never"
    return percent(chance, 2) if chance >= LOUDEST else f"1 in {round(1 / chance):,}"


FIGURES: Final[Mapping[str, tuple[str, Callable[[float], str]]]] = {
    "house_edge": ("Hold", percent),
    "element_of_risk": ("Element of risk", percent),
    "hit_frequency": ("Hit frequency", partial(percent, places=2)),
    "standard_deviation": ("Standard deviation", "{:.4f}".format),
}
"""What stands side by side, by the names of a row: its title and how it is written."""


def side_by_side(found: Sequence[Compared]) -> dict[str, Any]:
    """Pay tables as columns: pays, then figures."""
    pays = dict.fromkeys(row for each in found for row in each.pays)
    figures = [
        (title, [show(each.row[key]) if key in each.row else "" for each in found])
        for key, (title, show) in FIGURES.items()
        if any(key in each.row for each in found)
    ]
    return {
        "columns": [(column_name(each), each.changed) for each in found],
        "pays": [(row_title(row), [each.pays.get(row, "–") for each in found]) for row in pays],
        "figure_rows": figures,
        "changed": "".join(changed_note(each.row) for each in found),
        "restriction": next((each.row["restriction"] for each in found if each.row.get("restriction")), ""),
    }


# The page


def show(visit: Visit) -> Response:
    desk = AnalystTab(visit, patient=True)
    was, window = (visit.request.headers.get(name, "") for name in ("x-was", "x-window"))
    if was and was != desk.address:
        leave(stream_of(visit, was))
    if window:
        moved(desk.asking, window[:40])
    if (
        any(name.startswith("cell.") or name == "of" for name in desk.given)
        and "x-regions" not in visit.request.headers
    ):
        return RedirectResponse(desk.address, 303)
    about = "players against each other" if desk.tab == "equity" else desk.known["chapter"].title
    busy = bool(desk.asking.waiting)
    name = TABS[desk.path][0] if desk.tab else "Analyst"
    return page(visit, "analyst.html", f"Analyst: {about}", view=desk.view(), busy=busy, page_title=name)


def look(visit: Visit) -> View:
    return AnalystTab(visit).view()


def press(visit: Visit) -> Response:
    """Cancel what this page waits for, or have it counted after all."""
    desk = AnalystTab(visit)
    if visit.typed("do") == "cancel":
        leave(desk.asking.stream, stop=True)
    elif visit.typed("do") == "again":
        again(desk.asking.stream)
    return RedirectResponse(desk.address, 303)


ROUTES: Final[tuple[Route, ...]] = tuple(route(path, show, press, look) for path in TABS)
