"""How the meters look: large figures for a wall screen, their tables, and what each paid last."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from pitboss.games.registry import GAMES
from pitboss.ledger.rows import Recorded, shown_time
from pitboss.ledger.store import Store
from pitboss.money import Cents, show_dollars
from pitboss.web.pages.shell import escape

PAID: Final = "meter.paid"
FEWEST_SIGNS: Final = 11
"""Room for the next digit, so that a figure that grows stays in its place."""
STYLE: Final = """
<style>
.mt-board { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 420px), 1fr)); gap: 1.25rem;
  width: 100%; }
.mt-meter { background: radial-gradient(120% 140% at 50% 0, #17402f 0, #0a2a1e 70%); color: #f6f0dc;
  border: 1px solid #c9a227; border-radius: 14px; padding: 1.2rem 1.4rem; display: flex; flex-direction: column;
  gap: .8rem; }
.mt-meter h2 { color: #f6f0dc; font-size: clamp(1.2rem, 1.8vw, 1.7rem); }
.mt-game { color: #cfdcd0; font-size: .95rem; }
.mt-tier { display: flex; flex-direction: column; align-items: center; }
.mt-name { text-transform: uppercase; letter-spacing: .14em; font-size: .85rem; color: #e2c766; }
.mt-amount { font-family: var(--serif); font-weight: 700; font-variant-numeric: tabular-nums; color: #ffdf7a;
  line-height: 1.1; font-size: clamp(2.6rem, 5.2vw, 5.4rem); white-space: nowrap; }
.mt-small .mt-amount { font-size: clamp(1.9rem, 3.2vw, 3.2rem); }
.mt-top { display: flex; gap: 1rem; align-items: center; }
.mt-top a, .mt-top button { text-decoration: underline; }
.mt-foot { display: flex; gap: .4rem 1.5rem; flex-wrap: wrap; justify-content: space-between; font-size: .98rem;
  color: #dfe7dc; border-top: 1px solid #3b6350; padding-top: .7rem; margin-top: auto; }
.mt-foot a { color: #ffe9a8; text-decoration: underline; }
.mt-foot strong { color: #fff; }
.mt-fresh .mt-amount { animation: mt-glow 1.4s ease-out; }
@keyframes mt-glow { 0% { text-shadow: 0 0 26px #ffdf7a; } 100% { text-shadow: none; } }
.mt-fields { display: grid; grid-template-columns: repeat(auto-fill, minmax(190px, 1fr)); gap: .75rem; width: 100%; }
</style>
"""
BOARD_STYLE: Final = """
<style>
body { background: #061a13; }
.pb-header { display: none; }
.pb-notice { background: #061a13; color: #b9c7b9; position: fixed; bottom: 0; left: 0; right: 0; text-align: center; }
.pb-main { max-width: none; padding: .9rem 1.2rem 2.4rem; min-height: 100vh; gap: .8rem; }
.mt-top { position: fixed; right: .6rem; bottom: .25rem; z-index: 1; font-size: .85rem; }
.mt-top a, .mt-top button { color: #d5ddd0; background: none; border: 0; font: inherit; cursor: pointer; }
:fullscreen .mt-top { display: none; }
@media (min-width: 1000px) {
  .mt-board { grid-template-columns: repeat(var(--mt-cols), minmax(0, 1fr)); grid-auto-rows: minmax(0, 1fr); gap: 1rem;
    height: calc(100vh - 4.6rem); }
  .mt-meter { padding: .9rem 1.2rem; gap: .4rem; justify-content: space-between; overflow: hidden; }
  .mt-tier { flex: 1; justify-content: center; }
  .mt-amount { font-size: min(calc(84vw / var(--mt-cols) / var(--mt-wide)), calc(86vh / var(--mt-rows) / 2.7)); }
  .mt-small .mt-amount {
    font-size: min(calc(56vw / var(--mt-cols) / var(--mt-wide)), calc(86vh / var(--mt-rows) / 4.5)); }
  .mt-foot { font-size: clamp(.82rem, .85vw, 1.15rem); margin-top: 0; padding-top: .4rem; }
}
</style>
"""
BOARD_LINKS: Final = """
<h1 style="position:absolute;clip-path:inset(50%);width:1px;height:1px;overflow:hidden">Progressive meters</h1>
<div class="mt-top"><button type="button" onclick="document.documentElement.requestFullscreen()">Full screen</button>
<a href="/meters">Back</a></div>
"""
SCRIPT: Final = """
<script>
window.pbMeters = (() => {
  const still = matchMedia('(prefers-reduced-motion: reduce)');
  const shown = {}, running = {};
  const text = (cents) => '$' + Math.floor(cents / 100).toLocaleString('en-US') + '.' +
    String(cents % 100).padStart(2, '0');
  const read = (id) => {
    const place = document.getElementById(id);
    return place ? Number(place.textContent.replace(/[^0-9]/g, '')) : undefined;
  };
  const put = (id, cents) => {
    shown[id] = cents;
    const place = document.getElementById(id);
    if (place) place.textContent = text(cents);
  };
  const run = (id, from, to) => {
    cancelAnimationFrame(running[id]);
    if (still.matches || from === undefined || document.hidden) { put(id, to); return; }
    const began = performance.now(), lasts = 400;
    const tick = (now) => {
      const part = Math.min(1, Math.max(0, (now - began) / lasts));
      put(id, Math.round(from + (to - from) * (1 - Math.pow(1 - part, 3))));
      if (part < 1) running[id] = requestAnimationFrame(tick);
    };
    running[id] = requestAnimationFrame(tick);
    const card = document.getElementById(id)?.closest('.mt-meter');
    if (card) { card.classList.remove('mt-fresh'); void card.offsetWidth; card.classList.add('mt-fresh'); }
  };
  return (amounts) => {
    for (const [id, cents] of Object.entries(amounts)) {
      if (shown[id] !== cents || read(id) !== cents) run(id, shown[id] ?? read(id), cents);
    }
  };
})();
</script>
"""


@dataclass(frozen=True)
class LastJackpot:
    """What a meter paid last: when, where and how much."""

    amount: Cents
    table: str
    round: int
    at: int
    whole: bool
    """Whether the meter started again."""


@dataclass
class Jackpots:
    """The last jackpot of each meter; only events since the last look are read."""

    store: Store
    after: int = 0
    last: dict[str, LastJackpot] = field(default_factory=dict)

    def look(self) -> Mapping[str, LastJackpot]:
        with self.store.reading() as reading:
            paid, head = reading.events(after=self.after, kinds=(PAID,)), reading.head.seq
        for event in paid:
            self.last[event.data["meter"]] = _jackpot(event)
        self.after = head
        return self.last


def _jackpot(event: Recorded) -> LastJackpot:
    data = event.data
    return LastJackpot(data["amount"], event.stream, event.round, event.at, bool(data["reseeded"]))


def amount_id(meter: str, tier: str) -> str:
    return f"amount-{meter}-{tier}"


def amounts_of(meters: Mapping[str, Mapping[str, Any]]) -> dict[str, Cents]:
    """Every amount on the board under the id of its place."""
    return {amount_id(m, tier): cents for m, known in meters.items() for tier, cents in known["amounts"].items()}


def sign(amount: Cents) -> str:
    """Always with cents, so that the figure does not change its width.

    >>> sign(1234567), sign(100)
    ('$12,345.67', '$1.00')
    """
    return f"${amount // 100:,}.{amount % 100:02d}"


def board_html(meters: Mapping[str, Mapping[str, Any]], last: Mapping[str, LastJackpot], *, links: bool) -> str:
    order = board_order(meters)
    cards = [meter_html(meter, meters[meter], last.get(meter), links=links) for meter in order]
    wide = columns(len(cards))
    longest = max([FEWEST_SIGNS, *(len(sign(amount)) for amount in amounts_of(meters).values())])
    shape = f"--mt-cols:{wide};--mt-rows:{max(1, -(-len(cards) // wide))};--mt-wide:{longest * 0.53:g}"
    empty = '<p class="pb-soft">The house has no meter.</p>'
    return f'<div class="mt-board" style="{shape}">{"".join(cards) or empty}</div>'


def meter_html(meter: str, known: Mapping[str, Any], jackpot: LastJackpot | None, *, links: bool = True) -> str:
    tiers = known["amounts"]
    shown = "".join(
        f'<div class="mt-tier{" mt-small" if len(tiers) > 1 and place else ""}">'
        f"{f'<span class=mt-name>{escape(tier)}</span>' if len(tiers) > 1 else ''}"
        f'<span class="mt-amount" id="{escape(amount_id(meter, tier))}">{sign(cents)}</span></div>'
        for place, (tier, cents) in enumerate(tiers.items())
    )
    game = GAMES[known["game"]].chapter.title if known["game"] in GAMES else known["game"]
    letter = "" if known["letter"] == "-" else f", pay table {known['letter']}"
    tables = [f'<a href="/table/{escape(t)}">{escape(t)}</a>' if links else escape(t) for t in known["tables"]]
    where = f"Played at {', '.join(tables)}" if tables else "No open table is linked"
    return (
        f'<section class="mt-meter" aria-label="Meter {escape(meter)}"><div>'
        f"<h2>{escape(meter_title(meter, known['name']))}</h2>"
        f'<div class="mt-game">{escape(game)} · {escape(known["name"].replace("_", " "))}{escape(letter)}</div></div>'
        f'{shown}<div class="mt-foot"><span>{where}</span><span>{_jackpot_html(jackpot)}</span></div></section>'
    )


def _jackpot_html(jackpot: LastJackpot | None) -> str:
    if jackpot is None:
        return "Nothing paid yet"
    when = shown_time(jackpot.at)[:16].replace("T", " ")
    again = ", meter started again" if jackpot.whole else ""
    return (
        f"Last paid <strong>{show_dollars(jackpot.amount)}</strong> at {escape(jackpot.table)}, round "
        f"{jackpot.round}, {when} UTC{again}"
    )


def meter_title(meter: str, name: str) -> str:
    """A table's own meter is known by its wager and the table; a linked one by the name it was given.

    >>> meter_title("pit-1-grand_meter", "grand_meter"), meter_title("wide-area", "grand_meter")
    ('Grand meter, pit-1', 'Wide area')
    """
    own = meter.removesuffix(f"-{name}")
    if own != meter:
        return f"{name.replace('_', ' ').capitalize()}, {own}"
    return meter.replace("-", " ").replace("_", " ").capitalize()


def board_order(meters: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Meters that can be played for now come first, the largest before the others."""
    return sorted(
        meters, key=lambda meter: (not meters[meter]["tables"], -max(meters[meter]["amounts"].values()), meter)
    )


def columns(count: int) -> int:
    """How many meters stand side by side on a wall screen.

    >>> [columns(count) for count in (1, 2, 4, 5, 9, 10, 16)]
    [1, 2, 2, 3, 3, 4, 4]
    """
    return 1 if count <= 1 else 2 if count <= 4 else 3 if count <= 9 else 4
