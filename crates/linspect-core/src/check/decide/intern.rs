//! Values become small numbers, once, so that the deciders compare and index numbers.

use crate::value::Value;
use rustc_hash::FxHashMap;

/// Nothing: an operation, value or slot that does not exist.
pub(crate) const NONE: u32 = u32::MAX;

/// Numbers for values, in the order in which they are first met.
pub(crate) struct Interner<'v> {
    numbers: Numbers<'v>,
    met: u32,
}

enum Numbers<'v> {
    /// Whole numbers close together: the number of `base + i` stands at `i`.
    Dense { base: i64, table: Vec<u32> },
    /// Anything else.
    Hashed(FxHashMap<&'v Value, u32>),
}

impl<'v> Interner<'v> {
    /// An interner for `values`, none of them numbered yet.
    pub(crate) fn for_values(values: impl Iterator<Item = &'v Value>) -> Self {
        let mut count: usize = 0;
        let mut range: Option<(i64, i64)> = None;
        let mut dense = true;
        for value in values {
            count += 1;
            if let Value::Int(n) = value {
                let (low, high) = range.unwrap_or((*n, *n));
                range = Some((low.min(*n), high.max(*n)));
            } else {
                dense = false;
            }
        }
        let span = range.and_then(|(low, high)| usize::try_from(high.abs_diff(low)).ok());
        let numbers = match (range, span) {
            (Some((base, _)), Some(span)) if dense && span <= 4 * count + 64 => Numbers::Dense {
                base,
                table: vec![NONE; span + 1],
            },
            _ => Numbers::Hashed(FxHashMap::with_capacity_and_hasher(
                count,
                rustc_hash::FxBuildHasher,
            )),
        };
        Self { numbers, met: 0 }
    }

    /// The number of `value`, a new one if it has none yet. It must be one of those the interner was made for.
    pub(crate) fn number(&mut self, value: &'v Value) -> u32 {
        let entry = match &mut self.numbers {
            Numbers::Dense { base, table } => {
                let at = dense_index(*base, table.len(), value);
                &mut table[at.expect("the interner was made for this value")]
            }
            Numbers::Hashed(map) => map.entry(value).or_insert(NONE),
        };
        if *entry == NONE {
            *entry = self.met;
            self.met += 1;
        }
        *entry
    }

    /// The number of `value`, [`NONE`] if it has none.
    pub(crate) fn known(&self, value: &Value) -> u32 {
        match &self.numbers {
            Numbers::Dense { base, table } => {
                dense_index(*base, table.len(), value).map_or(NONE, |at| table[at])
            }
            Numbers::Hashed(map) => map.get(value).copied().unwrap_or(NONE),
        }
    }
}

/// Where the number of `value` stands in a dense table, if there.
fn dense_index(base: i64, len: usize, value: &Value) -> Option<usize> {
    let Value::Int(n) = value else { return None };
    let at = usize::try_from(n.checked_sub(base)?).ok()?;
    (at < len).then_some(at)
}

#[cfg(test)]
mod tests {
    use super::{Interner, NONE};
    use crate::value::Value;

    fn check(values: &[Value]) {
        let mut interner = Interner::for_values(values.iter());
        for round in 0..2 {
            for (i, v) in (0..).zip(values) {
                assert_eq!(interner.number(v), i, "round {round}");
                assert_eq!(interner.known(v), i);
            }
        }
        for stranger in [
            Value::Nil,
            Value::Int(i64::MIN),
            Value::Int(12),
            Value::text("z"),
        ] {
            assert_eq!(interner.known(&stranger), NONE);
        }
    }

    #[test]
    fn dense_sparse_and_mixed_values_get_numbers_in_order() {
        check(&[5, 3, 4].map(Value::Int));
        check(&[i64::MIN + 1, i64::MAX, 0].map(Value::Int));
        check(&[Value::text("a"), Value::Int(1), Value::list([Value::Nil])]);
        check(&[]);
    }
}
