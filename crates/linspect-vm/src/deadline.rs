//! When there is no time left for a long run.

use std::sync::{Arc, PoisonError, RwLock};

/// Asked now and then whether there is no time left; it can be set while machines run.
#[derive(Clone, Default)]
pub(crate) struct Deadline(Arc<RwLock<Option<Passed>>>);

type Passed = Box<dyn Fn() -> bool + Send + Sync>;

impl Deadline {
    /// From now on `passed` says it.
    pub(crate) fn set(&self, passed: impl Fn() -> bool + Send + Sync + 'static) {
        let mut deadline = self.0.write().unwrap_or_else(PoisonError::into_inner);
        *deadline = Some(Box::new(passed));
    }

    /// Whether there is no time left; never without somebody who knows.
    pub(crate) fn has_passed(&self) -> bool {
        let deadline = self.0.read().unwrap_or_else(PoisonError::into_inner);
        deadline.as_ref().is_some_and(|passed| passed())
    }
}
