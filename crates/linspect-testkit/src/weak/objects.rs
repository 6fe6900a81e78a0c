//! What is not linearizable under C++20: some execution, with some messages that its callers may send each other between their calls, has no order of its calls that explains it (Herlihy and Wing, TOPLAS 1990; real time
//! as in Golovin, Kokologiannakis, Vafeiadis: "RELINCHE: Automatically Checking Linearizability under Relaxed Memory Consistency", POPL 2025).
//!
//! An object is a [`Program`] whose threads are its operations; what it should do is what it does when its calls come one after the other.

use super::graphs::{Call, Executions, calls};
use super::{Operand, Program, REGISTERS, Statement};

/// What becomes of a client.
#[derive(Clone, Debug)]
pub struct Judged {
    /// Its executions.
    pub executions: Executions,
    /// Whether one of them cannot be explained.
    pub is_wrong: bool,
}

/// Judges a client, which calls these operations by thread; nothing if it has more than `most` beginnings of executions.
pub fn judge(object: &Program, client: &[Vec<usize>], most: usize) -> Option<Judged> {
    let mut is_wrong = false;
    let executions = calls(object, client, most, &mut |graph, calls| {
        let may_send = |a: &(usize, usize)| calls[a.0].thread != calls[a.1].thread;
        let ids = 0..calls.len();
        let all = ids.flat_map(|a| (0..calls.len()).map(move |b| (a, b)));
        let pairs: Vec<(usize, usize)> = all.filter(may_send).collect();
        for chosen in 0..1u32 << pairs.len() {
            if is_wrong {
                return;
            }
            let sent: Vec<(usize, usize)> = (0..pairs.len())
                .filter(|i| chosen >> i & 1 == 1)
                .map(|i| pairs[i])
                .collect();
            let mut graph = graph.clone();
            for (a, b) in &sent {
                if let (Some((_, last)), Some((first, _))) = (calls[*a].events, calls[*b].events) {
                    graph.messages.push((last, first));
                }
            }
            is_wrong = graph.judge().is_consistent && !is_explained(object, calls, &sent);
        }
    })?;
    Some(Judged {
        executions,
        is_wrong,
    })
}

/// Whether some order of the calls that keeps to `sent` and to the order of each thread does what they did.
fn is_explained(object: &Program, calls: &[Call], sent: &[(usize, usize)]) -> bool {
    let must_precede = |a: usize, b: usize| {
        (calls[a].thread == calls[b].thread && a < b) || sent.contains(&(a, b))
    };
    fn go_on(
        object: &Program,
        calls: &[Call],
        must_precede: &dyn Fn(usize, usize) -> bool,
        done: &mut Vec<usize>,
        state: &[i64],
    ) -> bool {
        if done.len() == calls.len() {
            return true;
        }
        for next in 0..calls.len() {
            let is_free = |other: usize| done.contains(&other) || !must_precede(other, next);
            if done.contains(&next) || !(0..calls.len()).all(is_free) {
                continue;
            }
            let mut state = state.to_vec();
            let mut registers = [0; REGISTERS];
            run(
                object,
                &object.threads[calls[next].operation],
                &mut state,
                &mut registers,
            );
            if registers == calls[next].registers {
                done.push(next);
                if go_on(object, calls, must_precede, done, &state) {
                    return true;
                }
                done.pop();
            }
        }
        false
    }
    let first = vec![0; object.atomics + object.plains];
    go_on(object, calls, &must_precede, &mut Vec::new(), &first)
}

/// Runs statements when nobody else does.
fn run(object: &Program, block: &[Statement], state: &mut [i64], registers: &mut [i64; REGISTERS]) {
    for statement in block {
        let value = |operand: Operand, registers: &[i64; REGISTERS]| match operand {
            Operand::Number(number) => number,
            Operand::Register(r) => registers[usize::from(r)],
        };
        match *statement {
            Statement::Load(r, x, _) => registers[usize::from(r)] = state[usize::from(x)],
            Statement::Store(x, v, _) => state[usize::from(x)] = value(v, registers),
            Statement::Add(r, x, n, _) | Statement::Swing(r, x, n, _) => {
                registers[usize::from(r)] = state[usize::from(x)];
                state[usize::from(x)] += n;
            }
            Statement::Exchange(r, x, n, _) => {
                registers[usize::from(r)] = state[usize::from(x)];
                state[usize::from(x)] = n;
            }
            Statement::Compare(r, x, expected, new, ..) => {
                registers[usize::from(r)] = state[usize::from(x)];
                if state[usize::from(x)] == expected {
                    state[usize::from(x)] = new;
                }
            }
            Statement::Fence(_) => {}
            Statement::Get(r, p) => {
                registers[usize::from(r)] = state[object.atomics + usize::from(p)];
            }
            Statement::Put(p, v) => state[object.atomics + usize::from(p)] = value(v, registers),
            Statement::If(r, expected, ref body) => {
                if registers[usize::from(r)] == expected {
                    run(object, body, state, registers);
                }
            }
            Statement::Lock(_, ref body) => run(object, body, state, registers),
            Statement::CompareWeak(..)
            | Statement::Await(..)
            | Statement::Publish(..)
            | Statement::Follow(..)
            | Statement::Overwrite(..) => unreachable!("objects have none of these"),
        }
    }
}
