//! The whole reports: golden texts, the published schema, hostile input, and the HTML in a real browser.

mod golden;
mod json;
mod samples;
mod terminal;
