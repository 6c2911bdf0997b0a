"""What is built and committed follows from the sources; the page is small and whole."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
import shutil
import subprocess
from importlib.metadata import files
from pathlib import Path

import pytest
from page_modules import ROOT, WEB, node
from requirements import missing

from calmip import SolverFailed
from calmip.cli import main
from calmip.puzzle.render.report import hash_of
from calmip.puzzle.tasks import play
from calmip.puzzle.tasks.play import page_text, solver_script

BUILT = ROOT / "calmip" / "page"


def run(*command: str | Path) -> None:
    done = subprocess.run(
        command, cwd=WEB, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    assert done.returncode == 0, done.stdout


def test_the_committed_page_is_what_the_sources_give(tmp_path: Path) -> None:
    run(node(), "build.mjs", tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {path.name for path in BUILT.iterdir()}
    for path in tmp_path.iterdir():
        made, committed = path.read_bytes(), (BUILT / path.name).read_bytes()
        if path.suffix == ".gz":
            # Versions of zlib pack differently; what is inside decides.
            made, committed = gzip.decompress(made), gzip.decompress(committed)
        assert made == committed, f"{path.name}: run `npm run build` in web/"


@pytest.mark.parametrize(
    ("name", "made"),
    [
        ("data", "page_data"),
        pytest.param("lab/lessons", "page_lessons", marks=pytest.mark.trade("course")),
    ],
)
def test_the_data_of_the_page_are_those_of_the_package(name: str, made: str) -> None:
    import importlib.util

    spec = importlib.util.spec_from_file_location("package_data", WEB / "package_data.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    written = json.loads((WEB / "src" / f"{name}.json").read_text(encoding="utf-8"))
    # As JSON knows it: lists in the place of tuples.
    assert written == json.loads(json.dumps(getattr(module, made)()))


@pytest.mark.long
def test_the_types_hold() -> None:
    run(node(), "node_modules/typescript/bin/tsc")


def linted(*arguments: str, text: str = "") -> subprocess.CompletedProcess[str]:
    if not (WEB / "node_modules" / "eslint").is_dir():
        missing("eslint (npm ci in web/)")
    command = [node(), "node_modules/eslint/bin/eslint.js", "--max-warnings", "0", *arguments]
    return subprocess.run(command, cwd=WEB, input=text, capture_output=True, text=True, check=False)


@pytest.mark.long
def test_the_linter_finds_nothing() -> None:
    done = linted(".")
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.long
@pytest.mark.parametrize(
    ("script", "rule"),
    [
        ("fetch('x');", "no-floating-promises"),
        ("addEventListener('load', async () => { await fetch('x'); });", "no-misused-promises"),
        ("const unused = 1;", "no-unused-vars"),
    ],
)
def test_the_linter_refuses(script: str, rule: str) -> None:
    done = linted("--stdin", "--stdin-filename", "src/main.js", text=script)
    assert done.returncode == 1, done.stderr
    assert rule in done.stdout


@pytest.mark.long
def test_the_modules_pass_their_own_tests() -> None:
    files = sorted(str(path) for path in (WEB / "test").glob("*.test.js"))
    run(node(), "--disable-warning=ExperimentalWarning", "--test", *files)


def test_the_page_without_the_solver_is_small() -> None:
    assert len(gzip.compress(page_text(whole=False).encode(), 9)) <= 90_000


def notices() -> str:
    return (ROOT / "NOTICES").read_text(encoding="utf-8")


def test_every_page_holds_the_notices_of_what_is_in_it() -> None:
    # All that others wrote is in the solver.
    found = re.search(r'id="lab">(.*?)</script>', page_text(), re.DOTALL)
    assert found is not None
    lab = json.loads(found[1])
    for parts in (lab, json.loads(solver_script().partition("=")[2].strip().rstrip(";"))):
        assert parts["thread"].startswith(f"/*\n{notices()}*/\n")


@pytest.mark.parametrize("package", ["highs"])
def test_no_page_is_built_with_a_package_whose_licence_is_not_in_the_notices(
    package: str, tmp_path: Path
) -> None:
    program, web = node(), tmp_path / "web"
    shutil.copytree(WEB, web, ignore=shutil.ignore_patterns("node_modules"))
    (web / "node_modules").symlink_to(WEB / "node_modules")
    licence = (WEB / "node_modules" / package / "LICENSE").read_text(encoding="utf-8").strip()
    assert licence in notices()
    altered = notices().replace(licence, licence.replace("copyright notice", "notice"))
    (tmp_path / "NOTICES").write_text(altered, encoding="utf-8")
    done = subprocess.run(
        [program, web / "build.mjs", tmp_path / "out"], capture_output=True, text=True, check=False
    )
    assert done.returncode != 0
    assert f"NOTICES lacks the licence of {package}" in done.stderr


IN_THE_SOLVER = {
    b"external_feasibilityjump": "SINTEF",
    b"cuPDLP-C": "COPT-Public",
    b"basiclu": "BASICLU",
    b"IPX": "IPX",
    b"N4hipo": "HiPO",
}
"""Words in HiGHS's WebAssembly, and what the notices say of the part that they come from."""


def test_the_parts_of_the_solver_are_in_the_notices() -> None:
    wasm = gzip.decompress((BUILT / "highs.wasm.gz").read_bytes())
    for mark, word in IN_THE_SOLVER.items():
        assert mark in wasm
        assert word in notices()
    # HiGHS lists its parts in its own notices, which come with its package for Python.
    (theirs,) = (path for path in files("highspy") or [] if path.name == "THIRD_PARTY_NOTICES.md")
    named = re.findall(r"^## (\w+)$", theirs.read_text(encoding="utf-8"), re.MULTILINE)
    for name in set(named) - {"cli"}:  # the program's, not the library's
        assert name.lower() in notices().lower()


def test_the_solver_is_built_without_hipo_and_zlib_as_the_notices_say() -> None:
    assert b"HiGHS build without zlib" in gzip.decompress((BUILT / "highs.wasm.gz").read_bytes())
    script = """
        require(process.argv[1])().then((highs) => {
          const solve = (solver) => highs.solve("Minimize\\n obj: x\\nEnd\\n", { solver }).Status;
          console.log(solve("ipx"));
          try { console.log(solve("hipo")); } catch (error) { console.log(error.message); }
        });"""
    done = subprocess.run(
        [node(), "-e", script.replace("\\\\", "\\"), WEB / "node_modules/highs"],
        capture_output=True,
        text=True,
        check=True,
    )
    answers = done.stdout.splitlines()
    assert answers[0] == "Optimal"
    assert "Unable to set option 'solver'" in answers[1]


def test_the_solver_has_its_version_and_its_hash() -> None:
    about = json.loads((BUILT / "highs.json").read_text(encoding="utf-8"))
    wasm = gzip.decompress((BUILT / "highs.wasm.gz").read_bytes())
    assert about["sha256"] == hashlib.sha256(wasm).hexdigest()
    assert about["version"] == "1.15.3"
    lock = json.loads((WEB / "package-lock.json").read_text(encoding="utf-8"))
    assert lock["packages"]["node_modules/highs"]["version"] == about["version"]
    assert not any("resolved" in entry for entry in lock["packages"].values())


@pytest.mark.parametrize("fault", ["bit", "cut", "other", "text"])
def test_another_solver_gets_into_no_page(
    fault: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    built = play._built
    packed = built("highs.wasm.gz")
    middle = len(packed) // 2
    instead = {
        "bit": packed[:middle] + bytes([packed[middle] ^ 1]) + packed[middle + 1 :],
        "cut": packed[:middle],
        "other": gzip.compress(gzip.decompress(packed) + b"\0"),
        "text": b"404",
    }[fault]
    monkeypatch.setattr(
        play, "_built", lambda name: instead if name.endswith("gz") else built(name)
    )
    assert main(["play", "-o", str(tmp_path / "p.html")]) == 4
    assert "highs.wasm.gz is not HiGHS as calmip has it; reinstall" in capsys.readouterr().err
    assert not (tmp_path / "p.html").exists()
    with pytest.raises(SolverFailed):
        solver_script()


@pytest.mark.parametrize("start", ["", "#puzzle=heart-set1"])
@pytest.mark.parametrize("whole", [False, True])
def test_the_page_allows_its_own_scripts_and_styles_alone(start: str, whole: bool) -> None:
    text = page_text(start, whole=whole)
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)
    assert "unsafe-inline" not in policy
    rules = {words[0]: words[1:] for rule in policy.split(";") if (words := rule.split())}
    style = re.findall(r"<style>(.*?)</style>", text, re.DOTALL)
    script = re.findall(r'<script id="script">(.*?)</script>', text, re.DOTALL)
    assert (len(style), len(script)) == (1, 1)
    assert rules["style-src"] == [f"'{hash_of(style[0])}'"]
    others = [(BUILT / name).read_text(encoding="utf-8") for name in ("lab.js", "more.js")]
    hashes = [word for word in rules["script-src"] if word.startswith("'sha256")]
    assert hashes == [f"'{hash_of(text)}'" for text in (script[0], *others)]
    assert not re.search(r"<[a-z][^<>]*\s(style|on\w+)=", text.partition("<script")[0])


def test_the_page_loads_nothing_from_elsewhere() -> None:
    text = page_text()
    assert "default-src 'none'" in text
    loads = r"<(?:script|img|link|iframe)\b[^>]*(?:src|href)=[\"'](?!data:)"
    assert not re.search(loads, text.partition('<script id="script">')[0])
    assert "node_modules" not in text
    assert str(ROOT) not in text + solver_script()


@pytest.mark.parametrize("name", ["own", "</script><script>alert(1)"])
def test_a_page_opens_ones_own_puzzle(name: str, tmp_path: Path) -> None:
    own = tmp_path / "own.yaml"
    own.write_text(
        f"name: {json.dumps(name)}\ngrid: ['1 2 3']\ngroups: {{g: ['1']}}\npieces: [I2]\n",
        encoding="utf-8",
    )
    assert main(["play", str(own), "-o", str(tmp_path / "p.html")]) == 0
    text = (tmp_path / "p.html").read_text(encoding="utf-8")
    (start,) = re.findall(r'<script type="application/json" id="start">(.*?)</script>', text)
    assert json.loads(start).startswith("#file=own.yaml&yaml=name")
    assert text.count("</script>") == page_text().count("</script>") + 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nothing"], "no such file or bundled puzzle"),
        (["a-puzzle-a-day", "--date", "someday"], "is not a date"),
        (["kao-pentomino-year-8x8", "--date", "1999-01-01"], "the board has no year"),
        (["-o", "no/such/folder/p.html"], "no/such/folder"),
    ],
)
def test_mistakes_are_said(
    arguments: list[str],
    words: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["play", *arguments]) == 2
    assert words in capsys.readouterr().err


def test_without_a_browser_the_file_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    asked: list[str] = []
    for answer, words in ((False, "open it in a browser"), (True, "opened in the browser")):
        monkeypatch.setattr("webbrowser.open", lambda url, a=answer: asked.append(url) or a)
        assert main(["play", "heart-set1"]) == 0
        said = capsys.readouterr().out
        assert words in said
        path = Path(said.partition(": ")[0])
        assert path.read_text(encoding="utf-8") == page_text("#puzzle=heart-set1")
    assert len(set(asked)) == 1, "the same page is the same file, so that the browser remembers"
