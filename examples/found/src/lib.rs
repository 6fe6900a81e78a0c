//! Harnesses for published crates in which Linspect finds faults; see docs/found.md.
