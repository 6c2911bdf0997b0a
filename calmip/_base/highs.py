"""HiGHS, through its C library or through the Python package highspy.

The package always works, and imports numpy. A library starts faster; it is used if it is found
(`calmip._base.highs_library`) and solves a small linear program as expected: its version does not
matter. The environment variable ``CALMIP_HIGHS`` is the path of a library, or ``highspy``, which
selects the package.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import math
import os
import threading
import weakref
from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from calmip._base.errors import SolverFailed, needed_by
from calmip._base.highs_library import (
    CALLBACK,
    DOUBLE,
    INT,
    PACKAGE,
    POINTER,
    VARIABLE,
    HighsLibrary,
    chosen_path,
    declare,
    places,
)
from calmip._base.signals import check_interrupt, hold_signals, is_command

if TYPE_CHECKING:
    from pathlib import Path

STATUSES = (
    "Not Set",
    "Load error",
    "Model error",
    "Presolve error",
    "Solve error",
    "Postsolve error",
    "Empty",
    "Optimal",
    "Infeasible",
    "Primal infeasible or unbounded",
    "Unbounded",
    "Bound on objective reached",
    "Target for objective reached",
    "Time limit reached",
    "Iteration limit reached",
    "Unknown",
    "Solution limit reached",
    "Interrupted by user",
    "Memory limit reached",
    "Interrupted by HiGHS",
)
"""HiGHS's names of its model statuses, by number."""

ERROR = -1
ROWWISE, COLUMNWISE = 2, 1
LOGGING, MIP_INTERRUPT = 0, 6

LONG = ("readModel", "run", "presolve")
"""The functions that run long enough to be interrupted by a signal."""

INFEASIBLE = "Infeasible"
LATE = "Time limit reached"
EITHER = "Primal infeasible or unbounded"
"""Presolve's status; with finite bounds of all columns, the model is infeasible."""

SMALL_MIP: dict[str, str | bool] = {
    "presolve": "choose",
    "solver": "choose",
    "mip_heuristic_run_feasibility_jump": False,
    "mip_detect_symmetry": False,
    "mip_allow_restart": False,
}
"""The options of a `linear_program` that becomes one of many small MIPs.

What HiGHS tries before its tree takes several times longer than the tree.
"""

MAX_COEFFICIENT = 1e15
"""HiGHS refuses greater coefficients."""

Setting = str | bool | int | float
Numbers = Iterable[float]
Bounds = tuple[Numbers, Numbers]
Matrix = tuple[Numbers, Numbers, Numbers]


class Columns(NamedTuple):
    """A model by its columns, with the bounds of its rows."""

    cost: list[float]
    lower: list[float]
    upper: list[float]
    rows: list[list[int]]
    """The rows in which each column has coefficients."""
    values: list[float]
    """The coefficients of all columns, one after the other."""
    bounded: bool
    """Whether all bounds of columns are finite."""

    @classmethod
    def of(
        cls,
        cost: Numbers,
        bounds: Iterable[float],
        lower: Numbers,
        upper: Numbers,
        *matrix: Iterable[Any],
    ) -> Columns:
        """Return the model with a matrix by columns: start, index, value."""
        start, index, value = matrix
        rows = list(index)
        parts = [rows[first:last] for first, last in pairwise(start)]
        bounded = all(map(math.isfinite, bounds))
        return cls(list(cost), list(lower), list(upper), parts, list(value), bounded)


_INFOS: dict[int, tuple[str, Any]] = {
    -1: ("getInt64InfoValue", ctypes.c_int64),
    1: ("getIntInfoValue", INT),
    2: ("getDoubleInfoValue", DOUBLE),
}
"""The function that returns an information of each type, and its C type."""


_lock = threading.Lock()


def load() -> HighsLibrary | None:
    """Return the library, or None if the package must be used."""
    chosen = os.environ.get(VARIABLE, "")
    with _lock:
        return None if chosen == PACKAGE else _find(chosen)


@functools.cache
def _find(chosen: str) -> HighsLibrary | None:
    for path in places(chosen):
        # What is no library, or lacks a function or an option.
        with contextlib.suppress(OSError, AttributeError, KeyError):
            library = declare(path)
            if _is_sound(library):
                return library
    return None


def _is_sound(library: HighsLibrary) -> bool:
    """Return whether a library takes a linear program, gives it back and solves it.

    Minimise -x - 2 y where x + y <= 4, x + 3 y <= 6 and both lie between 0 and 10.
    """
    highs = HighsModel(library)
    if highs._call("getSizeofHighsInt") != ctypes.sizeof(INT):
        return False
    costs, tens, most, factors = ([-1.0, -2.0], [10.0, 10.0], [4.0, 6.0], [1.0, 1.0, 1.0, 3.0])
    columns, rows = ([0.0, 0.0], tens), ([-math.inf] * 2, most)
    taken = highs.set({"output_flag": False, "presolve": "off"}) and highs.pass_linear(
        costs, columns, rows, ([0, 2, 4], [0, 1, 0, 1], factors)
    )
    if not taken or highs.columns() != (costs, *rows, [[0, 1], [0, 1]], factors, True):
        return False
    highs._call("run")
    answer = (highs.status, highs.info("objective_function_value"), *map(list, highs.solution()))
    return answer == ("Optimal", -5.0, [3.0, 1.0], [0.0, 0.0], [-0.5, -0.5])


def describe_way() -> tuple[str, str | None]:
    """Return in words how HiGHS is called, and the version of the library; None of the package."""
    library, wanted = load(), chosen_path(os.environ.get(VARIABLE, ""))
    if library is None:
        way, version = f"{PACKAGE}, the Python package", None
    else:
        way, version = f"{library.path}, the C library", library.version
    refused = wanted is not None and (library is None or library.path != wanted)
    return way + (f"; {VARIABLE}={wanted} is no usable library" if refused else ""), version


class _Callback:
    """The function that HiGHS calls; it keeps an exception until HiGHS returns."""

    def __init__(self, log: Callable[[str], None] | None, stop: Callable[[], bool] | None) -> None:
        self.log, self.stop = log, stop
        self.raised: BaseException | None = None
        self.release: Callable[[], None] = check_interrupt

    def answer(self, kind: int, text: str = "") -> bool:
        """Handle a line of the log, or a question, and return whether to stop."""
        stop = False
        try:
            self.release()
            if kind == LOGGING and self.log is not None:
                self.log(text.rstrip("\n"))
            elif self.stop is not None:
                stop = kind == MIP_INTERRUPT and self.stop()
        except BaseException as error:
            self.raised = self.raised or error
        return stop or self.raised is not None


class _CCallback(_Callback):
    """The same as a function in C."""

    def __init__(self, log: Callable[[str], None] | None, stop: Callable[[], bool] | None) -> None:
        super().__init__(log, stop)
        self.function = CALLBACK(self.call)

    def call(self, kind: int, text: bytes, _out: object, answer: Any, _data: object) -> None:
        stop = self.answer(kind, text.decode("utf-8", "replace"))
        if answer:  # kept from one call to the next
            answer[0] = stop


class HighsModel:
    """A HiGHS object with a model and the state of its last run."""

    _callback: _Callback | None = None

    def __init__(self, library: HighsLibrary) -> None:
        self._library = library.functions
        self._highs: Any = self._library.Highs_create()
        self._longest = 512
        weakref.finalize(self, self._library.Highs_destroy, self._highs)

    def _direct(self, name: str, *given: Any) -> Any:
        """Call a function by its name in C; an array stands for the address of its numbers."""
        # The arrays live until the call is over, since ``given`` holds them.
        addresses = [one.buffer_info()[0] if isinstance(one, array) else one for one in given]
        return getattr(self._library, f"Highs_{name}")(self._highs, *addresses)

    def _call(self, name: str, *given: Any) -> Any:
        """Call a function, and raise what a callback raised meanwhile."""
        callback = self._callback
        if callback is None:
            return self._direct(name, *given)
        if name in LONG:
            # An exception in a callback would be printed and lost, so signals wait outside.
            with hold_signals() as callback.release:
                answer = self._direct(name, *given)
        else:
            answer = self._direct(name, *given)
        raised, callback.raised = callback.raised, None
        if raised is not None:
            raise raised
        return answer

    def set(self, options: Mapping[str, Setting]) -> bool:
        """Set options and return whether HiGHS accepts all; any value may be given as text."""
        # C accepts no text with a NUL or half a character.
        taken = [
            all(text.isprintable() for text in (name, setting) if isinstance(text, str))
            and self._set(name, setting) != ERROR
            for name, setting in options.items()
        ]
        return all(taken)

    def _set(self, name: str, setting: Setting) -> int:
        kind = {bool: "Bool", int: "Int", float: "Double", str: "String"}[type(setting)]
        given = setting.encode() if isinstance(setting, str) else setting
        return int(self._call(f"set{kind}OptionValue", name.encode(), given))

    def reset_scheduler(self) -> None:
        """End the threads of earlier runs; their number is fixed until then."""
        self._library.Highs_resetGlobalScheduler(1)

    def listen(
        self, log: Callable[[str], None] | None, stop: Callable[[], bool] | None = None
    ) -> None:
        """Forward the lines of the log, and check now and then whether a search must stop.

        An exception of either function, or of a signal's handler, ends the run and is raised.
        """
        callback = _CCallback(log, stop)
        self._call("setCallback", callback.function, None)
        self._callback = callback
        self._call("startCallback", MIP_INTERRUPT)
        if log is not None:
            self._call("startCallback", LOGGING)

    def pass_linear(self, costs: Numbers, columns: Bounds, rows: Bounds, matrix: Matrix) -> bool:
        """Replace the model by a linear program and return whether HiGHS accepts it.

        The bounds are two sequences; the matrix is start, index and value of compressed rows.
        """
        start, index = (_pack("i", numbers) for numbers in matrix[:2])
        value = _pack("d", matrix[2])
        arrays = [_pack("d", each) for each in (costs, *columns, *rows)]
        sizes = len(arrays[0]), len(arrays[-1]), len(index)
        given = (*sizes, ROWWISE, 1, 0.0, *arrays, start, index, value)
        return bool(self._call("passLp", *given) != ERROR)

    def read(self, model: Path) -> bool:
        """Read a model file and return whether HiGHS accepts it."""
        if self._call("readModel", os.fsencode(model)) == ERROR:
            return False
        # A name is copied to a buffer whose length C does not know.
        self._longest = max(self._longest, _longest_line(model))
        return True

    def columns(self) -> Columns:
        """Return the model as it stands."""
        columns, rows, entries = map(self._call, ("getNumCol", "getNumRow", "getNumNz"))
        sizes_of = (columns, columns, columns, rows, rows, entries)
        cost, low, high, lower, upper, value = map(_doubles, sizes_of)
        start, index = (array("i", bytes(4 * length)) for length in (columns + 1, entries))
        sizes, constant = [array("i", [0]) for _ in range(4)], _doubles(1)
        self._call(
            "getLp",
            COLUMNWISE,
            *sizes,
            constant,
            cost,
            low,
            high,
            lower,
            upper,
            start,
            index,
            value,
            None,
        )
        start[columns] = entries
        return Columns.of(cost, [*low, *high], lower, upper, start, index, value)

    def name(self, column: int) -> str:
        """Return the name of a column."""
        text = ctypes.create_string_buffer(self._longest + 1)
        if self._call("getColName", column, text) == ERROR:
            raise SolverFailed(f"HiGHS does not name column {column}")
        return text.value.decode("utf-8", "surrogateescape")

    def set_costs(self, cost: Sequence[float]) -> None:
        """Change the costs of all columns."""
        every = array("i", range(len(cost)))
        self._call("changeColsCostBySet", len(cost), every, _pack("d", cost))

    def bound_row(self, row: int, low: float, high: float) -> None:
        """Change the bounds of a row."""
        self.bound_rows([row], [low], [high])

    def bound_rows(self, rows: Numbers, low: Numbers, high: Numbers) -> None:
        """Change the bounds of distinct rows, in ascending order."""
        self._bound("changeRowsBoundsBySet", rows, low, high)

    def bound_columns(self, columns: Numbers, low: Numbers, high: Numbers) -> None:
        """Change the bounds of distinct columns, in ascending order."""
        self._bound("changeColsBoundsBySet", columns, low, high)

    def _bound(self, name: str, indices: Numbers, low: Numbers, high: Numbers) -> None:
        chosen, least, most = _pack("i", indices), _pack("d", low), _pack("d", high)
        self._call(name, len(chosen), chosen, least, most)

    def make_integer(self, columns: Iterable[int], *, integer: bool = True) -> None:
        """Make columns integer or continuous, in ascending order; then `run` solves a MIP."""
        chosen = array("i", columns)
        if chosen:
            kinds = array("i", [int(integer)]) * len(chosen)
            self._call("changeColsIntegralityBySet", len(chosen), chosen, kinds)

    def add_row(
        self, low: float, high: float, columns: Sequence[int], values: Sequence[float] = ()
    ) -> None:
        """Add a row with these coefficients, or with the coefficient 1, in these columns."""
        factors = _pack("d", values) if values else array("d", [1.0]) * len(columns)
        self._call("addRow", low, high, len(columns), _pack("i", columns), factors)

    def start(self, values: Sequence[float]) -> None:
        """Warm-start the next run from a point."""
        self._call("setSolution", _pack("d", values), None, None, None)

    def run(self, seconds: float | None = None) -> None:
        """Solve the model within a time limit; raise if the program was interrupted."""
        self.limit(seconds)
        self._call("run")
        check_interrupt()

    def limit(self, seconds: float | None) -> None:
        """Set the time limit of all further runs together; None leaves it as it is."""
        if seconds is not None:  # HiGHS adds up the time of all runs
            self.set({"time_limit": float(self._call("getRunTime")) + max(0.0, seconds)})

    def addresses(self, *names: str) -> Any:
        """Return the addresses of the HiGHS object and of functions in C; None without C."""
        found = [ctypes.cast(getattr(self._library, f"Highs_{one}"), POINTER) for one in names]
        return (POINTER * (1 + len(found)))(self._highs, *(one.value for one in found))

    def optimum(self, seconds: float | None = None) -> float | None:
        """Solve a linear program and return the optimum, None if it is infeasible.

        Raises
        ------
        TimeoutError
            If it is not solved within ``seconds``.
        SolverFailed
            If HiGHS ends without an answer.
        """
        self.run(seconds)
        if self.status == LATE:
            raise TimeoutError("HiGHS did not solve the relaxation in time")
        if self.status == INFEASIBLE or (self.status == EITHER and self.columns().bounded):
            return None
        optimum = self.info("objective_function_value")
        if self.status != "Optimal" or optimum is None:
            raise SolverFailed(f"HiGHS ended the relaxation with the status '{self.status}'")
        return optimum

    def presolve(self) -> None:
        """Presolve the model; the status says whether that proves it infeasible."""
        self._call("presolve")
        check_interrupt()

    def forget(self) -> None:
        """Forget the last run; keep the model and the options."""
        self._call("clearSolver")

    @property
    def status(self) -> str:
        """The model status, one of `STATUSES`."""
        number = int(self._call("getModelStatus"))
        # A later version may know more.
        return STATUSES[number] if number < len(STATUSES) else f"status {number}"

    def info(self, name: str) -> float | None:
        """Return a number about the last run, None if there is none."""
        kind, text = INT(), name.encode()
        self._call("getInfoType", text, ctypes.byref(kind))
        function, number = _INFOS[kind.value]
        value = number()
        known = self._call(function, text, ctypes.byref(value)) == 0
        return value.value if known else None

    def solution(self) -> tuple[Sequence[float], Sequence[float], Sequence[float]]:
        """Return the values and reduced costs of the columns, and the dual values of the rows."""
        columns, rows = self._call("getNumCol"), self._call("getNumRow")
        values, reduced, prices = _doubles(columns), _doubles(columns), _doubles(rows)
        self._call("getSolution", values, reduced, None, prices)
        return values, reduced, prices

    def basis(self) -> tuple[Sequence[int], Sequence[int]]:
        """Return the states of the columns and of the rows in the basis, -1 without a basis.

        They are 0 for one at its lower bound, 1 for a basic one, 2 at its upper bound, 3 for a
        free one at zero and 4 for any other nonbasic one.
        """
        columns, rows = (array("i", [-1]) * self._call(name) for name in ("getNumCol", "getNumRow"))
        self._call("getBasis", columns, rows)
        return columns, rows

    def dual_ray(self) -> Sequence[float] | None:
        """Return the row multipliers that prove a linear program infeasible, if known."""
        ray, known = _doubles(self._call("getNumRow")), INT()
        if len(ray):
            self._call("getDualRay", ctypes.byref(known), ray)
        return ray if known else None


class _Package(HighsModel):
    """HiGHS through highspy, whose functions mostly have the names and arguments in C."""

    def __init__(self) -> None:
        import highspy

        class Silent(highspy.Highs):  # type: ignore[misc, unused-ignore]
            """HiGHS without the banner that version 1.16 prints when callbacks are enabled."""

            def enableCallbacks(self) -> None:  # noqa: N802
                self.setOptionValue("output_flag", False)
                super().enableCallbacks()

        self._package: Any = highspy
        self._highs: Any = Silent()

    def _direct(self, name: str, *given: Any) -> Any:
        if name == "passLp":  # which also takes the types of the columns: continuous
            name, given = "passModel", (*given, array("i", bytes(4 * given[0])))
        answer = getattr(self._highs, name.removesuffix("BySet"))(*given)
        return int(answer) if isinstance(answer, self._package.HighsStatus) else answer

    def _set(self, name: str, setting: Setting) -> int:
        return int(self._call("setOptionValue", name, setting))

    def addresses(self, *_: str) -> Any:
        return None

    def reset_scheduler(self) -> None:
        self._highs.resetGlobalScheduler(True)

    def listen(
        self, log: Callable[[str], None] | None, stop: Callable[[], bool] | None = None
    ) -> None:
        # The package loses an exception of a callback, or ends the process.
        self._callback = callback = _Callback(log, stop)

        def ask(event: Any) -> None:
            event.data_in.user_interrupt = callback.answer(MIP_INTERRUPT)

        self._highs.cbMipInterrupt.subscribe(ask)
        if log is not None:
            self._highs.cbLogging.subscribe(lambda event: callback.answer(LOGGING, event.message))

    def read(self, model: Path) -> bool:
        return bool(self._call("readModel", str(model)) != ERROR)

    def columns(self) -> Columns:
        lp = self._highs.getLp()
        matrix = lp.a_matrix_.start_, lp.a_matrix_.index_, lp.a_matrix_.value_
        bounds = [*lp.col_lower_, *lp.col_upper_]
        return Columns.of(lp.col_cost_, bounds, lp.row_lower_, lp.row_upper_, *matrix)

    def name(self, column: int) -> str:
        status, name = self._highs.getColName(column)
        if int(status) == ERROR:
            raise SolverFailed(f"HiGHS does not name column {column}")
        return str(name)

    def start(self, values: Sequence[float]) -> None:
        solution = self._package.HighsSolution()
        solution.col_value = _pack("d", values)
        self._highs.setSolution(solution)

    def info(self, name: str) -> float | None:
        status, value = self._highs.getInfoValue(name)
        return value if int(status) == 0 else None

    def solution(self) -> tuple[Sequence[float], Sequence[float], Sequence[float]]:
        found = self._highs.getSolution()
        return _pack("d", found.col_value), _pack("d", found.col_dual), _pack("d", found.row_dual)

    def basis(self) -> tuple[Sequence[int], Sequence[int]]:
        found = self._highs.getBasis()
        return _pack("i", map(int, found.col_status)), _pack("i", map(int, found.row_status))

    def dual_ray(self) -> Sequence[float] | None:
        _, known, ray = self._highs.getDualRay()
        return _pack("d", ray) if known else None


@functools.cache
def _print_on_stderr() -> None:
    """Let C libraries print on stderr: HiGHS's postsolve prints though it is silent.

    Standard output is for results. The C library of musl and that of Windows stay as they are.
    """
    glibc = "CS_GNU_LIBC_VERSION" in getattr(os, "confstr_names", ())
    names = ("stdout", "stderr") if glibc else ("__stdoutp", "__stderrp")
    with contextlib.suppress(ValueError, OSError, TypeError):  # others have no such variables
        if glibc:
            os.confstr("CS_GNU_LIBC_VERSION")  # an error with musl, whose variables are constant
        program = ctypes.CDLL(None)
        output, errors = (ctypes.c_void_p.in_dll(program, name) for name in names)
        output.value = errors.value


def new_highs(user: str, **options: Setting) -> HighsModel:
    """Return a silent HiGHS with these options set.

    Parameters
    ----------
    user
        The search that needs HiGHS, for the message if it is missing.
    options
        HiGHS's options by name; an option that this version lacks is ignored.

    Raises
    ------
    SolverMissing
        If highspy is not installed or does not load.
    """
    library = load()
    if is_command():
        _print_on_stderr()
    with needed_by(
        user, "highspy", lambda error: f"{user} needs highspy ({error}); pip install highspy"
    ):
        try:
            highs = _Package() if library is None else HighsModel(library)
        except Exception:
            check_interrupt()  # which an import may turn into another error
            raise
    for option, setting in {"output_flag": False, **options}.items():
        highs.set({option: setting})
    if "threads" in options:
        highs.reset_scheduler()
    return highs


def linear_program(
    user: str,
    rows: Bounds,
    matrix: Matrix,
    *,
    cost: Numbers,
    most: float = 1.0,
    columns: Bounds | None = None,
    **options: Setting,
) -> HighsModel:
    """Return a silent HiGHS with a linear program.

    Each run starts from the last basis and uses the dual simplex method on one thread without
    presolve: the same changes give the same points.

    Parameters
    ----------
    user, options
        As for `new_highs`.
    rows
        The lower and the upper bounds of the rows; infinite if absent.
    matrix
        Start, index and value of the compressed rows.
    cost
        The cost of each column.
    most
        The upper bound of all columns; the lower one is 0.
    columns
        Instead, the lower and the upper bounds of the columns.

    Raises
    ------
    SolverMissing
        If highspy is not installed or does not load.
    SolverFailed
        If HiGHS does not accept the numbers.
    """
    simplex: dict[str, Setting] = {"solver": "simplex", "simplex_strategy": 1, "parallel": "off"}
    highs = new_highs(user, presolve="off", **simplex, **options)
    costs = _pack("d", cost)
    if columns is None:
        columns = _doubles(len(costs)), array("d", [most]) * len(costs)
    start, index, value = (_pack(code, each) for code, each in zip("iid", matrix, strict=True))
    if not highs.pass_linear(costs, columns, rows, (start, index, value)):
        where = _too_large(start, value)
        raise SolverFailed(f"HiGHS does not take this model{where and ': '}{where}")
    return highs


def _too_large(start: Sequence[int], value: Sequence[float]) -> str:
    """Return the first coefficient above HiGHS's limit, in words; or nothing."""
    index = next((index for index, number in enumerate(value) if abs(number) > MAX_COEFFICIENT), -1)
    if index < 0:
        return ""
    row = bisect_right(start, index)
    return f"row {row} has the coefficient {value[index]:g}, above the limit of {MAX_COEFFICIENT:g}"


def _pack(code: str, numbers: Numbers) -> array[Any]:
    """Return numbers as HiGHS takes them: ``d`` for double, ``i`` for int."""
    if isinstance(numbers, array) and numbers.typecode == code:
        return numbers
    return array(code, numbers.tolist() if hasattr(numbers, "tolist") else numbers)


def _doubles(length: int) -> array[float]:
    return array("d", bytes(8 * length))


def _longest_line(model: Path) -> int:
    """Return a length that no line of a model file exceeds."""
    if model.suffix != ".gz":
        return model.stat().st_size
    import gzip

    with gzip.open(model) as file:
        return max(map(len, file), default=0)
