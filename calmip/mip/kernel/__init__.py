"""The compiled loops: one small library for each platform, built from the C files here.

``built/`` holds the libraries, made by ``.ci/kernel_build.py``; nothing is compiled
when calmip is run. Installing it compiles nothing either, unless the environment variable
``CALMIP_BUILD_KERNEL`` is 1: then the C compiler of the machine makes its one library. Calls
through ctypes release the lock of Python, so threads run
in parallel. If no library fits, or if the environment variable ``CALMIP_KERNEL`` is ``off``,
every search runs in plain Python.
"""

from __future__ import annotations

import ctypes
import functools
import json
import os
import sys
import zlib
from array import array
from typing import TYPE_CHECKING, Any

from calmip._base.signals import check_interrupt

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["DONE", "FULL", "GROW", "MORE", "VARIABLE", "address", "library", "library_name"]

VARIABLE = "CALMIP_KERNEL"
"""The environment variable that turns the compiled loops off."""

VERSION = 1
"""`KERNEL_VERSION` in kernel.h."""

MORE, DONE, FULL, GROW = range(4)
"""Why a loop came back, as in kernel.h."""

BUILT = os.path.join(os.path.dirname(__file__), "built")

SYSTEMS = {"linux": "linux-{}.so", "darwin": "macos-{}.dylib", "win32": "windows-{}.dll"}
"""The names of the libraries of each system, by machine."""


def library_name() -> str:
    """Return the name of the library for this Python, whether there is one or not."""
    if sys.platform == "win32":
        import sysconfig

        # Python may be of another machine than Windows, which runs both.
        machine = sysconfig.get_platform().removeprefix("win-")
    else:
        machine = os.uname().machine.lower()
    pattern = SYSTEMS.get(sys.platform, f"{sys.platform}-{{}}.so")
    return pattern.format("x86_64" if machine == "amd64" else machine or "unknown")


_NUMBER, _POINTER = ctypes.c_int64, ctypes.c_void_p
_LOOP = [_POINTER, _POINTER, _POINTER, _NUMBER]
_PLACE = [_POINTER, _POINTER, _POINTER, _NUMBER, _POINTER, _POINTER, _POINTER]
FUNCTIONS: dict[str, list[Any]] = {
    "calmip_version": [],
    "calmip_search": [_NUMBER, _POINTER],
    "calmip_count": [_NUMBER, _NUMBER, _POINTER],
    "calmip_count_move": [_NUMBER, _NUMBER, _POINTER, _NUMBER, _POINTER, _NUMBER],
    "calmip_pool": [_POINTER, _NUMBER],
    "calmip_pool_nodes": [_POINTER, _POINTER, _POINTER, _POINTER, _NUMBER],
    "calmip_pool_judge": [_POINTER, _POINTER, _NUMBER],
    "calmip_regions_grow_16": _LOOP,
    "calmip_regions_grow_32": _LOOP,
    "calmip_regions_trace_16": _LOOP,
    "calmip_regions_trace_32": _LOOP,
    "calmip_regions_enter_16": [_POINTER],
    "calmip_regions_enter_32": [_POINTER],
    "calmip_regions_place_16": _PLACE,
    "calmip_regions_place_32": _PLACE,
    "calmip_regions_tally": [_POINTER, _NUMBER, _POINTER],
    "calmip_paths_all": [_POINTER, _POINTER, _NUMBER, _NUMBER, _POINTER],
    "calmip_paths_lists": [_POINTER],
    "calmip_paths_join": [_POINTER, _POINTER, _NUMBER, _NUMBER],
    "calmip_mps": [_POINTER, _NUMBER],
    "calmip_lp": [_POINTER, _NUMBER],
    "calmip_names": [_POINTER, _POINTER],
    "calmip_by_row": [_POINTER],
    "calmip_by_row_copy": [_POINTER, _POINTER, _POINTER, _POINTER],
}
"""The types of the arguments of the functions, which all return a number."""


def address(numbers: array[Any] | memoryview | npt.NDArray[Any]) -> int:
    """Return the address of the numbers of an array."""
    if isinstance(numbers, array):
        return numbers.buffer_info()[0]
    if isinstance(numbers, memoryview):
        return ctypes.addressof(ctypes.c_byte.from_buffer(numbers)) if numbers.nbytes else 0
    assert numbers.flags.c_contiguous
    return numbers.ctypes.data


@functools.cache
def library() -> ctypes.CDLL | None:
    """Return the compiled loops of this platform, or None to use plain Python.

    The reason is given once, as a warning of the logger ``calmip``.
    """
    if os.environ.get(VARIABLE) == "off":
        return None
    try:
        return _load()
    except (OSError, AttributeError, ValueError, KeyError) as fault:
        import logging  # takes some milliseconds, and is seldom needed

        logging.getLogger("calmip").warning(
            "calmip: the compiled search cannot be used (%s); plain Python takes its place, "
            "about a hundred times slower",
            fault,
        )
        return None


def _load() -> ctypes.CDLL:
    name = library_name()
    with open(os.path.join(BUILT, "manifest.json"), encoding="utf-8") as manifest:
        known = json.load(manifest)["libraries"]
    if name not in known or sys.maxsize < 2**32:
        raise ValueError(f"there is no {name}")
    path = os.path.join(BUILT, name)
    # A truncated library would end the process instead of failing to load.
    with open(path, "rb") as file:
        data = file.read()
    if zlib.crc32(data) != known[name]["crc32"]:
        raise ValueError(f"{path} is damaged; install calmip again")
    found = ctypes.CDLL(path)
    check_interrupt()
    for function, arguments in FUNCTIONS.items():
        getattr(found, function).argtypes = arguments
        getattr(found, function).restype = _NUMBER
    if found.calmip_version() != VERSION:
        raise ValueError(f"{path} belongs to another version of calmip; install calmip again")
    return found
