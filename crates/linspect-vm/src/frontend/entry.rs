//! What of a program is to run: its `main`, one of its harnesses, one of its tests.
//!
//! A Rust harness is known by its functions' symbols, which name it: `linspect_object:package::tests::stack`. The machine looks for plain
//! symbols, so the functions of the chosen harness lose the rest of theirs, and a chosen test becomes the `main` of its program.

use super::LoadError;
use super::reduce::is_mangled;
use crate::harness::{PREFIX, TEST_SETTINGS};
use crate::llvm::{Function, Module};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// What of a program is to run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Entry {
    /// Its only harness if there is one, else its `main`.
    #[default]
    Only,
    /// One harness of several: `package::tests::stack`.
    Harness(String),
    /// A function without parameters or result, by its symbol or its path: `package::tests::two_threads`.
    Test(String),
}

/// Separates the name of a harness from what its function does.
const SEPARATOR: char = ':';

/// A function of a harness: what it does, and which harness it belongs to.
pub(super) fn in_harness(symbol: &str) -> Option<(&str, &str)> {
    if !symbol.starts_with(PREFIX) || of_test(symbol).is_some() {
        return None;
    }
    symbol.split_once(SEPARATOR)
}

/// The test whose settings a function says.
pub(super) fn of_test(symbol: &str) -> Option<&str> {
    symbol.strip_prefix(TEST_SETTINGS)
}

impl Entry {
    /// Gives the functions of `module` that are to run the symbols that the machine looks for; returns all symbols to keep: those, and what
    /// can be looked up from outside because it was named by hand.
    pub(super) fn enter(&self, module: &mut Module<'_>) -> Result<BTreeSet<String>, LoadError> {
        let mut harnesses = BTreeSet::new();
        let mut named = BTreeSet::new();
        let alone = match self {
            Self::Only => only_test(module),
            Self::Harness(_) | Self::Test(_) => None,
        };
        let mut test = None;
        let mut tested = String::new();
        for function in module.functions().filter(|f| !f.is_declaration()) {
            let symbol = function.name();
            let is_wanted = |name: &str| match self {
                Self::Test(wanted) => *wanted == symbol || wanted == name,
                _ => alone.as_deref() == Some(name),
            };
            if let Some((_, harness)) = in_harness(&symbol) {
                harnesses.insert(harness.to_owned());
            } else if of_test(&symbol).is_some() {
                // Known by the test that it belongs to.
            } else if is_wanted(&function.qualified_name()) {
                tested = function.qualified_name();
                test = Some(symbol);
            } else if function.is_exported() && !is_mangled(&symbol) {
                named.insert(symbol);
            }
        }
        let chosen = match self {
            Self::Only if harnesses.len() > 1 => {
                return Err(LoadError::SeveralHarnesses {
                    names: harnesses.into_iter().collect(),
                });
            }
            Self::Only => harnesses.pop_first(),
            Self::Harness(name) if harnesses.contains(name) => Some(name.clone()),
            Self::Harness(name) | Self::Test(name) if test.is_none() => {
                return Err(LoadError::NoSuchEntry { name: name.clone() });
            }
            Self::Harness(_) | Self::Test(_) => None,
        };
        // The `main` of a test binary would bring the whole test runner along.
        if *self != Self::Only || test.is_some() {
            named.remove("main");
            module.rename(|symbol| (symbol == "main").then(|| "linspect main".to_owned()));
        }
        module.rename(|symbol| match in_harness(symbol) {
            Some((what, harness)) if Some(harness) == chosen.as_deref() => Some(what.to_owned()),
            None if Some(symbol) == test.as_deref() => Some("main".to_owned()),
            None if test.is_some() && of_test(symbol) == Some(tested.as_str()) => {
                Some(TEST_SETTINGS.trim_end_matches('@').to_owned())
            }
            _ => None,
        });
        let entries = module.functions().map(Function::name);
        named.extend(entries.filter(|s| s.starts_with(PREFIX) && !s.contains([SEPARATOR, '@'])));
        if test.is_some() {
            named.insert("main".to_owned());
        }
        Ok(named)
    }
}

/// The only test with settings of a program that has no other beginning.
fn only_test(module: &Module<'_>) -> Option<String> {
    let functions = module.functions().filter(|f| !f.is_declaration());
    let symbols: Vec<String> = functions.map(Function::name).collect();
    let begins = |symbol: &String| symbol == "main" || in_harness(symbol).is_some();
    let mut tests = symbols.iter().filter_map(|symbol| of_test(symbol));
    match (tests.next(), tests.next()) {
        (Some(test), None) if !symbols.iter().any(begins) => Some(test.to_owned()),
        _ => None,
    }
}
