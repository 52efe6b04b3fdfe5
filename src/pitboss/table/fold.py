"""From events to the table: each kind of event has one function here, and none of them knows a rule.

An event that moves the table to another phase says so itself, so the fold of an old record stays what it was even
when the law or the program has changed since.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from pitboss.cards import Card, Hand, parse_card, parse_cards
from pitboss.games.betting import CONCEDE, SHOW, SHOWDOWN
from pitboss.games.course import HANDS
from pitboss.games.round import DECISION, LAST, Decision
from pitboss.games.settlement import LineResult
from pitboss.records import kept, replace
from pitboss.table.codec import decode
from pitboss.table.discretion import HIDDEN
from pitboss.table.events import Event, Happening
from pitboss.table.state import (
    CHIP_LIMIT,
    DICE,
    OPENING_STEPS,
    VIRTUAL,
    Carried,
    Dealt,
    Deck,
    LiveRound,
    Phase,
    Settled,
    Table,
    decided_before,
)

Data = Mapping[str, Any]
T = TypeVar("T")
KEYING = ("cards.dealt", "cards.drawn", "card.corrected")
THROWN = ("dice.rolled", "dice.corrected")
SETTLED_FIELDS = tuple(Settled.__dataclass_fields__)


def apply(table: Table, kind: str, data: Data) -> Table:
    """The table after one event; a kind that says nothing about the table only counts."""
    fold, before = FOLDS.get(kind), table.play
    if fold is not None:
        table = fold(table, data)
        if _keyed_before(before, table.play) and not _is_keying(table, kind, data):
            table = table.with_play(keyed=())
        if before is not None and before.called and table.play is not None and kind not in THROWN:
            table = table.with_play(called=False)
    phase = Phase(data["phase"]) if "phase" in data else table.phase
    return replace(table, phase=phase, events=table.events + 1)


def _keyed_before(before: LiveRound | None, after: LiveRound | None) -> bool:
    """Whether cards can still be corrected that were keyed in before an event which keyed in none itself."""
    if before is None or after is None or after is before:
        return False
    return bool(after.keyed) and after.keyed is before.keyed


def _is_keying(table: Table, kind: str, data: Data) -> bool:
    """Whether an event belongs to the act by which cards were keyed in; a street is turned up as it is dealt."""
    dealt_now = table.streets and kind == "cards.turned-up"
    return kind in KEYING or (dealt_now and {*parse_cards(data["cards"])} <= {*table.playing.keyed})


def apply_all(table: Table, events: Iterable[Happening]) -> Table:
    for event in events:
        table = apply(table, event.kind, event.data)
    return table


def foresee(table: Table, events: Iterable[Event], after: Table) -> None:
    """Keep the table that a command has folded to see what follows, with what was worked out of it."""
    known: list[tuple[list[Event], Table]] = kept(table, "foreseen", list)
    known[:] = [([*events], after)]


def foreseen(table: Table, events: Iterable[Event]) -> Table | None:
    """The table after these very events, where their command has foreseen it."""
    known: list[tuple[list[Event], Table]] = kept(table, "foreseen", list)
    wanted = [*map(id, events)]
    return next((after for made, after in known if [*map(id, made)] == wanted), None)


def _opened(table: Table, data: Data) -> Table:
    return replace(
        _slip(_bare(table), data),
        game=data["game"],
        submission=data["submission"],
        as_of=data["as_of"],
        zone=data.get("zone", ""),
        source=data["source"],
        streets=data.get("streets", False),
        meters=dict(data["meters"]),
        dealing=data["dealing"],
        shuffling=data["shuffling"],
        chip_limit=data.get("chip_limit", CHIP_LIMIT),
    )


def _bare(table: Table) -> Table:
    """A table with nothing on it; its rounds and the slips of its day go on being counted."""
    return Table(table.id, events=table.events, rounds=table.rounds, slip_day=table.slip_day, last_slip=table.last_slip)


def _slip(table: Table, data: Data) -> Table:
    """Slips came later than the first ledgers; an event without one uses no number."""
    return replace(table, slip_day=data["day"], last_slip=data["slip"]) if "slip" in data else table


def _received(table: Table, data: Data) -> Table:
    fresh = {name: Deck(data["at"]) for name in data["decks"]}
    return replace(table, decks=fresh, active=data["decks"][0], uncounted=0)


def _rolled(table: Table, data: Data) -> Table:
    table = table.with_play(dice=tuple(data["dice"]), called=table.source != VIRTUAL)
    return table.with_deck(DICE, shuffled="") if data.get("void") else table  # the next throw follows


def _called_again(table: Table, data: Data) -> Table:
    """What was thrown, instead of what was keyed in; a throw that counts after all is not thrown again."""
    return _rolled(table.with_deck(DICE, shuffled=table.dealing), data)


def _opening_step(table: Table, data: Data) -> Table:
    for name in data["decks"]:
        deck = table.decks[name]
        by = data.get("inspected_by", deck.inspected_by)
        table = table.with_deck(name, steps=(*deck.steps, data["step"]), inspected_by=by, shuffled="", cuts=())
    return table


def _shuffled(table: Table, data: Data) -> Table:
    if table.play is not None and table.play.dice:  # what did not count is thrown again
        table = table.with_play(dice=())
    return table.with_deck(data["deck"], shuffled=data["method"], commitment=data["commitment"], cuts=())


def _unshuffled(table: Table, data: Data) -> Table:
    return table.with_deck(data["deck"], shuffled="", commitment="", cuts=())


def _removed(table: Table, data: Data) -> Table:
    decks = _without(table.decks, data["deck"])
    return replace(table, decks=decks, active=next(iter(decks), ""))


def _idle(table: Table, _: Data) -> Table:
    for name in table.decks:
        table = table.with_deck(name, steps=OPENING_STEPS[:3], shuffled="", commitment="", cuts=())
    return table


def _sat(table: Table, data: Data) -> Table:
    homes = table.homes if data["box"] else {**table.homes, data["player"]: data["seat"]}
    return replace(table, boxes={**table.boxes, data["seat"]: data["player"]}, homes=homes)


def _left(table: Table, data: Data) -> Table:
    gone = set(data["seats"])
    boxes = {seat: player for seat, player in table.boxes.items() if seat not in gone}
    homes = {player: seat for player, seat in table.homes.items() if seat not in gone}
    table = replace(table, boxes=boxes, homes=homes)
    if data["live"] and table.play is not None:
        table = table.with_play(left=(*table.play.left, *data["live"]))
    return table


def _wagered(table: Table, data: Data) -> Table:
    seat, amount = data["seat"], data["amount"]
    staged = {**table.staged, seat: {**table.staged.get(seat, {}), data["wager"]: amount}}
    stacks = {**table.stacks, seat: amount} if data.get("stays") else table.stacks
    return replace(table, staged=staged, stacks=stacks)


def _withdrawn(table: Table, data: Data) -> Table:
    stacks = {seat: stack for seat, stack in table.stacks.items() if seat != data["seat"]}
    return replace(table, staged=_taken_off(table.staged, data), stacks=stacks)


def _taken_off(wagers: dict[int, dict[str, int]], data: Data) -> dict[int, dict[str, int]]:
    """The wagers of all seats without the one that the event names."""
    left = {**wagers, data["seat"]: _without(wagers[data["seat"]], data["wager"])}
    return {seat: made for seat, made in left.items() if made}


def _without(things: dict[str, T], name: str) -> dict[str, T]:
    return {each: thing for each, thing in things.items() if each != name}


def _no_more_bets(table: Table, data: Data) -> Table:
    number = table.rounds + 1
    wagers = {seat: dict(made) for seat, made in table.staged.items()}
    players = {seat: table.boxes[seat] for seat in table.staged}
    living = decode(dict[int, dict[str, Carried]], data.get("carried", {}))
    for seat, carried in living.items():
        wagers[seat] = {**wagers.get(seat, {}), **{wager: each.stake for wager, each in carried.items()}}
        players[seat] = next(each.player for each in carried.values())
    earlier = {seat: {wager: each.earlier for wager, each in made.items()} for seat, made in living.items()}
    chosen = {
        seat: {step: made for each in carried.values() for step, made in each.decisions.items()}
        for seat, carried in living.items()
    }
    collected, dealer = tuple(data["collected"]), data.get("dealer", "")
    play = LiveRound(
        number, wagers, players, collected, dealer=dealer, earlier=earlier, declared=() if table.physical else None,
        decisions={seat: made for seat, made in chosen.items() if made},
    )  # fmt: skip
    return replace(table, play=play, staged={}, stacks={}, rounds=number)


def _selected(table: Table, data: Data) -> Table:
    card = parse_card(data["magic_card"]) if data["magic_card"] else None
    return table.with_play(magic_card=card, lucky_position=data["lucky_position"])


def _dealt(table: Table, data: Data) -> Table:
    play = table.playing
    placed = tuple(Dealt(None if card == HIDDEN else parse_card(card), to, up) for card, to, up in data["cards"])
    cards = tuple(dealt.card for dealt in placed if dealt.card is not None)
    if "seat" in data:
        seat, step = data["seat"], data.get("step", DECISION)
        if len(cards) < len(placed):
            play = replace(play, drew={**play.drew, seat: len(placed)})
        else:
            play = play.deciding(seat, step, replace(play.decisions[seat][step], drawn=cards))
    else:
        play = replace(play, dealt=(*play.dealt, *placed))
    keyed = (*play.keyed, *cards) if table.source != "virtual" else ()
    return replace(table, play=replace(play, left_deck=(*play.left_deck, *cards), keyed=keyed, pending_card=False))


def _corrected(table: Table, data: Data) -> Table:
    """Another card where a mis-keyed one was taken down: at its place, in what a seat drew, and out of the deck."""
    play, wrong, right = table.playing, parse_card(data["wrong"]), parse_card(data["right"])

    def put(cards: Hand) -> Hand:
        return tuple(right if card == wrong else card for card in cards)

    decisions = {
        seat: {step: replace(each, drawn=put(each.drawn)) for step, each in made.items()}
        for seat, made in play.decisions.items()
    }
    dealt = tuple(replace(each, card=right) if each.card == wrong else each for each in play.dealt)
    last = {seat: put(cards) for seat, cards in play.last.items()}
    return table.with_play(
        dealt=dealt, decisions=decisions, last=last, left_deck=put(play.left_deck), keyed=put(play.keyed)
    )


def _found(table: Table, data: Data) -> Table:
    play = table.playing
    cards = parse_cards(data["cards"])
    return table.with_play(unused=(*play.unused, *cards), left_deck=(*play.left_deck, *cards))


def _counted(table: Table, data: Data) -> Table:
    return replace(table, uncounted=0 if data["counted"] else table.uncounted + 1)


def _decided(table: Table, data: Data) -> Table:
    play = table.playing
    seat, made = data["seat"], data["decision"]
    if "step" in data:
        return replace(table, play=play.deciding(seat, data["step"], decode(Decision, made)))
    by_step = {step: decode(Decision, each) for step, each in decided_before(made).items()}
    return table.with_play(decisions={**play.decisions, seat: by_step})


def faces(kind: str, data: Data) -> dict[str, Hand]:
    """The cards that an event turns face up, by place."""
    match kind:
        case "dealer.revealed":
            return {"dealer": parse_cards(data["cards"])}
        case "cards.turned-up" | "cards.shown":
            return {data["place"]: parse_cards(data["cards"])}
        case "hands.shown":
            return {f"seat {seat}": parse_cards(cards) for seat, cards in data["hands"].items()}
        case "hand.declared":
            return {f"seat {data['seat']}": parse_cards(data["cards"])}
    return {}


def _ruled(table: Table, data: Data) -> Table:
    """A floorperson lets a choice stand, or puts the most that the hand allowed in its place."""
    play, seat, step = table.playing, data["seat"], data["step"]
    if "decision" in data:
        play = play.deciding(seat, step, decode(Decision, data["decision"]))
    return replace(table, play=replace(play, ruled={**play.ruled, seat: (*play.ruled.get(seat, ()), step)}))


def _turned_up(kind: str) -> Callable[[Table, Data], Table]:
    def fold(table: Table, data: Data) -> Table:
        table = table.with_play(turned=table.playing.turned + 1)
        for seat in data["hands"] if kind == "hands.shown" and table.physical else ():
            table = replace(table, play=table.playing.deciding(int(seat), SHOWDOWN, Decision(SHOW)))
        return _uncovered(table, faces(kind, data)) if table.playing.covered else table

    return fold


def _shown(table: Table, data: Data) -> Table:
    """A hand that a turn waited for. Earlier validations are used up: the turns before it are settled."""
    table, place = table.with_play(validated=()), data["place"]
    if not place.startswith(f"{LAST} "):
        return _uncovered(table, faces("cards.shown", data))
    play, seat, cards = table.playing, int(place.removeprefix(f"{LAST} ")), parse_cards(data["cards"])
    new = tuple(card for card in cards if card not in play.left_deck)
    last = {**play.last, seat: cards}
    return table.with_play(last=last, left_deck=(*play.left_deck, *new), keyed=(*play.keyed, *new))


def _declared(table: Table, data: Data) -> Table:
    """A player says that the hand wins; one that is paid at once is turned up there and then."""
    play = table.playing
    table = table.with_play(declared=tuple(dict.fromkeys((*(play.declared or ()), data["seat"]))))
    return _uncovered(table, faces("hand.declared", data)) if data["cards"] else table


def _uncovered(table: Table, shown: Mapping[str, Hand]) -> Table:
    """Fill unknown positions with cards in the order given; a card that was known already stays where it is."""
    play = table.playing
    new: dict[str, list[Card]] = {
        to: [card for card in cards if card not in play.hand(to)] for to, cards in shown.items()
    }
    placed: list[Dealt] = []
    for dealt in play.dealt:
        waiting = new.get(dealt.to) if dealt.card is None else None
        placed.append(replace(dealt, card=waiting.pop(0)) if waiting else dealt)
    cards = tuple(after.card for before, after in zip(play.dealt, placed, strict=True) if after is not before)
    known = tuple(card for card in cards if card is not None)
    return table.with_play(dealt=tuple(placed), left_deck=(*play.left_deck, *known), keyed=(*play.keyed, *known))


def _line(table: Table, data: Data) -> Table:
    play = table.playing
    known = {name: data[name] for name in SETTLED_FIELDS if name in data}
    face_down = data.get("face_down", not play.turned and data["stage"] != HANDS)  # earlier versions did not say
    line = Settled(**known | {"result": LineResult(data["result"]), "face_down": face_down})
    paperwork = play.paperwork or data.get("paperwork", False)
    return table.with_play(lines=(*play.lines, line), paperwork=paperwork)


def _abandoned(table: Table, data: Data) -> Table:
    play = table.playing
    settled = sum(not line.abandoned for line in play.lines)
    return table.with_play(absent={**play.absent, data["seat"]: settled})


def _completed(table: Table, data: Data) -> Table:
    table = replace(table, play=None)
    if data["deck"] in table.decks:
        table = _unshuffled(table, data)
    carried = decode(dict[int, dict[str, Carried]], data["carried"]) if "carried" in data else table.carried
    return replace(table, active=data["next_deck"], carried=carried)


def _method(table: Table, data: Data) -> Table:
    return replace(table, dealing=data["dealing"], shuffling=data["shuffling"])


def _repaired(table: Table, data: Data) -> Table:
    failed = tuple(device for device in table.failed if device != data["device"])
    return replace(_method(table, data), failed=failed, covered=_without(table.covered, data["device"]))


FOLDS: Mapping[str, Callable[[Table, Data], Table]] = {
    "table.opened": _opened,
    "table.closed": lambda table, _: _bare(table),
    **dict.fromkeys(
        ("inventory.filled", "inventory.credited", "player.bought-in", "player.cashed-out", "player.repaid"), _slip
    ),
    "limits.changed": lambda table, data: replace(
        table, limits={**table.limits, data["wager"]: (data["minimum"], data["maximum"])}
    ),
    "decks.received": _received,
    "shaker.opened": lambda table, data: replace(table, decks={DICE: Deck(data["at"])}, active=DICE),
    "dice.rolled": _rolled,
    "dice.corrected": _called_again,
    **dict.fromkeys(
        ("cards.inspected", "inspection.verified", "cards.spread", "cards.viewed", "cards.washed"), _opening_step
    ),
    "cards.shuffled": _shuffled,
    "dice.shaken": _shuffled,
    "shuffle.ordered": _unshuffled,
    "shuffle.failed": _unshuffled,
    "cards.cut": lambda table, data: table.with_deck(data["deck"], cuts=(*table.decks[data["deck"]].cuts, data["at"])),
    "recut.ordered": lambda table, data: replace(table, resume=Phase(data["resume"])),
    "deck.removed": _removed,
    "cards.idle": _idle,
    "seat.taken": _sat,
    "seat.left": _left,
    "wager.placed": _wagered,
    "wager.withdrawn": _withdrawn,
    "bets.closed": _no_more_bets,
    "chips.counted": lambda table, data: table.with_play(collected=(*table.playing.collected, *data["collected"])),
    "wager.returned": lambda table, data: table.with_play(wagers=_taken_off(table.playing.wagers, data)),
    "system.selected": _selected,
    "cards.dealt": _dealt,
    "cards.drawn": _dealt,
    "card.corrected": _corrected,
    "card.found-face-up": _found,
    "card.drawn-in-error": lambda table, _: table.with_play(pending_card=True),
    "stub.placed": lambda table, data: _counted(table.with_play(stub_placed=True), data),
    "decision.made": _decided,
    "choice.ruled": _ruled,
    "decisions.locked": lambda table, data: table.with_play(locked=(*table.playing.locked, data.get("step", DECISION))),
    **{kind: _turned_up(kind) for kind in ("dealer.revealed", "cards.turned-up", "hands.shown")},
    "cards.shown": _shown,
    "hand.declared": _declared,
    "hand.conceded": lambda table, data: replace(
        table, play=table.playing.deciding(data["seat"], SHOWDOWN, Decision(CONCEDE))
    ),
    "line.settled": _line,
    "wagers.abandoned": _abandoned,
    "payout.validated": lambda table, data: table.with_play(validated=(*table.playing.validated, data["turn"])),
    "paperwork.completed": lambda table, _: table.with_play(paperwork=False),
    "round.completed": _completed,
    "round.voided": _completed,
    "deck.counted": _counted,
    "device.failed": lambda table, data: replace(table, failed=(*table.failed, data["device"])),
    "device.covered": lambda table, data: replace(table, covered={**table.covered, data["device"]: data["how"]}),
    "method.changed": _method,
    "device.repaired": _repaired,
}
"""What each kind of event does to the table."""
