"""The command line as a stranger meets it: output, exit codes, sentences instead of tracebacks."""

import io
import json
import re
import subprocess
import sys
from ast import literal_eval
from contextlib import redirect_stderr, redirect_stdout
from datetime import date
from pathlib import Path
from time import sleep
from typing import Any
from unittest.mock import patch

import pytest
from rich.console import Console

from pitboss.api import settle_file
from pitboss.cli import main
from pitboss.cli.options import progress_bar
from pitboss.cli.screen import show_paper
from pitboss.games.registry import GAMES
from pitboss.law.index import paragraphs
from pitboss.reports.settlement import settlement_paper

ROUND = """
game = "four-card-poker"
as_of = 2024-06-01
paytables = { aces_up = "C", five_card_progressive = "A" }
dealer = "2c 7d 7h Jc Qs 3d"
six_card_bonus_card = "9h"
magic_card = "Qs"
[meters]
five_card_progressive = 12345.67
[[seat]]
number = 1
cards = "As Ad 9c 4h 2d"
wagers = { ante = 10, aces_up = 5, five_card_progressive = 1 }
decision = "play"
play = 30
"""


class Ran:
    """The command run in this process; anything but an orderly exit fails the test by itself."""

    def __init__(self, *arguments: str | Path) -> None:
        out, err = io.StringIO(), io.StringIO()
        command = ["pitboss", *map(str, arguments)]
        with patch.object(sys, "argv", command), redirect_stdout(out), redirect_stderr(err):
            try:
                main()
                self.code = 0
            except SystemExit as stop:
                self.code = int(stop.code or 0)
        self.out, self.err = out.getvalue(), err.getvalue()

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@pytest.fixture
def round_file(tmp_path: Path) -> Path:
    path = tmp_path / "round.toml"
    path.write_text(ROUND, encoding="utf-8")
    return path


def test_settle_prints_the_published_json(round_file: Path) -> None:
    ran = Ran("settle", round_file, "--json")
    assert (ran.code, ran.err) == (0, "")
    assert set(ran.json) == {"lines", "totals", "meters", "findings"}
    assert [(line["wager"], line["result"], line["net"]) for line in ran.json["lines"]] == [
        ("ante", "win", 1000),
        ("play", "win", 3000),
        ("aces_up", "win", 500),
        ("five_card_progressive", "lose", -100),
    ]
    assert ran.json["lines"][0]["cite"] == "641a.11(c)(3)(ii)"
    assert ran.json["totals"] == {"1": 4400}
    assert ran.json["meters"] == {"five_card_progressive": 1234588}


def test_settle_prints_lines_for_people(round_file: Path) -> None:
    ran = Ran("settle", round_file)
    assert ran.code == 0
    assert "641a.11(c)(3)(ii)" in ran.out
    assert re.search(r"Net by seat\n.*\n.*\n +1 +\+44\.00\n", ran.out)
    assert "$12,345.88" in ran.out


def test_a_round_with_findings_settles_nothing(round_file: Path) -> None:
    round_file.write_text(ROUND.replace("play = 30", "play = 40").replace("2d", "As"), encoding="utf-8")
    ran = Ran("settle", round_file, "--json")
    assert ran.code == 1
    assert ran.json["lines"] == []
    assert {finding["code"] for finding in ran.json["findings"]} == {"play-amount", "duplicate-card"}
    assert all(finding["cite"] and finding["expected"] and finding["found"] for finding in ran.json["findings"])
    assert "[641a.7(d)(1)]" in ran.err


@pytest.mark.parametrize(
    ("change", "to", "said"),
    [
        ('game = "four-card-poker"', 'game = "whist"', "no game called 'whist'"),
        ('game = "four-card-poker"', "", "game is missing"),
        ('cards = "As Ad 9c 4h 2d"', 'cards = "As Ad 9c 4h 1d"', "'1d' is not a card"),
        ("number = 1", 'number = "one"', "should be a seat number"),
        ("ante = 10", "ante = 10.005", "not a whole number of cents"),
        ("ante = 10", 'ante = "ten"', "should be an amount of dollars"),
        ("magic_card", "majic_card", "majic_card is not a key here; did you mean magic_card?"),
        ("dealer =", "dealer ==", "not valid TOML"),
        ("12345.67", "nan", "TOML"),
        ("five_card_progressive = 12345.67", "six_card_progressive = 5", "did you mean five_card_progressive?"),
        ("as_of = 2024-06-01", "as_of = 5", "should be a date"),
        ("[[seat]]", "[seat]", "should be a list"),
        ("as_of = 2024-06-01", "as_of = 2024-06-01T10:00:00", "should be a date"),
        ("number = 1", "number = " + "1" * 5000, "a number has more than 40 characters"),
        ("12345.67", "-1", "below zero"),
    ],
)
def test_an_unreadable_round_is_told_in_a_sentence(round_file: Path, change: str, to: str, said: str) -> None:
    assert change in ROUND
    round_file.write_text(ROUND.replace(change, to), encoding="utf-8")
    ran = Ran("settle", round_file, "--json")
    assert ran.code == 2
    assert said in ran.err
    assert ran.out == ""


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", b"", b"[[[[", b"a = " + b"[" * 3000])
def test_garbage_is_unreadable_not_a_crash(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "bad.toml"
    path.write_bytes(content)
    for command in (["settle"], ["submission", "check"]):
        assert Ran(*command, path).code == 2


@pytest.mark.parametrize(
    ("game", "choice", "code"),
    [
        ("three-card-poker", "version = 4", "version-unknown"),
        ("four-card-poker", "version = 1", "version-not-available"),
        ("four-card-poker", "payout_limit = 50000", "payout-limit-not-available"),
        ("four-card-poker", "mini_royal = { pair_plus = 50 }", "mini-royal-not-available"),
        ("three-card-poker", "mini_royal = { pair_plus = 39 }", "mini-royal-below-floor"),
        ("four-card-frenzy", 'readings = { four_card_bonus = "guess" }', "unknown-reading"),
        ("four-card-poker", 'paytables = { aces_down = "A" }', "unknown-paytable"),
        ("four-card-poker", "meters = { five_card_progressive = { mega = 1 } }", "meter-tier"),
    ],
)
def test_choices_that_the_game_does_not_have_are_findings(tmp_path: Path, game: str, choice: str, code: str) -> None:
    path = tmp_path / "round.toml"
    size = {"three-card-poker": 3}.get(game, 5)
    cards = " ".join(["2c", "4d", "6h", "8s", "Tc"][:size])
    dealer = " ".join(["3c", "5d", "7h", "9s", "Jc", "Kd"][: 6 if game == "four-card-poker" else size])
    odds = ", odds = 5" if game == "four-card-frenzy" else ""
    progressive = ", five_card_progressive = 1" if "meters" in choice else ""
    seat = f'seat = [{{ number = 1, cards = "{cards}", decision = "fold", '
    seat += f"wagers = {{ ante = 5{odds}{progressive} }} }}]"
    path.write_text(f'game = "{game}"\nas_of = 2024-06-01\n{choice}\ndealer = "{dealer}"\n{seat}', encoding="utf-8")
    ran = Ran("settle", path, "--json")
    assert ran.code == 1
    assert [finding["code"] for finding in ran.json["findings"]] == [code]


def test_missing_files_and_folders(tmp_path: Path) -> None:
    for command in (["settle"], ["submission", "check"], ["submission", "diff", tmp_path]):
        ran = Ran(*command, tmp_path / "nothing.toml")
        assert ran.code == 2
        assert ran.err.startswith("pitboss: ")


def test_a_round_under_a_submission(tmp_path: Path, round_file: Path) -> None:
    assert Ran("submission", "new", "four-card-poker", "-o", tmp_path / "house.toml", "--as-of", "2024-01-01").code == 0
    assert Ran("submission", "new", "four-card-poker", "-o", tmp_path / "house.toml").code == 2
    plain = "".join(line + "\n" for line in ROUND.splitlines() if not line.startswith("paytables"))
    text = plain.replace("as_of", 'submission = "house.toml"\nas_of')
    round_file.write_text(text.replace(", five_card_progressive = 1 }", " }"), encoding="utf-8")
    assert "offers no Magic Card" in Ran("settle", round_file).err
    text = text.replace('magic_card = "Qs"\n', "")
    round_file.write_text(text.replace(", five_card_progressive = 1 }", " }"), encoding="utf-8")
    ran = Ran("settle", round_file, "--json")
    assert ran.code == 0, ran.err
    round_file.write_text(text.replace("aces_up = 5", "aces_up = 50000"), encoding="utf-8")
    ran = Ran("settle", round_file, "--json")
    assert ran.code == 1
    assert "above-maximum" in {finding["code"] for finding in ran.json["findings"]}
    round_file.write_text(text.replace("2024-06-01", "2023-06-01"), encoding="utf-8")
    assert "effective from" in Ran("settle", round_file).err
    other = text.replace("four-card-poker", "lunar-poker").replace("[meters]\nfive_card_progressive = 12345.67\n", "")
    other = other.replace('six_card_bonus_card = "9h"\n', "")
    round_file.write_text(other, encoding="utf-8")
    assert "is for four-card-poker" in Ran("settle", round_file).err


def test_deal_repeats_with_its_seed_and_follows_the_device() -> None:
    one, other = (Ran("deal", "lunar-poker", "--seats", "4", "--seed", "9", "--json").json for _ in range(2))
    assert one == other
    assert len(one["seats"]) == 4
    assert one["dealt"][-1] == {"card": one["dealer"][-2:], "to": "dealer", "face_up": True}
    stacked = Ran("deal", "lunar-poker", "--seed", "9", "--device", "automated-shoe", "--json").json
    assert [dealt["to"] for dealt in stacked["dealt"][:5]] == ["seat 1"] * 5


@pytest.mark.parametrize(
    "arguments",
    [
        ["deal", "whist"],
        ["deal", "lunar-poker", "--seats", "6"],
        ["deal", "lunar-poker", "--seats", "0"],
        ["deal", "lunar-poker", "--device", "sleeve"],
        ["deal", "lunar-poker", "--submission", "nothing.toml"],
        ["submission", "new", "whist"],
        ["law", "show", "641a.99"],
        ["law", "show", "999a.1"],
        ["law", "show", "hello"],
        ["law", "lint", "--texts", "nowhere"],
        ["law", "coverage", "--list", "guessed"],
        ["games", "--as-of", "tomorrow"],
        ["deal", "lunar-poker", "--seed", "x"],
    ],
)
def test_bad_arguments_get_a_sentence_and_exit_code_two(arguments: list[str]) -> None:
    ran = Ran(*arguments)
    assert ran.code == 2
    assert ran.err.strip()


def test_a_game_before_its_law_is_a_finding() -> None:
    ran = Ran("deal", "four-card-frenzy", "--as-of", "2019-08-30")
    assert ran.code == 1
    assert "684a was adopted on 2019-08-31" in ran.err


def test_a_chapter_that_was_only_amended_is_not_said_to_be_adopted() -> None:
    for game in GAMES.values():
        if game.chapter.partly:
            ran = Ran("deal", game.name, "--as-of", "2019-08-30")
            assert ran.code == 1
            assert "adopted" not in ran.err
            assert "in force since 2019-08-31; the earlier one is not at hand" in " ".join(ran.err.split())


def test_former_text_is_shown_with_its_last_day() -> None:
    assert "637a.10(b), until 2019-08-30: No more than eight players" in Ran("law", "show", "637a.10").out
    former = Ran("law", "show", "643a.12(b)", "--json").json["earlier"]
    assert [entry["until"] for entry in former] == ["2019-08-30"] * 7
    assert "Royal Flush $25,000" in former[6]["text"]


def test_games_lists_every_game_with_its_letters() -> None:
    listed = Ran("games", "--json", "--as-of", "2024-06-01").json
    assert [game["name"] for game in listed] == list(GAMES)
    assert listed[2]["paytables"]["four_card_bonus"] == list("ABCDEFGH")
    assert "four-card-frenzy" in Ran("games").out
    assert [game["in_force"] for game in Ran("games", "--json", "--as-of", "2013-01-01").json] == [False] * len(GAMES)


def test_law_coverage_accounts_for_every_paragraph() -> None:
    counted = Ran("law", "coverage", "--json").json
    chapters = counted["chapters"]
    assert sum(row["paragraphs"] for row in chapters.values()) == len(paragraphs())
    assert {chapters[game.chapter.chapter]["missing"] for game in GAMES.values()} == {0}
    assert "655a.12(d)" in counted["not_printed"]
    shown = Ran("law", "coverage").out
    assert f"{len(paragraphs()):,}" in shown
    assert "Not printed, and not counted" in shown
    assert "625a.5(b)" in shown
    missing = Ran("law", "coverage", "--list", "missing").out
    assert not any(line.startswith(game.chapter.chapter) for game in GAMES.values() for line in missing.splitlines())
    assert "drop box" in Ran("law", "coverage", "--list", "physical").out


def test_law_show_tells_what_where_and_which_tests() -> None:
    shown = Ran("law", "show", "641a.11(c)(3)(ii)", "--json").json
    assert shown["status"] in ("tested", "named")
    assert "pitboss.games.four_card_poker.ante" in shown["where"]
    assert any("four-card-poker" in test for test in shown["tests"])
    assert "641a.11(c)(3)(ii)" in Ran("law", "show", "641a.11(c)(3)(ii)").out


def test_law_lint_passes_and_names_the_identical_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pitboss.exact.lint.GAMES", {"lunar-poker": GAMES["lunar-poker"]})  # all: test_exact_edge
    ran = Ran("law", "lint")
    assert ran.code == 0
    assert "F and H" in ran.out
    assert "gives the player the edge (−1.3865 %)" in " ".join(ran.out.split())


def test_submission_check_and_diff(tmp_path: Path) -> None:
    one, other = tmp_path / "one.toml", tmp_path / "other.toml"
    text = Ran("submission", "new", "three-card-poker", "--as-of", "2024-06-01").out
    one.write_text(text, encoding="utf-8")
    clean = Ran("submission", "check", one, "--json")
    assert clean.code == 0
    assert clean.json["findings"] == []
    assert clean.json["notes"]
    assert "--notes shows them" in Ran("submission", "check", one).out
    assert "law-note" in Ran("submission", "check", one, "--notes").out
    assert "same choices" in Ran("submission", "diff", one, one).out
    other.write_text(text.replace("seats = 7", "seats = 9"), encoding="utf-8")
    assert text != other.read_text(encoding="utf-8")
    refused = Ran("submission", "check", other, "--json")
    assert refused.code == 1
    assert "649a.2(a)" in {finding["cite"] for finding in refused.json["findings"]}
    assert [change["key"] for change in Ran("submission", "diff", one, other, "--json").json["changes"]] == ["seats"]


def test_demo_deals_every_game() -> None:
    ran = Ran("demo")
    assert ran.code == 0
    for name in (
        "three-card-poker",
        "four-card-poker",
        "four-card-frenzy",
        "lunar-poker",
        "Not approved for wagering money",
    ):
        assert name in ran.out


def test_a_real_process_exits_with_the_code_and_says_why(round_file: Path) -> None:
    command = [sys.executable, "-m", "pitboss", "settle", str(round_file)]
    assert subprocess.run(command, capture_output=True, text=True, check=False).returncode == 0
    round_file.write_text(ROUND.replace("play = 30", "play = 40"), encoding="utf-8")
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.endswith("nothing was settled.\n")
    round_file.unlink()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("pitboss: There is no file")


def test_help_imports_nothing_heavy() -> None:
    heavy = "('pitboss.', 'numpy', 'rich')"
    script = f"import sys; from pitboss import cli; print(sorted(m for m in sys.modules if m.startswith({heavy})))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    small = {f"pitboss.{module}" for module in ("findings", "lazy", "money", "names", "typed")}
    found = set(literal_eval(done.stdout)) - small
    assert {name for name in found if not name.startswith("pitboss.cli")} == set()
    assert not [name for name in found if name.startswith("pitboss.cli.screen")]


def test_on_a_narrow_screen_every_reason_can_be_read(round_file: Path) -> None:
    """The reason of a line stands under it in whole words instead of in a column of a few letters."""
    out = io.StringIO()
    show_paper(Console(file=out, width=80), settlement_paper(settle_file(round_file, date(2024, 6, 1))))
    shown = out.getvalue()
    assert max(map(len, shown.splitlines())) <= 80
    assert "against pair of 7s (7d 7h Jc Qs)" in " ".join(shown.split())
    assert shown.count("641a.11(c)(3)(ii)") == 2


INTERNAL = re.compile(r"\b[a-z0-9]+(?:_[a-z0-9]+)+\b")
THREE = "three-card-poker"


def test_the_terminal_shows_no_internal_name(round_file: Path, tmp_path: Path) -> None:
    """In tables, findings and lists of choices; only files, of which ``games`` tells, and places in code have them."""
    old, new = tmp_path / "old.toml", tmp_path / "new.toml"
    Ran("submission", "new", THREE, "-o", old)
    new.write_text(old.read_text().replace("minimum = 10", "minimum = 15", 1))
    done = [
        *(("settle", round_file), ("deal", THREE, "--seed", "5"), ("demo",), ("games",)),
        *(("law", "lint", "--no-mathematics"), ("law", "notes"), ("law", "coverage")),
        *(("edge", THREE, "--wager", "Pair Plus"), ("target", THREE, "1", "3", "--wager", "pair_plus")),
        *(("hand", THREE, "As Ks Qs"), ("progressive", THREE, "Three Card Progressive")),
        *(("simulate", THREE, "--rounds", "10", "--wager", "Ante=5"), ("submission", "diff", old, new)),
    ]
    shown = [Ran(*words) for words in done]
    for words, ran in zip(done, shown, strict=True):
        assert ran.code == 0, ran.err
        assert INTERNAL.findall(re.sub(r"in files: \S+", "", ran.out)) == [], words
    wrong = [
        *(("edge", THREE, "--wager", "nope"), ("edge", THREE, "--wager", "pair_plus", "--pay", "nope=3")),
        *(("progressive", THREE, "nope"), ("progressive", THREE, "pair_plus"), ("joint", THREE, "main", "nope")),
        *(("simulate", THREE, "--wager", "nope=5"), ("edge", THREE, "--wager", "pair_plus", "--paytable", "Z")),
    ]
    for words in wrong:
        ran = Ran(*words)
        assert (ran.code, INTERNAL.findall(ran.err)) == (2, []), words
    assert "Five Card Progressive" in shown[0].out


def test_each_step_of_a_bar_has_its_own_time_left() -> None:
    """A fast step before says nothing about the next one."""
    screen = io.StringIO()
    with (
        patch("pitboss.cli.screen.console", lambda **_: Console(file=screen, force_terminal=True, width=100)),
        progress_bar() as tell,
    ):
        for share in (0.1, 0.9):
            tell(share, 1, "ranking hands")
            sleep(0.05)
        tell(0.1, 1, "counting hands")
    last = screen.getvalue().rpartition("counting hands")[2]
    assert "-:--:--" in last
