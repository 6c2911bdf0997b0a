"""Ctrl-C and SIGTERM, heard even where the exception that tells of them is lost.

A signal becomes a KeyboardInterrupt in whatever Python runs next. Where that is
a function called from native code, a library that is being loaded or a
finaliser, the exception may be printed or dropped there, and the work goes on.
So the handler keeps a flag, and loops look at it.
"""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Callable, Iterator
from typing import Any

__all__ = ["asked", "heed", "holding", "ignore", "listen", "listening"]

RAISING = [
    getattr(signal, name)
    for name in ("SIGINT", "SIGTERM", "SIGALRM", "SIGHUP", "SIGUSR1", "SIGUSR2", "SIGBREAK")
    if hasattr(signal, name)
]
"""The signals whose handlers end work by an exception; others only take note of something."""

_received: list[int] = []


def listen() -> dict[signal.Signals, Any]:
    """Take Ctrl-C, unless it is ignored here, and SIGTERM for a wish to end.

    Returns
    -------
    dict
        The handlers that were there before; empty if somebody listens already.
    """
    before: dict[signal.Signals, Any] = {}
    if threading.current_thread() is threading.main_thread():
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            before[signal.SIGINT] = signal.signal(signal.SIGINT, _ask)
        if signal.getsignal(signal.SIGTERM) is not _ask:
            before[signal.SIGTERM] = signal.signal(signal.SIGTERM, _ask)
    return before


def ignore() -> None:
    """Ignore further signals: how the process ends is settled, and it is about to end.

    A handler of Python's own would be taken away before the process is gone, and a
    signal in between would give another exit code.
    """
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)


@contextlib.contextmanager
def listening() -> Iterator[None]:
    """Take Ctrl-C and SIGTERM for a wish to end, as `listen` does; afterwards as before.

    Who calls the command line from Python gets the handlers of signals back. Where the
    process listens already, all stays as it is.
    """
    if signal.getsignal(signal.SIGTERM) is _ask:
        yield
        return
    _received.clear()
    before = listen()
    try:
        yield
    finally:
        for number, handler in before.items():
            # None stands for a handler that Python has not set and cannot set again.
            signal.signal(number, signal.SIG_DFL if handler is None else handler)
        _received.clear()


@contextlib.contextmanager
def holding() -> Iterator[Callable[[], None]]:
    """Hold signals back while native code runs, whose callbacks lose exceptions.

    What is yielded handles the signals that have come, for where an exception is heard;
    the others are handled at the end. Python handles signals in its main thread only, so
    nothing is held in others.
    """
    waiting: list[int] = []
    handlers: dict[int, Any] = {}

    def release() -> None:
        while waiting:
            number = waiting.pop(0)
            handlers[number](number, None)

    with contextlib.ExitStack() as after:
        after.callback(release)  # which comes last
        if threading.current_thread() is threading.main_thread():
            for number in RAISING:
                handler = signal.getsignal(number)
                if callable(handler):
                    handlers[number] = handler
                    after.callback(signal.signal, number, handler)
                    signal.signal(number, lambda come, _: waiting.append(come))
        yield release


def asked() -> bool:
    """Return whether somebody has asked the program to end since it listens."""
    return bool(_received)


def heed() -> None:
    """Raise KeyboardInterrupt once more, if the first one was lost.

    Raises
    ------
    KeyboardInterrupt
        If somebody has asked the program to end.
    """
    if _received:
        raise KeyboardInterrupt


def _ask(number: int, _: Any) -> None:
    # No lock, and so no threading.Event: a signal that comes while this one is being
    # answered would wait for ever for the lock that the first one holds.
    _received.append(number)
    raise KeyboardInterrupt
