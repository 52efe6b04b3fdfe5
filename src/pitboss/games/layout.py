"""What the layout of a table must carry, given what is offered at it."""

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
    left_out = {*TO_FILL_IN, *rules.chapter.options(rules.as_of)}
    items = required_layout(rules)
    return tuple(item for item in items if item.per == "table" and item.inscription and item.item not in left_out)
