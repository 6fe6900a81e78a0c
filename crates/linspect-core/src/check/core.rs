//! A smallest failing sub-history: the operations that make a violation, without the rest.
//!
//! Plainly leaving out operations would make up violations: without `enqueue(1)` any `dequeue() → 1` is impossible. So an
//! operation is taken out of the core only in one of two ways, both of which can turn a no into a yes and never a yes
//! into a no:
//!
//! * **Its whole family goes** ([`Spec::family`]): all operations on one element of a queue. What is left of a legal
//!   order of effects is legal, so if what is left has none, the whole had none. An operation that only observes is a
//!   family of its own.
//! * **It becomes optional**: it may have taken effect or not while it was running. Every order of effects of the whole
//!   is still one.
//!
//! So the operations of the core are impossible together, whichever of the others took effect. The core is *1-minimal* if
//! each of its operations, made optional too, would let everything be explained.
//!
//! A reader also wants to see how the object came into the state that refuses an operation. The *support* is the last
//! operation that wrote what the refused one returned, and those optional operations without which an operation other
//! than the refused one could not be explained. Core and support together, as a history, fail at the same place.

use super::budget::Budget;
use super::search::{Op, Refusal, Role};
use crate::history::OpId;
use crate::spec::{Family, Spec};
use crate::value::Value;
use crate::verdict::Limit;
use rustc_hash::FxHashMap;
use std::cell::Cell;

/// A failing sub-history, as ascending positions in what was shrunk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Core {
    /// The operations that are impossible together.
    pub(crate) kept: Vec<usize>,
    /// What they build on.
    pub(crate) support: Vec<usize>,
    /// Whether each of `kept` was shown to be needed.
    pub(crate) is_minimal: bool,
}

/// Somebody who decides.
pub(crate) trait Judge<S: Spec> {
    /// Which return of `ops` nothing explains, if there is one. No answer if it takes more than `effort` questions to the
    /// budget.
    fn refused(&self, ops: &[Op<'_, S>], effort: u64) -> Option<Option<OpId>>;

    /// A close look at how `ops` fail; nothing if they do not, or if it takes too long.
    fn refusal(&self, ops: &[Op<'_, S>]) -> Option<Refusal>;
}

/// A budget of so many questions, on top of another one. Deciders ask after equal amounts of work.
pub(crate) struct Effort<'a> {
    pub(crate) left: Cell<u64>,
    pub(crate) outer: &'a dyn Budget,
}

impl Budget for Effort<'_> {
    fn exhausted(&self, memory: usize) -> Option<Limit> {
        match self.left.get() {
            0 => Some(Limit::Time),
            n => {
                self.left.set(n - 1);
                self.outer.exhausted(memory)
            }
        }
    }
}

/// Questions to the budget that one attempt to leave something out may take.
const ATTEMPT: u64 = 40;
/// Attempts in all.
const ATTEMPTS: u32 = 20_000;
/// Operations that all attempts together may look at.
const LOOKS: usize = 3_000_000;

/// Shrinks `ops`, which violate the criterion, says `judge`.
pub(crate) fn shrink<S: Spec>(spec: &S, ops: &[Op<'_, S>], judge: &dyn Judge<S>) -> Core {
    let mut shrinker = Shrinker {
        ops,
        judge,
        fates: vec![Fate::Kept; ops.len()],
        attempts: ATTEMPTS,
        looks: LOOKS,
        doubts: false,
    };
    shrinker.drop_families(spec);
    shrinker.make_optional();
    let is_minimal = !shrinker.doubts;
    let kept = shrinker.having(Fate::Kept);
    shrinker.find_support(spec);
    let support = (0..ops.len())
        .filter(|&i| shrinker.fates[i] != Fate::Gone && !kept.contains(&i))
        .collect();
    Core {
        kept,
        support,
        is_minimal,
    }
}

/// What has become of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Kept,
    Optional,
    Gone,
}

struct Shrinker<'a, 'o, S: Spec> {
    ops: &'a [Op<'o, S>],
    judge: &'a dyn Judge<S>,
    fates: Vec<Fate>,
    attempts: u32,
    looks: usize,
    /// Whether some attempt had to be given up.
    doubts: bool,
}

impl<'o, S: Spec> Shrinker<'_, 'o, S> {
    fn having(&self, fate: Fate) -> Vec<usize> {
        (0..self.ops.len())
            .filter(|&i| self.fates[i] == fate)
            .collect()
    }

    /// Gives `who` another fate, if `fine` with what is then refused; else takes it back. Whether it did.
    fn attempt(&mut self, who: &[usize], fate: Fate, fine: impl Fn(OpId) -> bool) -> bool {
        if who.is_empty() {
            return true;
        }
        let live = self.fates.iter().filter(|&&f| f != Fate::Gone).count();
        if self.attempts == 0 || self.looks < live {
            self.doubts = true;
            return false;
        }
        self.attempts -= 1;
        self.looks -= live;
        let before: Vec<Fate> = who.iter().map(|&i| self.fates[i]).collect();
        for &i in who {
            self.fates[i] = fate;
        }
        let refused = self.judge.refused(&self.now(), ATTEMPT);
        let done = matches!(refused, Some(Some(op)) if fine(op));
        if !done {
            // Of a single operation it must be known that it is needed; larger attempts are only for speed.
            self.doubts |= refused.is_none() && who.len() == 1;
            for (&i, &old) in who.iter().zip(&before) {
                self.fates[i] = old;
            }
        }
        done
    }

    /// The history as it is now.
    fn now(&self) -> Vec<Op<'o, S>> {
        let all = self.ops.iter().zip(&self.fates);
        all.filter_map(|(op, fate)| match fate {
            Fate::Kept => Some(*op),
            Fate::Optional => Some(Op {
                role: Role::Optional,
                ..*op
            }),
            Fate::Gone => None,
        })
        .collect()
    }

    /// Leaves out whole families, where the specification says that this is right.
    fn drop_families(&mut self, spec: &S) {
        let mut families: Vec<Vec<usize>> = Vec::new();
        let mut known: FxHashMap<Value, usize> = FxHashMap::default();
        let mut observers = Vec::new();
        let mut blocking = Vec::new();
        for (i, op) in self.ops.iter().enumerate() {
            let observes = spec.observes(op.call, op.outcome);
            match spec.family(op.call, op.outcome) {
                Family::Of(element) => {
                    let at = *known.entry(element).or_insert_with(|| {
                        families.push(Vec::new());
                        families.len() - 1
                    });
                    families[at].push(i);
                }
                Family::Mixed if !observes => return,
                Family::Mixed => blocking.push(i),
                Family::Alike if observes => observers.push(vec![i]),
                Family::Alike => {}
            }
        }
        if self.attempt(&blocking, Fate::Gone, |_| true) {
            // Who acted last is most likely to be involved.
            families.sort_by_key(|members| members.last().copied());
            self.minimise(&families, Fate::Gone, |_| true);
            self.minimise(&observers, Fate::Gone, |_| true);
        }
        // An attempt given up here is made again with single operations.
        self.doubts = false;
    }

    fn make_optional(&mut self) {
        let kept: Vec<Vec<usize>> = self
            .having(Fate::Kept)
            .into_iter()
            .map(|i| vec![i])
            .collect();
        self.minimise(&kept, Fate::Optional, |_| true);
        // What was needed at first may not be any more.
        for i in self.having(Fate::Kept) {
            self.attempt(&[i], Fate::Optional, |_| true);
        }
    }

    /// Leaves out optional operations as long as the same operation is refused.
    fn find_support(&mut self, spec: &S) {
        let Some(Some(refused)) = self.judge.refused(&self.now(), ATTEMPT) else {
            return;
        };
        if let Some(writer) = self.last_writer_of_result(spec, refused) {
            self.attempt(&[writer], Fate::Kept, |op| op == refused);
        }
        let optional: Vec<Vec<usize>> = self
            .having(Fate::Optional)
            .into_iter()
            .map(|i| vec![i])
            .collect();
        self.minimise(&optional, Fate::Gone, |op| op == refused);
    }

    /// The last operation called before `reader` returned that put its result there, if it is not in the core.
    fn last_writer_of_result(&self, spec: &S, reader: OpId) -> Option<usize> {
        let reader = self.ops.iter().find(|op| op.id == reader)?;
        let result = match reader.outcome.value()? {
            Value::Unit | Value::Nil | Value::Bool(_) => return None,
            other => other,
        };
        let last = (0..self.ops.len())
            .filter(|&i| {
                let op = &self.ops[i];
                self.fates[i] != Fate::Gone
                    && op.from <= reader.to
                    && op.text.1.items().last() == Some(result)
                    && !spec.observes(op.call, op.outcome)
            })
            .max_by_key(|&i| self.ops[i].from)?;
        (self.fates[last] == Fate::Optional).then_some(last)
    }

    /// Gives `fate` to as many of `groups` as it can: first keeps only the last few, twice as many until that is enough, then
    /// takes out ever smaller runs of what is left (delta debugging: Zeller and Hildebrandt, *Simplifying and
    /// isolating failure-inducing input*, IEEE TSE 28(2), 2002).
    fn minimise(&mut self, groups: &[Vec<usize>], fate: Fate, fine: impl Fn(OpId) -> bool) {
        let mut left: Vec<&Vec<usize>> = groups.iter().collect();
        let mut few = 4;
        while few < groups.len() {
            let (out, keep) = groups.split_at(groups.len() - few);
            if self.attempt(&out.concat(), fate, &fine) {
                left = keep.iter().collect();
                break;
            }
            few *= 2;
        }
        let mut run = left.len().div_ceil(2);
        while run > 0 {
            let mut at = 0;
            while at < left.len() {
                let end = (at + run).min(left.len());
                let out: Vec<usize> = left[at..end]
                    .iter()
                    .flat_map(|g| g.iter().copied())
                    .collect();
                if self.attempt(&out, fate, &fine) {
                    left.drain(at..end);
                } else {
                    at = end;
                }
            }
            run = if run == 1 { 0 } else { run.div_ceil(2) };
        }
    }
}
