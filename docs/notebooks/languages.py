# %% [markdown]
# # Notebook: one model in three languages
#
# The placement model of leap day in PuLP, Pyomo and highspy. The page
# "One model in many languages" has ten more, for which further packages
# are needed.
#
# The first cell installs calmip, in Colab, in Binder and on your computer.

# %%
# %pip install --quiet calmip --find-links https://calmip.github.io/calmip/how-to/install.html

# %%
import calmip

instance = calmip.read_instance("a-puzzle-a-day", reveal="Feb,29")
cover = calmip.ExactCover(instance)
names = cover.option_names
rows = cover.options_of()
demand = [item.demand for item in cover.items]
print(len(names), "columns,", len(rows), "rows")
# > 872 columns, 49 rows

# %% [markdown]
# Every answer is verified on the board, independently of the language:


# %%
def checked(chosen):
    return calmip.Tiling.from_options(cover, [int(option) for option in chosen])


# %% [markdown]
# ## PuLP

# %%
import pulp

problem = pulp.LpProblem("tiling", pulp.LpMinimize)
x = [problem.add_variable(name, cat="Binary") for name in names]
problem += 0 * x[0]
for row, times in zip(rows, demand, strict=True):
    problem += pulp.lpSum(x[option] for option in row) == times
problem.solve(pulp.getSolver("HiGHS", msg=False))
checked(option for option, column in enumerate(x) if column.value() > 0.5)

# %% [markdown]
# ## Pyomo

# %%
import pyomo.environ as pyo

model = pyo.ConcreteModel()
model.OPTIONS = pyo.RangeSet(0, len(names) - 1)
model.ITEMS = pyo.RangeSet(0, len(rows) - 1)
model.x = pyo.Var(model.OPTIONS, domain=pyo.Binary)


@model.Constraint(model.ITEMS)
def covered(model, item):
    return sum(model.x[option] for option in rows[item]) == demand[item]


model.nothing = pyo.Objective(expr=0 * model.x[0])
pyo.SolverFactory("appsi_highs").solve(model)
checked(option for option in model.OPTIONS if model.x[option].value > 0.5)

# %% [markdown]
# ## highspy

# %%
import highspy

highs = highspy.Highs()
highs.setOptionValue("output_flag", False)
x = [highs.addBinary(name=name) for name in names]
for row, times in zip(rows, demand, strict=True):
    highs.addConstr(highs.qsum(x[option] for option in row) == times)
highs.run()
checked(option for option, column in enumerate(x) if highs.val(column) > 0.5)
