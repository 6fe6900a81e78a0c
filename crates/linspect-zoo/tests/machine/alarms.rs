//! No false alarm: right objects, and relaxed ones within their relaxation, under clients that nobody thought of.

use crate::{files, load};
use linspect_core::check::{Unlimited, visit_relaxed};
use linspect_core::client::{Client, Invocation};
use linspect_core::machine::Subject;
use linspect_core::property::Linearizable;
use linspect_core::spec::{Spec, Visitor};
use linspect_core::value::Value;
use linspect_explore::clients::{Sizes, enumerate, prefixes, suffix};
use linspect_explore::search::{Plan, explore};
use linspect_vm::LoadedProgram;
use linspect_zoo::{Object, Zoo};
use std::path::Path;

/// Clients of each object: a few, or all small ones.
fn clients_each() -> usize {
    if std::env::var_os("LINSPECT_LONG").is_some() {
        200
    } else {
        8
    }
}

/// Its elements are its nodes, so none may be in it twice.
const DISTINCT: &str = "cpp_index_stack_fixed";

/// Executions of each client.
const EXECUTIONS: u64 = 500;

#[test]
fn right_objects_are_never_called_wrong() {
    let zoo = Zoo::bundled().expect("the zoo is in order");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("alarms");
    Zoo::extract(&folder).expect("extracts");
    let right = |o: &&Object| (o.linearizable || o.quasi == Some(true)) && !o.blocks_when_empty;
    let mut objects = 0;
    let mut clients = 0;
    for object in zoo.objects.iter().filter(right) {
        let code = load(&folder, &files(object)).unwrap_or_else(|e| panic!("{}: {e}", object.name));
        let try_clients = TryClients {
            code: &code,
            name: &object.name,
        };
        clients += if object.linearizable {
            object.spec.visit(try_clients)
        } else {
            let k = object.k.expect("a relaxed object has a k");
            visit_relaxed(&object.spec, k, try_clients).expect("it has an order")
        };
        objects += 1;
    }
    println!("{clients} clients of {objects} objects");
    assert!(objects >= 30 && clients >= 200, "{clients} of {objects}");
}

struct TryClients<'a> {
    code: &'a LoadedProgram,
    name: &'a str,
}

impl Visitor for TryClients<'_> {
    type Output = usize;

    fn visit<S: Spec>(self, spec: &S) -> usize {
        let declared = self.code.operations();
        let sizes = Sizes {
            threads: 2,
            operations: 3,
        };
        let prefixes = prefixes(spec, declared, 1).expect("the harness fits");
        let concurrent = enumerate(declared, sizes).filter(|c| c.threads.len() == 2);
        let mut count = 0;
        let all = concurrent.flat_map(|threads| {
            let prefixes = prefixes.iter();
            prefixes
                .map(|before| Client {
                    before: before.clone(),
                    ..threads.clone()
                })
                .collect::<Vec<_>>()
        });
        let fits = |client: &Client| {
            let threads = client.threads.iter().flatten();
            let calls: Vec<_> = client.before.iter().chain(threads).collect();
            let twice = |(i, call): (usize, &&Invocation)| {
                call.argument != Value::Unit && calls[..i].contains(call)
            };
            self.name != DISTINCT || !calls.iter().enumerate().any(twice)
        };
        for mut client in all.filter(fits).take(clients_each()) {
            client.after = suffix(spec, declared, &client).expect("the harness fits");
            let property = Linearizable::new(spec, &client, declared).expect("the harness fits");
            let plan = Plan {
                executions: Some(EXECUTIONS),
                ..Plan::exhaustive()
            };
            let explored = explore(self.code, client, property, &plan, &Unlimited, &|_, _| {})
                .unwrap_or_else(|e| panic!("{}: {e}", self.name));
            let alarm = explored.error();
            assert_eq!(alarm, None, "{}: {:?}", self.name, explored.client);
            count += 1;
        }
        count
    }
}
