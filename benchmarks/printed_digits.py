"""Solution files with rounded digits, judged by `check` and by brute force.

    python -m benchmarks.printed_digits [--models 250] [--seed 1] [--only N]

Random models in a few small integers, and in large integers and continuous columns that equations
define by these. So brute force lists all solutions, as fractions. HiGHS, CBC, GLPK, SCIP, Gurobi
and CPLEX solve each model and write their files, in every style; lists have six, eight and fifteen
digits. CPLEX is run by the interpreter that CALMIP_PEER_PYTHON names, if it has it. Each file is
checked as it is, and with one number changed: by one in a printed digit of an integer, or by a
thousandth in a continuous column. A file is right if a solution of brute force has its digits and
objective, and wrong if none has them nearly. A case fails if a right file is refused, or a wrong
one accepted. Prints the counts by style, and every case that failed.
"""

from __future__ import annotations

import argparse
import functools
import itertools
import json
import os
import random
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory

import highspy  # before pyscipopt

import calmip
from calmip._base.errors import CalmipError
from calmip.solvers import solver_named

INF = 1e30

Values = dict[str, Fraction]


@dataclass
class Case:
    """A model, and its solutions by brute force.

    Parameters
    ----------
    text
        The model as an LP file.
    integers
        The names of the integer columns; the others are continuous.
    points
        All solutions.
    costs
        The objective.
    """

    text: str
    integers: set[str]
    points: list[Values]
    costs: dict[str, int]

    def objective(self, point: Values) -> Fraction:
        """Return the objective of a solution."""
        return sum((cost * point[name] for name, cost in self.costs.items()), Fraction(0))


def terms(factors: dict[str, int]) -> str:
    """Return a sum as an LP file has it."""
    return " ".join(f"{'+' if one >= 0 else '-'} {abs(one)} {n}" for n, one in factors.items())


def random_case(rng: random.Random) -> Case:
    """Return a model with small integers, large ones, and continuous columns."""
    small = [f"s{n}" for n in range(rng.randint(1, 3))]
    large = [f"n{n}" for n in range(rng.randint(1, 3))]
    flows = [f"flow_{n}" for n in range(rng.randint(0, 2))]
    rows, defined = [], {}
    for number, name in enumerate(large + flows):
        size = 10 ** rng.randint(5, 11 if name in large else 8)
        side = rng.randint(size, 10 * size)
        factors = {one: rng.randint(-9, 9) for one in small}
        own = 1 if name in large else rng.choice([1, 3, 7, 13])
        rows.append(f" r{number}: {own} {name} {terms(factors)} = {side}")
        defined[name] = own, factors, side
    limit = {one: rng.randint(1, 3) for one in small}
    most = rng.randint(3, 9)
    rows.append(f" limit: {terms(limit)} <= {most}")
    costs = {name: rng.randint(-5, 5) for name in small + large + flows}
    points = []
    for choice in itertools.product(range(6), repeat=len(small)):
        point = {name: Fraction(value) for name, value in zip(small, choice, strict=True)}
        if sum(limit[name] * point[name] for name in small) > most:
            continue
        for name, (own, factors, side) in defined.items():
            point[name] = Fraction(side - sum(v * point[n] for n, v in factors.items())) / own
        points.append(point)
    bounds = [f" {name} <= 5" for name in small]
    bounds += [f" {name} <= {10**13}" for name in large]
    sense = rng.choice(["Minimize", "Maximize"])
    text = "\n".join(
        [
            sense,
            f" o: {terms(costs)}",
            "Subject To",
            *rows,
            "Bounds",
            *bounds,
            "Generals",
            f" {' '.join(small + large)}",
            "End",
            "",
        ]
    )
    return Case(text, {*small, *large}, points, costs)


STYLES = {0: "HiGHS raw", 1: "HiGHS pretty", 2: "HiGHS glpsol raw", 3: "HiGHS glpsol", 4: "sparse"}
DIGITS = {
    "HiGHS raw": 15,
    "HiGHS pretty": 6,
    "HiGHS glpsol raw": 15,
    "HiGHS glpsol": 6,
    "sparse": 15,
    "CBC": 8,
    "GLPK -o": 6,
    "GLPK -w": 15,
    "SCIP": 15,
    "Gurobi": 15,
    "Gurobi JSON": 15,
    "CPLEX": 15,
    "list of 6": 6,
    "list of 8": 8,
    "list of 15": 15,
}
"""The digits of each style, as its program's source or manual has them."""


def answers(path: Path, case: Case, rng: random.Random) -> Iterator[tuple[str, str]]:
    """Yield the files that programs write, by their styles."""
    out = path.with_suffix(".sol")
    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    highs.readModel(str(path))
    highs.run()
    for style, name in STYLES.items():
        highs.writeSolution(str(out), style)
        yield name, out.read_text()
    raw = path.with_suffix(".raw")
    for solver, command in (
        ("cbc", [str(path), "-solve", "-solution", str(out)]),
        ("glpk", ["--lp", str(path), "-o", str(out), "-w", str(raw)]),
    ):
        program = solver_named(solver).find()  # type: ignore[attr-defined]
        if program is None:
            continue
        subprocess.run([program, *command], check=True, capture_output=True)
        yield {"cbc": "CBC", "glpk": "GLPK -o"}[solver], out.read_text()
        if solver == "glpk":
            yield "GLPK -w", raw.read_text()
    yield from of_packages(path)
    yield from of_cplex(path)
    point = rng.choice(case.points)
    for digits in (6, 8, 15):
        lines = (f"{name} {float(value):.{digits}g}" for name, value in point.items())
        # Not under the head of Gurobi, whose digits are known.
        head = f"=obj= {float(case.objective(point)):.15g}"
        yield f"list of {digits}", "\n".join([head, *lines, ""])


def of_packages(path: Path) -> Iterator[tuple[str, str]]:
    """Yield the files of SCIP and Gurobi."""
    out = path.with_suffix(".sol")
    try:
        import pyscipopt
    except ImportError:
        return
    scip = pyscipopt.Model()
    scip.hideOutput()
    scip.readProblem(str(path))
    scip.optimize()
    scip.writeBestSol(str(out))
    yield "SCIP", f"solution status: optimal solution found\n{out.read_text()}"
    try:
        import gurobipy
    except ImportError:
        return
    with (
        gurobipy.Env(params={"OutputFlag": 0, "JSONSolDetail": 0}) as environment,
        gurobipy.read(str(path), env=environment) as problem,
    ):
        problem.optimize()
        problem.write(str(out))
        yield "Gurobi", out.read_text()
        yield "Gurobi JSON", problem.getJSONSolution()


CPLEX = """
import cplex, sys
print(flush=True)
for line in sys.stdin:
    model, answer = line.rstrip().split("\t")
    found = cplex.Cplex()
    for kind in ("log", "results", "warning", "error"):
        getattr(found, f"set_{kind}_stream")(None)
    found.read(model)
    try:
        found.solve()
    except cplex.exceptions.CplexSolverError:  # an integer above 2,100,000,000
        there = False
    else:
        there = found.solution.is_primal_feasible()
    if there:
        found.solution.write(answer)
    print(there, flush=True)
"""
"""Solves each model of its input, which has the names of the model and of the answer in a line."""


@functools.cache
def cplex() -> subprocess.Popen[str] | None:
    """Return a process with CPLEX, None if there is no CPLEX."""
    python = os.environ.get("CALMIP_PEER_PYTHON", sys.executable)
    pipe = subprocess.PIPE
    child = subprocess.Popen(
        [python, "-c", CPLEX], stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True
    )
    assert child.stdout is not None
    if child.stdout.readline():
        return child
    child.communicate()
    return None


def of_cplex(path: Path) -> Iterator[tuple[str, str]]:
    """Yield the file of CPLEX."""
    child, out = cplex(), path.with_suffix(".sol")
    if child is not None:
        assert child.stdin is not None
        assert child.stdout is not None
        print(path, out, sep="\t", file=child.stdin, flush=True)
        found = child.stdout.readline()
        assert found, "CPLEX failed"
        if found == "True\n":
            yield "CPLEX", out.read_text()


NUMBER = r"[-+]?\d[\d.]*(?:[eE][-+]?\d+)?"


def values_in(style: str, text: str, columns: list[str]) -> dict[str, str]:
    """Return the printed numbers by name, by patterns that are not those of calmip's readers."""
    found = {}
    for place, name in enumerate(columns, start=1):
        patterns = {
            "HiGHS pretty": rf"^ +\d+ .*? +({NUMBER}) +(?:Integer|Continuous) +{name}$",
            "CBC": rf"^ *\d+ {name} +({NUMBER}) ",
            "CPLEX": rf'<variable name="{name}" index="\d+" value="({NUMBER})"',
            "Gurobi JSON": rf'"VarName": ?"{name}", ?"X": ?({NUMBER})',
        }
        table = rf"^ +\d+ {name}\s+(?:\*\s+|B\s+|N.\s+)?({NUMBER})"
        numbered = rf"^j {place} ({NUMBER})"
        for kind in ("HiGHS glpsol", "GLPK -o"):
            patterns[kind] = table
        for kind in ("HiGHS glpsol raw", "GLPK -w"):
            patterns[kind] = numbered
        if style == "HiGHS pretty" and "Type" not in text:
            patterns[style] = rf"^ +\d+ .*? +({NUMBER}) +\S+ +{name}$"
        match = re.search(patterns.get(style, rf"^{name}\s+({NUMBER})"), text, re.MULTILINE)
        if match:
            found[name] = match[1]
    return found


def unit(text: str, digits: int) -> Fraction:
    """Return a unit of the last of so many digits, or of the last printed one if that is less."""
    number = Decimal(text)
    if not number:
        return Fraction(0)
    *_, exponent = number.as_tuple()
    assert isinstance(exponent, int)
    return min(Fraction(10) ** (number.adjusted() - digits + 1), Fraction(10) ** exponent)


OBJECTIVES = {
    "HiGHS raw": r"^Objective (\S+)",
    "sparse": r"^Objective (\S+)",
    "HiGHS pretty": r"^Objective value: (\S+)",
    "CBC": r"^Optimal - objective value (\S+)",
    "HiGHS glpsol": r"^Objective: .* = (\S+)",
    "GLPK -o": r"^Objective: .* = (\S+)",
    "HiGHS glpsol raw": r"^s mip .* (\S+)$",
    "GLPK -w": r"^s mip .* (\S+)$",
    "SCIP": r"^objective value: +(\S+)",
    "Gurobi JSON": r'"ObjVal": ?([^,]+),',
    "CPLEX": r'objectiveValue="([^"]+)"',
}
"""How files that claim to be optimal state the objective; the others only give values."""


def stated(case: Case, style: str, text: str, point: Values) -> bool:
    """Whether a file states the objective of a point, if it claims that it is optimal."""
    found = re.search(OBJECTIVES.get(style, "$.^"), text, re.MULTILINE)
    if found is None:
        return True
    digits = 10 if style in ("HiGHS glpsol", "GLPK -o") else 15
    size = sum(abs(cost * point[name]) for name, cost in case.costs.items())
    whole = all(name in case.integers for name, cost in case.costs.items() if cost)
    more = Fraction(1, 4) if whole else max(1, size) / 10**6
    off = abs(Fraction(found[1]) - case.objective(point))
    return off <= unit(found[1], digits) / 2 + more


def fits(case: Case, style: str, text: str, values: dict[str, str], *, nearly: bool) -> bool:
    """Whether a solution of brute force has the printed digits and objective, or nearly."""
    for point in case.points:
        if not stated(case, style, text, point):
            continue
        for name, right in point.items():
            number = values.get(name, "0")
            half = unit(number, DIGITS[style]) / 2
            off = abs(Fraction(number) - right)
            if name in case.integers:
                more = Fraction(1, 10**6)
            else:
                more = Fraction(1, 10**4 if nearly else 10**9) * max(1, abs(right))
            if off > half + more:
                break
        else:
            return True
    return False


def change(
    rng: random.Random, case: Case, style: str, text: str, columns: list[str]
) -> tuple[str, dict[str, str]]:
    """Return a file with one number changed, and its numbers."""
    values = values_in(style, text, columns)
    name = rng.choice([name for name, number in values.items() if Decimal(number)])
    number = values[name]
    if name in case.integers:
        step = max(unit(number, DIGITS[style]), Fraction(1))
        new = Fraction(number) + rng.choice([-1, 1]) * step
    else:
        new = Fraction(number) * Fraction(1001, 1000)
    digits = max(DIGITS[style], len(Decimal(number).as_tuple().digits))
    wrong = f"{Decimal(new.numerator) / Decimal(new.denominator):.{digits}g}"
    wrong = wrong if "e" in number or "e" not in wrong else f"{float(new):.0f}"
    for match in re.finditer(re.escape(number), text):
        start = match.start()
        while len(wrong) > match.end() - start and text[start - 2 : start] == "  ":
            start -= 1  # the columns of a table stay where they are
        changed = text[:start] + wrong.rjust(match.end() - start) + text[match.end() :]
        found = values_in(style, changed, columns)
        if found == {**values, name: wrong}:
            return changed, found
    return "", {}


def judge(path: Path, model: calmip.Model, text: str, style: str) -> str:
    """Return calmip's verdict on a file."""
    answer = path.with_name("answer.json" if style == "Gurobi JSON" else "answer.sol")
    answer.write_text(text)
    try:
        found = calmip.check(model, answer, time_limit=20.0)
    except CalmipError as error:
        return f"error: {error}"
    return str(found.status) if found.status != "refused" else f"refused: {found.reasons[0]}"


def run(models: int, seed: int, only: int | None = None) -> dict[str, Counter[str]]:
    """Judge the files of random models; return the counts by style."""
    counts: dict[str, Counter[str]] = {}
    with TemporaryDirectory() as folder:
        for number in range(models) if only is None else [only]:
            rng = random.Random(f"{seed} {number}")
            case = random_case(rng)
            path = Path(folder) / "m.lp"
            path.write_text(case.text)
            model = calmip.read_model(path)
            columns = list(model.columns)
            for style, text in answers(path, case, rng):
                values = values_in(style, text, columns)
                files = [(text, values)]
                if any(Decimal(one) for one in values.values()):
                    files.append(change(rng, case, style, text, columns))
                for changed, (file, numbers) in enumerate(files):
                    if file:
                        verdict = judge(path, model, file, style)
                        word = verdict.partition(":")[0]
                        right = fits(case, style, file, numbers, nearly=False)
                        wrong = not right and not fits(case, style, file, numbers, nearly=True)
                        truth = "right" if right else "wrong" if wrong else "unclear"
                        counts.setdefault(style, Counter())[f"{truth} {word}"] += 1
                        if (truth, word) in FAULTS:
                            print(f"model {number}, {style}, changed {changed}: {verdict}", file)
                            print(case.text, numbers)
    return counts


FAULTS = {
    ("right", "refused"),
    ("right", "error"),
    ("wrong", "accepted"),
    ("wrong", "error"),
    ("unclear", "error"),
}


def main() -> None:
    """Run the campaign and print its table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", type=int, default=250)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int)
    given = parser.parse_args()
    started = time.process_time()
    counts = run(given.models, given.seed, given.only)
    words = sorted({word for found in counts.values() for word in found})
    print("| style | " + " | ".join(words) + " |")
    for style, found in counts.items():
        print(f"| {style} | " + " | ".join(str(found[word]) for word in words) + " |")
    total = sum(counts.values(), Counter[str]())
    print(json.dumps(total), f"{sum(total.values())} files, seed {given.seed}")
    print(f"{time.process_time() - started:.0f} CPU seconds")


if __name__ == "__main__":
    main()
