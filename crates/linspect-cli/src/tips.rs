//! Options by names that other tools have for them: a tip says what they are called here.

use clap::error::{ContextKind, ContextValue};

/// What others call how long it may take.
const TIME: [&str; 5] = [
    "--time",
    "--time-limit",
    "--timeout",
    "--max-time",
    "--duration",
];

/// `error`, with the option that was probably meant, if that is spelled too differently to be found by itself.
pub(crate) fn with_tip(mut error: clap::Error) -> clap::Error {
    let Some(ContextValue::String(typed)) = error.get(ContextKind::InvalidArg) else {
        return error;
    };
    let usage = error.get(ContextKind::Usage).map(ToString::to_string);
    let has_budget = usage.is_some_and(|usage| usage.contains("linspect test"));
    if has_budget && TIME.contains(&typed.as_str()) {
        error.remove(ContextKind::Suggested);
        let meant = ContextValue::String("--budget".into());
        error.insert(ContextKind::SuggestedArg, meant);
    }
    error
}
