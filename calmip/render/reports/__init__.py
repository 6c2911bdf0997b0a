"""Results in every form: for each task the module of its name has its texts, tables and pictures.

A report is data (`calmip.render.report`), of which `made_of` makes the forms that all have.
``FORMS`` say what makes each form, in the order in which the command's help lists them; the
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
from calmip.errors import InputError
from calmip.render.characters import PLAIN, Style
from calmip.render.palette import AUTO
from calmip.render.picture_files import PICTURES, drawn
from calmip.render.report import Document, as_markdown, as_page, as_text
from calmip.render.reports.short import TEXTS

if TYPE_CHECKING:
    from calmip.problem.instance import Instance
    from calmip.render.picture import Picture
    from calmip.tasks._result import Result

__all__ = [
    "Forms",
    "as_json",
    "data",
    "files",
    "forms",
    "forms_of",
    "heading",
    "made_of",
    "report_of",
    "text",
]

Forms = Mapping[str, Callable[..., str | bytes | tuple[bytes, ...]]]
"""The functions that make the forms of a result; several files are a tuple."""


def data(result: Result, form: str, theme: str = AUTO, style: Style = PLAIN) -> bytes:
    """Return a result in one of the forms of its task, in one file; see `files`.

    Raises
    ------
    InputError
        As `files` does, or if these are several files.
    """
    made = files(result, form, theme, style)
    if len(made) > 1:
        raise InputError(f"these are {len(made)} files of the form {form}, not one")
    return made[0]


def files(result: Result, form: str, theme: str = AUTO, style: Style = PLAIN) -> tuple[bytes, ...]:
    """Return a result in one of the forms of its task, which may be several files.

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
    every = made if isinstance(made, tuple) else (made,)
    return tuple(one if isinstance(one, bytes) else one.encode() for one in every)


def text(result: Result, style: Style = PLAIN) -> str:
    """Return what the command of a result prints."""
    return data(result, next(iter(forms_of(result))), style=style).decode()


def as_json(result: Result) -> str:
    """Return the description of a result as a line of JSON."""
    return json_text(result.describe())


def made_of(
    report: Callable[..., Document],
    picture: Callable[..., Picture] | None = None,
    **others: Callable[..., str | bytes],
) -> Forms:
    """Return the forms of results: what makes a `Document`, perhaps a picture, and other forms."""

    def text(result: Result, style: Style) -> str:
        """Return the report as a text for a terminal."""
        return as_text(report(result), style)

    def markdown(result: Result) -> str:
        """Return the report as Markdown."""
        return as_markdown(report(result))

    def page(result: Result, theme: str) -> str:
        """Return the report as a page."""
        return as_page(report(result), theme)

    def pictures(result: Result, form: str, theme: str) -> bytes:
        """Return the picture in a picture format."""
        assert picture is not None
        return drawn(picture(result), form, theme)

    drawings: Forms = dict.fromkeys(PICTURES if picture else (), pictures)
    return {"text": text, "html": page, "md": markdown, "json": as_json, **drawings, **others}


def heading(instance: Instance) -> str:
    """Return what an instance leaves uncovered, or its name where that is nothing."""
    return " ".join([*instance.labels, *(f"any {g}" for g in instance.free)]) or instance.name


def forms_of(result: Result) -> Forms:
    """Return the forms of a result: those of the task in whose module its type is."""
    kind = type(result)
    return forms(kind.__module__.rpartition(".")[2].removeprefix("_"), kind.__name__)


def forms(task: str, kind: str = "") -> Forms:
    """Return what makes each form of a task's results, by the forms' names.

    Parameters
    ----------
    task
        The task.
    kind
        The type of the result, where a task has several.
    """
    if task in TEXTS:
        return {"text": TEXTS[task], "json": as_json}
    report = report_of(task)
    every: Forms | None = getattr(report, "FORMS_OF", {}).get(kind)
    return every or getattr(report, "FORMS", None) or {"text": report.text, "json": as_json}


def report_of(task: str) -> ModuleType:
    """Return the module that has the texts, tables and pictures of a task's results."""
    return import_module(f"calmip.render.reports.{'short' if task in TEXTS else task}")
