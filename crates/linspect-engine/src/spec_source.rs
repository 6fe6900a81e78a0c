//! Which specification an object is measured by.

use super::origin::Loaded;
use super::program;
use crate::error::Error;
use crate::finding::annotate::Annotator;
use linspect_core::check::visit_relaxed;
use linspect_core::client::Declared;
use linspect_core::machine::Subject;
use linspect_core::spec::{Builtin, MayFail, Options, Spec, Visitor};
use linspect_core::value::Value;
use linspect_explore::clients::with_waits;
use linspect_explore::harness_check::{self, HarnessFlaw};
use linspect_explore::relaxed_model::RelaxedModel;
use linspect_explore::subject_spec::SubjectSpec;
use linspect_vm::harness::SpecText;
use linspect_vm::{LoadedProgram, Reuse, Settings};

/// What decides whether a result is right, and in which order elements are due.
pub(super) enum SpecSource {
    /// A built-in specification.
    Builtin(Builtin),
    /// The object, run alone.
    Itself(Box<LoadedProgram>),
    /// The sequential model of the harness, which may be the object with its relaxation turned off.
    Model(Box<LoadedProgram>),
}

/// Whoever does something with a specification, with operations that may fail beside others.
pub(super) struct Lenient<V> {
    pub(super) visitor: V,
    /// What stands for failure, by operation.
    pub(super) failures: Vec<(String, Value)>,
}

impl<V: Visitor> Visitor for Lenient<V> {
    type Output = V::Output;

    fn visit<S: Spec + Sync>(self, spec: &S) -> Self::Output
    where
        S::State: Send,
        S::Call: Send,
    {
        self.visitor.visit(&MayFail::new(spec, self.failures))
    }
}

/// What the operations of a harness may return beside others, without having done anything.
pub(super) fn failures(declared: &[Declared]) -> Result<Vec<(String, Value)>, Error> {
    let said = declared
        .iter()
        .filter_map(|d| Some((&d.name, d.limits.may_fail.as_deref()?)));
    said.map(|(name, text)| {
        let value = constant(without_parentheses(text.trim()), text)?;
        Ok((name.clone(), value))
    })
    .collect()
}

/// What the model of a harness is called.
const MODEL: &str = "sequential model";

impl SpecSource {
    /// What a program is measured by: what was asked for, else what its harness or its operations say; nothing if it has no operations. The harness is
    /// tried first: whether it describes something that can be measured so.
    pub(super) fn of(loaded: &Loaded, code: &LoadedProgram) -> Result<Option<Self>, Error> {
        let asked = loaded.settings.spec.as_deref();
        if code.operations().is_empty() {
            return match asked {
                Some(spec) => Err(Error::NothingToMeasure(spec.to_owned())),
                None => Ok(None),
            };
        }
        if code.is_program() {
            return of_program(asked, &loaded.origin.name(), code).map(Some);
        }
        let measure = choose(asked, code)?;
        inspect(code, &measure)?;
        Ok(Some(measure))
    }

    /// `code`, whose operations know of which of them nobody has to wait. The object itself says nothing of that.
    pub(super) fn with_waits(&self, code: &LoadedProgram) -> Option<LoadedProgram> {
        match self {
            Self::Itself(_) => None,
            Self::Builtin(_) | Self::Model(_) if code.is_program() => None,
            Self::Builtin(_) | Self::Model(_) => {
                Some(code.with_operations(self.strictly(Waits(code))))
            }
        }
    }

    /// Does something with the strict specification.
    pub(super) fn strictly<V: Visitor>(&self, visitor: V) -> V::Output {
        match self {
            Self::Builtin(builtin) => builtin.visit(visitor),
            Self::Itself(code) => visitor.visit(&SubjectSpec::new(&**code)),
            Self::Model(model) => visitor.visit(&SubjectSpec::named(&**model, MODEL)),
        }
    }

    /// Does something with the specification relaxed by `k`; nothing if it has no order that could be relaxed.
    pub(super) fn relaxed<V: Visitor>(&self, k: u32, visitor: V) -> Option<V::Output> {
        match self {
            Self::Builtin(builtin) => visit_relaxed(builtin, k, visitor),
            Self::Itself(_) => None,
            Self::Model(model) => Some(visitor.visit(&RelaxedModel::new(&**model, k, MODEL)?)),
        }
    }

    /// What it is called.
    pub(super) fn name(&self) -> &str {
        match self {
            Self::Builtin(builtin) => builtin.name(),
            Self::Itself(_) => "the object's own sequential behaviour",
            Self::Model(_) => MODEL,
        }
    }
}

/// The same program as a measure: nobody wakes there without being woken, for a wait that ends so is what is measured.
fn measure(code: &LoadedProgram) -> Box<LoadedProgram> {
    Box::new(code.with_settings(Settings {
        spurious: false,
        ..code.settings().clone()
    }))
}

/// The specification that was typed, else the model of the harness, else the specification that it names, else the object itself.
fn choose(typed: Option<&str>, code: &LoadedProgram) -> Result<SpecSource, Error> {
    let text = match (typed, code.model(), code.spec()) {
        (Some("self"), _, _) | (None, None, None) => return Ok(SpecSource::Itself(measure(code))),
        (Some("model") | None, Some(model), _) => return Ok(SpecSource::Model(measure(&model))),
        (Some("model"), None, _) => {
            return Err(Error::NoModel);
        }
        (Some(name), _, Some(spec)) if name == spec.name => spec.clone(),
        (Some(name), _, _) => typed_text(name),
        (None, None, Some(spec)) if spec.name == "self" => {
            return Ok(SpecSource::Itself(measure(code)));
        }
        (None, None, Some(spec)) => spec.clone(),
    };
    builtin(&text)
}

fn builtin(text: &SpecText) -> Result<SpecSource, Error> {
    let options = options(&text.arguments)?;
    let builtin = Builtin::with_options(&text.name, &options).map_err(Error::Spec)?;
    Ok(SpecSource::Builtin(builtin))
}

/// The specification that was typed for a plain program, else the one that its operations suggest.
fn of_program(typed: Option<&str>, name: &str, code: &LoadedProgram) -> Result<SpecSource, Error> {
    if let Some(alone @ ("self" | "model")) = typed {
        return Err(Error::NotAlone(alone.to_owned()));
    }
    let history = program::first_history(code)?;
    let text = match typed {
        Some(typed) => typed_text(typed),
        None => typed_text(program::suggested(name, &history)?),
    };
    builtin(&text)
}

/// Whether the harness describes something that can be tested, by this measure.
fn inspect(code: &LoadedProgram, measure: &SpecSource) -> Result<(), Error> {
    harness_check::inspect(code).map_err(|flaw| flawed(code, flaw))?;
    match measure {
        SpecSource::Builtin(spec) => spec.visit(Fit(code)),
        SpecSource::Itself(_) => harness_check::is_deterministic(code, &elsewhere(code))
            .map_err(|flaw| flawed(code, flaw)),
        SpecSource::Model(model) => harness_check::inspect(&**model)
            .and_then(|()| harness_check::is_deterministic(&**model, &elsewhere(model)))
            .map_err(|flaw| flawed(model, flaw)),
    }
}

/// Whether `spec` has the operations of the harness.
pub(super) fn fits<S: Spec>(code: &LoadedProgram, spec: &S) -> Result<(), Error> {
    harness_check::fits(code, spec)
        .and_then(|()| harness_check::waits_for_itself(code, spec))
        .and_then(|()| harness_check::fails_alone(code, spec))
        .map_err(|flaw| flawed(code, flaw))
}

fn flawed(code: &LoadedProgram, flaw: HarnessFlaw) -> Error {
    let site = match &flaw {
        HarnessFlaw::Constructor(fault) | HarnessFlaw::NothingWorks { fault, .. } => fault.site,
        _ => 0,
    };
    let place = (site != 0).then(|| Annotator::new(code).place(site));
    Error::Flaw {
        flaw: Box::new(flaw),
        place,
    }
}

/// The same program with other random numbers, at another time, with other addresses.
fn elsewhere(code: &LoadedProgram) -> [LoadedProgram; 2] {
    let settings = code.settings();
    let later = Settings {
        seed: settings.seed.wrapping_add(1),
        ..settings.clone()
    };
    let fresh = Settings {
        seed: settings.seed.wrapping_add(2),
        reuse: Reuse::Fresh,
        ..settings.clone()
    };
    [code.with_settings(later), code.with_settings(fresh)]
}

/// Whether a specification fits the operations of a program.
struct Fit<'a>(&'a LoadedProgram);

impl Visitor for Fit<'_> {
    type Output = Result<(), Error>;

    fn visit<S: Spec>(self, spec: &S) -> Self::Output {
        fits(self.0, spec)
    }
}

/// What a specification says of waiting.
struct Waits<'a>(&'a LoadedProgram);

impl Visitor for Waits<'_> {
    type Output = Vec<Declared>;

    fn visit<S: Spec>(self, spec: &S) -> Self::Output {
        with_waits(spec, self.0.operations())
    }
}

/// Reads `queue` or `queue(.empty = -1)`.
fn typed_text(typed: &str) -> SpecText {
    let (name, arguments) = typed.split_once('(').unwrap_or((typed, ""));
    let arguments = arguments.trim_end().trim_end_matches(')');
    SpecText {
        name: name.trim().to_owned(),
        arguments: arguments.to_owned(),
    }
}

/// Reads `.empty = -1, .capacity = 2`. Names of the object's own operations are recognised by themselves and may be given for the reader.
fn options(text: &str) -> Result<Options, Error> {
    let mut options = Options::default();
    for setting in text.split(',').map(str::trim).filter(|s| !s.is_empty()) {
        let (name, value) = setting.split_once('=').ok_or_else(|| unreadable(setting))?;
        let value = without_parentheses(value.trim());
        match name.trim().trim_start_matches('.').trim() {
            "initial" | "permits" | "missing" => {
                options.initial = Some(constant(value, setting)?);
            }
            "empty" => options.empty = Some(constant(value, setting)?),
            "capacity" => options.capacity = Some(value.parse().map_err(|_| unreadable(setting))?),
            "parties" => options.parties = Some(value.parse().map_err(|_| unreadable(setting))?),
            "cells" => options.cells = Some(value.parse().map_err(|_| unreadable(setting))?),
            "largest_first" => options.largest_first = value == "true" || value == "1",
            "add" | "remove" | "contains" | "read" | "write" => {}
            _ => return Err(unreadable(setting)),
        }
    }
    Ok(options)
}

/// `(-1)` is how macros say −1.
fn without_parentheses(value: &str) -> &str {
    let inner = value.strip_prefix('(').and_then(|v| v.strip_suffix(')'));
    inner.map_or(value, |inner| without_parentheses(inner.trim()))
}

fn constant(value: &str, setting: &str) -> Result<Value, Error> {
    match linspect_format::value(value) {
        Value::Text(_) if !value.starts_with('"') => Err(Error::SpecConstant {
            setting: setting.to_owned(),
            value: value.to_owned(),
        }),
        known => Ok(known),
    }
}

fn unreadable(setting: &str) -> Error {
    Error::SpecSetting(setting.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_read_as_they_stand_in_c() {
        let read = options(".add = enqueue, .empty = -1, .capacity=2").expect("readable");
        assert_eq!(read.empty, Some(Value::Int(-1)));
        assert_eq!(read.capacity, Some(2));
        assert!(options(".colour = red").is_err());
        assert!(options("empty").is_err());
        let read = options(".empty = ((-1)), .missing = \"none\"").expect("readable");
        assert_eq!(read.empty, Some(Value::Int(-1)));
        assert_eq!(read.initial, Some(Value::text("none")));
        let name = options(".empty = EMPTY").expect_err("a name");
        assert!(name.to_string().contains("what `EMPTY` is"), "{name}");
    }
}
