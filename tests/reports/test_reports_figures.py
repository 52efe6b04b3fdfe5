"""Figures as documents: the same record on a terminal of any width, as JSON and as every kind of file."""

import json
import re
from collections.abc import Callable, Iterator
from datetime import date
from fractions import Fraction
from functools import cache, partial
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from pypdf import PdfReader

import pitboss
from pitboss.cards import parse_cards
from pitboss.exact.conditions import Conditions
from pitboss.exact.edge import conditions_of_variant, find_variant, rules_of_variant
from pitboss.exact.equity import equities, rake_of, ways
from pitboss.exact.joint import joint_wagers
from pitboss.exact.progressive import progressive_report
from pitboss.exact.strategy import analyse_hand
from pitboss.exact.target import search
from pitboss.games.handhistory import contest_named
from pitboss.games.registry import GAMES
from pitboss.games.rules import Rules
from pitboss.paper import say
from pitboss.paper.files import MEDIA
from pitboss.paper.model import CellKind, Figures, Listing, Paper, Remark
from pitboss.paper.terminal import terminal_lines
from pitboss.reports.coverage import coverage_figures, coverage_paper
from pitboss.reports.export import exported
from pitboss.reports.hands import HandFigures, PotShares, equity_paper, hand_paper
from pitboss.reports.joint import joint_paper
from pitboss.reports.progressives import MeteredWager, progressive_paper
from pitboss.reports.simulations import run_paper, shift_paper
from pitboss.reports.stamp import printing_time
from pitboss.reports.strategies import strategy_figures, strategy_paper
from pitboss.reports.targets import target_paper
from tests.test_cli import Ran

DAY = date(2024, 6, 1)
TCP = GAMES["three-card-poker"]
WIDTHS = (60, 66, 80, 97, 120, 160)


def conditions(wager: str, *, changed: bool = False) -> tuple[Rules, Conditions]:
    variant = find_variant(TCP, DAY, wager, None)
    assert variant is not None
    rules = rules_of_variant(TCP, DAY, variant)
    rules = rules.with_pay("ante_bonus", straight=3) if changed else rules
    return rules, conditions_of_variant(rules, variant)


def of_a_run(build: Callable[..., Paper]) -> tuple[Any, Callable[..., Paper]]:
    rules = pitboss.rules(TCP.name, DAY).with_pay("pair_plus", flush=0)
    return pitboss.simulate(rules, 400, seats=2, seed=3, session=100).figures, build


def of_a_progressive() -> tuple[Any, Callable[..., Paper]]:
    rules, under = conditions("five_card_hand_dealer")
    report = progressive_report(TCP, rules, "five_card_hand_dealer")
    return MeteredWager(rules, under, report, tables=3), progressive_paper


def of_a_hand() -> tuple[Any, Callable[..., Paper]]:
    rules, under = conditions("main", changed=True)
    return HandFigures(rules, under, analyse_hand(TCP, rules, parse_cards("Qs 6d 4c"))), hand_paper


def of_streets() -> tuple[Any, Callable[..., Paper]]:
    game = GAMES["let-it-ride"]
    variant = find_variant(game, DAY, "main", None)
    assert variant is not None
    rules = rules_of_variant(game, DAY, variant)
    analysis = analyse_hand(game, rules, parse_cards("As Ks Qs"), board=parse_cards("Js"))
    return HandFigures(rules, conditions_of_variant(rules, variant), analysis), hand_paper


def of_a_pot() -> tuple[Any, Callable[..., Paper]]:
    contest = contest_named("seven-card-stud")
    rules = pitboss.rules("seven-card-stud", DAY)
    hands = [parse_cards("As Ks Qs Js 9s 2d"), parse_cards("2c 2h 7c 7d 9h 4c")]
    return PotShares(rules, equities(hands, 7), ways(hands, 7), rake_of(contest.terms(rules), 12_000)), equity_paper


def of_a_target() -> tuple[Any, Callable[..., Paper]]:
    variant = find_variant(TCP, DAY, "pair_plus", "A")
    assert variant is not None
    rules = rules_of_variant(TCP, DAY, variant)
    return search(TCP, rules, variant, Fraction(2, 100), Fraction(3, 100)), target_paper


def of_two_wagers() -> tuple[Any, Callable[..., Paper]]:
    game = GAMES["four-card-frenzy"]
    rules = pitboss.rules(game.name, DAY)
    return joint_wagers(game, rules, "prime", "four_card_bonus", lambda *_: None), joint_paper


def of_best_play() -> tuple[Any, Callable[..., Paper]]:
    variant = find_variant(TCP, DAY, "main", None)
    assert variant is not None
    return strategy_figures(TCP, rules_of_variant(TCP, DAY, variant), variant)[0], strategy_paper


DOCUMENTS: dict[str, Callable[[], tuple[Any, Callable[..., Paper]]]] = {
    "run": lambda: of_a_run(run_paper),
    "shift": lambda: of_a_run(shift_paper),
    "progressive": of_a_progressive,
    "hand": of_a_hand,
    "streets": of_streets,
    "equity": of_a_pot,
    "target": of_a_target,
    "joint": of_two_wagers,
    "strategy": of_best_play,
    "coverage": lambda: (coverage_figures(), coverage_paper),
}
made = cache(lambda name: DOCUMENTS[name]())


def said(paper: Paper, last_rank: int) -> Iterator[str]:
    """Every text and value that a reader of a document is to find in it, down to a rank of columns."""
    yield from (paper.title, *paper.lead, *say.foot(paper.imprint))
    for passage in paper.passages:
        yield passage.title
        for block in passage.blocks:
            if isinstance(block, Remark):
                yield block.text
            elif isinstance(block, Figures):
                yield from (text for each in block.data for text in (each.label, say.words(each.value, each)))
            elif isinstance(block, Listing):
                for row in block.rows:
                    for at in block.ranked(1, last_rank, row):
                        yield say.words(row[at], block.columns[at])
                        # A sentence below its row stands without a title, and a grid without any.
                        headed = block.headed and block.columns[at].kind != CellKind.SENTENCE
                        yield block.columns[at].title if headed else ""


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_terminal_of_any_width_says_everything(name: str) -> None:
    record, build = made(name)
    paper = build(record, None)
    for width in WIDTHS:
        lines = ["".join(piece for piece, _ in line) for line in terminal_lines(paper, width)]
        assert [line for line in lines if len(line) > width and " " in line.strip()] == []
        words = set(" ".join(lines).split())
        missing = {word for text in said(paper, 3) for word in text.split()} - words
        assert missing == set(), width


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_file_has_the_figures_and_json_is_the_record(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1794967445")
    record, build = made(name)
    paper = build(record, printing_time())
    files = {kind: exported(kind, record, partial(build, record)) for kind in MEDIA}
    assert files == {kind: exported(kind, record, partial(build, record)) for kind in MEDIA}, "the same bytes again"
    assert json.loads(files["json"]) == json.loads(json.dumps(record.as_dict(), default=lambda each: each.as_dict()))
    text = " ".join(page.extract_text() for page in PdfReader(BytesIO(files["pdf"])).pages)
    for word in {word for sentence in said(paper, 3) for word in sentence.split()}:
        # A long word may be hyphenated over two lines.
        assert word in text or word in re.sub(r"[-\u2010]?\n", "", text) or len(word) > 12, word
    html = files["html"].decode()
    assert all(listing.columns[0].title in html for _, listing in paper.listings() if listing.rows)
    main = paper.listing()
    head, *rows = files["csv"].decode().splitlines()
    assert head.split(",")[: len(main.columns)] == [column.key for column in main.columns]
    assert len(rows) == len(main.rows)
    with ZipFile(BytesIO(files["xlsx"])) as book:
        sheets = [each for each in book.namelist() if each.startswith("xl/worksheets/sheet")]
    assert len(sheets) == 1 + sum(1 for _ in paper.listings())


def test_figures_are_those_of_the_record() -> None:
    """The CSV has exact figures: holds by seats, and the long run with one seat."""
    found, _ = made("progressive")
    rows = progressive_paper(found).listing("seats").rows
    assert rows[0][4] == found.report.long_run_hold == Fraction(66431, 191100)
    assert rows[-1][6] == Fraction(431981, 764400), "seven seats on both hands"
    hits = {row[1]: row[2] for row in progressive_paper(found).listing("linked").rows}
    assert hits[1] == Fraction(649_740, 6)
    run, _ = made("run")
    by_wager = {row[0]: row for row in run_paper(run).listing().rows}
    assert by_wager["pair_plus"][1] == "A, changed"
    assert [by_wager[wager][4] for wager in ("main", "pair_plus", "three_card_envy")] == [
        "Ante", "its stake", "Three Card Progressive",
    ]  # fmt: skip
    assert by_wager["main"][2] == 1000


def test_commands_write_files_and_refuse_others_before_any_work(tmp_path: Path) -> None:
    asked = ("hand", TCP.name, "Qs 6d 4c", "--as-of", str(DAY))
    assert "Wrote" in Ran(*asked, "-o", tmp_path / "hand.csv").out
    play = (tmp_path / "hand.csv").read_text().splitlines()[1].split(",")
    assert (play[0], play[2:]) == ("play", ["-9151/9212", "best"])
    refused = Ran(*asked, "-o", tmp_path / "hand.doc")
    assert (refused.code, list(tmp_path.iterdir())) == (2, [tmp_path / "hand.csv"])
    assert "name a file that ends in .pdf, .html, .xlsx, .csv or .json" in refused.err
    again = Ran(*asked, "-o", tmp_path / "hand.csv")
    assert again.code == 2
    shift = ("shift-report", TCP.name, "--shifts", "3", "--rounds", "10", "--seats", "1", "--as-of", str(DAY))
    assert Ran(*shift, "-o", tmp_path / "shift.pdf").code == 0
    assert (tmp_path / "shift.pdf").read_bytes().startswith(b"%PDF-")
