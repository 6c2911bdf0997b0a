"""What a task is about: an instance of a puzzle, or a model that somebody wrote.

`subject_of` alone turns what a caller gives into what is searched and solved. Another kind
of object, of a modelling language for example, is read there, for all tasks at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from calmip.documents.description import described
from calmip.problem.cover import ExactCover
from calmip.problem.instance import Instance

if TYPE_CHECKING:
    from calmip.problem.binary_model import BinaryModel
    from calmip.search.witnesses import Subject

    Source = Instance | BinaryModel
    """What a task takes."""

__all__ = ["Sourced", "subject_of"]


def subject_of(source: Source) -> Subject:
    """Return what is searched and solved: the exact cover of an instance, or the model itself.

    Raises
    ------
    TypeError
        If the source is neither an instance nor a model.
    """
    if isinstance(source, Instance):
        return ExactCover(source)
    from calmip.problem.binary_model import BinaryModel  # which needs numpy

    if isinstance(source, BinaryModel):
        return source
    raise TypeError(
        f"an Instance or a BinaryModel is needed, not {type(source).__name__}; "
        "calmip.read_instance(NAME, reveal=...), Instance.reveal(puzzle, ...) and "
        "calmip.read_model(FILE) make one"
    )


class Sourced:
    """What is made of a source, an instance or a model."""

    if TYPE_CHECKING:
        source: Source
        """The instance or the model."""

    KEYS: ClassVar[tuple[str, ...]] = ()
    MODEL_KEYS: ClassVar[tuple[str, ...]] = ()
    """What the description has where the source is a model."""

    @property
    def of_instance(self) -> bool:
        """Whether the source is an instance, and no model."""
        return isinstance(self.source, Instance)

    @property
    def what(self) -> str:
        """What a solution of the source is called."""
        return "tiling" if self.of_instance else "solution"

    @property
    def instance(self) -> Instance:
        """The instance; there is none where the source is a model."""
        if isinstance(self.source, Instance):
            return self.source
        raise AttributeError("the source is a model, and has no instance; see its model")

    @property
    def model(self) -> BinaryModel:
        """The model; there is none where the source is an instance."""
        if isinstance(self.source, Instance):
            raise AttributeError("the source is an instance, and has no model; see its instance")
        return self.source

    def describe(self) -> dict[str, Any]:
        """Return the result as plain data, with the keys in their documented order."""
        return described(self, self.KEYS if self.of_instance else self.MODEL_KEYS)
