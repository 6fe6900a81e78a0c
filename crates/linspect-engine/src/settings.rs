//! The options that decide what a schedule means and what is said of its run: one list for every command that runs a schedule, and the list that a
//! token carries.

use crate::error::Error;
use linspect_core::execution::{MemoryModel, SiteId};
use linspect_explore::progress::ProgressGuarantee;
use linspect_explore::token::Token;
use linspect_vm::{LoadedProgram, Reuse, Settings};
use std::collections::BTreeSet;

/// What decides what a schedule means. What is `None` or empty is as usual.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunSettings {
    /// What the object should behave like: a built-in specification such as `queue` or `queue(.empty = -1)`; `model`: the model of the harness; `self`:
    /// the object when it is run alone. Usually as the harness says, else `self`.
    pub spec: Option<String>,
    /// How many times an element may be overtaken, and overtake (quasi-linearizability).
    pub relax: Option<u32>,
    /// Functions of a plain program that are the object's operations: `enq`, `Stack::push`.
    pub functions: Vec<String>,
    /// Whether memory that is never freed is a fault.
    pub leaks: bool,
    /// What happens to freed memory; usually both.
    pub allocator: Option<Reuse>,
    /// How many processors the program is told that there are: with one, code that would spin for a while waits at once. Usually 2.
    pub cpus: Option<u8>,
    /// From how many numbers the generators of the C library choose, all of which are tried; they are pseudo-random if nobody says.
    pub random: Option<u8>,
    /// Whether each thread may wake once at a condition though nobody wakes it, in every client. Usually only the smallest are explored so, after everything else.
    pub spurious: bool,
    /// Whether accesses inside Rust's standard library are steps; usually trusted.
    pub std: Option<StdAccesses>,
    /// What atomics weaker than `seq_cst` may do; usually nothing more than those.
    pub memory_model: Option<MemoryModel>,
    /// What a data race is; usually a fault.
    pub races: Option<RaceIs>,
    /// Variables and fields whose data races are meant.
    pub allowed_races: Vec<String>,
    /// What is promised about operations that others hinder.
    pub progress: Option<ProgressGuarantee>,
    /// Where memory is allocated that is shared from its birth. Only tokens say so: whoever searches finds out.
    pub shared: BTreeSet<SiteId>,
}

/// What a data race is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RaceIs {
    /// A fault.
    Fault,
    /// Worth a note.
    Noted,
}

/// Whether accesses inside Rust's standard library are steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StdAccesses {
    /// Only atomics that threads synchronise by.
    Trusted,
    /// All, like those of any other code.
    Visible,
}

impl RunSettings {
    /// The machine's part of them.
    pub(super) fn of_machine(&self) -> Settings {
        Settings {
            reuse: self.allocator.unwrap_or(Reuse::Both),
            leaks: self.leaks,
            cpus: self.cpus.unwrap_or(Settings::default().cpus),
            random: self.random,
            spurious: self.spurious,
            std_visible: self.std == Some(StdAccesses::Visible),
            memory_model: self.memory_model.unwrap_or_default(),
            shared: self.shared.clone(),
            ..Settings::default()
        }
    }

    /// What was typed here, else what `other` says.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self {
            spec: self.spec.or(other.spec),
            relax: self.relax.or(other.relax),
            functions: if self.functions.is_empty() {
                other.functions
            } else {
                self.functions
            },
            leaks: self.leaks || other.leaks,
            allocator: self.allocator.or(other.allocator),
            cpus: self.cpus.or(other.cpus),
            random: self.random.or(other.random),
            spurious: self.spurious || other.spurious,
            std: self.std.or(other.std),
            memory_model: self.memory_model.or(other.memory_model),
            races: self.races.or(other.races),
            allowed_races: if self.allowed_races.is_empty() {
                other.allowed_races
            } else {
                self.allowed_races
            },
            progress: self.progress.or(other.progress),
            shared: self.shared.into_iter().chain(other.shared).collect(),
        }
    }

    /// The options as words, each of which can be typed.
    pub fn words(&self) -> Vec<String> {
        let mut words = Vec::new();
        words.extend(self.spec.iter().map(|spec| format!("--spec={spec}")));
        words.extend(self.relax.iter().map(|k| format!("--relax={k}")));
        if !self.functions.is_empty() {
            // Its short name, for tokens are pasted, and earlier versions know no other.
            words.push(format!("--ops={}", self.functions.join(",")));
        }
        words.extend(self.leaks.then(|| "--leaks".to_owned()));
        let allocator = self.allocator.map(|mode| match mode {
            Reuse::Lifo => "reuse",
            Reuse::Fresh => "fresh",
            Reuse::Both => "both",
        });
        words.extend(allocator.map(|mode| format!("--allocator={mode}")));
        words.extend(self.cpus.iter().map(|cpus| format!("--cpus={cpus}")));
        words.extend(self.random.iter().map(|ways| format!("--random={ways}")));
        words.extend(self.spurious.then(|| "--spurious".to_owned()));
        if self.std == Some(StdAccesses::Visible) {
            words.push("--std=visible".to_owned());
        }
        let model = self.memory_model.map(|model| match model {
            MemoryModel::Sc => "sc",
            MemoryModel::C20 => "c20",
        });
        words.extend(model.map(|model| format!("--memory-model={model}")));
        let races = self.races.map(|what| match what {
            RaceIs::Fault => "fail",
            RaceIs::Noted => "note",
        });
        words.extend(races.map(|what| format!("--races={what}")));
        let allowed = self.allowed_races.iter();
        words.extend(allowed.map(|name| format!("--allow-race={name}")));
        let progress = self.progress.iter();
        words.extend(progress.map(|guarantee| format!("--progress={guarantee}")));
        words
    }
}

/// The word of a token that says where memory is allocated that is shared from its birth, if there is any.
pub(super) fn shared_word(code: &LoadedProgram) -> Option<String> {
    let sites = code.settings().shared.iter().map(SiteId::to_string);
    let sites: Vec<String> = sites.collect();
    (!sites.is_empty()).then(|| format!("--shared={}", sites.join(",")))
}

/// What a token says: the run, the settings of its test, and the arguments for clang.
pub fn read_token(text: &str) -> Result<(Token, RunSettings, Vec<String>), Error> {
    let token: Token = text.parse()?;
    let (mut settings, mut c_flags) = (RunSettings::default(), Vec::new());
    for word in &token.settings {
        if let Some(flag) = word.strip_prefix("--cflag=") {
            c_flags.push(flag.to_owned());
        } else if settings.hear(word).is_none() {
            return Err(Error::TokenSettings(token.settings));
        }
    }
    Ok((token, settings, c_flags))
}

impl RunSettings {
    /// Takes over what a word of a token says; nothing if nobody here knows it.
    pub(super) fn hear(&mut self, word: &str) -> Option<()> {
        let (name, value) = word.split_once('=').unwrap_or((word, ""));
        let items = || value.split(',').map(str::to_owned);
        match name {
            "--spec" => self.spec = Some(value.to_owned()),
            "--relax" => self.relax = Some(value.parse().ok()?),
            "--functions" | "--ops" => self.functions.extend(items()),
            "--leaks" => self.leaks = true,
            "--allocator" => {
                self.allocator = Some(match value {
                    "reuse" => Reuse::Lifo,
                    "fresh" => Reuse::Fresh,
                    "both" => Reuse::Both,
                    _ => return None,
                });
            }
            "--cpus" => self.cpus = Some(value.parse().ok().filter(|n| (1..=2).contains(n))?),
            "--random" => self.random = Some(value.parse().ok().filter(|n| *n > 0)?),
            "--spurious" => self.spurious = true,
            "--std" => {
                self.std = Some(match value {
                    "trusted" => StdAccesses::Trusted,
                    "visible" => StdAccesses::Visible,
                    _ => return None,
                });
            }
            "--memory-model" => {
                self.memory_model = Some(match value {
                    "sc" => MemoryModel::Sc,
                    "c20" => MemoryModel::C20,
                    _ => return None,
                });
            }
            "--races" => {
                self.races = Some(match value {
                    "fail" => RaceIs::Fault,
                    "note" => RaceIs::Noted,
                    _ => return None,
                });
            }
            "--allow-race" => self.allowed_races.push(value.to_owned()),
            "--progress" => self.progress = Some(value.parse().ok()?),
            "--shared" => {
                for site in items() {
                    self.shared.insert(site.parse().ok()?);
                }
            }
            _ => return None,
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_typed_survives_a_token() {
        let settings = RunSettings {
            spec: Some("queue(.empty = -1)".into()),
            relax: Some(3),
            functions: vec!["enq".into(), "Queue::deq".into()],
            leaks: true,
            allocator: Some(Reuse::Fresh),
            cpus: Some(1),
            random: Some(3),
            spurious: true,
            std: Some(StdAccesses::Visible),
            memory_model: Some(MemoryModel::C20),
            races: Some(RaceIs::Noted),
            allowed_races: vec!["data".into(), "length".into()],
            progress: Some(ProgressGuarantee::LockFree),
            shared: [3, 17].into(),
        };
        let mut words = settings.words();
        words.push("--cflag=-DTWO WORDS".into());
        words.push("--shared=3,17".into());
        let token = Token {
            fingerprint: 7,
            client: linspect_core::client::Client::default(),
            schedule: linspect_core::schedule::Schedule::default(),
            settings: words,
        };
        let (read, again, c_flags) = read_token(&token.to_string()).expect("it was written here");
        assert_eq!((read, again), (token, settings.clone()));
        assert_eq!(c_flags, ["-DTWO WORDS"]);
        assert_eq!(RunSettings::default().or(settings.clone()), settings);
    }

    #[test]
    fn unknown_settings_are_refused() {
        let token = Token {
            fingerprint: 7,
            client: linspect_core::client::Client::default(),
            schedule: linspect_core::schedule::Schedule::default(),
            settings: vec!["--from-the-future=1".into()],
        };
        let error = read_token(&token.to_string()).expect_err("it is not known");
        assert!(error.to_string().contains("--from-the-future=1"), "{error}");
    }
}
