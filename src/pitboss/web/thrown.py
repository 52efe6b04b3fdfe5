"""What dice or a wheel have shown at a table: the last throws, how often each came, and how little that says."""

from collections import Counter
from collections.abc import Sequence
from math import cbrt, erfc, sqrt

from pitboss.games.chance import counted
from pitboss.law.model import DealStep, Face

LAST = 20
"""Throws that the board shows one by one."""
FEW = 5
"""Throws that each face should have come to before a chi-square means anything."""
RARE = 0.001


def counts_of(step: DealStep, throws: Sequence[Sequence[Face]]) -> list[tuple[Face, int]]:
    """How often each face came, in the order of the faces."""
    counts = Counter(face for each in throws for face in each)
    return [(face, counts[face]) for face in sorted(counted(step), key=lambda face: (int(face), str(face)))]


def judged(counts: Sequence[tuple[Face, int]]) -> str:
    """What the counts say about the device, and what they do not say about the next throw."""
    total, often = sum(many for _, many in counts), max(many for _, many in counts)
    hot = ", ".join(str(face) for face, many in counts if many == often)
    said = f"Most often so far: {hot}, {often} of {total}. That makes nothing likelier: no throw remembers another."
    if total < FEW * len(counts):
        return f"{said} Too few throws to judge the device by."
    expected = total / len(counts)
    statistic, degrees = sum((many - expected) ** 2 for _, many in counts) / expected, len(counts) - 1
    ninth = 2 / (9 * degrees)  # by the cube root of Wilson and Hilferty, which is nearly normal
    p = erfc((cbrt(statistic / degrees) - (1 - ninth)) / sqrt(2 * ninth)) / 2
    verdict = "a fair device shows the like" if p > RARE else "fewer than one fair device in a thousand shows this"
    return f"{said} χ² = {statistic:.1f} with {degrees} degrees of freedom, p about {p:.3f}: {verdict}."
