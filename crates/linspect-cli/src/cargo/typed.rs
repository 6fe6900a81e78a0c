//! What is typed after `cargo linspect`.

use crate::command::test::Options;
use crate::partition::Partition;
use crate::screen::{Amount, Color};
use std::path::PathBuf;

/// The linearizability debugger for packages: tests concurrent objects and threaded tests under all schedules.
#[derive(Debug, clap::Parser)]
#[command(
    name = "cargo-linspect",
    bin_name = "cargo linspect",
    version,
    max_term_width = 100,
    args_conflicts_with_subcommands = true,
    after_help = EXAMPLES
)]
pub(crate) struct CargoArgs {
    #[command(subcommand)]
    pub(super) command: Option<Command>,

    #[command(flatten)]
    pub(super) test: Test,

    /// When to use colours; NO_COLOR is respected
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: Color,

    #[command(flatten)]
    pub(crate) amount: Amount,
}

const EXAMPLES: &str = "\
Examples:
  cargo linspect init                    write an example harness and a CI workflow
  cargo linspect                         all harnesses and threaded tests of the package
  cargo linspect queue -p my-queues      those whose name contains `queue`, of one package
  cargo linspect --max-operations 6 --budget 5m

Exit codes: 0 all hold, 100 something is violated, 101 the build failed, 4 nothing to run,
3 inconclusive, 2 wrong usage.

docs/rust.md says what is run and what a verdict covers.";

#[derive(Debug, clap::Subcommand)]
pub(super) enum Command {
    /// Test the package; the same as without a command
    Test(Test),
    /// Write an example harness and a CI workflow
    Init(Init),
    /// See a run that was found again
    Replay(Replay),
}

/// Options of `cargo linspect test`.
#[derive(Debug, clap::Args)]
pub(super) struct Test {
    /// Only what has one of these in its name
    #[arg(value_name = "FILTER")]
    pub(super) filters: Vec<String>,

    /// Print what would be run
    #[arg(long, help_heading = "Output")]
    pub(super) list: bool,

    /// A part of it, for one of several jobs: `count:1/3` is the first of three, as cargo-nextest has it
    #[arg(long, value_name = "PART", help_heading = "Limits")]
    pub(super) partition: Option<Partition>,

    /// Stop at the first violation
    #[arg(long, help_heading = "Limits")]
    pub(super) fail_fast: bool,

    #[command(flatten)]
    pub(super) package: Package,

    #[command(flatten)]
    pub(super) options: Options,
}

/// What is built; cargo knows these by the same names.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Packages")]
pub(super) struct Package {
    /// The package to test
    #[arg(short, long = "package", value_name = "SPEC")]
    pub(super) packages: Vec<String>,

    /// All packages of the workspace
    #[arg(long)]
    pub(super) workspace: bool,

    /// Not this one of them
    #[arg(long, value_name = "SPEC", requires = "workspace")]
    pub(super) exclude: Vec<String>,

    /// The test target to build
    #[arg(long = "test", value_name = "NAME")]
    pub(super) tests: Vec<String>,

    /// The library's unit tests
    #[arg(long)]
    pub(super) lib: bool,

    /// The tests, not the examples' and benchmarks'
    #[arg(long = "tests")]
    pub(super) all_tests: bool,

    /// The program to run under all schedules, instead of tests
    #[arg(long = "bin", value_name = "NAME", conflicts_with_all = ["tests", "lib", "all_tests"])]
    pub(super) programs: Vec<String>,

    /// The profile `release`: its features, assertions and overflow checks; nothing is optimised
    #[arg(short, long, conflicts_with = "profile")]
    pub(super) release: bool,

    /// A profile of the package's, in the same way
    #[arg(long, value_name = "NAME")]
    pub(super) profile: Option<String>,

    /// How many compilers cargo may start at once, and how many cores tests use
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(super) jobs: Option<u16>,

    /// Features to switch on
    #[arg(short = 'F', long, value_name = "FEATURES")]
    pub(super) features: Vec<String>,

    /// All features
    #[arg(long)]
    pub(super) all_features: bool,

    /// Not the default features
    #[arg(long)]
    pub(super) no_default_features: bool,

    /// The package's Cargo.toml
    #[arg(long, value_name = "PATH")]
    pub(super) manifest_path: Option<PathBuf>,

    /// Do not change Cargo.lock
    #[arg(long)]
    pub(super) locked: bool,

    /// Do not use the network
    #[arg(long)]
    pub(super) offline: bool,
}

impl Package {
    /// The same for cargo.
    pub(super) fn words(&self) -> Vec<String> {
        let mut words = Vec::new();
        for (name, values) in [
            ("--package", &self.packages),
            ("--exclude", &self.exclude),
            ("--test", &self.tests),
            ("--bin", &self.programs),
            ("--features", &self.features),
        ] {
            for value in values {
                words.extend([name.to_owned(), value.clone()]);
            }
        }
        let jobs = self.jobs.map(|jobs| jobs.to_string());
        for (name, value) in [("--profile", &self.profile), ("--jobs", &jobs)] {
            words.extend(value.iter().flat_map(|v| [name.to_owned(), v.clone()]));
        }
        for (name, given) in [
            ("--workspace", self.workspace),
            ("--lib", self.lib),
            ("--tests", self.all_tests),
            ("--release", self.release),
            ("--all-features", self.all_features),
            ("--no-default-features", self.no_default_features),
            ("--locked", self.locked),
            ("--offline", self.offline),
        ] {
            if given {
                words.push(name.to_owned());
            }
        }
        words
    }
}

/// Options of `cargo linspect init`.
#[derive(Debug, clap::Args)]
pub(super) struct Init {
    /// The package's Cargo.toml
    #[arg(long, value_name = "PATH")]
    pub(super) manifest_path: Option<PathBuf>,

    /// A workflow with so many jobs beside each other, and one report of all
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..))]
    pub(super) parts: u8,
}

/// Options of `cargo linspect replay`.
#[derive(Debug, clap::Args)]
pub(super) struct Replay {
    /// The token that a report ends with
    #[arg(value_name = "TOKEN")]
    pub(super) token: String,

    #[command(flatten)]
    pub(super) test: Test,
}
