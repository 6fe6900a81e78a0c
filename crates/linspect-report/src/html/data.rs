//! What the script draws: the history in columns, small enough for a hundred thousand operations.

use crate::finding::{Finding, Operation, Order};
use crate::text::{neutral, shown};
use serde::Serialize;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// A longer label is cut on the timeline; the details show up to [`LONG`] columns of it.
const LABEL: usize = 120;
const LONG: usize = 4_000;

/// Of an order of effects, only so many last steps can be walked through in a page.
pub(super) const WALKED_STEPS: usize = 2_000;

/// Operations are named by their position among those kept.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Data<'a> {
    total: u64,
    /// Their names.
    clients: Vec<String>,
    /// The distinct times of calls and returns, since the first.
    times: Vec<u64>,
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
    /// The steps of the failing run.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    run: Vec<RunStep<'a>>,
}

#[derive(Serialize)]
struct RunStep<'a> {
    thread: u32,
    /// By id.
    operation: Option<u32>,
    /// File, by number, and line.
    at: Option<(usize, u32)>,
    matters: bool,
    accesses: Vec<(Cow<'a, str>, bool, Cow<'a, str>)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    state: Option<Cow<'a, str>>,
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
pub(super) fn embed(finding: &Finding) -> String {
    let json = serde_json::to_string(&data(finding)).expect("only text keys and numbers");
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

fn data(finding: &Finding) -> Data<'_> {
    let operations = &finding.history.operations;
    let position = |id: &u32| operations.binary_search_by_key(id, |op| op.id).ok();
    let evidence = finding.evidence();
    let (left_out, steps) = finding.order().map_or((0, [].as_slice()), walked);
    let (times, start) = times(operations);
    let mut long = BTreeMap::new();
    let clients: BTreeSet<u32> = operations.iter().map(|op| op.process).collect();
    let clients: Vec<u32> = clients.into_iter().collect();
    Data {
        total: finding.history.total,
        operations: columns(operations, &clients, &times, &mut long),
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
        run: run(finding),
    }
}

fn run(finding: &Finding) -> Vec<RunStep<'_>> {
    let file = |path: &str| {
        finding
            .sources
            .iter()
            .flatten()
            .position(|f| f.path == path)
    };
    let steps = finding.interleaving.iter().flat_map(|run| &run.steps);
    steps
        .map(|step| RunStep {
            thread: step.thread,
            operation: step.operation,
            at: step
                .span
                .as_ref()
                .and_then(|span| Some((file(&span.file)?, span.line))),
            matters: step.matters,
            accesses: step
                .accesses
                .iter()
                .map(|a| {
                    (
                        shown(&a.variable, LABEL),
                        a.writes(),
                        shown(&a.value, LABEL),
                    )
                })
                .collect(),
            state: step.state.as_ref().map(|state| shown(state, LONG)),
        })
        .collect()
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

fn columns(
    operations: &[Operation],
    clients: &[u32],
    times: &[u64],
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
        let (short_call, short_result) = (cut(&call, LABEL), cut(&result, LABEL));
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
