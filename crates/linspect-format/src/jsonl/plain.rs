//! A fast path for plain lines: no escapes, no fractions, nothing unusual. `serde_json` takes over wherever this gives up, so
//! this never says that a line is wrong. Without it, reading takes half as long again (`cargo bench -p linspect-format`).

use super::line::{Line, Process};
use crate::jepsen::Kind;
use linspect_core::value::Value;
use std::borrow::Cow;

/// Deeper arrays are not plain.
const DEEPEST: usize = 8;

/// What `text` says, or `None` if it is not plain.
pub(super) fn parse(text: &str) -> Option<Line<'_>> {
    let mut cursor = Cursor { text, at: 0 };
    let mut line = Line::default();
    cursor.expect(b'{')?;
    cursor.skip_blank();
    if cursor.peek()? == b'}' {
        return None;
    }
    loop {
        cursor.skip_blank();
        let key = cursor.string()?;
        cursor.skip_blank();
        cursor.expect(b':')?;
        cursor.skip_blank();
        match key {
            "process" => put(&mut line.process, cursor.process()?)?,
            "type" => put(&mut line.kind, Kind::named(cursor.string()?)?)?,
            "f" => put(&mut line.f, Cow::Borrowed(cursor.string()?))?,
            "value" => put(&mut line.value, cursor.value(0)?)?,
            "key" => put(&mut line.key, cursor.value(0)?)?,
            "result" => put(&mut line.result, cursor.value(0)?)?,
            "call" => put(&mut line.call, cursor.number()?)?,
            "return" => put(&mut line.ret, cursor.number()?)?,
            "time" => put(&mut line.time, cursor.number()?)?,
            // Headers are rare and flags are rarer.
            "linspect" | "spec" | "initial" | "unit" | "operations" | "unknown" => return None,
            _ => drop(cursor.value(0)?),
        }
        cursor.skip_blank();
        match cursor.next()? {
            b',' => {}
            b'}' => break,
            _ => return None,
        }
    }
    (cursor.at == text.len()).then_some(line)
}

fn put<T>(place: &mut Option<T>, value: T) -> Option<()> {
    place.replace(value).is_none().then_some(())
}

struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn next(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.at += 1;
        Some(byte)
    }

    fn expect(&mut self, byte: u8) -> Option<()> {
        (self.next()? == byte).then_some(())
    }

    fn skip_blank(&mut self) {
        while let Some(b' ' | b'\t' | b'\r') = self.peek() {
            self.at += 1;
        }
    }

    fn string(&mut self) -> Option<&'a str> {
        self.expect(b'"')?;
        let start = self.at;
        loop {
            match self.next()? {
                b'"' => return self.text.get(start..self.at - 1),
                b'\\' | 0..0x20 => return None,
                _ => {}
            }
        }
    }

    /// Digits that do not begin with a needless zero and do not overflow; no sign, fraction or exponent.
    fn number(&mut self) -> Option<u64> {
        let start = self.at;
        let mut number: u64 = 0;
        while let Some(digit @ b'0'..=b'9') = self.peek() {
            number = number
                .checked_mul(10)?
                .checked_add(u64::from(digit - b'0'))?;
            self.at += 1;
        }
        let digits = self.at - start;
        let is_plain = digits == 1 || digits > 1 && self.text.as_bytes()[start] != b'0';
        (is_plain && !matches!(self.peek(), Some(b'.' | b'e' | b'E'))).then_some(number)
    }

    fn process(&mut self) -> Option<Process> {
        u32::try_from(self.number()?).ok().map(Process::Client)
    }

    fn value(&mut self, depth: usize) -> Option<Value> {
        match self.peek()? {
            b'"' => self.string().map(Value::text),
            b'-' => {
                self.at += 1;
                let number = self.number().filter(|&n| n > 0)?;
                i64::try_from(number).ok().map(|n| Value::Int(-n))
            }
            b'0'..=b'9' => i64::try_from(self.number()?).ok().map(Value::Int),
            b'[' if depth < DEEPEST => self.list(depth),
            _ => self.word(),
        }
    }

    fn list(&mut self, depth: usize) -> Option<Value> {
        self.at += 1;
        let mut items = Vec::new();
        self.skip_blank();
        if self.peek()? == b']' {
            self.at += 1;
            return Some(Value::list(items));
        }
        loop {
            self.skip_blank();
            items.push(self.value(depth + 1)?);
            self.skip_blank();
            match self.next()? {
                b',' => {}
                b']' => return Some(Value::list(items)),
                _ => return None,
            }
        }
    }

    fn word(&mut self) -> Option<Value> {
        let rest = &self.text[self.at..];
        let words = [
            ("null", Value::Nil),
            ("true", Value::Bool(true)),
            ("false", Value::Bool(false)),
        ];
        let (word, value) = words.into_iter().find(|(word, _)| rest.starts_with(word))?;
        self.at += word.len();
        Some(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Where the fast path has an answer, it is the one of `serde_json`.
    fn agrees(text: &str) -> Result<(), TestCaseError> {
        if let Some(line) = parse(text) {
            prop_assert_eq!(line, serde_json::from_str(text).unwrap(), "{}", text);
        }
        Ok(())
    }

    #[test]
    fn plain_lines_take_the_fast_path() {
        for text in [
            r#"{"process":0,"type":"invoke","f":"enqueue","value":1}"#,
            r#"{ "process" : 3, "f":"cas", "value":[null, -2, "x"], "result":true, "call":0, "return":18446744073709551615 }"#,
            r#"{"index":7,"process":1,"type":"info","f":"read","time":12,"error":"timeout","key":"ä"}"#,
        ] {
            assert_eq!(parse(text), Some(serde_json::from_str(text).unwrap()));
        }
    }

    #[test]
    fn unusual_lines_do_not() {
        for text in [
            r#"{"linspect":1}"#,
            r#"{"f":"a\nb"}"#,
            r#"{"value":1.5}"#,
            r#"{"value":01}"#,
            r#"{"value":-0}"#,
            r#"{"value":9223372036854775808}"#,
            r#"{"value":{}}"#,
            r#"{"f":"a","f":"b"}"#,
            r#"{"f":"a"} x"#,
            r#"{"f":"a""#,
            "{}",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn lines_made_of_pieces_are_read_alike(pieces in prop::collection::vec(0..PIECES.len(), 0..24)) {
            let text: String = pieces.into_iter().map(|i| PIECES[i]).collect();
            agrees(&text)?;
            agrees(&format!("{{{text}}}"))?;
        }

        #[test]
        fn lines_of_members_are_read_alike(members in prop::collection::vec((0..KEYS.len(), 0..VALUES.len()), 1..6)) {
            let members: Vec<String> = members
                .into_iter()
                .map(|(k, v)| format!("{}:{}", KEYS[k], VALUES[v]))
                .collect();
            agrees(&format!("{{{}}}", members.join(",")))?;
        }
    }

    const PIECES: [&str; 24] = [
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        " ",
        "\"",
        "\"f\"",
        "\"value\"",
        "\"call\"",
        "\"process\"",
        "\"type\"",
        "\"invoke\"",
        "0",
        "1",
        "-",
        "9223372036854775807",
        "true",
        "null",
        "\\",
        "é",
        ".",
        "\t",
    ];
    const KEYS: [&str; 11] = [
        "\"process\"",
        "\"type\"",
        "\"f\"",
        "\"value\"",
        "\"key\"",
        "\"result\"",
        "\"call\"",
        "\"return\"",
        "\"time\"",
        "\"other\"",
        " \"value\" ",
    ];
    const VALUES: [&str; 16] = [
        "0",
        "-1",
        "7",
        "\"ok\"",
        "\"\"",
        "[]",
        "[1, [2]]",
        "null",
        "true",
        "false",
        "00",
        "1e3",
        "-0",
        "\"a\\\"b\"",
        "99999999999999999999",
        "[[[[[[[[[[1]]]]]]]]]]",
    ];
}
