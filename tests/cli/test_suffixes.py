"""A file is what its suffix says, or it is not written."""

import re
from pathlib import Path

import pytest
from cpu_marks import marked_long
from requirements import need_package

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
    "compare formulations": [
        "compare",
        "formulations",
        TINY,
        "--solver",
        "highs",
        "--formulation",
        "matrix",
    ],
    "grade": ["grade", "6", TINY],
    "play": ["play"],
    "today": ["today", "heart-set1"],
    "puzzles": ["puzzles", "a-puzzle-a-day"],
    "cut": ["cut", "a-puzzle-a-day"],
}
BEGINS = {"svg": b"<?xml", "png": b"\x89PNG", "pdf": b"%PDF", "html": b"<!doctype html"}


def mark(command: str, suffix: str) -> tuple[pytest.MarkDecorator, ...]:
    """Return how long a case takes; test_printed_results writes the calendar as PDF, too."""
    if (command, suffix) == ("calendar", "pdf"):
        return (pytest.mark.slow,)
    return (pytest.mark.long,) if command in ("year", "calendar") else ()


@pytest.mark.parametrize(
    ("command", "suffix"),
    [pytest.param(c, s, marks=mark(c, s)) for c in COMMANDS for s in (*BEGINS, "gif")],
)
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


WRONG = ["tex", "jso", "ht", "text", "yam", "txt2", "zip", "log", "PN", "x" * 300, "js\x1bon"]
"""Suffixes that no command writes, among them beginnings of some that are written."""


@pytest.mark.parametrize("command", COMMANDS)
def test_only_exact_suffixes_are_written(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for suffix in WRONG:
        path = tmp_path / f"r1.{suffix}"
        assert main([*COMMANDS[command], "-o", str(path)]) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert err.count("\n") == 1
        assert err.isascii()
        assert re.search(r"(is not one of|is not that of [\w ]+; use|use one of) \.\w+", err), err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("suffix", ["sol", "slx", "mps", "lp", "opb", "cnf", "dlx"])
def test_text_is_no_model_and_no_solution_file(
    suffix: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / f"file.{suffix}"
    assert main(["solve", TINY, "-o", str(path)]) == 2
    assert f"the suffix .{suffix} is not one of .txt, " in capsys.readouterr().err
    assert not path.exists()


@pytest.mark.parametrize("command", ["hint", "explain", "count", "compare formulations"])
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


SUFFIXES = {
    "design": "yaml",
    "rearrange": "yaml",
    "export": "mps",
    "play": "html",
    "puzzles": "svg",
    "cut": "svg",
}


@pytest.mark.parametrize(
    "command", marked_long([*COMMANDS, "enumerate as lines"], {"rearrange", "year"})
)
def test_whatever_is_written_is_named(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name, lines, _ = command.partition(" as lines")
    path = tmp_path / f"file.{SUFFIXES.get(name, 'jsonl' if lines else 'json')}"
    assert main([*COMMANDS[name], "-o", str(path)]) in (0, 1)
    printed = capsys.readouterr()
    assert path.exists()
    # A model's line says its size as well; a page to play on says what to do with it.
    other = {"export": f"{path}: ", "play": f"{path}: "}.get(name)
    if other is None:
        assert printed.err.count(f"wrote {path}\n") == 1
    else:
        assert (printed.out + printed.err).count(other) == 1


@pytest.mark.parametrize("command", ["solve", "enumerate"])
def test_quiet_commands_write_without_a_word(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "file.json"
    assert main([*COMMANDS[command], "--quiet", "-o", str(path)]) == 0
    assert path.exists()
    assert "wrote" not in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "option"),
    [
        (["solve", "a-puzzle-a-day", "--date", "today", "--date", "tomorrow"], "--date"),
        (["solve", "a-puzzle-a-day", "--date=today", "--flip", "--no-flip"], "--flip/--no-flip"),
        (["year", "a-puzzle-a-day", "--year", "2026", "--year", "2027"], "--year"),
        (["count", "a-puzzle-a-day", "-o", "a.csv", "--output", "b.csv"], "-o"),
    ],
)
def test_an_option_that_takes_one_value_is_given_once(
    words: list[str],
    option: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(words) == 2
    assert f"error: {option} is given twice; give it once" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.trade("design")
def test_flags_and_lists_may_be_repeated(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["design", "a-puzzle-a-day", "--pool", "pentominoes", "--pieces", "8"]
    assert main([*words, "--with", "O6", "--with", "Q"]) == 2
    assert "'Q' is not a piece" in capsys.readouterr().err
    solve = ["solve", "a-puzzle-a-day", "--date", "2027-10-06", "--solver", "exact-cover"]
    assert main([*solve, "-q", "-q"]) == 0


@pytest.mark.parametrize("command", ["year", "calendar"])
def test_a_year_has_four_digits(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([command, "a-puzzle-a-day", "--year", "27"]) == 2
    assert "'27' has 2 digits; a year has four: 2027" in capsys.readouterr().err
    assert main(["year", "a-puzzle-a-day", "--year", "0027", "--format", "csv"]) == 0
    assert "\n0027-01-01-fri," in capsys.readouterr().out


@pytest.mark.trade("year")
def test_years_have_four_digits(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["calendar", "a-puzzle-a-day", "--year", "27-31", "-o", "x.json"]) == 2
    assert "such as 2026-2031, not '27-31'" in capsys.readouterr().err
