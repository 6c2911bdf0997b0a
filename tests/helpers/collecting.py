"""What has been collected costs nothing more: byte code is compiled once, and nothing walks it.

In `.ci/run`, where CALMIP_TURNS is set, the first process that reads the modules compiles them with
their rewritten asserts, in 45 CPU s; all others wait for it, and then need 12. The tests live as
long as their process. Frozen, they are left out of each garbage collection (8 of 60 CPU s).
"""

import contextlib
import gc
import os
from collections.abc import Generator, Iterator
from pathlib import Path

import numpy as np
import pytest
import requirements
from hypothesis import given, settings, strategies

TESTS = Path(__file__).parents[1]


@contextlib.contextmanager
def turn() -> Iterator[None]:
    """Wait for the process that compiles the modules, unless this is the first."""
    if not (requirements.POSIX and os.environ.get("CALMIP_TURNS")):
        yield
        return
    import fcntl

    folder = os.open(TESTS, os.O_RDONLY)
    try:
        try:
            fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            fcntl.flock(folder, fcntl.LOCK_SH)
        yield
    finally:
        os.close(folder)


@settings(max_examples=1, database=None, deadline=None)
@given(strategies.none())
def draw(_: None) -> None:
    """Let Hypothesis find the generators of random numbers: it warns of a frozen one."""
    assert np.random is not None


class Collecting:
    """The plug-in."""

    @pytest.hookimpl(wrapper=True)
    def pytest_collection(self) -> Generator[None, object, object]:
        gc.disable()
        try:
            with turn():
                return (yield)
        finally:
            gc.enable()
            draw()
            gc.freeze()
