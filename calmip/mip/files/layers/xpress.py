"""Models of FICO Xpress, by its Python package."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from calmip._base.errors import join_words
from calmip.mip.display import quote
from calmip.mip.files.arrays import Layer, ModelArrays
from calmip.mip.files.native import Draft, exact_number
from calmip.mip.rows import Bound, Number

ZEROS = {
    "qelems": "a quadratic objective",
    "qcelems": "quadratic constraints",
    "slpcoefficients": "nonlinear terms (abs, max, logic or functions)",
    "gencons": "general constraints",
    "pwlcons": "piecewise linear constraints",
}
"""The counts that are 0 in a linear model, and what they count.

A row ``abs(x) <= 1`` is in none of the others but in ``slpcoefficients``.
"""

DELAYED, MODEL_CUT, INDICATOR = 2, 4, 8
"""The flags of rows that are linear."""

SIDES: dict[str, tuple[Bound, Bound]] = {
    "L": (-math.inf, 0),
    "G": (0, math.inf),
    "E": (0, 0),
    "N": (-math.inf, math.inf),
}
"""How far the bounds of a row are from its right-hand side, by its type."""

Line = tuple[str, dict[int, float], Any, Any, tuple[int, int] | None]


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
        variables = list(problem.getVariable()) if counts.cols else []
        kinds = problem.getColType() if variables else []
        names = [x.name for x in variables]
        for name, kind in zip(names, kinds, strict=True):
            if kind not in "CIBSR":
                raise self.refuse(f"variable {quote(name)} is of the type {quote(kind)}")
        self._lines = list(self.lines())
        rows = [line for line in self._lines if line[-1] is None]
        return {
            "c": problem.getObj() if variables else [],
            "offset": counts.objrhs,
            "maximise": counts.objsense < 0,
            "lower": list(self.lower(kinds)),
            "upper": problem.getUB() if variables else [],
            "integrality": [kind in "IBR" for kind in kinds],
            "names": names,
            "variables": variables,
            "A": [terms for _, terms, *_ in rows],
            "row_lower": [low for _, _, low, *_ in rows],
            "row_upper": [high for *_, high, _ in rows],
            "row_names": [name for name, *_ in rows],
            "name": problem.getProbName().removesuffix("noname"),
        }

    def lower(self, kinds: Sequence[str]) -> Iterator[float]:
        """Yield the lower bounds; that of a semi-continuous variable is its threshold."""
        if not kinds:
            return
        types, columns, limits, *_ = self.problem.getMIPEntities()
        entities = zip(types, columns, limits, strict=True)
        limit = {column: value for kind, column, value in entities if kind in "SR"}
        for column, low in enumerate(self.problem.getLB()):
            yield max(low, limit[column]) if column in limit else low

    def lines(self) -> Iterator[Line]:
        """Yield the rows, each with its indicator."""
        problem, size = self.problem, self.problem.attributes.rows
        if not size:
            return
        starts, columns, values = problem.getRows()
        binaries, complements = problem.getIndicators()
        parts = zip(
            [row.name for row in problem.getConstraint()],
            problem.getRowType(),
            problem.getRHS(),
            problem.getRHSRange(),
            problem.getRowFlags(),
            pairwise(starts),
            zip(binaries, complements, strict=True),
            strict=True,
        )
        for name, kind, side, width, flags, (first, last), (binary, complement) in parts:
            if flags & ~(DELAYED | MODEL_CUT | INDICATOR) or kind not in {*SIDES, "R"}:
                raise self.refuse(f"constraint {quote(name)} is not linear")
            terms = dict(zip(columns[first:last], values[first:last], strict=True))
            exact = exact_number(side)
            # Of a range the upper bound and the width are kept.
            low, high = SIDES.get(kind, (-exact_number(width), 0))
            condition = (binary, int(complement > 0)) if complement else None
            yield name, terms, exact + low, exact + high, condition

    def add_constructs(self, draft: Draft) -> None:
        """Add indicator constraints, special ordered sets, and semi-continuous variables."""
        problem = self.problem
        if not draft.columns:
            return
        for name, terms, low, high, condition in self._lines:
            if condition is not None:
                draft.indicator(name, [condition], terms.items(), low, high)
        draft.semi |= {place for place, kind in enumerate(problem.getColType()) if kind in "SR"}
        *_, types, starts, columns, weights = problem.getMIPEntities()
        count = problem.attributes.sets
        if count:
            ends = [*starts[:count], len(columns)]
            sets = zip(types, (one.name for one in problem.getSOS()), pairwise(ends), strict=True)
            for kind, name, (first, last) in sets:
                members = zip(columns[first:last], weights[first:last], strict=True)
                draft.ordered_set(name, int(kind), members)

    def assign(self, values: Sequence[Number]) -> None:
        """Add a MIP solution, with which the optimizer starts."""
        self.problem.addMipSol(list(map(float, values)))

    def current(self) -> Sequence[float | None]:
        """Return the solution of the problem, if it has one."""
        try:
            found: list[float | None] = list(self.problem.getSolution())
        except Exception:  # xpress.ModelError, which is not imported here
            return []
        return found
