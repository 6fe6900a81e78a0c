//! Why a run could not be done: what is said, and what to do next.

use crate::exit::Exit;
use crate::section::Section;
use linspect_core::check::Misfit;
use linspect_core::execution::FaultKind;
use linspect_core::spec::BadChoice;
use linspect_core::verdict::Limit;
use linspect_engine::frontend::{LoadError, ModuleError};
use linspect_engine::internal::{self, InternalError};
use linspect_engine::{CodeError, Error, HarnessFlaw, SearchError};
use linspect_format::{ModelError, ReadError};
use std::io;
use std::path::PathBuf;

/// Why a command has no result.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// A file that cannot be opened.
    #[error("{source_name}: {error}")]
    Open {
        source_name: String,
        error: io::Error,
    },
    /// A file that is not a history.
    #[error("{source_name}:{}: {}", .error.line, .error.problem)]
    Read {
        source_name: String,
        error: ReadError,
    },
    /// An operation that the specification does not have.
    #[error("{source_name}:{line}: {reason}")]
    Unfit {
        source_name: String,
        line: u32,
        reason: String,
    },
    /// A question that makes no sense for this history.
    #[error("{source_name}: {error}")]
    Misfit { source_name: String, error: Misfit },
    /// A specification that does not exist.
    #[error("{source_name}: {error}")]
    Spec {
        source_name: String,
        error: BadChoice,
    },
    /// A model that cannot be read.
    #[error("{source_name}: {error}")]
    Model {
        source_name: String,
        error: ModelError,
    },
    /// No specification was named and none can be told from the methods.
    #[error("{source_name}: which object is this? The methods {methods} fit {candidates}")]
    Ambiguous {
        source_name: String,
        methods: String,
        candidates: String,
        example: &'static str,
    },
    /// No specification was named and none has these methods.
    #[error("{source_name}: no built-in specification has the methods {methods}")]
    NoSpec {
        source_name: String,
        methods: String,
    },
    /// Somebody pressed Ctrl-C while it was read.
    #[error("{source_name}: interrupted while reading")]
    Interrupted { source_name: String },
    /// A limit was reached while it was read.
    #[error("{source_name}: {limit} while reading")]
    Limit { source_name: String, limit: Limit },
    /// Options that do not go together.
    #[error("{message}")]
    Usage {
        message: String,
        help: &'static str,
        section: Section,
    },
    /// A program that cannot be loaded.
    #[error("{0}")]
    Load(Box<LoadError>),
    /// A program that describes no object.
    #[error("{0}")]
    Harness(CodeError),
    /// A harness that describes nothing that can be tested.
    #[error("{flaw}{}", at(.place))]
    Flaw {
        flaw: Box<HarnessFlaw>,
        /// Where in the source.
        place: Option<String>,
    },
    /// A file that holds no finding.
    #[error("{source_name}: {error}")]
    Finding {
        source_name: String,
        error: Box<linspect_report::json::FindingReadError>,
    },
    /// An object that cannot be explored.
    #[error("{0}")]
    Search(Box<SearchError>),
    /// A zoo that cannot be used.
    #[error("{0}")]
    Zoo(linspect_zoo::ZooError),
    /// An output that cannot be written.
    #[error("cannot write {}: {error}", .path.display())]
    Write { path: PathBuf, error: io::Error },
    /// A fault of Linspect itself.
    #[error("{0}")]
    Internal(InternalError),
    /// Standard output that cannot be written.
    #[error("cannot write to standard output: {0}")]
    Output(io::Error),
}

fn at(place: &Option<String>) -> String {
    place
        .as_ref()
        .map_or_else(String::new, |place| format!(" ({place})"))
}

/// What to do about a harness.
fn mend(flaw: &HarnessFlaw) -> String {
    match flaw {
        HarnessFlaw::Constructor(fault) | HarnessFlaw::NothingWorks { fault, .. }
            if fault.kind == FaultKind::Unsupported =>
        {
            unsupported(&fault.message).into()
        }
        HarnessFlaw::Constructor(fault) | HarnessFlaw::NothingWorks { fault, .. }
            if fault.kind == FaultKind::Limit =>
        {
            "this is a bound of the machine, so nothing is known: build a smaller object, with fewer elements or a smaller buffer".into()
        }
        HarnessFlaw::Constructor(_) => {
            "mend what builds the object: LINSPECT_OBJECT or LINSPECT_SETUP in C and C++, the first line of linspect::harness! in Rust".into()
        }
        HarnessFlaw::NothingWorks { .. } => {
            "is the object built? LINSPECT_OBJECT or LINSPECT_SETUP does so in C and C++, the first line of linspect::harness! in Rust".into()
        }
        HarnessFlaw::NothingReturns { .. } => {
            "build the object so that some operation can return, declare the operation that ends the waiting, or look for a lock that one operation takes twice".into()
        }
        HarnessFlaw::Nondeterministic { .. } => {
            "keep random numbers, times and addresses out of results, or name a built-in specification that allows all of them, such as --spec multiset".into()
        }
        HarnessFlaw::FailsAlone { .. } => {
            "LINSPECT_MAY_FAIL and #[may_fail] excuse what fails under contention; mend the operation, or choose another --spec".into()
        }
        HarnessFlaw::WaitsForItself { .. } => {
            "mend the lock, or choose another --spec: owned-mutex for one that its owner cannot lock again".into()
        }
        HarnessFlaw::Unfit(_) => {
            "name the operations as the specification does: LINSPECT_OP(push, my_put(q, v), int v, 1, 2) in C and C++, fn push(&self, v: u8 in 1..=2) => q.my_put(v); in Rust; or choose another with --spec, or describe a model (docs/harness.md)".into()
        }
        // These begin with a value.
        HarnessFlaw::NotEmpty { found, spec, .. } if ["register", "kv"].contains(&spec.as_str()) => {
            format!("if it begins with {found}, say so: LINSPECT_SPEC({spec}, .initial = {found}) in C and C++, spec = {spec}(.initial = {found}); in Rust")
        }
        HarnessFlaw::NotEmpty { found, spec, .. } => {
            format!("if {found} stands for nothing, say so: LINSPECT_SPEC({spec}, .empty = {found}) in C and C++, spec = {spec}(.empty = {found}); in Rust")
        }
    }
}

/// Whether something else in the file is called like a harness.
fn is_named_twice(messages: &str) -> bool {
    messages.contains("is defined multiple times") && messages.contains("linspect::harness")
}

/// Whether a bound of the machine was reached before anything was known.
fn is_bound(flaw: &HarnessFlaw) -> bool {
    matches!(flaw, HarnessFlaw::Constructor(fault) | HarnessFlaw::NothingWorks { fault, .. } if fault.kind == FaultKind::Limit)
}

/// What to do about a macro of linspect.h that clang does not understand.
const MACRO: &str = "a macro of linspect.h ends its arguments at commas: give a type with a comma a name (using Map = std::map<int, int>;), put an expression with a comma of its own in parentheses; an operation with two arguments is LINSPECT_OP2(put, map_put(m, k, v), int k, int v, 1, 1, 1, 2), with its values in pairs, or LINSPECT_OP2_RET; what is more than one expression is written with LINSPECT_OP_BODY";

/// What to do about code that cannot be run.
fn unsupported(message: &str) -> &'static str {
    match message.contains("the program calls") {
        true => UNDEFINED,
        false => {
            "nothing is known of what is tested: leave this out of it, or give a file with a stand-in for the function that does it"
        }
    }
}

/// What to do about a function without code.
const UNDEFINED: &str = "none of the files defines it: name its source file, too, as in `linspect test harness.c object.c`; of a library give the sources or the bitcode (docs/loading.md#a-projects-own-build), or a file with a stand-in for it, or leave it out of what is tested";

/// Whether a method is among those listed.
fn has(methods: &str, name: &str) -> bool {
    methods.split(", ").any(|method| method == name)
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let usage = |error: &Error, help| Self::Usage {
            message: error.to_string(),
            help,
            section: section_of(error),
        };
        match error {
            Error::Load(error) => Self::Load(error),
            Error::Harness(error) => Self::Harness(error),
            Error::Flaw { flaw, place } => Self::Flaw { flaw, place },
            Error::Search(error) => Self::Search(error),
            Error::Spec(error) => Self::Spec {
                source_name: "--spec, or the harness".into(),
                error,
            },
            Error::Misfit { name, error } => Self::Misfit {
                source_name: name,
                error,
            },
            Error::Ambiguous {
                name,
                methods,
                candidates,
            } => Self::Ambiguous {
                source_name: name,
                methods,
                candidates: candidates.join(", "),
                example: candidates[0],
            },
            Error::NoSpec { name, methods } => Self::NoSpec {
                source_name: name,
                methods,
            },
            Error::Internal(error) => Self::Internal(error),
            Error::SpecSetting(_) => usage(
                &error,
                "settings are .initial, .empty, .capacity, .parties, .cells and .largest_first, each with a value",
            ),
            Error::SpecConstant { .. } => usage(
                &error,
                "write the value itself: a number, true, false, nil, or a text in quotation marks",
            ),
            Error::NoModel => usage(
                &error,
                "describe one with LINSPECT_MODEL, or `model` in linspect::harness! (docs/harness.md)",
            ),
            Error::NothingToMeasure(_) => usage(
                &error,
                "name the functions that are operations with --functions, or leave --spec out",
            ),
            Error::NotAlone(_) => usage(
                &error,
                "name a built-in specification, or describe the object by a harness (docs/harness.md)",
            ),
            Error::NeverCalled(_) => usage(
                &error,
                "name functions that its threads call; `linspect run FILE --trace` shows what it does",
            ),
            Error::Rigid(_) => usage(
                &error,
                "--relax and --min-k are for a queue, a stack, a priority-queue (name one with --spec) or a model that is one",
            ),
            Error::NoOperations => usage(
                &error,
                "name the functions that are the object's operations with --functions",
            ),
            Error::LeastOfOneRun => usage(&error, "say how relaxed it may be with --relax K"),
            Error::NotUnderC20(_) => usage(&error, "leave one of the two out"),
            Error::Client(_) => usage(
                &error,
                "write for example --client '[push(1)] pop | push(2) pop [pop]'",
            ),
            Error::AlienToken { .. } => usage(
                &error,
                "give the files that the token was made with, or test what you have with `linspect test`",
            ),
            Error::Token(_) => usage(&error, "copy the whole token from a report"),
            Error::TokenSettings(_) => usage(&error, "use the Linspect that made it"),
            Error::NotAProgram => usage(
                &error,
                "use `linspect test`, or give the --schedule that it printed",
            ),
            Error::StaleToken => usage(&error, "run it anew without --schedule"),
            Error::Changed(_) => usage(&error, "test it again with `linspect test`"),
            Error::NobodyBeside(_) => usage(
                &error,
                "let more than one thread call some operation: `#[single_thread]`, `#[after]` and the like leave no client of two threads",
            ),
            Error::Setting(_) => usage(
                &error,
                "there are budget, preemptions, threads, operations, executions, memory, allocator, cpus, random, leaks and races; docs/harness.md#settings says what each can be",
            ),
            Error::Progress(_) => usage(&error, "promise obstruction_free, lock_free or wait_free"),
            Error::GoodRun => usage(&error, "test the object again with `linspect test`"),
            Error::NoPlan(_) => usage(
                &error,
                "make one with `linspect shard plan FOLDER -- FILE`, or begin with --checkpoint FOLDER",
            ),
            Error::PlanThere(_) => usage(
                &error,
                "go on with --resume FOLDER, or choose another folder",
            ),
            Error::PlanDamaged(_) => usage(&error, "make another one in a new folder"),
            Error::OtherPlan(_) => usage(
                &error,
                "use the program, the options and the Linspect that it was made with, or make another one in a new folder",
            ),
            Error::NoTask { .. } => usage(
                &error,
                "`linspect shard status FOLDER` says how many there are",
            ),
            Error::TaskStopped(_) => usage(
                &error,
                "run it again, or with more --memory; a task that was not finished has no result",
            ),
            Error::ResultsMissing { .. } => usage(
                &error,
                "run them with `linspect shard run FOLDER`, on any machine",
            ),
            Error::NotSharded(_) => {
                usage(&error, "leave it out; --executions N bounds each client")
            }
            Error::ShardRead { path, error } => Self::Open {
                source_name: path.display().to_string(),
                error,
            },
            Error::ShardWrite { path, error } => Self::Write { path, error },
        }
    }
}

/// Where the entry of a wrong use is.
fn section_of(error: &Error) -> Section {
    match error {
        Error::Client(_) => Section::Client,
        Error::SpecSetting(_) | Error::SpecConstant { .. } | Error::NoModel | Error::Rigid(_) => {
            Section::Specifications
        }
        Error::NotAlone(_)
        | Error::NothingToMeasure(_)
        | Error::NeverCalled(_)
        | Error::NoOperations => Section::Functions,
        Error::NotAProgram | Error::NobodyBeside(_) | Error::Progress(_) | Error::Setting(_) => {
            Section::Harness
        }
        Error::AlienToken { .. }
        | Error::Token(_)
        | Error::TokenSettings(_)
        | Error::StaleToken
        | Error::Changed(_)
        | Error::GoodRun => Section::Replays,
        _ => Section::CommandLine,
    }
}

/// Whether a name is that of source code.
fn is_code(name: &str) -> bool {
    let extension = name.rsplit_once('.').map(|(_, extension)| extension);
    matches!(
        extension,
        Some("c" | "cc" | "cpp" | "cxx" | "rs" | "bc" | "ll")
    )
}

impl Failure {
    /// What to do about it.
    pub(crate) fn help(&self) -> String {
        match self {
            Self::Open { source_name, .. } if source_name.ends_with(".toml") => {
                "give the path of a model (see docs/models.md)".into()
            }
            Self::Open { .. } => "give the path of a recorded history, or `-` for standard input".into(),
            Self::Read { source_name, .. } if is_code(source_name) => {
                format!("this is a program, not a recorded history: `linspect test {source_name}` tests it")
            }
            Self::Read { error, .. } => error.help().into(),
            Self::Unfit { reason, .. } if reason.contains("`txn`") => {
                "transactions over several objects are another problem, which Elle solves".into()
            }
            Self::Unfit { reason, .. } if reason.contains("`drain`") => {
                "a drain takes many elements at once: record each as a dequeue of its own, or use the checker `total-queue` of Jepsen".into()
            }
            Self::Unfit { .. } => {
                "correct the recording, or choose the object that was recorded with --spec".into()
            }
            Self::Misfit { .. } => "choose another --criterion, or another --spec".into(),
            Self::Spec { .. } => "choose one with --spec, or correct the header of the file".into(),
            Self::Model { .. } => {
                "a call looks like \"dequeue()\" = [\"[x, ..q] -> [..q] returns x\", \"[] -> [] returns nil\"] (see docs/models.md)".into()
            }
            Self::Ambiguous { example, .. } => format!("choose one, for example `--spec {example}`"),
            Self::NoSpec { methods, .. } if has(methods, "txn") => {
                "transactions over several objects are another problem, which Elle solves".into()
            }
            Self::NoSpec { methods, .. } if has(methods, "drain") => {
                "a drain takes many elements at once: record each as a dequeue of its own, or use the checker `total-queue` of Jepsen".into()
            }
            Self::NoSpec { .. } => {
                "record the usual names (enqueue, dequeue, read, write, …); `linspect help check` lists the specifications, and docs/models.md says how to write one".into()
            }
            Self::Interrupted { .. } => "nothing is known about it; run it again".into(),
            Self::Limit { .. } => "nothing is known about it; --timeout and --memory raise the limits".into(),
            Self::Usage { help, .. } => (*help).into(),
            Self::Load(error) => match &**error {
                LoadError::Scratch(_) => {
                    "set TMPDIR to a folder that can be written and has space".into()
                }
                LoadError::Read { .. } => "check the path".into(),
                LoadError::UnknownKind(_) => {
                    "for a recorded history there is `linspect check`, for a saved finding `linspect report`".into()
                }
                LoadError::NoCompiler { .. } => "install it, or put it on the PATH, and run this again".into(),
                LoadError::Compile { compiler, .. } if compiler == "cargo" => {
                    "correct what cargo says above; `cargo test --no-run` must pass first".into()
                }
                LoadError::Compile { compiler, messages, .. } if compiler == "rustc" && is_named_twice(messages) => {
                    "a harness is a test that is called like its object: give the object, or what else is called so, another name".into()
                }
                LoadError::Compile { compiler, .. } if compiler == "rustc" => {
                    "correct what rustc says; a file that needs other crates is tested in its package, with `cargo linspect`".into()
                }
                LoadError::Compile { messages, .. } if is_newer_cpp(messages) => {
                    "if this is C++20 or newer, say so: --cflag -std=c++20".into()
                }
                LoadError::Compile { messages, .. } if messages.contains("LINSPECT_") => MACRO.into(),
                LoadError::Module(ModuleError::Link { .. }) => {
                    "a harness that includes the object's source file is given alone; one that includes its header is given together with it".into()
                }
                LoadError::MachineCode(_) => {
                    "docs/loading.md#a-projects-own-build says how a project is built so that it carries bitcode".into()
                }
                _ => "give source files that compile by themselves; --cflag passes arguments to clang".into(),
            },
            Self::Harness(CodeError::NoFunction { .. }) => "name a function as the source does, such as push or Stack::push".into(),
            Self::Harness(_) => "docs/harness.md says how to describe an object".into(),
            Self::Flaw { flaw, .. } => mend(flaw),
            Self::Finding { .. } => "give what --json printed, or a .json file beside a report".into(),
            Self::Internal(_) => internal::HELP.into(),
            Self::Search(error) if error.is_internal() => internal::HELP.into(),
            Self::Search(error) => match **error {
                SearchError::Unsupported(ref fault) => unsupported(&fault.message).into(),
                SearchError::Unfit(_) => "choose another --spec, or correct the harness".into(),
                _ => "`linspect run` shows a single run".into(),
            },
            Self::Zoo(_) => "choose a folder that can be written with --out".into(),
            Self::Write { .. } => "choose a path that can be written".into(),
            Self::Output(_) => "check where the output goes".into(),
        }
    }

    /// Where docs/errors.md has an entry for it.
    pub(crate) fn section(&self) -> Section {
        match self {
            Self::Usage { section, .. } => *section,
            Self::Open { .. }
            | Self::Interrupted { .. }
            | Self::Limit { .. }
            | Self::Zoo(_)
            | Self::Write { .. }
            | Self::Output(_) => Section::Files,
            Self::Read { .. } => Section::Histories,
            Self::Unfit { .. }
            | Self::Misfit { .. }
            | Self::Spec { .. }
            | Self::Model { .. }
            | Self::Ambiguous { .. }
            | Self::NoSpec { .. } => Section::Specifications,
            Self::Load(error) => match &**error {
                LoadError::Read { .. } | LoadError::Scratch(_) => Section::Files,
                _ => Section::Compilers,
            },
            Self::Harness(
                CodeError::NoFunction { .. } | CodeError::NoMain | CodeError::HarnessAndFunctions,
            ) => Section::Functions,
            Self::Harness(_) | Self::Flaw { .. } => Section::Harness,
            Self::Finding { .. } => Section::Replays,
            Self::Internal(_) => Section::Linspect,
            Self::Search(error) if error.is_internal() => Section::Linspect,
            Self::Search(error) => match **error {
                SearchError::Unfit(_) => Section::Specifications,
                SearchError::Start(_) => Section::Harness,
                _ => Section::NotRunnable,
            },
        }
    }

    /// The line of the input that it is about.
    pub(crate) fn line(&self) -> Option<u32> {
        match self {
            Self::Read { error, .. } => Some(error.line),
            Self::Unfit { line, .. } => Some(*line),
            _ => None,
        }
    }

    /// What the shell is told.
    pub(crate) fn exit(&self) -> Exit {
        match self {
            Self::Interrupted { .. } | Self::Limit { .. } => Exit::Inconclusive,
            // A bound of the machine says nothing about the object.
            Self::Flaw { flaw, .. } if is_bound(flaw) => Exit::Inconclusive,
            _ => Exit::Error,
        }
    }
}

/// Whether clang misses something of the standard library: C++20 has more of it than the C++ that clang takes for granted.
fn is_newer_cpp(messages: &str) -> bool {
    let is_missing = |line: &str| {
        line.contains("in namespace 'std'")
            || line.contains("undeclared identifier 'std'")
            || line.contains("no member named") && line.contains("'std::")
    };
    let mut errors = messages.lines().filter(|line| line.contains("error:"));
    errors.any(is_missing)
}
