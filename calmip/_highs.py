"""HiGHS, made in one way for all who use it."""

from __future__ import annotations

from typing import Any

from calmip.errors import SolverMissing

__all__ = ["new_highs"]


def new_highs(user: str, **options: str | bool | float) -> Any:
    """Return a silent `highspy.Highs` with these options set.

    Parameters
    ----------
    user
        Who needs it, for the message if it is missing: "HiGHS", "the one-tree search".
    options
        HiGHS's options by name; one that this version does not know is passed over.

    Raises
    ------
    SolverMissing
        If highspy is not installed or does not load.
    """
    try:
        import highspy
    except ImportError as error:
        raise SolverMissing(f"{user} needs highspy ({error}); pip install highspy") from None
    highs = highspy.Highs()
    for option, setting in {"output_flag": False, **options}.items():
        highs.setOptionValue(option, setting)
    return highs
