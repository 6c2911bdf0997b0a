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

from calmip.problem.display import Notebook, Reports, renderers

_STUB = Path(__file__).with_suffix(".pyi").read_text(encoding="utf-8")

# The module of each public name. It is imported on first use, so `calmip --help` does not
# wait for numpy.
_HOMES = {
    name: home
    for home, names in re.findall(r"^from (\S+) import ([^(\n]+|\([^)]*\))", _STUB, re.MULTILINE)
    for name in re.findall(r"(\w+) as ", names)
}

# The present places of deprecated names. Release 0.4 removes them here.
_MOVED = {
    "BinaryModel": "calmip.Model",
    "Calendar": "calmip.tasks.calendar.Calendar",
    "Counts": "calmip.tasks.count.Counts",
    "Explanation": "calmip.tasks.explain.Explanation",
    "Hint": "calmip.tasks.hint.Hint",
    "Relaxation": "calmip.tasks.relax.Relaxation",
    "Tree": "calmip.tasks.tree.Tree",
    "Verdict": "calmip.tasks.check.Verdict",
    "Year": "calmip.tasks.year.Year",
}

__all__ = sorted(_HOMES)  # noqa: PLE0605 - each name stands once, in the stub


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if name in _MOVED:
        import warnings

        note = f"calmip.{name} goes in calmip 0.4; use {_MOVED[name]}"
        warnings.warn(note, DeprecationWarning, stacklevel=2)
        home, _, name = _MOVED[name].rpartition(".")
        home = _HOMES.get(name, home)
    if home is None:
        raise AttributeError(f"module 'calmip' has no attribute '{name}'")
    if home == "calmip":
        import calmip.models

        return calmip.models
    value = getattr(import_module(home), name)
    if name in _HOMES:
        globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__


def _notebook() -> Notebook:
    from calmip.render import notebook

    return notebook


def _reports() -> Reports:
    from calmip.render import reports

    return reports


renderers.notebook, renderers.reports = _notebook, _reports
