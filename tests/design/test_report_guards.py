"""The reports of design and rearrange in every combination: only what was decided is said."""

from __future__ import annotations

import itertools
from types import SimpleNamespace
from typing import Any

from calmip.design import report
from calmip.design.dead_regions import CutOff, Relabelling
from calmip.design.design import Design
from calmip.design.rearrange import Merit, Rearrangement
from calmip.mip.status import Status
from calmip.puzzle.dates import real_dates
from calmip.puzzle.puzzle import Board, Piece, Puzzle
from calmip.puzzle.render.report import DataTable, Paragraph

FRAME = Puzzle(
    "board",
    Board.from_text(["Jan Feb 1 2", "3 4 5 *", "* * * *"]),
    (Piece.from_rows("I", ["##"]),),
    {"month": ("Jan", "Feb"), "day": ("1", "2", "3", "4", "5")},
)

DATES = list(real_dates(FRAME.groups))


def a_set(name: str, wanting: int = 0, hardest: int = 1) -> Any:
    return SimpleNamespace(
        pieces=(name,),
        minimum=1,
        median=2.0,
        maximum=3,
        total=9,
        unique=1,
        impossible=0,
        hardest=tuple(DATES[:hardest]),
        wanting=wanting,
    )


def blocks(result: Design) -> tuple[list[str], dict[str, DataTable]]:
    """Return the lines of a report, and its tables by their titles."""
    found = report.design(result).blocks
    texts = [one if isinstance(one, str) else str(one) for one in found]
    return texts, {one.title: one for one in found if isinstance(one, DataTable)}


def test_the_sets_that_work_are_told_from_near_misses() -> None:
    for number, working, missing, decided, least in itertools.product(
        (1, 2, 30), (0, 1, 12), (0, 2, 10, 11), (1, 2, 30), (1, 2)
    ):
        pool: Any = SimpleNamespace(sets=number)
        every = [a_set(f"w{n}") for n in range(working)]
        every += [a_set(f"m{n}", wanting=1, hardest=5) for n in range(missing)]
        given = Design(FRAME, pool, tuple(every), decided, least, detail="late")
        lines, tables = blocks(given)
        was = "was" if decided == 1 else "were"
        verdict = "all were decided" if decided == number else f"{decided} {was} decided (late)"
        assert lines[0] == f"{number} set{'s' * (number > 1)} of pieces of board: {verdict}"
        wish = "a tiling" if least == 1 else "2 tilings"
        assert lines[1] == f"with {working or 'none'} of them every date has {wish}"
        wanted = {"best by min:": working, "near misses:": missing}
        assert {title: len(table.rows) for title, table in tables.items()} == {
            title: min(size, report.MAX_LISTED_SETS) for title, size in wanted.items() if size
        }
        more = [size - report.MAX_LISTED_SETS for size in wanted.values()]
        assert [line for line in lines if line.endswith(" more")] == [
            f"and {size} more" for size in more if size > 0
        ]
        for title, table in tables.items():
            assert all(row[-1].endswith(", ...") is (title == "near misses:") for row in table.rows)
        decisive = Status.INFEASIBLE if decided == number else Status.UNKNOWN
        assert given.status is (Status.FEASIBLE if working else decisive)


def test_dates_that_fail_with_every_set_are_said() -> None:
    pool: Any = SimpleNamespace(sets=1)
    moves = Relabelling({"1": "2"}, 1, True, ("Jan 2", "1 Feb"))
    none = Relabelling({}, 1, None, ("Jan 1",))
    for number, relabelling in itertools.product((0, 1, 12, 13), (None, moves, none)):
        regions = tuple(CutOff((f"{n}",), (), (DATES[n % len(DATES)],)) for n in range(number))
        lines, tables = blocks(Design(FRAME, pool, (), 1, cut_off=regions, relabelling=relabelling))
        verb = "date fails" if number == 1 else "dates fail"
        assert (f"{number} {verb} with every set:" in lines) is bool(number)
        assert ("  and 1 more such regions" in lines) is (number > report.MAX_LISTED_REGIONS)
        assert any("more such regions" in line for line in lines) is (number == 13)
        assert ("the board with these moves:" in tables) is (bool(number) and relabelling is moves)
        said = relabelling is not None and str(Paragraph(str(relabelling), "", "  ")) in lines
        assert said is (bool(number) and relabelling is not None)


def arranged(by: str, impossible: int | None, detail: str = "") -> Rearrangement:
    merit = None if impossible is None else Merit(impossible, 0.5, 7, 1)
    return Rearrangement(FRAME, merit, merit, merit, by, (), detail)


def test_the_board_that_is_shown_solves_every_date_if_one_does() -> None:
    pool: Any = SimpleNamespace(sets=2)
    sets = (a_set("a", wanting=1), a_set("b", wanting=1))
    for by, first, second in itertools.product(("min", "correlation"), (None, 0, 3), (None, 0, 3)):
        new = tuple(arranged(by, one, "late") for one in (first, second))
        result = Design(FRAME, pool, sets, 2, rearranged=new)
        tables = blocks(result)[1]
        head = next(table for title, table in tables.items() if title.startswith("labels rear"))
        tilings = "the tilings of the hardest solvable date" in head.title
        assert tilings is (by == "min")
        for row, one in zip(head.rows, (first, second), strict=True):
            merit = "7" if by == "min" else "+0.5000"
            value = "" if one is None else merit
            assert row[2:] == (value, value, value, "late" if one is None else str(one))
        shown = "number 2" if first != 0 and second == 0 else "the first"
        assert f"the board of {shown}:" in tables
        assert result.status is (Status.FEASIBLE if 0 in (first, second) else Status.INFEASIBLE)


def test_merits_are_said_as_far_as_they_are_known() -> None:
    assert report.rearranged_text(arranged("min", None, "late")) == "board: late\n"
    assert list(report.merits(arranged("min", None, "late"))) == []
    assert 'name: "board"' in report.rearranged_text(arranged("min", 1))
    assert list(report.merits(arranged("min", 1, "late"))) == [
        *(
            f"{name:<8}at least 7 tilings (date); 1 real date is impossible"
            for name in ("before:", "greedy:", "after:")
        ),
        "late",
    ]
    assert next(iter(report.merits(arranged("correlation", 2)))) == (
        "before: rank correlation +0.5000; 2 real dates are impossible"
    )
