"""Simulation at scale: compiled rounds whose outcome codes equal the scalar rules' (extra ``exact``).

``pitboss.simulate`` is this package, and it can be called: ``pitboss.simulate(rules, 1_000_000, seed=1)`` gives a
``Simulation``. What it takes is said by ``help(pitboss.simulate.simulate)``.
"""

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pitboss.simulate.plan import Plan, every_wager, make_plan
    from pitboss.simulate.results import Row
    from pitboss.simulate.strategies import Strategy, strategy_names
    from pitboss.simulate.totals import Totals

__all__ = ["Plan", "Row", "Strategy", "Totals", "every_wager", "make_plan", "strategy_names"]
_HOMES = {
    "Plan": "plan", "every_wager": "plan", "make_plan": "plan", "Row": "results", "Strategy": "strategies",
    "strategy_names": "strategies", "Totals": "totals",
}  # fmt: skip


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


class _Callable(ModuleType):
    """A package that can be called by the name of what it does."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return import_module("pitboss.api.simulating").simulate(*args, **kwargs)


sys.modules[__name__].__class__ = _Callable
