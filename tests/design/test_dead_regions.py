"""What is said of regions that dates cut off, and of labels to move: only what is proved."""

from __future__ import annotations

import itertools

from calmip.design.dead_regions import CutOff, Relabelling


def test_only_what_is_proved_of_moves_is_said() -> None:
    for feasible, number, least, blocked, kept in itertools.product(
        (True, False, None), (0, 1, 2), (1, 2), ((), ("Jan",)), (False, True)
    ):
        if feasible and not number:
            continue
        moves = {f"{n}": f"{n + 9}" for n in range(number)}
        text = str(Relabelling(moves, least, feasible, (), blocked, kept))
        assert text.startswith("no other places of the labels") is (feasible is False)
        if feasible is False:
            assert ("any label in the place of Jan" in text) is bool(blocked)
            assert text.endswith("or keep fewer labels") is kept
        elif not number:
            assert text.startswith(f"at least {least} labels must move to prevent that; no such")
        else:
            assert f"move {number} labels: 0 to the place of 9" in text
            assert ("(proved: fewer do not suffice)" in text) is (least >= number)
            assert (f"at least {least} must move; not proved" in text) is (least < number)


def test_a_region_is_cut_off_or_apart() -> None:
    assert str(CutOff(("1",), ("Jan", "2"), ("Jan 2",))) == (
        "1 is cut off by Jan and 2, and no pieces of the pool cover 1 cell"
    )
    assert str(CutOff(("1", "2", "3"), (), ("Jan 2",))) == (
        "1, 2 and 3 are apart from the board, and no pieces of the pool cover 3 cells"
    )
