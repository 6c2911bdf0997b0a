"""Results in every form: for each task the module of its name has its texts, tables and pictures.

Its ``FORMS`` say what makes each form, in the order in which the command's help lists them; the
first is what the command prints. A function takes the result, and by name what it asks for of the
form, the theme of pictures and pages, and the style of a text. A module without ``FORMS`` has a
text, and JSON comes by itself; a text of a few lines is a function in `short`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from inspect import signature
from types import ModuleType
from typing import TYPE_CHECKING

from calmip.documents.description import json_text
from calmip.render.characters import Style
from calmip.render.palette import AUTO
from calmip.render.reports.short import TEXTS

if TYPE_CHECKING:
    from calmip.tasks._result import Result

__all__ = ["Forms", "as_json", "data", "forms", "forms_of", "report_of", "text"]

Forms = Mapping[str, Callable[..., str | bytes]]
"""The functions that make the forms of a result."""

PLAIN = Style()


def data(result: Result, form: str, theme: str = AUTO, style: Style = PLAIN) -> bytes:
    """Return a result in one of the forms of its task.

    Parameters
    ----------
    result
        What a task gave.
    form
        One of `forms_of` the result.
    theme
        The colours of pictures and pages.
    style
        How a text is drawn.

    Raises
    ------
    InputError
        If the result has no such form, such as a picture of no tiling, or the theme is unknown.
    SolverMissing
        If matplotlib is needed (PNG, PDF) and not installed.
    """
    write = forms_of(result)[form]
    asked = signature(write).parameters
    given = {"form": form, "theme": theme, "style": style}
    made = write(result, **{name: given[name] for name in given if name in asked})
    return made if isinstance(made, bytes) else made.encode()


def text(result: Result, style: Style = PLAIN) -> str:
    """Return what the command of a result prints."""
    return data(result, next(iter(forms_of(result))), style=style).decode()


def as_json(result: Result) -> str:
    """Return the description of a result as a line of JSON."""
    return json_text(result.describe())


def forms_of(result: Result) -> Forms:
    """Return the forms of a result: those of the task in whose module its type is."""
    return forms(type(result).__module__.rpartition(".")[2].removeprefix("_"))


def forms(task: str) -> Forms:
    """Return what makes each form of a task's results, by the forms' names."""
    if task in TEXTS:
        return {"text": TEXTS[task], "json": as_json}
    report = report_of(task)
    return getattr(report, "FORMS", None) or {"text": report.text, "json": as_json}


def report_of(task: str) -> ModuleType:
    """Return the module that has the texts, tables and pictures of a task's results."""
    return import_module(f"calmip.render.reports.{'short' if task in TEXTS else task}")
