"""``python -m calmip`` and the console script ``calmip``."""

from __future__ import annotations

import gc
import sys
import traceback

from calmip._interrupt import asked, ignore, listen

__all__ = ["run"]

INTERRUPTED = 130


def run() -> None:
    """Run the program and leave with its exit code."""
    try:
        try:
            listen()
            code = _exit_code()
        finally:
            ignore()
    except KeyboardInterrupt:
        # A further one, while the first was being answered.
        ignore()
        code = INTERRUPTED
    sys.exit(code)


def _exit_code() -> int:
    """Run the program and return its exit code."""
    # To import modules makes many objects and hardly any garbage. Looking for it
    # every 700 objects takes a twelfth of a short run.
    gc.set_threshold(50_000)
    try:
        # Imported here, so that an early Ctrl-C is no traceback either.
        from calmip.cli import main

        return main()
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception:
        if asked():
            # What is interrupted while it is loaded may say that something is missing.
            return INTERRUPTED
        # A bug of ours. Python's own exit code, 1, would say "there is no tiling".
        traceback.print_exc()
        print("calmip: this is a bug; please report the lines above", file=sys.stderr)  # noqa: T201
        return 4


if __name__ == "__main__":
    run()
