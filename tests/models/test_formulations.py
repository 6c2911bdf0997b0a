"""One battery for every formulation with every solver."""

import itertools
import re
import subprocess
import sys
from pathlib import Path

import pytest
from processes import HANG_SECONDS
from requirements import need_solver

import calmip
from calmip import ExactCover, models
from calmip.mip.files.model_files import read_model
from calmip.models import FORMULATIONS, build
from calmip.puzzle.documents.reader import read_instance
from calmip.puzzle.instance import Instance
from calmip.puzzle.search.exact_cover.search import Search
from calmip.puzzle.search.exact_cover.witnesses import exists
from calmip.solvers import SOLVERS, solver_named

BATTERY = [
    ("instances/tiny.yaml", None, None),
    ("instances/feb29.yaml", None, None),
    ("instances/christmas.yaml", None, None),
    ("instances/apr24.yaml", None, None),
    ("instances/palmetto.yaml", None, None),
    ("instances/rhombus-thu-oct23.yaml", None, None),
    ("a-puzzle-a-day", "Oct,6", None),
    ("a-puzzle-a-day", "Jan,25", None),
    ("jarringwords", "Jul,2", None),
    ("shiura-daily-11p", "Jan,1", None),
    ("lieban-festival", "Jul,14", None),
    ("jarringwords", "month=Jul,day=free", None),
    ("hex43-v1", "Jan,1", None),
    ("instances/dead-corner.yaml", None, None),
    ("instances/chessboard.yaml", None, None),
    ("a-puzzle-a-day", "Dec,29", False),
]


# What every pair does in the fast suite, what these two solvers do there, and
# what they do there in one formulation; the whole battery is run by --slow, a tenth
# of what is slow by --battery SEED.
ALWAYS = ["instances/tiny.yaml"]
QUICK = ("highs", "cbc")
OFTEN = ["instances/feb29.yaml", "instances/dead-corner.yaml", "instances/chessboard.yaml"]
ONCE = ["a-puzzle-a-day", "jarringwords", "instances/palmetto.yaml", "hex43-v1"]


# The placement model as it is, in three languages; the others ask more of a solver.
PLACEMENT = ("matrix", "pulp", "pyomo")


# The exact-cover search knows exact covers only, and refuses the others.
PAIRS = [
    (solver, formulation)
    for solver, formulation in itertools.product(SOLVERS, FORMULATIONS)
    if solver != "exact-cover" or formulation in PLACEMENT
]


def is_slow(solver: str, formulation: str, source: str, flip: bool | None) -> bool:
    if source in ALWAYS or (source in OFTEN[:1] and formulation == "matrix"):
        return False
    if solver not in QUICK or flip is not None or formulation not in PLACEMENT:
        return True
    return source not in OFTEN and not (source in ONCE and formulation == "matrix")


def cases() -> list[object]:
    """Return the whole battery: what takes long together is left to ``--slow``."""
    return [
        pytest.param(
            solver,
            formulation,
            *case,
            marks=pytest.mark.slow if is_slow(solver, formulation, case[0], case[2]) else [],
        )
        for solver, formulation in PAIRS
        for case in BATTERY
    ]


def test_every_solver_and_formulation_is_in_the_fast_battery() -> None:
    fast = {tuple(case.values[:2]) for case in cases() if not case.marks}
    assert fast == set(PAIRS)


@pytest.mark.battery
@pytest.mark.parametrize(("solver", "formulation", "source", "reveal", "flip"), cases())
def test_every_pair_tiles_or_proves(
    solver: str, formulation: str, source: str, reveal: str | None, flip: bool | None
) -> None:
    need_solver(solver)
    instance = read_instance(source, reveal=reveal, flip=flip)
    # To prove that 36 of 41 cells are the most is another and a harder question.
    limit = 30.0 if formulation == models.PACKING else None
    solution = calmip.solve(instance, solver=solver, formulation=formulation, time_limit=limit)
    # A Tiling has checked itself; the compiled search is the independent witness.
    expected = "feasible" if exists(ExactCover(instance))[0] else "infeasible"
    if limit is None:
        assert solution.status == expected
    else:
        assert solution.status in (expected, "unknown")
        assert solution.packing is None or solution.packing.missing
    assert (solution.tiling is not None) == (solution.status == "feasible")
    assert solution.complete == (solution.status == "infeasible")


NO_FLIP_ZERO = [(month, day) for month, day in (("Oct", "6"), ("May", "21"))]


@pytest.mark.slow
@pytest.mark.parametrize(("month", "day"), NO_FLIP_ZERO)
def test_both_solvers_agree_on_dates_without_flips(month: str, day: str) -> None:
    instance = read_instance("a-puzzle-a-day", reveal=f"{month},{day}", flip=False)
    expected = "feasible" if exists(ExactCover(instance))[0] else "infeasible"
    for solver in ("highs", "cbc"):
        need_solver(solver)
        assert calmip.solve(instance, solver=solver).status == expected


def test_61_dates_have_no_tiling_without_flips() -> None:
    from calmip.puzzle.search.exact_cover.counting import count_by_reveal

    free = read_instance("a-puzzle-a-day", free=True, flip=False)
    found = count_by_reveal(ExactCover(free))
    assert len(found) == 372
    assert found["Jan", "1"] == 2
    assert found["Dec", "29"] == 0
    impossible = {"Feb": ("30", "31"), **dict.fromkeys(("Apr", "Jun", "Sep", "Nov"), ("31",))}
    zeros = [
        (month, day)
        for (month, day), number in found.items()
        if number == 0 and day not in impossible.get(month, ())
    ]
    assert len(zeros) == 61


@pytest.mark.parametrize("formulation", PLACEMENT)
@pytest.mark.parametrize("suffix", [".mps", ".lp"])
@pytest.mark.parametrize("reveal", ["Jan,1", "month=Jan,day=free"])
def test_files_hold_the_whole_model(
    formulation: str, suffix: str, reveal: str, tmp_path: Path
) -> None:
    import highspy

    cover = ExactCover(read_instance("shiura-daily-11p", reveal=reveal))
    path = tmp_path / f"model{suffix}"
    model = build(formulation, cover)
    model.write(path)
    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    assert highs.readModel(str(path)) == highspy.HighsStatus.kOk
    arrays = highs.getLp()
    assert highs.getNumCol() == cover.columns
    assert highs.getNumRow() == cover.rows
    assert highs.getNumNz() == cover.nonzeros
    assert sorted(arrays.col_names_) == sorted(cover.option_names)
    assert all(kind == highspy.HighsVarType.kInteger for kind in arrays.integrality_)
    assert set(arrays.col_upper_) == {1.0}
    assert sorted(arrays.row_lower_) == sorted(cover.demand) == sorted(arrays.row_upper_)


@pytest.mark.parametrize("formulation", PLACEMENT)
def test_a_cut_forbids_its_options(formulation: str, tmp_path: Path) -> None:
    instance = read_instance("instances/tiny.yaml")
    cover = ExactCover(instance)
    model = build(formulation, cover)
    solver = solver_named("highs")
    found = set()
    for _ in range(2):
        path = tmp_path / f"model{model.suffix}"
        model.write(path)
        outcome = solver.solve(path, calmip.solvers.Limits())
        chosen = frozenset(cover.option_number[name] for name in outcome.values)
        found.add(chosen)
        model.forbid(chosen, most=len(chosen) - 1)
    model.write(path)
    assert solver.solve(path, calmip.solvers.Limits()).status.value == "infeasible"
    assert len(found) == 2


def test_a_pulp_problem_is_solved_by_hand() -> None:
    import pulp

    problem = models.pulp_model(read_instance("instances/tiny.yaml"))
    corner = problem.variables()[0]
    problem += corner == 0, "by_hand"
    problem.solve(pulp.getSolver("HiGHS", msg=False))
    ones = {v.name for v in problem.variables() if v.value() > 0.5}
    assert len(ones) == 2
    assert corner.name not in ones


def test_a_pyomo_model_is_solved_by_hand() -> None:
    import pyomo.environ as pyo

    model = models.pyomo_model(read_instance("instances/tiny.yaml"))
    name = next(iter(model.x))
    model.by_hand = pyo.Constraint(expr=model.x[name] == 1)
    result = pyo.SolverFactory("appsi_highs").solve(model)
    assert result.solver.termination_condition == pyo.TerminationCondition.optimal
    assert sum(round(pyo.value(x)) for x in model.x.values()) == 2
    assert round(pyo.value(model.x[name])) == 1


@pytest.mark.long
def test_pyomo_without_its_environment_writes_files_and_may_get_it_later(tmp_path: Path) -> None:
    program = """
import sys
from calmip import models, read_instance
model = models.pyomo_model(read_instance("instances/tiny.yaml"))
assert "pyomo.environ" not in sys.modules
name = next(iter(model.x))
model.cuts.add(model.x[name] <= 0)
for suffix in ("lp", "mps"):
    model.write(f"{sys.argv[1]}/model.{suffix}")
import pyomo.environ as pyo
assert isinstance(model, pyo.ConcreteModel)
result = pyo.SolverFactory("appsi_highs").solve(model)
assert result.solver.termination_condition == pyo.TerminationCondition.optimal
assert not round(pyo.value(model.x[name]))
model.write(f"{sys.argv[1]}/later.lp")
"""
    subprocess.run([sys.executable, "-c", program, str(tmp_path)], check=True, timeout=HANG_SECONDS)
    sizes = set()
    for name in ("model.lp", "model.mps", "later.lp"):
        model = read_model(tmp_path / name)
        sizes.add((len(model.columns), len(model.rows), model.nonzeros))
    assert len(sizes) == 1


def test_unknown_names_list_the_choices() -> None:
    instance = read_instance("instances/tiny.yaml")
    with pytest.raises(calmip.InputError, match="use one of matrix, pulp, ") as formulation:
        calmip.solve(instance, formulation="ampl")
    with pytest.raises(calmip.InputError, match="use one of highs, cbc, ") as solver:
        calmip.solve(instance, solver="cplexx")
    for known, refused in ((FORMULATIONS, formulation), (SOLVERS, solver)):
        assert all(re.search(rf"[ ,]{name}(,|$| or)", str(refused.value)) for name in known)
    for wrong in ({"time_limit": 0}, {"time_limit": float("nan")}, {"seed": -1}, {"threads": 0}):
        with pytest.raises(calmip.InputError):
            calmip.solve(instance, **wrong)


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("suffix", [".mps", ".lp"])
@pytest.mark.parametrize("free", [False, True])
def test_a_formulation_knows_its_objective_at_every_tiling(
    formulation: str, suffix: str, free: bool, tmp_path: Path
) -> None:
    puzzle = read_instance("instances/tiny.yaml").puzzle
    labels = read_instance("instances/tiny.yaml").labels
    groups = tuple(puzzle.groups)
    instance = Instance(puzzle, (), groups) if free and groups else Instance(puzzle, labels)
    cover = ExactCover(instance)
    path = tmp_path / f"model{suffix}"
    build(formulation, cover).write(path)
    model = read_model(path)
    number = {name: column for column, name in enumerate(model.columns)}
    others = [column for name, column in number.items() if name not in cover.option_number]
    assert not model.cost[others].any()
    tilings = list(Search(cover))
    assert tilings
    for tiling in tilings:
        columns = [number[cover.option_names[option]] for option in tiling]
        value = float(model.cost[columns].sum()) + model.offset
        assert value == models.objective(formulation, cover)
