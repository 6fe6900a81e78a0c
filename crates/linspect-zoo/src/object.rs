//! An object of the zoo with everything a description says about it, checked and resolved.

use crate::call::Call;
use crate::error::ZooError;
use crate::files;
use crate::manifest::{
    CaseEntry, Family, Figure, Language, Long, ObjectEntry, Paper, Quote, SectionEntry,
};
use crate::quote::{self, QuotedPlace};
use linspect_core::client::{Client, Declared, Invocation};
use linspect_core::spec::{Builtin, Options, Spec, Unfit, Visitor};
use linspect_core::value::Value;
use std::collections::BTreeMap;

/// A concurrent object and what should be found in it.
#[derive(Clone, Debug)]
pub struct Object {
    /// Its name, unique in the zoo.
    pub name: String,
    /// What it is written in.
    pub language: Language,
    /// The papers it is from; none for our own.
    pub papers: Vec<Paper>,
    /// Whether the paper tells so little that fault and code are our own reconstruction.
    pub reconstruction: bool,
    /// Its sources, as paths below the zoo; headers lie beside them.
    pub files: Vec<String>,
    /// Its harness, if it has one.
    pub harness: Option<String>,
    /// What it should do.
    pub spec: Builtin,
    /// How many steps operations may be out of order, for a relaxed object.
    pub k: Option<u32>,
    /// Whether it is linearizable.
    pub linearizable: bool,
    /// Whether it is k-quasi-linearizable, for a relaxed object.
    pub quasi: Option<bool>,
    /// Whether it fails even when every operation runs alone, so that no atomic section repairs it.
    pub serial: bool,
    /// Whether it is right when one thread uses it.
    pub sequential: bool,
    /// Whether taking from it waits when it is empty.
    pub blocks_when_empty: bool,
    /// Whether a processor can run it with several threads; no processor has the double compare-and-swap that some need.
    pub native_threads: bool,
    /// What is wrong, in one sentence.
    pub bug: Option<String>,
    /// The same object without the fault, or with it.
    pub twin: Option<String>,
    /// The lines that localisation should point at.
    pub decisive: Vec<QuotedPlace>,
    /// The sections that repair should propose, the expected first one first.
    pub repair: Vec<ExpectedSection>,
    /// The sections of the same fault seen from the other side.
    pub or_repair: Vec<ExpectedSection>,
    /// The clients to run it with.
    pub cases: Vec<Case>,
}

/// Lines of one file, both ends included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpectedSection {
    /// The first line.
    pub first: QuotedPlace,
    /// The last line.
    pub last: QuotedPlace,
}

/// A client with its expected verdict and the paper's figures for it.
#[derive(Clone, Debug)]
pub struct Case {
    /// The row of the paper's table that it stands for.
    pub row: String,
    /// Ps: run before the threads start.
    pub before: Vec<Call>,
    /// Pc: what each thread runs.
    pub threads: Vec<Vec<Call>>,
    /// Pr: run when all threads have ended.
    pub after: Vec<Call>,
    /// Whether every history of it is linearizable.
    pub linearizable: bool,
    /// Whether every history of it is k-quasi-linearizable, for a relaxed object.
    pub quasi: Option<bool>,
    /// The long random clients in which the paper found the fault.
    pub long: Option<Long>,
    /// The paper's figures, by name.
    pub figures: BTreeMap<String, Figure>,
}

impl Long {
    /// `operations` of a harness as long clients call them: only some, with more arguments.
    pub fn declared(&self, operations: &[Declared]) -> Result<Vec<Declared>, UnknownOperation> {
        let is_declared = |method: &&String| !operations.iter().any(|o| o.name == **method);
        if let Some(unknown) = self.methods.iter().find(is_declared) {
            return Err(UnknownOperation(unknown.clone()));
        }
        let mut declared = operations.to_vec();
        for operation in &mut declared {
            if !self.methods.contains(&operation.name) {
                operation.limits.at_most = Some(0);
            } else if operation.domain != [Value::Unit] {
                operation.domain = (1..=self.values).map(Value::Int).collect();
            }
        }
        Ok(declared)
    }
}

/// A harness does not declare an operation that a client calls.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the harness declares no operation `{0}`")]
pub struct UnknownOperation(pub String);

impl Case {
    /// The client in terms of the `operations` that a harness declares.
    pub fn client(&self, operations: &[Declared]) -> Result<Client, UnknownOperation> {
        let invocations = |calls: &[Call]| -> Result<Vec<Invocation>, UnknownOperation> {
            calls
                .iter()
                .map(|call| {
                    let at = operations.iter().position(|o| o.name == call.method);
                    let operation = at.and_then(|at| u16::try_from(at).ok());
                    Ok(Invocation {
                        operation: operation
                            .ok_or_else(|| UnknownOperation(call.method.clone()))?,
                        argument: call.argument.clone(),
                    })
                })
                .collect()
        };
        Ok(Client {
            before: invocations(&self.before)?,
            threads: self
                .threads
                .iter()
                .map(|t| invocations(t))
                .collect::<Result<_, _>>()?,
            after: invocations(&self.after)?,
            ..Client::default()
        })
    }
}

pub(crate) fn resolve(folder: &str, family: &Family) -> Result<Vec<Object>, ZooError> {
    family
        .object
        .iter()
        .map(|entry| object(folder, family, entry))
        .collect()
}

fn object(folder: &str, family: &Family, entry: &ObjectEntry) -> Result<Object, ZooError> {
    let name = &entry.name;
    let paths = paths(folder, name, &entry.files)?;
    let place = |quote| quote::find(name, &paths, quote);
    let spec = spec(family, entry)?;
    Ok(Object {
        name: name.clone(),
        language: family.language,
        papers: entry.papers.clone(),
        reconstruction: entry.reconstruction,
        harness: harness(folder, family.language, &entry.files),
        k: entry.k,
        linearizable: entry.linearizable,
        quasi: entry.quasi,
        serial: entry.serial,
        sequential: entry.sequential,
        blocks_when_empty: entry.blocks_when_empty,
        native_threads: entry.native_threads,
        bug: entry.bug.clone(),
        twin: entry.twin.clone(),
        decisive: entry.decisive.iter().map(place).collect::<Result<_, _>>()?,
        repair: sections(&entry.repair, &place)?,
        or_repair: sections(&entry.or_repair, &place)?,
        cases: entry
            .client
            .iter()
            .map(|c| case(entry, &spec, c))
            .collect::<Result<_, _>>()?,
        spec,
        files: paths,
    })
}

/// Sections as they stand in the files.
fn sections<'e>(
    entries: &'e [SectionEntry],
    place: &impl Fn(&'e Quote) -> Result<QuotedPlace, ZooError>,
) -> Result<Vec<ExpectedSection>, ZooError> {
    let section = |s: &'e SectionEntry| {
        Ok(ExpectedSection {
            first: place(&s.first)?,
            last: place(&s.last)?,
        })
    };
    entries.iter().map(section).collect()
}

/// The paths below the zoo of files of `folder`, all of which are there.
pub(crate) fn paths(folder: &str, name: &str, files: &[String]) -> Result<Vec<String>, ZooError> {
    files
        .iter()
        .map(|file| {
            let path = format!("{folder}/{file}");
            if files::text(&path).is_none() {
                return Err(ZooError::NoFile {
                    name: name.to_owned(),
                    path,
                });
            }
            Ok(path)
        })
        .collect()
}

/// C and C++ objects share their family's harness; a Rust object has one of its own, called like its module.
fn harness(folder: &str, language: Language, sources: &[String]) -> Option<String> {
    let path = match language {
        Language::C => format!("{folder}/harness.c"),
        Language::Cpp => format!("{folder}/harness.cpp"),
        Language::Rust => format!("{folder}/{}", sources.first()?.replace("src/", "harness/")),
    };
    files::text(&path).is_some().then_some(path)
}

fn spec(family: &Family, entry: &ObjectEntry) -> Result<Builtin, ZooError> {
    let chosen = entry.spec.as_ref().or(family.spec.as_ref());
    let chosen = chosen.ok_or_else(|| ZooError::NoSpec {
        name: entry.name.clone(),
    })?;
    let options = Options {
        initial: entry.initial.or(family.initial).map(Value::Int),
        empty: family.empty.map(Value::Int),
        capacity: family.capacity,
        ..Options::default()
    };
    Builtin::with_options(chosen, &options).map_err(|source| ZooError::Spec {
        name: entry.name.clone(),
        source: Box::new(source),
    })
}

fn case(object: &ObjectEntry, spec: &Builtin, entry: &CaseEntry) -> Result<Case, ZooError> {
    let calls = |texts: &[String]| -> Result<Vec<Call>, ZooError> {
        texts
            .iter()
            .map(|text| {
                let call = Call::parse(text).ok_or_else(|| ZooError::Call {
                    name: object.name.clone(),
                    text: text.clone(),
                })?;
                spec.visit(Understands(&call))
                    .map_err(|source| ZooError::Unfit {
                        name: object.name.clone(),
                        source: Box::new(source),
                    })?;
                Ok(call)
            })
            .collect()
    };
    Ok(Case {
        row: entry.row.clone(),
        before: calls(&entry.before)?,
        threads: entry
            .threads
            .iter()
            .map(|t| calls(t))
            .collect::<Result<_, _>>()?,
        after: calls(&entry.after)?,
        linearizable: entry.linearizable.unwrap_or(object.linearizable),
        quasi: entry.quasi.or(object.quasi),
        long: entry.long.clone(),
        figures: entry.figures.clone(),
    })
}

/// Whether a specification has a call.
struct Understands<'a>(&'a Call);

impl Visitor for Understands<'_> {
    type Output = Result<(), Unfit>;

    fn visit<S: Spec>(self, spec: &S) -> Self::Output {
        spec.call(&self.0.method, &self.0.argument).map(drop)
    }
}
