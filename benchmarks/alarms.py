"""How often a comparison of two versions of a solver cries wolf, and how small a slowdown it finds.

python -m benchmarks.alarms record alarms.db [--rounds 20]    real runs of GLPK against itself
python -m benchmarks.alarms simulate alarms.db                campaigns drawn from these runs
python -m benchmarks.alarms slow slow.db [--by 0.1]           one real campaign with a slower GLPK

The goal is at most two alarms in forty campaigns of twenty instances against itself, and a slowdown
of ten per cent found in eighteen of twenty, of five per cent in ten of twenty. That many real
campaigns take hours, so `simulate` draws them: a campaign is a block of consecutive recorded
runs, with the noise and the drift of its hour. The instances have the seconds of the recording.
``--drift`` adds a drift that is not in the recording: the logarithm of the machine's speed
follows an autoregressive process with this standard deviation and a memory of fifty runs, the same
for runs and reference jobs. What a campaign costs is its number of runs.
"""

from __future__ import annotations

import argparse
import math
import os
import shutil
import sys
import tempfile
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

import numpy as np

import calmip
from calmip.bench.campaign import statistics
from calmip.bench.campaign.regressions import Reference, interval
from calmip.bench.campaign.store import read_runs

INSTANCES = 20
SHIFT, TOLERANCE = 0.01, 1.01
CAMPAIGNS = 400
MEMORY = 50

CAMPAIGN = """
name: alarms
instances:
- puzzle: a-puzzle-a-day
  dates: [2024-01-05, 2024-01-20, 2024-02-04, 2024-02-19, 2024-03-05, 2024-03-20, 2024-04-04,
    2024-04-19, 2024-05-04, 2024-05-19, 2024-06-03, 2024-06-18, 2024-07-03, 2024-07-18, 2024-08-02,
    2024-08-17, 2024-09-01, 2024-09-16, 2024-10-01, 2024-10-16]
solvers: [glpk]
time_limit: 60
reference_every: 8
"""

SLOW = """#!{python}
import os, subprocess, sys, time
code = subprocess.run([{glpk!r}, *sys.argv[1:]]).returncode
used = os.times()
# This program's own seconds belong to the slowdown.
until = {by} * (used.children_user + used.children_system)
while time.process_time() < until:
    pass
raise SystemExit(code)
"""


class Recording(NamedTuple):
    """The logarithms of CPU seconds in the order of time.

    ``pairs`` has those of both runs of a pair, less the mean of the instance; ``base`` these means;
    ``jobs`` those of the reference jobs, each with the place among the pairs.
    """

    base: np.ndarray
    pairs: np.ndarray
    jobs: np.ndarray


def recorded(path: Path) -> Recording:
    """Read a file of pairs."""
    stored = read_runs(path)
    found: dict[tuple[str, int, int], dict[str, tuple[str, float]]] = defaultdict(dict)
    for run in stored.runs:
        if run["side"]:
            seconds = statistics.seconds_of(run, "cpu")
            key = run["instance"], run["seed"], run["round"]
            found[key][run["side"]] = run["finished"], math.log(seconds)
    whole = sorted(
        (min(time for time, _ in pair.values()), key[0], pair["before"][1], pair["after"][1])
        for key, pair in found.items()
        if len(pair) == 2
    )
    names = sorted({name for _, name, *_ in whole})
    means = {
        name: float(np.mean([logs for _, other, *logs in whole if other == name])) for name in names
    }
    pairs = np.array([[one - means[name], two - means[name]] for _, name, one, two in whole])
    times = [time for time, *_ in whole]
    jobs = [
        (sum(time < job["finished"] for time in times), math.log(job["cpu"]))
        for job in stored.reference
    ]
    return Recording(np.array([means[name] for name in names]), pairs, np.array(jobs))


class Drawn(NamedTuple):
    """A campaign: the logarithms of seconds of both sides by instance, and of its jobs."""

    sides: np.ndarray
    jobs: np.ndarray


def draw(recording: Recording, rounds: int, drift: float, random: np.random.Generator) -> Drawn:
    """Draw a campaign: consecutive pairs from a random place on, and the jobs among them."""
    length, total = INSTANCES * rounds, len(recording.pairs)
    first = int(random.integers(total))
    places = (first + np.arange(length)) % total
    # A step of the drift for each run.
    keep = math.exp(-1 / MEMORY)
    speed = np.empty(2 * length)
    speed[0] = random.normal(0, drift)
    for step in range(1, 2 * length):
        speed[step] = keep * speed[step - 1] + random.normal(0, drift * math.sqrt(1 - keep**2))
    order = np.array([random.permutation(2) for _ in range(length)])
    own = speed.reshape(-1, 2)
    noise = recording.pairs[places] + np.take_along_axis(own, order, axis=1)
    instances = random.permutation(np.repeat(np.arange(INSTANCES), rounds))
    sides = noise + recording.base[instances % len(recording.base)][:, None]
    at = (recording.jobs[:, 0].astype(int) - first) % total
    inside = at < length
    jobs = recording.jobs[inside, 1] + own[at[inside], 0]
    grouped = np.stack([sides[instances == number] for number in range(INSTANCES)])
    return Drawn(grouped, jobs)


def logs_of(before: np.ndarray, after: np.ndarray, slowdown: float) -> list[list[float]]:
    """Return the logarithms of ratios of seconds by instance."""
    ratios = np.log((np.exp(after) * slowdown + SHIFT) / (np.exp(before) + SHIFT))
    return [list(map(float, row)) for row in ratios]


def found_in_pairs(one: Drawn, slowdown: float) -> bool:
    """Return whether a campaign in pairs has a regression."""
    low = interval(logs_of(one.sides[:, :, 0], one.sides[:, :, 1], slowdown)).low
    return low is not None and math.exp(low) > TOLERANCE


def found_in_files(one: Drawn, other: Drawn, slowdown: float) -> bool:
    """Return whether two campaigns have a regression, compared by their reference jobs."""
    levels = [
        Reference(float(jobs.mean()), float(jobs.var(ddof=1)), len(jobs) - 1)
        for jobs in (one.jobs, other.jobs)
    ]
    low = interval(logs_of(one.sides[:, :, 0], other.sides[:, :, 1], slowdown), levels).low
    return low is not None and math.exp(low) > TOLERANCE


def found_by_bootstrap(one: Drawn, other: Drawn, slowdown: float) -> bool:
    """Return whether two campaigns have a regression by the rule of version 0.2."""
    logs = logs_of(one.sides[:, :, 0], other.sides[:, :, 1], slowdown)
    return math.exp(statistics.bootstrap(logs)[1]) > 1.05


def simulate(path: Path, drift: float) -> None:
    """Print how many of forty and of twenty campaigns are alarms and find slowdowns."""
    recording, random = recorded(path), np.random.default_rng(1)
    noise = recording.pairs[:, 1] - recording.pairs[:, 0]
    print(
        f"{len(recording.pairs)} pairs and {len(recording.jobs)} reference jobs recorded; "
        f"standard deviation of a pair's ratio {noise.std():.1%}, of a run "
        f"{recording.pairs.std():.1%}, of a reference job {recording.jobs[:, 1].std():.1%}; "
        f"drift added {drift:.0%}"
    )
    print(f"{CAMPAIGNS} campaigns of {INSTANCES} instances each; alarms of 40, found of 20")
    print(f"{'':<34}{'runs':>6}{'alarms':>8}{'+5 %':>7}{'+10 %':>7}{'+30 %':>7}")
    for rounds in (1, 2, 4):
        counts = np.zeros(4)
        for _ in range(CAMPAIGNS):
            one = draw(recording, rounds, drift, random)
            counts += [found_in_pairs(one, by) for by in (1, 1.05, 1.1, 1.3)]
        row(f"in pairs, rounds: {rounds}", 2 * INSTANCES * rounds, counts)
    for name, judge in (
        ("two files, reference jobs", found_in_files),
        ("two files, as in 0.2", found_by_bootstrap),
    ):
        counts = np.zeros(4)
        for _ in range(CAMPAIGNS // 2):
            one, other = (draw(recording, 4, drift, random) for _ in range(2))
            counts += [2 * judge(one, other, by) for by in (1, 1.05, 1.1, 1.3)]
        row(name, 2 * INSTANCES * 4, counts)


def row(name: str, runs: int, counts: np.ndarray) -> None:
    """Print the counts per forty and per twenty campaigns."""
    alarms, *found = counts / CAMPAIGNS
    print(f"{name:<34}{runs:>6}{40 * alarms:>8.1f}" + "".join(f"{20 * x:>7.1f}" for x in found))


def slow(path: Path, by: float, rounds: int) -> None:
    """Compare GLPK with one that takes so much longer, in a real campaign, and print it.

    Starting the slower one's Python takes some hundredths of a second, if that is more.
    """
    with tempfile.TemporaryDirectory() as folder:
        source, program = Path(folder) / "campaign.yaml", Path(folder) / "slow-glpsol"
        source.write_text(CAMPAIGN)
        real = shutil.which("glpsol")
        program.write_text(SLOW.format(python=sys.executable, glpk=real, by=by))
        program.chmod(0o755)
        os.environ["CALMIP_GLPSOL"] = str(program)
        calmip.bench.run(source, path, against=real, rounds=rounds)
    print(calmip.bench.diff(path, shift=SHIFT, tolerance=TOLERANCE))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("action", choices=("record", "simulate", "slow"))
    parser.add_argument("path", type=Path)
    parser.add_argument("--rounds", type=int, default=0)
    parser.add_argument("--drift", type=float, default=0.0)
    parser.add_argument("--by", type=float, default=0.1)
    options = parser.parse_args()
    if options.action == "simulate":
        simulate(options.path, options.drift)
    elif options.action == "slow":
        slow(options.path, options.by, options.rounds or 2)
    else:
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder) / "campaign.yaml"
            source.write_text(CAMPAIGN)
            print(calmip.bench.aa(source, options.path, rounds=options.rounds or 20, shift=SHIFT))


if __name__ == "__main__":
    main()
