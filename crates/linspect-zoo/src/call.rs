//! Calls as descriptions write them: `put(1, 7)`.

use linspect_core::value::Value;
use std::fmt;

/// A call of an operation by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The operation.
    pub method: String,
    /// Its argument: nothing, a number, or a list of numbers.
    pub argument: Value,
}

impl Call {
    /// Reads `method(1, 2)`; `None` if it is not that.
    pub fn parse(text: &str) -> Option<Self> {
        let (method, arguments) = text.strip_suffix(')')?.split_once('(')?;
        let numbers: Vec<Value> = if arguments.is_empty() {
            Vec::new()
        } else {
            arguments
                .split(',')
                .map(|n| n.trim().parse().ok().map(Value::Int))
                .collect::<Option<_>>()?
        };
        let argument = match &*numbers {
            [] => Value::Unit,
            [one] => one.clone(),
            _ => Value::list(numbers),
        };
        Some(Self {
            method: method.to_owned(),
            argument,
        })
    }
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}(", self.method)?;
        for (i, item) in self.argument.items().iter().enumerate() {
            if i > 0 {
                f.write_str(", ")?;
            }
            write!(f, "{item}")?;
        }
        f.write_str(")")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_read_and_written_alike() {
        for text in ["pop()", "push(1)", "put(1, -7)"] {
            assert_eq!(Call::parse(text).expect("a call").to_string(), text);
        }
        for text in ["pop", "push(x)", "push(1", "push 1)", "push(1,)"] {
            assert_eq!(Call::parse(text), None, "{text}");
        }
    }
}
