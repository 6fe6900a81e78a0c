//! Step 2: which clients are worth running.
//!
//! [`enumerate`] gives all small concurrent parts, smallest first, and [`ClientFamily`] whole clients; [`random`] long ones, as CGVT does; [`round_up`] those of Round-Up's
//! tables. [`prefixes`] and [`suffix`] complete the concurrent part of a client with a beginning (Ps) and an end (Pr).

mod enumerate;
mod family;
mod limits;
mod parts;
mod random;

pub(crate) use enumerate::invocations;
pub use enumerate::{Sizes, enumerate};
pub use family::{ClientFamily, PREFIX};
pub use limits::{is_allowed, with_promises, with_waits};
pub use parts::{prefixes, suffix};
pub use random::{random, round_up};
