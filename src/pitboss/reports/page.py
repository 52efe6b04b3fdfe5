"""The frame of a printed page: Letter or a large sign, its style inside it, nothing fetched from anywhere."""

from collections.abc import Iterable, Sequence
from typing import Literal

from pitboss.reports.stamp import WARNING, Stamp
from pitboss.reports.svg import Markup, element, together

Format = Literal["letter", "large"]
FORMATS: dict[Format, tuple[float, float]] = {"letter": (8.5, 11.0), "large": (24.0, 36.0)}
"""Width and height in inches."""

STYLE = """
@page { size: %(wide)sin %(high)sin; margin: %(margin)s; }
* { box-sizing: border-box; }
html { font-size: %(root)s; }
body { margin: 0 auto; max-width: %(inner)sin; padding: 1.2rem 0; color: #15181c; background: #ffffff;
  font-family: 'Helvetica Neue', Arial, 'Liberation Sans', sans-serif; font-size: 1rem; line-height: 1.38; }
h1, h2, h3 { font-family: Georgia, 'Times New Roman', 'Liberation Serif', serif; font-weight: 600; line-height: 1.15;
  color: #123c2d; break-after: avoid; }
h1 { font-size: 2.3rem; margin: 0 0 .2rem; }
h2 { font-size: 1.35rem; margin: 1.5rem 0 .5rem; border-bottom: 2px solid #b8964a; padding-bottom: .15rem; }
h3 { font-size: 1.08rem; margin: 0 0 .3rem; }
p { margin: .3rem 0 .6rem; }
header { border-bottom: 3px double #123c2d; padding-bottom: .7rem; margin-bottom: 1rem; }
.lead { font-size: 1.1rem; }
.cite { color: #5a4a1c; font-size: .82rem; white-space: nowrap; }
.source { color: #8f1d2c; font-size: .78rem; font-weight: 400; }
.quiet { color: #4b5157; font-size: .86rem; }
table { border-collapse: collapse; width: 100%%; margin: .2rem 0 .7rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; padding: .2rem 0; }
th, td { text-align: left; vertical-align: top; padding: .2rem .55rem .2rem .1rem; border-bottom: 1px solid #d8d3c3; }
th { font-size: .84rem; color: #3d4a43; }
td.number, th.number { text-align: right; white-space: nowrap; }
tr { break-inside: avoid; }
.columns { columns: %(columns)s; column-gap: 1.6rem; }
.panel { break-inside: avoid; border: 1.5px solid #123c2d; border-radius: .5rem; padding: .65rem .8rem .35rem;
  margin: 0 0 1rem; }
.panel table { margin-bottom: .3rem; }
.panel td { font-size: 1.02rem; }
.notice { break-inside: avoid; border-left: .35rem solid #8f1d2c; background: #fbf3ee; padding: .5rem .8rem;
  margin: 0 0 .7rem; font-size: 1.05rem; }
.finding { border-left-color: #8f1d2c; }
.note { border-left-color: #b8964a; background: #faf7ee; font-size: .94rem; }
.figures { display: flex; flex-wrap: wrap; gap: .5rem 1.6rem; margin: .3rem 0 .6rem; }
.figures div { min-width: 7rem; }
.figures b { display: block; font-size: 1.2rem; font-variant-numeric: tabular-nums; }
.figures span { font-size: .8rem; color: #4b5157; }
.plot { margin: .2rem 0 .8rem; }
.plot svg { width: 100%%; height: auto; display: block; }
.blank { display: inline-block; border-bottom: 1px solid #15181c; min-width: 14rem; height: 1.6rem; }
footer { margin-top: 1.6rem; border-top: 1px solid #b8964a; padding-top: .4rem; font-size: .76rem; color: #4b5157;
  overflow-wrap: anywhere; }
section { margin-bottom: .4rem; }
@media print { body { padding: 0; max-width: none; } }
"""


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
