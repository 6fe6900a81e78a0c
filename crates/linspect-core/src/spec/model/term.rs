//! What stands on either side of a rule: values, names, lists and sums.

use super::Bound;
use crate::value::Value;
use std::cmp::Ordering;

/// A pattern, or what is made of what a pattern found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Term {
    /// This value.
    Value(Value),
    /// What this name stands for.
    Name(u8),
    /// Anything; only in patterns.
    Any,
    /// A list.
    List(Vec<Item>),
    /// The first plus, or minus, the second.
    Sum(Box<Term>, i64, Box<Term>),
}

/// A piece of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Item {
    /// One element.
    One(Term),
    /// The elements of this list: `..rest`.
    Rest(u8),
}

/// A condition of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Comparison {
    pub(super) left: Term,
    pub(super) right: Term,
    /// How they may compare.
    pub(super) holds: &'static [Ordering],
}

impl Term {
    /// Whether `value` looks like this; then names stand for what is in their places.
    pub(super) fn matches(&self, value: &Value, bound: &mut Bound) -> bool {
        match self {
            Self::Any => true,
            Self::Value(wanted) => wanted == value,
            Self::Name(name) => bind(*name, value.clone(), bound),
            Self::Sum(..) => self.value(bound).is_some_and(|wanted| wanted == *value),
            Self::List(items) => match value {
                Value::List(values) => match_items(items, values, bound),
                _ => false,
            },
        }
    }

    /// The value that it is. Nothing if it adds what are no numbers, or a sum is too large.
    pub(super) fn value(&self, bound: &Bound) -> Option<Value> {
        match self {
            Self::Any => None,
            Self::Value(value) => Some(value.clone()),
            Self::Name(name) => bound.get(usize::from(*name))?.clone(),
            Self::Sum(left, sign, right) => match (left.value(bound)?, right.value(bound)?) {
                (Value::Int(a), Value::Int(b)) => {
                    a.checked_add(b.checked_mul(*sign)?).map(Value::Int)
                }
                _ => None,
            },
            Self::List(items) => {
                let mut values = Vec::new();
                for item in items {
                    match item {
                        Item::One(term) => values.push(term.value(bound)?),
                        Item::Rest(name) => match bound.get(usize::from(*name))?.as_ref()? {
                            Value::List(rest) => values.extend(rest.iter().cloned()),
                            _ => return None,
                        },
                    }
                }
                Some(Value::list(values))
            }
        }
    }

    /// How many names are in it: patterns with fewer say more.
    pub(super) fn names(&self) -> usize {
        match self {
            Self::Value(_) => 0,
            Self::Name(_) | Self::Any => 1,
            Self::Sum(left, _, right) => left.names() + right.names(),
            Self::List(items) => items
                .iter()
                .map(|item| match item {
                    Item::One(term) => term.names(),
                    Item::Rest(_) => 1,
                })
                .sum(),
        }
    }

    /// Whether it is the same wherever it stands, in a pattern or not.
    pub(super) fn is_plain(&self) -> bool {
        match self {
            Self::Value(_) | Self::Name(_) => true,
            Self::Any | Self::Sum(..) => false,
            Self::List(items) => items.iter().all(|item| match item {
                Item::One(term) => term.is_plain(),
                Item::Rest(_) => true,
            }),
        }
    }
}

fn bind(name: u8, value: Value, bound: &mut Bound) -> bool {
    let at = usize::from(name);
    if bound.len() <= at {
        bound.resize(at + 1, None);
    }
    match &bound[at] {
        Some(before) => *before == value,
        None => {
            bound[at] = Some(value);
            true
        }
    }
}

/// A pattern has at most one rest.
fn match_items(items: &[Item], values: &[Value], bound: &mut Bound) -> bool {
    let one = |item: &Item, value: &Value, bound: &mut Bound| match item {
        Item::One(term) => term.matches(value, bound),
        Item::Rest(_) => false,
    };
    let Some(rest) = items.iter().position(|item| matches!(item, Item::Rest(_))) else {
        return items.len() == values.len()
            && items
                .iter()
                .zip(values)
                .all(|(item, value)| one(item, value, bound));
    };
    let (head, tail) = (&items[..rest], &items[rest + 1..]);
    let Some(middle) = values.len().checked_sub(head.len() + tail.len()) else {
        return false;
    };
    let (first, others) = values.split_at(head.len());
    let (middle, last) = others.split_at(middle);
    let Item::Rest(name) = items[rest] else {
        return false;
    };
    head.iter()
        .zip(first)
        .all(|(item, value)| one(item, value, bound))
        && tail
            .iter()
            .zip(last)
            .all(|(item, value)| one(item, value, bound))
        && bind(name, Value::list(middle.iter().cloned()), bound)
}
