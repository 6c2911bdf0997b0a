# %% [markdown]
# # Notebook: from puzzle to model
#
# The placement model, written by hand in PuLP, and why it needs integers.
#
# The first cell installs calmip, in Colab, in Binder and on your computer.

# %%
# %pip install --quiet calmip --find-links https://calmip.github.io/calmip/how-to/install.html

# %%
import pulp

import calmip

board = calmip.Board.from_text(["a b c", "d e f"])
board

# %%
T = calmip.Piece.from_rows("T", ["###", ".#."])
T

# %%
domino = calmip.Piece.from_rows("I", ["##"])
instance = calmip.Instance(calmip.Puzzle("six cells", board, (domino, T)))
cover = calmip.ExactCover(instance)
for number, name in enumerate(cover.option_names):
    print(name, *cover.option(number).cells)
# > I_a00 (0, 0) (0, 1)
# > I_a01 (0, 1) (0, 2)
# > I_a10 (1, 0) (1, 1)
# > I_a11 (1, 1) (1, 2)
# > I_b00 (0, 0) (1, 0)
# > I_b01 (0, 1) (1, 1)
# > I_b02 (0, 2) (1, 2)
# > T_a00 (0, 0) (0, 1) (0, 2) (1, 1)
# > T_b01 (0, 1) (1, 0) (1, 1) (1, 2)

# %% [markdown]
# One equation per cell and per piece. With `cat="Continuous"` the same function gives the LP
# relaxation:


# %%
def placement_model(cover, cat):
    problem = pulp.LpProblem("six", pulp.LpMinimize)
    x = [problem.add_variable(name, 0, 1, cat=cat) for name in cover.option_names]
    problem += pulp.lpSum(x)
    for item, options in zip(cover.items, cover.options_of(), strict=True):
        problem += pulp.lpSum(x[option] for option in options) == item.demand, item.name
    problem.solve(pulp.getSolver("HiGHS", msg=False))
    return problem, x


problem, x = placement_model(cover, "Continuous")
print(sum(variable.value() for variable in x))
print([variable.name for variable in x if abs(variable.value() - 0.5) < 1e-6])
# > 2.0
# > ['I_b00', 'I_b02', 'T_a00', 'T_b01']

# %% [markdown]
# Four half pieces cover every cell once, but the integer program is infeasible:

# %%
print(calmip.solve(instance, formulation="pulp").status)
# > infeasible

# %% [markdown]
# How near does a packing come? The packing model maximises the number of covered cells:

# %%
best = calmip.solve(instance, formulation="packing").packing
print(len(best.owner), "of", len(instance.to_cover), "cells")
# > 4 of 6 cells
