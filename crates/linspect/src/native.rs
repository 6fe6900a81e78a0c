//! What a harness says, heard outside the machine: keeps what is declared, hands out arguments, collects results.

use crate::value::Value;
use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use core::cell::RefCell;

/// An operation that a harness declared.
#[derive(Clone)]
pub(crate) struct Operation {
    pub(crate) name: String,
    pub(crate) run: extern "C-unwind" fn(),
    /// The arguments worth trying; several arguments of one call are a list.
    pub(crate) domain: Vec<Value>,
    /// How often it may be called in one sequence.
    pub(crate) at_most: usize,
    /// Which operation each call takes up an earlier call of.
    pub(crate) after: Option<String>,
}

/// What a harness declared.
#[derive(Default)]
pub(crate) struct Declared {
    pub(crate) operations: Vec<Operation>,
    /// Those of the model, by name.
    pub(crate) model_operations: Vec<(String, extern "C-unwind" fn())>,
}

#[derive(Default)]
struct Recorder {
    operations: Vec<Operation>,
    model_operations: Vec<(String, extern "C-unwind" fn())>,
    argument: Option<Value>,
    reply: Vec<Value>,
}

std::thread_local! {
    // Tests run side by side, each in threads of its own.
    static RECORDER: RefCell<Recorder> = RefCell::default();
}

fn with<T>(use_it: impl FnOnce(&mut Recorder) -> T) -> T {
    RECORDER.with(|recorder| use_it(&mut recorder.borrow_mut()))
}

/// What `declare` declares.
pub(crate) fn declared(declare: extern "C-unwind" fn()) -> Declared {
    with(|r| *r = Recorder::default());
    declare();
    with(|r| Declared {
        operations: core::mem::take(&mut r.operations),
        model_operations: core::mem::take(&mut r.model_operations),
    })
}

/// What an operation returns for `argument`.
pub(crate) fn call(run: extern "C-unwind" fn(), argument: &Value) -> Value {
    with(|r| {
        r.argument = Some(argument.clone());
        r.reply.clear();
    });
    run();
    with(|r| match r.reply.len() {
        0 => Value::Unit,
        1 => r.reply.remove(0),
        _ => Value::List(core::mem::take(&mut r.reply)),
    })
}

/// One of 0 to `ways - 1`, of which there are at most 255: Linspect tries all of them. Outside Linspect it is 0.
///
/// ```
/// let gives_up = linspect::choose(2) == 1; // the object must be right either way
/// # assert!(!gives_up);
/// ```
pub fn choose(_ways: u8) -> u8 {
    0
}

/// Runs in which `condition` does not hold here do not count. Outside Linspect nothing happens.
///
/// ```
/// let (first, second) = (linspect::choose(3), linspect::choose(3));
/// linspect::assume(first <= second); // all pairs in order
/// ```
pub fn assume(_condition: bool) {}

/// Whether an operation that waits is given up: outside the machine none is.
pub(crate) fn cancels() -> bool {
    false
}

/// The operation was given up.
pub fn cancelled() {
    return_text("cancelled");
}

/// Declares an operation of the model.
pub fn model_operation(name: &str, run: extern "C-unwind" fn()) {
    with(|r| r.model_operations.push((name.to_owned(), run)));
}

/// Outside the machine nobody asks for states.
pub fn show(_state: &dyn core::fmt::Display) {}

/// Declares an operation.
pub fn operation(name: &str, run: extern "C-unwind" fn(), _order: i32) {
    with(|r| {
        r.operations.push(Operation {
            name: name.to_owned(),
            run,
            domain: Vec::new(),
            at_most: usize::MAX,
            after: None,
        });
    });
}

/// Nobody runs beside it.
pub fn may_fail(_operation: &str, _result: &str) {}

/// One thread is all there is.
pub fn single_thread(_operation: &str, _role: &str) {}

/// Limits how often an operation is called in one sequence.
pub fn at_most(operation: &str, calls: i32) {
    limit(operation, |o| {
        o.at_most = usize::try_from(calls).unwrap_or(0)
    });
}

/// Has an operation called only as often as another before.
pub fn after(operation: &str, first: &str) {
    limit(operation, |o| o.after = Some(first.to_owned()));
}

fn limit(operation: &str, set: impl FnOnce(&mut Operation)) {
    with(|r| {
        if let Some(declared) = r.operations.iter_mut().find(|o| o.name == operation) {
            set(declared);
        }
    });
}

/// Allows data races, which only the machine sees.
pub fn allow_race(_names: &str) {}

/// Promises progress, which only the machine can look for.
pub fn progress(_guarantee: &str) {}

/// Says how far the machine goes.
pub fn settings(_text: &str) {}

/// Names the specification, which only the machine knows.
pub fn specification(_name: &str, _settings: &str) {}

/// Makes one argument list of the last `parts` values declared.
pub fn list_of(parts: i32) {
    let parts = usize::try_from(parts).unwrap_or(0);
    with(|r| {
        if let Some(last) = r.operations.last_mut() {
            gather(&mut last.domain, parts);
        }
    });
}

fn gather(values: &mut Vec<Value>, parts: usize) {
    let list = values.split_off(values.len().saturating_sub(parts));
    values.push(Value::List(list));
}

fn declare(value: Value) {
    with(|r| {
        if let Some(last) = r.operations.last_mut() {
            last.domain.push(value);
        }
    });
}

pub(crate) fn declare_int(value: i64) {
    declare(Value::Int(value));
}

pub(crate) fn declare_bool(value: bool) {
    declare(Value::Bool(value));
}

pub(crate) fn declare_text(value: &str) {
    declare(Value::Text(value.to_owned()));
}

fn argument_value(index: i32) -> Option<Value> {
    let index = usize::try_from(index).ok()?;
    with(|r| match &r.argument {
        Some(Value::List(list)) => list.get(index).cloned(),
        one => one.clone().filter(|_| index == 0),
    })
}

pub(crate) fn argument(index: i32) -> i64 {
    match argument_value(index) {
        Some(Value::Int(value)) => value,
        Some(Value::Bool(value)) => value.into(),
        _ => 0,
    }
}

pub(crate) fn argument_text(index: i32) -> &'static str {
    match argument_value(index) {
        // The object may keep it; tests are short.
        Some(Value::Text(text)) => text.leak(),
        _ => "",
    }
}

fn reply(value: Value) {
    with(|r| r.reply.push(value));
}

pub(crate) fn return_int(value: i64) {
    reply(Value::Int(value));
}

pub(crate) fn return_bool(value: bool) {
    reply(Value::Bool(value));
}

pub(crate) fn return_nil() {
    reply(Value::Nil);
}

/// The last result is inside `Some`: told apart from `None`, and from what this makes of it.
pub(crate) fn return_some() {
    tag_last("some", |value| {
        matches!(value, Value::Nil) || value.is_tagged(&["some"])
    });
}

/// The last result is inside `Ok`: told apart from `Err`, and from what this makes of it.
pub(crate) fn return_ok() {
    tag_last("ok", |value| value.is_tagged(&["ok", "err"]));
}

fn tag_last(tag: &str, is_ambiguous: impl Fn(&Value) -> bool) {
    with(|r| {
        if let Some(last) = r.reply.pop_if(|value| is_ambiguous(value)) {
            let tag = Value::Text(tag.to_owned());
            r.reply.push(Value::List(alloc::vec![tag, last]));
        }
    });
}

pub(crate) fn return_unit() {
    reply(Value::Unit);
}

pub(crate) fn return_text(value: &str) {
    reply(Value::Text(value.to_owned()));
}

pub(crate) fn return_list(parts: usize) {
    with(|r| gather(&mut r.reply, parts));
}
