//! A module as source, one statement a line, and where each statement stands there.

pub mod c;
pub mod rust;
pub mod text;

use crate::code::Lines;
use crate::language::Statement;

/// Source text, and the lines of the statements of every function.
#[derive(Clone, Debug, Default)]
pub struct Source {
    /// The text.
    pub text: String,
    /// Per function, the lines of its statements.
    pub lines: Vec<Lines>,
}

/// Writes source line by line.
struct Writer {
    source: Source,
    line: u32,
    depth: usize,
}

impl Writer {
    fn new() -> Self {
        Self {
            source: Source::default(),
            line: 1,
            depth: 0,
        }
    }

    /// Writes a line and says which one it is.
    fn line(&mut self, text: &str) -> u32 {
        self.source.text.push_str(&"    ".repeat(self.depth));
        self.source.text.push_str(text);
        self.source.text.push('\n');
        self.line += 1;
        self.line - 1
    }

    /// Writes several lines as they are.
    fn lines(&mut self, text: &str) {
        for line in text.lines() {
            self.line(line);
        }
    }

    /// Begins a function.
    fn function(&mut self) {
        self.source.lines.push(Lines::new());
    }

    /// Keeps a place for a statement; [`Writer::stands`] fills it.
    fn statement(&mut self) -> usize {
        let lines = self.source.lines.last_mut();
        let lines = lines.expect("a function was begun");
        lines.push((0, 0));
        lines.len() - 1
    }

    /// Says where a statement stands.
    fn stands(&mut self, statement: usize, first: u32, last: u32) {
        let lines = self.source.lines.last_mut();
        lines.expect("a function was begun")[statement] = (first, last);
    }
}

/// What differs between languages: how each statement is written.
trait Language {
    /// A statement without blocks.
    fn simple(&self, statement: &Statement) -> String;
    /// `if`, with the brace.
    fn choice(&self, test: &crate::language::Test) -> String;
    /// An endless loop, with the brace.
    fn endless(&self) -> &'static str;
    /// The lines that begin a region and those that end it; the first of each accesses the lock.
    fn region(&self, guard: crate::language::Guard) -> (String, Vec<String>);
}

fn block(w: &mut Writer, language: &impl Language, statements: &[Statement]) {
    for s in statements {
        let at = w.statement();
        match s {
            Statement::If(test, yes, no) => {
                let first = w.line(&language.choice(test));
                w.depth += 1;
                block(w, language, yes);
                w.depth -= 1;
                if !no.is_empty() {
                    w.line("} else {");
                    w.depth += 1;
                    block(w, language, no);
                    w.depth -= 1;
                }
                let last = w.line("}");
                w.stands(at, first, last);
            }
            Statement::Loop(body) => {
                let first = w.line(language.endless());
                w.depth += 1;
                block(w, language, body);
                w.depth -= 1;
                let last = w.line("}");
                w.stands(at, first, last);
            }
            Statement::Region(guard, body) => {
                let (begin, end) = language.region(*guard);
                let first = w.line(&begin);
                w.depth += 1;
                block(w, language, body);
                w.depth -= 1;
                let last = w.line;
                for line in end {
                    w.line(&line);
                }
                w.stands(at, first, last);
            }
            simple => {
                let line = w.line(&language.simple(simple));
                w.stands(at, line, line);
            }
        }
    }
}
