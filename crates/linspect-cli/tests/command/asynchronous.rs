//! Operations that are futures: wake-ups that are lost, and futures that are dropped while they wait; and waits that time out.

use crate::linspect::{Run, run};
use std::path::Path;

fn tested(folder: &Path, text: &str) -> Run {
    let path = folder.join("channel.rs");
    std::fs::write(&path, text).expect("a file");
    let (path, out) = (path.to_str().expect("UTF-8"), folder.join("out"));
    let words = [
        "test",
        path,
        "--max-operations",
        "3",
        "--threads",
        "2",
        "--memory-model",
        "sc",
    ];
    run(&[&words[..], &["--out", out.to_str().expect("UTF-8")]].concat())
}

/// A channel with one place for a receiver that waits. `@between` is what happens before it waits, `@cancel` whether it may be given up, `@drop` what becomes of one that is.
const CHANNEL: &str = r#"
use std::collections::VecDeque;
use std::future::Future;
use std::pin::Pin;
use std::sync::Mutex;
use std::task::{Context, Poll, Waker};

#[derive(Default)]
struct Inner {
    items: VecDeque<u8>,
    /// Handed to whoever waits.
    given: Option<u8>,
    waiting: Option<Waker>,
}

#[derive(Default)]
struct Channel(Mutex<Inner>);

struct Receive<'a> {
    channel: &'a Channel,
    waits: bool,
}

impl Channel {
    fn send(&self, value: u8) {
        let mut inner = self.0.lock().unwrap();
        match inner.waiting.take() {
            Some(waker) => {
                inner.given = Some(value);
                waker.wake();
            }
            None => inner.items.push_back(value),
        }
    }

    fn recv(&self) -> Receive<'_> {
        Receive { channel: self, waits: false }
    }
}

impl Future for Receive<'_> {
    type Output = u8;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<u8> {
        let mut inner = self.channel.0.lock().unwrap();
        let taken = match self.waits {
            true => inner.given.take(),
            false => inner.items.pop_front(),
        };
        if let Some(value) = taken {
            drop(inner);
            self.waits = false;
            return Poll::Ready(value);
        }
        @between
        inner.waiting = Some(context.waker().clone());
        drop(inner);
        self.waits = true;
        Poll::Pending
    }
}

impl Drop for Receive<'_> {
    fn drop(&mut self) {
        if !self.waits {
            return;
        }
        let mut inner = self.channel.0.lock().unwrap();
        inner.waiting = None;
        @drop
    }
}

linspect::harness! {
    channel: Channel = Channel::default();

    fn send(&self, value: u8 in [1]);
    #[single_thread]
    @cancel
    async fn recv(&self) -> u8;

    spec = queue;
}
"#;

fn channel(between: &str, drop: &str, cancel: &str) -> String {
    CHANNEL
        .replace("@between", between)
        .replace("@drop", drop)
        .replace("@cancel", cancel)
}

/// What was given to a receiver that nobody waits for any more goes back.
const KEPT: &str = "if let Some(value) = inner.given.take() { inner.items.push_front(value); }";
const LOST: &str = "inner.given = None;";

#[test]
fn a_receiver_that_is_given_up_loses_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    // Nobody notices as long as nobody gives up.
    let done = tested(folder, &channel("", LOST, ""));
    assert_eq!(done.code, Some(0), "{done:?}");
    let done = tested(folder, &channel("", LOST, "#[cancel]"));
    assert_eq!(done.code, Some(1), "{done:?}");
    assert!(done.out.contains("cancelled"), "{done:?}");
    let done = tested(folder, &channel("", KEPT, "#[cancel]"));
    assert_eq!(done.code, Some(0), "{done:?}");
    // Whoever gave up once and waits again may wait: nobody sends.
    let path = folder.join("channel.rs");
    let path = path.to_str().expect("UTF-8");
    let flags = [
        "--client",
        "recv recv recv | send(1)",
        "--memory-model",
        "sc",
    ];
    let done = run(&[&["test", path][..], &flags].concat());
    assert_eq!(done.code, Some(0), "{done:?}");
}

/// Between the look at the items and the place for the waker somebody sends.
#[test]
fn a_wake_up_that_is_lost_is_a_deadlock() {
    let folder = tempfile::tempdir().expect("a folder");
    let between = "drop(inner); let mut inner = self.channel.0.lock().unwrap();";
    let done = tested(folder.path(), &channel(between, KEPT, ""));
    assert_eq!(done.code, Some(1), "{done:?}");
    assert!(
        done.out.contains("DEADLOCK") || done.out.contains("LIVELOCK"),
        "{done:?}"
    );
}

#[test]
fn only_what_waits_can_be_given_up() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = channel("", KEPT, "#[cancel]")
        .replace("async fn recv(&self) -> u8;", "fn recv(&self) -> u8 => 0;");
    let done = tested(folder.path(), &text);
    assert_eq!(done.code, Some(2), "{done:?}");
    assert!(done.err.contains("`recv` is no `async fn`"), "{done:?}");
}

/// Time passes as it likes: a receiver that waits for a millisecond may find nothing at any time, and that is right only if it is said.
#[test]
fn a_timeout_may_come_at_any_time() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "\
use std::collections::VecDeque;
use std::sync::{Condvar, Mutex};
use std::time::Duration;
#[derive(Default)]
struct Mailbox(Mutex<VecDeque<u8>>, Condvar);
impl Mailbox {
    fn send(&self, value: u8) { self.0.lock().unwrap().push_back(value); self.1.notify_one(); }
    fn recv(&self) -> Option<u8> {
        let items = self.0.lock().unwrap();
        let (mut items, late) = self.1.wait_timeout_while(items, Duration::from_millis(1), |items| items.is_empty()).unwrap();
        if @ { None } else { items.pop_front() }
    }
}
linspect::harness! {
    mailbox: Mailbox = Mailbox::default();
    fn send(&self, value: u8 in [1]);
    ^
    fn recv(&self) -> Option<u8>;
    spec = queue;
}
";
    let code = |condition: &str, said: &str| {
        let text = text.replace('@', condition).replace('^', said);
        tested(folder.path(), &text).code
    };
    // Who looks once more when it is late finds what is there.
    assert_eq!(code("{ let _ = late; false }", ""), Some(0));
    assert_eq!(code("late.timed_out()", "#[may_fail(nil)]"), Some(0));
}
