//! Places in source files.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A place in a source file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Span {
    /// The file, as the compiler was given it.
    pub file: String,
    /// The first line, from 1.
    pub line: u32,
    /// The last line.
    pub last_line: u32,
    /// The function, in the source's words.
    pub function: String,
}

impl fmt::Display for Span {
    /// `list.rs:63`, `list.rs:63–64`: the file without its directories.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file_name(), self.line)?;
        if self.last_line > self.line {
            write!(f, "–{}", self.last_line)?;
        }
        Ok(())
    }
}

impl Span {
    /// The file without its directories.
    pub fn file_name(&self) -> &str {
        self.file.rsplit(['/', '\\']).next().unwrap_or(&self.file)
    }

    /// The file, the first line and the last.
    pub fn lines(&self) -> (&str, u32, u32) {
        (&self.file, self.line, self.last_line.max(self.line))
    }

    /// The function without its path, arguments and type parameters: `remove`.
    pub fn short_function(&self) -> &str {
        bare(&self.function).1
    }

    /// `remove:98–102`: the function without its path, and the lines; the file where no function is known.
    pub fn in_function(&self) -> String {
        match self.short_function() {
            "" => self.to_string(),
            function if self.last_line > self.line => {
                format!("{function}:{}–{}", self.line, self.last_line)
            }
            function => format!("{function}:{}", self.line),
        }
    }

    /// The type that the function belongs to: `LockFreeSet`.
    pub fn owner(&self) -> Option<&str> {
        let (owner, _) = bare(&self.function);
        owner.starts_with(char::is_uppercase).then_some(owner)
    }

    /// `spans` in the order of the source; those that touch within one function become one.
    pub fn merged(spans: &[Self]) -> Vec<Self> {
        let mut sorted = spans.to_vec();
        sorted.sort_by(|a, b| (&a.file, a.line, a.last_line).cmp(&(&b.file, b.line, b.last_line)));
        let mut merged: Vec<Self> = Vec::new();
        for span in sorted {
            match merged.last_mut() {
                Some(last)
                    if last.file == span.file
                        && last.function == span.function
                        && span.line.saturating_sub(1) <= last.last_line.max(last.line) =>
                {
                    last.last_line = last
                        .last_line
                        .max(last.line)
                        .max(span.last_line)
                        .max(span.line);
                }
                _ => merged.push(span),
            }
        }
        merged
    }
}

/// The path of a function and its name, both without arguments, type parameters and closures.
fn bare(function: &str) -> (&str, &str) {
    let mut depth = 0_usize;
    let mut parts: Vec<(usize, usize)> = vec![(0, 0)];
    for (at, c) in function.char_indices() {
        match c {
            '<' => depth += 1,
            // What a function returns.
            '>' if function[..at].ends_with('-') => {}
            '>' => depth = depth.saturating_sub(1),
            '(' if depth == 0 => break,
            ':' if depth == 0 => parts.push((at + 1, at + 1)),
            _ if depth == 0 => {
                if let Some(part) = parts.last_mut() {
                    part.1 = at + c.len_utf8();
                }
            }
            _ => {}
        }
    }
    let text = |&(from, to): &(usize, usize)| function[from..to].split('<').next().unwrap_or("");
    let is_name = |part: &&str| !part.is_empty() && !part.starts_with('{');
    let mut names = parts.iter().map(text).filter(is_name).rev();
    let name = names.next().unwrap_or("");
    (names.next().unwrap_or(""), name)
}

#[cfg(test)]
mod tests {
    use super::Span;

    #[test]
    fn functions_are_named_without_their_path() {
        for (function, owner, name) in [
            ("list_size", None, "list_size"),
            ("a::b::LockFreeSet::remove", Some("LockFreeSet"), "remove"),
            ("a::Stack<T>::pop", Some("Stack"), "pop"),
            ("a::Stack<T>::pop::{closure#0}", Some("Stack"), "pop"),
            (
                "Queue<int, std::less<int>>::push(int const&)",
                Some("Queue"),
                "push",
            ),
            ("map::get<u8>", None, "get"),
            (
                "a::Deque<i32>::pop<fn(&mut V<i32>) -> a::Option<i32>>",
                Some("Deque"),
                "pop",
            ),
            ("", None, ""),
        ] {
            let span = Span {
                file: "a".into(),
                line: 1,
                last_line: 1,
                function: function.into(),
            };
            assert_eq!((span.owner(), span.short_function()), (owner, name));
        }
    }

    #[test]
    fn neighbouring_spans_become_one() {
        let span = |line, last_line, function: &str| Span {
            file: "a.c".into(),
            line,
            last_line,
            function: function.into(),
        };
        let spans = [
            span(9, 9, "g"),
            span(5, 5, "f"),
            span(4, 4, "f"),
            span(6, 7, "f"),
            span(8, 8, "g"),
        ];
        assert_eq!(Span::merged(&spans), [span(4, 7, "f"), span(8, 9, "g")]);
    }
}
