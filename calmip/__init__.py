"""Calendar puzzles as mixed-integer programs."""

__version__ = "0.1.0"
