"""One knapsack as an object of PuLP and of Pyomo, with its variables."""

from __future__ import annotations

from typing import Any

import pulp
import pyomo.environ as pyo

# By hand: the best pair of items is the second and the third, of value 9 and weight 7.
VALUES, WEIGHTS, ROOM = (3, 4, 5), (2, 3, 4), 7


def with_pulp() -> tuple[Any, list[Any]]:
    problem = pulp.LpProblem("knapsack", pulp.LpMaximize)
    x = [problem.add_variable(f"x{n}", cat="Binary") for n in range(3)]
    problem += pulp.lpDot(VALUES, x)
    problem += pulp.lpDot(WEIGHTS, x) <= ROOM, "room"
    return problem, x


def with_pyomo() -> tuple[Any, list[Any]]:
    model = pyo.ConcreteModel("knapsack")
    model.x = pyo.Var(range(3), domain=pyo.Binary)
    model.value = pyo.Objective(expr=pyo.sum_product(VALUES, model.x), sense=pyo.maximize)
    model.room = pyo.Constraint(expr=pyo.sum_product(WEIGHTS, model.x) <= ROOM)
    return model, list(model.x.values())
