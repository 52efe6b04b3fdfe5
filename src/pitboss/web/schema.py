"""The JSON Schema of the commands, read off their dataclasses, so that it cannot lag behind them."""

import types
from dataclasses import MISSING, Field, fields, is_dataclass
from enum import Enum
from typing import Any, Union, get_args, get_origin, get_type_hints

import pitboss.table.commands  # noqa: F401 - registers every command
from pitboss.money import MOST_CENTS
from pitboss.table.command import COMMANDS

PLAIN: dict[Any, dict[str, Any]] = {
    str: {"type": "string"},
    int: {"type": "integer", "minimum": -MOST_CENTS, "maximum": MOST_CENTS},
    bool: {"type": "boolean"},
}


def command_schema() -> dict[str, Any]:
    """One object for each command; sums are whole cents."""
    return {
        "title": "Command",
        "oneOf": [_command(name) for name in sorted(COMMANDS)],
        "examples": [{"command": "wager", "seat": 1, "wager": "main", "amount": 1000}, {"command": "no_more_bets"}],
    }


def _command(name: str) -> dict[str, Any]:
    kind = COMMANDS[name]
    shape = _record(kind)
    return {
        **shape,
        "title": kind.__name__,
        "description": (kind.__doc__ or "").strip(),
        "properties": {"command": {"const": name, "type": "string"}, **shape["properties"]},
        "required": ["command", *shape["required"]],
    }


def _record(kind: type) -> dict[str, Any]:
    hints = get_type_hints(kind)
    known = fields(kind)
    return {
        "type": "object",
        "properties": {field.name: _of(hints[field.name]) for field in known},
        "required": [field.name for field in known if _needed(field)],
        "additionalProperties": False,
    }


def _needed(field: Field[Any]) -> bool:
    return field.default is MISSING and field.default_factory is MISSING


def _of(kind: Any) -> dict[str, Any]:
    kind = getattr(kind, "__supertype__", kind)
    origin = get_origin(kind)
    if origin in (Union, types.UnionType):
        inner = next(option for option in get_args(kind) if option is not type(None))
        return {"anyOf": [_of(inner), {"type": "null"}]}
    if origin is tuple:
        return {"type": "array", "items": _of(get_args(kind)[0])}
    if origin is dict:
        return {"type": "object", "additionalProperties": _of(get_args(kind)[1])}
    if is_dataclass(kind) and isinstance(kind, type):
        return _record(kind)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return {"enum": [member.value for member in kind]}
    return PLAIN[kind]
