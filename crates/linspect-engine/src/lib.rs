//! The pipeline of Linspect as a library: a program in, a finding out.
//!
//! It prints nothing and knows no command line: [`Loaded::load`] reads a program, [`investigate`] finds out what a [`Request`] asks about it, and
//! whoever wants to know how far it is listens to [`Events`].

mod again;
pub mod client_text;
mod covered;
mod diagnose;
mod error;
mod events;
pub mod infer;
pub mod internal;
pub mod interrupt;
mod investigate;
pub mod limits;
pub mod long;
mod mend;
mod narrate;
mod origin;
mod program;
mod races;
mod reasons;
mod regression;
mod relaxation;
mod replay;
mod request;
mod settings;
mod spec;
mod tree;

pub use error::Error;
pub use events::{Event, Events, Silence};
pub use investigate::Investigated;
pub use origin::{Loaded, Origin};
pub use relaxation::SmallestK;
pub use request::{Effort, Request, Task};
pub use settings::{RaceIs, RunSettings, StdAccesses, read_token, shared_word};
pub use tree::TreeForm;

use investigate::{Chosen, Investigation};
use linspect_core::machine::Subject;
use linspect_core::spec::Erased;
use linspect_core::verdict::Criterion;
use linspect_explore::search::SearchError;
use linspect_explore::sequential::Sequential;
use linspect_vm::Code;
use races::Races;
use relaxation::{Order, Relax};
use spec::Measure;

/// Finds out what `request` asks about a program. A panic on the way is an error, not the end of the process.
pub fn investigate(
    loaded: &Loaded,
    request: &Request,
    events: &dyn Events,
) -> Result<Investigated, Error> {
    let Loaded {
        origin,
        settings,
        code,
    } = loaded;
    if let Task::Minimise(token) = &request.task
        && token.fingerprint != code.fingerprint()
    {
        return Err(Error::Changed(origin.name()));
    }
    if let Task::Replay(token) = &request.task {
        loaded.fits(token)?;
    }
    let asked = Asked {
        origin,
        settings,
        request,
        events,
    };
    internal::caught("testing this", || asked.of(code))
        .unwrap_or_else(|error| Err(Error::Internal(error)))
}

/// A question about a program.
struct Asked<'a> {
    origin: &'a Origin,
    settings: &'a RunSettings,
    request: &'a Request,
    events: &'a dyn Events,
}

impl Asked<'_> {
    /// Starts again with more memory shared from its birth whenever threads were seen to hide some.
    fn of(&self, code: &Code) -> Result<Investigated, Error> {
        let investigated = self.of_code_as_set_up(code);
        let mut hidden = code.take_hidden();
        if let Err(Error::Search(error)) = &investigated
            && let SearchError::Hidden(fault) = &**error
        {
            // Of the first client that showed any: which others did depends on how fast the cores are.
            hidden = fault.related.into_iter().collect();
        }
        if hidden.is_empty() {
            return investigated;
        }
        self.of(&code.sharing(hidden))
    }

    fn of_code_as_set_up(&self, code: &Code) -> Result<Investigated, Error> {
        let (request, declared) = (self.request, code.operations());
        let effort = &request.effort;
        let clients = match (request.client.as_deref().or(code.client()), effort.long) {
            (Some(text), _) => Some(vec![client_text::parse(text, declared)?]),
            (None, Some(long)) => Some(long.clients(declared, effort.method.seed())),
            (None, None) => None,
        };
        let investigation = Investigation {
            code,
            name: self.origin.name(),
            replay: self.origin.replay_command(self.settings),
            files: self.origin.sources(),
            clients: clients.map(|clients| Chosen::named(clients, effort.method)),
            criterion: Criterion::Linearizable,
            task: &request.task,
            events: self.events,
            level: request.level,
            races: Races::of(self.settings, code),
            effort,
        };
        let relax = self.relax();
        if declared.is_empty() {
            return match relax {
                Relax::No => investigation.plain(),
                _ => Err(Error::NoOperations),
            };
        }
        let spec = self.settings.spec.as_deref();
        let measure = if code.is_program() {
            spec::of_program(spec, &self.origin.name(), code)?
        } else {
            spec::choose(spec, code)?
        };
        if !code.is_program() {
            spec::inspect(code, &measure)?;
        }
        match measure {
            Measure::Builtin(spec) => {
                relaxation::investigate(investigation, &Order::Builtin(&spec), relax)
            }
            Measure::Model(model) => {
                relaxation::investigate(investigation, &Order::Model(&model), relax)
            }
            Measure::Itself if relax != Relax::No => {
                Err(Error::Rigid("the object's own sequential behaviour".into()))
            }
            Measure::Itself => investigation.against(&Erased::new(&Sequential::new(code))),
        }
    }

    /// How strict to be.
    fn relax(&self) -> Relax {
        match self.settings.relax {
            _ if self.request.min_k => Relax::Least,
            Some(k) => Relax::By(k),
            None => Relax::No,
        }
    }
}
