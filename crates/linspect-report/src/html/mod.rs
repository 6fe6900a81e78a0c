//! The report as one HTML file that needs nothing else: no network, no other file, no build step.
//!
//! Words are written here, so the page says everything without scripts; `assets/report.js` draws the history
//! from the embedded data and links it to the words. Everything that comes from a finding goes through
//! `markup::text` or, as data, through `data::embed`; neither can open a tag.

mod data;
mod explanation;
mod program;
mod words;

use crate::finding::{Finding, Verdict};
use crate::markup::text;

const STYLE: &str = include_str!("assets/report.css");
const SCRIPT: &str = include_str!("assets/report.js");
/// For findings about programs.
const RUN_SCRIPT: &str = include_str!("assets/run.js");

/// Only these texts may act in the page, whatever else got into it. A test knows the right digests.
const STYLE_DIGEST: &str = "sha256-dQRgsR/2blVPeseD4Blb1NV9jUGZUMU+89H47PRRBB8=";
const RUN_SCRIPT_DIGEST: &str = "sha256-HFwoByyA8Au76D5Rg9UYiW2AkYBZA9489LNOCAqaNcI=";
const SCRIPT_DIGEST: &str = "sha256-QN7r+DPlupTQIkNFutAOZizjnGux9GZPm6lgwlWKfeQ=";

/// `finding` as a complete HTML document.
pub fn render(finding: &Finding) -> String {
    let verdict = match finding.verdict {
        Verdict::Holds { .. } => "holds",
        Verdict::Violated { .. } | Verdict::Faulty { .. } => "violated",
        Verdict::Unknown { .. } => "unknown",
    };
    let title = format!("{} · {}", finding.headline(), finding.checked.source);
    format!(
        r#"<!doctype html>
<html lang="en" data-verdict="{verdict}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src '{STYLE_DIGEST}'; script-src '{SCRIPT_DIGEST}' '{RUN_SCRIPT_DIGEST}'; base-uri 'none'; form-action 'none'">
<title>{title}</title>
<style>{STYLE}</style>
</head>
<body>
<div class="page">
{header}{history}<div class="panels">
{test}{because}{repairs}{order}<section class="card" id="details" aria-label="Details"><h2>Details</h2><dl></dl></section>
</div>
{as_text}{footer}</div>
<script type="application/json" id="data">{data}</script>
<script>{SCRIPT}</script>
{run}</body>
</html>
"#,
        title = text(&title),
        header = words::header(finding),
        history = words::history(finding),
        test = finding
            .minimal_test
            .as_ref()
            .map_or(String::new(), |test| program::minimal_test(finding, test)),
        because = words::because(finding),
        repairs = program::repairs(finding),
        order = words::order(finding),
        as_text = words::as_text(finding),
        footer = words::footer(finding),
        data = data::embed(finding),
        run = if program::views(finding).is_empty() {
            String::new()
        } else {
            format!("<script>{RUN_SCRIPT}</script>\n")
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use base64::Engine;
    use base64::engine::general_purpose::STANDARD;
    use sha2::Digest;

    #[test]
    fn the_digests_are_those_of_the_assets() {
        let digest = |text: &str| format!("sha256-{}", STANDARD.encode(sha2::Sha256::digest(text)));
        assert_eq!(STYLE_DIGEST, digest(STYLE));
        assert_eq!(SCRIPT_DIGEST, digest(SCRIPT));
        assert_eq!(RUN_SCRIPT_DIGEST, digest(RUN_SCRIPT));
    }
}
