//! The macros of the crate `linspect`: they read what a harness says, so that a mistake underlines the words at fault.

mod attribute;
mod harness;
mod operation;
mod settings;
mod tokens;

use proc_macro::TokenStream;

/// Reads a harness: first the path of the crate `linspect` in brackets, then what was written. What comes out has one form, which the rules of that crate expand.
#[proc_macro]
pub fn __read(input: TokenStream) -> TokenStream {
    harness::read(input).unwrap_or_else(tokens::Mistake::into_stream)
}

/// A test that starts threads, for `cargo linspect`, with settings of its own; under `cargo test` it is an ordinary test.
///
/// ```text
/// #[linspect::test(budget = "10s", preemptions = 2, memory = "c20")]
/// fn two_threads() { … }
/// ```
///
/// | setting | meaning |
/// |---|---|
/// | `budget = "10s"` | how much processor time it may take; `"none"` for no limit |
/// | `preemptions = 2` | only schedules with at most so many preemptions |
/// | `executions = 1000` | at most so many executions |
/// | `memory = "c20"` | what atomics weaker than `SeqCst` may do: `"sc"` nothing more, `"c20"` what C++20 allows |
/// | `allocator = "fresh"` | what happens to freed memory: `"reuse"`, `"fresh"` or `"both"` |
/// | `cpus = 1` | how many processors the test is told that there are |
/// | `random = 3` | numbers of the C library's generators are choices: 0, 1 and 2 are all tried |
/// | `leaks = true` | memory that is never freed is a fault |
/// | `races = "note"` | a data race is worth a note; `"fail"`: it is a fault |
///
/// An option on the command line wins.
#[proc_macro_attribute]
pub fn test(settings: TokenStream, function: TokenStream) -> TokenStream {
    attribute::expand(settings, function)
}
