//! The states that a specification can be in, each met once and then known by a number.
//!
//! The search compares, hashes and copies configurations far more often than it meets a new state. So states become
//! numbers, and what a *move* (a call with what is known of its result) does in a state is asked of the
//! specification once.

use super::footprint;
use crate::history::Outcome;
use crate::spec::{Spec, Unfit};
use crate::value::Value;
use hashbrown::HashTable;
use rustc_hash::{FxBuildHasher, FxHashMap};
use smallvec::SmallVec;
use std::hash::BuildHasher;
use std::mem::size_of;

/// A state, by number.
pub(crate) type StateId = u32;
/// A call with what is known of its result, by number.
pub(crate) type MoveId = u32;
/// A result, by number.
pub(crate) type ResultId = u32;

/// What is known of the result of a call.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Expected {
    /// As recorded: one result, or any.
    Recorded(Outcome),
    /// Nothing yet: it is told when the call returns, so the search has to remember what it assumed.
    Later,
}

/// A call with what is known of its result.
struct Move<S: Spec> {
    call: S::Call,
    expected: Expected,
    /// It cannot change the state and its result is settled, so it is best placed as soon as it fits.
    quiet: bool,
}

/// A state after a move, and its result where that has to be remembered.
pub(crate) type Next = (StateId, ResultId);

/// A state after moves that were made together, and their results.
pub(crate) type Met = (StateId, Vec<ResultId>);

/// Interned states, moves and results of one specification.
pub(crate) struct Space<'s, S: Spec> {
    spec: &'s S,
    states: Vec<S::State>,
    /// The states by their hashes.
    state_ids: HashTable<(u64, StateId)>,
    moves: Vec<Move<S>>,
    move_ids: FxHashMap<(String, Value, Expected), MoveId>,
    results: Vec<Value>,
    result_ids: FxHashMap<Value, ResultId>,
    /// What is remembered of open operations: sets of (slot, result), sorted by slot. Number 0 is the empty one.
    notes: Vec<Note>,
    note_ids: FxHashMap<Note, u32>,
    /// Where in `nexts` the outcome of a move in a state stands.
    steps: FxHashMap<(StateId, MoveId), (u32, u32)>,
    nexts: Vec<Next>,
    /// What moves do together in a state.
    meetings: FxHashMap<MeetingKey, Vec<Met>>,
    /// Bytes behind the states, as far as the specification tells, and behind the meetings.
    weight: usize,
}

/// Who meets in which state.
type MeetingKey = (StateId, Vec<MoveId>);
type Meeting = (MeetingKey, Vec<Met>);

type Note = SmallVec<[(u16, ResultId); 4]>;

impl<'s, S: Spec> Space<'s, S> {
    /// The space of `spec`, with only its initial state met.
    pub(crate) fn new(spec: &'s S) -> Self {
        let mut space = Self {
            spec,
            states: Vec::new(),
            state_ids: HashTable::new(),
            moves: Vec::new(),
            move_ids: FxHashMap::default(),
            results: Vec::new(),
            result_ids: FxHashMap::default(),
            notes: vec![Note::new()],
            note_ids: FxHashMap::from_iter([(Note::new(), 0)]),
            steps: FxHashMap::default(),
            nexts: Vec::new(),
            meetings: FxHashMap::default(),
            weight: 0,
        };
        space.intern(spec.initial());
        space
    }

    /// The specification.
    pub(crate) fn spec(&self) -> &'s S {
        self.spec
    }

    /// Understands a call whose result will be told later.
    pub(crate) fn open_call(&mut self, method: &str, argument: &Value) -> Result<MoveId, Unfit> {
        let key = (method.to_owned(), argument.clone(), Expected::Later);
        if let Some(&id) = self.move_ids.get(&key) {
            return Ok(id);
        }
        let call = self.spec.call(method, argument)?;
        let id = self.add_move(call, Expected::Later);
        self.move_ids.insert(key, id);
        Ok(id)
    }

    /// Adds a move; whoever has equal ones should add it once.
    pub(crate) fn add_move(&mut self, call: S::Call, expected: Expected) -> MoveId {
        let quiet = match &expected {
            Expected::Recorded(outcome) => self.spec.observes(&call, outcome),
            Expected::Later => false,
        };
        self.moves.push(Move {
            call,
            expected,
            quiet,
        });
        number(self.moves.len() - 1)
    }

    /// Whether `id` is best placed as soon as it fits.
    pub(crate) fn is_quiet(&self, id: MoveId) -> bool {
        self.moves[id as usize].quiet
    }

    /// The call of a move.
    pub(crate) fn call_of(&self, id: MoveId) -> &S::Call {
        &self.moves[id as usize].call
    }

    /// A state, by its number.
    pub(crate) fn state(&self, id: StateId) -> &S::State {
        &self.states[id as usize]
    }

    /// The number of a result.
    pub(crate) fn result(&mut self, value: &Value) -> ResultId {
        if let Some(&id) = self.result_ids.get(value) {
            return id;
        }
        let id = number(self.results.len());
        self.results.push(value.clone());
        self.result_ids.insert(value.clone(), id);
        id
    }

    /// What `id` does in `state`.
    pub(crate) fn step(&mut self, state: StateId, id: MoveId) -> (usize, usize) {
        if let Some(&(from, to)) = self.steps.get(&(state, id)) {
            return (from as usize, to as usize);
        }
        let spec = self.spec;
        let Move { call, expected, .. } = &self.moves[id as usize];
        let here = &self.states[state as usize];
        let from = number(self.nexts.len());
        match expected {
            Expected::Recorded(outcome) => {
                let mut found: SmallVec<[S::State; 2]> = SmallVec::new();
                spec.successors(here, call, outcome, &mut |next| found.push(next));
                for next in found {
                    let next = (self.intern(next), 0);
                    self.add_next(from, next);
                }
            }
            Expected::Later => {
                let mut found: SmallVec<[(Value, S::State); 2]> = SmallVec::new();
                spec.outcomes(here, call, &mut |result, next| found.push((result, next)));
                for (result, next) in found {
                    let next = (self.intern(next), self.result(&result));
                    self.add_next(from, next);
                }
            }
        }
        let to = number(self.nexts.len());
        self.steps.insert((state, id), (from, to));
        (from as usize, to as usize)
    }

    /// What moves of different callers do together in `state`, with a result of each that is told later.
    pub(crate) fn meet(&mut self, state: StateId, moves: &[MoveId]) -> Vec<Met> {
        let key = (state, moves.to_vec());
        if let Some(known) = self.meetings.get(&key) {
            return known.clone();
        }
        let moved: Vec<&Move<S>> = moves.iter().map(|&id| &self.moves[id as usize]).collect();
        let calls: Vec<&S::Call> = moved.iter().map(|one| &one.call).collect();
        let mut found: Vec<(Vec<Value>, S::State)> = Vec::new();
        let here = &self.states[state as usize];
        self.spec.together(here, &calls, &mut |results, next| {
            let fits = |(one, result): (&&Move<S>, &Value)| match &one.expected {
                Expected::Recorded(outcome) => outcome.value().is_none_or(|seen| seen == result),
                Expected::Later => true,
            };
            if moved.iter().zip(results).all(fits) {
                found.push((results.to_vec(), next));
            }
        });
        let mut met: Vec<Met> = Vec::new();
        for (results, next) in found {
            let results = results.iter().map(|result| self.result(result)).collect();
            let one = (self.intern(next), results);
            if !met.contains(&one) {
                met.push(one);
            }
        }
        let told = size_of::<Met>() + size_of_val(moves);
        self.weight += size_of_val(moves) + met.len() * told;
        self.meetings.insert(key, met.clone());
        met
    }

    fn add_next(&mut self, from: u32, next: Next) {
        if !self.nexts[from as usize..].contains(&next) {
            self.nexts.push(next);
        }
    }

    /// An entry of the range that [`Space::step`] gave.
    pub(crate) fn next(&self, at: usize) -> Next {
        self.nexts[at]
    }

    /// The number of a state.
    pub(crate) fn intern(&mut self, state: S::State) -> StateId {
        let hash = FxBuildHasher.hash_one(&state);
        let states = &self.states;
        let is_it = |&(other, id): &(u64, StateId)| other == hash && states[id as usize] == state;
        if let Some(&(_, id)) = self.state_ids.find(hash, is_it) {
            return id;
        }
        let id = number(self.states.len());
        self.weight += self.spec.weight(&state);
        self.states.push(state);
        self.state_ids
            .insert_unique(hash, (hash, id), |&(hash, _)| hash);
        id
    }

    /// A result, by its number.
    pub(crate) fn result_of(&self, id: ResultId) -> &Value {
        &self.results[id as usize]
    }

    /// What `note` remembers.
    pub(crate) fn noted(&self, note: u32) -> &[(u16, ResultId)] {
        &self.notes[note as usize]
    }

    /// `note` with `result` remembered for `slot`.
    pub(crate) fn remember(&mut self, note: u32, slot: usize, result: ResultId) -> u32 {
        let mut longer = self.notes[note as usize].clone();
        let slot = u16::try_from(slot).expect("a monitor has at most 64 slots");
        let at = longer.partition_point(|&(other, _)| other < slot);
        longer.insert(at, (slot, result));
        self.note(longer)
    }

    /// What `note` remembers for `slot`, and the note without it.
    pub(crate) fn recall(&mut self, note: u32, slot: usize) -> Option<(ResultId, u32)> {
        let at = self.notes[note as usize]
            .iter()
            .position(|&(other, _)| usize::from(other) == slot)?;
        let mut shorter = self.notes[note as usize].clone();
        let (_, result) = shorter.remove(at);
        Some((result, self.note(shorter)))
    }

    fn note(&mut self, note: Note) -> u32 {
        if let Some(&id) = self.note_ids.get(&note) {
            return id;
        }
        let id = number(self.notes.len());
        self.notes.push(note.clone());
        self.note_ids.insert(note, id);
        id
    }

    /// About how many bytes this holds.
    pub(crate) fn memory(&self) -> usize {
        footprint::list::<S::State>(self.states.len(), self.states.capacity())
            + footprint::table::<(u64, StateId)>(self.state_ids.len(), self.state_ids.capacity())
            + footprint::table::<((StateId, MoveId), (u32, u32))>(
                self.steps.len(),
                self.steps.capacity(),
            )
            + footprint::list::<Next>(self.nexts.len(), self.nexts.capacity())
            + footprint::list::<Note>(self.notes.len(), self.notes.capacity())
            + footprint::table::<(Note, u32)>(self.note_ids.len(), self.note_ids.capacity())
            + footprint::table::<Meeting>(self.meetings.len(), self.meetings.capacity())
            + self.weight
    }

    /// Whether more is remembered than is worth it when only `live` states still matter.
    pub(crate) fn is_crowded(&self, live: usize) -> bool {
        self.states.len() > 4 * live + 4096
            || self.nexts.len() > 8 * live + 65_536
            || (self.weight > 64 << 20 && self.states.len() > 4 * live + 64)
    }

    /// Forgets every state that `live` does not name, and rewrites the numbers there.
    pub(crate) fn forget<'a>(&mut self, live: impl Iterator<Item = &'a mut StateId>) {
        let old = std::mem::take(&mut self.states);
        self.state_ids.clear();
        self.steps.clear();
        self.nexts.clear();
        self.meetings.clear();
        self.weight = 0;
        let mut renamed: FxHashMap<StateId, StateId> = FxHashMap::default();
        for id in live {
            *id = match renamed.get(id) {
                Some(&new) => new,
                None => {
                    let new = self.intern(old[*id as usize].clone());
                    renamed.insert(*id, new);
                    new
                }
            };
        }
    }
}

fn number(n: usize) -> u32 {
    u32::try_from(n).expect("fewer than 2^32 states, moves and results are in use at once")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::Builtin;

    /// Each state stands in the list, and its number in the table.
    #[test]
    fn states_are_said_to_hold_no_less_than_they_do() {
        let Ok(Builtin::Counter(counter)) = Builtin::named("counter") else {
            panic!("there is a counter")
        };
        let mut space = Space::new(&counter);
        for n in 0..1000 {
            space.intern(n);
        }
        let least = 1000 * (size_of::<i64>() + size_of::<(u64, StateId)>());
        assert!(space.memory() >= least, "{}", space.memory());
    }

    /// A queue of many holds its values elsewhere.
    #[test]
    fn what_states_hold_elsewhere_counts() {
        let Ok(Builtin::Queue(queue)) = Builtin::named("queue") else {
            panic!("there is a queue")
        };
        let mut space = Space::new(&queue);
        let mut state = queue.initial();
        for n in 0..100_i64 {
            let call = queue.call("enqueue", &n.into()).expect("it enqueues");
            let last = state.clone();
            queue.outcomes(&last, &call, &mut |_, next| state = next);
            space.intern(state.clone());
        }
        // A few values fit into the state itself.
        let elsewhere: usize = (17..=100).sum();
        let least = elsewhere * size_of::<Value>();
        assert!(space.memory() >= least, "{}", space.memory());
    }
}
