//! One element of a set that is added and removed at most once.
//!
//! The element is absent, then present, then absent again. Operations that saw it present must overlap the time from the
//! addition to the removal; so the addition is no later than the first return among them, and the removal no earlier than
//! the last call. With the addition as late and the removal as early as these allow, the operations that saw it absent
//! must begin before the one or end after the other (Lee and Mathur, "Efficient Decrease-and-Conquer Linearizability
//! Monitoring", 2025). Linear.

use super::pattern::Pattern;
use crate::history::{History, NEVER, OpId, Operation, Outcome};
use crate::spec::{Set, SetCall, Spec};
use crate::value::Value;

/// Decides the operations `ops`, which are all those on one element of a set.
pub(super) fn decide(history: &History, spec: &Set, ops: &[OpId]) -> Option<Result<(), Pattern>> {
    match Element::read(history, spec, ops)? {
        Ok(element) => Some(element.wrong().map_or(Ok(()), Err)),
        Err(pattern) => Some(Err(pattern)),
    }
}

/// What happened to one element.
struct Element<'h> {
    history: &'h History,
    /// The addition that made it present.
    added: Option<OpId>,
    /// The removal that made it absent again.
    removed: Option<OpId>,
    /// Of the operations that saw it present, the one that returned first and the one that was called last.
    present: Option<(OpId, OpId)>,
    /// Operations that saw it absent.
    absent: Vec<OpId>,
}

impl<'h> Element<'h> {
    /// A pattern if it was added again without having been removed or removed without having been added; `None` if
    /// it was added or removed more than once otherwise, or nobody knows whether it was.
    fn read(history: &'h History, spec: &Set, ops: &[OpId]) -> Option<Result<Self, Pattern>> {
        let mut this = Self {
            history,
            added: None,
            removed: None,
            present: None,
            absent: Vec::new(),
        };
        let mut changes = Changes::default();
        for &id in ops {
            let op = this.op(id);
            let call = spec.call(history.name(op), &op.argument).ok()?;
            let said = match spec.outcome(&call, &op.outcome).ok()? {
                Outcome::Returned(Value::Bool(said)) => Some(said),
                _ => None,
            };
            match (call, said) {
                (SetCall::Add(_), Some(true)) => changes.added.push(id),
                (SetCall::Remove(_), Some(true)) => changes.removed.push(id),
                (SetCall::Add(_), Some(false)) => {
                    changes.vain_additions += 1;
                    this.saw_present(id);
                }
                (SetCall::Contains(_), Some(true)) => this.saw_present(id),
                (SetCall::Remove(_) | SetCall::Contains(_), Some(false)) => this.absent.push(id),
                (SetCall::Contains(_), None) => {}
                (SetCall::Add(_), None) => changes.open_additions.push(id),
                (SetCall::Remove(_), None) => changes.open_removals += 1,
                (SetCall::Read | SetCall::Size | SetCall::IsEmpty, _) => return None,
            }
        }
        if let Some(pattern) = changes.wrong(history) {
            return Some(Err(pattern));
        }
        this.settle(&changes)?;
        Some(Ok(this))
    }

    /// Finds the addition and the removal, if it is clear which they are.
    fn settle(&mut self, changes: &Changes) -> Option<()> {
        if changes.open_removals > 0 || changes.removed.len() > 1 {
            return None;
        }
        self.removed = changes.removed.first().copied();
        self.added = match (&*changes.added, &*changes.open_additions) {
            ([], []) => None,
            ([one], []) => Some(*one),
            // The only addition there is adds the element if it takes effect at all.
            ([], [one]) if changes.vain_additions == 0 => {
                let needed = self.present.is_some() || self.removed.is_some();
                (needed || !self.op(*one).is_pending()).then_some(*one)
            }
            _ => return None,
        };
        Some(())
    }

    fn op(&self, id: OpId) -> &'h Operation {
        &self.history.operations[id as usize]
    }

    fn saw_present(&mut self, id: OpId) {
        let (first, last) = self.present.unwrap_or((id, id));
        self.present = Some((
            if self.op(id).ret < self.op(first).ret {
                id
            } else {
                first
            },
            if self.op(id).call > self.op(last).call {
                id
            } else {
                last
            },
        ));
    }

    /// Operations that contradict each other.
    fn wrong(&self) -> Option<Pattern> {
        let Some(added) = self.added else {
            let witness = self.removed.or(self.present.map(|(first, _)| first))?;
            return Some(Pattern::new().because(
                format!(
                    "{} needs the element, but nobody added it",
                    self.show(witness)
                ),
                [witness],
            ));
        };
        // The addition happens by the return of `until`, the removal after the call of `from`.
        let mut until = added;
        let mut from = self.removed;
        let returns = |id: OpId| self.op(id).ret;
        for id in self
            .present
            .map(|(first, _)| first)
            .into_iter()
            .chain(self.removed)
        {
            if returns(id) < returns(until) {
                until = id;
            }
        }
        if returns(until) < self.op(added).call {
            return Some(self.too_early(until, added));
        }
        if let Some(removed) = self.removed {
            for id in self
                .present
                .map(|(_, last)| last)
                .into_iter()
                .chain([added])
            {
                if self.op(id).call > self.op(from.unwrap_or(removed)).call {
                    from = Some(id);
                }
            }
            let from = from.unwrap_or(removed);
            if returns(removed) < self.op(from).call {
                return Some(self.too_late(from, added, removed));
            }
        }
        let latest_addition = returns(until);
        let earliest_removal = from.map_or(NEVER, |from| self.op(from).call);
        let in_between = |id: &&OpId| {
            latest_addition < self.op(**id).call && self.op(**id).ret < earliest_removal
        };
        let absent = *self.absent.iter().find(in_between)?;
        Some(self.absent_in_between(absent, added, until, from))
    }

    fn show(&self, id: OpId) -> String {
        self.history.show(id).to_string()
    }

    fn too_early(&self, witness: OpId, added: OpId) -> Pattern {
        Pattern::new().because(
            format!(
                "{} returned before {} was called: the element was not yet there",
                self.show(witness),
                self.show(added)
            ),
            [witness, added],
        )
    }

    fn too_late(&self, witness: OpId, added: OpId, removed: OpId) -> Pattern {
        Pattern::new()
            .because(
                format!("{} is the only addition", self.show(added)),
                [added],
            )
            .because(
                format!(
                    "{} returned before {} was called: the element was there no longer",
                    self.show(removed),
                    self.show(witness)
                ),
                [removed, witness],
            )
    }

    fn absent_in_between(
        &self,
        absent: OpId,
        added: OpId,
        until: OpId,
        from: Option<OpId>,
    ) -> Pattern {
        let pattern = Pattern::new().because(
            format!(
                "{} returned before {} was called, so the element had been added by then",
                self.show(until),
                self.show(absent)
            ),
            [until, absent, added],
        );
        let pattern = match (from, self.removed) {
            (Some(from), Some(removed)) => pattern.because(
                format!(
                    "{} was called after {} returned, so the element had not been removed by then",
                    self.show(from),
                    self.show(absent)
                ),
                [from, absent, removed],
            ),
            _ => pattern.because(String::from("nobody removed it"), []),
        };
        pattern.because(
            format!(
                "so it was there all the time while {} ran: contradiction",
                self.show(absent)
            ),
            [absent],
        )
    }
}

/// The operations that changed whether the element is there, or may have.
#[derive(Default)]
struct Changes {
    /// Additions that made it present.
    added: Vec<OpId>,
    /// Removals that made it absent.
    removed: Vec<OpId>,
    /// Additions that found it present.
    vain_additions: usize,
    /// Additions of which nobody knows.
    open_additions: Vec<OpId>,
    /// Removals of which nobody knows.
    open_removals: usize,
}

impl Changes {
    /// Additions and removals that cannot alternate, because there are too many of one of them.
    fn wrong(&self, history: &History) -> Option<Pattern> {
        let (added, removed) = (&self.added, &self.removed);
        let (surplus, others, what) = if added.len() > removed.len() + self.open_removals + 1 {
            (added, removed, "added")
        } else if removed.len() > added.len() + self.open_additions.len() {
            (removed, added, "removed")
        } else {
            return None;
        };
        let shown = |ops: &[OpId]| {
            let ops: Vec<String> = ops.iter().map(|&id| history.show(id).to_string()).collect();
            ops.join(", ")
        };
        let between = match &**others {
            [] => String::from("nothing else changed it"),
            others => format!("only {} changed it otherwise", shown(others)),
        };
        Some(Pattern::new().because(
            format!(
                "{} {what} the element, and {between}: it cannot be {what} again without change in between",
                shown(surplus)
            ),
            surplus.iter().chain(others).copied(),
        ))
    }
}
