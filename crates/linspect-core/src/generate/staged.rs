//! The few calls, one after the other, in which a fault happens.
//!
//! The first that looks at the object sees it before a change, the second after it. A lost change, a second look that sees what the
//! first saw, or looks that exchange what they saw cannot be explained by any order of effects: nobody else uses
//! these values or makes calls at the time.

use super::menu::Menu;
use crate::value::Value;

/// A call.
pub(super) struct Step {
    pub(super) client: u32,
    pub(super) method: &'static str,
    pub(super) argument: Value,
    pub(super) part: Part,
}

/// What a call has to do with the fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Prepares,
    /// Looks before the change.
    Before,
    Changes,
    /// Looks after the change.
    After,
}

impl Step {
    pub(super) fn new(client: u32, method: &'static str, argument: Value) -> Self {
        Self {
            client,
            method,
            argument,
            part: Part::Prepares,
        }
    }

    fn that(self, part: Part) -> Self {
        Self { part, ..self }
    }
}

/// The calls for the object of `menu`, which must be empty if it is a container.
pub(super) fn steps(menu: &mut Menu) -> Vec<Step> {
    use Part::{After, Before, Changes};
    let step = Step::new;
    if let Some((put, take, is_ordered)) = menu.container() {
        let (first, second) = (menu.unused(), menu.unused());
        let put_first = step(0, put, first);
        let put_second = step(0, put, second).that(Changes);
        let take_first = step(1, take, Value::Unit).that(Before);
        let take_second = step(1, take, Value::Unit).that(After);
        return if is_ordered {
            vec![put_first, put_second, take_first, take_second]
        } else {
            vec![put_first, take_first, put_second, take_second]
        };
    }
    if let Some((acquire, try_acquire, release)) = menu.lock() {
        let mut steps = vec![
            step(0, try_acquire, Value::Unit).that(Before),
            step(0, release, Value::Unit),
            step(0, acquire, Value::Unit).that(Changes),
            step(1, try_acquire, Value::Unit).that(After),
            step(0, release, Value::Unit),
        ];
        if menu.knows_owners() {
            // Only who has it can give it back, and the others are refused.
            steps.push(step(1, release, Value::Unit));
        }
        return steps;
    }
    let (look, at) = menu.look();
    let mut steps = Vec::new();
    for part in [Before, After] {
        if let Some((change, argument)) = menu.change(part == Before, &at) {
            let is_change = part == After;
            steps.push(step(0, change, argument).that(if is_change {
                Changes
            } else {
                Part::Prepares
            }));
        }
        steps.push(step(1, look, at.clone()).that(part));
    }
    steps
}
