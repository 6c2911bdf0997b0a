"""The part of a campaign's page that its reader filters: runs by instance, a scatter plot, logs."""

from __future__ import annotations

import base64
import json
from typing import Any

from calmip.bench.bench import Report
from calmip.bench.campaign.logs import Course
from calmip.bench.campaign.statistics import ENDED, seconds_of
from calmip.puzzle.render.escaping import xml_text


def runs_markup(report: Report) -> str:
    """Return the markup of the runs: the controls, and the data for the script.

    The logs stay compressed until a reader opens one.
    """
    instances = sorted({run["instance"] for run in report.runs})
    place = {name: number for number, name in enumerate(instances)}
    rows: list[list[Any]] = []
    kept = _kept_logs(report)
    logs: list[str] = []
    for number, entry in enumerate(report.entries):
        for problem, run in entry.runs.items():
            course = report.courses.get(run["key"])
            best = report.bests.get((run["model"], run["goal"]))
            time = entry.times.get(problem)
            rows.append(
                [
                    place[run["instance"]],
                    number,
                    run["seed"],
                    run["status"],
                    round(seconds_of(run, report.clock), 4),
                    None if time is None else time.limit,
                    time is not None and time.solved,
                    run["key"][:8],
                    run["root_bound"],
                    run["first_solution"],
                    run["primal_integral"],
                    best,
                    [] if course is None or run["key"] not in kept else _steps(course),
                ]
            )
            logs.append(base64.b64encode(kept.get(run["key"], b"")).decode("ascii"))
    data = {
        "competitors": report.names,
        "instances": [[name, report.tags.get(name, ())] for name in instances],
        "runs": rows,
        "clock": report.clock,
    }
    text = json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")
    packed = "\n".join(logs)
    left = len(report.logs) - len(kept)
    some = f'<p class="quiet">{left:,} logs are left out; the file of results has them.</p>'
    return (
        f"<noscript><p>This table needs JavaScript; calmip bench log {xml_text(report.path.name)} "
        "RUN shows a log.</p></noscript>"
        '<form id="filters"></form><p id="found" class="quiet" role="status"></p>'
        '<div id="scatter"></div><table id="runs"></table><p><button id="more" hidden>Show all'
        f"</button></p>{some if left > 0 else ''}"
        '<dialog id="run" aria-label="Run"></dialog>'
        f'<script type="application/json" id="data">{text}</script>'
        f'<script type="text/plain" id="logs">{packed}</script>'
    )


MAX_LOG_BYTES = 1_500_000
"""The bytes of the logs of a page, which become a third more as text; so a page stays small."""


def _kept_logs(report: Report) -> dict[str, bytes]:
    """Return the logs of a page: all, or first those of runs not solved, and of the slowest."""
    order = sorted(
        (run for run in report.runs if run["key"] in report.logs),
        key=lambda run: (run["status"] in ENDED, -run["wall"]),
    )
    kept: dict[str, bytes] = {}
    left = MAX_LOG_BYTES
    for run in order:
        left -= len(report.logs[run["key"]])
        if left < 0:
            break
        kept[run["key"]] = report.logs[run["key"]]
    return kept


def _steps(course: Course) -> list[list[float | None]]:
    """Return the steps of a course, their seconds to the tenth of a millisecond."""
    return [[round(seconds, 4), *others] for seconds, *others in course.steps]


STYLE = """
#filters{display:flex;flex-wrap:wrap;gap:.4rem 1rem;align-items:end}
#filters label{display:grid;font-size:.88rem;color:var(--quiet)}
#filters input,#filters select,#runs button,#run button,#more{font:inherit;color:inherit;
background:none;border:1px solid var(--board);border-radius:.2rem;padding:.1rem .3rem}
#filters option{color:#000;background:#fff}
#runs button{border-color:transparent;text-decoration:underline dotted;cursor:pointer}
#runs button:hover,#runs button:focus-visible{border-color:currentcolor}
#scatter svg{display:block;max-width:36rem}
#scatter text{font-size:11px;fill:var(--ink)}#scatter circle{fill:#0072b2;fill-opacity:.6}
#scatter circle{cursor:pointer}#scatter circle:hover{fill:#d55e00}#run svg{max-width:36rem}
#scatter line,#run path{stroke:var(--quiet);fill:none}
#run{max-width:min(64rem,94vw);background:var(--paper);color:var(--ink)}
#run pre{overflow:auto;max-height:50vh;font-size:.8rem}
"""

SCRIPT = """
"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const [NAME, TAGS] = [0, 1];
const FIELDS = ["instance", "who", "seed", "status", "seconds", "limit", "solved", "key", "root",
  "first", "integral", "best", "steps"];
const runs = data.runs.map((row, number) => Object.assign(
  Object.fromEntries(FIELDS.map((field, place) => [field, row[place]])), {number}));
const MOST = 100;
const get = (id) => document.getElementById(id);
function make(name, words, more = {}) {
  const element = document.createElement(name);
  if (words !== null) element.textContent = words;
  for (const [key, value] of Object.entries(more)) element.setAttribute(key, value);
  return element;
}
const SVG = "http://www.w3.org/2000/svg";
function draw(name, more, words = null) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(more)) element.setAttribute(key, value);
  if (words !== null) element.textContent = words;
  return element;
}
const show = (value) => value === null ? "-" : String(Number(value.toPrecision(4)));

const cells = new Map();
for (const run of runs) {
  const key = run.instance + "/" + run.who;
  cells.set(key, [...(cells.get(key) ?? []), run]);
}
const cell = (instance, who) => cells.get(instance + "/" + who) ?? [];
const timed = (some) => some.filter((run) => run.limit !== null);
function mean(some) {
  const own = timed(some);
  const logs = own.map((run) => Math.log((run.solved ? run.seconds : run.limit) + 1e-3));
  return own.length ? Math.exp(logs.reduce((a, b) => a + b, 0) / own.length) - 1e-3 : null;
}
function words(some) {
  if (!some.length) return "";
  const solved = some.filter((run) => run.solved).length;
  if (solved === some.length) return mean(some).toFixed(3);
  const others = [...new Set(some.filter((run) => !run.solved).map((run) => run.status))];
  const what = others.join(", ");
  return solved ? `${mean(some).toFixed(3)} (${solved} of ${some.length}; ${what})` : what;
}

const form = get("filters");
function control(label, element) {
  const around = make("label", label);
  around.append(element);
  form.append(around);
  element.addEventListener("input", () => { all = false; redraw(); });
  return element;
}
function choice(label, options, chosen = 0) {
  const select = make("select", null);
  options.forEach((one, place) => {
    const option = make("option", one, {value: place});
    option.selected = place === chosen;
    select.append(option);
  });
  return control(label, select);
}
let all = false;
const tags = [...new Set(data.instances.flatMap((one) => one[TAGS]))].sort();
const statuses = [...new Set(runs.map((run) => run.status))].sort();
const text = control("Instance", make("input", null, {type: "search"}));
const tag = choice("Tag", ["any", ...tags]);
const status = choice("Status", ["any", ...statuses]);
const [one, other] = ["Scatter plot of", "against"].map((label, place) =>
  choice(label, data.competitors, Math.min(place, data.competitors.length - 1)));
form.addEventListener("submit", (event) => event.preventDefault());

function found() {
  const wanted = text.value.toLowerCase();
  return data.instances.map((_, number) => number).filter((number) => {
    const [name, own] = data.instances[number];
    return name.toLowerCase().includes(wanted)
      && (tag.value === "0" || own.includes(tags[tag.value - 1]))
      && (status.value === "0" || data.competitors.some((_, who) =>
        cell(number, who).some((run) => run.status === statuses[status.value - 1])));
  });
}

function redraw() {
  const which = found();
  get("found").textContent = `${which.length} of ${data.instances.length} instances, `
    + `${data.clock} seconds: the geometric mean of the runs; a cell opens its logs`;
  const head = make("tr", null);
  head.append(make("th", "instance", {scope: "col", class: "words"}),
    ...data.competitors.map((name) => make("th", name, {scope: "col"})));
  const body = make("tbody", null);
  for (const number of all ? which : which.slice(0, MOST)) {
    const row = make("tr", null);
    row.append(make("th", data.instances[number][NAME], {scope: "row", class: "words"}));
    data.competitors.forEach((_, who) => {
      const some = cell(number, who), place = make("td", null);
      if (some.length) {
        const button = make("button", words(some), {type: "button"});
        button.addEventListener("click", () => open(some));
        place.append(button);
      }
      row.append(place);
    });
    body.append(row);
  }
  const top = make("thead", null);
  top.append(head);
  get("runs").replaceChildren(make("caption", "Runs by instance"), top, body);
  get("more").hidden = all || which.length <= MOST;
  scatter(which);
}
get("more").addEventListener("click", () => { all = true; redraw(); });

function scatter(which) {
  const first = Number(one.value), second = Number(other.value), points = [];
  for (const number of which) {
    const x = mean(cell(number, first)), y = mean(cell(number, second));
    if (x !== null && y !== null) points.push([Math.max(x, 1e-3), Math.max(y, 1e-3), number]);
  }
  if (!points.length || first === second) {
    get("scatter").replaceChildren();
    return;
  }
  const values = points.flatMap(([x, y]) => [x, y]).map(Math.log10);
  const low = Math.floor(Math.min(...values));
  const high = Math.max(Math.ceil(Math.max(...values)), low + 1);
  const place = (value) => (Math.log10(value) - low) / (high - low) * 400;
  const names = `${data.competitors[first]} against ${data.competitors[second]}`;
  const svg = draw("svg", {viewBox: "-50 -15 560 465", role: "img", "aria-label": names});
  for (let power = low; power <= high; power += 1) {
    const at = place(10 ** power), label = String(Number((10 ** power).toPrecision(1)));
    svg.append(draw("line", {x1: at, x2: at, y1: 0, y2: 400, opacity: .3}),
      draw("line", {x1: 0, x2: 400, y1: 400 - at, y2: 400 - at, opacity: .3}),
      draw("text", {x: at, y: 416, "text-anchor": "middle"}, label),
      draw("text", {x: -6, y: 404 - at, "text-anchor": "end"}, label));
  }
  svg.append(draw("line", {x1: 0, y1: 400, x2: 400, y2: 0}),
    draw("text", {x: 200, y: 436, "text-anchor": "middle"}, `${data.competitors[first]}, seconds`),
    draw("text", {x: -40, y: -4}, `${data.competitors[second]}, seconds`));
  const far = [...points].sort((a, b) =>
    Math.abs(Math.log(b[0] / b[1])) - Math.abs(Math.log(a[0] / a[1]))).slice(0, 8);
  const named = [];
  for (const point of points) {
    const [x, y, number] = point, name = data.instances[number][NAME];
    const circle = draw("circle", {cx: place(x), cy: 400 - place(y), r: 4});
    circle.append(draw("title", {}, `${name}: ${show(x)} and ${show(y)} seconds`));
    // The table opens the same by the keyboard.
    circle.addEventListener("click", () => open([...cell(number, first), ...cell(number, second)]));
    svg.append(circle);
    const [left, top] = [place(x) + 6, 396 - place(y)];
    const free = named.every(([u, v]) => Math.abs(u - left) > 90 || Math.abs(v - top) > 12);
    if (far.includes(point) && free) {
      named.push([left, top]);
      svg.append(draw("text", {x: left, y: top}, name));
    }
  }
  get("scatter").replaceChildren(svg);
}

let packed = null;
async function log(run) {
  packed ??= get("logs").textContent.split("\\n");
  if (!packed[run.number]) return "no log is on this page; calmip bench log shows those kept";
  const bytes = Uint8Array.from(atob(packed[run.number]), (mark) => mark.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).text();
}

function gap(value, best) {
  if (value === null || value * best < 0) return 1;
  const most = Math.max(Math.abs(value), Math.abs(best));
  return most === 0 ? 0 : Math.min(1, Math.abs(value - best) / most);
}

function course(run) {
  const svg = draw("svg", {viewBox: "-40 -10 520 150", role: "img",
    "aria-label": "primal and dual gap over the seconds of solving"});
  const end = Math.max(...run.steps.map(([seconds]) => seconds), 1e-3);
  [["#0072b2", 1, "primal gap"], ["#d55e00", 2, "dual gap"]].forEach(([colour, place, name], n) => {
    let path = "M0 0";
    for (const step of run.steps) {
      path += `H${step[0] / end * 400}V${(1 - gap(step[place], run.best)) * 100}`;
    }
    svg.append(draw("path", {d: `${path}H400`, stroke: colour, "stroke-width": 2}),
      draw("text", {x: 405, y: 15 + 15 * n, fill: colour, "font-size": "11px"}, name));
  });
  const label = {fill: "var(--ink)", "font-size": "11px", "text-anchor": "end"};
  svg.append(draw("text", {x: -4, y: 8, ...label}, "100 %"),
    draw("text", {x: -4, y: 104, ...label}, "0"),
    draw("text", {x: 400, y: 120, ...label}, `${show(end)} s`));
  return svg;
}

function open(some) {
  const dialog = get("run"), close = make("button", "Close", {type: "button"});
  const body = make("div", null), place = make("div", null);
  close.addEventListener("click", () => dialog.close());
  const table = make("table", null), head = make("tr", null);
  for (const name of ["run", "competitor", "seed", "status", "seconds", "root bound",
    "first incumbent", "primal integral"]) head.append(make("th", name, {scope: "col"}));
  table.append(head);
  async function choose(run) {
    place.replaceChildren(make("h3", `${data.competitors[run.who]}, seed ${run.seed}: log`));
    if (run.steps.length && run.best !== null) place.append(course(run));
    const written = make("pre", "", {tabindex: 0});
    place.append(written);
    written.textContent = await log(run);
  }
  for (const run of some) {
    const row = make("tr", null), button = make("button", run.key, {type: "button"});
    button.addEventListener("click", () => choose(run));
    const first = make("th", null, {scope: "row"});
    first.append(button);
    row.append(first, ...[data.competitors[run.who], run.seed, run.status, show(run.seconds),
      show(run.root), show(run.first), show(run.integral)].map((value) => make("td", value)));
    table.append(row);
  }
  body.append(make("h2", data.instances[some[0].instance][NAME]), table, place);
  dialog.replaceChildren(close, body);
  dialog.showModal();
  choose(some[0]);
}
redraw();
"""
