# %% [markdown]
# # Notebook: write the model yourself
#
# A small calendar puzzle as an integer program, line by line, in PuLP and in Pyomo.
#
# The first cell installs calmip, in Colab, in Binder and on your computer.

# %%
# %pip install --quiet calmip --find-links https://calmip.github.io/calmip/how-to/install.html

# %% [markdown]
# ## The problem
#
# The board has twelve cells: two months, six days, and four cells that are always covered. Three
# pieces of four, three and three cells cover ten of them, and leave the date: a month and a day.
# Pieces may be turned and turned over. How do they cover the board on 1 February?

# %%
grid = ["Jan Feb 1 2", "3   4   5 6", "*   *   * *"]
pieces = {"L": ["###", "#.."], "V": ["##", "#."], "I": ["###"]}
date = ["Feb", "1"]

# %% [markdown]
# ## Sets and data
#
# A model begins with its sets. The first is the set of *cells to cover*, each as row and column:

# %%
label = {(r, c): text for r, row in enumerate(grid) for c, text in enumerate(row.split())}
to_cover = sorted(cell for cell in label if label[cell] not in date)
print(len(to_cover), "cells:", *to_cover[:4], "...")
# > 10 cells: (0, 0) (0, 3) (1, 0) (1, 1) ...

# %% [markdown]
# The second is the set of *placements*: a piece on certain cells. A piece has up to eight
# orientations; shift each of them over the board, and keep what lies on cells to cover.


# %%
def orientations(drawing):
    cells = [(r, c) for r, row in enumerate(drawing) for c, mark in enumerate(row) if mark == "#"]
    found = set()
    for _ in range(2):
        cells = [(r, -c) for r, c in cells]  # turn it over
        for _ in range(4):
            cells = [(c, -r) for r, c in cells]  # a quarter turn
            top, left = min(r for r, c in cells), min(c for r, c in cells)
            found.add(tuple(sorted((r - top, c - left) for r, c in cells)))
    return sorted(found)


def placements(to_cover):
    return [
        (piece, tuple((r + down, c + right) for down, right in shape))
        for piece, drawing in pieces.items()
        for shape in orientations(drawing)
        for r in range(3)
        for c in range(4)
        if all((r + down, c + right) in to_cover for down, right in shape)
    ]


P = placements(to_cover)
print({piece: len(orientations(drawing)) for piece, drawing in pieces.items()})
print(len(P), "placements, the first of them:", P[0])
# > {'L': 8, 'V': 4, 'I': 2}
# > 32 placements, the first of them: ('L', ((1, 0), (1, 1), (1, 2), (2, 0)))

# %% [markdown]
# This ends the geometry: the board, the date and the allowed motions decide *which placements
# exist*. (The most common error is to forget turning over: the set is too small, and no equation
# shows it.)
#
# ## The mathematics
#
# Let $x_p = 1$ if placement $p$ is chosen, and 0 if not. Every cell is covered once, every piece
# used once:
#
# $$\sum_{p \ni c} x_p = 1 \quad \text{for all cells } c, \qquad
# \sum_{p \text{ of } k} x_p = 1 \quad \text{for all pieces } k, \qquad x_p \in \{0, 1\}.$$
#
# There is no objective: any feasible solution will do.
#
# ## PuLP, line by line
#
# Create a problem, and a variable for every placement, named after piece and cells:

# %%
import pulp


def name_of(piece, cells):
    return piece + "".join(f"_{r}{c}" for r, c in cells)


problem = pulp.LpProblem("calendar", pulp.LpMinimize)
x = {p: problem.add_variable(name_of(*p), cat="Binary") for p in P}

# %% [markdown]
# The equations read as in the formula: `lpSum` is the sum, `==` makes a constraint, `+=` adds it.

# %%
for cell in to_cover:
    problem += pulp.lpSum(x[p] for p in P if cell in p[1]) == 1, f"cell_{cell[0]}_{cell[1]}"
for piece in pieces:
    problem += pulp.lpSum(x[p] for p in P if p[0] == piece) == 1, f"piece_{piece}"

print(len(x), "variables,", len(problem.constraints()), "constraints")
# > 32 variables, 13 constraints

# %% [markdown]
# Solve it. Read the status before the values.

# %%
solver = pulp.getSolver("HiGHS", msg=False)


def solve(problem):
    """Solve, and return why the solver stopped."""
    answer = problem.solve(solver)
    code = getattr(answer, "status", answer)  # PuLP 3 returns the number alone
    return {1: "Optimal", -1: "Infeasible"}.get(code, "stopped early")


print(solve(problem))
# > Optimal

# %% [markdown]
# Solvers use floating-point arithmetic, so a variable that is 1 may be 0.9999999 (the *integrality
# tolerance*). Test for more than a half, then draw:


# %%
def chosen(variables):
    return [p for p, variable in variables.items() if variable.value() > 0.5]


def draw(tiling, uncovered):
    on = {cell: piece for piece, cells in tiling for cell in cells}
    for r in range(3):
        print(*(f"{on.get((r, c), label[r, c]):>3}" for c in range(4)))
    assert all(label[cell] in uncovered for cell in label if cell not in on)


assert len(chosen(x)) == 3
print("covered:", sum(len(cells) for _, cells in chosen(x)), "cells")
# > covered: 10 cells

# %% [markdown]
# `draw(chosen(x), date)` shows the tiling. There are four; which one comes first depends on the
# solver. To find all, cut off each one and solve again until the model is infeasible. With three
# pieces, at most two of the three placements may come again (a *no-good cut*):

# %%
found, why = [], "Optimal"
while why == "Optimal":
    found.append(chosen(x))
    problem += pulp.lpSum(x[p] for p in found[-1]) <= 2, f"no_good_{len(found)}"
    why = solve(problem)

print(len(found), "tilings, then", why)
draw(min(found), date)
# > 4 tilings, then Infeasible
# >   L Feb   1   I
# >   L   V   V   I
# >   L   L   V   I

# %% [markdown]
# ## Change it
#
# A further condition is a further row. First a fresh model, as a function:


# %%
def model(options, to_cover):
    problem = pulp.LpProblem("calendar", pulp.LpMinimize)
    x = {p: problem.add_variable(name_of(*p), cat="Binary") for p in options}
    for cell in to_cover:
        problem += (
            pulp.lpSum(x[p] for p in options if cell in p[1]) == 1,
            f"cell_{cell[0]}_{cell[1]}",
        )
    for piece in pieces:
        problem += pulp.lpSum(x[p] for p in options if p[0] == piece) == 1, f"piece_{piece}"
    return problem, x


# %% [markdown]
# **An objective.** Find the tiling whose L lies lowest: maximise the sum of the rows of its
# cells, that is, minimise minus that sum.

# %%
problem, x = model(P, to_cover)
problem += -pulp.lpSum(
    sum(r for r, c in cells) * x[piece, cells] for piece, cells in P if piece == "L"
)
solve(problem)
print("rows of the L:", -round(pulp.value(problem.objective)))
low = min(sum(r for r, c in cells) for tiling in found for piece, cells in tiling if piece == "L")
high = max(sum(r for r, c in cells) for tiling in found for piece, cells in tiling if piece == "L")
print("in the four tilings: from", low, "to", high)
# > rows of the L: 7
# > in the four tilings: from 5 to 7

# %% [markdown]
# **A forbidden place.** The I must not stand upright: fix its upright placements at 0.

# %%
problem, x = model(P, to_cover)
for piece, cells in P:
    if piece == "I" and cells[0][1] == cells[1][1]:
        problem += x[piece, cells] == 0
print(solve(problem))
# > Infeasible

# %% [markdown]
# **A condition that couples pieces.** The V and the I must not touch: of two placements with
# neighbouring cells, choose at most one.


# %%
def touch(one, other):
    return any(abs(r - s) + abs(c - d) == 1 for r, c in one for s, d in other)


problem, x = model(P, to_cover)
apart = [(p, q) for p in P for q in P if (p[0], q[0]) == ("V", "I") and touch(p[1], q[1])]
for number, (p, q) in enumerate(apart):
    problem += x[p] + x[q] <= 1, f"apart_{number}"
why = solve(problem)
wanted = [t for t in found if not touch(*(cells for piece, cells in sorted(t) if piece in "VI"))]
print(len(apart), "rows more:", why, len(wanted))
# > 74 rows more: Optimal 2

# %% [markdown]
# **Two dates at once.** Tile 1 February and 3 January so that as many pieces as possible stay where
# they are. Put two models into one, with a variable $y_p$ for every placement that both dates have,
# $y_p \le x_p$ and $y_p \le x'_p$, and maximise the sum of the $y_p$:

# %%
other = sorted(cell for cell in label if label[cell] not in ("Jan", "3"))
Q = placements(other)
problem = pulp.LpProblem("two_dates", pulp.LpMaximize)
days = []
for day, (options, cells_of) in enumerate([(P, to_cover), (Q, other)]):
    x = {p: problem.add_variable(f"{name_of(*p)}_day{day}", cat="Binary") for p in options}
    for cell in cells_of:
        problem += pulp.lpSum(x[p] for p in options if cell in p[1]) == 1
    for piece in pieces:
        problem += pulp.lpSum(x[p] for p in options if p[0] == piece) == 1
    days.append(x)
both = [p for p in P if p in days[1]]
y = {p: problem.add_variable(f"{name_of(*p)}_stays", cat="Binary") for p in both}
problem += pulp.lpSum(y.values())
for p in both:
    problem += y[p] <= days[0][p]
    problem += y[p] <= days[1][p]
solve(problem)
print("pieces that stay:", round(pulp.value(problem.objective)))
# > pieces that stay: 2

# %% [markdown]
# ## The same in Pyomo
#
# Pyomo works with sets: declare them, index variables and constraints by them, and give a *rule*
# that returns the constraint of one element. Pyomo calls it once for every element.

# %%
import pyomo.environ as pyo

m = pyo.ConcreteModel()
m.P = pyo.RangeSet(0, len(P) - 1)
m.CELLS = pyo.Set(initialize=to_cover, dimen=2)
m.PIECES = pyo.Set(initialize=list(pieces))
m.x = pyo.Var(m.P, domain=pyo.Binary)


@m.Constraint(m.CELLS)
def covered(m, r, c):
    return sum(m.x[p] for p in m.P if (r, c) in P[p][1]) == 1


@m.Constraint(m.PIECES)
def used(m, piece):
    return sum(m.x[p] for p in m.P if P[p][0] == piece) == 1


m.anything = pyo.Objective(expr=0 * m.x[0])
result = pyo.SolverFactory("appsi_highs").solve(m)
print(result.solver.termination_condition)
assert sorted(P[p] for p in m.P if m.x[p].value > 0.5) in [sorted(tiling) for tiling in found]
# > optimal

# %% [markdown]
# The changes above are single lines here too: `m.x[p].fix(0)` forbids a placement, and `m.apart =
# pyo.ConstraintList()` takes rows one by one. A second `pyo.Objective` replaces the first after
# `m.anything.deactivate()`.

# %% [markdown]
# ## Is it right?
#
# calmip has the same puzzle, and its own list of tilings, found by a search without a model:

# %%
import calmip

own = calmip.Puzzle(
    "My calendar",
    calmip.Board.from_text(grid),
    tuple(calmip.Piece.from_rows(name, drawing) for name, drawing in pieces.items()),
)
pool = calmip.enumerate(calmip.Instance(own, tuple(date)))
mine = {frozenset((piece, frozenset(cells)) for piece, cells in tiling) for tiling in found}
theirs = {frozenset((p.piece, frozenset(p.cells)) for p in one.placements) for one in pool}
print(mine == theirs, len(theirs))
pool
# > True 4
