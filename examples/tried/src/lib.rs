//! Everything is in `tests`.
