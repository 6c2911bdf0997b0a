"""Firefox as it is installed, by WebDriver BiDi (w3.org/TR/webdriver-bidi): no driver, no package.

`Page` has what tests/browsing.py asks of a page, so hands do the same in both engines.
"""

from __future__ import annotations

import base64
import itertools
import json
import os
import re
import socket
import subprocess
import time
from pathlib import Path
from typing import Any

from browsing import PATIENCE

KEYS = {
    "Enter": "\ue006", "Escape": "\ue00c", "Delete": "\ue017", "Backspace": "\ue003",
    "Tab": "\ue004", "ArrowLeft": "\ue012", "ArrowUp": "\ue013", "ArrowRight": "\ue014",
    "ArrowDown": "\ue015", "Space": " ",
}  # fmt: skip


class Fault(Exception):
    """What Firefox answered instead of a result."""


class Firefox:
    """A running Firefox without a window, with a profile of its own."""

    def __init__(self, program: str, profile: Path) -> None:
        # A page in a file may store, and nothing may be asked of a network.
        (profile / "user.js").write_text(
            'user_pref("app.update.disabledForTesting", true);\n'
            'user_pref("browser.shell.checkDefaultBrowser", false);\n'
            'user_pref("datareporting.policy.dataSubmissionEnabled", false);\n'
            'user_pref("network.captive-portal-service.enabled", false);\n'
            'user_pref("network.connectivity-service.enabled", false);\n'
            'user_pref("services.settings.server", "data:,");\n'
            'user_pref("toolkit.telemetry.reportingpolicy.firstRun", false);\n',
            encoding="utf-8",
        )
        self.process = subprocess.Popen(
            [
                program,
                "--headless",
                "--no-remote",
                "--remote-debugging-port=0",
                "--profile",
                profile,
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "MOZ_CRASHREPORTER_DISABLE": "1"},
        )
        self.numbers = itertools.count(1)
        self.faults: list[str] = []
        """What failed in pages, and what they asked for from elsewhere."""
        self.socket: socket.socket | None = None
        try:
            self.socket = _connected(self._port(profile), "/session")
            self.send("session.new", {"capabilities": {}})
            events = ["log.entryAdded", "network.beforeRequestSent"]
            self.send("session.subscribe", {"events": events})
        except BaseException:
            self.close()
            raise

    def _port(self, profile: Path) -> int:
        """Return where it listens, which it writes into its profile."""
        path = profile / "WebDriverBiDiServer.json"
        end = time.monotonic() + PATIENCE
        while self.process.poll() is None and time.monotonic() < end:
            try:
                return int(json.loads(path.read_text(encoding="utf-8"))["ws_port"])
            except (OSError, ValueError):
                time.sleep(0.1)
        raise Fault("Firefox does not listen")

    def send(self, method: str, params: dict[str, Any]) -> Any:
        """Return the result of a command; what happens meanwhile is noted."""
        assert self.socket is not None
        number = next(self.numbers)
        command = {"id": number, "method": method, "params": params}
        _write(self.socket, json.dumps(command).encode())
        while True:
            answer = json.loads(_read(self.socket))
            if answer.get("id") == number:
                if answer["type"] == "error":
                    raise Fault(f"{method}: {answer['error']}: {answer['message']}")
                return answer["result"]
            self._note(answer)

    def _note(self, event: dict[str, Any]) -> None:
        params = event.get("params", {})
        if event.get("method") == "log.entryAdded" and params["level"] in ("error", "warn"):
            self.faults.append(str(params["text"]))
        if event.get("method") == "network.beforeRequestSent":
            url = params["request"]["url"]
            if not url.startswith(("file:", "data:", "blob:", "about:", "http://127.0.0.1")):
                self.faults.append(f"asked for {url}")

    def page(self, address: str, *, width: int = 1280, height: int = 800) -> Page:
        """Open a page in a context of its own, which has stored nothing."""
        user = self.send("browser.createUserContext", {})["userContext"]
        made = self.send("browsingContext.create", {"type": "tab", "userContext": user})
        page = Page(self, made["context"])
        size = {"width": width, "height": height}
        page.send("browsingContext.setViewport", viewport=size)
        page.goto(address)
        return page

    def close(self) -> None:
        """End it."""
        try:
            if self.socket is not None:
                self.send("browser.close", {})
                self.process.wait(PATIENCE)
        except (Fault, OSError, subprocess.TimeoutExpired):
            pass
        finally:
            if self.socket is not None:
                self.socket.close()
            self.process.kill()
            self.process.wait()


class Page:
    """A page: what is in it, and hands on it."""

    def __init__(self, firefox: Firefox, context: str) -> None:
        self.firefox = firefox
        self.context = context
        self.keyboard = Keyboard(self)
        self.mouse = Pointer(self, "mouse")
        self.finger = Pointer(self, "touch")

    def send(self, method: str, **params: Any) -> Any:
        """Send a command about this page."""
        return self.firefox.send(method, {"context": self.context, **params})

    def goto(self, address: str) -> None:
        """Open an address, and wait until it is there."""
        self.send("browsingContext.navigate", url=address, wait="complete")

    def reload(self) -> None:
        """Load it anew."""
        self.send("browsingContext.reload", wait="complete")

    def evaluate(self, script: str, argument: Any = None) -> Any:
        """Return what a function gives, or the value of an expression; both speak JSON."""
        calls = re.match(r"\s*(async\s*)?(\([^()]*\)|\w+)\s*=>", script)
        body = f"({script})(JSON.parse(text))" if calls else script
        answer = self.firefox.send(
            "script.callFunction",
            {
                "functionDeclaration": f"async text => JSON.stringify(await ({body}) ?? null)",
                "arguments": [{"type": "string", "value": json.dumps(argument)}],
                "target": {"context": self.context},
                "awaitPromise": True,
                "userActivation": True,
            },
        )
        if answer["type"] == "exception":
            raise Fault(answer["exceptionDetails"]["text"])
        return json.loads(answer["result"]["value"])

    def wait_for_function(self, script: str, *, arg: Any = None) -> None:
        """Wait until a script gives something true, in the page that may just be loaded anew."""
        end = time.monotonic() + PATIENCE
        fault: Fault | None = None
        while True:
            try:
                if self.evaluate(script, arg):
                    return
            except Fault as raised:
                fault = raised
            assert time.monotonic() < end, f"never so: {script} {arg} {fault or ''}"
            time.sleep(0.05)

    def wait_for_selector(self, selector: str) -> None:
        """Wait until such an element is there."""
        self.wait_for_function("at => document.querySelector(at) !== null", arg=selector)

    def locator(self, selector: str) -> Locator:
        """Return the elements of a selector of CSS."""
        return Locator(self, selector)

    def press(self, name: str) -> None:
        """Click the button with a text, once it is shown."""
        find = """name => [...document.querySelectorAll('button')].find(one => one.checkVisibility()
            && (one.querySelector('span') ?? one).textContent === name)"""
        self.wait_for_function(f"name => Boolean(({find})(name))", arg=name)
        at = self.evaluate(
            """name => {
                const one = (FIND)(name);
                one.scrollIntoView({block: 'nearest'});
                const {x, y, width, height} = one.getBoundingClientRect();
                return [x + width / 2, y + height / 2];
            }""".replace("FIND", find),
            name,
        )
        self.mouse.click(*at)


class Locator:
    """The elements of a selector; what is done is done to the first."""

    def __init__(self, page: Page, selector: str) -> None:
        self.page, self.selector = page, selector

    def count(self) -> int:
        """Return how many there are."""
        return int(self.page.evaluate("at => document.querySelectorAll(at).length", self.selector))

    def focus(self) -> None:
        """Give it the focus."""
        self.page.evaluate("at => void document.querySelector(at).focus()", self.selector)

    def middle(self) -> tuple[float, float]:
        """Return where its middle is on the screen, once it is there."""
        self.page.wait_for_selector(self.selector)
        x, y = self.page.evaluate(
            """at => {
                const one = document.querySelector(at);
                one.scrollIntoView({block: 'nearest'});
                const {x, y, width, height} = one.getBoundingClientRect();
                return [x + width / 2, y + height / 2];
            }""",
            self.selector,
        )
        return x, y

    def click(self) -> None:
        """Click it."""
        self.page.mouse.click(*self.middle())

    def tap(self) -> None:
        """Tap it."""
        self.page.finger.click(*self.middle())


class Keyboard:
    """Its keys."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def press(self, key: str) -> None:
        """Press a key and let it go."""
        value = KEYS.get(key, key)
        steps = [{"type": "keyDown", "value": value}, {"type": "keyUp", "value": value}]
        self.page.send(
            "input.performActions", actions=[{"type": "key", "id": "k", "actions": steps}]
        )


class Pointer:
    """A mouse, or a finger."""

    def __init__(self, page: Page, kind: str) -> None:
        self.page, self.kind = page, kind
        self.at = (0.0, 0.0)

    def _do(self, *steps: dict[str, Any]) -> None:
        source: dict[str, Any] = {"type": "pointer", "id": self.kind, "actions": list(steps)}
        source["parameters"] = {"pointerType": self.kind}
        self.page.send("input.performActions", actions=[source])

    def move(self, x: float, y: float, *, steps: int = 1) -> None:
        """Move there in steps."""
        (left, top), self.at = self.at, (x, y)
        parts = [part / steps for part in range(1, steps + 1)]
        self._do(*(_move(left + part * (x - left), top + part * (y - top)) for part in parts))

    def down(self) -> None:
        """Press."""
        self._do({"type": "pointerDown", "button": 0})

    def up(self) -> None:
        """Let go."""
        self._do({"type": "pointerUp", "button": 0})

    def click(self, x: float, y: float) -> None:
        """Press and let go there."""
        self.at = (x, y)
        press, release = ({"type": f"pointer{kind}", "button": 0} for kind in ("Down", "Up"))
        self._do(_move(x, y), press, release)


def _move(x: float, y: float) -> dict[str, Any]:
    return {"type": "pointerMove", "x": round(x), "y": round(y), "duration": 0}


# WebSocket (RFC 6455), as far as one client needs it --------------------------


def _connected(port: int, path: str) -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", port), PATIENCE)
    key = base64.b64encode(os.urandom(16)).decode()
    connection.sendall(
        f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n"
        f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\n"
        "Sec-WebSocket-Version: 13\r\n\r\n".encode()
    )
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        head += _exactly(connection, 1)
    if b" 101 " not in head.partition(b"\r\n")[0]:
        raise Fault(head.decode())
    return connection


def _write(connection: socket.socket, data: bytes) -> None:
    size = len(data)
    if size < 126:
        head = bytes([0x81, 0x80 | size])
    elif size < 1 << 16:
        head = bytes([0x81, 0x80 | 126]) + size.to_bytes(2, "big")
    else:
        head = bytes([0x81, 0x80 | 127]) + size.to_bytes(8, "big")
    mask = os.urandom(4)
    masked = bytes(byte ^ key for byte, key in zip(data, itertools.cycle(mask), strict=False))
    connection.sendall(head + mask + masked)


def _read(connection: socket.socket) -> bytes:
    """Return the next text, which may come in parts; answer nothing else."""
    text = b""
    while True:
        first, size = _exactly(connection, 2)
        if size >= 126:
            size = int.from_bytes(_exactly(connection, 2 if size == 126 else 8), "big")
        data = _exactly(connection, size)
        if first & 0x0F == 8:
            raise Fault("Firefox closed the connection")
        if first & 0x0F <= 2:
            text += data
            if first & 0x80:
                return text


def _exactly(connection: socket.socket, size: int) -> bytes:
    data = b""
    while len(data) < size:
        part = connection.recv(size - len(data))
        if not part:
            raise Fault("Firefox is gone")
        data += part
    return data
