"""One reader for everything that people and programs send: all findings at once, in sentences, whatever comes."""

import json
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from enum import Enum
from pathlib import Path
from typing import Annotated, Any, Literal, NewType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Meta

from pitboss.cards import parse_cards
from pitboss.documents import LIMITS as DOCUMENT
from pitboss.documents import parse_toml
from pitboss.exact.wishes import read_wishes
from pitboss.findings import FieldsError, Finding, UnreadableError
from pitboss.games.registry import GAMES
from pitboss.games.roundfile import read_round, read_round_text
from pitboss.games.roundkeys import RoundKeys, SeatKeys, keys_of
from pitboss.reader import (
    Balance,
    CardsText,
    Day,
    Dollars,
    Entries,
    Extensible,
    Together,
    ValueLimits,
    extended,
    measure,
    names_of,
    read,
    required,
)
from pitboss.submission import read_submission, template
from pitboss.table.codec import decode, encode
from pitboss.table.command import COMMANDS, read_command

SECONDS = 2.0
MEGABYTES = 150
Number = NewType("Number", int)


class Color(Enum):
    RED = "red"
    BLUE = "blue"


@dataclass(frozen=True)
class Place:
    number: Annotated[int, Meta(ge=1, le=9, description="a seat from 1 to 9")]
    wagers: Mapping[str, Dollars] = field(default_factory=dict)
    cards: CardsText = ()


@dataclass(frozen=True)
class Sample(Together):
    game: str
    day: Day | None = None
    color: Color = Color.RED
    kind: Literal["high", "low"] = "high"
    places: Annotated[tuple[Place, ...], Entries(lambda name, at, _: f"{name} {at}")] = ()
    meter: Balance | Place | None = None
    counts: Mapping[int, Number] = field(default_factory=dict)
    flag: bool = False

    def misfits(self) -> Any:
        if self.flag and not self.places:
            yield "flag is for games with places."


def said(kind: Any, value: Any) -> list[str]:
    record, findings = read(kind, value)
    assert (record is None) == bool(findings)
    return [finding.sentence for finding in findings]


def test_what_fits_is_read_with_exact_values() -> None:
    value = {
        "game": "whist",
        "day": date(2024, 6, 1),
        "color": "blue",
        "kind": "low",
        "places": [{"number": 3, "wagers": {"ante": Decimal("2.50")}, "cards": "As Kd"}],
        "meter": Decimal("0.25"),
        "counts": {"7": 1},
    }
    record, findings = read(Sample, value)
    assert findings == ()
    assert record == Sample(
        "whist",
        date(2024, 6, 1),
        Color.BLUE,
        "low",
        (Place(3, {"ante": 250}, parse_cards("As Kd")),),
        25,
        {7: Number(1)},
    )
    assert required(Sample, value | {"meter": {"number": 1}}).meter == Place(1)


def test_every_misfit_is_named_at_once_with_its_place_and_what_was_meant() -> None:
    value = {
        "gmae": "whist",
        "day": "2024-06-01",
        "color": "bleu",
        "kind": "hihg",
        "places": [{"number": "1", "cards": "Zd"}, 7, {"number": 12, "wagers": {"ante": "ten", "bet": True}}],
        "meter": [],
        "counts": {"x": 1, "2": 1.5},
        "flag": 1,
    }
    assert said(Sample, value) == [
        "gmae is not a key here; did you mean game?",
        "game is missing: it should be text.",
        "day should be a date such as 2024-06-01, not '2024-06-01'.",
        "color should be red or blue, not 'bleu'; did you mean blue?",
        "kind should be high or low, not 'hihg'; did you mean high?",
        "places 1.number should be a seat from 1 to 9, not '1'.",
        "places 1.cards: 'Zd' is not a card: write a rank (2-9, T, J, Q, K, A) and a suit (c, d, h, s), for example "
        "As or Td.",
        "places 2 should be a table, not 7.",
        "places 3.number should be a seat from 1 to 9, not 12.",
        "places 3.wagers.ante should be an amount of dollars, not 'ten'.",
        "places 3.wagers.bet should be an amount of dollars, not True.",
        "meter should be an amount of dollars or a table, not a list.",
        "counts: a key should be a whole number, not 'x'.",
        "counts.2 should be a whole number, not 1.5.",
        "flag should be true or false, not 1.",
    ]
    assert said(Sample, {"game": "x", "flag": True}) == ["Flag is for games with places."]
    assert said(Sample, [1]) == ["This should be a table, not a list."]
    with pytest.raises(FieldsError) as caught:
        required(Sample, {"game": 1, "flag": 2}, "a.toml")
    assert [(each.code, each.where) for each in caught.value.findings] == [
        ("unreadable", "game"),
        ("unreadable", "flag"),
    ]
    assert str(caught.value) == "a.toml: game should be text, not 1. a.toml: flag should be true or false, not 2."


def test_keys_of_a_game_are_read_like_others() -> None:
    kind = extended(Extensible, {"raise": Dollars, "from": Annotated[int, Meta(description="a year")]})
    assert required(kind, {"raise": 5}).more == {"raise": 500}
    assert set(names_of(kind)) == {"raise", "from"}
    assert said(kind, {"rise": 5, "from": "x"}) == [
        "rise is not a key here; did you mean raise?",
        "from should be a year, not 'x'.",
    ]


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        ({"a": 10**18}, "a should be a number of at most 17 digits."),
        ({"a": [{"b": Decimal("1e-30000000")}]}, "a[1].b should be a number of at most 17 digits."),
        ({"a": Decimal("Infinity")}, "a should be a number of at most 17 digits."),
        ({"a": float("nan")}, "a should be a number of at most 17 digits."),
        ({"a": "x" * 200_001}, "a should be a text of at most 200,000 characters."),
        ({"a": "b\0"}, "a holds a NUL character. Remove it."),
        ({"\udfff": 1}, "'\\udfff' holds half of a character (a lone surrogate). Remove it."),
        ({"a": list(range(20_001))}, "This has more than 20,000 keys and entries. Remove those that are not needed."),
    ],
)
def test_sizes_have_limits(value: Any, sentence: str) -> None:
    assert [finding.sentence for finding in measure(value, ValueLimits())] == [sentence]
    assert said(dict[str, Any], value) == [sentence]


def test_what_is_over_a_limit_does_not_hide_other_misfits() -> None:
    value = {"game": "a\0", "flag": 5, "kind": "x" * 200_001, "counts": {"1": 10**30, "2": "x"}, "gmae": 1}
    assert said(Sample, value) == [
        "game holds a NUL character. Remove it.",
        "kind should be a text of at most 200,000 characters.",
        "counts.1 should be a number of at most 17 digits.",
        "gmae is not a key here; did you mean game?",
        "counts.2 should be a whole number, not 'x'.",
        "flag should be true or false, not 5.",
    ]
    assert said(Sample, {"game": "a\0"}) == ["game holds a NUL character. Remove it."]


def test_nesting_has_a_limit_and_does_not_recurse() -> None:
    deep: Any = 1
    for _ in range(10_000):
        deep = [deep]
    [sentence] = said(dict[str, Any], {"a": deep})
    assert sentence.endswith("is nested more than 32 levels deep. Flatten it.")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6) | st.decimals(),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.text(max_size=6)
            | st.sampled_from(
                ["game", "day", "color", "kind", "places", "meter", "counts", "flag", "number", "wagers", "cards"]
            ),
            inner,
            max_size=6,
        )
    ),
    max_leaves=20,
)


@settings(max_examples=1500, deadline=None, derandomize=True)
@given(JSON)
def test_anything_is_read_or_refused_in_printable_sentences(value: Any) -> None:
    record, findings = read(Sample, value)
    assert (record is None) == bool(findings)
    for finding in findings:
        assert finding.sentence.isprintable()
        assert len(finding.sentence) < 600
        assert finding.sentence.endswith((".", "?"))


@settings(max_examples=300, deadline=None, derandomize=True)
@given(JSON, st.sampled_from(["open_table", "wager", "irregularity", "stub", "decide", "receive_decks", "declare"]))
def test_any_command_is_read_or_refused(value: Any, name: str) -> None:
    body = value if isinstance(value, dict) else {"seat": value, "hands": value, "backs": value}
    findings: tuple[Finding, ...] = ()
    try:
        wanted = read_command({"command": name, **body})
        assert decode(type(wanted), encode(wanted)) == wanted
    except UnreadableError as problem:
        findings = problem.findings
    assert all(finding.sentence.isprintable() for finding in findings)


def test_a_command_is_told_everything_that_is_wrong_with_it() -> None:
    body = {"command": "irregularity", "seat": "1", "hands": {"1": 5, "2": "As"}, "cuont": 2}
    with pytest.raises(FieldsError) as caught:
        read_command(body)
    assert [finding.sentence for finding in caught.value.findings] == [
        "cuont is not a key here; did you mean count?",
        "what is missing: it should be text.",
        "seat should be a whole number, not '1'.",
        "hands.1 should be text, not 5.",
    ]
    with pytest.raises(UnreadableError, match=r"There is no command 'wagr'; did you mean wager\?"):
        read_command({"command": "wagr"})
    with pytest.raises(FieldsError, match="hands should be an object, not a list"):
        read_command({**body, "hands": []})


def test_every_command_reads_what_it_writes() -> None:
    """Each command with plain values of its annotations goes through JSON and back."""
    samples: dict[str, Any] = {"whole number": 3, "text": "x", "true or false": True, "list": ["x"], "object": {}}
    for name, kind in COMMANDS.items():
        body: dict[str, Any] = {}
        while True:
            record, findings = read(kind, body, mapping="an object")
            if record is not None:
                break
            [first, *_] = findings
            body[first.where] = next(value for words, value in samples.items() if words in first.expected)
        assert json.loads(json.dumps(record.as_dict())) == record.as_dict()
        assert read_command(json.loads(json.dumps(record.as_dict()))) == record, name


def test_a_round_file_is_told_everything_that_is_wrong_with_it() -> None:
    text = """game = "four-card-poker"
as_of = 5
delaer = "As"
device = "hnad"
[meters]
five_card_progresive = 5
[[seat]]
number = "1"
cards = "As Zd"
wagers = { ante = "ten" }
[[seat]]
number = 2
play = 30
[[seat]]
number = 3
decision = "play"
decisions = { play = "play 1x", nothing = "x" }
"""
    with pytest.raises(FieldsError) as caught:
        read_round_text(text)
    sentences = [finding.sentence for finding in caught.value.findings]
    for part in (
        "delaer is not a key here; did you mean dealer?",
        "as_of should be a date such as 2024-06-01, not 5.",
        "seat[1].number should be a seat number, not '1'.",
        "seat[1].cards: 'Zd' is not a card",
        "seat[1].wagers.ante should be an amount of dollars, not 'ten'.",
        "seat 2: decision is missing though an amount or drawn cards are given.",
        "seat 3.decisions.nothing is not a key here.",
        "did you mean hand?",
        "meters.five_card_progresive is not a key here; did you mean five_card_progressive?",
    ):
        assert any(part in sentence for sentence in sentences), (part, sentences)


@pytest.mark.parametrize("name", GAMES)
def test_the_keys_of_a_game_do_not_hide_each_other(name: str) -> None:
    """A place, a meter, an option or a later wager of the name of a common key would never be read."""
    game = GAMES[name]
    kind = keys_of(game, {})
    static = set(names_of(RoundKeys))
    assert not static & set(kind.EXTRA)
    seat: Any = kind.EXTRA["seat"].__origin__.__args__[0]
    assert not set(names_of(SeatKeys)) & set(seat.EXTRA)
    assert {deal.device for deal in game.chapter.deals} == set(kind.EXTRA["device"].__args__)


def test_options_of_other_games_are_read_for_a_finding_and_typos_are_not() -> None:
    data = {"game": "four-card-poker", "seat": []}
    assert read_round({**data, "mini_royal": {"pair_plus": 50}}).choices.options == {"mini_royal": {"pair_plus": 50}}
    with pytest.raises(FieldsError, match="mini_roial is not a key here"):
        read_round({**data, "mini_roial": {"pair_plus": 50}})


# Attacks: everything below must be answered in a sentence, quickly and in little memory.

ROUND = 'game = "four-card-poker"\n'
SUBMISSION = 'game = "four-card-poker"\neffective = 2024-06-01\n'
TOML: Mapping[str, Callable[[], str]] = {
    "5 MB": lambda: "x" * 5_000_000,
    "5 MB of keys": lambda: "".join(f"k{n} = 1\n" for n in range(400_000)),
    "deep": lambda: "a = " + "[" * 10_000 + "]" * 10_000,
    "deep tables": lambda: "a = " + "{ a = " * 10_000 + "1" + " }" * 10_000,
    "dotted": lambda: ".".join(["a"] * 10_000) + " = 1",
    "NUL": lambda: 'certificate_holder = "\\u0000"\ndealer = "\\u0000"',
    "raw NUL": lambda: "a = \0",
    "surrogate": lambda: 'a = "\\ud800"',
    "doubled": lambda: "seats = 5\nseats = 5",
    "doubled table": lambda: "[meters]\na = 1\n[meters]\na = 1",
    "exponent": lambda: "reserves = { a = 1e-30000000 }\nseats = 1e30000000",
    "small exponent": lambda: "meters = { five_card_progressive = 1e-15 }\noptions = { x = 1e-15 }",
    "digits": lambda: "seats = " + "9" * 100_000,
    "long numbers": lambda: "seats = 9999999999999999999999999999999999999\nlucky_position = 99999999999999999999999",
    "hexadecimal": lambda: "seats = 0x" + "f" * 38 + "\nlucky_position = 0x" + "f" * 38,
    "inf": lambda: "seats = inf\nlucky_position = nan",
    "wrong names": lambda: "".join(f'dealr{n} = "As"\n' for n in range(900)),
    "names like true ones": lambda: "".join(f"{'certificate_holder' * 10}{n} = 1\n" for n in range(500)),
    "wrong types": lambda: "seats = []\nseat = { number = [] }\nwagers = 5\nshuffler = 1\nmeters = [1]\noptions = 2",
    "a list of seats": lambda: "seat = [" + "1, " * 3_000 + "]\nwagers = [" + "{}, " * 900 + "]",
    "facts": lambda: "[facts]\n" + "".join(f'"a.b{n}" = [1]\n' for n in range(900)),
}


def _peak(work: str) -> tuple[str, float, float]:
    """The outcome of Python code in a process of its own, its seconds of processor time, and MiB above the start."""
    program = f"""
import resource, time
from pitboss.submission import read_submission
from pitboss.games.roundfile import read_round_text
from pitboss.findings import UnreadableError
from pitboss.games.registry import GAMES
for name in GAMES: read_round_text(f'game = "{{name}}"')
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
{work}
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=110, check=True)
    told, seconds, memory = ran.stdout.strip().rsplit(" ", 2)
    return told, float(seconds), float(memory)


@pytest.mark.parametrize("head", [ROUND, SUBMISSION], ids=["round", "submission"])
def test_hostile_documents_are_refused_quickly_in_sentences_and_in_little_memory(head: str, tmp_path: Path) -> None:
    for number, shape in enumerate(TOML.values()):
        (tmp_path / f"{number:02}.toml").write_text(head + shape(), encoding="utf-8")
    reads = "read_round_text" if head == ROUND else "read_submission"
    told, seconds, memory = _peak(f"""
from pathlib import Path
worst = 0
for path in sorted(Path({str(tmp_path)!r}).glob("*.toml")):
    start = time.process_time()
    try:
        {reads}(path.read_text())
        print("accepted", path.stem)
    except UnreadableError as problem:
        for finding in problem.findings:
            assert finding.sentence.isprintable() and len(finding.sentence) < 1000, path
    worst = max(worst, time.process_time() - start)
print("done", worst, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024)
""")
    assert told == "done", [name for number, name in enumerate(TOML) if f"{number:02}" in told]
    assert seconds < SECONDS
    assert memory < MEGABYTES


def nested(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = {"a": value}
    return value


COMMAND_VALUES: Mapping[str, Callable[[], Any]] = {
    "5 MB": lambda: "x" * 5_000_000,
    "deep": lambda: nested(10_000),
    "NUL": lambda: "a\0",
    "surrogate": lambda: "\ud800",
    "huge": lambda: 10**100_000,
    "exponent": lambda: Decimal("1e-30000000"),
    "many": lambda: {str(number): number for number in range(200_000)},
    "a long list": lambda: [1] * 1_000_000,
    "nan": lambda: float("nan"),
    "true": lambda: True,
}


@pytest.mark.parametrize("key", ["seat", "submission", "hands", "meters", "backs", "cards", "nothing"])
def test_hostile_commands_are_refused_quickly_in_sentences(key: str) -> None:
    for name, made in COMMAND_VALUES.items():
        for command in ("irregularity", "open_table", "receive_decks"):
            value = made()
            start = time.process_time()
            with pytest.raises(UnreadableError) as caught:
                read_command({"command": command, key: value, "never": 1})
            assert time.process_time() - start < SECONDS, name
            for finding in caught.value.findings:
                assert finding.sentence.isprintable(), name
                assert len(finding.sentence) < 600, name


def test_hostile_wishes_are_refused_in_sentences() -> None:
    texts = [
        "x" * 5_000_000,
        "9" * 5_000,
        "1e-30000000",
        "1e30000000",
        "\0",
        "\ud800",
        "",
        "1/0",
        "nan",
        "..",
        "=",
    ]
    for text in texts:
        start = time.process_time()
        with pytest.raises(FieldsError) as caught:
            read_wishes(text, text, unit=text, order=text, rows=[text], top=text, hits=text, deviation=text, seen=text)
        assert time.process_time() - start < SECONDS
        places = {finding.where for finding in caught.value.findings}
        assert places == {"low", "high", "unit", "order", "rows[1]", "top", "hits", "deviation", "seen"}
        assert all(finding.sentence.isprintable() for finding in caught.value.findings)
    with pytest.raises(FieldsError, match="The least hold of 5 % is above the largest of 3 %"):
        read_wishes("5", "3")


def test_a_template_with_three_faults_is_told_all_three() -> None:
    text = template("three-card-poker", date(2024, 6, 1))
    text = text.replace("effective = ", "efective = ").replace("offered = true", 'offered = "yes"', 1)
    with pytest.raises(FieldsError) as caught:
        read_submission(text)
    sentences = [finding.sentence for finding in caught.value.findings]
    assert sentences[0] == "efective is not a key here; did you mean effective?"
    assert sum("offered should be true or false, not 'yes'." in sentence for sentence in sentences) == 1
    assert len(sentences) == 3
    assert parse_toml("a = 1", "x", DOCUMENT) == {"a": 1}
