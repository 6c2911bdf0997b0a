"""Whatever a document says, it makes an instance or one clear message."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from calmip import ExactCover, InputError, read_instance
from calmip.puzzle.documents.serialise import describe_instance, json_text
from calmip.puzzle.render.text import draw_board

DOCUMENT = {
    "puzzle": {
        "name": "Two",
        "grid": ["1 2 Jan", "3 4 Feb", "* . *"],
        "uncover": ["day", "month"],
        "groups": {"day": ["1", "2", "3", "4"]},
        "pieces": {"a": ["##"], "b": ["#"], "c": "I2", "d": ["#"]},
        "no_flip_pieces": {"a": ["##"], "b": ["#"], "c": ["##"], "d": ["#"]},
        "flip": "true",
        "lattice": "square",
        "note": "n",
        "sources": ["s"],
        "counts": {"x": "1"},
        "id": "i",
    },
    "reveal": {"day": "4", "month": "Jan"},
    "flip": "false",
    "name": "n",
}

TEXTS = ["", " ", "\n", "\x1b[31m", "\u202e", "x" * 5000, "*", ".", "* *", "1 2 Jan", "1", "2",
         "free", "true", "false", "no", "-1", "9" * 400, "é", "e\u0301", "I2", "O6", "#", "##",
         "#.#", "..", "day", "month", "year", "a-puzzle-a-day", "/dev/zero", "mutated.yaml",
         "hexagonal", "Jan", "Feb", "\ufffd", "\ud7ff"]  # fmt: skip
OTHERS = [[], {}, ["x"], [["#"]], {"a": "b"}, ["1", "1"], ["1 2"] * 3, ["#"] * 101, [""]]
OPTIONS = [
    {},
    {"date": "2024-01-04"},
    {"reveal": "Jan,4"},
    {"reveal": "day=4,month=free"},
    {"flip": False},
    {"flip": True},
    {"free": True},
]


def places(node: object, above: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    if above:
        yield above
    if isinstance(node, dict | list):
        for key in node if isinstance(node, dict) else range(len(node)):
            yield from places(node[key], (*above, key))


def mutated(document: dict[str, object], rng: random.Random) -> dict[str, object]:
    """Replace, remove, add or rename up to three parts of a document."""
    document = copy.deepcopy(document)
    for _ in range(rng.randint(1, 3)):
        *above, last = rng.choice(list(places(document)) or [("x",)])
        parent: object = document
        for key in above:
            parent = parent[key]
        new = copy.deepcopy(rng.choice([*TEXTS, *OTHERS]))
        kind = rng.choice("replace replace remove add rename".split())
        if kind == "remove" and last in places_of(parent):
            del parent[last]
        elif kind == "add" and isinstance(parent, list):
            parent.insert(last, new)
        elif kind == "rename" and isinstance(parent, dict):
            parent[rng.choice(TEXTS)] = parent.pop(last, new)
        else:
            parent[rng.choice(TEXTS) if kind == "add" else last] = new
    return document


def places_of(parent: object) -> object:
    return parent if isinstance(parent, dict) else range(len(parent))


@pytest.mark.long
@pytest.mark.parametrize("seed", range(4))
def test_a_mutated_document_is_an_instance_or_one_clear_line(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    path = tmp_path / "mutated.yaml"
    good = bad = 0
    for _ in range(120):
        document = mutated(DOCUMENT, rng)
        if rng.random() < 0.3 and isinstance(document.get("puzzle"), dict):
            document = document["puzzle"]
        style = rng.choice(['"', None])
        path.write_text(
            yaml.safe_dump(document, allow_unicode=True, default_style=style, sort_keys=False),
            encoding="utf-8",
        )
        options = rng.choice(OPTIONS)
        try:
            instance = read_instance(path, **options)
        except InputError as error:
            bad += 1
            assert str(error).isprintable()
            assert len(str(error)) < 1800
            # What is wrong in the file has its place there.
            assert error.path is not None or options
        else:
            good += 1
            cover = ExactCover(instance)
            assert len(cover.option_names) == cover.columns
            assert json_text(describe_instance(instance)).isascii()
            drawn = draw_board(instance.puzzle.board).splitlines()
            assert all(line.isprintable() for line in drawn)
            assert (instance.name + instance.puzzle.name).isprintable()
    assert good > 3
    assert bad > 60
