//! Text in HTML and XML.

use crate::text::shown;

/// Longer text is cut: nobody reads it, and it comes several times.
const LONGEST: usize = 2_000;

/// `s` as HTML or XML text or attribute value, with dangerous characters made visible.
pub(crate) fn text(s: &str) -> String {
    escape(&shown(s, LONGEST))
}

/// `s` as HTML or XML text or attribute value, with its line breaks.
pub(crate) fn escape(s: &str) -> String {
    let mut out = String::with_capacity(s.len() + 16);
    for c in s.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c if is_xml(c) => out.push(c),
            c => out.extend(c.escape_unicode()),
        }
    }
    out
}

/// Whether XML 1.0 has the character (2.2, production 2).
fn is_xml(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | ' '..='\u{fffd}' | '\u{10000}'..)
}

#[cfg(test)]
mod tests {
    #[test]
    fn nothing_opens_a_tag_or_ends_an_attribute() {
        assert_eq!(
            super::text("<!--</script>'\"&\u{202e}\u{0}"),
            "&lt;!--&lt;/script&gt;&#39;&quot;&amp;\\u{202e}\\u{0}"
        );
    }

    #[test]
    fn what_xml_does_not_have_is_spelt() {
        assert_eq!(
            super::escape("a\n\u{1}\u{fffd}\u{fffe}\u{ffff}\u{10ffff}"),
            "a\n\\u{1}\u{fffd}\\u{fffe}\\u{ffff}\u{10ffff}"
        );
    }
}
