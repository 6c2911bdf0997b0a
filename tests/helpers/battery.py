"""The slow battery of formulations and solvers, of which CI draws a tenth at every run."""

import random
from collections.abc import Sequence


def drawn(names: Sequence[str], seed: int) -> set[str]:
    """Return a tenth of the names, the same for the same seed."""
    return set(random.Random(seed).sample(sorted(names), -(-len(names) // 10)))
