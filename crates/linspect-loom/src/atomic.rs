//! Atomics of the standard library, with the functions that loom has beside them.

use std::fmt;
use std::ops::Deref;
use std::sync::atomic as std_atomic;

pub use std::sync::atomic::{Ordering, fence};

/// Says that a loop waits.
pub fn spin_loop_hint() {
    std::hint::spin_loop();
}

macro_rules! atomic {
    ($($name:ident $(<$parameter:ident>)? = $value:ty;)*) => {$(
        #[doc = concat!("[`std::sync::atomic::", stringify!($name), "`], and loom's functions.")]
        #[repr(transparent)]
        pub struct $name $(<$parameter>)? (std_atomic::$name $(<$parameter>)?);

        impl $(<$parameter>)? $name $(<$parameter>)? {
            /// Holds `value`.
            pub const fn new(value: $value) -> Self {
                Self(std_atomic::$name::new(value))
            }

            /// Lets `f` change the value, which nobody else can reach.
            pub fn with_mut<R>(&mut self, f: impl FnOnce(&mut $value) -> R) -> R {
                f(self.0.get_mut())
            }

            /// The value, read by a plain load.
            ///
            /// # Safety
            /// Nobody may write it at the same time: that would be a data race.
            pub unsafe fn unsync_load(&self) -> $value {
                // SAFETY: it points to the value, and the caller keeps others from writing.
                unsafe { *self.0.as_ptr() }
            }

            /// The value alone.
            pub fn into_inner(self) -> $value {
                self.0.into_inner()
            }

            /// An exchange with one ordering, which the standard library has given up.
            pub fn compare_and_swap(&self, current: $value, new: $value, order: Ordering) -> $value {
                let failure = match order {
                    Ordering::AcqRel => Ordering::Acquire,
                    Ordering::Release => Ordering::Relaxed,
                    same => same,
                };
                match self.0.compare_exchange(current, new, order, failure) {
                    Ok(value) | Err(value) => value,
                }
            }
        }

        impl $(<$parameter>)? Deref for $name $(<$parameter>)? {
            type Target = std_atomic::$name $(<$parameter>)?;

            #[inline]
            fn deref(&self) -> &Self::Target {
                &self.0
            }
        }

        impl $(<$parameter>)? Default for $name $(<$parameter>)? {
            fn default() -> Self {
                Self(Default::default())
            }
        }

        impl $(<$parameter>)? fmt::Debug for $name $(<$parameter>)? {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl $(<$parameter>)? From<$value> for $name $(<$parameter>)? {
            fn from(value: $value) -> Self {
                Self::new(value)
            }
        }
    )*};
}

atomic! {
    AtomicBool = bool;
    AtomicI8 = i8;
    AtomicI16 = i16;
    AtomicI32 = i32;
    AtomicI64 = i64;
    AtomicIsize = isize;
    AtomicU8 = u8;
    AtomicU16 = u16;
    AtomicU32 = u32;
    AtomicU64 = u64;
    AtomicUsize = usize;
    AtomicPtr<T> = *mut T;
}
