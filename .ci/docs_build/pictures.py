"""The pictures of the README and the site, drawn by calmip's own renderer.

    python .ci/docs_build/pictures.py            writes docs/pictures/
    python .ci/docs_build/pictures.py --check    compares, byte for byte
    python .ci/docs_build/pictures.py --screens  takes those of the page anew, in Chromium

They lie in the repository, so that a code host shows them and the site needs no drawing.
"""

from __future__ import annotations

import argparse
import itertools
import math
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from charts import chart_picture, charts, curves_picture
from course_graph import course_picture

import calmip
from calmip.bench import bench_report as plots
from calmip.mip.lp.exact_lp import ExactLp
from calmip.mip.model import Model
from calmip.puzzle.render.picture import Area, Mark, Picture, Words, shift
from calmip.puzzle.render.printing import png_of
from calmip.puzzle.render.reports.relaxations import tree_picture
from calmip.puzzle.render.svg import svg_file
from calmip.puzzle.render.tiles import (
    day_picture,
    puzzle_picture,
    shares_picture,
    sheet_picture,
    tiling_picture,
)
from calmip.workshop.cut import HAIRLINE, CuttingPlan
from calmip.workshop.cutting import arrange
from calmip.workshop.report import COLOURS, cut_files
from calmip.workshop.workpieces import flat
from calmip.year.calendar import Calendar, DaySearch, days_of
from calmip.year.calendar_sheets import calendar_sheets
from calmip.year.holidays import read_holidays
from calmip.year.year_picture import year_picture

DOCS = Path(__file__).parents[2] / "docs"
FOLDER = DOCS / "pictures"
THEMES = ("light", "dark")
DESIGNS = {
    "pentominoes": ("a-puzzle-a-day", "F,L,N,P,U,V,Y,O6"),
    "hexomino": ("a-puzzle-a-day", "F,L,N,P,U,V,Y,6-6"),
    "weekday": ("weekday-8x7", "F,L,N,P,U,V,Y,I4,L4,S4"),
    "hexagons": ("hex43-v1", "J4,J4,O4,P4,P4,S4,S4,U4,Y4,5-11"),
}
"""The best sets of docs/explanation/design.md: a board, and its pieces."""
SEEN = {"light": ("#d00000", "#0000ff"), "dark": ("#ff7b72", "#86abf2")}
"""The colours of what is cut and of what is engraved where they are looked at, not cut."""

LOGO = Path(__file__).parent / "logo.yaml"


def drawn() -> Iterator[tuple[str, str]]:
    """Yield the name and the text of every picture."""
    for name, picture, cell in pictures():
        for theme in THEMES:
            yield f"{name}-{theme}.svg", svg_file(replace(picture, cell=cell), theme=theme)
    report = calmip.bench.report(DOCS.parent / "benchmarks" / "campaign.db", clock="cpu")
    for name, plot in (("profile", plots.performance(report)), ("cactus", plots.cactus(report))):
        for theme in THEMES:
            yield f"campaign-{name}-{theme}.svg", svg_file(plot.picture(), theme=theme)
    for theme in THEMES:
        for name, plan in cut_plans().items():
            yield f"{name}-{theme}.svg", cut_drawing(plan, theme)
        yield f"solids-{theme}.svg", svg_file(solids_picture(), theme=theme)
    yield "logo.svg", svg_file(replace(logo(), cell=32), theme="light")


def pictures() -> Iterator[tuple[str, Picture, float]]:
    """Yield the pictures that there are in both themes, each with its pixels per unit."""
    puzzle = calmip.read_puzzle("a-puzzle-a-day")
    leap_day = calmip.read_instance("feb29")
    tilings = calmip.enumerate(leap_day).tilings
    hexagons = calmip.read_instance("hex43-v1", reveal="Feb,29")
    yield "leap-day", tiling_picture(tilings[0]), 48
    yield "twelve", sheet_picture(tilings[:12], columns=6), 16
    yield "hexagons", tiling_picture(calmip.enumerate(hexagons, limit=1).tilings[0]), 40
    for name, file, reveal in (
        ("triangles", "year", "Jan,1"),
        ("rhombs", "cubes", ""),
        ("pentagons", "street", ""),
    ):
        cells = instance_on(DOCS / "how-to" / "triangles.md", file, reveal=reveal)
        yield name, tiling_picture(calmip.solve(cells).tilings[0]), 32
    yield "puzzle", puzzle_picture(puzzle), 32
    own = instance_on(DOCS / "tutorials" / "write-the-model.md")
    yield "own", sheet_picture(calmip.enumerate(own).tilings, columns=4), 24
    # Half of each of four placements is the only point of this relaxation.
    six = instance_on(DOCS / "explanation" / "relaxation.md")
    found = calmip.relax(six)
    yield "relaxation", shares_picture(six, found.shares()), 40
    yield "tree", tree_picture(calmip.tree(six)), 40
    yield "course", course_picture(), 32
    eight = instance_on(DOCS / "tutorials" / "duality.md")
    yield "duality", signed(eight, {(1, 0): "-1", (1, 2): "-1", (2, 1): "-1"}), 40
    twelve = instance_on(DOCS / "explanation" / "iis.md")
    yield "conflict", signed(twelve, dict.fromkeys(calmip.explain(twelve).cells, "1")), 40
    plus = instance_on(DOCS / "explanation" / "same-models.md")
    arms = dict.fromkeys([(0, 1), (1, 0), (1, 2), (2, 1)], "1/2")
    yield "strength", signed(plus, {**arms, (1, 1): "2"}), 40
    two = instance_on(DOCS / "tutorials" / "symmetry.md")
    yield "symmetry", sheet_picture(calmip.enumerate(two).tilings, columns=4), 24
    square = instance_on(DOCS / "tutorials" / "column-generation.md")
    yield "packing", shares_picture(square, packed(square)), 40
    yield "year", year_picture(calmip.year(puzzle)), 30
    for name, sheet in on_the_wall(puzzle).items():
        yield f"wall-{name}", sheet, 3.2
    for name in DESIGNS:
        yield f"design-{name}", puzzle_picture(design(name)), 24
    yield "design-year", year_picture(calmip.year(design("pentominoes"))), 30
    for chart in charts():
        yield chart.name, chart_picture(chart), 30
    yield "generated", curves_picture(), 30


def on_the_wall(puzzle: calmip.Puzzle) -> dict[str, Picture]:
    """Return a month, a week and half a sheet of answers of a calendar for the wall."""
    search = DaySearch(puzzle)
    days = [search.day(date) for date in days_of(2027) if date.month <= 3]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "family.yaml"
        file.write_text(block_in(DOCS / "how-to" / "wall.md", "<!-- file: family.yaml -->"))
        holidays = read_holidays(file, 2027)
    calendar = Calendar(puzzle, 2027, 0, tuple(days), wall=True, holidays=holidays)
    *months, answers = calendar_sheets(calendar)
    weeks = calendar_sheets(replace(calendar, week=True))
    answers = replace(answers, height=answers.height / 2)
    return {"month": months[2], "week": weeks[12], "answers": answers}


def block_in(page: Path, mark: str) -> str:
    """Return the first block of code below a mark on a page."""
    _, _, below = page.read_text(encoding="utf-8").partition(f"{mark}\n")
    return below.split("```")[1].partition("\n")[2]


def design(name: str) -> calmip.Puzzle:
    """Return the puzzle of one of `DESIGNS`."""
    board, words = DESIGNS[name]
    frame = calmip.read_board(board)
    pool = calmip.read_pool(words, frame)
    return pool.puzzle(frame, pool.most)


def signed(instance: calmip.Instance, texts: dict[tuple[int, int], str]) -> Picture:
    """Return a board with a text on some cells."""
    board = day_picture(instance, None)
    words = [Words(column + 0.5, row + 0.5, text, 0.4) for (row, column), text in texts.items()]
    return replace(board, marks=(*board.marks, *words))


def packed(instance: calmip.Instance) -> dict[tuple[int, int], list[tuple[str, float]]]:
    """Return the shares of the pieces of each cell, at the optimum of the page's linear program."""
    cover = calmip.ExactCover(instance)
    rows = [
        (item.name, dict.fromkeys(members, 1.0), -math.inf, 1.0)
        for item, members in zip(cover.items, cover.options_of(), strict=True)
    ]
    costs = [-float(5 + 7 * number % 13) for number in range(cover.columns)]
    model = Model.from_rows(cover.option_names, rows, costs, maximise=True)
    point = ExactLp(model, range(cover.columns)).solve().point
    shares: dict[tuple[int, int], dict[str, float]] = {one: {} for one in instance.to_cover}
    for option, part in sorted(point.items()):
        placement = cover.option(option)
        assert isinstance(placement, calmip.Placement)
        for cell in placement.cells:
            old = shares[cell].get(placement.piece, 0.0)
            shares[cell][placement.piece] = old + float(part)
    return {
        cell: [*of.items(), ("", max(0.0, 1.0 - sum(of.values())))] for cell, of in shares.items()
    }


def cut_plans() -> dict[str, CuttingPlan]:
    """Return the sheets of docs/how-to/design.md and workshop.md."""
    puzzle = calmip.read_puzzle("a-puzzle-a-day")
    card = "https://calmip.github.io/calmip/play/index.html#puzzle=a-puzzle-a-day"
    return {
        "cut": calmip.cut(design("pentominoes"), kerf="0.15mm", radius="0.5mm", sheet="600x220"),
        "workshop": calmip.cut(puzzle, extras=["notch", "lid", "stand"], card=card),
        "common": calmip.cut(puzzle, common_lines=True, extras=["notch"], sheet="340x166"),
    }


def solids_picture() -> Picture:
    """Return the parts of docs/how-to/workshop.md for a printer, seen from above the front."""
    plan = calmip.cut(calmip.read_puzzle("a-puzzle-a-day"), clearance="0.3mm", sheet="340x180")
    (sheet,) = arrange(plan, solid=True).sheets
    unit, thick = 1 / plan.cutting.cell, plan.cutting.thickness

    def seen(point: tuple[float, float], height: float) -> tuple[float, float]:
        return point[0] * unit, (0.8 * point[1] - 0.6 * height) * unit + 1

    marks: list[Mark] = []
    for part in sorted(sheet, key=lambda one: one.box[3]):
        layers = [(part.cut, 0.0), (part.above, thick)] if part.above else [(part.cut, 0.0)]
        for curves, low in layers:
            loops = [flat(curve, halvings=2) for curve in curves]
            walls = sorted(
                (side for loop in loops for side in zip(loop, (*loop[1:], loop[0]), strict=True)),
                key=lambda side: side[0][1] + side[1][1],
            )
            for here, there in walls:
                wall = (
                    seen(here, low),
                    seen(there, low),
                    seen(there, low + thick),
                    seen(here, low + thick),
                )
                marks.append(Area((wall,), "#8a96a8", "#6b7686", 0.01))
            top = tuple(tuple(seen(point, low + thick) for point in loop) for loop in loops)
            marks.append(Area(top, "#cfd6e0", "#6b7686", 0.01))
            for curve in part.engraved if low == 0 else ():
                line = tuple(seen(point, thick) for point in flat(curve, closed=False))
                marks.append(Area((line,), "", "#6b7686", 0.04, closed=False))
    height = 0.8 * plan.cutting.sheet[1] * unit + 1.5
    return Picture(
        plan.cutting.sheet[0] * unit,
        height,
        tuple(marks),
        "Solids for a 3D printer",
        "A tray with engraved labels, and eight pieces.",
        cell=32.0,
    )


def cut_drawing(plan: CuttingPlan, theme: str) -> str:
    """Return a sheet in lines that are seen on a screen."""
    (data,) = cut_files(arrange(plan).sheets, plan.cutting, "svg")
    text = data.decode()
    text = text.replace(f'stroke-width="{HAIRLINE}"', 'stroke-width="0.8"')
    for (shade, _), seen in zip(COLOURS.values(), SEEN[theme], strict=True):
        text = text.replace(shade, seen)
    return text


def screens() -> None:
    """Write what the page and its model look like in the middle of leap day, in both themes."""
    from playwright.sync_api import sync_playwright

    laid = "U:Jan+Mar+Jul+Aug+Sep;O6:Apr+May+Jun+Oct+Nov+Dec"
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        page = calmip.play(output=Path(folder) / "play.html").path.as_uri()
        chromium = os.environ.get("CALMIP_CHROMIUM") or shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for theme, (name, view) in itertools.product(
            THEMES, {"play": "play", "play-model": "model"}.items()
        ):
            window = browser.new_page(
                viewport={"width": 1120, "height": 700}, color_scheme=theme, device_scale_factor=1
            )
            window.add_init_script("localStorage.setItem('calmip.assist', 'full')")
            window.goto(f"{page}#puzzle=a-puzzle-a-day&date=2024-02-29&placed={laid}&view={view}")
            if view == "model":
                window.locator("#row").select_option("29")  # cell 19
            window.wait_for_timeout(2000)  # the count of what is left comes after the board
            window.screenshot(path=FOLDER / f"{name}-{theme}.png", full_page=view == "model")
        browser.close()


def instance_on(page: Path, file: str = r"\S+", reveal: str = "") -> calmip.Instance:
    """Return an instance that stands on a page as a file: the first one, or that of a name."""
    mark = rf"<!-- file: ({file}\.yaml) -->\n```yaml\n(.*?)```"
    found = re.search(mark, page.read_text(), re.DOTALL)
    assert found is not None, page
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / found[1]
        path.write_text(found[2])
        return calmip.read_instance(path, reveal=reveal or None)


def logo() -> Picture:
    """Return a board of four by four: three pieces, and one cell that stays open."""
    return Picture(
        4.1,
        4.1,
        tuple(shift(_logo_marks(), 0.05, 0.05)),
        "calmip",
        "Three pieces on a board of four by four; one cell is open.",
    )


def social() -> Picture:
    """Return the card that pages elsewhere show for a link to the site, 1200 by 630 pixels."""
    tiling = calmip.enumerate(calmip.read_instance("feb29"), limit=1).tilings[0]
    board = day_picture(tiling.instance, tiling).marks
    marks = [
        *shift(board, 0.65, 0.4, 5.5 / 7),
        _line("calmip", 2.3, 1.3, bold=True),
        _line("Solve calendar puzzles,", 3.5, 0.38),
        _line("and learn integer", 4.0, 0.38),
        _line("programming from them", 4.5, 0.38),
    ]
    return Picture(12, 6.3, tuple(marks), "calmip", "A solved calendar puzzle and the name calmip.")


def _line(text: str, y: float, size: float, *, bold: bool = False) -> Words:
    return Words(6.9, y, text, size, bold=bold, start=True)


def _logo_marks() -> list[Mark]:
    instance = calmip.read_instance(LOGO)
    tiling = calmip.enumerate(instance, limit=1).tilings[0]
    marks = day_picture(instance, tiling).marks
    # In the corner of a window it is sixteen pixels wide: thick lines, no label.
    return [replace(mark, width=2.5 * mark.width) for mark in marks if isinstance(mark, Area)]


def main() -> None:
    """Write the pictures, or say which of those that lie there are others."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare and write nothing")
    parser.add_argument("--screens", action="store_true", help="photograph the page, too")
    chosen = parser.parse_args()
    check = chosen.check
    if chosen.screens:
        screens()
    FOLDER.mkdir(exist_ok=True)
    if not check:
        # Other sites show no SVG for a link. Its bytes depend on matplotlib's version.
        (FOLDER / "social.png").write_bytes(png_of(social(), theme="light", cell=100))
    for name, text in drawn():
        path = FOLDER / name
        if not check:
            path.write_text(text, encoding="utf-8", newline="\n")
        elif not path.is_file() or path.read_text(encoding="utf-8") != text:
            sys.exit(f"{path} is not what the renderer draws; run {Path(__file__).name}")


if __name__ == "__main__":
    main()
