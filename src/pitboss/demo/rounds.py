"""Demonstration rounds: dealt in the order of the law, played plainly, settled and shown."""

from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from random import SystemRandom
from typing import Any

from pitboss.api import lawful_rules, load_submission, rules_for
from pitboss.api.playing import State, play
from pitboss.cards import show_card, show_cards
from pitboss.findings import UnreadableError
from pitboss.games.deal import DeckError
from pitboss.games.round import Round, Seat, owner
from pitboss.games.rules import Rules
from pitboss.law.model import Device


@dataclass(frozen=True)
class ShownRound:
    """A demonstration with the seed that deals it again."""

    seed: int
    device: Device
    round: State

    def as_dict(self) -> dict[str, Any]:
        played = self.round.played
        return {
            "game": self.round.rules.game,
            "as_of": str(self.round.rules.as_of),
            "seed": self.seed,
            "device": self.device,
            "dealt": [
                {"card": show_card(dealt.card), "to": dealt.to, "face_up": dealt.face_up}
                for dealt in self.round.dealing.order
            ],
            "dealer": show_cards(played.dealer),
            **{name: show_cards(cards) for name, cards in played.extras.items() if owner(name) is None},
            **({"dice": list(played.dice)} if played.dice else {}),
            "seats": [_seat(played, seat) for seat in played.clockwise()],
            **self.round.settlement.as_dict(),
        }


def _seat(played: Round, seat: Seat) -> dict[str, Any]:
    shown: dict[str, Any] = {"number": seat.number, "cards": show_cards(seat.cards), "wagers": dict(seat.wagers)}
    own = ((name, cards) for name, cards in played.extras.items() if owner(name) == seat.number)
    shown |= {name.rpartition(" ")[0]: show_cards(cards) for name, cards in own}
    for step, decision in seat.decisions.items():
        shown[step] = decision.choice
        if decision.amount is not None:
            shown["amount" if len(seat.decisions) == 1 else f"{step} amount"] = decision.amount
        if decision.drawn:
            shown["drawn"] = show_cards(decision.drawn)
    return shown


def demonstrate(
    game: str,
    as_of: date,
    seats: int | None = None,
    seed: int | None = None,
    submission: Path | None = None,
    device: str | None = None,
) -> ShownRound:
    """Deal, play and settle one round; without a seed a new one is drawn and shown."""
    rules = _rules(game, as_of, submission)
    wanted, devices = device or rules.choices.device, rules.chapter.devices(rules.as_of)
    if wanted not in devices:
        raise UnreadableError(f"{device!r} is not a device of {rules.chapter.title}: {', '.join(devices)}.")
    number = min(3, rules.seats) if seats is None else seats
    if not 1 <= number <= rules.seats:
        cite = rules.figure_cite("seats")
        raise UnreadableError(f"{number} seats cannot play: this table has 1 to {rules.seats} [{cite}].")
    chosen = SystemRandom().randrange(2**32) if seed is None else seed
    dealt_by = replace(rules, choices=replace(rules.choices, device=wanted))
    try:
        return ShownRound(chosen, wanted, play(dealt_by, chosen, seats=number).finish())
    except DeckError as problem:
        raise UnreadableError(str(problem)) from None


def _rules(game: str, as_of: date, path: Path | None) -> Rules:
    if path is None:
        return rules_for(game, as_of)
    submission = load_submission(path, game)
    return lawful_rules(submission, max(as_of, submission.effective))
