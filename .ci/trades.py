"""Run the fast suite in a copy of the project without a trade: .ci/trades.py [TRADE...]."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "helpers")]

from trades import TRADES, copy_without  # noqa: E402


def main(chosen: list[str]) -> int:
    """Return the number of trades without which a test fails."""
    failed = []
    for trade in chosen or TRADES:
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(scratch, trade)
            copy_without(trade, folder)
            sys.stdout.write(f"without {trade}\n")
            sys.stdout.flush()
            command = [sys.executable, "-m", "pytest", "-q", "-n", "auto", "-p", "no:cacheprovider"]
            temporary = Path(scratch, "temporary")
            environment = {**os.environ, "PYTHONPATH": str(folder)}
            if subprocess.call([*command, f"--basetemp={temporary}"], cwd=folder, env=environment):
                failed.append(trade)
    if failed:
        sys.stderr.write(f"tests fail without: {', '.join(failed)}\n")
    return len(failed)


if __name__ == "__main__":
    unknown = set(sys.argv[1:]) - {*TRADES}
    if unknown:
        sys.exit(f"there is no trade {', '.join(sorted(unknown))}; there are {', '.join(TRADES)}")
    sys.exit(main(sys.argv[1:]))
