"""A folder of answers held against the models of a library, all in one call."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from calmip._limits import Limits, Progress
from calmip.errors import InputError, shown
from calmip.formats.model_files import Known, is_model, known_beside, read_model
from calmip.problem.status import Status
from calmip.tasks._result import Result
from calmip.tasks._trust import Evidence
from calmip.tasks.check import check_answer

__all__ = ["Checked", "FolderVerdict", "check_folder"]

ENDINGS = (".sol", ".sol.gz", ".txt", ".json", ".slx", ".xml", ".out")
"""How the name of an answer may go on after that of its model."""


@dataclass(frozen=True)
class Checked:
    """What a check found of one model's answer.

    Parameters
    ----------
    name
        The model's name.
    status
        Accepted, refused, or unknown: there is no answer, or it cannot be decided.
    reason
        Why.
    """

    name: str
    status: Status
    reason: str


@dataclass(frozen=True, repr=False)
class FolderVerdict(Result):
    """What a check of a folder found.

    Parameters
    ----------
    folder
        The folder with the models.
    files
        The verdict on each model's answer, in the order of the names.
    """

    KEYS = ("folder", "status", "files")

    folder: Path
    files: tuple[Checked, ...]

    @property
    def status(self) -> Status:
        """Refused if any answer is, accepted if all are, else unknown."""
        found = {file.status for file in self.files}
        if Status.REFUSED in found:
            return Status.REFUSED
        return Status.ACCEPTED if found == {Status.ACCEPTED} else Status.UNKNOWN

    def _summary(self) -> str:
        found = Counter(str(file.status) for file in self.files)
        return ", ".join(f"{number} {word}" for word, number in sorted(found.items()))


def check_folder(
    folder: Path | str,
    answers: Path | str | None = None,
    *,
    time_limit: float = 60.0,
    progress: Callable[[Progress], None] | None = None,
) -> FolderVerdict:
    """Check a folder of solution files against the models of another one, or of the same.

    The answer to ``NAME.mps`` or ``NAME.lp`` is ``NAME.sol``, of whatever solver. Its point
    is checked row by row in whole numbers, its objective against what the ``.solu`` files
    of the folder know. "Infeasible" is held against a search of the model and these files.
    An answer that refutes such a file is unknown, and the reason names the file.
    The files that ``SHA256SUMS`` names have to be those, if it is there.

    Parameters
    ----------
    folder
        The folder with the models.
    answers
        The folder with the answers; the same unless given.
    time_limit
        Seconds for the search that each "infeasible" gets.
    progress
        As for `calmip.solvers.Limits`. It counts the models.

    Raises
    ------
    InputError
        If there is no model, or a file of the library cannot be read or is not the one that
        ``SHA256SUMS`` names.
    """
    models, place = Path(folder), Path(answers or folder)
    for path in (models, place):
        if not path.is_dir():
            raise InputError("is no folder", path=shown(path, 200))
    files = {_stem(path): path for path in sorted(models.iterdir()) if is_model(path)}
    if not files:
        raise InputError("holds no model .mps or .lp", path=shown(models, 200))
    _check_sums(models)
    known = known_beside(models)
    found: list[Checked] = []
    limits = Limits(time_limit, progress=progress)
    limits.report(0, len(files))
    for name, path in files.items():
        found.append(_checked(name, path, place, known.get(name), limits))
        limits.report(len(found), len(files))
    return FolderVerdict(models, tuple(found))


def _stem(path: Path) -> str:
    name = path.name
    for ending in (".gz", ".mps", ".lp"):
        name = name[: -len(ending)] if name.lower().endswith(ending) else name
    return name


def _check_sums(folder: Path) -> None:
    for name, digest in _sums(folder / "SHA256SUMS"):
        try:
            now = hashlib.sha256((folder / name).read_bytes()).hexdigest()
        except OSError as error:
            raise InputError(f"cannot be read: {error.strerror}", path=folder / name) from None
        if now != digest:
            raise InputError("is not the file that SHA256SUMS names", path=folder / name)


def _sums(path: Path) -> Iterator[tuple[str, str]]:
    if path.is_file():
        for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
            digest, _, name = line.partition("  ")
            if name and Path(name).name == name:
                yield name, digest


def _checked(
    name: str, path: Path, place: Path, known: tuple[Known, str] | None, limits: Limits
) -> Checked:
    answer = next((p for e in ENDINGS if (p := place / f"{name}{e}").is_file()), None)
    if answer is None:
        return Checked(name, Status.UNKNOWN, "no answer")
    evidence = Evidence(read_model(path), lambda: limits.anew().clock, *(known or ()))
    try:
        status, reason = check_answer(evidence, answer)
    except InputError as error:
        status, reason = Status.REFUSED, f"cannot be read: {error.message}"
    return Checked(name, status, reason)
