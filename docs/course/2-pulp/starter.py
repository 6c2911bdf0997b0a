"""Exercise 2: the placement model, here in PuLP; its page has a beginning in Pyomo."""

import pulp


def name(piece, cells):
    """Return the name of a variable, such as L_00_01_02_10."""
    return piece + "".join(f"_{row}{column}" for row, column in sorted(cells))


def to_cover(puzzle):
    """Return the set of cells (row, column) that have to be covered."""
    return set()  # yours


def orientations(cells, flip):
    """Return the different shapes of a piece that is turned (and turned over)."""
    return [cells]  # yours


def build(puzzle):
    """Return a problem whose solutions are the tilings of the puzzle."""
    problem = pulp.LpProblem("puzzle", pulp.LpMinimize)
    x = {}
    for piece, cells in puzzle["pieces"].items():
        for shape in orientations(cells, puzzle["flip"]):
            placed = [(row, column) for row, column in shape]  # only here? yours
            x[piece, tuple(placed)] = problem.add_variable(name(piece, placed), cat="Binary")
    problem += pulp.lpSum(x.values())
    # the equations are yours
    return problem
