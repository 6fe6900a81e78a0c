//! Settings of a harness or a test: which there are, and what they can be.

use crate::tokens::{Mistake, Read, is_char};
use proc_macro::TokenTree;

/// What a setting can be.
enum Kind {
    Number(u64),
    Flag,
    Time,
    OneOf(&'static [&'static str]),
}

/// Every setting.
const SETTINGS: [(&str, Kind); 11] = [
    ("budget", Kind::Time),
    ("preemptions", Kind::Number(0)),
    ("threads", Kind::Number(2)),
    ("operations", Kind::Number(1)),
    ("executions", Kind::Number(1)),
    ("memory", Kind::OneOf(&["sc", "c20"])),
    ("allocator", Kind::OneOf(&["reuse", "fresh", "both"])),
    ("cpus", Kind::Number(1)),
    ("random", Kind::Number(1)),
    ("leaks", Kind::Flag),
    ("races", Kind::OneOf(&["fail", "note"])),
];

/// The names of all settings, for messages.
pub(crate) fn names() -> String {
    SETTINGS.map(|(name, _)| name).join(", ")
}

/// Whether there is a setting of this name.
pub(crate) fn is_setting(name: &str) -> bool {
    SETTINGS.iter().any(|(known, _)| *known == name)
}

/// Reads `budget = "10s"`; gives it as text.
pub(crate) fn read(tokens: &[TokenTree]) -> Read<String> {
    let Some(TokenTree::Ident(name)) = tokens.first() else {
        return Err(Mistake::at(tokens, "a setting is `budget = \"10s\"`"));
    };
    let name = name.to_string();
    let Some((_, kind)) = SETTINGS.iter().find(|(known, _)| *known == name) else {
        return Err(Mistake::at(
            &tokens[..1],
            format!("there is no setting `{name}`; there are {}", names()),
        ));
    };
    let [_, equals, value] = tokens else {
        return Err(Mistake::at(
            tokens,
            format!("a setting is `{name} = value`"),
        ));
    };
    let text = value.to_string();
    let is_right = is_char(Some(equals), '=') && kind.has(&text);
    if !is_right {
        return Err(Mistake::at(
            &tokens[2..],
            format!("`{name}` is {}", kind.said()),
        ));
    }
    Ok(format!("{name} = {text}"))
}

/// Reads settings between commas.
pub(crate) fn read_all(tokens: &[TokenTree]) -> Read<Vec<String>> {
    let parts = tokens.split(|token| is_char(Some(token), ','));
    parts.filter(|part| !part.is_empty()).map(read).collect()
}

impl Kind {
    fn has(&self, text: &str) -> bool {
        let number = text.replace('_', "").parse::<u64>().ok();
        let quoted = text.strip_prefix('"').and_then(|t| t.strip_suffix('"'));
        match self {
            Self::Number(least) => number.is_some_and(|n| n >= *least),
            Self::Flag => matches!(text, "true" | "false"),
            Self::OneOf(words) => quoted.is_some_and(|word| words.contains(&word)),
            Self::Time => quoted.is_some_and(|time| {
                let digits = time.trim_end_matches(|c: char| c.is_ascii_alphabetic());
                let unit = &time[digits.len()..];
                time == "none"
                    || digits.parse::<f64>().is_ok() && ["ms", "s", "m", "h"].contains(&unit)
            }),
        }
    }

    fn said(&self) -> String {
        match self {
            Self::Number(least) => format!("a number from {least} on"),
            Self::Flag => "true or false".to_owned(),
            Self::Time => "a time in quotes: \"10s\", \"500ms\", \"5m\", or \"none\"".to_owned(),
            Self::OneOf(words) => {
                let words: Vec<String> = words.iter().map(|w| format!("\"{w}\"")).collect();
                words.join(" or ")
            }
        }
    }
}
