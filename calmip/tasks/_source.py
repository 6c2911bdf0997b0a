"""What a task is about: an instance of a puzzle, or a model that somebody wrote.

`subject_of` alone turns what a caller gives into what is searched and solved. Another kind
of object, of a modelling language for example, is read there, for all tasks at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from calmip.documents.description import describe_instance, describe_model
from calmip.errors import InputError
from calmip.problem.cover import ExactCover
from calmip.problem.instance import Instance
from calmip.tasks._result import Pictured

if TYPE_CHECKING:
    from calmip.problem.binary_model import BinaryModel
    from calmip.search.witnesses import Subject

    Source = Instance | BinaryModel
    """What a task takes."""

__all__ = ["Sourced", "instance_of", "model_of", "of_instance", "subject_of"]


def of_instance(source: Source) -> bool:
    """Return whether a source is an instance of a puzzle, and no model.

    Raises
    ------
    InputError
        If it is neither.
    """
    if isinstance(source, Instance):
        return True
    from calmip.problem.binary_model import BinaryModel

    if isinstance(source, BinaryModel):
        return False
    raise InputError(
        f"an instance or a model is needed, not a {type(source).__name__}; "
        "calmip.read_instance and calmip.read_model read them from files"
    )


def subject_of(source: Source) -> Subject:
    """Return what is searched and solved: the exact cover of an instance, or the model itself.

    Raises
    ------
    InputError
        If the source is neither an instance nor a model.
    """
    return ExactCover(instance_of(source)) if of_instance(source) else model_of(source)


def instance_of(source: Source) -> Instance:
    """Return the instance that a source is.

    Raises
    ------
    InputError
        If it is none.
    """
    if of_instance(source):
        assert isinstance(source, Instance)
        return source
    raise InputError(
        "this needs an instance of a puzzle, and a model has no board; "
        "calmip.solve, calmip.enumerate and calmip.check take models"
    )


def model_of(source: Source) -> BinaryModel:
    """Return the model that a source is.

    Raises
    ------
    InputError
        If it is none.
    """
    if not of_instance(source):
        return source  # type: ignore[return-value]
    raise InputError("the source is an instance of a puzzle; calmip.models makes models of it")


class Sourced(Pictured):
    """The result of a task that takes an instance or a model."""

    if TYPE_CHECKING:
        source: Source
        """The instance or the model."""

    @property
    def of_instance(self) -> bool:
        """Whether the source is an instance, and no model."""
        return of_instance(self.source)

    @property
    def instance(self) -> Instance:
        """The instance.

        Raises
        ------
        InputError
            If the source is a model.
        """
        return instance_of(self.source)

    @property
    def model(self) -> BinaryModel:
        """The model.

        Raises
        ------
        InputError
            If the source is an instance.
        """
        return model_of(self.source)

    def describe_source(self) -> dict[str, Any]:
        """Return what the description of the result begins with."""
        if self.of_instance:
            return {"instance": describe_instance(self.instance)}
        return {"model": describe_model(self.model)}
