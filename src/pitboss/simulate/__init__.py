"""Simulation at scale: compiled rounds whose outcome codes equal the scalar rules' (extra ``exact``).

``pitboss.simulate`` is this package, and it can be called: ``pitboss.simulate(rules, 1_000_000, seed=1)`` gives a
``Simulation``; ``help(pitboss.api.simulating.simulate)`` says what it takes.
"""

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from pitboss.lazy import names_of

if TYPE_CHECKING:
    from pitboss.simulate.plan import Plan, every_wager, make_plan
    from pitboss.simulate.results import Row
    from pitboss.simulate.strategies import Strategy, strategy_names
    from pitboss.simulate.totals import Totals
else:
    __getattr__, __dir__ = names_of(
        __name__,
        {
            "plan": "Plan every_wager make_plan",
            "results": "Row",
            "strategies": "Strategy strategy_names",
            "totals": "Totals",
        },
    )

__all__ = ["Plan", "Row", "Strategy", "Totals", "every_wager", "make_plan", "strategy_names"]


class _Callable(ModuleType):
    """A package that can be called by the name of what it does."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return import_module("pitboss.api.simulating").simulate(*args, **kwargs)


sys.modules[__name__].__class__ = _Callable
