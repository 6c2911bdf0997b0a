"""``calmip bench``."""

from __future__ import annotations

from pathlib import Path

import click

from calmip.cli import exit_code
from calmip.cli._command import Explained, command
from calmip.cli._options import deliver, refuse_unused, refuse_workers
from calmip.cli._pictures import chosen_form, deliver_data, format_option
from calmip.cli._progress import progress
from calmip.documents.description import json_text
from calmip.errors import InputError, shown
from calmip.render.reports import bench as report
from calmip.render.reports import data
from calmip.tasks.bench import bench, bench_diff, bench_report
from calmip.tasks.campaign.statistics import CLOCKS

__all__ = ["bench_command"]

ACTIONS = {
    "run": "Do the runs of CAMPAIGN.yaml, or of a suite, that are missing from -o RESULTS.db.",
    "report": "Say what the runs in RESULTS.db show: -o NAME.html, .md, .csv, .json, .svg, .png.",
    "diff": "Say what became slower, faster or wrong from one RESULTS.db to another.",
}


@command(
    "bench",
    "calmip bench run campaign.yaml -o results.db",
    "calmip bench report results.db -o report.html",
    "calmip bench diff before.db after.db",
)
@click.argument("action", type=Explained(ACTIONS), metavar="ACTION")
@click.argument("files", type=click.Path(path_type=Path), metavar="FILE", nargs=-1, required=True)
@click.option("-o", "--output", type=click.Path(path_type=Path), help="The file to write to.")
@click.option(
    "--workers",
    type=click.IntRange(1, 1024),
    default=1,
    show_default=True,
    help="How many runs are done at a time.",
)
@click.option(
    "--dask",
    metavar="ADDRESS",
    help="Do them on a Dask cluster; local: on one of --workers processes here.",
)
@click.option(
    "--clock",
    type=click.Choice(CLOCKS),
    default=CLOCKS[0],
    show_default=True,
    help="Which seconds count in report and diff.",
)
@click.option(
    "--shift",
    type=float,
    default=0.1,
    show_default=True,
    help="Seconds that geometric means are shifted by.",
)
@click.option(
    "--tolerance",
    type=float,
    default=1.05,
    show_default=True,
    help="With diff: how many times as slow is still no regression.",
)
@format_option(*report.FORMS)
def bench_command(
    action: str,
    files: tuple[Path, ...],
    output: Path | None,
    workers: int,
    dask: str | None,
    clock: str,
    shift: float,
    tolerance: float,
    form: str | None,
) -> int:
    """Run campaigns: solvers x formulations x instances x seeds, every answer checked.

    Each run is a process of its own, killed with all its children at its
    limits, and is a row of the results as soon as it has ended. If a campaign
    was interrupted or killed, run it again: what is there is kept. The exit
    code of diff is 1 if there is a regression.
    """
    if action != "run":
        refuse_unused("bench run", "workers", "dask")
    else:
        refuse_unused("bench report and bench diff", "clock", "shift", "form")
    if action != "diff":
        refuse_unused("bench diff", "tolerance")
    if action == "report":
        (results,) = _exactly(files, 1, action, "RESULTS.db")
        form = chosen_form(form, output, report.FORMS)
        found = bench_report(results, clock=clock, shift=shift)
        deliver_data(data(found, form), form, output)
        return exit_code(found)
    if action == "diff":
        before, after = _exactly(files, 2, action, "BEFORE.db AFTER.db")
        form = chosen_form(form, output, ("text", "json"))
        if form not in ("text", "json"):
            raise InputError(f"bench diff writes text or json, not {form}")
        changed = bench_diff(before, after, clock=clock, shift=shift, tolerance=tolerance)
        deliver(json_text(changed.describe()) if form == "json" else f"{changed}\n", output)
        return exit_code(changed)
    (campaign,) = _exactly(files, 1, action, "CAMPAIGN.yaml")
    refuse_workers(dask)
    if output is None:
        raise InputError("name the file of results: -o RESULTS.db")
    with progress("runs", f"done, in {shown(output, 300)}; run it again to go on") as show:
        done = bench(campaign, output, workers=workers, dask=dask, progress=show)
    deliver(f"{done}\n", None)
    return exit_code(done)


def _exactly(files: tuple[Path, ...], number: int, action: str, what: str) -> tuple[Path, ...]:
    if len(files) != number:
        raise InputError(f"bench {action} takes {what}, not {len(files)} files")
    return files
