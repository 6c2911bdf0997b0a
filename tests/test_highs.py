"""HiGHS by its library and by its package: two ways, one behaviour."""

import ctypes
import gzip
import json
import math
import platform
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from presence import need_package

from calmip import read_instance
from calmip._base import highs as library
from calmip._base.errors import SolverFailed, SolverMissing
from calmip._base.highs import HighsModel, linear_program, new_highs
from calmip.models import build
from calmip.problem.cover import ExactCover
from calmip.solvers import Limits, Outcome, Status
from calmip.solvers import highs as adapter
from calmip.solvers.base import OptionUnknown

INFINITE = math.inf

# Minimise -x - y where x + y <= 1.5, 2x + y = 2 and both lie between 0 and 1.
ROWS = (([-INFINITE, 2.0], [1.5, 2.0]), ([0, 2, 4], [0, 1, 0, 1], [1.0, 1.0, 2.0, 1.0]))


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "model.mps"
    build("matrix", ExactCover(read_instance("instances/feb29.yaml"))).write(path)
    return path


def linear(most: float = 1.0) -> HighsModel:
    return linear_program("a test", *ROWS, cost=[-1.0, -1.0], most=most)


def by_each_way(monkeypatch: pytest.MonkeyPatch, act: Callable[[], object]) -> list[object]:
    found = []
    for way in ("", "highspy"):
        monkeypatch.setenv(library.VARIABLE, way)
        found.append(act())
    return found


@pytest.mark.skipif(sys.platform == "win32", reason="the wheel for Windows has no library")
def test_the_library_is_found_and_loads_neither_numpy_nor_highspy() -> None:
    code = (
        "import sys\nfrom calmip._base.highs import load, new_highs\nassert load()\n"
        "new_highs('a test').run()\nprint({'numpy', 'highspy'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


@pytest.mark.parametrize(
    ("formulation", "name"),
    [
        ("matrix", "feb29"),
        ("pulp", "feb29"),
        pytest.param("matrix", "no-flip-dec29", marks=pytest.mark.long),
        ("packing", "tiny"),
    ],
)
def test_outcomes_are_the_same_to_the_last_node(
    formulation: str, name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    model = tmp_path / "model.mps"
    build(formulation, ExactCover(read_instance(f"instances/{name}.yaml"))).write(model)

    def act() -> object:
        lines: list[str] = []
        outcome = adapter.Highs().solve(model, Limits(seed=3, log=lines.append))
        dives = sum("Solving report" in line for line in lines)
        return outcome, dives, len(lines)

    ours, theirs = by_each_way(monkeypatch, act)
    assert ours == theirs
    # The second is infeasible, which presolve proves after the sixteenth dive.
    assert ours[1] >= (16 if name == "no-flip-dec29" else 1)  # type: ignore[index]


def test_a_start_is_taken(monkeypatch: pytest.MonkeyPatch, model: Path) -> None:
    def act() -> Outcome:
        return adapter.Highs().solve(model, Limits(start=start))

    start: tuple[str, ...] = ()
    start = tuple(act().values)
    for outcome in by_each_way(monkeypatch, act):
        assert isinstance(outcome, Outcome)
        assert outcome.status is Status.OPTIMAL
        assert set(outcome.values) == set(start)


def test_relaxations_and_rays_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    def act() -> object:
        highs = linear()
        highs.run()
        found: list[object] = [highs.status, highs.info("objective_function_value")]
        found += [list(part) for part in highs.solution()]
        highs.add_row(-INFINITE, 0.0, [0, 1])
        highs.run()
        ray = highs.dual_ray()
        assert ray is not None
        found += [highs.status, list(ray)]
        highs.bound_row(2, -INFINITE, 1.0)
        highs.bound_columns([0, 1], [0.5, 0.0], [1.0, 0.25])
        highs.set_costs([1.0, 3.0])
        highs.run()
        return [*found, highs.status, list(highs.solution()[0]), highs.columns()]

    ours, theirs = by_each_way(monkeypatch, act)
    assert ours == theirs
    assert ours[0:3] == ["Optimal", -1.5, [0.5, 1.0]]  # type: ignore[index]
    assert ours[-2] == [1.0, 0.0]  # type: ignore[index]


@pytest.mark.parametrize("most", [1.0, INFINITE])
def test_a_relaxation_without_bounds_is_not_called_infeasible(
    most: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    def act() -> object:
        highs = linear(most)
        monkeypatch.setattr(type(highs), "status", library.EITHER)
        try:
            return highs.optimum()
        except SolverFailed as error:
            return str(error)

    failure = "HiGHS ended the relaxation with the status 'Primal infeasible or unbounded'"
    assert by_each_way(monkeypatch, act) == [None if most < INFINITE else failure] * 2


def test_a_model_without_rows_has_no_ray(monkeypatch: pytest.MonkeyPatch) -> None:
    def act() -> object:
        highs = linear_program("a test", ([], []), ([0], [], []), cost=[1.0])
        assert highs.info("objective_function_value") is None
        highs.run()
        return highs.status, list(highs.solution()[0]), highs.columns().rows

    assert by_each_way(monkeypatch, act) == [("Optimal", [0.0], [[]])] * 2


def test_the_statuses_have_the_words_of_highs() -> None:
    highspy = need_package("highspy")
    words = highspy.Highs().modelStatusToString
    kinds = highspy.HighsModelStatus.__members__.values()
    assert {int(kind): words(kind) for kind in kinds} == dict(enumerate(library.STATUSES))


@pytest.mark.usefixtures("highs_way")
def test_options_are_taken_or_refused(model: Path) -> None:
    highs = new_highs("a test")
    assert highs.set({"presolve": "off", "time_limit": 2, "mip_detect_symmetry": True})
    assert highs.set({"time_limit": "3.5", "threads": "1", "mip_detect_symmetry": "false"})
    for name, value in [
        ("nosuch", "1"), ("presolve", "perhaps"), ("threads", "x"),
        ("presolve", "off\0"), ("presolve\0", "off"), ("nos\udcffuch", "1"),
    ]:  # fmt: skip
        assert not highs.set({name: value}), (name, value)
    with pytest.raises(OptionUnknown, match="HiGHS has no option nosuch that could be '1'"):
        adapter.Highs().solve(model, Limits(options=(("nosuch", "1"),)))


class Stop(BaseException):
    """Something that nobody catches by accident."""


def stop(*_: object) -> bool:
    raise Stop


@pytest.mark.usefixtures("highs_way")
def test_an_exception_in_a_callback_ends_the_run(model: Path) -> None:
    with pytest.raises(Stop):
        adapter.Highs().solve(model, Limits(log=stop))
    highs = new_highs("a test")
    highs.listen(None, stop)
    assert highs.read(model)
    with pytest.raises(Stop):
        highs.run()
    assert highs.status != "Optimal"


@pytest.mark.usefixtures("highs_way")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_run(model: Path, number: signal.Signals) -> None:
    raised = []

    def handler(*_: object) -> None:
        raise KeyboardInterrupt

    def ask() -> bool:
        if not raised:
            raised.append(number)
            signal.raise_signal(number)
        return False

    before = signal.signal(number, handler)
    try:
        highs = new_highs("a test")
        highs.listen(None, ask)
        assert highs.read(model)
        with pytest.raises(KeyboardInterrupt):
            highs.run()
        assert signal.getsignal(number) is handler
        assert highs.status != "Optimal"
    finally:
        signal.signal(number, before)


@pytest.mark.usefixtures("highs_way")
@pytest.mark.parametrize("suffix", [".mps", ".mps.gz"])
def test_long_names_are_read_whole(suffix: str, tmp_path: Path) -> None:
    name, path = "x" * 100_000, tmp_path / f"long{suffix}"
    text = (
        f"NAME long\nROWS\n N obj\n E row\nCOLUMNS\n M1 'MARKER' 'INTORG'\n {name} row 1\n"
        f" M2 'MARKER' 'INTEND'\nRHS\n RHS row 1\nBOUNDS\n UP BND {name} 1\nENDATA\n"
    ).encode()
    path.write_bytes(gzip.compress(text) if suffix.endswith("gz") else text)
    assert adapter.Highs().solve(path, Limits()).values == {name: 1.0}


@pytest.mark.usefixtures("highs_way")
def test_what_is_no_model_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "m\xfcll.mps"
    for text in (None, "NAME\nROWS\n Q what\n"):
        if text is not None:
            path.write_text(text, encoding="utf-8")
        for act in (adapter.relax, lambda path: adapter.Highs().solve(path, Limits())):
            with pytest.raises(SolverFailed, match="cannot read the model file"):
                act(path)
    with pytest.raises(SolverFailed, match="does not name column 0"):
        new_highs("a test").name(0)


class Library:
    """What looks like the library of HiGHS, and is another one."""

    def __init__(self, numbers: dict[str, int | None]) -> None:
        self.numbers = {"Highs_versionMajor": 1, "Highs_versionMinor": 15, **numbers}

    def __getattr__(self, name: str) -> object:
        number = self.numbers.get(name, 4)
        if number is None:
            raise AttributeError(name)

        def function(*_: object) -> int:
            return number

        return function


@pytest.mark.parametrize(
    "numbers",
    [{"Highs_versionMinor": 16}, {"Highs_getSizeofHighsInt": 8}, {"Highs_getDualRay": None}, {}],
    ids=["version", "integers", "function", "fine"],
)
def test_a_library_of_another_kind_is_left_alone(
    numbers: dict[str, int | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    if library.load() is None:
        pytest.skip("this wheel of highspy has no library")
    monkeypatch.setattr(ctypes, "CDLL", lambda _: Library(numbers))
    library._load.cache_clear()
    try:
        assert (library.load() is None) == bool(numbers)
        if numbers:
            highs = linear()
            highs.run()
            assert highs.status == "Optimal"
    finally:
        library._load.cache_clear()


def test_without_highspy_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "highspy", None)
    library._load.cache_clear()
    try:
        with pytest.raises(SolverMissing, match=r"a test needs highspy .*; pip install highspy"):
            new_highs("a test")
    finally:
        library._load.cache_clear()


NOISY = """
import ctypes, sys
from calmip._base.highs import HighsModel

def run(self, seconds=None, quiet=HighsModel.run):
    ctypes.CDLL(None).printf(b"a warning of postsolve\\n")
    quiet(self, seconds)

HighsModel.run = run
sys.argv = ["calmip", "relax", "instances/tiny.yaml", "--format", "json"]
from calmip.__main__ import run
run()
"""


@pytest.mark.skipif(
    platform.libc_ver()[0] != "glibc" and sys.platform != "darwin",
    reason="this C library keeps its streams to itself",
)
def test_what_highs_prints_though_silent_is_no_part_of_the_result() -> None:
    if library.load() is None:
        pytest.skip("the package prints by itself")
    done = subprocess.run([sys.executable, "-c", NOISY], capture_output=True, check=False)
    assert json.loads(done.stdout)["status"] == "optimal", done.stderr
    assert b"a warning of postsolve" in done.stderr
