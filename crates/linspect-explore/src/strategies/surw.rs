//! Selectively uniform random walk (Zhao, Wolff, Mathur, Roychoudhury: "Selectively Uniform Concurrency Testing", ASPLOS 2025).
//!
//! Most steps of a run do not matter to a fault, so a run draws one place in memory, and all orders of the threads' accesses to that place are to be about equally
//! likely, however long the run is. Per thread it is known how many such accesses a run of the threads one after the other has. The thread that makes the next one is drawn in proportion to
//! how many it has left; the others may go on as far as to such an access of theirs, each with a weight of the steps that it has left. When the thread has made its access, the next one is drawn.
//! If nobody else can go on, the intention is dropped.
//!
//! As in the paper's tool the place is drawn anew for each run, here among those that at least two threads use and one of them writes.

use super::{Scene, Strategy};
use linspect_core::consistency::{Cell, cell};
use linspect_core::machine::Machine;
use linspect_core::random::Random;
use linspect_core::run::{Bounds, Nobody, Uninterrupted, run};
use linspect_core::schedule::{Choice, ThreadId};
use std::collections::BTreeMap;
use std::rc::Rc;

/// What the threads do when they run one after the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// How many steps each takes.
    steps: Vec<u32>,
    /// How often each uses the places that several use.
    shared: Vec<(Cell, Vec<u32>)>,
}

impl Counts {
    /// Runs `machine` from where it stands, one thread after the other.
    pub fn measure<M: Machine>(machine: &mut M, bounds: Bounds) -> Self {
        let execution = run(machine, &mut Uninterrupted, bounds, &mut Nobody);
        let threads = machine.threads();
        let mut steps = vec![0; threads];
        let mut used: BTreeMap<Cell, (bool, Vec<u32>)> = BTreeMap::new();
        for step in &execution.steps {
            let thread = usize::from(step.choice.thread);
            steps[thread] += 1;
            for access in step.accesses.iter().filter(|a| a.action.touches_memory()) {
                let place = used.entry(cell(access.location));
                let (is_written, counts) = place.or_insert_with(|| (false, vec![0; threads]));
                *is_written |= access.action.writes();
                counts[thread] += 1;
            }
        }
        let is_shared = |(is_written, counts): &(bool, Vec<u32>)| {
            *is_written && counts.iter().filter(|count| **count > 0).count() > 1
        };
        let shared = used.into_iter().filter(|(_, used)| is_shared(used));
        Self {
            steps,
            shared: shared.map(|(cell, (_, counts))| (cell, counts)).collect(),
        }
    }
}

/// One run of SURW.
#[derive(Clone, Debug)]
pub struct Surw {
    random: Random,
    /// The place whose accesses are ordered.
    place: Option<Cell>,
    /// Steps that each thread has left, as far as that is known.
    steps: Vec<u32>,
    /// Accesses to the place that each thread has left.
    accesses: Vec<u32>,
    /// Who makes the next of them.
    intended: Option<ThreadId>,
}

impl Surw {
    /// The run that `seed` determines.
    pub fn new(seed: u64, counts: &Rc<Counts>) -> Self {
        let mut random = Random::new(seed);
        let drawn = match counts.shared.is_empty() {
            true => None,
            false => Some(random.pick(&counts.shared)),
        };
        Self {
            random,
            place: drawn.map(|(place, _)| *place),
            steps: counts.steps.clone(),
            accesses: drawn.map_or_else(Vec::new, |(_, counts)| counts.clone()),
            intended: None,
        }
    }

    /// Counts the step that was taken.
    fn note(&mut self, scene: &Scene<'_>) {
        let Some(step) = scene.last else { return };
        let thread = step.choice.thread;
        if let Some(steps) = self.steps.get_mut(usize::from(thread)) {
            *steps = steps.saturating_sub(1);
        }
        let mut accesses = step.accesses.iter();
        if accesses.any(|access| Some(cell(access.location)) == self.place) {
            if let Some(left) = self.accesses.get_mut(usize::from(thread)) {
                *left = left.saturating_sub(1);
            }
            self.intended = self.intended.filter(|intended| *intended != thread);
        }
    }

    /// Draws one of `threads` in proportion to `weight`; none if nobody has any.
    fn draw(
        &mut self,
        mut threads: impl Iterator<Item = ThreadId> + Clone,
        weight: impl Fn(&Self, ThreadId) -> u32,
    ) -> Option<ThreadId> {
        let sum: u64 = threads.clone().map(|t| u64::from(weight(self, t))).sum();
        if sum == 0 {
            return None;
        }
        let mut at = self.random.below(sum as usize) as u64;
        threads.find(|thread| {
            let weight = u64::from(weight(self, *thread));
            let is_it = at < weight;
            at = at.saturating_sub(weight);
            is_it
        })
    }
}

impl Strategy for Surw {
    fn choose(&mut self, scene: &Scene<'_>) -> Option<Choice> {
        self.note(scene);
        let mut ready: Vec<ThreadId> = scene.ready.iter().map(|choice| choice.thread).collect();
        ready.dedup();
        if self.intended.is_none() {
            let threads = 0..self.accesses.len() as ThreadId;
            self.intended = self.draw(threads, |s, thread| s.accesses[usize::from(thread)]);
        }
        let (place, intended) = (self.place, self.intended);
        let stands_before_it =
            |thread: &ThreadId| place.is_some() && (scene.next_place)(*thread) == place;
        let mut free = ready.clone();
        free.retain(|t| intended.is_none() || intended == Some(*t) || !stands_before_it(t));
        if free.is_empty() {
            self.intended = None;
            free = ready;
        }
        let weight = |s: &Self, thread: ThreadId| {
            let steps = s.steps.get(usize::from(thread));
            steps.map_or(1, |steps| (*steps).max(1))
        };
        let thread = self.draw(free.iter().copied(), weight)?;
        let mut ways = scene.ready.to_vec();
        ways.retain(|choice| choice.thread == thread);
        Some(*self.random.pick(&ways))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use linspect_core::client::{Client, Invocation};
    use linspect_core::machine::Subject;
    use linspect_core::value::Value;
    use linspect_toy::Program;

    /// Both threads use `x`, each at its own moments among accesses that do not matter.
    const PROGRAM: &str = "
        global x = 0
        global a = 0
        global b = 0
        op first
          v = faa x 1
          w = read a
          w = read a
          w = read a
          w = read a
          w = read a
          w = read a
          v = faa x 1
          v = faa x 1
          return
        op second
          w = read b
          w = read b
          v = faa x 1
          v = faa x 1
          w = read b
          w = read b
          w = read b
          v = faa x 1
          return";

    fn client() -> Client {
        let call = |operation| {
            vec![Invocation {
                operation,
                argument: Value::Unit,
            }]
        };
        Client {
            threads: vec![call(0), call(1)],
            ..Client::default()
        }
    }

    /// How often each order of the accesses to `x` comes up.
    fn orders(runs: u64, mut strategy: impl FnMut(u64) -> Box<dyn Strategy>) -> Vec<u64> {
        let program = Program::parse(PROGRAM).expect("a program");
        let mut machine = program.start(&client()).expect("it starts");
        let start = machine.snapshot();
        let mut orders: BTreeMap<Vec<ThreadId>, u64> = BTreeMap::new();
        for seed in 0..runs {
            machine.restore(&start);
            let execution = run(
                &mut machine,
                &mut *strategy(seed),
                Bounds::default(),
                &mut Nobody,
            );
            let writes = execution.steps.iter().filter(|step| {
                let mut accesses = step.accesses.iter();
                accesses.any(|access| access.action.writes())
            });
            let order = writes.map(|step| step.choice.thread).collect();
            *orders.entry(order).or_default() += 1;
        }
        orders.into_values().collect()
    }

    /// Three accesses of each of two threads have twenty orders.
    #[test]
    fn orders_of_what_matters_are_equally_likely() {
        let program = Program::parse(PROGRAM).expect("a program");
        let mut machine = program.start(&client()).expect("it starts");
        let counts = Rc::new(Counts::measure(&mut machine, Bounds::default()));
        assert_eq!(counts.steps, [9, 8]);
        // Only one place is used by both.
        let shared: Vec<&Vec<u32>> = counts.shared.iter().map(|(_, used)| used).collect();
        assert_eq!(shared, [&[3, 3]]);
        let runs = 8_000;
        let surw = orders(runs, |seed| Box::new(Surw::new(seed, &counts)));
        let each = runs / 20;
        assert_eq!(surw.len(), 20);
        let is_fair = |count: &u64| count.abs_diff(each) < each / 4;
        assert!(surw.iter().all(is_fair), "{surw:?}");
        // Choosing uniformly at each step is far from that.
        let uniform = orders(runs, |seed| {
            Box::new(crate::strategies::random::Uniform::new(seed))
        });
        assert!(!uniform.iter().all(is_fair), "{uniform:?}");
    }
}
