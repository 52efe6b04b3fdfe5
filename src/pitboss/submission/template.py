"""A submission to start from: every choice the law of a day leaves open in one game, explained in comments.

Written from the chapter's data and the declarations of the model alone, so that a new game, an amended chapter or
another choice needs nothing here. Options that change the game stand commented out; without the sign they are lawful
too.
"""

import textwrap
from collections.abc import Iterator, Mapping
from datetime import date
from functools import lru_cache

from pitboss.findings import FindingsError
from pitboss.games.options import Law, kind_of
from pitboss.games.registry import game_named
from pitboss.games.rules import Choices, resolve
from pitboss.law.model import ChoiceSpec, Wager, in_force
from pitboss.names import listed
from pitboss.submission.choice import FiledChoice, LawCase, OpenChoice, Plain, notes_about
from pitboss.submission.letters import ask_letters, letters_in_force, owners, rows_of
from pitboss.submission.model import Submission
from pitboss.submission.read import read_submission
from pitboss.submission.registry import choices_of_table, head, leaves, tables, wager_table
from pitboss.submission.write import literal_of, name_in_toml, written_as

WIDTH = 110


def template(game: str, as_of: date, chosen: Submission | None = None) -> str:
    """A commented submission for a game that checks clean on the day.

    With the choices of a submission it has those instead of examples; what it leaves out stands commented out, and what
    the law of the day does not ask is not written (``write_submission`` writes everything).
    """
    chapter = game_named(game).chapter
    rules, findings = resolve(chapter, as_of, Choices())
    if rules is None:
        raise FindingsError(findings)
    return "\n".join(_Writer(LawCase(chapter, as_of, rules), chosen).lines()) + "\n"


@lru_cache(maxsize=128)
def starting_point(game: str, as_of: date) -> Submission:
    """The submission that the template is, to be changed as a record."""
    return read_submission(template(game, as_of))


def _note(text: str, indent: str = "") -> Iterator[str]:
    yield from textwrap.wrap(text, WIDTH, initial_indent=f"# {indent}", subsequent_indent=f"# {indent}  ")


def _terms(wager: Wager) -> str:
    offer = "Offered only if the submission says so" if wager.offer == "choice" else "Always offered"
    duty = ", and every player must make it" if wager.required else ""
    needs = [" and ".join(wager.needs_all)] if wager.needs_all else list(wager.needs_any)
    return f"{offer}{duty}{f'; only after {listed(needs)}' if needs else ''}."


class _Writer:
    """The lines of one template, with the values of a submission where one is given."""

    def __init__(self, law: LawCase, chosen: Submission | None) -> None:
        assert law.rules is not None
        self.law, self.rules, self.chosen = law, law.rules, chosen
        self.values: Mapping[str, Plain] = (
            {} if chosen is None else {leaf.key: leaf.plain for leaf in leaves(chosen) if leaf.plain != ""}
        )
        self.explained: set[str] = set()

    def lines(self) -> Iterator[str]:
        chapter = self.law.chapter
        yield from _note(
            f"Rules Submission for {chapter.title}, 58 Pa. Code Chapter {chapter.chapter}, law of {self.law.day}."
        )
        yield ""
        for choice in head():
            yield from self._choice(choice, choice.name)
        for table in tables():
            if table.record is not None and not table.by_wager:
                yield from _headed(table.key, [*self._record(choices_of_table(table), table.key)])
        yield from self._wagers()
        yield from _headed("paytables", [*self._paytables()])
        yield from _headed("options", [*self._options(), *self._readings()])
        yield from self._facts()

    # Choices that the model declares

    def _record(self, choices: tuple[FiledChoice, ...], place: str, wager: Wager | None = None) -> Iterator[str]:
        for choice in choices:
            yield from self._choice(choice, f"{place}.{choice.name}", wager)

    def _choice(self, choice: FiledChoice, key: str, wager: Wager | None = None) -> Iterator[str]:
        if (opening := choice.ask(self.law, choice, wager)) is not None:
            yield from self._opening(opening, key, choice.name)

    def _opening(self, opening: OpenChoice, key: str, name: str) -> Iterator[str]:
        """One choice that is open: what it means, its value, and its paragraph."""
        if opening.once not in self.explained:
            for note in opening.notes:
                yield from _note(note, opening.indent)
        if opening.example is not None:
            sign, value = self._value(key, opening.example)
            comment = f"  # {opening.comment}" if opening.comment else ""
            yield f"{sign}{name_in_toml(name)} = {literal_of(written_as(key), value)}{comment}"

    def _value(self, key: str, example: Plain) -> tuple[str, Plain]:
        """What was chosen, or else the example; behind the sign of a comment where nothing was chosen."""
        return ("" if self.chosen is None or key in self.values else "# ", self.values.get(key, example))

    def _wagers(self) -> Iterator[str]:
        table = wager_table()
        for wager in in_force(self.law.chapter.wagers, self.law.day):
            if wager.placed == "before":
                yield from ("", *_note(f"{wager.title} [{wager.cite}]. {_terms(wager)}"))
                yield f"[{table.key}.{wager.name}]"
                yield from self._record(choices_of_table(table), f"{table.key}.{wager.name}", wager)
                self.explained.add(wager.paytable)

    # What the chapter declares

    def _paytables(self) -> Iterator[str]:
        """Tables that belong to no single wager."""
        owned, chapter, day = owners(self.law.chapter, self.law.day), self.law.chapter, self.law.day
        self.explained.clear()
        for name in self.rules.tables:
            if name not in owned and letters_in_force(chapter, name, day):
                paid = [wager.title for wager in self.rules.wagers.values() if wager.paytable == name]
                several = "one table for several wagers" if paid else "a bonus that is no wager of its own"
                what = f"the table of the {paid[0]}" if len(paid) == 1 else several
                yield from _note(f"{name}, {what}:")
                yield from self._opening(ask_letters(self.law, name), f"paytables.{name}", name)

    def _options(self) -> Iterator[str]:
        for choice in self.law.chapter.options(self.law.day).values():
            for note in notes_about(self.law, choice.name):
                yield from _note(note)
            if choice.kind == "selection":
                rows, cite = rows_of(self.rules.tables[choice.name]), self.rules.table_cite(choice.name)
                yield from _note(f"{choice.name} pays: {rows} [{cite}]")
            yield self._option(choice)

    def _option(self, choice: ChoiceSpec) -> str:
        """An option as it was chosen, or an example of one."""
        law = Law(self.law.chapter, self.law.day)
        if self.chosen is not None and choice.name in self.chosen.options:
            leaves = [*kind_of(choice).leaves(choice, self.chosen.options[choice.name])]
            parts = [(leaf.key, literal_of(kind_of(choice).written_as(leaf.key), leaf.plain)) for leaf in leaves]
            inner = ", ".join(f"{name_in_toml(key)} = {literal}" for key, literal in parts)
            return f"{choice.name} = {parts[0][1] if parts and not parts[0][0] else f'{{ {inner} }}'}"
        needed = any(wager.needs_option == choice.name for wager in self.rules.wagers.values())
        example = f"{choice.name} = {kind_of(choice).example(choice, law)}"
        return example if self.chosen is None and (needed or choice.kind == "selection") else f"# {example}"

    def _readings(self) -> Iterator[str]:
        """Readings of a defective text, all in one line."""
        readings = {t.wager: t.reading for t in in_force(self.law.chapter.paytables, self.law.day) if t.reading}
        chosen = self.chosen.readings if self.chosen is not None else {}
        if readings or chosen:
            yield from _note("Readings of a defective text other than the printed one.")
            parts = (
                f"{name_in_toml(name)} = {literal_of('text', text)}" for name, text in (chosen or readings).items()
            )
            yield f"{'' if chosen else '# '}readings = {{ {', '.join(parts)} }}"

    def _facts(self) -> Iterator[str]:
        """Values that are not printed, for an operator who has the full text at hand."""
        if facts := self.law.chapter.facts(self.law.day):
            yield from ("", *_note("Not printed in the text at hand; with the full text before you, set what differs."))
            if any(fact.must_be_set for fact in facts):
                yield from _note("Odds that are only assumed must be set: replace them by those of your text.")
            yield "[facts]"
        for fact in facts:
            sign, value = self._value(f"facts.{fact.name}", fact.value)
            sign = sign if self.chosen is not None or fact.must_be_set else "# "
            yield f'{sign}"{fact.name}" = {literal_of("text", value)}  # {fact.source} [{fact.cite}]'


def _headed(key: str, lines: list[str]) -> Iterator[str]:
    if lines:
        yield from ("", f"[{key}]", *lines)
