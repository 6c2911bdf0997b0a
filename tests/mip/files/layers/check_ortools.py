"""The four interfaces of OR-Tools."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from layer_models import INF, Drawn, check_twenty, integral, read
from ortools.linear_solver import pywraplp
from ortools.linear_solver.python import model_builder
from ortools.math_opt.python import mathopt
from ortools.sat.python import cp_model

import calmip
from calmip import InputError
from calmip.mip.files.objects import PointValues


def build_solver(drawn: Drawn) -> tuple[Any, list[Any]]:
    solver = pywraplp.Solver("made", pywraplp.Solver.SCIP_MIXED_INTEGER_PROGRAMMING)
    x = [
        solver.Var(low, high, whole, f"x{n}") for n, (low, high, whole) in enumerate(drawn.columns)
    ]
    for number, (terms, low, high) in enumerate(drawn.rows):
        row = solver.Constraint(low, high, f"row{number}")
        for variable, value in zip(x, terms, strict=True):
            row.SetCoefficient(variable, value)
    goal = sum(c * v for c, v in zip(drawn.cost, x, strict=True)) + drawn.constant
    (solver.Maximize if drawn.maximise else solver.Minimize)(goal)
    return solver, x


def build_builder(drawn: Drawn) -> tuple[Any, list[Any]]:
    model = model_builder.Model()
    x = [
        model.new_var(low, high, whole, f"x{n}")
        for n, (low, high, whole) in enumerate(drawn.columns)
    ]
    for number, (terms, low, high) in enumerate(drawn.rows):
        left = sum(c * v for c, v in zip(terms, x, strict=True) if c)
        model.add_linear_constraint(left, low, high, f"row{number}")
    goal = sum(c * v for c, v in zip(drawn.cost, x, strict=True)) + drawn.constant
    (model.maximize if drawn.maximise else model.minimize)(goal)
    return model, x


def build_mathopt(drawn: Drawn) -> tuple[Any, list[Any]]:
    model = mathopt.Model(name="made")
    x = [
        model.add_variable(lb=low, ub=high, is_integer=whole, name=f"x{n}")
        for n, (low, high, whole) in enumerate(drawn.columns)
    ]
    for number, (terms, low, high) in enumerate(drawn.rows):
        row = model.add_linear_constraint(lb=low, ub=high, name=f"row{number}")
        for variable, value in zip(x, terms, strict=True):
            row.set_coefficient(variable, value)
    goal = mathopt.fast_sum(c * v for c, v in zip(drawn.cost, x, strict=True)) + drawn.constant
    (model.maximize if drawn.maximise else model.minimize)(goal)
    return model, x


def build_cpsat(drawn: Drawn) -> tuple[Any, list[Any]]:
    model = cp_model.CpModel()
    x = [
        model.new_int_var(int(low), int(high), f"x{n}")
        for n, (low, high, _) in enumerate(drawn.columns)
    ]
    for number, (terms, low, high) in enumerate(drawn.rows):
        left = sum(int(c) * v for c, v in zip(terms, x, strict=True) if c)
        ends = (end if math.isinf(end) else int(end) for end in (low, high))
        low, high = (
            cp_model.INT_MIN if e == -INF else cp_model.INT_MAX if e == INF else e for e in ends
        )
        model.add_linear_constraint(left, low, high).with_name(f"row{number}")
    floats = [c for c in drawn.cost if c != int(c)]
    goal = sum((c if floats else int(c)) * v for c, v in zip(drawn.cost, x, strict=True))
    goal += drawn.constant if floats else int(drawn.constant)
    (model.maximize if drawn.maximise else model.minimize)(goal)
    return model, x


def hint_of_solver(solver: Any, variable: Any) -> float:
    from ortools.linear_solver import linear_solver_pb2

    message = linear_solver_pb2.MPModelProto()
    solver.ExportModelToProto(message)
    hint = message.solution_hint
    return dict(zip(hint.var_index, hint.var_value, strict=True))[variable.index()]


def hint_of_builder(model: Any, variable: Any) -> float:
    hint = model.export_to_proto().solution_hint
    return dict(zip(hint.var_index, hint.var_value, strict=True))[variable.index]


@pytest.mark.parametrize(
    ("build", "value"),
    [(build_solver, hint_of_solver), (build_builder, hint_of_builder), (build_mathopt, None)],
)
def test_twenty_models(build: Callable[[Drawn], Any], value: Any) -> None:
    check_twenty(build, value=value)


def test_twenty_models_of_cp_sat() -> None:
    check_twenty(build_cpsat, change=integral, integers=True)


@pytest.mark.parametrize("maximise", [False, True])
def test_an_objective_of_floats_in_cp_sat_is_not_lost(maximise: bool) -> None:
    """It lies in another part of the message than one of whole numbers."""
    model = cp_model.CpModel()
    d, f = model.new_bool_var("d"), model.new_bool_var("f")
    model.add_exactly_one(d, f)
    (model.maximize if maximise else model.minimize)(0.1 * d + 0.3 * f + 0.5)
    sign = -1 if maximise else 1
    found = read(model)
    assert found.costs == {0: sign * Fraction(1, 10), 1: sign * Fraction(3, 10)}
    assert (found.exact_objective({}), found.maximise) == (Fraction(1, 2), maximise)
    assert calmip.enumerate(model, optimal=True).optimum == Fraction(8 if maximise else 6, 10)


def enforced(row: Any, *literals: Any) -> Any:
    """Return a row that literals enforce: for several of them the method returns nothing."""
    row.only_enforce_if(list(literals))
    return row


CONSTRAINTS: dict[str, Callable[[Any, Any], Any]] = {
    "linear": lambda m, b: m.add(3 * b[0] - 2 * b[1] + b[2] <= 1),
    "equation": lambda m, b: m.add(b[0] + b[1] == b[2]),
    "exactly_one": lambda m, b: m.add_exactly_one(b[0], b[1].negated(), b[2]),
    "at_most_one": lambda m, b: m.add_at_most_one(b[0].negated(), b[1], b[2].negated()),
    "bool_or": lambda m, b: m.add_bool_or(b[0].negated(), b[1], b[2].negated()),
    "bool_and": lambda m, b: m.add_bool_and(b[0], b[1].negated()),
    "implication": lambda m, b: m.add_implication(b[0], b[1].negated()),
    "enforced and": lambda m, b: m.add_bool_and(b[0], b[1].negated()).only_enforce_if(b[2]),
    "enforced or": lambda m, b: m.add_bool_or(b[0], b[1]).only_enforce_if(b[2].negated()),
    "repeated": lambda m, b: m.add_bool_or(b[0], b[0], b[1].negated()),
    "both": lambda m, b: m.add_at_most_one(b[0], b[0].negated(), b[1]),
    "constant": lambda m, b: m.add_bool_or(b[0], m.new_constant(0)),
    "true": lambda m, b: m.add_bool_or(b[0], True),
    "enforced row": lambda m, b: m.add(b[0] + b[1] <= 1).only_enforce_if(b[2]),
    "enforced by a negation": lambda m, b: m.add(b[0] == b[1]).only_enforce_if(b[2].negated()),
    "enforced by two": lambda m, b: enforced(m.add(2 * b[0] >= 1), b[1], b[2].negated()),
    "enforced by itself": lambda m, b: enforced(m.add(b[0] + b[1] <= 1), b[0], b[2]),
    "enforced by the opposite": lambda m, b: enforced(m.add(b[0] >= 2), b[1], b[1].negated()),
    "maximum": lambda m, b: m.add_max_equality(b[0], [b[1], 2 * b[2] - 1, 0]),
    "minimum": lambda m, b: m.add_min_equality(b[0], [b[1], 1 - b[2]]),
    "absolute value": lambda m, b: m.add_abs_equality(b[0], b[1] - b[2]),
}


@pytest.mark.parametrize("kind", CONSTRAINTS)
def test_the_solutions_of_a_constraint_are_those_of_cp_sat(kind: str) -> None:
    model = cp_model.CpModel()
    b = [model.new_bool_var(f"b{n}") for n in range(3)]
    CONSTRAINTS[kind](model, b).with_name("named")

    class Listed(cp_model.CpSolverSolutionCallback):
        def __init__(self) -> None:
            super().__init__()
            self.found: set[tuple[int, ...]] = set()

        def on_solution_callback(self) -> None:
            self.found.add(tuple(int(self.value(one)) for one in b))

    listed = Listed()
    solver = cp_model.CpSolver()
    solver.parameters.enumerate_all_solutions = True
    solver.solve(model, listed)
    pool = calmip.enumerate(model)
    assert pool.complete
    assert sorted(tuple(one[x] for x in b) for one in pool.values) == sorted(listed.found)
    found = read(model)
    constructs = found.logic.constructs if found.logic else ()
    assert all(name.startswith("named") for name in (*found.rows, *(c.name for c in constructs)))


REFUSED: dict[str, Callable[[Any, Any, Any], Any]] = {
    "constraint 'part', exactly_one, is enforced": lambda m, x, b: (
        m.add_exactly_one(b, m.new_bool_var("c")).only_enforce_if(b).with_name("part")
    ),
    "constraint 'part' is of the kind all_diff": lambda m, x, b: m.add_all_different(
        x, x + 1
    ).with_name("part"),
    "constraint 'part' is a maximum that is no variable": lambda m, x, b: m.add_max_equality(
        2 * x + b, [b, 2]
    ).with_name("part"),
    "constraint 'part' is of the kind int_prod": lambda m, x, b: m.add_multiplication_equality(
        x, [b, b]
    ).with_name("part"),
    "constraint 'part' is of the kind table": lambda m, x, b: m.add_allowed_assignments(
        [x], [[1], [2]]
    ).with_name("part"),
    "constraint 'part' is of the kind bool_xor": lambda m, x, b: m.add_bool_xor(b, True).with_name(
        "part"
    ),
    "constraint 'part' has a domain of 2 intervals": lambda m, x, b: m.add(x != 2).with_name(
        "part"
    ),
    "variable 'gaps' has a domain of 2 intervals": lambda m, x, b: m.new_int_var_from_domain(
        cp_model.Domain.from_values([1, 3]), "gaps"
    ),
    "of the kind interval": lambda m, x, b: m.new_interval_var(x, 2, x + 2, "part"),
    "the model has the part assumptions": lambda m, x, b: m.add_assumptions([b]),
}


@pytest.mark.parametrize("words", REFUSED)
def test_another_constraint_of_cp_sat_is_refused_by_its_name(words: str) -> None:
    model = cp_model.CpModel()
    x, b = model.new_int_var(0, 5, "x"), model.new_bool_var("b")
    REFUSED[words](model, x, b)
    with pytest.raises(InputError) as caught:
        read(model)
    assert str(caught.value).startswith("cp_model.CpModel: ")
    assert words in str(caught.value)


def test_numbers_without_end_in_cp_sat_are_infinite() -> None:
    model = cp_model.CpModel()
    x = model.new_int_var(-7, 2**40, "x")
    model.add_linear_constraint(x, cp_model.INT_MIN, 3)
    model.add(x >= -3)
    found = read(model)
    assert found.bounds(0) == (-7, 2**40)
    assert [found.exact_row(n)[1:] for n in (0, 1)] == [(-INF, 3), (-3, INF)]


def test_a_variable_of_another_model_and_a_negated_literal_have_no_value() -> None:
    for build in (build_builder, build_mathopt, build_cpsat):
        drawn = Drawn(((0, 1, True),) * 2, (((1.0, 1.0), -INF, 1.0),), (1.0, 1.0), 0, False)
        (model, _), (_, strangers) = build(drawn), build(drawn)
        values = PointValues(read(model), {1: 1})
        assert strangers[1] not in values
        assert None not in values
    model, x = build_cpsat(drawn)
    assert x[0].negated() not in PointValues(read(model), {1: 1})


def test_an_answer_is_a_hint_where_the_model_holds_one() -> None:
    model = cp_model.CpModel()
    x = [model.new_int_var(0, 5, name) for name in "xy"]
    model.add(x[0] + 2 * x[1] == 9)
    model.minimize(x[1])
    for _ in range(2):
        calmip.solve(model).apply_to(model)
        hint = model.Proto().solution_hint
        assert dict(zip(hint.vars, hint.values, strict=True)) == {0: 5, 1: 2}
    given, variables = build_mathopt(Drawn(((0, 1, True),), ((((1.0,)), 0, 1),), (1.0,), 0, False))
    solution = calmip.solve(given)
    assert solution[variables[0]] == 0
    with pytest.raises(InputError, match="holds no values; give them to a solver by a mathopt"):
        solution.apply_to(given)


def test_the_answer_of_a_solver_is_checked() -> None:
    drawn = Drawn(((0, 5, True), (0, 5, True)), (((2.0, 3.0), -INF, 12.0),), (1.0, 1.0), 0, True)
    solver, _ = build_solver(drawn)
    with pytest.raises(InputError, match="has no value"):
        calmip.check(solver, solver)
    assert solver.Solve() == solver.OPTIMAL
    assert "a solution, every row checked; objective 5" in str(calmip.check(solver, solver))


def test_other_parts_of_linear_models_are_refused() -> None:
    model = mathopt.Model()
    x = model.add_binary_variable(name="x")
    model.minimize(x * x)
    with pytest.raises(InputError, match=r"mathopt\.Model: it has the part quadratic_coefficients"):
        read(model)
    model = mathopt.Model()
    y = model.add_binary_variable(name="y")
    model.add_auxiliary_objective(priority=1, expr=y)
    with pytest.raises(InputError, match="it has the part auxiliary_objectives"):
        read(model)


def test_enforced_rows_of_the_builder() -> None:
    model = model_builder.Model()
    x, b = model.new_int_var(0, 5, "x"), model.new_bool_var("b")
    model.add(x >= 0)  # without an ordinary row OR-tools 9.15 crashes
    model.add_enforced(x <= 2, b, True)
    model.add_enforced(x >= 4, b, False)
    found = calmip.enumerate(model)
    points = sorted((int(one[x]), int(one[b])) for one in found.values)
    assert points == [(0, 1), (1, 1), (2, 1), (4, 0), (5, 0)]
    assert read(model).own_columns == ("x", "b")
    calmip.solve(model).apply_to(model)
    model.add_enforced(x <= 2, x, True)
    with pytest.raises(
        InputError, match=r"model_builder\.Model: .* its variable 'x' is not binary"
    ):
        read(model)


def test_other_general_constraints_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    from ortools.linear_solver import linear_solver_pb2

    from calmip.mip.files.layers.ortools_linear import BuilderObject

    model = model_builder.Model()
    x = model.new_bool_var("x")
    model.add(x >= 0)
    message = linear_solver_pb2.MPModelProto()
    for _ in range(2):
        message.variable.add(lower_bound=0, upper_bound=1, is_integer=True)
    part = message.general_constraint.add(name="part")
    part.and_constraint.var_index.append(0)
    part.and_constraint.resultant_var_index = 1
    monkeypatch.setattr(BuilderObject, "message", lambda _: message)
    monkeypatch.setattr(BuilderObject, "objects", lambda _: [x, x])
    with pytest.raises(InputError, match="general constraint 'part' is none that is read"):
        read(model)


def test_rows_after_a_deletion_in_mathopt() -> None:
    model, x = build_mathopt(
        Drawn(
            ((0, 1, True),) * 3,
            (((1.0, 0, 2.0), 0, 1), ((0.0, 0, 3.0), 0, 2)),
            (1.0,) * 3,
            0,
            False,
        )
    )
    model.delete_variable(x[0])
    model.delete_linear_constraint(model.get_linear_constraint(0))
    found = read(model)
    assert (found.columns, found.rows) == (("x1", "x2"), ("row1",))
    assert found.exact_row(0) == ({1: 3}, 0, 2)
    assert PointValues(found, {1: 1})[x[2]] == 1


def test_no_other_package_is_imported() -> None:
    assert not {"pulp", "pyomo", "cvxpy", "linopy", "mip", "docplex"} & set(sys.modules)


def test_indicators_of_mathopt() -> None:
    problem = mathopt.Model(name="m")
    b = problem.add_binary_variable(name="b")
    x = problem.add_integer_variable(lb=0, ub=4, name="x")
    problem.maximize(x)
    one = problem.add_indicator_constraint(
        indicator=b, activate_on_zero=True, implied_constraint=(2 * x <= 3), name="i"
    )
    problem.add_indicator_constraint(indicator=b, implied_constraint=(x >= 3), name="j")
    found = calmip.enumerate(problem)
    assert found.model.own_columns == ("b", "x")
    assert {(one["b"], one["x"]) for one in found.values} == {(0, 0), (0, 1), (1, 3), (1, 4)}
    solved = calmip.solve(problem)
    assert (solved.objective, solved[x], solved[b]) == (4, 4, 1)
    problem.delete_indicator_constraint(one)
    problem.add_indicator_constraint(implied_constraint=(x <= 0), name="ignored")
    assert len(calmip.enumerate(problem).values) == 7
