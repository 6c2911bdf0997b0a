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
from referencing import Registry, Resource

from calmip.cli import main
from calmip.documents.reader import INSTANCE_KEYS, PUZZLE_KEYS, read_puzzle
from calmip.errors import InputError
from calmip.models import FORMULATIONS
from calmip.problem.lattice import LATTICES, SHAPES
from calmip.solvers import SOLVERS
from calmip.tasks.campaign import document as campaigns
from calmip.tasks.campaign.document import INSTANCE_KEYS as INSTANCE_KEYS_OF_CAMPAIGNS
from calmip.tasks.campaign.problems import STATUSES
from calmip.tasks.campaign.store import COLUMNS

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "reference" / "schemas"


def schema(name: str) -> Any:
    found = json.loads((FOLDER / f"{name}.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(found)
    return found


def faults(name: str, document: Any) -> list[str]:
    others = [Resource.from_contents(schema(path.name.split(".")[0])) for path in FOLDER.iterdir()]
    registry = [resource @ Registry() for resource in others]
    validator = jsonschema.Draft202012Validator(
        schema(name), registry=Registry().combine(*registry)
    )
    return [error.message for error in validator.iter_errors(document)]


class Loader(yaml.SafeLoader):
    """Reads YAML as editors do, to which a date is a text."""


Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if not tag.endswith(":timestamp")]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def loaded(text: str) -> Any:
    return yaml.load(text, Loader)


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


@pytest.mark.long
def test_the_examples_of_the_page_are_valid_and_what_the_program_prints(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = [block for block in blocks(FOLDER.with_suffix(".md")) if block.language != "console"]
    for block in page:
        if block.argument:
            (tmp_path / block.argument).write_text(block.text)
    names = ("puzzle", "instance", "solution", "campaign", "results")
    assert {f"{name}.schema.json" for name in names} == {path.name for path in FOLDER.iterdir()}
    shown = {name: loaded(block.text) for name, block in zip(names, page, strict=True)}
    for name, document in shown.items():
        assert faults(name, document) == []
    assert main(["enumerate", str(tmp_path / page[1].argument), "--format", "json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert {**printed, "seconds": None} == {**shown["solution"], "seconds": None}
    base, out = str(tmp_path / "small.db"), tmp_path / "small.json"
    assert main(["bench", "run", str(tmp_path / page[3].argument), "-o", base]) == 0
    assert main(["bench", "report", base, "-o", str(out)]) == 0
    results = json.loads(out.read_text(encoding="utf-8"))
    assert faults("results", results) == []
    assert keys(results) == keys(shown["results"])
    assert list(results["runs"][0]) == list(shown["results"]["runs"][0])
    assert set(results["runs"][0]) == set(COLUMNS)


def keys(document: Any) -> Any:
    """Return a document without its values."""
    if isinstance(document, dict):
        return {key: keys(value) for key, value in document.items()}
    return [keys(entry) for entry in document] if isinstance(document, list) else None


@pytest.mark.parametrize("path", sorted((ROOT / "calmip" / "puzzles").glob("*.yaml")),
                         ids=lambda path: path.stem)  # fmt: skip
def test_every_bundled_puzzle_is_valid(path: Path) -> None:
    assert faults("puzzle", yaml.safe_load(path.read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize("path", sorted((ROOT / "instances").glob("*.yaml")),
                         ids=lambda path: path.stem)  # fmt: skip
def test_every_instance_is_valid(path: Path) -> None:
    assert faults("instance", yaml.safe_load(path.read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize(
    "path",
    [*(ROOT / "calmip" / "suites").glob("*.yaml"), *(ROOT / "benchmarks").glob("campaign*.yaml")],
    ids=lambda path: path.stem,
)
def test_every_campaign_is_valid(path: Path) -> None:
    assert faults("campaign", loaded(path.read_text(encoding="utf-8"))) == []


def test_the_campaign_of_the_guide_is_valid() -> None:
    page = blocks(ROOT / "docs" / "how-to" / "campaigns.md")
    files = [block for block in page if block.argument and block.argument.endswith(".yaml")]
    assert files
    assert all(faults("campaign", loaded(block.text)) == [] for block in files)


def test_the_results_of_the_large_campaign_are_valid(tmp_path: Path) -> None:
    out = tmp_path / "campaign.json"
    assert main(["bench", "report", str(ROOT / "benchmarks/campaign.db"), "-o", str(out)]) == 0
    assert faults("results", json.loads(out.read_text(encoding="utf-8"))) == []


def test_the_names_in_the_schemas_of_campaigns_are_those_of_the_reader() -> None:
    campaign, results = schema("campaign"), schema("results")
    assert set(campaign["properties"]) == set(campaigns.KEYS)
    kinds = campaign["$defs"]
    assert set(kinds["puzzle"]["properties"]) == set(INSTANCE_KEYS_OF_CAMPAIGNS)
    assert kinds["solver"]["enum"] == list(SOLVERS)
    assert kinds["suite"]["properties"]["suite"]["enum"] == list(campaigns.bundled_suites())
    assert campaign["properties"]["formulations"]["items"]["enum"] == list(FORMULATIONS)
    assert campaign["properties"]["goal"]["enum"] == list(campaigns.GOALS)
    run = results["properties"]["runs"]["items"]
    assert run["properties"]["status"]["enum"] == list(STATUSES)


@pytest.mark.parametrize(
    "wrong",
    [
        {"solvers": ["highs"]},
        {"instances": []},
        {"instances": [{"puzzle": "tiny", "suite": "easy"}]},
        {"instances": [{"suite": "simple"}]},
        {"instances": [{"puzzle": "a-puzzle-a-day", "date": ["2024-02-29"]}]},
        {"instances": [{"puzzle": {"grid": ["1 2"]}}]},
        {"instances": [{"suite": "count"}], "solvers": ["hihgs"]},
        {"instances": [{"suite": "count"}], "solvers": [{"name": "cbc", "option": {}}]},
        {"instances": [{"suite": "count"}], "solvers": [{"name": "cbc", "options": {"--x": "1"}}]},
        {"instances": [{"suite": "count"}], "seeds": [-1]},
        {"instances": [{"suite": "count"}], "time_limit": 0},
        {"instances": [{"suite": "count"}], "memory_limit": "2 elephants"},
        {"instances": [{"suite": "count"}], "goal": "win"},
    ],
)
def test_a_campaign_that_the_reader_refuses_is_not_valid(wrong: Any, tmp_path: Path) -> None:
    assert faults("campaign", wrong)
    path = tmp_path / "wrong.yaml"
    path.write_text(yaml.safe_dump(wrong))
    assert main(["bench", "run", str(path), "-o", str(tmp_path / "x.db")]) == 2


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
    with pytest.raises(InputError):
        read_puzzle(path)


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
