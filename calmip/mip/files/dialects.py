"""What a model file says that other programs read differently, line by line.

The measurements are those of the table docs/reference/dialects.csv.
"""

from __future__ import annotations

from pathlib import Path

from calmip._base.errors import InputError, clip
from calmip._base.files import bare_suffix, suffix_of
from calmip.mip.files.findings import Finding
from calmip.mip.files.model_files import READERS
from calmip.mip.files.text_source import read_source

__all__ = ["Finding", "find_differences"]


def find_differences(path: str | Path) -> list[Finding]:
    """Return what programs read differently in an MPS or LP file, in the order of its lines.

    Raises
    ------
    InputError
        If the file cannot be read, is no text, or is neither MPS nor LP.
    """
    file = Path(path)
    kind = bare_suffix(file)
    if kind in READERS and kind not in (".mps", ".lp"):
        raise InputError(
            "differences between programs are known for MPS and LP files only; "
            "to check an answer, name it, too",
            path=clip(file, 200),
        )
    suffix, _ = suffix_of(file, (".mps", ".lp"), read=True)
    if suffix == ".mps":
        from calmip.mip.files.mps.dialect import find_mps_differences as find
    else:
        from calmip.mip.files.lp.dialect import find_lp_differences as find
    return find(read_source(file))
