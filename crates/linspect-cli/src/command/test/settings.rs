//! The options that decide what a schedule means and what is said of its run: one list for every command that runs a schedule, and the list that a
//! token carries.

use crate::failure::Failure;
use clap::{Parser, ValueEnum};
use linspect_core::execution::SiteId;
use linspect_explore::token::{Token, TokenError};
use linspect_vm::{Code, Reuse, Settings};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// What decides what a schedule means.
#[derive(Clone, Debug, Default, PartialEq, Eq, clap::Args)]
pub(crate) struct RunSettings {
    /// What the object should behave like: a built-in specification such as `queue` or `queue(.empty = -1)`; `model`: the model of the harness; `self`:
    /// the object when it is run alone [default: as the harness says, else self]
    #[arg(long, value_name = "NAME", help_heading = "What to test")]
    pub(crate) spec: Option<String>,

    /// Allow an element to be overtaken, and to overtake, K times (quasi-linearizability)
    #[arg(long, value_name = "K", help_heading = "What to test")]
    pub(crate) relax: Option<u32>,

    /// Functions of a plain program that are the object's operations: `enq,deq` or `Stack::push,Stack::pop`
    #[arg(
        long = "ops",
        value_name = "FUNCTIONS",
        value_delimiter = ',',
        help_heading = "What to test"
    )]
    pub(crate) functions: Vec<String>,

    /// Take memory that is never freed for a fault
    #[arg(long, help_heading = "What to test")]
    pub(crate) leaks: bool,

    /// What happens to freed memory [default: both]
    #[arg(long, value_name = "MODE", help_heading = "How")]
    pub(crate) allocator: Option<TypedAllocator>,

    /// How many processors the program is told that there are: with one, code that would spin for a while waits at once [default: 2]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=2), help_heading = "How")]
    pub(crate) cpus: Option<u8>,

    /// Whether accesses inside Rust's standard library are steps [default: trusted]
    #[arg(long, value_name = "HOW", help_heading = "How")]
    pub(crate) std: Option<TypedStd>,

    /// What a data race is [default: fail]
    #[arg(long, value_name = "WHAT", help_heading = "How")]
    pub(crate) races: Option<TypedRaces>,

    /// A variable or field whose data races are meant
    #[arg(long = "allow-race", value_name = "NAME", help_heading = "How")]
    pub(crate) allowed_races: Vec<String>,

    /// Where memory is allocated that is shared from its birth. Only tokens say so: whoever searches finds out.
    #[arg(skip)]
    pub(crate) shared: BTreeSet<SiteId>,
}

/// The files of a program, and how they are compiled.
#[derive(Clone, Debug, Default, PartialEq, Eq, clap::Args)]
pub(crate) struct ProgramFiles {
    /// A harness and the files it needs: C, C++, Rust, LLVM bitcode; or a program with a main
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// One more argument for clang, such as -Iinclude
    #[arg(
        long = "cflag",
        value_name = "FLAG",
        allow_hyphen_values = true,
        help_heading = "How"
    )]
    pub(crate) c_flags: Vec<String>,
}

/// What happens to freed memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum TypedAllocator {
    /// It is handed out again, last freed first, so that ABA can happen
    Reuse,
    /// It is never handed out again
    Fresh,
    /// The one, then, for clients where memory was handed out again, the other
    Both,
}

impl From<TypedAllocator> for Reuse {
    fn from(typed: TypedAllocator) -> Self {
        match typed {
            TypedAllocator::Reuse => Self::Lifo,
            TypedAllocator::Fresh => Self::Fresh,
            TypedAllocator::Both => Self::Both,
        }
    }
}

/// What a data race is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum TypedRaces {
    /// A fault
    Fail,
    /// Worth a note
    Note,
}

/// Whether accesses inside Rust's standard library are steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum TypedStd {
    /// Only atomics that threads synchronise by
    Trusted,
    /// All, like those of any other code
    Visible,
}

impl RunSettings {
    /// The machine's part of them.
    pub(crate) fn of_machine(&self) -> Settings {
        Settings {
            reuse: self.allocator.unwrap_or(TypedAllocator::Both).into(),
            leaks: self.leaks,
            cpus: self.cpus.unwrap_or(Settings::default().cpus),
            std_visible: self.std == Some(TypedStd::Visible),
            shared: self.shared.clone(),
            ..Settings::default()
        }
    }

    /// What was typed here, else what `other` says.
    pub(crate) fn or(self, other: Self) -> Self {
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
            std: self.std.or(other.std),
            races: self.races.or(other.races),
            allowed_races: if self.allowed_races.is_empty() {
                other.allowed_races
            } else {
                self.allowed_races
            },
            shared: self.shared.into_iter().chain(other.shared).collect(),
        }
    }

    /// The options as words, each of which can be typed.
    pub(crate) fn words(&self) -> Vec<String> {
        let mut words = Vec::new();
        words.extend(self.spec.iter().map(|spec| format!("--spec={spec}")));
        words.extend(self.relax.iter().map(|k| format!("--relax={k}")));
        if !self.functions.is_empty() {
            words.push(format!("--ops={}", self.functions.join(",")));
        }
        words.extend(self.leaks.then(|| "--leaks".to_owned()));
        let allocator = self.allocator.and_then(|mode| mode.to_possible_value());
        words.extend(allocator.map(|mode| format!("--allocator={}", mode.get_name())));
        words.extend(self.cpus.iter().map(|cpus| format!("--cpus={cpus}")));
        if self.std == Some(TypedStd::Visible) {
            words.push("--std=visible".to_owned());
        }
        let races = self.races.and_then(|what| what.to_possible_value());
        words.extend(races.map(|what| format!("--races={}", what.get_name())));
        let allowed = self.allowed_races.iter();
        words.extend(allowed.map(|name| format!("--allow-race={name}")));
        words
    }
}

/// The word of a token that says where memory is allocated that is shared from its birth, if there is any.
pub(crate) fn shared_word(code: &Code) -> Option<String> {
    let sites = code.settings().shared.iter().map(SiteId::to_string);
    let sites: Vec<String> = sites.collect();
    (!sites.is_empty()).then(|| format!("--shared={}", sites.join(",")))
}

/// The words of a token, read as they would be typed.
#[derive(Debug, Parser)]
#[command(no_binary_name = true)]
struct Words {
    #[command(flatten)]
    settings: RunSettings,

    #[arg(long = "cflag", allow_hyphen_values = true)]
    c_flags: Vec<String>,

    #[arg(long, value_delimiter = ',')]
    shared: Vec<SiteId>,
}

/// What a token says: the run, the settings of its test, and the arguments for clang.
pub(crate) fn read(text: &str) -> Result<(Token, RunSettings, Vec<String>), Failure> {
    let token: Token = text.parse().map_err(|error: TokenError| Failure::Usage {
        message: error.to_string(),
        help: "copy the whole token from a report",
    })?;
    let words = Words::try_parse_from(&token.settings).map_err(|_| Failure::Usage {
        message: format!(
            "this token has settings that are not known here: {}",
            token.settings.join(" ")
        ),
        help: "use the Linspect that made it",
    })?;
    let settings = RunSettings {
        shared: words.shared.into_iter().collect(),
        ..words.settings
    };
    Ok((token, settings, words.c_flags))
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
            allocator: Some(TypedAllocator::Fresh),
            cpus: Some(1),
            std: Some(TypedStd::Visible),
            races: Some(TypedRaces::Note),
            allowed_races: vec!["data".into(), "length".into()],
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
        let (read, again, c_flags) = read(&token.to_string()).expect("it was written here");
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
        let failure = read(&token.to_string()).expect_err("it is not known");
        assert!(
            failure.to_string().contains("--from-the-future=1"),
            "{failure}"
        );
    }
}
