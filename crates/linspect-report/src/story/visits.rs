//! The rows of a run: one per visit of a source line.

use super::matters::matters;
use crate::finding::{Access, Action, Finding, Interleaving, Span, Step};
use crate::names;

/// One visit of a source line by one thread.
pub(crate) struct Visit<'a> {
    /// The positions of its steps, from 0.
    pub(crate) first: usize,
    pub(crate) last: usize,
    /// The number that every sentence calls it by: that of its first step that matters, from 1.
    pub(crate) number: usize,
    pub(crate) thread: u32,
    pub(crate) operation: Option<u32>,
    pub(crate) span: Option<&'a Span>,
    pub(crate) source: &'a str,
    pub(crate) effect: String,
    /// What of that counts most, where there is no room for all.
    pub(crate) short_effect: String,
    pub(crate) fault: bool,
    /// Whether it belongs to the story.
    pub(crate) told: bool,
}

impl Visit<'_> {
    /// What it reads first, if that has a name.
    pub(super) fn variable(&self) -> &str {
        let (variable, _) = self.effect.split_once(" is ").unwrap_or_default();
        let variable = variable.trim_start_matches("fails: ");
        self.effect.strip_prefix("reads ").unwrap_or(variable)
    }

    /// Whether it gives `variable` another value.
    pub(super) fn changes(&self, variable: &str) -> bool {
        let effect = &self.effect;
        effect.contains(&format!("{variable} :="))
            || effect.contains(&format!("changes {variable}"))
    }
}

/// All rows of `run`, those of the story marked.
pub(crate) fn visits<'a>(finding: &Finding, run: &'a Interleaving) -> Vec<Visit<'a>> {
    let matters = matters(finding, run);
    let mut visits = together(run);
    for visit in &mut visits {
        let mut told = (visit.first..=visit.last).filter(|&at| matters[at]);
        if let Some(first) = told.next() {
            visit.told = true;
            visit.number = first + 1;
        }
        let shown = |at: usize| matters[at] || !visit.told;
        let effects = effects(&run.steps[visit.first..=visit.last], &|at| {
            shown(visit.first + at)
        });
        let changes = |effect: &&String| is_change(effect);
        let is_old = |effect: &&String| effect.contains(": old, ");
        let most = effects.iter().find(is_old);
        let most = most.or_else(|| effects.iter().rev().find(changes));
        let most = most.or(effects.last());
        visit.short_effect = most.cloned().unwrap_or_default();
        visit.effect = effects.join(", ");
        // Of a wait that ends by itself, that is what matters.
        let accesses = run.steps[visit.first..=visit.last]
            .iter()
            .flat_map(|step| &step.accesses);
        let mut wakes = accesses.filter(|access| access.action == Action::SpuriousWake);
        if let Some(wakes) = wakes.next() {
            visit.effect = wakes.effect();
            visit.short_effect.clone_from(&visit.effect);
        }
        // The source says what was asserted.
        if visit.fault && visit.effect.starts_with("assertion `") {
            visit.effect = "fails".into();
            visit.short_effect.clone_from(&visit.effect);
        }
    }
    visits
}

/// Consecutive steps of one thread on one source line.
fn together(run: &Interleaving) -> Vec<Visit<'_>> {
    let mut visits: Vec<Visit<'_>> = Vec::new();
    for (at, step) in run.steps.iter().enumerate() {
        let same = |visit: &Visit<'_>| {
            let before = &run.steps[visit.last];
            let place = |s: &Step| s.span.as_ref().map(|s| (s.file.clone(), s.line));
            before.thread == step.thread
                && before.operation == step.operation
                && step.span.is_some()
                && place(before) == place(step)
                && !visit.fault
                && !step.fault
        };
        match visits.last_mut().filter(|visit| same(visit)) {
            Some(visit) => visit.last = at,
            None => visits.push(Visit {
                first: at,
                last: at,
                number: at + 1,
                thread: step.thread,
                operation: step.operation,
                span: step.span.as_ref(),
                source: step.source.as_deref().unwrap_or(""),
                effect: String::new(),
                short_effect: String::new(),
                fault: step.fault,
                told: false,
            }),
        }
    }
    visits
}

/// Whether an effect is that something has another value.
pub(super) fn is_change(effect: &str) -> bool {
    effect.contains(" := ") || effect.contains("changes ")
}

/// What `steps` do to data in the same way as `access`: plain reads, or plain writes.
fn same_kind<'a>(
    steps: &'a [Step],
    access: &Access,
) -> impl Iterator<Item = &'a Access> + Clone + use<'a> {
    let action = access.action;
    let is_plain = matches!(action, Action::Read | Action::Write);
    let seen = steps.iter().filter(|step| !step.is_internal());
    let accesses = seen.filter_map(|step| step.accesses.first());
    accesses.filter(move |other| is_plain && other.action == action)
}

/// What those of `steps` did that are `shown`, each thing once. What a library does on one line it does as a whole: it is told by the most that it did.
fn effects(steps: &[Step], shown: &dyn Fn(usize) -> bool) -> Vec<String> {
    // Locks, what libraries read and change, what has a value.
    let rank = |access: &Access| match access.action {
        Action::Lock | Action::Unlock => 0,
        Action::Read if access.value.is_empty() => 1,
        Action::Write if access.value.is_empty() => 2,
        _ => 3,
    };
    let same = |access: &Access| {
        let seen = steps.iter().filter(|step| !step.is_internal());
        let accesses = seen.filter_map(|step| step.accesses.first());
        let variable = access.variable.clone();
        accesses.filter(move |other| other.variable == variable)
    };
    // What is read or written in parts is no one value.
    let in_parts = |access: &Access| {
        let parts = same_kind(steps, access);
        let of = |other: &Access| names::part_of(&other.variable) == Some(&access.variable);
        parts.clone().any(of) || {
            let whole = names::part_of(&access.variable);
            whole.is_some_and(|whole| parts.clone().any(|other| other.variable == whole))
        }
    };
    let effect = |step: &Step| match step.accesses.first() {
        Some(access) if step.note.is_none() && in_parts(access) => {
            let whole = names::part_of(&access.variable).unwrap_or(&access.variable);
            let whole = Access {
                variable: whole.to_owned(),
                action: access.action,
                value: String::new(),
            };
            whole.effect()
        }
        Some(access) if step.note.is_none() => {
            let more = same(access).filter(|other| rank(other) > rank(access));
            let most = more.max_by_key(|other| rank(other));
            most.unwrap_or(access).effect()
        }
        _ => step.effect(),
    };
    let mut effects: Vec<String> = Vec::new();
    for (_, step) in steps.iter().enumerate().filter(|(at, _)| shown(*at)) {
        let effect = effect(step);
        if !effect.is_empty() && !effects.contains(&effect) {
            effects.push(effect);
        }
    }
    effects
}
