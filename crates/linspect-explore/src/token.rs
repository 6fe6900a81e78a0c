//! Replay tokens: a program's fingerprint, a client and a schedule in one word that can be pasted into a shell.
//!
//! Version 2: `L2:` and the base-62 digits of the settings, the fingerprint, the client, the run-length coded schedule and a check sum. Version 1,
//! `L1:`, has no settings; it is still read. Version 3, `L3:`, is written for clients whose threads warm up: behind the prefix it says which threads do.

use linspect_core::client::{Client, Invocation};
use linspect_core::schedule::{Choice, Schedule, ThreadId};
use linspect_core::value::Value;
use std::fmt;
use std::str::FromStr;

/// What a token says: enough to see a run again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// The program's digest when the token was made. After an edit the schedule may fit only in part.
    pub fingerprint: u64,
    /// The client.
    pub client: Client,
    /// Who went when.
    pub schedule: Schedule,
    /// The options of the test that decide what the schedule means and what is said of its run, as they are typed: `--spec=queue`. None in
    /// a token of version 1.
    pub settings: Vec<String>,
}

/// Why a text is no token.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TokenError {
    /// It does not start like one.
    #[error("a replay token starts with `L2:`, this one with `{0}`")]
    Prefix(String),
    /// It is of another version.
    #[error(
        "this token has version {0}; only versions 1 to 3 are known here: use the Linspect that made it"
    )]
    Version(String),
    /// There is a character that no token has.
    #[error("`{character}` at place {at} is no digit of a token (0-9, A-Z, a-z)")]
    Digit {
        /// Which.
        character: char,
        /// Where, from 1, after the `L2:`.
        at: usize,
    },
    /// It was cut short or changed.
    #[error("the token is damaged: copy all of it, from `L2:` to the end")]
    Damaged,
}

const PREFIX: &str = "L2:";
const PREFIX_1: &str = "L1:";
const PREFIX_3: &str = "L3:";
const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/// How many digits n bytes take, for n up to 8: the least d with 62^d ≥ 256^n.
const WIDTHS: [usize; 9] = [0, 2, 3, 5, 6, 7, 9, 10, 11];

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut bytes = Vec::new();
        write_number(&mut bytes, self.settings.len() as u64);
        for setting in &self.settings {
            write_text(&mut bytes, setting);
        }
        bytes.extend_from_slice(&self.fingerprint.to_le_bytes());
        write_calls(&mut bytes, &self.client.before);
        if self.client.is_warm() {
            write_number(&mut bytes, self.client.warm.len() as u64);
            for thread in &self.client.warm {
                write_number(&mut bytes, u64::from(*thread));
            }
        }
        write_number(&mut bytes, self.client.threads.len() as u64);
        for thread in &self.client.threads {
            write_calls(&mut bytes, thread);
        }
        write_calls(&mut bytes, &self.client.after);
        for run in self.schedule.0.chunk_by(|a, b| a == b) {
            write_number(&mut bytes, u64::from(run[0].thread));
            write_number(&mut bytes, u64::from(run[0].branch));
            write_number(&mut bytes, run.len() as u64);
        }
        bytes.extend_from_slice(&check_sum(&bytes).to_le_bytes());
        f.write_str(match self.client.is_warm() {
            true => PREFIX_3,
            false => PREFIX,
        })?;
        f.write_str(&to_digits(&bytes))
    }
}

impl FromStr for Token {
    type Err = TokenError;

    fn from_str(text: &str) -> Result<Self, TokenError> {
        let text = text.trim();
        let versions = [(PREFIX_1, 1), (PREFIX, 2), (PREFIX_3, 3)];
        let version = |(prefix, version)| Some((text.strip_prefix(prefix)?, version));
        let Some((digits, version)) = versions.into_iter().find_map(version) else {
            return Err(match text.split_once(':') {
                Some((version, _)) if version.starts_with('L') => {
                    TokenError::Version(version[1..].to_owned())
                }
                _ => TokenError::Prefix(text.chars().take(3).collect()),
            });
        };
        let bytes = from_digits(digits)?;
        let split = bytes.len().checked_sub(4).ok_or(TokenError::Damaged)?;
        let (bytes, sum) = bytes.split_at(split);
        if check_sum(bytes).to_le_bytes() != sum {
            return Err(TokenError::Damaged);
        }
        // The sum was right, so what follows was written by `fmt`; it is still never trusted with a panic.
        read(bytes, version).ok_or(TokenError::Damaged)
    }
}

fn read(bytes: &[u8], version: u8) -> Option<Token> {
    let mut bytes = bytes;
    let settings = match version {
        1 => Vec::new(),
        _ => (0..read_number(&mut bytes)?)
            .map(|_| read_text(&mut bytes).map(str::to_owned))
            .collect::<Option<_>>()?,
    };
    let (fingerprint, mut rest) = bytes.split_first_chunk::<8>()?;
    let before = read_calls(&mut rest)?;
    let warm: Vec<ThreadId> = match version {
        3 => (0..read_number(&mut rest)?)
            .map(|_| read_number(&mut rest)?.try_into().ok())
            .collect::<Option<_>>()?,
        _ => Vec::new(),
    };
    let threads: Vec<_> = (0..read_number(&mut rest)?)
        .map(|_| read_calls(&mut rest))
        .collect::<Option<_>>()?;
    // Whoever warms up is a thread of the client, and does something.
    if warm.len() > before.len() || warm.iter().any(|&t| usize::from(t) >= threads.len()) {
        return None;
    }
    let after = read_calls(&mut rest)?;
    let mut schedule = Vec::new();
    while !rest.is_empty() {
        let choice = Choice {
            thread: read_number(&mut rest)?.try_into().ok()?,
            branch: read_number(&mut rest)?.try_into().ok()?,
        };
        let count = usize::try_from(read_number(&mut rest)?).ok()?;
        // A few digits can name any number of steps, which must not fill the memory.
        if count > MOST_STEPS - schedule.len() {
            return None;
        }
        schedule.extend(std::iter::repeat_n(choice, count));
    }
    Some(Token {
        fingerprint: u64::from_le_bytes(*fingerprint),
        client: Client {
            before,
            warm,
            threads,
            after,
        },
        schedule: Schedule(schedule),
        settings,
    })
}

/// More steps than any run has.
const MOST_STEPS: usize = 1 << 24;

/// FNV-1a, 32 bits: what a token says must not change with a library's hash function.
fn check_sum(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811c_9dc5, |sum: u32, byte| {
        (sum ^ u32::from(*byte)).wrapping_mul(0x0100_0193)
    })
}

fn write_number(bytes: &mut Vec<u8>, mut n: u64) {
    while n >= 0x80 {
        bytes.push(n as u8 | 0x80);
        n >>= 7;
    }
    bytes.push(n as u8);
}

fn read_number(bytes: &mut &[u8]) -> Option<u64> {
    let mut n = 0;
    for shift in (0..64).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        n |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(n);
        }
    }
    None
}

fn write_text(bytes: &mut Vec<u8>, text: &str) {
    write_number(bytes, text.len() as u64);
    bytes.extend_from_slice(text.as_bytes());
}

fn read_text<'a>(bytes: &mut &'a [u8]) -> Option<&'a str> {
    let length = usize::try_from(read_number(bytes)?).ok()?;
    let (text, rest) = bytes.split_at_checked(length)?;
    *bytes = rest;
    std::str::from_utf8(text).ok()
}

fn write_calls(bytes: &mut Vec<u8>, calls: &[Invocation]) {
    write_number(bytes, calls.len() as u64);
    for call in calls {
        write_number(bytes, u64::from(call.operation));
        write_value(bytes, &call.argument);
    }
}

fn read_calls(bytes: &mut &[u8]) -> Option<Vec<Invocation>> {
    let count = read_number(bytes)?;
    (0..count)
        .map(|_| {
            Some(Invocation {
                operation: read_number(bytes)?.try_into().ok()?,
                argument: read_value(bytes, 0)?,
            })
        })
        .collect()
}

fn write_value(bytes: &mut Vec<u8>, value: &Value) {
    match value {
        Value::Unit => bytes.push(0),
        Value::Nil => bytes.push(1),
        Value::Bool(b) => bytes.push(2 + u8::from(*b)),
        Value::Int(n) => {
            bytes.push(4);
            // Zigzag: small numbers of either sign stay short.
            write_number(bytes, ((n << 1) ^ (n >> 63)) as u64);
        }
        Value::Text(text) => {
            bytes.push(5);
            write_text(bytes, text);
        }
        Value::List(items) => {
            bytes.push(6);
            write_number(bytes, items.len() as u64);
            for item in items.iter() {
                write_value(bytes, item);
            }
        }
    }
}

fn read_value(bytes: &mut &[u8], depth: usize) -> Option<Value> {
    if depth > 64 {
        return None;
    }
    let (&tag, rest) = bytes.split_first()?;
    *bytes = rest;
    Some(match tag {
        0 => Value::Unit,
        1 => Value::Nil,
        2 | 3 => Value::Bool(tag == 3),
        4 => {
            let n = read_number(bytes)?;
            Value::Int((n >> 1) as i64 ^ -((n & 1) as i64))
        }
        5 => Value::text(read_text(bytes)?),
        6 => {
            let count = read_number(bytes)?;
            let items: Option<Vec<Value>> =
                (0..count).map(|_| read_value(bytes, depth + 1)).collect();
            Value::list(items?)
        }
        _ => return None,
    })
}

fn to_digits(bytes: &[u8]) -> String {
    let mut text = String::new();
    for block in bytes.chunks(8) {
        let mut n = block
            .iter()
            .rev()
            .fold(0_u64, |n, b| n << 8 | u64::from(*b));
        for _ in 0..WIDTHS[block.len()] {
            text.push(char::from(DIGITS[(n % 62) as usize]));
            n /= 62;
        }
    }
    text
}

fn from_digits(text: &str) -> Result<Vec<u8>, TokenError> {
    let mut digits = Vec::with_capacity(text.len());
    for (i, character) in text.chars().enumerate() {
        let digit = u8::try_from(character)
            .ok()
            .and_then(|c| DIGITS.iter().position(|d| *d == c));
        match digit {
            Some(digit) => digits.push(digit as u64),
            None => {
                return Err(TokenError::Digit {
                    character,
                    at: i + 1,
                });
            }
        }
    }
    let mut bytes = Vec::new();
    for block in digits.chunks(WIDTHS[8]) {
        let length = WIDTHS
            .iter()
            .position(|w| *w == block.len())
            .ok_or(TokenError::Damaged)?;
        let mut n = 0_u64;
        for &digit in block.iter().rev() {
            n = n
                .checked_mul(62)
                .and_then(|n| n.checked_add(digit))
                .ok_or(TokenError::Damaged)?;
        }
        if length < 8 && n >> (8 * length) != 0 {
            return Err(TokenError::Damaged);
        }
        bytes.extend_from_slice(&n.to_le_bytes()[..length]);
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use linspect_core::random::Random;

    fn value(random: &mut Random, depth: usize) -> Value {
        match random.below(if depth < 3 { 7 } else { 6 }) {
            0 => Value::Unit,
            1 => Value::Nil,
            2 => Value::Bool(random.percent(50)),
            3 => Value::Int(random.bits() as i64),
            4 => Value::Int(random.below(5) as i64 - 2),
            5 => Value::text(["", "a", "ö\u{1b}[31m"][random.below(3)]),
            _ => {
                let count = random.below(3);
                Value::list(
                    (0..count)
                        .map(|_| value(random, depth + 1))
                        .collect::<Vec<_>>(),
                )
            }
        }
    }

    fn calls(random: &mut Random) -> Vec<Invocation> {
        (0..random.below(4))
            .map(|_| Invocation {
                operation: random.below(300) as u16,
                argument: value(random, 0),
            })
            .collect()
    }

    fn client(random: &mut Random) -> Client {
        let before = calls(random);
        let threads: Vec<_> = (0..random.below(4)).map(|_| calls(random)).collect();
        let warm = match threads.len() {
            0 => 0,
            _ => random.below(before.len() + 1),
        };
        Client {
            warm: (0..warm)
                .map(|_| random.below(threads.len()) as ThreadId)
                .collect(),
            before,
            threads,
            after: calls(random),
        }
    }

    fn token(random: &mut Random) -> Token {
        let choice = |random: &mut Random| Choice {
            thread: random.below(3) as u16,
            branch: u8::from(random.percent(5)),
        };
        Token {
            fingerprint: random.bits(),
            client: client(random),
            schedule: Schedule((0..random.below(60)).map(|_| choice(random)).collect()),
            settings: (0..random.below(3))
                .map(|_| ["--spec=queue(.empty = -1)", "--leaks", ""][random.below(3)].to_owned())
                .collect(),
        }
    }

    #[test]
    fn tokens_survive_being_written_and_read() {
        let mut random = Random::new(1);
        for _ in 0..2_000 {
            let token = token(&mut random);
            assert_eq!(token.to_string().parse(), Ok(token));
        }
    }

    /// Written before settings were part of a token.
    #[test]
    fn tokens_of_version_1_are_read() {
        let take = Invocation {
            operation: 0,
            argument: Value::Unit,
        };
        let runs = [(0, 4), (1, 8), (0, 4)];
        let steps = runs.map(|(thread, count)| vec![Choice::of(thread); count]);
        let expected = Token {
            fingerprint: 0x9617_f6d7_e0ee_cba3,
            client: Client {
                threads: vec![vec![take.clone()], vec![take]],
                ..Client::default()
            },
            schedule: Schedule(steps.concat()),
            settings: Vec::new(),
        };
        let old = "L1:x67FV5gZwsCoz0JAMJ00008wBC4HQJA00aUY2Esc70";
        assert_eq!(old.parse(), Ok(expected));
    }

    #[test]
    fn damage_is_noticed() {
        let mut random = Random::new(2);
        for _ in 0..2_000 {
            let text = token(&mut random).to_string();
            let at = PREFIX.len() + random.below(text.len() - PREFIX.len());
            let mut damaged = text.clone().into_bytes();
            damaged[at] = DIGITS[(DIGITS.iter().position(|d| *d == damaged[at]).unwrap() + 1) % 62];
            let damaged = String::from_utf8(damaged).expect("digits are ASCII");
            assert_eq!(
                damaged.parse::<Token>(),
                Err(TokenError::Damaged),
                "{text} {damaged}"
            );
            assert_eq!(text[..at].parse::<Token>(), Err(TokenError::Damaged));
        }
    }

    /// A run of steps takes a few digits however long it is: a token of a line could ask for all the memory there is.
    #[test]
    fn a_short_token_does_not_fill_the_memory() {
        let mut bytes = vec![0; 1 + 8 + 3];
        for _ in 0..100 {
            write_number(&mut bytes, 0);
            write_number(&mut bytes, 0);
            write_number(&mut bytes, MOST_STEPS as u64);
        }
        bytes.extend_from_slice(&check_sum(&bytes).to_le_bytes());
        let text = format!("{PREFIX}{}", to_digits(&bytes));
        assert_eq!(text.parse::<Token>(), Err(TokenError::Damaged));
    }

    #[test]
    fn errors_say_what_to_do() {
        let check = |text: &str, expected: &str| {
            assert_eq!(text.parse::<Token>().unwrap_err().to_string(), expected);
        };
        check(
            "hello",
            "a replay token starts with `L2:`, this one with `hel`",
        );
        check(
            "L4:abc",
            "this token has version 4; only versions 1 to 3 are known here: use the Linspect that made it",
        );
        check(
            "L1:ab-c",
            "`-` at place 3 is no digit of a token (0-9, A-Z, a-z)",
        );
        check(
            "L2:",
            "the token is damaged: copy all of it, from `L2:` to the end",
        );
    }
}
