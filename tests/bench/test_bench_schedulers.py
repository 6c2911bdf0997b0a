"""The scripts of the page on schedulers, each run by a fake queue, killed in the middle, continued.

The fakes know of a scheduler what its script uses: how tasks are numbered, and what is put in the
place of a number. The calmip that they start kills itself after the first run of shard 2, once.
"""

from __future__ import annotations

import os
import re
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from docblocks import blocks

import calmip
from calmip.bench.campaign.store import read_runs

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork"),
]

PAGE = Path("docs/how-to/schedulers.md")
CAMPAIGN = f"""
instances:
- {{puzzle: {Path("instances/tiny.yaml").resolve()}}}
- {{puzzle: {Path("instances/chessboard.yaml").resolve()}}}
solvers: [exact-cover]
seeds: [0, 1, 2, 3, 4, 5]
reference_every: 0
"""

KILLED = """
import os, sqlite3, subprocess, sys, time
from pathlib import Path
words = sys.argv[1:]
started = subprocess.Popen([sys.executable, "-m", "calmip", *words])
mark = Path(os.environ["MARK"])
path = words[words.index("-o") + 1]
if path == "2.db" and mark.exists():
    while started.poll() is None:
        try:
            base = sqlite3.connect(path)
            if base.execute("SELECT count(*) FROM runs").fetchone()[0]:
                started.kill()
                mark.unlink()
        except sqlite3.Error:
            pass
        base.close()
        time.sleep(0.001)
sys.exit(abs(started.wait()))
"""

FAKES = {
    "calmip": KILLED,
    "sbatch": '''
import os, re, subprocess, sys
text = open(sys.argv[-1]).read()
low, high = map(int, re.search("#SBATCH --array=([0-9]+)-([0-9]+)", text).groups())
for task in range(low, high + 1):
    subprocess.run(["sh", sys.argv[-1]], env=os.environ | {"SLURM_ARRAY_TASK_ID": str(task)})
''',
    "condor_submit": '''
import subprocess, sys
lines = open(sys.argv[1]).read().splitlines()
given = dict(line.split(" = ", 1) for line in lines if " = " in line)
for process in range(int(lines[-1].removeprefix("queue "))):
    number = str(eval(given["number"].replace("$(Process)", str(process))))
    words = given["arguments"].replace("$INT(number)", number).split()
    subprocess.run([given["executable"], *words])
''',
    "snakemake": '''
import re, subprocess, sys
from pathlib import Path
text = open("Snakefile").read()
tasks = eval(re.search("n=(range[^)]*[)])", text)[1])
merge, shard = re.findall('shell: "(.*)"', text)
for n in tasks:
    line = shard.replace("{wildcards.n}", str(n))
    if not Path(f"{n}.done").exists() and subprocess.run(line, shell=True).returncode == 0:
        Path(f"{n}.done").touch()
if not all(Path(f"{n}.done").exists() for n in tasks):
    sys.exit(1)
subprocess.run(["bash", "-c", merge.replace("{{", "{").replace("}}", "}")], check=True)
''',
    "parallel": '''
import subprocess, sys
for line in sys.stdin.read().split():
    subprocess.run([word.replace("{}", line) for word in sys.argv[3:]])
''',
    "scp": '''
import shutil, sys
from pathlib import Path
*sources, target = [Path(one.replace(":", "/")) for one in sys.argv[1:]]
for one in [target, *sources]:
    if ":" in "".join(sys.argv) and not one.suffix and str(one) != ".":
        one.mkdir(exist_ok=True)
for one in sources:
    shutil.copy(one, target)
''',
    "ssh": '''
import subprocess, sys
sys.exit(subprocess.run(sys.argv[2], shell=True, cwd=sys.argv[1]).returncode)
''',
    "actions": '''
import re, subprocess
text = open("campaign-shards.yml").read()
line = re.search("- run: (calmip .*)", text)[1]
for shard in re.search("shard: .([0-9, ]+)", text)[1].split(", "):
    subprocess.run(line.replace("${{ matrix.shard }}", shard), shell=True)
''',
}  # fmt: skip

SCRIPTS = {
    "array.sh": "sbatch array.sh",
    "shards.sub": "condor_submit shards.sub",
    "Snakefile": "snakemake --cores 4",
    "parallel.sh": "sh parallel.sh",
    "hosts.sh": "sh hosts.sh",
    "campaign-shards.yml": "actions",
}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[str, int, str]]:
    folder = tmp_path_factory.mktemp("whole")
    (folder / "campaign.yaml").write_text(CAMPAIGN)
    calmip.bench.run(folder / "campaign.yaml", folder / "r.db")
    return rows(folder / "r.db")


def rows(path: Path) -> list[tuple[str, int, str]]:
    return sorted((run["instance"], run["seed"], run["answer"]) for run in read_runs(path).runs)


def test_the_page_has_these_scripts() -> None:
    files = [block.argument for block in blocks(PAGE) if block.mark == "file"]
    assert sorted(files) == sorted([*SCRIPTS, "campaign.yaml"])


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_that_is_killed_and_run_again_does_the_campaign(
    name: str, whole: list[tuple[str, int, str]], tmp_path: Path
) -> None:
    (text,) = (block.text for block in blocks(PAGE) if block.argument == name)
    # Three shards instead of eight.
    text = re.sub(r"\b8\b", "3", re.sub(r"range\(1, 9\)", "range(1, 4)", text))
    text = re.sub(r"\[1, 2, 3, 4, 5, 6, 7, 3\]", "[1, 2, 3]", text)
    (tmp_path / name).write_text(text)
    (tmp_path / "campaign.yaml").write_text(CAMPAIGN)
    tools, mark = tmp_path / "tools", tmp_path / "mark"
    tools.mkdir()
    mark.touch()
    for tool, source in FAKES.items():
        (tools / tool).write_text(f"#!{sys.executable}\n{source}")
        (tools / tool).chmod(stat.S_IRWXU)
    known = os.environ | {"PATH": f"{tools}:{os.environ['PATH']}", "MARK": str(mark)}
    for _ in range(2):
        subprocess.run(SCRIPTS[name], shell=True, cwd=tmp_path, env=known, check=False)
        killed = not mark.exists()
    assert killed
    results = tmp_path / "results.db"
    if name != "Snakefile":
        parts = sorted(tmp_path.glob("[0-9].db"))
        assert len(parts) == (2 if name == "hosts.sh" else 3)
        calmip.bench.merge(parts, results)
    assert rows(results) == whole
