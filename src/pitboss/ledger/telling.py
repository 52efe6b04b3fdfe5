"""A one-sentence description of each event, for the audit log."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from string import Formatter
from typing import Any, Final

from pitboss.cards import Card, show_card
from pitboss.data import data_rows
from pitboss.games.chance import WORDS
from pitboss.games.registry import GAMES
from pitboss.games.round import LAST
from pitboss.law.model import SINGLE
from pitboss.ledger.consent import BOUNDS, CONFIRM, Proposal
from pitboss.money import show_dollars, show_signed
from pitboss.names import several, shown
from pitboss.table.chips import recorded_handover
from pitboss.table.discretion import HIDDEN, face_down
from pitboss.table.events import Happening
from pitboss.table.state import DICE, PHYSICAL

Data = Mapping[str, Any]


def tell(event: Happening) -> str:
    """What happened, as a sentence; a kind or a form that this version does not know is shown by its name.

    >>> from pitboss.table.events import Event
    >>> tell(Event("wager.placed", {"seat": 1, "player": "p1", "wager": "side_wager", "amount": 1000}))
    'p1 put $10 on Side Wager at seat 1.'
    """
    sentence = SENTENCES.get(event.kind)
    try:
        return sentence(_with_moves(event)) if sentence is not None else f"{event.kind}."
    except (KeyError, TypeError, ValueError, AttributeError):
        return f"{event.kind}, in a form that this version does not know."


def _with_moves(event: Happening) -> Data:
    """The data of an event; of a settled line also the chips that moved."""
    if event.kind != "line.settled" or (not event.entries and event.data["net"] > 0):
        return event.data
    return {**event.data, "moves": recorded_handover(event)}


def meter_words(meter: str) -> str:
    """A table's own meter by its wager and its table, a linked one by its name.

    >>> meter_words("t-1-grand_meter"), meter_words("wide-area")
    ('Grand Meter of t-1', 'wide-area')
    """
    table, _, name = meter.rpartition("-")
    return f"{shown(name)} of {table}" if table and "_" in name else meter


def account_words(account: str) -> str:
    """An account of a meter: the meter, and the tier where it has several.

    >>> account_words("meter:t-1-grand_meter:meter"), account_words("meter:wide-area:major")
    ('Grand Meter of t-1', 'wide-area, major')
    """
    meter, _, tier = account.removeprefix("meter:").rpartition(":")
    return meter_words(meter) + (f", {tier}" if tier != "meter" else "")


def _game(name: str) -> str:
    return GAMES[name].chapter.title if name in GAMES else name


def in_words(words: str) -> str:
    return words.replace("_", " ").replace("-", " ")


def _act(command: str) -> str:
    """A command or a permission in words: ``table.open_table`` is "Open table"."""
    return in_words(command.rpartition(".")[2]).capitalize()


def _listed(words: Any) -> str:
    return ", ".join(map(str, words)) or "none"


REASONS: Mapping[str, str] = {"due": "replacement due"}
"""Reasons that a command gives by itself, in words."""


def _why(data: Data) -> str:
    reason = data.get("reason")
    return f": {REASONS.get(reason, reason)}" if reason else ""


def _opened(d: Data) -> str:
    to = next((step.to for deal in GAMES[d["game"]].chapter.deals for step in deal.steps if step.dice), "")
    what = WORDS[to].things if to else "cards"
    cards = f"a virtual {what}" if to == "wheel" else "virtual dice" if to else "a virtual deck"
    if d["source"] != "virtual":
        cards = f"{what} keyed in by the dealer{' when turned up' if d['source'] == PHYSICAL else ''}"
    how = f"with {cards} ({in_words(d['dealing'])})" if to else f"dealt by {in_words(d['dealing'])} with {cards}"
    shuffled = "" if to else f", shuffled by {d['shuffling']}"
    return (
        f"The table was opened for {_game(d['game'])} under the law of {d['as_of']}, {how}{shuffled}, with "
        f"{show_dollars(d['fill'])} in chips."
    )


def _shuffled(d: Data) -> str:
    sealed = f"; its order is sealed as {d['commitment']}" if d["commitment"] else ""
    how = "came preshuffled" if d["method"] == "preshuffled" else f"was shuffled by {d['method']}"
    return f"The {d['deck']} deck {how}{sealed}."


def _dealt(d: Data) -> str:
    hands: dict[str, list[str]] = {}
    for card, to, up in d["cards"]:
        hands.setdefault(in_words(to), []).append(f"{card}{' face up' if up else ''}")
    return "Dealt: " + "; ".join(f"{to} {_faces(cards)}" for to, cards in hands.items()) + "."


def _faces(cards: list[str]) -> str:
    """Cards of one place; where none is known, how many lie face down."""
    return f"{len(cards)} face down" if face_down(cards) else ", ".join(cards)


def _ruled(d: Data) -> str:
    back = "lets it stand" if d["stands"] else f"cuts it and returns {show_dollars(d['returned'])}"
    choice = f"the choice of seat {d['seat']} ({d['player']}) at {shown(d['step'])}, which the hand didn't allow"
    return f"A floorperson ruled on {choice}, and {back}: {d['why']}."


def _corrected(d: Data) -> str:
    why = f" A floorperson: {d['why']}." if d.get("why") else ""
    return f"Corrected at {in_words(d['to'])}: {d['right']}, keyed in as {d['wrong']} before.{why}"


def _thrown(d: Data) -> str:
    shows = WORDS[d.get("in", "shaker")].shows
    return f"T{shows[1:]} {_listed(d['dice'])}{': no spin' * d.get('void', False)}."


def _cards(cards: list[int | str]) -> str:
    """Cards of a decision; while they lie face down for the viewer, they come as marks already."""
    return " ".join(card if isinstance(card, str) else show_card(Card(card)) for card in cards)


def _decided(d: Data) -> str:
    made = d["decision"]
    put = sum(d["later"].values()) if d.get("later") else d.get("price", 0)
    cost = f" for {show_dollars(put)}" if put else ""
    gone = f", discarding {_cards(made['discard'])}" if made["discard"] else ""
    gone += f", discarding {several(made['unseen'], 'card')}" if made.get("unseen") else ""
    choice = in_words(made.get("then") or made["choice"])
    back = f", taking back {show_dollars(sum(d['back'].values()))}" if d.get("back") else ""
    return f"Seat {d['seat']} ({d['player']}) decided to {choice}{cost}{back}{gone}."


def _settled(d: Data) -> str:
    odds = f" at {d['odds']}" if d.get("odds") else ""
    holder = f" for the hand of seat {d['holder']}" if d.get("holder") is not None else ""
    moves = f": {d['moves'].outcome(d['result'])}" if "moves" in d else ""
    return (
        f"Seat {d['seat']}: {shown(d['wager'])} of {show_dollars(d['stake'])}{holder}, {d['result']}{odds}{moves}. "
        f"Net {show_signed(d['net'])}. {d['why']}"
    )


def _seats(numbers: list[int]) -> str:
    return f"seat{'s' if len(numbers) > 1 else ''} {_listed(numbers)}"


def _paid(d: Data) -> str:
    again = " and started again" if d["reseeded"] else ""
    return f"The meter {meter_words(d['meter'])} paid {show_dollars(d['amount'])} at {_seats(d['winners'])}{again}."


def _selected(d: Data) -> str:
    parts = []
    if d["magic_card"]:
        parts.append(f"the Magic Card {d['magic_card']}")
    if d["lucky_position"]:
        parts.append(f"the Lucky Bonus position {d['lucky_position']}")
    return f"The system selected {' and '.join(parts) or 'nothing'}."


def _device(d: Data) -> str:
    return DICE if d["deck"] == DICE else f"{d['deck']} deck"


def _revealed_deck(d: Data) -> str:
    cuts = f", cut at {_listed(d['cuts'])}" if d["cuts"] else ", not cut" if d["deck"] != DICE else ""
    return f"The {_device(d)} of round {d['round']} was disclosed for the commitment {d['commitment']}{cuts}."


def _completed(d: Data) -> str:
    totals = ", ".join(f"seat {seat} {show_signed(net)}" for seat, net in d["totals"].items())
    return f"Round {d['round']} was over: {(totals and f'net {totals}') or 'nothing was settled'}."


def _slip(d: Data) -> str:
    return f" (slip {d['slip']} of {d['day']})" if "slip" in d else ""


def _voided(d: Data) -> str:
    back = sum(sum(made.values()) for made in d["returned"].values())
    return f"Round {d['round']} was void, because {d['reason']}; {show_dollars(back)} went back to the players."


def _stub(d: Data) -> str:
    counted = f" after a count of {d['count']} cards" if d["count"] is not None else ""
    return f"The stub went to the discard rack{counted}."


def _counted(d: Data) -> str:
    if "count" in d:
        return f"The deck was counted: {d['count']} cards."
    return "The device had counted the deck." if d["counted"] else "The deck was not counted after this round."


def _left(d: Data) -> str:
    live = f"; wagers at {_listed(d['live'])} stayed behind" if d["live"] else ""
    return f"{d['player']} left seat {_listed(d['seats'])}{live}."


def _irregular(d: Data) -> str:
    seat = f" at seat {d['seat']}" if d["seat"] else ""
    device = f" ({d['device']})" if d["device"] else ""
    note = f": {d['note']}" if d["note"] else ""
    return f"Irregularity: {d['what'].replace('-', ' ')}{seat}{device}{note}."


def _change(change: Data) -> str:
    parts = [f"{tier} to {show_dollars(amount)}" for tier, amount in change.get("amounts", {}).items()]
    parts += [f"the rate of {tier} to {rate}" for tier, rate in change.get("rate", {}).items()]
    parts += [f"the seed of {tier} to {show_dollars(amount)}" for tier, amount in change.get("seed", {}).items()]
    if change.get("transfer_to"):
        parts.append(f"everything to the meter {meter_words(change['transfer_to'])}")
    return f"{', '.join(parts) or 'nothing'} ({change.get('reason') or 'no reason given'})"


def _meter_opened(d: Data) -> str:
    s = d["settings"]
    rates = ", ".join(f"{tier} {rate}" for tier, rate in s["rate"].items())
    letter = "" if s["letter"] == SINGLE else f" {s['letter']}"
    meter = meter_words(d["meter"])
    return f"The meter {meter} was opened at its seed for pay table{letter} of {_game(s['game'])}, rate {rates}."


def _started(d: Data) -> str:
    changed = f"; accepted: {'; '.join(d['accepted'])}" if d.get("accepted") else ""
    return f"The program started, version {d.get('version', 'unknown')}{changed}."


def _jumped(d: Data) -> str:
    micro = d["microseconds"]
    against = f" against {d['against']}" if d.get("against") else ""
    return f"The clock jumped {'forward' if micro > 0 else 'back'} by {abs(micro) // 1000:,} ms{against}."


def _bounds(d: Mapping[str, Any]) -> str:
    act, inventory, wager = (show_dollars(d[name]) for name in ("act", "inventory", "wager"))
    return f"{act} in one act, {inventory} at one table and {wager} as a table limit"


def _opening_differing(at: str, wanted: Mapping[str, Any], data: Mapping[str, Any]) -> str:
    fill, differing = show_dollars(wanted.get("fill", 0)), data["differences"]
    shown = [f"{each['key']} is {each['after']}, not {each['before']}" for each in differing[:MOST_LISTED]]
    if len(differing) > MOST_LISTED:
        shown.append(f"and {len(differing) - MOST_LISTED} more")
    told = f"to open {at} with a fill of {fill} otherwise than the law's own data has it: {'; '.join(shown)}"
    return " ".join((told, *(f"({note.rstrip('.')})" for note in data.get("notes", ()))))


MOST_LISTED: Final = 6
"""Differences that a sentence lists."""


def _asked(act: str, data: Mapping[str, Any]) -> str:
    """What would happen, so that the second person knows what the consent does."""
    if act == CONFIRM:
        return f"to confirm that nobody but its holder has the account of {data['person']}; it leaves its maker's hands"
    if act == BOUNDS:
        return f"to set the bounds of the property to {_bounds(data['bounds'])}"
    if "person" in data:
        return f"to enable the account of {data['person']}"
    wanted, at, when = data["command"], data["table"], f"round {data['round']}"
    match act:
        case "table.void-revealed":
            whose = f"seat {wanted['seat']}" if wanted.get("seat") else "the dealer"
            note = f", {wanted['note']}" if wanted.get("note") else ""
            return (
                f"to void {when} at {at} although the dealer's cards are revealed; all wagers go back "
                f"({str(wanted['what']).replace('-', ' ')}, {whose}{note})"
            )
        case "table.abandon-revealed":
            return f"to take the wagers of seat {wanted['seat']}, whose player left, in {when} at {at}"
        case "table.choice-stands":
            return f"to let the wager of seat {wanted['seat']} stand in {when} at {at}, which the hand did not allow"
        case "table.limits-seated":
            limits = f"{show_dollars(wanted['minimum'])} to {show_dollars(wanted['maximum'])}"
            return f"to set the limits of {shown(wanted['wager'])} at {at} to {limits} while players are seated"
        case "table.open-differing":
            return _opening_differing(at, wanted, data)
        case _:
            fill = show_dollars(wanted.get("fill", 0))
            return f"to open {at} again on the day it was closed, with a fill of {fill}"


def _drawn(d: Data) -> str:
    cards = [card for card, _, _ in d["cards"]]
    return " ".join(cards) if HIDDEN not in cards else f"{several(len(cards), 'card')}, face down"


def _acknowledged(d: Data) -> str:
    note = f": {d['note']}" if d["note"] else ""
    count = len(d["incidents"])
    what = f"The incident of event {d['incidents'][0]} was" if count == 1 else f"{count} incidents were"
    return f"{what} acknowledged{note}."


_PARTS: Mapping[str, Callable[[Data], str]] = {"why": _why, "slip": _slip, "device_of": _device}
_SHOWN: Mapping[str, Callable[[Any], str]] = {
    "hand": lambda place: shown(str(place).replace(LAST, "seat")),
    "$": show_dollars, "name": shown, "list": _listed, "seats": _seats, "change": _change, "": str,
    "meter": meter_words, "words": in_words,
    "chips": partial(several, noun="progressive chip"), "wagers": partial(several, noun="progressive wager"),
}  # fmt: skip


def _exam(d: Data, done: str) -> str:
    """Exams of version 0.1 have a seed in place of attempts."""
    counted = f"seed {d['seed']}" if "seed" in d else several(d["attempts"], "attempt")
    if "attempt" in d:
        counted = f"attempt {d['attempt']} of {d['attempts']}"
    return f"The exam {d['title']} was {done}: {d['questions']} questions in {d['minutes']} minutes, {counted}."


class _Sentences(Formatter):
    """Fills in a sentence of ``sentences.tsv``: ``{amount:$}`` is shown in dollars, ``{why}`` may be nothing."""

    def get_value(self, key: int | str, args: Sequence[Any], data: Data) -> Any:  # noqa: ARG002
        part = _PARTS.get(str(key))
        return data[str(key)] if part is None else part(data)

    def format_field(self, value: Any, format_spec: str) -> str:
        return _SHOWN[format_spec](value)


SENTENCES: Mapping[str, Callable[[Data], str]] = {
    **{kind: partial(_Sentences().vformat, sentence, ()) for kind, sentence in data_rows("ledger", "sentences.tsv")},
    "incident.acknowledged": _acknowledged,
    "school.exam-set": partial(_exam, done="set"),
    "school.exam-begun": partial(_exam, done="begun"),
    "table.opened": _opened,
    "decks.received": lambda d: (
        f"Decks arrived: {_listed(d['decks'])}{', preinspected and preshuffled' if d['preinspected'] else ''}."
    ),
    "cards.shuffled": _shuffled,
    "cards.idle": lambda d: f"The table was idle; its cards lay spread face {'up' if d['face_up'] else 'down'}.",
    "seat.taken": lambda d: f"{d['player']} took {'box' if d['box'] else 'seat'} {d['seat']}.",
    "seat.left": _left,
    "wager.placed": lambda d: (
        f"{d['player']} {'keeps' if d.get('stays') else 'put'} {show_dollars(d['amount'])} on {shown(d['wager'])} "
        f"at seat {d['seat']}."
    ),
    "system.selected": _selected,
    "shaker.opened": lambda d: WORDS[d.get("in", "shaker")].opened.format(**d),
    "dice.shaken": lambda d: (
        WORDS[d.get("in", "shaker")].shaken
        + (f"; {'it is' if d.get('in') else 'they are'} sealed as {d['commitment']}" if d["commitment"] else "")
        + "."
    ),
    "dice.rolled": _thrown,
    "dice.corrected": lambda d: f"Corrected: {_thrown(d)} {_listed(d['wrong'])} was keyed in before.",
    "dice.cleared": lambda d: WORDS[d.get("in", "shaker")].cleared,
    "cards.dealt": _dealt,
    "cards.drawn": lambda d: f"Seat {d['seat']} drew {_drawn(d)}.",
    "hand.conceded": lambda d: f"Seat {d['seat']} conceded the showdown; the hand was not turned up.",
    "hand.declared": lambda d: f"Seat {d['seat']} declared a winning hand{': ' * bool(d['cards'])}{d['cards']}.",
    "stub.placed": _stub,
    "decision.made": _decided,
    "bets.closed": lambda d: (
        f"No more bets: round {d['round']} began with the {_device(d)}"
        + (f", with {show_dollars(d['antes'])} of Antes in the pot." if d.get("antes") else ".")
    ),
    "hands.shown": lambda d: "Shown: " + "; ".join(f"seat {seat} {cards}" for seat, cards in d["hands"].items()) + ".",
    "choice.ruled": _ruled,
    "card.corrected": _corrected,
    "dealer.revealed": lambda d: f"The dealer turned up {d['cards'] or 'no cards'}.",
    "line.settled": _settled,
    "meter.paid": _paid,
    "paperwork.completed": lambda d: (
        f"The jackpot documents were complete{': ' + d['document'] if d['document'] else ''}."
    ),
    "cards.collected": lambda d: (
        "Cards to the rack: "
        + "; ".join(f"{in_words(to)} {face_down(cards.split()) or cards}" for to, cards in d["rack"])
        + "."
    ),
    "deck.revealed": _revealed_deck,
    "round.completed": _completed,
    "round.voided": _voided,
    "deck.counted": _counted,
    "irregularity.reported": _irregular,
    "device.covered": lambda d: (
        f"The {d['device']}, out of order, was {'covered' if d['how'] == 'cover' else 'given a sign'}."
    ),
    "system.started": _started,
    "clock.jumped": _jumped,
    "permission.refused": lambda d: (
        f"{_act(d['command'])}{' at ' + d['table'] if d['table'] else ''} was refused: "
        "this job function isn't allowed to do it."
    ),
    "refusals.counted": lambda d: (
        f"{d['person'] or 'Somebody unknown'} was refused {d['count']} more times ({d['what']}) than were recorded."
    ),
    "anchor.acknowledged": lambda d: f"The state of the anchor was acknowledged{_why(d)}: {'; '.join(d['findings'])}.",
    "meter.opened": _meter_opened,
    "property.bounds-set": lambda d: f"On the proposal of {d['by']} the bounds of the property became {_bounds(d)}.",
    "consent.asked": lambda d: f"A second person was asked to consent: {_asked(d['act'], d)}.",
    "login.failed": lambda d: (
        f"A log-in as {d['person'] or 'an unknown id'} failed ({d['reason']}), failure {d['failures']} in a row."
    ),
    "login.locked": lambda d: f"Log-ins as {d['person'] or 'an unknown id'} wait for {d['seconds']} seconds.",
}
"""Every kind of event with its sentence; a test compares the list with what the program can record."""


def proposal_words(proposal: Proposal) -> str:
    """What somebody is asked to consent to, in a sentence."""
    if "change" in proposal.about:
        return f"For the meter {proposal.about['meter']} set {_change(proposal.about['change'])}."
    words = _asked(proposal.act, proposal.about)
    return f"{words[:1].upper()}{words[1:]}."
