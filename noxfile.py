"""What is done often, each in an environment of its own: ``nox -l`` lists it, ``nox`` tests.

``.ci/run`` runs the sessions that are tagged ``ci``, in this order, on a clean copy of the
commit. Arguments behind ``--`` go to the program: ``nox -s tests -- tests/cli -k pipes``.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
from pathlib import Path

import nox
from nox.command import CommandFailed

nox.needs_version = ">=2024.10.9"
nox.options.sessions = ["tests"]
nox.options.default_venv_backend = "venv"
nox.options.error_on_missing_interpreters = True

CI = {"CI": "true"}
"""In CI what is missing fails its tests instead of skipping them, and long tests run."""

ELSEWHERE = "minizinc veripb drup py_d4 pyganak xcover cpmpy cvxpy linopy pyoptinterface"
"""What pip does not install everywhere, or no suite needs: the nightly job has it."""


def interpreter(*versions: str) -> str:
    """Return the first Python of these versions, on the search path or of pyenv."""
    for version in versions:
        places = Path.home().glob(f".pyenv/versions/{version}.*/bin/python")
        for path in filter(None, (shutil.which(f"python{version}"), *map(str, places))):
            # A shim of pyenv may stand for a version that is not chosen.
            code = subprocess.call([path, "-c", "import venv"], stderr=subprocess.DEVNULL)
            if code == 0:
                return path
    sys.stderr.write(f"no Python {' or '.join(versions)} was found; python3 takes its place\n")
    return shutil.which("python3") or "python"


FEW = 3
"""In CI so many tests may fail among all others, if they pass alone."""


def pytest(session: nox.Session, *arguments: str, **env: str) -> None:
    """Run the suite, or part of it, on all processors.

    In CI the tests that failed, if they are few, run again alone, one after the other: a machine
    that others use, too, may starve a browser. What fails twice fails.
    """
    cache = Path(session.virtualenv.location, "pytest")
    shutil.rmtree(cache, ignore_errors=True)
    command = ("python", "-m", "pytest", "-q", "-o", f"cache_dir={cache}", *arguments)
    try:
        session.run(*command, "-n", "auto", env=env)
    except CommandFailed as error:
        record = cache / "v" / "cache" / "lastfailed"
        failed = json.loads(record.read_text(encoding="utf-8")) if record.is_file() else {}
        # Another code says that the run did not come to its end.
        ended = error.reason == "Returned code 1"
        if not (ended and "CI" in env and 0 < len(failed) <= FEW):
            raise
        session.warn("failed among others, run again alone: " + ", ".join(failed))
        alone = ("-n", "0", "--last-failed", "--last-failed-no-failures", "none")
        session.run(*command, *alone, env=env)
        session.warn("passed alone, after failing among others: " + ", ".join(failed))


@nox.session
def tests(session: nox.Session) -> None:
    """The fast suite, as a newcomer runs it."""
    session.install("-e", ".[test]")
    pytest(session, *session.posargs)


@nox.session
def everything(session: nox.Session) -> None:
    """All tests, the slow ones too; hours."""
    session.install("-e", ".[test-all]")
    pytest(session, "--slow", *session.posargs)


@nox.session
def coverage(session: nox.Session) -> None:
    """The fast suite, and the lines and branches that it does not reach."""
    session.install("-e", ".[test]")
    pytest(session, "--cov", "--cov-report=term-missing:skip-covered", *session.posargs)


@nox.session(tags=["ci"])
def lint(session: nox.Session) -> None:
    """Style, format and types."""
    session.install(".[test-all]")
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")
    session.run("mypy")


@nox.session(tags=["ci"])
def prose(session: nox.Session) -> None:
    """Words and sentences of the pages, the notebooks and the help, by textlint."""
    session.install(".")
    npm = ("npm", "ci", "--prefix", ".ci/prose", "--ignore-scripts", "--no-audit", "--no-fund")
    session.run(*npm, "--silent", external=True)
    texts = str(Path(session.virtualenv.location, "texts"))
    session.run("python", ".ci/prose/texts.py", texts)
    textlint = (".ci/prose/node_modules/.bin/textlint", "--config", ".ci/prose/textlintrc.json")
    pages = (
        "README.md",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "SECURITY.md",
        "CODE_OF_CONDUCT.md",
        "docs",
    )
    session.run(*textlint, *pages, texts, external=True)


@nox.session(tags=["ci"])
def site(session: nox.Session) -> None:
    """The site, which asks no network; its search finds; Zensical makes the same pages.

    -- FOLDER keeps it there.
    """
    session.install(".[docs]", "zensical<0.1")
    folder = (session.posargs or [str(Path(session.virtualenv.location, "site"))])[0]
    # Not with --quiet: then no warning is logged, and --strict finds none.
    command = ("mkdocs", "build", "--strict", "--site-dir", folder)
    session.run(*command, env={"NO_MKDOCS_2_WARNING": "1"})
    session.run("node", ".ci/search.mjs", folder, external=True)
    session.run(".ci/zensical", folder, external=True, env={"PYTHON": f"{session.bin}/python"})


@nox.session(tags=["ci"], venv_backend="none")
def package(session: nox.Session) -> None:
    """Wheel, sdist and workflow files; the wheel is used alone. -- FOLDER keeps both there."""
    session.run(".ci/package", *session.posargs, external=True)


@nox.session(tags=["ci"])
def kernel(session: nox.Session) -> None:
    """The compiled search is what its source gives, byte for byte."""
    session.install(".[kernel]")
    session.run("python", "kernel_build.py", "--check")


@nox.session(tags=["ci"], venv_backend="none")
def page(session: nox.Session) -> None:
    """Types, lint and the modules' own tests of the page of ``calmip play``, with coverage.

    The packages that this gets stay: the suite builds the page anew, and compares.
    """
    npm = ("npm", "ci", "--prefix", "web", "--ignore-scripts", "--no-audit", "--no-fund")
    session.run(*npm, "--silent", external=True)
    for script in ("check", "coverage"):
        session.run("npm", "run", "--prefix", "web", "--silent", script, external=True)


@nox.session(tags=["ci"], python=interpreter("3.11"))
def oldest(session: nox.Session) -> None:
    """The suite with the oldest packages that are allowed, and the checkers of others.

    Long tests run with the newest packages; -- --long runs them with the oldest, too.
    """
    chosen = session.posargs or ("-m", "not long")
    pins = Path(session.virtualenv.location, "lowest.txt")
    for wanted, where in (
        # The page has no packages of Python; the newest ones test it.
        (".[test-all]", ("--ignore=tests/page",)),
        # Some tools of the tests need newer packages than calmip.
        (".", ("tests/models", "tests/solvers")),
    ):
        with pins.open("w") as file:
            session.run("python", ".ci/lowest.py", wanted.replace(".", "calmip"), stdout=file)
        session.install("--constraint", str(pins), wanted)
        pytest(session, *where, *chosen, **CI, CALMIP_WITHOUT=ELSEWHERE)
    session.install(".[witnesses]")
    pytest(session, "tests/proofs", **CI, CALMIP_WITHOUT="veripb")


@nox.session(tags=["ci"], python=interpreter("3.13", "3.12"))
def newest(session: nox.Session) -> None:
    """The suite, every page and notebook, and a tenth of the slow battery of solvers.

    CALMIP_SEED=N draws the tenth that was drawn before.
    """
    session.install(".[test-all]")
    environment = {**CI, "CALMIP_WITHOUT": ELSEWHERE}
    pytest(session, **environment)
    pytest(session, "--slow", "-m", "slow", "tests/documentation", **environment)
    seed = os.environ.get("CALMIP_SEED") or str(random.randrange(32_768))
    session.log(f"this tenth again: CALMIP_SEED={seed}")
    pytest(session, "-m", "battery and slow", "--battery", seed, **environment)


@nox.session(default=False)
def mutants(session: nox.Session) -> None:
    """One-line faults in the modules that decide what is true; hours for all of them."""
    session.install("-e", ".[test-all]")
    session.run("python", "-m", "benchmarks.mutants", *(session.posargs or ["--sample", "20"]))
