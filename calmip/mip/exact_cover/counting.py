"""The number of solutions of an exact cover, without listing them.

Parts without a common item are counted alone (`calmip.mip.exact_cover.parts`). A part
that would take long, and that places pieces on a board, is counted by regions if that is faster
(`calmip.mip.exact_cover.regions`). Another long one is counted in branches, if several threads
share it or a journal keeps what is counted (`calmip.mip.exact_cover.branches`).
"""

from __future__ import annotations

import itertools
import math
import os
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import cached_property
from hashlib import sha256
from time import perf_counter, process_time
from typing import TYPE_CHECKING, Any

from calmip._base.limits import ENDLESS, Deadline, Progress
from calmip.mip import kernel
from calmip.mip.exact_cover.parts import (
    Branch,
    Component,
    PartCount,
    PlainPartCount,
    components_of,
)
from calmip.mip.exact_cover.recognition import ModelCover
from calmip.processes import resident

if TYPE_CHECKING:
    from calmip.mip.exact_cover.branches import BranchCounts

MEMORY = 512 << 20
"""The most bytes of the table, by default."""

LEAST = 1 << 20
"""The bytes that the table may have in any case."""

GLANCE = 0.2
"""Seconds between two calls of ``progress``."""

REGIONS_AFTER = 9
"""Calls after which a count that goes on is tried by regions, if it places pieces on a board."""

REGIONS_FROM = 0.5
"""The least CPU seconds that are left without regions if they are tried."""

REGIONS_SECONDS = 1.0
"""The CPU seconds that regions have in any case."""

SHARED_FROM = 0.2
"""The least CPU seconds of a count before threads share it: the rest is counted in branches."""

SHARED_PER_OPTION = 0.0002
"""Further ones for each option: the lists of all branches take a quarter of that."""


class CoverCount:
    """The number of solutions of a model that is an exact cover.

    Iterating yields nothing, and counts until everything is counted or a limit is reached.

    Parameters
    ----------
    cover
        The model as an exact cover.
    clock
        Stop at its time limit.
    memory
        The bytes that the process may have.
    table
        The most bytes of the table, by default 512 MB.
    workers
        The number of threads that share a long count.

    Attributes
    ----------
    progress : callable or None
        Called now and then with a `Progress`.
    record : callable or None
        Called with plain data, of which `recall` restores what is counted. Long parts are then
        counted in branches.
    before : callable or None
        Called before anything is counted: it returns the number of solutions if another search
        finds it soon, or None.
    ended_by : str
        The method of that search if it did; or empty.
    complete : bool
        Whether everything was counted.
    stopped : str
        ``"time"`` or ``"memory"`` if that limit was reached; or empty.
    nodes : int
        The options placed so far.
    """

    tally, streams = True, True

    def __init__(
        self,
        cover: ModelCover,
        *,
        clock: Deadline = ENDLESS,
        memory: float = math.inf,
        table: int | None = None,
        workers: int = 1,
    ) -> None:
        self._cover, self._clock, self._memory = cover, clock, memory
        self.table, self.workers = MEMORY if table is None else table, workers
        self.progress: Callable[[Progress], None] | None = None
        self.record: Callable[[dict[str, Any]], None] | None = None
        self.before: Callable[[], int | None] | None = None
        self._known: dict[int, int] = {}
        self._in_branches: dict[int, dict[int, int]] = {}
        self._digests: dict[int, str] = {}
        self._split: dict[int, tuple[list[Branch], int]] = {}
        self._begin()

    def _begin(self) -> None:
        self.nodes, self.complete, self.stopped, self.ended_by = 0, False, "", ""
        self._found: list[int] = []
        self._shown = perf_counter() + GLANCE
        self._now: PartCount | PlainPartCount | BranchCounts | None = None
        self._left = 1

    @property
    def counted(self) -> int:
        """The number of solutions found so far."""
        if self._left > 1 or (self._now is None and self._left):
            return 0  # nothing is known of a part
        return math.prod(self._found) * (1 if self._now is None else self._now.found)

    @cached_property
    def _parts(self) -> list[Component] | None:
        return components_of(self._cover)

    @property
    def identity(self) -> str:
        """A digest of the cover."""
        cover = self._cover
        known: tuple[Any, ...] = cover.masks, cover.must, cover.late
        if cover.rests:
            known = *known, cover.rests
        return sha256(repr(known).encode()).hexdigest()

    def recall(self, entry: dict[str, Any]) -> None:
        """Take what an earlier count of the same cover has recorded, before iterating.

        Raises
        ------
        ValueError, KeyError, TypeError
            If no count of this cover has recorded it.
        """
        part, count = entry["part"], entry["count"]
        parts = self._parts or []
        if type(part) is not int or type(count) is not int or count < 0:
            raise ValueError(f"{entry} has no number of a part and of its solutions")
        if not 0 <= part < len(parts):
            raise ValueError(f"there is no part {part}")
        branch, known = entry.get("branch", part), self._known
        if "branch" in entry:
            known = self._in_branches.setdefault(part, {})
            if type(branch) is not int or not 0 <= branch < len(self._branches(part)[0]):
                raise ValueError(f"there is no branch {branch}")
        if branch in known:
            raise ValueError(f"{entry} is a duplicate")
        if entry != self._entry(part, branch if "branch" in entry else None, count):
            raise ValueError(f"{entry} counts another node")
        known[branch] = count

    def _entry(self, number: int, branch: int | None, count: int) -> dict[str, Any]:
        """Return what is recorded of a part or a branch, with a digest of the node.

        So no other version of the search takes the count for that of another node.
        """
        assert self._parts is not None
        part = self._parts[number]
        if number not in self._digests:
            known: tuple[Any, ...] = part.masks, part.ways, part.must, part.late
            if part.fields is not None:
                known = *known, part.fields
            self._digests[number] = sha256(repr(known).encode()).hexdigest()
        node, entry = self._digests[number], {"part": number}
        if branch is not None:
            state = self._branches(number)[0][branch].state
            node, entry = sha256(f"{node} {state}".encode()).hexdigest(), entry | {"branch": branch}
        return {**entry, "node": node[:16], "count": count}

    def _branches(self, number: int) -> tuple[list[Branch], int]:
        """Return the branches of a part, and the number of its solutions beside them."""
        if number not in self._split:
            from calmip.mip.exact_cover.branches import branches_of

            assert self._parts is not None
            self._split[number] = branches_of(self._parts[number])
        return self._split[number]

    def __iter__(self) -> Iterator[list[int]]:
        self._begin()
        parts = self._parts
        total = 0 if parts is None else self.before and self.before()
        if parts is None or total is not None:
            self._found, self._left = [total or 0], 0
            self.ended_by = "" if parts is None else "one-tree"
        else:
            self._count(parts)
        self.complete = not self.stopped
        yield from ()

    def _count(self, parts: list[Component]) -> None:
        """Count each part, until one has no solution or a limit is reached."""
        self._left = len(parts)
        for number, part in enumerate(parts):
            found = self._known.get(number)
            if found is None:
                found = self._of_part(number, part)
            if found is None:
                return
            self._found.append(found)
            self._now = None
            self._left -= 1
            if not found:
                self._left = 0
                return

    def _of_part(self, number: int, part: Component) -> int | None:
        """Return the number of solutions of a part, or None if a limit is reached."""
        if number in self._in_branches:
            return self._by_branches(number, part)
        kind = PlainPartCount if kernel.library() is None else PartCount
        self._now = now = kind(part, self._table_bytes())
        nodes, begin = self.nodes, process_time()
        for call in itertools.count(1):
            self.stopped = self._limit_reached()
            if self.stopped:
                return None
            now.step()
            self.nodes = nodes + now.nodes
            self._report("nodes", self.nodes)
            if now.finished:
                break
            spent = process_time() - begin
            if call == REGIONS_AFTER and isinstance(now, PartCount):
                share = now.share
                left = spent * (1 / share - 1) if share else math.inf
                found = self._by_regions(part, left) if left > REGIONS_FROM else None
                if found is not None:
                    self._keep(number, None, found)
                    return found
            if call < REGIONS_AFTER:
                continue
            least = SHARED_FROM + SHARED_PER_OPTION * len(part.masks)
            shares = self.workers > 1 and isinstance(now, PartCount) and spent > least
            if self.record is not None or shares:
                return self._by_branches(number, part)
        return now.found

    def _by_branches(self, number: int, part: Component) -> int | None:
        """Return the number of solutions of a part, counted in branches."""
        from calmip.mip.exact_cover.branches import BranchCounts, branches_of

        nodes = self.nodes
        before = self._now if isinstance(self._now, PartCount) else None
        if before is None or self.record is not None:
            split = self._branches(number)
        else:
            branches, found = branches_of(part, begun=before.begun())
            split = branches, found + before.found
        self._now = now = BranchCounts(
            part,
            self._in_branches.get(number, {}),
            memory=self._table_bytes(),
            workers=self.workers,
            split=split,
            before=before,
        )
        with closing(iter(now)) as steps:
            for branch in steps:
                self.nodes = nodes + now.nodes
                if branch is not None:
                    self._keep(number, branch, now.counts[branch])
                self._report("nodes", self.nodes)
                self.stopped = self._limit_reached()
                if self.stopped:
                    return None
        return now.found

    def _keep(self, part: int, branch: int | None, count: int) -> None:
        if self.record is not None:
            self.record(self._entry(part, branch, count))

    def _by_regions(self, part: Component, left: float) -> int | None:
        """Return the number of solutions of a part by regions, or None if that does not pay.

        The regions take at most an eighth of the CPU seconds that are left without them, or
        `REGIONS_SECONDS` if that is more; and no longer than that once they are slower than cell
        by cell in that time: seldom is a cell in the first half slower than one behind it.
        """
        if part.must != (1 << part.items) - 1 or part.fields is not None:
            return None
        from calmip.mip.exact_cover.memory import kind_of
        from calmip.mip.exact_cover.pieces import board_of
        from calmip.mip.exact_cover.regions import Overflow, Regions

        board = board_of(part.masks, part.ways, part.items)
        kind = None if board is None else kind_of(board)
        if board is None or kind is None:
            return None
        begin, most = process_time(), max(REGIONS_SECONDS, left / 8)

        def tick(words: int) -> None:
            self._report("words", words)
            spent = process_time() - begin
            late = spent > max(REGIONS_SECONDS, most * regions.share)
            if late or self._limit_reached():
                raise TimeoutError

        try:
            regions = Regions(board, kind, tick, self._table_bytes())
            graph = regions.graph()
            return 0 if graph is None else graph.total()
        except (MemoryError, Overflow, TimeoutError):
            return None

    def _report(self, what: str, number: int) -> None:
        """Report the solutions found, and the work done, if the last report is some time ago."""
        if self.progress is not None and perf_counter() >= self._shown:
            self.progress(Progress(self.counted, None, "solutions", detail=f"{number:,} {what}"))
            self._shown = perf_counter() + GLANCE

    def _limit_reached(self) -> str:
        if self._clock.over:
            return "time"
        return "memory" if resident(os.getpid()) > self._memory else ""

    def _table_bytes(self) -> int:
        """Return the bytes that the table may have: when it grows, there are two for a while."""
        left = self._memory - resident(os.getpid())
        return int(max(LEAST, min(self.table, left * 3 / 4)))
