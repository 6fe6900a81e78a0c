//! The table of *Error Invariants for Concurrent Traces*: how much of a failing run each encoding keeps, and whether that shows the bug.

use crate::failure::Failure;
use crate::row::Row;
use crate::rows::load;
use linspect_core::check::Unlimited;
use linspect_core::client::Client;
use linspect_core::execution::SiteId;
use linspect_core::machine::Subject;
use linspect_core::property::FaultFree;
use linspect_core::schedule::Schedule;
use linspect_core::statement::Recording;
use linspect_diagnose::explain::{
    Explained, Level, diverted_schedule, explain, explain_turn, lines_not_run,
};
use linspect_diagnose::localise::{Granularity, localise};
use linspect_explore::search::{Plan, explore};
use linspect_vm::LoadedProgram;
use linspect_vm::frontend::Source;
use linspect_zoo::{Figure, ZooProgram};
use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// States that are looked at for the run with the fewest switches and the good one beside it.
const STATES: usize = 20_000;

/// How long all encodings of one program may take.
const BAR: Duration = Duration::from_millis(50);

/// How long a hundred thousand statements may take.
const LONG_BAR: Duration = Duration::from_secs(1);

/// What the paper keeps on average, in the order of [`Level::ALL`].
const THEIR_AVERAGES: [f64; 4] = [27.0, 35.0, 45.0, 58.8];

/// One program in all encodings.
struct Measured {
    kept: [f64; 4],
    row: Row,
}

/// The rows of all programs, and the averages.
pub(crate) fn rows(programs: &[&ZooProgram], folder: &Path) -> Result<Vec<Row>, Failure> {
    let mut rows = Vec::new();
    let mut sums = [0.0; 4];
    for program in programs {
        let measured = measure(program, folder)?;
        for (sum, kept) in sums.iter_mut().zip(measured.kept) {
            *sum += kept;
        }
        rows.push(measured.row);
    }
    let averages = sums.map(|sum| sum / programs.len().max(1) as f64);
    let reached = averages
        .iter()
        .zip(THEIR_AVERAGES)
        .all(|(ours, theirs)| *ours <= theirs);
    rows.push(Row {
        name: format!("average kept of {} programs", programs.len()),
        object: String::new(),
        theirs: percentages(THEIR_AVERAGES),
        ours: percentages(averages),
        reached,
        time: rows.iter().map(|r| r.time).sum(),
    });
    rows.extend(growth(folder)?);
    Ok(rows)
}

fn measure(program: &ZooProgram, folder: &Path) -> Result<Measured, Failure> {
    let files = program.files.iter().map(|f| folder.join(f)).collect();
    let code = code(files)?;
    let client = Client::default();
    let fail = |ours: String| Measured {
        kept: [100.0; 4],
        row: Row {
            name: program.row.clone(),
            object: program.name.clone(),
            theirs: theirs(program),
            ours,
            reached: false,
            time: Duration::ZERO,
        },
    };
    let Some(Runs { bad, good }) = runs(&code, &client) else {
        return Ok(fail("no failing run".into()));
    };
    let recording = match code.record(&client, &bad) {
        Ok(recording) if !recording.claim.any_of.is_empty() => recording,
        Ok(_) => return Ok(fail("the failure violates no claim".into())),
        Err(error) => return Ok(fail(error.to_string())),
    };
    let start = Instant::now();
    let explained = Level::ALL.map(|level| explain(&recording, level));
    let time = start.elapsed();
    let mut all: Vec<Explained<'_>> = Vec::new();
    for one in explained {
        match one {
            Ok(one) => all.push(one),
            Err(orphan) => return Ok(fail(orphan.to_string())),
        }
    }
    let total = recording.statements.len().max(1) as f64;
    let mut kept = [0.0; 4];
    let mut variables = [0.0; 4];
    for (i, one) in all.iter().enumerate() {
        kept[i] = 100.0 * one.slice.kept.len() as f64 / total;
        let (some, whole) = one.variables();
        variables[i] = 100.0 * some as f64 / whole.max(1) as f64;
    }
    let flaws: Vec<String> = all
        .iter()
        .filter_map(|one| {
            Some(format!(
                "{}: {}",
                one.slice.level.name(),
                one.certify().err()?
            ))
        })
        .collect();
    let lines = Lines {
        code: &code,
        folder,
    };
    let wanted = Wanted::by(program);
    let shown: Vec<bool> = all
        .iter()
        .map(|one| wanted.is_in(&lines.of_slice(one)) && wanted.is_between_threads(one))
        .collect();
    let by_contrast = !shown[3] && {
        let mut seen = lines.of_slice(&all[3]);
        for good in &good {
            if let Ok(good) = code.record(&client, good) {
                seen.extend(lines.absent(&recording, &good));
            }
        }
        wanted.is_in(&seen)
    };
    let reflected = match shown.iter().position(|s| *s) {
        Some(at) => format!("reflected from {}", Level::ALL[at].name()),
        None if by_contrast => "reflected beside good runs".into(),
        None => {
            let missing = wanted.missing(&lines.of_slice(&all[3]));
            format!("NOT reflected, missing lines {missing}")
        }
    };
    let certified = z3(&all);
    let ours = format!(
        "{} of {} statements; variables {}; {reflected}; {}{}",
        percentages(kept),
        recording.statements.len(),
        percentages(variables),
        if flaws.is_empty() {
            "all steps and slices checked".into()
        } else {
            flaws.join("; ")
        },
        certified
            .as_ref()
            .map_or(String::new(), |(done, asked)| format!(
                ", by z3 {done} of {asked}"
            )),
    );
    let reached = (shown[3] || by_contrast)
        && flaws.is_empty()
        && certified.is_none_or(|(done, asked)| done == asked);
    Ok(Measured {
        kept,
        row: Row {
            name: program.row.clone(),
            object: program.name.clone(),
            theirs: theirs(program),
            ours,
            reached,
            time,
        }
        .within(BAR),
    })
}

fn code(files: Vec<std::path::PathBuf>) -> Result<LoadedProgram, Failure> {
    let source = Source {
        files,
        ..Source::default()
    };
    load(source)
}

/// A failing run, if possible with few switches, and good ones nearby.
struct Runs {
    bad: Schedule,
    good: Vec<Schedule>,
}

fn runs(code: &LoadedProgram, client: &Client) -> Option<Runs> {
    let found = localise(
        code,
        client,
        &mut FaultFree,
        &|wrong| wrong.fails,
        Granularity::All,
        STATES,
        &Unlimited,
    );
    if let Ok(Some(found)) = found {
        let bad = found.schedule;
        let mut good: Vec<Schedule> = found.contrast.into_iter().map(|c| c.schedule).collect();
        for race in &found.races {
            let better = race.sides.iter().filter(|s| s.good > 0);
            good.extend(better.filter_map(|side| {
                diverted_schedule(code, client, &bad, race.step, side.step.choice.thread)
            }));
        }
        return Some(Runs { bad, good });
    }
    let plan = Plan::exhaustive();
    let explored = explore(
        code,
        client.clone(),
        FaultFree,
        &plan,
        &Unlimited,
        &|_, _| {},
    )
    .ok()?;
    let found = explored.found.into_iter().find(|f| f.kind.is_error())?;
    let steps = found.execution.steps.iter();
    Some(Runs {
        bad: Schedule(steps.map(|s| s.choice).collect()),
        good: Vec::new(),
    })
}

/// What a slice must show to reflect the bug.
struct Wanted {
    any_of: Vec<BTreeSet<(String, u32)>>,
    interferes: bool,
}

impl Wanted {
    fn by(program: &ZooProgram) -> Self {
        let all = [&program.reflects, &program.or_reflects].into_iter();
        let given = all.filter(|places| !places.is_empty());
        let lines = given.map(|places| places.iter().map(|p| (p.file.clone(), p.line)).collect());
        Self {
            any_of: lines.collect(),
            interferes: program.interferes,
        }
    }

    fn is_in(&self, lines: &BTreeSet<(String, u32)>) -> bool {
        self.any_of.iter().any(|wanted| wanted.is_subset(lines))
    }

    fn is_between_threads(&self, explained: &Explained<'_>) -> bool {
        !self.interferes || explained.interferes()
    }

    fn missing(&self, lines: &BTreeSet<(String, u32)>) -> String {
        let wanted = self.any_of.iter().flat_map(|w| w.difference(lines));
        let numbers: Vec<String> = wanted.map(|w| w.1.to_string()).collect();
        numbers.join(", ")
    }
}

struct Lines<'a> {
    code: &'a LoadedProgram,
    folder: &'a Path,
}

impl Lines<'_> {
    fn of(&self, site: SiteId) -> (String, u32) {
        let site = self.code.user_site(site);
        let prefix = format!("{}/", self.folder.display());
        (site.file.trim_start_matches(&prefix).to_owned(), site.line)
    }

    fn of_slice(&self, explained: &Explained<'_>) -> BTreeSet<(String, u32)> {
        let statements = &explained.recording().statements;
        let kept = explained.slice.kept.keys();
        kept.map(|&i| self.of(statements[i].site)).collect()
    }

    /// Lines that only the good run executes, the branches that decided that, and why they did.
    fn absent(&self, bad: &Recording, good: &Recording) -> BTreeSet<(String, u32)> {
        let mut lines = BTreeSet::new();
        for only in lines_not_run(bad, good, |site| self.of(site)) {
            lines.insert(self.of(only.site));
            if let Some(condition) = only.decided {
                lines.insert(self.of(bad.statements[condition].site));
                let why = explain_turn(bad, condition, |e| (e.certify(), self.of_slice(e)));
                if let Ok(Some((Ok(()), why))) = why {
                    lines.extend(why);
                }
            }
        }
        lines
    }
}

/// How many steps z3 certifies, of how many; `None` where it is not installed.
fn z3(explained: &[Explained<'_>]) -> Option<(usize, usize)> {
    let (mut script, mut asked) = (String::new(), 0);
    for one in explained {
        let (part, queries) = one.smt_lib();
        script.push_str("(reset)");
        script.push_str(&part);
        asked += queries;
    }
    let mut child = Command::new("z3")
        .args(["-in", "-smt2", "-t:2000"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .ok()?;
    let mut input = child.stdin.take()?;
    let writer = std::thread::spawn(move || input.write_all(script.as_bytes()));
    let output = child.wait_with_output().ok()?;
    writer.join().ok()?.ok()?;
    let answers = String::from_utf8_lossy(&output.stdout);
    let certified = answers.lines().filter(|l| *l == "unsat").count();
    Some((certified, asked))
}

/// A run of a hundred thousand statements, and one twice as long: all encodings, the time of each.
fn growth(folder: &Path) -> Result<Vec<Row>, Failure> {
    let file = folder.join("long_run.c");
    let mut times = Vec::new();
    for rounds in [7_000, 14_000] {
        let text = LONG_RUN.replace("ROUNDS", &rounds.to_string());
        std::fs::write(&file, text).map_err(|error| Failure::Write {
            path: file.clone(),
            error,
        })?;
        let code = code(vec![file.clone()])?;
        let client = Client::default();
        let chooser = linspect_vm::Chooser::Random(1);
        let ran = linspect_vm::run(&code, &client, &chooser, 1_000_000).ok();
        let recording = ran.and_then(|ran| code.record(&client, &ran.schedule).ok());
        let recording = recording.unwrap_or_default();
        let start = Instant::now();
        let sound = Level::ALL
            .iter()
            .all(|level| explain(&recording, *level).is_ok_and(|e| e.slice.kept.len() > 2));
        times.push((recording.statements.len(), start.elapsed(), sound));
    }
    let [(short, fast, a), (long, slow, b)] = times[..] else {
        return Ok(Vec::new());
    };
    let factor = slow.as_secs_f64() / fast.as_secs_f64().max(1e-9);
    // Times mean nothing in a build for debugging.
    let linear = cfg!(debug_assertions) || factor < 3.0;
    let row = Row {
        name: "a long run, all four encodings".into(),
        object: "long_run.c".into(),
        theirs: "168.8 s at 885 statements (their longest)".into(),
        ours: format!(
            "{short} statements in {:.0} ms; {long} in {:.0} ms: {factor:.1} times as long",
            fast.as_secs_f64() * 1000.0,
            slow.as_secs_f64() * 1000.0
        ),
        reached: a && b && short >= 100_000 && linear,
        time: fast,
    };
    Ok(vec![row.within(LONG_BAR * 4)])
}

/// Two threads that count in turns without a lock; the sum is wrong.
const LONG_RUN: &str = "\
#include <assert.h>
#include <pthread.h>
static int counter, other[16];
static void *count(void *step) {
    for (int i = 0; i < ROUNDS; i++) {
        int seen = counter;
        other[i % 16] = seen;
        counter = seen + 1;
    }
    return step;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, count, 0);
    pthread_create(&b, 0, count, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(counter == 2 * ROUNDS);
    return 0;
}
";

fn percentages(kept: [f64; 4]) -> String {
    let [ds, hs, cs, all] = kept;
    format!("ds {ds:.0} %, hs {hs:.0} %, cs {cs:.0} %, all {all:.0} %")
}

/// The paper's row: what it has of it.
fn theirs(program: &ZooProgram) -> String {
    let figure = |name: &str| match program.figures.get(name) {
        Some(Figure::Whole(n)) => format!("{n} %"),
        Some(Figure::Number(n)) => format!("{n:.0} %"),
        _ => "–".into(),
    };
    format!(
        "ds {}, hs {}, cs {}, all {}",
        figure("ds"),
        figure("ds_hs"),
        figure("ds_cs"),
        figure("all")
    )
}
