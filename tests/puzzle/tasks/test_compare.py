"""Two models compared by the command: verdicts, exit codes, forms, names and messages."""

from __future__ import annotations

import json
import math
from array import array
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from requirements import need_package

import calmip
from calmip._base.errors import InputError
from calmip._base.limits import Deadline
from calmip.cli import main
from calmip.mip.compare.comparison import Inclusion, Side
from calmip.mip.compare.implication import Implications
from calmip.mip.compare.objective_equivalence import Objectives
from calmip.mip.lp.inequality import Basis
from calmip.mip.model import Model
from calmip.puzzle.cover import ExactCover
from calmip.puzzle.tasks import compare as comparing
from calmip.puzzle.tasks.compare import ModelComparison, compare_models

LOOSE = """Minimize
 cost: 9 y1 + 9 y2 + 3 x11 + 5 x12 + 6 x21 + 2 x22
Subject To
 shop1: x11 + x21 = 1
 shop2: x12 + x22 = 1
 open1: x11 + x12 - 2 y1 <= 0
 open2: x21 + x22 - 2 y2 <= 0
Binaries
 y1 y2 x11 x12 x21 x22
End
"""
TIGHT = LOOSE.replace(
    " open1: x11 + x12 - 2 y1 <= 0\n open2: x21 + x22 - 2 y2 <= 0\n",
    " a: x11 - y1 <= 0\n b: x12 - y1 <= 0\n c: x21 - y2 <= 0\n d: x22 - y2 <= 0\n",
)
WRONG = TIGHT.replace(" c: x21 - y2 <= 0\n", "")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in {"loose": LOOSE, "tight": TIGHT, "wrong": WRONG}.items():
        (tmp_path / f"{name}.lp").write_text(text)
    return tmp_path


def compared(one: object, other: object, **options: Any) -> ModelComparison:
    found = calmip.compare(one, other, **options)
    assert isinstance(found, ModelComparison)
    return found


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    code = main(["compare", *words])
    output = capsys.readouterr()
    return code, output.out + output.err


def test_the_same_model_written_otherwise(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, text = run(capsys, "loose.lp", "tight.lp")
    assert code == 0
    first, *lines = text.splitlines()
    assert first == (
        "loose.lp and tight.lp: the same feasible set and the same objective "
        "(proved in exact numbers)"
    )
    assert "linear relaxations: that of tight.lp is stronger; LP bounds 14 and 17" in lines
    assert "columns: 6 by equal names" in lines


def test_a_counter_example_names_the_row_with_both_sides(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, text = run(capsys, "tight.lp", "wrong.lp")
    assert code == 1
    lines = text.splitlines()
    verdict = "not the same: wrong.lp has solutions that tight.lp has not"
    assert lines[0] == f"tight.lp and wrong.lp: {verdict}"
    assert lines[1].startswith("a solution of wrong.lp alone: ")
    assert lines[2] == "  it violates tight.lp: row c is 1, not <= 0"


def test_the_time_limit_leaves_it_undecided(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, text = run(capsys, "tight.lp", "loose.lp", "--time-limit", "1e-9")
    assert code == 3
    assert "not decided whether the feasible sets are the same" in text
    assert "undecided" in text


def test_every_form_has_the_verdict(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = "loose.lp", "wrong.lp", "--format"
    for form, mark in (("html", "<h1>loose.lp and wrong.lp</h1>"), ("md", "# loose.lp and wrong")):
        code, text = run(capsys, *words, form)
        assert (code, mark in text) == (1, True)
    code, text = run(capsys, *words, "json")
    found = json.loads(text)
    assert code == 1
    assert (found["feasible_set"], found["status"], found["proved"]) == ("smaller", "refused", True)
    assert found["point"]["of"] == "against"
    assert found["point"]["violations"] == [
        {"kind": "row", "name": "open2", "value": 1, "allowed": 0}
    ]
    assert found["columns"]["equal"] == 6
    assert {side["basis"] for side in found["sides"]} == {"linear relaxation", None}


@pytest.mark.long
def test_objects_of_pulp_and_pyomo(folder: Path) -> None:
    pulp = need_package("pulp")
    pyo = need_package("pyomo.environ")
    problem = pulp.LpProblem("pairs", pulp.LpMaximize)
    x = [problem.add_variable(f"x_{i}", cat="Binary") for i in range(3)]
    problem += x[0] + 2 * x[1] + 3 * x[2]
    for a, b in ((0, 1), (0, 2), (1, 2)):
        problem += x[a] + x[b] <= 1
    model = pyo.ConcreteModel()
    model.x = pyo.Var(range(3), domain=pyo.Binary)
    model.most = pyo.Constraint(expr=sum(model.x[i] for i in range(3)) <= 1)
    model.value = pyo.Objective(expr=sum((i + 1) * model.x[i] for i in range(3)), sense=-1)
    found = compared(problem, model)
    assert (found.status, found.proved) == ("accepted", True)
    assert found.pairing.how == {"spelling": 3}
    assert found.relaxation == "against"
    assert [float(bound) for bound in found.bounds if bound is not None] == [3.0, 3.0]
    model.x[2].fix(0)
    assert compared(problem, model).status == "refused"


def test_names_by_a_file_and_by_structure(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = TIGHT.replace("x", "ship").replace("y", "site")
    (folder / "renamed.lp").write_text(other)
    code, text = run(capsys, "tight.lp", "renamed.lp")
    assert (code, "--match" in text) == (2, True)
    (folder / "names.csv").write_text("# both\nship*,x*\nsite*,y*\n")
    words = "tight.lp", "renamed.lp"
    code, text = run(capsys, *words, "--names", "names.csv")
    assert (code, "6 by the given names (site1 is y1, " in text) == (0, True)
    code, text = run(capsys, *words, "--match")
    assert (code, "6 by the structure of the rows" in text) == (0, True)
    code, text = run(capsys, "loose.lp", "renamed.lp", "--match")
    assert (code, "no renaming of the columns" in text) == (2, True)


def test_objectives_count(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "dear.lp").write_text(TIGHT.replace("9 y2", "1 y2"))
    code, text = run(capsys, "tight.lp", "dear.lp")
    assert code == 1
    assert text.startswith("tight.lp and dear.lp: the same feasible set, but another objective\n")
    assert "objectives: they rank solutions differently" in text
    (folder / "twice.lp").write_text(
        TIGHT.replace(
            "cost: 9 y1 + 9 y2 + 3 x11 + 5 x12 + 6 x21 + 2 x22",
            "cost: 18 y1 + 18 y2 + 6 x11 + 10 x12 + 12 x21 + 4 x22 + 5 one",
        ).replace("Binaries", "Bounds\n one = 1\nBinaries")
    )
    found = compared(calmip.read_model("tight.lp"), "twice.lp")
    relation = found.objectives
    assert (found.status, relation.relation, relation.factor) == ("accepted", "scaled", 2)


def test_a_puzzle_is_no_model(folder: Path) -> None:
    instance = calmip.read_instance("a-puzzle-a-day", reveal="Feb,29")
    model = Model.from_cover(ExactCover(instance))
    assert calmip.check(instance, model).status == "accepted"
    for pair in ((instance, model), (model, instance)):
        with pytest.raises(InputError, match="is a puzzle, not a model"):
            calmip.compare(*pair)


def test_files_are_models(folder: Path) -> None:
    assert compared("tight.lp", Path("loose.lp")).status == "accepted"
    assert compared("tight.lp", Path("wrong.lp")).status == "refused"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["tight.lp"], "Missing argument 'OTHER'"),
        (["tight.lp", "--solver", "highs"], "is an option of calmip compare formulations"),
        (["a-puzzle-a-day", "--match"], "--match goes with two models only"),
        (["tight.lp", "nothing.lp"], "nothing.lp"),
        (["tight.lp", "feb29.yaml"], "feb29.yaml"),
        (["a-puzzle-a-day", "tight.lp"], "a-puzzle-a-day: is a puzzle, not a model"),
        (["tight.lp", "instances/tiny.yaml"], "instances/tiny.yaml"),
    ],
)
def test_wrong_inputs_have_one_clear_message(
    folder: Path, words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, text = run(capsys, *words)
    assert (code, message in text, "Traceback" in text) == (2, True, False), text


def test_check_compares_no_models(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = calmip.read_model("tight.lp")
    assert main(["check", "tight.lp", "loose.lp"]) == 2
    assert "compare two models with calmip compare" in capsys.readouterr().err
    with pytest.raises(InputError, match="an answer is missing"):
        calmip.check(model)


def test_the_solver_s_word_is_said_to_be_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sides that rest on it are listed first, and the verdict is not called proved."""
    box = Model.from_rows(["x"], [("r", {0: 1.0}, -math.inf, 1.0)])
    side = Side("row", "cut", "x <= 1", holds=True, basis=Basis.SOLVER)
    monkeypatch.setattr(comparing, "include_constructs", lambda *_: Inclusion(True, (side,)))
    found = compared(box, box)
    assert (found.status, found.proved) == ("accepted", False)
    assert "(not proved, see below)" in str(found)
    assert "1 rests on HiGHS's word alone" in str(found)
    assert found.describe()["basis"] == {
        side: {str(Basis.SOLVER): 1} for side in ("model", "against")
    }


def test_points_prove_another_objective_if_both_models_have_them() -> None:
    """That one model is in the other may rest on HiGHS's word, but the points are checked."""

    def box(columns: str, side: float) -> Model:
        return Model.from_rows(columns.split(), [("r", {0: 1.0}, 0.0, side)])

    word = Side("row", "cut", "x <= 1", holds=True, basis=Basis.SOLVER)
    loose, proof = Inclusion(True, (word,)), Inclusion(True)
    assert (loose.proved, proof.proved) == (False, True)
    for other, forth, points, relation, expected in (
        (box("x", 1.0), loose, ({0: 1}, {}), "different", True),
        (box("x", 1.0), loose, ({}, {0: 2}), "different", False),
        (box("x", 1.0), loose, ({0: 2}, {}), "different", False),
        (box("x", 1.0), proof, ({0: 2}, {}), "different", True),
        (box("x", 1.0), loose, ({0: 2}, {}), "same", True),
        (box("x y", 1.0), loose, ({0: 1}, {}), "different", False),
    ):
        for proved in (True, False):
            objectives = Objectives(relation, points=points, proved=proved)
            pairing = SimpleNamespace(columns={0: 0})
            found = ModelComparison(box("x", 1.0), other, pairing, forth, proof, objectives)  # type: ignore[arg-type]
            assert found.proved_parts["objective"] is (expected and proved)
            assert found.proved_parts["feasible_set"] is forth.proved


def test_open_sides_are_those_of_what_is_not_decided() -> None:
    yes, no, late = (Side("row", "r", "x <= 1", holds=one) for one in (True, False, None))
    box = Model.from_rows(["x"], [])
    forth, back = Inclusion(None, (yes, late)), Inclusion(False, (no, late))
    pairing: Any = SimpleNamespace(columns={0: 0})
    found = ModelComparison(box, box, pairing, forth, back, Objectives("same"))
    assert found.open == (("against", late),)
    found = ModelComparison(box, box, pairing, back, forth, Objectives("same"))
    assert found.open == (("model", late),)


def test_a_column_of_one_model_alone_may_have_a_cost() -> None:
    """The best objective for each choice of the shared columns counts."""
    box = {
        "column_lower": array("d", [0.0, 0.0]),
        "column_upper": array("d", [3.0, math.inf]),
        "integer": array("b", [1, 0]),
    }
    plain = Model.from_rows(
        ["x"], [], [2.0], column_lower=array("d", [0.0]), column_upper=array("d", [3.0])
    )
    rows = [("least", {0: -2.0, 1: 1.0}, 0.0, math.inf)]
    epigraph = Model.from_rows(["x", "t"], rows, [0.0, 1.0], **box)
    found = compared(plain, epigraph)
    assert (found.status, found.objectives.relation) == ("accepted", "same")
    dearer = Model.from_rows(["x", "t"], rows, [0.0, 2.0], **box)
    found = compared(plain, dearer)
    objectives = found.objectives
    assert (found.status, objectives.relation, objectives.factor) == ("accepted", "scaled", 2)
    other = Model.from_rows(["x", "t"], rows, [-3.0, 1.0], **box)
    found = compared(plain, other)
    assert (found.status, found.feasible_set) == ("refused", "same")
    assert len(found.objectives.points) == 2


@pytest.mark.parametrize("found", [True, False])
@pytest.mark.parametrize("late", [True, False])
def test_an_optimum_that_is_not_found_is_not_proved(
    found: bool, late: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of models that differ both optima are searched, as long as there is time."""
    one = Model.from_rows(["x", "y"], [("r", {0: 1.0, 1: 1.0}, 1.0, 2.0)], [1.0, 2.0])
    other = Model.from_rows(["x", "y"], [("r", {0: 1.0, 1: 1.0}, 2.0, 2.0)], [1.0, 2.0])
    clock = Deadline(None)
    if not found:
        monkeypatch.setattr(Implications, "best", lambda *_: None)
    if late:
        monkeypatch.setattr(Deadline, "over", True)
    result = compare_models(one, other, clock=clock)
    if late:
        assert (result.bounds, result.optima) == ((None, None), (None, None))
        assert result.optima_proved == (False, False)
    else:
        assert result.bounds == (1, 3)
        assert result.optima == ((1, 3) if found else (None, None))
        assert result.optima_proved == (found, found)
