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
    /// Is executed because of how it was decided.
    Control,
}

/// A dependency between two statements of a slice, through memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DependencyEdge {
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
) -> Vec<DependencyEdge> {
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

/// Which kept statements are executed because of which kept conditions.
pub(crate) fn control(
    definitions: &Definitions<'_>,
    kept: &BTreeMap<usize, Role>,
) -> Vec<DependencyEdge> {
    let edge = |(&to, role): (&usize, &Role)| {
        let from = definitions.scope(to)?;
        let decided = *role != Role::Hazard && kept.get(&from) == Some(&Role::Guard);
        decided.then_some(DependencyEdge {
            from,
            to,
            dependency: Dependency::Control,
        })
    };
    kept.iter().filter_map(edge).collect()
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
    let read = |location| {
        let writes = definitions.writes(location);
        let last = writes.filter_map(|(_, all)| all.last().copied()).max();
        Read {
            reader: definitions.recording.statements.len(),
            thread: None,
            location,
            writer: effective(definitions, kept, last),
        }
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

fn add(
    definitions: &Definitions<'_>,
    hazards: Hazards,
    read: &Read,
    edges: &mut BTreeSet<DependencyEdge>,
) {
    let mut edge = |from, to, dependency| {
        edges.insert(DependencyEdge {
            from,
            to,
            dependency,
        });
    };
    if let Some(writer) = read.writer {
        edge(writer, read.reader, Dependency::ReadAfterWrite);
    }
    // Memory of one thread has no hazards.
    if hazards == Hazards::Ignored || !definitions.is_shared(read.location) {
        return;
    }
    let (mut before, mut after) = (Nearest::default(), Nearest::default());
    for (thread, all) in definitions.writes(read.location) {
        if hazards == Hazards::Nearest && read.thread == Some(thread) {
            continue;
        }
        let earlier = read
            .writer
            .map_or(&all[..0], |w| &all[..all.partition_point(|&m| m < w)]);
        let later = &all[all.partition_point(|&m| m <= read.reader)..];
        if hazards == Hazards::All {
            before.all.extend(earlier);
            after.all.extend(later);
            continue;
        }
        if let Some(&last) = earlier.last() {
            let nearest = before.by_thread.entry(thread).or_insert(last);
            *nearest = last.max(*nearest);
        }
        if let Some(&first) = later.first() {
            let nearest = after.by_thread.entry(thread).or_insert(first);
            *nearest = first.min(*nearest);
        }
    }
    for m in before.statements() {
        if let Some(writer) = read.writer {
            edge(m, writer, Dependency::WriteAfterWrite);
        }
    }
    for m in after.statements() {
        edge(read.reader, m, Dependency::WriteAfterRead);
    }
}

/// Writes on one side of a read: all, or the nearest of each thread.
#[derive(Default)]
struct Nearest {
    by_thread: BTreeMap<ThreadId, usize>,
    all: Vec<usize>,
}

impl Nearest {
    fn statements(self) -> impl Iterator<Item = usize> {
        self.by_thread.into_values().chain(self.all)
    }
}

/// Statements after which another thread goes on, and it matters: a dependency between threads spans the switch.
pub(crate) fn relevant_switches(
    definitions: &Definitions<'_>,
    edges: &[DependencyEdge],
) -> Vec<usize> {
    let statements = &definitions.recording.statements;
    let spans: Vec<(usize, usize)> = edges
        .iter()
        .filter(|e| e.dependency != Dependency::Control)
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
