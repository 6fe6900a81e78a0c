//! What clients of each object call, so that histories look like those of real tests: written values are new ones, containers
//! fill and drain, locks are given back.

use super::Workload;
use crate::random::Random;
use crate::spec::Builtin;
use crate::value::Value;

/// Chooses the calls of all clients.
pub(super) struct Menu {
    kind: Kind,
    /// The last new value.
    last: i64,
    /// How many different values there are, if not a new one each time.
    values: Option<usize>,
    /// How many calls were chosen.
    chosen: usize,
    /// Values put in and not yet taken out, about.
    held: usize,
    /// How many values a container should hold.
    fill: usize,
    /// Per client, how many times it has a lock or permit to give back.
    holding: Vec<usize>,
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
        owner: Owner,
    },
}

/// What a lock knows of who holds it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Owner {
    Nothing,
    /// Its owner cannot lock again.
    Once,
    /// Its owner can.
    Often,
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
            Builtin::Mutex(mutex) => Kind::Lock {
                acquire: "lock",
                release: "unlock",
                owner: match (mutex.owned, mutex.recursive) {
                    (false, _) => Owner::Nothing,
                    (true, false) => Owner::Once,
                    (true, true) => Owner::Often,
                },
            },
            Builtin::Semaphore(_) => Kind::Lock {
                acquire: "acquire",
                release: "release",
                owner: Owner::Nothing,
            },
            // Callers who have to meet are not simulated: whoever asks for them is refused.
            Builtin::Rendezvous(_) | Builtin::Exchanger(_) | Builtin::Barrier(_) => {
                Kind::Container {
                    put: "send",
                    take: "recv",
                }
            }
        };
        let clients = workload.clients.max(1) as usize;
        let mut menu = Self {
            kind,
            last: match (workload.values, kind) {
                (Some(n), _) => n.try_into().unwrap_or(i64::MAX / 2),
                (None, Kind::CasRegister) => FEW,
                (None, _) => 0,
            },
            values: workload.values,
            chosen: 0,
            held: 0,
            // A pool may give out any value: with many, finding out all that may happen takes long.
            fill: match workload.spec {
                Builtin::Multiset(_) => 8,
                _ => 4 * clients,
            },
            holding: vec![0; clients],
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

    /// The next call of `client`, which may be one that a lock refuses if there `is_room` for more calls than needed.
    pub(super) fn choose(
        &mut self,
        client: u32,
        is_room: bool,
        random: &mut Random,
    ) -> (&'static str, Value) {
        self.chosen += 1;
        match self.kind {
            Kind::Register if random.percent(50) => ("write", self.fresh(random)),
            Kind::Register => ("read", Value::Unit),
            Kind::CasRegister => match random.below(3) {
                0 => ("write", self.few(random)),
                1 => ("read", Value::Unit),
                _ => ("cas", Value::list([self.few(random), self.few(random)])),
            },
            Kind::Counter => match random.below(3) {
                0 => ("read", Value::Unit),
                1 => ("fetch_add", self.few(random)),
                _ => ("increment", Value::Unit),
            },
            Kind::Map => {
                let key = random.pick(&self.keys).clone();
                if random.percent(50) {
                    ("put", Value::list([key, self.fresh(random)]))
                } else {
                    ("get", key)
                }
            }
            Kind::Set => self.choose_for_element(random),
            Kind::Container { put, take } => {
                if self.wants_more(random) {
                    self.held += 1;
                    (put, self.fresh(random))
                } else {
                    (take, Value::Unit)
                }
            }
            Kind::Deque => {
                let front = random.percent(50);
                if self.wants_more(random) {
                    self.held += 1;
                    (
                        if front { "push_front" } else { "push_back" },
                        self.fresh(random),
                    )
                } else {
                    (if front { "pop_front" } else { "pop_back" }, Value::Unit)
                }
            }
            Kind::Snapshot if random.percent(50) => {
                let cell = Value::Int(i64::from(random.percent(50)));
                ("write", Value::list([cell, self.fresh(random)]))
            }
            Kind::Snapshot => ("scan", Value::Unit),
            Kind::Lock {
                acquire,
                release,
                owner,
            } => {
                let holding = &mut self.holding[client as usize];
                let strays = is_room && owner != Owner::Nothing && random.percent(15);
                let method = match (*holding, strays) {
                    (0, true) => release,
                    (_, true) => {
                        *holding += usize::from(owner == Owner::Often);
                        acquire
                    }
                    (0, false) => {
                        *holding = 1;
                        acquire
                    }
                    (_, false) => {
                        *holding -= 1;
                        release
                    }
                };
                (method, Value::Unit)
            }
        }
    }

    /// Whether it is a lock that knows its owner, who is named in every call.
    pub(super) fn knows_owners(&self) -> bool {
        matches!(self.kind, Kind::Lock { owner, .. } if owner != Owner::Nothing)
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

    /// Takes note of a call of `client` that never returned.
    pub(super) fn never_returned(&mut self, client: u32, took_effect: bool) {
        if !took_effect {
            self.holding[client as usize] = 0;
        }
    }

    /// Takes note that a container was emptied.
    pub(super) fn is_empty(&mut self) {
        self.held = 0;
    }

    /// How many calls it takes at most to give back what clients hold, or to empty a container.
    pub(super) fn to_give_back(&self) -> usize {
        self.held + self.holding.iter().sum::<usize>()
    }

    /// Whether `client` has a lock or permit to give back.
    pub(super) fn is_holding(&self, client: u32) -> bool {
        self.holding[client as usize] > 0
    }

    /// The call that takes a value out, of a container.
    pub(super) fn takes(&self) -> Option<&'static str> {
        self.container().map(|(_, take, _)| take)
    }

    /// Whether `method` takes a value out.
    pub(super) fn is_take(&self, method: &str) -> bool {
        self.takes() == Some(method) || method == "pop_back"
    }

    /// How values are put in and taken out, of a container, and whether their order is fixed.
    pub(super) fn container(&self) -> Option<(&'static str, &'static str, bool)> {
        match self.kind {
            Kind::Container { put, take } => Some((put, take, take != "take")),
            Kind::Deque => Some(("push_back", "pop_front", true)),
            _ => None,
        }
    }

    /// How a lock is acquired, with and without waiting, and released.
    pub(super) fn lock(&self) -> Option<(&'static str, &'static str, &'static str)> {
        match self.kind {
            Kind::Lock {
                acquire, release, ..
            } => Some((
                acquire,
                if acquire == "lock" {
                    "try_lock"
                } else {
                    "try_acquire"
                },
                release,
            )),
            _ => None,
        }
    }

    /// Whether `method` acquires a lock or releases it, of a lock.
    pub(super) fn is_lock(&self, method: &str) -> Option<bool> {
        self.lock().map(|(acquire, ..)| method == acquire)
    }

    /// A call that looks at the object, of one that is neither container nor lock.
    pub(super) fn look(&mut self) -> (&'static str, Value) {
        match self.kind {
            Kind::Map => ("get", self.keys[0].clone()),
            Kind::Set => ("contains", self.unused()),
            Kind::Snapshot => ("scan", Value::Unit),
            _ => ("read", Value::Unit),
        }
    }

    /// A call that changes what [`Menu::look`] sees `at` its argument; at first only where that is needed to know what is there.
    pub(super) fn change(&mut self, at_first: bool, at: &Value) -> Option<(&'static str, Value)> {
        Some(match self.kind {
            Kind::Set | Kind::Counter if at_first => return None,
            Kind::Set => ("add", at.clone()),
            Kind::Counter => ("increment", Value::Unit),
            Kind::Map => ("put", Value::list([at.clone(), self.unused()])),
            Kind::Snapshot => ("write", Value::list([Value::Int(0), self.unused()])),
            _ => ("write", self.unused()),
        })
    }

    /// A value that nobody used. Those of containers neither ascend nor descend: their low bits are mirrored.
    pub(super) fn unused(&mut self) -> Value {
        self.last += 1;
        if self.values.is_none() && matches!(self.kind, Kind::Container { .. }) {
            let low = self.last.cast_unsigned() as u16;
            return Value::Int((self.last & !0xffff) | i64::from(low.reverse_bits()));
        }
        Value::Int(self.last)
    }

    /// A value to write or put in.
    fn fresh(&mut self, random: &mut Random) -> Value {
        match self.values {
            Some(n) => one_of(n, random),
            None => self.unused(),
        }
    }

    /// One of a few small numbers.
    fn few(&self, random: &mut Random) -> Value {
        match self.values {
            Some(n) => one_of(n, random),
            None => Value::Int(1 + i64::from(random.percent(50)) + i64::from(random.percent(50))),
        }
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

/// The largest of a few small numbers.
const FEW: i64 = 3;

/// One of the numbers from 1 to `n`.
fn one_of(n: usize, random: &mut Random) -> Value {
    Value::Int(1 + i64::try_from(random.below(n.max(1))).unwrap_or(0))
}
