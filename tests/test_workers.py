"""Ctrl-C is for us, not for the processes that work for us, and it is never lost."""

import signal
import subprocess
import sys

from pitboss.workers import undisturbed

PRESSED = """
import os, signal, threading, time
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
