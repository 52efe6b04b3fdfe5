"""Coverage: like paragraphs are classed alike."""

import re
from collections import defaultdict

from pitboss.law.index import Paragraph, paragraphs
from pitboss.law.loader import CHAPTERS, chapter
from pitboss.law.texts import find_text, own_text, plain
from tests.test_law import LAW_TEXTS, needs_texts

OPENING = 9
"""Words by which paragraphs of two chapters are known to be the same."""


@needs_texts
def test_the_same_paragraph_is_classed_alike_in_every_chapter() -> None:
    texts = {name: find_text(LAW_TEXTS, name) or "" for name in CHAPTERS}
    games = re.compile("|".join(chapter(name).title.lower() for name in CHAPTERS))
    alike: dict[tuple[int, str], list[Paragraph]] = defaultdict(list)
    for cite, paragraph in paragraphs().items():
        text = games.sub("game", plain(own_text(texts[cite.chapter], cite)).lower())
        text = re.sub(r"^(- )?(\(\w+\) |§ \S+ )", "", re.sub(r"\d{3}a\.", "", text))
        words = re.findall(r"[a-z0-9]+", text)[:OPENING]
        if len(words) == OPENING:
            alike[cite.section, " ".join(words)].append(paragraph)
    shared = [group for group in alike.values() if len({each.cite.chapter for each in group}) > 1]
    assert len(shared) > 100
    for group in shared:
        assert len({each.kind for each in group}) == 1, [(str(each.cite), each.kind) for each in group]
