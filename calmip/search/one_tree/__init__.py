"""All solutions of a binary model in one branch-and-bound tree."""

from calmip.search.one_tree.search import OneTree, TreeStatistics

__all__ = ["OneTree", "TreeStatistics"]
