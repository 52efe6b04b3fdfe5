"""The frame of a printed page: Letter or a large sign, its style inside it, nothing fetched from anywhere."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Literal

from pitboss.reports.stamp import WARNING, Stamp
from pitboss.reports.svg import Markup, element, together

Format = Literal["letter", "tabloid", "large"]
FORMATS: dict[Format, tuple[float, float]] = {"letter": (8.5, 11.0), "tabloid": (11.0, 17.0), "large": (24.0, 36.0)}
"""Width and height in inches."""

STYLE = (Path(__file__).parent / "page.css").read_text(encoding="utf-8")


def page(title: str, stamp: Stamp, *parts: object, size: Format = "letter", columns: int = 2) -> str:
    """A whole page, ready to be printed; the stamp stands at its foot."""
    wide, high = FORMATS[size]
    large = size == "large"
    margin = 1.0 if large else 0.55
    style = STYLE % {
        "wide": f"{wide:g}",
        "high": f"{high:g}",
        "margin": f"{margin:g}in",
        "inner": f"{wide - 2 * margin:g}",
        "root": "30pt" if large else "10.5pt",
        "columns": columns,
    }
    body = element("body", element("main", *parts), footer(stamp))
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("title", title),
        element("style", Markup(style)),
    )
    return "<!DOCTYPE html>\n" + element("html", head, body, lang="en") + "\n"


def heading(title: str, holder: str, about: str) -> Markup:
    """What a paper is, whose it is, and by which law."""
    return element(
        "header", element("h1", title), element("div", holder, class_="lead"), element("div", about, class_="quiet")
    )


def footer(stamp: Stamp) -> Markup:
    return element("footer", element("div", str(stamp)), element("div", WARNING))


def cited(cite: object, source: str = "") -> Markup:
    """A paragraph as it stands beside what rests on it, and where it is not printed what it rests on instead."""
    shown = element("span", f"§ {cite}", class_="cite")
    return together(shown, " ", element("span", f"({source})", class_="source")) if source else shown


def table(
    headings: Sequence[str], rows: Iterable[Sequence[object]], *, numbers: Iterable[int] = (), caption: str = ""
) -> Markup:
    """A table; ``numbers`` are the columns that are set flush right."""
    right = frozenset(numbers)

    def cell(kind: str, at: int, content: object, **more: object) -> Markup:
        return element(kind, content, class_="number" if at in right else None, **more)

    head = element("tr", *(cell("th", at, text, scope="col") for at, text in enumerate(headings)))
    body = [element("tr", *(cell("td", at, value) for at, value in enumerate(row))) for row in rows]
    return element(
        "table",
        element("caption", caption) if caption else None,
        element("thead", head) if any(headings) else None,
        element("tbody", *body),
    )


def panel(title: object, *parts: object, cite: object = None, source: str = "") -> Markup:
    heading = element("h3", title, " " if cite else None, cited(cite, source) if cite else None)
    return element("div", heading, *parts, class_="panel")


def notice(text: object, cite: object = None, kind: str = "", source: str = "") -> Markup:
    told = cited(cite, source) if cite else None
    return element("div", text, " " if cite else None, told, class_=f"notice {kind}".strip())


def figures(pairs: Iterable[tuple[str, str]]) -> Markup:
    """Large numbers with small names."""
    return element(
        "div", *(element("div", element("b", value), element("span", name)) for name, value in pairs), class_="figures"
    )


def section(title: object, *parts: object) -> Markup:
    return element("section", element("h2", title), together(*parts))
