"""The protocol by which any object gives its model as arrays, and takes an answer.

An object with a method ``__mip_arrays__`` is a model wherever calmip takes one. `read_arrays` is
the same without a class. Numbers may be floats, whole numbers, fractions and decimals; a float is
the shortest decimal with its value.
"""

from __future__ import annotations

import math
import numbers
from abc import abstractmethod
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence, Set
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Protocol, Required, TypedDict, Unpack, cast

from calmip._base.errors import InputError, clip, join_words
from calmip.mip.display import quote
from calmip.mip.files.native import Draft, Native, added, exact_number
from calmip.mip.rows import Number

if TYPE_CHECKING:
    from calmip.mip.model import Model

VERSION = 1
"""The version of the protocol: that of the keys of `ModelArrays`."""

METHOD = "__mip_arrays__"


class ModelArrays(TypedDict, total=False):
    """The model ``row_lower <= A x <= row_upper`` with ``lower <= x <= upper``, by its arrays.

    Attributes
    ----------
    c
        The objective, one number per variable.
    A
        The matrix: an object with ``tocsr``, as SciPy's sparse ones, or its rows. A row has a
        number for each variable, or is a mapping of the variables' numbers to coefficients.
    row_lower, row_upper
        The bounds of every row; one number is that of all rows. By default they are infinite.
    lower, upper
        The bounds of every variable; one number is that of all. By default 0 and infinite.
    integrality
        1 of an integer variable, 0 of a continuous one; one number is that of all. By default 0.
    offset
        The constant of the objective, by default 0.
    maximise
        Whether the objective is maximised. By default it is minimised.
    names, row_names
        The names of the variables and of the rows. A name that is empty or a duplicate gets a
        number.
    variables
        The caller's own objects, one per variable, by which values are looked up. By default
        the numbers of the variables, from 0.
    name
        The name of the model.
    version
        The version of these keys: 1.
    """

    c: Required[Sequence[Any]]
    A: Any
    row_lower: Any
    row_upper: Any
    lower: Any
    upper: Any
    integrality: Any
    offset: Any
    maximise: bool
    names: Sequence[str]
    row_names: Sequence[str]
    variables: Sequence[Any]
    name: str
    version: int


class SupportsArrays(Protocol):
    """An object that gives its model as arrays.

    If it has a method ``__mip_values__(values)`` too, that takes an answer: a list with an `int`
    or a `fractions.Fraction` for each variable.
    """

    def __mip_arrays__(self) -> ModelArrays:
        """Return the model as it is now."""


def read_arrays(**arrays: Unpack[ModelArrays]) -> Model:
    """Return the model that arrays hold.

    Parameters
    ----------
    **arrays
        The keys of `ModelArrays`; ``c`` is needed.

    Raises
    ------
    InputError
        If a key is unknown, sizes differ, or an entry is no number. The message names the place.

    Examples
    --------
    >>> from calmip.mip import PoolSearch, read_arrays
    >>> model = read_arrays(c=[3, 4], A=[[2, 1]], row_upper=2, upper=1, integrality=1)
    >>> [solution.point for solution in PoolSearch(model)]
    [(), (1,), (0,)]
    """
    return PlainArrays(arrays).model()


def dense(terms: Iterable[tuple[int, Any]], width: int) -> list[Any]:
    """Return a number for each column, the exact sum where one is repeated."""
    found = added(terms)
    return [found.get(column, 0) for column in range(width)]


def sparse_rows(matrix: Any) -> Iterator[list[tuple[int, Any]]]:
    """Yield the terms of every row of a sparse matrix."""
    sparse = matrix.tocsr()
    index, value = sparse.indices.tolist(), sparse.data.tolist()
    for first, last in pairwise(sparse.indptr.tolist()):
        yield list(zip(index[first:last], value[first:last], strict=True))


class Layer(Native):
    """An object of a modelling language whose reader gives arrays."""

    @abstractmethod
    def arrays(self) -> ModelArrays:
        """Return the model of the object as it is now.

        Raises
        ------
        InputError
            If it has a part that is no part of a linear model.
        """

    def read(self, draft: Draft) -> None:
        """Add the variables, the rows and the objective to a draft."""
        _Given(draft, self.arrays()).fill()
        self.add_constructs(draft)

    def add_constructs(self, draft: Draft) -> None:
        """Add what is no part of the arrays: indicator constraints and the like."""

    def refuse(self, what: str) -> InputError:
        """Return the error that the object has a part that is no part of a linear model."""
        return Draft(self.title).refuse(what)

    def key(self, variable: Any) -> Hashable:
        """Return a name or a number itself, and the identity of any other object."""
        if isinstance(variable, numbers.Integral):
            return int(variable)
        return variable if isinstance(variable, (str, tuple)) else id(variable)

    def current(self) -> Sequence[float | None]:
        """Return the values that the variables have now; by default there are none."""
        return []


class ArraysObject(Layer):
    """An object of any class that has the method ``__mip_arrays__``."""

    package, base, title = "", "", f"an object with {METHOD}"

    def __init__(self, problem: Any) -> None:
        super().__init__(problem)
        kind = type(problem)
        self.title = f"{kind.__module__}.{kind.__qualname__}"  # type: ignore[misc]

    def arrays(self) -> ModelArrays:
        """Return what the method returns."""
        found = self.problem.__mip_arrays__()
        if not isinstance(found, Mapping):
            raise self.refuse(f"{METHOD} returns a {type(found).__name__}, not a mapping")
        return cast(ModelArrays, found)

    def model(self) -> Model:
        """Return the model of the object as it is now; its variables are distinct."""
        found = super().model()
        for index, variable in enumerate(self.variables):
            last = self.place(variable)
            if last != index:
                raise InputError(f"{self.title}: variables[{last}] is that of variables[{index}]")
        return found

    def assign(self, values: Sequence[Number]) -> None:
        """Call the method ``__mip_values__``."""
        take = getattr(self.problem, "__mip_values__", None)
        if take is None:
            raise InputError(
                f"{self.title} takes no values: it has no method __mip_values__; read them from "
                "the solution"
            )
        take(list(values))


class PlainArrays(ArraysObject):
    """The arrays that are given to `read_arrays`."""

    def __init__(self, problem: ModelArrays, title: str = "read_arrays") -> None:
        super().__init__(problem)
        self.title = title  # type: ignore[misc]

    def arrays(self) -> ModelArrays:
        """Return the arrays."""
        found: ModelArrays = self.problem
        return found


class _Given:
    """The arrays of a model, checked part by part; what is unknown or does not fit is refused."""

    def __init__(self, draft: Draft, arrays: Mapping[str, Any]) -> None:
        self.draft = draft
        self.keys = tuple(arrays)
        self.arrays = {key: value for key, value in arrays.items() if value is not None}

    def fill(self) -> None:
        """Add the model to the draft."""
        self.check_keys()
        draft, arrays = self.draft, self.arrays
        cost = list(self.numbers(arrays["c"], "c"))
        width, what = len(cost), "numbers in c"
        variables = self.listed(arrays.get("variables", range(width)), "variables")
        if len(variables) != width:
            raise self.wrong_size("variables", len(variables), width, what)
        names = self.entries("names", [""] * width, width, what)
        columns = [
            self.entries(key, usual, width, what)
            for key, usual in (("lower", 0), ("upper", math.inf), ("integrality", 0))
        ]
        for index, (name, low, high, kind) in enumerate(zip(names, *columns, strict=True)):
            if kind not in (0, 1):
                where = quote(name or f"c{index}")
                raise draft.refuse(f"variable {where} has the integrality {kind}; 0 and 1 are read")
            draft.column(variables[index], name, low, high, integer=bool(kind))
        self.add_rows(width)
        draft.name = str(arrays.get("name", ""))
        draft.maximise = self.flag("maximise")
        draft.objective(enumerate(cost), self.number(arrays.get("offset", 0), "offset"))

    def check_keys(self) -> None:
        """Refuse an unknown key, another version, and a model without an objective."""
        known = ModelArrays.__annotations__
        unknown = [clip(key) for key in self.keys if key not in known]
        if unknown:
            raise self.fault(f"unknown key {join_words(unknown)}; the keys are {join_words(known)}")
        version = self.arrays.get("version", VERSION)
        if not isinstance(version, numbers.Integral) or int(version) != VERSION:
            raise self.fault(
                f"the arrays are of version {clip(repr(version))}; this calmip reads {VERSION}"
            )
        if "c" not in self.arrays:
            raise self.fault("the key c is missing, the objective: one number per variable")

    def add_rows(self, width: int) -> None:
        """Add the rows of the matrix."""
        rows = list(self.rows(width))
        if rows and not {"row_lower", "row_upper"} & self.arrays.keys():
            raise self.fault("A has rows, and both row_lower and row_upper are missing")
        size, what = len(rows), "rows in A"
        names = self.entries("row_names", [""] * size, size, what)
        lower = self.entries("row_lower", -math.inf, size, what)
        upper = self.entries("row_upper", math.inf, size, what)
        for row in zip(names, rows, lower, upper, strict=True):
            self.draft.row(*row)

    def entries(self, key: str, usual: Any, size: int, what: str) -> list[Any]:
        """Return an array as a list of this size; one number stands for all."""
        given = self.arrays.get(key, usual)
        if isinstance(given, numbers.Number) or getattr(given, "shape", None) == ():
            given = [given] * size
        listed = self.names if key.endswith("names") else self.numbers
        found: list[Any] = list(listed(given, key))
        if len(found) != size:
            raise self.wrong_size(key, len(found), size, what)
        return found

    def fault(self, what: str) -> InputError:
        """Return the error that a part is unknown or does not fit."""
        return InputError(f"{self.draft.title}: {what}")

    def wrong_size(self, key: str, found: int, size: int, what: str) -> InputError:
        """Return the error that a part has another size than the objective or the matrix."""
        return self.fault(f"{key} has {found} entries, and there are {size} {what}")

    def listed(self, given: Any, key: str) -> list[Any]:
        """Return the entries of a list, a tuple, or an array of numpy or pandas, in their order."""
        found = given.tolist() if hasattr(given, "tolist") else given
        if isinstance(found, (str, bytes, Mapping, Set)) or not isinstance(found, Iterable):
            raise self.fault(f"{key} is a {type(given).__name__}, not a sequence")
        return list(found)

    def names(self, given: Any, key: str) -> Iterator[str]:
        """Yield the names of a part."""
        for index, name in enumerate(self.listed(given, key)):
            if not isinstance(name, str):
                raise self.fault(f"{key}[{index}] is a {type(name).__name__}, not a text")
            yield name

    def numbers(self, given: Any, key: str) -> Iterator[Any]:
        """Yield the numbers of a part."""
        for index, number in enumerate(self.listed(given, key)):
            yield self.number(number, f"{key}[{index}]")

    def number(self, number: Any, where: str) -> Any:
        """Return a number as it is, but a float of another package as one of Python."""
        if type(number) in (float, int):
            return number
        try:
            if isinstance(number, (str, bytes)):
                raise TypeError
            return exact_number(number)
        except (TypeError, ValueError):
            raise self.fault(f"{where} is {clip(number)}, not a number") from None

    def flag(self, key: str) -> bool:
        """Return whether a key is set; what is neither true nor false is refused."""
        number = self.number(self.arrays.get(key, False), key)
        if number not in (0, 1):
            raise self.fault(f"{key} is {clip(number)}; it is True or False")
        return bool(number)

    def rows(self, width: int) -> Iterator[list[tuple[int, Any]]]:
        """Yield the terms of every row of the matrix."""
        matrix = self.arrays.get("A", ())
        shape = getattr(matrix, "shape", None)
        if shape is not None and (len(shape) != 2 or shape[1] != width):
            raise self.fault(f"A has the shape {tuple(shape)}, and there are {width} numbers in c")
        if hasattr(matrix, "tocsr"):
            for index, terms in enumerate(sparse_rows(matrix)):
                yield [(c, self.number(x, f"A[{index}][{c}]")) for c, x in terms]
            return
        for index, row in enumerate(self.listed(matrix, "A")):
            yield self.row(row, f"A[{index}]", width)

    def row(self, row: Any, where: str, width: int) -> list[tuple[int, Any]]:
        """Return the terms of a row that is a mapping, or has a number for each variable."""
        if not isinstance(row, Mapping):
            found = list(self.numbers(row, where))
            if len(found) != width:
                raise self.wrong_size(where, len(found), width, "numbers in c")
            return list(enumerate(found))
        for column in row:
            if not isinstance(column, numbers.Integral) or not 0 <= int(column) < width:
                raise self.fault(f"{where} has the key {clip(column)}, not that of a variable")
        return [(int(c), self.number(x, f"{where}[{c}]")) for c, x in row.items()]
