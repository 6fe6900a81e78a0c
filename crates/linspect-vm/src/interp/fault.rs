//! What goes wrong in the program, in words.

use super::{Cpu, Stop};
use crate::memory::MemoryError;
use crate::program::SiteId;
use linspect_core::execution::{Fault, FaultKind};

impl Cpu<'_> {
    pub(crate) fn fault(&self, kind: FaultKind, message: &str) -> Stop {
        Stop::Fault(Box::new(Fault {
            kind,
            message: message.to_owned(),
            site: self.site(),
            related: None,
        }))
    }

    pub(super) fn arithmetic_fault(&self, divisor: u64) -> Stop {
        let message = if divisor == 0 {
            "division by zero"
        } else {
            "a signed division overflows"
        };
        self.fault(FaultKind::Abort, message)
    }

    pub(super) fn out_of_fuel(&self) -> Stop {
        let message = format!(
            "more than {} instructions without a visible access: an endless loop?",
            self.settings.instructions
        );
        self.fault(FaultKind::Limit, &message)
    }

    pub(crate) fn memory_fault(&self, error: &MemoryError) -> Stop {
        let (kind, message, related) = self.describe(error);
        Stop::Fault(Box::new(Fault {
            kind,
            message,
            site: self.site(),
            related,
        }))
    }

    fn describe(&self, error: &MemoryError) -> (FaultKind, String, Option<SiteId>) {
        let name = |address| crate::naming::name(self.image, self.memory, address);
        match *error {
            MemoryError::Null(0) => (
                FaultKind::NullPointer,
                "access through a null pointer".into(),
                None,
            ),
            MemoryError::Null(address) => (
                FaultKind::NullPointer,
                format!("access through a null pointer, {address} bytes from it"),
                None,
            ),
            MemoryError::Wild(address) => (
                FaultKind::OutOfBounds,
                format!("access through a pointer to nothing ({address:#x})"),
                None,
            ),
            MemoryError::Beyond {
                address,
                len,
                size,
                allocated,
            } => (
                FaultKind::OutOfBounds,
                format!(
                    "access of {len} bytes at {}, of which there are only {size}",
                    name(address)
                ),
                Some(allocated),
            ),
            MemoryError::Freed { address, freed } => (
                FaultKind::UseAfterFree,
                format!("access to {}, which was freed", name(address)),
                Some(freed),
            ),
            MemoryError::Returned(_) => (
                FaultKind::UseAfterFree,
                "access to a local variable of a function that has returned".into(),
                None,
            ),
            MemoryError::Unwritten { address, allocated } => (
                FaultKind::Uninitialised,
                format!("{} is read but was never written", name(address)),
                Some(allocated),
            ),
            MemoryError::Constant(address) => (
                FaultKind::OutOfBounds,
                format!("write to the constant {}", name(address)),
                None,
            ),
            MemoryError::BadFree {
                address,
                freed: Some(freed),
            } => (
                FaultKind::BadFree,
                format!("{} is freed twice", name(address)),
                Some(freed),
            ),
            MemoryError::BadFree {
                address,
                freed: None,
            } => (
                FaultKind::BadFree,
                format!("free of {}, which malloc did not give", name(address)),
                None,
            ),
            MemoryError::Limit => (
                FaultKind::Limit,
                format!(
                    "the program needs more than {} bytes of memory",
                    self.settings.memory
                ),
                None,
            ),
        }
    }
}
