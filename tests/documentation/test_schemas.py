"""The JSON Schemas say what the reader takes and the program prints."""

from __future__ import annotations

import importlib
import json
import re
import tomllib
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import jsonschema
import pytest
import yaml
from docblocks import blocks
from referencing import Registry, Resource

from calmip._base.errors import InputError
from calmip.cli import main
from calmip.puzzle.documents.reader import read_puzzle

pytestmark = pytest.mark.trade("bench")  # the script is of all schemas, those of campaigns too

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "reference" / "schemas"


def generator() -> ModuleType:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT / ".ci/docs_build"))
        return importlib.import_module("schemas")


@cache
def schemas() -> dict[str, Any]:
    """Return the schemas by their names."""
    texts = generator().schemas()
    found = {name.removesuffix(".schema.json"): json.loads(text) for name, text in texts.items()}
    for schema in found.values():
        jsonschema.Draft202012Validator.check_schema(schema)
    return found


def faults(name: str, document: Any) -> list[str]:
    registry = [Resource.from_contents(schema) @ Registry() for schema in schemas().values()]
    validator = jsonschema.Draft202012Validator(
        schemas()[name], registry=Registry().combine(*registry)
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


@pytest.mark.long
def test_the_schemas_lie_where_their_identifiers_say() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    site = project["urls"]["Documentation"] + "reference/schemas/"
    known = {f"{site}{name}.schema.json" for name in schemas()}
    assert {schema["$id"] for schema in schemas().values()} == known
    for schema in schemas().values():
        assert all(value.get("description") for value in schema["properties"].values())
    for path in (ROOT / "docs").rglob("*.md"):
        for address in re.findall(r"https:\S+\.schema\.json", path.read_text(encoding="utf-8")):
            assert address in known, (path, address)


@pytest.mark.long
def test_the_examples_of_the_page_are_valid_and_what_the_program_prints(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from calmip.bench.campaign.store import COLUMNS

    page = [block for block in blocks(FOLDER.with_suffix(".md")) if block.language != "console"]
    for block in page:
        if block.argument:
            (tmp_path / block.argument).write_text(block.text)
    names = ("puzzle", "instance", "solution", "campaign", "results", "comparison", "explanation")
    assert set(names) == set(schemas())
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
    assert set(results["runs"][0]) == {*COLUMNS, "root_bound", "first_solution", "primal_integral"}


def keys(document: Any) -> Any:
    """Return a document without its values."""
    if isinstance(document, dict):
        return {key: keys(value) for key, value in document.items()}
    return [keys(entry) for entry in document] if isinstance(document, list) else None


@pytest.mark.parametrize(
    "path", sorted((ROOT / "calmip" / "puzzles").glob("*.yaml")), ids=lambda path: path.stem
)
def test_every_bundled_puzzle_is_valid(path: Path) -> None:
    assert faults("puzzle", yaml.safe_load(path.read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize(
    "path", sorted((ROOT / "instances").glob("*.yaml")), ids=lambda path: path.stem
)
def test_every_instance_is_valid(path: Path) -> None:
    assert faults("instance", yaml.safe_load(path.read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize(
    "path",
    [
        *(ROOT / "calmip" / "bench" / "suites").glob("*.yaml"),
        *(ROOT / "benchmarks").glob("campaign*.yaml"),
    ],
    ids=lambda path: path.stem,
)
def test_every_campaign_is_valid(path: Path) -> None:
    assert faults("campaign", loaded(path.read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize("page", ["campaigns", "campaigns-read", "campaigns-trust"])
def test_the_campaign_of_a_guide_is_valid(page: str) -> None:
    found = blocks(ROOT / "docs" / "how-to" / f"{page}.md")
    files = [block for block in found if block.argument and block.argument.endswith(".yaml")]
    assert files
    assert all(faults("campaign", loaded(block.text)) == [] for block in files)


@pytest.mark.long
def test_the_results_of_the_large_campaign_are_valid(tmp_path: Path) -> None:
    out = tmp_path / "campaign.json"
    assert main(["bench", "report", str(ROOT / "benchmarks/campaign.db"), "-o", str(out)]) == 0
    assert faults("results", json.loads(out.read_text(encoding="utf-8"))) == []


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


def test_a_key_that_no_schema_declares_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    made = generator()
    with monkeypatch.context() as patch:
        patch.setattr(made, "PUZZLE_KEYS", (*made.PUZZLE_KEYS, "colours"))
        with pytest.raises(ValueError, match="'colours'"):
            made.schemas()
    monkeypatch.setattr(made.Solution, "KEYS", (*made.Solution.KEYS, "has_picture"))
    document = json.loads(made.schemas()["solution.schema.json"])
    assert document["properties"]["has_picture"] == {
        "description": "Whether there is something to draw.",
        "type": "boolean",
    }


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


@pytest.mark.parametrize("side", ["1", "2", "x"])
def test_a_comparison_is_valid(
    side: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of two models that are the same, that differ, and with a column of one alone."""
    text = "Maximize\n v: 2 a + b\nSubject To\n r: a + b + {} <= 1\nBinaries\n a b c\nEnd\n"
    one, other = tmp_path / "one.lp", tmp_path / "other.lp"
    one.write_text(text.format("c"))
    other.write_text(text.format("c").replace("<= 1", "<= 1" if side == "x" else f"<= {side}"))
    if side == "x":
        other.write_text(other.read_text().replace("+ c", "+ d").replace("a b c", "a b d"))
    code = main(["compare", str(one), str(other), "--format", "json"])
    assert code == {"1": 0, "2": 1, "x": 0}[side]
    assert faults("comparison", json.loads(capsys.readouterr().out)) == []


@pytest.mark.parametrize(
    "options",
    [
        (),
        ("--smallest", "--group", "a*", "--repair", "--penalty", "cap=2"),
        ("--disjoint", "--keep", "one"),
    ],
)
@pytest.mark.parametrize("most", ["2", "9", "endless"])
def test_an_explanation_is_valid(
    most: str, options: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of models that are infeasible, feasible and unbounded."""
    text = "Minimize\n v: x - 2 y\nSubject To\n one: x + y >= 1\n a1: 2 x + y >= 3\n cap: 3 x + "
    text += f"3 y <= {most.replace('endless', '99')}\nBounds\n y <= 3\nGenerals\n x y\nEnd\n"
    if most == "endless":
        text = text.replace("cap: 3 x + 3 y <=", "cap: 3 x >=").replace("y <= 3", "y >= 0")
    path = tmp_path / "model.lp"
    path.write_text(text)
    code = main(["explain", str(path), *options, "--format", "json"])
    assert code == (0 if most == "2" else 1)
    assert faults("explanation", json.loads(capsys.readouterr().out)) == []
