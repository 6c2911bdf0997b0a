"""What is done often, each in an environment of its own: ``nox -l`` lists it, ``nox`` tests.

``.ci/run`` runs the sessions that are tagged ``ci``, side by side, each on a clean copy of the
commit (``.ci/parts.py``). Arguments behind ``--`` go to the program:
``nox -s tests -- tests/cli -k pipes``.
"""

from __future__ import annotations

import importlib.util
import os
import random
import shutil
import subprocess
import sys
from pathlib import Path

import nox

nox.needs_version = ">=2024.10.9"
nox.options.sessions = ["tests"]
# uv installs an environment in seconds, from files that all of them share; pip takes a minute.
nox.options.default_venv_backend = "uv|venv"
nox.options.error_on_missing_interpreters = True

CI = {"CI": "true"}
"""In CI what is missing fails its tests instead of skipping them, and long tests run."""

ELSEWHERE = (
    "minizinc veripb drup py_d4 pyganak xcover cpmpy cobra cvxpy docplex linopy mip xpress "
    "pyoptinterface zsh fish groff"
)
"""What pip does not install everywhere, or no suite needs: the nightly job has it."""


UV = shutil.which("uv") or importlib.util.find_spec("uv")
LOCK = ("--constraint", ".ci/hashes.txt" if UV else ".ci/requirements.txt")
"""The versions of the tools, and the hashes of their files, which uv compares: a new one waits
until .ci/lock has been run. calmip's own dependencies, and the solvers, are the newest."""

SITE = ".ci/docs_build/mkdocs.yml"
PAGES = "tests/documentation/test_documentation.py"
BLOCKS = f"{PAGES}::test_the_blocks_of_a_page_do_what_it_says"
SHOWN = [
    f"{BLOCKS}[docs/{page}.md]"
    for page in ("how-to/objects", "reference/commands/export", "reference/commands/solve")
]
"""The pages of solving, exporting and objects, whose blocks run with the oldest packages, too."""

CALLERS = (
    "tests/cli/test_cli.py",
    "tests/mip",
    "tests/plugins",
    "tests/puzzle/documents",
    "tests/puzzle/files",
    "tests/workshop",
)
"""The tests of what calls packages: models, files, documents, plugins, drawings, the command line.
Models, solvers and proofs have runs of their own. All else reaches packages through these alone;
the nightly job runs it, too."""


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


def calmip(extras: str = "") -> str:
    """Return what pip installs: the wheel that CI has built once, or this folder."""
    wheel = os.environ.get("CALMIP_WHEEL")
    return f"calmip{extras} @ {Path(wheel).as_uri()}" if wheel else f".{extras}"


def pytest(session: nox.Session, *arguments: str, env: dict[str, str] | None = None) -> None:
    """Run the suite, or part of it, on all processors."""
    session.run("python", "-m", "pytest", "-q", "-n", "auto", *arguments, env=env)


def suite(session: nox.Session, *arguments: str, **env: str) -> None:
    """Run the suite, or part of it, as CI does: what may run again is in the script."""
    session.run("python", ".ci/suite.py", *arguments, env={**CI, **env})


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
    session.install(*LOCK, calmip("[lint]"))
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")
    session.run("mypy")


@nox.session(tags=["ci"])
def prose(session: nox.Session) -> None:
    """Words and sentences of the pages, the notebooks and the help, by textlint."""
    session.install(calmip())
    npm = ("npm", "ci", "--prefix", ".ci/prose", "--ignore-scripts", "--no-audit", "--no-fund")
    session.run(*npm, "--silent", external=True)
    texts = str(Path(session.virtualenv.location, "texts"))
    session.run("python", ".ci/prose/texts.py", texts)
    textlint = (".ci/prose/node_modules/.bin/textlint", "--config", ".ci/prose/textlintrc.json")
    pages = (
        "README.md",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        ".github/SECURITY.md",
        ".github/CODE_OF_CONDUCT.md",
        ".github/GOVERNANCE.md",
        ".github/SUPPORT.md",
        "docs",
    )
    session.run(*textlint, *pages, texts, external=True)


@nox.session(tags=["ci"])
def site(session: nox.Session) -> None:
    """The site, which asks no network; its search finds; Zensical makes the same pages.

    -- FOLDER keeps it there.
    """
    session.install(*LOCK, calmip("[docs]"), "zensical")
    folder = (session.posargs or [str(Path(session.virtualenv.location, "site"))])[0]
    # Not with --quiet: then no warning is logged, and --strict finds none.
    command = (
        "mkdocs",
        "build",
        "--config-file",
        SITE,
        "--strict",
        "--site-dir",
        str(Path(folder).resolve()),
    )
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
    session.install(calmip("[kernel]"))
    session.run("python", ".ci/kernel_build.py", "--check")


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
    """The tests that packages can change, with the oldest ones, and the checkers of others.

    HiGHS is called through its package, and with the newest packages through its library.
    -- --half draws half of them, and -- --long runs all tests but those of the page.
    """
    draw = [word for word in session.posargs if word == "--half"]
    given = [word for word in session.posargs if word not in draw]
    # The page has no packages of Python; the newest ones test it, and what pages show.
    every = ("--ignore=tests/page", f"--ignore={PAGES}", *given)
    few = given or ("-m", "not long", *draw)
    pins = Path(session.virtualenv.location, "lowest.txt")
    for extras, runs in (
        ("[test-all]", [every if given else (*CALLERS, *few), SHOWN]),
        # Some tools of the tests need newer packages than calmip.
        ("", [("tests/models", "tests/solvers", *few)]),
    ):
        with pins.open("w") as file:
            session.run("python", ".ci/lowest.py", f"calmip{extras}", stdout=file)
        session.install("--constraint", str(pins), calmip(extras), "pip")
        for arguments in runs:
            suite(session, *arguments, CALMIP_HIGHS="highspy", CALMIP_WITHOUT=ELSEWHERE)
    session.install(calmip("[witnesses]"))
    suite(session, "tests/proofs", CALMIP_WITHOUT="veripb")


# What the session `page` runs.
OF_THE_PAGE = (
    "test_the_linter_finds_nothing",
    "test_the_modules_pass_their_own_tests",
    "test_the_types_hold",
)
RECOUNT = "tests/documentation/test_audit.py::test_the_whole_page"
NIGHTLY = [f"{BLOCKS}[docs/how-to/{page}.md]" for page in ("design", "proofs", "rearrange")]
"""Minutes of what the examples of the commands, which the session `package` runs, and the pages of
these commands run, too."""
PARTS = {
    "tests": ("-m", "not waits and not slow"),
    # Browsers, processes and clocks: more of them than processors, as they mostly wait.
    "waiting": (
        "-m",
        "waits and not slow",
        "-n",
        str(2 * (os.cpu_count() or 1)),
        *(f"--deselect=tests/page/test_build.py::{name}" for name in OF_THE_PAGE),
    ),
    # A part of the published counts is recounted among the tests, and all of them every night.
    "documents": (
        *("--slow", "-m", "slow", "tests/documentation"),
        *(f"--deselect={name}" for name in (RECOUNT, *NIGHTLY)),
    ),
    "battery": ("tests/models", "-m", "battery and slow", "--battery"),
}
"""The parts of the session `newest`."""


@nox.session(tags=["ci"], python=interpreter("3.14", "3.13", "3.12"))
def newest(session: nox.Session) -> None:
    """The suite, every page and notebook, and a tenth of the slow battery of solvers.

    -- tests, -- waiting, -- documents or -- battery runs one of them. CALMIP_SEED=N draws the
    tenth that was drawn before.
    """
    session.install(*LOCK, calmip("[test-all]"), "pip")
    seed = os.environ.setdefault("CALMIP_SEED", str(random.randrange(32_768)))
    given = session.posargs
    parts = {name: PARTS[name] for name in given if name in PARTS} or PARTS
    further = [word for word in given if word not in PARTS]
    passed = Path(os.environ.get("CALMIP_PASSED", ""))
    for name, arguments in ({"": ()} if further and parts is PARTS else parts).items():
        drawn = (seed,) if name == "battery" else ()
        # In .ci/run the README's command has run the fast tests before. A path of its own would be
        # one more folder of tests to pytest, which then finds no configuration.
        left = name in ("tests", "waiting") and passed.is_file()
        rest = (f"--without-passed={passed}",) if left else ()
        suite(session, *arguments, *drawn, *rest, *further, CALMIP_WITHOUT=ELSEWHERE)


LAYERS = ("cobra", "cvxpy", "docplex", "linopy", "mip", "ortools", "pyomo", "xpress")
"""The packages of the modelling layers whose objects are read."""


@nox.session(default=False)
def layers(session: nox.Session) -> None:
    """Twenty random models of each modelling layer beside HiGHS, with the versions; its pages.

    Each layer runs in a process of its own. -- -k linopy takes one.
    """
    session.install(calmip("[test]"), "highsbox", *LAYERS, "pip")
    session.run("python", "-m", "pip", "list")
    files = ("tests/mip/files/test_layers.py", "tests/mip/files/test_threads.py")
    tabs = "tests/documentation/test_ten_questions.py::test_the_tabs_are_the_model_of_the_file"
    questions = (f"{tabs}[{tab}]" for tab in ("cvxpy", "linopy", "OR-Tools", "Pyomo"))
    tests = (*files, f"{BLOCKS}[docs/how-to/layers.md]", *questions)
    pytest(session, "--long", *tests, *session.posargs, env={"CALMIP_REQUIRE": " ".join(LAYERS)})


@nox.session(default=False)
def trades(session: nox.Session) -> None:
    """The fast suite in copies of the project, each without one trade. -- bench takes one."""
    session.install("-e", ".[test-all]")
    session.run("python", ".ci/trades.py", *session.posargs)


@nox.session(default=False)
def mutants(session: nox.Session) -> None:
    """One-line faults in the modules that decide what is true; hours for all of them."""
    session.install("-e", ".[test-all]")
    session.run("python", "-m", "benchmarks.mutants", *(session.posargs or ["--sample", "20"]))
