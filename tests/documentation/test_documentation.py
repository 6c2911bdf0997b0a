"""Every command and code block in the documentation runs, and prints what the page says."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from docblocks import Session, blocks, commands, compare, environment
from trades import is_of_missing, trades_of_text

ROOT = Path(__file__).parents[2]
PAGES = sorted(
    [
        ROOT / "README.md",
        ROOT / "CONTRIBUTING.md",
        *(ROOT / "docs").rglob("*.md"),
        *(ROOT / "calmip" / "course" / "instructors").glob("*.md"),
    ]
)
NAMES = [path.relative_to(ROOT).as_posix() for path in PAGES]

MAX_SKIPPED_BLOCKS = 14
"""Blocks that cannot run here, such as the installation of a commercial solver."""


def _page(path: Path) -> object:
    name = path.relative_to(ROOT).as_posix()
    found = re.findall(r"^<!-- (long|slow) -->$", path.read_text(encoding="utf-8"), re.MULTILINE)
    marks = [getattr(pytest.mark, mark) for mark in found]
    run = "\n".join(f"{block.argument}\n{block.text}" for block in blocks(path))
    return pytest.param(path, id=name, marks=[*marks, pytest.mark.trade(*trades_of_text(run))])


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("path", [_page(path) for path in PAGES])
def test_the_blocks_of_a_page_do_what_it_says(path: Path, tmp_path: Path) -> None:
    found = list(blocks(path))
    folder = tmp_path / "page"
    folder.mkdir()
    if found:
        for name in ("instances", "docs/course"):
            if (ROOT / name).is_dir():
                shutil.copytree(ROOT / name, folder / name)
        (folder / "benchmarks").mkdir()
        for results in (ROOT / "benchmarks").glob("campaign*.db"):
            shutil.copy(results, folder / "benchmarks")
    session = Session(path.relative_to(ROOT).as_posix(), folder, environment(tmp_path / "tools"))
    for block in found:
        session.run(block)


def test_few_blocks_are_not_run() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{block.line}: {block.argument}"
        for path in PAGES
        for block in blocks(path)
        if block.mark == "not run"
    ]
    assert len(found) <= MAX_SKIPPED_BLOCKS, "\n".join(found)


OURS = r"`((?:calmip|tests|docs|web|benchmarks|instances|\.ci|\.github)/[\w./-]*)`"


@pytest.mark.parametrize("path", PAGES, ids=NAMES)
def test_the_files_that_a_page_names_are_there(path: Path) -> None:
    named = re.findall(OURS, path.read_text(encoding="utf-8"))
    # Words in capitals stand for what the reader puts there.
    named = [name for name in named if not re.search("[A-Z]{3}", name)]
    named = [name for name in named if not is_of_missing(name)]
    if not (ROOT / ".github").is_dir():
        named = [name for name in named if not name.startswith(".")]
    assert all((ROOT / name).exists() for name in named), named


def test_no_block_hides_from_the_runner() -> None:
    # A fence that the reader does not see, or shell code under another name.
    for path in PAGES:
        fences = re.findall(r"^ *```", path.read_text(encoding="utf-8"), re.MULTILINE)
        assert len(fences) == 2 * len(list(blocks(path))), path
        for block in blocks(path):
            shellish = re.search(r"^\$? ?(calmip|python|pip) ", block.text, re.MULTILINE)
            if shellish and block.language not in ("console", "sh", "python"):
                assert block.language == "text", f"{path}:{block.line}"
                assert "[OPTIONS]" in block.text or block.mark, f"{path}:{block.line}"


def test_the_runner_sees_differences(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "```console\n$ echo one\none\n$ false\n[exit 1]\n```\n\n"
        "```python\nprint(1 + 1)\n```\n\n<!-- output -->\n```text\n3\n```\n\n"
        "```pycon\n>>> 1 + 1\n3\n```\n\n```console\n$ echo one\ntwo\n```\n\n"
        "```console\n$ true\n[exit 1]\n```\n\n```sh\nexit 3\n```\n"
    )
    session = Session("page.md", tmp_path, environment(tmp_path / "tools"))
    right, code, *wrong = blocks(page)
    session.run(right)
    session.run(code)
    assert len(wrong) == 5
    for block in wrong:
        with pytest.raises(AssertionError):
            session.run(block)


def test_a_block_that_needs_what_is_missing_is_left_out_but_not_in_ci(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = tmp_path / "page.md"
    page.write_text("<!-- needs: nosuch -->\n```sh\nexit 3\n```\n")
    session = Session("page.md", tmp_path, environment(tmp_path / "tools"))
    (block,) = blocks(page)
    monkeypatch.delenv("CALMIP_REQUIRE", raising=False)
    monkeypatch.setenv("CI", "true")
    monkeypatch.setenv("CALMIP_WITHOUT", "other nosuch")
    session.run(block)
    monkeypatch.delenv("CALMIP_WITHOUT")
    with pytest.raises(AssertionError, match="nosuch is required here"):
        session.run(block)
    monkeypatch.delenv("CI")
    session.run(block)


def test_masks_hide_seconds_versions_and_a_solvers_choice_only() -> None:
    compare("a 0.10 s b 1.2.3\n", "a 12.55 s b 4.5.66\n\n", "here")
    compare("first\n...\nlast\n", "first\nx\ny\nlast\n", "here")
    end = "4: tiling found and verified (highs)\n"
    compare(f"+---+\n| a |\n{end}", f"+---+\n| b |\n{end}", "here")
    for expected, found in (
        ("3 tilings\n", "4 tilings\n"),
        ("+---+\n| a |\n", "+---+\n| b |\n"),
        (f"+---+\n| a |\n{end}", f"+---+\n|  b  |\n{end}"),
        ("first\n...\nlast\n", "first\nx\n"),
    ):
        with pytest.raises(AssertionError):
            compare(expected, found, "here")
    assert list(commands("$ a \\\n> b\nout\n$ c\n")) == [("a \\\nb", "out\n"), ("c", "")]
