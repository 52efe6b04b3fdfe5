"""Kinds of event: stored forms of every version, one redaction, and a new kind as one class."""

import gzip
import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.ledger.house import House
from tests.postgres import fresh_file

from pitboss.ledger.people import Person
from pitboss.ledger.recall import recall
from pitboss.ledger.sentences import tell
from pitboss.ledger.significant import SIGNIFICANT
from pitboss.ledger.store import Store
from pitboss.table.canonical import canonical, canonical_whole
from pitboss.table.events import Event, move
from pitboss.table.happened import KINDS, Eyes, Happened, Plain, fact_of, happens, read_fact, stored, stored_text
from pitboss.table.kinds.wagers import WagerPlaced
from pitboss.table.redaction import redacted
from pitboss.table.roles import Role
from pitboss.table.state import Table

OLD = Path(__file__).parent / "old"
P1, P2, FLOOR = (Person(name, "", role) for name, role in (
    ("p1", Role.PLAYER), ("p2", Role.PLAYER), ("floor-1", Role.FLOORPERSON),
))  # fmt: skip


def forms() -> Iterator[tuple[str, str]]:
    """Yield the text of events as versions of this program have written them: examples, and three old ledgers."""
    for line in (OLD / "forms.jsonl").read_text(encoding="ascii").splitlines():
        kind, data = json.loads(line)
        yield kind, canonical(data)


def old_events(folder: Path) -> Iterator[tuple[str, str]]:
    for path in sorted(OLD.glob("*.db.gz")):
        copy = folder / path.stem
        copy.write_bytes(gzip.decompress(path.read_bytes()))
        with sqlite3.connect(copy) as connection:
            yield from connection.execute("SELECT kind, data FROM events ORDER BY seq")


def test_every_form_that_was_ever_stored_is_read_and_written_to_the_same_bytes(tmp_path: Path) -> None:
    found = [*forms(), *old_events(tmp_path)]
    assert {kind for kind, _ in found} >= {*KINDS}
    for kind, text in found:
        fact = read_fact(kind, text)
        assert not isinstance(fact, Plain), (kind, text)
        assert stored_text(fact) == text
        assert fact_of(kind, json.loads(text)) == fact
        assert "does not know" not in fact.says()


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("seat.taken", '{"box":false,"player":"p1"}'),
        ("seat.taken", '{"box":false,"note":"more","player":"p1","seat":1}'),
        ("seat.taken", '{"box":0,"player":"p1","seat":1}'),
        ("seat.taken", '{"box":false,"player":"p1","seat":1.0}'),
        ("seat.taken", '{"box":false,"phase":"asleep","player":"p1","seat":1}'),
        ("cards.dealt", '{"cards":[["As","seat 1",false,1]]}'),
        ("decision.made", '{"decision":{"choice":"fold","how":"x"},"later":{},"player":"p1","seat":1}'),
    ],
)
def test_a_form_that_no_version_writes_is_kept_told_and_never_folded(kind: str, text: str) -> None:
    fact = read_fact(kind, text)
    assert isinstance(fact, Plain)
    assert stored_text(fact) == text
    assert tell(Event(fact)) == f"{kind}, in a form that this version does not know."
    with pytest.raises(ValueError, match="does not know"):
        fact.fold(Table("t1"))
    assert redacted(Event(fact), P2, frozenset({1 if "seat" not in text else 5})) is None


TEXT = st.text(st.characters(exclude_categories=()), max_size=20)


@given(note=TEXT, device=TEXT, places=st.dictionaries(TEXT, TEXT, max_size=3))
def test_any_text_is_stored_as_the_canonical_form_has_it(note: str, device: str, places: dict[str, str]) -> None:
    """Half a surrogate pair, U+2028, DEL and é come out as Python's JSON escapes them, and read back."""
    values = {"what": "x", "seat": None, "device": device, "note": note} | ({"hands": places} if places else {})
    fact = fact_of("irregularity.reported", values)
    assert not isinstance(fact, Plain)
    text = stored_text(fact)
    assert text == canonical(values)
    again = read_fact("irregularity.reported", text)
    assert stored(again) == values


WHOLE = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3) | st.tuples(inner, inner),
    max_leaves=12,
)


@given(value=WHOLE)
def test_the_fast_canonical_text_is_the_slow_one(value: object) -> None:
    assert canonical_whole(value) == canonical(value)


def test_a_sum_of_more_than_64_bits_is_written_as_any_other() -> None:
    """Odds and amounts at a practice table have wide bounds; the ledger itself refuses such a movement of money."""
    values = {"amount": 10**26, "player": "p1", "seat": 1, "wager": "ante"}
    fact = WagerPlaced(seat=1, player="p1", wager="ante", amount=10**26)
    assert stored(fact) == values
    assert stored_text(fact) == canonical_whole(values) == canonical(values)


def test_every_kind_is_whole_for_staff_and_none_but_public_ones_for_other_players() -> None:
    for kind, text in forms():
        event = Event(read_fact(kind, text), (), move("house", "player:p9", 5))
        assert redacted(event, FLOOR) is event
        seen = redacted(event, P2)
        if not KINDS[kind].PUBLIC and type(event.fact).part is Happened.part and not event.fact.is_of(Eyes("p2")):
            assert seen is None, kind
        if seen is not None and not event.fact.is_of(Eyes("p2")):
            assert seen.entries == (), kind


def test_a_new_kind_is_one_class(tmp_path: Path) -> None:
    """Recorded, folded, told, significant and closed to players: nothing else in the program has to know it."""

    @happens("tip.counted", significant="Tips were counted.")
    class TipCounted(Happened, frozen=True, kw_only=True):
        dealer: str
        cents: int
        envelope: str = ""

        def fold(self, table: Table) -> Table:
            return table.with_deck("red", inspected_by=self.dealer)

        def says(self) -> str:
            return f"{self.dealer} counted {self.cents} cents."

    try:
        with Store(fresh_file(tmp_path)) as store:
            house = House(store).opened("t1", "three-card-poker", seats=(1,))
            house.round("t1")
            counted = TipCounted(dealer="dealer-1", cents=500)
            with store.writing() as writing:
                writing.append([Event(counted)], stream="t1", round=1, actor="dealer-1", role="dealer", at=house.now)
            with store.reading() as reading:
                (event,) = reading.events("t1", kinds=(TipCounted,))
            assert event.of(TipCounted) == counted
            assert event.data == {"cents": 500, "dealer": "dealer-1"}
            assert house.pit.table("t1").decks["red"].inspected_by == "dealer-1"
            assert recall(store, "t1", 1).steps[-1].sentence == "dealer-1 counted 500 cents."
            assert "dealer-1 counted" not in str(recall(store, "t1", 1, P1).steps)
            assert redacted(event, P1, frozenset({1})) is None
            assert redacted(event, FLOOR) is event
    finally:
        del KINDS["tip.counted"]
    assert "tip.counted" not in SIGNIFICANT
