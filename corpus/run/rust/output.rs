//! What waits in the buffer of the output when `main` returns is written then.

use std::io::{Write, stdout};
use std::thread;

fn main() {
    thread::spawn(|| print!("a thread, ")).join().unwrap();
    stdout().write_all(b"no end of the line").unwrap();
}
