//! `linspect zoo`: the objects of the literature, buggy and fixed.

use super::test::Test;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::screen::Screen;
use linspect_core::value::Value;
use linspect_zoo::{Call, Case, Object, Zoo};
use std::path::PathBuf;

/// Options of `linspect zoo`.
#[derive(Debug, clap::Args)]
pub(crate) struct Typed {
    #[command(subcommand)]
    action: Option<Action>,
}

#[derive(Debug, clap::Subcommand)]
enum Action {
    /// Test one of them
    Run {
        /// Which
        name: String,

        /// Where reports go
        #[arg(long, value_name = "FOLDER", default_value = "linspect-out")]
        out: PathBuf,
    },
}

/// Lists the zoo, or tests one of its objects.
pub(crate) fn run(typed: &Typed, screen: &mut Screen) -> Result<Exit, Failure> {
    let zoo = Zoo::bundled().map_err(Failure::Zoo)?;
    match &typed.action {
        None => list(&zoo, screen),
        Some(Action::Run { name, out }) => {
            let object = zoo.object(name).ok_or_else(|| Failure::Usage {
                message: format!("there is no object `{name}` in the zoo"),
                help: "see `linspect zoo`",
            })?;
            test(object, out.clone(), screen)
        }
    }
}

fn list(zoo: &Zoo, screen: &mut Screen) -> Result<Exit, Failure> {
    let mut text = String::new();
    for object in &zoo.objects {
        let said = object.bug.as_deref().unwrap_or("correct");
        let language = format!("{:?}", object.language).to_lowercase();
        text.push_str(&format!("{:<34} {language:<5} {said}\n", object.name));
    }
    for program in &zoo.programs {
        let language = format!("{:?}", program.language).to_lowercase();
        text.push_str(&format!(
            "{:<34} {language:<5} {}\n",
            program.name, program.bug
        ));
    }
    screen.print(&text)?;
    Ok(Exit::Holds)
}

/// Runs the object's first client of the literature.
fn test(object: &Object, out: PathBuf, screen: &mut Screen) -> Result<Exit, Failure> {
    let folder = out.join("zoo");
    Zoo::extract(&folder).map_err(Failure::Zoo)?;
    let files = object.harness.iter().chain(&object.files);
    // A Rust harness names the object's file itself.
    let files = files
        .filter(|f| !f.starts_with("rust/src/"))
        .map(|f| folder.join(f))
        .collect();
    let client = object.cases.first().map(client);
    Test::of(files, client, out).run(screen)
}

/// A client as `linspect test --client` takes it.
fn client(case: &Case) -> String {
    let threads: Vec<String> = case.threads.iter().map(|t| calls(t)).collect();
    format!(
        "[{}] {} [{}]",
        calls(&case.before),
        threads.join(" | "),
        calls(&case.after)
    )
}

fn calls(calls: &[Call]) -> String {
    let show = |call: &Call| match &call.argument {
        Value::Unit => call.method.clone(),
        argument => {
            let items: Vec<String> = argument.items().iter().map(ToString::to_string).collect();
            format!("{}({})", call.method, items.join(", "))
        }
    };
    calls.iter().map(show).collect::<Vec<_>>().join(" ")
}
