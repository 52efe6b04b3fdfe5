"""The Analyst's answers as markup: tiles of figures, tables side by side, rule lists, one hand, a progressive."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Any, Final

from pitboss.cards import DECK, RANKS, SUIT_NAMES, rank_of, show_card, suit_of
from pitboss.games.registry import GAMES
from pitboss.games.structure import TIES
from pitboss.law.model import SINGLE
from pitboss.names import shown
from pitboss.reports.cards import card_name, card_svg
from pitboss.reports.offer import row_title
from pitboss.web.pages.analysis import EXACT_TITLES, Compared, EdgeFigures, Question
from pitboss.web.pages.charts import break_even_chart, comparison_chart, strategy_chart
from pitboss.web.pages.play_analysis import BestPlay, Progressive
from pitboss.web.pages.shell import escape, sheet, table_html

SUIT_SIGNS: Final = "♣♦♥♠"
STYLE: Final = sheet("analyst.html")
SCROLL = '<div class="an-scroll" tabindex="0" role="region" aria-label="Table">'
SCROLL_CHART = '<div class="an-scroll an-plot" tabindex="0" role="region" aria-label="Chart">'
"""Parts that scroll sideways can be reached from the keyboard."""


def percent(share: float | Fraction, digits: int = 4) -> str:
    """As the command line prints it."""
    return f"{100 * float(share):.{digits}f} %"


FIGURES: Final[dict[str, tuple[str, Callable[[float], str]]]] = {
    "house_edge": ("House edge", percent),
    "element_of_risk": ("Element of risk", percent),
    "hit_frequency": ("Hit frequency", partial(percent, digits=2)),
    "standard_deviation": ("Standard deviation", "{:.4f}".format),
}
"""What stands beside each other, by the names of a row: its title and how it is written."""


def letter_text(letter: str) -> str:
    """A pay table's name; ``c:A`` is table A of another paragraph than the first.

    >>> letter_text("B"), letter_text("c:A"), letter_text("-")
    ('Table B', 'Table A of (c)', 'As printed')
    """
    paragraph, colon, name = letter.rpartition(":")
    if letter == SINGLE:
        return "As printed"
    return f"Table {name} of ({paragraph})" if colon else f"Table {letter}"


def figures_html(question: Question, answer: EdgeFigures, law: EdgeFigures | None) -> str:
    """The tiles; where rows were changed the law's figure stands under each."""
    row, before = answer.row, law.row if law is not None else {}
    unit = question.unit
    favour = "in the player's favour" if row["house_edge"] < 0 else ""
    under = ", ".join(each for each in (favour, _law(before)) if each)
    tiles = [_tile(f"House edge, of the {unit}", percent(row["house_edge"]), under, main=True)]
    for key, (title, show) in {"house_edge_required": ("Of required wagers", percent), **FIGURES}.items():
        if key in row and key != "house_edge":
            unit_of = f", in {unit}s" if key == "standard_deviation" else ""
            was = f"law: {show(before[key])}" if key in before else ""
            tiles.append(_tile(f"{title}{unit_of}", show(row[key]), was))
    if "largest_pay" in row:
        tiles.append(_tile(f"Largest net pay, in {unit}s", f"{row['largest_pay']:,g}", ""))
    if "average_total_wager" in row:
        tiles.append(_tile("Average total wager", f"{row['average_total_wager']:.4f}", f"in {unit}s"))
    if "optimal_play" in row:
        folded = percent(row["optimal_play"]["house_edge"])
        tiles.append(_tile("Edge where folds forfeit it", folded, _law(before.get("optimal_play", {}))))
    return f'<dl class="an-tiles" style="margin:0">{"".join(tiles)}</dl>{_words(row)}'


def _tile(title: str, value: str, was: str, *, main: bool = False) -> str:
    under = f'<div class="an-law">{escape(was)}</div>' if was else ""
    kind = " an-main" if main else ""
    return (
        f'<div class="an-tile{kind}"><dt>{escape(title)}</dt><dd><span class="an-value">{escape(value)}</span>{under}'
        "</dd></div>"
    )


def _law(before: Mapping[str, Any]) -> str:
    return f"law: {percent(before['house_edge'])}" if "house_edge" in before else ""


def _words(row: Mapping[str, Any]) -> str:
    said = []
    if row.get("restriction"):
        said.append(f"<strong>Only a part of the game</strong>: {escape(row['restriction'])}.")
    if row.get("choices"):
        shares = ", ".join(f"{name.replace('_', ' ')} {percent(share, 2)}" for name, share in row["choices"].items())
        said.append(f"Best play: {escape(shares)}.")
    if "jackpots" in row:
        each = "; ".join(
            f"{escape(name)} with probability {escape(won['probability'])}" for name, won in row["jackpots"].items()
        )
        said.append(f"In every figure here a share of the meter is a lost stake: {each}. See Progressive below.")
    if row.get("published"):
        said.append(f"Published: {escape(row['published'])}.")
    return "".join(f'<p class="pb-small" style="margin:.5rem 0 0">{each}</p>' for each in said)


def exact_html(answer: EdgeFigures) -> str:
    """Fractions on demand."""
    if not answer.exact:
        return ""
    rows = [
        (escape(EXACT_TITLES.get(name, name)), f'<span class="an-exact">{escape(text)}</span>')
        for name, text in answer.exact.items()
    ]
    return f"<details><summary>Exact fractions</summary>{table_html(('Figure', 'Exactly'), rows)}</details>"


def compare_html(question: Question, found: Sequence[Compared]) -> str:
    """Letters as columns: pays, then figures; under it the holds as bars."""
    names = [_column(each) for each in found]
    pays = dict.fromkeys(row for each in found for row in each.pays)
    rows = [(escape(row_title(row)), *(escape(each.pays.get(row, "–")) for each in found)) for row in pays]
    heads = ("Row", *names)
    numbers = range(1, len(heads))
    figures = []
    for key, (title, show) in FIGURES.items():
        if any(key in each.row for each in found):
            shown = (show(each.row[key]) if key in each.row else "" for each in found)
            figures.append([f"<strong>{cell}</strong>" for cell in (title, *shown)])
    part = _part(next((each.row["restriction"] for each in found if each.row.get("restriction")), ""))
    holds = [(_column(each), each.row["house_edge"], each.changed) for each in found]
    chart = comparison_chart("House edge of each pay table", holds)
    return (
        f"{part}{SCROLL}{table_html(heads, [*rows, *figures], numbers=numbers)}</div>"
        f'<h3 style="margin-top:1rem">House edge, of the {question.unit}</h3><div class="an-plot">{chart}</div>'
    )


def _part(restriction: str) -> str:
    return f"<p><strong>Only a part of the game</strong>: {escape(restriction)}.</p>" if restriction else ""


def _column(each: Compared) -> str:
    return "Yours" if each.changed else escape(letter_text(each.letter))


def strategy_html(title: str, found: BestPlay) -> str:
    """Rule lists from the crudest to the finest with their cost, and the chart."""
    shares = ", ".join(f"{escape(name)} {percent(share, 2)}" for name, share in found.choices.items())
    rows = [
        (
            f"<strong>{escape(each.name)}</strong>{_sentences(each.sentences)}",
            percent(each.house_edge),
            f'<span title="{escape(each.cost)}">{float(each.cost):.6f}</span>' if each.cost else "nothing",
        )
        for each in found.advice
    ]
    of_part = f" ({found.restriction})" if found.restriction else ""
    chart = strategy_chart(f"Best play of {title}{of_part}", found.charts)
    lists = table_html(("Rule list", "House edge", f"Costs, in {found.unit}s"), rows, numbers=(1, 2))
    ties = "" if found.ties is None else f"; {found.ties:,} states with a tie"
    parts = "".join(f"<p style='margin:0'>For comparison: {escape(each)}.</p>" for each in found.parts)
    part = f"<strong>Only a part of the game</strong>: {escape(found.restriction)}. " if found.restriction else ""
    return (
        f'<p style="margin:0">{part}Best play holds <strong>{percent(-found.expected_value)}</strong> of the '
        f"{found.unit}; {shares}{ties}. {escape(TIES)}</p>{parts}"
        "<h3 style='margin-top:1rem'>Rule lists and what they cost</h3>"
        f'{SCROLL}{lists}</div><h3 style="margin-top:1rem">Chart</h3>'
        f"{SCROLL_CHART}{chart}</div>"
    )


def _sentences(sentences: Sequence[str]) -> str:
    if len(sentences) <= 2:
        return "".join(f"<div>{escape(each)}</div>" for each in sentences)
    inside = "".join(f"<li>{escape(each)}</li>" for each in sentences)
    return f"<details><summary>{len(sentences)} rules</summary><ul style='margin:.3rem 0'>{inside}</ul></details>"


def picker_html() -> str:
    """All cards as buttons, the highest first, a row for each suit from spades down."""
    cards = sorted(DECK, key=lambda card: (-suit_of(card), -rank_of(card)))
    buttons = "".join(
        f'<button type="button" data-card="{show_card(card)}" aria-pressed="false" '
        f'class="{"an-red" if SUIT_NAMES[suit_of(card)] in ("diamonds", "hearts") else ""}" '
        f'aria-label="{escape(card_name(show_card(card)))}">{RANKS[rank_of(card)].replace("T", "10")}'
        f"{SUIT_SIGNS[suit_of(card)]}</button>"
        for card in cards
    )
    return f'<div class="an-pick" role="group" aria-label="Pick cards">{buttons}</div>'


def hand_html(found: Mapping[str, Any]) -> str:
    """Values of every choice, the best first; of a hand that is asked more than once, on every street so far."""
    unit = GAMES[found["game"]].chapter.unit_title
    up = found.get("up") or found.get("board") or ""
    drawn, turned = ("".join(card_svg(card, width=64) for card in each.split()) for each in (found["cards"], up))
    seen = f'<div class="an-cards"><span class="pb-small pb-soft">Turned up</span>{turned}</div>' if up else ""
    head = f'<div class="an-cards"><div class="an-cards">{drawn}</div>{seen}</div>'
    if "streets" in found:
        asked = (
            f"<h3 style='margin-top:1rem'>{escape(shown(each['street']))}"
            f"{escape(', after ' + ', '.join(each['made']).replace('_', ' ')) if each['made'] else ''}</h3>"
            f"{_values_html(each, unit)}"
            for each in reversed(found["streets"])
        )
        return head + "".join(asked)
    rows = [
        ("qualifies" if cell["qualifies"] else "does not qualify", escape(cell["versus"]), f"{cell['dealer_hands']:,}")
        for cell in found["cells"]
        if cell["dealer_hands"]
    ]
    compared = table_html(("The dealer", "Player's hand is", "Dealer's hands"), rows, numbers=(2,))
    exchanges = [(escape(gone), f"{float(Fraction(worth)):+.6f}") for gone, worth in found["exchanges"].items()][:5]
    swaps = table_html(("Exchange", f"Value in {unit}s"), exchanges, numbers=(1,), caption="The best exchanges")
    return (
        f'{head}<p style="margin:.5rem 0">{escape(found["hand"]).capitalize()}. Compared with all '
        f"{found['dealer_hands']:,} hands the dealer can have.</p>{_values_html(found, unit)}"
        f"{_part(found['restriction'])}{swaps if exchanges else ''}"
        f"<details><summary>How the dealer's hands compare</summary>{compared}</details>"
    )


def _values_html(asked: Mapping[str, Any], unit: str) -> str:
    values = {name: Fraction(text) for name, text in asked["values"].items()}
    best = {asked["best"], *asked["ties"]}
    body = "".join(
        f'<tr class="{"an-best" if name in best else ""}"><td>{escape(name.replace("_", " "))}'
        f"{' – best' if name in best else ''}</td>"
        f'<td class="num">{float(values[name]):+.6f}</td><td class="an-exact">{escape(values[name])}</td></tr>'
        for name in sorted(values, key=lambda name: values[name], reverse=True)
    )
    return (
        '<table class="pb-table"><thead><tr><th scope="col">Choice</th>'
        f'<th scope="col" class="num">Value in {unit}s</th><th scope="col">Exactly</th></tr></thead>'
        f"<tbody>{body}</tbody></table>"
    )


def progressive_html(title: str, found: Progressive) -> str:
    """Break-even lines, one for each meter, and what the wager costs in the long run."""
    report = found.report
    pairs = (
        ("Long-run hold with one seat, meter included", percent(report["long_run_hold"])),
        ("Stays with the house", percent(report["long_run_house_hold"])),
        ("Without any meter", percent(-Fraction(report["fixed"]))),
        ("Envy Bonus, each other seat", percent(Fraction(report["envy_per_seat"]))),
    )
    tiles = "".join(_tile(name, value, "") for name, value in pairs)
    rows = []
    for line in found.lines:
        tier = report["tiers"][line.tier]
        between = "never" if tier["rounds_between_hits"] is None else f"{tier['rounds_between_hits']:,.0f}"
        evens = (_exactly(_dollars(even), even) for even in (line.even_alone, line.even_full))
        rows.append((escape(line.tier), _dollars(line.seed), _dollars(line.mean), *evens, between))
    heads = ("Meter", "Seed", "Long-run mean", "Even, alone", f"Even, {found.others} others", "Wagers between hits")
    charts = "".join(
        f'<h3 style="margin-top:1rem">Player\'s expected value against the {escape(line.tier)}</h3>'
        f'<div class="an-plot">{break_even_chart(f"{title}: break-even of the {line.tier}", line, found.others)}</div>'
        for line in found.lines
    )
    caption = f"For a wager of ${found.stake / 100:,.0f}; {escape(report['plays'])}; other jackpots at their seed"
    return (
        f'<dl class="an-tiles" style="margin:0 0 .75rem">{tiles}</dl>{SCROLL}'
        f"{table_html(heads, rows, numbers=range(1, 6), caption=caption)}</div>{_by_seats(report)}{charts}"
    )


def _by_seats(report: Mapping[str, Any]) -> str:
    """The long-run hold by the number of seats, and what it is made of."""
    titles = {wager.name: wager.title for wager in GAMES[report["game"]].chapter.wagers}
    rows = [
        (
            str(each["seats"]),
            escape(", ".join(titles[name] for name in each["also_wagered"]) or "nothing else"),
            percent(Fraction(each["meter"])),
            percent(Fraction(each["envy"])),
            _exactly(percent(each["hold"]), each["hold_exactly"]),
            percent(each["house_hold"]),
        )
        for each in report["hold_by_seats"]
    ]
    heads = ("Seats", "Also wagered on this meter", "Meter pays", "Envy pays", "Hold", "Stays with the house")
    caption = f"Long-run hold by seats: {escape(report['hold_by_seats_is_for'])}"
    return f"{SCROLL}{table_html(heads, rows, numbers=(0, 2, 3, 4, 5), caption=caption)}</div>"


def _exactly(shown: str, exact: object) -> str:
    return f'{shown}<br><span class="an-exact">{escape(exact)}</span>'


def _dollars(amount: Fraction) -> str:
    return f"${float(amount):,.2f}".replace("$-", "−$")


def links_html(links: Iterable[tuple[str, str]]) -> str:
    """Exports; they open by keyboard like any link."""
    each = "".join(
        f'<a href="{escape(address)}" target="_blank" rel="noopener">{escape(name)}</a>' for name, address in links
    )
    return f'<div class="pb-links pb-small pb-noprint">{each}</div>'
