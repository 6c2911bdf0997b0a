"""The help of a command loads nothing heavy, and says what the import would."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import calmip
from calmip.cli._signatures import constant, described, of_object
from calmip.features import Feature, all_groups, load

HEAVY = {
    *("numpy", "scipy", "highspy", "pulp", "pyomo", "matplotlib"),
    *("bz2", "lzma", "csv", "email", "zipfile", "tarfile", "logging", "asyncio", "http", "hashlib"),
}
"""What the help of a command need not load."""

MARKING = {"grade"}
"""Commands whose help needs the table of exercises, and so what marks them."""

PACKING = {"cut": {"bz2", "lzma", "zipfile"}}
"""What else the forms of a command need."""


def features() -> Iterator[tuple[str, Feature]]:
    for members in all_groups().values():
        for one in members:
            yield one.name, one
            yield from ((f"{one.name} {below.name}", below) for below in one.commands)


OWN = dict(features())


def loaded(*arguments: str, folder: Path) -> set[str]:
    """Return the modules that a command loads; numpy's as one."""
    code = (
        "import sys\nfrom calmip.cli import main\ncode = main(sys.argv[1:])\n"
        "print(code, *sys.modules, file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )
    code, *modules = done.stderr.splitlines()[-1].split()
    assert code == "0"
    return {name.partition(".")[0] for name in modules}


@pytest.mark.parametrize(
    "name",
    [
        name if name in ("solve", "bench") else pytest.param(name, marks=pytest.mark.long)
        for name in OWN
        if name.partition(" ")[0] not in MARKING
    ],
)
def test_a_help_loads_nothing_heavy(name: str, tmp_path: Path) -> None:
    found = loaded(*name.split(), "--help", folder=tmp_path)
    assert found & HEAVY == PACKING.get(name, set())


ENDS = """
import atexit, gc, sys
from calmip.__main__ import run
atexit.register(lambda: print(gc.get_freeze_count() > 10_000, file=sys.stderr))
sys.argv = ["calmip", "--version"]
run()
"""


def test_a_process_ends_without_a_search_for_garbage() -> None:
    done = subprocess.run(
        [sys.executable, "-c", ENDS], capture_output=True, text=True, timeout=300, check=True
    )
    assert done.stderr == "True\n"


COMPARED = """
import sys
from calmip.cli._signatures import described, of_object
from calmip.features import load

def compared(found):
    parameters = [(one.name, one.kind, one.default, str(one.annotation)) for one in found]
    return parameters

places = sys.argv[1:]
by_text = [described(place, load) for place in places]
print(*(place for place in places if place.rpartition(".")[0] in sys.modules))
for place, text in zip(places, by_text):
    imported = of_object(load(place))
    assert text.text == imported.text, place
    assert compared(text.parameters.values()) == compared(imported.parameters.values()), place
"""
"""A program that compares what the text of each task says with what its import says."""


def test_the_text_of_a_task_says_what_its_import_says() -> None:
    places = [one.task for one in OWN.values() if one.task]
    done = subprocess.run(
        [sys.executable, "-c", COMPARED, *places],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.stderr == ""
    assert done.stdout.split() == []  # no task was imported for its signature


def test_what_the_text_does_not_tell_is_imported() -> None:
    """Another package's function, a default that is computed, and a name that is not there."""
    assert described("json.dumps", load) == of_object(load("json.dumps"))
    with pytest.raises(AttributeError):
        described("calmip.puzzle.tasks.today.yesterday", load)
    assert constant("calmip._base.version.__version__", load) == calmip.__version__
