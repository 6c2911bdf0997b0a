"""The page to play on as an app: the files that the site has beside the one file.

A browser installs it from ``play/``, and opens it without a network after the first visit. The
one file of ``calmip play -o`` needs none of this.
"""

from __future__ import annotations

import hashlib
import json
import struct
import zlib
from pathlib import Path

import feed

from calmip.puzzle.render.report import hash_of
from calmip.puzzle.tasks.play import board_script, more_script, page_text, solver_script

WORKER = (Path(__file__).parent / "service_worker.js").read_text(encoding="utf-8")

# In a frame of the front page it is looked at, not visited.
REGISTER = """
if (parent === window) navigator.serviceWorker?.register("sw.js").catch(() => {});
"""
POLICY = {
    "script-src ": f"script-src '{hash_of(REGISTER)}' ",
    "worker-src blob:": "worker-src 'self' blob:; manifest-src 'self'",
    "img-src data:": "img-src 'self' data:",
}
TITLE = "calmip: a calendar puzzle for each day"
ABOUT = "Cover everything but today's date. Puzzles to play, and the integer program inside them."
ALT = "A solved calendar puzzle, on which Feb and 29 stay uncovered"
HEAD = f"""<link rel="manifest" href="manifest.webmanifest">
<meta name="theme-color" content="#3d46d6">
<link rel="canonical" href="{feed.SITE}">
<link rel="apple-touch-icon" href="icon-180.png">
<link rel="alternate" type="application/rss+xml" title="The puzzle of the day" href="feed.xml">
<meta property="og:type" content="website">
<meta property="og:site_name" content="calmip">
<meta property="og:title" content="{TITLE}">
<meta property="og:description" content="{ABOUT}">
<meta property="og:url" content="{feed.SITE}">
<meta property="og:image" content="{feed.PICTURE}">
<meta property="og:image:width" content="1200">
<meta property="og:image:height" content="630">
<meta property="og:image:alt" content="{ALT}">
<meta name="twitter:card" content="summary_large_image">
<title>{TITLE}</title>
"""

ICON = (
    "aaabbbbb",
    "aaabbbbb",
    "aa.bb.bb",
    "aa....bb",
    "aaa..bbb",
    "aaa..bbb",
    "aaaaaaab",
    "aaaaaaab",
)
COLOURS = {"a": (0x6B, 0xBB, 0x92), "b": (0xE0, 0x72, 0x27), ".": (0x1C, 0x1C, 0x22)}


def files() -> dict[str, bytes]:
    """Return the files of the folder ``play/``, by name."""
    found = {
        "index.html": _page().encode(),
        "more.js": more_script().encode(),
        "highs.js": solver_script().encode(),
        "manifest.webmanifest": json.dumps(_manifest(), indent=1).encode(),
        "icon-192.png": _icon(192),
        "icon-512.png": _icon(512),
        "icon-180.png": _icon(180),
    }
    # Another file is another cache: so a browser never mixes two versions.
    parts = (name.encode() + content for name, content in found.items())
    version = hashlib.sha256(b"".join(parts)).hexdigest()[:12]
    worker = WORKER.replace('"VERSION"', json.dumps(version))
    worker = worker.replace('["FILES"]', json.dumps(["./", *found]))
    # The board is for pages of others: this one has it inside.
    return {**found, "sw.js": worker.encode(), "board.js": board_script().encode()}


def _page() -> str:
    text = page_text(whole=False)
    parts = {
        **POLICY,
        f'"description" content="{_manifest()["description"]}"': f'"description" content="{ABOUT}"',
        "<title>calmip</title>\n": HEAD,
        "</body>": f"<script>{REGISTER}</script>\n</body>",
    }
    for old, new in parts.items():
        assert text.count(old) == 1, f"the page has {old} {text.count(old)} times"
        text = text.replace(old, new)
    return text


def _manifest() -> dict[str, object]:
    return {
        "name": "calmip: calendar puzzles",
        "short_name": "calmip",
        "description": "Calendar puzzles to play, and the integer program inside them.",
        "lang": "en",
        "id": "calmip",
        "start_url": "index.html",
        "scope": "./",
        "display": "standalone",
        "background_color": "#ffffff",
        "theme_color": "#3d46d6",
        "icons": [
            {
                "src": f"icon-{size}.png",
                "sizes": f"{size}x{size}",
                "type": "image/png",
                "purpose": purpose,
            }
            for size in (192, 512)
            for purpose in ("any", "maskable")
        ],
    }


def _icon(size: int) -> bytes:
    """Return two pieces as a picture in PNG (RFC 2083), with a margin that a round mask may cut."""
    cells = [[COLOURS["."]] * 12 for _ in range(12)]
    for row, line in enumerate(ICON):
        cells[row + 2][2:10] = [COLOURS[mark] for mark in line]
    lines = bytearray()
    for y in range(size):
        colours = cells[y * 12 // size]
        lines += b"\0" + b"".join(bytes(colours[x * 12 // size]) for x in range(size))
    head = struct.pack(">IIBBBBB", size, size, 8, 2, 0, 0, 0)
    chunks = (b"IHDR", head), (b"IDAT", zlib.compress(bytes(lines), 9)), (b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in chunks
    )
