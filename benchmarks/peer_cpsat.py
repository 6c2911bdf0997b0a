"""A calendar puzzle solved with CP-SAT as a plain script: the peer of `calmip solve`.

    python benchmarks/peer_cpsat.py BOARD LABEL LABEL...
    python benchmarks/peer_cpsat.py --warm

The second reads lines `BOARD LABEL LABEL...` and answers each with the seconds that
it took, model and all, in this one process. Nothing but the standard library and
ortools is imported.
"""

from __future__ import annotations

import sys
import time

from ortools.sat.python import cp_model

SHAPES = {
    "L": ["####", "#..."],
    "N": ["##..", ".###"],
    "P": ["##", "##", "#."],
    "U": ["#.#", "###"],
    "V": ["#..", "#..", "###"],
    "X": [".#.", "###", ".#."],
    "Y": ["####", ".#.."],
    "Z": ["##.", ".#.", ".##"],
    "L4": ["###", "#.."],
    "T4": ["###", ".#."],
    "S4": ["##.", ".##"],
    "O4": ["##", "##"],
    "O6": ["###", "###"],
    "F": [".##", "##.", ".#."],
    "W": ["#..", "##.", ".##"],
}
MONTHS = ["Jan Feb Mar Apr May Jun .", "Jul Aug Sep Oct Nov Dec ."]
DAYS = ["1 2 3 4 5 6 7", "8 9 10 11 12 13 14", "15 16 17 18 19 20 21", "22 23 24 25 26 27 28"]
RHOMBUS = [
    ". Mon Wed 5 1 . . .",
    "Tue Thu Sat 10 6 2 . .",
    "Fri Sun 15 13 11 7 3 .",
    "23 20 18 16 14 12 8 4",
    "28 24 21 19 17 Jan Mar 9",
    ". 29 25 22 Feb Apr Jun Aug",
    ". . 30 26 May Jul Sep Nov",
    ". . . 31 27 Oct Dec .",
]
BOARDS = {
    "a-puzzle-a-day": ([*MONTHS, *DAYS, "29 30 31 . . . ."], "L N P U V Y Z O6"),
    "palmetto-whole-year": ([*MONTHS, *DAYS, ". . 29 30 31 . ."], "L P U X Z O4 S4 T4 L4"),
    "praxis-rhombus": (RHOMBUS, "F N P U V W X L4 S4 T4"),
}


def orientations(rows):
    cells = [(r, c) for r, row in enumerate(rows) for c, mark in enumerate(row) if mark == "#"]
    found = set()
    for mirrored in (cells, [(r, -c) for r, c in cells]):
        turned = mirrored
        for _ in range(4):
            turned = [(c, -r) for r, c in turned]
            top, left = min(r for r, _ in turned), min(c for _, c in turned)
            found.add(tuple(sorted((r - top, c - left) for r, c in turned)))
    return sorted(found)


def tiled(board, *revealed):
    grid, pieces = BOARDS[board]
    cells = {
        (r, c)
        for r, row in enumerate(grid)
        for c, label in enumerate(row.split())
        if label != "." and label not in revealed
    }
    model = cp_model.CpModel()
    covering = {cell: [] for cell in cells}
    placements = []
    for piece in pieces.split():
        of_piece = []
        for shape in orientations(SHAPES[piece]):
            for r in range(8):
                for c in range(8):
                    covered = [(r + down, c + right) for down, right in shape]
                    if all(cell in cells for cell in covered):
                        x = model.new_bool_var("")
                        of_piece.append(x)
                        placements.append((x, piece, covered))
                        for cell in covered:
                            covering[cell].append(x)
        model.add_exactly_one(of_piece)
    for options in covering.values():
        model.add_exactly_one(options)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    if solver.solve(model) != cp_model.OPTIMAL:
        sys.exit("no tiling")
    drawing = [["." if label == "." else label for label in row.split()] for row in grid]
    for x, piece, covered in placements:
        if solver.value(x):
            for r, c in covered:
                drawing[r][c] = piece
    return drawing


def main(*arguments):
    if arguments != ("--warm",):
        for row in tiled(*arguments):
            print(" ".join(f"{label:>3}" for label in row))
        return
    for line in sys.stdin:
        started = time.process_time()
        tiled(*line.split())
        print(time.process_time() - started, flush=True)


main(*sys.argv[1:])
