"""Factory planning: what to make each month, and when the machines are maintained."""

import pulp

DATA = {
    "two months": {
        "months": 2,
        "hours": {"table": 2, "chair": 1},
        "profit": {"table": 5, "chair": 3},
        "sold": {"table": [2, 3], "chair": [4, 1]},
        "machines": 3,
        "month": 2,
        "down": 1,
        "store": 2,
    },
    "three months": {
        "months": 3,
        "hours": {"lamp": 1},
        "profit": {"lamp": 2},
        "sold": {"lamp": [1, 3, 2]},
        "machines": 2,
        "month": 2,
        "down": 2,
        "store": 1,
    },
}


def build(data):
    """Return the problem of the most profitable plan."""
    problem = pulp.LpProblem("maintenance", pulp.LpMaximize)
    months, goods = range(data["months"]), list(data["hours"])
    keys = [(good, month) for good in goods for month in months]
    name = "{}_{}_{}".format
    make = {key: problem.add_variable(name("make", *key), lowBound=0) for key in keys}
    sell = {key: problem.add_variable(name("sell", *key), lowBound=0) for key in keys}
    hold = {key: problem.add_variable(name("hold", *key), lowBound=0) for key in keys}
    down = [problem.add_variable(f"down_{m}", 0, data["machines"], "Integer") for m in months]
    sales = pulp.lpSum(data["profit"][g] * sell[g, m] for g, m in keys)
    problem += sales - pulp.lpSum(hold.values())
    for m in months:
        used = pulp.lpSum(data["hours"][g] * make[g, m] for g in goods)
        problem += used <= data["month"] * (data["machines"] - down[m]), f"hours_{m}"
        problem += pulp.lpSum(hold[g, m] for g in goods) <= data["store"], f"store_{m}"
    for g, m in keys:
        before = hold[g, m - 1] if m else 0
        problem += before + make[g, m] == sell[g, m] + hold[g, m], f"balance_{g}_{m}"
        problem += sell[g, m] <= data["sold"][g][m], f"sold_{g}_{m}"
    problem += pulp.lpSum(down) == data["down"], "down"
    return problem
