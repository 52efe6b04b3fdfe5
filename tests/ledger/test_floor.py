"""What an act would do before it is done; the slip of a payout and its copy in the record; incidents."""

from collections.abc import Iterator

import pytest
from tests.ledger.house import House

from pitboss.findings import FindingsError
from pitboss.ledger.incidents import IncidentLog, acknowledge
from pitboss.ledger.preview import consequences
from pitboss.ledger.recall import NotYoursError
from pitboss.ledger.review import review
from pitboss.ledger.slips import due_slip, kept_slips
from pitboss.ledger.store import Store
from pitboss.meters import UNITS_PER_CENT
from pitboss.money import show_dollars
from pitboss.paper.page import html_of
from pitboss.reports.slip import slip_paper
from pitboss.table.roles import Role


@pytest.fixture
def house(sqlite_url: str) -> Iterator[House]:
    with Store(sqlite_url) as store:
        yield House(store)


def head(house: House) -> int:
    with house.store.reading() as reading:
        return reading.head.seq


def test_consequences_are_told_before_and_come_true(house: House) -> None:
    house.opened("t1", "three-card-poker")
    manager = house.person(Role.PIT_MANAGER)
    wanted = {"command": "change_limits", "wager": "ante", "minimum": 25, "maximum": 500}
    before = head(house)
    told = consequences(house.pit, "t1", wanted, manager)
    assert told[0] == "Ante Wager: $10 to $1,000 becomes $0.25 to $5: below the lowest limit filed, $10."
    assert told[1:] == (
        "2 players took a seat under the old limits.",
        "It needs the consent of a floorperson or a pit manager.",
    )
    house.wagers("t1").until("t1", "deciding")
    staked = sum(sum(made.values()) for made in house.pit.table("t1").playing.wagers.values())
    void = {"command": "irregularity", "what": "wrong-number-of-cards", "seat": 1}
    (said, *_) = consequences(house.pit, "t1", void, manager)
    assert f"is void: ${staked // 100} goes back" in said
    at = head(house)
    house.floor("t1", "irregularity", what="wrong-number-of-cards", seat=1)
    with house.store.reading() as reading:
        (event,) = reading.events("t1", after=at, kinds=("round.voided",))
        chips = reading.balance("inventory:t1") // UNITS_PER_CENT
    assert sum(sum(made.values()) for made in event.data["returned"].values()) == staked
    closing = consequences(house.pit, "t1", {"command": "close_table"}, manager)
    assert closing[0].startswith(f"Table t1 closes: ${chips // 100:,}")
    with pytest.raises(FindingsError):
        consequences(house.pit, "t1", {**wanted, "minimum": -5}, manager)
    assert before < at, "looking ahead records nothing of its own"


def test_a_round_that_is_undone_says_who_hands_back_what(house: House) -> None:
    """The preview, chip for chip as it then moves: winnings paid before the round is void come back."""
    house.opened("t1", "three-card-poker", source="keyed").wagers("t1").until("t1", "dealing")
    house.key_in("t1", {"seat 2": "Kc Kd 2s"})
    while not house.pit.table("t1").playing.lines:
        house.step("t1")
    void = {"command": "irregularity", "what": "wrong-number-of-cards", "seat": 1}
    said = consequences(house.pit, "t1", void, house.person(Role.PIT_MANAGER))
    with house.store.reading() as reading:
        before = {player: reading.balance(f"player:{player}") for player in ("p1", "p2")}
    house.by_two("t1", Role.FLOORPERSON, "irregularity", what="wrong-number-of-cards", seat=1)
    with house.store.reading() as reading:
        (event,) = reading.events("t1", kinds=("round.voided",))
        gained = {player: (reading.balance(f"player:{player}") - before[player]) // UNITS_PER_CENT for player in before}
    for player, total in gained.items():
        lying = sum(
            target.units // UNITS_PER_CENT
            for source, target in zip(event.entries[::2], event.entries[1::2], strict=True)
            if (source.account, target.account) == ("layout:t1", f"player:{player}")
        )
        if chips := total - lying:
            verb = "is handed" if chips > 0 else "hands back"
            assert f"{player} {verb} {show_dollars(abs(chips))}." in said
    assert any(sentence.startswith("p2 hands back $") for sentence in said)


def test_a_payout_slip_says_what_is_then_paid_and_stays_with_its_round(house: House) -> None:
    house.opened("t1", "four-card-poker", source="keyed").wagers("t1").until("t1", "dealing")
    assert due_slip(house.pit, "t1") is None
    house.key_in("t1", {"seat 1": "As Ks Qs Js Ts"})
    while (slip := due_slip(house.pit, "t1")) is None:
        house.step("t1")
    assert (slip.seat, slip.player, slip.by, slip.hand) == (1, "p1", "", "As Ks Qs Js Ts")
    (meter, *_) = slip.meters
    with house.store.reading() as reading:
        held = reading.balance("player:p1") // UNITS_PER_CENT
        assert reading.balance(f"meter:{meter.name}:{meter.tier}") // UNITS_PER_CENT == meter.before
    own = [line for line in slip.lines if line.seat == 1]
    back = sum(line.stake for line in own if line.odds.endswith("to 1") and line.wager != "ante_bonus")
    house.step("t1")  # the validation
    house.step("t1")  # and the turn
    with house.store.reading() as reading:
        paid = reading.balance("player:p1") // UNITS_PER_CENT - held
        after = reading.balance(f"meter:{meter.name}:{meter.tier}") // UNITS_PER_CENT
    assert (paid - back, after) == (sum(line.amount for line in own), meter.after)
    assert {line.seat for line in slip.lines} == {1, 2}, "seat 2 earns an Envy Bonus"
    house.until("t1", "shuffling")
    (kept,) = kept_slips(house.store, "t1", 1, house.person(Role.AUDITOR))
    assert (kept.by, kept.lines, kept.meters, kept.hand, kept.dealer) == (
        house.person(Role.FLOORPERSON).id, slip.lines, slip.meters, slip.hand, slip.dealer,
    )  # fmt: skip
    text = html_of(slip_paper([kept]))
    assert all(word in text for word in ("A♠ K♠ Q♠ J♠ T♠", "p1", kept.by, "Before", "After"))
    assert "_" not in text.partition("<body")[2]
    with pytest.raises(NotYoursError):
        kept_slips(house.store, "t1", 1, house.person(Role.PLAYER, "p9"))


def test_an_incident_is_open_until_somebody_who_may_has_seen_it(house: House) -> None:
    house.opened("t1", "three-card-poker").wagers("t1").until("t1", "deciding")
    log = IncidentLog(house.store)
    assert not any(each.is_open for each in log.look())
    house.floor("t1", "irregularity", what="wrong-number-of-cards", seat=1)
    waiting = [each for each in log.look() if each.is_open]
    assert {"round.voided", "irregularity.reported"} <= {each.event.kind for each in waiting}
    numbers = [each.event.seq for each in waiting]
    for who in (Role.DEALER, Role.PLAYER):
        with pytest.raises(FindingsError):
            acknowledge(house.pit, numbers, "", house.person(who), log.look())
    with pytest.raises(FindingsError, match=f"{len(numbers)} incidents at once. Say in a note why"):
        acknowledge(house.pit, numbers, " ", house.person(Role.FLOORPERSON), log.look())
    acknowledge(house.pit, numbers, "seen on the screens", house.person(Role.FLOORPERSON), log.look())
    seen = [each for each in log.look() if each.event.seq in numbers]
    assert {(each.by, each.note) for each in seen} == {(house.person(Role.FLOORPERSON).id, "seen on the screens")}
    assert [each.event.kind for each in log.look() if each.is_open] == ["permission.refused"] * 2
    assert IncidentLog(house.store).look() == log.look(), "whoever looks first sees the same"
    with pytest.raises(FindingsError):
        acknowledge(house.pit, numbers, "", house.person(Role.FLOORPERSON), log.look())
    assert review(house.store) == ()
