//! A digest wide enough to stand for a value in a cache.

use std::hash::{DefaultHasher, Hash, Hasher};

/// 128 bits that two different values share with a probability that does not matter.
pub(crate) fn digest(value: &impl Hash) -> u128 {
    let mut low = DefaultHasher::new();
    value.hash(&mut low);
    let mut high = DefaultHasher::new();
    0x5eed_u16.hash(&mut high);
    value.hash(&mut high);
    (u128::from(high.finish()) << 64) | u128::from(low.finish())
}
