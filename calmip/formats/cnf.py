"""Propositional formulas in DIMACS form, for SAT solvers and model counters.

The models of the formula are the tilings, one for one. A row that asks for one
option says "at least one" in a clause and "no two" pair by pair. A row that
asks for k > 1 (equal pieces) counts through auxiliary variables that are
*defined* by the options (each equivalent to a formula in them), so that they
multiply no model: the sequential counter of C. Sinz, "Towards an Optimal CNF
Encoding of Boolean Cardinality Constraints", CP 2005, doi:10.1007/11564751_73,
with equivalences in place of its implications.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from calmip.errors import InputError
from calmip.problem.cover import ExactCover

__all__ = ["cnf_lines"]

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
