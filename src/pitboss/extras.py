"""The optional parts of pitboss: which module comes with which extra, and what to say when one is not installed."""

from collections.abc import Iterator
from importlib.util import find_spec
from types import MappingProxyType

from pitboss.findings import PitbossError

MODULES = MappingProxyType(
    {
        "exact": ("numpy", "numba"),
        "ledger": ("sqlalchemy", "alembic", "argon2"),
        "postgres": ("psycopg",),
        "web": ("fastapi", "uvicorn", "websockets"),
        "reports": ("matplotlib", "jinja2", "typst", "xlsxwriter", "cryptography"),
        "cluster": ("dask", "distributed"),
        "pandas": ("pandas",),
        "gym": ("gymnasium",),
        "poker": ("pokerkit",),
    }
)
"""Each extra with the modules that pitboss imports from it. SQLite's driver is left out: Python has one of its own."""
BROUGHT_BY = MappingProxyType(dict.fromkeys(("anyio", "pydantic", "starlette"), "web"))
"""Modules that we import and that come with those above."""
RESTS_ON = MappingProxyType({"web": "ledger", "postgres": "ledger", "cluster": "exact", "pandas": "exact"})
"""Extras that are of no use without another."""


class MissingExtra(PitbossError, ImportError):  # noqa: N818 - a public name
    """Something needs an optional part of pitboss that is not installed; the sentence says which to install."""


def sentence_of(missing: ModuleNotFoundError) -> str:
    """What to install. A module of pitboss itself that is missing is no extra but a fault, and stays one."""
    wanted = (missing.name or "").partition(".")[0]
    if wanted == "pitboss":
        raise missing
    extra = next((extra for name in (wanted, *_importers(missing)) if (extra := _extra_with(name))), None)
    if extra is None:
        return f"The module {wanted} is not installed; install pitboss again: pip install --force-reinstall pitboss."
    below = RESTS_ON.get(extra)
    extras = [below, extra] if below is not None and not _installed(below) else [extra]
    which = f"extra {extras[0]!r}" if len(extras) == 1 else f"extras {' and '.join(map(repr, extras))}"
    return f"This needs the {which} ({wanted} is not installed): pip install 'pitboss[{','.join(extras)}]'."


def hint(module: str) -> str:
    """What to install for a module that a command can do without; nothing if it is there."""
    try:
        found = find_spec(module)
    except (ImportError, ValueError):
        found = None
    return "" if found is not None else sentence_of(ModuleNotFoundError(name=module))


def _extra_with(module: str) -> str | None:
    return next((extra for extra, modules in MODULES.items() if module in modules), BROUGHT_BY.get(module))


def _importers(missing: ModuleNotFoundError) -> Iterator[str]:
    """The code that imports the module, nearest first: a library of an extra may lack one of its own."""
    names = []
    frame = missing.__traceback__
    while frame is not None:
        names.append(str(frame.tb_frame.f_globals.get("__name__", "")).partition(".")[0])
        frame = frame.tb_next
    return reversed(names)


def _installed(extra: str) -> bool:
    try:
        return all(find_spec(module) is not None for module in MODULES[extra])
    except (ImportError, ValueError):
        return False
