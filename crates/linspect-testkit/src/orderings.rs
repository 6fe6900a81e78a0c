//! What a file of `corpus/orderings` expects: the changes that repair it, as its last lines say.
//!
//! `// repair: 12 Relaxed → Release` is a change in line 12. A failed exchange stands last on its line, all others first.

/// A changed line: its number, and the orderings before and after.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderingChange {
    /// The line, from 1.
    pub line: usize,
    /// What is written there.
    pub from: String,
    /// What should be.
    pub to: String,
}

/// The changes that `text` expects.
pub fn expected(text: &str) -> Vec<OrderingChange> {
    let lines = text.lines();
    let changes = lines.filter_map(|line| line.strip_prefix("// repair: "));
    let changes = changes.map(|change| {
        let words: Vec<&str> = change.split_whitespace().collect();
        match words[..] {
            [line, from, "→", to] => OrderingChange {
                line: line.parse().expect("the number of a line"),
                from: from.to_owned(),
                to: to.to_owned(),
            },
            _ => panic!("not a change: {change}"),
        }
    });
    changes.collect()
}

/// `text` with these changes made.
pub fn repaired(text: &str, changes: &[OrderingChange]) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for change in changes {
        let line = &mut lines[change.line - 1];
        *line = line.replacen(&change.from, &change.to, 1);
    }
    lines.join("\n")
}

/// Which of `changes` to the file called `name` the first set that `advice` names lacks, or what it has beside them.
pub fn difference(advice: &str, name: &str, changes: &[OrderingChange]) -> Vec<String> {
    let told = advice.split(" Checked:").next().unwrap_or_default();
    let best = told.split("; or: ").next().unwrap_or_default();
    let mut wrong = Vec::new();
    for OrderingChange { line, from, to } in changes {
        let place = format!("{name}:{line} ");
        let change = format!("`{from}` → `{to}`");
        let is_it = |part: &str| part.contains(&place) && part.contains(&change);
        if !best.split("; ").any(is_it) {
            wrong.push(format!("{place}{change} is missing"));
        }
    }
    let named = best.matches(" → ").count();
    if named != changes.len() {
        wrong.push(format!("{named} changes instead of {}", changes.len()));
    }
    wrong
}
