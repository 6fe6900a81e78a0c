//! A digest wide enough to stand for a value in a cache: XXH3 with 128 bits, in one pass.

use std::hash::{Hash, Hasher};
use xxhash_rust::xxh3::xxh3_128;

/// 128 bits that two different values share with a probability that does not matter.
pub fn digest(value: &impl Hash) -> u128 {
    let mut gathered = Gathered::<SMALL>::default();
    value.hash(&mut gathered);
    gathered.digest()
}

/// Bytes that most values have at most.
const SMALL: usize = 240;

/// What is to be digested, up to `ROOM` bytes of it: first the digest of what came before, if it was too much.
#[derive(Clone, Debug)]
pub struct Gathered<const ROOM: usize> {
    bytes: [u8; ROOM],
    len: usize,
}

impl<const ROOM: usize> Default for Gathered<ROOM> {
    fn default() -> Self {
        Self {
            bytes: [0; ROOM],
            len: 0,
        }
    }
}

impl<const ROOM: usize> Gathered<ROOM> {
    /// The digest of all that was written.
    pub fn digest(&self) -> u128 {
        xxh3_128(&self.bytes[..self.len])
    }

    #[inline]
    fn add<const N: usize>(&mut self, bytes: [u8; N]) {
        if self.len + N > ROOM {
            self.fold();
        }
        self.bytes[self.len..self.len + N].copy_from_slice(&bytes);
        self.len += N;
    }

    #[cold]
    fn fold(&mut self) {
        let so_far = self.digest().to_le_bytes();
        self.bytes[..so_far.len()].copy_from_slice(&so_far);
        self.len = so_far.len();
    }
}

impl<const ROOM: usize> Hasher for Gathered<ROOM> {
    fn write(&mut self, mut bytes: &[u8]) {
        while bytes.len() > ROOM - self.len {
            let (now, later) = bytes.split_at(ROOM - self.len);
            self.bytes[self.len..].copy_from_slice(now);
            self.len = ROOM;
            self.fold();
            bytes = later;
        }
        self.bytes[self.len..self.len + bytes.len()].copy_from_slice(bytes);
        self.len += bytes.len();
    }

    fn write_u8(&mut self, value: u8) {
        self.add(value.to_le_bytes());
    }

    fn write_u16(&mut self, value: u16) {
        self.add(value.to_le_bytes());
    }

    fn write_u32(&mut self, value: u32) {
        self.add(value.to_le_bytes());
    }

    fn write_u64(&mut self, value: u64) {
        self.add(value.to_le_bytes());
    }

    fn write_u128(&mut self, value: u128) {
        self.add(value.to_le_bytes());
    }

    fn write_usize(&mut self, value: usize) {
        self.add(value.to_le_bytes());
    }

    // Which of its forms a value has: there are never many.
    fn write_isize(&mut self, value: isize) {
        match u8::try_from(value) {
            Ok(value) if value < u8::MAX => self.add([value]),
            _ => {
                self.add([u8::MAX]);
                self.add(value.to_le_bytes());
            }
        }
    }

    fn finish(&self) -> u64 {
        self.digest() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values of all lengths around the size of the buffer, written at once and bit by bit, differ wherever they differ.
    #[test]
    fn every_byte_counts() {
        let mut seen = std::collections::BTreeSet::new();
        for len in 0..3 * SMALL {
            let mut bytes = vec![0_u8; len];
            assert!(seen.insert(digest(&bytes)), "{len} zeros");
            if let Some(last) = bytes.last_mut() {
                *last = 1;
                assert!(seen.insert(digest(&bytes)), "{len} bytes, the last one 1");
            }
            if len > 1 {
                bytes[len - 1] = 0;
                bytes[0] = 1;
                assert!(seen.insert(digest(&bytes)), "{len} bytes, the first one 1");
            }
            let words: Vec<(u64, u8)> = vec![(7, 1); len / 9];
            if len % 9 == 0 && len > 0 {
                assert!(seen.insert(digest(&words)), "{len} in words");
            }
        }
    }
}
