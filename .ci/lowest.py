"""Print pip constraints that pin what the tests need to the lower bounds in pyproject.toml.

``lowest.py calmip`` prints those of calmip alone. They may be lower: where a tool of the tests
needs a newer version, the bound in its extra is the higher one.
"""

import re
import sys
import tomllib
from pathlib import Path

REQUIREMENT = re.compile(r"([\w.-]+)(?:\[([^\]]*)\])?([^;]*)")


def lowest(project: dict, wanted: str) -> dict[str, str]:
    """Return the lowest version of each package that a requirement such as ``calmip[x]`` allows."""
    extras = project["optional-dependencies"]
    found: dict[str, str] = {}
    waiting = [*project["dependencies"], wanted]
    while waiting:
        text = waiting.pop()
        name, asked, bounds = REQUIREMENT.match(text).groups()
        if name == project["name"]:
            names = filter(None, (asked or "").split(","))
            waiting += [line for extra in names for line in extras[extra.strip()]]
            continue
        bound = re.search(r"[>=]=\s*([\w.]+)", bounds)
        if bound is None:
            sys.exit(f"pyproject.toml: {text} has no lower bound; give the one that was tried")
        found[name] = max(found.get(name, ""), bound.group(1), key=numbers)
    return found


def numbers(version: str) -> list[int]:
    """Return the numbers of a version, by which versions compare."""
    return [int(number) for number in re.findall(r"\d+", version)]


if __name__ == "__main__":
    with Path("pyproject.toml").open("rb") as file:
        pins = lowest(tomllib.load(file)["project"], *(sys.argv[1:] or ["calmip[test-all]"]))
    print(*sorted(f"{name}=={bound}" for name, bound in pins.items()), sep="\n")
