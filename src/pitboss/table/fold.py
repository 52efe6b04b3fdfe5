"""From events to the table: each kind of event has one function here, and none of them knows a rule.

An event that moves the table to another phase says so itself, so the fold of an old record stays what it was even
when the law or the program has changed since.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from pitboss.cards import parse_card, parse_cards
from pitboss.games.course import HANDS
from pitboss.games.round import DECISION, Decision
from pitboss.games.settlement import LineResult
from pitboss.records import replace
from pitboss.table.codec import decode
from pitboss.table.events import Event
from pitboss.table.state import (
    CHIP_LIMIT,
    DICE,
    OPENING_STEPS,
    Dealt,
    Deck,
    LiveRound,
    Phase,
    Settled,
    Table,
    decided_before,
)

Data = Mapping[str, Any]
Fold = Callable[[Table, Data], Table]
FOLDS: dict[str, Fold] = {}
SETTLED_FIELDS = tuple(Settled.__dataclass_fields__)


def on(*kinds: str) -> Callable[[Fold], Fold]:
    def register(function: Fold) -> Fold:
        for kind in kinds:
            FOLDS[kind] = function
        return function

    return register


def apply(table: Table, kind: str, data: Data) -> Table:
    """The table after one event; a kind that says nothing about the table only counts."""
    fold = FOLDS.get(kind)
    if fold is not None:
        table = fold(table, data)
    phase = Phase(data["phase"]) if "phase" in data else table.phase
    return replace(table, phase=phase, events=table.events + 1)


def apply_all(table: Table, events: Iterable[Event]) -> Table:
    for event in events:
        table = apply(table, event.kind, event.data)
    return table


@on("table.opened")
def _opened(table: Table, data: Data) -> Table:
    return replace(
        _slip(_bare(table), data),
        game=data["game"],
        submission=data["submission"],
        as_of=data["as_of"],
        zone=data.get("zone", ""),
        source=data["source"],
        meters=dict(data["meters"]),
        dealing=data["dealing"],
        shuffling=data["shuffling"],
        chip_limit=data.get("chip_limit", CHIP_LIMIT),
    )


@on("table.closed")
def _closed(table: Table, data: Data) -> Table:  # noqa: ARG001
    return _bare(table)


def _bare(table: Table) -> Table:
    """A table with nothing on it; its rounds and the slips of its day go on being counted."""
    return Table(table.id, events=table.events, rounds=table.rounds, slip_day=table.slip_day, last_slip=table.last_slip)


@on("inventory.filled", "inventory.credited", "player.bought-in", "player.cashed-out", "player.repaid")
def _slip(table: Table, data: Data) -> Table:
    """Slips came later than the first ledgers; an event without one uses no number."""
    return replace(table, slip_day=data["day"], last_slip=data["slip"]) if "slip" in data else table


@on("limits.changed")
def _limits(table: Table, data: Data) -> Table:
    return replace(table, limits={**table.limits, data["wager"]: (data["minimum"], data["maximum"])})


@on("decks.received")
def _received(table: Table, data: Data) -> Table:
    fresh = {name: Deck(data["at"]) for name in data["decks"]}
    return replace(table, decks=fresh, active=data["decks"][0], uncounted=0)


@on("shaker.opened")
def _shaker(table: Table, data: Data) -> Table:
    return replace(table, decks={DICE: Deck(data["at"])}, active=DICE)


@on("dice.rolled")
def _rolled(table: Table, data: Data) -> Table:
    return table.with_play(dice=tuple(data["dice"]))


@on("cards.inspected", "inspection.verified", "cards.spread", "cards.viewed", "cards.washed")
def _opening_step(table: Table, data: Data) -> Table:
    for name in data["decks"]:
        deck = table.decks[name]
        by = data.get("inspected_by", deck.inspected_by)
        table = table.with_deck(name, steps=(*deck.steps, data["step"]), inspected_by=by, shuffled="", cuts=())
    return table


@on("cards.shuffled", "dice.shaken")
def _shuffled(table: Table, data: Data) -> Table:
    return table.with_deck(data["deck"], shuffled=data["method"], commitment=data["commitment"], cuts=())


@on("shuffle.ordered", "shuffle.failed")
def _unshuffled(table: Table, data: Data) -> Table:
    return table.with_deck(data["deck"], shuffled="", commitment="", cuts=())


@on("cards.cut")
def _cut(table: Table, data: Data) -> Table:
    deck = table.decks[data["deck"]]
    return table.with_deck(data["deck"], cuts=(*deck.cuts, data["at"]))


@on("recut.ordered")
def _recut(table: Table, data: Data) -> Table:
    return replace(table, resume=Phase(data["resume"]))


@on("deck.removed")
def _removed(table: Table, data: Data) -> Table:
    decks = {name: deck for name, deck in table.decks.items() if name != data["deck"]}
    return replace(table, decks=decks, active=next(iter(decks), ""))


@on("cards.idle")
def _idle(table: Table, data: Data) -> Table:  # noqa: ARG001
    for name in table.decks:
        table = table.with_deck(name, steps=OPENING_STEPS[:3], shuffled="", commitment="", cuts=())
    return table


@on("seat.taken")
def _sat(table: Table, data: Data) -> Table:
    homes = table.homes if data["box"] else {**table.homes, data["player"]: data["seat"]}
    return replace(table, boxes={**table.boxes, data["seat"]: data["player"]}, homes=homes)


@on("seat.left")
def _left(table: Table, data: Data) -> Table:
    gone = set(data["seats"])
    boxes = {seat: player for seat, player in table.boxes.items() if seat not in gone}
    homes = {player: seat for player, seat in table.homes.items() if seat not in gone}
    table = replace(table, boxes=boxes, homes=homes)
    if data["live"] and table.play is not None:
        table = table.with_play(left=(*table.play.left, *data["live"]))
    return table


@on("wager.placed")
def _wagered(table: Table, data: Data) -> Table:
    made = {**table.staged.get(data["seat"], {}), data["wager"]: data["amount"]}
    return replace(table, staged={**table.staged, data["seat"]: made})


@on("wager.withdrawn")
def _withdrawn(table: Table, data: Data) -> Table:
    made = {name: stake for name, stake in table.staged[data["seat"]].items() if name != data["wager"]}
    staged = {**table.staged, data["seat"]: made}
    return replace(table, staged={seat: wagers for seat, wagers in staged.items() if wagers})


@on("bets.closed")
def _no_more_bets(table: Table, data: Data) -> Table:
    number = table.rounds + 1
    players = {seat: table.boxes[seat] for seat in table.staged}
    collected, dealer = tuple(data["collected"]), data.get("dealer", "")
    play = LiveRound(number, wagers=table.staged, players=players, collected=collected, dealer=dealer)
    return replace(table, play=play, staged={}, rounds=number)


@on("chips.counted")
def _chips(table: Table, data: Data) -> Table:
    return table.with_play(collected=(*table.playing.collected, *data["collected"]))


@on("wager.returned")
def _returned(table: Table, data: Data) -> Table:
    made = {name: stake for name, stake in table.playing.staked(data["seat"]).items() if name != data["wager"]}
    wagers = {**table.playing.wagers, data["seat"]: made}
    return table.with_play(wagers={seat: each for seat, each in wagers.items() if each})


@on("system.selected")
def _selected(table: Table, data: Data) -> Table:
    card = parse_card(data["magic_card"]) if data["magic_card"] else None
    return table.with_play(magic_card=card, lucky_position=data["lucky_position"])


@on("cards.dealt", "cards.drawn")
def _dealt(table: Table, data: Data) -> Table:
    play = table.playing
    placed = tuple(Dealt(parse_card(card), to, up) for card, to, up in data["cards"])
    cards = tuple(dealt.card for dealt in placed)
    if "seat" in data:
        seat, step = data["seat"], data.get("step", DECISION)
        play = play.deciding(seat, step, replace(play.decisions[seat][step], drawn=cards))
    else:
        play = replace(play, dealt=(*play.dealt, *placed))
    return replace(table, play=replace(play, left_deck=(*play.left_deck, *cards), pending_card=False))


@on("card.found-face-up")
def _found(table: Table, data: Data) -> Table:
    play = table.playing
    cards = parse_cards(data["cards"])
    return table.with_play(unused=(*play.unused, *cards), left_deck=(*play.left_deck, *cards))


@on("card.drawn-in-error")
def _in_error(table: Table, data: Data) -> Table:  # noqa: ARG001
    return table.with_play(pending_card=True)


@on("stub.placed")
def _stub(table: Table, data: Data) -> Table:
    return replace(table.with_play(stub_placed=True), uncounted=0 if data["counted"] else table.uncounted + 1)


@on("decision.made")
def _decided(table: Table, data: Data) -> Table:
    play = table.playing
    seat, made = data["seat"], data["decision"]
    if "step" in data:
        return replace(table, play=play.deciding(seat, data["step"], decode(Decision, made)))
    by_step = {step: decode(Decision, each) for step, each in decided_before(made).items()}
    return table.with_play(decisions={**play.decisions, seat: by_step})


@on("decisions.locked")
def _locked(table: Table, data: Data) -> Table:
    return table.with_play(locked=(*table.playing.locked, data.get("step", DECISION)))


@on("dealer.revealed", "cards.turned-up")
def _turned_up(table: Table, data: Data) -> Table:  # noqa: ARG001
    return table.with_play(turned=table.playing.turned + 1)


@on("line.settled")
def _line(table: Table, data: Data) -> Table:
    play = table.playing
    known = {name: data[name] for name in SETTLED_FIELDS if name in data}
    face_down = data.get("face_down", not play.turned and data["stage"] != HANDS)  # earlier versions did not say
    line = Settled(**known | {"result": LineResult(data["result"]), "face_down": face_down})
    paperwork = play.paperwork or data.get("paperwork", False)
    return table.with_play(lines=(*play.lines, line), paperwork=paperwork)


@on("wagers.abandoned")
def _abandoned(table: Table, data: Data) -> Table:
    play = table.playing
    settled = sum(not line.abandoned for line in play.lines)
    return table.with_play(absent={**play.absent, data["seat"]: settled})


@on("payout.validated")
def _validated(table: Table, data: Data) -> Table:
    return table.with_play(validated=(*table.playing.validated, data["turn"]))


@on("paperwork.completed")
def _paperwork(table: Table, data: Data) -> Table:  # noqa: ARG001
    return table.with_play(paperwork=False)


@on("round.completed", "round.voided")
def _completed(table: Table, data: Data) -> Table:
    table = replace(table, play=None)
    if data["deck"] in table.decks:
        table = table.with_deck(data["deck"], shuffled="", commitment="", cuts=())
    return replace(table, active=data["next_deck"])


@on("deck.counted")
def _deck_counted(table: Table, data: Data) -> Table:
    return replace(table, uncounted=0 if data["counted"] else table.uncounted + 1)


@on("device.failed")
def _failed(table: Table, data: Data) -> Table:
    return replace(table, failed=(*table.failed, data["device"]))


@on("device.covered")
def _covered(table: Table, data: Data) -> Table:
    return replace(table, covered={**table.covered, data["device"]: data["how"]})


@on("method.changed")
def _method(table: Table, data: Data) -> Table:
    return replace(table, dealing=data["dealing"], shuffling=data["shuffling"])


@on("device.repaired")
def _repaired(table: Table, data: Data) -> Table:
    failed = tuple(device for device in table.failed if device != data["device"])
    covered = {device: how for device, how in table.covered.items() if device != data["device"]}
    return replace(table, failed=failed, covered=covered, dealing=data["dealing"], shuffling=data["shuffling"])
