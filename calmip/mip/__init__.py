"""The engine for any mixed-integer model: exact numbers, files, solution pools, conflicts.

It knows no puzzle. Its names are imported when they are first used:

>>> import calmip.mip
>>> model = calmip.mip.read_model("production.mps")  # doctest: +SKIP
>>> [solution.objective for solution in calmip.mip.PoolSearch(model)]  # doctest: +SKIP
"""

from importlib import import_module
from typing import Any

# The module of each name, as in the stub beside this file, which type checkers read.
_PLACES = {
    "calmip.mip.files.arrays": "ModelArrays SupportsArrays read_arrays",
    "calmip.mip.files.layers.scipy_milp": "read_milp",
    "calmip.mip.files.model_files": "read_model write_model",
    "calmip.mip.iis.least_change": "Repair find_repairs",
    "calmip.mip.iis.nearest": "Nearest find_nearest",
    "calmip.mip.iis.subsystem": "Subsystem Subsystems",
    "calmip.mip.model": "Model",
    "calmip.mip.optima.distance": "Diversity",
    "calmip.mip.optima.diversity": "DiverseSolutions find_diverse",
    "calmip.mip.optima.face": "OptimalFace find_face",
    "calmip.mip.optima.ranges": "Range Ranges find_ranges",
    "calmip.mip.optima.relations": "Relations find_relations",
    "calmip.mip.optima.sensitivity": (
        "ColumnSensitivity RowSensitivity Sensitivity find_sensitivity"
    ),
    "calmip.mip.pool": "Goal PoolSearch PoolSolution",
    "calmip.mip.status": "Status",
}

_HOMES = {name: place for place, names in _PLACES.items() for name in names.split()}

__all__ = sorted(_HOMES)  # noqa: PLE0605 - each name stands once


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'calmip.mip' has no attribute '{name}'")
    value = globals()[name] = getattr(import_module(_HOMES[name]), name)
    return value


def __dir__() -> list[str]:
    return __all__
