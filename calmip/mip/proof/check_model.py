"""A checker of proofs about models that shares nothing with the search: a page of plain Python.

    python -m calmip.mip.proof.check_model DIR

It needs the Python standard library only, and trusts nothing in the folder but the model, which
``calmip prove check DIR MODEL`` compares with a model file. ``model.opb`` has the model: each
constraint is a sum of whole coefficients times variables that are 0 or 1, ``>=`` or ``=``, and a
whole number. The constraints are numbered from 1 on, in their order. Lines that begin with ``*``
are comments; ``* x7 = NAME`` names a variable, once. ``proof.json`` is one JSON object, with no
other keys than these, and each once:

``tree``
    The nodes in the order of the visits. ``["branch", x]`` stands for a free variable x by its
    number: the nodes that follow are those with x = 0, then those with x = 1. ``["fix", x, value,
    multipliers]`` is a free variable whose other value the multipliers refute. ``["none",
    multipliers]`` ends a branch, as the multipliers refute it. ``["solution", ones]`` ends a
    branch: all variables are fixed, these are 1, and every constraint holds.
``solutions``
    The number of solutions.

Multipliers are pairs of a constraint and a whole number, which is positive for ``>=``. The sum of
these constraints, each times its number, must be violated by all values of the free variables: its
left-hand side is at most the sum of its positive coefficients (Farkas 1902, with bounds). A number
is a whole number, neither 1.0 nor true.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

CONSTRAINT = re.compile(r"((?:[+-][0-9]+ x[1-9][0-9]* )+)(>=|=) (-?[0-9]+) ;")
TERM = re.compile(r"([+-][0-9]+) x([0-9]+) ")
NAME = re.compile(r"\* x([0-9]+) = ")
SIZE = re.compile(r"\* #variable= ([0-9]+) #constraint= ([0-9]+)")

Constraint = tuple[dict[int, int], str, int]


class TreeRefused(Exception):
    """The proof does not hold; the message says where."""


def read_constraints(text: str) -> tuple[int, list[Constraint]]:
    """Return the number of variables and the constraints of an OPB file without an objective.

    Raises
    ------
    TreeRefused
        If the file is not as `calmip prove` writes it.
    """
    # For other programs, all other characters that end a line are part of a comment.
    first, *lines = text.replace("\r\n", "\n").removesuffix("\n").split("\n")
    size = SIZE.fullmatch(first)
    if size is None:
        raise TreeRefused("model.opb does not begin with its numbers of variables and constraints")
    variables = int(size[1])
    constraints: list[Constraint] = []
    named: set[int] = set()
    for number, line in enumerate(lines, start=2):
        if line.startswith("*"):
            if (name := NAME.match(line)) is not None:
                if int(name[1]) in named:
                    raise TreeRefused(f"model.opb, line {number}: names x{name[1]} once more")
                named.add(int(name[1]))
            continue
        match = CONSTRAINT.fullmatch(line)
        if match is None:
            raise TreeRefused(f"model.opb, line {number}: is no constraint of whole numbers")
        terms: dict[int, int] = {}
        for value, variable in TERM.findall(match[1]):
            terms[int(variable)] = terms.get(int(variable), 0) + int(value)
        if max(terms) > variables:
            raise TreeRefused(f"model.opb, line {number}: there is no variable x{max(terms)}")
        constraints.append((terms, match[2], int(match[3])))
    if len(constraints) != int(size[2]):
        raise TreeRefused(f"model.opb has {len(constraints)} constraints, but says {size[2]}")
    return variables, constraints


def check_model(text: str, proof: Any) -> tuple[int, int]:
    """Return the numbers of solutions and nodes that a proof shows for the text of model.opb.

    Raises
    ------
    TreeRefused
        If the proof does not hold.
    """
    if type(proof) is not dict or set(proof) != {"tree", "solutions"}:
        raise TreeRefused("the file is cut or malformed: its keys are not tree and solutions")
    try:
        variables, constraints = read_constraints(text)
        nodes = iter(proof["tree"])
        found, number = _walk(nodes, variables, constraints)
        if next(nodes, None) is not None:
            raise TreeRefused("the tree goes on after its end")
        if found != proof["solutions"] or type(proof["solutions"]) is not int:
            raise TreeRefused(f"the tree has {found} solutions, not {proof['solutions']}")
    except (KeyError, TypeError, ValueError, IndexError, StopIteration) as error:
        raise TreeRefused(f"the file is cut or malformed ({type(error).__name__})") from None
    return found, number


def _walk(nodes: Iterator[Any], variables: int, constraints: list[Constraint]) -> tuple[int, int]:
    """Check a tree and return the numbers of its solutions and nodes."""
    values: dict[int, int] = {}
    trail: list[int] = []
    open_branches: list[tuple[int, int]] = []
    found = number = 0
    while True:
        node = next(nodes)
        if type(node) is not list:
            raise TreeRefused(f"{str(node)[:100]} is no node")
        kind, *rest = node
        number += kind != "fix"
        if kind in ("branch", "fix"):
            variable = rest[0]
            if type(variable) is not int or not 1 <= variable <= variables or variable in values:
                raise TreeRefused(f"x{variable} is no free variable")
            if kind == "branch":
                (_,) = rest
                open_branches.append((variable, len(trail)))
                values[variable] = 0
            else:
                _, value, multipliers = rest
                if type(value) is not int or value not in (0, 1):
                    raise TreeRefused(f"x{variable} is 0 or 1, not {value}")
                values[variable] = 1 - value
                _refute(values, multipliers, constraints)
                values[variable] = value
            trail.append(variable)
            continue
        (end,) = rest
        if kind == "solution":
            _hold(values, end, variables, constraints)
            found += 1
        elif kind == "none":
            _refute(values, end, constraints)
        else:
            raise TreeRefused(f"{kind!r} is no kind of node")
        if not open_branches:
            return found, number
        variable, length = open_branches.pop()
        while len(trail) > length:
            del values[trail.pop()]
        values[variable] = 1
        trail.append(variable)


def _refute(values: dict[int, int], multipliers: Any, constraints: list[Constraint]) -> None:
    """Check that a sum of constraints is violated by all values of the free variables."""
    total: dict[int, int] = {}
    side = 0
    if type(multipliers) is not list or any(type(pair) is not list for pair in multipliers):
        raise TreeRefused(f"{str(multipliers)[:100]} are no multipliers")
    for number, factor in multipliers:
        if type(number) is not int or not 1 <= number <= len(constraints):
            raise TreeRefused(f"there is no constraint {number}")
        terms, relation, right = constraints[number - 1]
        if type(factor) is not int or (factor < 0 and relation == ">="):
            raise TreeRefused(f"constraint {number} cannot be multiplied by {factor}")
        side += factor * right
        for variable, value in terms.items():
            total[variable] = total.get(variable, 0) + factor * value
    most = sum(value * values.get(variable, value > 0) for variable, value in total.items())
    if most >= side:
        raise TreeRefused(f"the multipliers {str(multipliers)[:100]} refute nothing")


def _hold(values: dict[int, int], ones: Any, variables: int, constraints: list[Constraint]) -> None:
    """Check that all variables are fixed, that these are 1, and that every constraint holds."""
    own = sorted(x for x, value in values.items() if value)
    if len(values) < variables or ones != own or any(type(x) is not int for x in ones):
        raise TreeRefused(f"{str(ones)[:100]} is not the solution at this place of the tree")
    for number, (terms, relation, right) in enumerate(constraints, start=1):
        left = sum(value for variable, value in terms.items() if values[variable])
        if left < right or (relation == "=" and left > right):
            raise TreeRefused(f"a solution violates constraint {number}")


def read_proof(text: str) -> Any:
    """Return the value of a JSON text; refuse a key that is in one object twice."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len(dict(pairs)) < len(pairs):
            raise TreeRefused("duplicate key in an object")
        return dict(pairs)

    return json.loads(text, object_pairs_hook=once)


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    try:
        given = read_proof((folder / "proof.json").read_text(encoding="utf-8"))
        solutions, _ = check_model((folder / "model.opb").read_bytes().decode(), given)
        sys.stdout.write(f"{solutions} solutions, and no others\n")
    except TreeRefused as refusal:
        sys.exit(f"refused: {refusal}")
    except (OSError, ValueError, RecursionError) as error:
        sys.exit(f"refused: the files cannot be read ({error})")
