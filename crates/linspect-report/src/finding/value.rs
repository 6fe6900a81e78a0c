//! Arguments and results in JSON: each core value has exactly one form.

use linspect_core::value::Value as CoreValue;
use serde::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};
use std::fmt;
use std::sync::Arc;

/// A value: `{}` is no value at all, `null` is nil; truth values, whole numbers, texts and lists are themselves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value(pub CoreValue);

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0 {
            CoreValue::Unit => serializer.serialize_map(Some(0))?.end(),
            CoreValue::Nil => serializer.serialize_unit(),
            CoreValue::Bool(b) => serializer.serialize_bool(*b),
            CoreValue::Int(n) => serializer.serialize_i64(*n),
            CoreValue::Text(s) => serializer.serialize_str(s),
            CoreValue::List(items) => {
                serializer.collect_seq(items.iter().map(|item| Self(item.clone())))
            }
        }
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ValueVisitor).map(Self)
    }
}

struct ValueVisitor;

impl<'de> Visitor<'de> for ValueVisitor {
    type Value = CoreValue;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("{}, null, a truth value, a whole number, a text or a list of these")
    }

    fn visit_unit<E: de::Error>(self) -> Result<CoreValue, E> {
        Ok(CoreValue::Nil)
    }

    fn visit_bool<E: de::Error>(self, b: bool) -> Result<CoreValue, E> {
        Ok(CoreValue::Bool(b))
    }

    fn visit_i64<E: de::Error>(self, n: i64) -> Result<CoreValue, E> {
        Ok(CoreValue::Int(n))
    }

    fn visit_u64<E: de::Error>(self, n: u64) -> Result<CoreValue, E> {
        i64::try_from(n)
            .map(CoreValue::Int)
            .map_err(|_| E::invalid_value(de::Unexpected::Unsigned(n), &self))
    }

    fn visit_str<E: de::Error>(self, s: &str) -> Result<CoreValue, E> {
        Ok(CoreValue::Text(Arc::from(s)))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<CoreValue, A::Error> {
        let mut items = Vec::new();
        while let Some(Value(item)) = seq.next_element()? {
            items.push(item);
        }
        Ok(CoreValue::list(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<CoreValue, A::Error> {
        match map.next_key::<String>()? {
            None => Ok(CoreValue::Unit),
            Some(key) => Err(de::Error::unknown_field(&key, &[])),
        }
    }
}

#[cfg(test)]
impl schemars::JsonSchema for Value {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Value".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let item = generator.subschema_for::<Self>();
        schemars::json_schema!({
            "description": "A value: `{}` is no value at all, `null` is nil; truth values, whole numbers, texts and lists are themselves.",
            "anyOf": [
                { "type": "object", "maxProperties": 0 },
                { "type": ["null", "boolean", "string"] },
                { "type": "integer", "minimum": i64::MIN, "maximum": i64::MAX },
                { "type": "array", "items": item },
            ]
        })
    }
}
