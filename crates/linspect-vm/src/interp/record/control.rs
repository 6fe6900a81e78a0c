//! Where the branches of a function come together again: immediate post-dominators, by the iteration of Cooper, Harvey and Kennedy,
//! *A Simple, Fast Dominance Algorithm*, on the reversed control flow.
//!
//! Ways that end in an abort or an exception do not count: code after an assertion is no part of the assertion's scope. What follows a loop is only
//! reached because the loop ended, so the condition that ended it is one for all that follows (Podgurski and Clarke's weak control dependence).

use crate::program::{EdgeId, Function, Inst, Pc};
use rustc_hash::FxHashMap;

/// Per branch or switch, by its place in the code: where all its ways to a return meet, and which way ends a loop.
#[derive(Debug)]
pub(super) struct Joins {
    joins: Vec<Option<Pc>>,
    /// Branches that end a loop if their condition is this.
    ends: FxHashMap<Pc, bool>,
}

impl Joins {
    pub(super) fn of(function: &Function) -> Self {
        let blocks = Blocks::of(function);
        let dominators = blocks.post_dominators();
        let mut joins = vec![None; function.code.len()];
        for (block, &last) in blocks.last.iter().enumerate() {
            if matches!(
                function.code[last as usize],
                Inst::Branch { .. } | Inst::Switch { .. }
            ) {
                joins[last as usize] = dominators[block]
                    .filter(|&d| d < blocks.first.len())
                    .map(|d| blocks.first[d]);
            }
        }
        let mut ends = FxHashMap::default();
        for (block, &last) in blocks.last.iter().enumerate() {
            if let (Inst::Branch { .. }, &[yes, no]) =
                (&function.code[last as usize], &blocks.next[block][..])
            {
                match (blocks.leads(yes, block), blocks.leads(no, block)) {
                    (false, true) => ends.insert(last, true),
                    (true, false) => ends.insert(last, false),
                    _ => None,
                };
            }
        }
        Self { joins, ends }
    }

    /// Whether the branch at `pc`, decided like this, ends a loop.
    pub(super) fn ends_loop(&self, pc: Pc, condition: bool) -> bool {
        self.ends.get(&pc) == Some(&condition)
    }

    /// Where the ways from the branch at `pc` meet; `None` if only at the end of the function, or never.
    pub(super) fn at(&self, pc: Pc) -> Option<Pc> {
        self.joins.get(pc as usize).copied().flatten()
    }
}

/// The blocks of a function in order. The number of blocks stands for the function's end.
struct Blocks {
    first: Vec<Pc>,
    last: Vec<Pc>,
    next: Vec<Vec<usize>>,
}

impl Blocks {
    fn of(function: &Function) -> Self {
        let mut first: Vec<Pc> = vec![0];
        let mut last = Vec::new();
        for (pc, inst) in (0..).zip(&function.code) {
            if successors(function, inst).is_some() {
                last.push(pc);
                first.push(pc + 1);
            }
        }
        first.truncate(last.len());
        let block_at = |pc: Pc| first.partition_point(|&f| f <= pc) - 1;
        let next = last
            .iter()
            .map(|&pc| {
                let inst = &function.code[pc as usize];
                if matches!(inst, Inst::Return { .. }) {
                    return vec![last.len()];
                }
                let targets = successors(function, inst).unwrap_or_default();
                targets.into_iter().map(block_at).collect()
            })
            .collect();
        Self { first, last, next }
    }

    /// Whether control can come from one block to another.
    fn leads(&self, from: usize, to: usize) -> bool {
        let mut seen = vec![false; self.first.len() + 1];
        let mut pending = vec![from];
        while let Some(block) = pending.pop() {
            if block == to {
                return true;
            }
            if !std::mem::replace(&mut seen[block], true) {
                pending.extend(self.next.get(block).into_iter().flatten());
            }
        }
        false
    }

    fn post_dominators(&self) -> Vec<Option<usize>> {
        let end = self.first.len();
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); end + 1];
        for (block, next) in self.next.iter().enumerate() {
            for &n in next {
                before[n].push(block);
            }
        }
        let order = reverse_postorder(end, &before);
        let mut rank = vec![usize::MAX; end + 1];
        for (i, &block) in order.iter().enumerate() {
            rank[block] = i;
        }
        let mut dominator: Vec<Option<usize>> = vec![None; end + 1];
        dominator[end] = Some(end);
        let mut changed = true;
        while changed {
            changed = false;
            for &block in &order[1..] {
                let known = self.next[block]
                    .iter()
                    .copied()
                    .filter(|&n| dominator[n].is_some());
                let new = known.reduce(|mut a, mut b| {
                    while a != b {
                        while rank[a] > rank[b] {
                            a = dominator[a].unwrap_or(end);
                        }
                        while rank[b] > rank[a] {
                            b = dominator[b].unwrap_or(end);
                        }
                    }
                    a
                });
                if new != dominator[block] {
                    dominator[block] = new;
                    changed = true;
                }
            }
        }
        dominator
    }
}

/// The blocks that lead to `root`, each after those it leads to where there is no loop.
fn reverse_postorder(root: usize, before: &[Vec<usize>]) -> Vec<usize> {
    let mut seen = vec![false; before.len()];
    let mut order = Vec::new();
    let mut stack = vec![(root, 0)];
    seen[root] = true;
    while let Some((block, at)) = stack.pop() {
        match before[block].get(at) {
            None => order.push(block),
            Some(&earlier) => {
                stack.push((block, at + 1));
                if !std::mem::replace(&mut seen[earlier], true) {
                    stack.push((earlier, 0));
                }
            }
        }
    }
    order.reverse();
    order
}

/// Where control can go after the last instruction of a block; `None` if the instruction is none.
fn successors(function: &Function, inst: &Inst) -> Option<Vec<Pc>> {
    let target = |edge: EdgeId| function.edges.get(edge as usize).map(|e| e.target);
    Some(match inst {
        Inst::Jump { edge } => target(*edge).into_iter().collect(),
        Inst::Branch {
            then, otherwise, ..
        } => [*then, *otherwise].into_iter().filter_map(target).collect(),
        Inst::Switch { table, .. } => {
            let table = &function.switches[*table as usize];
            let cases = table.cases.iter().map(|c| c.1);
            cases.chain([table.default]).filter_map(target).collect()
        }
        Inst::Return { .. }
        | Inst::Unreachable { .. }
        | Inst::Resume { .. }
        | Inst::Unsupported { .. } => Vec::new(),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{Edge, Operand};

    fn function(code: Vec<Inst>, targets: &[Pc]) -> Function {
        let edge = |&target| Edge {
            target,
            first_copy: 0,
            copies: 0,
        };
        Function {
            code,
            edges: targets.iter().map(edge).collect(),
            ..Function::default()
        }
    }

    fn end() -> Inst {
        Inst::Return {
            value: Operand::reg(0),
            count: 0,
        }
    }

    fn branch(then: EdgeId, otherwise: EdgeId) -> Inst {
        Inst::Branch {
            cond: Operand::reg(0),
            then,
            otherwise,
        }
    }

    /// `if (a) { if (b) x; else abort(); } y;` and a loop around nothing.
    #[test]
    fn branches_join_where_all_returning_ways_meet() {
        let f = function(
            vec![
                branch(0, 2),
                branch(1, 3),
                Inst::Jump { edge: 2 },
                Inst::Unreachable { trap: false },
                branch(2, 4),
                end(),
            ],
            &[1, 2, 4, 3, 5],
        );
        let joins = Joins::of(&f);
        assert_eq!(joins.at(0), Some(4), "both ways go on at the loop");
        assert_eq!(joins.at(1), Some(2), "the other way aborts");
        assert_eq!(joins.at(4), Some(5), "a loop ends behind it");
        assert_eq!(joins.at(2), None, "a jump is no branch");
        assert!(joins.ends_loop(4, false) && !joins.ends_loop(4, true));
        assert!(!joins.ends_loop(0, true) && !joins.ends_loop(0, false));
    }

    #[test]
    fn a_branch_between_two_returns_joins_nowhere() {
        let f = function(vec![branch(0, 1), end(), end()], &[1, 2]);
        assert_eq!(Joins::of(&f).at(0), None);
        let endless = function(vec![branch(0, 1), Inst::Jump { edge: 2 }], &[1, 0, 0]);
        assert_eq!(Joins::of(&endless).at(0), None);
    }
}
