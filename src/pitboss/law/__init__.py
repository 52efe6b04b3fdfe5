"""The law as data: chapters with their wagers, pay tables, meters and notes, each entry cited and dated."""

from typing import TYPE_CHECKING

from pitboss.lazy import names_of

if TYPE_CHECKING:
    from pitboss.law.cite import Cite
    from pitboss.law.index import Paragraph, paragraphs
    from pitboss.law.loader import CHAPTERS, chapter
    from pitboss.law.model import Chapter, MeterSpec, Note, PayTable, Period, Wager, in_force
    from pitboss.law.notes import notes_page
    from pitboss.law.odds import FixedSum, ForOne, MeterShare, ToOne, parse_odds
else:
    __getattr__, __dir__ = names_of(
        __name__,
        {
            "cite": "Cite",
            "index": "Paragraph paragraphs",
            "loader": "CHAPTERS chapter",
            "model": "Chapter MeterSpec Note PayTable Period Wager in_force",
            "notes": "notes_page",
            "odds": "FixedSum ForOne MeterShare ToOne parse_odds",
        },
    )

__all__ = [
    "CHAPTERS", "Chapter", "Cite", "FixedSum", "ForOne", "MeterShare", "MeterSpec", "Note", "Paragraph", "PayTable",
    "Period", "ToOne", "Wager", "chapter", "in_force", "notes_page", "paragraphs", "parse_odds",
]  # fmt: skip
