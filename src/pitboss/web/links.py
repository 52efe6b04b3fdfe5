"""Addresses of pages that several rooms link to."""

from urllib.parse import quote

from pitboss.law.cite import Cite, CiteError
from pitboss.law.loader import CHAPTERS


def law_address(cite: Cite | str) -> str | None:
    """The page of a paragraph, if its chapter is carried here."""
    try:
        parsed = Cite.parse(str(cite))
    except CiteError:
        return None
    return f"/law?cite={quote(str(parsed))}" if parsed.chapter in CHAPTERS else None
