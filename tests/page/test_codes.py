"""QR codes of the page: read by a reader of the tests, and the bytes of another encoder."""

from __future__ import annotations

import hashlib
import json
import random
import subprocess

import pytest
import qr_reader
from page_modules import WEB, node

CODES = """
import { qrCode } from "./src/more/qr.js";
const asked = JSON.parse(process.argv[1]);
console.log(JSON.stringify(asked.map(([text, mask]) => qrCode(text, mask ?? undefined))));
"""

MOST = (17, 32, 53, 78, 106, 134, 154, 192, 230, 271, 1273, 1952, 2953)
"""The bytes that versions 1 to 10, 25, 32 and 40 hold at level L."""


def codes(*asked: tuple[str, int | None]) -> list[list[list[int]] | None]:
    command = [node(), "--input-type=module", "-e", CODES, json.dumps(asked)]
    done = subprocess.run(command, cwd=WEB, capture_output=True, text=True, check=True)
    found: list[list[list[int]] | None] = json.loads(done.stdout)
    return found


@pytest.mark.long
def test_codes_of_all_sizes_and_masks_are_read() -> None:
    draw = random.Random(7)
    texts = ["", "é", "https://calmip.github.io/calmip/play/"]
    sizes = [size for most in MOST for size in (most - 1, most)]
    texts += ["".join(draw.choices("abcxyz#=&+-:/", k=size)) for size in sizes]
    asked = [(text, draw.randrange(8)) for text in texts] + [(text, None) for text in texts]
    for (text, _), code in zip(asked, codes(*asked), strict=True):
        assert code is not None
        assert qr_reader.text_of(code) == text
    sizes = [len(code or []) for code in codes(*[("a" * most, None) for most in MOST])]
    assert sizes == [4 * version + 17 for version in (*range(1, 11), 25, 32, 40)]
    assert codes(("a" * 2954, None)) == [None], "it is too long"


@pytest.mark.long
def test_the_reader_of_the_tests_refuses_a_wrong_module() -> None:
    (code,) = codes(("https://calmip.github.io", None))
    assert code is not None
    draw = random.Random(1)
    for _ in range(40):
        row, column = draw.randrange(9, len(code)), draw.randrange(9, len(code))
        if row < len(code) - 9 or column < len(code) - 9:
            code[row][column] ^= 1
            with pytest.raises((qr_reader.Unreadable, UnicodeDecodeError)):
                qr_reader.text_of(code)
            code[row][column] ^= 1


GOLDEN = {
    ("calmip", 0): "3b579d5a95ee9066",
    ("https://calmip.github.io/calmip/play/", 3): "2345980e837ffdb4",
    ("#puzzle=heart-set1&date=2024-02-29&" * 6, 5): "2eec01f467bd1eec",
    ("name: own & more;" * 60, 7): "20e5b3a8b3ad4a9d",
    ("x" * 1000, 1): "89debc245db61d19",
}
"""The SHA-256 of what the Python package qrcode 8.2 gives, rows of 0 and 1 with line feeds."""


@pytest.mark.parametrize(("text", "mask"), GOLDEN)
def test_a_code_is_that_of_another_encoder(text: str, mask: int) -> None:
    (code,) = codes((text, mask))
    assert code is not None
    rows = "\n".join("".join(map(str, row)) for row in code)
    assert hashlib.sha256(rows.encode()).hexdigest()[:16] == GOLDEN[text, mask]
