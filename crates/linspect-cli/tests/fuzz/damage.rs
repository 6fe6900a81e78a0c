//! Damages inputs at random, for as long as it is asked to; a failure is made small by proptest.

use proptest::collection::vec;
use proptest::prelude::{Just, Strategy, any, prop_oneof};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use std::time::{Duration, Instant};

/// One change. Positions count in 65536ths of the input, so that they mean something for every length.
#[derive(Clone, Debug)]
enum Edit {
    Flip(u16, u8),
    Set(u16, u8),
    Insert(u16, usize),
    Delete(u16, u16),
    Repeat(u16, u16, u8),
    Cut(u16),
}

fn edit(words: usize) -> impl Strategy<Value = Edit> {
    let at = any::<u16>();
    prop_oneof![
        (at, 0..8u8).prop_map(|(at, bit)| Edit::Flip(at, bit)),
        (at, any::<u8>()).prop_map(|(at, byte)| Edit::Set(at, byte)),
        (at, 0..words.max(1)).prop_map(|(at, word)| Edit::Insert(at, word)),
        (at, 0..2000u16).prop_map(|(at, len)| Edit::Delete(at, len)),
        (at, 0..2000u16, 1..20u8).prop_map(|(at, len, times)| Edit::Repeat(at, len, times)),
        at.prop_map(Edit::Cut),
    ]
}

/// An input that is shown as text.
#[derive(Clone)]
struct Damaged(Vec<u8>);

impl std::fmt::Debug for Damaged {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.0.escape_ascii())
    }
}

fn apply(input: &mut Vec<u8>, edit: &Edit, dictionary: &[&str]) {
    let place = |at: u16, len: usize| usize::from(at) * len / 65536;
    let len = input.len();
    let range = |at: u16, part: u16| {
        let start = place(at, len);
        start..(start + usize::from(part) * len / 65536 + 1).min(len)
    };
    match *edit {
        Edit::Flip(at, bit) if len > 0 => input[place(at, len)] ^= 1 << bit,
        Edit::Set(at, byte) if len > 0 => input[place(at, len)] = byte,
        Edit::Insert(at, word) => {
            let start = place(at, len);
            let word = dictionary.get(word).map_or(&b"\0"[..], |w| w.as_bytes());
            input.splice(start..start, word.iter().copied());
        }
        Edit::Delete(at, part) => drop(input.drain(range(at, part))),
        Edit::Repeat(at, part, times) => {
            let piece = input[range(at, part)].repeat(times.into());
            let start = place(at, len);
            input.splice(start..start, piece);
        }
        Edit::Cut(at) => input.truncate(place(at, len)),
        Edit::Flip(..) | Edit::Set(..) => {}
    }
}

/// Feeds damaged copies of `seeds` to `target`, words of `dictionary` put in here and there, for a `share`th of the time of a test.
///
/// # Panics
/// If `target` does, with the smallest input that makes it.
pub(crate) fn survive(share: u32, seeds: &[Vec<u8>], dictionary: &[&str], target: &dyn Fn(&[u8])) {
    assert!(!seeds.is_empty());
    for seed in seeds {
        target(seed);
    }
    let long = std::env::var_os("LINSPECT_LONG").is_some();
    let time = Duration::from_secs(if long { 600 } else { 10 }) / share;
    let input = (0..seeds.len(), vec(edit(dictionary.len()), 0..12));
    let damaged = input.prop_flat_map(|(seed, edits)| {
        let mut bytes = seeds[seed].clone();
        for edit in &edits {
            apply(&mut bytes, edit, dictionary);
        }
        Just(Damaged(bytes))
    });
    let start = Instant::now();
    for round in 0u64.. {
        if start.elapsed() >= time {
            println!("{round} rounds of 64 inputs");
            break;
        }
        let mut seed = [0; 32];
        seed[..8].copy_from_slice(&round.to_le_bytes());
        let config = Config {
            cases: 64,
            failure_persistence: None,
            ..Config::default()
        };
        let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &seed);
        let mut runner = TestRunner::new_with_rng(config, rng);
        let result = runner.run(&damaged, |Damaged(bytes)| {
            target(&bytes);
            Ok(())
        });
        if let Err(failure) = result {
            panic!("round {round}: {failure}");
        }
    }
}
