"""All solutions of a model by its objective: options, texts, JSON, and what is refused."""

import csv
import json
import sys
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from requirements import need_package

import calmip
from calmip import InputError, Model, SolverMissing
from calmip.cli import main
from calmip.mip.status import Status
from calmip.puzzle.documents.serialise import plain_csv

KNAPSACK = """\
Maximize
 value: 5 a + 4 b + 3 c + 5 d
Subject To
 weight: 2 a + 3 b + c + 4 d <= 6
Binaries
 a b c d
End
"""

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "knapsack.lp"
    path.write_text(KNAPSACK)
    return path


def run(capsys: Capture, *arguments: object) -> tuple[int, list[str], str]:
    code = main(["enumerate", *map(str, arguments)])
    out, err = capsys.readouterr()
    return code, out.splitlines(), err


def test_the_goals_on_the_command_line(capsys: Capture, file: Path) -> None:
    code, (first, last), err = run(capsys, file, "--optimal")
    assert (code, first, err) == (0, "1. objective 12: a b c", "")
    assert last.startswith("1 solution (optimum 12, proved), proved complete (one-tree, 4 columns")
    code, (*lines, last), _ = run(capsys, file, "--gap", "20%")
    assert lines == ["1. objective 12: a b c", "2. objective 10: a d"]
    assert last.startswith(
        "2 solutions (optimum 12, proved; objectives 12 to 9.6), proved complete"
    )
    assert run(capsys, file, "--gap", "0.2")[1][:2] == lines
    assert run(capsys, file, "--within", "2")[1][:2] == lines
    code, (*lines, last), _ = run(capsys, file, "--best", "3")
    assert lines[-1] == "3. objective 9: a b"
    assert last.startswith(
        "3 solutions (objectives 12 to 9; no other equals the last), proved complete"
    )
    code, (*lines, last), _ = run(capsys, file, "--best", "99")
    assert len(lines) == 11
    assert last.startswith("11 solutions (optimum 12, proved), proved complete")


def test_limits_and_counts_on_the_command_line(capsys: Capture, file: Path) -> None:
    code, (last,), _ = run(capsys, file, "--gap", "50%", "--count")
    assert code == 0
    assert last.startswith("6 solutions (optimum 12, proved; objectives 12 to 6), proved complete")
    code, (last,), _ = run(capsys, file, "--count")
    assert last.startswith("11 solutions, proved complete")
    code, (*lines, last), _ = run(capsys, file, "--gap", "50%", "--limit", "2")
    assert (code, len(lines)) == (3, 2)
    assert "(optimum 12, proved), incomplete: solution limit reached, there may be more" in last
    code, (*lines, last), _ = run(capsys, file, "--optimal", "--node-limit", "1")
    assert code == 3
    assert "incomplete: node limit reached, there may be more or better ones" in last


def test_json_and_lines_have_the_objective(capsys: Capture, file: Path) -> None:
    code, (line,), _ = run(capsys, file, "--gap", "20%", "--format", "json")
    found = json.loads(line)
    assert code == 0
    assert {key: found[key] for key in ("goal", "optimum", "proved", "cutoff", "count")} == {
        "goal": "gap",
        "optimum": 12,
        "proved": True,
        "cutoff": 9.6,
        "count": 2,
    }
    assert found["solutions"][1] == {"objective": 10, "ones": ["a", "d"]}
    _, lines, err = run(capsys, file, "--gap", "20%", "--format", "jsonl")
    assert list(map(json.loads, lines)) == found["solutions"]
    assert "2 solutions" in err


@pytest.mark.parametrize(
    ("best", "end"),
    [
        (1, "1 solution (objectives 12 to 12; no other equals the last)"),
        (4, "4 solutions (objectives 12 to 8; others equal the last)"),
        (5, "5 solutions (objectives 12 to 8; no other equals the last)"),
    ],
)
def test_the_best_say_whether_others_equal_the_last(
    capsys: Capture, file: Path, best: int, end: str
) -> None:
    _, (*_, last), _ = run(capsys, file, "--best", best)
    assert last.startswith(f"{end}, proved complete")
    _, (line,), _ = run(capsys, file, "--best", best, "--format", "json")
    assert json.loads(line)["tied"] is ("others equal" in end)


def test_a_tie_stays_unknown_at_a_limit(capsys: Capture, file: Path) -> None:
    code, (line,), _ = run(capsys, file, "--best", 4, "--node-limit", "1", "--format", "json")
    assert (code, json.loads(line)["tied"]) == (3, None)
    _, (*_, last), _ = run(capsys, file, "--best", 4, "--node-limit", "1")
    assert "equal" not in last
    _, (line,), _ = run(capsys, file, "--optimal", "--format", "json")
    assert "tied" not in json.loads(line)


THIRDS = """\
Maximize
 value: 5 a + 4 b - 0.1 g
Subject To
 up: 3 g - a >= 0
 down: 3 f + b = 0
 some: a + b >= 1
Bounds
 -inf <= f <= 0
Binaries
 a b
End
"""


def test_csv_has_a_row_per_solution_and_exact_numbers(capsys: Capture, tmp_path: Path) -> None:
    path, output = tmp_path / "thirds.lp", tmp_path / "thirds.csv"
    path.write_text(THIRDS)
    expected = ["objective,a,b,g,f", "269/30,1,1,1/3,-1/3", "149/30,1,0,1/3,0", "4,0,1,0,-1/3"]
    assert run(capsys, path, "--within", 9, "--format", "csv")[:2] == (0, expected)
    code, out, err = run(capsys, path, "--best", 9, "-o", output)
    assert (code, out) == (0, [])
    assert f"wrote {output}" in err
    assert output.read_text().splitlines() == expected
    pool = calmip.enumerate(calmip.read_model(path), best=9)
    pool.save(output)
    assert output.read_text().splitlines() == expected
    assert run(capsys, path, "--count", "--format", "csv")[1] == expected[:1]


def test_csv_of_tilings_can_be_placed_again(capsys: Capture) -> None:
    code, (head, *rows), _ = run(capsys, "instances/tiny.yaml", "--format", "csv")
    assert (code, head, len(rows)) == (0, "labels,domino,square", 2)
    for row in csv.DictReader([head, *rows]):
        placed = f"domino:{row['domino']} square:{row['square']}"
        assert run(capsys, "instances/tiny.yaml", "--placed", placed)[1][-1].startswith("1 tiling,")


def test_distinct_columns_have_their_best_completion(capsys: Capture, file: Path) -> None:
    _, (*lines, last), _ = run(capsys, file, "--distinct", "a,b", "--within", "100")
    assert lines == [
        "1. objective 12: a b c",
        "2. objective 10: a d",
        "3. objective 8: c d",
        "4. objective 7: b c",
    ]
    assert "proved complete" in last
    assert run(capsys, file, "--distinct", "[ab]", "--within", "100")[1][:4] == lines


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--optimal", "--best", "3"], "--optimal and --best exclude each other"),
        (["--gap", "x"], "gap is a number from 0 on such as 1% or 0.01, not x"),
        (["--gap", "-1"], "gap is a number from 0 on"),
        (["--gap", "2"], "gap 2 is 200 %; for 2 percent write 2%, and for 200 percent 200%"),
        (["--gap", "1"], "gap 1 is 100 %; for 1 percent write 1%"),
        (["--gap", "9/4"], "gap 9/4 is 225 %"),
        (["--gap", "1e999999999"], "gap is a number from 0 on"),
        (["--within", "1/1e999999999"], "within is a number from 0 on"),
        (["--within", "5%"], "within is a number from 0 on such as 5 or 0.5, not 5%"),
        (["--best", "0"], "best is a number of solutions from 1 on, not 0"),
        (["--node-limit", "0"], "the node limit is a number from 1 on, not 0"),
        (["--distinct", "z*"], "no variable is named z*"),
    ],
)
def test_wrong_options_are_one_clear_line(
    capsys: Capture, file: Path, options: list[str], message: str
) -> None:
    code, out, err = run(capsys, file, *options)
    assert (code, out) == (2, [])
    assert err.count("\n") == 1
    assert message in err


def test_a_relative_gap_of_an_optimum_of_0_is_explained(capsys: Capture, tmp_path: Path) -> None:
    file = tmp_path / "even.lp"
    file.write_text("Minimize\n d: x - y\nSubject To\n r: x - y >= 0\nBinaries\n x y\nEnd\n")
    last = run(capsys, file, "--gap", "5%")[1][-1]
    assert last.startswith("2 solutions (optimum 0, proved; a relative gap of 0 is 0: use --within")
    assert run(capsys, file, "--within", "1")[1][-1].startswith("3 solutions (optimum 0, proved;")


def test_a_count_of_all_does_not_need_the_objective(capsys: Capture, tmp_path: Path) -> None:
    file = tmp_path / "ray.lp"
    rows = "Maximize\n v: z + x\nSubject To\n r: x - z <= 1\nBounds\n x <= 3\nGeneral\n x\nEnd\n"
    file.write_text(rows)
    last = run(capsys, file, "--count")[1][-1]
    assert last.startswith("4 choices of the integers, proved complete")
    assert calmip.count(calmip.read_model(file)).total == 4
    code, _, err = run(capsys, file)
    assert code == 2
    assert "the objective is unbounded: it improves without end along +1 z" in err


def test_one_pattern_may_be_a_text(file: Path) -> None:
    model = calmip.read_model(file)
    one, many = (calmip.enumerate(model, distinct=names) for names in ("[ab]", ["[ab]"]))
    assert one.solutions == many.solutions
    assert len(one) == 4


@pytest.mark.parametrize("gap", [2, 1.5, "2", 1, Fraction(7, 2)])
def test_a_gap_in_percent_without_the_sign_is_refused_in_python(file: Path, gap: Any) -> None:
    model = calmip.read_model(file)
    with pytest.raises(InputError, match=f"gap {gap} is .* for {gap} percent write {gap}%"):
        calmip.enumerate(model, gap=gap)
    percent = f"{float(gap)}%"
    assert calmip.enumerate(model, gap=percent).complete
    assert calmip.enumerate(model, gap="200%").count == calmip.enumerate(model, within=10**6).count


def test_a_puzzle_has_no_objective(capsys: Capture) -> None:
    code, _, err = run(capsys, "instances/tiny.yaml", "--optimal")
    assert code == 2
    assert "--optimal goes with a model only" in err
    with pytest.raises(InputError, match="a puzzle has no objective"):
        calmip.enumerate("instances/tiny.yaml", optimal=True)


def mixed() -> Model:
    """Return a model of an integer x, a binary y and a continuous flow f <= 2.5 y, f + x >= 3."""
    return Model.from_rows(
        ["x", "y", "f"],
        [("open", {2: 1.0, 1: -2.5}, -np.inf, 0.0), ("need", {0: 1.0, 2: 1.0}, 3.0, np.inf)],
        [2.0, 1.0, 0.1],
        column_lower=np.array([0.0, 0.0, 0.0]),
        column_upper=np.array([4.0, 1.0, np.inf]),
        integer=np.array([True, True, False]),
    )


def test_a_pool_of_a_mixed_model_in_python() -> None:
    pool = calmip.enumerate(mixed(), within=2)
    assert pool.complete
    assert pool.status is Status.FEASIBLE
    assert pool.points == ({0: 1, 1: 1, 2: 2}, {0: 2, 1: 1, 2: 1})
    assert pool.objectives == (Fraction(32, 10), Fraction(51, 10))
    assert (pool.goal, pool.optimum, pool.proved) == ("within", Fraction(16, 5), True)
    assert pool.values[0]["f"] == 2
    described = pool.describe()
    assert described["solutions"][0] == {"objective": 3.2, "values": {"x": 1, "y": 1, "f": 2}}
    assert str(pool).startswith("1. objective 3.2: x=1 y=1 f=2\n")
    everything = calmip.enumerate(mixed())
    assert everything.goal == ""
    assert len(everything) == 6
    assert "objective" not in everything.describe()["solutions"][0]


def test_contradictions_are_refused_in_python() -> None:
    with pytest.raises(InputError, match="exclude each other"):
        calmip.enumerate(mixed(), optimal=True, best=3)
    with pytest.raises(InputError, match="exclude each other"):
        calmip.enumerate(mixed(), best=3, limit=2)
    with pytest.raises(InputError, match="f is continuous"):
        calmip.enumerate(mixed(), distinct=["f"])
    with pytest.raises(InputError, match="3 is not a variable of the model"):
        calmip.enumerate(mixed(), distinct=[3])


def test_a_pool_says_what_its_solutions_share(file: Path) -> None:
    pool = calmip.enumerate(calmip.read_model(file), within=4)  # abc, ad, ab, ac and cd
    assert pool.objectives == (12, 10, 9, 8, 8)
    assert pool.backbone == {}
    assert pool.usage == {"a": 4, "b": 2, "c": 3, "d": 2}
    best = calmip.enumerate(calmip.read_model(file), optimal=True)
    assert best.backbone == {"a": 1, "b": 1, "c": 1, "d": 0}
    assert pool.difference(best) == pool.solutions[1:]
    assert best.difference(pool) == ()
    assert best.union(pool) == pool.solutions
    assert mixed_pool().backbone == {"y": 1}
    nothing = calmip.enumerate(calmip.read_model(file).with_row("no", [0], 2, 3))
    assert (nothing.backbone, nothing.most_different(3)) == ({}, ())


def mixed_pool() -> calmip.SolutionPool:
    return calmip.enumerate(mixed(), within=2)


def test_different_solutions_are_far_apart() -> None:
    model = Model.from_rows(
        [f"x{n}" for n in range(5)], [("two", dict.fromkeys(range(5), 1.0), 2, 3)]
    )
    pool = calmip.enumerate(model)
    for number in (1, 2, 3, 5):
        chosen = pool.most_different(number)
        assert len(chosen) == number
        assert sorted(chosen, key=pool.solutions.index) == list(chosen)
        widest = max(least_distance(some) for some in combinations(pool.solutions, number))
        assert least_distance(chosen) == widest
    assert pool.most_different(1000) == pool.solutions


def test_of_many_solutions_the_distance_is_at_least_half_of_the_greatest() -> None:
    columns = range(7)
    model = Model.from_rows([f"x{n}" for n in columns], [("r", dict.fromkeys(columns, 1.0), 1, 7)])
    pool = calmip.enumerate(model)
    assert len(pool) == 127
    assert least_distance(pool.most_different(2)) >= 4  # 7 is the greatest


def least_distance(points: Sequence[tuple[int, ...]]) -> int:
    return min((len({*one} ^ {*other}) for one, other in combinations(points, 2)), default=0)


def test_a_pool_is_a_data_frame() -> None:
    need_package("pandas")
    frame = mixed_pool().to_dataframe()
    assert list(frame.columns) == ["objective", "x", "y", "f"]
    assert frame.to_numpy().tolist() == [[3.2, 1, 1, 2], [5.1, 2, 1, 1]]
    tilings = calmip.enumerate("tiny")
    assert list(tilings.to_dataframe()) == ["labels", "domino", "square"]
    assert len(tilings.to_dataframe()) == len(tilings)


@pytest.mark.parametrize(
    ("table", "plain"),
    [
        ("n\n1/3\n-1/4\ninf\n", "n\n0.3333333333333333\n-0.25\ninf\n"),
        ("a,n\n1/3,1/2\nx,\n", "a,n\n1/3,0.5\nx,\n"),  # one cell is a text
        ("'=a,'b,'\"c\n'-x,'y,2024-02-29\n", "=a,'b,'\"c\n-x,'y,2024-02-29\n"),
        (f"n\n{10**400}/3\n", f"n\n{10**400}/3\n"),  # no float
        ("a,b\n", "a,b\n"),
    ],
)
def test_quotes_and_fractions_are_for_spreadsheets(table: str, plain: str) -> None:
    read, wanted = (list(csv.reader(text.splitlines())) for text in (plain_csv(table), plain))
    assert read == wanted


def test_tables_for_programs_have_names_and_numbers_as_they_are(tmp_path: Path) -> None:
    """What only spreadsheets need, and fractions, are in the file alone."""
    frames, arrow = need_package("pandas"), need_package("pyarrow")
    path = tmp_path / "third.lp"
    path.write_text("min\n x + @y\nst\n 3 x + 3 @y >= 1\nbounds\n x <= 4\nbinary\n @y\nend\n")
    pool = calmip.enumerate(path, best=2)
    assert [one["x"] for one in pool.values] == [Fraction(1, 3), 0]
    pool.save(tmp_path / "pool.csv")
    assert (tmp_path / "pool.csv").read_text() == "objective,x,'@y\n1/3,1/3,0\n1,0,1\n"
    for table in (arrow.table(pool).to_pandas(), pool.to_dataframe()):
        assert isinstance(table, frames.DataFrame)
        assert table.to_dict("list") == {"objective": [1 / 3, 1], "x": [1 / 3, 0], "@y": [0, 1]}


def test_without_pandas_there_is_one_clear_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(SolverMissing, match="pip install pandas"):
        mixed_pool().to_dataframe()


def test_tables_are_streams_of_arrow(tmp_path: Path) -> None:
    """What ``-o x.csv`` writes, with the types of its columns."""
    arrow = need_package("pyarrow")
    pool = mixed_pool()
    table = arrow.table(pool)
    assert table.column_names == ["objective", "x", "y", "f"]
    assert table.to_pydict() == {
        "objective": [3.2, 5.1],
        "x": [1, 2],
        "y": [1, 1],
        "f": [2, 1],
    }
    year = arrow.table(calmip.year("a-puzzle-a-day"))
    assert year.num_rows == 372
    assert sum(year["tilings"].to_pylist()) == 25_061
    need_package("pandas")
    frame = calmip.year("a-puzzle-a-day").to_dataframe()
    assert frame.to_dict("list") == year.to_pydict()


def test_without_pyarrow_or_a_table_there_is_one_clear_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with pytest.raises(InputError, match="a Hint without a table is not an Arrow stream"):
        calmip.hint("tiny").__arrow_c_stream__()
    with pytest.raises(InputError, match="a Hint without a table is not a data frame"):
        calmip.hint("tiny").to_dataframe()
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(SolverMissing, match="pip install pyarrow"):
        mixed_pool().__arrow_c_stream__()
