"""The passes of the exchange counter on a graphics card, if CuPy is installed: the same integers, in a minute or two.

One block of threads takes one final hand. Values of the dealer's fours and their sums over threes lie in the block's
own memory; the discards are enumerated with the highest one or two of them fixed, neighbouring threads taking
neighbouring pairs of the lowest, so that everything is read in a row.
"""

from collections.abc import Mapping
from math import comb
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from pitboss.exact.redraw import Facing

THREADS = 1024
HAND, HIDDEN, ENDS = 5, 4, 5
SOURCE = Path(__file__).with_name("redraw.cu")


class Graphics:
    """The passes on a CUDA device."""

    def __init__(self) -> None:
        import cupy  # type: ignore[import-not-found]

        self.cupy = cupy
        self.module = cupy.RawModule(code=SOURCE.read_text(encoding="utf-8"), options=("-std=c++17",))
        self.blocks = int(cupy.cuda.Device().attributes["MultiProcessorCount"])
        for name, size in (("c4", 4), ("c5", 5)):
            pointer = self.module.get_global(name)
            cupy.ndarray(64, cupy.int32, pointer)[:] = cupy.array([comb(x, size) for x in range(64)], cupy.int32)

    def _given(self, facing: "Facing") -> tuple[Any, ...]:
        """What every pass over one up card reads."""
        put, m = self.cupy.asarray, facing.n - HAND
        assert int(np.ptp(facing.values, axis=1).max()) < 256, "a gain fits a byte"
        pairs = np.array([a | b << 8 for b in range(m) for a in range(b)], np.uint16)
        units = [c | place << 8 for c in range(2, m) for place in range((c * (c - 1) // 2 + 31) // 32)]
        ends = np.zeros(m + 1, np.int32)
        for d in range(m + 1):
            ends[d] = sum((c * (c - 1) // 2 + 31) // 32 for c in range(2, d))
        return (
            put(facing.ranks),
            put(facing.hands),
            put(facing.weights.astype(np.int32)),
            put(facing.own.astype(np.int32)),
            put(facing.values.astype(np.int32)),
            put(pairs),
            put(np.array(units, np.int32)),
            put(ends),
        )

    def best(
        self, facing: "Facing", stay: npt.NDArray[np.int64], factors: Mapping[int, int]
    ) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]:
        cupy, n, m, rows = self.cupy, facing.n, facing.n - HAND, len(facing.hands)
        given = self._given(facing)
        totals = {
            count: cupy.zeros(comb(n, HAND - count) * comb(n, count), cupy.uint64) for count in range(2, HAND + 1)
        }
        two = cupy.empty(self.blocks * comb(m, 2), cupy.int32)
        kernel = self.module.get_function("spread")
        memory = (comb(m, 4) + 7) // 8 * 8 + 4 * comb(m, 3) + 4 * comb(m, 2) + 2 * comb(m, 2) + 2 + m
        kernel.max_dynamic_shared_size_bytes = memory
        wanted = sum(1 << count for count in factors)
        asked = (
            np.int32(n),
            np.int32(rows),
            np.int32(0),
            np.int32(facing.least),
            *given,
            two,
            np.int32(wanted),
            *totals.values(),
        )
        kernel((self.blocks,), (THREADS,), asked, shared_mem=memory)
        picked, best, names = cupy.zeros(rows, cupy.uint8), cupy.asarray(stay), cupy.asarray(facing.names)
        chooser = self.module.get_function("choose")
        for count, factor in factors.items():
            wide = np.uint64(comb(n, count))
            asked = (
                np.int32(n),
                np.int32(rows),
                given[1],
                names,
                np.int32(count),
                totals[count],
                wide,
                np.int64(factor),
                picked,
                best,
            )
            chooser(((rows + 127) // 128,), (128,), asked)
        return cupy.asnumpy(picked), cupy.asnumpy(best)

    def tally(
        self, facing: "Facing", picked: npt.NDArray[np.uint8], counts: list[int], then: npt.NDArray[np.uint8]
    ) -> dict[int, npt.NDArray[np.int64]]:
        cupy, n, m, rows = self.cupy, facing.n, facing.n - HAND, len(facing.hands)
        given, names, masks = self._given(facing), cupy.asarray(facing.names), cupy.asarray(picked)
        scratch = cupy.empty(self.blocks * (comb(m, 3) + comb(m, 2) + m + 1), cupy.int64)
        marker, kernel = self.module.get_function("mark"), self.module.get_function("tally")
        memory = comb(m, 4) + m
        kernel.max_dynamic_shared_size_bytes = memory
        found = {}
        for count in counts:
            wide = np.uint64(comb(n, count))
            chosen = cupy.zeros(comb(n, HAND - count) * comb(n, count), cupy.uint8)
            asked = (np.int32(n), np.int32(rows), given[1], given[2], names, np.int32(count), masks, chosen, wide)
            marker(((rows + 127) // 128,), (128,), asked)
            out = cupy.zeros((rows, ENDS), cupy.uint64)
            asked = (
                np.int32(n),
                np.int32(rows),
                np.int32(0),
                np.int32(facing.least),
                *given,
                scratch,
                np.int32(count),
                chosen,
                wide,
                cupy.asarray(then),
                np.int32(facing.up),
                out,
            )
            kernel((self.blocks,), (THREADS,), asked, shared_mem=memory)
            found[count] = cupy.asnumpy(out).astype(np.int64)
        return found
