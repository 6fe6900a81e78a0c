//! Which registers of a function may still be read: backward liveness (Kildall, "A unified approach to global program optimization", 1973).
//!
//! Two states of a thread that differ only in registers that nobody will read go on alike. Where an instruction's extent is not known (an
//! indirect call's result), more counts as read and less as written, which only tells more states apart.

use crate::program::{EdgeId, Function, Inst, Intrinsic, NO_EDGE, Operand, Pc, Program, Reg};

/// The most argument slots that an intrinsic takes: three numbers of two slots each.
const INTRINSIC_SLOTS: usize = 6;

/// Per instruction of a function, the registers that may be read from there on before they are written.
pub(crate) struct Liveness {
    words: usize,
    live: Vec<u64>,
}

impl Liveness {
    pub(crate) fn of(program: &Program, function: &Function) -> Self {
        let words = (function.registers as usize).div_ceil(64).max(1);
        let mut liveness = Self {
            words,
            live: vec![0; words * function.code.len()],
        };
        let mut set = vec![0; words];
        let mut changed = true;
        while changed {
            changed = false;
            for pc in (0..function.code.len()).rev() {
                liveness.after_into(program, function, pc as Pc, &mut set);
                each_use(program, function, pc as Pc, &mut |reg| add(&mut set, reg));
                let old = &mut liveness.live[words * pc..words * (pc + 1)];
                if old != set {
                    old.copy_from_slice(&set);
                    changed = true;
                }
            }
        }
        liveness
    }

    /// The registers that may be read from before the instruction at `pc` on.
    pub(crate) fn before(&self, pc: Pc) -> impl Iterator<Item = Reg> + '_ {
        let at = self.words * pc as usize;
        members(self.live.get(at..at + self.words).unwrap_or(&[]))
    }

    /// The registers that may be read after the instruction at `pc`, apart from its own results.
    pub(crate) fn after(&self, program: &Program, function: &Function, pc: Pc) -> Vec<Reg> {
        let mut set = vec![0; self.words];
        self.after_into(program, function, pc, &mut set);
        members(&set).collect()
    }

    fn after_into(&self, program: &Program, function: &Function, pc: Pc, set: &mut [u64]) {
        set.fill(0);
        let mut edges = Edges {
            liveness: self,
            function,
            set,
        };
        match function.code[pc as usize] {
            Inst::Jump { edge } => edges.follow(edge),
            Inst::Branch {
                then, otherwise, ..
            } => {
                edges.follow(then);
                edges.follow(otherwise);
            }
            Inst::Switch { table, .. } => {
                let table = &function.switches[table as usize];
                table.cases.iter().for_each(|(_, edge)| edges.follow(*edge));
                edges.follow(table.default);
            }
            Inst::Return { .. }
            | Inst::Resume { .. }
            | Inst::Unreachable { .. }
            | Inst::Unsupported { .. } => {}
            ref inst => {
                edges.join(pc + 1);
                let (dst, count) = written(program, inst);
                (dst..dst + count).for_each(|reg| remove(edges.set, reg));
                if let Inst::Call { unwind, .. } | Inst::CallIndirect { unwind, .. } = *inst
                    && unwind != NO_EDGE
                {
                    edges.follow(unwind);
                }
            }
        }
    }
}

/// Collects what is live where control may go.
struct Edges<'a> {
    liveness: &'a Liveness,
    function: &'a Function,
    set: &'a mut [u64],
}

impl Edges<'_> {
    fn join(&mut self, target: Pc) {
        let words = self.liveness.words;
        let at = words * target as usize;
        if let Some(live) = self.liveness.live.get(at..at + words) {
            for (mine, theirs) in self.set.iter_mut().zip(live) {
                *mine |= theirs;
            }
        }
    }

    /// What is live before the copies of an edge are made, which happens at once for all of them.
    fn follow(&mut self, edge: EdgeId) {
        let edge = self.function.edges[edge as usize];
        let first = edge.first_copy as usize;
        let copies = &self.function.copies[first..first + edge.copies as usize];
        let before = self.set.to_vec();
        self.set.fill(0);
        self.join(edge.target);
        copies.iter().for_each(|(dst, _)| remove(self.set, *dst));
        for (_, src) in copies {
            if let Some(reg) = src.as_reg() {
                add(self.set, reg);
            }
        }
        for (mine, others) in self.set.iter_mut().zip(before) {
            *mine |= others;
        }
    }
}

fn add(set: &mut [u64], reg: Reg) {
    set[reg as usize / 64] |= 1 << (reg % 64);
}

fn remove(set: &mut [u64], reg: Reg) {
    if let Some(word) = set.get_mut(reg as usize / 64) {
        *word &= !(1 << (reg % 64));
    }
}

fn members(set: &[u64]) -> impl Iterator<Item = Reg> + '_ {
    set.iter().enumerate().flat_map(|(word, bits)| {
        (0..64)
            .filter(move |bit| bits >> bit & 1 == 1)
            .map(move |bit| 64 * word as u32 + bit)
    })
}

/// Slots of a scalar.
fn slots(bits: u8) -> u32 {
    if bits > 64 { 2 } else { 1 }
}

fn layout_slots(program: &Program, layout: u32) -> u32 {
    let elements = &program.layouts[layout as usize].elements;
    elements.iter().map(|e| slots(e.bits as u8)).sum()
}

/// The run of registers that an instruction surely writes.
pub(crate) fn written(program: &Program, inst: &Inst) -> (Reg, u32) {
    match *inst {
        Inst::Int { dst, .. }
        | Inst::Compare { dst, .. }
        | Inst::Float { dst, .. }
        | Inst::FloatNeg { dst, .. }
        | Inst::FloatCompare { dst, .. }
        | Inst::FloatCast { dst, .. }
        | Inst::IntToFloat { dst, .. }
        | Inst::Offset { dst, .. }
        | Inst::Index { dst, .. }
        | Inst::Alloca { dst, .. }
        | Inst::TlsAddress { dst, .. } => (dst, 1),
        Inst::Extended { dst, op, .. } => (dst, op.result_slots()),
        Inst::Wide { dst, .. } | Inst::LandingPad { dst, .. } => (dst, 2),
        Inst::Cast { dst, to, .. } => (dst, slots(to)),
        Inst::FloatToInt { dst, bits, .. }
        | Inst::Load { dst, bits, .. }
        | Inst::AtomicUpdate { dst, bits, .. } => (dst, slots(bits)),
        Inst::Copy { dst, count, .. } | Inst::Select { dst, count, .. } => (dst, count),
        Inst::Extract { dst, stride, .. } => (dst, u32::from(stride)),
        Inst::Repack {
            dst, to, to_lanes, ..
        } => (dst, u32::from(to_lanes) * slots(to)),
        Inst::LoadRun { dst, layout, .. } => (dst, layout_slots(program, layout)),
        Inst::CompareExchange { dst, bits, .. } => (dst, slots(bits) + 1),
        Inst::Call { callee, dst, .. } => {
            let callee = &program.functions[callee as usize];
            // A model in place of a declaration writes one slot at most.
            let most = if callee.is_declaration() { 1 } else { u32::MAX };
            (dst, callee.returns.min(most))
        }
        Inst::Intrinsic { op, bits, dst, .. } => (dst, results(op, bits)),
        _ => (0, 0),
    }
}

/// How many slots an intrinsic surely writes.
fn results(op: Intrinsic, bits: u8) -> u32 {
    match op {
        Intrinsic::SAddOverflow
        | Intrinsic::UAddOverflow
        | Intrinsic::SSubOverflow
        | Intrinsic::USubOverflow
        | Intrinsic::SMulOverflow
        | Intrinsic::UMulOverflow => slots(bits) + 1,
        Intrinsic::SpinHint | Intrinsic::VaStart | Intrinsic::VaEnd | Intrinsic::VaCopy => 0,
        _ => 1,
    }
}

/// Reports the registers that the instruction at `pc` reads.
pub(crate) fn each_use(program: &Program, function: &Function, pc: Pc, each: &mut dyn FnMut(Reg)) {
    let mut run = |operand: Operand, count: u32| {
        if let Some(reg) = operand.as_reg() {
            let end = (reg + count).min(function.registers);
            (reg..end).for_each(&mut *each);
        }
    };
    let arguments = |args: u32, count: usize| {
        let from = args as usize;
        let to = (from + count).min(function.arguments.len());
        function.arguments[from..to].iter()
    };
    match function.code[pc as usize] {
        Inst::Int { a, b, .. } | Inst::Float { a, b, .. } | Inst::FloatCompare { a, b, .. } => {
            run(a, 1);
            run(b, 1);
        }
        Inst::Extended { op, a, b, .. } => {
            run(a, op.left_slots());
            run(b, op.left_slots());
        }
        Inst::Wide { a, b, .. } => {
            run(a, 2);
            run(b, 2);
        }
        Inst::Compare { bits, a, b, .. } => {
            run(a, slots(bits));
            run(b, slots(bits));
        }
        Inst::Cast { from, a, .. } => run(a, slots(from)),
        Inst::FloatNeg { a, .. } | Inst::FloatCast { a, .. } | Inst::FloatToInt { a, .. } => {
            run(a, 1);
        }
        Inst::IntToFloat { bits, a, .. } => run(a, slots(bits)),
        Inst::Copy { src, count, .. } => run(src, count),
        Inst::Select {
            cond, a, b, count, ..
        } => {
            run(cond, 1);
            run(a, count);
            run(b, count);
        }
        Inst::Extract {
            src,
            index,
            lanes,
            stride,
            ..
        } => {
            run(src, u32::from(lanes) * u32::from(stride));
            run(index, 1);
        }
        Inst::Insert {
            dst,
            value,
            index,
            lanes,
            stride,
        } => {
            run(Operand::reg(dst), u32::from(lanes) * u32::from(stride));
            run(value, u32::from(stride));
            run(index, 1);
        }
        Inst::Repack {
            src,
            from,
            from_lanes,
            ..
        } => run(src, u32::from(from_lanes) * slots(from)),
        Inst::Offset { base, .. } => run(base, 1),
        Inst::Index { base, index, .. } => {
            run(base, 1);
            run(index, 1);
        }
        Inst::Alloca { count, .. } => run(count, 1),
        Inst::Load { addr, .. } | Inst::LoadRun { addr, .. } => run(addr, 1),
        Inst::Store {
            addr, value, bits, ..
        }
        | Inst::AtomicUpdate {
            addr, value, bits, ..
        } => {
            run(addr, 1);
            run(value, slots(bits));
        }
        Inst::StoreRun {
            addr,
            value,
            layout,
        } => {
            run(addr, 1);
            run(value, layout_slots(program, layout));
        }
        Inst::CompareExchange {
            addr,
            expected,
            new,
            bits,
            ..
        } => {
            run(addr, 1);
            run(expected, slots(bits));
            run(new, slots(bits));
        }
        Inst::MemCopy { dst, src, len, .. } => {
            [dst, src, len].into_iter().for_each(|o| run(o, 1));
        }
        Inst::MemSet { dst, byte, len } => {
            [dst, byte, len].into_iter().for_each(|o| run(o, 1));
        }
        Inst::Intrinsic { args, .. } => {
            arguments(args, INTRINSIC_SLOTS).for_each(|a| run(*a, 1));
        }
        Inst::Call { args, count, .. } => {
            arguments(args, usize::from(count)).for_each(|a| run(*a, 1));
        }
        Inst::CallIndirect {
            callee,
            args,
            count,
            ..
        } => {
            run(callee, 1);
            arguments(args, usize::from(count)).for_each(|a| run(*a, 1));
        }
        Inst::Resume { value } => run(value, 2),
        Inst::Branch { cond, .. } => run(cond, 1),
        Inst::Switch { value, bits, .. } => run(value, slots(bits)),
        Inst::Return { value, count } => run(value, count),
        Inst::TlsAddress { .. }
        | Inst::Fence { .. }
        | Inst::LandingPad { .. }
        | Inst::Jump { .. }
        | Inst::Unreachable { .. }
        | Inst::Unsupported { .. } => {}
    }
}
