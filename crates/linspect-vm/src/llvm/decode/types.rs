//! Types of the source, from debug information: what a pointer points to, what lies at an offset, and by which name.

use super::{Decoder, index};
use crate::llvm::debug::{Node, NodeKind};
use crate::program::{Field, SourceType};

/// How deep nested structs are taken apart.
const DEPTH: u32 = 8;

/// Elements of an array that get names of their own.
const ELEMENTS: u64 = 64;

/// Looks through typedefs and qualifiers, which have no size of their own.
pub(super) fn strip(mut ty: Node<'_>) -> Option<Node<'_>> {
    while ty.kind() == NodeKind::DerivedType && ty.size_in_bits() == 0 {
        ty = ty.base_type()?;
    }
    Some(ty)
}

/// Bytes of a type; none of a function's.
pub(super) fn size(ty: Node<'_>) -> u64 {
    let sized = strip(ty).filter(|ty| ty.is_type());
    sized.map_or(0, |ty| ty.size_in_bits() / 8)
}

/// What a pointer or reference type points to.
pub(super) fn pointee(ty: Node<'_>) -> Option<Node<'_>> {
    let ty = strip(ty)?;
    if ty.kind() == NodeKind::DerivedType && ty.size_in_bits() == 64 {
        ty.base_type()
    } else {
        None
    }
}

/// What a pointer points to, also one that an atomic or a cell of a library holds.
fn target(ty: Node<'_>, depth: u32) -> Option<Node<'_>> {
    let (inner, depth) = (strip(ty)?, depth.checked_sub(1)?);
    if inner.kind() != NodeKind::CompositeType || is_array(inner) {
        return pointee(inner);
    }
    match members(inner).as_slice() {
        [only] if inner.size_in_bits() == 64 => target(only.ty, depth),
        _ => None,
    }
}

/// What a struct is called; one without a name of its own is known by its typedef.
fn type_name(named: Node<'_>, ty: Node<'_>) -> String {
    let own = ty.text(2).filter(|name| !name.is_empty());
    own.or_else(|| named.text(2)).unwrap_or_default()
}

/// The element type of an array type.
pub(super) fn element(ty: Node<'_>) -> Option<Node<'_>> {
    let ty = strip(ty)?;
    if is_array(ty) { ty.base_type() } else { None }
}

fn is_array(ty: Node<'_>) -> bool {
    ty.kind() == NodeKind::CompositeType
        && ty
            .elements()
            .first()
            .is_some_and(|first| first.kind() == NodeKind::Subrange)
}

/// A struct, class or union of the program: not an array, and not a type of a standard library, whose insides mean nothing to a reader.
pub(super) fn structure(ty: Node<'_>) -> Option<Node<'_>> {
    if is_opaque(ty) {
        return None;
    }
    let ty = strip(ty)?;
    if ty.kind() != NodeKind::CompositeType || is_array(ty) {
        return None;
    }
    let name = ty.qualified_name();
    let foreign = ["std::", "core::", "alloc::", "__gnu_cxx::"]
        .iter()
        .any(|prefix| name.starts_with(prefix));
    (!foreign).then_some(ty)
}

/// Whether a typedef of the C library hides what is behind it: locks and the like.
fn is_opaque(mut ty: Node<'_>) -> bool {
    while ty.kind() == NodeKind::DerivedType && ty.size_in_bits() == 0 {
        let name = ty.text(2).unwrap_or_default();
        if name.starts_with("pthread_")
            || matches!(&*name, "sem_t" | "mtx_t" | "cnd_t" | "once_flag")
        {
            return true;
        }
        let Some(inner) = ty.base_type() else {
            return false;
        };
        ty = inner;
    }
    false
}

/// What has parts with names of their own: structs of the program, arrays, and what merely wraps them.
pub(super) fn composite(ty: Node<'_>) -> Option<Node<'_>> {
    let inner = strip(ty)?;
    let wraps = || {
        inner.kind() == NodeKind::CompositeType
            && (is_array(inner) || is_wrapper(inner) || is_lock(inner))
    };
    structure(ty).or_else(|| wraps().then_some(inner))
}

/// Whether a type of a standard library only holds what is meant: Rust's cells, and the place of a harness's object.
fn is_wrapper(ty: Node<'_>) -> bool {
    let name = ty.qualified_name();
    let name = name.split('<').next().unwrap_or_default();
    matches!(
        name,
        "core::cell::UnsafeCell"
            | "core::cell::Cell"
            | "core::mem::maybe_uninit::MaybeUninit"
            | "core::mem::manually_drop::ManuallyDrop"
            | "core::mem::maybe_dangling::MaybeDangling"
            | "linspect::slot::machine::Slot"
    )
}

/// A lock of Rust's standard library around data.
fn is_lock(ty: Node<'_>) -> bool {
    let name = ty.qualified_name();
    name.starts_with("std::sync::") && (name.contains("::Mutex<") || name.contains("::RwLock<"))
}

/// A member of a struct.
pub(super) struct Member<'m> {
    /// Empty for a base class or an anonymous struct.
    pub(super) name: String,
    /// First byte.
    pub(super) offset: u64,
    /// Bytes.
    pub(super) size: u64,
    pub(super) ty: Node<'m>,
}

/// The members of a struct in order.
pub(super) fn members(ty: Node<'_>) -> Vec<Member<'_>> {
    let mut out = Vec::new();
    for element in ty.elements() {
        if element.kind() != NodeKind::DerivedType {
            continue;
        }
        let Some(inner) = element.base_type() else {
            continue;
        };
        let name = element.text(2).unwrap_or_default();
        // A named element without size is a static member or a typedef; a nameless one is a base class.
        let own = element.size_in_bits();
        let size = match (own, name.is_empty()) {
            (0, false) => continue,
            (0, true) => strip(inner)
                .filter(|t| t.kind() == NodeKind::CompositeType)
                .map_or(0, Node::size_in_bits),
            (own, _) => own,
        };
        if size > 0 {
            out.push(Member {
                name: as_written(name),
                offset: element.offset_in_bits() / 8,
                size: size.div_ceil(8),
                ty: inner,
            });
        }
    }
    out
}

/// rustc calls the fields of a tuple `__0`, `__1`, …
fn as_written(name: String) -> String {
    match name.strip_prefix("__") {
        Some(number) if number.parse::<u32>().is_ok() => number.to_owned(),
        _ => name,
    }
}

/// The member of `ty` that holds byte `offset`.
pub(super) fn member_at(ty: Node<'_>, offset: u64) -> Option<Member<'_>> {
    members(ty)
        .into_iter()
        .find(|m| m.offset <= offset && offset < m.offset + m.size)
}

impl<'m> Decoder<'m> {
    /// The id of what a variable of this type is among the program's types: a struct, an array, or a pointer to a struct, which has one field without a name.
    pub(super) fn variable_type(&mut self, named: Node<'m>) -> Option<u32> {
        if let Some(known) = self.source_type(named) {
            return Some(known);
        }
        let to = target(named, DEPTH)?;
        structure(to)?;
        // What the variable points to may be used by functions of libraries alone, which do not know its fields.
        self.source_type(to);
        let mut fields = Vec::new();
        self.add_fields(named, "", 0, 8, DEPTH, &mut fields);
        let name = self.intern("");
        let id = index(self.program.types.len());
        self.program.types.push(SourceType {
            name,
            size: 8,
            fields,
        });
        Some(id)
    }

    /// The id of a struct or array among the program's types.
    pub(super) fn source_type(&mut self, named: Node<'m>) -> Option<u32> {
        let ty = composite(named)?;
        if let Some(&known) = self.source_types.get(&ty) {
            return Some(known);
        }
        let mut fields = Vec::new();
        self.flatten_fields(ty, "", 0, DEPTH, &mut fields);
        fields.sort_by_key(|f| (f.offset, f.size));
        let name = type_name(named, ty);
        let size = u32::try_from(ty.size_in_bits() / 8).unwrap_or(u32::MAX);
        let entry = SourceType {
            name: self.intern(&name),
            size,
            fields,
        };
        let id = index(self.program.types.len());
        self.program.types.push(entry);
        self.source_types.insert(ty, id);
        Some(id)
    }

    fn flatten_fields(
        &mut self,
        ty: Node<'m>,
        prefix: &str,
        base: u64,
        depth: u32,
        out: &mut Vec<Field>,
    ) {
        if is_array(ty) {
            self.flatten_elements(ty, prefix, base, depth, out);
            return;
        }
        let (wrapper, lock) = (is_wrapper(ty), is_lock(ty));
        for member in members(ty) {
            let name = match (prefix, member.name.as_str()) {
                (prefix, "") => prefix.to_owned(),
                (prefix, _) if wrapper => prefix.to_owned(),
                (prefix, "data") if lock => prefix.to_owned(),
                (prefix, "inner") if lock => format!("{prefix}.lock"),
                ("", name) => name.to_owned(),
                (prefix, name) => format!("{prefix}.{name}"),
            };
            self.add_fields(
                member.ty,
                &name,
                base + member.offset,
                member.size,
                depth,
                out,
            );
        }
    }

    fn flatten_elements(
        &mut self,
        array: Node<'m>,
        prefix: &str,
        base: u64,
        depth: u32,
        out: &mut Vec<Field>,
    ) {
        let Some(inner) = element(array) else {
            return;
        };
        let each = size(inner).max(1);
        for i in 0..(array.size_in_bits() / 8 / each).min(ELEMENTS) {
            let name = format!("{prefix}[{i}]");
            self.add_fields(inner, &name, base + i * each, each, depth, out);
        }
    }

    /// The fields of what lies at `at` under `name`, or the whole of it as one.
    fn add_fields(
        &mut self,
        ty: Node<'m>,
        name: &str,
        at: u64,
        size: u64,
        depth: u32,
        out: &mut Vec<Field>,
    ) {
        if let (Some(inner), Some(depth)) = (composite(ty), depth.checked_sub(1)) {
            self.flatten_fields(inner, name, at, depth, out);
            return;
        }
        let name = self.intern(name);
        let to = target(ty, DEPTH);
        let stride = to.map_or(0, |to| u32::try_from(self::size(to)).unwrap_or(0));
        let target = to.and_then(|to| Some(type_name(to, structure(to)?)));
        let target = self.intern(&target.unwrap_or_default());
        if let (Ok(offset), Ok(size)) = (u32::try_from(at), u32::try_from(size)) {
            out.push(Field {
                offset,
                size,
                name,
                target,
                stride,
            });
        }
    }
}
