//! What brute force says, and how far Linspect may differ from it.

use linspect_testkit::client::{self, Client};
use linspect_testkit::code::Code;
use linspect_testkit::judge::{Alone, Judge, Wrong};
use linspect_testkit::machine::{Fault, Rules};
use std::collections::BTreeSet;

/// How many states brute force may look at.
pub(crate) const MOST: usize = 40_000;

/// What a client, or a program, must and what it may be called.
#[derive(Debug)]
pub(crate) struct Expected {
    /// It is wrong in these ways, whoever looks. Nothing: it may be right.
    pub(crate) must: BTreeSet<Wrong>,
    /// What it may be called: also what a bad pointer to a cell that was taken again does, and what happens where cells are never taken again.
    pub(crate) may: BTreeSet<Wrong>,
}

/// The rules under which a fault is a fault for everybody, and those under which it may be called one.
fn rules() -> [Rules; 3] {
    let usual = Rules::default();
    let strict = Rules {
        generations: true,
        ..Rules::default()
    };
    let fresh = Rules {
        reuse: false,
        ..Rules::default()
    };
    [usual, strict, fresh]
}

/// Judges by brute force.
pub(crate) struct Oracle<'a> {
    pub(crate) code: &'a Code<'a>,
    pub(crate) judges: Vec<Judge<'a>>,
}

impl<'a> Oracle<'a> {
    pub(crate) fn new(code: &'a Code<'a>) -> Self {
        let has_heap = code.module.roots > 0;
        let rules = rules().into_iter().take(if has_heap { 3 } else { 1 });
        Self {
            code,
            judges: rules.map(|r| Judge::new(code, r, MOST)).collect(),
        }
    }

    /// Whether some operation works on a new object: otherwise Linspect says that it was not built.
    pub(crate) fn is_built(&mut self) -> bool {
        let calls = client::calls(self.code.module);
        let works = |call| matches!(self.judges[0].alone(call), Alone::Returns(_));
        calls.iter().any(works)
    }

    /// Nothing if it is too large, means nothing, or what comes before the threads does not end.
    pub(crate) fn expect(&mut self, client: &Client) -> Option<Expected> {
        let must = self.judges[0].judge(client)?;
        let mut may = must.clone();
        for judge in &mut self.judges[1..] {
            may.extend(judge.judge(client)?);
        }
        if may.contains(&Wrong::Fault(Fault::UseAfterFree)) {
            // Who takes a cell again writes it first, beside those who still use it.
            may.insert(Wrong::Fault(Fault::Race));
        }
        let means_something = !may.contains(&Wrong::Fault(Fault::Meaningless));
        means_something.then_some(Expected { must, may })
    }
}
