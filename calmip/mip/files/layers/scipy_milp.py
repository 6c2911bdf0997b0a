"""The arguments of scipy.optimize.milp as a model: no object holds them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sized
from typing import TYPE_CHECKING, Any

from calmip._base.errors import InputError
from calmip.mip.files.arrays import ModelArrays, PlainArrays, sparse_rows
from calmip.mip.files.native import added

if TYPE_CHECKING:
    from calmip.mip.model import Model


def read_milp(
    c: Any, *, integrality: Any = None, bounds: Any = None, constraints: Any = None
) -> Model:
    """Return the model that `scipy.optimize.milp` would minimise with these arguments.

    SciPy is not needed. Values are found by the numbers of the variables: ``solution[0]``.

    Parameters
    ----------
    c
        The objective, one number per variable.
    integrality
        1 of an integer variable, 0 of a continuous one; one number is that of all.
    bounds
        An object with ``lb`` and ``ub``, as SciPy's ``Bounds``. By default 0 and infinite.
    constraints
        An object with ``A``, ``lb`` and ``ub``, as SciPy's ``LinearConstraint``, or several.

    Raises
    ------
    InputError
        If sizes differ, an entry is no number, or a variable is semi-continuous.
    """
    arrays: ModelArrays = {"c": c, "integrality": integrality, "name": "milp"}
    if bounds is not None:
        # SciPy, too, repeats a single bound.
        ends = map(_listed, _parts(bounds, "bounds", "lb", "ub"))
        arrays["lower"], arrays["upper"] = (end[0] if len(end) == 1 else end for end in ends)
    several = () if constraints is None else constraints
    if hasattr(several, "A") or not isinstance(several, Iterable):
        several = [several]
    rows: list[Any] = []
    sides: tuple[list[Any], list[Any]] = ([], [])
    for number, one in enumerate(several):
        where = f"constraints[{number}]"
        matrix, *given = _parts(one, where, "A", "lb", "ub")
        if hasattr(matrix, "tocsr") and isinstance(c, Sized) and matrix.shape[-1] != len(c):
            raise InputError(
                f"read_milp: {where} has a matrix of the shape {matrix.shape}, and there are "
                f"{len(c)} numbers in c"
            )
        found = list(_rows(matrix))
        rows += found
        for side, end in zip(sides, map(_listed, given), strict=True):
            if len(end) not in (1, len(found)):
                raise InputError(f"read_milp: {where} has {len(found)} rows, {len(end)} bounds")
            side.extend(end * len(found) if len(end) == 1 else end)
    arrays["A"], arrays["row_lower"], arrays["row_upper"] = rows, *sides
    return PlainArrays(arrays, "read_milp").model()


def _parts(given: Any, where: str, *names: str) -> list[Any]:
    """Return the attributes of an object of SciPy."""
    missing = [name for name in names if not hasattr(given, name)]
    if missing:
        kind = type(given).__name__
        raise InputError(f"read_milp: {where} is of the type {kind}, which has no {missing[0]}")
    return [getattr(given, name) for name in names]


def _listed(given: Any) -> list[Any]:
    """Return the entries of an array, or one number as a list."""
    found = given.tolist() if hasattr(given, "tolist") else given
    return list(found) if isinstance(found, Iterable) else [found]


def _rows(matrix: Any) -> Iterator[Any]:
    """Yield the rows of a matrix; a vector is one row."""
    if hasattr(matrix, "tocsr"):
        yield from map(added, sparse_rows(matrix))
        return
    found = _listed(matrix)
    several = len(getattr(matrix, "shape", ())) == 2 or any(isinstance(x, Iterable) for x in found)
    yield from found if several else [found]
