//! Nothing of its own: see the examples.
