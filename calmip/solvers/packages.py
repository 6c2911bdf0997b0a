"""The solvers that are Python packages: each runs in a process of its own.

So a library that crashes, hangs, ignores Ctrl-C, prints or keeps its memory does not affect the
caller. OR-tools and highspy cannot share a process: the second one to be imported fails on the
other's copy of HiGHS. The parent writes ``task.json`` into a scratch folder; the child does
the work (`Package.serve`) and writes ``answer.json``.
"""

from __future__ import annotations

import json
import math
import time
from abc import ABC, abstractmethod
from pathlib import Path
from types import MappingProxyType
from typing import Any

from calmip._base.errors import (
    CalmipError,
    SolverFailed,
    SolverMissing,
    clip,
    describe_error,
    is_missing,
)
from calmip._base.files import scratch_folder
from calmip._base.limits import MIN_SECONDS, Limits
from calmip.mip.rows import Row
from calmip.mip.status import Status
from calmip.processes import NO_PROCESSES, Ended, answer_task, processes_are_here, python, run
from calmip.solvers.base import (
    ERRORS,
    KILLED,
    Availability,
    KindRefused,
    ModelRefused,
    OptionUnknown,
    Outcome,
    Solver,
    StatusWords,
    answer_bytes,
    catch_errors,
    no_option,
    package_availability,
    read_binary,
)

__all__ = ["Z3", "Cpsat", "Gurobi", "Package", "Scip"]


class Package(Solver, ABC):
    """A solver that is a Python package; see `calmip.solvers.base.Solver`.

    Attributes
    ----------
    name : str
        Its name for users, and the extra of calmip that installs it.
    package : str
        Its name for pip.
    """

    name: str
    package: str
    loads = True

    @abstractmethod
    def load(self) -> Any:
        """Import the package and return the module, in the child."""

    @abstractmethod
    def work(self, model: Path, limits: Limits) -> Outcome:
        """Read a model file and solve it, in this process."""

    def availability(self) -> Availability:
        """Return whether the package is installed, without importing it."""
        if not processes_are_here():
            return Availability(None, None, NO_PROCESSES)
        return package_availability(self.package, f"pip install 'calmip[{self.name}]'")

    def solve(self, model: Path, limits: Limits) -> Outcome:
        """Solve a model file in a child process; see `calmip.solvers.base.Solver`."""
        here = self.availability()
        if here.found is None:
            raise SolverMissing(f"{self.name} was not found; {here.remedy}")
        task = {
            "model": str(model.resolve()),
            "seconds": limits.seconds,
            "seed": limits.seed,
            "threads": limits.threads,
            "log": limits.log is not None,
            "start": limits.start,
            "options": limits.options,
            "stock": limits.stock,
            "startup": limits.startup,
            "asked": time.time(),
        }
        patience = None if limits.patience is None else limits.patience + limits.startup
        most = answer_bytes(model)
        with scratch_folder() as folder:
            (folder / "task.json").write_text(json.dumps(task), encoding="utf-8")
            ended = run(python(self.serve), folder=folder, seconds=patience, log=limits.log)
            if ended.status is None:
                return Outcome(Status.UNKNOWN, detail=KILLED)
            answer = self._answer(folder / "answer.json", most, ended)
        if "missing" in answer:
            raise SolverMissing(f"{self.name} cannot be used ({answer['missing']}); {here.remedy}")
        kind = next((kind for kind in ERRORS if kind in answer), None)
        if kind is not None:
            errors = {"option": OptionUnknown, "unfit": ModelRefused}
            raise errors.get(kind, SolverFailed)(str(answer[kind]))
        return self._outcome(answer)

    @classmethod
    def serve(cls) -> None:
        """Do the task in the current folder, as the child process."""
        solver = cls()

        def do(task: dict[str, Any]) -> dict[str, Any]:
            try:
                solver.load()
            except (MemoryError, CalmipError):
                raise
            except (Exception, SystemExit) as error:  # an import runs any code of the package
                if is_missing(error):
                    raise
                raise SolverMissing(
                    f"{solver.package} is broken here: {describe_error(error)}"
                ) from None
            begun = max(time.time() - task["asked"], 0.0)
            startup = [begun, time.process_time()]
            seconds = task["seconds"]
            if seconds is not None:
                # The clock is the caller's: starting this process and loading the package count.
                seconds = max(seconds - max(begun - task["startup"], 0.0), MIN_SECONDS)
            log = print if task["log"] else None
            options = tuple((str(name), str(value)) for name, value in task["options"])
            limits = Limits(
                seconds,
                task["seed"],
                task["threads"],
                log,
                tuple(task["start"]),
                options,
                stock=task["stock"],
            )
            return {**solver.work(Path(task["model"]), limits).describe(), "startup": startup}

        answer_task(Path(), lambda task: catch_errors(lambda: do(task)))

    def _answer(self, path: Path, most: int, ended: Ended) -> dict[str, Any]:
        """Return the child's answer; a complete one counts even if the child crashed afterwards."""
        try:
            with path.open("rb") as file:
                text = file.read(most + 1)
            answer = json.loads(text) if len(text) <= most else None
        except OSError:
            raise SolverFailed(
                f"{self.name} ended with {ended.how} and without an answer{ended.last_line}"
            ) from None
        except (ValueError, RecursionError):
            answer = None
        if len(text) > most:
            raise SolverFailed(f"{self.name}'s answer is larger than {most:,} bytes")
        if not isinstance(answer, dict):
            raise SolverFailed(f"{self.name}'s answer is cut or garbled{ended.last_line}")
        return answer

    def _outcome(self, answer: dict[str, Any]) -> Outcome:
        """Return the outcome in an answer, every value a finite number."""
        try:
            values = {str(column): float(value) for column, value in answer["values"].items()}
            status, detail = Status(answer["status"]), str(answer["detail"])
            nodes = None if answer.get("nodes") is None else int(answer["nodes"])
            bound = None if answer.get("bound") is None else float(answer["bound"])
            wall, cpu = map(float, answer.get("startup", (0.0, 0.0)))
        except (AttributeError, KeyError, TypeError, ValueError, OverflowError):
            raise SolverFailed(
                f"{self.name}'s answer is not a status, a word and values by name"
            ) from None
        for column, value in values.items():
            if not math.isfinite(value):
                raise SolverFailed(
                    f"{self.name} says '{detail}', but {column} has the value {value}"
                )
        return Outcome(status, values, detail, nodes, bound, (wall, cpu))


SCIP = StatusWords(
    "SCIP", "optimal", "infeasible", "inforunbd", ("timelimit", "memlimit"), "unbounded"
)


class Scip(Package):
    """SCIP through PySCIPOpt. It uses one thread, whatever the limits say."""

    name, package = "scip", "pyscipopt"
    starts = True
    unused = ("threads",)

    def load(self) -> Any:
        """Import PySCIPOpt."""
        import pyscipopt

        return pyscipopt

    def work(self, model: Path, limits: Limits) -> Outcome:
        """Read a model file and solve it, in this process."""
        scip = self.load().Model()
        if limits.log is None:
            scip.hideOutput()
        try:
            scip.readProblem(str(model))
        except Exception as error:  # a plain Exception, for a missing file as for a syntax error
            raise SolverFailed(f"SCIP cannot read {model.name}: {error}") from None
        scip.setParam("randomization/randomseedshift", limits.seed)
        if limits.seconds is not None:
            scip.setParam("limits/time", limits.seconds)
        for name, value in limits.options:
            try:
                scip.setParam(name, _parse(value, scip.getParam(name)))
            except (KeyError, LookupError, ValueError) as error:
                raise no_option("SCIP", name, value, error) from None
        if limits.start:
            start = scip.createSol()
            for variable in scip.getVars():
                scip.setSolVal(start, variable, float(variable.name in limits.start))
            scip.addSol(start)
        scip.optimize()
        bound, values = float(scip.getDualbound()), None
        if scip.getNSols():
            best = scip.getBestSol()
            values = {v.name: scip.getSolVal(best, v) for v in scip.getVars(transformed=False)}
        known = bound if abs(bound) < scip.infinity() else None
        own = scip.getVars(transformed=False)
        ends = (end for v in own for end in (v.getLbOriginal(), v.getUbOriginal()))
        bounded = all(abs(end) < scip.infinity() for end in ends)
        return SCIP.outcome(scip.getStatus(), values, scip.getNTotalNodes(), known, bounded=bounded)


def _parse(text: str, now: object) -> object:
    """Return a text as a value of the type that an option has now."""
    if isinstance(now, bool):
        if text.lower() not in ("true", "false"):
            raise ValueError("it is true or false")
        return text.lower() == "true"
    return text if isinstance(now, str) else type(now)(text)  # type: ignore[call-arg]


CPSAT = StatusWords(
    "CP-SAT", "OPTIMAL", "INFEASIBLE", "", ("FEASIBLE", "NOT_SOLVED", "UNKNOWN_STATUS")
)


class Cpsat(Package):
    """CP-SAT of OR-tools."""

    name, package = "cpsat", "ortools"
    starts = True

    def load(self) -> Any:
        """Import the part of OR-tools that builds and solves models, and calmip's reader."""
        from ortools.linear_solver.python import model_builder

        import calmip.mip.files.model_files
        import calmip.mip.files.mps  # noqa: F401

        return model_builder

    def work(self, model: Path, limits: Limits) -> Outcome:
        """Read a model file and solve it, in this process."""
        from calmip.mip.files.model_files import read_model
        from calmip.mip.files.mps import mps_text

        # Its reader knows another dialect of LP, and has read a faulty file as an
        # empty model. It reads our MPS files. The size is the check.
        arrays = read_model(model)
        for column, name in enumerate(arrays.columns):
            low, high = arrays.bounds(column)
            if not arrays.integer[column] or -math.inf in (low, -high):
                kind = "an integer without bounds" if arrays.integer[column] else "continuous"
                raise KindRefused(
                    f"CP-SAT needs bounded integers, and variable {name} is {kind}; "
                    "use another solver"
                )
        plain = Path("model.mps")
        plain.write_text(mps_text(arrays), encoding="utf-8")
        model_builder = self.load()
        problem = model_builder.Model()
        if not problem.import_from_mps_file(str(plain)):
            raise SolverFailed(f"CP-SAT cannot read {model.name}")
        size = [problem.num_variables, problem.num_constraints]
        expected = [len(arrays.columns), len(arrays.rows)]
        if size != expected:
            raise SolverFailed(
                f"CP-SAT read {size} columns and rows of {model.name}, not {expected}"
            )
        if limits.start:
            for variable in problem.get_variables():
                problem.add_hint(variable, int(variable.name in limits.start))
        solver = model_builder.Solver("sat")
        solver.enable_output(limits.log is not None)
        if limits.seconds is not None:
            solver.set_time_limit_in_seconds(limits.seconds)
        own = "".join(f" {name}:{value}" for name, value in limits.options)
        solver.set_solver_specific_parameters(
            f"num_workers:{limits.threads} random_seed:{limits.seed}{own}"
        )
        word = solver.solve(problem).name
        if word == "INVALID_SOLVER_PARAMETERS":
            raise OptionUnknown(f"CP-SAT does not know these options:{clip(own, 200)}")
        values = None
        if word in ("OPTIMAL", "FEASIBLE"):
            values = {v.name: solver.value(v) for v in problem.get_variables()}
        bound = solver.best_objective_bound if values and any(values.values()) else None
        return CPSAT.outcome(word, values, bound=bound)


SEEDS = 2_000_000_000
"""Its largest seed."""

GUROBI = StatusWords(
    "Gurobi",
    "OPTIMAL",
    "INFEASIBLE",
    "INF_OR_UNBD",
    ("TIME_LIMIT", "MEM_LIMIT", "SUBOPTIMAL"),
    "UNBOUNDED",
)

LICENCE_ERRORS = (10009, 10010)
"""No valid licence; the model is too large for the licence."""

LICENCE_REMEDY = (
    "the licence inside gurobipy takes 2,000 columns and 2,000 rows and ends some time after "
    "its version came out: upgrade gurobipy, get a licence (gurobi.com), or use another solver"
)


class Gurobi(Package):
    """Gurobi; the size-limited licence inside gurobipy is enough here."""

    name, package = "gurobi", "gurobipy"
    starts = True
    exact = MappingProxyType({"MIPGap": "0"})

    def load(self) -> Any:
        """Import gurobipy."""
        import gurobipy

        return gurobipy

    def work(self, model: Path, limits: Limits) -> Outcome:
        """Read a model file and solve it, in this process."""
        gurobipy = self.load()
        settings: dict[str, Any] = {
            "OutputFlag": int(limits.log is not None),
            "Seed": limits.seed % SEEDS,
            "Threads": limits.threads,
            **{name: float(value) for name, value in self.exact.items()},
        }
        if limits.seconds is not None:
            settings["TimeLimit"] = limits.seconds
        try:
            with (
                gurobipy.Env(params=settings) as environment,
                gurobipy.read(str(model), env=environment) as problem,
            ):
                _set_gurobi(problem, limits.options, gurobipy)
                if limits.start:
                    for variable in problem.getVars():
                        variable.Start = float(variable.VarName in limits.start)
                problem.optimize()
                return _gurobi_outcome(problem, gurobipy)
        except gurobipy.GurobiError as error:
            if error.errno in LICENCE_ERRORS:
                raise ModelRefused(f"Gurobi failed: {error}; {LICENCE_REMEDY}") from None
            raise SolverFailed(f"Gurobi failed: {error}") from None


def _set_gurobi(problem: Any, options: tuple[tuple[str, str], ...], gurobipy: Any) -> None:
    for name, value in options:
        try:
            kind = problem.getParamInfo(name)[1]
            problem.setParam(name, kind(value))
        except (gurobipy.GurobiError, TypeError, ValueError) as error:
            raise no_option("Gurobi", name, value, error) from None


def _gurobi_outcome(problem: Any, gurobipy: Any) -> Outcome:
    codes = gurobipy.GRB.Status
    words = {getattr(codes, word): word for word in dir(codes) if word.isupper()}
    word = words.get(problem.Status, str(problem.Status))
    best = float(getattr(problem, "ObjBound", math.inf))  # infeasible LPs have none
    bound = best if abs(best) < gurobipy.GRB.INFINITY else None
    values = None
    if problem.SolCount:
        # Its MPS reader adds a slack column to a row with a range.
        slacks = {f"MPS_Rg{row.ConstrName}" for row in problem.getConstrs()}
        own = (v for v in problem.getVars() if v.VType != "C" or v.VarName not in slacks)
        values = {v.VarName: v.X for v in own}
    ends = (end for v in problem.getVars() for end in (v.LB, v.UB))
    bounded = all(abs(end) < gurobipy.GRB.INFINITY for end in ends)
    return GUROBI.outcome(word, values, int(problem.NodeCount), bound, bounded=bounded)


MAX_COEFFICIENT = 2**31
"""Numbers of its pseudo-Boolean constraints are smaller."""


class Z3(Package):
    """Z3: rows become pseudo-Boolean constraints. It uses one thread, whatever the limits say."""

    name, package = "z3", "z3-solver"
    unused = ("threads",)

    def load(self) -> Any:
        """Import Z3, and calmip's reader."""
        import z3

        import calmip.mip.files.model_files  # noqa: F401

        return z3

    def work(self, model: Path, limits: Limits) -> Outcome:
        """Read a model file and solve it, in this process."""
        z3, arrays = self.load(), read_binary(model, "Z3")
        x = [z3.Bool(name) for name in arrays.columns]
        z3.set_param("smt.random_seed", limits.seed)
        z3.set_param("sat.random_seed", limits.seed)
        for name, value in limits.options:
            try:
                z3.set_param(name, value)
            except z3.Z3Exception as error:
                raise no_option("Z3", name, value, error) from None
        minimised = bool(arrays.costs)
        solver = z3.Optimize() if minimised else z3.Solver()
        if minimised:
            cost = arrays.costs.items()
            solver.minimize(
                z3.Sum([z3.If(x[c], z3.Q(v.numerator, v.denominator), 0) for c, v in cost])
            )
        if limits.seconds is not None:
            solver.set("timeout", max(1, round(limits.seconds * 1000)))
        for row in range(len(arrays.rows)):
            solver.add(*_z3_row(z3, x, arrays.row(row)))
        verdict = solver.check()
        if verdict == z3.sat:
            found = solver.model()
            chosen = [name for name, v in zip(arrays.columns, x, strict=True) if found[v]]
            return Outcome(Status.OPTIMAL, dict.fromkeys(chosen, 1.0), "sat")
        if verdict == z3.unsat:
            return Outcome(Status.INFEASIBLE, detail="unsat")
        reason = solver.reason_unknown()
        if reason == "timeout" or reason.endswith("canceled"):  # or sat.canceled
            return Outcome(Status.UNKNOWN, detail=reason)
        raise SolverFailed(f"Z3 gave up: {reason}")


def _z3_row(z3: Any, x: list[Any], row: Row[int]) -> list[Any]:
    """Return a row's constraints."""
    coefficients, low, high = row
    terms = [(x[column], value) for column, value in coefficients.items()]
    if not terms or low > high:
        return [z3.BoolVal(low <= 0 <= high)]
    numbers = [*coefficients.values(), *row.bounds.finite]
    small = all(-MAX_COEFFICIENT < number < MAX_COEFFICIENT for number in numbers)
    if small and low == high:
        return [z3.PbEq(terms, low)]
    # Its pseudo-Boolean constraints hold 32 bits, its integers any number.
    total: Any = None if small else z3.Sum([z3.If(one, z3.IntVal(v), 0) for one, v in terms])
    rows = []
    if low > -math.inf:
        rows.append(z3.PbGe(terms, low) if small else total >= low)
    if high < math.inf:
        rows.append(z3.PbLe(terms, high) if small else total <= high)
    return rows
