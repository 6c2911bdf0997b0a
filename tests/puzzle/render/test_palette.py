"""Colours: told apart by every eye, and dark enough lines on each."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from calmip._base.errors import InputError
from calmip.puzzle.render.palette import LIGHT_PIECES, THEMES, check_theme, colour, piece_role
from calmip.puzzle.render.text import PALETTE

# How the three kinds of colour blindness see linear RGB: Machado, Oliveira and
# Fernandes 2009, doi:10.1109/TVCG.2009.113, severity 1.
EYES = {
    "all colours": np.eye(3),
    "no red": np.array(
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ]
    ),
    "no green": np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ]
    ),
    "no blue": np.array(
        [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ]
    ),
}


def linear(shade: str) -> np.ndarray:
    values = np.array([int(shade[k : k + 2], 16) / 255 for k in (1, 3, 5)])
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


def oklab(rgb: np.ndarray) -> np.ndarray:
    """Return Björn Ottosson's OKLab coordinates, in which distances are about as seen."""
    cones = np.array(
        [
            [0.4122214708, 0.5363325363, 0.0514459929],
            [0.2119034982, 0.6806995451, 0.1073969566],
            [0.0883024619, 0.2817188376, 0.6299787005],
        ]
    ) @ np.clip(rgb, 0, 1)
    return np.array(
        [
            [0.2104542553, 0.7936177850, -0.0040720468],
            [1.9779984951, -2.4285922050, 0.4505937099],
            [0.0259040371, 0.7827717662, -0.8086757660],
        ]
    ) @ np.cbrt(cones)


def contrast(one: str, other: str) -> float:
    """Return the contrast of the Web Content Accessibility Guidelines, from 1 to 21."""
    light = sorted(float(linear(shade) @ [0.2126, 0.7152, 0.0722]) for shade in (one, other))
    return (light[1] + 0.05) / (light[0] + 0.05)


PIECES = [piece_role(number) for number in range(16)]


@pytest.mark.parametrize("eyes", EYES)
@pytest.mark.parametrize("theme", THEMES)
def test_any_two_pieces_differ_for_any_eyes(theme: str, eyes: str) -> None:
    seen = [oklab(EYES[eyes] @ linear(colour(role, theme))) for role in PIECES]
    least = min(float(np.linalg.norm(a - b)) for a, b in itertools.combinations(seen, 2))
    # 0.02 is a difference that is just seen; print and small areas want more.
    assert least > 0.05


@pytest.mark.parametrize("theme", THEMES)
def test_names_lines_and_labels_stand_out(theme: str) -> None:
    for role in PIECES:
        assert contrast(colour(role, theme), colour("name", theme)) > 4.5
        assert contrast(colour(role, theme), colour("line", theme)) > 3
    for ground in ("paper", "bare", "board"):
        assert contrast(colour("ink", theme), colour(ground, theme)) > 7
    assert contrast(colour("quiet", theme), colour("paper", theme)) > 4.5


def test_colours_repeat_and_themes_have_names() -> None:
    assert piece_role(16) == piece_role(0)
    assert len({colour(role, "light") for role in PIECES}) == 16
    assert colour("paper", "auto") == colour("paper", "light")
    check_theme("auto")
    with pytest.raises(InputError, match="unknown theme 'pink'; use one of light, dark, auto"):
        check_theme("pink")


def test_a_terminal_has_the_colours_of_the_pictures() -> None:
    steps = (0, 95, 135, 175, 215, 255)
    table = {
        16 + 36 * r + 6 * g + b: (steps[r], steps[g], steps[b])
        for r, g, b in itertools.product(range(6), repeat=3)
    }
    table |= {232 + number: (8 + 10 * number,) * 3 for number in range(24)}
    for shade, number in zip(LIGHT_PIECES, PALETTE, strict=True):
        wanted = [int(shade[place : place + 2], 16) for place in (1, 3, 5)]
        apart = {
            key: sum((a - b) ** 2 for a, b in zip(one, wanted, strict=True))
            for key, one in table.items()
        }
        assert apart[number] == min(apart.values())
    assert len(set(PALETTE)) == len(PALETTE)
