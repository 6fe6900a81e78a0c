//! Text from users, made harmless and measured.

use std::borrow::Cow;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Whether `c` could drive a terminal, hide, or reorder the text around it.
pub(crate) fn is_dangerous(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{00ad}'                              // soft hyphen
            | '\u{061c}'                            // Arabic letter mark
            | '\u{180e}'                            // Mongolian vowel separator
            | '\u{200b}'..='\u{200f}'               // zero width, direction marks
            | '\u{2028}'..='\u{202e}'               // line separators, embeddings and overrides
            | '\u{2060}'..='\u{206f}'               // word joiner, isolates
            | '\u{feff}'                            // byte order mark
            | '\u{fff9}'..='\u{fffb}'               // annotations
            | '\u{e0000}'..='\u{e007f}'             // tags
        )
}

/// `s` on one line, with dangerous characters as visible escapes.
pub fn neutral(s: &str) -> Cow<'_, str> {
    if !s.contains(is_dangerous) {
        return Cow::Borrowed(s);
    }
    let mut out = String::with_capacity(s.len() + 16);
    for c in s.chars() {
        if is_dangerous(c) {
            out.extend(c.escape_default());
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

/// The number of terminal columns that `s` takes.
pub(crate) fn columns(s: &str) -> usize {
    s.width()
}

/// `s`, or as much of it as fits into `width` columns with an ellipsis.
pub(crate) fn fit(s: &str, width: usize) -> Cow<'_, str> {
    let mut used = 0;
    // The longest beginning that leaves a column for the ellipsis.
    let mut end = 0;
    for (at, c) in s.char_indices() {
        if used < width {
            end = at;
        }
        used += c.width().unwrap_or(0);
        if used > width {
            return Cow::Owned(format!("{}…", &s[..end]));
        }
    }
    Cow::Borrowed(s)
}

/// `s` made harmless and cut to `width` columns, whatever its length.
pub(crate) fn shown(s: &str, width: usize) -> Cow<'_, str> {
    // Most of a very long text need not be looked at; this much fills the width, combining characters included.
    let enough = s
        .char_indices()
        .nth(4 * width)
        .map_or(s.len(), |(at, _)| at);
    match neutral(&s[..enough]) {
        Cow::Borrowed(s) => fit(s, width),
        Cow::Owned(s) => Cow::Owned(fit(&s, width).into_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dangerous_characters_become_visible() {
        assert_eq!(neutral("plain → ✓ ü 漢"), "plain → ✓ ü 漢");
        assert_eq!(
            neutral("a\u{1b}[31mb\n\u{202e}c\u{85}"),
            "a\\u{1b}[31mb\\n\\u{202e}c\\u{85}"
        );
    }

    #[test]
    fn fitting_counts_columns() {
        assert_eq!(fit("abc", 3), "abc");
        assert_eq!(fit("abcd", 3), "ab…");
        assert_eq!(fit("漢字漢字", 5), "漢字…");
        assert_eq!(fit("漢字漢字", 4), "漢…");
    }
}
