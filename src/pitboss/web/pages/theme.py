"""How the house looks: one sheet of colours, type and spacing for every page."""

from pathlib import Path
from typing import Final


def sheet(name: str) -> str:
    """Styles and scripts of a page, as they stand in the file of that name."""
    return (Path(__file__).parent / "sheets" / name).read_text(encoding="utf-8")


CSS: Final = sheet("theme.css")
