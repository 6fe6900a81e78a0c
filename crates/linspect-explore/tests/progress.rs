//! Which promises of progress objects keep. What is expected is known from the literature: locks hinder, Treiber's stack and the queue of Michael and Scott are lock-free and not
//! wait-free, a fetch-and-add is wait-free.

use linspect_core::check::Unlimited;
use linspect_core::client::{Client, Invocation};
use linspect_core::execution::End;
use linspect_core::machine::{Machine, Subject};
use linspect_core::run::{Bounds, Follow, Nobody, run};
use linspect_core::verdict::Limit;
use linspect_explore::clients::{Sizes, enumerate};
use linspect_explore::progress::ProgressGuarantee::{self, LockFree, ObstructionFree, WaitFree};
use linspect_explore::progress::{
    ClientProgress, Overtaking, Stall, StallKind, of_client, overtaken,
};
use linspect_toy::{Program, objects};

/// Clients of two threads with at most three operations, each with its first value.
fn clients(program: &Program) -> Vec<Client> {
    let mut declared = program.declared.clone();
    for operation in &mut declared {
        operation.domain.truncate(1);
    }
    let sizes = Sizes {
        threads: 2,
        operations: 3,
    };
    enumerate(&declared, sizes).collect()
}

/// The first run that breaks the promise, and its client.
fn broken(program: &Program, guarantee: ProgressGuarantee) -> Option<(Client, Stall)> {
    for client in clients(program) {
        let mut machine = program.start(&client).expect("it starts");
        match of_client(&mut machine, guarantee, &Unlimited) {
            ClientProgress::Kept(states) => assert!(states > 1),
            ClientProgress::Stalled(stall) => return Some((client, stall)),
            ClientProgress::Undecided => panic!("{client:?} is small"),
        }
    }
    if guarantee < WaitFree {
        return None;
    }
    let call = |operation: usize| Invocation {
        operation: operation as u16,
        argument: program.declared[operation].domain[0].clone(),
    };
    let calls = || (0..program.declared.len()).map(call);
    calls().find_map(|operation| {
        calls().find_map(|other| {
            let found = overtaken(program, &[], &operation, &[other], &Unlimited);
            match found.expect("it starts") {
                Overtaking::No => None,
                Overtaking::Yes(client, stall) => Some((client, stall)),
                Overtaking::Undecided(client) => panic!("too many states: {client:?}"),
            }
        })
    })
}

/// Which promises an object keeps, the strongest last.
fn kept(program: &Program) -> Vec<ProgressGuarantee> {
    let all = [ObstructionFree, LockFree, WaitFree];
    all.into_iter()
        .filter(|promise| broken(program, *promise).is_none())
        .collect()
}

fn parse(text: &str) -> Program {
    Program::parse(text).expect("it is well formed")
}

/// Two threads write, each looks whether its own is still there, and tries again.
fn stubborn() -> Program {
    parse(
        "global x = 0
         op claim 1 2
         again:
           write x arg
           a = read x
           if a!=arg goto again
           return",
    )
}

#[test]
fn locks_hinder_even_those_who_run_alone() {
    for program in [objects::locked_counter(), objects::spin_counter()] {
        assert_eq!(kept(&program), [], "{}", program.name);
        let (_, stall) = broken(&program, ObstructionFree).expect("a lock");
        assert!(matches!(stall.kind, StallKind::Waits(_)), "{stall:?}");
    }
}

#[test]
fn who_tries_again_until_nobody_interferes_is_obstruction_free() {
    let program = stubborn();
    let client = Client {
        threads: vec![
            vec![Invocation {
                operation: 0,
                argument: 1.into(),
            }],
            vec![Invocation {
                operation: 0,
                argument: 2.into(),
            }],
        ],
        ..Client::default()
    };
    let of = |promise| {
        let mut machine = program.start(&client).expect("it starts");
        of_client(&mut machine, promise, &Unlimited)
    };
    assert!(matches!(of(ObstructionFree), ClientProgress::Kept(_)));
    let ClientProgress::Stalled(stall) = of(LockFree) else {
        panic!("both can go round for ever");
    };
    let StallKind::Round(length) = stall.kind else {
        panic!("{stall:?}");
    };
    // Once around leads back: the same steps can be taken for ever.
    let mut machine = program.start(&client).expect("it starts");
    let whole = stall.schedule.clone();
    let mut stem = whole.clone();
    stem.0.truncate(whole.0.len() - length);
    let told = run(
        &mut machine,
        &mut Follow::new(&stem),
        Bounds::NONE,
        &mut Nobody,
    );
    assert_eq!(told.end, End::Cut);
    let before = machine.fingerprint();
    let mut machine = program.start(&client).expect("it starts");
    let told = run(
        &mut machine,
        &mut Follow::new(&whole),
        Bounds::NONE,
        &mut Nobody,
    );
    assert!(told.steps.iter().all(|step| step.returned.is_none()));
    assert_eq!(machine.fingerprint(), before);
}

#[test]
fn lock_free_objects_are_and_others_can_hinder_one_for_ever() {
    for program in [objects::treiber(), objects::ms_queue()] {
        assert_eq!(
            kept(&program),
            [ObstructionFree, LockFree],
            "{}",
            program.name
        );
    }
    let (_, stall) = broken(&objects::treiber(), WaitFree).expect("a push is overtaken");
    let StallKind::Grows(steps) = &stall.kind else {
        panic!("{stall:?}");
    };
    // Each push of another makes it read the top, write its node and try again.
    let more: Vec<usize> = steps.windows(2).map(|pair| pair[1] - pair[0]).collect();
    assert!(more.iter().all(|steps| *steps == more[0]), "{steps:?}");
    let own = stall.schedule.0.iter().filter(|choice| choice.thread == 0);
    assert_eq!(own.count(), *steps.last().expect("several"));
}

#[test]
fn an_operation_of_one_step_is_wait_free() {
    let counter = parse("global x = 0\nop get_and_inc\nv = faa x 1\nreturn v");
    assert_eq!(kept(&counter), [ObstructionFree, LockFree, WaitFree]);
    assert_eq!(
        kept(&objects::striped_counter()),
        [ObstructionFree, LockFree, WaitFree]
    );
}

/// Whoever has no time to look says neither that an operation can be overtaken nor that it cannot.
#[test]
fn without_time_nothing_is_known() {
    let counter = parse("global x = 0\nop get_and_inc\nv = faa x 1\nreturn v");
    let over = |_: usize| Some(Limit::Time);
    let call = Invocation {
        operation: 0,
        argument: counter.declared[0].domain[0].clone(),
    };
    let found = overtaken(&counter, &[], &call, std::slice::from_ref(&call), &over);
    let found = found.expect("it starts");
    assert!(matches!(found, Overtaking::Undecided(_)), "{found:?}");
    for client in clients(&counter) {
        let mut machine = counter.start(&client).expect("it starts");
        let found = of_client(&mut machine, WaitFree, &over);
        assert!(matches!(found, ClientProgress::Undecided), "{found:?}");
    }
}

#[test]
fn promises_are_read_as_they_are_typed() {
    assert_eq!("lock_free".parse(), Ok(LockFree));
    assert_eq!("obstruction-free".parse(), Ok(ObstructionFree));
    assert_eq!("fast".parse::<ProgressGuarantee>(), Err(()));
    assert_eq!(WaitFree.to_string(), "wait-free");
}
