"""The text of a random file and the model that is read from it say the same of every point.

The evaluators here know nothing of calmip: each takes a text and a point, and says what the
objective is and which rows and columns the point satisfies. Files are drawn around a point, so that
points inside and outside are tried.
"""

import random
import re
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calmip.mip.defined import complete, definitions, project
from calmip.mip.files.model_files import read_model
from calmip.mip.model import Model, Number

Values = Mapping[str, Fraction]


class Said(NamedTuple):
    """What a text says of a point: the objective, each row with its value, and each column."""

    objective: Fraction
    rows: dict[str, tuple[Fraction, bool]]
    columns: dict[str, bool]


def holds(left: Fraction, relation: str, right: Fraction) -> bool:
    return left == right if relation == "=" else left <= right if "<" in relation else left >= right


# LP: one statement in a line.

LP_TOKEN = re.compile(r"[+-]|[0-9.]+(?:[eE][+-]?[0-9]+)?(?:/[0-9]+)?|[A-Za-z_]\w*|[<>=]+")


def lp_value(tokens: list[str], point: Values) -> Fraction:
    """Return the value of a sum, from the left to the right."""
    total, factor, waiting = Fraction(0), Fraction(1), False
    for token in [*tokens, "+"]:
        if token in "+-":
            total += factor if waiting else 0
            factor = (1 if waiting else factor) * Fraction(-1 if token == "-" else 1)
            waiting = False
        elif token[0].isalpha():
            total, factor, waiting = total + factor * point[token], Fraction(1), False
        else:
            factor, waiting = factor * Fraction(token), True
    return total


def lp_says(text: str, point: Values) -> Said:
    low: dict[str, Fraction | None] = {}
    high: dict[str, Fraction | None] = {}
    whole: set[str] = set()
    binary: set[str] = set()
    rows: dict[str, tuple[Fraction, bool]] = {}
    objective, section = Fraction(0), ""
    for line in text.splitlines():
        if not line.startswith(" "):
            section = line.lower()
            continue
        name, _, body = line.partition(":") if ":" in line else ("", "", line)
        tokens = LP_TOKEN.findall(body)
        if section in ("minimize", "maximize"):
            objective = lp_value(tokens, point)
        elif section == "subject to":
            parts: list[list[str]] = [[]]
            for token in tokens:
                parts = (
                    [*parts, [token], []]
                    if token[0] in "<>="
                    else [*parts[:-1], [*parts[-1], token]]
                )
            sums = [lp_value(part, point) for part in parts[::2]]
            signs = [part[0] for part in parts[1::2]]
            ok = all(holds(a, sign, b) for a, sign, b in zip(sums, signs, sums[1:], strict=False))
            letters = [any(t[0].isalpha() for t in part) for part in parts[::2]]
            at = letters.index(True) if True in letters else 0
            constant = lp_value(parts[2 * at], dict.fromkeys(point, Fraction(0)))
            rows[name.strip() or f"R{len(rows) + 1}"] = sums[at] - constant, ok
        elif section == "bounds":
            names = [token for token in tokens if token[0].isalpha() and token != "free"]
            column = names[0]
            if "free" in tokens:
                low[column] = high[column] = None
                continue
            at = tokens.index(column)
            before, after = tokens[:at], tokens[at + 1 :]
            if before:
                value = lp_value(before[:-1], {})
                ends = {"<": (low,), ">": (high,), "=": (low, high)}[before[-1][0]]
                for end in ends:
                    end[column] = value
            if after:
                value = lp_value(after[1:], {})
                ends = {"<": (high,), ">": (low,), "=": (low, high)}[after[0][0]]
                for end in ends:
                    end[column] = value
        elif section in ("generals", "binaries"):
            whole.update(tokens)
            binary.update(tokens if section == "binaries" else ())
    columns = {}
    for column, value in point.items():
        least, most = low.get(column, Fraction(0)), high.get(column)
        inside = (least is None or value >= least) and (most is None or value <= most)
        inside &= column not in binary or 0 <= value <= 1
        columns[column] = inside and (column not in whole or value.denominator == 1)
    return Said(objective, rows, columns)


# MPS


def mps_says(text: str, point: Values) -> Said:
    senses: dict[str, str] = {}
    sums: dict[str, Fraction] = {}
    right: dict[str, Fraction] = {}
    ranges: dict[str, Fraction] = {}
    whole: dict[str, bool] = {}
    low: dict[str, Fraction | None] = dict.fromkeys(point, Fraction(0))
    high: dict[str, Fraction | None] = dict.fromkeys(point)
    section, marked = "", False
    for line in text.splitlines():
        fields = line.split()
        if not line.startswith(" "):
            section = fields[0]
        elif section == "ROWS":
            senses[fields[1]], sums[fields[1]] = fields[0], Fraction(0)
        elif section == "COLUMNS" and "'MARKER'" in fields:
            marked = "'INTORG'" in fields
        elif section == "COLUMNS":
            whole[fields[0]] = marked
            for row, number in zip(fields[1::2], fields[2::2], strict=True):
                sums[row] += Fraction(number) * point[fields[0]]
        elif section in ("RHS", "RANGES"):
            kept = right if section == "RHS" else ranges
            for row, number in zip(fields[1::2], fields[2::2], strict=True):
                kept[row] = Fraction(number)
        elif section == "BOUNDS":
            kind, column = fields[0], fields[2]
            value = Fraction(fields[3]) if len(fields) > 3 else Fraction(0)
            if kind in ("LO", "FX", "LI"):
                low[column] = value
            if kind in ("UP", "FX", "UI"):
                high[column] = value
            if kind in ("MI", "FR"):
                low[column] = None
            if kind in ("PL", "FR"):
                high[column] = None
            if kind == "BV":
                low[column], high[column] = Fraction(0), Fraction(1)
            if kind in ("BV", "LI", "UI"):
                whole[column] = True
    objective = next(row for row, sense in senses.items() if sense == "N")
    rows = {}
    for row, sense in senses.items():
        if sense == "N":
            continue
        side, total = right.get(row, Fraction(0)), sums[row]
        width = ranges.get(row)
        ok = holds(total, {"E": "=", "L": "<=", "G": ">="}[sense], side)
        if width is not None and sense == "E":
            ok = min(side, side + width) <= total <= max(side, side + width)
        elif width is not None:
            ok &= abs(total - side) <= abs(width)
        rows[row] = total, ok
    columns = {}
    for column, value in point.items():
        least, most = low[column], high[column]
        inside = (least is None or value >= least) and (most is None or value <= most)
        columns[column] = inside and (not whole.get(column) or value.denominator == 1)
    return Said(sums[objective] - right.get(objective, Fraction(0)), rows, columns)


# OPB


def opb_says(text: str, point: Values) -> Said:
    rows: dict[str, tuple[Fraction, bool]] = {}
    objective = Fraction(0)
    for line in text.splitlines():
        if line.startswith("*"):
            continue
        body, goal = line.rstrip("; "), line.startswith(("min:", "max:"))
        tokens = body.partition(":")[2].split() if goal else body.split()
        relation = next((n for n, token in enumerate(tokens) if token[0] in "<>="), len(tokens))
        total = constant = Fraction(0)
        for number, literal in zip(tokens[:relation:2], tokens[1:relation:2], strict=True):
            value = point[literal.lstrip("~")]
            total += Fraction(number) * (1 - value if literal[0] == "~" else value)
            constant += Fraction(number) if literal[0] == "~" else 0
        if goal:
            objective = total
        else:
            ok = holds(total, tokens[relation], Fraction(tokens[relation + 1]))
            rows[f"R{len(rows) + 1}"] = total - constant, ok
    return Said(objective, rows, {name: value in (0, 1) for name, value in point.items()})


# Random files, each with a point near which it was drawn.


def decimal(chance: random.Random) -> str:
    return chance.choice(
        [
            "1",
            "2",
            "3",
            "7",
            "10",
            "0.5",
            "1.25",
            ".1",
            "1e-2",
            "2.5E+1",
            "0",
            "123456789.123456789",
            "1000000000000000000000/9999",
            "1/3",
        ]
    )


def plain(number: Fraction) -> str:
    """Return a number as text; a fraction where it is no short decimal."""
    return str(number) if number.denominator > 1 else str(number.numerator)


def lp_sum(chance: random.Random, names: list[str], *, constant: bool) -> str:
    """Return a sum in which a column may stand twice."""
    terms = []
    for name in chance.choices(names, k=chance.randint(1, 4)):
        number = chance.choice(["", decimal(chance) + " "])
        terms.append(f"{chance.choice(['+ ', '- ', '- - '])}{number}{name}")
    if constant and chance.random() < 0.4:
        terms.insert(chance.randint(0, len(terms)), f"{chance.choice('+-')} {decimal(chance)}")
    return " ".join(terms)


def lp_file(chance: random.Random) -> tuple[str, Values]:
    width = chance.randint(1, 5)
    names = [f"x{n}" for n in range(width)] + [f"s{n}" for n in range(chance.randint(0, 2))]
    kinds = chance.choice(["binary", "mixed"])
    point = {name: Fraction(chance.randint(0, 1)) for name in names}
    if kinds == "mixed":
        point = {name: Fraction(chance.randint(-4, 8), chance.choice([1, 1, 2])) for name in names}
    lines = [chance.choice(["Minimize", "Maximize"])]
    lines += [" o: " + lp_sum(chance, names[:width], constant=True), "Subject To"]
    last = ""
    for number in range(chance.randint(1, 4)):
        left = lp_sum(chance, names[:width], constant=True)
        at = lp_value(LP_TOKEN.findall(left), point)
        near = at + chance.choice([0, 0, 1, -1, 2, Fraction(1, 2)])
        # Without a name, a row after a sum would go on with it.
        head = chance.choice([f" c{number}:", " "]) if number and last != "left" else f" c{number}:"
        last = kind = chance.choice(["one", "one", "left", "both", "empty"])
        sign = chance.choice(["<=", ">=", "=", "<", ">", "=<", "=>"])
        body = {
            "one": f"{left} {sign} {plain(near)}",
            "left": f"{plain(near)} {sign} {left}",
            "both": f"{plain(at - 1)} <= {left} <= {plain(near + 1)}",
            "empty": f"0 {names[0]} {sign} {chance.randint(-1, 1)}",
        }[kind]
        lines.append(f"{head} {body}")
    for name in names[width:]:  # slacks and constants, as programs write them
        left = lp_sum(chance, names[:width], constant=False)
        at = lp_value(LP_TOKEN.findall(left), point)
        factor = Fraction(chance.choice([1, -1, 4, Fraction(1, 2), 3]))
        alone = chance.random() < 0.3
        total = (0 if alone else at) + factor * point[name]
        sign = "-" if factor < 0 else "+"
        lines.append(
            f" d{name}: {'' if alone else left} {sign} {plain(abs(factor))} {name} = {plain(total)}"
        )
    lines.append("Bounds")
    every = [*names, *["unused"] * (kinds == "mixed" or chance.random() < 0.3)]
    if "unused" in every:
        point["unused"] = Fraction(chance.randint(0, 2))
    for name, value in point.items():
        low, high = value - chance.choice([0, 1, 2]), value + chance.choice([0, 1, Fraction(3, 2)])
        slack = name not in names[:width]
        wide = [
            f"{name} <= {plain(high)}",
            f"{plain(low)} <= {name} <= {plain(high)}",
            f"{name} free",
            f"{name} = {plain(value)}",
            f"{plain(high)} >= {name}",
            f"{name} >= {plain(low)}\n {name} <= {plain(high)}",
        ]
        if name == "unused" or slack or kinds == "mixed" or chance.random() < 0.2:
            lines += [" " + chance.choice(wide) for _ in range(chance.choice([1, 1, 2]))]
    integers = names[:width] if kinds == "binary" else [n for n in names if chance.random() < 0.5]
    if integers:
        lines += [chance.choice(["Binaries", "Generals"]), " " + " ".join(integers)]
    return "\n".join([*lines, "End", ""]), point


def mps_file(chance: random.Random) -> tuple[str, Values]:
    names = [f"x{n}" for n in range(chance.randint(1, 5))]
    point = {name: Fraction(chance.randint(-3, 6), chance.choice([1, 1, 2])) for name in names}
    senses = {f"r{n}": chance.choice("ELGN" if n else "ELG") for n in range(chance.randint(1, 5))}
    lines = ["NAME m", "ROWS", " N cost", *(f" {sense} {row}" for row, sense in senses.items())]
    lines.append("COLUMNS")
    integers = {name for name in names if chance.random() < 0.5}
    sums = dict.fromkeys(senses, Fraction(0))
    for name in names:
        if name in integers:
            lines.append("    M 'MARKER' 'INTORG'")
        rows = [row for row in ("cost", *senses) if chance.random() < 0.6] or ["cost"]
        for row in rows:
            number = chance.choice(["", "-"]) + decimal(chance)
            if "/" in number:
                number = "0.125"
            lines.append(f"    {name} {row} {number}")
            if row in sums:
                sums[row] += Fraction(number) * point[name]
        if name in integers:
            lines.append("    M 'MARKER' 'INTEND'")
    lines.append("RHS")
    sides = {row: sums[row] + chance.choice([0, 0, 1, -1]) for row in senses if senses[row] != "N"}
    sides |= {"cost": Fraction(chance.randint(-2, 2))}
    lines += [f"    S {row} {plain(side)}" for row, side in sides.items() if chance.random() < 0.8]
    lines.append("RANGES")
    lines += [
        f"    A {row} {chance.choice(['2', '-2', '0.5', '0', '-3'])}"
        for row, sense in senses.items()
        if sense != "N" and chance.random() < 0.4
    ]
    lines.append("BOUNDS")
    point["alone"] = Fraction(1)
    for name, value in point.items():
        low, high = value - chance.choice([0, 1, 2]), value + chance.choice([0, 1, Fraction(3, 2)])
        several = [
            [("LO", low), ("UP", high)],
            [("FX", value)],
            [("MI", None), ("UP", high)],
            [("FR", None)],
            [("LO", low), ("PL", None)],
            [("BV", None)],
            [("LI", Fraction(low.__floor__())), ("UI", Fraction(high.__ceil__()))],
        ]
        for kind, end in chance.choice(several):
            lines.append(f" {kind} B {name}{'' if end is None else ' ' + plain(end)}")
    return "\n".join([*lines, "ENDATA", ""]), point


def opb_file(chance: random.Random) -> tuple[str, Values]:
    size = chance.randint(1, 6)
    point = {f"x{n}": Fraction(chance.randint(0, 1)) for n in range(1, size + 1)}
    lines = [f"* #variable= {size} #constraint= 0"]

    def terms() -> str:
        some = chance.choices(list(point), k=chance.randint(1, 4))
        return " ".join(
            f"{chance.choice(['+', '-', ''])}{chance.choice([1, 2, 3, 10**18])} "
            f"{chance.choice(['', '', '~'])}{name}"
            for name in some
        )

    if chance.random() < 0.7:
        lines.append(f"{chance.choice(['min', 'max'])}: {terms()} ;")
    for _ in range(chance.randint(1, 4)):
        left = terms()
        side = opb_says(f"min: {left} ;", point).objective + chance.choice([0, 0, 1, -1])
        lines.append(f"{left} {chance.choice(['>=', '=', '<='])} {side} ;")
    return "\n".join([*lines, ""]), point


Writer, Evaluator = Callable[[random.Random], tuple[str, Values]], Callable[[str, Values], Said]
FILES: dict[str, tuple[Writer, Evaluator]] = {
    ".lp": (lp_file, lp_says),
    ".mps": (mps_file, mps_says),
    ".opb": (opb_file, opb_says),
}


def points_near(chance: random.Random, point: Values) -> Iterator[dict[str, Fraction]]:
    """Yield the point itself, and points that differ in few columns."""
    yield dict(point)
    for _ in range(8):
        other = dict(point)
        for name in chance.choices(list(point), k=chance.randint(1, 2)):
            other[name] += chance.choice(
                [1, -1, Fraction(1, 2), Fraction(-1, 3), Fraction(1, 10**9)]
            )
        yield other


def model_says(model: Model, point: Values) -> Said:
    numbered: dict[int, Number] = {
        model.column_index[name]: value for name, value in point.items() if value
    }
    violated = {(each.kind, each.number) for each in model.violations(numbered)}
    rows = {}
    for number, name in enumerate(model.rows):
        terms, _, _ = model.exact_row(number)
        total = sum((v * Fraction(numbered.get(c, 0)) for c, v in terms.items()), Fraction(0))
        rows[name] = total, ("row", number) not in violated
    columns = {
        name: not {("bound", number), ("integrality", number)} & violated
        for number, name in enumerate(model.columns)
    }
    return Said(Fraction(model.exact_objective(numbered)), rows, columns)


def agree(suffix: str, seed: int, folder: Path) -> tuple[int, int]:
    """Compare text and model on points; return how many were inside and outside."""
    chance = random.Random(seed)
    write, says = FILES[suffix]
    text, point = write(chance)
    path = folder / f"m{suffix}"
    path.write_text(text)
    model = read_model(path)
    inside = outside = 0
    for near in points_near(chance, point):
        near = {name: near[name] for name in model.columns}
        expected, found = says(text, near), model_says(model, near)
        assert found == expected, text
        fine = all(ok for _, ok in expected.rows.values()) and all(expected.columns.values())
        inside, outside = inside + fine, outside + (not fine)
        check_projection(model, near, fine=fine)
    return inside, outside


def check_projection(model: Model, point: Values, *, fine: bool) -> None:
    """The values of the columns that rows define follow from the others at a solution."""
    part = project(model)
    gone = set(definitions(model))
    assert part.columns == tuple(n for c, n in enumerate(model.columns) if c not in gone)
    rest = {
        part.column_index[name]: value for name, value in point.items() if name in part.column_index
    }
    lifted = complete(
        model, {model.column_index[part.columns[c]]: x for c, x in rest.items()}, gone
    )
    assert fine <= (part.violated(rest) is None)
    # The projection has exactly the points that can be completed.
    assert (part.violated(rest) is None) == (model.violated(lifted) is None)
    if fine:
        named = {model.columns[column]: value for column, value in lifted.items()}
        assert named == {name: value for name, value in point.items() if value}
        assert part.exact_objective(rest) == model.exact_objective(lifted)


@pytest.mark.parametrize("suffix", FILES)
@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32))
@pytest.mark.long
def test_the_text_and_the_model_agree_on_points(
    suffix: str, seed: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    agree(suffix, seed, tmp_path_factory.mktemp("texts"))


@pytest.mark.long
@pytest.mark.parametrize("suffix", FILES)
def test_points_inside_and_outside_are_tried(suffix: str, tmp_path: Path) -> None:
    counts = [agree(suffix, seed, tmp_path) for seed in range(50)]
    assert all(sum(side) > 10 for side in zip(*counts, strict=True))


def test_files_with_columns_that_rows_define_are_among_them(tmp_path: Path) -> None:
    path, found = tmp_path / "m.lp", 0
    for seed in range(50):
        path.write_text(lp_file(random.Random(seed))[0])
        found += bool(definitions(read_model(path)))
    assert found >= 5
