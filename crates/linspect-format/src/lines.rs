//! Lines of a byte stream, in bounded memory.

use crate::error::{Problem, ReadError};
use std::io::Read;

/// The longest line or form that is read. Longer ones are an error rather than a way to exhaust memory.
pub const LONGEST: usize = 16 << 20;

const CHUNK: usize = 256 << 10;

/// A reader of lines; each is lent until the next is asked for.
pub(crate) struct Lines<R> {
    input: R,
    buffer: Vec<u8>,
    /// What of the buffer is read from the input and not yet lent.
    start: usize,
    end: usize,
    number: u32,
    at_end: bool,
}

/// One line, without its line break.
pub(crate) struct Line<'a> {
    pub(crate) number: u32,
    pub(crate) text: &'a str,
    /// Whether a line break ended it, or the end of the input.
    pub(crate) is_terminated: bool,
}

impl<R: Read> Lines<R> {
    pub(crate) fn new(input: R) -> Self {
        Self {
            input,
            buffer: vec![0; CHUNK],
            start: 0,
            end: 0,
            number: 0,
            at_end: false,
        }
    }

    /// The next line that is not blank.
    pub(crate) fn next(&mut self) -> Result<Option<Line<'_>>, ReadError> {
        loop {
            let Some((from, to, is_terminated)) = self.advance()? else {
                return Ok(None);
            };
            let line = self.buffer[from..to].trim_ascii();
            if line.is_empty() {
                continue;
            }
            // A second slice of the same bytes: the borrow checker does not let a loop return the first.
            let line = self.buffer[from..to].trim_ascii();
            let number = self.number;
            let text = std::str::from_utf8(line).map_err(|e| {
                let column = e.valid_up_to() + 1;
                Problem::NotUtf8 { column }.at(number)
            })?;
            return Ok(Some(Line {
                number,
                text,
                is_terminated,
            }));
        }
    }

    /// The number of the last line.
    pub(crate) fn number(&self) -> u32 {
        self.number
    }

    /// Finds the next line in the buffer and moves past it.
    fn advance(&mut self) -> Result<Option<(usize, usize, bool)>, ReadError> {
        let mut searched = self.start;
        loop {
            if let Some(at) = memchr::memchr(b'\n', &self.buffer[searched..self.end]) {
                let (from, to) = (self.start, searched + at);
                self.start = to + 1;
                return self.count().map(|()| Some((from, to, true)));
            }
            searched = self.end;
            if self.at_end {
                let (from, to) = (self.start, self.end);
                self.start = self.end;
                if from == to {
                    return Ok(None);
                }
                return self.count().map(|()| Some((from, to, false)));
            }
            searched -= self.fill()?;
        }
    }

    /// Reads more; gives by how much the unread part moved down.
    fn fill(&mut self) -> Result<usize, ReadError> {
        let moved = self.start;
        if moved > 0 {
            self.buffer.copy_within(self.start..self.end, 0);
            self.end -= moved;
            self.start = 0;
        }
        if self.end == self.buffer.len() {
            if self.end >= LONGEST {
                return Err(Problem::TooLong { limit: LONGEST }.at(self.number + 1));
            }
            self.buffer.resize((self.end * 2).min(LONGEST), 0);
        }
        match self.input.read(&mut self.buffer[self.end..]) {
            Ok(0) => self.at_end = true,
            Ok(n) => self.end += n,
            Err(e) if e.kind() == std::io::ErrorKind::Interrupted => {}
            Err(e) => return Err(Problem::Io(e).at(self.number + 1)),
        }
        Ok(moved)
    }

    fn count(&mut self) -> Result<(), ReadError> {
        self.number = self.number.checked_add(1).ok_or_else(|| {
            let limit = u64::from(u32::MAX);
            Problem::TooMany {
                what: "lines",
                limit,
            }
            .at(u32::MAX)
        })?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives its bytes a few at a time.
    struct Dribble<'a>(&'a [u8], usize);

    impl Read for Dribble<'_> {
        fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
            let n = self.1.min(self.0.len()).min(into.len());
            into[..n].copy_from_slice(&self.0[..n]);
            self.0 = &self.0[n..];
            Ok(n)
        }
    }

    #[test]
    fn lines_do_not_depend_on_how_the_bytes_arrive() {
        let long = "x".repeat(3 * CHUNK);
        let text = format!("one\r\n\n  two  \n{long}\nlast");
        for step in [1 << 20, 4096, 1000] {
            let mut lines = Lines::new(Dribble(text.as_bytes(), step));
            let mut seen = Vec::new();
            while let Some(line) = lines.next().unwrap() {
                seen.push((line.number, line.text.to_owned(), line.is_terminated));
            }
            let expected = [
                (1, "one", true),
                (3, "two", true),
                (4, &*long, true),
                (5, "last", false),
            ];
            assert_eq!(
                seen,
                expected.map(|(n, t, e)| (n, t.to_owned(), e)).to_vec()
            );
        }
    }

    #[test]
    fn an_endless_line_is_an_error_and_not_held_in_memory() {
        let mut lines = Lines::new(b"first\n".chain(std::io::repeat(b'x').take(1 << 30)));
        assert_eq!(lines.next().unwrap().unwrap().text, "first");
        let error = lines.next().err().expect("a line of 1 GiB is too long");
        assert_eq!(
            error.to_string(),
            "line 2: this line or form is longer than 16 MiB"
        );
        assert!(lines.buffer.capacity() <= 2 * LONGEST);
    }

    #[test]
    fn bytes_that_are_no_text_are_located() {
        let mut lines = Lines::new(&b"fine\nab\xffc\n"[..]);
        lines.next().unwrap();
        let error = lines.next().err().expect("0xff is not UTF-8");
        assert_eq!(
            error.to_string(),
            "line 2: byte 3 of this line is not UTF-8"
        );
    }
}
