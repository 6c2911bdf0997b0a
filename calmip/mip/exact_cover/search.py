"""All solutions of a model that is an exact cover, by the compiled search in bits."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator

from calmip._base.errors import SolverFailed
from calmip._base.limits import ENDLESS, Deadline
from calmip.mip import kernel
from calmip.mip.exact_cover.parts import (
    BUDGET,
    BYTES,
    Branch,
    CompiledPart,
    Component,
    choose_item,
    part_with_rows,
    root_of,
)
from calmip.mip.exact_cover.recognition import ModelCover
from calmip.mip.packed_cover import PlainSteps, PlainWalk, Walk, walk

MAX_BATCH = 1024
"""The most solutions that wait in the buffer."""


class CoverSearch:
    """All solutions of a model that is an exact cover, found while you iterate, in a fixed order.

    Each solution is the ascending list of the columns that are one, checked against the rows in
    exact arithmetic. The objective is ignored. Every iteration starts anew.

    Parameters
    ----------
    cover
        The model as an exact cover.
    limit
        The number of solutions that are wanted; the search may go on.
    clock
        Stop at its time limit.

    Attributes
    ----------
    complete : bool
        Whether everything was searched.
    stopped : str
        ``"time"`` if the time limit was reached; or empty.
    """

    def __init__(
        self, cover: ModelCover, *, limit: int | None = None, clock: Deadline = ENDLESS
    ) -> None:
        self.complete, self.stopped = False, ""
        self._cover, self._clock = cover, clock
        self._batch = MAX_BATCH if limit is None else min(limit, MAX_BATCH)

    def __iter__(self) -> Iterator[list[int]]:
        self.complete, self.stopped = False, ""
        violated = self._cover.model.violated
        search = _walk(self._cover)
        while not search.finished:
            if self._clock.over:
                self.stopped = "time"
                return
            for chosen in search.step(self._batch):
                columns = self._cover.columns(chosen)
                if violated(columns) is not None:
                    raise SolverFailed(
                        "the exact-cover search found a point that violates the model; report this"
                    )
                yield columns
        self.complete = True


def _walk(cover: ModelCover) -> Walk | PlainWalk | PartWalk | PlainPartWalk:
    """Return the search of a cover."""
    if not cover.rests:
        return walk(cover.packed())
    numbers = range(1, len(cover.options) + 1)
    options = list(zip(cover.masks, cover.in_rests, numbers, strict=True))
    part = part_with_rows(cover, options, (1 << cover.items) - 1)
    return (PlainPartWalk if kernel.library() is None else PartWalk)(part)


class PartWalk(CompiledPart):
    """All solutions of a part with rest rows, by count.c.

    Its ways are the numbers of the options, from 1 on.
    """

    lists = True

    def __init__(self, part: Component) -> None:
        super().__init__(part, 0, judged=(0, 0, 0))
        self._count.size = self._size = max(1, part.must.bit_count())

    def step(self, most: int, budget: int = BUDGET) -> list[list[int]]:
        """Search on, and return the solutions found; see `calmip.mip.packed_cover.Walk.step`."""
        library = kernel.library()
        assert library is not None
        size, count = self._size, self._count
        if count.solutions < most:
            self._put(out=bytearray(most * size * BYTES))
        count.solutions, count.budget = most, budget
        result = kernel.GROW
        while result == kernel.GROW:
            result = library.calmip_count(self._words, self._values, ctypes.byref(count))
            if result == kernel.GROW:
                self._grow_lists(2 * count.room)
        self.finished = result == kernel.DONE
        state = memoryview(self._buffers["state"]).cast("q")
        self.nodes, found, state[7] = state[1], state[7], 0
        numbers = memoryview(self._buffers["out"]).cast("q")[: found * size].tolist()
        rows = (numbers[row * size : (row + 1) * size] for row in range(found))
        return [[number - 1 for number in row if number > 0] for row in rows]


class PlainPartWalk(PlainSteps):
    """The search of `PartWalk` in plain Python."""

    def __init__(self, part: Component) -> None:
        super().__init__()
        self._events = self._search(part)

    def _search(self, part: Component) -> Iterator[list[int] | None]:
        """Yield the options of each solution, and None for other nodes."""
        chosen: list[int] = []
        path = [(root_of(part), iter(root_of(part).options))]
        while path:
            node, untried = path[-1]
            mask, number = next(((m, n) for m, n in untried if m >> node.item & 1), (0, -1))
            if number < 0:
                path.pop()
                del chosen[-1:]
                continue
            state = node.state + mask
            if not part.must & ~state:
                yield [*chosen, number - 1]
                continue
            options = part.left(node.options, state)
            self._looked += len(node.options) + 1
            yield None
            if part.must & ~state & ~part.key(options, state):
                continue
            item = choose_item(state, [one for one, _ in options], part.must, part.late)
            chosen.append(number - 1)
            path.append((Branch(state, options, item), iter(options)))
