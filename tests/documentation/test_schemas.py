"""The JSON Schemas say what the reader takes and the program prints."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from docblocks import blocks

from calmip.cli import main
from calmip.documents.puzzle_file import PUZZLE_KEYS
from calmip.documents.reader import INSTANCE_KEYS
from calmip.problem.lattice import LATTICES
from calmip.problem.polyforms import SHAPES

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "reference" / "schemas"


def schema(name: str) -> Any:
    found = json.loads((FOLDER / f"{name}.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(found)
    return found


def faults(name: str, document: Any) -> list[str]:
    validator = jsonschema.Draft202012Validator(schema(name))
    return [error.message for error in validator.iter_errors(document)]


def test_the_schemas_lie_where_their_identifiers_say() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for path in FOLDER.iterdir():
        place = path.relative_to(ROOT / "docs").as_posix()
        identifier = project["urls"]["Documentation"] + place
        found = schema(path.name.removesuffix(".schema.json"))
        assert found["$id"] == identifier
        assert all(value.get("description") for value in found["properties"].values())
    for path in (ROOT / "docs").rglob("*.md"):
        for address in re.findall(r"\$schema=(\S+)", path.read_text(encoding="utf-8")):
            place = address.removeprefix(project["urls"]["Documentation"])
            assert (ROOT / "docs" / place).is_file(), (path, address)


def test_the_examples_of_the_page_are_valid_and_what_the_program_prints(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = [block for block in blocks(FOLDER.with_suffix(".md")) if block.language != "console"]
    for block in page[:2]:
        (tmp_path / block.argument).write_text(block.text)
    puzzle, instance, result = (yaml.safe_load(block.text) for block in page)
    for name, document in (("puzzle", puzzle), ("instance", instance), ("solution", result)):
        assert faults(name, document) == []
    assert main(["enumerate", str(tmp_path / page[1].argument), "--format", "json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert {**printed, "seconds": None} == {**result, "seconds": None}


@pytest.mark.parametrize("path", sorted((ROOT / "calmip" / "puzzles").glob("*.yaml")),
                         ids=lambda path: path.stem)  # fmt: skip
def test_every_bundled_puzzle_is_valid(path: Path) -> None:
    assert faults("puzzle", yaml.safe_load(path.read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize("path", sorted((ROOT / "instances").glob("*.yaml")),
                         ids=lambda path: path.stem)  # fmt: skip
def test_every_instance_is_valid(path: Path) -> None:
    assert faults("instance", yaml.safe_load(path.read_text(encoding="utf-8"))) == []


def test_the_keys_and_shapes_are_those_of_the_reader() -> None:
    puzzle, instance = schema("puzzle"), schema("instance")
    assert set(puzzle["properties"]) == set(PUZZLE_KEYS)
    assert set(instance["properties"]) == set(INSTANCE_KEYS)
    assert instance["$defs"]["puzzle"]["properties"] == puzzle["properties"]
    for document in (puzzle, instance):
        names = set().union(*SHAPES.values())
        assert set(document["$defs"]["shape"]["oneOf"][0]["enum"]) == names
    lattices = puzzle["properties"]["lattice"]["enum"]
    assert set(lattices) == set(LATTICES) == set(SHAPES)


@pytest.mark.parametrize(
    "wrong",
    [
        {"grid": ["1 2"]},
        {"grid": ["1 2"], "pieces": []},
        {"grid": ["1 2"], "pieces": ["Q"]},
        {"grid": ["1 2"], "pieces": [["#x"]]},
        {"grid": ["1 2"], "pieces": ["I2"], "flips": True},
        {"grid": "1 2", "pieces": ["I2"]},
        {"grid": ["1 2"], "pieces": {"a": {"shape": "I2", "color": "red"}}},
        {"grid": ["1 2"], "pieces": {"a": {"colour": "red"}}},
        {"grid": ["1 2"], "pieces": ["I2"], "reveal": ["1"]},
    ],
)
def test_what_the_reader_refuses_is_not_valid(wrong: Any, tmp_path: Path) -> None:
    assert faults("puzzle", wrong)
    path = tmp_path / "wrong.yaml"
    path.write_text(yaml.safe_dump(wrong))
    assert main(["puzzles", str(path)]) == 2


def test_blocks_and_colours_are_valid_and_read(tmp_path: Path) -> None:
    path = tmp_path / "right.yaml"
    path.write_text(
        "grid: |\n  1 2 3\n  4 5 6\nuncover: [day]\npieces:\n- |\n  ##\n  #.\n"
        '- {shape: I1, colour: teal}\n- shape: |\n    #\n  colour: "#123"\n'
    )
    assert faults("puzzle", yaml.safe_load(path.read_text())) == []
    assert main(["puzzles", str(path)]) == 0


@pytest.mark.parametrize(
    "arguments",
    [
        ["solve", "instances/tiny.yaml"],
        ["solve", "instances/dead-corner.yaml"],
        ["enumerate", "instances/tiny.yaml"],
        ["enumerate", "instances/tiny.yaml", "--limit", "1"],
    ],
)
def test_what_the_program_prints_is_valid(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    main([*arguments, "--format", "json"])
    assert faults("solution", json.loads(capsys.readouterr().out)) == []
