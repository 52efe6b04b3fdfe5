"""Something for somebody to do at a table, at random: mostly what the procedure asks for, sometimes anything at all."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from random import Random
from typing import Any, get_type_hints

import pitboss.table.commands  # noqa: F401 - registers every command
from pitboss.cards import DECK, Card, parse_cards, show_cards
from pitboss.games.course import FOLD
from pitboss.games.registry import GAMES
from pitboss.submission import Selection, read_submission
from pitboss.table.autoplay import automatic, plain_wagers
from pitboss.table.command import COMMANDS
from pitboss.table.dealing import DealCards, TakesCards, slots_of
from pitboss.table.deciding import DrawCards, deciding_now
from pitboss.table.decks import deck_change_due
from pitboss.table.desk import Desk
from pitboss.table.irregular import WHEN
from pitboss.table.opening import next_slip, not_physical
from pitboss.table.permissions import ALLOWED
from pitboss.table.roles import Role
from pitboss.table.ruling import game_at, rules_at, thrown_at
from pitboss.table.settling import Reveal, conceding
from pitboss.table.state import BETWEEN_ROUNDS, IN_ROUND, KEYED, PHYSICAL, VIRTUAL, LiveRound, Phase, Table
from pitboss.table.turning import TurnUpCards
from tests.table.driver import GAME_NAMES, PEOPLE, devices_of, submission_text, with_choices
from tests.table.physical import kept_by

PLAYERS = ("p1", "p2", "p3", "p4")
STRANGER = "p9"
"""Somebody who never sits down."""
STAFF = PEOPLE
OTHERS = {Role.AUDITOR: "auditor-1", Role.ADMINISTRATOR: "admin-1", Role.SYSTEM: "pitboss"}
RIGGED = tuple(map(parse_cards, ("As Ks Qs Js Ts 9s", "Ah Ad Ac As Kh Kd", "9h 8h 7h 6h 5h 4h", "Kc Qc Jc Tc 9c 8c")))
"""Hands for which meters pay; cards that are keyed in may be these."""


@dataclass(frozen=True)
class Setting:
    """Which table is walked on."""

    game: str
    submission: str
    source: str

    @staticmethod
    def drawn(random: Random, game: str = "") -> "Setting":
        game = game or random.choice(GAME_NAMES)
        dealing = random.choice(devices_of(game))
        shuffler = dealing == "hand" or random.random() < 0.6
        text = submission_text(
            game,
            dealing,
            shuffler=shuffler,
            counts=shuffler and random.random() < 0.3,
            decks=2 if shuffler and random.random() < 0.5 else 1,
            reshuffles=dealing == "automated-shoe" and shuffler and random.random() < 0.3,
        )
        if any(choice.name == "adjacent_boxes" for choice in GAMES[game].chapter.choices):
            text = with_choices(text, adjacent_boxes=3)
        options = read_submission(text).options
        often = {name: Selection(True, Fraction(1, 3)) for name in ("magic_card", "lucky_bonus") if name in options}
        text = with_choices(text, options={**options, **often})
        sources = (VIRTUAL, KEYED, *((PHYSICAL,) if not not_physical(GAMES[game]) else ()))
        return Setting(game, text, random.choice(sources))


@dataclass(frozen=True)
class Try:
    """One command that somebody tries; ``hours`` pass before it."""

    role: Role
    person: str
    body: Mapping[str, Any]
    hours: int = 0


def by(random: Random, role: Role, name: str, own: str = "", /, **given: Any) -> Try:
    """By the staff, or by the player for whom it is done, who may do it as well."""
    if own and random.random() < 0.4:
        return Try(Role.PLAYER, own, {"command": name, **given})
    return Try(role, STAFF[role], {"command": name, **given})


def forward(random: Random, table: Table, desk: Desk, setting: Setting) -> Try:
    """What the procedure asks for next, with decisions and cards at random."""
    if table.phase == Phase.CLOSED:
        return by(random, Role.PIT_MANAGER, "open_table", submission=setting.submission, source=setting.source,
                  fill=50_000_000)  # fmt: skip
    if table.phase in (Phase.OPENING, Phase.IDLE) and not table.homes:
        return seats(random, table, desk, setting)
    if table.phase == Phase.WAGERING and deck_change_due(table, desk.now):
        return by(random, Role.FLOORPERSON, "change_decks")
    if table.failed and table.phase in BETWEEN_ROUNDS and random.random() < 0.5:
        return mend(random, table)
    following = automatic(table, desk)
    if following is None and table.phase == Phase.DECIDING:  # cards that nobody but the player knows
        return decision(random, table, deciding_now(table)[1][0])
    if following is None:
        return wager(random, table, desk, setting)
    step, command = following
    if command.name == "no_more_bets" and random.random() < 0.6:
        wanting = [seat for seat in table.staged if not {*plain_wagers(table)} <= {*table.staged[seat]}]
        return wager(random, table, desk, setting, wanting)
    if command.name == "decide":
        assert step.seat is not None
        return decision(random, table, step.seat)
    if table.phase == Phase.OPENING and not table.decks and random.random() < 0.8:
        return by(random, Role.FLOORPERSON, "receive_decks", preinspected=True)
    if (seat := conceding(table)) is not None and random.random() < 0.4:
        return by(random, Role.DEALER, "concede", table.playing.players[seat], seat=seat)
    body = command.as_dict()
    if command.name == "rule_choice":
        body |= {"why": "as the hand allows", "stands": random.random() < 0.5}
    if command.name == "cut":
        body["at"] = random.randint(9, 52)
    if isinstance(command, TakesCards) and table.physical:
        body |= turned_up(random, table, command)
    elif isinstance(command, TakesCards) and command.wanted(table):
        body |= cards_for(random, table, command.name)
    if command.name == "roll" and table.source == "keyed":
        thrown = thrown_at(table)
        assert thrown is not None
        body["dice"] = " ".join(str(random.choice(thrown.faces)) for _ in range(thrown.dice))
    if command.name == "settle":
        body["turns"] = random.choice((0, 1, 1, 2))
    if command.name == "stub" and random.random() < 0.2:
        body["count"] = table.play.in_deck if table.play is not None else 0
    return Try(step.role, STAFF[step.role], body)


def cards_for(random: Random, table: Table, command: str) -> dict[str, Any]:
    """How many cards, and which, where the dealer keys them in."""
    assert table.play is not None
    if command in ("draw", "reveal"):
        count = {"draw": DrawCards(), "reveal": Reveal()}[command].wanted(table)
        return {"cards": show_cards(random.sample(unseen(table.play), count))} if table.source == "keyed" else {}
    left = DealCards().wanted(table)
    count = left if random.random() < 0.7 else random.randint(1, left)
    if table.source == "virtual":
        return {"count": 0 if count == left else count}
    return {"cards": show_cards(keyed(random, table, table.play)[:count])}


def turned_up(random: Random, table: Table, command: TakesCards) -> dict[str, Any]:
    """Any cards for the places that are turned up now, at a physical table."""
    left = command.wanted(table)
    count = random.randint(1, left) if isinstance(command, DealCards) and random.random() < 0.3 else left
    dealt = {"count": count} if isinstance(command, DealCards) else {}
    keyed = len(DealCards(count=count).places(table)) if dealt else len(command.places(table))
    first = kept_by(table.playing, command.place) if isinstance(command, TurnUpCards) else ()
    cards = (*first, *random.sample(unseen(table.playing), keyed - len(first)))
    return {**dealt, "cards": show_cards(cards)}


def unseen(play: LiveRound) -> list[Card]:
    return [card for card in DECK if card not in play.left_deck]


def keyed(random: Random, table: Table, play: LiveRound) -> list[Card]:
    """Cards for the places that still get one; sometimes one seat and the shared places get a hand worth a jackpot."""
    places = [slot.to for slot in slots_of(table, play)[len(play.dealt) :]]
    cards = random.sample(unseen(play), len(places))
    if random.random() < 0.4:
        wanted = [card for card in random.choice(RIGGED) if card not in play.left_deck]
        seat = f"seat {random.choice(sorted(play.wagers))}"
        lucky = [place for place, to in enumerate(places) if to == seat]
        lucky += [place for place, to in enumerate(places) if "seat" not in to]
        for place, card in zip(lucky, wanted, strict=False):
            if card in cards:
                cards[cards.index(card)] = cards[place]
            cards[place] = card
    return cards


def decision(random: Random, table: Table, seat: int) -> Try:
    assert table.play is not None
    game, (step, _) = game_at(table), deciding_now(table)
    option = random.choice((step or game.course.decides[0]).options(rules_at(table), None)) if game.decisions else FOLD
    unit = table.play.staked(seat).get(game.course.unit, 1000)
    given: dict[str, Any] = {"seat": seat, "choice": option.name}
    if any(times.said for times in option.puts.values()):
        given["amount"] = random.choice((None, unit, unit, 2 * unit, 3 * unit, 3 * unit))
    if table.physical and random.random() < 0.1:
        cards = {"cards": "As Ks Qs Js Ts"} if random.random() < 0.3 else {}
        return by(random, Role.DEALER, "declare", seat=seat, **cards)
    if option.draws is not None and option.draws.discards and table.physical:
        given["unseen"] = random.randint(1, 6)
    elif option.draws is not None and option.draws.discards:
        hand = table.play.hand(f"seat {seat}")
        given["discard"] = show_cards(random.sample(hand, random.randint(1, max(1, len(hand)))) if hand else ())
    return by(random, Role.DEALER, "decide", table.play.players.get(seat, ""), **given)


def seats(random: Random, table: Table, desk: Desk, setting: Setting) -> Try:  # noqa: ARG001
    player = random.choice(PLAYERS)
    free = [seat for seat in range(1, 8) if seat not in table.boxes] or [1]
    taken = sorted(table.boxes) or [1]
    if player not in table.homes:
        return by(random, Role.DEALER, "sit", player, seat=random.choice(free), player=player)
    match random.randrange(5):
        case 0:
            return by(random, Role.DEALER, "leave", player, seat=table.homes[player])
        case 1:
            return by(random, Role.DEALER, "release_box", seat=random.choice(taken))
        case _:
            beside = [seat for seat in free if seat - 1 in taken or seat + 1 in taken] or free
            return by(random, Role.DEALER, "take_box", player, seat=random.choice(beside), player=player)


def money(random: Random, table: Table, desk: Desk, setting: Setting) -> Try:  # noqa: ARG001
    """Honest and hostile amounts: more than there is, all that there is and one cent more, next to nothing."""
    player = random.choice(list(table.homes) or PLAYERS)
    held = [desk.balance(account) // 10_000 for account in (f"player:{player}", f"inventory:{table.id}")]
    exact = random.choice(held) + random.choice((0, 0, 1))
    amount = random.choice((1, 100, 5_000, 100_000, 1_000_000, 10**9, exact, exact))
    given: dict[str, Any] = {"amount": amount, "slip": next_slip(table, desk.now) + random.choice((0, 0, 0, 0, 2, -1))}
    name = random.choice(("cash_out", "cash_out", "fill", "credit", "credit", "repay", "buy_in", "buy_in"))
    if name not in ("fill", "credit"):
        given["player"] = player
    return by(random, random.choice((Role.CASHIER, Role.FLOORPERSON, Role.PIT_MANAGER)), name, **given)


def wager(random: Random, table: Table, desk: Desk, setting: Setting, wanting: Sequence[int] = ()) -> Try:
    """A wager of the game; where nobody sits or has chips, what must come before it."""
    if table.in_round and random.random() < 0.9:
        return forward(random, table, desk, setting)
    if not table.boxes:
        return seats(random, table, desk, setting)
    seat = random.choice(wanting or sorted(table.boxes))
    player = table.boxes[seat]
    if desk.balance(f"player:{player}") < 50_000_000:
        slip = next_slip(table, desk.now)
        return by(random, Role.CASHIER, "buy_in", amount=100_000, player=player, slip=slip)
    made = table.staged.get(seat, {})
    plain = {name: amount for name, amount in plain_wagers(table).items() if name not in made}
    rules = rules_at(table)
    feeding = {name: amount for name, amount in rules.choices.amounts.items() if name not in made}
    if plain and random.random() < 0.7:
        name = next(iter(plain)) if random.random() < 0.6 else random.choice(list(plain))
        amount = plain[name]
    elif feeding and random.random() < 0.5:
        name, amount = random.choice(list(feeding.items()))
    else:
        known = random.choice(list(rules.wagers.values()))
        name = random.choice(known.names(rules.seats))
        limits = rules.choices.limits.get(known.name)
        ends = (limits.minimum, limits.maximum, limits.minimum - 1, limits.maximum + 1) if limits else (100, 500)
        amount = random.choice((*ends, 1_500, 1_501, 2_345, 0, -1_000, rules.choices.amounts.get(name, 1_000)))
    return by(random, Role.DEALER, "wager", player, seat=seat, wager=name, amount=amount)


def withdraw(random: Random, table: Table, desk: Desk, setting: Setting) -> Try:
    if not table.staged:
        return wager(random, table, desk, setting)
    seat = random.choice(sorted(table.staged))
    name = random.choice(list(table.staged[seat]))
    return by(random, Role.DEALER, "withdraw", table.player_at(seat), seat=seat, wager=name)


def supervise(random: Random, table: Table, desk: Desk, setting: Setting) -> Try:
    """What supervisors do, and a dealer besides the round."""
    floor, dealer = Role.FLOORPERSON, Role.DEALER
    play = table.play
    seat = random.choice(sorted(play.wagers)) if play is not None and play.wagers else random.randint(1, 5)
    if table.phase in IN_ROUND:
        made = list(play.staked(seat)) if play is not None else []
        return random.choice(
            (
                lambda: by(random, dealer, "shuffle"),
                lambda: by(random, dealer, "leave", seat=seat),
                lambda: by(random, floor, "abandon", seat=play.left[-1] if play is not None and play.left else seat),
                lambda: by(random, floor, "return_wager", seat=seat, wager=random.choice(made or ["none"])),
                lambda: by(random, floor, "order_recut", reason="improper"),
                lambda: by(random, floor, "complete_paperwork", document="1"),
                lambda: by(random, floor, "validate", seat=seat),
                lambda: decision(random, table, seat),
            )
        )()
    minimum = random.choice((500, 1_000, 2_500))
    main = game_at(table).course.unit or next(iter(rules_at(table).wagers))
    return random.choice(
        (
            lambda: by(random, floor, "order_recut", reason="improper"),
            lambda: by(random, floor, "order_shuffle"),
            lambda: by(random, floor, "change_decks", reason="worn"),
            lambda: by(random, dealer, "spread_idle", face_up=random.random() < 0.5),
            lambda: by(random, dealer, "shuffle", deck=table.other_deck),
            lambda: by(random, Role.PIT_MANAGER, "close_table", reason="end of day"),
            lambda: by(random, Role.PIT_MANAGER, "change_limits", wager=main, minimum=minimum, maximum=100_000),
            lambda: forward(random, table, desk, setting),
        )
    )()


def mend(random: Random, table: Table) -> Try:
    """Cover a device that is out of order, do without it, or have it repaired."""
    device = random.choice(table.failed)
    match random.randrange(4):
        case 0:
            return by(random, Role.DEALER, "cover_device", device=device, how=random.choice(("cover", "sign")))
        case 1:
            return by(random, Role.FLOORPERSON, "repair_device", device=device)
    methods = {"dealing": "manual-shoe"} if device != "shuffler" or table.dealing == "hand" else {}
    if device == "shuffler":
        methods["shuffling"] = "hand"
    return by(random, Role.FLOORPERSON, "change_method", **methods)


def trouble(random: Random, table: Table, desk: Desk, setting: Setting) -> Try:  # noqa: ARG001
    """Irregularities of section .13 and devices that fail, are covered, replaced and repaired."""
    dealer = Role.DEALER
    if table.failed and random.random() < 0.5:
        return mend(random, table)
    likely = [what for what, phases in WHEN.items() if table.phase in phases] or list(WHEN)
    what = random.choice(likely)
    given: dict[str, Any] = {"what": what}
    if what == "device-out-of-order":
        given["device"] = random.choice(("shuffler", "automated-shoe"))
    if what == "card-face-up-in-shoe" and table.play is not None:
        given["count"] = random.choice((1, 1, 2))
        if table.source != VIRTUAL:
            given["cards"] = show_cards(random.sample(unseen(table.play), given["count"]))
    if what == "wrong-number-of-cards" and table.play is not None and random.random() < 0.5:
        given["seat"] = random.choice(sorted(table.play.wagers))
    if table.phase == Phase.STUB and table.play is not None and random.random() < 0.5:
        return by(random, dealer, "stub", count=table.play.in_deck - 1, misdealt=random.random() < 0.5)
    if table.phase == Phase.DECK_COUNT:
        return by(random, dealer, "count_deck", count=random.choice((51, 52, 53)))
    if table.phase == Phase.SHUFFLING and random.random() < 0.3:
        return by(random, dealer, "shuffle", count=51)
    return by(random, dealer, "irregularity", **given)


WORDS = ("", "ante", "pair_plus", "super", "five_card_progressive", "play", "fold", "bet", "buy", "exchange", "hand",
         "ante_1", "super_on_seat_2", "super_on_seat_02", "super_on_seat_²",
         "device", "shuffler", "automated-shoe", "red", "blue", "p1", "p2", "nobody", "virtual", "Xx",
         *WHEN)  # fmt: skip
NUMBERS = (-1, 0, 1, 2, 3, 7, 8, 52, 53, 100, 1_000, 10**6, 10**12, 10**17, -(10**17), 10**18)


def wild(random: Random, table: Table, desk: Desk, setting: Setting) -> Try:  # noqa: ARG001
    """Any command with any fields by anybody."""
    name = random.choice(sorted(COMMANDS))
    everyone = {**STAFF, **OTHERS, Role.PLAYER: random.choice((*PLAYERS, STRANGER))}
    role = random.choice(sorted(everyone))
    if random.random() < 0.6:
        role = random.choice(sorted(ALLOWED[f"table.{name}"]))
    hints = get_type_hints(COMMANDS[name])
    body: dict[str, Any] = {"command": name}
    for field in fields(COMMANDS[name]):
        if random.random() < 0.9:
            body[field.name] = _value(random, str(hints[field.name]), field.name, setting)
    if random.random() < 0.03:
        body["more"] = 1
    return Try(role, everyone[role], body)


def _value(random: Random, hint: str, name: str, setting: Setting) -> Any:
    if name == "submission" and random.random() < 0.7:
        return setting.submission
    if random.random() < 0.03:
        return random.choice((None, 1.5, [], {}, True, "x"))
    if name in ("cards", "discard"):
        return random.choice(("", "As", "As Kd", "As As", "Xx", "2c 3c 4c 5c 6c 7c"))
    if "dict" in hint:
        return random.choice(({}, {"three_card_progressive": "nowhere"}))
    if "tuple" in hint:
        return random.choice(([], ["red"], ["red", "blue"], ["red", "red"]))
    if "bool" in hint:
        return random.random() < 0.5
    if "int" in hint:
        return random.choice(NUMBERS)
    return random.choice(WORDS)


def late(random: Random, table: Table, desk: Desk, setting: Setting) -> Try:
    """Hours pass: decks must be changed."""
    found = forward(random, table, desk, setting)
    return Try(found.role, found.person, found.body, random.choice((1, 3, 5)))


Kind = Callable[[Random, Table, Desk, Setting], Try]
KINDS: dict[Kind, int] = {
    forward: 62, wager: 8, seats: 4, money: 3, withdraw: 2, supervise: 5, trouble: 4, wild: 11, late: 1,
}  # fmt: skip
"""What is tried, and how often."""


def drawn(random: Random, table: Table, desk: Desk, setting: Setting) -> Try:
    """Something to try. A closed table knows neither rules nor seats, so it can only be opened, or asked in vain."""
    if table.phase == Phase.CLOSED:
        return wild(random, table, desk, setting) if random.random() < 0.5 else forward(random, table, desk, setting)
    (kind,) = random.choices(list(KINDS), list(KINDS.values()))
    return kind(random, table, desk, setting)


def show(tried: Try) -> str:
    """One line for a failure's record."""
    body = {key: value for key, value in tried.body.items() if key != "submission"}
    return f"{tried.role} {tried.person}: {body}" + (f" after {tried.hours} h" if tried.hours else "")
