"""Eight instances for MIPLIB: models, solutions, descriptions, and the rules that they satisfy.

    python -m benchmarks.submission FOLDER                 writes the eight instances
    python -m benchmarks.submission FOLDER --seconds 60    and has six solvers solve them

The folder has the models, ``NAME.sol`` where a solution is known, ``NAME.md`` with the model's
description, and ``rules.csv`` with the figures behind the rules of MIPLIB 2017 (Gleixner et al.
2021, https://doi.org/10.1007/s12532-020-00194-3). With ``--seconds`` it also has the CPU seconds of
each solver, without its start.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np

from benchmarks.generated import EVERY, model_of, run
from calmip.bench.campaign.campaign_file import ModelFile, read_campaign
from calmip.bench.generate import _beside
from calmip.bench.random_families import FAMILIES, Drawn, Shape, draw
from calmip.bench.server import end_servers
from calmip.mip.files.model_files import known_beside, read_model
from calmip.mip.model import Model
from calmip.puzzle.cover import ExactCover
from calmip.puzzle.documents.serialise import csv_text
from calmip.puzzle.search.exact_cover.search import solutions
from calmip.puzzle.tasks.instance_library import Given, LibraryWriter

MAX_NONZEROS, MAX_COEFFICIENT, MAX_DYNAMISM = 10**6, 10.0**10, 10.0**6
"""The limits of an instance that is suitable for MIPLIB's benchmark set."""

EASY_CPU_SECONDS = 10.0
"""Half of the solvers have to need more CPU seconds than these."""


class Chosen(NamedTuple):
    """An instance, its group (the same model with other data), and the model's description."""

    name: str
    group: str
    about: str


def of_suite(name: str) -> Drawn:
    """Return an instance of the suite *hard*, with a solution if a short search finds one."""
    (one,) = (item for item in read_campaign("hard").instances if item.what.name == name)
    if isinstance(one.what, ModelFile):
        known, _ = known_beside(one.what.path.parent)[name]
        return Drawn(read_model(one.what.path), known, "see below")
    cover = ExactCover(one.what)
    if one.known is not None:
        return Drawn(cover, one.known, "see below")
    point = dict.fromkeys(next(solutions(cover, limit=1)), 1.0)
    return Drawn(cover, ("opt", 0.0), "a search", point)


def of_family(name: str) -> Drawn:
    """Return the instance that `calmip generate` draws first, by its name."""
    family, size, *_ = name.split("-")
    shape, answer = Shape(int(size)), "feasible"
    return draw(family, shape, answer, f"{name} {shape} {answer}")


def command(name: str) -> str:
    """Return the command that writes an instance, among others of its suite."""
    family, size, *others = name.split("-")
    if family not in FAMILIES:
        return "calmip export suite hard -o hard"
    return f"calmip generate {family} --size {size} --seed {others[0]} -o {family}"


BOARDS = """A binary column is a placement of a piece on the board: `P@n` is piece P, with
its orientation and place numbered. A row of a cell has the placements that cover the cell, a row
of a piece all placements of the piece; each is an equation with the right side 1, or the
number of equal pieces. The columns of a solution are a tiling of the board."""

EIGHT = (
    Chosen("l4-10x10", "l-tetromino-parity", BOARDS + """
Twenty-five L-tetrominoes shall fill a square of 10 x 10 cells. Each covers an odd number of cells
of every second row, and there are fifty such cells, an even number: so there is no solution. The
linear relaxation has one. The sum of the rows of these cells modulo 2 is a proof."""),
    Chosen("l4-14x14", "l-tetromino-parity", BOARDS + """
As l4-10x10, with forty-nine pieces on 14 x 14 cells."""),
    Chosen("pentominoes-10x12", "polyomino-boxes", BOARDS + """
Two sets of the twelve pentominoes fill a box of 10 x 12 cells. There are many solutions, with the
symmetries of the box and of equal pieces."""),
    Chosen("pentominoes-6x20", "polyomino-boxes", BOARDS + """
As pentominoes-10x12, in a box of 6 x 20 cells."""),
    Chosen("design-8", "calendar-piece-choice", """A calendar puzzle has a board with twelve
months and 31 days; its pieces leave the labels of a date uncovered. Which eight pieces solve each
of eight dates? The binary column `yN_0` takes piece N of a pool; `xD_P` is placement P on date D.
A row of a date and a cell covers it once; a row of a date and a piece says that the piece has as
many placements there as it is taken. The dates share the columns y alone. There is no objective.
The answer is known by counting the tilings of all 792 sets of pieces."""),
    Chosen("rearrange-5x10", "calendar-arrangement", """Five months and ten days are put onto cells
of a board. The cost of a month's and a day's cell is the square of a difference of ranks. It is a
quadratic assignment problem with two sets of labels, linearised as by Adams and Johnson (1994): a
column for each product of a month's place and a day's place, with rows for its sums. The optimum is
known, as for each order of the months the best order of the days is an assignment problem."""),
    Chosen("rearrange-6x12", "calendar-arrangement", """As rearrange-5x10, with six months
and twelve days."""),
    Chosen("arrangement-8-1-001", "qap-kaufman-broeckx", """Labels are put onto the cells of a
square so that the sum of flow times distance over all pairs is least: a quadratic assignment
problem, linearised as by Kaufman and Broeckx (1978, https://doi.org/10.1016/0377-2217(78)90095-4).
Each label and cell has a continuous column, and a row with a large coefficient that binds it. The
optimum is that of all permutations."""),
)  # fmt: skip


class Figures(NamedTuple):
    """The figures of a model on which the rules rest."""

    binary: int
    integer: int
    continuous: int
    rows: int
    nonzeros: int
    coefficient: float
    row_dynamism: float
    cost_dynamism: float

    @property
    def suitable(self) -> bool:
        """Whether size and numbers are within the limits."""
        return (
            self.nonzeros <= MAX_NONZEROS
            and self.coefficient < MAX_COEFFICIENT
            and max(self.row_dynamism, self.cost_dynamism) <= MAX_DYNAMISM
        )


def figures(model: Model) -> Figures:
    """Return the figures of a model; a dynamism is the greatest over the least absolute value."""
    whole, low, high = map(np.asarray, (model.integer, model.column_lower, model.column_upper))
    binary = whole.astype(bool) & (low >= 0) & (high <= 1)
    values, cost = np.abs(np.asarray(model.value)), np.abs(np.asarray(model.cost))
    starts = np.asarray(model.start)
    rows = [values[one:two] for one, two in pairwise(starts) if two > one]
    costs = cost[cost > 0]
    return Figures(
        int(binary.sum()),
        int(whole.sum() - binary.sum()),
        int((1 - whole).sum()),
        len(model.rows),
        model.nonzeros,
        float(values.max()),
        float(max(row.max() / row.min() for row in rows)),
        float(costs.max() / costs.min()) if len(costs) else 1.0,
    )


def description(one: Chosen, drawn: Drawn, found: Figures) -> str:
    """Return the text that goes with an instance."""
    word, value = drawn.known
    words = {"inf": "infeasible", "opt": "optimum", "best": "best known objective"}
    answer = words.get(word, "feasible")
    return f"""# {one.name}

* group: {one.group}
* status: {answer}{"" if value is None else f" {value:g}"} ({drawn.reason})
* columns: {found.binary} binary, {found.integer} integer, {found.continuous} continuous
* rows: {found.rows}; nonzeros: {found.nonzeros}
* made by: `{command(one.name)}` (calmip)
* licence: see LICENSE
* submitter: add your name and address

{one.about}
"""


def solved(model: Model, seconds: float) -> list[str]:
    """Return the CPU seconds of each solver; "-" for one that does not end."""
    words = []
    for solver in EVERY:
        word, _, used = run(model, solver, seconds)
        words.append(
            f"{used:.2f}" if word in ("opt", "inf") else "unfit" if word == "unfit" else "-"
        )
        print(f"{solver} {words[-1]}", end="; ", flush=True)
    return words


def suits(words: Sequence[str]) -> bool:
    """Return whether a solver ended and half of those that take the model needed long."""
    taken = [word for word in words if word != "unfit"]
    slow = sum(word == "-" or float(word) > EASY_CPU_SECONDS for word in taken)
    return slow < len(taken) and 2 * slow >= len(taken)


def write(folder: Path, seconds: float | None) -> None:
    """Write the instances, and print what they have by the rules."""
    writer = LibraryWriter(folder, suffix=".mps.gz", force=True)
    head = ["instance", "group", *Figures._fields, "suitable"]
    rows: list[list[object]] = []
    for one in EIGHT:
        drawn = (of_family if one.name.split("-")[0] in FAMILIES else of_suite)(one.name)
        model = model_of(drawn)
        found = figures(model)
        texts = {**_beside(one.name, drawn), ".md": description(one, drawn, found)}
        writer.add(Given(one.name, drawn.model, drawn.known), texts)
        rows.append([one.name, one.group, *found, found.suitable])
        print(one.name, *found, found.suitable, sep=", ", flush=True)
        if seconds is not None:
            words = solved(model, seconds)
            rows[-1] += [*words, suits(words)]
            print(suits(words), flush=True)
    more = [] if seconds is None else [*EVERY, "hard_enough"]
    writer.finish(
        "Eight instances",
        about="NAME.md describes each model; rules.csv has what the rules of MIPLIB 2017 ask.",
        beside={"rules.csv": csv_text([*head, *more], rows)},
    )


def main() -> None:
    """Write the folder."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seconds", type=float, help="of each run of a solver")
    given = parser.parse_args()
    try:
        write(given.folder, given.seconds)
    finally:
        end_servers()


if __name__ == "__main__":
    main()
