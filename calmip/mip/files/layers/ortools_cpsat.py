"""Models of CP-SAT whose constraints are linear, or clauses."""

from __future__ import annotations

import math
import re
from collections.abc import Hashable, Iterator, Sequence
from typing import Any

from calmip.mip.display import quote
from calmip.mip.files.arrays import Layer, ModelArrays, dense
from calmip.mip.files.native import Draft, added
from calmip.mip.rows import Bound, Number

KNOWN = frozenset(
    (
        "name",
        "variables",
        "constraints",
        "objective",
        "floating_point_objective",
        "search_strategy",
        "solution_hint",
    )
)
"""The parts of a model that are read, or that say nothing about its solutions."""

KNOWN_OF_OBJECTIVE = frozenset(("vars", "coeffs", "offset", "scaling_factor", "maximize"))

MIN_NUMBER, MAX_NUMBER = -(2**63), 2**63 - 1
"""The whole numbers that CP-SAT takes for infinite."""

CLAUSES = {"exactly_one": (1, 1), "at_most_one": (-math.inf, 1), "bool_or": (1, math.inf)}
"""The bounds of the number of true literals."""

Line = tuple[str, dict[int, int], Bound, Bound]


class CpSatObject(Layer):
    """A ``cp_model.CpModel``."""

    package, base, title = "ortools.sat.python.cp_model", "CpModel", "cp_model.CpModel"

    def arrays(self) -> ModelArrays:
        """Return the model as it is now."""
        model = self.problem.Proto()
        self.know(model, KNOWN, "the model")
        variables = model.variables
        names = [x.name for x in variables]
        bounds = [
            self.interval(x.domain, f"variable {quote(x.name or f'c{number}')}")
            for number, x in enumerate(variables)
        ]
        self._enforced: list[tuple[str, list[tuple[int, int]], dict[int, int], Bound, Bound]] = []
        self._maxima: list[tuple[str, Any]] = []
        lines = [
            line
            for number, row in enumerate(model.constraints)
            for line in self.lines(row, row.name or f"r{number}")
        ]
        return {
            "lower": [low for low, _ in bounds],
            "upper": [high for _, high in bounds],
            "integrality": 1,
            "names": names,
            "A": [terms for _, terms, *_ in lines],
            "row_lower": [low for *_, low, _ in lines],
            "row_upper": [high for *_, high in lines],
            "row_names": [name for name, *_ in lines],
            "variables": [self.problem.get_int_var_from_proto_index(n) for n in range(len(names))],
            "name": model.name,
            **self.goal(model, len(names)),
        }

    def add_constructs(self, draft: Draft) -> None:
        """Add the linear constraints that literals enforce."""
        for name, conditions, terms, low, high in self._enforced:
            draft.indicator(name, conditions, terms.items(), low, high)
        for name, part in self._maxima:
            target = added(zip(part.target.vars, part.target.coeffs, strict=True))
            if set(target.values()) not in ({1}, {-1}) or len(target) > 1:
                raise self.refuse(f"constraint {quote(name)} is a maximum that is no variable")
            # A minimum has the negated variable and the negated sums.
            ((column, sign),) = target.items()
            sums = [
                (
                    [(c, sign * v) for c, v in zip(one.vars, one.coeffs, strict=True)],
                    sign * (one.offset - part.target.offset),
                )
                for one in part.exprs
            ]
            draft.extreme(name, column, sums, sign)

    def goal(self, model: Any, width: int) -> ModelArrays:
        """Return the objective: one of whole numbers, or one of floats in a part of its own."""
        present = _parts(model) & {"objective", "floating_point_objective"}
        if not present:
            return {"c": [0] * width}
        (part,) = present
        goal = getattr(model, part)
        self.know(goal, KNOWN_OF_OBJECTIVE, f"the {part}")
        scale: float = 1
        if part == "objective":
            scale = goal.scaling_factor or 1
            if scale not in (1, -1):
                raise self.refuse(f"the objective has the scaling factor {scale}")
        costs = dense(zip(goal.vars, goal.coeffs, strict=True), width)
        return {
            "c": [scale * cost for cost in costs],
            "offset": scale * goal.offset,
            "maximise": goal.maximize if part != "objective" else scale < 0,
        }

    def lines(self, row: Any, name: str) -> Iterator[Line]:
        """Yield the rows of a constraint; only a conjunction has several."""
        where = f"constraint {quote(name)}"
        (kind, *others) = sorted(_parts(row) - {"name", "enforcement_literal"}) or ["empty"]
        enforced = [-literal - 1 for literal in row.enforcement_literal]
        if enforced and kind not in ("bool_or", "bool_and", "linear"):
            raise self.refuse(f"{where}, {kind}, is enforced by literals (only_enforce_if)")
        if kind == "linear" and not others:
            terms = added(zip(row.linear.vars, row.linear.coeffs, strict=True))
            sides = self.interval(row.linear.domain, where)
            conditions = [(max(one, -one - 1), int(one < 0)) for one in enforced]
            if conditions:
                self._enforced.append((name, conditions, terms, *sides))
            else:
                yield (name, terms, *sides)
        elif kind == "lin_max" and not others:
            self._maxima.append((name, row.lin_max))
        elif kind == "bool_and" and not others:
            literals = list(row.bool_and.literals)
            for number, literal in enumerate(literals):
                line = name if len(literals) == 1 else f"{name}_{number}"
                yield _clause(line, [*enforced, literal], 1, math.inf)
        elif kind in CLAUSES and not others:
            yield _clause(name, [*enforced, *getattr(row, kind).literals], *CLAUSES[kind])
        else:
            raise self.refuse(f"{where} is of the kind {kind}")

    def interval(self, domain: Sequence[int], where: str) -> tuple[Bound, Bound]:
        """Return the bounds of a domain, which is one interval."""
        if len(domain) != 2:
            raise self.refuse(f"{where} has a domain of {len(domain) // 2} intervals, not one")
        low, high = domain
        return -math.inf if low <= MIN_NUMBER else low, math.inf if high >= MAX_NUMBER else high

    def know(self, message: Any, known: frozenset[str], where: str) -> None:
        """Refuse a part that is not known."""
        unknown = _parts(message) - known
        if unknown:
            raise self.refuse(f"{where} has the part {min(unknown)}")

    def key(self, variable: Any) -> Hashable:
        """Return the number of a variable; a negated literal is none."""
        model = self.problem.Proto()
        here = getattr(variable, "model_proto", model) is model  # older ones do not tell
        return int(variable.index) if here else None

    def assign(self, values: Sequence[Number]) -> None:
        """Set the hint with which a solver starts; the model has no values."""
        self.problem.clear_hints()
        for variable, value in zip(self.variables, values, strict=True):
            self.problem.add_hint(variable, int(value))


def _parts(message: Any) -> set[str]:
    """Return the parts that a message has; its text shows all of them in each version."""
    return set(re.findall(r"^(\w+)", str(message), re.MULTILINE))


def _clause(name: str, literals: Sequence[int], low: Bound, high: Bound) -> Line:
    """Return the row that bounds the number of true literals; -1 - n is the negation of n."""
    negated = sum(literal < 0 for literal in literals)
    terms = added((max(one, -one - 1), 1 if one >= 0 else -1) for one in literals)
    return name, terms, low - negated, high - negated
