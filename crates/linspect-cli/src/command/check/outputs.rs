//! What is shown of the results, and where.

use super::{Check, Checked, Output, table};
use crate::failure::Failure;
use crate::files;
use crate::screen::Screen;
use linspect_core::check::MinK;
use linspect_report::{Finding, html, json, junit, neutral, terminal};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

impl Check {
    pub(super) fn show(
        &self,
        results: &[Result<Checked, Failure>],
        screen: &mut Screen,
    ) -> Result<(), Failure> {
        match (self.output, results) {
            (Output::Json, _) => screen.print(&as_json(results))?,
            (Output::Text, [Ok(checked)]) => report(checked, screen)?,
            (Output::Text, [_]) => {}
            (Output::Text, _) => {
                screen.print(&table::render(&self.sources, results, screen))?;
                assumptions(results, screen);
            }
            (Output::Details, _) => {
                for checked in results.iter().flatten() {
                    report(checked, screen)?;
                }
            }
        }
        for checked in results.iter().flatten() {
            screen.announce(&checked.finding);
        }
        for failure in results.iter().filter_map(|result| result.as_ref().err()) {
            screen.failure(failure);
        }
        if let Some(out) = &self.html {
            self.write_html(out, results, screen)?;
        }
        self.write_for_machines(results, screen)?;
        if self.timings {
            timings(results, screen);
        }
        Ok(())
    }

    /// Writes all findings for code hosts and CI servers.
    fn write_for_machines(
        &self,
        results: &[Result<Checked, Failure>],
        screen: &mut Screen,
    ) -> Result<(), Failure> {
        let cases = results.iter().flatten().map(|checked| junit::TestCase {
            finding: &checked.finding,
            took: Some(checked.reading + checked.deciding),
        });
        let cases: Vec<junit::TestCase<'_>> = cases.collect();
        for place in self.machines.write_for_machines(&cases)? {
            screen.note(&place);
        }
        Ok(())
    }

    /// Writes a page for each history.
    fn write_html(
        &self,
        out: &Path,
        results: &[Result<Checked, Failure>],
        screen: &mut Screen,
    ) -> Result<(), Failure> {
        let is_folder = results.len() > 1 || out.as_os_str().to_string_lossy().ends_with('/');
        let mut pages: Vec<PathBuf> = Vec::new();
        for (source, result) in self.sources.iter().zip(results) {
            let Ok(checked) = result else { continue };
            let path = if is_folder {
                fresh(out, &source.stem(), &pages)
            } else {
                out.to_owned()
            };
            let recording = (!source.is_stdin()).then(|| address(&source.name(), &path));
            let page = html::render_beside(&checked.finding, recording.as_deref());
            files::write(&path, &page)?;
            pages.push(path);
        }
        match &*pages {
            [] => {}
            [page] => screen.note(&format!("report: {}", page.display())),
            pages => screen.note(&format!("{} reports: {}", pages.len(), out.display())),
        }
        Ok(())
    }
}

/// Says what was assumed about how many of several histories.
fn assumptions(results: &[Result<Checked, Failure>], screen: &mut Screen) {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for checked in results.iter().flatten() {
        if let Some(assumed) = checked.assumed {
            *counts.entry(assumed).or_default() += 1;
        }
    }
    if counts.is_empty() {
        return;
    }
    let counts: Vec<String> = counts
        .iter()
        .map(|(spec, count)| format!("{spec} ({count})"))
        .collect();
    screen.note(&format!(
        "assumed from the methods: {}; choose another with --spec",
        counts.join(", ")
    ));
}

/// Prints the report of one history.
fn report(checked: &Checked, screen: &mut Screen) -> Result<(), Failure> {
    if let Some(assumed) = &checked.assumed {
        let source = neutral(&checked.finding.checked.source);
        screen.note(&format!(
            "{source}: assuming {assumed}, as its methods suggest; choose another with --spec"
        ));
    }
    show(checked, screen)
}

/// Prints the finding of one history.
pub(crate) fn show(checked: &Checked, screen: &mut Screen) -> Result<(), Failure> {
    let options = screen.options(Some(checked.deciding));
    let mut text = terminal::render(&checked.finding, &options);
    if let Some(found) = checked.smallest_k {
        text.push_str(&smallest_k(found));
    }
    screen.print(&text)
}

fn smallest_k(found: MinK) -> String {
    match found {
        MinK::From(0) => "  smallest k: 0, it is linearizable\n".to_owned(),
        MinK::From(k) => format!("  smallest k: {k}, with less it does not hold\n"),
        MinK::Never => "  smallest k: none, not only the order of elements is wrong\n".to_owned(),
        MinK::AtLeast(k, limit) => format!("  smallest k: at least {k}, then {limit}\n"),
    }
}

/// Writes the page of one finding.
pub(crate) fn write_page(path: &Path, finding: &Finding) -> Result<(), Failure> {
    files::write(path, &html::render(finding))
}

/// The address of the file `to` for the page at `from`.
fn address(to: &str, from: &Path) -> String {
    let whole = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let (to, from) = (whole(Path::new(to)), whole(from));
    let names = |path: &Path| -> Vec<String> {
        let parts = path.components();
        parts
            .map(|part| part.as_os_str().to_string_lossy().into_owned())
            .collect()
    };
    let (to, from) = (names(&to), names(from.parent().unwrap_or(&from)));
    let common = to.iter().zip(&from).take_while(|(a, b)| a == b).count();
    let up = from[common..].iter().map(|_| "..".to_owned());
    let down = to[common..].iter().map(|name| encoded(name));
    up.chain(down).collect::<Vec<_>>().join("/")
}

/// A name of a file as a part of an address.
fn encoded(name: &str) -> String {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"-._~".contains(&b);
    let bytes = name.bytes().map(|b| match plain(b) {
        true => char::from(b).to_string(),
        false => format!("%{b:02X}"),
    });
    bytes.collect()
}

/// `folder/stem.html`, or with a number where that is taken.
fn fresh(folder: &Path, stem: &str, taken: &[PathBuf]) -> PathBuf {
    let mut path = folder.join(format!("{stem}.html"));
    let mut number = 2;
    while taken.contains(&path) {
        path = folder.join(format!("{stem}-{number}.html"));
        number += 1;
    }
    path
}

/// One finding, or an array of findings and failures.
fn as_json(results: &[Result<Checked, Failure>]) -> String {
    listed(&results.iter().map(item).collect::<Vec<_>>())
}

/// One finding or failure.
pub(super) fn item(result: &Result<Checked, Failure>) -> String {
    match result {
        Ok(checked) => json::write(&checked.finding),
        Err(failure) => failure_as_json(failure),
    }
}

/// One finding as it is, several as an array.
pub(crate) fn listed(items: &[String]) -> String {
    match items {
        [only] => only.clone(),
        items => format!("[{}]\n", items.join(",")),
    }
}

fn failure_as_json(failure: &Failure) -> String {
    let mut error = serde_json::json!({
        "message": failure.to_string(),
        "help": failure.help(),
    });
    if let Some(line) = failure.line() {
        error["line"] = line.into();
    }
    format!("{:#}\n", serde_json::json!({ "error": error }))
}

fn timings(results: &[Result<Checked, Failure>], screen: &mut Screen) {
    let ms = |seconds: f64| format!("{:.1} ms", seconds * 1e3);
    let (mut reading, mut deciding) = (0.0, 0.0);
    for checked in results.iter().flatten() {
        reading += checked.reading.as_secs_f64();
        deciding += checked.deciding.as_secs_f64();
    }
    let count = results.iter().flatten().count();
    screen.note(&format!(
        "read {count} in {}, decided them in {} (sums over all threads)",
        ms(reading),
        ms(deciding)
    ));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_finds_its_recording_from_where_it_is() {
        let from = |page: &str| address("/logs/a b/run #1.jsonl", Path::new(page));
        assert_eq!(from("/logs/a b/run.html"), "run%20%231.jsonl");
        assert_eq!(from("/logs/out/run.html"), "../a%20b/run%20%231.jsonl");
        assert_eq!(from("/page.html"), "logs/a%20b/run%20%231.jsonl");
    }
}
