"""Compare calmip's reading of other people's model files with that of HiGHS.

    python -m benchmarks.model_files FOLDER [--all]

Every LP and MPS file below the folder, also with .gz, is read by both. The report has a line for
each file that calmip reads differently, and for each that it refuses although HiGHS reads it, with
the reason; with ``--all`` for every file. Columns, rows, bounds, coefficients, costs and kinds are
compared as floating-point numbers. The exit code is 1 if an array differs or a reader crashed.

The files are yours: none comes with calmip. Folders of public files are check/instances of HiGHS,
check of SCIP, MIPLIB 3, and the tests of python-mip, PuLP, Pyomo and MathOptInterface.
"""

from __future__ import annotations

import argparse
import math
import multiprocessing
import sys
import traceback
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import calmip
from calmip._base.errors import InputError
from calmip.mip.files.model_builder import ModelBuilder
from calmip.mip.files.text_source import TextFile
from calmip.mip.model import Bound, Model, unused_name
from calmip.mip.rows import finite_or_infinite

SUFFIXES = (".lp", ".mps", ".lp.gz", ".mps.gz")
ROUNDING_TOLERANCE = 1e-12
"""The readers add duplicate terms and turn decimals into binary numbers in another order."""


def main() -> int:
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("folder", type=Path)
    options.add_argument("--all", action="store_true", help="Print a line for every file.")
    options.add_argument("--integer-default", choices=("1", "inf"), help="As for calmip.")
    given = options.parse_args()
    files = sorted(p for p in given.folder.rglob("*") if p.name.lower().endswith(SUFFIXES))
    found: Counter[str] = Counter()
    reasons: Counter[str] = Counter()
    wrong = False
    for path, verdict, reason in _compare_all(files, given.integer_default):
        found[verdict] += 1
        wrong |= verdict in ("differs", "crash")
        if verdict == "refused, HiGHS reads it":
            reasons[_kind(reason)] += 1
        if given.all or verdict in ("differs", "crash", "refused, HiGHS reads it"):
            print(f"{path.relative_to(given.folder)}: {verdict}: {reason}", flush=True)
    print(f"\n{len(files)} files")
    for verdict, number in found.most_common():
        print(f"{number:6} {verdict}")
    print("\nreasons of files that HiGHS reads")
    for reason, number in reasons.most_common():
        print(f"{number:6} {reason}")
    return int(wrong)


def _compare_all(files: list[Path], integer: str | None) -> list[tuple[Path, str, str]]:
    """Return the verdict on each file; a process of its own may crash without an end of all."""
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(1, mp_context=context)
    found = []
    for path in files:
        try:
            found.append((path, *pool.submit(compare, path, integer).result()))
        except BrokenProcessPool:
            found.append((path, "crash", "the process of the readers ended"))
            pool = ProcessPoolExecutor(1, mp_context=context)
    pool.shutdown()
    return found


def compare(path: Path, integer: str | None) -> tuple[str, str]:
    """Return a verdict on calmip's reading of a file, and the reason."""
    theirs, status = _read_highs(path)
    try:
        default = None if integer is None else float(integer)
        ours = calmip.read_model(path, integer_default=default)
    except InputError as error:
        reads = theirs is not None
        return ("refused, HiGHS reads it" if reads else "refused by both"), error.message
    except Exception:
        return "crash", traceback.format_exc().splitlines()[-1]
    if theirs is None:
        return "read, HiGHS refuses it", status
    difference = _difference(ours, theirs)
    if difference:
        return "differs", difference
    return ("equal, binary" if ours.binary else "equal"), ""


def _read_highs(path: Path) -> tuple[Model | None, str]:
    """Return the model that HiGHS reads, built as calmip's readers build theirs."""
    import highspy

    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    highs.setOptionValue("small_matrix_value", 1e-12)  # smaller coefficients are left out
    status = highs.readModel(str(path))
    if status == highspy.HighsStatus.kError:
        return None, "HiGHS refuses the file"
    lp = highs.getLp()
    every = (lp.col_cost_, lp.a_matrix_.value_, lp.row_lower_, lp.row_upper_)
    if any(math.isnan(number) for some in every for number in some):
        return None, "HiGHS reads NaN"
    kinds = list(lp.integrality_) or [highspy.HighsVarType.kContinuous] * lp.num_col_
    if highs.getModel().hessian_.dim_ or not set(kinds) <= {
        highspy.HighsVarType.kContinuous,
        highspy.HighsVarType.kInteger,
    }:
        return None, "HiGHS reads more than a linear model"
    build = ModelBuilder(TextFile(str(path), ()))
    build.maximise = lp.sense_ == highspy.ObjSense.kMaximize
    build.offset = _exact(lp.offset_)
    names = list(lp.col_names_) or [f"column {number}" for number in range(lp.num_col_)]
    bounds = zip(names, lp.col_lower_, lp.col_upper_, kinds, lp.col_cost_, strict=True)
    for name, low, high, kind, cost in bounds:
        column = build.column(name, 0)
        build.lower[column], build.upper[column] = _exact(low), _exact(high)
        build.integer[column] = kind == highspy.HighsVarType.kInteger
        build.cost[column] = _exact(cost)
    names = list(lp.row_names_) or [""] * lp.num_row_
    for name, low, high in zip(names, lp.row_lower_, lp.row_upper_, strict=True):
        row = build.row(unused_name(name or "R", build.rows), _exact(low), _exact(high), 0)
    matrix = lp.a_matrix_
    start, index, value = (list(some) for some in (matrix.start_, matrix.index_, matrix.value_))
    by_columns = matrix.format_ == highspy.MatrixFormat.kColwise
    for major, (first, last) in enumerate(pairwise(start)):
        for minor, number in zip(index[first:last], value[first:last], strict=True):
            row, column = (minor, major) if by_columns else (major, minor)
            build.entry(row, column, _exact(number), 0)
    try:
        return build.build(), ""
    except InputError as error:
        return None, f"HiGHS reads what is no model: {error.message}"


def _exact(number: float) -> Bound:
    if math.isinf(number):
        return number
    exact = Fraction(repr(float(number)))
    return finite_or_infinite(exact.numerator if exact.denominator == 1 else exact)


def _difference(ours: Model, theirs: Model) -> str:
    """Return the first difference of two models, or an empty text."""
    if ours.columns != theirs.columns:
        if sorted(ours.columns) != sorted(theirs.columns):
            one, two = set(ours.columns), set(theirs.columns)
            return f"columns {sorted(one - two)[:3]} and {sorted(two - one)[:3]}"
        return "another order of the columns"
    if len(ours.rows) != len(theirs.rows):
        one, two = set(ours.rows), set(theirs.rows)
        return f"{len(ours.rows)} rows, not {len(theirs.rows)}: {sorted(one ^ two)[:3]}"
    for name in ("start", "index"):
        if ours.values(name) != theirs.values(name):
            return f"the array {name}"
    if list(map(bool, ours.values("integer"))) != list(map(bool, theirs.values("integer"))):
        return "the array integer"
    for name in ("value", "lower", "upper", "cost", "column_lower", "column_upper"):
        for place, (one, two) in enumerate(
            zip(ours.values(name), theirs.values(name), strict=True)
        ):
            if not math.isclose(one, two, rel_tol=ROUNDING_TOLERANCE):
                return f"{name}[{place}] is {one!r}, not {two!r}"
    if ours.offset != theirs.offset:
        return f"the constant {ours.offset!r}, not {theirs.offset!r}"
    return ""


def _kind(reason: str) -> str:
    """Return a reason without names and numbers of the file."""
    words = [w for w in reason.split() if not w.startswith(("'", '"', "`"))]
    return " ".join(words)[:90]


if __name__ == "__main__":
    sys.exit(main())
