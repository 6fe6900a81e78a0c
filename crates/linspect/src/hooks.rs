//! What a harness says to the machine. Outside the machine `native` listens.

use alloc::ffi::CString;

mod machine {
    use core::ffi::{c_char, c_int, c_longlong};

    unsafe extern "C" {
        pub(super) safe fn linspect_operation(
            name: *const c_char,
            run: extern "C-unwind" fn(),
            order: c_int,
        );
        pub(super) safe fn linspect_model_operation(
            name: *const c_char,
            run: extern "C-unwind" fn(),
        );
        pub(super) safe fn linspect_value(value: c_longlong);
        pub(super) safe fn linspect_value_bool(value: c_int);
        pub(super) safe fn linspect_value_text(value: *const c_char);
        pub(super) safe fn linspect_value_list(parts: c_int);
        pub(super) safe fn linspect_single_thread(operations: *const c_char, role: *const c_char);
        pub(super) safe fn linspect_at_most(operation: *const c_char, calls: c_int);
        pub(super) safe fn linspect_after(operation: *const c_char, first: *const c_char);
        pub(super) safe fn linspect_may_fail(operation: *const c_char, result: *const c_char);
        pub(super) safe fn linspect_specification(name: *const c_char, arguments: *const c_char);
        #[cfg(linspect)]
        pub(super) safe fn linspect_client(text: *const c_char);
        pub(super) safe fn linspect_allow_race(names: *const c_char);
        pub(super) safe fn linspect_progress(guarantee: *const c_char);
        pub(super) safe fn linspect_settings(text: *const c_char);
        pub(super) safe fn linspect_argument(index: c_int) -> c_longlong;
        pub(super) safe fn linspect_argument_text(index: c_int) -> *const c_char;
        pub(super) safe fn linspect_return_int(value: c_longlong);
        pub(super) safe fn linspect_return_bool(value: c_int);
        pub(super) safe fn linspect_return_nil();
        pub(super) safe fn linspect_return_some();
        pub(super) safe fn linspect_return_ok();
        pub(super) safe fn linspect_choose(ways: c_int) -> c_int;
        pub(super) safe fn linspect_assume(condition: c_int);
        pub(super) safe fn linspect_cancels() -> c_int;
        pub(super) safe fn linspect_return_unit();
        pub(super) safe fn linspect_return_bytes(text: *const u8, length: usize);
        pub(super) safe fn linspect_return_list(parts: c_int);
    }
}

/// A text as C has it; what follows a NUL is cut off.
fn c_text(text: &str) -> CString {
    let whole = text.split('\0').next().unwrap_or_default();
    CString::new(whole).unwrap_or_default()
}

/// One of 0 to `ways - 1`, of which there are at most 255: Linspect tries all of them. Outside Linspect it is 0.
pub fn choose(ways: u8) -> u8 {
    machine::linspect_choose(ways.into()) as u8
}

/// Runs in which `condition` does not hold here do not count. Outside Linspect nothing happens.
pub fn assume(condition: bool) {
    machine::linspect_assume(condition.into());
}

/// Whether an operation that waits is given up; both are tried.
pub(crate) fn cancels() -> bool {
    machine::linspect_cancels() != 0
}

/// The operation was given up.
pub fn cancelled() {
    return_text("cancelled");
}

/// Declares an operation.
pub fn operation(name: &str, run: extern "C-unwind" fn(), order: i32) {
    machine::linspect_operation(c_text(name).as_ptr(), run, order);
}

/// Lets one thread alone call the operations of a role.
pub fn single_thread(operation: &str, role: &str) {
    machine::linspect_single_thread(c_text(operation).as_ptr(), c_text(role).as_ptr());
}

/// Lets an operation be called this often in a whole client.
pub fn at_most(operation: &str, calls: i32) {
    machine::linspect_at_most(c_text(operation).as_ptr(), calls);
}

/// Lets a thread call an operation only as often as it has called another before.
pub fn after(operation: &str, first: &str) {
    machine::linspect_after(c_text(operation).as_ptr(), c_text(first).as_ptr());
}

/// Lets an operation return this under contention, without having done anything.
pub fn may_fail(operation: &str, result: &str) {
    machine::linspect_may_fail(c_text(operation).as_ptr(), c_text(result).as_ptr());
}

/// Declares an operation of the model.
pub fn model_operation(name: &str, run: extern "C-unwind" fn()) {
    machine::linspect_model_operation(c_text(name).as_ptr(), run);
}

/// Prints a state.
pub fn show(state: &dyn core::fmt::Display) {
    return_text(&alloc::format!("{state}"));
}

/// Allows data races on what is called so.
pub fn allow_race(names: &str) {
    machine::linspect_allow_race(c_text(names).as_ptr());
}

/// Promises that operations return, as far as others let them.
pub fn progress(guarantee: &str) {
    machine::linspect_progress(c_text(guarantee).as_ptr());
}

/// Says how far to go.
pub fn settings(text: &str) {
    machine::linspect_settings(c_text(text).as_ptr());
}

/// The same for a test, which is compiled because it is named here, even if nobody calls it.
#[cfg(linspect)]
pub fn settings_of(_test: fn(), text: &str) {
    settings(text);
}

/// Names the specification.
pub fn specification(name: &str, settings: &str) {
    machine::linspect_specification(c_text(name).as_ptr(), c_text(settings).as_ptr());
}

/// Names the only client to run.
#[cfg(linspect)]
pub fn client(text: &str) {
    machine::linspect_client(c_text(text).as_ptr());
}

/// Makes one argument list of the last `parts` values declared.
pub fn list_of(parts: i32) {
    machine::linspect_value_list(parts);
}

pub(crate) fn declare_int(value: i64) {
    machine::linspect_value(value);
}

pub(crate) fn declare_bool(value: bool) {
    machine::linspect_value_bool(value.into());
}

pub(crate) fn declare_text(value: &str) {
    machine::linspect_value_text(c_text(value).as_ptr());
}

pub(crate) fn argument(index: i32) -> i64 {
    machine::linspect_argument(index)
}

pub(crate) fn argument_text(index: i32) -> &'static str {
    let text = machine::linspect_argument_text(index);
    // SAFETY: the machine keeps a NUL-terminated text for the whole run.
    let text = unsafe { core::ffi::CStr::from_ptr(text) };
    text.to_str().unwrap_or_default()
}

pub(crate) fn return_int(value: i64) {
    machine::linspect_return_int(value);
}

pub(crate) fn return_bool(value: bool) {
    machine::linspect_return_bool(value.into());
}

pub(crate) fn return_nil() {
    machine::linspect_return_nil();
}

/// The last result is inside `Some`.
pub(crate) fn return_some() {
    machine::linspect_return_some();
}

/// The last result is inside `Ok`.
pub(crate) fn return_ok() {
    machine::linspect_return_ok();
}

pub(crate) fn return_unit() {
    machine::linspect_return_unit();
}

pub(crate) fn return_text(value: &str) {
    machine::linspect_return_bytes(value.as_ptr(), value.len());
}

pub(crate) fn return_list(parts: usize) {
    machine::linspect_return_list(i32::try_from(parts).unwrap_or(i32::MAX));
}
