"""Claims of HiGHS and SCIP about infeasible subsystems, refuted by exact points.

    python -m benchmarks.iis_claims [--models N]

Random models with two or three integer variables. HiGHS (`getIis`, strategy 2) is asked about those
that are infeasible, SCIP (`generateIIS`) about those that are feasible. The set that each returns
is read as it says: its rows, and of HiGHS also its bounds of columns. calmip looks for a point that
satisfies the set, and for rows without which the rest is still infeasible. Prints the counts, and
the first model of each kind.
"""

from __future__ import annotations

import argparse
import math
import random
from collections import Counter
from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import highspy  # before pyscipopt

import calmip
from calmip.mip.iis.subsystem import Subsystems
from calmip.mip.model import Model, NamedRow

INF = math.inf


def random_model(seed: int) -> Model:
    """Return a model with a few rows of whole coefficients and variables from 0 to 3."""
    rng = random.Random(seed)
    columns = rng.randint(2, 3)
    rows: list[NamedRow] = []
    for number in range(rng.randint(2, 4)):
        terms = {c: float(rng.choice([-3, -2, 2, 3])) for c in range(columns) if rng.random() < 0.8}
        low = rng.randint(-3, 5)
        sides = rng.choice([(-INF, low), (low, INF), (low, low)])
        rows.append((f"r{number}", terms or {0: 2.0}, *sides))
    return model_of([f"x{c}" for c in range(columns)], rows, [(0, 3)] * columns)


def model_of(names: list[str], rows: list[NamedRow], bounds: list[tuple[float, float]]) -> Model:
    """Return a model in integer variables without an objective."""
    model = Model.from_rows(names, rows)
    low, high = zip(*bounds, strict=True)
    return model.changed(column_lower=list(low), column_upper=list(high))


def claim_of_highs(path: Path, model: Model) -> tuple[bool, Model]:
    """Return whether HiGHS calls its set valid, and the set as a model."""
    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    highs.setOptionValue("iis_strategy", 2)
    highs.readModel(str(path))
    _, iis = highs.getIis()
    lower, upper = {2, 4}, {3, 4}
    kept: dict[int, int] = dict(
        zip(map(int, iis.col_index_), map(int, iis.col_bound_), strict=True)
    )
    bounds = []
    for column in range(len(model.columns)):
        low, high = model.bounds(column)
        state = kept.get(column, 1)
        bounds.append(
            (float(low) if state in lower else -INF, float(high) if state in upper else INF)
        )
    rows: list[NamedRow] = []
    for row, state in zip(map(int, iis.row_index_), map(int, iis.row_bound_), strict=True):
        terms, low, high = model.exact_row(row)
        sides = float(low) if state in lower else -INF, float(high) if state in upper else INF
        rows.append((model.rows[row], {c: float(x) for c, x in terms.items()}, *sides))
    return bool(iis.valid_), model_of(list(model.columns), rows, bounds)


def claim_of_scip(path: Path) -> tuple[Any, list[str]]:
    """Return whether SCIP calls its set infeasible, and the names of its rows."""
    import pyscipopt

    model = pyscipopt.Model()
    model.hideOutput()
    model.readProblem(str(path))
    iis = model.generateIIS()
    return iis.isSubscipInfeasible(), [row.name for row in iis.getSubscip().getConss()]


def without(model: Model, row: int) -> Model:
    """Return a model without a row."""
    rows: list[NamedRow] = []
    for number in {*range(len(model.rows))} - {row}:
        terms, low, high = model.exact_row(number)
        sides = float(low), float(high)
        rows.append((model.rows[number], {c: float(x) for c, x in terms.items()}, *sides))
    bounds = [tuple(map(float, model.bounds(c))) for c in range(len(model.columns))]
    return model_of(list(model.columns), rows, bounds)  # type: ignore[arg-type]


def conflict(model: Model) -> bool | None:
    """Return whether a model is proved infeasible; None if it is not known."""
    found = Subsystems(model).find()
    return False if found is None else (True if found.proof else None)


def lines(model: Model) -> Iterable[str]:
    """Return the rows and bounds of a model in words."""
    from calmip.puzzle.render.text import row_text

    yield from (f"    {row_text(model, row)}" for row in range(len(model.rows)))
    for column, name in enumerate(model.columns):
        low, high = model.bounds(column)
        yield f"    {low} <= {name} <= {high}, integer"


def main() -> None:
    """Print the counts and the examples."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--models", type=int, default=300)
    counts: Counter[str] = Counter()
    shown: dict[str, list[str]] = {}
    with TemporaryDirectory() as folder:
        for seed in range(parser.parse_args().models):
            model = random_model(seed)
            path = Path(folder, "model.mps")
            calmip.export(model, path)
            infeasible = conflict(model)
            if infeasible is False:
                counts["SCIP: feasible models"] += 1
                says, rows = claim_of_scip(path)
                if rows:
                    kind = "SCIP: a set of rows for a feasible model"
                    counts[kind] += 1
                    point = calmip.explain(model).describe()["solution"]["values"]
                    shown.setdefault(
                        kind,
                        [
                            *lines(model),
                            f"  SCIP: rows {' '.join(rows)}, infeasible={says}",
                            f"  a point that satisfies all rows: {point}",
                        ],
                    )
            elif infeasible:
                valid, claim = claim_of_highs(path, model)
                counts[f"HiGHS: infeasible models, valid={valid}"] += 1
                kind = ""
                if not claim.rows and conflict(claim) is False:
                    kind = f"HiGHS: no rows, valid={valid}"
                elif conflict(claim) is False:
                    kind = f"HiGHS: a feasible set, valid={valid}"
                    point = calmip.explain(claim).describe()["solution"]["values"]
                    more = [f"  a point that satisfies them: {point}"]
                else:
                    superfluous = [
                        row for row in range(len(claim.rows)) if conflict(without(claim, row))
                    ]
                    if superfluous:
                        kind = f"HiGHS: superfluous rows, valid={valid}"
                        more = [f"  proved infeasible without {claim.rows[superfluous[0]]}, too"]
                if kind:
                    counts[kind] += 1
                    if "no rows" not in kind:
                        shown.setdefault(kind, [*lines(model), "  HiGHS:", *lines(claim), *more])
    print(f"HiGHS {version('highspy')}, PySCIPOpt {version('pyscipopt')}")
    for kind, number in sorted(counts.items()):
        print(f"{number:5}  {kind}")
    for kind, text in shown.items():
        print(f"\n{kind}, for example of:", *text, sep="\n")


if __name__ == "__main__":
    main()
