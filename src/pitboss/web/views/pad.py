"""What the dealer's and the floor's console shows: pure functions from a scene to what the template draws."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import Any, Final

from pitboss.cards import DECK, Card, show_card, suit_of
from pitboss.games.chance import counted, shown_faces, spoken_of, thrown
from pitboss.games.course import HANDS, Bets, Deal, Decide, Draw, Roll, Settle, Step, TurnUp
from pitboss.games.deal import dealt_by_street
from pitboss.games.round import own_place
from pitboss.games.settlement import Line, LineResult, Turn
from pitboss.law.model import Face
from pitboss.money import Cents, show_dollars
from pitboss.names import shown
from pitboss.reports.cards import card_name
from pitboss.reports.felt import back_of, is_shared
from pitboss.reports.numbers import is_wheel
from pitboss.reports.places import held
from pitboss.reports.spots import patron_mark
from pitboss.table.chips import handover_at
from pitboss.table.dealing import TakesCards
from pitboss.table.declaring import Declare, may_be_paid_at_once, may_declare
from pitboss.table.guide import Step as NextStep
from pitboss.table.permissions import may
from pitboss.table.place import place_of
from pitboss.table.roles import SUPERVISORS, Role
from pitboss.table.ruling import game_at, rules_at
from pitboss.table.settling import Reveal, conceding
from pitboss.table.shaking import ReadDice, Shake
from pitboss.table.shuffling import Cut
from pitboss.table.state import BETWEEN_ROUNDS, VIRTUAL, Phase, Table
from pitboss.table.turning import RuleChoice
from pitboss.table.view import view
from pitboss.web.choices import AskedSeat, asked, first_chip, presses, shortages
from pitboss.web.film import EVERY_SEAT, decision_name, place
from pitboss.web.hand import hand_name
from pitboss.web.scene import Scene
from pitboss.web.views import board
from pitboss.web.views.board import CardFace
from pitboss.web.views.moves import between_of, chip_tray, decision_at, marked, value

SIGNS: Final = "♣♦♥♠"
PICKER: Final = sorted(DECK, key=lambda card: (suit_of(card), card), reverse=True)
"""Spades first, each suit from the ace down."""
TITLES: Final = {
    "count_chips": "{} chips counted",
    "stub": "Stub counted: {} cards",
    "count_deck": "Deck counted: {} cards",
}
"""Buttons of commands that say a number."""


def sign_of(card: Card) -> str:
    """A card with the sign of its suit.

    >>> sign_of(DECK[51]), sign_of(DECK[33])
    ('A♠', '10♦')
    """
    name = show_card(card)
    return name[:-1].replace("T", "10") + SIGNS[suit_of(card)]


def words(name: str) -> str:
    """A command, a field or an irregularity as a person calls it.

    >>> words("no_more_bets")
    'No more bets'
    """
    return name.replace("_", " ").replace("-", " ").capitalize()


def moment_of(table: Table) -> str:
    """The moment of a round that a press belongs to: at another one it is stale."""
    play = table.play
    parts = [table.rounds, table.phase]
    if play is not None:
        parts += [len(play.lines), play.turned, len(play.left_deck), len(play.locked)]
    return ".".join(map(str, parts)).replace(" ", "-")


# The course of the round


def course(table: Table) -> tuple[tuple[str, str], ...]:
    """All steps of a round, each ``done``, ``now`` or ``later``."""
    if table.phase in (Phase.CLOSED, Phase.OPENING, Phase.IDLE):
        return ()
    steps = game_at(table).course.flat
    now = _now(table, steps)
    found: list[tuple[str, bool]] = []
    for step in steps:
        word = _word(table, step)
        if found and found[-1][0] == word:
            found[-1] = (word, found[-1][1] or step is now)
        else:
            found.append((word, step is now))
    found.append(("Collect", table.phase in (Phase.COLLECTING, Phase.DECK_COUNT)))
    here = next((at for at, (_, is_now) in enumerate(found) if is_now), -1)
    return tuple(
        (word, "now" if is_now else "done" if at < here else "later") for at, (word, is_now) in enumerate(found)
    )


def _now(table: Table, steps: Sequence[Step]) -> Step | None:
    """The step that the table has come to."""
    if table.play is None:
        return next((step for step in steps if isinstance(step, Bets)), None)
    if table.phase == Phase.STUB and table.play.turned:  # after the last street
        return [step for step in steps if isinstance(step, TurnUp)][table.play.turned - 1]
    if table.phase in (Phase.COUNTING, Phase.DEALING, Phase.STUB):
        return next((step for step in steps if isinstance(step, Deal | Roll)), None)
    if table.phase in (Phase.SETTLING, Phase.LOCKED):
        reached = [at for at, step in enumerate(steps) if isinstance(step, TurnUp)][: table.play.turned]
        settles = [step for step in steps[max(reached, default=0) :] if isinstance(step, Settle)]
        settled = {line.stage for line in table.play.lines[:-1]}
        return next((step for step in settles if step.stage not in settled), settles[-1] if settles else None)
    return None if table.phase in (Phase.COLLECTING, Phase.DECK_COUNT) else place_of(table).step


def _word(table: Table, step: Step) -> str:
    match step:
        case Bets():
            return "Wagers"
        case Roll():
            return spoken_of(rules_at(table)).button
        case Decide():
            return "Decisions" if len(game_at(table).course.decides) == 1 else decision_name(step)
        case TurnUp():
            dealt_now = table.streets and dealt_by_street(rules_at(table), step.place)
            return f"{'Deal' if dealt_now else 'Turn up'} {_slot(step.place).lower()}"
        case Settle(stage="forfeits"):
            return "Forfeits"
    return {Deal: "Deal", Settle: "Settle", Draw: "Draw"}.get(type(step), type(step).__name__)


def _slot(to: str) -> str:
    """Where a card goes, as the pad names the place."""
    name = place(to).removeprefix("the ")
    return name[:1].upper() + name[1:]


# The next step


@dataclass(frozen=True)
class PadStep:
    """The next step, with its button where it is the viewer's."""

    kind: str
    """``press``, ``keying``, ``throw``, ``cut``, ``rule``, or ``wait`` where it is another person's."""
    say: str
    cite: str
    waits_for: str
    id: str = ""
    label: str = ""
    value: str = ""
    settles: bool = False
    above: int = 0
    """Cards above the cover card, as proposed for a cut."""
    short: tuple[str, ...] = ()


def is_mine(role: Role, step: NextStep) -> bool:
    return step.role == role or (step.role in SUPERVISORS and role in SUPERVISORS)


def step_shown(scene: Scene, role: Role) -> PadStep:
    step, table = scene.step, scene.table
    if step is None:
        return PadStep("wait", "The table is closed.", "", "")
    waits_for = "" if is_mine(role, step) else str(scene.taker)
    if step.command is None or waits_for:
        return PadStep("wait", step.say, step.cite, waits_for)
    command, name = step.command, step.command.name
    at = moment_of(table)
    press = value("step", at=at, n=table.events)
    places = command.places(table) if isinstance(command, TakesCards) else ()
    kind, label = "press", words(name)
    if isinstance(command, ReadDice) and table.source != VIRTUAL:
        kind, label = "throw", "Call it"
    elif places and table.source != VIRTUAL:
        kind, label = "keying", "Deal these" if not table.physical or name == "deal" else "Turn these up"
    elif isinstance(command, RuleChoice):
        kind = "rule"
    elif isinstance(command, Cut):
        kind = "cut"
    elif isinstance(command, Reveal) and places:
        label = "Deal"
    elif isinstance(command, Shake):
        label = spoken_of(rules_at(table)).button
    elif name in TITLES and (count := getattr(command, "count", None)) is not None:
        label = TITLES[name].format(count)
    short = shortages(table, table.staged) if name == "no_more_bets" else ()
    return PadStep(
        kind,
        step.say if name != "settle" or step.seat is None else f"Settle seat {step.seat}",
        step.cite,
        "",
        f"step-{at}-{name}".replace(".", "-").replace("_", "-"),
        label,
        press,
        name == "settle",
        command.at if isinstance(command, Cut) else 0,
        tuple(each.sentence for each in short),
    )


# What is handed over


@dataclass(frozen=True)
class PayLine:
    """A wager of a turn: what the dealer does with it, and why."""

    wager: str
    order: str
    amount: Cents
    also: str
    odds: str
    why: str
    cite: str
    chips: tuple[tuple[str, int], ...] = ()
    """The chips to hand over, each kind with its picture and how many; none where a meter pays."""


@dataclass(frozen=True)
class Payment:
    """All that moves at one seat's turn. Nothing of it is a net."""

    seat: int
    player: str
    mark: tuple[str, str]
    """The letter and the color of the patron's chips, where all bet on one layout."""
    lines: tuple[PayLine, ...]
    rack: Cents
    meter: Cents
    take: Cents
    stays: Cents

    @property
    def total(self) -> Cents:
        return self.rack + self.meter

    @property
    def done(self) -> str:
        """The button that says that it has moved."""
        parts = [f"{show_dollars(self.total)} handed over"] if self.total else []
        parts += [f"{show_dollars(self.take)} taken"] if self.take else []
        return ", ".join(parts) or "Nothing moves"


def payment(table: Table, turns: Sequence[Turn]) -> Payment:
    """What the turns of one seat move."""
    seat, lines = turns[0].seat, [line for turn in turns for line in turn.lines]
    moves = [handover_at(table, line) for line in lines]
    return Payment(
        seat,
        table.playing.players.get(seat, ""),
        patron_mark(seat) if is_shared(rules_at(table)) else ("", ""),
        tuple(_pay_line(table, line, seat) for line in lines),
        sum(each.handed_over for each, line in zip(moves, lines, strict=True) if not line.from_meter),
        sum(each.handed_over for each, line in zip(moves, lines, strict=True) if line.from_meter),
        sum(each.taken for each in moves),
        sum(each.stays for each in moves),
    )


def _pay_line(table: Table, line: Line, seat: int) -> PayLine:
    moves = handover_at(table, line)
    back = not moves.from_pot and line.result in (LineResult.PUSH, LineResult.VOID)
    orders = [
        (verb, amount)
        for verb, amount in (
            ("Give back" if back else "Pay", moves.handed_over),
            ("Take", moves.taken),
            ("Leave", moves.stays),
        )
        if amount
    ]
    (order, amount), *rest = orders or [("Nothing", 0)]
    also = [f"{verb.lower()} {show_dollars(more)}" for verb, more in rest]
    also += (
        [f"{show_dollars(moves.collected)} was collected before"] if moves.collected and not moves.handed_over else []
    )
    title = shown(line.wager) + (f" of seat {line.seat}" if line.seat != seat else "")
    chips = board.cut_out(amount) if order == "Pay" and not line.from_meter else ()
    return PayLine(title, order, amount, ", ".join(also), line.odds, line.why, line.odds_cite or line.cite, chips)


def payments(table: Table, turns: Sequence[Turn]) -> tuple[Payment, ...]:
    """One total for each player, in the order in which the seats come."""
    by_seat: dict[int, list[Turn]] = {}
    for turn in turns:
        if not turn.needs:
            by_seat.setdefault(turn.seat, []).append(turn)
    return tuple(payment(table, each) for each in by_seat.values())


@dataclass(frozen=True)
class NamedHand:
    """A hand that decides what is paid, named before anything is."""

    title: str
    cards: tuple[CardFace, ...]
    name: str


def turned_up(table: Table, turn: Turn | None, shown_now: dict[str, Any]) -> dict[str, Any]:
    """The view of the table with the hand that the dealer turns up to settle this turn."""
    if turn is None or turn.needs or table.play is None or turn.seat not in table.playing.players:
        return shown_now
    if turn.stage != HANDS and not any(line.result == LineResult.WIN for line in turn.lines):
        return shown_now  # what is forfeited stays face down
    own = table.with_play(players={**table.playing.players, turn.seat: EVERY_SEAT})
    made = view(own, EVERY_SEAT)
    made["round"]["players"] = shown_now["round"]["players"]
    return made


def hands(table: Table, seat: int, shown_now: dict[str, Any]) -> tuple[NamedHand, ...]:
    """The hand of the seat, then the dealer's, as far as they lie open."""
    back, found = back_of(shown_now), []
    own = held(shown_now, f"seat {seat}")
    if own and "??" not in own:
        made = board.made_of(table.game, shown_now, seat)
        player = table.playing.players.get(seat, "")
        title = f"Seat {seat}" + (f" · {player}" if player else "")
        found.append(NamedHand(title, board.faces(own, back, made), hand_name(table.game, shown_now, seat)))
    dealer = held(shown_now, "dealer")
    if dealer and "??" not in dealer:
        name = board.dealers_hand(table.game, shown_now)
        found.append(NamedHand("Dealer", board.faces(dealer, back), name))
    return tuple(found)


# Cards, dice and the wheel


@dataclass(frozen=True)
class Pick:
    """A card of the picker."""

    code: str
    sign: str
    name: str
    is_red: bool
    where: str = ""
    """Where it lies already; such a card can't be keyed."""


@dataclass(frozen=True)
class CardEntry:
    """Cards that are keyed in, and the press that sends them."""

    id: str
    field: str
    title: str
    slots: tuple[str, ...]
    picks: tuple[Pick, ...]
    label: str
    value: str
    concede: int = 0
    concede_value: str = ""


def picks(gone: Mapping[Card, str]) -> tuple[Pick, ...]:
    return tuple(
        Pick(show_card(card), sign_of(card), card_name(show_card(card)), suit_of(card) in (1, 2), gone.get(card, ""))
        for card in PICKER
    )


def _gone(table: Table, seen: Collection[Card]) -> dict[Card, str]:
    """Cards seen already, each with where it lies: a seat's number, D for the dealer, a dot elsewhere."""
    lies = {each.card: each.to for each in table.playing.dealt if each.card is not None}
    return {card: _short(lies.get(card, "")) for card in seen}


def _short(to: str) -> str:
    """
    >>> _short("seat 3"), _short("dealer"), _short("community"), _short("")
    ('3', 'D', 'C', '•')
    """
    name, _, number = to.rpartition(" ")
    return number if name else (number[:1].upper() or "•")


def entry(scene: Scene, step: PadStep) -> CardEntry | None:
    """What the next step asks the dealer to key in."""
    command, table = scene.step.command if scene.step else None, scene.table
    if step.kind != "keying" or not isinstance(command, TakesCards):
        return None
    slots = tuple(map(_slot, command.places(table)))
    where = slots[0] if len(set(slots)) == 1 else "All hands"
    lies = "face up" if table.physical else "as they are dealt"
    concedes = conceding(table) or 0
    return CardEntry(
        f"cards-{len(table.playing.left_deck)}",
        "cards",
        f"{where}: the cards, {lies}",
        slots,
        picks(_gone(table, command.seen(table))),
        step.label,
        step.value,
        concedes,
        value("concede", seat=concedes, at=moment_of(table)) if concedes else "",
    )


def declared_entry(table: Table, role: Role, seat: int) -> CardEntry | None:
    """The hand of a declaration that is paid at once, before others decide."""
    if not seat or table.play is None or not may(role, "table.declare") or not may_be_paid_at_once(table, seat):
        return None
    command = Declare(seat=seat)
    slots = tuple(map(_slot, (own_place("seat", seat),) * command.wanted(table)))
    title = f"Seat {seat} declared a hand that is paid at once"
    press = value("declared", seat=seat, at=moment_of(table))
    label = f"Turn up seat {seat}’s hand"
    return CardEntry(
        f"declared-{seat}", "declared", title, slots, picks(_gone(table, command.seen(table))), label, press
    )


@dataclass(frozen=True)
class Correction:
    """Cards just keyed in, each of which the dealer may still correct."""

    id: str
    cards: tuple[tuple[Pick, str], ...]
    """Each with its place in words."""
    picks: tuple[Pick, ...]


def correction(table: Table, role: Role, person: str) -> Correction | None:
    play = table.play
    if play is None or not play.keyed or play.dealer != person or not may(role, "table.correct_card"):
        return None
    lies = {each.card: each.to for each in play.dealt}
    known = {each.code: each for each in picks({})}
    cards = tuple((known[show_card(card)], place(lies[card]) if card in lies else "") for card in play.keyed)
    return Correction(f"correct-{len(play.left_deck)}", cards, picks(_gone(table, play.left_deck)))


@dataclass(frozen=True)
class ThrowPad:
    """What dice or a wheel can show; one press calls it, or corrects what was called just now."""

    is_wheel: bool
    keyed: str
    calls: tuple[tuple[str, str, str], ...]
    """What is pressed, its color and its value; dice with the lowest first."""
    id: str
    wrong: str = ""
    """What was called just now, where it can be corrected."""


def throw_pad(scene: Scene, step: PadStep, person: str) -> ThrowPad | None:
    table, rules = scene.table, scene.rules
    play = table.play
    calls = step.kind == "throw"
    wrong = (
        shown_faces(sorted(play.dice, key=str)) if play is not None and play.called and play.dealer == person else ""
    )
    if rules is None or not (calls or wrong):
        return None
    law = thrown(rules)
    assert law is not None
    wheel = is_wheel(rules)
    throws = (
        [(face,) for face in _in_order(law.faces)] if wheel else combinations_with_replacement(counted(law), law.dice)
    )
    shown_now = ((shown_faces(throw), board.color_of(throw[0]) if wheel else f"low-{throw[0]}") for throw in throws)
    body: dict[str, Any] = {"do": "step" if calls else "correct-throw", "at": moment_of(table), "n": table.events}
    marks = tuple((faces, color, value(**body, dice=faces)) for faces, color in shown_now)
    return ThrowPad(wheel, spoken_of(rules).keyed, marks, f"call-{table.events}", "" if calls else wrong)


def _in_order(faces: Collection[Face]) -> tuple[Face, ...]:
    """Zeros first, then as the numbers lie on the layout: 3, 6, 9, ... in the first row.

    >>> _in_order((0, "00", 1, 2, 3, 4, 5, 6))
    (0, '00', 3, 6, 2, 5, 1, 4)
    """
    zeros = sorted((face for face in faces if int(face) == 0), key=str)
    others = sorted((face for face in faces if int(face)), key=lambda face: (-int(face) % 3, int(face)))
    return (*zeros, *others)


# Decisions


@dataclass(frozen=True)
class ChoiceShown:
    """A decision that the dealer takes on the patron's word."""

    id: str
    label: str
    value: str
    choice: str = ""
    key: str = ""
    link: str = ""
    """What is added to the page's address, where the button leads on."""


@dataclass(frozen=True)
class More:
    """A decision that needs an amount or cards."""

    choice: ChoiceShown
    field: str
    title: str
    start: str = ""


@dataclass(frozen=True)
class AskedShown:
    seat: int
    player: str
    now: str
    title: str
    is_next: bool
    id: str
    choices: tuple[ChoiceShown, ...]
    more: tuple[More, ...]


def asking(table: Table, person: str) -> list[AskedSeat]:
    """Who is asked now, with what anybody may choose, unless the dealer has keyed the cards in."""
    keyed = table.play is not None and table.source == "keyed" and table.play.dealer == person
    return [*asked(table, blind=not keyed)]


def asked_shown(scene: Scene, role: Role, person: str) -> tuple[AskedShown, ...]:
    table = scene.table
    if scene.rules is None or not may(role, "table.decide"):
        return ()
    found = asking(table, person)
    following = next((each for each in found if not each.now), None)
    made = sum(len(each) for each in table.playing.decisions.values()) if found else 0
    several = len(game_at(table).course.decides) > 1 if found else False
    return tuple(
        AskedShown(
            waits.seat.number,
            table.playing.players.get(waits.seat.number, ""),
            waits.now,
            decision_name(waits.step) if several and waits.step.name != "decision" else "",
            waits is following or (following is None and waits is found[0]),
            f"asks-{table.playing.number}-{made}-{waits.seat.number}",
            tuple(_choices(table, role, waits)),
            tuple(_more(table, waits)),
        )
        for waits in found
    )


def _choices(table: Table, role: Role, waits: AskedSeat) -> Iterator[ChoiceShown]:
    at, seat = decision_at(table, waits), waits.seat.number
    mark = marked(at)
    for number, press in enumerate(presses(waits), 1):
        body = value("decide", at=at, **press.body)
        yield ChoiceShown(f"decide-{mark}-{number}", press.label, body, press.body["choice"], str(number))
    if may_declare(table, seat):
        yield ChoiceShown(f"declare-{mark}", "Declare a winning hand", value("declare", at=at, seat=seat))
    if may(role, "table.declare") and may_be_paid_at_once(table, seat):
        yield ChoiceShown(f"at-once-{mark}", "Turn up a hand paid at once", "", link=f"?declares={seat}")


def _more(table: Table, waits: AskedSeat) -> Iterator[More]:
    at = decision_at(table, waits)
    mark = marked(at)
    for option in waits.options:
        name = option.name.capitalize()
        if (between := between_of(waits, option)) is not None:
            least, most = between
            press = ChoiceShown(
                f"between-{mark}-{option.name}", f"{name} this amount", value("between", at=at, choice=option.name)
            )
            yield More(
                press, f"between.{option.name}", f"{name}, dollars, up to {show_dollars(most)}", str(least // 100)
            )
        draws = option.draws
        if draws is not None and draws.discards and not waits.sight.covered:
            press = ChoiceShown(
                f"exchange-{mark}-{option.name}", name, value("exchange", at=at, choice=option.name), option.name
            )
            title = f"{name} {draws.least} to {draws.most} cards, such as Q♠ 6♦"
            yield More(press, f"discard.{option.name}", title)


# Patrons


@dataclass(frozen=True)
class SeatRow:
    """A seat of the table, for the panel of patrons."""

    seat: int
    player: str
    mark: tuple[str, str]
    staked: Cents


@dataclass(frozen=True)
class Patrons:
    chips: list[tuple[Cents, str, bool, str]]
    """The tray; empty where no wager may be made."""
    is_shared: bool
    seats: tuple[SeatRow, ...]
    served: int
    opens: bool
    """Whether seating somebody is what comes next."""
    buys: bool
    sits: bool
    leaves: bool


def patrons(scene: Scene, role: Role, chip: Cents) -> Patrons | None:
    table, rules = scene.table, scene.rules
    if rules is None or table.phase == Phase.CLOSED:
        return None
    wagering = bool(table.boxes) and table.phase in BETWEEN_ROUNDS and may(role, "table.wager")
    seats = tuple(
        SeatRow(
            seat,
            table.boxes.get(seat, ""),
            patron_mark(seat) if is_shared(rules) else ("", ""),
            sum(table.staged.get(seat, {}).values()),
        )
        for seat in range(1, rules.seats + 1)
    )
    first = table.phase in (Phase.OPENING, Phase.IDLE) and not table.homes
    return Patrons(
        chip_tray(chip or first_chip(rules)) if wagering else [],
        is_shared(rules),
        seats,
        next(iter(sorted(table.boxes)), 0),
        first,
        may(role, "table.buy_in"),
        may(role, "table.sit") and not table.in_round,
        may(role, "table.leave"),
    )
