//! One line of JSON, taken apart without building a tree.

use super::plain;
use crate::jepsen::Kind;
use linspect_core::history::Time;
use linspect_core::value::Value;
use serde::de::{self, Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::borrow::Cow;
use std::fmt;

/// Everything that a line can say.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Line<'a> {
    pub(super) linspect: Option<u64>,
    pub(super) spec: Option<Cow<'a, str>>,
    pub(super) initial: Option<Value>,
    pub(super) operations: Option<u64>,
    pub(super) unit: Option<Cow<'a, str>>,
    pub(super) process: Option<Process>,
    pub(super) kind: Option<Kind>,
    pub(super) f: Option<Cow<'a, str>>,
    pub(super) key: Option<Value>,
    pub(super) value: Option<Value>,
    pub(super) result: Option<Value>,
    pub(super) is_unknown: bool,
    pub(super) time: Option<Time>,
    pub(super) call: Option<Time>,
    pub(super) ret: Option<Time>,
}

/// Who made an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Process {
    Client(u32),
    /// Whoever injects faults in a Jepsen test.
    Nemesis,
}

impl<'a> Line<'a> {
    /// The usual lines by [`plain`], the others, and the wording of errors, by `serde_json`.
    pub(super) fn parse(text: &'a str) -> serde_json::Result<Self> {
        match plain::parse(text) {
            Some(line) => Ok(line),
            None => serde_json::from_str(text),
        }
    }
}

impl<'de> Deserialize<'de> for Line<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(LineVisitor)
    }
}

struct LineVisitor;

impl<'de> Visitor<'de> for LineVisitor {
    type Value = Line<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Line<'de>, A::Error> {
        let mut line = Line::default();
        while let Some(Text(key)) = map.next_key()? {
            match &*key {
                "process" => put(&mut line.process, "process", map.next_value()?)?,
                "type" => put(&mut line.kind, "type", map.next_value()?)?,
                "f" => put(&mut line.f, "f", map.next_value::<Text<'de>>()?.0)?,
                "value" => put(&mut line.value, "value", map.next_value::<Any>()?.0)?,
                "key" => put(&mut line.key, "key", map.next_value::<Any>()?.0)?,
                "result" => put(&mut line.result, "result", map.next_value::<Any>()?.0)?,
                "unknown" => line.is_unknown = map.next_value()?,
                "time" => put_some(&mut line.time, "time", map.next_value()?)?,
                "call" => put_some(&mut line.call, "call", map.next_value()?)?,
                "return" => put_some(&mut line.ret, "return", map.next_value()?)?,
                "linspect" => put(&mut line.linspect, "linspect", map.next_value()?)?,
                "spec" => put(&mut line.spec, "spec", map.next_value::<Text<'de>>()?.0)?,
                "initial" => put(&mut line.initial, "initial", map.next_value::<Any>()?.0)?,
                "unit" => put(&mut line.unit, "unit", map.next_value::<Text<'de>>()?.0)?,
                "operations" => put(&mut line.operations, "operations", map.next_value()?)?,
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(line)
    }
}

/// Fills a place that must be empty.
fn put<T, E: de::Error>(place: &mut Option<T>, key: &'static str, value: T) -> Result<(), E> {
    if place.replace(value).is_some() {
        return Err(E::duplicate_field(key));
    }
    Ok(())
}

/// Fills a place unless the value is null.
fn put_some<E: de::Error>(
    place: &mut Option<Time>,
    key: &'static str,
    value: Option<Moment>,
) -> Result<(), E> {
    value.map_or(Ok(()), |Moment(time)| put(place, key, time))
}

/// A text, borrowed from the line where it has no escapes.
struct Text<'a>(Cow<'a, str>);

impl<'de> Deserialize<'de> for Text<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct TextVisitor;
        impl<'de> Visitor<'de> for TextVisitor {
            type Value = Text<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text")
            }
            fn visit_borrowed_str<E: de::Error>(self, s: &'de str) -> Result<Text<'de>, E> {
                Ok(Text(Cow::Borrowed(s)))
            }
            fn visit_str<E: de::Error>(self, s: &str) -> Result<Text<'de>, E> {
                Ok(Text(Cow::Owned(s.to_owned())))
            }
        }
        deserializer.deserialize_str(TextVisitor)
    }
}

impl<'de> Deserialize<'de> for Kind {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Text(name) = Text::deserialize(deserializer)?;
        Self::named(&name).ok_or_else(|| {
            de::Error::custom(format_args!(
                "`type` must be invoke, ok, fail or info, not {name:?}"
            ))
        })
    }
}

/// A whole number that is a time.
struct Moment(Time);

impl<'de> Deserialize<'de> for Moment {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct MomentVisitor;
        impl Visitor<'_> for MomentVisitor {
            type Value = Moment;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a time: a whole number that is not negative")
            }
            fn visit_u64<E: de::Error>(self, n: u64) -> Result<Moment, E> {
                Ok(Moment(n))
            }
        }
        deserializer.deserialize_u64(MomentVisitor)
    }
}

impl<'de> Deserialize<'de> for Process {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ProcessVisitor;
        impl Visitor<'_> for ProcessVisitor {
            type Value = Process;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a process number from 0 to 4294967295")
            }
            fn visit_u64<E: de::Error>(self, n: u64) -> Result<Process, E> {
                u32::try_from(n)
                    .map(Process::Client)
                    .map_err(|_| E::invalid_value(de::Unexpected::Unsigned(n), &self))
            }
            fn visit_str<E: de::Error>(self, s: &str) -> Result<Process, E> {
                match s {
                    "nemesis" | ":nemesis" => Ok(Process::Nemesis),
                    _ => Err(E::invalid_type(de::Unexpected::Str(s), &self)),
                }
            }
        }
        deserializer.deserialize_any(ProcessVisitor)
    }
}

/// Any value; `{}` is the value that says nothing.
pub(super) struct Any(pub(super) Value);

impl<'de> Deserialize<'de> for Any {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnyVisitor).map(Any)
    }
}

struct AnyVisitor;

impl<'de> Visitor<'de> for AnyVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("null, true, false, a whole number, a text, or an array of such")
    }

    fn visit_unit<E: de::Error>(self) -> Result<Value, E> {
        Ok(Value::Nil)
    }

    fn visit_bool<E: de::Error>(self, b: bool) -> Result<Value, E> {
        Ok(Value::Bool(b))
    }

    fn visit_i64<E: de::Error>(self, n: i64) -> Result<Value, E> {
        Ok(Value::Int(n))
    }

    fn visit_u64<E: de::Error>(self, n: u64) -> Result<Value, E> {
        i64::try_from(n).map(Value::Int).map_err(|_| {
            E::custom(format_args!(
                "{n} does not fit into 64 bits with sign: write it as a text, \"{n}\""
            ))
        })
    }

    fn visit_f64<E: de::Error>(self, n: f64) -> Result<Value, E> {
        Err(E::custom(format_args!(
            "{n} has a fraction, an exponent or more than 64 bits: write it as a text, \"{n}\""
        )))
    }

    fn visit_str<E: de::Error>(self, s: &str) -> Result<Value, E> {
        Ok(Value::text(s))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        while let Some(Any(item)) = seq.next_element()? {
            items.push(item);
        }
        Ok(Value::list(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        match map.next_key::<IgnoredAny>()? {
            None => Ok(Value::Unit),
            Some(_) => Err(de::Error::custom(
                "a value cannot be an object: write it as an array or a text",
            )),
        }
    }
}
