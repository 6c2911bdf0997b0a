"""Another build of a solver: a program, the folder of a package, or a version that pip installs."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from pathlib import Path

from calmip._base.errors import InputError, SolverMissing, clip
from calmip._base.files import digest_of, scratch_folder
from calmip.processes import python, run
from calmip.solvers import solver_named
from calmip.solvers.programs import Program

VERSION_SECONDS = 60.0
"""The time limit of a solver that prints its version."""


def place_of(build: str, solver: str, beside: Path) -> str:
    """Return the path of another build of a solver.

    Parameters
    ----------
    build
        A program, the folder of a Python package, or a version of the package.
    beside
        A version is installed in a folder beside this file.

    Raises
    ------
    InputError
        If it is none of these, or none for this solver.
    SolverMissing
        If pip cannot install the version.
    """
    program = isinstance(solver_named(solver), Program)
    path = Path(build)
    if program and (found := shutil.which(build)):
        return str(Path(found).resolve())
    if not program and path.is_dir():
        return str(path.resolve())
    if not program and re.fullmatch(r"\d+(\.\w+)*", build):
        return str(_install(build, solver, beside))
    kind = (
        "a program"
        if program
        else "a version of its package, or a folder with it (pip install --target FOLDER)"
    )
    raise InputError(f"another build of {solver} is {kind}, not '{clip(build)}'")


def _install(version: str, solver: str, beside: Path) -> Path:
    """Install a version of a solver's package in a folder, unless it is there."""
    package = "highspy" if solver == "highs" else getattr(solver_named(solver), "package", solver)
    folder = beside.with_name(f"{beside.name}-{package}-{version}").resolve()
    if folder.is_dir():
        return folder
    with scratch_folder() as scratch:
        part = folder.with_name(folder.name + ".part")
        shutil.rmtree(part, ignore_errors=True)
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--target", str(part)]
        ended = run([*command, f"{package}=={version}"], folder=scratch)
    if ended.status != 0 or not part.is_dir():
        shutil.rmtree(part, ignore_errors=True)
        raise SolverMissing(f"pip cannot install {package} {version}{ended.last_line}")
    part.replace(folder)
    return folder


def fingerprint(place: str) -> str:
    """Return the path of a build, with the hash of its bytes if it is a program."""
    path = Path(place)
    if not place or not path.is_file():
        return place
    return f"{place} {digest_of(path.read_bytes())}"


def environment_at(solver: str, place: str) -> dict[str, str]:
    """Return the environment variables with which a solver is another build."""
    if not place:
        return {}
    found = solver_named(solver)
    if isinstance(found, Program):
        return {found.variable: place}
    return {"PYTHONPATH": os.pathsep.join(filter(None, (place, os.environ.get("PYTHONPATH"))))}


def version_at(solver: str, place: str) -> str | None:
    """Return the version of another build, ``unknown`` without one; None if it does not work."""
    with scratch_folder() as folder:
        here = {**os.environ, **environment_at(solver, place)}
        command = python(tell_version, solver)
        ended = run(command, folder=folder, seconds=VERSION_SECONDS, environment=here)
    try:
        version = json.loads(ended.tail.splitlines()[-1])
    except (ValueError, IndexError):
        return None
    return version if isinstance(version, str) else None


def tell_version(solver: str) -> None:
    """Write the version of a solver to stdout as JSON, null without one."""
    here = solver_named(solver).availability()
    sys.stdout.write(json.dumps(None if here.found is None else here.version or "unknown") + "\n")
