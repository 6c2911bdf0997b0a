"""What CI relies on: lower bounds for all dependencies, and the draw from the slow battery."""

import itertools
import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import yaml
from battery import every_pair, share
from docblocks import blocks
from packaging.requirements import Requirement
from passed import Passed
from requirements import missing, need_package

from calmip.features import OWN

ROOT = Path(__file__).parents[2]
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
    assert share(names, 10, 7) == share(names[::-1], 10, 7)
    assert len(share(names, 10, 7)) == 10
    assert set().union(*(share(names, 10, seed) for seed in range(200))) == set(names)


def test_a_seed_draws_a_share_and_all_seeds_everything() -> None:
    names = [f"case {number}" for number in range(45)]
    assert share(names, 4, 7) == share(names[::-1], 4, 7)
    assert [len(share(names, parts, 7)) for parts in (1, 2, 4, 50)] == [45, 23, 12, 1]
    assert set().union(*(share(names, 4, seed) for seed in range(90))) == set(names)


def test_every_pair_of_values_is_in_a_case_of_the_day() -> None:
    factors = ["ab", "pqr", [1, 2], "xy"]
    cases = every_pair(*factors)
    assert Counter(case.values for case in cases) == Counter(itertools.product(*factors))
    daily = [case.values for case in cases if not case.marks]
    assert len(daily) < len(cases) / 2
    for one, other in itertools.combinations(range(4), 2):
        found = {(case[one], case[other]) for case in daily}
        assert found == set(itertools.product(factors[one], factors[other]))
    # Of two factors all is needed.
    assert not any(case.marks for case in every_pair("ab", "pqr"))


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
        if path.name in ("requirements.py", Path(__file__).name):
            continue
        assert "importorskip" not in text, f"{path}: use need_package of requirements.py"
        assert not re.search(r"pytest\.skip\(.*(missing|not installed)", text), path


@pytest.mark.long
def test_long_tests_run_in_ci_and_when_they_are_asked_for() -> None:
    """CI needs no option, so that no job can forget one."""
    for given, ci in ([], ""), (["--long"], ""), (["--slow"], ""), ([], "true"):
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", *given,
             "--setup-plan", "tests/project/test_ci.py", "-k", "marks_that_do_not_say"],
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
        "import cpu_marks\ncpu_marks.LONG_CPU_SECONDS = 0.05\n"
        "def pytest_configure(config):\n    config.pluginmanager.register(cpu_marks.Effort())\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-n", workers, "-p", "no:cacheprovider", tmp_path],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT / "tests/helpers")},
        capture_output=True,
        text=True,
        check=True,
    )
    found = re.findall(r"CPU s, (\w+) marked long: test_cases.py::(\w+)", done.stdout)
    assert sorted(found) == [
        ("not", "test_busy"),
        ("not", "test_shared"),
        ("yet", "test_marked_for_nothing"),
    ]


OUTCOMES = """
import os
import signal
from pathlib import Path
import pytest

def first(name):
    tried = Path(__file__).with_name(name)
    again = tried.exists()
    tried.touch()
    return not again

@pytest.mark.parametrize("name", {flaky})
def test_flaky(name):
    assert not first(name)

@pytest.mark.parametrize("name", {faulty})
def test_faulty(name):
    raise ValueError

@pytest.mark.parametrize("name", {crashing})
def test_crashing(name):
    if first(name):
        os.kill(os.getpid(), signal.SIGSEGV)

def test_right():
    print("worker 'gw0' is not what crashed")
"""
SUITE = ROOT / ".ci" / "suite.py"


@pytest.mark.long
@pytest.mark.skipif(not SUITE.is_file(), reason="in the repository only")
@pytest.mark.skipif(os.name != "posix", reason="a process is killed by SIGSEGV")
@pytest.mark.parametrize(
    ("folder", "flaky", "faulty", "crashing", "passes", "runs"),
    [
        ("page", 2, 0, 0, True, ["2 failed, 1 passed", "2 passed"]),
        ("page", 1, 1, 0, False, ["2 failed, 1 passed", "1 failed, 1 passed"]),
        ("page", 4, 0, 0, False, ["4 failed, 1 passed"]),
        ("page", 0, 0, 1, False, ["1 failed, 1 passed"]),
        ("page", 1, 0, 1, False, ["2 failed, 1 passed"]),
        ("page", 0, 0, 0, True, ["1 passed"]),
        ("search", 1, 0, 0, False, ["1 failed, 1 passed"]),
        ("search", 0, 0, 1, False, ["1 failed, 1 passed"]),
    ],
)
def test_only_tests_of_the_page_run_again_and_none_after_a_crash(
    folder: str,
    flaky: int,
    faulty: int,
    crashing: int,
    passes: bool,
    runs: list[str],
    tmp_path: Path,
) -> None:
    """Every process of the tests that is killed, and every assertion that fails once, is seen."""
    counts = (("a", flaky), ("b", faulty), ("c", crashing))
    names = [[f"{kind}{n}" for n in range(count)] for kind, count in counts]
    tests = tmp_path / "tests" / folder
    tests.mkdir(parents=True)
    (tests / "test_some.py").write_text(
        OUTCOMES.format(flaky=names[0], faulty=names[1], crashing=names[2])
    )
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = -ra\n")
    done = subprocess.run(
        [sys.executable, SUITE, "-n", "2", "tests"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "CALMIP_SEED": "7", "PYTEST_ADDOPTS": ""},
    )
    lines = done.stdout.splitlines()
    assert lines[0] == "random inputs: CALMIP_SEED=7 draws them again"
    found = re.findall(r"^((?:\d+ failed, )?\d+ passed)\b.* in ", done.stdout, re.MULTILINE)
    assert found == runs, done.stdout + done.stderr
    assert (done.returncode == 0) == passes
    if len(runs) == 2:
        word = "passed" if passes else "failed"
        assert lines[-len(names[0] + names[1]) :] == [
            f"run again, {word} alone: tests/{folder}/test_some.py::test_{kind}[{name}]"
            for kind, group in (("faulty", names[1]), ("flaky", names[0]))
            for name in group
        ]
    else:
        assert "run again" not in done.stdout


DRAWN = """
from hypothesis import given, settings, strategies as st
import conftest
from pathlib import Path

@given(st.integers())
@settings(max_examples=5)
def test_drawn(number):
    with Path(__file__).with_name("drawn").open("a") as file:
        print(number, file=file)
"""


@pytest.mark.long
@pytest.mark.skipif(not SUITE.is_file(), reason="in the repository only")
def test_property_tests_draw_other_inputs_in_ci_by_a_seed(tmp_path: Path) -> None:
    (tmp_path / "test_drawn.py").write_text(DRAWN)
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    drawn = []
    for seed in ("1", "2", "1"):
        environment = {**os.environ, "CI": "true", "CALMIP_SEED": seed}
        environment["PYTHONPATH"] = os.pathsep.join(
            map(str, (ROOT / "tests", ROOT / "tests/helpers", ROOT))
        )
        subprocess.run(
            [sys.executable, SUITE, "-n", "0", tmp_path / "test_drawn.py"],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            check=True,
        )
        drawn.append((tmp_path / "drawn").read_text())
        (tmp_path / "drawn").unlink()
    assert drawn[0] == drawn[2] != drawn[1]


FAST_AND_LONG = """
from pathlib import Path
import os
import pytest
from hypothesis import given, settings, strategies as st

examples = []

def work(name, right=True):
    (Path(__file__).parent / "ran" / str(name)).touch()
    assert right

@pytest.mark.parametrize("number", range(28))
def test_some(number):
    work(number)

def test_fast():
    work("fast", {fast})

@pytest.mark.long
def test_long():
    work("long", {long})

@pytest.mark.long
@given(st.integers())
@settings(max_examples=20, database=None)
def test_other_long(_):
    examples.append(1)
    work("few" if len(examples) < 20 else "other long")

@pytest.mark.skipif("CI" not in os.environ, reason="a package is missing")
def test_missing():
    work("missing")

@pytest.fixture
def closing():
    yield
    assert "CI" in os.environ

def test_closing(closing):
    work("closing")

def test_started():
    assert "CALMIP_PASSED_TO" not in os.environ
"""


@pytest.mark.long
@pytest.mark.skipif(not SUITE.is_file(), reason="in the repository only")
@pytest.mark.parametrize(("fast", "long"), [(True, True), (False, True), (True, False)])
def test_what_the_readme_has_run_is_not_run_again_and_every_fault_is_seen(
    fast: bool, long: bool, tmp_path: Path
) -> None:
    (tmp_path / "test_some.py").write_text(FAST_AND_LONG.format(fast=fast, long=long))
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers =\n  long\n  waits\n")
    (tmp_path / "ran").mkdir()
    environment = {key: value for key, value in os.environ.items() if "CALMIP" not in key}
    del environment["PYTEST_CURRENT_TEST"]
    environment.pop("CI", None)
    environment["PYTHONPATH"] = os.pathsep.join(
        map(str, (ROOT / "tests", ROOT / "tests/helpers", ROOT))
    )

    def ran(*words: str, **env: str) -> tuple[int, set[str]]:
        """Return the exit code, and which tests ran."""
        done = subprocess.run(
            [sys.executable, *words, "-p", "conftest", "-p", "no:cacheprovider", "-n", "2"],
            cwd=tmp_path,
            env={**environment, **env},
            check=False,
            capture_output=True,
        )
        found = {path.name for path in (tmp_path / "ran").iterdir()}
        for name in found:
            (tmp_path / "ran" / name).unlink()
        return done.returncode, found

    every = {"fast", "closing", "few", *map(str, range(28))}
    # That one fails after it has run, so that it runs again.
    assert ran("-m", "pytest", CALMIP_PASSED_TO="passed.json") == (1, every)
    rest = (str(SUITE), "--without-passed=passed.json")
    code, found = ran(*rest, CI="true", CALMIP_SEED="7")
    assert code == (0 if fast and long else 1)
    assert {"long", "other long", "missing", "closing"} <= found
    assert ("fast" in found) == (not fast)
    # A tenth of what passed, and others by another seed.
    again = found - {"long", "other long", "few", "missing", "closing", "fast"}
    assert len(again) == 3
    assert again != ran(*rest, CI="true", CALMIP_SEED="8")[1] & every
    # One of the two long tests, and nothing else is left out.
    shares = [ran(*rest, "--sixth", CI="true", CALMIP_SEED=str(seed))[1] for seed in range(5)]
    assert {len(some & {"long", "other long"}) for some in shares} == {1}
    assert set().union(*shares) >= {"long", "other long"}
    assert all({"missing", "closing"} <= some for some in shares)
    # It is one of those that run.
    one = ("-k", "other_long", "--sixth")
    for seed in range(3):
        code, some = ran(*rest, *one, CI="true", CALMIP_SEED=str(seed))
        assert (code, some) == (0, {"few", "other long"})
    # Half of all tests, and others by another seed.
    half, other = (
        ran(str(SUITE), "--half", CI="true", CALMIP_SEED=seed)[1] & every for seed in ("7", "8")
    )
    assert len(every) / 3 < len(half) < len(every) * 2 / 3
    assert half != other


@pytest.mark.parametrize(
    ("phases", "names"),
    [
        (["setup passed", "call passed", "teardown passed"], ["test"]),
        (["setup passed", "call passed", "teardown failed"], []),
        (["setup passed", "call failed", "teardown passed"], []),
        (["setup passed", "call skipped", "teardown passed"], []),
        (["setup skipped", "teardown passed"], []),
        # It was interrupted, or its process has crashed.
        (["setup passed"], []),
        (["setup passed", "call passed"], []),
        (["setup passed", "call passed", "??? failed"], []),
    ],
)
def test_a_test_has_passed_if_all_of_it_has(
    phases: list[str], names: list[str], tmp_path: Path
) -> None:
    record = Passed(str(tmp_path / "passed.json"))
    for when, outcome in map(str.split, phases):
        report: Any = SimpleNamespace(nodeid="test", when=when, passed=outcome == "passed")
        record.pytest_runtest_logreport(report)
    record.pytest_sessionfinish()
    assert json.loads((tmp_path / "passed.json").read_text()) == names


def test_no_two_modules_of_tests_have_one_name() -> None:
    # pytest imports them by their names alone, and the second would be an error.
    names = Counter(path.name for path in (ROOT / "tests").rglob("test_*.py"))
    assert [name for name, number in names.items() if number > 1] == []


@pytest.mark.trade("proofs", "workshop")  # noxfile.py names their tests
def test_the_modules_of_a_part_are_those_that_no_other_part_reads(
    pytestconfig: pytest.Config,
) -> None:
    conftest: Any = pytestconfig.pluginmanager.get_plugin(str(ROOT / "tests" / "conftest.py"))
    parts = ("waits and not slow", "not waits and not slow")
    read = {"page/test_walk.py": [True, False], "bench/test_bench.py": [False, True]}
    for path in (ROOT / "tests").rglob("test_*.py"):
        reads = [
            not conftest.pytest_ignore_collect(path, SimpleNamespace(getoption=lambda _, m=m: m))
            for m in (*parts, "", "slow", "not slow")
        ]
        assert sorted(reads[:2]) == [False, True], path
        assert all(reads[2:]), path
        assert reads[:2] == read.get(f"{path.parent.name}/{path.name}", reads[:2])
    ci = (ROOT / "noxfile.py").read_text(encoding="utf-8")
    assert all(f'"{part}"' in ci for part in parts)
    named = re.findall(r'"(tests/[\w./-]+)(?:::(\w+))?"', ci)
    assert len(named) > 5
    for path, function in named:
        assert (ROOT / path).exists()
        assert not function or f"\ndef {function}(" in (ROOT / path).read_text()


def typed(page: Path) -> set[tuple[str, str]]:
    """Return the commands that the blocks of a page run, each with its options."""
    text = "\n".join(block.text for block in blocks(page) if block.mark != "not run")
    found = set()
    for line in re.findall(r"^(?:\$ )?calmip (\w.*)$", text.replace("\\\n", " "), re.MULTILINE):
        name, *words = shlex.split(line, comments=True)
        found |= {(name, word) for word in words if word.startswith("-")} | {(name, "")}
    return found


@pytest.mark.trade("design", "proofs")
def test_what_a_page_of_the_night_shows_runs_every_day() -> None:
    ci = (ROOT / "noxfile.py").read_text(encoding="utf-8")
    (names,) = re.findall(
        r"^NIGHTLY = .*docs/how-to/\{page\}.md.* for page in \((.*)\)\]", ci, re.M
    )
    nightly = {ROOT / f"docs/how-to/{name}.md" for name in re.findall(r"\w+", names)}
    pages = {ROOT / "README.md", *(ROOT / "docs").rglob("*.md")}
    assert len(nightly) == 3
    # The examples of the commands are run by this script, which finds them by this line.
    page = ROOT / "docs/reference/commands/index.md"
    assert [one.argument for one in blocks(page)].count("package") == 1
    script = (ROOT / ".ci/package").read_text(encoding="utf-8")
    assert (
        f"sed -n '/^<!-- command: package -->$/,/^```$/p' \"$root/{page.relative_to(ROOT)}\""
        in script
    )
    assert nightly < pages
    daily = set().union(*map(typed, pages - nightly))
    for command, option in set().union(*map(typed, nightly)) - daily:
        trade = OWN[command].task.split(".")[1]
        tests = [path.read_text(encoding="utf-8") for path in (ROOT / "tests" / trade).glob("*.py")]
        assert option
        assert any(f'"{option}"' in text or f" {option} " in text for text in tests), option


MARKED = "mark." + "battery"
NIGHTLY = "github.event_name == 'schedule' || github.event_name == 'release'"
"""When the slow tests run: a release calls the workflow, and the event is its own."""


def texts(job: dict) -> list[str]:
    """Return what the steps of a job run."""
    return [step.get("run", "") for step in job["steps"]]


@pytest.mark.long
@pytest.mark.skipif(not (ROOT / ".github").is_dir(), reason="in the repository only")
def test_every_slow_test_runs_in_some_job() -> None:
    workflow = yaml.safe_load((ROOT / ".github/workflows/test.yml").read_text(encoding="utf-8"))
    triggers = workflow[True]  # what YAML 1.1 makes of "on"
    assert triggers["schedule"] == [{"cron": "17 4 * * *"}]
    nightly = [job for job in workflow["jobs"].values() if "schedule" in job.get("if", "")]
    runs = [line for job in nightly for line in texts(job)]
    assert "python .ci/suite.py --slow -m slow" in runs
    # CI draws a sixth of the long tests, and from the battery; each push, and the night, run all.
    assert ".ci/run --whole" in runs
    assert "python .ci/suite.py" in texts(workflow["jobs"]["test"])
    # The long tests run with the newest packages in CI, and each night with the oldest.
    assert any("nox --session oldest -- --long" in line for line in runs)
    ci = (ROOT / "noxfile.py").read_text(encoding="utf-8")
    assert '"battery": ("tests/models", "-m", "battery and slow", "--battery"),' in ci
    marked = [path for path in (ROOT / "tests").rglob("test_*.py") if MARKED in path.read_text()]
    assert {path.parent.name for path in marked} == {"models"}
    assert '"documents": (\n        *("--slow", "-m", "slow", "tests/documentation"),\n' in ci
    # All of that precedes a release, too; and the rule of what runs again is the same everywhere.
    for name, job in workflow["jobs"].items():
        assert job.get("if", "") in ("", NIGHTLY), name
    every = [line for job in workflow["jobs"].values() for line in texts(job)]
    assert not [line for line in every if "-m pytest" in line]
    assert sum(".ci/suite.py" in line for line in every) >= 3
    assert 'session.run("python", ".ci/suite.py", ' in ci
    # What the suites are told to do without, one part or the nightly job asks.
    (lines,) = re.findall(r"^ELSEWHERE = \((.*?)^\)", ci, re.MULTILINE | re.DOTALL)
    without = " ".join(lines.replace('"', "").split())
    packages = {"cpmpy", "cobra", "cvxpy", "docplex", "linopy", "mip", "xpress"}
    packages.add("pyoptinterface")
    witnesses = {"minizinc", "veripb", "drup", "py_d4", "pyganak", "xcover"}
    assert set(without.split()) == packages | witnesses | {"zsh", "fish", "groff"}
    assert 'session.install(calmip("[witnesses]"))' in ci
    assert any(packages <= set(re.findall(r"\w+", line)) for line in runs)
    assert any("veripb @ git+https" in line for line in runs)
    assert any("snap install minizinc" in line for line in runs)
    assert any("zsh fish groff" in line for line in runs)
    systems = next(line for line in texts(workflow["jobs"]["test"]) if "missing=" in line)
    assert f'missing="{without}"' in systems
    newest = (ROOT / ".github/workflows/newest.yml").read_text(encoding="utf-8")
    assert "nox --session layers" in newest
    release = yaml.safe_load((ROOT / ".github/workflows/release.yml").read_text(encoding="utf-8"))
    jobs = release["jobs"]
    assert jobs["test"]["uses"] == "./.github/workflows/test.yml"
    assert release[True] == {"release": {"types": ["published"]}}
    assert "workflow_call" in triggers
    assert (jobs["build"]["needs"], jobs["publish"]["needs"]) == ("test", "build")
