"""Irreducible infeasible subsystems by calmip, Gurobi, HiGHS and SCIP: sizes, CPU seconds, checks.

    python -m benchmarks.iis [--folder DIR]... [--limit SECONDS] [--only WORD] [--no-check]
                             [--tools gurobi,highs,scip] [--runs N] [--smallest]

Models of its own: two puzzles, timetables, facilities, parities, a matching that Hall's condition
excludes, packings. From each folder of model files: those that are infeasible, and known optima as
cutoffs that no solution meets. Gurobi needs a licence for the size. Every subsystem is checked by
another solver: Gurobi's by HiGHS, the others by Gurobi, with all bounds and integrality. Prints a
table in Markdown: rows+bounds, CPU seconds without reading the file and starting Python. "Rows
irreducible" means: with all bounds and integrality given. With --runs each tool runs so often, in
turn with the others, and the seconds are medians.

With --smallest calmip alone looks for the fewest rows, with all bounds and integrality given.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import calmip
from benchmarks.tables import Table, add_option
from calmip._base.limits import Deadline
from calmip.mip.iis.subsystem import Subsystems
from calmip.mip.model import Model, NamedRow

INF = math.inf
PEERS = ("gurobi", "highs", "scip")

INFEASIBLE = (
    "issue-2402.mps",
    "infeasible-mip0.mps",
    "klein1.mps",
    "galenet.mps",
    "bgetam.mps",
    "woodinfe.mps",
)

CUTOFFS = {
    "p0033": 3088,
    "lseu": 1119,
    "mod008": 306,
    "rgn": 82.1,
    "egout": 568,
    "gt2": 21165,
    "flugpl": 1201499,
    "p0282": 258410,
    "vpm1": 19.9,
}
"""Less than the optimum of models of MIPLIB 3."""


def puzzle(labels: str) -> Model:
    """Return the placement model of an instance without a tiling."""
    return Model.from_cover(
        calmip.ExactCover(calmip.read_instance("a-puzzle-a-day", reveal=labels))
    )


def timetable(lectures: int, slots: int, share: float, seed: int) -> Model:
    """Return lectures with conflicts, each of which needs a slot."""
    rng = random.Random(seed)
    x = {(a, t): a * slots + t for a in range(lectures) for t in range(slots)}
    rows: list[NamedRow] = [
        (f"held{a}", {x[a, t]: 1.0 for t in range(slots)}, 1, 1) for a in range(lectures)
    ]
    rows += [
        (f"clash{a}_{b}_{t}", {x[a, t]: 1.0, x[b, t]: 1.0}, -INF, 1)
        for a, b in combinations(range(lectures), 2)
        if rng.random() < share
        for t in range(slots)
    ]
    return Model.from_rows([f"l{a}_{t}" for a, t in x], rows)


def planted(lectures: int, slots: int, clashes: int, seed: int) -> Model:
    """Return a timetable in which one lecture too many for the slots clash with each other."""
    rng = random.Random(seed)
    clique = list(combinations(range(slots + 1), 2))
    others = [pair for pair in combinations(range(lectures), 2) if pair not in clique]
    pairs = sorted([*clique, *rng.sample(others, clashes - len(clique))])
    rows: list[NamedRow] = [
        (f"held{a}", {a * slots + t: 1.0 for t in range(slots)}, 1, 1) for a in range(lectures)
    ]
    rows += [
        (f"clash{a}_{b}_{t}", {a * slots + t: 1.0, b * slots + t: 1.0}, -INF, 1)
        for a, b in pairs
        for t in range(slots)
    ]
    return Model.from_rows([f"l{n}" for n in range(lectures * slots)], rows)


def facility(customers: int, plants: int, seed: int) -> Model:
    """Return customers with demands, plants with capacities, and a budget that is too small."""
    rng = random.Random(seed)
    demand = [rng.randint(3, 9) for _ in range(customers)]
    x = {(c, p): c * plants + p for c in range(customers) for p in range(plants)}
    y = [len(x) + p for p in range(plants)]
    size = max(demand) * 4
    rows: list[NamedRow] = [
        (f"serve{c}", {x[c, p]: 1.0 for p in range(plants)}, 1, 1) for c in range(customers)
    ]
    for p in range(plants):
        terms = {x[c, p]: float(demand[c]) for c in range(customers)}
        rows.append((f"capacity{p}", {**terms, y[p]: -float(size)}, -INF, 0))
    few = (sum(demand) - 1) // size
    rows.append(("budget", dict.fromkeys(y, 1.0), -INF, few))
    return Model.from_rows([f"x{n}" for n in range(len(x) + plants)], rows)


def parity(columns: int, rows: int, seed: int) -> Model:
    """Return sums of even coefficients, one of which must be odd, among random rows."""
    rng = random.Random(seed)
    found: list[NamedRow] = []
    for row in range(rows):
        terms = {c: float(rng.randint(1, 5)) for c in rng.sample(range(columns), 6)}
        found.append((f"r{row}", terms, -INF, 0.6 * sum(terms.values())))
    found.append(("odd", {c: 2.0 * rng.randint(1, 4) for c in rng.sample(range(columns), 6)}, 7, 7))
    return Model.from_rows([f"x{c}" for c in range(columns)], found)


def cycles(length: int, others: int, seed: int) -> Model:
    """Return pairs around an odd cycle of which just one is chosen, among packing rows."""
    rng = random.Random(seed)
    rows: list[NamedRow] = [
        (f"pair{n}", {n: 1.0, (n + 1) % length: 1.0}, 1, 1) for n in range(length)
    ]
    size = length + others
    rows += [
        (f"pack{row}", dict.fromkeys(rng.sample(range(size), 4), 1.0), -INF, 3)
        for row in range(others)
    ]
    return Model.from_rows([f"x{c}" for c in range(size)], rows)


def hall(people: int, hidden: int, seed: int) -> Model:
    """Return an assignment in which some people have fewer tasks than they are."""
    rng = random.Random(seed)
    tasks = {
        p: range(hidden - 1) if p < hidden else rng.sample(range(people), 5) for p in range(people)
    }
    pairs = [(p, t) for p, some in tasks.items() for t in some if p >= hidden or rng.random() < 0.8]
    rows: list[NamedRow] = [
        (f"one{p}", {n: 1.0 for n, pair in enumerate(pairs) if pair[0] == p}, 1, 1)
        for p in range(people)
    ]
    rows += [
        (f"task{t}", {n: 1.0 for n, pair in enumerate(pairs) if pair[1] == t}, -INF, 1)
        for t in range(people)
    ]
    return Model.from_rows([f"p{p}_t{t}" for p, t in pairs], [row for row in rows if row[1]])


def packing(items: int, bins: int, seed: int) -> Model:
    """Return items of which three never fit a bin, two too many for the bins."""
    rng = random.Random(seed)
    weight = [rng.randint(34, 49) for _ in range(items)]
    x = {(i, b): i * bins + b for i in range(items) for b in range(bins)}
    rows: list[NamedRow] = [
        (f"item{i}", {x[i, b]: 1.0 for b in range(bins)}, 1, 1) for i in range(items)
    ]
    rows += [
        (f"bin{b}", {x[i, b]: float(weight[i]) for i in range(items)}, -INF, 100)
        for b in range(bins)
    ]
    return Model.from_rows([f"x{n}" for n in range(len(x))], rows)


OWN: dict[str, Callable[[], Model]] = {
    "calendar Jul Feb": lambda: puzzle("Jul,Feb"),
    "calendar 22 24": lambda: puzzle("22,24"),
    "timetable 20x4": lambda: timetable(20, 4, 0.4, 1),
    "timetable 25x5": lambda: timetable(25, 5, 0.5, 2),
    "facility 15x6": lambda: facility(15, 6, 1),
    "facility 25x8": lambda: facility(25, 8, 2),
    "parity 30x40": lambda: parity(30, 40, 1),
    "parity 60x80": lambda: parity(60, 80, 2),
    "odd cycle 15": lambda: cycles(15, 30, 1),
    "odd cycle 41": lambda: cycles(41, 60, 2),
    "Hall 30": lambda: hall(30, 6, 1),
    "Hall 60": lambda: hall(60, 9, 2),
    "packing 7x3": lambda: packing(7, 3, 1),
}


SMALL: dict[str, Callable[[], Model]] = {
    "timetable 30x5": lambda: planted(30, 5, 79, 1),
    "timetable 40x4": lambda: planted(40, 4, 76, 1),
}
"""Further models, also for the fewest rows."""

FEWEST = (
    "timetable 20x4",
    "facility 25x8",
    "parity 30x40",
    "odd cycle 41",
    "Hall 60",
    "packing 7x3",
    "issue-2402",
    "infeasible-mip0",
    "klein1",
    "p0033",
    "stein27_inf",
)
"""The names of models that are small enough for the fewest rows, or not quite."""


def models(folders: list[Path]) -> Iterator[tuple[str, Model]]:
    """Yield the names and models of the benchmark."""
    for name, make in {**OWN, **SMALL}.items():
        yield name, make()
    files = {path.name.split(".")[0]: path for folder in folders for path in folder.rglob("*.mps*")}
    for name in INFEASIBLE:
        stem = name.split(".")[0]
        if stem in files:
            yield stem, calmip.read_model(files[stem])
    for name, cutoff in CUTOFFS.items():
        if name in files:
            model = calmip.read_model(files[name])
            terms = model.costs
            columns = sorted(terms)
            values = [terms[column] for column in columns]
            cut = model.with_row("cutoff", columns, -INF, cutoff - model.constant, values)
            yield f"{name} <= {cutoff:g}", cut


def numbered(model: Model) -> Model:
    """Return the model with names that every program reads."""
    return model.changed(
        columns=tuple(f"x{n}" for n in range(len(model.columns))),
        rows=tuple(f"r{n}" for n in range(len(model.rows))),
        name="model",
        comments=(),
    )


def peer(tool: str, path: Path, limit: float, rows: list[str] | None = None) -> dict[str, Any]:
    """Return the answer of another solver, in a process of its own."""
    script = Path(__file__).with_name("peer_iis.py")
    try:
        done = subprocess.run(
            [sys.executable, str(script), tool, str(path), str(limit)],
            capture_output=True,
            text=True,
            check=False,
            timeout=20 * limit,
            input=json.dumps(rows),
        )
        found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    except (subprocess.TimeoutExpired, IndexError, ValueError):
        return {"status": "no answer", "rows": [], "bounds": 0, "minimal": None, "seconds": limit}
    return found


def fewest(folders: list[Path], limit: float, only: str) -> Table:
    """Print a table of the fewest rows, found by calmip within a time limit."""
    head = ["model", "columns x rows", "rows", "proved at least", "CPU s"]
    table = Table("iis-smallest", head)
    chosen = [one for one in models(folders) if one[0].startswith((*FEWEST, *SMALL))]
    paths = [path for folder in folders for path in folder.rglob("stein27_inf.lp")]
    chosen += [("stein27_inf", calmip.read_model(path)) for path in paths]
    for name, model in chosen:
        if only not in name:
            continue
        start = time.process_time()
        try:
            found = Subsystems(model, clock=Deadline(limit), rows_only=True).find(smallest=True)
        except TimeoutError:
            found = None
        seconds = time.process_time() - start
        size = f"{len(model.columns)} x {len(model.rows)}"
        rows = "-" if found is None else f"{len(found.rows)}"
        least = "-" if found is None else f"{found.least}{' (smallest)' * found.smallest}"
        table.add(name, size, rows, least, f"{seconds:.2f}")
    return table


def ours(model: Model, limit: float) -> dict[str, Any]:
    """Return calmip's answer."""
    start = time.process_time()
    try:
        found = Subsystems(model, clock=Deadline(10 * limit)).find()
    except TimeoutError:
        found = None
    used = time.process_time() - start
    if found is None:
        return {"status": "no answer", "rows": [], "bounds": 0, "minimal": None, "seconds": used}
    bounds = len(found.numbers("lower")) + len(found.numbers("upper"))
    return {
        "status": found.proof or "claim",
        "rows": [model.rows[row] for row in found.rows],
        "bounds": bounds,
        "integer": len(found.numbers("integer")),
        "minimal": found.irreducible,
        "minimal_rows": found.rows_irreducible,
        "seconds": used,
    }


def run(model: Model, path: Path, tools: list[str], limit: float) -> dict[str, dict[str, Any]]:
    """Return the answers of all tools, calmip's first."""
    # HiGHS hardly ever ends on a MIP.
    least = {"highs": limit / 5}
    others = {tool: peer(tool, path, least.get(tool, limit)) for tool in tools}
    return {"calmip": ours(model, limit), **others}


def cell(found: dict[str, Any], check: dict[str, Any] | None) -> str:
    """Return rows, bounds, seconds and what the check says."""
    text = f"{len(found['rows'])}+{found['bounds']}, {found['seconds']:.2f}"
    if not found["rows"] and found["status"] not in ("ok", "Farkas certificate", "exact search"):
        return f"- ({found['status']})"
    if check is None:
        return text
    if check.get("infeasible") is None:
        return f"{text} (unchecked)"
    if not check["infeasible"]:
        return f"{text} (**feasible**)"
    if check["superfluous"]:
        return f"{text} (**{len(check['superfluous'])} superfluous**)"
    return f"{text} ({check['unknown']} unchecked)" if check["unknown"] else text


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--folder", type=Path, action="append", default=[])
    parser.add_argument(
        "--limit", type=float, default=20.0, help="CPU seconds of each tool and model"
    )
    parser.add_argument("--only", default="")
    parser.add_argument("--no-check", action="store_true")
    parser.add_argument("--tools", default=",".join(PEERS))
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--smallest", action="store_true")
    add_option(parser)
    given = parser.parse_args()
    if given.smallest:
        smallest = fewest(given.folder, given.limit, given.only)
        if given.keep:
            smallest.keep("benchmarks.iis")
        return
    tools = [tool for tool in PEERS if tool in given.tools.split(",")]
    names = {"gurobi": "Gurobi", "highs": "HiGHS", "scip": "SCIP"}
    head = ["model", "columns x rows", "calmip", "proof", *(names[tool] for tool in tools)]
    table = Table("iis", head)
    ratios = []
    for name, original in models(given.folder):
        if given.only not in name:
            continue
        model = numbered(original)
        with TemporaryDirectory() as folder:
            path = Path(folder, "model.mps")
            calmip.export(model, path)
            answers = [run(model, path, tools, given.limit) for _ in range(given.runs)]
            for tool, found in answers[0].items():
                found["seconds"] = statistics.median(one[tool]["seconds"] for one in answers)
            mine, others = answers[0].pop("calmip"), answers[0]
            checks: dict[str, dict[str, Any] | None] = dict.fromkeys(("calmip", *tools))
            if not given.no_check:
                for tool, found in {"calmip": mine, **others}.items():
                    if found["rows"]:
                        by = "check-highs" if tool == "gurobi" else "check-gurobi"
                        checks[tool] = peer(by, path, given.limit, found["rows"])
        if "gurobi" in others and others["gurobi"]["status"] == "ok":
            ratios.append((mine["seconds"] + 0.01) / (others["gurobi"]["seconds"] + 0.01))
        proved = mine["status"] != "claim"
        less = ", rows irreducible" if mine.get("minimal_rows") and proved else ", reducible"
        state = f"{mine['status']}{'' if mine['minimal'] else less}"
        cells = [cell(found, checks[tool]) for tool, found in {"calmip": mine, **others}.items()]
        size = f"{len(model.columns)} x {len(model.rows)}"
        table.add(name, size, cells[0], state, *cells[1:])
    if ratios:
        mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
        print(f"\ngeometric mean of CPU over Gurobi's, shifted by 0.01 s: {mean:.2f}")
    if given.keep:
        table.keep("benchmarks.iis")


if __name__ == "__main__":
    main()
