"""Models of FICO Xpress, by its Python package."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any, cast

from calmip._base.errors import join_words
from calmip.mip.constructs import sum_words, total
from calmip.mip.display import quote
from calmip.mip.files.arrays import Layer, ModelArrays, dense
from calmip.mip.files.native import Draft, exact_number
from calmip.mip.rows import Bound, Number

ZEROS = {"qelems": "a quadratic objective", "qcelems": "quadratic constraints"}
"""The counts that are 0 in a linear model, and what they count."""

DELAYED, MODEL_CUT, INDICATOR, FORMULA = 2, 4, 8, 16
"""The flags of rows that are read."""

END, CONSTANT, COLUMN, FUNCTION, START, OPERATOR = 0, 1, 10, 12, 22, 31
"""The kinds of tokens in a formula of reverse Polish notation; a function's arguments have a start.

A formula has each row with functions: of ``abs(x) + y <= 1`` the matrix has ``y`` alone.
"""

FUNCTIONS = {17: ("abs", 1), 33: ("min", -1), 34: ("max", 1)}
"""The functions that are read; ``xpress.And`` makes a minimum, and ``xpress.Or`` a maximum."""

NEGATIVE, TIMES, OVER, PLUS, MINUS = 1, 3, 4, 5, 6
"""The operators that are read."""

NAMES_OF_LINES, NAMES_OF_FUNCTIONS = 4, 5

SIDES: dict[str, tuple[Bound, Bound]] = {
    "L": (-math.inf, 0),
    "G": (0, math.inf),
    "E": (0, 0),
    "N": (-math.inf, math.inf),
}
"""How far the bounds of a row are from its right-hand side, by its type."""

MOVED = "its variables and constraints are no longer at their places; build the problem again"
"""What Xpress 9.9 does if an objective with functions is replaced after columns were added."""

Line = tuple[str, dict[int, Number], Any, Any, tuple[int, int] | None]

Sum = tuple[dict[int, Number], Number]
"""Coefficients by column, and a constant."""


def is_integral(one: Sum, whole: Sequence[bool]) -> bool:
    """Return whether a sum has no fractions, given which columns are integer."""
    terms, constant = one
    values = (constant, *terms.values())
    return all(whole[c] for c in terms) and all(value == int(value) for value in values)


class XpressObject(Layer):
    """An ``xpress.problem``."""

    package, base, title = "xpress", "problem", "xpress.problem"

    def arrays(self) -> ModelArrays:
        """Return the model as it is now."""
        problem, counts = self.problem, self.problem.attributes
        parts = [what for name, what in ZEROS.items() if getattr(counts, name)]
        if counts.objectives > 1:
            parts.append("several objectives")
        if parts:
            raise self.refuse(f"the model has {join_words(parts)}")
        if counts.cols != counts.inputcols or counts.rows != counts.inputrows:
            raise self.refuse("the model is presolved; call its postSolve() first")
        self._own = variables = list(problem.getVariable()) if counts.cols else []
        if any(x.index >= counts.cols for x in variables):
            raise self.refuse(MOVED)
        kinds = self.own(problem.getColType()) if variables else []
        self._names = names = [x.name for x in variables]
        for name, kind in zip(names, kinds, strict=True):
            if kind not in "CIBSR":
                raise self.refuse(f"variable {quote(name)} is of the type {quote(kind)}")
        self._sums: dict[int, Sum] = {x.index: ({n: 1}, 0) for n, x in enumerate(variables)}
        self._functions: list[tuple[list[Sum], int]] = []
        self._lines = list(self.lines())
        if len(self._sums) < counts.cols:
            raise self.refuse(MOVED)
        costs = enumerate(problem.getObj() if variables else [])
        goal, constant = self.added([self.times(self.sum_of(c), v) for c, v in costs if v])
        rows = [line for line in self._lines if line[-1] is None]
        whole = [kind in "IBR" for kind in kinds]
        for sums, _ in self._functions:
            whole.append(all(is_integral(one, whole) for one in sums))
        made = len(self._functions)
        return {
            "c": dense(goal.items(), len(names)),
            "offset": exact_number(counts.objrhs) + constant,
            "maximise": counts.objsense < 0,
            "lower": [*self.lower(kinds), *[-math.inf] * made],
            "upper": [*self.own(problem.getUB()), *[math.inf] * made] if variables else [],
            "integrality": whole,
            "names": names,
            "variables": [*variables, *names[len(variables) :]],
            "A": [terms for _, terms, *_ in rows],
            "row_lower": [low for _, _, low, *_ in rows],
            "row_upper": [high for *_, high, _ in rows],
            "row_names": [name for name, *_ in rows],
            "name": problem.getProbName().removesuffix("noname"),
        }

    def own(self, entries: Sequence[Any]) -> list[Any]:
        """Return those of the user's variables; Xpress adds a column for an objective."""
        return [entries[x.index] for x in self._own]

    def sum_of(self, index: int) -> Sum:
        """Return what a column of Xpress is in those of the model."""
        if index not in self._sums:
            raise self.refuse(MOVED)
        return self._sums[index]

    def own_column(self, index: int) -> int:
        """Return the place of a variable."""
        (place,) = self.sum_of(index)[0]
        return place

    def added(self, sums: Iterable[Sum]) -> Sum:
        """Return the sum of sums, without rounding."""
        terms, constant = dict[int, Number](), cast(Number, 0)
        for one, add in sums:
            for column, value in one.items():
                terms[column] = terms.get(column, 0) + value
            constant += add
        return {column: terms[column] for column in sorted(terms) if terms[column]}, constant

    def times(self, one: Sum, factor: Any) -> Sum:
        """Return a sum times a number."""
        exact = cast(Number, exact_number(factor))
        return {column: value * exact for column, value in one[0].items()}, one[1] * exact

    def formula(self, row: int, where: str) -> Sum:
        """Return the formula of a row; a function in it is a column, its value."""
        stack: list[Sum | None] = []
        for kind, value in zip(*self.problem.nlpGetFormula(row, 1), strict=True):
            if kind == END:
                break
            if kind == START:
                stack.append(None)
            elif kind == CONSTANT:
                stack.append(({}, cast(Number, exact_number(value))))
            elif kind == COLUMN:
                stack.append(self.sum_of(int(value)))
            elif kind == FUNCTION and int(value) in FUNCTIONS:
                first = len(stack) - 1 - stack[::-1].index(None)
                arguments = cast("list[Sum]", stack[:first:-1])  # the last one comes first
                stack[first:] = [self.function(*FUNCTIONS[int(value)], arguments)]
            elif kind == OPERATOR and int(value) == NEGATIVE:
                stack.append(self.times(cast(Sum, stack.pop()), -1))
            elif kind == OPERATOR and TIMES <= value <= MINUS:
                right, left = cast(Sum, stack.pop()), cast(Sum, stack.pop())
                stack.append(self.combined(left, int(value), right, where))
            else:
                raise self.refuse(f"{where} has another function than abs, max, min, And and Or")
        if not stack:  # what it has are coefficients of its variables
            raise self.refuse(f"{where} has a product or quotient of variables")
        return cast(Sum, stack.pop())

    def combined(self, left: Sum, operator: int, right: Sum, where: str) -> Sum:
        """Return the sum, difference, product or quotient of two sums."""
        if operator in (PLUS, MINUS):
            return self.added([left, self.times(right, 1 if operator == PLUS else -1)])
        if operator == TIMES and right[0]:
            left, right = right, left
        if right[0] or (operator == OVER and not right[1]):
            raise self.refuse(f"{where} has a product or quotient of variables")
        return self.times(left, right[1] if operator == TIMES else 1 / Fraction(right[1]))

    def function(self, name: str, sign: int, arguments: list[Sum]) -> Sum:
        """Return the column that is the value of a function, the same of the same arguments."""
        sums = arguments
        if name == "abs":
            sums = [arguments[0], self.times(arguments[0], -1)]
        if (sums, sign) not in self._functions:
            self._functions.append((sums, sign))
            texts = (sum_words(*one, self._names).replace(" ", "") for one in arguments)
            self._names.append(f"{name}({','.join(texts)})")
        return {len(self._own) + self._functions.index((sums, sign)): 1}, 0

    def lower(self, kinds: Sequence[str]) -> Iterator[float]:
        """Yield the lower bounds; that of a semi-continuous variable is its threshold."""
        if not kinds:
            return
        types, columns, limits, *_ = self.problem.getMIPEntities()
        entities = zip(types, columns, limits, strict=True)
        limit = {column: value for kind, column, value in entities if kind in "SR"}
        bounds = self.problem.getLB()
        for column in (x.index for x in self._own):
            yield max(bounds[column], limit.get(column, -math.inf))

    def lines(self) -> Iterator[Line]:
        """Yield the rows, each with its indicator."""
        problem, size = self.problem, self.problem.attributes.rows
        if not size:
            return
        names = {row.index: row.name for row in problem.getConstraint()}
        formulas = set(problem.nlpGetFormulaRows())
        if len(formulas) != problem.attributes.slpcoefficients:
            raise self.refuse("the model has products or quotients of variables")
        starts, columns, values = problem.getRows()
        binaries, complements = problem.getIndicators()
        parts = zip(
            problem.getRowType(),
            problem.getRHS(),
            problem.getRHSRange(),
            problem.getRowFlags(),
            pairwise(starts),
            zip(binaries, complements, strict=True),
            strict=True,
        )
        # Rows that Xpress has made come first: they define the columns that it has made.
        for row, part in sorted(enumerate(parts), key=lambda pair: pair[0] in names):
            kind, side, width, flags, (first, last), (binary, complement) = part
            where = f"constraint {quote(names[row])}" if row in names else "the objective"
            if flags & ~(DELAYED | MODEL_CUT | INDICATOR | FORMULA) or kind not in {*SIDES, "R"}:
                raise self.refuse(f"{where} is not linear")
            found = [self.formula(row, where)] if row in formulas else []
            linear = list(zip(columns[first:last], values[first:last], strict=True))
            if row not in names:
                made = [column for column, value in linear if value == -1]
                if (kind, side, len(linear), len(made)) != ("E", 0, 1, 1) or made[0] in self._sums:
                    raise self.refuse(MOVED)
                self._sums[made[0]] = self.added(found)
                continue
            found += [self.times(self.sum_of(column), value) for column, value in linear]
            terms, constant = self.added(found)
            exact = exact_number(side) - constant
            # Of a range the upper bound and the width are kept.
            low, high = SIDES.get(kind, (-exact_number(width), 0))
            condition = (self.own_column(binary), int(complement > 0)) if complement else None
            yield names[row], terms, exact + low, exact + high, condition

    def add_constructs(self, draft: Draft) -> None:
        """Add functions, indicator constraints, ordered sets, and semi-continuous variables."""
        problem = self.problem
        if not draft.columns:
            return
        for place, (sums, sign) in enumerate(self._functions, start=len(self._own)):
            draft.extreme(self._names[place], place, [(x.items(), add) for x, add in sums], sign)
        for name, terms, low, high, condition in self._lines:
            if condition is not None:
                draft.indicator(name, [condition], terms.items(), low, high)
        kinds = self.own(problem.getColType())
        draft.semi |= {place for place, kind in enumerate(kinds) if kind in "SR"}
        *_, types, starts, columns, weights = problem.getMIPEntities()
        count = problem.attributes.sets
        if count:
            ends = [*starts[:count], len(columns)]
            sets = zip(types, (one.name for one in problem.getSOS()), pairwise(ends), strict=True)
            for kind, name, (first, last) in sets:
                places = map(self.own_column, columns[first:last])
                draft.ordered_set(name, int(kind), zip(places, weights[first:last], strict=True))
        self.add_general(draft)

    def add_general(self, draft: Draft) -> None:
        """Add general and piecewise linear constraints."""
        problem, counts = self.problem, self.problem.attributes
        if counts.gencons:
            names = problem.getNameList(NAMES_OF_FUNCTIONS, 0, counts.gencons - 1)
            kinds, results, starts, columns, places, values = problem.getGenCons()
            ends = zip(names, kinds, results, pairwise(starts), pairwise(places), strict=True)
            for name, kind, result, (first, last), (one, end) in ends:
                word, column = kind.name, self.own_column(result)
                arguments = [self.own_column(index) for index in columns[first:last]]
                if word in ("AND", "OR"):
                    draft.logical(name, column, arguments, 1 if word == "OR" else -1)
                    continue
                sums: list[Any] = [([(x, 1)], 0) for x in arguments]
                sums += [([], value) for value in values[one:end]]
                if word == "ABS":
                    sums.append(([(arguments[0], -1)], 0))
                draft.extreme(name, column, sums, -1 if word == "MIN" else 1)
        if counts.pwlcons:
            names = problem.getNameList(NAMES_OF_LINES, 0, counts.pwlcons - 1)
            columns, results, starts, xs, ys = problem.getPwlCons()
            for name, x, y, (first, last) in zip(
                names, columns, results, pairwise(starts), strict=True
            ):
                points = zip(xs[first:last], ys[first:last], strict=True)
                draft.broken_line(name, self.own_column(y), self.own_column(x), points)

    def assign(self, values: Sequence[Number]) -> None:
        """Add a MIP solution, with which the optimizer starts."""
        columns = [x.index for x in self._own]
        self.problem.addMipSol(list(map(float, values[: len(columns)])), columns)

    def current(self) -> Sequence[float | None]:
        """Return the solution of the problem, if it has one; functions have their own values."""
        try:
            found: list[float | None] = self.own(self.problem.getSolution())
        except Exception:  # xpress.ModelError, which is not imported here
            return []
        for sums, sign in self._functions:
            point = {n: cast(Number, exact_number(value)) for n, value in enumerate(found)}
            found.append(float(sign * max(sign * (total(one, point) + add) for one, add in sums)))
        return found
