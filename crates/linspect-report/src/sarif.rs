//! Findings as SARIF 2.1.0, so that code hosts annotate the lines (OASIS, *Static Analysis Results Interchange Format*).

use crate::finding::{DataRace, Finding, Interleaving, RacingAccess, Span, Tool, VERSION, Verdict};
use crate::fix::{Fix, blocks, fix};
use crate::terminal::coverage;
use crate::text::{neutral, shown};
use serde_json::{Value, json};

/// A message is at most about this long.
const LONGEST: usize = 2_000;

/// `findings` as the log of one run, ending with a line break.
pub fn write<'a>(findings: impl IntoIterator<Item = &'a Finding>) -> String {
    let findings: Vec<&Finding> = findings.into_iter().collect();
    let version = findings
        .first()
        .map_or(env!("CARGO_PKG_VERSION"), |finding| &finding.tool.version);
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": driver(&Tool { name: "linspect".into(), version: version.into() }) },
            "columnKind": "unicodeCodePoints",
            "results": findings.into_iter().flat_map(results).collect::<Vec<_>>(),
        }],
    });
    let mut text = serde_json::to_string_pretty(&log).expect("a JSON value is JSON");
    text.push('\n');
    // Texts of users stay texts wherever this is shown.
    text.replace('<', "\\u003c")
}

fn driver(tool: &Tool) -> Value {
    let rules = [
        (
            "correctness",
            "NotLinearizable",
            "The results of concurrent operations must be explained by the specification.",
            "Every operation must seem to take effect at one moment between its call and its return. The report shows the results that no order of the calls gives, the steps that lead there, and what must be one step.",
        ),
        (
            "fault",
            "RunGoesWrong",
            "No run may fail an assertion, deadlock or misuse memory.",
            "Some schedule of the threads ends in a failed assertion, a panic, a deadlock or a misuse of memory. The report shows the steps of that schedule and, where it is known, what to change.",
        ),
        (
            "data-race",
            "DataRace",
            "Accesses of which one writes and one is not atomic must be ordered by synchronisation.",
            "Two threads access the same memory, at least one writes and at least one access is not atomic, and nothing orders them. Make it atomic, or take one lock around both.",
        ),
        (
            "hand-over",
            "UnorderedHandOver",
            "Whoever takes a value out of a container must come after whoever added it.",
            "One thread adds a value, another takes it out, and the orderings of the atomics between do not order the two: what the first wrote before is not there for the second. The report names the orderings that are too weak.",
        ),
    ];
    let rule = |(id, name, short, full): (&str, &str, &str, &str)| {
        json!({
            "id": id,
            "name": name,
            "shortDescription": { "text": short },
            "fullDescription": { "text": full },
            "help": { "text": full },
            "defaultConfiguration": { "level": "error" },
            "properties": { "tags": ["concurrency", "correctness"], "precision": "very-high" },
        })
    };
    json!({
        "name": tool.name,
        "semanticVersion": neutral(&tool.version),
        "rules": rules.map(rule),
    })
}

/// What stays the same while a fault moves: what was tested, against what, how it goes wrong, and in which function.
fn fingerprint(finding: &Finding, rule: &str, what: &str) -> Value {
    let place = crate::fix::place(finding).map_or("", |span| &span.function);
    let file = finding
        .checked
        .source
        .rsplit(['/', '\\'])
        .next()
        .unwrap_or("");
    let text = format!("{rule}:{file}:{}:{what}:{place}", finding.checked.spec);
    json!({ "linspect/v1": neutral(&text) })
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
    let mut text = format!("{}.", crate::sentence::capital(&race.title()));
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
    let rule = match race.hand_over {
        true => "hand-over",
        false => "data-race",
    };
    json!({
        "ruleId": rule,
        "kind": "fail",
        "level": level,
        "message": { "text": lines.join("\n") },
        "locations": race.accesses.last().map(place).into_iter().collect::<Vec<_>>(),
        "relatedLocations": related.collect::<Vec<_>>(),
        "partialFingerprints": fingerprint(finding, rule, &race.variable),
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
        "partialFingerprints": fingerprint(finding, rule, &finding.headline()),
        "properties": { "spec": neutral(&finding.checked.spec), "findingVersion": VERSION },
    });
    let related = related(finding);
    if !related.is_empty() {
        result["relatedLocations"] = Value::Array(related);
    }
    let run = finding.interleaving.as_ref();
    let run = run.filter(|run| run.steps.iter().any(|step| step.matters || step.fault));
    if let Some(run) = run {
        result["codeFlows"] = json!([code_flow(finding, run)]);
    }
    result
}

/// What is wrong in one sentence, what to change, and what was covered.
fn message(finding: &Finding) -> String {
    let mut text = crate::sentence::sentence(finding).unwrap_or_else(|| finding.headline());
    match fix(finding) {
        Some(Fix::Repair(repair)) => {
            text += &format!("\nFix: {}.", blocks(repair));
            if let Some(hint) = &repair.hint {
                text += &format!(" {hint}.");
            }
        }
        Some(Fix::Advice(advice)) => text += &format!("\nFix: {advice}."),
        Some(Fix::None(why)) => text += &format!("\nNo fix: {why}."),
        None => {}
    }
    if let Verdict::Unknown { reason } = &finding.verdict {
        text += &format!("\n{reason}");
    }
    text += &format!("\n{} · {}", finding.headline(), coverage(finding));
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
            let says = format!("({}) {} {when}: {}", n + 1, side.text, side.promise());
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

/// The steps that matter in the order in which they ran, each with its thread. One flow: code hosts show no more.
fn code_flow(finding: &Finding, run: &Interleaving) -> Value {
    let told = run
        .steps
        .iter()
        .zip(1_u64..)
        .filter(|(step, _)| step.matters || step.fault);
    let locations: Vec<Value> = told
        .map(|(step, order)| {
            let mut place = step.span.as_ref().map_or(json!({}), physical);
            let text = format!("{} {}", finding.client(step.thread), step.text());
            place["message"] = json!({ "text": shown(&text, LONGEST) });
            json!({ "location": place, "executionOrder": order })
        })
        .take(FLOW)
        .collect();
    json!({ "threadFlows": [{ "locations": locations }] })
}

/// A flow has at most so many steps.
const FLOW: usize = 500;

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
