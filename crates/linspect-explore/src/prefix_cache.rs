//! Many runs from one start, without running anything twice.
//!
//! Runs whose steps so far are the same up to the order of independent ones are in the same state (Mazurkiewicz, "Trace theory", 1987). So a run
//! that a strategy chooses follows what is known as long as it can, at the price of looking up, and the machine only goes on from
//! there. A run that ends in a known state is equivalent to one that was shown before, and need not be judged again.
//!
//! A state is kept with a snapshot. How many are kept grows with their use: a run that found n known states may add n + 1, so clients whose
//! runs have little in common are not held up.

use crate::partial_run::{PartialRun, Standings};
use crate::run::Run;
use crate::strategies::{Scene, Strategy};
use crate::trace::Clock;
use linspect_core::consistency::Cell;
use linspect_core::digest::digest;
use linspect_core::execution::Step;
use linspect_core::machine::Machine;
use linspect_core::run::Bounds;
use linspect_core::schedule::{Choice, ThreadId};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// How many states are kept.
const MOST: usize = 1 << 14;

/// The states that runs from one start have been in.
pub(crate) struct PrefixCache<S> {
    bounds: Bounds,
    /// The start is the first.
    nodes: Vec<Node<S>>,
    /// By what leads to them.
    known: FxHashMap<u128, usize>,
}

/// A state.
struct Node<S> {
    snapshot: S,
    /// A digest of the class of the steps that lead here.
    class: u128,
    standings: Standings,
    /// The ways on, sorted; none at the end of a run.
    ready: SmallVec<[Choice; 4]>,
    /// Where they lead, as far as that is known.
    ways: SmallVec<[Option<Box<CachedStep>>; 4]>,
    /// Which memory each thread goes to next.
    places: SmallVec<[Option<Cell>; 4]>,
}

/// A step from one state to another.
pub(crate) struct CachedStep {
    pub(crate) step: Step,
    pub(crate) clock: Clock,
    /// Whose waiting it ended.
    pub(crate) woken: SmallVec<[ThreadId; 4]>,
    to: usize,
}

impl<S> PrefixCache<S> {
    /// The start, where `machine` stands.
    pub(crate) fn new<M: Machine<Snapshot = S>>(machine: &mut M, bounds: Bounds) -> Self {
        let mut states = Self {
            bounds,
            nodes: Vec::new(),
            known: FxHashMap::default(),
        };
        let snapshot = machine.snapshot();
        states.keep(&PartialRun::new(machine, bounds), snapshot, 0);
        states
    }

    /// One run to the end, each step chosen by `strategy`. Nothing if an equivalent one was shown before, unless it is wanted `again`.
    pub(crate) fn run<M: Machine<Snapshot = S>>(
        &mut self,
        machine: &mut M,
        strategy: &mut dyn Strategy,
        again: bool,
    ) -> Option<Run> {
        let (path, mut next) = self.follow(strategy);
        // Without any step there is nothing to remember it by.
        if next.is_none() && !again && !path.is_empty() {
            return None;
        }
        let here = path.last().map_or(0, |&(from, way)| self.way(from, way).to);
        machine.restore(&self.nodes[here].snapshot);
        let mut course = PartialRun::resume(machine, self.bounds, &self.nodes[0].standings);
        for &(from, way) in &path {
            let way = self.way(from, way);
            course.repeat(way, self.nodes[way.to].standings.clone());
        }
        let mut kept = Some(here);
        let mut room = path.len() + 1;
        let mut shown = false;
        let mut ready = Vec::new();
        while let Some(choice) = next {
            let woken = course.take(choice).woken;
            (kept, shown) = match kept {
                Some(from) => self.link(from, choice, woken, &mut course, &mut room),
                None => (None, false),
            };
            course.choices(&mut ready);
            next = match ready.is_empty() || course.is_faulty() {
                true => None,
                false => {
                    let events = course.trace.events();
                    let last = events.last().map(|event| &event.step);
                    let places = |thread| course.machine.next_place(thread);
                    Some(choose(strategy, &ready, events.len(), last, &places))
                }
            };
        }
        if shown && !again {
            return None;
        }
        let (end, after) = course.end();
        Some(Run {
            trace: course.trace,
            before: course.before,
            after,
            end,
        })
    }

    /// The part of a run that is known: the ways taken, and the choice that leads on from there; none if it is known to its end.
    fn follow(&self, strategy: &mut dyn Strategy) -> (Vec<(usize, usize)>, Option<Choice>) {
        let mut path: Vec<(usize, usize)> = Vec::new();
        let (mut here, mut last) = (0, None);
        loop {
            let node = &self.nodes[here];
            if node.ready.is_empty() {
                return (path, None);
            }
            let places = |thread: ThreadId| node.places.get(usize::from(thread)).copied().flatten();
            let choice = choose(strategy, &node.ready, path.len(), last, &places);
            let way = node.ready.iter().position(|ready| *ready == choice);
            let Some((way, Some(known))) = way.map(|way| (way, &node.ways[way])) else {
                return (path, Some(choice));
            };
            path.push((here, way));
            (here, last) = (known.to, Some(&known.step));
        }
    }

    fn way(&self, from: usize, way: usize) -> &CachedStep {
        let way = self.nodes[from].ways[way].as_deref();
        way.expect("only known ways are followed")
    }

    /// Notes that the last step of `course` leads on from state `from`: the state it leads to, if that is kept, and whether it was known before.
    fn link<M: Machine<Snapshot = S>>(
        &mut self,
        from: usize,
        choice: Choice,
        woken: SmallVec<[ThreadId; 4]>,
        course: &mut PartialRun<'_, M>,
        room: &mut usize,
    ) -> (Option<usize>, bool) {
        let event = course.trace.events().last().expect("a step was taken");
        // Who ended a wait of several ends is no conflict, but part of what leads here.
        let class = digest(&(event.digest(), &woken)).wrapping_add(self.nodes[from].class);
        let (step, clock) = (event.step.clone(), event.clock.clone());
        let known = self.known.get(&class).copied();
        let to = match known {
            Some(to) => to,
            None if *room == 0 || self.nodes.len() == MOST => return (None, false),
            None => {
                *room -= 1;
                let snapshot = course.machine.snapshot();
                self.keep(course, snapshot, class)
            }
        };
        let node = &mut self.nodes[from];
        if let Some(way) = node.ready.iter().position(|ready| *ready == choice) {
            node.ways[way] = Some(Box::new(CachedStep {
                step,
                clock,
                woken,
                to,
            }));
        }
        (Some(to), known.is_some())
    }

    /// Keeps the state that `course` is in.
    fn keep<M: Machine>(&mut self, course: &PartialRun<'_, M>, snapshot: S, class: u128) -> usize {
        let mut ready = Vec::new();
        if !course.is_faulty() {
            course.choices(&mut ready);
        }
        self.nodes.push(Node {
            snapshot,
            class,
            standings: course.standings().clone(),
            ways: ready.iter().map(|_| None).collect(),
            ready: SmallVec::from_vec(ready),
            places: (0..course.machine.threads() as ThreadId)
                .map(|thread| course.machine.next_place(thread))
                .collect(),
        });
        let at = self.nodes.len() - 1;
        self.known.insert(class, at);
        at
    }
}

fn choose(
    strategy: &mut dyn Strategy,
    ready: &[Choice],
    taken: usize,
    last: Option<&Step>,
    next_place: &dyn Fn(ThreadId) -> Option<Cell>,
) -> Choice {
    let scene = Scene {
        ready,
        taken,
        last,
        // No strategy that samples asks for it.
        next_site: &|_| None,
        next_place,
    };
    let choice = strategy.choose(&scene);
    choice.expect("who samples cuts no run short")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::run;
    use crate::strategies::pct::Pct;
    use crate::strategies::random::Uniform;
    use linspect_core::machine::Subject;
    use linspect_core::random::Random;
    use linspect_toy::random::{self, Shape};
    use rustc_hash::FxHashSet;

    /// What is shown is what the machine does by itself, step for step, and what is not shown is equivalent to something shown.
    #[test]
    fn nothing_is_lost_by_remembering() {
        let mut rng = Random::new(5);
        let (mut shown, mut left_out) = (0, 0);
        for n in 0..60 {
            let shape = Shape {
                threads: 2 + n % 2,
                operations: 3,
                atomics: true,
                locks: n % 3 == 0,
                spins: n % 4 == 0,
                choices: n % 5 == 0,
                ..Shape::plain()
            };
            let (program, client) = random::program(&mut rng, shape);
            let mut machine = program.start(&client).expect("it starts");
            let start = machine.snapshot();
            let bounds = Bounds {
                steps_per_thread: 12,
            };
            let mut states = PrefixCache::new(&mut machine, bounds);
            let mut seen = FxHashSet::default();
            for seed in 0..200 {
                let strategy = || -> Box<dyn Strategy> {
                    match seed % 2 {
                        0 => Box::new(Uniform::new(seed)),
                        _ => Box::new(Pct::new(seed, 3, 10)),
                    }
                };
                machine.restore(&start);
                let alone = run(&mut machine, &mut *strategy(), bounds);
                match states.run(&mut machine, &mut *strategy(), false) {
                    Some(run) => {
                        shown += 1;
                        assert_eq!(run.execution(), alone.execution());
                        let clocks = |run: &Run| -> Vec<Clock> {
                            let events = run.trace.events().iter();
                            events.map(|event| event.clock.clone()).collect()
                        };
                        assert_eq!(clocks(&run), clocks(&alone));
                        seen.insert(run.trace.signature());
                    }
                    None => {
                        left_out += 1;
                        assert!(seen.contains(&alone.trace.signature()));
                    }
                }
                let again = states.run(&mut machine, &mut *strategy(), true);
                let again = again.expect("it is wanted");
                assert_eq!(again.execution(), alone.execution());
            }
        }
        assert!(left_out > shown, "{shown} shown, {left_out} left out");
    }
}
