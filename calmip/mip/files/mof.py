"""Reader of MathOptFormat, ``.mof.json``, in which JuMP and MathOptInterface write models.

The format is that of its schema, version 1 and the late 0.x ones (Legat, Dowson, Garcia and Lubin
2022, https://doi.org/10.1287/ijoc.2021.1067). Linear functions are read, in intervals, cones of
signs, special ordered sets and indicator sets. All else is refused by its name.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from calmip._base.errors import InputError
from calmip.mip.display import quote
from calmip.mip.files.model_builder import ModelBuilder
from calmip.mip.files.native import distinct_names
from calmip.mip.files.text_source import TextFile
from calmip.mip.model import Model
from calmip.mip.rows import Bound, Interval, Number, finite_or_infinite

PARTS = {
    "model": "version variables objective constraints name author description",
    "variable": "name primal_start",
    "objective": "sense function",
    "constraint": "function set name primal_start dual_start",
}
"""The keys of each part; those of functions and sets are below."""

ENDS = {
    "LessThan": (None, "upper"),
    "GreaterThan": ("lower", None),
    "EqualTo": ("value", "value"),
    "Interval": ("lower", "upper"),
    "Semicontinuous": ("lower", "upper"),
    "Semiinteger": ("lower", "upper"),
    "Parameter": ("value", "value"),
    "Integer": (None, None),
    "ZeroOne": (None, None),
}
"""The keys of the ends of intervals, by the sets that are intervals."""

SIGNS = {
    "Zeros": Interval(0, 0),
    "Nonnegatives": Interval(0, math.inf),
    "Nonpositives": Interval(-math.inf, 0),
    "Reals": Interval(-math.inf, math.inf),
}
"""The intervals of all outputs of a function, by sets of vectors."""

OF_VARIABLES = ("Integer", "ZeroOne", "Semicontinuous", "Semiinteger", "Parameter")
"""The sets to which a variable alone may belong."""

ORDERED = {"SOS1": 1, "SOS2": 2}
"""How many members of a special ordered set may be other than 0."""


def read_mof(source: TextFile) -> Model:
    """Return the model in a file.

    Raises
    ------
    InputError
        If the file is no JSON, no model, or has a function or a set that is not linear.
    """
    return _Reader(source).read()


class _Affine(NamedTuple):
    """A linear function: its terms by column, and a constant."""

    terms: list[tuple[int, Number]]
    constant: Number = 0

    @property
    def variable(self) -> int | None:
        """The column that is the whole of the function; None if it is another one."""
        alone = len(self.terms) == 1 and self.terms[0][1] == 1 and not self.constant
        return self.terms[0][0] if alone else None


class _Reader:
    """The parts of a file, read one by one; messages name the part."""

    def __init__(self, source: TextFile) -> None:
        self.source, self.where = source, "the model"
        self.builder = ModelBuilder(source)
        self.names: dict[str, int] = {}
        self.semi: list[tuple[int, Interval]] = []
        """Columns, and the interval in which they are unless they are 0."""

    def fault(self, message: str) -> InputError:
        """Return the error of the part that is being read."""
        return self.source.error(f"{self.where}: {message}")

    def load(self) -> Any:
        """Return the data, with the numbers as their texts say."""

        def number(text: str) -> Number:
            return self.source.exact(text, 1)

        def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
            found = dict(pairs)
            if len(found) < len(pairs):
                twice = next(key for key, n in Counter(key for key, _ in pairs).items() if n > 1)
                raise self.source.error(f"has the key {quote(twice)} twice in one object")
            return found

        text = "\n".join(self.source.lines)
        try:
            return json.loads(
                text,
                parse_int=number,
                parse_float=number,
                parse_constant=number,
                object_pairs_hook=once,
            )
        except json.JSONDecodeError as error:
            raise self.source.error(f"is no JSON: {error.msg}", error.lineno) from None
        except RecursionError:
            raise self.source.error("is no model: its lists are too deep") from None

    def table(self, given: Any, keys: str, needed: str = "") -> dict[str, Any]:
        """Return an object, which has all keys that are needed, and no unknown one."""
        if not isinstance(given, dict):
            raise self.fault("an object should stand here")
        for key in needed.split():
            if key not in given:
                raise self.fault(f"the key {quote(key)} is missing")
        unknown = next((key for key in given if key not in keys.split()), None)
        if unknown is not None:
            raise self.fault(f"the key {quote(unknown)} is not known")
        return given

    def items(self, given: Any, what: str) -> Sequence[Any]:
        """Return a list."""
        if not isinstance(given, list):
            raise self.fault(f"{what} should be a list")
        return given

    def kind(self, given: Any) -> str:
        """Return the type of a function or a set."""
        found = given.get("type") if isinstance(given, dict) else None
        if not isinstance(found, str):
            raise self.fault("a function or a set has a type")
        return found

    def number(self, given: Any, what: str) -> Number:
        """Return a number."""
        if isinstance(given, (bool, str, list, dict)) or given is None:
            raise self.fault(f"{what} should be a number")
        value: Number = given
        return value

    def column(self, name: Any) -> int:
        """Return the column of a variable."""
        if not isinstance(name, str) or name not in self.names:
            raise self.fault(f"there is no variable {quote(str(name))}")
        return self.names[name]

    def read(self) -> Model:
        """Return the model."""
        data = self.table(self.load(), PARTS["model"], "version variables objective constraints")
        version = self.table(data["version"], "major minor", "major minor")
        if version["major"] not in (0, 1):
            raise self.fault(f"its version is {version['major']}; versions 0 and 1 are read")
        if isinstance(data.get("name"), str):
            self.builder.name = data["name"]
        self.variables(self.items(data["variables"], "the variables"))
        self.objective(data["objective"])
        constraints = self.items(data["constraints"], "the constraints")
        given = [one.get("name") if isinstance(one, dict) else "" for one in constraints]
        texts = [name if isinstance(name, str) else "" for name in given]
        for name, one in zip(distinct_names(texts, "c"), constraints, strict=True):
            self.where = f"constraint {quote(name)}"
            self.constraint(name, one)
        self.bound_semi()
        return self.builder.build()

    def variables(self, given: Iterable[Any]) -> None:
        """Add the columns, which have no bounds."""
        for number, one in enumerate(given):
            self.where = f"variable {number + 1}"
            name = self.table(one, PARTS["variable"], "name")["name"]
            if not isinstance(name, str) or not name or name in self.names:
                raise self.fault(f"{quote(str(name))} is no name of its own")
            self.names[name] = self.builder.column(name, 1)
            self.builder.lower[-1] = -math.inf

    def objective(self, given: Any) -> None:
        """Read the sense and the function."""
        self.where = "the objective"
        sense = self.table(given, PARTS["objective"], "sense")["sense"]
        if sense not in ("min", "max", "feasibility"):
            raise self.fault(f"{quote(str(sense))} is not min, max or feasibility")
        if sense == "feasibility":
            return
        functions = self.function(given.get("function"))
        if len(functions) != 1:
            raise self.fault("a model has one objective")
        self.builder.maximise = sense == "max"
        self.builder.offset = functions[0].constant
        for column, value in functions[0].terms:
            self.builder.cost[column] = self.builder.cost.get(column, 0) + value

    def function(self, given: Any) -> Sequence[_Affine]:
        """Return the outputs of a function."""
        kind = self.kind(given)
        read: dict[str, Callable[[Any], Sequence[_Affine]]] = {
            "Variable": self.variable,
            "ScalarAffineFunction": self.affine,
            "VectorOfVariables": self.vector_of_variables,
            "VectorAffineFunction": self.vector,
        }
        if kind not in read:
            raise self.fault(f"the function {quote(kind)} is not linear, or not known")
        return read[kind](given)

    def variable(self, given: Any) -> Sequence[_Affine]:
        """Return a variable."""
        return [_Affine([(self.column(self.table(given, "type name", "name")["name"]), 1)])]

    def affine(self, given: Any) -> Sequence[_Affine]:
        """Return a linear function."""
        one = self.table(given, "type terms constant", "terms constant")
        terms = [self.term(term) for term in self.items(one["terms"], "the terms")]
        return [_Affine(terms, self.number(one["constant"], "the constant"))]

    def vector_of_variables(self, given: Any) -> Sequence[_Affine]:
        """Return several variables."""
        one = self.table(given, "type variables", "variables")
        names = self.items(one["variables"], "the variables")
        return [_Affine([(self.column(name), 1)]) for name in names]

    def vector(self, given: Any) -> Sequence[_Affine]:
        """Return several linear functions."""
        one = self.table(given, "type terms constants", "terms constants")
        constants = self.items(one["constants"], "the constants")
        found = [_Affine([], self.number(value, "a constant")) for value in constants]
        for term in self.items(one["terms"], "the terms"):
            both = self.table(term, "output_index scalar_term", "output_index scalar_term")
            output = both["output_index"]
            if type(output) is not int or not 1 <= output <= len(found):
                raise self.fault(f"there is no output {quote(str(output))}")
            found[output - 1].terms.append(self.term(both["scalar_term"]))
        return found

    def term(self, given: Any) -> tuple[int, Number]:
        """Return a column and its coefficient."""
        one = self.table(given, "coefficient variable", "coefficient variable")
        return self.column(one["variable"]), self.number(one["coefficient"], "a coefficient")

    def constraint(self, name: str, given: Any) -> None:
        """Read a function and its set."""
        one = self.table(given, PARTS["constraint"], "function set")
        functions, into = self.function(one["function"]), one["set"]
        kind = self.kind(into)
        if kind in ENDS and len(functions) == 1:
            self.scalar(name, functions[0], into)
        elif kind in SIGNS:
            size = self.table(into, "type dimension").get("dimension", len(functions))
            if size != len(functions):
                raise self.fault(f"its dimension is {size}, and its function's {len(functions)}")
            names = [f"{name}[{n + 1}]" for n in range(len(functions))]
            for own, function in zip(names, functions, strict=True):
                self.within(own, function, SIGNS[kind])
        elif kind in ORDERED:
            self.ordered(name, functions, into)
        elif kind == "Indicator" and len(functions) == 2:
            self.indicator(name, functions, into)
        else:
            raise self.fault(f"the set {quote(kind)} is not read with this function")

    def ends(self, given: Any) -> Interval:
        """Return the ends of a set that is an interval."""
        keys = ENDS[given["type"]]
        needed = " ".join(key for key in dict.fromkeys(keys) if key)
        one = self.table(given, f"type {needed}", needed)
        low, high = (
            finite_or_infinite(self.number(one[key], key)) if key else None for key in keys
        )
        return Interval(-math.inf if low is None else low, math.inf if high is None else high)

    def scalar(self, name: str, function: _Affine, given: Any) -> None:
        """Read a function in an interval, or a variable of a kind."""
        kind, ends = given["type"], self.ends(given)
        if kind not in OF_VARIABLES:
            self.within(name, function, ends)
            return
        column = function.variable
        if column is None:
            raise self.fault(f"the set {kind} is for a variable alone")
        if kind in ("Integer", "ZeroOne", "Semiinteger"):
            self.builder.integer[column] = True
        if kind in ("Semicontinuous", "Semiinteger"):
            self.semi.append((column, ends))
        else:
            self.bound(column, Interval(0, 1) if kind == "ZeroOne" else ends)

    def bound_semi(self) -> None:
        """Bound the semi-continuous columns, which may be 0 unless other bounds exclude it."""
        lower, upper = self.builder.lower, self.builder.upper
        self.builder.semi |= {c for c, _ in self.semi if lower[c] <= 0 <= upper[c]}
        for column, ends in self.semi:
            self.bound(column, ends)

    def within(self, name: str, function: _Affine, ends: Interval) -> None:
        """Add a row, or bounds if the function is a variable."""
        column = function.variable
        if column is not None:
            self.bound(column, ends)
        else:
            self.row(name, function, ends)

    def bound(self, column: int, ends: Interval) -> None:
        """Tighten the bounds of a column."""
        lower, upper = self.builder.lower, self.builder.upper
        lower[column] = max(lower[column], ends.low)
        upper[column] = min(upper[column], ends.high)

    def row(self, name: str, function: _Affine, ends: Interval) -> int:
        """Add a row; return its number."""

        def side(value: Bound) -> Bound:
            return finite_or_infinite(value - function.constant)

        row = self.builder.row(name, side(ends.low), side(ends.high), 1)
        for column, value in function.terms:
            self.builder.entry(row, column, value, 1)
        return row

    def ordered(self, name: str, functions: Sequence[_Affine], given: Any) -> None:
        """Add a special ordered set."""
        one = self.table(given, "type weights", "weights")
        weights = [self.number(v, "a weight") for v in self.items(one["weights"], "the weights")]
        columns = [function.variable for function in functions]
        if None in columns or len(columns) != len(weights):
            raise self.fault("a special ordered set has a weight for each of its variables")
        every = list(self.builder.columns)
        members = [(every[c], w) for c, w in zip(columns, weights, strict=True) if c is not None]
        self.builder.ordered_set(name, ORDERED[given["type"]], members, 1)

    def indicator(self, name: str, functions: Sequence[_Affine], given: Any) -> None:
        """Add a row that holds if a variable is 1, or 0."""
        one = self.table(given, "type set activate_on", "set activate_on")
        value = {"one": 1, "zero": 0}.get(str(one["activate_on"]))
        column, inner = functions[0].variable, one["set"]
        kind = self.kind(inner)
        if column is None or value is None or kind not in ENDS:
            raise self.fault("an indicator is a variable, one or zero, and an interval")
        if kind in OF_VARIABLES:
            raise self.fault(f"the set {kind} is not read in an indicator")
        row = self.row(name, functions[1], self.ends(inner))
        self.builder.conditions[row] = column, value, "->"
