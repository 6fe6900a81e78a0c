//! Arguments and results as they are compared and shown outside the machine.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    Int(i64),
    Bool(bool),
    Text(String),
    List(Vec<Self>),
    Nil,
    Unit,
}

impl Value {
    /// Whether it is a list that starts with one of these texts.
    pub(crate) fn is_tagged(&self, tags: &[&str]) -> bool {
        match self {
            Self::List(list) => {
                matches!(list.first(), Some(Self::Text(tag)) if tags.contains(&tag.as_str()))
            }
            _ => false,
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Int(value) => value.fmt(f),
            Self::Bool(value) => value.fmt(f),
            Self::Text(value) => write!(f, "{value:?}"),
            Self::Nil => f.write_str("nil"),
            Self::Unit => f.write_str("()"),
            Self::List(values) => {
                f.write_str("[")?;
                for (i, value) in values.iter().enumerate() {
                    let comma = if i == 0 { "" } else { ", " };
                    write!(f, "{comma}{value}")?;
                }
                f.write_str("]")
            }
        }
    }
}
