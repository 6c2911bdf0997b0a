"""Notebooks: the cell of a submitted one that is marked."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from calmip._base.errors import InputError, join_words
from calmip.course.declared_numbers import LINE

SUFFIX = ".ipynb"

MOST_BYTES = 10_000_000
"""The most bytes of a notebook, which holds its output and pictures."""

MAGIC = re.compile(r"^[%!].*$", re.MULTILINE)
"""A line for IPython alone."""


def program_of(data: bytes, functions: Sequence[str]) -> str:
    """Return the cells of a notebook that define some functions, or state figures, as a program.

    Of several cells that define a function the last counts. The others are not run.

    Raises
    ------
    InputError
        If it is not a notebook, or no cell defines one of the functions.
    """
    sources = list(_sources(data))
    chosen: set[int] = set()
    for function in functions:
        wanted = re.compile(rf"^(?:async )?def {function}\b", re.MULTILINE)
        cells = [number for number, source in enumerate(sources) if wanted.search(source)]
        chosen |= set(cells[-1:])
    if not chosen:
        raise InputError(
            f"no cell defines {join_words(functions)}; write it in one cell, with its imports"
        )
    program = "\n".join(sources[number] for number in sorted(chosen))
    stated = [found[0] for source in sources if (found := LINE.search(source))]
    return program if LINE.search(program) else "\n".join([program, *stated[-1:]])


def _sources(data: bytes) -> Iterator[str]:
    """Yield the texts of a notebook's code cells, without the lines for IPython."""
    try:
        cells: list[Any] = json.loads(data)["cells"]
        codes = [cell["source"] for cell in cells if cell["cell_type"] == "code"]
        texts = ["".join(code) for code in codes]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise InputError("is not a notebook of Jupyter, format 4") from None
    yield from (MAGIC.sub("", text) for text in texts)
