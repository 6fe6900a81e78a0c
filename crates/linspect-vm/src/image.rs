//! A program ready to run: constants resolved, globals placed, externals bound to their models.

use crate::deciding;
use crate::liveness::Liveness;
use crate::memory::address::{self, Address};
use crate::memory::{Memory, MemoryError};
use crate::models::{self, Delays, Model};
use crate::observed::Observed;
use crate::program::{
    Constant, Function, FunctionId, Global, GlobalId, Inst, Intrinsic, Program, SiteId, Symbol,
};
use crate::settings::Settings;
use crate::settled;
use crate::slots::{self, Slots};
use crate::stack;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::OnceLock;

/// A program ready to run.
pub(crate) struct Image {
    pub(crate) program: Program,
    /// Bits of [`Program::constants`].
    pub(crate) constants: Vec<u64>,
    /// Addresses of globals; 0 for thread-local ones.
    pub(crate) globals: Vec<Address>,
    /// By function: what runs instead of it.
    pub(crate) models: Vec<Option<Model>>,
    /// By function: loads whose value decides something at once, so that it must have been written.
    pub(crate) deciding: Vec<Vec<bool>>,
    /// Addresses of globals that do not change once the object is built.
    pub(crate) settled: FxHashSet<Address>,
    /// By global: whether it belongs to the innermost parts of Rust's standard library, which keep books about threads there.
    pub(crate) internal: Vec<bool>,
    /// By site: the innermost place along its inlining that is no library's; 0 if all are.
    pub(crate) user_sites: Vec<SiteId>,
    /// Where Rust's runtime counts panics, and whether each thread has its own there.
    pub(crate) panic_counts: Vec<(GlobalId, bool)>,
    /// By function: whether a call of it does nothing but go there.
    pub(crate) goes_there: Vec<bool>,
    /// By function: whether it is an atomic section.
    pub(crate) atomic: Vec<bool>,
    /// Whether runs can be left out by an assumption.
    pub(crate) assumes: bool,
    /// Whether anything in the program looks at a clock.
    pub(crate) tells_time: bool,
    /// What Rust's runtime does at most once, when `main` has returned, and the standard library's buffer of the output, which it writes out then.
    pub(crate) runtime_end: Option<(Address, GlobalId)>,
    /// The values of `stdin`, `stdout` and `stderr`.
    pub(crate) streams: [Address; 3],
    /// Where C++'s `cout`, `cerr` and `clog` are.
    pub(crate) ostreams: [Address; 3],
    /// Where the virtual tables of C++'s type informations are, by how many bases they tell.
    pub(crate) class_infos: [Address; 2],
    /// Functions whose calls are observed.
    pub(crate) observed: Observed,
    /// By function, its loops, once somebody has asked for them.
    pub(crate) loops: Vec<OnceLock<Vec<stack::Extent>>>,
    /// By function, which of its registers are live, once somebody has asked for it.
    liveness: Vec<OnceLock<Liveness>>,
    /// By function, what may still be read of its stack memory, once somebody has asked for it.
    slots: Vec<OnceLock<Slots>>,
    symbols: FxHashMap<String, FunctionId>,
}

/// The streams that a program starts with, by descriptor. The value of each is its own address.
const STREAMS: [&str; 3] = ["stdin", "stdout", "stderr"];

/// Where a global is that the program only declares; 0 if it does not.
fn declared(program: &Program, globals: &[Address], symbol: &str) -> Address {
    let is_declared = |g: &Global| g.declaration && program.text(g.symbol) == symbol;
    let mut all = program.globals.iter().zip(globals);
    all.find(|(g, _)| is_declared(g))
        .map_or(0, |(_, address)| *address)
}

/// By function, whether its symbol is so.
fn symbols_where(program: &Program, is_so: fn(&str) -> bool) -> Vec<bool> {
    let symbols = program.functions.iter().map(|f| program.text(f.symbol));
    symbols.map(is_so).collect()
}

/// Whether anything in `program` looks at a clock: a function that tells the time, or the processor's counter.
fn tells_time(program: &Program) -> bool {
    let counts = |inst: &Inst| {
        matches!(
            inst,
            Inst::Intrinsic {
                op: Intrinsic::CycleCounter,
                ..
            }
        )
    };
    let tells =
        |f: &Function| models::is_clock(program.text(f.symbol)) || f.code.iter().any(counts);
    program.functions.iter().any(tells)
}

/// By function, what the machine runs in its place.
fn models_of(program: &Program) -> Vec<Option<Model>> {
    let functions = program.functions.iter();
    let symbols: Vec<&str> = functions.clone().map(|f| program.text(f.symbol)).collect();
    let delays = Delays::of(&symbols);
    let is_task = models::is_task(&symbols);
    let model = |(f, symbol): (&Function, &&str)| {
        let in_task = is_task.then(|| models::in_task(symbol)).flatten();
        in_task
            .or_else(|| match f.is_declaration() {
                true => models::find(symbol),
                false => models::published(program, f).or_else(|| models::of_streams(symbol)),
            })
            .or_else(|| delays.model(symbol))
    };
    functions.zip(&symbols).map(model).collect()
}

impl Image {
    /// Prepares `program`, of which these functions are observed.
    pub(crate) fn new(program: Program, observed: Observed) -> Self {
        // Which slot each global gets does not depend on the settings, so addresses can be computed once.
        let (_, globals) = place_globals(&program, &Settings::default());
        let address_of = |symbol: Symbol| match symbol {
            Symbol::Global(id) => globals.get(id as usize).copied().unwrap_or(0),
            Symbol::Function(id) => address::of_function(id),
        };
        let constants = program
            .constants
            .iter()
            .map(|c| match *c {
                Constant::Bits(bits) => bits,
                Constant::Address(symbol, offset) => address_of(symbol).wrapping_add_signed(offset),
            })
            .collect();
        let models = models_of(&program);
        let atomic = symbols_where(&program, models::is_atomic);
        let goes_there = |(id, f): (FunctionId, &Function)| {
            let at = id as usize;
            let is_watched = models[at].is_some() || atomic[at];
            let copies = f.variadic || !f.by_value.is_empty();
            !f.is_declaration() && !is_watched && !copies && !observed.operations.contains_key(&id)
        };
        Self {
            constants,
            goes_there: (0..).zip(&program.functions).map(goes_there).collect(),
            models,
            deciding: program.functions.iter().map(deciding::loads).collect(),
            symbols: program
                .functions
                .iter()
                .enumerate()
                .map(|(i, f)| (program.text(f.symbol).to_owned(), i as FunctionId))
                .collect(),
            settled: settled::globals(&program)
                .into_iter()
                .map(|g| globals[g as usize])
                .collect(),
            internal: program
                .globals
                .iter()
                .map(|g| is_internal(program.text(g.symbol)))
                .collect(),
            user_sites: stack::user_sites(&program),
            loops: program.functions.iter().map(|_| OnceLock::new()).collect(),
            panic_counts: (0..)
                .zip(&program.globals)
                .filter(|(_, g)| models::counts_panics(program.text(g.symbol)))
                .map(|(id, g)| (id, g.thread_local))
                .collect(),
            atomic,
            assumes: symbols_where(&program, models::assumes).contains(&true),
            tells_time: tells_time(&program),
            runtime_end: runtime_end(&program, &globals),
            streams: STREAMS.map(|name| declared(&program, &globals, name)),
            ostreams: models::STREAMS.map(|name| declared(&program, &globals, name)),
            class_infos: models::CLASS_INFOS.map(|name| declared(&program, &globals, name)),
            liveness: program.functions.iter().map(|_| OnceLock::new()).collect(),
            slots: program.functions.iter().map(|_| OnceLock::new()).collect(),
            globals,
            observed,
            program,
        }
    }

    /// What may still be read of a function's stack memory.
    pub(crate) fn slots(&self, function: FunctionId) -> &Slots {
        let at = function as usize;
        let code = slots::Code {
            program: &self.program,
            models: &self.models,
        };
        self.slots[at].get_or_init(|| Slots::of(code, &self.program.functions[at]))
    }

    /// Which registers of a function are live.
    pub(crate) fn liveness(&self, function: FunctionId) -> &Liveness {
        let at = function as usize;
        self.liveness[at].get_or_init(|| Liveness::of(&self.program, &self.program.functions[at]))
    }

    /// The function with this symbol.
    pub(crate) fn function(&self, symbol: &str) -> Option<FunctionId> {
        self.symbols.get(symbol).copied()
    }

    /// Memory with the globals in it.
    pub(crate) fn memory(&self, settings: &Settings) -> Result<Memory, MemoryError> {
        let (memory, _) = place_globals(&self.program, settings);
        let mut memory = memory?;
        for (id, global) in self.program.globals.iter().enumerate() {
            for r in &global.relocations {
                let value = match r.symbol {
                    Symbol::Global(g) => self.globals[g as usize],
                    Symbol::Function(f) => address::of_function(f),
                };
                if !global.thread_local {
                    memory.relocate(
                        self.globals[id] + r.offset,
                        value.wrapping_add_signed(r.addend),
                    );
                }
            }
        }
        for stream in self.streams {
            memory.relocate(stream, stream);
        }
        for stream in self.ostreams.into_iter().filter(|stream| *stream != 0) {
            models::lay_out(&mut memory, stream)?;
        }
        Ok(memory)
    }

    /// The initial bytes of a global with its addresses written in.
    pub(crate) fn initial_bytes(&self, global: u32) -> Vec<u8> {
        let g = &self.program.globals[global as usize];
        let mut bytes = g.bytes.clone();
        for r in &g.relocations {
            let value = match r.symbol {
                Symbol::Global(g) => self.globals[g as usize],
                Symbol::Function(f) => address::of_function(f),
            }
            .wrapping_add_signed(r.addend);
            let end = r.offset as usize + 8;
            if bytes.len() < end {
                bytes.resize(end, 0);
            }
            bytes[end - 8..end].copy_from_slice(&value.to_le_bytes());
        }
        bytes
    }
}

/// What Rust's runtime does when `main` has returned, and the buffer of the output.
fn runtime_end(program: &Program, globals: &[Address]) -> Option<(Address, GlobalId)> {
    let symbols = || program.globals.iter().map(|g| program.text(g.symbol));
    let end = symbols().position(models::is_end_of_runtime)?;
    let output = symbols().position(models::is_output_buffer)?;
    Some((globals[end], output as GlobalId))
}

/// Whether a symbol is that of a static in `std::sys::pal`.
fn is_internal(symbol: &str) -> bool {
    symbol.starts_with("_R") && symbol.contains("_3std3sys3pal")
}

fn place_globals(
    program: &Program,
    settings: &Settings,
) -> (Result<Memory, MemoryError>, Vec<Address>) {
    let mut memory = Memory::new(settings.reuse, settings.memory);
    let mut addresses = Vec::with_capacity(program.globals.len());
    let mut error = None;
    for (id, g) in program.globals.iter().enumerate() {
        if g.thread_local {
            addresses.push(0);
            continue;
        }
        match memory.push_global(id as u32, g.constant, &g.bytes, g.size, g.site) {
            Ok(address) => addresses.push(address),
            Err(e) => {
                error = Some(e);
                addresses.push(0);
            }
        }
    }
    (error.map_or(Ok(memory), Err), addresses)
}
