/** The lab's own style: the page's does not carry it. */

const STYLE = `
.lab-log { font: .75rem/1.4 ui-monospace, "DejaVu Sans Mono", monospace; background: var(--soft); border-radius: .6rem; padding: .6rem; max-height: 15rem; overflow: auto; white-space: pre; margin: 0; }
.steps { counter-reset: step; list-style: none; padding: 0; margin: 0; }
.steps li { counter-increment: step; padding: .1rem 0 .1rem 2.1rem; position: relative; }
.steps details { border: 0; padding: 0; }
.steps summary { padding: 0; font-weight: 600; }
.steps li::before { content: counter(step); position: absolute; left: 0; top: 0; width: 1.5rem; height: 1.5rem; border-radius: 50%; background: var(--soft); text-align: center; line-height: 1.5rem; font-size: .85rem; color: var(--ink); }
.steps li.done::before { content: "✓"; background: var(--p0); color: var(--name); }
.choice { display: inline-flex; align-items: center; gap: .4rem; max-width: 100%; }
.choice select { min-width: 0; max-width: 100%; flex: 0 1 auto; }
.counts { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .85rem; }
.counts caption { text-align: start; font-weight: 600; padding: .3rem 0; }
.counts th, .counts td { text-align: end; padding: .1rem .7rem .1rem 0; }
.counts th:first-child { text-align: start; }
.counts tbody th { font-weight: 400; }
.log-rows { max-height: 14rem; overflow: auto; }
.candidates { display: flex; flex-direction: column; gap: .25rem; max-height: 17rem; overflow: auto; padding: 3px; }
.candidate { display: grid; grid-template-columns: auto 4.6rem 2.6rem 1fr auto auto; gap: .4rem; align-items: center; font-variant-numeric: tabular-nums; }
.candidate.chosen { background: var(--soft); border-radius: .5rem; }
.candidate button { min-height: 1.9rem; padding: 0 .55rem; }
.candidate .bar { height: .7rem; background: var(--soft); border-radius: .35rem; overflow: hidden; }
.candidate .bar i { display: block; height: 100%; background: var(--accent); }
.pie { stroke: none; }
.share-of { font-size: .3px; font-weight: 700; text-anchor: middle; fill: var(--name); paint-order: stroke; stroke: #fff; stroke-width: .07px; stroke-linejoin: round; pointer-events: none; }
.tree { width: 100%; overflow: auto; max-height: 24rem; }
.tree svg { display: block; margin: 0 auto; }
.tree .small { max-width: 100%; }
.tree .edge { stroke: var(--quiet); fill: none; stroke-width: 1.5; }
.tree .node circle { fill: var(--p10); stroke: var(--line); stroke-width: 1.5; }
.tree .node { cursor: pointer; }
.tree .node.open circle { fill: var(--paper); stroke: var(--quiet); stroke-dasharray: 3 2; }
.tree .node.infeasible circle, .tree .node.bound circle, .tree .node.dominated circle { fill: var(--dull); stroke: var(--quiet); }
.tree .node.dominated circle { stroke: var(--line); stroke-width: 2.5; }
.tree .node.integral circle { fill: var(--p0); }
.tree .node.here circle { stroke: var(--accent); stroke-width: 4; }
.tree text { font-size: 10px; paint-order: stroke; stroke: var(--paper); stroke-width: 3px; }
.tree .inside { fill: var(--name); font-weight: 600; stroke: none; }
.tree .node:focus-visible { outline: none; }
.tree .node:focus-visible circle { stroke: var(--ink); stroke-width: 5; }
.which { align-self: start; }
.candidate { grid-template-columns: auto 4.6rem 1.6rem 3.2rem 1fr auto auto; }
.candidate.plain { grid-template-columns: auto 4.6rem 3.2rem 1fr auto auto; }
.weight-of { font-size: .26px; font-weight: 700; text-anchor: end; fill: var(--ink); paint-order: stroke; stroke: var(--paper); stroke-width: .12px; stroke-linejoin: round; pointer-events: none; }
.number-line { display: block; width: 100%; height: 40px; overflow: visible; font-size: 11px; font-variant-numeric: tabular-nums; }
.number-line text { fill: var(--ink); }
.number-line .axis { stroke: var(--edge); stroke-width: 1.5; }
.number-line .reached { fill: var(--p0); }
.number-line .beyond { fill: var(--dull); }
.number-line .between { fill: var(--warn); stroke: var(--edge); stroke-width: 1; }
.number-line circle { fill: var(--p10); stroke: var(--line); stroke-width: 1; }
.number-line .open circle, .number-line .open { fill: var(--paper); }
.number-line .bound, .number-line .dominated, .number-line .infeasible { fill: var(--dull); }
.number-line .integral { fill: var(--p0); }
.number-line .here { stroke: var(--accent); stroke-width: 3; }
.path-of { display: flex; flex-wrap: wrap; gap: .1rem .3rem; align-items: center; font-size: .85rem; list-style: none; margin: 0; padding: 0; }
.path-of li + li::before { content: "›"; margin-inline-end: .3rem; color: var(--quiet); }
.path-of button { min-height: 1.7rem; padding: 0 .4rem; }
.of-model { overflow: auto; max-width: 100%; }
.of-model .counts { margin-block-end: 1rem; font-size: 1rem; }
.of-model .tight td:last-child { font-weight: 700; }
.of-model .picked { background: var(--soft); }
.plane { max-width: 40rem; margin-block-end: 1rem; }
.plane > svg { display: block; width: 100%; overflow: visible; font-size: 13px; }
.plane text { fill: var(--ink); }
.plane .across, .plane .title { text-anchor: middle; }
.plane .up { text-anchor: end; }
.plane .title { font-weight: 700; }
.plane .axis { fill: none; stroke: var(--quiet); stroke-width: 1.5; }
.plane .relaxation { fill: var(--soft); stroke: var(--edge); stroke-width: 1.5; stroke-linejoin: round; }
.plane .hull { fill: var(--p0); fill-opacity: .45; stroke: var(--p0); stroke-width: 2.5; stroke-linejoin: round; }
.plane .node { fill: none; stroke: var(--accent); stroke-width: 3; stroke-linejoin: round; }
.plane polyline, .plane path { fill: none; }
.plane .branch { stroke: var(--warm); stroke-width: 2; stroke-dasharray: 2 4; }
.plane .cut { stroke: var(--bad); stroke-width: 2; stroke-dasharray: 9 4; }
.plane polyline.point { stroke: var(--ink); stroke-width: 3; }
.plane circle.point { fill: var(--ink); }
.plane .optimum { fill: var(--accent); stroke: var(--paper); stroke-width: 2; }
.plane .level { stroke: var(--ink); stroke-width: 1; stroke-dasharray: 5 3; }
.plane .goal { stroke: var(--ink); stroke-width: 2; }
.legend { display: flex; flex-wrap: wrap; gap: .2rem .9rem; list-style: none; margin: .3rem 0; padding: 0; font-size: .85rem; }
.legend li { display: inline-flex; align-items: center; gap: .3rem; }
.legend svg { width: 1.7rem; height: 1rem; }
.candidate .weight { white-space: nowrap; }
.lesson h2 { font-size: 1.15rem; margin: .2rem 0; }
.lesson p { margin: .3rem 0; }
.poll { border: 2px solid var(--accent); border-radius: .6rem; padding: .5rem .7rem; }
.poll h2 { font-size: 1.15rem; margin: 0 0 .3rem; }
.poll p { margin: .3rem 0 0; }
.poll-parts { display: flex; flex-wrap: wrap; gap: .3rem 1rem; align-items: flex-start; }
.poll-parts .code { width: 13rem; margin: 0; }
.poll-parts > :last-child { flex: 1 1 12rem; min-width: 0; }
.poll-parts > :empty { display: none; }
.options { display: grid; grid-template-columns: repeat(auto-fit, minmax(10rem, 1fr)); gap: .3rem .8rem; }
.options > [data-key=take] { grid-column: 1 / -1; }
.option { display: grid; grid-template-columns: 1fr 1.4rem; gap: .1rem .4rem; align-items: center; }
.asked .option { grid-template-columns: 1fr; }
.option button { text-align: start; justify-content: flex-start; padding: 0 .5rem; }
.option .bar { grid-column: 1 / -1; height: .35rem; background: var(--soft); border-radius: .2rem; overflow: hidden; }
.option .bar i { display: block; height: 100%; background: var(--accent); }
.option [aria-pressed=true] { background: var(--accent); color: var(--paper); }
.asked .candidates, .asked .cuts { display: none; }
#lesson-code { flex: 1; min-width: 6rem; }
.cuts .tools + .tools { margin-block-start: .4rem; }
.verdict.right { font-weight: 700; }
.tree-tools button { min-height: 1.9rem; padding: 0 .6rem; }
.tree.dragged { cursor: grabbing; user-select: none; }
.tree .folded { cursor: pointer; }
.tree .folded text { font-size: 8px; }
.tree .folded:focus-visible path { stroke: var(--ink); stroke-width: 3; }
.tree .folded path { fill: var(--soft); stroke: var(--line); stroke-width: 1.5; }
.tree .picture .edge { stroke-width: .6; vector-effect: none; }
.tree .picture .node circle { stroke-width: .4; }
.tree .picture .node.here circle { stroke-width: 1.6; }
.check-numbers > div { display: flex; flex-direction: column; gap: .5rem; max-height: 22rem; overflow: auto; }
.check-numbers p { margin: 0; }
.sum-of { font-variant-numeric: tabular-nums; line-height: 1.7; overflow-wrap: anywhere; }
.guesses, .guesses > div { display: flex; flex-direction: column; gap: .4rem; }
.guesses input[readonly] { flex: 1; min-width: 6rem; }
.guesses textarea { width: 100%; font: inherit; box-sizing: border-box; }
@media (min-width: 52rem) {
  .projector { font-size: max(24px, 1.25vw); --larger: 1.6; }
  .projector .choice:has(#lab-board), .projector .choice:has(#lab-how), .projector .polled .lesson, .projector .polled .rules { display: none; }
  .projector .lesson details { display: inline-block; border: 0; padding: 0; margin-inline-end: 1.5rem; }
  .projector .lesson details[open] { display: block; }
  .projector .counts, .projector .path-of, .projector .legend { font-size: 1rem; }
  .projector .side { gap: .6rem; }
  .projector .plane { max-width: 27rem; }
  .projector #plane-words { display: none; }
  .projector .poll-parts .code { width: 15rem; }
  .projector header, .projector footer, .projector .steps, .projector .guesses, .projector .cuts, .projector .candidates, .projector .check-numbers:not([open]) { display: none; }
  .projector #app { max-width: none; padding: .4rem; }
  .projector .lab { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); }
  .projector .lab .board-drawing { max-height: 94vh; }
  .projector .tree { max-height: 56vh; }
  .projector .tree .small { max-width: none; }
  .projector .number-line { font-size: 1rem; margin-block-end: .6rem; }
  .projector .number-line text { transform: translateY(.5rem); }
}
.turns { display: none; }
@media (max-width: 52rem), (orientation: landscape) and (max-height: 30rem) {
  .lab .tools button { flex: 1 1 auto; min-width: 3rem; padding: .2rem .4rem; }
  .turns { display: flex; gap: .3rem; position: sticky; top: 0; z-index: 3; background: var(--paper); padding: .2rem 0; }
  .turns button { flex: 1; }
  .turns [aria-pressed=true] { background: var(--accent); color: var(--paper); }
  .lab { display: flex; flex-direction: column; align-items: stretch; }
  .lab > .side { display: contents; }
  .lab > .side > * { order: 2; }
  .lab > .side > .of-line, .lab > .side > .of-tree, .lab > .side > .facts { order: 1; margin: 0; }
  .lab > .side > .poll { order: 1; }
  .lab.asked > .side > .poll { order: -1; }
  .lab[data-turn=board] .of-tree, .lab[data-turn=tree] .stage { display: none; }
  .candidate { grid-template-columns: auto minmax(4rem, 1fr) 1.6rem 3.2rem minmax(1rem, 1fr) auto auto; gap: .25rem; }
  .candidate.plain { grid-template-columns: auto minmax(4rem, 1fr) 3.2rem minmax(1rem, 1fr) auto auto; }
}
@media (pointer: coarse) { .candidate button { min-width: 44px; } .path-of button { min-height: 2.2rem; } }
@media (forced-colors: active) { .tree, .plane, .number-line, .candidate .bar { forced-color-adjust: none; } }
`;

/** Give the page this style; its policy allows sheets that a script makes. */
export function dress() {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLE);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}
