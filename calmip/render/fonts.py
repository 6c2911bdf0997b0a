"""Fonts for matplotlib: its own, and others where a text has characters that it lacks."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Iterator
from functools import lru_cache

__all__ = ["font_families", "no_word_on_fonts"]

WIDER_FONTS = (
    "Noto Sans CJK JP", "Noto Sans CJK SC", "Noto Sans", "Droid Sans Fallback", "WenQuanYi Zen Hei",
    "IPAGothic", "TakaoGothic", "Hiragino Sans", "PingFang SC", "Yu Gothic", "Meiryo", "MS Gothic",
    "Microsoft YaHei", "SimHei", "Malgun Gothic", "Arial Unicode MS",
)  # fmt: skip
"""Fonts with more scripts than matplotlib's own, tried where a text needs them."""


@contextlib.contextmanager
def no_word_on_fonts() -> Iterator[None]:
    """Draw the box for a character that no font has without a warning for each."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing")
        yield


def font_families(text: str) -> list[str]:
    """Return matplotlib's own font and, where the text needs more, others that are installed."""
    return ["DejaVu Sans", *(_wider_fonts() if _lacking(text) else ())]


def _lacking(text: str) -> bool:
    if text.isascii():
        return False
    known = _known_marks()
    return any(ord(mark) not in known for mark in text)


@lru_cache(maxsize=1)
def _known_marks() -> frozenset[int]:
    from matplotlib import font_manager, ft2font

    return frozenset(ft2font.FT2Font(font_manager.findfont("DejaVu Sans")).get_charmap())


@lru_cache(maxsize=1)
def _wider_fonts() -> tuple[str, ...]:
    from matplotlib import font_manager

    installed = set(font_manager.get_font_names())
    return tuple(name for name in WIDER_FONTS if name in installed)
