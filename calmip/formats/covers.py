"""The formats of models, and exact covers as text in all of them but MPS and LP.

`FORMATS` has one line per format; whatever writes, reads, lists or refuses files follows it.

* OPB: O. Roussel and V. Manquinho, "Input/Output Format and Solver Requirements for the
  Competitions of Pseudo-Boolean Solvers", 2012.
* DIMACS: the models of the formula are the tilings, one for one. A row that asks for one
  option says "at least one" in a clause and "no two" pair by pair. A row that
  asks for k > 1 (equal pieces) counts through auxiliary variables that are
  *defined* by the options (each equivalent to a formula in them), so that they
  multiply no model: the sequential counter of C. Sinz, "Towards an Optimal CNF
  Encoding of Boolean Cardinality Constraints", CP 2005, doi:10.1007/11564751_73,
  with equivalences in place of its implications.
* DLX: that of D. E. Knuth's programs DLX1 to DLX3 (The Art of Computer
  Programming, Volume 4B, section 7.2.2.1): comments behind ``|``, the items on
  one line, then one option per line. Equal pieces make an item that is covered n
  times; it is written ``n|item`` as DLX3 takes it. Without equal pieces DLX1 and
  DLX2 read the file too.
* JSON: items and options, for programs of one's own.
* MathProg and MiniZinc: a model is the same text for every instance; the data follow it. So
  ``.mod`` and ``.mzn`` can be solved as they are, and ``.dat`` and ``.dzn`` are the data alone,
  for a model of one's own.
"""

from __future__ import annotations

import json
import textwrap
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from calmip.errors import InputError
from calmip.problem.cover import ExactCover, Placement

if TYPE_CHECKING:
    from calmip.formats.reading import TextFile
    from calmip.problem.binary_model import BinaryModel

__all__ = ["FORMATS", "Format", "cnf_lines", "opb_lines"]


def opb_lines(
    cover: ExactCover, comments: Iterable[str] = (), *, preserved: bool = False
) -> Iterator[str]:
    """Yield the lines of an OPB file: variable xN is the option N - 1, a row is an equation.

    Parameters
    ----------
    cover
        The exact cover to write.
    comments
        Lines of printable ASCII for the head.
    preserved
        Whether to add the line with which VeriPB is told that solutions
        differ in any of the variables.
    """
    # The numbers of variables and rows are by rule the first line.
    yield f"* #variable= {max(cover.columns, 1)} #constraint= {cover.rows}\n"
    for line in comments:
        yield f"* {line}\n"
    for number, name in enumerate(cover.option_names, start=1):
        yield f"* x{number} = {name}\n"
    if not cover.columns:
        yield "* x1 is no option, as there is none\n"
    if preserved and cover.columns:
        yield f"preserved: {' '.join(f'x{number}' for number in range(1, cover.columns + 1))} ;\n"
    for item, options in zip(cover.items, cover.options_of(), strict=True):
        yield f"* {item.name}\n"
        if options:
            yield "".join(f"+1 x{option + 1} " for option in options) + f"= {item.demand} ;\n"
        else:
            # A sum without terms is not in the grammar; this cannot hold either.
            yield "+1 x1 >= 2 ;\n"


MAX_CLAUSES = 10_000_000

Clause = tuple[int, ...]


def cnf_lines(
    cover: ExactCover,
    comments: Iterable[str] = (),
    *,
    blocked: tuple[int, Iterable[str]] | None = None,
) -> Iterator[str]:
    """Yield the lines of a DIMACS file: variable N is the option N - 1.

    The line ``c t mc`` says that the models are to be counted, unless some
    are blocked.

    Parameters
    ----------
    cover
        The exact cover to write.
    comments
        Lines of printable ASCII for the head.
    blocked
        The number of further clauses, each of which excludes one solution,
        and their lines.

    Raises
    ------
    InputError
        If there would be more than ten million clauses.
    """
    options_of = cover.options_of()
    pairs = sum(len(options) * (len(options) - 1) // 2 for options in options_of)
    if pairs > MAX_CLAUSES:
        raise InputError(
            f"about {pairs:,} clauses are too many for a .cnf file; write .opb, .dlx or .mps"
        )
    clauses: list[Clause] = []
    # Without any option there is one variable all the same, for a clause that cannot hold.
    variables = max(cover.columns, 1)
    # No two options that share an item; a pair that shares several is written once.
    foes: list[set[int]] = [set() for _ in range(cover.columns)]
    for item, options in zip(cover.items, options_of, strict=True):
        literals = [option + 1 for option in options]
        if len(literals) < item.demand:
            clauses += [(1,), (-1,)]  # An empty clause is not read by all programs.
        elif item.demand == 1:
            clauses.append(tuple(literals))
            for place, option in enumerate(options):
                foes[option].update(options[place + 1 :])
        else:
            counted, variables = _exactly(literals, item.demand, variables)
            clauses += counted
    for line in comments:
        # The bar keeps a puzzle's name from being read as a word to the counter (c t, c p).
        yield f"c | {line}\n"
    yield from _meanings(cover, variables)
    if blocked is None:
        yield "c t mc\n"
    number, lines = blocked or (0, ())
    yield f"p cnf {variables} {len(clauses) + sum(map(len, foes)) + number}\n"
    for clause in clauses:
        yield " ".join(map(str, clause)) + " 0\n"
    ends = [f" -{number} 0\n" for number in range(1, cover.columns + 1)]
    for number, them in enumerate(foes, start=1):
        # One text for the many clauses of an option: most of the time is spent here.
        yield "".join([f"-{number}{ends[foe]}" for foe in sorted(them)])
    yield from lines


def _meanings(cover: ExactCover, variables: int) -> Iterator[str]:
    """Yield what each variable stands for, as comments."""
    for number, name in enumerate(cover.option_names, start=1):
        yield f"c {number} = {name}\n"
    if not cover.columns:
        yield "c 1 is no option, as there is none\n"
    elif variables > cover.columns:
        yield f"c {cover.columns + 1} to {variables} follow from the others: they count\n"


def _exactly(literals: list[int], demand: int, last: int) -> tuple[list[Clause], int]:
    """Return clauses that make exactly ``demand`` literals true, and the last variable used.

    The variable s(i, j) is true if and only if j or more of the first i
    literals are; s(i, 0) is true and s(i, j) with j > i is false, so neither
    needs a variable.
    """
    clauses: list[Clause] = []
    before: dict[int, int] = {}  # j -> s(i - 1, j), for 1 <= j <= min(i - 1, demand)
    for x in literals:
        now: dict[int, int] = {}
        for j in range(1, min(len(before) + 1, demand) + 1):
            last += 1
            now[j] = s = last
            more, fewer = before.get(j), before.get(j - 1)
            kept = () if more is None else (more,)
            if more is not None:
                clauses.append((-more, s))
            clauses.append((-x, s) if fewer is None else (-x, -fewer, s))
            clauses.append((-s, *kept, x))
            if fewer is not None:
                clauses.append((-s, *kept, fewer))
        if demand in before:
            clauses.append((-x, -before[demand]))
        before = now
    clauses.append((before[demand],))
    return clauses, last


MAX_NAME = 8
"""Knuth's programs refuse longer names."""


def dlx_lines(cover: ExactCover, comments: Iterable[str] = ()) -> Iterator[str]:
    """Yield the lines of a DLX file; the options stand in the order of the columns.

    Parameters
    ----------
    cover
        The exact cover to write.
    comments
        Lines of printable ASCII for the head.
    """
    names = [item.name for item in cover.items]
    for line in comments:
        yield f"| {line}\n"
    if any(len(name) > MAX_NAME for name in names):
        numbered = [f"i{number}" for number in range(1, len(names) + 1)]
        for short, name in zip(numbered, names, strict=True):
            yield f"| {short} = {name}\n"
        names = numbered
    if any(item.demand > 1 for item in cover.items):
        yield "| n|item is covered n times: for DLX3 (DLX1 and DLX2 do not know it)\n"
    yield (
        " ".join(
            name if item.demand == 1 else f"{item.demand}|{name}"
            for item, name in zip(cover.items, names, strict=True)
        )
        + "\n"
    )
    for option in range(cover.columns):
        yield " ".join(names[item] for item in cover.items_of(option)) + "\n"


def json_lines(cover: ExactCover, comments: Iterable[str] = ()) -> Iterator[str]:
    """Yield the lines of a JSON object, one item or option per line.

    Its keys: ``comments``; ``items``, each with ``name`` (the row's), ``kind``
    (``cell``, ``piece`` or ``group``), ``text`` and ``demand``; ``options``,
    each with ``name`` (the column's), ``items`` (0-based positions in
    ``items``, ascending), ``cells`` ([row, column], 0-based), and ``piece`` or
    ``group`` and ``label``.

    Parameters
    ----------
    cover
        The exact cover to write.
    comments
        Lines for the key ``comments``.
    """
    yield f'{{"comments": {json.dumps(list(comments))},\n"items": [\n'
    items = [
        {"name": item.name, "kind": item.kind, "text": item.text, "demand": item.demand}
        for item in cover.items
    ]
    yield from _listed(items)
    yield '],\n"options": [\n'
    yield from _listed(_option(cover, number) for number in range(cover.columns))
    yield "]}\n"


def _option(cover: ExactCover, number: int) -> dict[str, Any]:
    chosen = cover.option(number)
    what = (
        {"piece": chosen.piece}
        if isinstance(chosen, Placement)
        else {"group": chosen.group, "label": chosen.label}
    )
    return {
        "name": cover.option_names[number],
        **what,
        "cells": [list(cell) for cell in chosen.cells],
        "items": cover.items_of(number),
    }


def _listed(entries: Iterable[dict[str, Any]]) -> Iterator[str]:
    separator = ""
    for entry in entries:
        yield separator + json.dumps(entry)
        separator = ",\n"
    yield "\n"


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


def _mps(model: BinaryModel) -> str:
    from calmip.formats.mps import mps_text

    return mps_text(model)


def _lp(model: BinaryModel) -> str:
    from calmip.formats.lp import lp_text

    return lp_text(model)


def _read_mps(source: TextFile) -> BinaryModel:
    from calmip.formats.mps import read_mps

    return read_mps(source)


def _read_lp(source: TextFile) -> BinaryModel:
    from calmip.formats.lp import read_lp

    return read_lp(source)


@dataclass(frozen=True)
class Format:
    """What can be done with the files of a suffix.

    Parameters
    ----------
    comment
        What a line of comment begins with; empty if there is none.
    cover
        The writer of exact covers, for formats that no other model is written in.
    model
        The writer of any binary model.
    read
        The strict reader.
    language
        Whether it is a program in a modelling language.
    convert
        The command that makes an LP file of it, where ``{0}`` is the file's name without its
        suffix; empty if none is known.
    data
        Whether a file has the data alone, for a model of one's own.
    """

    comment: str = ""
    cover: Callable[[ExactCover, Iterable[str]], Iterator[str]] | None = None
    model: Callable[[BinaryModel], str] | None = None
    read: Callable[[TextFile], BinaryModel] | None = None
    language: bool = False
    convert: str = ""
    data: bool = False


FORMATS = {
    ".mps": Format("*", model=_mps, read=_read_mps),
    ".lp": Format("\\", model=_lp, read=_read_lp),
    ".opb": Format("*", opb_lines),
    ".cnf": Format("c |", cnf_lines),
    ".dlx": Format("|", dlx_lines),
    ".json": Format("", json_lines),
    ".dat": Format("#", dat_lines, data=True),
    ".mod": Format(
        "#", mod_lines, language=True,
        convert="glpsol --check -m {0}.mod --wlp {0}.lp (MathProg), or write from AMPL",
    ),
    ".dzn": Format("%", dzn_lines, data=True),
    ".mzn": Format("%", mzn_lines, language=True),
    ".gms": Format(
        "*", language=True,
        convert="echo CplexLP {0}.lp > convert.opt && gams {0}.gms mip=convert optfile=1",
    ),
    ".zpl": Format("#", language=True),
}  # fmt: skip
"""The formats by suffix."""
