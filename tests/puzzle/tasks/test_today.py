"""What `calmip today` knows of the number of tilings, whatever its searches come to."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from typing import Any

import pytest

import calmip
from calmip.puzzle.cover import ExactCover
from calmip.puzzle.documents.reader import read_instance
from calmip.puzzle.instance import Instance
from calmip.puzzle.search.exact_cover import counting, search
from calmip.puzzle.tiling import Tiling

PUZZLE = read_instance("a-puzzle-a-day", free=True).puzzle
DAY = datetime.date(2026, 11, 29)
COVER = ExactCover(Instance.of_date(PUZZLE, DAY, name=DAY.isoformat()))
SOME = list(search.Search(COVER, limit=3))


@pytest.mark.parametrize(
    ("found", "complete", "few", "many", "expected"),
    [
        (0, True, 9, 9, 0),
        (0, False, 9, 9, None),
        (3, True, 9, 9, 3),
        (3, False, 1234, 9, 1234),
        (3, False, None, 5678, 5678),
        (3, False, None, None, None),
    ],
)
def test_the_number_of_tilings_is_a_complete_count_or_none(
    found: int,
    complete: bool,
    few: int | None,
    many: int | None,
    expected: int | None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Told:
        def __init__(self, *_: Any, **__: Any) -> None:
            self.complete = complete

        def __iter__(self) -> Iterator[Any]:
            return iter(SOME[:found])

    def count(*_: Any) -> int:
        if many is None:
            raise TimeoutError
        return many

    monkeypatch.setattr(search, "Search", Told)
    monkeypatch.setattr(search, "count_few", lambda cover: few)
    monkeypatch.setattr(counting, "count", count)
    shown = calmip.today(PUZZLE, DAY)
    assert (shown.tilings, shown.tiling is not None) == (expected, found > 0)
    assert shown.status == ("feasible" if found else "infeasible" if complete else "unknown")
    if found:
        place = DAY.toordinal() % found
        assert shown.tiling == Tiling.from_options(COVER, SOME[place])
