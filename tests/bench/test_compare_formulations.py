"""Formulations side by side: sizes, bounds, answers that were checked."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from calmip import ExactCover, InputError, SolverFailed, models
from calmip._base.errors import SolverMissing
from calmip._base.limits import Deadline
from calmip.bench.compare import Comparison, Run, compare_formulations
from calmip.cli import main
from calmip.mip import one_tree
from calmip.mip.one_tree import OneTree
from calmip.models import FORMULATIONS, Formulation, build
from calmip.puzzle.board import Board, Piece
from calmip.puzzle.documents.reader import read_instance
from calmip.puzzle.instance import Instance
from calmip.puzzle.puzzle import Puzzle
from calmip.puzzle.search.exact_cover.search import Search
from calmip.solvers import Outcome, Status
from calmip.solvers.base import KILLED, ModelRefused
from calmip.solvers.highs import Highs, relax

SIX = "grid: ['* * *', '* * *']\nuncover: []\npieces: {I: ['##'], T: ['###', '.#.']}\n"


@pytest.fixture
def six(tmp_path: Path) -> str:
    path = tmp_path / "six.yaml"
    path.write_text(SIX)
    return str(path)


BOUNDS = {"matrix": 0, "pulp": 1, "pyomo": 1, "packing": -3, "cells": 0}


@pytest.mark.long
def test_every_formulation_is_compared_with_every_solver_that_was_named() -> None:
    rows = compare_formulations(read_instance("instances/tiny.yaml"), solver=["highs", "cbc"]).runs
    assert {(row.formulation, row.solver) for row in rows} == {
        (formulation, solver) for formulation in FORMULATIONS for solver in ("highs", "cbc")
    }
    for row in rows:
        assert row.answer == "tiling"
        assert row.gap == 0
        assert row.nodes is not None
        size = (11, 13) if row.formulation == "cells" else (5, 5)
        assert (row.columns, row.rows) == size or row.formulation not in BOUNDS
    found = {row.formulation: row.bound for row in rows}
    assert BOUNDS.items() <= found.items()


@pytest.mark.long
def test_a_fractional_relaxation_and_its_gap(six: str) -> None:
    rows = {
        row.formulation: row
        for row in compare_formulations(read_instance(six), solver=["highs"]).runs
    }
    assert {row.answer for row in rows.values()} == {"none"}
    assert (rows["packing"].bound, rows["packing"].optimum) == (-6, -4)
    assert rows["packing"].gap == pytest.approx(0.5)
    assert (rows["matrix"].bound, rows["matrix"].optimum, rows["matrix"].gap) == (0, None, None)


def test_an_infeasible_relaxation_is_said(six: str, tmp_path: Path) -> None:
    cover = ExactCover(read_instance(six))
    model = build("matrix", cover)
    point = relax(written(model, tmp_path))
    assert point.bound == 0
    assert set(point.values.values()) == {0.5}
    # The four halves are pairwise in conflict, so at most one of them is chosen.
    model.forbid([cover.option_number[name] for name in point.values], most=1)
    assert relax(written(model, tmp_path)).bound is None


def written(model: Formulation, folder: Path) -> Path:
    path = folder / "model.mps"
    model.write(path)
    return path


def test_cells_that_nothing_can_cover_leave_the_packing_only() -> None:
    instance = read_instance("instances/dead-corner.yaml")
    found = compare_formulations(instance, solver=["highs"], time_limit=0.05)
    assert {row.formulation for row in found.runs} == {"packing"}
    with pytest.raises(InputError, match="no piece can cover"):
        compare_formulations(instance, formulation=["matrix"], solver=["highs"])


@pytest.mark.parametrize(
    ("outcome", "answer", "words"),
    [
        (Outcome(Status.INFEASIBLE, detail="Infeasible"), "failed", "but there is a tiling"),
        (Outcome(Status.OPTIMAL, {"dom_a00": 1.0}, "Optimal"), "failed", "not a tiling"),
        (Outcome(Status.OPTIMAL, {"dom_a00": 1.0, "none": 1.0}, "Optimal"), "failed", "'none'"),
        (Outcome(Status.OPTIMAL, {"none": float("nan")}, "Optimal"), "failed", "'none'"),
        (Outcome(Status.FEASIBLE, {"dom_a00": float("inf")}, "Stopped"), "failed", "inf"),
        (Outcome(Status.UNKNOWN, detail="Time"), "unknown", "Time"),
    ],
)
def test_a_solver_that_lies_is_shown(
    outcome: Outcome, answer: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Highs, "solve", lambda *_: outcome)
    (row,) = compare_formulations(
        read_instance("instances/tiny.yaml"), formulation=["matrix"], solver=["highs"]
    ).runs
    assert (row.answer, words in row.detail) == (answer, True)


def test_a_solver_that_crashes_is_shown(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def crash(*_: object) -> Outcome:
        raise SolverFailed("HiGHS fell over")

    monkeypatch.setattr(Highs, "solve", crash)
    arguments = ["compare", "instances/tiny.yaml", "--formulation", "matrix", "--solver", "highs"]
    assert main(arguments) == 4
    assert "matrix, highs: HiGHS fell over" in capsys.readouterr().out


@pytest.mark.long
def test_a_row_that_a_solver_names_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    values = {"dom_a00": 1.0, "squ_a10": 1.0, "c_00": 1.0}
    monkeypatch.setattr(Highs, "solve", lambda *_: Outcome(Status.OPTIMAL, values, "Optimal"))
    instance = read_instance("instances/tiny.yaml")
    (run,) = compare_formulations(instance, formulation=["pulp"], solver=["highs"]).runs
    assert (run.answer, run.optimum) == ("tiling", 1)


def test_a_claim_that_no_witness_decides_in_time_is_unverified(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Unfinished(Search):
        def __init__(self, *arguments: object, **options: object) -> None:
            super().__init__(*arguments, **{**options, "clock": Deadline(1e-9)})  # type: ignore[arg-type]

    class Unfelled(OneTree):
        def __init__(self, model: ExactCover, **_: object) -> None:
            super().__init__(model, clock=Deadline(1e-9))

    monkeypatch.setattr("calmip.puzzle.search.exact_cover.search.Search", Unfinished)
    monkeypatch.setattr(one_tree, "OneTree", Unfelled)
    monkeypatch.setattr(Highs, "solve", lambda *_: Outcome(Status.INFEASIBLE, {}, "Infeasible"))
    instance = Instance(
        Puzzle(
            "Two corners",
            Board.from_text([". " + "* " * 9, *["* " * 10] * 8, "* " * 9 + "."]),
            tuple(Piece.from_rows(f"p{number}", ["##"]) for number in range(49)),
        ),
        (),
    )
    (run,) = compare_formulations(instance, formulation=["matrix"], solver=["highs"]).runs
    assert (run.answer, "the check took too long" in run.detail) == ("unverified", True)
    found = Comparison(instance, (run,))
    assert found.status == "unknown"
    assert f"matrix, highs: {run.detail}" in str(found)
    # One search need not end where another does.
    monkeypatch.setattr(one_tree, "OneTree", OneTree)
    (run,) = compare_formulations(
        instance, formulation=["matrix"], solver=["highs"], time_limit=60
    ).runs
    assert run.answer == "none"


@pytest.mark.skipif(sys.platform == "win32", reason="a shell's script")
def test_a_solver_that_heeds_no_limit_is_a_row_and_no_wait(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # It would sleep for an hour.
    program = tmp_path / "cbc"
    program.write_text("#!/bin/sh\ntrap '' TERM INT\nsleep 3600 & sleep 3600\n")
    program.chmod(0o755)
    monkeypatch.setenv("CALMIP_CBC", str(program))
    (run,) = compare_formulations(
        read_instance("instances/tiny.yaml"), formulation=["matrix"], solver=["cbc"], time_limit=0.1
    ).runs
    assert (run.answer, run.optimum, run.nodes) == ("unknown", None, None)
    assert run.detail == KILLED


def test_missing_names() -> None:
    instance = read_instance("instances/tiny.yaml")
    with pytest.raises(InputError, match="unknown solver"):
        compare_formulations(instance, solver=["nosuch"])
    with pytest.raises(InputError, match="unknown formulation"):
        compare_formulations(instance, formulation=["nosuch"], solver=["highs"])
    with pytest.raises(InputError, match="above 0"):
        compare_formulations(instance, time_limit=0)


def test_a_solver_that_was_named_and_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CALMIP_CBC", "/nosuch/cbc")
    instance = read_instance("instances/tiny.yaml")
    with pytest.raises(SolverMissing):
        compare_formulations(instance, formulation=["matrix"], solver=["cbc"])


@pytest.mark.long
def test_a_plain_obstacle_is_said_and_is_an_answer(capsys: pytest.CaptureFixture[str]) -> None:
    call = ["compare", "instances/dead-corner.yaml", "--solver", "highs", "--time-limit", "1"]
    assert main(call) == 1
    assert "there is no tiling: no piece can cover cell Jan (0, 0)" in capsys.readouterr().out
    assert main([*call, "--format", "json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert "no piece can cover" in found["obstacle"]
    assert [run["formulation"] for run in found["runs"]] == ["packing"]


def test_the_table_and_the_json(capsys: pytest.CaptureFixture[str], six: str) -> None:
    assert main(["compare", "instances/tiny.yaml", "--solver", "highs"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split()[:4] == ["formulation", "columns", "rows", "nonzeros"]
    assert len(lines) == 1 + len(FORMULATIONS)
    arguments = ["compare", six, "--solver", "highs", "--formulation", "packing"]
    assert main([*arguments, "--format", "json"]) == 1
    (run,) = json.loads(capsys.readouterr().out)["runs"]
    assert (run["answer"], run["bound"], run["optimum"], run["gap"]) == ("none", -6, -4, 0.5)
    assert main([*arguments, "--time-limit", "-1"]) == 2


def test_the_relaxation_of_a_broken_file(tmp_path: Path) -> None:
    path = tmp_path / "broken.mps"
    path.write_text("this is no model\n")
    with pytest.raises(SolverFailed, match="cannot read"):
        relax(path)


def test_a_formulation_whose_package_is_missing_is_a_row_that_says_why(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    # None in sys.modules makes an import fail, as if there were no such package.
    monkeypatch.setitem(sys.modules, "pulp", None)
    monkeypatch.delitem(sys.modules, "calmip.models.pulp", raising=False)
    instance = read_instance("instances/tiny.yaml")
    found = compare_formulations(instance, solver=["highs"])
    assert [run.formulation for run in found.runs] == list(FORMULATIONS)
    (missing,) = (run for run in found.runs if run.answer == "missing")
    assert (missing.formulation, missing.solver, missing.columns) == ("pulp", None, None)
    assert "pip install pulp" in missing.detail
    assert found.status == "feasible"
    assert main(["compare", "instances/tiny.yaml", "--solver", "highs"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[2].split() == ["pulp", *["-"] * 5, "missing", *["-"] * 4]
    assert lines[-1] == missing.detail
    with pytest.raises(SolverMissing, match="pip install pulp"):
        compare_formulations(instance, formulation=["matrix", "pulp"], solver=["highs"])


def test_what_is_missing_is_said_in_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    # So says Pyomo where gurobipy is loaded and packaging is not there.
    text = (
        "pyomo.environ failed to import pyomo.contrib.solver.plugins:\nOriginal "
        "DeferredImportError: failed to import: ModuleNotFoundError: No module named "
        "'packaging'\nTraceback:\n  File 'somewhere', line 64\n"
    )

    def halted() -> None:
        raise ImportError(text)

    monkeypatch.setitem(models.FORMULATIONS, "pyomo", (halted, "pyomo", ""))
    wanted = "needs the package pyomo (No module named 'packaging'); pip install packaging"
    (run,) = [
        run
        for run in compare_formulations(read_instance("instances/tiny.yaml"), solver=["highs"]).runs
        if run.formulation == "pyomo"
    ]
    assert (run.answer, run.detail) == ("missing", f"formulation pyomo {wanted}")


def test_a_solver_that_takes_no_such_model_is_a_row_that_says_so(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["compare", "instances/tiny.yaml", "--solver", "exact-cover"]) == 0
    lines = capsys.readouterr().out.splitlines()
    answers = {line.split()[0]: line.split()[6] for line in lines[1 : 1 + len(FORMULATIONS)]}
    assert answers["matrix"] == "tiling"
    assert answers["packing"] == "unfit"
    assert any(
        line.startswith("packing, exact-cover: exact-cover takes equations ") for line in lines
    )
    only = ["--solver", "exact-cover", "--formulation", "packing"]
    assert main(["compare", "instances/tiny.yaml", *only]) == 3


def test_a_licence_that_takes_no_such_model_is_no_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> None:
        raise ModelRefused("the licence takes 2,000 columns")

    monkeypatch.setattr(Highs, "solve", refused)
    (run,) = compare_formulations(
        read_instance("instances/tiny.yaml"), solver=["highs"], formulation=["matrix"]
    ).runs
    assert (run.answer, run.detail) == ("unfit", "the licence takes 2,000 columns")


def test_a_full_disk_is_the_users_to_mend_and_no_refusal(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise InputError("cannot write a scratch file: No space left on device")

    monkeypatch.setattr(Highs, "solve", full)
    with pytest.raises(InputError, match="No space left"):
        compare_formulations(
            read_instance("instances/tiny.yaml"), solver=["highs"], formulation=["matrix"]
        )


def test_nothing_that_ran_is_no_answer() -> None:
    instance = read_instance("instances/tiny.yaml")
    missing = Run("pulp", None, "missing")
    assert Comparison(instance, ()).status == Comparison(instance, (missing,)).status == "unknown"
    assert Comparison(instance, (missing,), "no piece fits").status == "infeasible"


@pytest.mark.skipif(sys.platform == "win32", reason="a program that is a script")
def test_a_solver_that_removes_the_model_is_judged_and_harms_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    program = tmp_path / "cbc"
    program.write_text(
        f"#!{sys.executable}\nimport os, sys\n"
        "os.unlink(next(word for word in sys.argv if word.endswith('.mps')))\n"
        "open(sys.argv[-1], 'w').write('Infeasible - objective value 0\\n')\n"
    )
    program.chmod(0o755)
    monkeypatch.setenv("CALMIP_CBC", str(program))
    tiny = ["instances/tiny.yaml", "--formulation", "matrix"]
    assert main(["solve", *tiny, "--solver", "cbc"]) == 4
    said = capsys.readouterr().err
    assert "but there is a tiling" in said
    assert "No such file" not in said
    found = compare_formulations(
        read_instance("instances/tiny.yaml"), formulation=["matrix"], solver=["cbc", "highs"]
    )
    assert [run.answer for run in found.runs] == ["failed", "tiling"]
