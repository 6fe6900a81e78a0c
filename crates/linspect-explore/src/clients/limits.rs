//! Who may call an operation, and when.

use super::parts::understood;
use linspect_core::client::{Client, Declared, Invocation};
use linspect_core::spec::{Hold, Spec, Unfit};

/// Whether `client` keeps to what `declared` allows.
pub fn is_allowed(client: &Client, declared: &[Declared]) -> bool {
    // What runs alone may be done by anybody: one of them has started the others, and waited for them.
    let alone: Vec<Invocation> = [client.before.as_slice(), &client.after].concat();
    declared.iter().enumerate().all(|(operation, d)| {
        let is = |i: &Invocation| usize::from(i.operation) == operation;
        let in_role =
            |i: &Invocation| declared[usize::from(i.operation)].limits.role == d.limits.role;
        let callers = || {
            client
                .threads
                .iter()
                .filter(|t| t.iter().any(in_role))
                .count()
        };
        let count = || {
            let all = client.threads.iter().flatten().chain(&alone);
            all.filter(|i| is(i)).count()
        };
        let is_paired = |thread: &[Invocation], first: u16| {
            let mut open = 0_usize;
            thread.iter().all(|i| {
                open += usize::from(i.operation == first);
                let fits = !is(i) || open > 0;
                open -= usize::from(is(i) && fits);
                fits
            })
        };
        // Whoever holds what the operation gives does not call it again.
        let holds_one = |thread: &[Invocation]| {
            let mut held = false;
            thread.iter().all(|i| {
                let taken_again = is(i) && held;
                let limits = &declared[usize::from(i.operation)].limits;
                let gives_back = limits.after.is_some_and(|of| usize::from(of) == operation);
                held = (held || is(i)) && !gives_back;
                !taken_again
            })
        };
        let mut threads = client.threads.iter().chain([&alone]);
        let exclusive = !d.limits.exclusive || threads.clone().all(|thread| holds_one(thread));
        exclusive
            && (d.limits.role.is_none() || callers() <= 1)
            && d.limits.at_most.is_none_or(|most| count() <= most as usize)
            && d.limits
                .after
                .is_none_or(|first| threads.all(|thread| is_paired(thread, first)))
    })
}

/// `declared` with what callers of a `spec` promise anyway: who unlocks has locked, and who has locked does not lock again before. What nobody may call then is called by nobody.
pub fn with_promises<S: Spec>(spec: &S, declared: &[Declared]) -> Result<Vec<Declared>, Unfit> {
    let calls = understood(spec, declared)?;
    let taking = calls
        .iter()
        .find(|(_, call)| spec.hold(call) == Hold::Takes);
    let mut all = declared.to_vec();
    for (giving, _) in calls
        .iter()
        .filter(|(_, call)| spec.hold(call) == Hold::GivesBack)
    {
        let limits = &mut all[usize::from(giving.operation)].limits;
        match taking {
            Some((taking, _)) => limits.after = limits.after.or(Some(taking.operation)),
            None => limits.at_most = Some(0),
        }
    }
    if let Some((taking, _)) = taking {
        all[usize::from(taking.operation)].limits.exclusive = true;
    }
    Ok(all)
}

/// `declared` with what a `spec` says of waiting.
pub fn with_waits<S: Spec>(spec: &S, declared: &[Declared]) -> Vec<Declared> {
    let mut all = declared.to_vec();
    for operation in &mut all {
        let mut calls = operation
            .domain
            .iter()
            .map(|argument| spec.call(&operation.name, argument));
        operation.limits.never_waits =
            calls.all(|call| call.is_ok_and(|call| !spec.may_wait(&call)));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use linspect_core::client::Limits;
    use linspect_core::spec::Mutex;
    use linspect_core::value::Value;

    fn declare<const N: usize>(operations: [(&str, Limits); N]) -> Vec<Declared> {
        let declared = operations.map(|(name, limits)| Declared {
            name: name.into(),
            domain: vec![Value::Unit],
            limits,
        });
        declared.into()
    }

    /// Calls as digits: `"0 | 01"` are two threads.
    fn client(before: &str, threads: &str, after: &str) -> Client {
        let calls = |text: &str| -> Vec<Invocation> {
            let digits = text.chars().filter_map(|c| c.to_digit(10));
            let call = |operation| Invocation {
                operation: operation as u16,
                argument: Value::Unit,
            };
            digits.map(call).collect()
        };
        Client {
            before: calls(before),
            threads: threads.split('|').map(calls).collect(),
            after: calls(after),
            ..Client::default()
        }
    }

    #[test]
    fn operations_of_one_role_belong_to_one_thread() {
        let owner = || Limits {
            role: Some("owner".into()),
            ..Limits::default()
        };
        let other = Limits {
            role: Some("other".into()),
            ..Limits::default()
        };
        let deque = declare([
            ("push", owner()),
            ("pop", owner()),
            ("peek", other),
            ("steal", Limits::default()),
        ]);
        for (threads, allowed) in [
            ("01 | 3", true),
            ("0 | 1", false),
            ("0 | 0", false),
            ("01 | 23", true),
            ("012 | 2", false),
            ("3 | 3 | 013", true),
        ] {
            // What runs alone may be done by anybody.
            let client = client("01", threads, "012");
            assert_eq!(is_allowed(&client, &deque), allowed, "{threads}");
        }
    }

    #[test]
    fn each_call_takes_up_one_of_its_own_thread() {
        let paired = Limits {
            after: Some(0),
            ..Limits::default()
        };
        let lock = declare([("lock", Limits::default()), ("unlock", paired)]);
        for (before, threads, after, allowed) in [
            ("", "01 | 01", "", true),
            ("", "0 | 1", "", false),
            ("", "011 | 0", "", false),
            ("", "0011 | 0101", "", true),
            ("0", "0 | 01", "1", true),
            ("0", "1 | 01", "", false),
            ("", "10 | 0", "", false),
        ] {
            let client = client(before, threads, after);
            assert_eq!(is_allowed(&client, &lock), allowed, "{client:?}");
        }
    }

    #[test]
    fn who_has_locked_does_not_lock_again() {
        let none = Limits::default;
        let declared = declare([("lock", none()), ("unlock", none()), ("try_lock", none())]);
        let lock = with_promises(&Mutex::default(), &declared).expect("a mutex");
        for (before, threads, after, allowed) in [
            ("", "01 | 01", "", true),
            ("", "00 | 01", "", false),
            ("", "0 | 0", "", true),
            ("", "0101 | 0", "", true),
            ("", "02 | 0", "", true),
            ("01", "01 | 0", "0", true),
            ("0", "0 | 2", "", true),
            ("0", "2 | 2", "0", false),
            ("0", "2 | 2", "10", true),
        ] {
            let client = client(before, threads, after);
            assert_eq!(is_allowed(&client, &lock), allowed, "{client:?}");
        }
    }

    #[test]
    fn calls_are_counted_over_the_whole_client() {
        let once = Limits {
            at_most: Some(1),
            ..Limits::default()
        };
        let object = declare([("close", once)]);
        assert!(is_allowed(&client("0", "|", ""), &object));
        assert!(!is_allowed(&client("0", "0 |", ""), &object));
        assert!(!is_allowed(&client("", "0 |", "0"), &object));
    }

    #[test]
    fn who_unlocks_a_mutex_has_locked_it() {
        let none = Limits::default;
        let declared = declare([
            ("release", none()),
            ("acquire", none()),
            ("try_lock", none()),
        ]);
        let promised = with_promises(&Mutex::default(), &declared).expect("a mutex");
        assert_eq!(promised[0].limits.after, Some(1));
        assert!(promised[1].limits.exclusive);
        assert_eq!(promised[2], declared[2]);
        // Whether a thread got the lock by `try_lock` is not known when clients are made.
        let declared = declare([("unlock", none()), ("try_lock", none())]);
        let promised = with_promises(&Mutex::default(), &declared).expect("a mutex");
        assert_eq!(promised[0].limits.at_most, Some(0));
    }
}
