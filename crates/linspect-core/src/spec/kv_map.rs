//! A map from keys to values, decided key by key.
//!
//! `get`/`read` takes a key and returns its value, or the value of a missing key (`nil` unless another is chosen).
//! `put`/`write`/`set`/`insert` takes `[key, value]` and returns nothing; `swap`/`get_and_put` returns the value before;
//! `put_if_absent` returns whether it was absent. `append` takes `[key, value]` and puts text after text, or a value after
//! a list; it returns nothing. `delete`/`remove`/`del` returns whether the key was there, `contains` whether it is. `cas`
//! takes `[key, from, to]` or `[key, [from, to]]` and returns whether the value was `from`.
//!
//! Jepsen's independent keys are understood too: `read [key, nil]` completed by `[key, value]`, `write [key, value]`.

use super::spelling::{Folded, Method};
use super::view::{RegisterDeed as Deed, RegisterLike, ValueAccess};
use super::{Family, Meeting, Sees, Spec, Unfit, cas_meets, found_nothing, read_meets};
use crate::history::{Operation, Outcome};
use crate::value::Value;
use smallvec::SmallVec;

/// A map from keys to values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KvMap {
    /// What a key holds that was never written or was deleted.
    pub missing: Value,
}

impl Default for KvMap {
    fn default() -> Self {
        Self {
            missing: Value::Nil,
        }
    }
}

/// A call of a [`KvMap`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct KvMapCall {
    /// The key.
    pub key: Value,
    /// What is done to it.
    pub method: KvMethod,
    /// Whether the result repeats the key, as Jepsen's independent keys do.
    keyed_result: bool,
}

/// What a call does to its key.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum KvMethod {
    /// Returns the value.
    Get,
    /// Replaces the value.
    Put(Value),
    /// Replaces the value; returns the one before.
    Swap(Value),
    /// Puts the value if there is none; returns whether there was none.
    PutIfAbsent(Value),
    /// Puts text after text, or a value after a list.
    Append(Value),
    /// Removes the key; returns whether it was there.
    Delete,
    /// Whether the key is there.
    Contains,
    /// Replaces the value if it is the first by the second; returns whether it was.
    Cas(Value, Value),
}

/// The keys that hold something, ascending, with what they hold. One key is the common case: maps are taken apart.
type Entries = SmallVec<[(Value, Value); 1]>;

impl KvMap {
    fn read(&self, state: &Entries, key: &Value) -> Value {
        match state.binary_search_by(|(k, _)| k.cmp(key)) {
            Ok(at) => state[at].1.clone(),
            Err(_) => self.missing.clone(),
        }
    }

    /// `state` with `key` holding `value`; the missing value is not stored, so that equal maps are equal states.
    fn write(&self, state: &Entries, key: &Value, value: Value) -> Entries {
        let mut next = state.clone();
        match (
            next.binary_search_by(|(k, _)| k.cmp(key)),
            value == self.missing,
        ) {
            (Ok(at), false) => next[at].1 = value,
            (Ok(at), true) => drop(next.remove(at)),
            (Err(at), false) => next.insert(at, (key.clone(), value)),
            (Err(_), true) => {}
        }
        next
    }

    /// What a `get` does that returned `value`: `nil` is a missing key, whatever that holds.
    fn got<'h>(&'h self, value: &'h Value) -> Deed<'h> {
        Deed::Read(if *value == Value::Nil {
            &self.missing
        } else {
            value
        })
    }

    fn appended(&self, old: &Value, tail: &Value) -> Value {
        match (old, tail) {
            (Value::Text(a), Value::Text(b)) => Value::text(format!("{a}{b}")),
            (old, Value::Text(_)) if *old == self.missing => tail.clone(),
            (Value::List(items), _) => Value::list(items.iter().chain([tail]).cloned()),
            (old, _) if *old == self.missing => Value::list([tail.clone()]),
            (old, _) => Value::list([old.clone(), tail.clone()]),
        }
    }
}

impl RegisterLike for KvMap {
    fn initial(&self) -> &Value {
        &self.missing
    }

    fn access(&self, name: &str) -> ValueAccess {
        match method(name) {
            Some(Name::Get) => ValueAccess::Read,
            Some(Name::Put) => ValueAccess::Write,
            Some(Name::Contains) => ValueAccess::Look,
            _ => ValueAccess::Update,
        }
    }

    fn deed<'h>(&'h self, access: ValueAccess, op: &'h Operation) -> Deed<'h> {
        match (access, op.argument.items(), &op.outcome) {
            (ValueAccess::Read, [key, Value::Nil], Outcome::Returned(Value::List(pair)))
                if pair.len() == 2 && pair[0] == *key =>
            {
                self.got(&pair[1])
            }
            (ValueAccess::Read, _, outcome) => match Deed::read(outcome) {
                Deed::Read(value) => self.got(value),
                other => other,
            },
            (ValueAccess::Write, [_, value], _) => Deed::Write(value),
            (ValueAccess::Look, ..)
            | (ValueAccess::Update, _, Outcome::Returned(Value::Bool(false))) => Deed::LeftOut,
            (ValueAccess::Write | ValueAccess::Update, ..) => Deed::Beyond,
        }
    }
}

/// The methods of a map.
enum Name {
    Get,
    Put,
    Swap,
    PutIfAbsent,
    Append,
    Delete,
    Contains,
    Cas,
}

fn method(name: &str) -> Option<Name> {
    Some(match Folded::new(name).as_str() {
        "get" | "read" | "load" | "lookup" | "r" => Name::Get,
        "put" | "write" | "set" | "store" | "insert" | "w" | "upsert" => Name::Put,
        "swap" | "getandput" | "getandset" | "exchange" => Name::Swap,
        "putifabsent" | "insertnew" | "create" => Name::PutIfAbsent,
        "append" => Name::Append,
        "delete" | "remove" | "del" | "erase" => Name::Delete,
        "contains" | "containskey" | "has" | "exists" => Name::Contains,
        "cas" | "compareandset" | "compareandswap" => Name::Cas,
        _ => return None,
    })
}

impl Spec for KvMap {
    type State = Entries;
    type Call = KvMapCall;

    fn name(&self) -> &str {
        "kv"
    }

    fn call(&self, method: &str, argument: &Value) -> Result<KvMapCall, Unfit> {
        let m = Method {
            spec: self.name(),
            name: method,
        };
        let make = |key: &Value, method| {
            Ok(KvMapCall {
                key: key.clone(),
                method,
                keyed_result: false,
            })
        };
        let key_only = |method| match argument {
            Value::List(items) if matches!(**items, [_, Value::Nil]) => Ok(KvMapCall {
                key: items[0].clone(),
                method,
                keyed_result: true,
            }),
            Value::Unit => Err(m.bad_argument("a key", argument)),
            key => make(key, method),
        };
        let with_value = |of: fn(Value) -> KvMethod| match argument.items() {
            [key, value] => make(key, of(value.clone())),
            _ => Err(m.bad_argument("[key, value]", argument)),
        };
        match self::method(method) {
            Some(Name::Get) => key_only(KvMethod::Get),
            Some(Name::Put) => with_value(KvMethod::Put),
            Some(Name::Swap) => with_value(KvMethod::Swap),
            Some(Name::PutIfAbsent) => with_value(KvMethod::PutIfAbsent),
            Some(Name::Append) => with_value(KvMethod::Append),
            Some(Name::Delete) => key_only(KvMethod::Delete),
            Some(Name::Contains) => key_only(KvMethod::Contains),
            Some(Name::Cas) => match argument.items() {
                [key, from, to] => make(key, KvMethod::Cas(from.clone(), to.clone())),
                [key, Value::List(pair)] if pair.len() == 2 => {
                    make(key, KvMethod::Cas(pair[0].clone(), pair[1].clone()))
                }
                _ => Err(m.bad_argument("[key, from, to]", argument)),
            },
            None => Err(m.unknown("get, put, append, delete, contains, cas, swap, put_if_absent")),
        }
    }

    fn outcome(&self, call: &KvMapCall, outcome: &Outcome) -> Result<Outcome, Unfit> {
        let method = |name| Method {
            spec: self.name(),
            name,
        };
        let inner = match outcome {
            Outcome::Returned(Value::List(pair))
                if call.keyed_result && pair.len() == 2 && pair[0] == call.key =>
            {
                &Outcome::Returned(pair[1].clone())
            }
            other => other,
        };
        match &call.method {
            KvMethod::Get | KvMethod::Swap(_) => Ok(match method("get").any(inner) {
                Outcome::Returned(Value::Nil) => Outcome::Returned(self.missing.clone()),
                other => other,
            }),
            KvMethod::Put(v) => method("put").written(inner, &call.key, v),
            KvMethod::Append(v) => method("append").written(inner, &call.key, v),
            KvMethod::PutIfAbsent(_) => method("put_if_absent").truth(inner),
            KvMethod::Delete => method("delete").changed(inner, &call.key),
            KvMethod::Contains => method("contains").truth(inner),
            KvMethod::Cas(from, to) => match inner {
                // Jepsen completes a successful cas with its argument.
                Outcome::Returned(Value::List(seen)) if seen.first() == Some(&call.key) => {
                    let flat = [call.key.clone(), from.clone(), to.clone()];
                    let nested = [call.key.clone(), Value::list([from.clone(), to.clone()])];
                    if **seen == flat || **seen == nested {
                        Ok(Outcome::Returned(Value::Bool(true)))
                    } else {
                        method("cas").truth(inner)
                    }
                }
                other => method("cas").truth(other),
            },
        }
    }

    fn initial(&self) -> Entries {
        Entries::new()
    }

    fn outcomes(&self, state: &Entries, call: &KvMapCall, each: &mut dyn FnMut(Value, Entries)) {
        let key = &call.key;
        let now = self.read(state, key);
        match &call.method {
            KvMethod::Get => each(now, state.clone()),
            KvMethod::Put(v) => each(Value::Unit, self.write(state, key, v.clone())),
            KvMethod::Swap(v) => each(now, self.write(state, key, v.clone())),
            KvMethod::PutIfAbsent(v) if now == self.missing => {
                each(Value::Bool(true), self.write(state, key, v.clone()));
            }
            KvMethod::PutIfAbsent(_) => each(Value::Bool(false), state.clone()),
            KvMethod::Append(v) => {
                each(Value::Unit, self.write(state, key, self.appended(&now, v)));
            }
            KvMethod::Delete => {
                each(
                    Value::Bool(now != self.missing),
                    self.write(state, key, self.missing.clone()),
                );
            }
            KvMethod::Contains => each(Value::Bool(now != self.missing), state.clone()),
            KvMethod::Cas(from, to) if *from == now => {
                each(Value::Bool(true), self.write(state, key, to.clone()));
            }
            KvMethod::Cas(..) => each(Value::Bool(false), state.clone()),
        }
    }

    fn may_wait(&self, _call: &KvMapCall) -> bool {
        false
    }

    fn is_read_only(&self, call: &KvMapCall) -> bool {
        matches!(call.method, KvMethod::Get | KvMethod::Contains)
    }

    fn observes(&self, call: &KvMapCall, outcome: &Outcome) -> bool {
        self.is_read_only(call)
            || !matches!(call.method, KvMethod::Swap(_)) && found_nothing(outcome)
    }

    fn family(&self, call: &KvMapCall, outcome: &Outcome) -> Family {
        let of = |value: &Value| Family::Of(Value::list([call.key.clone(), value.clone()]));
        match (&call.method, outcome) {
            (KvMethod::Put(v), _) | (KvMethod::Get, Outcome::Returned(v)) => of(v),
            (KvMethod::Get, Outcome::Unknown | Outcome::Pending) => Family::Alike,
            _ => Family::Mixed,
        }
    }

    fn meets(&self, call: &KvMapCall, outcome: &Outcome) -> Meeting {
        let meeting = match &call.method {
            KvMethod::Get => read_meets(outcome),
            KvMethod::Put(v) => Meeting {
                sees: Sees::Nothing,
                leaves: Some(v.clone()),
            },
            KvMethod::Cas(from, to) => cas_meets(from, to, outcome),
            _ => Meeting {
                sees: Sees::Anything,
                leaves: None,
            },
        };
        // Keys know nothing of each other.
        let of_key = |v: Value| Value::list([call.key.clone(), v]);
        Meeting {
            sees: match meeting.sees {
                Sees::Only(v) => Sees::Only(of_key(v)),
                other => other,
            },
            leaves: meeting.leaves.map(of_key),
        }
    }

    fn part(&self, call: &KvMapCall) -> Option<Value> {
        Some(call.key.clone())
    }

    fn weight(&self, state: &Entries) -> usize {
        // Values that were appended to are long and new in every state.
        let own = |v: &Value| match v {
            Value::Text(text) => text.len(),
            Value::List(items) => size_of_val(&**items),
            _ => 0,
        };
        let entries = if state.spilled() {
            state.capacity() * size_of::<(Value, Value)>()
        } else {
            0
        };
        entries + state.iter().map(|(_, v)| own(v)).sum::<usize>()
    }

    fn show(&self, state: &Entries) -> String {
        let entries: Vec<String> = state.iter().map(|(k, v)| format!("{k}: {v}")).collect();
        format!("{{{}}}", entries.join(", "))
    }
}
