"""The door of the engine: its names, and what the import of it loads."""

import ast
import os
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest
from requirements import need_library

import calmip.mip

KNAPSACK = """max
 value: 4 a + 3 b + 5 c + 2 d
st
 room: 3 a + 2 b + 4 c + d <= 6
binary
 a b c d
end
"""


def test_the_names_are_those_that_a_type_checker_sees() -> None:
    stub = Path(calmip.mip.__file__).with_suffix(".pyi").read_text(encoding="utf-8")
    seen = {
        alias.asname: node.module
        for node in ast.parse(stub).body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert seen == calmip.mip._HOMES
    assert calmip.mip.__all__ == sorted(map(str, seen))
    for name in calmip.mip.__all__:
        assert getattr(calmip.mip, name).__doc__
    assert dir(calmip.mip) == calmip.mip.__all__
    with pytest.raises(AttributeError, match=r"'calmip\.mip' has no attribute 'solve'"):
        calmip.mip.solve  # noqa: B018


def test_the_door_loads_no_puzzle_and_nothing_heavy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    need_library(monkeypatch)  # the package of HiGHS loads numpy
    path = tmp_path / "knapsack.lp"
    path.write_text(KNAPSACK)
    code = (
        "import sys; import calmip.mip as mip; before = set(sys.modules)\n"
        "assert 'calmip.mip.pool' not in before\n"
        f"model = mip.read_model({str(path)!r}); list(mip.PoolSearch(model))\n"
        "wrong = [n for n in sys.modules if n.startswith('calmip.puzzle')]\n"
        "print(wrong + [n for n in ('pulp', 'pyomo', 'numpy', 'click') if n in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_small_pool_loads_only_what_it_uses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each module takes milliseconds, of the tenth of a second that a small pool takes."""
    need_library(monkeypatch)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
    code = (
        "import sys; from calmip.mip import Goal, PoolSearch, read_arrays\n"
        "rows = dict(A=[[1] * 12], row_lower=[3], row_upper=[9], integrality=[1] * 12)\n"
        "model = read_arrays(c=range(1, 13), lower=[0] * 12, upper=[1] * 12, **rows)\n"
        "print(*[one.objective for one in PoolSearch(model, Goal(best=1))], *sys.modules)"
    )
    # Without the start-up files of packages, which load modules, too.
    command = [sys.executable, "-S", "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    cheapest, *loaded = done.stdout.split()
    assert cheapest == "6"
    own = {"constructs", "linearise", "lp.exact_lp", "files.model_builder", "files.text_source"}
    late = {"pathlib", "hashlib", "platform", "subprocess", "calmip.processes"}
    assert not {*late, *(f"calmip.mip.{name}" for name in own)}.intersection(loaded)


def test_a_pool_by_the_door(tmp_path: Path) -> None:
    path = tmp_path / "knapsack.lp"
    path.write_text(KNAPSACK)
    search = calmip.mip.PoolSearch(calmip.mip.read_model(path), calmip.mip.Goal(best=2))
    assert [solution.objective for solution in search] == [Fraction(9), Fraction(8)]
    assert search.complete
