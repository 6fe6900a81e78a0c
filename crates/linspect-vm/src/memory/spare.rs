//! Blocks whose life is over, kept for the next ones: local variables come and go with every call.

use super::{Block, Kind, Lane};
use crate::program::SiteId;
use std::cell::RefCell;
use std::rc::Rc;

/// How many are kept.
const MOST: usize = 64;

/// Blocks that nobody has any more.
#[derive(Debug, Default)]
pub(super) struct Spare(RefCell<Vec<Rc<Block>>>);

impl Spare {
    /// A new block, in the place of one that was kept if there is any.
    #[inline]
    pub(super) fn make(
        &self,
        kind: Kind,
        size: usize,
        written: bool,
        site: SiteId,
        lane: Lane,
    ) -> Rc<Block> {
        if let Some(mut spare) = self.0.borrow_mut().pop()
            && let Some(place) = Rc::get_mut(&mut spare)
        {
            place.renew(kind, size, written, site, lane);
            return spare;
        }
        Rc::new(Block::new(kind, size, written, site, lane))
    }

    /// Keeps `block` if nobody else has it and it is small.
    #[inline]
    pub(super) fn give(&self, block: Rc<Block>) {
        let mut spare = self.0.borrow_mut();
        if spare.len() < MOST && Rc::strong_count(&block) == 1 && !block.bytes.spilled() {
            spare.push(block);
        }
    }
}
