"""Any game, step by step: an immutable state that says who is asked, what may be chosen, what is seen and what it paid.

An *action* is a text: the name of a choice (``"play"``, ``"raise 4x"``), with the places of the cards given up where
cards are exchanged (``"exchange 1 3"``). A state that begins with betting also knows ``"bet NAME"`` and ``"deal"``.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from random import Random, SystemRandom

from pitboss.cards import Card, ShuffleSource
from pitboss.findings import Finding, FindingsError, PitbossError, UnknownName, UnreadableError
from pitboss.games.course import Choice, Sight
from pitboss.games.deal import Dealing
from pitboss.games.registry import GAMES
from pitboss.games.round import Decision, Round, Seat
from pitboss.games.rules import Rules, check_rules
from pitboss.games.settle import Displayed, settle, verify_stakes
from pitboss.games.settlement import Settlement
from pitboss.games.walk import RoundState, chance, plain_wagers, rolls, start
from pitboss.law.model import Face
from pitboss.money import Cents
from pitboss.names import listed
from pitboss.public import public
from pitboss.records import Fixed, Frozen, kept
from pitboss.spoken import spelled

DEAL, BET = "deal", "bet "
Wagers = Mapping[str, Cents] | Mapping[int, Mapping[str, Cents]]
"""What is wagered at every seat, by wager, in cents; or by seat."""


@dataclass(frozen=True)
class State(Frozen):
    """A round of any game in play. It never changes: ``apply`` gives the next one, so keeping a state is a copy of it.

    >>> import pitboss
    >>> state = pitboss.play(pitboss.rules(pitboss.game_names()[0], "2024-06-01"), seed=1)
    >>> state.current_seat, state.legal_actions()
    (1, ('play', 'fold'))
    >>> state.apply("fold").is_over
    True
    """

    rules: Rules
    wagers: Mapping[int, Mapping[str, Cents]]
    """What lies on the layout before the cards, by seat; of a state that begins with betting, so far."""
    source: tuple[Card, ...] | tuple[Face, ...]
    """What chance holds for the round: the shuffled deck, the dice or the ball. No player may look at it."""
    round: RoundState | None = None
    """Once the cards lie or the dice have been read."""
    betting: int | None = None
    """The seat that places its wagers, while the state is still at that."""

    @property
    def current_seat(self) -> int | None:
        """The seat that acts next; none when the round is over."""
        if self.round is None:
            return self.betting
        return None if (asked := self.round.asked) is None else asked[0]

    @property
    def step(self) -> str | None:
        """The step of the course at which the seat is asked; none when the round is over."""
        if self.round is None:
            return "bets"
        return None if (asked := self.round.asked) is None else asked[1]

    @property
    def is_over(self) -> bool:
        """Whether everybody has chosen, so that the round can be settled."""
        return self.round is not None and self.round.is_over

    def legal_actions(self) -> tuple[str, ...]:
        """What the seat that is asked may do; nothing when the round is over."""
        return kept(self, "actions", lambda: self._bets() if self.round is None else tuple(self._actions()))

    def _bets(self) -> tuple[str, ...]:
        """Wagers that may still be made, and whether enough are."""
        seat, names = self.betting or 0, self.rules.names_at(self.betting or 0)
        made = self.wagers.get(seat, {})
        main = {name: _stake(self.rules, name) for name in GAMES[self.rules.game].course.main if name in names}
        stakes = {name: {**main, **made, name: _stake(self.rules, name)} for name in names if name not in made}
        bets = tuple(f"{BET}{name}" for name, placed in stakes.items() if not self._against(placed))
        return (*bets, DEAL) if made and not self._against(made) else bets

    def _against(self, made: Mapping[str, Cents]) -> tuple[Finding, ...]:
        others = {number: each or plain_wagers(self.rules) for number, each in self.wagers.items()}
        return _stake_findings(self.rules, {**others, self.betting or 0: made}, self.source)

    def _actions(self) -> dict[str, Decision]:
        """The decision behind each action."""
        assert self.round is not None
        choices = [choice for option in self.round.options for choice in option.choices()]
        actions = (action for choice in choices for action in _decisions(choice, self.round.sight))
        return {name: decision for name, decision in actions if not self.round.findings(decision)}

    @public
    def apply(self, action: str | Decision) -> "State":
        """The state after the seat that is asked has acted: by name, or by a decision of any lawful amount."""
        if self.round is None:
            return self._place(str(action))
        if self.round.is_over:
            raise PitbossError("The round is over: no seat has a decision left.")
        if isinstance(action, Decision):
            if findings := self.round.findings(action):
                raise FindingsError(findings)
            return replace(self, round=self.round.apply(action))
        known = self._actions()
        if action not in known:
            raise UnknownName(f"{action!r} is not open to seat {self.current_seat} now; {listed(known)} may be chosen.")
        return replace(self, round=self.round.apply(known[action]))

    def _place(self, action: str) -> "State":
        seat = self.betting or 0
        if action not in (known := self.legal_actions()):
            raise UnknownName(f"{action!r} is not open to seat {seat} now; {listed(known)} may be chosen.")
        if action != DEAL:
            name = action.removeprefix(BET)
            placed = {**self.wagers.get(seat, {}), name: _stake(self.rules, name)}
            first = (*GAMES[self.rules.game].course.main, *self.rules.names_at(seat))
            made = {each: placed[each] for each in dict.fromkeys(first) if each in placed}
            return replace(self, wagers=Fixed({**self.wagers, seat: Fixed(made)}))
        waiting = [number for number in sorted(self.wagers) if number > seat]
        if waiting:
            return replace(self, betting=waiting[0])
        return replace(self, round=start(self.rules, self.wagers, self.source), betting=None)

    @public
    def observation(self, seat: int | None = None) -> Sight:
        """What a seat may look at, by default the one that is asked: their cards, those face up, their choices so far.

        When the round is over every card that was turned up is seen.
        """
        number = self.current_seat if seat is None else seat
        if number is None:
            number = min(self.wagers)
        if number not in self.wagers:
            raise UnknownName(
                f"Nobody plays at seat {number!r}; the seats are {listed(map(str, sorted(self.wagers)))}."
            )
        if self.round is None:
            return Sight(())
        played = self.round.played
        mine = played.seat(number)
        assert mine is not None, "a seat with wagers plays"
        game = self.round.game
        step = next((each for each in game.course.decides if each.name == self.step), None)
        if step is not None:
            return game.sight(self.rules, played, mine, step)
        up = (*played.dealer, *(card for cards in played.extras.values() for card in cards))
        return Sight(mine.final_cards, up, mine.stake(game.course.unit), mine.decisions, played.dice)

    @property
    def played(self) -> Round:
        """The current round, with every card: what ``pitboss.settle`` takes. No player may look at it."""
        if self.round is None:
            raise PitbossError(f"Nothing has been dealt: seat {self.betting} places its wagers.")
        return self.round.played

    @property
    def dealing(self) -> Dealing:
        """How the cards left the deck; nothing where dice or a wheel are played with."""
        return (self.round and self.round.dealing) or Dealing([])

    @property
    def settlement(self) -> Settlement:
        """The finished round, settled in the order of the law, on meters at their seeds."""
        return self.settled()

    @public
    def settled(self, displayed: Displayed | None = None) -> Settlement:
        """The finished round on meters that show these amounts, by meter and jackpot, in cents."""
        if self.round is None or not self.round.is_over:
            raise PitbossError(f"The round isn't over: seat {self.current_seat} must decide.")
        found = settle(self.rules, self.played, displayed)
        if found.findings:
            raise FindingsError(found.findings)
        return found

    def returns(self) -> dict[int, Cents]:
        """What each seat gained or lost, in cents; nothing moves for a wager that lives on."""
        totals = self.settlement.totals
        return {seat: totals.get(seat, 0) for seat in sorted(self.wagers)}

    def plain_action(self) -> str | Decision:
        """What a plain player does who is asked now."""
        if self.round is not None:
            return GAMES[self.rules.game].plain_decision(self.rules, self.observation())
        wanted = (f"{BET}{name}" for name in plain_wagers(self.rules))
        return next((bet for bet in wanted if bet in self.legal_actions()), DEAL)

    @public
    def finish(self, strategy: Callable[[Sight], str | Decision] | None = None) -> "State":
        """The round played out by a strategy that is asked for every seat, by default the game's plain one."""
        state = self
        while not state.is_over:
            plain = strategy is None or state.round is None
            state = state.apply(state.plain_action() if plain or strategy is None else strategy(state.observation()))
        return state

    def __repr__(self) -> str:
        now = (
            "over" if self.is_over else f"seat {self.current_seat}, {self.step}: {', '.join(self.legal_actions()[:5])}"
        )
        return f"<State: {self.rules.chapter.title}, {now}>"


def _stake_findings(
    rules: Rules, wagers: Mapping[int, Mapping[str, Cents]], source: tuple[Card, ...] | tuple[Face, ...]
) -> tuple[Finding, ...]:
    """What the law has against wagers before the cards."""
    seats = tuple(Seat(number, (), made) for number, made in wagers.items())
    return verify_stakes(rules, Round((), seats, dice=tuple(source) if rolls(GAMES[rules.game]) else ()))


def _stake(rules: Rules, name: str) -> Cents:
    """A plain stake of one wager within its limits."""
    if (known := plain_wagers(rules).get(name)) is not None:
        return known
    wager = rules.wager_named(name)
    assert wager is not None, "a name that the rules list"
    limits = rules.limits(wager.name)
    plain = 1000 if wager.role in ("unit", "required") else 500
    return rules.choices.amounts.get(wager.name) or min(max(plain, limits.minimum), limits.maximum)


def _decisions(choice: Choice, sight: Sight) -> Iterator[tuple[str, Decision]]:
    """The actions of a choice: one, or one for each set of cards that it may give up."""
    decision, draws = choice.decision(sight.stake), choice.option.draws
    if draws is None or not draws.discards:
        yield choice.name, decision
        return
    for count in range(draws.least, draws.most + 1):
        for places in combinations(range(len(sight.cards)), count):
            gone = tuple(sight.cards[place] for place in places)
            yield f"{choice.name} {' '.join(str(place + 1) for place in places)}", replace(decision, discard=gone)


@public
def play(
    rules: Rules,
    seed: int | None = None,
    *,
    wagers: Wagers | None = None,
    seats: int | None = None,
    betting: bool = False,
    rng: ShuffleSource | None = None,
) -> State:
    """Begin a round of any game: the cards are shuffled by the seed, or by a generator, and dealt.

    Without ``wagers`` every seat makes the game's plain ones. Without ``seats`` as few play as the law lets play. With
    ``betting`` the seats place their wagers by actions.
    """
    check_rules(rules)
    if seats is not None and (not isinstance(seats, int) or not 1 <= seats <= rules.seats):
        raise UnreadableError(f"This table has seats 1 to {rules.seats}; {seats!r} cannot play.")
    source = tuple(chance(rules, rng or (SystemRandom() if seed is None else Random(seed))))
    given = plain_wagers(rules) if wagers is None else wagers
    made = placed(rules, given, seats or 1)
    if seats is None:
        several = (placed(rules, given, number) for number in range(1, rules.seats + 1))
        made = next((each for each in several if not _stake_findings(rules, each, source)), made)
    if betting:
        return State(rules, Fixed(dict.fromkeys(made, Fixed())), source, betting=1)
    if findings := _stake_findings(rules, made, source):
        raise FindingsError(findings)
    return State(rules, Fixed(made), source, start(rules, made, source))


def placed(rules: Rules, wagers: Wagers, seats: int) -> dict[int, Fixed[str, Cents]]:
    """Wagers by seat, if all of them are wagers of the table and whole sums."""
    if not isinstance(wagers, Mapping) or not wagers:
        raise UnreadableError(f"Wagers are given by name in cents, or by seat, not {wagers!r}.")
    found: dict[int, Fixed[str, Cents]] = {}
    for key, given in wagers.items():
        for number in (key,) if isinstance(given, Mapping) else range(1, seats + 1):
            if not isinstance(number, int) or not 1 <= number <= rules.seats:
                raise UnreadableError(f"This table has seats 1 to {rules.seats}; {number!r} is none of them.")
            words = given if isinstance(given, Mapping) else {str(key): given}
            made = {spelled(str(name)): stake for name, stake in words.items()}
            found[number] = Fixed({**found.get(number, {}), **made})
    for name, stake in (each for made in found.values() for each in made.items()):
        if rules.wager_named(name) is None:
            known = listed(wager.name for wager in rules.wagers.values())
            raise UnknownName(f"{rules.chapter.title} has no wager {name!r} here; there are {known}.")
        if isinstance(stake, bool) or not isinstance(stake, int):
            raise UnreadableError(f"A stake is a whole number of cents, not {stake!r}.")
    return dict(sorted(found.items()))
