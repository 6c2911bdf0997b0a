"""Model files by their suffix, written and read.

The readers are calmip's own, as solvers accept faulty files: HiGHS 1.15 reads the coefficient
``abc`` as 0, and a file cut within COLUMNS as a smaller model.

``.solu`` files, as in MIPLIB and SCIP, have the known answers of the model files beside them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from calmip._base.errors import InputError, clip, join_words
from calmip._base.files import bare_suffix, suffix_of, write_text
from calmip._base.registry import View
from calmip.mip.display import quote
from calmip.mip.files.registry import FORMATS
from calmip.mip.files.text_source import MAX_BYTES, TextFile, parse_number, read_source
from calmip.mip.model import Model

READERS = View(FORMATS, lambda _, one: one.model)
"""The suffixes of files that are read."""

YAML = (".yaml", ".yml")
"""The suffixes of puzzles and instances, which no format has."""


def read_model(path: str | Path, *, integer_default: float | None = None) -> Model:
    """Return the model in a file, which may be compressed by gzip, bzip2 or xz.

    LP, MPS and NL files hold any mixed-integer linear model, OPB, CNF and DLX files binary ones.

    ``cost`` is minimised; ``maximise`` and ``offset`` have the file's sense and constant. Rows
    without a name are called R1, R2, ...

    Parameters
    ----------
    path
        A file whose name ends in ``.mps``, ``.lp``, ``.nl``, ``.mof.json``, ``.opb``, ``.cnf`` or
        ``.dlx``, with or without ``.gz``, ``.bz2`` or ``.xz``.
    integer_default
        The upper bound, 1 or infinity, of an integer variable without bounds in an MPS file;
        solvers differ. Without it such a file is refused. Other formats have their own default.

    Raises
    ------
    InputError
        If the file cannot be read, is cut or not valid, or is not a linear model. The
        error has the line if it is known.
    """
    file = Path(path)
    language = bare_suffix(file)
    if language in FORMATS and FORMATS[language].convert:
        raise InputError(
            "is a program in a modelling language; write its model as an MPS or LP file first: "
            + FORMATS[language].convert.format(
                clip(file.name[: file.name.lower().rindex(language)], 100)
            ),
            path=clip(file, 200),
        )
    suffix, _ = suffix_of(file, READERS, read=True)
    _, read = READERS[suffix]()
    if integer_default not in (None, 1, math.inf):
        raise InputError(f"the integer default is 1 or inf, not {integer_default}")
    # Some programs write an objective, or a row, on one line.
    text = read_source(file, longest=MAX_BYTES)
    source = replace(text, integer_default=integer_default)
    return read(source).changed(source=str(path))


def is_model(path: Path) -> bool:
    """Return whether a file's name is that of a model that `read_model` reads."""
    suffix = bare_suffix(path)
    return suffix not in YAML and suffix in READERS


KINDS = {
    ".cnf": r"p\s+cnf\s.*",
    ".mps": r"(?:NAME|ROWS|OBJSENSE|OBJNAME)(?:\s.*)?",
    ".opb": r"\*\s*#variable=.*|(?:min|max):.*|(?:[^*].*)?;\s*",
    ".lp": r"\\.*|\s*(?:min|max)(?:imi[sz]e|imum)?\b.*",
    ".yaml": r"[A-Za-z_-]+\s*:.*|\{.*|---.*",
}
"""The suffixes of texts of models and instances by a line that no other kind begins with."""


NEEDED = {".mps": r"ROWS\s*", ".lp": r"\s*end\s*", ".opb": r".*;\s*", ".cnf": KINDS[".cnf"]}
"""A line that each model has, and an answer that begins like one has not."""


def kind_of_text(source: TextFile, *, whole: bool = False) -> str:
    """Return the suffix that a text of a model or an instance has as a file, empty if unknown.

    Parameters
    ----------
    source
        The text.
    whole
        Whether a model is one only with the lines that each must have. A list of values may
        begin as a model does: with the name of the model, or with a column called max.
    """
    kinds = dict(KINDS)
    for kind, pattern in NEEDED.items() if whole else ():
        if not any(re.fullmatch(pattern, line, re.IGNORECASE) for line in source.lines):
            del kinds[kind]
    if ".opb" in kinds and any(line.strip().lower() == "end" for line in source.lines):
        del kinds[".opb"]  # whose objective begins as that of an LP file
    elif any(line.rstrip().endswith(";") for line in source.lines):
        kinds.pop(".lp", None)
    for line in source.lines:
        for kind, pattern in kinds.items():
            if re.fullmatch(pattern, line, re.IGNORECASE if kind == ".lp" else 0):
                return kind
    return ""


def model_parts(model: Model, suffix: str) -> Iterator[str]:
    """Return the text of a model in the format of a suffix, in parts.

    Raises
    ------
    InputError
        If the format cannot say the model.
    """
    suffix_of(Path(f"model{suffix}"), READERS)
    write, _ = READERS[suffix]()
    if write is None:
        raise holds_covers(suffix)
    text = write(model)
    return iter([text]) if isinstance(text, str) else text


def holds_covers(suffix: str) -> InputError:
    """Return the error that a format holds exact covers, not models."""
    known = join_words([one for one in READERS.own if READERS[one]()[0]])
    if FORMATS[suffix].read_only:
        return InputError(f"a {suffix} file is read and not written; write one of {known}")
    return InputError(f"a {suffix} file holds an exact cover, not a model; write one of {known}")


def write_model(path: Path, model: Model) -> None:
    """Write a model in the format of the file's suffix, compressed if ``.gz`` follows."""
    suffix, _ = suffix_of(path, READERS)
    write_text(path, model_parts(model, suffix))


Known = tuple[str, float | None]
"""A word of `WORDS` and the value of the objective, None if the word has none."""

WORDS = {"opt": True, "best": True, "inf": False, "feas": False, "unkn": False}
"""``opt`` is the optimum, ``best`` the best that is known, ``inf`` that there is no solution,
``feas`` that there is one; and whether a value follows."""


def read_solu(path: Path) -> dict[str, Known]:
    """Return the answers in a ``.solu`` file by the instances' names, one for each."""
    source = read_source(path)
    found: dict[str, Known] = {}
    for number, line in enumerate(source.lines, start=1):
        parts = line.split()
        if not parts or parts[0].startswith("#"):
            continue
        word = parts[0].strip("=")
        value = parse_number(parts[2]) if len(parts) == 3 else None
        proper = parts[0] == f"={word}=" and word in WORDS and len(parts) in (2, 3)
        if not proper or WORDS[word] != (value is not None):
            forms = "=opt= NAME VALUE, =best= NAME VALUE, =inf= NAME, =feas= NAME or =unkn= NAME"
            raise source.error(f"found {quote(line)}; a line is {forms}", number)
        known = (word, value)
        if found.setdefault(parts[1], known) != known:
            raise InputError(f"has two answers for {quote(parts[1])}", path=path, line=number)
    return found


def known_beside(folder: Path) -> dict[str, tuple[Known, str]]:
    """Return the answers in the ``.solu`` files of a folder, each with the name of its file.

    The last file that names an instance counts.
    """
    return {
        name: (known, path.name)
        for path in sorted(folder.glob("*.solu"))
        for name, known in read_solu(path).items()
    }


def solu_text(known: Mapping[str, Known]) -> str:
    """Return the lines of a ``.solu`` file."""
    return "".join(
        f"={word}= {name}\n" if value is None else f"={word}= {name} {value:.15g}\n"
        for name, (word, value) in known.items()
    )
