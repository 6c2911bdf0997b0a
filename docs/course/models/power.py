"""Tariff rates: which generators run, and when they start."""

import pulp

DATA = {
    "morning": {
        "demand": [3, 6, 4],
        "spare": 1,
        "plants": {
            "old": {"least": 2, "most": 4, "start": 5, "hour": 2},
            "new": {"least": 1, "most": 5, "start": 3, "hour": 4},
        },
        "running": ["old"],
    },
    "evening": {
        "demand": [2, 5],
        "spare": 0,
        "plants": {
            "gas": {"least": 1, "most": 3, "start": 1, "hour": 3},
            "coal": {"least": 2, "most": 4, "start": 4, "hour": 1},
        },
        "running": [],
    },
}


def build(data):
    """Return the problem of the cheapest day."""
    problem = pulp.LpProblem("power", pulp.LpMinimize)
    hours, plants = range(len(data["demand"])), data["plants"]
    keys = [(plant, hour) for plant in plants for hour in hours]
    name = "{}_{}_{}".format
    on = {key: problem.add_variable(name("on", *key), cat="Binary") for key in keys}
    start = {key: problem.add_variable(name("start", *key), cat="Binary") for key in keys}
    load = {key: problem.add_variable(name("load", *key), lowBound=0) for key in keys}
    problem += pulp.lpSum(
        plants[p]["start"] * start[p, h] + plants[p]["hour"] * load[p, h] for p, h in keys
    )
    for h in hours:
        problem += pulp.lpSum(load[p, h] for p in plants) == data["demand"][h], f"demand_{h}"
        most = pulp.lpSum(plants[p]["most"] * on[p, h] for p in plants)
        problem += most >= data["demand"][h] + data["spare"], f"spare_{h}"
    for p, h in keys:
        problem += load[p, h] >= plants[p]["least"] * on[p, h], f"least_{p}_{h}"
        problem += load[p, h] <= plants[p]["most"] * on[p, h], f"most_{p}_{h}"
        before = on[p, h - 1] if h else int(p in data["running"])
        problem += start[p, h] >= on[p, h] - before, f"start_{p}_{h}"
    return problem
