"""What the law has against a submission: every finding at once, each with its paragraph. Nothing here raises."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

from pitboss.findings import Finding
from pitboss.games.payorder import PAY_ORDER, upsets
from pitboss.games.registry import game_named
from pitboss.games.rules import Rules, resolve, table_misfits
from pitboss.law.model import Wager, in_force
from pitboss.meters import UNITS_PER_CENT
from pitboss.money import show_dollars
from pitboss.names import listed, shown
from pitboss.submission.model import MAIN, PLACEHOLDER, Submission, WagerChoice
from pitboss.submission.resolve import (
    PRINTED,
    Case,
    chapter_of,
    chosen_under,
    letters_in_force,
    letters_of,
    owners,
    placed,
    rules_of,
)

PLACEHOLDERS = frozenset(
    {PLACEHOLDER.casefold(), "certificate holder", "name", "your name", "tbd", "todo", "xxx", "..."}
)
"""Names that nobody bears, as templates have them."""
SMALLEST = 100
"""No table deals in less than a dollar; a minimum below it is probably a slip of the decimal point."""


def check(submission: Submission) -> tuple[Finding, ...]:
    """Every finding on a submission; those of severity ``note`` tell of defects of the law and forbid nothing."""
    chapter, day = chapter_of(submission), submission.effective
    rules, findings = rules_of(submission)
    case = Case(submission, rules.chapter if rules else chapter, day, rules)
    found = [*_holder(case), *findings, *_seats(case), *_boxes(case), *_dealing(case), *_decks(case)]
    if rules is not None:
        found += [*_known_wagers(case), *_letters(case), *_preconditions(case)]
        for wager, choice in case.offered:
            found += _progressive(case, rules, wager, choice) if wager.meter else _limits(case, wager, choice)
        own = (*table_misfits(rules), *game_named(submission.game).verify_choices(rules))
        found += [*_shared_meters(case), *_both_hands(case), *placed(own, submission, day)]
        found += [*_unknown_odds(case, rules), *_readings(case), *_acknowledged(case, rules)]
        found += [*_pay_order(case, rules), *_notes(case, rules)]
    return tuple(dict.fromkeys(found))


def _pay_order(case: Case, rules: Rules) -> Iterator[Finding]:
    """Hands that pay less than hands they beat, by what the submission sets; the law's own tables are left alone."""
    if not rules.choices.facts:
        return
    printed, _ = resolve(chapter_of(case.submission), case.day, replace(rules.choices, facts={}))
    for upset in upsets(game_named(case.submission.game), rules, printed) if printed is not None else ():
        table = rules.tables[upset.table]
        where = f"facts.{table.place}.{upset.higher}"
        expected = f"at least {upset.less_than}"
        yield Finding(PAY_ORDER, str(table.cite), expected, upset.pays, str(upset), where, "note")


def _holder(case: Case) -> Iterator[Finding]:
    name = case.submission.certificate_holder
    if not name.strip():
        sentence = "The submission names no certificate holder; the layout must carry the name."
        cite = case.cite("certificate_holder")
        yield Finding("certificate-holder-missing", cite, "a name", repr(name), sentence, "certificate_holder")
    elif name.strip().casefold() in PLACEHOLDERS:
        sentence = f"{name.strip()!r} stands for a name; the layout must carry the certificate holder's own."
        where = "certificate_holder"
        code = "certificate-holder-placeholder"
        yield Finding(code, case.cite("certificate_holder"), "a name", repr(name), sentence, where, "note")


def _seats(case: Case) -> Iterator[Finding]:
    seats, most = case.submission.seats, case.figure("seats")
    if most is None:
        return
    expected, title = f"1 to {most.value}", case.chapter.title
    if seats is None:
        sentence = f"The submission does not say how many seats the table has; {title} allows up to {most.value}."
        yield Finding("seats-missing", str(most.cite), expected, "none", sentence, "seats")
    elif seats < 1:
        yield Finding("seats-too-few", str(most.cite), expected, str(seats), "A table needs a seat.", "seats")
    elif seats > most.value:
        sentence = f"{title} is played at a table with at most {most.value} seats, not {seats}."
        yield Finding("seats-too-many", str(most.cite), expected, str(seats), sentence, "seats")


def _boxes(case: Case) -> Iterator[Finding]:
    boxes, fixed, where = case.submission.adjacent_boxes, case.figure("adjacent_boxes"), "adjacent_boxes"
    if fixed is not None:
        if boxes not in (None, fixed.value):
            sentence = f"A player may wager on one position only in {case.chapter.title}."
            yield Finding("adjacent-boxes-fixed", str(fixed.cite), str(fixed.value), str(boxes), sentence, where)
        return
    if not any(choice.name == where for choice in in_force(case.chapter.choices, case.day)):
        return
    cite = case.cite(where)
    law = case.figure("seats")
    seats = case.submission.seats or (law.value if law else boxes)
    if boxes is None:
        sentence = "The submission must say on how many adjacent boxes one player may wager."
        yield Finding("adjacent-boxes-missing", cite, "a number of boxes", "none", sentence, where)
    elif boxes < 1 or (seats is not None and 1 <= seats < boxes):
        sentence = f"A player cannot be allowed {boxes} adjacent boxes at a table with {seats} seats."
        yield Finding("adjacent-boxes-range", cite, f"1 to {seats}", str(boxes), sentence, where)


def _dealing(case: Case) -> Iterator[Finding]:
    dealing, shuffler = case.submission.dealing, case.submission.shuffler
    reshuffling = case.cite("use-approved-reshuffling-shoe")
    devices = dict.fromkeys(deal.device for deal in case.chapter.deals)
    if dealing not in devices:
        expected = listed(devices)
        sentence = f"{case.chapter.title} is played with a device called {expected}, not {dealing!r}."
        yield Finding("unknown-device", case.cite("deals"), expected, dealing or "none", sentence, "dealing")
    if shuffler.used:
        if shuffler.reshuffles and not shuffler.counts_cards:
            sentence = "A shoe or device that reshuffles by itself may be used only if it counts the cards as well."
            where, expected = "shuffler.counts_cards", "counts_cards = true"
            yield Finding("reshuffles-without-count", reshuffling, expected, "false", sentence, where)
        return
    act = next((p for p in case.chapter.procedures if p.act == "shuffler-required-for-dealing-from-hand"), None)
    if dealing == "hand" and act is not None:
        sentence = "Cards may be dealt from the hand only if an automated device shuffles them."
        yield Finding("hand-without-shuffler", str(act.cite), "an automated shuffler", "none", sentence, "dealing")
    for key, given, cite in (
        ("counts_cards", shuffler.counts_cards, case.cite("check-shuffler-count")),
        ("reshuffles", shuffler.reshuffles, reshuffling),
    ):
        if given:
            sentence = f"The submission says {key} = true, but no automated shuffler is used."
            where = f"shuffler.{key}"
            yield Finding("shuffler-not-used", cite, "shuffler.used = true", "false", sentence, where)


def _decks(case: Case) -> Iterator[Finding]:
    decks, where = case.submission.shuffler.decks, "shuffler.decks"
    one, two = case.figure("decks"), case.figure("decks_with_shuffler")
    if one is None or two is None or decks == one.value:
        return
    if decks != two.value:
        expected = f"{one.value} or, with a shuffler, {two.value}"
        sentence = f"{case.chapter.title} is played with {expected} decks, not {decks}."
        yield Finding("decks-number", str(one.cite), expected, str(decks), sentence, where)
    elif not case.submission.shuffler.used:
        sentence = "Two decks may be used only with an automated shuffler."
        yield Finding("decks-without-shuffler", str(two.cite), str(one.value), str(decks), sentence, where)


def _known_wagers(case: Case) -> Iterator[Finding]:
    """Keys of [wagers] that the law of the day does not know, or leaves no choice about."""
    for name, choice in case.submission.wagers.items():
        where = f"wagers.{name}"
        versions = [wager for wager in case.chapter.wagers if wager.name == name]
        current = in_force(versions, case.day)
        if not versions:
            names = listed(w.name for w in in_force(case.chapter.wagers, case.day) if w.placed == "before")
            sentence = f"{case.chapter.title} has no wager called {name!r}."
            yield Finding("unknown-wager", case.cite("wagers"), names, name, sentence, where)
        elif not current and choice.offered:
            wager = versions[0]
            sentence = f"The {wager.title} was not in the law on {case.day}; it is {wager.period}."
            expected = f"a date: {wager.period}"
            yield Finding("wager-not-in-force", str(wager.cite), expected, str(case.day), sentence, where)
        elif current and current[0].placed == "after":
            wager = current[0]
            sentence = f"The {wager.title} is made after the cards have been seen; a submission has no say in it."
            yield Finding("wager-not-a-choice", str(wager.cite), "no entry", name, sentence, where)
        elif current and current[0].offer == "always" and not choice.offered:
            wager = current[0]
            sentence = f"The {wager.title} is part of the game; it cannot be left out."
            yield Finding("always-offered", str(wager.cite), "offered = true", "false", sentence, f"{where}.offered")


def _letters(case: Case) -> Iterator[Finding]:
    """Letters left out or given in the wrong place; wrong letters are found when the rules are resolved."""
    chosen = letters_of(case.submission, case.day)
    owned = owners(case.chapter, case.day)
    needed = {w.paytable: f"wagers.{w.name}.paytable" for w, _ in case.offered if w.paytable in owned}
    loose = dict.fromkeys(t.wager for t in in_force(case.chapter.paytables, case.day) if t.wager not in owned)
    for name, where in {**needed, **{name: f"paytables.{name}" for name in loose}}.items():
        letters = letters_in_force(case.chapter, name, case.day)
        if letters and name not in chosen:
            table = case.chapter.tables(name, case.day)[0]
            cite = str(table.choice_cite or table.cite)
            sentence = f"The submission must choose one of the pay tables of {shown(name)}."
            yield Finding("paytable-missing", cite, f"one of {', '.join(letters)}", "none", sentence, where)
    misplaced = [(f"paytables.{name}", owned[name]) for name in case.submission.paytables if name in owned]
    misplaced += [
        (f"wagers.{w.name}.paytable", w) for w, choice in case.offered if choice.paytable and w.paytable not in owned
    ]
    for where, wager in misplaced:
        key = f"wagers.{wager.name}.paytable" if wager.paytable in owned else f"paytables.{wager.paytable}"
        sentence = f"The pay table of the {wager.title} belongs under {key}."
        yield Finding("paytable-misplaced", str(wager.cite), key, where, sentence, where)


def _unknown_odds(case: Case, rules: Rules) -> Iterator[Finding]:
    """Odds that nothing at hand tells: nobody is paid by figures that only stand in their place."""
    game, given = game_named(rules.game), case.submission.facts
    assumed = {fact.name: fact.value for fact in game.chapter.facts(case.day) if fact.must_be_set}
    posts = [post for step in game.course.settles for post in step.posts if post.wager in rules.wagers]
    lines = dict.fromkeys(post.line for post in posts) if assumed else ()
    for name in game.lines.tables_behind(lines, rules):
        table = rules.tables[name]
        rows = [f"{table.place}.{row}" for row in table.rows if f"{table.place}.{row}" in assumed]
        missing = [key for key in rows if key not in given]
        cite, titled = str(table.cite), f"The odds of {shown(name)}, table {table.letter},"
        if missing:
            sentence = (
                f"{titled} are not known: the submission must give each of them as a fact, by the full text, or leave "
                "the wager out where it may."
            )
            expected = ", ".join(f'"{key}"' for key in missing)
            yield Finding("odds-not-known", cite, expected, "none", sentence, f"facts.{missing[0]}")
        elif rows and all(given[key] == assumed[key] for key in rows):
            sentence = f"{titled} are the figures that only stood in their place here. Are they those of your text?"
            yield Finding("odds-as-assumed", cite, "the odds printed", "the same", sentence, f"facts.{rows[0]}", "note")


def _preconditions(case: Case) -> Iterator[Finding]:
    names = {wager.name for wager, _ in case.offered}
    for wager, _ in case.offered:
        missing = [need for need in wager.needs_all if need not in names]
        if not missing and wager.needs_any and not names.intersection(wager.needs_any):
            missing = [listed(wager.needs_any)]
        if missing:
            needed = " and ".join(missing)
            sentence = f"The {wager.title} may be made only after {needed}, which is not offered."
            yield Finding("precondition", str(wager.cite), needed, wager.name, sentence, f"wagers.{wager.name}")


def _limits(case: Case, wager: Wager, choice: WagerChoice) -> Iterator[Finding]:
    cite, where, title = str(wager.cite), f"wagers.{wager.name}", wager.title
    for key in ("minimum", "maximum"):
        value = getattr(choice, key)
        if value is None:
            sentence = f"The submission gives no {key} for the {title}."
            yield Finding("limits-missing", cite, f"a {key} in dollars", "none", sentence, f"{where}.{key}")
        elif value < 1:
            sentence = f"The {key} of the {title} must be at least $0.01."
            yield Finding("limits-too-small", cite, "at least $0.01", show_dollars(value), sentence, f"{where}.{key}")
        elif key == "minimum" and value < SMALLEST:
            found = show_dollars(value)
            sentence = f"The {title} may be as small as {found}; no value chip is so small. Is it a slip?"
            expected = f"at least {show_dollars(SMALLEST)}"
            yield Finding("minimum-below-a-dollar", cite, expected, found, sentence, f"{where}.{key}", "note")
    if choice.minimum is not None and choice.maximum is not None and choice.minimum > choice.maximum:
        least, most = show_dollars(choice.minimum), show_dollars(choice.maximum)
        sentence = f"The minimum of the {title}, {least}, is above its maximum, {most}."
        yield Finding("limits-reversed", cite, f"at most {most}", least, sentence, f"{where}.minimum")
    for key in ("amount", "seed", "rate"):
        if getattr(choice, key) is not None:
            sentence = f"The {title} is not a progressive wager: it has a minimum and a maximum, and no {key}."
            yield Finding("not-progressive", cite, f"no {key}", key, sentence, f"{where}.{key}")
    if choice.linked:
        sentence = f"The {title} is not a progressive wager, so it cannot be linked to other tables."
        linked = case.cite("linked", wager.name)
        yield Finding("linked-without-progressive", linked, "linked = false", "true", sentence, f"{where}.linked")


def _progressive(case: Case, rules: Rules, wager: Wager, choice: WagerChoice) -> Iterator[Finding]:
    where, title, envies = f"wagers.{wager.name}", wager.title, rules.envies.get(wager.name, ())
    cite = str(envies[0].cite if envies else wager.cite)
    lawful = [table.stake for table in envies]
    expected = listed(dict.fromkeys(show_dollars(stake) for stake in lawful)) if lawful else "an amount in dollars"
    if choice.amount is None:
        sentence = f"The submission does not say at which amount the {title} is offered."
        yield Finding("amount-missing", cite, expected, "none", sentence, f"{where}.amount")
    elif choice.amount < 1 or (lawful and choice.amount not in lawful):
        amount = show_dollars(choice.amount)
        sentence = f"The {title} may be offered at {expected}, not {amount}."
        yield Finding("amount-not-allowed", cite, expected, amount, sentence, f"{where}.amount")
    for key in ("minimum", "maximum"):
        if getattr(choice, key) is not None:
            sentence = f"The {title} is a progressive wager of one amount: it has no {key}."
            yield Finding("limits-on-progressive", cite, "amount", key, sentence, f"{where}.{key}")
    table = rules.tables.get(wager.paytable)
    if choice.linked and table is not None and not table.linkable:
        letters = listed(t.letter for t in case.chapter.tables(wager.paytable, case.day) if t.linkable)
        sentence = f"Table {table.letter} of the {title} may not be selected for linked games; {letters} may."
        cite_linked, expected = case.cite("linked", wager.name), f"one of {letters}, or linked = false"
        yield Finding("table-not-linkable", cite_linked, expected, table.letter, sentence, f"{where}.linked")
    spec = case.meter(wager)
    if spec is None:
        return
    for key in ("seed", "rate"):
        given, place = getattr(choice, key), f"{where}.{key}"
        if given is not None and not spec.chosen:
            sentence = f"The law fixes the {key} of this meter on {case.day}; a submission cannot choose it."
            yield Finding("meter-fixed", str(spec.cite), f"no {key}", key, sentence, place)
        elif given is None and spec.chosen:
            sentence = f"On {case.day} the law leaves the {key} of this meter to the submission, which gives none."
            yield Finding("meter-missing", str(spec.cite), f"a {key}", "none", sentence, place)
    if not spec.chosen:
        return
    least = min(spec.seed.values())
    if choice.seed is not None and choice.seed < least:
        sentence = f"The meter of the {title} must be seeded with at least {show_dollars(least)}."
        expected = f"at least {show_dollars(least)}"
        yield Finding("seed-too-low", str(spec.cite), expected, show_dollars(choice.seed), sentence, f"{where}.seed")
    if choice.rate is not None and not _countable(choice):
        sentence = "The rate must be above 0% and at most 100%, and give whole units of 1/10,000 cent for each wager."
        found = f"{float(choice.rate * 100):g}%"
        yield Finding("rate-not-countable", str(spec.cite), "such as 21%", found, sentence, f"{where}.rate")


def _countable(choice: WagerChoice) -> bool:
    """A rate that the meter can keep exactly: see ``pitboss.meters``."""
    rate = choice.rate or 0
    return 0 < rate <= 1 and ((choice.amount or 0) * rate * UNITS_PER_CENT).denominator == 1


def _shared_meters(case: Case) -> Iterator[Finding]:
    """Wagers that feed one meter are offered on one set of terms."""
    for (first, one), (second, other) in combinations([pair for pair in case.offered if pair[0].meter], 2):
        if first.meter != second.meter:
            continue
        spec = case.meter(second)
        cite = str(second.cite if spec is None else spec.cite)
        for key in ("amount", "linked", "seed", "rate"):
            if getattr(one, key) != getattr(other, key):
                sentence = (
                    f"{shown(first.name)} and {shown(second.name)} share one meter, so {key} must be the same for both."
                )
                where = f"wagers.{second.name}.{key}"
                yield Finding("shared-meter", cite, f"the same {key}", f"another {key}", sentence, where)


def _both_hands(case: Case) -> Iterator[Finding]:
    """The law offers one wager on the player's hand, the dealer's or both; the choice is the player's."""
    wagers = in_force(case.chapter.wagers, case.day)
    for wager, _ in case.offered:
        others = [w for w in wagers if w.cite == wager.cite and w.paytable == wager.paytable and w.meter and w != wager]
        for other in others:
            if case.on_offer(other.name) is None:
                sentence = (
                    f"The {wager.title} is offered, that {_hand(other)} is not; the law leaves the hand to the player."
                )
                where = f"wagers.{other.name}"
                yield Finding("one-hand-only", str(wager.cite), "both hands", wager.name, sentence, where, "note")


def _hand(wager: Wager) -> str:
    return "on " + wager.title.partition(" on ")[2]


def _readings(case: Case) -> Iterator[Finding]:
    """Readings of tables that do not exist; unknown readings of a table are found when the rules are resolved."""
    tables = {table.wager for table in in_force(case.chapter.paytables, case.day)}
    for name, reading in case.submission.readings.items():
        if name not in tables:
            named = sorted({t.wager for t in in_force(case.chapter.paytables, case.day) if t.reading})
            expected = listed(named) if named else "no readings"
            sentence = (
                f"There is no pay table {name!r} in {case.chapter.title} that could be read as {reading or PRINTED!r}."
            )
            where = f"options.readings.{name}"
            yield Finding("unknown-reading", case.cite("paytables"), expected, name, sentence, where)


def _acknowledged(case: Case, rules: Rules) -> Iterator[Finding]:
    """Names of wagers whose hold somebody accepts, and of the people who do."""
    for wager, who in case.submission.acknowledged.items():
        where, known = f"acknowledged.{wager}", (MAIN, *rules.wagers)
        if wager not in known:
            sentence = f"{case.chapter.title} has no wager called {wager!r} whose hold could be acknowledged."
            yield Finding("unknown-wager", case.cite("wagers"), listed(known), wager, sentence, where)
        elif not who.strip() or who.strip().casefold() in PLACEHOLDERS:
            sentence = "Enter the name of the person who acknowledges the hold of the wager."
            yield Finding("acknowledged-name", case.cite("wagers"), "a name", repr(who), sentence, where)


def _notes(case: Case, rules: Rules) -> Iterator[Finding]:
    """Defects of the text in the paragraphs under which something was chosen, each shown once."""
    told = set()
    for cite, where in chosen_under(case, rules):
        for note in case.chapter.notes_on(cite):
            if note.name not in told and note.period.covers(case.day):
                told.add(note.name)
                expected = listed(note.readings) if note.readings else "the text as implemented"
                yield Finding("law-note", str(note.cite), expected, note.name, note.text, where, "note")
    for wager, _ in case.offered:
        table = rules.tables.get(wager.paytable)
        for other in case.chapter.tables(wager.paytable, case.day) if table else ():
            if table and other.letter != table.letter and other.reading == table.reading and other.rows == table.rows:
                sentence = (
                    f"Pay tables {table.letter} and {other.letter} of {shown(wager.paytable)} print the same odds."
                )
                where = f"wagers.{wager.name}.paytable"
                yield Finding(
                    "identical-tables", str(table.cite), "different odds", other.letter, sentence, where, "note"
                )
