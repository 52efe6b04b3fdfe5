"""Questions of the dealer school against the settlement: no right answer graded wrong, no planted one graded right.

    python scripts/every_drill.py --questions 1000

Every kind of every game in turn. Each question is graded with its right answers, with every wrong answer that can be
planted, and with nonsense; the round behind it is settled again and must say what the question says.
"""

import sys
from datetime import date
from itertools import cycle, islice
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.grading import faults, planted

from pitboss.law.index import paragraphs
from pitboss.school.kinds import ask, every_pair
from scripts.common import Figures, arguments

DAY = date(2024, 6, 1)


def measure(questions: int) -> Figures:
    figures = Figures("The dealer school")
    pairs = list(every_pair())
    cites: set[str] = set()
    wrong = settled = 0
    for seed, (kind, game) in enumerate(islice(cycle(pairs), questions)):
        exercise = ask(kind, game, DAY, seed)
        for fault in faults(exercise):
            figures.expect(False, fault)
        wrong += sum(1 for _ in planted(exercise))
        settled += exercise.basis is not None
        cites |= set(exercise.cites)
    figures.add("kinds of games", len(pairs))
    figures.add("questions", questions)
    figures.add("settled again", settled)
    figures.add("wrong answers planted", wrong)
    figures.add("printed paragraphs examined", len(cites & {str(cite) for cite in paragraphs()}))
    return figures


if __name__ == "__main__":
    sys.exit(measure(arguments(__doc__, questions=(1000, 200)).questions).show())
