"""What a paper or a page rests on where the text at hand does not print it."""

from collections.abc import Iterator

from pitboss.games.deal import deal_of
from pitboss.games.rules import Rules
from pitboss.law.model import SINGLE, Dated, in_force, source_of

NOT_PRINTED = "Not printed in the text at hand; each entry says what it rests on. A Rules Submission can correct it."


def unprinted(rules: Rules) -> tuple[tuple[str, str, str], ...]:
    """Entries that apply at this table and rest on less than print: what, paragraph, and on what."""
    found: dict[tuple[str, str], dict[str, None]] = {}
    for each in _entries(rules):
        if source_of(each):
            found.setdefault((str(each.cite), str(source_of(each))), {})[each.key.removesuffix(f" {SINGLE}")] = None
    return tuple((", ".join(keys).capitalize(), *rest) for rest, keys in found.items())


def _entries(rules: Rules) -> Iterator[Dated]:
    paid = {wager.paytable for wager in rules.wagers.values()}
    owned = {wager.paytable for wager in rules.chapter.wagers}
    yield from in_force(rules.chapter.figures, rules.as_of)
    yield from rules.wagers.values()
    yield from (table for name, table in rules.tables.items() if name in paid or name not in owned)
    yield from rules.meters.values()
    yield from (envy for each in rules.envies.values() for envy in each)
    yield deal_of(rules)


def not_printed(entry: Dated) -> str:
    """In a few words, behind the paragraph of an entry; empty where it is printed."""
    source = source_of(entry)
    return f"not printed, {source}" if source else ""
