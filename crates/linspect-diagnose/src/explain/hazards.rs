//! Hazards: writes of other threads that came, or did not come, between a write and its read.
//!
//! A read at `i` sees the write at `j` only because every other write `m` of that memory happened before `j` (write after write) or after `i` (write after read); the
//! paper's equation 7. Footnote 6 keeps only the nearest such write of each other thread, which is enough to tell the order apart.
//! A statement that is kept only as a hazard brings nothing else into the slice: where it happened matters, not its value.

use super::definitions::Definitions;
use super::{Hazards, Role};
use linspect_core::execution::Location;
use linspect_core::schedule::ThreadId;
use linspect_core::statement::{Operand, Variable};
use std::collections::{BTreeMap, BTreeSet};

/// How one statement depends on an earlier one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Dependency {
    /// Reads what it wrote.
    ReadAfterWrite,
    /// Overwrites what it read.
    WriteAfterRead,
    /// Overwrites what it wrote.
    WriteAfterWrite,
}

/// A dependency between two statements of a slice, through memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Edge {
    /// The earlier statement.
    pub from: usize,
    /// The later one; the number of statements for the claim.
    pub to: usize,
    /// How the later depends on the earlier.
    pub dependency: Dependency,
}

/// The dependencies of the kept statements; adds to `kept` what is only there as a hazard.
pub(crate) fn edges(
    definitions: &Definitions<'_>,
    hazards: Hazards,
    kept: &mut BTreeMap<usize, Role>,
) -> Vec<Edge> {
    let mut reads = claim_reads(definitions, kept);
    for &reader in kept.keys() {
        for (location, writer) in definitions.reads(reader) {
            reads.push(Read {
                reader,
                thread: Some(definitions.thread(reader)),
                location,
                writer: effective(definitions, kept, writer),
            });
        }
    }
    let mut edges = BTreeSet::new();
    for read in &reads {
        add(definitions, hazards, read, &mut edges);
    }
    let end = definitions.recording.statements.len();
    for edge in &edges {
        for statement in [edge.from, edge.to] {
            if statement < end {
                kept.entry(statement).or_insert(Role::Hazard);
            }
        }
    }
    edges.into_iter().collect()
}

/// A read of memory by a kept statement, or by the claim.
struct Read {
    reader: usize,
    /// `None` for the claim.
    thread: Option<ThreadId>,
    location: Location,
    /// The write that the value depends on; `None` if it is older than the recording.
    writer: Option<usize>,
}

/// The claim reads the memory it speaks of, after every statement.
fn claim_reads(definitions: &Definitions<'_>, kept: &BTreeMap<usize, Role>) -> Vec<Read> {
    let operands = definitions.recording.claim.any_of.iter().flatten();
    let cells: BTreeSet<Location> = operands
        .filter_map(|(operand, _, _)| match operand {
            Operand::Variable(Variable::Cell(location)) => Some(*location),
            _ => None,
        })
        .collect();
    let read = |location| Read {
        reader: definitions.recording.statements.len(),
        thread: None,
        location,
        writer: effective(definitions, kept, definitions.writes(location).last()),
    };
    cells.into_iter().map(read).collect()
}

/// The write that a read depends on: later ones that left the invariant intact were sliced away.
fn effective(
    definitions: &Definitions<'_>,
    kept: &BTreeMap<usize, Role>,
    writer: Option<usize>,
) -> Option<usize> {
    let mut writer = writer?;
    while !kept.contains_key(&writer) {
        let before = definitions.previous(definitions.var(writer))?;
        writer = definitions.statement(before)?;
    }
    Some(writer)
}

fn add(definitions: &Definitions<'_>, hazards: Hazards, read: &Read, edges: &mut BTreeSet<Edge>) {
    let mut edge = |from, to, dependency| {
        edges.insert(Edge {
            from,
            to,
            dependency,
        });
    };
    let writes = || definitions.writes(read.location);
    let foreign = |m: &usize| read.thread != Some(definitions.thread(*m));
    if let Some(writer) = read.writer {
        edge(writer, read.reader, Dependency::ReadAfterWrite);
        let before = writes().filter(|&m| m < writer);
        let before = match hazards {
            Hazards::Ignored => Vec::new(),
            Hazards::All => before.collect(),
            Hazards::Nearest => last_per_thread(definitions, before.filter(foreign)),
        };
        for m in before {
            edge(m, writer, Dependency::WriteAfterWrite);
        }
    }
    let after = writes().filter(|&m| m > read.reader);
    let after = match hazards {
        Hazards::Ignored => Vec::new(),
        Hazards::All => after.collect(),
        Hazards::Nearest => first_per_thread(definitions, after.filter(foreign)),
    };
    for m in after {
        edge(read.reader, m, Dependency::WriteAfterRead);
    }
}

fn last_per_thread(
    definitions: &Definitions<'_>,
    writes: impl Iterator<Item = usize>,
) -> Vec<usize> {
    let last: BTreeMap<ThreadId, usize> = writes.map(|m| (definitions.thread(m), m)).collect();
    last.into_values().collect()
}

fn first_per_thread(
    definitions: &Definitions<'_>,
    writes: impl Iterator<Item = usize>,
) -> Vec<usize> {
    let mut first: BTreeMap<ThreadId, usize> = BTreeMap::new();
    for m in writes {
        first.entry(definitions.thread(m)).or_insert(m);
    }
    first.into_values().collect()
}

/// Statements after which another thread goes on, and it matters: a dependency between threads spans the switch.
pub(crate) fn relevant_switches(definitions: &Definitions<'_>, edges: &[Edge]) -> Vec<usize> {
    let statements = &definitions.recording.statements;
    let spans: Vec<(usize, usize)> = edges
        .iter()
        .filter(|e| {
            e.to >= statements.len() || statements[e.from].thread != statements[e.to].thread
        })
        .map(|e| (e.from, e.to))
        .collect();
    // Spans are sorted by their start: sweep with the furthest end so far.
    let mut reach = 0;
    let mut next = spans.iter().peekable();
    let mut relevant = Vec::new();
    for at in 0..statements.len().saturating_sub(1) {
        while let Some((_, to)) = next.next_if(|span| span.0 <= at) {
            reach = reach.max(*to);
        }
        if statements[at].thread != statements[at + 1].thread && reach > at {
            relevant.push(at);
        }
    }
    relevant
}
