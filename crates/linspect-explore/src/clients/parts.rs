//! Beginnings and ends for clients: sequential prefixes that reach new states, suffixes that reveal what happened.

use super::enumerate::invocations;
use super::is_allowed;
use linspect_core::client::{Client, Declared, Invocation};
use linspect_core::spec::{Spec, Unfit, caller};
use rustc_hash::FxHashSet;

/// Shortest sequences of at most `length` calls that lead `spec` to different states, shortest first; the empty one is the first.
pub fn prefixes<S: Spec>(
    spec: &S,
    declared: &[Declared],
    length: usize,
) -> Result<Vec<Vec<Invocation>>, Unfit> {
    let calls = understood(spec, declared)?;
    let mut seen = FxHashSet::from_iter([spec.initial()]);
    let mut all = vec![Vec::new()];
    let mut front = vec![(Vec::new(), spec.initial())];
    for _ in 0..length {
        let mut next = Vec::new();
        for (sequence, state) in &front {
            for (invocation, call) in &calls {
                // A sequence that may end in several states reaches none for certain.
                let Some(after) = only_outcome(spec, state, call) else {
                    continue;
                };
                let mut longer: Vec<Invocation> = sequence.clone();
                longer.push(invocation.clone());
                let client = Client {
                    before: longer.clone(),
                    ..Client::default()
                };
                if is_allowed(&client, declared) && seen.insert(after.clone()) {
                    all.push(longer.clone());
                    next.push((longer, after));
                }
            }
        }
        front = next;
    }
    Ok(all)
}

/// Calls that show what a run of `client` left behind: every call that only looks, then, if there is a call that empties the object
/// when repeated, as many of those as everything the client does can need, and one more.
pub fn suffix<S: Spec>(
    spec: &S,
    declared: &[Declared],
    client: &Client,
) -> Result<Vec<Invocation>, Unfit> {
    let calls = understood(spec, declared)?;
    let mut after: Vec<Invocation> = Vec::new();
    for (invocation, call) in &calls {
        if spec.is_read_only(call) {
            after.push(invocation.clone());
        }
    }
    // The fullest state: everything that changes something and is not the draining call itself.
    let performed: Vec<&Invocation> = client
        .before
        .iter()
        .chain(client.threads.iter().flatten())
        .collect();
    let drains = calls.iter().filter(|(invocation, call)| {
        declared[usize::from(invocation.operation)].domain.len() == 1 && !spec.is_read_only(call)
    });
    let mut best: Option<(usize, &Invocation)> = None;
    for (drain, call) in drains {
        let mut state = spec.initial();
        for &invocation in performed.iter().filter(|i| **i != drain) {
            let call = understand(spec, declared, invocation)?;
            state = only_outcome(spec, &state, &call).unwrap_or(state);
        }
        let mut count = 0;
        while let Some(next) = only_outcome(spec, &state, call) {
            if next == state || count > performed.len() {
                break;
            }
            state = next;
            count += 1;
        }
        let empties = count > 0 && count <= performed.len();
        if empties && best.is_none_or(|(most, _)| count > most) {
            best = Some((count, drain));
        }
    }
    if let Some((count, drain)) = best {
        after.extend(std::iter::repeat_n(drain.clone(), count + 1));
    }
    let mut whole = Client {
        after: Vec::new(),
        ..client.clone()
    };
    for call in after {
        whole.after.push(call);
        if !is_allowed(&whole, declared) {
            whole.after.pop();
        }
    }
    Ok(whole.after)
}

pub(super) fn understood<S: Spec>(
    spec: &S,
    declared: &[Declared],
) -> Result<Vec<(Invocation, S::Call)>, Unfit> {
    let understand = |i: Invocation| understand(spec, declared, &i).map(|call| (i, call));
    invocations(declared).into_iter().map(understand).collect()
}

fn understand<S: Spec>(
    spec: &S,
    declared: &[Declared],
    invocation: &Invocation,
) -> Result<S::Call, Unfit> {
    let name = &declared[usize::from(invocation.operation)].name;
    // Whoever asks here has one caller.
    spec.call(name, &caller(spec, 0, &invocation.argument))
}

fn only_outcome<S: Spec>(spec: &S, state: &S::State, call: &S::Call) -> Option<S::State> {
    let mut outcomes = Vec::new();
    spec.outcomes(state, call, &mut |_, next| outcomes.push(next));
    match <[S::State; 1]>::try_from(outcomes) {
        Ok([next]) => Some(next),
        Err(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use linspect_core::spec::Stack;
    use linspect_core::value::Value;
    use linspect_toy::objects;

    fn call(operation: u16, argument: Value) -> Invocation {
        Invocation {
            operation,
            argument,
        }
    }

    #[test]
    fn prefixes_reach_every_short_state_once() {
        let mut stack = objects::treiber();
        stack.declared[0].domain.truncate(2);
        let all = prefixes(&Stack::default(), &stack.declared, 2).expect("the stack has these");
        // (), 1, 2, 11, 12, 21, 22.
        assert_eq!(all.len(), 7);
        assert_eq!(all[0], []);
        assert_eq!(all[3], [call(0, Value::Int(1)), call(0, Value::Int(1))]);
    }

    #[test]
    fn the_suffix_drains() {
        let stack = objects::treiber();
        let push = |v| call(0, Value::Int(v));
        let client = Client {
            before: vec![push(1)],
            threads: vec![vec![push(2)], vec![call(1, Value::Unit), push(3)]],
            ..Client::default()
        };
        let after =
            suffix(&Stack::default(), &stack.declared, &client).expect("the stack has these");
        assert_eq!(after, vec![call(1, Value::Unit); 4]);
    }
}
