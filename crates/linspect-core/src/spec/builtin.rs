//! The built-in specifications by name.

use super::{
    Barrier, CasRegister, Counter, Deque, Exchanger, KvMap, Multiset, Mutex, PairSnapshot,
    PriorityQueue, Queue, Register, Rendezvous, Semaphore, Set, Spec, Stack,
};
use crate::value::Value;

/// One of the built-in specifications.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Builtin {
    /// See [`Register`].
    Register(Register),
    /// See [`CasRegister`].
    CasRegister(CasRegister),
    /// See [`Counter`].
    Counter(Counter),
    /// See [`KvMap`].
    KvMap(KvMap),
    /// See [`Set`].
    Set(Set),
    /// See [`Multiset`].
    Multiset(Multiset),
    /// See [`Queue`].
    Queue(Queue),
    /// See [`Stack`].
    Stack(Stack),
    /// See [`Deque`].
    Deque(Deque),
    /// See [`PriorityQueue`].
    PriorityQueue(PriorityQueue),
    /// See [`PairSnapshot`].
    PairSnapshot(PairSnapshot),
    /// See [`Mutex`].
    Mutex(Mutex),
    /// See [`Semaphore`].
    Semaphore(Semaphore),
    /// See [`Rendezvous`].
    Rendezvous(Rendezvous),
    /// See [`Exchanger`].
    Exchanger(Exchanger),
    /// See [`Barrier`].
    Barrier(Barrier),
}

/// What may be said about a built-in specification beside its name. An option that does not fit it is an error.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The initial value of a register, counter or snapshot, the value of a missing key of a map, the permits of a
    /// semaphore.
    pub initial: Option<Value>,
    /// The capacity of a queue, stack or multiset.
    pub capacity: Option<usize>,
    /// A container's own spelling of "there was nothing", such as -1.
    pub empty: Option<Value>,
    /// Whether the largest value of a priority queue is the best.
    pub largest_first: bool,
    /// The number of cells of a snapshot.
    pub cells: Option<usize>,
    /// How many callers of a barrier go on together.
    pub parties: Option<usize>,
}

/// The name that somebody meant who typed another one.
fn meant(typed: &str) -> String {
    let distance = |name: &&&str| edits(typed, name);
    let nearest = Builtin::NAMES.iter().chain(&Builtin::VARIANTS);
    let nearest = nearest.min_by_key(distance);
    match nearest.filter(|name| edits(typed, name) <= 2) {
        Some(name) => format!("; did you mean `{name}`?"),
        None => String::new(),
    }
}

/// How many letters are to be put in, left out, changed or swapped with their neighbour to make `to` of `from`
/// (Damerau 1964, restricted: no letter is touched twice).
fn edits(from: &str, to: &str) -> usize {
    let (from, to): (Vec<char>, Vec<char>) = (from.chars().collect(), to.chars().collect());
    let mut rows: Vec<Vec<usize>> = vec![(0..=to.len()).collect()];
    for i in 1..=from.len() {
        let mut row = vec![i];
        for j in 1..=to.len() {
            let same = usize::from(from[i - 1] != to[j - 1]);
            let mut best = (rows[i - 1][j] + 1)
                .min(row[j - 1] + 1)
                .min(rows[i - 1][j - 1] + same);
            if i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[from.len()][to.len()]
}

/// A specification that was asked for and does not exist.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadChoice {
    /// There is none of this name.
    #[error("there is no specification `{0}`{meant}; there are {known}", meant = meant(.0), known = [&Builtin::NAMES[..], &Builtin::VARIANTS].concat().join(", "))]
    Name(String),
    /// It has no such option.
    #[error("{spec} has no option `{option}`")]
    Option {
        /// The specification.
        spec: &'static str,
        /// The option.
        option: &'static str,
    },
    /// Its option takes another value.
    #[error("{spec}: `{option}` takes {wanted}, not {found}")]
    Value {
        /// The specification.
        spec: &'static str,
        /// The option.
        option: &'static str,
        /// What it takes.
        wanted: &'static str,
        /// What it was given.
        found: Value,
    },
}

/// Something to do with a specification, whichever it is.
pub trait Visitor {
    /// What comes of it.
    type Output;

    /// Does it with `spec`.
    fn visit<S: Spec + Sync>(self, spec: &S) -> Self::Output
    where
        S::State: Send,
        S::Call: Send;
}

impl Builtin {
    /// The names of all built-in specifications.
    pub const NAMES: [&'static str; 13] = [
        "register",
        "cas-register",
        "counter",
        "kv",
        "set",
        "multiset",
        "queue",
        "stack",
        "deque",
        "priority-queue",
        "pair-snapshot",
        "mutex",
        "semaphore",
    ];

    /// Those that are never guessed: an `owned-mutex` differs from a mutex in what it asks of a history, and whether callers of `send` and `recv` have to meet their
    /// names do not tell.
    const VARIANTS: [&'static str; 5] = [
        "owned-mutex",
        "recursive-mutex",
        "rendezvous",
        "exchanger",
        "barrier",
    ];

    /// The specification called `name` (or by a synonym: `map`, `pool`, `fifo`, `pqueue`, …) with its usual options.
    pub fn named(name: &str) -> Result<Self, BadChoice> {
        Self::with_options(name, &Options::default())
    }

    /// The specification called `name` with `options`.
    pub fn with_options(name: &str, options: &Options) -> Result<Self, BadChoice> {
        let folded = name.to_ascii_lowercase().replace(['-', '_', ' '], "");
        let chosen = match folded.as_str() {
            "register" => Self::Register(Register::default()),
            "casregister" => Self::CasRegister(CasRegister::default()),
            "counter" => Self::Counter(Counter::default()),
            "kv" | "kvmap" | "map" | "keyvalue" | "dictionary" => Self::KvMap(KvMap::default()),
            "set" => Self::Set(Set),
            "multiset" | "pool" | "bag" | "unorderedqueue" => Self::Multiset(Multiset::default()),
            "queue" | "fifo" | "fifoqueue" => Self::Queue(Queue::default()),
            "stack" | "lifo" => Self::Stack(Stack::default()),
            "deque" => Self::Deque(Deque::default()),
            "priorityqueue" | "pqueue" | "heap" => Self::PriorityQueue(PriorityQueue::default()),
            "pairsnapshot" | "snapshot" => Self::PairSnapshot(PairSnapshot::default()),
            "mutex" | "lock" => Self::Mutex(Mutex::default()),
            "ownedmutex" | "ownerawaremutex" => Self::Mutex(Mutex {
                owned: true,
                recursive: false,
            }),
            "recursivemutex" | "reentrantmutex" | "reentrantlock" => Self::Mutex(Mutex {
                owned: true,
                recursive: true,
            }),
            "semaphore" => Self::Semaphore(Semaphore::default()),
            "rendezvous" | "synchronousqueue" | "zerochannel" => Self::Rendezvous(Rendezvous),
            "exchanger" => Self::Exchanger(Exchanger),
            "barrier" | "cyclicbarrier" => Self::Barrier(Barrier::default()),
            _ => return Err(BadChoice::Name(name.to_owned())),
        };
        chosen.configured(options)
    }

    /// This specification with `options` applied.
    fn configured(mut self, options: &Options) -> Result<Self, BadChoice> {
        let spec = self.name();
        if let Some(value) = options.initial.clone() {
            let number = || match value {
                Value::Int(n) => Ok(n),
                ref found => Err(BadChoice::Value {
                    spec,
                    option: "initial",
                    wanted: "a whole number",
                    found: found.clone(),
                }),
            };
            match &mut self {
                Self::Register(s) => s.initial = value,
                Self::CasRegister(s) => s.initial = value,
                Self::KvMap(s) => s.missing = value,
                Self::PairSnapshot(s) => s.initial = value,
                Self::Counter(s) => s.initial = number()?,
                Self::Semaphore(s) => s.permits = number()?,
                _ => {
                    return Err(BadChoice::Option {
                        spec,
                        option: "initial",
                    });
                }
            }
        }
        if let Some(capacity) = options.capacity {
            match &mut self {
                Self::Queue(s) => s.capacity = Some(capacity),
                Self::Stack(s) => s.capacity = Some(capacity),
                Self::Multiset(s) => s.capacity = Some(capacity),
                _ => {
                    return Err(BadChoice::Option {
                        spec,
                        option: "capacity",
                    });
                }
            }
        }
        if let Some(empty) = options.empty.clone() {
            match &mut self {
                Self::Queue(s) => s.empty = Some(empty),
                Self::Stack(s) => s.empty = Some(empty),
                Self::Deque(s) => s.empty = Some(empty),
                Self::Multiset(s) => s.empty = Some(empty),
                Self::PriorityQueue(s) => s.empty = Some(empty),
                _ => {
                    return Err(BadChoice::Option {
                        spec,
                        option: "empty",
                    });
                }
            }
        }
        if let Some(cells) = options.cells {
            match &mut self {
                Self::PairSnapshot(s) => s.cells = cells,
                _ => {
                    return Err(BadChoice::Option {
                        spec,
                        option: "cells",
                    });
                }
            }
        }
        if let Some(parties) = options.parties {
            match &mut self {
                Self::Barrier(s) if parties > 0 => s.parties = parties,
                _ => {
                    return Err(BadChoice::Option {
                        spec,
                        option: "parties",
                    });
                }
            }
        }
        if options.largest_first {
            match &mut self {
                Self::PriorityQueue(s) => s.largest_first = true,
                _ => {
                    return Err(BadChoice::Option {
                        spec,
                        option: "largest-first",
                    });
                }
            }
        }
        Ok(self)
    }

    /// Its name: one of [`Builtin::NAMES`], or one that is never guessed.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Register(_) => "register",
            Self::CasRegister(_) => "cas-register",
            Self::Counter(_) => "counter",
            Self::KvMap(_) => "kv",
            Self::Set(_) => "set",
            Self::Multiset(_) => "multiset",
            Self::Queue(_) => "queue",
            Self::Stack(_) => "stack",
            Self::Deque(_) => "deque",
            Self::PriorityQueue(_) => "priority-queue",
            Self::PairSnapshot(_) => "pair-snapshot",
            Self::Mutex(Mutex {
                recursive: true, ..
            }) => "recursive-mutex",
            Self::Mutex(Mutex { owned: true, .. }) => "owned-mutex",
            Self::Mutex(_) => "mutex",
            Self::Semaphore(_) => "semaphore",
            Self::Rendezvous(_) => "rendezvous",
            Self::Exchanger(_) => "exchanger",
            Self::Barrier(_) => "barrier",
        }
    }

    /// Does something with the specification, whichever it is.
    pub fn visit<V: Visitor>(&self, visitor: V) -> V::Output {
        match self {
            Self::Register(s) => visitor.visit(s),
            Self::CasRegister(s) => visitor.visit(s),
            Self::Counter(s) => visitor.visit(s),
            Self::KvMap(s) => visitor.visit(s),
            Self::Set(s) => visitor.visit(s),
            Self::Multiset(s) => visitor.visit(s),
            Self::Queue(s) => visitor.visit(s),
            Self::Stack(s) => visitor.visit(s),
            Self::Deque(s) => visitor.visit(s),
            Self::PriorityQueue(s) => visitor.visit(s),
            Self::PairSnapshot(s) => visitor.visit(s),
            Self::Mutex(s) => visitor.visit(s),
            Self::Semaphore(s) => visitor.visit(s),
            Self::Rendezvous(s) => visitor.visit(s),
            Self::Exchanger(s) => visitor.visit(s),
            Self::Barrier(s) => visitor.visit(s),
        }
    }
}
