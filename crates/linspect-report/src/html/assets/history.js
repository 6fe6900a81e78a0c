// The history: who called what when, and the order of effects.
"use strict";
(() => {
  const { $, data, svg, html, columns, grouped, charWidth } = page;
  const ops = data.operations;
  const count = ops.id.length;
  const steps = data.steps;
  const isCore = new Uint8Array(count);
  for (const op of data.core) isCore[op] = 1;
  const stepOf = new Map(steps.map((step, i) => [step.operation, i]));
  // One step for each placed operation, and a last one for the operation that cannot be placed.
  const lastStep = steps.length + (data.refused === null ? 0 : 1);

  const BAND = data.bands ? 18 : 0; // the lane of what was done to the system
  const TOP = 22 + BAND, STATE = 34, MAP = 30, AXIS = 22;
  const GUTTER = Math.min(140, Math.max(60, ...data.clients.slice(0, 200).map((name) => columns(name) * charWidth + 24)));
  let ROW = 46, BOX = 26; // of the plan: lower when there are many clients
  const view = {
    part: data.core.length > 0 && data.core.length < count, // only the failing part, or the whole history
    real: false, // x is real time, or only its order
    zoom: 1, left: 0, moved: false, // by the reader
    key: null, // only operations of this key
    selected: data.refused, hovered: null,
    linked: null, // the line of the argument that is pointed at
    step: lastStep,
  };
  let plan = null;

  // ---- small things -------------------------------------------------------------------------------------------

  /** The position of the operation with this id; ids ascend. */
  function find(id) {
    id = Number(id);
    let low = 0, high = count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (ops.id[middle] < id) low = middle + 1; else high = middle;
    }
    return ops.id[low] === id ? low : null;
  }

  const { arrange, label, mark, time, knowsUnit, bands, bandText, drawBands, linesOf } = page.layout;
  const full = (op) => data.long[op] || label(op);
  const precedes = (a, b) => ops.to[a] >= 0 && ops.to[a] < ops.from[b];
  const fit = (text, width) => page.fit(text, Math.floor(width / charWidth));

  // ---- drawing ------------------------------------------------------------------------------------------------

  let paper = false; // being printed: a sheet is narrow and does not scroll
  const inner = () => (paper ? 640 : Math.max(80, $("rows").clientWidth - GUTTER));
  const toX = (x) => (x - view.left) * view.zoom;
  const rowY = (y) => TOP + y * ROW;

  function draw() {
    const width = inner();
    const least = Math.min(1, width / plan.width);
    view.zoom = Math.min(8, Math.max(least, view.zoom));
    view.left = Math.max(0, Math.min(view.left, plan.width - width / view.zoom));
    drawRows(width);
    drawAxis(width);
    drawStates(width);
    drawMap(width);
    drawPanels();
  }

  function linkedOps() {
    if (view.linked !== null) return new Set(data.because[view.linked]);
    return null;
  }

  function drawRows(width) {
    const height = TOP + plan.rows.length * ROW + 6;
    const root = $("rows");
    root.setAttribute("viewBox", `0 0 ${width + GUTTER} ${height}`);
    root.style.height = height + "px";
    const linked = linkedOps();
    const body = svg("svg", { x: GUTTER, y: 0, width, height, class: linked ? "linking" : "" });
    const labels = svg("g", {});
    const scroller = $("scroller");
    const seenFrom = paper ? 0 : scroller.scrollTop - ROW;
    const seenTo = paper ? height : scroller.scrollTop + Math.max(scroller.clientHeight, 200) + ROW;
    const boxes = svg("g", {});
    plan.rows.forEach((row, y) => {
      const top = rowY(y);
      if (top + ROW < seenFrom || top > seenTo) return;
      body.append(svg("line", { class: "rule", x1: 0, x2: width, y1: top + BOX / 2, y2: top + BOX / 2, "stroke-dasharray": "1 5" }));
      if (y === 0 || plan.rows[y - 1].client !== row.client) {
        labels.append(svg("text", { class: "client", x: 14, y: top + BOX / 2 + 4 }, data.clients[row.client]));
      }
      drawRow(row, top, width, boxes, linked);
    });
    drawPath(body);
    body.append(boxes);
    drawArguments(body);
    drawPoints(body);
    drawPlayhead(body, height, width);
    drawBands(body, plan.xOf, toX, { top: TOP - BAND, height, width });
    if (bands.length) labels.append(svg("text", { class: "client", x: 14, y: TOP - 7 }, "nemesis"));
    root.replaceChildren(body, labels);
    if (view.selected !== null && $("op-" + ops.id[view.selected])) {
      root.setAttribute("aria-activedescendant", "op-" + ops.id[view.selected]);
    } else {
      root.removeAttribute("aria-activedescendant");
    }
  }

  function drawRow(row, top, width, boxes, linked) {
    const items = row.items;
    let low = 0, high = items.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (plan.x1[items[middle]] < view.left) low = middle + 1; else high = middle;
    }
    const right = view.left + width / view.zoom;
    let dense = "", runFrom = 0, runTo = -1;
    const flush = () => {
      if (runTo >= runFrom) dense += `M${runFrom.toFixed(1)} ${top + 4}h${Math.max(0.7, runTo - runFrom).toFixed(1)}v${BOX - 8}H${runFrom.toFixed(1)}z`;
      runTo = -1;
    };
    for (let n = low; n < items.length && plan.x0[items[n]] <= right; n++) {
      const k = items[n], op = plan.list[k];
      const from = toX(plan.x0[k]), to = toX(plan.x1[k]);
      const special = isCore[op] || op === view.selected || (linked && linked.has(op));
      if (to - from < 9 && !special) {
        // Too narrow to be told apart: neighbours melt into one shape.
        if (runTo >= 0 && from - runTo < 1.2) runTo = Math.max(runTo, to);
        else { flush(); runFrom = Math.max(from, -5); runTo = Math.min(to, width + 5); }
        continue;
      }
      boxes.append(box(op, Math.max(from, -20), Math.min(to, width + 20), top, linked));
    }
    flush();
    if (dense) boxes.prepend(svg("path", { class: "dense", d: dense }));
  }

  function box(op, from, to, top, linked) {
    const classes = ["box", "m" + (ops.method[op] % 6)];
    if (op === data.refused) classes.push("refused");
    if (data.core.length && !isCore[op]) classes.push("rest");
    if (ops.to[op] < 0) classes.push("pending");
    if (op === view.selected) classes.push("selected");
    if (linked && linked.has(op)) classes.push("linked");
    const width = Math.max(3, to - from);
    const node = svg("g", {
      class: classes.join(" "), id: "op-" + ops.id[op], "data-op": ops.id[op], role: "option",
      "aria-selected": op === view.selected, "aria-label": `${label(op)} by ${data.clients[ops.client[op]]}` + (op === data.refused ? ", impossible" : ""),
    }, svg("rect", { x: from, y: top, width, height: BOX }));
    let start = Math.max(from, 0);
    const room = Math.min(to, inner()) - start - 14;
    const suffix = ops.result[op] + mark(op);
    const whole = ops.call[op] + (suffix ? " " + suffix.trim() : "");
    // What is impossible is always said in full, beside its box if need be.
    const text = op === data.refused ? whole : fit(whole, room);
    if (op === data.refused) start = Math.max(0, Math.min(start, inner() - columns(whole) * charWidth - 16));
    if (text) {
      const call = text.startsWith(ops.call[op]) ? ops.call[op] : text;
      const rest = text.slice(call.length);
      const written = svg("text", { x: start + 8, y: top + BOX / 2 + 4 }, svg("tspan", {}, call));
      if (rest) written.append(svg("tspan", { class: "result" }, rest));
      node.append(written);
    }
    return node;
  }

  /** Arrows of real time: for each line of the argument, what returned before what was called. */
  function drawArguments(body) {
    if (!data.realTime) return;
    data.because.forEach((named, line) => {
      const group = svg("g", { class: "before-group" + (view.linked === line ? " linked" : "") });
      for (let n = 1; n < named.length; n++) {
        let [a, b] = [named[n - 1], named[n]];
        if (precedes(b, a)) [a, b] = [b, a];
        const from = plan.at[a], to = plan.at[b];
        if (!precedes(a, b) || from < 0 || to < 0) continue;
        const x1 = toX(plan.x1[from]), x2 = toX(plan.x0[to]);
        if (x2 < -50 || x1 > inner() + 50 || x2 - x1 < 7) continue;
        const y1 = rowY(plan.row[from]) + BOX / 2, y2 = rowY(plan.row[to]) + BOX / 2;
        arrow(group, x1, y1, x2, y2, line + 1);
      }
      if (group.childNodes.length) body.append(group);
    });
  }

  function arrow(group, x1, y1, x2, y2, number) {
    const bend = Math.max(14, (x2 - x1) / 2);
    const lift = y1 === y2 && x2 - x1 > 60 ? -16 : 0;
    group.append(
      svg("path", { class: "before", d: `M${x1} ${y1}C${x1 + bend} ${y1 + lift} ${x2 - bend} ${y2 + lift} ${x2 - 5} ${y2}` }),
      svg("path", { class: "before-tip", d: `M${x2} ${y2}l-8 -4v8z` }),
      svg("text", { class: "before-number", x: (x1 + x2) / 2, y: (y1 + y2) / 2 + lift * 0.75 + 3.5 }, String(number)),
    );
  }

  const pointY = (k) => rowY(plan.row[k]) + BOX + 4;

  function drawPath(body) {
    if (plan.points.length > 400) return;
    const line = plan.points.filter((point) => point.i < view.step).map((point) => `${toX(point.x).toFixed(1)} ${pointY(point.k)}`);
    if (line.length > 1) body.append(svg("path", { class: "path", d: "M" + line.join("L") }));
  }

  function drawPoints(body) {
    const width = inner();
    let last = -Infinity;
    for (const point of plan.points) {
      const x = toX(point.x);
      const now = point.i === view.step - 1;
      if (x < -10 || x > width + 10 || (x - last < 3 && !now)) continue;
      last = x;
      const classes = ["point", point.i < view.step ? "done" : "", now ? "now" : ""].join(" ");
      const number = String(data.leftOut + point.i + 1);
      const node = svg("g", { class: classes, "data-step": point.i + 1 },
        svg("title", {}, `${number}. ${full(steps[point.i].operation)} takes effect: ${steps[point.i].state}`),
        svg("circle", { cx: x, cy: pointY(point.k), r: number.length > 2 ? 10 : 8 }));
      node.append(svg("text", { x, y: pointY(point.k) + 3.5 }, number));
      body.append(node);
    }
  }

  const pointAt = (step) => plan.points.find((point) => point.i === step - 1);

  function drawPlayhead(body, height, width) {
    if (view.step === 0) return;
    if (view.step <= steps.length) {
      const point = pointAt(view.step);
      if (point) body.prepend(svg("line", { class: "playhead", x1: toX(point.x), x2: toX(point.x), y1: 0, y2: height }));
      return;
    }
    const k = plan.at[data.refused];
    if (k < 0 || !data.realTime) return;
    const x = toX(plan.x1[k]);
    body.prepend(svg("line", { class: "playhead bad", x1: x, x2: x, y1: 0, y2: height }));
    const near = x > width - 190;
    body.append(svg("text", { class: "playhead-note", x: near ? x - 6 : x + 6, y: 13, "text-anchor": near ? "end" : "start" }, "had to take effect by here"));
  }

  /** Ticks of real time, in the units of the recording. */
  function drawAxis(width) {
    const root = $("axis");
    root.toggleAttribute("hidden", !view.real);
    if (!view.real) return;
    root.setAttribute("viewBox", `0 0 ${width + GUTTER} ${AXIS}`);
    root.style.height = AXIS + "px";
    const body = svg("svg", { x: GUTTER, y: 0, width, height: AXIS });
    const perPixel = 1 / (plan.scale * view.zoom);
    const power = 10 ** Math.floor(Math.log10(Math.max(1, 110 * perPixel)));
    const apart = [1, 2, 5, 10].map((n) => n * power).find((n) => n / perPixel >= 90) || 10 * power;
    const from = plan.first + Math.max(0, view.left - 12) / plan.scale;
    for (let tick = Math.ceil(from / apart) * apart; ; tick += apart) {
      const x = toX(12 + (tick - plan.first) * plan.scale);
      if (x > width) break;
      body.append(svg("line", { class: "rule", x1: x, x2: x, y1: 0, y2: 5 }), svg("text", { class: "tick", x: x + 3, y: 15 }, time(tick, apart)));
    }
    root.replaceChildren(body, svg("text", { class: "client", x: 14, y: 15 }, "time"), svg("title", {}, "since the first call" + (data.unit ? "" : ", in the units of the recording")));
  }

  /** The state of the specification along the order of effects. */
  function drawStates(width) {
    const root = $("states");
    if (!root) return;
    root.setAttribute("viewBox", `0 0 ${width + GUTTER} ${STATE}`);
    root.style.height = STATE + "px";
    const body = svg("svg", { x: GUTTER, y: 0, width, height: STATE });
    // The order ends where the refused operation had to take effect; a witness goes on.
    const refused = data.refused === null ? -1 : plan.at[data.refused];
    const end = refused < 0 || !data.realTime ? width : toX(plan.x1[refused]);
    plan.points.forEach((point, n) => {
      const from = toX(point.x);
      const after = plan.points[n + 1];
      const to = after ? toX(after.x) : Math.max(end, from + 40);
      if (to < 0 || from > width || to - from < 2) return;
      const stuck = !after && data.refused !== null && view.step > steps.length;
      const now = point.i === view.step - 1 || stuck;
      const start = Math.max(from, 0);
      body.append(svg("g", { class: "segment" + (now ? " now" : "") + (stuck ? " stuck" : ""), "data-step": point.i + 1 },
        svg("title", {}, steps[point.i].state),
        svg("rect", { x: from + 1.5, y: 5, width: to - from - 3, height: STATE - 10 }),
        svg("text", { x: start + 9, y: STATE / 2 + 4 }, fit(steps[point.i].state, Math.min(to, width) - start - 14))));
    });
    root.replaceChildren(body, svg("text", { class: "client", x: 14, y: STATE / 2 + 4 }, "state"));
  }

  /** The whole width at a glance, while only a part of it is visible. */
  let mapPaths = null;
  function drawMap(width) {
    const root = $("map");
    const all = width + GUTTER;
    root.toggleAttribute("hidden", plan.width * view.zoom <= width + 1);
    if (root.hasAttribute("hidden")) return;
    root.setAttribute("viewBox", `0 0 ${all} ${MAP}`);
    root.style.height = MAP + "px";
    const scale = all / plan.width;
    if (!mapPaths || mapPaths.plan !== plan || mapPaths.all !== all) mapPaths = { plan, all, nodes: mapNodes(all, scale) };
    const from = view.left * scale, size = (width / view.zoom) * scale;
    root.replaceChildren(mapPaths.nodes[0], svg("rect", { class: "view", x: from + 0.5, y: 0.5, width: Math.max(3, size - 1), height: MAP - 1, rx: 3 }), ...mapPaths.nodes.slice(1));
  }

  function mapNodes(all, scale) {
    const busy = new Float64Array(Math.ceil(all) + 1);
    plan.list.forEach((_, k) => {
      const from = Math.max(0, Math.floor(plan.x0[k] * scale)), to = Math.min(all, Math.floor(plan.x1[k] * scale));
      for (let x = from; x <= to; x++) busy[x]++;
    });
    const most = Math.max(1, ...busy);
    let d = "";
    busy.forEach((n, x) => { if (n) { const h = Math.max(2, (n / most) * (MAP - 8)); d += `M${x} ${MAP - 3 - h}h1v${h}h-1z`; } });
    const nodes = [svg("path", { class: "dense", d })];
    for (const op of data.core.slice(-2000)) {
      const k = plan.at[op];
      if (k >= 0 && !view.part) nodes.push(svg("rect", { class: "dense " + (op === data.refused ? "bad" : "core"), x: plan.x0[k] * scale, y: 3, width: Math.max(2.5, (plan.x1[k] - plan.x0[k]) * scale), height: MAP - 6 }));
    }
    return nodes;
  }

  // ---- panels -------------------------------------------------------------------------------------------------

  function drawPanels() {
    document.querySelectorAll("[data-line]").forEach((item) => item.classList.toggle("linked", Number(item.dataset.line) === view.linked));
    document.querySelectorAll(".op[data-op]").forEach((item) => item.classList.toggle("selected", find(item.dataset.op) === view.selected));
    document.querySelectorAll("#order li[data-step]").forEach((item) => {
      const step = Number(item.dataset.step);
      item.classList.toggle("now", step === view.step);
      item.classList.toggle("later", step > view.step);
      if (step === view.step) item.setAttribute("aria-current", "step"); else item.removeAttribute("aria-current");
    });
    followOrder();
    $("step-back").disabled = view.step === 0;
    $("step-on").disabled = view.step === lastStep;
    $("step").textContent = stepText();
    $("show-part").setAttribute("aria-pressed", view.part);
    $("show-whole").setAttribute("aria-pressed", !view.part);
    $("by-order").setAttribute("aria-pressed", !view.real);
    $("by-time").setAttribute("aria-pressed", view.real);
    drawDetails(view.hovered !== null ? view.hovered : view.selected);
  }

  function stepText() {
    if (view.step === 0) return "before all";
    if (view.step > steps.length) return "stuck: ✗";
    return `step ${data.leftOut + view.step} of ${data.leftOut + steps.length}`;
  }

  let detailed, detailedIn; // what the details are of, and in which plan
  function drawDetails(op) {
    const key = `${op} ${view.step}`;
    if (key === detailed && plan === detailedIn) return;
    [detailed, detailedIn] = [key, plan];
    const list = $("details").querySelector("dl");
    list.replaceChildren();
    if (op === null) return void list.append(html("dt", "", "Point at an operation, or select one."));
    const row = (name, ...value) => list.append(html("dt", "", name), html("dd", "", ...value));
    row("operation", html("code", op === data.refused ? "impossible" : "", full(op)));
    row("called by", data.clients[ops.client[op]]);
    row("number", `${grouped(ops.id[op] + 1)} of ${grouped(data.total)}`);
    const from = data.times[ops.from[op]];
    if (ops.to[op] < 0) row("called", `${time(from)}, never returned: it may have taken effect or not`);
    else row("real time", `${time(from)} to ${time(data.times[ops.to[op]])}` + (knowsUnit ? `, ${time(data.times[ops.to[op]] - from).slice(1)} long` : ""));
    if (ops.lines) row("recorded", linesOf(op));
    const meanwhile = bands.filter((band) => band.from <= data.times[ops.to[op] < 0 ? data.times.length - 1 : ops.to[op]] && (band.to === null || band.to >= from));
    if (meanwhile.length) row("meanwhile", meanwhile.map(bandText).join("; "));
    const beside = plan.list.filter((other) => other !== op && !precedes(other, op) && !precedes(op, other)).length;
    const alone = plan.list.length === data.total ? "nothing: it ran alone" : "none of those shown";
    row("overlaps", beside ? `${grouped(beside)} of those shown` : alone);
    if (stepOf.has(op)) {
      const i = stepOf.get(op);
      row("takes effect", `as number ${data.leftOut + i + 1}, leading to `, html("code", "", steps[i].state));
    }
    if (op === data.refused) {
      for (const { state, results } of data.allowed.slice(0, 20)) {
        const may = results.length ? results.flatMap((r, n) => [n ? " or " : "", html("code", "allowed", "→ " + r)]) : ["the call is not possible"];
        row("in state", html("code", "", state), results.length ? " only " : " ", ...may);
      }
    }
    const lines = data.because.map((named, n) => (named.includes(op) ? n + 1 : 0)).filter(Boolean);
    if (lines.length) row("because", "point " + lines.join(", "));
  }

  // ---- doing --------------------------------------------------------------------------------------------------

  let pending = false;
  function redraw() {
    if (pending) return;
    pending = true;
    requestAnimationFrame(() => { pending = false; draw(); });
  }

  function rearrange() {
    let list = view.part ? data.core : Array.from({ length: count }, (_, i) => i);
    if (view.key !== null) list = list.filter((op) => data.keys.of[op] === view.key);
    plan = arrange(list, view.real);
    [ROW, BOX] = [plan.rowHeight, plan.boxHeight];
    settle();
    draw();
  }

  /** The zoom at which most can be read, around the selected operation. */
  function settle() {
    const whole = inner() / plan.width;
    view.zoom = whole >= 1 ? Math.min(whole, 1.7) : whole > 0.72 ? whole : 1;
    view.left = 0;
    view.moved = false;
    bring(view.selected);
  }

  /** Scrolls so that `op` is visible. */
  function bring(op) {
    const k = op === null ? -1 : plan.at[op];
    if (k < 0) return;
    const size = inner() / view.zoom;
    if (plan.x0[k] < view.left || Math.min(plan.x1[k], plan.x0[k] + size / 2) > view.left + size) {
      view.left = (plan.x0[k] + Math.min(plan.x1[k], plan.x0[k] + size)) / 2 - size / 2;
    }
    const scroller = $("scroller"), top = rowY(plan.row[k]);
    if (top - 10 < scroller.scrollTop) scroller.scrollTop = top - TOP;
    else if (top + ROW > scroller.scrollTop + scroller.clientHeight) scroller.scrollTop = top + ROW - scroller.clientHeight;
  }

  function select(op) {
    view.selected = op;
    if (op !== null) page.address("op", ops.id[op] + 1);
    if (op !== null && plan.at[op] < 0) {
      view.part = false;
      if (view.key !== null && data.keys.of[op] !== view.key) { view.key = null; $("key").value = ""; }
      return rearrange();
    }
    bring(op);
    redraw();
  }

  function goto(step) {
    view.step = Math.max(0, Math.min(lastStep, step));
    view.linked = null;
    const op = view.step === 0 ? null : view.step > steps.length ? data.refused : steps[view.step - 1].operation;
    if (op !== null) select(op); else redraw();
  }

  /** Keeps the current step visible in its list, without moving the page. */
  function followOrder() {
    const list = $("order"), item = list && list.querySelector("li.now");
    if (!item) return;
    const from = item.offsetTop - list.offsetTop, to = from + item.offsetHeight;
    if (from < list.scrollTop) list.scrollTop = from - 8;
    else if (to > list.scrollTop + list.clientHeight) list.scrollTop = to - list.clientHeight + 8;
  }

  function zoom(by, around = inner() / 2) {
    const fixed = view.left + around / view.zoom;
    view.zoom = Math.min(8, Math.max(Math.min(1, inner() / plan.width), view.zoom * by));
    pan(fixed - around / view.zoom);
  }

  function pan(left) {
    view.left = left;
    view.moved = true;
    redraw();
  }

  function fitAll() {
    view.zoom = Math.min(1.7, inner() / plan.width);
    pan(0);
  }

  function walk(by) {
    const k = view.selected === null ? -1 : plan.at[view.selected];
    const to = Math.max(0, Math.min(plan.list.length - 1, k + by));
    select(plan.list[to]);
  }

  function show(part) {
    if (part && (!data.core.length || data.core.length === count)) return;
    view.part = part;
    rearrange();
  }

  const keys = {
    ArrowRight: () => goto(view.step + 1), ArrowLeft: () => goto(view.step - 1),
    Home: () => goto(0), End: () => goto(lastStep),
    j: () => walk(1), k: () => walk(-1), "+": () => zoom(1.4), "=": () => zoom(1.4), "-": () => zoom(1 / 1.4), 0: fitAll,
    f: () => show(!view.part), t: () => { view.real = !view.real; rearrange(); },
    "[": () => pan(view.left - inner() / view.zoom / 4), "]": () => pan(view.left + inner() / view.zoom / 4),
    Escape: () => { view.linked = null; view.selected = data.refused; redraw(); },
  };
  // Where a run is what the page is about, the keys belong to the history only while it has the focus.
  const own = (event) => !data.run || event.target.closest("#history, .panels");
  const { Home, End, ...always } = keys;
  page.onKeys(always, own);
  page.onKeys({ ArrowDown: keys.j, ArrowUp: keys.k, Home, End }, (event) => event.target === $("rows"));

  const buttons = {
    "step-back": () => goto(view.step - 1), "step-on": () => goto(view.step + 1), "show-part": () => show(true), "show-whole": () => show(false),
    "by-order": () => { view.real = false; rearrange(); }, "by-time": () => { view.real = true; rearrange(); },
    "zoom-in": () => zoom(1.4), "zoom-out": () => zoom(1 / 1.4), "zoom-fit": fitAll,
  };
  for (const id in buttons) $(id).addEventListener("click", buttons[id]);

  document.addEventListener("click", (event) => {
    const at = event.target.closest("#history [data-op], #history [data-step], .panels [data-op], .panels [data-step], .panels [data-line]");
    if (!at) return;
    if (at.dataset.op !== undefined) {
      if (moved > 4) return;
      const op = find(at.dataset.op);
      if (op !== null) select(op);
    } else if (at.dataset.step !== undefined) goto(Number(at.dataset.step));
    else { view.linked = view.linked === Number(at.dataset.line) ? null : Number(at.dataset.line); redraw(); }
  });

  if ($("key")) $("key").addEventListener("input", () => {
    const wanted = data.keys.names.indexOf($("key").value.trim());
    const key = wanted < 0 ? null : wanted;
    if (key === view.key) return;
    view.key = key;
    if (key !== null) view.part = false;
    if (key !== null && view.selected !== null && data.keys.of[view.selected] !== key) view.selected = null;
    rearrange();
  });

  page.onPlace("line", (line) => {
    const op = (ops.lines || []).findIndex(([first, last]) => first === line || last === line);
    if (op >= 0) { unfold(); select(op); }
  });
  page.onPlace("op", (number) => { const op = find(number - 1); if (op !== null) { unfold(); select(op); } });
  page.onSearch((words, room) => page.matching(words, room, count, (op) => `${data.clients[ops.client[op]]} ${full(op)}${ops.lines ? ` line ${ops.lines[op].join(" line ")}` : ""}`).map((op) => ({
    kind: data.clients[ops.client[op]], text: full(op) + mark(op), go: () => { unfold(); select(op); },
  })));
  function unfold() {
    const folded = $("history").closest("details");
    if (folded) folded.open = true;
  }

  document.addEventListener("pointerover", (event) => {
    const box = event.target.closest("#rows [data-op]");
    const hovered = box ? find(box.dataset.op) : null;
    if (hovered !== view.hovered) { view.hovered = hovered; drawDetails(hovered !== null ? hovered : view.selected); }
  });
  document.querySelectorAll("[data-line]").forEach((item) => {
    const line = Number(item.dataset.line);
    item.addEventListener("pointerenter", () => { view.linked = line; redraw(); });
    item.addEventListener("pointerleave", () => { view.linked = null; redraw(); });
    item.addEventListener("focusin", () => { view.linked = line; redraw(); });
    item.addEventListener("focusout", () => { view.linked = null; redraw(); });
  });

  let moved = 0;
  function drag(root, onMove) {
    root.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      let x = event.clientX;
      moved = 0;
      const move = (event) => {
        moved += Math.abs(event.clientX - x);
        if (moved > 4) root.classList.add("dragging");
        onMove(event.clientX - x, event);
        x = event.clientX;
      };
      const up = () => {
        root.classList.remove("dragging");
        removeEventListener("pointermove", move);
        removeEventListener("pointerup", up);
        removeEventListener("pointercancel", up);
      };
      addEventListener("pointermove", move);
      addEventListener("pointerup", up);
      addEventListener("pointercancel", up);
    });
  }
  drag($("rows"), (dx) => pan(view.left - dx / view.zoom));
  const jump = (event) => {
    const bounds = $("map").getBoundingClientRect();
    pan(((event.clientX - bounds.left) / bounds.width) * plan.width - inner() / view.zoom / 2);
  };
  drag($("map"), (_, event) => jump(event));
  $("map").addEventListener("pointerdown", jump);

  $("timeline").addEventListener("wheel", (event) => {
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault();
      zoom(Math.exp(-event.deltaY / 300), event.clientX - $("rows").getBoundingClientRect().left - GUTTER);
    } else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      event.preventDefault();
      pan(view.left + (event.deltaX || event.deltaY) / view.zoom);
    }
  }, { passive: false });
  $("scroller").addEventListener("scroll", redraw, { passive: true });

  rearrange();
  let known = inner();
  new ResizeObserver(() => {
    if (inner() === known) return;
    known = inner();
    if (!view.moved) settle();
    redraw();
  }).observe($("timeline"));
  const print = (on) => () => { paper = on; settle(); draw(); };
  addEventListener("beforeprint", print(true));
  addEventListener("afterprint", print(false));
  if (!data.run) page.follow();
})();
