//! Initial contents of globals, and the functions to run before and after `main`.

use super::constant::{NotConstant, integer};
use super::shape::{Scalar, scalar};
use super::{Decoder, index};
use crate::demangle::demangled;
use crate::llvm;
use crate::llvm::module::Module;
use crate::llvm::opcode::{TypeKind, ValueKind};
use crate::llvm::types::Type;
use crate::llvm::value::Value;
use crate::program::{Constant, Element, FunctionId, Global, Relocation, Symbol};

impl<'m> Decoder<'m> {
    pub(super) fn fill_globals(&mut self, module: &'m Module<'_>) {
        for global in module.globals() {
            if let Some(&id) = self.globals.get(&global.value()) {
                self.program.globals[id as usize] = self.global(global);
            }
        }
        for id in 0..self.program.globals.len() {
            self.name_type(id);
        }
    }

    /// Type informations that the program only declares are those of built-in types, which have a name and nothing else (Itanium C++ ABI, 2.9).
    fn name_type(&mut self, id: usize) {
        let global = &self.program.globals[id];
        let symbol = self.program.text(global.symbol);
        let Some(name) = symbol.strip_prefix("_ZTI").filter(|_| global.declaration) else {
            return;
        };
        let text = [name.as_bytes(), b"\0"].concat();
        let name = Global {
            symbol: self.intern(&format!("_ZTS{name}")),
            size: text.len() as u64,
            align: 1,
            constant: true,
            bytes: text,
            ..Global::default()
        };
        let name_id = index(self.program.globals.len());
        self.program.globals.push(name);
        let global = &mut self.program.globals[id];
        global.size = global.size.max(16);
        global.relocations.push(Relocation {
            offset: 8,
            symbol: Symbol::Global(name_id),
            addend: 0,
        });
        global.bytes.resize(16, 0);
    }

    fn global(&mut self, global: llvm::Global<'m>) -> Global {
        let ty = global.content_type();
        let symbol = global.name();
        let size = if ty.is_sized() { self.size(ty) } else { 0 };
        let natural = if ty.is_sized() {
            self.layout.align(ty)
        } else {
            1
        };
        let variable = global.variable();
        let name = variable
            .and_then(|v| v.text(1))
            .unwrap_or_else(|| demangled(&symbol));
        let mut out = Global {
            symbol: self.intern(&symbol),
            name: self.intern(&name),
            size,
            align: global.value().alignment().max(natural).max(1),
            constant: global.is_constant(),
            thread_local: global.is_thread_local(),
            declaration: global.initializer().is_none(),
            ..Global::default()
        };
        let ty = variable.and_then(|v| v.operand(3));
        out.ty = ty.and_then(|ty| self.variable_type(ty));
        if let Some(initial) = global.initializer() {
            let mut image = Image::default();
            self.place(initial, 0, &mut image);
            while image.bytes.last() == Some(&0) {
                image.bytes.pop();
            }
            out.bytes = image.bytes;
            out.relocations = image.relocations;
        }
        out
    }

    /// Bytes of a type. An array can be too large for any memory; LLVM would compute its size modulo 2^64.
    fn size(&self, ty: Type<'m>) -> u64 {
        match ty.kind() {
            TypeKind::Array => ty.length().saturating_mul(self.size(ty.element())),
            _ => self.layout.size(ty),
        }
    }

    /// Writes `value` at byte `at` of the image.
    fn place(&mut self, value: Value<'m>, at: u64, image: &mut Image) {
        let ty = value.ty();
        match value.kind() {
            ValueKind::ConstantAggregateZero
            | ValueKind::ConstantPointerNull
            | ValueKind::UndefValue
            | ValueKind::PoisonValue => {}
            ValueKind::ConstantDataArray if ty.element().integer_width() == Some(8) => {
                image.write(at, &value.data_bytes().unwrap_or_default());
            }
            ValueKind::ConstantDataArray => {
                let stride = self.layout.size(ty.element());
                for i in 0..index(usize::try_from(ty.length()).unwrap_or(0)) {
                    self.place(value.data_element(i), at + u64::from(i) * stride, image);
                }
            }
            ValueKind::ConstantStruct => {
                for (i, field) in value.operands().enumerate() {
                    let offset = self.layout.offset(ty, index(i));
                    self.place(field, at + offset, image);
                }
            }
            ValueKind::ConstantArray => {
                let stride = self.layout.size(ty.element());
                for (i, element) in (0_u64..).zip(value.operands()) {
                    self.place(element, at + i * stride, image);
                }
            }
            _ => self.place_scalars(value, at, image),
        }
    }

    fn place_scalars(&mut self, value: Value<'m>, at: u64, image: &mut Image) {
        let mut run = Vec::new();
        match self.flatten(value, &mut run) {
            Ok(()) => {}
            // The linker would have to compute it, such as the difference of two addresses.
            Err(NotConstant::Computed | NotConstant::Unsupported) => {
                self.refused.get_or_insert_with(|| value.print());
                return;
            }
        }
        let ty = value.ty();
        let elements = if ty.kind() == TypeKind::Vector {
            let id = self.layout_of(ty);
            id.map(|id| self.program.layouts[id as usize].elements.clone())
                .unwrap_or_default()
        } else {
            let bits = scalar(ty).map_or(0, Scalar::bits);
            vec![Element { bit: 0, bits }]
        };
        let mut slots = run.into_iter();
        for Element { bit, bits } in elements {
            match slots.next() {
                Some(Constant::Bits(low)) => {
                    let high = if bits > 64 { slots.next() } else { None };
                    let high = if let Some(Constant::Bits(high)) = high {
                        high
                    } else {
                        0
                    };
                    image.write_bits(at, bit, bits, u128::from(high) << 64 | u128::from(low));
                }
                Some(Constant::Address(symbol, addend)) => {
                    let offset = at + u64::from(bit / 8);
                    image.cover(offset + 8);
                    image.relocations.push(Relocation {
                        offset,
                        symbol,
                        addend,
                    });
                }
                None => {}
            }
        }
    }

    pub(super) fn fill_constructors(&mut self, module: &'m Module<'_>) {
        self.program.constructors = self.listed(module, "llvm.global_ctors");
        self.program.destructors = self.listed(module, "llvm.global_dtors");
    }

    /// The functions of a list of `{ priority, function, data }`, by priority, then as listed.
    fn listed(&mut self, module: &'m Module<'_>, name: &str) -> Vec<FunctionId> {
        let list = module
            .globals()
            .find(|g| g.name() == name)
            .and_then(llvm::Global::initializer);
        let mut entries = Vec::new();
        for entry in list.iter().flat_map(|l| l.operands()) {
            if entry.operand_count() < 2 {
                continue;
            }
            let priority = integer(entry.operand(0)).unwrap_or(u128::MAX);
            if let Some(&function) = self.functions.get(&entry.operand(1)) {
                entries.push((priority, function));
            }
        }
        entries.sort_by_key(|e| e.0);
        entries.into_iter().map(|e| e.1).collect()
    }
}

/// The initial bytes of a global, as far as they are not zero.
#[derive(Default)]
struct Image {
    bytes: Vec<u8>,
    relocations: Vec<Relocation>,
}

impl Image {
    fn cover(&mut self, end: u64) {
        let end = usize::try_from(end).expect("a global that LLVM holds fits in memory");
        if self.bytes.len() < end {
            self.bytes.resize(end, 0);
        }
    }

    fn write(&mut self, at: u64, bytes: &[u8]) {
        let end = at + bytes.len() as u64;
        self.cover(end);
        let start = usize::try_from(at).expect("covered above");
        self.bytes[start..start + bytes.len()].copy_from_slice(bytes);
    }

    fn write_bits(&mut self, at: u64, bit: u32, bits: u32, value: u128) {
        if bit.is_multiple_of(8) && bits.is_multiple_of(8) {
            let length = (bits / 8) as usize;
            return self.write(at + u64::from(bit / 8), &value.to_le_bytes()[..length]);
        }
        self.cover(at + u64::from((bit + bits).div_ceil(8)));
        let start = usize::try_from(at).expect("covered above");
        for i in 0..bits {
            let (byte, shift) = (start + ((bit + i) / 8) as usize, (bit + i) % 8);
            self.bytes[byte] |= ((value >> i & 1) as u8) << shift;
        }
    }
}
