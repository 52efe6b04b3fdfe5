"""P24, second half: whatever a Rules Submission says, reading and checking it gives findings or a sentence.

Coverage-guided by Atheris (extra ``fuzz``), from the template and the examples of every game. Half of the changes are
the fuzzer's own, half move lines of true submissions about, and some are the shapes of ``hostile.py``. Past the limit
of memory or time the run ends as failed.
"""

import argparse
import random
import resource
import sys
import tempfile
import time
from datetime import date
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from scripts.hostile import any_toml

AS_OF = date(2024, 6, 1)
MEGABYTES = 1_024


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="small counts, to see that it runs")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--runs", type=int)
    given = parser.parse_args()
    runs = given.runs or (2_000 if given.quick else 1_000_000)
    try:
        import atheris
    except ImportError:
        print("P24 (submissions): Atheris is not installed: pip install 'pitboss[fuzz]'")
        return 2
    with atheris.instrument_imports(include=["pitboss"]):
        from pitboss.findings import UnreadableError
        from pitboss.games.registry import GAMES
        from pitboss.submission import check, read_submission, template

    seeds = [template(game, AS_OF) for game in GAMES]
    seeds += [path.read_text() for path in sorted(Path("examples").glob("*.toml"))]
    lines = sorted({line for text in seeds for line in text.splitlines() if line.strip()})
    counts = {"runs": 0, "read": 0, "refused": 0, "findings": 0}
    started = time.monotonic()

    def mutate(data: bytes, max_size: int, seed: int) -> bytes:
        """A line of some submission more, less or in another place; or whatever the fuzzer thinks of."""
        chance = random.Random(seed)
        if chance.random() < 0.02:
            return any_toml(chance, max_size).encode(errors="replace")
        if chance.random() < 0.5:
            mutated: bytes = atheris.Mutate(data, max_size)
            return mutated
        parts = data.decode(errors="replace").split("\n")
        where = chance.randrange(len(parts) + 1)
        match chance.randrange(3):
            case 0:
                parts.insert(where, chance.choice(lines))
            case 1:
                del parts[where : where + 1]
            case _:
                parts[where : where + 1] = [chance.choice(lines)]
        return "\n".join(parts).encode()[:max_size]

    def show() -> None:
        print("P24: fuzzed Rules Submissions")
        for name, number in counts.items():
            print(f"  {name:<10}  {number:,}")
        print(f"  {'memory':<10}  {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MB at most")
        print(f"  {'seconds':<10}  {time.monotonic() - started:.1f}", flush=True)

    def one(data: bytes) -> None:
        counts["runs"] += 1
        if counts["runs"] == runs:  # Atheris ends the process after the last run
            show()
        try:
            submission = read_submission(data.decode(errors="replace"))
        except UnreadableError:
            counts["refused"] += 1
            return
        counts["read"] += 1
        counts["findings"] += len(check(submission))

    with tempfile.TemporaryDirectory(prefix="pitboss-") as folder:
        for number, text in enumerate(seeds):
            (Path(folder) / f"seed-{number}").write_text(text)
        options = [
            f"-runs={runs}",
            f"-seed={given.seed}",
            f"-rss_limit_mb={MEGABYTES}",
            "-timeout=10",
            "-max_len=20000",
        ]
        atheris.Setup(
            [sys.argv[0], *options, "-print_final_stats=0", "-verbosity=0", folder], one, custom_mutator=mutate
        )
        atheris.Fuzz()
    return 1


if __name__ == "__main__":
    sys.exit(main())
