"""What a program checks about itself before a table may open: its law, its own files, the database and the chain."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from pitboss.findings import Finding, FindingsError, errors, refusal
from pitboss.ledger import queries
from pitboss.ledger.audit import verify_anchors
from pitboss.ledger.blueprint import verify_schema
from pitboss.ledger.chain import verify_links
from pitboss.ledger.checkpoint import repeated
from pitboss.ledger.deadlines import patient
from pitboss.ledger.engine import sqlite_driver, verify_sqlite
from pitboss.ledger.errors import LedgerError
from pitboss.ledger.kinds.system import SystemStarted, of_start
from pitboss.ledger.schema import REVISION, events
from pitboss.ledger.segments import verify_parts
from pitboss.ledger.store import HOUSE_STREAM, Reading, Recorded, Store
from pitboss.ledger.watch import jump_back
from pitboss.table.canonical import canonical, digest_of
from pitboss.table.events import Event

PACKAGE = Path(__file__).parents[1]
ACCEPTABLE = frozenset({"law-changed", "program-changed"})
"""What an administrator may accept: an update is a change, too. Nothing else can be talked away."""


def law_files(package: Path = PACKAGE) -> dict[str, str]:
    """SHA-256 of every data file of the law, by its name in the package."""
    return _hashes(package, (path for path in (package / "law").rglob("*") if path.suffix in (".toml", ".tsv")))


def program_files(package: Path = PACKAGE) -> dict[str, str]:
    """SHA-256 of every Python file of the package, and of every table and query beside them, outside the law."""
    beside = (path for path in package.rglob("*") if path.suffix in (".sql", ".tsv"))
    return _hashes(package, (*package.rglob("*.py"), *(path for path in beside if package / "law" not in path.parents)))


@patient()
def startup_findings(store: Store, package: Path = PACKAGE, workers: int = 1) -> tuple[Finding, ...]:
    """Why no table may be opened now; nothing, if all is as it was at the start before.

    The chain is walked from where the start before had come to, and a part before that, chosen by chance.
    """
    findings: list[Finding] = []
    try:
        anchored = store.anchor.contents()
        with store.reading() as reading:
            findings += _sqlite(store)
            findings += verify_schema(reading.connection)
            before = reading.latest(SystemStarted)
            since, wrong = _linked(reading, before)
            findings += wrong
            findings += verify_parts(store.url, reading.connection, since, workers)
            if since:
                findings += verify_links(reading.connection, *repeated(since))
            findings += verify_anchors(store, anchored, reading, since)
    except LedgerError as error:
        return (*findings, refusal("database", "a readable database", type(error).__name__, str(error)))
    if before is not None:
        for what, files in (("law", law_files(package)), ("program", program_files(package))):
            findings += _changes(what, of_start(before.fact, what) or {}, files, before.seq)
    return tuple(findings)


def record_start(
    store: Store,
    *,
    at: int,
    actor: str,
    role: str,
    accepted: Collection[str] = (),
    package: Path = PACKAGE,
    workers: int = 1,
) -> Recorded:
    """Record that the program starts, with the hashes of its files; refused while there are findings not accepted.

    >>> sorted(ACCEPTABLE)
    ['law-changed', 'program-changed']
    """
    if odd := sorted(set(accepted) - ACCEPTABLE):
        raise LedgerError(f"{', '.join(odd)} cannot be accepted; only a change of the law or of the program can")
    findings = errors(startup_findings(store, package, workers=workers))
    if left := [finding for finding in findings if finding.code not in accepted]:
        raise FindingsError(left)
    with store.reading() as reading:
        head = reading.head
    started = SystemStarted(
        anchors=(tuple(store.copies.places), store.copies.key),
        linked=(head.seq, head.hash.hex()),
        version=_version(),
        schema=REVISION,
        database=store.engine.dialect.name,
        law=law_files(package),
        program=program_files(package),
        accepted=tuple(finding.sentence for finding in findings),
    )
    with store.writing() as writing:
        jumped = jump_back(writing, at)
        events = [*([jumped] if jumped else []), Event(started)]
        return writing.append(events, stream=HOUSE_STREAM, round=0, actor=actor, role=role, at=at)[-1]


def _sqlite(store: Store) -> Iterator[Finding]:
    if store.is_sqlite:
        try:
            verify_sqlite(sqlite_driver().sqlite_version)
        except LedgerError as error:
            yield refusal("sqlite-version", "a newer SQLite", "an old one", str(error))


def _linked(reading: Reading, before: Recorded | None) -> tuple[int, list[Finding]]:
    """The event up to which the last start has checked the chain, if it still has its hash."""
    told = of_start(before.fact, "linked") if before is not None else None
    if not told or not told[0]:
        return 0, []
    seq, digest = told
    row = reading.row(queries.hash_at(events), seq=int(seq))
    if row is not None and bytes(row[0]).hex() == digest:
        return int(seq), []
    sentence = f"event {seq} does not have the hash that it had at the last start"
    return 0, [refusal("checkpoint", digest, "another", sentence, f"event {seq}")]


def _changes(what: str, before: Mapping[str, str], now: Mapping[str, str], seq: int) -> Iterator[Finding]:
    changed = sorted(name for name in {*before, *now} if before.get(name) != now.get(name))
    if changed:
        shown = ", ".join(changed[:5]) + (f" and {len(changed) - 5} more" if len(changed) > 5 else "")
        sentence = f"the {what} is not what it was at the last start (event {seq}): {shown}"
        yield refusal(f"{what}-changed", files_digest(before), files_digest(now), sentence, changed[0])


def _hashes(package: Path, paths: Iterable[Path]) -> dict[str, str]:
    kept = (path for path in paths if "__pycache__" not in path.parts)
    return {path.relative_to(package).as_posix(): sha256(path.read_bytes()).hexdigest() for path in sorted(kept)}


def files_digest(files: Mapping[str, str]) -> str:
    """One SHA-256 for all files."""
    return digest_of(canonical(dict(files)))


def _version() -> str:
    try:
        return version("pitboss")
    except PackageNotFoundError:
        return "not installed"
