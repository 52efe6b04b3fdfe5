"""Make records of values that fit: msgspec converts them in one go."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Annotated, Any, Union, get_args

import msgspec
from msgspec import UNSET

from pitboss.reader.annotations import RESERVED, STRUCTS, KeyOf, Keys, Together, keys_in, option_of, parts_of


class _Custom(type):
    """A type that msgspec doesn't know, so it asks the hook; whatever the hook returns is an instance."""

    read: Callable[[Any], Any]

    def __instancecheck__(cls, _: object) -> bool:
        return True


def _custom(name: str, how: Callable[[Any], Any]) -> Any:
    return _Custom(name, (), {"read": staticmethod(how)})


def hook(kind: Any, value: Any) -> Any:
    return kind.read(value)


def made_of(hint: Any, value: Any) -> Any:
    if parts_of(hint).is_record:
        return record_of(hint)(value)
    return msgspec.convert(value, converted(hint), dec_hook=hook, str_keys=True)


def struct(name: str, keys: Mapping[str, tuple[Any, ...]], base: type[Keys] = Keys) -> Any:
    """Return a class of records by their keys, each with an annotation and perhaps a default.

    Quicker to make and to read than a dataclass; for files of our own with many records.
    """
    listed = {key: KeyOf(RESERVED.get(key, key), hint, not default) for key, (hint, *default) in keys.items()}
    entries = [(listed[key].field, converted(hint), *default) for key, (hint, *default) in keys.items()]
    rename = {each.field: key for key, each in listed.items()}
    strict: Any = {"kw_only": True, "forbid_unknown_fields": True, "gc": False}
    made = msgspec.defstruct(name, entries, bases=(base,), rename=rename, **strict)
    STRUCTS[made] = listed
    return made


@lru_cache(maxsize=1024)
def record_of(kind: type) -> Callable[[Any], Any]:
    """How a dataclass is read: by a struct with the same fields, which refuses keys that it doesn't know."""
    if kind in STRUCTS:
        return lambda value: msgspec.convert(value, kind, dec_hook=hook, str_keys=True)
    keys = keys_in(kind)
    needed = tuple(key.field for key in keys.values() if key.required)
    optional = tuple(key.field for key in keys.values() if not key.required and not key.extra)
    extra = tuple((key.field, name) for name, key in keys.items() if key.extra)
    entries = [(key.field, converted(key.hint), *(() if key.required else (UNSET,))) for key in keys.values()]
    rename = {key.field: name for name, key in keys.items()}
    twin = msgspec.defstruct(kind.__name__, entries, kw_only=True, forbid_unknown_fields=True, rename=rename, gc=False)

    def made(value: Any) -> Any:
        plain = msgspec.convert(upgraded(kind, value), twin, dec_hook=hook, str_keys=True)
        given = {name: getattr(plain, name) for name in needed}
        for name in optional:
            if (item := getattr(plain, name)) is not UNSET:
                given[name] = item
        record = kind(**given)
        if extra:
            items = ((name, getattr(plain, inner)) for inner, name in extra)
            object.__setattr__(record, "more", {name: each for name, each in items if each not in (UNSET, None)})
        if isinstance(record, Together):
            record.check()
        return record

    return made


def upgraded(kind: Any, value: Any) -> Any:
    """What a record was stored as before, in today's form, where the record knows how."""
    return kind.upgraded(value) if hasattr(kind, "upgraded") and isinstance(value, Mapping) else value


@lru_cache(maxsize=4096)
def converted(hint: Any) -> Any:
    """A hint as msgspec takes it: records and written values become types for the hook."""
    parts = parts_of(hint)
    bare, inside = parts.bare, get_args(parts.bare)
    if parts.parsed is not None:
        return _custom("Parsed", parts.parsed.read)
    if parts.meta is not None:
        return Annotated[converted(bare), parts.meta]
    if parts.options:
        options = [converted(option) for option in parts.options]
        if len(options) > 1 and any(isinstance(each, _Custom) for each in options):
            options = [_custom("Either", lambda value: made_of(option_of(parts.options, value), value))]
        return _union((*options, *([None] if parts.nullable else [])))
    if parts.is_list:
        many: Any = tuple
        return many[converted(inside[0]), ...]
    if parts.is_mapping:
        mapping: Any = dict
        return mapping[converted(inside[0]), converted(inside[1])]
    if parts.is_record and bare not in STRUCTS:
        return _custom(bare.__name__, lambda value: record_of(bare)(value))
    return bare


def _union(options: tuple[Any, ...]) -> Any:
    union: Any = Union
    return union[options]
