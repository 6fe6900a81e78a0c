//! Which constant makes a test too long: a loop of a program whose schedules could not all be tried, with a large number in its line or behind a name there.

use linspect_vm::{LargeNumbers, LoadedProgram};
use std::collections::BTreeMap;

/// Loops of fewer rounds are not spoken of.
const MANY: u64 = 50;

/// How many loops are named.
const NAMED: usize = 3;

/// Says which constants make the program long, if its source tells.
pub(super) fn said(code: &LoadedProgram) -> Option<String> {
    let mut files: BTreeMap<String, String> = BTreeMap::new();
    let mut loops = Vec::new();
    let mut advice = None;
    for LargeNumbers {
        file,
        lines,
        numbers,
    } in code.large_numbers(MANY)
    {
        let text = files
            .entry(file.clone())
            .or_insert_with(|| std::fs::read_to_string(&file).unwrap_or_default());
        for line in lines {
            let read = text.lines().nth(line as usize - 1).unwrap_or_default();
            let found = numbers.iter().find_map(|n| rounds(text, read, *n));
            loops.extend(found.iter().map(|said| format!("{file}:{line} ({said})")));
            if is_rust(&file) && found.is_some() {
                advice.get_or_insert(FEWER);
                if text.contains("(miri)") {
                    advice = Some(FEWER_FOR_MIRI);
                }
            }
        }
    }
    loops.sort();
    loops.dedup();
    if loops.is_empty() {
        return None;
    }
    let more = if loops.len() > NAMED { ", …" } else { "" };
    loops.truncate(NAMED);
    Some(format!(
        "note: these loops make the program long: {}{more}; of 2 or 3 rounds all schedules can often be tried{}",
        loops.join(", "),
        advice.unwrap_or_default()
    ))
}

/// How a test in Rust says that it wants fewer rounds here: everything is compiled with this flag.
const FEWER: &str = ", as `if cfg!(linspect) { 2 } else { … }` says";

/// The same where the file has fewer rounds for Miri.
const FEWER_FOR_MIRI: &str =
    ", as `if cfg!(linspect) { 2 } else { … }` says; RUSTFLAGS=\"--cfg miri\" takes those for Miri";

fn is_rust(file: &str) -> bool {
    file.ends_with(".rs")
}

/// How the number of rounds of a loop in this line is written, if it is `number`: by itself, or as a constant of the file.
fn rounds(text: &str, line: &str, number: u64) -> Option<String> {
    let words = |text: &str| -> Vec<String> {
        let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
        words
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect()
    };
    let in_line = words(line);
    let is_loop = ["for", "while", "repeat", "take", "times"];
    if !in_line.iter().any(|word| is_loop.contains(&word.as_str())) {
        return None;
    }
    if in_line.iter().any(|word| value(word) == Some(number)) {
        return Some(number.to_string());
    }
    in_line.iter().find_map(|name| {
        let defines = |line: &&str| {
            let defined = words(line);
            let at = defined.iter().position(|word| word == name);
            let is_constant = defined.first().is_some_and(|first| {
                [
                    "const",
                    "static",
                    "pub",
                    "define",
                    "constexpr",
                    "enum",
                    "int",
                    "unsigned",
                    "size_t",
                ]
                .contains(&first.as_str())
            });
            let behind = at.map_or(&[][..], |at| &defined[at + 1..]);
            is_constant && behind.iter().any(|word| value(word) == Some(number))
        };
        let at = text.lines().position(|line| defines(&line))?;
        Some(format!("{name} = {number}, line {}", at + 1))
    })
}

/// `100_000`, `1000usize`, `10000UL`.
fn value(word: &str) -> Option<u64> {
    let word = word.replace('_', "");
    let digits = word.len() - word.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    word[..digits].parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_rounds_is_found_by_itself_or_by_its_name() {
        let text = "const COUNT: usize = 100_000;\n#define ROUNDS 5000UL\n";
        let of = |line: &str, number| rounds(text, line, number);
        assert_eq!(of("for i in 0..1_000 {", 1000).as_deref(), Some("1000"));
        let count = of("for i in 0..COUNT {", 100_000);
        assert_eq!(count.as_deref(), Some("COUNT = 100000, line 1"));
        let define = of("for (int i = 0; i < ROUNDS; i++)", 5000);
        assert_eq!(define.as_deref(), Some("ROUNDS = 5000, line 2"));
        // No loop, or another number.
        assert_eq!(of("let x = COUNT;", 100_000), None);
        assert_eq!(of("for i in 0..COUNT {", 1000), None);
    }
}
