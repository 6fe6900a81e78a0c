//! Other criteria than linearizability, and relaxations of it.

pub(super) mod min_k;
pub(super) mod quasi_literal;
pub(super) mod quiescent;
pub(super) mod relaxed;
pub(super) mod sequential;
