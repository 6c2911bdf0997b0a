"""Models of PuLP, Pyomo, highspy, Gurobi and SCIP, read as the objects that they are."""

from __future__ import annotations

import math
import pickle
import subprocess
import sys
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import highspy
import pulp
import pyomo.environ as pyo
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyomo.gdp import Disjunction
from requirements import need_package

import calmip
from calmip import InputError, Model
from calmip.mip.files.model_files import read_model, write_model
from calmip.mip.files.objects import PointValues, PulpObject, portable_names, read_object
from calmip.mip.model import Bound
from calmip.mip.status import Status

INF = math.inf


@dataclass(frozen=True)
class Spec:
    """A model, from which every language builds its own."""

    columns: tuple[tuple[float, float, bool], ...]
    """The bounds, and whether it is an integer."""
    rows: tuple[tuple[tuple[float, ...], float, float], ...]
    """The coefficients, and the bounds."""
    cost: tuple[float, ...]
    constant: float
    maximise: bool


def short(value: float) -> Bound:
    """Return the exact number that a float stands for."""
    return value if math.isinf(value) else Fraction(repr(float(value)))


def matches(model: Model, spec: Spec) -> None:
    """Assert that a model is the one of the specification, number by number."""
    wide, high = len(spec.columns), len(spec.rows)
    assert (len(model.columns), len(model.rows)) == (wide, high)
    for number, (low, upper, integer) in enumerate(spec.columns):
        assert model.bounds(number) == (short(low), short(upper))
        assert bool(model.integer[number]) is integer
    for number, (terms, low, upper) in enumerate(spec.rows):
        found, *bounds = model.exact_row(number)
        assert found == {c: short(value) for c, value in enumerate(terms) if value}
        assert bounds == [short(low), short(upper)]
    sign = -1 if spec.maximise else 1
    assert model.costs == {c: sign * short(value) for c, value in enumerate(spec.cost) if value}
    assert model.maximise is spec.maximise
    assert model.exact_objective({}) == short(spec.constant)


NUMBERS = st.one_of(
    st.integers(-9, 9).map(float),
    st.sampled_from([0.1, -0.3, 2.5, 1e-7, 1e9, 1 / 3, -7.25, 1e14]),
)


@st.composite
def specs(draw: st.DrawFn) -> Spec:
    """Draw a model in which every variable has a cost, so that all languages have it."""
    columns = []
    for _ in range(draw(st.integers(1, 4))):
        low, high = sorted((draw(NUMBERS), draw(NUMBERS)))
        whole = draw(st.booleans())
        if whole:  # Gurobi and SCIP round the bounds of an integer
            low, high = math.floor(low), math.ceil(high)
        ends = [(low, high), (-INF, high), (low, INF), (-INF, INF), (0, 1)]
        columns.append((*draw(st.sampled_from(ends)), whole))
    rows = []
    for _ in range(draw(st.integers(0, 4))):
        terms = tuple(draw(NUMBERS) for _ in columns)
        low, high = sorted((draw(NUMBERS), draw(NUMBERS)))
        rows.append((terms, *draw(st.sampled_from([(low, low), (-INF, high), (low, INF)]))))
    cost = tuple(draw(NUMBERS.filter(bool)) for _ in columns)
    return Spec(tuple(columns), tuple(rows), cost, draw(NUMBERS), draw(st.booleans()))


def finite(value: float) -> float | None:
    return None if math.isinf(value) else value


def build_pulp(spec: Spec) -> tuple[Any, list[Any]]:
    problem = pulp.LpProblem("made", pulp.LpMaximize if spec.maximise else pulp.LpMinimize)
    x = [
        problem.add_variable(
            f"x{n}", finite(low), finite(high), "Integer" if whole else "Continuous"
        )
        for n, (low, high, whole) in enumerate(spec.columns)
    ]
    problem += pulp.lpSum(c * v for c, v in zip(spec.cost, x, strict=True)) + spec.constant
    for number, (terms, low, high) in enumerate(spec.rows):
        left = pulp.lpSum(c * v for c, v in zip(terms, x, strict=True))
        row = left == low if low == high else left <= high if math.isinf(low) else left >= low
        problem += row, f"row{number}"
    return problem, x


def build_pyomo(spec: Spec) -> tuple[Any, list[Any]]:
    model = pyo.ConcreteModel("made")
    model.x = pyo.Var(
        range(len(spec.columns)),
        domain=lambda _, n: pyo.Integers if spec.columns[n][2] else pyo.Reals,
        bounds=lambda _, n: tuple(map(finite, spec.columns[n][:2])),
    )
    x = [model.x[n] for n in range(len(spec.columns))]
    sense = pyo.maximize if spec.maximise else pyo.minimize
    goal = sum(c * v for c, v in zip(spec.cost, x, strict=True)) + spec.constant
    model.goal = pyo.Objective(expr=goal, sense=sense)

    @model.Constraint(range(len(spec.rows)))
    def rows(_: Any, number: int) -> Any:
        terms, low, high = spec.rows[number]
        left = sum(c * v for c, v in zip(terms, x, strict=True)) + 0 * x[0]
        return left == low if low == high else (finite(low), left, finite(high))

    return model, x


def build_highs(spec: Spec) -> tuple[Any, list[Any]]:
    h = highspy.Highs()
    h.silent()
    kinds = highspy.HighsVarType.kContinuous, highspy.HighsVarType.kInteger
    x = [
        h.addVariable(low, high, cost, kinds[whole], f"x{n}")
        for n, ((low, high, whole), cost) in enumerate(zip(spec.columns, spec.cost, strict=True))
    ]
    for number, (terms, low, high) in enumerate(spec.rows):
        some = [(n, value) for n, value in enumerate(terms) if value]
        h.addRow(low, high, len(some), [n for n, _ in some], [value for _, value in some])
        h.passRowName(number, f"row{number}")
    h.changeObjectiveOffset(spec.constant)
    if spec.maximise:
        h.setMaximize()
    return h, x


def build_gurobi(spec: Spec) -> tuple[Any, list[Any]]:
    gurobi = need_package("gurobipy")
    with gurobi.Env(params={"OutputFlag": 0}) as env:
        model = gurobi.Model("made", env=env)
    x = [
        model.addVar(low, high, cost, "I" if whole else "C", f"x{n}")
        for n, ((low, high, whole), cost) in enumerate(zip(spec.columns, spec.cost, strict=True))
    ]
    for number, (terms, low, high) in enumerate(spec.rows):
        sense = "=" if low == high else "<" if math.isinf(low) else ">"
        side = high if math.isinf(low) else low
        model.addLConstr(gurobi.LinExpr(terms, x), sense, side, f"row{number}")
    model.ModelSense = -1 if spec.maximise else 1
    model.ObjCon = spec.constant
    return model, x


def build_scip(spec: Spec) -> tuple[Any, list[Any]]:
    scip = need_package("pyscipopt").Model("made")
    scip.hideOutput()
    x = [
        scip.addVar(f"x{n}", "I" if whole else "C", finite(low), finite(high))
        for n, (low, high, whole) in enumerate(spec.columns)
    ]
    goal = sum(c * v for c, v in zip(spec.cost, x, strict=True)) + spec.constant
    scip.setObjective(goal, "maximize" if spec.maximise else "minimize")
    for number, (terms, low, high) in enumerate(spec.rows):
        left = sum(c * v for c, v in zip(terms, x, strict=True))
        if isinstance(left, (int, float)) or not any(terms):
            left = 0 * x[0]
        row = left == low if low == high else left <= high if math.isinf(low) else left >= low
        scip.addCons(row, f"row{number}")
    return scip, x


BUILDERS = {
    "pulp": build_pulp,
    "pyomo": build_pyomo,
    "highspy": build_highs,
    "gurobipy": build_gurobi,
    "pyscipopt": build_scip,
}


@pytest.mark.long
@pytest.mark.parametrize("language", BUILDERS)
def test_every_number_of_a_model_is_read_exactly(language: str) -> None:
    need_package(language)

    @settings(max_examples=60, deadline=None)
    @given(spec=specs())
    def holds(spec: Spec) -> None:
        problem, variables = BUILDERS[language](spec)
        model = read_object(problem)
        assert model is not None
        matches(model, spec)
        values = PointValues(model, {n: Fraction(n, 7) for n in range(len(variables))})
        assert [values[x] for x in variables] == [Fraction(n, 7) for n in range(len(variables))]

    holds()


SHORT = st.one_of(
    st.integers(-9, 9).map(float), st.sampled_from([0.5, -0.25, 2.5, 1024.0, 0.125, -7.25])
)


@st.composite
def specs_in_files(draw: st.DrawFn) -> Spec:
    """Draw a model that the writers of the libraries can write, with one integer from 0 to 5.

    PuLP writes 12 digits and HiGHS 15, and an LP file of PuLP has no constant. An equation of one
    variable in a binary model would be substituted.
    """
    columns = [(0.0, 5.0, True)]
    for _ in range(draw(st.integers(0, 3))):
        low, high = sorted((draw(SHORT), draw(SHORT)))
        whole = draw(st.booleans())
        ends = [(low, high), (-INF, high), (low, INF), (-INF, INF), (0, 1)]
        low, high = draw(st.sampled_from(ends))
        if whole:
            low, high = (end if math.isinf(end) else round(end) for end in (low, high))
        columns.append((low, high, whole))
    rows = []
    for _ in range(draw(st.integers(1, 4))):
        terms = tuple(draw(SHORT) for _ in columns)
        low, high = sorted((draw(SHORT), draw(SHORT)))
        if any(terms):
            rows.append((terms, *draw(st.sampled_from([(low, low), (-INF, high), (low, INF)]))))
    rows = rows or [((1.0,) * len(columns), -INF, 4.0)]  # Pyomo adds a row to none
    cost = tuple(draw(SHORT.filter(bool)) for _ in columns)
    return Spec(tuple(columns), tuple(rows), cost, 0, draw(st.booleans()))


def write_pulp(problem: Any, path: str) -> None:
    if path.endswith("lp"):
        problem.writeLP(path)
    else:  # else PuLP 4 writes a minimisation
        problem.writeMPS(path, with_objsense=True)


WRITERS = {
    "pulp": write_pulp,
    "pyomo": lambda model, path: model.write(path),
    "highspy": lambda h, path: h.writeModel(path),
}


@pytest.mark.long
@pytest.mark.parametrize("suffix", ["lp", "mps"])
@pytest.mark.parametrize("language", WRITERS)
def test_an_object_is_the_model_in_the_file_that_its_library_writes(
    language: str, suffix: str, tmp_path: Path
) -> None:
    @settings(max_examples=40, deadline=None)
    @given(spec=specs_in_files())
    def holds(spec: Spec) -> None:
        problem, _ = BUILDERS[language](spec)
        file = tmp_path / f"model.{suffix}"
        WRITERS[language](problem, str(file))
        from_file, model = calmip.read_model(file), read(problem)
        matches(from_file, spec)
        matches(model, spec)
        if language != "pyomo":  # which writes its own names
            assert (from_file.columns, from_file.rows) == (model.columns, model.rows)

    holds()


KNAPSACK = Spec(
    columns=((0, 1, True), (0, 3, True), (-1, INF, False)),
    rows=(((2.0, 3.0, 1.0), -INF, 7.5), ((1.0, 0.0, -1.0), 0.0, INF)),
    cost=(1.0, 2.5, -0.1),
    constant=4.0,
    maximise=True,
)


def read(problem: Any) -> Model:
    model = read_object(problem)
    assert model is not None
    return model


def value_of(language: str, problem: Any, x: Any) -> float:
    """Return the value that a variable has in its own language."""
    return {
        "pulp": lambda: x.varValue,
        "pyomo": lambda: pyo.value(x),
        "highspy": lambda: problem.val(x),
        "gurobipy": lambda: x.Start,
        "pyscipopt": lambda: problem.getSolVal(problem.getSols()[0], x),
    }[language]()


@pytest.mark.parametrize("language", BUILDERS)
def test_values_go_into_the_variables_of_the_caller(language: str) -> None:
    need_package(language)
    problem, variables = BUILDERS[language](KNAPSACK)
    values = PointValues(read(problem), {1: 2, 2: Fraction(-1, 4)})
    values.apply_to(problem)
    assert [value_of(language, problem, x) for x in variables] == [0, 2, -0.25]


def test_values_go_into_another_object_with_the_same_names() -> None:
    model = read(build_pulp(KNAPSACK)[0])
    values = PointValues(model, {0: 1, 2: Fraction(1, 2)})
    h, x = build_highs(KNAPSACK)
    values.apply_to(h)
    assert [h.val(one) for one in x] == [1, 0, 0.5]
    with pytest.raises(InputError, match="other variables"):
        values.apply_to(build_pyomo(KNAPSACK)[0])  # x[0], not x0
    with pytest.raises(TypeError, match=r"pulp\.LpProblem.*, not dict"):
        values.apply_to({})


def test_a_solution_is_called_optimal_if_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without an objective any solution is; with one, only what was proved."""
    told: list[Status | None] = []
    monkeypatch.setattr(PulpObject, "tell", lambda _, status: told.append(status))
    problem, _ = build_pulp(KNAPSACK)
    model = read(problem)
    for one in (model, model.with_costs({})):
        for status in (None, Status.FEASIBLE, Status.OPTIMAL):
            PointValues(one, {0: 1}).apply_to(problem, status)
    assert told == [Status.FEASIBLE, Status.OPTIMAL, Status.OPTIMAL, Status.OPTIMAL]


def test_values_of_a_file_go_into_an_object_with_the_same_names(tmp_path: Path) -> None:
    path = tmp_path / "knapsack.mps"
    model = read(build_pulp(KNAPSACK)[0])
    write_model(path, model)
    h, x = build_highs(KNAPSACK)
    PointValues(read_model(path), {0: 1, 1: 3}).apply_to(h)
    assert [h.val(one) for one in x] == [1, 3, 0]


def test_an_object_without_an_objective_has_no_constant() -> None:
    problem = pulp.LpProblem("feasible")
    x = problem.add_variable("x", cat="Binary")
    problem += x <= 1
    model = read(problem)
    assert (model.constant, model.costs) == (0, {})


@pytest.mark.parametrize("side", ["lowBound", "upBound"])
def test_a_bound_that_is_no_number_is_refused(side: str) -> None:
    problem = pulp.LpProblem("odd")
    x = problem.add_variable("x")
    problem += x <= 1
    setattr(x, side, math.nan)
    with pytest.raises(InputError, match=r"variable 'x' has the bounds .*nan"):
        read(problem)


def test_values_are_a_mapping_by_name() -> None:
    problem, x = build_pulp(KNAPSACK)
    values = PointValues(read(problem), {1: 2, 2: Fraction(-1, 4)})
    assert dict(values) == {"x0": 0, "x1": 2, "x2": Fraction(-1, 4)}
    assert len(values) == 3
    assert x[0] in values
    assert "x2" in values
    assert "y" not in values
    assert repr(values) == "{'x1': 2, 'x2': Fraction(-1, 4)}"


@pytest.mark.parametrize("language", BUILDERS)
def test_a_variable_of_another_model_has_no_value(language: str) -> None:
    need_package(language)
    problem, _ = BUILDERS[language](KNAPSACK)
    wide = Spec(((0, 1, True),) * 4, (), (1.0,) * 4, 0, False)  # kept: its variables need it
    other, strangers = BUILDERS[language](wide)
    values = PointValues(read(problem), {1: 2})
    assert strangers[3] not in values
    assert other not in values
    assert None not in values
    with pytest.raises(KeyError, match="not a variable of the model"):
        values[strangers[3]]


def test_numbers_that_are_no_floats_are_exact() -> None:
    """Pyomo keeps an int of any size; its other numbers are floats."""
    model = pyo.ConcreteModel()
    model.x = pyo.Var(domain=pyo.Binary)
    model.row = pyo.Constraint(expr=(2**60 + 1) * model.x <= 2**61 + 1)
    found, low, high = read(model).exact_row(0)
    assert (found, low, high) == ({0: 2**60 + 1}, -INF, 2**61 + 1)


@pytest.mark.skipif(hasattr(pulp.LpProblem, "add_sos_group"), reason="PuLP 4 keeps floats alone")
def test_fractions_in_a_problem_of_pulp_3_are_exact() -> None:
    problem = pulp.LpProblem("exact")
    x = problem.add_variable("x", cat="Binary")
    problem += pulp.LpAffineExpression({x: Fraction(1, 3)}) <= 1
    problem += pulp.LpAffineExpression({x: Decimal("0.1")}) <= 1
    model = read(problem)
    assert [model.exact_row(n)[0] for n in (0, 1)] == [{0: Fraction(1, 3)}, {0: Fraction(1, 10)}]


def test_the_constant_of_a_row_moves_without_rounding() -> None:
    """The rounded difference of 0.3 and 0.1 is 0.19999999999999998."""
    model = pyo.ConcreteModel()
    model.x = pyo.Var(domain=pyo.Binary)
    model.row = pyo.Constraint(expr=(0.2, model.x + 0.1, 0.3))
    assert read(model).exact_row(0)[1:] == (Fraction(1, 10), Fraction(1, 5))


def test_names_of_pyomo_are_those_of_its_components() -> None:
    model = pyo.ConcreteModel("two words")
    model.x = pyo.Var([("a b", 0), (1, "c")], domain=pyo.NonNegativeIntegers)
    model.part = pyo.Block([5])
    model.part[5].y = pyo.Var(domain=pyo.PercentFraction)
    model.rows = pyo.ConstraintList()
    model.rows.add(model.x["a b", 0] + model.x[1, "c"] + model.part[5].y <= 9)
    found = read(model)
    assert found.columns == ("x[a b,0]", "x[1,c]", "part[5].y")
    assert found.rows == ("rows[1]",)
    assert found.name == "two_words"
    assert found.integer.tolist() == [1, 1, 0]
    assert [found.bounds(n) for n in range(3)] == [(0, INF), (0, INF), (0, 1)]


def test_pyomo_gives_its_active_components_and_free_variables() -> None:
    model = pyo.ConcreteModel()
    model.x = pyo.Var(range(5), domain=pyo.Binary)
    model.y = pyo.Var(bounds=(0, 3))
    model.kept = pyo.Constraint(expr=2 * model.x[0] * model.x[1] + model.x[2] + model.y <= 3)
    model.off = pyo.Constraint(expr=model.x[3] * model.x[3] <= 3)
    model.first = pyo.Objective(expr=model.x[4])
    model.second = pyo.Objective(expr=model.x[0], sense=pyo.maximize)
    model.x[1].fix(1)  # so the product is linear
    model.off.deactivate()
    model.first.deactivate()
    found = read(model)
    assert found.columns == ("x[0]", "x[2]", "y")  # the others are in no active component
    assert found.rows == ("kept",)
    assert found.exact_row(0)[0] == {0: 2, 1: 1, 2: 1}
    assert found.costs == {0: -1}
    values = PointValues(found, {2: Fraction(1, 2)})
    assert [values[x] for x in (model.x[1], model.x[0], model.y)] == [1, 0, Fraction(1, 2)]
    for x in (model.x[3], model.x, model):
        with pytest.raises(KeyError, match="is not a variable of the model"):
            values[x]
    assert found.integer.tolist() == [1, 1, 0]
    model.second.deactivate()
    assert read(model).costs == {}


def test_pulp_gives_the_variables_in_rows_or_objective() -> None:
    problem = pulp.LpProblem("some")
    x, y, _ = (problem.add_variable(name, cat="Binary") for name in "xyz")
    problem += x + 0 * y
    assert read(problem).columns in {("x",), ("x", "y")}  # PuLP 4 drops a 0
    problem += x + y <= 1
    problem += x >= 0, "low"
    found = read(problem)
    assert (found.columns, found.rows) == (("x", "y"), ("_C1", "low"))


def test_missing_and_duplicate_names_get_numbers() -> None:
    h = highspy.Highs()
    h.silent()
    for name in ("c2", None, None, "x", "x"):
        h.addBinary(name=name)
    h.addRow(0, 1, 1, [0], [1.0])
    h.addRow(0, 1, 1, [0], [2.0])
    h.passRowName(1, "r0")
    found = read(h)
    assert found.columns == ("c2", "c1", "c2_", "x", "x_4")
    assert found.rows == ("r0_", "r0")


def test_highs_may_have_its_matrix_by_columns() -> None:
    lp = highspy.HighsLp()
    lp.num_col_, lp.num_row_ = 2, 2
    lp.col_cost_, lp.col_lower_, lp.col_upper_ = [1.0, 2.0], [0.0, 0.0], [1.0, 1e30]
    lp.row_lower_, lp.row_upper_ = [-1e30, 1.0], [4.0, 1e25]
    lp.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    lp.a_matrix_.start_, lp.a_matrix_.index_ = [0, 1, 3], [1, 0, 1]
    lp.a_matrix_.value_ = [3.0, 5.0, 7.0]
    h = highspy.Highs()
    h.silent()
    h.passModel(lp)
    found = read(h)
    assert [found.exact_row(n) for n in (0, 1)] == [({1: 5}, -INF, 4), ({0: 3, 1: 7}, 1, INF)]
    assert found.bounds(1) == (0, INF)
    assert found.integer.tolist() == [0, 0]


ODD = st.one_of(
    st.text(max_size=9),
    st.text("xe1[],_ .()é-+:", max_size=6),
    st.sampled_from(["e1", "E12", "st", "S.T.", "Bounds", "end", "inf", "-Infinity", "free", "OBJ",
                     "RHS", "MARKER", "semi", "1x", ".5", "x[1,a]", "x_1_a_", "nan", "Binaries",
                     "subject", "such", "to", "range", "sos1", "obj", "minimize", "int"]),
)  # fmt: skip


@pytest.mark.long
@pytest.mark.parametrize("suffix", [".lp", ".mps"])
def test_portable_names_are_read_from_files(suffix: str, tmp_path: Path) -> None:
    @settings(max_examples=150, deadline=None)
    @given(names=st.lists(ODD, min_size=2, max_size=8))
    def holds(names: list[str]) -> None:
        columns, rows = portable_names(names, "x"), portable_names(names, "r")
        width = len(names)
        terms = [(row, {n: 1.0, (n + 1) % width: 2.0}, 0, 2) for n, row in enumerate(rows)]
        made = Model.from_rows(columns, [(r, t, -INF, high) for r, t, _, high in terms])
        write_model(tmp_path / f"model{suffix}", made)
        found = calmip.read_model(tmp_path / f"model{suffix}")
        assert (found.columns, found.rows) == (made.columns, made.rows)
        assert [found.exact_row(n) for n in range(width)] == [
            made.exact_row(n) for n in range(width)
        ]

    holds()


def refused(problem: Any) -> str:
    with pytest.raises(InputError) as caught:
        read_object(problem)
    return str(caught.value)


def test_an_empty_problem_of_pulp_is_refused() -> None:
    empty = pulp.LpProblem("empty")
    assert "pulp.LpProblem: the model has no variables" in refused(empty)


def test_a_model_of_pyomo_with_another_part_is_refused() -> None:
    def model(**parts: Any) -> Any:
        made = pyo.ConcreteModel()
        made.x = pyo.Var([1, 2], domain=pyo.Binary)
        made.goal = pyo.Objective(expr=made.x[1])
        for name, part in parts.items():
            setattr(made, name, part(made))
        return made

    odd = pyo.Set(initialize=[1, 3, 5])
    for part, words in {
        lambda m: pyo.Constraint(expr=m.x[1] * m.x[2] <= 1): "constraint 'part' is not linear",
        lambda m: pyo.Constraint(expr=pyo.exp(m.x[1]) <= 1): "constraint 'part' is not linear",
        lambda m: pyo.SOSConstraint(var=m.x, sos=3): "set 'part' is of the type 3, not 1 or 2",
        lambda m: Disjunction(expr=[m.x[1] == 1, m.x[2] == 1]): "of the kind Disjunct",
        lambda m: pyo.Objective(expr=m.x[2]): "the model has 2 active objectives",
        lambda m: pyo.Constraint(expr=m.x[1] <= 1e25 * m.x[2]): "has the number -1e+25",
    }.items():
        assert words in refused(model(part=part))
    outside = model(odd=lambda _: odd, y=lambda m: pyo.Var(domain=m.odd))
    outside.row = pyo.Constraint(expr=outside.y <= 4)
    assert "variable 'y' has the domain odd, which is not an interval" in refused(outside)
    fixed = model()
    fixed.x[1].fixed = True  # without a value
    assert "has no value" in refused(fixed)
    assert "the model has no data yet" in refused(pyo.AbstractModel())


def test_a_model_of_highs_with_another_part_is_refused() -> None:
    h, _ = build_highs(Spec(((0, 1, False),) * 2, (), (1, 1), 0, False))
    h.passHessian(2, 2, highspy.HessianFormat.kTriangular, [0, 1, 2], [0, 1], [2.0, 2.0])
    assert "highspy.Highs: the objective is quadratic" in refused(h)


def test_a_model_of_gurobi_with_another_part_is_refused() -> None:
    need_package("gurobipy")
    for change, words in {
        lambda m, x: m.addSOS(1, x[:2], [1, 1]): "has a variable or a weight twice",
        lambda m, x: m.addGenConstrNorm(x[0], x[1:3], 1, "norm"): "'norm' is none that is read",
        lambda m, x: m.addConstr(x[0] * x[1] <= 1): "a row is quadratic",
        lambda m, x: m.setObjective(x[0] * x[1]): "the objective is quadratic",
        lambda m, x: m.setPWLObj(x[2], [0, 1, 2], [0, 1, 4]): "the objective is piecewise",
        lambda m, x: [m.setObjectiveN(x[n], n) for n in (0, 1)]: "the model has several objectives",
    }.items():
        problem, variables = build_gurobi(KNAPSACK)
        change(problem, variables)
        assert words in refused(problem)


def test_a_model_of_scip_with_another_part_is_refused() -> None:
    need_package("pyscipopt")
    problem, x = build_scip(KNAPSACK)
    problem.addCons(x[0] * x[1] <= 1, name="pick")
    assert "constraint 'pick' is of the kind nonlinear" in refused(problem)


def test_a_copy_in_another_process_has_no_object() -> None:
    model = read(build_highs(KNAPSACK)[0])
    copy = pickle.loads(pickle.dumps(model))
    assert copy.native is None
    matches(copy, KNAPSACK)


def test_other_objects_are_not_read() -> None:
    assert read_object("model.lp") is None
    assert read_object(KNAPSACK) is None


class Subclass(pulp.LpProblem):
    """A caller's own kind of problem."""


def test_a_subclass_is_read() -> None:
    problem = Subclass("own")
    problem += problem.add_variable("x", cat="Binary") >= 1
    assert read(problem).columns == ("x",)


def test_no_package_is_imported_for_an_object_of_another() -> None:
    code = (
        "import sys, highspy; from calmip.mip.files.objects import read_object\n"
        "h = highspy.Highs(); h.silent(); h.addBinary(); read_object(h); read_object(3)\n"
        "print('loaded:', {'pulp', 'pyomo', 'gurobipy', 'pyscipopt'} & set(sys.modules))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.endswith("loaded: set()\n")  # HiGHS 1.16 prints a banner before it


def with_domain(domain: Any, **bounds: Any) -> Any:
    """Return a Pyomo model that minimises a variable of a domain, perhaps with a bound as a row."""
    model = pyo.ConcreteModel()
    if not hasattr(domain, "global_name"):  # Pyomo's own sets have their place
        model.domain = domain
    model.x = pyo.Var(domain=domain, **bounds)
    model.cost = pyo.Objective(expr=model.x)
    model.far = pyo.Constraint(expr=model.x <= 50)
    return model


@pytest.mark.parametrize(
    ("make", "bounds", "integer"),
    [
        (lambda: pyo.Binary, (0, 1), True),
        (lambda: pyo.Boolean, (0, 1), True),
        (lambda: pyo.Any & pyo.UnitInterval, (0, 1), False),
        (lambda: pyo.RangeSet(1, 2) | pyo.RangeSet(3, 4), (1, 4), True),
        (lambda: pyo.RangeSet(5), (1, 5), True),
        (lambda: pyo.RangeSet(3, 1, -1), (1, 3), True),
        (lambda: pyo.RangeSet(0, 1, 0), (0, 1), False),
        (lambda: pyo.Set(initialize=[3, 1, 2]), (1, 3), True),
        (lambda: pyo.Set(initialize=[2.5]), (2.5, 2.5), False),
        (lambda: pyo.Integers & pyo.RangeSet(2, 4), (2, 4), True),
        (lambda: pyo.NonNegativeReals | pyo.NonPositiveReals, (-INF, INF), False),
        (lambda: pyo.UnitInterval & pyo.NonNegativeReals, (0, 1), False),
    ],
)
def test_pyomo_domains_that_are_intervals_or_their_integers(
    make: Any, bounds: tuple[float, float], integer: bool
) -> None:
    found = read(with_domain(make()))
    assert (found.bounds(0), found.is_integer(0)) == (bounds, integer)
    assert found.native.open_ends == {}


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: pyo.RangeSet(0.5, 3.5, 1), "which is not an interval of"),
        (lambda: pyo.RangeSet(3.5, 0.5, -1), "which is not an interval of"),
        (lambda: pyo.Set(initialize=[0.5, 1.5, 2.5]), "which is not an interval of"),
        (lambda: pyo.RangeSet(1, 7, 2), "which is not an interval of"),
        (lambda: pyo.Set(initialize=[1, 2, 4]), "which is not an interval of"),
        (lambda: pyo.Set(initialize=["a"]), "which is not an interval of"),
        (lambda: pyo.Binary | pyo.RangeSet(2, 4, 0), "which is not an interval of"),
        (
            lambda: pyo.PositiveReals | pyo.NegativeReals,
            "which is not an interval of",
        ),
        (lambda: pyo.Any, "Any, which is not an interval of"),
        (lambda: pyo.Any | pyo.Reals, "which is not an interval of"),
        (lambda: pyo.Set(initialize=["a", 1, 2]), "which is not an interval of"),
        (lambda: pyo.Set(initialize=[(1, 2)]), "which is not an interval of"),
        (lambda: pyo.EmptySet, "EmptySet, which is empty"),
        (lambda: pyo.Set(initialize=[]), "which is empty"),
        (lambda: pyo.Binary & pyo.RangeSet(2, 3), "which is empty"),
        (lambda: pyo.PositiveReals & pyo.NegativeReals, "which is empty"),
        (lambda: pyo.Integers & pyo.PositiveReals, "which Pyomo does not evaluate"),
    ],
)
def test_other_pyomo_domains_are_refused_by_name(make: Any, words: str) -> None:
    try:
        model = with_domain(make())
    except ValueError:  # Pyomo itself refuses it where it is used
        assert words == "which Pyomo does not evaluate"
        return
    said = refused(model)
    assert "variable 'x' has the domain " in said
    assert words in said


@pytest.mark.parametrize("sign", [1, -1])
def test_an_optimum_on_an_open_end_is_refused(sign: int) -> None:
    """The infimum 0 of the positive numbers is none of them."""
    domain = pyo.PositiveReals if sign > 0 else pyo.NegativeReals

    def model(**bounds: Any) -> Any:
        made = pyo.ConcreteModel()
        made.x = pyo.Var(domain=domain, **bounds)
        made.b = pyo.Var(domain=pyo.Binary)
        made.far = pyo.Constraint(expr=(-50, made.x - 2 * made.b, 50))
        made.cost = pyo.Objective(expr=sign * made.x + made.b)
        return made

    for task in (calmip.solve, calmip.enumerate, calmip.count, calmip.explain, calmip.relax):
        with pytest.raises(InputError, match=r"variable 'x' has the domain .*, which has no"):
            task(model())
    with pytest.raises(InputError, match="infimum or supremum that is not attained"):
        calmip.solve(model())
    # Where the optimum lies elsewhere, or a bound excludes the end, there is nothing to refuse.
    inner = model()
    inner.row = pyo.Constraint(expr=sign * inner.x >= 1 / 4)
    closed = model(bounds=(1 / 4, None) if sign > 0 else (None, -1 / 4))
    for made in (inner, closed):
        assert calmip.solve(made).values["x"] == sign * Fraction(1, 4)
        assert calmip.enumerate(made, optimal=True).optimum == Fraction(1, 4)
    assert calmip.count(closed).total == 2
    with pytest.raises(InputError, match=r"has no (least|greatest) value"):
        calmip.count(inner)
