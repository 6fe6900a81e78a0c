// exit 0: FREE OF FAULTS
// A scope waits for threads that its threads have started; what they wrote is there.
use std::sync::Mutex;
use std::thread;

fn main() {
    let mut sum = Mutex::new(0);
    let add = || *sum.lock().unwrap() += 1;
    thread::scope(|scope| {
        scope.spawn(|| {
            scope.spawn(add);
            add();
        });
    });
    assert_eq!(*sum.get_mut().unwrap(), 2);
}
