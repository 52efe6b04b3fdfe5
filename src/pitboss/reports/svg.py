"""Elements of SVG and HTML as text. What is not markup is escaped, so a name on a sign stays a name."""

from functools import lru_cache
from html import escape

from pitboss.names import clean

NAMESPACE = "http://www.w3.org/2000/svg"
FONT = "'Helvetica Neue', Arial, 'Liberation Sans', sans-serif"
SERIF = "Georgia, 'Times New Roman', 'Liberation Serif', serif"
EMPTY = frozenset(
    {
        "br", "circle", "col", "ellipse", "hr", "line", "meta", "path", "polygon", "polyline", "rect", "use",
    }
)  # fmt: skip
"""Elements that never have contents; every other one is closed by name, as HTML demands."""


class Markup(str):
    """Text that is markup already."""

    __slots__ = ()


def plain(value: object) -> str:
    """A value as text that XML can carry: control characters and halves of surrogate pairs become a sign for them.

    >>> plain(2.5), plain(3.0), plain("a\\x00b")
    ('2.5', '3', 'a\\ufffdb')
    """
    if isinstance(value, float):
        shown = f"{value:.2f}".rstrip("0").rstrip(".")
        return "0" if shown == "-0" else shown
    return clean(str(value))


def attribute(key: str) -> str:
    """How markup writes a name that Python could not.

    >>> attribute("class_"), attribute("data_seat")
    ('class', 'data-seat')
    """
    return key.rstrip("_").replace("_", "-")


def element(name: str, /, *children: object, **attributes: object) -> Markup:
    """One element. Children that are not markup are escaped; attributes that are ``None`` are left out.

    >>> element("text", "a < b", x=1.0, class_="note", font_size=12, data_seat=None)
    '<text x="1" class="note" font-size="12">a &lt; b</text>'
    """
    parts = [name]
    for key, value in attributes.items():
        if value is not None:
            parts.append(f'{attribute(key)}="{escape(plain(value))}"')
    head = " ".join(parts)
    inside = together(*children)
    return Markup(f"<{head}/>" if name in EMPTY and not inside else f"<{head}>{inside}</{name}>")


def rect(x: float, y: float, wide: float, high: float, **more: object) -> Markup:
    return element("rect", x=x, y=y, width=wide, height=high, **more)


def together(*children: object) -> Markup:
    """Pieces one after the other; nothing where a piece is ``None``."""
    return Markup(
        "".join(c if isinstance(c, Markup) else escape(plain(c), quote=False) for c in children if c is not None)
    )


def drawing(
    title: str, description: str, board: tuple[float, float], *children: object, **attributes: object
) -> Markup:
    """A whole drawing, named and described for those who do not see it; scales with its board unless given a size."""
    shown = {"role": "img", "aria_label": title, **attributes}
    return element(
        "svg",
        element("title", title),
        element("desc", description),
        *children,
        xmlns=NAMESPACE,
        viewBox=f"0 0 {plain(float(board[0]))} {plain(float(board[1]))}",
        **shown,
    )


def label(
    text: object, x: float, y: float, size: float, *, fit: float | None = None, anchor: str = "middle", **more: object
) -> Markup:
    """Text, squeezed into ``fit`` where it would be wider. Widths are estimated, because fonts are the reader's."""
    shown = plain(text)
    squeezed = fit is not None and width_of(shown, size, bold="font_weight" in more) > fit
    return element(
        "text",
        shown,
        x=float(x),
        y=float(y),
        font_size=float(size),
        text_anchor=anchor,
        textLength=fit if squeezed else None,
        lengthAdjust="spacingAndGlyphs" if squeezed else None,
        **more,
    )


NARROW, WIDE = frozenset("iljtfrI.,:;'|!()[] -1"), frozenset("mwMWQO@%&")


@lru_cache(maxsize=4096)
def width_of(text: str, size: float, *, bold: bool = False) -> float:
    """About how wide a sans-serif text is."""
    units = sum(
        0.34 if letter in NARROW else 0.88 if letter in WIDE else 0.70 if letter.isupper() else 0.56 for letter in text
    )
    return units * size * (1.05 if bold else 1.0)


def wrapped(text: str, size: float, width: float) -> list[str]:
    """Text in lines that are at most this wide, words kept whole."""
    lines: list[str] = []
    for word in text.split():
        joined = f"{lines[-1]} {word}" if lines else word
        if lines and width_of(joined, size) <= width:
            lines[-1] = joined
        else:
            lines.append(word)
    return lines or [""]


def halves(text: str, size: float, width: float) -> list[str]:
    """Text on one line if it fits, else on two lines that are as even as its words allow."""
    words = text.split()
    if len(words) < 2 or width_of(text, size, bold=True) <= width:
        return [text]
    splits = [(" ".join(words[:at]), " ".join(words[at:])) for at in range(1, len(words))]
    return list(min(splits, key=lambda pair: max(width_of(line, size) for line in pair)))
