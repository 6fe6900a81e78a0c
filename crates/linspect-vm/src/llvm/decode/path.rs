//! What an instruction accesses, as the source writes it: `q->head`, `self.slots[i].value`.
//!
//! Follows an address back to a variable: through field offsets (named by debug information), loads (a pointer read from
//! `q->head` is called `q->head`, unless it was stored in a variable) and array indices.

use super::function::FunctionDecoder;
use super::types::{element, member_at, pointee, size, structure};
use crate::llvm::debug::{Binding, Node};
use crate::llvm::global::Global;
use crate::llvm::opcode::{Opcode, ValueKind};
use crate::llvm::value::Value;
use crate::program::Origin;
use rustc_hash::FxHashMap;

/// How many steps back an address is followed.
const DEPTH: u32 = 8;

/// Variables by the values that hold them, and by their addresses.
#[derive(Default)]
pub(super) struct Variables<'m> {
    held: FxHashMap<Value<'m>, Node<'m>>,
    placed: FxHashMap<Value<'m>, Node<'m>>,
}

impl<'m> Variables<'m> {
    /// Takes note of a binding; the first one of a value counts, since inlined callees bind it again under their own names.
    pub(super) fn note(&mut self, binding: &Binding<'m>) {
        let map = if binding.is_place {
            &mut self.placed
        } else {
            &mut self.held
        };
        map.entry(binding.value).or_insert(binding.variable);
    }
}

/// An expression and its type.
#[derive(Clone)]
struct Expression<'m> {
    text: String,
    ty: Option<Node<'m>>,
}

/// A place in memory: so many bytes into what an expression names or points to.
#[derive(Clone)]
struct Place<'m> {
    text: String,
    /// Whether `text` is a pointer to the place, rather than its name.
    through: bool,
    /// The type at `offset` 0.
    ty: Option<Node<'m>>,
    offset: i64,
}

/// A place resolved to the innermost member there.
struct Resolved<'m> {
    text: String,
    ty: Option<Node<'m>>,
    /// The struct it is a member of, and where in it.
    of: Option<(Node<'m>, u32)>,
}

impl<'m> FunctionDecoder<'_, 'm> {
    /// Names what the instruction that comes next accesses at `address`, if it is the user's.
    pub(super) fn name_access(&mut self, address: Value<'m>) {
        let site = self.decoder.program.sites[self.site() as usize];
        if site.origin != Origin::User {
            return;
        }
        let Some(place) = self.place(address, DEPTH) else {
            return;
        };
        let rust = self.decoder.program.text(site.file).ends_with(".rs");
        let resolved = resolve(&place, rust);
        let pc = super::index(self.out.code.len());
        let text = self.decoder.intern(&resolved.text);
        self.out.paths.push((pc, text));
        if let Some((ty, offset)) = resolved.of
            && let Some(ty) = self.decoder.source_type(ty)
        {
            self.out.fields.push((pc, ty, offset));
        }
    }

    fn is_rust(&self) -> bool {
        let site = self.decoder.program.sites[self.site() as usize];
        self.decoder.program.text(site.file).ends_with(".rs")
    }

    /// The place at `address`.
    fn place(&mut self, address: Value<'m>, depth: u32) -> Option<Place<'m>> {
        let depth = depth.checked_sub(1)?;
        if let Some(&variable) = self.variables.placed.get(&address) {
            return Some(Place {
                text: variable.text(1)?,
                through: false,
                ty: variable.operand(3),
                offset: 0,
            });
        }
        match (address.kind(), address.opcode()) {
            (ValueKind::GlobalVariable, _) => {
                let variable = Global::from_value(address)?.variable();
                let text = variable
                    .and_then(|v| v.text(1))
                    .unwrap_or_else(|| address.name());
                Some(Place {
                    text,
                    through: false,
                    ty: variable.and_then(|v| v.operand(3)),
                    offset: 0,
                })
            }
            (_, Some(Opcode::GetElementPtr)) => self.element_place(address, depth),
            (_, Some(Opcode::BitCast | Opcode::AddrSpaceCast | Opcode::Freeze)) => {
                self.place(address.operand(0), depth)
            }
            (_, Some(Opcode::Call)) if is_thread_local_address(address) => {
                self.place(address.arguments()[0], depth)
            }
            (_, Some(Opcode::Alloca)) => {
                let text = address.name();
                // rustc calls its temporaries `_7`.
                let own = text.is_empty() || text.starts_with('_');
                (!own).then_some(Place {
                    text,
                    through: false,
                    ty: None,
                    offset: 0,
                })
            }
            _ => {
                let pointer = self.expression(address, depth)?;
                Some(Place {
                    text: pointer.text,
                    through: true,
                    ty: pointer.ty.and_then(pointee),
                    offset: 0,
                })
            }
        }
    }

    fn element_place(&mut self, address: Value<'m>, depth: u32) -> Option<Place<'m>> {
        let mut place = self.place(address.operand(0), depth)?;
        let mut steps = super::constant::Steps::new(address.stepped_type());
        for position in 1..address.operand_count() {
            let by = address.operand(position);
            if by.kind() == ValueKind::ConstantInt {
                let bits = by.ty().integer_width()?;
                let number = super::constant::sign_extend(by.low_bits(), bits);
                place.offset = place
                    .offset
                    .wrapping_add(self.decoder.step(&mut steps, number));
                continue;
            }
            let stride = self.decoder.step(&mut steps, 1).unsigned_abs();
            let index = self
                .expression(by, depth)
                .map_or_else(|| "…".to_owned(), |e| e.text);
            place = indexed(&place, stride, &index, self.is_rust());
        }
        Some(place)
    }

    /// What a register holds, in the source's words.
    fn expression(&mut self, value: Value<'m>, depth: u32) -> Option<Expression<'m>> {
        let depth = depth.checked_sub(1)?;
        if let Some(&variable) = self.variables.held.get(&value) {
            return Some(Expression {
                text: variable.text(1)?,
                ty: variable.operand(3),
            });
        }
        match (value.kind(), value.opcode()) {
            (_, Some(Opcode::Load)) => {
                let place = self.place(value.operand(0), depth)?;
                let read = resolve(&place, self.is_rust());
                Some(Expression {
                    text: read.text,
                    ty: read.ty,
                })
            }
            (
                _,
                Some(
                    Opcode::BitCast
                    | Opcode::Freeze
                    | Opcode::SExt
                    | Opcode::ZExt
                    | Opcode::Trunc
                    | Opcode::PtrToInt
                    | Opcode::IntToPtr,
                ),
            ) => self.expression(value.operand(0), depth),
            (ValueKind::Argument, _) | (_, Some(Opcode::Phi | Opcode::Call)) => {
                let name = value.name();
                // `sroa` numbers the versions of a variable: `old.0`; clang numbers its own temporaries: `call3`.
                let text = name.split('.').next().unwrap_or_default();
                let own = ["call", "cond", "_"]
                    .iter()
                    .any(|prefix| text.starts_with(prefix));
                let own = own || text.is_empty();
                (!own).then(|| Expression {
                    text: text.to_owned(),
                    ty: None,
                })
            }
            _ => None,
        }
    }
}

fn is_thread_local_address(call: Value<'_>) -> bool {
    call.called().name().starts_with("llvm.threadlocal.address")
}

/// Element `index` of the array at `place` whose elements are `stride` bytes long.
fn indexed<'m>(place: &Place<'m>, stride: u64, index: &str, rust: bool) -> Place<'m> {
    let mut walk = Walk::new(place, rust);
    while let Some(ty) = walk.ty {
        match element(ty) {
            Some(inner) if size(inner) == stride => {
                walk.ty = Some(inner);
                break;
            }
            // `p[i]`: the pointer itself is the array.
            None if walk.through && walk.rest == 0 && size(ty) == stride => break,
            _ if walk.enter() => {}
            _ => break,
        }
    }
    let ty = walk.ty.filter(|&t| size(t) == stride);
    let text = format!("{}[{index}]", walk.text);
    Place {
        text,
        through: false,
        ty,
        offset: 0,
    }
}

/// Follows `place` to the innermost member at its offset.
fn resolve<'m>(place: &Place<'m>, rust: bool) -> Resolved<'m> {
    if place.offset < 0 {
        let text = format!("{}[{}]", place.text, place.offset);
        return Resolved {
            text,
            ty: None,
            of: None,
        };
    }
    let mut walk = Walk::new(place, rust);
    while walk.enter() {}
    if walk.through {
        walk.text.insert(0, '*');
    }
    Resolved {
        text: walk.text,
        ty: walk.ty,
        of: walk.of,
    }
}

/// On the way from a place to a part of it.
struct Walk<'m> {
    text: String,
    through: bool,
    ty: Option<Node<'m>>,
    rest: u64,
    of: Option<(Node<'m>, u32)>,
    rust: bool,
    depth: u32,
}

impl<'m> Walk<'m> {
    fn new(place: &Place<'m>, rust: bool) -> Self {
        Self {
            text: place.text.clone(),
            through: place.through,
            ty: place.ty,
            rest: u64::try_from(place.offset).unwrap_or(0),
            of: None,
            rust,
            depth: DEPTH,
        }
    }

    /// Goes into the member or element that holds the byte. `false`: there is none.
    fn enter(&mut self) -> bool {
        let (Some(ty), Some(depth)) = (self.ty, self.depth.checked_sub(1)) else {
            return false;
        };
        self.depth = depth;
        if let Some(inner) = element(ty).filter(|&e| size(e) > 0) {
            self.text = format!("{}[{}]", self.text, self.rest / size(inner));
            self.rest %= size(inner);
            self.through = false;
            self.ty = Some(inner);
            self.of = None;
            return true;
        }
        let Some(member) = structure(ty).and_then(|s| member_at(s, self.rest)) else {
            return false;
        };
        if self.of.is_none() {
            self.of = u32::try_from(self.rest).ok().map(|at| (ty, at));
        }
        if !member.name.is_empty() {
            let arrow = if self.through && !self.rust {
                "->"
            } else {
                "."
            };
            self.text = format!("{}{arrow}{}", self.text, member.name);
            self.through = false;
        }
        self.rest -= member.offset;
        self.ty = Some(member.ty);
        true
    }
}
