"""Exercises 8, 9 and 12: right formulations in many forms, and faults with a counter-example."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from calmip.course import formulations, orbits, references
from calmip.course.checks import SYMMETRIC, Check
from calmip.course.exercises import SOLUTIONS, checks_of
from calmip.course.orbits import _Orbits
from calmip.course.rosters import ROSTERS, roster_model
from calmip.mip.one_tree import OneTree

Changes = tuple[tuple[str, str], ...]

REFERENCES = {
    name.split("-")[0]: (SOLUTIONS / name).read_text()
    for name in ("8-strength", "9-symmetry", "12-roster")
}


def program(exercise: str, changes: Changes | str) -> str:
    """Return the reference with changes, or another program."""
    if isinstance(changes, str):
        found = re.search(r"^FIGURES = .*\n", REFERENCES[exercise], re.MULTILINE)
        assert found is not None
        return found[0] + changes
    text = REFERENCES[exercise]
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    return text


def mark(exercise: str, text: str, folder: Path, **how: float) -> tuple[Check, ...]:
    path = folder / "mine.py"
    path.write_text(text)
    return checks_of(exercise, path, **how)  # type: ignore[arg-type]


def marks(checks: tuple[Check, ...]) -> int:
    assert sum(check.worth for check in checks) == 10
    return sum(check.marks for check in checks)


def faults(checks: tuple[Check, ...]) -> list[str]:
    return [check.fault for check in checks if not check.passed]


RETURN = "    return problem\n"
END = ("    return problem\n\n\ndef number", "{}    return problem\n\n\ndef number")


def before_the_end(exercise: str, line: str) -> Changes:
    """Add a line before ``build`` returns."""
    if exercise == "9":
        return ((END[0], END[1].format(f"    {line}\n")),)
    return ((RETURN, f"    {line}\n{RETURN}"),)


PYOMO_PACKING = """
import pyomo.environ as pyo


def build(data):
    model = pyo.ConcreteModel()
    uses = data["placements"]
    model.x = pyo.Var(list(uses), domain=pyo.Binary)
    items = sorted({item for used in uses.values() for item in used})
    model.cliques = pyo.Constraint(
        items, rule=lambda m, item: sum(m.x[n] for n in uses if item in uses[n]) <= 1)
    value = sum(data["value"][n] * model.x[n] for n in uses)
    model.value = pyo.Objective(expr=value, sense=pyo.maximize)
    return model
"""
HIGHS_PACKING = """
import highspy


def build(data):
    highs = highspy.Highs()
    uses = data["placements"]
    x = {name: highs.addBinary(name=name) for name in uses}
    for item in sorted({item for used in uses.values() for item in used}):
        highs.addConstr(sum(x[name] for name in uses if item in uses[name]) <= 1)
    cost = sum(data["value"][name] * x[name] for name in uses)
    highs.setObjective(cost, sense=highspy.ObjSense.kMaximize)
    return highs
"""
EDGES = """    names = list(x)
    for n, one in enumerate(names):
        for other in names[n + 1:]:
            if set(data["placements"][one]) & set(data["placements"][other]):
                problem += x[one] + x[other] <= 1
"""
BIG = """    for name, used in data["placements"].items():
        others = [x[o] for o, u in data["placements"].items() if o != name and set(u) & set(used)]
        problem += pulp.lpSum(others) <= {} * (1 - x[name])
"""
MAXIMAL = """    for start in x:
        clique = [start]
        for name in x:
            uses = [set(data["placements"][one]) for one in clique]
            if name != start and all(set(data["placements"][name]) & one for one in uses):
                clique.append(name)
        problem += pulp.lpSum(x[name] for name in clique) <= 1
"""
ROW = '        problem += pulp.lpSum(variables) <= 1, f"clique_{item}"\n'
CLIQUES = "    for item, variables in users.items():\n" + ROW
CELLS = "    for item, variables in users.items():\n        if COND:\n    " + ROW
VALUE = 'pulp.lpSum(data["value"][name] * x[name] for name in x)'

RIGHT_PACKINGS: dict[str, Changes | str] = {
    "Pyomo": PYOMO_PACKING,
    "highspy": HIGHS_PACKING,
    "scaled rows": ((ROW, ROW.replace("(variables) <= 1", "(3 * v for v in variables) <= 3")),),
    "rounded sides": ((ROW, ROW.replace("<= 1", "<= 1.0")),),
    "the negative is minimised": (("LpMaximize", "LpMinimize"), (VALUE, f"-1 * {VALUE}")),
    "the objective times three and a constant": ((VALUE, f"3 * {VALUE} + 17"),),
    "slack variables": (
        (
            ROW,
            '        slack = problem.add_variable(f"s_{item}", 0)\n'
            "        problem += pulp.lpSum(variables) + slack == 1\n",
        ),
    ),
    "also the edges": ((CLIQUES, CLIQUES + EDGES),),
    "also the big-M rows": ((CLIQUES, CLIQUES + BIG.format(len("exclude each other"))),),
    "maximal cliques, too": ((CLIQUES, CLIQUES + MAXIMAL),),
    "integers from 0 to 1": (('cat="Binary"', 'lowBound=0, upBound=1, cat="Integer"'),),
    "the other order": (("users.items()", "sorted(users.items(), reverse=True)"),),
    "names with brackets": (("add_variable(name", 'add_variable(f"x[{name}]"'),),
    "a helper": before_the_end("8", 'problem += problem.add_variable("helper", cat="Binary") >= 0'),
    "rows with a lower side": ((ROW, ROW + "        problem += pulp.lpSum(variables) >= 0\n"),),
    "names of its own": (("add_variable(name", 'add_variable(f"take{len(name)}_{hash(name)}"'),),
}

WRONG_PACKINGS: dict[str, tuple[Changes | str, int, str]] = {
    "big-M rows": (((CLIQUES, BIG.format("len(others)")),), 7, "that of the big-M rows is"),
    "a large big-M": (((CLIQUES, BIG.format("1000")),), 7, "that of the big-M rows is"),
    "a small big-M": (((CLIQUES, BIG.format("1")),), 6, "the model forbids this packing"),
    "edges": (((CLIQUES, EDGES),), 8, "add up to 3/2: "),
    "cells alone": (
        ((CLIQUES, CELLS.replace("COND", "item[0].isdigit()")),), 6, "it is no packing"),
    "pieces alone": (((CLIQUES, CELLS.replace("COND", "item.isalpha()")),), 6, "it is no packing"),
    "a cell is missing": (
        ((CLIQUES, CELLS.replace("COND", 'item != "11"')),), 6, "it is no packing"),
    "a cell has edges alone": (
        ((CLIQUES, CELLS.replace("COND", 'item != "11"') + EDGES),), 8, "add up to 2: "),
    "two are allowed": (((ROW, ROW.replace("<= 1", "<= 2")),), 6, "it is no packing"),
    "all items are used": (((ROW, ROW.replace("<= 1", "== 1")),), 6, "forbids this packing"),
    "at least one": (((ROW, ROW.replace("<= 1", ">= 1")),), 6, "forbids this packing"),
    "none": (((ROW, ROW.replace("<= 1", "<= 0")),), 6, "forbids this packing"),
    "no rows": (((CLIQUES, ""),), 6, "it is no packing"),
    "continuous": ((('cat="Binary"', "lowBound=0, upBound=1"),), 6, "it is no packing"),
    "a cut of the objective": (
        ((CLIQUES, BIG.format("len(others)") + f"    if len(x) > 40:\n        problem += {VALUE} "
          "<= 16\n"),), 7, "add up to"),
    "the smallest M": (
        ((CLIQUES, BIG.format("len({o[0] for o in x})")),), 8, "add up to"),
    "M is the number of other pieces": (
        ((CLIQUES, BIG.format("(len({o[0] for o in x}) - 1)")),), 6, "forbids this packing"),
    "up to two": ((('cat="Binary"', 'lowBound=0, upBound=2, cat="Integer"'),), 10, ""),
    "from -1": ((('cat="Binary"', 'lowBound=-1, upBound=1, cat="Integer"'),), 6,
                "it is no packing"),
    "minimised": ((("LpMaximize", "LpMinimize"),), 9, "ranks solutions differently"),
    "counted": (((VALUE, "pulp.lpSum(x.values())"),), 9, "ranks solutions differently"),
    "no objective": (((f"    problem += {VALUE}\n", ""),), 9, "ranks solutions differently"),
    "one value is wrong": (((VALUE, VALUE + ' + x[min(x)]'),), 9, "ranks solutions differently"),
    "a placement without a variable": (
        (('name in data["placements"]}', 'name in sorted(data["placements"])[1:]}'),
         ("append(x[name])", "append(x.get(name, 0))")), 5, "forbids this packing"),
    "a placement is forbidden": (before_the_end("8", "problem += x[min(x)] == 0"), 6,
                                 "forbids this packing"),
    "a placement is demanded": (before_the_end("8", "problem += x[min(x)] == 1"), 6,
                                "forbids this packing"),
    "a cut too many": (before_the_end("8", "problem += pulp.lpSum(x.values()) <= 1"), 6,
                       "forbids this packing"),
    "a piece is always left out": (
        before_the_end("8", "problem += pulp.lpSum(x.values()) <= len({n[0] for n in x}) - 1"), 6,
        "puzzle Mar 2: the model forbids this packing"),
    "one puzzle alone": (before_the_end("8", "problem += x[max(x)] <= (len(x) < 20)"), 6,
                         "puzzle Jan 3: the model forbids this packing"),
    "infeasible": (before_the_end("8", "problem += x[min(x)] >= 2"), 6, "forbids this packing"),
    "nothing": ((("return problem", "return None"),), 5, "returned NoneType"),
    "an error": ((("return problem", "return data[7]"),), 5, "KeyError: 7 (line"),
    "no function": ((("def build", "def built"),), 5, "has no function build"),
    "a rounded bound": ((('"171/2"', '"86"'),), 9, "'edges' is not 86"),
    "no end": ((("    return problem", "    while True:\n        pass"),), 5, "took longer"),
}  # fmt: skip

PYOMO_ORBITS = """
import pyomo.environ as pyo


def build(data):
    places, cells = data["placements"], data["cells"]
    model = pyo.ConcreteModel()
    model.x = pyo.Var(list(places), domain=pyo.Binary)
    x = model.x
    model.cells = pyo.Constraint(
        cells, rule=lambda m, c: sum(x[n] for n in places if c in places[n]["cells"]) == 1)
    of = {p: [n for n in places if places[n]["piece"] == p] for p in data["pieces"]}
    model.pieces = pyo.Constraint(data["pieces"], rule=lambda m, p: sum(x[n] for n in of[p]) == 1)
    model.breaking = pyo.ConstraintList()
    for group in data["equal"]:
        for a, b in zip(group, group[1:]):
            for n in of[a]:
                for m in of[b]:
                    if places[n]["cells"] > places[m]["cells"]:
                        model.breaking.add(x[n] + x[m] <= 1)
    def moved(name):
        own = sorted(places[name]["cells"])
        return [sorted(motion[c] for c in own) for motion in data["symmetries"]]
    fit = [p for p in of if not any(p in group for group in data["equal"])
           and all(sorted(places[n]["cells"]) not in moved(n) for n in of[p])]
    for n in of[fit[-1]]:
        if max(moved(n)) > sorted(places[n]["cells"]):
            model.breaking.add(x[n] == 0)
    return model
"""
FIRST = "problem += first <= second - 1"
IMAGES = "if min(images) < place(cells)"
ANCHOR = 'next(piece for piece in data["pieces"] if is_anchor(data, piece, ways[piece]))'
DROP = '            problem += x[name] == 0, f"image_{name}"\n'
NUMBER = 'return min(data["cells"].index(cell) for cell in placement["cells"])'
CONFLICTS = """        for one, other in zip(group, group[1:]):
            for n in ways[one]:
                for m in ways[other]:
                    if number(data, placements[n]) > number(data, placements[m]):
                        problem += x[n] + x[m] <= 1
"""
ORDER = REFERENCES["9"][
    REFERENCES["9"].index("        for one, other") : REFERENCES["9"].index("\n    # One piece")
]

RIGHT_ORBITS: dict[str, Changes | str] = {
    "Pyomo, by conflicts": PYOMO_ORBITS,
    "the other order": ((FIRST, "problem += second <= first - 1"),),
    "not strict": ((FIRST, "problem += first <= second"),),
    "scaled": ((FIRST, "problem += 4 * first <= 4 * second - 1"),),
    "conflicts": ((ORDER, CONFLICTS),),
    "the last image": ((IMAGES, "if max(images) > place(cells)"),),
    "the last anchor": ((ANCHOR, ANCHOR.replace('data["pieces"]', 'reversed(data["pieces"])')),),
    "upper bounds": ((DROP, "            x[name].upBound = 0\n"),),
    "the last cell": ((NUMBER, NUMBER.replace("min(", "max(")),),
    "a helper": before_the_end("9", 'problem += problem.add_variable("helper", cat="Binary") >= 0'),
    "names with brackets": (("add_variable(name", 'add_variable(f"x[{name}]"'),),
    "another order of the cells": (
        ("placements = data", "data['cells'] = data['cells'][::-1]\n    placements = data"),
    ),
    "all pairs of equal pieces": (
        (
            "for one, other in zip(group, group[1:])",
            "for one, other in [(p, q) for n, p in enumerate(group) for q in group[n + 1:]]",
        ),
    ),
    "no objective": (("    problem += pulp.lpSum(x.values())\n", ""),),
    "an objective": (("lpSum(x.values())", "lpSum(len(n) * x[n] for n in x)"),),
}

WRONG_ORBITS: dict[str, tuple[Changes | str, int, str]] = {
    "equal pieces are forgotten": (((ORDER, "        pass\n"),), 9, "the names of equal pieces"),
    "the board is forgotten": (((DROP, "            pass\n"),), 9, "images of each other"),
    "both": (((ORDER, "        pass\n"), (DROP, "            pass\n")), 6, "excludes no tiling"),
    "only two of three equal ones": (
        (("zip(group, group[1:])", "zip(group[:1], group[1:])"),), 9, "equal pieces"),
    "only the last two": (
        (("zip(group, group[1:])", "zip(group[-2:], group[-1:])"),), 9, "equal pieces"),
    "equal pieces far apart": (((FIRST, "problem += first <= second - 3"),), 6, "no solution"),
    "in a circle": ((("zip(group, group[1:])", "zip(group, group[1:] + group[:1])"),), 6,
                    "the model has no solution"),
    "the order of first and last cells": (
        ((FIRST, FIRST.replace("first", "first - 9")),), 9, "equal pieces"),
    "the first piece": (((ANCHOR, 'data["pieces"][0]'),), 9, "images of each other"),
    "an equal piece": (((ANCHOR, 'data["equal"][0][0]'),), 9, "images of"),
    "one symmetry": ((('in data["symmetries"]]', 'in data["symmetries"][:1]]'),), 9, "images of"),
    "not the last symmetry": (
        (('in data["symmetries"]]', 'in data["symmetries"][:2]]'),), 9, "images of"),
    "the last one alone": (
        (('in data["symmetries"]]', 'in data["symmetries"][-1:]]'),), 9, "images of"),
    "the wrong way": (((IMAGES, "if min(images) > place(cells)"),), 9, "images of"),
    "every image": (((IMAGES, "if True"),), 6, "the model has no solution"),
    "two pieces at once": (
        ((f"    anchor = {ANCHOR}\n    for name in ways[anchor]:",
          '    for name in ways["L"] + ways["A"]:'),), 6, "no solution"),
    "every piece that would do": (
        ((f"    anchor = {ANCHOR}\n    for name in ways[anchor]:",
          "    fit = [piece for piece in ways if is_anchor(data, piece, ways[piece])]\n"
          "    for name in [name for piece in fit for name in ways[piece]]:"),), 6,
        "puzzle two that move: neither this tiling"),
    "the larger half": (((IMAGES, "if max(images) < place(cells)"),), 9, "images of"),
    "the first placement": (
        ((f"    anchor = {ANCHOR}\n    for name in ways[anchor]:",
          '    anchor = "L"\n    for name in ways["L"][1:]:'), (IMAGES, "if True")), 8,
        "neither this tiling"),
    "the first quarter of the board": (
        ((IMAGES, 'if min(cells) > data["cells"][len(data["cells"]) // 4]'),), 9, ""),
    "an order with another piece": (
        (('for group in data["equal"]:', 'for group in [["L", *g] for g in data["equal"]]:'),), 8,
        "neither this tiling"),
    "no rows of cells": ((('== 1, f"cell_{cell}"', '<= 2, f"cell_{cell}"'),), 5, ""),
    "cells once at most": ((('== 1, f"cell_{cell}"', '<= 1, f"cell_{cell}"'),), 10, ""),
    "pieces once at most": ((('== 1, f"piece_{piece}"', '<= 1, f"piece_{piece}"'),), 10, ""),
    "a piece is left out": ((('for piece, names in ways.items():\n        problem',
                              'for piece, names in ways.items():\n        if piece != "L": problem'
                              ),), 10, ""),
    "pieces twice": ((('== 1, f"piece_{piece}"', '<= 2, f"piece_{piece}"'),), 5, "is no tiling"),
    "an orbit too few": (
        before_the_end("9", 'problem += pulp.lpSum(x[n] for n in ways["L"] if "00" in n) == 0'), 6,
        ""),
    "one tiling alone": (before_the_end("9", 'problem += x[max(x)] == 1'), 6, "neither"),
    "pictures instead of solutions": ((('"solutions": 120', '"solutions": 20'),), 9,
                                      "'solutions' is not 20"),
    "nothing is left": (before_the_end("9", "problem += x[min(x)] >= 2"), 6, "neither this tiling"),
    "no placements": ((("add_variable(name", 'add_variable(f"y{len(name)}_{hash(name)}"'),), 5,
                      "no variable is named"),
    "continuous": ((('cat="Binary"', "lowBound=0, upBound=1"),), 5, "are continuous"),
    "nothing": ((("return problem", "return 7"),), 5, "returned int"),
    "an error": ((("return problem", "return data[7]"),), 5, "KeyError: 7 (line"),
    "no function": ((("def build", "def built"),), 5, "has no function build"),
}  # fmt: skip

PYOMO_ROSTER = """
import pyomo.environ as pyo


def build(data):
    P, D, S = data["people"], data["days"], data["shifts"]
    m = pyo.ConcreteModel()
    m.x = pyo.Var(P, D, S, domain=pyo.Binary)
    m.demand = pyo.Constraint(
        D, S, rule=lambda m, d, s: sum(m.x[p, d, s] for p in P) == data["demand"][d][s])
    m.one = pyo.Constraint(P, D, rule=lambda m, p, d: sum(m.x[p, d, s] for s in S)
                           <= (0 if d in data["off"].get(p, []) else 1))
    m.most = pyo.Constraint(
        P, rule=lambda m, p: sum(m.x[p, d, s] for d in D for s in S) <= data["most"][p])
    m.rules = pyo.ConstraintList()
    for d, e in zip(D, D[1:]):
        for s, t in data["rest"]:
            for p in P:
                m.rules.add(m.x[p, d, s] + m.x[p, e, t] <= 1)
    for d in D:
        if data["demand"][d][S[-1]]:
            m.rules.add(sum(m.x[p, d, S[-1]] for p in data["seniors"]) >= 1)
    m.dislike = pyo.Objective(
        expr=sum(data["dislike"][p][s] * m.x[p, d, s] for p in P for d in D for s in S))
    return m
"""
REST = '                problem += x[p, d, s] + x[p, tomorrow, t] <= 1, f"rest_{p}_{d}_{s}_{t}"\n'
PAIRS = '            for s, t in data["rest"]:\n' + REST
TOGETHER = """            for s in shifts:
                after = [x[p, tomorrow, t] for one, t in data["rest"] if one == s]
                problem += x[p, d, s] + pulp.lpSum(after) <= 1
"""
SENIOR = '            problem += seniors >= 1, f"senior_{d}"\n'
AT_MOST = (
    '        problem += pulp.lpSum(x[p, d, s] for d in days for s in shifts) <= data["most"][p]\n'
)
DAY = 'problem += pulp.lpSum(x[p, d, s] for s in shifts) <= most, f"day_{p}_{d}"'
OFF = 'most = 0 if d in data["off"].get(p, []) else 1'
DISLIKE = 'pulp.lpSum(data["dislike"][p][s] * x[p, d, s] for p, d, s in x)'
DEMAND = '== data["demand"][d][s]'
LAST = 'if data["demand"][d][shifts[-1]] > 0:'

RIGHT_ROSTERS: dict[str, Changes | str] = {
    "Pyomo": PYOMO_ROSTER,
    "rests together": ((PAIRS, TOGETHER),),
    "both kinds of rests": ((PAIRS, PAIRS + TOGETHER),),
    "absences by bounds": (
        (OFF, "most = 1"),
        (RETURN, '    for p, away in data["off"].items():\n        for d in away:\n'
         "            for s in shifts:\n                x[p, d, s].upBound = 0\n" + RETURN)),
    "juniors at most": (
        (SENIOR, '            juniors = pulp.lpSum(x[p, d, shifts[-1]] for p in people if p not in '
         'data["seniors"])\n            problem += juniors <= data["demand"][d][shifts[-1]] - 1\n'
         ),),
    "working days": (
        (AT_MOST,
         '        w = {d: problem.add_variable(f"w_{p}_{d}", cat="Binary") for d in days}\n'
         "        for d in days:\n"
         "            problem += w[d] == pulp.lpSum(x[p, d, s] for s in shifts)\n"
         '        problem += pulp.lpSum(w.values()) <= data["most"][p]\n'),),
    "the objective scaled": ((DISLIKE, f"10 * {DISLIKE} + 3"),),
    "the negative is maximised": (("LpMinimize", "LpMaximize"), (DISLIKE, f"-1 * {DISLIKE}")),
    "the other order": (("for p in people for d in days for s in shifts",
                         "for s in shifts for d in days for p in reversed(people)"),),
    "names with brackets": (('f"x_{p}_{d}_{s}"', 'f"x[{p},{d},{s}]"'),),
    "two sides of the demand": (
        (DEMAND + ', f"demand_{d}_{s}"', '<= data["demand"][d][s]\n'
         '            problem += working >= data["demand"][d][s]'),),
    "seniors of no use, too": ((LAST, "if True:"), ("seniors >= 1,",
                               'seniors >= min(1, data["demand"][d][shifts[-1]]),')),
    "all people at most": before_the_end(
        "12", "for d in days: problem += pulp.lpSum(x[p, d, s] for p in people for s in shifts) "
        "<= len(people)"),
    "scaled rests": ((REST, REST.replace("x[p, d, s] + x[p, tomorrow, t] <= 1",
                                         "5 * x[p, d, s] + 5 * x[p, tomorrow, t] <= 9")),),
}  # fmt: skip

SET = "the model has a solution that is wrong"
LOST = "the model has not this solution"
WRONG_ROSTERS: dict[str, tuple[Changes | str, int, str]] = {
    "no rests": (((PAIRS, "            pass\n"),), 8, "the row rest_"),
    "rests the wrong way": (((REST, REST.replace("p, d, s]", "p, d, t]").replace(
        "tomorrow, t]", "tomorrow, s]")),), 8, ""),
    "rests on the same day": (
        ((REST, REST.replace("x[p, tomorrow, t]", "x[p, d, t]")),), 8, "the row rest_"),
    "rests two days later": (
        (("zip(days, days[1:])", "zip(days, days[2:])"),), 8, "the row rest_"),
    "rests not over the first night": (
        (("zip(days, days[1:])", "zip(days[1:], days[2:])"),), 8, "the row rest_"),
    "the first rest alone": ((('in data["rest"]:', 'in data["rest"][:1]:'),), 9, "the row rest_"),
    "rests of the late shift alone": (
        (('in data["rest"]:', 'in [r for r in data["rest"] if r[0] == "late"]:'),), 9, "rest_"),
    "more than two in two days": (((REST, REST.replace("<= 1", "<= 2")),), 8, "the row rest_"),
    "no seniors": (((SENIOR, "            pass\n"),), 8, "the row senior_"),
    "two seniors": ((("seniors >= 1", "seniors >= 2"),), 7, LOST),
    "seniors in the first shift": (
        (("x[p, d, shifts[-1]] for", "x[p, d, shifts[0]] for"),), 7, ""),
    "juniors": ((('for p in data["seniors"]',
                  'for p in people if p not in data["seniors"]'),), 7, ""),
    "seniors where nobody works": (((LAST, "if True:"),), 8, LOST),
    "all seniors": ((("seniors >= 1", 'seniors >= len(data["seniors"])'),), 7, LOST),
    "seniors alone": (
        (("seniors >= 1", 'seniors >= data["demand"][d][shifts[-1]]'),), 9, LOST),
    "the last shift by the alphabet": (
        (("x[p, d, shifts[-1]] for", "x[p, d, max(shifts)] for"),), 9, ""),
    "everybody works": (
        ((AT_MOST, AT_MOST + "        problem += pulp.lpSum(x[p, d, s] for d in days for s in "
          "shifts) >= 1\n"),), 9, LOST),
    "no limit": (((AT_MOST, ""),), 9, "the row most_"),
    "one more": (
        ((AT_MOST, AT_MOST.replace('data["most"][p]', 'data["most"][p] + 1')),), 9, "most_"),
    "one less": (((AT_MOST, AT_MOST.replace('data["most"][p]', 'data["most"][p] - 1')),), 7, LOST),
    "less than the limit": (
        ((AT_MOST, AT_MOST.replace('<= data["most"][p]', '== data["most"][p]')),), 7, LOST),
    "no absences": (((OFF, "most = 1"),), 8, "the row off_"),
    "absent for good": (((OFF, 'most = 0 if p in data["off"] else 1'),), 8, LOST),
    "two shifts on a day": (((OFF, OFF.replace("else 1", "else 2")),), 7, "the row one_shift_"),
    "every day a shift": (((DAY, DAY.replace("<=", "==")),), 7, LOST),
    "demand at least": (((DEMAND, DEMAND.replace("==", ">=")),), 8, "the row demand_"),
    "demand at most": (((DEMAND, DEMAND.replace("==", "<=")),), 7, "the row demand_"),
    "demand of the first day": (((DEMAND, DEMAND.replace("[d]", "[days[0]]")),), 7, ""),
    "demand but of the last shift": (
        (("        for s in shifts:\n            working", "        for s in shifts[:-1]:\n"
          "            working"),), 8, "the row demand_"),
    "no objective": (((f"    problem += {DISLIKE}\n", ""),), 9, "ranks solutions differently"),
    "shifts are counted": (((DISLIKE, "pulp.lpSum(x.values())"),), 9, "ranks solutions"),
    "dislike is maximised": ((("LpMinimize", "LpMaximize"),), 9, "ranks solutions differently"),
    "continuous": ((('cat="Binary"', "lowBound=0, upBound=1"),), 7, ""),
    "a sum that is not the least": ((('"least": 7', '"least": 8'),), 8, "'least' is not 8"),
    "somebody is unknown": ((('data["off"].get(p, [])', 'data["off"][p]'),), 5, "KeyError"),
    "three shifts by name": ((("shifts[-1]", '"night"'),), 7, "KeyError: 'night'"),
    "nothing": ((("return problem", "return x"),), 5, "returned dict"),
    "no function": ((("def build", "def roster"),), 5, "has no function build"),
}  # fmt: skip

RIGHT = {"8": RIGHT_PACKINGS, "9": RIGHT_ORBITS, "12": RIGHT_ROSTERS}
WRONG = {"8": WRONG_PACKINGS, "9": WRONG_ORBITS, "12": WRONG_ROSTERS}
SOON = ("scaled", "edges", "the first piece", "equal pieces are forgotten", "Pyomo", "no rests")
"""The programs that do not wait for the nightly run."""


def each(programs: dict[str, dict[str, object]]) -> list[object]:
    return [
        pytest.param(
            exercise,
            name,
            id=f"{exercise}: {name}",
            marks=pytest.mark.long if name in SOON else pytest.mark.slow,
        )
        for exercise, own in programs.items()
        for name in own
    ]


def test_the_lists_are_long() -> None:
    for exercise, own in RIGHT.items():
        assert len(own) >= 12, exercise
    for exercise, wrong in WRONG.items():
        assert sum(marks < 10 for _, marks, _ in wrong.values()) >= 25, exercise


@pytest.mark.parametrize(("exercise", "name"), each(RIGHT))  # type: ignore[arg-type]
def test_every_right_formulation_has_full_marks(exercise: str, name: str, tmp_path: Path) -> None:
    checks = mark(exercise, program(exercise, RIGHT[exercise][name]), tmp_path)
    assert (marks(checks), faults(checks)) == (10, [])


@pytest.mark.parametrize(("exercise", "name"), each(WRONG))  # type: ignore[arg-type]
def test_a_wrong_formulation_is_refused_with_a_counter_example(
    exercise: str, name: str, tmp_path: Path
) -> None:
    changes, earned, words = WRONG[exercise][name]
    limit = 3 if "took longer" in words else 60
    checks = mark(exercise, program(exercise, changes), tmp_path, time_limit=limit)
    found = faults(checks)
    assert marks(checks) == earned, found
    assert not any(check.undecided for check in checks), found
    if earned < 10:
        assert any(words in fault for fault in found), found


@pytest.mark.long
def test_the_solutions_that_were_found_are_marked_though_others_may_be_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Far more solutions than tilings are not all enumerated; one that is no tiling is shown."""
    monkeypatch.setattr(orbits, "SYMMETRIC", SYMMETRIC[:1])
    path = tmp_path / "mine.py"
    path.write_text(program("9", WRONG_ORBITS["no rows of cells"][0]))
    checks = orbits.grade_symmetry(path, task=SYMMETRIC[0])
    assert "a solution is no tiling: cell 00 is used 2 times" in checks[0].fault
    assert checks[0].examples


def test_every_data_set_has_a_solution_and_needs_each_kind_of_rule() -> None:
    used: set[str] = set()
    for data in ROSTERS.values():
        model = roster_model(data)
        assert any(OneTree(model, limit=1))
        used |= {row.split("_")[0] for row in model.rows}
    assert used == {"demand", "senior", "most", "one", "off", "rest"}


@pytest.mark.parametrize("instance", SYMMETRIC, ids=lambda one: one.name)
def test_every_orbit_has_all_images_and_one_piece_moves_with_each(instance: object) -> None:
    puzzle = _Orbits(instance)  # type: ignore[arg-type]
    tilings = puzzle.tilings()
    pictures = {puzzle.picture(tiling) for tiling in tilings}
    assert len(pictures) == len(tilings) >= 4
    assert all(puzzle.orbit(tiling) <= pictures for tiling in tilings)
    assert puzzle.equal
    assert len(puzzle.motions) > 1
    free = [
        kind
        for kind, names in puzzle.groups().items()
        if len(names) == 1
        and all(
            {motion[cell] for cell in one.cells} != set(one.cells)
            for one in puzzle.placements
            if one.piece == kind
            for motion in puzzle.motions[1:]
        )
    ]
    assert free == (["L", "P"] if instance is SYMMETRIC[-2] else ["L"])


class Unfinished(OneTree):
    """A search that time has ended."""

    def __iter__(self) -> Iterator[list[int]]:
        yield from super().__iter__()
        self.complete = False


@pytest.mark.long
def test_what_is_not_decided_in_time_has_no_marks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (formulations, references):
        monkeypatch.setattr(module, "COMPARISON_SECONDS", 1e-9)
    monkeypatch.setattr(orbits, "OneTree", Unfinished)
    for exercise in ("8", "9", "12"):
        text = REFERENCES[exercise]
        if exercise == "12":  # equal rows need no time
            text = program("12", ((PAIRS, TOGETHER),))
        checks = mark(exercise, text, tmp_path)
        assert marks(checks) < 10
        assert any(check.undecided for check in checks), exercise
