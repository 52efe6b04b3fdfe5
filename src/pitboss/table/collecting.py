"""The end of a round: cards collected in order, the deck shown, counted, and the next one made ready."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from pitboss.cards import DECK, Card, Hand, show_card, show_cards
from pitboss.findings import Finding, refusal
from pitboss.games.course import Deal
from pitboss.money import Cents
from pitboss.table.command import Command, command
from pitboss.table.desk import Desk, chips
from pitboss.table.events import Event, carried_account, layout_account, move, player_account
from pitboss.table.happened import HIDDEN
from pitboss.table.kinds.cards import CardsCollected, DeckLost, DeckRevealed
from pitboss.table.kinds.chance import DiceCleared
from pitboss.table.kinds.rounds import RoundCompleted
from pitboss.table.kinds.shuffling import DeckCounted, DeckRemoved
from pitboss.table.kinds.wagers import WagerPlaced, stored_carried
from pitboss.table.ruling import (
    DECK_COUNT_ACT,
    STAYS,
    before_wagers,
    cite_of,
    counts_cards,
    game_at,
    is_private,
    procedure_of,
    rules_at,
    thrown_at,
)
from pitboss.table.shuffling import rack_taken, ready_for_round
from pitboss.table.state import Carried, LiveRound, Phase, Table

CARDS = len(DECK)


@command("discard", {Phase.COLLECTING}, "collect-cards-in-reconstructable-order")
class Discard(Command):
    """Collect the cards, hand by hand, so that each can be found again; the round is over."""

    def findings(self, table: Table, desk: Desk) -> Iterator[Finding]:
        from pitboss.table.turns import unsettled

        yield from unsettled(table, desk)
        if (taken := rack_taken(table)) is not None:
            yield taken
        if table.playing.paperwork:
            line = next(line for line in table.playing.lines if line.from_meter)
            sentence = f"The cards of seat {line.seat} stay on the table until the jackpot documents are complete."
            yield refusal("paperwork", "complete jackpot documents", "open", sentence, cite=line.cite, seat=line.seat)

    def events(self, table: Table, desk: Desk) -> Iterator[Event]:
        play = table.playing
        if play.dice:
            step = thrown_at(table)
            device = "shaker" if step is None else step.to
            yield Event(DiceCleared(device_of=device), (cite_of(table, "clear-what-is-marked"),))
        else:
            yield Event(CardsCollected(rack=discard_rack(play), private=is_private(table)), (cite_of(table, self.act),))
        yield from reveal_deck(table, desk)
        after = next_deck(table)
        count_due = _deck_count_due(table)
        phase = Phase.DECK_COUNT if count_due else ready_phase(table, after)
        carried = living_on(table)
        lying = sum(each.stake for made in carried.values() for each in made.values())
        completed = RoundCompleted(
            round=play.number,
            deck=table.active,
            next_deck=after,
            totals=_totals(play),
            carried=stored_carried(carried) if carried or table.carried else None,
            phase=phase,
        )
        yield Event(completed, entries=move(layout_account(table.id), carried_account(table.id), lying))
        held = {player: chips(desk, player) for player in play.players.values()}
        yield from staying(table, {line.seat: line.paid for line in play.lines}, held)
        if not count_due and procedure_of(table, DECK_COUNT_ACT) is not None:
            yield Event(DeckCounted(counted=counts_cards(table)))


def staying(table: Table, stacks: Mapping[int, Cents], held: Mapping[str, Cents]) -> Iterator[Event]:
    """What players against each other have left stays before them for the next round, unless they have left the table
    or no longer hold those chips."""
    course = game_at(table).course
    for seat, stack in sorted(stacks.items()) if course.contest else ():
        player = table.playing.players[seat]
        if 0 < stack <= held[player] and table.player_at(seat) == player:
            entries = move(player_account(player), layout_account(table.id), stack)
            placed = WagerPlaced(seat=seat, player=player, wager=course.unit, amount=stack, stays=True)
            yield Event(placed, (cite_of(table, STAYS),), entries)


def living_on(table: Table) -> dict[int, dict[str, Carried]]:
    """Wagers of the round that no line has settled because they live on, as the next round will know them."""
    play, rules, game = table.playing, rules_at(table), game_at(table)
    gone, played = {(line.seat, line.settles) for line in play.lines}, play.as_round()
    found: dict[int, dict[str, Carried]] = {}
    for seat in played.clockwise():
        for wager, stake in game.living(rules, played, seat).items():
            if (seat.number, wager) not in gone:
                thrown = (*seat.earlier.get(wager, ()), *played.dice)
                each = Carried(stake, play.players[seat.number], thrown, dict(seat.decisions))
                found.setdefault(seat.number, {})[wager] = each
    return found


def discard_rack(play: LiveRound) -> tuple[tuple[str, str], ...]:
    """Cards as they come to lie in the rack: unused ones, then hand by hand in the order of dealing."""
    piles = [("face up in the deck", show_cards(play.unused))] if play.unused else []
    for place, cards in play.places.items():
        number = place.removeprefix("seat ")
        made = play.decisions.get(int(number), {}).values() if number.isdigit() else ()
        pile = (*cards, *(card for decision in made for card in decision.drawn))
        if number.isdigit() and int(number) in play.drew:
            pile = _pile(cards, play.last.get(int(number), ()), play.drew[int(number)])
        piles.append((place, " ".join(HIDDEN if card is None else show_card(card) for card in pile)))
    return tuple(piles)


def _pile(first: tuple[Card | None, ...], last: Hand, drew: int) -> tuple[Card | None, ...]:
    """All cards that a seat held in turn, known ones first; which it gave up nobody may know."""
    known = tuple(dict.fromkeys((*last, *(card for card in first if card is not None))))
    return *known, *[None] * (len(first) + drew - len(known))


def _totals(play: LiveRound) -> dict[str, int]:
    totals: dict[str, int] = {}
    for line in play.lines:
        totals[str(line.seat)] = totals.get(str(line.seat), 0) + line.net
    return totals


def reveal_deck(table: Table, desk: Desk) -> Iterator[Event]:
    """After the round a virtual deck is shown, so that anybody can check the deal against the commitment."""
    if table.source != "virtual" or table.deck is None or table.playing.dice or not table.deck.commitment:
        return  # dice were shown when they were read, and what was not shaken is nothing to show
    sealed = desk.sealed(table.id, table.active)
    if sealed is None or sealed.commitment != table.deck.commitment:
        yield Event(DeckLost(round=table.playing.number, deck=table.active, commitment=table.deck.commitment))
        return
    yield Event(
        DeckRevealed(
            round=table.playing.number,
            deck=table.active,
            commitment=sealed.commitment,
            cards=sealed.content,
            salt=sealed.salt.hex(),
            cuts=table.deck.cuts,
            left_deck=table.playing.left_device,
            private=is_private(table),
        )
    )


def next_deck(table: Table) -> str:
    """Two decks alternate, each used for every other round; one deck is used again."""
    return table.other_deck


def ready_phase(table: Table, deck: str) -> Phase:
    """Whether the deck of the next round is ready: the other one may have been shuffled during this round."""
    waiting = table.decks.get(deck)
    if thrown_at(table):
        return before_wagers(table)
    if waiting is None or deck == table.active:
        return Phase.SHUFFLING
    return ready_for_round(table, waiting)


def _deck_count_due(table: Table) -> bool:
    """Where no stub is counted, the whole deck is, at least every fifth round."""
    if procedure_of(table, DECK_COUNT_ACT) is None or counts_cards(table):
        return False
    return table.uncounted + 1 >= rules_at(table).figure("stub_count_rounds")


@command("count_deck", {Phase.DECK_COUNT}, DECK_COUNT_ACT, needs=Deal)
class CountDeck(Command):
    """The dealer counts the whole deck after the round."""

    count: int

    def findings(self, table: Table, desk: Desk) -> Iterator[Finding]:  # noqa: ARG002
        if not 0 <= self.count <= 2 * CARDS:
            yield self.refusal(table, "count", "a number of cards", str(self.count), "Count the cards.")

    def events(self, table: Table, desk: Desk) -> Iterator[Event]:  # noqa: ARG002
        right = self.count == CARDS
        deck = table.other_deck if len(table.decks) == 2 else table.active
        act = "deck-count-correct" if right else "deck-count-wrong"
        phase = ready_phase(replace(table, active=deck), table.active) if right else Phase.OPENING
        yield Event(DeckCounted(counted=True, count=self.count, phase=phase), (cite_of(table, act),))
        if not right:
            yield from removed(table, deck, f"the count of the deck was {self.count}", cite_of(table, act))


def removed(table: Table, deck: str, reason: str, cite: str) -> Iterator[Event]:
    """A deck leaves the table; with no other deck, new cards have to be opened."""
    left = [name for name in table.decks if name != deck]
    phase = Phase.OPENING if not left else ready_phase(replace(table, active=deck), left[0])
    yield Event(DeckRemoved(deck=deck, reason=reason, phase=phase), (cite,))
