//! What threads hand to each other through an object: whoever takes something out must come after whoever put it in, as if the one had written a plain
//! variable before and the other read it afterwards.
//!
//! A value may have several who added it: its taker comes after one of them. Permits, of which a lock is one, are counted: each comes from the stock that
//! was there before, or from one who gave it back and comes before its taker, and no two takers have the same. So takers and givers are matched, permit by permit, as
//! in a maximum flow (Ford and Fulkerson, 1956).

use linspect_core::defect::{Handed, Race, Racer};
use linspect_core::schedule::ThreadId;

/// What was handed over so far in a run.
#[derive(Default)]
pub(crate) struct HandOvers {
    /// Permits of the stock that nobody has taken.
    stock: u64,
    added: Vec<Added>,
    takers: Vec<Taker>,
    /// What was taken by somebody who does not come after whoever added it.
    pub(crate) unordered: Vec<Race>,
}

/// Something that was added to the object.
struct Added {
    step: usize,
    thread: ThreadId,
    time: u32,
    handed: Handed,
    /// The permits in it that nobody has taken.
    left: u64,
}

/// Somebody who takes permits.
struct Taker {
    /// How many it has from the stock.
    stock: u64,
    /// Who comes before it, as indices of what was added, and how many permits it has from each.
    givers: Vec<(usize, u64)>,
}

impl HandOvers {
    /// Nothing was handed over yet, and there are `stock` permits.
    pub(crate) fn new(stock: u64) -> Self {
        Self {
            stock,
            ..Self::default()
        }
    }

    /// `thread` adds something at `step`, by an operation that it calls at its moment `time`.
    pub(crate) fn add(&mut self, step: usize, thread: ThreadId, time: u32, handed: Handed) {
        self.added.push(Added {
            step,
            thread,
            time,
            left: handed.goods.permits().unwrap_or(0),
            handed,
        });
    }

    /// Somebody took something out at `step`. `seen` says up to which moment of each thread it comes after it.
    pub(crate) fn take(&mut self, step: usize, handed: Handed, seen: impl Fn(ThreadId) -> u32) {
        let is_before = |added: &Added| seen(added.thread) >= added.time;
        let giver = match handed.goods.permits() {
            None => self.giver_of_value(&handed, is_before),
            Some(wanted) => self.giver_of_permits(wanted, is_before),
        };
        let Some(giver) = giver.map(|index| &self.added[index]) else {
            return;
        };
        let race = Race {
            first: (giver.step, Racer::HandOver(giver.handed.clone())),
            second: (step, Racer::HandOver(handed)),
        };
        if !self.unordered.iter().any(|r| r.places() == race.places()) {
            self.unordered.push(race);
        }
    }

    /// Who added a value, if none of those who did so comes before whoever takes it.
    fn giver_of_value(&self, taken: &Handed, is_before: impl Fn(&Added) -> bool) -> Option<usize> {
        let same = |added: &Added| added.handed.goods == taken.goods;
        let ordered = |added: &Added| same(added) && is_before(added);
        match self.added.iter().any(ordered) {
            true => None,
            false => self.added.iter().position(same),
        }
    }

    /// Who gave back permits that somebody else must have, because those who come before it have given too few.
    fn giver_of_permits(
        &mut self,
        wanted: u64,
        is_before: impl Fn(&Added) -> bool,
    ) -> Option<usize> {
        let before = |index: &usize| is_before(&self.added[*index]);
        let givers = (0..self.added.len()).filter(before).map(|index| (index, 0));
        let taker = self.takers.len();
        self.takers.push(Taker {
            stock: 0,
            givers: givers.collect(),
        });
        let mut lacking = wanted;
        while lacking > 0 {
            let mut asked = vec![false; self.takers.len()];
            match self.supply(taker, lacking, &mut asked) {
                0 => break,
                got => lacking -= got,
            }
        }
        // Where nobody gave back what it has, permits were made out of nothing. The specification says so.
        let unordered = |added: &Added| added.left > 0 && !is_before(added);
        match lacking {
            0 => None,
            _ => self.added.iter().rposition(unordered),
        }
    }

    /// Gives `taker` up to `wanted` permits, and says how many it got. What others have is taken from them if they get as much elsewhere; whoever is `asked` for that is
    /// not asked again.
    fn supply(&mut self, taker: usize, wanted: u64, asked: &mut [bool]) -> u64 {
        asked[taker] = true;
        let mut lacking = wanted;
        let free = self.stock.min(lacking);
        self.stock -= free;
        self.takers[taker].stock += free;
        lacking -= free;
        for at in 0..self.takers[taker].givers.len() {
            let giver = self.takers[taker].givers[at].0;
            let free = self.added[giver].left.min(lacking);
            self.added[giver].left -= free;
            self.takers[taker].givers[at].1 += free;
            lacking -= free;
        }
        for other in 0..self.takers.len() {
            if lacking == 0 {
                break;
            }
            if asked[other] {
                continue;
            }
            let held = self.takers[other].stock.min(lacking);
            if held > 0 {
                let moved = self.supply(other, held, asked);
                self.takers[other].stock -= moved;
                self.takers[taker].stock += moved;
                lacking -= moved;
                continue;
            }
            let shared = self.shared(taker, other);
            if let Some((mine, theirs)) = shared {
                let held = self.takers[other].givers[theirs].1.min(lacking);
                let moved = self.supply(other, held, asked);
                self.takers[other].givers[theirs].1 -= moved;
                self.takers[taker].givers[mine].1 += moved;
                lacking -= moved;
            }
        }
        wanted - lacking
    }

    /// A giver that comes before both takers and of which `other` has permits: where it stands with each.
    fn shared(&self, taker: usize, other: usize) -> Option<(usize, usize)> {
        let mine = &self.takers[taker].givers;
        let theirs = self.takers[other].givers.iter().enumerate();
        let mut held = theirs.filter(|(_, (_, held))| *held > 0);
        held.find_map(|(theirs, (giver, _))| {
            let mine = mine.iter().position(|(own, _)| own == giver)?;
            Some((mine, theirs))
        })
    }
}
