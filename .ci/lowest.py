"""Print pip constraints that pin what the tests need to the lower bounds in pyproject.toml."""

import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

REQUIREMENT = re.compile(r"([\w.-]+)(?:\[([^\]]*)\])?([^;]*)")


def lowest(project: dict) -> Iterator[str]:
    """Yield ``name==bound`` for the dependencies and for what the extra ``test-all`` asks for."""
    extras = project["optional-dependencies"]
    waiting = [*project["dependencies"], f"{project['name']}[test-all]"]
    while waiting:
        text = waiting.pop()
        name, wanted, bounds = REQUIREMENT.match(text).groups()
        if name == project["name"]:
            waiting += [line for extra in wanted.split(",") for line in extras[extra.strip()]]
            continue
        bound = re.search(r"[>=]=\s*([\w.]+)", bounds)
        if bound is None:
            sys.exit(f"pyproject.toml: {text} has no lower bound; give the one that was tried")
        yield f"{name}=={bound.group(1)}"


if __name__ == "__main__":
    with Path("pyproject.toml").open("rb") as file:
        print(*sorted(set(lowest(tomllib.load(file)["project"]))), sep="\n")
