//! Runs written down statement by statement: computed again by their own rules, they give the values that the machine had.

use linspect_core::client::{Client, Invocation};
use linspect_core::execution::Location;
use linspect_core::machine::Subject;
use linspect_core::schedule::{Choice, Schedule};
use linspect_core::statement::{
    Effect, Operand, RecordError, Recording, Relation, Rule, Variable, parts,
};
use linspect_core::value::Value;
use linspect_vm::{Chooser, LoadedProgram, Settings, frontend, run};
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

fn load(files: &[PathBuf]) -> LoadedProgram {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let source = frontend::Source {
        files: files.to_vec(),
        c_flags: vec![format!("-I{}", root.join("include").display())],
        ..frontend::Source::default()
    };
    let program = frontend::load(&source).unwrap_or_else(|e| panic!("{e}"));
    LoadedProgram::new(program, Settings::default()).unwrap_or_else(|e| panic!("{e}"))
}

fn root(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(path)
}

/// The state of a recording while it is computed again. Memory is kept by bytes, so that pieces of different sizes agree.
#[derive(Default)]
struct State {
    registers: HashMap<Variable, i64>,
    memory: BTreeMap<(u32, u32), u8>,
}

impl State {
    fn set(&mut self, variable: Variable, value: i64) {
        match variable {
            Variable::Register { .. } => {
                self.registers.insert(variable, value);
            }
            Variable::Cell(l) => {
                for (i, byte) in (0..l.size).zip(value.to_le_bytes()) {
                    self.memory.insert((l.allocation, l.offset + i), byte);
                }
            }
        }
    }

    fn get(&self, operand: Operand) -> Option<i64> {
        match operand {
            Operand::Constant(c) => Some(c),
            Operand::Variable(Variable::Cell(l)) => self.word(l),
            Operand::Variable(register) => self.registers.get(&register).copied(),
        }
    }

    fn word(&self, l: Location) -> Option<i64> {
        let mut bytes = [0; 8];
        for i in 0..l.size {
            bytes[i as usize] = *self.memory.get(&(l.allocation, l.offset + i))?;
        }
        let unused = 64 - 8 * l.size;
        Some(i64::from_le_bytes(bytes) << unused >> unused)
    }
}

fn compute(rule: Rule, operands: &[i64], width: u8) -> Option<i64> {
    let unused = 64 - u32::from(width.clamp(1, 64));
    let cut = |n: i64| {
        if width == 1 {
            n & 1
        } else {
            n << unused >> unused
        }
    };
    Some(match (rule, operands) {
        // What is read or written; after it, the pointer that it goes through.
        (Rule::Copy, &[a, ..]) => a,
        (Rule::Add, &[a, b]) => cut(a.wrapping_add(b)),
        (Rule::Sub, &[a, b]) => cut(a.wrapping_sub(b)),
        (Rule::Mul, &[a, b]) => cut(a.wrapping_mul(b)),
        (Rule::Compare(r) | Rule::CompareAddresses(r), &[a, b]) => i64::from(r.holds(a, b)),
        (Rule::Select, &[c, a, b]) => {
            if c != 0 {
                a
            } else {
                b
            }
        }
        (Rule::Truncate, &[a]) => cut(a),
        (Rule::ZeroExtend(64), &[a]) => a,
        (Rule::ZeroExtend(from), &[a]) => a & ((1 << from) - 1),
        (Rule::SignExtend(1), &[a]) => -a,
        (Rule::SignExtend(_), &[a]) => a,
        (Rule::And, &[a, b]) => a & b,
        (Rule::Or, &[a, b]) => a | b,
        (Rule::Xor, &[a, b]) => a ^ b,
        _ => return None,
    })
}

/// Computes a recording again; how many statements its rules explain.
fn recompute(name: &str, recording: &Recording) -> usize {
    let mut state = State::default();
    for (&variable, &value) in &recording.initial {
        state.set(variable, value);
    }
    let mut explained = 0;
    for (i, statement) in recording.statements.iter().enumerate() {
        if let Some(scope) = statement.scope {
            let condition = &recording.statements[scope as usize];
            assert!((scope as usize) < i, "{name}: scopes open before");
            assert!(matches!(condition.effect, Effect::Condition { .. }));
        }
        match &statement.effect {
            Effect::Assign {
                target,
                rule,
                operands,
                width,
                value,
            } => {
                let values: Option<Vec<i64>> = operands.iter().map(|o| state.get(*o)).collect();
                let values =
                    values.unwrap_or_else(|| panic!("{name}: {i} reads nothing: {statement:?}"));
                if let Some(computed) = compute(*rule, &values, *width) {
                    assert_eq!(computed, *value, "{name}: {i} {statement:?} of {values:?}");
                    explained += 1;
                }
                state.set(*target, *value);
            }
            Effect::Condition { operand, holds } => {
                let value = state.get(*operand).expect("a condition on something");
                assert_eq!(value != 0, *holds, "{name}: {i} {statement:?}");
            }
        }
    }
    for alternative in &recording.claim.any_of {
        let holds = alternative.iter().all(|&(operand, relation, c)| {
            relation.holds(state.get(operand).expect("a claim about something"), c)
        });
        assert!(!holds, "{name}: the claim holds");
    }
    for returned in &recording.results {
        for part in &returned.parts {
            assert!(state.get(*part).is_some(), "{name}: {returned:?}");
        }
    }
    explained
}

/// Every plain program of the zoo, under random schedules, failing or not.
#[test]
fn recordings_of_programs_compute_again() {
    let mut folder: Vec<PathBuf> = std::fs::read_dir(root("zoo/c/programs"))
        .expect("the zoo")
        .map(|entry| entry.expect("readable").path())
        .filter(|path| path.extension().is_some_and(|e| e == "c"))
        .collect();
    folder.sort();
    assert!(folder.len() >= 25);
    let (mut faults, mut claims) = (0, 0);
    for file in folder {
        let name = file.display().to_string();
        let code = load(&[file]);
        for seed in 0..12 {
            let client = Client::default();
            let ran = run(&code, &client, &Chooser::Random(seed), 10_000).expect("it starts");
            let recording = code.record(&client, &ran.schedule).expect("it replays");
            let explained = recompute(&name, &recording);
            assert!(explained > 2, "{name}: {explained}");
            if ran
                .execution
                .steps
                .last()
                .is_some_and(|s| s.fault.is_some())
            {
                faults += 1;
                claims += usize::from(!recording.claim.any_of.is_empty());
            }
        }
    }
    assert!(faults > 20, "too few runs fail: {faults}");
    assert_eq!(faults, claims, "every fault violates a claim");
}

/// What operations return is written down part by part, prefix and suffix apart.
#[test]
fn recordings_of_clients_have_results() {
    let code = load(&[root("corpus/harness/c/treiber.c")]);
    let call = |operation, argument| Invocation {
        operation,
        argument,
    };
    let client = Client {
        before: vec![call(0, Value::Int(2))],
        threads: vec![
            vec![call(0, Value::Int(1)), call(1, Value::Unit)],
            vec![call(1, Value::Unit)],
        ],
        after: vec![call(1, Value::Unit)],
        ..Client::default()
    };
    for seed in 0..20 {
        let ran = run(&code, &client, &Chooser::Random(seed), 10_000).expect("it starts");
        let recording = code.record(&client, &ran.schedule).expect("it replays");
        recompute("treiber", &recording);
        assert!(recording.claim.any_of.is_empty(), "nothing failed");
        let mut state = State::default();
        for statement in &recording.statements {
            if let Effect::Assign { target, value, .. } = &statement.effect {
                state.set(*target, *value);
            }
        }
        let recorded: BTreeMap<_, Vec<i64>> = recording
            .results
            .iter()
            .map(|r| {
                let values = r.parts.iter().map(|p| state.get(*p).expect("assigned"));
                (r.operation, values.collect())
            })
            .collect();
        let threads = ran
            .execution
            .steps
            .iter()
            .filter_map(|s| s.returned.as_ref());
        for (operation, ending) in threads {
            let linspect_core::execution::Ending::Returned(value) = ending else {
                panic!("{ending:?}");
            };
            assert_eq!(recorded.get(operation), Some(&parts(value)), "seed {seed}");
        }
        assert_eq!(recording.results.len(), 4, "three calls and the suffix");
    }
}

/// A lost update, statement by statement: the race is in the recording, in the source's names.
#[test]
fn a_lost_update_is_written_down() {
    let code = load(&[root("zoo/c/programs/counter_seq.c")]);
    let failing = (0..200).find_map(|seed| {
        let ran = run(&code, &Client::default(), &Chooser::Random(seed), 1000).ok()?;
        let failed = ran.execution.steps.last()?.fault.is_some();
        failed.then_some(ran.schedule)
    });
    let schedule = failing.expect("some schedule loses an update");
    let recording = code.record(&Client::default(), &schedule).expect("replays");
    let [alternative] = &recording.claim.any_of[..] else {
        panic!("{:?}", recording.claim);
    };
    assert_eq!(alternative.len(), 1);
    assert!(matches!(alternative[0].1, Relation::Ne | Relation::Eq));
    let named = |wanted: &str| {
        let variables = recording.names.iter();
        variables.filter(|(_, name)| &***name == wanted).count()
    };
    assert_eq!(named("counter"), 1);
    assert!(named("seen") >= 2, "one per thread");
    let writes = recording.statements.iter().filter(|s| {
        matches!(&s.effect, Effect::Assign { target, .. }
            if recording.names.get(target).is_some_and(|n| &**n == "counter"))
    });
    let writers: Vec<_> = writes.map(|s| s.thread).collect();
    assert!(writers.contains(&1) && writers.contains(&2), "{writers:?}");
}

#[test]
fn an_impossible_schedule_is_refused() {
    let code = load(&[root("zoo/c/programs/counter_seq.c")]);
    let schedule = Schedule(vec![Choice::of(7)]);
    let refused = code.record(&Client::default(), &schedule);
    assert_eq!(refused.err(), Some(RecordError::Diverged { step: 0 }));
}
