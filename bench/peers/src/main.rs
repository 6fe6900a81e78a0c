//! Linspect beside loom and shuttle, on the same objects and clients, in one run.
//!
//! The objects of `objects/` are what Linspect is given. loom and shuttle need their own types, so `build.rs` makes a port for each by
//! replacing `std::sync`, `std::thread` and `std::hint`; nothing else differs. All accesses of the objects are sequentially consistent.
//!
//! The programs of `programs/` are about weaker orderings, most of them after loom's own tests. Each says whether it is right; what either tool says is set beside that.

mod linspect;
mod peers;

include!(concat!(env!("OUT_DIR"), "/programs.rs"));

use linspect::Sampler;
use std::time::Duration;

/// A client, as Linspect is told: the calls of each thread.
type Calls = &'static [&'static [(&'static str, Option<i64>)]];

/// An object with one client, for everybody.
struct Subject {
    name: &'static str,
    client: Calls,
    /// The client as loom and as shuttle run it, with a careful and with a careless object.
    loom: fn(),
    shuttle: fn(),
    shuttle_careless: fn(),
}

/// An object with a client of another shape, for Linspect and loom.
struct Shape {
    name: &'static str,
    /// The harness that Linspect is given.
    object: &'static str,
    client: Calls,
    loom: fn(),
}

/// A program with weaker orderings, for Linspect and loom.
pub(crate) struct WeakProgram {
    name: &'static str,
    /// The program as Linspect is given it.
    file: &'static str,
    is_wrong: bool,
    /// The program as loom runs it.
    loom: fn(),
}

macro_rules! subject {
    ($name:ident, $client:expr) => {
        Subject {
            name: stringify!($name),
            client: $client,
            loom: peers::loom_port::clients::$name::<true>,
            shuttle: peers::shuttle_port::clients::$name::<true>,
            shuttle_careless: peers::shuttle_port::clients::$name::<false>,
        }
    };
}

const COUNT: (&str, Option<i64>) = ("get_and_increment", None);

const SUBJECTS: [Subject; 5] = [
    subject!(
        treiber_stack,
        &[
            &[("push", Some(1)), ("pop", None)],
            &[("push", Some(2)), ("pop", None)]
        ]
    ),
    subject!(
        ring,
        &[
            &[("enqueue", Some(1)), ("enqueue", Some(2))],
            &[("dequeue", None), ("dequeue", None)]
        ]
    ),
    subject!(spin_counter, &[&[COUNT, COUNT], &[COUNT, COUNT]]),
    subject!(ticket_counter, &[&[COUNT, COUNT], &[COUNT, COUNT]]),
    subject!(
        ms_queue,
        &[
            &[("enqueue", Some(1)), ("dequeue", None)],
            &[("enqueue", Some(2)), ("dequeue", None)]
        ]
    ),
];

/// Three threads; the calling thread as one of two; conditions; owners that are counted.
const SHAPES: [Shape; 7] = [
    Shape {
        name: "treiber_stack, three threads",
        object: "treiber_stack",
        client: &[&[("push", Some(1))], &[("pop", None)], &[("push", Some(2))]],
        loom: peers::loom_port::clients::treiber_stack_three,
    },
    Shape {
        name: "ms_queue, three threads",
        object: "ms_queue",
        client: &[
            &[("enqueue", Some(1))],
            &[("dequeue", None)],
            &[("enqueue", Some(2))],
        ],
        loom: peers::loom_port::clients::ms_queue_three,
    },
    Shape {
        name: "ticket_counter, three threads",
        object: "ticket_counter",
        client: &[&[COUNT], &[COUNT], &[COUNT]],
        loom: peers::loom_port::clients::ticket_counter_three,
    },
    Shape {
        name: "treiber_stack, calling thread",
        object: "treiber_stack",
        client: SUBJECTS[0].client,
        loom: peers::loom_port::clients::treiber_stack_calling,
    },
    Shape {
        name: "ring, calling thread",
        object: "ring",
        client: SUBJECTS[1].client,
        loom: peers::loom_port::clients::ring_calling,
    },
    Shape {
        name: "buffer (Mutex, Condvar)",
        object: "buffer",
        client: SUBJECTS[1].client,
        loom: peers::loom_port::clients::buffer,
    },
    Shape {
        name: "shared_counter (Mutex, Arc)",
        object: "shared_counter",
        client: &[&[COUNT, COUNT], &[COUNT, COUNT]],
        loom: peers::loom_port::clients::shared_counter,
    },
];

/// Runs for the rate.
const RUNS: u64 = 20_000;

/// How many seeds the search for a fault starts from.
const SEEDS: u64 = 401;

/// Depth of faults that PCT looks for.
const DEPTH: u32 = 3;

/// Executions after which a search for a fault gives up.
const MOST: u64 = 5_000;

/// Prints what Linspect and loom say of the programs with weaker orderings.
fn weak() {
    let says = |tried: &linspect::Tried| if tried.found { "wrong" } else { "right" };
    println!("Weaker orderings (processor time)\n");
    println!("| program | is | linspect | loom | ratio |\n|---|---|--:|--:|--:|");
    for program in PROGRAMS {
        let ours = linspect::weak(std::path::Path::new(program.file));
        let theirs = peers::weak(program.loom);
        let tell = |tried: &linspect::Tried| {
            let verdict = match tried.found == program.is_wrong {
                true => says(tried).to_owned(),
                false => format!("**{}**", says(tried)),
            };
            format!("{verdict}: {} in {}", tried.executions, millis(tried.time))
        };
        println!(
            "| {} | {} | {} | {} | {:.1}× |",
            program.name,
            if program.is_wrong { "wrong" } else { "right" },
            tell(&ours),
            tell(&theirs),
            theirs.time.as_secs_f64() / ours.time.as_secs_f64()
        );
    }
    println!();
}

type Loaded = (&'static Subject, linspect::Loaded, linspect::Loaded);

/// Prints how long it takes to show all executions.
fn exhaust(subjects: &[Loaded]) {
    println!("Time to exhaust (processor time)\n");
    println!("| object | linspect | loom | ratio |\n|---|--:|--:|--:|");
    let shapes = SHAPES.iter().map(|shape| {
        let loaded = linspect::load(shape.object, shape.client, true);
        (shape.name, loaded, shape.loom)
    });
    let shapes: Vec<(&str, linspect::Loaded, fn())> = shapes.collect();
    let shapes = shapes
        .iter()
        .map(|(name, loaded, loom)| (*name, loaded, *loom));
    let subjects = subjects.iter();
    let subjects = subjects.map(|(subject, careful, _)| (subject.name, careful, subject.loom));
    for (name, careful, loom) in subjects.chain(shapes) {
        let ours = linspect::exhaust(careful);
        let (theirs, ratio) = match peers::exhaust(loom) {
            Some(theirs) => {
                let more = if theirs.stopped { "more than " } else { "" };
                let ratio = theirs.time.as_secs_f64() / ours.1.as_secs_f64();
                (
                    format!("{more}{} in {}", theirs.executions, millis(theirs.time)),
                    format!("{more}{ratio:.0}×"),
                )
            }
            None => ("gives up".into(), "–".into()),
        };
        println!(
            "| {name} | {} in {} | {theirs} | {ratio} |",
            ours.0,
            millis(ours.1),
        );
    }
}

/// Prints how many random executions a second there are.
fn random(subjects: &[Loaded]) {
    println!("\nExecutions per second, random schedules\n");
    println!("| object | linspect | from the start | shuttle | ratio | from the start |");
    println!("|---|--:|--:|--:|--:|--:|");
    for (subject, careful, _) in subjects {
        let rate = |time: Duration| RUNS as f64 / time.as_secs_f64();
        let ours = rate(linspect::random(careful, RUNS));
        let whole = rate(linspect::random_from_start(careful, RUNS));
        let theirs = rate(peers::random(subject.shuttle, RUNS));
        println!(
            "| {} | {ours:.0} | {whole:.0} | {theirs:.0} | {:.2}× | {:.2}× |",
            subject.name,
            ours / theirs,
            whole / theirs,
        );
    }
}

/// Prints how many random executions it takes to find a fault.
fn samplers(subjects: &[Loaded]) {
    println!(
        "\nMedian number of executions to the first violation, careless objects, {SEEDS} seeds\n"
    );
    println!(
        "| object | linspect surw | linspect pct | pct, plain program | linspect dpct | shuttle pct |"
    );
    println!("|---|--:|--:|--:|--:|--:|");
    for (subject, _, careless) in subjects {
        let median = |find: &dyn Fn(u64) -> u64| {
            let mut all: Vec<u64> = (0..SEEDS).map(find).collect();
            all.sort_unstable();
            all[all.len() / 2]
        };
        let plain = linspect::load_plain(subject.name);
        println!(
            "| {} | {} | {} | {} | {} | {} |",
            subject.name,
            median(&|seed| linspect::first(careless, Sampler::Surw, seed)),
            median(&|seed| linspect::first(careless, Sampler::Pct, seed)),
            median(&|seed| linspect::first_of_plain(&plain, seed)),
            median(&|seed| linspect::first(careless, Sampler::Dpct, seed)),
            median(&|seed| peers::first(subject.shuttle_careless, seed)),
        );
    }
}

/// Prints the tables that are named, or all.
fn main() {
    let named: Vec<String> = std::env::args().skip(1).collect();
    let wants = |table: &str| named.is_empty() || named.iter().any(|name| name == table);
    if wants("weak") {
        weak();
    }
    let load = |s: &'static Subject| {
        let load = |careful| linspect::load(s.name, s.client, careful);
        (s, load(true), load(false))
    };
    let subjects: Vec<Loaded> = SUBJECTS.iter().map(load).collect();
    if wants("exhaust") {
        exhaust(&subjects);
    }
    if wants("random") {
        random(&subjects);
    }
    if wants("samplers") {
        samplers(&subjects);
    }
}

fn millis(time: Duration) -> String {
    format!("{:.2} ms", time.as_secs_f64() * 1000.0)
}
