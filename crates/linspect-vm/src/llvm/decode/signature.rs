//! What a function takes and gives, for programs whose calls are recorded as operations.
//!
//! LLVM's types know sizes and pointers; debug information knows signs, what pointers point to, and Rust's `Option`.

use crate::llvm::debug::{Node, NodeKind};
use crate::llvm::opcode::TypeKind;
use crate::llvm::types::Type;
use crate::program::{Number, Reg, Shape, Signature};

/// The signature of a function with these parameters and this result; `subprogram` is its entry in the debug information.
pub(super) fn signature<'m>(
    params: &[(Reg, Type<'m>)],
    result: Type<'m>,
    subprogram: Option<Node<'m>>,
) -> Signature {
    let told = subprogram.map(Node::signature).unwrap_or_default();
    // A hidden place for the result, or a value passed in parts, shifts what debug information lists.
    let listed = told.len() == params.len() + 1;
    let params = params.iter().enumerate().map(|(i, &(reg, ty))| {
        let told = told.get(i + 1).copied().flatten().filter(|_| listed);
        (reg, shape(ty, told))
    });
    Signature {
        params: params.collect(),
        result: optional(result, told.first().copied().flatten())
            .unwrap_or_else(|| shape(result, told.first().copied().flatten())),
    }
}

fn shape(ty: Type<'_>, told: Option<Node<'_>>) -> Shape {
    match ty.kind() {
        TypeKind::Pointer => Shape::Pointer(told.and_then(pointee)),
        TypeKind::Integer => match ty.integer_width().and_then(|w| u8::try_from(w).ok()) {
            Some(bits) if bits <= 64 => Shape::Number(Number {
                bits,
                signed: bits > 1 && told.and_then(basic_name).is_none_or(|n| is_signed(&n)),
            }),
            _ => Shape::Opaque,
        },
        _ => Shape::Opaque,
    }
}

/// The number that a pointer points to.
fn pointee(pointer: Node<'_>) -> Option<Number> {
    let pointer = plain(pointer)?;
    if pointer.kind() != NodeKind::DerivedType {
        return None;
    }
    let to = plain(pointer.base_type()?)?;
    let name = basic_name(to)?;
    let bits = u8::try_from(to.size_in_bits()).ok().filter(|b| *b <= 64)?;
    match (bits, name.as_str()) {
        (8, "bool" | "_Bool") => Some(Number {
            bits: 1,
            signed: false,
        }),
        // Bytes are texts and buffers rather than numbers.
        (0..=8, _) => None,
        _ => Some(Number {
            bits,
            signed: is_signed(&name),
        }),
    }
}

/// The shape of an `Option` of a number that comes back as a tag and a value.
fn optional(ty: Type<'_>, told: Option<Node<'_>>) -> Option<Shape> {
    if ty.kind() != TypeKind::Struct || ty.fields().len() != 2 {
        return None;
    }
    let name = told?.text(2)?;
    let inner = name.strip_prefix("Option<")?.strip_suffix('>')?;
    let bits = match inner {
        "bool" => 1,
        "u8" | "i8" => 8,
        "u16" | "i16" => 16,
        "u32" | "i32" | "char" => 32,
        "u64" | "i64" | "usize" | "isize" => 64,
        _ => return None,
    };
    Some(Shape::Optional(Number {
        bits,
        signed: inner.starts_with('i'),
    }))
}

/// A type behind its typedefs and qualifiers, which have no size of their own.
fn plain(node: Node<'_>) -> Option<Node<'_>> {
    let mut node = node;
    while node.kind() == NodeKind::DerivedType && node.size_in_bits() == 0 {
        node = node.base_type()?;
    }
    Some(node)
}

fn basic_name(node: Node<'_>) -> Option<String> {
    plain(node)
        .filter(|n| n.kind() == NodeKind::BasicType)?
        .text(2)
}

/// `u32`, `usize`, `unsigned int`, `bool` and the like are not.
fn is_signed(name: &str) -> bool {
    let is_rust = |rest: &str| rest == "size" || rest.chars().all(|c| c.is_ascii_digit());
    !(name.contains("unsigned")
        || name.contains("ool")
        || name.strip_prefix('u').is_some_and(is_rust))
}
