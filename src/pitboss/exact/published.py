"""Published figures to stand beside ours. Each is a witness, not the truth: some contradict each other."""

from collections.abc import Mapping

from pitboss.games.structure import PRINTED

Key = tuple[str, str, str, str]
"""Game, wager, pay table, reading; an asterisk stands for any."""

PUBLISHED: Mapping[Key, str] = {
    ("three-card-poker", "main", "A", PRINTED): "HE 3.37 %, EoR 2.01 %, SD 1.64 (Wizard of Odds)",
    ("three-card-poker", "main", "B", PRINTED): "EoR 2.16 % (poker-corner)",
    ("three-card-poker", "pair_plus", "A", PRINTED): "4.58 %",
    ("three-card-poker", "pair_plus", "B", PRINTED): "5.57 %",
    ("three-card-poker", "pair_plus", "C", PRINTED): "7.28 %",
    ("three-card-poker", "pair_plus", "D", PRINTED): "2.32 %",
    ("three-card-poker", "pair_plus", "E", PRINTED): "3.49 %",
    ("three-card-poker", "six_card_bonus", "A", PRINTED): "10.23 % (table-games-online)",
    ("four-card-poker", "main", "-", PRINTED): "HE 2.79 %, EoR 1.30 % (Wizard of Odds)",
    ("four-card-poker", "main", "-", "ante-bonus-unless-beaten"): "about 2.9 % (Grosjean; Jacobson)",
    ("four-card-poker", "bad_beat", "A", PRINTED): "19.5 % (Wizard of Vegas); 20.3 % (Shuffle Master)",
    ("four-card-poker", "aces_up", "*", PRINTED): "1.98 % to 6.15 % over seven tables (Wizard of Odds)",
    ("four-card-frenzy", "main", "*", PRINTED): "1.19 % to 1.67 % of required wagers (rulemaking)",
    ("four-card-frenzy", "prime", "*", PRINTED): "4.74 % to 9.8 % (rulemaking)",
    ("four-card-frenzy", "four_card_bonus", "*", "hold-consistent"): "1.7 % to 7.23 % (rulemaking)",
    ("four-card-frenzy", "all_six", "*", PRINTED): "6.74 % to 18.1 % (rulemaking)",
}

APPROVED_HOLDS: Mapping[tuple[str, str], tuple[float, float, str]] = {
    ("four-card-frenzy", "main"): (1.19, 1.67, "required wagers"),
    ("four-card-frenzy", "prime"): (4.74, 9.8, "wager"),
    ("four-card-frenzy", "four_card_bonus"): (1.7, 7.23, "wager"),
    ("four-card-frenzy", "all_six"): (6.74, 18.1, "wager"),
}
"""Percentages that the preamble of the 2019 rulemaking states as approved, and what they are a share of."""


def published(game: str, wager: str, paytable: str, reading: str) -> str | None:
    """What others have printed about a row, if anything."""
    for letter in (paytable, "*"):
        for name in (reading, "*"):
            if (game, wager, letter, name) in PUBLISHED:
                return PUBLISHED[game, wager, letter, name]
    return None


def outside_approved(game: str, wager: str, hold: float) -> str | None:
    """The approved range, if the rulemaking states one and a hold (as a share) falls outside it as printed there."""
    if (game, wager) not in APPROVED_HOLDS:
        return None
    least, most, denominator = APPROVED_HOLDS[game, wager]
    # The preamble prints two or three digits, rounded or cut off.
    inside = least - 0.01 < 100 * hold < most + 0.01
    return None if inside else f"{least} % to {most} % of {denominator}"
