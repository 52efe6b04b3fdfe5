"""Which numbers of a wheel a wager covers."""

from pitboss.games.chance import counted, thrown
from pitboss.games.registry import GAMES
from pitboss.games.rules import Rules
from pitboss.games.settlement import LineResult
from pitboss.law.model import Face


def covered(rules: Rules, name: str) -> frozenset[Face]:
    """The numbers on which a wager wins, by asking the rules for each."""
    step = thrown(rules)
    assert step is not None
    lines = GAMES[rules.game].lines
    (fact,) = lines.rules[name].reads
    pays = {face: lines.pay(name, rules, lines.known({fact: face})) for face in counted(step)}
    return frozenset(face for face, pay in pays.items() if pay is not None and pay.result == LineResult.WIN)
