"""One reader's reading of one model file, as JSON on standard output.

    python -m benchmarks.dialects.readers READER FILE

Each reading has its own process: highspy and ortools cannot share one, and a reader may crash.
What the reader itself prints goes to standard error.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import gzip
import json
import math
import os
import re
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

Terms = dict[str, float]
INFINITE = 1e20


class Reading:
    """A model as a reader sees it: an objective, columns and rows by name."""

    def __init__(self, version: str) -> None:
        self.version = version
        self.maximise = False
        self.cost: Terms = {}
        self.offset = 0.0
        self.columns: dict[str, tuple[float, float, str]] = {}
        self.rows: list[tuple[str, Terms, float, float]] = []
        self.others: list[str] = []

    def column(
        self, name: str, low: float, high: float, kind: str = "continuous", cost: float = 0.0
    ) -> None:
        """Add a column."""
        self.columns[name] = (bound(low), bound(high), kind)
        self.cost[name] = cost

    def row(self, name: str, terms: Iterable[tuple[str, float]], low: float, high: float) -> None:
        """Add a row; terms of one column are added up."""
        found: Terms = {}
        for column, value in terms:
            found[column] = found.get(column, 0.0) + value
        self.rows.append((name, found, bound(low), bound(high)))

    def facets(self) -> dict[str, str]:
        """Return the model in words, by part; models with the same solutions have the same.

        Rows that every point satisfies are left out: some readers keep them.
        """
        sense = "maximise" if self.maximise else "minimise"
        found = {"objective": f"{sense} {expression(self.cost, self.offset)}"}
        for name, (low, high, kind) in self.columns.items():
            integer = "integer, " if kind == "integer" else ""
            other = "" if kind in ("integer", "continuous") else f"{kind}, "
            found[name] = f"{integer}{other}{between(name, low, high)}"
        for name, entries, low, high in self.rows:
            terms = {column: value for column, value in entries.items() if value}
            if (low, high) == (-math.inf, math.inf) or (not terms and low <= 0 <= high):
                continue
            key = f"{name}:"
            while key in found:
                key += " again:"
            found[key] = between(expression(terms), low, high)
        for number, other in enumerate(self.others, start=1):
            found[f"also {number}"] = other
        return found


def bound(value: float) -> float:
    """Return a bound, infinite if solvers treat it so."""
    return value if abs(value) < INFINITE else math.copysign(math.inf, value)


def shortest(value: float) -> str:
    return f"{value + 0.0:.15g}"


def expression(terms: Terms, constant: float = 0.0) -> str:
    """Return a sum, its variables in alphabetical order."""
    parts = [
        ("-" if value < 0 else "+")
        + " "
        + ("" if abs(value) == 1 else f"{shortest(abs(value))} ")
        + name
        for name, value in sorted(terms.items())
        if value
    ]
    if constant:
        parts.append(("-" if constant < 0 else "+") + f" {shortest(abs(constant))}")
    text = " ".join(parts) or "0"
    return "-" + text[2:] if text.startswith("- ") else text.removeprefix("+ ")


def between(middle: str, low: float, high: float) -> str:
    if low == high:
        return f"{middle} = {shortest(low)}"
    left = "" if low == -math.inf else f"{shortest(low)} <= "
    right = "" if high == math.inf else f" <= {shortest(high)}"
    if left and not right:
        return f"{middle} >= {shortest(low)}"
    return f"{left}{middle}{right}" if left or right else f"{middle} free"


def read_highs(path: str) -> Reading:
    import highspy

    highs = highspy.Highs()
    reading = Reading(highs.version())
    if highs.readModel(path) == highspy.HighsStatus.kError:
        raise ValueError("an error")
    lp = highs.getLp()
    reading.maximise = lp.sense_ == highspy.ObjSense.kMaximize
    reading.offset = lp.offset_
    kinds = {
        highspy.HighsVarType.kContinuous: "continuous",
        highspy.HighsVarType.kInteger: "integer",
        highspy.HighsVarType.kSemiContinuous: "semi-continuous",
        highspy.HighsVarType.kSemiInteger: "semi-integer",
        highspy.HighsVarType.kImplicitInteger: "integer",
    }
    names = list(lp.col_names_) or [f"C{j}" for j in range(lp.num_col_)]
    terms: list[list[tuple[str, float]]] = [[] for _ in range(lp.num_row_)]
    matrix = lp.a_matrix_
    by_column = matrix.format_ == highspy.MatrixFormat.kColwise
    for major in range(lp.num_col_ if by_column else lp.num_row_):
        for place in range(matrix.start_[major], matrix.start_[major + 1]):
            column, row = major, matrix.index_[place]
            if not by_column:
                column, row = row, column
            terms[row].append((names[column], matrix.value_[place]))
    for j, name in enumerate(names):
        kind = kinds[lp.integrality_[j]] if len(lp.integrality_) else "continuous"
        reading.column(name, lp.col_lower_[j], lp.col_upper_[j], kind, lp.col_cost_[j])
    rows = list(lp.row_names_) or [f"R{i}" for i in range(lp.num_row_)]
    for i, name in enumerate(rows):
        reading.row(name, terms[i], lp.row_lower_[i], lp.row_upper_[i])
    if highs.getModel().hessian_.dim_:
        reading.others.append("a quadratic objective")
    return reading


def read_scip(path: str) -> Reading:
    import pyscipopt

    model = pyscipopt.Model()
    reading = Reading(str(model.version()))
    model.readProblem(path)
    if model.getStage() < 1:
        raise ValueError("an error")
    reading.maximise = model.getObjectiveSense() == "maximize"
    reading.offset = model.getObjoffset()
    for variable in model.getVars():
        kind = "continuous" if variable.vtype() == "CONTINUOUS" else "integer"
        low, high = variable.getLbOriginal(), variable.getUbOriginal()
        reading.column(variable.name, low, high, kind, variable.getObj())
    for row in model.getConss(False):
        if not row.isLinear():
            reading.others.append(f"{row.name}, a {row.getConshdlrName()} constraint")
            continue
        # Not getValsLinear: a dictionary keeps one of two terms of a variable.
        names = [variable.name for variable in model.getConsVars(row)]
        terms = zip(names, model.getConsVals(row), strict=True)
        reading.row(row.name, terms, model.getLhs(row), model.getRhs(row))
    return reading


def library(name: str) -> ctypes.CDLL:
    found = ctypes.util.find_library(name)
    if found is None:
        raise FileNotFoundError(f"no library {name}")
    return ctypes.CDLL(found)


def read_cbc(path: str) -> Reading:
    """Return the reading of CBC's library, which its program uses too."""
    cbc = library("CbcSolver")
    for name in ("getColLower", "getColUpper", "getObjCoefficients", "getRowLower", "getRowUpper"):
        getattr(cbc, f"Cbc_{name}").restype = ctypes.POINTER(ctypes.c_double)
    cbc.Cbc_getElements.restype = ctypes.POINTER(ctypes.c_double)
    cbc.Cbc_getIndices.restype = ctypes.POINTER(ctypes.c_int)
    cbc.Cbc_getVectorStarts.restype = ctypes.POINTER(ctypes.c_int)
    cbc.Cbc_getVersion.restype = ctypes.c_char_p
    cbc.Cbc_newModel.restype = ctypes.c_void_p
    cbc.Cbc_getObjSense.restype = ctypes.c_double
    cbc.Cbc_isInteger.argtypes = [ctypes.c_void_p, ctypes.c_int]
    model = ctypes.c_void_p(cbc.Cbc_newModel())
    reading = Reading(cbc.Cbc_getVersion().decode())
    read = cbc.Cbc_readLp if path.endswith(".lp") else cbc.Cbc_readMps
    if read(model, path.encode()) != 0:
        raise ValueError("an error")
    columns, rows = cbc.Cbc_getNumCols(model), cbc.Cbc_getNumRows(model)
    if not columns and not rows:
        raise ValueError("nothing is read")

    def called(kind: str, number: int) -> str:
        text = ctypes.create_string_buffer(1000)
        getattr(cbc, f"Cbc_get{kind}Name")(model, number, text, ctypes.c_size_t(1000))
        return text.value.decode()

    names = [called("Col", j) for j in range(columns)]
    low, high = cbc.Cbc_getColLower(model), cbc.Cbc_getColUpper(model)
    cost = cbc.Cbc_getObjCoefficients(model)
    terms: list[list[tuple[str, float]]] = [[] for _ in range(rows)]
    start, index = cbc.Cbc_getVectorStarts(model), cbc.Cbc_getIndices(model)
    value = cbc.Cbc_getElements(model)
    for j, name in enumerate(names):
        kind = "integer" if cbc.Cbc_isInteger(model, j) else "continuous"
        reading.column(name, low[j], high[j], kind, cost[j])
        for place in range(start[j], start[j + 1]):
            terms[index[place]].append((name, value[place]))
    low, high = cbc.Cbc_getRowLower(model), cbc.Cbc_getRowUpper(model)
    for i in range(rows):
        reading.row(called("Row", i), terms[i], low[i], high[i])
    reading.maximise = cbc.Cbc_getObjSense(model) < 0
    if path.endswith(".lp"):
        # This interface drops the sense, the program keeps it: cbc maximises such a file.
        text = Path(path).read_text(encoding="utf-8")
        heads = re.findall(r"(?im)^(max|min)[a-z]*\b", text)
        reading.maximise = heads[0].lower() == "max"
    reading.offset = offset_written_by(cbc, model)
    return reading


def offset_written_by(cbc: ctypes.CDLL, model: ctypes.c_void_p) -> float:
    """Return the constant of CBC's objective: its library has no function, its MPS files do."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "model")
        cbc.Cbc_writeMps(model, str(path).encode())
        text = gzip.decompress(Path(f"{path}.mps.gz").read_bytes()).decode()
        for line in text.partition("RHS\n")[2].splitlines():
            fields = line.split()
            if fields[:2] == ["RHS", "OBJROW"]:
                return -float(fields[2])
    return 0.0


def read_glpk(path: str, fixed: bool = False) -> Reading:
    """Return the reading of GLPK's library, which glpsol uses too."""
    glpk = library("glpk")
    doubles = ("get_col_lb", "get_col_ub", "get_row_lb", "get_row_ub", "get_obj_coef")
    for name in doubles:
        getattr(glpk, f"glp_{name}").restype = ctypes.c_double
    for name in ("version", "get_col_name", "get_row_name"):
        getattr(glpk, f"glp_{name}").restype = ctypes.c_char_p
    glpk.glp_create_prob.restype = ctypes.c_void_p
    model = ctypes.c_void_p(glpk.glp_create_prob())
    reading = Reading(glpk.glp_version().decode())
    if path.endswith(".lp"):
        failed = glpk.glp_read_lp(model, None, path.encode())
    else:
        failed = glpk.glp_read_mps(model, 1 if fixed else 2, None, path.encode())
    if failed:
        raise ValueError("an error")
    columns, rows = glpk.glp_get_num_cols(model), glpk.glp_get_num_rows(model)
    names = [""]
    for j in range(1, columns + 1):
        names.append((glpk.glp_get_col_name(model, j) or b"").decode())
        kind = "continuous" if glpk.glp_get_col_kind(model, j) == 1 else "integer"
        low, high = (getattr(glpk, f"glp_get_col_{side}")(model, j) for side in ("lb", "ub"))
        reading.column(names[j], low, high, kind, glpk.glp_get_obj_coef(model, j))
    index, value = (ctypes.c_int * (columns + 1))(), (ctypes.c_double * (columns + 1))()
    for i in range(1, rows + 1):
        size = glpk.glp_get_mat_row(model, i, index, value)
        terms = [(names[index[k]], value[k]) for k in range(1, size + 1)]
        low, high = (getattr(glpk, f"glp_get_row_{side}")(model, i) for side in ("lb", "ub"))
        reading.row((glpk.glp_get_row_name(model, i) or b"").decode(), terms, low, high)
    reading.maximise = glpk.glp_get_obj_dir(model) == 2
    reading.offset = glpk.glp_get_obj_coef(model, 0)
    return reading


def read_glpk_fixed(path: str) -> Reading:
    return read_glpk(path, fixed=True)


def read_ortools(path: str) -> Reading:
    import ortools
    from ortools.linear_solver.python import model_builder

    builder = model_builder.ModelBuilder()
    reading = Reading(ortools.__version__)
    if not builder.import_from_mps_file(path):
        raise ValueError("an error")
    proto = builder.export_to_proto()
    reading.maximise, reading.offset = proto.maximize, proto.objective_offset
    names = [v.name for v in proto.variable]
    for v in proto.variable:
        kind = "integer" if v.is_integer else "continuous"
        reading.column(v.name, v.lower_bound, v.upper_bound, kind, v.objective_coefficient)
    for row in proto.constraint:
        terms = zip((names[j] for j in row.var_index), row.coefficient, strict=True)
        reading.row(row.name, terms, row.lower_bound, row.upper_bound)
    reading.others += ["a general constraint"] * len(proto.general_constraint)
    return reading


def read_gurobi(path: str) -> Reading:
    import gurobipy

    version = ".".join(map(str, gurobipy.gurobi.version()))
    reading = Reading(version)
    model = gurobipy.read(path)
    kinds = {"C": "continuous", "S": "semi-continuous", "N": "semi-integer"}
    # Gurobi writes a range as an equation with a slack variable, Rg and the row's name.
    slacks = {}
    for variable in model.getVars():
        column = model.getCol(variable)
        if column.size() == 1 and variable.VarName.endswith(f"Rg{column.getConstr(0).ConstrName}"):
            slacks[variable.VarName] = variable
            continue
        kind = kinds.get(variable.VType, "integer")
        reading.column(variable.VarName, variable.LB, variable.UB, kind, variable.Obj)
    for row in model.getConstrs():
        low = row.RHS if row.Sense in "=>" else -math.inf
        high = row.RHS if row.Sense in "=<" else math.inf
        terms = []
        sum_ = model.getRow(row)
        for place in range(sum_.size()):
            variable, value = sum_.getVar(place), sum_.getCoeff(place)
            if variable.VarName in slacks:
                ends = (value * variable.LB, value * variable.UB)
                low, high = low - max(ends), high - min(ends)
            else:
                terms.append((variable.VarName, value))
        reading.row(row.ConstrName, terms, low, high)
    reading.maximise, reading.offset = model.ModelSense < 0, model.ObjCon
    for number, what in (
        (model.NumSOS, "a special ordered set"),
        (model.NumQConstrs, "a quadratic constraint"),
        (model.NumQNZs, "a quadratic term"),
        (model.NumGenConstrs, "a general constraint"),
    ):
        reading.others += [what] * number
    return reading


def read_pulp(path: str) -> Reading:
    import pulp

    _, problem = pulp.LpProblem.fromMPS(path)
    reading = Reading(pulp.VERSION)
    reading.maximise = problem.sense == pulp.LpMaximize
    objective = problem.objective
    cost = {v.name: value for v, value in objective.items()}
    reading.offset = objective.constant
    for v in problem.variables():
        low = -math.inf if v.lowBound is None else v.lowBound
        high = math.inf if v.upBound is None else v.upBound
        kind = "integer" if v.cat in ("Integer", "Binary") else "continuous"
        reading.column(v.name, low, high, kind, cost.get(v.name, 0.0))
    for name, row in problem.constraints.items():
        side = -row.constant
        low = side if row.sense >= 0 else -math.inf
        high = side if row.sense <= 0 else math.inf
        reading.row(name, [(v.name, value) for v, value in row.items()], low, high)
    return reading


def read_calmip(path: str) -> Reading:
    import calmip

    model = calmip.read_model(path)
    reading = Reading(calmip.__version__)
    reading.maximise, reading.offset = model.maximise, model.offset
    sign = -1 if model.maximise else 1
    columns = zip(
        model.columns,
        model.values("column_lower"),
        model.values("column_upper"),
        model.values("integer"),
        model.values("cost"),
        strict=True,
    )
    logic = model.logic
    semi = {one.column: one for one in logic.constructs if hasattr(one, "high")} if logic else {}
    for place, (name, low, high, integer, cost) in enumerate(columns):
        sides, kind = (low, high), "integer" if integer else "continuous"
        if place in semi and semi[place].kind == "semi-continuous variable":
            sides = float(semi[place].low), float(semi[place].high)
            kind = "semi-integer" if integer else "semi-continuous"
        if place < len(model.own_columns):
            reading.column(name, *sides, kind, sign * cost)
    start, index, value = (model.values(name) for name in ("start", "index", "value"))
    for i, (name, low, high) in enumerate(
        zip(model.rows, model.values("lower"), model.values("upper"), strict=True)
    ):
        places = range(start[i], start[i + 1])
        if logic is None or i not in logic.rows:
            reading.row(name, [(model.columns[index[k]], value[k]) for k in places], low, high)
    others = [one for one in logic.constructs if not one.kind.startswith("semi")] if logic else []
    reading.others = [one.words(model.columns) for one in others]
    return reading


READERS: dict[str, Any] = {
    "HiGHS": read_highs,
    "SCIP": read_scip,
    "CBC": read_cbc,
    "GLPK": read_glpk,
    "GLPK (fixed)": read_glpk_fixed,
    "OR-tools": read_ortools,
    "Gurobi": read_gurobi,
    "PuLP": read_pulp,
    "calmip": read_calmip,
}
ONLY_MPS = ("GLPK (fixed)", "OR-tools", "PuLP")
"""OR-tools reads the LP format of lp_solve, another language; PuLP reads no LP files."""


def main() -> None:
    name, path = sys.argv[1:]
    answer = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    try:
        reading = READERS[name](path)
        found: dict[str, Any] = {"version": reading.version, "facets": reading.facets()}
    except (FileNotFoundError, ImportError) as error:
        found = {"absent": str(error)}
    except Exception as error:
        found = {"refused": f"{type(error).__name__}: {error}"}
    print(json.dumps(found), file=answer, flush=True)
    # Solvers may crash in their destructors, after the reading.
    os._exit(0)


if __name__ == "__main__":
    main()
