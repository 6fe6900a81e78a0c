//! Modules whose answers are known by hand.

use linspect_testkit::client::{Call, Client};
use linspect_testkit::code::Code;
use linspect_testkit::count;
use linspect_testkit::judge::{Judge, Wrong};
use linspect_testkit::language::{
    Block, Encoding, Function, Guard, Kind, Link, Module, Operand, Place, Statement, Test,
};
use linspect_testkit::machine::{Fault, Rules, Section};
use std::collections::BTreeSet;

const ONE: Operand = Operand::Number(1);
const X: Place = Place::Variable(0);
const Y: Place = Place::Variable(1);
const ROOT: Link = Link::Root(0);

fn module(kind: Kind, bodies: Vec<Block>) -> Module {
    let function = |body| Function {
        body,
        result: Operand::Local(1),
        arguments: Vec::new(),
    };
    Module {
        kind,
        variables: vec![0, 0],
        plains: 1,
        roots: 1,
        mutexes: 2,
        rwlocks: 1,
        conditions: vec![0],
        encoding: Encoding::Plain,
        functions: bodies.into_iter().map(function).collect(),
    }
}

fn client(threads: &[&[u8]]) -> Client {
    let calls = |functions: &&[u8]| {
        let call = |&function: &u8| Call {
            function,
            argument: None,
        };
        functions.iter().map(call).collect()
    };
    Client {
        threads: threads.iter().map(calls).collect(),
        ..Client::default()
    }
}

fn judged(module: &Module, client: &Client, rules: Rules) -> Vec<Wrong> {
    let code = Code::new(module, &[]);
    let wrong: BTreeSet<Wrong> = Judge::new(&code, rules, 100_000)
        .judge(client)
        .expect("it is small");
    wrong.into_iter().collect()
}

fn usual(module: &Module, client: &Client) -> Vec<Wrong> {
    judged(module, client, Rules::default())
}

/// Read, then write one more: what two of them come to is known to everybody.
fn lost_update() -> Module {
    let body = vec![
        Statement::Load(1, X),
        Statement::Set(2, Operand::Local(1), ONE),
        Statement::Store(X, Operand::Local(2)),
    ];
    module(Kind::Object, vec![body])
}

#[test]
fn an_update_is_lost() {
    let object = lost_update();
    assert_eq!(
        usual(&object, &client(&[&[0], &[0]])),
        [Wrong::NotLinearizable]
    );
    assert_eq!(usual(&object, &client(&[&[0, 0, 0]])), []);
    let add = module(Kind::Object, vec![vec![Statement::Add(1, X, ONE)]]);
    assert_eq!(usual(&add, &client(&[&[0, 0], &[0]])), []);
}

#[test]
fn an_atomic_section_mends_it() {
    let object = lost_update();
    let lines = vec![(1, 1), (2, 2), (3, 3)];
    let code = Code::new(&object, &[lines]);
    let section = |last| Rules {
        sections: vec![Section {
            function: 0,
            first: 1,
            last,
        }],
        ..Rules::default()
    };
    let two = client(&[&[0], &[0]]);
    let wrong = |last| {
        Judge::new(&code, section(last), 1_000)
            .judge(&two)
            .expect("it is small")
    };
    assert_eq!(wrong(3), BTreeSet::new());
    assert_eq!(wrong(2), BTreeSet::from([Wrong::NotLinearizable]));
}

/// Reads 1, 2 and writes a, b: of the six orders, `1a2b`, `2b1a`, and `12` with both orders of writes are four classes.
#[test]
fn classes_and_continuations_are_counted() {
    let object = lost_update();
    let two = client(&[&[0], &[0]]);
    let code = Code::new(&object, &[]);
    let rules = Rules::default();
    assert_eq!(count::classes(&code, &two, &rules, 10_000), Some(4));
    let mut judge = Judge::new(&code, rules.clone(), 10_000);
    let mut after =
        |schedule: &[usize]| count::continuations(&code, &two, &rules, &mut judge, schedule);
    assert_eq!(after(&[]), Some((2, 4)));
    assert_eq!(after(&[1]), Some((1, 2)));
    assert_eq!(after(&[1, 1]), Some((1, 0)));
    assert_eq!(after(&[1, 2]), Some((0, 2)));
    assert_eq!(after(&[1, 1, 1]), None);
}

/// Real time: two registers, each read is right by itself.
#[test]
fn results_that_fit_no_order_in_real_time_are_found() {
    let write = vec![Statement::Store(X, ONE), Statement::Store(Y, ONE)];
    let read = vec![Statement::Load(1, Y), Statement::Load(1, X)];
    let object = module(Kind::Object, vec![write, read]);
    assert_eq!(usual(&object, &client(&[&[0], &[1, 1]])), []);
    let object = module(
        Kind::Object,
        vec![
            vec![Statement::Store(X, ONE), Statement::Store(Y, ONE)],
            vec![Statement::Load(1, X)],
            vec![Statement::Load(1, Y)],
        ],
    );
    assert_eq!(
        usual(&object, &client(&[&[0], &[1, 2]])),
        [Wrong::NotLinearizable]
    );
}

#[test]
fn locks_in_both_orders_deadlock() {
    let nested = |a, b| {
        let inner = Statement::Region(Guard::Mutex(b), vec![Statement::Put(0, ONE)]);
        vec![Statement::Region(Guard::Mutex(a), vec![inner])]
    };
    let object = module(Kind::Object, vec![nested(0, 1), nested(1, 0)]);
    assert_eq!(usual(&object, &client(&[&[0], &[1]])), [Wrong::Stuck]);
    assert_eq!(usual(&object, &client(&[&[0], &[0]])), []);
}

/// Whoever waits alone, too, may wait.
#[test]
fn waiting_is_wrong_only_where_an_operation_would_not_wait_alone() {
    let wait = vec![Statement::Spin(X, 1)];
    let set = vec![Statement::Store(X, ONE)];
    let reset = vec![Statement::Store(X, Operand::Number(0))];
    let object = module(Kind::Object, vec![wait, set, reset]);
    assert_eq!(usual(&object, &client(&[&[0], &[2]])), []);
    assert_eq!(usual(&object, &client(&[&[0], &[1]])), []);
    // Set and reset: it may have been missed, or it may come first.
    assert_eq!(usual(&object, &client(&[&[0], &[1, 2]])), []);
    let program = module(
        Kind::Program,
        vec![
            vec![Statement::Start(0, 1, ONE), Statement::Join(0)],
            vec![Statement::Spin(X, 1)],
        ],
    );
    assert_eq!(usual(&program, &Client::default()), [Wrong::Stuck]);
}

#[test]
fn a_signal_before_the_wait_is_lost() {
    let wait = vec![Statement::Region(Guard::Mutex(0), vec![Statement::Wait(0)])];
    let main = vec![
        Statement::Start(0, 1, ONE),
        Statement::Notify(0, false),
        Statement::Join(0),
    ];
    let program = module(Kind::Program, vec![main, wait]);
    assert_eq!(usual(&program, &Client::default()), [Wrong::Stuck]);
    let checked = vec![Statement::Region(
        Guard::Mutex(0),
        vec![Statement::Loop(vec![
            Statement::Get(1, 0),
            Statement::Break(Test::Equal(Operand::Local(1), ONE)),
            Statement::Wait(0),
        ])],
    )];
    let main = vec![
        Statement::Start(0, 1, ONE),
        Statement::Region(Guard::Mutex(0), vec![Statement::Put(0, ONE)]),
        Statement::Notify(0, false),
        Statement::Join(0),
    ];
    let program = module(Kind::Program, vec![main, checked]);
    assert_eq!(usual(&program, &Client::default()), []);
}

#[test]
fn writers_keep_everybody_out_and_readers_only_writers() {
    let read = vec![Statement::Region(
        Guard::Read(0),
        vec![Statement::Store(X, ONE), Statement::Spin(Y, 1)],
    )];
    let other = vec![Statement::Region(
        Guard::Read(0),
        vec![Statement::Spin(X, 1), Statement::Store(Y, ONE)],
    )];
    let main = |first| {
        vec![
            Statement::Start(0, first, ONE),
            Statement::Start(1, 2, ONE),
            Statement::Join(0),
            Statement::Join(1),
        ]
    };
    let both = module(Kind::Program, vec![main(1), read.clone(), other.clone()]);
    assert_eq!(usual(&both, &Client::default()), []);
    let Statement::Region(_, inside) = read[0].clone() else {
        unreachable!("a region was just made")
    };
    let write = vec![Statement::Region(Guard::Write(0), inside)];
    let alone = module(Kind::Program, vec![main(1), write, other]);
    assert_eq!(usual(&alone, &Client::default()), [Wrong::Stuck]);
}

/// A cell that its owner frees and takes again is a bad pointer for others, whether that can be seen by its address or not.
#[test]
fn freed_cells_are_bad_even_when_taken_again() {
    let reader = vec![
        Statement::Follow(0, ROOT),
        Statement::If(
            Test::Some(0),
            vec![Statement::Spin(X, 1), Statement::Load(1, Place::Value(0))],
            Block::new(),
        ),
    ];
    let main = vec![
        Statement::New(0, ONE),
        Statement::Point(ROOT, Some(0)),
        Statement::Start(0, 1, ONE),
        Statement::Free(0),
        Statement::New(0, ONE),
        Statement::Store(X, ONE),
        Statement::Join(0),
    ];
    let program = module(Kind::Program, vec![main, reader]);
    let none = Client::default();
    assert_eq!(usual(&program, &none), []);
    let generations = Rules {
        generations: true,
        ..Rules::default()
    };
    let use_after_free = [Wrong::Fault(Fault::UseAfterFree)];
    assert_eq!(judged(&program, &none, generations), use_after_free);
    let fresh = Rules {
        reuse: false,
        ..Rules::default()
    };
    assert_eq!(judged(&program, &none, fresh), use_after_free);
}

#[test]
fn an_early_end_hides_nothing_that_came_before() {
    let fails = vec![
        Statement::Load(1, X),
        Statement::Assert(Test::Equal(Operand::Local(1), ONE)),
    ];
    let program = module(
        Kind::Program,
        vec![vec![Statement::Start(0, 1, ONE)], fails.clone()],
    );
    assert_eq!(
        usual(&program, &Client::default()),
        [Wrong::Fault(Fault::Assertion)]
    );
    let main = vec![Statement::Exit, Statement::Start(0, 1, ONE)];
    let program = module(Kind::Program, vec![main, fails]);
    assert_eq!(usual(&program, &Client::default()), []);
}

/// What is handed over by an atomic variable is not raced for.
#[test]
fn plain_variables_are_raced_for_or_handed_over() {
    let give = vec![Statement::Put(0, ONE), Statement::Store(X, ONE)];
    let look = vec![Statement::Get(1, 0)];
    let wait = vec![Statement::Spin(X, 1), Statement::Get(1, 0)];
    let main = |other| {
        let join = [Statement::Join(0), Statement::Join(1)];
        [
            vec![Statement::Start(0, 1, ONE), Statement::Start(1, other, ONE)],
            join.to_vec(),
        ]
        .concat()
    };
    let program = |other| {
        module(
            Kind::Program,
            vec![main(other), give.clone(), look.clone(), wait.clone()],
        )
    };
    let race = [Wrong::Fault(Fault::Race)];
    assert_eq!(usual(&program(2), &Client::default()), race);
    assert_eq!(usual(&program(3), &Client::default()), []);
    let readers = module(Kind::Object, vec![look]);
    assert_eq!(usual(&readers, &client(&[&[0], &[0]])), []);
}
