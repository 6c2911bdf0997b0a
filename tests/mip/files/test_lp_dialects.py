"""What LP files may say, what it means, and what is refused."""

import gzip
from pathlib import Path

import numpy as np
import pytest

from calmip._base.errors import InputError
from calmip.mip.defined import project
from calmip.mip.files.model_files import read_model
from calmip.mip.model import Model

BINARIES = "Binaries\n x y z\nEnd\n"


def lp(rows: str, head: str = "Minimize\n obj: x\nSubject To\n", tail: str = BINARIES) -> str:
    return f"{head}{rows}\n{tail}"


def ended(body: str) -> str:
    return lp("c: x = 1", tail=body + "End\n")


def shown(model: Model) -> str:
    """Return a model as text: one row per line, then the cost.

    A binary model has rows for the bounds that fix a column, and none of the columns that its rows
    define.
    """
    model = project(model)
    model = model.as_binary() if model.binary else model

    def total(values: np.ndarray, columns: np.ndarray) -> str:
        terms = zip(values.tolist(), columns.tolist(), strict=True)
        return " + ".join(f"{v:g} {model.columns[c]}" for v, c in terms)

    said = []
    for number, name in enumerate(model.rows):
        part = slice(model.start[number], model.start[number + 1])
        middle = total(model.value[part], model.index[part])
        said.append(f"{name}: {model.lower[number]:g} <= {middle} <= {model.upper[number]:g}")
    costed = np.flatnonzero(model.cost)
    return "\n".join([*said, f"min {total(model.cost[costed], costed)}"])


MIN = "\nmin 1 x"
DIALECTS = {
    "plain": (lp(" c: x + y = 1"), "c: 1 <= 1 x + 1 y <= 1" + MIN),
    "no blanks": (lp("c:x+y-2z<=1"), "c: -inf <= 1 x + 1 y + -2 z <= 1" + MIN),
    "numbers": (lp("c: 3x + 1.5 y + .5 z >= 1e0"), "c: 1 <= 3 x + 1.5 y + 0.5 z <= inf" + MIN),
    "signs": (lp("c: - x + - - y - -2 z = - 1"), "c: -1 <= -1 x + 1 y + 2 z <= -1" + MIN),
    "times": (lp("c: 2 * x = 1"), "c: 1 <= 2 x <= 1" + MIN),
    "twice": (lp("c: x + z + x - z = 1"), "c: 1 <= 2 x <= 1" + MIN),
    "range": (lp("c: 1 <= x + y <= 2"), "c: 1 <= 1 x + 1 y <= 2" + MIN),
    "range down": (lp("c: 2 >= x + y >= 1"), "c: 1 <= 1 x + 1 y <= 2" + MIN),
    "range and constant": (lp("c: 1 <= x + 5 + y <= 7"), "c: -4 <= 1 x + 1 y <= 2" + MIN),
    "open range": (lp("c: -inf <= x + y <= 2"), "c: -inf <= 1 x + 1 y <= 2" + MIN),
    "left side": (lp("c: 1 <= x + y"), "c: 1 <= 1 x + 1 y <= inf" + MIN),
    "constants": (lp("c: 3 + x + y - 1 = 4"), "c: 2 <= 1 x + 1 y <= 2" + MIN),
    "no names": (
        lp("x + y = 1\n - x + z >= 0\nz - y <= + 1"),
        "R1: 1 <= 1 x + 1 y <= 1\nR2: 0 <= -1 x + 1 z <= inf\nR3: -inf <= -1 y + 1 z <= 1" + MIN,
    ),
    "one line": (lp("a: x = 1 b: y <= 1"), "a: 1 <= 1 x <= 1\nb: -inf <= 1 y <= 1" + MIN),
    "broken": (lp("c: x\n + y\n = 1 \\ +\n\\ d: x = 1"), "c: 1 <= 1 x + 1 y <= 1" + MIN),
    "relations": (
        lp("a: x =< 1\nb: y => 1\nc: z < 1\nd: x > 0"),
        "a: -inf <= 1 x <= 1\nb: 1 <= 1 y <= inf\nc: -inf <= 1 z <= 1\nd: 0 <= 1 x <= inf" + MIN,
    ),
    "maximise": (
        lp("c: x + y = 1", "MAXIMISE\n x - 2 y + 7\nsuch that\n"),
        "c: 1 <= 1 x + 1 y <= 1\nmin -1 x + 2 y",
    ),
    "no objective": (lp("c: x = 1", "min: \nst\n"), "c: 1 <= 1 x <= 1\nmin "),
    "short words": (
        lp("c: x = 1", "max obj: x\ns.t.\n", "bin x\nend"),
        "c: 1 <= 1 x <= 1\nmin -1 x",
    ),
    "rows behind the word": (
        lp("", "min x\nst c: x = 1\n d: y >= 0"),
        "c: 1 <= 1 x <= 1\nd: 0 <= 1 y <= inf" + MIN,
    ),
    "bounds": (
        lp("c: x + y = 1", tail="Bounds\n 0 <= x <= 1\n y <= 1\nGenerals\n x y\nEnd\n"),
        "c: 1 <= 1 x + 1 y <= 1" + MIN,
    ),
    "wide bounds": (
        lp("c: x + y = 1", tail="Bounds\n x free\n -2 <= y <= 1e30\nBinary\n x\n y\nEnd\n"),
        "c: 1 <= 1 x + 1 y <= 1" + MIN,
    ),
    "bounds that are not whole": (
        ended("Bounds\n -0.5 <= x <= 1.5\nGeneral\n x\n"),
        "c: 1 <= 1 x <= 1" + MIN,
    ),
    "fixed": (
        lp("c: x + y = 1", tail="Bounds\n x = 0\nBinaries\n x y\nEnd\n"),
        "c: 1 <= 1 x + 1 y <= 1\nfix_x: 0 <= 1 x <= 0" + MIN,
    ),
    "constant": (
        lp("c: x + 2 one = 3", tail="Bounds\n one = 1\nBinaries\n x\nEnd\n"),
        "c: 1 <= 1 x <= 1" + MIN,
    ),
    "constants other than 1": (
        lp(
            "c: x + 2 two + y = 7",
            "Minimize\n obj: x + 5 two\nSubject To\n",
            "Bounds\n two = 3\nBinaries\n x y\nEnd\n",
        ),
        "c: 1 <= 1 x + 1 y <= 1" + MIN,
    ),
    "bounds on the left": (
        lp("c: x + y = 1", tail="Bounds\n 1 <= x\n 0 >= y\nBinaries\n x y\nEnd\n"),
        "c: 1 <= 1 x + 1 y <= 1\nfix_x: 1 <= 1 x <= 1\nfix_y: 0 <= 1 y <= 0" + MIN,
    ),
    "odd names": (
        lp("c: x[1,2] + st + b(3) = 1", tail="Binaries\n x x[1,2] st\n b(3)\nEnd\n"),
        "c: 1 <= 1 x[1,2] + 1 st + 1 b(3) <= 1" + MIN,
    ),
    "words inside": (
        lp("c: x +\n st\n + bin >= 0", tail="Binaries\n x st bin\nEnd\n"),
        "c: 0 <= 1 x + 1 st + 1 bin <= inf" + MIN,
    ),
    "rows with the names of sections": (
        lp("st: x = 1\nbounds: y = 1\nend: x >= 0"),
        "st: 1 <= 1 x <= 1\nbounds: 1 <= 1 y <= 1\nend: 0 <= 1 x <= inf" + MIN,
    ),
    "rows of names that solvers write": (
        lp("1: x = 1\n0_r: y = 1\nC_==_1: x + 2 y\n >= 1\na-b+c :x >= 0\n2.5: z <= 3"),
        "1: 1 <= 1 x <= 1\n0_r: 1 <= 1 y <= 1\nC_==_1: 1 <= 1 x + 2 y <= inf\n"
        "a-b+c: 0 <= 1 x <= inf\n2.5: -inf <= 1 z <= 3" + MIN,
    ),
    "a number before the next row": (
        lp("3 >= x + 1\n25: y <= 1\n3 >= x + 1\nd: y <= 1"),
        "R1: -inf <= 1 x <= 2\n25: -inf <= 1 y <= 1\nR3: -inf <= 1 x <= 2\nd: -inf <= 1 y <= 1"
        + MIN,
    ),
    "empty sections": (
        ended("Bounds\nBinaries\n x\nSemi-continuous\nSOS\n"),
        "c: 1 <= 1 x <= 1" + MIN,
    ),
}


@pytest.mark.parametrize("name", DIALECTS)
def test_lp_files_mean_what_they_say(name: str, tmp_path: Path) -> None:
    text, meaning = DIALECTS[name]
    for data in (text, text.replace("\n", "\r\n"), "\\ comment\n\n" + text + "\n\\ end\n"):
        (tmp_path / "m.LP").write_bytes(data.encode())
        assert shown(read_model(tmp_path / "m.LP")) == meaning


def test_a_constant_of_the_objective_is_noted(tmp_path: Path) -> None:
    path = tmp_path / "m.lp"
    head = "Minimize\n obj: x + 5 two - 1\nSubject To\n"
    path.write_text(lp("c: x = 1", head, "Bounds\n two = 3\nBinaries\n x\nEnd\n"))
    model = read_model(path)
    assert (model.offset, model.exact_objective({0: 1, 1: 3})) == (-1, 15)
    assert project(model).offset == 14


FAULTS = [
    ("hello\n", "m.lp:1: starts with 'hello'; an LP file starts with Minimize"),
    (lp("c: x + y = 1")[:-5], "m.lp:6: is cut: 'End' is missing"),
    (lp("c: x + y = 1") + "more\n", "m.lp:8: found 'more' after End"),
    (lp("c: x\n + y"), "m.lp:5: found the end of the section, not a relation"),
    (lp("c: x + y = "), "not a number"),
    (lp("c: x + y = z"), "m.lp:4: found 'z', not a number .variables stand on the left"),
    (lp("c: x = 1 + y"), "m.lp:4: found '.', not the end of the row"),
    (lp("c: x = 1 y"), "m.lp:4: found 'y', not the end of the row"),
    (lp("c: nan x + y = 1"), "m.lp:4: found 'x', not a relation"),
    (lp("c: x + 1e999 y = 1"), "m.lp:4: found '1e999'"),
    (lp("c: x + y = 1\nc: x = 0"), "m.lp:5: a second row is called 'c'"),
    (lp("c: x + [ x ^ 2 ] <= 1"), "quadratic terms are not read"),
    (lp("c: x ^ 2 <= 1"), "powers are not read"),
    (lp("c: x * y <= 1"), "not a linear term"),
    (lp("c: 2 * 3 <= 1"), "not a variable"),
    (lp("c: x >= 1 -> y <= 1"), "found '->', not the end of the row"),
    (lp("c: x = 2 -> y <= 1"), "found '2', not 0 or 1, before '->'"),
    (lp("c: v = 1 -> y <= 1"), "indicator constraint 'c': its variable 'v' is not binary"),
    (lp("c: x = 1 <-> v <= 1"), "equivalence 'c': its row has the continuous variable 'v'"),
    (lp("c: x = 1 <- v <= 1"), "only-if constraint 'c': its row has the continuous variable 'v'"),
    (lp("c: x = 2 <-> y <= 1"), "found '2', not 0 or 1, before '<->'"),
    (lp("c: x >= 1 <= 2"), "not the end of the row"),
    (lp("c: 1 <= x >= 2"), "mixes its relations"),
    (lp("c: x >= 1e30"), "lies between inf and inf"),
    (lp("c: 1 <= 2"), "has no variables"),
    (lp("c: x . = 1"), "m.lp:4: cannot make sense of '. = 1'"),
    (ended("Bounds\n x >= 1e20\n"), "variable 'x' has no finite value: it is a number from inf"),
    (ended("Bounds\n x\nBinaries\n x\n"), "found the end of the section, not a relation or 'free'"),
    (ended("Bounds\n x\n x free\n"), "m.lp:7: found 'x', not a relation or 'free'"),
    (ended("Bounds\n 1 <= 2\nBinaries\n x\n"), "found '2', not a variable"),
    (ended("Binaries\n x 3\n"), "found '3', not a variable"),
    (
        ended("Binaries\n x\nSOS1\n s: x:1\n"),
        "special ordered sets under other headings than SOS are not read: found 's: x:1'",
    ),
    (lp("s: S1:: x:1"), r"m.lp:4: special ordered sets stand under the heading SOS"),
    (ended("SOS\n x:1 y:2\n"), "m.lp:6: found 'x', not a set such as s1: S1 :: x:1 y:2"),
    (ended("SOS\n s: S1 :: x:1 z:2\n"), "'s': there is no variable 'z' in the rows"),
    (ended("SOS\n s: S1 :: x:1 x:2\n"), "'s' has a variable twice"),
    (ended("Bounds\n y <= 1\nSOS\n s: S2 :: x:1 y:1\n"), "'s' has two equal weights"),
    (
        ended("Bounds\n 1 <= y\nSemi\n y\n"),
        "semi-continuous variable 'y' has no linear form: the variable 'y' has no finite bound, "
        "because 'y' has no upper bound",
    ),
    (
        ended("Bounds\n y <= 9\nGeneral constraints\n m: x = MAX(y, z)\n"),
        "'m': there is no variable 'z'",
    ),
    (ended("General constraints\n m: x = ABS ( x, y )\n"), "'m' has 2 arguments"),
    (
        ended("General constraints\n m: x = NORM ( y )\n"),
        "general constraints 'NORM' are not read, only MAX, MIN",
    ),
    (ended("General constraints\n m: x = ABS ( y , y )\n"), "'m' has 2 arguments"),
    (ended("General constraints\n m: x = MAX ( y\n"), "found the end of the section, not ',' or"),
    (
        ended("Bounds\n y <= 1\nGeneral constraints\n m: x = PWL ( y ) : (1, 2) (1, 3)\n"),
        "has at least two points, whose arguments ascend without a jump",
    ),
    ("Minimize\n obj: 0\nSubject To\nEnd\n", "has no variables"),
]


@pytest.mark.parametrize(("text", "fault"), FAULTS, ids=[fault for _, fault in FAULTS])
def test_faults_are_said(text: str, fault: str, tmp_path: Path) -> None:
    for name, data in (("m.lp", text.encode()), ("m.lp.gz", gzip.compress(text.encode()))):
        (tmp_path / name).write_bytes(data)
        with pytest.raises(InputError, match=fault.replace("m.lp:", f"{name}:")):
            read_model(tmp_path / name)
