//! Where everything is printed: how wide, in which colours, and what happens when nobody reads on.

use crate::exit::Exit;
use crate::failure::Failure;
use anstyle::{AnsiColor, Style};
use linspect_report::terminal::{self, Detail};
use linspect_report::{Finding, github, neutral};
use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::time::Duration;

/// When to use colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless NO_COLOR is set.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// How much a report says.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub(crate) struct Amount {
    /// Say everything that is known of a violation: every step, every race, the whole argument
    #[arg(long, short, global = true, conflicts_with = "quiet")]
    verbose: bool,

    /// Say no more of a violation than what it is
    #[arg(long, short, global = true)]
    quiet: bool,
}

/// Standard output and standard error.
pub(crate) struct Screen {
    /// How many columns there are.
    pub(crate) width: usize,
    /// Whether standard output takes colours.
    pub(crate) color: bool,
    /// How much a report says.
    detail: Detail,
    /// Whether standard error does.
    error_color: bool,
}

/// The width where there is no terminal to ask.
const WIDTH: usize = 100;

impl Screen {
    pub(crate) fn new(color: Color, amount: Amount) -> Self {
        let wanted = |is_terminal: bool| match color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => {
                let is_set = |name| std::env::var_os(name).is_some_and(|v| !v.is_empty());
                let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
                is_terminal && !is_set("NO_COLOR") && !is_dumb
            }
        };
        Self {
            width: width(),
            color: wanted(io::stdout().is_terminal()),
            detail: match amount {
                Amount { verbose: true, .. } => Detail::Most,
                Amount { quiet: true, .. } => Detail::Least,
                _ => Detail::Usual,
            },
            error_color: wanted(io::stderr().is_terminal()),
        }
    }

    /// How a report is drawn here.
    pub(crate) fn options(&self, elapsed: Option<Duration>) -> terminal::Options {
        terminal::Options {
            width: self.width,
            color: self.color,
            elapsed,
            detail: self.detail,
            page: None,
            replay: None,
        }
    }

    /// How long something took, if somebody looks on. What goes elsewhere is the same every time.
    pub(crate) fn elapsed(&self, elapsed: Duration) -> Option<Duration> {
        io::stdout().is_terminal().then_some(elapsed)
    }

    /// Prints results. A reader that went away, such as `head`, is no failure.
    pub(crate) fn print(&mut self, text: &str) -> Result<(), Failure> {
        let mut out = io::stdout().lock();
        quiet_if_closed(out.write_all(text.as_bytes()).and_then(|()| out.flush()))
    }

    /// Lets `write` write results, buffered.
    pub(crate) fn stream(
        &mut self,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        let mut out = io::BufWriter::with_capacity(256 << 10, io::stdout().lock());
        quiet_if_closed(write(&mut out).and_then(|()| out.flush()))
    }

    /// Prints what is not a result: assumptions, places, times. Names in it come from outside and must not drive the terminal.
    pub(crate) fn note(&mut self, text: &str) {
        self.say(&harmless(text));
    }

    fn say(&mut self, text: &str) {
        // Nobody to tell is no reason to fail.
        let _ = writeln!(io::stderr(), "{text}");
    }

    /// Tells GitHub Actions, if it runs this: an annotation, and a part of the step's summary.
    pub(crate) fn announce(&mut self, finding: &Finding) {
        if std::env::var("GITHUB_ACTIONS").as_deref() != Ok("true") {
            return;
        }
        let root = std::env::var("GITHUB_WORKSPACE").ok();
        if let Some(annotation) = github::annotation(finding, root.as_deref()) {
            self.say(&annotation);
        }
        let summary = std::env::var_os("GITHUB_STEP_SUMMARY");
        let file = summary.map(|path| File::options().append(true).create(true).open(path));
        if let Some(Ok(mut file)) = file {
            // A summary that cannot be written is no reason to fail.
            let _ = file.write_all(github::summary(finding).as_bytes());
        }
    }

    /// Prints why something failed, and what to do.
    pub(crate) fn failure(&mut self, failure: &Failure) {
        let bold = Style::new().bold();
        let red = bold.fg_color(Some(AnsiColor::Red.into()));
        let (error, help) = (self.styled("error:", red), self.styled("help:", bold));
        // What a compiler says has several lines; they are indented, so that none passes for a message of ours.
        let (message, advice) = (failure.to_string(), failure.help());
        let lines: Vec<_> = message.trim_end().lines().map(harmless).collect();
        let (message, advice) = (lines.join("\n    "), neutral(&advice));
        let (more, anchor) = (self.styled("more:", bold), failure.section().anchor());
        self.say(&format!(
            "{error} {message}\n  {help} {advice}\n  {more} docs/errors.md#{anchor}"
        ));
    }

    /// A status for standard output, right-aligned as cargo's.
    pub(crate) fn status(&self, text: &str, exit: Exit) -> String {
        let color = match exit {
            Exit::Holds => AnsiColor::Green,
            Exit::Inconclusive => AnsiColor::Yellow,
            Exit::Violation | Exit::Error => AnsiColor::Red,
        };
        let style = Style::new().bold().fg_color(Some(color.into()));
        if self.color {
            format!("{style}{text:>12}{style:#}")
        } else {
            format!("{text:>12}")
        }
    }

    fn styled(&self, text: &str, style: Style) -> String {
        if self.error_color {
            format!("{style}{text}{style:#}")
        } else {
            text.to_owned()
        }
    }
}

/// `text` with its lines and tabs, but nothing else that could drive a terminal.
fn harmless(text: &str) -> String {
    let line = |line: &str| {
        let parts: Vec<_> = line.split('\t').map(neutral).collect();
        parts.join("\t")
    };
    let lines: Vec<String> = text.split('\n').map(line).collect();
    lines.join("\n")
}

/// How many columns there are now.
pub(crate) fn width() -> usize {
    let asked = terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    let told = std::env::var("COLUMNS").ok().and_then(|w| w.parse().ok());
    told.or(asked).filter(|&w| w > 0).unwrap_or(WIDTH)
}

fn quiet_if_closed(result: io::Result<()>) -> Result<(), Failure> {
    match result {
        Err(e) if e.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other.map_err(Failure::Output),
    }
}
