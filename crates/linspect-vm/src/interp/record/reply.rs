//! What operations return, part by part: of a harness through its hooks, of a plain program's observed functions as they are.

use super::{Operands, Place, RESULTS, Recorder, register};
use crate::interp::Cpu;
use crate::observed::Running;
use crate::program::{self, Shape};
use linspect_core::execution::{Activation, Ending};
use linspect_core::statement::{NIL, Operand, Returned, Rule, parts};
use linspect_core::value::Value;
use smallvec::{SmallVec, smallvec};

/// How a part of a result is computed.
type Computed = (Rule, Operands);

impl Recorder {
    /// An operation of a harness has ended.
    pub(super) fn end_operation(&mut self, cpu: &Cpu<'_>, ending: &Ending) {
        let given = self.replies.remove(&self.lane).unwrap_or_default();
        let index = cpu.thread.begun.saturating_sub(1);
        let complete = match ending {
            Ending::Returned(value) => parts(value).len() == given.len(),
            Ending::Threw(_) => false,
        };
        if complete {
            self.recording.results.push(Returned {
                operation: Activation {
                    thread: self.thread,
                    index,
                },
                parts: given,
            });
        }
    }

    /// An observed operation has ended; it gives back `read`, and perhaps a number where it was told to leave one.
    pub(super) fn end_observed(
        &mut self,
        cpu: &Cpu<'_>,
        place: &Place<'_>,
        read: &[(Operand, i64)],
        running: &Running,
    ) {
        let Some((operation, Ending::Returned(value))) = &cpu.record.returned else {
            return;
        };
        let left = running.out.map(|(address, number)| {
            let size = u32::from(number.bits.div_ceil(8));
            let now = super::memory::word_at(cpu.memory, address, size);
            let cell = self.cell(cpu, address, size);
            (self.reading(cell, now), now)
        });
        let values = parts(value);
        let shape = place.function.signature.result;
        let computed = computed(shape, read, left, &values);
        if computed.len() == values.len() {
            let parts = computed.into_iter().zip(values);
            let parts = parts.map(|(how, value)| self.part(how, value)).collect();
            self.recording.results.push(Returned {
                operation: *operation,
                parts,
            });
        }
    }

    /// A part of the result of the current operation.
    pub(super) fn note_reply(
        &mut self,
        cpu: &Cpu<'_>,
        place: &Place<'_>,
        kind: &str,
        args: &[program::Operand],
    ) {
        let constant = |value: &Value| match parts(value)[..] {
            [part] => Some(Operand::Constant(part)),
            _ => None,
        };
        let operand = match (kind, args.first()) {
            ("int", Some(a)) => Some(self.operand(cpu, place, *a, 64)),
            ("bool", Some(a)) => Some(self.operand(cpu, place, *a, 1)),
            ("list", _) => None,
            // Nothing, or a text: only that it was this one.
            _ => cpu.thread.reply.last().and_then(constant),
        };
        let Some(operand) = operand else { return };
        let value = match operand {
            Operand::Constant(c) => c,
            Operand::Variable(v) => self.values.get(&v).copied().unwrap_or(0),
        };
        let part = self.part((Rule::Copy, smallvec![operand]), value);
        self.replies.entry(self.lane).or_default().push(part);
    }

    /// A part of a result as a variable of its own.
    fn part(&mut self, (rule, operands): Computed, value: i64) -> Operand {
        self.temporaries += 1;
        let part = register(RESULTS, self.temporaries);
        self.assign(part, rule, operands, 64, value);
        Operand::Variable(part)
    }
}

/// How the parts of a result come from what a function returned and what it left behind a pointer (see [`crate::observed`]).
fn computed(
    shape: Shape,
    read: &[(Operand, i64)],
    left: Option<(Operand, i64)>,
    values: &[i64],
) -> SmallVec<[Computed; 2]> {
    let whole = |source: (Operand, i64), part: usize| match values.get(part) {
        Some(value) if *value == source.1 => (Rule::Copy, smallvec![source.0]),
        // The same bits, read as another kind of number.
        _ => (Rule::Function, smallvec![source.0]),
    };
    // Nothing, if the tag is 0.
    let optional = |tag: (Operand, i64), source: (Operand, i64)| -> Computed {
        let nothing = Operand::Constant(NIL);
        match tag.1 {
            0 => (
                Rule::Select,
                smallvec![tag.0, Operand::Constant(0), nothing],
            ),
            _ if values.first() == Some(&source.1) => {
                (Rule::Select, smallvec![tag.0, source.0, nothing])
            }
            _ => (Rule::Function, smallvec![tag.0, source.0]),
        }
    };
    match (shape, read, left) {
        (Shape::Optional(_), [tag], None) => smallvec![optional(*tag, *tag)],
        (Shape::Optional(_), [tag, value, ..], None) => smallvec![optional(*tag, *value)],
        (Shape::Number(_) | Shape::Pointer(_), [value, ..], None) => smallvec![whole(*value, 0)],
        (Shape::Number(n), [status, ..], Some(left)) if n.bits == 1 => {
            smallvec![optional(*status, left)]
        }
        (Shape::Number(_) | Shape::Pointer(_), [status, ..], Some(left)) => {
            smallvec![whole(*status, 0), whole(left, 1)]
        }
        (Shape::Opaque, _, Some(left)) => smallvec![whole(left, 0)],
        _ => SmallVec::new(),
    }
}
