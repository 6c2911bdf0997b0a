"""What CI draws anew at every run, by CALMIP_SEED: a tenth of the slow battery, random inputs."""

import os
import random
from collections.abc import Sequence


def drawn(names: Sequence[str], seed: int) -> set[str]:
    """Return a tenth of the names, the same for the same seed."""
    return set(random.Random(seed).sample(sorted(names), -(-len(names) // 10)))


def seeds(number: int, among: range) -> list[int]:
    """Return seeds of random inputs: others in each run of CI, the same without it."""
    return sorted(random.Random(os.environ.get("CALMIP_SEED", "")).sample(among, number))
