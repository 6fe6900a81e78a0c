//! A harness with a sequential model and printers of both states.

use std::collections::VecDeque;
use std::sync::Mutex;

struct Queue(Mutex<VecDeque<u8>>);

linspect::harness! {
    queue: Queue = Queue(Mutex::default());

    fn enqueue(&self, value: u8 in 1..=2) => queue.0.lock().unwrap().push_back(value);
    fn dequeue(&self) -> Option<u8> => queue.0.lock().unwrap().pop_front();

    model plain: VecDeque<u8> = VecDeque::new();
    fn enqueue(&mut self, value: u8) => plain.push_back(value);
    fn dequeue(&mut self) -> Option<u8> => plain.pop_front();
    show model = format!("{plain:?}");

    show = format!("{:?}", queue.0.try_lock().as_deref());
}
