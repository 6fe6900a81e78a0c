//! The HTML in real Chromium: clicked, stepped, resized, attacked.

use crate::chromium::Page;
use crate::{program, samples};
use linspect_report::finding::WINDOW;
use linspect_report::html::render;

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
    assert!(busy < 2.0, "the page worked for {busy} s to open");
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
    page.drag((600.0, 300.0), (400.0, 300.0));
    let after = page.eval(left).as_f64().expect("a number");
    assert!(after > before + 20.0, "from {before} to {after}");
    page.drag((60.0, 190.0), (61.0, 190.0));
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
    assert_eq!(page.count("script"), 2, "the data and the program");
    assert_eq!(
        page.count("img, b, .page title"),
        page.count(".coverage b, .choice b, svg title")
    );
    let text = page.eval("document.documentElement.outerHTML");
    let text = text.as_str().expect("text");
    assert!(!text.contains(['\u{202e}', '\u{1b}', '\u{7}', '\u{2028}']));
    assert!(page.text("h1").contains("reg<b>ister"));
    assert!(
        page.text(".coverage")
            .contains("</title><img src=x onerror=alert(1)>\\u{202e}gpj.exe")
    );
    assert!(
        page.text("#details dd")
            .contains("</script><script>document.title='pwned'</script><!--")
    );
    assert_eq!(page.complaints, Vec::<String>::new());
    assert_eq!(page.requests.len(), 1, "{:?}", page.requests);

    let mut page = open(&program::hostile());
    for tab in ["run", "decisions", "source", "history"] {
        page.click(&format!("[aria-controls={tab}]"));
        page.key("ArrowLeft");
    }
    assert_ne!(page.eval("document.title"), "pwned");
    assert_eq!(page.count("script"), 3);
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
    assert_eq!(page.text("h1"), "Linearizable register");
    assert_eq!(page.count(".point.done"), 2);
    assert_eq!(page.count("#rows .box.rest"), 0);
    page.picture("holds");
    page.key("ArrowLeft");
    assert_eq!(page.text("#step"), "step 1 of 2");
    assert_eq!(page.complaints, Vec::<String>::new());

    let mut page = open(&samples::unknown());
    assert_eq!(page.text("h1"), "Undecided whether linearizable register");
    assert_eq!(page.count("#rows .box"), 1);
    page.picture("unknown");
    assert_eq!(page.complaints, Vec::<String>::new());
}

#[test]
fn a_program_has_five_linked_views() {
    let mut page = open(&program::list());
    assert_eq!(page.count("[role=tab]"), 5);
    assert_eq!(page.text("#rows .client"), "T1");
    assert_eq!(page.text(".test .op.refused"), "remove(1) → true ✗");
    page.picture("list-history");

    // Accesses: only what matters at first, then all; stepping shows memory.
    page.click("[aria-controls=run]");
    assert_eq!(page.eval("document.getElementById('history').hidden"), true);
    let visible =
        "[...document.querySelectorAll('[data-run]')].filter(r => r.offsetHeight > 0).length";
    assert_eq!(page.eval(visible), 6);
    assert_eq!(page.text("#run-step"), "step 6 of 6");
    assert_eq!(page.text("#memory dd.written"), "true");
    assert_eq!(page.count("#edges .edge"), 2);
    page.picture("list-run");
    page.key("ArrowLeft");
    page.key("ArrowLeft");
    assert_eq!(page.text("tr.now code"), "if curr.marked.load(Acquire) {");
    assert_eq!(page.text("#memory dd.read"), "false");
    page.click("#run-all");
    assert_eq!(page.eval(visible), 9);
    page.click("[data-run='6']");
    assert_eq!(page.text("#run-step"), "step 7 of 9");
    assert_eq!(page.text("#memory dd.written"), "null");

    // Why: the lines that matter with what holds between them.
    page.click("[aria-controls=why]");
    assert_eq!(page.count("#why tr.holds"), 2);
    assert_eq!(page.count("#why td.does"), 4);
    assert_eq!(page.text("#why tr.holds td[colspan]"), "node#1.marked = 0");
    page.picture("list-why");
    page.click("[aria-controls=run]");

    // The step belongs to an operation, which is selected in the history, and to a line of the source.
    assert_eq!(page.text("#details dd"), "remove(1) → true");
    page.click("[aria-controls=source]");
    assert_eq!(page.text(".line.now .n"), "14");
    assert_eq!(page.count(".line.atomic"), 4);
    page.key("ArrowLeft");
    assert_eq!(page.text(".line.now .n"), "13");
    page.picture("list-source");

    // Decisions: both sides of each race; a node leads to its step.
    page.click("[aria-controls=decisions]");
    assert_eq!(page.count(".tree .side"), 4);
    assert_eq!(
        page.text(".side.good .fate"),
        "if it goes first: every continuation is correct"
    );
    page.picture("list-decisions");
    page.click(".node");
    assert_eq!(page.text("tr.now .race"), "①");

    // Tabs by keyboard, and back in the history the arrows step through the order of effects again.
    page.eval("document.querySelector('[role=tab][aria-selected=true]').focus()");
    page.key("ArrowLeft");
    assert_eq!(
        page.eval("document.getElementById('history').hidden"),
        false
    );
    page.eval("document.activeElement.blur()");
    page.key("ArrowLeft");
    assert_eq!(page.text("#step"), "step 2 of 2");
    page.prefer("dark", "screen");
    page.click("[aria-controls=run]");
    page.picture("list-run-dark");
    page.prefer("light", "print");
    page.print("list");
    assert_eq!(page.complaints, Vec::<String>::new());
}
