"""Roulette, 58 Pa. Code Chapter 617a. A ball in a wheel; every wager is on the numbers it covers."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated

from pitboss.games.chance import RED, thrown
from pitboss.games.contract import Game, Lines
from pitboss.games.course import Bets, Course, Decide, Option, Roll, Settle, Sight, posts
from pitboss.games.facts import Followed, Rolled
from pitboss.games.round import Decision
from pitboss.games.rules import Rules
from pitboss.games.settlement import Pay, lives_on, lose, win
from pitboss.law.loader import chapter
from pitboss.law.model import Face

Numbers = frozenset[Face]
TABLE = "roulette"
POCKETS: tuple[Face, ...] = ("00", *range(37))
SPOTS = (
    "under_way", "lost", "touchdown", "yards_1_10", "yards_11_20", "yards_21_30", "yards_31_40", "yards_41_49", "tie",
    "losing_team",
)  # fmt: skip
"""Where a Touchdown game may stand: rows of 617a.4(d), lost on its first spin, or not over."""
WIDTH, HALF = 3, 18
"""Numbers of a street, and of the wagers that cover half of 1 to 36."""
AS_SINGLE, ZERO = "double-zero-as-single", "617a.4(c)(3)"
"""The wheel for which it is printed that those wagers lose on zero, and where."""


ADJACENT, TOUCHDOWN, TEAM = "five_adjacent", "touchdown", "team"
TEAMS = (Option("red"), Option("black"))
ZEROS = (0, "00")
FIELD = 50
"""Yards from the middle of the field to either end zone."""
YARDS = ((10, "yards_1_10"), (20, "yards_11_20"), (30, "yards_21_30"), (36, "yards_31_36"))
"""The figure of the yards by which a number moves the football, up to each of these."""
ROWS = tuple(zip((0, 10, 20, 30, 40, 49, 50), SPOTS[2:], strict=False))
"""The row that is paid for a spot up to so many yards from the end zone of the chosen team."""
THE_NUMBER, AGAIN, LEFT = "yards-are-the-number", "zero-is-spun-again", "end-zone-can-be-left"
"""Other readings of 617a.3(f)(2): how far the football moves, what zero is, and whether an end zone keeps it."""


@dataclass(frozen=True)
class Drive:
    """A Touchdown game: spins since the wager was made, and where the football lies; 0 is the 50 yard line."""

    begun: bool = False
    lost: bool = False
    downs: int = 0
    yards: int = 0
    """Toward the end zone of the red team; of the black team below 0."""
    over: bool = False


def down(rules: Rules, drive: Drive, face: Face) -> Drive | None:
    """617a.3(f): the first spin loses or begins the game, the next four move the football."""
    if drive.lost or drive.over:
        return drive
    if not drive.begun:
        return Drive(begun=True) if face in ZEROS else Drive(lost=True)
    reading = rules.reading(TOUCHDOWN)
    if face in ZEROS and reading == AGAIN:
        return None
    downs, yards = drive.downs + 1, drive.yards
    if face not in ZEROS and (abs(yards) < FIELD or reading == LEFT):
        toward = 1 if face in RED else -1
        yards = max(-FIELD, min(FIELD, yards + toward * moved(rules, int(face))))
    return Drive(begun=True, downs=downs, yards=yards, over=downs == rules.figure("downs"))


def moved(rules: Rules, number: int) -> int:
    """How many yards a number moves the football."""
    if rules.reading(TOUCHDOWN) == THE_NUMBER:
        return number
    return rules.figure(next(figure for most, figure in YARDS if number <= most))


def spot(drive: Drive, choices: Mapping[str, str]) -> str:
    """Where the football lies for the team that was chosen, as 617a.4(d) names it; both teams are worth the same, so a
    count takes the red one."""
    if drive.lost:
        return "lost"
    if not drive.over:
        return "under_way"
    gained = -drive.yards if choices.get(TEAM) == "black" else drive.yards
    if gained < 0:
        return "losing_team"
    return next(row for most, row in ROWS if FIELD - gained <= most)


@dataclass(frozen=True)
class Outcome:
    """A finished spin of Roulette: the number of the compartment in which the ball came to rest, and for a Touchdown
    wager what the spins since it was made have come to."""

    number: Annotated[Face, Rolled(lambda spins: spins[0], POCKETS)]
    football: Annotated[str, Followed(TOUCHDOWN, 5, Drive(), down, spot, SPOTS)]


LINES: Lines[Outcome] = Lines(Outcome)


def covered(wager: str, pick: tuple[Face, ...]) -> Numbers:
    """The numbers on which a wager wins; zero and double zero are neither red nor black, odd nor even, low nor high."""
    numbers, first = range(1, 37), int(pick[0]) if pick else 0
    match wager:
        case "street" | "corner" if len(pick) > 1:
            return frozenset(pick)
        case "street":
            return frozenset(range(first, first + WIDTH))
        case "corner":
            return frozenset((first, first + 1, first + WIDTH, first + WIDTH + 1))
        case "five_number":
            return frozenset((0, "00", 1, 2, 3))
        case "line":
            return frozenset(range(first, first + 2 * WIDTH))
        case "column":
            return frozenset(range(first, 37, WIDTH))
        case "dozen":
            return frozenset(range(12 * first - 11, 12 * first + 1))
        case "red":
            return RED
        case "black":
            return frozenset(numbers) - RED
        case "odd" | "even":
            return frozenset(number for number in numbers if number % 2 == (wager == "odd"))
        case "low":
            return frozenset(range(1, 19))
        case "high":
            return frozenset(range(19, 37))
    return frozenset(pick)


def adjacent(rules: Rules, number: Face) -> Numbers:
    """A number with the two at each side of it on the wheel in use."""
    step = thrown(rules)
    assert step is not None
    at, faces = step.faces.index(number), step.faces
    return frozenset(faces[(at + away) % len(faces)] for away in range(-2, 3))


def _pays(wager: str, pick: tuple[Face, ...]) -> Callable[[Rules, Outcome], Pay | None]:
    fixed = covered(wager, pick)

    def pay(rules: Rules, outcome: Outcome) -> Pay | None:
        if wager in rules.tables[TABLE].open_rows:
            return None  # without odds it is not offered
        table, numbers = rules.tables[TABLE], fixed if wager != ADJACENT else adjacent(rules, pick[0])
        if outcome.number not in numbers:
            printed = outcome.number == 0 and len(numbers) == HALF and rules.choices.device == AS_SINGLE
            return lose(ZERO if printed else str(table.cite), "The wager does not cover it.")
        return win(str(table.cite), f"The wager pays {table.rows[wager]}.", table.rows[wager], str(table.cite))

    return pay


for _wager in chapter("617a").wagers:
    for _name in _wager.names(0) if _wager.name != TOUCHDOWN else ():
        LINES.rule(_name, ["number"])(_pays(_wager.name, _wager.picked(_name)))


@LINES.rule(TOUCHDOWN, ["football"])
def _touchdown(rules: Rules, outcome: Outcome) -> Pay:
    table = rules.tables[TOUCHDOWN]
    if outcome.football == "under_way":
        return lives_on("617a.3(f)(2)", "The Touchdown game is in progress.")
    if outcome.football == "lost":
        return lose("617a.3(f)(1)", "The first spin was neither 0 nor 00.")
    odds, name = table.rows[outcome.football], rules.chapter.row_name(outcome.football, table)
    return win("617a.3(f)(2)", f"{name} pays {odds}.", odds, str(table.cite))


def _teams(_: Rules, sight: Sight | None) -> tuple[Option, ...]:
    """After 0 or 00 the player of a Touchdown wager chooses a team, once."""
    return TEAMS if sight is None or (sight.thrown and sight.thrown[0] in ZEROS) else ()


class Roulette(Game):
    """The losing wagers are collected, then the winning ones are paid; a Touchdown wager lives on over five spins."""

    name = "roulette"
    number = "617a"
    lines = LINES
    plain_wagers: Mapping[str, int] = {
        "straight_17": 500,
        "split_8_11": 500,
        "corner_1": 500,
        "dozen_2": 1000,
        "red": 1000,
    }
    course = Course(
        "",
        (
            Bets(),
            Roll(),
            Decide(TEAM, "617a.3(f)(2)", tuple(team.name for team in TEAMS), _teams, on=TOUCHDOWN, even=True),
            Settle("losing", posts(*LINES.rules), losing=True),
            Settle("winning", posts(*LINES.rules), losing=False),
        ),
    )

    def plain_decision(self, rules: Rules, sight: Sight) -> Decision:  # noqa: ARG002
        return Decision(TEAMS[0].name)
