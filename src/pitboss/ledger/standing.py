"""How a table stands, and how somebody sees it who looks at it."""

from collections.abc import Mapping
from dataclasses import dataclass

from pitboss.money import Cents
from pitboss.table.guide import Step
from pitboss.table.state import Table


@dataclass(frozen=True)
class Standing:
    """A table at one head of the chain, with the step that it waits for."""

    table: Table
    step: Step | None
    head: int


@dataclass(frozen=True)
class Sight(Standing):
    """A table as somebody sees it: with his chips, if he plays, and what the meters of the table show."""

    chips: Cents
    meters: Mapping[str, Mapping[str, Cents]]
    """By the names that the rules give them."""
