"""Which tests are long: their CPU seconds, beside the marks that they have.

``pytest --long --effort`` lists, after the run, every test function that is not marked
``long`` and took more than 0.3 CPU seconds, and every one that is marked and took less than
a third of that. Of a function with many cases the longest counts, those marked by themselves
apart from the others. Seconds are those of the process and of the children that it has waited for,
so a busy machine changes them little. What is done once (a shared fixture, the import of a
heavy package) counts with the test that came first: run a folder alone before you believe it.
"""

from collections.abc import Collection, Generator, Iterable
from typing import Any

import pytest
from processes import cpu_seconds

LONG_CPU_SECONDS = 0.3
"""CPU seconds of the longest test that a newcomer waits for."""


def marked_long(names: Iterable[str], long: Collection[str]) -> list[Any]:
    """Return the cases of a test, with those marked that are long."""
    cases = list(names)
    assert set(long) <= set(cases)
    return [pytest.param(name, marks=pytest.mark.long) if name in long else name for name in cases]


class Effort:
    """The plug-in behind ``--effort``: every worker measures, the first process lists."""

    def __init__(self) -> None:
        self.longest: dict[tuple[str, bool], float] = {}
        """By function, apart for its cases that are marked and its others."""

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Generator[None, object, object]:
        before = cpu_seconds()
        try:
            return (yield)
        finally:
            item.user_properties.append(("CPU seconds", cpu_seconds() - before))

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, object, object]:
        before = cpu_seconds()
        try:
            return (yield)
        finally:
            item.user_properties.append(("CPU seconds", cpu_seconds() - before))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when != "call" or report.skipped:
            return
        key = (report.nodeid.partition("[")[0], "long" in report.keywords)
        used = sum(value for name, value in report.user_properties if name == "CPU seconds")
        self.longest[key] = max(used, self.longest.get(key, 0.0))

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        for line in self.disagreements():
            terminalreporter.write_line(line)

    def disagreements(self) -> list[str]:
        """Return a line for every test whose mark does not say how long it takes."""
        found = [
            (used, f"{used:6.2f} CPU s, {'yet' if marked else 'not'} marked long: {name}")
            for (name, marked), used in self.longest.items()
            if (used < LONG_CPU_SECONDS / 3 if marked else used > LONG_CPU_SECONDS)
        ]
        return [line for _, line in sorted(found, reverse=True)]
