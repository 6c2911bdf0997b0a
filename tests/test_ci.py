"""What CI relies on: lower bounds for all dependencies, and the draw from the slow battery."""

import contextlib
import os
import re
import runpy
import subprocess
import sys
import tomllib
import types
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml
from battery import drawn
from packaging.requirements import Requirement
from presence import missing, need_package

ROOT = Path(__file__).parents[1]
LOWEST = ROOT / ".ci" / "lowest.py"


@pytest.mark.skipif(not LOWEST.is_file(), reason="in the repository only")
@pytest.mark.parametrize("wanted", ["calmip", "calmip[test-all]"])
def test_every_dependency_has_a_lower_bound_that_it_allows(wanted: str) -> None:
    done = subprocess.run(
        [sys.executable, LOWEST, wanted], capture_output=True, text=True, check=True, cwd=ROOT
    )
    pins = dict(line.split("==") for line in done.stdout.splitlines())
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    waiting, seen = [*project["dependencies"], wanted], set()
    while waiting:
        need = Requirement(waiting.pop())
        if need.name == project["name"]:
            waiting += [line for extra in need.extras for line in extras[extra]]
            continue
        seen.add(need.name)
        assert need.specifier.contains(pins[need.name], prereleases=True), need
    assert seen == set(pins)
    if wanted == "calmip":
        bounds = {Requirement(line) for line in project["dependencies"]}
        assert all(f">={pins[bound.name]}" in str(bound.specifier) for bound in bounds)


def test_a_seed_draws_a_tenth_and_all_seeds_everything() -> None:
    names = [f"case {number}" for number in range(95)]
    assert drawn(names, 7) == drawn(names[::-1], 7)
    assert len(drawn(names, 7)) == 10
    assert set().union(*(drawn(names, seed) for seed in range(200))) == set(names)


def test_what_is_missing_is_skipped_and_in_ci_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.delenv("CALMIP_WITHOUT", raising=False)
    monkeypatch.delenv("CALMIP_REQUIRE", raising=False)
    with pytest.raises(pytest.skip.Exception):
        need_package("nosuch.inside")
    monkeypatch.setenv("CALMIP_REQUIRE", "other nosuch")
    with pytest.raises(pytest.fail.Exception, match="nosuch is required here and missing"):
        need_package("nosuch.inside")
    monkeypatch.delenv("CALMIP_REQUIRE")
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception):
        missing("nosuch")
    monkeypatch.setenv("CALMIP_WITHOUT", "other nosuch")
    with pytest.raises(pytest.skip.Exception):
        missing("nosuch")
    assert need_package("json").loads("1") == 1


def test_no_test_decides_by_itself_what_may_be_missing() -> None:
    for path in (ROOT / "tests").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        if path.name in ("presence.py", Path(__file__).name):
            continue
        assert "importorskip" not in text, f"{path}: use need_package of presence.py"
        assert not re.search(r"pytest\.skip\(.*(missing|not installed)", text), path


@pytest.mark.long
def test_long_tests_run_in_ci_and_when_they_are_asked_for() -> None:
    """CI needs no option, so that no job can forget one."""
    for given, ci in ([], ""), (["--long"], ""), (["--slow"], ""), ([], "true"):
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", *given,
             "--setup-plan", "tests/test_ci.py", "-k", "marks_that_do_not_say"],
            cwd=ROOT, env={**os.environ, "CI": ci}, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert ("SKIPPED [2]" not in done.stdout) == bool(given or ci), done.stdout


CASES = """
import pytest
from processes import cpu_seconds

def work(seconds):
    end = cpu_seconds() + seconds
    while cpu_seconds() < end:
        pass

@pytest.fixture(scope="module")
def shared():
    work(0.06)

def test_busy(): work(0.06)
def test_shared(shared): pass
def test_quick(): pass
@pytest.mark.long
def test_marked(): work(0.06)
@pytest.mark.long
def test_marked_for_nothing(): pass
@pytest.mark.parametrize("share", [0, pytest.param(0.06, marks=pytest.mark.long)])
def test_cases(share): work(share)
"""


@pytest.mark.long
@pytest.mark.parametrize("workers", ["0", "2"])
def test_marks_that_do_not_say_how_long_a_test_takes_are_listed(
    workers: str, tmp_path: Path
) -> None:
    (tmp_path / "test_cases.py").write_text(CASES)
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers = long\n")
    (tmp_path / "conftest.py").write_text(
        "import effort\neffort.LONG = 0.05\n"
        "def pytest_configure(config):\n    config.pluginmanager.register(effort.Effort())\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-n", workers, "-p", "no:cacheprovider", tmp_path],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT / "tests")},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    found = re.findall(r"CPU s, (\w+) marked long: test_cases.py::(\w+)", done.stdout)
    assert sorted(found) == [
        ("not", "test_busy"), ("not", "test_shared"), ("yet", "test_marked_for_nothing"),
    ]  # fmt: skip


OUTCOMES = """
from pathlib import Path
import pytest

@pytest.mark.parametrize("name", {flaky})
def test_flaky(name):
    tried = Path(__file__).with_name(name)
    again = tried.exists()
    tried.touch()
    assert again

@pytest.mark.parametrize("name", {faulty})
def test_faulty(name):
    Path(__file__).with_name(name).open("a").write("x")
    raise ValueError

def test_right():
    pass
"""


class CommandFailed(Exception):
    """What nox raises of a program that fails."""

    def __init__(self, reason: str) -> None:
        self.reason = reason


class Session:
    """A session of nox in a folder: what it runs, and what it says."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.virtualenv = SimpleNamespace(location=str(folder / "environment"))
        self.runs: list[str] = []
        self.said: list[str] = []
        self.warn = self.said.append

    def run(self, _: str, *words: str, env: dict[str, str]) -> None:
        done = subprocess.run(
            [sys.executable, *words, "--rootdir", str(self.folder), str(self.folder)],
            cwd=self.folder, env={**os.environ, **env}, capture_output=True, text=True, check=False,
        )  # fmt: skip
        self.runs.append(done.stdout.splitlines()[-1])
        if done.returncode:
            raise CommandFailed(f"Returned code {done.returncode}")


@pytest.mark.long
@pytest.mark.skipif(not (ROOT / "noxfile.py").is_file(), reason="in the repository only")
@pytest.mark.parametrize(
    ("flaky", "faulty", "ci", "passes", "runs"),
    [
        (2, 0, True, True, ["2 failed, 1 passed", "2 passed"]),
        (1, 1, True, False, ["2 failed, 1 passed", "1 failed, 1 passed"]),
        (4, 0, True, False, ["4 failed, 1 passed"]),
        (1, 0, False, False, ["1 failed, 1 passed"]),
        (0, 0, True, True, ["1 passed"]),
    ],
)
def test_in_ci_a_few_tests_that_fail_among_others_run_again_alone(
    flaky: int, faulty: int, ci: bool, passes: bool, runs: list[str],
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    names = [[f"{kind}{n}" for n in range(count)] for kind, count in (("a", flaky), ("b", faulty))]
    (tmp_path / "test_some.py").write_text(OUTCOMES.format(flaky=names[0], faulty=names[1]))
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    fake = types.ModuleType("nox")
    fake.options = SimpleNamespace()  # type: ignore[attr-defined]
    fake.session = lambda *given, **_: given[0] if given else lambda one: one  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "nox", fake)
    monkeypatch.setitem(sys.modules, "nox.command", SimpleNamespace(CommandFailed=CommandFailed))
    jobs = runpy.run_path(str(ROOT / "noxfile.py"))
    session = Session(tmp_path)
    environment = {"CI": "true"} if ci else {}
    with contextlib.nullcontext() if passes else pytest.raises(CommandFailed):
        jobs["pytest"](session, "-p", "no:randomly", **environment)
    assert [
        re.sub(r"( in|, \d+ skipped|, \d+ deselected).*", "", run) for run in session.runs
    ] == runs
    if len(runs) == 2:
        assert session.said[0].startswith("failed among others, run again alone: test_some.py::")
        assert all(f"[{name}]" in session.said[0] for name in (*names[0], *names[1]))
    assert len(session.said) == (len(runs) == 2) + (len(runs) == 2 and passes)


def test_no_two_modules_of_tests_have_one_name() -> None:
    # pytest imports them by their names alone, and the second would be an error.
    names = Counter(path.name for path in Path(__file__).parent.rglob("test_*.py"))
    assert [name for name, number in names.items() if number > 1] == []


def texts(job: dict) -> list[str]:
    """Return what the steps of a job run."""
    return [step.get("run", "") for step in job["steps"]]


@pytest.mark.skipif(not (ROOT / ".github").is_dir(), reason="in the repository only")
def test_every_slow_test_runs_in_some_job() -> None:
    workflow = yaml.safe_load((ROOT / ".github/workflows/test.yml").read_text(encoding="utf-8"))
    triggers = workflow[True]  # what YAML 1.1 makes of "on"
    assert triggers["schedule"] == [{"cron": "17 4 * * *"}]
    nightly = [job for job in workflow["jobs"].values() if "schedule" in job.get("if", "")]
    runs = [line for job in nightly for line in texts(job)]
    assert any("--slow -m 'slow and not battery'" in line for line in runs)
    # The battery is drawn from, each night another tenth.
    assert ".ci/run" in runs
    # The long tests run with the newest packages in CI, and each night with the oldest.
    assert any("nox --session oldest -- --long" in line for line in runs)
    assert "--tags ci" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    ci = (ROOT / "noxfile.py").read_text(encoding="utf-8")
    assert '"-m", "battery and slow", "--battery", seed' in ci
    assert '"--slow", "-m", "slow", "tests/documentation"' in ci
    # What the suites are told to do without, one part or the nightly job asks.
    (without,) = re.findall(r'^ELSEWHERE = "([\w ]+)"', ci, re.MULTILINE)
    packages = {"cpmpy", "cvxpy", "linopy", "pyoptinterface"}
    witnesses = {"minizinc", "veripb", "drup", "py_d4", "pyganak", "xcover"}
    assert set(without.split()) == packages | witnesses
    assert 'session.install(".[witnesses]")' in ci
    assert any(packages <= set(re.findall(r"\w+", line)) for line in runs)
    assert any("veripb @ git+https" in line for line in runs)
    assert any("snap install minizinc" in line for line in runs)
    systems = next(line for line in texts(workflow["jobs"]["test"]) if "missing=" in line)
    assert f'missing="{without}"' in systems
    release = yaml.safe_load((ROOT / ".github/workflows/release.yml").read_text(encoding="utf-8"))
    jobs = release["jobs"]
    assert jobs["test"]["uses"] == "./.github/workflows/test.yml"
    assert "workflow_call" in triggers
    assert (jobs["build"]["needs"], jobs["publish"]["needs"]) == ("test", "build")
