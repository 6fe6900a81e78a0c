//! How far a relaxed container is out of order when one thread uses it.

use crate::histories::show;
use linspect_core::history::{History, Outcome};
use linspect_core::spec::Builtin;
use linspect_core::value::Value;
use linspect_zoo::Object;

/// A value inside, and by how many younger ones it was overtaken.
struct Held {
    value: Value,
    overtaken: u32,
}

/// Whether no value overtakes more than k others and none is overtaken more than k times, for a relaxed object; values
/// are distinct.
pub(crate) fn check(object: &Object, history: &History) -> Result<(), String> {
    let Some(k) = object.k else {
        return Ok(());
    };
    // In the order in which a strict object would give them back.
    let mut held: Vec<Held> = Vec::new();
    for operation in &history.operations {
        let Outcome::Returned(result) = &operation.outcome else {
            continue;
        };
        if let Value::Int(_) = operation.argument {
            let value = operation.argument.clone();
            let at = match &object.spec {
                Builtin::Stack(_) => 0,
                Builtin::PriorityQueue(_) => held.partition_point(|h| h.value < value),
                _ => held.len(),
            };
            held.insert(
                at,
                Held {
                    value,
                    overtaken: 0,
                },
            );
        } else if let Some(at) = held.iter().position(|h| h.value == *result) {
            for passed in &mut held[..at] {
                passed.overtaken += 1;
            }
            let late = held.iter().map(|h| h.overtaken).max().unwrap_or_default();
            if at > k as usize || late > k {
                return Err(format!("out of order by more than {k}: {}", show(history)));
            }
            held.remove(at);
        }
    }
    Ok(())
}
