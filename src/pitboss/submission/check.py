"""What the law has against a submission: every finding at once, each with its paragraph. Nothing here raises."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

from pitboss.findings import Finding
from pitboss.games.payorder import PAY_ORDER, upsets
from pitboss.games.registry import game_named
from pitboss.games.rules import Rules, resolve, table_misfits
from pitboss.law.model import Wager, in_force
from pitboss.names import listed, shown
from pitboss.submission.letters import key_by_itself, key_under, letters_in_force, owners
from pitboss.submission.model import MAIN, Submission
from pitboss.submission.registry import entries_for, table_entries
from pitboss.submission.resolve import PRINTED, Case, chapter_of, chosen_under, letters_of, placed, rules_of
from pitboss.submission.table_choices import PLACEHOLDERS


def check(submission: Submission) -> tuple[Finding, ...]:
    """Every finding on a submission; those of severity ``note`` tell of defects of the law and forbid nothing."""
    chapter, day = chapter_of(submission), submission.effective
    rules, findings = rules_of(submission)
    case = Case(rules.chapter if rules else chapter, day, rules, submission, findings)
    found = [each for entry in table_entries(submission) for each in entry.choice.check(case, entry)]
    if rules is not None:
        found += [*_known_wagers(case), *_letters(case), *_preconditions(case)]
        for wager, choice in case.offered:
            for entry in entries_for(wager, choice):
                found += () if entry.choice.switch else entry.choice.check(case, entry)
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
        elif current:
            # Whether it is offered is checked of every entry; everything else of a wager that is offered.
            for entry in entries_for(current[0], choice):
                yield from entry.choice.check(case, entry) if entry.choice.switch else ()


def _letters(case: Case) -> Iterator[Finding]:
    """Letters left out or given in the wrong place; wrong letters are found when the rules are resolved."""
    chosen = letters_of(case.submission, case.day)
    owned = owners(case.chapter, case.day)
    needed = {w.paytable: key_under(w) for w, _ in case.offered if w.paytable in owned}
    loose = dict.fromkeys(t.wager for t in in_force(case.chapter.paytables, case.day) if t.wager not in owned)
    for name, where in {**needed, **{name: key_by_itself(name) for name in loose}}.items():
        letters = letters_in_force(case.chapter, name, case.day)
        if letters and name not in chosen:
            table = case.chapter.tables(name, case.day)[0]
            cite = str(table.choice_cite or table.cite)
            sentence = f"The submission must choose one of the pay tables of {shown(name)}."
            yield Finding("paytable-missing", cite, f"one of {', '.join(letters)}", "none", sentence, where)
    misplaced = [(key_by_itself(name), owned[name]) for name in case.submission.paytables if name in owned]
    misplaced += [(key_under(w), w) for w, choice in case.offered if choice.paytable and w.paytable not in owned]
    for where, wager in misplaced:
        key = key_under(wager) if wager.paytable in owned else key_by_itself(wager.paytable)
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


def _shared_meters(case: Case) -> Iterator[Finding]:
    """Wagers that feed one meter are offered on one set of terms."""
    for (first, one), (second, other) in combinations([pair for pair in case.offered if pair[0].meter], 2):
        if first.meter != second.meter:
            continue
        spec = case.meter(second)
        cite = str(second.cite if spec is None else spec.cite)
        for here, there in zip(entries_for(first, one), entries_for(second, other), strict=True):
            if there.choice.of_meter and here.value != there.value:
                key, names = there.choice.name, f"{shown(first.name)} and {shown(second.name)}"
                sentence = f"{names} share one meter, so {key} must be the same for both."
                yield Finding("shared-meter", cite, f"the same {key}", f"another {key}", sentence, there.where)


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
                where, expected = key_under(wager), "different odds"
                yield Finding("identical-tables", str(table.cite), expected, other.letter, sentence, where, "note")
