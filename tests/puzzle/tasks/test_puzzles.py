"""A puzzle that comes as a file is checked: labels, cells, dates, counts."""

from __future__ import annotations

import itertools
import json
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from strategies import instances

import calmip
from calmip.cli import main
from calmip.puzzle.documents.reader import bundled_puzzles
from calmip.puzzle.documents.serialise import puzzle_text
from calmip.puzzle.instance import Selection
from calmip.puzzle.search.exact_cover.counting import count

GRID = """\
grid: |
  Jan Feb Mar Apr May Jun   .
  Jul Aug Sep Oct Nov Dec   .
    1   2   3   4   5   6   7
    8   9  10  11  12  13  14
   15  16  17  18  19  20  21
   22  23  24  25  26  27  28
   29  30  31   .   .   .   .
uncover: [month, day]
"""
PIECES = "pieces: [L, N, P, U, V, Y, Z, O6]\n"


def of(text: str, folder: Path) -> calmip.Puzzles:
    path = folder / "own.yaml"
    path.write_text(text, encoding="utf-8")
    return calmip.puzzles(path)


def test_a_good_board_has_no_fault_and_all_counts(tmp_path: Path) -> None:
    check = of(GRID + PIECES, tmp_path).check
    assert check is not None
    assert (check.faults, check.bare, dict(check.hopeless), check.detail) == ((), (), {}, "")
    bundled = calmip.read_puzzle("a-puzzle-a-day").counts
    for key in ("all", "valid"):
        assert str(check.counts[key]) == bundled[key]
    assert check.counts["min"] == {"count": 7, "dates": ["Oct 6"]}
    assert check.counts["max"] == {"count": 216, "dates": ["Jan 25"]}
    assert check.counts["solvable"] == 372


def test_only_files_are_checked(tmp_path: Path) -> None:
    for name in (None, "a-puzzle-a-day"):
        found = calmip.puzzles(name)
        assert found.check is None
        assert "check" not in found.describe()


@pytest.mark.parametrize("name", bundled_puzzles())
def test_the_bundled_boards_have_no_odd_labels(name: str) -> None:
    assert calmip.read_puzzle(name).label_faults() == []


@pytest.mark.trade("year", "design")
@pytest.mark.long
@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("27  28", "28  28", "group day has no 27"),
        ("27  28", "28  28", "label 28 stands in 2 cells, (5, 5), (5, 6), and most labels of"),
        ("Nov Dec", "Dec Dec", "group month has no November"),
        (" 31", "  *", "group day has no 31"),
        ("13  14", " *  14", "group day has no 13"),
    ],
)
def test_labels_typed_twice_or_left_out_are_said(
    old: str,
    new: str,
    fault: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    text = GRID.replace(old, new) + PIECES
    check = of(text, tmp_path).check
    assert check is not None
    assert any(fault in one for one in check.faults)
    assert main(["puzzles", "own.yaml"]) == 0
    assert fault in " ".join(capsys.readouterr().out.split())
    for words in (
        ["solve", "--date", "2027-01-01", "--solver", "exact-cover"],
        ["count", "--date", "2027-01-01"],
        ["year"],
        ["calendar", "--year", "2027"],
        ["today", "--date", "2027-01-01"],
        ["design", "--pool", "L,N,P,U,V,Y,Z,O6"],
    ):
        main([words[0], "own.yaml", *words[1:]])
        assert f"note: {fault}" in capsys.readouterr().err, words
    main(["solve", "own.yaml", "--date", "2027-01-01", "--quiet", "--solver", "exact-cover"])
    assert not capsys.readouterr().err


@pytest.mark.trade("year")
def test_a_label_typed_twice_is_named_where_the_areas_differ(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "own.yaml"
    path.write_text(GRID.replace("Nov Dec", "Dec Dec") + PIECES)
    assert main(["solve", str(path), "--date", "2027-12-24"]) == 2
    said = capsys.readouterr().err
    assert "2027-12-24 (Dec 24): the pieces cover 41 cells, but 40 cells are to be" in said
    assert "label Dec stands in 2 cells, (1, 4), (1, 5)" in said
    # A calendar says it before the work, and leaves no file.
    assert main(["calendar", str(path), "--year", "2027", "-o", str(tmp_path / "x.json")]) == 2
    assert "the board has no month for 2027-11-01" in capsys.readouterr().err
    assert not list(tmp_path.glob("x.json*"))


@pytest.mark.long
def test_a_puzzle_as_json_and_markdown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = of(GRID.replace("Nov Dec", "Dec Dec") + PIECES + "note: seldom *so*\n", tmp_path)
    path = str(tmp_path / "own.yaml")
    assert main(["puzzles", path, "--format", "json"]) == 0
    described = json.loads(capsys.readouterr().out)
    assert described == json.loads(json.dumps(found.describe()))
    assert described["check"]["faults"] == list(found.check.faults if found.check else ())
    assert main(["puzzles", path, "--format", "md"]) == 0
    out = capsys.readouterr().out
    assert "| Jan | Feb |" in out
    assert "* note: seldom \\*so\\*\n" in out
    for fault in described["check"]["faults"]:
        assert f"* {fault}" in out
    assert f"| all choices of labels | {described['check']['counts']['all']:,} |" in out
    assert main(["puzzles", "--format", "md"]) == 0
    out = capsys.readouterr().out
    assert [line.split()[1] for line in out.splitlines()[2:]] == list(bundled_puzzles())


@pytest.mark.parametrize(
    ("rows", "groups"),
    [
        (["Jan Feb 1 2", "3 4 5 *"], "month, day"),
        (["Mo Tu 1", "2 3 4"], "weekday, day"),
        (["Oct Nov Dec 29 30 31"], "month, day"),
        (["2027 2028 1 2 3"], "year, day"),
        (["Jan Jan 1 2", "Feb Feb 3 4"], "month, day"),
    ],
)
def test_a_part_of_the_year_is_meant_so(rows: list[str], groups: str, tmp_path: Path) -> None:
    check = of(f"grid: {rows}\nuncover: [{groups}]\n", tmp_path).check
    assert check is not None
    assert check.faults == ()


def test_a_gap_between_labels_is_missing(tmp_path: Path) -> None:
    check = of("grid: ['Jan Feb Apr 1', '2 4 5 *']\nuncover: [month, day]\n", tmp_path).check
    assert check is not None
    assert check.faults == ("group month has no March", "group day has no 3")


def test_labels_of_other_names_are_missing_by_their_number(tmp_path: Path) -> None:
    grid = "grid: ['a b c d e f', 'g h i j k *']\ngroups: {month: [a, b, c, d, e, f, g, h, i, j"
    check = of(f"{grid}, k]}}\n", tmp_path).check
    assert check is not None
    assert check.faults == ("group month has no December",)
    check = of(f"{grid}]}}\n", tmp_path).check
    assert check is not None
    assert check.faults[-1] == "k: in no group, so that no date uncovers it"


def test_cells_that_nothing_reaches(tmp_path: Path) -> None:
    found = of(
        "grid: ['1 2 3', '* 4 5', '. . .', '6 . .']\nuncover: [day]\npieces: [P]\n", tmp_path
    )
    assert found.check is not None
    assert found.check.bare == ((3, 0),)
    assert "no piece can cover 6 (3, 0)" in str(found)


def test_a_board_without_pieces_is_checked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    grid = "grid: ['1 Jan . 3', '2 4 5 6', 'Feb Feb 7 8']\nuncover: [month, day]\n"
    check = of(grid, tmp_path).check
    assert check is not None
    assert check.hopeless == {
        "a region of 1 cell is cut off, which only a piece of one cell covers": ("Jan 2", "Jan 6"),
        "8 cells are left, and 9 on most dates": tuple(f"Feb {day}" for day in range(1, 9)),
    }
    assert main(["puzzles", "own.yaml"]) == 0
    out = capsys.readouterr().out
    assert "0 pieces" in out
    assert "numbers of tilings: none, as there are no pieces" in out
    for name in ("own.svg", "own.html"):
        assert main(["puzzles", "own.yaml", "-o", name]) == 0
        assert (tmp_path / name).stat().st_size > 500


def test_a_count_that_the_file_states_wrongly_is_said(tmp_path: Path) -> None:
    counts = "counts: {all: 25061, valid: 24404, min: {count: 6}, max: {count: 216}}\n"
    check = of(GRID + PIECES + counts, tmp_path).check
    assert check is not None
    assert check.faults == (
        "counts states valid: 24404, and 24405 were counted",
        "counts states min: 6, and 7 were counted",
    )


def test_a_board_that_is_not_counted_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("calmip.puzzle.tasks.puzzles.COUNT_SECONDS", 1e-9)
    found = of(GRID + PIECES, tmp_path)
    assert found.check is not None
    assert (found.check.counts, found.check.detail) == ({}, "not counted within 1e-09 s")
    assert str(found).endswith("numbers of tilings: not counted within 1e-09 s")


@pytest.mark.long
@given(instances())
@settings(max_examples=60, deadline=None)
def test_what_is_found_of_a_board_is_so(instance: calmip.Instance) -> None:
    labels = tuple(instance.puzzle.board.labels)
    puzzle = replace(instance.puzzle, groups={"one": labels[::2], "two": labels[1::2]})
    with tempfile.TemporaryDirectory() as folder:
        check = of(puzzle_text(puzzle), Path(folder)).check
    assert check is not None
    found = {}
    for labels in itertools.product(*puzzle.groups.values()):
        found[" ".join(labels)] = count(calmip.ExactCover(Selection(puzzle, labels)))
    assert check.counts["all"] == sum(found.values())
    for dates in check.hopeless.values():
        assert not any(found[date] for date in dates)
    for cell in check.bare:
        label = puzzle.board.label(cell)
        assert not any(n for date, n in found.items() if label not in date.split(" "))
