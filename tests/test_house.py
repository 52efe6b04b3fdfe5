"""The house in order: each class name once, imports only from rooms above, games known in their own rooms only."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import fields
from functools import cache
from importlib import import_module
from pathlib import Path

import pitboss
from pitboss import findings
from pitboss.findings import PitbossError
from pitboss.games.registry import GAMES
from pitboss.games.settlement import Line
from pitboss.law.loader import CHAPTERS
from pitboss.names import shown

HOUSE = Path(pitboss.__file__).parent
ROOMS = (
    ("cards", "data", "extras", "findings", "lazy", "money", "names", "public", "records", "second_opinion", "spoken"),
    ("clock", "paper", "spreadsheet", "typed", "workers"),
    ("documents", "hands", "reader"),
    ("law",),
    ("meters",),
    ("games",),
    ("catalog", "submission"),
    ("exact",),
    ("table",),
    ("school",),
    ("ledger",),
    ("simulate",),
    ("reports",),
    ("api", "gym"),
    ("web",),
    ("demo",),
    ("cli",),
    ("__init__", "__main__"),
)
"""From the first room to the last; modules of one floor may import each other."""
FLOOR = {room: floor for floor, rooms in enumerate(ROOMS) for room in rooms}
FOR_ALL = frozenset({"NOTICE", "__version__"})
"""What the package says of itself."""
GAME_ROOMS = frozenset({"law", "games", "hands", "second_opinion"})
"""The second opinion imports nothing of ours, so it knows the games by itself."""
PLAIN = frozenset({"black", "high", "line", "play", "red", "straight", "street", "turn"})
"""Wagers whose name programs need for something else: a colour, a line of a book, a kind of hand, whose turn it is,
what one does with a game."""


@cache
def files() -> Mapping[Path, str]:
    return {path: path.read_text(encoding="utf-8") for path in sorted(HOUSE.rglob("*.py"))}


@cache
def parsed() -> Mapping[Path, list[ast.AST]]:
    """Every node of every module; not at the top, where each worker that only collects would parse them all."""
    return {path: [*ast.walk(ast.parse(text))] for path, text in files().items()}


def room_of(path: Path) -> str:
    return path.relative_to(HOUSE).with_suffix("").parts[0]


def imported(nodes: list[ast.AST]) -> Iterator[tuple[int, str]]:
    """Rooms and modules of ours that a module imports, anywhere in it."""
    for node in nodes:
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module == "pitboss":
            names = [f"pitboss.{alias.name}" for alias in node.names if alias.name not in FOR_ALL]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module or ""]
        else:
            continue
        yield from ((node.lineno, name.split(".")[1]) for name in names if name.startswith("pitboss."))


def test_each_class_name_stands_once() -> None:
    """The modules of the games state the same things of different games, so what each of them has is one thing."""
    games = {Path(*type(game).__module__.split(".")[1:]) for game in GAMES.values()}
    homes = defaultdict(set)
    for path, nodes in parsed().items():
        module = path.relative_to(HOUSE).with_suffix("")
        for node in nodes:
            if isinstance(node, ast.ClassDef):
                homes[node.name].add("a game" if module in games else f"{module}:{node.lineno}")
    assert {name: sorted(found) for name, found in homes.items() if len(found) > 1} == {}


def test_every_error_is_ours() -> None:
    """Whoever catches ``PitbossError`` catches everything that we raise by a name of our own."""
    bases = {
        node.name: {base.id for base in node.bases if isinstance(base, ast.Name)}
        for nodes in parsed().values()
        for node in nodes
        if isinstance(node, ast.ClassDef)
    }

    def ours(name: str) -> bool:
        return name == "PitbossError" or any(map(ours, bases.get(name, ())))

    errors = {name for name, above in bases.items() if any(base.endswith(("Error", "Exception")) for base in above)}
    assert {name for name in errors if not ours(name)} == set()


def test_a_room_imports_only_rooms_above_it() -> None:
    wrong = [
        f"{path.relative_to(HOUSE)}:{line} imports {other}"
        for path, nodes in parsed().items()
        for line, other in imported(nodes)
        if other != room_of(path) and FLOOR[other] > FLOOR[room_of(path)]
    ]
    assert wrong == []


def names_of_the_law() -> re.Pattern[str]:
    """Games, chapters and wagers as code or a sentence would name them.

    A wager of one word ("ante", "bet") is also plain English; it counts where a program names it, as a whole string.
    A field of a settled line ("odds") is no wager there, whatever wager has the same name.
    A word of a game's name counts by itself, also within a name, if only that game's law file uses it ("lunar").
    """
    texts = {name: (HOUSE / "law" / f"{name}.toml").read_text(encoding="utf-8").lower() for name in CHAPTERS}
    words, quoted, within = set[str](), set[str](), set[str]()
    for game in GAMES.values():
        law = game.chapter
        words |= {game.name, game.name.replace("-", "_"), law.title, type(game).__name__, law.chapter}
        names = {wager.name for wager in law.wagers}
        compound = {name for name in names if "_" in name}
        words |= compound | {shown(name) for name in compound}
        quoted |= names - compound - PLAIN
        others = " ".join(text for name, text in texts.items() if name != law.chapter)
        within |= {word for word in game.name.split("-") if len(word) > 4 and word not in others}
    either = "|".join(sorted(map(re.escape, words)))
    single = "|".join(sorted(quoted - {field.name for field in fields(Line)}))
    return re.compile(rf"(?<![A-Za-z0-9])(?:{either})(?![A-Za-z0-9])|\"(?:{single})\"|(?i:{'|'.join(sorted(within))})")


def test_no_other_room_knows_a_game_a_chapter_or_a_wager() -> None:
    names = names_of_the_law()
    found = [
        f"{path.relative_to(HOUSE)}:{number}: {line.strip()}"
        for path, text in files().items()
        if room_of(path) not in GAME_ROOMS
        for number, line in enumerate(text.splitlines(), 1)
        if names.search(line)
    ]
    assert found == []


BRANCH = re.compile(r"^    (?P<stem>(?:\|   |    )*)(?:\|-- |`-- )(?P<names>\w+(?:, \w+)*)(?:  |$)", re.MULTILINE)
"""A line of the drawing of exceptions: how deep it is, and which names it has."""


def drawn() -> set[tuple[str, str]]:
    """Each exception of the drawing with the one above it."""
    found: set[tuple[str, str]] = set()
    above = ["PitbossError"]
    for branch in BRANCH.finditer(findings.__doc__ or ""):
        depth, names = len(branch["stem"]) // 4, branch["names"].split(", ")
        above[depth + 1 :] = [names[0]]
        found.update((name, above[depth]) for name in names)
    return found


def defined() -> set[tuple[str, str]]:
    """Each exception that a module defines with those of ours above it."""
    for path, nodes in parsed().items():
        if any(
            isinstance(node, ast.ClassDef) and any("Error" in ast.unparse(base) for base in node.bases)
            for node in nodes
        ):
            parts = path.relative_to(HOUSE.parent).with_suffix("").parts
            import_module(".".join(part for part in parts if part != "__init__"))
    found: set[tuple[str, str]] = set()
    waiting: list[type[Exception]] = [PitbossError]
    while waiting:
        above = waiting.pop()
        below = [each for each in above.__subclasses__() if each.__module__.startswith("pitboss")]
        found.update((each.__name__, above.__name__) for each in below)
        waiting += below
    return found


def test_the_tree_of_exceptions_is_the_one_that_is_drawn() -> None:
    assert len(drawn()) > 40
    assert drawn() == defined()


def test_no_exception_of_ours_stands_outside_the_tree() -> None:
    """So that a caller who catches ``PitbossError`` catches whatever pitboss refuses."""
    names = {name for name, _ in drawn()} | {"PitbossError"}
    for path, nodes in parsed().items():
        for node in nodes:
            if isinstance(node, ast.ClassDef) and re.search(r"(Error|Exception)$", node.name):
                assert node.name in names, (path, node.name)


def imports_of_rooms() -> Iterator[str]:
    """Yield the rows of the table of imports, from the first room to the last; small modules are left out."""
    rooms = {room for room in FLOOR if (HOUSE / room).is_dir()}
    found: dict[str, set[str]] = {room: set() for room in rooms}
    for path, nodes in parsed().items():
        if (room := room_of(path)) in rooms:
            found[room] |= {other for _, other in imported(nodes) if other in rooms - {room}}
    for room in sorted(rooms, key=lambda each: (FLOOR[each], each)):
        others = sorted(found[room], key=lambda each: (FLOOR[each], each))
        yield f"| `{room}` | {', '.join(f'`{each}`' for each in others) or 'none'} |"


def test_the_architecture_page_shows_what_each_room_imports() -> None:
    page = (HOUSE.parents[1] / "docs" / "architecture.md").read_text(encoding="utf-8")
    assert "\n".join(imports_of_rooms()) in page, "write these rows:\n" + "\n".join(imports_of_rooms())
