"""Solved counts kept on disk, memory-mapped, under a name made of everything they depend on.

A result is written to a folder of its own and moved into place when it is complete, so an interrupted run leaves
nothing that could be mistaken for a result. A changed line of the counting code changes the name.

Every file of a result carries a checksum, compared once per process before anything is read from the file. It finds
damage and edits of the arrays or figures. It is no signature: a person who may write in the folder can also write the
checksum, as that person could change the program.
"""

import ast
import fcntl
import hashlib
import json
import os
import shutil
import tempfile
import warnings
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from pitboss.exact.packaged import Arrays as Arrays
from pitboss.exact.packaged import packaged

COUNTING_CODE = (
    "cards.py",
    "hands/orders.py",
    "hands/batch.py",
    "exact/decks.py",
    "exact/sweep.py",
    "exact/duel.py",
)
"""What the counts depend on besides the structure of the game."""
_CHUNK = 4 * 1024 * 1024
_checked: dict[tuple[int, ...], int] = {}
"""Checksums of files already read in this process, by device, inode, size and times of change."""


class DamagedCacheWarning(UserWarning):
    """A cached result was damaged or changed, and is computed again."""


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
        digest.update(_without_prose(name))
    return digest.hexdigest()[:24]


@cache
def _without_prose(name: str) -> bytes:
    """A file of the package; of a module without docstrings, comments and empty lines, which compute nothing."""
    content = files("pitboss").joinpath(*name.split("/")).read_bytes()
    if not name.endswith(".py"):
        return content
    lines: list[str] = content.decode().splitlines()
    for node in ast.walk(ast.parse(content)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            lines[node.lineno - 1 : node.end_lineno] = [""] * ((node.end_lineno or node.lineno) - node.lineno + 1)
    return "\n".join(line for line in lines if line.strip() and not line.lstrip().startswith("#")).encode()


def forget_stale(compiled: Any, *code: str) -> None:
    """Throw away what Numba has cached of a module whose compiled functions call some of other files, if those changed.

    Numba asks only whether the file of a function is the one that it compiled. ``compiled`` is any of the functions.
    """
    home, module = compiled.stats.cache_path, compiled.py_func.__module__.rpartition(".")[2]
    if home is None:
        return
    sources = (files("pitboss").joinpath(*name.split("/")).read_bytes() for name in code)
    made_of, now = Path(home) / f"{module}.made-of", hashlib.sha256(b"\0".join(sources)).hexdigest()
    try:
        if not made_of.exists() or made_of.read_text(encoding="utf-8") != now:
            for index in made_of.parent.glob(f"{module}.*.nbi"):
                index.unlink(missing_ok=True)
            made_of.write_text(now, encoding="utf-8")
    except OSError:
        return


def load(name: str, key: str) -> tuple[Arrays, dict[str, Any]] | None:
    """The arrays and figures of a result that comes with the package, or of a kept one, mapped into memory; nothing if
    there is none or it is damaged.

    Warn with ``DamagedCacheWarning`` in the latter case. A result of a version without checksums counts as none.
    """
    if (found := packaged(name, key)) is not None:
        return found
    folder = cache_folder() / f"{name}-{key}"
    try:
        text = (folder / "about.json").read_bytes()
    except OSError:
        return None
    file = "about.json"
    try:
        about = json.loads(text)
        if "sums" not in about:
            return None
        matches = about.pop("sum") == _sum_of(about)
        for file, sum_ in about["sums"].items() if matches else ():
            matches = _checksum(folder / file) == sum_
            if not matches:
                break
        if matches:
            arrays = {part: np.load(folder / f"{part}.npy", mmap_mode="r") for part in about["arrays"]}
            return arrays, dict(about["figures"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        pass
    sentence = f"The cached counts in {folder} do not match their checksum ({file}). They are computed again."
    warnings.warn(sentence, DamagedCacheWarning, stacklevel=2)
    return None


def _checksum(file: Path) -> int:
    """CRC-32 of a file. Read at 2 to 3 GB/s: a quarter of a second for the largest result."""
    status = file.stat()
    identity = (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)
    if identity not in _checked:
        sum_ = 0
        with file.open("rb") as opened:
            while chunk := opened.read(_CHUNK):
                sum_ = zlib.crc32(chunk, sum_)
        _checked[identity] = sum_
    return _checked[identity]


def _sum_of(about: Mapping[str, Any]) -> int:
    return zlib.crc32(json.dumps(about, sort_keys=True).encode())


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
        sums = {f"{part}.npy": _checksum(unfinished / f"{part}.npy") for part in arrays}
        about = {"arrays": list(arrays), "sums": sums, "figures": json.loads(json.dumps(dict(figures)))}
        (unfinished / "about.json").write_text(json.dumps({**about, "sum": _sum_of(about)}), encoding="utf-8")
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
