"""Model counters and solvers of others count the exported files as the proofs do."""

from pathlib import Path

import pytest
from requirements import missing

from calmip.proofs.logs import proof_text
from calmip.puzzle.cover import ExactCover
from calmip.puzzle.documents.reader import read_instance
from calmip.puzzle.files.cover_files import cover_parts

INSTANCES = Path(__file__).parents[2] / "instances"


def clauses_of(cover: ExactCover) -> tuple[list[list[int]], int]:
    """Return the clauses and the number of variables of the exported formula."""
    lines = "".join(cover_parts(cover, ".cnf", ())).splitlines()
    head = next(line for line in lines if line.startswith("p cnf"))
    clauses = [[*map(int, line.split()[:-1])] for line in lines if line[0] not in "cp"]
    return clauses, int(head.split()[2])


def ganak(cover: ExactCover) -> int:
    from pyganak import Counter

    clauses, variables = clauses_of(cover)
    counter = Counter()
    counter.new_vars(variables)
    counter.add_clauses(clauses)
    return int(counter.count())


def d4(cover: ExactCover) -> int:
    import py_d4

    clauses, variables = clauses_of(cover)
    return int(py_d4.Solver(clauses, variables).count().getResult())


def sat(cover: ExactCover) -> int:
    from pysat.solvers import Solver

    clauses, _ = clauses_of(cover)
    with Solver(name="cadical153", bootstrap_with=clauses) as solver:
        return sum(1 for _ in solver.enum_models())


def xcover(cover: ExactCover) -> int:
    from xcover import covers

    # It knows no demands, so equal pieces are told apart: every picture appears in each order.
    rows = [cover.items_of(number) for number in range(cover.columns)]
    return sum(1 for _ in covers(rows))


# What numba says of the code of xcover, in bold where colorama is installed.
pytestmark = pytest.mark.filterwarnings(r"ignore:.*unsafe cast from uint64 to uint32")

WITNESSES = {"pyganak": ganak, "py_d4": d4, "pysat": sat, "xcover": xcover}


def counted(name: str, cover: ExactCover) -> int:
    try:
        return WITNESSES[name](cover)
    except ImportError:
        missing(name)
        raise


@pytest.mark.parametrize("name", list(WITNESSES))
def test_small_covers(name: str, small: tuple[ExactCover, int]) -> None:
    cover, number = small
    if name == "xcover" and max(cover.demand) > 1:
        pytest.skip("xcover knows no demands")
    assert counted(name, cover) == number


@pytest.mark.parametrize("name", list(WITNESSES))
def test_a_small_puzzle(name: str) -> None:
    cover = ExactCover(read_instance(INSTANCES / "tiny.yaml"))
    assert counted(name, cover) == proof_text(cover)[1].tilings == 2


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "number"),
    [("feb29", 64), ("christmas", 92), ("apr24", 26), ("dead-corner", 0), ("no-flip-dec29", 0)],
)
@pytest.mark.parametrize("name", ["pysat", "xcover"])
def test_whole_dates(name: str, file: str, number: int) -> None:
    cover = ExactCover(read_instance(INSTANCES / f"{file}.yaml"))
    assert counted(name, cover) == number
