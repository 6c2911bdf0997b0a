"""Browsers for the tests of the page: Chromium, Firefox and WebKit."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from browsing import (
    ASSISTED,
    DAY,
    KEPT,
    MAX_CPU_SECONDS,
    USUAL,
    WAIT_SECONDS,
    Opened,
    busy,
    metered,
    patient,
    while_busy,
)
from firefox import Firefox
from requirements import missing
from webdriver import Page
from webkit import WebKit, programs

from calmip.cli import main


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Yield a running Chromium."""
    # The shell is the same engine without the windows of a desktop: two thirds of the CPU seconds.
    names = (
        os.environ.get("CALMIP_CHROMIUM", ""),
        "chromium-headless-shell",
        "chromium",
        "chromium-browser",
        "google-chrome",
    )
    path = next((found for name in names if name and (found := shutil.which(name))), None)
    if path is None:
        missing("chromium")
    try:
        from playwright._impl._sync_base import SyncBase
        from playwright.sync_api import sync_playwright
    except ImportError:
        missing("playwright")
    wait = SyncBase._sync
    with sync_playwright() as playwright, pytest.MonkeyPatch.context() as patch:
        # Every wait of Playwright's goes through this.
        patch.setattr(SyncBase, "_sync", lambda page, answer: wait(page, while_busy(answer)))
        running = playwright.chromium.launch(
            executable_path=path, args=["--no-sandbox"], timeout=1000 * WAIT_SECONDS
        )
        yield running
        running.close()


@pytest.fixture(scope="session")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the page as the command writes it."""
    path = tmp_path_factory.mktemp("page") / "play.html"
    assert main(["play", "-o", str(path)]) == 0
    return path


@pytest.fixture
def opened(browser: Any, file: Path, request: pytest.FixtureRequest) -> Iterator[Opened]:
    """Yield a function that opens the page; nothing may fail in it, nothing may leave it."""
    faults: list[str] = []
    meters: list[Any] = []
    with contextlib.ExitStack() as stack:

        def make(
            hash_: str = DAY,
            *,
            address: str = "",
            context: Any = None,
            assisted: bool = True,
            **kind: Any,
        ) -> Any:
            context = context or stack.enter_context(browser.new_context(**{**USUAL, **kind}))
            context.add_init_script(KEPT)
            if assisted:
                context.add_init_script(ASSISTED)
            page = patient(context.new_page())
            meters.append(metered(page))
            page.on("pageerror", lambda error: faults.append(str(error)))
            page.on("console", lambda said: faults.append(said.text))
            page.on("request", lambda asked: seen(asked.url))
            page.goto((address or file.as_uri()) + hash_)
            page.wait_for_selector("main > *")
            return page

        def seen(url: str) -> None:
            if not url.startswith(("file:", "data:", "blob:", "http://127.0.0.1")):
                faults.append(f"asked for {url}")

        yield make
        used = sum(map(busy, meters))
    assert not faults
    assert used < MAX_CPU_SECONDS or "slow" in request.node.keywords, (
        f"{used:.1f} CPU seconds of the page"
    )


@pytest.fixture(scope="module")
def firefox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Firefox]:
    """Yield a running Firefox."""
    names = (os.environ.get("CALMIP_FIREFOX", ""), "firefox-esr", "firefox")
    path = next((found for name in names if name and (found := shutil.which(name))), None)
    if path is None:
        missing("firefox")
    assert path is not None
    running = Firefox(path, tmp_path_factory.mktemp("profile"))
    yield running
    running.close()


@pytest.fixture(scope="module")
def webkit() -> Iterator[WebKit]:
    """Yield a running WebKit."""
    found = programs()
    if found is None:
        missing("webkit")
    assert found is not None
    running = WebKit(*found)
    yield running
    running.close()


@pytest.fixture
def second(firefox: Firefox, file: Path) -> Iterator[Callable[..., Page]]:
    """Yield a function that opens the page in Firefox."""
    yield from opening(firefox, file)


@pytest.fixture(params=["firefox", "webkit"])
def other(request: pytest.FixtureRequest, file: Path) -> Iterator[Callable[..., Page]]:
    """Yield a function that opens the page in Firefox, and one that opens it in WebKit."""
    yield from opening(request.getfixturevalue(request.param), file)


def opening(browser: Firefox | WebKit, file: Path) -> Iterator[Callable[..., Page]]:
    """Yield a function that opens the page; nothing may fail in it, nothing may leave it."""

    def make(hash_: str = DAY, *, assisted: bool = True, **size: int) -> Page:
        page = browser.page(file.as_uri() + hash_, **size)
        page.wait_for_selector("main > *")
        if assisted:
            page.evaluate("() => void localStorage.setItem('calmip.assist', 'full')")
            page.reload()
            page.wait_for_selector("main > *")
        return page

    yield make
    assert browser.leave() == []
