"""Firefox as it is installed, by WebDriver BiDi (w3.org/TR/webdriver-bidi), without a driver."""

from __future__ import annotations

import base64
import itertools
import json
import os
import select
import socket
import subprocess
import time
from pathlib import Path
from typing import Any

from browsing import WAIT_SECONDS, IdleError
from processes import Idle
from webdriver import Fault, Page


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
        self.users: list[str] = []
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
        end = time.monotonic() + WAIT_SECONDS
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
        self.users.append(user)
        made = self.send("browsingContext.create", {"type": "tab", "userContext": user})
        context = {"context": made["context"]}
        size = {"width": width, "height": height}
        self.send("browsingContext.setViewport", {**context, "viewport": size})
        self.send("browsingContext.navigate", {**context, "url": address, "wait": "complete"})
        return Page(self, made["context"])

    def leave(self) -> list[str]:
        """Close the pages that are open, and return what failed in them."""
        while self.users:
            self.send("browser.removeUserContext", {"userContext": self.users.pop()})
        faults, self.faults = self.faults, []
        return faults

    def reload(self, page: str) -> None:
        """Load a page anew, and wait until it is there."""
        self.send("browsingContext.reload", {"context": page, "wait": "complete"})

    def call(self, page: str, function: str, text: str) -> str:
        """Return what an asynchronous function of a text gives, a text."""
        answer = self.send(
            "script.callFunction",
            {
                "functionDeclaration": function,
                "arguments": [{"type": "string", "value": text}],
                "target": {"context": page},
                "awaitPromise": True,
                "userActivation": True,
            },
        )
        if answer["type"] == "exception":
            raise Fault(answer["exceptionDetails"]["text"])
        return str(answer["result"]["value"])

    def act(self, page: str, source: dict[str, Any]) -> None:
        """Do what a source of actions of WebDriver does."""
        self.send("input.performActions", {"context": page, "actions": [source]})

    def close(self) -> None:
        """End it."""
        try:
            if self.socket is not None:
                self.send("browser.close", {})
                self.process.wait(WAIT_SECONDS)
        except (Fault, OSError, subprocess.TimeoutExpired):
            pass
        finally:
            if self.socket is not None:
                self.socket.close()
            self.process.kill()
            self.process.wait()


# WebSocket (RFC 6455), as far as one client needs it --------------------------


def _connected(port: int, path: str) -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", port), WAIT_SECONDS)
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
    idle = Idle()
    while len(data) < size:
        if not select.select([connection], [], [], 1)[0]:
            if idle.lasts():
                raise IdleError("Firefox does nothing, and does not answer")
            continue
        part = connection.recv(size - len(data))
        if not part:
            raise Fault("Firefox is gone")
        data += part
    return data
