//! Which words of an argument speak of which operation.

use crate::finding::{Because, History};

/// A run of text, and the operation that it names.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Piece<'a> {
    pub(crate) text: &'a str,
    pub(crate) operation: Option<u32>,
}

/// `line` cut into pieces, so that each operation it names can be linked to where it stands.
///
/// Operations are looked for in the order of the text, written with their result or without.
pub(crate) fn pieces<'a>(line: &'a Because, history: &History) -> Vec<Piece<'a>> {
    let mut pieces = Vec::new();
    let mut rest = line.text.as_str();
    for &id in &line.operations {
        let Some(op) = history.get(id) else { continue };
        let found = [op.to_string(), op.call_text()]
            .into_iter()
            .filter_map(|name| Some((rest.find(&name)?, name.len())))
            .min_by_key(|&(at, len)| (at, usize::MAX - len));
        let Some((at, len)) = found else { continue };
        let (mut before, mut after) = (&rest[..at], &rest[at + len..]);
        // Marked as an operation in the text already; here its look says so.
        if let (Some(b), Some(a)) = (before.strip_suffix('`'), after.strip_prefix('`')) {
            (before, after) = (b, a);
        }
        if !before.is_empty() {
            pieces.push(Piece {
                text: before,
                operation: None,
            });
        }
        pieces.push(Piece {
            text: &rest[at..at + len],
            operation: Some(id),
        });
        rest = after;
    }
    if !rest.is_empty() {
        pieces.push(Piece {
            text: rest,
            operation: None,
        });
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Checked, Finding};
    use linspect_core::history::History as CoreHistory;
    use linspect_core::value::Value;
    use linspect_core::verdict::{Criterion, Verdict};

    #[test]
    fn operations_are_found_in_the_order_of_the_text() {
        let mut history = CoreHistory::new();
        history.push(0, "deq", Value::Unit, 1, 1, 2);
        history.push(1, "deq", Value::Unit, 2, 3, 4);
        let checked = Checked::new("x", "queue", Criterion::Linearizable);
        let finding = Finding::of_history(&history, &Verdict::Holds(None), checked);
        let line = Because {
            text: "`deq() → 2` came after deq() and more".into(),
            operations: vec![1, 0],
        };
        let got: Vec<_> = pieces(&line, &finding.history)
            .iter()
            .map(|piece| (piece.text, piece.operation))
            .collect();
        assert_eq!(
            got,
            [
                ("deq() → 2", Some(1)),
                (" came after ", None),
                ("deq()", Some(0)),
                (" and more", None)
            ]
        );
    }
}
