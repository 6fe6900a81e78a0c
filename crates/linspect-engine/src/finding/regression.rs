//! The smallest test as source: a file to keep beside the object, which fails until the fault is mended.
//!
//! It includes the harness it was found with and names the one client to run. `linspect test` tries all schedules of that client, so the test neither
//! needs luck to fail nor breaks when steps come and go.

use crate::client_text;
use linspect_core::client::{Client, Declared};
use linspect_report::finding::{Finding, MinimalTest};
use linspect_report::neutral;
use std::path::{Component, Path, PathBuf};

/// A test that was found with a harness.
pub(crate) struct Regression<'a> {
    /// The file that describes the object.
    pub(crate) harness: &'a Path,
    /// The other files.
    pub(crate) others: &'a [PathBuf],
    /// What to run.
    pub(crate) client: String,
}

impl<'a> Regression<'a> {
    /// The test of `client`; `None` if it cannot be written down.
    pub(crate) fn new(
        files: &'a [PathBuf],
        client: &Client,
        declared: &[Declared],
    ) -> Option<Self> {
        let (harness, others) = files.split_first()?;
        let text = client_text::show(client, declared);
        // Texts with brackets or bars in them would be read as something else.
        let again = client_text::parse(&text, declared).ok()?;
        (again == *client).then_some(Self {
            harness,
            others,
            client: text,
        })
    }

    /// The test as the text of a file that stands in `folder`; `None` if the harness is in none of the languages.
    pub(crate) fn text(&self, finding: &Finding, folder: &Path) -> Option<String> {
        let harness = relative(folder, self.harness).display().to_string();
        let client = literal(&self.client);
        let code = match self.harness.extension()?.to_str()? {
            "rs" => format!(
                "#[path = {}]\nmod harness;\n\nlinspect::client!({client});\n",
                // Of what rustc would not have in a literal, this makes what Rust calls it.
                neutral(&literal(&harness))
            ),
            // The name of an included file has no escapes.
            "c" | "cc" | "cpp" | "cxx"
                if literal(&neutral(&harness)) != format!("\"{harness}\"") =>
            {
                return None;
            }
            "c" | "cc" | "cpp" | "cxx" => {
                format!(
                    "#include {}\n\nLINSPECT_CLIENT({client})\n",
                    literal(&harness)
                )
            }
            _ => return None,
        };
        let mut text = String::new();
        for line in self.comment(finding, folder) {
            text.push_str(format!("// {line}").trim_end());
            text.push('\n');
        }
        Some(text + &code)
    }

    fn comment(&self, finding: &Finding, folder: &Path) -> Vec<String> {
        let others: Vec<String> = self
            .others
            .iter()
            .map(|f| format!(" {}", relative(folder, f).display()))
            .collect();
        let mut lines = vec![
            "A regression test, made by Linspect. It fails as long as a schedule of this client is"
                .into(),
            format!("{}:", finding.headline()),
            String::new(),
            format!("    linspect test THIS-FILE{}", others.concat()),
            String::new(),
            "It failed with".into(),
        ];
        if let Some(test) = &finding.minimal_test {
            lines.extend(calls(finding, test));
        }
        lines.into_iter().map(|line| printable(&line)).collect()
    }
}

/// Every call with its result in the failing run, one part of the test after the other.
fn calls(finding: &Finding, test: &MinimalTest) -> Vec<String> {
    let threads = test.threads.iter().zip(0..);
    let threads = threads.map(|(calls, thread)| (finding.client(thread), calls));
    let parts = std::iter::once(("before".to_string(), &test.before))
        .chain(threads)
        .chain([("after".to_string(), &test.after)]);
    let shown = |id: &u32| finding.history.get(*id).map(|op| test.shown(op));
    parts
        .filter(|(_, calls)| !calls.is_empty())
        .map(|(name, calls)| {
            let calls: Vec<String> = calls.iter().filter_map(shown).collect();
            format!("    {name:<6} {}", calls.join("; "))
        })
        .collect()
}

/// `text` as a literal of C, C++ and Rust alike.
fn literal(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{escaped}\"")
}

/// Nothing that ends a comment or drives a terminal.
fn printable(line: &str) -> String {
    let replace = |c: char| if c.is_control() || c == '\\' { '?' } else { c };
    line.chars().map(replace).collect()
}

/// `file` as seen from `folder`: a relative path if both can be found, else as it was given.
fn relative(folder: &Path, file: &Path) -> PathBuf {
    let folder = if folder.as_os_str().is_empty() {
        Path::new(".")
    } else {
        folder
    };
    let (Ok(from), Ok(to)) = (folder.canonicalize(), file.canonicalize()) else {
        return file.to_owned();
    };
    let shared = from
        .components()
        .zip(to.components())
        .take_while(|(a, b)| a == b)
        .count();
    if shared <= 1 {
        // Nothing but the root in common: going up all the way says less than the whole path.
        return to;
    }
    let up = from.components().skip(shared).map(|_| Component::ParentDir);
    up.chain(to.components().skip(shared)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_lead_from_the_test_to_the_harness() {
        let root = tempfile::tempdir().unwrap();
        let place = |name: &str| root.path().join(name);
        std::fs::create_dir_all(place("tests/deep")).unwrap();
        std::fs::write(place("stack.c"), "").unwrap();
        let from = |folder: &str| relative(&place(folder), &place("stack.c"));
        assert_eq!(from(""), Path::new("stack.c"));
        assert_eq!(from("tests/deep"), Path::new("../../stack.c"));
        let absent = Path::new("no/such.c");
        assert_eq!(relative(&place(""), absent), absent);
    }

    #[test]
    fn nothing_leaves_its_literal_or_comment() {
        assert_eq!(literal(r#"push("a\b")"#), r#""push(\"a\\b\")""#);
        assert_eq!(printable("a\nb\\"), "a?b?");
    }
}
