"""Models of modelling languages as Python objects, read without a file.

`read_object` returns the model of such an object, with its names, and every number as the
shortest decimal of its float. `PointValues` are the exact values of a point, looked up by the
caller's own variables. No package is imported: an object's class says which one it is of, and
that package is loaded already. Those of PuLP, Pyomo, highspy, Gurobi and SCIP are read here, and
others in `calmip.mip.files.layers`.

PuLP and Pyomo write a variable to a file only if a constraint or the objective has it. The same
variables are columns here.
"""

from __future__ import annotations

import math
import numbers
import re
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from decimal import Decimal
from fractions import Fraction
from itertools import zip_longest
from typing import Any, cast

from calmip._base.errors import InputError, clip
from calmip.mip.display import describe_number, quote
from calmip.mip.files.arrays import METHOD, ArraysObject
from calmip.mip.files.native import Draft, Native, distinct_names, exact_number
from calmip.mip.model import Model, Point
from calmip.mip.rows import INFINITE, Number
from calmip.mip.status import Status

__all__ = [
    "Native",
    "PointValues",
    "given_values",
    "not_a_variable",
    "object_kinds",
    "portable_names",
    "read_object",
    "refuse_open_ends",
]

EXACT_KINDS = (numbers.Integral, Fraction, Decimal)

FIRST = re.compile(
    r"(?!(?:e[0-9].*|inf|infinity|nan|free|st|s\.t\.?|such|subject|to|that|bounds?|bin|binary|"
    r"binaries|gen|general|generals|int|integer|integers|semi|semis|sec|sos[12]?|sin|end|obj|rhs|"
    r"minimi[sz]e|maximi[sz]e|min|max|minimum|maximum|range|ranges|marker)$)[A-Za-z_]",
    re.IGNORECASE,
)
"""The beginning of a name that no reader takes for a number or a keyword."""


def read_object(problem: object) -> Model | None:
    """Return the model that an object of a modelling language holds, or None for another object.

    The model's ``native`` is the object with its variables.

    Raises
    ------
    InputError
        If it is not a mixed-integer linear model; the message names the part.
    """
    if callable(getattr(type(problem), METHOD, None)):
        return ArraysObject(problem).model()
    bases = [(base.__module__ + ".", base.__name__) for base in type(problem).__mro__]
    for kind in _kinds():
        if any(name == kind.base and index.startswith(f"{kind.package}.") for index, name in bases):
            return kind(problem).model()
    return None


def object_kinds() -> tuple[str, ...]:
    """Return the classes of the objects that are read, by their usual names."""
    kinds: tuple[type[Native], ...] = (*_kinds(), ArraysObject)
    return tuple(kind.title for kind in kinds)


def refuse_open_ends(model: Model, point: Point | None = None) -> None:
    """Refuse a point at an open end of a domain; without a point any model with such an end.

    Raises
    ------
    InputError
        If the best value of a variable is only approached, or might be.
    """
    for (column, side), where in (model.native.open_ends if model.native else {}).items():
        remedy = "give the variable a bound in its domain, or another domain"
        if point is None:
            raise InputError(f"{where}; {remedy}")
        value = PointValues(model, point)[model.columns[column]]
        if value == model.bounds(column)[side == "greatest"]:
            raise InputError(
                f"{where}: the value found is the end {describe_number(value)}, an infimum or "
                f"supremum that is not attained; {remedy}"
            )


def given_values(model: Model, answer: object) -> dict[str, float | Number]:
    """Return values by the names of a model's columns; fractions and whole numbers stay exact.

    Parameters
    ----------
    model
        The model.
    answer
        Values by names or, if the model was read from an object, by its variables; or an
        object of a modelling language, whose variables have values.

    Raises
    ------
    InputError
        If a name is not a column, a variable has no value or one that is not a number, or an
        object has other variables.
    TypeError
        If it is neither.
    """
    if isinstance(answer, Mapping):
        named: dict[str, float | Number] = {}
        for variable, value in answer.items():
            index = None if model.native is None else model.native.place(variable)
            name = variable if index is None else model.columns[index]
            if name not in model.column_index:
                raise InputError(not_a_variable(name, model))
            named[name] = _value(value, name)
        return named
    native, columns = model.native, model.own_columns
    if native is None or native.problem is not answer:
        other = read_object(answer)
        if other is None:
            kinds = ", ".join(object_kinds())
            raise TypeError(
                f"a path, a mapping or one of {kinds} is needed, not {type(answer).__name__}"
            )
        if set(other.own_columns) != set(model.own_columns):
            raise InputError("the object has other variables than the model")
        native, columns = cast(Native, other.native), other.own_columns
    found = dict(zip(columns, native.current(), strict=False))
    values = {name: _value(value, name) for name, value in found.items() if value is not None}
    missing = [name for name in columns if name not in values]
    if missing:
        raise InputError(f"variable {quote(missing[0])} has no value; solve the object first")
    return values


def _value(given: Any, name: str) -> float | Number:
    """Return the value of a variable: an exact number itself, and any other as a float."""
    try:
        rounded = float(given)
        if not math.isfinite(rounded):
            raise ValueError
        return cast(Number, exact_number(given)) if isinstance(given, EXACT_KINDS) else rounded
    except OverflowError:
        raise InputError(f"variable {quote(name)} has too large a value") from None
    except (TypeError, ValueError):
        raise InputError(
            f"variable {quote(name)} has the value {clip(given)}, which is not a number"
        ) from None


def not_a_variable(given: object, model: Model) -> str:
    """Return the message that a name, or a variable of another object, is none of a model's."""
    name = f"a variable of type {type(given).__name__}"
    with suppress(Exception):  # of highspy without a name, of PuLP without a problem
        name = str(getattr(given, "name", given))
    return f"{clip(name)} is not a variable of the model {clip(model.name)}"


def portable_names(names: Sequence[str], letter: str) -> list[str]:
    """Return names that every format and solver reads, in the same order; none is a duplicate.

    They have letters, digits, ``_`` and ``.``, and begin neither with a digit nor as a number does.

    Parameters
    ----------
    names
        The names as a modelling language gives them, such as ``x[1,a]``.
    letter
        What begins a name that cannot begin as it does.
    """
    plain = [re.sub(r"[^A-Za-z0-9_.]", "_", name) for name in names]
    fit = [name if FIRST.match(name) else f"{letter}_{name}" for name in plain]
    return list(distinct_names(fit, letter))


class PointValues(Mapping[str, Number]):
    """The exact values of a point of a model.

    A value is looked up by a variable's name or, if the model was read from an object of a
    modelling language, by the variable itself. Iterating yields the names.

    Parameters
    ----------
    model
        The model.
    point
        The exact values by column, 0 where none is given; or the columns whose value is 1.
    """

    def __init__(self, model: Model, point: Point) -> None:
        self._model = model
        self._point = point if isinstance(point, Mapping) else dict.fromkeys(point, 1)

    def __getitem__(self, variable: Any) -> Number:
        column = self._model.column_index.get(variable) if isinstance(variable, str) else None
        if column is None and self._model.native is not None:
            column = self._model.native.place(variable)
            if column is None and (fixed := self._model.native.constant(variable)) is not None:
                return cast(Number, fixed)
        if column is None:
            raise KeyError(not_a_variable(variable, self._model))
        return self._point.get(column, 0)

    def __contains__(self, variable: object) -> bool:
        try:
            self[variable]
        except KeyError:
            return False
        return True

    def __iter__(self) -> Iterator[str]:
        return iter(self._model.own_columns)

    def __len__(self) -> int:
        return len(self._model.own_columns)

    def __repr__(self) -> str:
        return repr({name: value for name, value in self.items() if value})

    def apply_to(self, problem: object, status: Status | None = None) -> None:
        """Set the variables of an object of a modelling language to these values.

        Values that are no floats are rounded to the nearest one. PuLP and Pyomo variables get
        the values, highspy its solution, Gurobi and SCIP a start.

        Parameters
        ----------
        problem
            The object that the model was read from, or another one with the same names.
        status
            For PuLP 3, the status to set, too.

        Raises
        ------
        InputError
            If the object's variables are not those of the model.
        TypeError
            If it is no object of a modelling language that calmip reads.
        """
        native, point = self._model.native, self._point
        if native is None or native.problem is not problem:
            other = read_object(problem)
            if other is None:
                kinds = ", ".join(object_kinds())
                raise TypeError(f"one of {kinds} is needed, not {type(problem).__name__}")
            if set(other.own_columns) != set(self._model.own_columns):
                raise InputError("the object has other variables than the model of the solution")
            native = cast(Native, other.native)
            point = {other.column_index[self._model.columns[c]]: v for c, v in point.items()}
        native.assign([point.get(column, 0) for column in range(len(self))])
        if status is Status.FEASIBLE and not self._model.costs:
            status = Status.OPTIMAL  # any solution is
        if status is not None:
            native.tell(status)


class PulpObject(Native):
    """A ``pulp.LpProblem`` of PuLP 3 or 4."""

    package, base, title = "pulp", "LpProblem", "pulp.LpProblem"

    def read(self, draft: Draft) -> None:
        """Add the variables, the rows and the objective to a draft."""
        problem = self.problem
        sets = self._sets(draft)
        named = getattr(problem, "_constraints", None)  # in PuLP 3 only its key has the name _C1
        rows = (
            list(named.items())
            if isinstance(named, dict)
            else [(row.name, row) for row in problem.constraints()]
        )
        goal = [] if problem.objective is None else list(problem.objective.items())
        used = {
            hash(variable)
            for terms in (goal, *(some.items() for _, some in [*rows, *(one for _, one in sets)]))
            for variable, _ in terms
        }
        indices: dict[int, int] = {}
        # PuLP 3 does not list a variable that a set alone has.
        every = {hash(x): x for x in problem.variables()}
        every |= {hash(x): x for _, (_, some) in sets for x in some if hash(x) not in every}
        for variable in every.values():
            # PuLP puts __dummy, which is 0, into an empty objective while it solves.
            if hash(variable) in used and variable.name != "__dummy":
                indices[hash(variable)] = len(indices)
                integer = variable.cat != "Continuous"
                low, high = variable.lowBound, variable.upBound
                draft.column(variable, variable.name, low, high, integer=integer)

        def terms(pairs: Iterable[tuple[Any, Any]]) -> list[tuple[int, Any]]:
            return [(indices[hash(x)], value) for x, value in pairs if hash(x) in indices]

        self.constraints = tuple(row for _, row in rows)
        for name, row in rows:
            draft.row(name, terms(row.items()), row.getLb(), row.getUb())
        for kind, (name, weights) in sets:
            draft.ordered_set(str(name), kind, terms(weights.items()))
        draft.name, draft.maximise = problem.name, problem.sense == -1
        if problem.objective is not None:
            draft.objective(terms(goal), problem.objective.constant)

    def _sets(self, draft: Draft) -> list[tuple[int, tuple[str, Mapping[Any, float]]]]:
        """Return the type, the name, and the weights of each special ordered set."""
        problem = self.problem
        if not hasattr(problem, "_sos_dicts_for_xpress"):
            by_kind = problem.sos1, problem.sos2
        else:  # PuLP 4 has them in its core, by names, and all without names
            by_kind, every = problem._sos_dicts_for_xpress(), problem._sos_lists_for_mps_dataclass()
            if list(map(len, by_kind)) != list(map(len, every)):
                raise draft.refuse("two special ordered sets have one name")
        return [(kind, one) for kind, some in enumerate(by_kind, start=1) for one in some.items()]

    def key(self, variable: Any) -> Hashable:
        """Return the number that PuLP gives a variable, its name, and its problem in PuLP 4."""
        # From PuLP 4.2 on the numbers of each problem begin at 0.
        problem = getattr(getattr(variable, "_var", None), "model_identity", None)
        return hash(variable), variable.name, problem and problem()

    def assign(self, values: Sequence[Number]) -> None:
        """Set the values of all variables."""
        for variable, value in zip(self.variables, values, strict=True):
            variable.varValue = float(value)

    def assign_duals(
        self, duals: Sequence[Number], reduced_costs: Sequence[Number], slacks: Sequence[Number]
    ) -> None:
        """Set ``pi`` and ``slack`` of the constraints, and ``dj`` of the variables.

        Those of an earlier solve become nan, as PuLP 4 keeps them otherwise.
        """
        for row, *found in zip_longest(self.constraints, duals, slacks):
            row.pi, row.slack = map(_or_nan, (row.pi, row.slack), found)
        for variable, cost in zip_longest(self.variables, reduced_costs):
            variable.dj = _or_nan(variable.dj, cost)

    def current(self) -> Sequence[float | None]:
        """Return the values that the variables have now."""
        return [variable.varValue for variable in self.variables]

    def tell(self, status: Status) -> None:
        """Set the status in PuLP 3; PuLP 4 returns it from its ``solve``."""
        words = {
            Status.OPTIMAL: (1, 1),
            Status.FEASIBLE: (1, 2),
            Status.INFEASIBLE: (-1, -1),
            Status.UNBOUNDED: (-2, -2),
        }
        if hasattr(self.problem, "assignStatus"):
            self.problem.assignStatus(*words.get(status, (0, 0)))


def _or_nan(earlier: float | None, number: Number | None) -> float | None:
    """Return a number as a float; without one, nan if there is one from earlier."""
    return float(number) if number is not None else None if earlier is None else math.nan


class PyomoObject(Native):
    """A Pyomo ``ConcreteModel`` or block, with its active components."""

    package, base, title = "pyomo", "BlockData", "pyomo.ConcreteModel"

    ACCEPTED = frozenset(
        (
            "Block",
            "BooleanVar",
            "BuildAction",
            "BuildCheck",
            "Constraint",
            "ContinuousSet",
            "Expression",
            "ExternalFunction",
            "Objective",
            "Param",
            "RangeSet",
            "SOSConstraint",
            "Set",
            "Suffix",
            "Var",
        )
    )
    """The kinds of components that a linear model may have."""

    def read(self, draft: Draft) -> None:
        """Add the variables, the rows and the objective to a draft."""
        import pyomo.environ as pyo
        from pyomo.repn import generate_standard_repn

        model = self.problem
        if not model.is_constructed():
            raise draft.refuse("the model has no data yet; call create_instance")
        for part in model.component_objects(active=True):
            if part.ctype.__name__ not in self.ACCEPTED:
                kind = part.ctype.__name__
                raise draft.refuse(f"{quote(part.name)} is a component of the kind {kind}")

        def terms(what: str, expression: Any) -> tuple[list[tuple[Any, Any]], Any]:
            try:
                found = generate_standard_repn(expression, quadratic=False)
            except (ValueError, TypeError) as error:
                raise draft.refuse(f"{what} has no value: {clip(error, 200)}") from None
            if not found.is_linear():
                raise draft.refuse(f"{what} is not linear")
            return list(zip(found.linear_vars, found.linear_coefs, strict=True)), found.constant

        self.constraints = tuple(
            row
            for row in model.component_data_objects(pyo.Constraint, active=True)
            if row.lb is not None or row.ub is not None
        )
        rows = [
            (row.name, row.lb, row.ub, *terms(f"constraint {quote(row.name)}", row.body))
            for row in self.constraints
        ]
        sets = self._sets(draft)
        goals = list(model.component_data_objects(pyo.Objective, active=True))
        if len(goals) > 1:
            raise draft.refuse(f"the model has {len(goals)} active objectives")
        goal, constant = terms("the objective", goals[0].expr) if goals else ([], 0)
        used = {id(x): x for found in (*(row[3] for row in rows), goal) for x, _ in found}
        used |= {id(x): x for one in sets for x in one.variables}
        declared = {id(x): x for x in model.component_data_objects(pyo.Var) if id(x) in used}
        indices = {key: index for index, key in enumerate({**declared, **used})}
        for index, variable in enumerate({**declared, **used}.values()):
            integer = self._domain(draft, variable, index)
            draft.column(variable, variable.name, *variable.bounds, integer=integer)
        for name, low, high, found, moved in rows:
            draft.row(name, [(indices[id(x)], value) for x, value in found], low, high, moved)
        for one in sets:
            pairs = ((indices[id(x)], weight) for x, weight in one.get_items())
            draft.ordered_set(one.name, one.level, pairs)
        draft.name = model.name
        draft.maximise = bool(goals) and goals[0].sense == pyo.maximize
        draft.objective([(indices[id(x)], value) for x, value in goal], constant)

    def _sets(self, draft: Draft) -> list[Any]:
        """Return the special ordered sets, without fixed variables."""
        import pyomo.environ as pyo

        found = list(self.problem.component_data_objects(pyo.SOSConstraint, active=True))
        fixed = [(one, x) for one in found for x in one.variables if x.fixed]
        for one, x in fixed:
            raise draft.refuse(f"set {quote(one.name)} has the fixed {quote(x.name)}")
        return found

    def _domain(self, draft: Draft, variable: Any, index: int) -> bool:
        """Return whether the domain of a variable is integers; note its open ends."""
        domain = variable.domain
        where = f"variable {quote(variable.name)} has the domain {clip(domain.name)}"
        try:
            if not list(domain.ranges()):
                raise draft.refuse(f"{where}, which is empty")
            integer, continuous = variable.is_integer(), variable.is_continuous()
        except InputError:
            raise
        except (ValueError, TypeError) as error:  # of PositiveReals & Integers
            raise draft.refuse(f"{where}, which Pyomo does not evaluate: {clip(error)}") from None
        if not integer and not continuous:
            raise draft.refuse(f"{where}, which is not an interval of numbers or of integers")
        ends = domain.get_interval() if continuous else ()
        for end, bound, side in zip(ends, variable.bounds, ("least", "greatest"), strict=False):
            if end is not None and end == bound and end not in domain:
                self.open_ends[index, side] = f"{where}, which has no {side} value"
        return bool(integer)

    def key(self, variable: Any) -> Hashable:
        """Return the identity of a variable."""
        return id(variable)

    def constant(self, variable: Any) -> Number | None:
        """Return the value of a fixed variable of this model; None of another."""
        here = getattr(variable, "fixed", False) and variable.model() is self.problem.model()
        return cast(Number, exact_number(variable.value)) if here else None

    def assign(self, values: Sequence[Number]) -> None:
        """Set the values of all variables that are not fixed."""
        for variable, value in zip(self.variables, values, strict=True):
            number = value if isinstance(value, int) else float(value)
            variable.set_value(number, skip_validation=True)

    @property
    def suffixes(self) -> dict[str, Any]:
        """The suffixes ``dual``, ``rc`` and ``slack`` that the model imports."""
        import pyomo.environ as pyo

        return {
            one.local_name: one
            for one in self.problem.component_objects(pyo.Suffix, active=True, descend_into=False)
            if one.import_enabled() and one.local_name in ("dual", "rc", "slack")
        }

    def assign_duals(
        self, duals: Sequence[Number], reduced_costs: Sequence[Number], slacks: Sequence[Number]
    ) -> None:
        """Set the suffixes that the model imports."""
        parts = {
            "dual": (self.constraints, duals),
            "rc": (self.variables, reduced_costs),
            "slack": (self.constraints, slacks),
        }
        for name, suffix in self.suffixes.items():
            suffix.clear()
            for one, value in zip(*parts[name], strict=False):
                suffix[one] = float(value)

    def current(self) -> Sequence[float | None]:
        """Return the values that the variables have now."""
        return [variable.value for variable in self.variables]


class HighsObject(Native):
    """A ``highspy.Highs``."""

    package, base, title = "highspy", "_Highs", "highspy.Highs"

    def read(self, draft: Draft) -> None:
        """Add the variables, the rows and the objective to a draft."""
        lp = self.problem.getLp()
        if self.problem.getModel().hessian_.dim_:
            raise draft.refuse("the objective is quadratic")
        names, types = list(lp.col_names_), list(lp.integrality_)
        lower, upper = list(map(float, lp.col_lower_)), list(map(float, lp.col_upper_))
        for column in range(lp.num_col_):
            name = names[column] if column < len(names) else ""
            kind = types[column].name if types else "kContinuous"
            ends, semi = (lower[column], upper[column]), kind.startswith("kSemi")
            draft.column(column, name, *ends, integer="Integer" in kind, semi=semi)
        matrix = lp.a_matrix_
        start, index, value = (
            list(matrix.start_),
            list(matrix.index_),
            list(map(float, matrix.value_)),
        )
        rows: list[list[tuple[int, float]]] = [[] for _ in range(lp.num_row_)]
        by_column = matrix.format_.name == "kColwise"
        for major in range(len(start) - 1):
            for entry in range(start[major], start[major + 1]):
                row, column = (index[entry], major) if by_column else (major, index[entry])
                rows[row].append((column, value[entry]))
        names = list(lp.row_names_)
        lower, upper = list(map(float, lp.row_lower_)), list(map(float, lp.row_upper_))
        for number, terms in enumerate(rows):
            name = names[number] if number < len(names) else ""
            draft.row(name, terms, lower[number], upper[number])
        draft.name, draft.maximise = lp.model_name_, lp.sense_.name == "kMaximize"
        draft.objective(enumerate(map(float, lp.col_cost_)), lp.offset_)

    def key(self, variable: Any) -> Hashable:
        """Return the number of a variable, which may stand for it."""
        if getattr(variable, "highs", self.problem) != self.problem:
            return None
        number: int = variable.__index__()
        return number

    def assign(self, values: Sequence[Number]) -> None:
        """Set the solution, which starts the next run of HiGHS."""
        import highspy

        solution = highspy.HighsSolution()
        solution.col_value = [float(value) for value in values]
        self.problem.setSolution(solution)

    def current(self) -> Sequence[float | None]:
        """Return the solution of HiGHS, if it has one."""
        solution = self.problem.getSolution()
        return list(solution.col_value) if solution.value_valid else []


GUROBI_KINDS = {0: "Max", 1: "Min", 2: "Abs", 3: "And", 4: "Or", 7: "Indicator", 8: "PWL"}
"""The numbers of Gurobi's general constraints that are read."""


class GurobiObject(Native):
    """A ``gurobipy.Model``."""

    package, base, title = "gurobipy", "Model", "gurobipy.Model"

    def read(self, draft: Draft) -> None:
        """Add the variables, the rows and the objective to a draft."""
        model = self.problem
        model.update()  # its latest changes
        for number, what in {
            model.IsQP: "the objective is quadratic",
            model.NumQConstrs: "a row is quadratic",
            model.NumPWLObjVars: "the objective is piecewise linear",
            model.NumObj > 1: "the model has several objectives",
        }.items():
            if number:
                raise draft.refuse(what)
        variables = model.getVars()
        for x in variables:
            semi = x.VType in "SN"
            draft.column(x, x.VarName, x.LB, x.UB, integer=x.VType not in "CS", semi=semi)
        for row in model.getConstrs():
            found, side = model.getRow(row), row.RHS
            terms = [(found.getVar(n).index, found.getCoeff(n)) for n in range(found.size())]
            low, high = (
                -math.inf if row.Sense == "<" else side,
                math.inf if row.Sense == ">" else side,
            )
            draft.row(row.ConstrName, terms, low, high)
        for number, one in enumerate(model.getSOSs()):
            kind, members, weights = model.getSOS(one)
            pairs = zip((x.index for x in members), weights, strict=True)
            draft.ordered_set(f"sos{number}", kind, pairs)
        for one in model.getGenConstrs():
            self._general(draft, one)
        draft.name, draft.maximise = model.ModelName, model.ModelSense == -1
        draft.objective(((x.index, x.Obj) for x in variables), model.ObjCon)

    def _general(self, draft: Draft, one: Any) -> None:
        """Add a general constraint: an indicator, MAX, MIN, ABS, AND, OR or PWL."""
        model, name = self.problem, one.GenConstrName
        kind = GUROBI_KINDS.get(one.GenConstrType, "")
        if kind in ("And", "Or"):
            result, arguments = getattr(model, f"getGenConstr{kind}")(one)
            draft.logical(name, result.index, [x.index for x in arguments], 1 - 2 * (kind == "And"))
        elif kind in ("Max", "Min"):
            result, arguments, constant = getattr(model, f"getGenConstr{kind}")(one)
            sums: list[tuple[list[tuple[int, float]], float]] = [
                ([(x.index, 1.0)], 0.0) for x in arguments
            ]
            if abs(constant) < INFINITE:
                sums.append(([], constant))
            draft.extreme(name, result.index, sums, 1 if kind == "Max" else -1)
        elif kind == "Abs":
            result, argument = model.getGenConstrAbs(one)
            both = [([(argument.index, sign)], 0) for sign in (1, -1)]
            draft.extreme(name, result.index, both, 1)
        elif kind == "Indicator":
            binary, value, row, sense, side = model.getGenConstrIndicator(one)
            terms = [(row.getVar(n).index, row.getCoeff(n)) for n in range(row.size())]
            side -= row.getConstant()
            low, high = (
                -math.inf if sense == "<" else side,
                math.inf if sense == ">" else side,
            )
            draft.indicator(name, [(binary.index, int(value))], terms, low, high)
        elif kind == "PWL":
            argument, result, xs, ys = model.getGenConstrPWL(one)
            draft.broken_line(name, result.index, argument.index, zip(xs, ys, strict=True))
        else:
            raise draft.refuse(f"general constraint {quote(name)} is none that is read")

    def key(self, variable: Any) -> Hashable:
        """Return the number of a variable, and its name."""
        return variable.index, variable.VarName

    def assign(self, values: Sequence[Number]) -> None:
        """Set the start of all variables; Gurobi alone sets their values."""
        for variable, value in zip(self.variables, values, strict=True):
            variable.Start = float(value)
        self.problem.update()

    def current(self) -> Sequence[float | None]:
        """Return the solution of Gurobi, if it has one."""
        if not self.problem.SolCount:
            return []
        found: list[float | None] = self.problem.getAttr("X", list(self.variables))
        return found


class ScipObject(Native):
    """A ``pyscipopt.Model``."""

    package, base, title = "pyscipopt", "Model", "pyscipopt.Model"

    def read(self, draft: Draft) -> None:
        """Add the variables, the rows and the objective to a draft."""
        scip = self.problem
        indices: dict[int, int] = {}
        rows = scip.getConss(transformed=False)
        indicators = [row for row in rows if row.getConshdlrName() == "indicator"]
        if indicators and not hasattr(scip, "getLinearConsIndicator"):
            name = quote(indicators[0].name)
            raise draft.refuse(f"indicator constraint {name} needs a newer PySCIPOpt to be read")
        # Of each, SCIP has made a row, whose slack is 0 if the condition holds.
        slacks = {scip.getSlackVarIndicator(row).ptr() for row in indicators}
        parts = {scip.getLinearConsIndicator(row).ptr() for row in indicators}
        # SCIP has them by their kind.
        variables = sorted(scip.getVars(transformed=False), key=lambda x: x.getIndex())
        variables = [x for x in variables if x.ptr() not in slacks or x.getObj()]
        for x in variables:
            indices[x.ptr()] = len(indices)
            integer = x.vtype() in ("BINARY", "INTEGER")
            draft.column(x, x.name, x.getLbOriginal(), x.getUbOriginal(), integer=integer)
        for row in rows:
            kind = row.getConshdlrName()
            if kind == "indicator":
                self._indicator(draft, row, variables, indices)
            elif kind in ("SOS1", "SOS2"):  # its variables are in the order of their weights
                members = [indices[x.ptr()] for x in scip.getConsVars(row)]
                pairs = zip(members, range(len(members)), strict=True)
                draft.ordered_set(row.name, int(kind[-1]), pairs)
            elif not row.isLinear():
                raise draft.refuse(f"constraint {quote(row.name)} is of the kind {kind}")
            elif not parts or row.ptr() not in parts:
                terms = self._terms(row, indices)
                draft.row(row.name, terms.items(), scip.getLhs(row), scip.getRhs(row))
        draft.name = scip.getProbName()
        draft.maximise = scip.getObjectiveSense() == "maximize"
        costs = ((indices[x.ptr()], x.getObj()) for x in variables)
        draft.objective(costs, scip.getObjoffset())

    def _terms(self, row: Any, indices: Mapping[int, int]) -> dict[int, float]:
        """Return the coefficients of a row, without variables that are none of the model's."""
        scip = self.problem
        # Older versions have the coefficients by the variables' names alone.
        values = (
            scip.getConsVals(row)
            if hasattr(scip, "getConsVals")
            else scip.getValsLinear(row).values()
        )
        pairs = zip(scip.getConsVars(row), values, strict=True)
        return {indices[x.ptr()]: value for x, value in pairs if x.ptr() in indices}

    def _indicator(
        self, draft: Draft, row: Any, variables: Sequence[Any], indices: Mapping[int, int]
    ) -> None:
        """Add an indicator constraint: its first variable is the binary one, or its negation."""
        scip, name = self.problem, quote(row.name)
        binary, *_ = scip.getConsVars(row)
        place, value = indices.get(binary.ptr()), 1
        if place is None:  # SCIP names the negation of b so
            plain, value = binary.name.removesuffix("_neg"), 0
            alike = [n for n, x in enumerate(variables) if x.name == plain and x.isBinary()]
            if binary.getStatus() != "NEGATED" or len(alike) != 1:
                raise draft.refuse(f"the binary variable of indicator constraint {name} is unknown")
            (place,) = alike
        part, slack = scip.getLinearConsIndicator(row), scip.getSlackVarIndicator(row)
        if slack.ptr() in indices:
            raise draft.refuse(f"the slack of indicator constraint {name} is in the objective")
        terms = self._terms(part, indices)
        draft.indicator(
            row.name, [(place, value)], terms.items(), scip.getLhs(part), scip.getRhs(part)
        )

    def key(self, variable: Any) -> Hashable:
        """Return the address of a variable."""
        address: int = variable.ptr()
        return address

    def assign(self, values: Sequence[Number]) -> None:
        """Add a solution, with which SCIP starts."""
        start = self.problem.createSol()
        for variable, value in zip(self.variables, values, strict=True):
            self.problem.setSolVal(start, variable, float(value))
        self.problem.addSol(start)

    def current(self) -> Sequence[float | None]:
        """Return the best solution of SCIP, if it has one."""
        if not self.problem.getNSols():
            return []
        best = self.problem.getBestSol()
        return [self.problem.getSolVal(best, variable) for variable in self.variables]


def _kinds() -> tuple[type[Native], ...]:
    """Return the kinds of objects that are read."""
    from calmip.mip.files.layers import LAYERS  # many modules, which no file and no puzzle needs

    return (PulpObject, PyomoObject, HighsObject, GurobiObject, ScipObject, *LAYERS)
