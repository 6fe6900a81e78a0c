//! What `linspect.h` and the crate `linspect` declare: how a harness describes its operations, gets arguments and gives results, and what
//! code under test may ask the machine for. See [`crate::harness`] for the protocol.

use super::{Reply, Table, nothing, value};
use crate::harness::{Limit, Operation, SpecText};
use crate::interp::{Cpu, Stop};
use linspect_core::execution::FaultKind;
use linspect_core::value::Value;

pub(super) const TABLE: Table = &[
    ("linspect_operation", |cpu, a| {
        let name = cpu.c_string(a[0])?;
        let Some(function) = cpu.resolve(a[1]) else {
            return Err(cpu.misuse("linspect_operation: the second argument is no function"));
        };
        cpu.world_mut().harness.operations.push(Operation {
            name,
            function,
            order: a[2] as u32,
            domain: Vec::new(),
        });
        nothing()
    }),
    ("linspect_model_operation", |cpu, a| {
        let name = cpu.c_string(a[0])?;
        let Some(function) = cpu.resolve(a[1]) else {
            return Err(cpu.misuse("linspect_model_operation: the second argument is no function"));
        };
        cpu.world_mut().harness.model.push((name, function));
        nothing()
    }),
    ("linspect_value", |cpu, a| {
        cpu.declare_value(Value::Int(a[0] as i64))
    }),
    ("linspect_value_bool", |cpu, a| {
        cpu.declare_value(Value::Bool(a[0] & 1 == 1))
    }),
    ("linspect_value_text", |cpu, a| {
        let text = cpu.c_string(a[0])?;
        cpu.declare_value(Value::text(text))
    }),
    ("linspect_value_pair", |cpu, a| {
        cpu.declare_value(Value::list([
            Value::Int(a[0] as i64),
            Value::Int(a[1] as i64),
        ]))
    }),
    ("linspect_value_list", |cpu, a| {
        let domain = &mut cpu.last_operation()?.domain;
        let at = domain.len().saturating_sub(a[0] as usize);
        let list = Value::list(domain.split_off(at));
        domain.push(list);
        nothing()
    }),
    ("linspect_single_thread", |cpu, a| {
        let (operations, role) = (cpu.c_string(a[0])?, cpu.c_string(a[1])?);
        for operation in operations.split(',') {
            cpu.limit(operation.trim().into(), Limit::Role(role.clone()));
        }
        nothing()
    }),
    ("linspect_at_most", |cpu, a| {
        let operation = cpu.c_string(a[0])?;
        cpu.limit(operation, Limit::AtMost(a[1] as u32));
        nothing()
    }),
    ("linspect_after", |cpu, a| {
        let (operation, first) = (cpu.c_string(a[0])?, cpu.c_string(a[1])?);
        cpu.limit(operation, Limit::After(first));
        nothing()
    }),
    ("linspect_may_fail", |cpu, a| {
        let (operation, result) = (cpu.c_string(a[0])?, cpu.c_string(a[1])?);
        cpu.limit(operation, Limit::MayFail(result));
        nothing()
    }),
    ("linspect_specification", |cpu, a| {
        let (name, arguments) = (cpu.c_string(a[0])?, cpu.c_string(a[1])?);
        cpu.world_mut().harness.spec = Some(SpecText { name, arguments });
        nothing()
    }),
    ("linspect_allow_race", |cpu, a| {
        let names = cpu.c_string(a[0])?;
        let names = names.split(',').map(|name| name.trim().to_owned());
        cpu.world_mut().harness.allowed_races.extend(names);
        nothing()
    }),
    ("linspect_progress", |cpu, a| {
        let guarantee = cpu.c_string(a[0])?;
        cpu.world_mut().harness.progress = Some(guarantee);
        nothing()
    }),
    ("linspect_settings", |cpu, a| {
        let settings = cpu.c_string(a[0])?;
        cpu.world_mut().harness.settings.push(settings);
        nothing()
    }),
    ("linspect_client", |cpu, a| {
        let text = cpu.c_string(a[0])?;
        cpu.world_mut().harness.client = Some(text);
        nothing()
    }),
    ("linspect_argument", |cpu, a| {
        let argument = cpu.argument(a[0] as u32 as usize)?;
        value(match argument {
            Value::Int(n) => n as u64,
            Value::Bool(b) => u64::from(b),
            _ => 0,
        })
    }),
    ("linspect_argument_text", |cpu, a| {
        let Value::Text(text) = cpu.argument(a[0] as u32 as usize)? else {
            return value(0);
        };
        let allocated = cpu
            .memory
            .allocate_private(cpu.thread.lane, text.len() as u64 + 1);
        let address = cpu.check(allocated)?;
        cpu.write_string(address, text.as_bytes())?;
        value(address)
    }),
    ("linspect_return_int", |cpu, a| {
        reply(cpu, Value::Int(a[0] as i64))
    }),
    ("linspect_return_bool", |cpu, a| {
        reply(cpu, Value::Bool(a[0] & 1 == 1))
    }),
    ("linspect_return_nil", |cpu, _| reply(cpu, Value::Nil)),
    ("linspect_return_some", |cpu, _| {
        tag_last(cpu, "some", |value| {
            *value == Value::Nil || is_tagged(value, &["some"])
        })
    }),
    ("linspect_return_ok", |cpu, _| {
        tag_last(cpu, "ok", |value| is_tagged(value, &["ok", "err"]))
    }),
    ("linspect_return_unit", |cpu, _| reply(cpu, Value::Unit)),
    ("linspect_return_text", |cpu, a| {
        let text = cpu.c_string(a[0])?;
        reply(cpu, Value::text(text))
    }),
    ("linspect_return_bytes", |cpu, a| {
        let bytes = cpu.check(cpu.memory.read_bytes(a[0], a[1]))?.to_vec();
        reply(cpu, Value::text(String::from_utf8_lossy(&bytes)))
    }),
    ("linspect_return_list", |cpu, a| {
        let parts = &mut cpu.thread.reply;
        let at = parts.len().saturating_sub(a[0] as usize);
        let list = Value::list(parts.split_off(at));
        reply(cpu, list)
    }),
    ("linspect_assert", |cpu, a| {
        if a[0] as u32 != 0 {
            return nothing();
        }
        let text = if a[1] == 0 {
            String::new()
        } else {
            cpu.c_string(a[1])?
        };
        Err(cpu.fault(FaultKind::Assertion, &format!("assertion `{text}` failed")))
    }),
];

fn reply(cpu: &mut Cpu<'_>, value: Value) -> Result<Reply, Stop> {
    cpu.thread.reply.push(value);
    nothing()
}

/// Whether a value is a list that starts with one of these texts.
fn is_tagged(value: &Value, tags: &[&str]) -> bool {
    let first = match value {
        Value::List(list) => list.first(),
        _ => None,
    };
    matches!(first, Some(Value::Text(tag)) if tags.contains(&&**tag))
}

/// Tells the last result apart from another that would look the same: `Some(None)` from `None`, `Ok(Err(e))` from `Err(e)`.
fn tag_last(
    cpu: &mut Cpu<'_>,
    tag: &str,
    is_ambiguous: impl Fn(&Value) -> bool,
) -> Result<Reply, Stop> {
    if let Some(last) = cpu.thread.reply.pop_if(|value| is_ambiguous(value)) {
        let tagged = Value::list([Value::text(tag), last]);
        cpu.thread.reply.push(tagged);
    }
    nothing()
}

impl Cpu<'_> {
    fn limit(&mut self, operation: String, limit: Limit) {
        self.world_mut().harness.limits.push((operation, limit));
    }

    fn last_operation(&mut self) -> Result<&mut Operation, Stop> {
        let missing = self.misuse("an argument is declared before linspect_operation");
        self.world_mut()
            .harness
            .operations
            .last_mut()
            .ok_or(missing)
    }

    fn declare_value(&mut self, value: Value) -> Result<Reply, Stop> {
        self.last_operation()?.domain.push(value);
        nothing()
    }

    fn argument(&self, index: usize) -> Result<Value, Stop> {
        let current = usize::from(self.thread.begun).checked_sub(1);
        let invocation = current.and_then(|i| self.thread.plan.get(i));
        invocation
            .and_then(|i| i.argument.items().get(index).cloned())
            .ok_or_else(|| self.misuse("an operation asks for an argument that it was not given"))
    }
}
