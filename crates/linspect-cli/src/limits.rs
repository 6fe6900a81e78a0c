//! The time and memory that one check may take.

use crate::interrupt;
use linspect_core::check::Budget;
use linspect_core::verdict::Limit;
use std::time::{Duration, Instant};

/// A budget with a clock.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    deadline: Option<Instant>,
    memory: usize,
    /// Bytes that are held whatever the check does, such as the history itself.
    held: usize,
}

impl Limits {
    /// From now on, `timeout` and `memory` bytes.
    pub(crate) fn start(timeout: Option<Duration>, memory: usize) -> Self {
        Self {
            deadline: timeout.and_then(|t| Instant::now().checked_add(t)),
            memory,
            held: 0,
        }
    }

    /// The same limits for somebody who holds `bytes` anyway.
    pub(crate) fn holding(self, bytes: usize) -> Self {
        Self {
            held: bytes,
            ..self
        }
    }
}

impl Budget for Limits {
    fn exhausted(&self, memory: usize) -> Option<Limit> {
        if interrupt::asked() {
            return Some(Limit::Interrupted);
        }
        if memory.saturating_add(self.held) > self.memory {
            return Some(Limit::Memory);
        }
        self.deadline
            .is_some_and(|deadline| Instant::now() >= deadline)
            .then_some(Limit::Time)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_limit_is_named() {
        let none = Limits::start(None, 100);
        assert_eq!(none.exhausted(100), None);
        assert_eq!(none.exhausted(101), Some(Limit::Memory));
        assert_eq!(none.holding(60).exhausted(40), None);
        assert_eq!(none.holding(60).exhausted(41), Some(Limit::Memory));
        let late = Limits::start(Some(Duration::ZERO), 100);
        assert_eq!(late.exhausted(0), Some(Limit::Time));
    }
}
