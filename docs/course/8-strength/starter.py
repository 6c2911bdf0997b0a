"""Exercise 8: a packing, with big-M rows."""

import pulp

FIGURES = {"big-M": 0, "smallest M": 0, "edges": 0, "cliques": 0}  # yours: those of data.json


def build(data):
    """Return the problem: a chosen placement excludes all its conflicts."""
    problem = pulp.LpProblem("packing", pulp.LpMaximize)
    x = {name: problem.add_variable(name, cat="Binary") for name in data["placements"]}
    problem += pulp.lpSum(data["value"][name] * x[name] for name in x)
    for name, used in data["placements"].items():
        conflicts = [
            x[other]
            for other, theirs in data["placements"].items()
            if other != name and set(used) & set(theirs)
        ]
        big = len(conflicts)  # yours: replace these rows
        problem += pulp.lpSum(conflicts) <= big * (1 - x[name]), f"big_{name}"
    return problem
