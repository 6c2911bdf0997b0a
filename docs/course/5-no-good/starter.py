"""Exercise 5: all solutions by no-good cuts."""


def no_good_cut(tiling):
    """Return (placements, most): the cut that forbids this tiling alone."""
    return tiling, len(tiling)  # yours


def enumerate_all(solve):
    """Return the list of all tilings; solve(cuts) gives one, or None."""
    tiling = solve([])
    return [tiling]  # yours
