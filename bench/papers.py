"""Documents: how long a recalled round and the figures of a game take in each medium, once they are at hand."""

from collections.abc import Callable, Iterator
from datetime import date
from functools import partial
from io import StringIO
from time import process_time

from rich.console import Console

from bench.pit import House, sqlite_store
from pitboss.exact.edge import edge_figures
from pitboss.games.registry import GAMES
from pitboss.ledger.pit import Pit
from pitboss.ledger.recall import recall
from pitboss.paper.files import file_of
from pitboss.paper.model import Paper
from pitboss.paper.terminal import terminal_text
from pitboss.reports.figures import edges_paper
from pitboss.reports.rounds import round_paper

Rows = list[tuple[str, ...]]
GAME, DAY = "three-card-poker", date(2024, 6, 1)
WIDTHS = (80, 160)
MEDIA = ("html", "csv", "xlsx", "pdf")
WAGERS = {"ante": 1000, "pair_plus": 500, "six_card_bonus": 500}
AGAIN = 20


def run() -> Iterator[tuple[str, Rows]]:
    """One table: a row a document, a column a medium; processor time, the best of several."""
    rows: Rows = [("document", *(f"terminal, {width}" for width in WIDTHS), *MEDIA)]
    documents = {"a recalled round of 32 steps": _round(), f"figures of {GAME} with outcomes": _figures()}
    for name, make in documents.items():
        shown = [_best(partial(_printed, make, width)) for width in WIDTHS]
        files = [_best(partial(_written, make, kind)) for kind in MEDIA]
        rows.append((name, *(f"{ms:.1f} ms" for ms in (*shown, *files))))
    yield f"Building and rendering a document, best of {AGAIN}", rows


def _round() -> Callable[[], Paper]:
    with sqlite_store() as store:
        house = House(Pit(store), wagers=WAGERS)
        house.open()
        house.round(1)
        house.round(2)
        found = recall(store, house.table, 2)
    return lambda: round_paper(found)


def _figures() -> Callable[[], Paper]:
    found = [*edge_figures(GAMES[GAME], DAY)]
    return lambda: edges_paper(found, outcomes=True)


def _written(make: Callable[[], Paper], kind: str) -> bytes:
    return file_of(make(), kind)


def _printed(make: Callable[[], Paper], width: int) -> str:
    out = Console(file=StringIO(), width=width, highlight=False, force_terminal=True)
    out.print(terminal_text(make(), width), soft_wrap=True)
    return str(out.file)


def _best(work: Callable[[], object]) -> float:
    times = []
    for _ in range(AGAIN):
        before = process_time()
        work()
        times.append(process_time() - before)
    return 1000 * min(times)
