"""The exact cover for modelling languages: data, and complete models in MathProg and MiniZinc.

A model is the same text for every instance; the data follow it. So ``.mod`` and
``.mzn`` can be solved as they are, and ``.dat`` and ``.dzn`` are the data alone,
for a model of one's own.
"""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterable, Iterator

from calmip.problem.cover import ExactCover

__all__ = ["dat_lines", "dzn_lines", "mod_lines", "mzn_lines"]

MATHPROG = """\
set ITEMS;
set OPTIONS;
set COVERS within OPTIONS cross ITEMS;
param demand{ITEMS} default 1;
var x{OPTIONS} binary;
minimize nothing: 0;
subject to cover{i in ITEMS}: sum{(o, i) in COVERS} x[o] = demand[i];
"""
"""The placement model; AMPL reads it as well."""

SHOWN = """\
solve;
printf{o in OPTIONS: x[o] > 0.5} "%s 1\\n", o;
"""

MINIZINC = """\
int: items;
int: options;
array[1..items] of int: demand;
array[1..options] of set of 1..items: covers;
array[1..options] of string: name;
array[1..options] of var 0..1: x;
constraint forall(i in 1..items)(sum(o in 1..options where i in covers[o])(x[o]) = demand[i]);
solve satisfy;
output [name[o] ++ " 1\\n" | o in 1..options where fix(x[o]) = 1];
"""


def dat_lines(cover: ExactCover, comments: Iterable[str] = ()) -> Iterator[str]:
    """Yield the data of an exact cover for MathProg and AMPL.

    The sets ``ITEMS`` and ``OPTIONS`` have the names of rows and columns,
    ``COVERS`` the pairs of an option and an item that it covers; ``demand`` is
    there for items that are covered more than once.

    Parameters
    ----------
    cover
        The exact cover to write.
    comments
        Lines of printable ASCII for the head.
    """
    yield from (f"# {line}\n" for line in comments)
    yield "data;\n"
    yield from _wrapped("set ITEMS :=", (item.name for item in cover.items), ";")
    yield from _wrapped("set OPTIONS :=", cover.option_names, ";")
    yield "set COVERS :=\n"
    for number, name in enumerate(cover.option_names):
        yield "".join(f" {name} {cover.items[item].name}" for item in cover.items_of(number)) + "\n"
    yield ";\n"
    several = [f"{item.name} {item.demand}" for item in cover.items if item.demand != 1]
    if several:
        yield f"param demand := {' '.join(several)};\n"
    yield "end;\n"


def mod_lines(cover: ExactCover, comments: Iterable[str] = ()) -> Iterator[str]:
    """Yield a complete model in MathProg: ``glpsol --math FILE`` solves it and prints a tiling."""
    yield from (f"# {line}\n" for line in comments)
    yield MATHPROG
    yield SHOWN
    yield from dat_lines(cover)


def dzn_lines(cover: ExactCover, comments: Iterable[str] = ()) -> Iterator[str]:
    """Yield the data of an exact cover for MiniZinc; items and options are numbered from 1 on.

    Parameters
    ----------
    cover
        The exact cover to write.
    comments
        Lines of printable ASCII for the head.
    """
    yield from (f"% {line}\n" for line in comments)
    yield f"items = {cover.rows};\noptions = {cover.columns};\n"
    yield from _wrapped("demand = [", (f"{item.demand}," for item in cover.items), "];")
    yield "covers = [\n"
    for number in range(cover.columns):
        yield f" {{{', '.join(str(item + 1) for item in cover.items_of(number))}}},\n"
    yield "];\n"
    yield from _wrapped("name = [", (f"{json.dumps(name)}," for name in cover.option_names), "];")


def mzn_lines(cover: ExactCover, comments: Iterable[str] = ()) -> Iterator[str]:
    """Yield a complete model in MiniZinc: ``minizinc FILE`` solves it and prints a tiling."""
    yield from (f"% {line}\n" for line in comments)
    yield MINIZINC
    yield from dzn_lines(cover)


def _wrapped(before: str, words: Iterable[str], after: str) -> Iterator[str]:
    text = " ".join(words)
    yield before + "\n"
    for line in textwrap.wrap(text, 76, break_long_words=False, break_on_hyphens=False):
        yield f" {line}\n"
    yield after + "\n"
