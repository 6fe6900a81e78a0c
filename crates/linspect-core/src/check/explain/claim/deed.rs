//! What operations have to do with values, for those who speak of them: [`super::values`].

use crate::history::{Operation, Outcome};
use crate::spec::{
    Builtin, CasRegisterCall, ContainerCall, DequeCall, KvMethod, MultisetCall, MutexCall,
    PairSnapshot, PairSnapshotCall, RegisterCall, SetCall, Spec,
};
use crate::value::Value;

/// What an operation has to do with values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Deed {
    /// Leaves this value there, if it takes effect.
    Gives(Value),
    /// Leaves this value there, perhaps, even if it takes effect.
    MayGive(Value),
    /// Found the first value and left the second there instead.
    Turns(Value, Value),
    /// Took this value out.
    Takes(Value),
    /// Saw this value.
    Sees(Value),
    /// Saw that this value is not there.
    Misses(Value),
    /// Saw exactly these.
    SeesAll(Vec<Value>),
    /// Saw that there is nothing.
    SeesNothing,
    /// Takes something, perhaps.
    MayTake,
    /// Takes this value, perhaps.
    MayTakeThis(Value),
    /// Takes a lock.
    Locks,
    /// Takes a lock, perhaps.
    MayLock,
    /// Gives a lock back.
    Unlocks,
    /// Gives a lock back, perhaps.
    MayUnlock,
    /// Was refused a lock, which somebody held.
    Refused,
    /// Did nothing and says nothing that a claim needs.
    Idle,
}

fn fit<S: Spec>(spec: &S, name: &str, op: &Operation) -> Option<(S::Call, Outcome)> {
    let call = spec.call(name, &op.argument).ok()?;
    let outcome = spec.outcome(&call, &op.outcome).ok()?;
    Some((call, outcome))
}

/// What `op` has to do with one cell of a snapshot.
pub(super) fn deed_in_cell(
    spec: &PairSnapshot,
    cell: usize,
    name: &str,
    op: &Operation,
) -> Option<Deed> {
    Some(match fit(spec, name, op)? {
        (PairSnapshotCall::Write(at, v), _) if at == cell => Deed::Gives(v),
        (PairSnapshotCall::Read(at), Outcome::Returned(v)) if at == cell => Deed::Sees(v),
        (PairSnapshotCall::Scan, Outcome::Returned(Value::List(items))) => {
            items.get(cell).cloned().map_or(Deed::Idle, Deed::Sees)
        }
        _ => Deed::Idle,
    })
}

/// What `op` does; nothing if it does what no claim understands.
pub(super) fn deed(spec: &Builtin, name: &str, op: &Operation) -> Option<Deed> {
    use Outcome::{Pending, Returned, Unknown};
    let taken = |outcome| match outcome {
        Returned(Value::Nil) => Deed::SeesNothing,
        Returned(v) => Deed::Takes(v),
        Unknown | Pending => Deed::MayTake,
    };
    let shown = |outcome| match outcome {
        Returned(Value::Nil) => Deed::SeesNothing,
        Returned(v) => Deed::Sees(v),
        Unknown | Pending => Deed::Idle,
    };
    let given = |v, outcome: &Outcome| match outcome {
        Returned(Value::Bool(false)) => Deed::Idle,
        _ => Deed::Gives(v),
    };
    let contained = |(call, outcome)| match call {
        ContainerCall::Put(v) => given(v, &outcome),
        ContainerCall::Take => taken(outcome),
        ContainerCall::Peek => shown(outcome),
        ContainerCall::Size | ContainerCall::IsEmpty => Deed::Idle,
    };
    let read = |outcome: Outcome| outcome.value().cloned().map_or(Deed::Idle, Deed::Sees);
    let said = |outcome: &Outcome| match outcome {
        Returned(Value::Bool(said)) => Some(*said),
        _ => None,
    };
    Some(match spec {
        Builtin::Register(s) => match fit(s, name, op)? {
            (RegisterCall::Write(v), _) => Deed::Gives(v),
            (RegisterCall::Read, outcome) => read(outcome),
        },
        Builtin::CasRegister(s) => match fit(s, name, op)? {
            (CasRegisterCall::Write(v), _) => Deed::Gives(v),
            (CasRegisterCall::Read, outcome) => read(outcome),
            (CasRegisterCall::Swap(to), Returned(from)) => Deed::Turns(from, to),
            (CasRegisterCall::Swap(to), _) => Deed::Gives(to),
            (CasRegisterCall::Cas(from, to), outcome) => match said(&outcome) {
                Some(true) => Deed::Turns(from, to),
                Some(false) => Deed::Idle,
                None => Deed::MayGive(to),
            },
        },
        Builtin::KvMap(s) => {
            let (call, outcome) = fit(s, name, op)?;
            match call.method {
                KvMethod::Put(v) => Deed::Gives(v),
                // Nothing is what a missing key holds.
                KvMethod::Get if outcome == Returned(Value::Nil) => Deed::Sees(s.missing.clone()),
                KvMethod::Get => read(outcome),
                KvMethod::Cas(from, to) => match said(&outcome) {
                    Some(true) => Deed::Turns(from, to),
                    Some(false) => Deed::Idle,
                    None => Deed::MayGive(to),
                },
                _ => return None,
            }
        }
        Builtin::Set(s) => match fit(s, name, op)? {
            (SetCall::Add(v), outcome) => match said(&outcome) {
                Some(false) => Deed::Sees(v),
                _ => Deed::Gives(v),
            },
            (SetCall::Remove(v), outcome) => match said(&outcome) {
                Some(true) => Deed::Takes(v),
                Some(false) => Deed::Misses(v),
                None => Deed::MayTakeThis(v),
            },
            (SetCall::Contains(v), outcome) => match said(&outcome) {
                Some(true) => Deed::Sees(v),
                Some(false) => Deed::Misses(v),
                None => Deed::Idle,
            },
            (SetCall::Read, Returned(Value::List(items))) => Deed::SeesAll(items.to_vec()),
            (SetCall::Read | SetCall::Size | SetCall::IsEmpty, _) => Deed::Idle,
        },
        Builtin::Queue(s) => contained(fit(s, name, op)?),
        Builtin::Stack(s) => contained(fit(s, name, op)?),
        Builtin::Deque(s) => match fit(s, name, op)? {
            (DequeCall::PushFront(v) | DequeCall::PushBack(v), outcome) => given(v, &outcome),
            (DequeCall::PopFront | DequeCall::PopBack, outcome) => taken(outcome),
            (DequeCall::Front | DequeCall::Back, outcome) => shown(outcome),
            _ => Deed::Idle,
        },
        Builtin::Multiset(s) => match fit(s, name, op)? {
            (MultisetCall::Add(v), outcome) => given(v, &outcome),
            (MultisetCall::Take, outcome) => taken(outcome),
            (MultisetCall::Remove(v), outcome) => match said(&outcome) {
                Some(true) => Deed::Takes(v),
                Some(false) => Deed::Idle,
                None => Deed::MayTake,
            },
            _ => Deed::Idle,
        },
        Builtin::PriorityQueue(s) => contained(fit(s, name, op)?),
        Builtin::Mutex(s) => match fit(s, name, op)? {
            // Who may not is told so, if the lock knows its owner.
            (MutexCall::Lock(_), Returned(Value::Bool(false))) => Deed::Refused,
            (MutexCall::Unlock(_), Returned(Value::Bool(false))) => Deed::Idle,
            (MutexCall::Lock(_), Pending) => Deed::MayLock,
            (MutexCall::Lock(_), Unknown) if s.owned => Deed::MayLock,
            (MutexCall::Lock(_), _) => Deed::Locks,
            (MutexCall::TryLock(_), outcome) => match said(&outcome) {
                Some(true) => Deed::Locks,
                Some(false) => Deed::Refused,
                None => Deed::MayLock,
            },
            (MutexCall::Unlock(_), Pending) => Deed::MayUnlock,
            (MutexCall::Unlock(_), Unknown) if s.owned => Deed::MayUnlock,
            (MutexCall::Unlock(_), _) => Deed::Unlocks,
            (MutexCall::IsLocked, _) => Deed::Idle,
        },
        Builtin::Counter(_)
        | Builtin::PairSnapshot(_)
        | Builtin::Semaphore(_)
        | Builtin::Rendezvous(_)
        | Builtin::Exchanger(_)
        | Builtin::Barrier(_) => return None,
    })
}
