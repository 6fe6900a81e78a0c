//! loom's interface over the standard library, so that loom tests run under `cargo linspect` as they are.
//!
//! loom needs types of its own because it runs a test natively. Linspect's machine sees every access by itself, so these are the types of the
//! standard library, with the few functions that loom has beside them. [`model()`] runs its closure once: all schedules are Linspect's business.
//!
//! `cargo linspect` puts this crate in the place of loom by itself. Outside the machine a model is one run of its closure.

pub mod alloc;
pub mod cell;
pub mod future;
pub mod hint;
pub mod lazy_static;
pub mod model;
pub mod sync;
pub mod thread;

pub use model::model;

/// loom takes no more threads than this; the machine does.
pub const MAX_THREADS: usize = 5;

/// loom explores from here on. Linspect explores the whole model, so nothing happens.
pub fn explore() {}

/// loom stops exploring here. Linspect explores the whole model, so nothing happens.
pub fn stop_exploring() {}

/// loom stops exploring this run here. Linspect explores the whole model, so nothing happens.
pub fn skip_branch() {}

/// Declares variables of a thread, as the standard library does.
#[macro_export]
macro_rules! thread_local {
    ($($declared:tt)*) => {
        ::std::thread_local! { $($declared)* }
    };
}

/// Declares variables that are computed when they are first used, as the crate `lazy_static` does.
#[macro_export]
macro_rules! lazy_static {
    () => {};
    ($(#[$attribute:meta])* $visible:vis static ref $name:ident : $type:ty = $value:expr; $($rest:tt)*) => {
        #[allow(non_camel_case_types, dead_code)]
        $(#[$attribute])*
        $visible struct $name { __private_field: () }
        #[doc(hidden)]
        $visible static $name: $name = $name { __private_field: () };
        impl ::core::ops::Deref for $name {
            type Target = $type;
            fn deref(&self) -> &$type {
                static LAZY: $crate::lazy_static::Lazy<$type> = $crate::lazy_static::Lazy::new(|| $value);
                LAZY.get()
            }
        }
        $crate::lazy_static! { $($rest)* }
    };
}

/// This crate's own source: Linspect compiles it where a package asks for loom.
#[doc(hidden)]
pub const SOURCES: [(&str, &str); 10] = [
    ("lib.rs", include_str!("lib.rs")),
    ("alloc.rs", include_str!("alloc.rs")),
    ("atomic.rs", include_str!("atomic.rs")),
    ("cell.rs", include_str!("cell.rs")),
    ("future.rs", include_str!("future.rs")),
    ("hint.rs", include_str!("hint.rs")),
    ("lazy_static.rs", include_str!("lazy_static.rs")),
    ("model.rs", include_str!("model.rs")),
    ("sync.rs", include_str!("sync.rs")),
    ("thread.rs", include_str!("thread.rs")),
];
