//! The options that decide what a schedule means, as they are typed: one list for every command that runs a schedule.

use linspect_engine::{MemoryModel, ProgressGuarantee, RaceIs, Reuse, RunSettings, StdAccesses};
use std::path::PathBuf;

/// What decides what a schedule means.
#[derive(Clone, Debug, Default, PartialEq, Eq, clap::Args)]
pub(crate) struct RunOptions {
    /// What the object should behave like: a built-in specification such as `queue` or `queue(.empty = -1)`; `model`: the model of the harness; `self`:
    /// the object when it is run alone [default: as the harness says, else self]
    #[arg(long, value_name = "NAME", help_heading = "What to test")]
    spec: Option<String>,

    /// Allow an element to be overtaken, and to overtake, K times (quasi-linearizability)
    #[arg(long, value_name = "K", help_heading = "What to test")]
    relax: Option<u32>,

    /// Functions of a plain program that are the object's operations: `enq,deq` or `Stack::push,Stack::pop`
    #[arg(
        long,
        alias = "ops",
        value_name = "FUNCTIONS",
        value_delimiter = ',',
        help_heading = "What to test"
    )]
    functions: Vec<String>,

    /// Take memory that is never freed for a fault
    #[arg(long, help_heading = "What to test")]
    leaks: bool,

    /// What is promised about operations that others hinder; sequential consistency only [default: as the harness says, else nothing]
    #[arg(long, value_name = "PROMISE", help_heading = "What to test")]
    progress: Option<TypedProgress>,

    /// What happens to freed memory [default: both]
    #[arg(long, value_name = "MODE", help_heading = "How")]
    allocator: Option<TypedAllocator>,

    /// How many processors the program is told that there are: with one, code that would spin for a while waits at once [default: 2]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=2), help_heading = "How")]
    cpus: Option<u8>,

    /// Numbers that `rand`, `random`, `lrand48` and `rand_r` give are choices: all of 0 to N - 1 are tried
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..), help_heading = "How")]
    random: Option<u8>,

    /// Let each thread wake once at a condition though nobody wakes it, in every client; sequential consistency only [default: the smallest clients get a share of the time]
    #[arg(long, help_heading = "How")]
    spurious: bool,

    /// Whether accesses inside Rust's standard library are steps [default: trusted]
    #[arg(long, value_name = "HOW", help_heading = "How")]
    std: Option<TypedStd>,

    /// What atomics weaker than seq_cst may do [default: sc is promised, c20 gets a share of the time]
    #[arg(long, value_name = "MODEL", help_heading = "How")]
    memory_model: Option<TypedModel>,

    /// What a data race is [default: fail]
    #[arg(long, value_name = "WHAT", help_heading = "How")]
    races: Option<TypedRaces>,

    /// A variable or field whose data races are meant
    #[arg(long = "allow-race", value_name = "NAME", help_heading = "How")]
    allowed_races: Vec<String>,
}

/// The files of a program, and how they are compiled.
#[derive(Clone, Debug, Default, PartialEq, Eq, clap::Args)]
pub(crate) struct ProgramFiles {
    /// A harness and the files it needs: C, C++, Rust, LLVM bitcode; or a program with a main
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// What the program is linked with: bitcode, or objects, archives and libraries that carry it (`linspect cc`)
    #[arg(long, value_name = "FILE", help_heading = "What to test")]
    link: Vec<PathBuf>,

    /// One more argument for clang, such as -Iinclude
    #[arg(
        long = "cflag",
        value_name = "FLAG",
        allow_hyphen_values = true,
        help_heading = "How"
    )]
    pub(crate) c_flags: Vec<String>,
}

impl ProgramFiles {
    /// All files, the harness first.
    pub(crate) fn all(&self) -> Vec<PathBuf> {
        [&self.files[..], &self.link].concat()
    }
}

/// What happens to freed memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum TypedAllocator {
    /// It is handed out again, last freed first, so that ABA can happen
    Reuse,
    /// It is never handed out again
    Fresh,
    /// The one, then, for clients where memory was handed out again, the other
    Both,
}

impl From<TypedAllocator> for Reuse {
    fn from(typed: TypedAllocator) -> Self {
        match typed {
            TypedAllocator::Reuse => Self::Lifo,
            TypedAllocator::Fresh => Self::Fresh,
            TypedAllocator::Both => Self::Both,
        }
    }
}

/// What is promised about operations that others hinder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
#[allow(clippy::enum_variant_names, reason = "the literature calls them so")]
pub(crate) enum TypedProgress {
    /// Whoever runs alone returns
    ObstructionFree,
    /// Whoever runs, somebody returns
    LockFree,
    /// Everybody returns, whatever others do
    WaitFree,
}

impl From<TypedProgress> for ProgressGuarantee {
    fn from(typed: TypedProgress) -> Self {
        match typed {
            TypedProgress::ObstructionFree => Self::ObstructionFree,
            TypedProgress::LockFree => Self::LockFree,
            TypedProgress::WaitFree => Self::WaitFree,
        }
    }
}

/// What atomics weaker than `seq_cst` may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum TypedModel {
    /// Nothing more: every read reads what was written last
    Sc,
    /// What C++20, C and Rust allow, apart from load buffering: reads may read older values as far as orderings let them
    C20,
}

impl From<TypedModel> for MemoryModel {
    fn from(typed: TypedModel) -> Self {
        match typed {
            TypedModel::Sc => Self::Sc,
            TypedModel::C20 => Self::C20,
        }
    }
}

/// What a data race is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum TypedRaces {
    /// A fault
    Fail,
    /// Worth a note
    Note,
}

impl From<TypedRaces> for RaceIs {
    fn from(typed: TypedRaces) -> Self {
        match typed {
            TypedRaces::Fail => Self::Fault,
            TypedRaces::Note => Self::Noted,
        }
    }
}

/// Whether accesses inside Rust's standard library are steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum TypedStd {
    /// Only atomics that threads synchronise by
    Trusted,
    /// All, like those of any other code
    Visible,
}

impl From<TypedStd> for StdAccesses {
    fn from(typed: TypedStd) -> Self {
        match typed {
            TypedStd::Trusted => Self::Trusted,
            TypedStd::Visible => Self::Visible,
        }
    }
}

impl From<RunOptions> for RunSettings {
    fn from(typed: RunOptions) -> Self {
        Self {
            spec: typed.spec,
            relax: typed.relax,
            functions: typed.functions,
            leaks: typed.leaks,
            allocator: typed.allocator.map(Into::into),
            cpus: typed.cpus,
            random: typed.random,
            spurious: typed.spurious,
            std: typed.std.map(Into::into),
            memory_model: typed.memory_model.map(Into::into),
            races: typed.races.map(Into::into),
            allowed_races: typed.allowed_races,
            progress: typed.progress.map(Into::into),
            ..Self::default()
        }
    }
}
