"""What CI relies on: lower bounds for all dependencies, and the draw from the slow battery."""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from battery import drawn
from packaging.requirements import Requirement

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
