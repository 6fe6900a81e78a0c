//! A plain program of the zoo: a main with threads and an assertion that can fail.

use crate::error::ZooError;
use crate::manifest::{BugKind, Family, Figure, Language, Paper, Quote};
use crate::object::paths;
use crate::quote::{self, QuotedPlace};
use std::collections::BTreeMap;

/// A program and what an explanation of its failure must contain.
#[derive(Clone, Debug)]
pub struct ZooProgram {
    /// Its name, unique in the zoo.
    pub name: String,
    /// What it is written in.
    pub language: Language,
    /// The papers it is from.
    pub papers: Vec<Paper>,
    /// The row of the paper's table that it stands for.
    pub row: String,
    /// Whether it is our own reconstruction of what is publicly known of the bug.
    pub reconstruction: bool,
    /// Its sources, as paths below the zoo.
    pub files: Vec<String>,
    /// What kind of bug it has.
    pub kind: BugKind,
    /// What is wrong, in one sentence.
    pub bug: String,
    /// The lines that a slice must contain to reflect the bug: both sides of the race, or the region meant to be atomic
    /// and what interrupts it.
    pub reflects: Vec<QuotedPlace>,
    /// The same for the mirror image of the failing run, if the program has one: threads in each other's place.
    pub or_reflects: Vec<QuotedPlace>,
    /// Whether the slice must also show one thread overwriting what another has read or written, because all of these lines are those of each thread.
    pub interferes: bool,
    /// The paper's figures, by name: statements in the trace, and the percentage kept per encoding.
    pub figures: BTreeMap<String, Figure>,
}

pub(crate) fn resolve(folder: &str, family: &Family) -> Result<Vec<ZooProgram>, ZooError> {
    family
        .program
        .iter()
        .map(|entry| {
            let paths = paths(folder, &entry.name, &entry.files)?;
            let places = |quotes: &[Quote]| {
                let quotes = quotes.iter();
                let found = quotes.map(|quote| quote::find(&entry.name, &paths, quote));
                found.collect::<Result<Vec<QuotedPlace>, _>>()
            };
            let (reflects, or_reflects) = (places(&entry.reflects)?, places(&entry.or_reflects)?);
            Ok(ZooProgram {
                name: entry.name.clone(),
                language: family.language,
                papers: entry.papers.clone(),
                row: entry.row.clone(),
                reconstruction: entry.reconstruction,
                kind: entry.kind,
                bug: entry.bug.clone(),
                reflects,
                or_reflects,
                interferes: entry.interferes,
                figures: entry.figures.clone(),
                files: paths,
            })
        })
        .collect()
}
