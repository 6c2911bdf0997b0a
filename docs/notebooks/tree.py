# %% [markdown]
# # Notebook: the branch-and-bound tree
#
# How a solver handles fractional points: it branches, by fixing a variable at 1 and at 0.
#
# The first cell installs calmip, in Colab, in Binder and on your computer.

# %%
# %pip install --quiet calmip --find-links https://calmip.github.io/calmip/how-to/install.html

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
# With an objective, nodes are also pruned by bound: maximise the covered cells.

# %%
packing = calmip.tree(six, packing=True)
packing

# %% [markdown]
# The rules of node selection and branching change the tree of an instance, but not its tilings:

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
