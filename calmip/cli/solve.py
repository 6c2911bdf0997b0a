"""``calmip solve``."""

from __future__ import annotations

from pathlib import Path

import click

from calmip.cli import FOUND, LIMIT, NONE
from calmip.cli.options import (
    check_alone,
    deliver,
    instance_from,
    instance_or_model_options,
    note,
    solver_options,
    terminal_style,
)
from calmip.cli.pictures import (
    PICTURES,
    chosen_form,
    deliver_data,
    draw_tilings,
    refuse_pictures,
    theme_option,
)
from calmip.errors import InputError
from calmip.render.text import Style, draw_choice, draw_tiling
from calmip.tasks.solve import Solution, solve

__all__ = ["solve_command"]

FORMS = ("text", "json", *PICTURES)

EXIT_CODES = {"feasible": FOUND, "infeasible": NONE, "unknown": LIMIT}


@click.command("solve")
@instance_or_model_options
@solver_options
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMS),
    help="By the suffix of -o unless given, else text.",
)
@theme_option
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write to a file.")
@click.option("-q", "--quiet", is_flag=True, help="Print nothing; the exit code tells.")
@click.option("-v", "--verbose", is_flag=True, help="Show the solver's own lines on stderr.")
def solve_command(
    source: str | None,
    reveal: str | None,
    date: str | None,
    flip: bool | None,
    model: Path | None,
    solver: str,
    formulation: str,
    time_limit: float | None,
    seed: int,
    threads: int,
    form: str | None,
    theme: str,
    output: Path | None,
    quiet: bool,
    verbose: bool,
) -> int:
    """Find one tiling of INSTANCE, or prove that there is none.

    INSTANCE is the path of an instance or a puzzle in YAML, or the name of a
    bundled puzzle (see: calmip puzzles). With --model a file is solved that
    somebody wrote by hand or with another program.
    """
    form = chosen_form(form, output, FORMS)
    if model is not None:
        refuse_pictures(form)
        check_alone(
            ("solver", "time_limit", "seed", "threads", "form", "output", "quiet", "verbose")
        )
        from calmip.cli.models import solve_file

        code, text = solve_file(
            model,
            solver,
            form,
            time_limit=time_limit,
            seed=seed,
            threads=threads,
            log=note if verbose else None,
        )
        if output is not None or not quiet:
            deliver(text, output)
        return code
    if source is None:
        raise InputError("name an INSTANCE, or give --model FILE (see calmip solve --help)")
    instance = instance_from(source, reveal, date, flip)
    solution = solve(
        instance,
        solver=solver,
        formulation=formulation,
        time_limit=time_limit,
        seed=seed,
        threads=threads,
        log=note if verbose else None,
    )
    if form in PICTURES:
        if not solution.tilings:
            note(solution_text(solution, Style()).rstrip())
        elif output is not None or not quiet:
            deliver_data(draw_tilings(solution.tilings, form, theme), form, output)
        return EXIT_CODES[solution.status]
    if form == "json":
        from calmip.render.as_json import describe_solution, json_text

        text = json_text(describe_solution(solution))
    else:
        text = solution_text(solution, terminal_style(output))
    if output is not None or not quiet:
        deliver(text, output)
    return EXIT_CODES[solution.status]


def solution_text(solution: Solution, style: Style) -> str:
    """Return the drawing, if there is a tiling, and the status line."""
    lines = [draw_tiling(tiling, style) for tiling in solution.tilings]
    if solution.packing is not None:
        packing = solution.packing
        lines.append(draw_choice(packing.instance, packing.placements, packing.labels, style))
    verdict = {
        "feasible": f"{' '.join(solution.tilings[0].labels)}: tiling found and verified"
        if solution.tilings
        else "",
        "infeasible": "there is no tiling",
        "unknown": "stopped before an answer",
    }[solution.status]
    if solution.packing is not None:
        cells = len(solution.instance.to_cover)
        most = cells - len(solution.packing.missing)
        verdict += f"; a packing covers {most} of {cells} cells"
        if solution.status == "infeasible":
            verdict += f" ({solution.solver}: none covers more)"
    elif solution.status != "feasible" and solution.detail:
        verdict += f": {solution.detail}"
    lines.append(
        f"{verdict} ({solution.solver}, {solution.formulation}, "
        f"{solution.columns} columns x {solution.rows} rows, {solution.seconds['total']:.2f} s)"
    )
    return "\n".join(lines) + "\n"
