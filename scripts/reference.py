"""The pages of the documentation site, gathered in build/docs: docs/, the reference from docstrings, the examples.

python -m scripts.reference && mkdocs build --strict
"""

import inspect
import re
import shutil
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pitboss

ROOT = Path(__file__).parents[1]
PLACES = ("", ".law", ".games", ".hands", ".exact", ".simulate", ".table", ".gym")


def fenced(text: str, kind: str = "python") -> str:
    return f"```{kind}\n{text.rstrip()}\n```\n"


def documented(thing: Any) -> str:
    """A docstring with its doctests fenced and its literals in one kind of quotes."""
    text = inspect.getdoc(thing) or ""
    parts = re.split(r"((?:^>>> .*\n?)(?:^.+\n?)*)", text, flags=re.M)
    shown = (fenced(part) if part.startswith(">>>") else re.sub(r"``(.+?)``", r"`\1`", part) for part in parts)
    return "\n".join(each.strip("\n") for each in shown).strip() + "\n"


def _plainer(found: re.Match[str]) -> str:
    """Without the modules of types; what is made anew for each record is empty."""
    return "..." if found[0] == "<factory>" else ""


def signature(name: str, thing: Any) -> str:
    try:
        return re.sub(r"\b(?:[a-z_]+\.)+(?=[A-Za-z])|<factory>", _plainer, f"{name}{inspect.signature(thing)}")
    except (TypeError, ValueError):
        return name


def members(kind: type) -> Iterator[tuple[str, Any]]:
    """Methods and properties of a class's own that say what they are."""
    for name, value in vars(kind).items():
        found = getattr(value, "fget", None) or getattr(value, "func", None) or getattr(value, "__func__", value)
        if not name.startswith("_") and inspect.isfunction(found) and found.__doc__:
            yield name, value if inspect.isfunction(value) else found


def entry(name: str, thing: Any) -> Iterator[str]:
    if inspect.ismodule(thing) or not (inspect.isclass(thing) or inspect.isroutine(thing)):
        return
    yield f"### {name}\n"
    yield fenced(signature(name, thing))
    yield documented(thing)
    if inspect.isclass(thing) and not issubclass(thing, BaseException):
        for member, function in members(thing):
            property_ = isinstance(inspect.getattr_static(thing, member), property)
            shown = member if property_ or not inspect.isfunction(function) else signature(member, function)
            yield f"- `{shown.replace('self, ', '').replace('self', '')}`: {documented(function).splitlines()[0]}"
        yield ""


def reference() -> str:
    lines = ["# Reference\n", "Every public name, from its own documentation. What is in no `__all__` is internal.\n"]
    for place in PLACES:
        module: ModuleType = import_module(f"pitboss{place}")
        lines += [f"## pitboss{place}\n", documented(module) if place else ""]
        for name in module.__all__:
            thing = getattr(module, name)
            if not place or name not in pitboss.__all__:
                lines += entry(name, sys.modules["pitboss.api.simulating"].simulate if name == "simulate" else thing)
    return "\n".join(lines) + "\n"


def examples() -> str:
    lines = ["# Examples\n", "Programs of a few lines, each run by the tests.\n"]
    for path in sorted((ROOT / "examples").glob("*.py")):
        text = path.read_text(encoding="utf-8")
        lines += [f"## {path.stem.replace('_', ' ').capitalize()}\n", fenced(text)]
    return "\n".join(lines)


def gather(target: Path) -> None:
    """Write all pages into a folder."""
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(ROOT / "docs", target)
    shutil.copytree(ROOT / "examples", target / "examples", ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    home = (ROOT / "README.md").read_text(encoding="utf-8").replace("](docs/", "](")
    pages = {"index": home, "reference": reference(), "examples": examples()}
    pages["changes"] = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    for name, text in pages.items():
        (target / f"{name}.md").write_text(text, encoding="utf-8")
    for page in target.glob("*.md"):
        text = page.read_text(encoding="utf-8").replace("](../README.md", "](index.md").replace("](../", "](")
        page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    gather(ROOT / "build" / "docs")
