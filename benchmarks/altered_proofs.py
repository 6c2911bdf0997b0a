"""Proofs with one change: each is refused, or it is right all the same.

    python -m benchmarks.altered_proofs --number 2000 --seed 1

Small random models and boards are proved, one file of the folder is changed in one place, and
`calmip prove check` reads the folder, with and without its model or puzzle. A change is another
type, another number or text, a part that is missing, repeated, moved or new, in `proof.json`; and
a line or a character of the other files. What is accepted must have the true number of solutions,
and the same names and numbers for a reader. Prints a table by kind of change, and each
folder that is accepted though wrong, or crashes the checker.
"""

from __future__ import annotations

import argparse
import copy
import itertools
import json
import math
import random
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from calmip._base.errors import InputError, ProofRefused
from calmip.mip.model import Model
from calmip.mip.proof.model_tree import write_model_proof
from calmip.proofs.check_proofs import check_proofs
from calmip.proofs.logs import write_proofs
from calmip.puzzle.board import Board, Piece
from calmip.puzzle.cover import ExactCover
from calmip.puzzle.instance import Instance
from calmip.puzzle.puzzle import Puzzle
from calmip.puzzle.search.exact_cover.search import Search

Path_ = tuple[Any, ...]


def places(value: Any, path: Path_ = ()) -> Iterator[tuple[Path_, Any]]:
    """Yield every part of a JSON value with its path."""
    yield path, value
    if isinstance(value, dict | list):
        for key, one in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places(one, (*path, key))


def other_types(value: Any) -> list[Any]:
    """Return what a careless reader takes for a value, though its type is another."""
    if isinstance(value, list):
        return [json.dumps(value), dict.fromkeys(map(str, value), 1), None]
    if isinstance(value, dict):
        return [json.dumps(value), list(value.items()), None]
    if type(value) is int:
        return [float(value), str(value), [value], None, *([bool(value)] * (value in (0, 1)))]
    if type(value) is bool:
        return [int(value), float(value), str(value).lower(), None]
    return [[value], None, 1]


def altered(proof: Any, path: Path_, value: Any) -> Any:
    """Return a copy of a JSON value with another part."""
    if not path:
        return value
    found = copy.deepcopy(proof)
    part = found
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] = value
    return found


def change_json(proof: Any, chance: random.Random) -> tuple[str, Any]:
    """Return a kind of change, and a proof with one such change."""
    every = list(places(proof))
    kind = chance.choice(["type", "type", "number", "text", "missing", "repeated", "moved", "new"])
    lists = [(path, value) for path, value in every if isinstance(value, list) and value]
    path, value = chance.choice(lists)
    some = list(value)
    place = chance.randrange(len(some))
    if kind == "type":
        path, value = chance.choice(every)
        return kind, altered(proof, path, chance.choice(other_types(value)))
    if kind in ("number", "text"):
        path, value = chance.choice([e for e in every if type(e[1]) is (int, str)[kind == "text"]])
        new = (
            value + chance.choice([-2, -1, 1, 2, 10**20])
            if kind == "number"
            else (chance.choice([value + "x", value[:-1], "", "tiling", "end", "branch"]))
        )
        return kind, altered(proof, path, new)
    if kind == "missing":
        del some[place]
    elif kind == "repeated":
        some.insert(place, some[place])
    elif kind == "moved":
        some.insert(chance.randrange(len(some)), some.pop(place))
    else:
        some.insert(place, chance.choice([0, 1, [], {}, None, [1, 1], ["none", []]]))
    return kind, altered(proof, path, some)


def change_text(text: str, chance: random.Random) -> tuple[str, str]:
    """Return a kind of change, and a text with one such change."""
    lines = text.splitlines(keepends=True)
    kind = chance.choice(["line missing", "line repeated", "line moved", "character", "cut"])
    place = chance.randrange(len(lines))
    if kind == "line missing":
        del lines[place]
    elif kind == "line repeated":
        lines.insert(place, lines[place])
    elif kind == "line moved":
        lines.insert(chance.randrange(len(lines)), lines.pop(place))
    elif kind == "character":
        at = chance.randrange(len(lines[place]))
        new = chance.choice("0123456789 x-+=;*ac\x0b\x85\u2028\r")
        lines[place] = lines[place][:at] + new + lines[place][at + 1 :]
    else:
        return kind, text[: chance.randrange(len(text))]
    return kind, "".join(lines)


def random_model(chance: random.Random) -> Model:
    columns = chance.randint(1, 5)
    rows = []
    for number in range(chance.randint(0, 4)):
        terms = {c: float(v) for c in range(columns) if (v := chance.randint(-3, 3))}
        low = chance.choice([-math.inf, float(chance.randint(-3, 2))])
        high = max(low, float(chance.randint(-2, 3))) if chance.random() < 0.7 else math.inf
        rows.append((f"r{number}", terms, low, high))
    return Model.from_rows([f"col{c}" for c in range(columns)], rows)


def random_cover(chance: random.Random) -> ExactCover:
    """Return dominoes, bars and squares on a board that they may cover, with a free label."""
    rows, columns = chance.randint(1, 3), chance.randint(2, 4)
    shapes = chance.sample([["##"], ["###"], ["#"], ["##", "#."], ["##"]], chance.randint(1, 3))
    pieces = tuple(Piece.from_rows(f"p{n}", shape) for n, shape in enumerate(shapes))
    labels = iter("ab")
    text = [" ".join(next(labels, "*") for _ in range(columns)) for _ in range(rows)]
    puzzle = Puzzle("Drawn", Board.from_text(text), pieces, groups={"side": ("a", "b")})
    return ExactCover(Instance(puzzle, (), ("side",)))


def write(folder: Path, chance: random.Random) -> tuple[Any, int]:
    """Write a proof, and return its subject and the true number."""
    if chance.random() < 0.5:
        model = random_model(chance)
        write_model_proof(model, folder)
        ones = range(len(model.columns))
        every = (
            some for size in range(len(ones) + 1) for some in itertools.combinations(ones, size)
        )
        return model, sum(model.violated(some) is None for some in every)
    while True:
        try:
            cover = random_cover(chance)
            break
        except InputError:  # the pieces have another size than the board
            continue
    write_proofs(cover, folder)
    return cover.instance, sum(1 for _ in Search(cover))


def try_one(chance: random.Random) -> tuple[str, str]:
    """Return a kind of change, and ``refused``, ``right`` or what is wrong."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        subject, number = write(folder, chance)
        before = {path.name: path.read_text() for path in folder.iterdir()}
        name = chance.choice(["proof.json", "proof.json", *sorted(before)])
        if name == "proof.json":
            proof = json.loads(before[name])
            kind, changed = change_json(proof, chance)
            same = changed == proof and json.dumps(changed) == json.dumps(proof)
            after = json.dumps(changed)
        else:
            kind, after = change_text(before[name], chance)
            same = after == before[name]
        (folder / name).write_text(after, encoding="utf-8", newline="")
        kind = f"{name}: {kind}"
        if same:
            return kind, "unchanged"
        verdict = "refused"
        for given in (subject, None):
            try:
                found = check_proofs(folder, given)
            except (InputError, ProofRefused):
                continue
            except Exception as error:
                return kind, f"crash of {type(error).__name__}: {error}"[:150]
            if found.tilings != number and (given is not None or _states_the_same(before, folder)):
                return kind, f"{found.tilings} in place of {number}: {after[:300]!r}"
            verdict = "right" if given is not None else verdict
        return kind, verdict


def _states_the_same(before: dict[str, str], folder: Path) -> bool:
    """Whether a folder is still about the same puzzle or model."""
    if "model.opb" in before and (folder / "model.opb").read_text() != before["model.opb"]:
        return False
    puzzle = json.loads((folder / "proof.json").read_text()).get("puzzle")
    return bool(puzzle == json.loads(before["proof.json"]).get("puzzle"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--number", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    counts: dict[str, Counter[str]] = {}
    for number in range(given.number):
        kind, verdict = try_one(random.Random(f"{given.seed}, {number}"))
        if verdict not in ("refused", "right", "unchanged"):
            print(f"{number}: {kind}: {verdict}", flush=True)
            verdict = "wrong"
        counts.setdefault(kind, Counter())[verdict] += 1
    words = ("refused", "right", "unchanged", "wrong")
    print(f"| change | {' | '.join(words)} |\n|---|{'---:|' * len(words)}")
    for kind, some in sorted(counts.items()):
        print(f"| {kind} | {' | '.join(str(some[word]) for word in words)} |")
    total = sum(counts.values(), Counter[str]())
    print(f"| **together** | {' | '.join(str(total[word]) for word in words)} |")


if __name__ == "__main__":
    main()
