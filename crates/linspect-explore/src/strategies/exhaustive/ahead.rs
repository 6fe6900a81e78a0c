//! Pieces of the walk over classes that others walk ahead of it.
//!
//! Most of the walk is not known before it comes there: races that are found in one branch put others beside it. But a *leaf* of a wakeup tree is known. It will be run, nothing is ever
//! inserted below it, and what the walk will have covered when it comes there (the sleep set) follows from the steps that are planned before it. What comes of it depends on that and on the
//! way there alone, except for the races with steps of that way: they ask for plans at nodes above, which the walk puts there itself when it comes by, in the order in which it would have found them.
//! So what somebody else has walked ahead is, leaf by leaf and plan by plan, what the walk would have done.

use super::super::wakeup::{Planned, Wakeup};
use super::super::{Visit, Walk};
use super::{Explorer, Node, Options};
use crate::partial_run::{PartialRun, Standing};
use crate::trace::Footprint;
use linspect_core::digest::digest;
use linspect_core::machine::Machine;
use linspect_core::schedule::Choice;
use rustc_hash::FxHashSet;

/// How many steps the plans of a piece may have together. A piece that asks for more is left to the walk, so that results take bounded memory.
const MOST_ASKED: usize = 1 << 20;

/// A piece of the walk: everything below one leaf of a wakeup tree.
#[derive(Clone, Debug)]
pub struct Piece {
    /// The steps that lead to the node above the leaf.
    way: Vec<Choice>,
    /// The nodes on that way and the one at its end, as they will be; the first child of each is the way on, that of the last one is the leaf.
    above: Vec<Above>,
}

/// What the walk knows about a node above a piece.
#[derive(Clone, Debug)]
struct Above {
    sleep: Vec<Footprint>,
    plan: Wakeup,
}

/// What became of a piece.
#[derive(Debug)]
pub struct WalkedPiece {
    /// What was shown.
    pub walk: Walk,
    /// The sleep set that was taken for granted.
    sleep: Vec<Footprint>,
    /// The first step of the piece.
    first: Footprint,
    /// Plans for the nodes above, in the order in which they were found.
    asked: Vec<Asked>,
}

impl WalkedPiece {
    /// Whether this is what was taken for granted to be asleep. A planned step that turns out to be blocked is not run and does not sleep.
    pub fn begins_with(&self, sleep: &[Footprint]) -> bool {
        let bare =
            |sleep: &[Footprint]| Vec::from_iter(sleep.iter().map(Footprint::without_values));
        bare(&self.sleep) == bare(sleep)
    }
}

/// A plan for a node that belongs to somebody else.
#[derive(Debug)]
struct Asked {
    at: usize,
    what: Plan,
}

#[derive(Debug)]
enum Plan {
    /// A reversed race.
    Sequence(Vec<Planned>),
    /// Another way on where a step ended the run.
    Instead(Footprint),
}

/// Others who walk pieces.
pub trait Helpers {
    /// How many leaves a piece should have at least to be worth its while; none if nobody waits for one.
    fn wanted(&self) -> Option<u64>;

    /// Offers a piece, which gets this number.
    fn offer(&self, piece: Piece) -> u64;

    /// What became of a piece whose turn it is, if it [begins](WalkedPiece::begins_with) with this sleep set. If it is none, the walk goes there itself; otherwise whoever sees the leaves has taken
    /// notice of those of the piece.
    fn fetch(&self, number: u64, sleep: &[Footprint]) -> Option<WalkedPiece>;
}

/// What an explorer owes to others.
#[derive(Default)]
pub(super) struct Debts {
    /// How many nodes belong to the one who gave the piece.
    pub(super) floor: usize,
    asked: Vec<Asked>,
    /// Digests of what was asked.
    known: FxHashSet<u128>,
    /// Steps of all plans.
    steps: usize,
}

/// Walks a piece on `machine`, which stands at the start. Nothing if it was stopped, or cannot be walked ahead.
pub fn piece<M: Machine>(
    machine: &mut M,
    options: &Options<'_>,
    piece: Piece,
    helpers: &dyn Helpers,
    visit: &mut Visit<'_>,
) -> Option<WalkedPiece> {
    let mut explorer = Explorer {
        course: PartialRun::new(machine, options.bounds),
        options,
        nodes: Vec::new(),
        walk: Walk::default(),
        moved: false,
        steps: 0,
        helpers: Some(helpers),
        debts: Debts {
            floor: piece.above.len(),
            ..Debts::default()
        },
    };
    let sleep = piece.above.last()?.sleep.clone();
    let mut way = piece.way.iter();
    for above in piece.above {
        explorer.enter(above.sleep, above.plan);
        if let Some(&choice) = way.next() {
            explorer.is_possible(choice).then_some(())?;
            explorer.course.take(choice);
        }
    }
    let first = explorer.top().plan.children.first()?.0.choice;
    explorer.is_possible(first).then_some(())?;
    explorer.explore(visit);
    let is_whole = !explorer.walk.stopped && explorer.debts.steps <= MOST_ASKED;
    is_whole.then(|| WalkedPiece {
        walk: explorer.walk,
        sleep,
        // It sleeps now, behind those that slept before.
        first: explorer.top().sleep.last().expect("it was run").clone(),
        asked: explorer.debts.asked,
    })
}

impl<M: Machine> Explorer<'_, M> {
    fn is_possible(&self, choice: Choice) -> bool {
        let standing = self.course.standings().get(usize::from(choice.thread));
        standing == Some(&Standing::Ready)
            && choice.branch < self.course.machine.alternatives(choice.thread)
    }

    /// Whether a node belongs to the one who gave this piece.
    pub(super) fn is_above(&self, at: usize) -> bool {
        at < self.debts.floor
    }

    /// Whether the piece was walked to its end.
    pub(super) fn is_back(&self) -> bool {
        self.nodes.len() == self.debts.floor && self.top().finished > 0
    }

    /// Asks for a sequence at a node above.
    pub(super) fn ask(&mut self, at: usize, sequence: Vec<Planned>) {
        // What the tree covered when the piece was given it covers for ever, and the same sequence twice is once.
        if !self.nodes[at].takes(&sequence) || !self.debts.known.insert(key(at, &sequence)) {
            return;
        }
        self.debts.steps += sequence.len();
        let what = Plan::Sequence(sequence);
        self.debts.asked.push(Asked { at, what });
        self.walk.stopped |= self.debts.steps > MOST_ASKED;
    }

    /// Plans another way on at a node where a step ended the run.
    pub(super) fn plan_instead(&mut self, at: usize, footprint: Footprint) {
        if self.is_known(at, footprint.choice) {
            return;
        }
        if self.is_above(at) {
            let what = Plan::Instead(footprint);
            self.debts.asked.push(Asked { at, what });
        } else {
            self.nodes[at].plan.add(footprint);
        }
    }

    /// Takes over what became of the first child of the last node, if somebody has walked it. Whether it was so.
    pub(super) fn take_over(&mut self) -> bool {
        let Some(helpers) = self.helpers else {
            return false;
        };
        let top = self.nodes.last_mut().expect("the root stays");
        let Some(number) = top.plan.children[0].1.piece.take() else {
            return false;
        };
        let Some(outcome) = helpers.fetch(number, &top.sleep) else {
            return false;
        };
        top.plan.children[0].0 = outcome.first;
        for Asked { at, what } in outcome.asked {
            match what {
                Plan::Sequence(sequence) => self.insert(at, sequence),
                Plan::Instead(footprint) => self.plan_instead(at, footprint),
            }
        }
        self.walk.executions += outcome.walk.executions;
        self.walk.redundant += outcome.walk.redundant;
        self.walk.covered += outcome.walk.covered;
        self.walk.limited += outcome.walk.limited;
        self.leave_child();
        true
    }

    /// Offers a piece if somebody waits for one: that which is nearest to the root, for it is likely to be the largest.
    pub(super) fn offer(&mut self) {
        let Some(helpers) = self.helpers else {
            return;
        };
        let Some(least) = helpers.wanted() else {
            return;
        };
        let seen = (self.walk.executions + self.walk.covered) as f64;
        let all = seen / self.progress();
        let mut share = 1.0;
        for at in self.debts.floor..self.nodes.len() - 1 {
            let node = &self.nodes[at];
            share /= f64::from(node.finished) + node.plan.children.len() as f64;
            if share * all < least as f64 {
                return;
            }
            for child in 1..node.plan.children.len() {
                let mut way = vec![child];
                if node.plan.children[child].1.free_leaf(&mut way) {
                    let number = helpers.offer(self.cut(at, &way));
                    self.nodes[at].plan.at(&way).piece = Some(number);
                    return;
                }
            }
        }
    }

    /// The piece below the leaf of node `at` to which these numbers of children lead.
    fn cut(&self, at: usize, numbers: &[usize]) -> Piece {
        let mut above: Vec<Above> = Vec::with_capacity(at + numbers.len());
        for node in &self.nodes[..at] {
            above.push(Above {
                sleep: node.sleep.clone(),
                plan: node.plan.clone(),
            });
        }
        let events = self.course.trace.events()[..at].iter();
        let mut way: Vec<Choice> = events.map(|event| event.step.choice).collect();
        let mut sleep = self.nodes[at].sleep.clone();
        let mut plan = self.nodes[at].plan.clone();
        for &number in numbers {
            let before = plan.children.drain(..number);
            sleep.extend(before.map(|(footprint, _)| footprint));
            let (step, below) = &mut plan.children[0];
            let (step, below) = (step.clone(), std::mem::take(below));
            let awake = |f: &&Footprint| !f.depends(&step);
            let next = sleep.iter().filter(awake).cloned().collect();
            way.push(step.choice);
            above.push(Above { sleep, plan });
            (sleep, plan) = (next, below);
        }
        way.pop();
        Piece { way, above }
    }
}

/// A digest of what decides where a sequence goes.
fn key(at: usize, sequence: &[Planned]) -> u128 {
    let bare = |p: &Planned| (p.footprint.without_values(), p.position, p.clock.clone());
    digest(&(at, Vec::from_iter(sequence.iter().map(bare))))
}

impl<S> Node<S> {
    /// Whether a sequence that is inserted here would be run.
    fn takes(&self, sequence: &[Planned]) -> bool {
        !self.covers(sequence) && self.plan.takes(sequence)
    }
}
