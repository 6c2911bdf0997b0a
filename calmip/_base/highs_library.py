"""The C library of HiGHS: where it may be, and the types of its functions.

The wheels of highspy have it for Linux and macOS up to version 1.15, those of highsbox for every
system, and conda's package highs. ctypes loads it in a few milliseconds, without numpy.
"""

from __future__ import annotations

import ctypes
import importlib.util
import os
import sys
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

VARIABLE = "CALMIP_HIGHS"
"""The environment variable with the path of a library, or with `PACKAGE`."""

PACKAGE = "highspy"
"""The Python package, which works without a library."""

DOUBLE, INT, POINTER, _TEXT = ctypes.c_double, ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p
"""Types in C; HiGHS's own integers must be such, too."""

CALLBACK = ctypes.CFUNCTYPE(None, INT, _TEXT, POINTER, ctypes.POINTER(INT), POINTER)
"""The type of the function that HiGHS calls."""

FUNCTIONS: dict[str, list[Any]] = {
    "destroy": [],
    "getSizeofHighsInt": [],
    "setBoolOptionValue": [_TEXT, INT],
    "setIntOptionValue": [_TEXT, INT],
    "setDoubleOptionValue": [_TEXT, DOUBLE],
    "setStringOptionValue": [_TEXT, _TEXT],
    "setCallback": [CALLBACK, POINTER],
    "startCallback": [INT],
    "readModel": [_TEXT],
    "passLp": [INT] * 5 + [DOUBLE] + [POINTER] * 8,
    "getNumCol": [],
    "getNumRow": [],
    "getNumNz": [],
    "getLp": [INT] + [POINTER] * 14,
    "getColName": [INT, _TEXT],
    "changeColsCostBySet": [INT, POINTER, POINTER],
    "changeRowsBoundsBySet": [INT] + [POINTER] * 3,
    "changeColsBoundsBySet": [INT] + [POINTER] * 3,
    "changeColsIntegralityBySet": [INT, POINTER, POINTER],
    "addRow": [DOUBLE, DOUBLE, INT, POINTER, POINTER],
    "setSolution": [POINTER] * 4,
    "run": [],
    "presolve": [],
    "clearSolver": [],
    "getModelStatus": [],
    "getRunTime": [],
    "getInfoType": [_TEXT, POINTER],
    "getIntInfoValue": [_TEXT, POINTER],
    "getInt64InfoValue": [_TEXT, POINTER],
    "getDoubleInfoValue": [_TEXT, POINTER],
    "getSolution": [POINTER] * 4,
    "getDualRay": [POINTER, POINTER],
    "getBasis": [POINTER, POINTER],
}
"""The types of the arguments of the library's functions, after the HiGHS object."""

_NAMES = {
    "win32": ("highs.dll", "libhighs.dll"),
    "darwin": ("libhighs.1.dylib", "libhighs.dylib"),
}
"""The names of the library's file on each system; `_OTHERS` elsewhere."""

_OTHERS = ("libhighs.so.1", "libhighs.so")


class HighsLibrary(NamedTuple):
    """A library that is loaded."""

    path: str
    functions: ctypes.CDLL

    @property
    def version(self) -> str:
        """The version of HiGHS."""
        return str(self.functions.Highs_version().decode("ascii", "replace"))


def chosen_path(chosen: str) -> str | None:
    """Return the path that a value of the environment variable names, or None."""
    return os.path.abspath(chosen) if chosen and chosen != PACKAGE else None


def places(chosen: str) -> Iterator[str]:
    """Yield the files that may be the library, the one to prefer first.

    Parameters
    ----------
    chosen
        The value of the environment variable.
    """
    path = chosen_path(chosen)
    if path is not None and os.path.isfile(path):
        yield path
    names = _NAMES.get(sys.platform, _OTHERS)
    for folder in _folders():
        found = (os.path.join(folder, name) for name in names)
        yield from filter(os.path.isfile, found)


def _folders() -> Iterator[str]:
    yield from _folders_of(PACKAGE)
    for folder in _folders_of("highsbox"):
        yield os.path.join(folder, "highs_dist", "bin" if sys.platform == "win32" else "lib")
    # Where conda's package highs has it.
    yield os.path.join(sys.prefix, *(("Library", "bin") if sys.platform == "win32" else ("lib",)))


def _folders_of(package: str) -> Iterable[str]:
    """Return the folders of a package, which is not imported."""
    try:
        found = importlib.util.find_spec(package)
    except ValueError:  # a module of this name that is not a package
        return ()
    return (found and found.submodule_search_locations) or ()


def declare(path: str) -> HighsLibrary:
    """Load a library and declare its functions.

    Raises
    ------
    OSError
        If the file is no library.
    AttributeError
        If it lacks a function.
    """
    # With its own names first: another copy of HiGHS in this process may have made its global.
    library = ctypes.CDLL(path, getattr(os, "RTLD_DEEPBIND", 0) | ctypes.DEFAULT_MODE)
    library.Highs_create.restype = POINTER
    library.Highs_version.restype = _TEXT
    for name, arguments in FUNCTIONS.items():
        getattr(library, f"Highs_{name}").argtypes = [POINTER, *arguments]
    library.Highs_destroy.restype = None
    library.Highs_getRunTime.restype = DOUBLE
    library.Highs_resetGlobalScheduler.argtypes = [INT]
    library.Highs_resetGlobalScheduler.restype = None
    return HighsLibrary(path, library)
