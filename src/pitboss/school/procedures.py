"""Drills about procedure: the order of a round, who does what, and which paragraph says so."""

from random import Random

from pitboss.games.contract import Game
from pitboss.games.course import Bets, Deal, Decide, Roll, Settle, Step, TurnUp
from pitboss.games.deal import deal_of, dealt_by_street
from pitboss.games.registry import GAMES
from pitboss.games.rules import Rules
from pitboss.law.index import Paragraph, paragraphs
from pitboss.law.model import Procedure, in_force
from pitboss.names import listed, several, shown
from pitboss.school.exercise import JOINED, Drawn, Item
from pitboss.school.rounds import applies, procedure_cite, rules_for
from pitboss.school.sheet import Asking, among, words

MOST_STEPS = 6
REMEDY = "What follows?"


def order_of_round(asking: Asking, rng: Random) -> Drawn | None:
    """Steps of the round in the order of the chapter."""
    rules = rules_for(asking.game, asking.as_of, rng)
    named: dict[str, str] = {}
    for step in GAMES[asking.game].course.flat:
        said, cite = step_words(rules, step)
        if said:
            named.setdefault(said, cite)
    places = sorted(rng.sample(range(len(named)), min(len(named), MOST_STEPS)))
    steps = [list(named)[place] for place in places]
    if len(steps) < 3:
        return None
    cites = tuple(dict.fromkeys(named[step] for step in steps if named[step]))
    options = tuple(rng.sample(steps, len(steps)))
    why = f"{GAMES[asking.game].chapter.title} goes in this order."
    item = Item("order", "In which order?", "order", JOINED.join(steps), cites, why, options)
    return Drawn("Put these parts of a round in order.", (item,))


def step_words(rules: Rules, step: Step) -> tuple[str, str]:
    """A step of the course in words, and its paragraph."""
    match step:
        case Bets():
            return 'Wagers are placed, and "no more bets" is announced', procedure_cite(rules, "announce-no-more-bets")
        case Deal():
            return "The cards are dealt", str(deal_of(rules).cite)
        case Roll():
            return "What has been rolled or spun is read", str(deal_of(rules).cite)
        case Decide(name, cite):
            at = f" at {shown(name)}" if len(GAMES[rules.game].course.decides) > 1 else ""
            return f"Players choose{at}: {listed(option.replace('_', ' ') for option in step.names)}", cite
        case TurnUp(place, cards, cite):
            where = shown(place).lower()
            if dealt_by_street(rules, place):
                return f"Deal {several(cards, f'{where} card')} face up", cite
            if not cards and where.endswith("s"):
                return f"Turn up the {where}", cite
            return f"Turn up {f'{cards} ' if cards else ''}{where} card{'' if cards == 1 else 's'}", cite
        case Settle(stage):
            return f"Settle: {shown(stage).lower()}", procedure_cite(rules, "settle-in-turn")
    return "", ""


# Who does what


def who_does_it(asking: Asking, rng: Random) -> Drawn | None:
    """Who takes a step of the procedure, what follows if it finds something wrong, and which paragraph asks for it."""
    rules = rules_for(asking.game, asking.as_of, rng, rng.choice(GAMES[asking.game].chapter.devices(asking.as_of)))
    known = in_force(rules.chapter.procedures, rules.as_of)
    step = rng.choice(known)
    if not applies(step, rules):
        return None
    at = str(step.cite)
    actors = {each.actor for each in known} | {"dealer", "floorperson", "player", "certificate holder"}
    why = f"{step.actor[:1].upper()}{step.actor[1:]}: {words(step.act)}."
    items = [among("who", "Who does it?", step.actor, sorted(actors), (at,), why, rng)]
    if step.remedy:
        remedies = {_remedy(each) for each in known if each.remedy} | {"Nothing: the round goes on"}
        items.append(among("then", REMEDY, _remedy(step), sorted(remedies), (at,), why, rng))
    same = {str(each.cite) for each in known if each.act == step.act}
    if len(same) == 1:
        others = sorted({str(each.cite) for each in known} - same)
        items.append(among("cite", "Which paragraph asks for it?", at, others, (at,), why, rng))
    when = f" ({'if' if step.stage == 'irregularity' else 'when'} {words(step.when)})" if step.when else ""
    told = f"{words(step.stage).capitalize()}: {words(step.act)}{when}."
    found = tuple(item for item in items if item is not None)
    return Drawn("Who does this, and by which paragraph?", found, told=(told,)) if found else None


def _remedy(step: Procedure) -> str:
    return "; ".join(words(each) for each in step.remedy).capitalize()


# Which paragraph


def _rules_of(game: Game) -> list[Paragraph]:
    return [each for each in paragraphs().values() if each.cite.chapter == game.number and each.kind == "rule"]


def has_paragraphs(game: Game) -> bool:
    return len(_rules_of(game)) > 1


def which_paragraph(asking: Asking, rng: Random) -> Drawn | None:
    """Which paragraph of the chapter a rule stands in."""
    known = _rules_of(GAMES[asking.game])
    right = rng.choice(known)
    others = [
        str(each.cite) for each in sorted(known, key=lambda each: _distance(right, each)) if each.does != right.does
    ]
    item = among("cite", "Which paragraph is it?", str(right.cite), others[:12], (str(right.cite),), right.does, rng)
    if item is None:
        return None
    return Drawn("Which paragraph of the chapter is behind this?", (item,), told=(right.does,))


def _distance(one: Paragraph, other: Paragraph) -> int:
    """Paragraphs that stand close to each other are told apart with more care."""
    return -len({*one.cite.ancestors()} & {*other.cite.ancestors()}) + (one.cite == other.cite) * 99
