"""One writer's file of one model.

    python -m benchmarks.dialects.writers WRITER MODEL FILE

A solver reads the model from an MPS file and writes it; PuLP and Pyomo build it. Each has its own
process, as the readers have.
"""

from __future__ import annotations

import ctypes
import gzip
import math
import os
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from benchmarks.dialects.readers import library

INF = math.inf


@dataclass(frozen=True)
class Small:
    """A small model: columns with cost, bounds and type, and rows."""

    title: str
    columns: dict[str, tuple[float, float, float, bool]]
    rows: dict[str, tuple[dict[str, float], float, float]]
    offset: float = 0.0
    maximise: bool = False


X, Y = (1.0, 0.0, INF, False), (2.0, 0.0, INF, False)
ROW = {"r": ({"x": 1.0, "y": 1.0}, 4.0, INF)}

MODELS = {
    "maximise": Small(
        "an objective to maximise",
        {"x": X, "y": Y},
        {"r": ({"x": 1.0, "y": 1.0}, -INF, 4.0)},
        maximise=True,
    ),
    "constant": Small("a constant in the objective", {"x": X, "y": Y}, ROW, offset=10.0),
    "no-objective": Small(
        "no objective", {"x": (0.0, 0.0, INF, False), "y": (0.0, 0.0, INF, False)}, ROW
    ),
    "range": Small("a range", {"x": X, "y": Y}, {"r": ({"x": 1.0, "y": 1.0}, 1.0, 8.0)}),
    "integer": Small(
        "integers: binary, bounded, unbounded, negative",
        {
            "x": (1.0, 0.0, 1.0, True),
            "y": (2.0, 0.0, 5.0, True),
            "z": (1.0, 0.0, INF, True),
            "w": (1.0, -3.0, 3.0, True),
        },
        {"r": ({"x": 1.0, "y": 1.0, "z": 1.0, "w": 1.0}, 4.0, INF)},
    ),
    "bounds": Small(
        "free, negative and fixed columns",
        {
            "x": (1.0, -INF, INF, False),
            "y": (2.0, -INF, -2.0, False),
            "z": (1.0, 3.0, 3.0, False),
        },
        {"r": ({"x": 1.0, "y": 1.0, "z": 1.0}, 4.0, INF)},
    ),
    "unused": Small(
        "a column in no row and without cost",
        {"x": X, "y": Y, "z": (0.0, 0.0, 5.0, True)},
        ROW,
    ),
}


def mps_text(model: Small) -> str:
    """Return an MPS file of the model; OBJSENSE, a range and the constant as most read them."""
    lines = ["NAME          model"]
    lines += ["OBJSENSE", "    MAX"] if model.maximise else []
    lines += ["ROWS", " N  cost"]
    right, ranges = [], []
    for name, (_, low, high) in model.rows.items():
        lines.append(f" {'L' if high < INF else 'G'}  {name}")
        right.append(f"    rhs       {name:<8}  {high if high < INF else low}")
        if low > -INF and high < INF:
            ranges.append(f"    rng       {name:<8}  {high - low}")
    lines.append("COLUMNS")
    whole = False
    for name, (cost, _, _, integer) in model.columns.items():
        if integer != whole:
            mark = "INTORG" if integer else "INTEND"
            lines.append(f"    MARKER    'MARKER'                 '{mark}'")
            whole = integer
        lines.append(f"    {name:<8}  cost      {cost}")
        lines += [
            f"    {name:<8}  {row:<8}  {terms[name]}"
            for row, (terms, _, _) in model.rows.items()
            if name in terms
        ]
    if whole:
        lines.append("    MARKER    'MARKER'                 'INTEND'")
    right += [f"    rhs       cost      {-model.offset}"] if model.offset else []
    lines += ["RHS", *right, *(["RANGES", *ranges] if ranges else []), "BOUNDS"]
    for name, (_, low, high, _) in model.columns.items():
        if (low, high) == (-INF, INF):
            lines.append(f" FR bnd       {name}")
            continue
        lines.append(f" LO bnd       {name:<8}  {low}" if low > -INF else f" MI bnd       {name}")
        lines.append(f" UP bnd       {name:<8}  {high}" if high < INF else f" PL bnd       {name}")
    return "\n".join([*lines, "ENDATA"]) + "\n"


def write_highs(source: str, _: Small, path: str) -> None:
    import highspy

    highs = highspy.Highs()
    highs.readModel(source)
    highs.writeModel(path)


def write_scip(source: str, _: Small, path: str) -> None:
    import pyscipopt

    model = pyscipopt.Model()
    model.readProblem(source)
    model.writeProblem(path)


def write_gurobi(source: str, _: Small, path: str) -> None:
    import gurobipy

    gurobipy.read(source).write(path)


def write_glpk(source: str, model: Small, path: str) -> None:
    glpk = library("glpk")
    glpk.glp_create_prob.restype = ctypes.c_void_p
    problem = ctypes.c_void_p(glpk.glp_create_prob())
    # GLPK reads neither OBJSENSE nor the usual sign of the constant.
    text = mps_text(replace(model, maximise=False))
    Path(source).write_text(text, encoding="utf-8")
    glpk.glp_read_mps(problem, 2, None, source.encode())
    glpk.glp_set_obj_dir(problem, 2 if model.maximise else 1)
    glpk.glp_set_obj_coef(problem, 0, ctypes.c_double(model.offset))
    if path.endswith(".lp"):
        glpk.glp_write_lp(problem, None, path.encode())
    else:
        glpk.glp_write_mps(problem, 2, None, path.encode())


def write_cbc(source: str, _: Small, path: str) -> None:
    cbc = library("CbcSolver")
    cbc.Cbc_newModel.restype = ctypes.c_void_p
    problem = ctypes.c_void_p(cbc.Cbc_newModel())
    cbc.Cbc_readMps(problem, source.encode())
    if path.endswith(".lp"):
        cbc.Cbc_writeLp(problem, path.removesuffix(".lp").encode())
        return
    stem = path.removesuffix(".mps")
    cbc.Cbc_writeMps(problem, stem.encode())
    packed = Path(f"{stem}.mps.gz")
    Path(path).write_bytes(gzip.decompress(packed.read_bytes()))
    packed.unlink()


def write_ortools(source: str, _: Small, path: str) -> None:
    from ortools.linear_solver.python import model_builder

    builder = model_builder.ModelBuilder()
    builder.import_from_mps_file(source)
    text = builder.export_to_lp_string() if path.endswith(".lp") else builder.export_to_mps_string()
    Path(path).write_text(text, encoding="utf-8")


def write_calmip(source: str, _: Small, path: str) -> None:
    import calmip
    from calmip.mip.files.model_files import write_model

    write_model(Path(path), calmip.read_model(source))


def write_pulp(_: str, model: Small, path: str) -> None:
    import pulp

    problem = pulp.LpProblem("model", pulp.LpMaximize if model.maximise else pulp.LpMinimize)
    found: dict[str, Any] = {}
    for name, (_, low, high, integer) in model.columns.items():
        kind = "Integer" if integer else "Continuous"
        sides = (None if math.isinf(side) else side for side in (low, high))
        found[name] = pulp.LpVariable(name, *sides, kind)
    problem += pulp.lpSum(model.columns[n][0] * v for n, v in found.items()) + model.offset
    for name, (terms, low, high) in model.rows.items():
        total = pulp.lpSum(value * found[column] for column, value in terms.items())
        # PuLP has no ranges of two finite bounds: two rows.
        if low > -INF:
            problem += total >= low, name
        if high < INF:
            problem += total <= high, f"{name}_up" if low > -INF else name
    if path.endswith(".lp"):
        problem.writeLP(path)
    else:
        problem.writeMPS(path)


def write_pyomo(_: str, model: Small, path: str) -> None:
    import pyomo.environ as pyo

    built = pyo.ConcreteModel()
    for name, (_, low, high, integer) in model.columns.items():
        kind = pyo.Integers if integer else pyo.Reals
        sides = tuple(None if math.isinf(side) else side for side in (low, high))
        built.add_component(name, pyo.Var(domain=kind, bounds=sides))
    variables = {name: built.component(name) for name in model.columns}
    sense = pyo.maximize if model.maximise else pyo.minimize
    cost = sum(model.columns[name][0] * v for name, v in variables.items()) + model.offset
    built.add_component("cost", pyo.Objective(expr=cost, sense=sense))
    for name, (terms, low, high) in model.rows.items():
        total = sum(value * variables[column] for column, value in terms.items())
        sides = tuple(None if math.isinf(side) else side for side in (low, high))
        built.add_component(name, pyo.Constraint(expr=(sides[0], total, sides[1])))
    built.write(path, io_options={"symbolic_solver_labels": True})


WRITERS: dict[str, Callable[[str, Small, str], None]] = {
    "HiGHS": write_highs,
    "SCIP": write_scip,
    "CBC": write_cbc,
    "GLPK": write_glpk,
    "OR-tools": write_ortools,
    "Gurobi": write_gurobi,
    "PuLP": write_pulp,
    "Pyomo": write_pyomo,
    "calmip": write_calmip,
}


def main() -> None:
    name, key, path = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        source = str(Path(folder, "source.mps"))
        Path(source).write_text(mps_text(MODELS[key]), encoding="utf-8")
        WRITERS[name](source, MODELS[key], path)
    sys.stdout.flush()
    os._exit(0 if Path(path).exists() else 1)


if __name__ == "__main__":
    main()
