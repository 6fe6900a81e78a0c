//! Constants as slots: numbers, and addresses of symbols plus an offset.

use super::shape::{Scalar, lanes, scalar};
use super::{Decoder, index};
use crate::llvm::function::Block;
use crate::llvm::global::Global;
use crate::llvm::opcode::{Opcode, TypeKind, ValueKind};
use crate::llvm::types::Type;
use crate::llvm::value::Value;
use crate::program::{Constant, Operand, Symbol};

/// Why a value is not a run of constants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NotConstant {
    /// It must be computed where it is used: the address of a thread-local, arithmetic on addresses.
    Computed,
    /// It cannot be represented at all.
    Unsupported,
}

/// The low `bits` bits of `value`.
pub(super) fn mask(value: u128, bits: u32) -> u128 {
    if bits >= 128 {
        value
    } else {
        value & ((1 << bits) - 1)
    }
}

/// What the address of a label is: no address of memory, and never null.
pub(super) fn label(block: Block<'_>) -> u64 {
    block.position() as u64 + 1
}

/// The low `bits` bits of `value` as a signed number.
pub(super) fn sign_extend(value: u64, bits: u32) -> i64 {
    let shift = 64 - bits.clamp(1, 64);
    (value << shift).cast_signed() >> shift
}

/// The value of a constant integer of any width up to 128 (for a splat: of its element).
pub(super) fn integer(value: Value<'_>) -> Option<u128> {
    let width = lanes(value.ty())?.0.bits();
    if width <= 64 {
        return Some(u128::from(value.low_bits()));
    }
    if width > 128 {
        return None;
    }
    // The C API gives only the low 64 bits; the text has all of them.
    let text = value.print();
    let digits = text.rsplit(' ').next()?.trim_end_matches(')');
    let number = digits
        .parse::<i128>()
        .map(i128::cast_unsigned)
        .or_else(|_| digits.parse::<u128>());
    Some(mask(number.ok()?, width))
}

impl<'m> Decoder<'m> {
    /// Where the run of `value` starts among the program's constants.
    pub(super) fn constant(&mut self, value: Value<'m>) -> Result<Operand, NotConstant> {
        if let Some(&known) = self.constants.get(&value) {
            return Ok(Operand::constant(known));
        }
        let mut run = Vec::new();
        self.flatten(value, &mut run)?;
        let operand = self.constant_run(&run);
        if let Some(first) = operand.as_constant() {
            self.constants.insert(value, first);
        }
        Ok(operand)
    }

    /// A run of constants as an operand; runs of one slot are shared.
    pub(super) fn constant_run(&mut self, run: &[Constant]) -> Operand {
        let next = index(self.program.constants.len());
        if let [only] = run {
            let at = *self.single.entry(*only).or_insert(next);
            if at == next {
                self.program.constants.push(*only);
            }
            return Operand::constant(at);
        }
        self.program.constants.extend_from_slice(run);
        Operand::constant(next)
    }

    /// The number `bits` as an operand.
    pub(super) fn bits(&mut self, bits: u64) -> Operand {
        self.constant_run(&[Constant::Bits(bits)])
    }

    /// Appends the slots of `value`.
    pub(super) fn flatten(
        &mut self,
        value: Value<'m>,
        out: &mut Vec<Constant>,
    ) -> Result<(), NotConstant> {
        let ty = value.ty();
        match value.kind() {
            ValueKind::ConstantInt => {
                let number = integer(value).ok_or(NotConstant::Unsupported)?;
                self.push_lanes(ty, number, out);
            }
            ValueKind::ConstantFP => {
                let (kind, _) = lanes(ty).ok_or(NotConstant::Unsupported)?;
                let bits = if ty.kind() == TypeKind::Vector {
                    return self.flatten_printed_splat(value, out);
                } else {
                    integer(value.as_integer(kind.bits())).ok_or(NotConstant::Unsupported)?
                };
                self.push_lanes(ty, bits, out);
            }
            ValueKind::Function | ValueKind::GlobalVariable | ValueKind::GlobalAlias => {
                let (symbol, offset) = self.address(value)?;
                out.push(Constant::Address(symbol, offset));
            }
            ValueKind::ConstantArray | ValueKind::ConstantStruct | ValueKind::ConstantVector => {
                for operand in value.operands() {
                    self.flatten(operand, out)?;
                }
            }
            ValueKind::ConstantDataArray | ValueKind::ConstantDataVector => {
                for i in 0..u32::try_from(ty.length()).map_err(|_| NotConstant::Unsupported)? {
                    self.flatten(value.data_element(i), out)?;
                }
            }
            ValueKind::UndefValue
            | ValueKind::PoisonValue
            | ValueKind::ConstantAggregateZero
            | ValueKind::ConstantPointerNull
            | ValueKind::ConstantTokenNone => {
                let count = self.slots(ty) as usize;
                out.extend(std::iter::repeat_n(Constant::Bits(0), count));
            }
            ValueKind::BlockAddress => {
                let block = value.labelled_block().ok_or(NotConstant::Unsupported)?;
                out.push(Constant::Bits(label(block)));
            }
            ValueKind::ConstantExpr => self.flatten_expression(value, out)?,
            _ => return Err(NotConstant::Unsupported),
        }
        Ok(())
    }

    /// The number once per lane of `ty` (a scalar has one).
    fn push_lanes(&mut self, ty: Type<'m>, number: u128, out: &mut Vec<Constant>) {
        let (kind, count) = lanes(ty).unwrap_or((Scalar::Int(64), 1));
        for _ in 0..count {
            out.push(Constant::Bits(number as u64));
            if kind.slots() == 2 {
                out.push(Constant::Bits((number >> 64) as u64));
            }
        }
    }

    /// A splat of a float: `<4 x float> splat (float 1.000000e+00)`. Its bits cannot be asked for.
    fn flatten_printed_splat(
        &mut self,
        value: Value<'m>,
        out: &mut Vec<Constant>,
    ) -> Result<(), NotConstant> {
        let text = value.print();
        let digits = text
            .rsplit(' ')
            .next()
            .unwrap_or_default()
            .trim_end_matches(')');
        let Some((Scalar::Float(kind), _)) = lanes(value.ty()) else {
            return Err(NotConstant::Unsupported);
        };
        let double = match digits.strip_prefix("0x") {
            Some(hex) => {
                f64::from_bits(u64::from_str_radix(hex, 16).map_err(|_| NotConstant::Unsupported)?)
            }
            None => digits.parse().map_err(|_| NotConstant::Unsupported)?,
        };
        let bits = match kind {
            crate::program::FloatKind::F32 => u64::from((double as f32).to_bits()),
            crate::program::FloatKind::F64 => double.to_bits(),
        };
        self.push_lanes(value.ty(), u128::from(bits), out);
        Ok(())
    }

    fn flatten_expression(
        &mut self,
        value: Value<'m>,
        out: &mut Vec<Constant>,
    ) -> Result<(), NotConstant> {
        if scalar(value.ty()).is_none() {
            return Err(NotConstant::Computed);
        }
        if let Some(number) = self.number_of(value) {
            self.push_lanes(value.ty(), number, out);
            return Ok(());
        }
        let (symbol, offset) = self.address(value)?;
        out.push(Constant::Address(symbol, offset));
        Ok(())
    }

    /// The number a constant expression without symbols is.
    fn number_of(&mut self, value: Value<'m>) -> Option<u128> {
        let bits = scalar(value.ty())?.bits();
        let number = match value.kind() {
            ValueKind::ConstantInt => integer(value)?,
            ValueKind::ConstantPointerNull | ValueKind::UndefValue | ValueKind::PoisonValue => 0,
            ValueKind::ConstantExpr => {
                let mut part = |i| self.number_of(value.operand(i));
                match value.opcode()? {
                    Opcode::PtrToInt
                    | Opcode::IntToPtr
                    | Opcode::BitCast
                    | Opcode::Trunc
                    | Opcode::ZExt
                    | Opcode::PtrToAddr => part(0)?,
                    Opcode::Add => part(0)?.wrapping_add(part(1)?),
                    Opcode::Sub => part(0)?.wrapping_sub(part(1)?),
                    Opcode::Mul => part(0)?.wrapping_mul(part(1)?),
                    Opcode::And => part(0)? & part(1)?,
                    Opcode::Or => part(0)? | part(1)?,
                    Opcode::Xor => part(0)? ^ part(1)?,
                    Opcode::GetElementPtr => {
                        let base = part(0)?;
                        base.wrapping_add(i128::from(self.constant_offset(value)?).cast_unsigned())
                    }
                    _ => return None,
                }
            }
            _ => return None,
        };
        Some(mask(number, bits))
    }

    /// The symbol and offset that `value` is.
    pub(super) fn address(&mut self, value: Value<'m>) -> Result<(Symbol, i64), NotConstant> {
        match value.kind() {
            ValueKind::Function => match self.functions.get(&value) {
                Some(&id) => Ok((Symbol::Function(id), 0)),
                None => Err(NotConstant::Unsupported),
            },
            ValueKind::GlobalVariable => {
                let global = self
                    .globals
                    .get(&value)
                    .copied()
                    .ok_or(NotConstant::Unsupported)?;
                if Global::from_value(value).is_some_and(Global::is_thread_local) {
                    return Err(NotConstant::Computed);
                }
                Ok((Symbol::Global(global), 0))
            }
            ValueKind::GlobalAlias => self.address(value.aliasee()),
            ValueKind::ConstantExpr => match value.opcode() {
                Some(Opcode::GetElementPtr) => {
                    let (symbol, offset) = self.address(value.operand(0))?;
                    let more = self.constant_offset(value).ok_or(NotConstant::Computed)?;
                    Ok((symbol, offset.wrapping_add(more)))
                }
                Some(Opcode::BitCast | Opcode::AddrSpaceCast) => self.address(value.operand(0)),
                Some(Opcode::PtrToInt | Opcode::IntToPtr | Opcode::PtrToAddr)
                    if scalar(value.ty()).is_some_and(|s| s.bits() == 64) =>
                {
                    self.address(value.operand(0))
                }
                Some(Opcode::Add) => {
                    let (symbol, offset) = self.address(value.operand(0))?;
                    let more = self
                        .number_of(value.operand(1))
                        .ok_or(NotConstant::Computed)?;
                    Ok((symbol, offset.wrapping_add((more as u64).cast_signed())))
                }
                Some(Opcode::Sub) => {
                    let (symbol, offset) = self.address(value.operand(0))?;
                    let less = self
                        .number_of(value.operand(1))
                        .ok_or(NotConstant::Computed)?;
                    Ok((symbol, offset.wrapping_sub((less as u64).cast_signed())))
                }
                _ => Err(NotConstant::Computed),
            },
            _ => Err(NotConstant::Unsupported),
        }
    }

    /// How far a `getelementptr` with constant indices goes.
    pub(super) fn constant_offset(&mut self, value: Value<'m>) -> Option<i64> {
        let mut step = Steps::new(value.stepped_type());
        let mut offset = 0_i64;
        for position in 1..value.operand_count() {
            let at = value.operand(position);
            let bits = scalar(at.ty())?.bits();
            let number = self.number_of(at)? as u64;
            offset = offset.wrapping_add(self.step(&mut step, sign_extend(number, bits)));
        }
        Some(offset)
    }

    /// Goes one index further and tells the bytes gone.
    pub(super) fn step(&self, steps: &mut Steps<'m>, at: i64) -> i64 {
        if steps.first {
            steps.first = false;
            return at.wrapping_mul(self.bytes(steps.ty));
        }
        if steps.ty.kind() == TypeKind::Struct {
            let field = u32::try_from(at).unwrap_or(0);
            let offset = self.layout.offset(steps.ty, field);
            steps.ty = steps.ty.fields()[field as usize];
            return i64::try_from(offset).unwrap_or(0);
        }
        steps.ty = steps.ty.element();
        at.wrapping_mul(self.bytes(steps.ty))
    }

    fn bytes(&self, ty: Type<'m>) -> i64 {
        i64::try_from(self.layout.size(ty)).unwrap_or(0)
    }
}

/// Where the indices of a `getelementptr` have led so far.
pub(super) struct Steps<'m> {
    /// The type reached.
    pub(super) ty: Type<'m>,
    /// Whether the next index is the first: it steps over whole objects.
    pub(super) first: bool,
}

impl<'m> Steps<'m> {
    pub(super) fn new(ty: Type<'m>) -> Self {
        Self { ty, first: true }
    }
}
