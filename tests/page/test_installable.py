"""The page of the site as an app: installed from its folder, and there without a network."""

from __future__ import annotations

import contextlib
import functools
import http.server
import importlib
import json
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from browsing import DAY, DESKTOP, Opened
from page_modules import ROOT

from calmip.puzzle.tasks.play import page_text


@pytest.fixture(scope="module")
def installable() -> ModuleType:
    sys.path.insert(0, str(ROOT / ".ci/docs_build"))
    try:
        return importlib.import_module("installable")
    finally:
        sys.path.remove(str(ROOT / ".ci/docs_build"))


def written(folder: Path, files: dict[str, bytes]) -> Path:
    for name, content in files.items():
        (folder / name).write_bytes(content)
    return folder


class Site(http.server.ThreadingHTTPServer):
    """A server that can be gone without leaving its port to another program."""

    gone = False

    def process_request(self, request: Any, client_address: Any) -> None:
        if self.gone:
            self.shutdown_request(request)
        else:
            super().process_request(request, client_address)


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


@contextlib.contextmanager
def served(folder: Path) -> Iterator[Site]:
    handler = functools.partial(Quiet, directory=str(folder))
    with Site(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


READY = """async () => {
    const found = await navigator.serviceWorker.ready;
    const names = await caches.keys();
    const held = await (await caches.open(names[0])).keys();
    return [found.scope, names, held.map((one) => new URL(one.url).pathname).sort()];
}"""


def test_the_one_file_stays_alone(installable: ModuleType) -> None:
    for whole in (True, False):
        assert "serviceWorker" not in page_text(whole=whole)
        assert "manifest" not in page_text(whole=whole).partition("<style>")[0]
    page = installable.files()["index.html"].decode()
    assert "worker-src 'self' blob:; manifest-src 'self'" in page
    assert page.count('"sw.js"') == page.count("manifest.webmanifest") == 1


def test_another_file_is_another_version(
    installable: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = installable.files()
    assert installable.files() == before
    monkeypatch.setattr(installable, "solver_script", lambda: "another")
    after = installable.files()
    changed = {name for name in before if before[name] != after[name]}
    assert changed == {"highs.js", "sw.js"}


@pytest.mark.long
def test_after_the_first_visit_no_network_is_needed(
    opened: Opened, installable: ModuleType, tmp_path: Path
) -> None:
    files = installable.files()
    folder = written(tmp_path, files)
    with served(folder) as server:
        address = f"http://127.0.0.1:{server.server_port}/"
        page = opened(DAY, address=f"{address}index.html", **DESKTOP, bypass_csp=False)
        scope, names, held = page.evaluate(READY)
        assert scope == address
        assert len(names) == 1
        assert held == sorted(
            ["/", *(f"/{name}" for name in files if name not in ("sw.js", "board.js"))]
        )
        server.gone = True
        page.goto("about:blank")
        page.goto(f"{address}index.html{DAY}&view=lab")
        page.get_by_role("button", name="Relax").click()
        page.wait_for_selector(".candidate")
        # With the next version come its files, and the old ones go.
        written(tmp_path, {"sw.js": files["sw.js"].replace(names[0][12:].encode(), b"next")})
        server.gone = False
        page.goto("about:blank")
        page.goto(address)
        page.evaluate(
            """async () => {
                const here = await navigator.serviceWorker.ready;
                await here.update();
                const next = here.installing ?? here.waiting;
                while (next && !["installed", "activated"].includes(next.state)) {
                    await new Promise((go) => setTimeout(go, 50));
                }
            }"""
        )
        for _ in range(100):
            # The old version goes when the browser has noticed that its last page is closed.
            page.goto("about:blank")
            page.goto(f"{address}{DAY}")
            page.wait_for_selector(".board-drawing")
            if page.evaluate("caches.keys()") == ["calmip-play-next"]:
                break
        assert page.evaluate("caches.keys()") == ["calmip-play-next"]


def test_chromium_takes_the_manifest(
    opened: Opened, installable: ModuleType, tmp_path: Path
) -> None:
    folder = written(tmp_path, installable.files())
    with served(folder) as server:
        address = f"http://127.0.0.1:{server.server_port}/"
        page = opened(DAY, address=address, **DESKTOP, bypass_csp=False)
        page.evaluate(READY)
        session = page.context.new_cdp_session(page)
        found = session.send("Page.getAppManifest")
        assert found["url"].endswith("/manifest.webmanifest")
        assert not found["errors"]
        assert json.loads(found["data"])["display"] == "standalone"
        faults = session.send("Page.getInstallabilityErrors")["installabilityErrors"]
        # What a window without traces forbids is the test's, not the page's.
        assert {one["errorId"] for one in faults} <= {"in-incognito"}
