"""Exact figures on a terminal."""

import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from rich.console import Console

from pitboss.cards import show_card, show_cards
from pitboss.cli.screen import table_of
from pitboss.cli.screen.rounds import WIDE
from pitboss.exact.board_rules import BoardList
from pitboss.exact.draw_rows import DrawList
from pitboss.exact.draw_table import DrawTable
from pitboss.exact.edge import Variant, Whole
from pitboss.exact.equity import Equity, RakeShare
from pitboss.exact.plan import Staged
from pitboss.exact.rulelist import RuleList
from pitboss.exact.strategy import HandAnalysis
from pitboss.exact.streets import StreetsAnalysis, StreetsList, StreetValues
from pitboss.exact.target import Change
from pitboss.exact.value import Valued
from pitboss.games.registry import GAMES
from pitboss.games.structure import TIES
from pitboss.hands.labels import TITLES
from pitboss.law.model import SINGLE
from pitboss.money import show_dollars
from pitboss.names import all_shown, shown


def show_equities(out: Console, hands: Sequence[Equity], rake: RakeShare, ways: int) -> None:
    """Each hand's share of the pot, and what the house takes of it."""
    left = rake.pot - rake.rake
    table = table_of(["hand"], ["equity", "± 2 standard errors", "wins alone", "of the pot"])
    for hand in hands:
        error = f"{200 * hand.error:.2f} %" if hand.error else "exact"
        share = show_dollars(int(hand.share * left))
        table.add_row(show_cards(hand.cards), percent(hand.share, 2), error, percent(hand.wins, 2), share)
    out.print(table)
    sampled = hands[0].error > 0
    out.print(f"{ways:,} ways to fall, {'sampled' if sampled else 'all counted'}; nobody folds any more.")
    taken = f"{show_dollars(rake.rake)}, {percent(rake.share, 2)}" if rake.rake else "nothing"
    out.print(f"Of a pot of {show_dollars(rake.pot)} the rake is {taken}.")


def _unit(game: str) -> str:
    return GAMES[game].chapter.unit_title


def percent(share: float | Fraction, digits: int = 4) -> str:
    return f"{100 * float(share):.{digits}f} %"


def show_edges(out: Console, rows: Sequence[Mapping[str, Any]]) -> None:
    wide = out.width >= WIDE
    wider = (["paragraph"], ["hits"]) if wide else ([], [])
    table = table_of(["wager", "table", "reading", *wider[0]], ["hold", "deviation", *wider[1]])
    for heading in ("expected value", "published") if wide else ():
        table.add_column(heading, ratio=1, overflow="fold")  # a fraction is one long word, and none may be cut
    for row in rows:
        name = (shown(row["wager"]), row["paytable"], row["reading"] + _mark(row))
        figures = (percent(row["house_edge"]), _number(row.get("standard_deviation")))
        hits = percent(row["hit_frequency"], 2) if "hit_frequency" in row else ""
        more = (hits, str(row["expected_value"]), row.get("published") or "")
        table.add_row(*((*name, row["cite"], *figures, *more) if wide else (*name, *figures)))
    out.print(table)
    for row in rows:
        _more(out, row)
    sources: dict[str, list[str]] = {}
    for row in rows:
        for source in row.get("rests_on", ()):
            sources.setdefault(source, []).append(row["wager"])
    for source, wagers in sources.items():
        out.print(f"{all_shown(dict.fromkeys(wagers))}: not printed: {source}", soft_wrap=True, markup=False)


def _shares(choices: Mapping[str, float | Fraction]) -> str:
    return ", ".join(f"{choice.replace('_', ' ')} {percent(share, 2)}" for choice, share in choices.items())


def _mark(row: Mapping[str, Any]) -> str:
    """A sign for what the row leaves out and the lines below it tell: a part of the game, or the meter."""
    return " *" if row.get("restriction") else " +" if "meter" in row else ""


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.4f}"


def _more(out: Console, row: Mapping[str, Any]) -> None:
    name, unit = f"{shown(row['wager'])} {row['paytable']} {row['reading']}".strip(), _unit(row["game"])
    if out.width < WIDE:
        known = f"; published: {row['published']}" if row.get("published") else ""
        expected = f"{name}: expected value {row['expected_value']} [{row['cite']}]{known}"
        out.print(expected, soft_wrap=True, markup=False)
    if row.get("restriction"):
        out.print(f"* {name}: only a part of the game: {row['restriction']}.", soft_wrap=True)
    if "element_of_risk" in row:
        choices = _shares(row["choices"])
        out.print(
            f"{name}: {percent(row['house_edge'])} of the {unit}, {percent(row['house_edge_required'])} of required "
            f"wagers, {percent(row['element_of_risk'])} of all {row['average_total_wager']:.4f} {unit}s; {choices}",
            soft_wrap=True,
        )
    elif "choices" in row:
        out.print(f"{name}: {percent(row['house_edge'])} of the {unit}; {_shares(row['choices'])}", soft_wrap=True)
    if "known" in row:
        by_card = ", ".join(f"{card} {percent(hold, 2)}" for card, hold in row["house_edge_by_known_card"].items())
        out.print(f"{name}: the player knows {row['known']}{by_card and f'; hold by card: {by_card}'}", soft_wrap=True)
    if "jackpots" in row:
        jackpots = ", ".join(f"{tier} with probability {won['probability']}" for tier, won in row["jackpots"].items())
        out.print(f"+ {name}: {row['meter']}; {jackpots}", soft_wrap=True)
    if "with_the_meter_at_its_seed" in row:
        seed = row["with_the_meter_at_its_seed"]
        out.print(
            f"{name}: with the meter at its seed hold {percent(seed['house_edge'])}, deviation "
            f"{_number(seed['standard_deviation'])}, hits {percent(seed['hit_frequency'], 2)}, "
            f"largest pay {seed['largest_pay']:,g}",
            soft_wrap=True,
            highlight=False,
        )
    if "optimal_play" in row:
        played = row["optimal_play"]
        part = f" ({played['restriction']})" if played["restriction"] else ""
        out.print(
            f"{name}: nobody folds in these figures; with the best play of the main wagers{part}, whose folds forfeit "
            f"it, hold {percent(played['house_edge'])}, hits {percent(played['hit_frequency'], 2)}",
            soft_wrap=True,
            highlight=False,
        )
    if "hold_by_seats" in row:
        for also, holds in _by_company(row["hold_by_seats"]).items():
            ends = [holds[0], holds[-1]] if len(holds) > 1 else holds
            seats = ", ".join(f"{percent(each['hold'])} with {each['seats']} seats" for each in ends)
            seats = seats.replace(" 1 seats", " 1 seat")
            company = f", all seats also on {also}" if also else ""
            out.print(
                f"{name}: long-run hold {seats}{company}, meter and Envy Bonuses included",
                soft_wrap=True,
                highlight=False,
            )


def show_hand(out: Console, analysis: HandAnalysis | StreetsAnalysis) -> None:
    if isinstance(analysis, StreetsAnalysis):
        for asked in analysis.streets:
            made = f", after {', '.join(asked.made)}" if asked.made else ""
            out.print(f"{shown(asked.step)}, {show_cards(asked.seen)}{made}")
            _show_values(out, analysis.game, asked)
        return
    up = f", dealer shows {show_card(analysis.up)}" if analysis.up is not None else ""
    out.print(f"{show_cards(analysis.cards)}: {analysis.hand}{up}; {analysis.dealer_hands:,} dealer's hands")
    _show_values(out, analysis.game, analysis)
    if analysis.restriction:
        out.print(f"Only a part of the game: {analysis.restriction}.", soft_wrap=True)
    for gone, worth in list(analysis.exchanges.items())[:3]:
        out.print(f"exchange {show_cards(gone)}: {float(worth):+.6f}")


def _show_values(out: Console, game: str, asked: HandAnalysis | StreetValues) -> None:
    table = table_of(wrapped=["choice"])
    table.add_column(f"value in {_unit(game)}s", justify="right")
    table.add_column("exactly")
    for name, worth in sorted(asked.values.items(), key=lambda item: item[1], reverse=True):
        marked = f"[bold]{name}[/bold]" if name == asked.best or name in asked.ties else name
        table.add_row(marked, f"{float(worth):+.6f}", str(worth))
    out.print(table)


def show_strategy(
    out: Console,
    game: str,
    variant: Variant,
    best: Valued | Staged,
    lists: Iterable[RuleList | StreetsList | BoardList],
    restriction: str = "",
) -> None:
    """Where only a part of the game is laid out, the part is named first."""
    result = best.result
    choices = _shares(result.choices)
    hold = percent(-result.expected_value)
    if restriction:
        out.print(f"What follows is only a part of the game: {restriction}.", soft_wrap=True)
    play = "best play of this part" if restriction else "best play"
    table = "" if variant.letter == SINGLE else f", pay table {variant.letter}"
    said = f"{game}{table}, {play}: {hold} of the {_unit(game)}; {choices}; {best.ties} states with a tie"
    out.print(said, soft_wrap=True)
    out.print(TIES, soft_wrap=True)
    _show_lists(out, game, lists)


def _show_lists(out: Console, game: str, lists: Iterable[RuleList | StreetsList | BoardList | DrawList]) -> None:
    for found in lists:
        cost = f"costs {float(found.cost):.6f} of the {_unit(game)}" if found.cost else "costs nothing"
        out.print(f"\n[bold]{found.name}[/bold]: {percent(-found.expected_value)}, {cost}")
        for sentence in found.sentences:
            out.print(f"  {sentence}", soft_wrap=True)


def show_whole(out: Console, game: str, variant: Variant, whole: Whole) -> None:
    """Where cards are drawn: lists to learn, best play by hand and up card, then the parts, each named."""
    of_table = "" if variant.letter == SINGLE else f", pay table {variant.letter}"
    choices = _shares(whole.result.choices)
    out.print(f"{game}{of_table}, the whole game, best play: {whole.text}; {choices}.", soft_wrap=True)
    out.print(TIES, soft_wrap=True)
    _show_lists(out, game, whole.lists)
    if whole.table is not None:
        out.print("\n[bold]best play by hand and dealer's card[/bold]")
        _show_draws(out, whole.table)
    out.print("\nParts of the game, for comparison:")
    for reading, (worth, restriction) in whole.parts.items():
        out.print(f"  {reading}: {percent(-worth)} of the {_unit(game)}; {restriction}.", soft_wrap=True)
    part = GAMES[game].played
    out.print(f"pitboss strategy {game} --reading {part} prints the lists of {part}.", soft_wrap=True)


def _show_draws(out: Console, laid: DrawTable) -> None:
    """One sign a cell: the commonest choice; kinds of hands next to each other that are played alike share a row."""
    signs = [name[-1] if name[-1].isdigit() else "+" if name == "buy" else name[0].upper() for name in laid.names]
    rows: list[tuple[str, str, list[str]]] = []
    for kind, made in laid.kinds.items():
        cells = [
            "" if not cell.any() else signs[int(cell.argmax())] + ("" if 10 * cell.max() >= 9 * cell.sum() else "'")
            for cell in made
        ]
        first, _, before = rows[-1] if rows else ("", "", [])
        if rows and all(one == other or not one or not other for one, other in zip(before, cells, strict=True)):
            rows[-1] = first, kind, [one or other for one, other in zip(before, cells, strict=True)]
        else:
            rows.append((kind, kind, cells))
    table = table_of(["hand"], list(laid.columns))
    for first, last, cells in rows:
        table.add_row(first if first == last else f"{first} to {last}", *cells)
    out.print(table)
    meant = ", ".join(f"{sign} {name}" for sign, name in zip(signs, laid.names, strict=True) if not sign.isdigit())
    out.print(
        f"{meant}; a number: exchange so many cards; ': fewer than nine in ten of these hands. pitboss hand values "
        "every choice.",
        soft_wrap=True,
    )


def show_targets(
    out: Console,
    variant: Variant,
    now: Fraction,
    changes: Sequence[Change],
    contains: str = "",
    denominator: str = "wager",
) -> None:
    """``contains``: what the holds are for, where that is not plain."""
    name = f"{shown(variant.wager)} {variant.letter}"
    said = f" of the {denominator}" + (f" ({contains})" if contains else "")
    out.print(
        f"{name} holds {percent(now)}{said}; single rows that bring it into the range:",
        soft_wrap=True,
    )
    if not changes:
        out.print("  none: no single row of whole odds does.")
        return
    table = table_of(wrapped=("row", "pays", "from", "to", "hold from", "hold to"))
    for change in changes:
        ends = percent(change.hold_at_least), percent(change.hold_at_most)
        table.add_row(
            TITLES.get(change.row, shown(change.row)), str(change.was), str(change.least), str(change.most), *ends
        )
    out.print(table)
    for left_out in dict.fromkeys(change.left_out for change in changes if change.left_out):
        out.print(f"Only a part of the game: {left_out}.", soft_wrap=True)


def _by_company(rows: Sequence[Mapping[str, Any]]) -> dict[str, list[Mapping[str, Any]]]:
    """Holds by seats, apart by what else everybody wagers on the same meter."""
    found: dict[str, list[Mapping[str, Any]]] = {}
    for row in rows:
        found.setdefault(", ".join(map(shown, row["also_wagered"])), []).append(row)
    return found


def show_progressive(out: Console, report: Mapping[str, Any]) -> None:
    """Every figure of the report, a line each; tables inside it are indented, holds by seats are a table."""
    for name, value in report.items():
        if name not in ("hold_by_seats", "hold_by_seats_is_for"):
            _lines(out, name, value, 0)
    out.print(f"hold by seats; {report['hold_by_seats_is_for']}:", soft_wrap=True)
    for also, holds in _by_company(report["hold_by_seats"]).items():
        table = table_of(right=("seats", "meter pays", "envy", "hold", "exactly", "stays with the house"))
        for each in holds:
            parts = percent(Fraction(each["meter"])), percent(Fraction(each["envy"])), percent(each["hold"])
            table.add_row(str(each["seats"]), *parts, each["hold_exactly"], percent(each["house_hold"]))
        if also:
            out.print(f"every seat also on {also}, which feeds the same meter:")
        out.print(table)


def _lines(out: Console, name: str, value: Any, depth: int, money: bool = False) -> None:
    """One figure, or the figures in it; a name that ends in ``_dollars`` makes them amounts of money."""
    indent = "  " * depth
    money = money or str(name).endswith("_dollars")
    label = str(name).removesuffix("_dollars").replace("_", " ")
    value = shown(value) if isinstance(value, str) and re.fullmatch(r"[a-z]+(_[a-z]+)+", value) else value
    if isinstance(value, Mapping):
        out.print(f"{indent}{label}:")
        for inner, each in value.items():
            _lines(out, inner, each, depth + 1, money)
    elif money:
        exactly = f" (exactly {value})" if "/" in str(value) else ""
        dollars = f"${float(Fraction(value)):,.2f}".replace("$-", "-$")
        out.print(f"{indent}{label}: {dollars}{exactly}", soft_wrap=True)
    elif isinstance(value, list | tuple) and any(isinstance(each, Mapping) for each in value):
        out.print(f"{indent}{label}:")
        for number, each in enumerate(value, 1):
            _lines(out, str(number), each, depth + 1)
    else:
        out.print(f"{indent}{label}: {value}", soft_wrap=True)
