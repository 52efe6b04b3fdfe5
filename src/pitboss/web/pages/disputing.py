"""Settle a dispute: a round from a form or a file, and who is paid what, why and by which paragraph."""

from collections.abc import Mapping
from datetime import date
from itertools import count
from typing import Any, Final

from fastapi import Request
from nicegui import ui

from pitboss.api import rules_for, settle_text
from pitboss.api.playing import play
from pitboss.findings import FindingsError, UnreadableError
from pitboss.games.registry import GAMES
from pitboss.games.roundfile import dollars, round_data, write_round
from pitboss.games.rules import Rules
from pitboss.games.settlement import Settlement
from pitboss.money import MoneyError, cents, show_dollars
from pitboss.names import shown
from pitboss.table.opening import day_of
from pitboss.web.pages.law import law_link
from pitboss.web.pages.results import signed
from pitboss.web.pages.shell import (
    button,
    card,
    escape,
    finding_html,
    findings_html,
    frame,
    house,
    legend,
    markup,
    table_html,
    visitor,
)
from pitboss.web.pages.steps import decision_name
from pitboss.web.pages.welcome import STYLE

MOST: Final = 20_000
"""Characters of a round that is pasted."""
LEFT_OUT: Final = ("game", "as_of", "seat")
HINTS: Final = {"cards": "Cards, such as As Kd", "dealer": "The dealer's cards, the up card last"}
_seeds = count(1)


def settlement_html(settlement: Settlement) -> str:
    """Lines in the order of the law, then what each seat gained or lost, then the meters."""
    rows = []
    for line in settlement.lines:
        cites = [cite for cite in dict.fromkeys((line.cite, line.odds_cite)) if cite]
        people = [act.act.replace("-", " ") for act in line.acts if act.actor == "floorperson"]
        why = escape(line.why) + (f" Floorperson: {escape(', '.join(people))}." if people else "")
        where = ", ".join(map(law_link, cites))
        rows.append(
            (
                str(line.seat),
                escape(shown(line.wager)),
                show_dollars(line.stake),
                escape(line.result),
                escape(line.odds or ""),
                signed(line.net),
                f'{why} <span class="pb-cite">[{where}]</span>',
            )
        )
    heads = ("Seat", "Wager", "Stake", "Result", "Odds", "Net, $", "Why")
    totals = [(f"Seat {seat}", signed(net)) for seat, net in settlement.totals.items()]
    meters = []
    for name, balance in settlement.as_dict()["meters"].items():
        amounts = balance if isinstance(balance, dict) else {"": balance}
        meters.append(
            (escape(shown(name)), " · ".join(f"{tier} {show_dollars(a)}".strip() for tier, a in amounts.items()))
        )
    after = table_html(("Meter", "Afterwards"), meters) if meters else ""
    lines = table_html(heads, rows, numbers=(2, 5), caption="In the order of the settlement", below=6)
    return (
        f'<div class="pb-scroll">{lines}</div>'
        f'<div class="pb-scroll" style="max-width:24rem">{table_html(("Together", "Net, $"), totals, numbers=(1,))}'
        f"{after}</div>"
    )


class DisputePage:
    """One open window: the form is the round, and the text below it is what the form says."""

    def __init__(self, game: str, day: date) -> None:
        self.day, self.data = day, self._example(game, day, 2)
        self.inputs: dict[tuple[Any, ...], ui.input | ui.select] = {}

    @staticmethod
    def _example(game: str, day: date, seats: int) -> dict[str, Any]:
        rules = rules_for(game, day)
        played = play(rules, next(_seeds), seats=min(seats, rules.seats)).finish().played
        return round_data(game, day, played)

    def build(self) -> None:
        markup(
            '<p style="margin:0;max-width:75ch">Write down the round as it was played. It begins with an example: '
            "change what was different, then settle it. Nothing is recorded.</p>"
        )
        with card("", label="The round"):
            with ui.row().classes("items-end w-full").style("gap:1rem"):
                titles = {name: game.chapter.title for name, game in GAMES.items()}
                self.game = ui.select(titles, label="Game", value=self.data["game"]).classes("w-72")
                self.day_field = ui.input("Law of", value=str(self.day)).props("type=date").classes("w-44")
                self.seats = ui.select({n: str(n) for n in range(1, 7)}, label="Seats", value=len(self.data["seat"]))
                for made in (self.game, self.day_field, self.seats.classes("w-36")):
                    made.props("outlined dense options-dense stack-label").on_value_change(self._again)
            self.form = ui.element("div").classes("dp-form")
            with ui.row():
                button("Settle this round", self._settle_form)
                button("Another example", self._again, main=False)
        self.said = ui.column().classes("w-full").props('aria-live="polite"')
        with ui.element("details").classes("pb-card"):
            legend("As a round file, to keep or to paste one", "summary")
            self.text = ui.textarea("Round file (TOML)").props(f"outlined autogrow maxlength={MOST}").classes("w-full")
            with ui.row():
                button("Settle the file", lambda: self._settle(str(self.text.value or "")))
                button("Download it", self._download, main=False)
        self._draw()

    # The form

    def _again(self, _: Any = None) -> None:
        try:
            self.day = date.fromisoformat(str(self.day_field.value or ""))
            self.data = self._example(str(self.game.value), self.day, int(self.seats.value or 1))
        except (ValueError, FindingsError, UnreadableError) as problem:
            self._say(finding_html(problem))
            return
        self._say("")
        self._draw()

    def _draw(self) -> None:
        rules = rules_for(self.data["game"], self.day)
        self.form.clear()
        self.inputs = {}
        with self.form:
            table = {name: value for name, value in self.data.items() if name not in LEFT_OUT}
            if table or rules.meters:
                with ui.element("fieldset"):
                    legend("The table")
                    for name, value in table.items():
                        self._field((name,), HINTS.get(name) or shown(name), value)
                    for meter, spec in rules.meters.items():
                        for tier in spec.seed:
                            more = f", {tier}" if len(spec.seed) > 1 else ""
                            self._field(("meters", meter, tier), f"{shown(meter)} meter{more}", "", money=True)
            for place, seat in enumerate(self.data["seat"]):
                self._seat(rules, place, seat)
        self.text.value = write_round(self._read())

    def _seat(self, rules: Rules, place: int, seat: Mapping[str, Any]) -> None:
        game = GAMES[rules.game]
        with ui.element("fieldset"):
            legend(f"Seat {seat['number']}")
            for name, value in seat.items():
                if isinstance(value, str) and name not in ("decision", "then"):
                    self._field((place, name), HINTS.get(name) or shown(name), value)
            made = seat["wagers"]
            offered = [w.name for w in rules.wagers.values() if w.placed == "before" and not w.picks]
            for name in dict.fromkeys((*made, *offered)):
                title = rules.wagers[name].title if name in rules.wagers else shown(name)
                self._field((place, "wagers", name), title, made.get(name, ""), money=True)
            for name in ("decision", "then"):
                if name in seat:
                    names = dict.fromkeys(each for step in game.course.decides for each in step.names)
                    self._choice(
                        (place, name), "Decision" if name == "decision" else "After the draw", seat[name], names
                    )
            for step in game.course.decides if "decision" not in seat else ():
                choices = dict.fromkeys(_spoken(choice.name) for choice in step.choices(rules))
                title = "Decision" if len(game.course.decides) == 1 else f"Decision: {decision_name(step)}"
                made = seat.get("decisions", {}).get(step.name, "")
                self._choice((place, "decisions", step.name), title, made, choices)

    def _field(self, key: tuple[Any, ...], title: str, value: object, *, money: bool = False) -> None:
        made = ui.input(title, value=str(value)).props("outlined dense stack-label")
        self.inputs[key] = made.props("prefix=$") if money else made

    def _choice(self, key: tuple[Any, ...], title: str, value: str, names: Mapping[str, Any]) -> None:
        options = {"": "None", **{name: _said(name) for name in (*names, value) if name}}
        made = ui.select(options, label=title, value=value).props("outlined dense options-dense stack-label")
        self.inputs[key] = made

    def _read(self) -> dict[str, Any]:
        """The round that the form says; what was typed stays as it is, and the reader of rounds says what is wrong."""
        seats = [{"number": seat["number"]} for seat in self.data["seat"]]
        told: dict[str, Any] = {"game": self.data["game"], "as_of": self.data["as_of"]}
        for key, made in self.inputs.items():
            typed = str(made.value or "").strip()
            if not typed:
                continue
            into, path = (seats[key[0]], key[1:]) if isinstance(key[0], int) else (told, key)
            for name in path[:-1]:
                into = into.setdefault(name, {})
            if path[0] in ("wagers", "meters"):
                into[path[-1]] = _amount(typed, key)
            else:
                into[path[-1]] = int(typed) if isinstance(self.data.get(path[0]), int) and typed.isdigit() else typed
        for name, tiers in told.get("meters", {}).items():
            if set(tiers) == {"meter"}:
                told["meters"][name] = tiers["meter"]
        return {**told, "seat": seats}

    # Settling

    def _settle_form(self) -> None:
        try:
            self.text.value = write_round(self._read())
        except UnreadableError as problem:
            self._say(finding_html(problem))
            return
        self._settle(str(self.text.value))

    def _settle(self, text: str) -> None:
        try:
            if len(text) > MOST:
                raise UnreadableError("That is too long for a round.")
            settlement = settle_text(text, self.day)
        except (UnreadableError, FindingsError) as problem:
            self._say(finding_html(problem))
            return
        if settlement.findings:
            self._say(f"<p>Nothing was settled.</p>{findings_html(settlement.findings)}")
        else:
            self._say(f"<h2>Who is paid, and why</h2>{settlement_html(settlement)}")

    def _say(self, text: str) -> None:
        self.said.clear()
        if text:
            with self.said:
                markup(f'<section class="pb-card" aria-label="Settlement">{text}</section>', "w-full")

    def _download(self) -> None:
        ui.download(str(self.text.value or "").encode(), "round.toml")


def _spoken(choice: str) -> str:
    """A choice as a round file writes it: ``bet 3x`` is ``bet 3``."""
    return choice.removesuffix("x") if choice[-2:-1].isdigit() else choice


def _said(choice: str) -> str:
    """A choice as people read it: ``press 3`` is "Press 3×".

    >>> _said("take_back"), _said("press 3")
    ('Take back', 'Press 3×')
    """
    return choice.replace("_", " ").capitalize() + "×" * choice[-1:].isdigit()


def _amount(typed: str, key: tuple[Any, ...]) -> object:
    try:
        return dollars(cents(typed.removeprefix("$")))
    except MoneyError as problem:
        raise UnreadableError(f"{shown(str(key[-1]))}: {problem}.") from None


def add_dispute_page() -> None:
    @ui.page("/settle")
    def settle(request: Request, game: str = "") -> None:
        with frame("Settle a dispute", visitor(request), "/settle"):
            ui.add_head_html(STYLE)
            DisputePage(game if game in GAMES else next(iter(GAMES)), day_of(house().pit.clock())).build()
