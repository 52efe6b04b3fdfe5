"""Section .11, the dealer's part: forfeits, the reveal, each seat's turn, jackpots, and collecting the cards."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace

from pitboss.cards import DECK, show_card, show_cards
from pitboss.findings import Finding
from pitboss.games.five_card_hand import DEALER as SHARED
from pitboss.games.round import Decision, Round
from pitboss.games.settlement import Book, Line, Result, Stage, Turn
from pitboss.law.implements import implements
from pitboss.meters import UNITS_PER_CENT, Meter
from pitboss.table.codec import encode
from pitboss.table.command import Command, command
from pitboss.table.desk import Desk
from pitboss.table.events import (
    Entry,
    Event,
    inventory_account,
    jackpot_account,
    layout_account,
    move,
    player_account,
)
from pitboss.table.ruling import DECK_COUNT_ACT, cite_of, counts_cards, extras_of, game_at, procedure_of, rules_at
from pitboss.table.shuffling import rack_taken, ready_for_round
from pitboss.table.state import Phase, Play, Table
from pitboss.table.wagering import meter_entries

DOCUMENTED = "cards-stay-until-documented"
BEFORE_REVEAL = frozenset({Stage.FORFEITS})
AFTER_REVEAL = frozenset({Stage.DEALER, Stage.HANDS})
CARDS = len(DECK)


def played_round(table: Table) -> Round:
    """The round for the book; decisions still open stand for bets with any cards, which no earlier turn looks at."""
    play = table.play
    assert play is not None
    game = game_at(table)
    unseen = [card for card in DECK if card not in play.left_deck]
    decisions = dict(play.decisions)
    for seat, decision in decisions.items():
        count = game.draws(decision)
        if count and not decision.drawn:
            decision = replace(decision, drawn=tuple(unseen[:count]))
        if count and decision.then is None:
            decision = replace(decision, then="bet")
        decisions[seat] = decision
    return replace(play, decisions=decisions).as_round(extras_of(rules_at(table)))


def turns_left(table: Table, desk: Desk) -> tuple[Turn, ...]:
    """Every turn that is still to be settled, with the meters as they stand now."""
    play = table.play
    assert play is not None
    rules = rules_at(table)
    staked = {wager.meter for made in play.wagers.values() for name in made if (wager := rules.wager_named(name))}
    meters: dict[str, Meter] = {}
    for name, house_name in table.meters.items():
        meter = desk.meter(house_name) if name in staked else None
        if meter is not None:
            meters[name] = replace(meter, name=name)
    return _LAST.turns(table, meters)


class _LastBook:
    """The turns of the round looked at last: one command asks for them several times, and a reveal changes none."""

    def __init__(self) -> None:
        self._kept: tuple[tuple[object, ...], dict[str, Meter], tuple[Turn, ...]] | None = None

    def turns(self, table: Table, meters: dict[str, Meter]) -> tuple[Turn, ...]:
        play = table.play
        assert play is not None
        rules = rules_at(table)
        seen = (rules, play.wagers, play.dealt, play.decisions, play.lines, play.absent, play.magic_card)
        kept = self._kept
        if kept is not None and kept[1] == meters and all(a is b for a, b in zip(kept[0], seen, strict=True)):
            return kept[2]
        settled = [line.line() for line in play.lines if not line.abandoned]
        book = Book(rules, meters, settled, play.absent)
        game_at(table).settle(rules, played_round(table), book)
        found = book.turns()
        self._kept = seen, meters, found
        return found


_LAST = _LastBook()


def turn_key(turn: Turn) -> str:
    return f"{turn.stage}:{turn.seat}"


def needs_floorperson(turn: Turn) -> tuple[str, ...]:
    """Paragraphs for which a floorperson validates something at this turn before it is paid."""
    return tuple(dict.fromkeys(str(act.cite) for line in turn.lines for act in line.acts if act.actor == "floorperson"))


def ready_turns(table: Table, desk: Desk, stages: Collection[Stage]) -> tuple[tuple[Turn, ...], Turn | None]:
    """The turns that can be settled now, and the one that waits for a floorperson, if one does."""
    play = table.play
    assert play is not None
    ready: list[Turn] = []
    for turn in turns_left(table, desk):
        if turn.stage not in stages:
            break
        if needs_floorperson(turn) and turn_key(turn) not in play.validated:
            return tuple(ready), turn
        ready.append(turn)
    return tuple(ready), None


def stages_left(table: Table, desk: Desk, stages: Collection[Stage]) -> bool:
    return any(turn.stage in stages for turn in turns_left(table, desk))


def settle_events(
    table: Table, desk: Desk, stages: Collection[Stage], then: Phase | None, most: int | None = None
) -> Iterator[Event]:
    """Settle the turns that are ready; the phase moves on when nothing of these stages is left."""
    ready, waiting = ready_turns(table, desk, stages)
    chosen = ready if most is None else ready[:most]
    done = waiting is None and len(chosen) == len(ready)
    for index, turn in enumerate(chosen):
        last = index == len(chosen) - 1
        events = list(turn_events(table, turn))
        for position, event in enumerate(events):
            if last and done and then is not None and position == len(events) - 1:
                event = replace(event, data={**event.data, "phase": then})
            yield event
    if not chosen and done and then is not None:
        yield Event("turns.completed", {"phase": then})


def turn_events(table: Table, turn: Turn) -> Iterator[Event]:
    """One seat's turn: what a meter pays, then every line in the order of the law."""
    yield from _meter_events(table, turn)
    for line in turn.lines:
        yield Event("line.settled", line_data(line, turn.stage, turn.seat), _cites(line), line_entries(table, line))


def _meter_events(table: Table, turn: Turn) -> Iterator[Event]:
    rules = rules_at(table)
    for name, house_name in table.meters.items():
        movements = tuple(
            m for m in turn.movements if any(end.startswith(f"meter {name} ") for end in (m.source, m.target))
        )
        if not movements:
            continue
        paid = sum(m.amount for m in movements if m.reason == "award")
        winners = sorted({line.seat for line in turn.lines if line.from_meter == name})
        yield Event(
            "meter.paid",
            {
                "meter": house_name,
                "seat": turn.seat,
                "winners": winners,
                "amount": paid // UNITS_PER_CENT,
                "reseeded": any(m.reason in ("reseed", "reserve to meter") for m in movements),
            },
            (str(rules.meters[name].cite),),
            tuple(meter_entries(house_name, movements, table.id)),
        )


def line_data(line: Line, stage: Stage, turn: int) -> dict[str, object]:
    data: dict[str, object] = {**line.as_dict(), "stage": str(stage), "turn": turn}
    if line.settles:
        data["settles"] = line.settles
    if line.from_meter:
        data["from_meter"] = line.from_meter
    if any(act.act.endswith(DOCUMENTED) for act in line.acts):
        data["paperwork"] = True
    return data


def _cites(line: Line) -> tuple[str, ...]:
    acts = (str(act.cite) for act in line.acts)
    return tuple(dict.fromkeys(cite for cite in (line.cite, line.odds_cite, *acts) if cite))


def line_entries(table: Table, line: Line) -> tuple[Entry, ...]:
    """The money of a line: the stake leaves the layout, winnings come from the inventory or from a jackpot.

    Progressive chips went into the inventory before the deal, so there is nothing of theirs on the layout.
    """
    play = table.play
    assert play is not None
    player = player_account(play.players[line.seat])
    layout, inventory = layout_account(table.id), inventory_account(table.id)
    staked = line.stake if line.settles else 0
    paid = staked + line.net
    if line.from_meter:
        return move(jackpot_account(table.id), player, paid)
    if line.settles in play.collected:
        return move(inventory, player, paid)
    back = min(staked, paid)
    return (
        *move(layout, player, back),
        *move(layout, inventory, staked - back),
        *move(inventory, player, paid - back),
    )


@command("settle", {Phase.LOCKED, Phase.REVEALING, Phase.SETTLING}, "reveal-dealer-hand-then-settle-from-dealers-right")
@dataclass(frozen=True)
class Settle(Command):
    """Settle the next seat's turn, or as many as are ready. Before the reveal that is collecting forfeits."""

    turns: int = 0
    """How many turns; 0 for all that are ready."""

    @implements(
        "641a.11(c)", "641a.11(c)(5)(iii)", "649a.11(c)", "649a.11(c)(5)(iii)", "671a.11(c)", "671a.11(f)(2)",
        "684a.11(b)(2)", "684a.11(c)",
    )  # fmt: skip
    def findings(self, table: Table, desk: Desk) -> Iterator[Finding]:
        ready, waiting = ready_turns(table, desk, stages_now(table))
        if self.turns < 0:
            yield Finding("turns", "", "a number of turns", str(self.turns), "Give how many turns to settle.")
        if not ready and waiting is not None:
            cites = needs_floorperson(waiting)
            yield Finding(
                "validation-needed",
                cites[0],
                "a floorperson's validation",
                "none",
                f"A floorperson validates the payout at seat {waiting.seat} before it is paid.",
                f"seat {waiting.seat}",
            )
        elif not ready and table.phase == Phase.REVEALING:
            yield Finding(
                "nothing-to-settle", "", "forfeited wagers", "none", "Nothing is forfeited: reveal the dealer's cards."
            )

    def events(self, table: Table, desk: Desk) -> Iterator[Event]:
        from pitboss.table.deciding import after_locked

        then: Phase | None = None
        if table.phase == Phase.LOCKED:
            then = after_locked(table)
        elif table.phase == Phase.SETTLING:
            then = Phase.COLLECTING
        yield from settle_events(table, desk, stages_now(table), then, self.turns or None)


def stages_now(table: Table) -> Collection[Stage]:
    return {
        Phase.LOCKED: frozenset({Stage.LOCKED_IN}),
        Phase.REVEALING: BEFORE_REVEAL,
        Phase.SETTLING: AFTER_REVEAL,
    }[table.phase]


@command("reveal", {Phase.REVEALING}, "reveal-dealer-hand")
@dataclass(frozen=True)
class Reveal(Command):
    """The dealer's cards are turned up, after forfeited wagers have been collected."""

    @implements("641a.11(c)", "649a.11(c)", "671a.11(e)", "684a.11(c)")
    def findings(self, table: Table, desk: Desk) -> Iterator[Finding]:
        if stages_left(table, desk, BEFORE_REVEAL):
            chapter = game_at(table).chapter.chapter
            yield Finding(
                "forfeits-first",
                f"{chapter}.11(c)" if chapter != "684a" else "684a.11(b)(2)",
                "forfeited wagers collected",
                "wagers of folded hands on the layout",
                "Forfeited wagers are collected before the dealer's cards are turned up.",
            )

    def events(self, table: Table, desk: Desk) -> Iterator[Event]:
        play = table.play
        assert play is not None
        chapter = game_at(table).chapter.chapter
        cite = f"{chapter}.11(e)" if chapter == "671a" else f"{chapter}.11(c)"
        phase = Phase.SETTLING if stages_left(table, desk, AFTER_REVEAL) else Phase.COLLECTING
        yield Event("dealer.revealed", {"cards": show_cards(play.hand("dealer")), "phase": phase}, (cite,))


@command("validate", {Phase.LOCKED, Phase.SETTLING}, "validate-progressive-payout")
@dataclass(frozen=True)
class Validate(Command):
    """A floorperson validates the payout whose turn it is."""

    seat: int

    def findings(self, table: Table, desk: Desk) -> Iterator[Finding]:
        ready, waiting = ready_turns(table, desk, stages_now(table))
        if ready or waiting is None or waiting.seat != self.seat:
            expected = f"seat {waiting.seat}, after the turns before it" if waiting else "a payout to validate"
            yield Finding(
                "nothing-to-validate", cite_of(table, self.act), expected, f"seat {self.seat}",
                f"No payout at seat {self.seat} waits for a validation now.",
            )  # fmt: skip
        if table.play is not None and desk.person == table.play.dealer:
            yield Finding(
                "two-people", cite_of(table, self.act), "somebody else than the dealer", desk.person,
                f"{desk.person} deals this round; another floorperson or above validates what is won in it.",
            )  # fmt: skip

    @implements("641a.11(c)(5)(iii)", "641a.11(c)(7)(ii)", "649a.11(c)(5)(iii)", "649a.11(c)(7)(iii)",
                "649a.11(c)(8)(ii)", "649a.11(c)(9)(iii)")  # fmt: skip
    def events(self, table: Table, desk: Desk) -> Iterator[Event]:
        _, waiting = ready_turns(table, desk, stages_now(table))
        assert waiting is not None
        yield Event("payout.validated", {"seat": self.seat, "turn": turn_key(waiting)}, needs_floorperson(waiting))


@command("complete_paperwork", {Phase.SETTLING, Phase.COLLECTING})
@dataclass(frozen=True)
class CompletePaperwork(Command):
    """The jackpot documents are complete; the cards may leave the table."""

    document: str = ""

    def findings(self, table: Table, desk: Desk) -> Iterator[Finding]:  # noqa: ARG002
        assert table.play is not None
        if not table.play.paperwork:
            yield Finding("no-paperwork", "", "a jackpot to document", "none", "No jackpot waits for its documents.")

    @implements("641a.11(c)(5)(iv)", "641a.11(c)(7)(iii)", "649a.11(c)(5)(iv)", "649a.11(c)(7)(iv)",
                "649a.11(c)(8)(iii)", "649a.11(c)(9)(iv)")  # fmt: skip
    def events(self, table: Table, desk: Desk) -> Iterator[Event]:  # noqa: ARG002
        assert table.play is not None
        cites = tuple(dict.fromkeys(line.cite for line in table.play.lines if line.from_meter))
        yield Event("paperwork.completed", {"document": self.document}, cites)


@command("discard", {Phase.COLLECTING}, "collect-cards-in-reconstructable-order")
@dataclass(frozen=True)
class Discard(Command):
    """Collect the cards, hand by hand, so that each can be found again; the round is over."""

    @implements("641a.11(d)", "649a.11(d)", "671a.11(g)", "684a.11(e)")
    def findings(self, table: Table, desk: Desk) -> Iterator[Finding]:  # noqa: ARG002
        assert table.play is not None
        if (taken := rack_taken(table)) is not None:
            yield taken
        if table.play.paperwork:
            line = next(line for line in table.play.lines if line.from_meter)
            yield Finding(
                "paperwork",
                line.cite,
                "complete jackpot documents",
                "open",
                f"The cards of seat {line.seat} stay on the table until the jackpot documents are complete.",
                f"seat {line.seat}",
            )

    def events(self, table: Table, desk: Desk) -> Iterator[Event]:
        play = table.play
        assert play is not None
        yield Event("cards.collected", {"rack": discard_rack(play)}, (cite_of(table, self.act),))
        yield from reveal_deck(table, desk)
        after = next_deck(table)
        count_due = _deck_count_due(table)
        phase = Phase.DECK_COUNT if count_due else ready_phase(table, after)
        yield Event(
            "round.completed",
            {"round": play.number, "deck": table.active, "next_deck": after, "phase": phase, "totals": _totals(play)},
        )
        if not count_due and procedure_of(table, DECK_COUNT_ACT) is not None:
            yield Event("deck.counted", {"counted": counts_cards(table)})


def discard_rack(play: Play) -> list[list[str]]:
    """Cards as they come to lie in the rack: unused ones, then hand by hand in the order of dealing."""
    piles = [["face up in the deck", show_cards(play.unused)]] if play.unused else []
    for place in dict.fromkeys(dealt.to for dealt in play.dealt):
        cards = [dealt.card for dealt in play.dealt if dealt.to == place]
        number = place.removeprefix("seat ")
        if number.isdigit() and int(number) in play.decisions:
            decision: Decision = play.decisions[int(number)]
            cards += decision.drawn
        piles.append([place, " ".join(map(show_card, cards))])
    return piles


def _totals(play: Play) -> dict[str, int]:
    totals: dict[str, int] = {}
    for line in play.lines:
        totals[str(line.seat)] = totals.get(str(line.seat), 0) + line.net
    return totals


def reveal_deck(table: Table, desk: Desk) -> Iterator[Event]:
    """After the round a virtual deck is shown, so that anybody can check the deal against the commitment."""
    sealed = desk.sealed(table.id, table.active)
    if table.source != "virtual" or sealed is None or table.deck is None:
        return
    assert table.play is not None
    yield Event(
        "deck.revealed",
        {
            "round": table.play.number,
            "deck": table.active,
            "commitment": sealed.commitment,
            "cards": show_cards(sealed.cards),
            "salt": sealed.salt.hex(),
            "cuts": list(table.deck.cuts),
            "left_deck": show_cards(table.play.left_deck),
        },
    )


@implements("641a.3(b)(3)", "641a.3(b)(4)", "649a.3(b)(3)", "649a.3(b)(4)", "671a.3(b)(3)", "671a.3(b)(4)",
            "684a.3(b)(3)", "684a.3(b)(4)")  # fmt: skip
def next_deck(table: Table) -> str:
    """Two decks alternate, each used for every other round; one deck is used again."""
    return table.other_deck


def ready_phase(table: Table, deck: str) -> Phase:
    """Whether the deck of the next round is ready: the other one may have been shuffled during this round."""
    waiting = table.decks.get(deck)
    if waiting is None or deck == table.active:
        return Phase.SHUFFLING
    return ready_for_round(table, waiting)


def _deck_count_due(table: Table) -> bool:
    """Where no stub is counted, the whole deck is, at least every fifth round (671a.11(h))."""
    if procedure_of(table, DECK_COUNT_ACT) is None or counts_cards(table):
        return False
    return table.uncounted + 1 >= rules_at(table).figure("stub_count_rounds")


@command("count_deck", {Phase.DECK_COUNT}, DECK_COUNT_ACT)
@dataclass(frozen=True)
class CountDeck(Command):
    """The dealer counts the whole deck after the round."""

    count: int

    def findings(self, table: Table, desk: Desk) -> Iterator[Finding]:  # noqa: ARG002
        if not 0 <= self.count <= 2 * CARDS:
            yield Finding("count", cite_of(table, self.act), "a number of cards", str(self.count), "Count the cards.")

    @implements("671a.11(h)", "671a.11(h)(1)", "671a.11(h)(2)")
    def events(self, table: Table, desk: Desk) -> Iterator[Event]:  # noqa: ARG002
        right = self.count == CARDS
        deck = table.other_deck if len(table.decks) == 2 else table.active
        act = "deck-count-correct" if right else "deck-count-wrong"
        phase = ready_phase(replace(table, active=deck), table.active) if right else Phase.OPENING
        yield Event("deck.counted", {"counted": True, "count": self.count, "phase": phase}, (cite_of(table, act),))
        if not right:
            yield from removed(table, deck, f"the count of the deck was {self.count}", cite_of(table, act))


def removed(table: Table, deck: str, reason: str, cite: str) -> Iterator[Event]:
    """A deck leaves the table; with no other deck, new cards have to be opened."""
    left = [name for name in table.decks if name != deck]
    phase = Phase.OPENING if not left else ready_phase(replace(table, active=deck), left[0])
    yield Event("deck.removed", {"deck": deck, "reason": reason, "phase": phase}, (cite,))


@command(
    "abandon", {Phase.STUB, Phase.DECIDING, Phase.LOCKED, Phase.DRAWING, Phase.REVEALING, Phase.SETTLING}, "seated-only"
)
@dataclass(frozen=True)
class Abandon(Command):
    """A floorperson treats the wagers of a player who left during the round as abandoned: they lose."""

    seat: int

    @implements("641a.7(b)", "649a.7(b)", "671a.7(b)", "684a.7(b)")
    def findings(self, table: Table, desk: Desk) -> Iterator[Finding]:  # noqa: ARG002
        play = table.play
        assert play is not None
        if self.seat not in play.left or self.seat in play.absent:
            yield Finding(
                "not-left", cite_of(table, self.act), "a seat whose player left during the round", f"seat {self.seat}",
                f"The player of seat {self.seat} has not left with live wagers.",
            )  # fmt: skip
        elif any(line.from_meter and line.settles == SHARED for line in play.lines) and SHARED in self._live(
            table, play
        ):
            yield Finding(
                "jackpot-divided", cite_of(table, self.act), "a jackpot that is not yet divided", "a divided jackpot",
                f"A jackpot has been divided and a part of it is seat {self.seat}'s: settle the seat.",
            )  # fmt: skip

    def events(self, table: Table, desk: Desk) -> Iterator[Event]:  # noqa: ARG002
        from pitboss.table.deciding import next_phase, undecided

        play = table.play
        assert play is not None
        cite = cite_of(table, self.act)
        for wager, stake in self._live(table, play).items():
            line = Line(
                self.seat, wager, stake, result=Result.LOSE, net=-stake, cite=cite, settles=wager,
                why="The player left during the round; the wager is treated as lost.",
            )  # fmt: skip
            yield Event(
                "line.settled", line_data(line, Stage.FORFEITS, self.seat) | {"abandoned": True}, (cite,),
                line_entries(table, line),
            )  # fmt: skip
        # A decision already made stays: lines settled under it, a fee for example, are read again with it.
        fold = {self.seat: Decision("fold")} if self.seat in undecided(table, play) else {}
        after = replace(play, decisions={**play.decisions, **fold}, absent={**play.absent, self.seat: 0})
        data: dict[str, object] = {"seat": self.seat, "fold": encode(fold[self.seat]) if fold else {}}
        if table.phase in (Phase.DECIDING, Phase.DRAWING) and (phase := next_phase(table, after)) is not None:
            data["phase"] = phase
        yield Event("wagers.abandoned", data, (cite,))

    def _live(self, table: Table, play: Play) -> dict[str, int]:
        """Wagers of the seat that no line has settled yet."""
        seat = next(s for s in play.as_round(frozenset()).seats if s.number == self.seat)
        made = {**seat.wagers, **game_at(table).later_wagers(rules_at(table), seat)}
        gone = {line.settles for line in play.lines if line.seat == self.seat}
        return {name: stake for name, stake in made.items() if name not in gone}
