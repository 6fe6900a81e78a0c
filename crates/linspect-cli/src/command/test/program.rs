//! A plain program whose functions are recorded as operations: what its first run tells.

use crate::failure::Failure;
use crate::infer::{Inferred, infer};
use linspect_core::client::Client;
use linspect_core::history::History;
use linspect_core::machine::Subject;
use linspect_core::project::project;
use linspect_core::schedule::Schedule;
use linspect_explore::search::SearchError;
use linspect_vm::{Chooser, Code};

/// How many steps the first run may take.
const STEPS: usize = 100_000;

/// What the operations of a program do when its threads run one after the other, as far as they can.
pub(super) fn first_history(code: &Code) -> Result<History, Failure> {
    let client = Client::default();
    let first = Chooser::Given(Schedule::default());
    let ran = linspect_vm::run(code, &client, &first, STEPS)
        .map_err(|error| Failure::Search(Box::new(SearchError::Start(error))))?;
    let history = project(&ran.execution, &client, code.operations()).history;
    if history.operations.is_empty() {
        let names: Vec<&str> = code.operations().iter().map(|o| o.name.as_str()).collect();
        return Err(Failure::Usage {
            message: format!("the program never calls {}", names.join(" or ")),
            help: "name functions that its threads call; `linspect run FILE --trace` shows what it does",
        });
    }
    Ok(history)
}

/// The specification that the operations of a program suggest.
pub(super) fn suggested(name: &str, history: &History) -> Result<&'static str, Failure> {
    let source_name = name.to_owned();
    let methods = history.methods.join(", ");
    match infer(history) {
        Inferred::Spec(name) => Ok(name),
        Inferred::Ambiguous(candidates) => Err(Failure::Ambiguous {
            source_name,
            methods,
            candidates: candidates.join(", "),
            example: candidates[0],
        }),
        Inferred::Nothing => Err(Failure::NoSpec {
            source_name,
            methods,
        }),
    }
}
