"""Holds that no table should have: what the exact engines say of the wagers that a submission pays otherwise.

The law's own pay tables are printed law, whatever they hold, so that only departures from them are looked at. Counting
needs the extra ``exact`` and may take a minute, so that the pit asks a worker (``ledger.counting``).
"""

from collections.abc import Iterator
from datetime import date
from fractions import Fraction
from typing import Final

from pitboss.findings import Finding, refusal
from pitboss.games.registry import GAMES
from pitboss.games.rules import Rules
from pitboss.law.model import Wager
from pitboss.submission.departures import departures
from pitboss.submission.model import MAIN, Submission
from pitboss.submission.resolve import rules_of

LEAST, MOST = Fraction(0), Fraction(1, 2)
RANGE: Final = "0% to 50%"


def hold_findings(submission: Submission, as_of: date | None = None) -> tuple[Finding, ...]:
    """A finding on each wager that a departure concerns and that would hold less than 0 or more than 50 percent.

    It is a note where the submission acknowledges the wager by name, and where nothing can be counted.
    """
    day = as_of or submission.effective
    rules, wrong = rules_of(submission, day)
    if rules is None or wrong:
        return ()
    return tuple(_findings(submission, rules, concerned(submission, rules)))


def not_counted(submission: Submission, as_of: date | None, why: str) -> tuple[Finding, ...]:
    """A note on each wager that a departure concerns, for a second person to see."""
    day = as_of or submission.effective
    rules, wrong = rules_of(submission, day)
    return () if rules is None or wrong else tuple(_uncounted(rules, n, why) for n in concerned(submission, rules))


def concerned(submission: Submission, rules: Rules) -> tuple[str, ...]:
    """The wagers on offer whose pays depend on a departure, ``MAIN`` first."""
    tables: set[str] = set()
    wagers: set[str] = set()
    for difference in departures(submission, rules.as_of):
        head, _, rest = difference.key.partition(".")
        first, _, second = rest.partition(".")
        option = rules.chapter.options(rules.as_of).get(first) if head == "options" else None
        if head == "wagers" or first == "envies":
            wagers.add(first if head == "wagers" else second.partition(".")[0])
        elif first in ("paytables", "readings"):
            tables.add(second.partition(".")[0])
        elif option is not None:
            tables.add(second or option.paid_on)
        else:  # a figure, on which everything may depend
            tables |= {wager.paytable for wager in rules.wagers.values()}
    game = GAMES[rules.game]
    lines = dict.fromkeys(post.line for post in game.main_posts if post.wager in rules.wagers)
    main = bool(lines) and not tables.isdisjoint(game.lines.tables_behind(lines, rules))
    aside = _counted_aside(rules)
    found = [
        wager.name
        for wager in rules.wagers.values()
        if wager.name in wagers or (wager.paytable in tables and (wager.name in aside or not main))
    ]
    return (*([MAIN] if main else []), *found)


def _counted_aside(rules: Rules) -> dict[str, str]:
    """Wagers that settle by themselves, each with the one whose count it shares."""
    try:
        from pitboss.exact.side import kind_of, side_lines
    except ImportError:
        return {wager.name: wager.name for wager in rules.wagers.values() if wager.role == "side"}
    game = GAMES[rules.game]
    kinds = [kind for kind in dict.fromkeys(kind_of(game, n) for n in side_lines(game)) if kind in rules.wagers]
    alike = {rules.wagers[kind].paytable: kind for kind in reversed(kinds)}
    others = {w.name: alike[w.paytable] for w in rules.wagers.values() if w.role == "side" and w.paytable in alike}
    return {**others, **{kind: kind for kind in kinds}}


def _findings(submission: Submission, rules: Rules, names: tuple[str, ...]) -> Iterator[Finding]:
    for name in names:
        try:
            hold = _main(rules) if name == MAIN else _side(submission, rules, name)
        except ImportError:
            yield _uncounted(rules, name, "counting needs the extra exact: pip install 'pitboss[exact]'")
            continue
        if hold is None:
            yield _uncounted(rules, name, "no exact count of it exists")
        elif not LEAST <= hold <= MOST:
            yield _out_of_range(submission, rules, name, hold)


def _main(rules: Rules) -> Fraction | None:
    from pitboss.exact.edge import main_result

    game = GAMES[rules.game]
    return -main_result(game, rules, game.readings[0]).expected_value


def _side(submission: Submission, rules: Rules, name: str) -> Fraction | None:
    """In the long run with one seat where the wager feeds a meter."""
    from pitboss.exact.progressive import progressive_report
    from pitboss.exact.side import side_result

    kind = _counted_aside(rules).get(name)
    if kind is None:
        return None
    game, wager = GAMES[rules.game], rules.wagers[name]
    stake = rules.choices.amounts.get(name) or rules.limits(name).minimum
    spec = rules.meters.get(wager.meter)
    if spec is None or not spec.rate:
        return side_result(game, rules, kind, stake).house_edge
    chances = submission.chances
    return progressive_report(game, rules, kind, other_seats=range(1), stake=stake, chances=chances).long_run_hold


def _titled(rules: Rules, name: str) -> tuple[str, str]:
    """What a wager is called, and its paragraph."""
    wager: Wager = rules.wagers[name if name != MAIN else GAMES[rules.game].course.unit]
    return ("the main wagers" if name == MAIN else f"the {wager.title}"), str(wager.cite)


def _out_of_range(submission: Submission, rules: Rules, name: str, hold: Fraction) -> Finding:
    title, cite = _titled(rules, name)
    found = f"{float(hold * 100):,.3f}%"
    sentence = f"The hold of {title} would be {found}, not {RANGE}"
    if who := submission.acknowledged.get(name):
        note = f"{sentence}: acknowledged by {who}."
        return refusal("hold-out-of-range", RANGE, found, note, f"acknowledged.{name}", cite=cite, severity="note")
    sentence += f'. Correct the pays, or acknowledge it by name: {name} = "your name" under [acknowledged].'
    return refusal("hold-out-of-range", RANGE, found, sentence, f"acknowledged.{name}", cite=cite)


def _uncounted(rules: Rules, name: str, why: str) -> Finding:
    title, cite = _titled(rules, name)
    sentence = f"The hold of {title} was not counted ({why})."
    where = f"acknowledged.{name}"
    return refusal("hold-not-counted", RANGE, "not counted", sentence, where, cite=cite, severity="note")
