# %% [markdown]
# # Notebook: a first solve
#
# Solve a calendar puzzle as an integer program, and draw the verified solution.
#
# The first cell installs calmip, in Colab, in Binder and on your computer.

# %%
# %pip install --quiet calmip --find-links https://calmip.github.io/calmip/how-to/install.html

# %%
import calmip

puzzle = calmip.read_puzzle("a-puzzle-a-day")
puzzle

# %% [markdown]
# The pieces must cover everything except today's month and day. An *instance* is the puzzle and
# the labels to leave uncovered:

# %%
instance = calmip.read_instance("a-puzzle-a-day", reveal="Feb,29")
print(len(instance.to_cover), "cells to cover with", len(puzzle.pieces), "pieces")
# > 41 cells to cover with 8 pieces

# %% [markdown]
# Behind it is an integer program with one binary variable per *placement*:

# %%
cover = calmip.ExactCover(instance)
print(cover.columns, "columns,", cover.rows, "rows,", cover.nonzeros, "nonzeros")
print(cover.option_names[0], "is", cover.option(0))
# > 872 columns, 49 rows, 5274 nonzeros
# > L_a02 is Placement(piece='L', cells=((0, 2), (0, 3), (0, 4), (0, 5), (1, 2)))

# %%
solution = calmip.solve(instance)
print(solution.status)
solution.tiling
# > feasible

# %% [markdown]
# `solution.tiling` was verified on the board, whatever the solver claims. An infeasible date is
# found as quickly, here because no piece covers a corner:

# %%
board = calmip.read_instance("a-puzzle-a-day", reveal=["Jul", "Feb"])
solution = calmip.solve(board)
print(solution.status, "-", solution.detail)
# > infeasible - no piece can cover cell Jan (0, 0)

# %% [markdown]
# Leave the month free and let the model choose one for the 31st. It may choose February: the
# puzzle does not know the calendar.

# %%
free = calmip.read_instance("a-puzzle-a-day", reveal={"month": "free", "day": "31"})
calmip.solve(free).tiling
