"""Papers of a submission: time to build one and to render it to each medium, over all games, each for the first time.

typst remembers what it has laid out, so a second rendering of the same paper would say nothing.
"""

from collections.abc import Callable, Iterator
from datetime import date
from functools import partial
from statistics import median
from time import perf_counter

from pitboss.games.registry import GAMES
from pitboss.paper.files import file_of
from pitboss.paper.model import Paper
from pitboss.paper.terminal import terminal_text
from pitboss.reports.form import form_paper
from pitboss.reports.layout import layout_paper
from pitboss.reports.sign import sign_paper
from pitboss.submission import read_submission, rules_of, template

Rows = list[tuple[str, ...]]
DAY = date(2024, 6, 1)
COLUMNS = 100
MEDIA = ("terminal", "html", "pdf", "xlsx")
PRINTED = 1_763_431_445_000_000


def _papers(game: str) -> Iterator[tuple[str, Callable[[], Paper]]]:
    submission = read_submission(template(game, DAY))
    rules, _ = rules_of(submission)
    assert rules is not None
    yield "sign", partial(sign_paper, submission, rules, "letter", PRINTED)
    yield "layout", partial(layout_paper, submission, rules, "letter", PRINTED)
    yield "form", partial(form_paper, submission, {}, PRINTED)


def _rendered(paper: Paper, medium: str) -> int:
    return len(terminal_text(paper, COLUMNS) if medium == "terminal" else file_of(paper, medium))


def run() -> Iterator[tuple[str, Rows]]:
    """A row for each kind of paper: the median and the longest time of all games, and the median size of the PDF."""
    times: dict[tuple[str, str], list[float]] = {}
    sizes: dict[str, list[int]] = {}
    for game in GAMES:
        for name, build in _papers(game):
            before = perf_counter()
            paper = build()
            times.setdefault((name, "build"), []).append(perf_counter() - before)
            for medium in MEDIA:
                before = perf_counter()
                size = _rendered(paper, medium)
                times.setdefault((name, medium), []).append(perf_counter() - before)
                if medium == "pdf":
                    sizes.setdefault(name, []).append(size)
    rows: Rows = [("paper", "build", *MEDIA, "bytes of PDF")]
    for name, found in sizes.items():
        listed = (times[name, step] for step in ("build", *MEDIA))
        cells = (f"{1000 * median(each):.1f} ({1000 * max(each):.0f})" for each in listed)
        rows.append((name, *cells, f"{median(found):,.0f}"))
    yield f"Papers of {len(GAMES)} submissions, ms (the longest)", rows
