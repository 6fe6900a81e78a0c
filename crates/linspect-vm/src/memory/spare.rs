//! Blocks whose life is over, kept for the next ones: local variables come and go with every call.

use super::Block;
use std::cell::RefCell;
use std::rc::Rc;

/// How many are kept.
const MOST: usize = 64;

/// Blocks that nobody has any more.
#[derive(Debug, Default)]
pub(super) struct Spare(RefCell<Vec<Rc<Block>>>);

impl Spare {
    /// A place for `block`.
    #[inline]
    pub(super) fn take(&self, block: Block) -> Rc<Block> {
        let Some(mut spare) = self.0.borrow_mut().pop() else {
            return Rc::new(block);
        };
        match Rc::get_mut(&mut spare) {
            Some(place) => {
                *place = block;
                spare
            }
            None => Rc::new(block),
        }
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
