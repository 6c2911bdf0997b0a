"""The model files of the hard suite: what they are, what is known of them, and as a library."""

import csv
import gzip
import itertools
from pathlib import Path

import numpy as np
import pytest

import calmip
from benchmarks.hard_models import (
    ARRANGEMENTS,
    DATES,
    DESIGNS,
    FOLDER,
    costs,
    design,
    least,
    rearrangement,
)
from calmip._base.files import write_text
from calmip.cli import main
from calmip.mip.files.model_files import read_model, read_solu
from calmip.mip.files.mps import mps_text
from calmip.mip.model import Model
from calmip.puzzle.cover import ExactCover
from calmip.puzzle.dates import real_dates
from calmip.puzzle.instance import Selection
from calmip.puzzle.search.exact_cover.search import Search
from calmip.solvers.base import Limits, Status
from calmip.solvers.highs import Highs


def model_of(name: str) -> Model:
    kind, size = name.split("-")
    if kind == "design":
        return design(int(size))
    months, days = map(int, size.split("x"))
    return rearrangement(costs(months, days))


@pytest.mark.long
def test_the_files_are_those_that_the_program_writes() -> None:
    known = read_solu(FOLDER / "known.solu")
    names = {path.name.removesuffix(".mps.gz") for path in FOLDER.glob("*.mps.gz")}
    assert names == set(known)
    assert len(names) == len(DESIGNS) + len(ARRANGEMENTS)
    for name in names:
        written = gzip.decompress((FOLDER / f"{name}.mps.gz").read_bytes()).decode()
        assert written == mps_text(model_of(name)), name


@pytest.mark.trade("design")
@pytest.mark.parametrize("months", [2, 3])
def test_the_quadratic_assignment_has_the_optimum_of_all_orders(
    months: int, tmp_path: Path
) -> None:
    """Each order of months and days is a point, with its cost, and HiGHS finds none below."""
    rng = np.random.default_rng(months)
    cost = rng.integers(0, 50, (months, months, 3, 3))
    model = rearrangement(cost)
    place = {name: number for number, name in enumerate(model.columns)}
    found = []
    for month, day in itertools.product(
        itertools.permutations(range(months)), itertools.permutations(range(3))
    ):
        chosen = [place[f"x{i}_{j}"] for i, j in enumerate(month)]
        chosen += [place[f"y{k}_{n}"] for k, n in enumerate(day)]
        pairs = itertools.product(enumerate(month), enumerate(day))
        chosen += [place[f"z{i}_{j}_{k}_{n}"] for (i, j), (k, n) in pairs]
        assert model.violated(chosen) is None
        assert model.violated(chosen[:-1]) is not None
        found.append(model.objective(chosen))
    assert min(found) == least(cost)
    write_text(tmp_path / "m.mps", [mps_text(model)])
    outcome = Highs().solve(tmp_path / "m.mps", Limits(60))
    assert outcome.status is Status.OPTIMAL
    ones = [place[name] for name, value in outcome.values.items() if value > 0.5]
    assert model.objective(ones) == min(found)


@pytest.mark.long
def test_what_is_known_is_the_least_of_all_orders() -> None:
    known = read_solu(FOLDER / "known.solu")
    assert known["rearrange-5x10"] == ("opt", least(costs(5, 10)))


@pytest.mark.long
@pytest.mark.trade("design")
def test_a_set_that_solves_every_date_is_a_point_of_the_choice() -> None:
    """Not by a solver: its pieces, and a tiling of each date, are put into the model."""
    frame, sold = calmip.read_board("a-puzzle-a-day"), calmip.read_puzzle("jarringwords")
    pool = calmip.read_pool("pentominoes", frame, number=8, required=["O6"])
    model = design(DESIGNS[-1])
    place = {name: number for number, name in enumerate(model.columns)}
    names = {piece.name for piece in sold.pieces}
    chosen = [place[f"y{n}_0"] for n, piece in enumerate(pool.pieces) if piece.name in names]
    assert len(chosen) == 8
    for day, name in enumerate(DATES):
        labels = tuple(real_dates(frame.groups)[name].values())
        tiling = next(iter(Search(ExactCover(calmip.Instance(sold, labels)))))
        cover = ExactCover(calmip.Instance(sold, labels))
        every = ExactCover(Selection(pool.supply(frame), labels))
        at = {every.option(n): f"x{day}_{n}" for n in range(every.columns)}
        chosen += [place[at[cover.option(n)]] for n in tiling]
    assert model.violated(chosen) is None
    # Without one of its pieces it is none.
    assert model.violated(chosen[1:]) is not None


@pytest.mark.long
def test_a_suite_with_files_becomes_a_library(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    suite = tmp_path / "suite.yaml"
    suite.write_text(
        "instances:\n- {puzzle: a-puzzle-a-day, flip: false, dates: [2024-12-29]}\n"
        f"- {{files: '{FOLDER}/*.mps.gz'}}\n"
    )
    for suffix in (".mps", ".lp.gz"):
        folder = tmp_path / suffix
        assert main(["export", "suite", str(suite), "--suffix", suffix, "-o", str(folder)]) == 0
        assert main(["export", "suite", str(suite), "--suffix", suffix, "-o", str(folder)]) == 0
        index = (folder / "index.csv").read_text().splitlines()
        lines = {row["instance"]: row for row in csv.DictReader(index)}
        assert len(lines) == 5
        assert read_solu(folder / "index.solu")["rearrange-6x12"] == ("opt", 26834)
        assert read_solu(folder / "index.solu")["design-4"] == ("opt", 0)
        line = lines["rearrange-5x10"]
        assert (line["objective"], line["nodes"], line["tags"]) == ("9046", "", "binary")
        assert lines["design-8"]["solver"] == ""
        assert int(lines["a-puzzle-a-day-no-flip-2024-12-29"]["nodes"])
        assert "not of design-4, design-8, rearrange-5x10, re" in (folder / "README.md").read_text()
        for name in ("design-4", "rearrange-5x10"):
            written, given = (
                read_model(folder / f"{name}{suffix}"),
                read_model(FOLDER / f"{name}.mps.gz"),
            )
            assert [*written.columns] == [*given.columns]
            for part in ("cost", "lower", "upper", "start", "value"):
                assert np.array_equal(getattr(written, part), getattr(given, part)), part
    assert "NAME          rearrange-5x10" in (tmp_path / ".mps" / "rearrange-5x10.mps").read_text()
    capsys.readouterr()
    given = ["export", "suite", str(suite), "--suffix", ".mzn", "-o", str(tmp_path / "no")]
    assert main(given) == 2
    assert "design-4 is a model file, and is written as .mps or .lp" in capsys.readouterr().err
