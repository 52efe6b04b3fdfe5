"""Section .11(c) and .12 at the table: who validates a progressive win, who pays it, and what stays on the meter."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import pytest

from pitboss.submission import Selection, read_submission
from pitboss.table.guide import next_step
from pitboss.table.roles import Role
from pitboss.table.settling import Validate
from tests.table.driver import Bench, Hands, submission_text, with_choices, with_letter
from tests.table.test_settlement import money_is_whole, settled

CENT = 10_000
DOLLAR = 100 * CENT


def meter(bench: Bench, name: str, tier: str = "meter") -> int:
    """What a meter shows, in units of 1/10,000 cent."""
    return bench.held(f"meter:{bench.table.meters[name]}:{tier}")


def played(game: str, wagers: Mapping[int, Mapping[str, int]], hands: Hands, text: str = "") -> Bench:
    """A keyed-in round at which everybody plays, up to the first turn that the dealer would settle."""
    bench = Bench(game, text, source="keyed").opened(*sorted(wagers)).dealt(wagers, hands)
    while bench.table.phase == "deciding":
        seat = min(seat for seat in wagers if seat not in (bench.table.play.decisions if bench.table.play else {}))
        bench.dealer("decide", seat=seat, choice="play", amount=wagers[seat]["ante"])
    return bench.until("settling")


def waits_for_floorperson(bench: Bench, seat: int, cite: str) -> None:
    """The dealer cannot pay, nobody but a floorperson or above validates, and only the seat whose turn it is."""
    assert bench.refused(Role.DEALER, "settle") == ("validation-needed", cite)
    step = next_step(bench.table, bench.desk)
    assert step is not None
    assert (step.role, step.seat, step.cite) == (Role.FLOORPERSON, seat, cite)
    for role in (Role.DEALER, Role.PLAYER, Role.AUDITOR):
        assert bench.refused(role, "validate", seat=seat)[0] == "permission"
    assert bench.refused(Role.FLOORPERSON, "validate", seat=seat + 1)[0] == "nothing-to-validate"
    same_person = bench.why_not(Role.FLOORPERSON, {"command": "validate", "seat": seat}, "dealer-1")
    assert [finding.code for finding in same_person] == ["two-people"]
    assert bench.table.play is not None
    assert not any(line.turn == seat for line in bench.table.play.lines)


def cards_stay(bench: Bench, cite: str) -> None:
    """Cards are not collected before a floorperson has completed the documents."""
    bench.until("collecting")
    assert bench.refused(Role.DEALER, "discard") == ("paperwork", cite)
    assert bench.refused(Role.DEALER, "complete_paperwork")[0] == "permission"
    bench.floor("complete_paperwork", document="W2-G")
    assert bench.refused(Role.FLOORPERSON, "complete_paperwork")[0] == "no-paperwork"
    bench.dealer("discard")
    assert bench.table.play is None
    money_is_whole(bench)


@pytest.mark.law("649a.11(c)(5)(iii)", "649a.11(c)(5)(iv)", "649a.12(e)(3)", "649a.12(e)(4)")
def test_a_three_card_jackpot_is_validated_paid_by_the_meter_and_documented() -> None:
    wagers = {1: {"ante": 1000}, 2: {"pair_plus": 500, "three_card_progressive": 100}}
    bench = played("three-card-poker", wagers, {1: "Qh 9d 4c", 2: "As Ks Qs", "dealer": "Qd 8h 3s"})
    assert meter(bench, "three_card_progressive") == 1000 * DOLLAR + 14 * CENT  # $1,000 and 14 % of $1
    waits_for_floorperson(bench, 2, "649a.11(c)(5)(iii)")
    inventory = bench.held("inventory:t1")
    bench.floor("validate", seat=2)
    bench.dealer("settle", turns=1)
    # Pair Plus pays 35 to 1 from the inventory, the meter $1,000.14; the $1 chip was collected before the deal.
    assert bench.chips("p2") == 1_000_000 - 100 + 17_500 + 100_014
    assert bench.held("inventory:t1") == inventory - 17_500 * CENT
    assert meter(bench, "three_card_progressive") == 1000 * DOLLAR
    cards_stay(bench, "649a.11(c)(5)(iv)")


@pytest.mark.law("649a.11(c)(5)(i)", "649a.11(c)(5)(iii)")
def test_a_progressive_win_at_odds_is_validated_but_paid_from_the_inventory() -> None:
    wagers = {3: {"ante": 1000, "three_card_progressive": 100}}
    bench = played("three-card-poker", wagers, {3: "8c 8d 8h", "dealer": "Qd 9h 3s"})
    waits_for_floorperson(bench, 3, "649a.11(c)(5)(iii)")
    inventory, shown = bench.held("inventory:t1"), meter(bench, "three_card_progressive")
    bench.floor("validate", seat=3)
    bench.dealer("settle")
    line = settled(bench, 3)[-1]
    assert line == ("three_card_progressive", "win", 5900, "649a.11(c)(5)(iv)")  # 60 for 1
    won = 1000 + 1000 + 4000 + 6000  # Ante, Play, an Ante Bonus of 4 to 1, the progressive
    assert bench.held("inventory:t1") == inventory - won * CENT
    assert meter(bench, "three_card_progressive") == shown
    bench.dealer("discard")
    assert bench.table.play is None


@pytest.mark.law("649a.11(c)(7)(iii)", "649a.11(c)(7)(iv)", "649a.11(c)(7)(v)", "649a.12(h)(1)", "649a.12(h)(4)")
def test_two_shares_of_one_meter_are_taken_one_after_the_other() -> None:
    each = {"pair_plus": 500, "five_card_progressive": 100}
    hands: Hands = {1: "7s 6s 5s", 4: "Qs Js Ts", "dealer": "Kd 4h 3c", "community": "9s 8s"}
    bench = played("three-card-poker", {1: each, 4: each}, hands)
    assert meter(bench, "five_card_progressive") == 10_000 * DOLLAR + 42 * CENT
    waits_for_floorperson(bench, 4, "649a.11(c)(7)(iii)")
    chips = bench.chips("p4")
    bench.floor("validate", seat=4)
    bench.dealer("settle")
    # 10 % of $10,000.42 is $1,000.042: $1,000.04 is paid. Pair Plus pays 35 to 1, and the Envy Bonus comes later.
    assert bench.chips("p4") - chips == 100_004 + 500 + 17_500
    assert meter(bench, "five_card_progressive") == 9000 * DOLLAR + 38 * CENT
    assert bench.refused(Role.DEALER, "settle") == ("validation-needed", "649a.11(c)(7)(iii)")
    bench.floor("validate", seat=1)
    bench.dealer("settle")
    # 10 % of $9,000.38 is $900.038.
    assert settled(bench, 1) == [
        ("five_card_envy", "win", 30_000, "649a.11(c)(7)(v)"),
        ("pair_plus", "win", 17_500, "649a.11(c)(4)"),
        ("five_card_progressive", "win", 90_003 - 100, "649a.11(c)(7)(iv)"),
    ]
    assert settled(bench, 4)[-1] == ("five_card_envy", "win", 30_000, "649a.11(c)(7)(v)")
    assert meter(bench, "five_card_progressive") == 8100 * DOLLAR + 35 * CENT
    cards_stay(bench, "649a.11(c)(7)(iv)")


@pytest.mark.law("649a.11(c)(9)(iii)", "649a.11(c)(9)(iv)", "649a.11(c)(9)(v)", "649a.12(j)(1)", "649a.12(j)(4)")
def test_a_royal_flush_of_five_of_six_takes_a_quarter_of_the_meter() -> None:
    wagers = {1: {"ante": 1000, "five_of_six_progressive": 100}, 2: {"pair_plus": 500, "five_of_six_progressive": 100}}
    bench = played("three-card-poker", wagers, {1: "9c 7d 5d", 2: "Jh Th 2c", "dealer": "Ah Kh Qh"})
    assert meter(bench, "five_of_six_progressive") == 10_000 * DOLLAR + 56 * CENT
    waits_for_floorperson(bench, 2, "649a.11(c)(9)(iii)")
    bench.floor("validate", seat=2)
    bench.dealer("settle", turns=1)
    assert settled(bench, 2)[-1] == ("five_of_six_progressive", "win", 250_014 - 100, "649a.11(c)(9)(iv)")
    assert settled(bench, 1) == [("five_of_six_envy", "win", 5000, "649a.11(c)(9)(v)")]
    assert meter(bench, "five_of_six_progressive") == 7500 * DOLLAR + 42 * CENT
    cards_stay(bench, "649a.11(c)(9)(iv)")


@pytest.mark.law("641a.11(c)(5)(iii)", "641a.11(c)(5)(iv)", "641a.12(e)(3)", "641a.12(e)(4)")
@pytest.mark.law("641a.11(c)(5)(v)", "641a.11(c)(5)(v)(B)")
def test_the_second_royal_flush_of_a_round_is_paid_from_the_reseeded_meter() -> None:
    each = {"aces_up": 500, "five_card_progressive": 100}
    hands: Hands = {2: "As Ks Qs Js Ts", 5: "Ah Kh Qh Jh Th", 6: "2c 3d 5h 7s 9c", "dealer": "8c 8d 4h 4s 6d 2d"}
    bench = played("four-card-poker", {2: each, 5: each, 6: each}, hands)
    assert meter(bench, "five_card_progressive") == 10_000 * DOLLAR + 63 * CENT
    bench.dealer("settle")
    assert [line["seat"] for line in bench.lines()] == [6, 6]
    waits_for_floorperson(bench, 5, "641a.11(c)(5)(iii)")
    inventory = bench.held("inventory:t1")
    bench.floor("validate", seat=5)
    bench.dealer("settle")
    # Four hearts in sequence pay 30 to 1 on Aces Up; the royal flush earns the two others $1,000 each. Both come from
    # the inventory; the $10,000.63 does not.
    assert inventory - bench.held("inventory:t1") == (15_000 + 2 * 100_000) * CENT
    assert bench.chips("p5") == 1_000_000 - 100 + 15_000 + 1_000_063
    assert meter(bench, "five_card_progressive") == 10_000 * DOLLAR
    paid = [event.data for event in bench.log if event.kind == "meter.paid"]
    assert [(data["amount"], data["reseeded"], data["winners"]) for data in paid] == [(1_000_063, True, [5])]

    waits_for_floorperson(bench, 2, "641a.11(c)(5)(iii)")
    bench.floor("validate", seat=2)
    bench.dealer("settle")
    assert bench.chips("p2") == 1_000_000 - 100 + 15_000 + 1_000_000 + 100_000
    assert bench.chips("p5") == 1_000_000 - 100 + 15_000 + 1_000_063 + 100_000
    assert bench.chips("p6") == 1_000_000 - 500 - 100 + 2 * 100_000
    assert meter(bench, "five_card_progressive") == 10_000 * DOLLAR
    cards_stay(bench, "641a.11(c)(5)(iv)")


@pytest.mark.law("641a.11(c)(5)(iv)", "641a.11(c)(5)(v)(A)", "641a.12(d)(3)", "641a.12(d)(4)")
def test_where_a_meter_has_a_reserve_it_pays_for_the_reseed_as_far_as_it_goes() -> None:
    text = with_letter(submission_text("four-card-poker"), "four_card_progressive", "B")
    each = {"aces_up": 500, "four_card_progressive": 100}
    hands: Hands = {1: "As Ad Ac Ah 2c", 2: "2d 3d 5h 7s 9c", "dealer": "8c 8d 4h 4s 6d 2h"}
    bench = played("four-card-poker", {1: each, 2: each}, hands, text)
    assert meter(bench, "four_card_progressive") == 1000 * DOLLAR + 50 * CENT  # table B: 25 % and 5 % in reserve
    assert meter(bench, "four_card_progressive", "reserve") == 10 * CENT
    house = bench.held("house")
    bench.until("collecting")
    assert settled(bench, 1) == [
        ("aces_up", "win", 25_000, "641a.11(c)(4)"),  # 50 to 1
        ("four_card_progressive", "win", 100_050 - 100, "641a.11(c)(5)(iv)"),
    ]
    assert settled(bench, 2)[-1] == ("four_card_envy", "win", 10_000, "641a.11(c)(5)(v)(A)")
    assert meter(bench, "four_card_progressive") == 1000 * DOLLAR
    assert meter(bench, "four_card_progressive", "reserve") == 0
    assert house - bench.held("house") == 1000 * DOLLAR - 10 * CENT
    cards_stay(bench, "641a.11(c)(5)(iv)")


HAND_BONUS = (
    pytest.param(
        "four-card-poker", "641a.11(c)(7)", 13,
        {"dealer": "As Ks Qs Js Ts 2d", 1: "2c 3d 5h 7s 9c", 3: "2h 3c 5d 7h 9d", 4: "4c 6d 8h Jc Kd"},
        marks=pytest.mark.law("641a.11(c)(7)(ii)", "641a.11(c)(7)(iii)", "641a.12(g)(2)", "641a.12(g)(4)"),
    ),
    pytest.param(
        "three-card-poker", "649a.11(c)(8)", 21,
        {"dealer": "As Ks Qs", "community": "Js Ts", 1: "2c 5d 9h", 3: "3c 6d Th", 4: "4c 7d Jh"},
        marks=pytest.mark.law("649a.11(c)(8)(ii)", "649a.11(c)(8)(iii)", "649a.12(i)(2)", "649a.12(i)(4)"),
    ),
)  # fmt: skip


@pytest.mark.parametrize(("game", "cite", "rate", "hands"), HAND_BONUS)
def test_a_jackpot_on_the_dealers_hand_is_divided_among_all_who_wagered_on_it(
    game: str, cite: str, rate: int, hands: Hands
) -> None:
    each = {"ante": 1000, "five_card_hand_dealer": 100}
    bench = played(game, {1: each, 3: each, 4: each}, hands)
    assert meter(bench, "five_card_hand") == 10_000 * DOLLAR + 3 * rate * CENT
    assert meter(bench, "five_card_hand", "reserve") == 3 * 8 * CENT
    waits_for_floorperson(bench, 4, f"{cite}(ii)")
    share = (1_000_000 + 3 * rate) // 3
    over = (1_000_000 + 3 * rate) % 3
    for seat in (4, 3, 1):
        assert bench.refused(Role.DEALER, "settle") == ("validation-needed", f"{cite}(ii)")
        bench.floor("validate", seat=seat)
        bench.dealer("settle", turns=1)
        assert settled(bench, seat)[-1] == ("five_card_hand_dealer", "win", share - 100, f"{cite}(iii)")
        assert bench.chips(f"p{seat}") == 1_000_000 - 2000 - 100 + share
        # Taken off once, at the first turn; the reserve is the new meter, and a part below one cent each stays on it.
        assert meter(bench, "five_card_hand") == (24 + over) * CENT
        assert meter(bench, "five_card_hand", "reserve") == 0
        assert bench.held("jackpots:t1") == {4: 2, 3: 1, 1: 0}[seat] * share * CENT
    cards_stay(bench, f"{cite}(iii)")


@pytest.mark.parametrize(("game", "cite", "rate", "hands"), HAND_BONUS)
def test_who_left_takes_no_part_in_a_divided_jackpot(game: str, cite: str, rate: int, hands: Hands) -> None:
    each = {"ante": 1000, "five_card_hand_dealer": 100}
    bench = played(game, {1: each, 3: each, 4: each}, hands)
    late = bench.fork()
    bench.dealer("leave", seat=3)
    bench.floor("abandon", seat=3)
    bench.until("collecting")
    share = (1_000_000 + 3 * rate) // 2
    assert [settled(bench, seat)[-1][2] for seat in (1, 4)] == [share - 100, share - 100]
    assert bench.chips("p3") == 1_000_000 - 2100
    cards_stay(bench, f"{cite}(iii)")

    late.floor("validate", seat=4)
    late.dealer("settle", turns=1)
    late.dealer("leave", seat=3)
    assert late.refused(Role.FLOORPERSON, "abandon", seat=3)[0] == "jackpot-divided"
    late.until("collecting")
    assert late.chips("p3") == 1_000_000 - 2100 + (1_000_000 + 3 * rate) // 3
    cards_stay(late, f"{cite}(iii)")


@pytest.mark.parametrize(
    ("game", "cite", "quads", "flush"),
    [
        pytest.param(
            "four-card-poker", "641a.11(c)(7)",
            {1: "8s 8d 8c 8h 2c", "dealer": "Ks Qd Jc 9h 4s 3d"}, {1: "Ac Tc 7c 4c 2c", "dealer": "Ks Qd Jc 9h 4s 3d"},
            marks=pytest.mark.law("641a.11(c)(7)(ii)", "641a.12(g)(1)"),
        ),
        pytest.param(
            "three-card-poker", "649a.11(c)(8)",
            {1: "8s 8d 8c", "community": "8h 2c", "dealer": "Ks 9d 4c"},
            {1: "Ac Tc 7c", "community": "4c 2c", "dealer": "Ks 9d 4s"},
            marks=pytest.mark.law("649a.11(c)(8)(ii)", "649a.12(i)(1)"),
        ),
    ],
)  # fmt: skip
def test_a_hand_bonus_of_500_for_1_is_verified_and_smaller_ones_are_not(
    game: str, cite: str, quads: Hands, flush: Hands
) -> None:
    wagers = {1: {"ante": 1000, "five_card_hand_player": 100}}
    bench = played(game, wagers, quads)
    waits_for_floorperson(bench, 1, f"{cite}(ii)")
    bench.manager("validate", seat=1)
    bench.dealer("settle")
    assert settled(bench, 1)[-1] == ("five_card_hand_player", "win", 49_900, f"{cite}(iii)")
    bench.dealer("discard")  # paid to the game account, so no card has to stay

    smaller = played(game, wagers, flush)
    smaller.dealer("settle")
    assert settled(smaller, 1)[-1] == ("five_card_hand_player", "win", 4900, f"{cite}(iii)")


ROYALS: list[tuple[Any, ...]] = [
    (
        "let-it-ride", {"bet_1": 1000, "bet_2": 1000, "bet_3": 1000},
        {1: "As Ks Qs", "community": "Js Ts"},
        {"three_card_progressive": "643a.11(g)(3)(%s)", "five_card_progressive": "643a.11(g)(4)(%s)"},
        ("five_card_hand", "643a.11(g)(5)(%s)"), ("i", "ii", "iii"), "643a",
    ),
    (
        "mississippi-stud", {"ante": 1000}, {1: "As Ks", "community": "Qs Js Ts"},
        {"progressive": "655a.11(i)(1)(%s)"}, ("five_card_hand", "655a.11(i)(3)(%s)"), ("i", "ii", "iii"), "655a",
    ),
    (
        "crazy-4-poker", {"ante": 1000, "super_bonus": 1000}, {1: "As Ks Qs Js Ts", "dealer": "Kc Qd Jc 9h 4s"},
        {}, ("five_card_hand_player", "657a.11(f)(%s)"), ("1", "2", "3"), "657a",
    ),
    (
        "texas-hold-em-bonus", {"ante": 1000}, {1: "As Ks", "community": "Qs Js Ts 2d 3c", "dealer": "9h 4h"},
        {}, ("five_card_hand_player", "647a.11(j)(%s)"), ("1", "2", "3"), "647a",
    ),
]  # fmt: skip


def _marked() -> list[Any]:
    found = []
    for case in ROYALS:
        *_, progressives, (_, hand), steps, name = case
        cites = [cite % step for cite in progressives.values() for step in ("i", "ii", "iii", "iv")]
        cites += [hand % step for step in steps]
        found.append(pytest.param(*case[:-1], id=name, marks=pytest.mark.law(*cites)))
    return found


@pytest.mark.parametrize(("game", "required", "hands", "progressives", "hand", "steps"), _marked())
def test_a_royal_flush_is_verified_validated_paid_outside_and_documented(
    game: str,
    required: Mapping[str, int],
    hands: Hands,
    progressives: Mapping[str, str],
    hand: tuple[str, str],
    steps: tuple[str, str, str],
) -> None:
    """Every large win is validated by its own paragraph, not by that of another wager; then the cards stay."""
    wager, cite = hand
    made = {**required, wager: 100, **dict.fromkeys(progressives, 100)}
    bench = Bench(game, source="keyed").opened(1).dealt({1: made}, hands)
    expected = [found % "iii" for found in progressives.values()] + [cite % steps[1]]
    for _ in range(30):
        step = next_step(bench.table, bench.desk)
        assert step is not None
        if step.role is Role.FLOORPERSON and isinstance(step.command, Validate):
            break
        bench.step()
    waits_for_floorperson(bench, 1, expected[0])
    assert [event.cites for event in bench.floor("validate", seat=1)] == [tuple(expected)]
    start = len(bench.log)
    bench.until("collecting")
    paid = {line["wager"]: line for line in bench.lines(start) if line["wager"] in made}
    for name, found in (*progressives.items(), (wager, cite)):
        last = "iv" if name in progressives else steps[2]
        assert paid[name]["cite"] == found % last
        assert paid[name]["result"] == "win"
    assert bench.refused(Role.DEALER, "discard")[0] == "paperwork"
    assert [event.kind for event in bench.floor("complete_paperwork", document="W2-G")] == ["paperwork.completed"]
    bench.dealer("discard")
    assert bench.table.play is None
    money_is_whole(bench)


@pytest.mark.parametrize(
    ("game", "cite", "paytable"),
    [
        pytest.param("four-card-poker", "641a.11(c)(7)(iii)", "641a.12(g)(3)", marks=pytest.mark.law("641a.12(g)(3)")),
        pytest.param("three-card-poker", "649a.11(c)(8)(iii)", "649a.12(i)(3)", marks=pytest.mark.law("649a.12(i)(3)")),
    ],
)
def test_magic_card_and_lucky_bonus_are_paid_when_the_systems_selection_matches(
    game: str, cite: str, paytable: str
) -> None:
    text = submission_text(game)
    for name in ("magic_card", "lucky_bonus"):
        options = read_submission(text).options
        text = with_choices(text, options={**options, name: Selection(True, Fraction(1))})
    wagers = {seat: {"ante": 1000, "five_card_hand_player": 100} for seat in range(1, 8)}
    hits = set()
    for seed in range(12):
        bench = Bench(game, text, source="keyed", seed=seed).opened(*wagers).dealt(wagers, {})
        play = bench.table.play
        assert play is not None
        assert play.magic_card is not None
        lucky = int(play.lucky_position) if play.lucky_position != "dealer" else None
        community = play.hand("community")
        magic = {seat for seat in wagers if play.magic_card in play.hand(f"seat {seat}") + community}
        bench.until("collecting")
        extra = {
            (line["seat"], line["wager"], line["net"], line["cite"], line["odds_cite"])
            for line in bench.lines()
            if line["wager"] in ("magic_card", "lucky_bonus")
        }
        expected = {(seat, "magic_card", 2000, cite, paytable) for seat in magic}
        if lucky is not None:
            expected.add((lucky, "lucky_bonus", 500, cite, paytable))
        assert extra == expected
        hits |= {wager for _, wager, *_ in extra}
        money_is_whole(bench)
    assert hits == {"magic_card", "lucky_bonus"}
