// exit 0: FREE OF FAULTS
// A scope ends when its threads have, and what they wrote is there then.
use std::thread;

fn main() {
    let mut parts = [0, 0];
    thread::scope(|scope| {
        for (i, part) in parts.iter_mut().enumerate() {
            scope.spawn(move || *part = i + 1);
        }
    });
    assert_eq!(parts, [1, 2]);
}
