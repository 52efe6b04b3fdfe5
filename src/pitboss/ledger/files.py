"""Files and folders of a ledger: only their owner may read them, whatever the umask."""

import os
import stat
from pathlib import Path

from pitboss.ledger.errors import LedgerError

OTHERS = 0o077


def data_folder() -> Path:
    """Where the ledger lies if no address is given; its anchor lies elsewhere."""
    base = os.environ.get("XDG_DATA_HOME")
    return (Path(base) if base else Path.home() / ".local" / "share") / "pitboss"


def default_url(data: Path | None = None) -> str:
    return f"sqlite:///{(data or data_folder()).absolute() / 'pitboss.db'}"


def private_folder(path: Path) -> None:
    """Make a folder and those above it that are missing; one that is there stays as it is."""
    missing = [each for each in (path, *path.parents) if not each.exists()]
    for each in reversed(missing):
        try:
            each.mkdir(0o700)
            each.chmod(0o700)
        except FileExistsError:
            pass  # somebody else has made it meanwhile
        except OSError as error:
            raise LedgerError(f"the folder {each} cannot be made ({error.strerror})") from None


def private_file(path: Path, flags: int = os.O_RDWR) -> int:
    """Open a file, made if it is not there; one that others may read is closed to them, or refused."""
    file = os.open(path, flags | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        _close_to_others(file, path)
    except BaseException:
        os.close(file)
        raise
    return file


def close_to_others(*paths: Path) -> None:
    """The same for files that are there already; those that are not do not matter."""
    for path in paths:
        try:
            if stat.S_ISREG(path.stat().st_mode):
                _close_to_others(path, path)
        except FileNotFoundError:
            pass
        except OSError as error:
            raise LedgerError(f"{path} cannot be read ({error.strerror})") from None


def _close_to_others(target: int | Path, path: Path) -> None:
    mode = stat.S_IMODE(os.stat(target).st_mode)
    if mode & OTHERS or mode & 0o600 != 0o600:
        try:
            os.chmod(target, 0o600)
        except OSError:
            raise LedgerError(
                f"{path} is open to others (mode {mode:o}) and not ours to close; its owner can: chmod 600 {path}"
            ) from None
