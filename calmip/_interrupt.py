"""Ctrl-C and SIGTERM, heard even where the exception that tells of them is lost.

A signal becomes a KeyboardInterrupt in whatever Python runs next. Where that is
a function called from native code, a library that is being loaded or a
finaliser, the exception may be printed or dropped there, and the work goes on.
So the handler keeps a flag, and loops look at it.
"""

from __future__ import annotations

import signal
import threading
from typing import Any

__all__ = ["asked", "heed", "listen"]

_asked = threading.Event()


def listen() -> None:
    """Take Ctrl-C, unless it is ignored here, and SIGTERM for a wish to end."""
    _asked.clear()
    if threading.current_thread() is not threading.main_thread():
        return
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _ask)
    if hasattr(signal, "SIGTERM"):
        signal.signal(signal.SIGTERM, _ask)


def asked() -> bool:
    """Return whether somebody has asked the program to end since it listens."""
    return _asked.is_set()


def heed() -> None:
    """Raise KeyboardInterrupt once more, if the first one was lost.

    Raises
    ------
    KeyboardInterrupt
        If somebody has asked the program to end.
    """
    if _asked.is_set():
        raise KeyboardInterrupt


def _ask(*_: Any) -> None:
    _asked.set()
    raise KeyboardInterrupt
