"""What the law has against a submission: every finding at once, each with its paragraph. Nothing here raises."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

from pitboss.findings import Finding
from pitboss.games.four_card_frenzy import payout_limit_findings
from pitboss.games.rules import Rules
from pitboss.law.model import DEVICES, VERSION_TABLES, Wager, in_force
from pitboss.meters import UNITS_PER_CENT
from pitboss.money import show_dollars
from pitboss.names import listed, shown
from pitboss.submission.model import PLACEHOLDER, Submission, WagerChoice
from pitboss.submission.resolve import (
    PRINTED,
    Case,
    chapter_of,
    chosen_under,
    letters_in_force,
    letters_of,
    rules_of,
    versions_in_force,
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
    case = Case(submission, chapter, day, rules)
    found = [*_holder(case), *findings, *_seats(case), *_boxes(case), *_dealing(case), *_decks(case)]
    if rules is not None:
        found += [*_known_wagers(case), *_letters(case), *_preconditions(case)]
        for wager, choice in case.offered:
            found += _progressive(case, rules, wager, choice) if wager.meter else _limits(case, wager, choice)
        found += [
            *_shared_meters(case),
            *_both_hands(case),
            *_equal_limits(case),
            *_super_limits(case),
            *_version(case),
        ]
        found += [*_payout_limit(case, rules), *_selections(case), *_readings(case), *_notes(case, rules)]
    return tuple(dict.fromkeys(found))


def _holder(case: Case) -> Iterator[Finding]:
    name = case.submission.certificate_holder
    if not name.strip():
        sentence = "The submission names no certificate holder; the layout must carry the name."
        yield Finding(
            "certificate-holder-missing", case.cite("2(b)(1)"), "a name", repr(name), sentence, "certificate_holder"
        )
    elif name.strip().casefold() in PLACEHOLDERS:
        sentence = f"{name.strip()!r} stands for a name; the layout must carry the certificate holder's own."
        where = "certificate_holder"
        yield Finding(
            "certificate-holder-placeholder", case.cite("2(b)(1)"), "a name", repr(name), sentence, where, "note"
        )


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
    cite = case.choice_cite("adjacent_boxes", case.cite("7"))
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
    if dealing not in DEVICES:
        sentence = f"The cards are dealt from a manual shoe, from the hand or from an automated shoe, not {dealing!r}."
        yield Finding("unknown-device", case.cite("8"), listed(DEVICES), dealing or "none", sentence, "dealing")
    if shuffler.used:
        if shuffler.reshuffles and not shuffler.counts_cards:
            sentence = "A shoe or device that reshuffles by itself may be used only if it counts the cards as well."
            where, expected = "shuffler.counts_cards", "counts_cards = true"
            yield Finding("reshuffles-without-count", case.cite("5(g)"), expected, "false", sentence, where)
        return
    if dealing == "hand":
        sentence = "Cards may be dealt from the hand only if an automated device shuffles them."
        cite = case.cite("9(a)(1)")
        yield Finding("hand-without-shuffler", cite, "an automated shuffler", "none", sentence, "dealing")
    for key, given, cite in (
        ("counts_cards", shuffler.counts_cards, case.cite("5(b)")),
        ("reshuffles", shuffler.reshuffles, case.cite("5(g)")),
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
            yield Finding("unknown-wager", case.cite("7"), names, name, sentence, where)
        elif not current and choice.offered:
            wager = versions[0]
            sentence = f"The {wager.title} was not in the law on {case.day}; it is {wager.period}."
            expected = f"a date: {wager.period}"
            yield Finding("wager-not-in-force", str(wager.cite), expected, str(case.day), sentence, where)
        elif current and current[0].placed == "after":
            wager = current[0]
            sentence = f"The {wager.title} follows from the Ante and the player's hand; a submission has no say in it."
            yield Finding("wager-not-a-choice", str(wager.cite), "no entry", name, sentence, where)
        elif current and current[0].offer == "always" and not choice.offered:
            wager = current[0]
            sentence = f"The {wager.title} is part of the game; it cannot be left out."
            yield Finding("always-offered", str(wager.cite), "offered = true", "false", sentence, f"{where}.offered")


def _letters(case: Case) -> Iterator[Finding]:
    """Letters left out or given in the wrong place; wrong letters are found when the rules are resolved."""
    chosen = letters_of(case.submission, case.day)
    owners = {w.paytable: w for w in in_force(case.chapter.wagers, case.day) if w.placed == "before"}
    needed = {wager.paytable: f"wagers.{wager.name}.paytable" for wager, _ in case.offered}
    loose = dict.fromkeys(t.wager for t in in_force(case.chapter.paytables, case.day) if t.wager not in owners)
    for name, where in {**needed, **{name: f"paytables.{name}" for name in loose}}.items():
        letters = letters_in_force(case.chapter, name, case.day)
        if letters and name not in chosen:
            cite = str(case.chapter.tables(name, case.day)[0].cite)
            sentence = f"The submission must choose one of the pay tables of {shown(name)}."
            yield Finding("paytable-missing", cite, f"one of {', '.join(letters)}", "none", sentence, where)
    for name in case.submission.paytables:
        if name in owners:
            key, wager = f"wagers.{owners[name].name}.paytable", owners[name]
            sentence = f"The pay table of the {wager.title} belongs under {key}."
            yield Finding(
                "paytable-misplaced", str(wager.cite), key, f"paytables.{name}", sentence, f"paytables.{name}"
            )


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
        linked = case.choice_cite("linked", cite)
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


def _equal_limits(case: Case) -> Iterator[Finding]:
    """Ante and Odds Wagers are equal, so what one may be the other must be able to be."""
    ante, odds = case.on_offer("ante"), case.on_offer("odds")
    if ante is None or odds is None:
        return
    for key in ("minimum", "maximum"):
        one, other = getattr(ante, key), getattr(odds, key)
        if one is not None and other is not None and one != other:
            sentence = f"Ante and Odds Wagers must be equal, so their {key} must be the same."
            where = f"wagers.odds.{key}"
            yield Finding(
                "odds-not-ante", case.cite("7(d)(1)"), show_dollars(one), show_dollars(other), sentence, where
            )


def _super_limits(case: Case) -> Iterator[Finding]:
    """A Super Wager on the own hand is at least the Ante; the additional ones may be as low as the table minimum."""
    ante, own, least = case.on_offer("ante"), case.on_offer("super"), case.figure("super_least_antes")
    if ante is None or own is None or least is None:
        return
    for key in ("minimum", "maximum"):
        floor, limit = getattr(ante, key), getattr(own, key)
        if floor is not None and limit is not None and limit < floor * least.value:
            expected, found = f"at least {show_dollars(floor * least.value)}", show_dollars(limit)
            sentence = f"The Super Wager must be at least the Ante, so its {key} cannot be below that of the Ante."
            yield Finding("super-below-ante", str(least.cite), expected, found, sentence, f"wagers.super.{key}")
    for wager, choice in case.offered:
        if wager.paytable != "super" or wager.required or choice.minimum is None or ante.minimum is None:
            continue
        if choice.minimum > ante.minimum:
            expected, found = f"at most {show_dollars(ante.minimum)}", show_dollars(choice.minimum)
            sentence = "An additional Super Wager may be any amount from the table minimum up; this minimum is higher."
            where = f"wagers.{wager.name}.minimum"
            yield Finding("super-above-table-minimum", str(wager.cite), expected, found, sentence, where, "note")
        elif choice.minimum < ante.minimum:
            expected, found = f"at least {show_dollars(ante.minimum)}", show_dollars(choice.minimum)
            sentence = (
                "An additional Super Wager is at least the table minimum; the Ante begins at "
                f"{show_dollars(ante.minimum)} and the {wager.title} at {found}."
            )
            where = f"wagers.{wager.name}.minimum"
            yield Finding("super-below-table-minimum", str(wager.cite), expected, found, sentence, where, "note")


def _version(case: Case) -> Iterator[Finding]:
    version, numbers, where = case.submission.version, versions_in_force(case.chapter, case.day), "options.version"
    letter, place = letters_of(case.submission, case.day).get("ante_bonus", ("", ""))
    if version is None:
        if numbers and letter.startswith(VERSION_TABLES):
            sentence = f"Ante Bonus table {letter} is for a version of 649a.7(e) only, and the submission chooses none."
            yield Finding("version-missing", "649a.12(c)", "options.version = 1, 2 or 3", "none", sentence, place)
        return
    cite, found = case.choice_cite("version", "649a.7(e)"), str(version)
    if version not in numbers:
        code = "version-unknown" if numbers else "version-not-available"
        expected = listed(str(number) for number in numbers) if numbers else "no version"
        sentence = f"{case.chapter.title} has no version {version} of wagering."
        yield Finding(code, cite, expected, found, sentence, where)
        return
    if letter and not letter.startswith(VERSION_TABLES):
        lawful = [
            name for name in letters_in_force(case.chapter, "ante_bonus", case.day) if name.startswith(VERSION_TABLES)
        ]
        sentence = f"A version of {cite} pays the Ante Bonus by a table of 649a.12(c), not by table {letter} of (b)."
        yield Finding("version-ante-bonus", "649a.12(c)", f"one of {', '.join(lawful)}", letter, sentence, place)
    ante, plus = case.on_offer("ante"), case.on_offer("pair_plus")
    if ante is None or plus is None or None in (ante.minimum, ante.maximum, plus.minimum, plus.maximum):
        return
    figure = next(f for f in in_force(case.chapter.figures, case.day) if f.name.startswith(f"version_{version}_"))
    too_high = (plus.minimum or 0) > figure.value * (ante.maximum or 0)
    # 7(e)(3) bounds both wagers by each other; (1) and (2) bound the Pair Plus Wager only.
    too_low = "ratio" in figure.name and (ante.minimum or 0) > figure.value * (plus.maximum or 0)
    if too_high or too_low:
        sentence = f"With these limits no Ante and Pair Plus Wager can ever meet {figure.cite}."
        expected = f"limits within {figure.value} times of each other"
        yield Finding("version-limits", str(figure.cite), expected, f"version {version}", sentence, where)


def _payout_limit(case: Case, rules: Rules) -> Iterator[Finding]:
    limit, least, where = case.submission.payout_limit, case.figure("payout_limit_least"), "options.payout_limit"
    if limit is None or least is None:
        # A limit in a game that has none is found when the rules are resolved.
        return
    yield from (replace(finding, where=where) for finding in payout_limit_findings(rules))
    if (case.submission.adjacent_boxes or 1) > 1:
        sentence = (
            "The payout limit is per player, and a player may hold several boxes here; the law does not say whether "
            "their payouts are added together. They are not: the limit is applied to each box."
        )
        boxes = f"{case.submission.adjacent_boxes} boxes"
        yield Finding("payout-limit-with-boxes", str(least.cite), "one box", boxes, sentence, where, "note")


def _selections(case: Case) -> Iterator[Finding]:
    """Magic Card and Lucky Bonus are additional payouts on the Five Card Hand Bonus Wager."""
    cite = case.choice_cite("magic_lucky", "641a.12(g)(3)")
    for name, selection in case.submission.selections.items():
        where = f"options.{name}"
        if not selection.offered:
            continue
        if not case.chapter.tables(name, case.day):
            sentence = f"The law knows no {shown(name)} in {case.chapter.title}."
            yield Finding("bonus-not-available", cite, f"no {name}", "offered", sentence, where)
            continue
        if not any(wager.paytable == "five_card_hand" for wager, _ in case.offered):
            sentence = f"The {shown(name)} is paid on the Five Card Hand Bonus Wager, which is not offered."
            expected = "five_card_hand_player or five_card_hand_dealer"
            yield Finding("bonus-without-wager", cite, expected, "none", sentence, where)
        expected, place = "a fraction above 0 and at most 1", f"{where}.chance"
        if selection.chance is None:
            sentence = (
                f"The law does not say how often the {shown(name)} is drawn, so the submission must give the chance."
            )
            yield Finding("chance-missing", cite, expected, "none", sentence, place)
        elif not 0 < selection.chance <= 1:
            sentence = f"The chance of the {shown(name)} in a round must be above 0 and at most 1."
            yield Finding("chance-range", cite, expected, str(selection.chance), sentence, place)


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
            yield Finding("unknown-reading", case.cite("12"), expected, name, sentence, where)


def _notes(case: Case, rules: Rules) -> Iterator[Finding]:
    """Defects of the text in the paragraphs under which something was chosen, each told once."""
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
