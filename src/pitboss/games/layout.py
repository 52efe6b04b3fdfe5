"""What the layout of a table must carry, given what is offered at it."""

from pitboss.games.options import kind_of
from pitboss.games.rules import Rules
from pitboss.law.model import LayoutItem, in_force


def required_layout(rules: Rules) -> tuple[LayoutItem, ...]:
    """Areas, devices and inscriptions in the order of the law; those for wagers not offered are left out."""
    offered = {*rules.wagers, rules.choices.device, *(choice.name for choice, _ in rules.chosen)}
    items = in_force(rules.chapter.layout, rules.as_of)
    return tuple(item for item in items if not item.when or offered & set(item.when))


TO_FILL_IN = ("certificate_holder", "payout_odds", "rules_sign")
"""Inscriptions of which the law says what they tell, not how they read."""


def spoken(rules: Rules) -> tuple[LayoutItem, ...]:
    """Inscriptions that tell the player a rule; they belong on a sign too."""
    items = required_layout(rules)
    return tuple(item for item in items if item.per == "table" and item.inscription and item.item not in TO_FILL_IN)


def inscribed(rules: Rules, item: LayoutItem) -> str:
    """What stands on the layout: of what the operator chooses the choice itself, else the words of the law."""
    for choice, value in rules.chosen:
        if item.item == choice.name:
            return f"{choice.title}: {kind_of(choice).said(choice, value)} {choice.unit}".strip()
    return item.inscription[:1].upper() + item.inscription[1:]
