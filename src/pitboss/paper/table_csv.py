"""The main listing of a document as CSV."""

from pitboss.paper import say
from pitboss.paper.model import Paper
from pitboss.spreadsheet import csv_text


def csv_of(paper: Paper, key: str = "") -> str:
    """The main listing, or another one, with the keys of its columns as the head: unrounded and safe to open."""
    listing = paper.listing(key)
    rows = (
        [say.data(value, column) for value, column in zip(row, listing.columns, strict=True)] for row in listing.rows
    )
    return csv_text([column.key for column in listing.columns], rows)
