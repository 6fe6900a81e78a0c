//! The tree of all interleavings of a client, merged by state.
//!
//! Two nodes are one if memory, the local state of every thread and what the property remembers are equal: then they have the same future and the same
//! labels. (Memory and locals alone, what a model checker's state matching compares, give wrong labels.) No partial-order reduction here:
//! it would hide races. Counts of runs are those of the tree, by dynamic programming.

use super::label::{Fate, Label};
use linspect_core::check::Budget;
use linspect_core::defect::Defect;
use linspect_core::execution::{End, Fault, SiteId, Step};
use linspect_core::machine::{Machine, Status};
use linspect_core::property::Property;
use linspect_core::run;
use linspect_core::schedule::{Choice, ThreadId};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::sync::Arc;

/// A node's index.
pub type NodeId = usize;

/// Where a step stands: the calls that its thread is in, from the operation inwards; the access itself is last. Empty for an operation without any.
pub type Path = Arc<[SiteId]>;

/// One way on from a node.
#[derive(Clone, Debug)]
pub struct Branch {
    /// What was done.
    pub step: Step,
    /// Where in the source.
    pub path: Path,
    /// Where it leads.
    pub to: NodeId,
}

/// A state of the client, with everything that can still happen.
#[derive(Clone, Debug, Default)]
pub struct Node {
    /// The ways on, in order of their choices; none at the end of a run.
    pub branches: Vec<Branch>,
    /// Runs from here that end well, capped.
    pub good: u128,
    /// Runs from here that end badly, capped.
    pub bad: u128,
    /// Whether these are all runs from here.
    pub whole: bool,
    /// How the run ends, if it ends here.
    pub end: Option<End>,
    /// What is wrong with the run that ends here.
    pub wrong: Wrong,
}

/// What is wrong with a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wrong {
    /// The property does not hold.
    pub violates: bool,
    /// It ends in a fault, or with threads that wait for ever and should not.
    pub fails: bool,
}

/// Whether threads may wait for ever after these steps, because they would if every operation ran alone.
pub type MayWait<'a> = dyn FnMut(&[&Step], &[ThreadId]) -> bool + 'a;

impl Node {
    /// How the runs from here end: where not all were looked at, nothing is sure.
    pub fn fate(&self) -> Fate {
        match self.whole {
            true => Fate::of(self.good, self.bad),
            false => Fate::Open,
        }
    }
}

/// All interleavings of a client.
#[derive(Clone, Debug)]
pub struct Dag {
    /// The nodes, children before parents; the root is the last.
    pub nodes: Vec<Node>,
    /// Whether everything was explored; otherwise unexplored nodes have no runs.
    pub complete: bool,
}

impl Dag {
    /// The start of every run.
    pub fn root(&self) -> NodeId {
        self.nodes.len() - 1
    }

    /// What the choice at `node` decides.
    pub fn label(&self, node: NodeId) -> Label {
        let node = &self.nodes[node];
        let fate = |branch: &Branch| self.nodes[branch.to].fate();
        match &node.branches[..] {
            [] => Label::of(&[node.fate()]),
            branches => Label::of(&branches.iter().map(fate).collect::<Vec<_>>()),
        }
    }

    /// How many edges there are.
    pub fn edges(&self) -> usize {
        self.nodes.iter().map(|n| n.branches.len()).sum()
    }

    /// Builds the graph of all interleavings from where `machine` stands, of at most `limit` nodes, for as long as `budget` allows.
    ///
    /// A run is bad if `property` does not hold, if it ends in a fault, or if threads wait for ever and `may_wait` says that they may not.
    pub fn build<M: Machine, P: Property>(
        machine: &mut M,
        property: &mut P,
        may_wait: &mut MayWait<'_>,
        limit: usize,
        budget: &dyn Budget,
    ) -> Self {
        let watch = property.start(machine.prefix());
        let mut builder = Builder {
            machine,
            property,
            may_wait,
            limit,
            budget,
            nodes: Vec::new(),
            known: FxHashMap::default(),
            paths: FxHashSet::default(),
            complete: true,
        };
        builder.explore(watch);
        Self {
            nodes: builder.nodes,
            complete: builder.complete,
        }
    }
}

/// A node being explored.
struct Frame<S, K> {
    key: K,
    snapshot: S,
    choices: Vec<Choice>,
    branches: Vec<Branch>,
    /// Whether all choices are followed.
    whole: bool,
    /// The step being followed, and where it stands.
    step: Option<(Step, Path)>,
}

type Key<W> = (u128, W);

struct Builder<'a, 'w, M: Machine, P: Property> {
    machine: &'a mut M,
    property: &'a mut P,
    may_wait: &'a mut MayWait<'w>,
    limit: usize,
    budget: &'a dyn Budget,
    nodes: Vec<Node>,
    /// Finished nodes by state; `None` while a node is being explored.
    known: FxHashMap<Key<P::Watch>, Option<NodeId>>,
    /// Every path once.
    paths: FxHashSet<Path>,
    complete: bool,
}

/// Where the next step of `thread` stands; equal paths are kept once.
fn path<M: Machine>(known: &mut FxHashSet<Path>, machine: &M, thread: ThreadId) -> Path {
    let stack = machine.stack(thread);
    let sites: SmallVec<[SiteId; 8]> = stack.iter().map(|frame| frame.site).collect();
    match known.get(&sites[..]) {
        Some(path) => Arc::clone(path),
        None => {
            let path: Path = sites[..].into();
            known.insert(Arc::clone(&path));
            path
        }
    }
}

/// Whether a fault is one of the program: then the run is a bad one, whatever the property says of it.
fn is_error(fault: &Fault) -> bool {
    Defect::Fault(fault.clone()).is_error()
}

impl<M: Machine, P: Property> Builder<'_, '_, M, P> {
    fn explore(&mut self, watch: P::Watch) {
        let mut stack = vec![self.enter(watch)];
        let mut finished = None;
        while let Some(frame) = stack.last_mut() {
            if let (Some(to), Some((step, path))) = (finished.take(), frame.step.take()) {
                frame.branches.push(Branch { step, path, to });
            }
            let Some(choice) = frame.choices.pop() else {
                let frame = stack.pop().expect("the loop sees a frame");
                let steps: Vec<&Step> = match frame.branches.is_empty() {
                    true => stack
                        .iter()
                        .filter_map(|f| f.step.as_ref())
                        .map(|s| &s.0)
                        .collect(),
                    false => Vec::new(),
                };
                finished = Some(self.leave(frame, &steps));
                continue;
            };
            self.machine.restore(&frame.snapshot);
            let path = path(&mut self.paths, self.machine, choice.thread);
            let step = self.machine.step(choice);
            let mut watch = frame.key.1.clone();
            self.property.observe(&mut watch, &step);
            if let Some(fault) = &step.fault {
                let wrong = Wrong {
                    violates: !self.property.holds(&watch, &End::Fault, &[]),
                    fails: is_error(fault),
                };
                let to = self.leaf(End::Fault, wrong);
                frame.branches.push(Branch { step, path, to });
                continue;
            }
            let key = (self.machine.fingerprint(), watch);
            match self.known.get(&key) {
                Some(Some(to)) => frame.branches.push(Branch {
                    step,
                    path,
                    to: *to,
                }),
                // Back where this run has been: going round for ever is no run.
                Some(None) => {}
                None => {
                    frame.step = Some((step, path));
                    let next = self.enter_known(key);
                    stack.push(next);
                }
            }
        }
    }

    fn enter(&mut self, watch: P::Watch) -> Frame<M::Snapshot, Key<P::Watch>> {
        let key = (self.machine.fingerprint(), watch);
        self.enter_known(key)
    }

    /// Begins the node where the machine stands.
    fn enter_known(&mut self, key: Key<P::Watch>) -> Frame<M::Snapshot, Key<P::Watch>> {
        self.known.insert(key.clone(), None);
        let mut choices = self.choices();
        let whole = self.known.len() <= self.limit && self.budget.exhausted(0).is_none();
        if !whole {
            self.complete = false;
            choices.clear();
        }
        // The last is explored first.
        choices.reverse();
        Frame {
            key,
            snapshot: self.machine.snapshot(),
            choices,
            branches: Vec::new(),
            whole,
            step: None,
        }
    }

    fn choices(&self) -> Vec<Choice> {
        let threads = 0..ThreadId::try_from(self.machine.threads()).expect("few threads");
        threads
            .filter(|&t| self.machine.status(t) == Status::Ready)
            .flat_map(|thread| {
                let branches = 0..self.machine.alternatives(thread);
                branches.map(move |branch| Choice { thread, branch })
            })
            .collect()
    }

    fn leave(&mut self, frame: Frame<M::Snapshot, Key<P::Watch>>, steps: &[&Step]) -> NodeId {
        let Frame {
            key,
            snapshot,
            branches,
            whole,
            ..
        } = frame;
        let id = if branches.is_empty() {
            self.machine.restore(&snapshot);
            self.end(&key.1, steps, whole)
        } else {
            let sum = |part: fn(&Node) -> u128| {
                let parts = branches.iter().map(|b| part(&self.nodes[b.to]));
                parts.fold(0, u128::saturating_add)
            };
            let (good, bad) = (sum(|n| n.good), sum(|n| n.bad));
            let whole = branches.iter().all(|b| self.nodes[b.to].whole);
            self.nodes.push(Node {
                branches,
                good,
                bad,
                whole,
                end: None,
                wrong: Wrong::default(),
            });
            self.nodes.len() - 1
        };
        self.known.insert(key, Some(id));
        id
    }

    /// Nobody goes on from where the machine stands, and if `whole` nobody could: judges the run of these steps.
    fn end(&mut self, watch: &P::Watch, steps: &[&Step], whole: bool) -> NodeId {
        let threads = 0..ThreadId::try_from(self.machine.threads()).expect("few threads");
        let mut ready = false;
        let mut waiting = Vec::new();
        for thread in threads {
            match self.machine.status(thread) {
                Status::Done => {}
                Status::Ready => ready = true,
                Status::Blocked(_) => waiting.push(thread),
            }
        }
        if ready {
            // The limit, or nothing but rounds: no run ends here.
            self.nodes.push(Node {
                whole,
                ..Node::default()
            });
            return self.nodes.len() - 1;
        }
        let (end, after) = run::end(self.machine, waiting, false);
        let fails = match &end {
            End::Suffix(fault) => is_error(fault),
            end => end.is_stuck() && !(self.may_wait)(steps, end.waiting()),
        };
        let violates = !self.property.holds(watch, &end, &after);
        self.leaf(end, Wrong { violates, fails })
    }

    fn leaf(&mut self, end: End, wrong: Wrong) -> NodeId {
        let bad = wrong.violates || wrong.fails;
        self.nodes.push(Node {
            good: u128::from(!bad),
            bad: u128::from(bad),
            whole: true,
            end: Some(end),
            wrong,
            branches: Vec::new(),
        });
        self.nodes.len() - 1
    }
}
