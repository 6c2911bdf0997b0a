"""The report of prove: the checks, file by file, and the claim."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from calmip._base.errors import clip
from calmip.puzzle.render.report import Document, Output, forms_from

if TYPE_CHECKING:
    from calmip.proofs.prove import Proof


def proof(found: Proof) -> Document:
    """Return what was checked, file by file, and the claim."""
    what = "solution" if found.of_model else "tiling"
    if not found.known:
        return Document("Proof", ["nothing is proved: the time limit was reached"])
    number = sum((found.dates or {}).values()) if found.tilings is None else found.tilings
    claim = f"no {what}"
    if number:
        claim = f"{number:,} {what}{'s' if number > 1 else ''}, and no others"
    claim += f" ({found.nodes:,} nodes)"
    lines = [f"{clip(name, 300)}: {clip(how, 1000)}" for name, how in found.checks]
    if found.dates is not None:
        lines = [f"{len(found.dates)} dates, each proof checked: {claim}"]
        if found.stopped:
            remedy = "; run it again to continue" if found.folder else ""
            lines.append(f"the time limit was reached before the other dates{remedy}")
    elif not lines:
        lines = [f"{claim}: {clip(found.folder, 300)}"]
    else:
        end = f"; not checked: {', '.join(found.unchecked)}" if found.unchecked else ""
        lines.append(claim + end)
    return Document("Proof", lines)


def proof_notes(found: Proof) -> Iterator[str]:
    """Yield the next step, or what a proof was not compared with."""
    if not found.compared:
        yield "the puzzle or model is the one in the folder; name INSTANCE to compare it too"
    if not (found.tilings or found.checks or found.dates or found.of_model):
        yield "calmip explain shows a smallest conflict, and multipliers of the equations"


PROOF = Output(forms_from(proof), notes=proof_notes)
