//! What is wrong with an object or a program, by definition.

use crate::client::{Call, Client};
use crate::code::Code;
use crate::explore::{History, explore};
use crate::language::Kind;
use crate::machine::{Fault, Rules, Run, Stepped};
use std::collections::{BTreeSet, HashMap};

/// A way of being wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Wrong {
    /// The results fit no order of the operations.
    NotLinearizable,
    /// Threads wait for ever, and not because their operations would wait alone.
    Stuck,
    /// A fault.
    Fault(Fault),
}

/// Judges clients of one module, and remembers what its operations do one after the other.
#[derive(Debug)]
pub struct Judge<'a> {
    code: &'a Code<'a>,
    rules: Rules,
    most: usize,
    alone: HashMap<Vec<Call>, Alone>,
}

/// What the last call of a sequence of calls does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alone {
    /// It returns this.
    Returns(i64),
    /// It waits for ever.
    Waits,
    /// It goes wrong, or one before it does or waits.
    Fails,
}

impl<'a> Judge<'a> {
    /// A judge of `code` under `rules` who gives up at `most` states.
    pub fn new(code: &'a Code<'a>, rules: Rules, most: usize) -> Self {
        Self {
            code,
            rules,
            most,
            alone: HashMap::new(),
        }
    }

    /// Everything that can go wrong with the client, or with the program. Nothing if that is too much to find out.
    pub fn judge(&mut self, client: &Client) -> Option<BTreeSet<Wrong>> {
        let explored = explore(self.code, client, &self.rules, self.most)?;
        let mut wrong: BTreeSet<Wrong> = explored.faults.iter().map(|&f| Wrong::Fault(f)).collect();
        let is_object = self.code.module.kind == Kind::Object;
        for (history, waiting) in &explored.stuck {
            if is_object
                && waiting
                    .iter()
                    .any(|&i| i >= client.size() - client.after.len())
            {
                // What comes after the threads waits: nobody has said what that means.
                return None;
            }
            let calls = client.calls();
            let waits = |&i: &usize| self.may_wait(&calls, history, i);
            if !is_object || !waiting.iter().all(waits) {
                wrong.insert(Wrong::Stuck);
            }
        }
        if is_object
            && !explored
                .histories
                .iter()
                .all(|h| self.is_linearizable(client, h))
        {
            wrong.insert(Wrong::NotLinearizable);
        }
        Some(wrong)
    }

    /// Whether some order of the operations that keeps to real time gives these results when they run one after the other.
    pub fn is_linearizable(&mut self, client: &Client, history: &History) -> bool {
        self.goes_on(&client.calls(), history, 0, &mut Vec::new(), None)
    }

    /// Whether an operation waits after some order of those that returned, too: it may then wait for ever (Burckhardt, Dern, Musuvathi, Tan: "Line-Up: A Complete
    /// and Automatic Linearizability Checker", PLDI 2010).
    fn may_wait(&mut self, calls: &[Call], history: &History, waiting: usize) -> bool {
        self.goes_on(calls, history, 0, &mut Vec::new(), Some(waiting))
    }

    /// Whether the operations that returned can be placed after those that are; then the one that waits, if there is one, must wait.
    fn goes_on(
        &mut self,
        calls: &[Call],
        history: &History,
        placed: u32,
        sequence: &mut Vec<Call>,
        waiting: Option<usize>,
    ) -> bool {
        let returned = history.iter().filter(|o| o.result.is_some()).count();
        if sequence.len() == returned {
            let Some(waiting) = waiting else {
                return true;
            };
            sequence.push(calls[waiting].clone());
            let waits = self.last(sequence) == Alone::Waits;
            sequence.pop();
            return waits;
        }
        for (i, operation) in history.iter().enumerate() {
            let Some(result) = operation.result else {
                continue;
            };
            if placed & (1 << i) != 0 || operation.after & !placed != 0 {
                continue;
            }
            sequence.push(calls[i].clone());
            let fits = self.last(sequence) == Alone::Returns(result);
            if fits && self.goes_on(calls, history, placed | (1 << i), sequence, waiting) {
                return true;
            }
            sequence.pop();
        }
        false
    }

    /// What the last of these calls does when they run one after the other.
    fn last(&mut self, sequence: &[Call]) -> Alone {
        if let Some(known) = self.alone.get(sequence) {
            return *known;
        }
        let client = Client {
            threads: vec![sequence.to_vec()],
            ..Client::default()
        };
        let result = self.run_alone(&client);
        self.alone.insert(sequence.to_vec(), result);
        result
    }

    /// What a call does on a new object.
    pub fn alone(&mut self, call: &Call) -> Alone {
        self.last(std::slice::from_ref(call))
    }

    fn run_alone(&self, client: &Client) -> Alone {
        const PATIENCE: usize = 1_000;
        let run = Run::new(self.code, client, &self.rules);
        let Some(mut state) = run.start() else {
            return Alone::Fails;
        };
        let last = client.size() - 1;
        for _ in 0..PATIENCE {
            if run.is_over(&state) {
                let result = state.operations[last].result;
                return result.map_or(Alone::Fails, Alone::Returns);
            }
            let pending = run.pending(&state);
            let thread = run.threads(&state)[0];
            match run.step(&mut state, thread, &mut Vec::new()) {
                Stepped::Done => {}
                Stepped::Blocked if pending == [last] => return Alone::Waits,
                Stepped::Blocked | Stepped::Wrong(_) => return Alone::Fails,
            }
        }
        match run.pending(&state) == [last] {
            true => Alone::Waits,
            false => Alone::Fails,
        }
    }
}
