"""Small files that ask for much: each is refused in a sentence before anything is made for it."""

import tracemalloc
from pathlib import Path

import pytest

import calmip
from calmip.cli import main

DIGITS = "1" * 5000
NEST = "[" * 100_000
LP = "min\n o: x\nst\n c: x >= 1\nend\n"
MPS = (
    "NAME m\nROWS\n N o\n G c\nCOLUMNS\n x o 1 c 1\nRHS\n R c 1\nRANGES\n A c 1\nBOUNDS\n"
    " UP B x 4\nENDATA\n"
)

MODELS = {
    "declared.opb": "* #variable= 2000000000 #constraint= 1\n+1 x1 >= 1 ;\n",
    "declared digits.opb": f"* #variable= {DIGITS} #constraint= 1\n+1 x1 >= 1 ;\n",
    "coefficient.opb": f"+{DIGITS} x1 >= 1 ;\n",
    "side.opb": f"+1 x1 >= {DIGITS} ;\n",
    "declared.cnf": "p cnf 99999999 1\n1 0\n",
    "a million.cnf": "p cnf 1000000 1\n1 0\n",
    "declared digits.cnf": f"p cnf {DIGITS} 1\n1 0\n",
    "clauses.cnf": f"p cnf 1 {DIGITS}\n1 0\n",
    "literal.cnf": f"p cnf 2 1\n{DIGITS} 0\n",
    "multiplicity.dlx": f"{DIGITS}|a b\na b\n",
    "coefficient.lp": LP.replace("x >= 1", DIGITS + " x >= 1"),
    "cost.lp": LP.replace("o: x", f"o: {DIGITS} x"),
    "side.lp": LP.replace(">= 1", ">= 0." + DIGITS),
    "exponent.lp": LP.replace("c: x", "c: 1e999999999 x"),
    "small exponent.lp": LP.replace("c: x", "c: 1e-999999999 x"),
    "denominator.lp": LP.replace(">= 1", ">= 1/" + DIGITS),
    "bound.lp": LP.replace("end", f"bounds\n x <= {DIGITS}\nend"),
    "coefficient.mps": MPS.replace("c 1\nRHS", f"c {DIGITS}\nRHS"),
    "side.mps": MPS.replace("R c 1", f"R c {DIGITS}"),
    "range.mps": MPS.replace("A c 1", f"A c {DIGITS}"),
    "bound.mps": MPS.replace("x 4", "x 1D999999999"),
    "denominator.mps": MPS.replace("x 4", f"x 1/{DIGITS}"),
}
ANSWERS = {
    "list": f"x {DIGITS}\n",
    "exponent": "x 1e999999999\n",
    "Gurobi": f'{{"SolutionInfo":{{"Status":"2"}},"Vars":[{{"VarName":"x","X":{DIGITS}}}]}}',
    "Gurobi's status": f'{{"SolutionInfo":{{"Status":"{DIGITS}"}}}}',
    "calmip": f'{{"status":"optimal","solution":{{"values":{{"x":{DIGITS}}}}}}}',
    "calmip's fraction": f'{{"status":"optimal","solution":{{"values":{{"x":"1/{DIGITS}"}}}}}}',
    "JSON": '{"a":' + NEST,
    "XML": "<CPLEXSolution>" + "<a>" * 100_000,
    "CPLEX": f'<CPLEXSolution><variable name="x" value="{DIGITS}"/></CPLEXSolution>',
    "HiGHS": "Model status\nOptimal\n\n# Primal solution values\nFeasible\nObjective 1\n"
    f"# Columns {DIGITS}\nx 1\n",
    "HiGHS, many": "Model status\nOptimal\n\n# Primal solution values\nFeasible\nObjective 1\n"
    "# Columns 999999999\nx 1\n",
    "CBC": f"Optimal - objective value {DIGITS}\n 0 x 1 0\n",
    "SCIP": f"solution status: optimal\nobjective value: {DIGITS}\nx 1 (obj:1)\n",
    "GLPK": f"Problem:\nColumns: {DIGITS}\nStatus: INTEGER OPTIMAL\nObjective: o = 1\n"
    "   No. Column name\n-- --\n 1 x * 1\n\nEnd of output\n",
    "GLPK, raw": f"c Status: x\ns mip 1 1 o 1\nj {DIGITS} 1\ne o f\n",
    "Xpress": f"NAME x\n C x {DIGITS}\nENDATA\n",
}
DOCUMENTS = {
    "lists.yaml": "a: " + "[" * 5000,
    "mappings.yaml": "{a: " * 5000,
    "label.yaml": f"puzzle: a-puzzle-a-day\nreveal: {{day: {DIGITS}}}\n",
    "many.yaml": "a: [" + "1, " * 200_000 + "1]\n",
}
MAX_PEAK_BYTES = 100 * 2**20


def refuses(words: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """Return the one sentence of an error, which little memory was needed for."""
    tracemalloc.start()
    try:
        code = main(words)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    found = capsys.readouterr()
    assert code == 2, found.out
    assert peak < MAX_PEAK_BYTES
    assert len(found.err) < 500
    assert "bug" not in found.err
    return found.err


@pytest.mark.parametrize("name", MODELS)
def test_a_model_that_asks_for_much(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / name
    path.write_text(MODELS[name])
    assert str(path) in refuses(["solve", str(path)], capsys)
    if path.suffix in (".lp", ".mps"):
        assert main(["check", str(path)]) == 1  # the linter says so, too
        assert len(capsys.readouterr().out) < 1000


@pytest.mark.parametrize("name", ANSWERS)
def test_an_answer_that_asks_for_much(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "m.lp").write_text(LP)
    path = tmp_path / "m.sol"
    path.write_text(ANSWERS[name])
    assert str(path) in refuses(["check", str(tmp_path / "m.lp"), str(path)], capsys)


@pytest.mark.parametrize("name", DOCUMENTS)
@pytest.mark.long
def test_a_document_that_asks_for_much(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / name
    path.write_text(DOCUMENTS[name])
    refuses(["solve", str(path)], capsys)


PROOFS = {
    "nested": "[" * 100_000,
    "digits": f'{{"tree": [["none", [[{DIGITS}, 1]]]], "solutions": {DIGITS}}}',
    "deep": '{"tree": ' + "[" * 900 + "]" * 900 + ', "solutions": 0}',
}


@pytest.mark.trade("proofs")
@pytest.mark.parametrize("name", PROOFS)
def test_a_proof_that_asks_for_much(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "model.opb").write_text(
        "* #variable= 1 #constraint= 1\n* x1 = x\n* c\n+1 x1 >= 1 ;\n"
    )
    (tmp_path / "proof.json").write_text(PROOFS[name])
    assert main(["prove", "check", str(tmp_path)]) == 4  # it is refused
    assert "bug" not in capsys.readouterr().err


def test_the_columns_of_an_opb_file_are_those_in_use(tmp_path: Path) -> None:
    path = tmp_path / "m.opb"
    path.write_text("+1 x2000000000 +2 x3 >= 1 ;\n")
    model = calmip.read_model(path)
    assert model.columns == ("x3", "x2000000000")
    assert calmip.count(model).total == 3
    path.write_text(f"+1 x{DIGITS} >= 1 ;\n")
    assert calmip.solve(calmip.read_model(path)).status == "feasible"
    # Its first line declares columns that no row has.
    path.write_text("* #variable= 4 #constraint= 1\n+1 x2 >= 1 ;\n")
    assert calmip.read_model(path).columns == ("x1", "x2", "x3", "x4")
    (tmp_path / "m.cnf").write_text("p cnf 4 1\n2 0\n")
    assert calmip.count(calmip.read_model(tmp_path / "m.cnf")).total == 8


@pytest.mark.long
def test_a_long_clause_has_no_pairs_made(tmp_path: Path) -> None:
    path = tmp_path / "m.cnf"
    size = 20_000
    path.write_text(f"p cnf {size} 2\n{' '.join(map(str, range(1, size + 1)))} 0\n-1 -2 0\n")
    tracemalloc.start()
    try:
        model = calmip.read_model(path)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert model.rows == ("R1", "R2")
    assert peak < MAX_PEAK_BYTES
