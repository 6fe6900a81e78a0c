//! Why there is no finding: what is wrong with the program, the question or the machinery. What to do about it says whoever shows it.

use crate::client_text::BadClient;
use crate::internal::InternalError;
use linspect_core::check::Misfit;
use linspect_core::spec::BadChoice;
use linspect_core::value::Value;
use linspect_core::verdict::Limit;
use linspect_explore::harness_check::HarnessFlaw;
use linspect_explore::search::SearchError;
use linspect_explore::token::TokenError;
use linspect_vm::CodeError;
use linspect_vm::frontend::LoadError;
use std::io;
use std::path::PathBuf;

/// Why there is no finding.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A program that cannot be loaded.
    #[error("{0}")]
    Load(Box<LoadError>),
    /// A program that describes no object.
    #[error("{0}")]
    Harness(CodeError),
    /// A harness that describes nothing that can be tested.
    #[error("{flaw}{}", .place.as_ref().map_or_else(String::new, |place| format!(" ({place})")))]
    Flaw {
        /// What is wrong with it.
        flaw: Box<HarnessFlaw>,
        /// Where in the source.
        place: Option<String>,
    },
    /// An object that cannot be explored.
    #[error("{0}")]
    Search(Box<SearchError>),
    /// A specification that does not exist.
    #[error("--spec, or the harness: {0}")]
    Spec(BadChoice),
    /// The settings of a specification that nobody understands.
    #[error("the specification has a setting that nobody understands: `{0}`")]
    SpecSetting(String),
    /// A setting of a specification that is a name in the source, not a value.
    #[error("`{setting}`: only the compiler knows what `{value}` is")]
    SpecConstant {
        /// The setting.
        setting: String,
        /// Its value.
        value: String,
    },
    /// The harness has no model to be measured by.
    #[error("--spec model: the harness has no model")]
    NoModel,
    /// The operations of a plain program are to be measured by what they do alone.
    #[error("--spec {0}: the operations of a plain program cannot be run by themselves")]
    NotAlone(String),
    /// A program whose operations nobody has named is to be measured by a specification.
    #[error("--spec {0}: the program has no operations that it could be asked about")]
    NothingToMeasure(String),
    /// A history that the specification cannot be asked about.
    #[error("{name}: {error}")]
    Misfit {
        /// What the object is called.
        name: String,
        /// Why not.
        error: Misfit,
    },
    /// No specification was named, and several fit the operations.
    #[error("{name}: which object is this? The methods {methods} fit {}", .candidates.join(", "))]
    Ambiguous {
        /// What the program is called.
        name: String,
        /// Its operations.
        methods: String,
        /// The specifications.
        candidates: Vec<&'static str>,
    },
    /// No specification was named, and none fits the operations.
    #[error("{name}: no built-in specification has the methods {methods}")]
    NoSpec {
        /// What the program is called.
        name: String,
        /// Its operations.
        methods: String,
    },
    /// A program that never calls what is to be its operations.
    #[error("the program never calls {}", .0.join(" or "))]
    NeverCalled(Vec<String>),
    /// Something without an order is to be relaxed.
    #[error("{0} has no order that could be relaxed")]
    Rigid(String),
    /// A plain program is to be relaxed.
    #[error("a plain program has no operations whose order could be relaxed")]
    NoOperations,
    /// The smallest k is asked of one run, which was seen with one k.
    #[error("--min-k is for a search, not for one run")]
    LeastOfOneRun,
    /// Something that looks at schedules, where executions are explored as a whole.
    #[error(
        "--memory-model c20 explores executions as a whole, not schedules: it cannot be combined with {0}"
    )]
    NotUnderC20(&'static str),
    /// A client that cannot be read.
    #[error("--client: {0}")]
    Client(#[from] BadClient),
    /// A token that calls what the program does not have.
    #[error("the token calls operation {number} with {argument}, which this program does not have: its operations are {}", .operations.join(", "))]
    AlienToken {
        /// Which operation, from 1.
        number: u32,
        /// What it is called with.
        argument: Value,
        /// The operations that there are.
        operations: Vec<String>,
    },
    /// A text that is no token.
    #[error("{0}")]
    Token(#[from] TokenError),
    /// A token that another version made.
    #[error("this token has settings that are not known here: {}", .0.join(" "))]
    TokenSettings(Vec<String>),
    /// A harness that is to be run like a program.
    #[error("this is a harness: it has operations to call, not a program to run")]
    NotAProgram,
    /// A token whose run is asked for exactly, of a program that has changed.
    #[error("the program has changed since this token was made")]
    StaleToken,
    /// A finding of a program that has changed.
    #[error("{0} has changed since the finding was made")]
    Changed(String),
    /// A run that is to be made smaller, but is a good one.
    #[error("the run of this finding is a good one")]
    GoodRun,
    /// An object none of whose operations may be called beside another.
    #[error("{0}: no two threads can call its operations: nothing concurrent is left to test")]
    NobodyBeside(String),
    /// A promise of progress that nobody knows.
    #[error("progress `{0}`: nobody knows what that promises")]
    Progress(String),
    /// A setting of a harness that nobody knows, or with a value that it cannot have.
    #[error("the harness says `{0}`, which is no setting, or no value of one")]
    Setting(String),
    /// A folder without a plan of tasks, or without a checkpoint.
    #[error("{}: there is no plan in this folder", .0.display())]
    NoPlan(PathBuf),
    /// A folder that has one.
    #[error("{}: there is a plan in this folder already", .0.display())]
    PlanThere(PathBuf),
    /// A plan that was cut short or changed.
    #[error("{}: the plan in this folder is damaged", .0.display())]
    PlanDamaged(PathBuf),
    /// A plan of something else.
    #[error("the plan was made for another {0}")]
    OtherPlan(&'static str),
    /// A task that no plan has.
    #[error("there is no task {task}: the plan has {tasks}, numbered from 0")]
    NoTask {
        /// Which.
        task: usize,
        /// How many there are.
        tasks: usize,
    },
    /// A task that a limit ended: half a task has no result.
    #[error("the task was not finished: {0}")]
    TaskStopped(Limit),
    /// Results that a merge needs.
    #[error("{} of {tasks} tasks have no result yet: {}", .missing.len(), listed(.missing))]
    ResultsMissing {
        /// Which tasks.
        missing: Vec<usize>,
        /// How many there are.
        tasks: usize,
    },
    /// Something that no interval of clients has an answer to.
    #[error(
        "{0} cannot be used here: a search that is cut into tasks counts, it has no clock and no second question"
    )]
    NotSharded(&'static str),
    /// A file of a plan that cannot be read.
    #[error("cannot read {}: {error}", .path.display())]
    ShardRead {
        /// Which.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A file of a plan that cannot be written.
    #[error("cannot write {}: {error}", .path.display())]
    ShardWrite {
        /// Which.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A fault of Linspect itself.
    #[error("{0}")]
    Internal(InternalError),
}

/// The first few numbers.
fn listed(numbers: &[usize]) -> String {
    const MOST: usize = 10;
    let words: Vec<String> = numbers.iter().take(MOST).map(usize::to_string).collect();
    let more = if numbers.len() > MOST { ", …" } else { "" };
    format!("{}{more}", words.join(", "))
}

impl From<SearchError> for Error {
    fn from(error: SearchError) -> Self {
        Self::Search(Box::new(error))
    }
}

impl From<LoadError> for Error {
    fn from(error: LoadError) -> Self {
        Self::Load(Box::new(error))
    }
}
