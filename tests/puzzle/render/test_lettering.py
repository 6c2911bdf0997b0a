"""Letters of single lines: which there are, where their strokes reach, how words are joined."""

from __future__ import annotations

import itertools
import math
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calmip.puzzle.dates import LANGUAGES, MONTH_NAMES, WEEKDAY_NAMES
from calmip.puzzle.render.lettering import letters, missing
from calmip.puzzle.render.outline import Curve

UNIT = 0.7 / 12
"""Heights of type of a unit: a capital has 12, and 0.7 of the type's height."""

LATIN = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
UNWRITTEN = {"ar", "hi"}
"""The languages whose letters join or change places."""


def points(curve: Curve) -> list[tuple[float, float]]:
    """Return points along a line, an arc by the angle that its bend says."""
    found = [curve[0][:2]]
    for (x, y, bend), (right, down, _) in itertools.pairwise(curve):
        angle = 4 * math.atan(bend)
        if bend:
            # The start seen from the centre, turned step by step, to the left as seen.
            chord = complex(right - x, down - y)
            centre = complex(x, y) + chord * complex(0.5, -0.5 / math.tan(angle / 2))
            spoke = complex(x, y) - centre
            for step in range(1, 65):
                turned = centre + spoke * complex(
                    math.cos(angle * step / 64), -math.sin(angle * step / 64)
                )
                found.append((turned.real, turned.imag))
        found.append((right, down))
    return found


def reach(text: str, size: float = 1.0) -> tuple[float, float, float, float]:
    """Return the least x and y and the greatest x and y of a text's strokes."""
    _, strokes = letters(text, size)
    across, down = zip(*(point for stroke in strokes for point in points(stroke)), strict=True)
    return min(across), min(down), max(across), max(down)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_names_of_months_and_weekdays_can_be_engraved(language: str) -> None:
    names = [*MONTH_NAMES[language], *WEEKDAY_NAMES[language]]
    names += [name.upper() for name in names] + [name.title() for name in names]
    lacking = {mark for name in names for mark in missing(name)}
    if language in UNWRITTEN:
        assert lacking
    else:
        assert lacking == set()


def test_characters_without_strokes_are_named_once_and_blanks_are_none() -> None:
    assert missing("J\u0909n \u0909\u2603!") == "\u0909\u2603"
    assert missing("a\u0301 e\u0300") == ""
    assert missing("e\u0489") == "\u0489"
    assert missing("\u0909\u0301") == "\u0909\u0301"
    # One of two accents is known.
    assert missing("ẩấặ") == "ẩ"


@pytest.mark.parametrize("mark", LATIN + "ßŁØÆΩДЖя曜월&@%")
def test_a_letter_stands_in_the_middle_of_its_width(mark: str) -> None:
    width, strokes = letters(mark)
    left, top, right, bottom = reach(mark)
    assert strokes
    # The reach of an arc of more than a half turn's shape is known to a hundredth.
    assert (left, right) == pytest.approx((-width / 2, width / 2), abs=0.6 * UNIT)
    assert top >= -10.5 * UNIT
    assert bottom <= 10.5 * UNIT


def test_capitals_and_digits_are_as_high_as_each_other() -> None:
    for mark in "ABCDEFGHIKLMNOPRSTUVXYZ0123456789ΔΘΣЖИШ":
        _, top, _, bottom = reach(mark)
        assert (top, bottom) == pytest.approx((-6 * UNIT, 6 * UNIT)), mark
    for mark in "acemnorsuvxzαοσжишя":
        _, top, _, bottom = reach(mark)
        assert (top, bottom) == pytest.approx((-2 * UNIT, 6 * UNIT)), mark
    for mark in "gpqyρμ":
        assert reach(mark)[3] == pytest.approx(10 * UNIT), mark


def test_letters_differ() -> None:
    drawn = [letters(mark)[1] for mark in LATIN + "ıßæøłđБДЖИЛУЦЧШЩЪЫЬЭЮЯЄҐΓΔΘΛΞΠΣΦΨΩ"]
    assert len(set(drawn)) == len(drawn)
    # What looks alike in three scripts is written alike.
    assert letters("ABEKMHOPCTX") == letters("АВЕКМНОРСТХ")
    assert letters("AO") == letters("ΑΟ")


@given(st.text(LATIN + "äÇЖ月", min_size=1, max_size=6), st.text(LATIN, min_size=1, max_size=4))
def test_a_word_is_its_letters_side_by_side(one: str, other: str) -> None:
    width, strokes = letters(one + other)
    first, second = letters(one), letters(other)
    assert width == pytest.approx(first[0] + second[0] + 3 * UNIT)
    expected = [
        *moved(first[1], (first[0] - width) / 2),
        *moved(second[1], (width - second[0]) / 2),
    ]
    assert len(strokes) == len(expected)
    for stroke, place in zip(strokes, expected, strict=True):
        for point, there in zip(stroke, place, strict=True):
            assert point == pytest.approx(there)


def moved(strokes: tuple[Curve, ...], right: float) -> list[Curve]:
    return [tuple((x + right, y, bend) for x, y, bend in stroke) for stroke in strokes]


def test_a_blank_is_a_gap() -> None:
    width, strokes = letters("1 2")
    assert width == pytest.approx(letters("1")[0] + letters("2")[0] + 7 * UNIT)
    assert len(strokes) == 2
    assert letters("") == (0.0, ())


def test_size_is_a_factor() -> None:
    width, strokes = letters("Jän", 8.0)
    small, few = letters("Jän")
    assert width == pytest.approx(8 * small)
    for stroke, one in zip(strokes, few, strict=True):
        for (x, y, bend), (right, down, turn) in zip(stroke, one, strict=True):
            assert (x, y, bend) == pytest.approx((8 * right, 8 * down, turn))


@pytest.mark.parametrize("letter", "äéèêñőčåğżÄÉÑŐČÅйЙΪ")
def test_accents_stand_above_in_the_middle(letter: str) -> None:
    base = unicodedata.normalize("NFD", letter)[0]
    whole, plain = letters(letter)[1], letters(base)[1]
    top = min(y for stroke in whole[: len(plain)] for _, y in points(stroke))
    above = [point for stroke in whole[len(plain) :] for point in points(stroke)]
    assert above
    # Between the letter and the accent there is room, and little of it.
    assert 1.2 * UNIT < top - max(y for _, y in above) < 2.3 * UNIT
    assert min(y for _, y in above) > top - 5 * UNIT
    middle = sum(f(x for s in whole[: len(plain)] for x, _ in points(s)) for f in (min, max)) / 2
    assert abs(sum(f(x for x, _ in above) for f in (min, max)) / 2 - middle) < 0.6 * UNIT


def test_accents_stand_above_each_other() -> None:
    circumflex, both = reach("â"), reach("ấ")
    assert both[1] < circumflex[1] - 3 * UNIT
    assert reach("ặ")[3] > 8 * UNIT


def test_an_accent_takes_the_place_of_the_dot() -> None:
    assert len(letters("i")[1]) == 2
    assert len(letters("ı")[1]) == 1
    assert len(letters("í")[1]) == 2
    assert len(letters("ї")[1]) == 3
    assert letters("ï") == letters("ї")


@pytest.mark.parametrize("letter", "çşțąęÇȘĘạ")
def test_what_hangs_below_hangs_below(letter: str) -> None:
    base = unicodedata.normalize("NFD", letter)[0]
    whole, plain = letters(letter)[1], letters(base)[1]
    below = [y for stroke in whole[len(plain) :] for _, y in points(stroke)]
    assert min(below) >= 6 * UNIT - 1e-9
    assert 8 * UNIT < max(below) < 10.1 * UNIT
    if letter in "ąęĘ":
        # At the right end, not beyond it.
        right = max(x for stroke in plain for x, _ in points(stroke))
        assert max(x for s in whole[len(plain) :] for x, _ in points(s)) == pytest.approx(right)


def test_marks_that_stand_beside_their_letter() -> None:
    for letter, base in (("ť", "t"), ("ď", "d"), ("ľ", "l")):
        assert letters(letter)[0] == pytest.approx(letters(base)[0] + 2 * UNIT)
    width, strokes = letters("Ά")
    assert width == pytest.approx(letters("A")[0] + 3.5 * UNIT)
    accent = points(strokes[-1])
    assert max(x for x, _ in accent) < -width / 2 + 3 * UNIT
    assert min(y for _, y in accent) == pytest.approx(-6 * UNIT)


def overlap(one: tuple[complex, complex], other: tuple[complex, complex]) -> float:
    """Return how long two straight ways run on the same line over each other."""
    way = (one[1] - one[0]) / abs(one[1] - one[0])
    ends = [(point - one[0]) / way for point in other]
    if any(abs(end.imag) > 1e-9 for end in ends):
        return 0.0
    low, high = sorted(end.real for end in ends)
    return min(high, abs(one[1] - one[0])) - max(low, 0.0)


def test_no_stroke_passes_a_place_twice() -> None:
    writable = [chr(code) for code in range(0x21, 0x10000) if not missing(chr(code))]
    assert len(writable) > 500
    for mark in writable:
        ways = [
            (complex(x, y), complex(right, down))
            for stroke in letters(mark)[1]
            for (x, y, bend), (right, down, _) in itertools.pairwise(stroke)
            if not bend
        ]
        assert all(abs(end - start) > 1e-9 for start, end in ways), mark
        for one, other in itertools.combinations(ways, 2):
            assert overlap(one, other) < 1e-9, mark


def test_letters_are_upright_and_not_mirrored() -> None:
    half, six = 3 * UNIT, 6 * UNIT
    ((down, corner, end),) = letters("L")[1]
    assert down == pytest.approx((-half, -six, 0))
    assert corner == pytest.approx((-half, six, 0))
    assert end == pytest.approx((half, six, 0))
    # The bow of a P is on the right and above, that of a C on the left.
    (bow,) = letters("P")[1]
    assert max(points(bow)) == pytest.approx((4 * UNIT, -3 * UNIT))
    (opening,) = letters("C")[1]
    assert min(x for x, _ in points(opening)) == pytest.approx(-4 * UNIT)
    assert {round(x / UNIT, 6) for x, _, _ in (opening[0], opening[-1])} == {4.0}
