"""Reader of FlatZinc, ``.fzn``, to which MiniZinc compiles its models.

Constraints of an allow-list become rows and constructs, exactly; all others are refused by name and
line. The columns are the variables that MiniZinc prints. All others are auxiliary: what they have
to do with the columns is a projection, one for each group that shares such variables. A variable
that is defined as a sum of others is replaced by it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise, product
from typing import NamedTuple

from calmip._base.errors import InputError
from calmip.mip.constructs import Extreme, Indicator
from calmip.mip.display import quote
from calmip.mip.files.flatzinc_text import Constraint, Name, Runs, Statements, Value, Variable
from calmip.mip.files.model_builder import ModelBuilder
from calmip.mip.files.text_source import TextFile
from calmip.mip.linearise import sum_of
from calmip.mip.model import Model, unused_name
from calmip.mip.projection import Projection
from calmip.mip.rows import Bound, Interval, Number, shortest

Literal = tuple[str, int]
"""A binary variable, and 0 or 1."""

RELATION = re.compile("(bool|int|float)_(lin_)?(eq|le|lt|ne)(_reif|_imp)?")

EXTREMES = {"max": 1, "maximum": 1, "min": -1, "minimum": -1}


def read_fzn(source: TextFile) -> Model:
    """Return the model in a file.

    Raises
    ------
    InputError
        If it is no FlatZinc, has a constraint that is not read, or a variable needs a bound.
    """
    return _Reader(source).read()


class Affine(NamedTuple):
    """A sum of variables by name, and a constant."""

    terms: Mapping[str, Number]
    constant: Number = 0

    def plus(self, other: Affine, factor: Number = 1) -> Affine:
        """Return this plus another one times a factor."""
        terms = dict(self.terms)
        for name, value in other.terms.items():
            terms[name] = shortest(terms.get(name, 0) + factor * value)
        found = {name: value for name, value in terms.items() if value}
        return Affine(found, shortest(self.constant + factor * other.constant))

    def times(self, factor: Number) -> Affine:
        """Return this times a factor."""
        return Affine({}).plus(self, factor)


class LinearPart(NamedTuple):
    """A row that holds if each of some binary variables has its value."""

    terms: Mapping[str, Number]
    low: Bound
    high: Bound
    conditions: Mapping[str, int]

    @property
    def names(self) -> Collection[str]:
        """Its variables."""
        return {*self.terms, *self.conditions}

    def add(self, builder: ModelBuilder, name: str, line: int) -> None:
        """Add it to a model."""
        places = builder.columns
        terms = {places[name]: value for name, value in self.terms.items()}
        if self.conditions:
            (column, value), *also = ((places[one], v) for one, v in self.conditions.items())
            made = Indicator(name, column, value, terms, self.low, self.high, tuple(also))
            builder.construct(name, made, line)
            return
        row = builder.row(name, self.low, self.high, line)
        for column, factor in terms.items():
            builder.entry(row, column, factor, line)


class Extremum(NamedTuple):
    """A variable is the greatest (1) or the least (-1) of sums."""

    result: str
    sums: Sequence[Affine]
    sign: int

    @property
    def names(self) -> Collection[str]:
        """Its variables."""
        return {self.result, *(name for one in self.sums for name in one.terms)}

    def add(self, builder: ModelBuilder, name: str, line: int) -> None:
        """Add it to a model."""
        places = builder.columns
        sums = tuple(
            ({places[one]: value for one, value in each.terms.items()}, each.constant)
            for each in self.sums
        )
        builder.construct(name, Extreme(name, places[self.result], sums, self.sign), line)


class Placed(NamedTuple):
    """A part of the model, its name, and the line where it is from."""

    part: LinearPart | Extremum
    name: str
    line: int


class _Column(NamedTuple):
    domain: Interval
    integer: bool


class _Reader:
    """The statements of a file, as parts of a model over variables by name."""

    def __init__(self, source: TextFile) -> None:
        self.source, self.file = source, Statements(source)
        self.columns: dict[str, _Column] = {}
        """All variables, also those that are made here."""
        self.items: list[Placed] = []
        self.sums: dict[str, Affine] = {}
        """The variables that are replaced."""
        self.own: dict[str, str] = {}
        """The name of the column of each variable that is one."""
        self.line, self.name = 1, ""

    def read(self) -> Model:
        """Return the model."""
        file = self.file
        for name, one in file.variables.items():
            runs = one.domain.runs or (Interval(1, 0),)
            self.columns[name] = _Column(Interval(runs[0].low, runs[-1].high), one.kind != "float")
        self.choose_columns()
        aliases = [(name, one) for name, one in file.variables.items() if one.value is not None]
        for name, one in aliases:
            self.begin(one.line, name)
            if not self.replaced([name], [Name(name), one.value]):
                self.post("eq", self.sum(one.value).plus(self.sum(Name(name)), -1))
        left = [one for one in file.constraints if not self.is_definition(one)]
        for name, one in file.variables.items():
            self.domain_of(name, one)
        for number, constraint in enumerate(left, start=1):
            given = constraint.annotations.get("mzn_constraint_name")
            texts = given.arguments if given else ()
            self.begin(constraint.line, str(texts[0]) if texts else f"c{number}")
            self.constraint(constraint)
        goal = self.sum(file.goal)
        for name in goal.terms:
            self.own.setdefault(name, name)
        return self.build(goal)

    def begin(self, line: int, name: str) -> None:
        """Begin a statement, whose parts have this name."""
        self.line, self.name = line, name

    def fault(self, message: str) -> InputError:
        """Return the error of the statement that is being read."""
        return self.source.error(message, self.line)

    # The columns.

    def choose_columns(self) -> None:
        """Take the variables that are printed for the columns, else all that are not introduced."""
        file = self.file
        for name, one in file.variables.items():
            if "output_var" in one.annotations:
                self.own[name] = name
        for name, array in file.arrays.items():
            given = array.annotations.get("output_array")
            sets = given.arguments[0] if given and given.arguments else None
            if not isinstance(sets, list) or not all(isinstance(one, Runs) for one in sets):
                continue
            ranges = [range(int(s.runs[0].low), int(s.runs[-1].high) + 1) for s in sets if s.runs]
            places = list(product(*ranges))
            if len(places) != len(array.elements):
                raise self.source.error(f"the array {quote(name)} has not the size of its indices")
            for place, element in zip(places, array.elements, strict=True):
                if isinstance(element, Name) and element.name not in self.own:
                    self.own[element.name] = f"{name}[{','.join(map(str, place))}]"
        if not self.own:
            introduced = ("var_is_introduced", "is_defined_var")
            self.own = {
                name: name
                for name, one in file.variables.items()
                if not any(word in one.annotations for word in introduced)
            }

    def made(self, *, integer: bool, bounds: Interval) -> str:
        """Return the name of a new auxiliary variable."""
        name = unused_name(f"{self.name}_{len(self.columns)}", self.columns)
        self.columns[name] = _Column(bounds, integer)
        return name

    def range(self, one: Affine) -> Interval:
        """Return the range of a sum by the domains of its variables."""
        names = list(one.terms)
        low, high = sum_of(
            dict(enumerate(one.terms.values())), lambda place: self.columns[names[place]].domain
        )
        return Interval(low, high).plus(one.constant)

    def is_integral(self, one: Affine) -> bool:
        """Return whether a sum has whole values alone."""
        numbers = (*one.terms.values(), one.constant)
        whole = all(number.denominator == 1 for number in numbers)
        return whole and all(self.columns[name].integer for name in one.terms)

    # Values.

    def sum(self, value: Value) -> Affine:
        """Return a number, a truth value or a variable as a sum, without what is replaced."""
        if isinstance(value, (bool, int, Fraction)):
            return Affine({}, shortest(Fraction(value)))
        if not isinstance(value, Name):
            raise self.fault("found a list, a set or a text where a number or a variable stands")
        if value.name not in self.sums:
            return Affine({value.name: 1})
        return self.resolved(self.sums[value.name])

    def resolved(self, one: Affine) -> Affine:
        """Return a sum without variables that are replaced."""
        while any(name in self.sums for name in one.terms):
            found = Affine({}, one.constant)
            for name, factor in one.terms.items():
                found = found.plus(self.sums.get(name, Affine({name: 1})), factor)
            one = found
        return one

    def items_of(self, value: Value) -> list[Value]:
        """Return an argument that is a list."""
        if not isinstance(value, list):
            raise self.fault("found a single value where a list should stand")
        return value

    def scalar_product(self, factors: Value, values: Value) -> Affine:
        """Return the sum of two lists."""
        numbers, terms = self.items_of(factors), self.items_of(values)
        if len(numbers) != len(terms):
            raise self.fault(f"has {len(numbers)} coefficients for {len(terms)} variables")
        found = Affine({})
        for factor, value in zip(numbers, terms, strict=True):
            found = found.plus(self.sum(value), self.number(factor))
        return found

    def number(self, value: Value) -> Number:
        """Return a number, also that of a truth value."""
        one = self.sum(value)
        if one.terms:
            raise self.fault("has a variable where a number should stand: it is not linear")
        return one.constant

    def column(self, one: Affine) -> str:
        """Return a variable with the value of a sum."""
        if len(one.terms) == 1 and not one.constant and 1 in one.terms.values():
            return next(iter(one.terms))
        name = self.made(integer=self.is_integral(one), bounds=self.range(one))
        self.add_row(one.plus(Affine({name: 1}), -1), 0, 0)
        return name

    def literal(self, one: Affine) -> Literal | bool:
        """Return a sum that is a truth value as a variable and its value."""
        if not one.terms:
            return bool(one.constant)
        if len(one.terms) == 1 and one.constant == 1 and -1 in one.terms.values():
            return next(iter(one.terms)), 0
        return self.column(one), 1

    # Parts of the model.

    def add(self, part: LinearPart | Extremum) -> None:
        """Add a part."""
        self.items.append(Placed(part, self.name, self.line))

    def add_row(
        self, one: Affine, low: Bound, high: Bound, conditions: Iterable[Literal] = ()
    ) -> None:
        """Add that a sum is within bounds if the conditions hold; what always holds is left out."""
        needed: dict[str, int] = {}
        for name, value in conditions:
            if needed.setdefault(name, value) != value:
                return
        low, high = Interval(low, high).plus(-one.constant)
        least, most = self.range(Affine(one.terms))
        if least >= low and most <= high:
            return
        self.add(LinearPart(one.terms, low, high, needed))

    def post(self, relation: str, one: Affine, conditions: Sequence[Literal] = ()) -> None:
        """Add that a sum is 0 (``eq``), at most 0 (``le``) or not 0 (``ne``), under conditions."""
        if relation == "le":
            self.add_row(one, -math.inf, 0, conditions)
        elif relation == "eq":
            self.add_row(one, 0, 0, conditions)
        elif not self.is_integral(one):
            raise self.strict()
        else:
            low, high = self.range(one)
            if low >= 0 or high <= 0:
                above = low >= 0
                self.add_row(one, 1 if above else -math.inf, math.inf if above else -1, conditions)
                return
            side = self.made(integer=True, bounds=Interval(0, 1))
            self.add_row(one, -math.inf, -1, [*conditions, (side, 0)])
            self.add_row(one, 1, math.inf, [*conditions, (side, 1)])

    def strict(self) -> InputError:
        """Return the error that a strict inequality of real numbers is no linear constraint."""
        return self.fault(
            "a strict inequality of real numbers has no linear form; give its side a margin"
        )

    def opposite(self, relation: str, one: Affine) -> tuple[str, Affine]:
        """Return the relation that holds where this does not."""
        if not self.is_integral(one):
            raise self.strict()
        if relation == "le":
            return "le", one.times(-1).plus(Affine({}, 1))
        return {"eq": "ne", "ne": "eq"}[relation], one

    def post_if(self, relation: str, one: Affine, switch: Affine, *, only: bool) -> None:
        """Add that a relation holds if a truth value is 1, and, unless ``only``, not if it is 0."""
        literal = self.literal(switch)
        if isinstance(literal, bool):
            if literal:
                self.post(relation, one)
            elif not only:
                self.post(*self.opposite(relation, one))
            return
        self.post(relation, one, [literal])
        if not only:
            name, value = literal
            self.post(*self.opposite(relation, one), [(name, 1 - value)])

    def within(self, one: Affine, runs: Runs, conditions: Sequence[Literal] = ()) -> None:
        """Add that a sum is in a set, under conditions."""
        if len(runs.runs) < 2:
            ends = runs.runs[0] if runs.runs else Interval(1, 0)
            if ends.low > ends.high:
                self.add_row(Affine({}), 1, 1, conditions)
            else:
                self.add_row(one, *ends, conditions)
            return
        chosen = [self.made(integer=True, bounds=Interval(0, 1)) for _ in runs.runs]
        self.add_row(Affine(dict.fromkeys(chosen, 1)), 1, math.inf, conditions)
        for name, ends in zip(chosen, runs.runs, strict=True):
            self.add_row(one, *ends, [(name, 1)])

    def outside(self, one: Affine, runs: Runs, conditions: Sequence[Literal]) -> None:
        """Add that a whole number is not in a set, under conditions."""
        if not self.is_integral(one):
            raise self.strict()
        found = [run for run in (run.rounded() for run in runs.runs) if run.low <= run.high]
        ends = [-math.inf, *(end for run in found for end in run), math.inf]
        gaps = [
            Interval(low + 1, high - 1) for low, high in zip(ends[::2], ends[1::2], strict=True)
        ]
        rest = tuple(gap for gap in gaps if gap.low <= gap.high)
        self.within(one, Runs(rest), conditions)

    # Variables.

    def replaced(self, names: Iterable[str], sides: Sequence[Value]) -> bool:
        """Replace a variable of an equation of two sides by the rest, if one may be."""
        equation = self.sum(sides[0]).plus(self.sum(sides[1]), -1)
        return self.solved(names, equation)

    def solved(self, names: Iterable[str], equation: Affine) -> bool:
        """Replace one of these variables by what an equation says of it; return whether one was."""
        for name in names:
            factor = equation.terms.get(name)
            if name in self.own or not factor:
                continue
            rest = Affine({k: v for k, v in equation.terms.items() if k != name}, equation.constant)
            found = rest.times(Fraction(-1) / factor)
            if self.columns[name].integer and not self.is_integral(found):
                continue
            self.sums[name] = found
            return True
        return False

    def is_definition(self, constraint: Constraint) -> bool:
        """Replace a variable that a constraint defines as a sum; return whether it is one."""
        self.line = constraint.line
        (name, arguments), annotations = constraint.call, constraint.annotations
        defined = [
            one.name
            for call in [annotations.get("defines_var")]
            for one in (call.arguments if call else ())
            if isinstance(one, Name)
        ]
        count = len(arguments)
        if name in ("int_lin_eq", "float_lin_eq", "bool_lin_eq") and count == 3:
            product = self.scalar_product(*arguments[:2])
            return self.solved(defined, product.plus(self.sum(arguments[2]), -1))
        if count == 2 and name in (
            "bool2int", "int2float", "int_eq", "bool_eq", "float_eq", "bool_not"
        ):  # fmt: skip
            first, second = map(self.sum, arguments)
            names = [*defined, *second.terms, *first.terms]
            if name == "bool_not":
                return self.solved(names, first.plus(second).plus(Affine({}, -1)))
            return self.solved(names, first.plus(second, -1))
        return False

    def domain_of(self, name: str, one: Variable) -> None:
        """Add the domain of a variable that is replaced, and the holes of others."""
        self.begin(one.line, f"domain_{self.own.get(name, name)}")
        if not one.domain.runs and name not in self.sums:
            return
        if name in self.sums or len(one.domain.runs) > 1:
            self.within(self.sum(Name(name)), one.domain)

    # Constraints.

    def constraint(self, constraint: Constraint) -> None:
        """Add a constraint."""
        name, arguments = constraint.call
        match = RELATION.fullmatch(name)
        kinds: dict[str, tuple[int, Callable[..., None]]] = {
            "bool2int": (2, self.equal),
            "int2float": (2, self.equal),
            "bool_not": (2, self.negation),
            "bool_xor": (3, self.exclusive),
            "bool_and": (3, lambda a, b, r: self.conjunction([a, b], r)),
            "bool_or": (3, lambda a, b, r: self.disjunction([a, b], [], r)),
            "array_bool_and": (2, self.conjunction),
            "array_bool_and_imp": (2, lambda some, r: self.conjunction(some, r, only=True)),
            "array_bool_or": (2, lambda some, r: self.disjunction(some, [], r)),
            "array_bool_or_imp": (2, lambda some, r: self.disjunction(some, [], r, only=True)),
            "array_bool_xor": (1, self.odd),
            "bool_clause": (2, lambda some, others: self.disjunction(some, others, True)),
            "bool_clause_reif": (3, self.disjunction),
            "bool_clause_imp": (3, lambda p, n, r: self.disjunction(p, n, r, only=True)),
            "int_plus": (3, lambda a, b, c: self.equal(self.sum(a).plus(self.sum(b)), c)),
            "float_plus": (3, lambda a, b, c: self.equal(self.sum(a).plus(self.sum(b)), c)),
            "int_minus": (3, lambda a, b, c: self.equal(self.sum(a).plus(self.sum(b), -1), c)),
            "int_times": (3, self.times),
            "float_times": (3, self.times),
            "set_in": (2, self.member),
            "set_in_reif": (3, self.member),
            "set_in_imp": (3, lambda x, s, r: self.member(x, s, r, only=True)),
        }
        for kind in ("int", "float"):
            kinds[f"{kind}_abs"] = (2, self.absolute)
            for word in ("max", "min"):
                sign = EXTREMES[word]
                kinds[f"{kind}_{word}"] = (
                    3,
                    lambda a, b, c, sign=sign: self.extreme(c, [a, b], sign),
                )
                kinds[f"array_{kind}_{word}imum"] = (
                    2,
                    lambda c, some, sign=sign: self.extreme(c, some, sign),
                )
        for kind in ("bool", "int", "float", "var_bool", "var_int", "var_float"):
            kinds[f"array_{kind}_element"] = (3, self.element)
        if match is not None:
            self.relation(name, match, arguments)
        elif name in kinds and len(arguments) == kinds[name][0]:
            kinds[name][1](*arguments)
        else:
            raise self.fault(
                f"has the constraint {quote(name)} with {len(arguments)} arguments, which is not "
                "read; compile the model by minizinc --compile -G std, or -G linear"
            )

    def relation(self, name: str, match: re.Match[str], arguments: Sequence[Value]) -> None:
        """Add a comparison: of two values or of a sum, always, or as a truth value says."""
        kind, linear, relation, form = match.groups()
        if len(arguments) != 2 + bool(linear) + bool(form):
            raise self.fault(f"{name} has {len(arguments)} arguments")
        left = self.scalar_product(*arguments[:2]) if linear else self.sum(arguments[0])
        one = left.plus(self.sum(arguments[2 if linear else 1]), -1)
        if relation == "lt":
            if kind == "float":
                raise self.strict()
            relation, one = "le", one.plus(Affine({}, 1))
        if form:
            self.post_if(relation, one, self.sum(arguments[-1]), only=form == "_imp")
        else:
            self.post(relation, one)

    def equal(self, first: Value, second: Value) -> None:
        """Add that two values are equal."""
        one = first if isinstance(first, Affine) else self.sum(first)
        self.post("eq", one.plus(self.sum(second), -1))

    def negation(self, first: Value, second: Value) -> None:
        """Add that one of two truth values is 1."""
        self.post("eq", self.sum(first).plus(self.sum(second)).plus(Affine({}, -1)))

    def exclusive(self, first: Value, second: Value, result: Value) -> None:
        """Add that a truth value says whether two others differ."""
        self.post_if("ne", self.sum(first).plus(self.sum(second), -1), self.sum(result), only=False)

    def conjunction(self, some: Value, result: Value, *, only: bool = False) -> None:
        """Add that a truth value says whether all others are 1."""
        values, one = list(map(self.sum, self.items_of(some))), self.sum(result)
        for value in values:
            self.post("le", one.plus(value, -1))
        if not only:
            self.at_least(one, values, 1 - len(values))

    def at_least(self, one: Affine, values: Iterable[Affine], constant: int) -> None:
        """Add that a truth value is no less than the sum of some values and a constant."""
        for value in values:
            one = one.plus(value, -1)
        self.post("le", one.times(-1).plus(Affine({}, constant)))

    def disjunction(self, some: Value, others: Value, result: Value, *, only: bool = False) -> None:
        """Add that a truth value says whether one of some is 1, or one of others is 0."""
        values = [*map(self.sum, self.items_of(some))]
        values += [self.sum(one).times(-1).plus(Affine({}, 1)) for one in self.items_of(others)]
        one = self.sum(result)
        found = one
        for value in values:
            found = found.plus(value, -1)
        self.post("le", found)
        if not only:
            for value in values:
                self.post("le", value.plus(one, -1))

    def odd(self, some: Value) -> None:
        """Add that an odd number of truth values is 1."""
        values = list(map(self.sum, self.items_of(some)))
        half = self.made(integer=True, bounds=Interval(0, len(values) // 2))
        found = Affine({half: -2}, -1)
        for value in values:
            found = found.plus(value)
        self.post("eq", found)

    def times(self, first: Value, second: Value, result: Value) -> None:
        """Add a product in which one factor is a number or a binary variable."""
        one, other, product = map(self.sum, (first, second, result))
        if one.terms and (not other.terms or self.is_truth(other)):
            one, other = other, one
        if not one.terms:
            self.post("eq", product.plus(other, -one.constant))
        elif self.is_truth(one):
            self.post_if("eq", product.plus(other, -1), one, only=True)
            self.post_if("eq", product, one.times(-1).plus(Affine({}, 1)), only=True)
        else:
            raise self.fault("the product of two variables is linear only if one is binary")

    def is_truth(self, one: Affine) -> bool:
        """Return whether a sum is 0 or 1."""
        low, high = self.range(one)
        return self.is_integral(one) and low >= 0 and high <= 1

    def absolute(self, value: Value, result: Value) -> None:
        """Add an absolute value."""
        one = self.sum(value)
        self.add(Extremum(self.column(self.sum(result)), [one, one.times(-1)], 1))

    def extreme(self, result: Value, some: Value, sign: int) -> None:
        """Add a maximum (1) or a minimum (-1)."""
        values = list(map(self.sum, self.items_of(some)))
        if not values:
            raise self.fault("a maximum or a minimum has no arguments")
        self.add(Extremum(self.column(self.sum(result)), values, sign))

    def member(self, value: Value, given: Value, result: Value = 1, *, only: bool = False) -> None:
        """Add that a truth value says whether a number is in a set."""
        if not isinstance(given, Runs):
            raise self.fault("a set that is no constant has no linear form")
        one, literal = self.sum(value), self.literal(self.sum(result))
        if literal is True:
            self.within(one, given)
        elif literal is False:
            if not only:
                self.outside(one, given, [])
        else:
            name, wanted = literal
            self.within(one, given, [literal])
            if not only:
                self.outside(one, given, [(name, 1 - wanted)])

    def element(self, index: Value, some: Value, result: Value) -> None:
        """Add that a value is the element of a list at an index, from 1 on."""
        values, place, found = self.items_of(some), self.sum(index), self.sum(result)
        chosen = [self.made(integer=True, bounds=Interval(0, 1)) for _ in values]
        self.add_row(Affine(dict.fromkeys(chosen, 1)), 1, 1)
        self.post("eq", place.plus(Affine({name: n for n, name in enumerate(chosen, 1)}), -1))
        sums = list(map(self.sum, values))
        if not any(one.terms for one in sums):
            terms = {n: one.constant for n, one in zip(chosen, sums, strict=True) if one.constant}
            self.post("eq", found.plus(Affine(terms), -1))
            return
        for name, one in zip(chosen, sums, strict=True):
            self.post("eq", found.plus(one, -1), [(name, 1)])

    # The model.

    def build(self, goal: Affine) -> Model:
        """Return the model of all parts."""
        builder = ModelBuilder(self.source)
        for name in self.own:
            self.add_column(builder, name)
        builder.maximise = self.file.sense == "maximize"
        builder.offset = goal.constant
        builder.cost = {builder.columns[name]: value for name, value in goal.terms.items()}
        groups, taken = self.groups(), set[str]()
        for items in groups:
            hidden = {name: 1 for one in items for name in one.part.names if name not in self.own}
            name = unused_name(items[0].name, taken)
            taken.add(name)
            if hidden:
                builder.construct(
                    name, self.projection(builder, name, items, hidden), items[0].line
                )
            else:
                items[0].part.add(builder, name, items[0].line)
        found = builder.build()
        return found.changed(columns=tuple(self.own.values()) + found.columns[len(self.own) :])

    def add_column(self, builder: ModelBuilder, name: str) -> None:
        """Add a column of a variable."""
        (low, high), integer = self.columns[name]
        place = builder.column(name, self.line)
        builder.lower[place], builder.upper[place] = low, high
        builder.integer[place] = integer

    def projection(
        self, builder: ModelBuilder, name: str, items: Sequence[Placed], hidden: Iterable[str]
    ) -> Projection:
        """Return parts with auxiliary variables as a projection on the others."""
        used = {one for item in items for one in item.part.names}
        shared = [one for one in self.own if one in used]
        inner, taken = ModelBuilder(self.source), set[str]()
        for one in (*shared, *hidden):
            self.add_column(inner, one)
        for item in items:
            own = unused_name(item.name, taken)
            taken.add(own)
            item.part.add(inner, own, item.line)
        return Projection(name, tuple(builder.columns[one] for one in shared), inner.build())

    def groups(self) -> list[list[Placed]]:
        """Return the parts, those together that share auxiliary variables."""
        parent: dict[str, str] = {}

        def root(name: str) -> str:
            while parent.setdefault(name, name) != name:
                parent[name] = parent[parent[name]]
                name = parent[name]
            return name

        hidden = [[n for n in item.part.names if n not in self.own] for item in self.items]
        for names in hidden:
            for first, second in pairwise(names):
                parent[root(second)] = root(first)
        found: dict[object, list[Placed]] = {}
        for number, (item, names) in enumerate(zip(self.items, hidden, strict=True)):
            found.setdefault(root(names[0]) if names else number, []).append(item)
        return list(found.values())
