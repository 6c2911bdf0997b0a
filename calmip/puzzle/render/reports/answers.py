"""The reports of single answers: solve, count, hint, today, check, export and others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from calmip._base.errors import clip, join_words
from calmip.mip.display import tell
from calmip.mip.status import Status
from calmip.puzzle.documents.serialise import csv_text
from calmip.puzzle.placements import entry_of
from calmip.puzzle.render.report import (
    Block,
    DataTable,
    Document,
    Drawing,
    Output,
    draw_tilings,
    forms_from,
    svg_by,
)
from calmip.puzzle.render.reports.enumerate import choices
from calmip.puzzle.render.text import draw_choice, draw_position, draw_tiling, point_text
from calmip.puzzle.tasks.problems import InstanceProblem, ModelProblem, Problem, heading, per_kind

if TYPE_CHECKING:
    from calmip.puzzle.instance import Instance
    from calmip.puzzle.render.picture import Picture
    from calmip.puzzle.tasks.check import FileVerdict, FolderVerdict, Verdict
    from calmip.puzzle.tasks.count import Counts
    from calmip.puzzle.tasks.export import Export, Library
    from calmip.puzzle.tasks.hint import Hint
    from calmip.puzzle.tasks.play import Page
    from calmip.puzzle.tasks.problems import PerKind
    from calmip.puzzle.tasks.solve import Solution
    from calmip.puzzle.tasks.solvers import Installed
    from calmip.puzzle.tasks.today import Today
    from calmip.puzzle.tiling import Tiling
    from calmip.solvers import Availability


def _drawing(tiling: Tiling) -> Drawing:
    def picture() -> Picture:
        from calmip.puzzle.render.tiles import tiling_picture

        return tiling_picture(tiling)

    return Drawing(partial(draw_tiling, tiling), svg_by(picture))


# solve


def solution(found: Solution) -> Document:
    """Return the drawing of a tiling or the columns that are one, and the status line."""
    *blocks, verdict = _solved(found.problem, found)
    status = f"{verdict} ({found.solver}, {found.seconds['total']:.2f} s)"
    return Document(f"{found.title}: solution", [*blocks, status])


_solved: PerKind[Iterator[Block]] = per_kind()
"""Yield the solution of a problem, if there is one, and the verdict."""


@_solved.register(InstanceProblem)
def _(_: Problem, found: Solution) -> Iterator[Block]:
    yield from map(_drawing, found.tilings)
    packing = found.packing
    if packing is not None:
        given = packing.instance, packing.placements, packing.labels
        yield Drawing(partial(draw_choice, *given))
    yield _verdict(found)


@_solved.register(ModelProblem)
def _(problem: ModelProblem, found: Solution) -> Iterator[Block]:
    if found.objective is not None:
        yield point_text(problem.model, found.listed)
    yield _verdict_of_model(found)


def sizes(found: Solution) -> Iterator[str]:
    """Yield a line with the size of the model, for ``--verbose``."""
    size = f"{found.columns} columns x {found.rows} rows"
    if found.formulation is not None:
        size = f"{found.formulation}: {size}"
    if found.reduced is not None:
        size += f", {found.reduced} columns after reduction"
    yield size


def _verdict(found: Solution) -> str:
    if found.status is Status.FEASIBLE:
        finder = "found and verified"
        if found.found_by == "search":
            finder = f"found by the exact-cover search, accepted by {found.solver} and verified"
        verdict = f"{' '.join(found.tilings[0].labels)}: tiling {finder}" if found.tilings else ""
    else:
        infeasible = found.status is Status.INFEASIBLE
        verdict = "there is no tiling" if infeasible else "stopped before an answer"
    if found.packing is not None:
        cells = len(found.instance.to_cover)
        most = cells - len(found.packing.missing)
        verdict += f"; a packing covers {most} of {cells} cells"
        if found.status is Status.INFEASIBLE:
            verdict += f" ({found.solver}: none covers more)"
    elif found.status is Status.INFEASIBLE and "solve" in found.seconds:
        verdict += f": {found.solver} reports {found.detail}, and an independent search agrees"
    elif found.status is not Status.FEASIBLE and found.detail:
        verdict += f": {found.detail}"
    return verdict


def _verdict_of_model(found: Solution) -> str:
    optimal = "verified" if found.verified else f"claimed by {found.solver}, unverified"
    verdict = {
        Status.OPTIMAL: f"solution found and checked; optimal: {optimal}",
        Status.FEASIBLE: "solution found and checked",
        Status.INFEASIBLE: "there is no solution",
        Status.UNBOUNDED: "there are solutions with an arbitrarily good objective",
        Status.UNKNOWN: "stopped before an answer",
    }[found.status]
    if found.objective is None:
        return f"{verdict}: {found.detail}" if found.detail else verdict
    if not found.exact:
        verdict = f"solution found, {found.detail}"
    objective = tell(found.model.exact_objective(found.point))
    verdict += f", objective {objective}" if any(found.model.values("cost")) else ""
    if found.unique is not None:
        verdict += "; the only optimum" if found.unique else "; not the only optimum"
    return verdict


# today


def today(found: Today) -> Document:
    """Return the drawing, if there is a tiling, and a line."""
    head = f"{found.date:%A} {found.date}, {found.instance.puzzle.name}"
    if found.tiling is None:
        what = "the time limit was reached" if found.tilings is None else "there is no tiling"
        return Document(head, [f"{head}: {what}"])
    ways = "one of more tilings than could be counted"
    if found.tilings is not None:
        ways = "the only tiling" if found.tilings == 1 else f"one of {found.tilings:,} tilings"
    return Document(head, [_drawing(found.tiling), f"{head}: {ways}"])


# hint


def hint(found: Hint) -> Document:
    """Return the position, what is known of it, and a piece to place or to take off."""
    drawing = Drawing(
        lambda style: draw_position(found.instance, style, hint=found.piece),
        svg_by(lambda: hint_picture(found)),
    )
    return Document(f"{found.instance.name}: hint", [drawing, *notes(found)])


def notes(found: Hint) -> list[str]:
    """Return what is known of the position, line by line, and its difficulty."""
    return [*advice(found), *([difficulty(found)] if found.difficulty else [])]


def difficulty(found: Hint) -> str:
    """Return the difficulty of a position for people."""
    rating = found.difficulty
    assert rating is not None
    if rating.tries is None or rating.forced is None:
        return "difficulty: not rated, because there are too many positions"
    tried = f"difficulty: {float(rating.tries):.1f} placements tried"
    many = "es" if rating.depth != 1 else ""
    guesses = f"at most {rating.depth} guess{many} open at once" if rating.depth else "no guess"
    if not found.solvable:
        return f"{tried} until all are refuted, {guesses}"
    forced = f"{float(rating.forced):.1f} of {rating.pieces} pieces forced"
    return f"{tried} on average, {forced}, {guesses}"


def advice(found: Hint) -> list[str]:
    """Return whether the position can be solved, and what to do."""
    instance = found.instance
    names = [one.piece for one in instance.placed]
    title = heading(instance) + (f" with {join_words(names)} placed" if names else "")
    if found.solvable is None:
        return [f"{title}: the time limit was reached before an answer"]
    if not found.solvable:
        return [f"{title}: it cannot be solved", _remedy(found)]
    if found.piece is None:
        return [f"{title}: solved"]
    share = ""
    if found.tilings_left is not None and found.tilings_left != found.tilings:
        share = f" ({_times(found.tilings_left)} then)"
    elif found.tilings_left is not None and found.tilings_left > 1:
        share = " (the same in every tiling)"
    return [
        f"{title}: it can be solved {_times(found.tilings)}",
        f"lay {entry_of(instance, found.piece)}{share}",
    ]


def _times(number: int | None) -> str:
    if number is None:
        return "in more ways than could be counted"
    return "in one way" if number == 1 else f"in {number:,} ways"


def _remedy(found: Hint) -> str:
    """Return a remedy: a piece to take off, or the command that explains why there is none."""
    if found.hopeless:
        return "the empty board has no tiling; calmip explain shows the conflict"
    if found.blocking:
        any_one = "any one of " if len(found.blocking) > 1 else ""
        return f"take off {any_one}{join_words(found.blocking)} to make it solvable"
    if found.take_off:
        return f"take off {' and '.join(found.take_off)} together; no fewer pieces suffice"
    if not found.complete:
        return "the time limit was reached before it was known what to take off"
    return "taking off one piece is not enough"


def hint_picture(found: Hint) -> Picture:
    """Return the position, and the suggested piece."""
    from calmip.puzzle.render.tiles import position_picture

    return position_picture(found.instance, found.piece)


# count

Choices = Sequence[tuple[Mapping[str, Any], int]]


def counts(found: Counts) -> Document:
    """Return a table by labels, or the extremes among the choices of cells."""
    blocks: Iterable[Block] = [f"{found.detail}: the number of {found.what}s is unknown"]
    if found.counts is not None:
        blocks = _counted(found.problem, found, found.counts)
    return Document(f"{found.title}: number of {found.what}s", [*blocks])


_counted: PerKind[Iterator[Block]] = per_kind()
"""Yield the number of solutions of a problem, line by line."""


@_counted.register(ModelProblem)
def _(_: Problem, found: Counts, __: Choices) -> Iterator[Block]:
    what, rest = choices(found)
    yield f"{found.total:,} {what}, proved complete{rest} ({found.method})"


@_counted.register(InstanceProblem)
def _(problem: InstanceProblem, found: Counts, counts: Choices) -> Iterator[Block]:
    if found.any_cells is not None:
        yield from _extremes(counts)
        for word, wanted in (("impossible", 0), ("unique", 1)):
            places = [_words(reveal) for reveal, number in counts if number == wanted]
            yield f"{word} ({len(places)}): {'; '.join(places) or 'none'}"
        return
    yield from _table(problem.instance, counts)
    yield from _extremes(counts)
    if found.symmetries == 1:
        yield "up to symmetry as many: the region to cover has no symmetry"
    elif found.symmetries is not None:
        symmetries = f"the region to cover has {found.symmetries} symmetries"
        yield f"up to symmetry {found.different:,}: {symmetries}"
    if found.left:
        yield ""
        yield from _left_out(found.left)


def counts_csv(found: Counts) -> str:
    """Return a header and a line per choice of what stays uncovered."""
    every = found.counts or ()
    names = list(every[0][0])
    rows = ([*(_cell(reveal[name]) for name in names), number] for reveal, number in every)
    return csv_text([*names, f"{found.what}s"], rows)


def _cell(value: object) -> str:
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)


def _table(instance: Instance, counts: Choices) -> list[Block]:
    """Return a table of the two largest free groups, each number the sum over the others."""
    groups = instance.puzzle.groups
    free = sorted(instance.free, key=lambda group: len(groups[group]))[-2:]
    if not free:
        return []
    if len(free) == 1:
        rows = [[str(reveal[free[0]]), str(number)] for reveal, number in counts]
        return [DataTable((), rows, left=()), ""]
    across, down = free
    sums: Counter[tuple[str, str]] = Counter()
    for reveal, number in counts:
        sums[reveal[across], reveal[down]] += number
    rows = [
        [row, *(str(sums[column, row]) for column in groups[across] if (column, row) in sums)]
        for row in groups[down]
    ]
    totals = (sum(sums[column, row] for row in groups[down]) for column in groups[across])
    rows.append(["all", *map(str, totals)])
    lines: list[Block] = [DataTable(["", *groups[across]], rows, left=())]
    others = [group for group in instance.free if group not in free]
    if others:
        lines.append(f"(each number is the sum over all choices of {' and '.join(others)})")
    return [*lines, ""]


MAX_LISTED_SETS = 20
"""The most sets of pieces left out in a report."""


def _left_out(left: Mapping[tuple[str, ...], int]) -> Iterator[Block]:
    """Yield a table of the pieces that are left out, and what it omits."""
    rows = [[join_words(names), f"{n:,}"] for names, n in left.items()]
    yield DataTable(("left out", "tilings"), rows[:MAX_LISTED_SETS], left=(0,))
    if len(rows) > MAX_LISTED_SETS:
        yield f"and {len(rows) - MAX_LISTED_SETS:,} more; the JSON has all"


def _extremes(counts: Choices) -> Iterator[str]:
    numbers = [number for _, number in counts]
    yield f"total {sum(numbers):,} in {len(numbers):,} choice{'s' if len(numbers) > 1 else ''}"
    if len(numbers) > 1:
        for word, extreme in (("minimum", min(numbers)), ("maximum", max(numbers))):
            places = [_words(reveal) for reveal, number in counts if number == extreme]
            more = f" and {len(places) - 5} more" if len(places) > 5 else ""
            yield f"{word} {extreme:,}: {'; '.join(places[:5])}{more}"
        yield f"mean {sum(numbers) / len(numbers):,.1f}"


def _words(reveal: Mapping[str, Any]) -> str:
    if "cells" in reveal:
        pairs = zip(reveal["labels"], reveal["cells"], strict=True)
        return " ".join(f"{label} ({r}, {c})" if label == "*" else label for label, (r, c) in pairs)
    return " ".join(map(_cell, reveal.values()))


# check, export, play, solvers


def verdict(found: Verdict) -> Document:
    """Return the point, if there is one to show, and the reasons."""
    lines: list[Block] = [clip(reason, 4000) for reason in found.reasons]
    if found.all and found.violations:
        lines = [*lines[:1], *(f"  {clip(one.text, 1000)}" for one in found.violations)]
        if found.repair is not None:
            lines.append(clip(f"{found.repair}", 4000))
    if found.point is not None:
        given = found.instance, found.point.placements, found.point.labels
        lines.insert(0, Drawing(partial(draw_choice, *given)))
    return Document("Check", lines)


def folder_verdict(found: FolderVerdict) -> Document:
    """Return a line for each answer that is not accepted, and the numbers of all."""
    lines = [
        f"{clip(file.name, 300)}: {file.status}: {clip(file.reason, 1000)}"
        for file in found.files
        if file.status is not Status.ACCEPTED
    ]
    numbers = Counter(file.status for file in found.files)
    words = ", ".join(f"{number} {status}" for status, number in numbers.items())
    return Document("Check of a folder", [*lines, f"{len(found.files)} models: {words}"])


def file_verdict(found: FileVerdict) -> Document:
    """Return a line for each finding, and their number."""
    path, lines = clip(found.path, 300), []
    for finding in found.findings:
        first = f":{finding.lines[0]}" if finding.lines else ""
        others = len(finding.lines) - 1
        more = f" (and {others} more line{'s' * (others > 1)})" if others > 0 else ""
        row = f" [{finding.row}]" if finding.row else ""
        lines.append(f"{path}{first}: {clip(finding, 1000)}{row}{more}")
    number = len(found.findings)
    words = f"{number} finding{'s' * (number > 1)}" if number else "programs read it alike"
    return Document("Check of a file", [*lines, f"{path}: {words}"])


def export(found: Export) -> Document:
    """Return the file and the size of its model."""
    size = f"{found.columns} columns, {found.rows} rows, {found.nonzeros} nonzeros"
    return Document("Export", [f"{clip(found.path, 300)}: {size}"])


def library(found: Library) -> Document:
    """Return the folder and the number of its files."""
    files = f"{len(found.entries)} files ({found.suffix})"
    return Document("Export", [f"{clip(found.folder, 300)}: {files}, index.csv and index.solu"])


def play(found: Page) -> Document:
    """Return where the page is, and whether a browser shows it."""
    state = "opened in the browser" if found.opened else "open it in a browser"
    if not found.start:
        state = "the element <calmip-board> for pages of others"
    return Document("Page", [f"{clip(found.path, 300)}: {state}"])


def installed(found: Installed) -> Document:
    """Return the solvers and the formulations: version, where found, how to get what is missing."""
    blocks: list[Block] = []
    for title, known in {"solvers": found.solvers, "formulations": found.formulations}.items():
        rows = [(name, found.sentence(name)) for name in known]
        blocks += [
            DataTable((), rows, title, left=range(2), indent="  "),
            "",
            _table_of(f"{title} on this machine", known.items()),
            "",
        ]
    blocks.pop()
    return Document("Solvers and formulations", blocks)


def _table_of(title: str, known: Iterable[tuple[str, Availability]]) -> DataTable:
    rows = [
        (name, "missing", one.remedy)
        if one.found is None
        else (name, one.version or "version unknown", one.found)
        for name, one in known
    ]
    return DataTable((), rows, title, left=range(3), indent="  ")


SOLUTION = Output(
    {**forms_from(solution), **draw_tilings(lambda found: found.tilings)}, sizes=sizes
)
TODAY = Output(
    {
        **forms_from(today),
        **draw_tilings(lambda found: [found.tiling] if found.tiling else []),
    }
)
HINT = Output(forms_from(hint, hint_picture), picture_notes=notes)
COUNTS = Output(forms_from(counts, csv=counts_csv))
VERDICT = Output(forms_from(verdict))
FOLDER_VERDICT = Output(forms_from(folder_verdict))
FILE_VERDICT = Output(forms_from(file_verdict))
EXPORT = Output(forms_from(export), aside=True)
LIBRARY = Output(forms_from(library), aside=True)
PAGE = Output(forms_from(play))
INSTALLED = Output(forms_from(installed))
