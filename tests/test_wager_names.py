"""Wagers have one name each: whatever else is written on a betting area is no wager, and every stake gets one line."""

from datetime import date

import pytest

from pitboss.cards import parse_cards
from pitboss.findings import FindingsError
from pitboss.games.checks import verify_wagers
from pitboss.games.registry import GAMES
from pitboss.games.round import Decision, Round, Seat, decided
from pitboss.games.rules import Rules, resolve
from pitboss.games.settle import settle
from pitboss.games.settlement import Book, SettlementError

DAY = date(2024, 6, 1)
SEAT = 2


def rules_of(game: str) -> Rules:
    rules, findings = resolve(GAMES[game].chapter, DAY)
    assert rules is not None
    assert not findings
    return rules


def spellings(name: str) -> list[str]:
    """What looks like a wager's name, or like its number, and is not."""
    head, _, number = name.rpartition("_")
    odd = [f"{name}_1", f"{name}_01", f"{name}_²", f"{name}_", f" {name}", f"{name} ", f"{name}\n", name.upper()]
    if number.isdecimal():
        odd += [f"{head}_0{number}", f"{head}_²", f"{head}_٣", f"{head}_+{number}", f"{head}_0", f"{head}_99", head]
    return odd


@pytest.mark.parametrize("game", GAMES)
def test_only_the_one_spelling_of_a_wager_is_taken(game: str) -> None:
    rules = rules_of(game)
    names = rules.names_at(SEAT)
    assert len(set(names)) == len(names)
    for name in names:
        wager = rules.wager_named(name)
        assert wager is not None
        stakes = dict.fromkeys((*wager.needs_all, *wager.needs_any), 1000)
        amount = next((table.stake for table in rules.envies.get(wager.name, ())), 1000)
        made = Seat(SEAT, (), {**stakes, name: amount})
        assert [finding for finding in verify_wagers(rules, made) if finding.found == name] == []
        for odd in set(spellings(name)) - set(names):
            assert rules.wager_named(odd) is None, odd
            found = list(verify_wagers(rules, Seat(SEAT, (), {**made.wagers, odd: amount})))
            (refusal,) = (finding for finding in found if finding.code == "unknown-wager")
            assert all(wager.name in refusal.sentence for wager in map(rules.wager_named, names) if wager), odd


def test_a_super_wager_on_the_own_hand_is_refused_at_once() -> None:
    rules = rules_of("lunar-poker")
    made = Seat(SEAT, (), {"ante": 1000, "super": 1000, f"super_on_seat_{SEAT}": 500})
    assert [(f.code, f.cite) for f in verify_wagers(rules, made)] == [("super-on-seat", "671a.7(c)(3)")]
    assert f"super_on_seat_{SEAT}" not in rules.names_at(SEAT)


def played() -> Round:
    seat = Seat(1, parse_cards("Qh 6d 4c"), {"ante": 1000, "pair_plus": 500}, decided(Decision("play")))
    return Round(parse_cards("Jc 9d 2s"), (seat,))


@pytest.mark.parametrize(("times", "said"), [(0, "no line"), (2, "2 lines")])
def test_a_round_with_a_stake_that_not_one_line_settles_is_not_finished(
    times: int, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fault in a game's module cannot keep or give away a stake."""
    enter = Book.enter

    def careless(book: Book, seat: int, wager: str, *rest: object, **more: object) -> None:
        for _ in range(times if wager == "pair_plus" else 1):
            enter(book, seat, wager, *rest, **more)  # type: ignore[arg-type]

    rules = rules_of("three-card-poker")
    assert {line.settles for line in settle(rules, played()).lines} == {"ante", "pair_plus", "play"}
    monkeypatch.setattr(Book, "enter", careless)
    with pytest.raises(SettlementError, match=rf"pair_plus of \$5 at seat 1 is settled by {said}"):
        settle(rules, played())


def test_the_simulator_takes_no_phantom_wager() -> None:
    pytest.importorskip("numba")
    from pitboss.simulate.plan import make_plan

    with pytest.raises(FindingsError, match="has no wager called 'pair_plus_1'"):
        make_plan(rules_of("three-card-poker"), {1: {"ante": 1000, "pair_plus_1": 500}})
