//! What a person sees: a [`Finding`] rendered for the terminal, as HTML, as JSON; and for machines as SARIF and JUnit.
//!
//! A [`Finding`] is everything that one run of Linspect has to say, in a versioned form of its own. Every
//! renderer works from a finding alone, so a finding that was saved renders the same bytes later. Nothing
//! here runs a program, decides a history, reads a file or prints: renderers return text.
//!
//! ```
//! use linspect_core::{history::History, value::Value, verdict::{Criterion, Verdict}};
//! use linspect_report::{Checked, Finding, json, terminal};
//!
//! let mut history = History::new();
//! history.push(0, "write", 1, Value::Unit, 1, 2);
//! let checked = Checked::new("a.jsonl", "register", Criterion::Linearizable);
//! let finding = Finding::of_history(&history, &Verdict::Holds(None), checked);
//!
//! assert!(terminal::render(&finding, &terminal::Options::default()).starts_with("✓ LINEARIZABLE (register)"));
//! assert_eq!(json::read(&json::write(&finding)).unwrap(), finding);
//! ```

pub mod finding;
mod fix;
pub mod github;
pub mod html;
pub mod json;
pub mod junit;
mod markup;
mod mention;
mod names;
pub mod sarif;
mod sentence;
mod story;
pub mod terminal;
mod text;

pub use finding::{Checked, Disturbance, Finding, Operation, Recording};
pub use text::neutral;
