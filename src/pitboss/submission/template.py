"""A submission to start from: every choice the law of a day leaves open in one game, explained in comments.

Written from the chapter's data alone, so that a new game or an amended chapter needs nothing here. Options that change
the game stand commented out; without the sign they are lawful too.
"""

import textwrap
from collections.abc import Iterator
from datetime import date
from fractions import Fraction

from pitboss.findings import FindingsError
from pitboss.games.options import Law, kind_of
from pitboss.games.registry import game_named
from pitboss.games.rules import Choices, Rules, resolve
from pitboss.law.model import SINGLE, Figure, MeterSpec, PayTable, Wager, in_force
from pitboss.money import show_dollars
from pitboss.names import listed
from pitboss.submission.model import PLACEHOLDER
from pitboss.submission.resolve import letters_in_force, owners

BASE = (10, 1000)
"""Dollar limits of the unit and of what must be wagered with it, to be replaced by the operator's own."""
SIDE = (5, 500)
RATE = "20%"
WIDTH = 110


def template(game: str, as_of: date) -> str:
    """A commented submission for a game that checks clean on the day."""
    chapter = game_named(game).chapter
    rules, findings = resolve(chapter, as_of, Choices())
    if rules is None:
        raise FindingsError(findings)
    lines = [*_head(rules), *_shuffler(rules), *_wagers(rules), *_paytables(rules), *_options(rules), *_facts(rules)]
    return "\n".join(lines) + "\n"


def _note(text: str, indent: str = "") -> Iterator[str]:
    yield from textwrap.wrap(text, WIDTH, initial_indent=f"# {indent}", subsequent_indent=f"# {indent}  ")


def _figure(rules: Rules, name: str) -> Figure | None:
    return next((figure for figure in in_force(rules.chapter.figures, rules.as_of) if figure.name == name), None)


def _about(rules: Rules, name: str) -> Iterator[str]:
    """What the chapter says about one of the choices it leaves open."""
    for choice in rules.chapter.choices:
        if choice.name == name:
            floor = f"; at least: {choice.floor}" if choice.floor else ""
            yield from _note(f"{choice.about}{floor} [{choice.cite}]")


def _head(rules: Rules) -> Iterator[str]:
    chapter, most, fixed = rules.chapter, rules.figure("seats"), _figure(rules, "adjacent_boxes")
    yield from _note(
        f"Rules Submission for {chapter.title}, 58 Pa. Code Chapter {chapter.chapter}, law of {rules.as_of}."
    )
    yield ""
    yield f'game = "{chapter.game}"'
    named = chapter.cite_of("certificate_holder")
    yield f'certificate_holder = "{PLACEHOLDER}"  # on the layout [{named}]'
    yield f"effective = {rules.as_of}"
    yield f"seats = {most}  # 1 to {most} [{rules.figure_cite('seats')}]"
    if fixed is not None:
        yield f"adjacent_boxes = {fixed.value}  # fixed by law [{fixed.cite}]"
    elif about := [*_about(rules, "adjacent_boxes")]:
        yield from (*about, "adjacent_boxes = 1")
    devices = listed(f"{deal.device} [{deal.cite}]" for deal in in_force(chapter.deals, rules.as_of))
    needed = next((p.cite for p in chapter.procedures if p.act == "shuffler-required-for-dealing-from-hand"), None)
    only = "" if needed is None else f"; from the hand only with a shuffler [{needed}]"
    yield from _about(rules, "dealing")
    yield from _note(f"Dealing: {devices}{only}.")
    yield f'dealing = "{chapter.devices(rules.as_of)[0]}"'


def _shuffler(rules: Rules) -> Iterator[str]:
    cite, one, two = rules.chapter.cite_of, _figure(rules, "decks"), _figure(rules, "decks_with_shuffler")
    if one is None or two is None:
        return
    yield from ("", "[shuffler]")
    yield "used = true  # an automated card shuffling device"
    yield f"counts_cards = true  # it counts the cards after each shuffle [{cite('check-shuffler-count')}]"
    yield f"decks = {two.value}  # {one.value} [{one.cite}] or {two.value} [{two.cite}]"
    yield f"reshuffles = false  # a shoe or device that reshuffles by itself [{cite('use-approved-reshuffling-shoe')}]"


def _wagers(rules: Rules) -> Iterator[str]:
    shared: set[str] = set()
    for wager in in_force(rules.chapter.wagers, rules.as_of):
        if wager.placed == "before":
            yield from ("", *_note(f"{wager.title} [{wager.cite}]. {_terms(wager)}"))
            yield f"[wagers.{wager.name}]"
            if wager.offer == "choice":
                known = wager.name in rules.wagers
                yield "offered = true  # or false" if known else "offered = false  # its odds are to be set as a fact"
            if wager.paytable in owners(rules.chapter, rules.as_of):
                yield from _letter(rules, wager.paytable, "paytable", wager.paytable not in shared)
            yield from _progressive(rules, wager) if wager.meter else _limits(rules, wager)
            shared.add(wager.paytable)


def _terms(wager: Wager) -> str:
    offer = "Offered only if the submission says so" if wager.offer == "choice" else "Always offered"
    duty = ", and every player must make it" if wager.required else ""
    needs = [" and ".join(wager.needs_all)] if wager.needs_all else list(wager.needs_any)
    return f"{offer}{duty}{f'; only after {listed(needs)}' if needs else ''}."


def _limits(rules: Rules, wager: Wager) -> Iterator[str]:
    # A second wager of a kind that must be made begins at the table minimum too.
    required = {other.paytable for other in rules.wagers.values() if other.required}
    least, most = BASE if wager.role == "unit" or wager.paytable in required else SIDE
    yield f"minimum = {least}"
    yield f"maximum = {most}"


def _progressive(rules: Rules, wager: Wager) -> Iterator[str]:
    stakes = sorted({table.stake for table in rules.envies.get(wager.name, ())})
    amounts = (
        f"{listed(show_dollars(s) for s in stakes)} [{rules.envies[wager.name][0].cite}]" if stakes else "in dollars"
    )
    yield f"amount = {(stakes or [100])[0] // 100}  # {amounts}"
    yield "linked = false  # to the same progressive at other tables"
    spec = rules.meters.get(wager.meter)
    if spec is not None and spec.chosen:
        least = min(spec.seed.values())
        yield f"seed = {least // 100}  # at least {show_dollars(least)} [{spec.cite}]"
        yield f'rate = "{RATE}"  # of each wager, added to the meter [{spec.cite}]'
    elif spec is not None:
        for meter in in_force(rules.chapter.meters, rules.as_of):
            if meter.wager == wager.meter:
                table = "" if meter.letter == SINGLE else f" with table {meter.letter}"
                yield from _note(f"fixed by law{table}: {_meter(meter)} [{meter.cite}]", "  ")


def _meter(spec: MeterSpec) -> str:
    parts = []
    for tier, seed in spec.seed.items():
        again = show_dollars(spec.reseed[tier])
        parts.append(f"{tier} seed {show_dollars(seed)} for 1, reseed {again}, rate {_percent(spec.rate[tier])}")
    return "; ".join([*parts, *([f"reserve {_percent(spec.reserve)}"] if spec.reserve else [])])


def _percent(share: Fraction) -> str:
    return f"{float(share * 100):g}%"


def _letter(rules: Rules, name: str, key: str, explain: bool = True) -> Iterator[str]:
    """The letters of a table with their rows, and the first of them chosen."""
    letters = letters_in_force(rules.chapter, name, rules.as_of)
    tables = rules.chapter.tables(name, rules.as_of)
    if explain:
        for table in tables:
            label = f"{table.letter}: " if letters else "pays: "
            yield from _note(f"{label}{_rows(table)} [{table.cite}]", "  ")
    if letters:
        yield f'{key} = "{letters[0]}"  # {listed(letters)}'


def _rows(table: PayTable) -> str:
    return ", ".join(f"{row} {odds}" for row, odds in table.rows.items())


def _paytables(rules: Rules) -> Iterator[str]:
    """Tables that belong to no single wager."""
    owned = owners(rules.chapter, rules.as_of)
    loose = [name for name in rules.tables if name not in owned and letters_in_force(rules.chapter, name, rules.as_of)]
    if loose:
        yield from ("", "[paytables]")
    for name in loose:
        paid = [wager.title for wager in rules.wagers.values() if wager.paytable == name]
        several = "one table for several wagers" if paid else "a bonus that is no wager of its own"
        what = f"the table of the {paid[0]}" if len(paid) == 1 else several
        yield from _note(f"{name}, {what}:")
        yield from _letter(rules, name, name)


def _options(rules: Rules) -> Iterator[str]:
    chapter, day = rules.chapter, rules.as_of
    lines: list[str] = []
    for choice in chapter.options(day).values():
        lines += _about(rules, choice.name)
        written = f"{choice.name} = {kind_of(choice).example(choice, Law(chapter, day))}"
        if choice.kind == "selection":
            lines += _note(f"{choice.name} pays: {_rows(rules.tables[choice.name])} [{rules.table_cite(choice.name)}]")
        needed = any(wager.needs_option == choice.name for wager in rules.wagers.values())
        lines.append(written if needed or choice.kind == "selection" else f"# {written}")
    readings = {t.wager: t.reading for t in in_force(chapter.paytables, day) if t.reading}
    if readings:
        lines += [*_note("Readings of a defective text other than the printed one.")]
        lines += ["# readings = { " + ", ".join(f'{name} = "{reading}"' for name, reading in readings.items()) + " }"]
    if lines:
        yield from ("", "[options]", *lines)


def _facts(rules: Rules) -> Iterator[str]:
    """Values that are not printed, for an operator who has the full text at hand."""
    if facts := rules.chapter.facts(rules.as_of):
        yield from ("", *_note("Not printed in the text at hand; with the full text before you, set what differs."))
        if any(fact.must_be_set for fact in facts):
            yield from _note("Odds that are only assumed must be set: replace them by those of your text.")
        yield "[facts]"
    for fact in facts:
        mark = "" if fact.must_be_set else "# "
        yield f'{mark}"{fact.name}" = "{fact.value}"  # {fact.source} [{fact.cite}]'
