"""Sections .8 to .10 at the live table: the order of the deal card by card, the stub and its count."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from pitboss.cards import DECK, parse_cards, show_card, show_cards
from pitboss.table.dealing import slots_of
from pitboss.table.roles import Role
from pitboss.table.state import Phase
from tests.table.driver import CARD_GAMES, CHAPTERS, DEVICE_NAMES, PRINTED, Bench, submission_text

STUB_GAMES = ("three-card-poker", "four-card-poker", "four-card-frenzy")
READY = {"manual-shoe": "8(a)", "hand": "9(a)(2)", "automated-shoe": "10(a)(1)"}
ANNOUNCED = {"manual-shoe": "8(b)", "hand": "9(a)(3)", "automated-shoe": "10(a)(2)"}
ORDER = {"manual-shoe": "8(d)", "hand": "9(b)", "automated-shoe": "10(b)"}
STUB = {"manual-shoe": "8(e)", "hand": "9(c)", "automated-shoe": "10(c)"}
COUNT = {"manual-shoe": "8(f)", "hand": "9(d)", "automated-shoe": "10(d)"}
RIGHT = {"manual-shoe": "8(g)", "hand": "9(e)", "automated-shoe": "10(e)"}
WRONG = {"manual-shoe": "8(h)", "hand": "9(f)", "automated-shoe": "10(f)"}
HEADINGS = {"manual-shoe": ("8",), "hand": ("9", "9(a)"), "automated-shoe": ("10", "10(a)")}

EARLIER = str.maketrans("defgh", "cdefg")
"""Two chapters have one paragraph less in section .8, so the letters from (d) on move up by one."""

LEAST = {
    "three-card-poker": {"ante": 1000}, "four-card-poker": {"ante": 1000},
    "four-card-frenzy": {"ante": 1000, "odds": 1000}, "lunar-poker": {"ante": 1000, "super": 1000},
}  # fmt: skip
EXTRA = {
    "three-card-poker": {"five_card_progressive": 100}, "four-card-poker": {"six_card_bonus": 500},
    "four-card-frenzy": {"all_six": 500},
}  # fmt: skip

# Seats 2 and 5 play and seat 3 sits there without a wager. A capital letter is a card face up; D is the dealer (d face
# down), r a card that goes to the discard rack, c a community card, x the card of a bonus wager.
ORDERS = {
    ("three-card-poker", "manual-shoe"): ("25d 25d 25d", "25d 25d 25d cc"),
    ("three-card-poker", "hand"): ("25d 25d 25d", "25d 25d 25d cc"),
    ("three-card-poker", "automated-shoe"): ("222 555 ddd", "222 555 ddd cc"),
    ("four-card-poker", "manual-shoe"): ("25d 25d 25d 25d 25d D", "x 25d 25d 25d 25d 25d D"),
    ("four-card-poker", "hand"): ("25d 25d 25d 25d 25d D", "x 25d 25d 25d 25d 25d D"),
    ("four-card-poker", "automated-shoe"): ("22222 55555 ddddd Drrrr", "22222 55555 ddddd Dxrrr"),
    ("four-card-frenzy", "manual-shoe"): ("25d 25d 25d 25d 25d", "x 25d 25d 25d 25d 25d"),
    ("four-card-frenzy", "hand"): ("25d 25d 25d 25d 25d", "x 25d 25d 25d 25d 25d"),
    ("four-card-frenzy", "automated-shoe"): ("22222 55555 ddddd", "22222 55555 ddddd rrrrx"),
    ("lunar-poker", "manual-shoe"): ("25d 25d 25d 25d 25D", ""),
    ("lunar-poker", "hand"): ("25d 25d 25d 25d 25D", ""),
    ("lunar-poker", "automated-shoe"): ("22222 55555 ddddD", ""),
}
BONUS_CARD = {"four-card-poker": "six_card_bonus_card", "four-card-frenzy": "all_six_card"}


def paragraph(game: str, dealing: str, of: dict[str, str]) -> str:
    found = of[dealing]
    if dealing == "manual-shoe" and of not in (READY, ANNOUNCED) and game in ("four-card-frenzy", "lunar-poker"):
        found = found.translate(EARLIER)
    return f"{CHAPTERS[game]}.{found}"


def places(game: str, order: str) -> list[tuple[str, bool]]:
    names = {"d": "dealer", "r": "discard", "c": "community", "x": BONUS_CARD.get(game, "")}
    return [(names.get(letter.lower(), f"seat {letter}"), letter == "D") for letter in order.replace(" ", "")]


def by_device(
    *parts: dict[str, str], games: tuple[str, ...] = PRINTED, devices: tuple[str, ...] = DEVICE_NAMES
) -> list[Any]:
    return [
        pytest.param(
            game, dealing, id=f"{game}-{dealing}", marks=pytest.mark.law(*(paragraph(game, dealing, p) for p in parts))
        )
        for game in games
        for dealing in devices
    ]


def wagered(
    game: str, dealing: str = "manual-shoe", *, extra: bool = False, source: str = "virtual", **how: Any
) -> Bench:
    """Seats 2, 3 and 5 are taken, 2 and 5 have wagered, and the cards may be dealt."""
    bench = Bench(game, submission_text(game, dealing, **how), source=source).opened(2, 3, 5).ready()
    return stake(bench, extra=extra)


def stake(bench: Bench, *, extra: bool = False) -> Bench:
    for seat in (2, 5):
        for wager, amount in LEAST[bench.game].items():
            bench.dealer("wager", seat=seat, wager=wager, amount=amount)
    for wager, amount in EXTRA.get(bench.game, {}).items() if extra else ():
        bench.dealer("wager", seat=5, wager=wager, amount=amount)
    return bench.until("dealing")


def finish(bench: Bench) -> None:
    while bench.table.play is not None:
        bench.step()


def orders(extra: bool) -> Iterator[Any]:
    for (game, dealing), written in ORDERS.items():
        if written[extra]:
            laws = [paragraph(game, dealing, ORDER)]
            if dealing == "automated-shoe" and game in ("three-card-poker", "four-card-poker"):
                laws.append(f"{CHAPTERS[game]}.10(c)")
            yield pytest.param(game, dealing, extra, id=f"{game}-{dealing}-{extra}", marks=pytest.mark.law(*laws))


@pytest.mark.parametrize(("game", "dealing", "extra"), [*orders(extra=False), *orders(extra=True)])
def test_cards_leave_the_deck_in_the_order_of_the_law(game: str, dealing: str, extra: bool) -> None:
    bench = wagered(game, dealing, extra=extra)
    at_once = bench.fork()
    expected = places(game, ORDERS[game, dealing][extra])
    found = []
    for number in range(len(expected)):
        assert bench.table.phase == "dealing"
        (event,) = bench.dealer("deal", count=1)
        assert event.cites == (paragraph(game, dealing, ORDER),)
        ((card, to, face_up),) = event.data["cards"]
        found.append((to, face_up))
        assert bench.table.play is not None
        assert len(bench.table.play.left_deck) == number + 1
        assert show_cards(bench.table.play.left_deck[-1:]) == card
    assert found == expected
    assert bench.table.phase != "dealing"
    at_once.dealer("deal")
    assert at_once.table.play == bench.table.play
    stack = bench.desk.decks["t1", "red"].cards
    for at in bench.table.decks["red"].cuts:
        stack = stack[at:] + stack[:at]
    assert bench.table.play is not None
    assert bench.table.play.left_deck == stack[: len(expected)]
    assert bench.table.play.hand("seat 3") == ()


@pytest.mark.parametrize(
    ("game", "dealing"),
    [
        *by_device(READY, devices=("manual-shoe", "automated-shoe")),
        *by_device(devices=("hand",)),  # 9(a)(2) is about the hand that holds the deck, which nobody sees here
    ],
)
def test_cards_are_dealt_only_when_shuffled_and_cut(game: str, dealing: str) -> None:
    cite = paragraph(game, dealing, READY)
    if dealing == "hand":
        cite = paragraph(game, dealing, ANNOUNCED)
    bench = Bench(game, submission_text(game, dealing)).opened(2).until("shuffling")
    assert bench.denied(Role.DEALER, "deal") == ("phase", cite)
    bench.dealer("shuffle")
    if dealing != "hand":
        assert bench.table.phase == "cutting"
        assert bench.denied(Role.DEALER, "deal") == ("phase", cite)
        bench.dealer("cut", at=10)
    assert bench.denied(Role.DEALER, "deal") == ("phase", paragraph(game, dealing, ANNOUNCED))


@pytest.mark.parametrize(
    ("game", "dealing"),
    [
        pytest.param(game, dealing, marks=pytest.mark.law(*(f"{CHAPTERS[game]}.{name}" for name in HEADINGS[dealing])))
        for game in PRINTED
        for dealing in DEVICE_NAMES
    ],
)
def test_the_steps_of_the_section_come_in_its_order(game: str, dealing: str) -> None:
    bench = Bench(game, submission_text(game, dealing)).opened(2, 3, 5).ready()
    start = len(bench.log)
    stake(bench)
    bench.until("deciding")
    section = f"{CHAPTERS[game]}.{HEADINGS[dealing][0]}("
    steps = [
        (event.kind, event.cites) for event in bench.log[start:] if any(c.startswith(section) for c in event.cites)
    ]
    expected = [("bets.closed", ANNOUNCED), ("cards.dealt", ORDER)]
    if game in STUB_GAMES:
        expected.append(("stub.placed", STUB))
    assert steps == [(kind, (paragraph(game, dealing, part),)) for kind, part in expected]
    assert [event.kind for event in bench.log[start:] if event.kind != "wager.placed"] == [kind for kind, _ in expected]


@pytest.mark.parametrize(("game", "dealing"), by_device(STUB, games=STUB_GAMES))
def test_the_stub_goes_to_the_rack_before_anybody_decides(game: str, dealing: str) -> None:
    bench = wagered(game, dealing, extra=True)
    assert bench.denied(Role.DEALER, "stub") == ("phase", paragraph(game, dealing, STUB))
    bench.dealer("deal")
    assert bench.table.phase == "stub"
    assert bench.denied(Role.DEALER, "decide", seat=2, choice="fold")[0] == "phase"
    assert bench.denied(Role.DEALER, "reveal")[0] == "phase"
    (event,) = bench.dealer("stub")
    assert event.cites == (paragraph(game, dealing, STUB),)
    assert "cards" not in event.data  # nobody sees them
    assert bench.table.phase == "deciding"


@pytest.mark.parametrize(("game", "dealing"), by_device(COUNT, RIGHT, games=STUB_GAMES))
def test_the_stub_is_counted_at_least_once_in_five_rounds(game: str, dealing: str) -> None:
    bench = Bench(game, submission_text(game, dealing)).opened(2, 3, 5)
    left = 52 - len(places(game, ORDERS[game, dealing][1]))
    for number in range(1, 13):
        bench.ready()
        stake(bench, extra=True)
        bench.dealer("deal")
        if number in (5, 12):  # the fifth round; then, counted in round 7 unasked, the fifth after that
            assert bench.denied(Role.DEALER, "stub") == ("count-due", paragraph(game, dealing, COUNT))
        if number in (5, 7, 12):
            (event,) = bench.dealer("stub", count=left)
            assert event.cites == (paragraph(game, dealing, RIGHT),)
            assert bench.table.phase == "deciding"
        else:
            bench.dealer("stub")
        finish(bench)
    assert bench.table.rounds == 12
    assert sum(bench.desk.balances.values()) == 0


@pytest.mark.parametrize(("game", "dealing"), by_device(COUNT, games=STUB_GAMES))
def test_no_count_is_due_where_the_shuffler_counts(game: str, dealing: str) -> None:
    bench = Bench(game, submission_text(game, dealing, counts=True)).opened(2, 3, 5)
    for _ in range(7):
        bench.ready()
        stake(bench)
        bench.dealer("deal")
        bench.dealer("stub")
        finish(bench)
    assert bench.table.rounds == 7


@pytest.mark.parametrize(
    "game", [pytest.param(game, marks=pytest.mark.law(paragraph(game, "manual-shoe", COUNT))) for game in STUB_GAMES]
)
def test_rounds_shuffled_by_hand_are_counted_though_the_broken_shuffler_would_count(game: str) -> None:
    bench = Bench(game, submission_text(game, counts=True)).opened(2, 3, 5)
    bench.round(2, 5)
    bench.ready()
    bench.dealer("irregularity", what="device-out-of-order", device="shuffler")
    bench.dealer("cover_device", device="shuffler")
    bench.floor("change_method", shuffling="hand")
    for _ in range(4):
        bench.ready()
        stake(bench)
        bench.dealer("deal")
        bench.dealer("stub")
        finish(bench)
    repaired = bench.fork()
    repaired.floor("repair_device", device="shuffler")
    for other in (bench, repaired):
        other.ready()
        stake(other)
        other.dealer("deal")
    assert bench.denied(Role.DEALER, "stub") == ("count-due", paragraph(game, "manual-shoe", COUNT))
    repaired.dealer("stub")  # the shuffler has counted the cards of this round


def test_new_cards_start_a_new_count_of_rounds() -> None:
    bench = Bench("three-card-poker").opened(2, 3, 5)
    for _ in range(4):
        bench.round(2)
    bench.floor("change_decks")
    bench.ready()
    stake(bench)
    bench.dealer("deal")
    bench.dealer("stub")  # the fifth round of the table, the first of these cards


@pytest.mark.parametrize("misdealt", [True, False])
@pytest.mark.parametrize(("game", "dealing"), by_device(WRONG, games=STUB_GAMES))
def test_a_wrong_count_voids_the_round_and_unless_misdealt_removes_the_deck(
    game: str, dealing: str, misdealt: bool
) -> None:
    bench = wagered(game, dealing, extra=True)
    bench.dealer("deal")
    left = 52 - len(places(game, ORDERS[game, dealing][1]))
    cite = paragraph(game, dealing, WRONG)
    assert bench.denied(Role.DEALER, "stub", count=left - 1) == ("misdealt", cite)
    assert bench.denied(Role.DEALER, "stub", count=53)[0] == "count"
    start = len(bench.log)
    bench.dealer("stub", count=left - 1, misdealt=misdealt)
    voided = next(event for event in bench.log[start:] if event.kind == "round.voided")
    assert voided.cites == (cite,)
    for player in ("p2", "p3", "p5"):
        assert bench.chips(player) == 1_000_000
    assert bench.held("layout:t1") == 0
    assert bench.held("inventory:t1") == (50_000_000 - 3 * 1_000_000) * 10_000
    assert sum(bench.desk.balances.values()) == 0
    assert not any(event.kind == "line.settled" for event in bench.log[start:])
    if misdealt:
        assert (list(bench.table.decks), bench.table.phase) == (["red"], Phase.SHUFFLING)
        assert "deck.removed" not in bench.kinds(start)
    else:
        assert (bench.table.decks, bench.table.phase) == ({}, Phase.OPENING)
        assert bench.denied(Role.DEALER, "shuffle")[0] == "phase"
        assert next(event.cites for event in bench.log if event.kind == "deck.removed") == (cite,)
    bench.round(2, 5)
    received = 1 if misdealt else 2
    assert bench.kinds().count("decks.received") == received
    assert bench.table.rounds == 2


@pytest.mark.parametrize(
    ("game", "extra", "leftover"),
    [
        pytest.param("four-card-poker", False, 4, marks=pytest.mark.law("641a.10(c)")),
        pytest.param("four-card-poker", True, 3, marks=pytest.mark.law("641a.10(c)")),
        pytest.param("four-card-frenzy", True, 4, marks=pytest.mark.law("684a.10(b)")),
    ],
)
def test_the_rest_of_a_stack_goes_to_the_rack_unseen(game: str, extra: bool, leftover: int) -> None:
    bench = wagered(game, "automated-shoe", extra=extra)
    bench.dealer("deal")
    assert bench.table.play is not None
    rest = [dealt for dealt in bench.table.play.dealt if dealt.to == "discard"]
    assert len(rest) == leftover
    assert not any(dealt.face_up for dealt in rest)
    finish(bench)
    rack = dict(next(event.data["rack"] for event in bench.log if event.kind == "cards.collected"))
    assert rack["discard"] == show_cards(dealt.card for dealt in rest if dealt.card is not None)


@pytest.mark.parametrize(
    "game",
    [
        pytest.param("four-card-poker", marks=pytest.mark.law("641a.8(d)", "641a.9(b)", "641a.10(c)")),
        pytest.param("lunar-poker", marks=pytest.mark.law("671a.8(c)", "671a.9(b)", "671a.10(b)")),
    ],
)
@pytest.mark.parametrize("dealing", DEVICE_NAMES)
def test_the_last_card_of_the_dealer_lies_face_up_and_no_other(game: str, dealing: str) -> None:
    bench = wagered(game, dealing)
    bench.dealer("deal")
    assert bench.table.play is not None
    dealer = [dealt.face_up for dealt in bench.table.play.dealt if dealt.to == "dealer"]
    assert dealer == [False] * (len(dealer) - 1) + [True]
    assert sum(dealt.face_up for dealt in bench.table.play.dealt) == 1


@pytest.mark.parametrize(
    "game", [pytest.param(game, marks=pytest.mark.law(f"{CHAPTERS[game]}.9(a)(1)")) for game in PRINTED]
)
def test_cards_dealt_from_the_hand_are_shuffled_by_a_device(game: str) -> None:
    bench = Bench(game, submission_text(game, "hand")).opened(2, 3, 5).until("shuffling")
    assert bench.denied(Role.DEALER, "shuffle", method="hand")[0] == "method"
    bench.dealer("irregularity", what="device-out-of-order", device="shuffler")
    assert bench.denied(Role.DEALER, "shuffle")[0] == "device-out-of-order"
    bench.dealer("cover_device", device="shuffler", how="sign")
    refusal = bench.denied(Role.FLOORPERSON, "change_method", shuffling="hand")
    assert refusal == ("shuffler-required", f"{CHAPTERS[game]}.9(a)(1)")
    bench.floor("change_method", shuffling="hand", dealing="manual-shoe")
    bench.dealer("shuffle")
    bench.dealer("cut", at=10)
    stake(bench)
    (event,) = bench.dealer("deal")
    assert event.cites == (paragraph(game, "manual-shoe", ORDER),)


@pytest.mark.parametrize("dealing", DEVICE_NAMES)
@pytest.mark.parametrize("game", PRINTED)
def test_keyed_in_cards_go_where_the_law_sends_them(game: str, dealing: str) -> None:
    bench = wagered(game, dealing, source="keyed")
    expected = places(game, ORDERS[game, dealing][0])
    deck = [f"{rank}{suit}" for suit in "shdc" for rank in "AKQJT98765432"]
    written, cite = deck[: len(expected)], paragraph(game, dealing, ORDER)
    assert bench.denied(Role.DEALER, "deal") == ("no-card", cite)
    assert bench.denied(Role.DEALER, "deal", cards="As Kx") == ("not-a-card", cite)
    assert bench.denied(Role.DEALER, "deal", cards="As As") == ("card-twice", cite)
    assert bench.denied(Role.DEALER, "deal", cards=" ".join(deck[: len(expected) + 1])) == ("card-count", cite)
    assert bench.denied(Role.DEALER, "deal", cards="As Ks", count=3) == ("card-count", cite)
    bench.dealer("deal", cards="as,ks")  # commas, small letters
    assert bench.denied(Role.DEALER, "deal", cards="Qs Ks") == ("card-already-seen", cite)
    bench.dealer("deal", cards=" ".join(written[2:]))
    play = bench.table.play
    assert play is not None
    assert [(dealt.to, dealt.face_up) for dealt in play.dealt] == expected
    for place in ("seat 2", "seat 5", "dealer"):
        own = [card for card, (to, _) in zip(written, expected, strict=True) if to == place]
        assert play.hand(place) == parse_cards(" ".join(own))
    assert bench.table.phase != "dealing"


@pytest.mark.parametrize("game", CARD_GAMES)
def test_a_mis_keyed_card_is_corrected_until_the_next_act(game: str) -> None:
    """The round goes on as if the right card had been keyed in the first place; afterwards it is too late."""
    right = Bench(game, source="keyed").opened(2, 3).ready()
    right.wager_all(2, 3)
    wrong = right.until("dealing").fork()
    cards = right.cards_to_key(len(slots_of(right.table, right.table.playing)))
    first, rest = cards.split()[0], cards.split()[1:]
    other = next(show_card(card) for card in reversed(DECK) if show_card(card) not in cards)
    right.dealer("deal", cards=cards)
    wrong.dealer("deal", cards=other + "".join(rest[:1]))  # hand after hand, written without blanks
    assert wrong.denied(Role.DEALER, "correct_card", wrong=other, right=rest[0])[0] == "card-already-seen"
    assert wrong.denied(Role.DEALER, "correct_card", wrong=first, right=other)[0] == "not-keyed"
    assert wrong.denied(Role.DEALER, "correct_card", wrong=other, right=f"{first} {other}")[0] == "card-already-seen"
    wrong.dealer("deal", cards=" ".join(rest[1:]))
    (event,) = wrong.dealer("correct_card", wrong=other, right=first)
    assert (event.kind, event.data["right"]) == ("card.corrected", first)
    assert replace(wrong.table, events=0) == replace(right.table, events=0)
    wrong.step()
    assert wrong.denied(Role.DEALER, "correct_card", wrong=first, right=other)[0] in ("not-keyed", "phase")


def test_cards_bought_with_a_wrong_key_are_corrected_too() -> None:
    bench = Bench("lunar-poker", source="keyed").opened(2)
    bench.dealt({2: {"ante": 1000, "super": 1000}}, {2: "As Kd 9h 6c 3s", "dealer": "2c 4d 7h 8s Jc"})
    bench.dealer("decide", seat=2, choice="buy")
    bench.until("drawing")
    (*_, drawn) = bench.dealer("draw", cards="Qs")
    assert bench.denied(Role.DEALER, "correct_card", wrong="As", right="Qd")[0] == "not-keyed"
    bench.dealer("correct_card", wrong="Q♠", right="q♥")
    play = bench.table.playing
    assert drawn.kind == "cards.drawn"
    assert [each.drawn for each in play.decisions[2].values()] == [parse_cards("Qh")]
    assert parse_cards("Qh")[0] in play.left_deck


@pytest.mark.parametrize("game", PRINTED)
def test_a_virtual_deck_takes_no_keyed_in_card(game: str) -> None:
    bench = wagered(game)
    assert bench.denied(Role.DEALER, "deal", cards="As")[0] == "card-source"
    assert bench.denied(Role.DEALER, "deal", count=-1)[0] == "card-count"
    assert bench.denied(Role.DEALER, "deal", count=52)[0] == "card-count"


@pytest.mark.law("641a.10(g)")
@pytest.mark.parametrize("extra", [False, True])
def test_a_shoe_that_reshuffles_may_give_the_dealers_cards_first(extra: bool) -> None:
    """At a keyed-in table: the dealer's six cards, the rest of their stack, then the players' stacks."""
    bench = wagered("four-card-poker", "automated-shoe", source="keyed", reshuffles=True, extra=extra)
    deck = [f"{rank}{suit}" for suit in "shdc" for rank in "AKQJT98765432"]
    bench.dealer("deal", cards=" ".join(deck[:6]), dealer_first=True)
    play = bench.table.play
    assert play is not None
    assert play.hand("dealer") == parse_cards(" ".join(deck[:6]))
    (event,) = bench.dealer("deal", cards=" ".join(deck[6:20]))
    assert "641a.10(g)" in event.cites
    play = bench.table.play
    assert play is not None
    assert [(dealt.to, dealt.face_up) for dealt in play.dealt] == places(
        "four-card-poker", "dddddD" + ("xrrr" if extra else "rrrr") + "22222" + "55555"
    )
    assert play.hand("seat 5") == parse_cards(" ".join(deck[15:20]))
    finish(bench)
    assert bench.table.play is None


@pytest.mark.law("641a.10(g)")
def test_nobody_else_gives_the_dealers_cards_first() -> None:
    for game, dealing, reshuffles in (
        ("four-card-poker", "automated-shoe", False),
        ("four-card-poker", "manual-shoe", False),
        ("four-card-frenzy", "automated-shoe", True),
    ):
        bench = wagered(game, dealing, source="keyed", reshuffles=reshuffles)
        assert bench.denied(Role.DEALER, "deal", cards="As", dealer_first=True)[0] == "dealer-first"
    bench = wagered("four-card-poker", "automated-shoe", source="keyed", reshuffles=True)
    bench.dealer("deal", cards="As")
    assert bench.denied(Role.DEALER, "deal", cards="Ks", dealer_first=True)[0] == "dealer-first"


@pytest.mark.law(
    "647a.9(b)", "647a.9(c)", "647a.9(d)", "647a.9(e)", "647a.9(f)", "647a.9(g)", "647a.9(h)", "647a.11(l)"
)
def test_from_the_hand_647a_deals_face_down_and_counts_the_stub() -> None:
    """Two cards to each player with an Ante and the dealer, the board by streets, and a count in five rounds."""
    game = "texas-hold-em-bonus"
    bench = Bench(game, submission_text(game, "hand")).opened(2, 3, 5)
    left = 52 - (4 + 3 * 2 + 5)
    for number in range(1, 7):
        bench.ready()
        start = len(bench.log)
        for seat in (2, 5):
            bench.dealer("wager", seat=seat, wager="ante", amount=1000)
        bench.dealer("wager", seat=2, wager="six_card_bonus", amount=500)
        bench.until("dealing")
        bench.dealer("deal")
        bench.until("stub")
        cites = [cite for event in bench.log[start:] for cite in event.cites if ".9(" in cite]
        assert cites == ["647a.9(b)", "647a.9(d)", *["647a.9(e)"] * 3]
        dealt = (event for event in bench.log[start:] if event.kind == "cards.dealt")
        order = [(to, face_up) for event in dealt for _, to, face_up in event.data["cards"]]
        hands = [*["six_card_bonus_cards"] * 4, *["seat 2", "seat 5", "dealer"] * 2]
        assert order == [*((place, False) for place in hands), *[("community", True)] * 5]
        if number == 5:
            assert bench.denied(Role.DEALER, "stub") == ("count-due", "647a.9(f)")
            assert bench.dealer("stub", count=left)[0].cites == ("647a.9(g)",)
        elif number == 6:
            bench.dealer("stub", count=left - 1, misdealt=False)
            assert next(event.cites for event in bench.log if event.kind == "round.voided") == ("647a.9(h)",)
            return
        else:
            assert bench.dealer("stub")[0].cites == ("647a.9(e)",)
        finish(bench)
        assert next(e.cites for e in bench.log[start:] if e.kind == "cards.collected") == ("647a.11(l)",)
