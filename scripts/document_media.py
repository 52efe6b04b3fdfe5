"""The pictures of docs/documents.md: one document on paper, on a page, on a phone and in a workbook.

``python -m scripts.document_media``: needs Chromium; the workbook's picture needs LibreOffice and pdftoppm besides.
"""

import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).parents[1]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from tests.browser.conftest import CHROMIUM  # noqa: E402

IMAGES = ROOT / "docs" / "images"
ROUND = ROOT / "examples" / "jackpot.toml"
SCREENS = {"document-html": (1100, 760), "document-phone": (390, 760)}


def main() -> None:
    with TemporaryDirectory() as folder:
        home = Path(folder)
        for kind in ("pdf", "html", "xlsx"):
            command = [sys.executable, "-m", "pitboss", "settle", str(ROUND), "-o", str(home / f"round.{kind}")]
            subprocess.run(command, check=True, capture_output=True)
        _screens(home / "round.html")
        _sheet(home / "round.pdf", "document-pdf")
        if shutil.which("soffice"):
            office = ["soffice", "--headless", "--convert-to", "pdf:calc_pdf_Export", "--outdir", str(home / "book")]
            subprocess.run([*office, str(home / "round.xlsx")], check=True, capture_output=True)
            _sheet(home / "book" / "round.pdf", "document-xlsx", page=2)


def _screens(html: Path) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for name, (wide, high) in SCREENS.items():
            page = browser.new_page(viewport={"width": wide, "height": high})
            page.goto(html.as_uri())
            page.screenshot(path=IMAGES / f"{name}.png")
        browser.close()


def _sheet(pdf: Path, name: str, page: int = 1) -> None:
    """One page of a PDF as a picture."""
    pages = ["-f", str(page), "-l", str(page), "-singlefile"]
    subprocess.run(["pdftoppm", "-r", "80", *pages, "-png", str(pdf), str(IMAGES / name)], check=True)


if __name__ == "__main__":
    main()
