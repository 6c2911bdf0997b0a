"""``calmip tree``."""

from __future__ import annotations

from pathlib import Path

import click

from calmip.cli import exit_code
from calmip.cli._command import command
from calmip.cli._options import instance_from, instance_options, note
from calmip.cli._pictures import chosen_form, deliver_data, format_option, theme_option
from calmip.cli.relax import numbers, objective_options
from calmip.render.reports import data
from calmip.render.reports import tree as report
from calmip.search.branching import BRANCHINGS, ORDERS
from calmip.tasks.tree import MOST_NODES, tree

__all__ = ["tree_command"]


@command(
    "tree",
    "calmip tree a-puzzle-a-day --reveal Feb,29",
    "calmip tree a-puzzle-a-day --reveal Oct,6 -o tree.svg",
    "calmip tree a-puzzle-a-day --date today --order depth-first,best-first -o trees.html",
)
@instance_options
@click.option(
    "--order",
    default=ORDERS[0],
    show_default=True,
    metavar="NAMES",
    help=f"Which node is taken next, or several side by side: {','.join(ORDERS)}.",
)
@click.option(
    "--branching",
    default=BRANCHINGS[0],
    show_default=True,
    metavar="NAMES",
    help=f"Which column is branched on, or several side by side: {','.join(BRANCHINGS)}.",
)
@click.option("--all", "every", is_flag=True, help="Find all tilings, in place of a best one.")
@objective_options
@click.option(
    "--limit",
    type=int,
    default=MOST_NODES,
    show_default=True,
    metavar="N",
    help="The most nodes of a tree.",
)
@format_option(*report.FORMS)
@theme_option
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write to a file.")
def tree_command(
    source: str,
    reveal: str | None,
    date: str | None,
    flip: bool | None,
    order: str,
    branching: str,
    every: bool,
    weight: tuple[str, ...],
    packing: bool,
    limit: int,
    form: str | None,
    theme: str,
    output: Path | None,
) -> int:
    """Solve a small INSTANCE by branch and bound, and show the tree.

    Every node's linear relaxation is solved. A node is branched on a fractional
    column, or closed: without a point, by its bound, or with a tiling. Several
    ways to search are drawn side by side (-o tree.svg). The exit code is 0 with
    a tiling, 1 if a whole tree has none, 3 if the limit came first.
    """
    form = chosen_form(form, output, report.FORMS)
    found = tree(
        instance_from(source, reveal, date, flip),
        orders=[name.strip() for name in order.split(",")],
        branchings=[name.strip() for name in branching.split(",")],
        formulation="packing" if packing else "matrix",
        weights=numbers("--weight", weight),
        every=every,
        limit=limit,
    )
    deliver_data(data(found, form, theme), form, output)
    if form != "text":
        for line in report.said(found):
            note(line)
    return exit_code(found)
