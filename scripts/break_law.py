"""Break every paragraph of the law, one break at a time, and demand that a test that names the paragraph fails.

The tests are imported and collected once; each break (``law_breaks``) is made in a child of that process. The tests of
behavior that name the paragraph run there, cheapest first, until one of them fails that passes without the break. If
none does, the snapshot of printed entries (``tests/test_printed.py``) counts where the lint beside the texts of the law
finds the same break: the software itself wrote the snapshot, and only the lint reads the text.

``src/pitboss/law/breaks.tsv`` has one line for each paragraph: fingerprint of what was broken, breaks caught by
behavior, by the checked snapshot, refused by the loader; the tests that caught them; what no proof noticed. Only
paragraphs whose fingerprint or proofs have changed are broken again.
"""

import argparse
import gc
import json
import os
import select
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from pitboss.findings import errors
from pitboss.law.breaks import fingerprints
from pitboss.law.lint import lint, lint_chapter
from pitboss.law.loader import chapter
from scripts.law_breaks import LAW, ROOT, Break, State, breaks

RECORD = LAW / "breaks.tsv"
COSTS = ROOT / ".pytest_cache" / "proof-seconds.json"
SNAPSHOT = "tests/test_printed.py"
SECONDS, SECONDS_IF_SEEN = 6.0, 0.15
"""Processor time that the tests of behavior may take for one break, the latter where the snapshot notices it anyway;
if they still pass then, it counts as not caught by behavior."""
STOP = 10.0
"""Processor time after which a test is stopped, and has failed; without any, after six times as long."""
SILENCE = 240.0
"""How long a child may say nothing before it is given up; the machine may be busy with other things."""
TIMERS = ((signal.ITIMER_PROF, signal.SIGPROF, STOP), (signal.ITIMER_REAL, signal.SIGALRM, 6 * STOP))
DEAR = {"tests/ledger/": 20.0, "tests/browser/": 60.0, "tests/test_exact": 5.0, "tests/reports/": 2.0}
"""What a proof costs at a guess, by where it stands, until it has run once."""
GUESS = 0.3


def proofs_of(session: pytest.Session) -> dict[str, list[pytest.Item]]:
    proofs: dict[str, list[pytest.Item]] = {}
    for item in session.items:
        for mark in item.iter_markers("law"):
            for cite in mark.args:
                proofs.setdefault(str(cite), []).append(item)
    return proofs


class Runner:
    """A plugin of pytest that runs the proofs of each break in a child instead of every test once."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.record = read_record()
        self.sound: dict[str, bool] = {}
        self.costs: dict[str, float] = json.loads(COSTS.read_text(encoding="utf-8")) if COSTS.exists() else {}

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        self.proofs = proofs_of(session)
        self.state = State()
        lint(self.options.texts)  # the texts are read once
        gc.collect()
        gc.freeze()
        changes: dict[str, list[Break]] = {}
        for change in breaks():
            if change.cite in self.proofs and change.cite.startswith(tuple(self.options.only.split(","))):
                changes.setdefault(change.cite, []).append(change)
        current = fingerprints()
        for cite in [cite for cite in self.record if cite not in self.proofs or cite not in current]:
            del self.record[cite]
        todo = [cite for cite in changes if self.options.all or not self._is_current(cite, current[cite])]
        for number, cite in enumerate(todo, 1):
            ends = self._ends(cite, changes[cite])
            self.record[cite] = [current[cite], *_summary(ends)]
            for change, kind, how in ends:
                if kind == "unnoticed":
                    print(f"{kind}: {cite}: {change.what} {how}".rstrip(), flush=True)
            write_record(self.record)
            COSTS.parent.mkdir(exist_ok=True)
            COSTS.write_text(json.dumps(self.costs), encoding="utf-8")
            if number % 20 == 0 or number == len(todo):
                print(f"{number} of {len(todo)} paragraphs", flush=True)
        return True

    def _is_current(self, cite: str, fingerprint: str) -> bool:
        line = self.record.get(cite)
        if line is None or line[0] != fingerprint or (self.options.unnoticed and line[5]):
            return False
        known = {item.nodeid for item in self.proofs[cite]}
        return all(test in known for test in filter(None, line[4].split(" | ")))

    def _ends(self, cite: str, changes: Sequence[Break]) -> list[tuple[Break, str, str]]:
        """How each break of a paragraph ended: its kind, and the test that failed."""
        ends: list[tuple[Break, str, str]] = []
        items = sorted(self.proofs[cite], key=lambda item: (self._cost(item), item.nodeid))
        for change in changes:
            answer = in_a_child(partial(self._judge, change, items))
            kind, how, ran = answer or ("unnoticed", "the proofs died or ran out of time", {})
            self.costs |= ran
            if kind == "behavior" and not self._is_sound(next(item for item in items if item.nodeid == how)):
                kind, how = "unnoticed", f"{how} fails without the break too"
            ends.append((change, kind, how))
        return ends

    def _is_sound(self, item: pytest.Item) -> bool:
        """Whether a test passes where nothing is broken."""
        if item.nodeid not in self.sound:
            self.sound[item.nodeid] = in_a_child(lambda: not _fails(item, {})) or False
        return self.sound[item.nodeid]

    def _cost(self, item: pytest.Item) -> float:
        guess = next((cost for start, cost in DEAR.items() if item.nodeid.startswith(start)), GUESS)
        return self.costs.get(item.nodeid, guess)

    def _judge(self, change: Break, items: Sequence[pytest.Item]) -> tuple[str, str, dict[str, float]]:
        ran: dict[str, float] = {}
        if not self.state.apply(change):
            return "refused", "", ran
        snapshot = [item for item in items if item.nodeid.startswith(SNAPSHOT)]
        seen = any(_fails(item, ran) for item in snapshot)
        deadline = time.process_time() + (SECONDS_IF_SEEN if seen else SECONDS)
        for item in items:
            if time.process_time() + self._cost(item) > deadline:
                break
            if item not in snapshot and _fails(item, ran):
                return "behavior", item.nodeid, ran
        if seen and self._is_read(change):
            return "snapshot", snapshot[0].nodeid, ran
        return "unnoticed", "(but by the snapshot)" if seen else "", ran

    def _is_read(self, change: Break) -> bool:
        """Whether the lint finds the break by reading the text of the law."""
        name = change.chapter or change.cite.partition(".")[0]
        return bool(errors(lint_chapter(chapter(name), self.options.texts)))


def _fails(item: pytest.Item, ran: dict[str, float]) -> bool:
    """Whether a test fails; one that never ends because of a break does."""
    from _pytest.runner import runtestprotocol

    def stop(*_: object) -> None:
        raise AssertionError("out of processor time")

    start = time.process_time()
    for timer, number, seconds in TIMERS:
        signal.signal(number, stop)
        signal.setitimer(timer, seconds)
    try:
        failed = any(report.failed for report in runtestprotocol(item, log=False, nextitem=None))
    finally:
        for timer, _, _ in TIMERS:
            signal.setitimer(timer, 0)
    ran[item.nodeid] = round(time.process_time() - start, 4)
    return failed


def in_a_child(job: Callable[[], Any]) -> Any:
    """The result of a job in a child process, or nothing if it died or said nothing for too long."""
    here, there = os.pipe()
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            os.setpgid(0, 0)
            os.close(here)
            null = os.open(os.devnull, os.O_RDWR)
            for stream in (0, 1, 2):
                os.dup2(null, stream)
            scratch = tempfile.mkdtemp(prefix="broken-")
            os.environ["PITBOSS_CACHE"] = str(_linked_cache(Path(scratch)))
            try:
                answer = json.dumps(job())
            finally:
                shutil.rmtree(scratch, ignore_errors=True)
            os.write(there, answer.encode())
            code = 0
        finally:
            os._exit(code)
    os.close(there)
    said = b""
    with os.fdopen(here, "rb", buffering=0) as pipe:
        ready = select.poll()  # unlike select.select it takes any number of open files
        ready.register(pipe, select.POLLIN)
        while ready.poll(1000 * SILENCE) and (chunk := pipe.read(1 << 16)):
            said += chunk
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    return json.loads(said) if said else None


def _linked_cache(folder: Path) -> Path:
    """Counts of a broken game must not be found by anybody else: they are written beside links to the good ones."""
    good, own = Path(os.environ["PITBOSS_CACHE"]), folder / "exact"
    own.mkdir()
    for entry in good.iterdir() if good.is_dir() else ():
        own.joinpath(entry.name).symlink_to(entry)
    return own


# The record


def _summary(ends: Iterable[tuple[Break, str, str]]) -> list[str]:
    found = [*ends]
    counts = [sum(kind == each for _, kind, _ in found) for each in ("behavior", "snapshot", "refused")]
    tests = sorted({how for _, kind, how in found if kind in ("behavior", "snapshot")})
    unnoticed = [change.what for change, kind, _ in found if kind == "unnoticed"]
    return [*map(str, counts), " | ".join(tests), " | ".join(unnoticed)]


def read_record() -> dict[str, list[str]]:
    if not RECORD.exists():
        return {}
    lines = [line.split("\t") for line in RECORD.read_text(encoding="utf-8").splitlines()]
    return {cite: rest for cite, *rest in lines}


def write_record(record: dict[str, list[str]]) -> None:
    RECORD.write_text("".join("\t".join((cite, *line)) + "\n" for cite, line in sorted(record.items())), "utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--only", default="", help="paragraphs that begin so, with commas between")
    parser.add_argument("--all", action="store_true", help="break also what has not changed since it was recorded")
    parser.add_argument("--unnoticed", action="store_true", help="break also what was recorded with unnoticed breaks")
    parser.add_argument("--texts", type=Path, required=True, help="the folder with the texts of the law")
    options = parser.parse_args()
    os.chdir(ROOT)
    from hypothesis import Phase, settings

    phases = (Phase.explicit, Phase.generate)
    settings.register_profile("breaks", phases=phases, deadline=None, database=None, derandomize=True)
    settings.load_profile("breaks")
    files = {line.split("\t")[1].partition("::")[0] for line in LAW.joinpath("proofs.tsv").read_text().splitlines()}
    runner = Runner(options)
    plain = ["-q", "-s", "--tb=no", "-p", "no:cacheprovider", "-p", "no:xdist", "-o", "addopts="]
    pytest.main([*plain, "-o", "tmp_path_retention_policy=none", *sorted(files)], plugins=[runner])
    lines = runner.record.values()
    behavior, snapshot, refused = (sum(int(line[n]) for line in lines) for n in (1, 2, 3))
    unnoticed = sum(len(line[5].split(" | ")) for line in lines if line[5])
    print(
        f"{behavior} breaks caught by behavior, {snapshot} by the checked snapshot, {unnoticed} unnoticed; "
        f"{refused} refused by the loader"
    )
    sys.exit(1 if unnoticed else 0)


if __name__ == "__main__":
    main()
