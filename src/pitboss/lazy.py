"""Public names of a package, each loaded from its module on first use, so that importing the package stays quick."""

import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any


def names_of(package: str, homes: dict[str, str]) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """``__getattr__`` and ``__dir__`` of a package: ``homes`` has the names, in words, of each of its modules."""
    known = {name: module for module, names in homes.items() for name in names.split()}

    def find(name: str) -> Any:
        if name not in known:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module = import_module(f"{package}.{known[name]}")
        found = module if known[name] == name else getattr(module, name)
        setattr(sys.modules[package], name, found)
        return found

    return find, lambda: sorted(sys.modules[package].__all__)
