"""Functions with others as attributes; .ci/public_names.py writes this file.

It is for type checkers alone: in Python they are objects of `calmip._base.verbs.Verbs`.
"""

# ruff: isort: skip_file

from calmip.puzzle.tasks.check import (
    check as _check,
    check_file as _check_file,
    check_folder as _check_folder,
)
from calmip.puzzle.tasks.compare import compare as _compare
from calmip.bench.compare import compare_formulations as _compare_formulations
from calmip.puzzle.tasks.export import export as _export, export_dates as _export_dates
from calmip.bench.campaign.export import export_suite as _export_suite
from calmip.course.grade import (
    grade as _grade,
    grade_folder as _grade_folder,
    grade_model as _grade_model,
)
from calmip.bench.bench import (
    bench_aa as _bench_aa,
    bench_diff as _bench_diff,
    bench_log as _bench_log,
    bench_merge as _bench_merge,
    bench_report as _bench_report,
    bench_run as _bench_run,
    bench_watch as _bench_watch,
)
from calmip.proofs.prove import (
    prove as _prove,
    prove_check as _prove_check,
    prove_dates as _prove_dates,
)
from calmip.design.design import design as _design, design_by_model as _design_by_model

class _Check:
    __call__ = staticmethod(_check)
    file = staticmethod(_check_file)
    folder = staticmethod(_check_folder)

check: _Check

class _Compare:
    __call__ = staticmethod(_compare)
    formulations = staticmethod(_compare_formulations)

compare: _Compare

class _Export:
    __call__ = staticmethod(_export)
    dates = staticmethod(_export_dates)
    suite = staticmethod(_export_suite)

export: _Export

class _Grade:
    __call__ = staticmethod(_grade)
    folder = staticmethod(_grade_folder)
    model = staticmethod(_grade_model)

grade: _Grade

class _Bench:
    aa = staticmethod(_bench_aa)
    diff = staticmethod(_bench_diff)
    log = staticmethod(_bench_log)
    merge = staticmethod(_bench_merge)
    report = staticmethod(_bench_report)
    run = staticmethod(_bench_run)
    watch = staticmethod(_bench_watch)

bench: _Bench

class _Prove:
    __call__ = staticmethod(_prove)
    check = staticmethod(_prove_check)
    dates = staticmethod(_prove_dates)

prove: _Prove

class _Design:
    __call__ = staticmethod(_design)
    by_model = staticmethod(_design_by_model)

design: _Design
