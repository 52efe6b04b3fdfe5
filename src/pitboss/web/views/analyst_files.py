"""What the Analyst hands out: documents and drawings, each at an address that says what was asked."""

from typing import Any, Final

from starlette.datastructures import QueryParams
from starlette.routing import Route

from pitboss.clock import day_of
from pitboss.findings import UnreadableError
from pitboss.paper.files import MEDIA
from pitboss.paper.plot import svg_of
from pitboss.web.analysis import (
    MAIN,
    Question,
    changed_note,
    compare,
    compare_csv,
    figures,
    figures_csv,
    figures_document,
    target_file,
    wager_title,
)
from pitboss.web.charts import break_even_plot, distribution_plot, strategy_chart
from pitboss.web.designing import design_file, design_table, wish_of
from pitboss.web.equity import equity_asked, equity_file
from pitboss.web.play_analysis import (
    hand_file,
    joint_file,
    progressive,
    progressive_file,
    report_document,
    strategy,
    strategy_csv,
    strategy_file,
)
from pitboss.web.protecting import protection_asked, protection_file
from pitboss.web.questions import HOME, is_large, lane_of, question_of
from pitboss.web.simulating import run_of, simulation_file
from pitboss.web.views.making import WantedFile, routes
from pitboss.web.visitor import house
from pitboss.web.workroom import LONG, QUICK

Work = tuple[Any, ...]
"""A lane, a function, and what it is asked."""


def _work_of(name: str, kind: str, question: Question, given: QueryParams) -> Work | None:
    """What the workroom has to do for a file, or ``None`` if there is no such file."""
    main_lane = LONG if is_large(question.main) else QUICK
    match f"{name}.{kind}":
        case "figures.csv":
            return lane_of(question), figures, question
        case "distribution.svg":
            return lane_of(question), figures, question
        case "compare.csv":
            return lane_of(question), compare, question
        case "strategy.csv":
            return LONG, strategy_csv, question.main
        case "strategy.svg":
            return LONG, strategy, question.main
        case "progressive.svg":
            return QUICK, progressive, question
        case "design.toml":
            return LONG, design_table, question.lawful, wish_of(given), given.get("nth", "1")
    if kind not in MEDIA:
        return None
    match f"{HOME}/{name}":
        case "/analyst/figures":
            return lane_of(question), figures_document, question, kind
        case "/analyst/report":
            return LONG, report_document, question, kind
        case "/analyst/strategy":
            return LONG, strategy_file, question.main, kind
        case "/analyst/hand":
            return main_lane, hand_file, question.main, given.get("cards", ""), given.get("up", ""), kind
        case "/analyst/progressive":
            folds = given.get("folds") == "1"
            return (LONG if folds else QUICK), progressive_file, question, folds, kind
        case "/analyst/target":
            lane = LONG if is_large(question) else QUICK
            return lane, target_file, question.lawful, given.get("from", ""), given.get("to", ""), kind
        case "/analyst/design":
            return LONG, design_file, question.lawful, wish_of(given), kind
        case "/analyst/protect":
            return LONG, protection_file, question.main, protection_asked(given), kind
        case "/analyst/together":
            return main_lane, joint_file, question, given.get("with", MAIN), kind
        case "/analyst/simulation":
            return LONG, simulation_file, question, run_of(given), kind
        case "/analyst/equity":
            return QUICK, equity_file, question.as_of, equity_asked(given), kind
    return None


def _content(name: str, kind: str, question: Question, found: Any) -> str | bytes:
    """The file from what the workroom found."""
    title = wager_title(question.game, question.wager)
    match f"{name}.{kind}":
        case "figures.csv":
            return figures_csv(found)
        case "distribution.svg":
            if not found.distribution:
                raise UnreadableError("This part of the game is valued by sampling; it has no exact distribution.")
            return svg_of(distribution_plot(f"Results of {title}", found.distribution, note=changed_note(found.row)))
        case "compare.csv":
            return compare_csv(found)
        case "strategy.svg":
            part = f" ({found.restriction})" if found.restriction else ""
            return strategy_chart(f"Best play of {question.game}{part}", found.charts, found.changed)
        case "progressive.svg":
            return svg_of(break_even_plot(f"{title}: break-even", found.lines[0], found.others, found.changed))
    made: str | bytes = found
    return made


def read(name: str, kind: str, given: QueryParams) -> WantedFile | None:
    question = question_of(given, day_of(house().pit.clock()))
    work = _work_of(name, kind, question, given)
    if work is None:
        return None
    stem = f"{question.game}-{question.wager}-{name}" if question.wager.isidentifier() else name
    lane, *asked = work
    return WantedFile(
        name,
        kind,
        wager_title(question.game, question.wager),
        stem,
        lane,
        tuple(asked),
        lambda found: _content(name, kind, question, found),
    )


ROUTES: Final[tuple[Route, ...]] = routes(f"{HOME}/{{what}}.{{kind}}", read)
