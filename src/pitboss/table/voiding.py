"""A round that does not count: hands void, wagers back, cards reshuffled or the deck removed."""

from collections.abc import Collection, Iterator
from dataclasses import replace

from pitboss.money import Cents
from pitboss.table.collecting import next_deck, ready_phase, removed, reveal_deck, staying
from pitboss.table.desk import Desk, chips
from pitboss.table.events import (
    HOUSE,
    Entry,
    Event,
    carried_account,
    inventory_account,
    joined,
    layout_account,
    move,
    moved,
    player_account,
    pot_account,
    receivable_account,
)
from pitboss.table.kinds.rounds import PlayerOwes, RoundVoided
from pitboss.table.kinds.wagers import stored_carried
from pitboss.table.ruling import cite_of, game_at, hand_at, rules_at
from pitboss.table.state import LiveRound, Phase, Table


def stakes_of(table: Table, play: LiveRound) -> dict[int, dict[str, Cents]]:
    """Everything each seat has wagered in the round and not taken back, before and after the cards."""
    rules, game = rules_at(table), game_at(table)
    return {seat: game.stakes(rules, play.seat(seat)) for seat in sorted(play.wagers)}


def due_of(table: Table, play: LiveRound) -> dict[int, dict[str, Cents]]:
    """Of that, what has to leave the layout with the round: all but wagers that live on."""
    rules, game, played = rules_at(table), game_at(table), play.as_round()
    return {seat: game.due(rules, played, play.seat(seat)) for seat in sorted(play.wagers)}


def voided(
    table: Table, desk: Desk, act: str, reason: str, *, remove_deck: bool = False, stand: Collection[str] = ()
) -> Iterator[Event]:
    """All hands are void and all wagers go back; lines settled in this round are undone.

    Wagers that ``stand`` have been settled on their own account and stay so; those that lived on from earlier rounds do
    as if this round had not been, unless it has settled them. What progressive wagers added to a meter
    stays there: a displayed amount is lowered by an award and by nothing else.
    """
    play = table.playing
    cite = cite_of(table, act)
    yield from reveal_deck(table, desk)
    returned: dict[str, dict[str, Cents]] = {}
    for seat, made in stakes_of(table, play).items():
        carried = table.carried.get(seat, {})
        returned[str(seat)] = {w: stake for w, stake in made.items() if w not in stand and w not in carried}
    entries, claims, held = _undone(table, play, returned, desk)
    if (hand := hand_at(table)) is not None:  # what is in the pot lies on the layout again, or has been paid out of it
        settled = {line.seat for line in play.lines}
        left = desk.balance(pot_account(table.id))
        owed = sum(put for seat, put in hand.put.items() if seat not in settled)
        entries.append(moved(pot_account(table.id), inventory_account(table.id), left))
        entries.append(move(inventory_account(table.id), layout_account(table.id), owed))
    gone_by = {(line.seat, line.settles) for line in play.lines}
    living = {
        seat: kept
        for seat, made in table.carried.items()
        if (kept := {wager: each for wager, each in made.items() if (seat, wager) not in gone_by})
    }
    if table.carried:
        total = sum(each.stake for made in living.values() for each in made.values())
        entries.append(move(layout_account(table.id), carried_account(table.id), total))
    deck, after = table.active, next_deck(table)
    gone = replace(table, decks={n: d for n, d in table.decks.items() if n != deck}) if remove_deck else table
    phase = Phase.OPENING if not gone.decks else ready_phase(table, after)
    yield Event(
        RoundVoided(
            round=play.number,
            act=act,
            reason=reason,
            returned=returned,
            deck=deck,
            next_deck=after,
            carried=stored_carried(living) if table.carried else None,
            phase=phase,
        ),
        (cite,),
        joined(entries),
    )
    for player, short in claims.items():
        owes = PlayerOwes(round=play.number, player=player, amount=short)
        yield Event(owes, (cite,), move(HOUSE, receivable_account(player), short))
    yield from staying(table, {seat: sum(play.staked(seat).values()) for seat in play.wagers}, held)
    if remove_deck:
        yield from removed(table, deck, reason, cite)


def _undone(
    table: Table, play: LiveRound, returned: dict[str, dict[str, Cents]], desk: Desk
) -> tuple[list[tuple[Entry, ...]], dict[str, Cents], dict[str, Cents]]:
    """The money of a void round, what players should give back of it and no longer have, and their chips after it.

    Winnings may have been cashed or wagered elsewhere before the round was void. A player gives back the chips he has;
    for the rest the house has a claim, for no balance of chips is ever less than none.
    """
    moves = [(play.players[int(seat)], *_returned(play, int(seat), back)) for seat, back in returned.items()]
    left = {player: chips(desk, player) for player, _, _ in moves}
    for player, lying, owed in moves:
        left[player] += lying + max(owed, 0)
    entries: list[tuple[Entry, ...]] = []
    claims: dict[str, Cents] = {}
    inventory = inventory_account(table.id)
    for player, lying, owed in moves:
        if owed < 0:
            given = min(-owed, left[player])
            left[player] -= given
            if given < -owed:
                claims[player] = claims.get(player, 0) - owed - given
            owed = -given
        account = player_account(player)
        entries.append((*move(layout_account(table.id), account, lying), *move(inventory, account, owed)))
    return entries, claims, left


def _returned(play: LiveRound, seat: int, back: dict[str, Cents]) -> tuple[Cents, Cents]:
    """Chips that go back from the layout, and what undoing the lines takes from the inventory or brings it."""
    settled = [line for line in play.lines if line.seat == seat and (not line.settles or line.settles in back)]
    gone = {line.settles for line in settled}
    lying = sum(stake for wager, stake in back.items() if wager not in gone and wager not in play.collected)
    return lying, sum(back.values()) - lying - sum(line.paid for line in settled)
