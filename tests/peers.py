"""Other programs that tests compare with."""

import os
import subprocess
import sys
from pathlib import Path

from presence import missing

from calmip.solvers.programs import Cbc, Glpk

FINDERS = {"cbc": Cbc().find, "glpsol": Glpk().find}


class Peers:
    """Other programs: skipped where they are missing, unless the run requires them.

    ``CALMIP_PEER_PYTHON`` names the interpreter that has their packages, if
    it is another than the tests'.
    """

    python = os.environ.get("CALMIP_PEER_PYTHON") or sys.executable

    def missing(self, name: str) -> None:
        """Skip the test, or fail it where the program is required."""
        missing(name)

    def run(self, program: str, *arguments: object, cwd: Path | None = None) -> str:
        """Run a program and return its output."""
        path = FINDERS[program]()
        if path is None:
            self.missing(program)
        command = [str(path), *map(str, arguments)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=cwd)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def script(self, package: str, code: str, *arguments: object, given: str = "") -> str:
        """Run Python code that uses a package, in the peers' interpreter."""
        found = (
            f"import importlib.util, sys; sys.exit(importlib.util.find_spec({package!r}) is None)"
        )
        if subprocess.run([self.python, "-c", found], check=False).returncode:
            self.missing(package)
        command = [self.python, "-c", code, *map(str, arguments)]
        done = subprocess.run(command, input=given, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout
