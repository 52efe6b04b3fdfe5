"""A live table of the school, played by itself: the table says what comes next, and why something may not be."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, date, datetime, time
from functools import lru_cache
from itertools import islice
from random import Random
from typing import Final

from pitboss.clock import MICROSECONDS
from pitboss.games.checks import verify_wagers
from pitboss.games.contract import Game
from pitboss.games.registry import GAMES
from pitboss.games.round import Seat
from pitboss.law.model import in_force
from pitboss.money import show_dollars
from pitboss.school.exercise import Drawn, Item, LaidTable
from pitboss.school.layout import of_view, wager_title
from pitboss.school.sheet import Asking, among, money, words, yes_no
from pitboss.submission import Shuffler, starting_point, template
from pitboss.table.autoplay import plain_wagers
from pitboss.table.desk import MemoryDesk
from pitboss.table.guide import Step
from pitboss.table.happened import Happened
from pitboss.table.irregular import WHEN, Irregularity
from pitboss.table.kinds.cards import CardDrawnByMistake, CardFoundFaceUp
from pitboss.table.kinds.devices import DeviceFailed
from pitboss.table.kinds.rounds import RoundVoided
from pitboss.table.kinds.settlement import LineSettled
from pitboss.table.kinds.shuffling import ShuffleFailed
from pitboss.table.memory import LiveTable
from pitboss.table.roles import Role
from pitboss.table.ruling import procedure_of, rules_at, thrown_at
from pitboss.table.seating import Leave
from pitboss.table.state import SHOE, SHUFFLER, VIRTUAL, Phase
from pitboss.table.wagering import MakeWager

FILL, CHIPS = 50_000_000, 1_000_000
MOST_STEPS = 200
PEOPLE = {Role.DEALER: "trainee", Role.FLOORPERSON: "floor", Role.PIT_MANAGER: "manager", Role.CASHIER: "cashier"}


@lru_cache(maxsize=256)
def _text(game: str, as_of: date, dealing: str, shuffler: bool) -> str:
    """The law's template dealt by a device; two decks only with a shuffler."""
    chosen = replace(starting_point(game, as_of), dealing=dealing)
    return template(game, as_of, chosen if shuffler else replace(chosen, shuffler=Shuffler()))


class SchoolTable(LiveTable):
    """One table of the school: dealt by a device, with patrons at some seats."""

    name = "school"
    people = PEOPLE

    def __init__(
        self,
        game: str,
        as_of: date,
        seed: str,
        seats: tuple[int, ...] = (1, 2),
        dealing: str = "",
        shuffler: bool = False,
        source: str = VIRTUAL,
    ) -> None:
        desk = MemoryDesk(now=int(datetime.combine(as_of, time(18), UTC).timestamp()) * MICROSECONDS)
        text = _text(game, as_of, dealing or GAMES[game].chapter.devices(as_of)[0], shuffler)
        super().__init__(game, as_of, submission=text, seed=seed, source=source, desk=desk)
        if thrown_at(self.table) is None:
            self.do(Role.FLOORPERSON, "receive_decks", preinspected=True)
        self.seats = seats
        for seat in seats:
            self.seat(seat)

    def seat(self, seat: int) -> None:
        """A patron with chips sits down."""
        self.sit(seat, f"patron-{seat}", CHIPS)

    def wagers(self) -> None:
        """Everybody makes the plain wagers."""
        for seat in self.seats:
            if self.table.player_at(seat):
                for wager, amount in plain_wagers(self.table, seat).items():
                    self.do(Role.DEALER, MakeWager(seat, wager, amount))

    def go_on(self) -> None:
        """Whatever the table waits for, by whom it waits for it; players choose plainly."""
        if self.following() is None:
            self.wagers()
        else:
            self.step()

    def comes_to(self, phase: Phase) -> bool:
        """Go on to a phase, if the table ever comes to it."""
        for _ in range(MOST_STEPS):
            if self.phase == phase:
                return True
            self.go_on()
        return False

    def laid(self) -> LaidTable:
        """What the dealer sees: the wagers, and the cards that lie face up."""
        return of_view(rules_at(self.table), self.view())


# What now? Section .13

HAPPENED = {
    "card-face-up-in-shoe": "{many} found face up in the deck while the cards are dealt.",
    "card-drawn-in-error": "While the cards are dealt a card is drawn in error, without its face being shown.",
    "wrong-number-of-cards": "Seat {seat} turns out to have been dealt a wrong number of cards.",
    "dealer-card-exposed": "A card of the dealer's that should lie face down is seen.",
    "community-card-exposed": "A community card is seen too early.",
    "shuffler-jam": "The automated shuffling device jams while it shuffles.",
    "shoe-jam": "The automated dealing shoe jams while the cards are dealt.",
    "device-out-of-order": "The {device} is out of order.",
}
VOID = "The round is void and every wager goes back"
SOME = "The round is void, but some optional wagers are settled all the same"
REMEDIES: Final[Mapping[type[Happened], str]] = {
    CardFoundFaceUp: "The card is put aside and the deal goes on",
    CardDrawnByMistake: "The card is used as the next card",
    ShuffleFailed: "The deck is shuffled again; the round is not touched",
    DeviceFailed: "The device is covered or signed before another method is used",
}


def has_irregularities(game: Game) -> bool:
    return any(each.stage == "irregularity" and each.act in WHEN for each in game.chapter.procedures)


def what_now(asking: Asking, rng: Random) -> Drawn | None:
    """An irregularity of section .13: what follows, what goes back, and by which paragraph."""
    game = GAMES[asking.game]
    known = [p for p in in_force(game.chapter.procedures, asking.as_of) if p.stage == "irregularity" and p.act in WHEN]
    what = rng.choice(known).act
    device = rng.choice((SHUFFLER, SHOE)) if what == "device-out-of-order" else ""
    shuffler = what == "shuffler-jam" or device == SHUFFLER
    dealing = SHOE if what == "shoe-jam" or device == SHOE else ""
    if dealing and dealing not in game.chapter.devices(asking.as_of):
        return None
    live = SchoolTable(asking.game, asking.as_of, str(rng.random()), (1, rng.choice((2, 3))), dealing, shuffler)
    phases = [
        phase for phase in (Phase.SHUFFLING, Phase.DEALING, Phase.DECIDING, Phase.REVEALING) if phase in WHEN[what]
    ]
    phase = Phase.WAGERING if device == SHOE or what == "shuffler-jam" else rng.choice(phases)
    live.comes_to(Phase.WAGERING)
    if phase not in (Phase.SHUFFLING, Phase.WAGERING):
        live.wagers()
        if not live.comes_to(phase):
            return None
    many = 2 if what == "card-face-up-in-shoe" and rng.random() < 0.4 else 1
    command = Irregularity(
        what, seat=live.seats[0] if what == "wrong-number-of-cards" else None, count=many, device=device
    )
    if live.why_not(Role.DEALER, command):
        return None
    procedure, laid = procedure_of(live.table, what), live.laid()
    assert procedure is not None
    events = live.do(Role.DEALER, command)
    voided = next((event.fact for event in events if isinstance(event.fact, RoundVoided)), None)
    if voided is not None:
        right = SOME if any(isinstance(event.fact, LineSettled) for event in events) else VOID
    else:
        right = next((REMEDIES[type(event.fact)] for event in events if type(event.fact) in REMEDIES), "")
    if not right:
        return None
    cite = str(procedure.cite)
    why = f"{words(what).capitalize()}: {words('; '.join(procedure.remedy))}."
    options = (VOID, SOME, *REMEDIES.values())
    items: list[Item | None] = [Item("what", "What follows?", "one", right, (cite,), why, options)]
    if voided is not None and phase != Phase.SHUFFLING:
        back = sum(voided.returned.get(str(live.seats[0]), {}).values())
        ask = f"How much goes back to seat {live.seats[0]}?"
        items.append(money("back", ask, back, (cite,), why))
    cites = sorted({str(each.cite) for each in known})
    items.append(among("cite", "Which paragraph says so?", cite, cites, (cite,), why, rng))
    cards = "Two cards are" if many > 1 else "One card is"
    told = HAPPENED.get(what, f"{what.replace('-', ' ').capitalize()}.").format(
        many=cards, seat=live.seats[0], device=device.replace("-", " ")
    )
    return Drawn("What now?", tuple(item for item in items if item is not None), laid, (told,))


# A shift

MOMENTS = 32
"""Questions of one shift: their seeds follow each other, and the next shift begins after them."""
HESITATES = "The patron at seat {seat} hesitates and puts nothing down yet."
LEAVES = "The patron at seat {seat} leaves the table."


def moments(asking: Asking, number: int) -> Iterator[Drawn]:
    """A shift without end: what the dealer must do next, while patrons act, hesitate, misplace chips and leave."""
    rng = Random(f"shift {asking.game} {asking.as_of} {number}")
    count = min(3, GAMES[asking.game].chapter.figure("seats", asking.as_of).value)
    live = SchoolTable(asking.game, asking.as_of, f"shift {number}", tuple(range(1, count + 1)))
    story: list[str] = [f"The table is open, with patrons at seats {', '.join(map(str, live.seats))}."]
    known = _says(asking.game, asking.as_of)
    while True:
        step = live.next_step
        if step is None:
            return
        if live.table.phase == Phase.WAGERING and not live.table.staged:
            yield from _patrons(live, rng, story)
            continue
        if live.table.phase == Phase.DECIDING and rng.random() < 0.15 and (late := _late(live, rng)) is not None:
            yield late
        if step.command is None and step.seat is None:
            live.go_on()
            continue
        item = among("next", "What comes next?", step.say, known, (step.cite,) if step.cite else (), _why(step), rng)
        if item is not None and step.cite:
            items = [item]
            if step.role != Role.PLAYER:  # it says whom to ask, which is the dealer's act
                roles = [str(role) for role in (Role.DEALER, Role.FLOORPERSON, Role.PLAYER, Role.PIT_MANAGER)]
                who = among("who", "Whose act is it?", str(step.role), roles, (step.cite,), _why(step), rng)
                assert who is not None
                items.append(who)
            ask = f"Round {live.table.rounds + 1}. What comes next?"
            yield Drawn(ask, tuple(items), live.laid(), tuple(story))
            story.clear()
        live.go_on()
        if live.table.phase == Phase.SHUFFLING and rng.random() < 0.25:
            _come_and_go(live, rng, story)


def _why(step: Step) -> str:
    return f"{str(step.role).capitalize()}: {step.say}"


@lru_cache(maxsize=64)
def _says(game: str, as_of: date) -> tuple[str, ...]:
    """Everything that the table says in one plain round, to choose among."""
    live = SchoolTable(game, as_of, "says")
    found: dict[str, None] = {}
    for _ in range(MOST_STEPS):
        step = live.next_step
        if step is None or live.table.rounds > 1:
            break
        found.setdefault(step.say)
        live.go_on()
    return tuple(found)


def _patrons(live: SchoolTable, rng: Random, story: list[str]) -> Iterator[Drawn]:
    """Patrons put their wagers down; some hesitate, and some put chips where they may not lie."""
    rules = rules_at(live.table)
    for seat in live.seats:
        if not live.table.player_at(seat):
            continue
        made = plain_wagers(live.table)
        if rng.random() < 0.2 and len(live.table.staged) >= rules.least_players:
            story.append(HESITATES.format(seat=seat))
            continue
        if rng.random() < 0.35:
            name = rng.choice(list(made))
            wager = rules.wager_named(name)
            assert wager is not None
            limits = rules.limits(wager.name)
            stake = rng.choice((limits.minimum - 100, limits.maximum + 500, made[name]))
            if stake > 0:
                yield _misplaced(live, MakeWager(seat, name, stake))
        for wager_name, amount in made.items():
            live.do(Role.DEALER, MakeWager(seat, wager_name, amount))
        story.append(
            f"Seat {seat} bets {', '.join(f'{wager_title(rules, n)} {show_dollars(a)}' for n, a in made.items())}."
        )


def _misplaced(live: SchoolTable, wanted: MakeWager) -> Drawn:
    """Chips that may lie there when bets are closed, or not: the table lets them stack up to the minimum until then."""
    rules, wager = live.rules, live.rules.wager_named(wanted.wager)
    assert wager is not None
    lies = Seat(wanted.seat, (), {**live.table.staged.get(wanted.seat, {}), wanted.wager: wanted.amount})
    findings = live.why_not(Role.DEALER, wanted) or tuple(verify_wagers(rules, lies))
    cites = tuple(dict.fromkeys(each.cite for each in findings if each.cite)) or (str(wager.cite),)
    why = " ".join(each.sentence for each in findings) or "It is within the limits and comes at its time."
    told = f"Seat {wanted.seat} puts {show_dollars(wanted.amount)} on {wager_title(rules, wanted.wager)}, and no more."
    item = yes_no("may", "Is this a wager for the round?", not findings, cites, why)
    return Drawn(f"Round {live.table.rounds + 1}. Is this a wager for the round?", (item,), live.laid(), (told,))


def _late(live: SchoolTable, rng: Random) -> Drawn | None:
    """Chips placed after "no more bets"."""
    made = plain_wagers(live.table)
    seat, name = rng.choice(live.seats), rng.choice(list(made))
    wanted = MakeWager(seat, name, made[name])
    return _misplaced(live, wanted) if live.table.player_at(seat) and live.why_not(Role.DEALER, wanted) else None


def _come_and_go(live: SchoolTable, rng: Random, story: list[str]) -> None:
    seat = rng.choice(live.seats)
    player = live.table.player_at(seat)
    if player and sum(bool(live.table.player_at(each)) for each in live.seats) > live.rules.least_players:
        if not live.why_not(Role.DEALER, Leave(seat)):
            live.do(Role.DEALER, Leave(seat))
            story.append(LEAVES.format(seat=seat))
    elif not player:
        live.seat(seat)
        story.append(f"A new patron takes seat {seat}.")


def moment(asking: Asking, rng: Random) -> Drawn | None:  # noqa: ARG001
    """One moment of a shift: the seed says of which one, and how far into it."""
    number, place = divmod(asking.seed, MOMENTS)
    return next(islice(moments(asking, number), place, None), None)
