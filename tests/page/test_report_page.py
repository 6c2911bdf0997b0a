"""The page of a campaign's report: filters, and the logs behind the cells."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import calmip

pytestmark = [pytest.mark.long, pytest.mark.trade("bench")]

CAMPAIGN = """
instances:
- {puzzle: {grid: ["* * * * *"], pieces: [I]}, name: small, tags: [tiny, box]}
- {puzzle: {grid: ["* * * * *", "* * * * *"], pieces: [I, I]}, name: other, tags: [box]}
solvers: [highs, exact-cover]
reference_every: 0
"""


def test_the_page_filters_instances_and_opens_logs(tmp_path: Path, browser: Any) -> None:
    campaign, results = tmp_path / "campaign.yaml", tmp_path / "results.db"
    campaign.write_text(CAMPAIGN)
    calmip.bench.run(campaign, results)
    calmip.bench.report(results).save(results.with_suffix(".html"))
    faults: list[str] = []
    page = browser.new_page()
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto(results.with_suffix(".html").as_uri())
    rows = page.locator("#runs tbody tr")
    assert rows.count() == 2
    page.get_by_label("Tag").select_option("tiny")
    assert [rows.nth(n).locator("th").inner_text() for n in range(rows.count())] == ["small"]
    page.get_by_label("Tag").select_option("any")
    page.get_by_label("Instance").fill("OTH")
    assert rows.count() == 1
    rows.first.get_by_role("button").last.click()
    log = page.locator("#run pre")
    log.filter(has_text="Optimal").wait_for()
    kept = calmip.bench.log(results, "other/highs")
    assert log.inner_text().split() == [
        word for line in kept.lines for word in f"{line.seconds:.3f} {line.text}".split()
    ]
    assert page.locator("#run path").count() == 2
    page.get_by_role("button", name="Close").click()
    assert faults == []
    page.close()
