"""Calendar puzzles as mixed-integer programs.

>>> import calmip
>>> instance = calmip.read_instance("a-puzzle-a-day", reveal="Feb,29")
>>> calmip.solve(instance).status
'feasible'
"""

import re
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from calmip.mip.display import Notebook, Reports, renderers

_STUB = Path(__file__).with_suffix(".pyi").read_text(encoding="utf-8")

# The module of each public name. It is imported on first use, so `calmip --help` does not
# wait for numpy.
_HOMES = {
    name: home
    for home, names in re.findall(r"^from (\S+) import ([^(\n]+|\([^)]*\))", _STUB, re.MULTILINE)
    for name in re.findall(r"(\w+) as ", names)
}

__all__ = sorted(_HOMES)  # noqa: PLE0605 - each name stands once, in the stub


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'calmip' has no attribute '{name}'")
    if home == "calmip":
        import calmip.models

        return calmip.models
    value = globals()[name] = getattr(import_module(home), name)
    return value


def __dir__() -> list[str]:
    return __all__


class _Package(ModuleType):
    """Keep public names: an import of the folder `year` shall not hide the function `year`."""

    def __setattr__(self, name: str, value: Any) -> None:
        if not isinstance(value, ModuleType) or _HOMES.get(name, "calmip") == "calmip":
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package


def _notebook() -> Notebook:
    from calmip.puzzle.render import notebook

    return notebook


def _reports() -> Reports:
    from calmip.puzzle.render import reports

    return reports


renderers.notebook, renderers.reports = _notebook, _reports
