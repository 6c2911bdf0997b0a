"""Results in every form: text, Markdown, HTML, JSON, CSV, pictures.

Each `Output` is found by the name of its result's type; a type without one has the default.
"""

from __future__ import annotations

from collections.abc import Mapping
from inspect import signature
from typing import TYPE_CHECKING

from calmip._base.errors import InputError
from calmip.problem.display import PAPER
from calmip.render.characters import PLAIN, Style
from calmip.render.palette import AUTO
from calmip.render.report import DEFAULT, Forms, Output

if TYPE_CHECKING:
    from calmip.tasks._result import Result

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
        If the form cannot show the result, such as a picture of no tiling, or the theme is unknown.
    SolverMissing
        If matplotlib is needed (PNG, PDF) and not installed.
    """
    write = forms_of(result)[form]
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
    return output_of(type(result).__name__).forms


def output_of(kind: str) -> Output:
    """Return the report of a type of results, given the type's name."""
    outputs = _outputs_of_trade(kind) or _outputs_of_puzzles(kind)
    return outputs.get(kind, DEFAULT)


def _outputs_of_puzzles(kind: str) -> Mapping[str, Output]:
    """Return the reports of the module that has the report of a type about puzzles and models."""
    match kind:
        case "Explanation":
            from calmip.render.reports.conflicts import OUTPUTS
        case "ModelComparison":
            from calmip.render.reports.comparison import OUTPUTS
        case "Puzzles":
            from calmip.render.reports.puzzles import OUTPUTS
        case "Relaxation" | "Tree":
            from calmip.render.reports.relaxations import OUTPUTS
        case "SolutionPool":
            from calmip.render.reports.enumerate import OUTPUTS
        case _:
            from calmip.render.reports.answers import OUTPUTS
    return OUTPUTS


def _outputs_of_trade(kind: str) -> Mapping[str, Output]:
    """Return the reports of the module that has the report of a type; empty if no trade has it."""
    match kind:
        case "Alarms" | "Bench" | "Difference" | "Report" | "SolverLog":
            from calmip.render.reports.bench import OUTPUTS
        case "Calendar":
            from calmip.render.reports.calendar import OUTPUTS
        case "ClassMarks" | "Marks" | "Written":
            from calmip.render.reports.grade import OUTPUTS
        case "Comparison":
            from calmip.render.reports.compare import OUTPUTS
        case "CuttingPlan":
            from calmip.render.reports.cut import OUTPUTS
        case "Design" | "Rearrangement":
            from calmip.render.reports.design import OUTPUTS
        case "Generated":
            from calmip.render.reports.generate import OUTPUTS
        case "Proof":
            from calmip.render.reports.prove import OUTPUTS
        case "Year":
            from calmip.render.reports.year import OUTPUTS
        case _:
            return {}
    return OUTPUTS
