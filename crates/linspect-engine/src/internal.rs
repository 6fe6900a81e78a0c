//! Faults of Linspect itself. A panic ends the step that it happens in and nothing else: what earlier steps found is kept and shown.

use std::any::Any;
use std::fmt;
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Mutex, PoisonError};

/// A step that panicked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InternalError {
    /// What was being done: "looking for the smallest test".
    step: &'static str,
    /// What the panic said, and where in Linspect.
    message: String,
}

/// What to do about it.
pub const HELP: &str = "this is a fault of Linspect, not of your program: please report it, with the command, the files and this message";

impl fmt::Display for InternalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "internal error while {}: {}", self.step, self.message)
    }
}

impl InternalError {
    /// The error and what to do about it, beside a result.
    pub fn note(&self) -> String {
        format!("note: {self}\n      {HELP}")
    }
}

/// Where in Linspect the last panic happened.
static PLACE: Mutex<Option<String>> = Mutex::new(None);

/// From now on a panic prints nothing by itself, unless RUST_BACKTRACE asks for more: who catches it says what happened.
pub fn listen() {
    let usual = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        let place = info.location().map(ToString::to_string);
        *PLACE.lock().unwrap_or_else(PoisonError::into_inner) = place;
        if std::env::var_os("RUST_BACKTRACE").is_some_and(|wanted| wanted != "0") {
            usual(info);
        }
    }));
}

/// Does `step`, which is called so, and catches its panic.
pub fn caught<T>(name: &'static str, step: impl FnOnce() -> T) -> Result<T, InternalError> {
    // What a panicked step leaves half done is never looked at again: it gives no result.
    panic::catch_unwind(AssertUnwindSafe(step)).map_err(|panic| InternalError {
        step: name,
        message: format!("{}{}", said(&*panic), place()),
    })
}

/// Where the last panic happened, to be put behind what it said.
pub fn place() -> String {
    let place = PLACE.lock().unwrap_or_else(PoisonError::into_inner).take();
    place.map_or_else(String::new, |place| format!(" ({place})"))
}

fn said(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("a panic without words")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_ends_one_step_only() {
        assert_eq!(caught("counting", || 7), Ok(7));
        let number = 3;
        let error = caught("counting", || {
            assert!(number < 3, "{number} is too much");
            0
        })
        .expect_err("it panics");
        let text = error.to_string();
        assert!(
            text.starts_with("internal error while counting: 3 is too much"),
            "{text}"
        );
        assert!(error.note().contains("please report it"));
    }
}
