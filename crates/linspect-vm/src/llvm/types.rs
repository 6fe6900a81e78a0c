//! Handles to the types of a module, and to the data layout that says how large they are.

use super::api::{self, Api};
use super::opcode::TypeKind;
use std::ffi::CStr;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use std::ptr::NonNull;

/// A type.
#[derive(Clone, Copy)]
pub(crate) struct Type<'m> {
    api: &'m Api,
    raw: NonNull<api::RawType>,
}

impl PartialEq for Type<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.raw == other.raw
    }
}
impl Eq for Type<'_> {}
impl Hash for Type<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.raw.hash(state);
    }
}

impl<'m> Type<'m> {
    /// # Safety
    /// `raw` is a type that lives as long as `'m`.
    pub(super) unsafe fn new(api: &'m Api, raw: api::Type) -> Self {
        Self {
            api,
            raw: NonNull::new(raw).expect("LLVM answers"),
        }
    }

    fn raw(self) -> api::Type {
        self.raw.as_ptr()
    }

    fn same(self, raw: api::Type) -> Self {
        Self {
            api: self.api,
            raw: NonNull::new(raw).expect("LLVM answers"),
        }
    }

    /// What it is.
    pub(crate) fn kind(self) -> TypeKind {
        // SAFETY: a valid type.
        TypeKind::from_raw(unsafe { (self.api.LLVMGetTypeKind)(self.raw.as_ptr()) })
    }

    /// Bits of an integer type.
    pub(crate) fn integer_width(self) -> Option<u32> {
        // SAFETY: an integer type, checked first.
        (self.kind() == TypeKind::Integer)
            .then(|| unsafe { (self.api.LLVMGetIntTypeWidth)(self.raw.as_ptr()) })
    }

    /// Element type of an array or vector.
    pub(crate) fn element(self) -> Self {
        assert!(matches!(self.kind(), TypeKind::Array | TypeKind::Vector));
        // SAFETY: a sequence.
        self.same(unsafe { (self.api.LLVMGetElementType)(self.raw.as_ptr()) })
    }

    /// Elements of an array or vector.
    pub(crate) fn length(self) -> u64 {
        // SAFETY: each question goes to the kind of type it is for.
        unsafe {
            match (self.kind(), self.api.LLVMGetArrayLength2) {
                (TypeKind::Array, Some(length)) => length(self.raw.as_ptr()),
                // Before LLVM 17 the length came modulo 2^32.
                (TypeKind::Array, None) => {
                    u64::from((self.api.LLVMGetArrayLength)(self.raw.as_ptr()))
                }
                (TypeKind::Vector, _) => u64::from((self.api.LLVMGetVectorSize)(self.raw.as_ptr())),
                (other, _) => panic!("{other:?} has no length"),
            }
        }
    }

    /// Fields of a struct.
    pub(crate) fn fields(self) -> Vec<Self> {
        assert_eq!(self.kind(), TypeKind::Struct);
        // SAFETY: a struct, and the fields exist.
        unsafe {
            (0..(self.api.LLVMCountStructElementTypes)(self.raw.as_ptr()))
                .map(|i| self.same((self.api.LLVMStructGetTypeAtIndex)(self.raw.as_ptr(), i)))
                .collect()
        }
    }

    /// Whether it has a size at all.
    pub(crate) fn is_sized(self) -> bool {
        // SAFETY: a valid type.
        unsafe { (self.api.LLVMTypeIsSized)(self.raw.as_ptr()) != 0 }
    }

    /// As IR text.
    pub(crate) fn print(self) -> String {
        // SAFETY: LLVM makes a C string for us, which we give back.
        unsafe {
            let raw = (self.api.LLVMPrintTypeToString)(self.raw.as_ptr());
            let text = CStr::from_ptr(raw).to_string_lossy().into_owned();
            (self.api.LLVMDisposeMessage)(raw);
            text
        }
    }
}

/// Sizes and offsets of types on the module's target.
#[derive(Clone, Copy)]
pub(crate) struct Layout<'m> {
    api: &'m Api,
    raw: api::Layout,
    module: PhantomData<&'m ()>,
}

impl<'m> Layout<'m> {
    /// # Safety
    /// `raw` is a data layout that lives as long as `'m`.
    pub(super) unsafe fn new(api: &'m Api, raw: api::Layout) -> Self {
        Self {
            api,
            raw,
            module: PhantomData,
        }
    }

    fn check(ty: Type<'_>) {
        assert!(ty.is_sized(), "{} has no size", ty.print());
    }

    /// Bytes from one element of an array to the next.
    pub(crate) fn size(self, ty: Type<'m>) -> u64 {
        Self::check(ty);
        // SAFETY: a sized type.
        unsafe { (self.api.LLVMABISizeOfType)(self.raw, ty.raw()) }
    }

    /// Bytes a store writes.
    pub(crate) fn store_size(self, ty: Type<'m>) -> u64 {
        Self::check(ty);
        // SAFETY: a sized type.
        unsafe { (self.api.LLVMStoreSizeOfType)(self.raw, ty.raw()) }
    }

    /// Natural alignment.
    pub(crate) fn align(self, ty: Type<'m>) -> u32 {
        Self::check(ty);
        // SAFETY: a sized type.
        unsafe { (self.api.LLVMABIAlignmentOfType)(self.raw, ty.raw()) }
    }

    /// Where field `index` of a struct starts.
    pub(crate) fn offset(self, ty: Type<'m>, index: u32) -> u64 {
        Self::check(ty);
        assert!((index as usize) < ty.fields().len());
        // SAFETY: a sized struct with that field.
        unsafe { (self.api.LLVMOffsetOfElement)(self.raw, ty.raw(), index) }
    }
}
