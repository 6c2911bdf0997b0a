"""Pairs of models compared: written by other programs, changed, disguised, strengthened.

    python -m benchmarks.same_models FOLDER --seconds 10
    python -m benchmarks.same_models FOLDER --names [--nonzeros 120000]
    python -m benchmarks.same_models --costs 300 --seed 1 --busy

FOLDER has .mps, .mps.gz or .lp files. Each model is compared with versions of itself; models of
five families are compared with other formulations of the same, with and without a planted
fault. A line for each pair goes to stderr, a table by kind of pair to stdout. Seconds are CPU
seconds, the time limit is wall-clock time. With --busy it is CPU seconds, too: on a busy machine a
pair is decided as on a free one.

With --costs N, N random models of at most 12 columns are compared with themselves with one other
cost: a table of the relations of the objectives. Where all columns are integer, all solutions are
tried, too. It needs no FOLDER.

With --names each model is only matched with itself after its columns and rows were renamed and
permuted, and its rows scaled and turned around. Once more one coefficient is altered, and no
bijection may be found. A line for each model, then the counts.
"""

from __future__ import annotations

import argparse
import itertools
import math
import random
import statistics
import subprocess
import sys
import tempfile
import time
from array import array
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from calmip._base import limits
from calmip._base.errors import InputError
from calmip._base.highs import HighsModel
from calmip._base.limits import Deadline
from calmip.mip.compare.column_pairing import match_columns
from calmip.mip.files.model_files import is_model, read_model, write_model
from calmip.mip.model import Model, NamedRow
from calmip.puzzle.tasks.compare import compare_models

INF = math.inf


class Pair(NamedTuple):
    """Two models, how they were made, and the verdict if it is known beforehand."""

    kind: str
    name: str
    one: Model
    other: Model
    expected: str = ""
    match: bool = False


def exact_rows(model: Model) -> list[tuple[str, dict[int, Any], Any, Any]]:
    return [(model.rows[n], *model.exact_row(n)) for n in range(len(model.rows))]


def rebuilt(model: Model, rows: list[Any], columns: Any = None, order: Any = None) -> Model:
    """Return the model with other rows, and with columns in another order."""
    order = list(range(len(model.columns))) if order is None else order
    names = [model.columns[c] for c in order] if columns is None else columns
    place = {column: new for new, column in enumerate(order)}
    made: list[NamedRow] = [
        (name, {place[c]: float(v) for c, v in terms.items()}, float(low), float(high))
        for name, terms, low, high in rows
    ]
    kept = {
        field: array(code, [model.values(field)[c] for c in order])
        for field, code in (("column_lower", "d"), ("column_upper", "d"), ("integer", "b"))
    }
    cost = [model.values("cost")[c] for c in order]
    return Model.from_rows(
        names, made, cost, maximise=model.maximise, offset=model.offset, name=model.name, **kept
    )


# changes


def changed(model: Model, kind: str, chance: random.Random) -> Model:
    low, high = model.values("lower"), model.values("upper")
    row = chance.randrange(len(low))

    def without(*names: str) -> dict[Any, Any]:
        return {key: value for key, value in model.exact.items() if key[0] not in names}

    if kind == "coefficient":
        values = model.values("value")
        values[chance.randrange(len(values))] *= chance.choice([0.5, 2, 1.1])
        return model.changed(value=array("d", values), exact=without("value"))
    if kind == "bound":
        ends = model.values("column_upper")
        column = chance.randrange(len(ends))
        ends[column] = ends[column] + 1 if math.isfinite(ends[column]) else 10.0
        return model.changed(column_upper=array("d", ends), exact=without("column_upper"))
    if kind == "type":
        flags = model.values("integer")
        flags[chance.choice([c for c, flag in enumerate(flags) if flag])] = False
        return model.changed(integer=array("b", flags))
    if kind == "sense":
        if low[row] == high[row]:
            low[row] = -INF
        else:
            low[row], high[row] = (high[row], INF) if math.isfinite(high[row]) else (-INF, low[row])
    elif kind == "side":
        step = chance.choice([1, -1, 0.5])
        low[row], high[row] = low[row] + step, high[row] + step
    else:  # a row freed
        low[row], high[row] = -INF, INF
    return model.changed(
        lower=array("d", low), upper=array("d", high), exact=without("lower", "upper")
    )


def _change(kind: str, name: str, model: Model, chance: random.Random) -> Pair:
    return Pair(kind, name, model, changed(model, kind, chance))


CHANGES = ("coefficient", "sense", "side", "bound", "type", "row freed")


# the same, written otherwise


def scaled(model: Model, chance: random.Random) -> Model:
    rows = exact_rows(model)
    chance.shuffle(rows)
    made = []
    for name, terms, low, high in rows:
        factor = chance.choice([1, 2, -1, -4])
        ends = sorted((low * factor, high * factor))
        made.append((name, {c: v * factor for c, v in terms.items()}, *ends))
    return rebuilt(model, made)


def renamed(model: Model, chance: random.Random) -> Model:
    """Columns and rows renamed and permuted, rows scaled and turned around."""
    order = list(range(len(model.columns)))
    chance.shuffle(order)
    names = [f"v{number}" for number in range(len(order))]
    return rebuilt(model, exact_rows(scaled(model, chance)), names, order)


def with_slacks(model: Model) -> Model:
    """Each inequality as an equation with a slack column."""
    rows, names = [], list(model.columns)
    for name, terms, low, high in exact_rows(model):
        own = dict(terms)
        if low != high:
            own[len(names)] = -1.0
            names.append(f"slack_{len(names)}")
            rows.append((name, own, 0, 0, low, high))
        else:
            rows.append((name, own, low, high, None, None))
    wide = len(names) - len(model.columns)
    ends = [(low, high) for *_, low, high in rows if low is not None]
    made: list[NamedRow] = [
        (n, {c: float(v) for c, v in t.items()}, float(a), float(b)) for n, t, a, b, *_ in rows
    ]
    return Model.from_rows(
        names,
        made,
        [*model.values("cost"), *[0.0] * wide],
        maximise=model.maximise,
        offset=model.offset,
        name=model.name,
        column_lower=array("d", [*model.values("column_lower"), *(float(a) for a, _ in ends)]),
        column_upper=array("d", [*model.values("column_upper"), *(float(b) for _, b in ends)]),
        integer=array("b", [*model.values("integer"), *[0] * wide]),
    )


def by_pulp(model: Model, folder: Path) -> Path:
    import pulp

    problem = pulp.LpProblem("m", pulp.LpMaximize if model.maximise else pulp.LpMinimize)
    columns = []
    for column, name in enumerate(model.columns):
        ends = [model.values(f"column_{side}")[column] for side in ("lower", "upper")]
        low, high = (end if math.isfinite(end) else None for end in ends)
        kind = "Integer" if model.values("integer")[column] else "Continuous"
        columns.append(problem.add_variable(name, low, high, cat=kind))
    sign = -1 if model.maximise else 1
    problem += pulp.LpAffineExpression(
        [(columns[c], sign * float(v)) for c, v in model.costs.items()], constant=model.offset
    )
    for name, terms, low, high in exact_rows(model):
        left = pulp.LpAffineExpression([(columns[c], float(v)) for c, v in terms.items()])
        if not terms:
            continue
        if low == high:
            problem += left == float(low), name
            continue
        if math.isfinite(low):
            problem += left >= float(low), f"{name}_low"
        if math.isfinite(high):
            problem += left <= float(high), f"{name}_high"
    path = folder / "pulp.mps"
    problem.writeMPS(str(path))
    return path


def by_pyomo(model: Model, folder: Path) -> Path:
    import pyomo.environ as pyo

    made = pyo.ConcreteModel()
    lower, upper = model.values("column_lower"), model.values("column_upper")
    whole = model.values("integer")

    def kind(_: Any, c: int) -> Any:
        return pyo.Integers if whole[c] else pyo.Reals

    def ends(_: Any, c: int) -> Any:
        return tuple(end if math.isfinite(end) else None for end in (lower[c], upper[c]))

    made.x = pyo.Var(range(len(lower)), domain=kind, bounds=ends)
    made.rows = pyo.ConstraintList()
    for _, terms, low, high in exact_rows(model):
        if terms:
            left = sum(float(v) * made.x[c] for c, v in terms.items())
            bounds = (end if math.isfinite(end) else None for end in map(float, (low, high)))
            made.rows.add(pyo.inequality(next(bounds), left, next(bounds)))
    sign = -1 if model.maximise else 1
    made.cost = pyo.Objective(
        expr=sum(sign * float(v) * made.x[c] for c, v in model.costs.items()) + model.offset,
        sense=-1 if model.maximise else 1,
    )
    path = folder / "pyomo.lp"
    made.write(str(path), io_options={"symbolic_solver_labels": True})
    return path


HIGHS = """
import highspy, sys
h = highspy.Highs(); h.setOptionValue("output_flag", False); h.readModel(sys.argv[1])
if "presolved" in sys.argv[2]:
    h.presolve(); lp = h.getPresolvedLp(); h = highspy.Highs()
    h.setOptionValue("output_flag", False); h.passModel(lp)
h.writeModel(sys.argv[2])
"""
SCIP = """
import pyscipopt, sys
m = pyscipopt.Model(); m.hideOutput(); m.readProblem(sys.argv[1]); m.writeProblem(sys.argv[2])
"""
GUROBI = """
import gurobipy, sys
e = gurobipy.Env(params={"OutputFlag": 0}); m = gurobipy.read(sys.argv[1], env=e)
m.Params.DualReductions = 0; m.presolve().write(sys.argv[2])
"""


def by_script(script: str, name: str) -> Callable[[Model, Path], Path]:
    def write(_: Model, folder: Path) -> Path:
        path = folder / name
        words = [sys.executable, "-c", script, str(folder / "model.mps"), str(path)]
        subprocess.run(words, check=True, capture_output=True, timeout=60)
        return path

    return write


def by_glpk(_: Model, folder: Path) -> Path:
    path = folder / "glpk.mps"
    words = ["glpsol", "--freemps", str(folder / "model.mps"), "--check", "--wfreemps", str(path)]
    subprocess.run(words, check=True, capture_output=True, timeout=60)
    return path


WRITERS: dict[str, Callable[[Model, Path], Path]] = {
    "PuLP": by_pulp,
    "Pyomo": by_pyomo,
    "SCIP": by_script(SCIP, "scip.lp"),
    "GLPK": by_glpk,
    "HiGHS": by_script(HIGHS, "highs.mps"),
    "HiGHS presolve": by_script(HIGHS, "presolved.mps"),
    "Gurobi presolve": by_script(GUROBI, "gurobi.mps"),
}
PRESOLVED = ("HiGHS presolve", "Gurobi presolve")


def pairs_of(path: Path, kinds: set[str]) -> Iterator[Pair]:
    model = read_model(path, integer_default=INF)
    name = path.name.partition(".")[0]
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        write_model(folder / "model.mps", model)
        for kind, write in WRITERS.items():
            if kind not in kinds:
                continue
            try:
                other = read_model(write(model, folder), integer_default=INF)
            except (InputError, subprocess.SubprocessError, ImportError, OSError) as error:
                print(f"{kind}, {name}: not written: {str(error)[:100]}", file=sys.stderr)
                continue
            if kind == "Pyomo":  # x(17) is the column 17
                names = [model.columns[int(n[2:-1])] if n[0] == "x" else n for n in other.columns]
                other = other.changed(columns=tuple(names))
            yield Pair(kind, name, model, other, "" if kind in PRESOLVED else "same")
    chance = random.Random(name)
    made: dict[str, Callable[[], Pair]] = {
        "scaled": lambda: Pair("scaled", name, model, scaled(model, chance), "same"),
        "slacks": lambda: Pair("slacks", name, model, with_slacks(model), "same"),
        "renamed": lambda: Pair("renamed", name, model, renamed(model, chance), "same", match=True),
    }
    for kind in CHANGES:
        made[kind] = partial(_change, kind, name, model, chance)
    for kind, make in made.items():
        if kind in kinds:
            yield make()


# families of formulations


def lot_sizing(periods: int, *, tight: bool, fault: bool = False) -> Model:
    demand = [3 + (7 * t) % 5 for t in range(periods)]
    names = [f"{kind}{t}" for kind in ("make", "stock", "setup") for t in range(periods)]
    rows: list[NamedRow] = []
    for t in range(periods):
        terms = {t: 1.0, periods + t: -1.0}
        if t:
            terms[periods + t - 1] = 1.0
        rows.append((f"balance{t}", terms, demand[t], demand[t]))
        most = sum(demand[t:]) if tight else sum(demand)
        most -= fault and t == 0
        rows.append((f"setup{t}", {t: 1.0, 2 * periods + t: -float(most)}, -INF, 0.0))
    return Model.from_rows(
        names,
        rows,
        [1.0] * periods + [2.0] * periods + [9.0] * periods,
        column_lower=array("d", [0.0] * 3 * periods),
        column_upper=array("d", [INF] * (2 * periods - 1) + [0.0] + [1.0] * periods),
        integer=array("b", [0] * 2 * periods + [1] * periods),
    )


def facility(shops: int, sites: int, *, strong: bool, fault: bool = False) -> Model:
    names = [f"open{i}" for i in range(sites)]
    names += [f"serve{i}_{j}" for i in range(sites) for j in range(shops)]
    place = {(i, j): sites + i * shops + j for i in range(sites) for j in range(shops)}
    rows: list[NamedRow] = [
        (f"shop{j}", {place[i, j]: 1.0 for i in range(sites)}, 1.0, 1.0) for j in range(shops)
    ]
    for i in range(sites):
        if strong:
            rows += [
                (f"link{i}_{j}", {place[i, j]: 1.0, i: -1.0}, -INF, 0.0)
                for j in range(shops)
                if not (fault and (i, j) == (1, 1))
            ]
        else:
            most = -float(shops - (fault and i == 1))
            terms = {**{place[i, j]: 1.0 for j in range(shops)}, i: most}
            rows.append((f"link{i}", terms, -INF, 0.0))
    return Model.from_rows(names, rows, [9.0] * sites + [1.0] * (sites * shops))


def stable_set(size: int, *, cliques: bool, fault: bool = False) -> Model:
    chance = random.Random(size)
    groups = [sorted(chance.sample(range(size), 5)) for _ in range(size // 2)]
    names = [f"v{c}" for c in range(size)]
    rows: list[NamedRow]
    if cliques:
        rows = [(f"q{k}", dict.fromkeys(some, 1.0), -INF, 1.0) for k, some in enumerate(groups)]
    else:
        edges = sorted({pair for some in groups for pair in itertools.combinations(some, 2)})
        rows = [(f"e{a}_{b}", {a: 1.0, b: 1.0}, -INF, 1.0) for a, b in edges[fault:]]
    return Model.from_rows(names, rows, [-1.0] * size)


def queens(size: int, kind: str, *, fault: bool = False) -> Model:
    cells = list(itertools.product(range(size), range(size)))
    place = {cell: number for number, cell in enumerate(cells)}
    lines: list[list[int]] = []
    last = size - 1
    for d in range(1 - size, size):
        lines.append([place[r, r - d] for r in range(size) if 0 <= r - d < size])
        lines.append([place[r, d + last - r] for r in range(size) if 0 <= d + last - r < size])
    lines = sorted((line for line in lines if len(line) > 1), key=len, reverse=True)[fault:]
    rows: list[NamedRow] = [
        (f"row{r}", {place[r, c]: 1.0 for c in range(size)}, 1.0, 1.0) for r in range(size)
    ]
    rows += [(f"column{c}", {place[r, c]: 1.0 for r in range(size)}, 1.0, 1.0) for c in range(size)]
    if kind == "lines":
        rows += [(f"d{k}", dict.fromkeys(line, 1.0), -INF, 1.0) for k, line in enumerate(lines)]
    else:
        pairs = sorted({pair for line in lines for pair in itertools.combinations(line, 2)})
        rows += [(f"d{a}_{b}", {a: 1.0, b: 1.0}, -INF, 1.0) for a, b in pairs]
    return Model.from_rows([f"x{r}_{c}" for r, c in cells], rows)


def tour(cities: int, *, flow: bool, fault: bool = False) -> Model:
    """Return the travelling salesman by the order of Miller, Tucker and Zemlin, or by a flow."""
    arcs = [(i, j) for i in range(cities) for j in range(cities) if i != j]
    place = {arc: number for number, arc in enumerate(arcs)}
    names = [f"x{i}_{j}" for i, j in arcs]
    rows: list[NamedRow] = []
    for i in range(cities):
        rows.append((f"out{i}", {place[a]: 1.0 for a in arcs if a[0] == i}, 1.0, 1.0))
        rows.append((f"in{i}", {place[a]: 1.0 for a in arcs if a[1] == i}, 1.0, 1.0))
    width = len(arcs)
    if flow:
        names += [f"f{i}_{j}" for i, j in arcs]
        most = cities - 1 - fault
        for i, j in arcs:
            k = place[i, j]
            rows.append((f"capacity{i}_{j}", {width + k: 1.0, k: -float(most)}, -INF, 0.0))
        for i in range(1, cities):
            terms = {width + place[a]: 1.0 for a in arcs if a[1] == i}
            terms |= {width + place[a]: -1.0 for a in arcs if a[0] == i}
            rows.append((f"flow{i}", terms, 1.0, 1.0))
        ends = [0.0] * width, [float(cities)] * width
    else:
        names += [f"u{i}" for i in range(1, cities)]
        for i, j in arcs:
            if i and j and not (fault and (i, j) == (1, 2)):
                terms = {width + i - 1: 1.0, width + j - 1: -1.0, place[i, j]: float(cities - 1)}
                rows.append((f"mtz{i}_{j}", terms, -INF, float(cities - 2)))
        ends = [1.0] * (cities - 1), [float(cities - 1)] * (cities - 1)
    more = len(ends[0])
    return Model.from_rows(
        names,
        rows,
        [1.0 + (3 * i + 7 * j) % 5 for i, j in arcs] + [0.0] * more,
        column_lower=array("d", [0.0] * width + ends[0]),
        column_upper=array("d", [1.0] * width + ends[1]),
        integer=array("b", [1] * width + [0] * more),
    )


def families() -> Iterator[Pair]:
    for t in (8, 12):
        one = lot_sizing(t, tight=False)
        yield Pair("lot sizing", f"{t}", one, lot_sizing(t, tight=True), "same")
        yield Pair(
            "lot sizing", f"{t}, fault", one, lot_sizing(t, tight=True, fault=True), "different"
        )
    for shops, sites in ((20, 6), (40, 12)):
        one, name = facility(shops, sites, strong=False), f"{shops} x {sites}"
        yield Pair("facility", name, one, facility(shops, sites, strong=True), "same")
        for strong in (True, False):
            other = facility(shops, sites, strong=strong, fault=True)
            yield Pair("facility", f"{name}, fault", one, other, "different")
    for size in (40, 80):
        one = stable_set(size, cliques=True)
        yield Pair("cliques", f"{size}", one, stable_set(size, cliques=False), "same")
        other = stable_set(size, cliques=False, fault=True)
        yield Pair("cliques", f"{size}, fault", one, other, "different")
    for size in (6, 8):
        one = queens(size, "lines")
        yield Pair("queens", f"{size}", one, queens(size, "pairs"), "same")
        yield Pair("queens", f"{size}, fault", one, queens(size, "pairs", fault=True), "different")
    for cities in (5, 6, 7, 8, 9):
        one = tour(cities, flow=False)
        yield Pair("tours", f"{cities}", one, tour(cities, flow=True), "same")
        for flow in (True, False):
            other = tour(cities, flow=flow, fault=True)
            yield Pair("tours", f"{cities}, fault", one, other, "different")


def match_names(folder: Path, chosen: set[str], nonzeros: int, seconds: float) -> None:
    """Print whether the columns of each model are found again, and refused if it is altered."""
    print(
        "| model | columns | non-zeros | found again, s | altered, s |\n|---|---:|---:|---:|---:|"
    )
    counts = dict.fromkeys(("found", "not found", "refused", "not refused"), 0)
    times: list[tuple[float, float]] = []
    slow = 0
    for path in sorted(folder.rglob("*")):
        name = path.name.partition(".")[0]
        if not is_model(path) or (chosen and name not in chosen):
            continue
        try:
            model = read_model(path, integer_default=INF)
        except InputError as error:
            print(f"{name}: {error}", file=sys.stderr)
            continue
        if not 0 < model.nonzeros <= nonzeros:
            continue
        chance = random.Random(name)
        other = renamed(model, chance)
        cells, used = [], []
        for one, words in (
            (other, ("found", "not found")),
            (altered(other, chance), ("not refused", "refused")),
        ):
            start = time.process_time()
            try:
                found = match_columns(model, one, clock=Deadline(seconds))
                word = words[0] if found is not None else words[1]
            except TimeoutError:
                word = "not found" if words[0] == "found" else "not refused"
            used.append(time.process_time() - start)
            counts[word] += 1
            cells.append(f"{used[-1]:.2f}{f' (**{word}**)' * word.startswith('not')}")
        times.append((used[0], used[1]))
        slow += used[0] > 1 and len(model.columns) <= 10_000
        size = f"{len(model.columns)} | {model.nonzeros}"
        print(f"| {name} | {size} | {cells[0]} | {cells[1]} |", flush=True)
    middle = [statistics.median(some) for some in zip(*times, strict=True)]
    print(f"| median | | | {' | '.join(f'{one:.2f}' for one in middle)} |")
    print(f"\n{counts}; {slow} models of at most 10,000 columns took more than a second")


def altered(model: Model, chance: random.Random) -> Model:
    """Return the model with one coefficient doubled, in a row with others."""
    start, values = model.start, model.values("value")
    places = [
        place
        for first, last in itertools.pairwise(start)
        if last - first > 1
        for place in range(first, last)
        if values[place]
    ]
    values[chance.choice(places)] *= 2
    exact = {key: one for key, one in model.exact.items() if key[0] != "value"}
    return model.changed(value=array("d", values), exact=exact)


# objectives


def random_costs(chance: random.Random) -> tuple[Model, Model]:
    """Return a random model of at most 12 columns, and the same with one other cost."""
    width = chance.randint(2, 12)
    share = chance.choice([0, 0, 0.3, 1])
    integer = [chance.random() >= share for _ in range(width)]
    high = [float(chance.choice([1, 1, 1, 2, 3])) for _ in range(width)]
    point = [chance.randint(0, int(end)) for end in high]
    rows: list[NamedRow] = []
    for number in range(chance.randint(0, 6)):
        some = chance.sample(range(width), chance.randint(1, width))
        terms = {c: float(chance.choice([-3, -2, -1, 1, 1, 2, 3, 0.5, 7])) for c in some}
        total = sum(value * point[c] for c, value in terms.items())
        slack = chance.choice([0, 0, 1, 2])
        ends = [(-INF, total + slack), (total - slack, INF), (total, total)]
        rows.append((f"r{number}", terms, *chance.choice(ends)))
    costs = [float(chance.choice([0, 0, 1, 2, 3, 5, -1, -4, 0.1])) for _ in range(width)]
    other = list(costs)
    column = chance.randrange(width)
    other[column] += chance.choice([-2, -1, -0.5, 0.25, 1, 2, 10])
    names = [f"x{c}" for c in range(width)]

    def model(cost: list[float]) -> Model:
        return Model.from_rows(
            names,
            rows,
            cost,
            column_lower=array("d", [0.0] * width),
            column_upper=array("d", high),
            integer=array("b", integer),
        )

    return model(costs), model(other)


def rank_alike(one: Model, other: Model) -> bool | None:
    """Return whether all solutions are ranked alike, by trying them; None if there are too many."""
    if not all(one.values("integer")):
        return None
    ends = [range(int(end) + 1) for end in one.values("column_upper")]
    if math.prod(map(len, ends)) > 5000:
        return None
    values = []
    for values_ in itertools.product(*ends):
        point = {c: v for c, v in enumerate(values_) if v}
        if next(one.violations(point), None) is None:
            values.append((one.exact_objective(point), other.exact_objective(point)))
    ranked = sorted(set(values))
    return all(a[0] < b[0] and a[1] < b[1] for a, b in itertools.pairwise(ranked))


def compare_costs(number: int, seed: int, seconds: float) -> None:
    """Print how the objectives of random pairs belong together."""
    counts: dict[str, list[float]] = {}
    wrong = tried = 0
    for place in range(number):
        one, other = random_costs(random.Random(f"costs {seed} {place}"))
        start = time.process_time()
        found = compare_models(one, other, clock=Deadline(seconds))
        used = time.process_time() - start
        relation = found.objectives.relation
        truth = rank_alike(one, other)
        tried += truth is not None
        bad = truth is not None and found.objectives.ranks_alike not in (truth, None)
        bad = bad or (relation == "different" and len(found.objectives.points) != 2)
        wrong += bad
        counts.setdefault(relation, []).append(used)
        if bad or relation in ("unknown", "unlike"):
            reason = found.objectives.reason
            print(f"{place}: {relation} {reason}{' WRONG' * bad} ({used:.2f} s)", flush=True)
    print("| objectives | pairs | median s | most s |\n|---|---:|---:|---:|")
    for relation, times in sorted(counts.items()):
        middle = statistics.median(times)
        print(f"| {relation} | {len(times)} | {middle:.2f} | {max(times):.2f} |")
    print(f"\n{wrong} wrong of {tried} whose solutions were all tried")


VERDICTS = {"accepted": "same", "refused": "different", "unknown": "undecided"}
EVERY = {*WRITERS, *CHANGES, "scaled", "slacks", "renamed", "families"}


def count_cpu_seconds() -> None:
    """Let clocks count CPU seconds; HiGHS, which has wall-clock time alone, gets ten times more."""
    run = HighsModel.run

    def patient(highs: HighsModel, seconds: float | None = None) -> None:
        run(highs, None if seconds is None else 10 * seconds)

    limits.perf_counter = time.process_time
    HighsModel.run = patient  # type: ignore[method-assign]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--seconds", type=float, default=10.0, help="for each pair")
    parser.add_argument("--nonzeros", type=int, default=10_000, help="of the largest model")
    parser.add_argument("--kinds", default=",".join(sorted(EVERY)))
    parser.add_argument("--names", action="store_true", help="only match the columns")
    parser.add_argument("--models", default="", help="only these, by their names")
    parser.add_argument("--busy", action="store_true", help="limit CPU seconds")
    parser.add_argument("--costs", type=int, default=0, help="so many random pairs")
    parser.add_argument("--seed", type=int, default=1, help="of the random pairs")
    given = parser.parse_args()
    if given.busy:
        count_cpu_seconds()
    if given.names and not given.folder:
        parser.error("--names needs a FOLDER")
    if given.costs:
        compare_costs(given.costs, given.seed, given.seconds)
        return
    kinds, chosen = set(given.kinds.split(",")), set(filter(None, given.models.split(",")))
    if given.names:
        match_names(given.folder, chosen, given.nonzeros, given.seconds)
        return
    found: dict[str, list[tuple[str, bool, float]]] = {}
    wrong = 0
    for pair in _pairs(given.folder, kinds, chosen, given.nonzeros):
        start = time.process_time()
        try:
            result = compare_models(
                pair.one, pair.other, match=pair.match, clock=Deadline(given.seconds)
            )
            verdict, proved = VERDICTS[result.status], result.proved
            if verdict == "different" and result.feasible_set == "unknown":
                verdict = "undecided"
        except InputError as error:
            verdict, proved = f"refused: {error}", False
        seconds = time.process_time() - start
        bad = pair.expected and verdict not in (pair.expected, "undecided")
        wrong += bool(bad)
        found.setdefault(pair.kind, []).append((verdict, proved, seconds))
        words = f"{pair.kind}, {pair.name}: {verdict}{', proved' * proved} ({seconds:.2f} s)"
        print(words + " UNEXPECTED" * bool(bad), file=sys.stderr, flush=True)
    print("| pair | pairs | same | of these proved | different | undecided | median s | most s |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|")
    for kind, some in found.items():
        same = [proved for verdict, proved, _ in some if verdict == "same"]
        counts = [sum(v == word for v, _, _ in some) for word in ("different", "undecided")]
        times = [seconds for *_, seconds in some]
        print(
            f"| {kind} | {len(some)} | {len(same)} | {sum(same)} | {counts[0]} | {counts[1]} "
            f"| {statistics.median(times):.2f} | {max(times):.2f} |"
        )
    print(f"\n{wrong} verdicts other than expected", file=sys.stderr)


def _pairs(folder: Path | None, kinds: set[str], chosen: set[str], nonzeros: int) -> Iterator[Pair]:
    for path in sorted(folder.iterdir()) if folder else ():
        name = path.name.partition(".")[0]
        if not is_model(path) or (chosen and name not in chosen):
            continue
        try:
            if read_model(path, integer_default=INF).nonzeros <= nonzeros:
                yield from pairs_of(path, kinds)
        except InputError as error:
            print(f"{name}: {error}", file=sys.stderr)
    if "families" in kinds:
        yield from families()


if __name__ == "__main__":
    main()
