"""Whatever stands in an address, in any parameter of any route, is answered without a fault of ours."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import annotated_types
import pytest
from fastapi import FastAPI
from fastapi.routing import iter_route_contexts
from pydantic.fields import FieldInfo

import pitboss.web.views
from pitboss.web.models import LARGEST
from pitboss.web.security import COOKIE
from tests.web.harness import House, running

PAGES = Path(next(iter(pitboss.web.views.__path__)))
VALUES = ("9" * 23, "-" + "9" * 23, str(2**63), str(LARGEST), "1e999", "%00", "%ED%A0%80", "%D9%A3", "x" * 20_000)
ROLES = ("", "admin-1", "auditor-1", "manager-1", "p1")
ENDLESS = ("/stream",)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with running(f"sqlite:///{tmp_path_factory.mktemp('addresses') / 'ledger.db'}", pages=True) as opened:
        opened.open("tcp-1", "three-card-poker", 1)
        yield opened


def parameters(app: FastAPI) -> Iterator[tuple[str, set[str], str, FieldInfo]]:
    """Path, methods, name and field of every parameter of every route."""
    for route in iter_route_contexts(app.routes):
        found: Any = getattr(route, "dependant", None) or getattr(route.route, "dependant", None)
        for each in (*found.path_params, *found.query_params) if found else ():
            yield str(route.path), route.methods or set(), each.name, each.field_info


def app_of(house: House) -> FastAPI:
    served: Any = house.server.config.app
    assert isinstance(served, FastAPI)
    return served


def bounded(field: FieldInfo) -> bool:
    """Whether both bounds stand with the number, directly or in ``int | None``."""
    inner = [each for part in getattr(field.annotation, "__args__", ()) for each in getattr(part, "__metadata__", ())]
    bounds = [*field.metadata, *(bound for each in inner for bound in getattr(each, "metadata", ()))]
    most = [bound.le for bound in bounds if isinstance(bound, annotated_types.Le)]
    return any(isinstance(bound, annotated_types.Ge) for bound in bounds) and most != [] and most <= [LARGEST]


def test_every_number_of_an_address_has_bounds(house: House) -> None:
    numbers = [
        (path, name, bounded(field))
        for path, _, name, field in parameters(app_of(house))
        if re.search(r"\bint\b", str(field.annotation))
    ]
    assert [each for each in numbers if not each[2]] == []
    assert len(numbers) > 15


def test_no_address_breaks_a_page_or_the_interface(house: House) -> None:
    pages = "".join(path.read_text(encoding="utf-8") for path in PAGES.glob("*.py"))
    read = re.findall(r'(?:query_params\.get|given\.get|query_params\.getlist|\.given)\("(\w+)"', pages)
    routes: dict[str, set[str]] = {}
    for route in iter_route_contexts(app_of(house).routes):
        if "GET" in (route.methods or ()) and not str(route.path).endswith(ENDLESS):
            routes.setdefault(str(route.path), set(read) if not str(route.path).startswith("/api") else set())
    for path, methods, name, _ in parameters(app_of(house)):
        if "GET" in methods and path in routes:
            routes[path].add(name)
    assert {"/slip/{table}/{number}", "/school", "/analyst/{what}.{kind}", "/api/audit/events"} <= routes.keys()
    http, wrong, statuses = house.http(), [], Counter[int]()
    for at, (path, names) in enumerate(sorted(routes.items())):
        for turn, value in enumerate(VALUES):
            who = ROLES[(at + turn) % len(ROLES)] if "slip" not in path else "auditor-1"
            address, wanted = path.replace("{table}", "tcp-1"), sorted(names)
            for name in re.findall(r"{(\w+)", address):
                address = re.sub(f"{{{name}[^}}]*}}", value, address)
            # The whole must stay below the limit of headers, or it is refused before any route sees it.
            query = "&".join(f"{name}={value}" for name in wanted[: 1 if len(value) > 1000 else None])
            headers = {"Cookie": f"{COOKIE}={house[who].token}"} if who else {}
            answer = http.get(f"{address}?{query}", headers=headers)
            statuses[answer.status_code] += 1
            if answer.status_code >= 500:
                wrong.append((path, value[:30], who, answer.status_code))
    assert wrong == []
    assert statuses[200] > 50, statuses
    assert statuses.total() > 300, statuses
