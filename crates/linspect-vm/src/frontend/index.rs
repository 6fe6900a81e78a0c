//! What there is to run in a linked program: its harnesses, and its tests.
//!
//! Harnesses are known by their symbols. A test is an ordinary function to the linker; that it is a test, and which kind, is written above it in the
//! source, where debug information says that it stands. Whether it starts threads is decided on the decoded program: whether it can reach the
//! function of the system that does.

use super::cache::Cache;
use super::evidence::Evidence;
use super::reduce::is_mangled;
use super::select::{Reached, Reading};
use super::{Built, LoadError, assemble, cache, entry, linker};
use crate::llvm::Module;
use crate::program::Program;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// What there is to run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Index {
    /// Harnesses, by name: `package::tests::stack`.
    pub harnesses: Vec<String>,
    /// Tests, by name.
    pub tests: Vec<Test>,
}

/// A `#[test]` function.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Test {
    /// Its path: `package::tests::two_threads`.
    pub name: String,
    /// Its symbol.
    pub symbol: String,
    /// Whether it can start a thread.
    pub starts_threads: bool,
    /// What it says about itself.
    pub kind: Kind,
}

/// What a test says about itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Kind {
    /// It is right if it returns.
    Plain,
    /// It is not to be run.
    Ignored,
    /// It is right if it panics.
    Panics,
    /// It is right if what it returns is.
    Returns,
}

/// The function that starts a thread, whatever the library calls it by.
const STARTS_A_THREAD: &str = "pthread_create";

/// What there is to run in the program at `bundle`.
pub fn index(bundle: &Path) -> Result<Index, LoadError> {
    let cache = Cache::open();
    let key = cache::index_key(bundle)?;
    let kept = cache.as_ref().and_then(|c| c.read(key));
    let kept = kept.and_then(|bytes| postcard::from_bytes::<(Evidence, Index)>(&bytes).ok());
    if let Some((_, index)) = kept.filter(|(evidence, _)| evidence.holds()) {
        return Ok(index);
    }
    let found = of_program(&whole(bundle)?);
    if let (Some(cache), Ok(bytes)) = (cache, postcard::to_stdvec(&found))
        && cache::index_key(bundle).is_ok_and(|after| after == key)
        && found.0.holds()
    {
        cache.write(key, &bytes);
    }
    Ok(found.1)
}

/// All of the program at `bundle` that could be run, linked and decoded once for everything that is.
pub(super) fn whole(bundle: &Path) -> Result<Program, LoadError> {
    super::cached(
        || cache::whole_key(bundle),
        || {
            let mut parts = linker::unpack(bundle)?;
            let program = assemble::assemble(&mut parts, |own| Ok(candidates(own)))?;
            Ok(Built {
                program,
                evidence: parts.evidence,
            })
        },
    )
}

/// The functions that could be a test, those of harnesses, and what can be looked up from outside because it was named by hand. The `main` of a test binary would bring
/// the whole test runner along.
fn candidates(own: &mut Module<'_>) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for function in own.functions().filter(|f| !f.is_declaration()) {
        let symbol = function.name();
        // A result that does not fit into registers takes a parameter.
        let could_be_test = is_mangled(&symbol)
            && function.params().len() <= 1
            && is_path(&function.qualified_name());
        let is_named = entry::in_harness(&symbol).is_some() || entry::of_test(&symbol).is_some();
        let by_hand = function.is_exported() && !is_mangled(&symbol) && symbol != "main";
        if could_be_test || is_named || by_hand {
            found.insert(symbol);
        }
    }
    found
}

/// Whether a name is that of a function by itself: not generic, no method, no closure.
fn is_path(name: &str) -> bool {
    !name.is_empty() && !name.contains(['<', '{'])
}

/// What there is to run in `program`, and the source files that say so.
fn of_program(program: &Program) -> (Evidence, Index) {
    let mut sources = Sources::default();
    let mut index = Index::default();
    let symbols = program.functions.iter().map(|f| program.text(f.symbol));
    let named: BTreeSet<&str> = symbols.filter_map(entry::of_test).collect();
    for (id, function) in (0..).zip(&program.functions) {
        let symbol = program.text(function.symbol);
        if let Some((_, harness)) = entry::in_harness(symbol) {
            index.harnesses.push(harness.to_owned());
            continue;
        }
        let name = program.text(function.name);
        if function.is_declaration() || !is_mangled(symbol) || !is_path(name) {
            continue;
        }
        let site = program.sites[function.site as usize];
        let Some(attributes) = sources.above(program.text(site.file), site.line) else {
            continue;
        };
        let has = |attribute: &str| attributes.contains(attribute);
        if !has("#[test]") && !named.contains(name) {
            continue;
        }
        index.tests.push(Test {
            name: name.to_owned(),
            symbol: symbol.to_owned(),
            starts_threads: Reached::from(program, &[id], Reading::Exact)
                .has(program, STARTS_A_THREAD),
            kind: if has("#[ignore") {
                Kind::Ignored
            } else if has("#[should_panic") {
                Kind::Panics
            } else if function.params + function.returns > 0 {
                Kind::Returns
            } else {
                Kind::Plain
            },
        });
    }
    index.harnesses.sort();
    index.harnesses.dedup();
    index.tests.sort_by(|a, b| a.name.cmp(&b.name));
    (sources.evidence, index)
}

/// Source files that were looked into.
#[derive(Default)]
struct Sources {
    lines: BTreeMap<String, Vec<String>>,
    evidence: Evidence,
}

impl Sources {
    /// What stands between the item before and the function that starts at `line`: its attributes and comments.
    fn above(&mut self, file: &str, line: u32) -> Option<String> {
        let lines = self.lines.entry(file.to_owned()).or_insert_with(|| {
            self.evidence.add(file.into());
            let text = std::fs::read_to_string(file).unwrap_or_default();
            text.lines().map(|l| l.trim().to_owned()).collect()
        });
        attributes(lines, (line as usize).checked_sub(1)?)
    }
}

/// The attributes of the function whose `fn` is in line `at`, counted from 0.
fn attributes(lines: &[String], at: usize) -> Option<String> {
    // The `main` that the compiler makes of tests stands nowhere, which is line 1.
    let (before, _) = lines.get(at)?.split_once("fn ")?;
    let above = lines[..at]
        .iter()
        .rev()
        .take_while(|l| !l.is_empty() && !l.ends_with(['}', ';', '{']))
        .filter(|l| !l.starts_with("//"));
    let mut found: Vec<&str> = above.map(String::as_str).collect();
    found.reverse();
    found.push(before);
    Some(found.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_stand_above_or_before() {
        let text = "}\n/// Why.\n#[test]\n#[should_panic(\n    expected = \"x\"\n)]\nfn a() {\n\n#[ignore] #[test] fn b() {}\nfn c() {}";
        let lines: Vec<String> = text.lines().map(|l| l.trim().to_owned()).collect();
        let of = |at| attributes(&lines, at).expect("a line of the file");
        assert_eq!(of(6), "#[test]\n#[should_panic(\nexpected = \"x\"\n)]\n");
        assert_eq!(of(8), "#[ignore] #[test] ");
        assert_eq!(of(9), "");
        assert_eq!(attributes(&lines, 2), None);
        assert_eq!(attributes(&lines, 10), None);
    }
}
