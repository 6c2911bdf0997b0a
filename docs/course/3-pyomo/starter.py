"""Exercise 3: the placement model in Pyomo."""

import pyomo.environ as pyo


def name(piece, cells):
    """Return the name of a variable, such as L_00_01_02_10."""
    return piece + "".join(f"_{row}{column}" for row, column in sorted(cells))


def placements(puzzle):
    """Return a dictionary from a name to its (piece, cells): yours, from exercise 2."""
    return {}


def build(puzzle):
    """Return a model whose solutions are the tilings of the puzzle."""
    found = placements(puzzle)
    model = pyo.ConcreteModel()
    model.x = pyo.Var(list(found), domain=pyo.Binary)
    # the constraints are yours
    return model
