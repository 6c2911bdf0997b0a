"""Models that others wrote, solved and checked; brute force as the witness."""

import itertools
import json
import random
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from requirements import need_solver
from small_models import KNAPSACK, models

from calmip import solvers
from calmip._base.errors import InputError, SolverFailed
from calmip._base.limits import Deadline
from calmip.cli import main
from calmip.mip.files.lp import lp_text
from calmip.mip.files.model_files import read_model
from calmip.mip.files.mps import mps_text
from calmip.mip.model import Model, Number
from calmip.mip.one_tree import OneTree
from calmip.puzzle.tasks.solve import solve
from calmip.solvers import Outcome, Status


@pytest.fixture(scope="module", autouse=True)
def _patient() -> Iterator[None]:
    """Give the search for a better point as long as a busy machine may need for two columns."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("calmip.mip.independent_search.WITNESS_SECONDS", 60.0)
        yield


# The least 2 a - b with -1 <= 2 a - 3 b <= 0 is 0; CBC 2.10.8 says 1.
LOST = Model(
    columns=("a", "b"),
    rows=("r",),
    start=np.array([0, 2], dtype=np.int32),
    index=np.array([0, 1], dtype=np.int32),
    value=np.array([2.0, -3.0]),
    lower=np.array([-1.0]),
    upper=np.array([0.0]),
    cost=np.array([2.0, -1.0]),
)


@pytest.mark.long
@settings(max_examples=60, deadline=None)
@given(model=models(), solver=st.sampled_from(["highs", "cbc"]))
@example(model=LOST, solver="cbc")
def test_the_best_point_is_that_of_brute_force(model: Model, solver: str) -> None:
    points = [
        [c for c, one in enumerate(point) if one]
        for point in itertools.product((0, 1), repeat=len(model.columns))
    ]
    feasible = [point for point in points if model.violated(point) is None]
    try:
        found = solve(model, solver=solver)
    except SolverFailed as error:
        assert solver == "cbc"
        assert "a point with the objective" in str(error)
        return
    if not feasible:
        assert (found.status, found.chosen, found.objective) == ("infeasible", (), None)
        return
    assert list(found.chosen) in feasible
    assert found.status == ("optimal" if model.cost.any() else "feasible")
    assert found.objective == min(model.objective(point) for point in feasible)


@pytest.mark.parametrize("solver", [name for name in solvers.SOLVERS if name != "exact-cover"])
@pytest.mark.parametrize("seed", [4, 16, 30])
def test_the_best_is_best_to_the_last_unit(seed: int, solver: str) -> None:
    """Where a gap of a ten-thousandth would let a solver stop before it."""
    need_solver(solver)
    rng = random.Random(seed)
    size, rows = 16, 4
    weights = np.array([[rng.randint(1, 100) for _ in range(size)] for _ in range(rows)], float)
    gains = 100_000 + np.array([rng.randint(0, 30) for _ in range(size)], float)
    model = Model(
        columns=tuple(f"x{number}" for number in range(size)),
        rows=tuple(f"r{number}" for number in range(rows)),
        start=np.arange(0, size * rows + 1, size, dtype=np.int32),
        index=np.tile(np.arange(size, dtype=np.int32), rows),
        value=weights.ravel(),
        lower=np.full(rows, -np.inf),
        upper=weights.sum(axis=1) // 2,
        cost=-gains,
    )
    points = (np.arange(1 << size)[:, None] >> np.arange(size)) & 1
    feasible = points[(points @ weights.T <= model.upper).all(axis=1)]
    found = solve(model, solver=solver)
    assert (found.status, found.objective) == ("optimal", -(feasible @ gains).max())


@pytest.mark.parametrize("suffix", [".lp", ".mps"])
def test_the_command_gives_the_author_s_objective(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, suffix: str
) -> None:
    path = tmp_path / "k.lp"
    path.write_text(KNAPSACK)
    if suffix == ".mps":
        text = mps_text(read_model(path)).replace("ROWS\n", "OBJSENSE\n    MAX\nROWS\n", 1)
        text = text.replace("RHS       OBJ       10\n", "RHS       OBJ       -10\n", 1)
        for size in "234":
            text = text.replace(f"OBJ       -{size}\n", f"OBJ       {size}\n")
        path = tmp_path / "k.mps"
        path.write_text(text)
    assert main(["solve", str(path)]) == 0
    out = capsys.readouterr().out
    assert out.startswith("x z\nsolution found and checked; optimal: verified, objective 15 (")
    assert ", objective 15 (highs, " in out
    assert main(["solve", str(path), "--format", "json", "--solver", "cbc"]) == 0
    found = json.loads(capsys.readouterr().out)
    keys = "model status verified exact detail solver seconds objective solution"
    assert list(found) == keys.split()
    assert (found["objective"], found["solution"]) == (15, {"ones": ["x", "z"]})


SAID_IN_A_COMMENT = (
    "NAME k\nROWS\n N  OBJ\n E  one\nCOLUMNS\n"
    "    MARK      'MARKER'                 'INTORG'\n"
    "    a         one        1.000000000000{e}\n    a         OBJ       {s}1.000000000000{e}\n"
    "    b         one        1.000000000000{e}\n    b         OBJ       {s}4.000000000000{e}\n"
    "    MARK      'MARKER'                 'INTEND'\nRHS\n"
    "    RHS       one        1.000000000000{e}\n"
    "BOUNDS\n BV BND       a\n BV BND       b\nENDATA\n"
)
"""What PuLP writes of max a + 4 b, a + b = 1, below the sense in a comment."""


@pytest.mark.long
def test_what_pulp_maximises_is_maximised(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Its MPS files say the sense in a comment alone, which PuLP 3 and 4 mean in two ways."""
    import pulp

    path = tmp_path / "k.mps"
    problem = pulp.LpProblem("k", pulp.LpMaximize)
    a, b = (problem.add_variable(name, cat="Binary") for name in "ab")
    problem += a + 4 * b
    problem += a + b == 1, "one"
    problem.writeMPS(str(path), rename=False)
    assert main(["solve", str(path)]) == 0
    assert capsys.readouterr().out.startswith("b\n")
    # PuLP 3 writes the objective as it is, and what its comment says; PuLP 4 turns it round.
    for sense, sign, exponent, objective in (
        ("Maximize", " ", "e+00", 4),
        ("Minimize", "-", "e+00", -4),
        ("Maximize", "-", "e0", -4),
    ):
        path.write_text(f"*SENSE:{sense}\n" + SAID_IN_A_COMMENT.format(e=exponent, s=sign))
        assert main(["solve", str(path)]) == 0
        out = capsys.readouterr().out
        assert out.startswith("b\n")
        assert f"objective {objective} (" in out


@pytest.mark.trade("bench")
def test_a_campaign_leaves_out_what_pulp_maximises(tmp_path: Path) -> None:
    """A solver of a campaign gets the file itself, and would minimise."""
    from calmip.bench.campaign.campaign_file import ModelFile
    from calmip.bench.campaign.jobs import problem_of_file

    path = tmp_path / "k.mps"
    path.write_text("*SENSE:Maximize\n" + SAID_IN_A_COMMENT.format(e="e+00", s=" "))
    skipped = problem_of_file(ModelFile(path, "k"), "solve").skipped
    assert skipped is not None
    assert skipped[0] == "unfit"
    assert re.search(r"maximises by its comment .* write a section OBJSENSE", skipped[1])
    path.write_text("*SENSE:Maximize\n" + SAID_IN_A_COMMENT.format(e="e0", s="-"))
    assert problem_of_file(ModelFile(path, "k"), "solve").skipped is None


@pytest.mark.long
@pytest.mark.parametrize("solver", [name for name in solvers.SOLVERS if name != "exact-cover"])
def test_a_row_with_a_range_has_no_column_of_its_own(solver: str) -> None:
    """Gurobi's reader gives it one, which is 1 where the best point is not at the range's end."""
    need_solver(solver)
    model = replace(LOST, value=np.array([1.0, 1.0]), lower=np.array([1.0]), upper=np.array([2.0]))
    for cost, chosen, best in (((1.0, 3.0), (0,), 1), ((-1.0, -3.0), (0, 1), -4)):
        found = solve(replace(model, cost=np.array(cost)), solver=solver)
        assert (found.status, found.chosen, found.objective) == ("optimal", chosen, best)


def test_an_optimum_that_nobody_has_proved_is_the_solver_s_word(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("calmip.mip.independent_search.exists", lambda *_, **__: (None, []))
    monkeypatch.setattr("calmip.mip.independent_search._search_pool", lambda *_: (None, {}))
    path = tmp_path / "m.lp"
    path.write_text(KNAPSACK)
    assert main(["solve", str(path)]) == 0
    assert "optimal: claimed by highs, unverified, objective 15" in capsys.readouterr().out
    assert not solve(read_model(path)).verified
    path.write_text(KNAPSACK.replace("<= 3", ">= 7"))
    found = solve(read_model(path))
    assert (found.status, found.verified) == ("unknown", False)


def test_no_solution_and_wrong_input(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "m.lp"
    path.write_text(KNAPSACK.replace("<= 3", ">= 7"))
    assert main(["solve", str(path)]) == 1
    assert capsys.readouterr().out.startswith("there is no solution: Infeasible (highs, ")
    assert repr(solve(read_model(path))).endswith("model by highs>")
    path.write_text(KNAPSACK)
    assert repr(solve(read_model(path))).endswith("model by highs, objective 15>")
    for extra, wrong in (
        (["instances/feb29.yaml"], "unexpected extra argument (instances/feb29.yaml)"),
        (["--reveal", "Feb,29"], "leave out --reveal"),
        (["--no-flip"], "leave out --no-flip"),
        (["--formulation", "pulp"], "leave out --formulation"),
    ):
        assert main(["solve", str(path), *extra]) == 2
        assert wrong in capsys.readouterr().err
    assert main(["solve"]) == 2
    assert "Missing argument 'INSTANCE'" in capsys.readouterr().err


class Liar:
    """A solver that says what it is told to say."""

    name = "liar"
    answer = Outcome(Status.UNKNOWN)

    def solve(self, *_: object) -> Outcome:
        return self.answer


LIES: dict[str, tuple[Status, Mapping[str, float], str]] = {
    "infeasible": (Status.INFEASIBLE, {}, "a point with [0-9]+ ones satisfies every row"),
    "fraction": (Status.OPTIMAL, {"x0": 0.5}, "has the value 0.5, not 0 or 1"),
    "two": (Status.OPTIMAL, {"x0": 2.0}, "has the value 2, not 0 or 1"),
    "nan": (Status.FEASIBLE, {"x0": float("nan")}, "has the value nan, not 0 or 1"),
    "unknown column": (Status.OPTIMAL, {"y": 1.0}, "names 'y', which is not a column"),
    "broken row": (
        Status.OPTIMAL,
        {"x0": 1.0, "x1": 1.0},
        r"violates row 'w' by 2 \(5 instead of 3\)",
    ),
    "worse": (Status.OPTIMAL, {"x1": 1.0}, "the objective 15, not 14, satisfies"),
    "nothing": (Status.OPTIMAL, {}, "the objective 1[1-9], not 10, satisfies"),
}


@pytest.mark.parametrize("lie", LIES)
def test_a_lie_is_found_out(lie: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    status, values, message = LIES[lie]
    monkeypatch.setattr(Liar, "answer", Outcome(status, values, "sure"))
    monkeypatch.setitem(solvers.SOLVERS, "liar", (lambda _: Liar(), ""))
    path = tmp_path / "k.lp"
    path.write_text(KNAPSACK)
    with pytest.raises(SolverFailed, match=f"liar says 'sure', but .*{message}"):
        solve(read_model(path), solver="liar")


@pytest.mark.parametrize(
    "answer",
    [Outcome(Status.OPTIMAL, {"x0": 1.0, "x2": 1.0}, "sure"), Outcome(Status.INFEASIBLE, {}, "")],
)
def test_a_witness_that_lies_refutes_nothing(
    answer: Outcome, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Lying(OneTree):
        complete = False

        def __init__(self, *_: object, **__: object) -> None:
            pass

        def __iter__(self) -> Iterator[list[int]]:
            return iter([[0, 1, 2]])

    monkeypatch.setattr("calmip.mip.independent_search._search_pool", lambda *_: (None, {}))
    monkeypatch.setattr("calmip.mip.one_tree.OneTree", Lying)
    monkeypatch.setattr(Liar, "answer", answer)
    monkeypatch.setitem(solvers.SOLVERS, "liar", (lambda _: Liar(), ""))
    path = tmp_path / "k.lp"
    path.write_text(KNAPSACK)
    found = solve(read_model(path), solver="liar")
    assert found.status == ("optimal" if answer.values else "unknown")


def test_an_optimum_that_no_search_could_refute_in_time_stays_the_solver_s_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = []

    class Unfinished(OneTree):
        complete = False

        def __iter__(self) -> Iterator[list[int]]:
            return iter(())

        def __init__(self, *_: object, clock: Deadline, **__: object) -> None:
            given.append(clock.seconds)

    def searched(model: Model, most: Number, clock: Deadline) -> tuple[None, dict[int, Number]]:
        given.append(clock.seconds)
        return None, {}

    monkeypatch.setattr("calmip.mip.independent_search._search_pool", searched)
    monkeypatch.setattr("calmip.mip.one_tree.OneTree", Unfinished)
    monkeypatch.setattr(Liar, "answer", Outcome(Status.OPTIMAL, {"x1": 1.0}, "sure"))
    monkeypatch.setitem(solvers.SOLVERS, "liar", (lambda _: Liar(), ""))
    path = tmp_path / "k.lp"
    path.write_text(KNAPSACK)
    found = solve(read_model(path), solver="liar")
    assert (found.status, found.objective) == ("optimal", 14)
    assert given == [pytest.approx(0.8 * 60, abs=1), 60.0]
    assert "optimal: claimed by liar, unverified" in str(found)


def test_a_limit_is_no_answer(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(solvers.SOLVERS, "liar", (lambda _: Liar(), ""))
    path = tmp_path / "k.lp"
    path.write_text(KNAPSACK)
    found = solve(read_model(path), solver="liar")
    assert (found.status, found.chosen, found.objective) == ("unknown", (), None)
    for wrong in ({"time_limit": 0.0}, {"seed": -1}, {"threads": 0}, {"solver": "none"}):
        with pytest.raises(InputError):
            solve(read_model(path), **wrong)  # type: ignore[arg-type]


@pytest.mark.long
@settings(deadline=None)
@given(model=models(), offset=st.integers(-5, 5), maximise=st.booleans())
def test_sense_and_constant_are_read_as_highs_reads_them(
    tmp_path_factory: pytest.TempPathFactory, model: Model, offset: int, maximise: bool
) -> None:
    import highspy

    both = np.isfinite(model.lower) & np.isfinite(model.upper) & (model.lower != model.upper)
    # The LP writer refuses rows with two bounds, and the objective does not depend on them.
    model = replace(model, lower=np.where(both, -np.inf, model.lower))
    text = lp_text(model)
    if maximise:
        text = text.replace("Minimize", "Maximize", 1)
    text = text.replace("\nSubject To", f" + {offset}\nSubject To".replace("+ -", "- "), 1)
    path = tmp_path_factory.mktemp("objective") / "m.lp"
    path.write_text(text)
    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    highs.readModel(str(path))
    read = read_model(path)
    lp = highs.getLp()
    for chosen in ([], [0], list(range(len(model.columns)))):
        theirs = lp.offset_ + sum(lp.col_cost_[c] for c in chosen)
        assert read.objective(chosen) == theirs
