"""From values to options, and what is wrong with a choice of options."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calmip._base.errors import InputError, NotATiling
from calmip.mip.files.points import TOLERANCE
from calmip.puzzle.cover import ExactCover
from calmip.puzzle.files.chosen_options import chosen_options, read_column_names, violations
from calmip.puzzle.tiling import Tiling


def test_values_near_whole_numbers_count(tiny: ExactCover) -> None:
    values = {"dom_a00": 0.9999991, "squ_a10": 1.0000009, "dom_b00": -9e-7, "squ_a00": 0.0}
    assert chosen_options(tiny, values) == [0, 4]
    assert chosen_options(tiny, {}) == []
    assert chosen_options(tiny, {"dom_a00": TOLERANCE, "squ_a10": 1.0, "squ_a00": -TOLERANCE}) == [
        4
    ]


@pytest.mark.parametrize("value", [0.4999, 0.5, 0.999998, 2e-6, -1.0, 2.0, 1e300])
def test_other_values_are_refused(tiny: ExactCover, value: float) -> None:
    with pytest.raises(NotATiling, match=re.escape(f"column squ_a10 is {value}, neither 0 nor 1")):
        chosen_options(tiny, {"dom_a00": 1.0, "squ_a10": value})


def test_names_that_are_unknown_are_named(tiny: ExactCover) -> None:
    with pytest.raises(
        InputError, match=r"2 of its 3 names .*'U_b30', 'x\\x1b\[31m'; is it the answer"
    ):
        chosen_options(tiny, {"dom_a00": 1.0, "U_b30": 0.0, "x\x1b[31m": 1.0})


def test_names_of_rows_are_passed_over(tiny: ExactCover) -> None:
    assert chosen_options(tiny, {"c_00": 1.0, "p_dom": 0.3, "squ_a00": 1.0}) == [2]


def test_a_placement_where_the_piece_cannot_lie_must_be_0(tiny: ExactCover) -> None:
    outside = "x[domino,7,7,7,8]"
    assert chosen_options(tiny, {"squ_a00": 1.0, outside: 0.0}) == [2]
    with pytest.raises(
        NotATiling, match=r"column x.domino,7,7,7,8. is 1, but the piece cannot lie"
    ):
        chosen_options(tiny, {"squ_a00": 1.0, outside: 1.0})
    with pytest.raises(NotATiling, match=r"is 0\.5, neither 0 nor 1"):
        chosen_options(tiny, {"squ_a00": 1.0, outside: 0.5})


def test_two_names_of_one_placement_are_an_error(tiny: ExactCover) -> None:
    for value in (0.0, 1.0):
        assert chosen_options(tiny, {"dom_a00": value, "domino_0_0_0_1": 0.0}) == [0] * int(value)
    with pytest.raises(InputError, match=r"'dom_a00' and 'domino_0_0_0_1' are the same placement"):
        chosen_options(tiny, {"dom_a00": 1.0, "domino_0_0_0_1": 1.0})


def test_broken_equations_say_what_they_stand_for(
    tiny: ExactCover, twins: ExactCover, free_week: ExactCover
) -> None:
    assert violations(tiny, [0, 2]) == [
        "row c_00: cell 1 (0, 0) is covered twice (by dom_a00, squ_a00) instead of once",
        "row c_10: cell 3 (1, 0) is covered 0 times instead of once",
    ]
    assert "row p_dom: piece domino 1 = domino 2 = domino 3 is used twice" in "\n".join(
        violations(twins, [0, 2])
    )
    assert violations(free_week, [])[-1] == (
        "row g_weekda: group weekday is revealed 0 times instead of once"
    )
    assert "is covered 3 times (by squ_a00, squ_a00, squ_a00)" in violations(tiny, [2, 2, 2])[0]


@pytest.mark.long
@given(data=st.data())
def test_a_point_without_violations_is_a_tiling(
    data: st.DataObject,
    tiny: ExactCover,
    twins: ExactCover,
    free_week: ExactCover,
    solutions_of: Callable[[ExactCover], list[tuple[int, ...]]],
) -> None:
    cover = data.draw(st.sampled_from([tiny, twins, free_week]))
    good = set(solutions_of(cover))
    chosen = data.draw(
        st.sampled_from(sorted(good))
        | st.sets(st.integers(0, cover.columns - 1)).map(lambda s: tuple(sorted(s)))
    )
    faults = violations(cover, chosen)
    assert (chosen in good) == (not faults)
    values = {cover.option_names[option]: 1.0 for option in chosen}
    assert chosen_options(cover, values) == list(chosen)
    if faults:
        with pytest.raises(NotATiling):
            Tiling.from_options(cover, chosen)
    else:
        Tiling.from_options(cover, chosen)


def test_names_of_columns_stand_one_to_a_line(tmp_path: Path) -> None:
    path = tmp_path / "names.csv"
    path.write_text("# a remark, with a comma\n\nx[1,7], dom_a00\n  \ny,squ_a10\n")
    assert read_column_names(path) == {"x[1,7]": "dom_a00", "y": "squ_a10"}
    for line, fault in (
        ("dom_a00", "names.csv:6: a line is"),
        (", dom_a00", "names.csv:6: a line is"),
        ("z,", "names.csv:6: a line is"),
        ("y,dom_a01", "names.csv:6: column 'y' comes twice"),
    ):
        (tmp_path / "wrong").mkdir(exist_ok=True)
        wrong = tmp_path / "wrong" / "names.csv"
        wrong.write_text(path.read_text() + line + "\n")
        with pytest.raises(InputError, match=fault):
            read_column_names(wrong)
