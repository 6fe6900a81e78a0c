//! Step 8: the memory accesses that decide whether a run goes wrong. After Chen, Zhang, Wu and Zhang, *Interleaving-tree Based Fine-grained Linearizability
//! Fault Localization*.

mod dag;
mod label;
mod sequence;

pub use dag::{Branch, Dag, Node, NodeId};
pub use label::{Fate, Label};
pub use sequence::{Decisive, Group, Side, decisive, fewest_switches, groups};
