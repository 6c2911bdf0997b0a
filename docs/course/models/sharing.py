"""Market sharing: which retailers a new division gets, so that each good is split fairly."""

import pulp

DATA = {
    "two goods": {
        "retailers": {"north": [3, 1], "east": [2, 4], "south": [4, 2], "west": [1, 3]},
        "least": [4, 4],
        "most": [6, 6],
        "together": [["north", "west"]],
    },
    "one good": {
        "retailers": {"a": [5], "b": [2], "c": [2], "d": [0]},
        "least": [5],
        "most": [7],
        "together": [["c", "d"]],
    },
    "no retailer has to move": {
        "retailers": {"x": [2], "y": [3], "z": [1]},
        "least": [0],
        "most": [3],
        "together": [],
    },
}


def build(data):
    """Return the problem of the division with the fewest retailers."""
    problem = pulp.LpProblem("sharing", pulp.LpMinimize)
    names = list(data["retailers"])
    take = {name: problem.add_variable(f"take_{name}", cat="Binary") for name in names}
    problem += pulp.lpSum(take.values())
    for good, (least, most) in enumerate(zip(data["least"], data["most"], strict=True)):
        sold = pulp.lpSum(data["retailers"][name][good] * take[name] for name in names)
        problem += sold >= least, f"least_{good}"
        problem += sold <= most, f"most_{good}"
    for one, other in data["together"]:
        problem += take[one] - take[other] == 0, f"together_{one}_{other}"
    return problem
