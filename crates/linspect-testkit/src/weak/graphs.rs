//! All execution graphs of a program: events are added one by one, each thread's in its order, a read with every write that it may read, a write in every place of the modification order. What was built before in
//! another order is not built again.

use super::axioms::{Event, Graph, Kind, MOST};
use super::{Operand, Order, Outcome, Program, REGISTERS, Register, Statement};
use std::collections::{BTreeMap, HashSet};

/// What a program can come to.
#[derive(Clone, Debug, Default)]
pub struct Executions {
    /// What can be seen in the end, and in how many executions.
    pub outcomes: BTreeMap<Outcome, u64>,
    /// The same under sequential consistency.
    pub sequential: BTreeMap<Outcome, u64>,
    /// Whether some execution has a data race.
    pub has_race: bool,
    /// Whether some execution ends where nobody can go on.
    pub can_be_stuck: bool,
}

/// An instruction: statements without blocks.
#[derive(Clone, Debug)]
enum Instruction {
    Do(Statement),
    /// An operation begins.
    Begin,
    /// Goes on there, unless the register holds this.
    Unless(Register, i64, usize),
    Lock(u8),
    Unlock(u8),
    /// Writes to a cell that nobody knows yet.
    Fill(u8, i64),
    /// Lets a shared pointer point to a cell.
    Point(u8, u8, Order),
    /// Reads a shared pointer.
    Reach(u8, Order),
    /// Goes on there if what was reached is nothing.
    UnlessReached(usize),
    /// Reads the cell that was reached.
    Content(Register),
    /// Writes to it.
    Refill(i64),
}

fn flatten(block: &[Statement], code: &mut Vec<Instruction>) {
    for statement in block {
        match statement {
            Statement::If(register, value, body) => {
                let at = code.len();
                code.push(Instruction::Unless(*register, *value, 0));
                flatten(body, code);
                code[at] = Instruction::Unless(*register, *value, code.len());
            }
            Statement::Lock(mutex, body) => {
                code.push(Instruction::Lock(*mutex));
                flatten(body, code);
                code.push(Instruction::Unlock(*mutex));
            }
            Statement::Publish(pointer, cell, value, order) => {
                code.push(Instruction::Fill(*cell, *value));
                code.push(Instruction::Point(*pointer, *cell, *order));
            }
            Statement::Follow(_, pointer, order) | Statement::Overwrite(pointer, _, order) => {
                code.push(Instruction::Reach(*pointer, *order));
                code.push(Instruction::UnlessReached(code.len() + 2));
                code.push(match statement {
                    Statement::Follow(register, ..) => Instruction::Content(*register),
                    Statement::Overwrite(_, value, _) => Instruction::Refill(*value),
                    _ => unreachable!("one of the two"),
                });
            }
            other => code.push(Instruction::Do(other.clone())),
        }
    }
}

#[derive(Clone, Default)]
struct Thread {
    at: usize,
    events: usize,
    registers: [i64; REGISTERS],
    /// The cell that was reached last, plus one; 0 is none.
    reached: i64,
    /// By operation that it has begun, how many events it had had before.
    begun: Vec<usize>,
    /// By operation that has ended before the present one, its registers.
    ended: Vec<[i64; REGISTERS]>,
}

/// A call of an operation in an execution.
#[derive(Clone, Copy, Debug)]
pub struct Call {
    /// Whose it is.
    pub thread: usize,
    /// Which operation.
    pub operation: usize,
    /// Its first and its last event; none if it has none.
    pub events: Option<(usize, usize)>,
    /// What its registers hold in the end.
    pub registers: [i64; REGISTERS],
}

#[derive(Clone)]
struct Node {
    graph: Graph,
    threads: Vec<Thread>,
}

/// The executions of a program; nothing if there are more than `most` beginnings of them.
pub fn executions(program: &Program, most: usize) -> Option<Executions> {
    let code = program.threads.iter().map(|thread| {
        let mut code = Vec::new();
        flatten(thread, &mut code);
        code
    });
    Search::of(program, code.collect(), most, &mut |_, _| {})
}

/// Shows every execution of a client to `see`, its calls by thread and in their order: `operations` says by thread which threads of `object`, its operations, are called. Nothing if there are more
/// than `most` beginnings of them.
pub fn calls(
    object: &Program,
    operations: &[Vec<usize>],
    most: usize,
    see: &mut dyn FnMut(&Graph, &[Call]),
) -> Option<Executions> {
    let code = operations.iter().map(|operations| {
        let mut code = Vec::new();
        for operation in operations {
            code.push(Instruction::Begin);
            let mut own = Vec::new();
            flatten(&object.threads[*operation], &mut own);
            let base = code.len();
            code.extend(own.into_iter().map(|instruction| match instruction {
                Instruction::Unless(register, value, to) => {
                    Instruction::Unless(register, value, to + base)
                }
                Instruction::UnlessReached(to) => Instruction::UnlessReached(to + base),
                other => other,
            }));
        }
        code
    });
    let mut see_node = |graph: &Graph, threads: &[Thread]| {
        let mut calls = Vec::new();
        for (thread, state) in threads.iter().enumerate() {
            for (index, operation) in operations[thread].iter().enumerate() {
                let from = state.begun[index];
                let to = state.begun.get(index + 1).copied().unwrap_or(state.events);
                let id = |at: usize| {
                    let is_it = |e: &Event| e.thread == Some(thread) && e.index == at;
                    graph.events.iter().position(is_it)
                };
                let events = (from < to)
                    .then(|| Some((id(from)?, id(to - 1)?)))
                    .flatten();
                let registers = state.ended.get(index).copied().unwrap_or(state.registers);
                calls.push(Call {
                    thread,
                    operation: *operation,
                    events,
                    registers,
                });
            }
        }
        see(graph, &calls);
    };
    Search::of(object, code.collect(), most, &mut see_node)
}

struct Search<'a> {
    program: &'a Program,
    code: Vec<Vec<Instruction>>,
    seen: HashSet<Vec<u8>>,
    most: usize,
    found: Executions,
    see: &'a mut dyn FnMut(&Graph, &[Thread]),
}

impl<'a> Search<'a> {
    fn of(
        program: &'a Program,
        code: Vec<Vec<Instruction>>,
        most: usize,
        see: &'a mut dyn FnMut(&Graph, &[Thread]),
    ) -> Option<Executions> {
        let variables = program.atomics + program.plains + program.pointers + program.cells;
        let first = |place| Event {
            thread: None,
            index: 0,
            kind: Kind::Write,
            place,
            order: None,
            from: None,
            written: 0,
        };
        let graph = Graph {
            events: (0..variables).map(first).collect(),
            writes: (0..variables).map(|place| vec![place]).collect(),
            locks: vec![Vec::new(); program.mutexes],
            messages: Vec::new(),
        };
        let threads = vec![Thread::default(); code.len()];
        let mut search = Self {
            program,
            code,
            seen: HashSet::new(),
            most,
            found: Executions::default(),
            see,
        };
        search.visit(Node { graph, threads })?;
        Some(search.found)
    }
}

impl Search<'_> {
    fn visit(&mut self, mut node: Node) -> Option<()> {
        for (thread, code) in node.threads.iter_mut().zip(&self.code) {
            loop {
                let (holds, target) = match code.get(thread.at) {
                    Some(Instruction::Begin) => {
                        if !thread.begun.is_empty() {
                            thread.ended.push(thread.registers);
                        }
                        thread.begun.push(thread.events);
                        thread.registers = [0; REGISTERS];
                        (true, &0)
                    }
                    Some(Instruction::Unless(register, value, target)) => {
                        (thread.registers[usize::from(*register)] == *value, target)
                    }
                    Some(Instruction::UnlessReached(target)) => (thread.reached != 0, target),
                    _ => break,
                };
                thread.at = if holds { thread.at + 1 } else { *target };
            }
        }
        if !self.seen.insert(key(&node)) {
            return Some(());
        }
        if self.seen.len() > self.most || node.graph.events.len() >= MOST {
            return None;
        }
        let judged = node.graph.judge();
        if !judged.is_consistent {
            return Some(());
        }
        self.found.has_race |= judged.has_race;
        let next = |thread: usize| self.code[thread].get(node.threads[thread].at);
        let threads = 0..node.threads.len();
        let is_stuck = |thread: usize| match next(thread) {
            None => true,
            Some(Instruction::Lock(mutex)) => is_held(&node.graph, *mutex),
            Some(Instruction::Do(Statement::Await(place, value, _))) => {
                let last = node.graph.writes[usize::from(*place)].last();
                last.is_none_or(|last| node.graph.events[*last].written != *value)
            }
            Some(_) => false,
        };
        let is_over = threads.clone().all(|thread| next(thread).is_none());
        if is_over {
            (self.see)(&node.graph, &node.threads);
            let outcome = self.outcome(&node);
            if node.graph.is_sequential() {
                *self.found.sequential.entry(outcome.clone()).or_default() += 1;
            }
            *self.found.outcomes.entry(outcome).or_default() += 1;
            return Some(());
        }
        if threads.clone().all(is_stuck) {
            self.found.can_be_stuck = true;
        }
        for thread in threads {
            self.go_on(&node, thread)?;
        }
        Some(())
    }

    /// Visits every graph with one more event of a thread.
    fn go_on(&mut self, node: &Node, thread: usize) -> Option<()> {
        let at = node.threads[thread].at;
        let Some(instruction) = self.code[thread].get(at).cloned() else {
            return Some(());
        };
        let plain = |variable: u8| self.program.atomics + usize::from(variable);
        let pointers = self.program.atomics + self.program.plains;
        let pointer = |pointer: u8| pointers + usize::from(pointer);
        let cell = |cell: usize| pointers + self.program.pointers + cell;
        let reached = || cell(node.threads[thread].reached as usize - 1);
        let value = |operand: Operand| match operand {
            Operand::Number(number) => number,
            Operand::Register(r) => node.threads[thread].registers[usize::from(r)],
        };
        let event = |kind, place, order| Event {
            thread: Some(thread),
            index: node.threads[thread].events,
            kind,
            place,
            order,
            from: None,
            written: 0,
        };
        match instruction {
            Instruction::Begin | Instruction::Unless(..) | Instruction::UnlessReached(_) => {
                unreachable!("done before")
            }
            Instruction::Fill(at, written) => {
                let event = event(Kind::Write, cell(usize::from(at)), None);
                self.write(node, Event { written, ..event })
            }
            Instruction::Refill(written) => {
                let event = event(Kind::Write, reached(), None);
                self.write(node, Event { written, ..event })
            }
            Instruction::Point(at, cell, order) => {
                let event = event(Kind::Write, pointer(at), Some(order));
                let written = i64::from(cell) + 1;
                self.write(node, Event { written, ..event })
            }
            Instruction::Reach(at, order) => {
                let event = event(Kind::Read, pointer(at), Some(order));
                self.read(node, event, Into::Reached, &|_| Vec::from([None]))
            }
            Instruction::Content(register) => {
                let event = event(Kind::Read, reached(), None);
                self.read(node, event, Into::Register(register), &|_| {
                    Vec::from([None])
                })
            }
            Instruction::Lock(mutex) => {
                if is_held(&node.graph, mutex) {
                    return Some(());
                }
                let event = event(Kind::Lock, usize::from(mutex), None);
                self.visit(node.with_lock(event))
            }
            Instruction::Unlock(mutex) => {
                let event = event(Kind::Unlock, usize::from(mutex), None);
                self.visit(node.with_lock(event))
            }
            Instruction::Do(statement) => match statement {
                Statement::Fence(order) => {
                    self.visit(node.with(event(Kind::Fence, usize::MAX, Some(order)), None))
                }
                Statement::Store(place, operand, order) => {
                    let event = event(Kind::Write, usize::from(place), Some(order));
                    self.write(
                        node,
                        Event {
                            written: value(operand),
                            ..event
                        },
                    )
                }
                Statement::Put(variable, operand) => {
                    let event = event(Kind::Write, plain(variable), None);
                    self.write(
                        node,
                        Event {
                            written: value(operand),
                            ..event
                        },
                    )
                }
                Statement::Load(register, place, order) => {
                    let event = event(Kind::Read, usize::from(place), Some(order));
                    self.read(node, event, Into::Register(register), &|_| {
                        Vec::from([None])
                    })
                }
                Statement::Get(register, variable) => {
                    let event = event(Kind::Read, plain(variable), None);
                    self.read(node, event, Into::Register(register), &|_| {
                        Vec::from([None])
                    })
                }
                Statement::Await(place, awaited, order) => {
                    let event = event(Kind::Read, usize::from(place), Some(order));
                    for from in node.graph.writes[event.place].clone() {
                        if node.graph.events[from].written == awaited {
                            self.visit(node.with(
                                Event {
                                    from: Some(from),
                                    ..event
                                },
                                None,
                            ))?;
                        }
                    }
                    Some(())
                }
                // Whoever tries again and again changes nothing before it succeeds, and learns nothing by relaxed reads.
                Statement::Add(register, place, number, order)
                | Statement::Swing(register, place, number, order) => {
                    let event = event(Kind::Update, usize::from(place), Some(order));
                    let update = |old| Vec::from([Some((old + number, order))]);
                    self.read(node, event, Into::Register(register), &update)
                }
                Statement::Exchange(register, place, new, order) => {
                    let event = event(Kind::Update, usize::from(place), Some(order));
                    let update = |_| Vec::from([Some((new, order))]);
                    self.read(node, event, Into::Register(register), &update)
                }
                Statement::Compare(register, place, expected, new, order, failure) => {
                    let event = event(Kind::Read, usize::from(place), Some(failure));
                    let update = |old| Vec::from([(old == expected).then_some((new, order))]);
                    self.read(node, event, Into::Register(register), &update)
                }
                Statement::CompareWeak(register, place, expected, new, order, failure) => {
                    let event = event(Kind::Read, usize::from(place), Some(failure));
                    let update = |old| match old == expected {
                        true => Vec::from([Some((new, order)), None]),
                        false => Vec::from([None]),
                    };
                    self.read(node, event, Into::Register(register), &update)
                }
                Statement::If(..)
                | Statement::Lock(..)
                | Statement::Publish(..)
                | Statement::Follow(..)
                | Statement::Overwrite(..) => unreachable!("flattened"),
            },
        }
    }

    /// Reads every write there is; where `update` says what is written then, and with which order, writes that right behind it.
    fn read(
        &mut self,
        node: &Node,
        event: Event,
        into: Into,
        update: &dyn Fn(i64) -> Vec<Option<(i64, Order)>>,
    ) -> Option<()> {
        for (at, from) in (0..).zip(node.graph.writes[event.place].clone()) {
            let old = node.graph.events[from].written;
            let event = Event {
                from: Some(from),
                ..event
            };
            for way in update(old) {
                let mut next = match way {
                    None => node.with(
                        Event {
                            kind: Kind::Read,
                            ..event
                        },
                        None,
                    ),
                    Some((written, order)) => {
                        let event = Event {
                            kind: Kind::Update,
                            order: Some(order),
                            written,
                            ..event
                        };
                        node.with(event, Some(at + 1))
                    }
                };
                if let Some(thread) = event.thread.map(|t| &mut next.threads[t]) {
                    match into {
                        Into::Register(register) => thread.registers[usize::from(register)] = old,
                        Into::Reached => thread.reached = old,
                    }
                }
                self.visit(next)?;
            }
        }
        Some(())
    }

    /// Writes at every place of the modification order.
    fn write(&mut self, node: &Node, event: Event) -> Option<()> {
        for place in 1..=node.graph.writes[event.place].len() {
            self.visit(node.with(event, Some(place)))?;
        }
        Some(())
    }

    fn outcome(&self, node: &Node) -> Outcome {
        let last = |writes: &Vec<usize>| writes.last().map_or(0, |w| node.graph.events[*w].written);
        let variables = self.program.atomics + self.program.plains;
        Outcome {
            registers: node.threads.iter().map(|t| t.registers).collect(),
            finally: node.graph.writes[..variables].iter().map(last).collect(),
        }
    }
}

/// Where a thread keeps what it reads.
#[derive(Clone, Copy)]
enum Into {
    Register(Register),
    Reached,
}

impl Node {
    /// With one more event, whose write stands at `place` of the modification order.
    fn with(&self, event: Event, place: Option<usize>) -> Self {
        let mut next = self.clone();
        let id = next.graph.events.len();
        next.graph.events.push(event);
        if let Some(place) = place {
            next.graph.writes[event.place].insert(place, id);
        }
        if let Some(thread) = event.thread {
            next.threads[thread].at += 1;
            next.threads[thread].events += 1;
        }
        next
    }

    /// With one more event of a mutex.
    fn with_lock(&self, event: Event) -> Self {
        let mut next = self.with(event, None);
        next.graph.locks[event.place].push(self.graph.events.len());
        next
    }
}

fn is_held(graph: &Graph, mutex: u8) -> bool {
    graph.locks[usize::from(mutex)].len() % 2 == 1
}

/// What tells graphs apart, in whatever order they were built.
fn key(node: &Node) -> Vec<u8> {
    let name = |id: usize| {
        let event = &node.graph.events[id];
        let thread = event.thread.map_or(0, |t| t + 1);
        [thread as u8, event.index as u8]
    };
    let mut key = Vec::new();
    for thread in 0..node.threads.len() {
        key.push(u8::MAX);
        let own = node.graph.events.iter();
        let mut own: Vec<&Event> = own.filter(|e| e.thread == Some(thread)).collect();
        own.sort_by_key(|e| e.index);
        for event in own {
            key.push(event.kind as u8);
            key.extend(event.from.map_or([u8::MAX - 1; 2], |from| {
                let [thread, index] = name(from);
                // Events before all threads are told apart by their variable, which the reader knows.
                [thread, if thread == 0 { 0 } else { index }]
            }));
        }
    }
    for list in node.graph.writes.iter().chain(&node.graph.locks) {
        key.push(u8::MAX);
        list.iter().for_each(|id| key.extend(name(*id)));
    }
    key
}
