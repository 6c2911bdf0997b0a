"""Exercise 2: the placement model in PuLP."""

import pulp


def name(piece, cells):
    """Return the name of a variable, such as L_00_01_02_10."""
    return piece + "".join(f"_{row}{column}" for row, column in sorted(cells))


def to_cover(puzzle):
    """Return the set of cells (row, column) that have to be covered."""
    return {
        (row, column)
        for row, labels in enumerate(puzzle["board"])
        for column, label in enumerate(labels)
        if label != "." and label not in puzzle["uncover"]
    }


def orientations(cells, flip):
    """Return the different shapes of a piece that is turned (and turned over)."""
    shapes = set()
    shape = [tuple(cell) for cell in cells]
    for _ in range(2 if flip else 1):
        for _ in range(4):
            shape = [(column, -row) for row, column in shape]
            top, left = min(row for row, _ in shape), min(column for _, column in shape)
            shapes.add(tuple(sorted((row - top, column - left) for row, column in shape)))
        shape = [(row, -column) for row, column in shape]
    return shapes


def placements(puzzle):
    """Yield every piece with every set of cells that it can lie on."""
    free = to_cover(puzzle)
    height = len(puzzle["board"])
    width = len(puzzle["board"][0])
    for piece, cells in puzzle["pieces"].items():
        for shape in orientations(cells, puzzle["flip"]):
            for down in range(height):
                for right in range(width):
                    placed = [(row + down, column + right) for row, column in shape]
                    if free.issuperset(placed):
                        yield piece, tuple(placed)


def build(puzzle):
    """Return a problem whose solutions are the tilings of the puzzle."""
    problem = pulp.LpProblem("puzzle", pulp.LpMinimize)
    x = {
        (piece, cells): problem.add_variable(name(piece, cells), cat="Binary")
        for piece, cells in placements(puzzle)
    }
    problem += pulp.lpSum(x.values())
    for cell in sorted(to_cover(puzzle)):
        covering = [variable for (_, cells), variable in x.items() if cell in cells]
        problem += pulp.lpSum(covering) == 1, f"cell_{cell[0]}{cell[1]}"
    for piece in puzzle["pieces"]:
        problem += pulp.lpSum(v for (p, _), v in x.items() if p == piece) == 1, f"piece_{piece}"
    return problem
