"""Decentralisation: where departments move, those that talk a lot to one city."""

import pulp

DATA = {
    "two cities": {
        "gain": {"a": [3, 1], "b": [2, 4], "c": [0, 2]},
        "room": [2, 2],
        "talks": {"a b": 3, "b c": 1},
    },
    "three cities": {
        "gain": {"x": [5, 1, 2], "y": [4, 0, 3]},
        "room": [1, 1, 2],
        "talks": {"x y": 2},
    },
}


def build(data):
    """Return the problem of the best places."""
    problem = pulp.LpProblem("offices", pulp.LpMaximize)
    cities, gain = range(len(data["room"])), data["gain"]
    move = {
        (d, c): problem.add_variable(f"move_{d}_{c}", cat="Binary") for d in gain for c in cities
    }
    apart = {
        pair: problem.add_variable(f"apart_{pair.replace(' ', '_')}", cat="Binary")
        for pair in data["talks"]
    }
    gained = pulp.lpSum(gain[d][c] * move[d, c] for d, c in move)
    problem += gained - pulp.lpSum(cost * apart[pair] for pair, cost in data["talks"].items())
    for d in gain:
        problem += pulp.lpSum(move[d, c] for c in cities) == 1, f"one_{d}"
    for c in cities:
        problem += pulp.lpSum(move[d, c] for d in gain) <= data["room"][c], f"room_{c}"
    for pair in data["talks"]:
        one, other = pair.split()
        for c in cities:
            problem += move[one, c] - move[other, c] <= apart[pair], f"apart_{one}_{other}_{c}"
            problem += move[other, c] - move[one, c] <= apart[pair], f"apart_{other}_{one}_{c}"
    return problem
