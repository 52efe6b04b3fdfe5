"""What the layout of a table must carry, given what is offered at it."""

from pitboss.games.rules import Rules
from pitboss.law.model import LayoutItem, in_force


def required_layout(rules: Rules) -> tuple[LayoutItem, ...]:
    """Areas, devices and inscriptions in the order of the law; those for wagers not offered are left out."""
    offered = {*rules.wagers, *(choice.name for choice, _ in rules.chosen)}
    items = in_force(rules.chapter.layout, rules.as_of)
    return tuple(item for item in items if not item.when or offered & set(item.when))
