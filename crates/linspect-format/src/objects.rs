//! JSON objects of a byte stream, in bounded memory: one after the other, one per line, or in one array.

use crate::error::{Problem, ReadError};
use crate::lines::LONGEST;
use serde_json::Value as Json;
use std::io::{BufReader, Bytes, Read};

/// A reader of objects.
pub(crate) struct Objects<R> {
    bytes: Bytes<BufReader<R>>,
    /// The current line, from 1.
    line: u32,
    is_array: bool,
    object: Vec<u8>,
}

impl<R: Read> Objects<R> {
    pub(crate) fn new(input: R) -> Self {
        Self {
            bytes: BufReader::with_capacity(256 << 10, input).bytes(),
            line: 1,
            is_array: false,
            object: Vec::new(),
        }
    }

    /// The next object, and the line on which it begins.
    pub(crate) fn next(&mut self) -> Result<Option<(u32, Json)>, ReadError> {
        loop {
            match self.byte()? {
                None if self.is_array => {
                    return Err(Problem::Truncated("a JSON array").at(self.line));
                }
                None => return Ok(None),
                Some(b'[') if !self.is_array && self.object.is_empty() => self.is_array = true,
                Some(b']') if self.is_array => self.is_array = false,
                Some(b'{') => break,
                // A byte order mark, and what stands between objects.
                Some(b' ' | b'\t' | b'\r' | b'\n' | b',' | 0xef | 0xbb | 0xbf) => {}
                Some(other) => {
                    let message =
                        format!("an object begins with `{{`, not {:?}", char::from(other));
                    return Err(Problem::Malformed(message).at(self.line));
                }
            }
        }
        let line = self.line;
        self.rest_of_object()?;
        let object = serde_json::from_slice(&self.object).map_err(|error| {
            let problem = Problem::Json {
                message: plain(&error),
                column: error.column(),
            };
            problem.at(line + u32::try_from(error.line()).unwrap_or(1) - 1)
        })?;
        Ok(Some((line, object)))
    }

    /// The line up to which was read.
    pub(crate) fn line(&self) -> u32 {
        self.line
    }

    /// Takes bytes up to the end of the object that has begun.
    fn rest_of_object(&mut self) -> Result<(), ReadError> {
        let line = self.line;
        self.object.clear();
        self.object.push(b'{');
        let (mut depth, mut in_text) = (1_usize, false);
        while depth > 0 {
            let truncated = || Problem::Truncated("a JSON object").at(line);
            let byte = self.byte()?.ok_or_else(truncated)?;
            self.object.push(byte);
            if self.object.len() > LONGEST {
                return Err(Problem::TooLong { limit: LONGEST }.at(line));
            }
            match byte {
                b'"' => in_text = !in_text,
                b'\\' if in_text => {
                    let escaped = self.byte()?.ok_or_else(truncated)?;
                    self.object.push(escaped);
                }
                b'{' if !in_text => depth += 1,
                b'}' if !in_text => depth -= 1,
                _ => {}
            }
        }
        Ok(())
    }

    fn byte(&mut self) -> Result<Option<u8>, ReadError> {
        let byte = self.bytes.next().transpose();
        let byte = byte.map_err(|error| Problem::Io(error).at(self.line))?;
        if byte == Some(b'\n') {
            self.line = self.line.saturating_add(1);
        }
        Ok(byte)
    }
}

/// What the parser says, without where.
fn plain(error: &serde_json::Error) -> String {
    let message = error.to_string();
    let message = message.rsplit_once(" at line ");
    message.map_or_else(|| error.to_string(), |(message, _)| message.to_owned())
}
