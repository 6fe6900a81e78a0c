//! Whether a slice shows what is wrong between the threads: the default level of an explanation is the smallest one that does.

use super::Explained;
use super::definitions::Source;
use super::hazards::Dependency;
use linspect_core::schedule::ThreadId;
use std::collections::BTreeSet;

impl Explained<'_> {
    /// Whether one thread gets in another's way: it overwrites what the other has read and still relies on, or what it has never seen.
    pub fn interferes(&self) -> bool {
        let d = &self.definitions;
        let end = d.recording.statements.len();
        let relied_on = self.relied_on();
        let seen: BTreeSet<(usize, ThreadId, usize)> = self
            .slice
            .edges
            .iter()
            .filter(|e| e.dependency == Dependency::ReadAfterWrite && e.to < end)
            .map(|e| (e.from, d.thread(e.to), e.to))
            .collect();
        let has_seen = |write: usize, thread: ThreadId, before: usize| {
            let first = seen.range((write, thread, 0)..=(write, thread, before));
            first.count() > 0
        };
        self.slice.edges.iter().any(|e| {
            if e.to >= end || d.thread(e.from) == d.thread(e.to) {
                return false;
            }
            let thread = d.thread(e.to);
            match e.dependency {
                Dependency::WriteAfterRead => relied_on[e.from] > e.to,
                Dependency::WriteAfterWrite => {
                    !has_seen(e.from, thread, e.to) && d.begin(thread) < e.from
                }
                Dependency::ReadAfterWrite | Dependency::Control => false,
            }
        })
    }

    /// How many threads wrote the memory that the claim speaks of: in a deadlock, those that hold the locks.
    pub fn holders(&self) -> usize {
        let statements = &self.definitions.recording.statements;
        let last = self.slice.edges.iter().filter(|e| e.to == statements.len());
        let threads: BTreeSet<ThreadId> = last.map(|e| statements[e.from].thread).collect();
        threads.len()
    }

    /// For each kept statement, the last one of its own thread that depends on it, by data or by control.
    fn relied_on(&self) -> Vec<usize> {
        let d = &self.definitions;
        let mut last: Vec<usize> = (0..d.recording.statements.len()).collect();
        for &i in self.slice.kept.keys().rev() {
            let sources = d.sources(i).iter().filter_map(|s| match s {
                Source::Defined(v) => d.statement(*v),
                Source::Constant(_) => None,
            });
            for earlier in sources.chain(d.scope(i)) {
                if d.thread(earlier) == d.thread(i) {
                    last[earlier] = last[earlier].max(last[i]);
                }
            }
        }
        last
    }
}
