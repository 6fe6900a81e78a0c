//! Records a run statement by statement: what an explanation reads (see [`linspect_core::statement`]).
//!
//! Recording is a slower way to run, chosen for a whole run: instruction by instruction, each followed by a look at what it did. The ordinary
//! way knows nothing of it.

mod call;
mod claim;
mod control;
mod instruction;
mod memory;
mod reply;
mod scopes;
mod sync;

pub(crate) use memory::Pieces;

use super::{Cpu, Stop};
use crate::image::Image;
use crate::memory::{Lane, Memory};
use crate::observed::Running;
use crate::program::{self, Function, FunctionId, Inst, Pc, Reg, SiteId};
use crate::thread::{After, Frame};
use claim::Claims;
use control::Joins;
use linspect_core::execution::FaultKind;
use linspect_core::schedule::ThreadId;
use linspect_core::statement::{Effect, Operand, Recording, Relation, Rule, Statement, Variable};
use memory::Cells;
use rustc_hash::FxHashMap;
use scopes::{Reach, Scope, Scopes};
use smallvec::SmallVec;
use std::rc::Rc;
use std::sync::Arc;

/// Registers that belong to no call: what a thread was started with and ended with.
const THREADS: u32 = u32::MAX;
/// The same for the parts of results.
const RESULTS: u32 = u32::MAX - 1;
/// The same for values that no instruction names.
const TEMPORARIES: u32 = u32::MAX - 2;

/// A recording under construction.
#[derive(Debug, Default)]
pub(crate) struct Recorder {
    pub(crate) recording: Recording,
    /// The step of the execution that runs.
    pub(crate) step: u32,
    /// Who runs, and where in the user's code.
    thread: ThreadId,
    lane: Lane,
    site: SiteId,
    /// Whether what runs there is code of a library.
    library: bool,
    /// Numbers of calls, and the user's statement that each is at: at first the one that called it.
    frames: FxHashMap<(Lane, u32), u32>,
    places: Vec<SiteId>,
    /// The recorded value of every register.
    values: FxHashMap<Variable, i64>,
    cells: Cells,
    scopes: Scopes,
    joins: FxHashMap<FunctionId, Joins>,
    temporaries: u32,
    /// Parts of the result of each thread's current operation.
    replies: FxHashMap<Lane, Vec<Operand>>,
    claims: Claims,
}

/// A place in the program under test: a call, and an instruction in it.
struct Place<'a> {
    function: &'a Function,
    id: FunctionId,
    frame: u32,
    base: usize,
    pc: Pc,
    /// How many calls the thread is in.
    depth: usize,
    after: After,
    /// Whether the instruction itself is the user's.
    own: bool,
}

/// What must be known from before an instruction to tell what it did.
struct Before {
    memory: Option<Memory>,
    accesses: usize,
    spawned: usize,
    observed: Option<Rc<Running>>,
}

type Operands = SmallVec<[Operand; 2]>;

impl Cpu<'_> {
    /// Runs one instruction of the top frame and records it.
    pub(super) fn run_recorded(&mut self, recorder: &mut Recorder) -> Result<(), Stop> {
        let image = self.image;
        let Some(&frame) = self.thread.frames.last() else {
            return Err(Stop::Ended);
        };
        let function = &image.program.functions[frame.function as usize];
        let Some(inst) = function.code.get(frame.pc as usize) else {
            return Err(self.fault(
                FaultKind::Unsupported,
                "control runs off the end of a function",
            ));
        };
        if self.fuel == 0 {
            return Err(self.out_of_fuel());
        }
        let place = recorder.arrive(self, function, frame);
        let before = Before {
            memory: self
                .may_run_model(&place, inst)
                .then(|| self.memory.clone()),
            accesses: self.record.accesses.len(),
            spawned: self.world.spawned.len(),
            observed: self.thread.observed.clone(),
        };
        let result = self.run_some(1);
        recorder.note(self, &place, inst, &before, result.as_ref().err());
        result
    }

    /// Whether the instruction may change memory in ways that it does not say itself.
    fn may_run_model(&self, place: &Place<'_>, inst: &Inst) -> bool {
        match *inst {
            Inst::Call { callee, .. } => self.image.models[callee as usize].is_some(),
            Inst::CallIndirect { callee, .. } => self
                .resolve(self.get(place.base, callee))
                .is_some_and(|f| self.image.models[f as usize].is_some()),
            Inst::Intrinsic { op, .. } => {
                matches!(op, program::Intrinsic::VaStart | program::Intrinsic::VaCopy)
            }
            _ => false,
        }
    }
}

impl Recorder {
    /// A recorder that knows which pieces of memory are accessed as one.
    pub(crate) fn new(pieces: Pieces) -> Self {
        Self {
            cells: Cells::new(pieces),
            ..Self::default()
        }
    }

    /// The thread stands before an instruction.
    fn arrive<'a>(&mut self, cpu: &Cpu<'_>, function: &'a Function, frame: Frame) -> Place<'a> {
        self.thread = cpu.thread.id;
        self.lane = cpu.thread.lane;
        let (number, new) = self.number(frame.activation);
        let own_site = function.sites.get(frame.pc as usize).copied().unwrap_or(0);
        let place = Place {
            function,
            id: frame.function,
            frame: number,
            base: frame.base as usize,
            pc: frame.pc,
            depth: cpu.thread.frames.len(),
            after: frame.after,
            own: users(cpu.image, own_site).is_some(),
        };
        self.library = users(cpu.image, own_site) != Some(own_site);
        let line = |site: &SiteId| cpu.image.program.sites[*site as usize].line;
        // What the compiler adds has no line of its own: it belongs to what was there before.
        if let Some(site) = users(cpu.image, own_site).filter(|site| line(site) != 0) {
            self.places[number as usize] = site;
        }
        self.site = self.places[number as usize];
        if new && frame.after == After::Thread {
            self.begin_thread(cpu, &place);
        }
        self.scopes.arrive(self.lane, number, frame.pc);
        place
    }

    /// The number of a call of the running thread, and whether it is new: then the user's statement that runs is its caller.
    fn number(&mut self, activation: u32) -> (u32, bool) {
        let next = u32::try_from(self.places.len()).expect("fewer than 2^32 calls");
        let number = *self.frames.entry((self.lane, activation)).or_insert(next);
        if number == next {
            self.places.push(self.site);
        }
        (number, number == next)
    }

    fn push(&mut self, effect: Effect) {
        self.recording.statements.push(Statement {
            thread: self.thread,
            step: self.step,
            site: self.site,
            library: self.library,
            scope: self.scopes.innermost(self.lane),
            effect,
        });
    }

    fn assign(&mut self, target: Variable, rule: Rule, operands: Operands, width: u8, value: i64) {
        if matches!(target, Variable::Register { .. }) {
            self.values.insert(target, value);
        }
        self.push(Effect::Assign {
            target,
            rule,
            operands,
            width,
            value,
        });
    }

    /// A condition that held or not, and is one for what follows as far as `reach` says.
    fn condition(&mut self, operand: Operand, holds: bool, reach: Reach, own: bool) {
        if matches!(operand, Operand::Constant(_)) {
            return;
        }
        let condition = u32::try_from(self.recording.statements.len()).expect("fewer than 2^32");
        self.push(Effect::Condition { operand, holds });
        let scope = Scope {
            condition,
            reach,
            own,
        };
        self.scopes.open(self.lane, scope);
    }

    /// `a ∘ b` as a condition that held.
    fn require(&mut self, a: Operand, relation: Relation, b: i64, reach: Reach) {
        let truth = self.temporary();
        let operands = SmallVec::from_slice(&[a, Operand::Constant(b)]);
        self.assign(truth, Rule::Compare(relation), operands, 32, 1);
        self.condition(Operand::Variable(truth), true, reach, true);
    }

    fn temporary(&mut self) -> Variable {
        self.temporaries += 1;
        Variable::Register {
            frame: TEMPORARIES,
            slot: self.temporaries,
        }
    }

    /// The register that an instruction gives a value, once it has.
    fn define(
        &mut self,
        cpu: &Cpu<'_>,
        place: &Place<'_>,
        dst: Reg,
        rule: Rule,
        operands: Operands,
        (width, bits): (u8, u8),
    ) {
        let value = extend(cpu.thread.registers[place.base + dst as usize], bits);
        self.define_as(cpu, place, dst, rule, operands, width, value);
    }

    #[expect(clippy::too_many_arguments, reason = "an instruction in all its parts")]
    fn define_as(
        &mut self,
        cpu: &Cpu<'_>,
        place: &Place<'_>,
        dst: Reg,
        rule: Rule,
        operands: Operands,
        width: u8,
        value: i64,
    ) {
        let target = register(place.frame, dst);
        if !self.values.contains_key(&target)
            && let Some(name) = name(cpu.image, place.function, dst)
        {
            self.recording.names.insert(target, name);
        }
        self.assign(target, rule, operands, width, value);
    }

    /// What an instruction reads, as a number of `bits`. A register that was recorded with another width is cut first.
    fn operand(
        &mut self,
        cpu: &Cpu<'_>,
        place: &Place<'_>,
        operand: program::Operand,
        bits: u8,
    ) -> Operand {
        let Some(reg) = operand.as_reg() else {
            return Operand::Constant(extend(cpu.get(place.base, operand), bits));
        };
        let (source, recorded) = self.source(cpu, place, program::Operand::reg(reg));
        let wanted = extend(recorded.cast_unsigned(), bits);
        if wanted == recorded {
            return source;
        }
        let cut = self.temporary();
        self.assign(
            cut,
            Rule::Truncate,
            SmallVec::from_slice(&[source]),
            bits,
            wanted,
        );
        Operand::Variable(cut)
    }

    /// What an instruction copies, with its recorded value, whatever its width.
    fn source(
        &mut self,
        cpu: &Cpu<'_>,
        place: &Place<'_>,
        operand: program::Operand,
    ) -> (Operand, i64) {
        let raw = || cpu.get(place.base, operand);
        let Some(reg) = operand.as_reg() else {
            let value = signed_word(raw());
            return (Operand::Constant(value), value);
        };
        let variable = register(place.frame, reg);
        let value = match self.values.get(&variable) {
            Some(value) => *value,
            // From before the recording, or never given a value.
            None => {
                let value = signed_word(raw());
                self.recording.initial.insert(variable, value);
                self.values.insert(variable, value);
                if let Some(name) = name(cpu.image, place.function, reg) {
                    self.recording.names.insert(variable, name);
                }
                value
            }
        };
        (Operand::Variable(variable), value)
    }
}

fn register(frame: u32, slot: Reg) -> Variable {
    Variable::Register { frame, slot }
}

/// A number of `bits` as recordings keep it: sign-extended, truth values as 0 and 1.
fn extend(raw: u64, bits: u8) -> i64 {
    match bits {
        1 => (raw & 1).cast_signed(),
        64.. => raw.cast_signed(),
        _ => super::int::sign_extend(raw, bits),
    }
}

/// A number whose width is not known: what fills exactly 32 bits is taken for a negative one of these.
fn signed_word(raw: u64) -> i64 {
    let negative = (1 << 31..1 << 32).contains(&raw);
    extend(raw, if negative { 32 } else { 64 })
}

/// The innermost place along the inlining of `site` that is in the user's code.
fn users(image: &Image, site: SiteId) -> Option<SiteId> {
    let user = image.user_sites.get(site as usize).copied();
    user.filter(|user| *user != 0)
}

/// The source's name for what a register holds.
fn name(image: &Image, function: &Function, reg: Reg) -> Option<Arc<str>> {
    let at = function.variables.partition_point(|v| v.0 < reg);
    let &(holder, _, name) = function.variables.get(at)?;
    (holder == reg).then(|| Arc::from(image.program.text(name)))
}
