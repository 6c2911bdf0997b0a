"""Calendar puzzles as mixed-integer programs.

>>> import calmip
>>> instance = calmip.read_instance("a-puzzle-a-day", reveal="Feb,29")
>>> calmip.solve(instance).status
'feasible'
"""

import re
from importlib import import_module
from pathlib import Path
from typing import Any

_STUB = Path(__file__).with_suffix(".pyi").read_text(encoding="utf-8")

# Where each public name lives. It is imported on first use, so that `calmip --help` does
# not wait for numpy.
_HOMES = {
    name: home
    for home, names in re.findall(r"^from (\S+) import ([^(\n]+|\([^)]*\))", _STUB, re.MULTILINE)
    for name in re.findall(r"(\w+) as ", names)
}

# Results that are found in the module of their task alone; here they go in release 0.4.
_MOVED = {
    "Counts": "count",
    "Explanation": "explain",
    "Hint": "hint",
    "Relaxation": "relax",
    "Tree": "tree",
    "Verdict": "check",
    "Year": "year",
}

__all__ = sorted(_HOMES)  # noqa: PLE0605 - each name stands once, in the stub


def __getattr__(name: str) -> Any:
    if name in _MOVED:
        import warnings

        home = f"calmip.tasks.{_MOVED[name]}"
        warnings.warn(
            f"calmip.{name} goes in calmip 0.4; use {home}.{name}", DeprecationWarning, stacklevel=2
        )
        return getattr(import_module(home), name)
    if name not in _HOMES:
        raise AttributeError(f"module 'calmip' has no attribute '{name}'")
    if name in ("models", "solvers"):  # rooms; the second can be called like its command
        return import_module(f"calmip.{name}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
