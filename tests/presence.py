"""Solvers and programs that a test needs: skipped where they are missing, except in CI.

In CI (``CI`` is set) everything must be there, as ``.[test]`` and ``.ci/run``
install it. Elsewhere ``CALMIP_REQUIRE`` lists what must be there.
"""

import os

import pytest

from calmip import SolverMissing
from calmip.solvers import solver_named


def missing(name: str) -> None:
    """Skip the test, or fail it where the solver, program or package is required."""
    required = os.environ.get("CALMIP_REQUIRE", "").replace(",", " ").split()
    if name in required or os.environ.get("CI"):
        pytest.fail(f"{name} is required here and missing")
    pytest.skip(f"{name} is not installed")


def need_solver(name: str) -> None:
    """Let the test go on only if this solver is installed."""
    try:
        found = solver_named(name).availability().found
    except SolverMissing:
        found = None
    if found is None:
        missing(name)
