"""The formats of model files.

`FORMATS` has one line per format; all code that writes, reads, lists or refuses files uses it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from calmip._base.errors import SolverMissing
from calmip._base.registry import Offer, Registry

if TYPE_CHECKING:
    from calmip.mip.files.text_source import TextFile
    from calmip.mip.model import Model

    ModelFormat = tuple[Callable[[Model], str | Iterator[str]] | None, Callable[[TextFile], Model]]

__all__ = ["DIALECTS", "FORMATS", "Format"]

DIALECTS = ("gurobi", "cplex")
"""The programs in whose form LP and MPS files have constructs."""


def _mps() -> ModelFormat:
    from calmip.mip.files.mps import mps_parts, read_mps

    return mps_parts, read_mps


def _lp() -> ModelFormat:
    from calmip.mip.files.lp import lp_parts, read_lp

    return lp_parts, read_lp


def _opb() -> ModelFormat:
    from calmip.mip.files.boolean import opb_text, read_opb

    return opb_text, read_opb


def _cnf() -> ModelFormat:
    from calmip.mip.files.boolean import cnf_text, read_cnf

    return cnf_text, read_cnf


def _nl() -> ModelFormat:
    from calmip.mip.files.nl import read_nl

    return None, read_nl


def _mof() -> ModelFormat:
    from calmip.mip.files.mof import read_mof

    return None, read_mof


def _fzn() -> ModelFormat:
    from calmip.mip.files.flatzinc import read_fzn

    return None, read_fzn


def _dlx() -> ModelFormat:
    from calmip.mip.files.boolean import dlx_text, read_dlx

    return dlx_text, read_dlx


@dataclass(frozen=True)
class Format:
    """The uses of the files with a suffix.

    Parameters
    ----------
    comment
        The beginning of a line of comment; empty if there is none.
    cover
        The writer of exact covers of another package; the puzzles have calmip's own.
    model
        The import of the writer of models, None where only exact covers are written, and of
        the strict reader.
    read_only
        Whether no model and no exact cover is written in it.
    language, data
        Whether it is a program in a modelling language, or the data alone.
    convert
        The command that converts it to an LP file, where ``{0}`` is the file's name without its
        suffix; empty if none is known.
    """

    comment: str = ""
    cover: Callable[[Any, Iterable[str]], Iterator[str]] | None = None
    model: Callable[[], ModelFormat] | None = None
    language: bool = False
    convert: str = ""
    data: bool = False
    read_only: bool = False


def _offered(offer: Offer) -> Format:
    def fail(*_: object) -> Any:
        found = offer.load()
        raise offer.fault(f"it is a {type(found).__name__}, not a calmip.mip.files.registry.Format")

    try:
        found = offer.load()
    except SolverMissing:
        found = None
    if not isinstance(found, Format):
        return Format(cover=fail, model=fail)
    cover, model = found.cover, found.model

    def write(*given: Any) -> Iterator[str]:
        return iter(offer.call(lambda: list(cover(*given)) if cover else []))

    def both() -> Any:
        from calmip.mip.model import Model

        given = offer.expect(offer.call(model), tuple) if model else ()
        if len(given) != 2:
            raise offer.failed(f"its model gives {len(given)} functions, not a writer and a reader")
        return tuple(
            one and (lambda what, one=one, kind=kind: offer.expect(offer.call(one, what), kind))
            for one, kind in zip(given, (str, Model), strict=True)
        )

    return replace(found, cover=cover and write, model=model and both)


OWN: dict[str, Format] = {
    ".mps": Format("*", model=_mps),
    ".lp": Format("\\", model=_lp),
    ".opb": Format("*", model=_opb),
    ".cnf": Format("c |", model=_cnf),
    ".dlx": Format("|", model=_dlx),
    ".nl": Format(model=_nl, read_only=True),
    ".mof.json": Format(model=_mof, read_only=True),
    ".fzn": Format("%", model=_fzn, read_only=True),
    ".json": Format(),
    ".dat": Format("#", data=True),
    ".mod": Format(
        "#",
        language=True,
        convert="glpsol --check -m {0}.mod --wlp {0}.lp (MathProg), or write from AMPL",
    ),
    ".dzn": Format("%", data=True),
    ".mzn": Format("%", language=True),
    ".gms": Format(
        "*",
        language=True,
        convert="echo CplexLP {0}.lp > convert.opt && gams {0}.gms mip=convert optfile=1",
    ),
    ".zpl": Format("#", language=True),
}

FORMATS = Registry("calmip.mip.files", OWN, _offered, prefix=".")
"""The formats by suffix.

Other packages add theirs by entry points of the group ``calmip.mip.files``, whose names are
suffixes without the full stop.
"""
