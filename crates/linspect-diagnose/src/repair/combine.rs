//! One repair for many failing classes (Section 4.2 of the paper): the optimal ways to choose one eliminator per class and merge them.

use super::section::{Sections, optimal};

/// The optimal sets of sections that eliminate every class; each class comes with its own optimal sections.
///
/// A class without any eliminator has none here either: then no set of sections repairs it. At most `limit` sets are kept on the way, smallest first; the flag says whether some were
/// dropped.
pub fn combine(classes: &[Vec<Sections>], limit: usize) -> (Vec<Sections>, bool) {
    let mut current = vec![Sections::default()];
    let mut dropped = false;
    for class in classes {
        let mut next = Vec::new();
        for repair in current {
            if eliminates(&repair, class) {
                next.push(repair);
            } else {
                next.extend(class.iter().map(|sections| repair.union(sections)));
            }
        }
        current = optimal(next);
        current.sort_by_key(size);
        dropped |= current.len() > limit;
        current.truncate(limit);
    }
    (current, dropped)
}

/// Whether `repair` rules out the class with these optimal sections.
pub fn eliminates(repair: &Sections, class: &[Sections]) -> bool {
    class.iter().any(|sections| repair.subsumes(sections))
}

fn size(sections: &Sections) -> (usize, u32) {
    let lines = sections.iter().map(|s| s.last - s.first + 1).sum();
    (sections.iter().count(), lines)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repair::section::Section;
    use std::sync::Arc;

    fn lines(ranges: &[(u32, u32)]) -> Sections {
        Sections::merge(ranges.iter().map(|&(first, last)| Section {
            file: Arc::from("f"),
            function: Arc::from("f"),
            first,
            last,
        }))
    }

    #[test]
    fn one_section_may_serve_several_classes() {
        let classes = [
            vec![lines(&[(1, 2)]), lines(&[(7, 8)])],
            vec![lines(&[(2, 3)]), lines(&[(7, 9)])],
        ];
        let (found, dropped) = combine(&classes, 100);
        assert!(!dropped);
        // 1–2 and 2–3 overlap and become one; 7–9 serves both, so 1–2 beside it is not optimal; 2–3 and 7–8 take a class each.
        let expected = [lines(&[(1, 3)]), lines(&[(7, 9)]), lines(&[(2, 3), (7, 8)])];
        assert_eq!(found, expected);
    }

    #[test]
    fn where_not_all_can_be_kept_the_smallest_are() {
        let (large, small) = (lines(&[(1, 9)]), lines(&[(10, 11)]));
        let two = lines(&[(20, 20), (30, 30)]);
        let classes = [vec![large.clone(), small.clone(), two.clone()]];
        assert_eq!(combine(&classes, 1), (vec![small.clone()], true));
        // One section before two, however few lines these have.
        assert_eq!(
            combine(&classes, 2),
            (vec![small.clone(), large.clone()], true)
        );
        assert_eq!(combine(&classes, 3), (vec![small, large, two], false));
    }

    #[test]
    fn what_cannot_be_eliminated_has_no_repair() {
        let (found, _) = combine(&[vec![lines(&[(1, 2)])], vec![]], 100);
        assert!(found.is_empty());
    }
}
