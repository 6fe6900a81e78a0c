// Where each operation of a history stands in the drawing, what was done to the system behind it, and how times are said.
"use strict";
page.layout = (() => {
  const { data, svg, html, columns, grouped, charWidth } = page;
  const ops = data.operations, steps = data.steps;
  const count = ops.id.length;
  const label = (op) => ops.call[op] + (ops.result[op] ? " " + ops.result[op] : "");
  const mark = (op) => (op === data.refused ? " ✗" : "");
  const need = (op) => columns(label(op) + mark(op)) * charWidth + 20;

  /** Rows and x positions, in pixels at zoom 1, of the operations `list` (sorted by call), in real time or only in its order. */
  function arrange(list, real) {
    const plan = { list, at: new Int32Array(count).fill(-1), x0: new Float64Array(list.length), x1: new Float64Array(list.length) };
    list.forEach((op, k) => { plan.at[op] = k; });
    plan.width = real ? byTime(plan) : byOrder(plan);
    plan.rows = intoRows(plan);
    plan.points = placePoints(plan);
    plan.xOf = real ? (time) => 12 + (time - plan.first) * plan.scale : between(plan);
    return plan;
  }

  /** Where a time is in the drawing, if only the order counts: between the calls and returns around it. */
  function between(plan) {
    const known = [];
    plan.list.forEach((op, k) => {
      known.push([data.times[ops.from[op]], plan.x0[k]]);
      if (ops.to[op] >= 0) known.push([data.times[ops.to[op]], plan.x1[k]]);
    });
    known.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    return (time) => {
      let low = 0, high = known.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (known[middle][0] < time) low = middle + 1; else high = middle;
      }
      const after = known[low], before = known[low - 1];
      if (!after) return plan.width;
      if (!before || after[0] === time) return before ? after[1] : Math.min(after[1], 4);
      return before[1] + ((time - before[0]) / (after[0] - before[0])) * (after[1] - before[1]);
    };
  }

  /** Only the order of calls and returns counts: a run of calls shares a column, so does a run of returns; labels fit. */
  function byOrder(plan) {
    const ranks = data.times.length;
    const called = new Uint8Array(ranks), returned = new Uint8Array(ranks);
    for (const op of plan.list) {
      called[ops.from[op]] = 1;
      if (ops.to[op] >= 0) returned[ops.to[op]] = 1;
    }
    const callColumn = new Int32Array(ranks), returnColumn = new Int32Array(ranks);
    let column = -1, kind = 0;
    for (let r = 0; r < ranks; r++) {
      // Calls come first: equal times overlap.
      if (called[r]) { if (kind !== 1) { column++; kind = 1; } callColumn[r] = column; }
      if (returned[r]) { if (kind !== 2) { column++; kind = 2; } returnColumn[r] = column; }
    }
    const ending = new Int32Array(column + 2).fill(-1), next = new Int32Array(plan.list.length);
    const begin = plan.list.map((op) => callColumn[ops.from[op]]);
    plan.list.forEach((op, k) => {
      const end = ops.to[op] < 0 ? column + 1 : returnColumn[ops.to[op]];
      next[k] = ending[end];
      ending[end] = k;
    });
    const x = new Float64Array(column + 2);
    for (let c = 0; c <= column + 1; c++) {
      x[c] = c === 0 ? 12 : x[c - 1] + 18;
      for (let k = ending[c]; k >= 0; k = next[k]) x[c] = Math.max(x[c], x[begin[k]] + need(plan.list[k]));
      for (let k = ending[c]; k >= 0; k = next[k]) plan.x1[k] = x[c];
    }
    begin.forEach((c, k) => { plan.x0[k] = x[c]; });
    return x[column + 1] + 12;
  }

  /** True to scale; a typical operation is as wide as its label. */
  function byTime(plan) {
    const middle = (values) => Float64Array.from(values).sort()[values.length >> 1] || 1;
    const ended = plan.list.filter((op) => ops.to[op] >= 0);
    const scale = middle(ended.map(need)) / middle(ended.map((op) => data.times[ops.to[op]] - data.times[ops.from[op]]));
    const first = data.times[ops.from[plan.list[0]]] || 0;
    plan.scale = scale;
    plan.first = first;
    let end = 0;
    plan.list.forEach((op, k) => {
      plan.x0[k] = 12 + (data.times[ops.from[op]] - first) * scale;
      plan.x1[k] = ops.to[op] < 0 ? -1 : Math.max(plan.x0[k] + 2, 12 + (data.times[ops.to[op]] - first) * scale);
      end = Math.max(end, plan.x0[k] + 40, plan.x1[k]);
    });
    plan.list.forEach((_, k) => { if (plan.x1[k] < 0) plan.x1[k] = end + 12; });
    return end + 24;
  }

  /** One row per client; a client with several operations in flight gets several. */
  function intoRows(plan) {
    const lanes = new Map();
    plan.list.forEach((op, k) => {
      const client = ops.client[op];
      if (!lanes.has(client)) lanes.set(client, []);
      const mine = lanes.get(client);
      let lane = mine.find((row) => row.until >= 0 && row.until < ops.from[op]);
      if (!lane) mine.push((lane = { client, items: [], until: 0 }));
      lane.items.push(k);
      lane.until = ops.to[op];
    });
    const rows = [...lanes.keys()].sort((a, b) => a - b).flatMap((client) => lanes.get(client));
    [plan.rowHeight, plan.boxHeight] = rows.length > 16 ? [34, 20] : rows.length > 8 ? [40, 24] : [46, 26];
    plan.row = new Int32Array(plan.list.length);
    rows.forEach((row, y) => row.items.forEach((k) => { plan.row[k] = y; }));
    return rows;
  }

  /** Where along x each step of the order takes effect: within its operation, in order, as far apart as there is room. */
  function placePoints(plan) {
    const shown = steps.map((step, i) => ({ i, k: plan.at[step.operation] })).filter((point) => point.k >= 0);
    if (!data.realTime) {
      return shown.map(({ i, k }) => ({ i, k, x: (plan.x0[k] + plan.x1[k]) / 2 }));
    }
    for (const apart of [20, 10, 5, 2, 0.5, 0]) {
      const early = [], late = [];
      let x = -Infinity;
      for (const { k } of shown) early.push((x = Math.max(x + apart, plan.x0[k] + Math.min(apart, 10))));
      x = Infinity;
      for (const { k } of [...shown].reverse()) late.unshift((x = Math.min(x - apart, plan.x1[k] - Math.min(apart, 10))));
      if (apart === 0 || early.every((x, n) => x <= late[n])) {
        return shown.map(({ i, k }, n) => ({ i, k, x: (early[n] + late[n]) / 2 }));
      }
    }
    return [];
  }

  // ---- beside the operations ----------------------------------------------------------------------------------

  const bands = data.bands || [];
  /** What was done to the system, behind the operations. */
  function drawBands(body, xOf, toX, { top, height, width }) {
    let free = 0;
    for (const band of [...bands].reverse()) {
      const from = Math.max(-2, toX(xOf(band.from))), to = Math.min(width + 2, band.to === null ? width + 2 : toX(xOf(band.to)));
      if (to < 0 || from > width) continue;
      body.prepend(svg("g", { class: "band" }, svg("title", {}, bandText(band)), svg("rect", { x: from, y: top, width: Math.max(1.5, to - from), height: height - top })));
    }
    for (const band of bands) {
      const from = Math.max(0, toX(xOf(band.from))), to = Math.min(width, band.to === null ? width : toX(xOf(band.to)));
      const text = page.fit(band.what, Math.floor((to - Math.max(from, free) - 8) / charWidth));
      if (!text || to < 0 || from > width) continue;
      body.append(svg("text", { class: "band-name", x: Math.max(from, free) + 4, y: top + 11 }, text));
      free = Math.max(from, free) + columns(text) * charWidth + 10;
    }
  }

  const bandText = (band) => `${band.what}${band.details ? ": " + band.details : ""}, ${time(band.from)} to ${band.to === null ? "the end" : time(band.to)}`;

  // ---- units --------------------------------------------------------------------------------------------------

  const UNITS = [["s", 1e9], ["ms", 1e6], ["µs", 1e3], ["ns", 1]];
  const unit = UNITS.find(([name]) => name === (data.unit === "us" ? "µs" : data.unit));
  /** A time since the first call, as fine as `step`. */
  function time(ticks, step = 0) {
    if (!unit) return "+" + grouped(ticks) + (data.unit ? " " + data.unit : "");
    const nanos = ticks * unit[1], fine = (step || ticks) * unit[1];
    const [name, size] = UNITS.find(([, size]) => fine >= size) || UNITS[3];
    const digits = Math.max(0, Math.min(3, step ? Math.ceil(-Math.log10(fine / size)) : 3));
    const [whole, part] = (nanos / size).toFixed(digits).split(".");
    return `+${grouped(whole)}${part && Number(part) ? "." + part.replace(/0+$/, "") : ""} ${name}`;
  }

  /** The lines of the file that say it, as a link where the page knows the file. */
  function linesOf(op) {
    const [first, last] = ops.lines[op];
    const text = first === last ? "line " + grouped(first) : `lines ${grouped(first)} and ${grouped(last)}`;
    if (!data.recording) return text;
    const link = html("a", "", text);
    link.setAttribute("href", `${data.recording}#L${first}`);
    return link;
  }

  return { arrange, label, mark, time, knowsUnit: Boolean(unit), bands, bandText, drawBands, linesOf };
})();
