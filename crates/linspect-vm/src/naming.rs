//! Names of memory, as a person would write them: `head`, `node#2.next`, `queue.tail`.

use crate::image::Image;
use crate::memory::{Address, Block, Kind, Memory, address};
use crate::program::{Field, Program};

/// The static in which the Rust macro keeps the object.
const OBJECT: &str = "LINSPECT_OBJECT";

/// The type of the object that a Rust harness makes, without its path and parameters.
pub(crate) fn object_type(program: &Program) -> Option<String> {
    let mut globals = program.globals.iter();
    let global = globals.find(|global| program.text(global.name) == OBJECT)?;
    let slot = program.types.get(global.ty? as usize)?;
    let (_, inner) = program.text(slot.name).split_once("Slot<")?;
    let name = bare(inner.strip_suffix('>')?);
    let is_type = name.starts_with(char::is_alphabetic)
        && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    is_type.then(|| name.to_owned())
}

/// The name of the byte at `at`: that of its block, and of the field in it.
pub(crate) fn name(image: &Image, memory: &Memory, at: Address) -> String {
    let (allocation, offset) = memory.allocation(at);
    let base = address::base(allocation);
    let Some(block) = memory.block(base) else {
        return format!("{at:#x}");
    };
    let (head, ty) = block_name(image, memory, base, block);
    if block.kind == Kind::Heap
        && ty.is_none()
        && let Some((path, each)) = held_by(image, memory, base)
    {
        return match (offset / each, offset % each) {
            (index, 0) => format!("{path}[{index}]"),
            (index, rest) => format!("{path}[{index}]+{rest}"),
        };
    }
    match ty.and_then(|ty| field(image, ty, offset)) {
        Some(field) if field.is_empty() => head,
        Some(field) if field.starts_with(['[', '+']) => format!("{head}{field}"),
        Some(field) => format!("{head}.{}", field.trim_start_matches('.')),
        None if offset == 0 => head,
        None => format!("{head}+{offset}"),
    }
}

/// Finds out what blocks hold that nobody but their maker has used, from the pointers to them.
pub(crate) fn learn_types(image: &Image, memory: &mut Memory) {
    let types = &image.program.types;
    let unknown = |b: &Block| b.kind == Kind::Heap && b.ty.is_none();
    while memory.blocks().any(|(_, b)| unknown(b)) {
        let mut learned = Vec::new();
        for (base, block) in memory.blocks() {
            let ty = block_name(image, memory, base, block).1;
            let ty = ty.and_then(|ty| types.get(ty as usize));
            let pointers = ty.iter().flat_map(|ty| &ty.fields);
            for field in pointers.filter(|f| f.target != 0 && f.size == 8) {
                let Ok(to) = memory.read(base + u64::from(field.offset), 8) else {
                    continue;
                };
                let whole = memory.allocation(to).1 == 0;
                let target = types.iter().position(|ty| ty.name == field.target);
                if let Some(target) = target
                    && whole
                    && memory.block(to).is_some_and(unknown)
                {
                    learned.push((to, target as u32));
                }
            }
        }
        if learned.is_empty() {
            return;
        }
        for (block, ty) in learned {
            memory.note_type(block, ty);
        }
    }
}

/// The field that points to a block of no known type, by its path, and the size of what it points to: the block is an array of these.
fn held_by(image: &Image, memory: &Memory, base: Address) -> Option<(String, u32)> {
    memory.blocks().find_map(|(holder, block)| {
        let (head, ty) = block_name(image, memory, holder, block);
        let ty = image.program.types.get(ty? as usize)?;
        let points = |f: &&Field| {
            let at = holder + u64::from(f.offset);
            f.stride > 0 && f.size == 8 && memory.read(at, 8).is_ok_and(|to| to == base)
        };
        let field = ty.fields.iter().find(points)?;
        let name = image.program.text(field.name);
        let path = match name.starts_with('[') || name.is_empty() {
            true => format!("{head}{name}"),
            false => format!("{head}.{name}"),
        };
        Some((path, field.stride))
    })
}

/// What a pointer to `at` points to: a whole block, or a place inside one; with a tag if its lowest bits lead into the middle of what they point to.
pub(crate) fn pointee(image: &Image, memory: &Memory, at: Address) -> String {
    let (untagged, tag) = (at & !7, at & 7);
    let into_middle = |name: &str| name.ends_with(&format!("+{tag}"));
    if tag != 0 && memory.block(untagged).is_some() && into_middle(&name(image, memory, at)) {
        let target = pointee(image, memory, untagged);
        return match tag {
            1 => format!("{target} (marked)"),
            tag => format!("{target} (tag {tag})"),
        };
    }
    match memory.block(at) {
        Some(block) if memory.allocation(at).1 == 0 => block_name(image, memory, at, block).0,
        _ => format!("&{}", outermost(image, memory, at)),
    }
}

/// The name of the largest thing that begins at `at`: `list.tail`, not its first field `list.tail.key`.
fn outermost(image: &Image, memory: &Memory, at: Address) -> String {
    let mut whole = name(image, memory, at);
    while let Some((parent, _)) = whole.rsplit_once('.') {
        let before = name(image, memory, at - 1);
        let begins_earlier = before == parent
            || before.starts_with(&format!("{parent}."))
            || before.starts_with(&format!("{parent}+"));
        if begins_earlier {
            break;
        }
        whole = parent.to_owned();
    }
    whole
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
                let name = match image.program.text(global.name) {
                    OBJECT => "object",
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

/// `node#2`: the second of its type, in address order, counting from 1. The first of a type that no structure points to,
/// such as the object that is tested, is just `queue`.
fn heap_name(image: &Image, memory: &Memory, base: Address, block: &Block) -> String {
    let same = |b: &Block| b.kind == Kind::Heap && b.ty == block.ty;
    let number = memory
        .blocks()
        .filter(|(a, b)| *a <= base && same(b))
        .count();
    let types = &image.program.types;
    let ty = block.ty.and_then(|ty| types.get(ty as usize));
    let name = ty.map(|ty| bare(image.program.text(ty.name)));
    match (ty, name.filter(|name| !name.is_empty())) {
        (Some(ty), Some(name)) => {
            let mut fields = types.iter().flat_map(|ty| &ty.fields);
            let points = |field: &Field| field.target == ty.name && field.name != 0;
            match number == 1 && !fields.any(points) {
                true => name.to_owned(),
                false => format!("{name}#{number}"),
            }
        }
        _ => format!("memory#{number}"),
    }
}

/// A type's name without its path and its parameters: `Node`.
fn bare(name: &str) -> &str {
    let name = name.find('<').map_or(name, |at| &name[..at]);
    name.rsplit("::").next().unwrap_or(name)
}

/// The field of a type at an offset, with an index if it is inside an array of fields or of such structs.
fn field(image: &Image, ty: u32, offset: u32) -> Option<String> {
    let ty = image.program.types.get(ty as usize)?;
    let (index, offset) = match ty.size {
        0 => (0, offset),
        size => (offset / size, offset % size),
    };
    let inside = ty
        .fields
        .iter()
        .rev()
        .find(|f| f.offset <= offset && offset < f.offset + f.size.max(1))?;
    let name = image.program.text(inside.name);
    let name = match offset - inside.offset {
        0 => name.to_owned(),
        rest => format!("{name}+{rest}"),
    };
    Some(match (index, name.starts_with('[')) {
        (0, _) => name,
        (index, true) => format!("[{index}]{name}"),
        (index, false) => format!("[{index}].{name}"),
    })
}
