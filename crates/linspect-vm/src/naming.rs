//! Names of memory, as a person would write them: `head`, `node#2.next`, `queue.tail`.

use crate::image::Image;
use crate::memory::{Address, Block, Kind, Memory, address};

/// The name of the byte at `at`: that of its block, and of the field in it.
pub(crate) fn name(image: &Image, memory: &Memory, at: Address) -> String {
    let (allocation, offset) = memory.allocation(at);
    let base = address::base(allocation);
    let Some(block) = memory.block(base) else {
        return format!("{at:#x}");
    };
    let (head, ty) = block_name(image, memory, base, block);
    match ty.and_then(|ty| field(image, ty, offset)) {
        Some(field) if field.is_empty() => head,
        Some(field) if field.starts_with(['[', '+']) => format!("{head}{field}"),
        Some(field) => format!("{head}.{}", field.trim_start_matches('.')),
        None if offset == 0 => head,
        None => format!("{head}+{offset}"),
    }
}

/// What a pointer to `at` points to: a whole block, or a place inside one.
pub(crate) fn pointee(image: &Image, memory: &Memory, at: Address) -> String {
    match memory.block(at) {
        Some(block) if memory.allocation(at).1 == 0 => block_name(image, memory, at, block).0,
        _ => format!("&{}", name(image, memory, at)),
    }
}

/// A block's name, and the type of what is in it.
fn block_name(
    image: &Image,
    memory: &Memory,
    base: Address,
    block: &Block,
) -> (String, Option<u32>) {
    match block.kind {
        Kind::Global(id) | Kind::ThreadLocal(id) => match image.program.globals.get(id as usize) {
            Some(global) => {
                // The static in which the Rust macro keeps the object.
                let name = match image.program.text(global.name) {
                    "LINSPECT_OBJECT" => "object",
                    name => name,
                };
                (name.to_owned(), global.ty.or(block.ty))
            }
            None => ("errno".into(), None),
        },
        Kind::Stack(name) => {
            let name = image.program.text(name);
            let name = if name.is_empty() { "local" } else { name };
            (name.to_owned(), block.ty)
        }
        Kind::Heap | Kind::Tail(_) => (heap_name(image, memory, base, block), block.ty),
    }
}

/// `node#2`: the second of its type, in address order, counting from 1.
fn heap_name(image: &Image, memory: &Memory, base: Address, block: &Block) -> String {
    let same = |b: &Block| b.kind == Kind::Heap && b.ty == block.ty;
    let number = memory
        .blocks()
        .filter(|(a, b)| *a <= base && same(b))
        .count();
    let ty = block
        .ty
        .and_then(|ty| image.program.types.get(ty as usize))
        .map(|ty| bare(image.program.text(ty.name)))
        .filter(|name| !name.is_empty())
        .unwrap_or("memory");
    format!("{ty}#{number}")
}

/// A type's name without its path and its parameters: `Node`.
fn bare(name: &str) -> &str {
    let name = name.find('<').map_or(name, |at| &name[..at]);
    name.rsplit("::").next().unwrap_or(name)
}

/// The field of a type at an offset, with an index if it is inside an array of fields.
fn field(image: &Image, ty: u32, offset: u32) -> Option<String> {
    let ty = image.program.types.get(ty as usize)?;
    let inside = ty
        .fields
        .iter()
        .rev()
        .find(|f| f.offset <= offset && offset < f.offset + f.size.max(1))?;
    let name = image.program.text(inside.name);
    Some(match offset - inside.offset {
        0 => name.to_owned(),
        rest => format!("{name}+{rest}"),
    })
}
