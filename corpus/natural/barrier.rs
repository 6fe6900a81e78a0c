// verdict: holds
use std::sync::Barrier;
linspect::harness! { b: Barrier = Barrier::new(2); fn wait(&self) -> bool => b.wait().is_leader(); }
