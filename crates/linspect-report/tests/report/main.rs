//! The whole reports: golden texts, the published schema, hostile input, and the HTML in a real browser.

mod browser;
mod chromium;
mod distrust;
mod golden;
mod html;
mod json;
mod machines;
mod program;
mod samples;
mod terminal;
