"""Parts of a puzzle to make: the lines that are cut and engraved, and the words on them."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from calmip._base.errors import InputError, clip, join_words
from calmip.puzzle.lattice import Point
from calmip.puzzle.render.lettering import letters, missing, missing_outlines, outlined
from calmip.puzzle.render.outline import Curve, Loop, apex, extent
from calmip.puzzle.render.picture import text_width
from calmip.workshop.cut import Cutting


@dataclass(frozen=True)
class Word:
    """A text, x and y of its middle, its height of type, and its quarter turns clockwise."""

    text: str
    x: float
    y: float
    size: float
    turns: int = 0


@dataclass(frozen=True)
class Part:
    """A part of a puzzle.

    Parameters
    ----------
    name
        Its name for people.
    cut, common
        The closed lines that are cut, the outer one first, and open ones, which two pieces share.
    engraved, words
        The open lines that are engraved, and the words that stay text.
    above
        The closed lines of a second layer, which a printer builds on the first.
    """

    name: str
    cut: tuple[Curve, ...]
    engraved: tuple[Curve, ...] = ()
    words: tuple[Word, ...] = ()
    common: tuple[Curve, ...] = ()
    above: tuple[Curve, ...] = ()

    @property
    def box(self) -> tuple[float, float, float, float]:
        """The least x and y and the greatest x and y."""
        return extent(self.cut or self.engraved)

    def put(self, turns: int, left: float, top: float) -> Part:
        """Return the part after quarter turns clockwise, its least x and y at a place."""
        part = self
        for _ in range(turns % 4):
            part = part._moved(((0, -1), (1, 0)), 0.0, 0.0, 1)
        x, y, _, _ = part.box
        return part._moved(((1, 0), (0, 1)), left - x, top - y, 0)

    def _moved(
        self, turn: tuple[tuple[int, int], tuple[int, int]], right: float, down: float, turns: int
    ) -> Part:
        (a, b), (c, d) = turn

        def lines(curves: tuple[Curve, ...]) -> tuple[Curve, ...]:
            return tuple(
                tuple((a * x + b * y + right, c * x + d * y + down, bend) for x, y, bend in one)
                for one in curves
            )

        words = tuple(
            Word(
                one.text,
                a * one.x + b * one.y + right,
                c * one.x + d * one.y + down,
                one.size,
                (one.turns + turns) % 4,
            )
            for one in self.words
        )
        every = (self.cut, self.engraved, self.common, self.above)
        cut, engraved, common, above = map(lines, every)
        return Part(self.name, cut, engraved, words, common, above)


Sheet = tuple[Part, ...]
"""The parts on one sheet, each in its place."""


def rectangle(left: float, top: float, right: float, bottom: float) -> Loop:
    """Return the corners of a rectangle, clockwise as seen."""
    return (left, top), (right, top), (right, bottom), (left, bottom)


def flat(curve: Curve, *, closed: bool = True, halvings: int = 3) -> Loop:
    """Return the points of a line whose arcs are chords, which halving an arc so often gives."""
    found: list[Point] = []

    def way(here: Point, bend: float, there: Point, halvings: int) -> None:
        if not bend or not halvings:
            found.append(here)
            return
        middle, half = apex(here, bend, there), math.tan(math.atan(bend) / 2)
        way(here, half, middle, halvings - 1)
        way(middle, half, there, halvings - 1)

    for (x, y, bend), (right, down, _) in itertools.pairwise((*curve, *curve[:closed])):
        way((x, y), bend, (right, down), halvings)
    return tuple(found) if closed else (*found, curve[-1][:2])


def arc(side: Loop, away: float, radius: float) -> Curve:
    """Return the arc of a notch in a side that was moved to its left, about the side's middle."""
    here, there = side
    (x, y), (ux, uy) = ((here[k] + there[k]) / 2 for k in (0, 1)), _unit(here, there)
    half = math.sqrt(radius**2 - away**2)
    bend = -math.tan(math.acos(away / radius) / 2)
    x, y = x + away * uy, y - away * ux
    return (x - half * ux, y - half * uy, bend), (x + half * ux, y + half * uy, 0.0)


def moved(
    loop: Loop, away: float, radius: float = 0.0, notch: tuple[int, float] | None = None
) -> Curve:
    """Return a polygon, moved to its left everywhere, its corners rounded by a radius.

    A notch is the number of the side that it is in, and its radius.
    """
    ways = [_unit(here, there) for here, there in zip(loop, (*loop[1:], loop[0]), strict=True)]
    found: list[tuple[float, float, float]] = []
    sides = zip(loop, (ways[-1], *ways[:-1]), ways, strict=True)
    for number, (corner, (ux, uy), (vx, vy)) in enumerate(sides):
        straight = ux * vx + uy * vy
        # Half way between the normals of both sides, so far that it is `away` from each.
        x = corner[0] + away * (uy + vy) / (1 + straight)
        y = corner[1] - away * (ux + vx) / (1 + straight)
        if radius == 0:
            found.append((x, y, 0.0))
        else:
            angle = math.atan2(ux * vy - uy * vx, straight)  # to the right where it is positive
            back = radius * abs(math.tan(angle / 2))
            found.append((x - back * ux, y - back * uy, -math.tan(angle / 4)))
            found.append((x + back * vx, y + back * vy, 0.0))
        if notch is not None and number == notch[0]:
            found += arc((corner, (*loop[1:], loop[0])[number]), away, notch[1])
    return tuple(found)


def _unit(here: Point, there: Point) -> Point:
    length = math.dist(here, there)
    return (there[0] - here[0]) / length, (there[1] - here[1]) / length


def width_of(label: str, cutting: Cutting, what: str = "label") -> float:
    """Return how wide a text is, in heights of its type."""
    if cutting.words == "text":
        return text_width(label)
    lines = cutting.words == "lines"
    lacking = missing(label) if lines else missing_outlines(label)
    if lacking:
        raise InputError(
            f"the engraving font lacks {join_words(lacking)} of the {what} {clip(label)}; it has "
            f"Latin, Greek and Cyrillic letters; write the {what} in them, or take --words text "
            "with .svg and turn the text into paths in a drawing program"
        )
    return (letters if lines else outlined)(label)[0]


def written(part: Part, cutting: Cutting) -> Part:
    """Return a part with its words as lines, unless they stay text."""
    if cutting.words == "text":
        return part
    engraved = (*part.engraved, *strokes(part.words, outlines=cutting.words == "outlines"))
    return replace(part, engraved=engraved, words=())


def strokes(words: Iterable[Word], *, outlines: bool = False) -> Iterator[Curve]:
    """Yield the strokes or the outlines of words in their places."""
    for word in words:
        for stroke in (outlined if outlines else letters)(word.text, word.size)[1]:
            yield tuple((x + word.x, y + word.y, bend) for x, y, bend in stroke)
