"""The sheet of the pages: what their markup asks for is there."""

import re
from pathlib import Path

from pitboss.web import pages
from pitboss.web.pages.shell import CSS


def test_every_width_that_a_page_names_is_in_the_sheet() -> None:
    """No framework makes widths up any more: a name that the sheet does not know would be no width at all."""
    sources = "".join(path.read_text() for path in Path(next(iter(pages.__path__))).glob("*.py"))
    named = set(re.findall(r"[\"' ](w-(?:\d+|full))\b", sources))
    assert len(named) > 5
    assert named == {*re.findall(r"\.(w-(?:\d+|full)) \{", CSS)}
