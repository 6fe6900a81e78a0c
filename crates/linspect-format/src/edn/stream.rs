//! Bytes one by one, with the line they are on, in bounded memory.

use crate::error::{Problem, ReadError};
use crate::lines::LONGEST;
use std::io::Read;

const CHUNK: usize = 256 << 10;

pub(super) struct Stream<R> {
    input: R,
    buffer: Vec<u8>,
    next: usize,
    end: usize,
    line: u32,
    /// Bytes taken from earlier buffers, and that number when the current top-level form began.
    before: usize,
    form: usize,
}

impl<R: Read> Stream<R> {
    pub(super) fn new(input: R) -> Self {
        Self {
            input,
            buffer: vec![0; CHUNK],
            next: 0,
            end: 0,
            line: 1,
            before: 0,
            form: 0,
        }
    }

    /// The current line, from 1.
    pub(super) fn line(&self) -> u32 {
        self.line
    }

    /// From here on the limit on the size of forms counts anew.
    pub(super) fn begin_form(&mut self) {
        self.form = self.before;
    }

    /// The next byte; it stays.
    #[inline]
    pub(super) fn peek(&mut self) -> Result<Option<u8>, ReadError> {
        if self.next < self.end {
            return Ok(Some(self.buffer[self.next]));
        }
        self.fill()
    }

    /// Takes the next byte.
    #[inline]
    pub(super) fn bump(&mut self) -> Result<Option<u8>, ReadError> {
        let byte = self.peek()?;
        if let Some(byte) = byte {
            self.next += 1;
            if byte == b'\n' {
                self.line = self.line.saturating_add(1);
            }
        }
        Ok(byte)
    }

    /// Takes the bytes up to the next delimiter.
    pub(super) fn token(&mut self, into: &mut Vec<u8>) -> Result<(), ReadError> {
        while self.peek()?.is_some() {
            let rest = &self.buffer[self.next..self.end];
            let length = rest.iter().position(|&b| IS_DELIMITER[usize::from(b)]);
            into.extend_from_slice(&rest[..length.unwrap_or(rest.len())]);
            self.next += length.unwrap_or(rest.len());
            if length.is_some() {
                break;
            }
        }
        Ok(())
    }

    /// The next byte that is neither blank nor in a comment; it stays.
    pub(super) fn skip_blank(&mut self) -> Result<Option<u8>, ReadError> {
        while let Some(byte) = self.peek()? {
            match byte {
                b' ' | b',' => self.next += 1,
                b';' => while !matches!(self.bump()?, None | Some(b'\n')) {},
                _ if byte.is_ascii_whitespace() => drop(self.bump()?),
                0xef if self.is_byte_order_mark() => self.next += 3,
                _ => return Ok(Some(byte)),
            }
        }
        Ok(None)
    }

    fn is_byte_order_mark(&self) -> bool {
        let is_start = self.before == 0 && self.next == 0;
        is_start && self.buffer[..self.end].starts_with(b"\xef\xbb\xbf")
    }

    #[cold]
    fn fill(&mut self) -> Result<Option<u8>, ReadError> {
        self.before += self.end;
        (self.next, self.end) = (0, 0);
        if self.before - self.form > LONGEST {
            return Err(Problem::TooLong { limit: LONGEST }.at(self.line));
        }
        loop {
            match self.input.read(&mut self.buffer) {
                Ok(0) => return Ok(None),
                Ok(n) => {
                    self.end = n;
                    return Ok(Some(self.buffer[0]));
                }
                Err(e) if e.kind() == std::io::ErrorKind::Interrupted => {}
                Err(e) => return Err(Problem::Io(e).at(self.line)),
            }
        }
    }
}

const IS_DELIMITER: [bool; 256] = {
    let mut table = [false; 256];
    let delimiters = b" \t\n\r\x0c,;\"()[]{}\\";
    let mut i = 0;
    while i < delimiters.len() {
        table[delimiters[i] as usize] = true;
        i += 1;
    }
    table
};
