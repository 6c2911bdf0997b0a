"""Where runs are done: on this machine, or on a cluster of Dask."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from typing import Any

from calmip._files import scratch_folder
from calmip.errors import InputError, SolverMissing, shown
from calmip.tasks.campaign.runs import end_servers, versions

__all__ = ["LOCAL", "Pool", "pool"]

LOCAL = "local"
"""In place of a cluster's address: a cluster of so many processes on this machine."""

PATIENCE = 15.0
"""Seconds to wait for a cluster to answer."""


class Pool:
    """Workers that do runs.

    Parameters
    ----------
    executor
        Who takes a job.
    size
        How many jobs it should have at a time.
    here
        What all workers have: calmip's version, the machine, the solvers' versions.
    """

    def __init__(
        self, executor: Executor, size: Callable[[], int], here: dict[str, str | None]
    ) -> None:
        self.executor, self.size, self.here = executor, size, here


@contextlib.contextmanager
def pool(workers: int, dask: str | None, solvers: Sequence[str]) -> Iterator[Pool]:
    """Yield workers on this machine or, if an address is given, on a cluster of Dask.

    Raises
    ------
    SolverMissing
        If a solver is not installed, here or on a worker; or Dask is not.
    InputError
        If the cluster cannot be reached, or its workers have different versions.
    """
    if dask is not None:
        with _dask(workers, dask, solvers) as found:
            yield found
        return
    here = versions(solvers)
    _check(here, "this machine", solvers)
    executor = ThreadPoolExecutor(workers)
    try:
        yield Pool(executor, lambda: workers, here)
    finally:
        # First those that a thread waits for, or it would wait for the end of its run.
        executor.shutdown(wait=False, cancel_futures=True)
        end_servers()
        executor.shutdown()


def _check(here: dict[str, str | None], where: str, solvers: Sequence[str]) -> None:
    missing = [name for name in solvers if here[name] is None]
    if missing:
        raise SolverMissing(
            f"solver {missing[0]} was not found on {shown(where, 200)}; install it there or leave "
            "it out of the campaign (calmip solvers says how); runs that are done are kept"
        )


@contextlib.contextmanager
def _dask(workers: int, address: str, solvers: Sequence[str]) -> Iterator[Pool]:
    try:
        import dask.config
        import distributed
    except ImportError as error:
        raise SolverMissing(f"--dask needs Dask ({error}); pip install 'calmip[dask]'") from None
    local = address == LOCAL
    with contextlib.ExitStack() as stack:
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
            client: Any = distributed.Client(address, timeout=PATIENCE)
            stack.enter_context(client)
            client.wait_for_workers(1, timeout=PATIENCE)
            found = client.run(versions, tuple(solvers))
        except (OSError, ValueError, TimeoutError, ImportError, RuntimeError) as error:
            raise InputError(
                f"the cluster '{shown(address)}' cannot be reached, or has no worker with calmip: "
                f"{shown(str(error) or type(error).__name__, 200)}; runs that are done are kept"
            ) from None
        for where, here in found.items():
            _check(here, f"worker {where}", solvers)
        executor = client.get_executor(pure=False)
        try:
            yield Pool(executor, lambda: max(1, _threads(client)), _agreed(found))
        finally:
            executor.shutdown(wait=False)
            if local:  # or the workers' threads would wait for the ends of their runs
                with contextlib.suppress(OSError, TimeoutError, RuntimeError):
                    client.run(end_servers)


def _threads(client: Any) -> int:
    return sum(client.ncores().values())


def _agreed(found: dict[str, dict[str, str | None]]) -> dict[str, str | None]:
    """Return what all workers have, their machines side by side.

    Raises
    ------
    InputError
        If they have different versions of something.
    """
    here = dict(next(iter(found.values())))
    for name in here:
        values = sorted({str(one[name]) for one in found.values()})
        if name != "machine" and len(values) > 1:
            raise InputError(
                f"the workers have different versions of {name}: {' and '.join(values)}; "
                "install the same everywhere"
            )
        here[name] = " | ".join(values)
    return here
