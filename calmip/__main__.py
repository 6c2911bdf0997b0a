"""``python -m calmip`` and the console script ``calmip``."""

from __future__ import annotations

import sys

from calmip.cli import main

__all__ = ["run"]


def run() -> None:
    """Run the program and leave with its exit code."""
    sys.exit(main())


if __name__ == "__main__":
    run()
