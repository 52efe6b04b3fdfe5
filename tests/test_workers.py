"""Ctrl-C is for us, not for the processes that work for us, and it is never lost. They end when we do."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from select import select

from pitboss.workers import undisturbed

PRESSED = """
import os, signal, threading, time
signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored where the tests run in the background
from pitboss.workers import undisturbed
threading.Thread(target=time.sleep, args=(1,), daemon=True).start()  # one that would receive it
try:
    with undisturbed():
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.2)
        print("the end of the block")
    print("never")
except KeyboardInterrupt:
    print("answered")
"""
WAITING = "import sys; sys.stdin.readline(); print('still here')"


def test_it_is_answered_after_the_block() -> None:
    done = subprocess.run([sys.executable, "-c", PRESSED], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["the end of the block", "answered"]


def test_a_process_started_in_the_block_does_not_hear_it() -> None:
    command = [sys.executable, "-c", WAITING]
    with undisturbed():
        deaf = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    deaf.send_signal(signal.SIGINT)
    assert deaf.communicate("\n", timeout=30)[0] == "still here\n"
    assert deaf.returncode == 0


POOL = """
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from os import getpid
from pitboss.workers import end_with_parent
if __name__ == "__main__":
    pool = ProcessPoolExecutor(1, get_context("spawn"), end_with_parent)
    print(pool.submit(getpid).result(), flush=True)
    input()
"""


def test_a_worker_ends_when_the_process_that_it_works_for_is_killed(tmp_path: Path) -> None:
    script = tmp_path / "pool.py"
    script.write_text(POOL)
    reads, writes = os.pipe()  # the worker inherits the output, which ends when the last of both has ended
    parent = subprocess.Popen([sys.executable, script], stdin=subprocess.PIPE, stdout=writes)
    os.close(writes)
    with open(reads) as output:
        worker = int(output.readline())
        assert worker != parent.pid
        parent.kill()
        parent.wait()
        assert select([output], [], [], 30)[0], "the worker goes on"
        assert output.read() == ""
