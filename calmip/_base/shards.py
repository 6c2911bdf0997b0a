"""Shards: disjoint parts of a work, for the tasks of a scheduler that know nothing of each other.

A unit of work belongs to a shard by the hash of its key. So the shards of any number are disjoint
and complete, on whatever machine they are done, and a shard that was killed is done again alone.
"""

from __future__ import annotations

import os
import re
from typing import NamedTuple

from calmip._base.errors import InputError, clip
from calmip._base.files import digest_of

MAX_SHARDS = 1_000_000

FROM_ZERO = ("AWS_BATCH_JOB_ARRAY_INDEX", "JOB_COMPLETION_INDEX")
"""The variables of schedulers whose tasks count from 0: AWS Batch and Kubernetes."""

FORM = "a shard is I/N, such as 3/8 or SLURM_ARRAY_TASK_ID/8, where I counts from 1 to N"


class Shard(NamedTuple):
    """One of so many shards, counted from 1."""

    number: int = 1
    total: int = 1

    def __str__(self) -> str:
        return f"{self.number}/{self.total}"

    @property
    def whole(self) -> bool:
        """Whether it is all of the work."""
        return self.total == 1

    def has(self, key: str) -> bool:
        """Return whether the unit of work with a key belongs to the shard."""
        return int(digest_of(key.encode())[:16], 16) % self.total == self.number - 1


WHOLE = Shard()
"""All of a work."""


def read_shard(text: str | None) -> Shard:
    """Return the shard of a text I/N, where I and N are numbers or variables; all if None.

    Raises
    ------
    InputError
        If the text is no shard, or a variable is not set to a number.
    """
    if text is None:
        return WHOLE
    found = re.fullmatch(r"(\w+)/(\w+)", text, re.ASCII)
    if found is None:
        raise InputError(f"{FORM}; '{clip(text)}' is none")
    number, total = (_number(one) for one in found.groups())
    number += found[1] in FROM_ZERO
    if not 1 <= number <= total <= MAX_SHARDS:
        read = "not" if text == f"{number}/{total}" else f"{number}/{total}"
        raise InputError(f"{FORM}, and N is at most {MAX_SHARDS:,}; '{clip(text)}' is {read}")
    return Shard(number, total)


def _number(text: str) -> int:
    """Return a number, or that of a variable of the scheduler."""
    value = text if text[0].isdigit() else os.environ.get(text)
    if value is None:
        raise InputError(
            f"the variable {clip(text)} is not set; start the command as a task of an array, or "
            "give the number itself, such as 3/8"
        )
    if not re.fullmatch(r"\d{1,9}", value, re.ASCII):
        raise InputError(f"{FORM}; {clip(text)} is '{clip(value)}', not a whole number")
    return int(value)
