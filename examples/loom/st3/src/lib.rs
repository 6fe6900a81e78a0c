//! The suite of st3 0.4.1 is in `tests/`, as it is published.
