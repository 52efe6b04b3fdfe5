"""The ledger of a physical table: a new program after every act, forged faces, and what is said of unknown cards."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from tests.ledger.forger import codes, forge, recorded
from tests.ledger.house import House
from tests.table.driver import devices_of
from tests.table.physical import GAMES_PHYSICAL, any_wagers, shuffled

from pitboss.findings import errors
from pitboss.games.handhistory import contest_named, read, written
from pitboss.ledger.audit import audit_store
from pitboss.ledger.recall import played_round, recall
from pitboss.ledger.review import review
from pitboss.ledger.sentences import tell
from pitboss.ledger.slips import due_slip, kept_slips
from pitboss.ledger.store import Store
from pitboss.reports.rounds import round_file, round_paper
from pitboss.table.dealing import TakesCards
from pitboss.table.deciding import deciding_now
from pitboss.table.guide import next_step
from pitboss.table.happened import HIDDEN
from pitboss.table.realdeck import RealDeck
from pitboss.table.roles import Role
from pitboss.table.ruling import game_at, hand_at, rules_at
from pitboss.table.state import Phase


@pytest.fixture
def house(sqlite_url: str) -> House:
    return House(Store(sqlite_url), seed=3)


def act(house: House, table: str, deck: RealDeck, random: Random, choice: str = "") -> str:
    """What the procedure asks for next at a physical table, any choice of a player included."""
    with house.desk() as desk:
        now = house.pit.table(table)
        step = next_step(now, desk)
    assert step is not None
    hand = hand_at(now) if now.play is not None else None
    if hand is not None and hand.showing is not None and hand.may_concede(hand.showing) and random.random() < 0.5:
        house.dealer(table, "concede", seat=hand.showing)
        return "concede"
    if hand is not None and hand.asked is not None:
        names = [option.name for option in hand.options]
        house.dealer(table, "decide", seat=hand.asked, choice=choice if choice in names else random.choice(names))
        return "decide"
    if step.command is None:
        decide, _ = deciding_now(now)
        assert decide is not None
        assert step.seat is not None
        options = [each for each in decide.choices(rules_at(now)) if choice in ("", each.option.name)]
        made = random.choice(options).decision(now.playing.staked(step.seat)[game_at(now).course.unit])
        draws = decide.option(rules_at(now), made.choice)
        if decide.together and step.seat not in (now.playing.declared or ()) and random.random() < 0.3:
            house.dealer(table, "declare", seat=step.seat)
        unseen = random.randint(2, 5) if draws is not None and draws.draws and draws.draws.discards else 0
        house.dealer(table, "decide", seat=step.seat, choice=made.choice, amount=made.amount, unseen=unseen)
        return "decide"
    command = deck.keyed(now, step.command)
    body = command.as_dict()
    fields = {"why": "the hand has no pair of aces"} if body["command"] == "rule_choice" else {}
    if body["command"] == "rule_choice":
        body["stands"] = random.random() < 0.5
        fields["who"] = "floor-2"
    house.do(table, step.role, body.pop("command"), **body | fields)
    return command.name


def play(house: House, table: str, random: Random, *, restart: bool = False, choice: str = "") -> list[str]:
    """One round at a physical table; ``restart`` with a new program, which knows the ledger only, before each act."""
    deck, done = shuffled(random), []
    house.until(table, "wagering")
    for seat in sorted(house.pit.table(table).boxes):
        for wager, amount in any_wagers(random, house.pit.table(table)).items():
            house.act(table, Role.DEALER, "wager", seat=seat, wager=wager, amount=amount)
    before = house.pit.table(table).rounds
    while house.pit.table(table).rounds == before or house.pit.table(table).play is not None:
        if restart:
            house.__post_init__()
        done.append(act(house, table, deck, random, choice))
    return done


@pytest.mark.parametrize("game", GAMES_PHYSICAL)
def test_a_physical_table_survives_the_program_and_verifies(house: House, game: str) -> None:
    """All devices, a new program before every act of the second round: full review and audit find nothing."""
    random = Random(game)
    restarted = 0
    for device in devices_of(game):
        house.opened(device, game, device, (1, 2, 4), source="physical")
        play(house, device, random)
        restarted += len(play(house, device, random, restart=True))
    assert restarted > 20
    assert review(house.store, live=house.pit.tables()) == ()
    assert audit_store(house.store) == ()


def test_what_nobody_turned_up_is_never_known(house: House) -> None:
    """A folded hand with nothing on it is unknown in every event, and recall says that it was not turned up."""
    random = Random(1)
    house.opened("t1", "three-card-poker", seats=(2, 5), source="physical").until("t1", "wagering")
    for seat in (2, 5):
        house.dealer("t1", "wager", seat=seat, wager="ante", amount=1000)
    deck = shuffled(random)
    while house.pit.table("t1").phase != Phase.DECIDING:
        act(house, "t1", deck, random)
    house.dealer("t1", "decide", seat=2, choice="fold")
    while house.pit.table("t1").phase != Phase.COLLECTING:
        act(house, "t1", deck, random, "play")
    assert house.pit.table("t1").playing.covered == {"seat 2": 3}
    act(house, "t1", deck, random)
    shown = recall(house.store, "t1", 1)
    assert [card.card for card in shown.cards if card.to == "seat 2"] == [HIDDEN] * 3
    assert all(card.card != HIDDEN for card in shown.cards if card.to in ("dealer", "seat 5"))
    said = tell(recorded(house.store, "cards.dealt")), tell(recorded(house.store, "cards.collected"))
    assert b"3 cards not turned up" in round_file(shown, "html")
    assert "seat 2 3 face down" in said[0]
    assert "seat 2 3 cards not turned up" in said[1]
    assert review(house.store) == ()


def _another(columns: dict[str, Any]) -> None:
    """Another card in what was turned up."""
    cards = columns["data"]["cards"].split()
    columns["data"]["cards"] = " ".join(("2c" if cards[0] != "2c" else "3c", *cards[1:]))


def _twice(columns: dict[str, Any]) -> None:
    first, *_, last = columns["data"]["cards"].split()
    columns["data"]["cards"] = f"{first} {first} {last}"


def _at_the_deal(columns: dict[str, Any]) -> None:
    columns["data"]["cards"][0][0] = "As"


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        ("cards.shown", _another),
        ("dealer.revealed", _another),
        ("cards.shown", lambda columns: columns["data"].update(place="seat 1")),
        ("cards.dealt", _at_the_deal),
        ("cards.shown", _twice),
    ],
    ids=["a shown card", "the dealer's", "the seat", "a face at the deal", "a card twice"],
)
def test_forged_faces_are_found(house: House, kind: str, change: Callable[[dict[str, Any]], None]) -> None:
    house.opened("t1", "three-card-poker", seats=(1, 2), source="physical")
    play(house, "t1", Random(4), choice="play")
    assert errors(review(house.store)) == ()
    forge(house.store, {recorded(house.store, kind).seq: change})
    assert audit_store(house.store) == ()
    assert codes(errors(review(house.store))) & {"replay-event", "replay-line", "replay-fold"}


def test_a_late_correction_is_recorded_and_a_forged_one_is_found(house: House) -> None:
    """Seat 2's nine of diamonds was keyed in as the nine of hearts that seat 1 turns up after seat 2 was settled."""
    house.opened("t1", "three-card-poker", seats=(1, 2), source="physical").until("t1", "wagering")
    for seat in (1, 2):
        house.dealer("t1", "wager", seat=seat, wager="ante", amount=1000)
    house.until("t1", "deciding")
    for seat in (1, 2):
        house.dealer("t1", "decide", seat=seat, choice="play")
    house.dealer("t1", "reveal", cards="Qd 7c 3h")
    house.dealer("t1", "turn_up", cards="9h 8d 2c")
    house.dealer("t1", "settle")
    house.floor("t1", "correct_card", wrong="9h", right="9d", why="read as a heart")
    house.__post_init__()
    house.dealer("t1", "turn_up", cards="9h 6d 4s")
    house.until("t1", "wagering", "shuffling")
    hand = [card.card for card in recall(house.store, "t1", 1).cards if card.to == "seat 2"]
    assert hand == ["9d", "8d", "2c"]
    assert tell(recorded(house.store, "card.corrected")) == (
        "Corrected at seat 2: 9d, keyed in as 9h before. A floorperson: read as a heart."
    )
    assert review(house.store, live=house.pit.tables()) == ()
    forge(house.store, {recorded(house.store, "card.corrected").seq: lambda each: each["data"].update(right="Ad")})
    assert codes(errors(review(house.store))) & {"replay-event", "replay-line", "replay-fold"}


def test_a_slip_has_what_was_validated_and_a_two_part_turn_goes_on(house: House) -> None:
    """Four aces take the meter; the six card bonus card is turned up, and its line settled, after that was paid."""
    house.opened("t1", "crazy-4-poker", seats=(1,), source="physical").until("t1", "wagering")
    stake = rules_at(house.pit.table("t1")).choices.amounts["four_card_progressive"]
    wagers = {"ante": 1000, "super_bonus": 1000, "four_card_progressive": stake, "six_card_bonus": 500}
    for wager, amount in wagers.items():
        house.dealer("t1", "wager", seat=1, wager=wager, amount=amount)
    house.until("t1", "deciding")
    house.dealer("t1", "decide", seat=1, choice="play", amount=3000)
    house.dealer("t1", "reveal", cards="Ks Kh 4d 4s 8d")
    house.dealer("t1", "turn_up", cards="As Ad Ah Ac Kc")
    house.dealer("t1", "correct_card", wrong="8d", right="8c")
    house.dealer("t1", "correct_card", wrong="Kc", right="Kd")
    due = due_slip(house.pit, "t1")
    assert due is not None
    assert due.hand == "As Ad Ah Ac Kd"
    house.do("t1", Role.FLOORPERSON, "validate", "floor-2", seat=1)
    house.dealer("t1", "settle")
    assert due_slip(house.pit, "t1") is None
    house.dealer("t1", "turn_up", place="six_card_bonus_card", cards="Kc")
    house.until("t1", "wagering", "shuffling")
    cards = [card.card for card in recall(house.store, "t1", 1).cards if card.to in ("dealer", "seat 1")]
    assert {*cards} == {"Ks", "Kh", "4d", "4s", "8c", "As", "Ad", "Ah", "Ac", "Kd"}
    (kept,) = kept_slips(house.store, "t1", 1, house.person(Role.FLOORPERSON))
    assert (kept.amount, kept.hand, kept.dealers_hand) == (due.amount, due.hand, "Ks Kh 4d 4s 8c")
    assert review(house.store) == ()


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        ("decision.made", lambda columns: columns["data"]["decision"].update(unseen=5)),
        ("cards.drawn", lambda columns: columns["data"]["cards"].pop()),
        ("cards.drawn", lambda columns: columns["data"]["cards"][0].__setitem__(0, "As")),
        ("hand.declared", lambda columns: columns["data"].update(seat=1)),
        ("cards.shown", _another),
    ],
    ids=["how many are given up", "how many are drawn", "a face drawn", "who declared", "the declared hand"],
)
def test_forged_draws_are_found(house: House, kind: str, change: Callable[[dict[str, Any]], None]) -> None:
    house.opened("t1", "lunar-poker", seats=(1, 2), source="physical").until("t1", "wagering")
    for seat in (1, 2):
        for wager in ("ante", "super"):
            house.dealer("t1", "wager", seat=seat, wager=wager, amount=1000)
    deck = shuffled(Random(4))
    while house.pit.table("t1").phase != Phase.DECIDING:
        act(house, "t1", deck, Random(1))
    house.dealer("t1", "declare", seat=2)
    for seat in (1, 2):
        house.dealer("t1", "decide", seat=seat, choice="exchange", unseen=3)
    while house.pit.table("t1").play is not None:
        act(house, "t1", deck, Random(1), "bet")
    assert errors(review(house.store)) == ()
    hidden = [card.card for card in recall(house.store, "t1", 1).cards].count(HIDDEN)
    assert hidden == 5 + 3  # the first cards of seat 1 and what it drew; its final hand is told apart
    forge(house.store, {recorded(house.store, kind).seq: change})
    assert codes(errors(review(house.store))) & {"replay-event", "replay-line", "replay-fold"}


def _drawn_round(house: House, *, verified: bool) -> None:
    """Seat 1 gives up three unseen cards, and its final hand is turned up; seat 2 folds after its draw.

    ``verified``: seat 1 has declared its hand, which is turned up for the Super Wager before the draw.
    """
    house.opened("t1", "lunar-poker", seats=(1, 2), source="physical").until("t1", "wagering")
    for seat in (1, 2):
        for wager in ("ante", "super"):
            house.dealer("t1", "wager", seat=seat, wager=wager, amount=1000)
    cards = {"dealer": "Kd 8d 7s 4h 2h", "seat 1": "As Ks Qs 4d 2c", "final 1": "As Ks Ac Ad 3c"}
    while house.pit.table("t1").play is not None or not house.pit.table("t1").rounds:
        now = house.pit.table("t1")
        with house.desk() as desk:
            step = next_step(now, desk)
        assert step is not None
        if step.command is None:
            if verified and now.phase == Phase.DECIDING and not now.playing.declared:
                house.dealer("t1", "declare", seat=1)
            drawn = now.phase == Phase.DRAWING
            choice = {"choice": "bet" if step.seat == 1 else "fold"} if drawn else {"choice": "exchange", "unseen": 3}
            house.dealer("t1", "decide", seat=step.seat, **choice)
            continue
        body = {name: value for name, value in step.command.as_dict().items() if value is not None}
        due = step.command.places(now) if isinstance(step.command, TakesCards) else ()
        if due:
            known = len(now.playing.hand(due[0]))
            body["cards"] = " ".join(cards[due[0]].split()[known : known + len(due)])
        house.do("t1", step.role, body.pop("command"), **body)
        if due == ("final 1",) * 5:
            house.dealer("t1", "correct_card", wrong="3c", right="3d")


@pytest.mark.parametrize(
    ("verified", "first", "draw", "known"),
    [
        (False, "5 cards not turned up", "3 cards, not turned up when drawn", ["??", "??", "??"]),
        (True, "As Ks Qs 4d 2c", "Ac Ad 3d", ["Ac", "Ad", "3d"]),
    ],
)
def test_recall_says_what_unseen_draws_came_to(
    house: House, verified: bool, first: str, draw: str, known: list[str]
) -> None:
    """The final hand, with its card that was corrected; what was drawn, if the first hand tells; how many went."""
    _drawn_round(house, verified=verified)
    shown = recall(house.store, "t1", 1)
    assert shown.final_hands == {1: "As Ks Ac Ad 3d"}
    assert [card.card for card in shown.cards if card.to == "seat 1" and card.drawn] == known
    paper = round_paper(shown)
    cards = {str(place): said for place, said in paper.listing("cards").rows}
    assert {place: said for place, said in cards.items() if place.startswith("seat")} == {
        "seat 1": first, "seat 1, drawn": draw, "seat 1, final hand": "As Ks Ac Ad 3d",
        "seat 2": "5 cards not turned up", "seat 2, drawn": "3 cards not turned up",
    }  # fmt: skip
    decisions = [(row[0], row[2]) for row in paper.listing("decisions").rows]
    assert decisions == [
        (1, "exchange, discarding 3 cards"), (2, "exchange, discarding 3 cards"), (1, "bet"), (2, "fold"),
    ]  # fmt: skip
    assert review(house.store) == ()


def test_a_hand_verified_after_its_declaration_is_recomputed(house: House) -> None:
    """Two events declare one hand: the player's, and the dealer's with the cards."""
    house.opened("t1", "lunar-poker", seats=(1, 2), source="physical").until("t1", "wagering")
    for seat in (1, 2):
        for wager in ("ante", "super"):
            house.dealer("t1", "wager", seat=seat, wager=wager, amount=1000)
    house.until("t1", "dealing")
    house.dealer("t1", "deal", cards="Kd")
    house.until("t1", "deciding")
    house.dealer("t1", "declare", seat=2)
    house.dealer("t1", "declare", seat=2, cards="9h 8h 7h 6h Th")
    house.dealer("t1", "correct_card", wrong="Th", right="5h")
    house.dealer("t1", "decide", seat=1, choice="fold")
    house.until("t1", "revealing").dealer("t1", "reveal", cards="8d 7s 4d 2c")
    house.until("t1", "collecting").dealer("t1", "discard")
    shown = recall(house.store, "t1", 1)
    assert {line.wager for line in shown.lines if line.seat == 2} == {"super", "instant_payout"}
    assert [card.card for card in shown.cards if card.to == "seat 2"] == ["9h", "8h", "7h", "6h", "5h"]
    assert review(house.store, live=house.pit.tables()) == ()


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        ("hands.shown", lambda columns: columns["data"]["hands"].update({"1": "As Ad Ac 9s 8h 7d 3c"})),
        ("hands.shown", lambda columns: columns["data"].update(hands={"2": "As Ad Ac 9s 8h 7d 2h"})),
        ("hand.conceded", lambda columns: columns["data"].update(seat=1)),
        ("cards.dealt", _at_the_deal),
    ],
    ids=["a shown card", "the seat that showed", "the seat that conceded", "a face at the deal"],
)
def test_forged_showdowns_are_found(house: House, kind: str, change: Callable[[dict[str, Any]], None]) -> None:
    """Hole cards of who concedes are in no event, and recall says that they were not turned up."""
    house.opened("t1", "seven-card-stud", "hand", (1, 2), source="physical").until("t1", "wagering")
    for seat in (1, 2):
        house.dealer("t1", "wager", seat=seat, wager="table_stake", amount=40_000)
    house.until("t1", "dealing")
    for cards in ("Ac 2c", "9s 3s", "8h 5h", "7d 9d", ""):
        house.dealer("t1", "deal", cards=cards)
        while (hand := hand_at(house.pit.table("t1"))) is not None and hand.asked is not None:
            house.dealer("t1", "decide", seat=hand.asked, choice=hand.options[0].name)
    assert hand is not None
    assert hand.showing == 1
    house.dealer("t1", "reveal", cards="As Ad 2h")
    house.dealer("t1", "concede", seat=2)
    while house.pit.table("t1").play is not None:
        act(house, "t1", shuffled(Random(4)), Random(1))
    assert errors(review(house.store)) == ()
    shown = recall(house.store, "t1", 1)
    assert [card.card for card in shown.cards if card.to == "seat 2"] == [
        HIDDEN,
        HIDDEN,
        "2c",
        "3s",
        "5h",
        "9d",
        HIDDEN,
    ]
    assert b"conceded" in round_file(shown, "html").lower()
    rules, played = played_round(house.store, "t1", 1)
    again = read(written(rules, played), rules.as_of)[1]
    assert again.covered == played.covered == {"seat 2": 3}
    assert contest_named(rules.game).begun(rules, again).pots == contest_named(rules.game).begun(rules, played).pots
    forge(house.store, {recorded(house.store, kind).seq: change})
    assert codes(errors(review(house.store))) & {"replay-event", "replay-line", "replay-fold"}
