"""Sheets of parts in millimetres: drawings, cuts red and engravings blue, or solids."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence

from calmip._base.errors import InputError
from calmip.puzzle.lattice import Point
from calmip.puzzle.render.escaping import xml_text
from calmip.puzzle.render.outline import Curve, apex, extent
from calmip.puzzle.render.picture import Words
from calmip.puzzle.render.report import Output
from calmip.puzzle.render.svg import number as rounded
from calmip.puzzle.render.svg import text_place
from calmip.workshop.cut import Cutting, CuttingPlan
from calmip.workshop.cutting import arrange
from calmip.workshop.nesting import Nesting
from calmip.workshop.solids import solid_file
from calmip.workshop.workpieces import Sheet

COLOURS = {"cut": ("#ff0000", 1), "engrave": ("#0000ff", 5)}
"""The layers, with their colour in pictures and its number in DXF."""


def cut_files(sheets: Sequence[Sheet], cutting: Cutting, form: str) -> list[bytes]:
    """Return sheets as files, or as one PDF; raise `InputError` if words stay text outside SVG."""
    if cutting.words == "text" and form != "svg":
        raise InputError(f"--words text goes with .svg; a .{form} has words as lines")
    if form == "pdf":
        return [_pdf(sheets, cutting)]
    lines = _svg if form == "svg" else _dxf
    return [("\n".join(lines(sheet, cutting)) + "\n").encode() for sheet in sheets]


def drawings(plan: CuttingPlan, form: str) -> tuple[bytes, ...]:
    """Return the sheets as drawings."""
    return tuple(cut_files(arrange(plan).sheets, plan.cutting, form))


def solids(plan: CuttingPlan, form: str) -> tuple[bytes, ...]:
    """Return the sheets as solids; raise `InputError` for what a printer does not do."""
    cutting = plan.cutting
    wrong = {
        "--kerf": cutting.kerf > 0,
        "--common-lines": plan.tiling is not None,
        "--card": bool(cutting.card),
        "--scale-bar and paper": cutting.paper,
        f"--words {cutting.words}": cutting.words != "lines",
    }
    for option, given in wrong.items():
        if given:
            raise InputError(f"{option} goes with .svg, .dxf and .pdf; a .{form} has solids alone")
    sheets = arrange(plan, solid=True).sheets
    return tuple(solid_file(sheet, cutting, form, plan.puzzle.name) for sheet in sheets)


def notes(plan: CuttingPlan) -> list[str]:
    """Return the number of sheets, if there are several, and what is known of fewer."""
    return [_count(layout.nesting) for layout in plan.arranged.values() if layout.sheets[1:]]


def _count(nesting: Nesting) -> str:
    if nesting.sheets == nesting.bound:
        return f"{nesting.sheets} sheets; fewer are impossible"
    why = "not proved to be the fewest"
    if nesting.ruled_out:
        why = f"fewer are impossible on a grid of {nesting.grid:.3g} mm (proved)"
    every = f"every arrangement needs at least {nesting.bound}, gap {nesting.gap:.1%}"
    return f"{nesting.sheets} sheets; {why}; {every}"


CUTTING_PLAN = Output(
    {**dict.fromkeys(("svg", "dxf", "pdf"), drawings), **dict.fromkeys(("stl", "3mf"), solids)},
    notes=notes,
)
"""Flat sheets as drawings, and parts as solids."""


def _number(value: float) -> str:
    """Return millimetres with four decimals; fewer would bend small arcs."""
    return rounded(value, 4)


def _layer(sheet: Sheet, layer: str) -> list[tuple[Curve, bool]]:
    """Return the lines of a layer, and whether they are closed.

    Small shapes are cut first: what lies in a hole is cut out before the hole.
    """
    if layer == "engrave":
        return [(curve, False) for part in sheet for curve in part.engraved]
    shared = [(curve, False) for part in sheet for curve in part.common]
    closed = [curve for part in sheet for curve in part.cut]
    return shared + [(curve, True) for curve in sorted(closed, key=_size)]


def _size(curve: Curve) -> float:
    left, top, right, bottom = extent([curve])
    return (right - left) * (bottom - top)


def _ways(curve: Curve) -> Iterator[tuple[Point, float, Point]]:
    """Yield each way of a line: where it starts, how it bends, where it ends.

    The way back to a closed line's first point is straight, and left to the file's format.
    """
    for (x, y, bend), (right, down, _) in itertools.pairwise(curve):
        yield (x, y), bend, (right, down)


def _svg(sheet: Sheet, cutting: Cutting) -> Iterator[str]:
    width, height = cutting.sheet
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}mm" height="{height:g}mm" '
        f'viewBox="0 0 {width:g} {height:g}">'
    )
    for layer, (colour, _) in COLOURS.items():
        yield (
            f'<g id="{layer}" fill="none" stroke="{colour}" stroke-width="{cutting.line}" '
            'stroke-linejoin="round">'
        )
        for curve, closed in _layer(sheet, layer):
            yield f'<path d="{_path(curve, closed=closed)}"/>'
        yield "</g>"
    if cutting.words == "text":
        yield (
            f'<g id="words" fill="{COLOURS["engrave"][0]}" font-family="sans-serif" '
            'text-anchor="middle">'
        )
        for word in (word for part in sheet for word in part.words):
            place = text_place(Words(word.x, word.y, word.text, word.size), 4)
            x, y = _number(word.x), _number(word.y)
            turn = f' transform="rotate({90 * word.turns} {x} {y})"' * bool(word.turns)
            yield f"<text {place}{turn}>{xml_text(word.text)}</text>"
        yield "</g>"
    yield "</svg>"


def _path(curve: Curve, *, closed: bool) -> str:
    steps = [f"M{_number(curve[0][0])} {_number(curve[0][1])}"]
    for here, bend, (right, down) in _ways(curve):
        end = f"{_number(right)} {_number(down)}"
        if bend:
            radius = _number(math.dist(here, (right, down)) * (1 + bend * bend) / (4 * abs(bend)))
            steps.append(f"A{radius} {radius} 0 0 {int(bend < 0)} {end}")
        else:
            steps.append(f"L{end}")
    return "".join(steps) + "Z" * closed


def _dxf(sheet: Sheet, cutting: Cutting) -> Iterator[str]:
    """Yield the groups of a DXF file of release 12, which every program reads, y upwards."""

    def group(*pairs: tuple[int, object]) -> Iterator[str]:
        for code, value in pairs:
            yield f"{code}"
            yield f"{value:.6f}" if isinstance(value, float) else f"{value}"

    yield from group((0, "SECTION"), (2, "HEADER"), (9, "$ACADVER"), (1, "AC1009"))
    yield from group((9, "$INSUNITS"), (70, 4), (0, "ENDSEC"))
    yield from group((0, "SECTION"), (2, "TABLES"), (0, "TABLE"), (2, "LAYER"), (70, 2))
    for layer, (_, colour) in COLOURS.items():
        name = layer.upper()
        yield from group((0, "LAYER"), (2, name), (70, 0), (62, colour), (6, "CONTINUOUS"))
    yield from group((0, "ENDTAB"), (0, "ENDSEC"), (0, "SECTION"), (2, "ENTITIES"))
    for layer in COLOURS:
        name = layer.upper()
        for curve, closed in _layer(sheet, layer):
            yield from group((0, "POLYLINE"), (8, name), (66, 1), (70, int(closed)))
            for x, y, bend in curve:
                place = (10, float(x)), (20, float(cutting.sheet[1] - y))
                yield from group((0, "VERTEX"), (8, name), *place, (42, float(bend)))
            yield from group((0, "SEQEND"), (8, name))
    yield from group((0, "ENDSEC"), (0, "EOF"))


def _pdf(sheets: Sequence[Sheet], cutting: Cutting) -> bytes:
    """Return a file of lines alone, which needs no library: a page and its content per sheet."""
    width, height = (length * 72 / 25.4 for length in cutting.sheet)
    pages = " ".join(f"{3 + 2 * n} 0 R" for n in range(len(sheets)))
    objects = [
        # Printed at 100 %, where the program that prints asks the file.
        b"<< /Type /Catalog /Pages 2 0 R /ViewerPreferences << /PrintScaling /None >> >>",
        f"<< /Type /Pages /Kids [{pages}] /Count {len(sheets)} "
        f"/MediaBox [0 0 {_number(width)} {_number(height)}] >>".encode(),
    ]
    for sheet in sheets:
        content = "\n".join(_operators(sheet, cutting)).encode()
        objects += [
            (
                f"<< /Type /Page /Parent 2 0 R /Resources << >> /Contents {len(objects) + 2} 0 R >>"
            ).encode(),
            b"<< /Length %d >>\nstream\n%b\nendstream" % (len(content), content),
        ]
    data = b"%PDF-1.6\n%\xe2\xe3\xcf\xd3\n"
    places = []
    for n, one in enumerate(objects, start=1):
        places.append(b"%010d 00000 n \n" % len(data))
        data += b"%d 0 obj\n%b\nendobj\n" % (n, one)
    count = len(objects) + 1
    table = b"xref\n0 %d\n0000000000 65535 f \n%b" % (count, b"".join(places))
    end = b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (count, len(data))
    return data + table + end


def _operators(sheet: Sheet, cutting: Cutting) -> Iterator[str]:
    """Yield what draws a sheet, in millimetres with y downwards."""
    scale = 72 / 25.4
    yield f"{scale:.6f} 0 0 {-scale:.6f} 0 {cutting.sheet[1] * scale:.6f} cm"
    yield f"{cutting.line} w 1 J 1 j"
    for layer, (colour, _) in COLOURS.items():
        shade = (int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5))
        yield " ".join(map(_number, shade)) + " RG"
        for curve, closed in _layer(sheet, layer):
            yield f"{_number(curve[0][0])} {_number(curve[0][1])} m"
            for here, bend, there in _ways(curve):
                yield from _curve_to(here, bend, there)
            yield "s" if closed else "S"


def _curve_to(here: Point, bend: float, there: Point) -> Iterator[str]:
    """Yield a way as PDF has it: an arc of up to a quarter turn becomes one cubic curve."""
    end = f"{_number(there[0])} {_number(there[1])}"
    if not bend:
        yield f"{end} l"
    elif abs(bend) > 0.415:
        middle, half = apex(here, bend, there), math.tan(math.atan(bend) / 2)
        yield from _curve_to(here, half, middle)
        yield from _curve_to(middle, half, there)
    else:
        # Handles of 4/3 tan(angle/4) radii along the tangents.
        across, down = there[0] - here[0], there[1] - here[1]
        half = 2 * math.atan(bend)
        length = 2 / 3 * bend * math.hypot(across, down) / math.sin(half)
        way = math.atan2(down, across)
        out, into = way + half, way - half
        handles = (
            here[0] + length * math.cos(out),
            here[1] + length * math.sin(out),
            there[0] - length * math.cos(into),
            there[1] - length * math.sin(into),
        )
        yield f"{' '.join(map(_number, handles))} {end} c"
