"""Documents from strangers: every shape that is expensive to parse is refused before it is parsed, in a sentence."""

import json
import tomllib
import tracemalloc
from collections.abc import Callable
from contextlib import suppress
from datetime import date
from pathlib import Path
from random import Random
from typing import Any

import pytest
from scripts.hostile import JSON, PHH, TOML, VALID, any_toml, json_documents, toml_documents

from pitboss.api import read_own_round, rules_for, settle_written
from pitboss.documents import LIMITS, MESSAGE, SizeLimits, check_toml, parse_json, parse_toml, read_text
from pitboss.exact.whatif import rules_with_table
from pitboss.findings import Finding, FindingsError, UnreadableError
from pitboss.games.handhistory import read as read_history
from pitboss.games.registry import GAMES
from pitboss.games.roundfile import read_round_file
from pitboss.submission import check, read_submission, rules_of, template

DAY = date(2024, 6, 1)
SIZES = (60, 3_000, 120_000)
OVER = 1_000_000
"""Characters; too many for every limit."""
UNLIMITED = SizeLimits(*[10**9] * 11)
NARROW = SizeLimits(OVER, depth=2, parts=3, keys=6, tables=3, entries=OVER, number=OVER, name=OVER, text=OVER)


def _what_if(text: str, folder: Path) -> None:
    path = folder / "table.toml"
    path.write_text(text, encoding="utf-8", errors="surrogatepass")
    rules = rules_for(next(iter(GAMES)), DAY)
    rules_with_table(rules, next(iter(rules.tables)), path)


def _round_file(text: str, folder: Path) -> None:
    path = folder / "round.toml"
    path.write_text(text, encoding="utf-8", errors="surrogatepass")
    read_round_file(path)


def _submission(text: str, _: Path) -> None:
    submission = read_submission(text)
    check(submission)
    rules_of(submission)


ENTRANCES: dict[str, Callable[[str, Path], object]] = {
    "submission": _submission,
    "round": lambda text, _: settle_written(read_own_round(text), DAY),
    "round file": _round_file,
    "what if": _what_if,
    "hand history": lambda text, _: read_history(text, DAY),
}


@pytest.mark.parametrize("entrance", ENTRANCES)
def test_every_shape_is_read_or_refused_in_a_sentence(entrance: str, tmp_path: Path) -> None:
    for size in SIZES:
        for name, shape in {**TOML, **(VALID if size == SIZES[1] else {}), **PHH}.items():
            text = shape(size)
            findings: tuple[Finding, ...] = ()
            try:
                ENTRANCES[entrance](text, tmp_path)
            except (UnreadableError, FindingsError) as problem:
                findings = problem.findings
            assert len(findings) <= 100, name
            for said in (finding.sentence for finding in findings):
                assert said.isprintable(), name
                assert len(said) < 1_000, f"{name}: a sentence, not the document: {said[:200]}"


def test_what_is_over_a_limit_never_reaches_the_parser(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def parsed(*_: Any, **__: Any) -> None:
        raise AssertionError("parsed")

    monkeypatch.setattr("pitboss.documents.tomllib.loads", parsed)
    monkeypatch.setattr("pitboss.documents.json.loads", parsed)
    growing = [text for _, text in toml_documents(OVER) if len(text) > LIMITS.bytes]
    assert len(growing) > len(TOML) / 2
    # Between the limit of bytes and a tenth of it, only shape and number can refuse a document.
    shapes = ("a dotted key", "nested lists", "small tables", "many keys", "a long list", "a giant integer")
    for text in [*growing, *(TOML[name](LIMITS.bytes // 4) for name in shapes)]:
        for entrance in ENTRANCES.values():
            with pytest.raises(UnreadableError):
                entrance(text, tmp_path)
    for _, text in json_documents(OVER):
        if len(text) > MESSAGE.bytes:
            with pytest.raises(UnreadableError):
                parse_json(text, "The request")


def test_memory_grows_no_faster_than_the_document() -> None:
    """Counted, not timed. A key of n parts took n² before its parts were counted."""

    def peak(work: Callable[[str], object], text: str) -> int:
        tracemalloc.start()
        with suppress(UnreadableError):
            work(text)
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return most

    def measured(kind: str, work: Callable[[str], object], shape: Callable[[int], str]) -> None:
        (small, large) = texts = (shape(2_000), shape(16_000))
        for _ in range(3):  # threads that other tests left behind allocate too
            first, second = (peak(work, text) for text in texts)
            allowed = min(40_000 + 2.5 * first * max(1, len(large)) / max(1, len(small)), 200 * max(len(large), 2_000))
            if second < allowed:
                return
        raise AssertionError(f"{kind}: {first} for {len(small)} characters, {second} for {len(large)}")

    for name, shape in TOML.items():
        measured(name, lambda text: parse_toml(text, "x"), shape)
    for name, shape in JSON.items():
        measured(name, lambda text: parse_json(text, "x"), shape)


PARTS = [
    *["a=1\n", "b.c=2\n", "\"d e\"='x'\n", "[t]\n", "[[u]]\n", "x=[1,\n [2],# c\n]\n", "y={a=1,b={c=2}}\n"],
    *['z="""a"b""c"""\n', "w='''a'b'''\n", '# com "\n', "f=1.5e3\n", 'q="\\"#[\\\\"\n', '[t . "x.y"]\n', "s='\\'\n"],
    *['e=""\n', 'v="""x\\\n  y"""""\n', "\n", "  ", 'k."a.b".c = [ { z . y = 1 } , ]\n', "\r\n"],
    *[".", "=", "[", "]", "{", "}", ",", '"', "'", '"""', "'''", "#", "\\", "\\\n", "1", "2024-06-01", "\t"],
]


def test_the_scan_sees_what_the_parser_sees(monkeypatch: pytest.MonkeyPatch) -> None:
    """It refuses nothing that is TOML, and nothing over a limit gets past it, also in a document with errors."""
    parser: Any = tomllib._parser  # type: ignore[attr-defined]
    most = {"parts": 0, "depth": 0, "keys": 0, "tables": 0}
    key, depth = parser.parse_key, 0

    def counted_key(*args: Any) -> Any:
        found = key(*args)
        most["parts"] = max(most["parts"], len(found[1]))
        return found

    def nested(work: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*args: Any) -> Any:
            nonlocal depth
            depth += 1
            most["depth"] = max(most["depth"], depth)
            try:
                return work(*args)
            finally:
                depth -= 1

        return counted

    def each(what: str, work: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*args: Any) -> Any:
            found = work(*args)
            most[what] += 1
            return found

        return counted

    monkeypatch.setattr(parser, "parse_key", counted_key)
    for name in ("parse_array", "parse_inline_table"):
        monkeypatch.setattr(parser, name, nested(getattr(parser, name)))
    for name in ("create_dict_rule", "create_list_rule"):
        monkeypatch.setattr(parser, name, each("tables", getattr(parser, name)))
    monkeypatch.setattr(parser, "parse_key_value_pair", each("keys", parser.parse_key_value_pair))
    random, valid, passed = Random(1), 0, 0
    for _ in range(6_000):
        known = PARTS[:20] if random.random() < 0.5 else PARTS
        text = "".join(random.choice(known) for _ in range(random.randrange(1, 12)))
        most.update(dict.fromkeys(most, 0))
        with suppress(tomllib.TOMLDecodeError):
            tomllib.loads(text)
            valid += 1
            check_toml(text, "x", UNLIMITED)
        with suppress(UnreadableError):
            check_toml(text, "x", NARROW)
            passed += 1
            assert all(most[what] <= getattr(NARROW, what) for what in most), text
    assert valid > 500
    assert passed > 500


def test_the_laws_own_templates_stay_far_below_the_limits() -> None:
    tenth = {"depth": 2, "parts": 5, "keys": LIMITS.keys // 5, "tables": LIMITS.tables // 10}
    small = SizeLimits(LIMITS.bytes // 5, **tenth, entries=50, number=20, name=60, text=400)
    for game in GAMES:
        check_toml(template(game, DAY), game, small)


def test_a_document_of_any_shapes_is_read_or_refused() -> None:
    random = Random(5)
    for _ in range(150):
        with suppress(UnreadableError):
            check(read_submission(any_toml(random, 6_000)))


def test_json_means_the_same_to_every_reader() -> None:
    good = {"amount": [1, 2.5, None, True, 'a"b\\c]}', {"é": "\u2028"}], "": {}}
    assert parse_json(json.dumps(good), "x") == good
    with pytest.raises(UnreadableError, match="The field 'b' is given twice"):
        parse_json('{"a": 1, "b": 1, "c": 1, "b": 2}', "x")


def test_a_file_without_an_end_is_not_read_to_its_end() -> None:
    with pytest.raises(UnreadableError, match="larger than 131,072 bytes"):
        read_text(Path("/dev/zero"))
