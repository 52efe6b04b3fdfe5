"""pitboss: Pennsylvania's table-game regulations as cited, dated, executable law.

For training, analysis, submission checking and supervised demonstration. Not approved for wagering money.

>>> import pitboss
>>> from datetime import date
>>> rules = pitboss.rules_for(pitboss.game_names()[0], date(2024, 6, 1))
>>> shown = pitboss.deal_and_settle(rules, seats=1, rng=__import__("random").Random(1))
>>> all(line.cite.startswith(rules.chapter.chapter) for line in shown.settlement.lines)
True
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"
NOTICE = (
    "For training, analysis, submission checking and supervised demonstration. "
    "Not approved for wagering money (58 Pa. Code § 461a.4)."
)

if TYPE_CHECKING:
    from pitboss.api import (
        Demonstration as Demonstration,
    )
    from pitboss.api import (
        check_submission as check_submission,
    )
    from pitboss.api import (
        deal_and_settle as deal_and_settle,
    )
    from pitboss.api import (
        edge as edge,
    )
    from pitboss.api import (
        game_names as game_names,
    )
    from pitboss.api import (
        load_submission as load_submission,
    )
    from pitboss.api import (
        rules_for as rules_for,
    )
    from pitboss.api import (
        settle_file as settle_file,
    )
    from pitboss.cards import parse_cards as parse_cards
    from pitboss.findings import Finding as Finding
    from pitboss.findings import FindingsError as FindingsError
    from pitboss.findings import UnreadableError as UnreadableError
    from pitboss.games.round import Decision as Decision
    from pitboss.games.round import Round as Round
    from pitboss.games.round import Seat as Seat
    from pitboss.games.rules import Choices as Choices
    from pitboss.games.rules import Rules as Rules
    from pitboss.games.settle import settle as settle
    from pitboss.games.settlement import Line as Line
    from pitboss.games.settlement import Settlement as Settlement

# Loaded on first use, so that importing pitboss, and `pitboss --help`, stay quick.
_HOMES = {
    "Demonstration": "pitboss.api",
    "check_submission": "pitboss.api",
    "deal_and_settle": "pitboss.api",
    "edge": "pitboss.api",
    "game_names": "pitboss.api",
    "load_submission": "pitboss.api",
    "rules_for": "pitboss.api",
    "settle_file": "pitboss.api",
    "parse_cards": "pitboss.cards",
    "Finding": "pitboss.findings",
    "FindingsError": "pitboss.findings",
    "UnreadableError": "pitboss.findings",
    "Decision": "pitboss.games.round",
    "Round": "pitboss.games.round",
    "Seat": "pitboss.games.round",
    "Choices": "pitboss.games.rules",
    "Rules": "pitboss.games.rules",
    "settle": "pitboss.games.settle",
    "Line": "pitboss.games.settlement",
    "Settlement": "pitboss.games.settlement",
}
__all__ = [*_HOMES]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'pitboss' has no attribute {name!r}")
