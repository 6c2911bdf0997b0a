"""The common parts of all results of tasks."""

from __future__ import annotations

from functools import cached_property
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from calmip._base.errors import InputError, clip, join_words, needed_by
from calmip._base.files import write_atomically
from calmip.mip.display import renderers
from calmip.puzzle.documents.serialise import describe_fields, plain_csv
from calmip.puzzle.tasks.problems import problem_of

if TYPE_CHECKING:
    from calmip.mip.files.objects import PointValues
    from calmip.mip.model import Model, Point
    from calmip.mip.status import Status
    from calmip.puzzle.instance import Instance
    from calmip.puzzle.tasks.problems import Problem, Source

MAX_REPR_CHARACTERS = 190
"""Characters of a result's ``repr``."""


class Result:
    """The result of a task: a status, a text for people and a description for programs.

    ``print(result)`` shows what the task's command prints; `describe` is what its
    ``--format json`` writes.
    """

    if TYPE_CHECKING:
        # Absent at run time, where a field of a subclass would take it as its default.
        @property
        def status(self) -> Status:
            """The status of the answer."""

    KEYS: ClassVar[tuple[str, ...]] = ()
    """The fields and properties that the description has, in the documented order; () for all."""

    @property
    def known(self) -> bool:
        """Whether there is an answer to show; if not, only the status line is shown."""
        return True

    @property
    def exit_status(self) -> Status:
        """The status that gives the command's exit code."""
        return self.status

    @property
    def has_picture(self) -> bool:
        """Whether there is something to draw, where there are pictures."""
        return self.known

    def describe(self) -> dict[str, Any]:
        """Return the result as plain data, with the keys in their documented order."""
        return describe_fields(self)

    def _summary(self) -> str:
        """Return a few words for ``repr``."""
        return ", ".join(f"{name} {value}" for name, value in self.describe().items())

    def __repr__(self) -> str:
        most = MAX_REPR_CHARACTERS
        text = f"<{type(self).__name__} {self.status}: {clip(self._summary(), most)}"
        # Cut again afterwards: escaping makes the text longer.
        return f"{text if len(text) < most else text[: most - 4] + '...'}>"

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        """Return the result in the forms that notebooks show, by their MIME types."""
        found = renderers.notebook().bundle(self)
        kept = found.keys() & include if include else found.keys()
        return {kind: found[kind] for kind in found if kind in kept and kind not in (exclude or ())}

    def __str__(self) -> str:
        return renderers.reports().text(self).removesuffix("\n")


class Pictured(Result):
    """A result that has pictures and tables as well."""

    def save(self, path: Path | str, *, theme: str = "auto", paper: str = "a4") -> None:
        """Write the result to a file atomically, in the form that its suffix says.

        Parameters
        ----------
        path
            The file to make or replace. The forms are those of the option
            ``--format`` of the command, text as ``.txt``.
        theme
            The colours of pictures: ``light``, ``dark``, or ``auto``, which
            follows the reader's screen where the form can (SVG, HTML).
        paper
            The sheets of a year or a calendar as PDF: ``a4``, ``a3`` or ``letter``.

        Raises
        ------
        InputError
            If there is no answer, the suffix or the theme is unknown, or the file cannot be
            written.
        SolverMissing
            If the library that draws the form is not installed.
        """
        if not self.known:
            raise InputError(str(self))
        path, reports = Path(path), renderers.reports()
        suffixes = {f".{form}".replace(".text", ".txt"): form for form in reports.forms_of(self)}
        form = suffixes.get(path.suffix.lower())
        if form is None:
            raise InputError(
                f"the suffix {path.suffix or 'is missing'} is not one of {join_words(suffixes)}",
                path=path,
            )
        write_atomically(path, reports.data(self, form, theme, paper=paper))

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Return the table that ``--format csv`` writes as a stream of Arrow.

        Fractions are floats. pyarrow, polars and pandas read it: ``pyarrow.table(result)``.

        Raises
        ------
        InputError
            If the result has no table.
        SolverMissing
            If pyarrow is not installed.
        """
        what = "an Arrow stream"
        data = self._table(what)
        with needed_by(what, "pyarrow"):
            from pyarrow import BufferReader, csv
        options = csv.ConvertOptions(null_values=[""])  # others, such as NA, are names
        table = csv.read_csv(BufferReader(data), convert_options=options)
        return table.__arrow_c_stream__(requested_schema)

    def to_dataframe(self) -> Any:
        """Return the table that ``--format csv`` writes as a pandas data frame.

        Fractions are floats.

        Raises
        ------
        InputError
            If the result has no table.
        SolverMissing
            If pandas is not installed.
        """
        what = "a data frame"
        data = self._table(what)
        with needed_by(what, "pandas"):
            import pandas as pd
        return pd.read_csv(BytesIO(data), keep_default_na=False, na_values=[""])

    def _table(self, what: str) -> bytes:
        """Return the result as CSV for programs."""
        reports = renderers.reports()
        if not self.known or "csv" not in reports.forms_of(self):
            raise InputError(f"a {type(self).__name__} without a table is not {what}")
        return plain_csv(reports.data(self, "csv", "light").decode()).encode()


class Sourced:
    """A result of a source, an instance or a model."""

    if TYPE_CHECKING:
        source: Source
        """The instance or the model."""

        @property
        def status(self) -> Status:
            """The status of the result."""

    KEYS: ClassVar[tuple[str, ...]] = ()
    MODEL_KEYS: ClassVar[tuple[str, ...]] = ()
    """The keys of the description if the source is a model."""

    @cached_property
    def problem(self) -> Problem:
        """The source as a problem: what tasks and reports ask of it."""
        return problem_of(self.source, open_ends=True)

    @property
    def what(self) -> str:
        """The word for a solution of the source."""
        return self.problem.what

    @property
    def title(self) -> str:
        """The name of the source, or that of its file."""
        return self.problem.title

    @property
    def instance(self) -> Instance:
        """The instance; there is none where the source is a model."""
        return self.problem.instance

    @property
    def model(self) -> Model:
        """The model; there is none where the source is an instance."""
        return self.problem.model

    def values_of(self, point: Point | None) -> PointValues:
        """Return the values of a point of the model, by the names or by the caller's variables.

        Parameters
        ----------
        point
            The exact values by column, or the columns whose value is 1; None if there is none.

        Raises
        ------
        InputError
            If there is none.
        """
        from calmip.mip.files.objects import PointValues

        if point is None:
            raise InputError(f"{self.source.name} has no solution here: {self.status}")
        return PointValues(self.model, point)

    def describe(self) -> dict[str, Any]:
        """Return the result as plain data, with the keys in their documented order."""
        return describe_fields(self, getattr(self, self.problem.keys))
