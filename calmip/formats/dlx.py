"""Exact-cover problems as text for Knuth's DLX programs.

The format is that of D. E. Knuth's programs DLX1 to DLX3 (The Art of Computer
Programming, Volume 4B, section 7.2.2.1): comments behind ``|``, the items on
one line, then one option per line. Equal pieces make an item that is covered n
times; it is written ``n|item`` as DLX3 takes it. Without equal pieces DLX1 and
DLX2 read the file too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from calmip.problem.cover import ExactCover

__all__ = ["dlx_lines"]

MAX_NAME = 8
"""Knuth's programs refuse longer names."""


def dlx_lines(cover: ExactCover, comments: Iterable[str] = ()) -> Iterator[str]:
    """Yield the lines of a DLX file; the options stand in the order of the columns.

    Parameters
    ----------
    cover
        The exact cover to write.
    comments
        Lines of printable ASCII for the head.
    """
    names = [item.name for item in cover.items]
    for line in comments:
        yield f"| {line}\n"
    if any(len(name) > MAX_NAME for name in names):
        numbered = [f"i{number}" for number in range(1, len(names) + 1)]
        for short, name in zip(numbered, names, strict=True):
            yield f"| {short} = {name}\n"
        names = numbered
    if any(item.demand > 1 for item in cover.items):
        yield "| n|item is covered n times: for DLX3 (DLX1 and DLX2 do not know it)\n"
    yield (
        " ".join(
            name if item.demand == 1 else f"{item.demand}|{name}"
            for item, name in zip(cover.items, names, strict=True)
        )
        + "\n"
    )
    for option in range(cover.columns):
        yield " ".join(names[item] for item in cover.items_of(option)) + "\n"
