"""``python -m calmip`` and the console script ``calmip``."""

from __future__ import annotations

import gc
import sys

INTERRUPTED = 130


def run() -> None:
    """Run the program and leave with its exit code."""
    try:
        # Imported here, so that an early Ctrl-C prints no traceback.
        from calmip._base.signals import ignore_signals, listen

        try:
            listen()
            code = _exit_code()
        finally:
            ignore_signals()
    except KeyboardInterrupt:
        # Ctrl-C before signals are handled, or a second one during the handling of the first
        code = _end_interrupted()
    # A KeyboardInterrupt in a text that is evaluated, such as those of dataclasses, is remembered
    # by Python even if it is caught: the process would end by the signal. The next text forgets it.
    eval("0")  # noqa: S307
    # Python would look for garbage among all objects as it ends, a tenth of a short run.
    gc.freeze()
    sys.exit(code)


def _exit_code() -> int:
    """Run the program and return its exit code."""
    # Imports make many objects and little garbage. Collection after every 700 objects
    # would take a twelfth of a short run.
    gc.set_threshold(50_000)
    try:
        from calmip.cli import main

        return main()
    except KeyboardInterrupt:
        return _end_interrupted()
    except Exception:
        from calmip._base.signals import is_interrupted

        if is_interrupted():
            # An interrupted import may raise another error.
            return _end_interrupted()
        import traceback

        # A bug. Python's own exit code, 1, would say "there is no tiling".
        text = f"{traceback.format_exc()}calmip: this is a bug; report the lines above"
        lines = [
            "".join(c if c.isprintable() else repr(c)[1:-1] for c in line)
            for line in text.split("\n")
        ]
        print("\n".join(lines), file=sys.stderr)  # noqa: T201
        return 4


def _end_interrupted() -> int:
    """Say that the program is interrupted, unless that has been said; return its exit code."""
    import contextlib

    from calmip._base.signals import ignore_signals, is_announced

    ignore_signals()
    if not is_announced() and sys.stderr is not None:
        with contextlib.suppress(OSError):
            print("interrupted", file=sys.stderr, flush=True)  # noqa: T201
    return INTERRUPTED


if __name__ == "__main__":
    run()
