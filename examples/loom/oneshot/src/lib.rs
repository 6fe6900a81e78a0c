//! The suite of oneshot 0.1.8 is in `tests/`, as it is published.
