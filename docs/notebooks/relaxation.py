# %% [markdown]
# # Notebook: the linear relaxation
#
# Halves of pieces, what they cost, and the cuts that forbid them.
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
six

# %% [markdown]
# There is no tiling: the T leaves two cells that do not touch. But let every variable be any number
# from 0 to 1. Each cell is drawn in the mixture of the placements that cover it:

# %%
half = calmip.relax(six)
print(half.status, {half.cover.option_names[n]: value for n, value in half.values.items()})
half
# > optimal {'T_a00': 0.5, 'T_b01': 0.5, 'I_b00': 0.5, 'I_b02': 0.5}

# %% [markdown]
# The four placements are pairwise in conflict, so at most one of them can be made: a *clique cut*.
# With it there is no point left, and so no tiling:

# %%
cut = calmip.relax(six, cuts=["clique"])
print(cut.status)
# > infeasible

# %% [markdown]
# The packing model covers as many cells as it can. The *dual price* of a row says what one more
# unit of it would be worth. The prices are a certificate of the bound: times their demands they
# add up to it.

# %%
packing = calmip.relax(six, packing=True)
print("bound", packing.bound)
demand = packing.cover.demand
total = sum(price * demand[row] for row, price in packing.prices.items())
print("prices", sorted(packing.prices.values()), "add up to", total)
# > bound 6.0
# > prices [2.0, 4.0] add up to 6.0

# %% [markdown]
# Cuts in rounds bring the bound down to what whole placements can do:

# %%
packing = calmip.relax(six, packing=True, cuts=["clique", "odd-hole"])
print("bound", packing.bound)
print("whole", len(calmip.solve(six, formulation="packing").packing.owner))
# > bound 4.0
# > whole 4

# %% [markdown]
# A branching by hand: fix a placement at 1, and at 0.

# %%
for value in (1, 0):
    print("I_b00 =", value, calmip.relax(six, fix={"I_b00": value}).status)
# > I_b00 = 1 infeasible
# > I_b00 = 0 infeasible

# %% [markdown]
# A real board, leap day:

# %%
leap = calmip.relax(calmip.read_instance("a-puzzle-a-day", reveal="Feb,29"))
print(leap.status, leap.cover.columns, "columns")
leap
# > optimal 872 columns
