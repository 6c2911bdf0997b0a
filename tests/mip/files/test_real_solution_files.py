"""Files that real solvers wrote; tests/data/solutions/README.md says how."""

import re
from pathlib import Path

import pytest

from calmip._base.errors import InputError, NotATiling
from calmip.mip.files.solutions import read_solution
from calmip.puzzle.cover import ExactCover
from calmip.puzzle.files.chosen_options import chosen_options, violations
from calmip.puzzle.tiling import Tiling

FOLDER = Path(__file__).parents[2] / "data" / "solutions"
FILES = sorted(path.name for path in FOLDER.iterdir() if path.suffix != ".md")

# What each file holds: whose format, the claim, and a tiling, a fractional point or nothing.
EXPECTED = {
    "tiny.highs-raw": "HiGHS optimal tiling",
    "tiny.highs-pretty": "HiGHS optimal tiling",
    "tiny.highs-sparse": "HiGHS optimal tiling",
    "tiny.highs-glpsol-raw": "GLPK optimal tiling",
    "tiny.highs-glpsol-pretty": "GLPK optimal tiling",
    "tiny.cbc": "CBC optimal tiling",
    "tiny.cbc-all": "CBC optimal tiling",
    "tiny.scip": "SCIP feasible tiling",
    "tiny.scip-zeros": "SCIP feasible tiling",
    "tiny.gurobi.sol": "Gurobi feasible tiling",
    "tiny.gurobi.json": "Gurobi optimal tiling",
    "tiny.copt": "COPT feasible tiling",
    "tiny.cplex": "CPLEX optimal tiling",
    "tiny.cplex-pool": "several",
    "tiny.xpress": "Xpress feasible tiling",
    "tiny.glpk.txt": "GLPK optimal tiling",
    "tiny.glpk-w": "GLPK optimal tiling",
    "feb29.highs-raw": "HiGHS optimal tiling",
    "feb29.highs-pretty": "HiGHS optimal tiling",
    "feb29.highs-sparse": "HiGHS optimal tiling",
    "feb29.highs16-raw": "HiGHS optimal tiling",
    "feb29.highs16-pretty": "HiGHS optimal tiling",
    "feb29.highs16-sparse": "HiGHS optimal tiling",
    "feb29.highs16-stopped-raw": "HiGHS unknown nothing",
    "feb29.highs16-stopped-pretty": "HiGHS unknown nothing",
    "feb29.highs16-stopped-sparse": "HiGHS unknown nothing",
    "feb29.highs-glpsol-raw": "GLPK optimal tiling",
    "feb29.highs-glpsol-pretty": "GLPK optimal tiling",
    "feb29.highs-relaxation": "HiGHS optimal fractional",
    "feb29.highs-stopped-raw": "HiGHS unknown nothing",
    "feb29.highs-stopped-pretty": "HiGHS unknown nothing",
    "feb29.highs-stopped-sparse": "HiGHS unknown nothing",
    "feb29.highs-stopped-glpsol-raw": "GLPK unknown nothing",
    "feb29.highs-stopped-glpsol-pretty": "GLPK unknown nothing",
    "feb29.cbc": "CBC optimal tiling",
    "feb29.cbc-stopped": "CBC unknown nothing",
    "feb29.scip": "SCIP feasible tiling",
    "feb29.scip-zeros": "SCIP feasible tiling",
    "feb29.scip-shell": "SCIP optimal tiling",
    "feb29.gurobi.sol": "Gurobi feasible tiling",
    "feb29.gurobi.json": "Gurobi optimal tiling",
    "feb29.copt": "COPT feasible tiling",
    "feb29.cplex": "CPLEX optimal tiling",
    "feb29.xpress": "Xpress feasible tiling",
    "feb29.glpk.txt": "GLPK optimal tiling",
    "feb29.glpk-w": "GLPK optimal tiling",
    "feb29.glpk-lp-w": "GLPK optimal tiling",
    "feb29.glpk-relaxation.txt": "GLPK unknown fractional",
    "feb29.miplib": "MIPLIB feasible tiling",
    "no-flip-dec29.highs-raw": "HiGHS infeasible nothing",
    "no-flip-dec29.highs-pretty": "HiGHS infeasible nothing",
    "no-flip-dec29.highs-sparse": "HiGHS infeasible nothing",
    "no-flip-dec29.highs-glpsol-raw": "GLPK infeasible nothing",
    "no-flip-dec29.highs-glpsol-pretty": "GLPK infeasible nothing",
    "no-flip-dec29.cbc": "CBC infeasible nothing",
    "no-flip-dec29.cbc-all": "CBC infeasible nothing",
    "no-flip-dec29.gurobi.json": "Gurobi infeasible nothing",
    "no-flip-dec29.glpk.txt": "GLPK infeasible nothing",
    "no-flip-dec29.glpk-w": "GLPK infeasible nothing",
    "no-flip-dec29.scip": "SCIP unknown nothing",
    "no-flip-dec29.scip-shell": "SCIP infeasible nothing",
    "no-flip-dec29.miplib": "MIPLIB infeasible nothing",
}


def expected(name: str) -> str:
    stem = name.removesuffix(".gz")
    return EXPECTED[stem] if stem in EXPECTED else EXPECTED[stem.rpartition(".")[0]]


def test_every_file_is_expected_and_there() -> None:
    assert sorted(expected(name) for name in FILES) == sorted(EXPECTED.values())


@pytest.mark.parametrize("name", FILES)
def test_the_file_is_read(name: str, covers: dict[str, ExactCover]) -> None:
    cover = covers[name.partition(".")[0]]
    if expected(name) == "several":
        with pytest.raises(InputError, match="a second solution starts"):
            read_solution(FOLDER / name, cover.option_names)
        return
    kind, claim, what = expected(name).split()
    solution = read_solution(FOLDER / name, cover.option_names)
    assert (solution.format, solution.claim) == (kind, claim)
    if what == "nothing":
        assert not solution.values
    elif what == "fractional":
        with pytest.raises(NotATiling, match="neither 0 nor 1"):
            chosen_options(cover, solution.values)
    else:
        chosen = chosen_options(cover, solution.values)
        assert violations(cover, chosen) == []
        Tiling.from_options(cover, chosen)


@pytest.mark.parametrize("name", [name for name in FILES if name.startswith("feb29")])
def test_an_answer_to_another_instance_is_found_out(
    name: str, covers: dict[str, ExactCover]
) -> None:
    """Every point for Feb 29 fails on Dec 25, by its names or by an equation."""
    other = covers["christmas"]
    fault = ""
    try:
        solution = read_solution(FOLDER / name, other.option_names)
        if not solution.values:
            return
        fault = "; ".join(violations(other, chosen_options(other, solution.values)))
    except (InputError, NotATiling) as error:
        fault = str(error)
    assert re.search("is it the answer to another instance|neither 0 nor 1|is covered", fault)
