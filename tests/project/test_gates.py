"""Every gate of CI is seen red: one fault is planted in a copy, and the gate's own command fails.

What a gate runs is what its session of noxfile.py runs, without the installations.
"""

from __future__ import annotations

import json
import os
import runpy
import shutil
import subprocess
import sys
import types
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from requirements import missing, need_package

ROOT = Path(__file__).parents[2]

pytestmark = [
    pytest.mark.skipif(not (ROOT / ".ci").is_dir(), reason="in the repository only"),
    pytest.mark.skipif(os.name != "posix", reason="the gates are run on Linux"),
]


class CommandFailed(Exception):
    """What nox raises of a program that fails."""


class Session:
    """A session of nox in a copy of the repository: it runs its commands, and installs nothing."""

    def __init__(self, copy: Path, *given: str) -> None:
        self.copy = copy
        self.posargs = list(given)
        self.bin = str(Path(sys.executable).parent)
        self.virtualenv = SimpleNamespace(location=str(copy / "environment"))
        (copy / "environment").mkdir(exist_ok=True)

    def install(self, *_: str) -> None:
        """Leave the environment as it is."""

    def run(self, *words: str, env: dict[str, str] | None = None, **_: Any) -> None:
        if words[:2] == ("npm", "ci"):
            return
        search = f"{self.bin}{os.pathsep}{os.environ['PATH']}"
        program = shutil.which(str(self.copy / words[0])) or shutil.which(words[0], path=search)
        if program is None:
            missing(words[0])
        # Of the copy, not of what is installed, nor of what runs this test.
        kept = {key: value for key, value in os.environ.items() if "PYTEST" not in key}
        done = subprocess.run(
            [str(program), *words[1:]],
            cwd=self.copy,
            text=True,
            check=False,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env={**kept, "PATH": search, "PYTHONPATH": str(self.copy), **(env or {})},
        )
        if done.returncode:
            raise CommandFailed(done.stdout)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Return a copy of the repository."""
    folder = tmp_path / "copy"
    left_out = shutil.ignore_patterns(
        ".git",
        ".venv*",
        ".*_cache",
        ".hypothesis",
        "node_modules",
        "__pycache__",
        "site",
        "build",
        "dist",
    )
    shutil.copytree(ROOT, folder, ignore=left_out)
    for place in ("web", ".ci/prose"):
        if (ROOT / place / "node_modules").is_dir():
            (folder / place / "node_modules").symlink_to(ROOT / place / "node_modules")
    return folder


@pytest.fixture
def gate(copy: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Return a function that runs a session or another command in the copy."""
    nox = types.ModuleType("nox")
    nox.options = SimpleNamespace()  # type: ignore[attr-defined]
    nox.Session = Session  # type: ignore[attr-defined]
    nox.session = lambda *given, **_: given[0] if given else lambda one: one  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "nox", nox)
    jobs = runpy.run_path(str(ROOT / "noxfile.py"))

    def run(name: str, *words: str) -> None:
        if name in jobs:
            jobs[name](Session(copy, *words))
        else:
            Session(copy).run(name, *words)

    return run


def change(path: Path, old: str, new: str) -> None:
    """Replace a text that is in a file once or more."""
    text = path.read_text(encoding="utf-8")
    assert old in text, path
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def add(path: Path, text: str) -> None:
    """Add lines to a file, or make it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        file.write(text)


TESTS = ("python", "-m", "pytest", "-q", "-n", "0", "--long", "-p", "no:cacheprovider")


@pytest.mark.long
@pytest.mark.parametrize(
    ("plant", "says"),
    [
        (("calmip/puzzle/dates.py", "import os\n"), "F401"),
        (("calmip/puzzle/further.py", '"""A module."""\nX = {  "a":1}\n'), "ould (be )?reformat"),
    ],
)
def test_style_and_format(
    copy: Path, gate: Callable[..., None], plant: tuple[str, str], says: str
) -> None:
    add(copy / plant[0], plant[1])
    with pytest.raises(CommandFailed, match=says):
        gate("lint")


@pytest.mark.slow
def test_types(copy: Path, gate: Callable[..., None]) -> None:
    add(copy / "calmip/puzzle/further.py", '"""A module."""\n\nNUMBER: int = "one"\n')
    with pytest.raises(CommandFailed, match=r"further.py:3: error: Incompatible types"):
        gate("lint")


@pytest.mark.slow
def test_prose(copy: Path, gate: Callable[..., None]) -> None:
    if not (ROOT / ".ci/prose/node_modules").is_dir():
        missing("textlint (npm ci in .ci/prose/)")
    add(copy / "docs/how-to/year.md", "\nThis model has no point.\n")
    with pytest.raises(CommandFailed, match=r"(?s)year\.md.*infeasible"):
        gate("prose")


@pytest.mark.long
def test_the_part_tests_leaves_out_what_has_passed_but_for_a_tenth(
    copy: Path, gate: Callable[..., None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # No file of tests is named, as pytest would find the configuration by that.
    for folder in (copy / "tests").iterdir():
        if folder.is_dir() and folder.name != "helpers":
            shutil.rmtree(folder)
    file = "tests/test_planted.py"
    add(
        copy / file,
        "import pytest\n\n\n@pytest.mark.parametrize('n', range(20))\n"
        "def test_that_fails(n):\n    raise AssertionError\n",
    )
    # It lies in another folder than the copy of the commit, as in .ci/run.
    passed = tmp_path / "passed.json"
    monkeypatch.setenv("CALMIP_PASSED", str(passed))
    monkeypatch.setenv("CALMIP_SEED", "7")
    names = json.dumps([f"{file}::test_that_fails[{n}]" for n in range(20)])
    for record, says in (
        (None, "20 failed in"),
        (names, "2 failed, 18 deselected"),
        (names[:-1], "JSONDecodeError"),
    ):
        if record is not None:
            passed.write_text(record, encoding="utf-8")
        with pytest.raises(CommandFailed, match=says):
            gate("newest", "tests", "-n", "0")


@pytest.mark.long
@pytest.mark.parametrize("of_calmip", [True, False])
def test_lower_bounds(copy: Path, gate: Callable[..., None], of_calmip: bool) -> None:
    old, new = ("pyyaml>=", "pyyaml<=") if of_calmip else ("hypothesis>=", "hypothesis<=")
    gate("python", ".ci/lowest.py", "calmip[test-all]")
    change(copy / "pyproject.toml", f'"{old}', f'"{new}')
    with pytest.raises(CommandFailed, match=f"{old[:-2]}.* has no lower bound"):
        gate("python", ".ci/lowest.py", "calmip[test-all]")


@pytest.mark.slow
def test_the_bytes_of_the_compiled_search(copy: Path, gate: Callable[..., None]) -> None:
    need_package("ziglang")
    source = next((copy / "calmip/mip/kernel").glob("*.c"))
    add(source, "int calmip_planted(int x) { return x + 1; }\n")
    with pytest.raises(CommandFailed, match=r"built|differ|source"):
        gate("kernel")


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "test"),
    [("calmip/page/foreign.wasm", "notice"), ("calmip/puzzle/render/foreign.ttf", "notice")],
)
def test_licence_notices(copy: Path, gate: Callable[..., None], name: str, test: str) -> None:
    add(copy / name, "what others wrote")
    with pytest.raises(CommandFailed, match=r"NOTICES does not name it"):
        gate(*TESTS, "tests/project/test_release.py", "-k", test)


@pytest.mark.long
def test_architecture(copy: Path, gate: Callable[..., None]) -> None:
    add(copy / "calmip/puzzle/dates.py", "import calmip.puzzle.tasks  # noqa\n")
    with pytest.raises(CommandFailed, match=r"test_imports_go_one_way"):
        gate(*TESTS, "tests/project/test_architecture.py", "-k", "one_way")


@pytest.mark.long
def test_the_contract_of_the_page(copy: Path, gate: Callable[..., None]) -> None:
    if not (ROOT / "web/node_modules").is_dir():
        missing("the packages of web/ (npm ci in web/)")
    change(copy / "web/src/formats/model_files.js", "Binaries", "Generals")
    with pytest.raises(CommandFailed, match=r"test_exported_files_have_the_same_bytes"):
        gate(*TESTS, "tests/page/test_contract.py", "-k", "exported_files")


@pytest.mark.long
def test_types_of_the_page(copy: Path, gate: Callable[..., None]) -> None:
    if not (ROOT / "web/node_modules").is_dir():
        missing("the packages of web/ (npm ci in web/)")
    add(copy / "web/src/problem/errors.js", "/** @type {number} */\nexport const one = 'one';\n")
    with pytest.raises(CommandFailed, match=r"Type 'string' is not assignable to type 'number'"):
        gate("page")


@pytest.mark.slow
def test_the_tests_of_the_page_s_modules(copy: Path, gate: Callable[..., None]) -> None:
    if not (ROOT / "web/node_modules").is_dir():
        missing("the packages of web/ (npm ci in web/)")
    add(
        copy / "web/test/planted.test.js",
        'import test from "node:test";\n\n'
        'test("planted", () => {\n  throw new Error("planted");\n});\n',
    )
    with pytest.raises(CommandFailed, match="planted"):
        gate("page")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("plant", "says"),
    [
        (("docs/how-to/year.md", "\n[nowhere](nowhere.md)\n"), "nowhere.md"),
        (("docs/how-to/year.md", "\n[nowhere](wall.md#nowhere)\n"), "#nowhere"),
        (("docs/further.md", "# Further\n\nA page without a place.\n"), "further.md"),
        (("docs/how-to/year.md", '\n<img src="https://example.org/x.png" alt="">\n'), "example"),
    ],
)
def test_the_site(copy: Path, gate: Callable[..., None], plant: tuple[str, str], says: str) -> None:
    need_package("mkdocs")
    add(copy / plant[0], plant[1])
    with pytest.raises(CommandFailed, match=rf"(?s){says}.*Aborted with 1 warnings"):
        gate("site")


@pytest.mark.slow
def test_the_search_of_the_site(copy: Path, gate: Callable[..., None]) -> None:
    need_package("mkdocs")
    path = copy / "docs/questions/warm-start.md"
    path.write_text("# A page\n\nNothing is said here.\n", encoding="utf-8")
    for page in copy.glob("docs/**/*.md"):
        text = page.read_text(encoding="utf-8")
        page.write_text(text.replace("warm-start.md#", "warm-start.md?"), encoding="utf-8")
    with pytest.raises(CommandFailed, match=r"no  warm start: "):
        gate("site")


GOOD = """<!doctype html><html lang="en"><head><title>A page</title></head>
<body><main>%s</main></body></html>"""


@pytest.mark.long
@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("<h1>A page</h1><p>It is right.</p>", ""),
        ("<h1>A page</h1><img src=x.png>", "image-alt"),
        ("<h1>A page</h1><p style='color: #bbb; background: #fff'>pale</p>", "color-contrast"),
        ("<h1>A page</h1><p style='width: 3000px'>wide</p>", "wider than the window"),
        ("<h1>A page</h1><img alt='x' src='https://example.invalid/x.png'>", "asks for https://"),
    ],
)
def test_axe(gate: Callable[..., None], text: str, says: str, tmp_path: Path) -> None:
    need_package("playwright")
    axe = ROOT / "web/node_modules/axe-core/axe.min.js"
    names = (os.environ.get("CALMIP_CHROMIUM", ""), "chromium", "chromium-browser", "google-chrome")
    browser = next((found for name in names if name and (found := shutil.which(name))), None)
    if browser is None or not axe.is_file():
        missing("chromium")
    (tmp_path / "site").mkdir()
    (tmp_path / "site/page.html").write_text(GOOD % text, encoding="utf-8")
    os.environ.setdefault("CHROMIUM", str(browser))
    command = ("python", ".ci/accessible.py", str(tmp_path / "site"), str(axe))
    if not says:
        gate(*command)
        return
    with pytest.raises(CommandFailed, match=f"(?s){says}.*: 4 faults"):
        gate(*command)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("path", "old", "new", "says"),
    [
        ("pyproject.toml", '"LICENSE", "NOTICES"]\n', '"LICENSE"]\n', "lacks"),
        (
            ".github/workflows/site.yml",
            "runs-on: ubuntu-latest",
            "runs-on: ubuntu-earliest",
            "label",
        ),
        (".ci/deploy/Dockerfile", "USER ", "WORKDIR here\nUSER ", "DL3000"),
    ],
)
def test_the_contents_of_the_package(
    copy: Path, gate: Callable[..., None], path: str, old: str, new: str, says: str
) -> None:
    """Needs the package index, for the tools."""
    change(copy / path, old, new)
    with pytest.raises(CommandFailed, match=says):
        gate("package")
