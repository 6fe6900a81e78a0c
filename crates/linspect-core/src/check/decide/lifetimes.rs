//! Who put each value into a container and who took it out: what the deciders for queues, stacks, priority queues and
//! pools start from.

use super::completion;
use super::intern::{Interner, NONE};
use super::pattern::Pattern;
use super::slots::Slots;
use crate::history::{History, OpId, Operation, Outcome};
use crate::spec::{Access, Container};
use crate::value::Value;

/// The operations that decide about one value, by row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ValueLifetime {
    /// Who put it in.
    pub(crate) put: u32,
    /// Who took it out; [`NONE`] if nobody did.
    pub(crate) take: u32,
}

/// A history of a container, value by value.
pub(crate) struct Lifetimes<'h> {
    pub(crate) history: &'h History,
    pub(crate) ops: &'h [OpId],
    pub(crate) slots: Slots,
    /// Values that were put exactly once, in order of the calls.
    pub(crate) values: Vec<ValueLifetime>,
    /// Rows that found nothing.
    pub(crate) empties: Vec<u32>,
    /// Nothing was left out that could make a difference: without a pattern the history is linearizable.
    exact: bool,
    /// Rows of takes that never returned: whether they took something, and what, nobody knows.
    pub(crate) open_takes: Vec<u32>,
    /// Others that may have taken we do not know what: (whether any such operation returned).
    other_takes: Option<bool>,
}

/// What an operation does to the container.
#[derive(Clone, Copy)]
enum Deed<'h> {
    Put(&'h Value),
    Take(&'h Value),
    FoundNothing,
    /// Takes what is due, perhaps; never returned.
    OpenTake,
    /// Takes we do not know what, perhaps; returned, perhaps.
    OtherTake {
        returned: bool,
    },
    /// Changes nothing and says nothing.
    Irrelevant,
    /// Something that the deciders do not look at and that changes nothing, or only concerns values that are left out.
    LeftOut,
}

fn deed<'h>(container: &impl Container, access: Option<Access>, op: &'h Operation) -> Deed<'h> {
    let Some(access) = access else {
        return Deed::LeftOut;
    };
    let access = match access {
        Access::TakeThis if op.argument.is_nothing() => Access::Take,
        access => access,
    };
    match (access, &op.outcome) {
        // It was full, says `false` or C's 0, which may also be what it was to put.
        (Access::Put, Outcome::Returned(said @ (Value::Bool(false) | Value::Int(0))))
            if *said != op.argument =>
        {
            Deed::LeftOut
        }
        (Access::Put, _) => Deed::Put(&op.argument),
        (Access::Take, Outcome::Returned(Value::Unit) | Outcome::Unknown) => {
            Deed::OtherTake { returned: true }
        }
        (Access::Take, Outcome::Pending) => Deed::OpenTake,
        (Access::Take | Access::Peek, Outcome::Returned(v)) if container.is_empty_mark(v) => {
            Deed::FoundNothing
        }
        (Access::Take, Outcome::Returned(v)) => Deed::Take(v),
        (Access::TakeThis, Outcome::Returned(Value::Bool(true))) => Deed::Take(&op.argument),
        (Access::TakeThis, Outcome::Returned(Value::Bool(false))) => Deed::LeftOut,
        (Access::TakeThis, outcome) => Deed::OtherTake {
            returned: *outcome != Outcome::Pending,
        },
        (_, Outcome::Unknown | Outcome::Pending | Outcome::Returned(Value::Unit)) => {
            Deed::Irrelevant
        }
        (Access::Size, Outcome::Returned(Value::Int(0)))
        | (Access::IsEmpty, Outcome::Returned(Value::Bool(true) | Value::Int(1))) => {
            Deed::FoundNothing
        }
        _ => Deed::LeftOut,
    }
}

impl<'h> Lifetimes<'h> {
    /// Reads the lives of all values. A value that appears from nowhere, before it was put in, or twice, is a violation
    /// at once.
    pub(crate) fn read(
        history: &'h History,
        ops: &'h [OpId],
        container: &impl Container,
    ) -> Result<Self, Pattern> {
        let access: Vec<Option<Access>> = history
            .methods
            .iter()
            .map(|name| container.access(name))
            .collect();
        let op = |&id: &OpId| &history.operations[id as usize];
        let deeds: Vec<Deed<'h>> = (ops.iter().map(op))
            .map(|op| deed(container, access[usize::from(op.method)], op))
            .collect();
        let puts = deeds.iter().filter_map(|deed| match deed {
            Deed::Put(v) => Some(*v),
            _ => None,
        });
        let mut interner = Interner::for_values(puts);
        let mut lives = Self {
            history,
            ops,
            slots: Slots::new(ops.iter().map(op).map(|op| (op.call, op.ret))),
            values: Vec::with_capacity(ops.len() / 2),
            empties: Vec::new(),
            exact: !container.is_bounded(),
            open_takes: Vec::new(),
            other_takes: None,
        };
        let mut repeated: Vec<u32> = Vec::new();
        for (row, deed) in (0..).zip(&deeds) {
            if let Deed::Put(v) = deed {
                let number = interner.number(v);
                if number as usize == lives.values.len() {
                    lives.values.push(ValueLifetime {
                        put: row,
                        take: NONE,
                    });
                } else {
                    repeated.push(number);
                }
            }
        }
        // A value that was put in twice makes it unclear which of the two was taken out. The others are still clear.
        for &number in &repeated {
            lives.values[number as usize].put = NONE;
        }
        for (row, deed) in (0..).zip(&deeds) {
            match *deed {
                Deed::Put(_) | Deed::Irrelevant => {}
                Deed::Take(v) => {
                    let number = interner.known(v);
                    if number == NONE {
                        return Err(lives.never_put(row));
                    }
                    lives.take(number, row)?;
                }
                Deed::FoundNothing => lives.empties.push(row),
                Deed::OpenTake => lives.open_takes.push(row),
                Deed::OtherTake { returned } => {
                    lives.other_takes = Some(returned || lives.other_takes == Some(true));
                }
                Deed::LeftOut => lives.exact = false,
            }
        }
        lives.exact &= repeated.is_empty();
        // A put that never returned and whose value nobody saw need not have happened; one of unknown result may have found
        // the container full.
        let may_be_lost = |row: u32| match op(&ops[row as usize]).outcome {
            Outcome::Returned(_) => false,
            Outcome::Unknown => container.is_bounded(),
            Outcome::Pending => true,
        };
        lives
            .values
            .retain(|life| life.put != NONE && (life.take != NONE || !may_be_lost(life.put)));
        Ok(lives)
    }

    fn take(&mut self, number: u32, row: u32) -> Result<(), Pattern> {
        let ValueLifetime { put, take } = self.values[number as usize];
        if put == NONE {
            return Ok(()); // left out
        }
        if take != NONE {
            return Err(self.taken_twice(put, take, row));
        }
        if self.slots.last[row as usize] < self.slots.first[put as usize] {
            return Err(self.taken_too_early(put, row));
        }
        self.values[number as usize].take = row;
        Ok(())
    }

    /// What `find`, which looks for a pattern among some values, says of the whole: a pattern, that there is none
    /// (`Some(Ok(()))`), or that it cannot say. `due` says which values must be gone when: see [`completion`].
    pub(crate) fn decide(
        &self,
        find: impl Fn(&Self, &[ValueLifetime]) -> Option<Pattern>,
        due: impl Fn(&Self, &[ValueLifetime], &[u32]) -> Vec<u32>,
    ) -> Option<Result<(), Pattern>> {
        let is_vague = !self.open_takes.is_empty() || self.other_takes.is_some();
        let found = if is_vague {
            // Values that stayed may have been taken by somebody we know nothing of. Without them all is clear.
            let gone: Vec<ValueLifetime> = (self.values.iter().copied())
                .filter(|life| life.take != NONE)
                .collect();
            find(self, &gone)
        } else {
            find(self, &self.values)
        };
        if let Some(pattern) = found {
            return Some(Err(pattern));
        }
        let holds = self.exact
            && match self.other_takes {
                _ if !is_vague => true,
                Some(true) => false,
                // Takes that never returned took what must be gone, or nothing.
                Some(false) | None => completion::complete(self, due)
                    .is_some_and(|values| find(self, &values).is_none()),
            };
        holds.then_some(Ok(()))
    }

    /// The slots in which the value is surely in the container, if any: after its put returned, before its take is called.
    pub(crate) fn stay(&self, life: ValueLifetime) -> Option<(u32, u32)> {
        let put = self.slots.last[life.put as usize];
        let take = self.take_first(life);
        (put != NONE && put + 1 < take).then(|| (put + 1, take - 1))
    }

    /// The slot in which the value's take is called; after all others if nobody took it.
    pub(crate) fn take_first(&self, life: ValueLifetime) -> u32 {
        match life.take {
            NONE => self.slots.count,
            take => self.slots.first[take as usize],
        }
    }

    /// The slot in which the value's take returns; after all others if nobody took it.
    pub(crate) fn take_last(&self, life: ValueLifetime) -> u32 {
        match life.take {
            NONE => self.slots.count,
            // Who never returned may take effect in the last slot, or after it, which is the same.
            take => self.slots.last[take as usize].min(self.slots.count - 1),
        }
    }

    /// The operation of a row.
    pub(crate) fn id(&self, row: u32) -> OpId {
        self.ops[row as usize]
    }

    /// A row's operation in words.
    pub(crate) fn show(&self, row: u32) -> String {
        self.history.show(self.id(row)).to_string()
    }

    /// The value of a life.
    pub(crate) fn value(&self, life: ValueLifetime) -> &'h Value {
        &self.history.operations[self.id(life.put) as usize].argument
    }

    /// How we know when a value was surely in the container.
    pub(crate) fn surely_in(&self, life: ValueLifetime) -> (String, Vec<OpId>) {
        let (value, put) = (self.value(life), self.show(life.put));
        match life.take {
            NONE => (
                format!("{value} was in it from the return of {put} on: nobody took it out"),
                vec![self.id(life.put)],
            ),
            take => (
                format!(
                    "{value} was in it from the return of {put} to the call of {}",
                    self.show(take)
                ),
                vec![self.id(life.put), self.id(take)],
            ),
        }
    }

    fn never_put(&self, take: u32) -> Pattern {
        Pattern::new().because(
            format!("{} took out a value that nobody put in", self.show(take)),
            [self.id(take)],
        )
    }

    fn taken_twice(&self, put: u32, first: u32, second: u32) -> Pattern {
        Pattern::new()
            .because(
                format!("{} is the only one of this value", self.show(put)),
                [self.id(put)],
            )
            .because(
                format!(
                    "{} and {} both took it out",
                    self.show(first),
                    self.show(second)
                ),
                [self.id(first), self.id(second)],
            )
    }

    fn taken_too_early(&self, put: u32, take: u32) -> Pattern {
        Pattern::new().because(
            format!(
                "{} returned before {} was called: it took out a value that was not yet there",
                self.show(take),
                self.show(put)
            ),
            [self.id(take), self.id(put)],
        )
    }
}
