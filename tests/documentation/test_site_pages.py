"""The pages that are written from the program, and those that have to name all of it."""

from __future__ import annotations

import importlib
import importlib.util
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace

import click
import pytest
import yaml
from trades import missing, trades_of_text

import calmip
from calmip.cli import cli
from calmip.features import OWN
from calmip.models import FORMULATIONS
from calmip.puzzle.documents.reader import bundled_puzzles
from calmip.puzzle.tasks.results import Result
from calmip.solvers import SOLVERS

ROOT = Path(__file__).parents[2]
COMMAND_PAGES = ROOT / "docs" / "reference" / "commands"


def is_left(name: str) -> bool:
    """Return whether a command or a public name is of a missing trade, whose pages are left."""
    return bool(trades_of_text(f"calmip.{name}") & missing())


def load(name: str) -> ModuleType:
    """Return a module of what builds the site."""
    spec = importlib.util.spec_from_file_location(name, ROOT / ".ci/docs_build" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def pages() -> ModuleType:
    return load("pages")


def test_programs_find_a_list_of_all_pages_and_the_map(tmp_path: Path) -> None:
    def page(name: str, **meta: str) -> SimpleNamespace:
        address = f"https://a.b/{name}.html"
        return SimpleNamespace(is_page=True, title=name, canonical_url=address, meta=meta)

    module = load("discoverable")
    inner = SimpleNamespace(is_page=False, title="Inner", children=[page("deep")])
    items = [
        page("start", description="Begin here."),
        SimpleNamespace(is_page=False, title="How to", children=[page("one"), inner]),
    ]
    config = {"site_dir": tmp_path, "site_url": "https://a.b/", "site_name": "calmip"}
    module.on_nav(SimpleNamespace(items=items))
    module.on_post_build({**config, "site_description": "Puzzles"})
    assert (tmp_path / "llms.txt").read_text() == (
        "# calmip\n\n> Puzzles\n\n## start\n\n* [start](https://a.b/start.html): Begin here.\n\n"
        "## How to\n\n* [one](https://a.b/one.html)\n* [deep](https://a.b/deep.html)\n"
    )
    assert "Sitemap: https://a.b/sitemap.xml\n" in (tmp_path / "robots.txt").read_text()


def test_texts_of_puzzle_files_are_shown_as_they_are(pages: ModuleType) -> None:
    text = pages.counts()
    assert all(f"\n## {name}\n" in text for name in bundled_puzzles())
    assert r"solver/\*.c, solver/solution-count\*.\{txt,xlsx\}, 3Dmodel/\*.stl" in text
    assert "\n* min: 7 (Oct 6)\n" in text


@pytest.mark.parametrize("name", OWN)
def test_every_command_has_a_page_with_its_options(pages: ModuleType, name: str) -> None:
    text = (COMMAND_PAGES / f"{name}.md").read_text(encoding="utf-8")
    shown = pages.with_options(text)
    assert f"<!-- options: {name} -->" in text
    assert "<!-- options" not in shown
    assert f"calmip {name} " in shown
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            assert parameter.opts[0] in shown
    assert "\n## Example\n" in text
    function = "installed_solvers" if name == "solvers" else name
    own = {*OWN[name].verbs, *([""] if OWN[name].task and OWN[name].homes else [])}
    documented = re.findall(rf"^::: calmip\.{function}(?:\.([a-z_]+))?$", text, re.MULTILINE)
    assert {*documented} >= own
    assert bool(documented) == bool(own)


def computed() -> Iterator[tuple[str, Result]]:
    """Yield results that compute what their JSON has, by the names of their commands."""
    tiny, conflict = (
        calmip.read_instance(f"instances/{name}.yaml") for name in ("tiny", "dead-corner")
    )
    puzzle = calmip.read_puzzle("a-puzzle-a-day")
    yield "count", calmip.count(tiny, up_to_symmetry=True)
    yield "explain", calmip.explain(conflict)
    yield "relax", calmip.relax(tiny)
    yield "tree", calmip.tree(tiny)
    yield "year", calmip.year(puzzle)
    yield "calendar", calmip.calendar(puzzle, 2024)
    yield "puzzles", calmip.puzzles("a-puzzle-a-day")
    yield "bench", calmip.bench.report("benchmarks/campaign.db")


@pytest.mark.trade("year", "bench")
@pytest.mark.long
def test_every_key_of_a_result_is_explained(pages: ModuleType) -> None:
    """A key that a result declares is in the table of its command, with what its docstring says."""
    reference = (ROOT / "docs/reference/files.md").read_text(encoding="utf-8")
    guides = [path.read_text(encoding="utf-8") for path in (ROOT / "docs/how-to").glob("*.md")]
    for name, result in computed():
        own = pages.with_options((COMMAND_PAGES / f"{name}.md").read_text(encoding="utf-8"))
        text = "\n".join([own, reference, *guides])
        missing = [key for key in result.describe() if not re.search(rf"[`\"]{key}[`\"]", text)]
        assert not missing, f"the JSON of calmip {name}"
    for name in OWN:
        assert all(text.strip(".") for _, text in pages.json_keys(name))
    with pytest.raises(ValueError, match="says nothing of its weather"):
        pages.meaning(calmip.Solution, "weather")


def headings(path: Path) -> set[str]:
    """Return the anchors of a page's headings."""
    lines = re.sub(r"(?ms)^```.*?^```", "", path.read_text(encoding="utf-8")).splitlines()
    titles = [line.lstrip("# ").lower() for line in lines if line.startswith("#")]
    return {re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", title)).strip("-") for title in titles}


def test_every_address_that_the_site_has_had_still_leads_somewhere(pages: ModuleType) -> None:
    """`addresses.txt` has them all: whoever adds a page adds it there, and no line leaves it."""
    docs = ROOT / "docs"
    text = Path(__file__).with_name("addresses.txt").read_text(encoding="utf-8")
    known, made = set(text.split()), {"reference/counts.md", "about/changelog.md"}
    made |= {f"notebooks/{path.stem}.md" for path in (docs / "notebooks").glob("*.py")}
    made |= {name for name, _ in load("data_pages").data_pages()}
    there = {path.relative_to(docs).as_posix() for path in docs.rglob("*.md")} | made
    assert known == there | set(pages.MOVED)
    assert not there & set(pages.MOVED)
    for new in pages.MOVED.values():
        page, _, anchor = new.partition("#")
        assert page in there
        assert not anchor or anchor in headings(docs / page), new


def test_an_old_address_leads_to_the_page_and_its_heading(
    pages: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "MOVED", {"a/old.md": "b/new.md#here", "a/other.md": "a/one.md"})
    found = pages.redirects()
    assert 'content="0; url=../b/new.html#here"' in found["a/old.html"]
    assert 'href="one.html"' in found["a/other.html"]
    assert "location.replace('one.html' + location.hash)" in found["a/other.html"]
    assert "location.hash" not in found["a/old.html"]


def test_measured_tables_are_put_into_their_page(pages: ModuleType) -> None:
    text = pages.with_options("Before\n\n<!-- measured: years -->\n\nAfter\n")
    assert text.startswith(
        "Before\n\n| year | tilings | seconds | MB |\n| --- | --- | --- | --- |\n"
    )
    assert "| `a-puzzle-a-day` | 25,061 |" in text
    assert text.endswith("\n\n`python -m benchmarks.counting --large`\n\nAfter\n")


def test_the_site_has_five_tabs(pages: ModuleType) -> None:
    text = (ROOT / ".ci/docs_build/mkdocs.yml").read_text(encoding="utf-8")
    front, *tabs = yaml.load(text, yaml.BaseLoader)["nav"]
    assert front == {"Home": "index.md"}
    assert [next(iter(tab)) for tab in tabs] == [
        "Play",
        "Your model",
        "Teach",
        "Compare solvers",
        "Reference",
    ]


def test_every_command_has_its_place_in_the_site(pages: ModuleType) -> None:
    written = {path.stem for path in COMMAND_PAGES.glob("*.md") if not is_left(path.stem)}
    assert written == {*OWN, "index"}
    site = yaml.load(
        (ROOT / ".ci/docs_build/mkdocs.yml").read_text(encoding="utf-8"), yaml.BaseLoader
    )
    nav = str(pages.with_commands(site["nav"]))
    assert re.findall(r"reference/commands/(\w+)\.md", nav) == ["index", *OWN]
    index = pages.with_options((COMMAND_PAGES / "index.md").read_text(encoding="utf-8"))
    assert re.findall(r"\[(\w+)\]\(\1\.md\)", index) == list(OWN)


@pytest.mark.long
def test_the_reference_documents_all_that_is_public_once_and_nothing_else() -> None:
    reference = ROOT / "docs" / "reference"
    texts = [path.read_text(encoding="utf-8") for path in reference.rglob("*.md")]
    names = [name for text in texts for name in re.findall(r"^::: calmip\.(\S+)$", text, re.M)]
    names = [name for name in names if not is_left(name)]
    assert len(names) == len(set(names))
    verbs = {f"{one.name}.{verb}" for one in OWN.values() for verb in one.verbs}
    verbs = {name for name in verbs if not is_left(name)}
    assert verbs <= set(names)
    alone = {name.partition(".")[0] for name in verbs}
    assert {name for name in names if "." not in name} | alone == set(calmip.__all__) - {
        "__version__",
        "models",
    }
    for name in (name for name in names if "." in name and name not in verbs):
        room, _, last = name.rpartition(".")
        assert last in importlib.import_module(f"calmip.{room}").__all__


def test_the_reference_names_every_solver() -> None:
    reference = (ROOT / "docs" / "reference" / "solvers.md").read_text(encoding="utf-8")
    for name in SOLVERS:
        assert re.search(rf"\b{name}\b", reference, re.IGNORECASE), name


def test_every_formulation_is_explained() -> None:
    text = (ROOT / "docs" / "explanation" / "formulations.md").read_text(encoding="utf-8")
    for name in FORMULATIONS:
        assert re.search(rf"\b{name}\b", text), name


@pytest.mark.skipif(not (ROOT / ".ci").is_dir(), reason="in the repository only")
def test_the_glossary_explains_the_terms_that_the_linter_asks_for() -> None:
    text = (ROOT / ".ci" / "prose" / "words.yml").read_text(encoding="utf-8")
    (terms,) = re.findall(r"# Terms of the field.*?(?=\n  # )", text, re.DOTALL)
    glossary = (ROOT / "docs" / "reference" / "glossary.md").read_text(encoding="utf-8")
    expected = re.findall(r"- expected: (.+)", terms)
    assert len(expected) > 5
    assert [term for term in expected if term not in glossary] == []
