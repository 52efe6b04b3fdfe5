"""Our own drawings as PDF, with the standard fonts and nothing embedded: what the screen shows is what is printed."""

import re
import zlib
from collections.abc import Iterable, Iterator, Sequence
from math import atan2, cos, hypot, radians, sin, sqrt, tan
from typing import Final
from xml.etree.ElementTree import Element, fromstring

POINTS: Final = 72
"""Of an inch."""
WIDTHS: Final = (
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556,
    556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833,
    722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556,
    556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334,
    260, 334, 584,
)  # fmt: skip
"""Of Helvetica's characters from space to tilde, in thousandths of the size."""
BOLDER: Final = 1.08
ROUND: Final = 0.5523
"""How far the handles of a curve reach that is a quarter of a circle of radius one."""
SIGNS: Final = str.maketrans({"−": "-", "♠": "s", "♥": "h", "♦": "d", "♣": "c"})
"""What the standard fonts lack."""


def width_of(text: str, size: float, *, bold: bool = False) -> float:
    """How wide a text is set.

    >>> round(width_of("Ante", 10), 2)
    20.57
    """
    units = sum(WIDTHS[ord(c) - 32] if 32 <= ord(c) < 127 else 556 for c in text)
    return units * size / 1000 * (BOLDER if bold else 1)


def pdf_of(drawings: Iterable[str], wide: float, high: float) -> bytes:
    """Each drawing on a page of its own, of so many points, which it fills."""
    font = "<< /Type /Font /Subtype /Type1 /BaseFont /{} /Encoding /WinAnsiEncoding >>"
    pages: list[bytes] = []
    for drawn in drawings:
        root = fromstring(drawn)
        board = [float(side) for side in root.attrib["viewBox"].split()[2:]]
        scale = min(wide / board[0], high / board[1])
        body = zlib.compress("\n".join(_page(root, scale, high)).encode("cp1252", "replace"))
        pages.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {wide:g} {high:g}] /Contents {6 + len(pages)} 0 R "
            "/Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> >>".encode()
        )
        pages.append(f"<< /Length {len(body)} /Filter /FlateDecode >>\nstream\n".encode() + body + b"\nendstream")
    kids = " ".join(f"{5 + at} 0 R" for at in range(0, len(pages), 2))
    parts = (
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages) // 2} >>".encode(),
        font.format("Helvetica").encode(),
        font.format("Helvetica-Bold").encode(),
    )
    return _file([*parts, *pages])


def _file(parts: Sequence[bytes]) -> bytes:
    out, places = bytearray(b"%PDF-1.4\n"), []
    for number, part in enumerate(parts, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, part)
    begins = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(parts) + 1)
    for place in places:
        out += b"%010d 00000 n \n" % place
    out += b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(parts) + 1, begins)
    return bytes(out)


def _page(root: Element, scale: float, high: float) -> Iterator[str]:
    """Downwards as in a drawing, not upwards as in PDF."""
    yield f"{scale:.5f} 0 0 {-scale:.5f} 0 {high:g} cm"
    for child in root:
        yield from _drawn(child)


def _drawn(node: Element) -> Iterator[str]:
    kind = node.tag.rpartition("}")[2]
    if kind == "g":
        yield "q"
        yield from _moved(node.get("transform", ""))
        for child in node:
            yield from _drawn(child)
        yield "Q"
    elif kind == "text":
        yield _text(node)
    elif kind in SHAPES:
        yield from _painted(node, SHAPES[kind](node))
    elif kind not in ("title", "desc"):
        raise ValueError(f"a drawing with <{kind}> cannot be set as PDF")


def _moved(transform: str) -> Iterator[str]:
    for name, given in re.findall(r"(\w+)\(([^)]*)\)", transform):
        numbers = [float(each) for each in given.split()]
        if name == "translate":
            yield f"1 0 0 1 {numbers[0]:.2f} {numbers[1]:.2f} cm"
        else:
            turn = radians(numbers[0])
            yield f"{cos(turn):.5f} {sin(turn):.5f} {-sin(turn):.5f} {cos(turn):.5f} 0 0 cm"


def _colour(node: Element, name: str, default: str) -> str:
    """Three shares of one, or nothing where nothing is painted."""
    told = node.get(name, default)
    if told == "none":
        return ""
    digits = told[1:] if len(told) == 7 else "".join(2 * digit for digit in told[1:])
    return " ".join(f"{int(digits[at : at + 2], 16) / 255:.3f}" for at in (0, 2, 4))


def _painted(node: Element, path: str) -> Iterator[str]:
    fill, line = _colour(node, "fill", "#000000"), _colour(node, "stroke", "none")
    if fill:
        yield f"{fill} rg"
    if line:
        dashes = node.get("stroke-dasharray", "")
        yield f"{line} RG {node.get('stroke-width', '1')} w [{dashes}] 0 d"
    if fill or line:
        yield f"{path} {'B' if fill and line else 'f' if fill else 'S'}"


def _text(node: Element) -> str:
    text = (node.text or "").translate(SIGNS)
    x, y, size = (float(node.get(name, "0")) for name in ("x", "y", "font-size"))
    bold = node.get("font-weight", "") in ("bold", "600", "700")
    wide, fit = width_of(text, size, bold=bold), node.get("textLength")
    room = float(fit) if fit else wide
    x -= {"middle": room / 2, "end": room}.get(node.get("text-anchor", ""), 0.0)
    squeezed = f"{100 * room / wide:.1f} Tz " if fit and wide else "100 Tz "
    escaped = text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
    colour, font = _colour(node, "fill", "#000000"), "F2" if bold else "F1"
    return f"BT {colour} rg /{font} {size:g} Tf {squeezed}1 0 0 -1 {x:.2f} {y:.2f} Tm ({escaped}) Tj ET"


def _numbers(node: Element, *names: str) -> list[float]:
    return [float(node.get(name, "0")) for name in names]


def _rect(node: Element) -> str:
    x, y, wide, high, corner = _numbers(node, "x", "y", "width", "height", "rx")
    if not corner:
        return f"{x:.2f} {y:.2f} {wide:.2f} {high:.2f} re"
    return _rounded(x, y, wide, high, min(corner, wide / 2, high / 2))


def _circle(node: Element) -> str:
    x, y, r = _numbers(node, "cx", "cy", "r")
    return _rounded(x - r, y - r, 2 * r, 2 * r, r)


def _rounded(x: float, y: float, wide: float, high: float, r: float) -> str:
    right, low, k = x + wide, y + high, r * (1 - ROUND)
    corners = (
        (right - r, y, right - k, y, right, y + k, right, y + r),
        (right, low - r, right, low - k, right - k, low, right - r, low),
        (x + r, low, x + k, low, x, low - k, x, low - r),
        (x, y + r, x, y + k, x + k, y, x + r, y),
    )
    path = [f"{x + r:.2f} {y:.2f} m"]
    for start_x, start_y, *curve in corners:
        path += [f"{start_x:.2f} {start_y:.2f} l", f"{' '.join(f'{each:.2f}' for each in curve)} c"]
    return " ".join(path) + " h"


def _path(node: Element) -> str:
    """Lines and arcs of circles."""
    x = y = 0.0
    path = []
    for step, given in re.findall(r"([A-Za-z])([^A-Za-z]*)", node.get("d", "")):
        numbers = [float(each) for each in re.findall(r"-?\d+(?:\.\d+)?", given)]
        if step in "Zz":
            path.append("h")
            continue
        if step == "A":
            path += _arc(x, y, numbers)
            x, y = numbers[-2:]
            continue
        if step in "hH":
            x = numbers[0] + (x if step == "h" else 0)
        elif step in "vV":
            y = numbers[0] + (y if step == "v" else 0)
        else:
            x, y = numbers
        path.append(f"{x:.2f} {y:.2f} {'m' if step == 'M' else 'l'}")
    return " ".join(path)


def _arc(x: float, y: float, given: Sequence[float]) -> Iterator[str]:
    """An arc of a circle from a point, as curves of at most a quarter each."""
    radius, _, _, large, swept, to_x, to_y = given
    middle_x, middle_y, half = (x + to_x) / 2, (y + to_y) / 2, hypot(to_x - x, to_y - y) / 2
    away = sqrt(max(radius * radius - half * half, 0.0)) / half * (1 if large == swept else -1)
    centre_x, centre_y = middle_x + away * (to_y - y) / 2, middle_y - away * (to_x - x) / 2
    begin, end = atan2(y - centre_y, x - centre_x), atan2(to_y - centre_y, to_x - centre_x)
    span = (end - begin) % radians(360) - (0 if swept else radians(360))
    reach = 4 / 3 * tan(span / 16) * radius
    for at in range(4):
        one, two = begin + span * at / 4, begin + span * (at + 1) / 4
        points = (
            (one, -reach * sin(one), reach * cos(one)), (two, reach * sin(two), -reach * cos(two)), (two, 0.0, 0.0),
        )  # fmt: skip
        told = (f"{centre_x + radius * cos(a) + dx:.2f} {centre_y + radius * sin(a) + dy:.2f}" for a, dx, dy in points)
        yield f"{' '.join(told)} c"


SHAPES: Final = {"rect": _rect, "circle": _circle, "path": _path}
