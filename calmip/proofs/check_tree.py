"""A checker of ``proof.json`` that shares nothing with the search: a page of plain Python.

    python -m calmip.proofs.check_tree DIR/proof.json

It needs the Python standard library only, and trusts nothing in the file but the puzzle (which a
person, or ``calmip prove check DIR PUZZLE``, compares with the puzzle in the box). The file is one
JSON object:

``puzzle``
    The board as a grid (``.`` is off the board), the lattice, the cells of every piece, whether
    pieces may be turned over, which pieces may not be turned over or turned at all, or may be
    left out (``rules``), how many pieces are used if that is stated (``use``), the labels that
    stay uncovered, and the labels of each group of which one is to be chosen.
``options``
    All choices: a piece on some cells, or on none if it may be left out, or a label whose cells
    stay uncovered. Equal pieces have the name of the first of them that may not be left out, or
    of the first if all may. If several of them may be, the choices ``out1``, ``out2``, ... leave
    one more out each, and ``max0``, ``max1``, ... state that at most so many are.
``tree``
    The nodes in the order of the visits. A node is ``[item, options]``: an item that must be
    covered (a cell, a piece, a group, or a rule on pieces left out) and *all* options, by their
    positions in ``options``, that cover it and touch nothing covered before. One of them is in
    every tiling below this node, so the nodes that follow try them one by one. If there are fewer
    than the item's demand, the branch ends. ``["tiling", options]`` is a node at which everything
    is covered, and ``["end", []]`` follows the last node.
``tilings``
    The number of tilings.

The proof is that no choice was left out at any node. So three things are checked: that the options
are all those of the puzzle; that each node lists all options of its item; and that each branch
goes on to its end. A number is an integer, neither 1.0 nor true, and no key is duplicate or
unknown: no reader can find another claim in the file than the one that was checked.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

# How (row, column) becomes another pair when a piece is turned by the smallest
# angle, how many such turns there are, and when it is turned over. Last, the kind of a cell, which
# a translation keeps: triangles point up or down.
MOTIONS: dict[str, tuple[Any, int, Any, Any]] = {
    "square": (lambda r, c: (c, -r), 4, lambda r, c: (r, -c), lambda _r, _c: 0),
    "hexagonal": (lambda r, c: (c, c - r), 6, lambda r, c: (c, r), lambda _r, _c: 0),
    "triangular": (
        lambda r, c: ((r + c) // 2, (c - 3 * r - 1) // 2),
        6,
        lambda r, c: (r, -c),
        lambda r, c: (r + c) % 2,
    ),
    "rhombille": (
        lambda r, c: ((c + 1) // 3, c - 3 * r - 1),
        6,
        lambda r, c: (r, 3 * r - c + 2),
        lambda _r, c: c % 3,
    ),
    "cairo": (
        lambda r, c: (c, -1 - r),
        4,
        lambda r, c: (c - 1, r + 1),
        lambda r, c: (r % 2, c % 2),
    ),
}


class Refused(Exception):
    """The proof does not hold; the message says where."""


def read_proof(text: str) -> Any:
    """Return the value of a JSON text.

    Raises
    ------
    Refused
        If a key is in one object twice.
    ValueError
        If the text is not JSON.
    """
    return json.loads(text, object_pairs_hook=_once)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise Refused(f"duplicate key in {{{', '.join(key for key, _ in pairs)}}}"[:200])
    return found


def _node(node: Any) -> bool:
    """Whether this is an item, by its name or its row and column, and positions of options."""
    if type(node) is not list or len(node) != 2 or not _typed(node[1], [int]):
        return False
    return type(node[0]) is str or _typed(node[0], [int])


# What a value must be: of a type; a list of such; an object with values by key, "" for any key.
FILE: dict[str, Any] = {
    "puzzle": {
        "name": str,
        "lattice": str,
        "board": [[str]],
        "pieces": {"": [[int]]},
        "flip": bool,
        "rules": {"": {"": bool}},
        "use": int,
        "uncovered": [str],
        "free": {"": [str]},
    },
    "options": [{"cells": [[int]], "covers": str, "label": str}],
    "tree": [_node],
    "tilings": int,
}


def _typed(value: Any, kind: Any) -> bool:
    """Whether a value has exactly these types: 1.0 and true are no whole numbers."""
    if isinstance(kind, type):
        return type(value) is kind
    if isinstance(kind, list):
        return type(value) is list and all(_typed(one, kind[0]) for one in value)
    if isinstance(kind, dict):
        return type(value) is dict and all(
            ("" in kind or key in kind) and _typed(one, kind.get(key, kind.get("")))
            for key, one in value.items()
        )
    return bool(kind(value))


def _strange(value: Any, kind: Any) -> str:
    """Return the first part of a value that has another type, in words."""
    if type(value) is dict and isinstance(kind, dict):
        for key, one in value.items():
            if "" not in kind and key not in kind:
                return f"{key!r} is no key of this object"
            own = kind.get(key, kind.get(""))
            if not _typed(one, own):
                return f"{key}: {_strange(one, own)}"
    if type(value) is list and isinstance(kind, list):
        return next(_strange(one, kind[0]) for one in value if not _typed(one, kind[0]))
    return f"{str(value)[:100]} ({type(value).__name__}) has the wrong type here"


def check(proof: Any) -> int:
    """Return the number of tilings that the JSON object of a file proves.

    Raises
    ------
    Refused
        If the proof does not hold.
    """
    if not _typed(proof, FILE):
        raise Refused(f"the file is malformed: {_strange(proof, FILE)}")
    try:
        demands, choices = _model(proof["puzzle"])
        options = [
            (frozenset(map(tuple, option["cells"])), option["covers"], option.get("label", ""))
            for option in proof["options"]
        ]
        if len(set(options)) != len(options) or set(options) != choices.keys():
            raise Refused("the options are not those of the puzzle")
        covers = [choices[option] for option in options]
        nodes = iter(proof["tree"])
        found = _walk(nodes, covers, demands)
        if next(nodes) != ["end", []] or next(nodes, None) is not None:
            raise Refused("the tree goes on after its end")
        if found != proof["tilings"]:
            raise Refused(f"the tree has {found} tilings, not {proof['tilings']}")
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, StopIteration) as error:
        raise Refused(f"the file is cut or malformed ({type(error).__name__})") from None
    except RecursionError:
        raise Refused("the tree is deeper than any puzzle's") from None
    return found


def _model(  # noqa: C901 - a checker is read from top to bottom
    puzzle: dict[str, Any],
) -> tuple[Counter[Any], dict[Any, frozenset[Any]]]:
    """Return how often each item is to be covered, and what every option covers.

    Both are from the puzzle alone.
    """
    board = {
        (r, c): text
        for r, row in enumerate(puzzle["board"])
        for c, text in enumerate(row)
        if text != "."
    }
    bare = set(puzzle["uncovered"])
    if not bare <= set(board.values()):
        raise Refused("a label to leave uncovered is not on the board")
    cells = {cell for cell, text in board.items() if text not in bare}
    demands: Counter[Any] = Counter(cells)
    choices: dict[Any, frozenset[Any]] = {}
    first: dict[Any, str] = {}
    spare: Counter[str] = Counter()
    rules = puzzle.get("rules", {})
    if puzzle["lattice"] not in MOTIONS:
        known = ", ".join(MOTIONS)
        raise Refused(f"the lattice is {puzzle['lattice']!r}; known here are {known}")
    kind = MOTIONS[puzzle["lattice"]][3]

    def optional(name: str) -> bool:
        return bool(rules.get(name, {}).get("optional"))

    for name in sorted(puzzle["pieces"], key=optional):
        drawn, rule = puzzle["pieces"][name], rules.get(name, {})
        flip, rotate = (rule.get(key, True) for key in ("flip", "rotate"))
        shapes = _orientations(
            drawn, puzzle["lattice"], flip=puzzle["flip"] and flip and rotate, rotate=rotate
        )
        item = f"piece {first.setdefault(frozenset(shapes), name)}"
        demands[item] += 1
        spare[item] += optional(name)
        for first_kind, shape in shapes:
            for r, c in cells:
                placed = frozenset((r + down, c + right) for down, right in shape)
                if placed <= cells and kind(r, c) == first_kind:
                    choices[placed, item, ""] = placed | {item}
    for group, labels in puzzle["free"].items():
        demands[f"group {group}"] = 1
        for label in labels:
            freed = frozenset(cell for cell in cells if board[cell] == label)
            choices[freed, f"group {group}", label] = freed | {f"group {group}"}
    every: frozenset[Any] = frozenset()
    if "use" in puzzle:
        every = frozenset({"left out"})
        demands["left out"] = len(puzzle["pieces"]) - puzzle["use"]
    for item, number in spare.items():
        for label, covered in _leave(item, number):
            choices[frozenset(), item, label] = covered | every if item in covered else covered
            demands.update(dict.fromkeys(covered - demands.keys(), 1))
    return demands, choices


def _leave(item: str, number: int) -> Iterator[tuple[str, frozenset[str]]]:
    """Yield the options that leave ``number`` equal pieces out, and what they cover.

    Of several equal pieces the first j are left out, for some j, so that a tiling is one choice.
    Rule i, from 1 on, is covered if piece i is left out, or if at most j are, for one j < i. So
    at most one such j is chosen. If it is, the rules up to j are covered by the pieces up to j,
    and none beyond is left out. If none is chosen, all pieces are left out.
    """
    if number == 1:
        yield "", frozenset({item})
        return
    for rank in range(1, number + 1):
        yield f"out{rank}", frozenset({item, f"left out {rank} of {item}"})
        beyond = range(rank, number + 1)
        yield f"max{rank - 1}", frozenset(f"left out {other} of {item}" for other in beyond)


def _orientations(drawn: list[list[int]], lattice: str, *, flip: bool, rotate: bool) -> set[Any]:
    """Return the ways to lay a piece: the kind of its first cell, and the cells from there."""
    turn, turns, over, kind = MOTIONS[lattice]
    found = set()
    for start in [drawn, [over(r, c) for r, c in drawn]] if flip else [drawn]:
        cells = start
        for _ in range(turns if rotate else 1):
            row, column = min(cells)
            way = frozenset((r - row, c - column) for r, c in cells)
            found.add((kind(row, column), way))
            cells = [turn(r, c) for r, c in cells]
    return found


def _walk(  # noqa: C901 - a checker is read from top to bottom
    nodes: Iterator[Any], covers: list[frozenset[Any]], demands: Counter[Any]
) -> int:
    """Check a tree and return the number of its tilings."""
    # A set of options is a whole number: bit k says whether option k is in it.
    covering = dict.fromkeys(demands, 0)
    for number, items in enumerate(covers):
        for item in items:
            covering[item] |= 1 << number
    others = {item: ~options for item, options in covering.items()}
    left = dict(demands)

    def below(alive: int, chosen: list[int]) -> int:
        """Check the next node and what follows from it; alive are the options that still fit."""
        item, options = next(nodes)
        if item == "tiling":
            if any(left.values()) or options != sorted(chosen):
                raise Refused(f"{options} is not the tiling at this place of the tree")
            return 1
        item = item if isinstance(item, str) else tuple(item)
        if not left.get(item):
            raise Refused(f"{item} is covered already and cannot be branched on")
        if sorted(options) != _members(alive & covering[item]):
            raise Refused(f"the options of {item} are not all there, or others are: {options}")
        if len(options) < left[item]:
            return 0
        if left[item] > 1:
            raise Refused(f"{item} is to be covered {left[item]} times and cannot be branched on")
        found = 0
        for option in options:
            fits = alive
            for covered in covers[option]:
                left[covered] -= 1
                if not left[covered]:
                    fits &= others[covered]
            found += below(fits, [*chosen, option])
            for covered in covers[option]:
                left[covered] += 1
        return found

    return below((1 << len(covers)) - 1, [])


def _members(options: int) -> list[int]:
    """Return the members of a set of options, ascending."""
    found = []
    while options:
        lowest = options & -options
        found.append(lowest.bit_length() - 1)
        options ^= lowest
    return found


if __name__ == "__main__":
    try:
        number = check(read_proof(Path(sys.argv[1]).read_text(encoding="utf-8")))
        sys.stdout.write(f"{number} tilings, and no others\n")
    except Refused as refusal:
        sys.exit(f"refused: {refusal}")
    except (OSError, ValueError, RecursionError) as error:
        sys.exit(f"refused: the file cannot be read ({error})")
