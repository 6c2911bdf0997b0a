"""The report of prove: the checks, file by file, and the claim."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from calmip._base.errors import clip
from calmip.mip.display import tell
from calmip.puzzle.render.report import Document, Output, forms_from

if TYPE_CHECKING:
    from calmip.proofs.prove import Proof


def proof(result: Proof) -> Document:
    """Return what was checked, file by file, and the claim."""
    what = "solution" if result.of_model else "tiling"
    if not result.known:
        return Document("Proof", ["nothing is proved: the time limit was reached"])
    number = sum((result.dates or {}).values()) if result.tilings is None else result.tilings
    claim = f"no {what}"
    if number:
        claim = f"{number:,} {what}{'s' if number > 1 else ''}{_which(result)}, and no others"
    claim += f" ({result.nodes:,} node{'s' if result.nodes != 1 else ''})"
    lines = [f"{clip(name, 300)}: {clip(how, 1000)}" for name, how in result.checks]
    if result.dates is not None:
        lines = [f"{len(result.dates)} dates, each proof checked: {claim}"]
        if result.stopped:
            remedy = "; run it again to continue" if result.folder else ""
            lines.append(f"the time limit was reached before the other dates{remedy}")
    elif not lines:
        lines = [f"{claim}: {clip(result.folder, 300)}"]
    else:
        end = f"; not checked: {', '.join(result.unchecked)}" if result.unchecked else ""
        lines.append(claim + end)
    return Document("Proof", lines)


def _which(result: Proof) -> str:
    """Return which solutions of a model are proved, and their objectives."""
    which = f" {result.scope}" if result.scope else ""
    if result.scope == "optimal":
        which = " with the best objective"
    if result.objectives is None:
        return which
    best, worst = map(tell, result.objectives)
    return f"{which} (objective {best})" if best == worst else f"{which} ({best} to {worst})"


def proof_notes(result: Proof) -> Iterator[str]:
    """Yield the next step, or what a proof was not compared with."""
    if not result.compared:
        yield "the puzzle or model is the one in the folder; name INSTANCE to compare it too"
    if not (result.tilings or result.checks or result.dates or result.of_model):
        yield "calmip explain shows a smallest conflict, and multipliers of the equations"


PROOF = Output(forms_from(proof), notes=proof_notes)
