//! The HTML as text: complete, offline, bounded, and deaf to hostile input.

use crate::samples;
use linspect_report::html::render;
use linspect_report::json;

#[test]
fn one_file_that_needs_nothing_else() {
    for (name, finding) in samples::all() {
        let html = render(&finding);
        // The pages can be looked at by eye: the variable names a directory.
        if let Some(to) = std::env::var_os("LINSPECT_PAGES") {
            let to = std::path::Path::new(&to).join(format!("{name}.html"));
            std::fs::write(to, &html).expect("writable");
        }
        assert!(html.starts_with("<!doctype html>") && html.ends_with("</html>\n"));
        assert!(html.len() < 140_000, "{name}: {} bytes", html.len());
        let without_namespace = html.replace("http://www.w3.org/2000/svg", "");
        for address in [
            "http:", "https:", "url(", "@import", "<link", "<iframe", "<object",
        ] {
            assert!(!without_namespace.contains(address), "{name}: {address}");
        }
        // The data, what every page has, two programs for the history, and one for a program's run.
        let drawn = finding.interleaving.is_none() || finding.evidence().is_some();
        let runs = finding.interleaving.is_some();
        let scripts = 2 + 2 * usize::from(drawn) + usize::from(runs);
        assert_eq!(html.matches("<script").count(), scripts, "{name}");
        assert_eq!(html.matches("</script>").count(), scripts, "{name}");
        assert_eq!(html.matches("<!--").count(), 0, "{name}");
    }
}

#[test]
fn a_saved_finding_renders_the_same_bytes() {
    for (name, finding) in samples::all() {
        let again = json::read(&json::write(&finding)).expect("what was written is read");
        assert!(render(&again) == render(&finding), "{name}");
    }
}

#[test]
fn a_huge_value_does_not_make_a_huge_page() {
    let html = render(&samples::huge_value(1_000_000));
    assert!(html.len() < 200_000, "{} bytes", html.len());
}
