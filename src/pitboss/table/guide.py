"""What comes next: the step that the procedure asks for, who takes it, and the announcement."""

from dataclasses import dataclass

from pitboss.games.chance import spoken_of
from pitboss.games.course import FORFEITS, Decide, TurnUp
from pitboss.games.handover import chip_wagers
from pitboss.games.round import cards_at
from pitboss.games.settlement import Turn
from pitboss.money import show_dollars
from pitboss.names import listed, several, shown
from pitboss.table import decks
from pitboss.table.chips import handover_at
from pitboss.table.collecting import CARDS, CountDeck, Discard
from pitboss.table.command import Command
from pitboss.table.dealing import DealCards, PlaceStub, count_due
from pitboss.table.deciding import DrawCards, LockDecisions, choices_when_left, deciding_now, drawing_now, fee_of
from pitboss.table.desk import Desk
from pitboss.table.place import place_of
from pitboss.table.roles import Role
from pitboss.table.ruling import cite_of, hand_at, law_changed, rules_at, thrown_at
from pitboss.table.settling import CompletePaperwork, Reveal, SettleTurns, Validate
from pitboss.table.shaking import OpenShaker, ReadDice, Shake
from pitboss.table.shuffling import Cut, Shuffle, other_deck_waits
from pitboss.table.state import OPENING_STEPS, Phase, Table
from pitboss.table.streets import street_now
from pitboss.table.turning import RuleChoice, TurnUpCards, ruling_words
from pitboss.table.turns import Wait, disputed, needs_floorperson, ready_turns, turns_left, waits_for
from pitboss.table.wagering import CountChips, NoMoreBets


@dataclass(frozen=True)
class Step:
    """One next step: the command, whose it is, what to say or do, and the paragraph."""

    role: Role
    command: Command | None
    say: str
    cite: str = ""
    seat: int | None = None
    """Whose decision is awaited, where a player's is."""


OPENING: dict[str, tuple[Role, Command, str]] = {
    "inspected": (Role.DEALER, decks.InspectCards(), "Inspect the cards for defects."),
    "verified": (Role.FLOORPERSON, decks.VerifyInspection(), "Verify the dealer's inspection."),
    "spread": (Role.DEALER, decks.SpreadCards(), "Spread the cards face up by suit and in sequence."),
    "viewed": (Role.DEALER, decks.PlayerInspected(), "Let the first player look at the cards."),
    "washed": (Role.DEALER, decks.WashCards(), "Turn the cards face down, wash and stack them."),
}


RACK_NEXT = frozenset({Phase.DEALING, Phase.STUB, Phase.COLLECTING})
"""Phases in which cards of the round are about to need the shoe or the discard rack for themselves."""


def next_step(table: Table, desk: Desk) -> Step | None:
    """The step that the table waits for; none while it is closed."""
    match table.phase:
        case Phase.CLOSED:
            return None
        case Phase.OPENING | Phase.IDLE:
            return _opening(table)
        case Phase.SHUFFLING if thrown_at(table):
            return _dealer(table, Shake(), spoken_of(rules_at(table)).start)
        case Phase.SHUFFLING:
            return _dealer(table, Shuffle(), f"Shuffle by {table.shuffling}.")
        case Phase.CUTTING:
            return _dealer(table, Cut(CARDS // 2), "Cut: the cover card at least ten cards in.")
        case Phase.WAGERING:
            return _wagering(table, desk)
    return _in_round(table, desk)


def _dealer(table: Table, command: Command, say: str) -> Step:
    return Step(Role.DEALER, command, say, cite_of(table, command.act))


def _opening(table: Table) -> Step:
    if thrown_at(table):
        return _dealer(table, OpenShaker(), spoken_of(rules_at(table)).ready)
    if not table.decks:
        return Step(
            Role.FLOORPERSON, decks.ReceiveDecks(), "Receive the cards at the table.",
            cite_of(table, "open-each-of-two-decks"),
        )  # fmt: skip
    done = len(next(iter(table.decks.values())).steps)
    role, command, say = OPENING[OPENING_STEPS[min(done, len(OPENING_STEPS) - 1)]]
    if isinstance(command, decks.PlayerInspected) and not table.homes:
        return Step(Role.DEALER, None, "Seat the first player, who may look at the cards.", cite_of(table, command.act))
    return Step(role, command, say, cite_of(table, command.act))


def _wagering(table: Table, desk: Desk) -> Step:
    if (due := decks.deck_change_due(table, desk.now)) is not None:
        return Step(Role.FLOORPERSON, None, due.sentence, due.cite)
    if (changed := law_changed(table, desk.now)) is not None:
        return Step(Role.PIT_MANAGER, None, changed.sentence, changed.cite)
    if not table.staged and not table.carried:
        return Step(Role.PLAYER, None, "Wagers may be placed.", cite_of(table, "refuse-verbal-wagers-with-cash"))
    return _dealer(table, NoMoreBets(), 'Announce "no more bets".')


def _in_round(table: Table, desk: Desk) -> Step:
    play = table.play
    if table.phase == Phase.DECK_COUNT:
        return _dealer(table, CountDeck(CARDS), "Count the deck.")
    assert play is not None
    if table.phase in RACK_NEXT and other_deck_waits(table):
        return Step(
            Role.DEALER, Shuffle(table.other_deck), f"Put the {table.other_deck} deck into the shuffler.",
            cite_of(table, "shuffle-other-deck-during-play"),
        )  # fmt: skip
    match table.phase:
        case Phase.COUNTING:
            chips = sum(len(chip_wagers(rules_at(table), made)) for made in play.wagers.values())
            return _dealer(table, CountChips(chips), f"Collect and count the progressive chips: {chips}.")
        case Phase.DEALING if thrown_at(table):
            if table.deck is not None and table.deck.shuffled:
                return _dealer(table, ReadDice(), spoken_of(rules_at(table)).read)
            return _dealer(table, Shake(), spoken_of(rules_at(table)).start)
        case Phase.DEALING:
            return _dealer(table, DealCards(), "Deal.")
        case Phase.STUB:
            count = play.in_deck if count_due(table) else None
            say = "Count the stub and place it in the discard rack." if count else "Place the stub in the discard rack."
            return _dealer(table, PlaceStub(count), say)
        case Phase.DECIDING:
            return _decision(table)
        case Phase.DRAWING:
            return _draw(table, desk)
        case Phase.REVEALING:
            if (left := turns_left(table, desk)) and not left[0].needs:
                return Step(Role.DEALER, SettleTurns(1), "Collect the forfeited wagers.", _turn_cite(table, left[0]))
            if left:
                return _settle(table, desk)
            return _reveal(table)
        case Phase.COLLECTING:
            if play.paperwork:
                return Step(Role.FLOORPERSON, CompletePaperwork(), "Complete the jackpot documents; the cards stay.")
            if not play.dealt:
                return _dealer(table, Discard(), spoken_of(rules_at(table)).clear)
            return _dealer(table, Discard(), "Collect the cards in an order that lets each hand be found again.")
    return _settle(table, desk)


def _settle(table: Table, desk: Desk) -> Step:
    ready, waiting = ready_turns(table, desk)
    if not ready and waiting is not None and (step := _stopped(table, waiting)) is not None:
        return step
    if not ready and waiting is not None:
        cite = needs_floorperson(waiting)[0]
        return Step(
            Role.FLOORPERSON, Validate(waiting.seat), f"Validate the payout at seat {waiting.seat}.", cite, waiting.seat
        )
    seat = ready[0].seat if ready else None
    say = f"Settle seat {seat}: {orders(table, ready[0])}." if ready else "Nothing is left to settle here."
    cite = _turn_cite(table, ready[0]) if ready else cite_of(table, SettleTurns.act)
    return Step(Role.DEALER, SettleTurns(1), say, cite, seat)


def _turn_cite(table: Table, turn: Turn) -> str:
    """The paragraph by which a turn is settled: what a folded hand forfeits has one of its own."""
    return turn.lines[0].cite if turn.stage == FORFEITS and turn.lines else cite_of(table, SettleTurns.act)


def _stopped(table: Table, waiting: Turn) -> Step | None:
    """What a turn waits for, where that isn't the validation of its payout."""
    cite = cite_of(table, TurnUpCards.act)
    match waits_for(table, waiting):
        case Wait.CARDS:
            say = f"Turn up {cards_at(waiting.needs)}."
            return Step(Role.DEALER, TurnUpCards(place=waiting.needs), say, cite, waiting.seat)
        case Wait.RULING:
            say, (step, odd) = ruling_words(table, waiting.seat), disputed(table, waiting.seat)[0]
            return Step(Role.FLOORPERSON, RuleChoice(waiting.seat, step, stands=True), say, odd.cite, waiting.seat)
    return None


def orders(table: Table, turn: Turn) -> str:
    """Return what the dealer does with each wager of a turn, and what stays on the layout."""
    said, stays = [], 0
    for line in turn.lines:
        moves = handover_at(table, line)
        whose = shown(line.wager) + (f" of seat {line.seat}" if line.seat != turn.seat else "")
        said.append(moves.order(whose, line.result))
        stays += moves.stays
    return ", ".join(said) + (f"; {show_dollars(stays)} stays" if stays else "")


def _reveal(table: Table) -> Step:
    step = place_of(table).step
    assert isinstance(step, TurnUp)
    if (hand := hand_at(table)) is not None:
        if hand.showing is not None:
            may = " or concedes it unseen" if hand.may_concede(hand.showing) else ""
            return Step(Role.DEALER, Reveal(), f"Seat {hand.showing} shows its hand{may}.", step.cite, hand.showing)
        seats = listed(map(str, hand.shown))
        return Step(
            Role.DEALER, Reveal(), f"Hands are shown: seat{'s' if len(hand.shown) > 1 else ''} {seats}.", step.cite
        )
    if street := len(street_now(table)):
        say = f"Deal {several(street, f'{shown(step.place).lower()} card')} face up."
        return Step(Role.DEALER, Reveal(), say, step.cite)
    whose = (
        f"{step.cards} {step.place} card{'s' if step.cards > 1 else ''}" if step.cards else f"the {step.place}'s cards"
    )
    return Step(Role.DEALER, Reveal(), f"Turn {whose} up.", step.cite)


def _decision(table: Table) -> Step:
    step, place = deciding_now(table)[0], place_of(table)
    assert step is not None
    if place.seat is None:
        return _dealer(table, LockDecisions(), 'Announce "all decisions are locked in".')
    who = "Every player decides." if step.together else f"Ask seat {place.seat}."
    if place.seat in table.playing.left:
        choices = listed(shown(option.name) for option in choices_when_left(table, place.seat, step))
        who = f"The player of seat {place.seat} has left: {choices}."
    return Step(Role.PLAYER, None, who, step.cite, place.seat)


def _draw(table: Table, desk: Desk) -> Step:
    seat = drawing_now(table)
    if seat is not None:
        turn = next((turn for turn in turns_left(table, desk) if turn.seat == seat), None)
        taken = show_dollars(sum(handover_at(table, line).taken for line in turn.lines)) if turn else "nothing"
        say = f"Collect the {fee_of(table, desk)} of seat {seat}, {taken}, and deal."
        return Step(Role.DEALER, DrawCards(), say, cite_of(table, DrawCards.act), seat)
    asked = place_of(table)
    assert isinstance(asked.step, Decide)
    return Step(Role.PLAYER, None, f"Ask seat {asked.seat}: {listed(asked.step.names)}.", asked.step.cite, asked.seat)
