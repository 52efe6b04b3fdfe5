"""What the pages with a felt share: games at an address, presses by script, and acts of players."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Protocol, TypeVar

from starlette.responses import JSONResponse, Response

from pitboss.findings import Finding
from pitboss.money import Cents, show_dollars
from pitboss.table.settling import conceding
from pitboss.table.state import Table
from pitboss.web.choices import AskedSeat, Wagers, asked
from pitboss.web.live import DRAWINGS, View
from pitboss.web.practice import Games, PracticeGame, practice_key
from pitboss.web.render import template
from pitboss.web.views.base import Look, Show, Visit, page
from pitboss.web.views.moves import STALE, decision_command
from pitboss.web.visitor import house

GAMES_PLAYED: Final = Games()
WINDOW: Final = "x-window"
"""Sent with presses by script: the answer is then the regions, not a page."""
G = TypeVar("G", bound=PracticeGame)


def nothing_here(visit: Visit) -> Response:
    return page(visit, "nothing.html", "Nothing here", status=404, address=visit.path[:120])


def regions(visit: Visit, view: View, version: int, question: Mapping[str, Any] | None = None) -> Response:
    """The answer to a press by script: the regions, and what speaks against the press or is to be confirmed first."""
    said = str(template("ui.html").module.findings(visit.findings))  # type: ignore[attr-defined]
    if question:
        said += str(template("table_parts.html").module.question(question))  # type: ignore[attr-defined]
    drawn = {**DRAWINGS.of(view)}
    return JSONResponse({"mark": view.mark, "version": version, "regions": drawn, "said": said})


# Games in memory


def _named(visit: Visit) -> tuple[str, str]:
    """The game and the token of an address."""
    params = visit.request.path_params
    return str(params["game"]), str(params["token"])


def _key() -> bytes:
    return practice_key(house().pit.store.anchor.path.parent)


def with_game(kind: type[G], answer: Callable[[Visit, G], Response]) -> Show:
    """Answer with the game at the address, which begins if it isn't in memory."""

    def answered(visit: Visit) -> Response:
        try:
            game = GAMES_PLAYED.at(kind, *_named(visit), _key)
        except LookupError:
            return nothing_here(visit)
        return answer(visit, game)

    return answered


def look_if_there(kind: type[G], look: Callable[[Visit, G], View]) -> Look:
    """A game that is no longer in memory has nothing new for its windows: their next press brings it back."""

    def looked(visit: Visit) -> View:
        name, token = _named(visit)
        game = GAMES_PLAYED.find(kind, name, token)
        return look(visit, game) if game else View("nothing.html", (), f"practice {token}", None, None, dict)

    return looked


# Acts of players


class Player(Protocol):
    """Who acts at a table, for some of its seats."""

    @property
    def table(self) -> Table: ...

    def act(self, **body: Any) -> tuple[Finding, ...]: ...


def put(player: Player, wagers: Wagers) -> tuple[Finding, ...]:
    """Put chips on spots until these wagers lie there."""
    for seat, made in wagers.items():
        for wager, amount in made.items():
            if player.table.staged.get(seat, {}).get(wager) != amount and (
                findings := player.act(command="wager", seat=seat, wager=wager, amount=amount)
            ):
                return findings
    return ()


def take_back(player: Player, seats: Sequence[int]) -> tuple[Finding, ...]:
    for seat in seats:
        for wager in reversed(list(player.table.staged.get(seat, {}))):
            if findings := player.act(command="withdraw", seat=seat, wager=wager):
                return findings
    return ()


def asked_of(table: Table, seats: Sequence[int]) -> list[AskedSeat]:
    """The decisions that the table waits for at these seats."""
    return [each for each in asked(table) if each.seat.number in seats]


def decide(player: Player, visit: Visit, done: Mapping[str, Any], waits: AskedSeat | None) -> tuple[Finding, ...]:
    return (STALE,) if waits is None else player.act(**decision_command(visit, done, waits))


def declare(player: Player, waits: AskedSeat | None) -> tuple[Finding, ...]:
    return (STALE,) if waits is None else player.act(command="declare", seat=waits.seat.number)


def concede(player: Player, seats: Sequence[int]) -> tuple[Finding, ...]:
    seat = conceding(player.table)
    return player.act(command="concede", seat=seat) if seat in seats else (STALE,)


def result_words(net: Cents) -> str:
    """What a round came to, to the player.

    >>> result_words(-500), result_words(0)
    ('You lose $5', 'You are even')
    """
    return "You are even" if not net else f"You {'win' if net > 0 else 'lose'} {show_dollars(abs(net))}"
