"""Documents that are small to send and expensive to read: shapes by name, each of about so many bytes.

The fuzzers, the tests, the benchmark and the measurement of P37 take them from here. A shape that turns out to be
expensive is added once and is tried at every entrance.
"""

from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Final

from pitboss.games.registry import GAMES

Shape = Callable[[int], str]
HEAD: Final = 'game = "three-card-poker"\neffective = 2024-06-01\n'
"""So that a reader gets past the first keys of a Rules Submission."""

# An f-string of Python 3.11 cannot hold these.
BACKSLASH, NEWLINE, LETTER = "\\", "\n", "x"
ESCAPE, ESCAPED_END = "\\u0041", "\\\n"
QUOTED_PART, EMPTY_PART, EMPTY_TEXT, TWO_QUOTES, TWO_MARKS, ACTION = '."a"', ".''", "'',", '""a', "''a", "'p1 cc', "


def _amount(number: str) -> str:
    return f'{{"amount": {number}}}'


def _times(text: str, size: int) -> str:
    return text * max(1, size // len(text))


def _lines(line: Callable[[int], str], size: int) -> str:
    found: list[str] = []
    length = number = 0
    while length < size:
        found.append(line(number))
        length += len(found[-1]) + 1
        number += 1
    return "\n".join(found)


TOML: Final[Mapping[str, Shape]] = {
    "a dotted key": lambda size: f"a{_times('.a', size)} = 1",
    "a dotted key with spaces": lambda size: f"a{_times(' . a', size)} = 1",
    "a dotted key, quoted": lambda size: f'"a"{_times(QUOTED_PART, size)} = 1',
    "a dotted key, in single quotes": lambda size: f"'a'{_times(EMPTY_PART, size)} = 1",
    "a dotted header": lambda size: f"[a{_times('.a', size)}]",
    "a dotted header of a list": lambda size: f"[[a{_times('.a', size)}]]",
    "a dotted key in an inline table": lambda size: f"x = {{ a{_times('.a', size)} = 1 }}",
    "a dotted key in a list": lambda size: f"x = [{{ a{_times('.a', size)} = 1 }}]",
    "a dotted key without a value": lambda size: f"a{_times('.a', size)}",
    "many dotted keys": lambda size: _lines(lambda n: f"a{n}.b.c.d.e.f.g.h.i = 1", size),
    "keys below one long header": lambda size: f"[a{'.a' * 8}]\n" + _lines(lambda n: f"k{n}.a.a.a.a.a = 1", size),
    "nested lists": lambda size: f"x = {'[' * (size // 2)}{']' * (size // 2)}",
    "lists that never close": lambda size: f"x = {'[' * size}",
    "nested inline tables": lambda size: f"x = {_times('{a=', size // 2)}1{'}' * (size // 6)}",
    "nested lists and tables": lambda size: f"x = {_times('[{a=', size)}",
    "small tables": lambda size: _lines(lambda n: f"[t{n}]", size),
    "small lists of tables": lambda size: _lines(lambda n: f"[[t{n}]]", size),
    "one list of tables": lambda size: _times("[[seat]]\n", size),
    "seats": lambda size: HEAD + _lines(lambda n: f"[[seat]]\nnumber = {n}", size),
    "small inline tables": lambda size: f"x = [{_times('{},', size)}]",
    "a repeated header": lambda size: _times("[a]\n", size),
    "a repeated dotted header": lambda size: _times("[a.b.c.d]\n", size),
    "many keys": lambda size: _lines(lambda n: f"k{n} = 1", size),
    "many wagers": lambda size: HEAD + _lines(lambda n: f"[wagers.w{n}]\noffered = true\nminimum = 5", size),
    "many facts": lambda size: HEAD + "[facts]\n" + _lines(lambda n: f'"paytables.x{n}" = "5 to 1"', size),
    "many pay tables": lambda size: HEAD + "[paytables]\n" + _lines(lambda n: f'x{n} = "A"', size),
    "many options": lambda size: HEAD + "[options]\n" + _lines(lambda n: f"mini_royal{n} = 1", size),
    "a long name": lambda size: f"{HEAD}{'seat' * (size // 4)} = 1",
    "a long quoted name": lambda size: f"{HEAD}'{'é' * (size // 2)}' = 1",
    "a long list": lambda size: f"x = [{_times('1,', size)}]",
    "a list of texts": lambda size: f"x = [{_times(EMPTY_TEXT, size)}]",
    "a giant integer": lambda size: f"{HEAD}seats = {'9' * size}",
    "a giant integer with underscores": lambda size: f"{HEAD}seats = 1{_times('_9', size)}",
    "a giant hexadecimal": lambda size: f"{HEAD}seats = 0x{'f' * size}",
    "a giant fraction": lambda size: f"{HEAD}seats = 0.{'3' * size}",
    "a giant exponent": lambda size: f"{HEAD}seats = 1e{'9' * size}",
    "a large exponent": lambda _: f"{HEAD}seats = 1e999999999",
    "an exponent beyond decimals": lambda _: f"{HEAD}seats = 1e9999999999999999999",
    "a small exponent beyond decimals": lambda _: f"{HEAD}seats = 1e-9999999999999999999",
    "not a number": lambda _: f"{HEAD}seats = nan",
    "infinity": lambda _: f"{HEAD}seats = -inf",
    "digits in a text": lambda size: f"{HEAD}[facts]\nyards_1_10 = '{'9' * size}'",
    "a fact of 35 digits": lambda _: f"{HEAD}[facts]\nyards_1_10 = {'1' * 35}",
    "odds of many digits": lambda size: f"{HEAD}[facts]\n'paytables.x.flush' = '{'9' * size} to 1'",
    "digits of another script": lambda _: f'{HEAD}[wagers.ante]\nrate = "٣%"',
    "a lone surrogate": lambda _: f'{HEAD}certificate_holder = "\ud800"',
    "an escaped surrogate": lambda _: HEAD + 'certificate_holder = "\\ud800"',
    "a NUL": lambda _: f'{HEAD}certificate_holder = "\0"',
    "an escaped NUL": lambda _: HEAD + 'certificate_holder = "\\u0000"',
    "escapes": lambda size: f'{HEAD}certificate_holder = "{_times(ESCAPE, size)}"',
    "quotes": lambda size: '"' * size,
    "single quotes": lambda size: "'" * size,
    "an open text": lambda size: f"x = '{'a' * size}",
    "an open text of backslashes": lambda size: f'x = "{BACKSLASH * size}',
    "a text of many lines": lambda size: f'x = """{NEWLINE * size}"""',
    "a text of quotes": lambda size: f'x = """{_times(TWO_QUOTES, size)}"""',
    "a text of escaped ends": lambda size: f'x = """{_times(ESCAPED_END, size)}"""',
    "an open text of many lines": lambda size: f"x = '''{_times(TWO_MARKS, size)}",
    "comments": lambda size: _times("#\n", size),
    "one comment": lambda size: f"#{'#' * size}",
    "blank lines": lambda size: "\n" * size,
    "blanks": lambda size: f"x ={' ' * size}1",
    "carriage returns": lambda size: "\r" * size,
    "commas": lambda size: f"x = [{',' * size}",
    "brackets that only close": lambda size: "]" * size,
    "equals signs": lambda size: "=" * size,
    "nothing": lambda _: "",
}
"""As a Rules Submission, a round or a hand history."""

JSON: Final[Mapping[str, Shape]] = {
    "nested lists": lambda size: "[" * (size // 2) + "]" * (size // 2),
    "lists that never close": lambda size: "[" * size,
    "nested objects": lambda size: _times('{"a":', size),
    "nested lists in a field": lambda size: '{"command":' + "[" * (size // 2) + "]" * (size // 2) + "}",
    "a long list": lambda size: f'{{"command": [{_times("1,", size)}1]}}',
    "a list of lists": lambda size: f'{{"command": [{_times("[],", size)}[]]}}',
    "many fields": lambda size: "{" + ",".join(f'"f{n}": 1' for n in range(max(1, size // 10))) + "}",
    "the last field twice": lambda size: (
        "{" + ",".join(f'"f{n}":1' for n in range(max(1, size // 10))) + f',"f{max(1, size // 10) - 1}":1}}'
    ),
    "a giant integer": lambda size: _amount("9" * size),
    "a giant negative integer": lambda size: _amount("-" + "9" * size),
    "a giant fraction": lambda size: _amount("0." + "3" * size),
    "a giant exponent": lambda _: '{"amount": 1e999999999999}',
    "a giant negative exponent": lambda _: '{"amount": 1e-99999999999}',
    "an exponent of many digits": lambda size: _amount("1e" + "9" * size),
    "infinity": lambda _: '{"amount": Infinity}',
    "not a number": lambda _: '{"amount": NaN}',
    "a lone surrogate": lambda _: '{"command": "\\ud800"}',
    "a surrogate as a field": lambda _: '{"\\udfff": 1}',
    "a NUL": lambda _: '{"command": "\\u0000"}',
    "escapes": lambda size: f'{{"command": "{_times(ESCAPE, size)}"}}',
    "quotes": lambda size: '"' * size,
    "an open text": lambda size: '"' + "a" * size,
    "an open text of backslashes": lambda size: '"' + "\\" * size,
    "colons": lambda size: ":" * size,
    "blanks": lambda size: " " * size,
    "a long text": lambda size: f'{{"id": "{_times(LETTER, size)}"}}',
    "a long name": lambda size: f'{{"{_times(LETTER, size)}": 1}}',
}
"""As the body of a request."""

HISTORY: Final = (
    'variant = "F7S/8"\nantes = [1, 1]\nbring_in = 1\nsmall_bet = 2\nbig_bet = 4\n'
    "starting_stacks = [100, 100]\nactions = []\n"
)
PHH: Final[Mapping[str, Shape]] = {
    "players": lambda size: (
        f'variant = "F7S"\nantes = [{_times("1, ", size // 2)}]\nbring_in = 1\nsmall_bet = 2\nbig_bet = 4\n'
        f"starting_stacks = [{_times('9, ', size // 2)}]\nactions = []"
    ),
    "a thousand players": lambda _: (
        f'variant = "F7S"\nantes = [{"1, " * 1000}]\nbring_in = 1\nsmall_bet = 2\nbig_bet = 4\n'
        f"starting_stacks = [{'9, ' * 1000}]\nactions = []"
    ),
    "actions": lambda size: HISTORY.replace("[]", f"[{_times(ACTION, size)}]").replace("F7S/8", "F7S"),
    "a dealing of many cards": lambda size: HISTORY.replace("[]", f"['d dh p1 {_times('As', size)}']").replace(
        "F7S/8", "F7S"
    ),
    "a giant stack": lambda size: HISTORY.replace("100, 100", f"{'9' * size}, 1").replace("F7S/8", "F7S"),
    "a stack of 40 digits": lambda _: HISTORY.replace("100, 100", f"{'9' * 40}, 1").replace("F7S/8", "F7S"),
    "another game": lambda _: HISTORY,
}
"""As a hand history."""


_ROUND: Final = 'game = "three-card-poker"\ndealer = "As Ks Qs"\n'
_ONE_SEAT: Final = f'{_ROUND}[[seat]]\nnumber = 1\ncards = "2s 3s 4s"\n[seat.wagers]\n'


def _filled(head: str, line: Callable[[int], str], size: int, most: int) -> str:
    """As many lines as the size and the limits of a document let through."""
    text, number = head, 0
    while number < most and len(text) + len(more := f"{line(number)}\n") <= size:
        text, number = text + more, number + 1
    return text


def _many_cards(game: str) -> Shape:
    """A hand of more cards than any game deals: the best of them would be sought among far too many."""
    head = f'game = "{game}"\ndealer = "As Ks"\n[[seat]]\nnumber = 1\nwagers = {{ ante = 5 }}\n'
    return lambda size: f'{head}cards = "{_times("As Kd 7h 3c ", min(size, 19_000))}"'


VALID: Final[Mapping[str, Shape]] = {
    "wagers up to the limit": lambda size: _filled(
        HEAD, lambda n: f"[wagers.w{n}]\noffered = true\nminimum = 5", size, 290
    ),
    "facts up to the limit": lambda size: _filled(f"{HEAD}[facts]\n", lambda n: f'"seat{n}" = 5', size, 980),
    "facts like a true one": lambda size: _filled(
        f"{HEAD}[facts]\n", lambda n: f'"paytables.pair_plus.A.straight_flush{n}" = "5 to 1"', size, 980
    ),
    "facts with long names": lambda size: _filled(
        f"{HEAD}[facts]\n", lambda n: f'"paytables.ante_bonus.{LETTER * 90}{n}" = "5 to 1"', size, 980
    ),
    "keys like a true one": lambda size: _filled(HEAD, lambda n: f"{'seats' * 15}{n} = 5", size, 980),
    "pay tables up to the limit": lambda size: _filled(f"{HEAD}[paytables]\n", lambda n: f'x{n} = "A"', size, 980),
    "options up to the limit": lambda size: _filled(f"{HEAD}[options]\n", lambda n: f"x{n} = 1", size, 980),
    "seats up to the limit": lambda size: _filled(
        _ROUND, lambda n: f'[[seat]]\nnumber = {n + 1}\ncards = "2s 3s 4s"\nwagers = {{ ante = 5 }}', size, 240
    ),
    "wagers of one seat": lambda size: _filled(_ONE_SEAT, lambda n: f"ante{n} = 5", size, 980),
    **{f"a hand of many cards of {game}": _many_cards(game) for game in GAMES},
}
"""Documents that no limit refuses, as a Rules Submission or a round: their cost is that of checking."""


def toml_documents(size: int) -> Iterator[tuple[str, str]]:
    """Every shape of TOML, with its name."""
    yield from ((name, shape(size)) for name, shape in TOML.items())


def json_documents(size: int) -> Iterator[tuple[str, str]]:
    """Every shape of JSON, with its name."""
    yield from ((name, shape(size)) for name, shape in JSON.items())


def any_toml(random: Random, most: int) -> str:
    """A document for a fuzzer: one shape, or parts of two after each other."""
    shapes = [*TOML.values(), *VALID.values()]
    first, second = (random.choice(shapes)(random.randrange(1, most)) for _ in range(2))
    if random.random() < 0.5:
        return first[:most]
    cut = random.randrange(len(first) + 1)
    return f"{first[:cut]}\n{second}"[:most]
