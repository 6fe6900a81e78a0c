//! Sections that would wait inside, begun earlier.
//!
//! A section from the release of a lock to its next acquisition cannot be run through while another thread holds the lock; one that begins with
//! the first acquisition can. So a repair that makes threads wait for ever begins at the access before, until nobody waits. A section around
//! a wait for a condition stays none: no lock can be held there.

use super::section::{Section, Sections};
use linspect_core::machine::Site;
use std::collections::BTreeMap;
use std::sync::Arc;

/// How many accesses earlier a section may begin.
pub(super) const EARLIER: usize = 16;

/// How many runs, good and bad each, are asked where their accesses stand: they do not stand at so many lines.
pub(super) const RUNS: usize = 100;

/// The lines at which accesses stand, by file and function, and whether they wait for a condition.
#[derive(Default)]
pub(super) struct Lines(BTreeMap<(Arc<str>, Arc<str>, u32), bool>);

impl Lines {
    pub(super) fn add(&mut self, site: &Site, waits: bool) {
        let (file, function) = (Arc::from(&*site.file), Arc::from(&*site.function));
        *self.0.entry((file, function, site.line)).or_default() |= waits;
    }

    fn waits_in(&self, section: &Section) -> bool {
        let at = |line| (section.file.clone(), section.function.clone(), line);
        let mut inside = self.0.range(at(section.first)..=at(section.last));
        inside.any(|(_, waits)| *waits)
    }

    /// `sections`, each begun at the access before; nothing if there is none before any of them, or if a thread waits there.
    pub(super) fn wider(&self, sections: &Sections) -> Option<Sections> {
        let mut earlier = false;
        let wider = sections.iter().map(|section| {
            let at = |line| (section.file.clone(), section.function.clone(), line);
            let before = self.0.range(at(0)..at(section.first)).next_back();
            earlier |= before.is_some();
            Section {
                first: before.map_or(section.first, |((_, _, line), _)| *line),
                ..section.clone()
            }
        });
        let wider = Sections::merge(wider.collect::<Vec<_>>());
        let waits = wider.iter().any(|section| self.waits_in(section));
        (earlier && !waits).then_some(wider)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn section(function: &str, first: u32, last: u32) -> Section {
        Section {
            file: "a.c".into(),
            function: function.into(),
            first,
            last,
        }
    }

    #[test]
    fn sections_begin_earlier_until_there_is_nothing_before() {
        let mut lines = Lines::default();
        let mut add = |function: &str, line, waits| {
            let site = Site {
                file: "a.c".into(),
                function: function.into(),
                line,
                ..Site::default()
            };
            lines.add(&site, waits);
        };
        for (function, line) in [("f", 3), ("f", 5), ("f", 8), ("g", 20), ("h", 32)] {
            add(function, line, false);
        }
        add("h", 31, true);
        let start = Sections::merge([section("f", 8, 9), section("g", 20, 21)]);
        let once = lines.wider(&start).expect("f has an access before");
        assert_eq!(
            once,
            Sections::merge([section("f", 5, 9), section("g", 20, 21)])
        );
        let twice = lines.wider(&once).expect("f has another one");
        assert_eq!(
            twice,
            Sections::merge([section("f", 3, 9), section("g", 20, 21)])
        );
        assert_eq!(lines.wider(&twice), None);
        let around_a_wait = Sections::merge([section("h", 32, 33)]);
        assert_eq!(lines.wider(&around_a_wait), None);
    }
}
