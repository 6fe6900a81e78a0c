//! The pipeline of Linspect, the linearizability debugger, as a library: a program in, a finding out.
//!
//! [`Loaded::load`] compiles and reads a program, [`investigate`] finds out what a [`Request`] asks about it, and the [`Finding`] is data: a verdict with
//! what it covers, and for a violation the smallest test, the decisive races, repairs that were checked again, and the lines that explain it. Nothing is
//! printed; whoever wants to know how far it is listens to [`Events`], and whoever asks to stop ([`interrupt::ask`]) is given what is known.
//!
//! ```
//! use linspect_engine::{Loaded, ProgramOrigin, Request, RunSettings, Silence, Verdict, investigate};
//!
//! # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).unwrap();
//! // A harness names the operations of an object (docs/harness.md): here `increment` and `get` of a counter that is not atomic.
//! let harness = ProgramOrigin::files(["zoo/rust/harness/counter.rs"]);
//! let loaded = Loaded::load(harness, RunSettings::default())?;
//! let found = investigate(&loaded, &Request::default(), &Silence)?;
//!
//! let finding = &found.finding;
//! assert!(matches!(finding.verdict, Verdict::Violated { .. }));
//! let test = finding.minimal_test.as_ref().expect("a violation has a smallest test");
//! assert_eq!(test.threads.len(), 2);
//! let repairs = finding.repairs.as_ref().expect("and something to make atomic");
//! let block = &repairs.found[0].blocks[0];
//! println!("{}: lines {} to {} must be one step", block.file, block.line, block.last_line);
//! # Ok::<(), linspect_engine::Error>(())
//! ```

mod chosen;
pub mod client_text;
pub mod clock_budget;
mod counterexample;
mod declared;
mod diagnose;
mod error;
mod events;
mod finding;
pub mod infer;
pub mod internal;
pub mod interrupt;
mod investigate;
mod investigated;
pub mod long_clients;
mod long_loops;
mod memory_models;
mod notes;
mod orderings;
mod origin;
mod program;
mod progress;
mod races;
mod relaxation;
mod reminimise;
mod replay;
mod request;
mod settings;
pub mod shard;
mod single_run;
mod spec_source;
mod spurious_wakeups;
mod tree;
mod weaker_orderings;

pub use declared::{AskedEffort, DeclaredSettings};
pub use error::Error;
pub use events::{Events, PipelineEvent, Silence};
pub use investigated::Investigated;
pub use linspect_core::execution::MemoryModel;
pub use linspect_diagnose::explain::{Hazards, Level};
pub use linspect_diagnose::localise::Granularity;
pub use linspect_explore::harness_check::HarnessFlaw;
pub use linspect_explore::progress::ProgressGuarantee;
pub use linspect_explore::search::{Method, Progress, SearchError};
pub use linspect_explore::token::Token;
pub use linspect_report::finding::{Finding, Verdict};
pub use linspect_vm::{CodeError, Reuse, frontend};
pub use origin::{Loaded, ProgramOrigin, typed_path};
pub use relaxation::SmallestK;
pub use request::{Effort, Request, Task};
pub use settings::{RaceIs, RunSettings, StdAccesses, read_token};
pub use single_run::{RunEnd, RunSchedule, SingleRun, run_once};
pub use tree::TreeForm;

use investigate::{Investigation, Scope};
use linspect_core::machine::Subject;
use linspect_vm::LoadedProgram;
use spec_source::SpecSource;

/// Finds out what `request` asks about a program.
///
/// Which clients to run and what to measure them by is settled first; then their schedules are searched, each run is judged, and the first that is wrong is
/// made small, localised, repaired and explained. A panic on the way is an error, not the end of the process.
pub fn investigate(
    loaded: &Loaded,
    request: &Request,
    events: &dyn Events,
) -> Result<Investigated, Error> {
    loaded.can(&request.task)?;
    let mut found = memory_models::investigate(loaded, request, events)?;
    if matches!(request.task, Task::Search) {
        found.notes.extend(loaded.idle_settings());
        let undecided = matches!(found.finding.verdict, Verdict::Unknown { .. });
        if undecided && loaded.code.is_program() {
            found.notes.extend(long_loops::said(&loaded.code));
        }
    }
    Ok(found)
}

/// The same under the memory model of `loaded` alone.
fn investigate_once(
    loaded: &Loaded,
    request: &Request,
    scope: Scope<'_>,
    events: &dyn Events,
) -> Result<Investigated, Error> {
    let relax = request.relax(&loaded.settings);
    let of_code = |code: &LoadedProgram| {
        let measure = SpecSource::of(loaded, code)?;
        let told = measure
            .as_ref()
            .and_then(|measure| measure.with_waits(code));
        let code = told.as_ref().unwrap_or(code);
        let investigation = Investigation::new(loaded, code, request, scope, events)?;
        match measure {
            Some(measure) => relaxation::investigate(investigation, &measure, relax),
            None if relax.is_some() => Err(Error::NoOperations),
            None => investigation.plain(),
        }
    };
    internal::caught("testing this", || loaded.sharing_what_is_hidden(&of_code))
        .unwrap_or_else(|error| Err(Error::Internal(error)))
}
