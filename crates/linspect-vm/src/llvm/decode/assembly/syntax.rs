//! Reads the text of inline assembly: templates, constraints, labels, mnemonics and operands, in AT&T's syntax and in Intel's.

use crate::program::Operand;

/// One operand of an assembly template, `$0`, `$1`, …
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Slot {
    /// Memory at this address.
    Memory(Operand),
    /// A register of this name, and the width of its value.
    Register(String, u32),
}

/// A line of a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Line {
    Label(String),
    Instruction(Statement),
}

/// An instruction; its operands stand as Intel writes them, the destination first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Statement {
    pub(super) locked: bool,
    pub(super) name: String,
    pub(super) operands: Vec<Place>,
    /// As it is written, for messages.
    pub(super) text: String,
}

/// An operand of one instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// So many bits at an address, if the operand says how many.
    Memory(Address, Option<u32>),
    /// The low bits of a register.
    Register(String, u32),
    Number(i64),
    /// Where to jump: `2b`, `2f`, a name.
    Label(String),
}

/// `slot + base + index * scale + offset`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Address {
    pub(super) slot: Option<Operand>,
    pub(super) base: Option<String>,
    pub(super) index: Option<(String, u32)>,
    pub(super) offset: i64,
}

/// Who writes operands how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    Att,
    Intel,
}

/// The lines of a template, or the text that is not understood.
pub(super) fn lines(
    template: &str,
    mut dialect: Dialect,
    slots: &[Slot],
) -> Result<Vec<Line>, String> {
    let mut lines = Vec::new();
    // Prefixes that stand before the next instruction.
    let (mut locked, mut repeated) = (false, false);
    let chosen = alternative(template, dialect);
    let statements = chosen
        .lines()
        .map(|line| line.split('#').next().unwrap_or_default())
        .map(|line| line.split("//").next().unwrap_or_default())
        .flat_map(|line| line.split(';'));
    for statement in statements {
        let mut rest = statement.trim();
        while let Some((label, after)) = label(rest) {
            lines.push(Line::Label(label.to_owned()));
            rest = after.trim();
        }
        let text = rest;
        let (mut name, mut operands) = mnemonic(rest);
        while matches!(name.as_str(), "lock" | "rep" | "repz") {
            locked |= name == "lock";
            repeated |= name != "lock";
            (name, operands) = mnemonic(operands);
        }
        match name.as_str() {
            "" | ".p2align" | ".align" | ".balign" => continue,
            ".intel_syntax" => dialect = Dialect::Intel,
            ".att_syntax" => dialect = Dialect::Att,
            _ => {
                let operand = |operand: &str| match name.strip_prefix('j') {
                    Some(_) => Some(Place::Label(operand.to_owned())),
                    None => place(operand, dialect, slots),
                };
                let operands: Option<Vec<Place>> = split_operands(operands).map(operand).collect();
                let mut operands = operands.ok_or_else(|| text.to_owned())?;
                if dialect == Dialect::Att {
                    operands.reverse();
                }
                if std::mem::take(&mut repeated) {
                    if name != "nop" {
                        return Err(text.to_owned());
                    }
                    "pause".clone_into(&mut name);
                }
                lines.push(Line::Instruction(Statement {
                    locked: std::mem::take(&mut locked),
                    name,
                    operands,
                    text: text.to_owned(),
                }));
            }
        }
    }
    Ok(lines)
}

/// The first word, in small letters, and the rest.
fn mnemonic(text: &str) -> (String, &str) {
    let (name, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    (name.to_ascii_lowercase(), rest.trim())
}

/// The template with `$(for AT&T$|for Intel$)` decided.
fn alternative(template: &str, dialect: Dialect) -> String {
    let mut out = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("$(") {
        let (inside, behind) = after.split_once("$)").unwrap_or((after, ""));
        let mut forms = inside.split("$|");
        let att = forms.next().unwrap_or_default();
        let form = match dialect {
            Dialect::Att => att,
            Dialect::Intel => forms.next().unwrap_or_default(),
        };
        out += before;
        out += form;
        rest = behind;
    }
    out + rest
}

/// A label at the start of a statement, and what follows it.
fn label(statement: &str) -> Option<(&str, &str)> {
    let digits = statement.trim_start_matches(|c: char| c.is_ascii_digit());
    if digits.len() < statement.len() {
        let label = &statement[..statement.len() - digits.len()];
        return digits.strip_prefix(':').map(|rest| (label, rest));
    }
    let end = statement
        .find(char::is_whitespace)
        .unwrap_or(statement.len());
    let label = statement[..end].strip_suffix(':')?;
    Some((label, &statement[end..]))
}

/// The operands: what commas separate that stand in no parentheses.
fn split_operands(text: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0;
    text.split(move |c: char| {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            _ => {}
        }
        c == ',' && depth == 0
    })
    .map(str::trim)
    .filter(|operand| !operand.is_empty())
}

fn place(text: &str, dialect: Dialect, slots: &[Slot]) -> Option<Place> {
    match dialect {
        Dialect::Att => att_place(text, slots),
        Dialect::Intel => intel_place(text, slots),
    }
}

/// `$0`, `${0:q}`, `%rax`, `$$1`, `8(%rdi,%rcx,4)`.
fn att_place(text: &str, slots: &[Slot]) -> Option<Place> {
    if let Some(digits) = text.strip_prefix("$$") {
        return number(digits).map(Place::Number);
    }
    if let Some(inner) = text.strip_suffix(')') {
        let (offset, inner) = inner.split_once('(')?;
        let mut parts = inner.split(',').map(str::trim);
        let mut address = Address {
            offset: if offset.is_empty() {
                0
            } else {
                number(offset)?
            },
            ..Address::default()
        };
        if let Some(base) = parts.next().filter(|base| !base.is_empty()) {
            address.base = Some(att_register(base, slots)?);
        }
        if let Some(index) = parts.next() {
            let scale = parts.next().map_or(Some(1), |scale| scale.parse().ok())?;
            address.index = Some((att_register(index, slots)?, scale));
        }
        return Some(Place::Memory(address, None));
    }
    if let Some(name) = text.strip_prefix('%') {
        return register(name).map(|(name, bits)| Place::Register(name, bits));
    }
    slot(text, slots)
}

fn att_register(text: &str, slots: &[Slot]) -> Option<String> {
    match att_place(text, slots)? {
        Place::Register(name, _) => Some(name),
        _ => None,
    }
}

/// `$0`, `${0:q}`, `rax`, `1`, `qword ptr [rdi + 4*rcx + 8]`.
fn intel_place(text: &str, slots: &[Slot]) -> Option<Place> {
    const SIZES: [(&str, u32); 5] = [
        ("byte", 8),
        ("word", 16),
        ("dword", 32),
        ("qword", 64),
        ("xmmword", 128),
    ];
    let (size, rest) = match text.split_once(char::is_whitespace) {
        Some((word, rest)) => {
            let size = SIZES
                .iter()
                .find(|(name, _)| word.eq_ignore_ascii_case(name));
            match size {
                Some((_, bits)) => {
                    let rest = rest.trim();
                    let rest = rest.strip_prefix("ptr").or(rest.strip_prefix("PTR"))?;
                    (Some(*bits), rest.trim())
                }
                None => (None, text),
            }
        }
        None => (None, text),
    };
    if let Some(inner) = rest.strip_prefix('[').and_then(|t| t.strip_suffix(']')) {
        return intel_address(inner, slots).map(|address| Place::Memory(address, size));
    }
    if let Some(place) = slot(rest, slots) {
        return Some(match place {
            Place::Memory(address, _) => Place::Memory(address, size),
            other => other,
        });
    }
    if let Some((name, bits)) = register(rest) {
        return Some(Place::Register(name, bits));
    }
    number(rest).map(Place::Number)
}

/// A sum of registers, one of them perhaps with a factor, and numbers.
fn intel_address(text: &str, slots: &[Slot]) -> Option<Address> {
    let mut address = Address::default();
    for term in text.replace('-', "+-").split('+').map(str::trim) {
        if term.is_empty() {
            continue;
        }
        if let Some(offset) = number(term) {
            address.offset = address.offset.checked_add(offset)?;
            continue;
        }
        let (name, scale) = match term.split_once('*') {
            Some((a, b)) => match a.trim().parse() {
                Ok(scale) => (b.trim(), Some(scale)),
                Err(_) => (a.trim(), Some(b.trim().parse().ok()?)),
            },
            None => (term, None),
        };
        let Place::Register(name, _) = intel_place(name, slots)? else {
            return None;
        };
        match scale {
            None if address.base.is_none() => address.base = Some(name),
            _ if address.index.is_none() => address.index = Some((name, scale.unwrap_or(1))),
            _ => return None,
        }
    }
    Some(address)
}

/// `$0`, `${0:q}`: an operand of the template.
fn slot(text: &str, slots: &[Slot]) -> Option<Place> {
    let inner = text.strip_prefix('$')?;
    let (number, modifier) = match inner.strip_prefix('{') {
        Some(braced) => {
            let braced = braced.strip_suffix('}')?;
            braced.split_once(':').unwrap_or((braced, ""))
        }
        None => (inner, ""),
    };
    match slots.get(number.parse::<usize>().ok()?)? {
        Slot::Memory(address) if modifier.is_empty() => {
            let address = Address {
                slot: Some(*address),
                ..Address::default()
            };
            Some(Place::Memory(address, None))
        }
        Slot::Memory(_) => None,
        Slot::Register(name, bits) => {
            let bits = match modifier {
                "" => *bits,
                "b" => 8,
                "w" => 16,
                "k" => 32,
                "q" => 64,
                _ => return None,
            };
            Some(Place::Register(name.clone(), bits))
        }
    }
}

/// A whole number, in decimal or hexadecimal.
fn number(text: &str) -> Option<i64> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits.trim()),
        None => (false, text),
    };
    let value = match digits.strip_prefix("0x").or(digits.strip_prefix("0X")) {
        Some(hexadecimal) => u64::from_str_radix(hexadecimal, 16).ok()?,
        None => digits.parse().ok()?,
    };
    let value = value.cast_signed();
    Some(if negative {
        value.wrapping_neg()
    } else {
        value
    })
}

/// The register of which this names the low bits, and how many: `eax` is 32 bits of `ax`.
pub(super) fn register(name: &str) -> Option<(String, u32)> {
    const OLD: [&str; 8] = ["ax", "bx", "cx", "dx", "si", "di", "bp", "sp"];
    let name = name.to_ascii_lowercase();
    for old in OLD {
        let low = match old {
            "ax" | "bx" | "cx" | "dx" => format!("{}l", &old[..1]),
            _ => format!("{old}l"),
        };
        let bits = match &*name {
            n if n == old => 16,
            n if n == low => 8,
            n if n.strip_prefix('e') == Some(old) => 32,
            n if n.strip_prefix('r') == Some(old) => 64,
            _ => continue,
        };
        return Some((old.to_owned(), bits));
    }
    let digits = name.strip_prefix('r')?;
    let (digits, bits) = match digits.as_bytes().last()? {
        b'b' => (&digits[..digits.len() - 1], 8),
        b'w' => (&digits[..digits.len() - 1], 16),
        b'd' => (&digits[..digits.len() - 1], 32),
        _ => (digits, 64),
    };
    matches!(digits.parse(), Ok(8..=15_u8)).then(|| (format!("r{digits}"), bits))
}

/// `{ax}`, `{rax}`, `{@ccz}`: a register, or a condition, by its name.
pub(super) fn named_register(constraint: &str) -> Option<String> {
    let name = constraint.strip_prefix('{')?.strip_suffix('}')?;
    Some(register(name).map_or_else(|| name.to_owned(), |(name, _)| name))
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

    fn register_slot(bits: u32) -> Slot {
        Slot::Register("$0".to_owned(), bits)
    }

    fn only(template: &str, dialect: Dialect, slots: &[Slot]) -> Statement {
        match lines(template, dialect, slots).expect("understood").pop() {
            Some(Line::Instruction(statement)) => statement,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn both_dialects_mean_the_same() {
        let slots = [register_slot(32)];
        for (att, intel) in [
            ("lock; addl $0, 8(%rdi)", "lock add dword ptr [rdi + 8], $0"),
            ("xchg %rbx, %r8", "xchg r8, rbx"),
            ("mov $$16, ${0:q}", "mov ${0:q}, 0x10"),
            ("lea -8(%rdi,%rcx,4), %rax", "lea rax, [rdi + 4*rcx - 8]"),
            ("setne %cl", "setne cl"),
        ] {
            let (a, b) = (
                only(att, Dialect::Att, &slots),
                only(intel, Dialect::Intel, &slots),
            );
            assert_eq!(a.locked, b.locked, "{att}");
            assert_eq!(a.name.trim_end_matches('l'), b.name, "{att}");
            let strip = |places: Vec<Place>| -> Vec<Place> {
                let strip = |place| match place {
                    Place::Memory(address, _) => Place::Memory(address, None),
                    other => other,
                };
                places.into_iter().map(strip).collect()
            };
            assert_eq!(strip(a.operands), strip(b.operands), "{att}");
        }
    }

    #[test]
    fn lines_have_labels_comments_and_alternatives() {
        let text = "2: $(movl$|mov$) %eax, %ecx # copy\n\t.p2align 4\njne 2b\n.Lend${:uid}:";
        let read = lines(text, Dialect::Att, &[]).expect("understood");
        assert_eq!(read[0], Line::Label("2".to_owned()));
        assert!(matches!(&read[1], Line::Instruction(s) if s.name == "movl"));
        assert!(
            matches!(&read[2], Line::Instruction(s) if s.operands == [Place::Label("2b".to_owned())])
        );
        assert_eq!(read[3], Line::Label(".Lend${:uid}".to_owned()));
    }

    #[test]
    fn what_is_not_understood_is_named() {
        let text = "nop\nvmovdqa %xmm0, %xmm1";
        let refused = lines(text, Dialect::Att, &[]).expect_err("no such register");
        assert_eq!(refused, "vmovdqa %xmm0, %xmm1");
    }

    #[test]
    fn registers_go_by_their_short_names() {
        let named = |name: &str, bits| Some((name.to_owned(), bits));
        assert_eq!(register("rax"), named("ax", 64));
        assert_eq!(register("ECX"), named("cx", 32));
        assert_eq!(register("sil"), named("si", 8));
        assert_eq!(register("r10d"), named("r10", 32));
        assert_eq!(register("r16"), None);
        assert_eq!(register("ah"), None);
        assert_eq!(named_register("{rax}").as_deref(), Some("ax"));
        assert_eq!(named_register("{@ccz}").as_deref(), Some("@ccz"));
        assert_eq!(named_register("q"), None);
    }

    #[test]
    fn numbers_are_decimal_or_hexadecimal() {
        assert_eq!(number("-1"), Some(-1));
        assert_eq!(number("0xffffffffffffffff"), Some(-1));
        assert_eq!(number("rax"), None);
    }
}
