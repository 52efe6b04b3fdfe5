"""An attacker with a player's token hashes what might be: nothing that is published confirms a guess.

The attacker here knows more than a real one: every column of every event but two hidden cards, another patron's stake,
and the salts that were not shown to him; even the hash before. All he needs is one published hash that a guess fits.
"""

import json
import os
import re
from collections.abc import Iterator
from itertools import permutations, product
from typing import Any

import pytest

from pitboss.cards import DECK, show_card
from pitboss.games.chance import thrown
from pitboss.games.course import Deal, Roll
from pitboss.games.registry import GAMES
from pitboss.ledger import floor as floor_module
from pitboss.ledger.chain import GENESIS, SALT_BYTES, link, text_of
from pitboss.ledger.people import Person
from pitboss.ledger.rows import Recorded
from pitboss.ledger.schema import COLUMNS
from pitboss.reports.felt import draw_felt
from pitboss.table.canonical import canonical
from pitboss.table.roles import Role
from pitboss.table.source import commitment_of
from pitboss.web.scene import LiveFeed
from pitboss.web.views import board
from tests.table.driver import GAME_NAMES
from tests.web.harness import House, listen

TORTURE = os.environ.get("PITBOSS_TORTURE") == "1"
TRIES = 10_000_000 if TORTURE else 50_000
PLAYER = Person("p1", "P1", Role.PLAYER)
PATHS = (
    "/tables", "/tables/t1", "/tables/t1/events", "/tables/t1/rounds", "/tables/t1/rounds/1",
    "/tables/t1/rounds/1/deal", "/tables/t1/balances", "/meters", "/balance", "/changes", "/audit/events",
    "/audit/export", "/audit/significant",
)  # fmt: skip
Row = dict[str, Any]


def fetched(house: House) -> str:
    """Everything that the player's token gets out of the house, as one text."""
    client = house["p1"]
    texts = [client.get(path).text for path in PATHS]
    texts += [client.get(f"/meters/{meter}/history").text for meter in client.shown("/meters")["meters"]]
    last = client.shown("/tables/t1/events")["events"][-1]["seq"]
    texts += [str(m.data) for m in listen(client, "/tables/t1/stream?after=0", lambda m: m.id >= last)]
    texts += [str(m.data) for m in listen(client, "/meters/stream", lambda m: "meters" in m.data)]
    feed = LiveFeed(house.pit, PLAYER, "t1")
    scene = feed.scene()
    assert scene.rules is not None
    texts += [str(scene.shown), str(draw_felt(scene.shown, scene.rules, person="p1", meters=scene.meters))]
    texts += [board.settlement(feed.results(scene)), str(feed.rounds(scene)), str(scene.step)]
    with house.store.reading() as reading:  # what was answered to the player's own commands
        answers = reading.connection.exec_driver_sql("SELECT answer FROM requests WHERE actor = 'p1'")
        texts += [row[0] for row in answers]
    return "\n".join(texts)


def rows(house: House) -> list[Row]:
    with house.store.reading() as reading:
        names = ", ".join((*COLUMNS, "hash"))
        found = reading.connection.exec_driver_sql(f"SELECT {names} FROM events ORDER BY seq")
        return [dict(row._mapping) for row in found]


def guesses(row: Row, hidden: str) -> Iterator[tuple[str, str]]:
    """The event's data with every pair of cards at the last two places of a hand, or with every amount; the right one
    among them."""
    data = json.loads(row["data"])
    if row["kind"] == "wager.placed":
        for cents in range(100, 50_100, 100):
            yield str(cents), canonical({**data, "amount": cents})
        return
    places = [at for at, (_, to, up) in enumerate(data["cards"]) if to == hidden and not up][-2:]
    known = {card for at, (card, _, _) in enumerate(data["cards"]) if at not in places}
    for pair in permutations([show_card(card) for card in DECK if show_card(card) not in known], 2):
        cards = [list(card) for card in data["cards"]]
        for at, card in zip(places, pair, strict=True):
            cards[at][0] = card
        yield " ".join(pair), canonical({**data, "cards": cards})


def secrets_of(everything: list[Row]) -> Iterator[tuple[Row, str, str]]:
    """Events with something to hide from the first player, which hand, and the truth."""
    for row in everything:
        data = json.loads(row["data"])
        if row["kind"] == "wager.placed" and data["player"] == "p2":
            yield row, "", str(data["amount"])
        if row["kind"] == "cards.dealt":
            for hand in dict.fromkeys(to for _, to, _ in data["cards"]):
                down = [card for card, to, up in data["cards"] if to == hand and not up]
                if len(down) >= 2 and hand != "seat 1":
                    yield row, hand, " ".join(down[-2:])


def crack(house: House, text: str) -> list[tuple[int, str, str]]:
    """Every secret that a published hash gives away: its event, the hand, and what was found."""
    published = {bytes.fromhex(word) for word in re.findall(r"(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])", text)}
    salts = {"", *re.findall(r"(?<![0-9a-f])[0-9a-f]{32}(?![0-9a-f])", text)}
    everything = rows(house)
    found = []
    for row, hand, truth in secrets_of(everything):
        place = everything.index(row)
        before = everything[place - 1]["hash"] if place else GENESIS
        after = everything[place + 1] if place + 1 < len(everything) else None
        for guess, data in guesses(row, hand):
            for salt in salts:
                digest = link(bytes(before), _text(row, data=data, salt=salt))
                known = after is not None and (after["salt"] in salts or not after["salt"])
                fits = digest in published or (known and after is not None and link(digest, _text(after)) in published)
                if fits:
                    assert guess == truth
                    found.append((row["seq"], hand, guess))
    return found


def _text(row: Row, **changed: str) -> bytes:
    return text_of(tuple({**row, **changed}[name] for name in COLUMNS))


def in_play(house: House, game: str) -> set[tuple[str, str]]:
    """A round in which everybody has cards; the secrets, by hand, that there are to be found."""
    play = house.open("t1", game, 1, 2).until("wagering")
    play.wager()
    while play.until("deciding").shown()["next"]["seat"] != 1:  # where the cards say who is first
        play.until("wagering").wager()
    play.decide(1)  # an event right after the cards that the player sees whole
    found = {(hand, truth) for _, hand, truth in secrets_of(rows(house))}
    assert {hand for hand, _ in found} >= {"", "seat 2"}, "there is nothing to find"
    return found


_SHAPES = {frozenset(map(type, GAMES[name].course.flat)): name for name in GAME_NAMES if GAMES[name].course.has(Deal)}
OF_CARDS = [*_SHAPES.values()]
"""One game of each shape: salts and hashes know nothing of the game."""
OF_DICE = [name for name in GAME_NAMES if GAMES[name].course.has(Roll)]


@pytest.mark.parametrize("game", OF_CARDS)
def test_no_published_hash_confirms_a_guess(house: House, game: str) -> None:
    in_play(house, game)
    text = fetched(house)
    assert len(re.findall(r"'hash': '[0-9a-f]{64}'", text)) > 10, "hashes are published"
    assert crack(house, text) == []
    row, _, _ = next(secret for secret in secrets_of(rows(house)) if secret[0]["kind"] == "cards.dealt")
    before = rows(house)[row["seq"] - 2]["hash"]
    for _ in range(TRIES):  # the right cards and any salt
        assert link(bytes(before), _text(row, salt=os.urandom(SALT_BYTES).hex())) != row["hash"]


@pytest.mark.parametrize("game", OF_DICE)
def test_no_commitment_confirms_a_roll(house: House, game: str) -> None:
    """What was thrown and lies covered, while wagers are made or after them: every throw is tried with everything that
    was published."""
    played = house.open("t1", game, 1, 2).until("wagering")
    played.wager()
    step = thrown(played.rules)
    assert step is not None
    if played.shown()["table"]["decks"]["dice"]["commitment"] == "":  # this device is set in motion later
        house["dealer-1"].do("t1", "no_more_bets")
        house["dealer-1"].do("t1", "shake")
    text = fetched(house)
    published = set(re.findall(r"(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])", text))
    salts = [bytes.fromhex(word) for word in re.findall(r"(?<![0-9a-f])[0-9a-f]{32}(?![0-9a-f])", text)]
    with house.store.reading() as reading:
        (sealed,) = reading.connection.exec_driver_sql("SELECT cards, salt, commitment FROM sealed").all()
    assert sealed.commitment in published, "what lies there is committed to"
    assert commitment_of(sealed.cards, bytes.fromhex(sealed.salt)) == sealed.commitment
    for roll in product(map(str, step.faces), repeat=step.dice):
        assert not {commitment_of(" ".join(roll), salt) for salt in (b"", *salts)} & published


@pytest.mark.parametrize("game", OF_CARDS)
def test_the_same_attacker_reads_an_unsalted_ledger(house: House, game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As it was before: all hashes published; or only those of whole events, so that the next event's tells."""
    house.store.salts = lambda _: b""
    to_find = in_play(house, game)
    seen, all_hashes = floor_module.shown_event, False

    def as_before(event: Recorded, *given: Any, **how: Any) -> dict[str, Any]:
        shown = seen(event, *given, **how)
        whole = shown["data"] == event.data
        return {**shown, "hash": event.hash.hex() if all_hashes or whole else ""}

    def found() -> set[tuple[str, str]]:
        return {(hand, guess) for _, hand, guess in crack(house, fetched(house))}

    assert found() == set(), "what is withheld today"
    monkeypatch.setattr(floor_module, "shown_event", as_before)
    # The cards; after a stake mostly comes another, and that one is redacted too.
    of_whole_events = found()
    assert of_whole_events <= to_find
    assert {hand for hand, _ in of_whole_events} >= {hand for hand, _ in to_find if hand}
    all_hashes = True
    assert found() == to_find
