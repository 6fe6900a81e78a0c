//! What decided where an access went, and which conditions of libraries decided nothing.
//!
//! An address is computed, through offsets, indices, parameters and pointers that were stored somewhere. Most of that could not have been otherwise: a
//! pointer to the object that is passed from hand to hand is a name and no decision. What counts is what the run could have made another: indices and
//! pointers read from memory that has more than one value in the run, and choices between several pointers.

use super::definitions::{Definitions, Source};
use super::linear::Var;
use linspect_core::statement::Rule;
use smallvec::{SmallVec, smallvec};
use std::collections::BTreeSet;

/// A computation with more steps is a decision by itself.
const MAX_STEPS: usize = 256;

/// The values that decided where the access of `statement` went; in no case more than its pointer says.
pub(crate) fn decisions(d: &Definitions<'_>, statement: usize) -> BTreeSet<Var> {
    let pointer = d.address(statement);
    pointer.map_or_else(BTreeSet::new, |p| leaves(d, statement, p))
}

/// Whether a condition could not have gone the other way, whoever came first.
pub(crate) fn is_forced(d: &Definitions<'_>, condition: usize) -> bool {
    d.sources(condition).iter().all(|source| match source {
        Source::Constant(_) => true,
        Source::Defined(v) => leaves(d, condition, *v).is_empty(),
    })
}

/// The decisions behind the value of `v` at `at`.
fn leaves(d: &Definitions<'_>, at: usize, v: Var) -> BTreeSet<Var> {
    let mut found = BTreeSet::new();
    let mut seen = BTreeSet::new();
    let mut open: SmallVec<[Var; 8]> = smallvec![v];
    while let Some(v) = open.pop() {
        if !seen.insert(v) {
            continue;
        }
        let through = if seen.len() > MAX_STEPS {
            None
        } else {
            behind(d, at, v)
        };
        match through {
            Some(sources) => open.extend(sources),
            None => {
                found.insert(v);
            }
        }
    }
    found
}

/// What `v` was computed from, if nothing but that decided its value; `None` if it was a decision of its own.
fn behind(d: &Definitions<'_>, access: usize, v: Var) -> Option<SmallVec<[Var; 2]>> {
    // What was there before the recording is judged where it is read.
    let Some(statement) = d.statement(v) else {
        return Some(SmallVec::new());
    };
    if !d.is_within(access, statement) {
        return None;
    }
    let reads_changing = d
        .reads(statement)
        .any(|(location, writer)| !d.is_settled(location, writer, statement));
    if reads_changing || d.rule(statement)?.0 == Rule::Select {
        return None;
    }
    let sources = d.sources(statement).iter();
    Some(
        sources
            .filter_map(|s| match s {
                Source::Defined(v) => Some(*v),
                Source::Constant(_) => None,
            })
            .collect(),
    )
}
