"""Print pip constraints that pin every requirement of pyproject.toml to its lower bound."""

import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

REQUIREMENT = re.compile(r"([\w.-]+)(?:\[[^\]]*\])?([^;]*)")


def lowest(project: dict) -> Iterator[str]:
    """Yield ``name==bound`` for the dependencies and for what the extras ask for."""
    extras = project["optional-dependencies"]
    for text in [*project["dependencies"], *(line for name in EXTRAS for line in extras[name])]:
        name, bounds = REQUIREMENT.match(text).groups()
        if name == project["name"]:
            continue
        bound = re.search(r">=\s*([\w.]+)", bounds)
        if bound is None:
            sys.exit(f"pyproject.toml: {text} has no lower bound; give the one that was tried")
        yield f"{name}=={bound.group(1)}"


# What the test suite needs; see [project.optional-dependencies].
EXTRAS = ("cpsat", "glpk", "gurobi", "scip", "z3", "proof", "plot", "test")

if __name__ == "__main__":
    with Path("pyproject.toml").open("rb") as file:
        print(*sorted(set(lowest(tomllib.load(file)["project"]))), sep="\n")
