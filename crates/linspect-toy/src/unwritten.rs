//! Reads of cells that nobody writes, which are no steps if the machine is told so.

use crate::machine::{MAX_THREADS, ToyMachine, location};
use crate::program::Expression;
use crate::thread::{Thread, Waiting};
use linspect_core::unwritten::Unwritten;
use std::sync::Arc;

/// How much a thread reads without a step between two steps.
const MOST_UNSEEN: u8 = 16;

impl ToyMachine {
    /// Whether a read of `at` is no step.
    pub(super) fn reads_unseen(&self, thread: &Thread, at: &Expression) -> bool {
        let is_unwritten = |unwritten: &Arc<Unwritten>| {
            let at = thread.eval(at);
            self.check(thread, at).is_ok() && unwritten.contains(&location(at))
        };
        thread.unseen < MOST_UNSEEN
            && thread.woken == Waiting::No
            && usize::from(thread.id) < MAX_THREADS
            && self.unwritten.as_ref().is_some_and(is_unwritten)
    }

    /// Lets threads that stand before a read which is no step any more run on.
    pub(super) fn pass_unseen(&mut self) {
        if self.unwritten.is_none() {
            return;
        }
        for slot in 0..self.state.threads.len() {
            let mut thread = self.state.threads[slot].clone();
            // What goes wrong after such a read goes wrong after a step, too.
            if thread.woken == Waiting::No && self.run_local(&mut thread).is_ok() {
                self.state.threads[slot] = thread;
            }
        }
    }
}

/// After the end of a round of a spin loop: whoever goes round is seen to do so.
pub(super) fn show_round(thread: &mut Thread) {
    if thread.unseen > 0 {
        thread.unseen = MOST_UNSEEN;
    }
}
