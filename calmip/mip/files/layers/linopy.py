"""Models of linopy, whose variables and constraints are arrays with named dimensions."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import product
from typing import Any

from calmip._base.errors import join_words
from calmip.mip.display import quote
from calmip.mip.files.arrays import Layer, ModelArrays, sparse_rows
from calmip.mip.files.native import Draft, exact_number
from calmip.mip.rows import Number
from calmip.mip.status import Status


class LinopyObject(Layer):
    """A ``linopy.Model``."""

    package, base, title = "linopy", "Model", "linopy.Model"

    def arrays(self) -> ModelArrays:
        """Return the model as it is now."""
        model = self.problem
        self.refuse_unknown()
        found = model.matrices
        labels, kinds = found.vlabels.tolist(), found.vtypes.tolist()
        names = list(_names(model.variables, labels))
        for name, kind in zip(names, kinds, strict=True):
            if kind not in ("B", "I", "C", "S"):
                raise self.refuse(f"variable {quote(name)} is of the type {kind}")
        sides = list(zip(found.sense.tolist(), found.b.tolist(), strict=True))
        return {
            "c": found.c,
            "maximise": model.objective.sense == "max",
            "lower": found.lb,
            "upper": found.ub,
            "integrality": [kind not in "CS" for kind in kinds],
            "names": names,
            "variables": labels,
            "A": [] if found.A is None else found.A,
            "row_lower": [-math.inf if sense == "<" else side for sense, side in sides],
            "row_upper": [math.inf if sense == ">" else side for sense, side in sides],
            "row_names": list(_names(model.constraints, found.clabels.tolist())),
        }

    def add_constructs(self, draft: Draft) -> None:
        """Add semi-continuous variables, indicator constraints, and special ordered sets."""
        model = self.problem
        found = model.matrices
        self.add_indicators(draft, found)
        places = {label: place for place, label in enumerate(found.vlabels.tolist())}
        draft.semi.update(n for n, kind in enumerate(found.vtypes.tolist()) if kind == "S")
        for name in getattr(model.variables, "sos", ()):
            variable = model.variables[name]
            along, kind = variable.attrs["sos_dim"], variable.attrs["sos_type"]
            labels = variable.labels.transpose(..., along)
            index = labels.indexes[along]
            if not (index.is_monotonic_increasing or index.is_monotonic_decreasing):
                # Versions of linopy order such a set by its coordinates, or as they are given.
                raise self.refuse(f"the order of set {quote(name)} along {quote(along)} is unclear")
            weights = range(len(index))
            for number, line in enumerate(labels.values.reshape(-1, len(weights)).tolist()):
                pairs = zip(line, weights, strict=True)
                members = [(places[label], weight) for label, weight in pairs if label in places]
                if members:
                    draft.ordered_set(f"{name}{number}", int(kind), members)

    def add_indicators(self, draft: Draft, found: Any) -> None:
        """Add the indicator constraints, which older versions do not have."""
        groups = list(getattr(self.problem, "indicator_constraints", ()))
        if not groups:
            return
        parts = [self.problem.constraints[name] for name in groups]
        labels = [label for part in parts for label in part.active_labels().tolist()]
        lines = zip(
            _names(self.problem.constraints, labels),
            sparse_rows(found.indicator_A),
            found.indicator_sense.tolist(),
            found.indicator_b.tolist(),
            found.indicator_binvar.tolist(),
            found.indicator_binval.tolist(),
            strict=True,
        )
        for name, terms, sense, side, binary, value in lines:
            low, high = -math.inf if sense == "<" else side, math.inf if sense == ">" else side
            draft.indicator(name, [(binary, int(value))], terms, low, high)

    def refuse_unknown(self) -> None:
        """Refuse what is no part of a linear model, and scaled parts, whose numbers are rounded."""
        model = self.problem
        parts = (*model.variables.items(), *model.constraints.items())
        objective = getattr(model.objective, "scaling", 1)
        several = {
            "an objective that is quadratic": ["it"] if model.is_quadratic else [],
            "a scaling": [n for n, one in parts if _is_scaled(one)],
            "an objective with a scaling": [] if objective == 1 else ["it"],
        }
        for what, names in several.items():
            if names:
                where = "" if names == ["it"] else f": {join_words(map(quote, names))}"
                raise self.refuse(f"the model has {what}{where}")

    def key(self, variable: Any) -> Hashable:
        """Return the label of a variable, or of an array that has one element of it."""
        if isinstance(variable, int):
            return variable
        if variable.model is not self.problem:
            return None
        label = getattr(variable, "label", None)
        return int(variable.labels.item() if label is None else label)

    def assign(self, values: Sequence[Number]) -> None:
        """Set the solution of all variables, and the status without which linopy shows none."""
        costs = map(exact_number, self.problem.matrices.c.tolist())
        objective = sum(cost * value for cost, value in zip(costs, values, strict=True))
        self.problem.objective.set_value(float(objective))
        self.problem.status = "ok"
        found = dict(zip(self.variables, map(float, values), strict=True))
        for variable in self.problem.variables.data.values():
            labels = variable.labels
            flat = [found.get(label, math.nan) for label in labels.values.ravel().tolist()]
            variable.solution = labels.astype(float).copy(data=_shaped(flat, labels.shape))

    def tell(self, status: Status) -> None:
        """Set how the search ended."""
        optimal = status is Status.OPTIMAL
        self.problem.termination_condition = "optimal" if optimal else "suboptimal"

    def current(self) -> Sequence[float | None]:
        """Return the solution, if the model has one."""
        found: dict[int, float] = {}
        if self.problem.status != "ok":
            return []
        for variable in self.problem.variables.data.values():
            labels, values = variable.labels.values.ravel(), variable.solution.values.ravel()
            found |= zip(labels.tolist(), values.tolist(), strict=True)
        return [None if math.isnan(found[label]) else found[label] for label in self.variables]


def _names(group: Any, labels: Iterable[int]) -> Iterator[str]:
    """Return the names of variables or constraints with their coordinates, such as ``x[a,0]``."""
    found: dict[int, str] = {}
    for name, part in group.items():
        array = part.labels
        entries = product(*(_coordinates(array, dimension) for dimension in array.dims))
        for label, inside in zip(array.values.ravel().tolist(), entries, strict=True):
            found[label] = f"{name}[{','.join(inside)}]" if inside else str(name)
    return map(found.__getitem__, labels)


def _coordinates(array: Any, dimension: Hashable) -> list[str]:
    """Return the coordinates of a dimension as texts; one with several levels has all of them."""
    levels = [
        level.values
        for name, level in array.coords.items()
        if name != dimension and level.dims == (dimension,)
    ]
    if not levels:
        index = array.indexes[dimension]
        return [str(index[position]) for position in range(len(index))]
    entries = [",".join(map(str, entry)) for entry in zip(*levels, strict=True)]
    return [f"({entry})" for entry in entries] if len(levels) > 1 else entries


def _is_scaled(part: Any) -> bool:
    scaling = getattr(part, "scaling", None)
    return scaling is not None and not bool((scaling == 1).all())


def _shaped(flat: list[float], shape: tuple[int, ...]) -> Any:
    import numpy as np

    return np.reshape(flat, shape)
