//! Describe a concurrent object to Linspect, the linearizability debugger, without touching it.
//!
//! ```
//! use std::sync::Mutex;
//!
//! #[derive(Default)]
//! pub struct Stack(Mutex<Vec<u8>>);
//!
//! impl Stack {
//!     pub fn push(&self, value: u8) {
//!         self.0.lock().unwrap().push(value);
//!     }
//!     pub fn pop(&self) -> Option<u8> {
//!         self.0.lock().unwrap().pop()
//!     }
//! }
//!
//! linspect::harness! {
//!     stack: Stack = Stack::default();
//!
//!     fn push(&self, value: u8 in 1..=2);
//!     fn pop(&self) -> Option<u8>;
//!
//!     spec = stack;
//! }
//! # fn main() {}
//! ```
//!
//! Then `linspect test FILE.rs`, or `cargo linspect` in a package. The specification is the name of a built-in one; leave it out and the
//! object, run alone, is its own specification.
//!
//! Outside Linspect a harness is a test of its own: plain `cargo test` runs the operations one after the other, natively, and compares them with
//! the model if there is one. In other builds
//! the macro only checks that the operations exist and fit. There are no dependencies but its own macros.

#![cfg_attr(linspect, no_std)]

extern crate alloc;

mod fallback;
#[cfg(linspect)]
mod hooks;
#[cfg(not(linspect))]
mod native;
mod observe;
#[cfg(not(linspect))]
mod sequential;
mod slot;
#[cfg(not(linspect))]
mod value;
mod wait;

#[cfg(not(linspect))]
use native as hooks;

pub use hooks::{assume, choose};
pub use linspect_macros::test;
pub use observe::{Argument, Observe};

#[doc(hidden)]
pub use linspect_macros::__read;

#[doc(hidden)]
pub mod machine {
    pub use crate::fallback::{Known, Means, Observed, Printed, Read, Unknown, Unseen, owned};
    pub use crate::hooks::{
        after, allow_race, at_most, cancelled, list_of, may_fail, model_operation, operation,
        progress, settings, show, single_thread, specification,
    };
    #[cfg(linspect)]
    pub use crate::hooks::{client, settings_of};
    #[cfg(not(linspect))]
    pub use crate::sequential::test;
    pub use crate::slot::{Model, Slot};
    pub use crate::wait::{block_on, block_on_or_cancel};

    /// In the machine nobody calls the test.
    #[cfg(linspect)]
    pub fn test(
        _build: extern "C-unwind" fn(),
        _declare: extern "C-unwind" fn(),
        _model: Option<extern "C-unwind" fn()>,
    ) {
    }
}

/// This crate's own source: Linspect builds it for its machine together with a harness.
#[doc(hidden)]
pub const SOURCES: [(&str, &str); 9] = [
    ("lib.rs", include_str!("lib.rs")),
    ("fallback.rs", include_str!("fallback.rs")),
    ("hooks.rs", include_str!("hooks.rs")),
    ("native.rs", include_str!("native.rs")),
    ("observe.rs", include_str!("observe.rs")),
    ("sequential.rs", include_str!("sequential.rs")),
    ("slot.rs", include_str!("slot.rs")),
    ("value.rs", include_str!("value.rs")),
    ("wait.rs", include_str!("wait.rs")),
];

/// The source of its macros, a crate `linspect_macros` of its own.
#[doc(hidden)]
pub const MACROS: [(&str, &str); 6] = [
    ("lib.rs", include_str!("macros/lib.rs")),
    ("attribute.rs", include_str!("macros/attribute.rs")),
    ("harness.rs", include_str!("macros/harness.rs")),
    ("operation.rs", include_str!("macros/operation.rs")),
    ("settings.rs", include_str!("macros/settings.rs")),
    ("tokens.rs", include_str!("macros/tokens.rs")),
];

/// Describes an object: how to build it, its operations with the arguments worth trying, and its specification.
///
/// ```text
/// linspect::harness! {
///     name: Type = expression;
///
///     fn operation(&self, argument: Type in values, …) -> Type;
///     fn operation(&self, argument: Type in values, …) -> Type => expression;
///     …
///
///     model name: Type = expression;
///     fn operation(&mut self, argument: Type, …) -> Type;
///     …
///     show model = expression;
///
///     golden = expression;
///
///     show = expression;
///
///     progress = lock_free;
///
///     budget = "10s";
///
///     spec = built_in;
/// }
/// ```
///
/// Its name is also that of a test, so that there can be several in one module.
///
/// * An operation is called as `name.operation(argument, …)`, or as the expression says, which may use `name` and the arguments.
/// * `values` is anything that can be iterated: `1..=2`, `[1, 5]`, `["a", "b"]`. Where an operation takes `&T`, they are of type `T` or `&T`.
/// * `#[single_thread]` above an operation: only one thread calls it; `#[single_thread(owner)]`: the same thread as the other operations of the owner.
///   `#[at_most(1)]`: it is called at most once in a whole test. `#[after(lock)]`: each call takes up an earlier `lock` of the same thread.
///   `#[may_fail(nil)]`: beside others it may return this for no reason, without having done anything; `nil` is `None`.
/// * `async fn` is an operation that is a future: its thread waits for it. Its expression may `.await`. With `#[cancel]` above it, it is also dropped wherever it waits, and must have done
///   nothing then; its result is `"cancelled"`.
/// * `fn operation(&mut self, …)` is for operations that one thread alone calls: `#[single_thread]` stands above it.
/// * Argument types implement [`Argument`], result types [`Observe`]; values of other types are told apart by what `Debug` prints.
/// * `model` is a sequential model: plain code with the same operations, never run by two threads. The object is right if every result is one that the
///   model gives in some order.
/// * `golden` makes the same object, built otherwise, the model: a queue without relaxation for one with.
/// * `show` prints the state for the report; the expression implements [`core::fmt::Display`].
/// * `#[allow_race(data, version)]` before the object says that data races on fields or variables of these names are meant, as in a seqlock.
/// * `progress = lock_free;` promises that whoever runs, some operation returns; `obstruction_free` that whoever runs alone returns; `wait_free` that everybody returns,
///   whatever others do.
/// * Settings say how far to go: `budget = "10s";`, `preemptions = 2;`, `threads = 2;`, `operations = 3;`, `executions = 1000;`, `memory = "c20";`, `allocator = "fresh";`, `cpus = 1;`,
///   `leaks = true;`, `races = "note";`. An option on the command line wins.
/// * `spec` is optional, too: without it the object, run alone, is its own specification. Settings follow in parentheses: `spec = semaphore(.initial = 2);`.
#[macro_export]
macro_rules! harness {
    ($($written:tt)*) => {
        $crate::__read! { [$crate] $($written)* }
    };
}

/// A harness as `__read` writes it: in one order, types in brackets, values in parentheses.
#[doc(hidden)]
#[macro_export]
macro_rules! __harness {
    (
        $(#[allow_race($($raced:ident),+ $(,)?)])?
        $object:ident : $type:ty = $new:expr;
        $(
            $(#[$($limit:tt)*])*
            $(async $(@ $async:tt)?)?
            fn $name:ident [$observe:ident $observed:ident ($given:expr)] ( & $(mut $(@ $mut:tt)?)? self $(, $argument:ident [$by:ident ($kept:ty) $get:ident $declare:ident ($declared:expr)] ($values:expr))* )
            $([-> $result:ty])? ($body:expr);
        )*
        $(
            model $model:ident : $model_type:ty = $model_new:expr;
            $(
                fn $model_name:ident [$model_observe:ident $model_observed:ident ($model_given:expr)] ( & mut self $(, $model_argument:ident [$model_by:ident ($model_kept:ty) $model_get:ident $model_declare:ident ($model_declared:expr)] ($($model_values:expr)?))* )
                $([-> $model_result:ty])? ($model_body:expr);
            )*
            $(show model = $model_show:expr;)?
        )?
        $(golden = $golden:expr;)?
        $(show = $show:expr;)?
        $(progress = $progress:ident;)?
        $(settings $setting:literal;)?
        $(spec = $spec:ident $(($($settings:tt)*))? ;)?
    ) => {
        #[cfg_attr(test, test)]
        #[allow(dead_code)]
        fn $object() {
            static LINSPECT_OBJECT: $crate::machine::Slot<$type> = $crate::machine::Slot::empty();

            $crate::__export! { "linspect_object" $object
                extern "C-unwind" fn linspect_object() {
                    LINSPECT_OBJECT.fill($new);
                }
            }

            $crate::__export! { "linspect_teardown" $object
                extern "C-unwind" fn linspect_teardown() {
                    LINSPECT_OBJECT.clear();
                }
            }

            $(
                static LINSPECT_MODEL: $crate::machine::Model<$model_type> =
                    $crate::machine::Model::empty();

                $crate::__export! { "linspect_model" $object
                    extern "C-unwind" fn linspect_model() {
                        LINSPECT_MODEL.fill($model_new);
                    }
                }

                $(
                    $crate::__export! { "linspect_show_model" $object
                        extern "C-unwind" fn linspect_show_model() {
                            LINSPECT_MODEL.with(|$model: &mut $model_type| {
                                $crate::machine::show(&$model_show);
                            });
                        }
                    }
                )?
            )?

            $(
                $crate::__export! { "linspect_model" $object
                    extern "C-unwind" fn linspect_model() {
                        LINSPECT_OBJECT.fill($golden);
                    }
                }
            )?

            $(
                $crate::__export! { "linspect_show" $object
                    extern "C-unwind" fn linspect_show() {
                        let object = LINSPECT_OBJECT.get();
                        let $object: &$type = &object;
                        $crate::machine::show(&$show);
                    }
                }
            )?

            $crate::__export! { "linspect_declare_harness" $object
                extern "C-unwind" fn linspect_declare_harness() {
                    let mut order = 0;
                    $($crate::machine::allow_race(stringify!($($raced),+));)?
                    $({
                        extern "C-unwind" fn run() {
                            #[allow(unused_imports)]
                            use $crate::machine::{Known, Observed, Printed, Read, Unknown, Unseen};
                            let object = LINSPECT_OBJECT.get();
                            $crate::__object!([$(mut $($mut)?)?] $object $type, object);
                            let mut at = 0;
                            $(
                                $crate::__argument!($by $argument $kept, (&&&$crate::machine::Means::<$kept>::any()).$get(at, || $crate::__tried!($by $values)));
                                at += 1;
                            )*
                            let _ = at;
                            let $observed $(: $result)? =
                                $crate::__call!([$(async $($async)?)?] [$([$($limit)*])*] $body);
                            (&&&$crate::machine::Means::of($given)).$observe($given);
                        }
                        order += 1;
                        $crate::machine::operation(stringify!($name), run, order);
                        $($crate::__limit!($name $($limit)*);)*
                        $crate::__values!([$(($argument ($declare $declared) $by ($kept) $values))*] []);
                    })*
                    let _ = order;
                    $($({
                        extern "C-unwind" fn run() {
                            #[allow(unused_imports)]
                            use $crate::machine::{Known, Observed, Printed, Read, Unknown, Unseen};
                            let mut at = 0;
                            $(
                                $crate::__argument!($model_by $model_argument $model_kept, $crate::__of_model!($model_kept, $model_get, at $(, $crate::__tried!($model_by $model_values))?));
                                at += 1;
                            )*
                            let _ = at;
                            let $model_observed $(: $model_result)? = LINSPECT_MODEL.with(|$model: &mut $model_type| {
                                $model_body
                            });
                            (&&&$crate::machine::Means::of($model_given)).$model_observe($model_given);
                        }
                        $crate::machine::model_operation(stringify!($model_name), run);
                    })*)?
                    $($crate::machine::progress(stringify!($progress));)?
                    $($crate::machine::settings($setting);)?
                    $($crate::machine::specification(stringify!($spec), concat!($(stringify!($($settings)*))?));)?
                }
            }

            $crate::machine::test(
                linspect_object,
                linspect_declare_harness,
                $crate::__model!($($model linspect_model)?),
            );
        }
    };
}

/// Gives a function of a harness a symbol that the machine knows it by: `linspect_object:package::tests::stack`.
#[cfg(linspect)]
#[doc(hidden)]
#[macro_export]
macro_rules! __export {
    ($symbol:literal $object:ident $function:item) => {
        #[unsafe(export_name = concat!($symbol, ":", module_path!(), "::", stringify!($object)))]
        $function
    };
}

/// Outside the machine nobody looks for symbols.
#[cfg(not(linspect))]
#[doc(hidden)]
#[macro_export]
macro_rules! __export {
    ($symbol:literal $object:ident $function:item) => {
        $function
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __model {
    () => {
        ::core::option::Option::None
    };
    ($model:ident $build:ident) => {
        ::core::option::Option::Some($build)
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __limit {
    ($name:ident single_thread) => {
        $crate::machine::single_thread(stringify!($name), concat!("only ", stringify!($name)))
    };
    ($name:ident single_thread($role:ident)) => {
        $crate::machine::single_thread(stringify!($name), stringify!($role))
    };
    ($name:ident at_most($calls:expr)) => {
        $crate::machine::at_most(stringify!($name), $calls)
    };
    ($name:ident may_fail($result:expr)) => {
        $crate::machine::may_fail(stringify!($name), stringify!($result))
    };
    ($name:ident cancel) => {
        $crate::machine::may_fail(stringify!($name), concat!("\"", "cancelled", "\""))
    };
    ($name:ident after($first:ident)) => {
        $crate::machine::after(stringify!($name), stringify!($first))
    };
    ($name:ident doc = $text:expr) => {};
}

/// Tells the machine the settings of a test, which is then known by this, too.
#[cfg(linspect)]
#[doc(hidden)]
#[macro_export]
macro_rules! __test_settings {
    ($test:ident $settings:literal) => {
        const _: () = {
            #[unsafe(export_name = concat!("linspect_declare_settings@", module_path!(), "::", stringify!($test)))]
            extern "C-unwind" fn declare() {
                $crate::machine::settings_of($test, $settings);
            }
        };
    };
}

/// Outside the machine a test has no settings.
#[cfg(not(linspect))]
#[doc(hidden)]
#[macro_export]
macro_rules! __test_settings {
    ($test:ident $settings:literal) => {};
}

/// Runs this client only: a prefix in brackets, threads between bars, a suffix in brackets. `linspect test --emit-test` writes files with it.
///
/// ```text
/// #[path = "stack.rs"]
/// mod harness;
///
/// linspect::client!("[push(1)] pop | pop []");
/// ```
#[macro_export]
macro_rules! client {
    ($text:literal) => {
        $crate::__client! { $text }
    };
}

#[cfg(linspect)]
#[doc(hidden)]
#[macro_export]
macro_rules! __client {
    ($text:literal) => {
        #[unsafe(no_mangle)]
        extern "C" fn linspect_declare__client() {
            $crate::machine::client($text);
        }
    };
}

/// Outside the machine a client is only a text.
#[cfg(not(linspect))]
#[doc(hidden)]
#[macro_export]
macro_rules! __client {
    ($text:literal) => {
        const _: &str = $text;
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __call {
    ([] [$($limits:tt)*] $body:expr) => {
        $body
    };
    ([async] [] $body:expr) => {
        $crate::machine::block_on(async { $body })
    };
    ([async] [[cancel] $($limits:tt)*] $body:expr) => {
        match $crate::machine::block_on_or_cancel(async { $body }) {
            ::core::option::Option::Some(done) => done,
            ::core::option::Option::None => {
                $crate::machine::cancelled();
                return;
            }
        }
    };
    ([async] [$limit:tt $($limits:tt)*] $body:expr) => {
        $crate::__call!([async] [$($limits)*] $body)
    };
}

/// The object as an operation sees it.
#[doc(hidden)]
#[macro_export]
macro_rules! __object {
    ([] $object:ident $type:ty, $found:ident) => {
        let $object: &$type = &$found;
    };
    ([mut] $object:ident $type:ty, $found:ident) => {
        // SAFETY: one thread alone calls the operations that take `&mut self`, as `#[single_thread]` says.
        let $object: &mut $type = unsafe { &mut *(::core::ptr::from_ref::<$type>(&$found).cast_mut()) };
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __values {
    ([] []) => {};
    ([] [$first:tt $($more:tt)*]) => {{
        $crate::__declare! $first;
        $crate::__more!($($more)*);
    }};
    ([($argument:ident $declare:tt $by:ident ($kept:ty) $values:expr) $($rest:tt)*] [$($done:tt)*]) => {
        for $argument in $crate::__tried!($by $values) {
            let $argument: $kept = $argument;
            $crate::__values!([$($rest)*] [$($done)* $declare]);
        }
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __one {
    ($($any:tt)*) => {
        1
    };
}

/// What an operation is given, made of what is kept while it runs.
#[doc(hidden)]
#[macro_export]
macro_rules! __argument {
    (by_value $argument:ident $kept:ty, $value:expr) => {
        let $argument: $kept = $value;
    };
    (by_ref $argument:ident $kept:ty, $value:expr) => {
        let $argument: $kept = $value;
        let $argument: &$kept = &$argument;
    };
    (by_mut $argument:ident $kept:ty, $value:expr) => {
        let mut $argument: $kept = $value;
        let $argument: &mut $kept = &mut $argument;
    };
}

/// The values worth trying; those of a reference may be references.
#[doc(hidden)]
#[macro_export]
macro_rules! __tried {
    (by_value $values:expr) => {
        $values
    };
    ($by:ident $values:expr) => {
        $crate::machine::owned($values)
    };
}

/// An argument of a model's operation: one of those that are tried with the object's, if it has the operation.
#[doc(hidden)]
#[macro_export]
macro_rules! __of_model {
    ($kept:ty, $get:ident, $at:ident) => {
        (&&&$crate::machine::Means::<$kept>::any()).$get($at, || ::core::iter::empty::<$kept>())
    };
    ($kept:ty, $get:ident, $at:ident, $values:expr) => {
        (&&&$crate::machine::Means::<$kept>::any()).$get($at, || $values)
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __declare {
    ($declare:ident $value:expr) => {{
        #[allow(unused_imports)]
        use $crate::machine::{Known, Printed, Unknown};
        (&&&$crate::machine::Means::of($value)).$declare($value)
    }};
}

#[doc(hidden)]
#[macro_export]
macro_rules! __more {
    () => {};
    ($($more:tt)+) => {
        $($crate::__declare! $more;)+
        $crate::machine::list_of(1 $(+ $crate::__one! $more)+);
    };
}
