//! Where a thread stands, in the source's terms: its calls, those that were inlined included, and the loops around them.

use crate::frontend::{is_support, loom};
use crate::image::Image;
use crate::models::is_published;
use crate::program::{Function, Inst, Pc, Program, SiteId};
use crate::thread::{Frame, Thread};
use linspect_core::machine::{self, Loop};
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use xxhash_rust::xxh3::Xxh3;

/// The calls that `thread` is in, outermost first, without those of libraries.
pub(crate) fn of(image: &Image, thread: &Thread) -> Vec<machine::Frame> {
    let program = &image.program;
    let mut stack = Vec::new();
    for frame in thread.frames.iter() {
        let function = &program.functions[frame.function as usize];
        let site = function.sites.get(frame.pc as usize).copied().unwrap_or(0);
        let loops =
            image.loops[frame.function as usize].get_or_init(|| loops_of(program, function));
        push_call(program, loops, frame, site, &mut stack);
    }
    stack
}

/// The calls of standard libraries that `thread` is in, inside of the innermost call of other code; the innermost last.
pub(crate) fn in_library(image: &Image, thread: &Thread) -> Vec<SiteId> {
    let program = &image.program;
    let mut calls = Vec::new();
    for frame in thread.frames.iter() {
        let function = &program.functions[frame.function as usize];
        let site = function.sites.get(frame.pc as usize).copied().unwrap_or(0);
        for at in chain(program, site).into_iter().rev() {
            match is_library(program, at) {
                true => calls.push(at),
                false => calls.clear(),
            }
        }
    }
    calls
}

/// One call of the machine is several of the source where code was inlined.
fn push_call(
    program: &Program,
    loops: &[Extent],
    frame: &Frame,
    site: SiteId,
    stack: &mut Vec<machine::Frame>,
) {
    for (level, &at) in chain(program, site).iter().rev().enumerate() {
        if is_library(program, at) {
            continue;
        }
        let loops = if level == 0 {
            let around = |l: &&Extent| (l.head..=l.end).contains(&frame.pc);
            loops.iter().filter(around).map(|l| l.lines).collect()
        } else {
            Vec::new()
        };
        stack.push(machine::Frame {
            activation: if level == 0 {
                frame.activation
            } else {
                mix(frame.activation, at, program)
            },
            site: at,
            rounds: frame.rounds,
            loops,
        });
    }
}

/// A site and where its code was inlined, innermost first.
fn chain(program: &Program, site: SiteId) -> Vec<SiteId> {
    let mut chain = Vec::new();
    let mut next = site;
    // Chains are short; the bound guards against a damaged table.
    while next != 0 && chain.len() < 64 {
        chain.push(next);
        next = program.sites.get(next as usize).map_or(0, |s| s.inlined_at);
    }
    chain
}

/// An inlined call is told apart from others in the same call by where it was inlined.
fn mix(activation: u32, site: SiteId, program: &Program) -> u32 {
    let mut hasher = Xxh3::new();
    let inlined_at = program.sites.get(site as usize).map_or(0, |s| s.inlined_at);
    (activation, inlined_at).hash(&mut hasher);
    hasher.finish() as u32
}

/// By site: the innermost place along its inlining that is no library's; 0 if all are.
pub(crate) fn user_sites(program: &Program) -> Vec<SiteId> {
    let user = |site| {
        let mut chain = chain(program, site).into_iter();
        chain.find(|at| !is_library(program, *at)).unwrap_or(0)
    };
    (0..program.sites.len() as SiteId).map(user).collect()
}

/// Whether a site is in the standard library of Rust, C or C++, or in a published lock. Other libraries may be what is tested.
pub(crate) fn is_library(program: &Program, site: SiteId) -> bool {
    let Some(site) = program.sites.get(site as usize) else {
        return true;
    };
    let file = program.text(site.file);
    file.is_empty()
        || file.starts_with("/rustc/")
        || file.starts_with("/rust/deps/")
        || file.contains("/rustlib/src/rust/library/")
        || file.starts_with("/usr/lib/")
        || file.starts_with(loom::PATH)
        || is_support(file)
        || is_lock(file)
        || (file.starts_with("/usr/include/") && file.contains("/c++/"))
}

/// Whether a file, as a registry has published it, has a lock that stands for one of the standard library.
pub(crate) fn is_lock(file: &str) -> bool {
    [
        ("/parking_lot-", "/src/raw_mutex.rs"),
        ("/parking_lot-", "/src/raw_rwlock.rs"),
        ("/lock_api-", "/src/mutex.rs"),
        ("/lock_api-", "/src/rwlock.rs"),
        ("/dashmap-", "/src/lock.rs"),
    ]
    .iter()
    .any(|(package, path)| is_published(file, package, path))
}

/// A loop of a function: from its head to the last jump back to that.
pub(crate) struct Extent {
    head: Pc,
    end: Pc,
    lines: Loop,
}

/// The loops of `function`, outer ones first. Compilers lay out a loop in one piece, from its head to the jump back.
fn loops_of(program: &Program, function: &Function) -> Vec<Extent> {
    let mut bounds: BTreeMap<Pc, Pc> = BTreeMap::new();
    for (pc, inst) in (0..).zip(&function.code) {
        for_each_target(function, inst, &mut |target| {
            if target <= pc {
                bounds.insert(target, pc);
            }
        });
    }
    let extent = |(head, end): (Pc, Pc)| {
        let sites = &function.sites[head as usize..=end as usize];
        let lines = || {
            sites.iter().filter_map(|&s| {
                let outermost = *chain(program, s).last()?;
                let line = program.sites[outermost as usize].line;
                (line != 0).then_some(line)
            })
        };
        let lines = Loop {
            first_line: lines().min()?,
            last_line: lines().max()?,
        };
        Some(Extent { head, end, lines })
    };
    bounds.into_iter().filter_map(extent).collect()
}

fn for_each_target(function: &Function, inst: &Inst, each: &mut dyn FnMut(Pc)) {
    let mut edge = |id: u32| {
        if let Some(edge) = function.edges.get(id as usize) {
            each(edge.target);
        }
    };
    match inst {
        Inst::Jump { edge: to } => edge(*to),
        Inst::Branch {
            then, otherwise, ..
        } => {
            edge(*then);
            edge(*otherwise);
        }
        _ => {}
    }
}
