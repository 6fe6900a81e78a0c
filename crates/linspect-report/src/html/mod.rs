//! The report as one HTML file that needs nothing else.

use crate::finding::Finding;
use crate::terminal::{self, Options};

/// `finding` as a complete HTML document.
pub fn render(finding: &Finding) -> String {
    let options = Options {
        width: 120,
        ..Options::default()
    };
    let text = escape(&terminal::render(finding, &options));
    format!(
        "<!doctype html><meta charset=utf-8><title>{}</title><pre>{text}</pre>\n",
        escape(&finding.headline())
    )
}

/// `s` as HTML text or attribute value.
fn escape(s: &str) -> String {
    s.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
