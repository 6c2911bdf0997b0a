# %% [markdown]
# # Notebook: the branch-and-bound tree
#
# What a solver does with fractional points: fix a variable, once at 1 and once at 0, and again.
#
# The first cell installs calmip; with a copy of the source beside the notebook write
# `%pip install .` instead.

# %%
# %pip install --quiet calmip

# %%
import calmip

pieces = (calmip.Piece.from_rows("T", ["###", ".#."]), calmip.Piece.from_rows("I", ["##"]))
board = calmip.Board.from_text(["a b c", "d e f"])
six = calmip.Instance(calmip.Puzzle("six cells", board, pieces))
small = calmip.tree(six)
print(small.status, len(small.searches[0].nodes), "nodes")
small
# > infeasible 3 nodes

# %% [markdown]
# With an objective, bounds close nodes as well: as many cells as possible, none twice.

# %%
packing = calmip.tree(six, packing=True)
packing

# %% [markdown]
# Which node is next, and which column is branched on, make different trees of one instance. All of
# them have the same tilings:

# %%
pieces = (
    calmip.Piece.from_rows("L", ["###", "#.."]),
    calmip.Piece.from_rows("V", ["##", "#."]),
    calmip.Piece.from_rows("I", ["###"]),
)
grid = ["Jan Feb 1 2", "3 4 5 6", "a b c d"]
puzzle = calmip.Puzzle("small calendar", calmip.Board.from_text(grid), pieces)
date = calmip.Instance(puzzle, ("Feb", "1"))
ways = calmip.tree(
    date,
    order=["depth-first", "best-first"],
    branching=["most-fractional", "pseudo-cost"],
    every=True,
)
print([len(search.solutions) for search in ways.searches], len(calmip.enumerate(date)))
ways
# > [4, 4, 4, 4] 4
