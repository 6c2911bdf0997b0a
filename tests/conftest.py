"""Options and fixtures for all tests."""

import os
import re
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
import requirements
from hypothesis import HealthCheck, Phase, settings

from calmip._base import highs

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell's background job ignores Ctrl-C, and so would the programs that tests interrupt.
    signal.signal(signal.SIGINT, signal.default_int_handler)
if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
    # So does one under nohup the end of its terminal.
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
from battery import share
from collecting import Collecting
from cpu_marks import Effort
from hangs import Alarm
from passed import RECORD, Passed, leave_out, leave_out_others
from peers import Peers
from trades import missing, trades_of_case

# Loaded machines are slow, and compiled code is loaded by whichever example comes first. In CI,
# too, every run draws other examples: by --hypothesis-seed, which .ci/suite.py gives and prints.
settings.register_profile(
    "calmip",
    deadline=None,
    derandomize=False,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("calmip")


@pytest.fixture(scope="session", autouse=True)
def own_configuration(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep away from the puzzle that the user has named: also programs that tests start."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CONFIG_HOME", str(tmp_path_factory.mktemp("config")))
        yield


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--long", action="store_true", help="run the long tests too, as CI does")
    parser.addoption("--slow", action="store_true", help="run the slow and the long tests too")
    parser.addoption(
        "--battery", type=int, metavar="SEED", help="run a tenth of the slow battery, drawn by SEED"
    )
    parser.addoption(
        "--sixth",
        action="store_true",
        help="run a sixth of the long tests, drawn by CALMIP_SEED",
    )
    parser.addoption("--half", action="store_true", help="run half of all tests, drawn likewise")
    parser.addoption(
        "--effort", action="store_true", help="list the tests whose mark and CPU seconds disagree"
    )
    parser.addoption(
        "--without-passed", metavar="FILE", help="leave out the tests that FILE says have passed"
    )


def pytest_configure(config: pytest.Config) -> None:
    # The main process of several collects nothing.
    if not getattr(config.option, "numprocesses", None):
        config.pluginmanager.register(Collecting(), "collecting")
    if config.getoption("--effort"):
        config.pluginmanager.register(Effort(), "effort")
    if os.environ.get("CI") and hasattr(signal, "SIGALRM"):
        config.pluginmanager.register(Alarm(), "alarm")
    # Not for the workers, nor for what tests start.
    if record := os.environ.pop(RECORD, ""):
        config.pluginmanager.register(Passed(record), "passed")


WAITING = {
    "page",
    "test_bench_dask.py",
    "test_bench_measure.py",
    "test_ci_hangs.py",
    "test_ci_parts.py",
    "test_long_work.py",
    "test_pipes.py",
    "test_process.py",
    "test_server.py",
    "test_shared_work.py",
    "test_solver_children.py",
}
"""Tests of browsers, processes and clocks: in CI they run beside those that compute."""


MISSING = missing()


def waits(path: Path) -> bool:
    """Whether the tests of a module wait more than they compute."""
    return not WAITING.isdisjoint((path.name, path.parent.name))


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out the tests of a trade that has been taken away, and those of other parts of CI.

    Each process of a part reads all modules, and needs ten seconds for it.
    """
    name, folder = collection_path.name, collection_path.parent
    if folder == Path(__file__).parent and name in MISSING:
        return True
    part = (
        re.match("(not )?waits and ", config.getoption("-m")) if name.startswith("test_") else None
    )
    return True if part and bool(part[1]) == waits(collection_path) else None


def pytest_itemcollected(item: pytest.Item) -> None:
    if waits(item.path):
        item.add_marker(pytest.mark.waits)


def pytest_report_header(config: pytest.Config) -> str | None:
    seed = config.getoption("--battery")
    return None if seed is None else f"a tenth of the slow battery: --battery {seed}"


# Last, so that shares are drawn of the tests which run, and not of those that -m leaves out: such
# a share was empty once.
@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--without-passed"):
        leave_out(config.getoption("--without-passed"), config, items)
    for item in items if MISSING else ():
        needed = {trade for mark in item.iter_markers("trade") for trade in mark.args}
        if isinstance(item, pytest.Function) and hasattr(item, "callspec"):
            needed |= trades_of_case(item.callspec.params.values())
        if needed & MISSING:
            item.add_marker(pytest.mark.skip(reason=f"needs {', '.join(sorted(needed & MISSING))}"))
    if not requirements.POSIX:
        for item in items:
            needs = requirements.only_posix(item.path).get(getattr(item, "originalname", item.name))
            if needs:
                item.add_marker(pytest.mark.skip(reason=f"needs {', '.join(sorted(needs))}"))
    if config.getoption("--half"):
        leave_out_others(2, items, config, items)
    if config.getoption("--sixth"):
        lasting = [item for item in items if not {"long", "slow"}.isdisjoint(item.keywords)]
        leave_out_others(6, lasting, config, items)
    if config.getoption("--slow"):
        return
    slow = [item for item in items if "slow" in item.keywords]
    seed = config.getoption("--battery")
    battery = [item.nodeid for item in slow if "battery" in item.keywords]
    chosen = set() if seed is None else share(battery, 10, seed)
    skip = pytest.mark.skip(reason="slow; run with --slow")
    for item in slow:
        if item.nodeid not in chosen:
            item.add_marker(skip)
    # Nothing may be forgotten in CI: there the long tests need no option.
    if config.getoption("--long") or os.environ.get("CI"):
        return
    skip = pytest.mark.skip(reason="long; run with --long")
    for item in items:
        if "long" in item.keywords and item.nodeid not in chosen and not shortened(item):
            item.add_marker(skip)


FEW_EXAMPLES = 3
"""The examples that a long test of Hypothesis has without ``--long``."""


def shortened(item: pytest.Item) -> bool:
    """Return whether a long test draws its examples; then it draws a few.

    So each comparison with brute force runs every day, on other models.
    """
    test = getattr(item, "obj", None)
    if not getattr(test, "is_hypothesis_test", False):
        return False
    name = "_hypothesis_internal_use_settings"
    usual = getattr(test, name, None) or settings.get_profile("calmip")
    few = settings(usual, max_examples=FEW_EXAMPLES, phases=set(usual.phases) - {Phase.explicit})
    setattr(getattr(test, "__func__", test), name, few)
    return True


@pytest.fixture(params=["library", "highspy"])
def highs_way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Run a test with each way to HiGHS: the C library, and the package."""
    if request.param == "highspy":
        monkeypatch.setenv(highs.VARIABLE, "highspy")
    else:
        requirements.need_library(monkeypatch)
    return str(request.param)


@pytest.fixture(scope="session")
def peers() -> Peers:
    return Peers()
