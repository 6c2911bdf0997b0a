"""A pool of a model as a picture: which variables its solutions use.

A row is a variable that differs, a column a solution; the bars count the solutions that use the
variable. Names stand beside rows because they are long. Beyond some solutions there are bars alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from calmip._base.errors import clip
from calmip.mip.display import describe_number
from calmip.puzzle.render.lettering import letters
from calmip.puzzle.render.picture import Area, Mark, Picture, Words, box
from calmip.puzzle.render.text import safe_name
from calmip.puzzle.tasks.problems import values_of

if TYPE_CHECKING:
    from calmip.mip.rows import Number
    from calmip.puzzle.tasks.enumerate import SolutionPool

MAX_COLUMNS = 60
"""More solutions have no columns of their own."""

MAX_ROWS = 80
"""The most variables that are drawn."""

ROW, TYPE, EDGE = 0.5, 0.32, 0.4
"""The height of a row, that of its letters, and the space around."""

NARROW, WIDE, ALL = 0.22, 0.5, 14.0
"""The least and the greatest width of a column, and that of all columns together."""

BARS, STRIP, MAX_NAME = 4.0, 1.2, 26
"""The width of the bars, the height of the objectives, the characters of a name."""

USED, OBJECTIVE, EMPTY = "p6", "quiet", "board"


def solutions_picture(pool: SolutionPool) -> Picture:
    """Return which integer variables the solutions of a model use."""
    every = [values for _, values in sorted(_ordered(pool), key=lambda one: one[0])]
    names = {c: safe_name(clip(n, MAX_NAME)) for c, n in enumerate(pool.model.own_columns)}
    integer = pool.model.values("integer")
    usage = pool.usage
    used = {c: usage[n] for c, n in enumerate(pool.model.own_columns) if integer[c] and n in usage}
    varied = [c for c in used if len({one.get(c, 0) for one in every}) > 1]
    if pool.tally:  # of values other than 0 nothing is known
        varied = [c for c, number in used.items() if 0 < number < pool.count]
    varied.sort(key=lambda column: (-used[column], column))
    shown = varied[:MAX_ROWS]
    columns = len(every) if 1 < len(every) <= MAX_COLUMNS else 0
    objectives = sorted(map(float, pool.objectives), reverse=pool.model.maximise)
    strip = bool(columns) and objectives[0] != objectives[-1]
    labels = [*["objective"] * strip, *map(names.__getitem__, shown)]
    left = EDGE + max((letters(label, TYPE)[0] for label in labels), default=0.0) + 0.4
    width = min(WIDE, max(NARROW, ALL / columns)) if columns else 0.0
    lines = list(_words(pool, used, varied, every))
    top = EDGE + ROW * len(lines) + 0.2
    marks: list[Mark] = [
        Words(EDGE, EDGE + ROW * (n + 0.5), line, TYPE, "ink" if n == 0 else "quiet", n == 0, True)
        for n, line in enumerate(lines)
    ]
    if strip:
        marks += _strip(pool, objectives, left, top, width)
        top += STRIP + 0.2
    bars = left + columns * width + (0.3 if columns else 0.0)
    if shown:
        marks.append(Words(bars, top + ROW / 2, "used in", TYPE, "quiet", start=True))
        top += ROW
    for row, column in enumerate(shown):
        down = top + row * ROW
        marks.append(Words(left - 0.2, down + ROW / 2, names[column], TYPE, end=True))
        if columns:
            values = [one.get(column, 0) for one in every]
            marks += _cells(values, left, down, width)
        marks += _bar(used[column], pool.count, bars, down)
    texts = (EDGE + letters(line, TYPE)[0] * 1.25 for line in lines)
    across = max(bars + BARS + 1.6, *texts) + EDGE
    height = top + ROW * len(shown) + EDGE
    title = f"{safe_name(pool.title)}: {lines[0]}"
    return Picture(across, height, tuple(marks), title, ". ".join(lines))


def _ordered(pool: SolutionPool) -> Iterator[tuple[tuple[float, int], Mapping[int, Number]]]:
    """Yield the values of each solution with its place: by objective, then as found."""
    sign = -1 if pool.model.maximise else 1
    pairs = zip(pool.objectives, pool.points, strict=True)
    for number, (objective, point) in enumerate(pairs):
        yield (sign * float(objective), number), values_of(point)


def _words(
    pool: SolutionPool,
    used: Mapping[int, int],
    varied: Sequence[int],
    every: Sequence[Mapping[int, Number]],
) -> Iterator[str]:
    """Yield the lines above the rows."""
    count = pool.count
    known = "" if pool.complete else ", there may be more"
    solutions = f"{count:,} solution{'s' * (count != 1)}{known}"
    differ = "are used in some of them" if pool.tally else "differ"
    yield f"{solutions}: {len(varied):,} of {len(used):,} integer variables {differ}"
    names = {c: safe_name(clip(pool.model.columns[c], MAX_NAME)) for c in used}
    always = [
        names[c] if pool.tally else f"{names[c]}={describe_number(every[0][c])}"
        for c in sorted(set(used) - set(varied))
        if used[c] == count
    ]
    if always:
        yield f"always: {clip(' '.join(always), 80)}"
    unused = sum(not number for number in used.values())
    if unused:
        yield f"{unused:,} variable{'s are' if unused > 1 else ' is'} never used"
    if len(varied) > MAX_ROWS:
        yield f"the {MAX_ROWS} that are used most are shown"
    if len(used) < len(pool.model.own_columns):
        yield "continuous variables are not shown"


def _strip(
    pool: SolutionPool, objectives: Sequence[float], left: float, top: float, width: float
) -> Iterator[Mark]:
    """Yield a bar for the objective of each solution, the higher the worse."""
    best, worst = objectives[0], objectives[-1]
    yield Words(left - 0.2, top + STRIP - ROW / 2, "objective", TYPE, "quiet", end=True)
    for number, one in enumerate(objectives):
        size = 0.08 + (STRIP - 0.08) * abs(one - best) / abs(worst - best)
        place = box(left + number * width + 0.03, top + STRIP - size, width - 0.06, size)
        yield Area((place,), OBJECTIVE)
    ends = sorted(set(pool.objectives), reverse=pool.model.maximise)
    text = f"{describe_number(ends[0])} to {describe_number(ends[-1])}"
    right = left + len(objectives) * width + 0.3
    yield Words(right, top + STRIP - ROW / 2, text, TYPE, "quiet", start=True)


def _cells(values: Sequence[Number], left: float, down: float, width: float) -> Iterator[Mark]:
    """Yield the values of a variable: filled where it is used, with values beside 0 and 1."""
    gap, plain = 0.03, set(values) <= {0, 1}
    for number, value in enumerate(values):
        place = box(left + number * width + gap, down + gap, width - 2 * gap, ROW - 2 * gap)
        yield Area((place,), USED if value else EMPTY)
        text = str(describe_number(value))
        if value and not plain and letters(text, TYPE * 0.8)[0] < width:
            middle = left + (number + 0.5) * width
            yield Words(middle, down + ROW / 2, text, TYPE * 0.8, "name")


def _bar(count: int, every: int, left: float, down: float) -> Iterator[Mark]:
    """Yield a bar for the number of solutions that use a variable, and this number."""
    inside = down + 0.12, ROW - 0.24
    yield Area((box(left, inside[0], BARS, inside[1]),), EMPTY)
    if count:
        yield Area((box(left, inside[0], BARS * count / every, inside[1]),), USED)
    text = f"{count:,}" if every <= MAX_COLUMNS else f"{count:,} ({count / every:.0%})"
    yield Words(left + BARS + 0.15, down + ROW / 2, text, TYPE, start=True)
