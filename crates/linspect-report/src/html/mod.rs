//! The report as one HTML file that needs nothing else: no network, no other file, no build step.
//!
//! One page, one cursor: the head says what is wrong and what to change; below it the failing run with its lanes, source,
//! steps and memory at the same step, or the history of a recording; everything else that is known is folded below.
//!
//! Words are written here, so the page says everything without scripts. `assets/page.js` is what every page has (search,
//! addresses, themes, copying), `assets/layout.js` and `assets/history.js` draw the history and `assets/run.js` moves the run, both from the
//! embedded data. Everything that comes from a finding goes through `markup::text` or, as data, through `data::embed`;
//! neither can open a tag.

mod data;
mod explanation;
mod head;
mod history;
mod more;
mod program;
mod run;

use crate::finding::{Finding, Verdict};
use crate::markup::text;

const STYLE: &str = include_str!("assets/report.css");
const PAGE: &str = include_str!("assets/page.js");
const LAYOUT: &str = include_str!("assets/layout.js");
const HISTORY: &str = include_str!("assets/history.js");
const RUN: &str = include_str!("assets/run.js");

/// Only these texts may act in the page, whatever else got into it. A test knows the right digests.
const STYLE_DIGEST: &str = "sha256-9yQn6JrBWW6XuG5nYw+UrIYdwh5VoIMwZOLsMOJXsA8=";
const PAGE_DIGEST: &str = "sha256-2Ii1FfsTXPPNhgt+NFd9/iQRopT4OtLLrtkJORIiebI=";
const LAYOUT_DIGEST: &str = "sha256-sdNWUCmmjUOecmDRmq/Y/BgACCCw2q6xv2ACR/L8nBc=";
const HISTORY_DIGEST: &str = "sha256-XK1v1cT5wydtuRaXReRS4iwxM+0ZBko1Cy9c7AH2vW8=";
const RUN_DIGEST: &str = "sha256-Y3pR7CTa1qAKNDT9h65hHAmDn7xQ4emCmEhZAQOUQ34=";

/// `finding` as a complete HTML document.
pub fn render(finding: &Finding) -> String {
    render_beside(finding, None)
}

/// As [`render`], with links to the lines of the recording, which is at the address `recording` for the page.
pub fn render_beside(finding: &Finding, recording: Option<&str>) -> String {
    let verdict = match finding.verdict {
        Verdict::Holds { .. } => "holds",
        Verdict::Violated { .. } | Verdict::Faulty { .. } => "violated",
        Verdict::Unknown { .. } => "unknown",
    };
    let title = format!("{} · {}", finding.headline(), finding.checked.source);
    let run = run::run(finding);
    let is_drawn = run.is_none() || finding.evidence().is_some();
    let has_history = is_drawn && !finding.history.operations.is_empty();
    let mut scripts = format!("<script>{PAGE}</script>\n");
    if has_history {
        scripts += &format!("<script>{LAYOUT}</script>\n<script>{HISTORY}</script>\n");
    }
    let main = match run {
        Some(run) => {
            scripts += &format!("<script>{RUN}</script>\n");
            run::stage(finding, run)
        }
        None if has_history => format!(
            "<section class=\"card\" aria-label=\"History\">\n{}</section>\n{}",
            history::drawing(finding),
            history::panels(finding)
        ),
        None => String::new(),
    };
    format!(
        r#"<!doctype html>
<html lang="en" data-verdict="{verdict}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src '{STYLE_DIGEST}'; script-src '{PAGE_DIGEST}' '{LAYOUT_DIGEST}' '{HISTORY_DIGEST}' '{RUN_DIGEST}'; base-uri 'none'; form-action 'none'">
<title>{title}</title>
<style>{STYLE}</style>
</head>
<body>
<main class="page">
{head}{main}{more}{footer}</main>
<script type="application/json" id="data">{data}</script>
{scripts}</body>
</html>
"#,
        title = text(&title),
        head = head::head(finding),
        more = more::more(finding),
        footer = more::footer(finding),
        data = data::embed(finding, recording),
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
        assert_eq!(PAGE_DIGEST, digest(PAGE));
        assert_eq!(LAYOUT_DIGEST, digest(LAYOUT));
        assert_eq!(HISTORY_DIGEST, digest(HISTORY));
        assert_eq!(RUN_DIGEST, digest(RUN));
    }
}
