"""An instance in which nothing fits: no placement, so no column, and no tiling."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from requirements import need_solver

import calmip
from calmip.cli import main
from calmip.models import FORMULATIONS
from calmip.puzzle.files.cover_files import WRITERS
from calmip.puzzle.files.covers import opb_lines
from calmip.solvers import SOLVERS

NOTHING_FITS = """
puzzle:
  name: No room
  grid: ["1 2 3", "4 . ."]
  uncover: [day]
  pieces: {I3: ["###"]}
reveal: {day: 2}
"""


@pytest.fixture
def path(tmp_path: Path) -> str:
    path = tmp_path / "none.yaml"
    path.write_text(NOTHING_FITS)
    assert calmip.ExactCover(calmip.read_instance(str(path))).columns == 0
    return str(path)


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("solver", SOLVERS)
def test_every_solver_and_formulation_say_that_there_is_no_tiling(
    path: str, solver: str, formulation: str, capsys: pytest.CaptureFixture[str]
) -> None:
    model = [] if solver == "exact-cover" else ["--formulation", formulation]
    assert main(["solve", path, "--solver", solver, *model]) == 1
    assert capsys.readouterr().out.startswith("there is no tiling: no piece can cover cell 1")


@pytest.mark.trade("bench")
def test_so_does_a_comparison(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    instance = calmip.read_instance(path)
    assert calmip.compare.formulations(instance, solver=["highs"]).runs == ()
    assert main(["compare", path, "--solver", "highs"]) == 1
    assert "no formulation has a model to solve" in capsys.readouterr().out


@pytest.mark.parametrize("solver", [name for name in SOLVERS if name != "gurobi"])
@pytest.mark.parametrize("suffix", [".mps", ".lp"])
def test_every_solver_finds_the_exported_model_infeasible(
    path: str, solver: str, suffix: str, tmp_path: Path
) -> None:
    need_solver(solver)
    model = tmp_path / f"none{suffix}"
    assert main(["export", path, "-o", str(model)]) == 0
    assert main(["solve", str(model), "--solver", solver]) == 1
    assert main(["enumerate", str(model)]) == 1
    assert main(["check", path, str(model)]) == 0


@pytest.mark.parametrize("suffix", WRITERS)
def test_every_format_can_say_it(path: str, suffix: str, tmp_path: Path) -> None:
    model = tmp_path / f"none{suffix}"
    assert main(["export", path, "-o", str(model)]) == 0
    lines = model.read_text().splitlines()
    none = calmip.ExactCover(calmip.read_instance(path))
    said = [line for line in lines if line[:1] not in ("*", "c", "|", "\\") or suffix == ".dlx"]
    if suffix == ".opb":
        assert lines[0] == "* #variable= 1 #constraint= 4"
        # No value of the only variable satisfies any of the four.
        assert said == ["+1 x1 >= 2 ;"] * 4
        assert "* x1 is no option, as there is none" in lines
        assert not any(line.startswith("preserved") for line in opb_lines(none, preserved=True))
    elif suffix == ".cnf":
        variables, clauses = map(int, said[0].split()[2:])
        literals = [[int(word) for word in line.split()[:-1]] for line in said[1:]]
        assert (variables, clauses) == (1, len(literals))
        assert "c 1 is no option, as there is none" in lines
        assert not any(all(value in clause for clause in literals) for value in (1, -1))
    elif suffix == ".dlx":
        assert lines[-1].split() == ["c_00", "c_02", "c_10", "p_I3"]
    elif suffix == ".json":
        found = json.loads(model.read_text())
        assert (len(found["items"]), found["options"]) == (4, [])
    elif suffix == ".mod" and shutil.which("glpsol"):
        command = ["glpsol", "--math", str(model)]
        told = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        assert "NO FEASIBLE SOLUTION" in told
    elif suffix == ".mzn" and shutil.which("minizinc"):
        command = ["minizinc", str(model)]
        told = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        assert "UNSATISFIABLE" in told


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_every_formulation_can_be_written(path: str, formulation: str, tmp_path: Path) -> None:
    for suffix in (".mps", ".lp"):
        model = tmp_path / f"none{suffix}"
        assert main(["export", path, "-o", str(model), "--formulation", formulation]) == 0
        # The column that stands for none, or the assignments of three cells.
        sizes = {
            "matrix": "1 columns, 4 rows",
            "packing": "1 columns, 4 rows",
            "pulp": "0 columns, 4 rows",
            "pyomo": "0 columns, 4 rows",
            "cells": "3 columns, 8 rows",
        }
        assert sizes.get(formulation, " columns, ") in model.read_text()
