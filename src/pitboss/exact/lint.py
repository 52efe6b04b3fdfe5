"""Findings from mathematics: pay tables whose hold is odd, or not the one that was approved."""

from collections.abc import Iterator
from datetime import date
from fractions import Fraction

from pitboss.exact.duel import Progress
from pitboss.exact.edge import MAIN, Variant, main_result, rules_of_variant, variants
from pitboss.exact.published import outside_approved
from pitboss.exact.side import bonus_on
from pitboss.exact.target import hold
from pitboss.findings import Finding, refusal
from pitboss.games.contract import Game
from pitboss.games.registry import GAMES
from pitboss.games.rules import Rules
from pitboss.games.structure import PRINTED
from pitboss.names import shown
from pitboss.paper.say import percent

LARGEST = Fraction(1, 4)
STAKE = 500


def hold_of(game: Game, rules: Rules, variant: Variant, progress: Progress | None = None) -> Fraction:
    """The hold of a table, of the main game under the reading that is meant."""
    if variant.wager == MAIN:
        return main_result(game, rules, variant.reading, progress).house_edge_required
    return hold(game, rules, variant, STAKE)


def mathematics_findings(as_of: date, progress: Progress | None = None) -> Iterator[Finding]:
    """Every pay table in force whose hold is negative, above a quarter, that of another letter, or not as approved."""
    for game in GAMES.values():
        seen: dict[tuple[str, Fraction], str] = {}
        for variant in variants(game, as_of):
            # A payout on a wager that is settled elsewhere has no hold of its own.
            if not _counts_as_law(game, variant) or bonus_on(game, variant.wager) is not None:
                continue
            held = hold_of(game, rules_of_variant(game, as_of, variant), variant, progress)
            yield from _judge(game, as_of, variant, held)
            twin = seen.setdefault((variant.wager, held), variant.letter)
            if twin != variant.letter:
                said = f"holds exactly as much as table {twin}"
                yield _finding("identical-hold", game, variant, "tables that differ", held, said)


def _counts_as_law(game: Game, variant: Variant) -> bool:
    """The printed text, the whole of the game; others are looked at where this contradicts an approved hold."""
    return variant.reading in (PRINTED, game.whole or game.played)


def _judge(game: Game, as_of: date, variant: Variant, hold: Fraction) -> Iterator[Finding]:
    if hold < 0:
        yield _finding("hold-negative", game, variant, "a hold above zero", hold, "gives the player the edge")
    if hold > LARGEST:
        yield _finding("hold-above-quarter", game, variant, "a hold of at most 25 %", hold, "holds more than a quarter")
    approved = outside_approved(game.name, variant.wager, float(hold))
    if approved is not None:
        others = [
            other
            for other in variants(game, as_of, variant.wager)
            if other.letter == variant.letter and not _counts_as_law(game, other)
        ]
        said = "holds what the rulemaking did not approve"
        for other in others:
            alternative = hold_of(game, rules_of_variant(game, as_of, other), other)
            inside = outside_approved(game.name, other.wager, float(alternative)) is None
            said += f"; read as {other.reading} it holds {percent(alternative)}, {'inside' if inside else 'outside'} it"
        yield _finding("hold-not-approved", game, variant, approved, hold, said)


def _finding(code: str, game: Game, variant: Variant, expected: str, hold: Fraction, said: str) -> Finding:
    name = f"{game.name}, {shown(variant.wager)} table {variant.letter}"
    fed = any(wager.name == variant.wager and wager.meter for wager in game.chapter.wagers)
    sentence = f"{name} {said} ({percent(hold)}{' in the long run with one seat' if fed else ''})."
    return refusal(code, expected, percent(hold), sentence, cite=variant.cite, severity="note")
