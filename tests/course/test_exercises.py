"""A submitted file that cannot be read is refused, or is the machine's fault; never marked."""

from __future__ import annotations

import errno
import gzip
import re
from pathlib import Path
from typing import Any

import pytest
from marked_answers import PAGES, mark

from calmip import InputError
from calmip.course.checks import MachineFault
from calmip.course.exercises import EXERCISES, page_of, read_submission


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "nothing.py"):
        with pytest.raises(InputError, match="there is no such file to grade"):
            read_submission(path, 9)


@pytest.mark.parametrize(
    ("number", "error"),
    [(errno.EACCES, InputError), (errno.ELOOP, InputError), (errno.EMFILE, MachineFault)],
)
def test_a_file_that_cannot_be_read_is_an_error(
    number: int, error: type[Exception], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "own.py"
    path.write_text("x")

    def refuse(*_: Any) -> None:
        raise OSError(number, "so it is")

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(error, match="so it is" if error is InputError else None):
        read_submission(path, 9)


def test_a_file_of_just_so_many_bytes_is_read(tmp_path: Path) -> None:
    path = tmp_path / "own.py"
    for content in (b"", b"x" * 9, gzip.compress(b"")[:9]):
        path.write_bytes(content)
        assert read_submission(path, 9) == content
    packed = gzip.compress(b"x" * 40)
    path.write_bytes(packed)
    assert read_submission(path, 40) == packed
    for most in (39, len(packed) - 1):
        with pytest.raises(InputError, match=f"has more than {most} bytes"):
            read_submission(path, most)


EXAMPLE = re.compile(r"```json\n(.*?)```", re.DOTALL)

SHOWN = {
    exercise: found[1]
    for exercise in EXERCISES
    if (found := EXAMPLE.search((PAGES / page_of(exercise) / "index.md").read_text()))
}
"""The example of the file to hand in, of each page that has one."""


@pytest.mark.parametrize("exercise", SHOWN)
def test_the_example_of_a_page_is_of_the_right_form_and_not_of_the_right_answer(
    exercise: str, tmp_path: Path
) -> None:
    marks, faults = mark(exercise, SHOWN[exercise], tmp_path)
    assert marks <= (4 if exercise == "data" else 2)  # its data refute one of three models
    assert not any("is not JSON" in fault or "the file is {" in fault for fault in faults)
