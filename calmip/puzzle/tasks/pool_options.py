"""The pool of a model that the options of an enumeration ask for, and its search."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, fields
from decimal import Decimal
from fnmatch import fnmatchcase
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

from calmip._base.errors import InputError, clip, did_you_mean, join_words
from calmip._base.limits import Limits
from calmip.mip.display import describe_number
from calmip.mip.files.objects import not_a_variable

if TYPE_CHECKING:
    from calmip.mip.exact_cover.counting import CoverCount
    from calmip.mip.exact_cover.recognition import ModelCover
    from calmip.mip.exact_cover.search import CoverSearch
    from calmip.mip.model import Model
    from calmip.mip.pool import Goal, PoolSearch

MAX_DIGITS = 400
"""The most digits before or behind the point of a gap or a distance."""

TREE_NODES = (10_000, 1_000_000)
"""The most nodes of a tree before an exact cover of sums alone is counted, and if these have few
solutions."""

MANY = 5
"""A tree has many solutions if more than one node in so many is one."""


@dataclass(frozen=True)
class PoolOptions:
    """The options of an enumeration that are for models, under their names there."""

    optimal: bool = False
    gap: str | float | None = None
    within: str | float | None = None
    best: int | None = None
    distinct: Sequence[Any] = ()
    node_limit: int | None = None
    count: bool = False
    usage: bool = False
    workers: int = 1
    resumable: bool = False

    @property
    def given(self) -> set[str]:
        """The names of the options that are given."""
        values = {one.name: (getattr(self, one.name), one.default) for one in fields(self)}
        return {name for name, (value, unset) in values.items() if value not in (unset, None, [])}

    def search(
        self, model: Model, *, limit: int | None, limits: Limits, covers: bool
    ) -> PoolSearch:
        """Return the search of a model, which may search exact covers, too.

        Raises
        ------
        InputError
            If the options contradict each other.
        """
        from calmip.mip.pool import PoolSearch

        goal = self.goal(limit)
        if self.node_limit is not None and self.node_limit < 1:
            raise InputError(f"the node limit is a number from 1 on, not {self.node_limit}")
        tally = self.count or self.usage
        if self.usage and self.workers > 1:
            raise InputError("usage is counted by one worker; leave out workers")
        if tally and goal.plain:  # an objective may be unbounded, or tell equal columns apart
            model = model.with_costs({})
        found = PoolSearch(
            model,
            goal,
            distinct=self.columns(model),
            clock=limits.clock,
            node_limit=self.node_limit,
            limited=limit is not None or tally,
            tally=tally,
            usage=self.usage,
            memory=limits.memory / self.workers,
            covers=covers,
        )
        found.workers, found.progress = self.workers, limits.progress
        return found

    def cover(self, model: Model, method: str | None) -> ModelCover | None:
        """Return a model as an exact cover if it is searched as such, or None.

        Raises
        ------
        InputError
            If the method is exact-cover, and the model is none or another option needs the tree.
        """
        from calmip.mip.exact_cover.recognition import cover_of

        # The count of an exact cover has workers; the search of all solutions has none.
        given = sorted(self.given - ({"count", "workers"} if self.count else {"count"}))
        if method == "exact-cover" and given:
            raise InputError(
                f"the method exact-cover has no {join_words(given)}; use the method one-tree"
            )
        if method == "one-tree" or given:
            return None
        try:
            found = cover_of(model)
            # The tree lists solutions of sums alone faster.
            return None if found.loose and method is None and not self.count else found
        except InputError as error:
            if method is None:
                return None
            raise InputError(
                f"the model is no exact cover: {error.message}; use the method one-tree"
            ) from None

    def cover_search(
        self, cover: ModelCover, *, limit: int | None, limits: Limits
    ) -> CoverSearch | CoverCount:
        """Return the search of an exact cover, or its count."""
        if not self.count:
            from calmip.mip.exact_cover.search import CoverSearch

            return CoverSearch(cover, limit=limit, clock=limits.clock)
        from calmip.mip.exact_cover.counting import CoverCount

        found = CoverCount(cover, clock=limits.clock, memory=limits.memory, workers=self.workers)
        found.progress = limits.progress
        if cover.loose:
            found.before = partial(_of_tree, cover.model, limits)
        return found

    def columns(self, model: Model) -> list[int]:
        """Return the columns of a model that distinguish solutions; none for all."""
        return _columns(model, self.distinct)

    def goal(self, limit: int | None = None) -> Goal:
        """Return the goal; raise `InputError` if the options contradict each other."""
        from calmip.mip.pool import Goal

        optimal, gap, within, best = self.optimal, self.gap, self.within, self.best
        given = [optimal, gap is not None, within is not None, best is not None]
        if sum(given) > 1:
            raise InputError("optimal, gap, within and best exclude each other; give one")
        if best is not None and limit is not None:
            raise InputError("best and limit exclude each other; leave out limit")
        if best is not None and best < 1:
            raise InputError(f"best is a number of solutions from 1 on, not {best}")
        return Goal(optimal, _number("gap", gap), _number("within", within), best)


def _of_tree(model: Model, limits: Limits) -> int | None:
    """Return the number of solutions if the tree finds it soon, as where few points fit the rows.

    With many solutions the count of an exact cover is faster, which remembers its nodes.
    """
    from calmip.mip.pool import PoolSearch

    for nodes in TREE_NODES:
        tree = PoolSearch(
            model.with_costs({}),
            clock=limits.clock,
            node_limit=nodes,
            limited=True,
            tally=True,
            memory=limits.memory,
        )
        for _ in tree:
            pass
        if tree.complete:
            return tree.counted
        if tree.counted > nodes // MANY:
            return None
    return None


@contextmanager
def workers_for(search: PoolSearch, limits: Limits) -> Iterator[None]:
    """Let processes share a search, if there are to be several; they start when they are needed."""
    if search.workers == 1:
        yield
        return
    from calmip.processes.workers import share, workers_of

    with workers_of(limits, "a search by several workers", threads=False) as workers:
        search.share = partial(share, workers)
        yield


def _number(what: str, value: str | float | None) -> Fraction | None:
    """Return a gap or a distance as an exact number."""
    if value is None:
        return None
    text = str(value).strip()
    number, per_cent = text.removesuffix("%"), text.endswith("%")
    share = Fraction(-1)
    with suppress(ValueError, ArithmeticError):
        # The exact number of a long exponent would take all memory.
        if all(abs(Decimal(part).adjusted()) < MAX_DIGITS for part in number.split("/")):
            share = Fraction(number) / (100 if per_cent else 1)
    if share < 0 or (what == "within" and per_cent):
        allowed = "1% or 0.01" if what == "gap" else "5 or 0.5"
        raise InputError(f"{what} is a number from 0 on such as {allowed}, not {clip(text)}")
    if what == "gap" and share >= 1 and not per_cent:
        percent = clip(describe_number(100 * share))
        raise InputError(
            f"gap {clip(text)} is {percent} %; for {clip(text)} percent write {clip(text)}%, "
            f"and for {percent} percent {percent}%"
        )
    return share


def _columns(model: Model, names: Iterable[Any]) -> list[int]:
    """Return the integer columns that have one of these names or match one of these patterns.

    A variable of the object that the model was read from stands for its name.
    """
    integer, columns, found = model.values("integer"), model.own_columns, set()
    for given in [names] if isinstance(names, str) else names:
        place = None if model.native is None else model.native.place(given)
        if place is None and not isinstance(given, str):
            raise InputError(not_a_variable(given, model))
        name = given if place is None else columns[place]
        exact = [c for c, one in enumerate(columns) if one == name]
        alike = exact or [c for c, one in enumerate(columns) if fnmatchcase(one, name)]
        integral = [column for column in alike if integer[column]]
        if alike and not integral:
            raise InputError(
                f"{clip(columns[alike[0]])} is continuous; only integer variables "
                "distinguish solutions"
            )
        if not integral:
            guess = did_you_mean(name, columns)
            raise InputError(
                f"no variable is named {clip(name)}; "
                + (f"did you mean {clip(guess)}?" if guess else "use a name or a pattern, as x*")
            )
        found.update(integral)
    return sorted(found)
