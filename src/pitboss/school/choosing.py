"""Drills about what is allowed: may a player choose this, and may this wager lie there."""

from random import Random

from pitboss.games.checks import verify_wagers
from pitboss.games.contract import Game
from pitboss.games.course import FOLD
from pitboss.games.registry import GAMES
from pitboss.games.round import Decision, Round, Seat
from pitboss.games.rules import Rules
from pitboss.games.walk import RoundState
from pitboss.money import show_dollars
from pitboss.names import shown
from pitboss.school.exercise import Drawn
from pitboss.school.layout import choice_words, of_round, of_wagers, wager_title
from pitboss.school.rounds import begin, rules_for, stake_for, wagers_for
from pitboss.school.sheet import Asking, yes_no


def decides(game: Game) -> bool:
    return bool(game.course.decides)


def may_choose(asking: Asking, rng: Random) -> Drawn | None:
    """Whether a player who is asked may choose something, at the amount they stake."""
    rules = rules_for(asking.game, asking.as_of, rng)
    count = rng.choice((1, 2))
    seats = sorted(rng.sample(range(1, rules.seats + 1), min(count, rules.seats)))
    asks = [step.on for step in GAMES[asking.game].course.decides if step.on in rules.wagers]
    asked = {name: stake_for(rules, name, rng) for name in asks}
    begun = begin(rules, {number: {**wagers_for(rules, rng, number, seats, 2), **asked} for number in seats}, rng)
    if begun is None:
        return None
    state = _onward(begun, rng)
    if state is None or state.asked is None:
        return None
    seat, name = state.asked
    step = next(each for each in state.game.course.decides if each.name == name)
    wanted = rng.choice(_proposals(state, rng))
    findings = state.findings(wanted)
    if findings:
        why, cites = findings[0].sentence, tuple(dict.fromkeys(each.cite for each in findings if each.cite))
    else:
        option = next(each for each in state.options if each.name == wanted.choice)
        why = f"What may be chosen: {', '.join(each.name.replace('_', ' ') for each in state.options)}."
        cites = tuple(dict.fromkeys(filter(None, (step.cite, *(times.cite for times in option.puts.values())))))
    item = yes_no("may", f"May seat {seat} do this?", not findings, cites or (step.cite,), why)
    at = f" at {shown(name)}" if len(state.game.course.decides) > 1 else ""
    told = f"Seat {seat} is asked{at} and says: {choice_words(wanted)}."
    dealt = state.dealing.order if state.dealing is not None else ()
    up = {*state.sight.up, *(each.card for each in dealt if each.face_up)}
    return Drawn("May the player do this?", (item,), of_round(rules, state.played, up), (told,))


def _onward(state: RoundState, rng: Random) -> RoundState | None:
    """Some choices further, where the game asks more than once."""
    for _ in range(rng.randrange(2 * len(state.game.course.decides))):
        if state.asked is None:
            return None
        made = state.game.plain_decision(state.rules, state.sight)
        after = state.apply(made)
        if after.asked is None:
            break
        state = after
    return state


def _proposals(state: RoundState, rng: Random) -> list[Decision]:
    """What players say: something lawful, a wrong amount, or what may be chosen at another step only."""
    unit = state.sight.stake or 1000
    found = []
    for option in state.options:
        if option.draws is not None and option.draws.discards:
            continue
        choices = list(option.choices())
        found += [choice.decision(unit) for choice in choices]
        for times in option.puts.values():
            wrong = [unit * (times.most + 1), unit * times.most + 500, unit // 2, unit * times.least - 250]
            found.append(Decision(option.name, rng.choice([each for each in wrong if each > 0])))
    names = {name for step in state.game.course.decides for name in step.names}
    others = sorted(names - {option.name for option in state.options})
    found += [Decision(name, unit if name != FOLD.name else None) for name in others]
    return found


def may_wager(asking: Asking, rng: Random) -> Drawn | None:
    """Whether a wager may lie there: its limits, its amount, and what must be placed before it."""
    rules = rules_for(asking.game, asking.as_of, rng)
    game = GAMES[asking.game]
    made = wagers_for(rules, rng, 1, (1, 2), 2)
    allowed = list(rules.names_at(1))
    own = [name for name in allowed if (w := rules.wager_named(name)) and not w.on_another_seat]
    name = rng.choice(own)
    wager = rules.wager_named(name)
    assert wager is not None
    limits = rules.limits(wager.name)
    good = stake_for(rules, name, rng)
    stake = rng.choice((good, good, limits.minimum - 100, limits.minimum - 1, limits.maximum + 500, good + 300))
    if stake <= 0:
        return None
    order = [each.name for each in rules.chapter.wagers]
    earlier = set(order[: order.index(wager.name)])
    held = {n: amount for n, amount in made.items() if (known := rules.wager_named(n)) and known.name in earlier}
    if rng.random() < 0.4 and (wager.needs_all or wager.needs_any):
        held = {}
    seat = Seat(1, (), {**held, name: stake})
    findings = [each for each in verify_wagers(rules, seat) if each.code != "no-wager"]
    findings += list(game.seat_findings(rules, Round((), (seat,)), seat))
    findings = [each for each in findings if each.severity == "error"]
    if name in game.course.main and len(game.course.main) > 1:
        return None  # a wager that goes with another is judged with it
    if wager.role == "unit" and findings and not any(each.code in _AMOUNTS for each in findings):
        return None
    cites = tuple(dict.fromkeys(each.cite for each in findings if each.cite)) or (str(wager.cite),)
    why = (
        " ".join(each.sentence for each in findings)
        or f"The {wager.title} is within its limits and comes after what it needs."
    )
    item = yes_no("may", "May this wager lie there?", not findings, cites, why)
    before = ", ".join(f"{wager_title(rules, each)} {show_dollars(amount)}" for each, amount in held.items())
    told = (
        f"Before the cards a patron who has {before or 'nothing'} on the layout puts {show_dollars(stake)} on "
        f"{wager_title(rules, name)}.",
        f"The sign says: {_sign(rules, name)}.",
    )
    return Drawn("May this wager lie there?", (item,), of_wagers(rules, {1: held}), told)


_AMOUNTS = frozenset({"below-minimum", "above-maximum", "progressive-amount"})


def _sign(rules: Rules, name: str) -> str:
    wager = rules.wager_named(name)
    assert wager is not None
    if fixed := rules.choices.amounts.get(wager.name):
        return f"{wager_title(rules, name)} {show_dollars(fixed)}"
    limits = rules.limits(wager.name)
    return f"{wager_title(rules, name)} {show_dollars(limits.minimum)} to {show_dollars(limits.maximum)}"
