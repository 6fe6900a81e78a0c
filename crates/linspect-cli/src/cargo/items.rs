//! What there is to run: harnesses, and tests that start threads.

use crate::failure::Failure;
use linspect_engine::frontend::Entry;
use linspect_engine::frontend::cargo::Target;
use linspect_engine::frontend::index::{self, Kind};
use std::path::PathBuf;

/// A harness or a test.
pub(super) struct Item {
    /// The program it is in, as cargo-nextest names it: `package`, or `package::target`.
    binary: String,
    /// Its path in there.
    path: String,
    pub(super) bundle: PathBuf,
    pub(super) entry: Entry,
}

impl Item {
    pub(super) fn name(&self) -> String {
        format!("{} {}", self.binary, self.path)
    }
}

/// What was found.
pub(super) struct Selection {
    pub(super) items: Vec<Item>,
    /// What else there is, and why it is not run; empty if there is nothing else.
    pub(super) left_out: String,
}

/// What is to run of `targets`: all that has one of `filters` in its name, or everything.
pub(super) fn find(targets: &[Target], filters: &[String]) -> Result<Selection, Failure> {
    let mut items = Vec::new();
    let mut counts = [
        (0, "without threads"),
        (0, "with #[should_panic]"),
        (0, "with a result"),
    ];
    for target in targets {
        if !target.is_test {
            items.push(Item {
                binary: format!("{}::bin/{}", target.package, target.name),
                path: "main".to_owned(),
                bundle: target.bundle.clone(),
                entry: Entry::Only,
            });
            continue;
        }
        let index = index::index(&target.bundle).map_err(|error| Failure::Load(Box::new(error)))?;
        let item = |name: &str, entry| Item {
            binary: binary(target),
            // The first part is the crate.
            path: name
                .split_once("::")
                .map_or(name, |(_, path)| path)
                .to_owned(),
            bundle: target.bundle.clone(),
            entry,
        };
        for name in &index.harnesses {
            items.push(item(name, Entry::Harness(name.clone())));
        }
        for test in index.tests {
            let left_out = match (test.starts_threads, test.kind) {
                (_, Kind::Ignored) => continue,
                (false, _) => &mut counts[0],
                (true, Kind::Panics) => &mut counts[1],
                (true, Kind::Returns) => &mut counts[2],
                (true, Kind::Plain) => {
                    items.push(item(&test.name, Entry::Test(test.symbol)));
                    continue;
                }
            };
            left_out.0 += 1;
        }
    }
    items.retain(|item| {
        let name = item.name();
        filters.is_empty() || filters.iter().any(|f| name.contains(f.as_str()))
    });
    let parts: Vec<String> = counts
        .iter()
        .filter(|(count, _)| *count > 0 && filters.is_empty())
        .map(|(count, why)| format!("{count} {why}"))
        .collect();
    let left_out = parts.join(", ");
    Ok(Selection { items, left_out })
}

fn binary(target: &Target) -> String {
    let is_library = target.name.replace('-', "_") == target.package.replace('-', "_");
    if is_library {
        target.package.clone()
    } else {
        format!("{}::{}", target.package, target.name)
    }
}

/// `3 harnesses and 1 test`.
pub(super) fn count(items: &[Item]) -> String {
    let harnesses = items
        .iter()
        .filter(|i| matches!(i.entry, Entry::Harness(_)))
        .count();
    let programs = items.iter().filter(|i| i.entry == Entry::Only).count();
    let tests = items.len() - harnesses - programs;
    let say = |n: usize, one: &str, many: &str| format!("{n} {}", if n == 1 { one } else { many });
    if programs > 0 {
        return say(programs, "program", "programs");
    }
    format!(
        "{} and {}",
        say(harnesses, "harness", "harnesses"),
        say(tests, "threaded test", "threaded tests")
    )
}
