"""A pool of solutions in every form: text, JSON, lines of JSON, pictures."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import takewhile
from time import perf_counter
from typing import TYPE_CHECKING, Any, cast

from calmip._base.errors import InputError, clip
from calmip.mip.display import describe_number
from calmip.puzzle.documents.serialise import csv_text, json_text
from calmip.puzzle.render.characters import PLAIN, Style
from calmip.puzzle.render.report import (
    PICTURES,
    Block,
    DataTable,
    Document,
    Drawing,
    Output,
    Paragraph,
    as_page,
    as_text,
    draw,
    draw_tilings,
    svg_by,
)
from calmip.puzzle.render.text import point_text, safe_name, solution_text

if TYPE_CHECKING:
    from calmip.mip.optima.distance import Diversity
    from calmip.mip.pool import PoolStatistics
    from calmip.mip.rows import Number
    from calmip.puzzle.render.picture import Picture
    from calmip.puzzle.tasks.count import Counts
    from calmip.puzzle.tasks.enumerate import SolutionPool
    from calmip.puzzle.tasks.enumeration import Enumeration
    from calmip.puzzle.tasks.results import Sourced

STOPPED = {
    "limit": "solution limit reached",
    "time": "time limit reached",
    "memory": "memory limit reached",
    "nodes": "node limit reached",
    "undecided": "an exact linear program was not finished",
    "interrupt": "interrupted",
}
"""Why an enumeration ended early."""

MAX_LISTED_SOLUTIONS, MAX_LISTED_COLUMNS = 20, 12
"""The most solutions of a model that a table has, and the most of their columns."""

LISTING_SECONDS = 0.5
"""The seconds after an interrupt in which JSON lists solutions."""


def usage_text(pool: SolutionPool | Enumeration) -> str:
    """Return which variables all solutions use, and none, and a table of the others."""
    used, count, far = pool.used or {}, pool.count, "" if pool.complete else " so far"
    named = {safe_name(name): number for name, number in used.items()}
    rest = sorted((name for name in named if 0 < named[name] < count), key=lambda one: -named[one])
    rows = [[name, f"{named[name]:,}", f"{named[name] / count:.1%}"] for name in rest]
    blocks: list[Block] = [DataTable(("variable", "used in", "share"), rows)] if rest else []
    for words, number in (("always used", count), ("never used", 0)):
        names = [name for name in named if named[name] == number and count]
        blocks += [Paragraph(" ".join(names), f"{words}{far}: ", "  ")] if names else []
    return as_text(Document("", blocks)) if blocks else ""


def lines(pool: SolutionPool | Enumeration) -> Callable[[Any], str]:
    """Return the function that gives a solution as a line of JSON."""
    return pool.problem.lines(valued=bool(pool.goal))


def json_parts(pool: SolutionPool) -> Iterator[str]:
    """Yield a pool as one line of JSON, in parts: the whole text may be larger than the pool."""
    yield json_text(pool.describe_search()).removesuffix("}\n") + f', "{pool.what}s": ['
    yield from _joined(map(lines(pool), pool))
    yield "]}\n"


def interrupted_json(search: Enumeration) -> Iterator[str]:
    """Yield an interrupted search as `json_parts` does, with the first solutions as time allows.

    ``unlisted`` of the search becomes the number of the others.
    """
    from calmip.puzzle.tasks.enumerate import SolutionPool

    pool, end = SolutionPool.of(search, listed=False), perf_counter() + LISTING_SECONDS
    yield json_text(pool.describe_search()).removesuffix("}\n") + f', "{pool.what}s": ['
    in_time = takewhile(lambda _: perf_counter() < end, search.solutions)
    search.unlisted = search.count
    for part in _joined(map(lines(pool), in_time)):
        search.unlisted -= 1
        yield part
    yield "]}\n"


def _joined(lines: Iterable[str]) -> Iterator[str]:
    """Yield lines of JSON as the entries of an array."""
    for number, line in enumerate(lines):
        yield (", " if number else "") + line.removesuffix("\n")


def text(pool: SolutionPool, style: Style = PLAIN) -> str:
    """Return every solution with its number, and the status line."""
    entries = [entry(pool, number, found, style) for number, found in enumerate(pool, start=1)]
    return "".join([*entries, usage_text(pool), verdict(pool), "\n"])


def entry(
    pool: SolutionPool | Enumeration, number: int, solution: Any, style: Style = PLAIN
) -> str:
    """Return one tiling with its number and its labels, or the values of a point."""
    return f"{number}. {solution_text(pool.problem, solution, style, valued=bool(pool.goal))}\n"


def verdict(pool: SolutionPool | Enumeration) -> str:
    """Return one line: the number of solutions, and whether it is proved to be complete."""
    if (diversity := getattr(pool, "diversity", None)) is not None:
        return _choice(cast("SolutionPool", pool), diversity)
    count = pool.count
    what, rest = choices(pool)
    found = f"{format(count, ',' * pool.problem.pooled)} {what}"
    if pool.goal and pool.optimum is not None:
        found += f" ({_objective(pool)})"
    if pool.unlisted:
        found += f", {pool.unlisted:,} of them not listed"
    if pool.symmetries is not None:
        word = "symmetry" if pool.symmetries == 1 else "symmetries"
        found += f" up to symmetry ({pool.symmetries} {word})"
    size = f"{pool.columns} columns x {pool.rows} rows"
    if pool.reduced is not None:
        size += f", {pool.reduced} columns after reduction"
    size += f", {pool.seconds:.2f} s"
    if pool.complete:
        end = f"proved complete{rest}" if count else "proved that there is none"
    else:
        more = "more or better ones" if pool.goal else "more"
        end = f"incomplete: {STOPPED.get(pool.stopped, 'stopped')}, there may be {more}"
    return f"{found}, {end} ({pool.method}, {size})"


def _choice(pool: SolutionPool, found: Diversity) -> str:
    """Return the line on solutions that were chosen to be different."""
    units = "integer variables" if pool.problem.pooled else "placements"
    from calmip.mip.optima.distance import describe_choice

    text = describe_choice(found, len(pool), pool.what, units)
    if not pool.count and pool.complete:
        text = f"there is no {pool.what}, proved"
    if pool.stopped:
        why = STOPPED.get(pool.stopped, "stopped")
        text = (
            f"{why}: {len(pool):,} of {found.wanted:,} chosen"
            if not found.method
            else (f"{why}: {text}")
        )
    if pool.optimum is not None:
        text += f" ({_objective(pool)})"
    return f"{text} ({pool.method}, {pool.seconds:.2f} s)"


def choices(pool: SolutionPool | Enumeration | Counts) -> tuple[str, str]:
    """Return what is counted, in words, and what is to be said of continuous variables.

    Solutions with continuous variables that are not unique are choices of the integers.
    """
    plural = "s" * (pool.count != 1)
    if pool.unique or not pool.complete:
        return f"{pool.what}{plural}", ""
    what = f"choice{plural} of the integers"
    if pool.second is None:
        return what, "; it is not known whether the continuous variables are unique"
    number, point = pool.second
    which = "at least one of them" if pool.tally else f"choice {number}"
    whose = "its" if pool.count == 1 else f"of {which} the"
    words = clip(point_text(pool.model, point), 300)
    return what, f"; {whose} continuous variables are not unique (here is a second point: {words})"


def _objective(pool: SolutionPool | Enumeration) -> str:
    """Return which objectives belong to a pool."""
    best = describe_number(cast("Number", pool.optimum))
    if pool.proved is False:
        return f"best objective found {best}"
    if pool.cutoff is None or not pool.complete:
        return f"optimum {best}, proved"
    last = describe_number(pool.cutoff)
    if pool.goal == "best":
        others = "others equal" if pool.tied else "no other equals"
        return f"objectives {best} to {last}; {others} the last"
    if pool.goal == "gap" and not pool.optimum:
        return "optimum 0, proved; a relative gap of 0 is 0: use --within"
    return f"optimum {best}, proved" + (f"; objectives {best} to {last}" if last != best else "")


def statistics(seen: PoolStatistics) -> str:
    """Return one line: the statistics of the one-tree search."""
    return (
        f"{seen.nodes:,} nodes, {seen.relaxations:,} relaxations; {seen.pruned:,} nodes "
        f"pruned by exact bounds, {seen.unproved:,} claims unverified"
        + (f"; {seen.covers} times the rest as an exact cover" if seen.covers else "")
    )


def as_json(pool: SolutionPool) -> str:
    """Return a pool as one line of JSON."""
    return "".join(json_parts(pool))


def as_lines(pool: SolutionPool) -> str:
    """Return a line of JSON for each solution."""
    return "".join(map(lines(pool), pool))


def head(pool: Sourced) -> str:
    """Return the line of CSV above the solutions: the names of their columns."""
    return csv_text(pool.problem.header(), ())


def row(pool: Sourced, solution: Any) -> str:
    """Return a solution as a line of CSV: the exact values of all variables after the objective.

    A tiling has the uncovered labels, and the cells of each piece as ``--placed`` takes them.
    """
    return csv_text(pool.problem.cells(solution), ())


def as_csv(pool: SolutionPool) -> str:
    """Return a line of CSV for each solution, below their names."""
    return head(pool) + "".join(row(pool, one) for one in pool)


SHEETS = draw_tilings(lambda pool: pool.tilings)
"""The picture formats of tilings."""


def pictures(pool: SolutionPool, form: str, theme: str) -> bytes:
    """Return the tilings, or which variables the solutions use, in a picture format."""
    if not pool.problem.pooled:
        return cast("bytes", SHEETS[form](pool, form, theme))
    if not pool.has_picture:
        raise InputError("there is no solution to draw")
    return draw(pool_picture(pool), form, theme)


def pool_picture(pool: SolutionPool) -> Picture:
    """Return a pool as one picture."""
    from calmip.puzzle.render.solutions import solutions_picture
    from calmip.puzzle.render.tiles import sheet_picture

    return solutions_picture(pool) if pool.problem.pooled else sheet_picture(pool.tilings)


def document(pool: SolutionPool) -> Document:
    """Return the status line, the picture, and for a model a table of the first solutions."""
    blocks: list[Block] = [verdict(pool)]
    if pool.has_picture:
        blocks.append(Drawing(svg=svg_by(lambda: pool_picture(pool))))
    if pool.points:
        blocks += solutions_table(pool)
    return Document(f"{pool.title}: {pool.what}s", blocks, STYLE)


STYLE = (
    "@media screen{.scroll svg{max-width:none}}"
    "@media print{.scroll svg{width:100%;max-height:85vh}}"
)
"""A picture keeps its size on a screen, where it scrolls; a sheet of paper shows all of it."""


def solutions_table(pool: SolutionPool) -> Iterator[DataTable]:
    """Yield the objectives and the variables that are not 0 in all of the first solutions."""
    names = pool.problem.header()
    rows = [pool.problem.cells(one) for one in pool.solutions[:MAX_LISTED_SOLUTIONS]]
    used = [n for n in range(len(names)) if n == 0 or any(row[n] != "0" for row in rows)]
    listed, more = used[:MAX_LISTED_COLUMNS], len(used) - MAX_LISTED_COLUMNS
    notes = [f"{more} more variable{'s are' if more > 1 else ' is'} not shown"] * (more > 0)
    if len(rows) < len(pool.solutions):
        notes.insert(0, f"the first {len(rows)} of {len(pool.solutions):,} solutions")
    yield DataTable(
        [names[n] for n in listed],
        [[row[n] for n in listed] for row in rows],
        "",
        "; ".join(notes),
    )


def as_html(pool: SolutionPool, theme: str) -> str:
    """Return a pool as a page."""
    return as_page(document(pool), theme)


SOLUTION_POOL = Output(
    {
        "text": text,
        "html": as_html,
        "json": as_json,
        "jsonl": as_lines,
        "csv": as_csv,
        **dict.fromkeys(PICTURES, pictures),
    }
)
