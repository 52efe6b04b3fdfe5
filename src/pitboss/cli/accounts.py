"""Accounts from the machine that holds the ledger: for a second founder, and for when nobody is left who can log in.

A person with access to the ledger's own file needs no consent, and the record names the software as the actor.
Everything else about accounts is done on the accounts page or over HTTP, under the rules for two people.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pitboss.cli.pit import Db, ledger

if TYPE_CHECKING:
    from pitboss.ledger.people import People

account_app = typer.Typer(
    help="Accounts, at the ledger itself: list, add, reset. Stop the server first.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
Id = Annotated[str, typer.Argument(metavar="ID", help="2 to 40 lower-case letters, digits or hyphens.")]
PasswordFile = Annotated[
    Path,
    typer.Option(
        "--password-file", metavar="FILE", help="Where the first password is written, readable by its owner only."
    ),
]


def register(app: typer.Typer) -> None:
    app.add_typer(account_app, name="account")


@account_app.command("list")
def list_accounts(db: Db = None) -> None:
    """Every account with its job function and who made it."""
    with _people(db) as people:
        for each in people.everyone():
            state = " (disabled)" if each.disabled else ""
            typer.echo(f"{each.person.id:<20} {each.person.role:<14} made by {each.made_by or '?'}{state}")


@account_app.command("add")
def add(
    id: Id,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The person's name.")],
    role: Annotated[str, typer.Argument(metavar="ROLE", help="The job function, such as auditor.")],
    password_file: PasswordFile,
    db: Db = None,
) -> None:
    """A new account that no administrator made; its password must be changed at the first log-in."""
    from pitboss.findings import FindingsError, UnreadableError
    from pitboss.ledger.passwords import one_time, write_for_owner
    from pitboss.table.roles import Role

    known = {str(each): each for each in Role}
    if role not in known:
        raise UnreadableError(f"There is no job function {role!r}; there are {', '.join(known)}.")
    password = one_time()
    with _people(db) as people:
        write_for_owner(password_file, password)
        try:
            people.create(id, name, known[role], password, None, must_change=True)
        except FindingsError:
            password_file.unlink(missing_ok=True)
            raise
        typer.echo(f"{id} was created; the password is in {password_file}.")


@account_app.command("reset")
def reset(id: Id, password_file: PasswordFile, db: Db = None) -> None:
    """A password for one log-in, for an account that nobody else can reset."""
    from pitboss.ledger.passwords import write_for_owner

    with _people(db) as people:
        write_for_owner(password_file, people.reset_password(id, None))
        typer.echo(f"The password of {id} for one log-in is in {password_file}.")


@contextmanager
def _people(db: str | None) -> Iterator["People"]:
    with ledger(db, begin=True) as store:
        from pitboss.ledger.people import People

        yield People(store)
