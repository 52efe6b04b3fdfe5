"""Rounds written down or typed into the form settle as they were played; the settle page and what it refuses.

The figures of the front page are those of the engine.
"""

import html
import re
from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any
from urllib.parse import parse_qsl

import pytest

from pitboss.api import read_own_round, rules_for, settle_written
from pitboss.api.playing import play
from pitboss.exact.published import edge_words
from pitboss.findings import UnreadableError
from pitboss.games.registry import GAMES
from pitboss.games.round import Round
from pitboss.games.roundfile import dollars, read_round_text, round_data, write_round
from pitboss.games.rules import Rules
from pitboss.games.settle import opening_meters
from pitboss.names import shown as in_words
from pitboss.web.disputes import judge
from pitboss.web.views.settle_form import DisputeForm
from pitboss.web.views.settle_round import round_of
from tests.web.harness import House, running

DAY = date(2026, 1, 1)
ROUND = {
    "game": "three-card-poker",
    "day": "2026-01-01",
    "1.seat": "2",
    "1.w.ante": "10",
    "1.w.pair_plus": "5",
    "1.d.decision": "play",
    "1.cards": "Kh 8c 3d",
    "dealer": "Ks 8d 4c",
    "answer": "1",
}
"""Both have king and 8; the third card decides."""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with running(f"sqlite:///{tmp_path_factory.mktemp('settle') / 'ledger.db'}", pages=True) as opened:
        yield opened


def typed(rules: Rules, played: Round) -> Iterator[tuple[str, str]]:
    """What a person types into the form for a round."""
    data = round_data(rules.game, DAY, played)
    yield from (("game", rules.game), ("day", str(DAY)), ("rows", str(len(played.seats))), ("answer", "1"))
    for name, meter in opening_meters(rules, played, {}, {}).items():
        yield from ((f"m.{name}.{tier}", str(dollars(amount))) for tier, amount in meter.displayed().items())
    yield from ((name, value) for name, value in data.items() if isinstance(value, str) and name != "game")
    form = DisputeForm({"game": rules.game, "day": str(DAY)}, DAY)
    for at, seat in enumerate(data["seat"], 1):
        yield f"{at}.seat", str(seat["number"])
        picked = 0
        for wager, amount in seat["wagers"].items():
            if wager in form.listed:
                yield f"{at}.w.{wager}", f"${amount}"
            else:
                picked += 1
                yield from ((f"{at}.b{picked}", in_words(wager)), (f"{at}.a{picked}", str(amount)))
        steps = {"decision": seat["decision"]} if "decision" in seat else seat.get("decisions", {})
        yield from ((f"{at}.d.{step}", made) for step, made in steps.items())
        if "then" in seat:
            yield f"{at}.d.then", seat["then"]
        own = {name for name, value in seat.items() if isinstance(value, str)} - {"decision", "then"}
        yield from ((f"{at}.{name}", seat[name].replace("T", "10").lower()) for name in own if seat[name])


@pytest.mark.parametrize("game", GAMES)
def test_a_round_written_down_is_the_round_and_settles_the_same(game: str) -> None:
    rules = rules_for(game, DAY)
    for seed in range(4):
        shown = play(rules, seed, seats=2).finish()
        text = write_round(round_data(game, DAY, shown.played))
        assert read_round_text(text).played == shown.played
        assert settle_written(read_own_round(text), DAY).lines == shown.settlement.lines


@pytest.mark.parametrize("game", GAMES)
def test_a_round_typed_into_the_form_settles_as_it_was_played(game: str) -> None:
    """Through the address that the page makes of it, so nothing is lost on the way."""
    rules = rules_for(game, DAY)
    for seed in range(6):
        shown = play(rules, seed, seats=2).finish()
        address = DisputeForm(dict(typed(rules, shown.played)), DAY).address(answer=True)
        form = DisputeForm(dict(parse_qsl(address.partition("?")[2])), DAY)
        assert form.is_tidy()
        assert form.address(answer=True) == address
        judged = judge(write_round(round_of(form)), DAY)
        assert judged.settlement.findings == ()
        assert judged.settlement.lines == shown.settlement.lines
        assert [verdict.net for verdict in judged.verdicts] == list(shown.settlement.totals.values())


def said(house: House, path: str = "/settle", **changed: str) -> tuple[int, str]:
    """The status, and what the page says in its answer, as text."""
    query = {**ROUND, **{name.replace("__", "."): value for name, value in changed.items()}}
    return _answer(house.http().get(path, params=query, follow_redirects=True))


def _answer(answer: Any) -> tuple[int, str]:
    found = re.search(r'id="answer">(.*?)<div class="steps">', answer.text, re.DOTALL)
    assert found is not None
    return answer.status_code, " ".join(html.unescape(re.sub(r"<[^>]+>", " ", found[1])).split())


def test_the_page_starts_blank(house: House) -> None:
    page = house.http().get("/settle").text
    assert "The answer appears here" in page
    assert 'name="1.' not in page
    chosen = house.http().get("/settle", params={"game": "three-card-poker"}, follow_redirects=True).text
    values = dict(re.findall(r'name="([^"]+)" value="([^"]*)"', chosen))
    assert {name for name, value in values.items() if value} <= {"1.seat", "rows", "day", "answer", "update", "add"}


def test_the_answer_comes_first_with_the_card_that_decides(house: House) -> None:
    status, answer = said(house)
    assert status == 200
    assert "Seat 2 loses to the dealer: the dealer's 4 beats the 3" in answer
    assert "The third card decides. The dealer's hand is higher. Over all wagers the player loses $25." in answer
    page = house.http().get("/settle", params=ROUND).text
    assert re.findall(r'aria-label="([^"]+), decides"', page) == ["3 of diamonds", "4 of clubs"]
    status, answer = said(house, was="3d", would="5d")
    assert "Seat 2: +$15 instead of −$25" in answer
    assert "Seat 2 beats the dealer: the 5 beats the dealer's 4" in answer


@pytest.mark.parametrize(
    ("changed", "name", "sentence"),
    [
        ({"1__cards": "Kh foo 3d"}, "1.cards", "Seat 2, card 'foo': not a card. Write cards like Ks or 10h."),
        ({"1__cards": "Ks 8c 3d"}, "1.cards", "King of spades lies at the dealer too."),
        ({"1__cards": "Kh Kh 3d"}, "1.cards", "King of hearts stands here 2 times."),
        ({"1__cards": ""}, "1.cards", "Seat 2 must have 3 cards, not 0."),
        ({"dealer": "Ks " * 40}, "dealer", "King of spades stands here"),
        ({"1__w__ante": "1e999999999999"}, "1.w.ante", "Seat 2, Ante: '1e999999999999' isn't an amount."),
        ({"1__w__ante": "-1"}, "1.w.ante", "never below $0"),
        ({"1__w__ante": "0.50"}, "1.w.ante", "at least $1"),
        ({"1__w__pair_plus": "0"}, "1.w.pair_plus", "a wager is above $0"),
        ({"1__d__decision": ""}, "1.d.decision", "must decide: play or fold"),
        ({"1__w__three_card_progressive": "1"}, "m.three_card_progressive.meter", "it is never guessed"),
        ({"1__seat": "²"}, "1.seat", "not the number of a seat"),
        ({"1__seat": "99"}, "1.seat", "There is no seat 99"),
        ({"t__pair_plus": "Z"}, "t.pair_plus", "has no table 'Z'"),
        ({"o__version": "9999999"}, "o.version", "isn't a number"),
        (
            {"game": "sic-bo", "1__b1": "nonsense", "1__a1": "5", "dice": "2 5 7"},
            "dice",
            "'7' isn't there. Write numbers from 1 to 6",
        ),
        ({"game": "sic-bo", "1__b1": "nonsense", "1__a1": "5"}, "1.b1", "'nonsense' isn't a wager of Sic Bo"),
        ({"day": "2019-13-01"}, "day", "Write the day of the round"),
        ({"day": "1999-01-01"}, "day", "cannot be played"),
    ],
)
def test_a_finding_stands_at_its_field(house: House, changed: dict[str, str], name: str, sentence: str) -> None:
    status, answer = said(house, **changed)
    assert (status, "Nothing was settled yet" in answer) == (422, True)
    assert sentence in answer
    assert "seat[" not in answer
    query: Mapping[str, str] = {**ROUND, **{key.replace("__", "."): value for key, value in changed.items()}}
    page = house.http().get("/settle", params=query, follow_redirects=True).text
    field = re.search(rf'id="field-{re.escape(name)}"[^>]*>', page)
    assert field is not None
    assert 'aria-invalid="true"' in field[0]
    assert f'href="#field-{name}"' in page


def test_a_press_leads_to_an_address_without_empty_fields(house: House) -> None:
    query = {**ROUND, "1.w.six_card_bonus": "", "zzz": "1"}
    answer = house.http().get("/settle", params=query)
    assert answer.status_code == 303
    assert dict(parse_qsl(answer.headers["location"].partition("?")[2])) == ROUND
    more = house.http().get("/settle", params={**ROUND, "add": "1"}).headers["location"]
    assert "rows=2" in more
    two = {**ROUND, "rows": "2", "2.seat": "5", "2.w.ante": "20"}
    less = house.http().get("/settle", params={**two, "drop": "1"}).headers["location"]
    assert "1.seat=5&1.w.ante=20" in less
    assert "2." not in less


def test_every_file_of_a_settlement_and_the_round_itself(house: House) -> None:
    for kind, start in (("pdf", b"%PDF"), ("html", b"<!doctype"), ("xlsx", b"PK"), ("csv", b""), ("json", b"{")):
        answer = house.http().get("/settle", params={**ROUND, "file": kind})
        assert answer.status_code == 200
        assert answer.content.lower().startswith(start.lower())
        assert f'filename="settlement.{kind}"' in answer.headers["content-disposition"]
    assert house.http().get("/settle", params={**ROUND, "file": "json"}).json()["totals"] == {"2": -2500}
    text = house.http().get("/settle", params={**ROUND, "file": "toml"}).text
    assert settle_written(read_own_round(text), DAY).totals == {2: -2500}
    assert house.http().get("/settle", params={**ROUND, "file": "exe"}).status_code == 404
    broken = house.http().get("/settle", params={**ROUND, "dealer": "", "file": "pdf"}, follow_redirects=True)
    assert broken.status_code == 422


def pasted(house: House, text: str) -> Any:
    form = {"round": text}
    return house.http().post("/settle", data=form, headers={"Sec-Fetch-Site": "same-origin"}, follow_redirects=True)


def test_a_round_that_is_pasted_has_an_address_too(house: House) -> None:
    text = house.http().get("/settle", params={**ROUND, "file": "toml"}).text
    answer = pasted(house, text)
    assert _answer(answer) == _answer(house.http().get(str(answer.url)))
    assert "the dealer's 4 beats the 3" in _answer(answer)[1]
    fed = text.replace("pair_plus = 5", "three_card_progressive = 1")
    assert "it is never guessed" in _answer(pasted(house, fed))[1]
    given = fed.replace("\n\n[[seat]]", "\nmeters = { three_card_progressive = 500.25 }\n\n[[seat]]")
    assert "Three Card Progressive $500.39" in _answer(pasted(house, given))[1]
    wrong = text.replace("Kh 8c", "Kh foo")
    assert "Seat 2, card 'foo': not a card. Write cards like Ks or Th." in _answer(pasted(house, wrong))[1]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("#" * 20_001, "at most 20,000 characters; this one has 20,001"),
        ('"' * 19_000, "too long for an address"),
        ("", "Paste a round first"),
    ],
)
def test_a_round_too_long_for_its_address_is_refused_in_a_sentence(house: House, text: str, sentence: str) -> None:
    answer = pasted(house, text)
    assert answer.status_code == 422
    assert sentence in html.unescape(answer.text)
    long = house.http().get("/settle", params={**ROUND, "1.cards": "x" * 25_000})
    assert (long.status_code, "too long for an address" in long.text) == (414, True)


def test_a_round_from_a_stranger_reads_no_file_of_the_house() -> None:
    text = f'game = "{next(iter(GAMES))}"\nsubmission = "/etc/hostname"\n'
    with pytest.raises(UnreadableError, match="cannot name one"):
        settle_written(read_own_round(text), DAY)


@pytest.mark.parametrize("game", ["three-card-poker", "sic-bo", "mississippi-stud"])
def test_the_front_page_says_what_the_engine_counts(game: str) -> None:
    from pitboss.exact.edge import MAIN, rules_of_variant, variants
    from pitboss.exact.figures import figures_of

    known = GAMES[game]
    first = {each.wager: each for each in reversed(list(variants(known, DAY)))}
    shown = {MAIN: first[MAIN]} if MAIN in first else first
    edges = [100 * float(figures_of(known, rules_of_variant(known, DAY, each), each).hold) for each in shown.values()]
    for edge in {min(edges), max(edges)}:
        assert f"{edge:.2f} %" in edge_words(game, "")
