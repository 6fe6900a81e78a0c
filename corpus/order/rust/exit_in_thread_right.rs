// exit 0: FREE OF FAULTS
// Nothing comes after a thread that ends the process.
use std::process;
use std::thread;

fn main() {
    let thread = thread::spawn(|| {
        process::exit(0);
    });
    let _ = thread.join();
    unreachable!();
}
