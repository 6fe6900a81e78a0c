//! One client in parts that know nothing of each other: whoever walks them, in whatever order, and wherever they are cut or given up, they come to what one walk does.

use super::cores::{client, counting, on, treiber, weak};
use linspect_core::check::{Budget, Unlimited};
use linspect_core::client::Client;
use linspect_core::property::Linearizable;
use linspect_core::spec::Stack;
use linspect_core::verdict::Limit;
use linspect_explore::promise::Promise;
use linspect_explore::search::{
    Explored, Keeping, Method, PartOfWalk, Plan, Purse, Recall, Recalled, WalkName, WalkRecord,
    keep, walk_parts,
};
use linspect_explore::strategies::graph::WalkPart;
use linspect_toy::Program;
use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// After how many steps a thread is stopped, and which part of that walk.
type Part = (u32, WalkPart);

/// Remembers what it hears, as it would be written.
#[derive(Default)]
struct Memory {
    each: Option<u64>,
    parts: Mutex<HashMap<Part, String>>,
    put_off: Mutex<Vec<Part>>,
    explored: Mutex<Option<Explored>>,
}

impl Memory {
    fn insert(&self, part: Part, record: &WalkRecord) {
        let text = serde_json::to_string(record).expect("plain data");
        self.parts.lock().expect("no panic").insert(part, text);
    }
}

impl Recall for Memory {
    fn recall(&self, _: &Client, _: &Plan) -> Option<Recalled> {
        None
    }

    fn note(&self, _: &Client, _: &Plan, explored: &Explored) {
        *self.explored.lock().expect("no panic") = Some(explored.clone());
    }

    fn part(&self, walk: &WalkName<'_>, part: &WalkPart) -> Option<WalkRecord> {
        let parts = self.parts.lock().expect("no panic");
        let text = parts.get(&(walk.steps, part.clone()))?;
        Some(serde_json::from_str(text).expect("it was written here"))
    }

    fn note_part(&self, walk: &WalkName<'_>, part: &WalkPart, record: WalkRecord) {
        self.insert((walk.steps, part.clone()), &record);
    }

    fn is_due(&self) -> bool {
        true
    }

    fn most_leaves(&self) -> Option<u64> {
        self.each
    }

    fn put_off(&self, walk: &WalkName<'_>, parts: Vec<WalkPart>) {
        let parts = parts.into_iter().map(|part| (walk.steps, part));
        *self.put_off.lock().expect("no panic") = parts.collect();
    }
}

/// A budget that allows so many questions.
struct Questions<'a>(&'a AtomicU64);

impl Budget for Questions<'_> {
    fn exhausted(&self, _memory: usize) -> Option<Limit> {
        let left = |left: u64| left.checked_sub(1);
        let asked = self
            .0
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, left);
        asked.is_err().then_some(Limit::Time)
    }
}

/// So many questions, or as many as one likes.
struct Allowed(Option<AtomicU64>);

impl Purse for Allowed {
    fn until(&self, _: f64) -> Box<dyn Budget + Sync + '_> {
        match &self.0 {
            Some(left) => Box::new(Questions(left)),
            None => Box::new(Unlimited),
        }
    }
}

/// Searches one client with a memory, on so many cores.
fn search(
    cores: usize,
    program: &Program,
    text: &str,
    plan: &Plan,
    memory: &Memory,
    purse: &Allowed,
) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(cores).build();
    let spec = Stack::default();
    let property = |client: &Client| Linearizable::new(&spec, client, &program.declared);
    let kept = pool.expect("a pool").install(|| {
        let keeping = Keeping {
            plan,
            promise: &Promise::named(Method::Exhaustive),
            purse,
            progress: &|_| {},
            beyond: &|_| false,
            memory: Some(memory),
            warm: None,
        };
        keep(program, [client(text)].into_iter(), property, keeping)
    });
    kept.expect("the harness is fine");
}

/// What a client comes to whose walk is cut after each so many leaves; how many parts there were.
fn in_parts(program: &Program, text: &str, plan: &Plan, each: u64) -> (Explored, usize) {
    let mut memory = Memory {
        each: Some(each),
        ..Memory::default()
    };
    let spec = Stack::default();
    let property = |client: &Client| Linearizable::new(&spec, client, &program.declared);
    let client = client(text);
    loop {
        search(2, program, text, plan, &memory, &Allowed(None));
        if let Some(explored) = memory.explored.lock().expect("no panic").take() {
            return (explored, memory.parts.lock().expect("no panic").len());
        }
        // From now on it is only asked what is left.
        memory.each = Some(0);
        let put_off = std::mem::take(&mut *memory.put_off.lock().expect("no panic"));
        assert!(!put_off.is_empty(), "{text}: it is neither known nor left");
        for (steps, part) in put_off.iter().rev() {
            let walked = PartOfWalk {
                subject: program,
                client: &client,
                plan,
                steps: *steps,
                part,
                leaves: each,
            };
            let walk = || walk_parts(std::slice::from_ref(&walked), &property, &Unlimited);
            let records = walk().expect("no limit");
            assert_eq!(walk(), Ok(records.clone()), "twice the same");
            assert!(records[0].executions() <= each, "{each}");
            memory.insert((*steps, part.clone()), &records[0]);
        }
    }
}

fn racy() -> Program {
    weak(
        "object racy
         global x = 0
         global y = 0
         op push 1 2 3
           write.na x arg
           write.rlx y arg
           v = read.rlx y
           return
         op pop
           return nil",
    )
}

#[test]
fn a_client_in_parts_comes_to_what_one_walk_does() {
    let usual = Plan::exhaustive();
    let counted = |most| Plan {
        executions: Some(most),
        ..usual
    };
    // What is wrong is found soon: it is cut after each leaf.
    for (program, text, plan, cut) in [
        (treiber("rel", "rel"), "ar/ar/r", usual, [9, 64, 1000]),
        (treiber("rlx", "rlx"), "ar/ar", usual, [1, 2, 1000]),
        (treiber("rlx", "rlx"), "aar/ar", usual, [1, 2, 1000]),
        (
            treiber("rel", "rel"),
            "ar/ar/r",
            counted(100),
            [9, 64, 1000],
        ),
        (
            treiber("rel", "rel"),
            "ar/ar/r",
            counted(433),
            [9, 64, 1000],
        ),
        (racy(), "aa/a", usual, [9, 64, 1000]),
        (counting(), "a/a", usual, [9, 64, 1000]),
    ] {
        let one = on(1, &program, text, &plan);
        let mut most = 0;
        for each in cut {
            let (explored, parts) = in_parts(&program, text, &plan, each);
            assert_eq!(explored, one, "{text}, cut after {each} leaves");
            most = most.max(parts);
        }
        assert!(most > 1, "{text} was never cut");
    }
    assert!(!on(1, &racy(), "aa/a", &usual).found.is_empty());
}

/// Given up at any moment, a walk goes on from what it noted last, and comes to the same.
#[test]
fn a_walk_goes_on_where_it_was() {
    for (program, text, is_right) in [
        (treiber("rel", "rel"), "ar/ar/r", true),
        (treiber("rlx", "rlx"), "aar/ar", false),
        (racy(), "aa/a", true),
        (counting(), "a/a/a", true),
    ] {
        let plan = Plan::exhaustive();
        let one = on(1, &program, text, &plan);
        for cores in [1, 5] {
            let memory = Memory::default();
            let mut noted = Vec::new();
            for questions in [1, 40, 90, 150, 200, 300] {
                let purse = Allowed(Some(AtomicU64::new(questions)));
                search(cores, &program, text, &plan, &memory, &purse);
                noted.push(memory.parts.lock().expect("no panic").len());
            }
            search(cores, &program, text, &plan, &memory, &Allowed(None));
            let explored = memory.explored.lock().expect("no panic").take();
            assert_eq!(explored, Some(one.clone()), "{text}, {cores} cores");
            // An error may be found before anything is told.
            let is_noted = noted.iter().any(|parts| *parts > 0);
            assert!(is_noted || !is_right, "{text}: nothing was noted");
        }
    }
}
