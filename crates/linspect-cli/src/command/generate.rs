//! `linspect generate`: synthetic histories, right or wrong.

use crate::exit::Exit;
use crate::failure::Failure;
use crate::screen::Screen;
use crate::section::Section;
use linspect_core::generate::{PlantedFault, Workload};
use linspect_core::spec::Builtin;
use linspect_format::{Recorded, edn, jsonl};
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// Options of `linspect generate`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct GenerateArgs {
    /// The object: register, queue, stack, set, kv, …
    #[arg(value_name = "TYPE")]
    spec: String,

    /// How many operations
    #[arg(long, value_name = "N", default_value_t = 100)]
    ops: usize,

    /// By how many clients, each calling one operation after the other
    #[arg(long, value_name = "N", default_value_t = 4)]
    clients: u32,

    /// How many different values are written or put in [default: a new one each time]
    #[arg(long, value_name = "N")]
    values: Option<NonZeroUsize>,

    /// How many operations never return, so that nobody knows whether they took effect
    #[arg(long, value_name = "N", default_value_t = 0)]
    unknown: usize,

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
  linspect generate stack --fault reordered --seed 7 | linspect check -
  linspect generate cas-register --ops 10000 --unknown 100 | linspect check -";

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum TypedFormat {
    /// One JSON object per operation (docs/format.md)
    Jsonl,
    /// Events of Jepsen and Knossos
    Edn,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum TypedFault {
    /// An operation sees the object as it was before
    Stale,
    /// An operation returns as if it had taken effect, and has not
    Lost,
    /// Two operations get each other's results
    Reordered,
}

impl From<TypedFault> for PlantedFault {
    fn from(typed: TypedFault) -> Self {
        match typed {
            TypedFault::Stale => Self::Stale,
            TypedFault::Lost => Self::Lost,
            TypedFault::Reordered => Self::Reordered,
        }
    }
}

/// Makes a history and writes it.
pub(crate) fn run(typed: &GenerateArgs, screen: &mut Screen) -> Result<Exit, Failure> {
    let spec = Builtin::named(&typed.spec).map_err(|error| Failure::Usage {
        message: error.to_string(),
        help: "choose one of them",
        section: Section::Specifications,
    })?;
    let name = spec.name().to_owned();
    if let Builtin::Rendezvous(_) | Builtin::Exchanger(_) | Builtin::Barrier(_) = spec {
        return Err(Failure::Usage {
            message: format!(
                "histories of type {name} are not generated: its callers have to meet"
            ),
            help: "record one, or choose another type",
            section: Section::Specifications,
        });
    }
    let workload = Workload {
        spec,
        operations: typed.ops,
        clients: typed.clients,
        values: typed.values.map(NonZeroUsize::get),
        unknown: typed.unknown,
        fault: typed.fault.map(PlantedFault::from),
        seed: typed.seed,
    };
    let least = workload.least_operations();
    if workload.operations < least {
        return Err(Failure::Usage {
            message: format!("a {name} with a fault needs at least {least} operations"),
            help: "say more with --ops",
            section: Section::CommandLine,
        });
    }
    let write = |to: &mut dyn Write| -> io::Result<()> {
        match typed.format {
            // One line after the other, however many there are.
            TypedFormat::Jsonl => {
                jsonl::write_header(&name, workload.operations, &mut *to)?;
                workload.each(&mut |method, op| jsonl::write_operation(method, &op, &mut *to))
            }
            TypedFormat::Edn => {
                let recorded = Recorded {
                    history: workload.generate(),
                    spec: Some(name.clone()),
                    ..Recorded::default()
                };
                edn::write(&recorded, to)
            }
        }
    };
    match &typed.out {
        None => screen.stream(write)?,
        Some(path) => crate::files::stream(path, write)?,
    }
    Ok(Exit::Holds)
}
