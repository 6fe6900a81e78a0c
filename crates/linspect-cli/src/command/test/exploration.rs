//! How far a test is, for whoever waits.

use crate::progress::Progress;
use linspect_explore::search;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// What is known of a test while it runs. Says so until it is dropped.
pub(super) struct Exploration {
    known: Arc<Mutex<Known>>,
    _said: Option<Progress>,
}

struct Known {
    start: Instant,
    budget: Option<Duration>,
    clients: usize,
    /// Per client, how many executions.
    executions: BTreeMap<usize, u64>,
    /// The client heard of last, and roughly which part of it is done.
    current: (usize, f64),
    /// What is being done, once there is something to take apart.
    stage: Option<&'static str>,
}

impl Exploration {
    /// Begins with none of `clients` explored; says nothing if `quiet`.
    pub(super) fn start(clients: usize, budget: Option<Duration>, quiet: bool) -> Self {
        let known = Arc::new(Mutex::new(Known {
            start: Instant::now(),
            budget,
            clients,
            executions: BTreeMap::new(),
            current: (0, 0.0),
            stage: None,
        }));
        let heard = Arc::clone(&known);
        let said = (!quiet).then(|| Progress::start(move || lock(&heard).to_string()));
        Self { known, _said: said }
    }

    /// Hears of the search.
    pub(super) fn hear(&self, progress: search::Progress) {
        let mut known = lock(&self.known);
        known
            .executions
            .insert(progress.client, progress.executions);
        known.current = (progress.client, progress.done);
    }

    /// Something was found, and now this is done about it.
    pub(super) fn enter(&self, stage: &'static str) {
        lock(&self.known).stage = Some(stage);
    }
}

fn lock(known: &Mutex<Known>) -> MutexGuard<'_, Known> {
    known.lock().unwrap_or_else(PoisonError::into_inner)
}

impl std::fmt::Display for Known {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let executions: u64 = self.executions.values().sum();
        let elapsed = self.start.elapsed();
        if let Some(stage) = self.stage {
            return write!(
                f,
                "… found something after {executions} executions; {stage} ({} s)",
                elapsed.as_secs()
            );
        }
        let rate = executions as f64 / elapsed.as_secs_f64().max(0.001);
        let (client, done) = self.current;
        write!(f, "… {executions} executions, {rate:.0}/s")?;
        if self.clients > 1 {
            write!(f, " · client {} of {}", client + 1, self.clients)?;
        }
        write!(f, " · {:.0} % of it", 100.0 * done)?;
        if let Some(budget) = self.budget {
            let left = budget.saturating_sub(elapsed).as_secs();
            write!(f, " · {left} s left")?;
        }
        f.write_str(" · Ctrl-C ends with what is known")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_says_how_far_it_is() {
        let exploration = Exploration::start(3, None, true);
        let hear = |client, executions| {
            exploration.hear(search::Progress {
                client,
                executions,
                done: 0.25,
            });
        };
        hear(0, 8);
        hear(1, 2);
        hear(1, 4);
        let said = lock(&exploration.known).to_string();
        assert!(said.starts_with("… 12 executions, "), "{said}");
        assert!(said.contains("client 2 of 3 · 25 % of it"), "{said}");
        exploration.enter("minimising");
        let said = lock(&exploration.known).to_string();
        assert!(said.contains("minimising"), "{said}");
    }
}
