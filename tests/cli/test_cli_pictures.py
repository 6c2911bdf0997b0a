"""Pictures, the year and the calendar, as a user asks for them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from processes import HANG_SECONDS

from calmip.cli import main
from calmip.puzzle.documents.reader import read_puzzle

STARTS = {"svg": b"<?xml", "png": b"\x89PNG\r\n", "pdf": b"%PDF-"}
SVG = "{http://www.w3.org/2000/svg}"

SMALL = """\
name: Small & <odd>
grid: [Jan Feb Mar, 1 2 30]
uncover: [month, day]
pieces: {a: ["##"], "<b>": ["##"]}
"""


@pytest.fixture
def small(tmp_path: Path) -> str:
    (tmp_path / "small.yaml").write_text(SMALL)
    return str(tmp_path / "small.yaml")


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(arguments)
    out, err = capsys.readouterr()
    return code, out, err


@pytest.mark.parametrize("form", STARTS)
@pytest.mark.parametrize("theme", ["light", "dark", "auto"])
def test_solve_draws_by_suffix(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, form: str, theme: str
) -> None:
    path = tmp_path / f"tiny.{form.upper()}"
    arguments = ["solve", "instances/tiny.yaml", "-o", str(path), "--theme", theme]
    assert run(capsys, *arguments) == (0, "", f"wrote {path}\n")
    first = path.read_bytes()
    assert first.startswith(STARTS[form])
    assert run(capsys, *arguments) == (0, "", f"wrote {path}\n")
    assert path.read_bytes() == first
    assert list(tmp_path.iterdir()) == [path]


def test_a_sheet_of_all_tilings(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "all.svg"
    code, out, err = run(capsys, "enumerate", "instances/tiny.yaml", "-o", str(path))
    assert (code, out) == (0, "")
    assert "2 tilings, proved complete" in err
    root = ElementTree.parse(path).getroot()
    assert root.get("aria-label") == "Two by two: 2 tilings"
    code, out, err = run(
        capsys, "enumerate", "instances/tiny.yaml", "--format", "svg", "--limit", "1"
    )
    assert code == 3
    assert "incomplete: solution limit reached" in err
    assert ElementTree.fromstring(out.partition("\n")[2]).tag.endswith("svg")


@pytest.mark.long
@pytest.mark.parametrize("form", STARTS)
def test_a_puzzle_is_drawn_by_suffix(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, form: str
) -> None:
    path = tmp_path / f"puzzle.{form}"
    arguments = ["puzzles", "hex43-v1", "--theme", "dark", "-o", str(path)]
    assert run(capsys, *arguments) == (0, "", f"wrote {path}\n")
    assert path.read_bytes().startswith(STARTS[form])
    if form == "svg":
        puzzle = read_puzzle("hex43-v1")
        words = [element.text for element in ElementTree.parse(path).iter(f"{SVG}text")]
        assert sorted(words, key=str) == sorted(
            [*puzzle.board.labels, *(piece.name for piece in puzzle.pieces)]
        )


def test_what_is_known_of_a_puzzle_goes_into_a_file(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    for arguments in (["puzzles"], ["puzzles", "hex43-v1"]):
        _, said, _ = run(capsys, *arguments)
        path = tmp_path / "known.txt"
        assert run(capsys, *arguments, "-o", str(path)) == (0, "", f"wrote {path}\n")
        assert path.read_text() == said


def test_no_tiling_is_no_picture(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "none.svg"
    for command in ("solve", "enumerate"):
        code, out, err = run(capsys, command, "instances/dead-corner.yaml", "-o", str(path))
        assert (code, out) == (1, "")
        assert "there is no tiling" in err or "proved that there is none" in err
        assert not path.exists()


@pytest.mark.long
def test_binary_goes_into_a_pipe_and_not_to_a_terminal() -> None:
    command = [sys.executable, "-m", "calmip", "solve", "instances/tiny.yaml", "--format", "png"]
    done = subprocess.run(command, capture_output=True, check=True, timeout=HANG_SECONDS)
    assert done.stdout.startswith(STARTS["png"])
    master, slave = os.openpty()
    refused = subprocess.run(
        command, stdout=slave, stderr=subprocess.PIPE, timeout=HANG_SECONDS, check=False
    )
    os.close(slave)
    os.close(master)
    assert refused.returncode == 2
    assert b"png is a binary format; name a file with -o NAME.png" in refused.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["solve", "instances/tiny.yaml", "--format", "gif"], "'gif' is not one of"),
        (["solve", "instances/tiny.yaml", "--theme", "pink"], "'pink' is not one of"),
        (["solve", "instances/tiny.yaml", "--format", "png", "-o", "x.svg"], "suffix .svg"),
        (["solve", "instances/tiny.yaml", "--format", "json", "-o", "x.pdf"], "suffix .pdf"),
        (
            ["solve", "instances/tiny.yaml", "-o", "no-such-folder/x.svg"],
            "no folder 'no-such-folder'",
        ),
        (
            ["enumerate", "instances/tiny.yaml", "-o", "no-such-folder/x.png"],
            "no folder 'no-such-folder'",
        ),
        (["solve", "instances/tiny.yaml", "-o", "x.jpg"], "suffix .jpg is not one of .txt, .html"),
        (["enumerate", "instances/tiny.yaml", "-o", "x.md"], "suffix .md is not one of"),
        (["year", "a-puzzle-a-day", "-o", "x.xlsx"], "suffix .xlsx is not one of"),
        (["calendar", "a-puzzle-a-day", "-o", "x.xlsx"], "suffix .xlsx is not one of .json, .txt"),
        (["year"], "Missing argument 'PUZZLE'"),
        (["year", "a-puzzle-a-day", "--workers", "0"], "0 is not in the range 1<=x<=1024"),
        (["puzzles", "-o", "x.svg"], "a picture shows one puzzle; give its NAME"),
        (["puzzles", "jarringwords", "-o", "x.gif"], "suffix .gif is not one of .txt, .html"),
        (["year", "nosuch"], "no such file or bundled puzzle"),
        (["year", "instances/tiny.yaml"], "tiny.yaml"),
        (["year", "a-puzzle-a-day", "--year", "0"], "from 1 to 9999, not 0"),
        (["year", "a-puzzle-a-day", "--year", "x"], "'x' is not a valid integer"),
        (["year", "a-puzzle-a-day", "--time-limit", "0"], "above 0"),
        (["year", "a-puzzle-a-day", "--time-limit", "nan"], "above 0"),
        (["year", "a-puzzle-a-day", "-o", "no-such-folder/x.csv"], "no folder 'no-such-folder'"),
        (["year", "kao-pentomino-year-8x8", "--year", "1999"], "no year for 1999-01-01"),
        (["calendar", "nosuch"], "no such file or bundled puzzle"),
        (["calendar", "a-puzzle-a-day", "--year", "12345"], "from 1 to 9999, not 12345"),
        (["calendar", "a-puzzle-a-day", "--seed", "-1"], "the seed is a whole number"),
        (["calendar", "a-puzzle-a-day", "--format", "svg"], "'svg' is not one of"),
        (["calendar", "kao-pentomino-year-8x8", "--year", "1999"], "no year for 1999-01-01"),
    ],
)
def test_wrong_usage_is_one_clear_line(
    capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    code, out, err = run(capsys, *arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert err.startswith("calmip: error: ")
    assert err.count("\n") == 1


@pytest.mark.trade("year")
@pytest.mark.long
def test_the_year_in_every_form(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, small: str
) -> None:
    code, out, _ = run(capsys, "year", small)
    assert code == 0
    assert "8 dates: 7 tilings, 3 impossible, median 1" in out
    assert "fewest tilings: " in out
    starts = STARTS | {
        "html": b"<!DOCTYPE html>",
        "csv": b"date,month,day,tilings,real\n",
        "json": b'{"puzzle"',
        "txt": b"    Jan",
    }
    for suffix, start in starts.items():
        path = tmp_path / f"year.{suffix}"
        assert run(capsys, "year", small, "-o", str(path)) == (0, "", f"wrote {path}\n")
        assert path.read_bytes().startswith(start), suffix
    found = json.loads((tmp_path / "year.json").read_text())
    assert (found["choices"], found["real_dates"], found["real_tilings"]) == (9, 8, 7)
    assert found["impossible"] == ["01-02", "02-01", "03-02"]
    code, _, err = run(capsys, "year", "a-puzzle-a-day", "--time-limit", "1e-9")
    assert code == 3
    assert "stopped before an answer" in err


@pytest.mark.trade("year")
@pytest.mark.long
def test_the_calendar_in_every_form(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    from calmip.year.calendar import read_calendar

    week = tmp_path / "week.yaml"
    week.write_text(
        "grid: [Mon Tue Wed Thu Fri Sat Sun]\nuncover: [weekday]\n"
        'pieces: {a: ["###"], b: ["###"]}\n'
    )
    for suffix, start in (("json", b'{"format"'), ("html", b"<!DOCTYPE"), ("pdf", b"%PDF-")):
        path = tmp_path / f"calendar.{suffix}"
        code, out, err = run(capsys, "calendar", str(week), "--year", "2027", "-o", str(path))
        assert (code, out) == (0, "")
        assert "209 of 365 dates have no tiling: 2027-01-01, 2027-01-02" in err
        assert path.read_bytes().startswith(start)
    assert read_calendar(tmp_path / "calendar.json").year == 2027
    never = tmp_path / "never.yaml"
    never.write_text(
        "grid: [Mon Tue Wed, Thu Fri ., Sat . Sun]\nuncover: [weekday]\n"
        'pieces: {a: ["###"], b: ["###"]}\n'
    )
    code, _, err = run(capsys, "calendar", str(never), "--year", "2027")
    assert code == 1
    assert "365 of 365 dates have no tiling" in err
