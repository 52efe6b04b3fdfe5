"""Compares pay tables with the text of the law, cell by cell. The texts are not part of the package."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from pitboss.findings import Finding
from pitboss.law.cite import Cite
from pitboss.law.model import SINGLE, Chapter, EnvyTable, MeterSpec, PayTable
from pitboss.law.odds import parse_odds
from pitboss.money import show_dollars

PRINTED: Mapping[str, str] = {
    "ace, king, queen of spades": "mini_royal_of_spades",
    "ace, king and queen of spades": "mini_royal_of_spades",
    "ace, king, queen of hearts, diamonds or clubs": "mini_royal",
    "ace, king and queen of hearts, diamonds or clubs": "mini_royal",
    "super royal of diamonds": "six_card_royal_of_diamonds",
    "super royal of hearts, spades or clubs": "six_card_royal",
    "six-card royal flush—diamonds": "six_card_royal_of_diamonds",
    "six-card royal flush—hearts, spades or clubs": "six_card_royal",
    "royal flush of spades": "royal_flush_of_spades",
    "royal flush of clubs, diamonds or hearts": "royal_flush",
    "royal flush": "royal_flush",
    "straight flush": "straight_flush",
    "four aces": "four_aces",
    "four-of-a-kind": "four_of_a_kind",
    "any other four-of-a-kind": "four_of_a_kind",
    "full house": "full_house",
    "flush": "flush",
    "straight": "straight",
    "three aces": "three_aces",
    "three-of-a-kind": "three_of_a_kind",
    "any other three-of-a-kind": "three_of_a_kind",
    "two aces and two queens": "aces_and_queens",
    "two pair—other than two aces and two queens": "two_pair",
    "two pair": "two_pair",
    "pair of aces": "pair_of_aces",
    "pair": "pair",
    "one pair": "pair",
    "ace-king": "ace_king",
    "ace-king-queen": "ace_king_queen",
    "five picture cards": "five_picture_cards",
    "same colored five": "same_colored_five",
    "all five of the same color": "five_same_color",
    "four of the same color": "four_same_color",
    "magic card": "match",
    "lucky bonus": "match",
}
"""How the texts print the names of the rows."""


def find_text(folder: Path, chapter: str) -> str | None:
    """The text of one chapter in a folder of law texts."""
    files = sorted(folder.glob(f"{chapter}*.txt")) if folder.is_dir() else []
    return files[0].read_text(encoding="utf-8", errors="replace") if files else None


def paragraph_text(text: str, cite: Cite) -> str:
    """The part of a chapter's text that a citation covers, down to the next paragraph of the same or a higher level.

    >>> text = "§ 641a.2. Seats.\\n(a) One.\\n- (b) Two:\\n(1) More.\\n§ 641a.3. Decks."
    >>> paragraph_text(text, Cite.parse("641a.2(b)"))
    '- (b) Two:\\n(1) More.'
    """
    lines = text.splitlines()
    heading = re.compile(rf"§ {cite.chapter}\.(\d+)\. ")
    starts = [n for n, line in enumerate(lines) if (m := heading.match(line)) and int(m[1]) == cite.section]
    if not starts:
        return ""
    begin = starts[0]
    end = next((n for n in range(begin + 1, len(lines)) if heading.match(lines[n])), len(lines))
    for depth, step in enumerate(cite.steps):
        mark = _mark(step)
        found = next((n for n in range(begin, end) if mark.match(lines[n])), None)
        if found is None:
            return ""
        following = [_next(step) for step in reversed(cite.steps[: depth + 1])]
        end = next((n for n in range(found + 1, end) if any(_mark(f).match(lines[n]) for f in following)), end)
        begin = found
    return "\n".join(lines[begin:end])


def _mark(step: str) -> re.Pattern[str]:
    return re.compile(rf"\s*(?:- )?\({re.escape(step)}\) ")


def _next(step: str) -> str:
    romans = ["i", "ii", "iii", "iv", "v", "vi"]
    if step.isdigit():
        return str(int(step) + 1)
    if step in romans[:-1] and len(step) > 1:
        return romans[romans.index(step) + 1]
    return chr(ord(step[-1]) + 1)


def cells(text: str) -> dict[tuple[str, str], str]:
    """The printed cells of the pay tables in a piece of text, by letter and row name; empty and N/A cells left out."""
    found: dict[tuple[str, str], str] = {}
    letters: list[str] = []
    for line in text.splitlines():
        bar = line.strip().strip("|") if line.strip().startswith("|") else line
        parts = [re.sub(r"<br>|\s+", " ", part).strip() for part in re.split(r"\t|\|", bar)]
        if len(parts) < 2:
            continue
        if parts[0].lower() == "hand":
            letters = [part.removeprefix("Paytable").strip() or SINGLE for part in parts[1:]]
            letters = [letter if len(letter) == 1 else SINGLE for letter in letters]
            continue
        row = re.sub(r"\s+", " ", parts[0].lower())
        if row in PRINTED:
            for letter, cell in zip(letters, parts[1:], strict=False):
                if cell and cell != "N/A":
                    found[letter, f"{row}" if PRINTED[row] == "match" else PRINTED[row]] = cell
    return found


def check_against_text(loaded: Chapter, text: str) -> Iterator[Finding]:
    """Every row of every printed pay table stands in the text as it stands here, and no cell of the text is missing."""
    groups: dict[Cite, list[PayTable]] = {}
    for table in loaded.paytables:
        if not table.reading:
            groups.setdefault(table.cite, []).append(table)
    for cite, tables in groups.items():
        passage = paragraph_text(text, cite)
        printed = cells(passage)
        for table in tables:
            yield from _check_rows(table, passage, printed)
        yield from _uncarried(cite, tables, printed)
    sums: tuple[MeterSpec | EnvyTable, ...] = (*loaded.meters, *loaded.envies)
    for entry in sums:
        yield from _check_sums(entry, paragraph_text(text, entry.cite))


def _check_rows(table: PayTable, passage: str, printed: Mapping[tuple[str, str], str]) -> Iterator[Finding]:
    letter = table.letter.removeprefix("c:")
    for row, odds in table.rows.items():
        name = table.wager.replace("_", " ") if row == "match" else row
        cell = printed.get((letter, name))
        if (letter, name) in printed or any(key[1] == name for key in printed):
            if cell is None or parse_odds(cell) != odds:
                yield _mismatch(table, row, str(odds), cell or "an empty cell")
        elif str(odds) not in passage:
            yield _mismatch(table, row, str(odds), "no such figure in the paragraph")


def _mismatch(table: PayTable, row: str, carried: str, found: str) -> Finding:
    return Finding(
        "text-differs",
        str(table.cite),
        found,
        carried,
        f"{table.key}, row {row}: carried as {carried}, the text has {found}.",
        table.key,
    )


def _uncarried(cite: Cite, tables: list[PayTable], printed: Mapping[tuple[str, str], str]) -> Iterator[Finding]:
    carried = {
        (t.letter.removeprefix("c:"), t.wager.replace("_", " ") if row == "match" else row)
        for t in tables
        for row in t.rows
    }
    for (letter, row), cell in printed.items():
        if (letter, row) not in carried:
            yield Finding(
                "text-not-carried",
                str(cite),
                cell,
                "nothing",
                f"The text of {cite} prints {cell} for {row} in table {letter}, which no pay table carries.",
            )


def _check_sums(entry: MeterSpec | EnvyTable, passage: str) -> Iterator[Finding]:
    if isinstance(entry, EnvyTable):
        wanted = [show_dollars(amount) for amount in entry.rows.values()]
    elif entry.chosen:
        return
    else:
        wanted = [show_dollars(amount) for amount in (*entry.seed.values(), *entry.reseed.values())]
        wanted += [f"{float(rate * 100):g}%" for rate in (*entry.rate.values(), entry.reserve) if rate]
    for figure in wanted:
        if figure not in passage:
            yield Finding(
                "text-differs",
                str(entry.cite),
                "a figure of the paragraph",
                figure,
                f"{entry.key}: {figure} does not stand in the text of {entry.cite}.",
                entry.key,
            )
