# %% [markdown]
# # Notebook: the LP relaxation
#
# Fractional points, dual prices, and the cuts that cut such points off.
#
# The first cell installs calmip, in Colab, in Binder and on your computer.

# %%
# %pip install --quiet calmip --find-links https://calmip.github.io/calmip/how-to/install.html

# %%
import calmip

pieces = (calmip.Piece.from_rows("T", ["###", ".#."]), calmip.Piece.from_rows("I", ["##"]))
board = calmip.Board.from_text(["a b c", "d e f"])
six = calmip.Instance(calmip.Puzzle("six cells", board, pieces))
six

# %% [markdown]
# There is no tiling: the T leaves two cells that do not touch. In the LP relaxation every variable
# is a number from 0 to 1. Stripes show the shares of the placements on each cell:

# %%
half = calmip.relax(six)
print(half.status, {half.cover.option_names[n]: value for n, value in half.values.items()})
half
# > optimal {'T_a00': 0.5, 'T_b01': 0.5, 'I_b00': 0.5, 'I_b02': 0.5}

# %% [markdown]
# The four placements are pairwise in conflict, so at most one of them can be chosen: a *clique
# cut*. With it the relaxation is infeasible, and so is the puzzle:

# %%
cut = calmip.relax(six, cuts=["clique"])
print(cut.status)
# > infeasible

# %% [markdown]
# The packing model maximises the number of covered cells. The *dual price* of a row is the gain
# from one more unit of its right-hand side. The prices certify the bound: times the right-hand
# sides they add up to it.

# %%
packing = calmip.relax(six, packing=True)
print("bound", packing.bound)
demand = packing.cover.demand
total = sum(price * demand[row] for row, price in packing.prices.items())
print("prices", sorted(packing.prices.values()), "add up to", total)
# > bound 6.0
# > prices [2.0, 4.0] add up to 6.0

# %% [markdown]
# Rounds of cuts lower the bound to the integer optimum:

# %%
packing = calmip.relax(six, packing=True, cuts=["clique", "odd-hole"])
print("bound", packing.bound)
print("whole", len(calmip.solve(six, formulation="packing").packing.owner))
# > bound 4.0
# > whole 4

# %% [markdown]
# Branch by hand: fix a placement at 1, and at 0.

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
