//! A Rust program whose `main` panicked: it ends in good order, with an exit code that says that it failed.

use crate::program::{Program, SiteId};
use crate::world::World;
use linspect_core::execution::{Fault, FaultKind};

/// What Rust's runtime returns for a `main` that panicked.
const PANICKED: i32 = 101;

/// How a plain program failed, if it did.
pub(crate) fn of(program: &Program, world: &World) -> Option<Fault> {
    world
        .exited
        .filter(|code| world.plain && *code == PANICKED)?;
    let errors = String::from_utf8_lossy(&world.errors);
    let Panic { place, message } = panic(&errors)?;
    let asserted = message.starts_with("assertion");
    Some(Fault {
        kind: if asserted {
            FaultKind::Assertion
        } else {
            FaultKind::Abort
        },
        message: format!("panicked: {message}"),
        site: site(program, place),
        related: None,
    })
}

/// A panic as Rust's runtime prints it.
struct Panic<'a> {
    /// `file:line:column`.
    place: &'a str,
    message: &'a str,
}

/// The last panic that was printed: `thread 'main' panicked at src/main.rs:11:5:`, and the message on the next lines. A thread that panics because one
/// that it joins did has nothing of its own to say.
fn panic(errors: &str) -> Option<Panic<'_>> {
    let (earlier, last) = errors.rsplit_once(" panicked at ")?;
    let joined = last
        .lines()
        .nth(1)
        .is_some_and(|m| m.ends_with(": Any { .. }"));
    let earlier = earlier.rsplit_once('\n').map_or("", |(before, _)| before);
    if joined && let Some(cause) = panic(earlier) {
        return Some(cause);
    }
    let (place, rest) = last.split_once('\n')?;
    let message = rest.split("\nnote: ").next().unwrap_or(rest);
    Some(Panic {
        place: place.trim_end_matches(':'),
        message: message.trim_end(),
    })
}

/// Some site at `file:line:column`; 0 if there is none.
fn site(program: &Program, place: &str) -> SiteId {
    let mut parts = place.rsplitn(3, ':');
    let (_, line, file) = (parts.next(), parts.next(), parts.next());
    let line: u32 = line.and_then(|line| line.parse().ok()).unwrap_or(0);
    let found = program
        .sites
        .iter()
        .position(|s| s.line == line && line != 0 && Some(program.text(s.file)) == file);
    found.map_or(0, |at| at as SiteId)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_panic_is_understood() {
        let errors = "thread 'a' panicked at x.rs:1:2:\nfirst\n\nthread 'main' (7) panicked at src/main.rs:11:5:\n\
                      assertion `left == right` failed\n  left: 1\n right: 2\nnote: run with `RUST_BACKTRACE=1`\n";
        let panic = panic(errors).expect("a panic");
        assert_eq!(panic.place, "src/main.rs:11:5");
        assert_eq!(
            panic.message,
            "assertion `left == right` failed\n  left: 1\n right: 2"
        );
    }

    #[test]
    fn a_panic_that_is_passed_on_is_that_of_the_thread_that_began() {
        let errors = "thread '<unnamed>' (8) panicked at x.rs:1:2:\noverdrawn\n\nthread 'main' (7) panicked at x.rs:11:5:\n\
                      called `Result::unwrap()` on an `Err` value: Any { .. }\n";
        let first = panic(errors).expect("a panic");
        assert_eq!((first.place, first.message), ("x.rs:1:2", "overdrawn"));
    }
}
