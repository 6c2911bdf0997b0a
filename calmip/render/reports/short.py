"""The results of which a text is all: a function for each task, named as it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from calmip.documents.description import puzzle_text
from calmip.errors import shown
from calmip.problem.status import Status
from calmip.render.characters import PLAIN, Style, aligned
from calmip.render.text import draw_choice

if TYPE_CHECKING:
    from calmip.solvers import Availability
    from calmip.tasks._check_folder import FolderVerdict
    from calmip.tasks.check import Verdict
    from calmip.tasks.export import Export, Library
    from calmip.tasks.play import Page
    from calmip.tasks.prove import Proof
    from calmip.tasks.rearrange import Merit, Rearrangement
    from calmip.tasks.solvers import Installed

__all__ = ["TEXTS", "noted"]


def checked(verdict: Verdict, style: Style = PLAIN) -> str:
    """Return the point, if there is one to show, and the reasons."""
    lines = [shown(reason, 4000) for reason in verdict.reasons]
    if verdict.point is not None:
        point = verdict.point
        lines.insert(0, draw_choice(verdict.instance, point.placements, point.labels, style))
    return "\n".join(lines) + "\n"


def checked_folder(verdict: FolderVerdict) -> str:
    """Return a line for each answer that is not accepted, and the numbers of all."""
    lines = [
        f"{shown(file.name, 300)}: {file.status}: {shown(file.reason, 1000)}"
        for file in verdict.files
        if file.status is not Status.ACCEPTED
    ]
    found = Counter(file.status for file in verdict.files)
    words = [f"{found[status]} {status}" for status in found]
    return "\n".join([*lines, f"{len(verdict.files)} models: {', '.join(words)}"]) + "\n"


def export(written: Export | Library) -> str:
    """Return the file and the size of its model, or the folder and the number of its files."""
    from calmip.tasks.export import Library

    if isinstance(written, Library):
        files = f"{len(written.entries)} files ({written.suffix})"
        return f"{shown(written.folder, 300)}: {files}, index.csv and index.solu\n"
    size = f"{written.columns} columns, {written.rows} rows, {written.nonzeros} nonzeros"
    return f"{shown(written.path, 300)}: {size}\n"


def play(page: Page) -> str:
    """Return where the page is, and whether a browser shows it."""
    if page.opened:
        return f"{shown(page.path, 300)}: opened in the browser\n"
    return f"{shown(page.path, 300)}: open it in a browser\n"


def prove(proof: Proof) -> str:
    """Return what was checked, file by file, and the claim."""
    if proof.dates is not None:
        return f"{len(proof.dates)} dates, each proof checked: {_claim(proof)}\n"
    if not proof.checks:
        return f"{_claim(proof)}: {shown(proof.folder, 300)}\n"
    end = f"; not checked: {', '.join(proof.unchecked)}" if proof.unchecked else ""
    lines = [
        *(f"{shown(name, 300)}: {shown(how, 1000)}" for name, how in proof.checks),
        f"{_claim(proof)}{end}",
    ]
    return "\n".join(lines) + "\n"


def _claim(proof: Proof) -> str:
    what = "tiling" if proof.tilings == 1 else "tilings"
    head = f"{proof.tilings:,} {what}, and no others" if proof.tilings else "no tiling"
    return f"{head} ({proof.nodes:,} nodes)"


def rearrange(found: Rearrangement) -> str:
    """Return the new puzzle as YAML."""
    return puzzle_text(found.puzzle)


def noted(found: Any) -> list[str]:
    """Return what is said of a result besides: the merits of arrangements, what to do next."""
    from calmip.tasks.prove import Proof
    from calmip.tasks.rearrange import Rearrangement

    if isinstance(found, Proof) and not (found.tilings or found.checks or found.dates):
        return ["calmip explain shows a smallest conflict, and multipliers of the equations"]
    if not isinstance(found, Rearrangement):
        return []
    merits = {"before:": found.before, "greedy:": found.greedy, "after:": found.after}
    return [f"{name:<8}{_merit(merit)}" for name, merit in merits.items()]


def _merit(merit: Merit) -> str:
    dates = "date is" if merit.impossible == 1 else "dates are"
    return f"rank correlation {merit.correlation:+.4f}; {merit.impossible} real {dates} impossible"


def solvers(installed: Installed) -> str:
    """Return the solvers and the formulations: version, where found, how to get what is missing."""
    lines = ["solvers", *_known(installed.solvers), "", "formulations"]
    return "\n".join([*lines, *_known(installed.formulations)]) + "\n"


def _known(known: Mapping[str, Availability]) -> list[str]:
    rows = [
        (name, "missing", one.remedy)
        if one.found is None
        else (name, one.version or "version unknown", one.found)
        for name, one in known.items()
    ]
    return aligned(rows, left=range(3), indent="  ")


TEXTS: Mapping[str, Callable[..., str]] = {
    "check": checked,
    "check_folder": checked_folder,
    "export": export,
    "play": play,
    "prove": prove,
    "rearrange": rearrange,
    "solvers": solvers,
}
"""The functions by the tasks' names."""
