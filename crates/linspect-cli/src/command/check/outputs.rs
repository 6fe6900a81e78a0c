//! What is shown of the results, and where.

use super::{Check, Checked, Output, table};
use crate::failure::Failure;
use crate::screen::Screen;
use linspect_report::{html, json, terminal};
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
            (Output::Text, _) => screen.print(&table::render(&self.sources, results, screen))?,
            (Output::Details, _) => {
                for checked in results.iter().flatten() {
                    report(checked, screen)?;
                }
            }
        }
        for failure in results.iter().filter_map(|result| result.as_ref().err()) {
            screen.failure(failure);
        }
        if let Some(out) = &self.html {
            self.write_html(out, results, screen)?;
        }
        if self.timings {
            timings(results, screen);
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
            write(&path, &html::render(&checked.finding))?;
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

/// Prints the report of one history.
fn report(checked: &Checked, screen: &mut Screen) -> Result<(), Failure> {
    if let Some(assumed) = &checked.assumed {
        let source = &checked.finding.checked.source;
        screen.note(&format!(
            "{source}: assuming a {assumed}; choose another with --spec"
        ));
    }
    show(checked, screen)
}

/// Prints the finding of one history.
pub(crate) fn show(checked: &Checked, screen: &mut Screen) -> Result<(), Failure> {
    let options = terminal::Options {
        width: screen.width,
        color: screen.color,
        elapsed: Some(checked.deciding),
    };
    screen.print(&terminal::render(&checked.finding, &options))
}

/// Writes a file, and the folders it lies in.
pub(crate) fn write(path: &Path, text: &str) -> Result<(), Failure> {
    let failure = |error| Failure::Write {
        path: path.to_owned(),
        error,
    };
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(failure)?;
    }
    std::fs::write(path, text).map_err(failure)
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
    let items: Vec<String> = results
        .iter()
        .map(|result| match result {
            Ok(checked) => json::write(&checked.finding),
            Err(failure) => failure_as_json(failure),
        })
        .collect();
    match &*items {
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
