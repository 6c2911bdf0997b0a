"""Results in every form: text, Markdown, HTML, JSON, CSV, pictures.

Each `Output` is found through the feature whose result it shows; a type without one has the
default.
"""

from __future__ import annotations

from inspect import signature
from typing import TYPE_CHECKING

from calmip._base.errors import InputError, join_words
from calmip.features import report_of
from calmip.mip.display import PAPER
from calmip.puzzle.render.characters import PLAIN, Style
from calmip.puzzle.render.palette import AUTO
from calmip.puzzle.render.report import DEFAULT, Forms, Output

if TYPE_CHECKING:
    from calmip.puzzle.tasks.results import Result

__all__ = ["data", "files", "forms_of", "output_of", "text"]


def data(
    result: Result, form: str, theme: str = AUTO, style: Style = PLAIN, paper: str = PAPER
) -> bytes:
    """Return a result in one of `forms_of` it; raise `InputError` for several files."""
    made = files(result, form, theme, style, paper)
    if len(made) > 1:
        raise InputError(f"these are {len(made)} files of the form {form}, not one")
    return made[0]


def files(
    result: Result, form: str, theme: str = AUTO, style: Style = PLAIN, paper: str = PAPER
) -> tuple[bytes, ...]:
    """Return a result in one of `forms_of` it, which may be several files.

    Raises
    ------
    InputError
        If the form cannot show the result, such as a picture of no tiling, or the result has no
        such form, or the theme is unknown.
    SolverMissing
        If matplotlib is needed (PNG, PDF) and not installed.
    """
    forms = forms_of(result)
    if form not in forms:
        raise InputError(f"this result has no format {form}; it has {join_words(forms)}")
    write = forms[form]
    given = {"form": form, "theme": theme, "style": style, "paper": paper}
    made = write(
        result, **{name: given[name] for name in signature(write).parameters.keys() & given}
    )
    every = made if isinstance(made, tuple) else (made,)
    return tuple(one if isinstance(one, bytes) else one.encode() for one in every)


def text(result: Result, style: Style = PLAIN) -> str:
    """Return what the command of a result prints."""
    return data(result, next(iter(forms_of(result))), style=style).decode()


def forms_of(result: Result) -> Forms:
    """Return the functions that make the forms of a result, by the forms' names."""
    return output_of(type(result)).forms


def output_of(kind: type) -> Output:
    """Return the report of a type of results."""
    found = report_of(kind)
    return found if isinstance(found, Output) else DEFAULT
