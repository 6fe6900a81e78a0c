//! Lines of styled text, wrapped to a width.

use crate::text::{columns, neutral, shown};
use anstyle::{AnsiColor, Style};

/// What a run of text is, which decides its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Plain,
    Heading,
    Muted,
    Operation,
    Good,
    Bad,
    Doubt,
    /// A thread, by its number.
    Thread(u32),
}

/// One colour per thread, readable on light and on dark; red and green mean something else.
const THREADS: [AnsiColor; 4] = [
    AnsiColor::Cyan,
    AnsiColor::Magenta,
    AnsiColor::Blue,
    AnsiColor::Yellow,
];

impl Role {
    fn style(self) -> Style {
        match self {
            Self::Plain => Style::new(),
            Self::Heading => Style::new().bold(),
            Self::Muted => Style::new().dimmed(),
            Self::Operation => AnsiColor::Cyan.on_default(),
            Self::Good => AnsiColor::Green.on_default().bold(),
            Self::Bad => AnsiColor::Red.on_default().bold(),
            Self::Doubt => AnsiColor::Yellow.on_default().bold(),
            Self::Thread(n) => THREADS[n as usize % THREADS.len()].on_default(),
        }
    }
}

/// Longer text is cut: nobody reads it.
const LONGEST: usize = 600;

/// An operation or value of at most this many columns stays on one line.
const UNBROKEN: usize = 40;

/// A run of text of one role.
pub(super) struct Run(pub(super) Role, pub(super) String);

impl Run {
    /// Text from a user or a finding, made harmless.
    pub(super) fn new(role: Role, text: impl AsRef<str>) -> Self {
        Self(role, shown(text.as_ref(), LONGEST).into_owned())
    }

    /// Text that somebody copies, such as a command: made harmless, but never cut.
    pub(super) fn whole(text: &str) -> Self {
        Self(Role::Plain, neutral(text).into_owned())
    }

    /// Where a line may break: between the words of prose, not inside a short operation or value.
    fn parts(&self) -> impl Iterator<Item = &str> {
        let is_prose = matches!(self.0, Role::Plain | Role::Muted | Role::Heading);
        let whole = !is_prose && columns(&self.1) <= UNBROKEN;
        self.1.split(move |c| c == ' ' && !whole)
    }
}

/// The words of `runs`; a word may change its role in the middle.
fn words(runs: &[Run]) -> Vec<Vec<(Role, &str)>> {
    let mut words = vec![Vec::new()];
    for run in runs {
        for (i, part) in run.parts().enumerate() {
            if i > 0 {
                words.push(Vec::new());
            }
            if let (false, Some(word)) = (part.is_empty(), words.last_mut()) {
                word.push((run.0, part));
            }
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// The report so far.
pub(super) struct Page {
    out: String,
    width: usize,
    color: bool,
    brief: bool,
}

impl Page {
    pub(super) fn new(width: usize, color: bool) -> Self {
        Self {
            out: String::new(),
            width,
            color,
            brief: false,
        }
    }

    /// The same for a report that leaves something out.
    pub(super) fn brief(mut self, brief: bool) -> Self {
        self.brief = brief;
        self
    }

    /// Whether the report leaves something out.
    pub(super) fn is_brief(&self) -> bool {
        self.brief
    }

    pub(super) fn width(&self) -> usize {
        self.width
    }

    pub(super) fn has_color(&self) -> bool {
        self.color
    }

    /// Lines that somebody else has drawn and coloured.
    pub(super) fn drawn(&mut self, indent: usize, lines: &str) {
        for line in lines.lines() {
            self.spaces(indent);
            self.out.push_str(line.trim_end());
            self.blank();
        }
    }

    pub(super) fn blank(&mut self) {
        self.out.push('\n');
    }

    /// One line, not wrapped.
    pub(super) fn line(&mut self, indent: usize, runs: &[Run]) {
        let last = runs
            .iter()
            .rposition(|run| !run.1.trim_end().is_empty())
            .map_or(0, |at| at + 1);
        self.spaces(indent);
        for (i, run) in runs[..last].iter().enumerate() {
            let text = if i + 1 == last {
                run.1.trim_end()
            } else {
                &run.1
            };
            self.paint(run.0, text);
        }
        self.blank();
    }

    /// A paragraph, wrapped at spaces; lines after the first are indented by `hanging`.
    pub(super) fn prose(&mut self, indent: usize, hanging: usize, runs: &[Run]) {
        self.spaces(indent);
        let mut at = indent;
        for (i, word) in words(runs).iter().enumerate() {
            let width: usize = word.iter().map(|(_, text)| columns(text)).sum();
            if i > 0 && at + 1 + width > self.width {
                self.blank();
                self.spaces(hanging);
                at = hanging;
            } else if i > 0 {
                self.out.push(' ');
                at += 1;
            }
            for (role, text) in word {
                at = self.word(*role, text, at, hanging);
            }
        }
        self.blank();
    }

    /// A piece of a word from column `at`, broken only if it is longer than a line; the column after it.
    fn word(&mut self, role: Role, text: &str, at: usize, hanging: usize) -> usize {
        let after = at + columns(text);
        if after <= self.width {
            self.paint(role, text);
            return after;
        }
        let room = self.width.saturating_sub(at);
        let ends = text.char_indices().map(|(at, c)| at + c.len_utf8());
        let fits = |&end: &usize| columns(&text[..end]) <= room;
        let end = ends.take_while(fits).last().unwrap_or(0);
        self.paint(role, &text[..end]);
        self.blank();
        self.spaces(hanging);
        if end == 0 && at == hanging {
            // A character wider than a line: nothing better can be done.
            self.paint(role, text);
            return hanging + columns(text);
        }
        self.word(role, &text[end..], hanging, hanging)
    }

    /// How many lines there are so far.
    pub(super) fn lines(&self) -> usize {
        self.out.lines().count()
    }

    pub(super) fn finish(self) -> String {
        self.out
    }

    fn spaces(&mut self, n: usize) {
        self.out.extend(std::iter::repeat_n(' ', n));
    }

    fn paint(&mut self, role: Role, text: &str) {
        if !self.color || role == Role::Plain || text.trim().is_empty() {
            self.out.push_str(text);
            return;
        }
        let style = role.style();
        self.out.push_str(&format!("{style}{text}{style:#}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_wraps_with_a_hanging_indent() {
        let mut page = Page::new(20, false);
        let runs = [
            Run::new(Role::Plain, "one two "),
            Run::new(Role::Bad, "three four"),
            Run::new(Role::Plain, ", five six"),
        ];
        page.prose(2, 4, &runs);
        assert_eq!(page.finish(), "  one two\n    three four, five\n    six\n");
    }

    #[test]
    fn a_word_longer_than_a_line_is_broken() {
        let mut page = Page::new(10, false);
        page.prose(2, 4, &[Run::new(Role::Plain, "a bcdefghijklmnop q")]);
        assert_eq!(page.finish(), "  a\n    bcdefg\n    hijklm\n    nop q\n");
    }

    #[test]
    fn colours_come_only_when_asked_for() {
        let paint = |color| {
            let mut page = Page::new(20, color);
            page.line(1, &[Run::new(Role::Bad, "no"), Run::new(Role::Plain, "  ")]);
            page.finish()
        };
        assert_eq!(paint(false), " no\n");
        assert_eq!(paint(true), " \u{1b}[1m\u{1b}[31mno\u{1b}[0m\n");
    }
}
