"""The documentation as plain Markdown, which needs no hook of a generator any more."""

from __future__ import annotations

import importlib
import importlib.util
import json
import re
import sys
import zipfile
from pathlib import Path
from types import ModuleType

import pytest
from requirements import missing
from trades import TRADES

pytestmark = pytest.mark.trade(*TRADES)  # the site has the pages of all of them

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def plain() -> ModuleType:
    for name in ("latex2mathml", "hatchling"):
        if importlib.util.find_spec(name) is None:
            missing(name)
    sys.path.insert(0, str(ROOT / ".ci/docs_build"))
    try:
        return importlib.import_module("plain")
    finally:
        sys.path.remove(str(ROOT / ".ci/docs_build"))


@pytest.fixture(scope="module")
def written(plain: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("plain")
    (folder / "old").mkdir()
    (folder / "old" / "gone.md").write_text("a page that is no more")
    plain.write(folder)
    return folder


def test_formulas_are_mathml_and_dollars_in_code_are_not(plain: ModuleType) -> None:
    page = (
        "a $x_1 * y$ b\n$k$ c `$HOME$`\n\n```sh\n$ echo $a$\n```\n\n"
        "  $$\n  a \\le b\n  $$\nfor 5 $\n"
    )
    found = plain.formulas(page, "page.md")
    assert found.count("<math") == 3
    assert "`$HOME$`" in found
    assert "$ echo $a$" in found
    assert "for 5 $" in found
    # Neither the end of a paragraph nor emphasis, wherever a formula stands.
    assert not re.search(r"^ *<math", found, re.MULTILINE)
    assert not re.search(r">[^<]*[*_|][^<]*</m", found)
    assert re.search(r'^  <div class="formula"><math.*</math></div>$', found, re.MULTILINE)
    with pytest.raises(ValueError, match=r"page.md: unknown command \\nosuch"):
        plain.formulas("$\\nosuch{x}$", "page.md")


@pytest.mark.long
def test_no_page_is_left_with_anything_to_do(plain: ModuleType, written: Path) -> None:
    pages = {
        path.relative_to(written).as_posix(): path.read_text("utf-8")
        for path in written.rglob("*.md")
    }
    sources = {path.relative_to(plain.DOCS).as_posix() for path in plain.DOCS.rglob("*.md")}
    made = {
        "reference/counts.md",
        "reference/dialects-cases.md",
        "about/audit-statements.md",
        "about/changelog.md",
        "notebooks/first_solve.md",
        "notebooks/puzzle_to_model.md",
        "notebooks/all_solutions.md",
        "notebooks/write_the_model.md",
        "notebooks/languages.md",
        "notebooks/relaxation.md",
        "notebooks/tree.md",
    }
    assert set(pages) == sources | made
    for name, text in pages.items():
        assert "<!-- options:" not in text, name
        assert plain.formulas(text, name) == text, name
    assert sum(text.count("<math") for text in pages.values()) > 100
    assert "| <code>--time-limit" in pages["reference/commands/solve.md"]
    assert not (written / "old" / "gone.md").exists()
    assert (written / "play" / "index.html").stat().st_size > 100_000


def test_every_page_reads_well_on_a_code_host() -> None:
    for page in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]:
        text = re.sub(r"^( *)```.*?^\1```", "", page.read_text("utf-8"), flags=re.DOTALL | re.M)
        # What a generator reads, and a host shows as text or not at all.
        for foreign in ("{ .", "{ width", "#only-", "<iframe"):
            assert foreign not in text, f"{page}: {foreign}"
        assert not text.startswith("---"), page
        for found in re.findall(r"\]\(([^)\s]+)\)|(?:src|srcset|href)=\"([^\"]+)\"", text):
            link = "".join(found).partition("#")[0]
            if link and not re.match(r"\w+:", link):
                assert (page.parent / link).exists(), f"{page}: {link}"
    assert "](https://calmip.github.io/calmip/play/index.html)" in (ROOT / "README.md").read_text()


MOST_WORDS, MOST_WORDS_OF_THE_COURSE = 38_500, 14_500
"""The most words that people have written for people to read, outside of the course and in it."""


def test_the_pages_stay_short() -> None:
    """Without code, output and pictures; tables that are measured or generated are no pages.

    The course has a limit of its own. A page elsewhere is one of many that a reader searches for
    an answer, so each word there is in somebody's way. A course is a book that is read once,
    exercise by exercise, and grows by whole exercises.
    """
    left_out = r"^( *)```.*?^\1``` *$|<!--.*?-->|<picture>.*?</picture>|(?<=\])\([^)]*\)|<[^>]+>"
    counts = {"course": 0, "others": 0}
    for path in (ROOT / "docs").rglob("*.md"):
        text = re.sub(left_out, "", path.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
        part = "course" if ROOT / "docs" / "course" in path.parents else "others"
        counts[part] += sum(re.search(r"\w", word) is not None for word in text.split())
    for part, most in (("others", MOST_WORDS), ("course", MOST_WORDS_OF_THE_COURSE)):
        assert counts[part] > most / 3, f"{part}: they are counted"
        assert counts[part] <= most, (
            f"{part}: say it in fewer words, or leave out what is said elsewhere"
        )


@pytest.mark.long
def test_every_page_has_a_description_of_its_own(plain: ModuleType, written: Path) -> None:
    pages = sorted(written.rglob("*.md"))
    found = [path.read_text("utf-8").split("\n")[1].removeprefix("description: ") for path in pages]
    for path, text in zip(pages, map(json.loads, found), strict=True):
        assert 30 <= len(text) <= plain.pages.MAX_DESCRIPTION_CHARACTERS + 4, f"{path}: {text}"
        assert not re.search(r"[`*$<\\]|&#|\]\(|:$", text), f"{path}: {text}"
    assert len(set(found)) == len(found)


@pytest.mark.long
def test_pip_finds_the_wheel_on_the_page_that_explains_how_to_install(
    plain: ModuleType, written: Path
) -> None:
    page = (written / "how-to" / "install.md").read_text("utf-8")
    (name,) = re.findall(r"\]\((calmip-.*\.whl)\)", page)
    with zipfile.ZipFile(written / "how-to" / name) as wheel:
        inside = wheel.namelist()
    assert "calmip/__main__.py" in inside
    assert not [one for one in inside if "__pycache__" in one]
    address = f"--find-links {plain.pages.SITE}how-to/install.html"
    for notebook in (plain.DOCS / "notebooks").glob("*.py"):
        assert f"# %pip install --quiet calmip {address}\n" in notebook.read_text("utf-8")
    assert address in page


@pytest.mark.long
def test_the_site_has_frames_buttons_and_the_reader_s_theme(
    plain: ModuleType, written: Path
) -> None:
    sources = [path.read_text("utf-8") for path in plain.DOCS.rglob("*.md")]
    pages = {path: path.read_text("utf-8") for path in written.rglob("*.md")}
    pictures = sum(text.count("<picture>") for text in sources)
    assert pictures > 20
    for theme in ("light", "dark"):
        assert sum(text.count(f"#only-{theme})") for text in pages.values()) == pictures
    front = pages[written / "index.md"]
    assert front.partition("\n---\n")[0].endswith("\nhide: [navigation, toc]")
    assert re.search('<iframe src="play/index.html#small"[^>]* loading="lazy">', front)
    assert front.count("{ .md-button") == 1
    assert "](notebooks/first_solve.md)" in front
    for path, text in pages.items():
        assert "<picture>" not in text
        assert "](https://calmip.github.io" not in text or path.name == "changelog.md"
        for name in re.findall(r"\]\(([\w./-]+)(?:#[\w-]+)?\)", text):
            # The changelog's links are those of the repository's own file.
            assert (path.parent / name).exists() or path.name == "changelog.md", f"{path}: {name}"


@pytest.mark.long
def test_what_is_the_same_is_not_touched(plain: ModuleType, written: Path) -> None:
    # A server that watches the folder would begin anew for ever.
    times = {path: path.stat().st_mtime_ns for path in written.rglob("*") if path.is_file()}
    (written / "index.md").write_text("changed")
    plain.write(written)
    assert (written / "index.md").read_text("utf-8") != "changed"
    for path, time in times.items():
        assert path.name == "index.md" or path.stat().st_mtime_ns == time
