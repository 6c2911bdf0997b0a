"""Workers: threads or processes here, or those of a Dask cluster; and work that they share."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar

from calmip._base.errors import InputError, SolverFailed, clip, needed_by
from calmip._base.files import scratch_folder
from calmip._base.limits import Limits
from calmip._base.signals import check_interrupt, run_job
from calmip._base.version import __version__
from calmip.processes import check_processes

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

POLL_SECONDS = 0.1
"""Seconds between two checks of shared work."""

LOCAL = "local"
"""Instead of a cluster's address: a cluster of worker processes on this machine."""

CLUSTER_SECONDS = 15.0
"""Seconds to wait for a cluster to answer."""

Key = TypeVar("Key")
Answer = TypeVar("Answer")


@contextmanager
def workers_of(
    limits: Limits, what: str, *, threads: bool = True
) -> Iterator[tuple[Executor, int]]:
    """Yield workers and their number: threads or processes, or a Dask cluster's processes.

    Raises
    ------
    SolverFailed
        If a process is killed.
    """
    if limits.dask is not None:
        with cluster_of(limits.workers, limits.dask, _versions) as (executor, size, found):
            common_values(found)
            yield executor, size()
        return
    check_processes(what)
    from concurrent.futures import BrokenExecutor, ThreadPoolExecutor

    pool: Executor
    if threads:
        pool = ThreadPoolExecutor(limits.workers)
    else:
        # Loads multiprocessing, which a browser lacks.
        from calmip.processes.worker_pool import WorkerPool

        pool = WorkerPool(limits.workers)
    with pool:
        try:
            yield pool, limits.workers
        except BrokenExecutor:
            check_interrupt()
            raise SolverFailed(
                "a worker was killed, perhaps for lack of memory; use fewer workers"
            ) from None
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def share(
    workers: tuple[Executor, int],
    jobs: Iterable[tuple[Key, tuple[Any, ...]]],
    check: Callable[[], None] = lambda: None,
) -> Generator[tuple[Key, Any]]:
    """Yield the key and the result of each job, in the order in which workers finish them.

    A job is a function and its arguments; ``check`` is called now and then, and may raise an
    error to end the work.
    """
    from concurrent.futures import FIRST_COMPLETED, wait

    executor, size = workers
    left = iter(jobs)
    waiting: dict[Future[Any], Key] = {}
    try:
        while True:
            # One job per worker: a waiting job would get too much of the time that is left.
            for key, job in islice(left, size - len(waiting)):
                waiting[executor.submit(run_job, *job)] = key
            if not waiting:
                return
            done = wait(waiting, POLL_SECONDS, FIRST_COMPLETED).done
            check()
            for one in done:
                yield waiting.pop(one), one.result()
    finally:
        for one in waiting:
            one.cancel()


def _versions() -> dict[str, str | None]:
    """Return what all workers must have in common."""
    return {"calmip": __version__}


@contextmanager
def cluster_of(
    workers: int,
    address: str,
    ask: Callable[[], Answer],
    finish: Callable[[], object] | None = None,
) -> Iterator[tuple[Executor, Callable[[], int], dict[str, Answer]]]:
    """Yield the executor of a Dask cluster, its size, and each worker's answer to a question.

    Parameters
    ----------
    workers
        The number of workers of a new cluster on this machine.
    address
        The address of the cluster's scheduler, or `LOCAL` for a new one.
    ask
        The question, a function that every worker calls in the beginning.
    finish
        What every worker of a new cluster calls in the end, lest it wait for its jobs.

    Raises
    ------
    SolverMissing
        If Dask is not installed.
    InputError
        If the cluster cannot be reached, or a worker lacks calmip.
    """
    with needed_by(
        "--dask",
        "dask",
        lambda error: f"--dask needs Dask ({error}); pip install 'calmip[dask]'",
    ):
        import dask.config
        import distributed
    local = address == LOCAL
    with ExitStack() as stack:
        try:
            if local:
                folder = str(stack.enter_context(scratch_folder()))
                stack.enter_context(dask.config.set({"temporary-directory": folder}))
                cluster = distributed.LocalCluster(
                    n_workers=workers,
                    threads_per_worker=1,
                    dashboard_address=None,
                    silence_logs=logging.CRITICAL,
                )
                address = stack.enter_context(cluster).scheduler_address
            client: Any = distributed.Client(address, timeout=CLUSTER_SECONDS)
            stack.enter_context(client)
            client.wait_for_workers(1, timeout=CLUSTER_SECONDS)
            found = client.run(ask)
        except InputError:
            raise
        except (OSError, ValueError, TimeoutError, ImportError, RuntimeError) as error:
            raise InputError(
                f"the cluster '{clip(address)}' cannot be reached, or has no worker with calmip: "
                f"{clip(str(error) or type(error).__name__, 200)}; finished runs are kept"
            ) from None
        executor = client.get_executor(pure=False)
        try:
            yield executor, lambda: max(1, sum(client.ncores().values())), found
        finally:
            executor.shutdown(wait=False)
            if local and finish is not None:
                with suppress(OSError, TimeoutError, RuntimeError):
                    client.run(finish)


def common_values(
    versions: Mapping[str, Mapping[str, str | None]], beside: Collection[str] = ()
) -> dict[str, str | None]:
    """Return the versions that all workers have; those of some names may differ.

    Raises
    ------
    InputError
        If the workers have different versions.
    """
    common = dict(next(iter(versions.values())))
    for name in common:
        values = sorted({str(one[name]) for one in versions.values()})
        if name not in beside and len(values) > 1:
            raise InputError(
                f"the workers have different versions of {name}: {' and '.join(values)}; "
                "install the same everywhere"
            )
        common[name] = " | ".join(values)
    return common
