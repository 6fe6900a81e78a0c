//! Changes that make a good input a bad one: in bytes, in words and brackets, in lines, in the whole.
//!
//! Edits of words keep the form: a bracket is taken with all that it holds, a member with its comma. What comes out is often still read, and
//! then it is what comes after the reader that must not trust it.

use proptest::prelude::{Strategy, any, prop_oneof};
use std::ops::Range;

/// A place, in 65536ths of what there is, so that it means something for every length.
type At = u16;

/// One change.
#[derive(Clone, Debug)]
pub(crate) enum Edit {
    Flip(At, u8),
    Set(At, u8),
    /// Four bytes in a row.
    Long(At, usize),
    Insert(At, usize),
    Delete(At, u16),
    Repeat(At, u16, u8),
    Cut(At),
    /// An element becomes a word of the dictionary.
    Replace(At, usize),
    /// An element becomes a copy of another one.
    Copy(At, At),
    Swap(At, At),
    Remove(At),
    Again(At, u8),
    /// A number becomes one at an edge.
    Number(At, usize),
    Nest(At, usize, u8),
    Line(At, At),
    Lines(At, u8),
    /// From here on, another input.
    Splice(At, usize, At),
    Encode(usize),
}

/// Numbers at the edges of the types that are read into.
const EDGES: [&str; 20] = [
    "0",
    "-1",
    "1",
    "2",
    "127",
    "255",
    "256",
    "32768",
    "65535",
    "65536",
    "2147483647",
    "2147483648",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "-9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "0.5",
    "1e400",
];
const LONGS: [u32; 6] = [0, 1, 0x7fff_ffff, 0x8000_0000, u32::MAX, 0x1_0000];
const BRACKETS: [(&str, &str); 5] = [
    ("[", "]"),
    ("(", ")"),
    ("{", "}"),
    ("{\"a\":", "}"),
    ("#{", "}"),
];

pub(crate) fn edit(words: usize, seeds: usize) -> impl Strategy<Value = Edit> {
    let at = any::<At>();
    let word = 0..words.max(1);
    let bytes = prop_oneof![
        (at, 0..8u8).prop_map(|(at, bit)| Edit::Flip(at, bit)),
        (at, any::<u8>()).prop_map(|(at, byte)| Edit::Set(at, byte)),
        (at, 0..LONGS.len()).prop_map(|(at, long)| Edit::Long(at, long)),
        (at, word.clone()).prop_map(|(at, word)| Edit::Insert(at, word)),
        (at, 0..2000u16).prop_map(|(at, len)| Edit::Delete(at, len)),
        (at, 0..2000u16, 1..20u8).prop_map(|(at, len, times)| Edit::Repeat(at, len, times)),
        at.prop_map(Edit::Cut),
    ];
    let elements = prop_oneof![
        (at, word).prop_map(|(at, word)| Edit::Replace(at, word)),
        (at, at).prop_map(|(to, from)| Edit::Copy(to, from)),
        (at, at).prop_map(|(a, b)| Edit::Swap(a, b)),
        at.prop_map(Edit::Remove),
        (at, 1..20u8).prop_map(|(at, times)| Edit::Again(at, times)),
        (at, 0..EDGES.len()).prop_map(|(at, edge)| Edit::Number(at, edge)),
    ];
    let whole = prop_oneof![
        (at, 0..BRACKETS.len(), 0..18u8).prop_map(|(at, kind, power)| Edit::Nest(at, kind, power)),
        (at, at).prop_map(|(to, from)| Edit::Line(to, from)),
        (at, 0..100u8).prop_map(|(at, times)| Edit::Lines(at, times)),
        (at, 0..seeds.max(1), at).prop_map(|(at, seed, from)| Edit::Splice(at, seed, from)),
        (0..5usize).prop_map(Edit::Encode),
    ];
    prop_oneof![2 => bytes, 5 => elements, 1 => whole]
}

fn place(at: At, len: usize) -> usize {
    usize::from(at) * len / 65536
}

pub(crate) fn apply(input: &mut Vec<u8>, edit: &Edit, dictionary: &[&str], seeds: &[Vec<u8>]) {
    let len = input.len();
    if len == 0 {
        return;
    }
    let word = |word: usize| {
        dictionary
            .get(word)
            .map_or(&b"\0"[..], |w| w.as_bytes())
            .to_vec()
    };
    let range = |at: At, part: u16| {
        let start = place(at, len);
        start..(start + usize::from(part) * len / 65536 + 1).min(len)
    };
    match *edit {
        Edit::Flip(at, bit) => input[place(at, len)] ^= 1 << bit,
        Edit::Set(at, byte) => input[place(at, len)] = byte,
        Edit::Long(at, long) => {
            let start = place(at, len) & !3;
            let end = (start + 4).min(len);
            input.splice(start..end, LONGS[long].to_le_bytes());
        }
        Edit::Insert(at, new) => {
            let start = place(at, len);
            input.splice(start..start, word(new));
        }
        Edit::Delete(at, part) => drop(input.drain(range(at, part))),
        Edit::Repeat(at, part, times) => {
            let piece = input[range(at, part)].repeat(times.into());
            let start = place(at, len);
            input.splice(start..start, piece);
        }
        Edit::Cut(at) => input.truncate(place(at, len)),
        Edit::Replace(at, new) => drop(input.splice(element(input, at), word(new))),
        Edit::Copy(to, from) => {
            let piece = input[element(input, from)].to_vec();
            input.splice(element(input, to), piece);
        }
        Edit::Swap(a, b) => {
            let (a, b) = (element(input, a), element(input, b));
            let (first, second) = if a.start <= b.start { (a, b) } else { (b, a) };
            if first.end <= second.start {
                let (early, late) = (
                    input[first.clone()].to_vec(),
                    input[second.clone()].to_vec(),
                );
                input.splice(second, early);
                input.splice(first, late);
            }
        }
        Edit::Remove(at) => drop(input.drain(member(input, at))),
        Edit::Again(at, times) => {
            let member = member(input, at);
            let piece = input[member.clone()].repeat(times.into());
            input.splice(member.start..member.start, piece);
        }
        Edit::Number(at, edge) => {
            let numbers: Vec<_> = words(input)
                .filter(|w| input[w.clone()].iter().all(u8::is_ascii_digit))
                .collect();
            if let Some(number) = numbers.get(place(at, numbers.len())) {
                input.splice(number.clone(), EDGES[edge].bytes());
            }
        }
        Edit::Nest(at, kind, power) => {
            let (open, close) = BRACKETS[kind];
            let depth = 1 << power;
            let element = element(input, at);
            let inner = &input[element.clone()];
            let nested = [
                open.repeat(depth).as_bytes(),
                inner,
                close.repeat(depth).as_bytes(),
            ]
            .concat();
            input.splice(element, nested);
        }
        Edit::Line(to, from) => {
            let piece = input[line(input, from)].to_vec();
            let to = line(input, to).start;
            input.splice(to..to, piece);
        }
        Edit::Lines(at, times) => {
            let line = line(input, at);
            let piece = input[line.clone()].repeat(times.into());
            input.splice(line, piece);
        }
        Edit::Splice(at, seed, from) => {
            input.truncate(place(at, len));
            if let Some(other) = seeds.get(seed) {
                input.extend_from_slice(&other[place(from, other.len())..]);
            }
        }
        Edit::Encode(how) => *input = encode(input, how),
    }
}

/// The words of `input`: runs of letters and digits, texts in quotes, and every other character that is no space.
fn words(input: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        at += input[at..]
            .iter()
            .take_while(|b| b.is_ascii_whitespace())
            .count();
        let start = at;
        let is_letter = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_' || *b >= 0x80;
        at += match input.get(start)? {
            b'"' => quoted(&input[start..]),
            b if is_letter(b) => input[start..].iter().take_while(|b| is_letter(b)).count(),
            _ => 1,
        };
        Some(start..at)
    })
}

/// The length of a text with its quotes.
fn quoted(input: &[u8]) -> usize {
    let mut escaped = false;
    for (i, &byte) in input.iter().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return i + 1,
            _ => {}
        }
    }
    input.len()
}

/// A word, or a bracket with what it holds.
fn element(input: &[u8], at: At) -> Range<usize> {
    let words: Vec<_> = words(input).collect();
    let first = place(at, words.len());
    let Some(word) = words.get(first) else {
        return 0..0;
    };
    let mut depth = 0_usize;
    for inner in &words[first..] {
        match input[inner.start] {
            b'[' | b'(' | b'{' => depth += 1,
            b']' | b')' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return word.start..inner.end;
        }
    }
    word.clone()
}

/// An element with its name and its comma, as they stand in lists and objects.
fn member(input: &[u8], at: At) -> Range<usize> {
    let Range { start, mut end } = element(input, at);
    let after = |end: usize| {
        words(&input[end..])
            .next()
            .map(|w| end + w.start..end + w.end)
    };
    if let Some(colon) = after(end).filter(|w| &input[w.clone()] == b":") {
        end = colon.end + element(&input[colon.end..], 0).end;
    }
    if let Some(comma) = after(end).filter(|w| &input[w.clone()] == b",") {
        return start..comma.end;
    }
    let before = input[..start]
        .iter()
        .rposition(|b| !b.is_ascii_whitespace());
    let comma = before.filter(|&b| input[b] == b',');
    comma.unwrap_or(start)..end
}

/// A line with its end.
fn line(input: &[u8], at: At) -> Range<usize> {
    let mut lines = Vec::new();
    let mut start = 0;
    for piece in input.split_inclusive(|b| *b == b'\n') {
        lines.push(start..start + piece.len());
        start += piece.len();
    }
    lines.get(place(at, lines.len())).cloned().unwrap_or(0..0)
}

/// The whole as other systems write it, or as they break it.
fn encode(input: &[u8], how: usize) -> Vec<u8> {
    let broken = |end: &[u8]| {
        let lines = input.split(|b| *b == b'\n');
        lines.collect::<Vec<_>>().join(end)
    };
    match how {
        0 => [b"\xef\xbb\xbf", input].concat(),
        1 => broken(b"\r\n"),
        2 => broken(b"\r"),
        3 => input.iter().flat_map(|b| [*b, 0]).collect(),
        _ => broken(b"\xff\xfe\n"),
    }
}
