"""Drills about money: settle a table, what a fold leaves, what is paid, envy, meters, the floorperson, mistakes."""

from fractions import Fraction
from random import Random

from pitboss.games.chance import thrown
from pitboss.games.contract import Game
from pitboss.games.course import FOLD, Decide
from pitboss.games.handover import collected_wagers, handover
from pitboss.games.registry import GAMES
from pitboss.games.rules import Rules
from pitboss.games.settlement import Book, Line, LineResult, Pay
from pitboss.law.model import SINGLE, Procedure
from pitboss.law.odds import Charged, ForOne, MeterShare, Odds, ToOne
from pitboss.money import Cents, show_dollars
from pitboss.names import shown
from pitboss.records import kept
from pitboss.school.exercise import JOINED, NONE, Drawn, Item, PostedTable
from pitboss.school.layout import of_wagers, wager_title
from pitboss.school.rounds import (
    SchoolRound,
    Wish,
    line_name,
    paying,
    procedure_cite,
    row_words,
    rules_for,
    school_round,
    stake_for,
)
from pitboss.school.sheet import Asking, money, yes_no

MOVED = "Type what you pay as 15, what you take as -10, and 0 if nothing moves."
FEWEST, MOST_LINES = 2, 7
FLOORPERSON = "floorperson"
STANDS, GIVEN_UP, BACK = "It stands", "It is forfeited", "The player takes it back"


def line_cites(line: Line) -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(None, (line.cite, line.odds_cite))))


def wished(rules: Rules, rng: Random) -> Wish | None:
    """A hand that some pay table pays, for one of the seats; often none."""
    if not paying(rules) or rng.random() < 0.3:
        return None
    paid = rng.choice(paying(rules))
    return Wish(rng.randrange(7), paid.fact, rng.choice(paid.labels(rules)))


def settle_table(asking: Asking, rng: Random) -> Drawn | None:
    """Every wager of a table, and in which order the seats are settled."""
    rules = rules_for(asking.game, asking.as_of, rng)
    folding = frozenset({rng.randrange(3)}) if rng.random() < 0.4 else frozenset[int]()
    done = school_round(rules, rng, rng.choice((1, 2, 2, 3)), 2, wished(rules, rng), folding)
    if done is None or len(done.lines) > MOST_LINES or _dull(done, rng):
        return None
    items = [
        money(
            f"line {number}", _asked(rules, line), done.moves(line).paid, line_cites(line), _why(done, line), line.seat
        )
        for number, line in enumerate(done.lines, 1)
    ]
    rng.shuffle(items)
    order = _order(done, rng)
    posted = pay_tables(rules, [line.wager for line in done.lines])
    told = (f"What do you pay or take for each wager? {MOVED}", *meters_told(done))
    return Drawn("Settle this table.", (*order, *items), done.laid(), told, posted, basis=done)


def _asked(rules: Rules, line: Line) -> str:
    return line_name(rules, line) + ("" if line.holder is None else f", for the hand of seat {line.holder}")


def _why(done: SchoolRound, line: Line) -> str:
    """The reason of a line, and where its chips are that nobody takes or leaves."""
    moves = done.moves(line)
    if moves.from_pot or not moves.collected:
        return line.why
    return f"{line.why} Its {show_dollars(moves.collected)} was collected before the cards."


def _dull(done: SchoolRound, rng: Random) -> bool:
    """Whether there is little to ask: too few lines, two of one name, or, mostly, nothing that wins."""
    names = {(line_name(done.rules, line), line.holder) for line in done.lines}
    wins = any(line.net > 0 for line in done.lines)
    return not FEWEST <= len(names) == len(done.lines) or (not wins and rng.random() < 0.7)


def _order(done: SchoolRound, rng: Random) -> tuple[Item, ...]:
    """The first line of each turn, in the order of the law."""
    turns = [turn for turn in done.turns() if turn.lines]
    rolled = thrown(done.rules) is not None  # for dice and wheels no order of the seats is printed
    names = [f"{shown(turn.stage)} wagers" if rolled else f"{shown(turn.stage)}: seat {turn.seat}" for turn in turns]
    names = [*dict.fromkeys(names)] if rolled else names
    if not FEWEST <= len(names) == len(set(names)):
        return ()
    options = rng.sample(names, len(names))
    cites = tuple(dict.fromkeys([procedure_cite(done.rules, "settle-in-turn"), *(t.lines[0].cite for t in turns)]))
    why = "Each is settled before the next."
    return (Item("order", "In which order?", "order", JOINED.join(names), cites, why, tuple(options)),)


def pay_tables(rules: Rules, lines: list[str]) -> tuple[PostedTable, ...]:
    """The pay tables in use for these wagers."""
    found = {}
    for name in lines:
        wager = rules.wager_named(name)
        for key in (wager.paytable if wager else "", name):
            if key in rules.tables and key not in found:
                table = rules.tables[key]
                letter = "" if table.letter == SINGLE else f", table {table.printed_letter}"
                pays = tuple((row_words(rules, row, table), str(odds)) for row, odds in table.rows.items())
                found[key] = PostedTable(f"{shown(key)}{letter}", pays)
    for envy in (each for line in lines for tables in rules.envies.values() for each in tables if each.line == line):
        pays = tuple((row_words(rules, row, envy), show_dollars(amount)) for row, amount in envy.rows.items())
        found[f"{envy.line} {envy.stake}"] = PostedTable(f"{shown(envy.line)} for {show_dollars(envy.stake)}", pays)
    return tuple(found.values())


def meters_told(done: SchoolRound) -> tuple[str, ...]:
    """What the meters showed before the round, in one sentence."""
    shows = [
        f"{shown(name)} {'' if tier == 'meter' else f'{tier} '}{show_dollars(amount)}"
        for name, tiers in done.displayed.items()
        for tier, amount in tiers.items()
    ]
    return (f"Before the wagers of the round the meters showed: {', '.join(shows)}.",) if shows else ()


def against_house(game: Game) -> bool:
    """Whether the house pays; where players play against each other, a pot is what they put into it."""
    return bool(game.chapter.paytables)


def has_fold(game: Game) -> bool:
    folds = any(FOLD.name in step.names for step in game.course.decides)
    return against_house(game) and (folds or _takes_back(game))


def _takes_back(game: Game) -> bool:
    return any(name.startswith("take") for step in game.course.decides for name in step.names)


def stands(asking: Asking, rng: Random) -> Drawn | None:
    """Which wagers of a seat stand after its choice: a fold, or a wager taken back."""
    rules = rules_for(asking.game, asking.as_of, rng)
    done = school_round(rules, rng, rng.choice((1, 2)), 4, None, frozenset({0}))
    if done is None:
        return None
    game = done.game
    seat = done.played.clockwise()[0]
    back = game.course.taken_back(rules, seat)
    lines = {line.settles: line for line in done.lines if line.seat == seat.number and line.settles}
    if not back and not any(line.result == LineResult.FORFEIT for line in lines.values()):
        return None
    items = []
    for name, stake in {**seat.wagers, **game.later_wagers(rules, seat)}.items():
        ask = f"{wager_title(rules, name)} of {show_dollars(stake)}"
        if name in back:
            step = next(
                s
                for s in game.course.decides
                if (made := seat.decisions.get(s.name)) and _takes(rules, s, made.choice, name)
            )
            items.append(Item(name, ask, "one", BACK, (step.cite,), "The player chose to.", (STANDS, GIVEN_UP, BACK)))
        elif name in lines:
            line = lines[name]
            right = GIVEN_UP if line.result == LineResult.FORFEIT else STANDS
            items.append(Item(name, ask, "one", right, (line.cite,), line.why, (STANDS, GIVEN_UP, BACK)))
    if len(items) < FEWEST:
        return None
    ask = f"Seat {seat.number} has decided. What becomes of each of its wagers when forfeits are collected?"
    return Drawn(ask, tuple(items), done.laid(), basis=done)


def _takes(rules: Rules, step: Decide, choice: str, wager: str) -> bool:
    option = step.option(rules, choice)
    return option is not None and wager in option.takes_back


# What do you pay?

PLAIN_ODDS = (ToOne, ForOne, Charged)


def _pays(game: Game, rules: Rules) -> tuple[tuple[str, str, Pay], ...]:
    """What lines can win at odds: line, wager and pay, each once."""

    def work() -> tuple[tuple[str, str, Pay], ...]:
        found: dict[tuple[str, str], tuple[str, str, Pay]] = {}
        for step in game.course.settles:
            for post in step.posts:
                if post.wager in rules.wagers:
                    for pay in game.lines.tabulate(post.line, rules).values():
                        if pay is not None and pay.result == LineResult.WIN and isinstance(pay.odds, PLAIN_ODDS):
                            found.setdefault((post.line, str(pay.odds)), (post.line, post.wager, pay))
        return tuple(found.values())

    return kept(rules, "what the school pays", work)


def what_do_you_pay(asking: Asking, rng: Random) -> Drawn | None:
    """One winning wager at its odds, with an odd stake, against the clock."""
    rules = rules_for(asking.game, asking.as_of, rng)
    pays = _pays(GAMES[asking.game], rules)
    if not pays:
        return None
    fractions = [each for each in pays if (Fraction(each[2].per_unit() or 0)).denominator != 1]
    free = [each for each in pays if not rules.wagers[each[1]].meter]  # stakes of a meter's wagers are never odd
    line, wager, pay = rng.choice(fractions if fractions and rng.random() < 0.4 else free or pays)
    placed = rules.wagers[wager].placed == "before"
    name = _named(rules, wager) if placed else wager
    stake = stake_for(rules, name if placed else rules.names_at(1)[0], rng)
    book = Book(rules, {})
    book.enter(1, line, stake, pay)
    settled = book.lines[0]
    gone = settled.settles in collected_wagers(rules, {wager: stake})
    moves = handover(settled, settled.on_layout if gone else 0)
    for_one = isinstance(pay.odds, ForOne) and not pay.additional
    stays = ": the wager itself stays and is one of them, so one less." if moves.stays else "; the wager is gone."
    why = f"{show_dollars(stake)} at {pay.odds}{stays if for_one else '.'}"
    cites = tuple(dict.fromkeys(filter(None, (pay.odds_cite, pay.cite))))
    item = money(
        "paid", "What do you hand over, without what stays on the layout?", moves.handed_over, cites, why, seat=1
    )
    title = wager_title(rules, line)
    on = "" if line == wager else f" on the {wager_title(rules, wager)}"
    told = f"The {title}{on} of {show_dollars(stake)} wins at {pay.odds}."
    return Drawn("What do you pay?", (item,), of_wagers(rules, {1: {name: stake}}), (told,), seconds=45)


def _named(rules: Rules, wager: str) -> str:
    return next(name for name in rules.names_at(1) if (known := rules.wager_named(name)) and known.name == wager)


# Envy, meters, the floorperson


def has_envy(game: Game) -> bool:
    return any(post.envy for step in game.course.settles for post in step.posts)


def envy(asking: Asking, rng: Random) -> Drawn | None:
    """Who is paid for a hand that somebody else holds, and how much."""
    rules = rules_for(asking.game, asking.as_of, rng)
    game = GAMES[asking.game]
    posts = [
        p
        for step in game.course.settles
        for p in step.posts
        if p.envy and p.wager in rules.envies and rules.envies[p.wager]
    ]
    if not posts:
        return None
    post = rng.choice(posts)
    tables = rules.envies[post.wager]
    label = rng.choice(list(tables[0].rows))
    if label not in game.lines.facts.labels[post.envy].facet.labels:
        return None
    done = school_round(
        rules, rng, 3, 2, Wish(rng.randrange(3), post.envy, label), everybody=post.wager if rng.random() < 0.6 else "",
        staying=rng.random() < 0.7,
    )  # fmt: skip
    if done is None:
        return None
    paid = [line for line in done.lines if line.holder is not None and line.wager == tables[0].line]
    seats = [seat.number for seat in done.played.clockwise()]
    options = tuple(f"Seat {number}" for number in seats)
    receivers = [f"Seat {number}" for number in seats if any(line.seat == number for line in paid)]
    cites = tuple(dict.fromkeys(cite for line in paid for cite in line_cites(line))) or (
        post.envy_cite,
        str(tables[0].cite),
    )
    why = " ".join(line.why for line in paid) or "Nobody else made the wager beside a hand that qualifies and is held."
    items = [Item("who", "Who is paid an Envy Bonus?", "some", JOINED.join(receivers) or NONE, cites, why, options)]
    total = sum(done.moves(line).handed_over for line in paid)
    items.append(money("sum", "How much in Envy Bonuses altogether?", total, cites, why))
    posted = pay_tables(rules, [tables[0].line])
    return Drawn("The Envy Bonus: who is paid?", tuple(items), done.laid(), (), posted, basis=done)


def has_meter(game: Game) -> bool:
    return any(isinstance(odds, MeterShare) for table in game.chapter.paytables for odds in table.rows.values())


def meter(asking: Asking, rng: Random) -> Drawn | None:
    """A meter before and after: what the wagers add, what a winner is paid, where it starts again."""
    rules = rules_for(asking.game, asking.as_of, rng)
    shares = [
        (paid, label)
        for paid in paying(rules)
        for label in paid.labels(rules)
        if (odds := rules.odds(paid.table, label)) is not None and isinstance(odds[1], MeterShare)
    ]
    if not shares:
        return None
    post, label = rng.choice(shares)
    wish = Wish(0, post.fact, label) if rng.random() < 0.75 else None
    done = school_round(rules, rng, rng.choice((1, 2)), 1, wish, staying=True, everybody=post.wager)
    name = rules.wagers[post.wager].meter
    if done is None or name not in done.displayed:
        return None
    book = Book(rules, done.meters())
    book.accept_wagers(done.played)
    spec, added, after = rules.meters[name], book.meters[name].displayed(), done.settlement.meters[name].displayed()
    jackpots = {tier: "the meter" if tier == "meter" else f"the {tier} jackpot" for tier in spec.seed}
    cites, items = (str(spec.cite),), []
    for tier, jackpot in jackpots.items():
        ask, rate = f'What does {jackpot} show after "no more bets"?', f"{float(spec.rate[tier] * 100):g} %"
        items.append(money(f"{tier} added", ask, added[tier], cites, f"{rate} of each wager is added."))
    paid = [line for line in done.lines if line.from_meter == name]
    for line in paid:
        ask, prize = f"What does the meter pay seat {line.seat}?", done.moves(line).handed_over
        items.append(money(f"seat {line.seat}", ask, prize, line_cites(line), line.why))
    for tier, jackpot in jackpots.items():
        ask, starts = f"What does {jackpot} show after the round?", show_dollars(spec.reseed[tier])
        again = f"A jackpot that is paid whole starts again at {starts} for each dollar of the wager."
        items.append(money(f"{tier} after", ask, after[tier], cites, again if paid else "Nothing was paid from it."))
    rates = ", ".join(
        f"{'' if tier == 'meter' else f'{tier} '}{float(rate * 100):g} %" for tier, rate in spec.rate.items()
    )
    reserve = f", and {float(spec.reserve * 100):g} % goes to its reserve, which is empty now" if spec.reserve else ""
    title = wager_title(rules, post.wager)
    told = (*meters_told(done), f"Of each {title} of the round {rates} is added{reserve}.")
    posted = pay_tables(rules, [post.wager])
    return Drawn(f"The progressive meter of {title}.", tuple(items), done.laid(), told, posted, basis=done)


def has_floor(game: Game) -> bool:
    acts = (each for each in game.chapter.procedures if each.stage == "settlement" and each.actor == FLOORPERSON)
    return any(each.when for each in acts)


def floor(asking: Asking, rng: Random) -> Drawn | None:
    """Before which payouts a floorperson must act, and which are not paid out of the table inventory."""
    rules = rules_for(asking.game, asking.as_of, rng)
    metered = [paid for paid in paying(rules) if rules.wagers[paid.wager].meter]
    if not metered:
        return None
    post = rng.choice(metered)
    label = rng.choice(post.labels(rules))
    done = school_round(rules, rng, 1, 2, Wish(0, post.fact, label), staying=True, everybody=post.wager)
    if done is None or not any(line.acts for line in done.lines):
        return None
    items = []
    for line in done.lines:
        if line.result != LineResult.WIN:
            continue
        acts = [act for act in line.acts if act.actor == FLOORPERSON]
        cites = tuple(str(act.cite) for act in acts) or (line.cite,)
        why = f"{_acts(line.acts)} {line.why}".strip()
        moved = done.moves(line).outcome(line.result)
        ask = f"{line_name(rules, line)}, {moved}: must a floorperson act before it is paid?"
        items.append(yes_no(f"floor {line.wager}", ask, bool(acts), cites, why))
        outside = [act for act in line.acts if "outside" in act.act]
        if line.acts:
            ask = f"{wager_title(rules, line.wager)}: do the cards stay on the table until it is documented?"
            cites = tuple(str(act.cite) for act in outside) or (line.cite,)
            items.append(yes_no(f"outside {line.wager}", ask, bool(outside), cites, why))
    ask = "Which of these payouts need more than the dealer?"
    return Drawn(ask, tuple(items), done.laid(), basis=done) if items else None


def _acts(acts: tuple[Procedure, ...]) -> str:
    said = [f"{act.actor}: {act.act.replace('-', ' ')}" for act in acts]
    return f"{'; '.join(said)[:1].upper()}{'; '.join(said)[1:]}." if said else ""


# Spot the mistake


def mistake(asking: Asking, rng: Random) -> Drawn | None:
    """A settled table with one planted error."""
    rules = rules_for(asking.game, asking.as_of, rng)
    folding = frozenset({rng.randrange(3)}) if rng.random() < 0.4 else frozenset[int]()
    done = school_round(rules, rng, rng.choice((2, 3)), 3, wished(rules, rng), folding)
    if done is None or _dull(done, rng):
        return None
    lines = list(done.lines)[:9]
    at = rng.randrange(len(lines))
    amounts = [done.moves(line).paid for line in lines]
    amounts[at] = rng.choice(_mistakes(done, lines[at]))
    names = tuple(_asked(rules, line) for line in lines)
    right = lines[at]
    items = (
        Item("which", "Which line is wrong?", "one", names[at], line_cites(right), right.why, names),
        money("amount", f"What is right there? {MOVED}", done.moves(right).paid, line_cites(right), _why(done, right)),
    )
    told = tuple(f"{name}: {_paid_or_taken(amount)}" for name, amount in zip(names, amounts, strict=True))
    posted, more = pay_tables(rules, [line.wager for line in lines]), meters_told(done)
    ask = "This table was settled with one mistake. Find it."
    return Drawn(ask, items, done.laid(), (*told, *more), posted, basis=done)


def _paid_or_taken(amount: Cents) -> str:
    if not amount:
        return "nothing paid or taken"
    return f"{show_dollars(abs(amount))} {'paid' if amount > 0 else 'taken'}"


def _mistakes(done: SchoolRound, line: Line) -> list[Cents]:
    """Amounts that a tired dealer could have paid: another row, the stake too much or too little, nothing at all."""
    rules, right = done.rules, done.moves(line).paid
    wager = rules.wager_named(line.wager)
    table = rules.tables.get(wager.paytable if wager else line.wager)
    others: list[Odds] = list(table.rows.values()) if table is not None else []
    found = [int(line.stake * odds.rate) for odds in others if isinstance(odds, ToOne | ForOne)] if right > 0 else []
    found += [right + line.stake, right - line.stake, 0, line.stake, -line.stake]
    return [amount for amount in dict.fromkeys(found) if amount != right]
