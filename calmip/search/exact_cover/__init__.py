"""The exact-cover search, compiled where that pays: all solutions, and their numbers."""

from calmip.search.exact_cover.counting import count, count_by_reveal, count_uncovered
from calmip.search.exact_cover.search import Search, exists, solutions

__all__ = ["Search", "count", "count_by_reveal", "count_uncovered", "exists", "solutions"]
