"""Commands of the pit and its records. Imported with the command line, so everything heavy is imported inside them."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pitboss.cli.options import FOUND, PAPER, Json, PaperFile, file_option, give_out, present, progress_bar, write_bytes
from pitboss.findings import UnreadableError

if TYPE_CHECKING:
    from pitboss.ledger.recall import DealRecord
    from pitboss.ledger.search import RoundsFound, Wanted
    from pitboss.ledger.store import Store

SQLITE_FILE = b"SQLite format 3\0"

audit_app = typer.Typer(
    help="The records of the pit: verify, replay, export, back up.", no_args_is_help=True, rich_markup_mode=None
)

Db = Annotated[
    str | None,
    typer.Option("--db", metavar="URL", help="sqlite:///path or postgresql://...; the user's own ledger if left out."),
]
AnchorFile = Annotated[
    Path | None, typer.Option("--anchor", metavar="FILE", help="The anchor, where it is not in its usual place.")
]
CopyPlaces = Annotated[
    list[str] | None,
    typer.Option("--anchor-copy", metavar="PLACE", help="A folder or http(s) address that gets heads of the anchor."),
]
KeyFile = Annotated[
    Path | None, typer.Option("--anchor-key", metavar="FILE", help="The key that signs them, from `pitboss audit key`.")
]
MOST = 2**63 - 1
"""The largest number that a ledger can hold."""
RoundNumber = Annotated[
    int | None, typer.Argument(metavar="[ROUND]", help="The round; without it, the list.", min=1, max=MOST)
]
RoundTo = Annotated[Path | None, file_option(*PAPER, "phh", more=" (a hand of players against each other)")]
After = Annotated[int, typer.Option("--after", help="Only events after this number.", min=0, max=MOST)]
GamingDay = Annotated[
    datetime | None,
    typer.Option("--day", formats=["%Y-%m-%d"], help="Only this gaming day (YYYY-MM-DD), from six in the morning."),
]
TableName = Annotated[str, typer.Argument(metavar="TABLE", help="The name of a table.")]


def register(app: typer.Typer) -> None:
    app.add_typer(audit_app, name="audit")
    app.command("verify-deal")(verify_deal)
    app.command("serve")(serve)
    app.command("demo-shift")(demo_shift)


@contextmanager
def _sentences() -> Iterator[None]:
    """What the ledger refuses, as the sentence that the command line prints."""
    from pitboss.ledger.errors import LedgerError

    try:
        yield
    except LedgerError as error:
        text = str(error)
        raise UnreadableError(f"{text[:1].upper()}{text[1:].rstrip('.')}.") from None


@contextmanager
def ledger(db: str | None, anchor: Path | None = None, *, begin: bool = False, **anchors: Any) -> Iterator["Store"]:
    """An existing ledger, open: looking at a ledger never makes one, nor an anchor."""
    with _sentences():
        from pitboss.ledger.files import default_url
        from pitboss.ledger.store import Store

        url = db or default_url()
        _sqlite_path(url, must_exist=True)
        with Store(url, anchor, begin=begin, **anchors) as store:
            yield store


def _sqlite_path(url: str, *, must_exist: bool = False) -> Path | None:
    """The file of a SQLite address; none for another database."""
    from pitboss.ledger.engine import read_url

    parsed = read_url(url)
    if parsed.get_backend_name() != "sqlite":
        return None
    path = Path(str(parsed.database)).absolute()
    if must_exist and not path.is_file():
        raise UnreadableError(f"There is no ledger {path}.")
    return path


@audit_app.command("verify")
def verify(
    db: Db = None,
    anchor: AnchorFile = None,
    full: Annotated[bool, typer.Option("--full", help="From the first event, not from the last checkpoint.")] = False,
    copies: CopyPlaces = None,
    key: KeyFile = None,
    json: Json = False,
) -> None:
    """Check everything: chain, anchors, money, and every round played again. Exit 0, 1 with findings, 2 if unusable."""
    from pitboss.cli.screen.rounds import show_findings

    with _sentences():
        from pitboss.ledger.review import verify as verify_ledger
        from pitboss.ledger.segments import cores

        with ledger(db, anchor, copies=copies or (), key=key) as store, progress_bar("events") as progress:
            with store.reading() as reading:
                head = reading.head
            checked = verify_ledger(store, progress, workers=cores(), full=full, keep=True)
    findings, reach = checked.findings, checked.reach
    told = {"events": head.seq, "head": head.hash.hex(), "ok": checked.ok, "findings": findings}
    told |= {"full": reach is not None and reach.since is None, "scope": checked.looked}
    present(json, told, lambda out: show_findings(out, findings))
    if not json:
        if checked.ok and reach is not None:
            since = reach.since.seq if reach.since else 0
            counted = f"{head.seq - since} events{' since the checkpoint' if since else ''}"
            typer.echo(f"{counted}: chain, anchor, money and replay agree. The head is {head.hash.hex()}.")
        typer.echo(checked.looked)
    if not checked.ok:
        raise typer.Exit(FOUND)


@audit_app.command("acknowledge")
def acknowledge(
    who: Annotated[str, typer.Option("--as", metavar="ID", help="The account of an auditor or an administrator.")],
    reason: Annotated[str, typer.Option("--reason", help="Why the anchor is not as it should be.")],
    db: Db = None,
    anchor: AnchorFile = None,
    copies: CopyPlaces = None,
    key: KeyFile = None,
) -> None:
    """Take responsibility for a missing, replaced or older anchor: a new one begins at the next start."""
    with ledger(db, anchor, copies=copies or (), key=key, past_anchor=True) as store:
        from pitboss.ledger.acknowledging import acknowledge as acknowledge_in
        from pitboss.ledger.people import People
        from pitboss.ledger.watch import microseconds

        password = typer.prompt(f"Password of {who}", hide_input=True)
        event = acknowledge_in(store, People(store).confirmed(who, password), reason, microseconds())
    typer.echo(f"Acknowledged by {who} as event {event.seq}; a new anchor begins there.")


@audit_app.command("key")
def make_key(file: Annotated[Path, typer.Argument(metavar="FILE", help="A new file, for its owner only.")]) -> None:
    """Make a key that signs heads of the anchor, and print the public half of it."""
    with _sentences():
        from pitboss.ledger.copies import new_key

        typer.echo(new_key(file))


@audit_app.command("replay")
def replay(
    table: TableName,
    number: RoundNumber = None,
    db: Db = None,
    anchor: AnchorFile = None,
    json: Json = False,
    output: RoundTo = None,
) -> None:
    """A round step by step, each with its paragraph and what happened; without ROUND the list of rounds."""
    with ledger(db, anchor) as store:
        from pitboss.cli.screen import show_paper
        from pitboss.ledger.recall import recall
        from pitboss.ledger.recall import rounds as all_rounds
        from pitboss.ledger.search import Wanted
        from pitboss.paper.files import kind_of
        from pitboss.reports.rounds import round_file, round_paper, rounds_paper

        if number is None:
            if output is not None:
                _take_away(store, output, table=table)
                return
            found = tuple(all_rounds(store, table))
            listed = rounds_paper(found, Wanted(table))
            present(json, {"rounds": found}, lambda out: show_paper(out, listed))
            return
        if output is not None and output.suffix.lower() == ".phh":
            from pitboss.games.handhistory import written
            from pitboss.ledger.recall import played_round

            write_bytes(output, written(*played_round(store, table, number)).encode())
            return
        recalled = recall(store, table, number)
    if output is not None:
        write_bytes(output, round_file(recalled, kind_of(output)))
        return
    present(json, recalled, lambda out: show_paper(out, round_paper(recalled)))


@audit_app.command("find")
def find_rounds(
    db: Db = None,
    anchor: AnchorFile = None,
    table: Annotated[str, typer.Option("--table", help="Only rounds of this table.")] = "",
    player: Annotated[str, typer.Option("--player", help="Only rounds of this player.")] = "",
    seat: Annotated[int, typer.Option("--seat", help="Only rounds in which this seat played.", min=0, max=99)] = 0,
    since: Annotated[
        str, typer.Option("--since", help="From this local time on, such as 2026-03-02T18:30 (18:30Z is UTC).")
    ] = "",
    until: Annotated[str, typer.Option("--until", help="Up to this local time.")] = "",
    output: PaperFile = None,
    json: Json = False,
) -> None:
    """The newest rounds that fit, over all tables."""
    with ledger(db, anchor) as store:
        asked: dict[str, Any] = {"table": table, "player": player, "seat": seat, "since": since, "until": until}
        if output is not None:
            _take_away(store, output, **asked)
            return
        from pitboss.cli.screen import show_paper
        from pitboss.reports.rounds import rounds_paper

        found, wanted = _found(store, **asked)
        present(
            json,
            {"rounds": found.rounds},
            lambda out: show_paper(out, rounds_paper(found.rounds, wanted, more=found.more)),
        )


def _found(store: "Store", *, since: str = "", until: str = "", **asked: Any) -> "tuple[RoundsFound, Wanted]":
    from pitboss.clock import moment
    from pitboss.ledger.search import MOST_SEARCHED, Wanted, find

    wanted = Wanted(since=moment(since), until=moment(until, latest=True), **asked)
    return find(store, wanted, most=MOST_SEARCHED), wanted


def _take_away(store: "Store", output: Path, **asked: Any) -> None:
    from pitboss.paper.files import kind_of
    from pitboss.reports.rounds import rounds_file

    kind = kind_of(output)
    write_bytes(output, rounds_file(*_found(store, **asked), kind))


@audit_app.command("export")
def export(
    db: Db = None,
    anchor: AnchorFile = None,
    table: Annotated[str | None, typer.Option("--table", help="Only the events of this table.")] = None,
    significant: Annotated[bool, typer.Option("--significant", help="Only significant events.")] = False,
    after: After = 0,
) -> None:
    """The events as JSON Lines. A line with "hidden": true is of a round in play and lacks its hidden cards."""
    with ledger(db, anchor) as store:
        from pitboss.ledger.export import export_lines
        from pitboss.ledger.significant import RECORDED

        for line in export_lines(store, table, after, RECORDED if significant else None):
            typer.echo(line)


@audit_app.command("significant")
def significant(
    db: Db = None,
    anchor: AnchorFile = None,
    table: Annotated[str | None, typer.Option("--table", help="Only those of this table.")] = None,
    day: GamingDay = None,
    after: After = 0,
    output: PaperFile = None,
    json: Json = False,
) -> None:
    """The significant events: what happened, who did it, when and why."""
    with ledger(db, anchor) as store:
        from pitboss.clock import day_of
        from pitboss.ledger.significant import significant as significant_events
        from pitboss.reports.incidents import significant_paper

        events = significant_events(store, after, table)
        found = [event for event in events if day is None or day_of(event.at) == day.date()]
    named = {"table": table or "", "gaming day": str(day.date()) if day else "", "after event": str(after or "")}
    filters = tuple((name, value) for name, value in named.items() if value)
    give_out(output, json, {"significant": found}, partial(significant_paper, found, filters))


@audit_app.command("slips")
def slips(
    db: Db = None,
    anchor: AnchorFile = None,
    table: Annotated[str, typer.Option("--table", help="Only slips of this table.")] = "",
    day: GamingDay = None,
    kind: Annotated[str, typer.Option("--kind", help="Only one kind, such as fill, buy-in or payout.")] = "",
    output: PaperFile = None,
    json: Json = False,
) -> None:
    """The register of slips: fills, credits, buy-ins, cash-outs and payouts, with the total of each kind."""
    with _sentences():
        from pitboss.ledger.register import SlipFilter, registered_slips
        from pitboss.reports.register import register_paper

        wanted = SlipFilter(table, day.date() if day else None, kind)
        with ledger(db, anchor) as store:
            found = registered_slips(store, wanted)
    give_out(output, json, found, partial(register_paper, found, wanted))


@audit_app.command("slip")
def slip(
    table: TableName,
    number: Annotated[int, typer.Argument(metavar="ROUND", help="The round.", min=1, max=MOST)],
    db: Db = None,
    anchor: AnchorFile = None,
    output: PaperFile = None,
    json: Json = False,
) -> None:
    """The payout slips of a round, as supervisors validated them."""
    with ledger(db, anchor) as store:
        from pitboss.ledger.slips import kept_slips
        from pitboss.reports.slip import slip_paper

        found = kept_slips(store, table, number)
    if not found:
        raise UnreadableError(f"No payout of round {number} at {table} was validated.")
    give_out(output, json, found, partial(slip_paper, found))


@audit_app.command("backup")
def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A new file; its anchor is put beside it.")],
    db: Db = None,
    anchor: AnchorFile = None,
) -> None:
    """Copy the ledger while play goes on. The copy holds sealed decks and password hashes: only you may read it."""
    with ledger(db, anchor) as store:
        from pitboss.ledger.backup import anchor_of
        from pitboss.ledger.backup import backup as back_up

        back_up(store, file)
    typer.echo(f"Wrote {file} and {anchor_of(file)}.")


@audit_app.command("restore")
def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="What `pitboss audit backup` wrote.")],
    db: Db = None,
    anchor: AnchorFile = None,
) -> None:
    """Make a ledger from a backup; one that exists already is never written over."""
    with _sentences():
        from pitboss.ledger.backup import restore as restore_lines
        from pitboss.ledger.files import default_url

        url = db or default_url()
        try:
            with file.open("rb") as opened:
                is_sqlite = opened.read(len(SQLITE_FILE)) == SQLITE_FILE
        except OSError as problem:
            raise UnreadableError(f"{file} cannot be read: {problem.strerror}.") from None
        last = _restore_sqlite(file, url, anchor) if is_sqlite else restore_lines(file, url, anchor)
    typer.echo(f"Restored {last} events to {url if '@' not in url else 'the database'}; verify them before play.")


def _restore_sqlite(file: Path, url: str, anchor: Path | None) -> int:
    """The copy of a SQLite ledger is a ledger; it gets the anchor that was written beside it, and nobody is in it."""
    from sqlalchemy import delete

    from pitboss.ledger.backup import anchor_of
    from pitboss.ledger.files import private_file
    from pitboss.ledger.schema import sessions
    from pitboss.ledger.store import Store

    path = _sqlite_path(url)
    if path is None:
        raise UnreadableError(f"{file} is a SQLite file; restore it to sqlite:///path.")
    if path.exists():
        raise UnreadableError(f"{path} exists already; nothing was restored.")
    unfinished = path.with_name(f".{path.name}.unfinished")
    try:
        os.close(private_file(unfinished, os.O_WRONLY | os.O_TRUNC))
        shutil.copyfile(file, unfinished)
        unfinished.rename(path)
    except OSError as problem:
        raise UnreadableError(f"{path} cannot be written: {problem.strerror}.") from None
    finally:
        unfinished.unlink(missing_ok=True)
    with Store(url, anchor) as store:
        with store.writing() as writing:
            writing.connection.execute(delete(sessions))
            last = writing.head.seq
        if anchor_of(file).exists():
            store.anchor.replace(anchor_of(file))
    return last


def verify_deal(
    what: Annotated[str, typer.Argument(metavar="TABLE|FILE", help="A table, or a JSON file with a disclosed deal.")],
    number: Annotated[
        int | None, typer.Argument(metavar="[ROUND]", help="The round, if a table is given.", min=1, max=MOST)
    ] = None,
    db: Db = None,
    anchor: AnchorFile = None,
    json: Json = False,
) -> None:
    """Whether a round was dealt from the deck whose commitment was published. Exit 0 if so, 1 if not."""
    from pitboss.cli.screen.audit import show_deal

    if number is not None:
        with ledger(db, anchor) as store:
            from pitboss.ledger.recall import recall

            deal = recall(store, what, number).deal
    else:
        with _sentences():
            deal = _deal_file(Path(what))
    if not deal.cards:
        raise UnreadableError(f"This deal cannot be checked: {deal.verdict}.")
    told = {"commitment": deal.commitment, "verdict": deal.verdict, "findings": deal.findings}
    present(json, told, lambda out: show_deal(out, deal))
    if deal.findings:
        raise typer.Exit(FOUND)


def _deal_file(path: Path) -> "DealRecord":
    """A deal as the table disclosed it: commitment, cards, salt, cuts and left_deck."""
    from pitboss.cards import CardError
    from pitboss.documents import parse_json, read_text
    from pitboss.ledger.recall import DealRecord
    from pitboss.reader import names_of, required
    from pitboss.table.source import DisclosedKeys, check_disclosed

    data = parse_json(read_text(path), str(path))
    if isinstance(data, dict):  # what else the table says of the deal is worked out again
        data = {name: data[name] for name in names_of(DisclosedKeys) if name in data}
    deal = required(DisclosedKeys, data, str(path), mapping="an object")
    try:
        findings = check_disclosed(deal.commitment, deal.cards, deal.salt, deal.cuts, deal.left_deck)
    except CardError as problem:
        raise UnreadableError(f"{path}: {problem}.") from None
    return DealRecord(deal.commitment, deal.cards, deal.salt.hex(), deal.cuts, deal.left_deck, findings)


def serve(
    db: Db = None,
    host: Annotated[str, typer.Option(help="The address to listen at.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="The port to listen at.", min=0, max=65535)] = 8641,
    demo: Annotated[bool, typer.Option("--demo", help="With a played shift, accounts and open tables.")] = False,
    accept: Annotated[
        list[str] | None, typer.Option(help="A change since the last start that you know of, such as program-changed.")
    ] = None,
    certificate: Annotated[Path | None, typer.Option(help="A certificate in PEM, to serve by TLS.")] = None,
    certificate_key: Annotated[Path | None, typer.Option("--key", help="The certificate's key in PEM.")] = None,
    secure_cookies: Annotated[
        bool, typer.Option("--secure-cookies", help="Sessions only over TLS; always so with a certificate.")
    ] = False,
    proxy_headers: Annotated[
        bool, typer.Option("--proxy-headers", help="Behind a proxy: X-Forwarded-For and -Proto of trusted ones count.")
    ] = False,
    trusted_proxy: Annotated[
        list[str] | None, typer.Option(help="An address or network of proxies; this machine if left out.")
    ] = None,
    connections_per_address: Annotated[
        int, typer.Option(help="Connections that one address may hold.", min=1, max=100_000)
    ] = 500,
    betting_seconds: Annotated[
        int, typer.Option(help="At a table without a dealer: the time for wagers after the last chip.", min=1, max=3600)
    ] = 15,
    demo_in_public: Annotated[
        bool, typer.Option("--yes-demo-accounts-in-public", help="Let --demo be reached from other machines.")
    ] = False,
    copies: CopyPlaces = None,
    anchor_key: KeyFile = None,
) -> None:
    """Serve the pit: tables, meters, accounts and records, in a browser and as an API. See docs/serving.md."""
    from pitboss.web.server import Front, Settings
    from pitboss.web.server import serve as run

    with _sentences():
        from pitboss.demo.house import DEMO

        proxies = tuple(trusted_proxy or ())
        front = Front(host, port, certificate, certificate_key, secure_cookies, proxy_headers, proxies, demo_in_public)
        settings = Settings(connections_per_address=connections_per_address, betting_seconds=betting_seconds)
        known = tuple(accept or ())
        run(
            db,
            demo=DEMO if demo else None,
            accept=known,
            front=front,
            settings=settings,
            copies=tuple(copies or ()),
            key=anchor_key,
        )


def demo_shift(
    db: Db = None,
    seed: Annotated[int, typer.Option(help="Play the same shift again.")] = 1,
    rounds: Annotated[int, typer.Option(help="Rounds at each table.", min=1)] = 10,
) -> None:
    """Play a whole shift of a demonstration pit by itself, and verify its records."""
    with _sentences():
        from pitboss.demo.shift import main as run

        run(url=db, seed=seed, rounds=rounds)
