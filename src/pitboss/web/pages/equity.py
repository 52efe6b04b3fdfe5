"""The part of the Analyst for players against each other: what hands are worth against each other, and the rake."""

from datetime import date

from nicegui import ui

from pitboss.cards import CardError, parse_cards, show_cards
from pitboss.findings import UnreadableError
from pitboss.games.registry import BANKED, GAMES
from pitboss.web.pages.shell import button, card, escape, finding_html, markup
from pitboss.web.pages.workroom import QUICK

MOST_TYPED = 400
EXAMPLE = "As Ks Qs\n2c 2d 7h"


def equity_html(game: str, as_of: date, typed: str, dead: str, pot: str, percent: str) -> str:
    """Each hand's share of the pot as a table, and the rake's; refuses in a sentence what cannot be read."""
    from dataclasses import replace

    from pitboss.api import rules_for
    from pitboss.exact.equity import equities, rake_of
    from pitboss.games.handhistory import contest_named
    from pitboss.money import show_dollars
    from pitboss.typed import typed_dollars, within

    if len(typed) + len(dead) > MOST_TYPED:
        raise UnreadableError("These are more cards than a deck has.")
    contest, rules = contest_named(game), rules_for(game, as_of)
    try:
        hands, out = [parse_cards(line) for line in typed.splitlines() if line.strip()], parse_cards(dead)
    except CardError as problem:
        raise UnreadableError(str(problem)) from None
    if not percent.isascii() or not percent.isdigit():
        raise UnreadableError("The rake is a whole number of percent, such as 5.")
    found = equities(hands, rules.figure("player_cards"), out)
    terms = replace(contest.terms(rules), rake_percent=within(int(percent), "The rake", 0, 10))
    rake = rake_of(terms, typed_dollars(pot))
    rows = "".join(
        f"<tr><td>{escape(show_cards(each.cards))}</td><td>{100 * float(each.share):.2f} %</td>"
        f"<td>{f'± {200 * each.error:.2f} %' if each.error else escape(str(each.share))}</td>"
        f"<td>{show_dollars(int(each.share * (rake.pot - rake.rake)))}</td></tr>"
        for each in found
    )
    how = "Sampled; the error is two standard errors." if found[0].error else "Every way to fall is counted."
    return (
        '<table class="pb-table"><caption class="pb-soft">Equity if nobody folds any more</caption>'
        "<thead><tr><th>Hand</th><th>Share</th><th>Exact or error</th><th>Of the pot</th></tr></thead>"
        f"<tbody>{rows}</tbody></table><p>{how} Of a pot of {show_dollars(rake.pot)} the rake takes "
        f"{show_dollars(rake.rake)}, {100 * float(rake.share):.2f} %.</p>"
    )


class EquityCard:
    """Hands typed one a line."""

    def __init__(self, as_of: date) -> None:
        self.as_of = as_of

    def build(self) -> None:
        games = {name: game.chapter.title for name, game in GAMES.items() if name not in BANKED}
        with card("", label="Players against each other"):
            why = "".join(f"<p class='pb-soft' style='margin:0'>{escape(GAMES[name].no_edge)}</p>" for name in games)
            markup(f"<h2>Players against each other</h2>{why}")
            with ui.row().classes("items-end").style("gap:1rem"):
                self.game = ui.select(games, label="Game", value=next(iter(games))).classes("w-56")
                self.hands = ui.textarea("Hands, one a line", value=EXAMPLE).classes("w-64")
                self.dead = ui.input("Cards that are out", value="").classes("w-48")
                self.pot = ui.input("Pot, dollars", value="100").classes("w-32")
                self.rake = ui.input("Rake, percent", value="5").classes("w-32")
                for made in (self.game, self.hands, self.dead, self.pot, self.rake):
                    made.props("outlined dense")
                button("Compare the hands", self._compare)
            self.found = markup("", "w-full").props('role="status" aria-live="polite"')

    async def _compare(self) -> None:
        asked = [str(each.value or "") for each in (self.hands, self.dead, self.pot, self.rake)]
        try:
            self.found.content = await QUICK.ask(equity_html, str(self.game.value), self.as_of, *asked)
        except UnreadableError as problem:
            self.found.content = finding_html(problem)
