//! The search as a value that is fed one event at a time: for exploration, where the future is not known.
//!
//! The same algorithm as [`super`] (both drive [`super::frontier`]), except that nobody knows a result before
//! its return, so a configuration also remembers which results it assumed.

use super::frontier::{Config, Frontier, Open, Scratch, Told, TrailId, UNTOLD};
use super::space::{MoveId, Space};
use crate::check::budget::Unlimited;
use crate::history::Outcome;
use crate::spec::{Spec, Unfit};
use crate::value::Value;
use std::hash::{Hash, Hasher};

/// What monitors of one specification share: every state, call and result met so far.
pub struct Arena<'s, S: Spec> {
    space: Space<'s, S>,
    scratch: Scratch<u64>,
}

/// A method with its argument, understood by an [`Arena`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CallId(MoveId);

impl<'s, S: Spec> Arena<'s, S> {
    /// An arena for `spec`.
    pub fn new(spec: &'s S) -> Self {
        Self {
            space: Space::new(spec),
            scratch: Scratch::default(),
        }
    }

    /// Understands a call; equal calls get equal ids.
    pub fn call(&mut self, method: &str, argument: &Value) -> Result<CallId, Unfit> {
        self.space.open_call(method, argument).map(CallId)
    }

    /// The specification.
    pub fn spec(&self) -> &'s S {
        self.space.spec()
    }
}

/// Everything that may have happened in an object, given the calls and returns so far.
///
/// A plain value: cheap to clone, and two monitors of one [`Arena`] are equal iff they hold the same configurations (state,
/// operations that took effect but have not returned, with their results) and the same open calls. Threads number the
/// slots, so equal situations of the same threads are equal monitors.
///
/// ```
/// use linspect_core::check::{Arena, Monitor};
/// use linspect_core::spec::Queue;
/// use linspect_core::value::Value;
///
/// let queue = Queue::default();
/// let mut arena = Arena::new(&queue);
/// let enqueue = arena.call("enqueue", &Value::Int(1))?;
/// let dequeue = arena.call("dequeue", &Value::Unit)?;
///
/// let mut monitor = Monitor::new();
/// monitor.call(&mut arena, 0, enqueue);
/// monitor.call(&mut arena, 1, dequeue);
/// // Thread 1 may have been first or second; nobody put 2 into the queue.
/// assert!(monitor.clone().ret(&mut arena, 1, &Value::Nil)?);
/// assert!(monitor.clone().ret(&mut arena, 1, &Value::Int(1))?);
/// assert!(!monitor.ret(&mut arena, 1, &Value::Int(2))?);
/// # Ok::<(), linspect_core::spec::Unfit>(())
/// ```
#[derive(Clone, Debug)]
pub struct Monitor {
    frontier: Frontier<u64>,
}

/// A configuration; the trail is not kept here.
type Reached = (Config<u64>, TrailId);

/// How many operations a [`Monitor`] can have open at once.
pub const SLOTS: usize = 64;

impl Default for Monitor {
    fn default() -> Self {
        Self::new()
    }
}

impl Monitor {
    /// Nothing has happened.
    pub fn new() -> Self {
        Self {
            frontier: Frontier::new(),
        }
    }

    /// The thread of `slot` calls.
    ///
    /// # Panics
    /// If `slot` is not below [`SLOTS`], or has an open call.
    pub fn call<S: Spec>(&mut self, arena: &mut Arena<'_, S>, slot: usize, call: CallId) {
        assert!(slot < SLOTS, "a monitor has {SLOTS} slots");
        assert!(
            self.frontier.slots().get(slot).is_none_or(Option::is_none),
            "slot {slot} has an open call"
        );
        let open = Open {
            op: 0,
            position: 0,
            act: call.0,
            ret: UNTOLD,
            waits: false,
            is_waited_for: false,
        };
        self.frontier.call(&arena.space, slot, open, false);
    }

    /// The call of `slot` returns `result`. Whether anything explains it, or why no such call ever returns that.
    ///
    /// # Panics
    /// If `slot` has no open call.
    pub fn ret<S: Spec>(
        &mut self,
        arena: &mut Arena<'_, S>,
        slot: usize,
        result: &Value,
    ) -> Result<bool, Unfit> {
        let open = self.frontier.slots().get(slot).copied().flatten();
        let open = open.unwrap_or_else(|| panic!("slot {slot} has no open call"));
        let Arena { space, scratch } = arena;
        let returned = Outcome::Returned(result.clone());
        let told = match space.spec().outcome(space.call_of(open.act), &returned)? {
            Outcome::Returned(result) => Told::Now(space.result(&result)),
            Outcome::Unknown | Outcome::Pending => Told::Anything,
        };
        let alive = self
            .frontier
            .settle(space, scratch, slot, told, &Unlimited)
            .expect("without a budget nothing runs out");
        self.frontier.configs.sort_unstable();
        Ok(alive)
    }

    /// Whether nothing explains what was seen: the object is not linearizable, whatever comes next.
    pub fn is_empty(&self) -> bool {
        self.frontier.configs.is_empty()
    }

    /// Nothing explains what was seen.
    pub(crate) fn refuse(&mut self) {
        self.frontier.configs.clear();
    }

    /// How many configurations there are.
    pub fn len(&self) -> usize {
        self.frontier.configs.len()
    }

    fn key(&self) -> (&[Reached], &[Option<Open>]) {
        // A slot that was used and is free again must not tell two monitors apart.
        let slots = self.frontier.slots();
        let used = slots.iter().rposition(Option::is_some).map_or(0, |i| i + 1);
        (&self.frontier.configs, &slots[..used])
    }
}

impl PartialEq for Monitor {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Monitor {}

impl Hash for Monitor {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key().hash(state);
    }
}
