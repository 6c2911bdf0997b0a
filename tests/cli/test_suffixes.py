"""A file is what its suffix says, or it is not written."""

import re
from pathlib import Path

import pytest
from presence import need_package

import calmip
from calmip.cli import main

TINY = "instances/tiny.yaml"
FEB29 = ["instances/feb29.yaml", "--placed", "U:Jan+Mar"]

# Every command that writes what it finds with -o, on something small.
COMMANDS = {
    "solve": ["solve", TINY],
    "enumerate": ["enumerate", TINY],
    "count": ["count", TINY],
    "year": ["year", "a-puzzle-a-day"],
    "calendar": ["calendar", "a-puzzle-a-day", "--year", "2027"],
    "hint": ["hint", *FEB29],
    "explain": ["explain", "instances/dead-corner.yaml"],
    "export": ["export", TINY],
    "design": ["design", "a-puzzle-a-day", "--pool", "L,N,P,U,V,Y,Z,O6"],
    "rearrange": ["rearrange", "a-puzzle-a-day", "--starts", "1"],
    "relax": ["relax", TINY],
    "tree": ["tree", TINY],
    "compare": ["compare", TINY, "--solver", "highs", "--formulation", "matrix"],
    "grade": ["grade", "6", TINY],
    "play": ["play"],
    "today": ["today", "heart-set1"],
    "puzzles": ["puzzles", "a-puzzle-a-day"],
}
BEGINS = {"svg": b"<?xml", "png": b"\x89PNG", "pdf": b"%PDF", "html": b"<!doctype html"}


@pytest.mark.parametrize("suffix", [*BEGINS, "gif"])
@pytest.mark.parametrize("command", COMMANDS)
def test_no_file_has_another_content_than_its_suffix_says(
    command: str, suffix: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if command in ("year", "calendar", "play", "rearrange") and suffix in BEGINS:
        need_package("matplotlib")
    path = tmp_path / f"file.{suffix}"
    code = main([*COMMANDS[command], "-o", str(path)])
    err = capsys.readouterr().err
    if code == 2:
        assert f"the suffix .{suffix} is" in err or f"the suffix '.{suffix}' is" in err
        assert not path.exists()
    else:
        assert path.read_bytes().lstrip().lower().startswith(BEGINS[suffix].lower())


@pytest.mark.parametrize("command", ["hint", "explain", "count", "compare"])
def test_json_is_json(command: str, tmp_path: Path) -> None:
    path = tmp_path / "file.json"
    assert main([*COMMANDS[command], "-o", str(path)]) in (0, 1)
    assert path.read_text().startswith("{")


@pytest.mark.parametrize("suffix", ["svg", "png", "pdf"])
def test_a_hint_is_drawn(suffix: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    if suffix != "svg":
        need_package("matplotlib")
    path = tmp_path / f"hint.{suffix}"
    assert main(["hint", *FEB29, "-o", str(path)]) == 0
    out, err = capsys.readouterr()
    assert out == ""
    assert "it can be solved in 35 ways\nlay O6:" in err
    if suffix == "svg":
        picture = path.read_text()
        found = calmip.hint(calmip.read_instance(FEB29[0], placed=FEB29[2]))
        assert found.piece is not None
        assert "the pieces U placed, and the piece O6 as a hint" in picture
        # The shown piece stands out, alone; the others' labels can still be read.
        assert picture.count('stroke-width="0.15"') == 1
        # Also on dark paper, where lines are darker than the pieces.
        assert re.search('s-ink" [^>]*stroke-width="0.15"', picture)
        assert ".s-ink{stroke:#f5f5f5}" in picture
        for label in ("Feb", "29", "Dec", "31", "15"):
            covered = set(found.instance.puzzle.board.labels[label]) <= set(found.piece.cells)
            assert (f">{label}</text>" in picture) or covered
        found.save(tmp_path / "again.svg")
        assert (tmp_path / "again.svg").read_bytes() == path.read_bytes()


def test_a_position_that_is_dead_is_drawn_without_a_hint(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "dead.svg"
    assert main(["hint", "instances/dead-corner.yaml", "-o", str(path)]) == 1
    assert "it cannot be solved" in capsys.readouterr().err
    assert "as a hint" not in path.read_text()
