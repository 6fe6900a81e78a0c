//! What all runs of a program begin with is made once: globals in their places, and the object as its constructor leaves it, or `main` before its first step.
//!
//! Nothing that a client decides comes before that, so it is the same each time. States are shared within one thread only, so each thread makes its own.

use super::{State, Vm};
use crate::image::Image;
use crate::program::FunctionId;
use crate::settings::Settings;
use linspect_core::execution::Fault;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::{Arc, Weak};

/// How many are kept: those of an object, of its model, and of either under other settings, and the globals that they begin with.
const MOST: usize = 6;

/// Larger states are made anew, because whoever keeps them keeps their memory.
const MOST_MEMORY: u64 = 1 << 24;

/// What is run before a client decides anything.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Beginning {
    /// Nothing: the globals are in their places.
    Globals,
    /// The constructors of the program, and that of the object.
    Object(Option<FunctionId>),
    /// The constructors, and this `main` up to its first step.
    Main(FunctionId),
}

struct Prepared {
    image: Weak<Image>,
    settings: Arc<Settings>,
    beginning: Beginning,
    state: Rc<State>,
    instructions: u64,
}

thread_local! {
    /// Last used last.
    static PREPARED: RefCell<Vec<Prepared>> = const { RefCell::new(Vec::new()) };
}

impl Vm {
    /// Brings a machine in which nothing has run to where `run` brings it, which is the same each time for one `beginning`.
    pub(super) fn prepare(
        &mut self,
        beginning: Beginning,
        run: impl FnOnce(&mut Self) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        if self.take_prepared(beginning) {
            return Ok(());
        }
        run(self)?;
        let mut state = State::clone(&self.state);
        let has_own_threads = state.world.ended.len() > self.clients;
        let fits_others = match beginning {
            // Threads of the object have numbers after those of the client, and other clients have more or fewer.
            Beginning::Object(_) => !has_own_threads,
            Beginning::Globals | Beginning::Main(_) => true,
        };
        if fits_others && state.memory.used() <= MOST_MEMORY {
            state.memory.part();
            let prepared = Prepared {
                image: Arc::downgrade(&self.image),
                settings: Arc::clone(&self.settings),
                beginning,
                state: Rc::new(state),
                instructions: self.instructions,
            };
            PREPARED.with_borrow_mut(|all| {
                all.retain(|p| p.image.strong_count() > 0);
                if all.len() == MOST {
                    all.remove(0);
                }
                all.push(prepared);
            });
        }
        Ok(())
    }

    /// Begins with what was made before, if it was.
    fn take_prepared(&mut self, beginning: Beginning) -> bool {
        PREPARED.with_borrow_mut(|all| {
            let is_this = |p: &Prepared| {
                p.beginning == beginning
                    && std::ptr::eq(p.image.as_ptr(), Arc::as_ptr(&self.image))
                    && (Arc::ptr_eq(&p.settings, &self.settings) || p.settings == self.settings)
            };
            let Some(at) = all.iter().position(is_this) else {
                return false;
            };
            let prepared = all.remove(at);
            let mut state = State::clone(&prepared.state);
            state.memory.part();
            if let Beginning::Object(_) = beginning {
                Rc::make_mut(&mut state.world).ended = vec![None; self.clients];
            }
            self.state = Rc::new(state);
            self.instructions = prepared.instructions;
            all.push(prepared);
            true
        })
    }
}
