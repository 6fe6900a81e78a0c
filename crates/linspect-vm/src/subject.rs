//! A loaded program as something that can be started: an object with its harness, or a plain program.

use crate::deadline::Deadline;
use crate::harness::{self, Harness, SpecText};
use crate::image::Image;
use crate::interp::Recorder;
use crate::large_numbers::{LargeNumbers, large_numbers};
use crate::machine::{Entry, Hidden, Vm};
use crate::memory::Reuse;
use crate::naming;
use crate::observed::Observed;
use crate::program::{self, FunctionId, Origin, Program, SiteId};
use crate::settings::Settings;
use linspect_core::client::{Client, Declared};
use linspect_core::execution::{Fault, MemoryModel};
use linspect_core::machine::{Site, StartError, Subject};
use linspect_core::schedule::Schedule;
use linspect_core::statement::{RecordError, Recording};
use std::collections::BTreeSet;
use std::sync::{Arc, PoisonError};
use xxhash_rust::xxh3::xxh3_64;

/// A program that can be started.
pub struct LoadedProgram {
    image: Arc<Image>,
    settings: Arc<Settings>,
    operations: Vec<Declared>,
    functions: Arc<[FunctionId]>,
    spec: Option<SpecText>,
    client: Option<String>,
    allowed_races: Vec<String>,
    progress: Option<String>,
    declared_settings: Vec<String>,
    object: Option<FunctionId>,
    teardown: Option<FunctionId>,
    show: Option<FunctionId>,
    model: Option<Model>,
    main: Option<FunctionId>,
    is_program: bool,
    fingerprint: u64,
    hidden: Hidden,
    deadline: Deadline,
}

/// The sequential model of a harness: what runs instead of the object.
#[derive(Clone)]
struct Model {
    functions: Arc<[FunctionId]>,
    object: Option<FunctionId>,
    show: Option<FunctionId>,
}

/// Why a program cannot be started at all.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CodeError {
    /// There is nothing to run.
    #[error(
        "the program has neither a function `main` nor a harness; include linspect.h and declare operations with LINSPECT_OP, or write a main"
    )]
    NothingToRun,
    /// The harness failed while it described itself.
    #[error("the harness failed while it declared its operations: {}", .0.message)]
    Declaration(Fault),
    /// A function to observe is not there.
    #[error("the program has no function `{name}`; it has {known}")]
    NoFunction {
        /// What was asked for.
        name: String,
        /// What there is.
        known: String,
    },
    /// Functions are observed while a program runs.
    #[error("the program has no function `main`, so nobody calls the functions to observe")]
    NoMain,
    /// A harness says itself what its operations are.
    #[error(
        "the program has a harness, which declares its operations itself; leave out either the harness or --functions"
    )]
    HarnessAndFunctions,
    /// A harness builds an object that nobody can use.
    #[error(
        "the harness builds an object but declares no operation; declare some with LINSPECT_OP, or `fn` in linspect::harness!"
    )]
    NoOperations,
    /// Two operations cannot be told apart.
    #[error("the harness declares the operation `{0}` twice; give one of them another name")]
    Twice(String),
    /// The model lacks an operation of the object.
    #[error(
        "the model has no operation `{0}`, which the object has; declare it with LINSPECT_MODEL_OP, or `fn` after `model` in linspect::harness!"
    )]
    NotInModel(String),
    /// The object lacks an operation of the model.
    #[error(
        "the model has an operation `{0}`, which the object does not have; the two must have the same operations"
    )]
    OnlyModel(String),
    /// A limit is for an operation that there is not.
    #[error("a limit names the operation `{0}`, which the harness does not declare")]
    LimitOfNothing(String),
}

impl LoadedProgram {
    /// Prepares a program; a harness describes its operations now.
    pub fn new(program: Program, settings: Settings) -> Result<Self, CodeError> {
        let fingerprint = xxh3_64(&program.to_bytes());
        let image = Arc::new(Image::new(program, Observed::default()));
        let settings = Arc::new(settings);
        let harness = describe(&image, &settings)?;
        check(&harness, &image)?;
        let has_model = image.function(harness::MODEL).is_some() || !harness.model.is_empty();
        let model = match has_model {
            false => None,
            true => Some(Model {
                functions: harness.model_functions()?.into(),
                object: image.function(harness::MODEL),
                show: match harness.model.is_empty() {
                    true => image.function(harness::SHOW),
                    false => image.function(harness::SHOW_MODEL),
                },
            }),
        };
        Ok(Self {
            operations: harness.declared()?,
            functions: harness.operations.iter().map(|o| o.function).collect(),
            spec: harness.spec,
            client: harness.client,
            allowed_races: harness.allowed_races,
            progress: harness.progress,
            declared_settings: harness.settings,
            object: image.function(harness::OBJECT),
            teardown: image.function(harness::TEARDOWN),
            show: image.function(harness::SHOW),
            model,
            main: image.function("main"),
            is_program: harness.operations.is_empty(),
            image,
            settings,
            fingerprint,
            hidden: Hidden::default(),
            deadline: Deadline::default(),
        })
    }

    /// Prepares a plain program of which these functions are the operations of an object; its threads are the client.
    pub fn observing(
        program: Program,
        settings: Settings,
        functions: &[String],
    ) -> Result<Self, CodeError> {
        let observed = Observed::find(&program, functions)?;
        let fingerprint = xxh3_64(&program.to_bytes());
        let image = Arc::new(Image::new(program, observed));
        let main = image.function("main").ok_or(CodeError::NoMain)?;
        if image.function(harness::OBJECT).is_some() {
            return Err(CodeError::HarnessAndFunctions);
        }
        let settings = Arc::new(settings);
        let declared_settings = describe(&image, &settings)?.settings;
        Ok(Self {
            operations: Observed::declared(functions),
            functions: Arc::default(),
            spec: None,
            client: None,
            allowed_races: Vec::new(),
            progress: None,
            declared_settings,
            object: None,
            teardown: None,
            show: image.function(harness::SHOW),
            model: None,
            main: Some(main),
            is_program: true,
            image,
            settings,
            fingerprint,
            hidden: Hidden::default(),
            deadline: Deadline::default(),
        })
    }

    /// The type of the object that a Rust harness makes, without its path and parameters.
    pub fn object_type(&self) -> Option<String> {
        naming::object_type(&self.image.program)
    }

    /// Whether threads can run beside each other at all: those of a client, or those that a plain program starts.
    pub fn starts_threads(&self) -> bool {
        const STARTS: [&str; 3] = ["pthread_create", "thrd_create", "_M_start_thread"];
        let is_start = |symbol: &str| STARTS.iter().any(|start| symbol.contains(start));
        !self.is_program || self.has_function(is_start)
    }

    /// Whether it asks for numbers of which only some are tried.
    pub fn narrows(&self) -> bool {
        self.has_function(crate::models::is_narrowed)
    }

    fn has_function(&self, is_so: impl Fn(&str) -> bool) -> bool {
        let program = &self.image.program;
        let mut symbols = program.functions.iter().map(|f| program.text(f.symbol));
        symbols.any(is_so)
    }

    /// The specification that the harness asks for.
    pub fn spec(&self) -> Option<&SpecText> {
        self.spec.as_ref()
    }

    /// The only client to run, as the harness of a regression test writes it.
    pub fn client(&self) -> Option<&str> {
        self.client.as_deref()
    }

    /// The names of what may be raced for, as the harness says.
    pub fn allowed_races(&self) -> &[String] {
        &self.allowed_races
    }

    /// What the harness promises about operations that others hinder: `lock_free`.
    pub fn progress(&self) -> Option<&str> {
        self.progress.as_deref()
    }

    /// How far to go, as the harness or the test says: `budget = 10s, preemptions = 2`.
    pub fn declared_settings(&self) -> &[String] {
        &self.declared_settings
    }

    /// Functions of the program under test in which numbers from `least` on stand.
    pub fn large_numbers(&self, least: u64) -> Vec<LargeNumbers> {
        large_numbers(&self.image.program, least)
    }

    /// The decoded program.
    pub fn program(&self) -> &Program {
        &self.image.program
    }

    /// The same program with other settings.
    #[must_use]
    pub fn with_settings(&self, settings: Settings) -> Self {
        Self {
            image: Arc::clone(&self.image),
            settings: Arc::new(settings),
            operations: self.operations.clone(),
            functions: Arc::clone(&self.functions),
            spec: self.spec.clone(),
            client: self.client.clone(),
            allowed_races: self.allowed_races.clone(),
            progress: self.progress.clone(),
            declared_settings: self.declared_settings.clone(),
            object: self.object,
            teardown: self.teardown,
            show: self.show,
            model: self.model.clone(),
            main: self.main,
            is_program: self.is_program,
            fingerprint: self.fingerprint,
            hidden: Arc::clone(&self.hidden),
            deadline: self.deadline.clone(),
        }
    }

    /// The same program; `operations` says more of the same operations.
    pub fn with_operations(&self, operations: Vec<Declared>) -> Self {
        let mut same = self.with_settings((*self.settings).clone());
        same.operations = operations;
        same
    }

    /// Whenever a machine that is in a hurry ([`set_hurry`](linspect_core::machine::Machine::set_hurry)) runs a long operation, `passed` says whether
    /// there is no time left.
    pub fn set_deadline(&self, passed: impl Fn() -> bool + Send + Sync + 'static) {
        self.deadline.set(passed);
    }

    /// Where memory is allocated that threads were seen to hide from each other since this was asked last. Runs that did so end in a fault of
    /// kind [`Hidden`](linspect_core::execution::FaultKind::Hidden) and say nothing: the program is to be run again with these [`LoadedProgram::sharing`].
    pub fn take_hidden(&self) -> BTreeSet<SiteId> {
        let mut hidden = self.hidden.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut *hidden)
    }

    /// The same program where what is allocated at these sites too is shared from its birth.
    #[must_use]
    pub fn sharing(&self, sites: impl IntoIterator<Item = SiteId>) -> Self {
        let mut settings = (*self.settings).clone();
        settings.shared.extend(sites);
        self.with_settings(settings)
    }

    /// The sequential model that the harness comes with, as a program of its own with the same operations.
    #[must_use]
    pub fn model(&self) -> Option<Self> {
        let model = self.model.clone()?;
        Some(Self {
            functions: model.functions,
            object: model.object,
            // A model is only the measure: nobody asks how it ends.
            teardown: None,
            show: model.show,
            model: None,
            ..self.with_settings((*self.settings).clone())
        })
    }

    /// Whose code a site is.
    pub fn origin(&self, site: SiteId) -> Origin {
        let site = self.image.program.sites.get(site as usize);
        site.map_or(Origin::User, |site| site.origin)
    }

    /// Where a site stands in the user's code: the innermost place along its inlining that is no library's.
    pub fn user_site(&self, site: SiteId) -> Site {
        let user = self.image.user_sites.get(site as usize).copied();
        let user = user.filter(|user| *user != 0).unwrap_or(site);
        site_of(&self.image.program, user)
    }

    /// Starts a client, or the plain program, with somebody who writes down every statement.
    pub(crate) fn start_recorded(
        &self,
        client: &Client,
        recorder: Option<Box<Recorder>>,
    ) -> Result<Vm, StartError> {
        match self.main {
            Some(main) if self.is_program => {
                let entry = Entry {
                    show: self.show,
                    hidden: Arc::clone(&self.hidden),
                    deadline: self.deadline.clone(),
                    ..Entry::default()
                };
                Vm::start_main(&self.image, &self.settings, main, entry, recorder)
            }
            _ => {
                let entry = Entry {
                    operations: Arc::clone(&self.functions),
                    object: self.object,
                    teardown: self.teardown,
                    show: self.show,
                    hidden: Arc::clone(&self.hidden),
                    deadline: self.deadline.clone(),
                };
                Vm::start_client(&self.image, &self.settings, &entry, client, recorder)
            }
        }
    }

    /// What it runs with.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }
}

impl Subject for LoadedProgram {
    type Machine = Vm;

    fn operations(&self) -> &[Declared] {
        &self.operations
    }

    fn start(&self, client: &Client) -> Result<Vm, StartError> {
        self.start_recorded(client, None)
    }

    fn fresh(&self) -> Option<Self> {
        let settings = Settings {
            reuse: Reuse::Fresh,
            ..(*self.settings).clone()
        };
        (self.settings.reuse == Reuse::Both).then(|| self.with_settings(settings))
    }

    fn site(&self, site: SiteId) -> Site {
        site_of(&self.image.program, site)
    }

    fn is_program(&self) -> bool {
        self.is_program
    }

    fn memory_model(&self) -> MemoryModel {
        self.settings.memory_model
    }

    fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    fn record(&self, client: &Client, schedule: &Schedule) -> Result<Recording, RecordError> {
        crate::recording::record(self, client, schedule)
    }
}

/// What the functions declare that describe the program.
fn describe(image: &Arc<Image>, settings: &Arc<Settings>) -> Result<Harness, CodeError> {
    let declares = |function: &program::Function| {
        let symbol = image.program.text(function.symbol);
        !function.is_declaration() && symbol.starts_with(harness::DECLARE)
    };
    let all = (0..).zip(&image.program.functions);
    let declare = all.filter(|(_, function)| declares(function));
    let declare: Vec<FunctionId> = declare.map(|(id, _)| id).collect();
    Vm::describe(image, settings, &declare).map_err(CodeError::Declaration)
}

/// Whether a harness describes something that can be run.
fn check(harness: &Harness, image: &Image) -> Result<(), CodeError> {
    let operations = &harness.operations;
    let builds = [harness::OBJECT, harness::MODEL]
        .iter()
        .any(|symbol| image.function(symbol).is_some());
    if operations.is_empty() && builds {
        return Err(CodeError::NoOperations);
    }
    if operations.is_empty() && image.function("main").is_none() {
        return Err(CodeError::NothingToRun);
    }
    for (i, operation) in operations.iter().enumerate() {
        if operations[..i].iter().any(|o| o.name == operation.name) {
            return Err(CodeError::Twice(operation.name.clone()));
        }
    }
    Ok(())
}

/// A site with the chain of calls that it was inlined into.
fn site_of(program: &Program, id: SiteId) -> Site {
    let one = |site: &program::Site| Site {
        file: program.text(site.file).to_owned(),
        line: site.line,
        column: site.column,
        function: program.text(site.function).to_owned(),
        inlined_at: Vec::new(),
    };
    let Some(first) = program.sites.get(id as usize) else {
        return Site::default();
    };
    let mut site = one(first);
    let mut next = first.inlined_at;
    // Chains are short; the bound guards against a damaged table.
    while next != 0 && site.inlined_at.len() < 64 {
        let Some(outer) = program.sites.get(next as usize) else {
            break;
        };
        site.inlined_at.push(one(outer));
        next = outer.inlined_at;
    }
    site
}
