//! `linspect zoo`: the objects of the literature, buggy and fixed.

use super::test::Test;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::screen::Screen;
use crate::section::Section;
use linspect_core::value::Value;
use linspect_engine::RunSettings;
use linspect_report::finding::Span;
use linspect_zoo::{Call, Case, Object, Zoo};
use std::path::{Path, PathBuf};

/// Options of `linspect zoo`.
#[derive(Debug, clap::Args)]
pub(crate) struct ZooArgs {
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
pub(crate) fn run(typed: &ZooArgs, screen: &mut Screen) -> Result<Exit, Failure> {
    let zoo = Zoo::bundled().map_err(Failure::Zoo)?;
    match &typed.action {
        None => list(&zoo, screen),
        Some(Action::Run { name, out }) => test(&zoo, name, out, screen),
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

/// Tests the object or program called `name`, and says whether what is known of it was found.
pub(super) fn test(
    zoo: &Zoo,
    name: &str,
    out: &Path,
    screen: &mut Screen,
) -> Result<Exit, Failure> {
    let folder = out.join("zoo");
    Zoo::extract(&folder).map_err(Failure::Zoo)?;
    if let Some(object) = zoo.object(name) {
        return test_object(object, &folder, out, screen);
    }
    let program = zoo.programs.iter().find(|program| program.name == name);
    let program = program.ok_or_else(|| Failure::Usage {
        message: format!("there is nothing called `{name}` in the zoo"),
        help: "see `linspect zoo`",
        section: Section::CommandLine,
    })?;
    let files = program.files.iter().map(|f| folder.join(f)).collect();
    let mut test = Test::of(files, None, out.to_owned());
    let found = test.find_out()?;
    let exit = Exit::of_finding(&found.finding);
    test.show(&found, screen)?;
    let is_described = program.is_described(found.finding.slice().map(Span::lines));
    known(Some(&program.bug), exit, is_described, screen);
    Ok(exit)
}

/// Preemptions for objects whose schedules have no end.
const PREEMPTIONS: u32 = 2;

/// Runs the object's clients of the literature, as strictly as it is meant, until one goes wrong.
fn test_object(
    object: &Object,
    folder: &Path,
    out: &Path,
    screen: &mut Screen,
) -> Result<Exit, Failure> {
    let files = object.harness.iter().chain(&object.files);
    // A Rust harness names the object's file itself.
    let files: Vec<PathBuf> = files
        .filter(|f| !f.starts_with("rust/src/"))
        .map(|f| folder.join(f))
        .collect();
    let is_right = object.linearizable || object.quasi == Some(true);
    let mut clients: Vec<Option<String>> = object.cases.iter().map(client).map(Some).collect();
    // Whatever the literature's clients show, all small ones show the rest.
    clients.push(None);
    let last = clients.len() - 1;
    for (i, client) in clients.into_iter().enumerate() {
        let mut test = Test::of(files.clone(), client, out.to_owned());
        if let (Some(k), Some(_)) = (object.k, object.quasi) {
            let settings = RunSettings {
                relax: Some(k),
                ..RunSettings::default()
            };
            test.set(settings, Vec::new());
        }
        let mut found = test.find_out()?;
        // Where operations can disturb each other without end, no bound on their steps covers every schedule; one on preemptions does.
        if is_right && Exit::of_finding(&found.finding) == Exit::Inconclusive {
            test.preempt_at_most(PREEMPTIONS);
            found = test.find_out()?;
        }
        let exit = Exit::of_finding(&found.finding);
        if exit != Exit::Holds || is_right || i == last {
            test.show(&found, screen)?;
            let bug = object.bug.as_deref().filter(|_| !is_right);
            let is_described = object.is_described(
                found.finding.repaired_blocks().map(Span::lines),
                found.finding.decided_at().map(Span::lines),
                found.finding.is_sequential(),
            );
            known(bug, exit, is_described, screen);
            return Ok(exit);
        }
    }
    Ok(Exit::Holds)
}

/// Says what is known of an entry beside what was found, and whether the two are the same.
fn known(bug: Option<&str>, exit: Exit, is_described: bool, screen: &mut Screen) {
    screen.note(&match (bug, exit) {
        (Some(bug), Exit::Violation) if is_described => format!("known fault: found ✓ ({bug})"),
        (Some(bug), Exit::Violation) => {
            format!("a fault was expected, perhaps not this one: {bug}")
        }
        (Some(bug), _) => format!("a fault was expected and not found: {bug}"),
        (None, Exit::Holds) => "known to be right: nothing found ✓".into(),
        (None, _) => "known to be right".into(),
    });
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
