"""Interrupts: a signal to end is heard wherever it comes, and is mentioned once.

A signal becomes a KeyboardInterrupt in the Python code that runs next. The exception may be
lost in a callback from native code, while a library loads, or in a finaliser. So the handler
also sets a flag, which the clock reads in every loop, and Python prints no traceback of an
exception that is lost.

The program loads this module first and handles signals from then on, so its imports are few.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

RAISING = [
    getattr(signal, name)
    for name in ("SIGINT", "SIGTERM", "SIGALRM", "SIGHUP", "SIGUSR1", "SIGUSR2", "SIGBREAK")
    if hasattr(signal, name)
]
"""The signals whose handlers may end the work with an exception."""

HANG_UP = getattr(signal, "SIGHUP", None)
"""The signal of a terminal that is closed; Windows has none."""

_received: list[int] = []
_announced: list[bool] = []
_jobs: list[bool] = []


def listen() -> dict[signal.Signals, Any]:
    """Handle Ctrl-C and SIGHUP, unless ignored, and SIGTERM; return the handlers replaced.

    A handler of the caller for SIGHUP stays.
    """
    before: dict[signal.Signals, Any] = {}
    if threading.current_thread() is threading.main_thread():
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            before[signal.SIGINT] = signal.signal(signal.SIGINT, _on_signal)
        if signal.getsignal(signal.SIGTERM) is not _on_signal:
            before[signal.SIGTERM] = signal.signal(signal.SIGTERM, _on_signal)
        if HANG_UP is not None and signal.getsignal(HANG_UP) is signal.SIG_DFL:
            before[HANG_UP] = signal.signal(HANG_UP, _on_signal)
        sys.unraisablehook = _without_interrupts(sys.unraisablehook)
        sys.excepthook = _without_interrupts(sys.excepthook)
    return before


def is_command() -> bool:
    """Return whether signals are handled here, as the commands do, and not by a caller."""
    return signal.getsignal(signal.SIGTERM) is _on_signal


def ignore_signals() -> None:
    """Ignore further signals, as the process is about to end with a known exit code.

    Python removes its own handlers before the process ends; a signal after that would
    change the exit code.
    """
    for number in _ending():
        signal.signal(number, signal.SIG_IGN)


def _ending() -> list[signal.Signals]:
    """Return the signals that end a program."""
    return [signal.SIGINT, signal.SIGTERM, *([] if HANG_UP is None else [HANG_UP])]


@contextlib.contextmanager
def listening() -> Iterator[None]:
    """Handle signals as `listen` does, and restore the handlers at the end."""
    if is_command():
        yield
        return
    _forget()
    hooks = sys.unraisablehook, sys.excepthook
    before = listen()
    try:
        yield
    finally:
        sys.unraisablehook, sys.excepthook = hooks
        for number, handler in before.items():
            # None is a handler that Python did not set and cannot restore.
            signal.signal(number, signal.SIG_DFL if handler is None else handler)
        _forget()


def _without_interrupts(report: Callable[..., object]) -> Callable[..., None]:
    """Return a hook for lost exceptions that ignores the interrupts recorded here.

    Native code hands them over in one object, or prints them as Python prints the one that ends a
    program: numpy does if it is interrupted while it loads.
    """

    def report_others(lost: Any, *further: Any) -> None:
        kind = lost if isinstance(lost, type) else lost.exc_type
        if not (_received and issubclass(kind, KeyboardInterrupt)):
            report(lost, *further)

    return report_others


@contextlib.contextmanager
def hold_signals() -> Iterator[Callable[[], None]]:
    """Delay signals while native code runs, as its callbacks lose exceptions.

    The function that it yields handles the signals received so far, also one that was lost
    before; the end handles the others. Only Python's main thread handles signals.
    """
    waiting: list[int] = []
    handlers: dict[int, Any] = {}

    def release() -> None:
        while waiting:
            number = waiting.pop(0)
            handlers[number](number, None)

    def hear() -> None:
        release()
        check_interrupt()

    with contextlib.ExitStack() as after:
        after.callback(release)  # which comes last
        if threading.current_thread() is threading.main_thread():
            for number in RAISING:
                handler = signal.getsignal(number)
                if callable(handler):
                    handlers[number] = handler
                    after.callback(signal.signal, number, handler)
                    signal.signal(number, lambda come, _: waiting.append(come))
        yield hear


def is_interrupted() -> bool:
    """Return whether a signal to end has been received."""
    return bool(_received)


def check_interrupt() -> None:
    """Raise KeyboardInterrupt if a signal to end has been received."""
    if _received:
        raise KeyboardInterrupt


def await_jobs() -> None:
    """Handle signals in a worker process: they end its job, and between jobs print no traceback.

    A worker without a job leaves Ctrl-C and SIGHUP to the process that began it, which gets them,
    too.
    """
    for number in _ending():
        if number != HANG_UP or signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _on_signal_in_worker)


def run_job(job: Callable[..., Any], *given: Any) -> Any:
    """Return the result of a job, in a worker as in `await_jobs` or in a thread."""
    _jobs.append(True)
    try:
        return job(*given)
    finally:
        _jobs.pop()


def is_announced() -> bool:
    """Return whether a message has been printed that the program is interrupted, and note it."""
    before = bool(_announced)
    _announced.append(True)
    return before


def _forget() -> None:
    _received.clear()
    _announced.clear()


def _on_signal(number: int, _: Any) -> None:
    # No threading.Event: a second signal would wait for ever for the lock that the handler
    # of the first one holds.
    _received.append(number)
    raise KeyboardInterrupt


def _on_signal_in_worker(number: int, _: Any) -> None:
    _received.append(number)
    if _jobs:
        raise KeyboardInterrupt
    if number == signal.SIGTERM:
        os._exit(1)
