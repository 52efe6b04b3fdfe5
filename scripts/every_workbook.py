"""Every wager of every game as a workbook, computed anew by LibreOffice and compared with the exact fractions.

    python scripts/every_workbook.py [GAME ...]

The values beside the formulas are taken out first, so that what is compared is what LibreOffice computes. Then each row
of each side wager's pays is raised, one row of every wager at once, and the figures must be those that ``pitboss edge
--pay`` counts. The mathematics report of each game's template is computed and compared too. It needs ``soffice``
(Debian: ``libreoffice-calc-nogui``).
"""

import shutil
import subprocess
import sys
import tempfile
from datetime import date
from pathlib import Path
from time import perf_counter

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.workbooks import (
    Cell,
    Where,
    editable_rows,
    edits_of,
    exact_figures,
    off,
    places_of,
    read_cells,
    without_values,
)

from pitboss.exact.edge import edge_figures
from pitboss.exact.figures import EdgeFigures
from pitboss.games.registry import BANKED
from pitboss.games.rules import Rules
from pitboss.paper.workbook import workbook_of
from pitboss.reports.figures import edges_paper
from pitboss.reports.math_report import report_of
from pitboss.submission import Submission, read_submission, rules_of, template

DAY = date(2024, 6, 1)
MOST = 1e-9
"""How far a float may lie from the exact value, as a share of it."""


def main() -> int:
    if shutil.which("soffice") is None:
        print("LibreOffice is not installed: no workbook was computed anew. Install libreoffice-calc-nogui.")
        return 1
    worst, compared, raised, wrong, began = 0.0, 0, 0, 0, perf_counter()
    for name in sys.argv[1:] or BANKED:
        distance, cells, rows, faults = check(name)
        worst, compared, raised, wrong = max(worst, distance), compared + cells, raised + rows, wrong + len(faults)
        print(f"{name}: {cells:,} formulas, {rows} pays raised, at most {distance:.1e} off", flush=True)
        for fault in faults:
            print(f"  {fault}")
    seconds = perf_counter() - began
    print(
        f"{compared:,} formulas and {raised:,} raised pays in {seconds:,.0f} s: at most {worst:.1e} off, {wrong} wrong"
    )
    return int(wrong > 0)


def check(game: str) -> tuple[float, int, int, list[str]]:
    """How far the farthest value of a game's workbooks is off, what was compared, and what is wrong."""
    found = [*edge_figures(BANKED[game], DAY)]
    paper = edges_paper(found, outcomes=True)
    book, where = workbook_of(paper), places_of(paper)
    cells = read_cells(book)
    expected: list[dict[int, EdgeFigures]] = [dict(enumerate(found, 1))]
    books = [without_values(book)]
    for at in range(max(len(editable_rows(each)) for each in found)):
        edits, figures = edits_of(found, at, cells)
        books.append(without_values(book, edits))
        expected.append(figures)
    report = workbook_of(report_of(*template_of(game)).paper())
    *computed, reported = by_libreoffice([*books, without_values(report)])
    faults, distances, count = [], [0.0], 0
    for filed, shown in ((cells, computed[0]), (read_cells(report), reported)):
        for address, cell in filed.items():
            if cell.formula:
                count += 1
                distances.append(off(shown[address].value, cell.value))
                if distances[-1] > MOST:
                    faults.append(f"{address}: {cell.formula} is {shown[address].value}, not {cell.value}")
    for number, (each, figures) in enumerate(zip(computed, expected, strict=True)):
        for place, figure in figures.items():
            for key, exact in exact_figures(figure, place):
                distances.append(off(each[where[key]].value, exact))
                if distances[-1] > MOST:
                    faults.append(f"pay {number} of {figure.name}: {key} is {each[where[key]].value}, not {exact}")
    return max(distances), count, sum(map(len, expected[1:])), faults


def template_of(game: str) -> tuple[Submission, Rules]:
    """A lawful submission of a game with its rules."""
    submission = read_submission(template(game, DAY))
    rules, findings = rules_of(submission)
    assert rules is not None, findings
    return submission, rules


def by_libreoffice(books: list[bytes]) -> list[dict[Where, Cell]]:
    """Workbooks as LibreOffice writes them after computing every formula."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / f"{number}.xlsx" for number in range(len(books))]
        for path, book in zip(paths, books, strict=True):
            path.write_bytes(book)
        out = Path(folder) / "computed"
        profile = f"-env:UserInstallation=file://{folder}/profile"
        command = ["soffice", profile, "--headless", "--convert-to", "xlsx", "--outdir", str(out), *map(str, paths)]
        subprocess.run(command, check=True, capture_output=True, timeout=1800)
        return [read_cells((out / path.name).read_bytes()) for path in paths]


if __name__ == "__main__":
    sys.exit(main())
