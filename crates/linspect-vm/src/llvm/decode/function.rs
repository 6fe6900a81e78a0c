//! One function: registers, blocks and the edges between them.

use super::constant::{NotConstant, label};
use super::path::Variables;
use super::signature::signature;
use super::{Decoder, index};
use crate::llvm;
use crate::llvm::debug::Binding;
use crate::llvm::function::Block;
use crate::llvm::opcode::{Opcode, TypeKind, ValueKind};
use crate::llvm::types::Type;
use crate::llvm::value::Value;
use crate::program::{
    ByValue, Clause, Edge, EdgeId, Function, Inst, LandingPad, MemoryOrder, NO_EDGE, Operand, Pc,
    Reg, SiteId, Switch,
};
use rustc_hash::FxHashMap;

/// With this function, libstdc++'s `notify` asks whether anyone waits, after the value was changed. That whoever began to wait before then is woken is promised by the standard
/// ([atomics.wait]) and kept by processors, whose seq_cst loads come after all earlier stores. The model of C++20 alone does not order the two.
const ASKS_FOR_WAITERS: &str = "18__waiter_pool_base10_M_waiting";

/// Decodes one function.
pub(super) struct FunctionDecoder<'d, 'm> {
    pub(super) decoder: &'d mut Decoder<'m>,
    source: llvm::Function<'m>,
    pub(super) out: Function,
    registers: FxHashMap<Value<'m>, Reg>,
    /// Where each block starts in the code.
    starts: FxHashMap<Block<'m>, Pc>,
    /// Edges whose target is not laid out yet.
    targets: Vec<(EdgeId, Block<'m>)>,
    block: Option<Block<'m>>,
    site: SiteId,
    pub(super) variables: Variables<'m>,
}

impl<'d, 'm> FunctionDecoder<'d, 'm> {
    pub(super) fn new(decoder: &'d mut Decoder<'m>, source: llvm::Function<'m>) -> Self {
        Self {
            decoder,
            source,
            out: Function::default(),
            registers: FxHashMap::default(),
            starts: FxHashMap::default(),
            targets: Vec::new(),
            block: None,
            site: 0,
            variables: Variables::default(),
        }
    }

    /// The decoded function.
    pub(super) fn decode(mut self) -> Function {
        self.head();
        if self.source.is_declaration() {
            return self.out;
        }
        for block in self.source.blocks() {
            for instruction in block.instructions() {
                self.assign(instruction);
                for binding in bindings(instruction) {
                    self.variables.note(&binding);
                }
            }
        }
        if self.source.name().contains(ASKS_FOR_WAITERS) {
            self.site = self.out.site;
            self.push(Inst::Fence {
                order: MemoryOrder::SeqCst,
                compiler_only: false,
            });
        }
        for block in self.source.blocks() {
            self.starts.insert(block, index(self.out.code.len()));
            self.block = Some(block);
            for instruction in block.instructions() {
                // Code that the compiler made up belongs to the function as a whole.
                self.site = match self.decoder.site(instruction.location()) {
                    0 => self.out.site,
                    known => known,
                };
                self.name_registers(instruction);
                self.instruction(instruction);
            }
        }
        for (edge, block) in std::mem::take(&mut self.targets) {
            self.out.edges[edge as usize].target = self.starts[&block];
        }
        self.out.variables.sort_unstable();
        self.out.variables.dedup();
        self.out
    }

    /// Keeps which registers hold which variables from here on.
    fn name_registers(&mut self, instruction: Value<'m>) {
        for binding in bindings(instruction).into_iter().filter(|b| !b.is_place) {
            let Some(&reg) = self.registers.get(&binding.value) else {
                continue;
            };
            if let Some(name) = binding.variable.text(1) {
                let name = self.decoder.intern(&name);
                let entry = (reg, index(self.out.code.len()), name);
                self.out.variables.push(entry);
            }
        }
    }

    /// Where the current instruction comes from.
    pub(super) fn site(&self) -> SiteId {
        self.site
    }

    /// Everything but the code.
    fn head(&mut self) {
        let symbol = self.source.name();
        self.out.symbol = self.decoder.intern(&symbol);
        (self.out.site, self.out.name) = self
            .decoder
            .definition(self.source.subprogram())
            .unwrap_or_else(|| self.decoder.undocumented(&symbol));
        self.out.variadic = self.source.is_variadic();
        self.out.returns = self.decoder.slots(self.source.return_type());
        let mut params = Vec::new();
        for (i, param) in self.source.params().into_iter().enumerate() {
            let reg = self.assign(param);
            params.push((reg, param.ty()));
            if let Some(pointee) = self.source.by_value(index(i)) {
                let size = u32::try_from(self.decoder.layout.size(pointee)).unwrap_or(u32::MAX);
                let align = self.decoder.layout.align(pointee).max(8);
                self.out.by_value.push(ByValue {
                    param: reg,
                    size,
                    align,
                });
            }
        }
        self.out.params = self.out.registers;
        self.out.signature =
            signature(&params, self.source.return_type(), self.source.subprogram());
    }

    /// Gives `value` its registers.
    fn assign(&mut self, value: Value<'m>) -> Reg {
        let count = self.decoder.slots(value.ty());
        let reg = self.fresh(count);
        self.registers.insert(value, reg);
        reg
    }

    /// `count` new registers.
    pub(super) fn fresh(&mut self, count: u32) -> Reg {
        let reg = self.out.registers;
        self.out.registers += count;
        reg
    }

    /// Where the result of an instruction goes.
    pub(super) fn result(&self, instruction: Value<'m>) -> Reg {
        self.registers[&instruction]
    }

    /// Appends an instruction at the current source position.
    pub(super) fn push(&mut self, inst: Inst) {
        self.out.code.push(inst);
        self.out.sites.push(self.site);
    }

    /// Appends what stands for something that cannot be run.
    pub(super) fn unsupported(&mut self, what: &str) {
        let what = self.decoder.intern(what);
        self.push(Inst::Unsupported { what });
    }

    /// Appends what stands for an instruction that cannot be run.
    pub(super) fn unsupported_instruction(&mut self, instruction: Value<'m>) {
        let text = instruction.print();
        let text = text.split(", !dbg").next().unwrap_or_default();
        self.unsupported(&format!("the LLVM instruction `{text}`"));
    }

    /// How many slots `ty` takes.
    pub(super) fn slots(&mut self, ty: Type<'m>) -> u32 {
        self.decoder.slots(ty)
    }

    /// The number `n` as an operand.
    pub(super) fn number(&mut self, n: u64) -> Operand {
        self.decoder.bits(n)
    }

    /// `value` as an operand; code that computes it is appended first, if it needs any.
    pub(super) fn operand(&mut self, value: Value<'m>) -> Operand {
        if let Some(&reg) = self.registers.get(&value) {
            return Operand::reg(reg);
        }
        match self.decoder.constant(value) {
            Ok(operand) => operand,
            Err(NotConstant::Computed) => self.compute(value),
            Err(NotConstant::Unsupported) => {
                let text = value.print();
                self.unsupported(&format!("the value `{text}`"));
                self.number(0)
            }
        }
    }

    /// Computes a constant that is no number and no fixed address.
    fn compute(&mut self, value: Value<'m>) -> Operand {
        let slots = self.slots(value.ty());
        let dst = self.fresh(slots);
        match value.kind() {
            ValueKind::GlobalVariable => match self.decoder.globals.get(&value) {
                Some(&global) => self.push(Inst::TlsAddress { dst, global }),
                None => self.unsupported(&format!("the global `{}`", value.name())),
            },
            ValueKind::GlobalAlias => {
                let src = self.operand(value.aliasee());
                self.push(Inst::Copy { dst, src, count: 1 });
            }
            ValueKind::ConstantArray | ValueKind::ConstantStruct | ValueKind::ConstantVector => {
                let mut at = dst;
                for part in value.operands() {
                    let src = self.operand(part);
                    let count = self.slots(part.ty());
                    self.push(Inst::Copy {
                        dst: at,
                        src,
                        count,
                    });
                    at += count;
                }
            }
            // A constant expression is an instruction whose operands are constants.
            ValueKind::ConstantExpr => self.compute_expression(value, dst),
            _ => self.unsupported(&format!("the constant `{}`", value.print())),
        }
        Operand::reg(dst)
    }

    fn compute_expression(&mut self, value: Value<'m>, dst: Reg) {
        match value.opcode() {
            Some(Opcode::GetElementPtr) => self.element_pointer(value, dst),
            Some(opcode) if self.arithmetic(opcode, value, dst) => {}
            _ => self.unsupported(&format!("the constant `{}`", value.print())),
        }
    }

    /// One instruction.
    fn instruction(&mut self, i: Value<'m>) {
        let Some(opcode) = i.opcode() else {
            return self.unsupported_instruction(i);
        };
        let dst = self.result(i);
        if self.arithmetic(opcode, i, dst) {
            return;
        }
        match opcode {
            Opcode::Phi => {}
            Opcode::Ret => {
                let (value, count) = if i.operand_count() == 0 {
                    (self.number(0), 0)
                } else {
                    let value = i.operand(0);
                    (self.operand(value), self.slots(value.ty()))
                };
                self.push(Inst::Return { value, count });
            }
            Opcode::Br => self.branch(i),
            Opcode::Switch => self.switch(i),
            Opcode::IndirectBr => self.indirect_branch(i),
            Opcode::Unreachable => self.push(Inst::Unreachable { trap: false }),
            Opcode::Alloca => self.alloca(i, dst),
            Opcode::Load => self.load(i, dst),
            Opcode::Store => self.store(i),
            Opcode::GetElementPtr => self.element_pointer(i, dst),
            Opcode::Fence => self.fence(i),
            Opcode::AtomicCmpXchg => self.compare_exchange(i, dst),
            Opcode::AtomicRMW => self.atomic_update(i, dst),
            Opcode::ExtractValue => self.extract_value(i, dst),
            Opcode::InsertValue => self.insert_value(i, dst),
            Opcode::ExtractElement => self.extract_element(i, dst),
            Opcode::InsertElement => self.insert_element(i, dst),
            Opcode::ShuffleVector => self.shuffle(i, dst),
            Opcode::Call => self.call(i, dst, NO_EDGE),
            Opcode::Invoke => {
                let (normal, unwind) = i.destinations();
                let (normal, unwind) = (self.edge(normal), self.edge(unwind));
                self.call(i, dst, unwind);
                self.push(Inst::Jump { edge: normal });
            }
            Opcode::LandingPad => self.landing_pad(i, dst),
            Opcode::Resume => {
                let value = self.operand(i.operand(0));
                self.push(Inst::Resume { value });
            }
            _ => self.unsupported_instruction(i),
        }
    }

    /// A way from the current block to `to`, with the copies its phis need.
    fn edge(&mut self, to: Block<'m>) -> EdgeId {
        let from = self.block;
        let first_copy = index(self.out.copies.len());
        let mut copies = Vec::new();
        for phi in to
            .instructions()
            .take_while(|i| i.opcode() == Some(Opcode::Phi))
        {
            let dst = self.result(phi);
            let count = self.slots(phi.ty());
            let value = phi
                .incoming()
                .into_iter()
                .find(|(block, _)| Some(*block) == from);
            let Some((_, value)) = value else { continue };
            let src = self.operand(value);
            copies.extend((0..count).map(|n| (dst + n, src.slot(n))));
        }
        copies.retain(|&(dst, src)| src != Operand::reg(dst));
        let id = index(self.out.edges.len());
        self.out.edges.push(Edge {
            target: 0,
            first_copy,
            copies: index(copies.len()),
        });
        self.out.copies.extend(copies);
        self.targets.push((id, to));
        id
    }

    fn branch(&mut self, i: Value<'m>) {
        let successors = i.successors();
        if let [only] = successors[..] {
            let edge = self.edge(only);
            return self.push(Inst::Jump { edge });
        }
        let cond = self.operand(i.operand(0));
        let (then, otherwise) = (self.edge(successors[0]), self.edge(successors[1]));
        self.push(Inst::Branch {
            cond,
            then,
            otherwise,
        });
    }

    fn switch(&mut self, i: Value<'m>) {
        let on = i.operand(0);
        let value = self.operand(on);
        let bits = on.ty().integer_width().unwrap_or(0);
        let Ok(bits) = u8::try_from(bits) else {
            return self.unsupported_instruction(i);
        };
        let successors = i.successors();
        let default = self.edge(successors[0]);
        let mut cases = Vec::new();
        for (at, &block) in successors.iter().enumerate().skip(1) {
            let Some(case) = super::constant::integer(i.case_value(index(at))) else {
                return self.unsupported_instruction(i);
            };
            cases.push((case, self.edge(block)));
        }
        cases.sort_by_key(|c| c.0);
        let table = index(self.out.switches.len());
        self.out.switches.push(Switch { cases, default });
        self.push(Inst::Switch { value, bits, table });
    }

    /// `goto *address`: a switch over the labels whose address is taken.
    fn indirect_branch(&mut self, i: Value<'m>) {
        let value = self.operand(i.operand(0));
        let mut cases = Vec::new();
        for block in i.successors() {
            cases.push((u128::from(label(block)), self.edge(block)));
        }
        cases.sort_by_key(|c| c.0);
        cases.dedup_by_key(|c| c.0);
        let default = index(self.out.edges.len());
        let table = index(self.out.switches.len());
        self.out.switches.push(Switch { cases, default });
        self.push(Inst::Switch {
            value,
            bits: 64,
            table,
        });
        // No label has this address.
        self.out.edges.push(Edge {
            target: index(self.out.code.len()),
            first_copy: index(self.out.copies.len()),
            copies: 0,
        });
        self.push(Inst::Unreachable { trap: false });
    }

    fn landing_pad(&mut self, i: Value<'m>, dst: Reg) {
        let mut clauses = Vec::new();
        for clause in i.operands() {
            // A filter clause is an array of type informations, a catch clause is one.
            if clause.ty().kind() == TypeKind::Array {
                let types: Vec<_> = clause.operands().collect();
                clauses.push(Clause::Filter(
                    types.into_iter().map(|t| self.operand(t)).collect(),
                ));
            } else {
                clauses.push(Clause::Catch(self.operand(clause)));
            }
        }
        let pad = index(self.out.landing_pads.len());
        self.out.landing_pads.push(LandingPad {
            cleanup: i.is_cleanup(),
            clauses,
        });
        self.push(Inst::LandingPad { dst, pad });
    }
}

/// Variables bound at `instruction`: by records in front of it, or because it is a call that says so.
fn bindings(instruction: Value<'_>) -> Vec<Binding<'_>> {
    let mut all = instruction.bindings();
    if instruction.opcode() == Some(Opcode::Call) {
        all.extend(instruction.bound_by_call());
    }
    all
}
