"""What CI relies on: lower bounds for all dependencies, and the draw from the slow battery."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml
from battery import drawn
from packaging.requirements import Requirement
from presence import missing, need_package

ROOT = Path(__file__).parents[1]
LOWEST = ROOT / ".ci" / "lowest.py"


@pytest.mark.skipif(not LOWEST.is_file(), reason="in the repository only")
def test_every_dependency_of_the_tests_has_a_lower_bound_that_it_allows() -> None:
    done = subprocess.run(
        [sys.executable, LOWEST], capture_output=True, text=True, check=True, cwd=ROOT
    )
    pins = dict(line.split("==") for line in done.stdout.splitlines())
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    waiting, seen = [*project["dependencies"], "calmip[test]"], set()
    while waiting:
        need = Requirement(waiting.pop())
        if need.name == project["name"]:
            waiting += [line for extra in need.extras for line in extras[extra]]
            continue
        seen.add(need.name)
        assert need.specifier.contains(pins[need.name], prereleases=True), need
    assert seen == set(pins)


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


@pytest.mark.skipif(not (ROOT / ".github").is_dir(), reason="in the repository only")
def test_every_slow_test_runs_in_some_job() -> None:
    workflow = yaml.safe_load((ROOT / ".github/workflows/test.yml").read_text(encoding="utf-8"))
    triggers = workflow[True]  # what YAML 1.1 makes of "on"
    assert triggers["schedule"] == [{"cron": "17 4 * * *"}]
    nightly = [job for job in workflow["jobs"].values() if "schedule" in job.get("if", "")]
    runs = [step.get("run", "") for job in nightly for step in job["steps"]]
    assert any("--slow -m 'slow and not battery'" in line for line in runs)
    # The battery is drawn from, each night another tenth.
    assert ".ci/run" in runs
    ci = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert "-m 'battery and slow' --battery \"$seed\"" in ci
    assert "--slow -m slow tests/documentation" in ci
    # What the suites are told to do without, one part or the nightly job asks.
    without = set(re.findall(r'^export CI=true CALMIP_WITHOUT="([\w ]+)"', ci, re.M)[0].split())
    assert without == {"minizinc", "veripb", "drup", "py_d4", "pyganak", "xcover"}
    assert "install '.[witnesses]'\nCALMIP_WITHOUT=\"veripb\"" in ci
    assert any("veripb @ git+https" in line for line in runs)
    assert any("snap install minizinc" in line for line in runs)
    release = yaml.safe_load((ROOT / ".github/workflows/release.yml").read_text(encoding="utf-8"))
    jobs = release["jobs"]
    assert jobs["test"]["uses"] == "./.github/workflows/test.yml"
    assert "workflow_call" in triggers
    assert (jobs["build"]["needs"], jobs["publish"]["needs"]) == ("test", "build")
