"""Worker processes that share work, and that all end if one of them is killed."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import suppress
from multiprocessing.connection import wait
from typing import Any, ParamSpec, TypeVar

from calmip.processes import POLL_SECONDS, end_with

TERMINATION_POLLS = 5
"""Checks after a worker has ended until the others are terminated; after as many again
they are killed."""

Given = ParamSpec("Given")
Value = TypeVar("Value")


class WorkerPool(ProcessPoolExecutor):
    """Worker processes that end with this one, and with each other.

    The executor of the standard library reads a result to its end. Of a worker that is killed in
    the middle of one, no end comes, and the executor waits as long as any process can write to
    the pipe, this one included.
    """

    def __init__(self, number: int) -> None:
        super().__init__(number, initializer=end_with, initargs=(os.getpid(),))
        self._watched = False

    def submit(
        self, job: Callable[Given, Value], /, *given: Given.args, **named: Given.kwargs
    ) -> Future[Value]:
        """Let a worker do a job."""
        future = super().submit(job, *given, **named)
        if not self._watched:
            # Not earlier: the first job makes the workers, and a process should not fork
            # while it has several threads.
            self._watched = True
            manager = self._executor_manager_thread
            threading.Thread(target=_watch, args=(manager,), daemon=True).start()
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the workers; with ``cancel_futures``, end the jobs that they have begun as well."""
        manager: Any = self._executor_manager_thread
        if cancel_futures and manager is not None and manager.pending_work_items:
            for worker in list(manager.processes):
                # Without a job it ignores the signal, and sends the result of the last one.
                with suppress(OSError):
                    os.kill(worker, signal.SIGINT)
        super().shutdown(wait, cancel_futures=cancel_futures)


def _watch(manager: Any) -> None:
    """End all workers if one has ended before its work, and the executor does not notice."""
    looks = 0
    while manager.is_alive():
        manager.join(POLL_SECONDS)
        workers = list(manager.processes.values())
        ended = manager.pending_work_items and wait([worker.sentinel for worker in workers], 0)
        looks = looks + 1 if ended else 0
        if looks == TERMINATION_POLLS:
            for worker in workers:
                worker.terminate()
        elif looks == 2 * TERMINATION_POLLS:
            for worker in workers:
                worker.kill()
            manager.result_queue._writer.close()
            return
