//! `linspect generate`: synthetic histories, right or wrong.

use crate::exit::Exit;
use crate::failure::Failure;
use crate::screen::Screen;
use linspect_core::generate::{Fault, Workload};
use linspect_core::spec::Builtin;
use linspect_format::{Recorded, edn, jsonl};
use std::io::{self, Write};
use std::path::PathBuf;

/// Options of `linspect generate`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Typed {
    /// The object: register, queue, stack, set, kv, …
    #[arg(value_name = "TYPE")]
    spec: String,

    /// How many operations
    #[arg(long, value_name = "N", default_value_t = 100)]
    ops: usize,

    /// By how many clients, each calling one operation after the other
    #[arg(long, value_name = "N", default_value_t = 4)]
    clients: u32,

    /// What goes wrong, once, in the middle
    #[arg(long, value_name = "FAULT")]
    fault: Option<TypedFault>,

    /// What all choices are made from: the same seed makes the same history
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    seed: u64,

    /// How to write it
    #[arg(long, value_name = "FORMAT", default_value = "jsonl")]
    format: TypedFormat,

    /// Where to write it [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  linspect generate queue --ops 1000000 --clients 32 --out queue.jsonl
  linspect generate stack --fault reordered --seed 7 | linspect check -";

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum TypedFormat {
    /// One JSON object per operation (docs/format.md)
    Jsonl,
    /// Events of Jepsen and Knossos
    Edn,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum TypedFault {
    /// An operation sees the object as it was some time ago
    Stale,
    /// Operations return as if they had taken effect, and have not
    Lost,
    /// Two operations that were far apart get each other's results
    Reordered,
}

impl From<TypedFault> for Fault {
    fn from(typed: TypedFault) -> Self {
        match typed {
            TypedFault::Stale => Self::Stale,
            TypedFault::Lost => Self::Lost,
            TypedFault::Reordered => Self::Reordered,
        }
    }
}

/// Makes a history and writes it.
pub(crate) fn run(typed: &Typed, screen: &mut Screen) -> Result<Exit, Failure> {
    let spec = Builtin::named(&typed.spec).map_err(|error| Failure::Usage {
        message: error.to_string(),
        help: "choose one of them",
    })?;
    let name = spec.name().to_owned();
    let workload = Workload {
        spec,
        operations: typed.ops,
        clients: typed.clients,
        fault: typed.fault.map(Fault::from),
        seed: typed.seed,
    };
    let recorded = Recorded {
        history: workload.generate(),
        spec: Some(name),
        ..Recorded::default()
    };
    let write = |to: &mut dyn Write| -> io::Result<()> {
        match typed.format {
            TypedFormat::Jsonl => jsonl::write(&recorded, to),
            TypedFormat::Edn => edn::write(&recorded, to),
        }
    };
    match &typed.out {
        None => screen.stream(write)?,
        Some(path) => crate::files::stream(path, write)?,
    }
    Ok(Exit::Holds)
}
