"""An exact cover in every format: by the suffix of the file's name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from calmip._files import suffix_of, write_text
from calmip.formats.cnf import cnf_lines
from calmip.formats.dlx import dlx_lines
from calmip.formats.json import json_lines
from calmip.formats.lp import lp_text
from calmip.formats.modelling_languages import dat_lines, dzn_lines, mod_lines, mzn_lines
from calmip.formats.mps import mps_text
from calmip.formats.opb import opb_lines
from calmip.problem.binary_model import BinaryModel
from calmip.problem.cover import ExactCover

__all__ = ["WRITERS", "cover_parts", "write_cover"]

Writer = Callable[[ExactCover, Iterable[str]], Iterator[str]]


def _mps(cover: ExactCover, comments: Iterable[str]) -> Iterator[str]:
    yield mps_text(BinaryModel.from_cover(cover, comments=comments))


def _lp(cover: ExactCover, comments: Iterable[str]) -> Iterator[str]:
    yield lp_text(BinaryModel.from_cover(cover, comments=comments))


# One line per format: suffix -> writer.
WRITERS: dict[str, Writer] = {
    ".mps": _mps,
    ".lp": _lp,
    ".opb": opb_lines,
    ".cnf": cnf_lines,
    ".dlx": dlx_lines,
    ".json": json_lines,
    ".dat": dat_lines,
    ".mod": mod_lines,
    ".dzn": dzn_lines,
    ".mzn": mzn_lines,
}


def cover_parts(cover: ExactCover, suffix: str, comments: Iterable[str] = ()) -> Iterator[str]:
    """Return the text of an exact cover in the format of a suffix, in parts.

    Raises
    ------
    InputError
        If the suffix is unknown.
    """
    suffix_of(Path(f"model{suffix}"), WRITERS)
    return WRITERS[suffix](cover, comments)


def write_cover(path: Path, cover: ExactCover, comments: Iterable[str] = ()) -> None:
    """Write an exact cover in the format of the file's suffix, compressed behind ``.gz``.

    The same cover and comments give the same bytes, wherever they are written.

    Parameters
    ----------
    path
        The file to make or replace; its suffix is one of ``.mps``, ``.lp``,
        ``.opb``, ``.cnf``, ``.dlx``, ``.json``, ``.dat``, ``.mod``, ``.dzn``
        and ``.mzn``, each also with ``.gz``.
    cover
        The exact cover.
    comments
        Lines of printable ASCII for the head, such as those of
        `calmip.formats.comments.header`.

    Raises
    ------
    InputError
        If the suffix is unknown or the file cannot be written.
    """
    suffix, _ = suffix_of(path, WRITERS)
    write_text(path, cover_parts(cover, suffix, comments))
