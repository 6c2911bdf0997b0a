"""Sheets of parts as SVG, DXF and PDF: hairlines, cuts red and engravings blue, in millimetres."""

from __future__ import annotations

import io
import math
from collections.abc import Iterator, Sequence

from calmip.render.cutting import Curve, Cutting, Sheet
from calmip.render.escaping import harmless, xml_text
from calmip.render.printing import plotting

__all__ = ["FORMS", "cut_file"]

FORMS = ("svg", "dxf", "pdf")

SPACE = 20.0
"""Millimetres between two sheets in one drawing."""

COLOURS = {"cut": ("#ff0000", 1), "engrave": ("#0000ff", 5)}
"""The layers, with their colour in pictures and its number in DXF."""

HAIRLINE = 0.01
"""Millimetres: what programs for lasers take for a cut."""


def cut_file(sheets: Sequence[Sheet], cutting: Cutting, form: str) -> bytes:
    """Return sheets as one file: in a drawing one below another, in a PDF a page each.

    Raises
    ------
    SolverMissing
        If the form is ``pdf`` and matplotlib is not installed.
    """
    if form == "pdf":
        return _pdf(sheets, cutting)
    below = cutting.sheet[1] + SPACE
    whole = tuple(part.moved(0, n * below) for n, sheet in enumerate(sheets) for part in sheet)
    height = len(sheets) * below - SPACE
    lines = _svg(whole, cutting.sheet[0], height) if form == "svg" else _dxf(whole, height)
    return ("\n".join(lines) + "\n").encode()


def _svg(parts: Sheet, width: float, height: float) -> Iterator[str]:
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}mm" height="{height:g}mm" '
        f'viewBox="0 0 {width:g} {height:g}">'
    )
    for layer, (colour, _) in COLOURS.items():
        yield f'<g id="{layer}" fill="none" stroke="{colour}" stroke-width="{HAIRLINE}">'
        for part in parts:
            for curve in part.cut if layer == "cut" else part.engraved:
                yield f'<path d="{_path(curve)}"/>'
        yield "</g>"
    yield (
        f'<g id="words" fill="{COLOURS["engrave"][0]}" font-family="sans-serif" '
        'text-anchor="middle">'
    )
    for part in parts:
        for text, x, y, size in part.words:
            place = f'x="{x:.3f}" y="{y + 0.35 * size:.3f}" font-size="{size:.3f}"'
            yield f"<text {place}>{xml_text(text)}</text>"
    yield "</g>"
    yield "</svg>"


def _path(curve: Curve) -> str:
    first = curve[0]
    steps = [f"M{first[0]:.4f} {first[1]:.4f}"]
    for (x, y, bend), (right, down, _) in zip(curve, (*curve[1:], first), strict=True):
        if bend:
            radius = math.dist((x, y), (right, down)) * (1 + bend * bend) / (4 * abs(bend))
            steps.append(f"A{radius:.4f} {radius:.4f} 0 0 {int(bend < 0)} {right:.4f} {down:.4f}")
        else:
            steps.append(f"L{right:.4f} {down:.4f}")
    return "".join(steps) + "Z"


def _dxf(parts: Sheet, height: float) -> Iterator[str]:
    """Yield the groups of a DXF file of release 12, which every program reads, y upwards."""

    def group(*pairs: tuple[int, object]) -> Iterator[str]:
        for code, value in pairs:
            yield f"{code}"
            yield f"{value:.6f}" if isinstance(value, float) else f"{value}"

    yield from group((0, "SECTION"), (2, "HEADER"), (9, "$ACADVER"), (1, "AC1009"))
    yield from group((9, "$INSUNITS"), (70, 4), (0, "ENDSEC"))
    yield from group((0, "SECTION"), (2, "TABLES"), (0, "TABLE"), (2, "LAYER"), (70, 2))
    for layer, (_, number) in COLOURS.items():
        name = layer.upper()
        yield from group((0, "LAYER"), (2, name), (70, 0), (62, number), (6, "CONTINUOUS"))
    yield from group((0, "ENDTAB"), (0, "ENDSEC"), (0, "SECTION"), (2, "ENTITIES"))
    for part in parts:
        curves = [("CUT", curve) for curve in part.cut]
        for layer, curve in [*curves, *(("ENGRAVE", curve) for curve in part.engraved)]:
            yield from group((0, "POLYLINE"), (8, layer), (66, 1), (70, 1))
            for x, y, bend in curve:
                place = (10, float(x)), (20, float(height - y))
                yield from group((0, "VERTEX"), (8, layer), *place, (42, float(bend)))
            yield from group((0, "SEQEND"), (8, layer))
        for text, x, y, size in part.words:
            # Aligned by its middle (72: centred, 73: middle), which the second point says.
            low = height - y
            shown = harmless(text).encode("ascii", "replace").decode()
            yield from group((0, "TEXT"), (8, "ENGRAVE"), (10, float(x)), (20, low))
            yield from group((40, 0.7 * size), (1, shown), (72, 1), (11, float(x)), (21, low))
            yield from group((73, 2))
    yield from group((0, "ENDSEC"), (0, "EOF"))


def _pdf(sheets: Sequence[Sheet], cutting: Cutting) -> bytes:
    plotting()
    from matplotlib.backends.backend_pdf import PdfPages
    from matplotlib.figure import Figure
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    inch, point = 25.4, 72 / 25.4
    width, height = cutting.sheet
    file = io.BytesIO()
    with PdfPages(file, metadata={"Creator": None, "Producer": None, "CreationDate": None}) as pdf:
        for sheet in sheets:
            figure = Figure(figsize=(width / inch, height / inch))
            axes = figure.add_axes((0, 0, 1, 1))
            axes.set_xlim(0, width)
            axes.set_ylim(height, 0)
            axes.axis("off")
            for part in sheet:
                for layer, curves in (("cut", part.cut), ("engrave", part.engraved)):
                    for curve in curves:
                        corners, codes = _bezier(curve)
                        axes.add_patch(
                            PathPatch(
                                Path(corners, codes),
                                fill=False,
                                edgecolor=COLOURS[layer][0],
                                linewidth=0.1,
                            )
                        )
                for text, x, y, size in part.words:
                    axes.text(
                        x, y, harmless(text).replace("$", r"\$"), ha="center", va="center",
                        fontsize=size * point, color=COLOURS["engrave"][0],
                    )  # fmt: skip
            pdf.savefig(figure)
    return file.getvalue()


def _bezier(curve: Curve) -> tuple[list[tuple[float, float]], list[int]]:
    """Return a curve's points and matplotlib's codes; an arc becomes one cubic."""
    move, line, cubic, close = 1, 2, 4, 79
    corners, codes = [curve[0][:2]], [move]
    for (x, y, bend), (right, down, _) in zip(curve, (*curve[1:], curve[0]), strict=True):
        if bend:
            # Handles of 4/3 tan(angle/4) radii along the tangents.
            across, under = right - x, down - y
            half = 2 * math.atan(bend)
            radius = math.hypot(across, under) / (2 * math.sin(abs(half)))
            length = 4 / 3 * abs(bend) * radius
            way = math.atan2(under, across)
            out, into = way + half, way - half
            corners += [
                (x + length * math.cos(out), y + length * math.sin(out)),
                (right - length * math.cos(into), down - length * math.sin(into)),
            ]
            codes += [cubic, cubic]
        corners.append((right, down))
        codes.append(cubic if bend else line)
    return [*corners, curve[0][:2]], [*codes, close]
