//! Contexts and modules: reading, linking, transforming.

use super::api::{self, Api};
use super::function::{Block, Function};
use super::global::Global;
use super::library::Llvm;
use super::opcode::{Opcode, ValueKind};
use super::types::Layout;
use super::value::{Environment, Value};
use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::ptr;

/// Why LLVM refused a module.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ModuleError {
    /// It is not (valid) bitcode or IR text.
    #[error("{name}: not valid LLVM bitcode: {reason}")]
    Parse {
        /// What was read.
        name: String,
        /// What LLVM said.
        reason: String,
    },
    /// It breaks the rules of the IR.
    #[error("{name}: broken LLVM module: {reason}")]
    Verify {
        /// What was read.
        name: String,
        /// What LLVM said.
        reason: String,
    },
    /// Two modules do not fit together.
    #[error("{name} cannot be linked: {reason}")]
    Link {
        /// The second module.
        name: String,
        /// What LLVM said.
        reason: String,
    },
    /// A global starts with something that only a linker could compute.
    #[error(
        "a global is initialised with `{value}`, which Linspect cannot represent; please report it"
    )]
    Initial {
        /// The value.
        value: String,
    },
    /// A pass pipeline was refused.
    #[error("LLVM refused the passes `{passes}`: {reason}")]
    Passes {
        /// The pipeline.
        passes: String,
        /// What LLVM said.
        reason: String,
    },
}

/// An LLVM context; everything read in it lives at most as long.
pub(crate) struct Context<'l> {
    llvm: &'l Llvm,
    raw: api::Context,
    // Boxed: LLVM keeps its address as the diagnostic handler's argument.
    sink: Box<Sink>,
}

/// Where LLVM's diagnostics go, with what is needed to read them.
struct Sink {
    describe: unsafe extern "C" fn(api::Diagnostic) -> *mut c_char,
    severity: unsafe extern "C" fn(api::Diagnostic) -> c_int,
    dispose: unsafe extern "C" fn(*mut c_char),
    errors: RefCell<Vec<String>>,
}

/// `LLVMDSError`: the worst of LLVM's severities is the smallest number.
const SEVERITY_ERROR: c_int = 0;

extern "C" fn collect(diagnostic: api::Diagnostic, sink: *mut c_void) {
    // SAFETY: `Context::new` passed a sink that outlives the context.
    let sink = unsafe { &*sink.cast::<Sink>() };
    // SAFETY: LLVM passes a valid diagnostic, and the text it gives is ours to dispose of.
    let (severity, text) = unsafe {
        let raw = (sink.describe)(diagnostic);
        let text = CStr::from_ptr(raw).to_string_lossy().into_owned();
        (sink.dispose)(raw);
        ((sink.severity)(diagnostic), text)
    };
    if severity == SEVERITY_ERROR {
        sink.errors.borrow_mut().push(text);
    }
}

impl<'l> Context<'l> {
    /// A fresh context.
    pub(crate) fn new(llvm: &'l Llvm) -> Self {
        // SAFETY: no requirements.
        let raw = unsafe { (llvm.api.LLVMContextCreate)() };
        if let Some(set) = llvm
            .api
            .LLVMContextSetOpaquePointers
            .filter(|_| llvm.version().0 < 17)
        {
            // SAFETY: a fresh context, so no pointer type exists yet.
            unsafe { set(raw, 1) };
        }
        let sink = Box::new(Sink {
            describe: llvm.api.LLVMGetDiagInfoDescription,
            severity: llvm.api.LLVMGetDiagInfoSeverity,
            dispose: llvm.api.LLVMDisposeMessage,
            errors: RefCell::default(),
        });
        let argument = ptr::from_ref(&*sink).cast_mut().cast::<c_void>();
        // SAFETY: the sink lives until after the context is disposed of. Without a handler LLVM would end the process on errors.
        unsafe { (llvm.api.LLVMContextSetDiagnosticHandler)(raw, Some(collect), argument) };
        Self { llvm, raw, sink }
    }

    /// Reads bitcode or IR text and checks it against the rules of the IR.
    pub(crate) fn parse(&self, name: &str, bytes: &[u8]) -> Result<Module<'_>, ModuleError> {
        let api = &self.llvm.api;
        let label = c_string(name);
        let (mut raw, mut message) = (ptr::null_mut(), ptr::null_mut());
        // SAFETY: the buffer is a copy of `bytes`, and LLVMParseIRInContext takes it over, whatever the outcome.
        let failed = unsafe {
            let buffer = (api.LLVMCreateMemoryBufferWithMemoryRangeCopy)(
                bytes.as_ptr().cast(),
                bytes.len(),
                label.as_ptr(),
            );
            (api.LLVMParseIRInContext)(self.raw, buffer, &raw mut raw, &raw mut message)
        };
        if failed != 0 || raw.is_null() {
            let reason = self.take_message(message);
            return Err(ModuleError::Parse {
                name: name.to_owned(),
                reason,
            });
        }
        let module = Module { context: self, raw };
        module.verify(name)?;
        Ok(module)
    }

    /// Reads bitcode that a compiler's distribution brought. Bodies are only read when something that is linked needs them.
    pub(crate) fn parse_library(
        &self,
        name: &str,
        bytes: &[u8],
    ) -> Result<Module<'_>, ModuleError> {
        let api = &self.llvm.api;
        let label = c_string(name);
        let mut raw = ptr::null_mut();
        // SAFETY: the buffer is a copy of `bytes`, and LLVMGetBitcodeModuleInContext2 takes it over, whatever the outcome.
        let failed = unsafe {
            let buffer = (api.LLVMCreateMemoryBufferWithMemoryRangeCopy)(
                bytes.as_ptr().cast(),
                bytes.len(),
                label.as_ptr(),
            );
            (api.LLVMGetBitcodeModuleInContext2)(self.raw, buffer, &raw mut raw)
        };
        if failed != 0 || raw.is_null() {
            let reason = self.take_message(ptr::null_mut());
            return Err(ModuleError::Parse {
                name: name.to_owned(),
                reason,
            });
        }
        Ok(Module { context: self, raw })
    }

    /// The text LLVM left, or the errors it reported, in one line.
    fn take_message(&self, message: *mut c_char) -> String {
        let mut text = String::new();
        if !message.is_null() {
            // SAFETY: a C string LLVM made for us.
            unsafe {
                text = CStr::from_ptr(message).to_string_lossy().into_owned();
                (self.llvm.api.LLVMDisposeMessage)(message);
            }
        }
        let mut errors = self.sink.errors.take();
        if text.trim().is_empty() {
            text = if errors.is_empty() {
                "no reason given".to_owned()
            } else {
                errors.remove(0)
            };
        }
        text.lines()
            .map(str::trim)
            .filter(|l| !l.is_empty())
            .collect::<Vec<_>>()
            .join("; ")
    }
}

impl Drop for Context<'_> {
    fn drop(&mut self) {
        // SAFETY: modules and values borrow the context, so none is left.
        unsafe { (self.llvm.api.LLVMContextDispose)(self.raw) };
    }
}

/// A module. Handles to what is in it borrow it, so that nothing changes it under them.
pub(crate) struct Module<'c> {
    context: &'c Context<'c>,
    raw: api::Module,
}

impl Drop for Module<'_> {
    fn drop(&mut self) {
        // SAFETY: values borrow the module, so none is left.
        unsafe { (self.api().LLVMDisposeModule)(self.raw) };
    }
}

impl<'c> Module<'c> {
    fn api(&self) -> &'c Api {
        &self.context.llvm.api
    }

    fn verify(&self, name: &str) -> Result<(), ModuleError> {
        const RETURN_STATUS: c_int = 2;
        let mut message = ptr::null_mut();
        // SAFETY: a valid module and a place for the message.
        let broken =
            unsafe { (self.api().LLVMVerifyModule)(self.raw, RETURN_STATUS, &raw mut message) };
        if broken != 0 {
            let reason = self.context.take_message(message);
            return Err(ModuleError::Verify {
                name: name.to_owned(),
                reason,
            });
        }
        if !message.is_null() {
            // SAFETY: LLVM made the (empty) message for us.
            unsafe { (self.api().LLVMDisposeMessage)(message) };
        }
        Ok(())
    }

    /// Adds everything of `other`, which comes from the same context.
    pub(crate) fn link(&mut self, name: &str, other: Module<'c>) -> Result<(), ModuleError> {
        assert!(
            ptr::eq(self.context, other.context),
            "modules of two contexts"
        );
        let raw = other.raw;
        // LLVMLinkModules2 disposes of the second module.
        std::mem::forget(other);
        // SAFETY: two different valid modules of one context.
        let failed = unsafe { (self.api().LLVMLinkModules2)(self.raw, raw) };
        if failed == 0 {
            return Ok(());
        }
        let reason = self.context.take_message(ptr::null_mut());
        Err(ModuleError::Link {
            name: name.to_owned(),
            reason,
        })
    }

    /// Runs a textual pass pipeline.
    pub(crate) fn run(&mut self, passes: &str) -> Result<(), ModuleError> {
        let api = self.api();
        let text = c_string(passes);
        // SAFETY: a valid module and pipeline; no target machine is needed for target-independent passes.
        let error = unsafe {
            let options = (api.LLVMCreatePassBuilderOptions)();
            let error = (api.LLVMRunPasses)(self.raw, text.as_ptr(), ptr::null_mut(), options);
            (api.LLVMDisposePassBuilderOptions)(options);
            error
        };
        if error.is_null() {
            return Ok(());
        }
        // SAFETY: LLVMGetErrorMessage consumes the error and gives a C string of ours.
        let reason = unsafe {
            let message = (api.LLVMGetErrorMessage)(error);
            let reason = CStr::from_ptr(message).to_string_lossy().into_owned();
            (api.LLVMDisposeErrorMessage)(message);
            reason
        };
        Err(ModuleError::Passes {
            passes: passes.to_owned(),
            reason,
        })
    }

    /// Turns every function that `choose` names, defined or not, into a declaration of the name it gives.
    pub(crate) fn cut(&mut self, choose: impl Fn(&str) -> Option<String>) {
        let api = self.api();
        let mut chosen = Vec::new();
        for function in self.functions() {
            let name = function.name();
            if let Some(declared) =
                choose(&name).filter(|d| *d != name || !function.is_declaration())
            {
                chosen.push((function.raw(), declared));
            }
        }
        for (raw, name) in chosen {
            let name = c_string(&name);
            // SAFETY: `raw` is a function of this module and no handle to it is left; the new one has the same type.
            unsafe {
                (api.LLVMSetValueName2)(raw, c"".as_ptr(), 0);
                let ty = (api.LLVMGlobalGetValueType)(raw);
                let known = (api.LLVMGetNamedFunction)(self.raw, name.as_ptr());
                let declared = if known.is_null() {
                    (api.LLVMAddFunction)(self.raw, name.as_ptr(), ty)
                } else {
                    known
                };
                (api.LLVMReplaceAllUsesWith)(raw, declared);
                (api.LLVMDeleteFunction)(raw);
            }
        }
    }

    /// Gives every function that `choose` names the symbol it chooses.
    pub(crate) fn rename(&mut self, choose: impl Fn(&str) -> Option<String>) {
        for function in self.functions() {
            if let Some(symbol) = choose(&function.name()) {
                // SAFETY: a function of this module and a text with its length; LLVM copies it.
                unsafe {
                    (self.api().LLVMSetValueName2)(
                        function.raw(),
                        symbol.as_ptr().cast(),
                        symbol.len(),
                    );
                }
            }
        }
    }

    /// Has every function that `choose` names inlined wherever it is called, once the pass `always-inline` runs.
    pub(crate) fn always_inline(&mut self, choose: impl Fn(&str) -> bool) {
        const AT_FUNCTION: u32 = u32::MAX;
        let api = self.api();
        for function in self
            .functions()
            .filter(|f| !f.is_declaration() && choose(&f.name()))
        {
            // SAFETY: the kinds exist in every LLVM, and both calls only edit the function's attributes.
            unsafe {
                let inline = (api.LLVMGetEnumAttributeKindForName)(c"alwaysinline".as_ptr(), 12);
                for (other, length) in [(c"noinline", 8), (c"optnone", 7)] {
                    let kind = (api.LLVMGetEnumAttributeKindForName)(other.as_ptr(), length);
                    (api.LLVMRemoveEnumAttributeAtIndex)(function.raw(), AT_FUNCTION, kind);
                }
                let attribute = (api.LLVMCreateEnumAttribute)(self.context.raw, inline, 0);
                (api.LLVMAddAttributeAtIndex)(function.raw(), AT_FUNCTION, attribute);
            }
        }
    }

    /// Lets no pass drop a call because nobody uses what it returns: what a function reads that is declared `pure`, as `strlen` is, is an access like
    /// any other.
    pub(crate) fn keep_calls(&mut self) {
        const AT_FUNCTION: u32 = u32::MAX;
        let api = self.api();
        // SAFETY: the kind exists in every LLVM.
        let returns = unsafe { (api.LLVMGetEnumAttributeKindForName)(c"willreturn".as_ptr(), 10) };
        let is_call = |i: &Value<'_>| i.opcode() == Some(Opcode::Call);
        for function in self.functions().filter(|f| !f.name().starts_with("llvm.")) {
            // SAFETY: only edits the function's attributes.
            unsafe { (api.LLVMRemoveEnumAttributeAtIndex)(function.raw(), AT_FUNCTION, returns) };
            let calls = function.blocks().flat_map(Block::instructions);
            for call in calls.filter(is_call) {
                // SAFETY: only edits the attributes of a call, which this is.
                unsafe { (api.LLVMRemoveCallSiteEnumAttribute)(call.raw(), AT_FUNCTION, returns) };
            }
        }
    }

    /// Runs passes that drop what nobody uses, but no load: one whose value is unused is an access like any other.
    pub(crate) fn run_keeping_loads(&mut self, passes: &str) -> Result<(), ModuleError> {
        let is_ordinary = |i: &Value<'_>| {
            let is_load = i.opcode() == Some(Opcode::Load) && !i.is_volatile();
            // What is never written can be read early, and what nobody reads of it is no access that could go wrong.
            is_load && !i.operand(0).is_constant_variable()
        };
        let ordinary: Vec<api::Value> = self
            .functions()
            .flat_map(Function::blocks)
            .flat_map(Block::instructions)
            .filter(is_ordinary)
            .inspect(|load| load.set_volatile(true))
            .map(Value::raw)
            .collect();
        self.run(passes)?;
        for load in ordinary {
            // SAFETY: no pass removes a volatile load, so it is still there.
            unsafe { (self.api().LLVMSetVolatile)(load, 0) };
        }
        Ok(())
    }

    /// Makes every definition that `keep` does not name invisible from outside, so that `globaldce` can drop it if nothing uses it.
    pub(crate) fn internalize(&mut self, keep: impl Fn(&str) -> bool) {
        for function in self
            .functions()
            .filter(|f| !f.is_declaration() && keep(&f.name()))
        {
            // SAFETY: a definition can always be made visible, even if the source made it private.
            unsafe { (self.api().LLVMSetLinkage)(function.raw(), api::EXTERNAL_LINKAGE) };
        }
        self.relink(api::INTERNAL_LINKAGE, keep);
    }

    /// Has every definition that `keep` does not name linked into another module only if that needs it.
    pub(crate) fn make_optional(&mut self, keep: impl Fn(&str) -> bool) {
        self.relink(api::LINK_ONCE_ODR_LINKAGE, keep);
    }

    /// Gives all definitions that other modules can see, but `keep` does not name, another linkage.
    fn relink(&mut self, linkage: c_int, keep: impl Fn(&str) -> bool) {
        let api = self.api();
        let functions = self.functions().map(Function::value);
        let globals = self.globals().map(Global::value);
        for value in functions.chain(globals).chain(self.aliases()) {
            let name = value.name();
            if keep(&name) || name.starts_with("llvm.") {
                continue;
            }
            // SAFETY: functions, globals and aliases all have a linkage; only functions and globals are in comdats.
            unsafe {
                if !value.is_definition_for_others() {
                    continue;
                }
                if value.kind() != ValueKind::GlobalAlias {
                    (api.LLVMSetComdat)(value.raw(), ptr::null_mut());
                }
                (api.LLVMSetVisibility)(value.raw(), 0);
                (api.LLVMSetLinkage)(value.raw(), linkage);
            }
        }
    }

    /// Has debug records spelt as calls, in versions that have records but no functions to read them.
    pub(crate) fn spell_out_records(&mut self) {
        if let (Some(set), None) = (
            self.api().LLVMSetIsNewDbgInfoFormat,
            self.api().LLVMGetFirstDbgRecord,
        ) {
            // SAFETY: a valid module; the conversion keeps its meaning.
            unsafe { set(self.raw, 0) };
        }
    }

    /// Sizes and offsets of types.
    pub(crate) fn layout(&self) -> Layout<'_> {
        // SAFETY: the layout belongs to the module, which the handle borrows.
        unsafe { Layout::new(self.api(), (self.api().LLVMGetModuleDataLayout)(self.raw)) }
    }

    /// All functions, declarations too.
    pub(crate) fn functions(&self) -> impl Iterator<Item = Function<'_>> {
        let api = self.api();
        self.walk(api.LLVMGetFirstFunction, api.LLVMGetNextFunction)
            .map(Function)
    }

    /// All global variables.
    pub(crate) fn globals(&self) -> impl Iterator<Item = Global<'_>> {
        let api = self.api();
        self.walk(api.LLVMGetFirstGlobal, api.LLVMGetNextGlobal)
            .map(Global)
    }

    /// All aliases.
    pub(crate) fn aliases(&self) -> impl Iterator<Item = Value<'_>> {
        let api = self.api();
        self.walk(api.LLVMGetFirstGlobalAlias, api.LLVMGetNextGlobalAlias)
    }

    fn walk(
        &self,
        first: unsafe extern "C" fn(api::Module) -> api::Value,
        next: unsafe extern "C" fn(api::Value) -> api::Value,
    ) -> impl Iterator<Item = Value<'_>> {
        let environment = Environment {
            api: self.api(),
            context: self.context.raw,
        };
        // SAFETY: `first` and `next` walk one of the module's lists, which nobody changes while `self` is borrowed.
        let start = unsafe { Value::new(environment, first(self.raw)) };
        // SAFETY: as above.
        std::iter::successors(start, move |v| unsafe {
            Value::new(environment, next(v.raw()))
        })
    }
}

/// `text` for LLVM; a NUL inside ends it.
pub(super) fn c_string(text: &str) -> CString {
    let end = text.find('\0').unwrap_or(text.len());
    CString::new(&text[..end]).unwrap_or_default()
}
