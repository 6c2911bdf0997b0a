"""No test runs twice for nothing: what passed in one part of CI is left out of another.

The README's command runs the fast suite, and CALMIP_PASSED_TO=FILE lets it write what passed.
`--without-passed=FILE` leaves these tests out. What is long runs, and so does what was skipped
there, as it needs a package, or failed. Of those that passed a tenth runs again, another one in
each run of CI: with the newest Python, and with all packages. `--sixth` leaves out five
sixths of the long tests, which the jobs of each push run on three systems.
"""

import json
import os
from pathlib import Path

import pytest
from battery import share

RECORD = "CALMIP_PASSED_TO"


class Passed:
    """The plug-in that writes what passed."""

    def __init__(self, path: str) -> None:
        self.path = Path(path)
        self.ended: set[str] = set()
        self.others: set[str] = set()
        """What failed or was skipped, in its call or in a fixture."""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if not report.passed:
            self.others.add(report.nodeid)
        elif report.when == "teardown":
            self.ended.add(report.nodeid)

    def pytest_sessionfinish(self) -> None:
        names = sorted(self.ended - self.others)
        self.path.write_text(json.dumps(names), encoding="utf-8")


def leave_out(path: str, config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the tests that have passed, but for a tenth."""
    passed = set(json.loads(Path(path).read_text(encoding="utf-8")))
    # A long test has had a few examples at most.
    some = [item for item in items if item.nodeid in passed and "long" not in item.keywords]
    leave_out_others(10, some, config, items)


def leave_out_others(
    parts: int, some: list[pytest.Item], config: pytest.Config, items: list[pytest.Item]
) -> None:
    """Leave out some tests but for one of so many parts, which CALMIP_SEED draws."""
    names = {item.nodeid for item in some}
    names -= share(names, parts, int(os.environ["CALMIP_SEED"]))
    config.hook.pytest_deselected(items=[item for item in items if item.nodeid in names])
    items[:] = [item for item in items if item.nodeid not in names]
