"""Exported models, read and solved by other programs."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from calmip.mip.files.solutions import read_solution
from calmip.puzzle.cover import ExactCover
from calmip.puzzle.files.chosen_options import chosen_options
from calmip.puzzle.files.cover_files import header, write_cover
from calmip.puzzle.search.exact_cover.witnesses import exists
from calmip.puzzle.tiling import Tiling

SCIP = """
import json, sys
import pyscipopt
model = pyscipopt.Model()
model.hideOutput()
model.readProblem(sys.argv[1])
rows = model.getConss()
entries = sum(len(model.getValsLinear(row)) for row in rows)
size = [len(rows), model.getNVars(), entries, model.getNBinVars()]
if len(sys.argv) > 2:
    model.optimize()
    model.writeBestSol(sys.argv[2])
print(json.dumps(size))
"""

CPSAT = """
import json, sys
from ortools.linear_solver.python import model_builder
model = model_builder.Model()
assert model.import_from_mps_file(sys.argv[1])
rows = model.get_linear_constraints()
columns = model.get_variables()
binaries = sum(c.is_integral and (c.lower_bound, c.upper_bound) == (0, 1) for c in columns)
entries = sum(len(list(model.helper.constraint_var_indices(row.index))) for row in rows)
if len(sys.argv) > 2:
    solver = model_builder.Solver("sat")
    solver.set_solver_specific_parameters("num_workers:1")
    assert solver.solve(model).name == "OPTIMAL"
    with open(sys.argv[2], "w") as file:
        file.writelines(f"{c.name} {solver.value(c)}\\n" for c in columns)
print(json.dumps([len(rows), len(columns), entries, binaries]))
"""


def highs(_: Any, model: Path, answer: Path | None) -> list[int]:
    import highspy

    solver = highspy.Highs()
    solver.setOptionValue("output_flag", False)
    assert solver.readModel(str(model)) == highspy.HighsStatus.kOk
    lp = solver.getLp()
    if answer is not None:
        solver.run()
        solver.writeSolution(str(answer), 0)
    whole = sum(kind == highspy.HighsVarType.kInteger for kind in lp.integrality_)
    assert set(lp.col_lower_) == {0.0}
    assert set(lp.col_upper_) == {1.0}
    return [lp.num_row_, lp.num_col_, len(lp.a_matrix_.value_), whole]


def cbc(peers: Any, model: Path, answer: Path | None) -> list[int]:
    log = peers.run("cbc", model, "-stat")
    # The sizes after presolve, and in brackets how much was removed.
    kept = r"(\d+) \((-?\d+)\)"
    sizes = re.search(rf"^Presolve {kept} rows, {kept} columns and {kept} elem", log, re.MULTILINE)
    if sizes:
        numbers = [*map(int, sizes.groups())]
        size = [numbers[n] - numbers[n + 1] for n in (0, 2, 4)]
    else:
        assert "will use unpresolved" in log
        found = re.search(
            r"^Problem has (\d+) rows, (\d+) columns .* and (\d+) elem", log, re.MULTILINE
        )
        assert found
        size = [*map(int, found.groups())]
    whole = re.search(r"^Original problem has (\d+) integers \(\1 of which", log, re.MULTILINE)
    assert whole
    if answer is not None:
        peers.run("cbc", model, "-solve", "-solution", answer)
    return [*size, int(whole.group(1))]


def glpk(peers: Any, model: Path, answer: Path | None) -> list[int]:
    kinds = ["--lp"] if model.suffix == ".lp" else ["--mps", "--freemps"]
    sizes = []
    for kind in kinds:
        log = peers.run("glpsol", kind, model, "--check")
        size = re.findall(
            r"^Number of (?:rows|columns|non-zeros \(matrix\)) += +(\d+)$", log, re.MULTILINE
        )
        integers = re.search(
            r"^(\d+) integer variables, all of which are binary$", log, re.MULTILINE
        )
        assert integers
        sizes.append([*map(int, size), int(integers.group(1))])
    assert sizes.count(sizes[0]) == len(sizes)
    if answer is not None:
        peers.run("glpsol", kind, model, "--cuts", "-o", answer)
    return sizes[0]


def scip(peers: Any, model: Path, answer: Path | None) -> list[int]:
    return json.loads(peers.script("pyscipopt", SCIP, model, *([answer] if answer else [])))


def cpsat(peers: Any, model: Path, answer: Path | None) -> list[int]:
    return json.loads(peers.script("ortools", CPSAT, model, *([answer] if answer else [])))


Program = Callable[[Any, Path, Path | None], list[int]]
PROGRAMS: dict[str, Program] = {
    "highs": highs,
    "cbc": cbc,
    "glpk": glpk,
    "scip": scip,
    "cpsat": cpsat,
}
# OR-tools reads another LP dialect than CPLEX's.
PAIRS = [(name, s) for name in PROGRAMS for s in (".mps", ".lp") if (name, s) != ("cpsat", ".lp")]


def check(
    cover: ExactCover, name: str, suffix: str, peers: Any, folder: Path, *, solve: bool
) -> None:
    model, answer = folder / f"model{suffix}", folder / "answer"
    write_cover(model, cover, header(cover))
    size = PROGRAMS[name](peers, model, answer if solve else None)
    assert size == [cover.rows, cover.columns, cover.nonzeros, cover.columns]
    if solve:
        solution = read_solution(answer, cover.option_names)
        assert solution.claim in ("optimal", "feasible")
        Tiling.from_options(cover, chosen_options(cover, solution.values))


@pytest.mark.parametrize(("name", "suffix"), PAIRS)
def test_small_models_are_solved(
    name: str, suffix: str, peers: Any, tmp_path: Path, tiny: ExactCover, free_week: ExactCover
) -> None:
    check(tiny, name, suffix, peers, tmp_path, solve=True)
    check(free_week, name, suffix, peers, tmp_path, solve=True)


@pytest.mark.parametrize(("name", "suffix"), PAIRS)
def test_a_date_is_read_whole(
    name: str, suffix: str, peers: Any, tmp_path: Path, feb29: ExactCover
) -> None:
    check(feb29, name, suffix, peers, tmp_path, solve=False)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "suffix"), PAIRS)
def test_every_instance_is_solved(
    name: str, suffix: str, peers: Any, tmp_path: Path, covers: dict[str, ExactCover]
) -> None:
    for cover in covers.values():
        # Some have no tiling; a proof of that takes some of the programs too long.
        check(cover, name, suffix, peers, tmp_path, solve=exists(cover)[0])
