"""``python -m calmip`` and the console script ``calmip``."""

from __future__ import annotations

import gc
import sys
import traceback

__all__ = ["run"]


def run() -> None:
    """Run the program and leave with its exit code."""
    # To import modules makes many objects and hardly any garbage. Looking for it
    # every 700 objects takes a twelfth of a short run.
    gc.set_threshold(50_000)
    try:
        # Imported here, so that an early Ctrl-C is no traceback either.
        from calmip.cli import main

        code = main()
    except KeyboardInterrupt:
        code = 130
    except Exception:
        # A bug of ours. Python's own exit code, 1, would say "there is no tiling".
        traceback.print_exc()
        print("calmip: this is a bug; please report the lines above", file=sys.stderr)  # noqa: T201
        code = 4
    sys.exit(code)


if __name__ == "__main__":
    run()
