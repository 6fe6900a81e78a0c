//! How far a test is, for whoever waits.

use crate::progress::Progress;
use linspect_engine::clock_budget::ClockBudget;
use linspect_engine::{self as engine, Events, PipelineEvent};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// What is known of a test while it runs. Says so, from the start of its search until it is dropped.
pub(super) struct Exploration {
    known: Arc<Mutex<Known>>,
    quiet: bool,
    said: Mutex<Option<Progress>>,
}

struct Known {
    start: Instant,
    limits: Option<ClockBudget>,
    /// Whether there is one client only.
    alone: bool,
    /// Executions of all clients.
    executions: u64,
    /// The latest client that was begun, and roughly which part of it is done.
    current: (usize, f64),
    /// What is being done, once there is something to take apart.
    stage: Option<&'static str>,
}

impl Exploration {
    /// Nothing is known yet; says nothing if `quiet`.
    pub(super) fn new(quiet: bool) -> Self {
        Self {
            known: Arc::new(Mutex::new(Known {
                start: Instant::now(),
                limits: None,
                alone: false,
                executions: 0,
                current: (0, 0.0),
                stage: None,
            })),
            quiet,
            said: Mutex::new(None),
        }
    }

    fn start(&self, alone: bool, limits: ClockBudget) {
        *lock(&self.known) = Known {
            start: Instant::now(),
            limits: Some(limits),
            alone,
            executions: 0,
            current: (0, 0.0),
            stage: None,
        };
        let mut said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        if !self.quiet && said.is_none() {
            let heard = Arc::clone(&self.known);
            *said = Some(Progress::start(move || lock(&heard).to_string()));
        }
    }

    fn explored(&self, progress: engine::Progress) {
        let mut known = lock(&self.known);
        known.executions = known.executions.max(progress.executions);
        if (progress.client, progress.done) > known.current {
            known.current = (progress.client, progress.done);
        }
    }
}

impl Events for Exploration {
    fn hear(&self, event: PipelineEvent) {
        match event {
            PipelineEvent::Started { alone, limits } => self.start(alone, limits),
            PipelineEvent::Explored(progress) => self.explored(progress),
            PipelineEvent::Entered(stage) => lock(&self.known).stage = Some(stage),
        }
    }
}

fn lock(known: &Mutex<Known>) -> MutexGuard<'_, Known> {
    known.lock().unwrap_or_else(PoisonError::into_inner)
}

impl std::fmt::Display for Known {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let executions = self.executions;
        let elapsed = self.start.elapsed();
        if let Some(stage) = self.stage {
            return write!(
                f,
                "… {executions} executions; now {stage} ({} s)",
                elapsed.as_secs()
            );
        }
        let rate = executions as f64 / elapsed.as_secs_f64().max(0.001);
        let (client, done) = self.current;
        write!(f, "… {executions} executions, {rate:.0}/s")?;
        match self.alone {
            true => write!(f, " · about {:.0} % of the schedules", 100.0 * done)?,
            false => write!(
                f,
                " · client {}: about {:.0} % of its schedules",
                client + 1,
                100.0 * done
            )?,
        }
        if let Some(left) = self.limits.and_then(|limits| limits.left()) {
            write!(f, " · {} s of computing left", left.as_secs())?;
        }
        f.write_str(" · Ctrl-C ends with what is known")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever order it hears things in.
    #[test]
    fn it_never_goes_back() {
        let exploration = Exploration::new(true);
        exploration.hear(PipelineEvent::Started {
            alone: false,
            limits: ClockBudget::processor(None, 0),
        });
        let hear = |client, executions, done| {
            exploration.hear(PipelineEvent::Explored(engine::Progress {
                client,
                executions,
                done,
            }));
            lock(&exploration.known).to_string()
        };
        let said = hear(0, 8, 0.5);
        assert!(said.starts_with("… 8 executions, "), "{said}");
        assert!(
            said.contains("client 1: about 50 % of its schedules"),
            "{said}"
        );
        hear(1, 12, 0.25);
        for said in [hear(0, 10, 0.75), hear(1, 11, 0.125)] {
            assert!(said.starts_with("… 12 executions, "), "{said}");
            assert!(
                said.contains("client 2: about 25 % of its schedules"),
                "{said}"
            );
        }
        exploration.hear(PipelineEvent::Entered("minimising"));
        let said = lock(&exploration.known).to_string();
        assert!(said.contains("minimising"), "{said}");
    }
}
