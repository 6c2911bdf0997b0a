"""``calmip bench``."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path

import click

from calmip.cli import exit_code
from calmip.cli._command import Explained, command
from calmip.cli._options import deliver
from calmip.cli._progress import bar
from calmip.errors import InputError, shown
from calmip.tasks.bench import bench

__all__ = ["bench_command"]

ACTIONS = {
    "run": "Do the runs of CAMPAIGN.yaml, or of a suite, that are missing from -o RESULTS.db.",
}


@command(
    "bench",
    "calmip bench run campaign.yaml -o results.db",
    "calmip bench run campaign.yaml -o results.db --workers 2",
    "calmip bench run campaign.yaml -o results.db --dask tcp://head:8786",
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
def bench_command(
    action: str,
    files: tuple[Path, ...],
    output: Path | None,
    workers: int,
    dask: str | None,
) -> int:
    """Run campaigns: solvers x formulations x instances x seeds, every answer checked.

    Each run is a process of its own, killed with all its children at its
    limits, and is a row of the results as soon as it has ended. If a campaign
    was interrupted or killed, run it again: what is there is kept.
    """
    (campaign,) = _exactly(files, 1, action, "CAMPAIGN.yaml")
    if output is None:
        raise InputError("name the file of results: -o RESULTS.db")
    with _runs(output) as progress:
        found = bench(campaign, output, workers=workers, dask=dask, progress=progress)
    deliver(f"{found}\n", None)
    return exit_code(found)


def _exactly(files: tuple[Path, ...], number: int, action: str, what: str) -> tuple[Path, ...]:
    if len(files) != number:
        raise InputError(f"bench {action} takes {what}, not {len(files)} files")
    return files


@contextlib.contextmanager
def _runs(output: Path) -> Iterator[Callable[[int, int], None]]:
    """Show how many runs are done and when the end will be."""
    with contextlib.ExitStack() as stack:
        step: Callable[[], None] | None = None

        def progress(done: int, all_of_them: int) -> None:
            nonlocal step
            if step is None:
                where = f"done, in {shown(output, 300)}; run it again to go on"
                step = stack.enter_context(bar("runs", all_of_them, where))
                for _ in range(done):
                    step()
            else:
                step()

        yield progress
