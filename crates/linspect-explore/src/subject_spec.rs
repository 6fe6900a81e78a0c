//! A specification that is a program: what an object does when its operations run one after the other.
//!
//! With the object itself this needs no specification at all (phase 1 of Round-Up; Burckhardt, Dern, Musuvathi, Tan:
//! "Line-Up: A Complete and Automatic Linearizability Checker", PLDI 2010). With another subject it is a golden model, such as
//! a plain list, or the same object with its relaxation turned off.
//!
//! An operation may choose (`linspect_choose`): it is run in every way.
//!
//! An object may have threads of its own that do its work. What they have to do when an operation is called they may have done, or not.
//!
//! Operations may have to meet, as whoever sends through a channel without a place and whoever receives. Such operations run in turn, each until it waits, in every order of
//! arrival, and take effect together ([`Spec::together`]). That is tried only where there is no other way: of two operations, neither order lets both return alone; of more, not even
//! some of them return, and each of them waits alone. So an object is not excused for what others see of an operation that waits half way.

use crate::alone::{self, Alone, Ways};
use crate::harness_check;
use linspect_core::client::{Client, Invocation};
use linspect_core::execution::{Ending, FaultKind};
use linspect_core::machine::{Machine, StartError, Subject};
use linspect_core::project::outcome;
use linspect_core::schedule::ThreadId;
use linspect_core::spec::{Spec, Unfit};
use linspect_core::value::Value;
use rustc_hash::FxHashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The sequential behaviour of a subject.
///
/// A state is what the machine is in after some sequence of calls; each is reached once and then known by a number.
pub struct SubjectSpec<'a, S: Subject> {
    subject: &'a S,
    name: &'static str,
    /// Whether the object has threads of its own.
    works: bool,
    /// How many operations meet, at most; one if none do.
    meet: usize,
    known: Mutex<Known>,
}

/// A call that waits in no state that so many calls lead to counts as one that never waits.
const LOOKED_AT: usize = 2;

#[derive(Default)]
struct Known {
    /// Per state, a sequence of calls that leads to it.
    sequences: Vec<Vec<Turn>>,
    /// States by what the machine says of itself.
    states: FxHashMap<u128, u32>,
    /// What each call did in each state; nothing if it did not end.
    steps: FxHashMap<(u32, Invocation), Vec<(Value, u32)>>,
    /// What calls did together in each state.
    meetings: FxHashMap<(u32, Vec<Invocation>), Vec<Met>>,
}

/// The results of calls that met, in their order, and the state after them.
type Met = (Vec<Value>, u32);

/// A call, or calls that meet in the order in which they come, and whether the object's own threads have done what they had to do before.
#[derive(Clone)]
struct Turn {
    calls: Vec<Invocation>,
    settled: bool,
    /// Which way the call went wherever it chose.
    ways: Vec<u8>,
}

impl<'a, S: Subject> SubjectSpec<'a, S> {
    /// The sequential behaviour of `subject`.
    pub fn new(subject: &'a S) -> Self {
        Self::named(subject, "sequential execution")
    }

    /// The same, called `name` in reports.
    pub fn named(subject: &'a S, name: &'static str) -> Self {
        Self {
            subject,
            name,
            works: works(subject),
            meet: harness_check::meeting(subject),
            known: Mutex::new(Known {
                sequences: vec![Vec::new()],
                ..Known::default()
            }),
        }
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A state as the subject prints it.
    fn printed(&self, state: u32) -> Option<String> {
        let sequence = self.known().sequences[state as usize].clone();
        self.after(&sequence, None)?.0.show()
    }

    /// Runs `calls` after the sequence of `state`, the way that `ways` says: one, or several that meet.
    fn run(&self, state: u32, calls: &[Invocation], settled: bool, ways: &mut Ways) -> Option<Met> {
        let mut sequence = self.known().sequences[state as usize].clone();
        sequence.push(Turn {
            calls: calls.to_vec(),
            settled,
            ways: Vec::new(),
        });
        // A call that blocks or goes wrong when nothing else runs is not possible here.
        let ran = self.after(&sequence, Some(ways));
        sequence.last_mut()?.ways = ways.taken();
        let (mut machine, endings) = ran?;
        let results = endings
            .iter()
            .map(|ending| outcome(ending).value().cloned());
        let results: Vec<Value> = results.collect::<Option<_>>()?;
        if results.is_empty() {
            return None;
        }
        let fingerprint = machine.fingerprint();
        let known = &mut *self.known();
        let fresh = known.sequences.len() as u32;
        let next = *known.states.entry(fingerprint).or_insert(fresh);
        if next == fresh {
            known.sequences.push(sequence);
        }
        Some((results, next))
    }

    /// The machine after a sequence of calls, the last of which goes the way that `ways` says, and how that ended.
    fn after(
        &self,
        sequence: &[Turn],
        mut ways: Option<&mut Ways>,
    ) -> Option<(S::Machine, Vec<Ending>)> {
        let width = sequence.iter().map(|turn| turn.calls.len()).max();
        let width = width.unwrap_or(1);
        let chooses = sequence.iter().any(|turn| !turn.ways.is_empty())
            || ways.as_ref().is_some_and(|ways| !ways.taken().is_empty());
        if !self.works && width == 1 && !chooses {
            let calls = sequence.iter().flat_map(|turn| turn.calls.clone());
            let client = Client {
                before: calls.collect(),
                ..Client::default()
            };
            match self.subject.start(&client) {
                Ok(machine) => {
                    let ending = machine.prefix().last().cloned();
                    return Some((machine, ending.into_iter().collect()));
                }
                // It waits for a thread that it started itself.
                Err(StartError::PrefixBlocks { .. }) => {}
                // Only threads choose.
                Err(StartError::Prefix { fault, .. }) if fault.kind == FaultKind::Unsupported => {}
                Err(_) => return None,
            }
        }
        let of_thread = |thread: usize| {
            let calls = sequence.iter().filter_map(|turn| turn.calls.get(thread));
            calls.cloned().collect()
        };
        let client = Client {
            threads: (0..width).map(of_thread).collect(),
            ..Client::default()
        };
        let mut machine = self.subject.start(&client).ok()?;
        let mut last = Vec::new();
        for (at, turn) in sequence.iter().enumerate() {
            if turn.settled {
                alone::settle(&mut machine, width);
            }
            let mut known = Ways::only(&turn.ways);
            let ways = match ways.as_deref_mut() {
                Some(ways) if at + 1 == sequence.len() => ways,
                _ => &mut known,
            };
            last = match turn.calls.len() {
                1 => match alone::run(&mut machine, width, 0, ways) {
                    Alone::Ended(ending) => vec![ending],
                    Alone::Waits | Alone::Fails => return None,
                },
                meet => {
                    let threads: Vec<ThreadId> = (0..meet as ThreadId).collect();
                    alone::together(&mut machine, width, &threads)?
                }
            };
        }
        Some((machine, last))
    }

    /// What a call does alone.
    fn alone(&self, state: u32, call: &Invocation) -> Vec<(Value, u32)> {
        let key = (state, call.clone());
        if let Some(known) = self.known().steps.get(&key) {
            return known.clone();
        }
        let call = std::slice::from_ref(call);
        let mut steps = Vec::new();
        let mut add = |settled| {
            let mut ways = Ways::default();
            loop {
                let ran = self.run(state, call, settled, &mut ways);
                let step = ran.and_then(|(mut results, next)| Some((results.pop()?, next)));
                if let Some(step) = step.filter(|step| !steps.contains(step)) {
                    steps.push(step);
                }
                if !ways.advance() {
                    break;
                }
            }
        };
        add(false);
        if self.works {
            add(true);
        }
        self.known().steps.insert(key, steps.clone());
        steps
    }

    /// What calls do that meet, in the order of the calls.
    fn met(&self, state: u32, calls: &[Invocation]) -> Vec<Met> {
        let key = (state, calls.to_vec());
        if let Some(known) = self.known().meetings.get(&key) {
            return known.clone();
        }
        let mut met = Vec::new();
        // Whoever returns alone meets nobody: others see it half way, or it only lets them go on.
        let waits = |call: &Invocation| self.alone(state, call).is_empty();
        if calls.iter().all(waits) && !self.goes_on_apart(state, calls) {
            for order in alone::orders(calls.len()) {
                let arriving: Vec<Invocation> = order.iter().map(|&i| calls[i].clone()).collect();
                let Some((results, next)) = self.run(state, &arriving, false, &mut Ways::default())
                else {
                    continue;
                };
                let place = |i| order.iter().position(|&j| j == i).map(|at| &results[at]);
                let results = (0..calls.len()).filter_map(|i| place(i).cloned());
                let way = (results.collect(), next);
                if !met.contains(&way) {
                    met.push(way);
                }
            }
        }
        self.known().meetings.insert(key, met.clone());
        met
    }

    /// Whether these calls need not meet: two of them return one after the other, or some of more return without the others.
    fn goes_on_apart(&self, state: u32, calls: &[Invocation]) -> bool {
        if let [a, b] = calls {
            let in_turn = |first: &Invocation, second: &Invocation| {
                let after_first = self.alone(state, first);
                let mut after_first = after_first.iter();
                after_first.any(|(_, next)| !self.alone(*next, second).is_empty())
            };
            return in_turn(a, b) || in_turn(b, a);
        }
        (0..calls.len()).any(|left_out| {
            let mut some = calls.to_vec();
            let one = some.remove(left_out);
            !self.alone(state, &one).is_empty() || !self.met(state, &some).is_empty()
        })
    }
}

/// Whether an object starts threads of its own when it is made.
fn works<S: Subject>(subject: &S) -> bool {
    let machine = subject.start(&Client::default());
    machine.is_ok_and(|machine| machine.threads() > 0)
}

impl<S: Subject> Spec for SubjectSpec<'_, S> {
    type State = u32;
    type Call = Invocation;

    fn name(&self) -> &str {
        self.name
    }

    fn call(&self, method: &str, argument: &Value) -> Result<Invocation, Unfit> {
        let operations = self.subject.operations();
        match operations.iter().position(|d| d.name == method) {
            Some(at) => Ok(Invocation {
                operation: at as u16,
                argument: argument.clone(),
            }),
            None => Err(Unfit::Method {
                spec: self.name().to_owned(),
                method: method.to_owned(),
                known: operations
                    .iter()
                    .map(|d| d.name.as_str())
                    .collect::<Vec<_>>()
                    .join(", "),
            }),
        }
    }

    fn initial(&self) -> u32 {
        0
    }

    fn outcomes(&self, state: &u32, call: &Invocation, each: &mut dyn FnMut(Value, u32)) {
        for (result, next) in self.alone(*state, call) {
            each(result, next);
        }
    }

    fn may_wait(&self, call: &Invocation) -> bool {
        if self.works || self.meet > 1 {
            return true;
        }
        let calls = harness_check::calls(self.subject);
        let mut seen = vec![self.initial()];
        let mut newest = 0..1;
        for _ in 0..LOOKED_AT {
            for at in newest.clone() {
                for call in &calls {
                    let next = self.alone(seen[at], call);
                    let next: Vec<u32> = next.into_iter().map(|(_, state)| state).collect();
                    seen.extend(next);
                }
            }
            seen.sort_unstable();
            seen.dedup();
            newest = 0..seen.len();
        }
        seen.into_iter()
            .any(|state| self.alone(state, call).is_empty())
    }

    fn most_together(&self) -> usize {
        self.meet
    }

    fn together(&self, state: &u32, calls: &[&Invocation], each: &mut dyn FnMut(&[Value], u32)) {
        let calls: Vec<Invocation> = calls.iter().map(|&call| call.clone()).collect();
        for (results, next) in self.met(*state, &calls) {
            each(&results, next);
        }
    }

    fn show(&self, state: &u32) -> String {
        if let Some(printed) = self.printed(*state) {
            return printed;
        }
        let known = self.known();
        let operations = self.subject.operations();
        let show = |i: &Invocation| {
            let name = &operations[usize::from(i.operation)].name;
            let items: Vec<String> = i.argument.items().iter().map(Value::to_string).collect();
            format!("{name}({})", items.join(", "))
        };
        let turns = known.sequences[*state as usize].iter();
        let turn = |turn: &Turn| {
            let calls: Vec<String> = turn.calls.iter().map(show).collect();
            calls.join(" with ")
        };
        let calls: Vec<String> = turns.map(turn).collect();
        if calls.is_empty() {
            "as constructed".to_owned()
        } else {
            format!("after {}", calls.join("; "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use linspect_toy::objects;

    #[test]
    fn a_treiber_stack_alone_is_a_stack() {
        let stack = objects::treiber();
        let spec = SubjectSpec::new(&stack);
        let mut state = spec.initial();
        let mut run = |method: &str, argument: Value| {
            let call = spec.call(method, &argument).expect("the stack has it");
            let mut seen = Vec::new();
            spec.outcomes(&state, &call, &mut |result, next| seen.push((result, next)));
            state = seen[0].1;
            assert_eq!(seen.len(), 1);
            seen[0].0.to_string()
        };
        assert_eq!(run("pop", Value::Unit), "nil");
        assert_eq!(run("push", Value::Int(1)), "()");
        assert_eq!(run("push", Value::Int(2)), "()");
        assert_eq!(run("pop", Value::Unit), "2");
        assert_eq!(run("pop", Value::Unit), "1");
        assert_eq!(run("pop", Value::Unit), "nil");
        assert!(
            spec.show(&state).starts_with("after "),
            "{}",
            spec.show(&state)
        );
        assert_eq!(
            spec.call("peek", &Value::Unit)
                .expect_err("no peek")
                .to_string(),
            "sequential execution has no method `peek` (it has push, pop)"
        );
    }
}
