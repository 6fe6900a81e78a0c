//! EDN, the data notation of Clojure, read form by form from a stream.
//!
//! Forms become values of a history at once: sets are sorted, maps are sorted pairs, keywords keep their colon, numbers
//! that are no 64-bit integers stay as they are written, and tags are dropped, because what they tag says enough.

use super::stream::Stream;
use crate::error::{Problem, ReadError};
use linspect_core::value::Value;
use std::io::Read;

/// How deep forms may nest: the parser is recursive.
const DEEPEST: usize = 128;

/// A reader of maps. A top-level vector or list stands for its elements.
pub(super) struct Reader<R> {
    stream: Stream<R>,
    /// The last token or string, without the colon of a keyword.
    scratch: Vec<u8>,
    /// What closes the top-level vector or list that we are in.
    closer: Option<u8>,
}

/// What stands where a form could stand.
enum Element {
    Form(Value),
    Closer(u8),
    End,
}

impl<R: Read> Reader<R> {
    pub(super) fn new(input: R) -> Self {
        Self {
            stream: Stream::new(input),
            scratch: Vec::new(),
            closer: None,
        }
    }

    /// The current line.
    pub(super) fn line(&self) -> u32 {
        self.stream.line()
    }

    /// Goes into the next top-level map and gives the line on which it begins.
    pub(super) fn next_map(&mut self) -> Result<Option<u32>, ReadError> {
        loop {
            self.stream.begin_form();
            let Some(byte) = self.stream.skip_blank()? else {
                return match self.closer {
                    Some(_) => Err(self.error(Problem::Truncated("a vector or list of events"))),
                    None => Ok(None),
                };
            };
            let line = self.line();
            match byte {
                b'{' => {
                    self.stream.bump()?;
                    return Ok(Some(line));
                }
                b'[' | b'(' if self.closer.is_none() => {
                    self.stream.bump()?;
                    self.closer = Some(closer_of(byte));
                }
                _ if self.closer == Some(byte) => {
                    self.stream.bump()?;
                    self.closer = None;
                }
                b'#' => {
                    self.stream.bump()?;
                    // A tag before a map says nothing more; a set is no event.
                    match self.stream.peek()? {
                        Some(b'{') => return Err(self.not_a_map("a set")),
                        Some(b'_') => self.discard(0)?,
                        _ => self.tag()?,
                    }
                }
                _ => {
                    let found = match self.element(0)? {
                        Element::Form(value) => value.to_string(),
                        Element::Closer(c) => return Err(self.unexpected(c)),
                        Element::End => String::from("nothing"),
                    };
                    return Err(self.not_a_map(&found));
                }
            }
        }
    }

    /// The next key of the map that began on line `began`, as `classify` sees its name; `None` after its last entry.
    pub(super) fn key<K>(
        &mut self,
        began: u32,
        classify: impl FnOnce(Option<&str>) -> K,
    ) -> Result<Option<K>, ReadError> {
        loop {
            match self.stream.skip_blank()? {
                None => return Err(Problem::Truncated("a map").at(began)),
                Some(b'}') => {
                    self.stream.bump()?;
                    return Ok(None);
                }
                Some(b'#') => {
                    self.stream.bump()?;
                    if self.stream.peek()? != Some(b'_') {
                        self.dispatch(0)?;
                        return Ok(Some(classify(None)));
                    }
                    self.discard(0)?;
                }
                Some(byte) => {
                    if !self.named(byte)? {
                        self.form()?;
                        return Ok(Some(classify(None)));
                    }
                    return Ok(Some(classify(Some(self.text()?))));
                }
            }
        }
    }

    /// The name that a keyword, string or symbol spells; empty if the form has none.
    pub(super) fn name(&mut self, into: &mut String) -> Result<(), ReadError> {
        into.clear();
        match self.stream.skip_blank()? {
            Some(byte) if self.named(byte)? => {
                into.push_str(self.text()?);
                Ok(())
            }
            _ => self.form().map(drop),
        }
    }

    /// A form that must be there, because something before it needs it.
    pub(super) fn form(&mut self) -> Result<Value, ReadError> {
        self.nested_form(0)
    }

    /// Reads a keyword, string or symbol into the scratch text, if `byte` begins one.
    fn named(&mut self, byte: u8) -> Result<bool, ReadError> {
        match byte {
            b'"' => self.string()?,
            b'(' | b'[' | b'{' | b')' | b']' | b'}' | b'#' | b'\\' => return Ok(false),
            _ => {
                if byte == b':' {
                    self.stream.bump()?;
                }
                self.token()?;
            }
        }
        Ok(true)
    }

    fn nested_form(&mut self, depth: usize) -> Result<Value, ReadError> {
        match self.element(depth)? {
            Element::Form(form) => Ok(form),
            Element::Closer(c) => Err(self.unexpected(c)),
            Element::End => Err(self.error(Problem::Truncated("a form"))),
        }
    }

    fn element(&mut self, depth: usize) -> Result<Element, ReadError> {
        if depth > DEEPEST {
            return Err(self.error(Problem::TooDeep(DEEPEST)));
        }
        let Some(byte) = self.stream.skip_blank()? else {
            return Ok(Element::End);
        };
        Ok(Element::Form(match byte {
            b')' | b']' | b'}' => {
                self.stream.bump()?;
                return Ok(Element::Closer(byte));
            }
            b'(' | b'[' => Value::list(self.collection(closer_of(byte), depth)?),
            b'{' => self.map(depth)?,
            b'"' => {
                self.string()?;
                Value::text(self.text()?)
            }
            b'\\' => self.character()?,
            b'#' => {
                self.stream.bump()?;
                if self.stream.peek()? == Some(b'_') {
                    self.discard(depth)?;
                    return self.element(depth + 1);
                }
                self.dispatch(depth)?
            }
            _ => self.atom(byte)?,
        }))
    }

    fn collection(&mut self, closer: u8, depth: usize) -> Result<Vec<Value>, ReadError> {
        let began = self.line();
        self.stream.bump()?;
        let mut items = Vec::new();
        loop {
            match self.element(depth + 1)? {
                Element::Form(form) => items.push(form),
                Element::Closer(c) if c == closer => return Ok(items),
                Element::Closer(c) => return Err(self.unexpected(c)),
                Element::End => return Err(Problem::Truncated("a collection").at(began)),
            }
        }
    }

    fn map(&mut self, depth: usize) -> Result<Value, ReadError> {
        let items = self.collection(b'}', depth)?;
        let (pairs, rest) = items.as_chunks::<2>();
        if !rest.is_empty() {
            let message = String::from("a map has a key without a value");
            return Err(self.error(Problem::Edn(message)));
        }
        let mut pairs: Vec<Value> = pairs.iter().cloned().map(Value::list).collect();
        pairs.sort();
        Ok(Value::list(pairs))
    }

    /// What follows a `#`, other than `_`: a set, a special number, or a tagged form.
    fn dispatch(&mut self, depth: usize) -> Result<Value, ReadError> {
        match self.stream.peek()? {
            Some(b'{') => {
                let mut items = self.collection(b'}', depth)?;
                items.sort();
                Ok(Value::list(items))
            }
            Some(b'#') => {
                self.token()?;
                Ok(Value::text(format!("#{}", self.text()?)))
            }
            _ => {
                self.tag()?;
                self.nested_form(depth + 1)
            }
        }
    }

    fn tag(&mut self) -> Result<(), ReadError> {
        self.token()?;
        if self.scratch.is_empty() {
            let message = String::from("`#` without a tag");
            return Err(self.error(Problem::Edn(message)));
        }
        Ok(())
    }

    /// `_ form`, which is as good as absent.
    fn discard(&mut self, depth: usize) -> Result<(), ReadError> {
        self.stream.bump()?;
        self.nested_form(depth + 1).map(drop)
    }

    fn atom(&mut self, first: u8) -> Result<Value, ReadError> {
        self.token()?;
        let token = self.text()?;
        if first == b':' {
            return Ok(Value::text(token));
        }
        Ok(match token {
            "nil" => Value::Nil,
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            _ => number(token).unwrap_or_else(|| Value::text(token)),
        })
    }

    /// `\a`, `\newline`, `\(`.
    fn character(&mut self) -> Result<Value, ReadError> {
        self.stream.bump()?;
        let Some(first) = self.stream.bump()? else {
            return Err(self.error(Problem::Truncated("a character")));
        };
        self.token()?;
        // Even a delimiter is a character here.
        self.scratch.insert(0, first);
        Ok(Value::text(match self.text()? {
            "newline" => "\n",
            "space" => " ",
            "tab" => "\t",
            "return" => "\r",
            plain => plain,
        }))
    }

    /// Reads up to the next delimiter.
    fn token(&mut self) -> Result<(), ReadError> {
        self.scratch.clear();
        self.stream.token(&mut self.scratch)
    }

    fn string(&mut self) -> Result<(), ReadError> {
        let began = self.line();
        self.stream.bump()?;
        self.scratch.clear();
        loop {
            match self.stream.bump()? {
                None => return Err(Problem::Truncated("a string").at(began)),
                Some(b'"') => return Ok(()),
                Some(b'\\') => self.escape(began)?,
                Some(byte) => self.scratch.push(byte),
            }
        }
    }

    fn escape(&mut self, began: u32) -> Result<(), ReadError> {
        let Some(byte) = self.stream.bump()? else {
            return Err(Problem::Truncated("a string").at(began));
        };
        let plain = match byte {
            b'n' => b'\n',
            b't' => b'\t',
            b'r' => b'\r',
            b'b' => 8,
            b'f' => 12,
            b'"' | b'\\' => byte,
            b'u' => return self.unicode(),
            other => {
                let message = format!("there is no escape \\{}", char::from(other).escape_debug());
                return Err(self.error(Problem::Edn(message)));
            }
        };
        self.scratch.push(plain);
        Ok(())
    }

    fn unicode(&mut self) -> Result<(), ReadError> {
        let mut unit = 0;
        for _ in 0..4 {
            let digit = self.stream.bump()?.and_then(|d| char::from(d).to_digit(16));
            let Some(digit) = digit else {
                return Err(self.error(Problem::Edn("a \\u needs four digits".into())));
            };
            unit = unit * 16 + digit;
        }
        let Some(c) = char::from_u32(unit) else {
            let message = format!("\\u{unit:04x} is half a character");
            return Err(self.error(Problem::Edn(message)));
        };
        self.scratch
            .extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
        Ok(())
    }

    fn text(&self) -> Result<&str, ReadError> {
        std::str::from_utf8(&self.scratch).map_err(|_| self.error(Problem::NotText))
    }

    fn not_a_map(&self, found: &str) -> ReadError {
        self.error(Problem::Edn(format!("an event must be a map, not {found}")))
    }

    fn unexpected(&self, byte: u8) -> ReadError {
        let shown = char::from(byte).escape_debug();
        self.error(Problem::Edn(format!("unexpected `{shown}`")))
    }

    fn error(&self, problem: Problem) -> ReadError {
        problem.at(self.line())
    }
}

fn closer_of(open: u8) -> u8 {
    if open == b'[' { b']' } else { b')' }
}

/// The number that `token` is, if it is one: equal numbers are equal values, however they were spelled. One that does not fit into 64 bits
/// and one with a point or an exponent is a text.
fn number(token: &str) -> Option<Value> {
    let unsigned = token.strip_prefix(['+', '-']).unwrap_or(token);
    if !unsigned.starts_with(|first: char| first.is_ascii_digit()) {
        return None;
    }
    let whole = token.strip_suffix('N').unwrap_or(token);
    if let Ok(n) = whole.parse() {
        return Some(Value::Int(n));
    }
    let is_whole = unsigned
        .trim_end_matches('N')
        .bytes()
        .all(|b| b.is_ascii_digit());
    if is_whole {
        return Some(Value::text(whole.trim_start_matches('+')));
    }
    let n: f64 = token.parse().ok().filter(|n: &f64| n.is_finite())?;
    // No zero is negative.
    Some(Value::text(format!("{:?}", n + 0.0)))
}
