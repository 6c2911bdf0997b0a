"""Food manufacture: a blend of few oils, none of them in traces."""

import pulp

DATA = {
    "three oils": {
        "hardness": {"rape": 8, "olive": 4, "palm": 2},
        "cost": {"rape": 5, "olive": 9, "palm": 4},
        "softest": 3,
        "hardest": 6,
        "made": 10,
        "portion": 3,
        "oils": 2,
        "needs": [["rape", "olive"]],
    },
    "two oils": {
        "hardness": {"a": 7, "b": 1, "c": 5},
        "cost": {"a": 3, "b": 2, "c": 4},
        "softest": 2,
        "hardest": 5,
        "made": 6,
        "portion": 1,
        "oils": 3,
        "needs": [["b", "c"]],
    },
    "a month without demand": {
        "hardness": {"a": 7, "b": 1},
        "cost": {"a": 3, "b": 2},
        "softest": 2,
        "hardest": 5,
        "made": 0,
        "portion": 1,
        "oils": 1,
        "needs": [],
    },
}


def build(data):
    """Return the problem of the cheapest blend."""
    problem = pulp.LpProblem("blending", pulp.LpMinimize)
    oils = list(data["hardness"])
    use = {oil: problem.add_variable(f"use_{oil}", lowBound=0) for oil in oils}
    on = {oil: problem.add_variable(f"on_{oil}", cat="Binary") for oil in oils}
    problem += pulp.lpSum(data["cost"][oil] * use[oil] for oil in oils)
    problem += pulp.lpSum(use.values()) == data["made"], "made"
    hard = pulp.lpSum(data["hardness"][oil] * use[oil] for oil in oils)
    problem += hard >= data["softest"] * data["made"], "softest"
    problem += hard <= data["hardest"] * data["made"], "hardest"
    for oil in oils:
        problem += use[oil] >= data["portion"] * on[oil], f"portion_{oil}"
        problem += use[oil] <= data["made"] * on[oil], f"used_{oil}"
    problem += pulp.lpSum(on.values()) <= data["oils"], "oils"
    for one, other in data["needs"]:
        problem += on[one] <= on[other], f"needs_{one}_{other}"
    return problem
