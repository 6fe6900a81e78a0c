//! What C++ classes derive from, as their type information tells it: `dynamic_cast`, and which handlers take an exception.
//!
//! Itanium C++ ABI, 2.9: the type information of a class is `{ vtable, name }`; with one public base at the beginning `{ vtable, name, base }`
//! (`__si_class_type_info`); else `{ vtable, name, flags, count, { base, offset and flags }… }` (`__vmi_class_type_info`). Which of them it is its virtual table says.

use super::{Table, value};
use crate::interp::Cpu;
use crate::memory::{Address, MemoryError};

pub(super) const TABLE: Table = &[("__dynamic_cast", |cpu, a| {
    let cast = cpu.dynamic_cast(a[0], a[1], a[2]);
    value(cpu.check(cast)?)
})];

/// The virtual tables of type informations with one base at the beginning, and with others.
pub(crate) const CLASS_INFOS: [&str; 2] = [
    "_ZTVN10__cxxabiv120__si_class_type_infoE",
    "_ZTVN10__cxxabiv121__vmi_class_type_infoE",
];

/// A pointer to a virtual table stands behind the offset to the whole object and its type information.
const TABLE_HEADER: u64 = 16;
const IS_VIRTUAL: u64 = 1;
const IS_PUBLIC: u64 = 2;
/// Classes of one object that are looked at: a hierarchy that is broken has no end.
const MOST: usize = 1 << 10;

/// An object of a class, or its part that is of a base.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Part {
    info: Address,
    at: Address,
    /// Whether only public bases lead there.
    public: bool,
}

impl Cpu<'_> {
    /// Where in the object of class `info` at `object` its only public part of class `base` is.
    pub(crate) fn part_of(&self, object: Address, info: Address, base: Address) -> Option<Address> {
        if info == base {
            return (info != 0).then_some(object);
        }
        let parts = self.parts(object, info).ok()?;
        only(parts.iter().filter(|p| p.info == base))
    }

    /// What a pointer to class `from` becomes as one to class `to`; null if the object has no such part.
    fn dynamic_cast(
        &self,
        pointer: Address,
        from: Address,
        to: Address,
    ) -> Result<u64, MemoryError> {
        let table = self.memory.read(pointer, 8)?;
        let to_whole = self.memory.read(table.wrapping_sub(TABLE_HEADER), 8)?;
        let info = self.memory.read(table.wrapping_sub(8), 8)?;
        let parts = self.parts(pointer.wrapping_add(to_whole), info)?;
        let is_source = |p: &Part| p.info == from && p.at == pointer && p.public;
        let wanted: Vec<Part> = parts.iter().filter(|p| p.info == to).copied().collect();
        let mut around = Vec::new();
        for part in &wanted {
            if self.parts(part.at, to)?.iter().any(is_source) {
                around.push(Part {
                    public: true,
                    ..*part
                });
            }
        }
        let found = match around.is_empty() {
            false => only(around.iter()),
            true if parts.iter().any(is_source) => only(wanted.iter()),
            true => None,
        };
        Ok(found.unwrap_or(0))
    }

    /// The object of class `info` at `at`, and all of its parts that are of a base.
    fn parts(&self, at: Address, info: Address) -> Result<Vec<Part>, MemoryError> {
        let public = true;
        let mut all = vec![Part { info, at, public }];
        let mut next = 0;
        while next < all.len() && all.len() < MOST {
            let part = all[next];
            next += 1;
            let table = self.memory.read(part.info, 8)?.wrapping_sub(TABLE_HEADER);
            let word = |at: u64| self.memory.read(part.info.wrapping_add(at), 8);
            match self
                .image
                .class_infos
                .iter()
                .position(|kind| *kind == table && table != 0)
            {
                Some(0) => all.push(Part {
                    info: word(16)?,
                    ..part
                }),
                Some(_) => {
                    for base in 0..word(16)? >> 32 {
                        let (info, how) = (word(24 + 16 * base)?, word(32 + 16 * base)?);
                        let mut offset = (how.cast_signed() >> 8).cast_unsigned();
                        if how & IS_VIRTUAL != 0 {
                            let table = self.memory.read(part.at, 8)?;
                            offset = self.memory.read(table.wrapping_add(offset), 8)?;
                        }
                        all.push(Part {
                            info,
                            at: part.at.wrapping_add(offset),
                            public: part.public && how & IS_PUBLIC != 0,
                        });
                    }
                }
                None => {}
            }
        }
        Ok(all)
    }
}

/// Where all of these parts are, if that is one place and some public way leads there.
fn only<'a>(parts: impl Iterator<Item = &'a Part>) -> Option<Address> {
    let parts: Vec<&Part> = parts.collect();
    let first = parts.first()?;
    let is_one = parts.iter().all(|p| p.at == first.at);
    (is_one && parts.iter().any(|p| p.public)).then_some(first.at)
}
