//! The smallest relaxation that holds.

use crate::{call, threads};
use linspect_core::check::Unlimited;
use linspect_core::client::Client;
use linspect_core::defect::Defect;
use linspect_core::property::Linearizable;
use linspect_core::spec::{Spec, Unfit};
use linspect_core::value::Value;
use linspect_explore::search::{Coverage, Plan, search, smallest_relaxation};
use linspect_toy::objects;

/// A counter whose results may be late by up to `k`.
struct Late(u32);

impl Spec for Late {
    type State = i64;
    type Call = ();
    fn name(&self) -> &str {
        "late counter"
    }
    fn call(&self, _: &str, _: &Value) -> Result<(), Unfit> {
        Ok(())
    }
    fn initial(&self) -> i64 {
        0
    }
    fn outcomes(&self, state: &i64, (): &(), each: &mut dyn FnMut(Value, i64)) {
        (0..=i64::from(self.0)).for_each(|late| each(Value::Int(state - late), state + 1));
    }
}

#[test]
fn the_smallest_relaxation_is_found() {
    let program = objects::early_unlock();
    // All three may see 0: the last to take effect is late by 2.
    let three = threads(&[&[call(0, ())], &[call(0, ())], &[call(0, ())]]);
    let two = threads(&[&[call(0, ())], &[call(0, ())]]);
    let clients = [two, three];
    let specs: Vec<Late> = (0..5).map(Late).collect();
    let relaxation = |most| {
        let mut asked = Vec::new();
        let search_from = |k: u32, first: usize| {
            asked.push((k, first));
            let property =
                |client: &Client| Linearizable::new(&specs[k as usize], client, &program.declared);
            let rest = clients[first..].iter().cloned();
            let plan = Plan::exhaustive();
            search(&program, rest, property, &plan, &Unlimited, &|_| {})
        };
        let found = smallest_relaxation(most, search_from).expect("it runs");
        (found, asked)
    };
    let (found, asked) = relaxation(4);
    assert_eq!(found.k, Some(2));
    assert_eq!(asked, [(0, 0), (1, 0), (2, 1)]);
    let (client, bad) = found.needed_by.expect("three threads need 2");
    assert_eq!((client, bad.kind), (clients[1].clone(), Defect::Violation));
    let covered = found.outcome.explored.iter();
    let exhausted = covered.filter(|e| matches!(e.coverage, Coverage::Exhausted { .. }));
    assert_eq!(exhausted.count(), 2);
    assert_eq!(relaxation(1).0.k, None);
}
