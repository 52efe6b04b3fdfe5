"""No account below zero, nothing left on the layout, no stake without its line: at commit, in review and audit."""

from collections.abc import Iterator
from typing import Any

import pytest
from tests.events import event_of
from tests.ledger.forger import forge
from tests.ledger.house import House

from pitboss.findings import FindingsError
from pitboss.ledger.audit import audit_store
from pitboss.ledger.errors import OverdrawnError
from pitboss.ledger.kinds.meters import MeterAdjustment
from pitboss.ledger.meters import settings_of
from pitboss.ledger.review import review
from pitboss.ledger.significant import significant
from pitboss.ledger.store import Store, Writing
from pitboss.table.events import Entry, Event, move
from pitboss.table.roles import Role
from pitboss.table.ruling import rules_at


@pytest.fixture
def house(store: Store) -> House:
    return House(store)


@pytest.fixture
def forged(sqlite_url: str) -> Iterator[House]:
    """The forger knows SQLite."""
    with Store(sqlite_url) as store:
        yield House(store)


def put(writing: Writing, *events: Event) -> None:
    writing.append(events, stream="t1", round=1, actor="x", role="dealer", at=1)


def put_if_sound(writing: Writing, event: Event) -> None:
    """As an act does: checked by what the program knows, then stored."""
    assert writing.money_findings("t1", [event]) == ()
    put(writing, event)


def codes(findings: Any) -> set[str]:
    return {finding.code for finding in findings}


ACCOUNTS = ("player:p1", "layout:t1", "inventory:t1", "drop:t1", "meter:m:mega", "meter:m:reserve", "jackpots:t1",
            "pot:t1", "receivable:p1", "anything")  # fmt: skip


@pytest.mark.parametrize("account", ACCOUNTS)
def test_the_ledger_stores_nothing_that_leaves_an_account_below_zero(store: Store, account: str) -> None:
    with store.writing() as writing:
        put(writing, event_of("given", {}, (), move("house", account, 100)))
    for events in (
        [event_of("taken", {}, (), move(account, "house", 101))],
        # Made good again within the same transaction, it was still below zero after an event of it.
        [event_of("taken", {}, (), move(account, "house", 101)), event_of("back", {}, (), move("cage", account, 101))],
    ):
        with pytest.raises(OverdrawnError, match="nothing was stored"), store.writing() as writing:
            put(writing, *events)
    with store.reading() as reading:
        assert (reading.head.seq, reading.balance(account)) == (1, 1_000_000)
    with store.writing() as writing:
        put(writing, event_of("taken", {}, (), move(account, "house", 100)))
    assert audit_store(store) == ()


def test_what_the_database_says_of_a_balance_counts_and_not_what_was_known(store: Store) -> None:
    """Somebody has changed a balance behind the program's back, without an event."""
    with store.writing() as writing:
        put(writing, event_of("given", {}, (), move("house", "player:p1", 100)))
    with store.engine.connect().execution_options(purpose="write") as connection, connection.begin():
        connection.exec_driver_sql("UPDATE balances SET units = 0 WHERE account = 'player:p1'")
    taken = event_of("taken", {}, (), move("player:p1", "house", 60))
    with pytest.raises(OverdrawnError, match="nothing was stored"), store.writing() as writing:
        put_if_sound(writing, taken)
    with store.reading() as reading:
        assert reading.head.seq == 1


@pytest.mark.parametrize("kind", ["round.completed", "round.voided", "table.closed"])
@pytest.mark.parametrize("account", ["layout:t1", "jackpots:t1"])
def test_a_round_does_not_end_with_chips_on_the_layout_or_a_jackpot_in_hand(
    store: Store, kind: str, account: str
) -> None:
    with store.writing() as writing:
        put(writing, event_of("given", {}, (), move("house", account, 100)))
    with pytest.raises(OverdrawnError, match="settled by no line"), store.writing() as writing:
        put(writing, event_of(kind))
    with store.writing() as writing:
        put(writing, event_of(kind, {}, (), move(account, "house", 100)))
    assert audit_store(store) == ()


def test_the_audit_follows_the_running_balances(forged: House) -> None:
    """A forger who makes books that add up at the end is found at the event where an account was below zero."""
    forged.opened("t1", "three-card-poker").round("t1")
    with forged.store.reading() as reading:
        bought = next(event for event in reading.events("t1") if event.kind == "player.bought-in")
        over = next(event for event in reading.events("t1") if event.kind == "round.completed")

    def advance(columns: dict[str, Any]) -> None:
        columns["entries"] += [["player:p9", -5], ["house", 5]]

    def back(columns: dict[str, Any]) -> None:
        columns["entries"] += [["house", -5], ["player:p9", 5]]

    def left(columns: dict[str, Any]) -> None:
        columns["entries"] += [["house", -5], ["layout:t1", 5]]

    forge(forged.store, {bought.seq: advance, over.seq: back})
    assert [(f.code, f.where) for f in audit_store(forged.store)] == [("money-overdrawn", f"event {bought.seq}")]
    forge(forged.store, {over.seq: left})
    assert ("money-not-empty", f"event {over.seq}") in [(f.code, f.where) for f in review(forged.store)]


@pytest.mark.parametrize("phantom", ["pair_plus_1", "three_card_progressive_1", "pair_plus_²", "PAIR_PLUS"])
def test_a_phantom_wager_is_taken_nowhere(house: House, phantom: str) -> None:
    house.opened("t1", "three-card-poker").wagers("t1")
    reply = house.act("t1", Role.DEALER, "wager", seat=1, wager=phantom, amount=500)
    assert (reply.status, reply.body["findings"][0]["code"]) == (422, "unknown-wager")
    assert "pair_plus" in reply.body["findings"][0]["expected"]


def test_a_phantom_wager_of_an_older_ledger_is_found_in_review(forged: House) -> None:
    """Written into the record as an earlier version would have taken it: fed to the house, settled by nobody."""
    forged.opened("t1", "three-card-poker").round("t1")
    with forged.store.reading() as reading:
        line = next(event for event in reading.events("t1") if event.kind == "line.settled")

    def unnamed(columns: dict[str, Any]) -> None:
        columns["data"].pop("settles")

    forge(forged.store, {line.seq: unnamed})
    assert "stake-unsettled" in codes(review(forged.store))


def test_players_get_no_chips_by_themselves(house: House) -> None:
    house.opened("t1", "three-card-poker", seats=(1,))
    for amount in (1_000_000_000, 100):
        reply = house.act("t1", Role.PLAYER, "buy_in", "p1", amount=amount, slip=house.slip("t1"), player="p1")
        assert reply.status == 403
    reply = house.act("t1", Role.PIT_MANAGER, "buy_in", amount=10**8, slip=house.slip("t1"), player="p1")
    assert [finding["code"] for finding in reply.body["findings"]] == ["overdrawn"]
    assert review(house.store) == ()


def test_a_void_round_never_leaves_a_player_below_zero(house: House) -> None:
    """Winnings of a round that is still open are cashed at another table; then the round is void."""
    house.opened("t1", "three-card-poker", seats=(1, 2), source="keyed", chips=5_000)
    house.opened("t2", "three-card-poker", seats=(3,))
    house.dealer("t2", "sit", seat=1, player="p1")
    house.until("t1", "wagering")
    for seat in (1, 2):
        house.dealer("t1", "wager", seat=seat, wager="ante", amount=1_000)
    house.until("t1", "dealing")
    house.key_in("t1", {"seat 1": "Qh 6d 4c", "seat 2": "Ah Ad Ac", "dealer": "Kh Kd 2c"})
    house.until("t1", "deciding")
    house.dealer("t1", "decide", seat=1, choice="play")
    house.dealer("t1", "decide", seat=2, choice="play")
    house.until("t1", "settling").dealer("t1", "settle", turns=1)
    (paid,) = {line.seat for line in house.pit.table("t1").play.lines}  # type: ignore[union-attr]
    assert paid == 2, "settled from the dealer's right"
    house.dealer("t1", "leave", seat=2)
    house.dealer("t2", "sit", seat=2, player="p2")
    with house.store.reading() as reading:
        held = reading.balance("player:p2") // 10_000
    assert held > 5_000
    house.floor("t2", "cash_out", player="p2", amount=held, slip=house.slip("t2"))
    house.by_two("t1", Role.DEALER, "irregularity", what="wrong-number-of-cards", seat=1)
    with house.store.reading() as reading:
        assert reading.balance("player:p2") == 0
        owed = reading.balance("receivable:p2") // 10_000
        assert (reading.balance("player:p1"), reading.balance("layout:t1")) == (5_000 * 10_000, 0)
    assert owed == held - 5_000, "what he won and no longer has"
    assert [each.kind for each in significant(house.store)].count("player.owes") == 1
    assert review(house.store) == ()
    # What he owes he can bring back, and no more than that.
    house.buy_in("t2", "p2", owed + 1)
    act: dict[str, Any] = {"player": "p2", "slip": house.slip("t2")}
    refused = house.act("t2", Role.CASHIER, "repay", amount=owed + 1, **act)
    assert [finding["code"] for finding in refused.body["findings"]] == ["owed"]
    house.do("t2", Role.CASHIER, "repay", amount=owed, **act)
    with house.store.reading() as reading:
        assert (reading.balance("receivable:p2"), reading.balance("player:p2")) == (0, 10_000)
    assert review(house.store) == ()


class TestMeters:
    @pytest.fixture
    def linked(self, house: House) -> House:
        house.opened("t1", "four-card-poker", seats=(1,))
        rules, manager = rules_at(house.pit.table("t1")), house.person(Role.PIT_MANAGER)
        for meter, name in (("spare", "four_card_progressive"), ("other", "five_card_hand")):
            house.pit.open_meter(meter, settings_of(rules, name), manager)
        return house

    @pytest.mark.parametrize(
        ("change", "code"),
        [
            (MeterAdjustment(amounts={"meter": 0}, transfer_to="t1-four_card_progressive"), "transfer-and-amount"),
            (MeterAdjustment(transfer_to="other"), "transfer-kind"),
            (MeterAdjustment(transfer_to="spare"), "transfer-kind"),
            (MeterAdjustment(transfer_to="nowhere"), "unknown-meter"),
            (MeterAdjustment(amounts={"meter": -1}), "amount"),
            (MeterAdjustment(amounts={"meter": 10**17}), "amount"),
            (MeterAdjustment(amounts={"jackpot": 5}), "meter-tier"),
            (MeterAdjustment(rate={"reserve": "1/2"}), "meter-tier"),
            (MeterAdjustment(seed={"meter": -100_000}), "amount"),
            (MeterAdjustment(rate={"meter": "1e-3000000"}), "rate"),
        ],
    )
    def test_what_could_leave_a_meter_below_zero_or_mix_kinds_is_refused(
        self, linked: House, change: MeterAdjustment, code: str
    ) -> None:
        wanted = MeterAdjustment(change.amounts, change.transfer_to, change.rate, change.seed, "a trial")
        with pytest.raises(FindingsError) as refused:
            linked.pit.propose("spare", wanted, linked.person(Role.PIT_MANAGER))
        assert code in codes(refused.value.findings)

    def test_meters_of_one_kind_are_transferred_whole(self, linked: House) -> None:
        target = "t1-four_card_progressive"
        with linked.store.reading() as reading:
            before = reading.balances("meter:")
        number = linked.pit.propose("spare", MeterAdjustment(transfer_to=target, reason="the link is given up"),
                                    linked.person(Role.PIT_MANAGER))  # fmt: skip
        linked.pit.approve(number, linked.person(Role.FLOORPERSON))
        with linked.store.reading() as reading:
            after = reading.balances("meter:")
        for account in after:
            tier = account.rpartition(":")[2]
            if account.startswith("meter:spare:"):
                assert after[account] == 0
            elif account.startswith(f"meter:{target}:"):
                assert after[account] == before[account] + before.get(f"meter:spare:{tier}", 0)
        assert review(linked.store) == ()

    def test_nothing_is_transferred_to_a_meter_in_play(self, linked: House) -> None:
        """Who has wagered for a jackpot wagered for the amount on the sign."""
        transfer = MeterAdjustment(transfer_to="t1-four_card_progressive", reason="the link is given up")
        manager, second = linked.person(Role.PIT_MANAGER), linked.person(Role.FLOORPERSON)
        number = linked.pit.propose("spare", transfer, manager)
        linked.until("t1", "wagering").dealer("t1", "wager", seat=1, wager="ante", amount=1000)
        amount = rules_at(linked.pit.table("t1")).choices.amounts["four_card_progressive"]
        linked.dealer("t1", "wager", seat=1, wager="four_card_progressive", amount=amount)
        for phase in ("wagering", "deciding"):
            linked.until("t1", phase)
            for act in (
                lambda: linked.pit.approve(number, second),
                lambda: linked.pit.propose("spare", transfer, manager),
            ):
                with pytest.raises(FindingsError) as refused:
                    act()
                assert codes(refused.value.findings) == {"meter-in-play"}, phase


def test_entries_of_one_event_may_pass_through_an_account(store: Store) -> None:
    """Only what stands after an event counts, not the order of the lines within it."""
    entries = (*move("player:p1", "house", 5), *move("house", "player:p1", 5), Entry("house", 0))
    with store.writing() as writing:
        put(writing, event_of("through", {}, (), entries))
    assert audit_store(store) == ()
