"""HiGHS by its library and by its package: two ways, one behaviour."""

import ctypes
import gzip
import importlib
import itertools
import json
import math
import operator
import platform
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib import metadata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from requirements import need_library, need_package

from benchmarks.highs_routes import RESULTS, table
from calmip import read_instance
from calmip._base import highs as library
from calmip._base import signals
from calmip._base.errors import SolverFailed, SolverMissing
from calmip._base.highs import HighsModel, linear_program, new_highs
from calmip.mip import kernel
from calmip.models import build
from calmip.puzzle.cover import ExactCover
from calmip.solvers import Limits, Outcome, Status
from calmip.solvers import highs as adapter
from calmip.solvers.base import Availability, OptionUnknown

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
    need_library(monkeypatch)
    found = []
    for way in ("", "highspy"):
        monkeypatch.setenv(library.VARIABLE, way)
        found.append(act())
    return found


def test_the_library_is_found_and_loads_neither_numpy_nor_highspy(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    need_library(monkeypatch)
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
    if need_library(monkeypatch).version == metadata.version("highspy"):
        assert ours == theirs
    assert ours[0].status is theirs[0].status  # type: ignore[index]
    # The second is infeasible, which presolve proves after the sixteenth dive.
    assert ours[1] >= (16 if name == "no-flip-dec29" else 1)  # type: ignore[index]


@pytest.mark.long
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
        ("nosuch", "1"),
        ("presolve", "perhaps"),
        ("threads", "x"),
        ("presolve", "off\0"),
        ("presolve\0", "off"),
        ("nos\udcffuch", "1"),
    ]:
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


# What a library gives back that is another one, or is broken, by its function.
FAULTS: dict[str, tuple[str, Callable[..., object] | None]] = {
    "integers": ("getSizeofHighsInt", lambda *_: 8),
    "function": ("getDualRay", None),
    "option": ("setStringOptionValue", lambda *_: -1),
    "model": ("passLp", lambda *_: -1),
    "another model": ("getLp", lambda *_: 0),
    "no run": ("run", lambda *_: 0),
    "no optimum": ("getSolution", lambda *_: 0),
    "status": ("getModelStatus", lambda *_: 8),
    "kind of number": ("getInfoType", lambda *_: 0),
}


class Altered:
    """The library, one function of which is another one."""

    def __init__(
        self, path: str, mode: int, name: str, function: Callable[..., object] | None
    ) -> None:
        self.library, self.altered = REAL(path, mode), f"Highs_{name}"
        if function is not None:
            setattr(self, self.altered, function)

    def __getattr__(self, name: str) -> object:
        if name == self.altered:
            raise AttributeError(name)
        return getattr(self.library, name)


REAL = ctypes.CDLL


@pytest.fixture
def forgetful() -> Iterator[None]:
    """Find the library anew, before and after."""
    library._find.cache_clear()
    yield
    library._find.cache_clear()


@pytest.mark.usefixtures("forgetful")
@pytest.mark.parametrize("fault", [*FAULTS, "none"])
def test_a_library_is_used_if_it_solves_whatever_its_version(
    fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    need_library(monkeypatch)
    library._find.cache_clear()
    version = ("version", lambda *_: b"9.9.9")  # which a library may have
    other = FAULTS.get(fault, version)
    monkeypatch.setattr(ctypes, "CDLL", lambda path, mode: Altered(path, mode, *other))
    found = library.load()
    assert (found is None) == (fault in FAULTS)
    assert found is None or found.version == "9.9.9"
    highs = linear()
    highs.run()
    assert highs.status == "Optimal"
    assert found or library.describe_way() == ("highspy, the Python package", None)


@pytest.fixture
def homes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, forgetful: None) -> dict[str, Path]:
    """Put the library where each package has it, and nowhere else."""
    real = need_library(monkeypatch).path
    windows = sys.platform == "win32"
    name = (
        "highs.dll" if windows else "libhighs.dylib" if sys.platform == "darwin" else "libhighs.so"
    )
    folders = {
        "chosen": tmp_path / "own",
        "highspy": tmp_path / "packages" / "highspy",
        "highsbox": tmp_path
        / "packages"
        / "highsbox"
        / "highs_dist"
        / ("bin" if windows else "lib"),
        "conda": tmp_path / "conda" / ("Library/bin" if windows else "lib"),
    }
    for folder in folders.values():
        folder.mkdir(parents=True)
        (folder / name).symlink_to(real)
    for package in ("highspy", "highsbox"):
        (tmp_path / "packages" / package / "__init__.py").touch()
    monkeypatch.delitem(sys.modules, "highspy", raising=False)
    monkeypatch.setattr(sys, "path", [str(tmp_path / "packages")])
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "conda"))
    monkeypatch.setenv(library.VARIABLE, str(folders["chosen"] / name))
    importlib.invalidate_caches()
    library._find.cache_clear()
    return {home: folder / name for home, folder in folders.items()}


@pytest.mark.parametrize("broken", ["missing", "no library", "another library"])
@pytest.mark.parametrize("fewer", range(5))
def test_the_first_library_that_works_is_used(
    fewer: int, broken: str, homes: dict[str, Path]
) -> None:
    for path in [*homes.values()][:fewer]:
        path.unlink()
        if broken == "no library":
            path.write_text("\x7fELF, and no more")
        elif broken == "another library":
            other = kernel.library()
            path.symlink_to(other._name if other else __file__)
    found, place = library.load(), [*map(str, homes.values()), None][fewer]
    assert (found and found.path) == place
    way = f"{place}, the C library" if place else "highspy, the Python package"
    refused = f"; CALMIP_HIGHS={homes['chosen']} is no usable library" if fewer else ""
    assert library.describe_way() == (way + refused, found and found.version)


def test_the_package_can_be_chosen(homes: dict[str, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(library.VARIABLE, "highspy")
    assert library.load() is None
    monkeypatch.setenv(library.VARIABLE, "")
    found = library.load()
    assert found
    assert found.path == str(homes["highspy"])


@pytest.mark.usefixtures("forgetful")
def test_the_command_says_which_library_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    real = need_library(monkeypatch)
    here = adapter.Highs().availability()
    assert (here.found, here.version) == (f"{real.path}, the C library", real.version)
    monkeypatch.setenv(library.VARIABLE, "highspy")
    here = adapter.Highs().availability()
    assert (here.found, here.version) == (
        "highspy, the Python package",
        metadata.version("highspy"),
    )


@pytest.mark.long
@pytest.mark.usefixtures("forgetful")
def test_a_library_alone_solves_and_without_both_that_is_said(
    homes: dict[str, Path], monkeypatch: pytest.MonkeyPatch, model: Path
) -> None:
    monkeypatch.setitem(sys.modules, "highspy", None)
    monkeypatch.setattr(
        adapter, "package_availability", lambda _, remedy: Availability(None, None, remedy)
    )
    homes["highspy"].unlink()
    solver = adapter.Highs()
    assert solver.availability().found == f"{homes['chosen']}, the C library"
    assert solver.solve(model, Limits()).status is Status.OPTIMAL
    monkeypatch.setenv(library.VARIABLE, "highspy")
    assert solver.availability() == Availability(None, None, "pip install highspy")
    with pytest.raises(SolverMissing, match=r"a test needs highspy .*; pip install highspy"):
        new_highs("a test")


def test_an_interrupt_while_the_package_is_imported_is_no_missing_package(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(library.VARIABLE, "highspy")
    monkeypatch.setitem(sys.modules, "highspy", None)  # what an import raises is an ImportError
    monkeypatch.setattr(signals, "_received", [signal.SIGINT])
    with pytest.raises(KeyboardInterrupt):
        new_highs("a test")


@pytest.mark.usefixtures("highs_way")
def test_a_status_of_a_later_version_is_no_known_one(
    model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    direct = HighsModel._direct if library.load() else library._Package._direct

    def later(self: HighsModel, name: str, *given: object) -> object:
        return 20 if name == "getModelStatus" else direct(self, name, *given)

    monkeypatch.setattr(HighsModel if library.load() else library._Package, "_direct", later)
    assert linear().status == "status 20"
    with pytest.raises(SolverFailed, match="ended with the status 'status 20'"):
        adapter.Highs().solve(model, Limits())


class Told:
    """HiGHS as a test tells it: the end of a search, and the rows of a model."""

    def __init__(self, columns: library.Columns, status: str = "", **info: float | None) -> None:
        self.model, self.status, self.told = columns, status, info
        self.bounds: dict[int, tuple[float, float]] = {}
        self.costs = list(columns.cost)

    def set(self, _: object) -> bool:
        return True

    listen = forget = run = set_costs = lambda *_: None

    def columns(self) -> library.Columns:
        return self.model

    def info(self, name: str) -> float | None:
        return self.told[name]

    def bound_row(self, row: int, low: float, high: float) -> None:
        self.bounds[row] = low, high


@pytest.mark.parametrize("status", ["Optimal", "Time limit reached"])
@pytest.mark.parametrize("feasible", [0, 2])
@pytest.mark.parametrize("costed", [False, True])
@pytest.mark.parametrize("count", [None, -1, 0, 1, 7])
@pytest.mark.parametrize("own", [None, 3.5, -INFINITE])
def test_an_outcome_has_the_bound_and_the_nodes_that_highs_has(
    monkeypatch: pytest.MonkeyPatch,
    status: str,
    feasible: int,
    costed: bool,
    count: int | None,
    own: float | None,
) -> None:
    info = {"mip_node_count": count, "primal_solution_status": feasible}
    told = Told(
        library.Columns([], [], [], [], [], True),
        status,
        **info,
        mip_dual_bound=own,
        objective_function_value=4.25,
    )
    values = {"new_highs": told, "_read": None, "_solve": costed, "_values": {"x": 1.0}}
    for name, value in values.items():
        monkeypatch.setattr(adapter, name, lambda *_, value=value, **__: value)
    found = adapter.Highs().solve(Path("none"), Limits())
    optimal = status == "Optimal"
    # Linear programs have no nodes, -1, and their optimum is their bound.
    expected = own if count != -1 else 4.25 if optimal else None
    assert found.bound == (expected if costed and expected != -INFINITE else None)
    assert found.nodes == (7 if count == 7 else 1 if count == 1 else 0)
    assert bool(found.values) == (optimal or feasible == 2)


@pytest.mark.parametrize("status", ["Optimal", library.INFEASIBLE, library.EITHER])
@pytest.mark.parametrize("bounded", [False, True])
def test_presolve_is_left_out_only_where_its_word_is_open(
    monkeypatch: pytest.MonkeyPatch, status: str, bounded: bool
) -> None:
    class Twice(Told):
        def run(self, *_: object) -> None:
            self.status = "Unbounded"

    told = Twice(library.Columns([], [], [], [], [], bounded), status)
    told.told = {"mip_node_count": 0, "mip_dual_bound": None, "primal_solution_status": 0}
    values = {"new_highs": told, "_read": None, "_solve": False, "_values": {}}
    for name, value in values.items():
        monkeypatch.setattr(adapter, name, lambda *_, value=value, **__: value)
    found = adapter.Highs().solve(Path("none"), Limits()).status
    if status == library.EITHER and not bounded:
        assert found is Status.UNBOUNDED
    else:
        assert found is (Status.OPTIMAL if status == "Optimal" else Status.INFEASIBLE)


@pytest.mark.parametrize(("most", "expected"), [("1.5", (1.5, {"x": 1.5})), ("0.5", (None, {}))])
def test_a_relaxation_has_no_integers(
    tmp_path: Path, most: str, expected: tuple[float | None, dict[str, float]]
) -> None:
    path = tmp_path / "model.lp"
    rows = f"c: x >= 1\n d: x <= {most}"
    path.write_text(f"Maximize\n obj: x\nSubject To\n {rows}\nGeneral\n x\nEnd\n")
    found = adapter.relax(path)
    assert (found.bound and abs(found.bound), found.values) == expected


@pytest.mark.long
@given(st.data())
def test_rows_are_relaxed_and_costs_left_out_only_where_it_makes_no_difference(
    data: st.DataObject,
) -> None:
    size = data.draw(st.integers(1, 5))
    subset = st.sets(st.integers(0, size - 1), min_size=1)
    rows = data.draw(st.lists(st.tuples(subset, st.sampled_from("==<")), min_size=1, max_size=5))
    sides = [float(data.draw(st.integers(1, 2))) for _ in rows]
    lower = [
        side if kind == "=" else -INFINITE for (_, kind), side in zip(rows, sides, strict=True)
    ]
    costs = [float(data.draw(st.sampled_from((0, 0, 1, 1, 2)))) for _ in range(size)]
    parts = [[row for row, (one, _) in enumerate(rows) if c in one] for c in range(size)]
    coefficient = data.draw(st.sampled_from((1.0, 1.0, 1.0, 2.0)))
    values = [1.0] * (sum(map(len, parts)) - 1) + [coefficient]
    told = Told(library.Columns(costs, lower, sides, parts, values, True))

    def points(lower: list[float]) -> set[tuple[int, ...]]:
        return {
            point
            for point in itertools.product((0, 1), repeat=size)
            if all(
                low <= sum(point[c] for c in one) <= high
                for low, (one, _), high in zip(lower, rows, sides, strict=True)
            )
        }

    found = adapter._Rows(told, plain=False)  # type: ignore[arg-type]
    assert found.promising or any(costs) or coefficient != 1
    assert found.costed == (any(costs) and not found.promising)
    if not found.promising:
        return
    assert coefficient == 1
    there = points(lower)
    assert len({sum(map(operator.mul, costs, point)) for point in there}) < 2
    found.relax(told)  # type: ignore[arg-type]
    wide = [told.bounds.get(row, (low, 0))[0] for row, low in enumerate(lower)]
    assert points(wide) == there
    found.tighten(told)  # type: ignore[arg-type]
    assert all(sides == (lower[row], lower[row]) for row, sides in told.bounds.items())


def test_the_page_has_the_measured_costs_of_both_routes() -> None:
    results = json.loads(RESULTS.read_text(encoding="utf-8"))
    page = Path("docs/about/benchmarks.md").read_text(encoding="utf-8")
    assert table(results) in page
    library, package = (float(one["seconds"]) for one in results.values())
    assert library < package


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


@pytest.mark.long
@pytest.mark.skipif(
    platform.libc_ver()[0] != "glibc" and sys.platform != "darwin",
    reason="this C library keeps its streams to itself",
)
def test_what_highs_prints_though_silent_is_no_part_of_the_result(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    need_library(monkeypatch)  # the package prints by itself
    done = subprocess.run([sys.executable, "-c", NOISY], capture_output=True, check=False)
    assert json.loads(done.stdout)["status"] == "optimal", done.stderr
    assert b"a warning of postsolve" in done.stderr


@pytest.mark.long
@pytest.mark.parametrize("others", ["pulp", "highspy", "ortools.sat.python.cp_model, highspy"])
def test_the_library_works_beside_other_copies_of_highs(others: str) -> None:
    """Packages bring their own, and one of them makes its names those of the whole process."""
    for name in others.split(", "):
        need_package(name)
    program = f"import {others}; from calmip._base import highs; print(highs.load() is None)"
    ran = [
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
        for code in (program, program.partition("; ")[2])
    ]
    assert [done.returncode for done in ran] == [0, 0], ran[0].stderr
    assert ran[0].stdout == ran[1].stdout
