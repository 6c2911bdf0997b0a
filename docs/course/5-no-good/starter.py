"""Exercise 5: all solutions by no-good cuts."""


def cut_k1(tiling):
    """Return (placements, most): the cut with k - 1."""
    return tiling, len(tiling)  # yours


def cut_k2(tiling):
    """Return (placements, most): the cut with k - 2."""
    return tiling, len(tiling)  # yours


def enumerate_all(solve):
    """Return the list of all tilings; solve(cuts) gives one, or None."""
    tiling = solve([])
    return [tiling]  # yours
