//! Which specification an object is measured by.

use crate::failure::Failure;
use linspect_core::spec::{Builtin, Options};
use linspect_vm::Code;
use linspect_vm::harness::SpecText;

/// What decides whether a result is right.
pub(super) enum Measure {
    /// A built-in specification.
    Builtin(Builtin),
    /// The object, run alone.
    Itself,
}

/// The specification that was typed, else the one that the harness names, else the object itself.
pub(super) fn choose(typed: Option<&str>, code: &Code) -> Result<Measure, Failure> {
    let named = code.spec();
    let text = match (typed, named) {
        (Some("self"), _) | (None, None) => return Ok(Measure::Itself),
        (Some(name), Some(spec)) if name == spec.name => spec.clone(),
        (Some(name), _) => SpecText {
            name: name.to_owned(),
            arguments: String::new(),
        },
        (None, Some(spec)) if spec.name == "self" => return Ok(Measure::Itself),
        (None, Some(spec)) => spec.clone(),
    };
    let options = options(&text.arguments)?;
    let builtin = Builtin::with_options(&text.name, &options).map_err(|error| Failure::Spec {
        source_name: "the harness".into(),
        error,
    })?;
    Ok(Measure::Builtin(builtin))
}

/// Reads `.empty = -1, .capacity = 2`. Names of the object's own operations are recognised by themselves and may be given for the reader.
fn options(text: &str) -> Result<Options, Failure> {
    let mut options = Options::default();
    for setting in text.split(',').map(str::trim).filter(|s| !s.is_empty()) {
        let (name, value) = setting.split_once('=').ok_or_else(|| unreadable(setting))?;
        let value = value.trim();
        match name.trim().trim_start_matches('.').trim() {
            "initial" | "permits" | "missing" => {
                options.initial = Some(linspect_format::value(value));
            }
            "empty" => options.empty = Some(linspect_format::value(value)),
            "capacity" => options.capacity = Some(value.parse().map_err(|_| unreadable(setting))?),
            "cells" => options.cells = Some(value.parse().map_err(|_| unreadable(setting))?),
            "largest_first" => options.largest_first = value == "true" || value == "1",
            "add" | "remove" | "contains" | "read" | "write" => {}
            _ => return Err(unreadable(setting)),
        }
    }
    Ok(options)
}

fn unreadable(setting: &str) -> Failure {
    Failure::Usage {
        message: format!(
            "the harness's specification has a setting that nobody understands: `{setting}`"
        ),
        help: "settings are .initial, .empty, .capacity, .cells and .largest_first, each with a value",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use linspect_core::value::Value;

    #[test]
    fn settings_are_read_as_they_stand_in_c() {
        let read = options(".add = enqueue, .empty = -1, .capacity=2").expect("readable");
        assert_eq!(read.empty, Some(Value::Int(-1)));
        assert_eq!(read.capacity, Some(2));
        assert!(options(".colour = red").is_err());
        assert!(options("empty").is_err());
    }
}
