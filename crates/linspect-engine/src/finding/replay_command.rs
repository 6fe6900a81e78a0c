//! How a run is seen again: the command, its token, and the options that decide what the token's schedule means.

use crate::settings::shared_word;
use linspect_core::client::Client;
use linspect_core::machine::Subject;
use linspect_core::schedule::Schedule;
use linspect_explore::token::Token;
use linspect_report::finding;
use linspect_vm::LoadedProgram;

/// How a run of the same program is seen again.
#[derive(Clone)]
pub(crate) struct ReplayCommand {
    pub(crate) command: &'static str,
    /// What the command is told beside the token: the files, or the name of the test.
    pub(crate) what: String,
    /// The files as they can be typed; none if `linspect test` cannot load the program.
    pub(crate) files: Vec<String>,
    /// The options that decide what a schedule means.
    pub(crate) settings: Vec<String>,
}

impl ReplayCommand {
    /// The token of the run of `client` under `schedule`.
    pub(crate) fn token(
        &self,
        code: &LoadedProgram,
        client: &Client,
        schedule: &Schedule,
    ) -> Token {
        let shared = shared_word(code);
        Token {
            fingerprint: code.fingerprint(),
            client: client.clone(),
            schedule: schedule.clone(),
            settings: self.settings.iter().cloned().chain(shared).collect(),
        }
    }

    /// How the run of `client` under `schedule` is seen again.
    pub(crate) fn of(
        &self,
        code: &LoadedProgram,
        client: &Client,
        schedule: &Schedule,
    ) -> finding::Replay {
        let token = self.token(code, client, schedule).to_string();
        let arguments = match self.files.is_empty() {
            true => Vec::new(),
            false => [&self.files[..], &self.settings[..]].concat(),
        };
        finding::Replay {
            command: format!("{} {token} {}", self.command, self.what),
            token,
            arguments,
        }
    }

    /// The same with the object relaxed by `k`.
    pub(crate) fn relaxed(mut self, k: u32) -> Self {
        self.settings.retain(|word| !word.starts_with("--relax="));
        self.settings.push(format!("--relax={k}"));
        self
    }

    /// The same where freed memory is never used again.
    pub(crate) fn fresh(mut self) -> Self {
        self.settings
            .retain(|word| !word.starts_with("--allocator="));
        self.settings.push("--allocator=fresh".to_owned());
        self
    }
}
