"""What the layout of a table must carry, given what is offered at it."""

from pitboss.games.rules import Rules
from pitboss.law.implements import implements
from pitboss.law.model import LayoutItem, in_force


@implements("641a.2(b)", "641a.2(c)", "641a.2(d)", "649a.2(b)", "649a.2(c)", "649a.2(d)", "671a.2(b)", "684a.2(b)")
def required_layout(rules: Rules) -> tuple[LayoutItem, ...]:
    """Areas, devices and inscriptions in the order of the law; those for wagers not offered are left out."""
    offered = set(rules.wagers) | ({"payout_limit"} if rules.choices.payout_limit is not None else set())
    items = in_force(rules.chapter.layout, rules.as_of)
    return tuple(item for item in items if not item.when or offered & set(item.when))
