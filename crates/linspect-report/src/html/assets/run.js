// The failing run: one cursor for lanes, source, steps and memory.
"use strict";
(() => {
  const { $, data, svg, html, columns, fit, charWidth, reveal } = page;
  const run = data.run, ops = data.operations;
  const items = [...document.querySelectorAll("#walk [data-visit]")];
  const toldRows = run.map((_, i) => i).filter((i) => run[i].told);
  const everyRow = run.map((_, i) => i);
  const view = { all: toldRows.length === 0, at: 0 };
  const rows = () => (view.all ? everyRow : toldRows);
  view.at = rows()[rows().length - 1]; // where it has gone wrong

  // ---- moving -------------------------------------------------------------------------------------------------

  function go(at, quietly) {
    if (at === undefined || at < 0 || at >= run.length) return;
    view.at = at;
    if (!run[at].told) view.all = true;
    if (!quietly) page.address("step", run[at].number);
    draw();
  }

  function move(by) {
    const shown = rows();
    go(shown[shown.indexOf(view.at) + by]);
  }

  /** To the first row after the next switch, or the one before. */
  function toSwitch(by) {
    const shown = rows();
    const begins = shown.filter((row, n) => n === 0 || run[shown[n - 1]].thread !== run[row].thread);
    const wanted = by > 0 ? begins.find((row) => row > view.at) : begins.filter((row) => row < view.at).pop();
    go(wanted === undefined ? shown[by > 0 ? shown.length - 1 : 0] : wanted);
  }

  function showAll(all) {
    view.all = all || toldRows.length === 0;
    if (!view.all && !run[view.at].told) view.at = toldRows.filter((i) => i <= view.at).pop() ?? toldRows[0];
    draw();
  }

  /** The row that step `number` belongs to. */
  const rowOf = (number) => run.findIndex((row) => row.first <= number && number <= row.last);

  // ---- drawing ------------------------------------------------------------------------------------------------

  function draw() {
    const shown = rows(), n = shown.indexOf(view.at), now = run[view.at];
    $("walk").classList.toggle("told", !view.all);
    $("run-told").setAttribute("aria-pressed", !view.all);
    $("run-all").setAttribute("aria-pressed", view.all);
    $("run-step").textContent = `step ${now.number} of ${run[run.length - 1].last}`;
    for (const id of ["run-back", "switch-back"]) $(id).disabled = n <= 0;
    for (const id of ["run-on", "switch-on"]) $(id).disabled = n === shown.length - 1;
    items.forEach((item, i) => {
      item.classList.toggle("now", i === view.at);
      item.classList.toggle("later", i > view.at);
      if (i === view.at) item.setAttribute("aria-current", "step"); else item.removeAttribute("aria-current");
    });
    reveal($("walk").parentNode, items[view.at]);
    drawSource(now);
    drawMemory();
    drawLanes();
  }

  function drawSource(now) {
    document.querySelectorAll(".line.now").forEach((line) => line.classList.remove("now", "t0", "t1", "t2", "t3"));
    document.querySelectorAll(".at.now").forEach((mark) => mark.classList.remove("now"));
    document.querySelectorAll(`.at[data-visit="${view.at}"]`).forEach((mark) => mark.classList.add("now"));
    const line = now.at && document.querySelector(`[data-at="${now.at[0]}:${now.at[1]}"]`);
    if (!line) return;
    line.classList.add("now", "t" + (now.thread % 4));
    reveal($("source"), line);
  }

  /** What memory holds after the current step, as far as the run has touched it, an object at a time. */
  function drawMemory() {
    const known = new Map(), reads = new Map();
    // Where threads may read what is not the newest, a read says nothing about what is.
    const weak = run.some((row) => row.older);
    let older = [];
    for (let i = 0; i <= view.at; i++) {
      older = run[i].older || older;
      for (const [variable, looks, writes, value] of run[i].accesses) {
        const owner = variable.split(".")[0];
        if (value === "freed") for (const name of known.keys()) if (name.startsWith(variable + ".")) known.delete(name);
        if (owner !== variable && known.get(owner)?.value === "freed" && !run[i].fault) known.delete(owner);
        const newest = weak && !writes && known.has(variable) ? known.get(variable).value : value;
        known.set(variable, { value: newest, now: i === view.at, writes });
        const key = run[i].thread + " " + variable;
        if (looks && !writes) reads.set(key, { thread: run[i].thread, variable, value, number: run[i].number, told: run[i].told });
        else reads.delete(key);
      }
    }
    const objects = new Map();
    for (const name of [...known.keys()].sort()) {
      const [, unnamed, offset] = /^memory#(\d+)(.*)$/.exec(name) || [];
      const cut = name.lastIndexOf(".");
      const object = unnamed ? "without a name, " + unnamed : cut > 0 ? name.slice(0, cut) : "";
      if (!objects.has(object)) objects.set(object, []);
      objects.get(object).push([unnamed ? offset || "+0" : name.slice(cut + 1), known.get(name)]);
    }
    const cards = [...objects].map(([object, fields]) => {
      const list = html("dl", "");
      for (const [field, { value, now, writes }] of fields) {
        const text = html("dd", now ? (writes ? "written" : "read") : "", value);
        if (objects.has(value)) text.prepend("→ ");
        list.append(html("dt", "", field), text);
      }
      return html("div", "object", ...(object ? [html("h3", "", object)] : []), list);
    });
    // What a thread has read, another has changed since, and it has not looked at again: only while it still runs.
    const goesOn = (thread) => run.some((row, i) => i >= view.at && row.thread === thread);
    const stale = [...reads.values()].filter((r) => (r.told || view.all) && known.get(r.variable)?.value !== r.value && goesOn(r.thread));
    const notes = stale.map((r) => html("p", "stale t" + (r.thread % 4), html("b", "", data.threads[r.thread]), ` read ${r.variable} = ${r.value} at step ${r.number}: out of date`));
    const olds = older.filter(([thread]) => goesOn(thread)).map(([thread, variable, values]) => html("p", "stale t" + (thread % 4), html("b", "", data.threads[thread]), ` can still read ${variable} = ${values}: nothing tells it of the newest`));
    $("memory").replaceChildren(...notes, ...olds, ...cards);
    if ($("object")) {
      const states = run.slice(0, view.at + 1).map((row) => row.state).filter((state) => state !== undefined);
      $("object").textContent = states.length ? states[states.length - 1] : "as built";
    }
    if ($("model")) $("model").textContent = modelState();
  }

  /** The model after the calls that have returned, in the order that gets furthest. */
  function modelState() {
    const returned = (op) => {
      const own = run.map((row, i) => (row.operation === op ? i : -1)).filter((i) => i >= 0);
      return own.length ? own[own.length - 1] <= view.at : ops.to[op] >= 0 && ops.to[op] < firstCall;
    };
    const firstCall = Math.min(...run.filter((row) => row.operation !== null).map((row) => ops.from[row.operation]));
    const done = data.steps.filter((step) => returned(step.operation));
    return done.length ? done[done.length - 1].state : "as built";
  }

  // ---- lanes --------------------------------------------------------------------------------------------------

  const LANE = 52, GAP = 26, PAD = 16, TOP = 8;
  let drawn = null;

  /** Threads as rows, steps from left to right; calls as boxes around their steps, or what a step did where there are none. */
  function layout() {
    const shown = rows();
    const position = (i) => { // of row `i` among those shown: the next one that is
      let n = 0;
      while (n < shown.length - 1 && shown[n] < i) n++;
      return n;
    };
    const calls = new Map();
    run.forEach((row, i) => {
      if (row.operation === null) return;
      const call = calls.get(row.operation) || { op: row.operation, thread: row.thread, from: i, to: i };
      call.to = i;
      calls.set(row.operation, call);
    });
    const boxes = [...calls.values()].map((call) => ({ ...call, a: position(call.from), b: position(call.to) }));
    const text = (op) => ops.call[op] + (ops.result[op] ? " " + ops.result[op] : "") + (op === data.refused ? " ✗" : "");
    const x = [];
    const spread = shown.length > 200 ? 12 : GAP;
    const label = (n) => (run[shown[n]].operation === null && shown.length <= 60 ? fit(run[shown[n]].effect, 22) : "");
    // Calls before and after the threads have no steps: they stand at the ends.
    const outside = ops.id.map((_, op) => op).filter((op) => !calls.has(op));
    const first = Math.min(...boxes.map((box) => ops.from[box.op]));
    const sides = { before: outside.filter((op) => ops.from[op] < first), after: outside.filter((op) => ops.from[op] >= first) };
    const wide = (op) => columns(text(op)) * charWidth + 20;
    let left = PAD;
    const ends = [];
    for (const op of sides.before) { ends.push({ op, x0: left, x1: left + wide(op) }); left += wide(op) + 8; }
    for (let n = 0; n < shown.length; n++) {
      const before = n === 0 ? left + 8 : x[n - 1] + Math.max(spread, label(n - 1) ? columns(label(n - 1)) * charWidth + 34 : 0);
      x[n] = before;
      // A call that begins after one of its own thread ended stands clear of it.
      for (const box of boxes) if (box.b === n) x[n] = Math.max(x[n], x[box.a] + columns(text(box.op)) * charWidth - 4);
    }
    const last = shown.length - 1;
    let width = x[last] + Math.max(GAP, label(last) ? columns(label(last)) * charWidth + 34 : GAP);
    const room = $("lanes").clientWidth - gutter();
    const after = sides.after.reduce((sum, op) => sum + wide(op) + 8, 0);
    if (width + after < room && last > 0) {
      const stretch = Math.min(3, (room - after - left - GAP) / (width - left));
      for (let n = 0; n <= last; n++) x[n] = left + 8 + (x[n] - left - 8) * stretch;
      width = x[last] + (label(last) ? columns(label(last)) * charWidth + 34 : GAP);
    }
    for (const op of sides.after) { ends.push({ op, x0: width, x1: width + wide(op) }); width += wide(op) + 8; }
    return { shown, x, boxes, ends, text, label, width: Math.max(width + PAD, room), room };
  }

  const names = () => [...data.threads, ...(drawn && drawn.ends.length && !data.threads.includes("main") ? ["main"] : [])];
  const gutter = () => Math.max(...[...data.threads, "main"].map((name) => columns(name) * charWidth)) + 24;

  function drawLanes() {
    const plan = (drawn = layout());
    const lanes = names();
    // Whoever builds and looks afterwards stands on top.
    const busy = new Set([...plan.shown.map((i) => run[i].thread), ...plan.boxes.map((box) => box.thread), ...(plan.ends.length ? [lanes.indexOf("main")] : [])]);
    const order = lanes.map((_, i) => i).filter((i) => busy.has(i)).sort((a, b) => (lanes[b] === "main") - (lanes[a] === "main"));
    const lane = (thread) => TOP + order.indexOf(thread) * LANE;
    const height = TOP + order.length * LANE;
    const root = svg("svg", { viewBox: `0 0 ${plan.width} ${height}`, width: plan.width, height, class: "lanes" });
    const at = plan.shown.indexOf(view.at), mainLane = lane(lanes.indexOf("main"));
    root.append(svg("line", { class: "cursor", x1: plan.x[at], x2: plan.x[at], y1: 0, y2: height }));
    order.forEach((t) => root.append(svg("line", { class: "rule", x1: 0, x2: plan.width, y1: lane(t) + 24, y2: lane(t) + 24 })));
    const call = (op, x0, x1, y, className) => {
      const refused = op === data.refused;
      root.append(svg("g", { class: "call " + className + (refused ? " refused" : ""), "data-op": ops.id[op] },
        svg("rect", { x: x0, y, width: Math.max(x1 - x0, columns(plan.text(op)) * charWidth + 12), height: 42, rx: 6 }),
        svg("text", { x: x0 + 7, y: y + 13 }, plan.text(op))));
    };
    for (const end of plan.ends) call(end.op, end.x0, end.x1, mainLane + 4, "alone");
    // Steps that are not shown have their places between those that are.
    const place = (i) => {
      const n = plan.shown.findIndex((row) => row >= i);
      if (n < 0) return plan.x[plan.x.length - 1] + 10;
      if (plan.shown[n] === i) return plan.x[n];
      const before = n === 0 ? -1 : plan.shown[n - 1], left = n === 0 ? plan.x[0] - 14 : plan.x[n - 1];
      return left + ((plan.x[n] - left) * (i - before)) / (plan.shown[n] - before);
    };
    for (const box of plan.boxes) call(box.op, place(box.from) - 12, place(box.to) + 12, lane(box.thread) + 4, "t" + (box.thread % 4));
    plan.shown.forEach((i, n) => {
      const row = run[i], y = lane(row.thread) + (row.operation === null ? 24 : 33);
      const state = i === view.at ? " now" : i < view.at ? " done" : "";
      const mark = svg("g", { class: `dot t${row.thread % 4}${state}${row.fault ? " fault" : ""}`, "data-visit": i },
        svg("title", {}, `${row.number} ${row.effect}`),
        svg("circle", { cx: plan.x[n], cy: y, r: plan.shown.length > 200 ? 4 : 9 }));
      if (plan.shown.length <= 200) mark.append(svg("text", { x: plan.x[n], y: y + 3.5 }, String(row.number)));
      if (plan.label(n)) mark.append(svg("text", { class: "does", x: plan.x[n] + 14, y: y + 4 }, plan.label(n)));
      root.append(mark);
    });
    const sides = svg("svg", { class: "names", width: gutter(), height });
    order.forEach((t) => sides.append(svg("text", { class: t < data.threads.length ? "t" + (t % 4) : "", x: 14, y: lane(t) + 28 }, lanes[t])));
    const scroll = html("div", "scroll", root);
    const box = $("lanes"), was = box.querySelector(".scroll");
    const left = was ? was.scrollLeft : 0;
    box.replaceChildren(sides, scroll);
    scroll.scrollLeft = left;
    const x = plan.x[at], margin = Math.min(120, scroll.clientWidth / 4);
    if (x - margin < scroll.scrollLeft) scroll.scrollLeft = x - margin;
    else if (x + margin > scroll.scrollLeft + scroll.clientWidth) scroll.scrollLeft = x + margin - scroll.clientWidth;
    box.setAttribute("aria-valuenow", run[view.at].number);
    box.setAttribute("aria-valuetext", `step ${run[view.at].number}, ${data.threads[run[view.at].thread]}: ${run[view.at].effect}`);
  }

  /** The row nearest to where the pointer is. */
  function scrub(event) {
    const scroll = $("lanes").querySelector(".scroll"), bounds = scroll.getBoundingClientRect();
    const x = event.clientX - bounds.left + scroll.scrollLeft;
    let best = 0;
    drawn.x.forEach((at, n) => { if (Math.abs(at - x) < Math.abs(drawn.x[best] - x)) best = n; });
    if (drawn.shown[best] !== view.at) go(drawn.shown[best]);
  }

  // ---- doing --------------------------------------------------------------------------------------------------

  $("run-told").addEventListener("click", () => showAll(false));
  $("run-all").addEventListener("click", () => showAll(true));
  $("run-back").addEventListener("click", () => move(-1));
  $("run-on").addEventListener("click", () => move(1));
  $("switch-back").addEventListener("click", () => toSwitch(-1));
  $("switch-on").addEventListener("click", () => toSwitch(1));
  document.addEventListener("click", (event) => {
    const at = event.target.closest("#walk [data-visit], .at[data-visit]");
    if (at) return go(Number(at.dataset.visit));
    const line = event.target.closest(".line[data-at]");
    if (line) {
      const [file, number] = line.dataset.at.split(":").map(Number);
      const next = run.findIndex((row, i) => i > view.at && row.at && row.at[0] === file && row.at[1] === number);
      go(next >= 0 ? next : run.findIndex((row) => row.at && row.at[0] === file && row.at[1] === number));
    }
  });
  document.querySelectorAll("[data-go]").forEach((node) => node.addEventListener("click", () => {
    go(rowOf(Number(node.dataset.go) + 1));
    $("lanes").scrollIntoView({ block: "nearest" });
  }));
  $("lanes").addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || event.target.closest(".names")) return;
    scrub(event);
    const up = () => { removeEventListener("pointermove", scrub); removeEventListener("pointerup", up); removeEventListener("pointercancel", up); };
    addEventListener("pointermove", scrub);
    addEventListener("pointerup", up);
    addEventListener("pointercancel", up);
  });
  const ends = () => rows()[rows().length - 1];
  page.onKeys({
    ArrowRight: () => move(1), ArrowDown: () => move(1), ArrowLeft: () => move(-1), ArrowUp: () => move(-1),
    n: () => toSwitch(1), p: () => toSwitch(-1), a: () => showAll(!view.all), Home: () => go(rows()[0]), End: () => go(ends()),
  }, (event) => !event.target.closest("#history, .panels"));
  page.onPlace("step", (number) => go(rowOf(number), true));
  page.onSearch((words, room) => page.matching(words, room, run.length, (i) => `${data.threads[run[i].thread]} ${items[i].textContent}`).map((i) => ({
    kind: "step " + run[i].number, text: `${data.threads[run[i].thread]}  ${items[i].querySelector("code").textContent}  ${run[i].effect}`, go: () => go(i),
  })));
  const lines = [...document.querySelectorAll(".line[data-at]")];
  page.onSearch((words, room) => page.matching(words, room, lines.length, (i) => lines[i].querySelector("code").textContent).map((i) => ({
    kind: "line " + lines[i].dataset.at.split(":")[1], text: lines[i].querySelector("code").textContent.trim(), go: () => {
      document.querySelectorAll(".line.found").forEach((line) => line.classList.remove("found"));
      lines[i].classList.add("found");
      reveal($("source"), lines[i]);
    },
  })));
  let known = $("lanes").clientWidth;
  new ResizeObserver(() => { if ($("lanes").clientWidth !== known) { known = $("lanes").clientWidth; drawLanes(); } }).observe($("lanes"));
  draw();
  page.follow();
})();
