// The views of a program's failing run: tabs, accesses with memory, source; linked with the history by operation.
"use strict";
(() => {
  const $ = (id) => document.getElementById(id);
  const run = JSON.parse($("data").textContent).run || [];
  const rows = [...document.querySelectorAll("[data-run]")];
  const order = { slice: run.map((_, i) => i).filter((i) => run[i].matters), all: run.map((_, i) => i) };
  const view = { all: !order.slice.length, at: order.slice.length ? order.slice[order.slice.length - 1] : run.length - 1 };

  // ---- tabs ---------------------------------------------------------------------------------------------------

  const tabs = [...document.querySelectorAll("[role=tab]")];
  function open(id) {
    for (const tab of tabs) {
      const on = tab.getAttribute("aria-controls") === id;
      tab.setAttribute("aria-selected", on);
      tab.tabIndex = on ? 0 : -1;
      $(tab.getAttribute("aria-controls")).hidden = !on;
    }
    draw();
  }
  const isOpen = (id) => $(id) && !$(id).hidden;
  for (const tab of tabs) {
    tab.addEventListener("click", (event) => {
      open(tab.getAttribute("aria-controls"));
      if (event.detail) tab.blur(); // clicked: the arrow keys now belong to the view
    });
    tab.addEventListener("keydown", (event) => {
      const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!by) return;
      event.stopPropagation();
      const next = tabs[(tabs.indexOf(tab) + by + tabs.length) % tabs.length];
      open(next.getAttribute("aria-controls"));
      next.focus();
    });
  }

  // ---- the run ------------------------------------------------------------------------------------------------

  const list = () => (view.all ? order.all : order.slice);

  function go(at) {
    if (at === undefined || at < 0 || at >= run.length) return;
    view.at = at;
    if (!run[at].matters) view.all = true;
    const operation = run[at].operation;
    if (operation !== undefined && operation !== null) document.dispatchEvent(new CustomEvent("linspect:operation", { detail: operation }));
    draw();
    const row = rows[at];
    if (row && isOpen("run")) row.scrollIntoView({ block: "nearest" });
  }

  function move(by) {
    const shown = list();
    let n = shown.indexOf(view.at);
    if (n < 0) n = shown.findIndex((i) => i > view.at);
    go(shown[n + by]);
  }

  function draw() {
    if (rows.length) {
      $("run-table").classList.toggle("slice", !view.all);
      $("run-slice").setAttribute("aria-pressed", !view.all);
      $("run-all").setAttribute("aria-pressed", view.all);
      rows.forEach((row, i) => {
        row.classList.toggle("now", i === view.at);
        row.classList.toggle("later", i > view.at);
        row.classList.toggle("kin", i !== view.at && run[i].accesses.some((a) => run[view.at].accesses.some((b) => a[0] === b[0])));
      });
      const shown = list();
      $("run-step").textContent = `step ${shown.indexOf(view.at) + 1} of ${shown.length}`;
      $("run-back").disabled = shown.indexOf(view.at) <= 0;
      $("run-on").disabled = shown.indexOf(view.at) === shown.length - 1;
      drawMemory();
      if (isOpen("run")) drawEdges();
    }
    drawSource();
  }

  /** What is known of memory after the current step: the last value of everything accessed so far. */
  function drawMemory() {
    const known = new Map();
    for (let i = 0; i <= view.at; i++) {
      for (const [variable, writes, value] of run[i].accesses) known.set(variable, { value, i, writes });
    }
    const entries = [...known.entries()].sort((a, b) => (a[0] < b[0] ? -1 : 1));
    $("memory").replaceChildren(...entries.flatMap(([variable, { value, i, writes }]) => {
      const name = document.createElement("dt"), text = document.createElement("dd");
      name.textContent = variable;
      text.textContent = value;
      if (i === view.at) text.className = writes ? "written" : "read";
      return [name, text];
    }));
    $("memory-at").textContent = "after this step";
    if ($("object")) {
      const states = run.slice(0, view.at + 1).map((step) => step.state).filter((state) => state !== undefined);
      $("object").textContent = states.length ? states[states.length - 1] : "as built";
    }
  }

  /** Arcs between accesses whose order matters: same variable, different threads, at least one write. */
  function drawEdges() {
    const root = $("edges"), frame = root.parentNode.getBoundingClientRect();
    const table = $("run-table").getBoundingClientRect();
    root.setAttribute("viewBox", `0 0 ${Math.ceil(table.width)} ${Math.ceil(table.height)}`);
    root.style.width = table.width + "px";
    root.style.height = table.height + "px";
    const shown = list();
    const middle = (i) => { const r = rows[i].getBoundingClientRect(); return r.top + r.height / 2 - frame.top + root.parentNode.scrollTop; };
    const last = new Map(), arcs = [];
    for (const i of shown) {
      for (const [variable, writes] of run[i].accesses) {
        const before = last.get(variable) || [];
        for (const other of before) if (other.thread !== run[i].thread && (other.writes || writes)) arcs.push([other.i, i, variable]);
        last.set(variable, writes ? [{ i, thread: run[i].thread, writes }] : [...before, { i, thread: run[i].thread, writes }]);
      }
    }
    const x = table.width - 54;
    root.replaceChildren(...arcs.slice(0, 400).map(([from, to, variable]) => {
      const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
      const y1 = middle(from), y2 = middle(to), bow = Math.min(46, 10 + (y2 - y1) / 5);
      path.setAttribute("d", `M${x} ${y1}C${x + bow} ${y1} ${x + bow} ${y2} ${x} ${y2}`);
      path.setAttribute("class", "edge" + (from === view.at || to === view.at ? " now" : ""));
      const title = document.createElementNS("http://www.w3.org/2000/svg", "title");
      title.textContent = variable;
      path.append(title);
      return path;
    }));
  }

  // ---- the source ---------------------------------------------------------------------------------------------

  function drawSource() {
    document.querySelectorAll(".line.now").forEach((line) => line.classList.remove("now"));
    const at = run[view.at] && run[view.at].at;
    if (!at) return;
    const line = document.querySelector(`[data-at="${at[0]}:${at[1]}"]`);
    if (!line) return;
    line.classList.add("now");
    if (isOpen("source")) line.scrollIntoView({ block: "nearest" });
  }

  // ---- doing --------------------------------------------------------------------------------------------------

  if (rows.length) {
    $("run-slice").addEventListener("click", () => { view.all = false; if (!run[view.at].matters) view.at = order.slice[order.slice.length - 1] ?? view.at; draw(); });
    $("run-all").addEventListener("click", () => { view.all = true; draw(); });
    $("run-back").addEventListener("click", () => move(-1));
    $("run-on").addEventListener("click", () => move(1));
    rows.forEach((row, i) => row.addEventListener("click", () => go(i)));
  }
  document.querySelectorAll("[data-go]").forEach((node) => node.addEventListener("click", () => { open("run"); go(Number(node.dataset.go)); }));
  // Before the history sees them: the arrows belong to the view that is open.
  document.addEventListener("keydown", (event) => {
    if (isOpen("history") || event.ctrlKey || event.metaKey || event.altKey) return;
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!by || event.target.closest("[role=tab]")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    move(by);
  }, true);
  addEventListener("resize", () => { if (isOpen("run")) drawEdges(); });
  draw();
})();
