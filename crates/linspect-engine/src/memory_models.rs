//! One test under two memory models: sequential consistency, then what weaker orderings allow beside it.
//!
//! What is wrong already where every read reads what was written last is easier to understand, and can be taken apart further, so that comes first. A program
//! without weaker atomics and without data races has nothing else (the models of C, C++ and Rust promise that): it is explored once.

use crate::Verdict;
use crate::client_text;
use crate::error::Error;
use crate::events::Events;
use crate::finding::coverage::{explored_beside, rename_model, say_without_spurious};
use crate::finding::given_up::given_up;
use crate::finding::progress::say_progress;
use crate::investigate::Scope;
use crate::investigate_once;
use crate::investigated::{Investigated, SeenInRuns};
use crate::origin::Loaded;
use crate::request::{Request, Task};
use crate::shard::Phases;
use crate::spurious_wakeups::SpuriousPhase;
use linspect_core::check::Budget;
use linspect_core::execution::MemoryModel;
use linspect_explore::search::Method;
use std::cell::OnceCell;
use std::time::{Duration, Instant};

const NOT_EXPLORED: &str = "note: some atomics here are weaker than seq_cst, or may fail without reason; what only weaker orderings allow was not explored: --memory-model c20 does that";
/// Plain accesses that race have no meaning under C20: whoever allows them means something that the model does not say.
const RACES: &str = "note: some atomics here are weaker than seq_cst, or may fail without reason; what only weaker orderings allow was not explored, for it has no meaning where data races are allowed";
const RIGHT_UNDER_SC: &str =
    "note: only weaker orderings allow this: under sequential consistency nothing was found";

/// What part of the budget that sequential consistency left is for C20 where nobody asked for it: one of so many.
const SHARE: u32 = 3;

/// But no more than this, and so many times what sequential consistency took: a test that is done at once stays quick.
const IN_ANY_CASE: Duration = Duration::from_secs(3);
const AS_MUCH: u32 = 5;

/// So long at most the smallest test of a finding is looked at under sequential consistency.
const ONE_CLIENT: Duration = Duration::from_secs(10);

/// Finds out what `request` asks about a program, under the memory model that was asked for.
pub(super) fn investigate(
    loaded: &Loaded,
    request: &Request,
    events: &dyn Events,
) -> Result<Investigated, Error> {
    match request.task {
        Task::Search | Task::Left => {}
        Task::Orderings => {
            if let Some(option) = request.only_schedules() {
                return Err(Error::NotUnderC20(option));
            }
            let search = Request {
                task: Task::Search,
                ..request.clone()
            };
            let strong = loaded.under(MemoryModel::Sc);
            let promised = Scope::Unless(&|seen| !seen.weaker);
            let mut found = investigate_once(&strong, &search, promised, events)?;
            if is_wrong(&found) {
                return Ok(found);
            }
            if found.seen.raced {
                found.notes.push(RACES.to_owned());
                return Ok(found);
            }
            let weak = loaded.under(MemoryModel::C20);
            let mut found = investigate_once(&weak, request, Scope::Whole, events)?;
            if found.seen.sleeps && !is_wrong(&found) {
                say_without_spurious(&mut found.finding.coverage);
            }
            return Ok(found);
        }
        Task::Replay(_) | Task::Minimise(_) | Task::List | Task::Explore(_) | Task::Walk(_) => {
            return investigate_once(loaded, request, Scope::Whole, events);
        }
    }
    match phases(loaded, request)? {
        Phases::Weak => weak(loaded, request, events),
        Phases::Both => both(loaded, request, events),
        Phases::Strong => strong(loaded, request, events),
    }
}

/// Which models a search explores, if the program has something that they differ in.
pub(super) fn phases(loaded: &Loaded, request: &Request) -> Result<Phases, Error> {
    if loaded.bounds_schedules_only(&request.effort) {
        return Ok(Phases::Weak);
    }
    match (loaded.settings.memory_model, request.only_schedules()) {
        (Some(MemoryModel::C20), Some(option)) => Err(Error::NotUnderC20(option)),
        (Some(MemoryModel::C20), None) => Ok(Phases::Weak),
        (None, None) => Ok(Phases::Both),
        (Some(MemoryModel::Sc), _) | (None, Some(_)) => Ok(Phases::Strong),
    }
}

/// Sequential consistency alone.
fn strong(loaded: &Loaded, request: &Request, events: &dyn Events) -> Result<Investigated, Error> {
    let spurious = SpuriousPhase::new(loaded, request, events);
    let goes_on = |seen: SeenInRuns| spurious.is_right(seen);
    let mut found = investigate_once(loaded, request, Scope::Unless(&goes_on), events)?;
    if let Some(wrong) = spurious.conclude(&mut found) {
        return Ok(wrong);
    }
    if found.seen.weaker && matches!(found.finding.verdict, Verdict::Holds { .. }) {
        found.notes.push(NOT_EXPLORED.to_owned());
    }
    Ok(found)
}

/// Sequential consistency as far as it is promised, then C20 with a part of what is left, then sequential consistency as far as the budget goes.
fn both(loaded: &Loaded, request: &Request, events: &dyn Events) -> Result<Investigated, Error> {
    let (start, limits) = (Instant::now(), request.effort.limits());
    let weak = OnceCell::new();
    let explore = || {
        let mut request = request.clone();
        request.effort.budget = share(request.effort.budget, limits.left());
        investigate_once(
            &loaded.under(MemoryModel::C20),
            &request,
            Scope::Whole,
            events,
        )
    };
    let is_right = |raced: bool| raced || !weak.get_or_init(explore).as_ref().is_ok_and(is_wrong);
    let spurious = SpuriousPhase::new(loaded, request, events);
    let goes_on =
        |seen: SeenInRuns| spurious.is_right(seen) && (!seen.weaker || is_right(seen.raced));
    let mut strong = investigate_once(loaded, request, Scope::Unless(&goes_on), events)?;
    if let Some(wrong) = spurious.conclude(&mut strong) {
        return Ok(wrong);
    }
    if is_wrong(&strong) || !strong.seen.weaker {
        return Ok(strong);
    }
    if limits.exhausted(0).is_none() {
        is_right(strong.seen.raced);
    }
    match weak.into_inner() {
        Some(Ok(found)) if is_wrong(&found) => {
            let mut found = told(loaded, request, found, limits.left(), events);
            found.elapsed = start.elapsed();
            Ok(found)
        }
        Some(Ok(found)) => {
            strong.finding.weaker_orderings =
                Some(explored_beside(found.finding, "weaker orderings"));
            strong.elapsed = start.elapsed();
            Ok(strong)
        }
        Some(Err(error)) => {
            let note = format!("note: what only weaker orderings allow was not explored: {error}");
            strong.notes.push(note);
            Ok(strong)
        }
        None => {
            let note = if strong.seen.raced {
                RACES
            } else {
                NOT_EXPLORED
            };
            strong.notes.push(note.to_owned());
            Ok(strong)
        }
    }
}

/// Sequential consistency as far as it is promised, then C20 with what is left of the budget.
fn weak(loaded: &Loaded, request: &Request, events: &dyn Events) -> Result<Investigated, Error> {
    let (start, limits) = (Instant::now(), request.effort.limits());
    let spurious = SpuriousPhase::new(loaded, request, events);
    let mut strong = investigate_once(
        &loaded.under(MemoryModel::Sc),
        request,
        Scope::Unless(&|seen| !seen.weaker),
        events,
    )?;
    if is_wrong(&strong) {
        return Ok(strong);
    }
    if let Some(wrong) = spurious.conclude(&mut strong) {
        return Ok(wrong);
    }
    if !strong.seen.weaker {
        rename_model(&mut strong.finding.coverage);
        return Ok(strong);
    }
    if strong.seen.raced {
        strong.notes.push(RACES.to_owned());
        return Ok(strong);
    }
    let mut request = request.clone();
    request.effort.budget = limits.left();
    if loaded.bounds_schedules_only(&request.effort) {
        request.effort.method = Method::Exhaustive;
    }
    let mut found = investigate_once(loaded, &request, Scope::Whole, events)?;
    if is_wrong(&found) {
        found = told(loaded, &request, found, limits.left(), events);
    }
    match strong.finding.spurious_wakeups {
        Some(explored) => found.finding.spurious_wakeups = Some(explored),
        None if strong.seen.sleeps => say_without_spurious(&mut found.finding.coverage),
        None => {}
    }
    // It was looked at under sequential consistency.
    say_progress(&mut found, strong.progress.as_ref());
    found.elapsed = start.elapsed();
    Ok(found)
}

/// The time for C20, of a budget of which so much is left.
fn share(budget: Option<Duration>, left: Option<Duration>) -> Option<Duration> {
    let (budget, left) = (budget?, left?);
    let spent = budget.saturating_sub(left);
    Some((left / SHARE).min(IN_ANY_CASE + spent * AS_MUCH))
}

/// What was found under C20: as a finding under sequential consistency if the smallest test is wrong there, too, which went no further than to other clients; else with
/// a note that says what allows it.
fn told(
    loaded: &Loaded,
    request: &Request,
    mut found: Investigated,
    left: Option<Duration>,
    events: &dyn Events,
) -> Investigated {
    if let Some((client, declared)) = &found.test {
        let mut request = request.clone();
        request.client = Some(client_text::show(client, declared));
        request.effort.method = Method::Exhaustive;
        request.effort.budget = Some(left.map_or(ONE_CLIENT, |left| left.min(ONE_CLIENT)));
        let strong = loaded.under(MemoryModel::Sc);
        let strong = investigate_once(&strong, &request, Scope::Whole, events);
        if let Some(strong) = strong.ok().filter(is_wrong) {
            return strong;
        }
    }
    found.notes.push(only_then(&found));
    found
}

/// Says what allows a failure that sequential consistency does not: weaker orderings, or an exchange that gives up.
fn only_then(found: &Investigated) -> String {
    given_up(&found.finding).unwrap_or_else(|| RIGHT_UNDER_SC.to_owned())
}

pub(super) fn is_wrong(found: &Investigated) -> bool {
    let verdict = &found.finding.verdict;
    found.wrong || matches!(verdict, Verdict::Violated { .. } | Verdict::Faulty { .. })
}
