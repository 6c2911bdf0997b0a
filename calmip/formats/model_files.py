"""Model files of others, MPS or LP, as arrays.

The readers are calmip's own. What a solver's reader does with a faulty file is
its own affair: HiGHS 1.15 takes the coefficient ``abc`` for 0 and a file cut
within COLUMNS for a smaller model. A model that is to be judged must not be
read so.
"""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from pathlib import Path

from calmip._files import suffix_of
from calmip.errors import InputError, shown
from calmip.formats.reading import read_source
from calmip.problem.binary_model import BinaryModel

__all__ = ["read_model"]

# One line per format: suffix -> (module, reader). A module is imported when it is used.
READERS = {
    ".mps": ("calmip.formats.mps.reader", "read_mps"),
    ".lp": ("calmip.formats.lp.reader", "read_lp"),
}

# How a model that is a program in a modelling language becomes a file of numbers.
LANGUAGES = {
    ".mod": "glpsol --check -m {0}.mod --wlp {0}.lp (MathProg), or write from AMPL",
    ".gms": "echo CplexLP {0}.lp > convert.opt && gams {0}.gms mip=convert optfile=1",
}


def read_model(path: str | Path) -> BinaryModel:
    """Return the model in an MPS or LP file, which may be compressed by gzip.

    The objective is turned to be minimised, its sense and its constant noted; bounds that
    fix a variable become rows ``fix_NAME``; rows without a name are called R1,
    R2, ...

    Parameters
    ----------
    path
        A file whose name ends in ``.mps`` or ``.lp``, with or without ``.gz``.

    Raises
    ------
    InputError
        If the file cannot be read, is cut or not valid, or holds anything but
        a linear model whose variables are all binary; with the line where
        there is one.
    """
    file = Path(path)
    language = Path(file.name.lower().removesuffix(".gz")).suffix
    if language in LANGUAGES:
        raise InputError(
            "is a program in a modelling language; write its model as an MPS or LP file first: "
            + LANGUAGES[language].format(
                shown(file.name[: file.name.lower().rindex(language)], 100)
            ),
            path=shown(file, 200),
        )
    suffix, _ = suffix_of(file, READERS)
    module, reader = READERS[suffix]
    model: BinaryModel = getattr(import_module(module), reader)(read_source(file))
    return replace(model, source=str(path))
