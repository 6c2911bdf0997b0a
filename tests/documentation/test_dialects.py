"""The tables of dialects: what is recorded is what they say, and what calmip still reads."""

from __future__ import annotations

import csv
import importlib
import json
import re
from pathlib import Path
from types import ModuleType

import pytest
from requirements import need_package

from benchmarks.dialects import page
from benchmarks.dialects.__main__ import READINGS
from benchmarks.dialects.cases import LP, Case, mps, read_cases
from benchmarks.dialects.readers import ONLY_MPS, READERS, read_calmip, read_highs
from benchmarks.dialects.writers import MODELS, WRITERS, mps_text
from benchmarks.dialects.written import difference, intended
from calmip._base.errors import InputError

CASES = read_cases()
KNOWN = json.loads(READINGS.read_text(encoding="utf-8"))


@pytest.fixture
def data_pages(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Return the module of the site that shows the tables."""
    monkeypatch.syspath_prepend(Path(__file__).parents[2] / ".ci/docs_build")
    return importlib.import_module("data_pages")


def test_the_tables_are_what_the_readings_say() -> None:
    remedy = "python -m benchmarks.dialects --readers writes it"
    assert page.CASES.read_text(encoding="utf-8") == page.cases_text(CASES, KNOWN), remedy
    assert page.WRITTEN.read_text(encoding="utf-8") == page.written_text(KNOWN), remedy


def test_a_changed_reading_changes_the_table() -> None:
    other = json.loads(json.dumps(KNOWN))
    del other["cases"][CASES[0].anchor]["CBC"]
    assert page.cases_text(CASES, other) != page.cases_text(CASES, KNOWN)


def test_the_table_has_every_program_once_in_each_case() -> None:
    with page.CASES.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    found: dict[str, list[str]] = {}
    for row in rows:
        found.setdefault(row["case"], []).extend(row["programs"].replace(" *", "").split(", "))
    for case in CASES:
        wanted = [name for name in READERS if case.kind == "mps" or name not in ONLY_MPS]
        assert sorted({*found[case.anchor], page.FIXED} & {*wanted}) == sorted(wanted)
        assert len(found[case.anchor]) == len({*found[case.anchor]})


def test_the_page_has_the_versions_and_the_number_of_cases() -> None:
    text = (page.FOLDER / "dialects.md").read_text(encoding="utf-8")
    assert f"{len(CASES)} small files" in text
    for name, version in KNOWN["versions"].items():
        assert re.search(
            rf"\b{re.escape(name.removesuffix(' (fixed)'))} {re.escape(version)}\b", text
        )


def test_the_site_shows_every_case_and_its_file(data_pages: ModuleType) -> None:
    text = data_pages.dialects()
    assert re.findall(r'<span id="([\w-]+)">', text) == [case.anchor for case in CASES]
    assert [*data_pages.BASES.values()] == [mps({})[0], LP]


def test_every_case_was_read_by_every_program() -> None:
    assert KNOWN["cases"].keys() == {case.anchor for case in CASES}
    for case in CASES:
        wanted = {name for name in READERS if case.kind == "mps" or name not in ONLY_MPS}
        assert KNOWN["cases"][case.anchor].keys() == wanted, case.anchor


def test_keys_texts_and_anchors_are_unique() -> None:
    assert len({case.text for case in CASES}) == len({case.anchor for case in CASES}) == len(CASES)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.anchor)
def test_calmip_reads_what_the_page_says(case: Case, tmp_path: Path) -> None:
    """After a change of a reader: ``python -m benchmarks.dialects --readers calmip``."""
    path = tmp_path / f"model.{case.kind}"
    path.write_text(case.text, encoding="utf-8")
    recorded = KNOWN["cases"][case.anchor]["calmip"]
    if "refused" in recorded:
        with pytest.raises(InputError):
            read_calmip(str(path))
    else:
        assert read_calmip(str(path)).facets() == recorded["facets"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.anchor)
def test_highs_reads_what_the_page_says(case: Case, tmp_path: Path) -> None:
    highspy = need_package("highspy")
    if highspy.Highs().version() != KNOWN["versions"]["HiGHS"]:
        pytest.skip("another version was measured")
    path = tmp_path / f"model.{case.kind}"
    path.write_text(case.text, encoding="utf-8")
    recorded = KNOWN["cases"][case.anchor]["HiGHS"]
    if "refused" in recorded:
        with pytest.raises(ValueError, match="an error"):
            read_highs(str(path))
    else:
        assert read_highs(str(path)).facets() == recorded["facets"]


@pytest.mark.parametrize("key", MODELS)
def test_a_reading_as_it_was_meant_has_no_difference(key: str) -> None:
    meant = intended(MODELS[key])
    assert difference(MODELS[key], meant) == ""
    column = next(iter(MODELS[key].columns))
    assert difference(MODELS[key], {**meant, column: "elsewhere"}) == "elsewhere"
    gone = {name: text for name, text in meant.items() if name != column}
    assert difference(MODELS[key], gone) == f"without {column}"
    assert difference(MODELS[key], {**meant, "more": "more = 1"}) == "further column more"


def test_every_model_was_written_by_every_program_that_can() -> None:
    # CBC reads no sense, and calmip writes no range as LP.
    missing = {"maximise CBC .mps", "maximise CBC .lp", "range calmip .lp"}
    wanted = {f"{m} {w} {suffix}" for m in MODELS for w in WRITERS for suffix in (".mps", ".lp")}
    assert wanted - KNOWN["written"].keys() == missing


@pytest.mark.parametrize("key", MODELS)
@pytest.mark.parametrize("suffix", [".mps", ".lp"])
def test_calmip_reads_what_it_writes(key: str, suffix: str, tmp_path: Path) -> None:
    source, path = tmp_path / "source.mps", tmp_path / f"model{suffix}"
    source.write_text(mps_text(MODELS[key]), encoding="utf-8")
    if (key, suffix) == ("range", ".lp"):
        pytest.skip("calmip writes no range as LP")
    WRITERS["calmip"](str(source), MODELS[key], str(path))
    facets = read_calmip(str(path)).facets()
    recorded = KNOWN["written"][f"{key} calmip {suffix}"]["calmip"]
    assert (difference(MODELS[key], facets) or "same") == recorded
