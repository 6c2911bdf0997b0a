"""The figures that runexec prints: with the unit of each, or they are none."""

from __future__ import annotations

import pytest

from calmip._base.errors import SolverFailed
from calmip.bench.benchexec import _number


@pytest.mark.parametrize(
    ("name", "text", "output", "found"),
    [
        ("walltime", "1.5s", "", 1.5),
        ("memory", "4096B", "", 4096.0),
        ("walltime", "1.5", "", "runexec prints walltime=1.5"),
        ("memory", "4096s", "", "runexec prints memory=4096s"),
        ("cputime", "nans", "", "runexec prints cputime=nans"),
        ("memory", "", "log\nx - WARNING - No cgroups.\n", "measured no memory: No cgroups"),
        ("memory", "", "one\nlast\n", "measured no memory: last"),
        ("memory", "", "", "measured no memory: it prints nothing"),
    ],
)
def test_a_figure_is_a_number_with_its_unit(
    name: str, text: str, output: str, found: float | str
) -> None:
    printed = {name: text} if text else {}
    if isinstance(found, float):
        assert _number(printed, name, output) == found
        return
    with pytest.raises(SolverFailed, match=found):
        _number(printed, name, output)
