"""Names for arrays and numbers inside compiled functions."""

from typing import Any

import numpy as np
import numpy.typing as npt

Word = Any
"""A number whose width the kernel fixes; type checkers would take loop counters for Python's own integers."""
Bytes = npt.NDArray[np.uint8]
Words = npt.NDArray[np.uint64]
Rows = npt.NDArray[np.uint16]
Entries = npt.NDArray[np.uint32]
Scores = npt.NDArray[np.int32]
Ints = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]
