"""The common parts of all results of tasks, and their source: an instance or a model.

Only `source_of` and `subject_of` turn the argument of a task into an instance or a model, and
into what is searched and solved. `calmip.mip.files.objects` reads those of modelling languages.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, cast

from calmip._base.errors import InputError, clip, join_words
from calmip._base.files import write_atomically
from calmip.mip.display import renderers
from calmip.puzzle.cover import ExactCover
from calmip.puzzle.documents.serialise import describe_fields
from calmip.puzzle.instance import Instance

if TYPE_CHECKING:
    from calmip.mip.files.objects import PointValues
    from calmip.mip.model import Model, Point
    from calmip.mip.status import Status
    from calmip.puzzle.search.exact_cover.witnesses import Subject

    Source = Instance | Model | Any
    """The argument of a task: an instance, a model, or an object of a modelling language."""

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


def source_of(source: Source) -> Instance | Model:
    """Return the instance or the model itself, or the model that an object holds.

    Raises
    ------
    InputError
        If the object is not a mixed-integer linear model.
    TypeError
        If the source is neither an instance nor a model, nor an object of a modelling language.
    """
    if isinstance(source, Instance):
        return source
    from calmip.mip.files.objects import object_kinds, read_object  # which need numpy
    from calmip.mip.model import Model

    model = source if isinstance(source, Model) else read_object(source)
    if model is None:
        raise TypeError(
            f"an Instance or a Model is needed, not {type(source).__name__}; "
            "calmip.read_instance(NAME, reveal=...), Instance.reveal(puzzle, ...) and "
            "calmip.read_model(FILE) make one. Models of other packages are accepted: "
            + ", ".join(object_kinds())
        )
    return model


def subject_of(source: Source, *, open_ends: bool = False) -> Subject:
    """Return the object to search and solve: the exact cover of an instance, or the model.

    Parameters
    ----------
    source
        The instance or the model.
    open_ends
        Whether the caller refuses points at open ends of domains itself.

    Raises
    ------
    InputError, TypeError
        As `source_of` does, and if a domain has an open end.
    """
    source = source_of(source)
    if isinstance(source, Instance):
        return ExactCover(source)
    if source.native is not None and not open_ends:
        from calmip.mip.files.objects import refuse_open_ends

        refuse_open_ends(source)
    return source


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

    @property
    def of_instance(self) -> bool:
        """Whether the source is an instance, not a model."""
        return isinstance(self.source, Instance)

    @property
    def what(self) -> str:
        """The word for a solution of the source."""
        return "tiling" if self.of_instance else "solution"

    @property
    def title(self) -> str:
        """The name of the source, or that of its file."""
        return self.instance.name if self.of_instance else self.model.title

    @property
    def instance(self) -> Instance:
        """The instance; there is none where the source is a model."""
        if isinstance(self.source, Instance):
            return self.source
        raise AttributeError("the source is a model, and has no instance; see its model")

    @property
    def model(self) -> Model:
        """The model; there is none where the source is an instance."""
        if isinstance(self.source, Instance):
            raise AttributeError("the source is an instance, and has no model; see its instance")
        return cast("Model", self.source)

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
        return describe_fields(self, self.KEYS if self.of_instance else self.MODEL_KEYS)
