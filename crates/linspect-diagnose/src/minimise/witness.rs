//! Orders of effects of whole histories, put together from those of their independent parts.

use linspect_core::check::{Question, Unlimited};
use linspect_core::history::{History, OpId, Time};
use linspect_core::spec::Spec;
use linspect_core::verdict::Criterion;

/// An order in which the operations of `history` can have taken effect; pending ones only where that is needed. `None` if there is none.
pub fn witness<S: Spec>(history: &History, spec: &S) -> Option<Vec<OpId>> {
    let question = Question::new(history, spec, Criterion::Linearizable).ok()?;
    let mut points: Vec<(Time, usize, usize, OpId)> = Vec::new();
    for part in 0..question.parts().len() {
        let mut now = 0;
        for (at, placed) in question.order(part, &Unlimited)?.iter().enumerate() {
            // As early as it can be: parts are ordered by time alone (Herlihy and Wing: linearizability is local).
            now = now.max(history.operations[placed.operation as usize].call);
            points.push((now, part, at, placed.operation));
        }
    }
    points.sort_unstable();
    Some(points.into_iter().map(|p| p.3).collect())
}

#[cfg(test)]
mod tests {
    use super::witness;
    use linspect_core::history::History;
    use linspect_core::spec::Set;

    #[test]
    fn parts_are_woven_by_time() {
        let mut history = History::new();
        // 1 was added late in a long call, after 2.
        history.push(0, "add", 1, true, 1, 20);
        history.push(1, "contains", 1, false, 2, 3);
        history.push(1, "add", 2, true, 4, 5);
        history.push(1, "contains", 1, false, 6, 7);
        history.push(1, "remove", 1, true, 8, 9);
        assert_eq!(witness(&history, &Set), Some(vec![1, 2, 3, 0, 4]));
        history.push(1, "contains", 2, false, 10, 11);
        assert_eq!(witness(&history, &Set), None);
    }
}
