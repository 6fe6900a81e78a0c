//! Tells a repair in the words of its source: what to make atomic, against whom, and how that is written.

use super::annotate::{Annotator, span};
use super::annotated_run::AnnotatedRun;
use linspect_core::client::Client;
use linspect_core::execution::{Access, Action, Execution, Location};
use linspect_core::machine::Subject;
use linspect_core::project::project;
use linspect_core::schedule::ThreadId;
use linspect_core::verdict::{Criterion, Limit, Verdict};
use linspect_diagnose::repair::section::Section;
use linspect_diagnose::repair::{Diagnosis, Repair, Validation};
use linspect_report::finding::{self, Checked, Finding, Span};

/// What to do where the shape of a section says no more.
const SEVERAL: &str = "hold one lock here and wherever else this is used, or keep it in one word";

/// What to do where several locks are taken: to hold one of them for longer, while others are taken, may end in a deadlock.
const ONE_LOCK: &str = "hold one and the same lock over all of it, here and wherever else this is used: several are taken here, each for a part";

impl Annotator<'_> {
    /// What a repair came to as the report shows it; `limit` is what ended the search for one. Nothing if nothing needs repair.
    pub(crate) fn repairs(
        &self,
        diagnosis: &Diagnosis,
        client: &Client,
        annotated: &AnnotatedRun,
        limit: Option<Limit>,
    ) -> Option<finding::Repairs> {
        let (found, note) = match diagnosis {
            Diagnosis::Clean => return None,
            Diagnosis::Serial(serial) => {
                let run = self.serial(serial, client);
                let note = format!(
                    "not a matter of threads: it is wrong even when every operation runs alone, as {run}"
                );
                (Vec::new(), Some(note))
            }
            Diagnosis::Sections(found) if found.is_empty() => {
                let note = match limit {
                    Some(limit) => format!("{limit} before a repair was found and re-checked"),
                    None => {
                        "no set of atomic sections that was tried makes this client clean".into()
                    }
                };
                (Vec::new(), Some(note))
            }
            Diagnosis::Sections(found) => {
                let repairs = found.iter().map(|r| self.repair(r, annotated));
                (repairs.collect(), None)
            }
        };
        Some(finding::Repairs { found, note })
    }

    /// A repair as the report shows it, for the run that was annotated.
    fn repair(&self, repair: &Repair, annotated: &AnnotatedRun) -> finding::Repair {
        let block = |s: &Section| Span {
            file: s.file.to_string(),
            line: s.first,
            last_line: s.last,
            function: s.function.to_string(),
        };
        let mut hints: Vec<String> = Vec::new();
        if self.locks(repair, annotated) > 1 {
            hints.push(ONE_LOCK.into());
        } else {
            let all = repair.sections.iter();
            for hint in all.filter_map(|s| self.hint(s, annotated)) {
                if !hints.contains(&hint) {
                    hints.push(hint);
                }
            }
        }
        finding::Repair {
            blocks: repair.sections.iter().map(block).collect(),
            interfering: self.interfering(repair, annotated),
            recheck: Some(finding::Recheck {
                clients: repair.recheck.clients as u64,
                exhausted: repair.recheck.exhausted,
                executions: repair.recheck.executions,
                good: repair.good as u64,
                disabled: repair.disabled as u64,
            }),
            validation: repair.validation.as_ref().map(validated),
            hint: (!hints.is_empty()).then(|| hints.join("; ")),
            note: None,
            races_left: Vec::new(),
        }
    }

    /// How many locks the threads take within the sections of a repair.
    fn locks(&self, repair: &Repair, annotated: &AnnotatedRun) -> usize {
        let mut locks: Vec<Location> = Vec::new();
        for (at, step) in annotated.execution.steps.iter().enumerate() {
            let mut sections = repair.sections.iter();
            if !sections.any(|section| self.is_inside(annotated, at, section)) {
                continue;
            }
            let taken = step.accesses.iter().filter(|a| a.action == Action::Lock);
            locks.extend(taken.map(|a| a.location));
        }
        locks.sort_unstable();
        locks.dedup();
        locks.len()
    }

    /// A run in which every operation runs alone, in one line.
    fn serial(&self, execution: &Execution, client: &Client) -> String {
        let history = project(execution, client, self.code().operations()).history;
        let checked = Checked::new("", "", Criterion::Linearizable);
        let finding = Finding::of_history(&history, &Verdict::Holds(None), checked);
        let fault = execution.steps.last().and_then(|s| s.fault.as_ref());
        let operations = finding.history.operations.iter();
        let calls: Vec<String> = operations
            .map(|call| match (fault, &call.outcome) {
                (Some(fault), finding::Outcome::Pending) => {
                    format!("{}: {}", call.call_text(), fault.message)
                }
                _ => call.to_string(),
            })
            .collect();
        calls.join(", ")
    }

    /// Whether step `step` of the run stands in `section`, itself or by a call from there.
    fn is_inside(&self, annotated: &AnnotatedRun, step: usize, section: &Section) -> bool {
        self.line_in(annotated, step, section).is_some()
    }

    /// The line of `section` that step `step` of the run stands in, itself or by a call from there.
    fn line_in(&self, annotated: &AnnotatedRun, step: usize, section: &Section) -> Option<u32> {
        let path = annotated.places[step].path.iter().rev();
        let mut sites = path.map(|&site| self.user_site(site));
        sites
            .find(|site| section.contains(site))
            .map(|site| site.line)
    }

    /// Accesses of other threads that conflict with one inside the repair's sections.
    fn interfering(&self, repair: &Repair, annotated: &AnnotatedRun) -> Vec<Span> {
        let steps = &annotated.execution.steps;
        let mut spans: Vec<Span> = Vec::new();
        for (i, step) in steps.iter().enumerate() {
            if !repair
                .sections
                .iter()
                .any(|s| self.is_inside(annotated, i, s))
            {
                continue;
            }
            let conflicts =
                |o: &Access| o.action.writes() && step.accesses.iter().any(|own| own.conflicts(o));
            let others = steps.iter().enumerate().filter(|(_, o)| {
                o.choice.thread != step.choice.thread && o.accesses.iter().any(conflicts)
            });
            for (at, _) in others {
                let place = self.statement(annotated, at).as_ref().map(span);
                spans.extend(place.filter(|place| !spans.contains(place)));
            }
        }
        spans
    }

    /// The change in the language's idiom, where the shape of the section is known.
    fn hint(&self, section: &Section, annotated: &AnnotatedRun) -> Option<String> {
        let steps = &annotated.execution.steps;
        let first = (0..steps.len()).find(|&i| self.is_inside(annotated, i, section))?;
        let thread = steps[first].choice.thread;
        // One way through: the first thread that comes there.
        let inside: Vec<(&Access, u32)> = (first..steps.len())
            .filter(|&i| steps[i].choice.thread == thread)
            .take_while(|&i| self.is_inside(annotated, i, section))
            .flat_map(|i| {
                let line = self.line_in(annotated, i, section).unwrap_or(section.first);
                steps[i].accesses.iter().map(move |a| (a, line))
            })
            .collect();
        let is = |action| inside.iter().find(|(a, _)| a.action == action);
        let idiom = Idiom::of(&section.file);
        let (start, _) = inside.first()?;
        let one_location = inside.iter().all(|(a, _)| a.location == start.location);
        if let Some((_, line)) = is(Action::Lock) {
            let (from, to) = (section.first, section.last);
            let given_back = inside.iter().find(|(a, _)| a.action == Action::Unlock);
            return Some(match given_back {
                None if *line > from => {
                    format!("take the lock before line {from}, not at line {line}")
                }
                // Taken by what the line calls, it is given back there, too.
                Some((_, back)) if back == line => {
                    format!(
                        "hold one lock from line {from} to {to}: the calls there lock only for themselves"
                    )
                }
                _ => format!("hold the lock until line {to}"),
            });
        }
        if let Some([line, read]) = unlike_read(&inside) {
            return Some(format!(
                "line {line} succeeds although what line {read} read has changed: compare with what was read there"
            ));
        }
        if let Some(((read, _), (written, _))) = is(Action::Read).zip(is(Action::Write))
            && one_location
        {
            let lines = (section.first..=section.last).map(|line| self.line(&section.file, line));
            let lines: Vec<String> = lines.flatten().collect();
            let ends = lines.first().into_iter().chain(lines.last());
            // What is added only under a condition must look at it in the same step.
            let counts =
                ends.clone().any(|line| counts(line)) && !lines.iter().any(|l| branches(l));
            return Some(idiom.one_location(read, written, counts));
        }
        let checked_write = Self::checked_write(&inside, annotated, thread);
        Some(checked_write.map_or_else(|| SEVERAL.into(), |lines| idiom.checked_write(lines)))
    }

    /// The lines of the only write of a section and of what it read there before, if others interfere there and nowhere else: then a comparison
    /// will do.
    fn checked_write(
        inside: &[(&Access, u32)],
        annotated: &AnnotatedRun,
        thread: ThreadId,
    ) -> Option<[u32; 2]> {
        let mut writes = inside.iter().filter(|(a, _)| a.action.writes());
        let (written, line) = writes.next().filter(|(a, _)| a.action == Action::Write)?;
        let (_, read) = inside
            .iter()
            .find(|(a, _)| a.location == written.location)?;
        let steps = annotated.execution.steps.iter();
        let others = steps.filter(|s| s.choice.thread != thread);
        let interfering: Vec<&Access> = others
            .flat_map(|s| &s.accesses)
            .filter(|o| o.action.writes() && inside.iter().any(|(own, _)| own.conflicts(o)))
            .collect();
        let only_there = interfering.iter().all(|o| o.conflicts(written));
        let contended = !interfering.is_empty() && only_there;
        (writes.next().is_none() && contended && read != line).then_some([*line, *read])
    }
}

/// How atomic operations are called.
enum Idiom {
    C,
    Cpp,
    Rust,
}

impl Idiom {
    fn of(file: &str) -> Self {
        match file.rsplit('.').next() {
            Some("rs") => Self::Rust,
            Some("c" | "h") => Self::C,
            _ => Self::Cpp,
        }
    }

    /// Names of compare-exchange, exchange and fetch-and-add.
    fn names(&self) -> [&'static str; 3] {
        match self {
            Self::C => [
                "atomic_compare_exchange_strong",
                "atomic_exchange",
                "atomic_fetch_add",
            ],
            Self::Cpp => ["compare_exchange_strong", "exchange", "fetch_add"],
            Self::Rust => ["compare_exchange", "swap", "fetch_add"],
        }
    }

    /// One location is written, after it and others were read.
    fn checked_write(&self, [line, read]: [u32; 2]) -> String {
        let [compare_exchange, ..] = self.names();
        format!(
            "line {line} may write only if what line {read} read is unchanged: use `{compare_exchange}`, else retry"
        )
    }

    /// One location is read and then written; `counts` if the source adds one there.
    fn one_location(&self, read: &Access, written: &Access, counts: bool) -> String {
        let [compare_exchange, exchange, fetch_add] = self.names();
        let grows = written.written == read.read.wrapping_add(1);
        if grows && counts {
            format!("use `{fetch_add}`: it reads and writes in one step")
        } else if read.location.size == 1 {
            format!("use `{exchange}` or `{compare_exchange}`, and look at what it returns")
        } else {
            format!("use `{compare_exchange}` with what was read, else retry")
        }
    }
}

/// The lines of a compare-exchange that succeeded and of a read of the same location before it that saw something else. One
/// that saw the same fails by itself if that changes.
fn unlike_read(inside: &[(&Access, u32)]) -> Option<[u32; 2]> {
    inside
        .iter()
        .enumerate()
        .find_map(|(at, (compared, line))| {
            if compared.action != Action::CasOk {
                return None;
            }
            let mut before = inside[..at].iter().rev();
            let (last, read) = before.find(|(a, _)| a.location == compared.location)?;
            let is_other = last.action == Action::Read && last.read != compared.read;
            // A library that reads before it compares, such as a lock of std, knows what it does.
            (is_other && read != line).then_some([*line, *read])
        })
}

/// Whether something in a line of source is done under a condition.
fn branches(line: &str) -> bool {
    let words = ["if", "while", "for", "match", "switch", "loop", "goto"];
    let mut found = line.split(|c: char| !c.is_alphanumeric() && c != '_');
    found.any(|word| words.contains(&word)) || ["?", "&&", "||"].iter().any(|s| line.contains(s))
}

/// Whether a line of source adds one to something.
fn counts(line: &str) -> bool {
    ["++", "+= 1", "+ 1", "_add(1"]
        .iter()
        .any(|add| line.contains(add))
}

/// What is known of a repair beyond the clients that it was made from.
fn validated(validation: &Validation) -> finding::Validation {
    finding::Validation {
        clients: validation.clients as u64,
        exhausted: validation.exhausted as u64,
        operations: validation.operations as u64,
        executions: validation.executions,
        serial: validation.serial as u64,
        fails: validation.failing.is_some(),
    }
}
