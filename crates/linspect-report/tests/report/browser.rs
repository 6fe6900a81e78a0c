//! The HTML in real Chromium: clicked, stepped, resized, attacked.

use crate::chromium::Page;
use crate::{program, samples};
use linspect_report::finding::WINDOW;
use linspect_report::html::{render, render_beside};
use linspect_report::{Disturbance, Recording};

fn open(finding: &linspect_report::Finding) -> Page {
    let mut page = Page::open(&render(finding), 1280, 900);
    let ready = page.eval("document.documentElement.dataset.ready");
    assert_ne!(ready, serde_json::Value::Null, "{:?}", page.complaints);
    page
}

#[test]
fn the_history_is_explored_by_mouse_and_keyboard() {
    let mut page = open(&samples::queue());

    // At first: only the failing part, with the impossible operation marked and described.
    assert_eq!(page.count("#rows .box"), 4);
    assert_eq!(page.text("#rows .box.refused"), "dequeue() → 2 ✗");
    assert_eq!(page.text("#details dd"), "dequeue() → 2");
    assert_eq!(page.text("#step"), "stuck: ✗");
    assert_eq!(page.text("#states .segment.stuck text"), "[1, 2]");
    assert_eq!(page.count(".before-group"), 2);

    // Hovering shows details, leaving brings the selection back; clicking selects.
    page.hover("#op-3");
    assert_eq!(page.text("#details dd"), "enqueue(2)");
    page.hover("h1");
    assert_eq!(page.text("#details dd"), "dequeue() → 2");
    page.click("#op-6");
    page.hover("h1");
    assert_eq!(page.text("#details dd"), "dequeue() → 1");
    assert_eq!(page.count("#op-6.selected"), 1);
    assert_eq!(
        page.eval("document.getElementById('rows').getAttribute('aria-activedescendant')"),
        "op-6"
    );

    // A line of the argument lights up what it speaks of, and nothing else.
    page.hover("[data-line='0']");
    assert_eq!(page.count("#rows .linking .box.linked"), 2);
    assert_eq!(page.count("#op-2.linked, #op-3.linked"), 2);
    assert_eq!(page.count(".before-group.linked"), 1);
    page.picture("queue-linked");
    page.hover("h1");
    assert_eq!(page.count("#rows .linking"), 0);

    // Stepping back and on, by key and by button.
    page.key("ArrowLeft");
    assert_eq!(page.text("#step"), "step 2 of 2");
    assert_eq!(page.text("#order li.now .state"), "[1, 2]");
    page.key("ArrowLeft");
    assert_eq!(page.text("#order li.now .state"), "[1]");
    assert_eq!(page.text("#details dd"), "enqueue(1)");
    assert_eq!((page.count(".point.done"), page.count(".point")), (1, 2));
    page.key("ArrowLeft");
    assert_eq!(page.text("#step"), "before all");
    page.key("ArrowLeft");
    assert_eq!(page.text("#step"), "before all");
    page.click("#step-on");
    assert_eq!(page.text("#step"), "step 1 of 2");
    page.click("#order li[data-step='3']");
    assert_eq!(page.text("#step"), "stuck: ✗");

    // The whole history, with the rest dimmed; an operation of the rest has details too.
    page.key("f");
    assert_eq!(page.count("#rows .box"), 9);
    assert_eq!(page.count("#rows .box.rest"), 5);
    page.picture("queue-whole");
    page.click("#op-8");
    assert_eq!(page.text("#details dd"), "dequeue() → nil");
    page.key("j");
    page.key("k");
    page.hover("h1");
    assert_eq!(page.text("#details dd"), "dequeue() → 3");
    page.key("t");
    assert_eq!(
        page.eval("document.getElementById('by-time').getAttribute('aria-pressed')"),
        "true"
    );
    page.picture("queue-time");
    page.key("Escape");
    assert_eq!(page.text("#details dd"), "dequeue() → 2");

    assert_eq!(page.complaints, Vec::<String>::new());
    assert_eq!(page.requests.len(), 1, "{:?}", page.requests);
}

#[test]
fn a_hundred_thousand_operations_open_and_move() {
    let html = render(&samples::busy_queue(100_000, 32));
    assert!(html.len() < 20_000_000, "{} bytes", html.len());
    let mut page = Page::open(&html, 1280, 900);
    let busy = page.busy_seconds();
    println!(
        "{} bytes; the page worked for {busy:.2} s to open",
        html.len()
    );
    assert_eq!(page.count("#rows .box"), 4);
    page.picture("busy-part");

    // The whole of it is around the failure first, with only what is visible in the page.
    page.key("f");
    assert_eq!(page.text("#rows .box.refused"), "dequeue() → 45031 ✗");
    assert_eq!(page.count("#map[hidden]"), 0);
    let boxes = page.count("#rows .box");
    assert!((20..500).contains(&boxes), "{boxes}");
    page.picture("busy-whole");

    // All at once: operations melt into shapes, the failing part stays apart.
    page.key("0");
    assert_eq!(page.count("#rows .box"), 4);
    assert!(page.count("#rows .dense") >= 10);
    page.picture("busy-fit");

    // Zooming in and dragging to the left moves the window of the map to the right; clicking the map jumps.
    for _ in 0..4 {
        page.key("+");
    }
    let left = "document.querySelector('#map .view').getBBox().x";
    let before = page.eval(left).as_f64().expect("a number");
    let middle = |page: &mut Page, selector: &str| {
        let at = page.eval(&format!(
            "(() => {{ const r = document.querySelector('{selector}').getBoundingClientRect(); return r.y + r.height / 2; }})()"
        ));
        at.as_f64().expect("a number")
    };
    let y = middle(&mut page, "#scroller");
    page.drag((600.0, y), (400.0, y));
    let after = page.eval(left).as_f64().expect("a number");
    assert!(after > before + 20.0, "from {before} to {after}");
    let y = middle(&mut page, "#map");
    page.drag((40.0, y), (41.0, y));
    assert_eq!(page.eval(left), 0.5);
    assert_eq!(page.complaints, Vec::<String>::new());
}

#[test]
fn a_million_operations_become_a_window() {
    let finding = samples::busy_queue(1_000_000, 32);
    assert_eq!(
        finding.history.operations.len(),
        WINDOW + 2,
        "the two early enqueues are kept too"
    );
    let mut page = open(&finding);
    assert_eq!(
        page.text("#show-whole"),
        "Around the failure 20\u{a0}002 of 1\u{a0}000\u{a0}000"
    );
    assert_eq!(page.count("#rows .box"), 4);
    page.key("f");
    assert_eq!(page.count("#rows .box.refused"), 1);
}

#[test]
fn hostile_text_stays_text() {
    let mut page = open(&samples::hostile());
    page.click("#op-0");
    page.key("f");
    for _ in 0..3 {
        page.key("ArrowLeft");
    }
    assert_ne!(page.eval("document.title"), "pwned");
    assert_eq!(page.count("script"), 4, "the data and three programs");
    assert_eq!(
        page.count("img, b, .page title"),
        page.count(".what b, .choice b, svg title")
    );
    let text = page.eval("document.documentElement.outerHTML");
    let text = text.as_str().expect("text");
    assert!(!text.contains(['\u{202e}', '\u{1b}', '\u{7}', '\u{2028}']));
    assert!(page.text(".what").contains("reg<b>ister"));
    assert!(
        page.text(".what")
            .contains("title><img src=x onerror=alert(1)>\\u{202e}gpj.exe")
    );
    assert!(
        page.text("#details dd")
            .contains("</script><script>document.title='pwned'</script><!--")
    );
    assert_eq!(page.complaints, Vec::<String>::new());
    assert_eq!(page.requests.len(), 1, "{:?}", page.requests);

    let mut page = open(&program::hostile());
    page.eval("document.querySelectorAll('details').forEach(d => d.open = true)");
    for key in ["ArrowLeft", "a", "ArrowLeft", "n", "/"] {
        page.key(key);
    }
    page.type_text("script");
    assert!(page.count("#hits li") > 2);
    page.key("Enter");
    assert_ne!(page.eval("document.title"), "pwned");
    assert_eq!(page.count("script"), 5);
    let text = page.eval("document.documentElement.outerHTML");
    assert!(
        !text
            .as_str()
            .expect("text")
            .contains(['\u{202e}', '\u{1b}'])
    );
    assert_eq!(page.complaints, Vec::<String>::new());
}

#[test]
fn light_and_dark_narrow_and_printed() {
    let ground = "getComputedStyle(document.body).backgroundColor";
    let mut page = open(&samples::map());
    assert_eq!(page.eval(ground), "rgb(246, 247, 248)");
    page.prefer("dark", "screen");
    assert_eq!(page.eval(ground), "rgb(15, 18, 22)");
    page.picture("map-dark");
    page.click("#theme");
    assert_eq!(
        page.eval(ground),
        "rgb(246, 247, 248)",
        "the reader's choice wins"
    );
    page.key("d");
    assert_eq!(page.eval(ground), "rgb(15, 18, 22)");

    for width in [360, 700, 1024, 2000] {
        page.resize(width, 900);
        page.settle();
        let overflow = page.eval("document.documentElement.scrollWidth - innerWidth");
        assert_eq!(overflow, 0, "at width {width}");
        page.picture(&format!("map-{width}"));
    }

    page.prefer("dark", "print");
    assert_eq!(page.eval(ground), "rgb(255, 255, 255)");
    assert_eq!(
        page.eval("getComputedStyle(document.querySelector('.bar')).display"),
        "none"
    );
    page.print("map");
}

#[test]
fn everything_is_reached_by_keyboard() {
    let mut page = open(&samples::queue());
    let mut visited = Vec::new();
    for _ in 0..40 {
        page.key("Tab");
        let at = page.eval(
            "(() => { const e = document.activeElement; return e.id || e.dataset.op || e.tagName; })()",
        );
        visited.push(at.as_str().unwrap_or_default().to_owned());
    }
    for wanted in [
        "search",
        "theme",
        "show-part",
        "show-whole",
        "by-time",
        "step-back",
        "zoom-in",
        "rows",
        "2",
        "6",
        "SUMMARY",
    ] {
        assert!(
            visited.iter().any(|at| at == wanted),
            "{wanted} not in {visited:?}"
        );
    }
    // Focus on an operation's name lights up its line; Enter goes to the operation.
    page.eval("document.querySelector('.because [data-op=\"6\"]').focus()");
    page.settle();
    assert_eq!(page.count("[data-line='1'].linked"), 1);
    page.key("Enter");
    assert_eq!(page.text("#details dd"), "dequeue() → 1");
    // In the drawing, up and down walk through the operations.
    page.eval("document.getElementById('rows').focus()");
    page.key("ArrowUp");
    assert_eq!(page.text("#details dd"), "dequeue() → 2");
}

#[test]
fn other_verdicts() {
    let mut page = open(&samples::holds());
    assert_eq!(page.text("h1"), "This history is linearizable");
    assert_eq!(page.count(".point.done"), 2);
    assert_eq!(page.count("#rows .box.rest"), 0);
    page.picture("holds");
    page.key("ArrowLeft");
    assert_eq!(page.text("#step"), "step 1 of 2");
    assert_eq!(page.complaints, Vec::<String>::new());

    let mut page = open(&samples::unknown());
    assert!(page.text("h1").starts_with("Undecided: "));
    assert_eq!(page.count("#rows .box"), 1);
    page.picture("unknown");
    assert_eq!(page.complaints, Vec::<String>::new());
}

#[test]
fn source_steps_memory_and_lanes_move_together() {
    let mut page = open(&program::list());
    assert_eq!(
        page.text("h1"),
        "remove(1) returned true twice, but one of the two had to return false"
    );
    assert!(
        page.text(".fix")
            .contains("remove, lines 10–13, must be one step")
    );
    page.picture("list");

    // At first where it has gone wrong, with only what matters.
    let visible = "[...document.querySelectorAll('#walk [data-visit]')].filter(r => r.offsetHeight > 0).length";
    assert_eq!(page.eval(visible), 4);
    let place = |page: &mut Page| {
        [
            page.text("#run-step"),
            page.text("#walk .now .n"),
            page.text(".line.now .n"),
            page.text("#lanes .dot.now text"),
            page.eval("location.hash.slice(6)")
                .as_str()
                .unwrap_or_default()
                .to_owned(),
        ]
    };
    assert_eq!(
        place(&mut page)[..4],
        ["step 8 of 9", "8", "13", "8"].map(String::from)
    );
    assert_eq!(page.text("#memory dd.written"), "true");
    assert_eq!(page.text("#lanes .call.refused text"), "remove(1) → true ✗");
    assert_eq!(page.text("#lanes .call.alone text"), "insert(1) → true");

    // A step back moves all of them.
    page.key("ArrowLeft");
    assert_eq!(place(&mut page), ["step 6 of 9", "6", "13", "6", "6"]);
    assert_eq!(
        page.text("#memory .stale"),
        "T1 read node#1.marked = false at step 5: out of date"
    );
    page.key("ArrowLeft");
    assert_eq!(place(&mut page), ["step 5 of 9", "5", "10", "5", "5"]);
    assert_eq!(page.text("#memory dd.read"), "false");
    assert_eq!(page.count("#memory .stale"), 0);
    assert_eq!(page.text("#model"), "{1}");

    // So does a click on a step, on a mark in the source, on a line, and in the lanes.
    page.click("#walk [data-visit='3']");
    assert_eq!(place(&mut page)[1..4], ["4", "10", "4"].map(String::from));
    page.click(".at[data-visit='7']");
    assert_eq!(place(&mut page)[1..4], ["8", "13", "8"].map(String::from));
    page.click("[data-at='0:10'] code");
    assert_eq!(place(&mut page)[1..4], ["4", "10", "4"].map(String::from));
    page.click("#lanes .dot[data-visit='5'] circle");
    assert_eq!(place(&mut page)[1..4], ["6", "13", "6"].map(String::from));

    // From switch to switch, to the ends, and all steps.
    page.key("p");
    assert_eq!(place(&mut page)[1], "5");
    page.key("n");
    page.key("n");
    assert_eq!(place(&mut page)[1], "8");
    page.key("Home");
    assert_eq!(place(&mut page)[1], "4");
    page.key("a");
    assert_eq!(page.eval(visible), 9);
    page.key("End");
    assert_eq!(place(&mut page), ["step 9 of 9", "9", "14", "9", "9"]);
    page.click("#run-told");
    assert_eq!(place(&mut page)[1], "8");

    // Below, folded: the argument with the history, the other choices, the slice.
    page.eval("document.querySelectorAll('details').forEach(d => d.open = true)");
    page.settle();
    assert_eq!(page.count("#rows .box"), 3);
    assert_eq!(page.count(".tree .side"), 4);
    assert_eq!(
        page.text(".side.good .fate"),
        "if it goes first: every continuation is correct"
    );
    assert_eq!(page.text(".node"), "1");
    assert_eq!(page.count("#slice tr.holds"), 2);
    page.click(".node");
    assert_eq!(place(&mut page)[1], "5");
    // The keys belong to the history while it has the focus, and to the run otherwise.
    page.eval("document.getElementById('rows').focus()");
    page.key("ArrowLeft");
    assert_eq!(page.text("#step"), "step 2 of 2");
    assert_eq!(place(&mut page)[1], "5");
    page.picture("list-open");
    page.prefer("light", "print");
    page.print("list");
    assert_eq!(page.complaints, Vec::<String>::new());
    assert_eq!(page.requests.len(), 1, "{:?}", page.requests);
}

#[test]
fn an_address_leads_to_a_step_or_an_operation() {
    let mut page = Page::open_at(&render(&program::list()), "#step=5", 1280, 900);
    assert_eq!(page.text("#run-step"), "step 5 of 9");
    page.eval("location.hash = '#step=7'");
    page.settle();
    assert_eq!(page.text("#run-step"), "step 7 of 9", "not told, yet shown");
    page.eval("location.hash = '#step=99'");
    page.settle();
    assert_eq!(
        page.text("#run-step"),
        "step 7 of 9",
        "there is no such step"
    );
    assert_eq!(page.complaints, Vec::<String>::new());

    let mut page = Page::open_at(&render(&samples::queue()), "#op=9", 1280, 900);
    assert_eq!(page.text("#details dd"), "dequeue() → nil");
    page.click("#op-6");
    assert_eq!(page.eval("location.hash"), "#op=7");
    assert_eq!(page.complaints, Vec::<String>::new());
}

#[test]
fn search_finds_values_clients_and_lines() {
    let mut page = open(&program::list());
    page.key("/");
    assert_eq!(page.eval("document.activeElement.id"), "search");
    page.type_text("marked.store");
    assert_eq!(page.text("#hits .kind"), "step 6");
    assert_eq!(page.count("#hits li"), 3, "two steps and a line");
    page.key("ArrowDown");
    page.key("Enter");
    assert_eq!(page.text("#run-step"), "step 8 of 9");
    assert_eq!(page.count("#hits:not([hidden])"), 0);
    // The arrows belong to the run again.
    page.key("ArrowLeft");
    assert_eq!(page.text("#run-step"), "step 6 of 9");
    page.key("/");
    page.type_text("no such thing");
    assert_eq!(page.text("#hits"), "nothing found");
    page.key("Escape");

    let mut page = open(&samples::queue());
    page.key("/");
    page.type_text("enqueue(2)");
    page.key("Enter");
    assert_eq!(page.text("#details dd"), "enqueue(2)");
    page.key("/");
    page.type_text("client 1");
    assert!(page.count("#hits li") >= 2);
    assert_eq!(page.complaints, Vec::<String>::new());
}

#[test]
fn a_map_is_filtered_by_key() {
    let mut page = open(&samples::map());
    page.key("f");
    assert_eq!(page.count("#rows .box"), 6);
    page.eval("document.getElementById('key').focus()");
    page.type_text("y");
    assert_eq!(page.count("#rows .box"), 1);
    assert_eq!(page.count("#rows .box.refused"), 0);
    page.eval("(() => { const k = document.getElementById('key'); k.value = ''; k.dispatchEvent(new Event('input')); })()");
    page.settle();
    assert_eq!(page.count("#rows .box"), 6);
    assert_eq!(page.complaints, Vec::<String>::new());
}

#[test]
fn what_was_done_to_the_system_is_behind_the_operations() {
    let mut finding = samples::queue();
    let operations = &finding.history.operations;
    let (first, last) = (operations[0].call, operations[operations.len() - 1].call);
    let done = |what: &str, from, to| Disturbance {
        what: what.to_owned(),
        details: "n1 <b>cut off</b>".to_owned(),
        from,
        to,
    };
    let lines = (1..).zip(operations).map(|(n, _)| (2 * n, 2 * n + 1));
    finding.history.recording = Some(Recording {
        unit: Some("ms".to_owned()),
        lines: lines.collect(),
        disturbances: vec![
            done("partition", first, Some(first + 1)),
            done("kill", last, None),
        ],
    });
    let html = render_beside(&finding, Some("../logs/run%201.jsonl"));
    let mut page = Page::open_at(&html, "#line=8", 1280, 900);
    assert_eq!(
        page.text("#details dd"),
        finding.history.operations[3].to_string()
    );
    assert_eq!(
        page.eval("document.querySelector('#details a').getAttribute('href')"),
        "../logs/run%201.jsonl#L8"
    );
    assert_eq!(page.text("#details a"), "lines 8 and 9");
    page.key("f");
    page.key("0");
    for by in ["#by-order", "#by-time"] {
        page.click(by);
        assert_eq!(page.count("#rows .band rect"), 2, "{by}");
        let wide = "[...document.querySelectorAll('#rows .band rect')].map(r => r.getBBox()).every(b => b.width > 1 && b.height > 40)";
        assert_eq!(page.eval(wide), true, "{by}");
        let ordered = "(([a, b]) => a.x + a.width <= b.x + b.width && a.x < b.x)([...document.querySelectorAll('#rows .band rect')].map(r => r.getBBox()))";
        assert_eq!(page.eval(ordered), true, "{by}");
    }
    let said = page.text("#rows .band title");
    assert!(
        said.starts_with("partition: n1 <b>cut off</b>, +0"),
        "{said}"
    );
    let ticks = page.eval("[...document.querySelectorAll('#axis .tick')].every(t => / (ns|µs|ms|s)$/.test(t.textContent))");
    assert_eq!(ticks, true);
    assert!(page.count("#axis .tick") > 2);
    page.key("/");
    page.type_text("line 9");
    page.key("Enter");
    assert_eq!(page.text("#details a"), "lines 8 and 9");
    assert_eq!(page.complaints, Vec::<String>::new());
}

#[test]
fn everything_can_be_read() {
    for (name, finding) in samples::all() {
        let mut page = open(&finding);
        page.eval("document.querySelectorAll('details').forEach(d => d.open = true)");
        for scheme in ["light", "dark"] {
            page.prefer(scheme, "screen");
            let faint = page.eval(CONTRAST);
            assert_eq!(faint, serde_json::json!([]), "{name}, {scheme}");
        }
        page.resize(390, 844);
        page.settle();
        let overflow = page.eval("document.documentElement.scrollWidth - innerWidth");
        assert_eq!(overflow, 0, "{name}");
    }
}

/// The texts whose contrast to what is behind them is below 4.5:1, as WCAG 2 counts it.
const CONTRAST: &str = r"(() => {
  const parse = (text) => { const n = text.match(/[\d.]+/g).map(Number); return n.length < 4 ? [...n, 1] : n; };
  const over = (top, below) => [0, 1, 2].map((i) => top[i] * top[3] + below[i] * (1 - top[3]));
  const light = ([r, g, b]) => {
    const part = (c) => { c /= 255; return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; };
    return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
  };
  const behind = (node) => {
    const layers = [];
    for (let at = node; at instanceof Element; at = at.parentElement) {
      const shape = at.tagName === 'text' && at.parentElement.querySelector(':scope > rect, :scope > circle');
      if (shape && !at.classList.contains('does')) layers.push(parse(getComputedStyle(shape).fill));
      layers.push(parse(getComputedStyle(at).backgroundColor));
    }
    return layers.reverse().reduce((below, top) => over(top, below), [255, 255, 255]);
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const faint = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const owner = node.parentElement;
    if (!node.data.trim() || owner.closest('script, style, title, option, :disabled') || !owner.getClientRects().length) continue;
    const style = getComputedStyle(owner);
    if (style.visibility === 'hidden') continue;
    const ground = behind(owner);
    const ink = over(parse(owner.closest('svg') ? style.fill : style.color), ground);
    const [a, b] = [light(ink), light(ground)].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < 4.5) faint.push(`${ratio.toFixed(2)} ${owner.tagName}.${owner.className.baseVal ?? owner.className}: ${node.data.trim().slice(0, 40)}`);
  }
  return [...new Set(faint)];
})()";

/// Under C20 the memory panel shows the newest value of each variable, whatever a thread has read, and what each thread may still read.
#[test]
fn older_values_stay_readable() {
    let mut finding = program::list();
    let run = finding.interleaving.as_mut().expect("a run");
    run.steps[2].older = Some(vec![linspect_report::finding::Older {
        thread: 1,
        variable: "a.next".into(),
        values: vec!["nil".into()],
    }]);
    run.steps[4].older = Some(Vec::new());
    let mut page = open(&finding);
    page.click("#walk [data-visit='3']");
    let said = page.text("#memory .stale");
    assert!(said.contains("can still read a.next = nil"), "{said}");
    page.click("#walk [data-visit='4']");
    assert!(!page.text("#memory").contains("can still read"));
}
