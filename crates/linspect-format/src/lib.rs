//! Recorded histories as files: read from bytes into a [`linspect_core::history::History`], and written back.
