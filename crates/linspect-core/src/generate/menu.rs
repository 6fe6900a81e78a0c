//! What clients of each object call, so that histories look like those of real tests: written values are new ones, containers
//! fill and drain, locks are given back.

use super::Workload;
use crate::random::Random;
use crate::spec::Builtin;
use crate::value::Value;

/// Chooses the calls of all clients.
pub(super) struct Menu {
    kind: Kind,
    /// The last value that was written.
    last: i64,
    /// How many calls were chosen.
    chosen: usize,
    /// Values put in and not yet taken out, about.
    held: usize,
    /// How many values a container should hold.
    fill: usize,
    /// Per client, whether it has a lock or permit to give back.
    holding: Vec<bool>,
    /// Keys of a map.
    keys: Vec<Value>,
    /// Elements of a set that are in use.
    elements: Vec<Element>,
}

#[derive(Clone, Copy)]
enum Kind {
    Register,
    CasRegister,
    Counter,
    Map,
    Set,
    Container {
        put: &'static str,
        take: &'static str,
    },
    Deque,
    Snapshot,
    Lock {
        acquire: &'static str,
        release: &'static str,
    },
}

/// An element of a set: it is added and removed once, with other calls around that fail or only look.
struct Element {
    value: i64,
    added: bool,
    removed: bool,
    /// Additions in flight.
    additions: u32,
}

impl Menu {
    pub(super) fn new(workload: &Workload) -> Self {
        let kind = match &workload.spec {
            Builtin::Register(_) => Kind::Register,
            Builtin::CasRegister(_) => Kind::CasRegister,
            Builtin::Counter(_) => Kind::Counter,
            Builtin::KvMap(_) => Kind::Map,
            Builtin::Set(_) => Kind::Set,
            Builtin::Multiset(_) => Kind::Container {
                put: "add",
                take: "take",
            },
            Builtin::Queue(_) => Kind::Container {
                put: "enqueue",
                take: "dequeue",
            },
            Builtin::Stack(_) => Kind::Container {
                put: "push",
                take: "pop",
            },
            Builtin::PriorityQueue(_) => Kind::Container {
                put: "insert",
                take: "poll",
            },
            Builtin::Deque(_) => Kind::Deque,
            Builtin::PairSnapshot(_) => Kind::Snapshot,
            Builtin::Mutex(_) => Kind::Lock {
                acquire: "lock",
                release: "unlock",
            },
            Builtin::Semaphore(_) => Kind::Lock {
                acquire: "acquire",
                release: "release",
            },
        };
        let clients = workload.clients.max(1) as usize;
        let mut menu = Self {
            kind,
            last: 0,
            chosen: 0,
            held: 0,
            // A pool may give out any value: with many, finding out all that may happen takes long.
            fill: match workload.spec {
                Builtin::Multiset(_) => 8,
                _ => 4 * clients,
            },
            holding: vec![false; clients],
            keys: (0..(workload.operations / 64).clamp(1, 4096))
                .map(|i| Value::text(format!("k{i}")))
                .collect(),
            elements: Vec::new(),
        };
        for _ in 0..8 * clients {
            let element = menu.new_element();
            menu.elements.push(element);
        }
        menu
    }

    /// The next call of `client`.
    pub(super) fn choose(&mut self, client: u32, random: &mut Random) -> (&'static str, Value) {
        self.chosen += 1;
        match self.kind {
            Kind::Register if random.percent(50) => ("write", self.fresh()),
            Kind::Register => ("read", Value::Unit),
            Kind::CasRegister => match random.below(3) {
                0 => ("write", few(random)),
                1 => ("read", Value::Unit),
                _ => ("cas", Value::list([few(random), few(random)])),
            },
            Kind::Counter => match random.below(3) {
                0 => ("read", Value::Unit),
                1 => ("fetch_add", few(random)),
                _ => ("increment", Value::Unit),
            },
            Kind::Map => {
                let key = random.pick(&self.keys).clone();
                if random.percent(50) {
                    ("put", Value::list([key, self.fresh()]))
                } else {
                    ("get", key)
                }
            }
            Kind::Set => self.choose_for_element(random),
            Kind::Container { put, take } => {
                if self.wants_more(random) {
                    self.held += 1;
                    (put, self.fresh_in_no_order())
                } else {
                    (take, Value::Unit)
                }
            }
            Kind::Deque => {
                let front = random.percent(50);
                if self.wants_more(random) {
                    self.held += 1;
                    (if front { "push_front" } else { "push_back" }, self.fresh())
                } else {
                    (if front { "pop_front" } else { "pop_back" }, Value::Unit)
                }
            }
            Kind::Snapshot if random.percent(50) => {
                let cell = Value::Int(i64::from(random.percent(50)));
                ("write", Value::list([cell, self.fresh()]))
            }
            Kind::Snapshot => ("scan", Value::Unit),
            Kind::Lock { acquire, release } => {
                let holding = &mut self.holding[client as usize];
                *holding = !*holding;
                (if *holding { acquire } else { release }, Value::Unit)
            }
        }
    }

    /// Takes note of how a call ended.
    pub(super) fn ended(&mut self, argument: &Value, method: &str, result: &Value) {
        match (self.kind, argument) {
            (Kind::Container { .. } | Kind::Deque, Value::Unit) if *result != Value::Nil => {
                self.held = self.held.saturating_sub(1);
            }
            (Kind::Set, Value::Int(value)) if method == "add" => {
                if let Some(element) = self.elements.iter_mut().find(|e| e.value == *value) {
                    element.additions = element.additions.saturating_sub(1);
                }
            }
            _ => {}
        }
    }

    fn fresh(&mut self) -> Value {
        self.last += 1;
        Value::Int(self.last)
    }

    /// A new value, neither ascending nor descending: the low bits are mirrored.
    fn fresh_in_no_order(&mut self) -> Value {
        self.last += 1;
        let low = self.last.cast_unsigned() as u16;
        Value::Int((self.last & !0xffff) | i64::from(low.reverse_bits()))
    }

    /// Whether a container should grow. From time to time it is drained.
    fn wants_more(&self, random: &mut Random) -> bool {
        let draining = self.chosen % 8192 > 7000;
        random.percent(if draining {
            15
        } else if self.held < self.fill {
            60
        } else {
            40
        })
    }

    fn new_element(&mut self) -> Element {
        self.last += 1;
        Element {
            value: self.last,
            added: false,
            removed: false,
            additions: 0,
        }
    }

    fn choose_for_element(&mut self, random: &mut Random) -> (&'static str, Value) {
        let at = random.below(self.elements.len());
        if self.elements[at].removed && random.percent(40) {
            self.elements[at] = self.new_element();
        }
        let element = &mut self.elements[at];
        let value = Value::Int(element.value);
        let dice = random.below(10);
        let add = !element.removed && dice < if element.added { 2 } else { 6 };
        let remove = element.added && dice >= 6 && element.additions == 0;
        if add {
            element.added = true;
            element.additions += 1;
            ("add", value)
        } else if remove {
            element.removed = true;
            ("remove", value)
        } else {
            ("contains", value)
        }
    }
}

/// One of a few small numbers.
fn few(random: &mut Random) -> Value {
    Value::Int(1 + i64::from(random.percent(50)) + i64::from(random.percent(50)))
}
