"""CBC, as a program of its own."""

from __future__ import annotations

import importlib.util
import platform
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from calmip._limits import Limits
from calmip.solver.programs.base import Program

__all__ = ["Cbc"]


class Cbc(Program):
    """CBC, the COIN-OR branch-and-cut solver."""

    name, title, program = "cbc", "CBC", "cbc"
    remedy = "install it (apt install coinor-cbc, brew install cbc, or pip install cbcbox)"
    version = ("-quit", r"Version:\s*(\S+)")
    nodes = r"^Enumerated nodes:\s+(\d+)"
    unknown = r"^No match for|is not a valid|not recognized"
    starts = True

    def arguments(self, model: Path, limits: Limits) -> list[str]:
        """Return CBC's commands in the order in which it obeys them."""
        command = [str(model), "-randomCbcSeed", str(limits.seed)]
        if limits.threads > 1:
            command += ["-threads", str(limits.threads)]
        if limits.seconds is not None:
            # Its clock is CPU time unless told otherwise.
            command += ["-timeMode", "elapsed", "-sec", f"{limits.seconds:.3f}"]
        if limits.start:
            command += ["-mipstart", self.start]
        # Its cuts take more time here than they save, most of all where there is no tiling.
        command += ["-cuts", "off"]
        for name, value in limits.options:
            command += [f"-{name}", value]
        return [*command, "-solve", "-solution", self.answer]

    def elsewhere(self) -> Iterator[str | None]:
        """Yield the program of the package cbcbox, then the one inside PuLP 3."""
        yield _from_cbcbox()
        yield _from_pulp()


def _from_cbcbox() -> str | None:
    if importlib.util.find_spec("cbcbox") is None:
        return None
    try:
        import cbcbox  # type: ignore[import-not-found, unused-ignore]

        path: str | None = shutil.which(cbcbox.cbc_bin_path())
    except Exception:  # a broken extra must not hide the CBC inside PuLP
        return None
    return path


def _from_pulp() -> str | None:
    spec = importlib.util.find_spec("pulp")
    if spec is None or spec.origin is None:
        return None
    system = {"linux": "linux", "darwin": "osx", "win32": "win"}.get(sys.platform, sys.platform)
    arm = platform.machine().lower() in ("arm64", "aarch64")
    folder = Path(spec.origin).parent / "solverdir" / "cbc" / system
    return shutil.which(str(folder / ("arm64" if arm else "i64") / "cbc"))
