//! The zoo in the machine: programs fail, wrong objects are found wrong with their clients, right ones are not.

mod alarms;
mod reduction;
mod retries;

use linspect_core::check::Unlimited;
use linspect_core::client::Client;
use linspect_core::defect::Defect;
use linspect_core::execution::FaultKind;
use linspect_core::machine::Subject;
use linspect_core::property::{FaultFree, Linearizable};
use linspect_core::spec::{Spec, Visitor};
use linspect_explore::search::{Coverage, Explored, Plan, explore};
use linspect_vm::{LoadedProgram, Settings, frontend};
use linspect_zoo::{Case, Language, Object, Zoo};
use std::path::Path;

/// Executions of one client; enough to exhaust most of them.
const EXECUTIONS: u64 = 20_000;

fn load(zoo: &Path, files: &[String]) -> Result<LoadedProgram, String> {
    let source = frontend::Source {
        files: files.iter().map(|file| zoo.join(file)).collect(),
        ..frontend::Source::default()
    };
    let program = frontend::load(&source).map_err(|e| e.to_string())?;
    LoadedProgram::new(program, Settings::default()).map_err(|e| e.to_string())
}

fn plan() -> Plan {
    Plan {
        executions: Some(EXECUTIONS),
        ..Plan::exhaustive()
    }
}

/// Reports what `examine` complains about, all at once. The sources go to a folder of their own that stays, so that what was
/// compiled from them is found again.
fn examine_all<T>(
    folder: &str,
    items: &[T],
    name: impl Fn(&T) -> &str,
    examine: impl Fn(&T, &Path) -> Result<(), String>,
) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(folder);
    Zoo::extract(&folder).expect("extracts");
    let complaints: Vec<String> = items
        .iter()
        .filter_map(|item| {
            let complaint = examine(item, &folder).err()?;
            Some(format!("{}: {complaint}", name(item)))
        })
        .collect();
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
}

#[test]
fn every_program_fails_its_assertion() {
    let zoo = Zoo::bundled().expect("the zoo is in order");
    examine_all(
        "programs",
        &zoo.programs,
        |program| &program.name,
        |program, folder| {
            let code = load(folder, &program.files)?;
            let explored = explore(
                &code,
                Client::default(),
                FaultFree,
                &plan(),
                &Unlimited,
                &|_, _| {},
            )
            .map_err(|e| e.to_string())?;
            match explored.error().map(|found| &found.kind) {
                Some(Defect::Fault(fault)) if fault.kind == FaultKind::Assertion => Ok(()),
                other => Err(format!("found {other:?}")),
            }
        },
    );
}

#[test]
fn every_client_has_its_verdict() {
    let zoo = Zoo::bundled().expect("the zoo is in order");
    examine_all("objects", &zoo.objects, |object| &object.name, examine);
}

/// What is compiled for an object.
fn files(object: &Object) -> Vec<String> {
    let harness = object.harness.iter().cloned();
    match object.language {
        // A Rust harness contains its object.
        Language::Rust => harness.collect(),
        Language::C | Language::Cpp => object.files.iter().cloned().chain(harness).collect(),
    }
}

fn examine(object: &Object, folder: &Path) -> Result<(), String> {
    let code = load(folder, &files(object))?;
    for case in &object.cases {
        let client = case.client(code.operations()).map_err(|e| e.to_string())?;
        let explored = object.spec.visit(ExploreWith {
            code: &code,
            client,
        });
        explored
            .and_then(|explored| expected(case, &explored))
            .map_err(|e| format!("{}: {e}", case.row))?;
    }
    Ok(())
}

fn expected(case: &Case, explored: &Explored) -> Result<(), String> {
    let error = explored.error().map(|found| &found.kind);
    match (error, case.linearizable) {
        // An object that is wrong in its results may wait for ever before anybody sees them.
        (Some(Defect::Violation | Defect::Livelock(_)), false) => Ok(()),
        (None, true) => match explored.coverage {
            Coverage::Exhausted { .. } => Ok(()),
            ref other => Err(format!("{other:?}")),
        },
        (None, false) => Err(format!("found nothing: {:?}", explored.coverage)),
        (Some(kind), _) => Err(format!("found {kind:?}")),
    }
}

/// Explores a client under a specification.
struct ExploreWith<'a> {
    code: &'a LoadedProgram,
    client: Client,
}

impl Visitor for ExploreWith<'_> {
    type Output = Result<Explored, String>;

    fn visit<S: Spec>(self, spec: &S) -> Self::Output {
        let property = Linearizable::new(spec, &self.client, self.code.operations())
            .map_err(|e| e.to_string())?;
        explore(
            self.code,
            self.client,
            property,
            &plan(),
            &Unlimited,
            &|_, _| {},
        )
        .map_err(|e| e.to_string())
    }
}
