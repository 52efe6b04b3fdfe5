"""P37: nothing that anybody sends holds up anybody else's answer by more than 100 ms, or takes more than 200 MB.

    python scripts/p37_hostile.py --size 120000

Starts a demonstration as a program of its own. Every shape of ``hostile.py`` is sent to every entrance of the
interface, as nobody and in every job function; parts of them and absurd numbers to every page, in its address, in its
form and as the address of a page's socket; and as raw messages to those sockets; eight at a time. A
thread asks for /api/health all the while; the same is asked before anything hostile is sent, for comparison on a busy
machine. Memory is that of the server and its reader, from the kernel's own high-water mark.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from urllib.parse import quote

sys.path.insert(0, str(Path(__file__).parents[1]))

import httpx
from websockets.exceptions import WebSocketException
from websockets.sync.client import connect
from websockets.typing import Origin

from scripts.common import Figures
from scripts.hostile import PHH, json_documents, toml_documents

TOGETHER = 8
ACCOUNTS = ("", "player-1", "dealer-1", "floor-1", "manager-1", "cashier-1", "auditor-1", "admin-1")
SOCKET = "/live?at={}&mark={}"
PAGES = (
    "/settle?game={}", "/submissions?game={}", "/law?cite={}", "/law?search={}", "/analyst?game={}",
    "/school?game=three-card-poker&kind={}&seed={}", "/watch/{}", "/practice/{}", "/table/{}", "/signs?from={}",
    "/slip/{}/{}", "/audit?table={}&round={}", "/incidents?kind={}&since={}", "/school/certificate?number={}",
    "/audit?day={}&since={}&until={}", "/submissions?game=roulette&facts.yards_1_10={}&wagers.red.minimum={}",
    "/analyst?game=three-card-poker&wager=pair_plus&cell.pair_plus.flush={}", "/analyst/equity?typed={}&board={}",
    "/analyst/target.json?game=three-card-poker&from={}&to={}", "/analyst/{}.{}", "/signs/{}.{}?of={}",
)  # fmt: skip
NUMBERS = ("9" * 400, "1e999999999", "1e-999999999", "1/0", "1/1e99", "nan", "-inf", "\u0663", "0x1p99", "1_0", "1e9")
"""Numbers that are short to send and may be long to write out."""
FORMS: Mapping[str, tuple[str, ...]] = {
    "/meters": ("rate.meter", "seed.meter", "amounts.meter", "transfer"),
    "/floor": ("command", "minimum", "maximum", "fill", "act"),
    "/table/tcp-1": ("command", "chip", "dollars"),
    "/settle": ("text", "stake"),
    "/submissions": ("text", "wagers.ante.minimum", "facts.seats"),
    "/school/class": ("questions", "minutes", "attempts"),
    "/practice/three-card-poker": ("chip", "bet.ante"),
}
"""Fields of the pages' forms; what a form lacks is refused like anything else."""
ORDINARY = (
    "/analyst/figures.csv?game=three-card-poker&wager=pair_plus", "/analyst/strategy.csv?game=three-card-poker",
    "/analyst?game=roulette", "/signs?game=roulette", "/submissions?game=roulette", "/practice/three-card-poker",
)  # fmt: skip
"""Lawful questions, one for each process that answers them."""
MOST_MS, MOST_MB = 100, 200


@contextmanager
def demonstration() -> Iterator[tuple[str, int]]:
    """A server of its own over a fresh ledger; its address and process."""
    with tempfile.TemporaryDirectory(prefix="pitboss-") as folder:
        places = {"XDG_DATA_HOME": f"{folder}/data", "PITBOSS_ANCHORS": f"{folder}/anchors"}
        command = [sys.executable, "-m", "pitboss", "serve", "--demo", "--port", "0"]
        server = subprocess.Popen(
            command, env={**os.environ, **places}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        assert server.stdout is not None
        try:
            lines: list[str] = []
            while not any(line.startswith("pitboss at ") for line in lines):
                lines.append(server.stdout.readline())
                assert lines[-1], f"the server ended: {lines}"
            threading.Thread(target=server.stdout.read, daemon=True).start()
            yield next(line for line in lines if line.startswith("pitboss at ")).split()[2], server.pid
        finally:
            server.terminate()
            server.wait(20)


class Watch:
    """Asks for the health of the house all the while."""

    def __init__(self, address: str) -> None:
        self.address, self.times, self.over = address, list[float](), threading.Event()
        self.thread = threading.Thread(target=self._run, daemon=True)

    def _run(self) -> None:
        with httpx.Client(base_url=self.address, timeout=60) as http:
            while not self.over.wait(0.02):
                before = time.perf_counter()
                if http.get("/api/health").status_code == 200:
                    self.times.append(1000 * (time.perf_counter() - before))
                else:
                    self.times.append(float("inf"))

    def __enter__(self) -> "Watch":
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.over.set()
        self.thread.join(60)

    def shown(self) -> str:
        found = sorted(self.times)
        return (
            f"median {found[len(found) // 2]:.1f} ms, p99 {found[len(found) * 99 // 100]:.0f} ms, "
            f"largest {found[-1]:.0f} ms of {len(found)}"
        )


def processes(pid: int) -> list[Path]:
    """A server and the processes that it started."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [Path(f"/proc/{each}") for each in (str(pid), *children)]


def megabytes(pid: int) -> int:
    """The most memory that a server and its processes have held since the mark was reset, added up."""
    most = 0
    for each in processes(pid):
        with suppress(OSError):
            status = (each / "status").read_text()
            most += int(next(line for line in status.splitlines() if line.startswith("VmHWM")).split()[1]) // 1024
    return most


def reset_mark(pid: int) -> None:
    for each in processes(pid):
        with suppress(OSError):
            (each / "clear_refs").write_text("5")


def requests(size: int) -> Iterator[tuple[str, str, bytes]]:
    """Method, address and body of everything that is sent."""
    texts = [*toml_documents(size), *((name, shape(size)) for name, shape in PHH.items())]
    for _, text in texts:
        with suppress(UnicodeEncodeError):
            for path, body in (
                ("/api/submissions/check", {"submission": text}),
                ("/api/meters", {"meter": "m-1", "name": "x", "submission": text}),
                ("/api/tables/new/commands", {"command": "open_table", "submission": text, "fill": 0}),
            ):
                yield "POST", path, json.dumps(body, ensure_ascii=False).encode()
    for _, text in json_documents(size):
        for path in ("/api/submissions/check", "/api/tables/t1/commands", "/api/login", "/api/accounts"):
            yield "POST", path, text.encode("utf-8", "replace")


def addresses(random: Random) -> Iterator[tuple[str, str, bytes]]:
    """Pages with a part of a hostile text where they expect a name, a number or a search."""
    texts = [text.encode("utf-8", "replace")[:6_000] for _, text in toml_documents(2_000)]
    for page in PAGES:
        for text in (*random.sample(texts, 4), *(number.encode() for number in random.sample(NUMBERS, 3))):
            yield "GET", page.replace("{}", quote(text)), b""


def presses() -> Iterator[tuple[str, dict[str, str]]]:
    """Forms of pages with a number that is hard to write out in each field."""
    for page, fields in FORMS.items():
        for field in fields:
            yield from ((page, {"do": "propose", "reason": "x", field: number}) for number in NUMBERS)


def frames(size: int) -> Iterator[str]:
    """Messages to the socket of a page, which reads none."""
    for _, text in (*json_documents(size), *toml_documents(size)):
        yield text.encode("utf-8", "replace").decode()


def send(address: str, tokens: dict[str, str], every: list[tuple[str, str, bytes]], seen: Counter[str]) -> None:
    """Eight callers at a time; each request is sent by one job function, and by the next in the second round."""

    def as_one(place: int) -> None:
        account = ACCOUNTS[place % len(ACCOUNTS)]
        headers = {"Content-Type": "application/json"}
        if tokens[account]:
            headers["Authorization"] = f"Bearer {tokens[account]}"
        with httpx.Client(base_url=address, timeout=60, headers=headers) as http:
            for number, (method, path, body) in enumerate(every[place % TOGETHER :: TOGETHER]):
                key = {"Request-Key": f"hostile-{place}-{number}"}
                try:
                    seen[str(http.request(method, path, content=body or None, headers=key).status_code)] += 1
                except httpx.HTTPError as problem:
                    seen[type(problem).__name__] += 1

    for turn in range(2):
        with ThreadPoolExecutor(TOGETHER) as pool:
            list(pool.map(as_one, range(turn * (TOGETHER + 1), turn * (TOGETHER + 1) + TOGETHER)))


def send_presses(address: str, seen: Counter[str]) -> None:
    """Each form as nobody and in every job function, with the token of that session."""

    def as_one(account: str) -> None:
        with httpx.Client(base_url=address, timeout=60, headers={"Origin": address}) as http:
            if account:
                http.post("/login", data={"id": account, "password": f"demo-{account}"})
            found = re.search(r'name="csrf" value="([^"]+)"', http.get("/school").text)
            for page, fields in presses():
                try:
                    answer = http.post(page, data={**fields, "csrf": found[1] if found else ""})
                    seen[str(answer.status_code)] += 1
                except httpx.HTTPError as problem:
                    seen[type(problem).__name__] += 1

    with ThreadPoolExecutor(TOGETHER) as pool:
        list(pool.map(as_one, ACCOUNTS))


def send_frames(address: str, size: int, seen: Counter[str]) -> None:
    every = list(frames(size))
    looked = [quote(path, safe="") for _, path, _ in addresses(Random(2)) if len(path) < 6_000]

    def as_one(place: int) -> None:
        for number, frame in enumerate(every[place::TOGETHER]):
            with suppress(WebSocketException, OSError, TimeoutError):
                at = looked[(number * TOGETHER + place) % len(looked)]
                url = address.replace("http", "ws") + SOCKET.format(at, number)
                with connect(url, origin=Origin(address)) as opened:
                    opened.send(frame)
                    opened.ping().wait(1)
            seen["socket"] += 1

    with ThreadPoolExecutor(TOGETHER) as pool:
        list(pool.map(as_one, range(TOGETHER)))


def main() -> int:
    import argparse

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=int, default=120_000, help="bytes of each document")
    size = parser.parse_args().size
    figures, seen = Figures("P37: hostile documents at every entrance"), Counter[str]()
    with demonstration() as (address, pid):
        with httpx.Client(transport=httpx.HTTPTransport(retries=8)) as http:  # it says where before it listens
            http.get(f"{address}/api/health", timeout=60)
        tokens = {account: _log_in(address, account) if account else "" for account in ACCOUNTS}
        with httpx.Client(base_url=address, timeout=300) as http:  # what counts has started, as in any house
            for path in ORDINARY:
                http.get(path)
        with Watch(address) as before:
            time.sleep(15)
        figures.add("health before", before.shown())
        reset_mark(pid)
        held = megabytes(pid)
        parts: dict[str, Callable[[], None]] = {
            "documents": lambda: send(address, tokens, list(requests(size)), seen),
            "addresses of pages": lambda: send(address, tokens, list(addresses(Random(1))), seen),
            "forms": lambda: send_presses(address, seen),
            "messages": lambda: send_frames(address, size, seen),
        }
        for part, act in parts.items():
            with Watch(address) as watch:
                act()
            figures.add(f"health, {part}", watch.shown())
            late = sum(each > MOST_MS for each in watch.times)
            figures.add(f"later than {MOST_MS} ms, {part}", f"{late} of {len(watch.times)}")
            print(part, figures.rows[-2:], flush=True)
        grown = megabytes(pid) - held
        figures.add("memory before", f"{held} MB")
        figures.add("memory more at its highest", f"{grown} MB")
    for answer, count in sorted(seen.items()):
        figures.add(f"answered {answer}", count)
    faults = sum(count for answer, count in seen.items() if answer.startswith("5") and answer != "503")
    figures.expect(not faults, f"{faults} answers of 5xx")
    figures.expect(grown <= MOST_MB, f"memory grew by {grown} MB")
    return figures.show()


def _log_in(address: str, account: str) -> str:
    answer = httpx.post(f"{address}/api/login", json={"id": account, "password": f"demo-{account}"}, timeout=60)
    return str(answer.json()["token"])


if __name__ == "__main__":
    sys.exit(main())
