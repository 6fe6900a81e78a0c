//! Settings that a harness or a test says itself: `budget = 10s, preemptions = 2`. What was asked for otherwise wins.

use crate::error::Error;
use crate::request::Effort;
use crate::settings::RunSettings;
use linspect_core::execution::MemoryModel;
use linspect_core::machine::Subject;
use linspect_explore::search::Method;
use linspect_vm::LoadedProgram;
use std::time::Duration;

/// What a harness or a test says about how far to go.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeclaredSettings {
    /// The settings that decide what a schedule means.
    run: RunSettings,
    budget: Option<Option<Duration>>,
    preemptions: Option<u32>,
    threads: Option<usize>,
    operations: Option<usize>,
    executions: Option<u64>,
    /// Each as it is said, by its name.
    said: Vec<(&'static str, String)>,
}

/// What of an effort somebody has asked for; threads, operations and executions say so themselves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AskedEffort {
    /// The budget.
    pub budget: bool,
    /// How schedules are chosen.
    pub method: bool,
    /// The most preemptions, whoever asks for schedules with few.
    pub preemptions: Option<u32>,
}

/// Every setting, as harnesses write it.
const NAMES: [&str; 11] = [
    "budget",
    "preemptions",
    "threads",
    "operations",
    "executions",
    "memory",
    "allocator",
    "cpus",
    "random",
    "leaks",
    "races",
];

const IDLE_SIZES: &str = "note: the settings `threads` and `operations` are for harnesses: a program starts its own threads";
const IDLE_PROGRESS: &str =
    "note: nothing was looked at for progress: it is promised of operations, which a harness names";

impl DeclaredSettings {
    /// What the program says.
    pub(super) fn of(code: &LoadedProgram) -> Result<Self, Error> {
        let mut declared = Self::default();
        for text in code.declared_settings() {
            for setting in text.split(',').map(str::trim).filter(|s| !s.is_empty()) {
                let read = setting.split_once('=');
                let heard = read.and_then(|(name, value)| {
                    let name = name.trim().trim_start_matches('.');
                    declared.hear(name, value.trim().trim_matches('"'))
                });
                heard.ok_or_else(|| Error::Setting(setting.to_owned()))?;
            }
        }
        Ok(declared)
    }

    /// Takes over a setting; nothing if nobody knows it, or its value.
    fn hear(&mut self, name: &str, value: &str) -> Option<()> {
        let name = NAMES.into_iter().find(|known| *known == name)?;
        let number = || value.replace('_', "").parse::<u64>().ok();
        let size = |least: u64| {
            number()
                .filter(|n| *n >= least)
                .and_then(|n| n.try_into().ok())
        };
        match name {
            "budget" => self.budget = Some(duration(value)?),
            "preemptions" => self.preemptions = Some(number()?.try_into().ok()?),
            "threads" => self.threads = Some(size(2)?),
            "operations" => self.operations = Some(size(1)?),
            "executions" => self.executions = Some(number().filter(|n| *n > 0)?),
            "memory" => self.run.hear(&format!("--memory-model={value}"))?,
            "leaks" if value == "false" => {}
            "leaks" if value == "true" => self.run.leaks = true,
            "leaks" => return None,
            other => self.run.hear(&format!("--{other}={value}"))?,
        }
        self.said.retain(|(before, _)| *before != name);
        self.said.push((name, format!("{name} = {value}")));
        Some(())
    }

    /// The settings of a run as they were typed, else as the program says; and the settings of the program that count.
    pub(super) fn settle(&self, typed: RunSettings) -> (RunSettings, Vec<String>) {
        let counts = |name: &str| match name {
            "memory" => typed.memory_model.is_none(),
            "allocator" => typed.allocator.is_none(),
            "cpus" => typed.cpus.is_none(),
            "random" => typed.random.is_none(),
            "races" => typed.races.is_none(),
            "leaks" => !typed.leaks,
            _ => false,
        };
        let said = self.said.iter().filter(|(name, _)| counts(name));
        let said = said.map(|(_, said)| said.clone()).collect();
        (typed.or(self.run.clone()), said)
    }

    /// Completes an effort by what nobody has asked for; gives the settings that count.
    fn complete(&self, effort: &mut Effort, asked: AskedEffort) -> Vec<&'static str> {
        let mut counts = Vec::new();
        if let Some(budget) = self.budget.filter(|_| !asked.budget) {
            effort.budget = budget;
            counts.push("budget");
        }
        if let Some(preemptions) = self.preemptions.filter(|_| !asked.method) {
            effort.method = Method::Bounded {
                preemptions: asked.preemptions.unwrap_or(preemptions),
            };
            effort.method_is_declared = true;
            if asked.preemptions.is_none() {
                counts.push("preemptions");
            }
        }
        if effort.threads.is_none() && self.threads.is_some() {
            effort.threads = self.threads;
            counts.push("threads");
        }
        if effort.operations.is_none() && self.operations.is_some() {
            effort.operations = self.operations;
            counts.push("operations");
        }
        if effort.executions.is_none() && self.executions.is_some() {
            effort.executions = self.executions;
            counts.push("executions");
        }
        counts
    }
}

impl super::Loaded {
    /// Completes an effort by what the harness or the test says and nobody has asked for. The verdict names what counts.
    pub fn complete(&self, effort: &mut Effort, asked: AskedEffort) {
        let counts = self.declared.complete(effort, asked);
        let of_clients = ["threads", "operations"];
        let is_idle = |name: &str| self.code.is_program() && of_clients.contains(&name);
        let said = self.declared.said.iter();
        let said = said.filter(|(name, _)| counts.contains(name) && !is_idle(name));
        effort.declared = said.map(|(_, said)| said.clone()).collect();
        effort.declared.extend(self.said.iter().cloned());
    }

    /// What was asked and says nothing about this program.
    pub(super) fn idle_settings(&self) -> Vec<String> {
        let declared = &self.declared;
        let sizes = declared.threads.is_some() || declared.operations.is_some();
        let progress = self.settings.progress.is_some() || self.code.progress().is_some();
        let idle = [(sizes, IDLE_SIZES), (progress, IDLE_PROGRESS)];
        let idle = idle
            .iter()
            .filter(|(is_asked, _)| *is_asked && self.code.is_program());
        idle.map(|(_, note)| (*note).to_owned()).collect()
    }

    /// Whether weaker orderings are asked for by whom preemptions are counted, too: they count only where there are schedules.
    pub(super) fn bounds_schedules_only(&self, effort: &Effort) -> bool {
        effort.method_is_declared && self.settings.memory_model == Some(MemoryModel::C20)
    }
}

/// `10s`, `1.5m`, `500ms`, `2h`; `none` is no limit.
fn duration(text: &str) -> Option<Option<Duration>> {
    if text == "none" {
        return Some(None);
    }
    let number = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let seconds = match text[number.len()..].trim() {
        "ms" => 0.001,
        "s" => 1.0,
        "m" => 60.0,
        "h" => 3600.0,
        _ => return None,
    };
    let number: f64 = number.trim().parse().ok()?;
    Duration::try_from_secs_f64(number * seconds).ok().map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_wins() {
        let mut declared = DeclaredSettings::default();
        for (name, value) in [("budget", "1.5m"), ("preemptions", "2"), ("threads", "4")] {
            declared.hear(name, value).expect("a setting");
        }
        let mut effort = Effort::default();
        let counts = declared.complete(&mut effort, AskedEffort::default());
        assert_eq!(counts, ["budget", "preemptions", "threads"]);
        assert_eq!(effort.budget, Some(Duration::from_secs(90)));
        assert_eq!(effort.method, Method::Bounded { preemptions: 2 });
        let asked = AskedEffort {
            budget: true,
            method: true,
            preemptions: None,
        };
        let mut effort = Effort {
            threads: Some(2),
            ..Effort::default()
        };
        assert!(declared.complete(&mut effort, asked).is_empty());
        assert_eq!(
            (effort.method, effort.threads),
            (Method::Exhaustive, Some(2))
        );
    }

    #[test]
    fn other_words_are_refused() {
        let mut declared = DeclaredSettings::default();
        for (name, value) in [
            ("colour", "red"),
            ("budget", "soon"),
            ("memory", "tso"),
            ("threads", "1"),
            ("leaks", "maybe"),
            ("cpus", "9"),
        ] {
            assert_eq!(declared.hear(name, value), None, "{name} = {value}");
        }
        assert_eq!(declared, DeclaredSettings::default());
    }
}
