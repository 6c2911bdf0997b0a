"""The exact covers that the tests of files of covers share."""

from small_covers import covers, feb29, free_week, solutions_of, tiny, twins

__all__ = ["covers", "feb29", "free_week", "solutions_of", "tiny", "twins"]
