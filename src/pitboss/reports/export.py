"""A document as a file of any kind, written now."""

import json
from collections.abc import Callable
from typing import Any

from pitboss.clock import with_local_time
from pitboss.paper.files import file_of
from pitboss.paper.model import Paper
from pitboss.reports.stamp import printing_time


def exported(kind: str, record: object, build: Callable[[int], Paper]) -> bytes:
    """The document that ``build`` makes, printed now. JSON is the record itself, with local time beside UTC."""
    if kind != "json":
        return file_of(build(printing_time()), kind)
    return json.dumps(with_local_time(_plain(record)), indent=1, ensure_ascii=False).encode()


def _plain(record: Any) -> Any:
    """A record as plain values."""
    if isinstance(record, list | tuple):
        return [*map(_plain, record)]
    if isinstance(record, dict):
        return {name: _plain(value) for name, value in record.items()}
    return record.as_dict() if hasattr(record, "as_dict") else record
