//! The sections of docs/errors.md, the page that has an entry for every error.

/// Where docs/errors.md has an entry for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Section {
    CommandLine,
    Client,
    Files,
    Compilers,
    Packages,
    Harness,
    Functions,
    Specifications,
    Histories,
    NotRunnable,
    Replays,
    Linspect,
}

impl Section {
    /// The heading as the fragment of an address.
    pub(crate) fn anchor(self) -> &'static str {
        match self {
            Self::CommandLine => "the-command-line",
            Self::Client => "a-client-that-cannot-be-understood",
            Self::Files => "a-file-that-cannot-be-read-or-written",
            Self::Compilers => "compilers-and-llvm",
            Self::Packages => "packages",
            Self::Harness => "a-harness-that-cannot-be-tested",
            Self::Functions => "functions-of-a-program-as-operations",
            Self::Specifications => "specifications-and-models",
            Self::Histories => "a-file-that-is-no-history",
            Self::NotRunnable => "code-that-cannot-be-run",
            Self::Replays => "replays-and-saved-findings",
            Self::Linspect => "faults-of-linspect",
        }
    }
}
