// What every page has: the data, small tools, search, addresses, themes, copying. Text from the finding enters the page
// only as text nodes and attributes, never as markup.
"use strict";
const page = (() => {
  const $ = (id) => document.getElementById(id);
  const data = JSON.parse($("data").textContent);

  function svg(name, attributes, ...children) {
    const node = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const key in attributes) node.setAttribute(key, attributes[key]);
    node.append(...children);
    return node;
  }

  function html(name, className, ...children) {
    const node = document.createElement(name);
    if (className) node.className = className;
    node.append(...children);
    return node;
  }

  /** How many columns of a fixed-width face a text takes. */
  const columns = (text) => {
    let n = 0;
    for (const c of text) n += c.codePointAt(0) >= 0x1100 && c !== "→" && c !== "…" && c !== "✗" ? 2 : 1;
    return n;
  };

  /** `text`, or as much of it as `room` columns hold. */
  function fit(text, room) {
    if (columns(text) <= room) return text;
    if (room < 3) return "";
    let used = 1, out = "";
    for (const c of text) {
      used += columns(c);
      if (used > room) break;
      out += c;
    }
    return out + "…";
  }

  const grouped = (n) => String(n).replace(/\B(?=(\d{3})+$)/g, "\u00a0");

  const charWidth = (() => {
    const pen = document.createElement("canvas").getContext("2d");
    pen.font = "12px " + getComputedStyle($("search")).getPropertyValue("--mono");
    return pen.measureText("0".repeat(50)).width / 50 || 7.3;
  })();

  /** Scrolls `box` alone, never the page, so that `item` is seen with something around it. */
  function reveal(box, item) {
    const outer = box.getBoundingClientRect(), inner = item.getBoundingClientRect();
    const margin = Math.min(60, outer.height / 4);
    const head = box.querySelector(":scope > h2");
    const top = outer.top + margin + (head ? head.offsetHeight : 0);
    if (inner.top < top) box.scrollTop -= top - inner.top;
    else if (inner.bottom > outer.bottom - margin) box.scrollTop += inner.bottom - outer.bottom + margin;
  }

  // ---- keys ---------------------------------------------------------------------------------------------------

  const keys = [];
  /** `map` from keys to deeds, asked while `when(event)` holds; who comes last is asked first. */
  const onKeys = (map, when = () => true) => keys.unshift({ map, when });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input")) return;
    for (const { map, when } of keys) {
      if (!Object.hasOwn(map, event.key) || !when(event)) continue;
      event.preventDefault();
      return void map[event.key]();
    }
  });

  // ---- addresses: #step=11, #op=17 ----------------------------------------------------------------------------

  const places = {};
  /** What to do with `#name=number`. */
  const onPlace = (name, go) => { places[name] = go; };
  function address(name, number) {
    if (location.hash !== `#${name}=${number}`) history.replaceState(null, "", `#${name}=${number}`);
  }
  function follow() {
    const [, name, number] = /^#([a-z]+)=(\d+)$/.exec(location.hash) || [];
    if (name && Object.hasOwn(places, name)) places[name](Number(number));
    return Boolean(name);
  }
  addEventListener("hashchange", follow);

  // ---- search -------------------------------------------------------------------------------------------------

  const MOST = 60;
  const providers = [];
  /** `find(words, room)` gives up to `room` hits `{kind, text, go}`. */
  const onSearch = (find) => providers.push(find);
  const box = $("search"), list = $("hits");
  let hits = [], chosen = 0;

  function search() {
    const words = box.value.trim().toLowerCase();
    hits = [];
    if (words) for (const find of providers) hits.push(...find(words, MOST - hits.length));
    chosen = 0;
    list.replaceChildren(...hits.map((hit, n) => {
      const item = html("li", "", html("span", "kind", hit.kind), html("span", "hit", hit.text));
      item.id = "hit-" + n;
      item.setAttribute("role", "option");
      item.addEventListener("pointerdown", (event) => { event.preventDefault(); pick(n); });
      return item;
    }));
    if (words && !hits.length) list.append(html("li", "none", "nothing found"));
    list.hidden = !words;
    box.setAttribute("aria-expanded", String(Boolean(words)));
    choose(0);
  }

  function choose(n) {
    chosen = Math.max(0, Math.min(hits.length - 1, n));
    [...list.children].forEach((item, i) => item.setAttribute("aria-selected", String(i === chosen)));
    if (hits.length) {
      box.setAttribute("aria-activedescendant", "hit-" + chosen);
      list.children[chosen].scrollIntoView({ block: "nearest" });
    } else box.removeAttribute("aria-activedescendant");
  }

  function pick(n) {
    if (!hits[n]) return;
    hits[n].go();
    choose(n);
  }

  function close() {
    list.hidden = true;
    box.setAttribute("aria-expanded", "false");
    box.blur();
  }

  box.addEventListener("input", search);
  box.addEventListener("focus", () => { if (box.value.trim()) search(); });
  box.addEventListener("blur", () => { list.hidden = true; });
  box.addEventListener("keydown", (event) => {
    const deeds = {
      ArrowDown: () => choose(chosen + 1), ArrowUp: () => choose(chosen - 1),
      Enter: () => { pick(chosen); close(); }, Escape: () => { box.value = ""; search(); close(); },
    };
    if (!Object.hasOwn(deeds, event.key)) return;
    event.preventDefault();
    deeds[event.key]();
  });

  /** Up to `room` of `texts(0)`, `texts(1)`, … that contain `words`, as numbers. */
  function matching(words, room, count, texts) {
    const found = [];
    for (let i = 0; i < count && found.length < room; i++) if (texts(i).toLowerCase().includes(words)) found.push(i);
    return found;
  }

  // ---- themes, copying, printing ------------------------------------------------------------------------------

  function theme() {
    const root = document.documentElement;
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
  }
  $("theme").addEventListener("click", theme);
  onKeys({ d: theme, "/": () => { box.focus(); box.select(); } });

  /** The clipboard of a page that came from a file may be closed to scripts; a selection never is. */
  function copy(text) {
    const area = html("textarea", "copied");
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  document.querySelectorAll("[data-copy], [data-copy-from]").forEach((button) => button.addEventListener("click", () => {
    copy(button.dataset.copy !== undefined ? button.dataset.copy : $(button.dataset.copyFrom).textContent);
    const was = button.textContent;
    button.textContent = "copied";
    setTimeout(() => { button.textContent = was; }, 1200);
  }));

  const folded = [];
  addEventListener("beforeprint", () => document.querySelectorAll("details:not([open])").forEach((d) => { d.open = true; folded.push(d); }));
  addEventListener("afterprint", () => folded.splice(0).forEach((d) => { d.open = false; }));
  document.documentElement.dataset.ready = "yes";

  return { $, data, svg, html, columns, fit, grouped, charWidth, reveal, onKeys, onPlace, address, follow, onSearch, matching };
})();
