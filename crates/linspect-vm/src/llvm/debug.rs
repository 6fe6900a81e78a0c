//! Debug information: locations, scopes, variables, as metadata nodes.
//!
//! Names are read as operands of the nodes (LLVM keeps their positions): the C API has no other way to them.

use super::api::{self, Api};
use super::function::Function;
use super::global::Global;
use super::opcode::ValueKind;
use super::value::{Environment, Value, copy_text};
use std::hash::{Hash, Hasher};
use std::ptr::{self, NonNull};

/// Kinds of metadata nodes, as far as they matter here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NodeKind {
    Tuple,
    Location,
    GlobalVariableExpression,
    Subrange,
    BasicType,
    DerivedType,
    CompositeType,
    Subprogram,
    LexicalBlock,
    Namespace,
    LocalVariable,
    Other,
}

/// A variable of the source and the value that holds it, or its address.
#[derive(Clone, Copy)]
pub(crate) struct Binding<'m> {
    pub(crate) value: Value<'m>,
    pub(crate) variable: Node<'m>,
    /// Whether `value` is where the variable lies, rather than what it holds.
    pub(crate) is_place: bool,
}

/// A metadata node.
#[derive(Clone, Copy)]
pub(crate) struct Node<'m> {
    environment: Environment<'m>,
    raw: NonNull<api::RawMetadata>,
}

impl PartialEq for Node<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.raw == other.raw
    }
}
impl Eq for Node<'_> {}
impl Hash for Node<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.raw.hash(state);
    }
}

impl<'m> Node<'m> {
    /// # Safety
    /// `raw` is null or metadata of this context.
    unsafe fn new(environment: Environment<'m>, raw: api::Metadata) -> Option<Self> {
        NonNull::new(raw).map(|raw| Self { environment, raw })
    }

    fn api(self) -> &'m Api {
        self.environment.api
    }

    /// What it is.
    pub(crate) fn kind(self) -> NodeKind {
        // SAFETY: valid metadata.
        match unsafe { (self.api().LLVMGetMetadataKind)(self.raw.as_ptr()) } {
            4 => NodeKind::Tuple,
            5 => NodeKind::Location,
            7 => NodeKind::GlobalVariableExpression,
            9 => NodeKind::Subrange,
            11 => NodeKind::BasicType,
            12 => NodeKind::DerivedType,
            13 => NodeKind::CompositeType,
            17 => NodeKind::Subprogram,
            18 | 19 => NodeKind::LexicalBlock,
            20 | 21 => NodeKind::Namespace,
            25 => NodeKind::LocalVariable,
            _ => NodeKind::Other,
        }
    }

    /// Whether it is a node with operands, rather than a string or a wrapped value.
    fn has_operands(self) -> bool {
        // SAFETY: valid metadata. Strings, wrapped values and placeholders come first in LLVM's list of kinds.
        unsafe { (self.api().LLVMGetMetadataKind)(self.raw.as_ptr()) >= 4 }
    }

    fn raw_operands(self) -> Vec<api::Value> {
        if !self.has_operands() {
            return Vec::new();
        }
        // SAFETY: a node with operands; the vector has room for all of them.
        unsafe {
            let value =
                (self.api().LLVMMetadataAsValue)(self.environment.context, self.raw.as_ptr());
            let count = (self.api().LLVMGetMDNodeNumOperands)(value) as usize;
            let mut operands = vec![ptr::null_mut(); count];
            (self.api().LLVMGetMDNodeOperands)(value, operands.as_mut_ptr());
            operands
        }
    }

    /// Its operands that are metadata; `None` where there is none or it is a value.
    pub(crate) fn operands(self) -> Vec<Option<Self>> {
        let operands = self.raw_operands().into_iter();
        operands.map(|raw| self.wrap(raw)).collect()
    }

    fn wrap(self, raw: api::Value) -> Option<Self> {
        // SAFETY: null or a value LLVM gave for an operand.
        let value = unsafe { Value::new(self.environment, raw) }?;
        if value.kind() != ValueKind::MetadataAsValue {
            return None;
        }
        // SAFETY: wrapped metadata.
        unsafe { Self::new(self.environment, (self.api().LLVMValueAsMetadata)(raw)) }
    }

    /// Operand `index`, if it is there.
    pub(crate) fn operand(self, index: usize) -> Option<Self> {
        self.operands().into_iter().nth(index).flatten()
    }

    /// The text of operand `index`, if it is one and not empty.
    pub(crate) fn text(self, index: usize) -> Option<String> {
        let raw = *self.raw_operands().get(index)?;
        let node = self.wrap(raw)?;
        let mut length = 0;
        // SAFETY: a wrapped string gives its text, anything else null; the text is copied at once.
        let text = unsafe {
            // 0 is the kind of strings.
            if (self.api().LLVMGetMetadataKind)(node.raw.as_ptr()) != 0 {
                return None;
            }
            let start = (self.api().LLVMGetMDString)(raw, &raw mut length);
            copy_text(start, length as usize)
        };
        (!text.is_empty()).then_some(text)
    }

    /// Line of a location.
    pub(crate) fn line(self) -> u32 {
        match self.kind() {
            // SAFETY: a location.
            NodeKind::Location => unsafe { (self.api().LLVMDILocationGetLine)(self.raw.as_ptr()) },
            // SAFETY: a subprogram.
            NodeKind::Subprogram => unsafe {
                (self.api().LLVMDISubprogramGetLine)(self.raw.as_ptr())
            },
            _ => 0,
        }
    }

    /// Column of a location.
    pub(crate) fn column(self) -> u32 {
        if self.kind() != NodeKind::Location {
            return 0;
        }
        // SAFETY: a location.
        unsafe { (self.api().LLVMDILocationGetColumn)(self.raw.as_ptr()) }
    }

    /// Scope of a location.
    pub(crate) fn scope(self) -> Option<Self> {
        assert_eq!(self.kind(), NodeKind::Location);
        // SAFETY: a location.
        unsafe {
            Self::new(
                self.environment,
                (self.api().LLVMDILocationGetScope)(self.raw.as_ptr()),
            )
        }
    }

    /// Where the code of a location was inlined.
    pub(crate) fn inlined_at(self) -> Option<Self> {
        assert_eq!(self.kind(), NodeKind::Location);
        // SAFETY: a location.
        unsafe {
            Self::new(
                self.environment,
                (self.api().LLVMDILocationGetInlinedAt)(self.raw.as_ptr()),
            )
        }
    }

    /// Directory and name of a scope's file.
    pub(crate) fn file(self) -> Option<(String, String)> {
        if !matches!(
            self.kind(),
            NodeKind::Subprogram | NodeKind::LexicalBlock | NodeKind::CompositeType
        ) {
            return None;
        }
        let mut length = 0;
        // SAFETY: a scope; its file, if any, has two texts, copied at once.
        unsafe {
            let file = (self.api().LLVMDIScopeGetFile)(self.raw.as_ptr());
            if file.is_null() {
                return None;
            }
            let start = (self.api().LLVMDIFileGetDirectory)(file, &raw mut length);
            let directory = copy_text(start, length as usize);
            let start = (self.api().LLVMDIFileGetFilename)(file, &raw mut length);
            Some((directory, copy_text(start, length as usize)))
        }
    }

    /// The function around a scope with what it stands in: `stack::Stack<i32>::push`.
    pub(crate) fn qualified_name(self) -> String {
        let mut parts = Vec::new();
        let mut next = Some(self);
        while let Some(node) = next {
            next = match node.kind() {
                NodeKind::LexicalBlock => node.operand(1),
                NodeKind::Subprogram | NodeKind::Namespace | NodeKind::CompositeType => {
                    parts.extend(node.text(2));
                    node.operand(1)
                }
                _ => None,
            };
        }
        parts.reverse();
        parts.join("::")
    }

    /// The types of a function: the result's first, which is missing if there is none, then those of the parameters.
    pub(crate) fn signature(self) -> Vec<Option<Self>> {
        assert_eq!(self.kind(), NodeKind::Subprogram);
        // The type is the fifth operand; its list of types is the last of its operands.
        let ty = self.operand(4).map(Self::operands).unwrap_or_default();
        let list = ty.into_iter().next_back().flatten();
        list.filter(|l| l.kind() == NodeKind::Tuple)
            .map(Self::operands)
            .unwrap_or_default()
    }

    /// Since LLVM 21 size and offset of a type are operands too, in front of the type it is made from.
    fn type_operand(self, position: usize) -> Option<Self> {
        assert!(self.is_type());
        let operands = self.raw_operands();
        let is_number = |raw: &api::Value| {
            // SAFETY: null or a value LLVM gave for an operand.
            let value = unsafe { Value::new(self.environment, *raw) };
            value.is_some_and(|v| v.kind() == ValueKind::ConstantInt)
        };
        let shift = if operands.get(3).is_some_and(is_number) {
            2
        } else {
            0
        };
        self.wrap(*operands.get(position + shift)?)
    }

    /// What a derived type or an array is made from: the pointee, the element, the type behind a typedef.
    pub(crate) fn base_type(self) -> Option<Self> {
        self.type_operand(3)
    }

    /// Members of a composite type, or the ranges of an array.
    pub(crate) fn elements(self) -> Vec<Self> {
        let list = self.type_operand(4).map(Self::operands);
        list.unwrap_or_default().into_iter().flatten().collect()
    }

    pub(crate) fn is_type(self) -> bool {
        matches!(
            self.kind(),
            NodeKind::BasicType | NodeKind::DerivedType | NodeKind::CompositeType
        )
    }

    /// Size of a type or member in bits; 0 for typedefs and qualifiers.
    pub(crate) fn size_in_bits(self) -> u64 {
        assert!(self.is_type());
        // SAFETY: a type.
        unsafe { (self.api().LLVMDITypeGetSizeInBits)(self.raw.as_ptr()) }
    }

    /// Offset of a member in bits.
    pub(crate) fn offset_in_bits(self) -> u64 {
        assert!(self.is_type());
        // SAFETY: a type.
        unsafe { (self.api().LLVMDITypeGetOffsetInBits)(self.raw.as_ptr()) }
    }
}

impl<'m> Value<'m> {
    /// Where an instruction comes from.
    pub(crate) fn location(self) -> Option<Node<'m>> {
        assert_eq!(self.kind(), ValueKind::Instruction);
        let environment = self.environment();
        // SAFETY: an instruction.
        unsafe {
            Node::new(
                environment,
                (environment.api.LLVMInstructionGetDebugLoc)(self.raw()),
            )
        }
    }

    /// Variables that debug records before this instruction bind.
    pub(crate) fn bindings(self) -> Vec<Binding<'m>> {
        let environment = self.environment();
        let api = environment.api;
        let (Some(first), Some(next), Some(kind), Some(value), Some(variable)) = (
            api.LLVMGetFirstDbgRecord,
            api.LLVMGetNextDbgRecord,
            api.LLVMDbgRecordGetKind,
            api.LLVMDbgVariableRecordGetValue,
            api.LLVMDbgVariableRecordGetVariable,
        ) else {
            return Vec::new();
        };
        const LABEL: i32 = 0;
        const DECLARE: i32 = 1;
        let mut bindings = Vec::new();
        // SAFETY: walks the instruction's records; all but labels have a variable and may have a value.
        unsafe {
            let mut record = first(self.raw());
            while !record.is_null() {
                let kind = kind(record);
                if kind != LABEL
                    && let Some(value) = Value::new(environment, value(record, 0))
                    && let Some(variable) = Node::new(environment, variable(record))
                {
                    bindings.push(Binding {
                        value,
                        variable,
                        is_place: kind == DECLARE,
                    });
                }
                record = next(record);
            }
        }
        bindings
    }

    /// The variable that a call of `llvm.dbg.declare` or `llvm.dbg.value` binds.
    pub(crate) fn bound_by_call(self) -> Option<Binding<'m>> {
        let name = self.called().name();
        let is_place = name == "llvm.dbg.declare";
        if !is_place && name != "llvm.dbg.value" {
            return None;
        }
        let arguments = self.arguments();
        let value = arguments.first()?.wrapped().0?;
        let variable = arguments.get(1)?.wrapped().1?;
        Some(Binding {
            value,
            variable,
            is_place,
        })
    }

    /// What a metadata argument of an intrinsic wraps: a value, or a node.
    fn wrapped(self) -> (Option<Value<'m>>, Option<Node<'m>>) {
        assert_eq!(self.kind(), ValueKind::MetadataAsValue);
        let environment = self.environment();
        let api = environment.api;
        // SAFETY: wrapped metadata. Wrapped values have exactly one operand, which is the value.
        unsafe {
            let metadata = (api.LLVMValueAsMetadata)(self.raw());
            let node = Node::new(environment, metadata);
            let is_value = matches!((api.LLVMGetMetadataKind)(metadata), 1 | 2);
            if !is_value {
                return (None, node);
            }
            let mut value = ptr::null_mut();
            (api.LLVMGetMDNodeOperands)(self.raw(), &raw mut value);
            (Value::new(environment, value), None)
        }
    }
}

impl<'m> Function<'m> {
    /// Its name with what it stands in, as the source has it; empty without debug information.
    pub(crate) fn qualified_name(self) -> String {
        self.subprogram()
            .map(Node::qualified_name)
            .unwrap_or_default()
    }

    /// Its entry in the debug information.
    pub(crate) fn subprogram(self) -> Option<Node<'m>> {
        let environment = self.value().environment();
        // SAFETY: a function.
        unsafe {
            Node::new(
                environment,
                (environment.api.LLVMGetSubprogram)(self.value().raw()),
            )
        }
    }
}

impl<'m> Global<'m> {
    /// Its entry in the debug information.
    pub(crate) fn variable(self) -> Option<Node<'m>> {
        let environment = self.value().environment();
        let api = environment.api;
        let mut count = 0;
        let mut found = None;
        // SAFETY: the entries are ours until disposed of; nodes live on in the context.
        unsafe {
            let entries = (api.LLVMGlobalCopyAllMetadata)(self.value().raw(), &raw mut count);
            for i in 0..u32::try_from(count).unwrap_or(0) {
                let node = Node::new(
                    environment,
                    (api.LLVMValueMetadataEntriesGetMetadata)(entries, i),
                );
                found = found.or(node.filter(|n| n.kind() == NodeKind::GlobalVariableExpression));
            }
            (api.LLVMDisposeValueMetadataEntries)(entries);
        }
        found?.operand(0)
    }
}
