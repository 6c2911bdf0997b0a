"""Exercise 8: a packing whose relaxation has the bound of the clique rows.

``build(data)`` returns a model of any library. The child process writes the model of every data
set (`calmip.course.references`), also for exercises 9 and 12. Here its solutions are compared with
the packings, and the bound of its relaxation, an exact number, with those of two formulations.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from calmip._base.errors import join_words
from calmip._base.limits import Deadline
from calmip.course.checks import (
    CONFLICT,
    NO_TILING,
    SIX,
    Check,
    Failed,
    Undecided,
    course_name,
    example_of,
    run_checks,
)
from calmip.course.declared_numbers import Figures, check_figures
from calmip.course.references import ReferenceComparison, build_models, compare_with_reference
from calmip.mip.lp.exact_lp import ExactLp
from calmip.mip.model import Model, NamedRow
from calmip.mip.status import Status
from calmip.puzzle.cover import ExactCover
from calmip.puzzle.instance import Instance

COMPARISON_SECONDS = 20.0
"""The time limit of each comparison and of each relaxation."""

Limit = Mapping[str, int] | None
"""The limits of a program, as `calmip.course.sandbox` has them."""


def models_of(path: Path, data: Mapping[str, Any], limits: Limit) -> dict[str, Model]:
    """Return the model of every data set, by its name.

    Raises
    ------
    Failed
        If the program hands over none, or for one data set none.
    """
    sets = [(name, [one]) for name, one in data.items()]
    seconds = None if limits is None else limits["seconds"]
    found = {}
    for name, model in zip(data, build_models(path, sets, seconds)[1], strict=True):
        if isinstance(model, str):
            raise Failed(f"{name}: {model}")
        found[name] = model
    return found


@contextmanager
def naming(puzzle: str) -> Iterator[None]:
    """Begin the faults of a puzzle with its name."""
    try:
        yield
    except Failed as failed:
        raise type(failed)(f"puzzle {puzzle}: {failed}", *failed.examples) from None


def _value(option: int, size: int) -> int:
    """Return what a placement is worth: its cells, and more for some."""
    return size + (5 * option * option + 3 * option) % 7


class _Packing:
    """A puzzle whose placements are worth something, and the model with the rows of cliques."""

    def __init__(self, instance: Instance) -> None:
        self.cover = cover = ExactCover(instance)
        self.names = [course_name(cover, option) for option in range(cover.columns)]
        self.uses = [[cover.items[row].name for row in cover.items_of(o)] for o in _all(cover)]
        self.values = [_value(o, len(self.uses[o]) - 1) for o in _all(cover)]
        self.conflicts = [
            [q for q in _all(cover) if q != p and not set(self.uses[p]).isdisjoint(self.uses[q])]
            for p in _all(cover)
        ]

    def data(self) -> dict[str, Any]:
        """Return what the student's function gets."""
        cells = {
            item.name: f"{row}{column}"
            for item, (row, column) in zip(
                self.cover.items, self.cover.instance.to_cover, strict=False
            )
        }
        uses = [
            [cells.get(name, name.removeprefix("p_")) for name in sorted(one)] for one in self.uses
        ]
        return {
            "placements": dict(zip(self.names, uses, strict=True)),
            "value": dict(zip(self.names, self.values, strict=True)),
        }

    def model(self, rows: Sequence[NamedRow]) -> Model:
        """Return the maximisation of the value over some rows."""
        costs = [-value for value in self.values]
        return Model.from_rows(self.names, rows, costs, maximise=True)

    def cliques(self) -> Iterator[NamedRow]:
        """Yield a row for every cell and piece."""
        for item, members in zip(self.cover.items, self.cover.options_of(), strict=True):
            yield item.name, dict.fromkeys(members, 1.0), -math.inf, 1.0

    def edges(self) -> Iterator[NamedRow]:
        """Yield a row for every two placements in conflict."""
        for option, others in enumerate(self.conflicts):
            for other in others:
                if option < other:
                    terms = {option: 1.0, other: 1.0}
                    yield f"edge_{option}_{other}", terms, -math.inf, 1.0

    def big_m(self) -> Iterator[NamedRow]:
        """Yield a row for every placement: if it is chosen, none of its conflicts is."""
        for option, others in enumerate(self.conflicts):
            most = float(len(others))
            terms = {**dict.fromkeys(others, 1.0), option: most}
            yield f"big_{option}", terms, -math.inf, most


def _all(cover: ExactCover) -> range:
    return range(cover.columns)


_packing = cache(_Packing)


def data_of(instance: Instance) -> dict[str, Any]:
    """Return what the student's function gets."""
    return _packing(instance).data()


@cache
def figures_of(instance: Instance) -> Figures:
    """Return the exact bounds of three formulations of a packing."""
    mine = _packing(instance)
    rows = {"big-M": mine.big_m(), "edges": mine.edges(), "cliques": mine.cliques()}
    return {name: _best(mine.model(list(each)))[0] for name, each in rows.items()}


def _best(model: Model) -> tuple[Fraction, dict[int, Any]]:
    """Return the exact optimum of a relaxation that is maximised, and its point."""
    answer = ExactLp(model, range(len(model.columns))).solve(clock=Deadline(COMPARISON_SECONDS))
    if answer.status is Status.UNKNOWN:
        raise Undecided("the relaxation was not solved in time")
    if answer.status is not Status.OPTIMAL or answer.cost is None:
        raise Failed(f"the relaxation is {answer.status}")
    return -Fraction(answer.cost), dict(answer.point)


class _Strength:
    """A student's model of every packing, and the bounds of their relaxations."""

    def __init__(self, path: Path, task: Instance, limits: Limit) -> None:
        self.path, self.limits = path, limits
        self.packings = {one.name: _packing(one) for one in (SIX, CONFLICT, task)}
        self.compared: dict[str, ReferenceComparison] = {}
        self.bounds: dict[str, tuple[Fraction, dict[int, Any]]] = {}

    def run(self) -> None:
        """Build and read the models."""
        data = {name: packing.data() for name, packing in self.packings.items()}
        models = models_of(self.path, data, self.limits)
        for name, packing in self.packings.items():
            reference = packing.model(list(packing.cliques()))
            with naming(name):
                self.compared[name] = compare_with_reference(
                    models[name], reference, seconds=COMPARISON_SECONDS
                )

    def every(self, look: Callable[[str, _Packing], None]) -> Callable[[], None]:
        """Return a check that looks at every packing."""

        def run() -> None:
            for name, packing in self.packings.items():
                with naming(name):
                    look(name, packing)

        return run

    def missing(self, name: str, packing: _Packing) -> None:
        """Refuse a model that forbids a packing."""
        found = self.compared[name].missing
        if found.point is not None:
            chosen = [option for option, value in found.point.items() if value]
            raise Failed(
                f"the model forbids this packing: {_names(packing, chosen)}",
                *([example_of(packing.cover, chosen)] if chosen else []),
            )
        if found.holds is None:
            raise Undecided("whether the model has every packing was not decided in time")

    def wrong(self, name: str, packing: _Packing) -> None:
        """Refuse a model with a solution that is no packing."""
        found = self.compared[name].wrong
        if found.point is not None:
            point = self._options(name, found.point)
            raise Failed(
                f"the model has this solution, and it is no packing: {_values(packing, point)}",
                *([example_of(packing.cover, list(point))] if point else []),
            )
        if found.holds is None:
            raise Undecided("whether every solution is a packing was not decided in time")

    def _options(self, name: str, point: Mapping[int, Any]) -> dict[int, Any]:
        """Return a point of the student's model by options, without zeros."""
        columns = self.compared[name].pairing.columns
        return {o: point[ours] for o, ours in sorted(columns.items()) if point.get(ours)}

    def bound(self, name: str) -> tuple[Fraction, dict[int, Any]]:
        """Return the bound of the student's relaxation on the given objective, and its point."""
        found = self.compared[name]
        if not found.same:
            raise Failed("not checked, because the solutions are not the packings")
        if name not in self.bounds:
            costs = array("d", bytes(8 * len(found.model.columns)))
            for option, ours in found.pairing.columns.items():
                costs[ours] = -float(self.packings[name].values[option])
            exact = {key: v for key, v in found.model.exact.items() if key[0] not in OBJECTIVE}
            value, point = _best(
                found.model.changed(cost=costs, exact=exact, offset=0.0, maximise=True, native=None)
            )
            self.bounds[name] = value, self._options(name, point)
        return self.bounds[name]

    def tighter(self, name: str, packing: _Packing) -> None:
        """Refuse a bound that is no better than that of the starter."""
        own, given = self.bound(name)[0], _best(packing.model(list(packing.big_m())))[0]
        if own >= given:
            raise Failed(f"the bound is {_text(own)}, and that of the big-M rows is {_text(given)}")

    def tight(self, name: str, packing: _Packing) -> None:
        """Refuse a bound above that of the cliques, with a clique that the point violates."""
        own, point = self.bound(name)
        if own <= _best(packing.model(list(packing.cliques())))[0]:
            return
        rows = [(sum(point.get(o, 0) for o in terms), row) for row, terms, *_ in packing.cliques()]
        most, row = max(rows)
        members = {o: value for o, value in point.items() if row in packing.uses[o]}
        item = next(item for item in packing.cover.items if item.name == row)
        raise Failed(
            f"the bound is {_text(own)}, and it can be less: in an optimal point of the relaxation "
            f"the placements with {item.text} add up to {_text(Fraction(most))}: "
            f"{_values(packing, members)}",
            example_of(packing.cover, list(members)),
        )


def grade_strength(
    path: Path, *, task: Instance = NO_TILING, limits: Limit = None
) -> tuple[Check, ...]:
    """Mark a formulation of a packing: the same packings, and the bound of its relaxation."""
    model = _Strength(path, task, limits)
    return run_checks(
        [
            ("build(data) returns a model", 1, model.run, True),
            ("every packing is a solution", 1, model.every(model.missing), False),
            ("every solution is a packing", 2, model.every(model.wrong), False),
            (
                "the objective is the value",
                1,
                model.every(lambda name, _: model.compared[name].check_objective()),
                False,
            ),
            ("the bound is below that of the big-M rows", 2, model.every(model.tighter), False),
            ("the bound is that of the cliques, or lower", 2, model.every(model.tight), False),
            (
                "the FIGURES are the bounds of three formulations",
                1,
                lambda: check_figures(path, figures_of(task)),
                False,
            ),
        ]
    )


OBJECTIVE = ("cost", "offset")
"""The numbers of a model that belong to its objective."""


def _names(packing: _Packing, options: Sequence[int]) -> str:
    if not options:
        return "the one without placements"
    return join_words([packing.names[option] for option in options], most=20)


def _text(number: Fraction) -> str:
    return str(number) if number.denominator < 1000 else f"{float(number):.6g}"


def _values(packing: _Packing, point: Mapping[int, Any]) -> str:
    parts = [f"{packing.names[option]} = {value}" for option, value in point.items()]
    return ", ".join(parts) or "every variable is 0"
