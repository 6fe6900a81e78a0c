//! A real browser, driven over the DevTools protocol through a pipe.
//!
//! `--remote-debugging-pipe` reads commands from descriptor 3 and writes answers to descriptor 4, as JSON texts
//! that end with a zero byte; a shell puts the ordinary pipes there.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

const PATIENCE: Duration = Duration::from_secs(60);

/// A browser with one page. It ends when this is dropped.
pub(crate) struct Page {
    child: Child,
    commands: ChildStdin,
    messages: Receiver<Value>,
    directory: PathBuf,
    session: Option<String>,
    next_id: u64,
    /// Exceptions and console errors, and every address that was asked for.
    pub(crate) complaints: Vec<String>,
    pub(crate) requests: Vec<String>,
}

impl Page {
    /// Opens `html` in a fresh browser, in a window of this size.
    pub(crate) fn open(html: &str, width: u32, height: u32) -> Self {
        Self::open_at(html, "", width, height)
    }

    /// The same, at a place in the page such as `#step=4`.
    pub(crate) fn open_at(html: &str, place: &str, width: u32, height: u32) -> Self {
        let mut page = Self::launch();
        let file = page.directory.join("page.html");
        std::fs::write(&file, html).expect("the temporary directory is writable");
        let target = page.send("Target.createTarget", json!({"url": "about:blank"}));
        let attach = json!({"targetId": target["targetId"], "flatten": true});
        let session = page.send("Target.attachToTarget", attach);
        page.session = session["sessionId"].as_str().map(String::from);
        for domain in [
            "Page.enable",
            "Runtime.enable",
            "Network.enable",
            "Log.enable",
        ] {
            page.send(domain, json!({}));
        }
        page.send("Performance.enable", json!({"timeDomain": "threadTicks"}));
        page.resize(width, height);
        let url = format!("file://{}{place}", file.display());
        page.send("Page.navigate", json!({ "url": url }));
        page.wait_for("Page.loadEventFired");
        page
    }

    fn launch() -> Self {
        static COUNTER: AtomicU32 = AtomicU32::new(0);
        let name = format!(
            "linspect-browser-{}-{}",
            std::process::id(),
            COUNTER.fetch_add(1, Ordering::Relaxed)
        );
        let directory = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&directory).expect("the temporary directory is writable");
        let mut child = Command::new("sh")
            .args([
                "-c",
                "exec \"$@\" 3<&0 4>&1 >/dev/null 2>&1 </dev/null",
                "sh",
            ])
            .arg("chromium")
            .args([
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--no-first-run",
            ])
            .args([
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
            ])
            .args(["--hide-scrollbars", "--remote-debugging-pipe"])
            .arg(format!(
                "--user-data-dir={}",
                directory.join("profile").display()
            ))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a shell");
        let commands = child.stdin.take().expect("piped above");
        let answers = child.stdout.take().expect("piped above");
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            for message in BufReader::new(answers).split(0).map_while(Result::ok) {
                let message = serde_json::from_slice(&message).expect("the browser speaks JSON");
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        Self {
            child,
            commands,
            messages,
            directory,
            session: None,
            next_id: 0,
            complaints: Vec::new(),
            requests: Vec::new(),
        }
    }

    /// Sends a command and gives its answer.
    pub(crate) fn send(&mut self, method: &str, params: Value) -> Value {
        self.next_id += 1;
        let id = self.next_id;
        let mut command = json!({"id": id, "method": method});
        command["params"] = params;
        if let Some(session) = &self.session {
            command["sessionId"] = json!(session);
        }
        let mut bytes = command.to_string().into_bytes();
        bytes.push(0);
        self.commands
            .write_all(&bytes)
            .expect("chromium runs; is it installed? apt install chromium");
        loop {
            let message = self.next();
            if message["id"] == json!(id) {
                assert!(message.get("error").is_none(), "{method}: {message}");
                return message["result"].clone();
            }
        }
    }

    fn wait_for(&mut self, event: &str) {
        while self.next()["method"] != json!(event) {}
    }

    fn next(&mut self) -> Value {
        let message = self
            .messages
            .recv_timeout(PATIENCE)
            .expect("chromium answers; is it installed? apt install chromium");
        match message["method"].as_str() {
            Some("Runtime.exceptionThrown" | "Log.entryAdded" | "Runtime.consoleAPICalled") => {
                self.complaints.push(message["params"].to_string());
            }
            Some("Network.requestWillBeSent") => {
                let url = &message["params"]["request"]["url"];
                self.requests.push(url.as_str().unwrap_or("").into());
            }
            _ => {}
        }
        message
    }

    /// The value of a JavaScript expression; promises are awaited.
    pub(crate) fn eval(&mut self, expression: &str) -> Value {
        let params = json!({"expression": expression, "returnByValue": true, "awaitPromise": true});
        let answer = self.send("Runtime.evaluate", params);
        assert!(
            answer.get("exceptionDetails").is_none(),
            "{expression}: {answer}"
        );
        answer["result"]["value"].clone()
    }

    /// The visible text of the first element that matches.
    pub(crate) fn text(&mut self, selector: &str) -> String {
        let value = self.eval(&format!(
            "document.querySelector({}).textContent",
            json!(selector)
        ));
        value.as_str().unwrap_or_default().into()
    }

    /// How many elements match.
    pub(crate) fn count(&mut self, selector: &str) -> u64 {
        let value = self.eval(&format!(
            "document.querySelectorAll({}).length",
            json!(selector)
        ));
        value.as_u64().unwrap_or_default()
    }

    /// Moves the mouse to the middle of the first element that matches.
    pub(crate) fn hover(&mut self, selector: &str) -> (f64, f64) {
        let at = self.eval(&format!(
            "(() => {{ const e = document.querySelector({}); e.scrollIntoView({{block: 'nearest'}}); \
             const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; }})()",
            json!(selector)
        ));
        let (x, y) = (at[0].as_f64().expect("x"), at[1].as_f64().expect("y"));
        self.mouse("mouseMoved", x, y);
        self.settle();
        (x, y)
    }

    /// Clicks into the middle of the first element that matches.
    pub(crate) fn click(&mut self, selector: &str) {
        let (x, y) = self.hover(selector);
        self.mouse("mousePressed", x, y);
        self.mouse("mouseReleased", x, y);
        self.settle();
    }

    /// Presses the button at one place, moves, and lets go.
    pub(crate) fn drag(&mut self, from: (f64, f64), to: (f64, f64)) {
        self.mouse("mouseMoved", from.0, from.1);
        self.mouse("mousePressed", from.0, from.1);
        self.mouse("mouseMoved", to.0, to.1);
        self.mouse("mouseReleased", to.0, to.1);
        self.settle();
    }

    fn mouse(&mut self, kind: &str, x: f64, y: f64) {
        let buttons = u32::from(kind != "mouseReleased");
        let button = if kind == "mouseMoved" { "none" } else { "left" };
        let params = json!({"type": kind, "x": x, "y": y, "button": button, "buttons": buttons, "clickCount": 1});
        self.send("Input.dispatchMouseEvent", params);
    }

    /// Presses a key, such as `ArrowRight` or `f`.
    pub(crate) fn key(&mut self, key: &str) {
        let mut down = json!({"type": "keyDown", "key": key});
        if key.chars().count() == 1 {
            down["text"] = json!(key);
        } else if key == "Tab" {
            down["windowsVirtualKeyCode"] = json!(9);
        } else if key == "Enter" {
            down["windowsVirtualKeyCode"] = json!(13);
            down["text"] = json!("\r");
        }
        self.send("Input.dispatchKeyEvent", down);
        self.send(
            "Input.dispatchKeyEvent",
            json!({"type": "keyUp", "key": key}),
        );
        self.settle();
    }

    /// Types a text where the focus is.
    pub(crate) fn type_text(&mut self, text: &str) {
        self.send("Input.insertText", json!({ "text": text }));
        self.settle();
    }

    /// How long the page's main thread has worked, in processor time: other work on this machine does not count.
    pub(crate) fn busy_seconds(&mut self) -> f64 {
        let answer = self.send("Performance.getMetrics", json!({}));
        let metrics = answer["metrics"].as_array().expect("a list");
        let task = metrics
            .iter()
            .find(|metric| metric["name"] == json!("TaskDuration"));
        task.and_then(|task| task["value"].as_f64())
            .expect("known to the browser")
    }

    /// Waits until what was asked for is drawn.
    pub(crate) fn settle(&mut self) {
        self.eval("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))");
    }

    /// Changes the size of the window.
    pub(crate) fn resize(&mut self, width: u32, height: u32) {
        let params =
            json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
        self.send("Emulation.setDeviceMetricsOverride", params);
    }

    /// What the reader prefers: `light` or `dark`; and on what: `screen` or `print`.
    pub(crate) fn prefer(&mut self, scheme: &str, media: &str) {
        let params = json!({"media": media, "features": [{"name": "prefers-color-scheme", "value": scheme}]});
        self.send("Emulation.setEmulatedMedia", params);
        self.settle();
    }

    /// Keeps a picture where somebody asked for one: `LINSPECT_PAGES` names a directory to look into by eye.
    pub(crate) fn picture(&mut self, name: &str) {
        if let Some(directory) = std::env::var_os("LINSPECT_PAGES") {
            let shot = self.send("Page.captureScreenshot", json!({"format": "png"}));
            let to = PathBuf::from(directory).join(format!("{name}.png.base64"));
            std::fs::write(to, shot["data"].as_str().expect("a picture")).expect("writable");
        }
    }

    /// The page on paper; kept like a picture.
    pub(crate) fn print(&mut self, name: &str) {
        let paper = self.send("Page.printToPDF", json!({"printBackground": true}));
        let data = paper["data"].as_str().expect("a document");
        assert!(data.starts_with("JVBERi"), "a PDF, in base64");
        if let Some(directory) = std::env::var_os("LINSPECT_PAGES") {
            let to = PathBuf::from(directory).join(format!("{name}.pdf.base64"));
            std::fs::write(to, data).expect("writable");
        }
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        // The wrapper script has become the browser, so this is the browser itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_dir_all(&self.directory);
    }
}
