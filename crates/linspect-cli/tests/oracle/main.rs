//! Random objects and programs, judged by Linspect as a user runs it and by brute force, which shares no code with it.

mod compare;
mod oracle;
mod recount;
mod tool;
mod weak;

use compare::{Language, UNDECIDED, compare_decided, compare_object, compare_program};
use linspect_testkit::generate::{Manners, Theme};
use recount::RECOUNTED;
use std::sync::atomic::Ordering;

/// Compares `count` objects of a theme.
fn objects(theme: Theme, language: Language, count: u64, seed: u64) {
    run(count, seed, &|seed| compare_object(theme, language, seed));
}

/// Compares `count` programs of a theme.
fn programs(theme: Theme, manners: Manners, language: Language, count: u64, seed: u64) {
    run(count, seed, &|seed| {
        compare_program(theme, manners, language, seed)
    });
}

/// Compares the modules of `count` seeds, of fifteen times as many where all are asked for, or of `LINSPECT_SEED` alone. Says how many were compared.
fn run(count: u64, seed: u64, compare: &dyn Fn(u64) -> Result<(), String>) -> u64 {
    let times = if std::env::var_os("LINSPECT_LONG").is_some() {
        15
    } else {
        1
    };
    let only = std::env::var("LINSPECT_SEED").ok();
    let only: Option<u64> = only.map(|s| s.parse().expect("LINSPECT_SEED is a number"));
    let mut wrong = Vec::new();
    let mut compared = 0;
    for seed in (seed..seed + count * times).filter(|s| only.is_none_or(|o| o == *s)) {
        compared += 1;
        if let Err(text) = compare(seed) {
            println!("{text}");
            wrong.push(seed);
        }
    }
    let recounted = RECOUNTED.load(Ordering::Relaxed);
    println!("the decisive races of {recounted} modules were counted again");
    let undecided = UNDECIDED.load(Ordering::Relaxed);
    assert!(
        undecided * 50 <= count * times + 50,
        "for {undecided} modules there was no time"
    );
    assert!(
        wrong.is_empty(),
        "Linspect and brute force disagree about the seeds {wrong:?}"
    );
    compared
}

const PLAIN: Manners = Manners {
    nested: false,
    early: false,
    asserts: true,
};

const NESTED: Manners = Manners {
    nested: true,
    ..PLAIN
};

const EARLY: Manners = Manners {
    early: true,
    ..PLAIN
};

#[test]
fn atomics() {
    objects(Theme::Atomics, Language::C, 40, 1_000_000);
}

#[test]
fn decisive_races() {
    let mut asked = 0;
    for (theme, language, count, seed) in [
        (Theme::Atomics, Language::C, 8, 61_000_000),
        (Theme::Mutexes, Language::C, 6, 62_000_000),
        (Theme::Atomics, Language::Rust, 2, 63_000_000),
    ] {
        asked += run(count, seed, &|seed| compare_decided(theme, language, seed));
    }
    let recounted = RECOUNTED.load(Ordering::Relaxed);
    // Of 240 modules in the long form, at least 200.
    assert!(
        recounted * 6 >= asked * 5,
        "the decisive races of {recounted} of {asked} modules were counted again"
    );
}

#[test]
fn mutexes() {
    objects(Theme::Mutexes, Language::C, 40, 2_000_000);
}

#[test]
fn read_write_locks() {
    objects(Theme::RwLocks, Language::C, 20, 3_000_000);
}

#[test]
fn conditions() {
    objects(Theme::Conditions, Language::C, 20, 4_000_000);
}

#[test]
fn spins() {
    objects(Theme::Spins, Language::C, 24, 5_000_000);
}

#[test]
fn cells() {
    objects(Theme::Heap, Language::C, 40, 6_000_000);
}

#[test]
fn hidden_pointers() {
    objects(Theme::Hidden, Language::C, 30, 7_000_000);
}

#[test]
fn data_races() {
    objects(Theme::Races, Language::C, 16, 8_000_000);
    programs(Theme::Races, PLAIN, Language::C, 8, 18_000_000);
}

#[test]
fn programs_in_c() {
    programs(Theme::Atomics, PLAIN, Language::C, 16, 11_000_000);
    programs(Theme::Mutexes, PLAIN, Language::C, 12, 12_000_000);
    programs(Theme::RwLocks, PLAIN, Language::C, 8, 13_000_000);
    programs(Theme::Conditions, PLAIN, Language::C, 12, 14_000_000);
    programs(Theme::Spins, PLAIN, Language::C, 8, 15_000_000);
    programs(Theme::Heap, PLAIN, Language::C, 12, 16_000_000);
    programs(Theme::Hidden, PLAIN, Language::C, 12, 17_000_000);
}

#[test]
fn threads_that_start_threads() {
    programs(Theme::Atomics, NESTED, Language::C, 16, 21_000_000);
    programs(Theme::Mutexes, NESTED, Language::C, 8, 22_000_000);
    programs(Theme::Heap, NESTED, Language::C, 8, 26_000_000);
}

#[test]
fn early_ends() {
    programs(Theme::Atomics, EARLY, Language::C, 16, 31_000_000);
    programs(Theme::Mutexes, EARLY, Language::C, 8, 32_000_000);
    programs(Theme::Heap, EARLY, Language::C, 8, 36_000_000);
}

#[test]
fn objects_in_rust() {
    objects(Theme::Atomics, Language::Rust, 6, 41_000_000);
    objects(Theme::Mutexes, Language::Rust, 4, 42_000_000);
    objects(Theme::RwLocks, Language::Rust, 2, 43_000_000);
    objects(Theme::Conditions, Language::Rust, 2, 44_000_000);
    objects(Theme::Heap, Language::Rust, 4, 46_000_000);
    objects(Theme::Hidden, Language::Rust, 4, 47_000_000);
}

#[test]
fn programs_in_rust() {
    programs(Theme::Atomics, PLAIN, Language::Rust, 6, 51_000_000);
    programs(Theme::Mutexes, PLAIN, Language::Rust, 2, 52_000_000);
    programs(Theme::Conditions, PLAIN, Language::Rust, 2, 54_000_000);
    programs(Theme::Heap, PLAIN, Language::Rust, 4, 56_000_000);
}
