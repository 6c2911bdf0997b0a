"""``calmip solvers`` and ``calmip puzzles``."""

from __future__ import annotations

import click

from calmip.cli import FOUND
from calmip.cli.options import deliver, terminal_style
from calmip.errors import SolverMissing, shown
from calmip.models import FORMULATIONS, package_version
from calmip.reader import bundled_puzzles, read_puzzle
from calmip.render.text import draw_board
from calmip.solvers import SOLVERS, solver_named

__all__ = ["puzzles_command", "solvers_command"]


@click.command("solvers")
def solvers_command() -> int:
    """List the solvers and formulations: version, where found, how to get what is missing."""
    rows = []
    for name in SOLVERS:
        try:
            here = solver_named(name).availability()
        except SolverMissing as error:
            rows.append((name, "missing", str(error)))
            continue
        if here.found is None:
            rows.append((name, "missing", here.remedy))
        else:
            rows.append((name, here.version or "version unknown", here.found))
    lines = ["solvers", *_columns(rows), "", "formulations"]
    rows = []
    for name, (_, _, package) in FORMULATIONS.items():
        version = package_version(name)
        remedy = f"pip install {package}"
        rows.append((name, version or "missing", (package or "built in") if version else remedy))
    deliver("\n".join([*lines, *_columns(rows)]) + "\n", None)
    return FOUND


@click.command("puzzles")
@click.argument("name", required=False)
def puzzles_command(name: str | None) -> int:
    """List the bundled puzzles, or show the board, pieces, sources and known counts of one.

    NAME is the name of a bundled puzzle, or the path of a puzzle in YAML.
    """
    if name is None:
        rows = []
        for bundled in bundled_puzzles():
            puzzle = read_puzzle(bundled)
            size = f"{len(puzzle.board.cells)} cells, {len(puzzle.pieces)} pieces"
            rows.append((bundled, size, puzzle.name))
        deliver("\n".join(_columns(rows, indent="")) + "\n", None)
        return FOUND
    puzzle = read_puzzle(name)
    lines = [puzzle.name, draw_board(puzzle.board, terminal_style(None))]
    lines.append(f"uncover: {', '.join(puzzle.groups) or 'nothing'}")
    lines.append(f"pieces may be turned over: {'yes' if puzzle.flip else 'no'}")
    for piece in puzzle.pieces:
        across = [column for _, column in piece.cells]
        marks = [
            "".join(
                "#" if (row, column) in piece.cells else " "
                for column in range(min(across), max(across) + 1)
            ).rstrip()
            for row in range(piece.cells[-1][0] + 1)
        ]
        lines.append("")
        lines.extend(
            f"{piece.name if number == 0 else '':>8}  {mark}" for number, mark in enumerate(marks)
        )
    if puzzle.note:
        lines += ["", *f"note: {puzzle.note}".splitlines()]
    if puzzle.counts:
        lines += ["", "published counts: " + "; ".join(_counts(puzzle.counts))]
    if puzzle.sources:
        lines += ["", "sources:", *(f"  {source}" for source in puzzle.sources)]
    # What is carried along for people was not checked; a terminal might obey it.
    lines[2:] = [shown(line, 10_000) for line in lines[2:]]
    deliver("\n".join(lines) + "\n", None)
    return FOUND


def _counts(counts: object) -> list[str]:
    if not isinstance(counts, dict):
        return [str(counts)]
    return [
        f"{key} ({', '.join(_counts(value))})" if isinstance(value, dict) else f"{key}: {value}"
        for key, value in counts.items()
    ]


def _columns(rows: list[tuple[str, str, str]], indent: str = "  ") -> list[str]:
    """Return rows of three texts as aligned lines."""
    widths = [max(len(row[place]) for row in rows) for place in range(2)]
    return [
        f"{indent}{first:<{widths[0]}}  {second:<{widths[1]}}  {third}"
        for first, second, third in rows
    ]
