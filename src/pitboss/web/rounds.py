"""Recall of a round from its events: stakes, cards in order, decisions, every line with its paragraph, balances."""

from collections.abc import Iterable, Mapping
from typing import Any

from pitboss.cards import parse_cards
from pitboss.ledger.people import Person
from pitboss.ledger.pit import Pit, told
from pitboss.ledger.rows import shown_time
from pitboss.ledger.store import Reading, Recorded
from pitboss.meters import UNITS_PER_CENT
from pitboss.table.events import player_account
from pitboss.table.roles import Role
from pitboss.table.source import check_deal, commitment_text
from pitboss.table.state import Table
from pitboss.table.view import own_seats
from pitboss.web.models import BalanceChange, DealShown, RoundLine, RoundShown, finding_shown

FEWEST = 10
OVER = {"round.completed": "completed", "round.voided": "voided"}
CARDS = ("cards.dealt", "cards.drawn")
METERS = ("meter.incremented", "meter.paid")
ODD = (
    "irregularity.reported", "card.found-face-up", "card.drawn-in-error", "shuffle.failed", "device.failed",
    "method.changed", "deck.removed", "round.voided", "wager.returned", "wagers.abandoned", "recut.ordered",
)  # fmt: skip
"""What did not go as usual."""


class NoRoundError(LookupError):
    """A round that was not played, or whose deck is not shown; the text is a sentence."""


def rounds(pit: Pit, table_id: str, last: int) -> list[RoundLine]:
    """The last rounds, newest first; never fewer than ten, if there are."""
    table = pit.table(table_id)
    with pit.store.reading() as reading:
        first = max(1, table.rounds - max(last, FEWEST) + 1)
        found = (_line(reading, table, number) for number in range(table.rounds, first - 1, -1))
        return [line for line in found if line is not None]


def _line(reading: Reading, table: Table, number: int) -> RoundLine | None:
    kinds = ("bets.closed", *OVER)
    found = {event.kind: event for event in reading.events(table.id, round=number, kinds=kinds)}
    if "bets.closed" not in found:
        return None
    ending = next((found[kind] for kind in OVER if kind in found), None)
    return RoundLine(
        number=number,
        state=OVER[ending.kind] if ending else "in play",
        at=shown_time(found["bets.closed"].at),
        totals=dict(ending.data.get("totals", {})) if ending else {},
    )


def recalled(pit: Pit, who: Person, table_id: str, number: int) -> RoundShown:
    """One round as this person may see it; a player sees no one else's balance."""
    standing = pit.standing(table_id, who)
    live = standing.table.play.number if standing.table.play is not None else 0
    mine = own_seats(standing.table, who.id)
    with pit.store.reading() as reading:
        # What happened after the table was looked at is left out: whether it is still hidden was not asked.
        recorded = [event for event in reading.events(table_id, round=number) if event.seq <= standing.head]
        events = [told(event, mine, over=event.round != live) for event in recorded]
        stakes, players = _stakes(events)
        if not players:
            raise NoRoundError(f"Round {number} was not played at table {table_id}.")
        opened = reading.events(table_id, kinds=["table.opened"])
        opening = next((event for event in reversed(opened) if event.seq < recorded[-1].seq), None)
        shown = set(players.values()) if who.role != Role.PLAYER else {who.id} & set(players.values())
        balances = [_balance(reading, player, recorded) for player in sorted(shown)]
    return RoundShown(
        table=table_id,
        number=number,
        state=_state(events),  # type: ignore[arg-type]
        game=opening.data["game"] if opening else "",
        as_of=opening.data["as_of"] if opening else "",
        commitment=next((e["data"]["commitment"] for e in events if e["kind"] == "bets.closed"), ""),
        players={str(seat): player for seat, player in players.items()},
        stakes=stakes,
        later_stakes=_later(events),
        cards=_cards(events),
        decisions=[{"at": e["at"], **e["data"]} for e in events if e["kind"] == "decision.made"],
        lines=[{"seq": e["seq"], **e["data"]} for e in events if e["kind"] == "line.settled"],
        meters=[_plain(e) for e in events if e["kind"] in METERS],
        irregularities=[_plain(e) for e in events if e["kind"] in ODD],
        totals=next((dict(e["data"]["totals"]) for e in events if e["kind"] == "round.completed"), {}),
        balances=balances,
    )


def _state(events: Iterable[Mapping[str, Any]]) -> str:
    kinds = {event["kind"] for event in events}
    ending = next((state for kind, state in OVER.items() if kind in kinds), None)
    return ending or ("in play" if "bets.closed" in kinds else "wagering")


def _stakes(events: Iterable[Mapping[str, Any]]) -> tuple[dict[str, dict[str, int]], dict[str, str]]:
    """What lay at each seat when the cards came, and whose it was."""
    stakes: dict[str, dict[str, int]] = {}
    players: dict[str, str] = {}
    for event in events:
        data = event["data"]
        match event["kind"]:
            case "wager.placed":
                stakes.setdefault(str(data["seat"]), {})[data["wager"]] = data["amount"]
                players[str(data["seat"])] = data["player"]
            case "wager.withdrawn" | "wager.returned":
                stakes[str(data["seat"])].pop(data["wager"], None)
    kept = {seat: made for seat, made in sorted(stakes.items()) if made}
    return kept, {seat: players[seat] for seat in kept}


def _later(events: Iterable[Mapping[str, Any]]) -> dict[str, dict[str, int]]:
    made = [event["data"] for event in events if event["kind"] == "decision.made"]
    return {str(data["seat"]): dict(data["later"]) for data in made}


def _cards(events: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    return [
        {"card": card, "to": to, "face_up": up, "seq": event["seq"]}
        for event in events
        if event["kind"] in CARDS
        for card, to, up in event["data"]["cards"]
    ]


def _plain(event: Mapping[str, Any]) -> dict[str, Any]:
    return {name: event[name] for name in ("seq", "at", "kind", "actor", "role", "cites", "data")}


def _balance(reading: Reading, player: str, recorded: list[Recorded]) -> BalanceChange:
    """In whole cents, before the first event of the round and after its last."""
    account = player_account(player)
    after = reading.balance(account) - _since(reading, account, recorded[-1].seq)
    moved = sum(entry.units for event in recorded for entry in event.entries if entry.account == account)
    return BalanceChange(player=player, before=(after - moved) // UNITS_PER_CENT, after=after // UNITS_PER_CENT)


def _since(reading: Reading, account: str, seq: int) -> int:
    query = "SELECT coalesce(sum(units), 0) FROM entries WHERE account = ? AND seq > ?"
    spelled = query if reading.connection.dialect.name == "sqlite" else query.replace("?", "%s")
    return int(reading.connection.exec_driver_sql(spelled, (account, seq)).scalar_one())


def deal(pit: Pit, table_id: str, number: int) -> DealShown:
    """What was promised before the round and what was shown after it."""
    table = pit.table(table_id)
    with pit.store.reading() as reading:
        found = reading.events(table_id, round=number, kinds=["bets.closed", "deck.revealed", *OVER])
        # With two decks the next one is shuffled while the round before is played.
        shuffles = [
            e for n in (number - 1, number) for e in reading.events(table_id, round=n, kinds=["cards.shuffled"])
        ]
    published = {
        event.data["commitment"]
        for event in (*shuffles, *found)
        if "commitment" in event.data and event.kind != "deck.revealed"
    }
    kinds = {event.kind for event in found}
    revealed = next((event.data for event in found if event.kind == "deck.revealed"), None)
    if revealed is None:
        if "bets.closed" not in kinds:
            raise NoRoundError(f"Round {number} was not played at table {table_id}.")
        if kinds & OVER.keys():
            raise NoRoundError(f"The cards of round {number} were keyed in from a deck of the house; there is no seal.")
        commitment = table.deck.commitment if table.deck else ""
        raise NoRoundError(f"The deck of round {number} is shown when the round is over; its commitment: {commitment}.")
    cards, salt = parse_cards(revealed["cards"]), bytes.fromhex(revealed["salt"])
    promised = revealed["commitment"] if revealed["commitment"] in published else ""
    findings = check_deal(promised, cards, salt, revealed["cuts"], parse_cards(revealed["left_deck"]))
    return DealShown(
        table=table_id,
        round=number,
        deck=revealed["deck"],
        commitment=promised,
        cards=revealed["cards"],
        salt=revealed["salt"],
        cuts=list(revealed["cuts"]),
        left_deck=revealed["left_deck"],
        commitment_text=commitment_text(cards, salt),
        findings=[finding_shown(finding) for finding in findings],
    )
