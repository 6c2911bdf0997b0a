"""A test that hangs is ended, and the others run: in CI each has 15 minutes.

The alarm is a timer of the system. It needs no thread, as a process with several should not
fork, and it comes also while a library computes. It prints the stacks of all threads and kills
the process: pytest-xdist names the test that failed by it, and goes on with another process.
"""

import faulthandler
import os
import signal
from collections.abc import Generator

import pytest

TEST_SECONDS = 900
"""Seconds of a test, its fixtures included; one that is marked ``slow`` has four times as many."""


class Alarm:
    """The plug-in that ends tests."""

    def pytest_configure(self) -> None:
        # What a test prints is kept; this is where the run itself prints.
        self.stderr = os.dup(2)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        faulthandler.register(signal.SIGALRM, self.stderr, all_threads=True, chain=True)
        signal.alarm(TEST_SECONDS * (4 if "slow" in item.keywords else 1))
        try:
            return (yield)
        finally:
            signal.alarm(0)
            faulthandler.unregister(signal.SIGALRM)
