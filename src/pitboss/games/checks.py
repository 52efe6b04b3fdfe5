"""What every round must satisfy before anything is settled. Each defect is a finding; all are reported at once."""

from collections import Counter
from collections.abc import Iterable, Iterator

from pitboss.cards import Card, show_card, show_cards
from pitboss.findings import Finding, refusal
from pitboss.games.chance import counted, spoken_of, thrown
from pitboss.games.course import Course, Decide, Draw, Sight, Times
from pitboss.games.deal import deal_of
from pitboss.games.round import Round, Seat, own_place
from pitboss.games.rules import Rules, table_misfits
from pitboss.law.model import DealStep, Wager, in_force
from pitboss.money import Cents, show_dollars
from pitboss.names import listed, shown
from pitboss.records import kept

BELOW_MINIMUM, ABOVE_MAXIMUM = "below-minimum", "above-maximum"
OVERSIZED = "hand-oversized"
MOST_CARDS = 10
"""In one place. No game deals more than seven; the best five of n cards cost n to the fifth."""


def verify_round(rules: Rules, played: Round) -> Iterator[Finding]:
    """The demands common to all card games: seats, cards and wagers."""
    if not played.seats:
        sentence = "The round has no seat with a wager."
        yield refusal("no-seat", "at least one seat", "none", sentence, cite=rules.figure_cite("seats"))
    yield from _seat_numbers(rules, played)
    yield from _card_counts(rules, played)
    yield from _oversized(rules, played)
    yield from _duplicates(rules, played)
    for seat in played.clockwise():
        yield from verify_wagers(rules, seat)
    yield from _extras(rules, played)
    yield from _selections(rules, played)
    yield from kept(rules, "misfits", lambda: tuple(table_misfits(rules)))


def _seat_numbers(rules: Rules, played: Round) -> Iterator[Finding]:
    cite = rules.figure_cite("seats")
    for number, times in Counter(seat.number for seat in played.seats).items():
        if not 1 <= number <= rules.seats:
            sentence = f"There is no seat {number}: this table has seats 1 to {rules.seats}."
            yield refusal("seat-number", f"1 to {rules.seats}", number, sentence, cite=cite, seat=number)
        if times > 1:
            sentence = f"Seat {number} is given twice."
            yield refusal("seat-number", "each seat once", f"{times} times", sentence, cite=cite, seat=number)
    position = played.lucky_position
    if (
        position is not None
        and position != "dealer"
        and not (isinstance(position, int) and 1 <= position <= rules.seats)
    ):
        sentence = f"The Lucky Bonus cannot fall on {position!r}."
        yield refusal("lucky-position", f'1 to {rules.seats} or "dealer"', position, sentence, cite=cite)


def _card_counts(rules: Rules, played: Round) -> Iterator[Finding]:
    sizes = {entry.name: entry for entry in in_force(rules.chapter.figures, rules.as_of)}
    if (step := thrown(rules)) is not None:
        yield from _rolled(rules, step, played)
    if any(step.before for step in deal_of(rules).steps):
        return  # how many cards a seat gets depends on how long it is in
    cite = kept(rules, "cite of counts", lambda: str(rules.chapter.cite_of("wrong-number-of-cards", "seats")))
    for figure, hands in (
        ("dealer_cards", [("dealer", played.dealer)]),
        ("player_cards", [(f"seat {seat.number}", seat.cards) for seat in played.clockwise()]),
        ("community_cards", [("community", played.place("community"))]),
    ):
        size = sizes[figure].value if figure in sizes else 0
        for where, cards in hands:
            if len(cards) != size and (figure in sizes or figure != "community_cards"):
                whose = {"dealer": "The dealer", "community": "The community"}.get(where, where.capitalize())
                sentence = f"{whose} must have {size} cards, not {len(cards)}."
                found = f"{len(cards)} cards ({show_cards(cards)})"
                yield refusal("card-count", f"{size} cards", found, sentence, where, cite=cite)


def _oversized(rules: Rules, played: Round) -> Iterator[Finding]:
    """Hands so long that asking the game about them could take for ever."""
    hands = [("the dealer", played.dealer), *((shown(name), cards) for name, cards in played.extras.items())]
    for seat in played.clockwise():
        hands.append((f"seat {seat.number}", seat.cards))
        for made in seat.decisions.values():
            hands += [(f"seat {seat.number}", made.discard), (f"seat {seat.number}", made.drawn)]
    for where, cards in hands:
        if len(cards) > MOST_CARDS:
            cite = str(rules.chapter.cite_of("wrong-number-of-cards", "seats"))
            expected = f"at most {MOST_CARDS} cards"
            sentence = f"{len(cards)} cards are given for {where}; no hand has more than {MOST_CARDS}."
            yield refusal(OVERSIZED, expected, f"{len(cards)} cards", sentence, where, cite=cite)


def _rolled(rules: Rules, step: DealStep, played: Round) -> Iterator[Finding]:
    """As many dice or spins as the device has, each showing what it can, and nothing that does not count."""
    deal, given, words = deal_of(rules), len(played.dice), spoken_of(rules)
    if not step.dice <= given <= step.dice + step.more:
        many = f"{step.dice} to {step.dice + step.more}" if step.more else str(step.dice)
        expected = f"{many} {words.key}{'s' * (step.more > 0)}"
        sentence = f"The round is played with {expected}; {given} {'is' if given == 1 else 'are'} given."
        yield refusal("dice-count", expected, f"{given} {words.key}", sentence, cite=deal.cite)
    for each in played.dice:
        if each not in counted(step):
            why = "does not count and is spun again" if each in step.void else "is not there"
            sentence = f"With the device {deal.device} {each} {why}."
            yield refusal("dice-face", "what the device has", each, sentence, cite=deal.cite)


def _duplicates(rules: Rules, played: Round) -> Iterator[Finding]:
    decks = next((each for each in in_force(rules.chapter.figures, rules.as_of) if each.name == "decks"), None)
    if decks is None:
        return  # a game without cards, which the counts say
    places: dict[Card, list[str]] = {}

    def note(place: str, cards: Iterable[Card]) -> None:
        for card in cards:
            places.setdefault(card, []).append(place)

    note("the dealer", played.dealer)
    for seat in played.clockwise():
        note(f"seat {seat.number}", seat.cards)
        for decision in seat.decisions.values():
            note(f"the cards drawn by seat {seat.number}", decision.drawn)
    for name, cards in played.extras.items():
        note(name, cards)
    for card, where in places.items():
        if len(where) > 1:
            named = where if len(where) <= MOST_CARDS else [*where[:MOST_CARDS], "more places"]
            sentence = f"The card {show_card(card)} appears {len(where)} times: at {' and '.join(named)}."
            found = f"{show_card(card)} at {' and '.join(named)}"
            yield refusal("duplicate-card", "each card of one deck once", found, sentence, cite=decks.cite)


def verify_wagers(rules: Rules, seat: Seat) -> Iterator[Finding]:
    """What is wrong with the wagers of one seat, each by itself and in the order of placing."""
    where = f"seat {seat.number}"
    if not seat.wagers:
        sentence = f"Seat {seat.number} made no wager."
        yield refusal("no-wager", "a wager", "none", sentence, where, cite=rules.chapter.cite_of("wagers"))
    for name, stake in seat.wagers.items():
        wager = rules.wager_named(name)
        if wager is None:
            yield _not_offered(rules, name, seat)
            continue
        if wager.on_another_seat and name == f"{wager.name}_{seat.number}":
            sentence = f"Seat {seat.number} cannot make a {wager.title} on its own hand."
            expected = "another seat that plays this round"
            yield refusal(wager.name.replace("_", "-"), expected, seat.number, sentence, where, cite=wager.cite)
            continue
        if wager.placed == "after":
            sentence = f"The {wager.title} is made after the player has seen the cards: give it as a decision."
            cite, expected = str(rules.chapter.cite_of("wagers")), f'decision = "{wager.name}"'
            yield refusal("placed-too-early", expected, f"{name} among the wagers", sentence, where, cite=cite)
            continue
        yield from _precondition(seat, wager, where)
        yield from _amount(rules, name, stake, wager, where)


def _spelled(names: list[str]) -> str:
    """The names of a wager in a file; of many that differ in numbers only the first and the last."""
    return listed(names) if len(names) < 6 else f"{names[0]} to {names[-1]}"


def _not_offered(rules: Rules, name: str, seat: Seat) -> Finding:
    chapter, where = rules.chapter, f"seat {seat.number}"
    for wager in chapter.wagers:
        if wager.name == name and not wager.picks:
            if not wager.period.covers(rules.as_of):
                sentence = f"The {wager.title} was not in the law on {rules.as_of}; it is {wager.period}."
                expected = f"a date: {wager.period}"
                return refusal("wager-not-in-force", expected, rules.as_of, sentence, where, cite=wager.cite)
            sentence = f"The {wager.title} is not offered at this table."
            expected = "a wager of the Rules Submission"
            return refusal("wager-not-offered", expected, name, sentence, where, cite=wager.cite)
    allowed, known = rules.names_at(seat.number), (each for each in rules.wagers.values() if each.placed == "before")
    names = listed(
        _spelled([name for name in each.names(rules.seats, rules.choices.device) if name in allowed]) for each in known
    )
    sentence = f"{chapter.title} has no wager called {name!r} at this table; seat {seat.number} may make {names}."
    return refusal("unknown-wager", names, name, sentence, where, cite=chapter.cite_of("wagers"))


def _precondition(seat: Seat, wager: Wager, where: str) -> Iterator[Finding]:
    missing = [need for need in wager.needs_all if need not in seat.wagers]
    if not missing and (not wager.needs_any or seat.has_any(*wager.needs_any)):
        return
    needed = " and ".join(missing) if missing else listed(wager.needs_any)
    sentence = f"The {wager.title} may be made only after {shown(needed)} has been placed."
    yield refusal("precondition", needed, f"{wager.name} alone", sentence, where, cite=wager.cite)


def _amount(rules: Rules, name: str, stake: Cents, wager: Wager, where: str) -> Iterator[Finding]:
    offered = rules.choices.amounts.get(wager.name)
    amounts = [offered] if offered is not None else [table.stake for table in rules.envies.get(wager.name, ())]
    if amounts and stake not in amounts:
        allowed = listed(show_dollars(amount) for amount in dict.fromkeys(amounts))
        envies = rules.envies.get(wager.name)
        sentence = f"The {wager.title} is offered at {allowed}, not {show_dollars(stake)}."
        cite = str(envies[0].cite if envies else wager.cite)
        yield refusal("progressive-amount", allowed, show_dollars(stake), sentence, where, cite=cite)
        return
    limits = rules.limits(wager.name)
    for code, bad, bound, word in (
        (BELOW_MINIMUM, stake < limits.minimum, limits.minimum, "at least"),
        (ABOVE_MAXIMUM, stake > limits.maximum, limits.maximum, "at most"),
    ):
        if bad:
            lacks = f": {show_dollars(bound - stake)} more is needed" if code == BELOW_MINIMUM else ""
            limit, given = show_dollars(bound), show_dollars(stake)
            sentence = f"The wager {shown(name)} is {word} {limit} here, not {given}{lacks}."
            yield refusal(code, f"{word} {limit}", given, sentence, where, cite=wager.cite)


def _extras(rules: Rules, played: Round) -> Iterator[Finding]:
    """Cards dealt to places of their own when somebody made the wager that needs them."""
    deal = deal_of(rules)
    owns = {own_place(step.own, seat.number) for step in deal.steps if step.own for seat in played.seats}
    for wager in (wager for wager in rules.wagers.values() if wager.extra):
        size = sum(step.brings(wager.extra) for step in deal.steps)
        own = any(step.own == wager.extra for step in deal.steps)
        betting = played.betting(wager.name)
        for place in sorted({own_place(wager.extra, seat.number) if own else wager.extra for seat in betting}):
            found = played.extras.get(place, ())
            if len(found) != size:
                wanted = f"{size} card{'s' if size > 1 else ''}"
                sentence = f"The {wager.title} was made, so the {shown(place)} must be given with {wanted}."
                code = "card-missing" if not found else "card-count"
                yield refusal(code, f"{wanted} at {place}", show_cards(found) or "none", sentence, cite=deal.cite)
    for place in sorted(played.extras.keys() - owns - {step.to for step in deal.steps if not step.each}):
        sentence = f"No card is dealt to {shown(place)} at this table."
        yield refusal("card-not-dealt", "no card", show_cards(played.extras[place]), sentence, cite=deal.cite)


def _selections(rules: Rules, played: Round) -> Iterator[Finding]:
    """The system selects a card or a position only where the table pays a bonus for it."""
    for table, title, selected in (
        ("magic_card", "Magic Card", None if played.magic_card is None else show_card(played.magic_card)),
        ("lucky_bonus", "Lucky Bonus", played.lucky_position),
    ):
        if selected is not None and table not in rules.tables:
            cites = (t.cite for t in rules.chapter.paytables if t.wager == table)
            cite = str(next(cites, rules.chapter.cite_of("paytables")))
            sentence = f"This table offers no {title}, so none can be selected."
            yield refusal("selection-not-offered", f"no {title}", selected, sentence, cite=cite)


def decision_findings(course: Course, rules: Rules, step: Decide, sight: Sight, seat: Seat) -> Iterator[Finding]:
    """Who made the wager that others are multiples of decides at each step until their part ends; nobody else does."""
    where, made = f"seat {seat.number}", seat.decisions.get(step.name)
    unit = step.on or course.unit
    staked = unit in seat.wagers
    asked = staked and not course.ended(rules, seat, before=step) and bool(step.offered(rules, sight))
    names = listed(name.replace("_", " ") for name in step.names)
    title = _with_article(rules.wagers[unit].title) if unit in rules.wagers else unit
    if made is None:
        if asked:
            sentence = f"Seat {seat.number} made {title} and must decide{_at(course, step)}: {names}."
            yield refusal("decision-missing", names, "none", sentence, where, cite=step.cite)
        return
    if not asked:
        why = (
            "has no further decision" if staked else f"made no {title.partition(' ')[2]}, so there is nothing to decide"
        )
        sentence = f"Seat {seat.number} {why}{_at(course, step)}."
        yield refusal("decision-not-allowed", "no decision", made.choice, sentence, where, cite=step.cite)
        return
    if (cards := (*made.discard, *made.drawn)) and not course.has(Draw):
        sentence = f"Nobody gives up or draws cards in {rules.chapter.title}, so seat {seat.number} cannot either."
        yield refusal("cards-not-drawn", "no cards", show_cards(cards), sentence, where, cite=step.cite)
    option = next((option for option in step.offered(rules, sight) if option.name == made.choice), None)
    if option is None:
        sentence = f"Seat {seat.number} cannot decide {made.choice!r} here: {names}."
        yield refusal("unknown-decision", names, made.choice, sentence, where, cite=step.cite)
    elif not option.puts:
        if made.amount is not None:
            past = f"{option.name}ed" if option.ends else f"chose to {option.name.replace('_', ' ')}"
            amount = show_dollars(made.amount)
            sentence = f"Seat {seat.number} {past}, so there is no wager of {amount}."
            yield refusal(f"{option.name}-with-amount", "no amount", amount, sentence, where, cite=step.cite)
    else:
        for wager, times in option.puts.items():
            yield from _put_amount(rules, course, seat, made.amount, wager, times, sight.stake, step)


def unasked(course: Course, rules: Rules, seat: Seat) -> Iterator[Finding]:
    """Decisions at a step that the game does not have."""
    known = {step.name for step in course.decides}
    for name in seat.decisions.keys() - known:
        made = seat.decisions[name].choice
        sentence = f"{rules.chapter.title} asks nobody anything at that point, so seat {seat.number} cannot {made}."
        cite = course.decides[0].cite if course.decides else str(rules.chapter.cite_of("wagers"))
        yield refusal("decision-not-allowed", "no decision", made, sentence, cite=cite, seat=seat.number)


def _at(course: Course, step: Decide) -> str:
    return f" at {shown(step.name)}" if len(course.decides) > 1 else ""


def _with_article(title: str) -> str:
    return f"{'an' if title[0] in 'AEIOU' else 'a'} {title}"


def _put_amount(
    rules: Rules,
    course: Course,
    seat: Seat,
    amount: Cents | None,
    wager: str,
    times: Times,
    unit: Cents,
    step: Decide,
) -> Iterator[Finding]:
    """A wager that a decision makes: one of a few multiples of the unit, or any amount between two of them."""
    where, cite = f"seat {seat.number}", times.cite or step.cite
    allowed = [unit * count for count in range(times.least, times.most + 1)]
    title = rules.wagers[wager].title if wager in rules.wagers else shown(wager)
    if times.whole:
        if amount in allowed or (amount is None and len(allowed) == 1):
            return
        expected = listed(show_dollars(value) for value in allowed)
        found = "no amount" if amount is None else show_dollars(amount)
        sentence = f"The {title} of seat {seat.number} must be {expected}; found {found}."
    elif amount is None:
        expected, found = f"{show_dollars(allowed[0])} to {show_dollars(allowed[-1])}", "no amount"
        sentence = f"Seat {seat.number} must say how much the {title} is."
    elif allowed[0] <= amount <= allowed[-1]:
        return
    else:
        expected, found = f"{show_dollars(allowed[0])} to {show_dollars(allowed[-1])}", show_dollars(amount)
        base = rules.wagers[course.unit].title.removesuffix(" Wager")
        between = f"between {times.least} and {times.most} times the {base} of {show_dollars(unit)}"
        sentence = f"A {title} of {found} is not {between}."
    yield refusal(f"{wager}-amount", expected, found, sentence, where, cite=cite)
