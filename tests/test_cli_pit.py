"""The pit's records on the command line: verified, replayed, exported, backed up; sentences instead of tracebacks."""

import csv
import json
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from pitboss.ledger.people import People
from pitboss.ledger.store import Store
from pitboss.names import shortened
from pitboss.paper.files import MEDIA
from tests.ledger.forger import forge, recorded
from tests.ledger.house import House
from tests.reports.papers import paper_words
from tests.test_cli import Ran


@pytest.fixture(autouse=True)
def _folders_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


@pytest.fixture
def db(tmp_path: Path) -> str:
    """A ledger with one round played, one void and one in play."""
    url = f"sqlite:///{tmp_path}/ledger.db"
    with Store(url) as store:
        house = House(store, seed=3).opened("t1", "three-card-poker")
        house.round("t1")
        house.wagers("t1").until("t1", "deciding")
        house.dealer("t1", "irregularity", what="wrong-number-of-cards", seat=1)
        house.wagers("t1").until("t1", "deciding")
    return url


@pytest.fixture
def store(db: str) -> Iterator[Store]:
    with Store(db) as opened:
        yield opened


def test_a_ledger_in_order_is_verified(db: str) -> None:
    ran = Ran("audit", "verify", "--db", db)
    assert (ran.code, ran.err) == (0, "")
    assert "chain, anchor, money and replay agree" in ran.out
    shown = Ran("audit", "verify", "--db", db, "--json").json
    assert (shown["ok"], shown["findings"]) == (True, [])
    assert shown["head"] in ran.out


def test_a_forged_line_makes_verify_fail(db: str, store: Store) -> None:
    line = recorded(store, "line.settled")

    def more(columns: dict[str, Any]) -> None:
        columns["data"]["net"] += 100

    forge(store, {line.seq: more})
    ran = Ran("audit", "verify", "--db", db)
    assert ran.code == 1
    assert f"event {line.seq}: round 1 of t1" in ran.out
    assert "where the rules give" in ran.out
    assert Ran("audit", "verify", "--db", db, "--json").code == 1


def test_a_missing_anchor_is_no_quiet_new_beginning(db: str, tmp_path: Path) -> None:
    for anchor in (tmp_path / "anchors").iterdir():
        anchor.unlink()
    for _ in range(2):
        ran = Ran("audit", "verify", "--db", db)
        assert ran.code == 1
        assert "is missing" in ran.out
    assert list((tmp_path / "anchors").iterdir()) == []


def test_a_named_person_acknowledges_a_missing_anchor(db: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from pitboss.ledger.people import People
    from pitboss.table.roles import Role

    with Store(db) as store:
        people = People(store)
        people.create("auditor-1", "Auditor", Role.AUDITOR, "a long password", None)
        people.create("dealer-1", "Dealer", Role.DEALER, "a long password", None)
    for anchor in (tmp_path / "anchors").iterdir():
        anchor.unlink()
    typed = ["a wrong password"]
    monkeypatch.setattr("typer.prompt", lambda *_, **__: typed[0])
    asked = ("audit", "acknowledge", "--db", db, "--reason", "the disk was replaced", "--as")
    assert Ran(*asked, "auditor-1").code != 0
    typed[0] = "a long password"
    assert Ran(*asked, "dealer-1").code != 0
    assert Ran("audit", "verify", "--db", db).code == 1
    ran = Ran(*asked, "auditor-1")
    assert ran.code == 0, ran.out
    assert "Acknowledged by auditor-1" in ran.out
    ran = Ran("audit", "verify", "--db", db)
    assert ran.code == 0, ran.out
    assert "auditor-1 has acknowledged" in ran.out


def test_a_key_is_made_once(tmp_path: Path) -> None:
    assert len(Ran("audit", "key", str(tmp_path / "key")).out.strip()) == 64
    assert Ran("audit", "key", str(tmp_path / "key")).code == 2


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("sqlite:///{tmp}/nothing.db", "There is no ledger"),
        ("sqlite:///{tmp}/text.db", "not a SQLite database"),
        ("mysql://somewhere", "is not known here"),
        ("sqlite://", "needs a file"),
        ("nonsense", "not a database address"),
        ("postgresql://nobody@127.0.0.1:1/none", "does not answer"),
    ],
)
@pytest.mark.parametrize(
    "command",
    [
        ["audit", "verify"], ["audit", "replay", "t1"], ["audit", "export"], ["audit", "significant"],
        ["audit", "backup", "{tmp}/copy"], ["verify-deal", "t1", "1"],
    ],
)  # fmt: skip
def test_what_cannot_be_used_is_told_in_a_sentence(tmp_path: Path, address: str, said: str, command: list[str]) -> None:
    (tmp_path / "text.db").write_text("this is no database, " * 100)
    words = [word.format(tmp=tmp_path) for word in (*command, "--db", address)]
    ran = Ran(*words)
    assert ran.code == 2
    assert said in ran.err
    assert ran.err.startswith("pitboss: ")
    assert ran.err.endswith(".\n")
    assert not (tmp_path / "nothing.db").exists()


def test_the_users_own_ledger_is_the_default(tmp_path: Path) -> None:
    ran = Ran("audit", "verify")
    assert ran.code == 2
    assert str(tmp_path / "data" / "pitboss" / "pitboss.db") in ran.err


def test_a_round_is_replayed_step_by_step(db: str) -> None:
    ran = Ran("audit", "replay", "t1", "1", "--db", db)
    assert (ran.code, ran.err) == (0, "")
    assert "t1, round 1: completed" in ran.out
    assert "649a.8(b)" in ran.out
    assert "No more bets: round 1 began with the red deck." in ran.out
    assert "As promised." in ran.out
    chips = ran.out.partition("Chips before and after")[2].splitlines()[3].split()
    assert chips[:2] == ["p1", "$10,000"]
    shown = Ran("audit", "replay", "t1", "1", "--db", db, "--json").json
    assert shown["state"] == "completed"
    assert shown["deal"]["verdict"] == "as promised"
    assert [line["cite"] for line in shown["lines"]]
    hidden = Ran("audit", "replay", "t1", "3", "--db", db)
    assert "3 cards not turned up" in hidden.out
    assert "Not disclosed yet." in hidden.out


def test_rounds_are_found_and_taken_away(db: str, tmp_path: Path) -> None:
    """One round and a search, as files of every kind; each says the same."""
    asked = {"round": ("replay", "t1", "1"), "rounds": ("find", "--player", "p1", "--until", "2099-01-01")}
    for name, words in asked.items():
        for kind in MEDIA:
            file = tmp_path / f"{name}.{kind}"
            ran = Ran("audit", *words, "--db", db, "--output", str(file))
            assert (ran.code, ran.out) == (0, f"Wrote {file}.\n"), ran.err
    lines = [*csv.DictReader((tmp_path / "round.csv").open())]
    known = json.loads((tmp_path / "round.json").read_text())["lines"]
    assert [line["net"] for line in lines] == [f"{line['net'] / 100:.2f}" for line in known]
    for kind, read in (("pdf", paper_words), ("html", Path.read_text)):
        text = " ".join(unescape(read(tmp_path / f"round.{kind}")).split())
        assert "Settlement, line by line" in text, kind
        assert [line["why"] for line in lines if line["why"] not in text] == [], kind
    found = json.loads((tmp_path / "rounds.json").read_text())
    assert [each["number"] for each in found] == [3, 2, 1]
    assert "wrong number of cards" in " ".join(paper_words(tmp_path / "rounds.pdf").split())
    assert "seat 1 p1" in Ran("audit", "find", "--db", db).out
    assert Ran("audit", "find", "--player", "nobody", "--db", db).out.splitlines()[:4] == [
        "Rounds",
        "Filters: player nobody",
        "",
        "No activity",
    ]
    wrong = Ran("audit", "replay", "t1", "1", "--db", db, "-o", str(tmp_path / "round.txt"))
    named = shortened(str(tmp_path / "round.txt"))
    said = f"pitboss: {named}: name a file that ends in .pdf, .html, .xlsx, .csv, .json or .phh.\n"
    assert (wrong.code, wrong.err) == (2, said)


def test_the_rounds_of_a_table_are_listed(db: str) -> None:
    ran = Ran("audit", "replay", "t1", "--db", db)
    assert ran.code == 0
    rows = [line.split() for line in ran.out.splitlines() if line.startswith("t1, round ")]
    assert [row[2] for row in rows] == ["1", "2", "3"]
    assert [state in row for row, state in zip(rows, ("completed", "void", "play"), strict=True)] == [True] * 3
    assert "wrong number of cards" in ran.out
    assert "seat 1 +" in ran.out or "seat 1 −" in ran.out
    assert [each["state"] for each in Ran("audit", "replay", "t1", "--db", db, "--json").json["rounds"]] == [
        "completed",
        "void",
        "in play",
    ]
    assert "Filters: table t9\n\nNo activity" in Ran("audit", "replay", "t9", "--db", db).out
    gone = Ran("audit", "replay", "t1", "77", "--db", db)
    assert (gone.code, gone.err) == (2, "pitboss: There is no round 77 at table 't1'.\n")


def test_events_are_exported_as_lines_of_json(db: str, store: Store) -> None:
    with store.reading() as reading:
        last = reading.head.seq
    events = [json.loads(line) for line in Ran("audit", "export", "--db", db).out.splitlines()]
    assert [event["seq"] for event in events] == list(range(1, last + 1))
    own = [json.loads(line) for line in Ran("audit", "export", "--db", db, "--table", "t1").out.splitlines()]
    assert {event["stream"] for event in own} == {"t1"}
    few = [json.loads(line) for line in Ran("audit", "export", "--db", db, "--significant").out.splitlines()]
    assert {event["kind"] for event in few} == {
        "meter.opened",
        "table.opened",
        "irregularity.reported",
        "round.voided",
    }
    late = Ran("audit", "export", "--db", db, "--after", str(last - 1)).out.splitlines()
    assert [json.loads(line)["seq"] for line in late] == [last]


def test_significant_events_say_who_when_and_why(db: str) -> None:
    ran = Ran("audit", "significant", "--db", db, "--table", "t1")
    assert ran.code == 0
    assert re.search(r"t1, round 2 +dealer-1 +dealer +649a\.13\(c\)", ran.out)
    assert "seat 1 was dealt a wrong number of cards" in " ".join(ran.out.split())
    shown = Ran("audit", "significant", "--db", db, "--json").json["significant"]
    assert shown[-1]["kind"] == "round.voided"
    assert shown[-1]["cites"] == ["649a.13(c)"]


def test_a_backup_is_restored_and_verified(db: str, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    assert Ran("audit", "backup", copy, "--db", db).code == 0
    assert copy.stat().st_mode & 0o077 == 0
    again = Ran("audit", "backup", copy, "--db", db)
    assert again.code == 2
    assert "exists already" in again.err
    beside = Ran("audit", "verify", "--db", f"sqlite:///{copy}", "--anchor", f"{copy}.anchor")
    assert beside.code == 0, beside.out
    new = f"sqlite:///{tmp_path}/restored.db"
    assert Ran("audit", "restore", copy, "--db", new).code == 0
    assert Ran("audit", "verify", "--db", new).code == 0
    assert Ran("audit", "replay", "t1", "1", "--db", new).out == Ran("audit", "replay", "t1", "1", "--db", db).out
    twice = Ran("audit", "restore", copy, "--db", new)
    assert (twice.code, "exists already" in twice.err) == (2, True)
    for file, said in ((tmp_path / "none", "cannot be read"), (Path(__file__), "damaged"), (copy, "SQLite file")):
        target = "postgresql://nobody@127.0.0.1:1/none" if file == copy else f"sqlite:///{tmp_path}/other.db"
        failed = Ran("audit", "restore", file, "--db", target)
        assert failed.code == 2
        assert said in failed.err


def test_a_deal_is_verified_from_the_ledger_and_from_a_file(db: str, tmp_path: Path, store: Store) -> None:
    ran = Ran("verify-deal", "t1", "1", "--db", db)
    assert (ran.code, ran.err) == (0, "")
    assert "as promised" in ran.out
    early = Ran("verify-deal", "t1", "3", "--db", db)
    assert (early.code, early.err) == (2, "pitboss: This deal cannot be checked: not disclosed yet.\n")
    deal = dict(recorded(store, "deck.revealed").data)
    file = tmp_path / "deal.json"
    file.write_text(json.dumps(deal))
    assert Ran("verify-deal", file).code == 0
    cards = deal["left_deck"].split()
    file.write_text(json.dumps({**deal, "left_deck": " ".join([cards[1], cards[0], *cards[2:]])}))
    wrong = Ran("verify-deal", file)
    assert wrong.code == 1
    assert f"Card 1 to leave the deck was {cards[1]}" in wrong.out
    shown = Ran("verify-deal", file, "--json")
    assert (shown.code, shown.json["verdict"]) == (1, "not as promised")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "is not JSON"),
        ("[]", "should be an object, not a list"),
        ('{"commitment": ""}', "left_deck is missing"),
        ('{"commitment": "", "cards": 5, "salt": "", "cuts": [], "left_deck": ""}', "cards should be text, not 5"),
        (
            '{"commitment": "", "cards": "As", "salt": "", "cuts": [true], "left_deck": ""}',
            "cuts[1] should be a whole number",
        ),
        ('{"commitment": "", "cards": "1s", "salt": "", "cuts": [], "left_deck": ""}', "'1s' is not a card"),
        (
            '{"commitment": "", "cards": "As", "salt": "xyz", "cuts": [], "left_deck": ""}',
            "salt should be hexadecimal digits",
        ),
        ("[" * 100_000, "32 levels deep"),
    ],
)
def test_a_deal_that_cannot_be_read_is_told_in_a_sentence(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "deal.json"
    file.write_text(text)
    ran = Ran("verify-deal", file)
    assert ran.code == 2
    assert said in ran.err
    missing = Ran("verify-deal", tmp_path / "none.json")
    assert (missing.code, "There is no file" in missing.err) == (2, True)


def test_serve_and_demo_shift_pass_on_what_they_are_given(monkeypatch: pytest.MonkeyPatch) -> None:
    from pitboss.demo import shift as demo_shift
    from pitboss.web import server
    from pitboss.web.front import Front

    called: list[Any] = []
    monkeypatch.setattr(server, "serve", lambda *words, **named: called.append((words, named)))
    monkeypatch.setattr(demo_shift, "main", lambda *words, **named: called.append((words, named)))
    proxy = ("--proxy-headers", "--trusted-proxy", "10.0.0.0/24", "--connections-per-address", "7")
    assert Ran("serve", "--port", "9000", "--betting-seconds", "20", *proxy).code == 0
    assert Ran("demo-shift", "--db", "sqlite:///x.db", "--seed", "7", "--rounds", "3").code == 0
    (words, named), shift = called
    settings = named.pop("settings")
    front = Front(port=9000, proxy_headers=True, trusted_proxies=("10.0.0.0/24",))
    assert (words, named) == ((None,), {"demo": None, "accept": (), "front": front, "copies": (), "key": None})
    assert (settings.connections_per_address, settings.betting_seconds) == (7, 20)
    assert shift == ((), {"url": "sqlite:///x.db", "seed": 7, "rounds": 3})
    assert Ran("serve", "--port", "70000").code == 2


def test_accounts_at_the_ledger_itself(db: str, tmp_path: Path) -> None:
    """An account of the software's making is in nobody's hands; the password lies in its owner's file only."""
    path = tmp_path / "given"
    ran = Ran("account", "add", "auditor-1", "First auditor", "auditor", "--password-file", str(path), "--db", db)
    given = path.read_text().strip()
    assert (ran.code, path.stat().st_mode & 0o777) == (0, 0o600)
    assert given not in ran.out + ran.err
    with Store(db) as store:
        assert People(store).log_in("auditor-1", given).must_change
    assert Ran("account", "reset", "auditor-1", "--password-file", str(path), "--db", db).code == 0
    assert path.read_text().strip() != given
    assert "made by system" in Ran("account", "list", "--db", db).out
    lost = Ran("account", "add", "auditor-3", "A", "auditor", "--password-file", f"{db[10:]}/x", "--db", db)
    assert (lost.code, "cannot be left in" in lost.err, "auditor-3" in Ran("account", "list", "--db", db).out) == (
        2, True, False,
    )  # fmt: skip
    for bad in (["Auditor 1", "A", "auditor"], ["auditor-2", "A", "boss"], ["auditor-1", "A", "auditor"]):
        refused = Ran("account", "add", *bad, "--password-file", str(path), "--db", db)
        assert refused.code != 0
        assert "Traceback" not in refused.out + refused.err
    assert Ran("account", "list", "--db", f"sqlite:///{tmp_path}/none.db").code == 2
    assert not (tmp_path / "none.db").exists()


def test_a_shift_is_not_played_where_another_ledger_was_thrown_away(db: str, tmp_path: Path) -> None:
    """The anchor remembers the ledger that lay there: nobody plays over it without a word."""
    for file in tmp_path.glob("ledger.db*"):
        file.unlink()
    ran = Ran("demo-shift", "--db", db, "--rounds", "1")
    assert (ran.code, ran.out) == (1, "")
    (anchor,) = (tmp_path / "anchors").glob("*.anchor")
    assert f"this ledger is empty, but the anchor {anchor} is of one of" in ran.err
    assert "move the anchor away" in ran.err
