//! What the built-in specifications say, call by call: names, spellings, results, and what is no call at all.

use linspect_core::check::brute;
use linspect_core::history::{History, Outcome};
use linspect_core::spec::{Builtin, Options, Spec, Unfit, Visitor};
use linspect_core::value::Value;

/// A sequential run, read from lines such as `enq 1` and `deq -> 1`.
fn run(text: &str) -> History {
    let mut history = History::new();
    for (at, line) in (0..).zip(text.split(';').map(str::trim)) {
        let (call, result) = line.split_once("->").unwrap_or((line, "()"));
        let (name, argument) = call.trim().split_once(' ').unwrap_or((call.trim(), "()"));
        let id = history.push(0, name, value(argument), value(result), 2 * at, 2 * at + 1);
        if result.trim() == "?" {
            history.operations[id as usize].outcome = Outcome::Unknown;
        }
    }
    history
}

/// `()`, `nil`, a truth value, a number, `[a b]`, or else a text.
fn value(text: &str) -> Value {
    match text.trim() {
        "()" | "?" => Value::Unit,
        "nil" => Value::Nil,
        "true" => Value::Bool(true),
        "false" => Value::Bool(false),
        list if list.starts_with('[') => {
            let mut depth = 0;
            let items = list[1..list.len() - 1].split(|c: char| {
                depth += i32::from(c == '[') - i32::from(c == ']');
                c == ' ' && depth == 0
            });
            Value::list(items.filter(|item| !item.is_empty()).map(value))
        }
        other => other
            .parse()
            .map_or_else(|_| Value::text(other), Value::Int),
    }
}

struct Judge<'a>(&'a History);

impl Visitor for Judge<'_> {
    type Output = Result<bool, Unfit>;

    fn visit<S: Spec>(self, spec: &S) -> Self::Output {
        brute::is_linearizable(spec, self.0)
    }
}

fn judge(spec: &Builtin, text: &str) -> Result<bool, String> {
    spec.visit(Judge(&run(text)))
        .map_err(|unfit| unfit.to_string())
}

/// Every run of `right` is one, and none of `wrong` is.
fn check(spec: &Builtin, right: &[&str], wrong: &[&str]) {
    for text in right {
        assert_eq!(judge(spec, text), Ok(true), "{}: {text}", spec.name());
    }
    for text in wrong {
        assert_eq!(judge(spec, text), Ok(false), "{}: {text}", spec.name());
    }
}

fn named(name: &str) -> Builtin {
    Builtin::named(name).expect("a built-in specification")
}

fn with(name: &str, options: &Options) -> Builtin {
    Builtin::with_options(name, options).expect("a built-in specification")
}

#[test]
fn register() {
    check(
        &named("register"),
        &[
            "read -> nil; write 1; read -> 1; r -> 1",
            "w 1 -> ok; Read nil -> 1; store 2 -> 2; load -> 2",
            "read -> ?; read",
        ],
        &[
            "read -> 1",
            "write 1; read -> nil",
            "write 1; write 2; get -> 1",
        ],
    );
    let zero = Options {
        initial: Some(Value::Int(0)),
        ..Options::default()
    };
    check(&with("register", &zero), &["read -> 0"], &["read -> nil"]);
}

#[test]
fn cas_register() {
    check(
        &named("cas-register"),
        &[
            "write 1; cas [1 2] -> true; read -> 2; compare-and-set [1 3] -> 0; read -> 2",
            "cas [nil 4] -> [nil 4]; getAndSet 5 -> 4; read -> 5",
        ],
        &[
            "cas [1 2] -> true",
            "write 1; cas [1 2] -> false",
            "write 1; swap 2 -> nil",
        ],
    );
}

#[test]
fn counter() {
    check(
        &named("counter"),
        &[
            "inc; add 3 -> 3; read -> 4; dec; fetch_add 2 -> 3; read -> 5",
            "increment_and_get -> 1; getAndDecrement -> 1; get -> 0",
        ],
        &["inc; read -> 2", "fetch_add 1 -> 1", "add_and_get 1 -> 0"],
    );
    let seven = Options {
        initial: Some(Value::Int(7)),
        ..Options::default()
    };
    check(&with("counter", &seven), &["read -> 7"], &["read -> 0"]);
}

#[test]
fn kv() {
    check(
        &named("kv"),
        &[
            "get a -> nil; put [a 1]; get a -> 1; get b -> nil; delete a -> true; get a -> nil; del a -> false",
            "append [a x]; append [a y]; get a -> xy; contains a -> true; contains b -> false",
            "append [a 1]; append [a 2]; get a -> [1 2]",
            "put [a 1]; cas [a 1 2] -> true; cas [a [1 3]] -> false; get a -> 2; swap [a 5] -> 2",
            "put_if_absent [a 1] -> true; put_if_absent [a 2] -> false; get a -> 1",
            "write [a 1] -> [a 1]; read [a nil] -> [a 1]; cas [a [1 2]] -> [a [1 2]]; read [a nil] -> [a 2]",
        ],
        &[
            "put [a 1]; get b -> 1",
            "put [a 1]; get a -> nil",
            "put [a 1]; remove a -> false",
            "append [a x]; get a -> xx",
        ],
    );
    let empty = Options {
        initial: Some(Value::text("")),
        ..Options::default()
    };
    check(
        &with("map", &empty),
        &["get a -> nil; append [a x]; get a -> x; delete a; get a -> nil"],
        &["append [a x]; get a -> nil"],
    );
}

#[test]
fn set() {
    check(
        &named("set"),
        &[
            "add 1 -> true; add 1 -> false; contains 1 -> 1; remove 1 -> true; remove 1 -> false; member 1 -> false",
            "insert 1; put 2 -> ok; size -> 2; read -> [2 1]; is_empty -> false; add 3 -> 3",
        ],
        &[
            "contains 1 -> true",
            "add 1; add 1 -> true",
            "add 1; read -> []",
            "add 1; size -> 0",
            "add 2; read -> [2 2]",
        ],
    );
}

#[test]
fn multiset() {
    check(
        &named("pool"),
        &[
            "add 1; add 2; take -> 2; take -> 1; take -> nil",
            "add 1; add 2; take -> 1; remove -> 2; dequeue -> empty",
            "add 1; add 1; remove 1 -> true; remove 1 -> true; remove 1 -> false; is_empty -> true",
            "add 1; contains 1 -> true; size -> 1; read -> [1]",
        ],
        &[
            "take -> 1",
            "add 1; take -> nil",
            "add 1; take -> 1; take -> 1",
        ],
    );
}

#[test]
fn queue() {
    check(
        &named("queue"),
        &[
            "enq 1; push 2 -> true; peek -> 1; size -> 2; deq -> 1; poll -> 2; dequeue -> nil; pop -> false; take -> empty",
            "is_empty -> true; offer 1 -> 1; isEmpty -> false; recv -> ?; deq -> nil",
        ],
        &[
            "enq 1; enq 2; deq -> 2",
            "enq 1; deq -> nil",
            "deq -> 1",
            "enq 1 -> false",
            "enq 1; peek -> nil",
        ],
    );
    let small = Options {
        capacity: Some(1),
        ..Options::default()
    };
    check(
        &with("fifo", &small),
        &["enq 1 -> true; enq 2 -> false; deq -> 1; enq 2"],
        &["enq 1; enq 2", "enq 1 -> false"],
    );
    let minus = Options {
        empty: Some(Value::Int(-1)),
        ..Options::default()
    };
    check(
        &with("queue", &minus),
        &["deq -> -1; enq 1; deq -> 1"],
        &["enq 1; deq -> -1"],
    );
}

#[test]
fn stack() {
    check(
        &named("stack"),
        &["push 1; push 2; top -> 2; size -> 2; pop -> 2; pop -> 1; pop -> nil; is_empty -> true"],
        &["push 1; push 2; pop -> 1", "push 1; pop -> nil"],
    );
    let small = Options {
        capacity: Some(1),
        ..Options::default()
    };
    check(
        &with("lifo", &small),
        &["push 1; push 2 -> false; pop -> 1"],
        &["push 1; push 2"],
    );
}

#[test]
fn deque() {
    check(
        &named("deque"),
        &[
            "push_back 1; push_front 2; front -> 2; back -> 1; size -> 2; pop_back -> 1; pop_front -> 2; pop_front -> nil",
            "push 1; push 2; push 3; steal -> 1; pop -> 3; pollFirst -> 2; peekLast -> nil",
        ],
        &["push 1; push 2; steal -> 2", "push 1; pop -> nil"],
    );
}

#[test]
fn priority_queue() {
    check(
        &named("priority-queue"),
        &[
            "insert 3; add 1; offer 2; min -> 1; poll -> 1; delete_min -> 2; size -> 1; pop -> 3; pop -> nil",
            "insert [1 a]; insert [1 b]; insert [0 c]; poll -> [0 c]; poll -> [1 b]; poll -> [1 a]",
        ],
        &[
            "insert 3; insert 1; poll -> 3",
            "insert [1 a]; insert [0 c]; poll -> [1 a]",
        ],
    );
    let max = Options {
        largest_first: true,
        ..Options::default()
    };
    check(
        &with("heap", &max),
        &["insert 3; insert 1; extract_max -> 3"],
        &["insert 3; insert 1; poll -> 1"],
    );
}

#[test]
fn pair_snapshot() {
    check(
        &named("pair-snapshot"),
        &[
            "scan -> [0 0]; write [1 5]; read -> [0 5]; update [0 4]; snapshot -> [4 5]; read 1 -> 5",
        ],
        &["write [1 5]; scan -> [0 0]", "write [1 5]; scan -> [5 0]"],
    );
    let three = Options {
        cells: Some(3),
        initial: Some(Value::Nil),
        ..Options::default()
    };
    check(
        &with("snapshot", &three),
        &["write [2 1]; scan -> [nil nil 1]"],
        &[],
    );
}

#[test]
fn mutex() {
    check(
        &named("mutex"),
        &["lock; try_lock -> false; is_locked -> true; unlock; tryLock -> true; release; acquire"],
        &["lock; lock", "unlock", "lock; try_lock -> true"],
    );
}

#[test]
fn locks_with_owners() {
    check(
        &named("owned-mutex"),
        &[
            "lock 1; unlock 2 -> false; try_lock 2 -> false; unlock 1; lock 2; unlock 2",
            "unlock 1 -> false; lock 1; lock 1 -> false; try_lock 1 -> false; unlock 1; is_locked -> false",
        ],
        &[
            "lock 1; unlock 2",
            "lock 1; lock 1",
            "lock 1; unlock 1 -> false",
            "lock 1; lock 2 -> false",
            "unlock 1",
        ],
    );
    check(
        &named("recursive-mutex"),
        &[
            "lock 1; try_lock 1 -> true; unlock 1; try_lock 2 -> false; unlock 1; try_lock 2 -> true",
        ],
        &[
            "lock 1; lock 1; unlock 1; lock 2",
            "lock 1; try_lock 1 -> false",
            "lock 1; unlock 1; unlock 1",
            "lock 1; try_lock 2 -> true",
        ],
    );
}

#[test]
fn semaphore() {
    check(
        &named("semaphore"),
        &["acquire; try_acquire -> false; release; available -> 1; release 2; acquire 3"],
        &["acquire; acquire", "acquire 2"],
    );
    let two = Options {
        initial: Some(Value::Int(2)),
        ..Options::default()
    };
    check(
        &with("semaphore", &two),
        &["acquire; p; v; down"],
        &["acquire 3"],
    );
}

#[test]
fn what_is_no_call_is_an_error_and_not_a_violation() {
    for (spec, text, expected) in [
        (
            "queue",
            "frob 1",
            "queue has no method `frob` (it has enqueue, dequeue, peek, size, is_empty)",
        ),
        (
            "queue",
            "enq",
            "queue: `enq` takes a value that does not stand for emptiness, not ()",
        ),
        (
            "queue",
            "enq nil",
            "queue: `enq` takes a value that does not stand for emptiness, not nil",
        ),
        (
            "stack",
            "pop 3 -> 3",
            "stack: `pop` takes no argument, not 3",
        ),
        (
            "counter",
            "inc -> 7",
            "counter: `increment or decrement` returns nothing, not 7",
        ),
        (
            "counter",
            "read -> nil",
            "counter: `read` returns a whole number, not nil",
        ),
        (
            "set",
            "contains 1 -> maybe",
            "set: `contains` returns true or false, not \"maybe\"",
        ),
        (
            "cas-register",
            "cas 1 -> true",
            "cas-register: `cas` takes two values, [from, to], not 1",
        ),
        ("kv", "put 1", "kv: `put` takes [key, value], not 1"),
        (
            "pair-snapshot",
            "write [2 1]",
            "pair-snapshot: `write` takes an index below 2, not [2, 1]",
        ),
        (
            "semaphore",
            "acquire -1",
            "semaphore: `acquire` takes a number of permits, not -1",
        ),
    ] {
        assert_eq!(
            judge(&named(spec), text),
            Err(expected.to_owned()),
            "{spec}: {text}"
        );
    }
}

#[test]
fn every_name_names_its_specification_and_nothing_else_does() {
    for name in Builtin::NAMES {
        assert_eq!(named(name).name(), name);
    }
    let wrong = Builtin::named("quue").expect_err("no such specification");
    let wrong = wrong.to_string();
    assert!(wrong.starts_with("there is no specification `quue`"));
    assert!(wrong.contains("did you mean `queue`?"), "{wrong}");
    assert!(wrong.contains("; there are register, "), "{wrong}");
    let asked = [
        "owned-mutex",
        "recursive-mutex",
        "rendezvous",
        "exchanger",
        "barrier",
    ];
    assert!(wrong.ends_with(&asked.join(", ")), "{wrong}");
    for name in asked {
        assert_eq!(named(name).name(), name);
    }
    let wrong = Builtin::named("owned-mutx").expect_err("no such specification");
    assert!(
        wrong.to_string().contains("did you mean `owned-mutex`?"),
        "{wrong}"
    );
    let capacity = Options {
        capacity: Some(3),
        ..Options::default()
    };
    let wrong = Builtin::with_options("set", &capacity).expect_err("sets have no capacity");
    assert_eq!(wrong.to_string(), "set has no option `capacity`");
    let text = Options {
        initial: Some(Value::text("x")),
        ..Options::default()
    };
    let wrong = Builtin::with_options("counter", &text).expect_err("counters count");
    assert_eq!(
        wrong.to_string(),
        "counter: `initial` takes a whole number, not \"x\""
    );
}
