"""The exact-cover search, compiled where that pays: all solutions, and their numbers."""
