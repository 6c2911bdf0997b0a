"""Exercise 3: the placement model in Pyomo."""

import pyomo.environ as pyo


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
    """Return a model whose solutions are the tilings of the puzzle."""
    found = {name(piece, cells): (piece, cells) for piece, cells in placements(puzzle)}
    model = pyo.ConcreteModel()
    model.x = pyo.Var(list(found), domain=pyo.Binary)

    def covered(model, row, column):
        covering = [model.x[key] for key, (_, cells) in found.items() if (row, column) in cells]
        return sum(covering) == 1 if covering else pyo.Constraint.Infeasible

    def used(model, piece):
        ways = [model.x[key] for key, (p, _) in found.items() if p == piece]
        return sum(ways) == 1 if ways else pyo.Constraint.Infeasible

    model.cells = pyo.Constraint(sorted(to_cover(puzzle)), rule=covered)
    model.pieces = pyo.Constraint(list(puzzle["pieces"]), rule=used)
    return model
