"""Exercise 8: a packing whose relaxation satisfies the rows of cliques.

``build(data)`` returns a model of any library. The child process writes the model of every data
set (`calmip.course.references`), also for exercises 9 and 12. Here its solutions are compared with
the packings. Its relaxation is maximised in exact numbers over each row of the cliques: one bound
alone would be met by a row that cuts the objective.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from functools import cache, partial
from pathlib import Path
from typing import Any

from calmip._base.errors import join_words
from calmip._base.limits import Deadline
from calmip.course.checks import (
    CONFLICT,
    NO_TILING,
    SIX,
    TILED,
    Check,
    Failed,
    Undecided,
    course_name,
    example_of,
    run_checks,
)
from calmip.course.declared_numbers import Figures, figure_checks
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

    def big_m(self, most: Callable[[Sequence[int]], int] = len) -> Iterator[NamedRow]:
        """Yield a row for every placement: if it is chosen, none of its conflicts is.

        ``most`` gives its M for the placements in conflict with it.
        """
        for option, others in enumerate(self.conflicts):
            large = float(most(others))
            terms = {**dict.fromkeys(others, 1.0), option: large}
            yield f"big_{option}", terms, -math.inf, large

    def packed(self, among: Sequence[int], values: Sequence[int] = ()) -> int:
        """Return the largest value of some placements without a conflict, or their number."""
        if not among:
            return 0
        worth = values or [1] * len(self.names)
        piece = self._piece(among[0])
        rest = [option for option in among if self._piece(option) != piece]
        best, most = self.packed(rest, worth), 0
        for other in {self._piece(option) for option in rest}:
            most += max(worth[option] for option in rest if self._piece(option) == other)
        for chosen in among:
            if self._piece(chosen) == piece and worth[chosen] + most > best:
                left = [option for option in rest if option not in self.conflicts[chosen]]
                best = max(best, worth[chosen] + self.packed(left, worth))
        return best

    def _piece(self, option: int) -> str:
        return self.names[option].partition("_")[0]


def _all(cover: ExactCover) -> range:
    return range(cover.columns)


_packing = cache(_Packing)


def data_of(instance: Instance) -> dict[str, Any]:
    """Return what the student's function gets."""
    return _packing(instance).data()


@cache
def figures_of(instance: Instance) -> Figures:
    """Return the exact bounds of four formulations of a packing."""
    mine = _packing(instance)
    rows = {
        "big-M": mine.big_m(),
        "smallest M": mine.big_m(mine.packed),
        "edges": mine.edges(),
        "cliques": mine.cliques(),
    }
    return {name: _best(mine.model(list(each)))[0] for name, each in rows.items()}


def is_asked(instance: Instance) -> bool:
    """Return whether no bound is another one's, or the optimum in integers, which none asks for."""
    return len({_optimum(_packing(instance)), *figures_of(instance).values()}) == 5


def _optimum(packing: _Packing) -> Fraction:
    return Fraction(packing.packed(_all(packing.cover), packing.values))


@cache
def _slips_of(instance: Instance) -> dict[str, dict[Fraction, str]]:
    """Return what is found instead of a bound by those who answer another question."""
    mine, right = _packing(instance), figures_of(instance)
    large = _best(mine.model(list(mine.big_m(lambda _: 1000))))[0]
    bounds = {
        right["big-M"]: "the bound with the M of the starter",
        right["smallest M"]: "the bound with the smallest M",
        right["edges"]: "the bound of the edges",
        right["cliques"]: "the bound of the cliques",
        large: "the bound with M = 1000",
        _optimum(mine): "the optimum in integers",
    }
    every = {name: dict(bounds) for name in right}
    for smallest in map(mine.packed, mine.conflicts):
        every["smallest M"].setdefault(Fraction(smallest), "an M; its bound is asked")
    if instance != NO_TILING:
        for name, value in figures_of(NO_TILING).items():
            every[name].setdefault(value, "the bound for the data of the page, not for yours")
    return every


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
        self.packings = {one.name: _packing(one) for one in (SIX, CONFLICT, TILED, task)}
        self.compared: dict[str, ReferenceComparison] = {}

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
            if not self.compared:
                raise Failed("not checked, because there is no model")
            for name, packing in self.packings.items():
                with naming(name):
                    look(name, packing)

        return run

    def same(self, name: str, packing: _Packing) -> None:
        """Refuse a model that forbids a packing, or has a solution that is none."""
        missing, wrong = self.compared[name].missing, self.compared[name].wrong
        faults, examples = [], []
        if missing.point is not None:
            chosen = [option for option, value in missing.point.items() if value]
            faults.append(f"the model forbids this packing: {_names(packing, chosen)}")
            examples += [example_of(packing.cover, chosen)] if chosen else []
        if wrong.point is not None:
            point = self._options(name, wrong.point)
            shown = _values(packing, point)
            faults.append(f"the model has this solution, and it is no packing: {shown}")
            examples += [example_of(packing.cover, list(point))] if point else []
        if faults:
            raise Failed("; and ".join(faults), *examples)
        if missing.holds is None or wrong.holds is None:
            raise Undecided("whether its solutions are the packings was not decided in time")

    def _options(self, name: str, point: Mapping[int, Any]) -> dict[int, Any]:
        """Return a point of the student's model by options, without zeros."""
        columns = self.compared[name].pairing.columns
        return {o: point[ours] for o, ours in sorted(columns.items()) if point.get(ours)}

    def most(self, name: str, costs: Mapping[int, int]) -> tuple[Fraction, dict[int, Any]]:
        """Return the exact maximum of a sum over the student's relaxation, and its point."""
        found = self.compared[name]
        if not found.same:
            raise Failed("not checked, because the solutions are not the packings")
        cost = array("d", bytes(8 * len(found.model.columns)))
        for option, ours in found.pairing.columns.items():
            cost[ours] = -float(costs.get(option, 0))
        exact = {key: v for key, v in found.model.exact.items() if key[0] not in OBJECTIVE}
        value, point = _best(
            found.model.changed(cost=cost, exact=exact, offset=0.0, maximise=True, native=None)
        )
        return value, self._options(name, point)

    def objective(self, name: str, _: _Packing) -> None:
        """Refuse an objective that ranks packings differently."""
        self.compared[name].check_objective()

    def tighter(self, name: str, packing: _Packing) -> None:
        """Refuse a bound that is no better than that of the starter."""
        own = self.most(name, dict(enumerate(packing.values)))[0]
        given = _best(packing.model(list(packing.big_m())))[0]
        if own >= given:
            raise Failed(f"the bound is {_text(own)}, and that of the big-M rows is {_text(given)}")

    def tight(self, name: str, packing: _Packing) -> None:
        """Refuse a relaxation with a point that violates a clique, and show it."""
        for row, terms, *_ in packing.cliques():
            most, point = self.most(name, dict.fromkeys(terms, 1))
            if most > 1:
                members = {option: value for option, value in point.items() if option in terms}
                item = next(item for item in packing.cover.items if item.name == row)
                raise Failed(
                    f"in a point of the relaxation the placements with {item.text} add up to "
                    f"{_text(most)}: {_values(packing, members)}",
                    example_of(packing.cover, list(members)),
                )


def grade_strength(
    path: Path, *, task: Instance = NO_TILING, limits: Limit = None
) -> tuple[Check, ...]:
    """Mark a formulation of a packing: the same packings, and the strength of its relaxation."""
    model = _Strength(path, task, limits)

    def packings() -> None:
        model.run()
        model.every(model.same)()

    checks = run_checks(
        [
            ("build(data) returns a model whose solutions are the packings", 1, packings, False),
            ("it maximises the value", 1, model.every(model.objective), False),
            (
                "the bound is below that of the big-M rows",
                1,
                model.every(model.tighter),
                False,
            ),
            ("the relaxation satisfies every clique", 2, model.every(model.tight), False),
        ]
    )
    worth = {"big-M": 1, "smallest M": 2, "edges": 1, "cliques": 1}
    return (
        *checks,
        *figure_checks(path, partial(figures_of, task), worth, partial(_slips_of, task)),
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
