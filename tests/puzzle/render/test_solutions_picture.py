"""The picture of a model's pool: which variables its solutions use."""

from __future__ import annotations

import random
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

import calmip
from calmip import SolutionPool
from calmip.cli import main
from calmip.mip.model import Model
from calmip.puzzle.render import solutions as module
from calmip.puzzle.render.picture import Area, Picture, Words
from calmip.puzzle.render.reports import data
from calmip.puzzle.render.solutions import BARS, ROW, USED, solutions_picture

MODEL = "max 3 x + 2 y + z\nst\n c: x + y + z <= 3\n d: w = 1\nbounds\n x <= 2\n y <= 2\n w <= 1\n"
MODEL += "v <= 0\ngeneral\n x y w v\nbinary\n z\nend\n"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "model.lp").write_text(MODEL)
    return tmp_path / "model.lp"


def used(picture: Picture) -> dict[str, tuple[int, float]]:
    """Return by the name of a row how many cells are filled, and the length of its bar."""
    rows = {mark.y: mark.text for mark in picture.marks if isinstance(mark, Words) and mark.end}
    found = {}
    for middle, name in rows.items():
        boxes = [
            mark.loops[0]
            for mark in picture.marks
            if isinstance(mark, Area)
            and mark.fill == USED
            and abs(sum(y for _, y in mark.loops[0]) / 4 - middle) < ROW / 4
        ]
        heights = [loop[2][1] - loop[0][1] for loop in boxes]
        bars = [loop for loop, high in zip(boxes, heights, strict=True) if high < ROW - 0.2]
        long = sum(loop[2][0] - loop[0][0] for loop in bars)
        if name != "objective":
            found[name] = len(boxes) - len(bars), long
    return found


def texts(picture: Picture) -> list[str]:
    return [mark.text for mark in picture.marks if isinstance(mark, Words)]


def random_pool(seed: int) -> SolutionPool:
    """Return all solutions of a random binary model."""
    draw = random.Random(seed)
    names = [f"x{n}" for n in range(6)]
    rows = [
        (f"r{n}", {c: draw.choice([1.0, 2.0, -1.0]) for c in draw.sample(range(6), 3)}, 0.0, 2.0)
        for n in range(2)
    ]
    return calmip.enumerate(Model.from_rows(names, rows, [draw.randint(0, 3) for _ in names]))


@pytest.mark.parametrize("seed", range(12))
def test_cells_and_bars_are_the_numbers_of_solutions(seed: int) -> None:
    pool = random_pool(seed)
    number = len(pool)
    assert number > 1
    expected = {
        name: (count if number <= module.MAX_COLUMNS else 0, BARS * count / number)
        for name, count in pool.usage.items()
        if 0 < count < number
    }
    found = used(solutions_picture(pool))
    assert {name: (cells, round(bar, 6)) for name, (cells, bar) in found.items()} == {
        name: (cells, round(bar, 6)) for name, (cells, bar) in expected.items()
    }


def test_beyond_some_solutions_there_are_bars_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    pool = random_pool(1)
    cells = {name: cells for name, (cells, _) in used(solutions_picture(pool)).items()}
    monkeypatch.setattr(module, "MAX_COLUMNS", len(pool) - 1)
    alone = used(solutions_picture(pool))
    assert not any(number for number, _ in alone.values())
    assert any("%" in text for text in texts(solutions_picture(pool)))
    assert alone.keys() == cells.keys()


def test_it_says_what_is_always_and_what_is_never_used(path: Path) -> None:
    picture = solutions_picture(calmip.enumerate(path, within=2))
    found = texts(picture)
    assert found[0] == "5 solutions: 3 of 5 integer variables differ"
    heads = [mark for mark in picture.marks if isinstance(mark, Words) and mark.x == module.EDGE]
    assert [mark.text for mark in heads] == found[: len(heads)]
    assert all(mark.start and mark.bold is (mark.text == found[0]) for mark in heads)
    assert "always: w=1" in found
    assert "1 variable is never used" in found
    assert "8 to 6" in found
    assert found.count("2") >= 4  # values of general integers
    assert picture.title == f"{calmip.read_model(path).title}: {found[0]}"


def test_better_solutions_come_first(path: Path) -> None:
    """The bars of the objective rise from the left to the right."""
    pool = calmip.enumerate(path)
    marks = solutions_picture(pool).marks
    grey = [m.loops[0] for m in marks if isinstance(m, Area) and m.fill == module.OBJECTIVE]
    heights = [loop[2][1] - loop[0][1] for loop in grey]
    assert len(heights) == len(pool)
    assert heights == sorted(heights)
    assert heights[0] < heights[-1]


def test_many_variables_are_cut_and_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_ROWS", 2)
    picture = solutions_picture(random_pool(3))
    assert len(used(picture)) == 2
    assert "the 2 that are used most are shown" in texts(picture)


def test_a_pool_that_was_stopped_says_so(path: Path) -> None:
    first = texts(solutions_picture(calmip.enumerate(path, limit=2)))[0]
    assert first.startswith("2 solutions, there may be more: ")


def test_continuous_variables_are_not_shown(tmp_path: Path) -> None:
    path = tmp_path / "mixed.lp"
    path.write_text("min y\nst\n c: x + y >= 1.5\nbinary\n x\nend\n")
    found = texts(solutions_picture(calmip.enumerate(path)))
    assert "continuous variables are not shown" in found
    assert "y" not in found


def test_the_command_writes_pictures_and_a_page(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for form in ("svg", "html"):
        output = tmp_path / f"pool.{form}"
        assert main(["enumerate", str(path), "--within", "2", "-o", str(output)]) == 0
        err = capsys.readouterr().err
        assert "5 solutions" in err
        assert "proved complete" in err
        text = output.read_text()
        assert "3 of 5 integer variables differ" in text
        ET.fromstring(text[text.index("<svg") : text.index("</svg>") + 6])
    assert "<table>" in text
    none = tmp_path / "none.lp"
    none.write_text(MODEL.replace("d: w = 1", "d: w = 2"))
    assert main(["enumerate", str(none), "-o", str(tmp_path / "none.svg")]) == 1
    assert not (tmp_path / "none.svg").exists()
    with pytest.raises(calmip.InputError, match="there is no solution to draw"):
        data(calmip.enumerate(none), "svg")


def test_a_page_of_tilings_has_their_sheet(tmp_path: Path) -> None:
    assert main(["enumerate", "instances/tiny.yaml", "-q", "-o", str(tmp_path / "t.html")]) == 0
    text = (tmp_path / "t.html").read_text()
    assert "2 tilings, proved complete" in text
    assert text.count("<svg") == 1


def test_a_notebook_has_the_picture(path: Path) -> None:
    bundle = calmip.enumerate(path)._repr_mimebundle_()
    assert "integer variables differ" in bundle["image/svg+xml"]
    assert "integer variables differ" in bundle["text/html"]


def test_counted_solutions_have_bars_alone(path: Path) -> None:
    listed, counted = calmip.enumerate(path), calmip.enumerate(path, usage=True)
    cells, bars = used(solutions_picture(listed)), used(solutions_picture(counted))
    assert bars == {name: (0, pytest.approx(bar)) for name, (_, bar) in cells.items()}
    assert f"{listed.count} solutions: 3 of 5 integer variables are used in some of them" in texts(
        solutions_picture(counted)
    )


def test_a_page_tells_what_its_table_leaves_out(tmp_path: Path) -> None:
    columns = range(12)
    rows = [("r", dict.fromkeys(columns, 1.0), 1, 1), ("s", {0: 1.0}, 0, 1)]
    few = calmip.enumerate(Model.from_rows([f"x{n}" for n in columns], rows))
    assert "1 more variable is not shown" in data(few, "html").decode()
    rows[0] = ("r", dict.fromkeys(columns, 1.0), 0, 2)
    many = data(calmip.enumerate(Model.from_rows([f"x{n}" for n in columns], rows)), "html")
    assert "the first 20 of 79 solutions; 1 more variable is not shown" in many.decode()


def test_names_begin_at_the_edge_where_no_objectives_are_drawn(path: Path) -> None:
    path.write_text(MODEL.replace("3 x + 2 y + z", "0 x"))
    flat = solutions_picture(calmip.enumerate(path))
    assert not [mark for mark in flat.marks if getattr(mark, "text", "") == "objective"]
    names = [mark for mark in flat.marks if isinstance(mark, Words) and mark.end]
    assert max(mark.x for mark in names) < 1.2
