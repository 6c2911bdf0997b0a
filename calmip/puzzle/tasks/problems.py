"""Problems of tasks: an instance or a model, behind one interface.

Only `problem_of` depends on the type of the caller's source. A task or a report that treats the
kinds differently has a function that each kind registers (`per_kind`). So a further kind is one
more class with its functions, and changes no task and no report.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from functools import cached_property, singledispatch
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, cast

from calmip._base.errors import InputError, clip
from calmip.mip.display import describe_number
from calmip.puzzle.cover import ExactCover, Item, Reveal
from calmip.puzzle.documents.serialise import (
    describe_instance,
    describe_placement,
    describe_tiling,
    json_text,
    number_cell,
    tiling_lines,
)
from calmip.puzzle.instance import Instance
from calmip.puzzle.placements import PlacementNames

if TYPE_CHECKING:
    from fractions import Fraction
    from functools import _SingleDispatchCallable

    from calmip.mip.model import Model, Point
    from calmip.mip.rows import Number
    from calmip.puzzle.puzzle import Puzzle
    from calmip.puzzle.search.exact_cover.witnesses import Subject
    from calmip.puzzle.tiling import Packing

    PerKind = _SingleDispatchCallable
    """A function for which each kind of problem registers what it does."""

    Source = Instance | Model | Any
    """The argument of a task: an instance, a model, or an object of a modelling language."""

METHODS = {
    "exact-cover": "The compiled exact-cover search, without floating-point numbers: the fastest.",
    "one-tree": "One branch-and-bound tree over HiGHS relaxations; every leaf is a tiling.",
    "no-good": "Solve, cut off the solution, solve again until infeasible: the textbook method.",
}
"""The methods of an enumeration; the first is the default."""


class Problem:
    """Problem of a task: its names, columns and rows, and the descriptions of its solutions."""

    kind: ClassVar[str]
    """The word for its source, which is also the key of its description."""

    what: ClassVar[str]
    """The word for a solution."""

    methods: ClassVar[tuple[str, ...]]
    """The methods that enumerate the solutions; the first is the default, if no other is faster."""

    keys: ClassVar[str] = "KEYS"
    """Where a result has the keys of its description."""

    has_board: ClassVar[bool] = False
    """Whether it has cells: solutions are tilings that can be drawn, and symmetries are known."""

    pooled: ClassVar[bool] = False
    """Whether solutions are points of a model, and the options of pools apply."""

    source: Instance | Model
    """The instance or the model."""

    title: str
    """The name of the source, or that of its file."""

    heading: str
    """The words with which a report begins."""

    instance: Instance
    model: Model

    if TYPE_CHECKING:  # a kind has them as attributes, or computes them once

        @property
        def cover(self) -> ExactCover:
            """The exact cover of the instance."""

        @property
        def subject(self) -> Subject:
            """What is searched and solved: the exact cover or the model."""

        @property
        def columns(self) -> tuple[str, ...]:
            """The names of the columns."""

        @property
        def rows(self) -> tuple[str, ...]:
            """The names of the rows."""

        @property
        def items(self) -> tuple[Item, ...]:
            """The items of an exact cover, which are its rows."""

        @property
        def has_objective(self) -> bool:
            """Whether it has an objective of its own."""

        @property
        def mixed(self) -> bool:
            """Whether some variables are continuous."""

        def describe(self) -> dict[str, Any]:
            """Return the source as plain data, under its kind."""

        def describe_column(self, column: int) -> dict[str, Any]:
            """Return what a column stands for, beside its name."""

        def column_named(self, name: str) -> int:
            """Return the number of a column; raise `InputError` if there is none of that name."""

        def check_fixed(self, column: int, value: Fraction) -> None:
            """Raise `InputError` unless a column may be fixed at a value."""

        def relaxed(self, *, packing: bool) -> Model:
            """Return the model of which the relaxation is solved, or that of the packing."""

        def as_binary(self, work: str) -> tuple[Problem, Model | None]:
            """Return the problem over binary columns, and the model if that has more columns.

            Raises
            ------
            InputError
                If that is impossible; the message names the work.
            """

        def key_of(self, solution: Any) -> Hashable:
            """Return an object that is equal for equal solutions of two problems."""

        def describe_solution(self, solution: Any, *, valued: bool) -> dict[str, Any]:
            """Return a solution as plain data, with its objective if requested."""

        def lines(self, *, valued: bool) -> Callable[[Any], str]:
            """Return a function that writes `describe_solution` as a line of JSON."""

        def header(self) -> list[str]:
            """Return the names of the `cells` of a solution."""

        def cells(self, solution: Any) -> list[Any]:
            """Return a solution as a line of a table."""

    else:
        items, has_objective, mixed = (), False, False

        def __getattr__(self, name: str) -> Any:
            if name not in ("instance", "cover", "model"):
                raise AttributeError(f"a problem has no attribute {name}")
            article = "an" if self.kind[0] in "aeiou" else "a"
            what = name.replace("cover", "exact cover")
            raise AttributeError(
                f"the source is {article} {self.kind}, and has no {what}; see its {self.kind}"
            )


class InstanceProblem(Problem):
    """The problem of an instance: its solutions are tilings.

    Parameters
    ----------
    instance
        The instance.
    cover
        Its exact cover; without one, it is made when it is needed.
    """

    kind, what, methods, has_board = "instance", "tiling", tuple(METHODS), True

    def __init__(self, instance: Instance, cover: ExactCover | None = None) -> None:
        self.source = self.instance = instance
        self.title, self.heading = instance.name, heading(instance)
        self._cover = cover

    @cached_property
    def cover(self) -> ExactCover:
        return ExactCover(self.instance) if self._cover is None else self._cover

    @property
    def subject(self) -> ExactCover:
        return self.cover

    @property
    def columns(self) -> tuple[str, ...]:
        return self.cover.option_names

    @property
    def items(self) -> tuple[Item, ...]:
        return self.cover.items

    @cached_property
    def rows(self) -> tuple[str, ...]:
        return tuple(item.name for item in self.items)

    @cached_property
    def _names(self) -> PlacementNames:
        return PlacementNames(self.cover)

    def describe(self) -> dict[str, Any]:
        return {"instance": describe_instance(self.instance)}

    def describe_column(self, column: int) -> dict[str, Any]:
        option = self.cover.option(column)
        if isinstance(option, Reveal):
            return {"reveals": option.label}
        return {"placement": describe_placement(option)}

    def column_named(self, name: str) -> int:
        option = self._names.option(name)
        if option is None:
            known = self.columns[0] if self.columns else "U_b30"
            raise InputError(
                f"'{clip(name, 60)}' is not a placement of this instance; write a column's name, "
                f"such as {known}, or PIECE:PLACE+PLACE with labels"
            )
        return option

    def check_fixed(self, column: int, value: Fraction) -> None:
        if value not in (0, 1):
            raise InputError("a placement is fixed at 0 or at 1")

    def relaxed(self, *, packing: bool) -> Model:
        from calmip.mip.model import Model
        from calmip.models import build

        if not packing:
            return Model.from_cover(self.cover)
        model: Model = build("matrix", self.cover.packing()).native
        return model.changed(maximise=bool(model.cost.any()))

    def as_binary(self, work: str) -> tuple[Problem, Model | None]:
        return self, None

    def key_of(self, solution: Any) -> Hashable:
        return cast("Hashable", solution)

    def describe_solution(self, solution: Any, *, valued: bool) -> dict[str, Any]:
        return describe_tiling(solution)

    def lines(self, *, valued: bool) -> Callable[[Any], str]:
        return tiling_lines(self.instance)

    def header(self) -> list[str]:
        return ["labels", *(piece.name for piece in self.instance.puzzle.pieces)]

    def cells(self, solution: Any) -> list[Any]:
        return [" ".join(solution.labels), *piece_cells(self.instance.puzzle, solution)]


class ModelProblem(Problem):
    """The problem of a model: its solutions are points, exact values by column."""

    kind, what, methods = "model", "solution", ("one-tree", "exact-cover")
    keys, pooled = "MODEL_KEYS", True

    columns: tuple[str, ...]
    rows: tuple[str, ...]
    subject: Model

    def __init__(self, model: Model) -> None:
        self.source = self.subject = self.model = model
        self.title = self.heading = model.title
        self.columns, self.rows = model.own_columns, model.rows

    @property
    def has_objective(self) -> bool:
        return bool(self.model.costs)

    @property
    def mixed(self) -> bool:
        return not all(self.model.values("integer")[: len(self.columns)])

    def describe(self) -> dict[str, Any]:
        return {"model": self.model.describe()}

    def describe_column(self, column: int) -> dict[str, Any]:
        return {}

    def column_named(self, name: str) -> int:
        if self.model.column_index.get(name, len(self.columns)) >= len(self.columns):
            from calmip.mip.display import quote

            raise InputError(f"{quote(name)} is not a column of the model")
        return self.model.column_index[name]

    def check_fixed(self, column: int, value: Fraction) -> None:
        low, high = self.model.bounds(column)
        integer = self.model.integer[column]
        if not low <= value <= high or (integer and value.denominator > 1):
            from calmip.mip.display import quote

            kind = "a whole number" if integer else "a number"
            raise InputError(
                f"column {quote(self.columns[column])} is fixed at {kind} within its "
                f"bounds, from {low} to {high}, not at {float(value):g}"
            )

    def relaxed(self, *, packing: bool) -> Model:
        if packing:
            raise InputError("a packing is of an instance; leave it out for a model")
        self.model.check_rows_alone("a linear relaxation")
        return self.model

    def as_binary(self, work: str) -> tuple[Problem, Model | None]:
        from calmip.mip.defined import project

        part = project(self.model)  # without the columns that its rows define
        return ModelProblem(part.as_binary(work)), None if part is self.model else self.model

    def key_of(self, solution: Any) -> Hashable:
        return frozenset((self.columns[c], x) for c, x in values_of(solution).items())

    def describe_solution(self, solution: Any, *, valued: bool) -> dict[str, Any]:
        found = self.model.describe_point(solution)
        if not valued:
            return found
        return {"objective": describe_number(self.model.exact_objective(solution)), **found}

    def lines(self, *, valued: bool) -> Callable[[Any], str]:
        return lambda solution: json_text(self.describe_solution(solution, valued=valued))

    def header(self) -> list[str]:
        return ["objective", *self.columns]

    def cells(self, solution: Any) -> list[Any]:
        values = values_of(solution)
        every = (values.get(column, 0) for column in range(len(self.columns)))
        return [*map(number_cell, (self.model.exact_objective(solution), *every))]


def per_kind() -> PerKind[Any]:
    """Return a function for which a kind of problem registers what it does (`singledispatch`)."""

    @singledispatch
    def nothing(problem: Problem, *_: Any, **__: Any) -> Any:
        raise NotImplementedError(f"no function is registered for the kind {problem.kind}")

    return nothing


def heading(instance: Instance) -> str:
    """Return the uncovered labels of an instance, or its name if there are none."""
    return " ".join([*instance.labels, *(f"any {g}" for g in instance.free)]) or instance.name


def values_of(point: Point) -> Mapping[int, Number]:
    """Return the values of a point that are not 0, by column."""
    return point if isinstance(point, Mapping) else dict.fromkeys(point, 1)


def piece_cells(puzzle: Puzzle, tiling: Packing | None) -> list[str]:
    """Return the cells of each piece of a puzzle as ``--placed`` takes them, or empty texts."""
    cells = {
        one.piece: "+".join(f"{row},{column}" for row, column in one.cells)
        for one in (tiling.placements if tiling is not None else ())
    }
    return [cells.get(piece.name, "") for piece in puzzle.pieces]


def problem_of(source: Source | Subject, *, open_ends: bool = False) -> Problem:
    """Return the problem of an instance, its exact cover, a model, or an object that holds one.

    Parameters
    ----------
    source
        The instance, the exact cover, the model or the object; or a file of an instance or a
        model, or the name of a bundled puzzle.
    open_ends
        Whether the caller refuses points at open ends of domains itself.

    Raises
    ------
    InputError
        If the object is not a mixed-integer linear model, or a domain has an open end.
    TypeError
        If the source is neither an instance nor a model, nor an object of a modelling language.
    """
    if isinstance(source, str | Path):
        source = _read(source)
    if isinstance(source, Instance):
        return InstanceProblem(source)
    if isinstance(source, ExactCover):
        return InstanceProblem(source.instance, source)
    from calmip.mip.files.objects import object_kinds, read_object, refuse_open_ends
    from calmip.mip.model import Model

    model = source if isinstance(source, Model) else read_object(source)
    if model is None:
        raise TypeError(
            f"an Instance or a Model is needed, not {type(source).__name__}; "
            "calmip.read_instance(NAME, reveal=...), Instance.reveal(puzzle, ...) and "
            "calmip.read_model(FILE) make one; so does a path. Models of other packages are "
            "accepted: " + ", ".join(object_kinds())
        )
    if not open_ends:
        refuse_open_ends(model)
    return ModelProblem(model)


def _read(source: str | Path) -> Instance | Model:
    """Return the model or the instance of a file, or the instance of a bundled name."""
    from calmip.mip.files.model_files import is_model, read_model
    from calmip.puzzle.documents.reader import read_instance

    return read_model(source) if is_model(Path(source)) else read_instance(source)
