# %% [markdown]
# # Notebook: all solutions
#
# Find every tiling of leap day, and prove that there are no more.
#
# The first cell installs calmip, in Colab, in Binder and on your computer.

# %%
# %pip install --quiet calmip --find-links https://calmip.github.io/calmip/how-to/install.html

# %%
import calmip

instance = calmip.read_instance("a-puzzle-a-day", reveal="Feb,29")
pool = calmip.enumerate(instance)
pool

# %%
print(len(pool), pool.complete)
# > 64 True

# %% [markdown]
# How different are they? Two tilings share a placement if the same piece covers the same
# cells. Any two differ in at least two placements, as the last piece fills the remaining cells.

# %%
from itertools import combinations

shared = [len(set(a.placements) & set(b.placements)) for a, b in combinations(pool, 2)]
print("most shared:", max(shared), "of", len(instance.puzzle.pieces))
# > most shared: 6 of 8

# %% [markdown]
# So the no-good cut with right-hand side $k - 2$ cuts off one tiling and nothing else.
# Solve, cut, solve again, on a small board:

# %%
small = calmip.Instance(
    calmip.Puzzle(
        "six cells",
        calmip.Board.from_text(["a b c", "d e f"]),
        (
            calmip.Piece.from_rows("L", ["###", "#.."]),
            calmip.Piece.from_rows("I", ["##"]),
        ),
    )
)
search = calmip.Enumeration(small, method="no-good", no_good_cut="k-2", swaps=0)
print(len(list(search)), "tilings, complete:", search.complete)
calmip.SolutionPool.of(search)
# > 4 tilings, complete: True

# %% [markdown]
# Counting a whole year takes one search over the model in which month and day are free:

# %%
found = calmip.count(calmip.read_instance("a-puzzle-a-day", free=True))
year = {tuple(reveal.values()): number for reveal, number in found.counts}
print(f"{found.total:,} tilings of {len(year)} pairs of a month and a day")
print("fewest:", min(year, key=year.get), "most:", max(year, key=year.get))
# > 25,061 tilings of 372 pairs of a month and a day
# > fewest: ('Oct', '6') most: ('Jan', '25')
