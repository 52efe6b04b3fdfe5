"""No figure without its conditions: what a changed table or a meter does to every place where a figure is shown."""

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from functools import cache
from html import unescape
from io import BytesIO, StringIO
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from pypdf import PdfReader
from rich.console import Console

import pitboss
from pitboss.api.edges import Edge
from pitboss.cli.screen import show_paper
from pitboss.exact.edge import Variant, rules_of_variant, variants
from pitboss.exact.figures import figures_of
from pitboss.exact.side import line_of, reads_folded, side_result
from pitboss.exact.whatif import differs, tables_of
from pitboss.games.payorder import PAY_ORDER, upsets
from pitboss.games.registry import BANKED, GAMES
from pitboss.games.repaying import with_rows
from pitboss.games.rules import Rules
from pitboss.law.model import SINGLE
from pitboss.law.odds import ForOne, ToOne
from pitboss.paper.page import html_of
from pitboss.paper.pdf import pdf_of
from pitboss.paper.plot import svg_of
from pitboss.paper.table_csv import csv_of
from pitboss.paper.terminal import terminal_lines
from pitboss.reports.figures import edges_paper
from pitboss.reports.math_report import mathematics_paper
from pitboss.reports.sign import sign_paper
from pitboss.reports.simulations import run_paper
from pitboss.submission import Submission, check, read_submission
from pitboss.web.analysis import Question, changed_note, compare, compare_csv, figures, figures_csv
from pitboss.web.charts import break_even_plot, distribution_plot, strategy_chart
from pitboss.web.play_analysis import progressive, strategy, strategy_csv
from tests.analyst import SLOW, drawn
from tests.reports.papers import submitted, text_of, without
from tests.test_cli import Ran

DAY = date(2024, 6, 1)
TCP = "three-card-poker"


def seen(markup: str) -> str:
    """What a reader sees of a page or a drawing: the names of drawings, which only some hear, are left out."""
    visible = re.sub(r"<style.*?</style>|<title>.*?</title>|<desc>.*?</desc>", "", markup, flags=re.DOTALL)
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", visible)).split())


@cache
def side_variants() -> tuple[tuple[str, Variant], ...]:
    """All but those that a fold forfeits: how their main game is played takes a minute where the game is large."""
    return tuple(
        (name, each)
        for name, game in BANKED.items()
        for each in variants(game, DAY)
        if each.wager != "main" and (name == TCP or not reads_folded(game, line_of(game, each.wager)))
    )


@dataclass(frozen=True, repr=False)
class Case:
    """A wager with one row of its tables changed."""

    variant: Variant
    law: Rules
    rules: Rules
    question: Question

    @property
    def words(self) -> str:
        (change,) = self.rules.changes
        return str(change)

    def __repr__(self) -> str:
        return f"{self.variant}: {self.words}"


@st.composite
def changed(draw: st.DrawFn) -> Case:
    name, variant = draw(st.sampled_from(side_variants()))
    law = rules_of_variant(GAMES[name], DAY, variant)
    tables = ((table, law.tables[table].rows) for table in tables_of(law, variant))
    plain = [
        (table, each, odds) for table, rows in tables for each, odds in rows.items() if isinstance(odds, ToOne | ForOne)
    ]
    table, changed_row, odds = draw(st.sampled_from(plain))
    pays = draw(st.integers(0, 60).map(lambda rate: type(odds)(odds.rate + 1 + rate)))
    rules = with_rows(law, table, {changed_row: pays})
    assume(differs(GAMES[name], law, rules, variant))
    question = Question(name, DAY, variant.wager, variant.letter, variant.reading, (f"{table}.{changed_row}={pays}",))
    return Case(variant, law, rules, question)


def dishonest(text: str, case: Case) -> list[str]:
    """What a text lacks that shows figures of a changed table."""
    cite = re.escape(case.variant.cite)
    alone = re.findall(rf"{cite}(?![\w(])(?!, changed)", text)
    letter = case.variant.letter
    lettered = [] if letter == SINGLE else re.findall(rf"[Tt]able {letter}(?!\w)(?!, changed)", text)
    published = row_of_law(case)["published"]
    return [
        *(["does not say what was changed"] if case.words not in text else []),
        *(["shows the paragraph as if the law said so"] if alone else []),
        *(["shows the letter as if the law said so"] if lettered else []),
        *(["shows what was published of another table"] if published and str(published) in text else []),
    ]


@cache
def row_of_law(case: Case) -> dict[str, object]:
    return figures_of(GAMES[case.law.game], case.law, case.variant).as_dict()


def media(case: Case) -> Iterator[tuple[str, str]]:
    """Every place that shows the figures of one wager, with what it says."""
    game = GAMES[case.rules.game]
    counted = figures_of(game, case.rules, case.variant)
    shown = counted.as_dict()
    for outcomes in (False, True):
        paper = edges_paper([counted], outcomes=outcomes)
        for width in (60, 80, 160) if not outcomes else (80,):
            lines = ["".join(piece for piece, _ in line) for line in terminal_lines(paper, width)]
            text = " ".join(" ".join(lines).split())
            # What an unprinted table rests on may name a table of another chapter.
            yield f"edge at {width} columns", re.sub(r"Not printed: pay table of .*?(?=  |$)", "", text)
    yield "edge as HTML", re.sub(r"Not printed: pay table of .*?(?=  |$)", "", seen(html_of(paper)))
    yield "edge as CSV", re.sub(r"Not printed: pay table of .*?(?=  |$)", "", csv_of(paper))
    result = side_result(game, case.rules, case.variant.wager)
    of = case.variant
    object_ = Edge(case.rules, of.wager, of.letter, of.reading, of.cite, "wager", result=result)
    yield "repr", repr(object_)
    yield "notebook", seen(object_._repr_html_())
    yield "frame", str(object_.to_pandas())
    answer = figures(case.question)
    page = drawn(case.question, without=SLOW, regions=["figures"])
    beside = re.sub(r'<span class="(?:d|an-law)">.*?</span>', "", page)  # what is said of the law's table
    yield "page", re.sub(r"Not printed: pay table of .*?(?= \w+(?: \w+)*, law of)", "", seen(beside).replace(" ,", ","))
    yield "figures as CSV", figures_csv(answer)
    yield "plot", seen(svg_of(distribution_plot("", answer.distribution, note=changed_note(answer.row))))
    columns = compare(case.question)[-1:]
    compared = seen(drawn(case.question, "letters", regions=["result"]))
    yield "comparison", re.sub(r"Table \w+", "", compared)  # the law's tables stand beside the changed one
    yield "comparison as CSV", compare_csv(columns)
    if "hold_by_seats" in shown and case.question.wager in {w.name for w in case.rules.wagers.values() if w.meter}:
        found = progressive(case.question)
        yield "progressive", seen(drawn(case.question, "progressive", regions=["result"]))
        yield "break-even", seen(svg_of(break_even_plot("", found.lines[0], found.others, found.changed)))


@settings(max_examples=8, deadline=None)
@given(case=changed())
def test_every_medium_says_what_was_changed(case: Case) -> None:
    fake = SimpleNamespace(DataFrame=Frame)
    sys.modules["pandas"], before = fake, sys.modules.get("pandas")  # type: ignore[assignment]
    try:
        found = {name: lacks for name, text in media(case) if (lacks := dishonest(text, case))}
    finally:
        del sys.modules["pandas"]
        if before is not None:
            sys.modules["pandas"] = before
    assert not found
    plain = figures_of(GAMES[case.rules.game], case.rules, case.variant).as_dict()
    assert plain["changed"] == [each.as_dict() for each in case.rules.changes]
    assert plain["published"] is None
    assert row_of_law(case)["changed"] == []


class Frame(dict[str, object]):
    """As much of a data frame as an Edge needs."""

    def __init__(self, rows: object, columns: list[str]) -> None:
        super().__init__(rows=rows, columns=columns)

    def assign(self, **columns: object) -> "Frame":
        self.update(columns)
        return self


@pytest.fixture(scope="module")
def offered() -> tuple[Submission, Rules]:
    others = ("six_card_bonus", "five_card_progressive", "five_card_hand_player", "five_card_hand_dealer")
    return without(TCP, *others, "five_of_six_progressive")


def test_a_report_or_sign_of_a_changed_table_never_looks_lawful(offered: tuple[Submission, Rules]) -> None:
    submission, law = offered
    rules = law.with_pay("pair_plus", flush=0).with_pay("ante_bonus", straight=3)
    said = ("Pair Plus flush 0 to 1 instead of 4 to 1", "Ante Bonus straight 3 to 1 instead of 1 to 1")
    lawful, changed = (seen(html_of(mathematics_paper(submission, each))) for each in (law, rules))
    figures, _, _ = changed.partition("Readings and notes")
    for paragraph, published in (("649a.12(b)", "HE 3.37 %"), ("649a.12(d)", "4.58 %")):
        assert published in lawful, "the law's table stands beside what others found"
        assert published not in changed
        assert f"{paragraph}, changed" in figures
        assert not re.search(rf"{re.escape(paragraph)}(?!, changed)", figures)
    assert "Pair Plus Wager, table A, changed" in figures
    assert not re.search(r"Pair Plus[\w ]*, table A(?!, changed)", figures)
    assert all(figures.count(each) >= 3 for each in said), "over the report, in the summary and in the section"
    assert "changed" not in lawful.replace("unchanged", "")
    # Each other reading of the Ante Bonus has the changed row too.
    assert figures.count("Hold, of the Ante") == 3
    assert "649a.12(e)(1), changed" not in figures, "its table is the law's"
    assert "Hold where folds forfeit it, main wagers changed" in figures
    assert figures.count(f"; changed: {said[1]}") == 7, "on top, and of each reading in the summary and in its part"
    sign = sign_paper(submission, rules)
    printed = "".join(page.extract_text() for page in PdfReader(BytesIO(pdf_of(sign))).pages)
    for text in (" ".join(each.split()) for each in (seen(html_of(sign)), printed)):
        assert all(each in text for each in said)
        assert not re.search(r"649a\.12\([bd]\)(?!, changed)", text)


def test_best_play_under_changed_pays_says_so_everywhere() -> None:
    question = Question(TCP, DAY, "main", "A", "printed", ("ante_bonus.straight=3 to 1",))
    said = "Ante Bonus straight 3 to 1 instead of 1 to 1"
    best = strategy(question)
    assert said in seen(drawn(question, "strategy"))
    assert said in seen(strategy_chart("", best.charts, best.changed))
    assert said in strategy_csv(question).splitlines()[0]
    assert said in seen(drawn(question, "hand", cards="Qs 6d 4c"))
    assert "changed" not in seen(drawn(question.lawful, "hand", cards="Qs 6d 4c"))
    said_by_rules = repr(pitboss.rules(TCP, DAY).with_pay("ante_bonus", straight=3))
    assert said in said_by_rules


@pytest.mark.parametrize("text", ["0", "5", "none"])
def test_on_the_command_line_a_changed_row_is_named(text: str) -> None:
    asked = (TCP, "--wager", "pair_plus", "--pay", f"flush={text}", "--as-of", str(DAY))
    pays = "nothing" if text == "none" else f"{text} to 1"
    ran = Ran("edge", *asked)
    assert f"Not the law's table; changed: Pair Plus flush {pays} instead of 4 to 1." in " ".join(ran.out.split())
    (plain,) = Ran("edge", *asked, "--json").json
    assert plain["changed"] == [
        {"table": "pair_plus", "row": "flush", "law": "4 to 1", "pays": None if text == "none" else f"{text} to 1"}
    ]


def test_an_edge_says_what_it_leaves_out() -> None:
    edge = pitboss.edge(pitboss.rules("let-it-ride", DAY), "five_card_hand")
    assert repr(edge).startswith("<Edge: Five Card Hand: 63.7624 % of the Wager; without shares of a meter")
    assert "without shares of a meter" in edge._repr_html_()
    assert edge.as_dict()["leaves_out"] == ["shares of a meter, which count as lost stakes"]
    limited = pitboss.edge(pitboss.rules("mississippi-stud", DAY))
    assert str(limited).endswith("; before the payout limit of $50,000")
    assert limited.as_dict()["leaves_out"] == ["the payout limit of $50,000"]
    at = pitboss.edge(pitboss.rules("mississippi-stud", DAY), stake=50_000)
    assert str(at).endswith("; for $500 under the payout limit of $50,000")
    assert (at.as_dict()["leaves_out"], at.as_dict()["published"]) == ([], None)
    plain = pitboss.edge(pitboss.rules(TCP, DAY), "pair_plus")
    assert plain.conditions.phrases == plain.conditions.leaves_out == ()


def test_a_row_that_an_option_adds_is_lawful() -> None:
    """Only what differs from what the law and the options of the table pay is a change."""
    for name in BANKED:
        submission, rules = submitted(name)
        assert submission.game == name
        assert rules.changes == ()


def test_a_fact_that_is_set_otherwise_stands_with_the_figures() -> None:
    rules = pitboss.rules("let-it-ride", DAY, facts={"paytables.five_card_hand.-.full_house": "60 for 1"})
    edge = pitboss.edge(rules, "five_card_hand")
    assert "set by the submission" in str(edge)
    assert edge.as_dict()["facts"] == {"paytables.five_card_hand.-.full_house": "60 for 1"}
    assert edge.as_dict()["changed"] == []
    assert "set by" not in str(pitboss.edge(rules, "three_card_bonus"))


def test_a_simulation_under_changed_pays_says_so_and_can_be_walked() -> None:
    rules = pitboss.rules(TCP, DAY, offered=("pair_plus",)).with_pay("pair_plus", flush=0)
    run = pitboss.simulate(rules, 1000)
    said = "Pair Plus flush 0 to 1 instead of 4 to 1"
    assert said in repr(run)
    assert said in run._repr_html_()
    assert [row.wager for row in run] == ["main", "pair_plus"]
    assert len(run) == 2
    main, pair_plus = (row.as_dict() for row in run)
    assert (main["changed"], main["stakes_dollars"]) == ([], [10.0])
    assert [each["row"] for each in pair_plus["changed"]] == ["flush"]
    out = Console(file=StringIO(), width=80, highlight=False)
    show_paper(out, run_paper(run.figures))
    assert isinstance(out.file, StringIO)
    shown = " ".join(out.file.getvalue().split())
    assert "Pair Plus A, changed $5 its stake" in shown
    assert "Main A $10 Ante" in shown
    assert f"changed: {said}" in shown


def test_a_pay_table_against_the_ranking_of_hands_is_noticed() -> None:
    """The law's own order is never a warning; what a change or a fact turns round is."""
    law = pitboss.rules(TCP, DAY)
    assert [str(each) for each in upsets(GAMES[TCP], law.with_pay("pair_plus", flush=0), law)] == [
        "In Pair Plus flush pays 0 to 1, less than pair at 1 to 1, although it is the higher hand."
    ]
    assert [each.higher for each in upsets(GAMES[TCP], law.with_pay("pair_plus", pair=9), law)] == ["straight", "flush"]
    assert upsets(GAMES[TCP], law.with_pay("pair_plus", flush=2, straight=3), law) == ()
    for name in BANKED:
        rules = pitboss.rules(name, DAY)
        assert upsets(GAMES[name], rules, rules) == ()
    asked = (TCP, "--wager", "pair_plus", "--pay", "flush=none", "--as-of", str(DAY))
    said = "In Pair Plus flush pays nothing, less than pair at 1 to 1, although it is the higher hand."
    assert f"Warning: {said}" in " ".join(Ran("edge", *asked).out.split())
    assert Ran("edge", *asked, "--json").json[0]["warnings"] == [said]
    question = Question(TCP, DAY, "pair_plus", "A", "printed", ("pair_plus.flush=none",))
    assert said in seen(drawn(question, without=SLOW))


def test_a_submission_whose_facts_turn_the_order_of_hands_is_warned(tmp_path: Path) -> None:
    text = text_of("let-it-ride").replace("[facts]\n", '[facts]\n"paytables.let_it_ride.-.flush" = "1 to 1"\n', 1)
    file = tmp_path / "house.toml"
    file.write_text(text, encoding="utf-8")
    finding = next(each for each in check(read_submission(text)) if each.code == PAY_ORDER)
    assert (finding.severity, finding.cite, finding.found) == ("note", "643a.12(a)", "1 to 1")
    assert "flush pays 1 to 1, less than straight at 5 to 1" in finding.sentence
    assert "flush pays 1 to 1, less than straight" in Ran("submission", "check", file).out
    assert PAY_ORDER not in {each.code for each in check(read_submission(text_of("let-it-ride")))}
