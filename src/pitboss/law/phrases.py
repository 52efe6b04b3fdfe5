"""The words by which a paragraph states a figure or names a thing, so that the lint can find it in the text.

A pattern captures the number, in digits or in words. One that captures nothing states "equal to", that is one.
"""

import re
from collections.abc import Mapping

NUMBERS: Mapping[str, int] = {
    word: number
    for number, word in enumerate(
        ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"],
    )
} | {"twice": 2, "1/2": 2}
"""Half of the other wager is written here as the other wager's being at most twice this one."""

FIGURES: Mapping[str, str] = {
    "seats": r"no more than (\w+) players",
    "decks": r"shall be played with (\w+) deck",
    "decks_with_shuffler": r"may be played with (\w+) decks",
    "deck_change_hours_hand": r"(\w+) hours if the cards are dealt by hand",
    "deck_change_hours_shoe": r"(\w+) hours if the cards are dealt from a manual or automated",
    "cut_depth": r"at least (\w+) cards in from the top",
    "stub_count_rounds": r"at least once (?:after )?every (\w+) rounds",
    "player_cards": r"(?:(?:until|after) each player.*? ha(?:s|ve)|the player's) (\w+) cards",
    "community_cards": r"the (\w+) community cards",
    "river_antes": r"Play Wager equal in amount to the player's Ante Wager",
    "downs": r"for the next (\w+) spins \(downs\)",
    "dice": r"secure the (\w+) dice",
    "third_street_least_antes": r"3rd Street Wager in an amount equal to (\w+), \w+ or \w+ times",
    "third_street_most_antes": r"3rd Street Wager in an amount equal to \w+, \w+ or (\w+) times",
    "fourth_street_least_antes": r"4th Street Wager in an amount equal to (\w+), \w+ or \w+ times",
    "fourth_street_most_antes": r"4th Street Wager in an amount equal to \w+, \w+ or (\w+) times",
    "fifth_street_least_antes": r"5th Street Wager in an amount equal to (\w+), \w+ or \w+ times",
    "flop_antes": r"Flop Wager equal to (\w+) the amount of the player's Ante",
    "fifth_street_most_antes": r"5th Street Wager in an amount equal to \w+, \w+ or (\w+) times",
    "dealer_cards": r"(?:the dealer ha(?:s|ve)|deliver a stack of) (\w+) cards",
    "play_least_antes": r"from (\w+) to \w+ times the amount of the player's Ante",
    "play_most_antes": r"(?:from \w+ to|up to) (\w+) times the (?:amount of the )?player's Ante",
    "play_antes": r"in an amount equal to the player's Ante Wager",
    "version_1_pair_plus_most_antes": r"Ante Wager in an amount equal to or greater than the Pair Plus",
    "version_2_pair_plus_most_antes": r"Ante Wager in an amount equal to at least (\S+) the Pair Plus",
    "version_3_ratio_most": r"a maximum of (\w+) times the amount of the other wager",
    "mini_royal_least_ante_bonus": r"subsection \(b\), a mini-royal .*? no less than (\w+) to 1",
    "mini_royal_least_pair_plus": r"subsection \(d\), a mini-royal .*? no less than (\w+) to 1",
    "adjacent_boxes": r"may not wager on more than (\w+) player position",
    "super_least_antes": r"Super Wager on the player's hand equal to or greater than the player's Ante",
    "bet_antes": r"Bet Wager equal to (\w+) the amount of the player's Ante",
    "options_fee_antes": r"Options fee, equal to the player's Ante",
    "exchange_least": r"discard between (\w+) and \w+ cards",
    "exchange_most": r"discard between \w+ and (\w+) cards",
    "raise_most_antes_below_aces": r"shall be equal to the player's Ante Wager if player's hand is a pair of kings",
    "raise_most_antes": r"may be equal to one, two or (\w+) times the player's Ante",
    "payout_limit": r"payout limit on .*? shall be \$([\d,]+)",
    "payout_limit_least": r"(?:may not be less than|shall be at least) \$([\d,]+)",
}
ROWS: Mapping[str, str] = {
    "win": r"shall pay (?:each )?winning .*? at odds of (\d+ to \d+)",
    "any": r"Ante Wager shall be paid at odds of (\d+ to \d+) provided",
    "straight_or_higher": r"straight or higher, the player's Ante Wager shall be paid at odds of (\d+ to \d+)",
    "one_die": r"only one of the dice show .*? shall be paid at (\d+ to \d+)",
    "two_dice": r"two of the dice show .*? shall be paid at (\d+ to \d+)",
    "three_dice": r"Paytable <letter> in subsection \(a\), .*? shall be paid at (\d+ to \d+)",
}
"""Pay table rows that stand in a sentence; ``<letter>`` is that of the table."""
PLACES: Mapping[str, str] = {
    "community": r"(?:an additional|deal the) (\w+) (?:community )?cards",
    "six_card_bonus_cards": r"(?:deal|the top|next stack of) (\w+) cards(?:, face down,| of the stack| dispensed)",
    "six_card_bonus_card": r"deal (?:(one) card|the (?:next|top) card)",
    "pair_bonus_card": r"may deal (one) community card",
    "all_six_card": r"deal the (?:first|top) card",
}
"""Cards dealt to places of their own, in the section of the deal."""
DEVICES: Mapping[str, str] = {
    "manual-shoe": "from a manual dealing shoe",
    "hand": "from the hand",
    "automated-shoe": "from an automated dealing shoe",
    "shaker": "a Sic Bo shaker",
    "automated-shaker": "automated Sic Bo shaker",
    "open-automated-shaker": "automated Sic Bo shaker without an opaque cover",
    "double-zero-as-single": "double zero wheel being used as a single zero wheel",
    "player-activated-shaker": "player-activated Sic Bo shaker",
}
"""How the heading of a dealing section, or the paragraph of a shaker, names the device."""
LAYOUT: Mapping[str, str] = {
    "certificate_holder": "name or logo of the certificate holder",
    "progressive": "area designated for the placement of the Progressive Payout Wager",
    "five_of_six_progressive": "area designated for the placement of the 5 of 6 Progressive Payout Wager",
    "electronic_wagering_system": "must contain an electronic wagering system",
    "six_card_bonus_card": "area on the layout for the (?:additional )?Six Card Bonus card",
    "six_card_bonus_cards": "area on the layout for the (?:four )?Six Card Bonus card",
    "street_multiples": "3rd Street, 4th Street or 5th Street Wager as a multiple of the player's Ante",
    "all_six_card": "area of the layout designated for the All-Six Bonus card|All-Six Bonus",
    "payout_odds": "Inscriptions that advise patrons of the payout odds|may list its payouts odds",
    "progressive_wagering_device": "A wagering device at each betting position",
    "progressive_lock_out": "A device that controls or monitors",
    "electronic_lock_out": "mechanism, such as a lockout button",
    "dealer_qualification": "Dealer Plays with Queen High or Better",
    "dealer_qualifies": "Dealer plays with an ace-king or higher|dealer qualifies with a king or better",
    "best_four_cards": "best four-card hand plays",
    "ante_push": "An Ante Wager will push if the dealer has less than a pair",
    "blind_push": "A Blind Wager will push if the player's winning hand is not a straight or better",
    "play_multiples": "required amount of a Play Wager as a multiple",
    "triple_play": "pair of aces or better may place a Play Wager in an amount up to three times",
    "super_bonus_returned": "Super Bonus Wager shall be returned if the player beats or ties the dealer",
    "instant_payout": "Instant payout for a royal flush or straight flush",
    "rules_sign": "a sign which sets forth the required information",
    "ante_returned": "Ante Wager will be returned if the player's winning hand is not",
    "payout_limit": "inscriptions? (?:that advise patrons of|indicating) the payout limit|The payout limit per hand",
    "options": "placement of the player's Options fees",
    "options_exchange": "Exchange 2-5 cards",
    "options_buy": "Buy a 6th Card",
    "single_zero_notice": "Notice shall be provided that the double zero wheel",
    "super_on_dealer": "Super Wager on the dealer's hand",
    "super_on_seat": "on any other player's hand",
}
"""Areas and inscriptions that are not simply the area of a wager."""
CHOICES: Mapping[str, str] = {
    "linked": "multiple linked (?:tables|games)",
    "pair_bonus_community": "elects to utilize one Pair Bonus community card",
    "four_card_stacks": "may distribute four cards to each player and the dealer",
    "decks": "two decks|2 decks",
    "adjacent_boxes": "number of adjacent boxes",
    "paytable": "selected by the certificate holder",
    "magic_card": "may pay a Magic Card or Lucky Bonus",
    "lucky_bonus": "may pay a Magic Card or Lucky Bonus",
    "version": "may offer a version of Three Card Poker",
    "ante_bonus_version": r"version of Three Card Poker as described in § 649a\.7\(e\)",
    "mini_royal": "may include a payout for a mini-royal flush",
    "payout_limit": "may(?:, .*,)? establish (?:an aggregate payout limit|.*a maximum amount that is payable)",
    "dealing": "the shaker selected by the certificate holder|double zero wheel being used as a single zero wheel",
    "automated": "fully automated electronic gaming table",
    "odds_wording": "as either ''to 1'' or ''1 wins",
    "super_on_others": "Super Wager on the dealer's hand and any other player's hand",
}

ACTS: Mapping[str, str] = {
    "activate-shaker": "a selected player if utilizing a player-activated shaker",
    "alternate-decks-every-round": "continuously alternated",
    "announce-all-decisions-locked-in": "the dealer shall announce .all decisions are locked in",
    "announce-no-spin": "announce .*no spin",
    "announce-no-more-bets": "announce .no more bets",
    "ask-flop-wager-or-fold-clockwise-from-left": "clockwise .*ask each player .*Flop Wager",
    "ask-fold-or-bet": "fold and forfeit .* or place a Bet Wager",
    "ask-play-or-check-after-the-flop": "check .*twice the amount of the player's Ante",
    "ask-play-or-check-before-the-flop": "check .*three or four times the amount of the player's Ante",
    "ask-play-or-fold-clockwise-from-left": "ask each player .*Play Wager",
    "ask-raise-or-fold-clockwise-from-dealers-left": "ask each player .*Raise Wager",
    "ask-street-wager-or-fold": "either place a (?:4th|5th) Street Wager",
    "ask-street-wager-or-fold-clockwise-from-left": "clockwise .*ask each player .*3rd Street Wager",
    "card-drawn-in-error": "drawn in error",
    "card-face-up-in-shoe": "found face up",
    "check-shuffler-count": "counts the number of cards in the deck after .*shall be removed",
    "clear-what-is-marked": "clear the previously illuminated winning combinations",
    "collect-ante-and-discard-folded-hand": "shall collect the (?:player's )?Ante Wager",
    "collect-ante-and-odds-and-discard-hand": "shall collect the player's Ante and Odds Wagers",
    "collect-cards-in-reconstructable-order": "reconstruction of each hand",
    "collect-cards-of-folded-hand": "shall immediately collect the player's cards",
    "collect-fee-before-draw": "shall collect the Options fee",
    "collect-folded-wagers-cards-stay-with-optional-wagers": "If a player folds, the Ante .*cards shall be left on the",
    "collect-forfeited-wagers-and-cards": "forfeit",
    "collect-wagers-of-folded-hand": "Folds, the .* shall be collected by the dealer",
    "community-card-exposed": "community cards are inadvertently exposed",
    "count-deck-every-five-rounds": "shall count the cards at least once",
    "count-stub-every-five-rounds": "shall count the stub at least once",
    "credit-game-account": "Credit the player's game account",
    "cut-required": "shuffled manually or were preshuffled",
    "deal-card-bought": "buy the sixth card",
    "deal-four-cards-from-reshuffling-shoe": "may distribute four cards to each player and the dealer",
    "deal-without-cut": "If the cards were shuffled using an automated",
    "dealer-card-exposed": "dealer's cards .*exposed prior to",
    "dealer-stacks-first-allowed": "dealer's six cards may be dispensed before",
    "deck-count-correct": "That 52 cards are in the deck",
    "deck-count-wrong": "That 52 cards are not in the deck",
    "declare-super-or-instant-payout-hand": "shall declare the winning hand",
    "device-out-of-order": "malfunctions and cannot be used",
    "discard-hand-when-dealer-does-not-qualify": "Does not qualify",
    "expose-all-six-card": "All-Six Bonus",
    "expose-community-cards": "expose the two additional community cards",
    "fourth-card-aside-with-pair-bonus": "who placed a Pair Bonus Wager shall be moved off the top",
    "fourth-card-to-discard-rack": "who did not place a Pair Bonus Wager and to the dealer shall be collected",
    "insert-cover-card-and-move-top-to-bottom": "place (?:a|the) cover card",
    "inspect-cards-verified-by-floorperson": "inspect the cards for any defects",
    "keep-cards-of-folded-hand-for-envy-bonus": "shall remain face down on the table pending resolution of the Envy",
    "keep-cards-of-folded-hand-for-five-card-hand": "face down on the table pending resolution of the Five Card Hand",
    "keep-cards-of-folded-hand-under-its-wager": "cards of the player face down underneath",
    "keep-cards-of-folded-hand-with-six-card-bonus": "cards shall remain on the layout until the optional wager",
    "no-decision-changed-once-locked-in": "may not amend his decision",
    "no-wager-changed-after-no-more-bets": "may not be made, increased or withdrawn",
    "one-deck-in-discard-rack": "only one deck are placed",
    "open-each-of-two-decks": "two decks of cards are received",
    "order-recut-before-deal": "require the cards to be recut",
    "pay-outside-game-account-cards-stay-until-documented": "may not be paid to the player's game account",
    "pay-outside-table-inventory-cards-stay-until-documented": "may not be paid from the table inventory",
    "place-deck-in-shoe": "placed in the (?:automated )?dealing shoe",
    "place-play-wager-in-its-area": "shall be placed in the area designated for the Play Wager",
    "post-single-zero-notice": "Notice shall be provided that the double zero wheel",
    "refuse-verbal-wagers-with-cash": "Verbal wagers",
    "replace-discards-from-deck": "elects to exchange cards",
    "reveal-dealer-hand": "shall reveal the dealer's cards",
    "reveal-pair-bonus-card": "shall reveal the fourth card dealt to the player",
    "reveal-six-card-bonus-cards": "shall reveal the .*Six Card Bonus card",
    "seated-players-only": "Only players who are seated|leaves the table during",
    "settle-in-turn": "farthest to the dealer's right|forfeited",
    "set-in-motion-after-no-more-bets": "announces .no more bets.*activate the automated dice shaker",
    "shoe-jam": "automated dealing shoe is being used and the device jams",
    "shuffle-before-play-and-after-each-round": "prior to commencement of play",
    "shuffle-other-deck-during-play": "shuffled and stored",
    "shuffler-jam": "shuffling device is being used and the device jams",
    "shuffler-required-for-dealing-from-hand": "shuffling device shall be used to shuffle",
    "skip-opening-inspection": "preinspected",
    "spread-cards-at-idle-table": "no gaming activity",
    "spread-face-up-by-suit": "spread out face up",
    "stub-count-correct": "count of the stub indicates that 52 cards",
    "stub-count-wrong": "number of cards in the deck is incorrect",
    "stub-to-discard-rack": "place the (?:stub|cards|remaining cards) in the discard rack",
    "submit-layout-for-approval": "shall be submitted to the Bureau",
    "turn-player-cards-face-up": "turn the three cards of each player",
    "turn-player-hand-face-up-and-compare": "turn the cards of each player face up",
    "turn-up-community-card": "turn over and reveal the (?:first|second|third) community card",
    "turn-up-final-two-community-cards": "After the final two community cards have been dealt",
    "turn-up-flop": "three-card Flop",
    "two-decks-same-design-different-backs": "of the same design",
    "use-approved-automated-shaker": "automated Sic Bo shaker, approved by the Bureau",
    "use-approved-reshuffling-shoe": "automatically reshuffles and counts",
    "use-approved-device": "played with a Sic Bo shaker approved",
    "validate-progressive-payout": "validate the progressive payout",
    "verify-five-card-hand-large-payout": "verify any Five Card Hand Bonus payout",
    "verify-five-card-hand-winning-hand": "Verify that the hand is a winning hand",
    "verify-instant-payout-and-discard-hand": "eligible for an instant payout",
    "verify-progressive-light": "appropriate light",
    "verify-progressive-winning-hand": "Verify that the hand is a winning hand",
    "verify-super-winning-hand": "declared a winning Super Wager",
    "wagers-before-shaking": "all wagers shall be placed prior to the shaker being activated",
    "wash-and-stack-after-first-player": "washing of the cards",
    "wrong-number-of-cards": "dealt an incorrect number of cards",
}
"""What a prescribed act is called in its paragraph."""


def number(text: str) -> int | None:
    """A number as the law writes it.

    >>> number("Seven"), number("50,000"), number("twice"), number("many")
    (7, 50000, 2, None)
    """
    plain = text.lower().replace(",", "")
    return int(plain) if plain.isdigit() else NUMBERS.get(plain)


def titled(title: str) -> re.Pattern[str]:
    """Finds a wager by its title, also where the law runs several together: "Ante, Play and Aces Up Wagers"."""
    head, _, tail = title.partition(" on ")
    name = re.escape(head.removesuffix(" Wager"))
    # Nothing capitalised may stand before it: "Progressive Payout Wager" is not the "Five-Card Progressive ..." one.
    before = r"(?:^|(?:All|An?) |[(,]\s?|(?<![A-Z0-9])\b[a-z]+,? )"
    also = r"(?:,? (?:and |or )?[A-Z][\w-]*(?: Up| Plus)?)*"
    whose = (
        r".*?\b" + re.escape(tail.replace("another", "other").replace("own ", "").removeprefix("the ")) if tail else ""
    )
    return re.compile(rf"{before}{name}{also} Wagers?{whose}", re.S)
