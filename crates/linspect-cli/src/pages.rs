//! Where the page of each item goes, so that none overwrites another.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The pages of several items.
pub(crate) struct Pages {
    place: Option<PathBuf>,
    /// Whether there is a single item, whose page is written to the place itself.
    alone: bool,
    taken: BTreeSet<PathBuf>,
}

impl Pages {
    /// Pages of so many items at `place`, if one was given: a file for one of them, a folder for several.
    pub(crate) fn new(place: Option<&Path>, items: usize) -> Self {
        let is_folder = |place: &Path| place.is_dir() || place.to_string_lossy().ends_with('/');
        Self {
            place: place.map(Path::to_owned),
            alone: items == 1 && !place.is_some_and(is_folder),
            taken: BTreeSet::new(),
        }
    }

    /// Where the page of the item called `name` goes. Beside `report.html` there are `report-NAME.html`; anything else is
    /// a folder.
    pub(crate) fn of(&mut self, name: &str) -> Option<PathBuf> {
        let place = self.place.as_ref()?;
        if self.alone {
            return Some(place.clone());
        }
        let words = name.split(|c: char| !c.is_alphanumeric() && c != '_');
        let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
        let name = words.join("-");
        let stem = place.file_stem().unwrap_or_default().to_string_lossy();
        let is_file = place.extension().is_some_and(|e| e == "html") && !place.is_dir();
        let page = |number: &str| match is_file {
            true => place.with_file_name(format!("{stem}-{name}{number}.html")),
            false => place.join(format!("{name}{number}.html")),
        };
        let numbers = (2..).map(|n| format!("-{n}"));
        let mut pages = std::iter::once(String::new())
            .chain(numbers)
            .map(|n| page(&n));
        let free = pages.find(|page| !self.taken.contains(page))?;
        self.taken.insert(free.clone());
        Some(free)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_page_overwrites_another() {
        let pages = |place: &str, names: &[&str]| -> Vec<String> {
            let mut pages = Pages::new(Some(Path::new(place)), names.len());
            let pages = names.iter().map(|name| pages.of(name).expect("a place"));
            pages.map(|page| page.display().to_string()).collect()
        };
        assert_eq!(pages("out/report.html", &["a::b c"]), ["out/report.html"]);
        assert_eq!(pages("out/", &["a::b c"]), ["out/a-b-c.html"]);
        assert_eq!(
            pages("out/report.html", &["a::b c", "a b::c", "d"]),
            [
                "out/report-a-b-c.html",
                "out/report-a-b-c-2.html",
                "out/report-d.html"
            ]
        );
        assert_eq!(pages("out", &["a", "b"]), ["out/a.html", "out/b.html"]);
        assert_eq!(Pages::new(None, 2).of("a"), None);
    }
}
