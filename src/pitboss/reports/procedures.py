"""How a round is dealt and run, and what follows when something goes wrong, in the order of the law."""

from collections.abc import Iterator
from typing import Final

from pitboss.games.deal import deal_of
from pitboss.games.rules import Rules
from pitboss.law.model import DIE, DealStep, Procedure, in_force
from pitboss.paper.model import Block, CellKind, Column, Listing, Row
from pitboss.school.rounds import applies
from pitboss.school.sheet import words

IRREGULARITY: Final = "irregularity"
PARAGRAPH: Final = Column("paragraph", "Paragraph", CellKind.CITES)
ACTS: Final = (
    Column("stage", "Stage"),
    Column("who", "Who"),
    Column("act", "What", CellKind.SENTENCE),
    Column("when", "When", CellKind.SENTENCE, rank=2),
    PARAGRAPH,
)
DEAL: Final = (Column("step", "Step", CellKind.COUNT), Column("what", "What", CellKind.SENTENCE))
REMEDIES: Final = (
    Column("what", "What went wrong"),
    Column("remedy", "What follows", CellKind.SENTENCE),
    PARAGRAPH,
)


def procedure_blocks(rules: Rules) -> list[Block]:
    """The order of the deal for the device in use, and every act of the chapter that applies at the table."""
    deal = deal_of(rules)
    steps = tuple((number, f"{_capital(deal_words(step))}.") for number, step in enumerate(deal.steps, 1))
    title = f"Order of the deal, {words(deal.device)} ({deal.cite})"
    acts = tuple(_act(each) for each in _acts(rules) if each.stage != IRREGULARITY)
    return [
        Listing("deal", DEAL, steps, title=title),
        Listing("acts", ACTS, acts, title="Who does what, in the order of the chapter"),
    ]


def irregularity_blocks(rules: Rules) -> list[Block]:
    """Everything that can go wrong by the chapter, with its remedy; nothing where it prints none."""
    rows = tuple(_remedy(each) for each in _acts(rules) if each.stage == IRREGULARITY or each.remedy)
    return [Listing("irregularities", REMEDIES, rows)] if rows else []


def _acts(rules: Rules) -> Iterator[Procedure]:
    return (each for each in in_force(rules.chapter.procedures, rules.as_of) if applies(each, rules))


def _act(each: Procedure) -> Row:
    when = "; ".join(filter(None, (words(each.when), f"not: {words(each.unless)}" if each.unless else "")))
    return _capital(words(each.stage)), each.actor, f"{_capital(words(each.act))}.", when, (str(each.cite),)


def _remedy(each: Procedure) -> Row:
    what = "; ".join(map(words, each.remedy)) or "as the paragraph says"
    return _capital(words(each.act)), f"{_capital(what)}.", (str(each.cite),)


def _capital(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"


def deal_words(step: DealStep) -> str:
    """One movement of the deal in words.

    >>> deal_words(DealStep("players+dealer", 1, 3))
    '1 card to each player and the dealer, face down, 3 times'
    >>> deal_words(DealStep("shaker", dice=3))
    '3 dice are shaken in the shaker'
    """
    if step.dice:
        again = f"; {', '.join(map(str, step.void))} doesn't count, and it is spun again" if step.void else ""
        what = (
            f"{step.dice} dice are shaken" if step.faces == DIE else f"the ball is spun over {len(step.faces)} numbers"
        )
        return f"{what} in the {words(step.to)}{again}"
    to = {"players": "each player", "players+dealer": "each player and the dealer", "dealer": "the dealer",
          "discard": "the discard rack"}.get(step.to, f"the {words(step.to)}")  # fmt: skip
    if step.stack:
        said = f"a stack of {step.stack} cards comes out whole, {step.cards} of them to {to}"
    else:
        said = f"{step.cards} card{'s' if step.cards > 1 else ''} to {to}"
    said += ", face up" if step.face_up else ", face down"
    if step.from_stack:
        said += ", from the stack"
    if step.times > 1:
        said += f", {step.times} times"
    wagers = " or ".join(map(words, step.when))
    if step.spare:
        said += f"; the last to the {words(step.spare)} of those who wagered on {wagers}, else to the discard rack"
    elif step.when:
        said += f" (for each player who wagered on {wagers})" if step.each else f" (if somebody wagered on {wagers})"
    said += f"; only with {words(step.choice)}" if step.choice else ""
    return said + (f"; not with {' or '.join(map(words, step.unless))}" if step.unless else "")
