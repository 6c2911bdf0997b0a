"""Solution files, whatever solver wrote them: known by their content."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from calmip.formats.reading import TextFile, quoted, read_source
from calmip.formats.solutions.structured import (
    is_cplex,
    is_gurobi_json,
    read_cplex,
    read_gurobi_json,
)
from calmip.formats.solutions.texts import (
    Claim,
    SolutionFile,
    is_cbc,
    is_glpk_raw,
    is_glpk_text,
    is_list,
    is_pretty,
    is_raw,
    is_scip,
    is_slx,
    read_cbc,
    read_glpk_raw,
    read_glpk_text,
    read_list,
    read_pretty,
    read_raw,
    read_scip,
    read_slx,
)

__all__ = ["Claim", "SolutionFile", "read_solution", "solution_in"]

KNOWN = (
    "HiGHS (raw, pretty, sparse, glpsol styles), CBC, SCIP, Gurobi (.sol, .json), COPT, CPLEX XML, "
    "Xpress .slx, GLPK (-o, -w), MIPLIB"
)

# Whether a first line (of those that are not blank) is of a format -> its reader.
READERS: tuple[tuple[Callable[[str], bool], Callable[[TextFile], SolutionFile]], ...] = (
    (is_raw, read_raw),
    (is_pretty, read_pretty),
    (is_cbc, read_cbc),
    (is_scip, read_scip),
    (is_cplex, read_cplex),
    (is_gurobi_json, read_gurobi_json),
    (is_glpk_text, read_glpk_text),
    (is_slx, read_slx),
    (is_list, read_list),
)


def read_solution(path: Path, columns: Sequence[str] | None = None) -> SolutionFile:
    """Read a solver's solution file; its format is known from its content.

    Known are the files of HiGHS (raw, pretty, sparse, and its two in GLPK's
    manner), CBC, SCIP, Gurobi (``.sol`` and ``.json``), COPT, CPLEX (XML),
    Xpress (``.slx``), GLPK (``-o`` and ``-w``) and MIPLIB, each also
    compressed by gzip.

    Parameters
    ----------
    path
        The file.
    columns
        The names of the model's columns in the order of the model file, for
        GLPK's ``-w``, which numbers them.

    Raises
    ------
    InputError
        If the file cannot be read, is of no known format, is cut or holds
        more than one solution, or a value is no finite number or comes twice;
        with the line.
    """
    source = read_source(path)
    found = solution_in(source, columns)
    if found.claim in ("optimal", "feasible") and not found.values:
        # Many formats leave out zeros, but no puzzle is solved by zeros alone.
        raise source.error(f"says '{found.detail or found.claim}' and gives no values; is it cut?")
    return found


def solution_in(source: TextFile, columns: Sequence[str] | None = None) -> SolutionFile:
    """Return what the lines of a solution file say; see `read_solution`.

    A solution of zeros alone is one here: models that are no puzzles have it.

    Raises
    ------
    InputError
        As `read_solution` does.
    """
    first = next(line.strip() for line in source.lines if line.strip())
    if is_glpk_raw(first):
        return read_glpk_raw(source, columns)
    for recognises, read in READERS:
        if recognises(first):
            return read(source)
    hint = ""
    if "Number of columns and rows for primal or dual solution" in first:
        hint = "; HiGHS's old raw style names no columns: write it with write_solution_style 0"
    raise source.error(f"starts with {quoted(first)}, which no known format does: {KNOWN}{hint}")
