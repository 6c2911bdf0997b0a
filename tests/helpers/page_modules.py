"""The page as tests see it: its modules under Node, and puzzles that nobody has seen before."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from random_rules import RULES
from requirements import missing

from calmip import Board, Instance, Piece, Puzzle
from calmip.puzzle.lattice import LATTICES, SHAPES, Lattice

ROOT = Path(__file__).parents[2]
WEB = ROOT / "web"

Question = tuple[str, dict[str, Any]]


def node() -> str:
    """Return the path of Node, version 20 or newer, with the page's packages installed."""
    found = shutil.which("node")
    if found is None:
        missing("node")
    assert found is not None
    version = subprocess.run([found, "--version"], capture_output=True, text=True, check=True)
    if int(version.stdout.strip().removeprefix("v").split(".")[0]) < 20:
        missing("node 20")
    if not (WEB / "node_modules").is_dir():
        missing("web/node_modules (npm ci in web/)")
    return found


def ask(*questions: Question) -> list[Any]:
    """Return what the page's modules answer; tests/page/answer.mjs says what can be asked."""
    done = subprocess.run(
        [node(), "--disable-warning=ExperimentalWarning", ROOT / "tests/page/answer.mjs"],
        input=json.dumps(questions),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    answers = json.loads(done.stdout)
    assert len(answers) == len(questions)
    return list(answers)


def random_instance(seed: int) -> Instance:
    """Return an instance with a tiling, on a board that was grown and cut at random."""
    rng = random.Random(seed)
    lattice: Lattice = list(LATTICES.values())[seed % len(LATTICES)]
    cells = [(8, 8)]
    while len(cells) < 26 + seed:
        around = {n for cell in cells for n in lattice.neighbours(cell)} - set(cells)
        cells.append(rng.choice(sorted(cell for cell in around if min(cell) >= 0)))
    (top, *_), (left, *_) = lattice.frame(cells)
    cells = sorted((r - top, c - left) for r, c in cells)
    names = {cell: f"{'ab'[number % 2]}{number}" for number, cell in enumerate(cells)}
    for cell in rng.sample(cells, 4):
        names[cell] = "*"
    labels = [name for name in names.values() if name != "*"]
    height, width = max(r for r, _ in cells) + 1, max(c for _, c in cells) + 1
    rows = [[names.get((r, c), ".") for c in range(width)] for r in range(height)]
    groups = {g: tuple(x for x in labels if x.startswith(g)) for g in "ab"}
    shown = {group: rng.choice(group_labels) for group, group_labels in groups.items()}
    left_over = {cell for cell in cells if names[cell] not in shown.values()}
    pieces: list[list[tuple[int, int]]] = []
    while left_over:
        piece = [rng.choice(sorted(left_over))]
        left_over.remove(piece[0])
        while len(piece) < rng.randint(3, 6):
            around = {n for cell in piece for n in lattice.neighbours(cell)} & left_over
            if not around:
                break
            piece.append(rng.choice(sorted(around)))
            left_over.remove(piece[-1])
        pieces.append(piece)
    named = tuple(
        Piece(f"q{k}", tuple(part), lattice, flip=(k + seed) % 4 > 0, rotate=(k + seed) % 5 > 0)
        for k, part in enumerate(pieces)
    )
    board = Board(tuple(tuple(row) for row in rows), lattice)
    puzzle = Puzzle(f"random {seed}", board, named, groups, flip=seed % 3 > 0)
    return Instance.reveal(puzzle, shown, name=f"random {seed}")


def spare_instance(seed: int) -> Instance:
    """Return a random instance with named pieces to spare, in every third also its own."""
    whole = random_instance(seed)
    puzzle, lattice = whole.puzzle, whole.puzzle.board.lattice
    named = [
        Piece.from_rows(f"s{name}", rows, lattice) for name, rows in SHAPES[lattice.name].items()
    ]
    small = [piece for piece in named if 2 <= len(piece.cells) <= 4]
    pieces = (*puzzle.pieces, *random.Random(seed).sample(small, 4))
    found = (replace(one, optional=one not in puzzle.pieces or seed % 3 == 0) for one in pieces)
    spare = replace(puzzle, name=f"spare {seed}", pieces=tuple(found))
    return Instance(spare, whole.labels, name=spare.name)


def _drawn(rule: str) -> Callable[[int], Instance]:
    return lambda seed: RULES[rule](seed).instance


DRAWN = (random_instance, spare_instance, *map(_drawn, ("turns", "copies", "counted")))
"""Functions of a seed: instances with random boards, and with each rule on their pieces."""
