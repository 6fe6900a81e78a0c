//! A harness with a sequential model and printers of both states.

use linspect::Observe;
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

extern "C-unwind" fn build() {}

/// Under plain `cargo test` an object that does not do what its model does is found out.
#[test]
#[should_panic(
    expected = "run alone, one after the other, next() ended with 1; with the model it ends with 2"
)]
fn deviations_are_noticed() {
    extern "C-unwind" fn one() {
        1.observe();
    }
    extern "C-unwind" fn two() {
        2.observe();
    }
    extern "C-unwind" fn declare() {
        linspect::machine::operation("next", one, 1);
        linspect::machine::model_operation("next", two);
    }
    linspect::machine::test(build, declare, Some(build));
}

/// So is a model that lacks an operation.
#[test]
#[should_panic(expected = "the model has no operation `next`")]
fn a_model_has_all_operations() {
    extern "C-unwind" fn one() {
        1.observe();
    }
    extern "C-unwind" fn declare() {
        linspect::machine::operation("next", one, 1);
    }
    linspect::machine::test(build, declare, Some(build));
}
