"""A solution of an instance or a model in every form: text, JSON, pictures."""

from __future__ import annotations

from calmip.problem.status import Status
from calmip.render.characters import PLAIN, Style
from calmip.render.picture_files import PICTURES, draw_tilings
from calmip.render.reports import Forms, as_json
from calmip.render.text import draw_choice, draw_tiling, point_text
from calmip.tasks.solve import Solution

__all__ = ["FORMS", "text"]


def text(solution: Solution, style: Style = PLAIN) -> str:
    """Return the drawing of a tiling or the columns that are one, and the status line."""
    if not solution.of_instance:
        return _text_of_model(solution)
    lines = [draw_tiling(tiling, style) for tiling in solution.tilings]
    if solution.packing is not None:
        packing = solution.packing
        lines.append(draw_choice(packing.instance, packing.placements, packing.labels, style))
    size = f"{solution.columns} columns x {solution.rows} rows"
    if solution.reduced is not None:
        size += f", {solution.reduced} columns after reduction"
    lines.append(
        f"{_verdict(solution)} ({solution.solver}, {solution.formulation}, {size}, "
        f"{solution.seconds['total']:.2f} s)"
    )
    return "\n".join(lines) + "\n"


def _verdict(solution: Solution) -> str:
    verdict = {
        Status.FEASIBLE: f"{' '.join(solution.tilings[0].labels)}: tiling {_finder(solution)}"
        if solution.tilings
        else "",
        Status.INFEASIBLE: "there is no tiling",
        Status.UNKNOWN: "stopped before an answer",
    }[solution.status]
    if solution.packing is not None:
        cells = len(solution.instance.to_cover)
        most = cells - len(solution.packing.missing)
        verdict += f"; a packing covers {most} of {cells} cells"
        if solution.status is Status.INFEASIBLE:
            verdict += f" ({solution.solver}: none covers more)"
    elif solution.status is not Status.FEASIBLE and solution.detail:
        verdict += f": {solution.detail}"
    return verdict


def _finder(solution: Solution) -> str:
    if solution.found_by == "search":
        return f"found by the exact-cover search, accepted by {solution.solver} and verified"
    return "found and verified"


def _text_of_model(solution: Solution) -> str:
    model, found = solution.model, solution.objective is not None
    lines = [point_text(model, solution.chosen)] if found else []
    optimal = "verified" if solution.verified else f"the word of {solution.solver}, unverified"
    verdict = {
        Status.OPTIMAL: f"solution found and checked; optimal: {optimal}",
        Status.FEASIBLE: "solution found and checked",
        Status.INFEASIBLE: "there is no solution",
        Status.UNKNOWN: "stopped before an answer",
    }[solution.status]
    if not found:
        verdict += f": {solution.detail}" if solution.detail else ""
    elif model.cost.any():
        verdict += f", objective {solution.objective:g}"
    size = f"{solution.columns} columns x {solution.rows} rows"
    lines.append(f"{verdict} ({solution.solver}, {size}, {solution.seconds['total']:.2f} s)")
    return "\n".join(lines) + "\n"


def pictures(solution: Solution, form: str, theme: str) -> bytes:
    """Return the tiling in a picture format; see `draw_tilings`."""
    return draw_tilings(solution.tilings, form, theme)


FORMS: Forms = {"text": text, "json": as_json, **dict.fromkeys(PICTURES, pictures)}
