//! Whether what was found in an entry is the fault that its description tells of.

use crate::object::{ExpectedSection, Object};
use crate::program::ZooProgram;
use crate::quote::QuotedPlace;

/// Lines of a file, both ends included: path, first, last.
pub type Lines<'a> = (&'a str, u32, u32);

impl Object {
    /// Whether a finding shows the described fault: it would make described code one step (`blocks`), the run was decided at a
    /// described line (`decided`), or it goes wrong without any overlap (`alone`), as described.
    pub fn is_described<'a>(
        &self,
        mut blocks: impl Iterator<Item = Lines<'a>>,
        mut decided: impl Iterator<Item = Lines<'a>>,
        alone: bool,
    ) -> bool {
        if self.serial {
            return alone;
        }
        let touches = |(file, first, last): Lines<'_>, section: &ExpectedSection| {
            is_file(file, &section.first.file)
                && first <= section.last.line
                && section.first.line <= last
        };
        let sections = self.repair.iter().chain(&self.or_repair);
        blocks.any(|lines| sections.clone().any(|section| touches(lines, section)))
            || decided.any(|lines| self.decisive.iter().any(|place| is_at(lines, place)))
    }
}

impl ZooProgram {
    /// Whether a finding shows the described fault: its slice has all lines of it.
    pub fn is_described<'a>(&self, slice: impl Iterator<Item = Lines<'a>>) -> bool {
        let slice: Vec<Lines<'_>> = slice.collect();
        let all = |places: &[QuotedPlace]| {
            let here = |place: &QuotedPlace| slice.iter().any(|lines| is_at(*lines, place));
            !places.is_empty() && places.iter().all(here)
        };
        all(&self.reflects) || all(&self.or_reflects)
    }
}

fn is_at((file, first, last): Lines<'_>, place: &QuotedPlace) -> bool {
    is_file(file, &place.file) && (first..=last).contains(&place.line)
}

/// Whether a path means a file of the zoo: wherever that was written, and however the compiler spells it.
fn is_file(path: &str, file: &str) -> bool {
    path.rsplit(['/', '\\']).next() == file.rsplit('/').next()
}

#[cfg(test)]
mod tests {
    use super::Lines;
    use crate::Zoo;
    use crate::quote::QuotedPlace;
    use std::iter::{empty, once};

    fn line(place: &QuotedPlace) -> Lines<'_> {
        (&place.file, place.line, place.line)
    }

    /// Of every entry with a fault, the description says something to recognise it by, and that is recognised.
    #[test]
    fn every_fault_can_be_recognised() {
        let zoo = Zoo::bundled().expect("the zoo is well described");
        let wrong = zoo.objects.iter();
        let wrong = wrong.filter(|o| o.bug.is_some() && !o.serial && o.quasi != Some(true));
        for object in wrong {
            let name = &object.name;
            let blocks = object.repair.iter();
            let blocks = blocks.map(|s| (s.first.file.as_str(), s.first.line, s.last.line));
            let decided = || object.decisive.iter().map(line);
            assert!(object.is_described(blocks, decided(), false), "{name}");
            assert!(!object.is_described(empty(), empty(), true), "{name}");
            let elsewhere = once(("nowhere.c", 1, 9_999));
            assert!(!object.is_described(elsewhere, empty(), true), "{name}");
        }
        for program in &zoo.programs {
            let slice = || program.reflects.iter().map(line);
            assert!(program.is_described(slice()), "{}", program.name);
            let most = slice().count().saturating_sub(1);
            let part = slice().take(most);
            assert!(
                !program.or_reflects.is_empty() || !program.is_described(part),
                "{}",
                program.name
            );
        }
    }
}
