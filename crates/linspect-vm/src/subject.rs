//! A loaded program as something that can be started: an object with its harness, or a plain program.

use crate::harness::{self, Harness, SpecText};
use crate::image::Image;
use crate::interp::Recorder;
use crate::machine::Vm;
use crate::program::{self, FunctionId, Program, SiteId};
use crate::settings::Settings;
use linspect_core::client::{Client, Declared};
use linspect_core::execution::Fault;
use linspect_core::machine::{Site, StartError, Subject};
use linspect_core::schedule::Schedule;
use linspect_core::statement::{RecordError, Recording};
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_64;

/// A program that can be started.
pub struct Code {
    image: Arc<Image>,
    settings: Arc<Settings>,
    operations: Vec<Declared>,
    functions: Arc<[FunctionId]>,
    spec: Option<SpecText>,
    object: Option<FunctionId>,
    main: Option<FunctionId>,
    fingerprint: u64,
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
}

impl Code {
    /// Prepares a program; a harness describes its operations now.
    pub fn new(program: Program, settings: Settings) -> Result<Self, CodeError> {
        let fingerprint = xxh3_64(&program.to_bytes());
        let image = Arc::new(Image::new(program));
        let settings = Arc::new(settings);
        let declare: Vec<FunctionId> = (0..image.program.functions.len() as FunctionId)
            .filter(|f| {
                let function = &image.program.functions[*f as usize];
                !function.is_declaration()
                    && image
                        .program
                        .text(function.symbol)
                        .starts_with(harness::DECLARE)
            })
            .collect();
        let Harness { operations, spec } = {
            let harness =
                Vm::describe(&image, &settings, &declare).map_err(CodeError::Declaration)?;
            if declare.is_empty() && image.function("main").is_none() {
                return Err(CodeError::NothingToRun);
            }
            harness
        };
        let harness = Harness { operations, spec };
        Ok(Self {
            operations: harness.declared(),
            functions: harness.operations.iter().map(|o| o.function).collect(),
            spec: harness.spec,
            object: image.function(harness::OBJECT),
            main: image.function("main"),
            image,
            settings,
            fingerprint,
        })
    }

    /// The specification that the harness asks for.
    pub fn spec(&self) -> Option<&SpecText> {
        self.spec.as_ref()
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
            object: self.object,
            main: self.main,
            fingerprint: self.fingerprint,
        }
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
            Some(main) if self.operations.is_empty() => {
                Vm::start_main(&self.image, &self.settings, main, recorder)
            }
            _ => Vm::start_client(
                &self.image,
                &self.settings,
                &self.functions,
                self.object,
                client,
                recorder,
            ),
        }
    }

    /// What it runs with.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }
}

impl Subject for Code {
    type Machine = Vm;

    fn operations(&self) -> &[Declared] {
        &self.operations
    }

    fn start(&self, client: &Client) -> Result<Vm, StartError> {
        self.start_recorded(client, None)
    }

    fn site(&self, site: SiteId) -> Site {
        site_of(&self.image.program, site)
    }

    fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    fn record(&self, client: &Client, schedule: &Schedule) -> Result<Recording, RecordError> {
        crate::recording::record(self, client, schedule)
    }
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
