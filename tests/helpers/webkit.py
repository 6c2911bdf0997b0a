"""WebKitGTK as Debian has it (webkit2gtk-driver), by WebDriver, on a screen of its own (Xvfb)."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

from browsing import WAIT_SECONDS
from webdriver import Fault, Page

FAULTS = """async () => {
    const asked = performance.getEntriesByType('resource').map(({name}) => name)
        .filter((url) => !/^(file|data|blob|about):/.test(url));
    const said = [...document.querySelectorAll('.messages span')].map((one) => one.textContent);
    return JSON.stringify([...asked.map((url) => `asked for ${url}`), ...said]);
}"""


def programs() -> tuple[str, str, str] | None:
    """Return the paths of the driver, its browser and the screen, or nothing if one is missing."""
    found = [shutil.which(name) for name in ("WebKitWebDriver", "Xvfb")]
    browser = next(Path("/usr").glob("lib*/**/webkit2gtk-4.*/MiniBrowser"), None)
    if browser is None or None in found:
        return None
    return str(found[0]), str(browser), str(found[1])


class WebKit:
    """A running driver; each page has a session of its own, which has stored nothing."""

    def __init__(self, driver: str, browser: str, screen: str) -> None:
        self.browser = browser
        self.faults: list[str] = []
        self.session = ""
        self.processes: list[subprocess.Popen[bytes]] = []
        quiet: Any = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        try:
            reading, writing = os.pipe()
            command = [screen, "-displayfd", str(writing), "-screen", "0", "1600x1200x24"]
            command += ["-nolisten", "tcp"]
            self.processes.append(subprocess.Popen(command, pass_fds=[writing], **quiet))
            os.close(writing)
            with os.fdopen(reading) as told:
                display = told.readline().strip()
            with socket.create_server(("127.0.0.1", 0)) as free:
                port = free.getsockname()[1]
            self.address = f"http://127.0.0.1:{port}"
            environment = {**os.environ, "DISPLAY": f":{display}", "LIBGL_ALWAYS_SOFTWARE": "1"}
            command = [driver, f"--port={port}"]
            self.processes.append(subprocess.Popen(command, env=environment, **quiet))
            self._wait()
        except BaseException:
            self.close()
            raise

    def _wait(self) -> None:
        """Wait until the driver listens."""
        end = time.monotonic() + WAIT_SECONDS
        while True:
            try:
                self.send("GET", "/status")
                return
            except OSError as error:
                if self.processes[-1].poll() is not None or time.monotonic() > end:
                    raise Fault("WebKitWebDriver does not listen") from error
            time.sleep(0.1)

    def send(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        """Return the value that a command of WebDriver answers."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.address + path, data, method=method)
        try:
            with urllib.request.urlopen(request, timeout=WAIT_SECONDS) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            value = json.load(error)["value"]
            raise Fault(f"{path}: {value['error']}: {value['message']}") from error

    def page(self, address: str, *, width: int = 1280, height: int = 800) -> Page:
        """Open a page; the one before it is closed."""
        self.faults = self.leave()
        # No network: whatever is asked for goes to a port where nobody listens.
        options = {"binary": self.browser, "args": ["--automation", "--proxy=http://127.0.0.1:9"]}
        capabilities = {"alwaysMatch": {"webkitgtk:browserOptions": options}}
        made = self.send("POST", "/session", {"capabilities": capabilities})
        self.session = f"/session/{made['sessionId']}"
        page = Page(self, self.session)
        limits = {"script": 1000 * WAIT_SECONDS, "pageLoad": 1000 * WAIT_SECONDS}
        self.send("POST", f"{self.session}/timeouts", limits)
        # What the window has beside the page is not counted.
        size = {"width": width, "height": height}
        self.send("POST", f"{self.session}/window/rect", size)
        inner = page.evaluate("[innerWidth, innerHeight]")
        size = {"width": 2 * width - inner[0], "height": 2 * height - inner[1]}
        self.send("POST", f"{self.session}/window/rect", size)
        self.send("POST", f"{self.session}/url", {"url": address})
        return page

    def leave(self) -> list[str]:
        """Close the page that is open, and return what failed in it or was asked from elsewhere."""
        if self.session:
            page, self.session = self.session, ""
            self.faults += json.loads(self.call(page, FAULTS, ""))
            self.send("DELETE", page)
        faults, self.faults = self.faults, []
        return faults

    def reload(self, page: str) -> None:
        """Load a page anew, and wait until it is there."""
        self.send("POST", f"{page}/refresh", {})

    def call(self, page: str, function: str, text: str) -> str:
        """Return what an asynchronous function of a text gives, a text."""
        script = f"""const [text, done] = arguments;
            ({function})(text).then(done, (error) => done([String(error)]));"""
        answer = self.send("POST", f"{page}/execute/async", {"script": script, "args": [text]})
        if isinstance(answer, list):
            raise Fault(answer[0])
        return str(answer)

    def act(self, page: str, source: dict[str, Any]) -> None:
        """Do what a source of actions of WebDriver does."""
        self.send("POST", f"{page}/actions", {"actions": [source]})

    def close(self) -> None:
        """End it."""
        with contextlib.suppress(Fault, OSError):
            self.leave()
        for process in reversed(self.processes):
            process.terminate()
            process.wait()
