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
//!
//! A long history is shrunk in two steps: first only its end, from everything that may have happened until then; then, if
//! what is left violates whichever of the earlier operations took effect, these are brought in again as optional ones.
//! If it does not, everything that happened before matters, as with a counter, and the core is relative to that.

use super::refusal::Refusal;
use crate::check::budget::Budget;
use crate::check::search::walk::Start;
use crate::check::search::{Op, Role};
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
    /// Which return of `ops` nothing explains, if there is one. No answer if it takes more than `left` questions to the
    /// budget; counts them down.
    fn refused(
        &self,
        ops: &[Op<'_, S>],
        start: Option<&Start<S>>,
        left: &Cell<u64>,
    ) -> Option<Option<OpId>>;

    /// A close look at how `ops` fail; nothing if they do not, or if it takes too long.
    fn refusal(&self, ops: &[Op<'_, S>], start: Option<&Start<S>>) -> Option<Refusal>;

    /// Everything that may have happened when `returns` of `ops` have returned; nothing if one cannot begin there.
    fn start_after(&self, ops: &[Op<'_, S>], returns: usize) -> Option<Start<S>>;
}

/// A budget of so many questions, on top of another one. Deciders ask after equal amounts of work.
pub(crate) struct Allowance<'a> {
    pub(crate) left: &'a Cell<u64>,
    pub(crate) outer: &'a dyn Budget,
}

impl Budget for Allowance<'_> {
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

/// An attempt to leave something out may take so many questions to the budget, and so many times as many as it takes with
/// nothing left out.
pub(crate) const ATTEMPT: u64 = 20;
const TIMES: u64 = 4;
/// Operations that all attempts together may look at.
const LOOKS: usize = 500_000;

/// Attempts to leave out a single operation that may be given up; after that all are.
const PATIENCE: u32 = 12;

/// Leaves out whole families from `ops`, which violate the criterion, says `judge`.
pub(crate) fn drop_families<'o, S: Spec>(
    spec: &S,
    ops: &[Op<'o, S>],
    judge: &dyn Judge<S>,
) -> Vec<Op<'o, S>> {
    let mut shrinker = Shrinker::new(ops, None, judge);
    shrinker.drop_families(spec);
    shrinker.now()
}

/// Makes operations of `ops`, which violate the criterion from `start` on, optional, and finds what the rest builds on.
pub(crate) fn shrink<S: Spec>(
    spec: &S,
    ops: &[Op<'_, S>],
    start: Option<&Start<S>>,
    judge: &dyn Judge<S>,
) -> Core {
    let mut shrinker = Shrinker::new(ops, start, judge);
    shrinker.make_optional(spec);
    let is_minimal = !shrinker.doubts;
    let kept = shrinker.having(Fate::Kept);
    shrinker.find_support(spec);
    let support = shrinker.alive_without(&kept);
    Core {
        kept,
        support,
        is_minimal,
    }
}

/// What the operations `kept` of `ops` build on, if they violate whichever of the others took effect.
pub(crate) fn find_support<S: Spec>(
    spec: &S,
    ops: &[Op<'_, S>],
    kept: &[usize],
    judge: &dyn Judge<S>,
) -> Option<Vec<usize>> {
    let mut shrinker = Shrinker::new(ops, None, judge);
    shrinker.fates.fill(Fate::Optional);
    for &i in kept {
        shrinker.fates[i] = Fate::Kept;
    }
    shrinker
        .find_support(spec)
        .then(|| shrinker.alive_without(kept))
}

/// What has become of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Kept,
    Optional,
    Gone,
}

/// What came of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tried {
    Done,
    InVain,
    /// It would have taken too long to find out.
    GivenUp,
}

struct Shrinker<'a, 'o, S: Spec> {
    ops: &'a [Op<'o, S>],
    start: Option<&'a Start<S>>,
    judge: &'a dyn Judge<S>,
    fates: Vec<Fate>,
    /// How many questions it takes with nothing left out.
    base: Option<u64>,
    looks: usize,
    /// How many more attempts may be given up.
    patience: u32,
    /// Whether some attempt was given up.
    doubts: bool,
}

impl<'a, 'o, S: Spec> Shrinker<'a, 'o, S> {
    fn new(ops: &'a [Op<'o, S>], start: Option<&'a Start<S>>, judge: &'a dyn Judge<S>) -> Self {
        Self {
            ops,
            start,
            judge,
            fates: vec![Fate::Kept; ops.len()],
            base: None,
            looks: LOOKS,
            patience: PATIENCE,
            doubts: false,
        }
    }

    /// Who is not gone and not among `kept`, which is sorted.
    fn alive_without(&self, kept: &[usize]) -> Vec<usize> {
        (0..self.ops.len())
            .filter(|i| self.fates[*i] != Fate::Gone && kept.binary_search(i).is_err())
            .collect()
    }

    fn refused(&mut self) -> Option<Option<OpId>> {
        let base = match self.base {
            Some(base) => base,
            None => {
                let left = Cell::new(u64::MAX);
                self.judge.refused(self.ops, self.start, &left)?;
                *self.base.insert(u64::MAX - left.get())
            }
        };
        let left = Cell::new(ATTEMPT + TIMES * base);
        self.judge.refused(&self.now(), self.start, &left)
    }

    fn having(&self, fate: Fate) -> Vec<usize> {
        (0..self.ops.len())
            .filter(|&i| self.fates[i] == fate)
            .collect()
    }

    /// Whether nothing more is tried.
    fn is_spent(&self) -> bool {
        self.looks == 0 || self.patience == 0
    }

    /// Gives `who` another fate, if `fine` with what is then refused; else takes it back.
    fn attempt(&mut self, who: &[usize], fate: Fate, fine: impl Fn(OpId) -> bool) -> Tried {
        if who.is_empty() {
            return Tried::Done;
        }
        if self.is_spent() {
            self.doubts = true;
            return Tried::GivenUp;
        }
        let before: Vec<Fate> = who.iter().map(|&i| self.fates[i]).collect();
        for &i in who {
            self.fates[i] = fate;
        }
        let live = self.fates.iter().filter(|&&f| f != Fate::Gone).count();
        self.looks = self.looks.saturating_sub(live);
        let refused = self.refused();
        if matches!(refused, Some(Some(op)) if fine(op)) {
            return Tried::Done;
        }
        for (&i, &old) in who.iter().zip(&before) {
            self.fates[i] = old;
        }
        if refused.is_some() {
            return Tried::InVain;
        }
        // Of a single operation it must be known that it is needed; larger attempts are only for speed.
        if who.len() == 1 {
            self.doubts = true;
            self.patience = self.patience.saturating_sub(1);
        }
        Tried::GivenUp
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
        if self.attempt(&blocking, Fate::Gone, |_| true) == Tried::Done {
            // Who acted last is most likely to be involved.
            families.sort_by_key(|members| members.last().copied());
            self.minimise(&families, Fate::Gone, |_| true);
            self.minimise(&observers, Fate::Gone, |_| true);
        }
        // An attempt given up here is made again with single operations.
        self.doubts = false;
    }

    /// Makes operations optional: those that change something first, while the others still say what happened.
    fn make_optional(&mut self, spec: &S) {
        let (observers, others): (Vec<usize>, Vec<usize>) = self
            .having(Fate::Kept)
            .into_iter()
            .partition(|&i| spec.observes(self.ops[i].call, self.ops[i].outcome));
        for some in [others, observers] {
            let some: Vec<Vec<usize>> = some.into_iter().map(|i| vec![i]).collect();
            self.minimise(&some, Fate::Optional, |_| true);
        }
        // What was needed at first may not be any more.
        for i in self.having(Fate::Kept) {
            if self.is_spent() {
                self.doubts = true;
                break;
            }
            self.attempt(&[i], Fate::Optional, |_| true);
        }
    }

    /// Leaves out optional operations as long as the same operation is refused. Whether one is.
    fn find_support(&mut self, spec: &S) -> bool {
        let Some(Some(refused)) = self.refused() else {
            return false;
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
        true
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
        let mut hard = false;
        while few < groups.len() && !hard {
            let (out, keep) = groups.split_at(groups.len() - few);
            match self.attempt(&out.concat(), fate, &fine) {
                Tried::Done => {
                    left = keep.iter().collect();
                    break;
                }
                Tried::InVain => few *= 2,
                Tried::GivenUp => hard = true,
            }
        }
        let mut run = left.len().div_ceil(2);
        while run > 0 {
            // Where much at once is too hard, little by little may be easy: what is kept holds the rest down.
            run = if hard { 1 } else { run };
            let mut at = 0;
            while at < left.len() && !self.is_spent() {
                let end = (at + run).min(left.len());
                let out: Vec<usize> = left[at..end]
                    .iter()
                    .flat_map(|g| g.iter().copied())
                    .collect();
                match self.attempt(&out, fate, &fine) {
                    Tried::Done => drop(left.drain(at..end)),
                    Tried::InVain => at = end,
                    Tried::GivenUp => {
                        hard = true;
                        at = end;
                    }
                }
            }
            run = if run == 1 || self.is_spent() {
                0
            } else {
                run.div_ceil(2)
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::question::Question;
    use crate::history::History;
    use crate::random::Random;
    use crate::spec::Builtin;
    use crate::verdict::Criterion;

    /// Finds a history wrong as long as all of these must take effect.
    struct Needs {
        these: Vec<usize>,
        asked: Cell<usize>,
    }

    impl<S: Spec> Judge<S> for Needs {
        fn refused(
            &self,
            ops: &[Op<'_, S>],
            _: Option<&Start<S>>,
            _: &Cell<u64>,
        ) -> Option<Option<OpId>> {
            self.asked.set(self.asked.get() + 1);
            let must = |id: usize| {
                let mut all = ops.iter();
                all.any(|op| op.id as usize == id && op.role == Role::Recorded)
            };
            Some(self.these.iter().all(|&id| must(id)).then_some(0))
        }

        fn refusal(&self, _: &[Op<'_, S>], _: Option<&Start<S>>) -> Option<Refusal> {
            None
        }

        fn start_after(&self, _: &[Op<'_, S>], _: usize) -> Option<Start<S>> {
            None
        }
    }

    /// What is kept of a thousand writes, of which `these` are needed, and how many questions that took.
    fn minimised(these: &[usize]) -> (Vec<usize>, usize) {
        let Ok(Builtin::Register(register)) = Builtin::named("register") else {
            panic!("there is a register")
        };
        let mut history = History::new();
        for n in 0..1000 {
            history.push(0, "write", 1, (), 2 * n, 2 * n + 1);
        }
        let question =
            Question::new(&history, &register, Criterion::Linearizable).expect("known calls");
        let ops = question.ops(0);
        let judge = Needs {
            these: these.to_vec(),
            asked: Cell::new(0),
        };
        let mut shrinker = Shrinker::new(&ops, None, &judge);
        let groups: Vec<Vec<usize>> = (0..ops.len()).map(|i| vec![i]).collect();
        shrinker.minimise(&groups, Fate::Optional, |_| true);
        (shrinker.having(Fate::Kept), judge.asked.get())
    }

    #[test]
    fn what_is_needed_is_kept_and_nothing_else() {
        let mut random = Random::new(18);
        for round in 0..50 {
            let mut these: Vec<usize> = (0..1 + round % 5).map(|_| random.below(1000)).collect();
            these.sort_unstable();
            these.dedup();
            assert_eq!(minimised(&these).0, these);
        }
    }

    /// One question says how much it takes as it is, one that the last four are enough, then two and four about these.
    #[test]
    fn the_last_few_are_tried_first() {
        assert_eq!(minimised(&[996, 999]), (vec![996, 999], 1 + 1 + 2 + 4));
        let (kept, asked) = minimised(&[940, 999]);
        assert_eq!(kept, [940, 999]);
        assert!(asked < 30, "{asked}");
    }
}
