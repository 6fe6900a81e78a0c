//! Atomic sections of source code, and repairs made of them.

use linspect_core::machine::Site;
use std::fmt;
use std::sync::Arc;

/// Source lines of one function that would have to run without interruption.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Section {
    /// The file.
    pub file: Arc<str>,
    /// The function.
    pub function: Arc<str>,
    /// The first line.
    pub first: u32,
    /// The last line.
    pub last: u32,
}

impl Section {
    /// Whether `site` stands in it.
    pub fn contains(&self, site: &Site) -> bool {
        (self.first..=self.last).contains(&site.line)
            && *self.function == *site.function
            && *self.file == *site.file
    }

    /// Whether it contains all of `other`.
    pub fn covers(&self, other: &Self) -> bool {
        self.is_of_same_function(other) && self.first <= other.first && other.last <= self.last
    }

    fn is_of_same_function(&self, other: &Self) -> bool {
        self.function == other.function && self.file == other.file
    }
}

impl fmt::Display for Section {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            file,
            function,
            first,
            last,
        } = self;
        write!(f, "{function} {file}:{first}–{last}")
    }
}

/// A set of atomic sections, sorted, none overlapping another.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Sections(Vec<Section>);

impl Sections {
    /// These sections, those that overlap made one.
    pub fn merge(sections: impl IntoIterator<Item = Section>) -> Self {
        let mut all: Vec<Section> = sections.into_iter().collect();
        all.sort_unstable();
        let mut merged: Vec<Section> = Vec::new();
        for section in all {
            match merged.last_mut() {
                Some(last) if last.is_of_same_function(&section) && section.first <= last.last => {
                    last.last = last.last.max(section.last);
                }
                _ => merged.push(section),
            }
        }
        Self(merged)
    }

    /// The sections of both.
    pub fn union(&self, other: &Self) -> Self {
        Self::merge(self.0.iter().chain(&other.0).cloned())
    }

    /// Whether every section of `other` lies in one of these (Definition 2: this repair subsumes the other).
    pub fn subsumes(&self, other: &Self) -> bool {
        other.0.iter().all(|o| self.0.iter().any(|s| s.covers(o)))
    }

    /// The sections.
    pub fn iter(&self) -> std::slice::Iter<'_, Section> {
        self.0.iter()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Keeps only those that subsume no other: the optimal ones, sorted.
pub fn optimal(mut repairs: Vec<Sections>) -> Vec<Sections> {
    repairs.sort_unstable();
    repairs.dedup();
    let subsumed: Vec<bool> = repairs
        .iter()
        .map(|r| repairs.iter().any(|other| other != r && r.subsumes(other)))
        .collect();
    let mut keep = subsumed.iter().map(|s| !s);
    repairs.retain(|_| keep.next().unwrap_or(false));
    repairs
}
