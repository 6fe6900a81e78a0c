//! What the scripts draw: the history in columns, small enough for a hundred thousand operations, and the run row by row.

use crate::finding::{Action, Finding, Interleaving, Older, Operation, Order, Recording};
use crate::names;
use crate::story::visits;
use crate::text::{neutral, shown};
use linspect_core::value::Value;
use serde::Serialize;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// A longer label is cut on the timeline; the details show up to [`LONG`] columns of it.
const LABEL: usize = 120;
const LONG: usize = 4_000;

/// Of an order of effects, only so many last steps can be walked through in a page.
pub(super) const WALKED_STEPS: usize = 2_000;

/// The value of memory that is gone, as run.js knows it.
const FREED: &str = "freed";

/// Operations are named by their position among those kept.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Data<'a> {
    total: u64,
    /// Their names.
    clients: Vec<String>,
    /// The distinct times of calls and returns, since the first.
    times: Vec<u64>,
    /// What times are counted in.
    #[serde(skip_serializing_if = "Option::is_none")]
    unit: Option<Cow<'a, str>>,
    /// What was done to the system meanwhile.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    bands: Vec<Band<'a>>,
    /// The address of the recording.
    #[serde(skip_serializing_if = "Option::is_none")]
    recording: Option<&'a str>,
    operations: Columns,
    /// Labels that were cut, in full.
    long: BTreeMap<usize, String>,
    core: Vec<usize>,
    refused: Option<usize>,
    /// Whether the order of effects respects real time.
    real_time: bool,
    left_out: u64,
    steps: Vec<Step<'a>>,
    allowed: Vec<Allowed<'a>>,
    because: Vec<Vec<usize>>,
    /// The keys of a map or set, and for each operation which one is its own.
    #[serde(skip_serializing_if = "Keys::is_empty")]
    keys: Keys,
    /// The names of the threads that take steps.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    threads: Vec<String>,
    /// The rows of the failing run.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    run: Vec<Row<'a>>,
}

/// The keys of an object that has any.
#[derive(Default, Serialize)]
pub(super) struct Keys {
    pub(super) names: Vec<String>,
    /// By operation.
    of: Vec<usize>,
}

impl Keys {
    fn is_empty(&self) -> bool {
        self.names.len() < 2
    }
}

/// One visit of a source line.
#[derive(Serialize)]
struct Row<'a> {
    /// Its steps, from 1, and the one that it is called by.
    first: usize,
    last: usize,
    number: usize,
    /// Its position in `threads`.
    thread: usize,
    /// By position among those kept.
    operation: Option<usize>,
    /// File, by number, and line.
    at: Option<(usize, u32)>,
    told: bool,
    fault: bool,
    effect: String,
    /// Variable, whether it was read, whether it was written, value.
    accesses: Vec<(Cow<'a, str>, bool, bool, String)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    state: Option<Cow<'a, str>>,
    /// What threads may still read although it is no longer the newest, where that has changed: thread, variable, values.
    #[serde(skip_serializing_if = "Option::is_none")]
    older: Option<Vec<(usize, Cow<'a, str>, String)>>,
}

#[derive(Default, Serialize)]
struct Columns {
    id: Vec<u32>,
    client: Vec<usize>,
    method: Vec<usize>,
    call: Vec<String>,
    result: Vec<String>,
    /// Positions in `times`; a return of −1 never happened.
    from: Vec<usize>,
    to: Vec<i64>,
    /// The lines of its call and of its end, where they are known.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    lines: Vec<(u32, u32)>,
}

/// Something that was done to the system: what, what is said of it, and when, since the first call.
#[derive(Serialize)]
struct Band<'a> {
    what: Cow<'a, str>,
    details: Cow<'a, str>,
    from: i64,
    to: Option<i64>,
}

#[derive(Serialize)]
struct Step<'a> {
    operation: usize,
    state: Cow<'a, str>,
}

#[derive(Serialize)]
struct Allowed<'a> {
    state: Cow<'a, str>,
    results: Vec<String>,
}

/// The data of `finding` as JSON that is safe inside a script element.
pub(super) fn embed(finding: &Finding, recording: Option<&str>) -> String {
    let json =
        serde_json::to_string(&data(finding, recording)).expect("only text keys and numbers");
    // `<` could end the element or start a comment; the others are line breaks to old parsers.
    json.replace('<', "\\u003c")
        .replace('\u{2028}', "\\u2028")
        .replace('\u{2029}', "\\u2029")
}

/// The last steps of `order` that a page walks through, and how many come before them.
pub(super) fn walked(order: &Order) -> (u64, &[crate::finding::Placed]) {
    let from = order.steps.len().saturating_sub(WALKED_STEPS);
    (
        order.left_out().saturating_add(from as u64),
        &order.steps[from..],
    )
}

fn data<'a>(finding: &'a Finding, address: Option<&'a str>) -> Data<'a> {
    let operations = &finding.history.operations;
    let position = |id: &u32| operations.binary_search_by_key(id, |op| op.id).ok();
    let evidence = finding.evidence();
    let (left_out, steps) = finding.order().map_or((0, [].as_slice()), walked);
    let (times, start) = times(operations);
    let recording = finding.history.recording.as_ref();
    let mut long = BTreeMap::new();
    let clients: BTreeSet<u32> = operations.iter().map(|op| op.process).collect();
    let clients: Vec<u32> = clients.into_iter().collect();
    Data {
        total: finding.history.total,
        unit: recording
            .and_then(|r| r.unit.as_deref())
            .map(|unit| shown(unit, LABEL)),
        bands: recording.map_or(Vec::new(), |r| bands(r, start)),
        recording: address,
        operations: columns(
            operations,
            &clients,
            &times,
            evidence.map(|e| e.refused),
            &mut long,
        )
        .at(recording),
        clients: clients.iter().map(|&c| finding.client(c)).collect(),
        times: times.iter().map(|time| time - start).collect(),
        long,
        core: evidence.map_or(Vec::new(), |e| e.core.iter().filter_map(position).collect()),
        refused: evidence.and_then(|e| position(&e.refused)),
        real_time: finding.checked.criterion.respects_real_time(),
        left_out,
        steps: steps
            .iter()
            .filter_map(|step| {
                Some(Step {
                    operation: position(&step.operation)?,
                    state: neutral(&step.state),
                })
            })
            .collect(),
        allowed: evidence.map_or(Vec::new(), |e| e.allowed.iter().map(allowed).collect()),
        because: evidence.map_or(Vec::new(), |e| {
            e.because
                .iter()
                .map(|line| line.operations.iter().filter_map(position).collect())
                .collect()
        }),
        keys: keys(finding),
        threads: threads(finding),
        run: rows(finding),
    }
}

/// The key of each operation, where the object is a map or a set.
pub(super) fn keys(finding: &Finding) -> Keys {
    if !matches!(finding.checked.spec.as_str(), "kv" | "set" | "multiset") {
        return Keys::default();
    }
    let key = |op: &Operation| match op.argument.0.items().first() {
        Some(Value::Text(key)) => cut(key, LABEL),
        Some(key) => cut(&key.to_string(), LABEL),
        None => String::new(),
    };
    let names: BTreeSet<String> = finding.history.operations.iter().map(key).collect();
    let names: Vec<String> = names.into_iter().collect();
    let number = |op: &Operation| names.partition_point(|name| *name < key(op));
    let of = finding.history.operations.iter().map(number).collect();
    Keys { names, of }
}

fn threads(finding: &Finding) -> Vec<String> {
    let running = finding.interleaving.iter().flat_map(Interleaving::running);
    running.map(|thread| finding.client(thread)).collect()
}

fn rows(finding: &Finding) -> Vec<Row<'_>> {
    let Some(run) = &finding.interleaving else {
        return Vec::new();
    };
    let file = |path: &str| {
        let mut files = finding.sources.iter().flatten();
        files.position(|file| file.path == path)
    };
    let operations = &finding.history.operations;
    let threads = run.running();
    visits(finding, run)
        .into_iter()
        .map(|visit| {
            let steps = &run.steps[visit.first..=visit.last];
            let operation = |id| operations.binary_search_by_key(&id, |op| op.id).ok();
            Row {
                first: visit.first + 1,
                last: visit.last + 1,
                number: visit.number,
                thread: threads.partition_point(|&thread| thread < visit.thread),
                operation: visit.operation.and_then(operation),
                at: visit
                    .span
                    .and_then(|span| Some((file(&span.file)?, span.line))),
                told: visit.told,
                fault: visit.fault,
                effect: cut(&visit.effect, LABEL),
                accesses: steps
                    .iter()
                    .flat_map(|step| &step.accesses)
                    .filter(|access| access.action.has_value() && !access.value.is_empty())
                    .map(|access| {
                        let variable = match access.action {
                            Action::Free => names::whole(&access.variable),
                            _ => &access.variable,
                        };
                        let value = match access.action {
                            Action::Free => FREED.to_owned(),
                            // Others hold it, too, where it counts more.
                            Action::Lock if access.value == "1" => {
                                format!("held by {}", finding.client(visit.thread))
                            }
                            Action::Unlock if access.value == "0" => "free".to_owned(),
                            _ => names::value(&access.value),
                        };
                        (
                            shown(variable, LABEL),
                            access.action.reads(),
                            access.writes(),
                            cut(&value, LABEL),
                        )
                    })
                    .collect(),
                state: steps
                    .iter()
                    .rev()
                    .find_map(|step| step.state.as_ref())
                    .map(|state| shown(state, LONG)),
                older: steps
                    .iter()
                    .rev()
                    .find_map(|step| step.older.as_ref())
                    .map(|older| {
                        older
                            .iter()
                            .map(|older| still_read(older, &threads))
                            .collect()
                    }),
            }
        })
        .collect()
}

/// The thread by its position, the variable, and the values.
fn still_read<'a>(older: &'a Older, threads: &[u32]) -> (usize, Cow<'a, str>, String) {
    let values: Vec<String> = older
        .values
        .iter()
        .map(|value| names::value(value))
        .collect();
    (
        threads.partition_point(|&thread| thread < older.thread),
        shown(&older.variable, LABEL),
        cut(&values.join(", "), LABEL),
    )
}

fn allowed(allowed: &crate::finding::Allowed) -> Allowed<'_> {
    Allowed {
        state: neutral(&allowed.state),
        results: allowed
            .results
            .iter()
            .map(|result| cut(&result.to_string(), LONG))
            .collect(),
    }
}

/// The distinct times, ascending, and the first.
fn times(operations: &[Operation]) -> (Vec<u64>, u64) {
    let mut times: Vec<u64> = operations
        .iter()
        .flat_map(|op| [Some(op.call), op.ret])
        .flatten()
        .collect();
    times.sort_unstable();
    times.dedup();
    let start = times.first().copied().unwrap_or(0);
    (times, start)
}

/// What was done to the system, in times since `start`; what began earlier begins there.
fn bands(recording: &Recording, start: u64) -> Vec<Band<'_>> {
    let since = |time: u64| i64::try_from(time.saturating_sub(start)).unwrap_or(i64::MAX);
    let bands = recording.disturbances.iter().take(BANDS).map(|done| Band {
        what: shown(&done.what, LABEL),
        details: shown(&done.details, LONG),
        from: since(done.from),
        to: done.to.map(since),
    });
    bands.filter(|band| band.to != Some(0)).collect()
}

/// More than these nobody tells apart.
const BANDS: usize = 2_000;

impl Columns {
    /// The same with the lines that `recording` knows.
    fn at(mut self, recording: Option<&Recording>) -> Self {
        let known = recording.filter(|r| r.lines.len() == self.id.len());
        self.lines = known.map_or(Vec::new(), |r| r.lines.clone());
        self
    }
}

fn columns(
    operations: &[Operation],
    clients: &[u32],
    times: &[u64],
    refused: Option<u32>,
    long: &mut BTreeMap<usize, String>,
) -> Columns {
    let mut methods: Vec<&str> = Vec::new();
    let mut columns = Columns::default();
    let at = |time: u64| times.partition_point(|&t| t < time);
    for (i, op) in operations.iter().enumerate() {
        let method = methods
            .iter()
            .position(|name| *name == op.method)
            .unwrap_or_else(|| {
                methods.push(&op.method);
                methods.len() - 1
            });
        let (call, result) = (op.call_text(), op.outcome_text());
        // What is impossible is always said in full.
        let width = if refused == Some(op.id) { LONG } else { LABEL };
        let (short_call, short_result) = (cut(&call, width), cut(&result, width));
        if short_call.ends_with('…') || short_result.ends_with('…') {
            long.insert(i, cut(&format!("{call} {result}"), LONG));
        }
        columns.id.push(op.id);
        columns
            .client
            .push(clients.partition_point(|&c| c < op.process));
        columns.method.push(method);
        columns.call.push(short_call);
        columns.result.push(short_result);
        columns.from.push(at(op.call));
        columns.to.push(op.ret.map_or(-1, |ret| at(ret) as i64));
    }
    columns
}

fn cut(s: &str, width: usize) -> String {
    shown(s, width).into_owned()
}
