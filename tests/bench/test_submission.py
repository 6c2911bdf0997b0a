"""The instances for MIPLIB: their folder is whole, and the figures are those of the rules."""

from __future__ import annotations

import csv
from array import array
from pathlib import Path

import pytest

import calmip
from benchmarks.submission import EIGHT, command, figures, suits, write
from calmip import Status
from calmip.cli import main
from calmip.mip.model import Model


def test_the_figures_of_a_model() -> None:
    """One binary, one integer and one continuous column; the rows have the dynamisms 4 and 50."""
    rows = [("a", {0: 2.0, 1: -8.0}, 0.0, 1.0), ("b", {1: 100.0, 2: 2.0}, 0.0, 1.0)]
    model = Model.from_rows(
        ("x", "y", "z"),
        rows,
        (3.0, 0.0, -6.0),
        column_lower=array("d", [0, 0, 0]),
        column_upper=array("d", [1, 5, 1]),
        integer=array("b", [1, 1, 0]),
    )
    found = figures(model)
    assert found == (1, 1, 1, 2, 4, 100.0, 50.0, 2.0)
    assert found.suitable
    assert not found._replace(nonzeros=1_000_001).suitable
    assert not found._replace(coefficient=1e10).suitable
    assert not found._replace(row_dynamism=1.1e6).suitable
    assert not found._replace(cost_dynamism=1.1e6).suitable


@pytest.mark.parametrize(
    ("words", "suitable"),
    [
        (["1.00", "-", "-", "unfit"], True),
        (["1.00", "2.00", "-", "unfit"], False),
        (["-", "-", "-", "unfit"], False),
        (["11.00", "1.00"], True),
        (["unfit"], False),
    ],
)
def test_half_of_the_solvers_need_long_and_one_ends(words: list[str], suitable: bool) -> None:
    assert suits(words) == suitable


@pytest.mark.long
def test_the_folder_is_whole(tmp_path: Path) -> None:
    write(tmp_path / "eight", None)
    assert len(EIGHT) == len({one.name for one in EIGHT}) == 8
    for one in EIGHT:
        assert f"`{command(one.name)}`" in (tmp_path / "eight" / f"{one.name}.md").read_text()
    with (tmp_path / "eight" / "rules.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [row["instance"] for row in rows] == [one.name for one in EIGHT]
    assert {row["suitable"] for row in rows} == {"True"}
    groups = [row["group"] for row in rows]
    assert max(map(groups.count, groups)) <= 5
    # No solution is refused, and the command writes the same bytes.
    assert calmip.check.folder(tmp_path / "eight").status is not Status.REFUSED
    (last,) = (one.name for one in EIGHT if "generate" in command(one.name))
    words = [*command(last).split()[1:-1], str(tmp_path / "again"), "--suffix", ".mps.gz"]
    assert main(words) == 0
    file = f"{last}.mps.gz"
    assert (tmp_path / "again" / file).read_bytes() == (tmp_path / "eight" / file).read_bytes()
