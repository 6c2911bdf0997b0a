"""HiGHS, for all who use it.

Two ways lead to one solver. The wheels of highspy for Linux and macOS contain HiGHS as a
library with a C interface, which ctypes loads in a few milliseconds. Where the library is
missing or of another version, and where the environment variable ``CALMIP_HIGHS`` is
``highspy``, the package itself is imported, and numpy with it.
"""

from __future__ import annotations

import ctypes
import functools
import importlib.util
import os
from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from calmip._interrupt import heed, holding
from calmip.errors import SolverFailed, SolverMissing

__all__ = ["VARIABLE", "Columns", "HighsModel", "load", "new_highs"]

VARIABLE = "CALMIP_HIGHS"
"""The environment variable that asks for the package in place of the library."""

VERSION = (1, 15)
"""The series of HiGHS whose C interface is known; a later one may arrange it otherwise."""

STATUSES = (
    "Not Set", "Load error", "Model error", "Presolve error", "Solve error", "Postsolve error",
    "Empty", "Optimal", "Infeasible", "Primal infeasible or unbounded", "Unbounded",
    "Bound on objective reached", "Target for objective reached", "Time limit reached",
    "Iteration limit reached", "Unknown", "Solution limit reached", "Interrupted by user",
    "Memory limit reached", "Interrupted by HiGHS",
)  # fmt: skip
"""HiGHS's own words for its model statuses, by number."""

ERROR = -1
ROWWISE, COLUMNWISE = 2, 1
LOGGING, MIP_INTERRUPT = 0, 6

LONG = ("readModel", "run", "presolve")
"""The functions during which a signal may come."""

Setting = str | bool | int | float


class Columns(NamedTuple):
    """A model by its columns.

    Parameters
    ----------
    cost
        What each column costs.
    lower, upper
        The bounds of each row.
    rows, values
        The rows in which each column has coefficients, and these.
    """

    cost: list[float]
    lower: list[float]
    upper: list[float]
    rows: list[list[int]]
    values: list[float]


class HighsModel(Protocol):
    """One HiGHS with a model and the state of its last run."""

    def set(self, options: Mapping[str, Setting]) -> bool:
        """Set options and return whether HiGHS takes all; a text may stand for any value."""

    def reset_scheduler(self) -> None:
        """End the threads of earlier runs; their number is fixed until then."""

    def listen(
        self, log: Callable[[str], None] | None, stop: Callable[[], bool] | None = None
    ) -> None:
        """Forward the lines of the log, and ask now and then whether a search has to stop.

        An exception of either function ends the run and is raised from it. So is that of a
        signal's handler.
        """

    def read(self, model: Path) -> bool:
        """Read a model file and return whether HiGHS can."""

    def pass_rows(
        self,
        bounds: tuple[Iterable[float], Iterable[float]],
        matrix: tuple[Iterable[int], Iterable[int], Iterable[float]],
        *,
        cost: Iterable[float],
        most: float = 1.0,
    ) -> bool:
        """Take the linear program over these rows and return whether HiGHS accepts it.

        Parameters
        ----------
        bounds
            The lower and the upper bound of each row, infinite where there is none.
        matrix
            Start, index and value of the rows in compressed form: row ``i`` has the
            coefficients ``value[start[i]:start[i + 1]]`` in the columns
            ``index[start[i]:start[i + 1]]``.
        cost
            What each column costs, which says how many there are.
        most
            The upper bound of all columns; the lower one is 0.
        """

    def columns(self) -> Columns:
        """Return the model as it stands."""

    def name(self, column: int) -> str:
        """Return the name of a column."""

    def set_costs(self, cost: Sequence[float]) -> None:
        """Change the costs of all columns."""

    def bound_row(self, row: int, low: float, high: float) -> None:
        """Change the bounds of a row."""

    def bound_columns(
        self, columns: Iterable[int], low: Iterable[float], high: Iterable[float]
    ) -> None:
        """Change the bounds of distinct columns, which are given ascending."""

    def add_row(self, low: float, high: float, columns: Sequence[int]) -> None:
        """Add a row with the coefficient 1 in these columns."""

    def start(self, values: Sequence[float]) -> None:
        """Let the next run start from a point."""

    def run(self) -> None:
        """Solve the model.

        Raises
        ------
        KeyboardInterrupt
            If somebody has asked the program to end.
        """

    def presolve(self) -> None:
        """Presolve the model; the status tells whether that refutes it."""

    def forget(self) -> None:
        """Forget the last run, but for the model and the options."""

    @property
    def status(self) -> str:
        """What HiGHS says of the model, one of `STATUSES`."""

    @property
    def seconds(self) -> float:
        """The time of all runs together."""

    def info(self, name: str) -> float | None:
        """Return a number about the last run, None if there is none."""

    def values(self) -> Sequence[float]:
        """Return the values of the columns."""

    def duals(self) -> tuple[Sequence[float], Sequence[float]]:
        """Return the reduced costs of the columns and the dual values of the rows."""

    def dual_ray(self) -> Sequence[float] | None:
        """Return the row multipliers that refute an infeasible linear program, if known."""


def new_highs(user: str, **options: Setting) -> HighsModel:
    """Return a silent HiGHS with these options set.

    Parameters
    ----------
    user
        Who needs it, for the message if it is missing: "HiGHS", "the one-tree search".
    options
        HiGHS's options by name; one that this version does not know is passed over.

    Raises
    ------
    SolverMissing
        If highspy is not installed or does not load.
    """
    library = load()
    try:
        highs: HighsModel = _Package() if library is None else _Library(library)
    except ImportError as error:
        raise SolverMissing(f"{user} needs highspy ({error}); pip install highspy") from None
    for option, setting in {"output_flag": False, **options}.items():
        highs.set({option: setting})
    if "threads" in options:
        highs.reset_scheduler()
    return highs


def load() -> ctypes.CDLL | None:
    """Return the library, None where the package has to do."""
    return None if os.environ.get(VARIABLE) == "highspy" else _load()


_DOUBLE, _INT, _POINTER, _TEXT = ctypes.c_double, ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p
_CALLBACK = ctypes.CFUNCTYPE(None, _INT, _TEXT, _POINTER, ctypes.POINTER(_INT), _POINTER)

FUNCTIONS: dict[str, list[Any]] = {
    "destroy": [],
    "setBoolOptionValue": [_TEXT, _INT],
    "setIntOptionValue": [_TEXT, _INT],
    "setDoubleOptionValue": [_TEXT, _DOUBLE],
    "setStringOptionValue": [_TEXT, _TEXT],
    "setCallback": [_CALLBACK, _POINTER],
    "startCallback": [_INT],
    "readModel": [_TEXT],
    "passLp": [_INT] * 5 + [_DOUBLE] + [_POINTER] * 8,
    "getNumCol": [],
    "getNumRow": [],
    "getNumNz": [],
    "getLp": [_INT] + [_POINTER] * 14,
    "getColName": [_INT, _TEXT],
    "changeColsCostByRange": [_INT, _INT, _POINTER],
    "changeRowBounds": [_INT, _DOUBLE, _DOUBLE],
    "changeColsBoundsBySet": [_INT] + [_POINTER] * 3,
    "addRow": [_DOUBLE, _DOUBLE, _INT, _POINTER, _POINTER],
    "setSolution": [_POINTER] * 4,
    "run": [],
    "presolve": [],
    "clearSolver": [],
    "getModelStatus": [],
    "getRunTime": [],
    "getInfoType": [_TEXT, _POINTER],
    "getIntInfoValue": [_TEXT, _POINTER],
    "getInt64InfoValue": [_TEXT, _POINTER],
    "getDoubleInfoValue": [_TEXT, _POINTER],
    "getSolution": [_POINTER] * 4,
    "getDualRay": [_POINTER, _POINTER],
}
"""What the functions of the library take after the HiGHS object; all but the time are numbers."""

_INFOS: dict[int, tuple[str, Any]] = {
    -1: ("getInt64InfoValue", ctypes.c_int64),
    1: ("getIntInfoValue", _INT),
    2: ("getDoubleInfoValue", _DOUBLE),
}
"""How a number is asked for, by the type of the information."""


@functools.cache
def _load() -> ctypes.CDLL | None:
    try:
        package = importlib.util.find_spec("highspy")
    except ValueError:  # a module that is no package stands in its place
        return None
    for folder in (package and package.submodule_search_locations) or ():
        for name in ("libhighs.so.1", "libhighs.1.dylib"):
            path = Path(folder, name)
            if path.exists():
                try:
                    return _checked(ctypes.CDLL(str(path)))
                except (OSError, AttributeError):
                    return None
    return None


def _checked(library: ctypes.CDLL) -> ctypes.CDLL | None:
    """Return a library whose functions are declared, None if it is of another kind."""
    version = library.Highs_versionMajor(), library.Highs_versionMinor()
    if version != VERSION:
        return None
    library.Highs_create.restype = _POINTER
    for name, arguments in FUNCTIONS.items():
        getattr(library, f"Highs_{name}").argtypes = [_POINTER, *arguments]
    library.Highs_destroy.restype = None
    library.Highs_getRunTime.restype = _DOUBLE
    library.Highs_resetGlobalScheduler.argtypes = [_INT]
    library.Highs_resetGlobalScheduler.restype = None
    library.Highs_getSizeofHighsInt.argtypes = [_POINTER]
    probe = library.Highs_create()
    size = library.Highs_getSizeofHighsInt(probe)
    library.Highs_destroy(probe)
    return library if size == ctypes.sizeof(_INT) else None


def _fits(setting: Setting) -> bool:
    """Return whether C can be told this: no text with a NUL or with half a character."""
    return not isinstance(setting, str) or setting.isprintable()


def _packed(code: str, numbers: Iterable[float]) -> array[Any]:
    """Return numbers as the library takes them: ``d`` for double, ``i`` for int."""
    return array(code, numbers.tolist() if hasattr(numbers, "tolist") else numbers)


def _doubles(length: int) -> array[float]:
    return array("d", bytes(8 * length))


class _Ear:
    """What a library's callback does; it keeps an exception until the call is over."""

    def __init__(self, log: Callable[[str], None] | None, stop: Callable[[], bool] | None) -> None:
        self.log, self.stop = log, stop
        self.raised: BaseException | None = None
        self.release: Callable[[], None] = heed

    def hear(self, kind: int, text: bytes, _out: object, answer: Any, _data: object) -> None:
        stop = False
        try:
            self.release()
            if kind == LOGGING and self.log is not None:
                self.log(text.decode("utf-8", "replace").rstrip("\n"))
            elif self.stop is not None:
                stop = kind == MIP_INTERRUPT and self.stop()
        except BaseException as error:
            self.raised = self.raised or error
        if answer:  # which is kept from one call to the next
            answer[0] = stop or self.raised is not None


class _Library:
    """HiGHS through its C interface; see `HighsModel`."""

    def __init__(self, library: ctypes.CDLL) -> None:
        self._library = library
        self._highs: int = library.Highs_create()
        self._ear: _Ear | None = None
        self._callback: Any = None
        self._longest = 512

    def __del__(self) -> None:
        if highs := self.__dict__.get("_highs"):
            self._library.Highs_destroy(highs)

    def _call(self, name: str, *given: Any) -> Any:
        """Call a function of the library; an array stands for where its numbers are."""
        function, ear = getattr(self._library, f"Highs_{name}"), self._ear
        # The arrays live until the call is over, since ``given`` holds them.
        places = [one.buffer_info()[0] if isinstance(one, array) else one for one in given]
        if ear is None:
            return function(self._highs, *places)
        if name in LONG:
            # An exception in a callback would be printed and lost, so signals wait outside.
            with holding() as ear.release:
                answer = function(self._highs, *places)
        else:
            answer = function(self._highs, *places)
        raised, ear.raised = ear.raised, None
        if raised is not None:
            raise raised
        return answer

    def set(self, options: Mapping[str, Setting]) -> bool:
        taken = [
            _fits(name) and _fits(setting) and self._set(name, setting)
            for name, setting in options.items()
        ]
        return all(taken)

    def _set(self, name: str, setting: Setting) -> bool:
        kind = {bool: "Bool", int: "Int", float: "Double", str: "String"}[type(setting)]
        given = setting.encode() if isinstance(setting, str) else setting
        return bool(self._call(f"set{kind}OptionValue", name.encode(), given) != ERROR)

    def reset_scheduler(self) -> None:
        self._library.Highs_resetGlobalScheduler(1)

    def listen(
        self, log: Callable[[str], None] | None, stop: Callable[[], bool] | None = None
    ) -> None:
        ear = _Ear(log, stop)
        self._callback = _CALLBACK(ear.hear)
        self._call("setCallback", self._callback, None)
        self._ear = ear
        self._call("startCallback", MIP_INTERRUPT)
        if log is not None:
            self._call("startCallback", LOGGING)

    def read(self, model: Path) -> bool:
        if self._call("readModel", os.fsencode(model)) == ERROR:
            return False
        # A name is copied to a buffer whose length C is not told.
        self._longest = max(self._longest, _longest_line(model))
        return True

    def pass_rows(
        self,
        bounds: tuple[Iterable[float], Iterable[float]],
        matrix: tuple[Iterable[int], Iterable[int], Iterable[float]],
        *,
        cost: Iterable[float],
        most: float = 1.0,
    ) -> bool:
        costs, (lower, upper) = _packed("d", cost), (_packed("d", side) for side in bounds)
        start, index = (_packed("i", numbers) for numbers in matrix[:2])
        value, columns = _packed("d", matrix[2]), len(costs)
        low, high = _doubles(columns), array("d", [most]) * columns
        status = self._call(
            "passLp", columns, len(lower), len(index), ROWWISE, 1, 0.0,
            costs, low, high, lower, upper, start, index, value,
        )  # fmt: skip
        return bool(status != ERROR)

    def columns(self) -> Columns:
        columns, rows, entries = map(self._call, ("getNumCol", "getNumRow", "getNumNz"))
        cost, lower, upper, value = map(_doubles, (columns, rows, rows, entries))
        start, index = (array("i", bytes(4 * length)) for length in (columns + 1, entries))
        sizes, constant = [array("i", [0]) for _ in range(4)], _doubles(1)
        self._call(
            "getLp", COLUMNWISE, *sizes, constant, cost, None, None, lower, upper,
            start, index, value, None,
        )  # fmt: skip
        start[columns] = entries
        return _columns(cost, (lower, upper), (start, index, value))

    def name(self, column: int) -> str:
        text = ctypes.create_string_buffer(self._longest + 1)
        if self._call("getColName", column, text) == ERROR:
            raise SolverFailed(f"HiGHS does not name column {column}")
        return text.value.decode("utf-8", "surrogateescape")

    def set_costs(self, cost: Sequence[float]) -> None:
        self._call("changeColsCostByRange", 0, len(cost) - 1, _packed("d", cost))

    def bound_row(self, row: int, low: float, high: float) -> None:
        self._call("changeRowBounds", row, low, high)

    def bound_columns(
        self, columns: Iterable[int], low: Iterable[float], high: Iterable[float]
    ) -> None:
        chosen, least, most = _packed("i", columns), _packed("d", low), _packed("d", high)
        self._call("changeColsBoundsBySet", len(chosen), chosen, least, most)

    def add_row(self, low: float, high: float, columns: Sequence[int]) -> None:
        chosen, ones = _packed("i", columns), array("d", [1.0]) * len(columns)
        self._call("addRow", low, high, len(chosen), chosen, ones)

    def start(self, values: Sequence[float]) -> None:
        self._call("setSolution", _packed("d", values), None, None, None)

    def run(self) -> None:
        self._call("run")
        heed()

    def presolve(self) -> None:
        self._call("presolve")
        heed()

    def forget(self) -> None:
        self._call("clearSolver")

    @property
    def status(self) -> str:
        return STATUSES[self._call("getModelStatus")]

    @property
    def seconds(self) -> float:
        return float(self._call("getRunTime"))

    def info(self, name: str) -> float | None:
        kind, text = _INT(), name.encode()
        self._call("getInfoType", text, ctypes.byref(kind))
        function, number = _INFOS[kind.value]
        value = number()
        known = self._call(function, text, ctypes.byref(value)) == 0
        return value.value if known else None

    def values(self) -> Sequence[float]:
        found = _doubles(self._call("getNumCol"))
        self._call("getSolution", found, None, None, None)
        return found

    def duals(self) -> tuple[Sequence[float], Sequence[float]]:
        reduced, prices = map(_doubles, map(self._call, ("getNumCol", "getNumRow")))
        self._call("getSolution", None, reduced, None, prices)
        return reduced, prices

    def dual_ray(self) -> Sequence[float] | None:
        ray, known = _doubles(self._call("getNumRow")), _INT()
        if len(ray):
            self._call("getDualRay", ctypes.byref(known), ray)
        return ray if known else None


class _Package:
    """HiGHS through highspy; see `HighsModel`."""

    def __init__(self) -> None:
        import highspy

        self._package: Any = highspy
        self._highs: Any = highspy.Highs()

    def set(self, options: Mapping[str, Setting]) -> bool:
        error = self._package.HighsStatus.kError
        taken = [
            _fits(name) and _fits(setting) and self._highs.setOptionValue(name, setting) != error
            for name, setting in options.items()
        ]
        return all(taken)

    def reset_scheduler(self) -> None:
        self._highs.resetGlobalScheduler(True)

    def listen(
        self, log: Callable[[str], None] | None, stop: Callable[[], bool] | None = None
    ) -> None:
        if log is not None:
            self._highs.cbLogging.subscribe(lambda event: log(event.message.rstrip("\n")))

        def interrupt(event: Any) -> None:
            event.data_in.user_interrupt = stop is not None and stop()

        self._highs.cbMipInterrupt.subscribe(interrupt)

    def read(self, model: Path) -> bool:
        return bool(self._highs.readModel(str(model)) != self._package.HighsStatus.kError)

    def pass_rows(
        self,
        bounds: tuple[Iterable[float], Iterable[float]],
        matrix: tuple[Iterable[int], Iterable[int], Iterable[float]],
        *,
        cost: Iterable[float],
        most: float = 1.0,
    ) -> bool:
        lp, (start, index, value) = self._package.HighsLp(), matrix
        lp.col_cost_ = _packed("d", cost)
        lp.row_lower_, lp.row_upper_ = (_packed("d", side) for side in bounds)
        lp.num_col_, lp.num_row_ = len(lp.col_cost_), len(lp.row_lower_)
        lp.col_lower_, lp.col_upper_ = _doubles(lp.num_col_), array("d", [most]) * lp.num_col_
        lp.a_matrix_.format_ = self._package.MatrixFormat.kRowwise
        lp.a_matrix_.start_, lp.a_matrix_.index_ = _packed("i", start), _packed("i", index)
        lp.a_matrix_.value_ = _packed("d", value)
        return bool(self._highs.passModel(lp) != self._package.HighsStatus.kError)

    def columns(self) -> Columns:
        lp = self._highs.getLp()
        matrix = lp.a_matrix_
        bounds, entries = (lp.row_lower_, lp.row_upper_), (matrix.start_, matrix.index_)
        return _columns(lp.col_cost_, bounds, (*entries, matrix.value_))

    def name(self, column: int) -> str:
        status, name = self._highs.getColName(column)
        if status == self._package.HighsStatus.kError:
            raise SolverFailed(f"HiGHS does not name column {column}")
        return str(name)

    def set_costs(self, cost: Sequence[float]) -> None:
        columns = array("i", range(len(cost)))
        self._highs.changeColsCost(len(cost), columns, _packed("d", cost))

    def bound_row(self, row: int, low: float, high: float) -> None:
        self._highs.changeRowBounds(row, low, high)

    def bound_columns(
        self, columns: Iterable[int], low: Iterable[float], high: Iterable[float]
    ) -> None:
        chosen = _packed("i", columns)
        self._highs.changeColsBounds(len(chosen), chosen, _packed("d", low), _packed("d", high))

    def add_row(self, low: float, high: float, columns: Sequence[int]) -> None:
        ones = array("d", [1.0]) * len(columns)
        self._highs.addRow(low, high, len(columns), _packed("i", columns), ones)

    def start(self, values: Sequence[float]) -> None:
        solution = self._package.HighsSolution()
        solution.col_value = _packed("d", values)
        self._highs.setSolution(solution)

    def run(self) -> None:
        self._highs.run()
        heed()

    def presolve(self) -> None:
        self._highs.presolve()
        heed()

    def forget(self) -> None:
        self._highs.clearSolver()

    @property
    def status(self) -> str:
        return STATUSES[int(self._highs.getModelStatus())]

    @property
    def seconds(self) -> float:
        return float(self._highs.getRunTime())

    def info(self, name: str) -> float | None:
        status, value = self._highs.getInfoValue(name)
        return value if status == self._package.HighsStatus.kOk else None

    def values(self) -> Sequence[float]:
        return list(self._highs.getSolution().col_value)

    def duals(self) -> tuple[Sequence[float], Sequence[float]]:
        found = self._highs.getSolution()
        return list(found.col_dual), list(found.row_dual)

    def dual_ray(self) -> Sequence[float] | None:
        _, known, ray = self._highs.getDualRay()
        return list(ray) if known else None


def _columns(
    cost: Iterable[float],
    bounds: tuple[Iterable[float], Iterable[float]],
    matrix: tuple[Iterable[int], Iterable[int], Iterable[float]],
) -> Columns:
    start, index, value = matrix
    rows, (lower, upper) = list(index), map(list, bounds)
    parts = [rows[first:last] for first, last in pairwise(start)]
    return Columns(list(cost), lower, upper, parts, list(value))


def _longest_line(model: Path) -> int:
    """Return a length that no line of a model file exceeds."""
    if model.suffix != ".gz":
        return model.stat().st_size
    import gzip

    with gzip.open(model) as file:
        return max(map(len, file), default=0)
