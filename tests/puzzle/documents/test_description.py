"""Results as plain data for JSON."""

from __future__ import annotations

import datetime
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calmip.mip.status import Status
from calmip.puzzle.documents.serialise import describe_fields, plain_data
from calmip.puzzle.instance import Placement

DATA = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.floats(allow_nan=False),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@dataclass(frozen=True)
class Inner:
    """All of its fields are described."""

    path: Path
    day: datetime.date


@dataclass(frozen=True)
class Outer:
    """What its ``KEYS`` name is described, in their order."""

    KEYS = ("seconds", "twice", "inner", "status", "placements", "bound")

    inner: tuple[Inner, ...]
    status: Status
    placements: Mapping[str, Placement | None]
    seconds: Any
    bound: float
    hidden: int = 0

    @property
    def twice(self) -> float:
        """A property."""
        return 2 * self.bound


@pytest.mark.long
@given(DATA)
@settings(max_examples=40)
def test_plain_data_stays_as_it_is(data: Any) -> None:
    assert plain_data(data) == data
    assert plain_data(Inner(Path("a"), data))["day"] == data


def test_an_object_is_described_by_its_keys() -> None:
    inner = Inner(Path("folder/file"), datetime.date(2024, 2, 29))
    laid = {"first": Placement("U", ((0, 1),)), "second": None}
    seconds = {"total": 0.12345678}
    found = describe_fields(Outer((inner,), Status.FEASIBLE, laid, seconds, 0.12345678))
    assert json.dumps(found) == json.dumps(
        {
            "seconds": {"total": 0.123457},
            "twice": 2 * 0.12345678,
            "inner": [{"path": str(Path("folder/file")), "day": "2024-02-29"}],
            "status": "feasible",
            "placements": {"first": {"piece": "U", "cells": [[0, 1]]}, "second": None},
            "bound": 0.12345678,
        }
    )
    assert type(found["status"]) is str
    assert describe_fields(inner, ("day",)) == {"day": "2024-02-29"}
