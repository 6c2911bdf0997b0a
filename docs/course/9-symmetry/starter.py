"""Exercise 9: one tiling of each orbit."""

import pulp

FIGURES = {
    "solutions": 0,
    "orbits": 0,
    "nodes": 0,
    "nodes in order": 0,
}  # yours: those of data.json


def build(data):
    """Return a problem whose solutions are all tilings, each many times."""
    problem = pulp.LpProblem("orbits", pulp.LpMinimize)
    placements = data["placements"]
    x = {name: problem.add_variable(name, cat="Binary") for name in placements}
    problem += pulp.lpSum(x.values())
    for cell in data["cells"]:
        covering = [x[name] for name, one in placements.items() if cell in one["cells"]]
        problem += pulp.lpSum(covering) == 1, f"cell_{cell}"
    for piece in data["pieces"]:
        ways = [x[name] for name, one in placements.items() if one["piece"] == piece]
        problem += pulp.lpSum(ways) == 1, f"piece_{piece}"
    # yours: rows that keep one tiling of each orbit
    return problem
