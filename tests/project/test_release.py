"""What a release rests on: one version, one address, pinned actions, names for every system."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterable
from pathlib import Path

import hatch_build
import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from requirements import need_package

import calmip

ROOT = Path(__file__).parents[2]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT, BUILD = PYPROJECT["project"], PYPROJECT["build-system"]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
RESERVED = {
    "con",
    "prn",
    "aux",
    "nul",
    *(f"{name}{n}" for name in ("com", "lpt") for n in range(10)),
}

in_repository = pytest.mark.skipif(not WORKFLOWS, reason="in the repository only")


def test_the_version_is_written_once_and_the_other_papers_agree() -> None:
    assert PROJECT["dynamic"] == ["version"]
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation["version"] == calmip.__version__
    assert citation["repository-code"] == PROJECT["urls"]["Source"]
    record = json.loads((ROOT / ".ci/deploy/codemeta.json").read_text(encoding="utf-8"))
    assert record["version"] == calmip.__version__
    assert set(record["keywords"]) == set(citation["keywords"])
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    releases = re.findall(r"^## \[(\d[\d.]*)\] - \d{4}-\d\d-\d\d$", changelog, re.MULTILINE)
    assert releases[0] == calmip.__version__
    assert all(f"\n[{release}]: " in changelog for release in releases)


def test_every_address_of_the_project_is_that_of_pyproject() -> None:
    source = PROJECT["urls"]["Source"]
    papers = [path for suffix in ("md", "cff") for path in ROOT.glob(f"*.{suffix}")]
    papers += [ROOT / ".ci/docs_build/mkdocs.yml", *(ROOT / ".github").rglob("*.*")]
    for path in papers:
        found = re.findall(r"https://github\.com/calmip[\w./-]*", path.read_text(encoding="utf-8"))
        assert all(address.startswith(source) for address in found), path
    assert all(
        url.startswith((source, "https://calmip.github.io/calmip/"))
        for url in PROJECT["urls"].values()
    )


def test_what_others_wrote_and_the_package_ships_has_its_notice() -> None:
    assert PROJECT["license-files"] == ["LICENSE", "NOTICES"]
    notices = (ROOT / "NOTICES").read_text(encoding="utf-8")
    named = {
        path
        for line in re.findall(r"^Files: (.+)$", notices, re.MULTILINE)
        for path in line.split(", ")
    }
    assert named
    for path in named:
        assert (ROOT / path).is_file(), path
    built = ROOT / "calmip" / "mip" / "kernel" / "built"
    own = {built / name for name in json.loads((built / "manifest.json").read_text())["libraries"]}
    # The page's own modules alone: web/build.mjs refuses a package that is not in NOTICES.
    own |= {
        ROOT / "calmip" / "page" / name for name in ("page.html", "lab.js", "more.js", "board.js")
    }
    for path in (ROOT / "calmip").rglob("*"):
        # What is no text of ours: libraries, fonts, pictures, bundles of scripts.
        text = {
            ".py",
            ".pyi",
            ".pyc",
            ".yaml",
            ".c",
            ".h",
            ".json",
            ".md",
            ".txt",
            ".typed",
            ".solu",
        }
        if not path.is_file() or path.suffix in text or "solutions" in path.parts:
            continue
        suites = "suites" in path.parts  # models that the package's own exports wrote
        assert path in own or suites or path.relative_to(ROOT).as_posix() in named, (
            f"{path}: NOTICES does not name it"
        )


@in_repository
@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_workflows_run_pinned_actions_with_few_rights(path: Path) -> None:
    workflow = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert workflow["permissions"] == {}
    for name, job in workflow["jobs"].items():
        assert set(job["permissions"]), name
        if "uses" in job:  # another workflow of this repository
            assert (ROOT / job["uses"]).is_file(), name
            continue
        assert job["timeout-minutes"], name
        for step in job["steps"]:
            assert re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", step.get("uses", f"a@{'0' * 40}")), step


@in_repository
def test_the_tests_run_on_three_systems_with_the_oldest_and_the_newest_python() -> None:
    path = ROOT / ".github" / "workflows" / "test.yml"
    matrix = yaml.safe_load(path.read_text(encoding="utf-8"))["jobs"]["test"]["strategy"]["matrix"]
    assert {name.partition("-")[0] for name in matrix["system"]} == {"ubuntu", "macos", "windows"}
    named = re.findall(r"Python :: (3\.\d+)", "\n".join(PROJECT["classifiers"]))
    versions = sorted(named, key=lambda version: int(version[2:]))
    assert matrix["python"] == [versions[0], versions[-1]]
    assert PROJECT["requires-python"] == f">={versions[0]}"


def names_of(requirements: Iterable[str]) -> set[str]:
    return {canonicalize_name(Requirement(line).name) for line in requirements}


@in_repository
def test_the_tools_of_ci_are_locked() -> None:
    lines = {
        path.name: [
            line.removesuffix(" \\")
            for line in path.read_text(encoding="utf-8").splitlines()
            if line and line[0] not in "# "
        ]
        for path in (ROOT / ".ci").iterdir()
        if path.suffix in (".in", ".txt")
    }
    for name in ("requirements", "package"):
        locked = lines[f"{name}.txt"]
        assert names_of(lines[f"{name}.in"]) <= names_of(locked)
        for line in locked:
            assert re.fullmatch("==[^,*]+", str(Requirement(line).specifier)), line
    assert lines["hashes.txt"] == lines["requirements.txt"]
    for name in ("hashes.txt", "package.txt"):
        text = (ROOT / ".ci" / name).read_text(encoding="utf-8")
        hashed = re.findall(r"==.*(?= \\\n +--hash=sha256:[0-9a-f]{64}\b)", text)
        assert len(hashed) == len(lines[name])
    extras = PROJECT["optional-dependencies"]
    ours = {"calmip", *names_of(PROJECT["dependencies"])}
    tools = names_of(line for extra in ("docs", "lint", "test") for line in extras[extra]) - ours
    assert tools <= names_of(lines["requirements.txt"])
    assert not ours & names_of(lines["requirements.txt"])  # CI has the newest of these
    for path in WORKFLOWS:
        for line in re.findall("pip install (.*)", path.read_text(encoding="utf-8")):
            newest = "--pre" in line or "veripb @" in line
            assert newest or "--constraint .ci/requirements.txt" in line, f"{path.name}: {line}"
    sessions = (ROOT / "noxfile.py").read_text(encoding="utf-8")
    for extra in ("lint", "docs", "test-all"):
        assert f'session.install(*LOCK, calmip("[{extra}]")' in sessions
    package = (ROOT / ".ci" / "package").read_text(encoding="utf-8")
    assert package.count("install --require-hashes --requirement .ci/package.txt") == 1


@in_repository
@pytest.mark.long
def test_a_tool_with_another_hash_is_not_installed(tmp_path: Path) -> None:
    """Sessions of nox give the hashes as constraints."""
    need_package("uv")
    sessions = (ROOT / "noxfile.py").read_text(encoding="utf-8")
    assert 'LOCK = ("--constraint", ".ci/hashes.txt" if UV else ".ci/requirements.txt")' in sessions
    wheel = tmp_path / "tool-1.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as file:
        for name, text in (
            ("METADATA", "Metadata-Version: 2.1\nName: tool\nVersion: 1.0\n"),
            ("WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"),
            ("RECORD", ""),
        ):
            file.writestr(f"tool-1.0.dist-info/{name}", text)
    right = hashlib.sha256(wheel.read_bytes()).hexdigest()
    lock = tmp_path / "lock.txt"
    for number, digest in enumerate((right, right[::-1])):
        lock.write_text(f"tool==1.0 --hash=sha256:{digest}\n")
        place = tmp_path / str(number)
        command = [sys.executable, "-m", "uv", "pip", "install", "--no-index", "--find-links"]
        command += [str(tmp_path), "--constraint", str(lock), "--target", str(place), "tool"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert (done.returncode == 0) == (digest == right), done.stderr
        assert (place / "tool-1.0.dist-info").is_dir() == (digest == right)
    assert "Hash mismatch" in done.stderr


@pytest.mark.long
@in_repository
def test_new_packages_are_proposed_and_tried_every_night() -> None:
    watched = yaml.safe_load((ROOT / ".github" / "dependabot.yml").read_text(encoding="utf-8"))
    found = {
        (update["package-ecosystem"], folder)
        for update in watched["updates"]
        for folder in update.get("directories", [update.get("directory")])
    }
    locks = {
        path.parent for path in ROOT.rglob("package-lock.json") if "node_modules" not in path.parts
    }
    assert found == {
        ("github-actions", "/"),
        ("pip", "/"),
        ("pip", "/.ci"),
        *(("npm", f"/{folder.relative_to(ROOT).as_posix()}") for folder in locks),
    }
    workflow = yaml.safe_load((ROOT / ".github/workflows/newest.yml").read_text(encoding="utf-8"))
    job = workflow["jobs"]["newest"]
    assert job["continue-on-error"]
    assert job["permissions"]["issues"] == "write"
    steps = [step.get("run", "") for step in job["steps"]]
    assert any("--pre --upgrade highspy pulp pyomo numpy" in step for step in steps)
    assert [step["if"] for step in job["steps"] if "gh issue create" in step.get("run", "")] == [
        "failure()"
    ]


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="in the repository only")
def test_file_names_are_allowed_on_every_system() -> None:
    done = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    names = [name for name in done.stdout.split("\0") if name]
    assert len(names) > 100
    for name in names:
        assert not re.search(r'[<>:"\\|?*\x00-\x1f]|[ .](?=/|$)', name), name
        assert not RESERVED & {part.partition(".")[0].lower() for part in name.split("/")}, name
    assert len({name.lower() for name in names}) == len(names)


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="in the repository only")
def test_every_file_has_the_same_bytes_on_every_system() -> None:
    command = ["git", "ls-files", "--eol"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    for line in done.stdout.splitlines():
        stored, _, attribute = line.partition("\t")[0].split(maxsplit=2)
        assert stored in ("i/lf", "i/none", "i/-text"), line
        wanted = "attr/-text" if stored == "i/-text" else "attr/text=auto eol=lf"
        assert wanted in attribute, f"{line}: .gitattributes says nothing of it"


def test_the_recipe_for_conda_asks_for_what_the_package_asks_for() -> None:
    recipe = yaml.safe_load((ROOT / ".ci/deploy/conda/recipe.yaml").read_text(encoding="utf-8"))
    assert recipe["context"]["version"] == calmip.__version__
    wanted = {line.split(";")[0].strip().replace(">=", " >=") for line in PROJECT["dependencies"]}
    python = f"python {PROJECT['requires-python']}"
    assert set(recipe["requirements"]["run"]) == wanted | {python}
    assert python in recipe["requirements"]["host"]
    (needed,) = BUILD["requires"]
    assert needed.replace(">=", " >=") in recipe["requirements"]["host"]
    # It compiles the search, so it is no package for all systems.
    assert recipe["build"]["script"]["env"] == {hatch_build.VARIABLE: "1"}
    assert "noarch" not in recipe["build"]
    assert recipe["requirements"]["build"]
    assert (ROOT / ".ci/deploy/conda" / recipe["source"]["path"] / "pyproject.toml").is_file()


@pytest.mark.trade("course")
def test_no_package_has_a_newest_version_and_the_autograder_asks_for_the_same() -> None:
    from calmip.course.gradescope import grade_autograder

    names = []
    for line in PROJECT["dependencies"]:
        requirement = Requirement(line)
        assert {one.operator for one in requirement.specifier} <= {">=", "!="}, line
        if requirement.marker is None or requirement.marker.evaluate({"sys_platform": "linux"}):
            names.append(requirement.name)
    with pytest.raises(calmip.InputError) as found:
        grade_autograder("1", "x.zip", wheels=ROOT / "docs")
    assert f"pip download --dest DIR {' '.join(sorted(names))}" in str(found.value)
    environment = yaml.safe_load((ROOT / ".binder/environment.yml").read_text(encoding="utf-8"))
    assert f"python{PROJECT['requires-python']}" in environment["dependencies"]
    (ours,) = (one["pip"] for one in environment["dependencies"] if isinstance(one, dict))
    assert [Requirement(f"calmip{one.removeprefix('.')}").extras for one in ours] == [
        {"fast", "plot"}
    ]


def test_the_image_is_of_a_python_and_of_extras_that_there_are() -> None:
    text = (ROOT / ".ci/deploy/Dockerfile").read_text(encoding="utf-8")
    found = re.search(r"^FROM python:([\d.]+)-slim$", text, re.MULTILINE)
    assert found
    assert f"Programming Language :: Python :: {found[1]}" in PROJECT["classifiers"]
    extras = re.search(r"/source\[([\w,]+)\]", text)
    assert extras
    # All free solvers, and the plots; Gurobi's licence is its user's own matter.
    free = {"cpsat", "fast", "glpk", "scip", "z3"}
    assert set(extras[1].split(",")) == free | {"plot"}
    assert free <= set(PROJECT["optional-dependencies"])
    assert f'ENTRYPOINT ["{next(iter(PROJECT["scripts"]))}"]' in text
    assert re.search(r"^USER (?!root|0)\w+$", text, re.MULTILINE)


def test_the_libraries_are_as_small_and_alone_as_the_pages_say() -> None:
    page = (ROOT / "docs" / "explanation" / "enumeration.md").read_text(encoding="utf-8")
    (sizes,) = re.findall(r"WebAssembly: (\d+) to (\d+) kB each", page)
    built = ROOT / "calmip" / "mip" / "kernel" / "built"
    libraries = [path for path in built.iterdir() if path.suffix != ".json"]
    kilobytes = [round(path.stat().st_size / 1000) for path in libraries]
    assert (min(kilobytes), max(kilobytes)) == tuple(map(int, sizes))
    for path in libraries:
        needed = re.findall(rb"[\w./+-]+\.(?:so|dylib|dll)(?:\.\d+)*", path.read_bytes())
        others = {name for name in needed if path.name.encode() not in name}
        own = b"x86_64.dll" if path.suffix == ".dll" else b""
        system = {b"/usr/lib/libSystem.B.dylib"} if path.suffix == ".dylib" else set()
        assert others - {own} == system, path
