//! Findings as SARIF 2.1.0, so that code hosts annotate the lines (OASIS, *Static Analysis Results Interchange Format*).

use crate::finding::{
    DataRace, Finding, Interleaving, RacingAccess, Span, Step, Tool, VERSION, Verdict,
};
use crate::terminal::{circled, coverage};
use crate::text::{neutral, shown};
use serde_json::{Value, json};

/// A message is at most about this long.
const LONGEST: usize = 2_000;

/// `findings` as the log of one run, ending with a line break.
pub fn write(findings: &[Finding]) -> String {
    let version = findings
        .first()
        .map_or(env!("CARGO_PKG_VERSION"), |finding| &finding.tool.version);
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": driver(&Tool { name: "linspect".into(), version: version.into() }) },
            "columnKind": "unicodeCodePoints",
            "results": findings.iter().flat_map(results).collect::<Vec<_>>(),
        }],
    });
    let mut text = serde_json::to_string_pretty(&log).expect("a JSON value is JSON");
    text.push('\n');
    text
}

fn driver(tool: &Tool) -> Value {
    let rules = [
        (
            "correctness",
            "The results of concurrent operations must be explained by the specification.",
        ),
        (
            "fault",
            "No run may fail an assertion, deadlock or misuse memory.",
        ),
        (
            "data-race",
            "Accesses of which one writes and one is not atomic must be ordered by synchronisation.",
        ),
    ];
    json!({
        "name": tool.name,
        "semanticVersion": neutral(&tool.version),
        "rules": rules.map(|(id, text)| json!({ "id": id, "shortDescription": { "text": text } })),
    })
}

/// The finding, and each of its data races.
fn results(finding: &Finding) -> Vec<Value> {
    let races = finding
        .data_races
        .iter()
        .map(|race| data_race(finding, race));
    std::iter::once(result(finding)).chain(races).collect()
}

/// A data race, at the later of its accesses. One that is only noted is a note.
fn data_race(finding: &Finding, race: &DataRace) -> Value {
    let level = match finding.verdict {
        Verdict::Holds { .. } => "note",
        _ => "error",
    };
    let mut text = format!("Data race on {}.", race.variable);
    for access in &race.accesses {
        text += &format!("\n{} {}.", access.thread, access.does);
    }
    text += &format!("\n{}", race.unordered);
    let lines: Vec<_> = text.lines().map(|line| shown(line, LONGEST)).collect();
    let place = |access: &RacingAccess| match &access.span {
        Some(span) => physical(span),
        None => json!({
            "physicalLocation": { "artifactLocation": { "uri": uri(&finding.checked.source) } }
        }),
    };
    let related = (0..).zip(&race.accesses).map(|(id, access): (u64, _)| {
        let mut place = place(access);
        place["id"] = json!(id);
        let says = format!("{} {}", access.thread, access.does);
        place["message"] = json!({ "text": shown(&says, LONGEST) });
        place
    });
    json!({
        "ruleId": "data-race",
        "kind": "fail",
        "level": level,
        "message": { "text": lines.join("\n") },
        "locations": race.accesses.last().map(place).into_iter().collect::<Vec<_>>(),
        "relatedLocations": related.collect::<Vec<_>>(),
        "properties": { "spec": neutral(&finding.checked.spec), "findingVersion": VERSION },
    })
}

fn result(finding: &Finding) -> Value {
    let (rule, kind, level) = match finding.verdict {
        Verdict::Holds { .. } => ("correctness", "pass", "none"),
        Verdict::Violated { .. } => ("correctness", "fail", "error"),
        Verdict::Faulty { .. } => ("fault", "fail", "error"),
        Verdict::Unknown { .. } => ("correctness", "open", "none"),
    };
    let mut result = json!({
        "ruleId": rule,
        "kind": kind,
        "level": level,
        "message": { "text": message(finding) },
        "locations": [location(finding)],
        "properties": { "spec": neutral(&finding.checked.spec), "findingVersion": VERSION },
    });
    let related = related(finding);
    if !related.is_empty() {
        result["relatedLocations"] = Value::Array(related);
    }
    if let Some(run) = &finding.interleaving {
        result["codeFlows"] = json!([code_flow(finding, run)]);
    }
    result
}

/// The verdict, what is impossible, and why.
fn message(finding: &Finding) -> String {
    let mut text = format!("{} · {}", finding.headline(), coverage(finding));
    match &finding.verdict {
        Verdict::Violated { evidence } => {
            if let Some(headline) = &evidence.headline {
                text += &format!("\n{}", headline.text);
            }
            if let Some(op) = finding.history.get(evidence.refused) {
                text += &format!("\n{op} by {} is impossible.", finding.client(op.process));
            }
            for line in &evidence.because {
                text += &format!("\n{}", line.text);
            }
        }
        Verdict::Faulty { fault } => text += &format!("\n{}", fault.message),
        Verdict::Unknown { reason } => text += &format!("\n{reason}"),
        Verdict::Holds { .. } => {}
    }
    let lines: Vec<_> = text.lines().map(|line| shown(line, LONGEST)).collect();
    lines.join("\n")
}

/// Where to show it: the fault, what to make atomic, the last decisive race, or just the file that was checked.
fn location(finding: &Finding) -> Value {
    let fault = match &finding.verdict {
        Verdict::Faulty { fault } => fault.span.as_ref(),
        _ => None,
    };
    let repairs = finding.repairs.iter().flat_map(|repairs| &repairs.found);
    let block = repairs.flat_map(|repair| &repair.blocks).next();
    let races = finding.races.iter().flatten().rev();
    let race = races
        .flat_map(|race| &race.sides)
        .find_map(|side| side.span.as_ref());
    match fault.or(block).or(race) {
        Some(span) => physical(span),
        None => json!({
            "physicalLocation": { "artifactLocation": { "uri": uri(&finding.checked.source) } }
        }),
    }
}

/// The other places that belong to it, each with what it is.
fn related(finding: &Finding) -> Vec<Value> {
    let mut places: Vec<(&Span, String)> = Vec::new();
    if let Verdict::Faulty { fault } = &finding.verdict {
        places.extend(fault.related.iter().map(|span| (span, "see also".into())));
    }
    for (n, race) in finding.races.iter().flatten().enumerate() {
        for side in &race.sides {
            let when = if side.taken {
                "went first"
            } else {
                "if it goes first"
            };
            let says = format!("{} {} {when}: {}", circled(n), side.text, side.promise());
            places.extend(side.span.iter().map(|span| (span, says.clone())));
        }
    }
    let best = finding
        .repairs
        .iter()
        .filter_map(|repairs| repairs.found.first());
    for repair in best {
        let hint = repair.hint.iter().map(|hint| format!(" ({hint})"));
        let says = format!("make this one step{}", hint.collect::<String>());
        places.extend(repair.blocks.iter().map(|block| (block, says.clone())));
        let others = repair.interfering.iter();
        places.extend(others.map(|other| (other, "interferes".into())));
    }
    let numbered = (0..).zip(places);
    numbered
        .map(|(id, (span, says))| {
            let mut place = physical(span);
            place["id"] = json!(id);
            place["message"] = json!({ "text": shown(&says, LONGEST) });
            place
        })
        .collect()
}

/// The steps that matter, one flow per thread, ordered over all of them.
fn code_flow(finding: &Finding, run: &Interleaving) -> Value {
    let flow = |thread: u32| {
        let mine = (1..)
            .zip(&run.steps)
            .filter(|(_, step)| step.thread == thread && step.matters);
        let locations: Vec<Value> = mine
            .map(|(order, step): (u64, &Step)| {
                let mut place = step.span.as_ref().map_or(json!({}), physical);
                place["message"] = json!({ "text": shown(&step.text, LONGEST) });
                json!({ "location": place, "executionOrder": order })
            })
            .collect();
        (!locations.is_empty())
            .then(|| json!({ "id": neutral(&finding.client(thread)), "locations": locations }))
    };
    json!({ "threadFlows": run.running().into_iter().filter_map(flow).collect::<Vec<_>>() })
}

fn physical(span: &Span) -> Value {
    let mut place = json!({ "artifactLocation": { "uri": uri(&span.file) } });
    // Line 0 means that the compiler did not say.
    if span.line > 0 {
        place["region"] =
            json!({ "startLine": span.line, "endLine": span.last_line.max(span.line) });
    }
    json!({ "physicalLocation": place })
}

/// A path as a URI reference.
fn uri(path: &str) -> String {
    let mut out = String::from(if path.starts_with('/') { "file://" } else { "" });
    for byte in path.replace('\\', "/").bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    #[test]
    fn paths_become_uris() {
        assert_eq!(super::uri("src/a b%.rs"), "src/a%20b%25.rs");
        assert_eq!(super::uri("/tmp/ü"), "file:///tmp/%C3%BC");
        assert_eq!(super::uri("a:b\\c"), "a%3Ab/c");
    }
}
