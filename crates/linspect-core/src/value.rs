//! What operations take and return.

use std::fmt;
use std::sync::Arc;

/// An argument or a result of an operation.
///
/// Deciders only compare values; priority queues also order them. Cloning is cheap: long values are
/// shared.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum Value {
    /// No value: the argument of `pop()`, the result of `push(1)`.
    #[default]
    Unit,
    /// Explicitly nothing: what a `pop` of an empty stack or a `get` of an absent key returns.
    Nil,
    /// A truth value.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A text.
    Text(Arc<str>),
    /// Several values in order: a pair, a vector, the arguments of an operation with more than one.
    List(Arc<[Value]>),
}

impl Value {
    /// The text value `s`.
    pub fn text(s: impl AsRef<str>) -> Self {
        Self::Text(Arc::from(s.as_ref()))
    }

    /// The list of `items`.
    pub fn list(items: impl IntoIterator<Item = Self>) -> Self {
        Self::List(items.into_iter().collect())
    }

    /// Whether this is no value: what a method without arguments is called with.
    pub fn is_nothing(&self) -> bool {
        matches!(self, Self::Unit | Self::Nil)
    }

    /// The values of an argument list: none for `Unit`, the items of a list, else the value itself.
    pub fn items(&self) -> &[Self] {
        match self {
            Self::Unit => &[],
            Self::List(items) => items,
            other => std::slice::from_ref(other),
        }
    }
}

impl From<()> for Value {
    fn from((): ()) -> Self {
        Self::Unit
    }
}

impl From<i64> for Value {
    fn from(n: i64) -> Self {
        Self::Int(n)
    }
}

impl From<bool> for Value {
    fn from(b: bool) -> Self {
        Self::Bool(b)
    }
}

impl From<&str> for Value {
    fn from(s: &str) -> Self {
        Self::text(s)
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unit => f.write_str("()"),
            Self::Nil => f.write_str("nil"),
            Self::Bool(b) => write!(f, "{b}"),
            Self::Int(n) => write!(f, "{n}"),
            // Debug escapes control characters, so a hostile value cannot drive a terminal.
            Self::Text(s) => write!(f, "{s:?}"),
            Self::List(items) => {
                f.write_str("[")?;
                for (i, item) in items.iter().enumerate() {
                    if i > 0 {
                        f.write_str(", ")?;
                    }
                    write!(f, "{item}")?;
                }
                f.write_str("]")
            }
        }
    }
}
