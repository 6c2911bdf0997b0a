"""PNG and PDF: the same picture, the same bytes, and colours where the cells are."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
import warnings
from pathlib import Path

import pytest
from requirements import need_package

import calmip
from calmip import Board, InputError, Instance, Piece, Puzzle, SolverMissing, Tiling
from calmip.cli import main
from calmip.puzzle.cover import Placement
from calmip.puzzle.render import lettering, printing
from calmip.puzzle.render.escaping import harmless
from calmip.puzzle.render.palette import colour
from calmip.puzzle.render.paper import on_paper
from calmip.puzzle.render.picture import Picture, Words
from calmip.puzzle.render.printing import MILLIMETRE, pdf_of, png_of
from calmip.puzzle.render.tiles import MARGIN, sheet_pages, tiling_picture

ROOT = str(Path(calmip.__file__).parents[1])

image = need_package("matplotlib.image")

PUZZLE = Puzzle(
    "strip \x1b $a_b$ \u65e5",
    Board.from_text(["$x^$ \u65e5 *"]),
    (Piece("$\\frac$", ((0, 0), (0, 1))),),
)
TILING = Tiling(Instance(PUZZLE, ("$x^$",)), (Placement("$\\frac$", ((0, 1), (0, 2))),), ("$x^$",))


@pytest.mark.parametrize("theme", ["light", "dark", "auto"])
def test_pixels_have_the_colours_of_their_cells(theme: str) -> None:
    data = png_of(tiling_picture(TILING), theme=theme, cell=100)
    pixels = image.imread(io.BytesIO(data))
    assert pixels.shape[:2] == (round((1 + 2 * MARGIN) * 100), round((3 + 2 * MARGIN) * 100))

    def at(x: float, y: float) -> str:
        red, green, blue = pixels[int((y + MARGIN) * 100), int((x + MARGIN) * 100)][:3]
        return "#" + "".join(f"{round(float(part) * 255):02x}" for part in (red, green, blue))

    assert at(1.2, 0.2) == at(2.8, 0.8) == colour("p0", theme)
    assert at(0.15, 0.15) == colour("bare", theme)
    assert at(1.0, 0.3) == colour("line", theme)
    assert at(-0.25, -0.25) == colour("paper", theme)


@pytest.mark.long
def test_the_same_picture_gives_the_same_bytes() -> None:
    picture = tiling_picture(TILING)
    assert png_of(picture) == png_of(picture)
    first = pdf_of([picture, picture])
    assert first == pdf_of([picture, picture])
    assert first.startswith(b"%PDF-")
    assert b"CreationDate" not in first
    assert len(re.findall(rb"/Type /Page\b", first)) == 2


@pytest.mark.long
def test_pages_are_paper() -> None:
    pages = [on_paper(page, "A4", across=False) for page in sheet_pages([TILING] * 21)]
    data = pdf_of(pages, unit=MILLIMETRE, title="21 <b>")
    boxes = re.findall(rb"/MediaBox \[ 0 0 ([\d.]+) ([\d.]+) \]", data)
    assert [(round(float(w)), round(float(h))) for w, h in boxes] == [(595, 842)] * 2
    assert b"/Title (21 <b>)" in data
    sizes = {"A4": (210, 297), "a3": (297, 420), "letter": (215.9, 279.4)}
    for name, (short, long) in sizes.items():
        wide, high = (on_paper(Picture(*size, (), "", ""), name) for size in ((2, 1), (1, 2)))
        assert (wide.width, wide.height) == (long, short)
        assert (high.width, high.height) == (short, long)
    with pytest.raises(InputError, match="unknown paper 'A5'; use one of a4, a3, letter"):
        on_paper(Picture(1, 1, (), "", ""), "A5")


def test_too_many_pixels_are_refused_before_they_are_made() -> None:
    with pytest.raises(InputError, match="would have 40,000 x 40,000 pixels; draw fewer"):
        png_of(Picture(400, 400, (), "", ""), cell=100)


def test_without_matplotlib_the_remedy_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(SolverMissing, match=r"pip install 'calmip\[plot\]'"):
        png_of(tiling_picture(TILING))


@pytest.mark.long
def test_global_settings_stay_as_they_were() -> None:
    code = (
        "import sys, matplotlib, test_printing as t;"
        "before = matplotlib.rcParams.copy();"
        "t.pdf_of([t.tiling_picture(t.TILING)]);"
        "print(matplotlib.rcParams.copy() == before, 'matplotlib.pyplot' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parent,
        env={**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT}/tests/helpers"},
    )
    assert done.stdout.split() == ["True", "False"]


def written(text: str, **place: bool) -> bytes:
    """Return a picture with a text as PNG."""
    marks = (Words(3.0, 1.0, text, 0.6, **place),)
    return png_of(Picture(6.0, 2.0, marks))


LETTERS = [
    "Feb",
    "Январь",
    "Μάρτιος",
    "Φεβ",
    "二月",
    "日曜",
    "월 화",
    "فبراير",
    "ก.พ.",
    "泰",
    "👩\u200d🚀",
    "A\u0332\u20e3",
    "क्षि",
    "\U000e0041",
]


@pytest.mark.parametrize("fonts", ["all", "own"])
@pytest.mark.parametrize("text", LETTERS)
def test_a_letter_is_drawn_or_refused_and_never_a_box(
    text: str, fonts: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if fonts == "own":
        monkeypatch.setattr(printing, "_wider_fonts", lambda: ())
    known = [printing.marks_of(font) for font in printing._font_families(harmless(text))]
    # What matplotlib says of a box is an error here.
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            drawn = written(text)
        except InputError as error:
            lacking = {mark for mark in harmless(text) if not any(ord(mark) in k for k in known)}
            assert lacking
            assert lettering.missing(harmless(text))
            assert f"(U+{ord(min(lacking, key=harmless(text).index)):04X})" in str(error)
            assert "DejaVu Sans" in str(error)
            assert str(error).isprintable()
            return
    assert drawn != written("")


def test_the_strokes_of_a_text_stand_where_its_letters_would(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    centres = {}
    for strokes in (True, False):
        monkeypatch.setattr(printing, "_without_font", lambda text, on=strokes: text * on)
        for place in ("", "start", "end"):
            drawn = written("Mai", **({place: True} if place else {}))
            rows, columns = (image.imread(io.BytesIO(drawn))[..., :3].min(axis=2) < 0.5).nonzero()
            at = {"": columns.mean(), "start": columns.min(), "end": columns.max()}[place]
            centres[place, strokes] = rows.mean() / 96, at / 96
    for place in ("", "start", "end"):
        assert centres[place, True] == pytest.approx(centres[place, False], abs=0.15)


def test_a_command_says_which_letters_no_font_has(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = tmp_path / "thai.yaml"
    own.write_text(
        "name: thai\ngrid: ['ก. ม. 3']\ngroups: {g: ['3']}\npieces: [I2]\n", encoding="utf-8"
    )
    for suffix, code in (("pdf", 2), ("png", 2), ("svg", 0)):
        path = tmp_path / f"board.{suffix}"
        assert main(["puzzles", str(own), "-o", str(path)]) == code
        said = capsys.readouterr().err
        assert ("'ก' (U+0E01)" in said) == (code == 2)
        assert path.exists() == (code == 0)
