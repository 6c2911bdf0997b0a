"""The exact-cover search, compiled where that pays: all solutions, and their numbers."""

from calmip.search.exact_cover.search import (
    Search,
    count,
    count_by_reveal,
    count_uncovered,
    exists,
    solutions,
)

__all__ = ["Search", "count", "count_by_reveal", "count_uncovered", "exists", "solutions"]
