//! A plain program whose functions are recorded as operations: what its first run tells.

use crate::error::Error;
use crate::infer::{Inferred, infer};
use linspect_core::client::Client;
use linspect_core::history::History;
use linspect_core::machine::Subject;
use linspect_core::project::project;
use linspect_core::schedule::Schedule;
use linspect_explore::search::SearchError;
use linspect_vm::{Chooser, LoadedProgram};

/// How many steps the first run may take.
const STEPS: usize = 100_000;

/// What the operations of a program do when its threads run one after the other, as far as they can.
pub(super) fn first_history(code: &LoadedProgram) -> Result<History, Error> {
    let client = Client::default();
    let first = Chooser::Given(Schedule::default());
    let ran = linspect_vm::run(code, &client, &first, STEPS).map_err(SearchError::from)?;
    let history = project(&ran.execution, &client, code.operations()).history;
    if history.operations.is_empty() {
        let names = code.operations().iter().map(|o| o.name.clone());
        return Err(Error::NeverCalled(names.collect()));
    }
    Ok(history)
}

/// The specification that the operations of a program suggest.
pub(super) fn suggested(name: &str, history: &History) -> Result<&'static str, Error> {
    let (name, methods) = (name.to_owned(), history.methods.join(", "));
    match infer(history) {
        Inferred::Spec(name) => Ok(name),
        Inferred::Ambiguous(candidates) => Err(Error::Ambiguous {
            name,
            methods,
            candidates,
        }),
        Inferred::Nothing => Err(Error::NoSpec { name, methods }),
    }
}
