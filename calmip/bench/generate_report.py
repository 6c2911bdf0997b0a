"""The report of generate: the folder of the drawn instances."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calmip._base.errors import clip
from calmip.puzzle.render.report import Document, Output, forms_from

if TYPE_CHECKING:
    from calmip.bench.generate import Generated


def generated(result: Generated) -> Document:
    """Return the folder, the number of its instances, and of those that were drawn."""
    number = len(result.entries)
    made = f"{number} instance{'s' * (number != 1)} ({result.suffix}), {result.drawn} drawn"
    lines = [f"{clip(result.folder, 300)}: {made}; index.csv, index.solu and answers.csv"]
    if result.stopped:
        lines.append(f"the time limit was reached before there were {result.asked}")
    return Document("Instances", lines)


GENERATED = Output(forms_from(generated), aside=True)
