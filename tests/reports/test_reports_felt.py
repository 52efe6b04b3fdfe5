"""The felt: spots for what is on offer, chips and cards where they lie, and no card that the viewer may not see."""

from collections.abc import Mapping
from itertools import combinations
from typing import Any
from xml.etree import ElementTree

import pytest

from pitboss.games.registry import GAMES
from pitboss.reports.board import BRASS, CREAM, DIM, FELT
from pitboss.reports.felt import draw_layout, felt_svg
from pitboss.reports.spots import INKS, spots_of, stakes_of
from pitboss.table.deciding import deciding_now
from pitboss.table.ruling import hand_at, rules_at
from pitboss.table.view import view
from tests.reports.papers import HOSTILE, no_reference_leaves, parsed, without
from tests.reports.test_reports_cards import contrast
from tests.table.contest import opened
from tests.table.driver import Bench

SVG = "{http://www.w3.org/2000/svg}"
DECIDING = [name for name, game in GAMES.items() if game.course.weighed]


def played(game: str, phase: str) -> Bench:
    bench = Bench(game, seed=5).opened(1, 2, 4).ready()
    bench.wager_all(1, 2, 4)
    return bench.until(phase)


def drawn(bench: Bench, person: str = "p2", **options: Any) -> ElementTree.Element:
    return parsed(felt_svg(view(bench.table, person), rules_at(bench.table), person=person, **options))


def spots(root: ElementTree.Element) -> dict[tuple[str, str], ElementTree.Element]:
    found = {}
    for each in root.iter(f"{SVG}g"):
        name = each.get("data-wager") or each.get("data-decision")
        if name is not None:
            key = (str(each.get("data-seat")), name)
            assert key not in found
            assert each.get("id") == f"spot-{key[0]}-{name}"
            found[key] = each
    return found


def place(root: ElementTree.Element, seat: int) -> tuple[float, float]:
    """Left edge and top of the plate of a seat."""
    group = next(each for each in root.iter(f"{SVG}g") if each.get("id") == f"seat-{seat}")
    plate = next(each for each in group.iter(f"{SVG}g") if each.get("class") == "plate")
    box = next(plate.iter(f"{SVG}rect"))
    return float(box.attrib["x"]), float(box.attrib["y"])


def test_a_wager_not_offered_has_no_spot() -> None:
    _, rules = without("four-card-poker", "bad_beat", "six_card_bonus")
    names = {spot.name for spot in spots_of(rules, 1)}
    assert not names & {"bad_beat", "six_card_bonus"}
    assert {"ante", "play", "aces_up"} <= names


def test_lunar_options_are_areas_for_decisions() -> None:
    found = spots(drawn(played("lunar-poker", "deciding")))
    assert {found["1", name].get("data-decision") for name in ("exchange", "buy")} == {"exchange", "buy"}


@pytest.mark.parametrize("game", DECIDING)
def test_chips_lie_where_the_view_says(game: str) -> None:
    bench = played(game, "deciding")
    shown = view(bench.table, "p2")
    found = spots(drawn(bench))
    for seat, made in shown["round"]["wagers"].items():
        for wager, amount in made.items():
            told = found[seat, wager].findtext(f"{SVG}title") or ""
            assert told.endswith(f": ${amount // 100}")
    staked = {key for key, spot in found.items() if "staked" in str(spot.get("class"))}
    assert staked == {(seat, wager) for seat, made in shown["round"]["wagers"].items() for wager in made}


def test_settled_wagers_show_what_was_won_or_lost() -> None:
    bench = played("four-card-poker", "collecting")
    shown = view(bench.table, "p2")
    rules = rules_at(bench.table)
    for seat in (1, 2, 4):
        lines = [line for line in shown["round"]["lines"] if line["seat"] == seat]
        stakes = stakes_of(shown, rules, seat)
        assert {stake.settled for stake in stakes.values()} <= {"win", "lose", "push", "forfeit", "return"}
        for line in lines:
            if line["settles"]:
                assert stakes[line["settles"]].settled == line["result"]
        shown_net = sum(line["net"] for line in lines)
        plate = drawn(bench).find(f".//*[@id='seat-{seat}']/*[@class='plate']/{SVG}title")
        assert plate is not None
        assert str(plate.text).endswith(f"{abs(shown_net) // 100}")


@pytest.mark.parametrize("game", DECIDING)
def test_no_card_is_drawn_that_the_viewer_may_not_see(game: str) -> None:
    bench = played(game, "deciding")
    assert bench.table.play is not None
    everything = view(bench.table, "p2")["round"]["hands"]
    seen = {card for cards in everything.values() for card in cards if card != "??"}
    root = drawn(bench)
    used = [str(each.get("href")) for each in root.iter(f"{SVG}use")]
    symbols = {str(each.get("id")) for each in root.iter(f"{SVG}symbol")}
    assert {href.removeprefix("#card-") for href in used if "back" not in href} == seen
    assert symbols == {f"card-{card}" for card in seen} | {"card-back-red"}
    assert {href.removeprefix("#") for href in used} <= symbols


def test_a_card_that_was_exchanged_is_gone_and_the_drawn_one_is_there() -> None:
    bench = played("lunar-poker", "deciding")
    shown = view(bench.table, "p2")
    own = shown["round"]["hands"]["seat 2"]
    decision = {"choice": "exchange", "amount": None, "discard": own[:2], "drawn": ["2c", "2d"], "then": None}
    hidden = {**decision, "discard": ["??", "??"], "drawn": ["??", "??"]}
    changed: Mapping[str, Any] = {**shown, "round": {**shown["round"], "decisions": {"2": decision, "1": hidden}}}
    root = parsed(felt_svg(changed, rules_at(bench.table), person="p2"))
    cards = {}
    for seat in (1, 2):
        hand = root.find(f".//*[@id='seat-{seat}']/*[@class='hand']")
        assert hand is not None
        cards[seat] = [str(each.get("href")) for each in hand.iter(f"{SVG}use")]
    assert cards[2] == [f"#card-{card}" for card in (*own[2:], "2c", "2d")]
    assert cards[1] == ["#card-back-red"] * 5
    assert "$10" in str(spots(root)["2", "exchange"].findtext(f"{SVG}title"))


@pytest.mark.parametrize("game", DECIDING)
def test_seat_one_is_at_the_dealers_left_for_both_viewers(game: str) -> None:
    bench = played(game, "deciding")
    last = rules_at(bench.table).seats
    player, dealer = drawn(bench), drawn(bench, side="dealer")
    assert place(player, 1)[0] > place(player, last)[0]
    assert place(dealer, 1)[0] < place(dealer, last)[0]
    middle = (last + 1) // 2
    assert place(player, middle)[1] > place(player, 1)[1]
    assert place(dealer, middle)[1] < place(dealer, 1)[1]


def shapes(group: ElementTree.Element) -> list[tuple[float, float, float, float]]:
    """The edges of the chips in a spot."""
    chips = next(each for each in group.iter(f"{SVG}g") if each.get("class") == "chips")
    found = []
    for each in chips:
        if each.tag == f"{SVG}circle":
            x, y, radius = (float(each.attrib[name]) for name in ("cx", "cy", "r"))
            found.append((x - radius, y - radius, x + radius, y + radius))
        elif each.tag == f"{SVG}rect":
            x, y, wide, high = (float(each.attrib[name]) for name in ("x", "y", "width", "height"))
            found.append((x, y, x + wide, y + high))
    return found


def test_chips_of_several_patrons_cover_no_others() -> None:
    """Three patrons on one number, and others on the lines around it: all bars and chips lie side by side."""
    bench = Bench("roulette", seed=5).opened(1, 2, 3).ready()
    for seat, wagers in {
        1: ("straight_17", "split_17_20", "split_17_18"), 2: ("straight_17", "split_17_20", "split_14_17"),
        3: ("straight_17", "split_16_17"),
    }.items():  # fmt: skip
        for wager in wagers:
            bench.dealer("wager", seat=seat, wager=wager, amount=500)
    root = parsed(str(draw_layout(view(bench.table, "dealer-1"), rules_at(bench.table))))
    staked = [group for group in root.iter(f"{SVG}g") if "staked" in str(group.get("class"))]
    around = [box for group in staked for box in shapes(group)]
    assert len(around) == 8
    for one, other in combinations(around, 2):
        apart = one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] + 0.2 or other[3] <= one[1] + 0.2
        assert apart, (one, other)


def test_names_are_read_at_a_table_of_nine() -> None:
    """A name beside what its player did."""
    bench = played("seven-card-stud", "deciding")
    (seat,) = deciding_now(bench.table)[1]
    bench.dealer("decide", seat=seat, choice="complete")
    rules, shown = rules_at(bench.table), view(bench.table, "p9")
    root = parsed(felt_svg(shown, rules))
    plate = next(g for g in root.iter(f"{SVG}g") if g.get("id") == f"plate-{seat}")
    _, name, said = plate.iter(f"{SVG}text")
    assert (name.text, said.text) == (f"p{seat}", "complete")
    assert (name.get("textLength"), said.get("textLength")) == (None, None), "neither is squeezed"


def test_people_meters_and_names_are_text() -> None:
    bench = played("three-card-poker", "deciding")
    shown = view(bench.table, "p2") | {"seats": {"1": HOSTILE}}
    rules = rules_at(bench.table)
    meters = {"t1-three_card_progressive": {"meter": 523_412}, "five_card_progressive": {"meter": 100}}
    made = felt_svg(shown, rules, meters=meters, certificate_holder=HOSTILE)
    root = parsed(made)
    amount = root.find(".//*[@id='meter-three_card_progressive-meter']")
    other = root.find(".//*[@id='meter-five_card_progressive-meter']")
    unknown = root.find(".//*[@id='meter-five_card_hand-meter']")
    assert amount is not None
    assert other is not None
    assert unknown is not None
    assert (amount.text, other.text, unknown.text) == ("$5,234.12", "$1.00", "–")
    assert no_reference_leaves(made)
    assert made == felt_svg(shown, rules, meters=meters, certificate_holder=HOSTILE)


def test_spots_can_be_pressed_only_where_asked() -> None:
    bench = played("four-card-frenzy", "deciding")
    still, live = drawn(bench), drawn(bench, interactive=True)
    assert still.get("role") == "img"
    assert live.get("role") == "group"
    assert all(spot.get("tabindex") is None for spot in spots(still).values())
    for (seat, _), spot in spots(live).items():
        mine = seat == "2"
        assert (spot.get("role"), spot.get("tabindex")) == (("button", "0") if mine else (None, None))
        assert spot.get("aria-label") == (spot.findtext(f"{SVG}title") if mine else None)
    free = drawn(bench, "somebody", interactive=True)
    assert all(spot.get("role") == "button" for spot in spots(free).values()), "who has no seat may press any"
    dealer = drawn(bench, "dealer-1", interactive=True, side="dealer")
    taken = {seat for (seat, _), spot in spots(dealer).items() if spot.get("role")}
    assert taken == {seat for seat, who in view(bench.table, "")["seats"].items() if who}
    plates = [plate for plate in dealer.iter() if plate.get("class") == "plate"]
    assert len(plates) == rules_at(bench.table).seats
    assert all(plate.get("role") == "button" for plate in plates)


def test_a_table_without_a_round_shows_wagers_as_they_are_placed() -> None:
    bench = Bench("lunar-poker", seed=1).opened(3).ready()
    bench.wager_all(3)
    root = drawn(bench, person="p3", turn=3)
    assert str(spots(root)["3", "ante"].findtext(f"{SVG}title")).endswith(": $10")
    seat = root.find(".//*[@id='seat-3']")
    assert seat is not None
    assert seat.get("class") == "seat own turn"


def test_lettering_contrasts_with_its_ground() -> None:
    pairs = [*INKS.values(), (FELT, BRASS), (DIM, CREAM), (BRASS, "#14261d")]
    assert all(contrast(*pair) >= 4.5 for pair in pairs)


@pytest.mark.parametrize("seats", [(1, 4, 9), tuple(range(1, 10))])
@pytest.mark.parametrize("side", ["player", "dealer"])
def test_rank_and_suit_of_every_card_of_a_long_hand_are_seen(seats: tuple[int, ...], side: Any) -> None:
    """Seven cards each, or with nine seats five each and one or two for all: no card covers the corner of another."""
    bench = opened().ready()
    for seat in seats:
        bench.dealer("wager", seat=seat, wager="table_stake", amount=40_000)
    bench.until("deciding")
    while bench.table.phase != "revealing":
        if bench.table.phase != "deciding":
            bench.step()
            continue
        hand = hand_at(bench.table)
        assert hand is not None
        if hand.street.name == "seventh_street":
            break
        choice = next(option.name for option in hand.options if option.name in ("bring_in", "call", "check"))
        bench.dealer("decide", seat=hand.asked, choice=choice)
    root, seen = parsed(felt_svg(view(bench.table, "p1"), rules_at(bench.table), side=side, person="p1")), 0
    for group in root.iter(f"{SVG}g"):
        if not str(group.get("id", "")).startswith(("hand-", "place-community")):
            continue
        cards = [
            tuple(float(use.get(name, "")) for name in ("x", "y", "width", "height")) for use in group.iter(f"{SVG}use")
        ]
        for at, (x, y, wide, high) in enumerate(cards):
            assert wide >= 45, "a phone turned sideways shows 26 pixels of it"
            for other in cards[at + 1 :]:
                beside = other[0] >= x + 0.45 * wide or other[0] + other[2] <= x
                below = other[1] >= y + 0.6 * high or other[1] + other[3] <= y
                assert beside or below, (group.get("id"), at)
            seen += 1
    hands = view(bench.table, "p1")["round"]["hands"]
    assert seen == sum(len(cards) for place, cards in hands.items() if place != "discard")
