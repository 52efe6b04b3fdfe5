"""P9: the program is killed, also in the middle of a settlement: nothing acknowledged is lost, nothing is half done.

    python scripts/p09_kill.py --kills 1000

A dealer plays rounds in a process of its own and tells every question and every answer. It is killed with SIGKILL at a
random moment, half of the times right after it has asked for a settlement; besides that, at each named step of the
transaction of a settlement. After each kill the ledger is opened, audited and compared with what was told, and the
question without an answer is asked again under its key.
"""

import sys
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.table.driver import GAME_NAMES

from scripts.common import Figures, arguments, available, ledger
from scripts.dying import STEPS, Suicide, Told, judge, prepare, run

LEDGER_LASTS = 25
"""Kills before a new ledger is begun: the audit reads all of it."""
MOMENT = 0.004


COMMANDS = ("settle", "no_more_bets", "discard")


def measure(
    kills: int, databases: tuple[str, ...], seed: int = 1, hooks: int = 2, commands: Sequence[str] = COMMANDS
) -> Figures:
    figures = Figures("P9: kill -9")
    for database in available(databases, figures):
        _at_random(database, kills, Random(seed), figures)
        _at_steps(database, hooks, commands, figures)
    return figures


class Moment:
    """When to kill: some answers in, and then right after a settlement was asked for, or any question."""

    def __init__(self, random: Random) -> None:
        self.answers = random.randint(1, 40)
        self.settling = random.random() < 0.5
        self.delay = random.random() * MOMENT

    def __call__(self, told: Told) -> float | None:
        if len(told.answers) < self.answers or told.open is None:
            return None
        late = len(told.answers) > self.answers + 60
        return self.delay if late or not self.settling or told.open.body["command"] == "settle" else None


def _at_random(database: str, kills: int, random: Random, figures: Figures) -> None:
    rounds = answers = stored = 0
    open_at: Counter[str] = Counter()
    with ExitStack() as stack:
        for number in range(kills):
            if number % LEDGER_LASTS == 0:
                stack.close()
                url, anchor = stack.enter_context(ledger(database))
                game = GAME_NAMES[number // LEDGER_LASTS % len(GAME_NAMES)]
                prepare(url, anchor, game)
                before = 0
            told = run(url, anchor, f"life-{number}", after=Moment(random))
            wrong = judge(url, anchor, told)
            figures.violations += [f"{database} kill {number} ({game}): {sentence}" for sentence in wrong]
            rounds += max(0, told.rounds - before)
            before = max(before, told.rounds)
            answers += len(told.answers)
            if told.open is not None:
                open_at["a settlement" if told.open.body["command"] == "settle" else "something else"] += 1
            stored += told.open is not None
    figures.add(f"{database}: kills at random", kills)
    figures.add(f"{database}: answers acknowledged", answers)
    figures.add(f"{database}: rounds begun", rounds)
    figures.add(f"{database}: killed during a settlement", open_at["a settlement"])
    figures.add(f"{database}: killed during something else", open_at["something else"])
    figures.add(f"{database}: killed between questions", kills - stored)


def _at_steps(database: str, each: int, commands: Sequence[str], figures: Figures) -> None:
    """At every named step of a settlement, of closing the bets and of collecting the cards."""
    for command in commands:
        for step in STEPS:
            with ledger(database) as (url, anchor):
                prepare(url, anchor, "four-card-poker")
                for life in range(each):
                    told = run(url, anchor, f"life-{life}", suicide=Suicide(step, command))
                    wrong = judge(url, anchor, told)
                    if told.open is None or told.open.body["command"] != command:
                        wrong.append("it did not die where it should")
                    figures.violations += [f"{database} {command} at {step}: {sentence}" for sentence in wrong]
    figures.add(f"{database}: kills at named steps", len(commands) * len(STEPS) * each)


if __name__ == "__main__":
    given = arguments(__doc__, kills=(1_000, 10), hooks=(2, 1))
    sys.exit(measure(given.kills, given.databases, given.seed, given.hooks).show())
