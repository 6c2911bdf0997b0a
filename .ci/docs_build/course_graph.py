"""The graph of the course: which exercise needs which, from the table on the page of the course."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from calmip.course.exercises import EXERCISES
from calmip.puzzle.render.picture import Area, Mark, Picture, Words, box

PAGE = Path(__file__).parents[2] / "docs" / "course" / "index.md"

ROW = re.compile(
    r"^\| (\w+) \| \[([^]]+)\]\(([\w-]+)/index\.md\) \| (\d+) \| ([^|]*) \| ([^|]+) \|$"
)
"""A row of the table: the exercise, its title and folder, minutes, needs, and what one can do."""

Point = tuple[float, float]

WIDTH, HEIGHT, GAP, DROP = 3.2, 1.35, 0.25, 0.9
MAX_CHARACTERS = 19


class Entry(NamedTuple):
    """An exercise in the table of the course."""

    folder: str
    minutes: int
    needs: tuple[str, ...]
    can: str


@cache
def entries() -> dict[str, Entry]:
    """Return the rows of the table, by exercise."""
    found = {}
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if row := ROW.match(line):
            number, _, folder, minutes, needs, can = row.groups()
            found[number] = Entry(folder, int(minutes), tuple(re.findall(r"\w+", needs)), can)
    return found


def ancestors(exercise: str) -> set[str]:
    """Return all exercises that come before one."""
    needs = entries()[exercise].needs
    return set(needs).union(*map(ancestors, needs))


def direct(exercise: str) -> list[str]:
    """Return the exercises that one needs, without those that another one of them needs."""
    needs = entries()[exercise].needs
    return [one for one in needs if not any(one in ancestors(other) for other in needs)]


def layers() -> list[list[str]]:
    """Return the exercises by the longest way to them, below those that they need."""

    @cache
    def depth(exercise: str) -> int:
        return max((1 + depth(one) for one in entries()[exercise].needs), default=0)

    found: list[list[str]] = [[] for _ in range(1 + max(map(depth, entries())))]
    for exercise in entries():
        found[depth(exercise)].append(exercise)
    place: dict[str, float] = {}
    for layer in found:
        layer.sort(key=lambda one: sum(place[n] for n in direct(one)) / max(1, len(direct(one))))
        for at, exercise in enumerate(layer):
            place[exercise] = at - len(layer) / 2
    return found


def course_picture() -> Picture:
    """Return the graph, each exercise in a box with its minutes."""
    rows = layers()
    width = max(map(len, rows)) * (WIDTH + GAP) + GAP
    corners = {
        exercise: (
            (width - len(row) * (WIDTH + GAP) + GAP) / 2 + at * (WIDTH + GAP),
            GAP + level * (HEIGHT + DROP),
        )
        for level, row in enumerate(rows)
        for at, exercise in enumerate(row)
    }
    lines: list[Mark] = []
    boxes: list[Mark] = []
    for exercise, (left, top) in corners.items():
        for one in direct(exercise):
            x, y = corners[one]
            ends = ((x + WIDTH / 2, y + HEIGHT), (left + WIDTH / 2, top))
            way = tuple(_way(*ends, list(corners.values())))
            lines.append(Area((way,), "", "quiet", 0.04, closed=False))
        boxes.append(Area((box(left, top, WIDTH, HEIGHT),), "paper", "line", 0.04))
        head = f"{exercise} ({entries()[exercise].minutes} min)"
        words = [Words(left + WIDTH / 2, top + 0.25, head, 0.3, bold=True)]
        for at, text in enumerate(_wrapped(EXERCISES[exercise])):
            words.append(Words(left + WIDTH / 2, top + 0.65 + 0.36 * at, text, 0.28))
        boxes += words
    height = len(rows) * (HEIGHT + DROP) - DROP + 2 * GAP
    text = "; ".join(f"{one} needs {' and '.join(direct(one))}" for one in entries() if direct(one))
    return Picture(width, height, (*lines, *boxes), "the exercises of the course", text)


def _way(start: Point, end: Point, corners: Sequence[Point]) -> Iterator[Point]:
    """Yield the points of a line that passes between the boxes of the rows on its way."""
    yield start
    for top in sorted({y for _, y in corners if start[1] < y < end[1]}):
        row = [x for x, y in corners if y == top]
        between = [min(row) - GAP / 2, *(x + WIDTH + GAP / 2 for x in row)]
        share = (top + HEIGHT / 2 - start[1]) / (end[1] - start[1])
        straight = start[0] + share * (end[0] - start[0])
        x = min(between, key=lambda one: abs(one - straight))
        yield from ((x, top), (x, top + HEIGHT))
    yield end


def _wrapped(title: str) -> Sequence[str]:
    lines = [""]
    for word in title.split():
        if lines[-1] and len(lines[-1]) + 1 + len(word) > MAX_CHARACTERS:
            lines.append(word)
        else:
            lines[-1] = f"{lines[-1]} {word}".strip()
    return lines
