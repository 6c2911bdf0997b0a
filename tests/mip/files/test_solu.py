"""What is known of instances, in the files of MIPLIB."""

import string
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calmip._base.errors import InputError
from calmip.mip.files.model_files import Known, known_beside, read_solu, solu_text

NAMES = st.builds(
    str.__add__,
    st.sampled_from(string.ascii_letters),
    st.text(st.characters(categories=("L", "N"), include_characters="_.-"), max_size=9),
)
KNOWN = st.one_of(
    st.tuples(st.sampled_from(["inf", "feas", "unkn"]), st.none()),
    st.tuples(st.sampled_from(["opt", "best"]), st.integers(-(10**9), 10**9).map(float)),
)


@pytest.mark.long
@given(known=st.dictionaries(NAMES, KNOWN))
def test_what_is_written_is_read(
    known: dict[str, Known], tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("solu")
    (folder / "a.solu").write_text("# known\n\n" + solu_text(known))
    assert read_solu(folder / "a.solu") == known
    assert known_beside(folder) == {name: (one, "a.solu") for name, one in known.items()}


@pytest.mark.parametrize(
    "line",
    [
        "=opt= a",
        "=opt= a b",
        "=inf= a 1",
        "=opt= a 1 2",
        "=none= a",
        "opt a 1",
        "=opt a 1",
        "=inf=",
    ],
)
def test_other_lines_are_refused(line: str, tmp_path: Path) -> None:
    (tmp_path / "a.solu").write_text(f"=inf= b\n{line}\n=inf= c\n")
    with pytest.raises(InputError, match=r"a\.solu:2: found '.*'; a line is =opt= NAME VALUE"):
        read_solu(tmp_path / "a.solu")


def test_one_instance_has_one_answer(tmp_path: Path) -> None:
    (tmp_path / "a.solu").write_text("=opt= b 1\n=opt= b 1\n=opt= b 2\n")
    with pytest.raises(InputError, match=r"a\.solu:3: has two answers for 'b'"):
        read_solu(tmp_path / "a.solu")
