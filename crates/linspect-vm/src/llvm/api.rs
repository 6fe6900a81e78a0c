//! The functions of LLVM's C API that Linspect calls, looked up by name in a library opened at run time.
//!
//! Signatures follow llvm-c/{Core,IRReader,Linker,Analysis,Target,DebugInfo,ErrorHandling}.h and
//! llvm-c/Transforms/PassBuilder.h; they are the same from LLVM 14 to 22. Functions that some of these versions lack are `Option`s.

use libloading::Library;
use std::ffi::{c_char, c_int, c_uint, c_void};

/// Opaque types of the C API. Pointers to them are only ever handed back to LLVM.
macro_rules! opaque {
    ($($name:ident)*) => { $(
        #[repr(C)]
        pub(super) struct $name { _opaque: [u8; 0] }
    )* };
}
opaque! { RawContext RawModule RawValue RawType RawBlock RawMetadata RawBuffer RawLayout RawPassOptions RawError RawAttribute RawRecord RawDiagnostic }

pub(super) type Context = *mut RawContext;
pub(super) type Module = *mut RawModule;
pub(super) type Value = *mut RawValue;
pub(super) type Type = *mut RawType;
pub(super) type Block = *mut RawBlock;
pub(super) type Metadata = *mut RawMetadata;
pub(super) type Buffer = *mut RawBuffer;
pub(super) type Layout = *mut RawLayout;
pub(super) type PassOptions = *mut RawPassOptions;
pub(super) type Error = *mut RawError;
pub(super) type Attribute = *mut RawAttribute;
pub(super) type Record = *mut RawRecord;
pub(super) type Diagnostic = *mut RawDiagnostic;

/// `LLVMLinkage`: visible to other modules.
pub(super) const EXTERNAL_LINKAGE: c_int = 0;
/// `LLVMLinkage`: a body for the optimiser only, not a definition.
pub(super) const AVAILABLE_EXTERNALLY_LINKAGE: c_int = 1;
/// `LLVMLinkage`: linked only if something refers to it; all definitions are the same.
pub(super) const LINK_ONCE_ODR_LINKAGE: c_int = 3;
/// `LLVMLinkage`: renamed on collision, not visible to other modules.
pub(super) const INTERNAL_LINKAGE: c_int = 8;
/// `LLVMLinkage`: like internal, without a symbol.
pub(super) const PRIVATE_LINKAGE: c_int = 9;

macro_rules! api {
    (
        always { $($name:ident($($arg:ty),*) $(-> $ret:ty)?;)* }
        sometimes { $($oname:ident($($oarg:ty),*) $(-> $oret:ty)?;)* }
    ) => {
        /// The table of functions. Valid as long as the library it was loaded from stays open.
        #[expect(non_snake_case, reason = "the fields are called as LLVM calls the functions")]
        pub(super) struct Api {
            $(pub(super) $name: unsafe extern "C" fn($($arg),*) $(-> $ret)?,)*
            $(pub(super) $oname: Option<unsafe extern "C" fn($($oarg),*) $(-> $oret)?>,)*
        }

        impl Api {
            /// Looks all functions up; `Err` names the first one that is missing.
            pub(super) fn load(library: &Library) -> Result<Self, &'static str> {
                Ok(Self {
                    // SAFETY: the declared signature is the one of this function in LLVM's headers, 14 to 22.
                    $($name: unsafe { *library.get(concat!(stringify!($name), "\0").as_bytes()).map_err(|_| stringify!($name))? },)*
                    // SAFETY: as above.
                    $($oname: unsafe { library.get(concat!(stringify!($oname), "\0").as_bytes()).ok().map(|s| *s) },)*
                })
            }
        }
    };
}

api! {
    always {
        LLVMContextCreate() -> Context;
        LLVMContextDispose(Context);
        LLVMContextSetDiagnosticHandler(Context, Option<extern "C" fn(Diagnostic, *mut c_void)>, *mut c_void);
        LLVMGetDiagInfoDescription(Diagnostic) -> *mut c_char;
        LLVMGetDiagInfoSeverity(Diagnostic) -> c_int;
        LLVMInstallFatalErrorHandler(Option<extern "C" fn(*const c_char)>);
        LLVMParseCommandLineOptions(c_int, *const *const c_char, *const c_char);
        LLVMDisposeMessage(*mut c_char);
        LLVMGetErrorMessage(Error) -> *mut c_char;
        LLVMDisposeErrorMessage(*mut c_char);

        LLVMCreateMemoryBufferWithMemoryRangeCopy(*const c_char, usize, *const c_char) -> Buffer;
        LLVMParseIRInContext(Context, Buffer, *mut Module, *mut *mut c_char) -> c_int;
        LLVMGetBitcodeModuleInContext2(Context, Buffer, *mut Module) -> c_int;
        LLVMDisposeModule(Module);
        LLVMLinkModules2(Module, Module) -> c_int;
        LLVMVerifyModule(Module, c_int, *mut *mut c_char) -> c_int;
        LLVMCreatePassBuilderOptions() -> PassOptions;
        LLVMDisposePassBuilderOptions(PassOptions);
        LLVMRunPasses(Module, *const c_char, *mut c_void, PassOptions) -> Error;

        LLVMGetModuleDataLayout(Module) -> Layout;
        LLVMGetFirstFunction(Module) -> Value;
        LLVMGetNextFunction(Value) -> Value;
        LLVMGetFirstGlobal(Module) -> Value;
        LLVMGetNextGlobal(Value) -> Value;
        LLVMGetFirstGlobalAlias(Module) -> Value;
        LLVMGetNextGlobalAlias(Value) -> Value;
        LLVMGetNamedFunction(Module, *const c_char) -> Value;
        LLVMAddFunction(Module, *const c_char, Type) -> Value;
        LLVMReplaceAllUsesWith(Value, Value);
        LLVMDeleteFunction(Value);
        LLVMSetLinkage(Value, c_int);
        LLVMGetLinkage(Value) -> c_int;
        LLVMSetVisibility(Value, c_int);
        LLVMSetComdat(Value, *mut c_void);
        LLVMGetValueName2(Value, *mut usize) -> *const c_char;
        LLVMSetValueName2(Value, *const c_char, usize);
        LLVMIsDeclaration(Value) -> c_int;
        LLVMIsGlobalConstant(Value) -> c_int;
        LLVMIsThreadLocal(Value) -> c_int;
        LLVMGetInitializer(Value) -> Value;
        LLVMGlobalGetValueType(Value) -> Type;
        LLVMAliasGetAliasee(Value) -> Value;
        LLVMGetAlignment(Value) -> c_uint;
        LLVMGetEnumAttributeKindForName(*const c_char, usize) -> c_uint;
        LLVMCreateEnumAttribute(Context, c_uint, u64) -> Attribute;
        LLVMAddAttributeAtIndex(Value, c_uint, Attribute);
        LLVMRemoveEnumAttributeAtIndex(Value, c_uint, c_uint);
        LLVMRemoveCallSiteEnumAttribute(Value, c_uint, c_uint);
        LLVMGetEnumAttributeAtIndex(Value, c_uint, c_uint) -> Attribute;
        LLVMGetTypeAttributeValue(Attribute) -> Type;

        LLVMCountParams(Value) -> c_uint;
        LLVMGetParam(Value, c_uint) -> Value;
        LLVMGetFirstBasicBlock(Value) -> Block;
        LLVMGetNextBasicBlock(Block) -> Block;
        LLVMGetPreviousBasicBlock(Block) -> Block;
        LLVMValueAsBasicBlock(Value) -> Block;
        LLVMGetFirstInstruction(Block) -> Value;
        LLVMGetNextInstruction(Value) -> Value;
        LLVMGetInstructionOpcode(Value) -> c_int;
        LLVMGetConstOpcode(Value) -> c_int;
        LLVMGetValueKind(Value) -> c_int;
        LLVMGetNumOperands(Value) -> c_int;
        LLVMGetOperand(Value, c_uint) -> Value;
        LLVMTypeOf(Value) -> Type;
        LLVMPrintValueToString(Value) -> *mut c_char;
        LLVMPrintTypeToString(Type) -> *mut c_char;

        LLVMGetTypeKind(Type) -> c_int;
        LLVMIsFunctionVarArg(Type) -> c_int;
        LLVMGetReturnType(Type) -> Type;
        LLVMGetIntTypeWidth(Type) -> c_uint;
        LLVMIntTypeInContext(Context, c_uint) -> Type;
        LLVMTypeIsSized(Type) -> c_int;
        LLVMABISizeOfType(Layout, Type) -> u64;
        LLVMABIAlignmentOfType(Layout, Type) -> c_uint;
        LLVMStoreSizeOfType(Layout, Type) -> u64;
        LLVMOffsetOfElement(Layout, Type, c_uint) -> u64;
        LLVMGetElementType(Type) -> Type;
        LLVMStructGetTypeAtIndex(Type, c_uint) -> Type;
        LLVMCountStructElementTypes(Type) -> c_uint;
        LLVMGetArrayLength(Type) -> c_uint;
        LLVMGetVectorSize(Type) -> c_uint;

        LLVMConstIntGetZExtValue(Value) -> u64;
        LLVMConstBitCast(Value, Type) -> Value;
        LLVMGetElementAsConstant(Value, c_uint) -> Value;
        LLVMGetAsString(Value, *mut usize) -> *const c_char;

        LLVMGetICmpPredicate(Value) -> c_int;
        LLVMGetFCmpPredicate(Value) -> c_int;
        LLVMGetOrdering(Value) -> c_int;
        LLVMGetCmpXchgSuccessOrdering(Value) -> c_int;
        LLVMGetCmpXchgFailureOrdering(Value) -> c_int;
        LLVMGetWeak(Value) -> c_int;
        LLVMGetVolatile(Value) -> c_int;
        LLVMSetVolatile(Value, c_int);
        LLVMGetFirstUse(Value) -> *mut c_void;
        LLVMIsAtomicSingleThread(Value) -> c_int;
        LLVMGetAtomicRMWBinOp(Value) -> c_int;
        LLVMGetGEPSourceElementType(Value) -> Type;
        LLVMGetAllocatedType(Value) -> Type;
        LLVMGetIndices(Value) -> *const c_uint;
        LLVMGetNumIndices(Value) -> c_uint;
        LLVMGetSuccessor(Value, c_uint) -> Block;
        LLVMGetNumSuccessors(Value) -> c_uint;
        LLVMCountIncoming(Value) -> c_uint;
        LLVMGetIncomingValue(Value, c_uint) -> Value;
        LLVMGetIncomingBlock(Value, c_uint) -> Block;
        LLVMGetCalledValue(Value) -> Value;
        LLVMGetNumArgOperands(Value) -> c_uint;
        LLVMGetNormalDest(Value) -> Block;
        LLVMGetUnwindDest(Value) -> Block;
        LLVMIsCleanup(Value) -> c_int;
        LLVMGetNumMaskElements(Value) -> c_uint;
        LLVMGetMaskValue(Value, c_uint) -> c_int;

        LLVMInstructionGetDebugLoc(Value) -> Metadata;
        LLVMGetSubprogram(Value) -> Metadata;
        LLVMDILocationGetLine(Metadata) -> c_uint;
        LLVMDILocationGetColumn(Metadata) -> c_uint;
        LLVMDILocationGetScope(Metadata) -> Metadata;
        LLVMDILocationGetInlinedAt(Metadata) -> Metadata;
        LLVMDIScopeGetFile(Metadata) -> Metadata;
        LLVMDIFileGetFilename(Metadata, *mut c_uint) -> *const c_char;
        LLVMDIFileGetDirectory(Metadata, *mut c_uint) -> *const c_char;
        LLVMDISubprogramGetLine(Metadata) -> c_uint;
        LLVMDITypeGetOffsetInBits(Metadata) -> u64;
        LLVMDITypeGetSizeInBits(Metadata) -> u64;
        LLVMGetMetadataKind(Metadata) -> c_uint;
        LLVMMetadataAsValue(Context, Metadata) -> Value;
        LLVMValueAsMetadata(Value) -> Metadata;
        LLVMGetMDNodeNumOperands(Value) -> c_uint;
        LLVMGetMDNodeOperands(Value, *mut Value);
        LLVMGetMDString(Value, *mut c_uint) -> *const c_char;
        LLVMGlobalCopyAllMetadata(Value, *mut usize) -> *mut c_void;
        LLVMValueMetadataEntriesGetMetadata(*mut c_void, c_uint) -> Metadata;
        LLVMDisposeValueMetadataEntries(*mut c_void);
    }
    sometimes {
        LLVMGetArrayLength2(Type) -> u64;
        LLVMGetVersion(*mut c_uint, *mut c_uint, *mut c_uint);
        LLVMContextSetOpaquePointers(Context, c_int);
        LLVMGetSwitchCaseValue(Value, c_uint) -> Value;
        LLVMSetIsNewDbgInfoFormat(Module, c_int);
        LLVMGetFirstDbgRecord(Value) -> Record;
        LLVMGetNextDbgRecord(Record) -> Record;
        LLVMDbgRecordGetKind(Record) -> c_int;
        LLVMDbgVariableRecordGetValue(Record, c_uint) -> Value;
        LLVMDbgVariableRecordGetVariable(Record) -> Metadata;
    }
}
