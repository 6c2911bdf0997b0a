"""The protocol of arrays: what an object gives, what is refused, and answers that go back."""

from __future__ import annotations

import math
import pickle
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from handmade import Farm
from layer_models import INF, Drawn, check_twenty, read
from requirements import need_package

import calmip
import calmip.mip
from calmip import InputError
from calmip.mip.files.objects import PointValues


def farm() -> Farm:
    made = Farm()
    wheat, beet = made.crop("wheat", 3.1, 4), made.crop("beet", 4, 3)
    made.limit("water", {wheat: 1, beet: 2.5}, 7)
    made.limit("hands", {wheat: 1, beet: 1}, 5)
    return made


@pytest.mark.long
def test_a_class_of_the_callers_is_solved_listed_checked_and_explained() -> None:
    made = farm()
    wheat, beet = made.crops
    solution = calmip.solve(made)
    assert (solution.objective, solution[wheat], solution[beet]) == (16.4, 4, 1)
    solution.apply_to(made)
    assert [crop.fields for crop in made.crops] == [4, 1]
    assert calmip.enumerate(made, optimal=True).values == (solution.values,)
    assert "a solution" in str(calmip.check(made, {wheat: 1, beet: 1}))
    assert "'water' by 0.5" in str(calmip.check(made, {"wheat": 0, beet: 3}))
    made.limit("least", {wheat: -1, beet: -1}, -6)
    assert "least: -wheat - beet <= -6" in str(calmip.explain(made))
    assert "wheat" not in str(read(made))


def test_the_newest_state_of_an_object_is_read() -> None:
    made = farm()
    assert len(read(made).rows) == 2
    made.limit("more", {made.crops[0]: 1}, 1)
    assert len(read(made).rows) == 3


class Arrays:
    """An object with the arrays that it is given, which takes no answer."""

    def __init__(self, **arrays: Any) -> None:
        self.arrays = arrays

    def __mip_arrays__(self) -> Any:
        return self.arrays


def build(drawn: Drawn) -> tuple[Arrays, list[int]]:
    lower, upper, integrality = zip(*drawn.columns, strict=True)
    rows, low, high = zip(*drawn.rows, strict=True)
    made = Arrays(
        c=np.array(drawn.cost),
        A=np.array(rows),
        row_lower=np.array(low),
        row_upper=high,
        lower=lower,
        upper=upper,
        integrality=np.array(integrality),
        offset=drawn.constant,
        maximise=drawn.maximise,
    )
    return made, list(range(len(lower)))


def test_twenty_models() -> None:
    check_twenty(build)


def test_numbers_stay_what_they_are() -> None:
    model = calmip.read_arrays(
        c=[Fraction(1, 3), Decimal("0.1"), 2**60 + 1],
        A=[{0: Fraction(2, 7), 2: 1}, [0, Decimal("1e-30"), 0.1]],
        row_lower=[-INF, Fraction(1, 3)],
        row_upper=[2**61 + 1, math.inf],
        lower=[Fraction(-1, 3), 0, 0],
        offset=Decimal("0.7"),
    )
    assert model.costs == {0: Fraction(1, 3), 1: Fraction(1, 10), 2: 2**60 + 1}
    assert model.exact_row(0) == ({0: Fraction(2, 7), 2: 1}, -INF, 2**61 + 1)
    assert model.exact_row(1) == ({1: Fraction(1, 10**30), 2: Fraction(1, 10)}, Fraction(1, 3), INF)
    assert model.bounds(0) == (Fraction(-1, 3), INF)
    assert model.exact_objective({}) == Fraction(7, 10)


def test_a_bound_that_no_float_holds_is_infinite() -> None:
    bounds = [10**400, Decimal("1e999999"), Decimal("Infinity"), Fraction(10**400, 3)]
    model = calmip.read_arrays(c=[1] * 4, upper=bounds, lower=[-bound for bound in bounds])
    assert [model.bounds(n) for n in range(4)] == [(-INF, INF)] * 4


@pytest.mark.long
def test_sparse_matrices_of_any_form() -> None:
    sparse = need_package("scipy.sparse")
    dense = np.array([[0, 0.1, 0], [2, 0, -3]])
    for form in ("csr", "csc", "coo", "lil", "dok"):
        model = calmip.read_arrays(
            c=[0, 0, 0], A=sparse.csr_array(dense).asformat(form), row_lower=0
        )
        assert [model.exact_row(n)[0] for n in (0, 1)] == [{1: Fraction(1, 10)}, {0: 2, 2: -3}]
    with pytest.raises(InputError, match=r"A\[0\]\[1\] is 2j, not a number"):
        calmip.read_arrays(c=[0, 0], A=sparse.csr_array([[0, 2j]]), row_lower=0)
    twice = sparse.coo_array(([0.1, 0.2], ([0, 0], [1, 1])), shape=(1, 2)).tocsr()
    assert calmip.read_arrays(c=[1, 1], A=twice, row_lower=0).nonzeros == 1


def test_what_is_left_out_is_usual() -> None:
    model = calmip.read_arrays(c=[1, 2])
    assert (model.columns, model.rows, model.maximise) == (("c0", "c1"), (), False)
    assert [model.bounds(n) for n in (0, 1)] == [(0, INF)] * 2
    assert model.integer.tolist() == [0, 0]
    one = calmip.read_arrays(
        c=[1, 2], A=[[1, 1], [1, 2]], row_upper=3, upper=np.float64(5), integrality=True
    )
    assert [one.exact_row(n)[1:] for n in (0, 1)] == [(-INF, 3)] * 2
    assert (one.bounds(1), one.rows, one.integer.tolist()) == ((0, 5), ("r0", "r1"), [1, 1])
    named = calmip.read_arrays(c=[1, 1, 1], names=["x", "x", ""], name="two words", row_upper=None)
    assert (named.columns, named.name) == (("x", "x_1", "c2"), "two_words")


def test_values_are_found_by_numbers_names_and_the_callers_objects() -> None:
    pairs = [("a", 1), ("a", 2)]
    for variables in (pairs, ["first", "second"], [object(), []], np.array([7, 8])):
        model = calmip.read_arrays(
            c=[1, 1], names=["x", "y"], variables=variables, maximise=np.False_
        )
        assert not model.maximise
        values = PointValues(model, {1: 5})
        assert [values[one] for one in variables] == [0, 5]
        assert values["y"] == 5
        assert "z" not in values
    numbered = PointValues(calmip.read_arrays(c=[1, 1]), {1: 5})
    assert (numbered[1], numbered[np.int64(1)]) == (5, 5)
    with pytest.raises(KeyError, match="2 is not a variable"):
        numbered[2]


def test_an_answer_goes_back_by_the_method_alone() -> None:
    taken: list[Any] = []

    class Takes(Arrays):
        def __mip_values__(self, values: Any) -> None:
            taken.extend(values)

    made = Takes(c=[1, 1])
    PointValues(read(made), {0: 2, 1: Fraction(1, 3)}).apply_to(made)
    assert taken == [2, Fraction(1, 3)]
    assert [type(value) for value in taken] == [int, Fraction]
    plain = Arrays(c=[1])
    with pytest.raises(InputError, match="Arrays takes no values: it has no method __mip_values__"):
        PointValues(read(plain), {}).apply_to(plain)
    with pytest.raises(InputError, match="variable 'c0' has no value"):
        calmip.check(plain, plain)


def test_the_method_comes_before_the_kind_of_the_object() -> None:
    pulp = need_package("pulp")

    class Both(pulp.LpProblem):
        def __mip_arrays__(self) -> Any:
            return {"c": [1, 1, 1]}

    assert len(read(Both("own")).columns) == 3


def test_the_class_alone_has_the_method() -> None:
    """A class is no model, nor an object to which somebody has given the name.

    A class says by None, as for the methods of Python itself, that its objects are none.
    """

    class Later(Farm):
        __mip_arrays__ = None  # type: ignore[assignment]

    assert calmip.mip.files.objects.read_object(Later()) is None  # type: ignore[attr-defined]
    assert calmip.mip.files.objects.read_object(Farm) is None  # type: ignore[attr-defined]
    with pytest.raises(TypeError, match="an object with __mip_arrays__"):
        calmip.solve(Farm)


def test_a_copy_in_another_process_has_no_object() -> None:
    copy = pickle.loads(pickle.dumps(read(farm())))
    assert (copy.native, copy.columns) == (None, ("wheat", "beet"))


@pytest.mark.parametrize(
    ("arrays", "words"),
    [
        ({"indicators": []}, "unknown key indicators; the keys are c, A, row_lower"),
        ({"b": 1, "sos": None}, "unknown key b"),
        ({"sos": None}, "unknown key sos"),
        ({"version": 2}, "the arrays are of version 2; this calmip reads 1"),
        ({"c": None}, "the key c is missing"),
        ({"c": []}, "the model has no variables"),
        ({"version": 1.5}, "the arrays are of version 1.5; this calmip reads 1"),
        ({"version": "1"}, "the arrays are of version '1'; this calmip reads 1"),
        ({"version": np.ones(2)}, "the arrays are of version array([1., 1.])"),
        ({"c": 3}, "c is a int, not a sequence"),
        ({"c": [1, "2"]}, "c[1] is 2, not a number"),
        ({"c": [1, None]}, "c[1] is None, not a number"),
        ({"c": [1, 2j]}, "c[1] is 2j, not a number"),
        ({"c": {1, 2}}, "c is a set, not a sequence"),
        ({"c": [1, math.nan]}, "the objective has the number nan"),
        ({"c": [1, Decimal("nan")]}, "the objective has the number nan"),
        ({"c": [1, Decimal("sNaN")]}, "c[1] is sNaN, not a number"),
        ({"c": [1, Decimal("-inf")]}, "the objective has the number -inf"),
        ({"c": [1, Decimal("1e999999999")]}, "the objective has the number inf"),
        ({"c": [1, 10**5000]}, "the objective has the number 1e+5000, not a finite one"),
        ({"c": [1, 1e20]}, "the objective has the number 1e+20"),
        ({"A": [[1, 2]]}, "A has rows, and both row_lower and row_upper are missing"),
        ({"A": [[1]], "row_upper": 1}, "A[0] has 1 entries, and there are 2 numbers in c"),
        ({"A": np.ones((2, 3)), "row_upper": 1}, "A has the shape (2, 3), and there are 2"),
        ({"A": np.ones(2), "row_upper": 1}, "A has the shape (2,), and there are 2"),
        ({"A": [1, 2], "row_upper": 1}, "A[0] is a int, not a sequence"),
        ({"A": [{2: 1}], "row_upper": 1}, "A[0] has the key 2, not that of a variable"),
        ({"A": [{"x": 1}], "row_upper": 1}, "A[0] has the key x, not that of a variable"),
        ({"A": [{0: "y"}], "row_upper": 1}, "A[0][0] is y, not a number"),
        ({"A": [[math.inf, 0]], "row_upper": 1}, "row 'r0' has the number inf"),
        ({"A": [[1, 1]], "row_upper": [1, 2]}, "row_upper has 2 entries, and there are 1 rows"),
        ({"row_upper": [1]}, "row_upper has 1 entries, and there are 0 rows in A"),
        ({"A": [[1, 1]], "row_upper": math.nan}, "has the bounds -inf and nan"),
        (
            {"A": [[1, 1]], "row_lower": 1e20},
            "row 'r0' has no finite value: it is a number from inf",
        ),
        ({"A": [[1, 1]], "row_upper": -INF}, "row 'r0' has no finite value"),
        ({"lower": INF}, "variable 'c0' has no finite value: it is a number from inf to inf"),
        ({"upper": [3, -INF]}, "variable 'c1' has no finite value: it is a number from 0 to -inf"),
        ({"lower": [0]}, "lower has 1 entries, and there are 2 numbers in c"),
        ({"upper": math.nan}, "has the bounds 0 and nan"),
        ({"integrality": [0, 2]}, "variable 'c1' has the integrality 2; 0 and 1 are read"),
        ({"integrality": [0, 3], "names": ["x", "y"]}, "variable 'y' has the integrality 3"),
        ({"names": "xy"}, "names is a str, not a sequence"),
        ({"names": ["x", 1]}, "names[1] is a int, not a text"),
        ({"names": ["x"]}, "names has 1 entries, and there are 2 numbers in c"),
        ({"variables": [1]}, "variables has 1 entries, and there are 2 numbers in c"),
        ({"variables": 2}, "variables is a int, not a sequence"),
        ({"variables": {"x": 1, "y": 2}}, "variables is a dict, not a sequence"),
        ({"variables": ["x", "x"]}, "variables[1] is that of variables[0]"),
        ({"maximise": "min"}, "maximise is min, not a number"),
        ({"maximise": -1}, "maximise is -1; it is True or False"),
        ({"maximise": np.ones(2)}, "maximise is [1. 1.], not a number"),
        ({"offset": "7"}, "offset is 7, not a number"),
        ({"offset": math.inf}, "the objective has the number inf"),
    ],
)
def test_what_is_unknown_or_does_not_fit_is_refused_by_its_place(
    arrays: dict[str, Any], words: str
) -> None:
    given: Any = {"c": [1, 2], **arrays}
    with pytest.raises(InputError) as caught:
        calmip.read_arrays(**given)
    assert str(caught.value).startswith("read_arrays: ")
    assert words in str(caught.value)
    with pytest.raises(InputError, match=r"^test_arrays\.Arrays: "):
        read(Arrays(**given))


def test_a_method_that_returns_something_else_is_refused() -> None:
    made = Arrays()
    made.arrays = [1, 2]  # type: ignore[assignment]
    with pytest.raises(InputError, match="__mip_arrays__ returns a list, not a mapping"):
        read(made)
