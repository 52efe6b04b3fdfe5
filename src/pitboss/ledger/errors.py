"""What can go wrong with the ledger, as sentences; a driver's exception never leaves this package."""

from sqlalchemy import exc

from pitboss.findings import PitbossError


class LedgerError(PitbossError, ValueError):
    """The ledger refuses or cannot do what was asked; nothing of it was stored."""


class UnreachableError(LedgerError):
    """The database does not answer."""


class UnknownOutcomeError(UnreachableError):
    """The connection broke during the commit: stored or not stored, asking again under the same key tells."""


class DiskFullError(LedgerError):
    """There is no room left."""


class BusyError(LedgerError):
    """Somebody else held the ledger for too long."""


class DamagedError(LedgerError):
    """The file is not, or no longer, a readable database."""


class AnchorError(LedgerError):
    """The anchor is missing, replaced or not where the ledger is, and nobody has acknowledged that."""


class OverdrawnError(LedgerError):
    """Events that would leave an account below zero, or chips on a layout after the round."""


class TakenError(LedgerError):
    """The request key was used before."""


SQLITE = {
    5: (BusyError, "another process is writing to the ledger and did not finish in time; try again"),
    6: (BusyError, "another connection is writing to the ledger and did not finish in time; try again"),
    8: (LedgerError, "the ledger's file is read-only, so nothing can be recorded"),
    10: (DiskFullError, "the disk refused to read or write the ledger's file; nothing was recorded"),
    11: (DamagedError, "the ledger's file is damaged; restore a backup and compare it with the anchor"),
    13: (DiskFullError, "the disk is full; nothing was recorded, and play can go on when there is space again"),
    14: (UnreachableError, "the ledger's file cannot be opened; does its folder exist, and may it be written?"),
    26: (DamagedError, "the file is not a SQLite database"),
}
POSTGRES = {
    "53100": (DiskFullError, "the disk of the database server is full; nothing was recorded"),
    "53200": (BusyError, "the database server is out of memory; nothing was recorded"),
    "53300": (BusyError, "the database server takes no more connections; try again"),
    "55P03": (BusyError, "another process holds the ledger and did not finish in time; try again"),
    "40P01": (BusyError, "the database stopped two writers that waited for each other; try again"),
    "40001": (BusyError, "the database could not put two transactions in order; try again"),
    "57014": (BusyError, "the database took too long and the statement was stopped; nothing was recorded"),
}
GONE = ("08", "57P")
"""PostgreSQL's classes for a lost connection and for a server that is shutting down."""
LOST = frozenset({"OperationalError", "InterfaceError"})
"""A driver's own exceptions for a connection that is lost or was never made; they carry no code."""


def sentence_of(error: BaseException) -> LedgerError:
    """The refusal that an error of SQLAlchemy or of a driver stands for."""
    if isinstance(error, exc.TimeoutError):
        return BusyError("all connections to the ledger are in use; try again")
    cause = getattr(error, "orig", None) or error
    text = " ".join(str(cause).split())
    code = getattr(cause, "sqlite_errorcode", None)
    state = getattr(cause, "sqlstate", None)
    if code is not None:
        kind, sentence = SQLITE.get(code & 0xFF, (LedgerError, "the ledger refused"))
        return kind(f"{sentence} ({text})")
    if state is not None and not state.startswith(GONE):
        kind, sentence = POSTGRES.get(state, (LedgerError, "the ledger refused"))
        return kind(f"{sentence} ({text})")
    if state is not None or any(kind.__name__ in LOST for kind in type(cause).__mro__):
        return UnreachableError(f"the database does not answer ({text})")
    return LedgerError(f"the ledger refused ({text})")
