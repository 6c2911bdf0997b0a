"""Exact covers as text in all formats except MPS and LP.

Comments are lines of printable ASCII for the head.

* OPB: O. Roussel and V. Manquinho, "Input/Output Format and Solver Requirements for the
  Competitions of Pseudo-Boolean Solvers", 2012.
* DIMACS: the models of the formula correspond one to one to the tilings. A row with demand 1
  is a clause "at least one" and a clause "not both" for each pair. A row with
  demand k > 1 (equal pieces, pieces left out) counts with auxiliary variables. The options
  *define* them (each is equivalent to a formula in options), so the number of
  models stays the same: the sequential counter of C. Sinz, "Towards an Optimal CNF
  Encoding of Boolean Cardinality Constraints", CP 2005, doi:10.1007/11564751_73,
  with equivalences instead of its implications.
* DLX: the format of D. E. Knuth's programs DLX1 to DLX3 (The Art of Computer
  Programming, Volume 4B, section 7.2.2.1): comments behind ``|``, the items on
  one line, then one option per line, in the order of the columns. Equal pieces make an item that
  is covered n times, ``n|item`` for DLX3. Without equal pieces DLX1 and DLX2 read the file too.
* JSON, for your own programs: ``comments``; ``items``, each with ``name`` (the row's), ``kind``
  (``cell``, ``piece``, ``group``, ``left`` or ``order``), ``text`` and ``demand``; ``options``,
  each with ``name`` (the column's), ``items`` (0-based positions in ``items``, ascending),
  ``cells`` ([row, column], 0-based), and ``piece`` or ``group`` and ``label``.
* MathProg and MiniZinc: the model is the same text for every instance; the data follow it.
  ``.mod`` and ``.mzn`` are complete models. ``.dat`` and ``.dzn`` are the data alone, for your
  own model. The sets ``ITEMS`` and ``OPTIONS`` of MathProg (and AMPL) have the names of
  rows and columns, ``COVERS`` the pairs of an option and an item that it covers; ``demand`` is
  given where it is not 1. MiniZinc numbers items and options from 1.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator

from calmip._base.errors import InputError
from calmip.mip.files.registry import Format
from calmip.puzzle.cover import ExactCover
from calmip.puzzle.instance import Placement


def opb_lines(
    cover: ExactCover, comments: Iterable[str] = (), *, preserved: bool = False
) -> Iterator[str]:
    """Yield the lines of an OPB file: variable xN is the option N - 1, a row is an equation.

    ``preserved`` adds the line for VeriPB that solutions may differ in any of the variables.
    """
    # The format requires the numbers of variables and rows in the first line.
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
            # The grammar has no sum without terms; this row cannot hold either.
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

    The line ``c t mc`` asks for the number of models, unless some are blocked.

    Parameters
    ----------
    cover, comments
        The exact cover, and lines for the head.
    blocked
        The number of further clauses, each of which excludes one solution, and their lines.

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
    # Without options there is still one variable, for a clause that cannot hold.
    variables = max(cover.columns, 1)
    # No two options share an item; a pair that shares several is written once.
    foes: list[set[int]] = [set() for _ in range(cover.columns)]
    for item, options in zip(cover.items, options_of, strict=True):
        literals = [option + 1 for option in options]
        if len(literals) < item.demand:
            clauses += [(1,), (-1,)]  # Some programs do not read an empty clause.
        elif item.demand == 1:
            clauses.append(tuple(literals))
            for place, option in enumerate(options):
                foes[option].update(options[place + 1 :])
        else:
            counted, variables = _exactly(literals, item.demand, variables)
            clauses += counted
    for line in comments:
        # With the bar, no counter reads a puzzle's name as an instruction (c t, c p).
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
        # One text for the many clauses of an option: this takes most of the time.
        yield "".join([f"-{number}{ends[foe]}" for foe in sorted(them)])
    yield from lines


def _meanings(cover: ExactCover, variables: int) -> Iterator[str]:
    """Yield the meaning of each variable, as comments."""
    for number, name in enumerate(cover.option_names, start=1):
        yield f"c {number} = {name}\n"
    if not cover.columns:
        yield "c 1 is no option, as there is none\n"
    elif variables > cover.columns:
        yield f"c {cover.columns + 1} to {variables} follow from the others: they count\n"


def _exactly(literals: list[int], demand: int, last: int) -> tuple[list[Clause], int]:
    """Return clauses that make exactly ``demand`` literals true, and the last variable used.

    The variable s(i, j) is true if and only if at least j of the first i
    literals are true. s(i, 0) is true, and s(i, j) with j > i is false: they
    need no variable.
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


MAX_NAME_CHARACTERS = 8  # Knuth's programs refuse longer names


def dlx_lines(cover: ExactCover, comments: Iterable[str] = ()) -> Iterator[str]:
    """Yield the lines of a DLX file."""
    names = [item.name for item in cover.items]
    for line in comments:
        yield f"| {line}\n"
    if any(len(name) > MAX_NAME_CHARACTERS for name in names):
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
    """Yield the lines of a JSON object, one item or option per line."""
    yield f'{{"comments": {json.dumps(list(comments))},\n"items": [\n'
    items = [
        {"name": item.name, "kind": item.kind, "text": item.text, "demand": item.demand}
        for item in cover.items
    ]
    yield ",\n".join(map(json.dumps, items)) + "\n"
    yield '],\n"options": [\n'
    for number, name in enumerate(cover.option_names):
        chosen = cover.option(number)
        placed = isinstance(chosen, Placement)
        what = {key: getattr(chosen, key) for key in (("piece",) if placed else ("group", "label"))}
        cells = [list(cell) for cell in chosen.cells]
        option = {"name": name, **what, "cells": cells, "items": cover.items_of(number)}
        yield json.dumps(option) + (",\n" if number + 1 < cover.columns else "")
    yield "\n]}\n"


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

PRINTING = """\
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
    """Yield the data of an exact cover for MathProg and AMPL."""
    yield from (f"# {line}\n" for line in comments)
    yield "data;\n"
    yield from _wrap("set ITEMS :=", (item.name for item in cover.items), ";")
    yield from _wrap("set OPTIONS :=", cover.option_names, ";")
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
    yield MATHPROG + PRINTING
    yield from dat_lines(cover)


def dzn_lines(cover: ExactCover, comments: Iterable[str] = ()) -> Iterator[str]:
    """Yield the data of an exact cover for MiniZinc."""
    yield from (f"% {line}\n" for line in comments)
    yield f"items = {cover.rows};\noptions = {cover.columns};\n"
    yield from _wrap("demand = [", (f"{item.demand}," for item in cover.items), "];")
    yield "covers = [\n"
    for number in range(cover.columns):
        yield f" {{{', '.join(str(item + 1) for item in cover.items_of(number))}}},\n"
    yield "];\n"
    yield from _wrap("name = [", (f"{json.dumps(name)}," for name in cover.option_names), "];")


def mzn_lines(cover: ExactCover, comments: Iterable[str] = ()) -> Iterator[str]:
    """Yield a complete model in MiniZinc: ``minizinc FILE`` solves it and prints a tiling."""
    yield from (f"% {line}\n" for line in comments)
    yield MINIZINC
    yield from dzn_lines(cover)


def _wrap(before: str, words: Iterable[str], after: str) -> Iterator[str]:
    text = " ".join(words)
    yield before + "\n"
    import textwrap

    for line in textwrap.wrap(text, 76, break_long_words=False, break_on_hyphens=False):
        yield f" {line}\n"
    yield after + "\n"


Writer = Callable[[ExactCover, Iterable[str]], Iterator[str]]

OWN: dict[str, Writer] = {
    ".opb": opb_lines,
    ".cnf": cnf_lines,
    ".dlx": dlx_lines,
    ".json": json_lines,
    ".dat": dat_lines,
    ".mod": mod_lines,
    ".dzn": dzn_lines,
    ".mzn": mzn_lines,
}
"""The formats that say an exact cover better than as a model."""


def writer_of(suffix: str, kind: Format) -> Writer | None:
    """Return the writer of exact covers of a format, None where they are written as models."""
    return OWN.get(suffix) or kind.cover
