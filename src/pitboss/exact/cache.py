"""Solved counts kept on disk, memory-mapped, under a name made of everything they depend on.

A result is written to a folder of its own and moved into place when it is complete, so an interrupted run leaves
nothing that could be mistaken for a result. A changed line of the counting code changes the name.
"""

import fcntl
import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

Arrays = Mapping[str, npt.NDArray[Any]]
COUNTING_CODE = (
    "cards.py",
    "hands/orders.py",
    "hands/batch.py",
    "exact/decks.py",
    "exact/sweep.py",
    "exact/duel.py",
)
"""What the counts depend on besides the structure of the game."""


def cache_folder() -> Path:
    """``PITBOSS_CACHE``, or the user's cache folder."""
    if given := os.environ.get("PITBOSS_CACHE"):
        return Path(given)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "pitboss"


def fingerprint(structure: object, code: Iterable[str] = COUNTING_CODE) -> str:
    """A name for a result: a hash of the structure it belongs to and of the code that computes it."""
    digest = hashlib.sha256(repr(structure).encode())
    for name in code:
        digest.update(files("pitboss").joinpath(*name.split("/")).read_bytes())
    return digest.hexdigest()[:24]


def forget_stale(compiled: Any, *code: str) -> None:
    """Throw away what Numba has cached of a module whose compiled functions call some of other files, if those changed.

    Numba asks only whether the file of a function is the one that it compiled. ``compiled`` is any of the functions.
    """
    home, module = compiled.stats.cache_path, compiled.py_func.__module__.rpartition(".")[2]
    if home is None:
        return
    made_of, now = Path(home) / f"{module}.made-of", fingerprint("", code)
    try:
        if not made_of.exists() or made_of.read_text(encoding="utf-8") != now:
            for index in made_of.parent.glob(f"{module}.*.nbi"):
                index.unlink(missing_ok=True)
            made_of.write_text(now, encoding="utf-8")
    except OSError:
        return


def load(name: str, key: str) -> tuple[Arrays, dict[str, Any]] | None:
    """The arrays and figures of a kept result, mapped into memory; nothing if there is none or it is damaged."""
    folder = cache_folder() / f"{name}-{key}"
    try:
        about = json.loads((folder / "about.json").read_text(encoding="utf-8"))
        arrays = {part: np.load(folder / f"{part}.npy", mmap_mode="r") for part in about["arrays"]}
        if any(list(arrays[part].shape) != shape for part, shape in about["arrays"].items()):
            return None
    except (OSError, ValueError, KeyError):
        return None
    return arrays, about["figures"]


def keep(name: str, key: str, arrays: Arrays, figures: Mapping[str, Any]) -> None:
    """Put a result into the cache; a disk that is full or not writable is no reason to lose the result itself."""
    root = cache_folder()
    try:
        root.mkdir(parents=True, exist_ok=True)
        unfinished = Path(tempfile.mkdtemp(prefix=".unfinished-", dir=root))
    except OSError:
        return
    try:
        for part, array in arrays.items():
            np.save(unfinished / f"{part}.npy", array)
        about = {"arrays": {part: list(array.shape) for part, array in arrays.items()}, "figures": dict(figures)}
        (unfinished / "about.json").write_text(json.dumps(about), encoding="utf-8")
        target = root / f"{name}-{key}"
        if target.exists():
            shutil.rmtree(target, ignore_errors=True)
        unfinished.rename(target)
    except OSError:
        pass
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


def kept_figures(name: str, key: str, make: Callable[[], Mapping[str, Any]]) -> dict[str, Any]:
    """Figures without arrays, kept in the same way."""
    return kept(name, key, lambda: ({}, make()))[1]


def kept(name: str, key: str, make: Callable[[], tuple[Arrays, Mapping[str, Any]]]) -> tuple[Arrays, dict[str, Any]]:
    """The kept result, or a new one that is then kept; while one program makes it others wait for it."""
    found = load(name, key)
    if found is not None:
        return found
    with _alone(name, key):
        if (found := load(name, key)) is not None:
            return found
        arrays, figures = make()
        keep(name, key, arrays, figures)
    return load(name, key) or (arrays, dict(figures))  # mapped pages can be given back


@contextmanager
def _alone(name: str, key: str) -> Iterator[None]:
    """Hold the lock of a result; where there can be none, two programs may do the same work."""
    with ExitStack() as open_files:
        try:
            cache_folder().mkdir(parents=True, exist_ok=True)
            held = open_files.enter_context((cache_folder() / f".{name}-{key}.lock").open("w"))
            fcntl.flock(held, fcntl.LOCK_EX)
        except OSError:
            pass
        yield
