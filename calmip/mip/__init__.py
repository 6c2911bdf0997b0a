"""The engine for any mixed-integer model: exact numbers, files, solution pools, conflicts.

It knows no puzzle. Its names are imported when they are first used:

>>> import calmip.mip
>>> model = calmip.mip.read_model("production.mps")  # doctest: +SKIP
>>> [solution.objective for solution in calmip.mip.PoolSearch(model)]  # doctest: +SKIP
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from calmip.mip.files.model_files import read_model, write_model
    from calmip.mip.iis.least_change import Repair, find_repairs
    from calmip.mip.iis.subsystem import Subsystem, Subsystems
    from calmip.mip.model import Model
    from calmip.mip.pool import Goal, PoolSearch, PoolSolution
    from calmip.mip.status import Status

HOMES = {
    "Goal": "pool",
    "Model": "model",
    "PoolSearch": "pool",
    "PoolSolution": "pool",
    "Repair": "iis.least_change",
    "Status": "status",
    "Subsystem": "iis.subsystem",
    "Subsystems": "iis.subsystem",
    "find_repairs": "iis.least_change",
    "read_model": "files.model_files",
    "write_model": "files.model_files",
}
"""The module below this one that has each name."""

__all__ = [
    "Goal",
    "Model",
    "PoolSearch",
    "PoolSolution",
    "Repair",
    "Status",
    "Subsystem",
    "Subsystems",
    "find_repairs",
    "read_model",
    "write_model",
]


def __getattr__(name: str) -> Any:
    if name not in HOMES:
        raise AttributeError(f"module 'calmip.mip' has no attribute '{name}'")
    value = globals()[name] = getattr(import_module(f"calmip.mip.{HOMES[name]}"), name)
    return value


def __dir__() -> list[str]:
    return __all__
