"""Opencast mining: which blocks to dig, if each needs those above it."""

import pulp

DATA = {
    "pit": {
        "profit": {"a": -1, "b": -2, "c": -1, "d": 4, "e": 3},
        "above": {"d": ["a", "b"], "e": ["b", "c"]},
        "trucks": 4,
    },
    "deep": {
        "profit": {"a": -2, "b": 1, "c": 5, "d": -1},
        "above": {"b": ["a"], "c": ["b", "d"]},
        "trucks": 3,
    },
}


def build(data):
    """Return the problem of the most profitable pit."""
    problem = pulp.LpProblem("mining", pulp.LpMaximize)
    dig = {block: problem.add_variable(f"dig_{block}", cat="Binary") for block in data["profit"]}
    problem += pulp.lpSum(data["profit"][block] * one for block, one in dig.items())
    for block, needed in data["above"].items():
        for other in needed:
            problem += dig[block] <= dig[other], f"above_{block}_{other}"
    problem += pulp.lpSum(dig.values()) <= data["trucks"], "trucks"
    return problem
