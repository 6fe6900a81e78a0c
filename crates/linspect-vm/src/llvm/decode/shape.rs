//! How types become slots, and how they lie in memory.

use super::{Decoder, index};
use crate::llvm::opcode::TypeKind;
use crate::llvm::types::Type;
use crate::program::{self, Element, FloatKind, LayoutId};

/// A type that takes one run of at most two slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scalar {
    Int(u32),
    Float(FloatKind),
    Pointer,
    /// A float format that can be moved but not computed with.
    OpaqueFloat(u32),
}

impl Scalar {
    /// Its width.
    pub(super) fn bits(self) -> u32 {
        match self {
            Self::Int(bits) | Self::OpaqueFloat(bits) => bits,
            Self::Float(FloatKind::F32) => 32,
            Self::Float(FloatKind::F64) | Self::Pointer => 64,
        }
    }

    /// How many slots it takes.
    pub(super) fn slots(self) -> u32 {
        self.bits().div_ceil(64).max(1)
    }
}

/// `ty` as a scalar, if it is one.
pub(super) fn scalar(ty: Type<'_>) -> Option<Scalar> {
    Some(match ty.kind() {
        TypeKind::Integer => Scalar::Int(ty.integer_width()?),
        TypeKind::Pointer => Scalar::Pointer,
        TypeKind::Float => Scalar::Float(FloatKind::F32),
        TypeKind::Double => Scalar::Float(FloatKind::F64),
        TypeKind::Half => Scalar::OpaqueFloat(16),
        TypeKind::X86Fp80 => Scalar::OpaqueFloat(80),
        TypeKind::Fp128 => Scalar::OpaqueFloat(128),
        _ => return None,
    })
}

/// The scalar that `ty` is, or that it is a vector of, with the number of lanes (1 for a scalar).
pub(super) fn lanes(ty: Type<'_>) -> Option<(Scalar, u32)> {
    if ty.kind() == TypeKind::Vector {
        Some((scalar(ty.element())?, u32::try_from(ty.length()).ok()?))
    } else {
        Some((scalar(ty)?, 1))
    }
}

impl<'m> Decoder<'m> {
    /// How many slots a value of type `ty` takes.
    pub(super) fn slots(&mut self, ty: Type<'m>) -> u32 {
        if let Some(&known) = self.slots.get(&ty) {
            return known;
        }
        let count = match ty.kind() {
            TypeKind::Struct => ty.fields().into_iter().map(|f| self.slots(f)).sum(),
            TypeKind::Array | TypeKind::Vector => {
                let per = self.slots(ty.element());
                u32::try_from(ty.length()).unwrap_or(0).saturating_mul(per)
            }
            _ => scalar(ty).map_or(0, Scalar::slots),
        };
        self.slots.insert(ty, count);
        count
    }

    /// The layout of an aggregate or a vector; `None` if part of it cannot be loaded at all.
    pub(super) fn layout_of(&mut self, ty: Type<'m>) -> Option<LayoutId> {
        let mut elements = Vec::new();
        self.elements(ty, 0, &mut elements)?;
        let size = u32::try_from(self.layout.store_size(ty)).ok()?;
        let layout = program::Layout { size, elements };
        let next = index(self.program.layouts.len());
        let id = *self.layouts.entry(layout.clone()).or_insert(next);
        if id == next {
            self.program.layouts.push(layout);
        }
        Some(id)
    }

    /// Appends the scalars of `ty`, which starts at `bit`.
    fn elements(&self, ty: Type<'m>, bit: u64, out: &mut Vec<Element>) -> Option<()> {
        match ty.kind() {
            TypeKind::Struct => {
                for (i, field) in ty.fields().into_iter().enumerate() {
                    let offset = self.layout.offset(ty, index(i));
                    self.elements(field, bit + 8 * offset, out)?;
                }
            }
            TypeKind::Array => {
                let element = ty.element();
                let stride = 8 * self.layout.size(element);
                for i in 0..ty.length() {
                    self.elements(element, bit + i * stride, out)?;
                }
            }
            TypeKind::Vector => {
                // Vectors are packed bit by bit, also in memory.
                let bits = scalar(ty.element())?.bits();
                for i in 0..ty.length() {
                    out.push(Element {
                        bit: u32::try_from(bit + i * u64::from(bits)).ok()?,
                        bits,
                    });
                }
            }
            _ => {
                let bits = scalar(ty)?.bits();
                if bits > 128 {
                    return None;
                }
                out.push(Element {
                    bit: u32::try_from(bit).ok()?,
                    bits,
                });
            }
        }
        Some(())
    }
}
