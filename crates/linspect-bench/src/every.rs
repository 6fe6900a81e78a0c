//! `linspect-bench minimise`: long random runs of every wrong object of the zoo, each made the smallest test.

use crate::failure::Failure;
use crate::long::{BAR, Detected, LongRuns, Minimised};
use crate::print;
use crate::rows::load_object;
use linspect_core::client::Declared;
use linspect_core::machine::Subject;
use linspect_core::spec::{Erased, Spec, Visitor};
use linspect_engine::client_text::show as show_client;
use linspect_explore::detect::Sampler;
use linspect_vm::LoadedProgram;
use linspect_zoo::{Object, Zoo};
use std::path::PathBuf;
use std::time::Duration;

/// Threads and operations of each.
const SIZES: [(usize, usize); 4] = [(2, 50), (2, 200), (2, 500), (3, 50)];

/// Runs in which a bad one is looked for.
const ATTEMPTS: u64 = 40;

/// Options of `minimise`.
#[derive(Debug, clap::Args)]
pub(crate) struct MinimiseArgs {
    /// Bad runs of each object, size and way to choose schedules
    #[arg(long, value_name = "COUNT", default_value_t = 1)]
    runs: u64,

    /// Only the objects whose names contain this
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,

    /// Where sources go
    #[arg(long, value_name = "FOLDER", default_value = "linspect-out")]
    out: PathBuf,
}

/// Prints a line for every run, and says whether each is made a certified test in time.
pub(crate) fn run(typed: &MinimiseArgs) -> Result<bool, Failure> {
    let zoo = Zoo::bundled()?;
    let folder = typed.out.join("zoo");
    Zoo::extract(&folder)?;
    let named = |o: &&Object| typed.only.as_ref().is_none_or(|n| o.name.contains(n));
    let wrong = |o: &&Object| o.k.is_none() && o.cases.iter().any(|c| !c.linearizable);
    let mut times = Vec::new();
    let mut certified = 0;
    for object in zoo.objects.iter().filter(wrong).filter(named) {
        let code = load_object(object, &folder)?;
        for (threads, operations) in SIZES {
            let runs = LongRuns {
                declared: declared(object, &code),
                code: &code,
                threads,
                operations,
            };
            let depth = runs.depth();
            for (name, sampler) in [
                ("random", Sampler::Random),
                ("dpct", Sampler::Dpct { depth }),
            ] {
                let every = Every {
                    runs: &runs,
                    sampler,
                    count: typed.runs,
                };
                for (seed, made) in object.spec.visit(every) {
                    let what = format!("{} {threads}×{operations} {name} {seed}", object.name);
                    let Some((detected, minimised)) = made else {
                        print(&format!("  – {what:<46} no bad run\n"))?;
                        continue;
                    };
                    let time = detected.time + minimised.time;
                    times.push(time);
                    certified += usize::from(minimised.test.is_certified());
                    print(&line(&what, &detected, &minimised, &runs.declared))?;
                }
            }
        }
    }
    let count = times.len();
    times.sort_unstable();
    let in_time = times.iter().filter(|t| **t <= BAR).count();
    let at = |part: usize| times.get(count * part / 100).copied().unwrap_or_default();
    print(&format!(
        "{certified} of {count} certified, {in_time} within {} ms; half within {} ms, 9 of 10 within {} ms, all within {} ms\n",
        BAR.as_millis(),
        at(50).as_millis(),
        at(90).as_millis(),
        times.last().map_or(0, Duration::as_millis),
    ))?;
    // Times mean nothing in a build for debugging.
    Ok(certified == count && (in_time == count || cfg!(debug_assertions)))
}

/// What long clients of `object` call: what the tables say, or else everything.
fn declared(object: &Object, code: &LoadedProgram) -> Vec<Declared> {
    let operations = code.operations();
    let mut long = object.cases.iter().filter_map(|case| case.long.as_ref());
    let table = long.find_map(|long| long.declared(operations).ok());
    table.unwrap_or_else(|| operations.to_vec())
}

fn line(what: &str, detected: &Detected, minimised: &Minimised, declared: &[Declared]) -> String {
    let test = &minimised.test;
    let mark = if test.is_certified() { "✓" } else { "✗" };
    let called = detected.watched.execution.steps.iter();
    let calls = called.filter(|s| s.called.is_some()).count();
    format!(
        "  {mark} {what:<46} {:>4} + {:>4} ms  {calls:>4} calls to {}\n",
        detected.time.as_millis(),
        minimised.time.as_millis(),
        show_client(&test.client, declared),
    )
}

/// Some bad runs, with the seeds they begin with.
struct Every<'a> {
    runs: &'a LongRuns<'a>,
    sampler: Sampler,
    count: u64,
}

impl Visitor for Every<'_> {
    type Output = Vec<(u64, Option<(Detected, Minimised)>)>;

    fn visit<S: Spec + Sync>(self, spec: &S) -> Self::Output
    where
        S::State: Send,
        S::Call: Send,
    {
        let spec = &Erased::new(spec);
        let seeds = (0..self.count).map(|i| i * ATTEMPTS);
        let made = seeds.map(|seed| {
            let detected = self.runs.detect(spec, self.sampler, seed..seed + ATTEMPTS);
            let minimised = detected.map(|d| {
                let minimised = self.runs.minimise(spec, &d);
                (d, minimised)
            });
            (seed, minimised)
        });
        made.collect()
    }
}
