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
//! the macro only checks that the operations exist and fit. There are no dependencies.

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
pub use observe::{Argument, Observe};

#[doc(hidden)]
pub mod machine {
    pub use crate::fallback::{Known, Means, Observed, Printed, Read, Unknown, Unseen};
    #[cfg(linspect)]
    pub use crate::hooks::client;
    pub use crate::hooks::{
        after, allow_race, at_most, list_of, may_fail, model_operation, operation, progress, show,
        single_thread, specification,
    };
    #[cfg(not(linspect))]
    pub use crate::sequential::test;
    pub use crate::slot::{Model, Slot};
    pub use crate::wait::block_on;

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
///     spec = built_in;
/// }
/// ```
///
/// Its name is also that of a test, so that there can be several in one module.
///
/// * An operation is called as `name.operation(argument, …)`, or as the expression says, which may use `name` and the arguments.
/// * `values` is anything that can be iterated: `1..=2`, `[1, 5]`, `["a", "b"]`. An argument's type is one token; give longer ones a name.
/// * `#[single_thread]` above an operation: only one thread calls it; `#[single_thread(owner)]`: the same thread as the other operations of the owner.
///   `#[at_most(1)]`: it is called at most once in a whole test. `#[after(lock)]`: each call takes up an earlier `lock` of the same thread.
///   `#[may_fail(nil)]`: beside others it may return this for no reason, without having done anything; `nil` is `None`.
/// * `async fn` is an operation that is a future: its thread waits for it. Its expression may `.await`.
/// * `fn operation(&mut self, …)` is for operations that one thread alone calls: `#[single_thread]` stands above it.
/// * Argument types implement [`Argument`], result types [`Observe`]; values of other types are told apart by what `Debug` prints.
/// * `model` is a sequential model: plain code with the same operations, never run by two threads. The object is right if every result is one that the
///   model gives in some order.
/// * `golden` makes the same object, built otherwise, the model: a queue without relaxation for one with.
/// * `show` prints the state for the report; the expression implements [`core::fmt::Display`].
/// * `#[allow_race(data, version)]` before the object says that data races on fields or variables of these names are meant, as in a seqlock.
/// * `progress = lock_free;` promises that whoever runs, some operation returns; `obstruction_free` that whoever runs alone returns; `wait_free` that everybody returns,
///   whatever others do.
/// * `spec` is optional, too: without it the object, run alone, is its own specification. Settings follow in parentheses: `spec = semaphore(.initial = 2);`.
#[macro_export]
macro_rules! harness {
    (
        $(#[allow_race($($raced:ident),+ $(,)?)])?
        $object:ident : $type:ty = $new:expr;
        $(
            $(#[$($limit:tt)*])*
            $(async $(@ $async:tt)?)?
            fn $name:ident ( & $(mut $(@ $mut:tt)?)? self $(, $argument:ident : $argument_type:tt in $values:expr)* $(,)? )
            $(-> $result:ty)? $(=> $body:expr)? ;
        )*
        $(
            model $model:ident : $model_type:ty = $model_new:expr;
            $(
                fn $model_name:ident ( & mut self $(, $model_argument:ident : $model_argument_type:tt)* $(,)? )
                $(-> $model_result:ty)? $(=> $model_body:expr)? ;
            )*
            $(show model = $model_show:expr;)?
        )?
        $(golden = $golden:expr;)?
        $(show = $show:expr;)?
        $(progress = $progress:ident;)?
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
                                let $argument: $argument_type =
                                    (&&&$crate::machine::Means::<$argument_type>::any()).get(at, || $values);
                                at += 1;
                            )*
                            let _ = at;
                            let result $(: $result)? =
                                $crate::__call!([$(async $($async)?)?] $object $name ($($argument),*) $($body)?);
                            (&&&$crate::machine::Means::of(&result)).observe(&result);
                        }
                        order += 1;
                        $crate::machine::operation(stringify!($name), run, order);
                        $($crate::__limit!($name $($limit)*);)*
                        $crate::__alone!([$(mut $($mut)?)?] $name $([$($limit)*])*);
                        $crate::__values!([$(($argument $argument_type $values))*] []);
                    })*
                    let _ = order;
                    $($({
                        extern "C-unwind" fn run() {
                            let mut at = 0;
                            $(
                                let $model_argument: $model_argument_type = $crate::Argument::get(at);
                                at += 1;
                            )*
                            let _ = at;
                            let result $(: $model_result)? = LINSPECT_MODEL.with(|$model: &mut $model_type| {
                                $crate::__call!([] $model $model_name ($($model_argument),*) $($model_body)?)
                            });
                            {
                                #[allow(unused_imports)]
                                use $crate::machine::{Observed, Read, Unseen};
                                (&&&$crate::machine::Means::of(&result)).observe(&result);
                            }
                        }
                        $crate::machine::model_operation(stringify!($model_name), run);
                    })*)?
                    $($crate::__progress!($progress);)?
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
    ($($wrong:tt)*) => {
        $crate::__mistake! { $($wrong)* }
    };
}

/// Says what is wrong with a harness: skips what is right, and names the first thing that is not.
#[doc(hidden)]
#[macro_export]
macro_rules! __mistake {
    (#[allow_race($($raced:ident),+ $(,)?)] $($rest:tt)*) => {
        $crate::__mistake! { $($rest)* }
    };
    ($object:ident : $type:ty = $new:expr ; $($rest:tt)*) => {
        $crate::__mistake! { @ $($rest)* }
    };
    (@ $(#[$($limit:tt)*])* $(async $(@ $async:tt)?)? fn $name:ident ( & $(mut $(@ $mut:tt)?)? self $(, $argument:ident : $argument_type:tt in $values:expr)* $(,)? ) $(-> $result:ty)? $(=> $body:expr)? ; $($rest:tt)*) => {
        $crate::__mistake! { @ $($rest)* }
    };
    (@ $(#[$($limit:tt)*])* fn $name:ident ( & self $(, $argument:ident : $argument_type:tt in $values:expr)* $(,)? ) $(-> $result:ty)? { $($body:tt)* } $($rest:tt)*) => {
        compile_error!(concat!("`", stringify!($name), "` has a body: write `fn ", stringify!($name), "(&self, …) => expression;`"));
    };
    (@ $(#[$($limit:tt)*])* fn $name:ident ( & self $(, $argument:ident : $argument_type:tt $(in $values:expr)?)* $(,)? ) $(-> $result:ty)? $(=> $body:expr)? ; $($rest:tt)*) => {
        compile_error!(concat!(
            "`", stringify!($name), "`: say which arguments are worth trying, such as `fn ", stringify!($name), "(&self",
            $(", ", stringify!($argument), ": ", stringify!($argument_type), " in [1, 2]",)* ");`"
        ));
    };
    (@ $(#[$($limit:tt)*])* fn $name:ident ( & self $(, $argument:ident : $argument_type:tt $(in $values:expr)?)* $(,)? ) $($rest:tt)*) => {
        compile_error!(concat!("`", stringify!($name), "`: end the operation with a semicolon: `fn ", stringify!($name), "(&self, …);`"));
    };
    (@ $(#[$($limit:tt)*])* fn $name:ident ( & self $($arguments:tt)* ) $($rest:tt)*) => {
        compile_error!(concat!(
            "`", stringify!($name), "`: an argument is `name: Type in values`, its type one token; give a longer one a name with `type`"
        ));
    };
    (@ $(#[$($limit:tt)*])* fn $name:ident ( $($arguments:tt)* ) $($rest:tt)*) => {
        compile_error!(concat!("`", stringify!($name), "` does not take `&self` first: operations are those of the object"));
    };
    (@ model $($rest:tt)*) => {
        compile_error!(
            "a model follows the operations: `model name: Type = expression;`, then `fn operation(&mut self, argument: Type) -> Type => expression;` for each of them, then perhaps `show model = expression;`, `show = expression;`"
        );
    };
    (@ golden $($rest:tt)*) => {
        compile_error!("a golden model is the object built otherwise: `golden = expression;`, and only `show = expression;` follows it");
    };
    (@ show $($rest:tt)*) => {
        compile_error!("a printer is `show = expression;`; the model comes before it, `spec` after it");
    };
    (@ progress $($rest:tt)*) => {
        compile_error!("a promise of progress is `progress = lock_free;`, `obstruction_free` or `wait_free`; it comes after `show` and before `spec`");
    };
    (@ spec $($rest:tt)*) => {
        compile_error!("the specification is the last line: `spec = queue;`, with settings `spec = queue(.capacity = 2);`");
    };
    ($($rest:tt)*) => {
        compile_error!(
            "a harness is `name: Type = expression;`, then operations `fn name(&self, argument: Type in values) -> Type;`, then perhaps `spec = queue;`"
        );
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
macro_rules! __progress {
    (obstruction_free) => {
        $crate::machine::progress("obstruction_free")
    };
    (lock_free) => {
        $crate::machine::progress("lock_free")
    };
    (wait_free) => {
        $crate::machine::progress("wait_free")
    };
    ($other:ident) => {
        compile_error!(concat!(
            "`progress = ",
            stringify!($other),
            ";` promises nothing; there are obstruction_free, lock_free and wait_free"
        ))
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
    ($name:ident after($first:ident)) => {
        $crate::machine::after(stringify!($name), stringify!($first))
    };
    ($name:ident doc = $text:expr) => {};
    ($name:ident $($other:tt)*) => {
        compile_error!(concat!(
            "`#[", stringify!($($other)*), "]` says nothing about an operation; there are #[single_thread], #[single_thread(owner)], #[at_most(1)], #[after(lock)] and #[may_fail(false)]"
        ))
    };
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
    ([] $object:ident $name:ident ($($argument:ident),*)) => {
        $object.$name($($argument),*)
    };
    ([] $object:ident $name:ident ($($argument:ident),*) $body:expr) => {
        $body
    };
    ([async] $object:ident $name:ident ($($argument:ident),*)) => {
        $crate::machine::block_on(async { $object.$name($($argument),*).await })
    };
    ([async] $object:ident $name:ident ($($argument:ident),*) $body:expr) => {
        $crate::machine::block_on(async { $body })
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

/// Who changes the object through `&mut self` is alone in doing so.
#[doc(hidden)]
#[macro_export]
macro_rules! __alone {
    ([] $($rest:tt)*) => {};
    ([mut] $name:ident [single_thread] $($rest:tt)*) => {};
    ([mut] $name:ident [single_thread($role:ident)] $($rest:tt)*) => {};
    ([mut] $name:ident [$($other:tt)*] $($rest:tt)*) => {
        $crate::__alone!([mut] $name $($rest)*)
    };
    ([mut] $name:ident) => {
        compile_error!(concat!(
            "`", stringify!($name), "` takes `&mut self`: several threads call an operation, so it takes `&self`, or `#[single_thread]` stands above it"
        ))
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __values {
    ([] []) => {};
    ([] [$first:ident $($more:ident)*]) => {{
        $crate::__declare!($first);
        $crate::__more!($($more)*);
    }};
    ([($argument:ident $type:tt $values:expr) $($rest:tt)*] [$($done:ident)*]) => {
        for $argument in $values {
            let $argument: $type = $argument;
            $crate::__values!([$($rest)*] [$($done)* $argument]);
        }
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __declare {
    ($value:ident) => {{
        #[allow(unused_imports)]
        use $crate::machine::{Known, Printed, Unknown};
        (&&&$crate::machine::Means::of(&$value)).declare(&$value)
    }};
}

#[doc(hidden)]
#[macro_export]
macro_rules! __more {
    () => {};
    ($($more:ident)+) => {
        $($crate::__declare!($more);)+
        $crate::machine::list_of(1 $(+ { let _ = &$more; 1 })+);
    };
}
