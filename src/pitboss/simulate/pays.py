"""What codes move, as arrays: all wagers of a table together, and line by line."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pitboss.simulate.groups import FactGroup, offsets_of
from pitboss.simulate.lines import LineOf
from pitboss.simulate.words import Bytes, Ints


@dataclass(frozen=True)
class Pays:
    """Codes of a seat are numbered through all groups; shares of a meter count as a lost stake. Amounts are cents."""

    nets: Ints
    """By seat and code, all wagers together."""
    first: Ints
    """The same for what the first seat alone has at stake."""
    rare: Bytes
    """Codes with a share of a meter: their rounds are settled by the rules themselves afterwards."""
    seats: Ints
    """Of the lines of one wager that one code decides: the seat whose code it is."""
    groups: Ints
    starts: Ints
    """Where their pays begin in ``pays``."""
    wagers: Ints
    """Their wager as a place in ``Plan.wager_names``."""
    pays: Ints

    @cached_property
    def any_rare(self) -> bool:
        return bool(self.rare.any())


def pays_of(seats: int, groups: tuple[FactGroup, ...], lines: tuple[LineOf, ...]) -> Pays:
    sizes, offsets = [group.size for group in groups], offsets_of(groups)
    nets, rare = np.zeros((seats, sum(sizes)), np.int64), np.zeros((seats, sum(sizes)), np.uint8)
    first = np.zeros_like(nets)
    for line in lines:
        part = slice(offsets[line.group], offsets[line.group] + sizes[line.group])
        nets[line.holder, part] += line.cents
        rare[line.holder, part] |= line.shares.astype(np.uint8)
        if line.seat == 0:
            first[line.holder, part] += line.cents
    # Lines of one row that hang on the same code are one here.
    names = list(dict.fromkeys(line.row for line in lines))
    together: dict[tuple[int, int, int], Ints] = {}
    for line in lines:
        at = names.index(line.row), line.holder, line.group
        together[at] = together[at] + line.cents if at in together else line.cents
    wagers, holders, decided_by = np.array(list(together), np.int64).T.copy()
    tables = list(together.values())
    starts = np.cumsum([0, *map(len, tables)])[:-1].astype(np.int64)
    return Pays(nets, first, rare, holders, decided_by, starts, wagers, np.concatenate(tables))
