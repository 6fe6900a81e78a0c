//! Reads the text of inline assembly: templates, constraints, mnemonics and operands, in AT&T's syntax and in Intel's.

use crate::program::Operand;
use std::collections::BTreeMap;

/// One operand of an assembly template, `$0`, `$1`, …
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Slot {
    /// Memory at this address.
    Memory(Operand),
    /// A register: what it holds is kept under this name.
    Register(String),
}

/// What the instructions have done so far.
pub(super) struct State {
    pub(super) slots: Vec<Slot>,
    pub(super) registers: BTreeMap<String, (Operand, u32)>,
    /// The zero flag, 0 or 1.
    pub(super) zero: Option<Operand>,
}

/// An operand of one instruction.
pub(super) enum Place {
    Memory(Operand),
    Register(String),
    Number(u64),
}

/// An instruction with a memory operand in Intel's syntax, which Rust uses, in that of AT&T: `not`, `qword ptr [$0]` is `notq`, `($0)`.
pub(super) fn from_intel(mnemonic: &str, rest: &str) -> Option<(String, String)> {
    const SIZES: [(&str, char); 4] = [
        ("qword ptr [", 'q'),
        ("dword ptr [", 'l'),
        ("word ptr [", 'w'),
        ("byte ptr [", 'b'),
    ];
    let (size, suffix) = SIZES.iter().find(|(size, _)| rest.contains(size))?;
    let rest = rest.replacen(size, "(", 1).replacen(']', ")", 1);
    let operands: Vec<&str> = rest.split(',').map(str::trim).rev().collect();
    Some((format!("{mnemonic}{suffix}"), operands.join(", ")))
}

/// `{ax}`, `{rax}`, `{@ccz}`: a register by its name.
pub(super) fn named_register(constraint: &str) -> Option<String> {
    let name = constraint.strip_prefix('{')?.strip_suffix('}')?;
    let short = name.trim_start_matches(['r', 'e']);
    Some(if short.len() == 2 {
        short.to_owned()
    } else {
        name.to_owned()
    })
}

/// Base and width of a mnemonic: `cmpxchgq` is `cmpxchg` on 64 bits; without a suffix the register tells.
pub(super) fn sized<'t>(
    mnemonic: &'t str,
    operands: &[Place],
    state: &State,
) -> Option<(&'t str, u8)> {
    const BASES: [&str; 14] = [
        "bsr", "bsf", "mov", "xchg", "xadd", "cmpxchg", "inc", "dec", "not", "add", "sub", "and",
        "or", "xor",
    ];
    if BASES.contains(&mnemonic) {
        let width = operands.iter().find_map(|o| match o {
            Place::Register(name) => state.registers.get(name).map(|r| r.1),
            _ => None,
        })?;
        return Some((mnemonic, u8::try_from(width).ok()?));
    }
    let base = &mnemonic[..mnemonic.len().checked_sub(1)?];
    let bits = match mnemonic.as_bytes().last()? {
        b'b' => 8,
        b'w' => 16,
        b'l' => 32,
        b'q' => 64,
        _ => return None,
    };
    BASES.contains(&base).then_some((base, bits))
}

pub(super) fn split_operands(rest: &str) -> impl Iterator<Item = &str> {
    rest.split(',').map(str::trim).filter(|o| !o.is_empty())
}

/// `$0`, `${0:q}`, `($0)`, `0($0)`, `%rax`, `$$1`.
pub(super) fn place(text: &str, state: &State) -> Option<Place> {
    if let Some(number) = text.strip_prefix("$$") {
        return number.parse().ok().map(Place::Number);
    }
    if let Some(inner) = text.strip_suffix(')') {
        let (offset, inner) = inner.split_once('(')?;
        if !offset.is_empty() && offset != "0" {
            return None;
        }
        return match place(inner, state)? {
            Place::Register(name) => state.registers.get(&name).map(|r| Place::Memory(r.0)),
            _ => None,
        };
    }
    if let Some(name) = text.strip_prefix('%') {
        return named_register(&format!("{{{}}}", name.trim_start_matches('%')))
            .map(Place::Register);
    }
    let number = text
        .strip_prefix("${")
        .and_then(|t| t.split([':', '}']).next());
    let number: usize = number.or_else(|| text.strip_prefix('$'))?.parse().ok()?;
    Some(match state.slots.get(number)? {
        Slot::Memory(address) => Place::Memory(*address),
        Slot::Register(name) => Place::Register(name.clone()),
    })
}

/// The texts in quotes: template and constraints of inline assembly. LLVM escapes quotes and control characters as `\22`.
pub(super) fn quoted(text: &str) -> impl Iterator<Item = String> {
    text.split('"').skip(1).step_by(2).map(|part| {
        let mut out = String::new();
        let mut rest = part.chars();
        while let Some(c) = rest.next() {
            if c != '\\' {
                out.push(c);
                continue;
            }
            let digits: String = rest.by_ref().take(2).collect();
            out.push(u8::from_str_radix(&digits, 16).map_or('\\', char::from));
        }
        out
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_are_unescaped() {
        let text = r#"ptr asm sideeffect "lock; addl $$0\0A\09nop", "=r,~{memory}""#;
        let parts: Vec<_> = quoted(text).collect();
        assert_eq!(parts, ["lock; addl $$0\n\tnop", "=r,~{memory}"]);
        assert_eq!(quoted("no quotes").count(), 0);
    }

    #[test]
    fn intel_syntax_is_turned_round() {
        let pair = |m: &str, r: &str| Some((m.to_owned(), r.to_owned()));
        assert_eq!(
            from_intel("not", "qword ptr [${0:q}]"),
            pair("notq", "(${0:q})")
        );
        assert_eq!(
            from_intel("add", "dword ptr [$0], $1"),
            pair("addl", "$1, ($0)")
        );
        assert_eq!(from_intel("addl", "$1, ($0)"), None);
    }

    #[test]
    fn registers_go_by_their_short_names() {
        assert_eq!(named_register("{rax}").as_deref(), Some("ax"));
        assert_eq!(named_register("{ax}").as_deref(), Some("ax"));
        assert_eq!(named_register("{@ccz}").as_deref(), Some("@ccz"));
        assert_eq!(named_register("q"), None);
    }

    #[test]
    fn suffixes_are_widths() {
        let state = State {
            slots: Vec::new(),
            registers: BTreeMap::new(),
            zero: None,
        };
        assert_eq!(sized("cmpxchgq", &[], &state), Some(("cmpxchg", 64)));
        assert_eq!(sized("subb", &[], &state), Some(("sub", 8)));
        assert_eq!(sized("sub", &[], &state), None);
        assert_eq!(sized("fxsave", &[], &state), None);
    }
}
