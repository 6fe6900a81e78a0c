//! What a search on a row goes by that looks ahead: a guess, how elements stand, and which of them somebody needs later.

use super::Op;
use super::guess::Guess;
use super::outlook::Outlook;
use super::row::{Change, Deed, Deeds, Row, Seen};
use super::two_ends::TwoEnds;
use crate::spec::{Spec, Tip};

/// What a search goes by that looks ahead.
pub(super) struct Foresight {
    pub(super) guess: Guess,
    /// When it is time for another guess, in steps.
    pub(super) until: u64,
    ahead: Ahead,
    /// Whether it turned back for what it saw ahead.
    pub(super) turned_back: bool,
    /// How often it looked ahead and how often it turned back for it.
    looks: u64,
    turns: u64,
    /// Per element, how many there are and will be put in, less those that somebody takes out for certain.
    spare: Vec<i32>,
    /// Per operation, by position, whether it was counted there.
    is_counted: Vec<bool>,
}

enum Ahead {
    Line(Outlook),
    TwoEnds(TwoEnds),
}

/// Who looked ahead so often and turned back less than once in `WORTH` times looks no more: where values repeat, there is little to see.
const LOOKS: u64 = 256;
const WORTH: u64 = 16;

impl Foresight {
    /// What there is to know of `ops`, which do these deeds.
    pub(super) fn new<S: Spec>(deeds: &Deeds, ops: &[Op<'_, S>]) -> Self {
        let is_line = deeds.of.iter().all(|deed| {
            !matches!(
                deed,
                Deed::Put(Tip::Front, ..) | Deed::Take(Tip::Back, _) | Deed::Look(Tip::Back, _)
            )
        });
        let mut spare = vec![0; deeds.elements];
        let mut is_counted = vec![false; ops.len()];
        for (i, (&deed, op)) in deeds.of.iter().zip(ops).enumerate() {
            match deed {
                Deed::Put(_, element, None | Some(true)) => spare[element as usize] += 1,
                Deed::Take(_, Seen::This(element)) if !op.is_optional() => {
                    spare[element as usize] -= 1;
                    is_counted[i] = true;
                }
                _ => {}
            }
        }
        Self {
            guess: Guess::new(ops),
            until: 0,
            ahead: match is_line {
                true => Ahead::Line(Outlook::new(deeds, ops)),
                false => Ahead::TwoEnds(TwoEnds::new(deeds, ops)),
            },
            turned_back: false,
            looks: 0,
            turns: 0,
            spare,
            is_counted,
        }
    }

    /// Counts an element that was taken and was not counted, `times` times.
    pub(super) fn count(&mut self, position: u32, change: Change, times: i32) {
        if let Change::Takes(_, element) = change
            && !self.is_counted[position as usize]
        {
            self.spare[element as usize] -= times;
        }
    }

    /// Whether nobody else needs what is taken.
    pub(super) fn takes_a_spare(&self, position: u32, change: Change) -> bool {
        match change {
            Change::Takes(_, element) if !self.is_counted[position as usize] => {
                self.spare[element as usize] > 0
            }
            _ => true,
        }
    }

    /// Whether there may be a way on where elements stand like this, when of the operations called so far (`called` many) those at positions
    /// `not_yet` did not take effect.
    pub(super) fn fits<I: Iterator<Item = u32>>(
        &mut self,
        row: &Row,
        not_yet: impl Fn() -> I,
        called: u32,
    ) -> bool {
        if self.looks >= LOOKS && self.turns < self.looks / WORTH {
            return true;
        }
        let fits = match &mut self.ahead {
            Ahead::Line(line) => line.fits(row.iter(), not_yet(), called),
            Ahead::TwoEnds(ends) => ends.fits(row.iter(), not_yet(), called),
        };
        self.looks += 1;
        self.turns += u64::from(!fits);
        fits
    }
}
