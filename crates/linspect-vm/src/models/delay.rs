//! Delays that count their rounds: the back-off of crossbeam and of the channels in Rust's standard library.
//!
//! Each round of a loop that waits by one of them is longer than the last, up to a limit. How long is all that their counter decides, and time
//! does not pass here: without the counter nothing else changes, and a loop that waits comes round in the same state, so that it
//! can be told that it waits. Whoever asks the counter whether it has waited long enough, in order to do something else, gets the
//! real one: then it is part of the program's state.

use super::rust::flat;
use super::{Model, nothing};

/// A type that delays.
struct Delay {
    /// Its path, as symbols spell it.
    path: &'static str,
    /// What makes the delay.
    waits: [&'static str; 2],
    /// What tells how long it has been.
    asks: &'static str,
}

const DELAYS: &[Delay] = &[
    Delay {
        path: "4sync4mpmc5utils7Backoff",
        waits: ["10spin_light", "10spin_heavy"],
        asks: "12is_completed",
    },
    Delay {
        path: "15crossbeam_utils7backoff7Backoff",
        waits: ["4spin", "6snooze"],
        asks: "12is_completed",
    },
];

/// The types of a program whose delays nobody measures.
pub(crate) struct Delays(Vec<&'static Delay>);

impl Delays {
    /// Those of the program with these symbols.
    pub(crate) fn of(symbols: &[&str]) -> Self {
        let is_asked = |delay: &Delay| symbols.iter().any(|symbol| delay.has(symbol, delay.asks));
        Self(DELAYS.iter().filter(|delay| !is_asked(delay)).collect())
    }

    /// What to do instead of the function with this symbol, if that is a delay: nothing.
    pub(crate) fn model(&self, symbol: &str) -> Option<Model> {
        let is_wait = |delay: &Delay| delay.waits.iter().any(|wait| delay.has(symbol, wait));
        let is_delay = self.0.iter().any(|delay| is_wait(delay));
        is_delay.then_some(|_, _| nothing())
    }
}

impl Delay {
    /// Whether `symbol` is the type's function `name`.
    fn has(&self, symbol: &str, name: &str) -> bool {
        symbol.contains("7Backoff")
            && flat(symbol)
                .and_then(|path| {
                    path.split_once(self.path)
                        .map(|(_, rest)| rest.starts_with(name))
                })
                .unwrap_or(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAVY: &str = "_ZN3std4sync4mpmc5utils7Backoff10spin_heavy17h504972fb77de3a38E";
    const SNOOZE: &str = "_RNvMNtCs4xZk_15crossbeam_utils7backoffNtB2_7Backoff6snooze";
    const ASKS: &str = "_ZN15crossbeam_utils7backoff7Backoff12is_completed17h0123456789abcdefE";

    #[test]
    fn a_delay_does_nothing_unless_somebody_measures_it() {
        let delays = Delays::of(&[HEAVY, SNOOZE, "main"]);
        assert!(delays.model(HEAVY).is_some());
        assert!(delays.model(SNOOZE).is_some());
        assert!(delays.model("main").is_none());
        assert!(delays.model(ASKS).is_none());
        let delays = Delays::of(&[HEAVY, SNOOZE, ASKS]);
        assert!(delays.model(HEAVY).is_some());
        assert!(delays.model(SNOOZE).is_none());
    }
}
