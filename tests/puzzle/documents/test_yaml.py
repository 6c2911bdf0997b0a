"""The document reader: both parsers agree, and what is refused is refused with its line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from time import process_time

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from calmip import InputError
from calmip.puzzle.documents.yaml import (
    Items,
    Node,
    Table,
    Text,
    line_of,
    locate_errors,
    read_document,
)

Read = Callable[[str | bytes], Node]


@pytest.fixture(params=["libyaml", "pure Python"])
def read(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Read:
    """Read texts with one of the two parsers that PyYAML has; messages call the file F."""
    if request.param == "pure Python":
        monkeypatch.delattr(yaml, "CBaseLoader", raising=False)
    elif not hasattr(yaml, "CBaseLoader"):
        pytest.skip("PyYAML without libyaml")
    return lambda text: read_with(tmp_path / "document.yaml", text)


def read_with(path: Path, text: str | bytes) -> Node:
    path.write_bytes(text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text)
    return read_document(path, "F")


def complaint(read: Read, text: str | bytes) -> str:
    with pytest.raises(InputError) as caught:
        read(text)
    return str(caught.value)


@pytest.mark.long
def test_many_keys_take_no_longer_than_as_many_entries(read: Read) -> None:
    def seconds(text: str) -> float:
        start = process_time()
        assert len(read(text)) == 5_000
        return process_time() - start

    # Comparing every key with every other took a hundred times as long.
    entries = min(seconds("".join(f"- {n}\n" for n in range(5_000))) for _ in range(2))
    keys = min(seconds("".join(f"k{n}: v\n" for n in range(5_000))) for _ in range(2))
    assert keys < 12 * entries


@pytest.mark.parametrize(
    "character", ["\0", "\x01", "\x1b", "\x7f", "\x85", "\u2028", "\u2029", "\ufeff", "\ufffe"]
)
@pytest.mark.parametrize("before", ["", "é: ü\n" * 30, "a: b\r" * 3, "a: b\r\n" * 3])
def test_a_character_that_is_not_allowed_is_named_with_its_line(
    read: Read, character: str, before: str
) -> None:
    # The file's own line: neither bytes for characters, nor breaks that no editor counts.
    line = 1 + len(before.splitlines())
    text = f"{before}key: x{character}\nlast: line\n"
    said = complaint(read, text)
    assert said.startswith(f"F:{line}: is not valid YAML: the invisible character ")
    assert f"U+{ord(character):04X} is not allowed; remove it" in said


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_are_counted_as_editors_do(read: Read, end: str) -> None:
    assert complaint(read, f"a: 1{end}b: 2{end}a: 3{end}").startswith("F:3: key 'a'")
    assert complaint(read, f"a: 1{end}b: ä".encode("latin-1")).startswith("F:2: is not UTF-8")
    assert read(f"\ufeffa: ä{end}b: 😀{end}") == {"a": "ä", "b": "😀"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        # A grid's row that lost its first label without a word.
        ("grid:\n- ! 2 3", "F:2: YAML tags (!) are not allowed; quote a text that starts with '!'"),
        ("a: ! [b]", "F:1: YAML tags (!) are not allowed; quote a text that starts with '!'"),
        ("a: !!str b", "F:1: YAML tags (tag:yaml.org,2002:str) are not allowed; quote a"),
        ("a: !mine b", "F:1: YAML tags (!mine) are not allowed"),
        ("a: !%1B b", "F:1: YAML tags (!\\x1b) are not allowed"),
        ("a: !<%E2%80%AE> b", "F:1: YAML tags (\\u202e) are not allowed"),
        (f"a: !{'x' * 5000} b", f"F:1: YAML tags (!{'x' * 59}...) are not allowed"),
        ("%TAG ! tag:x,2000:\n---\n!a b: c", "F:1: YAML tags (%TAG) are not allowed"),
        ("a: &b [c]", "F:1: YAML anchors (&b) are not allowed; quote a text that starts with '&'"),
        ("&b a: c", "F:1: YAML anchors (&b) are not allowed"),
        ("\na: *b", "F:2: YAML aliases (*name) are not allowed; quote a text that starts"),
    ],
)
def test_tags_anchors_and_aliases_are_refused(read: Read, text: str, message: str) -> None:
    assert complaint(read, text).startswith(message)
    assert len(complaint(read, text)) < 200


def test_many_tag_directives_take_no_time(read: Read) -> None:
    text = "".join(f"%TAG !a{n}! b\n" for n in range(55_000)) + "--- a\n"
    start = process_time()
    assert complaint(read, text).startswith("F:1: YAML tags (%TAG)")
    assert process_time() - start < 2  # it was 6 s in libyaml, where Ctrl-C does not reach


@pytest.mark.parametrize(
    ("text", "line", "remedy"),
    [
        ("grid:\n- * 1 2\n", 2, "quote a text that starts with '*'"),
        ("a: & b", 1, "quote a text that starts with '&'"),
        ("- a\n- @b", 2, "quote a text that starts with '@'"),
        ("a: %b", 1, "quote a text that starts with '%'"),
        ("a: `b", 1, "quote a text that starts with '`'"),
        ("a: !e!x b", 1, "quote a text that starts with '!'"),
        ("a: |b", 1, "quote a text that starts with '|' or '>'"),
        ("a:\n\tb: c", 2, "indent with blanks, not with tabs"),
        ("note: so: it is", 1, "quote a text with ': ' in it"),
        ("a: 1\n b: 2", 2, "indent keys alike"),
        ("pieces: [##, #.]", 1, "quote a text with any of #,:[]{} in it"),
        ("grid: [\n1,\n2", 3, "close every bracket"),
        ('a: "b\n\n', 3, "close every quote"),
        ('a: "\\q"', 1, "write a backslash in double quotes as \\\\"),
        ("a: 'it's'", 1, "quote a text as a whole or not at all"),
        ("a: 1\n- b", 2, "indent entries alike"),
    ],
)
def test_the_error_of_wrong_yaml_names_line_and_remedy(
    read: Read, text: str, line: int, remedy: str
) -> None:
    said = complaint(read, text)
    assert said.startswith(f"F:{line}: is not valid YAML: ")
    assert remedy in said
    assert len(said) < 300


def test_the_error_of_an_open_bracket_says_where_it_begins(read: Read) -> None:
    said = complaint(read, "a: b\ngrid: [1,\n" + "2,\n" * 30 + "pieces: x: y\n")
    assert said.startswith("F:33: ")
    assert "while parsing a flow sequence from line 2 on" in said


@pytest.mark.parametrize(
    "text",
    ['a: b\n- "\\UFFFFFFFF"', 'a: 1\nb: "\\U00110000"', f"# x\n%YAML {'9' * 5000}.1\n--- a"],
)
def test_a_number_too_large_for_the_parser_has_its_line(read: Read, text: str) -> None:
    assert complaint(read, text).startswith("F:2: is not valid YAML: ")
    assert len(complaint(read, text)) < 300


def test_a_complaint_is_short_and_harmless(read: Read) -> None:
    for text in (f"%YAML {'9' * 5000}.1\n--- a", f"--- !{'e' * 5000}!x b", '"\\UFFFFFFFF"'):
        said = complaint(read, text)
        assert len(said) < 300
        assert said.isprintable()


# Texts that a document can hold: all of Unicode but control characters and the like.
texts = st.text(
    st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\u2028\u2029\ufeff"),
    max_size=12,
).filter(lambda text: all(ord(mark) & 0xFFFE != 0xFFFE for mark in text))
documents = st.recursive(
    texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=12,
)


def plain(node: Node) -> object:
    if isinstance(node, Table):
        return {str(key): plain(value) for key, value in node.items()}
    return [plain(entry) for entry in node] if isinstance(node, Items) else str(node)


def lines(node: Node) -> list[int]:
    """Return the lines of a node and all below it, in the order of the text."""
    if isinstance(node, Table):
        below = [n for key, value in node.items() for n in (node.lines[key], *lines(value))]
    else:
        below = [n for entry in node for n in lines(entry)] if isinstance(node, Items) else []
    return [node.line, *below]


@pytest.mark.long
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(document=documents, flow=st.booleans(), width=st.sampled_from([20, 1000]))
def test_what_is_written_is_what_is_read(
    tmp_path_factory: pytest.TempPathFactory, document: object, flow: bool, width: int
) -> None:
    text = yaml.safe_dump(
        document,
        default_flow_style=flow,
        width=width,
        allow_unicode=True,
        default_style='"',
        sort_keys=False,
    )
    found = read_with(tmp_path_factory.getbasetemp() / "written.yaml", text)
    assert plain(found) == document
    assert lines(found) == sorted(lines(found))
    assert max(lines(found)) <= text.count("\n") + 1


# Snippets that make most of YAML's syntax; without tabs, directives, and comments behind
# '|' and '>', in which the two parsers differ.
SNIPPETS = [*"ab1 -?:[]{},&*!'\"@`\\é", "\n", "a: ", "- ", "\n  ", "\n- ", "...", "---\n", "? ",
            ": ", "\r\n", "\\u0041", "\\ud800", "\\UFFFFFFFF", "😀", "|\n", ">-\n", "<<", "~", "#",
            " #"]  # fmt: skip


@pytest.mark.long
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(parts=st.lists(st.sampled_from(SNIPPETS), max_size=12))
def test_both_parsers_read_the_same(
    tmp_path_factory: pytest.TempPathFactory, parts: list[str]
) -> None:
    path = tmp_path_factory.getbasetemp() / "both.yaml"
    found: list[object] = []
    for parser in ("CBaseLoader", "BaseLoader"):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(
                yaml, "CBaseLoader", getattr(yaml, parser, yaml.BaseLoader), raising=False
            )
            try:
                found.append(plain(read_with(path, "".join(parts))))
            except InputError as error:
                assert str(error).startswith("F:" if error.line else "F: is empty")
                found.append(None)
    assert found[0] == found[1]


def test_places_lead_to_lines(read: Read) -> None:
    document = read(
        "a:\n  b:\n  - x\n  - - y\n    - 'z\n      z'\nc: 1\n1: one\n'2': {d: e,\n f: g}\n"
    )
    for where, line in [
        ((), 1), (("a",), 1), (("a", "b"), 2), (("a", "b", 0), 3), (("a", "b", 1), 4),
        (("a", "b", 1, 1), 5), (("c",), 7), (("1",), 8), (("2", "d"), 9), (("2", "f"), 10),
        # As far as it leads.
        (("nosuch",), 1), (("a", "nosuch"), 1), (("a", "b", 7), 2), (("a", "b", "x"), 2),
        (("c", 0), 7), (("a", 0), 2), (("a", 0, 1), 4), (("a", 1), 1),
        (("2", "f", "g"), 10), ((0,), 1), ((3, 1), 10), ((4,), 1),
    ]:  # fmt: skip
        assert line_of(document, where) == line, where
    assert line_of(Text("x", 3), ("y",)) == 3


@pytest.mark.long
def test_depth_and_size_have_their_limits(read: Read, monkeypatch: pytest.MonkeyPatch) -> None:
    deep: Node = read("[" * 20 + "]" * 20)
    for _ in range(19):
        (deep,) = deep
    assert deep == []
    for opening in ("[", "[\n", "- ", "{a: ", "? "):
        start = process_time()
        said = complaint(read, opening * 100_000)
        assert said.startswith("F:1" if "\n" not in opening else "F:21")
        assert "nested more than 20 deep" in said or "a key must be a text" in said
        assert process_time() - start < 2
    assert read(f"- {'x' * 10_000}") == ["x" * 10_000]
    assert complaint(read, f"- a\n- {'x' * 10_001}") == (
        "F:2: a text is longer than 10,000 characters"
    )
    monkeypatch.setattr("calmip.puzzle.documents.yaml.MAX_NODES", 1000)
    assert len(read("- x\n" * 999)) == 999
    assert complaint(read, "- x\n" * 1000) == "F:1000: has more than 1,000 entries"


def test_files_that_are_none(tmp_path: Path) -> None:
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    link = tmp_path / "link"
    (tmp_path / "text").write_text("a: b")
    link.symlink_to("text")
    assert read_document(link) == {"a": "b"}
    for path, said in [
        (tmp_path, "is a folder"),
        (tmp_path / "nosuch", "no such file"),
        (tmp_path / "text" / "below", "no such file"),
        (loop, "no such file"),
        (Path("/dev/zero"), "is not a regular file"),
        (Path("\0"), "no such file"),
        (Path("x" * 5000), "cannot be read: File name too long"),
    ]:
        with pytest.raises(InputError) as caught:
            read_document(path)
        assert caught.value.message == said


def test_an_error_gets_its_place_once(read: Read) -> None:
    inner, outer = read("x:\n- a\n- b\n"), read("y:\n\n\n\nz: 1\n")
    with (
        pytest.raises(InputError, match=r"^inner:3: wrong$"),
        locate_errors("outer", outer, "z"),
        locate_errors("inner", inner, "x"),
    ):
        raise InputError("wrong", where=(1,))
    with pytest.raises(InputError, match=r"^outer:5: wrong$"), locate_errors("outer", outer):
        raise InputError("wrong", where=("z", 7))
